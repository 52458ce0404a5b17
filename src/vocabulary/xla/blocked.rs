//! Blocked formats: an order of the dimensions, and blocks that are cut out of some of them.
//!
//! In `OIhw4i16o4i` the order is o i h w, and the blocks are 4 of i, 16 of o, 4 of i, outermost first. A dimension `d`
//! may have several blocks; `B[d]` is their product, 1 if there are none. With sizes `n`
//!
//! ```text
//! array      ceil(n[d] / B[d]) for each d of the order, then the sizes of the blocks
//! subscript  i[d] / B[d]       for each d of the order, then (i[d] / w) mod b for each block b of d,
//!                              w the product of the blocks of d inside of it
//! ```
//!
//! **As tiles.** The shape's order is the order above. The first tile cuts every dimension by `B`: the quotients
//! outside are the array's first half, and inside lie all blocks of a dimension together, in the order of the
//! dimensions. From now on every tile acts inside the one before it and divides without a rest, so it pads nothing and
//! only moves: what a tile's entry leaves outside stays where it is, the rest goes further in. So the blocks are taken
//! from the outermost on. Consecutive blocks in the order of the dimensions stay where they are, and one more tile,
//! whose entries are all that is not yet in its place, moves the rest after them:
//!
//! ```text
//! OIhw4i16o4i   tile (16,16,1,1)   inside  16o 16i 1 1    4i stays, 16o lies before it
//!               tile (16, 4,1,1)   inside  1 4i 1 1 16o 4i 1 1   16o and 4i stay
//! ```
//!
//! That is one tile, plus one for each block that goes back in the order. So every blocked format is an XLA shape, as
//! far as [`Tiles`] holds its tiles.
//!
//! **Back.** Cut by tiles, each dimension of the buffer is a piece `(i[d] / weight) mod count` of one dimension of the
//! shape, as long as no tile merges dimensions or cuts a block with a rest. The pieces are the blocks if those of each
//! dimension follow each other from the outermost to the innermost.

use super::rearrange::{listed, physical_axes};
use super::shape::Shape;
use super::tiles::{MAX_TILE_SIZES, Tiles};
use super::tiling::{Step, Tiling};
use crate::error::{Argument, Detail, ForArgument, Result, Status, check_rank};
use crate::model::build::check_order;
use crate::model::{Dtype, MAX_RANK, arith};
use arrayvec::ArrayVec;

/// The most blocks of a format: no shape has more tile sizes.
pub const MAX_BLOCKS: usize = MAX_TILE_SIZES;

/// A blocked format. Blocks are above 1, and neighbours are of different dimensions.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::xla::{Blocked, Shape};
/// // oneDNN's nChw16c: dimensions in their order, blocks of 16 channels inside.
/// let mut format = Blocked::new(4, None)?;
/// format.push(1, 16)?;
/// let shape = Shape::from_blocked(Dtype::F32, &[2, 20, 3, 5], &format)?;
/// assert_eq!(shape.byte_size()?, 2 * 32 * 3 * 5 * 4); // channels in whole blocks
/// assert_eq!(Blocked::of(&shape)?, format);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    order: ArrayVec<i64, MAX_RANK>,
    dimensions: ArrayVec<i64, MAX_BLOCKS>,
    sizes: ArrayVec<i64, MAX_BLOCKS>,
}

impl Blocked {
    /// No blocks yet; without an order the default: dimension 0 is the outermost. INVALID_RANK above 64;
    /// INVALID_AXES with the entry.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{Blocked, Shape};
    /// // oneDNN's nChw16c: dimensions in their order, blocks of 16 channels inside.
    /// let mut format = Blocked::new(4, None)?;
    /// format.push(1, 16)?;
    /// assert_eq!(format.outer_order(), [0, 1, 2, 3]);
    /// assert!(Blocked::new(2, Some(&[0, 0])).is_err());
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn new(rank: usize, outer_order: Option<&[i64]>) -> Result<Self> {
        check_rank(rank, MAX_RANK, Argument::Rank)?;
        let order = match outer_order {
            Some(given) => {
                check_order(given, rank).in_role(Argument::OuterOrder)?;
                listed(given.iter().copied())
            }
            None => listed(0..rank as i64),
        };
        Ok(Self { order, dimensions: ArrayVec::new(), sizes: ArrayVec::new() })
    }

    /// Adds a block inside all others. A block of 1 changes nothing, and one inside a block of the same dimension makes
    /// it larger. INVALID_AXES, INVALID_SIZE, OVERFLOW; UNSUPPORTED beyond [`MAX_BLOCKS`].
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{Blocked, Shape};
    /// // oneDNN's nChw16c: dimensions in their order, blocks of 16 channels inside.
    /// let mut format = Blocked::new(4, None)?;
    /// format.push(1, 16)?;
    /// assert!(format.push(4, 8).is_err() && format.push(0, 0).is_err());
    /// assert_eq!(format.block_sizes(), [16]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn push(&mut self, dimension: i64, size: i64) -> Result<()> {
        let rank = self.order.len() as i64;
        let error = Status::InvalidAxes.of(Argument::BlockDims);
        error.unless((0..rank).contains(&dimension), Detail::OutOfRange, dimension, rank)?;
        Status::InvalidSize.of(Argument::BlockSizes).unless(size >= 1, Detail::Below, size, 1)?;
        if size == 1 {
            return Ok(());
        }
        if self.dimensions.last() == Some(&dimension)
            && let Some(last) = self.sizes.last_mut()
        {
            *last = arith::multiply(*last, size).for_argument(Argument::BlockSizes)?;
            return Ok(());
        }
        let fits = self.dimensions.try_push(dimension).is_ok() && self.sizes.try_push(size).is_ok();
        let (error, most) = (Status::Unsupported.of(Argument::BlockSizes), MAX_BLOCKS as i64);
        error.unless(fits, Detail::TooManyTileSizes, most + 1, most)
    }

    /// Dimensions, the outermost first.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{Blocked, Shape};
    /// // oneDNN's nChw16c: dimensions in their order, blocks of 16 channels inside.
    /// let mut format = Blocked::new(4, None)?;
    /// format.push(1, 16)?;
    /// assert_eq!(format.outer_order(), [0, 1, 2, 3]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn outer_order(&self) -> &[i64] {
        &self.order
    }

    /// The dimension of each block, the outermost first.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{Blocked, Shape};
    /// // oneDNN's nChw16c: dimensions in their order, blocks of 16 channels inside.
    /// let mut format = Blocked::new(4, None)?;
    /// format.push(1, 16)?;
    /// assert_eq!(format.block_dims(), [1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn block_dims(&self) -> &[i64] {
        &self.dimensions
    }

    /// Sizes of the blocks.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{Blocked, Shape};
    /// // oneDNN's nChw16c: dimensions in their order, blocks of 16 channels inside.
    /// let mut format = Blocked::new(4, None)?;
    /// format.push(1, 16)?;
    /// assert_eq!(format.block_sizes(), [16]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn block_sizes(&self) -> &[i64] {
        &self.sizes
    }

    /// Whether a dimension has blocks.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{Blocked, Shape};
    /// // oneDNN's nChw16c: dimensions in their order, blocks of 16 channels inside.
    /// let mut format = Blocked::new(4, None)?;
    /// format.push(1, 16)?;
    /// assert!(format.is_blocked(1) && !format.is_blocked(0));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn is_blocked(&self, dimension: i64) -> bool {
        self.dimensions.contains(&dimension)
    }

    /// The place of a dimension in the order.
    fn place(&self, dimension: i64) -> usize {
        self.order.iter().position(|&other| other == dimension).unwrap_or(0) // `push` checked that it is there
    }

    fn tiles(&self) -> Result<Tiles> {
        let mut rest = [1i64; MAX_RANK]; // what is not in its place yet, in the order of the dimensions
        let mut blocks =
            self.dimensions.iter().zip(&self.sizes).map(|(&dimension, &size)| (self.place(dimension), size));
        for (place, size) in blocks.clone() {
            if let Some(product) = rest.get_mut(place) {
                *product = arith::multiply(*product, size)?;
            }
        }
        let mut tiles = Tiles::NONE;
        let mut next = blocks.next();
        while next.is_some() {
            let inside = rest.get(..self.order.len()).unwrap_or(&[]);
            let first = inside.iter().position(|&size| size != 1).unwrap_or(0);
            tiles.push(inside.get(first..).unwrap_or(&[]))?;
            let mut before = None;
            while let Some((place, size)) = next
                && before < Some(place)
            {
                if let Some(left) = rest.get_mut(place) {
                    *left /= size.max(1);
                }
                (before, next) = (Some(place), blocks.next());
            }
        }
        Ok(tiles)
    }

    /// The format of a shape; its sizes, type, storage bits and memory do not matter. NOT_REPRESENTABLE: padding, with
    /// the dimension; a tail alignment; a tile (item) that merges dimensions or cuts a block with a rest; or the
    /// dimension whose blocks do not follow each other from the outermost to the innermost. Tiles that merge are always
    /// refused, though some of them move nothing.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{Blocked, Shape};
    /// // oneDNN's nChw16c: dimensions in their order, blocks of 16 channels inside.
    /// let mut format = Blocked::new(4, None)?;
    /// format.push(1, 16)?;
    /// assert_eq!(Blocked::of(&Shape::from_blocked(Dtype::S8, &[1, 16, 2, 2], &format)?)?.block_dims(), [1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn of(shape: &Shape) -> Result<Self> {
        let error = Status::NotRepresentable.of(Argument::Shape);
        shape.check_unpadded(Argument::Shape)?;
        error.unless(shape.tail_alignment() == 1, Detail::Field, shape.tail_alignment(), 1)?;
        let tiling = Tiling::new(shape, shape.tiles().len());
        let mut pieces = [Cut::One; 256]; // by digits
        for dimension in 0..shape.rank() as u8 {
            pieces[dimension as usize] = Cut::Outer { dimension: dimension.into(), weight: 1 };
        }
        for &(item, step) in &tiling.steps {
            let cut = match step {
                Step::Join { .. } => Err(error.because(Detail::Merges, 0, 0)),
                Step::Divide { digit, by, remainder, .. } => pieces[digit as usize].cut(by).map(|(left, within)| {
                    (pieces[digit as usize], pieces[remainder as usize]) = (left, within);
                }),
            };
            cut.map_err(|error| error.item(item as usize))?;
        }
        let pieces = tiling.dimensions.iter().map(|&(digit, _)| pieces[digit as usize]);
        // For each dimension the innermost block counts single elements, each other one counts what lies inside it.
        let mut inside = [1i64; MAX_RANK];
        for piece in pieces.clone().rev() {
            if let Cut::Block { dimension, weight, count } = piece
                && let Some(expected) = inside.get_mut(dimension as usize)
            {
                let error = error.dimension(dimension as usize);
                error.unless(weight == *expected, Detail::BlockOrder, weight, *expected)?;
                *expected = expected.saturating_mul(count);
            }
        }
        let mut blocked = Self { order: physical_axes(shape), dimensions: ArrayVec::new(), sizes: ArrayVec::new() };
        for piece in pieces {
            if let Cut::Block { dimension, count, .. } = piece {
                blocked.push(dimension, count).in_role(Argument::Shape)?;
            }
        }
        Ok(blocked)
    }
}

/// A dimension of the buffer, as tiles have cut it so far.
#[derive(Clone, Copy)]
enum Cut {
    /// Nothing: its size is 1.
    One,
    /// i[dimension] / weight.
    Outer { dimension: i64, weight: i64 },
    /// (i[dimension] / weight) mod count, count above 1.
    Block { dimension: i64, weight: i64, count: i64 },
}

impl Cut {
    /// Cuts every `entry`: what is left outside, and what lies inside.
    fn cut(self, entry: i64) -> Result<(Self, Self)> {
        let error = Status::NotRepresentable.of(Argument::Shape);
        if entry == 1 {
            return Ok((self, Self::One));
        }
        match self {
            Self::One => Err(error.because(Detail::NotABlock, entry, 1)),
            Self::Outer { dimension, weight } => {
                let further = arith::multiply(weight, entry).for_argument(Argument::Shape)?; // overflows if a size is 0
                let block = Self::Block { dimension, weight, count: entry };
                Ok((Self::Outer { dimension, weight: further }, block))
            }
            Self::Block { count, .. } if count == entry => Ok((Self::One, self)),
            Self::Block { dimension, weight, count } if count.checked_rem(entry) == Some(0) => {
                let outside = Self::Block {
                    dimension,
                    weight: arith::multiply(weight, entry).for_argument(Argument::Shape)?,
                    count: count / entry.max(1),
                };
                Ok((outside, Self::Block { dimension, weight, count: entry }))
            }
            Self::Block { dimension, count, .. } => {
                Err(error.dimension(dimension as usize).because(Detail::NotABlock, entry, count))
            }
        }
    }
}

impl Shape {
    /// The shape of a blocked format. UNSUPPORTED if it takes more than 8 tiles or 64 sizes of them; OVERFLOW.
    ///
    /// A format does not say what its padding holds, so the kind of padding is NONE, as after reading a text. The
    /// default of FILL_BUFFER, zeros, is what oneDNN wants.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{Blocked, Shape};
    /// // oneDNN's nChw16c: dimensions in their order, blocks of 16 channels inside.
    /// let mut format = Blocked::new(4, None)?;
    /// format.push(1, 16)?;
    /// let shape = Shape::from_blocked(Dtype::F32, &[2, 20, 3, 5], &format)?;
    /// assert_eq!(shape.linear_index(&[0, 1, 0, 0])?, 1); // neighbours in a block
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn from_blocked(dtype: Dtype, sizes: &[i64], blocked: &Blocked) -> Result<Self> {
        let order = listed(blocked.outer_order().iter().rev().copied());
        let mut shape = Self::new(dtype, sizes, Some(&order))?;
        if !blocked.block_sizes().is_empty() {
            let tiles = blocked.tiles().in_role(Argument::BlockSizes)?;
            shape.set_tiles(&tiles).in_role(Argument::BlockSizes)?;
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tiles::MERGE;
    use super::*;
    use std::vec::Vec;

    fn blocked(rank: usize, order: Option<&[i64]>, blocks: &[(i64, i64)]) -> Blocked {
        let mut blocked = Blocked::new(rank, order).unwrap();
        for &(dimension, size) in blocks {
            blocked.push(dimension, size).unwrap();
        }
        blocked
    }

    fn tiles(of: &Blocked) -> Vec<Vec<i64>> {
        of.tiles().unwrap().iter().map(<[i64]>::to_vec).collect()
    }

    #[test]
    fn tiles_are_those_of_the_page_of_blocked_formats() {
        // OIhw4i16o4i, IOhw16i16o, gOIhw16i16o, BA16a64b4a and kHWC8 of docs/BLOCKED_FORMATS.md.
        let weights = blocked(4, None, &[(1, 4), (0, 16), (1, 4)]);
        assert_eq!(tiles(&weights), [[16, 16, 1, 1], [16, 4, 1, 1]]);
        assert_eq!(tiles(&blocked(4, Some(&[1, 0, 2, 3]), &[(1, 16), (0, 16)])), [[16, 16, 1, 1]]);
        let grouped = blocked(5, None, &[(2, 16), (1, 16)]);
        assert_eq!(tiles(&grouped), [[16, 16, 1, 1], [16, 1, 1, 1]]);
        let matrix = blocked(2, Some(&[1, 0]), &[(0, 16), (1, 64), (0, 4)]);
        assert_eq!(tiles(&matrix), [[64, 64], [64, 4]]);
        assert_eq!(tiles(&blocked(4, Some(&[0, 2, 3, 1]), &[(1, 8)])), [[8]]);
        assert_eq!(tiles(&blocked(3, None, &[])), [[0; 0]; 0]);
        let shape = Shape::from_blocked(Dtype::F32, &[20, 30, 3, 3], &weights).unwrap();
        assert_eq!(Blocked::of(&shape), Ok(weights));
    }

    #[test]
    fn a_block_of_one_is_none_and_neighbours_are_one() {
        let twice = blocked(2, None, &[(0, 1), (1, 4), (1, 1), (1, 2), (0, 3)]);
        assert_eq!((twice.block_dims(), twice.block_sizes()), (&[1, 0][..], &[8, 3][..]));
        assert_eq!(blocked(0, None, &[]).tiles(), Ok(Tiles::NONE));
        let mut wrong = Blocked::new(2, None).unwrap();
        assert_eq!(wrong.push(2, 4).unwrap_err().status, Status::InvalidAxes);
        assert_eq!(wrong.push(0, 0).unwrap_err().status, Status::InvalidSize);
        wrong.push(0, 1 << 62).unwrap();
        assert_eq!(wrong.push(0, 4).unwrap_err().status, Status::Overflow);
        assert_eq!(Blocked::new(2, Some(&[0, 0])).unwrap_err().argument, Argument::OuterOrder);
    }

    #[test]
    fn shapes_that_are_no_blocked_formats() {
        let shape = |sizes: &[i64], tiles: &[&[i64]]| {
            let shape = Shape::new(Dtype::F32, sizes, None).unwrap();
            Blocked::of(&tiles.iter().fold(shape, |shape, tile| shape.with_tile(tile).unwrap()))
        };
        let tpu = shape(&[30, 100], &[&[8, 128], &[2, 1]]).unwrap();
        assert_eq!((tpu.block_dims(), tpu.block_sizes()), (&[0, 1, 0][..], &[4, 128, 2][..]));
        assert!(shape(&[3], &[&[1, 4], &[1, 1, 1]]).is_ok()); // size-1 dimensions in front that nothing cuts
        for (sizes, tiles, detail, item, dimension) in [
            (&[6, 6][..], &[&[MERGE, 4][..]][..], Detail::Merges, 0, -1),
            (&[100], &[&[8, 128]], Detail::NotABlock, 0, -1),
            (&[12], &[&[6], &[4]], Detail::NotABlock, 1, 0),
            (&[6, 8], &[&[4], &[2, 2, 1]], Detail::BlockOrder, -1, 1),
        ] {
            let error = shape(sizes, tiles).unwrap_err();
            assert_eq!((error.status, error.detail), (Status::NotRepresentable, detail), "{tiles:?}");
            assert_eq!((error.item, error.dimension), (item, dimension), "{tiles:?}");
        }
    }
}
