//! One element repeated. Written once over [`Register`].

use super::hints;
use super::lines::{lines, part_of_line};
use super::register::{Register, Width, number};
use super::rows::begin;
use super::{Inner, LINE, table};
use core::mem::MaybeUninit;

/// Minimum bytes of a run that a string instruction of the CPU fills fastest, if all runs together leave L2. Such an
/// instruction does not read the lines that it overwrites.
const LEAST_STRING: usize = 16 << 10;
/// Bytes of the longest string whose lines stay in the caches.
const LONGEST_CACHED_STRING: usize = 256 << 10;

/// One element of 1, 2, 4, 8 or 16 bytes repeated over runs.
///
/// # Safety
/// K1–K3 of [`Run`](super::Run), K1 for R.
#[inline(always)]
pub(super) unsafe fn fill<R: Register>(dst: *mut u8, src: *const u8, inner: &Inner) {
    let Inner { a, b, .. } = *inner;
    let width = Width::of(inner.width);
    let bytes = width.of_elements(a.count as usize);
    if cfg!(all(target_arch = "x86_64", not(miri)))
        && width.bytes() <= 8
        && bytes >= LEAST_STRING
        && inner.hints & hints::STRING != 0
    {
        let at_once = if inner.hints & hints::FAR != 0 { bytes } else { LONGEST_CACHED_STRING };
        for j in 0..b.count {
            let (to, from) = begin(dst, src, b, j);
            // SAFETY: K1; K3: an element of the source, of which a register holds eight bytes at least; a run of the
            // destination (K2), longer than a line (`LEAST_STRING`).
            unsafe {
                let piece = R::repeat(from, width);
                fill_string(to, bytes, number::<8>((&raw const piece).cast()), at_once);
            }
        }
        return;
    }
    for j in 0..b.count {
        let (to, from) = begin(dst, src, b, j);
        // SAFETY: K1; K2: the elements are a run; K3: an element of the source, and pieces of that run.
        unsafe {
            let piece = R::repeat(from, width);
            let head = to.addr().wrapping_neg() & (R::BYTES - 1);
            let mut at = 0;
            if bytes > R::BYTES && head != 0 && head & (width.bytes() - 1) == 0 {
                piece.store(to);
                at = head;
            }
            while at + LINE <= bytes {
                for part in (0..LINE).step_by(R::BYTES) {
                    piece.store(to.wrapping_add(at + part));
                }
                at += LINE;
            }
            while at + R::BYTES <= bytes {
                piece.store(to.wrapping_add(at));
                at += R::BYTES;
            }
            if at == bytes {
            } else if R::MASKS || bytes < R::BYTES {
                piece.store_first(to.wrapping_add(at), bytes - at);
            } else {
                piece.store(to.wrapping_add(bytes - R::BYTES));
            }
        }
    }
}

/// Fills a long run with eight bytes repeated, by string instructions of at most `at_once` bytes each.
///
/// # Safety
/// K3 of [`Run`](super::Run), for the run, which is longer than a line.
#[inline(never)]
unsafe fn fill_string(to: *mut u8, bytes: usize, eight: u64, at_once: usize) {
    // The eight bytes from an offset on.
    let word = |at: usize| eight.rotate_right(at as u32 % 8 * 8);
    // SAFETY: K3: pieces of the run, which is longer than a line. The direction flag is clear, as everywhere.
    unsafe {
        // The string begins at a line; before it and after it there are words.
        for at in (0..LINE).step_by(8) {
            to.wrapping_add(at).cast::<u64>().write_unaligned(eight);
        }
        to.wrapping_add(bytes - 8).cast::<u64>().write_unaligned(word(bytes - 8));
        let mut at = to.addr().wrapping_neg() & (LINE - 1);
        while at + 8 <= bytes {
            let count = (bytes - at).min(at_once) / 8;
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            core::arch::asm!("rep stosq", inout("rcx") count => _, inout("rdi") to.wrapping_add(at) => _,
                in("rax") word(at), options(nostack, preserves_flags));
            at += count * 8;
        }
    }
}

/// `[w][p]`: the byte of an element of w bytes that byte p of a run of them equals.
static REPEATED: [[u8; LINE]; LINE + 1] =
    table!([[0; LINE]; LINE + 1], |width| table!([0; LINE], |p| if width == 0 { 0 } else { (p % width) as u8 }));

/// One element of at most a line repeated over runs. Each step stores a line; the next step overwrites the incomplete
/// element at its end.
///
/// # Safety
/// K1–K3 of [`Run`](super::Run), K1 for R.
#[inline(always)]
pub(super) unsafe fn repeat<R: Register>(dst: *mut u8, src: *const u8, inner: &Inner) {
    let Inner { a, b, c, .. } = *inner;
    let width = (inner.width as usize).clamp(1, LINE);
    let (step, bytes) = (LINE / width * width, a.count as usize * width);
    let index = REPEATED.get(width).unwrap_or(&REPEATED[0]).as_ptr();
    for k in 0..c.count {
        let (dst, src) = begin(dst, src, c, k);
        for j in 0..b.count {
            let (to, from) = begin(dst, src, b, j);
            // SAFETY: K1; K2: elements of at most a line are a run; K3: the element of the source, and pieces of that
            // run.
            unsafe {
                if R::MASKS {
                    let line = R::pick(&[R::load_first(from, width)], index);
                    let mut at = 0;
                    while at + LINE <= bytes {
                        line.store(to.wrapping_add(at));
                        at += step;
                    }
                    line.store_first(to.wrapping_add(at), bytes - at);
                } else {
                    repeat_from_buffer::<R>(to, from, width, bytes);
                }
            }
        }
    }
}

/// [`repeat`] for one run without masks: the elements are assembled in memory.
///
/// # Safety
/// As [`repeat`]; the width is at most a line's bytes.
#[inline(always)]
unsafe fn repeat_from_buffer<R: Register>(to: *mut u8, from: *const u8, width: usize, bytes: usize) {
    let mut made = MaybeUninit::<[u8; 3 * LINE]>::uninit();
    let made = made.as_mut_ptr().cast::<u8>();
    let step = LINE / width * width;
    // SAFETY: K1; K3: the element, and pieces of the run. The buffer has three lines: `wanted` is at most two, and an
    // element at most one.
    unsafe {
        let wanted = if bytes < LINE { bytes } else { LINE + width };
        let mut at = 0;
        while at < wanted {
            part_of_line::<R>(made.wrapping_add(at), from, width);
            at += width;
        }
        let mut at = 0;
        while at + LINE <= bytes {
            lines::<R, false>(to.wrapping_add(at), made, 1);
            at += step;
        }
        if bytes < LINE {
            part_of_line::<R>(to, made, bytes);
        } else if at < bytes {
            // The last line begins inside an element.
            lines::<R, false>(to.wrapping_add(bytes - LINE), made.wrapping_add((bytes - LINE) % width), 1);
        }
    }
}
