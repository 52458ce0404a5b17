//! Kernels that move runs of bytes: rows, one element repeated, a run read backwards. Written once over [`Register`].

use super::ahead::{AHEAD, ask, is_far, stretches};
use super::channels::steps;
use super::register::{Register, ends, put, put_first, short_row};
use super::scalar::{self, Bytes};
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
    // SAFETY: rows on both sides (caller); in each line the row is as long as the function wants it.
    unsafe {
        if block.memory.streams() {
            return each_row::<true>(dst, src, block, |to, from| streamed_row::<R>(to, from, width));
        }
        match width {
            _ if width > LIBC_ROW => scalar::rows(dst, src, block),
            _ if width >= 2 * R::BYTES => each_row::<true>(dst, src, block, |to, from| long_row::<R>(to, from, width)),
            _ if width >= R::BYTES => each_row::<true>(dst, src, block, |to, from| ends::<R>(to, from, width)),
            _ if width >= size_of::<R::Half>() => {
                each_row::<false>(dst, src, block, |to, from| ends::<R::Half>(to, from, width))
            }
            16.. => each_row::<false>(dst, src, block, |to, from| ends::<R::Sixteen>(to, from, width)),
            8.. => each_row::<false>(dst, src, block, |to, from| ends::<Bytes<8>>(to, from, width)),
            4.. => each_row::<false>(dst, src, block, |to, from| ends::<Bytes<4>>(to, from, width)),
            2.. => each_row::<false>(dst, src, block, |to, from| ends::<Bytes<2>>(to, from, width)),
            1 => each_row::<false>(dst, src, block, |to, from| ends::<Bytes<1>>(to, from, width)),
            0 => {}
        }
    }
}

/// Elements of W bytes, one by one.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn strided<R: Register, const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    if block.memory.streams() && block.a.dst == W as i64 && block.a.count as usize * W >= CHUNK {
        // SAFETY: as promised to this function.
        return unsafe { strided_to_lines::<R, W>(dst, src, block) };
    }
    // SAFETY: an element that the loops reach on each side (caller).
    each_row::<false>(dst, src, block, |to, from| unsafe {
        to.cast::<Bytes<W>>().write_unaligned(from.cast::<Bytes<W>>().read_unaligned());
    });
}

/// Bytes of a destination run that are put together before they are streamed.
const CHUNK: usize = 4096;

/// [`strided`] where the destination is runs: their lines are put together in the cache, and then streamed.
///
/// # Safety
/// As [`strided`]; `a.dst` is W.
#[inline(always)]
unsafe fn strided_to_lines<R: Register, const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, .. } = *block;
    let mut chunk = MaybeUninit::<[u8; CHUNK]>::uninit();
    let chunk = chunk.as_mut_ptr().cast::<u8>();
    // Whole lines, so that what is aligned stays so.
    let most = (CHUNK / W) & !(LINE - 1);
    let ahead = (AHEAD * a.src.signum()) as isize;
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

/// Calls `row` with the addresses of each turn of both loops, in one place only: called in two it would not be inlined, and
/// lose its instruction set. `WIDE`: rows may have several lines.
#[inline(always)]
fn each_row<const WIDE: bool>(dst: *mut u8, src: *const u8, block: &Block, row: impl Fn(*mut u8, *const u8)) {
    let Block { width, a, b, .. } = *block;
    let asks = width <= ROW_TO_ASK_FOR && is_far(block);
    let stretches = if asks { stretches(a.count, a.src, b.src) } else { [(a.count, 0); 2] };
    for j in 0..b.count {
        let (mut to, mut from) = begin(dst, src, b, j);
        let mut i = 0;
        for (end, ahead) in stretches {
            while i < end {
                if asks {
                    ask(from.wrapping_offset(ahead), if WIDE { width as usize } else { 1 });
                }
                row(to, from);
                (to, from) = (to.wrapping_offset(a.dst as isize), from.wrapping_offset(a.src as isize));
                i += 1;
            }
        }
    }
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
    let mut at = 0;
    // SAFETY: pieces of the row.
    unsafe {
        while R::BYTES < LINE && at + LINE <= bytes {
            for piece in (0..LINE).step_by(R::BYTES) {
                R::load(from.wrapping_add(at + piece)).store(to.wrapping_add(at + piece));
            }
            at += LINE;
        }
        while at + R::BYTES <= bytes {
            R::load(from.wrapping_add(at)).store(to.wrapping_add(at));
            at += R::BYTES;
        }
        if at < bytes {
            if R::MASKS {
                let left = bytes - at;
                R::load_first(from.wrapping_add(at), left).store_first(to.wrapping_add(at), left);
            } else {
                let last = bytes - R::BYTES;
                R::load(from.wrapping_add(last)).store(to.wrapping_add(last));
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
        if (block.a.count as usize) < R::BYTES / W {
            reverse_by::<R::Lane, W>(dst, src, block);
        } else {
            reverse_by::<R, W>(dst, src, block);
        }
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
            for step in 0..whole {
                // Streamed lines do not care where they go; reads beyond the cache want to go upward.
                let step = if stream { whole - 1 - step } else { step };
                reverse_step::<R, W>(to, from, step * elements, elements, stream);
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
