//! A copy as data: the rows, rectangles or boxes that it consists of, for engines that move them.
//!
//! DMA engines, GPU queues (`vkCmdCopyBuffer`, `CopyTextureRegion`, `cudaMemcpy3D`) and network cards take lists of
//! regions: a row of bytes, several of them at a pitch on each side, several of these at another pitch. In normal form
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

mod kind;
pub(crate) mod plan_facts;
pub(crate) mod rules;
mod shortest;

use crate::copy::loops::Loop;
use crate::copy::nest::Reach;
use crate::copy::plan::PlanView;
use crate::copy::problem::Problem;
use crate::error::{Argument, Detail, Result, Status};
pub use kind::{Class, Kind};

/// A row of bytes, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// The begin of the first row, in bytes from the destination's base pointer.
    pub dst_offset: i64,
    /// Its begin from the source's.
    pub src_offset: i64,
    /// Bytes of a row.
    pub row_bytes: i64,
    /// The number of rows, and of rectangles, with both pitches; [`Loop::ONCE`] if there is one.
    pub loops: [Loop; 2],
}

/// Calls `run` with each copy in normal form that a plan consists of. INVALID_ARGUMENT if its words were changed;
/// UNSUPPORTED for flags that a list cannot keep, too many pieces, elements without a source, and runs that are not
/// whole bytes.
pub(crate) fn each_problem(plan: &PlanView<'_>, run: &mut dyn FnMut(&mut Problem) -> Result<()>) -> Result<()> {
    plan.options.check_elements_alone()?;
    check_reach(plan.reached.dst, plan.reached.src)?;
    plan.each_problem(run)
}

/// One past the last byte that any layout reaches (I4).
const FARTHEST: i64 = 1 << 60;

/// INVALID_ARGUMENT if a plan reaches what no layout does: its words were changed, and sums of its numbers may
/// overflow.
fn check_reach(dst: Reach, src: Reach) -> Result<()> {
    let beyond = [dst, src].into_iter().find(|reach| reach.lowest < 0 || reach.end > FARTHEST);
    let error = Status::InvalidArgument.of(Argument::Plan);
    beyond.map_or(Ok(()), |reach| Err(error.because(Detail::PlanWords, reach.lowest, reach.end)))
}

/// Makes a problem the loops of a plan in normal form; in the plan they are in the kernel's order. INVALID_ARGUMENT as
/// [`check_reach`].
fn set_normal(plan: &PlanView<'_>, problem: &mut Problem) -> Result<()> {
    check_reach(plan.reached.dst, plan.reached.src)?;
    problem.set(&plan.nest);
    problem.normalise();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_layout_reaches_below_its_pointer_or_past_2_60_bytes() {
        let reach = |lowest: i64, end: i64| Reach { lowest, highest: lowest, end };
        let fine = reach(0, 1 << 60);
        assert_eq!(check_reach(fine, fine), Ok(()));
        for wrong in [reach(-1, 1), reach(0, (1 << 60) + 1), reach(i64::MIN, i64::MAX)] {
            for (dst, src) in [(wrong, fine), (fine, wrong)] {
                let error = check_reach(dst, src).unwrap_err();
                assert_eq!((error.status, error.lhs, error.rhs), (Status::InvalidArgument, wrong.lowest, wrong.end));
            }
        }
    }
}
