//! Copies to and from XLA shapes
//!
//! Each side is a layout or a shape with its tiles and padding: one of `..._layout` and `..._shape` is NULL. On one of
//! the two sides both may be: packed, with the dtype and sizes of the other side. Padding is neither read nor written,
//! but with STRIDE_COPY_FILL_BUFFER that of the destination gets the fill value (`stride_xla_shape_padding_bytes`).
//! Elements packed below a byte, E(4), are copied where both sides are one nest of loops, as they are without tiles;
//! else UNSUPPORTED. A shape whose storage is wider than its type counts as the
//! integer type of its storage: s4 in a byte wants an s8 layout, as `stride_layout_from_xla` makes it.
//!
//! What always works: two buffers apart, a tiled side with the length of its whole buffer
//! (`stride_xla_shape_byte_size`), and none of the flags STRIDE_COPY_SMALL_STACK (UNSUPPORTED with a shape) and
//! STRIDE_COPY_OVERLAP. Where a copy is one nest of loops in spite of the tiles, as without tiles, OVERLAP and shorter
//! lengths work as for layouts. A call takes at most 64 KiB of stack (65 on Windows). With tiles
//! STRIDE_COPY_FILL_BUFFER is done by part 0.
//!
//! Example: a packed matrix into tiles of 2 x 2.
//!
//!   uint8_t rows[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, tiles[16]; int64_t sizes[2] = {3, 3};
//!   stride_xla_shape shape; stride_layout packed;
//!   stride_layout_init(&packed, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL);
//!   stride_xla_shape_parse("u8[3,3]{1,0:T(2,2)}", 19, &shape, NULL);
//!   stride_xla_copy(NULL, &shape, tiles, 16, &packed, NULL, rows, 9, NULL, NULL);
//!   assert(tiles[0] == 1 && tiles[2] == 4 && tiles[4] == 3 && tiles[12] == 9);

use super::boundary::{LayoutRoom, Output, read_layout_once, report};
use super::copy::{STRIDE_COPY_SMALL_STACK, dst_buffer, read_options, src_buffer, stride_copy, stride_copy_options};
use super::layout::stride_layout;
use super::plan::{stride_plan, stride_plan_init, write_plan, write_plan_of_bits};
use super::status::{stride_error, stride_status};
use super::xla::{read_shape, stride_xla_shape};
use crate::copy::Plan;
use crate::copy::execute::{self, relayout};
use crate::copy::plan::Prepared;
use crate::copy::tiled::{MOST_WORDS, Operand};
use crate::copy::words::HEADER;
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::LayoutBuf;
use crate::vocabulary::xla::Shape;
use core::ffi::c_void;
use core::ptr::addr_of_mut;

/// One side of a copy, as the caller gives it.
#[derive(Clone, Copy)]
struct Given {
    layout: *const stride_layout,
    shape: *const stride_xla_shape,
}

/// What a side is read to: a shape, or the layout that one without tiles is.
#[expect(clippy::large_enum_variant, reason = "both lie on the stack")]
enum Room {
    Tiled(Shape),
    Layout(LayoutBuf),
}

impl Room {
    fn operand(&self) -> Result<Operand<'_>> {
        match self {
            Self::Tiled(shape) => Ok(Operand::Tiled(shape)),
            Self::Layout(layout) => layout.view().map(Operand::Layout),
        }
    }

    /// Packed, with the dtype and sizes of the other side, of which an error speaks.
    fn packed<'a>(room: &'a mut Option<Self>, other: &Operand<'_>, argument: Argument) -> Result<Operand<'a>> {
        room.insert(Self::Layout(other.packed().in_role(argument)?)).operand().in_role(argument)
    }
}

/// Reads the caller's layout.
///
/// # Safety
/// As [`read_layout_once`].
#[inline(never)] // its stack is its own
unsafe fn read_owned(pointer: *const stride_layout, argument: Argument) -> Result<LayoutBuf> {
    let mut room = LayoutRoom::new();
    // SAFETY: as promised to this function.
    unsafe { read_layout_once(&mut room, pointer, argument).map(LayoutBuf::from) }
}

impl Given {
    fn is_left_out(self) -> bool {
        self.layout.is_null() && self.shape.is_null()
    }

    /// What an error calls it.
    fn named(self, [layout, shape]: [Argument; 2]) -> Argument {
        if self.shape.is_null() { layout } else { shape }
    }

    /// # Safety
    /// Structs valid or NULL.
    #[inline(never)] // shapes are large
    unsafe fn read<'a>(self, room: &'a mut Option<Room>, [argument, of_shape]: [Argument; 2]) -> Result<Operand<'a>> {
        if self.shape.is_null() {
            // SAFETY: as promised to this function.
            let layout = unsafe { read_owned(self.layout, argument)? };
            return room.insert(Room::Layout(layout)).operand().in_role(argument);
        }
        if !self.layout.is_null() {
            return Err(Error::new(Status::InvalidArgument).argument(argument).because(Detail::BothGiven, 2, 1));
        }
        // SAFETY: as promised to this function.
        let shape = unsafe { read_shape(self.shape) }.in_role(of_shape)?;
        let read = match shape.tiles().is_empty() {
            true => Room::Layout(shape.to_layout().in_role(of_shape)?),
            false => Room::Tiled(shape),
        };
        room.insert(read).operand().in_role(of_shape)
    }
}

/// [`read_options`]; UNSUPPORTED for STRIDE_COPY_SMALL_STACK, since shapes are large.
///
/// # Safety
/// As [`read_options`].
unsafe fn read_options_for_shapes(plan: &mut Plan, options: *const stride_copy_options) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe { read_options(plan, options) }?;
    let flags = plan.options.flags;
    if flags & STRIDE_COPY_SMALL_STACK == 0 {
        return Ok(());
    }
    let error = Error::new(Status::Unsupported).argument(Argument::Options);
    Err(error.because(Detail::UnsupportedFlag, flags as i64, STRIDE_COPY_SMALL_STACK as i64))
}

/// Prepares a copy of which a side is a shape; a relayout that is no ordinary copy is left to the caller.
///
/// # Safety
/// Structs valid or NULL.
unsafe fn prepare<'a>(
    plan: &mut Plan,
    [dst, src]: [Given; 2],
    rooms: &'a mut [Option<Room>; 2],
) -> Result<Prepared<'a>> {
    let [dst_room, src_room] = rooms;
    let dst_names = [Argument::DstLayout, Argument::DstShape];
    let src_names = [Argument::SrcLayout, Argument::SrcShape];
    let (dst_name, src_name) = (dst.named(dst_names), src.named(src_names));
    // SAFETY: as promised to this function.
    let (dst, src) = unsafe {
        if dst.is_left_out() {
            let given = src.read(src_room, src_names)?;
            (Room::packed(dst_room, &given, src_name)?, given)
        } else {
            let given = dst.read(dst_room, dst_names)?;
            let other = match src.is_left_out() {
                true => Room::packed(src_room, &given, dst_name)?,
                false => src.read(src_room, src_names)?,
            };
            (given, other)
        }
    };
    // What the sides disagree in is said of the source.
    plan.set_relayout(dst, src).map_err(|error| match error.argument {
        Argument::SrcLayout => Error { argument: src_name, ..error },
        _ => error,
    })
}

/// A copy of which a side is a shape.
///
/// # Safety
/// As `stride_xla_copy`.
#[inline(never)] // its stack is its own
unsafe fn copy_shapes(
    sides: [Given; 2],
    to: execute::Dst,
    from: execute::Src,
    options: *const stride_copy_options,
) -> Result<()> {
    // Two shapes, and what their tiles cut: a call takes up to 64 KiB of the stack, where other copies take 48.
    let (mut plan, mut rooms) = (Plan::nothing(), [None, None]);
    // SAFETY: as promised to this function.
    unsafe {
        read_options_for_shapes(&mut plan, options)?;
        match prepare(&mut plan, sides, &mut rooms)? {
            Prepared::Bytes => execute::execute_plan(&plan, to, from),
            Prepared::Bits(packing) => execute::bits::execute_plan(&plan, packing, to, from, None),
            Prepared::Tiles(relayout) => relayout::execute(&relayout, &plan.options, plan.fill_period, to, from, 0, 1),
        }
    }
}

/// The plan of a copy of which a side is a shape.
///
/// # Safety
/// As `stride_xla_plan_init`.
#[inline(never)] // its stack is its own
unsafe fn plan_shapes(out: Output<stride_plan>, sides: [Given; 2], options: *const stride_copy_options) -> Result<()> {
    let (mut plan, mut rooms) = (Plan::nothing(), [None, None]);
    // SAFETY: as promised to this function.
    unsafe {
        read_options_for_shapes(&mut plan, options)?;
        let relayout = match prepare(&mut plan, sides, &mut rooms)? {
            Prepared::Tiles(relayout) => relayout,
            Prepared::Bytes => {
                write_plan(&plan, out);
                return Ok(());
            }
            Prepared::Bits(packing) => {
                write_plan_of_bits(&plan, packing, out);
                return Ok(());
            }
        };
        // They are gathered here, since the plan may lie where the layouts do.
        let (mut words, mut count) = ([0u64; HEADER + MOST_WORDS], 0);
        relayout.write(&plan.options, plan.fill_period, |value| {
            if let Some(word) = words.get_mut(count) {
                *word = value;
            }
            count += 1;
        });
        let first = addr_of_mut!((*out.0).words).cast::<u64>();
        core::ptr::copy_nonoverlapping(words.as_ptr(), first, count.min(words.len()));
    }
    Ok(())
}

/// `stride_copy` with a layout or a shape on each side.
///
/// Arrays: dst_layout or NULL, dst_shape or NULL, dst[dst_bytes], src_layout or NULL, src_shape or NULL,
/// src[src_bytes], options or NULL.
///
/// Returns: as `stride_copy`; INVALID_ARGUMENT if both of `..._layout` and `..._shape` are given, NULL_POINTER if
/// nothing is given on either side; UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_copy(
    dst_layout: *const stride_layout,
    dst_shape: *const stride_xla_shape,
    dst: *mut c_void,
    dst_bytes: u64,
    src_layout: *const stride_layout,
    src_shape: *const stride_xla_shape,
    src: *const c_void,
    src_bytes: u64,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        if dst_shape.is_null() && src_shape.is_null() {
            return stride_copy(dst_layout, dst, dst_bytes, src_layout, src, src_bytes, options, error);
        }
        let sides = [Given { layout: dst_layout, shape: dst_shape }, Given { layout: src_layout, shape: src_shape }];
        report(error, || copy_shapes(sides, dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes), options))
    }
}

/// `stride_plan_init` with a layout or a shape on each side. Parts of a plan with tiles are cut where the tiles of the
/// destination are.
///
/// Arrays: dst_layout or NULL, dst_shape or NULL, src_layout or NULL, src_shape or NULL, options or NULL.
///
/// Returns: as `stride_xla_copy`, as far as buffers do not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_plan_init(
    out: *mut stride_plan,
    dst_layout: *const stride_layout,
    dst_shape: *const stride_xla_shape,
    src_layout: *const stride_layout,
    src_shape: *const stride_xla_shape,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        if dst_shape.is_null() && src_shape.is_null() {
            return stride_plan_init(out, dst_layout, src_layout, options, error);
        }
        let sides = [Given { layout: dst_layout, shape: dst_shape }, Given { layout: src_layout, shape: src_shape }];
        report(error, || {
            let out = Output::new(out, Argument::Out)?;
            plan_shapes(out, sides, options)
        })
    }
}
