//! The tiling rule at work: the way from an index to a position in the buffer, and back.
//!
//! Every dimension has a digit, at first the index. One tile divides digits and joins them (the rule is at the head of
//! [`tiles`](super::tiles)); in the end the digits, most major first, are a row-major position:
//!
//! ```text
//! bf16[8,8] T(2,4)(2,1,1,1)   sizes   (8,8)   (4,2,2,4)   (2,2,2,4,2,1,1,1)
//!                             digits  (6,5)   (3,1,0,1)   (1,1,0,1,1,0,0,0)   position 51
//! ```
//!
//! A tile with `k` sizes makes the list of dimensions at most `k` longer, and one that had to be filled up to `k` is at
//! most `2·k` long: there are never more than 64 + 64 dimensions.
//!
//! Back from a position, padding shows: some digit is past its end. *The highest element* is found without trying all
//! positions. Most digits never fall when a digit of the position rises, so if one of them is past its end with all
//! less significant digits of the position 0, it is so with any. Digit after digit, halving finds the highest one for
//! which this does not happen, and no element lies above. Usually all digits are of that kind, and then an element lies
//! there. They are not if a tile joins dimensions: the more minor ones start from 0 again and again.

use super::shape::Shape;
use super::tiles::{MAX_TILE_SIZES, MERGE};
use crate::error::{Argument, Detail, Result, Status};
use crate::model::index_map::IndexMap;
use crate::model::{MAX_RANK, arith};
use arrayvec::ArrayVec;

/// The most dimensions at a time.
const MAX_DIMENSIONS: usize = MAX_RANK + MAX_TILE_SIZES;
/// A digit of a dimension, by its number: that of each dimension of the shape, then those that tiles add, which are two
/// for each of their sizes at most.
type Digits = [i64; 256];
const _: () = assert!(MAX_RANK + 2 * MAX_TILE_SIZES <= 256);

/// A change of two digits by a tile. Sizes are above 0.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// `minor += major · size of minor`; sizes of both.
    Join { major: u8, minor: u8, sizes: [i64; 2] },
    /// The digit, below `size`, becomes its quotient; the remainder is a new digit.
    Divide { digit: u8, size: i64, by: i64, remainder: u8 },
}

/// The buffer of a shape, cut by its first tiles.
pub(super) struct Tiling<'a> {
    shape: &'a Shape,
    /// Most major first: digit and size.
    pub dimensions: ArrayVec<(u8, i64), MAX_DIMENSIONS>,
    /// In the order in which they act, each with the number of its tile.
    pub steps: ArrayVec<(u8, Step), MAX_TILE_SIZES>,
    digits: u8,
    /// OVERFLOW if joined dimensions do not fit, as in a valid shape only where a padded size is 0.
    pub fits: Result<()>,
}

impl<'a> Tiling<'a> {
    pub fn new(shape: &'a Shape, tiles: usize) -> Self {
        let (dimensions, steps) = (ArrayVec::new(), ArrayVec::new());
        let mut tiling = Self { shape, dimensions, steps, digits: shape.rank() as u8, fits: Ok(()) };
        for &dimension in shape.minor_to_major().iter().rev() {
            tiling.append((dimension as u8, shape.padded(dimension)));
        }
        for (item, tile) in shape.tiles().iter().take(tiles).enumerate() {
            tiling.cut(item, tile);
        }
        tiling
    }

    /// Cuts by one more tile.
    fn cut(&mut self, item: usize, tile: &[i64]) {
        let (mut taken, mut within) = (ArrayVec::<_, MAX_TILE_SIZES>::new(), ArrayVec::<_, MAX_TILE_SIZES>::new());
        for _ in self.dimensions.len()..tile.len() {
            let _ = taken.try_push((self.new_digit(), 1)); // there is room here and below, see above
        }
        let untouched = self.dimensions.len().saturating_sub(tile.len());
        let _ = self.dimensions.iter().skip(untouched).try_for_each(|&dimension| taken.try_push(dimension));
        self.dimensions.truncate(untouched);
        let mut joined = None;
        for (&by, &(digit, mut size)) in tile.iter().zip(&taken) {
            if let Some((major, outer)) = joined.take() {
                self.step(item, Step::Join { major, minor: digit, sizes: [outer, size] });
                size = arith::multiply(outer, size).unwrap_or_else(|error| {
                    self.fits = self.fits.and(Err(error.argument(Argument::Tile).item(item)));
                    i64::MAX
                });
            }
            if by == MERGE {
                joined = Some((digit, size));
                continue;
            }
            let remainder = self.new_digit();
            self.step(item, Step::Divide { digit, size, by, remainder });
            self.append((digit, (size as u64).div_ceil(by.max(1) as u64) as i64));
            let _ = within.try_push((remainder, by));
        }
        within.iter().for_each(|&dimension| self.append(dimension));
    }

    fn append(&mut self, dimension: (u8, i64)) {
        let _ = self.dimensions.try_push(dimension);
    }

    fn step(&mut self, item: usize, step: Step) {
        let _ = self.steps.try_push((item as u8, step));
    }

    fn new_digit(&mut self) -> u8 {
        self.digits = self.digits.wrapping_add(1);
        self.digits.wrapping_sub(1)
    }

    /// Position of a valid index.
    pub fn position(&self, index: &[i64]) -> i64 {
        let mut digits: Digits = [0; 256];
        digits.iter_mut().zip(index).for_each(|(slot, &digit)| *slot = digit);
        for &(_, step) in &self.steps {
            match step {
                Step::Join { major, minor, sizes: [_, size] } => {
                    let whole = digits[major as usize].wrapping_mul(size); // below the joined size
                    digits[minor as usize] = whole.wrapping_add(digits[minor as usize]);
                }
                Step::Divide { digit, by, remainder, .. } => {
                    // Most digits of the indices in question are 0, and a division is slow.
                    let whole = digits[digit as usize];
                    if whole != 0 {
                        (digits[digit as usize], digits[remainder as usize]) = (whole / by.max(1), whole % by.max(1));
                    }
                }
            }
        }
        self.dimensions
            .iter()
            .fold(0, |position: i64, &(digit, size)| position.wrapping_mul(size).wrapping_add(digits[digit as usize]))
    }

    /// The element at one of the positions. NOT_REPRESENTABLE if a digit is past its end: with the tile, or the
    /// dimension. If `rising`, only digits that never fall count.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn element_at(&self, position: i64, rising: bool, index: &mut [i64; MAX_RANK]) -> Result<()> {
        let (mut digits, mut counts, mut rest): (Digits, _, _) = ([0; 256], [true; 256], position);
        for &(digit, size) in self.dimensions.iter().rev() {
            digits[digit as usize] = rest % size.max(1);
            rest /= size.max(1);
        }
        let padding = |digit, size| {
            let error = Status::NotRepresentable.of(Argument::Linear);
            error.because(Detail::PaddingPosition, digit, size)
        };
        for &(item, step) in self.steps.iter().rev() {
            match step {
                Step::Join { major, minor, sizes: [outer, inner] } => {
                    let (major, minor, whole) = (major as usize, minor as usize, digits[minor as usize]);
                    (digits[major], digits[minor]) = (whole / inner.max(1), whole % inner.max(1));
                    // The minor one starts from 0 again and again.
                    (counts[major], counts[minor]) = (counts[minor], counts[minor] && (outer == 1 || !rising));
                }
                Step::Divide { digit, size, by, remainder } => {
                    let (digit, remainder) = (digit as usize, remainder as usize);
                    // Below blocks · size, a factor of the number of positions.
                    digits[digit] = digits[digit].wrapping_mul(by).wrapping_add(digits[remainder]);
                    counts[digit] &= counts[remainder];
                    if digits[digit] >= size && counts[digit] {
                        return Err(padding(digits[digit], size).item(item as usize));
                    }
                }
            }
        }
        for (dimension, ((&digit, &size), &counts)) in digits.iter().zip(self.shape.sizes()).zip(&counts).enumerate() {
            if digit >= size && counts {
                return Err(padding(digit, size).dimension(dimension));
            }
        }
        *index = [0; MAX_RANK];
        index.iter_mut().zip(&digits).take(self.shape.rank()).for_each(|(slot, &digit)| *slot = digit);
        Ok(())
    }

    /// Whether an element lies at a position; see [`Tiling::element_at`].
    pub fn is_element(&self, position: i64, rising: bool) -> bool {
        self.element_at(position, rising, &mut [0; MAX_RANK]).is_ok()
    }

    /// A position above which no element lies, usually that of the highest one, of `count` positions.
    pub fn bound(&self, count: i64) -> i64 {
        let (mut bound, mut step) = (0, count);
        for &(_, size) in &self.dimensions {
            step /= size.max(1);
            let (mut reached, mut beyond) = (0, size);
            while beyond - reached > 1 {
                let digit = reached + (beyond - reached) / 2;
                if self.is_element(bound + digit * step, true) { reached = digit } else { beyond = digit }
            }
            bound += reached * step;
        }
        bound
    }

    /// Adds steps and strides to the map of the shape's sizes. Digits that are always 0 are left out.
    pub fn map(&self, map: &mut IndexMap) {
        let mut names = [None; 256];
        for dimension in 0..self.shape.rank() {
            names[dimension & 255] = Some(dimension as u8);
        }
        for mut tile in by_tile(&self.steps) {
            // From the most minor size on; each is a division after its joins.
            while let Some((&(_, Step::Divide { digit, by, remainder, .. }), before)) = tile.split_last() {
                tile = before;
                let mut scale = 1i64;
                while let Some((&(_, Step::Join { major, sizes: [_, size], .. }), before)) = tile.split_last() {
                    tile = before;
                    scale = scale.wrapping_mul(size); // a factor of the buffer
                    match (names[major as usize], names[digit as usize]) {
                        (Some(major), Some(minor)) => map.join(major, minor, scale),
                        (Some(major), None) if scale > 1 => {
                            let zero = map.divide(major, 1); // a remainder of 0
                            map.join(major, zero, scale);
                            names[digit as usize] = Some(zero);
                        }
                        (one, other) => names[digit as usize] = other.or(one),
                    }
                }
                names[remainder as usize] = names[digit as usize].map(|digit| map.divide(digit, by));
            }
        }
        let mut stride = 1i64;
        for &(digit, size) in self.dimensions.iter().rev() {
            if let Some(digit) = names[digit as usize] {
                map.set_stride(digit, stride);
            }
            stride = stride.wrapping_mul(size); // the last one is the whole buffer, which fits
        }
    }
}

/// The steps of each tile.
pub(super) fn by_tile(mut steps: &[(u8, Step)]) -> impl Iterator<Item = &[(u8, Step)]> {
    core::iter::from_fn(move || {
        let (first, _) = steps.first()?;
        let (tile, after) = steps.split_at_checked(steps.iter().take_while(|(item, _)| item == first).count())?;
        steps = after;
        Some(tile)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;

    fn tiled(sizes: &[i64], tiles: &[&[i64]]) -> Shape {
        let shape = Shape::new(Dtype::BF16, sizes, None).unwrap();
        tiles.iter().fold(shape, |shape, tile| shape.with_tile(tile).unwrap())
    }

    fn sizes(shape: &Shape, tiles: usize) -> std::vec::Vec<i64> {
        Tiling::new(shape, tiles).dimensions.iter().map(|&(_, size)| size).collect()
    }

    #[test]
    fn a_tile_after_the_other_and_back() {
        // tiled_layout.md: bf16[8,8] T(2,4)(2,1,1,1).
        let shape = tiled(&[8, 8], &[&[2, 4], &[2, 1, 1, 1]]);
        assert_eq!(sizes(&shape, 1), [4, 2, 2, 4]);
        assert_eq!(sizes(&shape, 2), [2, 2, 2, 4, 2, 1, 1, 1]);
        let position = |tiles| Tiling::new(&shape, tiles).position(&[6, 5]);
        assert_eq!((position(1), position(2)), (3 * 16 + 8 + 1, 51)); // (3,1,0,1), (1,1,0,1,1,0,0,0)
        let mut index = [7; MAX_RANK];
        Tiling::new(&shape, 2).element_at(51, false, &mut index).unwrap();
        assert_eq!(index[..3], [6, 5, 0]);
    }

    #[test]
    fn joined_dimensions_come_apart_again() {
        let shape = tiled(&[2, 3, 2, 2], &[&[MERGE, 2, MERGE, 3]]); // (6, 4) by (2, 3)
        let tiling = Tiling::new(&shape, 1);
        assert_eq!(sizes(&shape, 1), [3, 2, 2, 3]);
        let position = ((2 * 2 + 1) * 2 + 1) * 3; // of (2, 1, 1, 0)
        assert_eq!(tiling.position(&[1, 2, 1, 1]), position);
        let mut index = [0; MAX_RANK];
        tiling.element_at(position, false, &mut index).unwrap();
        assert_eq!(index[..4], [1, 2, 1, 1]);
        let error = tiling.element_at(position + 1, false, &mut index).unwrap_err();
        assert_eq!((error.item, error.lhs, error.rhs), (0, 4, 4));
    }

    #[test]
    fn size_one_dimensions_stand_in_front() {
        assert_eq!(sizes(&tiled(&[], &[&[256], &[2, 2, 2, 2]]), 2), [1, 1, 1, 128, 2, 2, 2, 2]);
        assert_eq!(sizes(&tiled(&[], &[&[1; 64]]), 1), [1; 128]);
    }
}
