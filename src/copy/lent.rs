//! Numbers in a caller's memory, which another thread may change.

/// Reads a number: the compiler reads it here, once, and nowhere else.
#[inline(always)]
pub(crate) fn once(number: &i64) -> i64 {
    // SAFETY: a reference may be read.
    unsafe { core::ptr::from_ref(number).read_volatile() }
}
