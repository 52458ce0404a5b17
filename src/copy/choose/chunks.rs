//! Transposes whose elements are chunks: numbers whose bytes are swapped, pixels whose channels change their order.

use super::super::kernels::{self, Chunks, Family, Run};
use super::super::loops::{Loop, iterations};
use super::super::options::Options;
use super::super::problem::Problem;
use super::numbers::ELEMENTS_OF_CHUNKS;
use super::strips::strip;
use super::{Choice, choose};
use crate::machine::{Level, Machine};

/// A cheap first test: the fastest loop is contiguous in the destination and has a short step in the source.
#[inline(always)]
pub(super) fn could_be(problem: &Problem) -> bool {
    problem.loops.as_slice().first().is_some_and(|l| l.dst == problem.width && near(l.src))
}

/// The chunks that the loops `inner` form, for the best permutation kernel of this level.
pub(super) fn of(width: i64, inner: &[Loop], level: Level) -> Option<Chunks<'_>> {
    let kernel = kernels::KERNELS.get(kernels::find(Family::Permute, width, level)?)?;
    let Run::Chunks(run) = kernel.run else { return None };
    Chunks::new(run, kernel.level, width, inner)
}

fn near(step: i64) -> bool {
    (1..kernels::WIDEST_ELEMENT).contains(&step.saturating_abs())
}

/// Rule: **transpose** of chunks
/// - Takes: the first loops form a chunk without gaps on either side, its source bytes in any order; the other loops
///   transpose such chunks by the rows below. Each chunk is permuted as it leaves the stack.
/// - Limits: chunks of at most {WIDEST_ELEMENT} bytes; a call has at least {ELEMENTS_OF_CHUNKS} elements
/// - Not: with STRIDE_COPY_SMALL_STACK
#[inline(never)] // keeps its frame off the caller's stack
pub(super) fn transposed(problem: &mut Problem, options: &Options, bytes: u64, machine: &Machine) -> Option<Choice> {
    let (width, loops) = (problem.width, problem.loops.as_slice());
    let longest = loops.iter().take_while(|l| near(l.dst) && near(l.src)).count();
    let (taken, chunks) = (1..=longest).rev().find_map(|taken| {
        let (inner, others) = loops.split_at_checked(taken)?;
        let chunks = of(width, inner, options.level(machine.level))?;
        // A loop that continues the chunk on both sides makes a row of chunks, not a transpose.
        let goes_on = |step: i64| step.saturating_abs() == chunks.bytes;
        let first = others.first().filter(|l| l.dst == chunks.bytes && !goes_on(l.src));
        (first.is_some() && others.iter().any(|l| goes_on(l.src))).then_some((taken, chunks))
    })?;
    let Chunks { bytes: of_chunk, first, .. } = chunks;
    let all = core::mem::take(&mut problem.loops);
    let (inner, others) = all.as_slice().split_at_checked(taken)?;
    problem.loops.set(others);
    (problem.width, problem.src_base) = (of_chunk, problem.src_base.wrapping_sub(first));
    let choice = choose(problem, options, bytes, machine); // elements are wider now, so this ends
    let runs =
        choice.runs(problem.loops.as_slice()).map(|(dst, src, _)| iterations(dst).saturating_mul(iterations(src)));
    let chosen = core::mem::take(&mut problem.loops);
    inner.iter().chain(chosen.as_slice()).for_each(|&item| _ = problem.loops.push(item));
    (problem.width, problem.src_base) = (width, problem.src_base.wrapping_add(first));
    let enough = runs.is_some_and(|chunks| chunks.saturating_mul(iterations(inner)) >= ELEMENTS_OF_CHUNKS);
    if choice.kernel().family == Family::Transpose && enough {
        let choice = Choice { chunk: taken as u8, ..choice };
        return Some(Choice { strip: strip(&choice, of_chunk, 0, 0), ..choice });
    }
    problem.normalise();
    None
}
