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
use super::loops::Loop;
use super::plan::PlanView;
use super::problem::Problem;
use super::tiled::{Pieces, Relayout, Share, TiledWords};
use crate::error::{Argument, Detail, Error, Result, Status};

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
