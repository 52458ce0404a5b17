//! Runs read backwards. Written once over [`Register`].

use super::Block;
use super::register::{Register, number, put_first, steps};
use super::rows::begin;
use super::scalar::Bytes;

/// `[p]`: where byte p of a register that is read backwards comes from, in elements of W bytes. From entry `m · W` on
/// it is the same for m elements fewer.
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

/// The index table of [`turn_round`].
struct Mirrored<R, const W: usize>(R);

impl<R: Register, const W: usize> Mirrored<R, W> {
    const TABLE: [u8; 128] = mirrored::<W>(R::LANE);
}

/// A register whose lanes are in the other order.
///
/// # Safety
/// See [`Register`].
#[inline(always)]
pub(super) unsafe fn load_mirrored<R: Register>(from: *const u8) -> R {
    // SAFETY: as promised to this function.
    unsafe { R::load_lanes(from.wrapping_add(R::BYTES - R::LANE), -(R::LANE as isize)) }
}

/// The elements of W bytes of each lane in the other order: the first `now` where there are fewer.
///
/// # Safety
/// See [`Register`]; `now` is at least 1.
#[inline(always)]
pub(super) unsafe fn turn_round<R: Register, const W: usize>(register: R, now: usize) -> R {
    let index = const { &Mirrored::<R, W>::TABLE }.as_ptr();
    let elements = R::LANE / W;
    // SAFETY: as promised to this function; the table goes on for fewer elements.
    unsafe { R::pick(&[register], index.wrapping_add((elements - now.min(elements)) * W)) }
}

/// Where the lowest of the `now` elements from element `at` on begins, `step` bytes from each element to the next one.
#[inline(always)]
pub(super) fn lowest(from: *const u8, step: isize, at: usize, now: usize) -> *const u8 {
    from.wrapping_offset(at as isize * step + (now as isize - 1) * step.min(0))
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
            // Loops of their own, so that none looks at each step where it goes.
            if stream {
                // Streamed lines do not care where they go; reads beyond the cache want to go upward.
                for step in (0..whole).rev() {
                    reverse_step::<R, W>(to, from, step * elements, elements, true);
                }
            } else {
                let mut step = 0;
                while !R::MASKS && step + 4 <= whole {
                    for _ in 0..4 {
                        reverse_step::<R, W>(to, from, step * elements, elements, false);
                        step += 1;
                    }
                }
                while step < whole {
                    reverse_step::<R, W>(to, from, step * elements, elements, false);
                    step += 1;
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
    let bytes = now * W;
    let lowest = lowest(from, -(W as isize), at, now);
    // SAFETY: elements at … at + now − 1 on both sides.
    unsafe {
        let piece = if bytes == R::BYTES { load_mirrored(lowest) } else { R::load_first(lowest, bytes) };
        put_first(turn_round::<R, W>(piece, now), to.wrapping_add(at * W), bytes, stream);
    }
}
