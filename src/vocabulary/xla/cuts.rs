//! Tiles at work on the index of a numbered element: each dimension of a buffer is a sum of pieces
//!
//! ```text
//! step · (floor(k / weight) mod count)
//! ```
//!
//! A tile that cuts the dimension leaves pieces again, if it fits the conditions of `bitcast`.

use super::bitcast::{Axis, Bounds, Numbering};
use super::tiles::MERGE;
use crate::model::MAX_RANK;
use arrayvec::ArrayVec;

/// `floor(k / weight) mod count`, `step` apart in a dimension of the buffer.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub weight: u64,
    pub count: u64,
    step: u64,
    dimension: usize,
    /// The most major one of its part of k: the `mod` changes nothing.
    open: bool,
}

/// Dimensions of the buffer, most major first: at most 64 and one more for each size of a tile.
pub(super) const MAX_PIECES: usize = 2 * MAX_RANK;

/// A buffer while tiles cut it.
#[derive(Default)]
pub(super) struct Cuts {
    sizes: ArrayVec<u64, MAX_PIECES>,
    pub pieces: ArrayVec<Piece, MAX_PIECES>,
}

/// The result of a tile.
pub(super) enum Cut {
    /// There are pieces again.
    Fits,
    /// A bound was removed.
    FewerBounds,
    /// The form does not fit.
    Unequal,
}

impl Cuts {
    /// Becomes the buffer, cut by all its tiles.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn set(&mut self, side: &Numbering<'_>, bounds: &mut Bounds) -> Cut {
        self.set_uncut(side, bounds);
        for tile in side.shape().tiles().iter() {
            match self.tile(tile, bounds) {
                Cut::Fits => {}
                other => return other,
            }
        }
        Cut::Fits
    }

    fn set_uncut(&mut self, side: &Numbering<'_>, bounds: &Bounds) {
        self.sizes.clear();
        self.pieces.clear();
        for (dimension, &number) in side.shape().minor_to_major().iter().rev().enumerate() {
            let Axis { size, weight, padded } = side.axis(number as usize);
            let open = bounds.contains(&weight.wrapping_mul(size));
            let _ = self.sizes.try_push(padded); // 64 at most, as are the pieces
            if size > 1 {
                let _ = self.pieces.try_push(Piece { weight, count: size, step: 1, dimension, open });
            }
        }
    }

    /// The rule of [`super::tiles`].
    fn tile(&mut self, tile: &[i64], bounds: &mut Bounds) -> Cut {
        for _ in self.sizes.len()..tile.len() {
            if self.sizes.try_push(1).is_err() {
                return Cut::Unequal;
            }
            if let Some(all) = self.sizes.get_mut(..).filter(|all| !all.is_empty()) {
                all.rotate_right(1);
            }
            self.pieces.iter_mut().for_each(|piece| piece.dimension += 1);
        }
        let first = self.sizes.len().saturating_sub(tile.len());
        let mut at = first;
        for &entry in tile {
            if entry == MERGE {
                self.merge(at);
            } else {
                at += 1;
            }
        }
        let inner = at; // the dimensions within the tile come after all others
        for (dimension, &entry) in (first..at).zip(tile.iter().filter(|&&entry| entry != MERGE)) {
            let entry = entry.max(1) as u64;
            if let Some(size) = self.sizes.get_mut(dimension) {
                *size = size.div_ceil(entry);
            }
            if self.sizes.try_push(entry).is_err() {
                return Cut::Unequal;
            }
            match self.cut(dimension, inner + dimension - first, entry, bounds) {
                Cut::Fits => {}
                other => return other,
            }
        }
        Cut::Fits
    }

    /// Joins a dimension with the next more minor one.
    fn merge(&mut self, at: usize) {
        let outer = self.sizes.get(at).copied().unwrap_or(1);
        let Some(below) = self.sizes.get_mut(at + 1) else { return };
        let inner = *below;
        *below = inner.saturating_mul(outer);
        if let Some(rest) = self.sizes.get_mut(at..).filter(|rest| !rest.is_empty()) {
            rest.rotate_left(1);
            self.sizes.pop();
        }
        for piece in &mut self.pieces {
            if piece.dimension == at {
                piece.step = piece.step.saturating_mul(inner);
            } else if piece.dimension > at {
                piece.dimension -= 1;
            }
        }
        // Pieces that continue each other, in k and in the buffer, are one.
        let mut k = 0;
        while let Some(&major) = self.pieces.get(k) {
            let continues = |minor: &Piece| {
                minor.dimension == at
                    && major.dimension == at
                    && minor.weight.checked_mul(minor.count) == Some(major.weight)
                    && minor.step.checked_mul(minor.count) == Some(major.step)
            };
            match self.pieces.iter().position(continues) {
                Some(found) => {
                    if let Some(minor) = self.pieces.get_mut(found) {
                        minor.count = minor.count.saturating_mul(major.count);
                        minor.open = major.open;
                    }
                    let _ = self.pieces.swap_pop(k);
                    k = 0;
                }
                None => k += 1,
            }
        }
    }

    /// Cuts a dimension every `entry`: what is within goes to dimension `inner`.
    fn cut(&mut self, dimension: usize, inner: usize, entry: u64, bounds: &mut Bounds) -> Cut {
        let mut straddling = None;
        for k in 0..self.pieces.len() {
            let Some(&piece) = self.pieces.get(k) else { break };
            if piece.dimension != dimension || piece.step.is_multiple_of(entry) {
                continue;
            }
            // The reach of the piece and all below it.
            let reach = self.pieces.iter().fold(0u64, |reach, other| {
                let counts = (other.dimension == dimension || other.dimension == inner) && other.step <= piece.step;
                let far = other.step.saturating_mul(other.count.saturating_sub(1));
                if counts { reach.saturating_add(far) } else { reach }
            });
            let Some(slot) = self.pieces.get_mut(k) else { break };
            if reach < entry {
                slot.dimension = inner;
                continue;
            }
            let within = entry / piece.step.max(1);
            if !entry.is_multiple_of(piece.step) || !(piece.open || piece.count.is_multiple_of(within)) {
                return Cut::Unequal;
            }
            let weight = piece.weight.saturating_mul(within);
            // Inside the piece, k may be taken apart only at the boundaries of pieces.
            let (begin, end) = (piece.weight, piece.weight.saturating_mul(piece.count));
            let fits = |b: u64| b <= begin || b >= end || b.is_multiple_of(weight) || weight.is_multiple_of(b);
            if bounds.iter().any(|&b| !fits(b)) {
                bounds.retain(|&mut b| fits(b));
                return Cut::FewerBounds;
            }
            *slot = Piece { weight, count: piece.count.div_ceil(within.max(1)), step: entry, ..piece };
            straddling = Some(Piece { count: within, dimension: inner, open: false, ..piece });
        }
        for piece in self.pieces.iter_mut().filter(|piece| piece.dimension == dimension) {
            piece.step /= entry.max(1); // everything left here is a multiple
        }
        match straddling {
            Some(piece) if self.pieces.try_push(piece).is_err() => Cut::Unequal,
            _ => Cut::Fits,
        }
    }
}
