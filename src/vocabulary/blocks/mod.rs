//! Blocked layouts: buffers whose dimensions are digits of the indices, in any order.
//!
//! A *block* is one digit of one index in mixed radix:
//!
//! ```text
//! (index[dimension] / step) mod size
//! ```
//!
//! The blocks of a dimension, from step 1 on, each begin where the one inside them ends: the step is the product of the
//! sizes below. The highest block holds the whole size; if its own size is 0, it counts as far as that takes. All
//! blocks, the slowest one first, are the dimensions of a packed buffer. Elements past the end of one are padding.
//!
//! **Scale tiles.** The scale factors of MXFP8 and NVFP4 lie in tiles of 128 x 4, as tensor cores read them: element
//! (m, k) of a tile lies at `(m % 32) * 16 + (m / 32 % 4) * 4 + k % 4`, and tiles follow each other row by row. That is
//! `a/128 b/4 a%32 a/32%4 b%4` ([`SCALE_TILES`]). Here a lower digit of a lies outside a higher one, which neither
//! XLA's tiles nor oneDNN's tags can express: they cut what is left of a dimension, from the outermost on.
//!
//! **Text.** A dimension is a letter, `a` the first. `/step` is left out if it is 1, `%size` if it is 0. Spaces
//! separate blocks:
//!
//! ```text
//! blocks := (block (" " block)*)?      block := letter ("/" number)? ("%" number)?
//! ```
//!
//! | what | text |
//! |---|---|
//! | row-major, column-major | `a b`, `b a` |
//! | oneDNN's OIhw4i16o4i | `a/16 b/16 c d b/4%4 a%16 b%4` |
//! | pairs of rows side by side, as VNNI and AMX read bf16 | `a/2 b a%2` |
//! | scale tiles; of a batch of matrices | `a/128 b/4 a%32 a/32%4 b%4`; `a b/128 c/4 b%32 b/32%4 c%4` |
//!
//! Sources: "1D Block Scaling Factors Layout" of cuBLAS's documentation; `Sm1xxBlockScaledConfig` of CUTLASS.

mod text;

use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_rank};
use crate::model::index_map::IndexMap;
use crate::model::layout::check_index;
use crate::model::size::{Size, SizeRoom};
use crate::model::{Dtype, Layout, LayoutBuf, LayoutStorage, MAX_RANK, arith, fixed};
use arrayvec::ArrayVec;

/// The most blocks: as many as a layout has dimensions.
pub const MAX_BLOCKS: usize = MAX_RANK;
/// The highest rank of a layout that has a text: there are no more letters.
pub const MAX_TEXT_RANK: usize = 26;
/// The blocks of scale factors of a matrix, as cuBLAS, CUTLASS and Triton take them for MXFP8, MXFP4 and NVFP4.
pub const SCALE_TILES: &str = "a/128 b/4 a%32 a/32%4 b%4";

/// A digit of an index: `(index[dimension] / step) mod size`.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::blocks::{Block, BlockedLayout};
/// let tiles = BlockedLayout::parse("b/4 a b%4", Dtype::U8, &[2, 8])?;
/// assert_eq!(tiles.blocks().next(), Some(Block { dimension: 1, step: 4, size: 0 }));
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The dimension of the index.
    pub dimension: i64,
    /// The distance of the indices from one value to the next.
    pub step: i64,
    /// The number of its values. 0, which only the highest block of a dimension may have: as many as needed.
    pub size: i64,
}

/// A block that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digit {
    pub step: i64,
    /// The number of its values, even if the size is 0. It is 0 only if the size is 0 and the dimension is empty.
    pub count: i64,
    dimension: u8,
    /// The size is 0.
    open: bool,
}

impl Digit {
    pub fn dimension(&self) -> usize {
        self.dimension as usize
    }
}

/// A blocked layout. See the [module documentation](self).
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::blocks::{BlockedLayout, SCALE_TILES};
/// let scales = BlockedLayout::parse(SCALE_TILES, Dtype::F8E4M3FN, &[200, 6])?;
/// assert_eq!(scales.byte_size()?, 256 * 8); // padded
/// assert_eq!(scales.linear_index(&[1, 0])?, 16);
/// assert_eq!(scales.linear_index(&[32, 0])?, 4);
/// assert_eq!(scales.buffer()?.sizes(), [2, 2, 32, 4, 4]);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedLayout {
    dtype: Dtype,
    sizes: ArrayVec<i64, MAX_RANK>,
    /// The slowest first.
    digits: ArrayVec<Digit, MAX_BLOCKS>,
    /// Their numbers, those of smaller steps first; 0 after them.
    ascending: [u8; MAX_BLOCKS],
}

impl BlockedLayout {
    /// The layout of these sizes and blocks, the slowest block first. INVALID_RANK above 64 sizes or blocks;
    /// INVALID_SIZE; INVALID_AXES and INVALID_TILE with the block (item); OVERFLOW.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::blocks::{Block, BlockedLayout};
    /// let pairs = [(0, 2, 0), (1, 1, 0), (0, 1, 2)].map(|(dimension, step, size)| Block { dimension, step, size });
    /// assert_eq!(BlockedLayout::new(Dtype::BF16, &[3, 5], &pairs)?.to_string(), "a/2 b a%2");
    /// assert!(BlockedLayout::new(Dtype::BF16, &[3, 5], &pairs[..2]).is_err()); // nothing has steps of 1 row
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn new<S: Size>(dtype: Dtype, sizes: &[S], blocks: &[Block]) -> Result<Self> {
        let mut room = SizeRoom::new();
        let sizes = S::list(sizes, &mut room)?;
        let mut layout = Self { dtype, sizes: ArrayVec::new(), digits: ArrayVec::new(), ascending: [0; MAX_BLOCKS] };
        for (dimension, &size) in sizes.iter().enumerate() {
            Status::InvalidSize.of(Argument::Sizes).dimension(dimension).at_least(size, 0)?;
            layout.sizes.try_push(size).or_else(|_| check_rank(sizes.len(), MAX_RANK, Argument::Rank))?;
        }
        for (item, &Block { dimension, step, size }) in blocks.iter().enumerate() {
            let error = |status: Status, argument| status.of(argument).item(item);
            error(Status::InvalidAxes, Argument::BlockDims).in_range(dimension, sizes.len() as i64)?;
            error(Status::InvalidSize, Argument::BlockSizes).at_least(size, 0)?;
            let digit = Digit { step, count: size, dimension: dimension as u8, open: size == 0 };
            layout.digits.try_push(digit).or_else(|_| check_rank(blocks.len(), MAX_BLOCKS, Argument::Count))?;
            layout.sort_in(item as u8, &digit);
        }
        layout.check_digits()?;
        layout.buffer()?;
        Ok(layout)
    }

    /// Puts a block into the ascending order: a block of 1 before those of the same step, which it does not end.
    fn sort_in(&mut self, number: u8, digit: &Digit) {
        let key = |digit: &Digit| (digit.step, digit.open, digit.count);
        let is_later = |&other: &u8| self.digits.get(other as usize).is_some_and(|other| key(other) > key(digit));
        let place = self.ascending.iter().take(number.into()).position(is_later).unwrap_or(number.into());
        fixed::insert(&mut self.ascending, number.into(), place, number);
    }

    /// Checks that the digits of each dimension are a mixed radix without holes, up to its end; counts the open ones.
    fn check_digits(&mut self) -> Result<()> {
        // For each dimension, the product of the blocks so far, and its open block.
        let mut found = [(1i64, None); MAX_RANK];
        for &number in self.ascending.iter().take(self.digits.len()) {
            let Some(digit) = self.digits.get_mut(number as usize) else { continue };
            let both = (self.sizes.get(digit.dimension()), found.get_mut(digit.dimension()));
            let (Some(size), Some((inside, open))) = both else { continue };
            let error = |argument| Status::InvalidTile.of(argument);
            if let Some((item, step)) = *open {
                return Err(error(Argument::BlockSizes).item(item).because(Detail::BlockOpen, step, digit.step));
            }
            let error = error(Argument::BlockSteps).item(number as usize);
            error.unless(digit.step == *inside, Detail::BlockStep, digit.step, *inside)?;
            if digit.open {
                *open = Some((number as usize, digit.step));
                let step = digit.step.max(1); // it is `inside`, and no block counts fewer than 1
                digit.count = size / step + i64::from(size % step != 0);
            }
            *inside = arith::multiply(*inside, digit.count).in_role(Argument::BlockSizes)?;
        }
        for (dimension, (&size, &(held, _))) in self.sizes.iter().zip(&found).enumerate() {
            let error = Status::InvalidTile.of(Argument::Sizes).dimension(dimension);
            error.unless(held >= size, Detail::BlockCover, held, size)?;
        }
        Ok(())
    }

    /// The type of an element.
    ///
    /// ```
    /// # use stride::{Dtype, vocabulary::blocks::BlockedLayout};
    /// assert_eq!(BlockedLayout::parse("b a", Dtype::U8, &[2, 3])?.dtype(), Dtype::U8);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Elements along each dimension.
    ///
    /// ```
    /// # use stride::{Dtype, vocabulary::blocks::BlockedLayout};
    /// assert_eq!(BlockedLayout::parse("b a", Dtype::U8, &[2, 3])?.sizes(), [2, 3]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn sizes(&self) -> &[i64] {
        &self.sizes
    }

    /// The blocks, the slowest one first.
    ///
    /// ```
    /// # use stride::{Dtype, vocabulary::blocks::{Block, BlockedLayout}};
    /// let pairs = BlockedLayout::parse("a/2 b a%2", Dtype::BF16, &[3, 5])?;
    /// assert_eq!(pairs.blocks().last(), Some(Block { dimension: 0, step: 1, size: 2 }));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block> {
        self.digits.iter().map(|digit| Block {
            dimension: i64::from(digit.dimension),
            step: digit.step,
            size: if digit.open { 0 } else { digit.count },
        })
    }

    /// Makes `map` the positions of its elements in the buffer, which belongs to it whole.
    #[inline(never)] // keeps its frame off the caller's stack
    pub(crate) fn set_index_map(&self, map: &mut IndexMap) -> Result<()> {
        map.begin(&self.sizes, self.positions()?);
        // What is left of each index is divided by the blocks of its dimension, those of smaller steps first.
        let mut places = [0u8; MAX_BLOCKS];
        for &number in self.ascending.iter().take(self.digits.len()) {
            if let (Some(digit), Some(place)) = (self.digits.get(number as usize), places.get_mut(number as usize)) {
                // Nothing is left after the highest block, so the rest of the index is its digit.
                let last = digit.step.saturating_mul(digit.count) >= self.padded_size(digit.dimension());
                *place = if last && digit.count > 1 {
                    digit.dimension
                } else {
                    map.divide(digit.dimension, digit.count.max(1))
                };
            }
        }
        let mut stride = 1i64;
        for (digit, &place) in self.digits.iter().zip(&places).rev() {
            map.set_stride(place, stride);
            stride = stride.wrapping_mul(digit.count); // the last one is the whole buffer, which fits
        }
        Ok(())
    }

    /// The padded size: what the blocks of a dimension hold, 1 if it has none.
    ///
    /// ```
    /// # use stride::{Dtype, vocabulary::blocks::{BlockedLayout, SCALE_TILES}};
    /// let scales = BlockedLayout::parse(SCALE_TILES, Dtype::U8, &[200, 6])?;
    /// assert_eq!([scales.padded_size(0), scales.padded_size(1)], [256, 8]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn padded_size(&self, dimension: usize) -> i64 {
        let of = self.digits.iter().filter(|digit| digit.dimension() == dimension);
        of.fold(1, |product, digit| product.saturating_mul(digit.count)) // fits: `check_digits`
    }

    /// The whole buffer, padding included: a packed layout with a dimension for each block.
    ///
    /// ```
    /// # use stride::{Dtype, vocabulary::blocks::BlockedLayout};
    /// let pairs = BlockedLayout::parse("a/2 b a%2", Dtype::BF16, &[3, 5])?;
    /// assert_eq!(pairs.buffer()?.sizes(), [2, 5, 2]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn buffer(&self) -> Result<LayoutBuf> {
        LayoutBuf::made(|out| self.buffer_in(out))
    }

    /// [`BlockedLayout::buffer`] in a lent layout.
    #[inline(never)] // has many callers
    pub(crate) fn buffer_in<'o>(&self, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
        let mut counts = ArrayVec::<i64, MAX_BLOCKS>::new();
        let _ = self.digits.iter().try_for_each(|digit| counts.try_push(digit.count)); // as many as there are digits
        out.set_packed(self.dtype, &counts).map_err(|error| Error { dimension: -1, ..error }).in_role(Argument::Sizes)
    }

    /// Elements of the buffer.
    #[inline(never)]
    pub(crate) fn positions(&self) -> Result<i64> {
        self.buffer().map(|buffer| buffer.element_count())
    }

    /// Bytes of the buffer.
    ///
    /// ```
    /// # use stride::{Dtype, vocabulary::blocks::BlockedLayout};
    /// assert_eq!(BlockedLayout::parse("a/2 b a%2", Dtype::BF16, &[3, 5])?.byte_size()?, 4 * 5 * 2);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn byte_size(&self) -> Result<u64> {
        self.buffer()?.min_bytes()
    }

    /// Position of an index in the buffer, in elements. INVALID_RANK; INDEX_OUT_OF_RANGE with the dimension.
    ///
    /// ```
    /// # use stride::{Dtype, vocabulary::blocks::BlockedLayout};
    /// assert_eq!(BlockedLayout::parse("a/2 b a%2", Dtype::BF16, &[3, 5])?.linear_index(&[1, 4])?, 9);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn linear_index(&self, index: &[i64]) -> Result<i64> {
        check_index(index, &self.sizes)?;
        Ok(self.digits.iter().fold(0, |position: i64, digit| {
            let digit_value =
                index.get(digit.dimension()).map_or(0, |index| index / digit.step.max(1) % digit.count.max(1));
            position.wrapping_mul(digit.count).wrapping_add(digit_value) // below the number of positions, which fits
        }))
    }

    /// The inverse: the index of a position into the first entries. INDEX_OUT_OF_RANGE outside the buffer;
    /// NOT_REPRESENTABLE if the position is padding, with the dimension past whose size it lies.
    ///
    /// ```
    /// # use stride::{Dtype, vocabulary::blocks::BlockedLayout};
    /// let pairs = BlockedLayout::parse("a/2 b a%2", Dtype::BF16, &[3, 5])?;
    /// let mut index = [0; stride::model::MAX_RANK];
    /// pairs.multi_index(9, &mut index)?;
    /// assert_eq!(index[..2], [1, 4]);
    /// assert!(pairs.multi_index(19, &mut index).is_err()); // padding
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn multi_index(&self, linear: i64, index: &mut [i64; MAX_RANK]) -> Result<()> {
        let error = |status: Status| status.of(Argument::Linear);
        let positions = self.positions()?;
        error(Status::IndexOutOfRange).in_range(linear, positions)?;
        let (mut found, mut rest) = ([0i64; MAX_RANK], linear);
        for digit in self.digits.iter().rev() {
            let count = digit.count.max(1); // it is, since there are positions
            if let Some(slot) = found.get_mut(digit.dimension()) {
                *slot = slot.wrapping_add(digit.step.wrapping_mul(rest % count)); // below the padded size
            }
            rest /= count;
        }
        for (dimension, (&digit, &size)) in found.iter().zip(&self.sizes).enumerate() {
            let error = error(Status::NotRepresentable).dimension(dimension);
            error.unless(digit < size, Detail::PaddingPosition, digit, size)?;
        }
        *index = found;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn scale_tiles_lie_as_the_formula_says() {
        let scales = BlockedLayout::parse(SCALE_TILES, Dtype::U8, &[300, 11]).unwrap();
        assert_eq!((scales.byte_size(), scales.to_string()), (Ok(384 * 12), SCALE_TILES.into()));
        let mut index = [0; MAX_RANK];
        for (m, k) in (0..300).flat_map(|m| (0..11).map(move |k| (m, k))) {
            let tile = m / 128 * 3 + k / 4;
            let position = tile * 512 + (m % 32) * 16 + (m / 32 % 4) * 4 + k % 4;
            assert_eq!(scales.linear_index(&[m, k]), Ok(position));
            scales.multi_index(position, &mut index).unwrap();
            assert_eq!(index[..2], [m, k]);
        }
    }

    #[test]
    fn what_is_no_mixed_radix_is_named() {
        for (text, item, dimension, detail, lhs, rhs) in [
            ("a/128 b a/64%2 a%32", 2, -1, Detail::BlockStep, 64, 32),
            ("a/2 b a%4", 0, -1, Detail::BlockStep, 2, 4),
            ("a/2 b", 0, -1, Detail::BlockStep, 2, 1),
            ("a b a%4", 0, -1, Detail::BlockStep, 1, 4),
            ("a b a/7%2", 0, -1, Detail::BlockOpen, 1, 7),
            ("a b a", 0, -1, Detail::BlockOpen, 1, 1),
            ("a%4 b a/4%2", -1, 0, Detail::BlockCover, 8, 10),
            ("a", -1, 1, Detail::BlockCover, 1, 6),
            ("", -1, 0, Detail::BlockCover, 1, 10),
        ] {
            let error = BlockedLayout::parse(text, Dtype::U8, &[10, 6]).unwrap_err();
            let argument = if item < 0 { Argument::Sizes } else { Argument::Text };
            assert_eq!((error.status, error.argument), (Status::InvalidTile, argument), "{text}");
            assert_eq!((error.item, error.dimension, error.detail), (item, dimension, detail), "{text}");
            assert_eq!((error.lhs, error.rhs), (lhs, rhs), "{text}");
        }
    }

    #[test]
    fn blocks_of_one_and_empty_dimensions() {
        let bytes = |text: &str, sizes: &[i64]| BlockedLayout::parse(text, Dtype::F32, sizes).unwrap().byte_size();
        assert_eq!(bytes("a%1 a a%1 b/1%1 b", &[3, 2]), Ok(24));
        assert_eq!(bytes("", &[]), Ok(4));
        assert_eq!(bytes("", &[1, 1, 1]), Ok(4));
        assert_eq!(bytes("", &[1, 0, 1]), Ok(4)); // no digit, no room saved
        assert_eq!(bytes(SCALE_TILES, &[0, 4]), Ok(0));
        assert_eq!(bytes("a%4 b", &[0, 4]), Ok(64)); // all of it is padding
        assert_eq!(bytes("a%4 b%4", &[1, 3]), Ok(64));
    }

    #[test]
    fn what_does_not_fit_overflows() {
        let overflow = |text: &str, sizes: &[i64]| {
            BlockedLayout::parse(text, Dtype::U8, sizes).map_err(|error| error.status) == Err(Status::Overflow)
        };
        assert!(overflow("a/4 b a%4", &[i64::MAX, 0]));
        assert!(overflow("a/4 b a%4", &[1 << 40, 1 << 40]));
        assert!(overflow("a/4294967296%4294967296 b a%4294967296", &[1, 1]));
        assert!(!overflow("a b", &[i64::MAX, 0]));
    }
}
