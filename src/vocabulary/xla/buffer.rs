//! The buffer of a shape: how long it is, and where in it each element lies.
//!
//! An element's index is first put in physical order, the most major dimension first, then cut by each tile (`tiling`);
//! the result is row-major. All starts from the *padded* sizes. The length is rounded up to the tail alignment.
//!
//! A position holds an element only if every digit of it lies inside what its tile cuts, and the index inside the
//! sizes; the others are padding. With at most one tile, the last element lies highest. With more tiles it need not: in
//! `f32[7]{0:T(4)(2,3)}` element 6 lies at 5 and element 3 at 6.
//!
//! Two questions are about all elements at once: which position is the highest (`tiling`), and whether each element
//! lies where it would without the tiles. The latter is answered digit by digit too, because both positions are sums
//! over the digits, and lowering a digit of an element's position gives another element's. That holds unless a tile
//! merges dimensions of which the more minor one has gaps of its own (a padded size, or dimensions that an earlier tile
//! cut). For such *irregular* tiles the question is whether the tiled buffer can be used as the untiled one
//! (`bitcast`). If neither way has the answer, elements or positions are tried, as many as `tries` allows, and the
//! answer may be UNDECIDED.

use super::bitcast;
use super::numbering::Numbering;
use super::rearrange::listed;
use super::shape::Shape;
use super::tiles::{MERGE, Tiles};
use super::tiling::Tiling;
use super::tries::{tries, undecided};
use crate::error::{Argument, Detail, ForArgument, Result, Status};
use crate::model::index_map::IndexMap;
use crate::model::layout::check_index;
use crate::model::{Layout, LayoutBuf, LayoutStorage, MAX_RANK, arith, fixed};

impl Shape {
    fn buffer(&self) -> Buffer<'_> {
        Buffer { shape: self, tiles: self.tiles().len() }
    }

    /// Bytes that this many elements take.
    fn bytes(&self, elements: i64) -> Result<u64> {
        let bits = arith::multiply(elements, self.storage_bits()).for_argument(Argument::PaddedSizes)?;
        Ok(arith::bytes_for_bits(bits as u64))
    }

    fn is_empty(&self) -> bool {
        arith::has_zero(self.sizes())
    }

    /// Positions in the buffer, in elements, without the tail.
    pub(crate) fn positions(&self) -> Result<i64> {
        self.check_bounded()?;
        self.buffer().positions()
    }

    /// Bytes of the buffer: padding, tiles and tail alignment included.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// let shape = parse(b"f32[3,5]{1,0:T(2,4)}")?; // 2 x 2 tiles of 8 elements
    /// assert_eq!(shape.byte_size()?, 4 * 8 * 4);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn byte_size(&self) -> Result<u64> {
        self.check_bounded()?;
        self.bytes(self.buffer().length()?)
    }

    /// Bytes of the elements alone, dynamic dimensions at their bound; 0 if there are none.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// let shape = parse(b"f32[3,5]{1,0:T(2,4)}")?; // 2 x 2 tiles of 8 elements
    /// assert_eq!(shape.dense_size()?, 15 * 4);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn dense_size(&self) -> Result<u64> {
        self.check_bounded()?;
        self.bytes(arith::element_count(self.sizes())?)
    }

    /// Bytes up to the end of the element that lies furthest; 0 if there are none. UNDECIDED: irregular tiles, and all
    /// positions that were tried are padding.
    ///
    /// XLA's `ArrayDataSize` assumes that the last element is the furthest, which is not so with several tiles.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// let shape = parse(b"f32[3,5]{1,0:T(2,4)}")?; // 2 x 2 tiles of 8 elements
    /// assert_eq!(shape.data_size()?, 25 * 4); // the last element is the first of its tile
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn data_size(&self) -> Result<u64> {
        self.check_bounded()?;
        if self.is_empty() {
            return Ok(0);
        }
        self.bytes(self.buffer().highest()? + 1)
    }

    /// Bytes of the buffer for each byte of the elements, at least 1; infinite without elements, 1 without a buffer.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// let shape = parse(b"f32[3,5]{1,0:T(2,4)}")?; // 2 x 2 tiles of 8 elements
    /// assert_eq!(shape.expansion_factor()?, 32.0 / 15.0);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn expansion_factor(&self) -> Result<f64> {
        let (bytes, dense) = (self.byte_size()?, self.dense_size()?);
        Ok(if bytes == dense { 1.0 } else { bytes as f64 / dense as f64 })
    }

    /// Position of an index in the buffer, in elements. Without tiles this is
    /// `IndexUtil::MultidimensionalIndexToLinearIndex`, padding counted; XLA's `LinearIndex` looks at the first tile
    /// only. INDEX_OUT_OF_RANGE with the dimension.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// let shape = parse(b"f32[3,5]{1,0:T(2,4)}")?; // 2 x 2 tiles of 8 elements
    /// assert_eq!(shape.linear_index(&[1, 2])?, 6);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn linear_index(&self, index: &[i64]) -> Result<i64> {
        self.check_bounded()?;
        check_index(index, self.sizes())?;
        Ok(self.buffer().position(index))
    }

    /// The inverse: the index of a buffer position into the first `rank` entries. INDEX_OUT_OF_RANGE outside the
    /// buffer. NOT_REPRESENTABLE if the position is padding: with the dimension past whose size it lies, or the tile
    /// (item) that reaches past what it cuts, or neither for the tail.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// let shape = parse(b"f32[3,5]{1,0:T(2,4)}")?; // 2 x 2 tiles of 8 elements
    /// let mut index = [0; stride::model::MAX_RANK];
    /// shape.multi_index(6, &mut index)?;
    /// assert_eq!(index[..2], [1, 2]);
    /// assert!(shape.multi_index(9, &mut index).is_err()); // padding
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn multi_index(&self, linear: i64, index: &mut [i64; MAX_RANK]) -> Result<()> {
        self.check_bounded()?;
        let error = |status: Status| status.of(Argument::Linear);
        let length = self.buffer().length()?;
        let in_buffer = (0..length).contains(&linear);
        error(Status::IndexOutOfRange).unless(in_buffer, Detail::OutOfRange, linear, length)?;
        let before_tail = linear < self.buffer().positions()?;
        error(Status::NotRepresentable).unless(before_tail, Detail::TailPosition, linear, length)?;
        Tiling::new(self, self.tiles().len()).element_at(linear, false, index)
    }

    /// Makes `map` the positions of its elements in the buffer, its own. OVERFLOW as [`Shape::byte_size`].
    #[inline(never)] // keeps its frame off the caller's stack
    pub(crate) fn set_index_map(&self, map: &mut IndexMap) -> Result<()> {
        map.begin(self.sizes(), self.positions()?);
        Tiling::new(self, self.tiles().len()).map(map);
        Ok(())
    }

    /// Whether the tiles change nothing: every element lies where it would without them, and the buffer is as long.
    /// XLA's `IsUntiledLayout`, for any number of tiles. UNDECIDED: irregular tiles of which one cuts another in
    /// unequal pieces, and too many elements to try.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// let shape = parse(b"f32[3,5]{1,0:T(2,4)}")?; // 2 x 2 tiles of 8 elements
    /// assert!(!shape.is_untiled()?);
    /// assert!(parse(b"f32[4,8]{1,0:T(2,8)}")?.is_untiled()?); // whole rows
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn is_untiled(&self) -> Result<bool> {
        self.check_bounded()?;
        let untiled = Buffer { shape: self, tiles: 0 };
        Ok(untiled.length()? == self.buffer().length()? && self.buffer().moved()?.is_none())
    }

    /// The layout of the elements in the buffer. NOT_REPRESENTABLE if tiles move elements; the item is the first tile
    /// that does, the numbers are an element's positions with and without the tiles. UNDECIDED as
    /// [`Shape::is_untiled`].
    ///
    /// Tiles that only lengthen the buffer, such as one of 256 of `f32[100]`, move nothing: there is a layout, though
    /// [`Shape::is_untiled`] says no.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// let shape = parse(b"f32[3,5]{1,0:T(2,4)}")?; // 2 x 2 tiles of 8 elements
    /// assert!(shape.to_layout().is_err()); // no strides say it
    /// assert_eq!(parse(b"f32[3,5]{0,1}")?.to_layout()?.strides(), [1, 3]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn to_layout(&self) -> Result<LayoutBuf> {
        LayoutBuf::made(|out| self.layout_in(out))
    }

    /// [`Shape::to_layout`] in a lent layout.
    pub(crate) fn layout_in<'o>(&self, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
        self.check_bounded()?;
        if let Some((tiled, untiled)) = self.buffer().moved()? {
            let moves = |&tiles: &usize| Buffer { shape: self, tiles }.moved().is_ok_and(|moved| moved.is_some());
            let first = (1..self.tiles().len()).find(moves).unwrap_or(self.tiles().len()).saturating_sub(1);
            let error = Status::NotRepresentable.of(Argument::Shape);
            return Err(error.item(first).because(Detail::TilesMove, tiled, untiled));
        }
        out.set_dimensions(self.storage_dtype(), 0, self.sizes().iter().map(|&size| (size, 0)))?;
        if !self.is_empty() {
            let mut stride = 1i64;
            for &dimension in self.minor_to_major() {
                fixed::set(out.strides_mut(), dimension as usize, stride);
                stride = arith::multiply(stride, self.padded(dimension)).for_argument(Argument::PaddedSizes)?;
            }
        }
        out.view()
    }
}

/// The buffer of a shape with only its first `tiles` tiles.
#[derive(Clone, Copy)]
struct Buffer<'a> {
    shape: &'a Shape,
    tiles: usize,
}

impl Buffer<'_> {
    fn tiles(&self) -> impl Iterator<Item = &[i64]> + Clone {
        self.shape.tiles().iter().take(self.tiles)
    }

    /// Positions before the tail: the product of the padded sizes, or of what the tiles make of them.
    fn positions(&self) -> Result<i64> {
        let mut count = arith::element_count(self.shape.padded_sizes()).for_argument(Argument::PaddedSizes)?;
        if count != 0 && self.tiles != 0 {
            count = 1;
            let tiling = Tiling::new(self.shape, self.tiles);
            tiling.fits?;
            for &(_, size) in &tiling.dimensions {
                count = arith::multiply(count, size).for_argument(Argument::Tile)?;
            }
        }
        Ok(count)
    }

    /// Positions, rounded up to the tail alignment, also for an untiled shape; XLA's `ArraySize` returns before it
    /// looks at the alignment of these (docs/XLA.md).
    fn length(&self) -> Result<i64> {
        let (count, alignment) = (self.positions()?, self.shape.tail_alignment().max(1));
        let groups = (count as u64).div_ceil(alignment as u64) as i64;
        arith::multiply(groups, alignment).for_argument(Argument::PaddedSizes)
    }

    /// Position of a valid index.
    fn position(&self, index: &[i64]) -> i64 {
        Tiling::new(self.shape, self.tiles).position(index)
    }

    /// Whether a tile merges dimensions of which a more minor one has gaps; see the head of the file.
    fn is_irregular(&self) -> bool {
        let mut tiles = self.tiles();
        let Some(first) = tiles.next() else { return false };
        if tiles.any(|tile| tile.contains(&MERGE)) {
            return true;
        }
        // The tile's last sizes belong to the most minor dimensions; each that follows a MERGE must be unpadded.
        let (sizes, mut minor_to_major) = (self.shape.sizes(), self.shape.minor_to_major().iter());
        first.iter().rev().skip(1).any(|&more_major| {
            let dimension = minor_to_major.next().copied();
            let padded = dimension.is_some_and(|d| sizes.get(d as usize) != Some(&self.shape.padded(d)));
            more_major == MERGE && padded
        })
    }

    /// The highest position of an element, if there is one.
    fn highest(&self) -> Result<i64> {
        if self.tiles < 2 {
            return Ok(self.position(&listed(self.shape.sizes().iter().map(|size| size - 1))));
        }
        let (count, tiling) = (self.positions()?, Tiling::new(self.shape, self.tiles));
        let bound = tiling.bound(count);
        if tiling.is_element(bound, false) {
            return Ok(bound);
        }
        let tries = tries(&[self.shape]);
        let elements = arith::element_count(self.shape.sizes())?;
        if elements <= tries {
            let numbering = Numbering::row_major(self.shape);
            let positions = (0..elements as u64).map(|k| tiling.position(&numbering.index(k)));
            return Ok(positions.max().unwrap_or(0));
        }
        let mut below = (bound - tries + 1..=bound).rev(); // not below 0: there are more elements
        below.find(|&position| tiling.is_element(position, false)).ok_or(undecided(tries, count))
    }

    /// Positions with and without the tiles of an element that they move, if they move any. UNDECIDED as
    /// [`Shape::is_untiled`].
    fn moved(&self) -> Result<Option<(i64, i64)>> {
        if self.shape.is_empty() || self.tiles == 0 {
            return Ok(None);
        }
        if self.is_irregular() {
            return self.moved_as_reshape();
        }
        let (untiled, mut index) = (Buffer { tiles: 0, ..*self }, [0; MAX_RANK]);
        let tiling = Tiling::new(self.shape, self.tiles);
        // Both positions are sums over the digits, so the elements with a single digit 1 decide.
        let mut position = self.positions()?;
        for &(_, size) in &tiling.dimensions {
            position /= size.max(1);
            if size > 1 && tiling.element_at(position, false, &mut index).is_ok() {
                let both = (position, untiled.position(&index));
                if both.0 != both.1 {
                    return Ok(Some(both));
                }
            }
        }
        Ok(None)
    }

    /// [`Buffer::moved`] for any tiles.
    #[inline(never)] // shapes are large
    fn moved_as_reshape(&self) -> Result<Option<(i64, i64)>> {
        let mut first = Tiles::NONE;
        for tile in self.tiles() {
            first.push(tile)?;
        }
        let (tiled, untiled) = (self.shape.with_tiles(first)?, self.shape.with_tiles(Tiles::NONE)?);
        bitcast::difference(&Numbering::row_major(&tiled), &Numbering::row_major(&untiled))
    }
}
