//! Elements that a list takes, if they are blocks of bytes: pixels whose channels change their order, in one pass.

use super::super::choose::choose;
use super::super::kernels::{FILLED, Family, KERNELS, Permutation, Run, WIDEST_BLOCK, find};
use super::super::loops::Loop;
use super::super::nest::Reached;
use super::super::options::Options;
use super::super::problem::Problem;
use super::super::tiled::{Relayout, Share, Side};
use super::{Dst, Src, for_each_turn, run as run_loops};
use crate::machine::Machine;
use core::ops::ControlFlow;

/// Runs a share of a relayout whose source a list takes, if its elements along that dimension are a block of at most a
/// register on both sides; `false`: nothing was done.
///
/// # Safety The reach of both sides was proved to lie in the buffers; their ranges are apart, or no byte that is
/// written is read.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_pixels(relayout: &Relayout<'_>, options: &Options, share: &Share, dst: Dst, src: Src) -> bool {
    let (Side::Strided { base, strides }, Side::Taken(taken)) = (&relayout.dst, &relayout.src) else { return false };
    let level = options.level(Machine::this().level);
    let kernel = find(Family::Permute, 1, level).and_then(|number| KERNELS.get(number));
    let Some(Run::Blocks(kernel)) = kernel.map(|kernel| kernel.run) else { return false };
    // Elements are contiguous; those of the source in either direction.
    let along = |strides: &[i64]| strides.get(taken.axis).copied().unwrap_or(0);
    let (step, width) = (if taken.size == 1 { 1 } else { along(taken.strides) }, relayout.width);
    let lie_so = relayout.part == 0
        && share.dimension != taken.axis
        && (taken.list.len() == 1 || along(strides) == 1)
        && matches!(step, 1 | -1)
        && taken.size >= 1
        && taken.list.len() as i64 * width > 1 // a row of single bytes would be one run below
        && taken.size.max(taken.list.len() as i64).saturating_mul(width) <= WIDEST_BLOCK as i64 / 2;
    if !lie_so {
        return false;
    }
    let (mut list, mut fills, mut bytes) = ([0u8; WIDEST_BLOCK / 2], [0u8; WIDEST_BLOCK / 2], 0);
    for &index in taken.list {
        let place = if step < 0 { taken.size - 1 - index } else { index } * width;
        for byte in 0..width {
            if let (Some(slot), Some(fill)) = (list.get_mut(bytes), fills.get_mut(bytes)) {
                *slot = if index < 0 { FILLED } else { (place + byte) as u8 };
                // The value starts over with each element.
                *fill = options.fill.get(byte as usize % 16).copied().unwrap_or(0);
            }
            bytes += 1;
        }
    }
    let src_base = if step < 0 { taken.base - (taken.size - 1) } else { taken.base };
    let mut problem = Problem::nothing();
    (problem.width, problem.dst_base, problem.src_base) = (1, base * width, src_base * width);
    let steps = strides.iter().zip(taken.strides);
    for (dimension, (&size, (&to, &from))) in relayout.sizes.iter().zip(steps).enumerate() {
        let turns = if dimension == share.dimension { share.turns.clone() } else { 0..size };
        if dimension != taken.axis && size > 1 {
            let (to, from) = (to * width, from * width);
            problem.dst_base += turns.start * to;
            problem.src_base += turns.start * from;
            problem.loops.push(Loop { count: turns.end - turns.start, dst: to, src: from });
        }
    }
    problem.normalise();
    let loops = problem.loops.as_slice();
    let (row, outer) = loops.split_first().map_or((Loop::ONCE, loops), |(&row, outer)| (row, outer));
    let list = list.get(..bytes).unwrap_or(&[]);
    let Some(blocks) = Permutation::of_list(list, (taken.size * width) as usize, row, level, &fills) else {
        return false;
    };
    for_each_turn(outer, problem.dst_base, problem.src_base, |to, from| {
        // SAFETY: rows of blocks within what was proved; an iteration of the list's dimension is a block.
        unsafe {
            kernel(dst.base.wrapping_offset(to as isize), src.base.wrapping_offset(from as isize), &blocks);
        }
        ControlFlow::Continue(())
    });
    true
}

/// Gives the elements of a piece the fill value; its loops count whole elements.
///
/// # Safety
/// The reach of the destination was proved to lie in the buffer.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn fill_piece(problem: &mut Problem, options: &Options, reached: &Reached, dst: Dst) {
    let (mut whole, machine) = (Problem::nothing(), Machine::this());
    whole.set(&problem.nest());
    let long = whole.width / 16;
    // An element longer than the value repeats it from its first byte on.
    for (first, bytes, count) in [(0, whole.width.min(16), long.max(1)), (long.max(1) * 16, whole.width % 16, 1)] {
        if bytes == 0 || first >= whole.width {
            continue;
        }
        problem.set(&whole.nest());
        (problem.width, problem.dst_base) = (bytes, whole.dst_base + first);
        problem.loops.push(Loop { count, dst: 16, src: 0 });
        problem.normalise();
        let choice = choose(problem, options, reached.bytes, &machine);
        // SAFETY: as promised to this function; the value has 16 bytes.
        unsafe { run_loops(choice, &problem.nest(), dst.base, options.fill.as_ptr()) };
    }
}
