//! Runs of indices along a dimension: the indices of an object that a side has, in the side's order.
//!
//! The runs follow each other; a run is `count` indices, `step` apart. A list is runs of one index, a roll two runs, a
//! range of elements one run along the only dimension of their numbers. A run that begins at −1 is the fill value.
//!
//! Runs may lie in a caller's memory, where another thread can change them after they were proved, so each number is
//! read once whenever it is used, and checked again (`Cursor::line`).

use super::super::lent::once;
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::overlap::{self, Effort, Occupied};

/// `count` indices along a dimension, `step` apart; −1, with a step of 0: the fill value `count` times.
///
/// ```
/// use stride::IndexRun;
/// assert_eq!(IndexRun::from(3..7), IndexRun { first: 3, step: 1, count: 4 });
/// assert_eq!(IndexRun::from(5), IndexRun { first: 5, step: 1, count: 1 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct IndexRun {
    /// The first index, or −1.
    pub first: i64,
    /// From one index to the next.
    pub step: i64,
    /// How many; 0 or more.
    pub count: i64,
}

impl From<i64> for IndexRun {
    /// One index.
    fn from(first: i64) -> Self {
        Self { first, step: 1, count: 1 }
    }
}

impl From<core::ops::Range<i64>> for IndexRun {
    /// Neighbours; none if the range is empty.
    fn from(range: core::ops::Range<i64>) -> Self {
        Self { first: range.start, step: 1, count: range.end.saturating_sub(range.start).max(0) }
    }
}

impl IndexRun {
    /// Whether it is the fill value.
    #[inline(always)]
    pub(crate) fn fills(self) -> bool {
        self.first == -1 && (self.step == 0 || self.count == 1)
    }

    /// The last index; saturated.
    fn last(self) -> i64 {
        let last = self.first as i128 + (self.count as i128 - 1) * self.step as i128;
        last.clamp(i64::MIN as i128, i64::MAX as i128) as i64
    }

    /// The index that does not lie in `0..size`, if there is one.
    pub(crate) fn outside(self, size: i64) -> Option<i64> {
        if self.count <= 0 || self.fills() {
            return None;
        }
        [self.first, self.last()].into_iter().find(|index| !(0..size).contains(index))
    }

    /// Without its first `done` indices.
    fn after(self, done: i64) -> Self {
        Self { first: self.first.wrapping_add(self.step.wrapping_mul(done)), count: self.count - done, ..self }
    }
}

/// Runs, by the memory that they are in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Runs<'a> {
    /// One alone.
    One(IndexRun),
    /// In the memory of a caller.
    List(&'a [IndexRun]),
    /// In the words of a plan, three each: first, step, count.
    Triples(&'a [i64]),
    /// In the words of a plan: single indices.
    Indices(&'a [i64]),
}

impl<'a> Runs<'a> {
    /// Their number.
    pub fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::List(runs) => runs.len(),
            Self::Triples(numbers) => numbers.len() / 3,
            Self::Indices(indices) => indices.len(),
        }
    }

    /// One of them; past the last an empty one.
    #[inline(always)]
    pub(crate) fn get(&self, k: usize) -> IndexRun {
        match self {
            Self::One(run) => *run,
            Self::List(runs) => runs.get(k).map_or(IndexRun::default(), |run| IndexRun {
                first: once(&run.first),
                step: once(&run.step),
                count: once(&run.count),
            }),
            Self::Triples(numbers) => match numbers.get(3 * k..3 * k + 3) {
                Some(&[first, step, count]) => IndexRun { first, step, count },
                _ => IndexRun::default(),
            },
            Self::Indices(indices) => indices.get(k).map_or(IndexRun::default(), |&index| IndexRun::from(index)),
        }
    }

    /// The single indices of an object of `size` that are next in a caller's list, from a run on, up to another one.
    #[inline(always)]
    pub(crate) fn singles(&self, first: usize, size: i64) -> impl Iterator<Item = i64> {
        let single = move |run: &IndexRun| {
            let index = once(&run.first);
            (once(&run.count) == 1 && (0..size).contains(&index)).then_some(index)
        };
        self.lent().get(first..).unwrap_or(&[]).iter().map_while(single)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = IndexRun> {
        (0..self.len()).map(|k| self.get(k))
    }

    /// The caller's memory, if they lie in it.
    #[inline(always)]
    pub fn lent(&self) -> &'a [IndexRun] {
        if let Self::List(runs) = *self { runs } else { &[] }
    }
}

/// Runs along one dimension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Along<'a> {
    pub dimension: usize,
    pub runs: Runs<'a>,
}

impl Along<'_> {
    /// The size of the dimension as it is seen: the sum of the counts. `size` is that of the object. `argument` is the
    /// side, which an error names with dimension and run (item): INVALID_SIZE for a count below 0; INDEX_OUT_OF_RANGE;
    /// INVALID_ARGUMENT for the fill value in a destination; OVERFLOW.
    pub fn check(&self, size: i64, may_fill: bool, argument: Argument) -> Result<i64> {
        let singles = self.runs.singles(0, size).count();
        let mut all = singles as i64; // fewer than there are addresses
        for (item, run) in self.runs.iter().enumerate().skip(singles) {
            let error = |status| Error::new(status).argument(argument).dimension(self.dimension).item(item);
            if run.count < 0 {
                return Err(error(Status::InvalidSize).because(Detail::Below, run.count, 0));
            }
            if run.count > 0 && run.fills() && !may_fill {
                return Err(error(Status::InvalidArgument).because(Detail::FillsDestination, -1, 0));
            }
            if let Some(index) = run.outside(size) {
                return Err(error(Status::IndexOutOfRange).because(Detail::OutOfRange, index, size));
            }
            let more = error(Status::Overflow).because(Detail::RunsTotal, all, run.count);
            all = all.checked_add(run.count).ok_or(more)?;
        }
        Ok(all)
    }

    /// OVERLAP with the run (item) that comes back to an index, of an earlier run or its own; UNDECIDED. Ascending runs
    /// are decided in one pass, others pair by pair within the budget.
    pub fn check_distinct(&self, budget: u64, argument: Argument) -> Result<()> {
        let mut end = 0i64;
        let ascending = self.runs.iter().filter(|run| run.count > 0).all(|run| {
            let goes_on = run.first >= end && (run.step > 0 || run.count == 1);
            end = run.last().saturating_add(1);
            goes_on
        });
        if ascending { Ok(()) } else { self.check_pairs(budget, argument) }
    }

    #[cold]
    fn check_pairs(&self, budget: u64, argument: Argument) -> Result<()> {
        let allowed = if budget == 0 { overlap::DEFAULT_BUDGET } else { budget };
        let occupied = |run: IndexRun| {
            let (first, last) = (run.first as i128, run.last() as i128);
            let loops = [(run.count, run.step)].into_iter();
            Occupied { lowest: first.min(last), highest: first.max(last), width: 1, scale: 1, loops }
        };
        let mut steps = 0u64;
        for (item, run) in self.runs.iter().enumerate().filter(|(_, run)| run.count > 0) {
            let again = Status::Overlap.of(argument).dimension(self.dimension).item(item);
            let again = again.because(Detail::SharedIndex, run.first, 0);
            if run.step == 0 && run.count > 1 {
                return Err(again);
            }
            for other in self.runs.iter().take(item).filter(|other| other.count > 0) {
                steps += 1;
                let meets = || overlap::share_a_unit(&occupied(run), &occupied(other), Effort::steps(budget));
                match if steps > allowed { None } else { meets() } {
                    Some(false) => {}
                    Some(true) => return Err(again),
                    None => return Err(overlap::undecided(budget).argument(argument).dimension(self.dimension)),
                }
            }
        }
        Ok(())
    }

    /// The first `count` indices, −1 for the fill value; fewer if runs were changed and leave the `size` indices of the
    /// object.
    pub fn indices(&self, size: i64, count: i64) -> impl Iterator<Item = i64> {
        let each = |run: IndexRun| (0..run.count.max(0)).map(move |k| run.after(k).first);
        let sound = self.runs.iter().take_while(move |run| run.outside(size).is_none());
        sound.flat_map(each).take(count.max(0) as usize)
    }

    /// Whether a run is the fill value.
    pub fn fills(&self) -> bool {
        self.runs.iter().any(|run| run.count > 0 && run.fills())
    }
}

/// A place in runs: so many of them are done, and so many indices of the next one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    run: usize,
    done: i64,
}

impl Cursor {
    /// The indices that follow as one run, up to `most`, as far as they are a step apart. `None` if there is none, or
    /// if a run was changed and leaves the `size` indices of the object.
    pub fn line(&self, runs: &Runs<'_>, size: i64, most: i64) -> Option<IndexRun> {
        let whole = runs.get(self.run);
        let mut at = self.run + 1;
        if whole.count <= self.done || whole.outside(size).is_some() {
            return None;
        }
        let mut line = whole.after(self.done);
        let filled = whole.fills();
        while line.count < most && at < runs.len() {
            let run = runs.get(at);
            at += 1;
            if run.count == 0 {
                continue;
            }
            let step = if line.count == 1 { run.first.wrapping_sub(line.first) } else { line.step };
            let goes_on = match filled {
                true => run.fills(),
                false => {
                    // Two single indices are a line if they are neighbours, or if a third one is as far on.
                    let third = || at < runs.len() && runs.get(at).first == run.first.wrapping_add(step);
                    !run.fills()
                        && (run.count == 1 || run.step == step)
                        && run.first == line.first.wrapping_add(step.wrapping_mul(line.count))
                        && (line.count > 1 || run.count > 1 || matches!(step, -1..=1) || third())
                }
            };
            if !goes_on || run.count < 0 || run.outside(size).is_some() {
                break;
            }
            line = IndexRun { step, count: line.count.saturating_add(run.count), ..line };
        }
        let count = line.count.min(most);
        Some(IndexRun { step: if count == 1 { 0 } else { line.step }, count, ..line })
    }

    /// Moves on by so many indices; runs that were changed may end before.
    pub fn skip(&mut self, runs: &Runs<'_>, mut indices: i64) {
        while self.run < runs.len() {
            let left = runs.get(self.run).count.saturating_sub(self.done).max(0);
            if indices < left {
                self.done += indices;
                return;
            }
            indices -= left;
            *self = Self { run: self.run + 1, done: 0 };
        }
    }
}
