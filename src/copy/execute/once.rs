//! Memory of the caller that describes a copy is read once.
//!
//! A layout, a shape or a plan may lie in the destination, or another thread may change it. So each word is read once,
//! into the call's own memory, before the first byte is written; the words that were proved are those that are used.
//! Reads are volatile, since the compiler may otherwise drop the copy and read the caller's memory again.

use super::super::loops::Loop;
use core::mem::MaybeUninit;

/// Reads as many words as there is room for.
///
/// # Safety
/// The words may be read, and are aligned.
#[inline(always)]
pub(crate) unsafe fn words<T: Word>(from: *const T, room: &mut [MaybeUninit<T>]) -> &[T] {
    for (k, slot) in room.iter_mut().enumerate() {
        // SAFETY: word k may be read (caller).
        slot.write(unsafe { from.add(k).read_volatile() });
    }
    // SAFETY: each slot was written; a slot has the layout of its value.
    unsafe { &*(core::ptr::from_ref(room) as *const [T]) }
}

/// A number that one instruction reads.
pub(crate) trait Word: Copy {}

impl Word for u32 {}
impl Word for i64 {}
impl Word for u64 {}

/// Reads an array of words.
///
/// # Safety
/// The words may be read, and are aligned.
#[inline(always)]
pub(crate) unsafe fn array<T: Word, const COUNT: usize>(from: *const T) -> [T; COUNT] {
    // SAFETY: word k may be read (caller).
    core::array::from_fn(|k| unsafe { from.add(k).read_volatile() })
}

/// Words as signed numbers.
pub(crate) fn as_numbers(words: &[u64]) -> &[i64] {
    // SAFETY: as many words of any value.
    unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
}

/// Words as loops, as many as are whole.
pub(crate) fn as_loops(words: &[u64]) -> &[Loop] {
    // SAFETY: a loop is three words of any value.
    unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), words.len() / 3) }
}
