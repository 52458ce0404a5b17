//! Layouts that a caller lends: viewed where they lie, or read once; and written.
//!
//! A caller's struct as a whole is never the target of a Rust reference: the tails of its arrays may be uninitialised,
//! and an output may be the same struct as an input. Inputs are read into slices of exactly the entries in use.
//!
//! Functions that move elements copy the numbers of a caller's struct first (`copy/execute/once`) and prove the copy:
//! the struct may lie in the destination, and another thread may change it during the call.

use super::super::boundary::{Entries, Output, check_given, check_list, checked_rank, write_found_entries};
use super::stride_layout;
use crate::error::{Argument, ForArgument, Result};
use crate::model::{Dtype, Layout, LayoutStorage, MAX_RANK, arith};
use core::ptr::{addr_of, addr_of_mut};

impl Output<stride_layout> {
    /// Makes a layout in the call's own memory, since the struct may be an input or hold an input list; then writes it.
    ///
    /// # Safety
    /// The pointer given to `new` is writable.
    #[inline(always)] // one copy of it for each maker
    pub(in super::super) unsafe fn write_made(
        self,
        make: impl for<'o> FnOnce(&'o mut LayoutStorage) -> Result<Layout<'o>>,
    ) -> Result<()> {
        // SAFETY: the struct is writable (# Safety).
        unsafe { self.write_view(&make(&mut LayoutStorage::default())?) };
        Ok(())
    }

    /// Writes the fields and the first `rank` entries of the arrays, nothing else.
    ///
    /// # Safety
    /// The pointer given to `new` is writable.
    #[inline(never)] // fifty callers
    pub(in super::super) unsafe fn write_view(self, view: &Layout<'_>) {
        // SAFETY: the struct is writable (# Safety); its arrays have 64 entries, and the rank is at most 64 (I1).
        unsafe {
            addr_of_mut!((*self.0).dtype).write(view.dtype().code());
            addr_of_mut!((*self.0).rank).write(view.rank() as u32);
            addr_of_mut!((*self.0).offset).write(view.offset());
            let sizes = addr_of_mut!((*self.0).sizes).cast::<i64>();
            let strides = addr_of_mut!((*self.0).strides).cast::<i64>();
            // For a few entries a loop is faster than two calls.
            for (k, (size, stride)) in view.dimensions().enumerate() {
                sizes.add(k).write(size);
                strides.add(k).write(stride);
            }
        }
    }
}

/// Views the caller's layout and checks I1 to I5.
///
/// # Safety
/// `pointer` is null, or a layout whose fields and first `rank` entries are readable while the result lives.
#[inline(never)] // ninety callers
pub(in super::super) unsafe fn read_layout<'a>(
    pointer: *const stride_layout,
    argument: Argument,
) -> Result<Layout<'a>> {
    // SAFETY: the first `rank` entries are readable (# Safety); `read_fields` checked null, and the rank, at most 64.
    unsafe {
        let (dtype, rank, offset) = read_fields(pointer, argument)?;
        let sizes = core::slice::from_raw_parts(addr_of!((*pointer).sizes).cast::<i64>(), rank);
        let strides = core::slice::from_raw_parts(addr_of!((*pointer).strides).cast::<i64>(), rank);
        Layout::new(dtype, offset, sizes, strides).in_role(argument)
    }
}

/// The dtype, rank and offset of the caller's layout; NULL_POINTER, INVALID_RANK, INVALID_DTYPE.
///
/// # Safety
/// `pointer` is null, or a layout whose fields are readable.
#[inline(always)]
unsafe fn read_fields(pointer: *const stride_layout, argument: Argument) -> Result<(Dtype, usize, i64)> {
    check_given(pointer, argument)?;
    // SAFETY: not null (`check_given`); the fields are readable (# Safety), and read one by one.
    unsafe {
        let rank = checked_rank(addr_of!((*pointer).rank).read_volatile(), argument)?;
        // The role of the layout says more than the field of it that is wrong.
        let dtype = Dtype::new(addr_of!((*pointer).dtype).read_volatile()).in_role(argument)?;
        Ok((dtype, rank, addr_of!((*pointer).offset).read_volatile()))
    }
}

/// The call's own memory for the entries in use of a caller's layout.
pub(in super::super) struct LayoutRoom {
    sizes: Entries,
    strides: Entries,
}

impl LayoutRoom {
    #[inline(always)]
    pub(in super::super) const fn new() -> Self {
        Self { sizes: Entries::new(), strides: Entries::new() }
    }
}

/// [`read_layout`] into the call's own memory, each entry once.
///
/// # Safety
/// `pointer` is null, or a layout whose fields and first `rank` entries are readable.
#[inline(never)] // once in the library
pub(in super::super) unsafe fn read_layout_once<'a>(
    room: &'a mut LayoutRoom,
    pointer: *const stride_layout,
    argument: Argument,
) -> Result<Layout<'a>> {
    // SAFETY: what `read_small_layout` reads is readable (# Safety).
    unsafe { read_small_layout(room, pointer, argument) }
}

/// [`read_layout_once`] for copies that may be small: one loop reads and checks the entries, which is faster than two.
///
/// # Safety
/// `pointer` is null, or a layout whose fields and first `rank` entries are readable.
#[inline(always)]
pub(in super::super) unsafe fn read_small_layout<'a>(
    room: &'a mut LayoutRoom,
    pointer: *const stride_layout,
    argument: Argument,
) -> Result<Layout<'a>> {
    // SAFETY: the first `rank` entries are readable (# Safety). `read_fields` checked null and the rank, at most 64,
    // for which there is room. `near` takes all entries, so all of `sizes` and `strides` is initialised.
    unsafe {
        let (dtype, rank, offset) = read_fields(pointer, argument)?;
        let from_sizes = addr_of!((*pointer).sizes).cast::<i64>();
        let from_strides = addr_of!((*pointer).strides).cast::<i64>();
        let (sizes, strides) = (room.sizes.0.as_mut_ptr().cast::<i64>(), room.strides.0.as_mut_ptr().cast::<i64>());
        let entry = |k: usize| {
            let (size, stride) = (from_sizes.add(k).read_volatile(), from_strides.add(k).read_volatile());
            sizes.add(k).write(size);
            strides.add(k).write(stride);
            (size, stride)
        };
        let near = arith::near(dtype.bits(), offset, (0..rank).map(entry));
        let sizes = core::slice::from_raw_parts(sizes, rank);
        let strides = core::slice::from_raw_parts(strides, rank);
        Layout::of_known(near, dtype, offset, sizes, strides).in_role(argument)
    }
}

/// Views the `count` layouts of `in`, each of which is checked; the item of the error is the operand.
///
/// # Safety
/// `in` is null, or `count` layouts whose fields and first `rank` entries are readable while the result lives.
pub(in super::super) unsafe fn read_layouts<'a>(
    count: u32,
    r#in: *const stride_layout,
) -> Result<impl Iterator<Item = Layout<'a>> + Clone> {
    check_list(r#in, count.into(), Argument::In)?;
    // SAFETY: `in` is not null (`check_list`) and has `count` layouts (# Safety); `k` is below that.
    let operand = move |k: u32| unsafe { read_layout(r#in.wrapping_add(k as usize), Argument::In) };
    for k in 0..count {
        operand(k).map_err(|error| error.item(k as usize))?;
    }
    Ok((0..count).filter_map(move |k| operand(k).ok()))
}

/// The usual view function: one layout in, one layout out.
///
/// # Safety
/// `layout` is null or a readable layout, `out` null or writable.
pub(in super::super) unsafe fn map_layout(
    layout: *const stride_layout,
    out: *mut stride_layout,
    view: impl for<'o> FnOnce(&Layout<'_>, &'o mut LayoutStorage) -> Result<Layout<'o>>,
) -> Result<()> {
    // SAFETY: `layout` is null or readable, `out` null or writable (# Safety).
    unsafe {
        let layout = read_layout(layout, Argument::Layout)?;
        Output::new(out, Argument::Out)?.write_made(|out| view(&layout, out))
    }
}

/// The usual question: one layout in, one number out.
///
/// # Safety
/// `layout` is null or a readable layout, `out` null or writable.
pub(in super::super) unsafe fn ask_layout<T>(
    layout: *const stride_layout,
    out: *mut T,
    argument: Argument,
    question: impl FnOnce(&Layout<'_>) -> Result<T>,
) -> Result<()> {
    // SAFETY: `layout` is null or readable, `out` null or writable (# Safety).
    unsafe {
        let layout = read_layout(layout, Argument::Layout)?;
        Output::new(out, argument)?.write_found(question(&layout))
    }
}

/// A question about two layouts that is answered by yes or no.
///
/// # Safety
/// Each of `lhs` and `rhs` is null or a readable layout; `answer` is null or writable.
pub(in super::super) unsafe fn ask_layouts(
    lhs: *const stride_layout,
    rhs: *const stride_layout,
    answer: *mut u32,
    question: impl FnOnce(&Layout<'_>, &Layout<'_>) -> Result<bool>,
) -> Result<()> {
    // SAFETY: both layouts are null or readable, `answer` is null or writable (# Safety).
    unsafe {
        let (lhs, rhs) = (read_layout(lhs, Argument::Lhs)?, read_layout(rhs, Argument::Rhs)?);
        Output::new(answer, Argument::Answer)?.write_found(question(&lhs, &rhs).map(u32::from))
    }
}

/// Reads a layout and writes an entry for each of its dimensions, found by `find`, to a list of `rank` entries.
///
/// # Safety
/// `layout` is null or a readable layout; `out` is null, or writable for `rank` entries.
pub(in super::super) unsafe fn ask_layout_entries(
    layout: *const stride_layout,
    rank: u32,
    out: *mut i64,
    argument: Argument,
    find: impl FnOnce(&Layout<'_>, &mut [i64; MAX_RANK]) -> Result<()>,
) -> Result<()> {
    // SAFETY: `layout` is null or readable, `out` null or writable for `rank` entries (# Safety).
    unsafe {
        let layout = read_layout(layout, Argument::Layout)?;
        write_found_entries(out, rank, layout.rank(), argument, |found| find(&layout, found))
    }
}
