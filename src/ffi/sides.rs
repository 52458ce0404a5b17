//! The sides of a copy of which one at least is no layout: XLA's shapes, blocked layouts. And of copies between layouts
//! whose elements do not meet by equal indices: a list says what is taken, or they are counted in row-major order.

use super::blocks::{read_blocked, stride_blocked};
use super::boundary::{LayoutRoom, Output, array, read_layout_once};
use super::copy::{read_options, stride_copy_options};
use super::layout::stride_layout;
use super::plan::{stride_plan, write_plan, write_plan_of_bits};
use super::xla::{read_shape, stride_xla_shape};
use crate::copy::Plan;
use crate::copy::execute::{self, execute_prepared};
use crate::copy::plan::{Prepared, taken_axis};
use crate::copy::tiled::{Coalesced, DST, MOST_TAKEN, Names, Operand, Relayout, SRC, TiledPlan, TiledWords};
use crate::copy::words::HEADER;
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::LayoutBuf;
use crate::vocabulary::blocks::BlockedLayout;
use crate::vocabulary::xla::Shape;
use core::ptr::{addr_of_mut, null};

/// One side of a copy, as the caller gives it.
#[derive(Clone, Copy)]
pub(super) struct Given {
    layout: *const stride_layout,
    shape: *const stride_xla_shape,
    blocked: *const stride_blocked,
}

/// What a side is read to: a shape, the layout that one without tiles is, or a blocked layout.
enum Room {
    Tiled(Shape),
    Layout(LayoutBuf),
    Blocked(BlockedLayout),
}

impl Room {
    fn operand(&self) -> Result<Operand<'_>> {
        match self {
            Self::Tiled(shape) => Ok(Operand::Tiled(shape)),
            Self::Layout(layout) => layout.view().map(Operand::Layout),
            Self::Blocked(blocked) => Ok(Operand::Blocked(blocked)),
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
    /// A layout or a shape.
    pub(super) fn shape(layout: *const stride_layout, shape: *const stride_xla_shape) -> Self {
        Self { layout, shape, blocked: null() }
    }

    /// A layout or a blocked layout.
    pub(super) fn blocked(layout: *const stride_layout, blocked: *const stride_blocked) -> Self {
        Self { layout, shape: null(), blocked }
    }

    fn is_left_out(self) -> bool {
        self.layout.is_null() && self.is_layout()
    }

    /// Whether it is a layout or nothing.
    fn is_layout(self) -> bool {
        self.shape.is_null() && self.blocked.is_null()
    }

    /// What an error calls it.
    fn named(self, [layout, shape, blocked]: Names) -> Argument {
        match () {
            _ if !self.shape.is_null() => shape,
            _ if !self.blocked.is_null() => blocked,
            _ => layout,
        }
    }

    /// # Safety
    /// Structs valid or NULL.
    #[inline(never)] // shapes are large
    unsafe fn read<'a>(self, room: &'a mut Option<Room>, names: Names) -> Result<Operand<'a>> {
        let ([argument, ..], of_shape) = (names, self.named(names));
        if self.is_layout() {
            // SAFETY: as promised to this function.
            let layout = unsafe { read_owned(self.layout, argument)? };
            return room.insert(Room::Layout(layout)).operand().in_role(argument);
        }
        if !self.layout.is_null() {
            return Err(Error::new(Status::InvalidArgument).argument(argument).because(Detail::BothGiven, 2, 1));
        }
        if self.shape.is_null() {
            // SAFETY: as promised to this function.
            let blocked = unsafe { read_blocked(self.blocked) }.in_role(of_shape)?;
            return room.insert(Room::Blocked(blocked)).operand();
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
    plan.options.check_ordinary_stack()
}

/// Prepares a copy of which a side is no layout; a relayout that is no ordinary copy is left to the caller.
///
/// # Safety
/// Structs valid or NULL.
unsafe fn prepare<'a>(
    plan: &mut Plan,
    [dst, src]: [Given; 2],
    rooms: &'a mut [Option<Room>; 2],
) -> Result<Prepared<'a>> {
    let [dst_room, src_room] = rooms;
    let (dst_name, src_name) = (dst.named(DST), src.named(SRC));
    // SAFETY: as promised to this function.
    let (dst, src) = unsafe {
        if dst.is_left_out() {
            let given = src.read(src_room, SRC)?;
            (Room::packed(dst_room, &given, src_name)?, given)
        } else {
            let given = dst.read(dst_room, DST)?;
            let other = match src.is_left_out() {
                true => Room::packed(src_room, &given, dst_name)?,
                false => src.read(src_room, SRC)?,
            };
            (given, other)
        }
    };
    plan.set_relayout(dst, src, src_name)
}

/// A copy of which a side is no layout.
///
/// # Safety
/// As `stride_xla_copy`.
#[inline(never)] // its stack is its own
pub(super) unsafe fn copy_sides(
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
        let prepared = prepare(&mut plan, sides, &mut rooms)?;
        execute_prepared(&plan, prepared, to, from)
    }
}

/// Writes the plan of a copy that was prepared.
///
/// # Safety
/// As [`Output::write`].
unsafe fn write_prepared(plan: &Plan, prepared: Prepared<'_>, out: Output<stride_plan>) {
    // SAFETY: as promised to this function.
    unsafe {
        match prepared {
            Prepared::Bytes => write_plan(plan, out),
            Prepared::Bits(packing) => write_plan_of_bits(plan, packing, out),
            Prepared::Tiles(relayout) => write_relayout(&relayout, plan, out),
        }
    }
}

/// The plan of a copy of which a side is no layout.
///
/// # Safety
/// As `stride_xla_plan_init`.
#[inline(never)] // its stack is its own
pub(super) unsafe fn plan_sides(
    out: *mut stride_plan,
    sides: [Given; 2],
    options: *const stride_copy_options,
) -> Result<()> {
    let out = Output::new(out, Argument::Out)?;
    let (mut plan, mut rooms) = (Plan::nothing(), [None, None]);
    // SAFETY: as promised to this function.
    unsafe {
        read_options_for_shapes(&mut plan, options)?;
        let prepared = prepare(&mut plan, sides, &mut rooms)?;
        write_prepared(&plan, prepared, out);
    }
    Ok(())
}

/// Writes the words of a relayout's plan.
///
/// # Safety
/// As [`Output::write`].
#[inline(never)] // its stack is its own
unsafe fn write_relayout(relayout: &Relayout<'_>, plan: &Plan, out: Output<stride_plan>) {
    // They are gathered first, since the plan may lie where the layouts do.
    let gathered = TiledPlan::new(relayout, &plan.options, plan.fill_period);
    let TiledWords { header, rest } = gathered.words();
    // SAFETY: as promised to this function.
    unsafe {
        let first = addr_of_mut!((*out.0).words).cast::<u64>();
        first.cast::<[u64; HEADER]>().write(*header);
        core::ptr::copy_nonoverlapping(rest.as_ptr(), first.add(HEADER).cast(), rest.len());
    }
}

/// Which elements of both sides meet, in their row-major order.
#[derive(Clone, Copy)]
pub(super) struct Range {
    /// Numbers of the first elements, of the destination and the source.
    pub firsts: [i64; 2],
    /// How many.
    pub count: u64,
}

/// What says which elements go where, beside two layouts.
#[derive(Clone, Copy)]
pub(super) enum Says {
    /// Those that a list takes.
    Take(Take),
    /// Those of a range.
    Range(Range),
    /// All, of sizes that may differ.
    RowMajor,
}

/// What is taken along a dimension, as the caller says it.
#[derive(Clone, Copy)]
pub(super) struct Take {
    pub axis: i64,
    pub count: u32,
    pub indices: *const i64,
}

/// Prepares a copy between layouts whose elements do not meet by equal indices, and calls `then` with it.
///
/// # Safety
/// Structs valid or NULL; a list has so many entries.
#[inline(never)] // its stack is its own
unsafe fn with_layouts(
    [dst, src]: [*const stride_layout; 2],
    says: Says,
    options: *const stride_copy_options,
    then: &mut dyn FnMut(&Plan, Prepared<'_>) -> Result<()>,
) -> Result<()> {
    let mut plan = Plan::nothing();
    // SAFETY: as promised to this function; no more entries than there is room for.
    unsafe {
        read_options_for_shapes(&mut plan, options)?;
        let (dst, src) = (read_owned(dst, Argument::DstLayout)?, read_owned(src, Argument::SrcLayout)?);
        let (dst, src) = (dst.view()?, src.view()?);
        let ([to, from], count) = match says {
            Says::Take(take) => {
                let mut list = [0; MOST_TAKEN];
                let axis = taken_axis(&dst, take.axis, take.count as usize)?;
                let given = array(take.indices, take.count as usize, Argument::Indices)?;
                list.iter_mut().zip(given).for_each(|(slot, &index)| *slot = index);
                let prepared = plan.set_take(&dst, &src, axis, list.get(..given.len()).unwrap_or(&[]))?;
                return then(&plan, prepared);
            }
            Says::Range(Range { firsts, count }) => {
                let above = Error::new(Status::InvalidArgument).argument(Argument::Count);
                let above = above.because_wide(Detail::Above, count as i128, i64::MAX as i128);
                (firsts, i64::try_from(count).map_err(|_| above)?)
            }
            Says::RowMajor => {
                let (needed, given) = (dst.element_count(), src.element_count());
                if given != needed {
                    let error = Error::new(Status::ShapeMismatch).argument(Argument::SrcLayout);
                    return Err(error.because(Detail::Elements, given, needed));
                }
                ([0; 2], needed)
            }
        };
        let (count, mut rooms) = ([count], [Coalesced::NOTHING; 2]);
        let prepared = plan.set_range([(&dst, to), (&src, from)], &count, &mut rooms)?;
        then(&plan, prepared)
    }
}

/// A copy between layouts whose elements do not meet by equal indices.
///
/// # Safety
/// As `stride_copy_take`.
#[cold]
pub(super) unsafe fn copy_layouts(
    layouts: [*const stride_layout; 2],
    says: Says,
    to: execute::Dst,
    from: execute::Src,
    options: *const stride_copy_options,
) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe { with_layouts(layouts, says, options, &mut |plan, prepared| execute_prepared(plan, prepared, to, from)) }
}

/// The plan of such a copy.
///
/// # Safety
/// As `stride_plan_init_take`.
#[cold]
pub(super) unsafe fn plan_layouts(
    out: *mut stride_plan,
    layouts: [*const stride_layout; 2],
    says: Says,
    options: *const stride_copy_options,
) -> Result<()> {
    let out = Output::new(out, Argument::Out)?;
    // SAFETY: as promised to this function.
    unsafe {
        with_layouts(layouts, says, options, &mut |plan, prepared| {
            write_prepared(plan, prepared, Output(out.0));
            Ok(())
        })
    }
}
