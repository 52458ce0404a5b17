//! Tiles at work on the index of a numbered element: each digit (`tiling`) is a sum of terms
//!
//! ```text
//! step · (floor(k / weight) mod count)
//! ```
//!
//! A tile that divides the digit leaves terms again, if it fits the conditions of `bitcast`.

use super::numbering::{Axis, Bounds, Numbering};
use super::tiling::{Step, by_tile};
use crate::model::MAX_RANK;
use arrayvec::ArrayVec;

/// `floor(k / weight) mod count`, `step` apart in a digit.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub weight: u64,
    pub count: u64,
    step: u64,
    digit: u8,
    /// The most major one of its part of k: the `mod` changes nothing.
    open: bool,
}

/// At most 64, and one more for each size of a tile.
pub(super) const MAX_TERMS: usize = 2 * MAX_RANK;

/// A buffer while tiles cut it.
#[derive(Default)]
pub(super) struct Cuts {
    pub terms: ArrayVec<Term, MAX_TERMS>,
}

/// The reason why there are no terms.
pub(super) enum Unfit {
    /// A bound was removed; there may be now.
    FewerBounds,
    /// The form does not fit.
    Unequal,
}

impl Cuts {
    /// Becomes the buffer, cut by the steps of all its tiles.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn set(&mut self, side: &Numbering<'_>, steps: &[(u8, Step)], bounds: &mut Bounds) -> Result<(), Unfit> {
        self.terms.clear();
        for &dimension in side.shape().minor_to_major().iter().rev() {
            let Axis { size, weight, .. } = side.axis(dimension as usize);
            let open = bounds.contains(&weight.wrapping_mul(size));
            if size > 1 {
                let digit = dimension as u8;
                let _ = self.terms.try_push(Term { weight, count: size, step: 1, digit, open }); // 64 at most
            }
        }
        for tile in by_tile(steps) {
            for &(_, step) in tile {
                if let Step::Join { major, minor, sizes: [_, size] } = step {
                    self.join(major, minor, size as u64);
                }
            }
            for &(_, step) in tile {
                if let Step::Divide { digit, by, remainder, .. } = step {
                    self.cut(digit, remainder, by.max(1) as u64, bounds)?;
                }
            }
        }
        Ok(())
    }

    /// Joins a digit with a more minor one of this size.
    fn join(&mut self, major: u8, minor: u8, size: u64) {
        for term in self.terms.iter_mut().filter(|term| term.digit == major) {
            (term.step, term.digit) = (term.step.saturating_mul(size), minor);
        }
        // Terms that continue each other, in k and in the buffer, are one.
        let mut k = 0;
        while let Some(&outer) = self.terms.get(k) {
            let continues = |inner: &Term| {
                inner.digit == minor
                    && outer.digit == minor
                    && inner.weight.checked_mul(inner.count) == Some(outer.weight)
                    && inner.step.checked_mul(inner.count) == Some(outer.step)
            };
            match self.terms.iter().position(continues) {
                Some(found) => {
                    if let Some(inner) = self.terms.get_mut(found) {
                        inner.count = inner.count.saturating_mul(outer.count);
                        inner.open = outer.open;
                    }
                    let _ = self.terms.swap_pop(k);
                    k = 0;
                }
                None => k += 1,
            }
        }
    }

    /// Divides a digit by `entry`: what is within goes to digit `inner`.
    fn cut(&mut self, digit: u8, inner: u8, entry: u64, bounds: &mut Bounds) -> Result<(), Unfit> {
        let mut straddling = None;
        for k in 0..self.terms.len() {
            let Some(&term) = self.terms.get(k) else { break };
            if term.digit != digit || term.step.is_multiple_of(entry) {
                continue;
            }
            // The reach of the term and all below it.
            let reach = self.terms.iter().fold(0u64, |reach, other| {
                let counts = (other.digit == digit || other.digit == inner) && other.step <= term.step;
                let far = other.step.saturating_mul(other.count.saturating_sub(1));
                if counts { reach.saturating_add(far) } else { reach }
            });
            let Some(slot) = self.terms.get_mut(k) else { break };
            if reach < entry {
                slot.digit = inner;
                continue;
            }
            let within = entry / term.step.max(1);
            if !entry.is_multiple_of(term.step) || !(term.open || term.count.is_multiple_of(within)) {
                return Err(Unfit::Unequal);
            }
            let weight = term.weight.saturating_mul(within);
            // Inside the term, k may be taken apart only at the boundaries of terms.
            let (begin, end) = (term.weight, term.weight.saturating_mul(term.count));
            let fits = |b: u64| b <= begin || b >= end || b.is_multiple_of(weight) || weight.is_multiple_of(b);
            if bounds.iter().any(|&b| !fits(b)) {
                bounds.retain(|&mut b| fits(b));
                return Err(Unfit::FewerBounds);
            }
            *slot = Term { weight, count: term.count.div_ceil(within.max(1)), step: entry, ..term };
            straddling = Some(Term { count: within, digit: inner, open: false, ..term });
        }
        for term in self.terms.iter_mut().filter(|term| term.digit == digit) {
            term.step /= entry.max(1); // everything left here is a multiple
        }
        match straddling {
            Some(term) => self.terms.try_push(term).map_err(|_| Unfit::Unequal),
            None => Ok(()),
        }
    }
}
