//! What every function of the boundary does with a caller's pointers: check them, read lists and texts, write outputs.
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

/// NULL_POINTER unless there is something.
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
    /// The pointer given to `new` may be written.
    pub(super) unsafe fn write(self, value: T) {
        // SAFETY: not null, and the caller's to write.
        unsafe { self.0.write(value) };
    }

    /// Writes what was found, if it was.
    ///
    /// # Safety
    /// The pointer may be written.
    pub(super) unsafe fn write_found(self, found: Result<T>) -> Result<()> {
        // SAFETY: as promised to this function.
        found.map(|value| unsafe { self.write(value) })
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

/// The call's own memory for a list of the caller's with an entry for each dimension.
pub(super) struct Entries(pub(super) [MaybeUninit<i64>; MAX_RANK]);

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
    check_given(pointer, argument)?;
    // SAFETY: not null, and the caller's to read.
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// The caller's list of `rank` entries; INVALID_RANK above 64.
///
/// # Safety
/// As [`array`].
pub(super) unsafe fn ranked<'a, T>(list: *const T, rank: u32, argument: Argument) -> Result<&'a [T]> {
    // SAFETY: as promised to this function.
    unsafe { array(list, checked_rank(rank, Argument::Rank)?, argument) }
}

/// The caller's list of `count` entries; INVALID_RANK above 64.
///
/// # Safety
/// As [`array`].
pub(super) unsafe fn counted<'a, T>(list: *const T, count: u32, argument: Argument) -> Result<&'a [T]> {
    // SAFETY: as promised to this function.
    unsafe { array(list, checked_rank(count, Argument::Count)?, argument) }
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
    check_list(pointer, needed as u64, argument)
}

/// Writes what `find` finds for each of so many dimensions, for which the caller has room for `rank` entries.
///
/// # Safety
/// As [`write_entries`].
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
    // SAFETY: as promised to this function.
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
/// `text` valid for `length` bytes while the result lives, or null.
pub(super) unsafe fn text_in<'a>(text: *const c_char, length: u64) -> Result<&'a [u8]> {
    let limit = isize::MAX as u64;
    let error = Status::InvalidArgument.of(Argument::Length);
    error.unless(length <= limit, Detail::Above, length as i128, limit as i128)?;
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
    check_list(buffer, capacity, Argument::Buffer)?;
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
