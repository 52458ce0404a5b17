//! Rows of bytes. Written once over [`Register`].

use super::prefetch::{prefetch, stretches};
use super::register::Register;
use super::scalar::{self, Bytes, ends};
use super::{Inner, LINE, LONGEST_PREFETCHED_ROW, Loop, hints};

/// Bytes of the longest row that is moved four registers at a time. Longer ones are moved two lines at a time, which
/// the hardware prefetcher follows best, or by [libc](hints::STRING).
const ROW_IN_PAIRS: usize = 2048;

/// Rows of any length. The move is chosen once for all of them.
///
/// # Safety
/// K1–K3 of [`Run`](super::Run), K1 for R.
#[inline(always)]
pub(super) unsafe fn rows<R: Register>(dst: *mut u8, src: *const u8, inner: &Inner) {
    let width = inner.width as usize;
    // SAFETY: K1; K3: rows on both sides. In each arm the row is as long as the move wants it.
    unsafe {
        match width {
            // libc has registers wider than 16 bytes if the CPU has them.
            _ if width > ROW_IN_PAIRS && (R::BYTES == 16 || inner.hints & hints::STRING != 0) => {
                scalar::rows(dst, src, inner)
            }
            _ if width > ROW_IN_PAIRS => each_row::<Pairs<R>, true, 1>(dst, src, inner),
            _ if R::MASKS && width >= 2 * R::BYTES && inner.hints & hints::FAR != 0 => {
                each_row::<Far<R>, true, 1>(dst, src, inner)
            }
            _ if width >= 2 * R::BYTES => each_row::<Long<R>, true, 1>(dst, src, inner),
            _ if width == R::BYTES => each_row::<Whole<R>, false, 4>(dst, src, inner),
            _ if width > R::BYTES => each_row::<Ends<R, R>, true, 2>(dst, src, inner),
            _ if width == size_of::<R::Half>() => each_row::<Whole<R::Half>, false, 4>(dst, src, inner),
            // A wide and a narrow store straddle lines less often than two wide ones.
            17..=24 if R::BYTES > 16 => each_row::<Ends<R::Sixteen, Bytes<8>>, false, 2>(dst, src, inner),
            33..=40 if R::BYTES > 32 => each_row::<Ends<R::Half, Bytes<8>>, false, 2>(dst, src, inner),
            33..=48 if R::BYTES > 32 => each_row::<Ends<R::Half, R::Sixteen>, false, 2>(dst, src, inner),
            _ if width > size_of::<R::Half>() => each_row::<Ends<R::Half, R::Half>, false, 2>(dst, src, inner),
            16.. => each_row::<Ends<R::Sixteen, R::Sixteen>, false, 2>(dst, src, inner),
            8.. => each_row::<Ends<Bytes<8>, Bytes<8>>, false, 2>(dst, src, inner),
            4.. => each_row::<Ends<Bytes<4>, Bytes<4>>, false, 2>(dst, src, inner),
            2.. => each_row::<Ends<Bytes<2>, Bytes<2>>, false, 2>(dst, src, inner),
            1 => each_row::<Whole<Bytes<1>>, false, 4>(dst, src, inner),
            0 => {}
        }
    }
}

/// The move of a row. (Not a closure: that is inlined, and so keeps its instruction set, only if it is called in one
/// place.)
pub(super) trait Move {
    /// Moves one row of this many bytes.
    ///
    /// # Safety
    /// K1 and K3 of [`Run`](super::Run), for the row; it is as long as this move wants it.
    unsafe fn run(to: *mut u8, from: *const u8, bytes: usize);
}

/// The moves by name: the types are registers or elements.
macro_rules! moves {
    ($(
        $(#[$doc:meta])* $name:ident<$($t:ident: $bound:ident),+>: |$to:ident, $from:ident, $bytes:ident| $run:expr;
    )*) => { $(
        $(#[$doc])*
        pub(super) struct $name<$($t),+>($($t),+);

        impl<$($t: $bound),+> Move for $name<$($t),+> {
            #[inline(always)]
            unsafe fn run($to: *mut u8, $from: *const u8, $bytes: usize) {
                // SAFETY: K1; K3 for the row, which is as long as this move wants it.
                unsafe { $run }
            }
        }
    )* };
}

moves! {
    /// An element, or a register's worth of bytes.
    Whole<T: Copy>: |to, from, _bytes| core::ptr::copy(from, to, size_of::<T>());
    Ends<T: Copy, U: Copy>: |to, from, bytes| ends::<T, U>(to, from, bytes);
    Long<R: Register>: |to, from, bytes| long_row::<R>(to, from, bytes, 4 * R::BYTES, R::MASKS);
    /// A long row without masks: masked stores wait for lines that are not in the cache.
    Far<R: Register>: |to, from, bytes| long_row::<R>(to, from, bytes, 4 * R::BYTES, false);
    Pairs<R: Register>: |to, from, bytes| long_row::<R>(to, from, bytes, 2 * LINE, R::MASKS);
}

/// Moves the row of each iteration of the loops, `ITERATIONS` at a time, since the C library is built without unrolling
/// by the compiler. `WIDE`: rows may have several lines.
///
/// # Safety
/// K1 and K3 of [`Run`](super::Run), for rows whose length M takes.
#[inline(always)]
pub(super) unsafe fn each_row<M: Move, const WIDE: bool, const ITERATIONS: i64>(
    dst: *mut u8,
    src: *const u8,
    inner: &Inner,
) {
    let Inner { width, a, b, c, .. } = *inner;
    let bytes = width as usize;
    if width <= LONGEST_PREFETCHED_ROW && inner.hints & hints::FAR != 0 {
        let [(end, here), (_, beyond)] = stretches(a.count, a.src, b.src);
        let far = inner.hints & hints::SECOND != 0;
        for k in 0..c.count {
            let (dst, src) = begin(dst, src, c, k);
            for j in 0..b.count {
                let (mut to, mut from) = begin(dst, src, b, j);
                for i in 0..a.count {
                    let ahead = if i < end { here } else { beyond };
                    prefetch(from.wrapping_offset(ahead), if WIDE { bytes } else { 1 }, far);
                    // SAFETY: K1; K3: the row of an iteration, whose length M takes.
                    unsafe { M::run(to, from, bytes) };
                    (to, from) = step(to, from, a);
                }
            }
        }
        return;
    }
    // From the end of a loop's last iteration to the next one of the loop around it.
    let back = |outer: Loop, inner: Loop| Loop {
        count: 0,
        dst: outer.dst.wrapping_sub(inner.count.wrapping_mul(inner.dst)),
        src: outer.src.wrapping_sub(inner.count.wrapping_mul(inner.src)),
    };
    let (next_b, next_c) = (back(b, a), back(c, b));
    // Opaque, so that the compiler does not unroll as well: it runs out of registers, and many loops are short.
    let (one, iterations) = core::hint::black_box((1, ITERATIONS));
    let (mut to, mut from, mut left_c) = (dst, src, c.count);
    while left_c > 0 {
        let mut left_b = b.count;
        while left_b > 0 {
            let mut left = a.count;
            while ITERATIONS > 1 && left >= ITERATIONS {
                for _ in 0..ITERATIONS {
                    // SAFETY: K1; K3: the row of an iteration, whose length M takes.
                    unsafe { M::run(to, from, bytes) };
                    (to, from) = step(to, from, a);
                }
                left -= iterations;
            }
            while left > 0 {
                // SAFETY: K1; K3: the row of an iteration, whose length M takes.
                unsafe { M::run(to, from, bytes) };
                (to, from) = step(to, from, a);
                left -= one;
            }
            (to, from) = step(to, from, next_b);
            left_b -= one;
        }
        (to, from) = step(to, from, next_c);
        left_c -= one;
    }
}

/// The addresses one iteration later.
#[inline(always)]
pub(super) fn step(dst: *mut u8, src: *const u8, l: Loop) -> (*mut u8, *const u8) {
    (dst.wrapping_offset(l.dst as isize), src.wrapping_offset(l.src as isize))
}

/// The addresses at which iteration `k` of a loop begins.
#[inline(always)]
pub(super) fn begin(dst: *mut u8, src: *const u8, l: Loop, k: i64) -> (*mut u8, *const u8) {
    (dst.wrapping_offset((k * l.dst) as isize), src.wrapping_offset((k * l.src) as isize))
}

/// A row of two registers or more, `group` bytes at a time, a multiple of a register's. The end is moved under a mask,
/// or together with bytes before it.
///
/// # Safety
/// K1 and K3, for the row.
#[inline(always)]
pub(super) unsafe fn long_row<R: Register>(to: *mut u8, from: *const u8, bytes: usize, group: usize, masks: bool) {
    let (mut to, mut from, mut left) = (to, from, bytes);
    // SAFETY: K1; K3: pieces of the row, which has two registers or more.
    unsafe {
        while left >= group {
            for piece in (0..group).step_by(R::BYTES) {
                R::load(from.wrapping_add(piece)).store(to.wrapping_add(piece));
            }
            (to, from, left) = (to.wrapping_add(group), from.wrapping_add(group), left - group);
        }
        while left >= R::BYTES {
            R::load(from).store(to);
            (to, from, left) = (to.wrapping_add(R::BYTES), from.wrapping_add(R::BYTES), left - R::BYTES);
        }
        if left > 0 && masks {
            R::load_first(from, left).store_first(to, left);
        } else if left > 0 {
            let back = R::BYTES - left;
            R::load(from.wrapping_sub(back)).store(to.wrapping_sub(back));
        }
    }
}
