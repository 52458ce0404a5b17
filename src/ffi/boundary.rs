//! What every function of the boundary does: check pointers, view the caller's structs, write outputs, report errors.
//!
//! A caller's struct as a whole is never the target of a Rust reference: the tails of its arrays may be uninitialised,
//! and an output may be the same struct as an input. Inputs are read into slices of exactly the entries in use; results
//! are computed before the first output byte is written.
//!
//! Functions that move elements copy the numbers of a caller's struct first (`copy/execute/once`) and prove the copy:
//! the struct may lie in the destination, and another thread may change it during the call.

use super::layout::stride_layout;
use super::status::{stride_error, stride_status};
use crate::copy::execute::once;
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count};
use crate::model::{Dtype, Layout, LayoutStorage, MAX_RANK, arith};
use core::ffi::c_char;
use core::fmt::{self, Write};
use core::mem::MaybeUninit;
use core::ptr::{addr_of, addr_of_mut};

/// Runs a function's body and reports its error.
///
/// # Safety
/// `error` is null or may be written.
pub(super) unsafe fn report(error: *mut stride_error, body: impl FnOnce() -> Result<()>) -> stride_status {
    match body() {
        Ok(()) => Status::Ok.number(),
        // SAFETY: as promised to this function.
        Err(found) => unsafe { fail(error, &found) },
    }
}

/// Writes the record of an error, if the caller wants it. One function for all, which are smaller for it.
///
/// # Safety
/// As [`report`].
#[cold]
#[inline(never)]
unsafe fn fail(error: *mut stride_error, found: &Error) -> stride_status {
    if !error.is_null() {
        // SAFETY: not null, and the caller's to write.
        unsafe { error.write(stride_error::from(*found)) };
    }
    found.status.number()
}

pub(super) const fn null(argument: Argument) -> Error {
    Error::new(Status::NullPointer).argument(argument)
}

/// A pointer to an output, known not to be null.
pub(super) struct Output<T>(pub(super) *mut T);

impl<T> Output<T> {
    pub(super) fn new(pointer: *mut T, argument: Argument) -> Result<Self> {
        if pointer.is_null() { Err(null(argument)) } else { Ok(Self(pointer)) }
    }

    /// # Safety
    /// The pointer given to `new` may be written.
    pub(super) unsafe fn write(self, value: T) {
        // SAFETY: not null, and the caller's to write.
        unsafe { self.0.write(value) };
    }

    /// Writes the first entries of an array.
    ///
    /// # Safety
    /// As [`Output::write`], for `values.len()` entries, none of which `values` lies in.
    pub(super) unsafe fn write_all(self, values: &[T]) {
        if values.is_empty() {
            return;
        }
        // SAFETY: the caller's to write, and apart from `values`, which the core made.
        unsafe { core::ptr::copy_nonoverlapping(values.as_ptr(), self.0, values.len()) };
    }
}

impl Output<stride_layout> {
    /// Makes a layout in memory of the call's own, since the struct may be an input, or hold a list of one; then writes
    /// it.
    ///
    /// # Safety
    /// As [`Output::write_view`].
    #[inline(always)] // one copy of it for each maker
    pub(super) unsafe fn write_made(
        self,
        make: impl for<'o> FnOnce(&'o mut LayoutStorage) -> Result<Layout<'o>>,
    ) -> Result<()> {
        // SAFETY: as promised to this function.
        unsafe { self.write_view(&make(&mut LayoutStorage::default())?) };
        Ok(())
    }

    /// # Safety
    /// As [`Output::write`]. Only the fields and the first `rank` entries of the arrays are written.
    #[inline(never)] // fifty callers
    pub(super) unsafe fn write_view(self, view: &Layout<'_>) {
        // SAFETY: fields of the caller's struct; the rank is at most 64 (I1).
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

/// The call's own memory for a list of the caller's with an entry for each dimension.
pub(super) struct Entries([MaybeUninit<i64>; MAX_RANK]);

impl Entries {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self([MaybeUninit::uninit(); MAX_RANK])
    }

    /// Reads so many entries, at most 64, each once.
    ///
    /// # Safety
    /// They may be read.
    pub(super) unsafe fn read(&mut self, from: *const i64, count: usize) -> &[i64] {
        // SAFETY: as promised to this function.
        unsafe { once::words(from, self.0.get_mut(..count).unwrap_or(&mut [])) }
    }
}

/// The caller's array of `count` entries; (null, 0) is an empty one.
///
/// # Safety
/// Null, or `count` entries that may be read while the result lives.
pub(super) unsafe fn array<'a, T>(pointer: *const T, count: usize, argument: Argument) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(null(argument));
    }
    // SAFETY: not null, and the caller's to read.
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// [`array`] where null means that the caller leaves it out.
///
/// # Safety
/// As [`array`].
pub(super) unsafe fn optional_array<'a, T>(pointer: *const T, count: usize) -> Option<&'a [T]> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: as promised to this function. An empty list may be anywhere.
    unsafe { array(pointer, count, Argument::None) }.ok()
}

/// Writes a list of the result, for which the caller has room for `count` entries; INVALID_RANK for any other number.
/// Nothing is written before that.
///
/// # Safety
/// `pointer` has room for `count` entries, or is null.
pub(super) unsafe fn write_entries(
    pointer: *mut i64,
    count: u32,
    values: &[i64],
    counter: Argument,
    argument: Argument,
) -> Result<()> {
    check_entries(pointer, count, values.len(), counter, argument)?;
    // SAFETY: as promised to this function; `values` is the library's own, and where it is empty nothing is written.
    unsafe { Output(pointer).write_all(values) };
    Ok(())
}

/// Whether [`write_entries`] would succeed.
pub(super) fn check_entries(
    pointer: *mut i64,
    count: u32,
    needed: usize,
    counter: Argument,
    argument: Argument,
) -> Result<()> {
    check_count(count as usize, needed, counter)?;
    if needed > 0 && pointer.is_null() { Err(null(argument)) } else { Ok(()) }
}

/// A rank from outside as a length; INVALID_RANK above 64.
pub(super) fn checked_rank(rank: u32, argument: Argument) -> Result<usize> {
    let error = Error::new(Status::InvalidRank).argument(argument);
    let error = error.because(Detail::Above, rank as i64, MAX_RANK as i64);
    usize::try_from(rank).ok().filter(|&rank| rank <= MAX_RANK).ok_or(error)
}

/// Views the caller's layout and checks I1 to I5.
///
/// # Safety
/// Null, or a layout whose fields and first `rank` entries may be read while the result lives.
#[inline(never)] // ninety functions ask
pub(super) unsafe fn read_layout<'a>(pointer: *const stride_layout, argument: Argument) -> Result<Layout<'a>> {
    // SAFETY: as promised to this function; the first `rank` entries, at most 64, of arrays of the caller's struct.
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
/// As [`read_layout`].
#[inline(always)]
unsafe fn read_fields(pointer: *const stride_layout, argument: Argument) -> Result<(Dtype, usize, i64)> {
    if pointer.is_null() {
        return Err(null(argument));
    }
    // SAFETY: fields of the caller's struct, read one by one.
    unsafe {
        let rank = checked_rank(addr_of!((*pointer).rank).read_volatile(), argument)?;
        // The role of the layout says more than the field of it that is wrong.
        let dtype = Dtype::new(addr_of!((*pointer).dtype).read_volatile()).in_role(argument)?;
        Ok((dtype, rank, addr_of!((*pointer).offset).read_volatile()))
    }
}

/// The call's own memory for what a layout of the caller's has in use.
pub(super) struct LayoutRoom {
    sizes: Entries,
    strides: Entries,
}

impl LayoutRoom {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self { sizes: Entries::new(), strides: Entries::new() }
    }
}

/// [`read_layout`] into the call's own memory, each entry once. One loop reads and checks the entries, which costs a
/// small copy less than two.
///
/// # Safety
/// As [`read_layout`].
#[inline(always)]
pub(super) unsafe fn read_layout_once<'a>(
    room: &'a mut LayoutRoom,
    pointer: *const stride_layout,
    argument: Argument,
) -> Result<Layout<'a>> {
    // SAFETY: as promised to this function; the first `rank` entries of the caller's arrays, at most 64, for which
    // there is room; `near` takes all of them.
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
/// As [`read_layout`], for each of them.
pub(super) unsafe fn read_layouts<'a>(
    count: u32,
    r#in: *const stride_layout,
) -> Result<impl Iterator<Item = Layout<'a>> + Clone> {
    if count > 0 && r#in.is_null() {
        return Err(null(Argument::In));
    }
    // SAFETY: as promised to this function.
    let operand = move |k: u32| unsafe { read_layout(r#in.wrapping_add(k as usize), Argument::In) };
    for k in 0..count {
        operand(k).map_err(|error| error.item(k as usize))?;
    }
    Ok((0..count).filter_map(move |k| operand(k).ok()))
}

/// The usual view function: one layout in, one layout out.
///
/// # Safety
/// `layout` and `out` as for [`read_layout`] and [`Output::write_view`]; `error` as for [`report`].
pub(super) unsafe fn map_layout(
    layout: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
    view: impl for<'o> FnOnce(&Layout<'_>, &'o mut LayoutStorage) -> Result<Layout<'o>>,
) -> stride_status {
    // SAFETY: as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let out = Output::new(out, Argument::Out)?;
            out.write_made(|out| view(&layout, out))
        })
    }
}

/// The usual question: one layout in, one number out.
///
/// # Safety
/// As [`map_layout`].
pub(super) unsafe fn ask_layout<T>(
    layout: *const stride_layout,
    out: *mut T,
    argument: Argument,
    error: *mut stride_error,
    question: impl FnOnce(&Layout<'_>) -> Result<T>,
) -> stride_status {
    // SAFETY: as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let out = Output::new(out, argument)?;
            out.write(question(&layout)?);
            Ok(())
        })
    }
}

/// A question about two layouts that is answered by yes or no.
///
/// # Safety
/// As [`map_layout`], for both.
pub(super) unsafe fn ask_layouts(
    lhs: *const stride_layout,
    rhs: *const stride_layout,
    answer: *mut u32,
    error: *mut stride_error,
    question: impl FnOnce(&Layout<'_>, &Layout<'_>) -> Result<bool>,
) -> stride_status {
    // SAFETY: as promised to this function.
    unsafe {
        report(error, || {
            let (lhs, rhs) = (read_layout(lhs, Argument::Lhs)?, read_layout(rhs, Argument::Rhs)?);
            let answer = Output::new(answer, Argument::Answer)?;
            answer.write(question(&lhs, &rhs)?.into());
            Ok(())
        })
    }
}

/// The bytes of a text from outside; INVALID_ARGUMENT for a length that no text has.
///
/// # Safety
/// `text` valid for `length` bytes while the result lives, or null.
pub(super) unsafe fn text_in<'a>(text: *const c_char, length: u64) -> Result<&'a [u8]> {
    let limit = isize::MAX as u64;
    if length > limit {
        let error = Error::new(Status::InvalidArgument).argument(Argument::Length);
        return Err(error.because_wide(Detail::Above, length as i128, limit as i128));
    }
    // SAFETY: as promised to this function.
    unsafe { array(text.cast::<u8>(), length as usize, Argument::Text) }
}

/// Text into a caller's buffer: as much as fits, always terminated, the full length counted.
struct TextOut {
    buffer: *mut u8,
    capacity: u64,
    length: u64,
}

impl Write for TextOut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            if self.length < self.capacity {
                // SAFETY: below the capacity of the caller's buffer. What stands last gives way to the terminator.
                unsafe { self.buffer.wrapping_add(self.length as usize).write(byte) };
            }
            self.length += 1;
        }
        Ok(())
    }
}

/// Writes what `value` displays, and its length where there is a place for it.
///
/// # Safety
/// `buffer` is null or may be written for `capacity` bytes; `length` is null or may be written.
pub(super) unsafe fn write_text(
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    value: &dyn fmt::Display,
) -> Result<()> {
    if buffer.is_null() && capacity > 0 {
        return Err(null(Argument::Buffer));
    }
    let mut out = TextOut { buffer: buffer.cast(), capacity, length: 0 };
    let _ = write!(out, "{value}"); // TextOut never fails
    // SAFETY: the terminator follows what was written, below the capacity; the length is the caller's to write.
    unsafe {
        if let Some(last) = capacity.checked_sub(1) {
            out.buffer.wrapping_add(out.length.min(last) as usize).write(0);
        }
        if !length.is_null() {
            length.write(out.length);
        }
    }
    Ok(())
}
