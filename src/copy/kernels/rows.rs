//! Rows of bytes. Written once over [`Register`].

use super::ahead::{AHEAD, ask, stretches};
use super::register::{Register, short_row};
use super::scalar::{self, Bytes, ends};
use super::{ASCENDING, Block, LINE, Loop, ROW_TO_ASK_FOR, fetch, hints};

/// Rows above this many bytes are moved two lines at a time, which the hardware prefetcher follows best, or by
/// [libc](hints::LIBC). Shorter ones are moved four registers at a time, in fewer steps.
const ROW_IN_PAIRS: usize = 2048;

/// Rows of any length. The kind of row is decided once for all of them.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn rows<R: Register>(dst: *mut u8, src: *const u8, block: &Block) {
    let width = block.width as usize;
    // SAFETY: rows on both sides (caller); in each line the row is as long as the move wants it.
    unsafe {
        match width {
            _ if block.memory.streams() && block.width > ROW_TO_ASK_FOR => streamed_rows::<R>(dst, src, block),
            _ if block.memory.streams() && block.hints & hints::FAR != 0 => streamed_runs::<R, true>(dst, src, block),
            _ if block.memory.streams() => streamed_runs::<R, false>(dst, src, block),
            // libc has registers wider than 16 bytes if the CPU has them.
            _ if width > ROW_IN_PAIRS && (R::BYTES == 16 || block.hints & hints::LIBC != 0) => {
                scalar::rows(dst, src, block)
            }
            _ if width > ROW_IN_PAIRS => each_row::<Pairs<R>, true, 1>(dst, src, block),
            _ if R::MASKS && width >= 2 * R::BYTES && block.hints & hints::FAR != 0 => {
                each_row::<Far<R>, true, 1>(dst, src, block)
            }
            _ if width >= 2 * R::BYTES => each_row::<Long<R>, true, 1>(dst, src, block),
            _ if width == R::BYTES => each_row::<Whole<R>, false, 4>(dst, src, block),
            _ if width > R::BYTES => each_row::<Ends<R, R>, true, 2>(dst, src, block),
            _ if width == size_of::<R::Half>() => each_row::<Whole<R::Half>, false, 4>(dst, src, block),
            // A wide and a narrow store straddle lines less often than two wide ones.
            17..=24 if R::BYTES > 16 => each_row::<Ends<R::Sixteen, Bytes<8>>, false, 2>(dst, src, block),
            33..=40 if R::BYTES > 32 => each_row::<Ends<R::Half, Bytes<8>>, false, 2>(dst, src, block),
            33..=48 if R::BYTES > 32 => each_row::<Ends<R::Half, R::Sixteen>, false, 2>(dst, src, block),
            _ if width > size_of::<R::Half>() => each_row::<Ends<R::Half, R::Half>, false, 2>(dst, src, block),
            16.. => each_row::<Ends<R::Sixteen, R::Sixteen>, false, 2>(dst, src, block),
            8.. => each_row::<Ends<Bytes<8>, Bytes<8>>, false, 2>(dst, src, block),
            4.. => each_row::<Ends<Bytes<4>, Bytes<4>>, false, 2>(dst, src, block),
            2.. => each_row::<Ends<Bytes<2>, Bytes<2>>, false, 2>(dst, src, block),
            1 => each_row::<Whole<Bytes<1>>, false, 4>(dst, src, block),
            0 => {}
        }
    }
}

/// How a row is moved. Not a closure: that is inlined, and so keeps its instruction set, only if it is called in one
/// place.
pub(super) trait Move {
    /// Moves one row of this many bytes.
    ///
    /// # Safety
    /// The row may be read and written, and is as long as this move wants it; the CPU has the instruction set of T.
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
                // SAFETY: as promised to this function.
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
    /// Without masks: masked stores wait for lines that are not in the cache.
    Far<R: Register>: |to, from, bytes| long_row::<R>(to, from, bytes, 4 * R::BYTES, false);
    Pairs<R: Register>: |to, from, bytes| long_row::<R>(to, from, bytes, 2 * LINE, R::MASKS);
}

/// Moves the row of each iteration of the loops, `TURNS` at a time: the C library is built without unrolling by the
/// compiler. `WIDE`: rows may have several lines.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block), for the moves of rows.
#[inline(always)]
pub(super) unsafe fn each_row<M: Move, const WIDE: bool, const TURNS: i64>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
) {
    let Block { width, a, b, c, .. } = *block;
    let bytes = width as usize;
    if width <= ROW_TO_ASK_FOR && block.hints & hints::FAR != 0 {
        let [(end, here), (_, beyond)] = stretches(a.count, a.src, b.src);
        let far = block.hints & hints::SECOND != 0;
        for k in 0..c.count {
            let (dst, src) = begin(dst, src, c, k);
            for j in 0..b.count {
                let (mut to, mut from) = begin(dst, src, b, j);
                for i in 0..a.count {
                    let ahead = if i < end { here } else { beyond };
                    ask(from.wrapping_offset(ahead), if WIDE { bytes } else { 1 }, far);
                    // SAFETY: the row of an iteration.
                    unsafe { M::run(to, from, bytes) };
                    (to, from) = step(to, from, a);
                }
            }
        }
        return;
    }
    // From behind the last iteration of a loop to the next one of the loop around it.
    let back = |outer: Loop, inner: Loop| Loop {
        count: 0,
        dst: outer.dst.wrapping_sub(inner.count.wrapping_mul(inner.dst)),
        src: outer.src.wrapping_sub(inner.count.wrapping_mul(inner.src)),
    };
    let (next_b, next_c) = (back(b, a), back(c, b));
    // Opaque, so that the compiler does not unroll as well: it runs out of registers, and many loops are short.
    let (one, turns) = core::hint::black_box((1, TURNS));
    let (mut to, mut from, mut left_c) = (dst, src, c.count);
    while left_c > 0 {
        let mut left_b = b.count;
        while left_b > 0 {
            let mut left = a.count;
            while TURNS > 1 && left >= TURNS {
                for _ in 0..TURNS {
                    // SAFETY: the row of an iteration.
                    unsafe { M::run(to, from, bytes) };
                    (to, from) = step(to, from, a);
                }
                left -= turns;
            }
            while left > 0 {
                // SAFETY: the row of an iteration.
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

/// One iteration further.
#[inline(always)]
pub(super) fn step(dst: *mut u8, src: *const u8, l: Loop) -> (*mut u8, *const u8) {
    (dst.wrapping_offset(l.dst as isize), src.wrapping_offset(l.src as isize))
}

/// Where iteration `turn` of a loop begins.
#[inline(always)]
pub(super) fn begin(dst: *mut u8, src: *const u8, l: Loop, turn: i64) -> (*mut u8, *const u8) {
    (dst.wrapping_offset((turn * l.dst) as isize), src.wrapping_offset((turn * l.src) as isize))
}

/// A row of two registers or more, `group` bytes at a time, a multiple of a register's. The end is moved under a mask,
/// or together with bytes before it.
///
/// # Safety
/// The row may be read and written.
#[inline(always)]
unsafe fn long_row<R: Register>(to: *mut u8, from: *const u8, bytes: usize, group: usize, masks: bool) {
    let (mut to, mut from, mut left) = (to, from, bytes);
    // SAFETY: pieces of the row.
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

/// Long rows by non-temporal stores. Each line prefetches the one [`AHEAD`] bytes later, at most a row: the hardware
/// prefetcher stops at pages and at the ends of rows.
///
/// # Safety
/// As [`rows`].
#[inline(always)]
unsafe fn streamed_rows<R: Register>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { width, a, b, c, .. } = *block;
    let here = width.min(AHEAD);
    for k in 0..c.count {
        let (dst, src) = begin(dst, src, c, k);
        for j in 0..b.count {
            let (first, next) = (begin(dst, src, b, j), begin(dst, src, b, j + 1).1);
            for i in 0..a.count {
                let (to, from) = begin(first.0, first.1, a, i);
                let next = if i + 1 < a.count { from.wrapping_offset(a.src as isize) } else { next };
                let beyond = (next.addr().wrapping_sub(from.addr()) as i64).wrapping_sub(width - here);
                let ahead = [((width - here) as usize, here as isize), (width as usize, beyond as isize)];
                // SAFETY: the row of an iteration.
                unsafe { streamed_lines::<R>(to, from, width as usize, ahead) };
            }
        }
    }
}

/// Shorter rows by non-temporal stores. If rows are contiguous in the destination, the line in which one ends and the
/// next one begins is assembled in registers, so that it is stored whole as well. `FAR`: each line prefetches its own
/// place in a later row, which begins [`AHEAD`] bytes later or a little before.
///
/// # Safety
/// As [`rows`].
#[inline(always)]
unsafe fn streamed_runs<R: Register, const FAR: bool>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { width, a, b, c, .. } = *block;
    let (joined, apart) = if a.dst == width && width >= LINE as i64 { (a, Loop::ONCE) } else { (Loop::ONCE, a) };
    let bytes = width as usize;
    let into_second = block.hints & hints::SECOND != 0;
    let [(end, here), (_, beyond)] = if FAR { stretches(a.count, a.src, b.src) } else { [(a.count, 0); 2] };
    for k in 0..c.count {
        let (dst, src) = begin(dst, src, c, k);
        for j in 0..b.count {
            let (dst, src) = begin(dst, src, b, j);
            for i in 0..apart.count {
                let (mut to, mut from) = begin(dst, src, apart, i);
                // Bytes of a row that were written together with the row before it.
                let mut head = (to.addr().wrapping_neg() & (LINE - 1)).min(bytes);
                // SAFETY: pieces of the rows.
                unsafe { part_of_line::<R>(to, from, head) };
                for left in (0..joined.count).rev() {
                    let row = i + joined.count - 1 - left; // of `a`, which is one of the two
                    let ahead = if row < end { here } else { beyond };
                    let whole = (bytes - head) & !(LINE - 1);
                    let (at, next) = (head + whole, from.wrapping_offset(joined.src as isize));
                    let rest = bytes - at;
                    // SAFETY: pieces of this row and of the next one, if there is one; `head + whole` is at a line.
                    unsafe {
                        if FAR {
                            for line in (head..at).step_by(LINE) {
                                fetch(from.wrapping_add(line).wrapping_offset(ahead), into_second);
                                lines::<R::Past, true>(to.wrapping_add(line), from.wrapping_add(line), 1);
                            }
                            fetch(from.wrapping_add(at).wrapping_offset(ahead), into_second);
                        } else {
                            lines::<R::Past, true>(to.wrapping_add(head), from.wrapping_add(head), whole / LINE);
                        }
                        if rest == 0 || left == 0 {
                            part_of_line::<R>(to.wrapping_add(at), from.wrapping_add(at), rest);
                            head = 0;
                        } else {
                            head = LINE - rest;
                            joined_line::<R::Lane>(to.wrapping_add(at), from.wrapping_add(bytes), next, rest);
                        }
                    }
                    (to, from) = (to.wrapping_add(bytes), next);
                }
            }
        }
    }
}

/// Streams a line: the last `rest` bytes of a row, and the first ones of the next row.
///
/// # Safety
/// Either row has a line or more; the line may be written.
#[inline(always)]
unsafe fn joined_line<L: Register>(to: *mut u8, end: *const u8, next: *const u8, rest: usize) {
    for piece in (0..LINE).step_by(L::BYTES) {
        // Bytes of this piece that belong to the row.
        let inside = rest.saturating_sub(piece);
        // SAFETY: the last and the first bytes of the rows; the index has twice as many as a register.
        unsafe {
            let joined = match inside {
                0 => L::load(next.wrapping_add(piece).wrapping_sub(rest)),
                _ if inside >= L::BYTES => L::load(end.wrapping_sub(inside)),
                _ => {
                    let both = [L::load(end.wrapping_sub(L::BYTES)), L::load(next)];
                    // From entry n on, the index of what begins at byte n of both.
                    L::pick(&both, ASCENDING.as_ptr().wrapping_add(L::BYTES - inside))
                }
            };
            joined.stream(to.wrapping_add(piece));
        }
    }
}

/// Streams a row: whole lines by non-temporal stores, what lies before the first and behind the last one in small
/// moves. `ahead`: up to which byte lines prefetch, and what lies how many bytes ahead; 0: nothing.
///
/// # Safety
/// The row may be read and written; the last end is the row's.
#[inline(always)]
pub(super) unsafe fn streamed_lines<R: Register>(
    to: *mut u8,
    from: *const u8,
    bytes: usize,
    ahead: impl IntoIterator<Item = (usize, isize)>,
) {
    let mut at = (to.addr().wrapping_neg() & (LINE - 1)).min(bytes);
    // SAFETY: pieces of the row; behind the first one every line is aligned.
    unsafe {
        part_of_line::<R>(to, from, at);
        for (end, ahead) in ahead {
            while at < end && at + LINE <= bytes {
                if ahead != 0 {
                    fetch(from.wrapping_add(at).wrapping_offset(ahead), false);
                }
                lines::<R, true>(to.wrapping_add(at), from.wrapping_add(at), 1);
                at += LINE;
            }
        }
        part_of_line::<R>(to.wrapping_add(at), from.wrapping_add(at), bytes - at);
    }
}

/// `count` lines; `PAST`: by non-temporal stores, if there is such an instruction.
///
/// # Safety
/// They may be read and written, and begin at a line of the destination if they go past the caches.
#[inline(always)]
pub(super) unsafe fn lines<R: Register, const PAST: bool>(to: *mut u8, from: *const u8, count: usize) {
    for line in 0..count {
        for piece in (0..LINE).step_by(R::BYTES) {
            let (to, from) = (to.wrapping_add(line * LINE + piece), from.wrapping_add(line * LINE + piece));
            // SAFETY: as promised to this function.
            unsafe { if PAST { R::load(from).stream(to) } else { R::load(from).store(to) } };
        }
    }
}

/// Fewer bytes than a line.
///
/// # Safety
/// The bytes may be read and written.
#[inline(always)]
pub(super) unsafe fn part_of_line<R: Register>(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: as promised to this function.
    unsafe {
        if bytes >= 2 * R::BYTES {
            long_row::<R>(to, from, bytes, 4 * R::BYTES, R::MASKS);
        } else {
            short_row::<R>(to, from, bytes);
        }
    }
}
