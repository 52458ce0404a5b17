//! The shortest list of regions that keeps the rules.
//!
//! ```text
//! row     a row longer than row_bytes_max becomes pieces, which are one more loop, and a rest
//! image   a loop that goes on after the end of a row or layer of an image becomes two, one of which ends there
//! region  of all loops and ordered pairs of them that keep the rules as rows and slices: the fewest regions
//! others  their trip counts count the regions; each begins at an aligned byte if the base and their steps are aligned
//! ```
//!
//! Everything that can be wrong with a region is known before the first one is written: the offset of every region is
//! the base plus steps of the loops that are not its own, so a step that is not aligned makes a region that is not.

use super::Region;
use super::rules::{IMAGE, NESTED, NO_NEGATIVE, NO_REPEATS, RegionRules, SLICE_MULTIPLE};
use crate::copy::execute::try_each_iteration;
use crate::copy::loops::{Loop, Loops};
use crate::copy::problem::Problem;
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::arith::{gcd, least_common_multiple};
use core::ops::ControlFlow;

/// Whether `of` divides `number`; 0 counts as 1.
#[inline(never)]
fn divides(of: u64, number: i64) -> bool {
    of <= 1 || number.unsigned_abs().is_multiple_of(of)
}

/// The largest multiple of `step` up to `limit`.
fn round_down(limit: u64, step: u64) -> u64 {
    let step = step.max(1);
    limit / step * step
}

fn steps(l: &Loop) -> [i64; 2] {
    [l.dst, l.src]
}

/// The step on one side.
fn step_of(l: &Loop, side: usize) -> i64 {
    steps(l).get(side).copied().unwrap_or(0)
}

/// Makes two loops of each that goes on after `length` bytes of a side, if one of them can end there.
#[inline(never)] // small rather than fast
fn cut_loops(loops: &mut Loops, side: usize, length: u64) {
    let mut at = 0;
    while let Some(of) = loops.as_mut_slice().get_mut(at) {
        at += 1;
        let step = step_of(of, side).unsigned_abs();
        let Some(iterations) = length.checked_div(step).and_then(|iterations| i64::try_from(iterations).ok()) else {
            continue;
        };
        let Some(rounds) = of.count.checked_div(iterations).filter(|&rounds| rounds > 1 && iterations > 1) else {
            continue;
        };
        if iterations as u64 * step == length && iterations * rounds == of.count {
            let outer = Loop { count: rounds, dst: of.dst * iterations, src: of.src * iterations };
            of.count = iterations;
            loops.insert_before(outer, |other| other.order() > outer.order());
        }
    }
}

/// The rows of a problem among layers, or rows of an image, which have `length` bytes of a side each: whether all of
/// them lie in one place of several layers, and whether none passes the end of a layer.
#[inline(never)] // small rather than fast
fn within(problem: &Problem, side: usize, length: u64) -> (bool, bool) {
    let length = i64::try_from(length).unwrap_or(i64::MAX).max(1);
    let base = if side == 0 { problem.dst_base } else { problem.src_base };
    let (mut lowest, mut highest) = (base, base.saturating_add(problem.width - 1));
    let mut places = gcd(base.unsigned_abs(), length as u64);
    for l in problem.loops.as_slice() {
        let step = step_of(l, side);
        if divides(length as u64, step) {
            continue; // leads to the same place of another layer
        }
        let reach = (l.count - 1).saturating_mul(step);
        lowest = lowest.saturating_add(reach.min(0));
        highest = highest.saturating_add(reach.max(0));
        places = gcd(places, step.unsigned_abs());
    }
    let one = lowest >= 0 && lowest.checked_div(length) == highest.checked_div(length);
    // Else every row begins at a multiple of `places`, which divides the layer.
    (one, one || problem.width as u64 <= places)
}

/// One loop in pieces: the loop, and the iterations of a piece.
#[derive(Clone, Copy)]
struct Axis {
    of: Loop,
    piece: i64,
}

impl Axis {
    const ONCE: Self = Self { of: Loop::ONCE, piece: 1 };

    fn pieces(&self) -> u64 {
        (self.of.count as u64).div_ceil(self.piece.max(1) as u64)
    }
}

/// The loops that a region takes, as places in the problem's list, and their pieces.
#[derive(Clone, Copy)]
struct Chosen {
    own: [Option<usize>; 2],
    axes: [Axis; 2],
    /// Iterations of the other loops, times pieces; saturated.
    regions: u64,
}

/// The loops of a problem that a region does not take.
fn others(problem: &Problem, own: [Option<usize>; 2]) -> impl Iterator<Item = &Loop> {
    problem.loops.as_slice().iter().enumerate().filter(move |(k, _)| !own.contains(&Some(*k))).map(|(_, l)| l)
}

impl RegionRules {
    /// The number of regions that a problem in normal form consists of; `put` gets them one by one until it breaks. A
    /// list that is too short is not a failure: it gets the first regions, and the number is that of all of them.
    /// UNSUPPORTED, before the first region, if not even rows keep the rules. The problem is changed.
    pub(crate) fn regions(&self, problem: &mut Problem, put: &mut dyn FnMut(Region) -> ControlFlow<()>) -> Result<u64> {
        if problem.width == 0 {
            return Ok(0);
        }
        let (piece, pieces, rest) = self.cut_row(problem.width)?;
        let cut = Loop { count: pieces, dst: piece, src: piece };
        let mut last = Problem::nothing();
        last.set(&problem.nest());
        (last.width, last.dst_base, last.src_base) =
            (rest, last.dst_base + pieces * piece, last.src_base + pieces * piece);
        problem.width = piece;
        if pieces > 1 {
            problem.loops.insert_before(cut, |_| true);
        }
        self.cut_at_image(problem)?;
        if rest != 0 {
            self.cut_at_image(&mut last)?;
        }
        let first = self.fewest(problem)?;
        let second = if rest == 0 { None } else { Some(self.fewest(&last)?) };
        let count = first.regions.saturating_add(second.map_or(0, |chosen| chosen.regions));
        if first.emit(problem, put).is_continue()
            && let Some(chosen) = second
        {
            let _ = chosen.emit(&mut last, put);
        }
        Ok(count)
    }

    /// Bytes of a piece of a row, the number of pieces, and the rest.
    #[inline(never)] // small rather than fast
    fn cut_row(&self, width: i64) -> Result<(i64, i64, i64)> {
        let error = Status::Unsupported.of(Argument::Plan);
        let (aligned, limit) = (self.row_bytes_alignment as u64, self.row_bytes_max);
        error.unless(divides(aligned, width), Detail::RegionRow, width, aligned as i64)?;
        if limit == 0 || width as u64 <= limit {
            return Ok((width, 1, 0));
        }
        // Pieces with aligned offsets, if there are such; rows of an image are as long as they are.
        let [dst, src] = self.offset_alignment.map(|alignment| alignment as u64);
        let offsets = least_common_multiple(aligned, least_common_multiple(dst, src));
        let offsets = if self.flags.iter().any(|flags| flags & IMAGE != 0) { aligned } else { offsets };
        let piece = match round_down(limit, offsets) {
            0 => round_down(limit, aligned),
            piece => piece,
        };
        let piece = piece as i64; // below the width
        match (width.checked_div(piece), width.checked_rem(piece)) {
            (Some(pieces), Some(rest)) => Ok((piece, pieces, rest)),
            _ => Err(error.because_wide(Detail::RegionCut, limit as i128, aligned as i128)),
        }
    }

    /// Ends loops where rows and layers of images end. UNSUPPORTED where a row of the copy would pass such an end.
    #[inline(never)] // small rather than fast
    fn cut_at_image(&self, problem: &mut Problem) -> Result<()> {
        let row = self.row_bytes_max;
        let images = self.flags.iter().enumerate().filter(|&(_, flags)| flags & IMAGE != 0 && row != 0);
        for (side, _) in images {
            cut_loops(&mut problem.loops, side, row);
            cut_loops(&mut problem.loops, side, row.saturating_mul(self.rows_max));
            let error = Status::Unsupported.of(Argument::Plan);
            error.unless(within(problem, side, row).1, Detail::RegionImage, problem.width as i128, row as i128)?;
        }
        Ok(())
    }

    /// The pitches that rows and slices of a side must have; 0: any.
    #[inline(never)] // small rather than fast
    fn exact_pitches(&self, problem: &Problem, side: usize) -> [u64; 2] {
        let pitches = problem.loops.as_slice().iter().map(|l| step_of(l, side).unsigned_abs());
        let layer = self.row_bytes_max.saturating_mul(self.rows_max);
        match (self.flags.get(side).is_some_and(|flags| flags & IMAGE != 0), self.row_bytes_max) {
            (false, _) => [0, 0],
            // The length of its rows is not given: it is the pitch of the fastest loop.
            (true, 0) => [pitches.filter(|&pitch| pitch != 0).min().unwrap_or(0), 0],
            // Rows that begin in one layer may end in another, so each is alone.
            (true, _) if layer != 0 && !within(problem, side, layer).0 => [u64::MAX, u64::MAX],
            (true, row) => [row, layer],
        }
    }

    /// The loops that leave the fewest regions; of several such choices the first one, with the fewest loops.
    /// UNSUPPORTED if not even single rows keep the rules.
    #[inline(never)] // small rather than fast
    fn fewest(&self, problem: &Problem) -> Result<Chosen> {
        let exact = [self.exact_pitches(problem, 0), self.exact_pitches(problem, 1)];
        let rank = if self.rank_max == 0 { 3 } else { self.rank_max };
        let loops = problem.loops.as_slice().len();
        let rows = (0..if rank > 1 { loops } else { 0 }).map(|first| [Some(first), None]);
        let boxes = (0..if rank > 2 { loops } else { 0 }).flat_map(|first| {
            (0..loops).filter(move |&second| second != first).map(move |second| [Some(first), Some(second)])
        });
        let all = core::iter::once([None; 2]).chain(rows).chain(boxes);
        let fewest = all.filter_map(|own| self.chosen(problem, own, &exact)).min_by_key(|chosen| chosen.regions);
        fewest.ok_or_else(|| self.stray(problem, [None; 2]).unwrap_or(Status::Unsupported.of(Argument::Plan)))
    }

    /// UNSUPPORTED with the offset of a region that is not aligned, and to what, if these loops are its own.
    fn stray(&self, problem: &Problem, own: [Option<usize>; 2]) -> Option<Error> {
        let sides = [(Detail::RegionDstOffset, problem.dst_base), (Detail::RegionSrcOffset, problem.src_base)];
        sides.into_iter().zip(self.offset_alignment).enumerate().find_map(|(side, ((detail, base), alignment))| {
            let steps = others(problem, own).map(|l| step_of(l, side));
            let mut ways = core::iter::once(0).chain(steps); // from the base
            let way = ways.find(|way| !divides(alignment as u64, base + way))?;
            Some(Status::Unsupported.of(Argument::Plan).because(detail, base + way, alignment as i64))
        })
    }

    /// A region with these loops as rows and slices, if the rules allow it.
    #[inline(never)] // small rather than fast
    fn chosen(&self, problem: &Problem, own: [Option<usize>; 2], exact: &[[u64; 2]; 2]) -> Option<Chosen> {
        if self.stray(problem, own).is_some() {
            return None;
        }
        let mut regions = others(problem, own).fold(1u64, |regions, l| regions.saturating_mul(l.count as u64));
        let mut axes = [Axis::ONCE; 2];
        let limits = [self.rows_max, self.slices_max];
        let mut inside = Loop { count: problem.width, dst: 1, src: 1 };
        for (level, (axis, &number)) in axes.iter_mut().zip(&own).enumerate() {
            let Some(&of) = number.and_then(|number| problem.loops.as_slice().get(number)) else { break };
            *axis = Axis { of, piece: self.piece_of(&of, *limits.get(level)?)? };
            if !self.allows(level, &of, &inside, exact) {
                return None;
            }
            regions = regions.saturating_mul(axis.pieces());
            inside = Loop { count: axis.piece, ..of };
        }
        Some(Chosen { own, axes, regions })
    }

    /// Iterations of a loop in one region.
    fn piece_of(&self, l: &Loop, limit: u64) -> Option<i64> {
        if limit == 0 || l.count as u64 <= limit {
            return Some(l.count);
        }
        // This many iterations lead from one aligned offset to the next.
        let iterations = steps(l).iter().zip(&self.offset_alignment).fold(1, |iterations, (step, &alignment)| {
            let alignment = (alignment as u64).max(1);
            least_common_multiple(iterations, alignment / gcd(step.unsigned_abs(), alignment).max(1))
        });
        Some(round_down(limit, iterations) as i64).filter(|&piece| piece > 0)
    }

    /// Whether a loop may be the rows (level 0) or the slices (1) around `inside`.
    #[inline(never)] // small rather than fast
    fn allows(&self, level: usize, of: &Loop, inside: &Loop, exact: &[[u64; 2]; 2]) -> bool {
        let sides = steps(of).into_iter().zip(steps(inside)).enumerate();
        sides.into_iter().all(|(side, (pitch, inner))| {
            let flags = self.flags.get(side).copied().unwrap_or(0);
            let on = |flag: u32| flags & flag != 0;
            let alignment = self.pitch_alignment.get(side).copied().unwrap_or(0);
            let most = if level == 0 { self.pitch_max.get(side).copied().unwrap_or(0) } else { 0 };
            let exact = exact.get(side).and_then(|exact| exact.get(level)).copied().unwrap_or(0);
            let taken = inner.unsigned_abs().saturating_mul(inside.count as u64);
            (pitch >= 0 || !on(NO_NEGATIVE))
                && (pitch != 0 || !on(NO_REPEATS))
                && (pitch.unsigned_abs() >= taken || !on(NESTED))
                && (level == 0 || !on(SLICE_MULTIPLE) || pitch.unsigned_abs().is_multiple_of(inner.unsigned_abs()))
                && divides(alignment as u64, pitch)
                && (most == 0 || pitch.unsigned_abs() <= most)
                && (exact == 0 || u64::try_from(pitch) == Ok(exact))
        })
    }
}

impl Chosen {
    /// The regions of its problem, one by one.
    #[inline(never)] // small rather than fast
    fn emit(&self, problem: &mut Problem, put: &mut dyn FnMut(Region) -> ControlFlow<()>) -> ControlFlow<()> {
        let [rows, slices] = self.axes;
        let [first, second] = self.own;
        let mut taken = 0;
        for at in [first.min(second), first.max(second)].into_iter().flatten() {
            problem.loops.bring(at, taken); // the lower one first
            taken += 1;
        }
        let others = problem.loops.as_slice().get(taken..).unwrap_or(&[]);
        try_each_iteration(others, problem.dst_base, problem.src_base, |dst, src| {
            pieces(&slices, |slice, slices| {
                pieces(&rows, |row, rows| {
                    put(Region {
                        dst_offset: dst + row * rows.dst + slice * slices.dst,
                        src_offset: src + row * rows.src + slice * slices.src,
                        row_bytes: problem.width,
                        loops: [if slices.count > 1 { rows } else { once(rows) }, once(slices)],
                    })
                })
            })
        })
    }
}

/// A loop of one iteration without pitches.
fn once(l: Loop) -> Loop {
    if l.count == 1 { Loop::ONCE } else { l }
}

/// Calls `run` with the first iteration of each piece and the loop that the piece is.
fn pieces(axis: &Axis, mut run: impl FnMut(i64, Loop) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut first = 0;
    while first < axis.of.count {
        let count = axis.piece.max(1).min(axis.of.count - first);
        run(first, Loop { count, ..axis.of })?;
        first += count;
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn problem(width: i64, loops: &[(i64, i64, i64)]) -> Problem {
        let mut problem = Problem { width, ..Problem::nothing() };
        for &(count, dst, src) in loops {
            problem.loops.push(Loop { count, dst, src });
        }
        problem
    }

    fn all(loops: &[(i64, i64, i64)], rank: u32) -> (u64, Vec<Region>) {
        let mut list = Vec::new();
        let rules = RegionRules::of_rank(rank).unwrap();
        let count = rules.regions(&mut problem(4, loops), &mut |region| {
            list.push(region);
            ControlFlow::Continue(())
        });
        (count.unwrap(), list)
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
        assert_eq!(
            all(&[], 3),
            (1, std::vec![Region { dst_offset: 0, src_offset: 0, row_bytes: 4, loops: [Loop::ONCE; 2] }])
        );
    }

    #[test]
    fn a_full_list_ends_the_walk_and_not_the_count() {
        let mut seen = 0;
        let loops = [(1 << 20, 8, 4), (1 << 20, 1 << 24, 1 << 24), (1 << 20, 1 << 45, 1 << 45)];
        let count = RegionRules::of_rank(1).unwrap().regions(&mut problem(4, &loops), &mut |_| {
            seen += 1;
            if seen < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!((count, seen), (Ok(1 << 60), 3));
    }
}
