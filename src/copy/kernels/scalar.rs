//! Kernels without instructions of their own, written once over the element type `[u8; N]`, whose copies the compiler
//! turns into one load and one store of any alignment.

use super::{Block, tile};

/// One block move per element: folded runs, rows of images, elements above 16 bytes.
///
/// # Safety
/// As [`Kernel::run`](super::Kernel::run).
pub(super) unsafe fn rows(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { width, a, b } = *block;
    for j in 0..b.count {
        for i in 0..a.count {
            let to = dst.wrapping_offset((j * b.dst + i * a.dst) as isize);
            let from = src.wrapping_offset((j * b.src + i * a.src) as isize);
            // SAFETY: an element that the loops reach on each side (caller); both apart, or the copy is not made.
            unsafe { core::ptr::copy_nonoverlapping(from, to, width as usize) };
        }
    }
}

/// Element by element; the faster loop inside.
///
/// # Safety
/// As [`Kernel::run`](super::Kernel::run).
pub(super) unsafe fn strided<T: Copy>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, .. } = *block;
    for j in 0..b.count {
        let (mut to, mut from) = (dst.wrapping_offset((j * b.dst) as isize), src.wrapping_offset((j * b.src) as isize));
        for _ in 0..a.count {
            // SAFETY: an element that the loops reach on each side (caller); reads and writes need no alignment.
            unsafe { to.cast::<T>().write_unaligned(from.cast::<T>().read_unaligned()) };
            (to, from) = (to.wrapping_offset(a.dst as isize), from.wrapping_offset(a.src as isize));
        }
    }
}

/// Square tiles; inside, the loop that is fast in the destination, so that lines are written from end to end while the
/// lines of the source stay in the first cache.
///
/// # Safety
/// As [`Kernel::run`](super::Kernel::run).
pub(super) unsafe fn transpose<T: Copy>(dst: *mut u8, src: *const u8, block: &Block) {
    // SAFETY: the tiles cover each turn of the two loops once; the caller vouches for all of them.
    unsafe { tiles(dst, src, block, |dst, src, part| strided::<T>(dst, src, part)) }
}

/// [`transpose`] for widths that have no type of their own.
///
/// # Safety
/// As [`Kernel::run`](super::Kernel::run).
pub(super) unsafe fn transpose_any(dst: *mut u8, src: *const u8, block: &Block) {
    // SAFETY: as in `transpose`.
    unsafe { tiles(dst, src, block, |dst, src, part| rows(dst, src, part)) }
}

/// Calls `run` for each tile.
///
/// # Safety
/// As [`Kernel::run`](super::Kernel::run), for `run` on every part of `block`.
#[inline(always)]
unsafe fn tiles(dst: *mut u8, src: *const u8, block: &Block, run: impl Fn(*mut u8, *const u8, &Block)) {
    let Block { width, a, b } = *block;
    let side = tile(width);
    let mut j = 0;
    while j < b.count {
        let mut i = 0;
        while i < a.count {
            let mut part = *block;
            part.a.count = side.min(a.count - i);
            part.b.count = side.min(b.count - j);
            let to = dst.wrapping_offset((j * b.dst + i * a.dst) as isize);
            let from = src.wrapping_offset((j * b.src + i * a.src) as isize);
            run(to, from, &part);
            i += side;
        }
        j += side;
    }
}

/// The first element of each turn of `b`, repeated `a.count` times without gaps.
///
/// # Safety
/// As [`Kernel::run`](super::Kernel::run).
pub(super) unsafe fn fill<T: Copy>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, .. } = *block;
    for j in 0..b.count {
        let to = dst.wrapping_offset((j * b.dst) as isize).cast::<T>();
        // SAFETY: an element that the loops reach in the source (caller).
        let value = unsafe { src.wrapping_offset((j * b.src) as isize).cast::<T>().read_unaligned() };
        for i in 0..a.count as usize {
            // SAFETY: `a.dst` is the width, so these are the elements that the loops reach (caller).
            unsafe { to.wrapping_add(i).write_unaligned(value) };
        }
    }
}

/// Writes `bytes` bytes of FILL_REST: the byte that stands `p` bytes behind `dst` gets `fill[((phase + p) mod period) mod
/// 16]`.
///
/// # Safety
/// The bytes may be written; `period` is at least 1 and `phase` below it.
pub(in super::super) unsafe fn fill_rest(dst: *mut u8, bytes: usize, fill: &[u8; 16], period: usize, phase: usize) {
    // Where the period divides 16, sixteen bytes of the answer are the same everywhere.
    let repeats = period <= 16 && 16 % period == 0;
    let mut phase = phase;
    let mut next = || {
        let byte = fill.get(phase & 15).copied().unwrap_or(0);
        phase = if phase + 1 == period { 0 } else { phase + 1 };
        byte
    };
    let block: [u8; 16] = core::array::from_fn(|_| if repeats { next() } else { 0 });
    let first = block.first().copied().unwrap_or(0);
    if repeats && block.iter().all(|&byte| byte == first) {
        // SAFETY: the caller's bytes.
        unsafe { core::ptr::write_bytes(dst, first, bytes) };
        return;
    }
    let mut at = 0;
    while repeats && at + 16 <= bytes {
        // SAFETY: sixteen of the caller's bytes; no alignment is needed.
        unsafe { dst.wrapping_add(at).cast::<[u8; 16]>().write_unaligned(block) };
        at += 16;
    }
    while at < bytes {
        // SAFETY: one of the caller's bytes.
        unsafe { dst.wrapping_add(at).write(next()) };
        at += 1;
    }
}
