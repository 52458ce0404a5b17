//! The walk: an odometer over the outer loops, the kernel inside.

use super::super::choose::Choice;
use super::super::kernels::{self, Family, Permutation, Permute, Run, Store};
use super::super::loops::Loop;
use super::super::nest::{Nest, Unit};
use super::bit_walk;
use super::matrices::run_matrices;
use super::odometer::for_each_place;
use super::stage::{self, Past, run_direct};
use super::tile_stage::{Change, Tiles};

/// Runs a kernel over all iterations of a problem.
///
/// # Safety
/// P1 to P3, of this nest from these base pointers.
#[inline(always)] // a stack frame of its own would cost small copies
pub(super) unsafe fn run(choice: Choice, nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
    if let Unit::Bits(packing) = nest.unit {
        // SAFETY: P1, P2.
        return unsafe { bit_walk::run(nest, packing, choice.small_stack, dst, src) };
    }
    // A plan may have been made for another machine (K1); the portable kernel takes any loops (K2).
    let choice = if choice.kernel().level.is_here() { choice } else { Choice::anywhere(nest.width) };
    let (to, from) = nest.begin(dst, src);
    // SAFETY: P1 to P3, from the first elements on. K1: the level is here, or the kernel portable; K2 by P3; K3 by P1.
    // One run is an element of both sides (P1).
    unsafe {
        match choice.kernel().run {
            Run::Tile(kernel) => {
                run_matrices(&Tiles::new(kernel, choice.kernel().level, Change::Nothing), &choice, nest, to, from)
            }
            Run::Chunks(kernel) => run_permutations(kernel, choice, nest, to, from),
            Run::Inner(run) => {
                let (kernel, hints) = (choice.kernel(), choice.hints);
                if choice.store == Store::Past && !(choice.small_stack && kernel.family != Family::Rows) {
                    stage::run_past(Past { kernel, run, hints }, nest, to, from);
                } else if nest.loops.is_empty() {
                    // The one element. Not `copy_nonoverlapping`: the caller may have vouched for too much (K6).
                    core::ptr::copy(from, to, nest.width as usize);
                } else {
                    run_direct(run, kernel.family, hints, nest, to, from);
                }
            }
        }
    }
    if choice.store.is_past() {
        kernels::fence();
    }
}

/// [`run`] out of line, for copies that are not small.
///
/// # Safety
/// P1 to P3, of this nest from these base pointers.
#[inline(never)] // once in the library
pub(super) unsafe fn run_large(choice: Choice, nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
    // SAFETY: P1 to P3.
    unsafe { run(choice, nest, dst, src) };
}

/// [`run`] for chunks that are one permutation, from the first elements on.
///
/// # Safety
/// P1 to P3, of this nest from these pointers on; the CPU has the kernel's level.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_permutations(kernel: Permute, choice: Choice, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    let Some((inner, rows)) = nest.loops.split_at_checked(choice.dst_run as usize) else { return };
    let (row, outer) = rows.split_first().map_or((Loop::ONCE, rows), |(row, outer)| (*row, outer));
    let level = choice.kernel().level;
    let Some(chunks) = Permutation::new(nest.width, inner, row, level) else { return };
    // SAFETY: K1 by the caller; K2: the permutation is made for it; K3: a row of chunks is iterations (P1).
    for_each_place(outer, to, from, |to, from| unsafe { kernel(to, from, &chunks) });
}
