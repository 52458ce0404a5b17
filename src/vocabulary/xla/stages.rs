//! A buffer for repeated questions: its dimensions before each tile and after the last one, worked out once.
//!
//! From an index to its position the tiles split digits, one tile after the other. From a position to its index they
//! join them again, and padding shows on the way: some place in a dimension is past its end.
//!
//! *The highest element* is found without trying all positions. Most of these places never fall when a digit of the
//! position rises, so if one of them is past the end with all less significant digits 0, it is so with any. Digit after
//! digit, halving finds the highest one for which this does not happen, and no element lies above. Usually all places
//! are of that kind, and then an element lies there. They are not if a tile merges dimensions: the more minor ones
//! start from 0 again and again.

use super::shape::Shape;
use super::tiles::MAX_TILES;
use super::tiling::{Cut, Digits, MAX_DIMENSIONS, Places, dimensions_in_front};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::MAX_RANK;
use arrayvec::ArrayVec;

/// The buffer of a shape with only its first `tiles` tiles. Large: made in place.
pub(super) struct Stages<'a> {
    shape: &'a Shape,
    tiles: usize,
    cuts: ArrayVec<Cut, { MAX_TILES + 1 }>,
    /// The places that are checked: those that each tile cuts, and those of the sizes.
    of_tiles: [Places; MAX_TILES],
    of_sizes: Places,
}

impl<'a> Stages<'a> {
    /// No dimensions yet; [`Stages::cut`] is next.
    pub fn new(shape: &'a Shape, tiles: usize) -> Self {
        Self { shape, tiles, cuts: ArrayVec::new(), of_tiles: [Places::ALL; MAX_TILES], of_sizes: Places::ALL }
    }

    /// Works out the dimensions. No padded size is 0.
    pub fn cut(&mut self) -> Result<()> {
        let mut cut = uncut(self.shape);
        for tile in self.shape.tiles().iter().take(self.tiles) {
            let _ = self.cuts.try_push(cut); // one more than there are tiles, at most
            cut.tile(tile)?;
        }
        let _ = self.cuts.try_push(cut);
        Ok(())
    }

    /// Sizes of the cut buffer, most major first.
    pub fn sizes(&self) -> &[i64] {
        self.cuts.last().map_or(&[], Cut::sizes)
    }

    /// Position of a valid index.
    pub fn position(&self, index: &[i64]) -> i64 {
        let Some((last, before)) = self.cuts.split_last() else { return 0 };
        let mut digits = physical(self.shape, index);
        for (cut, tile) in before.iter().zip(self.shape.tiles().iter()) {
            cut.split(tile, &mut digits);
        }
        last.position(&digits)
    }

    /// The element at one of the positions. NOT_REPRESENTABLE if a place that is checked is past its end: with the
    /// tile, or the dimension.
    pub fn element_at(&self, position: i64, index: &mut [i64; MAX_RANK]) -> Result<()> {
        let Some((last, before)) = self.cuts.split_last() else { return Ok(()) };
        let mut digits = last.digits(position);
        for (item, (cut, &looked_at)) in before.iter().zip(&self.of_tiles).enumerate().rev() {
            if let Some(tile) = self.shape.tiles().iter().nth(item) {
                cut.join(tile, &mut digits, looked_at).map_err(|error| error.item(item))?;
            }
        }
        let (mut found, mut looked_at) = ([0i64; MAX_RANK], 0u64);
        let places = (0..).zip(&digits).skip(dimensions_in_front(self.shape.rank(), self.shape.tiles()));
        for ((place, &digit), &dimension) in places.zip(self.shape.minor_to_major().iter().rev()) {
            if let Some(slot) = found.get_mut(dimension as usize) {
                *slot = digit;
            }
            looked_at |= u64::from(self.of_sizes.contains(place)) << (dimension & 63);
        }
        for (dimension, (&digit, &size)) in found.iter().zip(self.shape.sizes()).enumerate() {
            if digit >= size && looked_at >> (dimension & 63) & 1 != 0 {
                let error = Error::new(Status::NotRepresentable).argument(Argument::Linear);
                return Err(error.dimension(dimension).because(Detail::PaddingPosition, digit, size));
            }
        }
        *index = found;
        Ok(())
    }

    /// Whether an element lies at a position.
    pub fn is_element(&self, position: i64) -> bool {
        self.element_at(position, &mut [0; MAX_RANK]).is_ok()
    }

    /// A position above which no element lies, usually that of the highest one, of `count` positions.
    pub fn bound(&mut self, count: i64) -> i64 {
        let mut rising = Places::ALL;
        for (item, (cut, looked_at)) in self.cuts.iter().zip(&mut self.of_tiles).enumerate().rev() {
            if let Some(tile) = self.shape.tiles().iter().take(self.tiles).nth(item) {
                (*looked_at, rising) = cut.rising(tile, rising);
            }
        }
        self.of_sizes = rising;
        let (mut bound, mut step) = (0, count);
        for &size in self.sizes() {
            step /= size.max(1);
            let (mut reached, mut beyond) = (0, size);
            while beyond - reached > 1 {
                let digit = reached + (beyond - reached) / 2;
                if self.is_element(bound + digit * step) { reached = digit } else { beyond = digit }
            }
            bound += reached * step;
        }
        (self.of_tiles, self.of_sizes) = ([Places::ALL; MAX_TILES], Places::ALL);
        bound
    }
}

/// The dimensions of the buffer before the first tile.
pub(super) fn uncut(shape: &Shape) -> Cut {
    let padded = |&dimension: &i64| shape.padded_sizes().get(dimension as usize).copied().unwrap_or(1);
    Cut::new(dimensions_in_front(shape.rank(), shape.tiles()), shape.minor_to_major().iter().rev().map(padded))
}

/// An index as the digits of the uncut buffer.
pub(super) fn physical(shape: &Shape, index: &[i64]) -> Digits {
    let mut digits = [0; MAX_DIMENSIONS];
    let places = digits.iter_mut().skip(dimensions_in_front(shape.rank(), shape.tiles()));
    for (slot, &dimension) in places.zip(shape.minor_to_major().iter().rev()) {
        *slot = index.get(dimension as usize).copied().unwrap_or(0);
    }
    digits
}
