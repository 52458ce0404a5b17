//! The tiling rule at work: the sizes of the cut buffer, and the way from an index to its digits and back.
//!
//! One tile turns the list of dimensions into a longer one (the rule is at the head of [`tiles`](super::tiles)); all of
//! them together turn a physical index into the digits of a position:
//!
//! ```text
//! bf16[8,8] T(2,4)(2,1,1,1)   sizes  (8,8)   (4,2,2,4)   (2,2,2,4,2,1,1,1)
//!                             index  (6,5)   (3,1,0,1)   (1,1,0,1,1,0,0,0)   position 51
//! ```
//!
//! Size-1 dimensions in front of the list take no part until a tile reaches them, so all that any tile needs are there
//! from the start. A tile with `k` sizes makes the list at most `k` longer, and a list that had to be filled up to `k`
//! is at most `2·k` long: there are never more than 64 + 64 dimensions.

use super::tiles::{MAX_TILE_SIZES, MERGE, Tiles};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::{MAX_RANK, arith};

/// The most dimensions at a time.
pub(super) const MAX_DIMENSIONS: usize = MAX_RANK + MAX_TILE_SIZES;

/// An index into the cut buffer, most major first; entries past the number of dimensions are ignored.
pub(super) type Digits = [i64; MAX_DIMENSIONS];

/// A set of places in an index.
#[derive(Clone, Copy)]
pub(super) struct Places(u128);

impl Places {
    /// Each of them.
    pub const ALL: Self = Self(u128::MAX);

    pub fn contains(self, place: usize) -> bool {
        self.0 >> (place & (MAX_DIMENSIONS - 1)) & 1 != 0
    }

    fn set(&mut self, place: usize, is_in: bool) {
        let bit = 1 << (place & (MAX_DIMENSIONS - 1));
        self.0 = if is_in { self.0 | bit } else { self.0 & !bit };
    }
}

/// Sizes of the cut buffer, most major first.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    len: usize,
    sizes: Digits,
}

/// Where the dimensions that a tile takes begin, and how many remain of them after merging.
struct Window {
    first: usize,
    kept: usize,
}

/// The sizes of a tile other than [`MERGE`].
pub(super) fn kept(tile: &[i64]) -> impl Iterator<Item = i64> + Clone {
    tile.iter().copied().filter(|&size| size != MERGE)
}

/// How many size-1 dimensions the tiles need in front of `rank` dimensions.
pub(super) fn dimensions_in_front(rank: usize, tiles: &Tiles) -> usize {
    let (mut len, mut front) = (rank, 0);
    for tile in tiles.iter() {
        let missing = tile.len().saturating_sub(len);
        front += missing;
        len = (len + missing).saturating_sub(tile.len()) + 2 * kept(tile).count();
    }
    front
}

impl Cut {
    /// The buffer before the first tile: `front` dimensions of size 1, then the physical sizes, most major first.
    pub fn new(front: usize, physical: impl Iterator<Item = i64>) -> Self {
        let (mut len, mut sizes) = (front, [1; MAX_DIMENSIONS]);
        for (slot, size) in sizes.iter_mut().skip(front).zip(physical) {
            *slot = size;
            len += 1;
        }
        Self { len, sizes }
    }

    pub fn sizes(&self) -> &[i64] {
        self.sizes.get(..self.len).unwrap_or(&self.sizes)
    }

    fn size(&self, place: usize) -> i64 {
        at(&self.sizes, place).max(1)
    }

    fn window(&self, tile: &[i64]) -> Window {
        Window { first: self.len.saturating_sub(tile.len()), kept: kept(tile).count() }
    }

    /// Cuts by one tile; OVERFLOW if merged dimensions do not fit. No size is 0.
    pub fn tile(&mut self, tile: &[i64]) -> Result<()> {
        let Window { first, kept: count } = self.window(tile);
        let (mut to, mut merged) = (first, 1);
        for (from, &size) in (first..).zip(tile) {
            merged = arith::multiply(merged, self.size(from))?;
            if size != MERGE {
                let blocks = merged / size.max(1) + i64::from(merged % size.max(1) != 0);
                set(&mut self.sizes, to, blocks);
                (to, merged) = (to + 1, 1);
            }
        }
        for (to, size) in (first + count..).zip(kept(tile)) {
            set(&mut self.sizes, to, size);
        }
        self.len = (first + 2 * count).min(MAX_DIMENSIONS);
        Ok(())
    }

    /// The index after [`Cut::tile`] of an index before it. The sizes are those before the tile.
    pub fn split(&self, tile: &[i64], index: &mut Digits) {
        let Window { first, kept: count } = self.window(tile);
        let (mut to, mut merged) = (first, 0i64);
        for (from, &size) in (first..).zip(tile) {
            merged = merged.wrapping_mul(self.size(from)).wrapping_add(at(index, from)); // below the merged size
            if size != MERGE {
                set(index, to, merged);
                (to, merged) = (to + 1, 0);
            }
        }
        for (place, size) in (first..).zip(kept(tile)) {
            // Most digits of the indices in question are 0, and a division is slow.
            let whole = at(index, place);
            let (block, within) = if whole == 0 { (0, 0) } else { (whole / size.max(1), whole % size.max(1)) };
            set(index, place, block);
            set(index, place + count, within);
        }
    }

    /// The inverse of [`Cut::split`]. NOT_REPRESENTABLE (numbers: the place in a dimension, and its size) if the tile
    /// reaches past the end of what it cuts: padding. Only the places in `checked` are checked.
    pub fn join(&self, tile: &[i64], index: &mut Digits, checked: Places) -> Result<()> {
        let Window { first, kept: count } = self.window(tile);
        for (place, size) in (first..).zip(kept(tile)) {
            // Below blocks · size, a factor of the number of positions.
            let whole = at(index, place).wrapping_mul(size).wrapping_add(at(index, place + count));
            set(index, place, whole);
        }
        // From the right; what is read lies to the left of what is written, or in the same place.
        let mut from = first + count;
        let (mut rest, mut whole, mut merged) = (0i64, 0i64, 1i64);
        let padding = |whole, size| {
            let error = Error::new(Status::NotRepresentable).argument(Argument::Linear);
            Err(error.because(Detail::PaddingPosition, whole, size))
        };
        for (place, &size) in tile.iter().enumerate().rev() {
            let to = first + place;
            if size != MERGE {
                if rest != 0 && checked.contains(from) {
                    return padding(whole, merged);
                }
                from = from.saturating_sub(1);
                (whole, merged) = (at(index, from), 1);
                rest = whole;
            }
            merged = merged.saturating_mul(self.size(to));
            set(index, to, rest % self.size(to));
            rest /= self.size(to);
        }
        if rest != 0 && checked.contains(from) { padding(whole, merged) } else { Ok(()) }
    }

    /// The digits after [`Cut::tile`] in `rising` never fall when another digit of the position rises. Returns which of
    /// the places that [`Cut::join`] checks never do, and which digits of the index that it leaves: of merged
    /// dimensions the most major one above size 1.
    pub fn rising(&self, tile: &[i64], rising: Places) -> (Places, Places) {
        let Window { first, kept: count } = self.window(tile);
        let (mut whole, mut left) = (rising, rising);
        for place in first..first + count {
            whole.set(place, rising.contains(place) && rising.contains(place + count));
        }
        let (mut from, mut is_major) = (first, true);
        for (to, &size) in (first..).zip(tile) {
            left.set(to, is_major && whole.contains(from));
            is_major &= self.size(to) == 1;
            if size != MERGE {
                (from, is_major) = (from + 1, true);
            }
        }
        (whole, left)
    }

    /// Row-major position of an index.
    pub fn position(&self, index: &Digits) -> i64 {
        let digits = self.sizes().iter().zip(index);
        digits.fold(0i64, |position, (&size, &digit)| position.wrapping_mul(size).wrapping_add(digit))
    }

    /// The index of a row-major position.
    pub fn digits(&self, position: i64) -> Digits {
        let (mut index, mut rest) = ([0; MAX_DIMENSIONS], position);
        for (&size, digit) in self.sizes().iter().zip(&mut index).rev() {
            *digit = rest % size.max(1);
            rest /= size.max(1);
        }
        index
    }
}

fn at(digits: &Digits, place: usize) -> i64 {
    digits.get(place).copied().unwrap_or(0)
}

fn set(digits: &mut Digits, place: usize, value: i64) {
    if let Some(slot) = digits.get_mut(place) {
        *slot = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tile_and_its_inverse() {
        // tiled_layout.md: bf16[8,8] T(2,4)(2,1,1,1).
        let mut cut = Cut::new(0, [8, 8].into_iter());
        let mut index = [0; MAX_DIMENSIONS];
        index[..2].copy_from_slice(&[6, 5]);
        cut.split(&[2, 4], &mut index);
        assert_eq!(index[..4], [3, 1, 0, 1]);
        cut.tile(&[2, 4]).unwrap();
        assert_eq!(cut.sizes(), [4, 2, 2, 4]);
        cut.split(&[2, 1, 1, 1], &mut index);
        assert_eq!(index[..8], [1, 1, 0, 1, 1, 0, 0, 0]);
        cut.join(&[2, 1, 1, 1], &mut index, Places::ALL).unwrap();
        assert_eq!(index[..4], [3, 1, 0, 1]);
        cut.tile(&[2, 1, 1, 1]).unwrap();
        assert_eq!(cut.sizes(), [2, 2, 2, 4, 2, 1, 1, 1]);
    }

    #[test]
    fn merged_dimensions_come_apart_again() {
        let tile = [MERGE, 2, MERGE, 3];
        let mut cut = Cut::new(0, [2, 3, 2, 2].into_iter()); // (6, 4) by (2, 3)
        let mut index = [0; MAX_DIMENSIONS];
        index[..4].copy_from_slice(&[1, 2, 1, 1]);
        cut.split(&tile, &mut index);
        assert_eq!(index[..4], [2, 1, 1, 0]);
        cut.join(&tile, &mut index, Places::ALL).unwrap();
        assert_eq!(index[..4], [1, 2, 1, 1]);
        let mut padding = [2, 1, 1, 1].into_iter().chain([0; 124]);
        let mut padding = core::array::from_fn(|_| padding.next().unwrap());
        let error = cut.join(&tile, &mut padding, Places::ALL).unwrap_err();
        assert_eq!((error.lhs, error.rhs), (4, 4));
        cut.tile(&tile).unwrap();
        assert_eq!(cut.sizes(), [3, 2, 2, 3]);
    }

    #[test]
    fn size_one_dimensions_stand_in_front() {
        let mut tiles = Tiles::NONE;
        tiles.push(&[256]).unwrap();
        tiles.push(&[2, 2, 2, 2]).unwrap();
        assert_eq!(dimensions_in_front(0, &tiles), 3); // (1) becomes (1,256), then two more
        assert_eq!(dimensions_in_front(3, &tiles), 0);
        let mut all = Tiles::NONE;
        all.push(&[1; 64]).unwrap();
        assert_eq!(dimensions_in_front(0, &all), 64);
        let mut cut = Cut::new(64, core::iter::empty());
        cut.tile(&[1; 64]).unwrap();
        assert_eq!(cut.sizes().len(), 128);
    }
}
