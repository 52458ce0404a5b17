//! Portable kernels, written once over the element type `Bytes<N>`, whose copies compile to one load and one store of
//! any alignment. The bytes need not be initialised: elements may be structs with padding.

use super::super::conversion::Steps;
use super::super::loops::Loop;
use super::number_runs::{NumberRuns, Numbers, Pass};
use super::{Inner, RowPiece, Rows};
use core::mem::MaybeUninit;

/// An element of N bytes.
pub(super) type Bytes<const N: usize> = MaybeUninit<[u8; N]>;

/// One memmove for each element: folded runs, rows of images, elements above 16 bytes.
///
/// # Safety
/// K2 and K3 of [`Run`](super::Run).
pub(super) unsafe fn rows(dst: *mut u8, src: *const u8, inner: &Inner) {
    each(inner, dst, src, |to, from| {
        // SAFETY: K3: an element that the loops reach on each side. Not `copy_nonoverlapping`: K6.
        unsafe { core::ptr::copy(from, to, inner.width as usize) };
    });
}

/// Element by element; the faster loop inside.
///
/// # Safety
/// K2 and K3 of [`Run`](super::Run).
pub(super) unsafe fn strided<const W: usize>(dst: *mut u8, src: *const u8, inner: &Inner) {
    each(inner, dst, src, |to, from| {
        // SAFETY: K3: an element, of W bytes (K2), that the loops reach on each side.
        unsafe { to.cast::<Bytes<W>>().write_unaligned(from.cast::<Bytes<W>>().read_unaligned()) };
    });
}

/// [`strided`] for elements of 1, 2, 4 or 8 bytes, for vector kernels that get too few of them.
///
/// # Safety
/// K2 and K3 of [`Run`](super::Run).
#[inline(never)]
pub(super) unsafe fn strided_any(dst: *mut u8, src: *const u8, inner: &Inner) {
    // SAFETY: K2: the width is one of these; K3 for the same loops.
    unsafe {
        match inner.width {
            1 => strided::<1>(dst, src, inner),
            2 => strided::<2>(dst, src, inner),
            4 => strided::<4>(dst, src, inner),
            _ => strided::<8>(dst, src, inner),
        }
    }
}

/// Calls `run` with the addresses of each element that the loops reach.
#[inline(always)]
fn each(inner: &Inner, dst: *mut u8, src: *const u8, run: impl Fn(*mut u8, *const u8)) {
    let Inner { a, b, c, .. } = *inner;
    for k in 0..c.count {
        for j in 0..b.count {
            let mut to = dst.wrapping_offset((k * c.dst + j * b.dst) as isize);
            let mut from = src.wrapping_offset((k * c.src + j * b.src) as isize);
            for _ in 0..a.count {
                run(to, from);
                (to, from) = (to.wrapping_offset(a.dst as isize), from.wrapping_offset(a.src as isize));
            }
        }
    }
}

/// A transpose in square tiles. Each goes along the destination's rows, so that lines are written from end to end while
/// the lines of the source stay in L1.
///
/// # Safety
/// K2 and K3 of [`Run`](super::Run).
pub(super) unsafe fn transpose<const W: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    // SAFETY: K3: an element of the matrix, of W bytes (K2), on each side.
    tiles(W, rows, |to, from| unsafe {
        let value = src.wrapping_offset(from).cast::<Bytes<W>>().read_unaligned();
        dst.wrapping_offset(to).cast::<Bytes<W>>().write_unaligned(value);
    });
}

/// [`transpose`] for widths without a type of their own.
///
/// # Safety
/// K2 and K3 of [`Run`](super::Run).
pub(super) unsafe fn transpose_any(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let width = rows.width as usize;
    // SAFETY: K3: an element of the matrix on each side; each width is as `ends` wants it.
    unsafe {
        match width {
            5..=8 => tiles(width, rows, |to, from| {
                ends::<Bytes<4>, Bytes<4>>(dst.wrapping_offset(to), src.wrapping_offset(from), width);
            }),
            9..=16 => tiles(width, rows, |to, from| {
                ends::<Bytes<8>, Bytes<8>>(dst.wrapping_offset(to), src.wrapping_offset(from), width);
            }),
            _ => tiles(width, rows, |to, from| {
                core::ptr::copy(src.wrapping_offset(from), dst.wrapping_offset(to), width); // K6
            }),
        }
    }
}

/// The first bytes of a row as T and the last ones as U, which may overlap. Both are read before one is written.
///
/// # Safety
/// K3 of [`Run`](super::Run), for the row, which is as long as the longer of both and not longer than both together.
#[inline(always)]
pub(super) unsafe fn ends<T: Copy, U: Copy>(to: *mut u8, from: *const u8, bytes: usize) {
    let last = bytes - size_of::<U>();
    // SAFETY: K3: the first and the last bytes of the row, which has the bytes of T and of U at least.
    unsafe {
        let low = from.cast::<T>().read_unaligned();
        let high = from.wrapping_add(last).cast::<U>().read_unaligned();
        to.cast::<T>().write_unaligned(low);
        to.wrapping_add(last).cast::<U>().write_unaligned(high);
    }
}

/// [`transpose`] for matrices that are too small for a vector kernel.
///
/// # Safety
/// K2 and K3 of [`Run`](super::Run).
pub(super) unsafe fn transpose_small(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    // SAFETY: K2, K3 for the same rows, by the function of their width.
    unsafe {
        match rows.width {
            1 => transpose::<1>(dst, src, rows),
            2 => transpose::<2>(dst, src, rows),
            4 => transpose::<4>(dst, src, rows),
            8 => transpose::<8>(dst, src, rows),
            _ => transpose_any(dst, src, rows),
        }
    }
}

/// Calls `run` with the byte offsets of every element of the matrix, tile by tile.
#[inline(always)]
fn tiles(width: usize, rows: &Rows<'_>, run: impl Fn(isize, isize)) {
    if let &[row] = rows.src {
        // A single row needs no loop inside.
        return rows.dst.iter().enumerate().for_each(|(j, &to)| run(to as isize, row as isize + (j * width) as isize));
    }
    let side = (64 / width.max(1)).max(8);
    for (strip, dst_rows) in rows.dst.chunks(side).enumerate() {
        // With few columns, the tile has more rows.
        let side_rows = (side * side / dst_rows.len().max(1)).max(1);
        for (row, src_rows) in rows.src.chunks(side_rows).enumerate() {
            for (j, &to) in dst_rows.iter().enumerate() {
                let column = ((strip * side + j) * width) as i64;
                let mut to = (to + (row * side_rows * width) as i64) as isize;
                let mut each = |rows: &[i64]| {
                    for &from in rows {
                        run(to, (from + column) as isize);
                        to += width as isize;
                    }
                };
                // Four at a time: the C library is built without unrolling by the compiler.
                let (fours, left) = src_rows.as_chunks::<4>();
                fours.iter().for_each(|four| each(four));
                each(left);
            }
        }
    }
}

/// The first element of each iteration of `b`, repeated `a.count` times without gaps.
///
/// # Safety
/// K2 and K3 of [`Run`](super::Run).
pub(super) unsafe fn fill<const W: usize>(dst: *mut u8, src: *const u8, inner: &Inner) {
    let Inner { a, b, .. } = *inner;
    for j in 0..b.count {
        let to = dst.wrapping_offset((j * b.dst) as isize).cast::<Bytes<W>>();
        // SAFETY: K3: an element, of W bytes (K2), that the loops reach in the source.
        let value = unsafe { src.wrapping_offset((j * b.src) as isize).cast::<Bytes<W>>().read_unaligned() };
        for i in 0..a.count as usize {
            // SAFETY: K2: `a.dst` is the width; so K3: the loops reach these elements.
            unsafe { to.wrapping_add(i).write_unaligned(value) };
        }
    }
}

/// Converts a run by portable code.
///
/// # Safety
/// As [`Convert`](super::number_runs::Convert).
pub(super) unsafe fn convert(to: *mut u8, from: *const u8, count: usize, how: &NumberRuns<'_>, pass: &mut Pass) {
    // SAFETY: K3 and K7 for the same runs.
    unsafe { super::number_runs::convert(to, from, count, how, pass, convert_direct) }
}

/// The pairs that have a loop of their own: none.
///
/// # Safety
/// Nothing is relied on.
unsafe fn convert_direct(_: *mut u8, _: *const u8, _: usize, _: &Loop, _: &Steps, _: &Numbers<'_>) -> bool {
    false
}

/// Writes a piece as it is: nothing waits.
///
/// # Safety
/// K3, for the piece.
pub(super) unsafe fn write(to: *mut u8, made: *const u8, piece: &RowPiece) {
    // SAFETY: K3 for the piece.
    unsafe { core::ptr::copy(made, to, piece.bytes) };
}

/// Whether a value of this period is one byte repeated.
pub(in super::super) fn is_one_byte(fill: &[u8; 16], period: usize) -> bool {
    fill.iter().take(period).all(|byte| *byte == fill[0])
}

/// Writes `bytes` bytes of FILL_BUFFER: the byte `p` bytes after `dst` gets `fill[((phase + p) mod period) mod 16]`.
///
/// # Safety
/// The bytes may be written; `period` is at least 1 and `phase` below it.
pub(in super::super) unsafe fn fill_rest(dst: *mut u8, bytes: usize, fill: &[u8; 16], period: usize, phase: usize) {
    if is_one_byte(fill, period) {
        // SAFETY: `bytes` bytes from `dst` may be written.
        return unsafe { core::ptr::write_bytes(dst, fill[0], bytes) };
    }
    // If the period divides 16, every sixteen bytes are the same.
    let repeats = period <= 16 && 16 % period == 0;
    let mut phase = phase;
    let mut next = || {
        let byte = fill.get(phase & 15).copied().unwrap_or(0);
        phase = if phase + 1 == period { 0 } else { phase + 1 };
        byte
    };
    let pattern: [u8; 16] = core::array::from_fn(|_| if repeats { next() } else { 0 });
    let mut at = 0;
    while repeats && at + 16 <= bytes {
        // SAFETY: sixteen of the bytes that may be written; no alignment is needed.
        unsafe { dst.wrapping_add(at).cast::<[u8; 16]>().write_unaligned(pattern) };
        at += 16;
    }
    while at < bytes {
        // SAFETY: one of the bytes that may be written.
        unsafe { dst.wrapping_add(at).write(next()) };
        at += 1;
    }
}
