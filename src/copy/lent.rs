//! Numbers in a caller's memory.

/// Reads a number that another thread may change: the compiler reads it here, once, and nowhere else.
#[inline(always)]
pub(crate) fn once(number: &i64) -> i64 {
    // SAFETY: a reference may be read.
    unsafe { core::ptr::from_ref(number).read_volatile() }
}
