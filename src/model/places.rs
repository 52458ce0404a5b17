//! The index that lies at an element offset: the inverse of [`Layout::offset_of`].
//!
//! With every stride made positive by counting its dimension from the other end, and the offset counted from the lowest
//! element, it is the equation of `overlap`: one unknown for each stride, the sum of the digits of all dimensions that
//! have it. Strides that are nested, whatever their order, leave one value for each unknown. Else every solution is
//! visited, of the last two unknowns both ends at once, within a budget of steps.
//!
//! No search tells how the dimensions of one stride share their sum: the least digits come first.

use super::layout::Layout;
use super::overlap::{DEFAULT_BUDGET, Equation, Term, undecided};
use super::{MAX_RANK, fixed};
use crate::error::{Argument, Detail, Error, Result, Status};

/// I3 leaves at most 62 dimensions of size above 1.
const MOST_TERMS: usize = 62;
/// The most that the digits of one stride may add up to, without its two largest, to be counted.
const MOST_WAYS: usize = 512;

/// A dimension of size above 1 and a stride that is not 0.
#[derive(Clone, Copy)]
struct Digit {
    dimension: usize,
    step: u64,
    last: u64,
    /// Its offsets fall where its index rises.
    mirrored: bool,
}

impl Layout<'_> {
    /// The first index in row-major order that lies at an element offset. NOT_REPRESENTABLE if none does; UNDECIDED
    /// where a search of [`DEFAULT_BUDGET`] steps does not end. Only strides that are not nested need one.
    ///
    /// ```
    /// use stride::{LayoutBuf, model::MAX_RANK};
    /// let (layout, mut index) = (LayoutBuf::parse("f32[2,3]:-4,1+4")?, [0; MAX_RANK]);
    /// layout.view()?.multi_index(1, &mut index)?;
    /// assert_eq!(index[..2], [1, 1]);
    /// assert!(layout.view()?.multi_index(3, &mut index).is_err()); // the gap after a row
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn multi_index(&self, offset: i64, index: &mut [i64; MAX_RANK]) -> Result<()> {
        *index = self.inverse(offset, None)?;
        Ok(())
    }

    /// [`Layout::multi_index`], and how many indices lie there.
    ///
    /// ```
    /// use stride::{LayoutBuf, model::MAX_RANK};
    /// let (windows, mut index) = (LayoutBuf::parse("f32[5,3]:1,1")?, [0; MAX_RANK]);
    /// assert_eq!(windows.view()?.multi_index_shared(2, &mut index)?, 3); // (0,2), (1,1), (2,0)
    /// assert_eq!(index[..2], [0, 2]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn multi_index_shared(&self, offset: i64, index: &mut [i64; MAX_RANK]) -> Result<u64> {
        let mut sharing = 0;
        *index = self.inverse(offset, Some(&mut sharing))?;
        Ok(sharing)
    }

    #[inline(never)]
    fn inverse(&self, offset: i64, mut sharing: Option<&mut u64>) -> Result<[i64; MAX_RANK]> {
        let error = |status: Status| status.of(Argument::Offset);
        let none = error(Status::NotRepresentable).because(Detail::NoIndex, offset, 0);
        let (lowest, highest) = self.span();
        if offset < lowest || offset > highest {
            return Err(none); // also of an empty layout, which spans 0 … -1
        }
        let mut room = [Term::ZERO; MOST_TERMS];
        let mut equation = Equation::of(&mut room);
        for digit in self.digits() {
            equation.add(digit.step, digit.last);
        }
        let mut found = Found { layout: self, first: None, ways: 0, counts: sharing.is_some() };
        let decided = match equation.count {
            0 => found.take(&[], 1, &mut 0),
            _ => equation
                .search(offset.abs_diff(lowest), &mut { DEFAULT_BUDGET }, |terms, rest, budget| {
                    found.visit(terms, rest, budget).map(|()| false)
                })
                .map(drop),
        };
        decided.ok_or(Error { argument: Argument::Offset, ..undecided(0) })?;
        if let Some(sharing) = &mut sharing {
            let still = self.dimensions().filter(|&(_, stride)| stride == 0);
            **sharing = still.fold(found.ways, |ways, (size, _)| ways.saturating_mul(size.unsigned_abs()));
        }
        found.first.ok_or(none)
    }

    fn digits(&self) -> impl Iterator<Item = Digit> + Clone {
        self.dimensions().enumerate().filter(|&(_, (size, stride))| size > 1 && stride != 0).map(
            |(dimension, (size, stride))| {
                let (step, last) = (stride.unsigned_abs(), size.unsigned_abs().saturating_sub(1));
                Digit { dimension, step, last, mirrored: stride < 0 }
            },
        )
    }
}

/// The solutions so far.
struct Found<'a> {
    layout: &'a Layout<'a>,
    first: Option<[i64; MAX_RANK]>,
    ways: u64,
    /// Whether the ways are wanted.
    counts: bool,
}

impl Found<'_> {
    fn of_step(&self, step: u64) -> impl Iterator<Item = Digit> + Clone {
        self.layout.digits().filter(move |digit| digit.step == step)
    }

    /// Takes what [`Equation::search`] finds. `None`: the budget ended.
    fn visit(&mut self, terms: &mut [Term], rest: u64, budget: &mut u64) -> Option<()> {
        let level = terms.len().saturating_sub(2);
        let &Term { coefficient, value, value_last, step, .. } = terms.get(level)?;
        let solutions = (value_last - value) / step.max(1) + 1;
        let last = value + (solutions - 1) * step.max(1);
        // Of two dimensions one index rises as the other falls: the first is at an end.
        let single = terms.iter().skip(level).all(|term| self.of_step(term.coefficient).count() == 1);
        let (stride, ways) = if single { ((last - value).max(1), solutions) } else { (step.max(1), 1) };
        let mut tried = value;
        loop {
            if let Some(term) = terms.get_mut(level) {
                term.value = tried;
            }
            if let Some(other) = terms.get_mut(level + 1) {
                other.value = (rest - coefficient * tried) / other.coefficient.max(1);
            }
            let counted = if single && tried != value { 0 } else { ways };
            self.take(terms, counted, budget)?;
            if tried >= last {
                return Some(());
            }
            tried += stride;
        }
    }

    /// Takes a solution that stands for so many. That costs a step for each unknown.
    fn take(&mut self, terms: &[Term], solutions: u64, budget: &mut u64) -> Option<()> {
        *budget = budget.checked_sub(terms.len() as u64)?;
        let mut index = [0i64; MAX_RANK];
        for term in terms {
            let (mut sum, mut rest) = (term.value, term.last);
            for digit in self.of_step(term.coefficient) {
                rest -= digit.last;
                let value = if digit.mirrored { digit.last.min(sum) } else { sum.saturating_sub(rest) };
                sum -= value;
                let along = if digit.mirrored { digit.last - value } else { value };
                fixed::set(&mut index, digit.dimension, along as i64);
            }
        }
        self.first = Some(self.first.map_or(index, |first| first.min(index)));
        if self.counts && solutions > 0 {
            let mut ways = solutions;
            for term in terms {
                ways = ways.saturating_mul(self.ways_to(term, budget)?);
            }
            self.ways = self.ways.saturating_add(ways);
        }
        Some(())
    }

    /// The number of ways in which the digits of a stride add up to its value: all but the two largest fill a table,
    /// `ways[s] = ` how many of them add up to s, and the two largest share the rest.
    #[inline(never)] // has a table
    fn ways_to(&self, term: &Term, budget: &mut u64) -> Option<u64> {
        let lasts = || self.of_step(term.coefficient).map(|digit| digit.last);
        let (largest, second) = lasts().fold((0, 0), |(largest, second), last| match last {
            _ if last > largest => (last, largest),
            _ => (largest, second.max(last)),
        });
        let pair = |sum: u64| (largest.min(sum) + 1).saturating_sub(sum.saturating_sub(second));
        let others = term.last - largest - second;
        if others == 0 {
            return Some(pair(term.value));
        }
        let mut room = [0u64; MOST_WAYS];
        let ways = room.get_mut(..=usize::try_from(others).ok()?)?;
        *ways.first_mut()? = 1;
        let mut left_out = [largest, second].map(Some);
        for last in lasts() {
            if let Some(out) = left_out.iter_mut().find(|out| **out == Some(last)) {
                *out = None;
                continue;
            }
            *budget = budget.checked_sub(1 + others / 32)?;
            // Sums up to each place, then their differences.
            let mut sum = 0u64;
            for way in ways.iter_mut() {
                sum = sum.saturating_add(*way);
                *way = sum;
            }
            for place in (0..ways.len()).rev() {
                let before = place.checked_sub(last as usize + 1).and_then(|before| ways.get(before)).copied();
                if let Some(way) = ways.get_mut(place) {
                    *way -= before.unwrap_or(0);
                }
            }
        }
        let each = ways.iter().zip(0..=term.value).map(|(&ways, sum)| ways.saturating_mul(pair(term.value - sum)));
        Some(each.fold(0, u64::saturating_add))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dtype, LayoutBuf};
    use std::vec::Vec;

    /// The first index at an offset, and how many lie there.
    fn at(sizes: &[i64], strides: &[i64], offset: i64) -> Result<(Vec<i64>, u64)> {
        let layout = LayoutBuf::strided(Dtype::U1, sizes, strides)?;
        let (mut index, mut first) = ([0; MAX_RANK], [0; MAX_RANK]);
        let sharing = layout.view()?.multi_index_shared(offset, &mut index)?;
        layout.view()?.multi_index(offset, &mut first)?;
        assert_eq!(index, first);
        Ok((index[..sizes.len()].to_vec(), sharing))
    }

    #[test]
    fn nested_strides_need_no_steps() {
        let layout = LayoutBuf::packed(Dtype::U1, &[2; 62]).unwrap();
        let mirrored = layout.flip(&[0, 7, 61]).unwrap();
        for number in [0, 1, (1 << 62) - 1, 0x1234_5678_9abc_def0] {
            let (mut index, mut back) = ([0; MAX_RANK], [0; MAX_RANK]);
            let view = mirrored.view().unwrap();
            view.unravel(number, &mut index).unwrap();
            assert_eq!(view.multi_index_shared(view.offset_of(&index[..62]).unwrap(), &mut back), Ok(1));
            assert_eq!(index, back);
        }
    }

    #[test]
    fn far_apart_and_shared() {
        let half = 1 << 30;
        assert_eq!(at(&[half, half], &[1, 1], half), Ok((std::vec![1, half - 1], half as u64 - 1)));
        assert_eq!(at(&[half, half], &[3, 2], 6), Ok((std::vec![0, 3], 2)));
        assert_eq!(at(&[1 << 20, 1 << 20, 5], &[0, 0, -1], -4), Ok((std::vec![0, 0, 4], 1 << 40)));
        assert_eq!(at(&[1, 3], &[i64::MIN, 1], 2), Ok((std::vec![0, 2], 1)));
        // 60! / (30! · 30!) numbers of 60 bits have 30 of them set.
        let first = [[0; 30], [1; 30]].concat();
        assert_eq!(at(&[2; 60], &[1; 60], 30), Ok((first.clone(), 118_264_581_564_861_424)));
        assert_eq!(at(&[2; 60], &[-1; 60], -30), Ok((first, 118_264_581_564_861_424)));
    }

    #[test]
    fn what_has_no_index_and_what_takes_too_long() {
        for (sizes, strides, offset) in
            [(&[2, 3][..], &[4, 1][..], 3), (&[2, 3], &[3, 1], 6), (&[2], &[1], -1), (&[0, 3], &[3, 1], 0)]
        {
            let error = at(sizes, strides, offset).unwrap_err();
            assert_eq!((error.status, error.detail, error.lhs), (Status::NotRepresentable, Detail::NoIndex, offset));
        }
        let strides: Vec<i64> = (0..32i64).map(|k| (1 << 20) + k * k * 97 + k * 13 + 1).collect();
        let error = at(&[2; 32], &strides, 16 << 20).unwrap_err();
        assert_eq!((error.status, error.argument), (Status::Undecided, Argument::Offset));
        // Too many sums for the table; the first index needs none.
        let layout = LayoutBuf::strided(Dtype::U8, &[1000; 4], &[1; 4]).unwrap();
        let (layout, mut index) = (layout.view().unwrap(), [0; MAX_RANK]);
        assert_eq!(layout.multi_index_shared(1500, &mut index).map_err(|e| e.status), Err(Status::Undecided));
        assert_eq!(layout.multi_index(1500, &mut index), Ok(()));
        assert_eq!(index[..4], [0, 0, 501, 999]);
    }
}
