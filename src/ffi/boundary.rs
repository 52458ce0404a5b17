//! The work of every function of the boundary on a caller's pointers: check them, read lists and texts, write outputs.
//! `status` reports errors, `layout/lent` has the layouts.
//!
//! Results are computed before the first output byte is written: an output may be the same memory as an input.

use crate::copy::execute::once;
use crate::error::{Argument, Detail, Error, Result, Status, check_count, check_rank};
use crate::model::MAX_RANK;
use core::ffi::c_char;
use core::fmt::{self, Write};
use core::mem::MaybeUninit;

pub(super) const fn null(argument: Argument) -> Error {
    Status::NullPointer.of(argument)
}

/// NULL_POINTER for a null pointer.
pub(super) fn check_given<T>(pointer: *const T, argument: Argument) -> Result<()> {
    check_list(pointer, 1, argument)
}

/// NULL_POINTER for a list that has entries.
pub(super) fn check_list<T>(list: *const T, entries: u64, argument: Argument) -> Result<()> {
    if entries > 0 && list.is_null() { Err(null(argument)) } else { Ok(()) }
}

/// A pointer to an output, known not to be null.
pub(super) struct Output<T>(pub(super) *mut T);

impl<T> Output<T> {
    pub(super) fn new(pointer: *mut T, argument: Argument) -> Result<Self> {
        check_given(pointer, argument).map(|()| Self(pointer))
    }

    /// # Safety
    /// The pointer given to `new` is writable.
    pub(super) unsafe fn write(self, value: T) {
        // SAFETY: not null (`new`); writable (# Safety).
        unsafe { self.0.write(value) };
    }

    /// Writes a result that is not an error.
    ///
    /// # Safety
    /// The pointer is writable.
    pub(super) unsafe fn write_found(self, found: Result<T>) -> Result<()> {
        // SAFETY: the pointer is writable (# Safety).
        found.map(|value| unsafe { self.write(value) })
    }

    /// Writes the first entries of an array.
    ///
    /// # Safety
    /// The pointer is writable for `values.len()` entries, and `values` does not lie in them.
    pub(super) unsafe fn write_all(self, values: &[T]) {
        if values.is_empty() {
            return;
        }
        // SAFETY: so many entries are writable, apart from `values` (# Safety).
        unsafe { core::ptr::copy_nonoverlapping(values.as_ptr(), self.0, values.len()) };
    }
}

/// The call's own memory for a caller's list with one entry per dimension.
pub(super) struct Entries(pub(super) [MaybeUninit<i64>; MAX_RANK]);

impl Entries {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self([MaybeUninit::uninit(); MAX_RANK])
    }

    /// Reads `count` entries, at most 64, each once.
    ///
    /// # Safety
    /// `from` is readable for `count` entries.
    pub(super) unsafe fn read(&mut self, from: *const i64, count: usize) -> &[i64] {
        // SAFETY: `count` entries are readable (# Safety); no more are read.
        unsafe { once::words(from, self.0.get_mut(..count).unwrap_or(&mut [])) }
    }
}

/// The caller's array of `count` entries; (null, 0) is an empty one.
///
/// # Safety
/// `pointer` is null, or readable for `count` entries while the result lives.
pub(super) unsafe fn array<'a, T>(pointer: *const T, count: usize, argument: Argument) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    check_given(pointer, argument)?;
    // SAFETY: not null (`check_given`); readable for `count` entries (# Safety).
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// The caller's list of `rank` entries; INVALID_RANK above 64.
///
/// # Safety
/// `list` is null, or readable for `rank` entries while the result lives.
pub(super) unsafe fn ranked<'a, T>(list: *const T, rank: u32, argument: Argument) -> Result<&'a [T]> {
    // SAFETY: `list` is null or has `rank` entries (# Safety).
    unsafe { array(list, checked_rank(rank, Argument::Rank)?, argument) }
}

/// The caller's list of `count` entries; INVALID_RANK above 64.
///
/// # Safety
/// `list` is null, or readable for `count` entries while the result lives.
pub(super) unsafe fn counted<'a, T>(list: *const T, count: u32, argument: Argument) -> Result<&'a [T]> {
    // SAFETY: `list` is null or has `count` entries (# Safety).
    unsafe { array(list, checked_rank(count, Argument::Count)?, argument) }
}

/// [`array`] where null means that the caller leaves it out.
///
/// # Safety
/// `pointer` is null, or readable for `count` entries while the result lives.
pub(super) unsafe fn optional_array<'a, T>(pointer: *const T, count: usize) -> Option<&'a [T]> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: readable for `count` entries, since it is not null (# Safety).
    unsafe { array(pointer, count, Argument::None) }.ok()
}

/// Writes `values` to a caller's list of `count` entries. INVALID_RANK for another number of values, of which none is
/// written.
///
/// # Safety
/// `pointer` is null, or writable for `count` entries.
pub(super) unsafe fn write_entries(
    pointer: *mut i64,
    count: u32,
    values: &[i64],
    counter: Argument,
    argument: Argument,
) -> Result<()> {
    check_entries(pointer, count, values.len(), counter, argument)?;
    // SAFETY: `check_entries`: `values` is empty or has `count` entries, which are writable (# Safety); it lies in the
    // library's own memory.
    unsafe { Output(pointer).write_all(values) };
    Ok(())
}

/// The checks of [`write_entries`], before there are values.
pub(super) fn check_entries(
    pointer: *mut i64,
    count: u32,
    needed: usize,
    counter: Argument,
    argument: Argument,
) -> Result<()> {
    check_count(count as usize, needed, counter)?;
    check_list(pointer, needed as u64, argument)
}

/// Writes the entries that `find` finds, one for each of `needed` dimensions, to a caller's list of `rank` entries.
///
/// # Safety
/// `pointer` is null, or writable for `rank` entries.
pub(super) unsafe fn write_found_entries(
    pointer: *mut i64,
    rank: u32,
    needed: usize,
    argument: Argument,
    find: impl FnOnce(&mut [i64; MAX_RANK]) -> Result<()>,
) -> Result<()> {
    check_count(rank as usize, needed, Argument::Rank)?;
    let mut found = [0i64; MAX_RANK];
    find(&mut found)?;
    // SAFETY: `pointer` is null or has `rank` entries (# Safety).
    unsafe { write_entries(pointer, rank, &found[..needed.min(MAX_RANK)], Argument::Rank, argument) }
}

/// A rank from outside as a length; INVALID_RANK above 64.
pub(super) fn checked_rank(rank: u32, argument: Argument) -> Result<usize> {
    let rank = rank as usize; // 32 bits at least
    check_rank(rank, MAX_RANK, argument).map(|()| rank)
}

/// The bytes of a text from outside; INVALID_ARGUMENT for a length that no text has.
///
/// # Safety
/// `text` is null, or readable for `length` bytes while the result lives.
pub(super) unsafe fn text_in<'a>(text: *const c_char, length: u64) -> Result<&'a [u8]> {
    let limit = isize::MAX as u64;
    let error = Status::InvalidArgument.of(Argument::Length);
    error.unless(length <= limit, Detail::Above, length as i128, limit as i128)?;
    // SAFETY: `text` is null or has `length` bytes (# Safety).
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
                // SAFETY: below the capacity, for which `buffer` is writable (`write_text`). The terminator may replace
                // the last byte.
                unsafe { self.buffer.wrapping_add(self.length as usize).write(byte) };
            }
            self.length += 1;
        }
        Ok(())
    }
}

/// Writes the text of `value`, and its length unless `length` is null.
///
/// # Safety
/// `buffer` is null or writable for `capacity` bytes; `length` is null or writable.
pub(super) unsafe fn write_text(
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    value: &dyn fmt::Display,
) -> Result<()> {
    check_list(buffer, capacity, Argument::Buffer)?;
    let mut out = TextOut { buffer: buffer.cast(), capacity, length: 0 };
    let _ = write!(out, "{value}"); // TextOut never fails
    // SAFETY: the terminator stands below the capacity, for which `buffer` is writable; so is `length` unless null.
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
