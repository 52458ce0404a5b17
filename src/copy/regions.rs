//! A copy as data: the rows, rectangles or boxes that it consists of, for engines that move them.
//!
//! DMA engines, GPU queues (`vkCmdCopyBuffer`, `CopyTextureRegion`, `cudaMemcpy3D`) and network cards take lists of
//! blocks: a row of bytes, several of them at a pitch on each side, several of these at another pitch. In normal form
//! (`problem`) a copy is a row and loops around it. A region of rank 1, 2, 3 takes the row and none, one, two loops;
//! the loops that it does not take count the regions:
//!
//! ```text
//! regions = product of the counts of the other loops        so a region takes the longest loops
//! ```
//!
//! If the destination's loops are nested, there is no shorter list of equal rows. A rectangle or box is an arithmetic
//! progression of rows in one or two directions u and v. Each row is one iteration (t1, …, tk) of the loops, so `a`
//! steps along u need a loop with `a` iterations or more for each coordinate of u that is not 0, and `b` steps along v
//! likewise. If u and v have different directions they need two different loops, so a·b <= n1·n2 with the two longest.
//! If they have the same direction, all rows lie on a line, and there are at most n1. Unequal rows could be fewer, if
//! the ends of rows happen to meet on both sides.
//!
//! Pitches of the destination are positive; those of the source may be negative (mirrored) or 0 (repeated).

use super::classify::check_reach;
use super::execute::for_each_turn;
use super::loops::{Loop, Loops, turns};
use super::plan::PlanView;
use super::problem::Problem;
use super::tiled::{Pieces, Relayout, Share, TiledWords};
use crate::error::{Argument, Detail, Error, Result, Status};
use core::cmp::Reverse;
use core::ops::ControlFlow;

/// A row of bytes, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Where the first row begins, in bytes from the destination's base pointer.
    pub dst_offset: i64,
    /// The same for the source.
    pub src_offset: i64,
    /// Bytes of a row.
    pub row_bytes: i64,
    /// The number of rows, and of rectangles, with both pitches; [`Loop::ONCE`] if there is one.
    pub loops: [Loop; 2],
}

/// Pieces above which a copy with tiles gets no list: they are looked at one by one before the first is written.
const MOST_PIECES: usize = 4096;

/// The copy of a plan in normal form. INVALID_ARGUMENT if its words were changed; UNSUPPORTED for flags that a list
/// cannot keep.
pub fn problem_of_plan(plan: &PlanView<'_>, run: &mut dyn FnMut(&mut Problem) -> Result<()>) -> Result<()> {
    plan.options.check_elements_alone()?;
    let mut problem = Problem::nothing();
    plan.set_normal(&mut problem)?;
    run(&mut problem)
}

/// The copies of a relayout in normal form, box by box; UNSUPPORTED if there are too many.
#[inline(never)] // keeps its frame off the caller's stack
pub fn problems_of_relayout(words: TiledWords<'_>, run: &mut dyn FnMut(&mut Problem) -> Result<()>) -> Result<()> {
    let mut shapes = [None, None];
    let (relayout, options, _) = words.decode(&mut shapes)?;
    options.check_elements_alone()?;
    if relayout.fills() {
        // Elements that are filled have no source.
        let error = Error::new(Status::Unsupported).argument(Argument::Plan);
        return Err(error.because(Detail::NotEqual, -1, 0));
    }
    if relayout.is_empty() {
        return Ok(());
    }
    let reached = relayout.reached()?;
    check_reach(reached.dst, reached.src)?;
    check_pieces(&relayout)?;
    let mut pieces = Pieces::<64>::new(&relayout, &Share::ALL);
    let mut problem = Problem::nothing();
    while let Some(piece) = pieces.next() {
        relayout.set_problem(&piece, &mut problem);
        problem.normalise();
        run(&mut problem)?;
    }
    Ok(())
}

#[inline(never)] // keeps its frame off the caller's stack
fn check_pieces(relayout: &Relayout<'_>) -> Result<()> {
    if relayout.count_pieces(MOST_PIECES + 1) <= MOST_PIECES {
        return Ok(());
    }
    let error = Error::new(Status::Unsupported).argument(Argument::Plan);
    Err(error.because(Detail::TooManyPieces, MOST_PIECES as i64 + 1, MOST_PIECES as i64))
}

/// How many loops a region of this rank takes; INVALID_RANK.
pub fn loops_of(rank: u32) -> Result<usize> {
    let error = Error::new(Status::InvalidRank).argument(Argument::Rank);
    match rank {
        0 => Err(error.because(Detail::Below, 0, 1)),
        1..=3 => Ok(rank as usize - 1),
        _ => Err(error.because(Detail::Above, rank as i64, 3)),
    }
}

/// How many regions a problem in normal form consists of, each with `taken` loops; `put` gets them one by one until it
/// breaks. A list that is too short is not a failure: like a text that is too long for its buffer, it gets the
/// beginning, and the number is always the whole one.
pub fn regions(problem: &mut Problem, taken: usize, put: &mut dyn FnMut(Region) -> ControlFlow<()>) -> u64 {
    if problem.width == 0 {
        return 0;
    }
    bring_longest(&mut problem.loops, taken);
    let loops = problem.loops.as_slice();
    let (own, others) = loops.split_at_checked(taken).unwrap_or((loops, &[]));
    let at = |k: usize| own.get(k).copied().unwrap_or(Loop::ONCE);
    let (own, row_bytes) = ([at(0), at(1)], problem.width);
    for_each_turn(others, problem.dst_base, problem.src_base, |dst_offset, src_offset| {
        put(Region { dst_offset, src_offset, row_bytes, loops: own })
    });
    turns(others) as u64
}

/// Brings the longest loops to the front, the faster one of equally long loops; they stay in destination order. Of two
/// that are equal in that order the longer one comes first.
fn bring_longest(loops: &mut Loops, taken: usize) {
    for to in 0..taken {
        let rest = loops.as_slice().iter().enumerate().skip(to);
        let Some((at, _)) = rest.max_by_key(|&(k, l)| (l.count, Reverse(k))) else { return };
        loops.bring(at, to);
    }
    if let [first, second, ..] = loops.as_slice()
        && taken == 2
        && second.order() < first.order()
    {
        loops.bring(1, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn problem(width: i64, loops: &[(i64, i64, i64)]) -> Problem {
        let mut problem = Problem { width, dst_base: 0, src_base: 0, loops: Loops::new() };
        for &(count, dst, src) in loops {
            problem.loops.push(Loop { count, dst, src });
        }
        problem
    }

    fn all(loops: &[(i64, i64, i64)], rank: usize) -> (u64, Vec<Region>) {
        let mut list = Vec::new();
        let count = regions(&mut problem(4, loops), rank - 1, &mut |region| {
            list.push(region);
            ControlFlow::Continue(())
        });
        (count, list)
    }

    #[test]
    fn the_longest_loops_are_the_region_s_own() {
        let loops = [(3, 8, 4), (10, 100, 200), (2, 1000, 5000), (7, 4000, 16000)];
        for (rank, count) in [(1, 420), (2, 42), (3, 6)] {
            let (told, list) = all(&loops, rank);
            assert_eq!((told, list.len()), (count, count as usize));
        }
        let (_, list) = all(&loops, 3);
        let own = [Loop { count: 10, dst: 100, src: 200 }, Loop { count: 7, dst: 4000, src: 16000 }];
        assert!(list.iter().all(|region| region.loops == own && region.row_bytes == 4));
        let offsets: Vec<_> = list.iter().map(|region| (region.dst_offset, region.src_offset)).collect();
        assert_eq!(offsets, [(0, 0), (8, 4), (16, 8), (1000, 5000), (1008, 5004), (1016, 5008)]);
        // The longer of two is the slower one: both stay in destination order.
        assert_eq!(all(&[(2, 8, 4), (9, 100, 4)], 3).1[0].loops.map(|l| l.count), [2, 9]);
        assert_eq!(all(&[(2, 8, 4), (9, 8, -4)], 3).1[0].loops.map(|l| l.count), [9, 2]);
        assert_eq!(
            all(&[], 3),
            (1, std::vec![Region { dst_offset: 0, src_offset: 0, row_bytes: 4, loops: [Loop::ONCE; 2] }])
        );
    }

    #[test]
    fn a_full_list_ends_the_walk_and_not_the_count() {
        let mut seen = 0;
        let loops = [(1 << 20, 8, 4), (1 << 20, 1 << 24, 1 << 24), (1 << 20, 1 << 45, 1 << 45)];
        let count = regions(&mut problem(4, &loops), 0, &mut |_| {
            seen += 1;
            if seen < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!((count, seen), (1 << 60, 3));
    }
}
