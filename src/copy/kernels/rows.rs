//! Rows of bytes. Written once over [`Register`].

use super::ahead::{AHEAD, ask, goes_far, is_far, stretches};
use super::register::{ASCENDING, Register, short_row};
use super::scalar::{self, Bytes, ends};
use super::{Block, LINE, Loop, ROW_TO_ASK_FOR, fetch, hints};

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
        if block.memory.streams() && block.width > ROW_TO_ASK_FOR {
            return streamed_rows::<R>(dst, src, block);
        }
        if block.memory.streams() {
            return streamed_runs::<R>(dst, src, block);
        }
        match width {
            // libc has registers wider than 16 bytes if the CPU has them.
            _ if width > ROW_IN_PAIRS && (R::BYTES == 16 || block.hints & hints::LIBC != 0) => {
                scalar::rows(dst, src, block)
            }
            _ if width > ROW_IN_PAIRS => each_row::<true, 1>(dst, src, block, Pairs::<R>::of(width)),
            _ if R::MASKS && width >= 2 * R::BYTES && is_far(block) => {
                each_row::<true, 1>(dst, src, block, Far::<R>::of(width))
            }
            _ if width >= 2 * R::BYTES => each_row::<true, 1>(dst, src, block, Long::<R>::of(width)),
            _ if width == R::BYTES => each_row::<false, 4>(dst, src, block, Whole::<R>::of(width)),
            _ if width > R::BYTES => each_row::<true, 2>(dst, src, block, Ends::<R>::of(width)),
            _ if width == size_of::<R::Half>() => each_row::<false, 4>(dst, src, block, Whole::<R::Half>::of(width)),
            // A wide and a narrow store straddle lines less often than two wide ones.
            17..=24 if R::BYTES > 16 => each_row::<false, 2>(dst, src, block, Sixteen::<R>::of(width)),
            33..=40 if R::BYTES > 32 => each_row::<false, 2>(dst, src, block, Head8::<R>::of(width)),
            33..=48 if R::BYTES > 32 => each_row::<false, 2>(dst, src, block, Head::<R>::of(width)),
            _ if width > size_of::<R::Half>() => each_row::<false, 2>(dst, src, block, Ends::<R::Half>::of(width)),
            16.. => each_row::<false, 2>(dst, src, block, Ends::<R::Sixteen>::of(width)),
            8.. => each_row::<false, 2>(dst, src, block, Ends::<Bytes<8>>::of(width)),
            4.. => each_row::<false, 2>(dst, src, block, Ends::<Bytes<4>>::of(width)),
            2.. => each_row::<false, 2>(dst, src, block, Ends::<Bytes<2>>::of(width)),
            1 => each_row::<false, 4>(dst, src, block, Whole::<Bytes<1>>::of(width)),
            0 => {}
        }
    }
}

/// How a row is moved. Not a closure: that is inlined, and so keeps its instruction set, only if it is called in one
/// place.
pub(super) trait Move {
    /// Moves one row.
    ///
    /// # Safety
    /// The row may be read and written, and is as long as this move wants it; the CPU has the instruction set of T.
    unsafe fn run(&self, to: *mut u8, from: *const u8);
}

/// The moves by name: the type is a register or an element.
macro_rules! moves {
    ($($(#[$doc:meta])* $name:ident<$t:ident: $bound:ident>: |$to:ident, $from:ident, $bytes:ident| $run:expr;)*) => { $(
        $(#[$doc])*
        pub(super) struct $name<$t>(usize, core::marker::PhantomData<$t>);

        impl<$t> $name<$t> {
            #[inline(always)]
            pub(super) fn of(bytes: usize) -> Self {
                Self(bytes, core::marker::PhantomData)
            }
        }

        impl<$t: $bound> Move for $name<$t> {
            #[inline(always)]
            unsafe fn run(&self, $to: *mut u8, $from: *const u8) {
                let $bytes = self.0;
                // SAFETY: as promised to this function.
                unsafe { $run }
            }
        }
    )* };
}

moves! {
    /// An element, or a register's worth of bytes.
    Whole<T: Copy>: |to, from, _bytes| core::ptr::copy(from, to, size_of::<T>());
    Ends<T: Copy>: |to, from, bytes| ends::<T>(to, from, bytes);
    /// Half a register and the last 16 bytes.
    Head<R: Register>: |to, from, bytes| head_and_tail::<R::Half, R::Sixteen>(to, from, bytes);
    /// Half a register and the last 8 bytes.
    Head8<R: Register>: |to, from, bytes| head_and_tail::<R::Half, Bytes<8>>(to, from, bytes);
    /// 16 bytes and the last 8.
    Sixteen<R: Register>: |to, from, bytes| head_and_tail::<R::Sixteen, Bytes<8>>(to, from, bytes);
    Long<R: Register>: |to, from, bytes| long_row::<R>(to, from, bytes, 4 * R::BYTES, R::MASKS);
    /// Without masks: masked stores wait for lines that are not in the cache.
    Far<R: Register>: |to, from, bytes| long_row::<R>(to, from, bytes, 4 * R::BYTES, false);
    Pairs<R: Register>: |to, from, bytes| long_row::<R>(to, from, bytes, 2 * LINE, R::MASKS);
}

/// The first bytes as T and the last ones as U, which may overlap. Both are read before one is written.
///
/// # Safety
/// The row may be read and written; it is as long as the longer of both, and not longer than both together.
#[inline(always)]
unsafe fn head_and_tail<T: Copy, U: Copy>(to: *mut u8, from: *const u8, bytes: usize) {
    let last = bytes - size_of::<U>();
    // SAFETY: as promised to this function.
    unsafe {
        let head = from.cast::<T>().read_unaligned();
        let tail = from.wrapping_add(last).cast::<U>().read_unaligned();
        to.cast::<T>().write_unaligned(head);
        to.wrapping_add(last).cast::<U>().write_unaligned(tail);
    }
}

/// Moves the row of each iteration of the loops, `TURNS` at a time: the C library is built without unrolling by the
/// compiler. `WIDE`: rows may have several lines.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block), for the moves of rows.
#[inline(always)]
pub(super) unsafe fn each_row<const WIDE: bool, const TURNS: i64>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
    row: impl Move,
) {
    let Block { width, a, b, c, .. } = *block;
    if width <= ROW_TO_ASK_FOR && is_far(block) {
        let [(end, here), (_, beyond)] = stretches(a.count, a.src, b.src);
        let far = goes_far(block.hints);
        for k in 0..c.count {
            let (dst, src) = begin(dst, src, c, k);
            for j in 0..b.count {
                let (mut to, mut from) = begin(dst, src, b, j);
                for i in 0..a.count {
                    let ahead = if i < end { here } else { beyond };
                    ask(from.wrapping_offset(ahead), if WIDE { width as usize } else { 1 }, far);
                    // SAFETY: the row of an iteration.
                    unsafe { row.run(to, from) };
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
                    unsafe { row.run(to, from) };
                    (to, from) = step(to, from, a);
                }
                left -= turns;
            }
            while left > 0 {
                // SAFETY: the row of an iteration.
                unsafe { row.run(to, from) };
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
/// next one begins is assembled in registers, so that it is stored whole as well.
///
/// # Safety
/// As [`rows`].
#[inline(always)]
unsafe fn streamed_runs<R: Register>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { width, a, b, c, .. } = *block;
    let (joined, apart) = if a.dst == width && width >= LINE as i64 { (a, Loop::ONCE) } else { (Loop::ONCE, a) };
    let bytes = width as usize;
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
                    let lines = (bytes - head) & !(LINE - 1);
                    let (at, next) = (head + lines, from.wrapping_offset(joined.src as isize));
                    let rest = bytes - at;
                    // SAFETY: pieces of this row and of the next one, if there is one; `head + lines` is at a line.
                    unsafe {
                        lines_past::<R>(to.wrapping_add(head), from.wrapping_add(head), lines / LINE);
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
        // SAFETY: the last and the first bytes of the rows; the table has twice as many as a register.
        unsafe {
            let joined = match inside {
                0 => L::load(next.wrapping_add(piece).wrapping_sub(rest)),
                _ if inside >= L::BYTES => L::load(end.wrapping_sub(inside)),
                _ => {
                    let both = [L::load(end.wrapping_sub(L::BYTES)), L::load(next)];
                    L::pick(&both, ASCENDING.as_ptr().wrapping_add(L::BYTES - inside))
                }
            };
            joined.stream(to.wrapping_add(piece));
        }
    }
}

/// Streams a row.
///
/// # Safety
/// The row may be read and written.
#[inline(always)]
pub(super) unsafe fn streamed_row<R: Register>(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: as promised to this function.
    unsafe { streamed_lines::<R>(to, from, bytes, [(bytes, 0)]) };
}

/// Streams a row: whole lines by non-temporal stores, what lies before the first and behind the last one in small
/// moves. `ahead`: up to which byte lines prefetch, and what lies how many bytes ahead; 0: nothing.
///
/// # Safety
/// The row may be read and written; the last end is the row's.
#[inline(always)]
unsafe fn streamed_lines<R: Register>(
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
                lines_past::<R>(to.wrapping_add(at), from.wrapping_add(at), 1);
                at += LINE;
            }
        }
        part_of_line::<R>(to.wrapping_add(at), from.wrapping_add(at), bytes - at);
    }
}

/// `count` lines by non-temporal stores, if there is such an instruction.
///
/// # Safety
/// They may be read and written, and begin at a line of the destination.
#[inline(always)]
pub(super) unsafe fn lines_past<R: Register>(to: *mut u8, from: *const u8, count: usize) {
    for line in 0..count {
        for piece in (0..LINE).step_by(R::BYTES) {
            let at = line * LINE + piece;
            // SAFETY: as promised to this function.
            unsafe { R::load(from.wrapping_add(at)).stream(to.wrapping_add(at)) };
        }
    }
}

/// A line's bytes.
///
/// # Safety
/// The bytes may be read and written.
#[inline(always)]
pub(super) unsafe fn line<R: Register>(to: *mut u8, from: *const u8) {
    for piece in (0..LINE).step_by(R::BYTES) {
        // SAFETY: as promised to this function.
        unsafe { R::load(from.wrapping_add(piece)).store(to.wrapping_add(piece)) };
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
