//! Kernels that move runs of bytes: rows, one element repeated, a run read backwards. Written once over [`Register`].

use super::ahead::{AHEAD, ask, is_far, stretches};
use super::channels::steps;
use super::register::{Join, Register, put, put_first, short_row};
use super::scalar::{self, Bytes, ends};
use super::{Block, LINE, Loop};
use core::mem::MaybeUninit;

/// Rows above this many bytes are libc's business.
const LIBC_ROW: usize = 2048;
/// Rows of at most this many bytes are asked for ahead; the hardware follows longer ones.
const ROW_TO_ASK_FOR: i64 = AHEAD / 4;

/// Rows of any length. What kind of row it is, is looked at once for all of them.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn rows<R: Register>(dst: *mut u8, src: *const u8, block: &Block) {
    let width = block.width as usize;
    // SAFETY: rows on both sides (caller); in each line the row is as long as the move wants it.
    unsafe {
        if block.memory.streams() {
            return each_row::<true, true>(dst, src, block, Streamed::<R>::of(width));
        }
        match width {
            _ if width > LIBC_ROW => scalar::rows(dst, src, block),
            _ if width >= 2 * R::BYTES => each_row::<true, true>(dst, src, block, Long::<R>::of(width)),
            _ if width == R::BYTES => each_row::<false, true>(dst, src, block, Whole::<R>::of(width)),
            _ if width > R::BYTES => each_row::<true, false>(dst, src, block, Ends::<R>::of(width)),
            _ if width == size_of::<R::Half>() => each_row::<false, true>(dst, src, block, Whole::<R::Half>::of(width)),
            // A wide and a narrow store cross lines less often than two wide ones.
            17..=24 if R::BYTES > 16 => each_row::<false, false>(dst, src, block, Sixteen::<R>::of(width)),
            33..=40 if R::BYTES > 32 => each_row::<false, false>(dst, src, block, Head8::<R>::of(width)),
            33..=48 if R::BYTES > 32 => each_row::<false, false>(dst, src, block, Head::<R>::of(width)),
            _ if width > size_of::<R::Half>() => each_row::<false, false>(dst, src, block, Ends::<R::Half>::of(width)),
            16.. => each_row::<false, false>(dst, src, block, Ends::<R::Sixteen>::of(width)),
            8.. => each_row::<false, false>(dst, src, block, Ends::<Bytes<8>>::of(width)),
            4.. => each_row::<false, false>(dst, src, block, Ends::<Bytes<4>>::of(width)),
            2.. => each_row::<false, false>(dst, src, block, Ends::<Bytes<2>>::of(width)),
            1 => each_row::<false, true>(dst, src, block, Whole::<Bytes<1>>::of(width)),
            0 => {}
        }
    }
}

/// Elements of W bytes, one by one.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn strided<R: Join, const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    // SAFETY: as promised to this function; elements that the loops reach on each side.
    unsafe {
        if block.memory.streams() && block.a.dst == W as i64 && block.a.count as usize * W >= CHUNK {
            strided_to_lines::<R, W>(dst, src, block);
        } else if W <= 8 && block.a.dst == W as i64 && block.a.count * W as i64 >= 16 && !is_far(block) {
            packed::<R, W>(dst, src, block);
        } else {
            each_row::<false, true>(dst, src, block, Whole::<Bytes<W>>::of(W));
        }
    }
}

/// [`strided`] where the destination is runs: words, or registers, are put together from as many elements as fit, since the CPU
/// stores one a cycle whatever its width. Where elements leave a gap in the word, the next word writes over it.
///
/// # Safety
/// As [`strided`]; `a.dst` is W, which is at most 8.
#[inline(always)]
unsafe fn packed<R: Join, const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, c, .. } = *block;
    // Of 4 and 8 bytes a register is filled, of the others a word.
    let room = if W == 4 || W == 8 { 16 } else { 8 };
    let (fit, least) = (room / W, room.div_ceil(W));
    for k in 0..c.count {
        let (dst, src) = begin(dst, src, c, k);
        for j in 0..b.count {
            let (mut to, mut from) = begin(dst, src, b, j);
            let mut left = a.count as usize;
            while left >= least {
                // SAFETY: elements of the run; so many are left that what is stored is inside it.
                unsafe {
                    match W {
                        4 => R::join::<4>(from, a.src as isize).store(to),
                        8 => R::join::<8>(from, a.src as isize).store(to),
                        _ => {
                            let mut word = 0;
                            for n in 0..fit {
                                let from = from.wrapping_offset(n as isize * a.src as isize);
                                word |= number::<W>(from) << (8 * W * n);
                            }
                            to.cast::<u64>().write_unaligned(word.to_le());
                        }
                    }
                }
                to = to.wrapping_add(fit * W);
                from = from.wrapping_offset(fit as isize * a.src as isize);
                left -= fit;
            }
            while left > 0 {
                // SAFETY: an element of the run.
                unsafe { to.cast::<Bytes<W>>().write_unaligned(from.cast::<Bytes<W>>().read_unaligned()) };
                (to, from) = step(to, from, a);
                left -= 1;
            }
        }
    }
}

/// The number whose lowest bytes are the W bytes at this address.
///
/// # Safety
/// They may be read; W is at most 8.
#[inline(always)]
unsafe fn number<const W: usize>(from: *const u8) -> u64 {
    let mut word = [0u8; 8];
    // SAFETY: as promised to this function; there is room for eight.
    unsafe { word.as_mut_ptr().cast::<Bytes<W>>().write_unaligned(from.cast::<Bytes<W>>().read_unaligned()) };
    u64::from_le_bytes(word)
}

/// How a row is moved. Not a closure: that would be inlined, and so have its instruction set, only if it were called in one
/// place.
trait Move {
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
        struct $name<$t>(usize, core::marker::PhantomData<$t>);

        impl<$t> $name<$t> {
            #[inline(always)]
            fn of(bytes: usize) -> Self {
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
/// Bytes of a destination run that are put together before they are streamed.
const CHUNK: usize = 4096;

/// [`strided`] where the destination is runs: their lines are put together in the cache, and then streamed.
///
/// # Safety
/// As [`strided`]; `a.dst` is W.
#[inline(always)]
unsafe fn strided_to_lines<R: Register, const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, c, .. } = *block;
    let mut chunk = MaybeUninit::<[u8; CHUNK]>::uninit();
    let chunk = chunk.as_mut_ptr().cast::<u8>();
    // Whole lines, so that what is aligned stays so.
    let most = (CHUNK / W) & !(LINE - 1);
    let ahead = (AHEAD * a.src.signum()) as isize;
    for k in 0..c.count {
        let (dst, src) = begin(dst, src, c, k);
        for j in 0..b.count {
            let (to, mut from) = begin(dst, src, b, j);
            let (mut at, count) = (0, a.count as usize);
            while at < count {
                let now = most.min(count - at);
                for i in 0..now {
                    ask(from.wrapping_offset(ahead), 1);
                    // SAFETY: an element of the source, and the place of element i in the chunk.
                    unsafe {
                        let element = from.cast::<Bytes<W>>().read_unaligned();
                        chunk.wrapping_add(i * W).cast::<Bytes<W>>().write_unaligned(element);
                    }
                    from = from.wrapping_offset(a.src as isize);
                }
                // SAFETY: `now` elements of the destination's run; so many were written to the chunk.
                unsafe { streamed_row::<R>(to.wrapping_add(at * W), chunk, now * W) };
                at += now;
            }
        }
    }
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
    Long<R: Register>: |to, from, bytes| long_row::<R>(to, from, bytes);
    Streamed<R: Register>: |to, from, bytes| streamed_row::<R>(to, from, bytes);
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

/// Moves the row of each turn of the loops. `WIDE`: rows may have several lines.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block), for the moves of rows.
#[inline(always)]
unsafe fn each_row<const WIDE: bool, const UNROLL: bool>(dst: *mut u8, src: *const u8, block: &Block, row: impl Move) {
    let Block { width, a, b, c, .. } = *block;
    if width <= ROW_TO_ASK_FOR && is_far(block) {
        let stretches = stretches(a.count, a.src, b.src);
        for k in 0..c.count {
            let (dst, src) = begin(dst, src, c, k);
            for j in 0..b.count {
                let (mut to, mut from) = begin(dst, src, b, j);
                let mut i = 0;
                for (end, ahead) in stretches {
                    while i < end {
                        ask(from.wrapping_offset(ahead), if WIDE { width as usize } else { 1 });
                        // SAFETY: the row of a turn.
                        unsafe { row.run(to, from) };
                        (to, from) = step(to, from, a);
                        i += 1;
                    }
                }
            }
        }
        return;
    }
    // From behind the last turn of a loop to the next one of the loop around it.
    let back = |outer: Loop, inner: Loop| Loop {
        count: 0,
        dst: outer.dst.wrapping_sub(inner.count.wrapping_mul(inner.dst)),
        src: outer.src.wrapping_sub(inner.count.wrapping_mul(inner.src)),
    };
    let (next_b, next_c) = (back(b, a), back(c, b));
    // Opaque, so that the compiler does not unroll: it runs out of registers, and many loops are short.
    let (one, two) = core::hint::black_box((1, 2));
    let (mut to, mut from, mut left_c) = (dst, src, c.count);
    while left_c > 0 {
        let mut left_b = b.count;
        while left_b > 0 {
            let mut left = a.count;
            while !UNROLL && left >= 2 {
                // SAFETY: the row of a turn.
                unsafe { row.run(to, from) };
                (to, from) = step(to, from, a);
                // SAFETY: the row of the next one.
                unsafe { row.run(to, from) };
                (to, from) = step(to, from, a);
                left -= two;
            }
            while left > 0 {
                // SAFETY: the row of a turn.
                unsafe { row.run(to, from) };
                (to, from) = step(to, from, a);
                left -= if UNROLL { 1 } else { one };
            }
            (to, from) = step(to, from, next_b);
            left_b -= one;
        }
        (to, from) = step(to, from, next_c);
        left_c -= one;
    }
}

/// One turn further.
#[inline(always)]
fn step(dst: *mut u8, src: *const u8, l: Loop) -> (*mut u8, *const u8) {
    (dst.wrapping_offset(l.dst as isize), src.wrapping_offset(l.src as isize))
}

/// Where turn `turn` of a loop begins.
#[inline(always)]
pub(super) fn begin(dst: *mut u8, src: *const u8, l: Loop, turn: i64) -> (*mut u8, *const u8) {
    (dst.wrapping_offset((turn * l.dst) as isize), src.wrapping_offset((turn * l.src) as isize))
}

/// A row of two registers or more.
///
/// # Safety
/// The row may be read and written.
#[inline(always)]
unsafe fn long_row<R: Register>(to: *mut u8, from: *const u8, bytes: usize) {
    let (mut to, mut from, mut left) = (to, from, bytes);
    // SAFETY: pieces of the row.
    unsafe {
        while left >= 4 * R::BYTES {
            for piece in (0..4 * R::BYTES).step_by(R::BYTES) {
                R::load(from.wrapping_add(piece)).store(to.wrapping_add(piece));
            }
            (to, from, left) = (to.wrapping_add(4 * R::BYTES), from.wrapping_add(4 * R::BYTES), left - 4 * R::BYTES);
        }
        while left >= R::BYTES {
            R::load(from).store(to);
            (to, from, left) = (to.wrapping_add(R::BYTES), from.wrapping_add(R::BYTES), left - R::BYTES);
        }
        if left > 0 {
            if R::MASKS {
                R::load_first(from, left).store_first(to, left);
            } else {
                let back = R::BYTES - left;
                R::load(from.wrapping_sub(back)).store(to.wrapping_sub(back));
            }
        }
    }
}

/// A row past the cache: whole lines, and what stands in front of the first and behind the last one in small moves.
///
/// # Safety
/// The row may be read and written.
#[inline(always)]
unsafe fn streamed_row<R: Register>(to: *mut u8, from: *const u8, bytes: usize) {
    let mut at = (to.addr().wrapping_neg() & (LINE - 1)).min(bytes);
    // SAFETY: pieces of the row; behind the first one every line is aligned.
    unsafe {
        part_of_line::<R>(to, from, at);
        while at + LINE <= bytes {
            for piece in (0..LINE).step_by(R::BYTES) {
                R::load(from.wrapping_add(at + piece)).stream(to.wrapping_add(at + piece));
            }
            at += LINE;
        }
        part_of_line::<R>(to.wrapping_add(at), from.wrapping_add(at), bytes - at);
    }
}

/// A line's bytes.
///
/// # Safety
/// The bytes may be read and written.
#[inline(always)]
unsafe fn line<R: Register>(to: *mut u8, from: *const u8) {
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
unsafe fn part_of_line<R: Register>(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: as promised to this function.
    unsafe {
        if bytes >= 2 * R::BYTES {
            long_row::<R>(to, from, bytes);
        } else {
            short_row::<R>(to, from, bytes);
        }
    }
}

/// One element of W bytes (1, 2, 4, 8 or 16) repeated over runs.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn fill<R: Register, const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, memory, .. } = *block;
    let (bytes, stream) = (a.count as usize * W, memory.streams());
    for j in 0..b.count {
        let (to, from) = begin(dst, src, b, j);
        // SAFETY: an element of the source; pieces of a run of the destination, which a register's worth of elements
        // continues from any multiple of W bytes on.
        unsafe {
            let piece = R::repeat::<W>(from);
            let head = to.addr().wrapping_neg() & (R::BYTES - 1);
            let mut at = 0;
            if bytes > R::BYTES && head != 0 && head.is_multiple_of(W) {
                piece.store(to);
                at = head;
            }
            while at + LINE <= bytes {
                for part in (0..LINE).step_by(R::BYTES) {
                    put(piece, to.wrapping_add(at + part), stream);
                }
                at += LINE;
            }
            while at + R::BYTES <= bytes {
                put(piece, to.wrapping_add(at), stream);
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

/// `[w][p]`: byte p of elements of w bytes, one behind the other that are all the same, is this byte of the element.
static REPEATED: [[u8; LINE]; LINE + 1] = {
    let (mut table, mut width) = ([[0; LINE]; LINE + 1], 1);
    while width <= LINE {
        let mut p = 0;
        while p < LINE {
            table[width][p] = (p % width) as u8;
            p += 1;
        }
        width += 1;
    }
    table
};

/// One element of up to a line repeated over runs: a line of them is stored for each step, and what it holds of an element
/// that is not whole is written over by the next one.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn repeat<R: Register>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, c, .. } = *block;
    let width = (block.width as usize).clamp(1, LINE);
    let (step, bytes) = (LINE / width * width, a.count as usize * width);
    let index = REPEATED.get(width).unwrap_or(&REPEATED[0]).as_ptr();
    for k in 0..c.count {
        let (dst, src) = begin(dst, src, c, k);
        for j in 0..b.count {
            let (to, from) = begin(dst, src, b, j);
            // SAFETY: the element of the source; pieces of a run of the destination, which elements fill.
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

/// [`repeat`] for one run, where there are no masks: the elements are put together in memory.
///
/// # Safety
/// As [`repeat`]; the width is at most a line's bytes.
#[inline(always)]
unsafe fn repeat_from_buffer<R: Register>(to: *mut u8, from: *const u8, width: usize, bytes: usize) {
    let mut lines = MaybeUninit::<[u8; 3 * LINE]>::uninit();
    let lines = lines.as_mut_ptr().cast::<u8>();
    let step = LINE / width * width;
    // SAFETY: as promised to this function; elements up to the second line's end, whose bytes are those of the first ones
    // from a multiple of the width on.
    unsafe {
        let wanted = if bytes < LINE { bytes } else { LINE + width };
        let mut at = 0;
        while at < wanted {
            part_of_line::<R>(lines.wrapping_add(at), from, width);
            at += width;
        }
        let mut at = 0;
        while at + LINE <= bytes {
            line::<R>(to.wrapping_add(at), lines);
            at += step;
        }
        if bytes < LINE {
            part_of_line::<R>(to, lines, bytes);
        } else if at < bytes {
            // The last line begins inside an element.
            line::<R>(to.wrapping_add(bytes - LINE), lines.wrapping_add((bytes - LINE) % width));
        }
    }
}

/// `[p]`: where byte p of a register that is read backwards comes from, in elements of W bytes. From entry `m · W` on it is
/// the same for m elements fewer.
const fn mirrored<const W: usize>(lane: usize) -> [u8; 128] {
    let (mut table, mut p) = ([0; 128], 0);
    let elements = lane / W;
    while p < elements * W {
        table[p] = ((elements - 1 - p / W) * W + p % W) as u8;
        p += 1;
    }
    table
}

/// Elements of W bytes read backwards: `a.src` is minus W.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn reverse<R: Register, const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    // SAFETY: as promised to this function.
    unsafe {
        match block.a.count as usize * W {
            bytes if R::MASKS || bytes >= R::BYTES => reverse_by::<R, W>(dst, src, block),
            16.. => reverse_by::<R::Lane, W>(dst, src, block),
            8.. => reverse_short::<8, W>(dst, src, block),
            4.. => reverse_short::<4, W>(dst, src, block),
            2.. => reverse_short::<2, W>(dst, src, block),
            _ => reverse_short::<1, W>(dst, src, block),
        }
    }
}

/// [`reverse`] for N to 2 N bytes: the last N bytes of each run become the first ones, and the other way round.
///
/// # Safety
/// As [`reverse`]; the runs have so many bytes, and N is a multiple of W, at most 8.
#[inline(always)]
unsafe fn reverse_short<const N: usize, const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, .. } = *block;
    let before_last = a.count as usize * W - N;
    for j in 0..b.count {
        let (to, from) = begin(dst, src, b, j);
        let lowest = from.wrapping_sub(a.count as usize * W - W);
        // SAFETY: the first and the last N bytes of both runs.
        unsafe {
            let (low, high) = (number::<N>(lowest), number::<N>(lowest.wrapping_add(before_last)));
            for (number, to) in [(high, to), (low, to.wrapping_add(before_last))] {
                let turned = turned::<W>(number) >> (64 - 8 * N);
                to.cast::<Bytes<N>>().write_unaligned(turned.to_le_bytes().as_ptr().cast::<Bytes<N>>().read());
            }
        }
    }
}

/// The elements of W bytes of a number, in the other order.
#[inline(always)]
fn turned<const W: usize>(number: u64) -> u64 {
    const ODD: u64 = 0x00FF_00FF_00FF_00FF;
    match W {
        1 => number.swap_bytes(),
        2 => {
            let bytes = number.swap_bytes();
            bytes >> 8 & ODD | (bytes & ODD) << 8
        }
        4 => number.rotate_left(32),
        _ => number,
    }
}

/// The index table of [`reverse`].
struct Mirrored<R, const W: usize>(R);

impl<R: Register, const W: usize> Mirrored<R, W> {
    const TABLE: [u8; 128] = mirrored::<W>(R::LANE);
}

/// [`reverse`] for at least a register's worth of elements, or a register of one lane.
///
/// # Safety
/// As [`reverse`].
#[inline(always)]
unsafe fn reverse_by<R: Register, const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, memory, .. } = *block;
    let stream = memory.streams();
    // Elements that do not fill a lane leave bytes open, which only masks can leave out.
    const { assert!(R::MASKS || R::LANE % W == 0) };
    let elements = R::BYTES / W;
    let (whole, last) = steps::<R, W>(a.count as usize);
    for j in 0..b.count {
        let (to, from) = begin(dst, src, b, j);
        // SAFETY: elements of the run.
        unsafe {
            // Two loops, so that neither looks at each step where it goes.
            if stream {
                // Streamed lines do not care where they go; reads beyond the cache want to go upward.
                for step in (0..whole).rev() {
                    reverse_step::<R, W>(to, from, step * elements, elements, true);
                }
            } else {
                for step in 0..whole {
                    reverse_step::<R, W>(to, from, step * elements, elements, false);
                }
            }
            if let Some((at, now)) = last {
                reverse_step::<R, W>(to, from, at, now, stream);
            }
        }
    }
}

/// The `now` elements from element `at` of the destination on.
///
/// # Safety
/// As [`reverse`], for these.
#[inline(always)]
unsafe fn reverse_step<R: Register, const W: usize>(to: *mut u8, from: *const u8, at: usize, now: usize, stream: bool) {
    let (elements, bytes) = (R::BYTES / W, now * W);
    let index = const { &Mirrored::<R, W>::TABLE }.as_ptr();
    let lowest = from.wrapping_sub((at + now - 1) * W);
    // SAFETY: elements at … at + now − 1 on both sides; the table goes on for fewer elements.
    unsafe {
        let piece = if bytes == R::BYTES {
            R::load_lanes(lowest.wrapping_add(R::BYTES - R::LANE), -(R::LANE as isize))
        } else {
            R::load_first(lowest, bytes)
        };
        let turned = R::pick(&[piece], index.wrapping_add((elements - now) * W));
        put_first(turned, to.wrapping_add(at * W), bytes, stream);
    }
}
