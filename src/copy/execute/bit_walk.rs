//! The walk of a nest in bits.
//!
//! It takes the fastest loop. If the two can be a transpose, it also takes the loop that is contiguous in the source:
//!
//! | the fastest loop in the destination | |
//! |---|---|
//! | none, or pieces above 32 bits | runs of bits, shifted |
//! | contiguous, single elements; another is contiguous in the source, and both are a quarter of a word | transpose |
//! | contiguous, repeats one element; steps back by one | fill; reverse, a word at a time |
//! | contiguous, single elements, of a byte each in the source; the other way round | narrow; widen, eight at once |
//! | contiguous | gather, a word of the destination at a time |
//! | anything else | piece by piece |

use super::super::kernels::bit_matrix::{self, BitMatrix};
use super::super::kernels::bit_runs::{self, WIDEST_GATHERED};
use super::super::loops::Loop;
use super::super::nest::{Nest, Packing};
use super::super::problem::Problem;
use super::odometer::for_each_iteration;

/// Walks all iterations of a nest in bits. With a small stack there are no transposes, whose tiles lie on the stack.
///
/// # Safety
/// P1 of the bytes that hold the bits; P2.
#[cold]
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run(nest: &Nest<'_>, packing: Packing, small_stack: bool, dst: *mut u8, src: *const u8) {
    let width = nest.width;
    match nest.loops {
        &[d, ref outer @ ..] if d.dst == width && width <= WIDEST_GATHERED => {
            let single = width == packing.element as i64;
            let tiles = single && !small_stack;
            // SAFETY: K8: the fastest loop, from each iteration of the others on, is bits that are reached (P1).
            unsafe {
                match outer.iter().position(|s| tiles && is_worth_it(&d, s, packing)) {
                    Some(at) => run_transposes(nest, d, outer, at, packing, dst, src),
                    None if single && d.src == 0 => {
                        for_each_iteration(outer, nest.dst_base, nest.src_base, |to, from| {
                            let value = packing.repeated(bit_runs::element(src, from, packing));
                            bit_runs::fill_run(dst, to, d.count * width, value, packing);
                        });
                    }
                    None if single && d.src == -width => {
                        for_each_iteration(outer, nest.dst_base, nest.src_base, |to, from| {
                            bit_runs::reverse_run(dst, to, src, from, d.count, packing);
                        });
                    }
                    None if single && d.src == 8 => {
                        for_each_iteration(outer, nest.dst_base, nest.src_base, |to, from| {
                            bit_runs::narrow(dst, to, src, from, d.count, packing);
                        });
                    }
                    None => for_each_iteration(outer, nest.dst_base, nest.src_base, |to, from| {
                        bit_runs::gather(dst, to, src, from, d, width, packing);
                    }),
                }
            }
        }
        &[Loop { count, dst: 8, src: step }, ref outer @ ..] if step == width && width == packing.element as i64 => {
            for_each_iteration(outer, nest.dst_base, nest.src_base, |to, from| {
                // SAFETY: K8: the fastest loop from an iteration of the others on (P1).
                unsafe { bit_runs::widen(dst, to, src, from, count, packing) };
            });
        }
        loops => for_each_iteration(loops, nest.dst_base, nest.src_base, |to, from| {
            // SAFETY: K8: one iteration (P1).
            unsafe { bit_runs::copy_run(dst, to, src, from, width, packing) };
        }),
    }
}

/// Whether a loop that is contiguous in the destination and this one form a transpose.
fn is_worth_it(d: &Loop, s: &Loop, packing: Packing) -> bool {
    let element = packing.element as i64;
    let quarter = 16 / element.max(1);
    s.src.checked_abs() == Some(element) && d.count.min(s.count) >= quarter
}

/// # Safety
/// P1 of the bytes that hold the bits; P2.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_transposes(
    nest: &Nest<'_>,
    along_dst: Loop,
    outer: &[Loop],
    at: usize,
    packing: Packing,
    dst: *mut u8,
    src: *const u8,
) {
    let mut around = Problem::nothing();
    around.set(&Nest { loops: &[], ..*nest });
    let mut along_src = Loop::ONCE;
    for (k, &l) in outer.iter().enumerate() {
        if k != at {
            around.loops.push(l);
        } else {
            along_src = if l.src < 0 { around.reversed(l) } else { l };
        }
    }
    let matrix = BitMatrix { along_dst, along_src };
    for_each_iteration(around.loops.as_slice(), around.dst_base, around.src_base, |to, from| {
        // SAFETY: K8: the two loops, from an iteration of the others on, are bits that are reached (P1).
        unsafe { bit_matrix::transpose(dst, to, src, from, &matrix, packing) };
    });
}
