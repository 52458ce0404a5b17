//! A source whose indices along one dimension come from a list: channels in another order, dropped, doubled, and
//! filled.
//!
//! If neighbours in the list are an equal step apart, they are a loop: a list is cut into the runs of equal steps, each
//! of which is a piece. An entry of −1 is the fill value, which is read over and over.

use super::super::nest::Reach;
use super::pieces::{Piece, Share};
use super::sums::{Affine, Lack, MAX_VARIABLES, Variables};
use super::{Pieces, Relayout, Side, next_words};
use crate::error::Result;
use crate::model::overlap::{self, Effort, Occupied};
use crate::model::{MAX_RANK, arith};

/// The most entries of a list.
pub(crate) const MOST_TAKEN: usize = 64;

/// A strided side whose index along one dimension comes from a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken<'a> {
    /// Of element (0, …, 0).
    pub base: i64,
    pub strides: &'a [i64],
    /// Which dimension.
    pub axis: usize,
    /// Elements along it.
    pub size: i64,
    /// For each index of the destination along it the source's index, or −1.
    pub list: &'a [i64],
}

impl<'a> Taken<'a> {
    /// The list that the words of a plan describe, if they do; `rest` moves on.
    pub(super) fn read(base: i64, sizes: &[i64], rest: &mut &'a [i64]) -> Option<Self> {
        let strides = next_words(rest, sizes.len())?;
        let &[axis, size] = next_words(rest, 2)? else { return None };
        let axis = usize::try_from(axis).ok()?;
        let count = usize::try_from(*sizes.get(axis)?).ok().filter(|count| (1..=MOST_TAKEN).contains(count))?;
        let list = next_words(rest, count)?;
        let sound = size >= 0 && list.iter().all(|&index| (-1..size).contains(&index));
        sound.then_some(Self { base, strides, axis, size, list })
    }

    /// What all elements of the side reach, including those that the list leaves out.
    pub(super) fn extent(&self, sizes: &[i64], bits: i64) -> Result<arith::Extent> {
        let mut own = [0; MAX_RANK];
        own.iter_mut().zip(sizes).for_each(|(own, &size)| *own = size);
        if let Some(size) = own.get_mut(self.axis) {
            *size = self.size;
        }
        arith::extent(bits, self.base, own.get(..sizes.len()).unwrap_or(&[]), self.strides)
    }

    /// The positions on a box, or where the list takes another step. Those of a box of the fill value are 0. At most
    /// one variable moves the list's dimension, by 1: no destination beside a list splits it.
    pub(super) fn position(
        &self,
        first: &[i64; MAX_RANK],
        variables: &Variables,
    ) -> core::result::Result<Affine, Lack> {
        let stride = |dimension: usize| self.strides.get(dimension).copied().unwrap_or(0);
        let mut found = Affine { base: self.base, steps: [0; MAX_VARIABLES] };
        let begin = first.get(self.axis).copied().unwrap_or(0) as usize;
        let along = self.list.get(begin..).unwrap_or(&[]);
        let mut step = 0;
        for (number, v) in variables.iter().enumerate().filter(|(_, v)| v.dimension == self.axis && v.count > 1) {
            let [one, two, ..] = *along else { continue };
            step = two - one;
            // No step leads from an element to the fill value.
            let goes_on = |pair: &&[i64]| matches!(**pair, [one, two] if two - one == step && one.is_negative() == two.is_negative());
            let run = 1 + along.windows(2).take_while(goes_on).count() as i64;
            if run < v.count {
                return Err(Lack::Cut(number, run));
            }
        }
        let Some(&index) = along.first().filter(|&&index| index >= 0) else {
            return Ok(Affine { base: 0, ..found });
        };
        for (dimension, (&at, &stride)) in first.iter().zip(self.strides).enumerate() {
            found.base += if dimension == self.axis { index } else { at } * stride;
        }
        for (slot, v) in found.steps.iter_mut().zip(variables) {
            *slot = if v.dimension == self.axis { step } else { v.step } * stride(v.dimension);
        }
        Ok(found)
    }

    /// Whether an entry is the fill value.
    pub fn fills(&self) -> bool {
        self.list.contains(&-1)
    }
}

impl Relayout<'_> {
    /// Whether a piece gets the fill value.
    pub fn is_filled(&self, piece: &Piece<'_>) -> bool {
        let Side::Taken(taken) = &self.src else { return false };
        let at = piece.first.get(taken.axis).copied().unwrap_or(0) as usize;
        taken.list.get(at) == Some(&-1)
    }

    /// Whether some piece gets it.
    pub fn fills(&self) -> bool {
        matches!(&self.src, Side::Taken(taken) if taken.fills())
    }

    /// Whether an element that is written shares a byte with one that is read, for sides whose ranges meet. Exact for a
    /// list; `None` if the effort does not suffice. For other sides the ranges are all that is known.
    pub fn sides_meet(&self, dst_address: u64, dst: Reach, src_address: u64, effort: Effort) -> Option<bool> {
        let (Side::Strided { strides, .. }, Side::Taken(_)) = (&self.dst, &self.src) else { return Some(true) };
        let at = |address: u64, elements: i64| address as i128 + elements as i128 * self.width as i128;
        let to = Occupied {
            lowest: dst_address as i128 + dst.lowest as i128,
            highest: dst_address as i128 + dst.highest as i128,
            width: self.width as i128,
            scale: self.width as u64,
            loops: self.sizes.iter().copied().zip(strides.iter().copied()).filter(|&(count, _)| count > 1),
        };
        let mut pieces = Pieces::<64>::new(self, &Share::ALL);
        let mut known = Some(false);
        while let Some(piece) = pieces.next() {
            if self.is_filled(&piece) {
                continue;
            }
            let loops = piece.variables.iter().zip(&piece.src.steps).map(|(v, &step)| (v.count, step));
            let ends = loops.clone().map(|(count, step)| (count - 1) * step);
            let lowest = piece.src.base + ends.clone().map(|end| end.min(0)).sum::<i64>();
            let highest = piece.src.base + ends.map(|end| end.max(0)).sum::<i64>();
            let from = Occupied {
                lowest: at(src_address, lowest),
                highest: at(src_address, highest),
                width: self.width as i128,
                scale: self.width as u64,
                loops,
            };
            match overlap::share_a_unit(&to, &from, effort) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => known = None,
            }
        }
        known
    }
}
