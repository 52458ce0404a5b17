//! Stages of a kernel of loops: rows on the stack, which are then written as lines of the destination.
//!
//! The rows of a stage are pieces of rows of the destination: one, or one of each channel. Before each is a line for
//! what waits. (`tile_stage` has the stages of transposes.)
//!
//! ```text
//! source -> kernel -> | waiting | piece of row 0 . . . | waiting | piece of row 1 . . . | -> writer -> destination
//! ```
//!
//! While a stage is built, the source of a later one is prefetched.

use super::super::choose::LONG_STRING;
use super::super::kernels::{self, Family, Inner, Kernel, LINE, OfLoops, RowPiece, hints};
use super::super::loops::{Loop, iterations};
use super::super::nest::Nest;
use super::odometer::for_each_place;
use core::mem::MaybeUninit;

/// Bytes of the source from the stage that is built to the one that is prefetched.
const STAGES_AHEAD: i64 = 16384;

/// Lines of the stack.
#[repr(align(64))]
pub(super) struct Lines<const COUNT: usize>(pub MaybeUninit<[[u8; LINE]; COUNT]>);

/// [`run`](super::run) for a kernel that takes the first loops as they are, from the first elements on.
///
/// # Safety
/// P1 to P3, of this nest from these pointers on; the CPU has the kernel's level.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_direct(
    kernel: OfLoops,
    family: Family,
    hints: u8,
    nest: &Nest<'_>,
    to: *mut u8,
    from: *const u8,
) {
    let (a, b, outer) = nest.kernel_loops();
    let (c, outer) = match outer {
        [c, outer @ ..] if family.takes_three() => (*c, outer),
        _ => (Loop::ONCE, outer),
    };
    let inner = Inner { hints, width: nest.width, a, b, c, ahead: 0 };
    // SAFETY: K1 by the caller; K2 by P3; K3: the iterations of `inner` at these places are iterations (P1).
    for_each_place(outer, to, from, |to, from| unsafe { kernel(to, from, &inner) });
}

/// A kernel of loops whose lines go past the caches.
#[derive(Clone, Copy)]
pub struct Past {
    pub kernel: &'static Kernel,
    pub run: OfLoops,
    pub hints: u8,
}

/// Runs a kernel of loops from the first elements on; its lines go past the caches.
///
/// # Safety
/// P1 to P3, of this nest from these pointers on; the CPU has the kernel's level.
#[inline(always)]
pub unsafe fn run_past(past: Past, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    // SAFETY: P1 to P3. The writer is of the kernel's level, and takes any rows.
    unsafe {
        if past.kernel.family == Family::Rows {
            // Rows of the source are written from where they are.
            run_direct(kernels::writer(past.kernel.level).1, Family::Rows, past.hints, nest, to, from)
        } else {
            run_stages(past, nest, to, from)
        }
    }
}

/// Lines of a stage, with those that wait.
const STAGE: usize = 56;
/// The stage lies within a page: a store that straddles two takes about 100 ns (Zen 4, RGB to planes at any alignment:
/// 0.2 to 0.6 of memcpy with such stores, 0.3 to 1.5 without).
const PAGE: usize = 4096;

/// Bytes of a piece of a run that is read backwards: reads are fastest in ascending order, in which a piece is read.
const REVERSED_PIECE: i64 = 1024;

/// The cut of a destination's rows into pieces.
struct RowCut<'a> {
    /// The loops of a kernel's call, and whether the second one is cut rather than the first.
    inner: Inner,
    second: bool,
    /// The loop that is cut, the bytes of an iteration of it, and the iterations of a piece.
    along: Loop,
    unit: i64,
    most: i64,
    /// The rows of a stage, and the bytes from one to the next on the stack.
    rows: Loop,
    pitch: usize,
    /// The loops that continue a row, and all others.
    beyond: &'a [Loop],
    outer: &'a [Loop],
}

impl<'a> RowCut<'a> {
    /// The cut for a kernel; `None` if the kernel must write by itself.
    fn new(Past { kernel, hints, .. }: Past, nest: &Nest<'a>) -> Option<Self> {
        let (loops, width, family) = (nest.loops, nest.width, kernel.family);
        let planes = matches!(family, Family::Deinterleave(_));
        let (a, b, _) = nest.kernel_loops();
        let rows = if planes { b } else { Loop::ONCE };
        let pitch = (STAGE / rows.count.clamp(1, 4) as usize) * LINE;
        let room = (pitch - LINE) as i64;
        let (mut run, mut bytes, mut cut) = (0, width, None);
        for l in loops.iter().take(if planes { 1 } else { loops.len() }).take_while(|l| l.dst > 0) {
            if l.dst != bytes {
                break;
            }
            if run < 2 && bytes <= room {
                cut = Some((run, bytes));
            }
            bytes = bytes.saturating_mul(l.count);
            run += 1;
        }
        let (cut, unit) = cut?;
        // A string instruction fills long runs faster.
        let string = family == Family::Fill
            && width <= 8
            && a.count.saturating_mul(width) >= LONG_STRING
            && cfg!(target_arch = "x86_64");
        // Channels are whole.
        let in_channels = matches!(family, Family::Interleave(_)) && cut == 0;
        let along = *loops.get(cut)?;
        let room = if family == Family::Reverse { room.min(REVERSED_PIECE) } else { room };
        let most = room.checked_div(unit)?.min(along.count).max(1);
        // Whole registers of elements.
        let most = if most > 64 { most & !63 } else { most };
        if string || in_channels || bytes < LINE as i64 || most * unit < LINE as i64 {
            return None;
        }
        let second = cut == 1;
        let rows_made = if planes { Loop { dst: pitch as i64, ..b } } else { Loop::ONCE };
        let inner = Inner {
            hints: hints & hints::SECOND,
            width,
            a,
            b: if second { b } else { rows_made },
            c: Loop::ONCE,
            ahead: 0,
        };
        let past_rows = if planes { 2 } else { run };
        let (beyond, outer) = (loops.get(cut + 1..run)?, loops.get(past_rows..).unwrap_or(&[]));
        Some(Self { inner, second, along, unit, most, rows, pitch, beyond, outer })
    }

    /// The loops that build a piece of this many iterations, and prefetch `ahead` bytes further.
    fn inner(&self, count: i64, ahead: isize) -> Inner {
        let mut inner = Inner { ahead, ..self.inner };
        if self.second {
            inner.b.count = count;
        } else {
            inner.a.count = count;
        }
        inner
    }
}

/// [`run_past`] piece by piece of the destination's rows. A row is the first loops that follow each other in the
/// destination; of channels that become planes, each plane has one.
///
/// # Safety
/// P1 to P3, of this nest from these pointers on; the CPU has the kernel's level.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_stages(past: Past, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    let Past { kernel, run, hints } = past;
    let Some(pieces) = RowCut::new(past, nest) else {
        // SAFETY: P1 to P3.
        return unsafe { run_direct(run, kernel.family, hints | hints::FAR, nest, to, from) };
    };
    let &RowCut { along, most, unit, rows, pitch, beyond, outer, .. } = &pieces;
    let write = kernels::writer(kernel.level).0;
    let mut made = Lines::<{ 2 * STAGE }>(MaybeUninit::uninit());
    let made = made.0.as_mut_ptr().cast::<u8>();
    let left = PAGE - made.addr() % PAGE;
    let made = if left < STAGE * LINE { made.wrapping_add(left) } else { made }.wrapping_add(LINE);
    let in_loop = along.count.checked_div(most).unwrap_or(0) + i64::from(along.count.checked_rem(most) != Some(0));
    let in_row = in_loop.saturating_mul(iterations(beyond));
    // Pieces from the one that is built to the one that is prefetched, and the bytes to the row after.
    let later = (STAGES_AHEAD / (most * unit * rows.count).max(1)).max(1);
    let next = beyond.first().or(outer.first()).map_or(0, |l| l.src);
    for_each_place(outer, to, from, |to, from| {
        let mut number = 0;
        for_each_place(beyond, to, from, |to, from| {
            for k in 0..in_loop {
                let (begin, now) = (k * most, most.min(along.count - k * most));
                let from = from.wrapping_offset(begin.wrapping_mul(along.src) as isize);
                let past = (k + later).checked_div(in_loop).unwrap_or(0);
                let there = k + later - past * in_loop;
                let ahead = past.wrapping_mul(next).wrapping_add(((there - k) * most).wrapping_mul(along.src));
                // SAFETY: K1; K2: only counts and steps changed that `accepts` does not look at, channels are whole.
                // K3: iterations (P1) are read, and `most` have room in the stage.
                unsafe { run(made, from, &pieces.inner(now, ahead as isize)) };
                let (bytes, first, last) = ((now * unit) as usize, number == 0, number + 1 == in_row);
                number += 1;
                let piece = RowPiece { bytes, first, last, past: true };
                for r in 0..rows.count {
                    let to = to.wrapping_offset((r * rows.dst + begin * along.dst) as isize);
                    // SAFETY: K1; K3: a piece of the row (P1), a line or more or the last (`RowCut`), and what waits.
                    unsafe { write(to, made.wrapping_add(r as usize * pitch), &piece) };
                }
            }
        });
    });
}
