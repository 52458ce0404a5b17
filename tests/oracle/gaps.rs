//! What lies between the elements of a buffer is not touched, not even read: another thread may be writing it.
//!
//! No page ends in a gap of a few bytes, but AddressSanitizer watches single ones. So where it is there, such bytes are
//! closed while the library runs, and whatever touches them ends the process. It can close the last bytes of eight, not
//! the first ones; buffers begin anywhere, so that each gap is closed now and then. Elsewhere nothing is closed.

use std::ops::Range;

#[cfg(any(fuzzing, stride_asan))]
unsafe extern "C" {
    fn __asan_poison_memory_region(from: *const u8, bytes: usize);
    fn __asan_unpoison_memory_region(from: *const u8, bytes: usize);
}

/// Whether anything is closed: fuzzers have the sanitizer, and what is compiled with `--cfg stride_asan`.
pub const WATCHED: bool = cfg!(any(fuzzing, stride_asan));

/// Bytes of a buffer, which nobody may touch from now on, or may again.
fn switch(_from: *const u8, _bytes: usize, _closed: bool) {
    #[cfg(any(fuzzing, stride_asan))]
    // SAFETY: whoever has the buffer has it here.
    unsafe {
        match _closed {
            true => __asan_poison_memory_region(_from, _bytes),
            false => __asan_unpoison_memory_region(_from, _bytes),
        }
    }
}

/// A buffer whose gaps are closed, until it is dropped.
pub struct Closed(Range<*const u8>);

impl Closed {
    /// Closes the bytes of `buffer` that are in no element of `width` bytes. `each` marks where each begins, so many
    /// bytes after the begin of the buffer; it is asked only where something is closed.
    pub fn gaps(buffer: Range<*const u8>, width: usize, each: impl FnOnce(&mut dyn FnMut(usize))) -> Self {
        if WATCHED {
            let bytes = buffer.end.addr() - buffer.start.addr();
            let mut reached = vec![false; bytes];
            each(&mut |at| reached[at..at + width].fill(true));
            let mut end = bytes; // of the eight bytes
            while end > 0 {
                let begin = end.saturating_sub(((buffer.start.addr() + end - 1) & 7) + 1);
                let first =
                    reached[begin..end].iter().rposition(|&reached| reached).map_or(begin, |last| begin + last + 1);
                switch(buffer.start.wrapping_add(first), end - first, true);
                end = begin;
            }
        }
        Self(buffer)
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        switch(self.0.start, self.0.end.addr() - self.0.start.addr(), false);
    }
}
