//! Transposes whose elements are blocks: numbers whose bytes are swapped, pixels whose channels change their order.

use super::super::kernels::{self, Blocks, Family, Run};
use super::super::loops::{Loop, turns};
use super::super::options::Options;
use super::super::problem::Problem;
use super::numbers::ELEMENTS_OF_BLOCKS;
use super::strips::strip;
use super::{Choice, choose};
use crate::machine::{Level, Machine};

/// Minimum bytes of a copy for such a transpose.
pub(super) const LEAST: u64 = ELEMENTS_OF_BLOCKS as u64;

/// A cheap first test: the fastest loop is contiguous in the destination and has a short step in the source.
#[inline(always)]
pub(super) fn could_be(problem: &Problem) -> bool {
    problem.loops.as_slice().first().is_some_and(|l| l.dst == problem.width && near(l.src))
}

/// The blocks that the loops `inner` form, for the best permutation kernel of this level.
pub(super) fn of(width: i64, inner: &[Loop], level: Level) -> Option<Blocks<'_>> {
    let kernel = kernels::KERNELS.get(kernels::find(Family::Permute, width, level)?)?;
    let Run::Blocks(run) = kernel.run else { return None };
    Blocks::new(run, kernel.level, width, inner)
}

fn near(step: i64) -> bool {
    (1..kernels::WIDEST_ELEMENT).contains(&step.saturating_abs())
}

/// Rule: **transpose** of blocks, if the first loops form a block of at most 16 bytes that is contiguous on both sides
/// (in the source in any order and direction), the other loops transpose such blocks by the lines below, and one call
/// has at least 1,024 elements. Each block is permuted as it leaves the stack.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) fn transposed(problem: &mut Problem, options: &Options, bytes: u64, machine: &Machine) -> Option<Choice> {
    let (width, loops) = (problem.width, problem.loops.as_slice());
    let longest = loops.iter().take_while(|l| near(l.dst) && near(l.src)).count();
    let (taken, blocks) = (1..=longest).rev().find_map(|taken| {
        let (inner, others) = loops.split_at_checked(taken)?;
        let blocks = of(width, inner, options.level(machine.level))?;
        // A loop that continues the block on both sides makes a row of blocks, not a transpose.
        let goes_on = |step: i64| step.saturating_abs() == blocks.bytes;
        let first = others.first().filter(|l| l.dst == blocks.bytes && !goes_on(l.src));
        (first.is_some() && others.iter().any(|l| goes_on(l.src))).then_some((taken, blocks))
    })?;
    let Blocks { bytes: of_block, first, .. } = blocks;
    let all = core::mem::take(&mut problem.loops);
    let (inner, others) = all.as_slice().split_at_checked(taken)?;
    problem.loops.set(others);
    (problem.width, problem.src_base) = (of_block, problem.src_base.wrapping_sub(first));
    let choice = choose(problem, options, bytes, machine); // elements are wider now, so this ends
    let runs = choice.runs(problem.loops.as_slice()).map(|(dst, src, _)| turns(dst).saturating_mul(turns(src)));
    let chosen = core::mem::take(&mut problem.loops);
    inner.iter().chain(chosen.as_slice()).for_each(|&item| _ = problem.loops.push(item));
    (problem.width, problem.src_base) = (width, problem.src_base.wrapping_add(first));
    let enough = runs.is_some_and(|blocks| blocks.saturating_mul(turns(inner)) >= ELEMENTS_OF_BLOCKS);
    if choice.kernel().family == Family::Transpose && enough {
        let choice = Choice { block: taken as u8, ..choice };
        return Some(Choice { strip: strip(&choice, of_block, 0, 0), ..choice });
    }
    problem.normalise();
    None
}
