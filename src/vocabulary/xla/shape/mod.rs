//! An XLA array shape with its layout: order, padded sizes, tiles, storage width.
//!
//! Without tiles the buffer is dense over the *padded* sizes `p` in the order `minor_to_major`:
//!
//! ```text
//! position of index i  =  Σ i[m[k]] · p[m[0]] · … · p[m[k−1]],     m = minor_to_major
//! ```
//!
//! and holds the product of all padded sizes, rounded up to the tail alignment. The seed page's example, 2x3 padded to
//! 3x5 with dimension 0 fastest, is `a d 0 b e 0 c f 0 0 0 0 0 0 0`.
//!
//! Tiles cut that buffer (`tiles`); [`buffer`](super::buffer) has the positions and lengths with them. `storage` is
//! about the bits of an element, `from_layout` about shapes of layouts.
//!
//! A dynamic dimension has a bound, which is its size, or none: then its size is [`UNBOUNDED`], and every question
//! about elements or bytes is UNSUPPORTED and names it.

mod from_layout;
mod storage;

use super::padding::PaddingKind;
use super::tiles::Tiles;
use crate::error::{Argument, Detail, Result, Status, check_count, check_rank};
use crate::model::build::check_order;
use crate::model::size::{Size, SizeRoom};
use crate::model::{Dtype, MAX_RANK, arith};

/// The size of a dynamic dimension without a bound. Text `?`.
pub const UNBOUNDED: i64 = i64::MIN;

/// A valid shape: sizes not negative (or UNBOUNDED and dynamic), each padded size at least its size, `minor_to_major` a
/// permutation, the buffer in bits within `i64`, storage bits known.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::xla::Shape;
/// let columns = Shape::new(Dtype::F32, &[2, 3], Some(&[0, 1]))?;
/// assert_eq!((columns.byte_size()?, columns.linear_index(&[1, 0])?), (24, 1));
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    dtype: Dtype,
    rank: usize,
    sizes: [i64; MAX_RANK],
    padded_sizes: [i64; MAX_RANK],
    minor_to_major: [i64; MAX_RANK],
    /// The values in the padding.
    pub padding_kind: PaddingKind,
    element_bits: u32,
    tail_alignment: i64,
    tiles: Tiles,
    /// The memory that the buffer lives in; carried along, never interpreted.
    pub memory_space: i64,
    /// Bit k: dimension k is dynamic and its size is the bound, or UNBOUNDED.
    pub dynamic: u64,
    /// Elements below a byte begin with the high bits, as XLA packed them before 2025.
    pub high_first: bool,
}

impl Shape {
    /// An unpadded shape; without an order the default: descending, which is row-major.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::Shape;
    /// assert_eq!(Shape::new(Dtype::F32, &[2, 3], None)?.minor_to_major(), [1, 0]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn new<S: Size>(dtype: Dtype, sizes: &[S], minor_to_major: Option<&[i64]>) -> Result<Self> {
        Self::stored(dtype, sizes, minor_to_major, 0)
    }

    /// [`Shape::new`] with element bits, as [`Shape::with_element_bits`].
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::Shape;
    /// let padded = Shape::stored(Dtype::S4, &[6], None, 8)?; // a byte for each
    /// assert_eq!(padded.byte_size()?, 6);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn stored<S: Size>(
        dtype: Dtype,
        sizes: &[S],
        minor_to_major: Option<&[i64]>,
        element_bits: u32,
    ) -> Result<Self> {
        let mut room = SizeRoom::new();
        let sizes = S::list(sizes, &mut room)?;
        Self::dynamic(dtype, sizes, minor_to_major, element_bits, 0)
    }

    /// [`Shape::stored`] with dynamic dimensions: bit k says that dimension k is, and only those may be [`UNBOUNDED`].
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::Shape;
    /// let bounded = Shape::dynamic(Dtype::F32, &[2, 3], None, 0, 1)?; // f32[<=2,3]
    /// assert_eq!((bounded.dynamic, bounded.sizes()), (1, &[2, 3][..]));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn dynamic(
        dtype: Dtype,
        sizes: &[i64],
        minor_to_major: Option<&[i64]>,
        element_bits: u32,
        dynamic: u64,
    ) -> Result<Self> {
        let rank = sizes.len();
        check_rank(rank, MAX_RANK, Argument::Rank)?;
        // The order of nibbles is a flag of the shape, not of its dtype.
        let is_xla = !dtype.is_bytes() && dtype == dtype.plain();
        Status::InvalidDtype.of(Argument::Dtype).unless(is_xla, Detail::DtypeForeign, dtype.code(), 3)?;
        let mut shape = Self {
            dtype,
            rank,
            sizes: filled(sizes.iter().copied()),
            padded_sizes: filled(sizes.iter().copied()),
            minor_to_major: filled((0..rank as i64).rev()),
            padding_kind: PaddingKind::None,
            element_bits: 0,
            tail_alignment: 1,
            tiles: Tiles::NONE,
            memory_space: 0,
            dynamic,
            high_first: false,
        };
        if let Some(order) = minor_to_major {
            check_order(order, rank)?;
            shape.minor_to_major = filled(order.iter().copied());
        }
        shape.set_element_bits(element_bits)?;
        Ok(shape)
    }

    /// The same shape in a buffer of these padded sizes, each at least the size (INVALID_SIZE names the dimension).
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{PaddingKind, Shape};
    /// let rows = Shape::new(Dtype::F32, &[2, 3], None)?.with_padding(&[2, 4], PaddingKind::Zero)?;
    /// assert_eq!(rows.to_layout()?.strides(), [4, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn with_padding(mut self, padded_sizes: &[i64], kind: PaddingKind) -> Result<Self> {
        self.set_padding(padded_sizes, kind)?;
        Ok(self)
    }

    /// [`Shape::with_padding`] in place, as its siblings below: shapes are large. An error leaves an unusable shape.
    pub(crate) fn set_padding(&mut self, padded_sizes: &[i64], kind: PaddingKind) -> Result<()> {
        check_count(padded_sizes.len(), self.rank, Argument::Rank)?;
        self.padded_sizes = filled(padded_sizes.iter().copied());
        self.padding_kind = kind;
        self.check()
    }

    /// The same shape with the buffer's element count rounded up to a multiple of `elements`; at least 1.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::Shape;
    /// assert_eq!(Shape::new(Dtype::F32, &[5], None)?.with_tail_alignment(8)?.byte_size()?, 32);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn with_tail_alignment(mut self, elements: i64) -> Result<Self> {
        self.set_tail_alignment(elements)?;
        Ok(self)
    }

    pub(crate) fn set_tail_alignment(&mut self, elements: i64) -> Result<()> {
        Self::check_tail_alignment(elements)?;
        self.tail_alignment = elements;
        self.check()
    }

    /// INVALID_ARGUMENT below 1.
    pub(super) fn check_tail_alignment(elements: i64) -> Result<()> {
        Status::InvalidArgument.of(Argument::TailAlignment).unless(elements >= 1, Detail::Below, elements, 1)
    }

    /// The same shape cut by one more tile, which acts on the result of those before; errors as [`Tiles::push`].
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::Shape;
    /// assert_eq!(Shape::new(Dtype::F32, &[3, 5], None)?.with_tile(&[2, 4])?.byte_size()?, 128);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn with_tile(mut self, tile: &[i64]) -> Result<Self> {
        self.add_tile(tile)?;
        Ok(self)
    }

    pub(crate) fn add_tile(&mut self, tile: &[i64]) -> Result<()> {
        self.tiles.push(tile)?;
        self.check()
    }

    /// The same shape with these tiles and no others.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{Shape, Tiles};
    /// let mut tiles = Tiles::NONE;
    /// tiles.push(&[8, 128])?;
    /// tiles.push(&[2, 1])?;
    /// let shape = Shape::new(Dtype::BF16, &[16, 256], None)?.with_tiles(tiles)?;
    /// assert_eq!(shape.linear_index(&[1, 0])?, 1); // row 1 beside row 0
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn with_tiles(mut self, tiles: Tiles) -> Result<Self> {
        self.set_tiles(&tiles)?;
        Ok(self)
    }

    pub(crate) fn set_tiles(&mut self, tiles: &Tiles) -> Result<()> {
        self.tiles = *tiles;
        self.check()
    }

    /// The tiles, in the order in which they act.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"f32[3,5]{1,0:T(2,4)}")?.tiles().len(), 1);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// The same shape with other dimensions (sizes, padded sizes, and their order as `minor_to_major` of
    /// [`Shape::new`]), flags of dynamic dimensions, and tiles. Its parts are written in place: a shape is large.
    pub(super) fn with_dimensions(
        &self,
        (sizes, padded_sizes, order): (&[i64], &[i64], &[i64]),
        dynamic: u64,
        tiles: &Tiles,
    ) -> Result<Self> {
        check_order(order, sizes.len())?;
        let mut out = *self;
        out.rank = sizes.len().min(MAX_RANK);
        let [sizes, padded_sizes, order] = [sizes, padded_sizes, order].map(|list| filled(list.iter().copied()));
        (out.sizes, out.padded_sizes, out.minor_to_major) = (sizes, padded_sizes, order);
        (out.dynamic, out.tiles) = (dynamic, *tiles);
        out.check()?;
        Ok(out)
    }

    fn check(&self) -> Result<()> {
        if self.check_bounded().is_ok() {
            arith::element_count(self.sizes())?;
        }
        let pairs = self.sizes().iter().zip(self.padded_sizes());
        for (dimension, (&size, &padded)) in pairs.enumerate() {
            let unbounded = size == UNBOUNDED && self.is_dynamic(dimension);
            let error = |argument| Status::InvalidSize.of(argument).dimension(dimension);
            error(Argument::Sizes).unless(size >= 0 || unbounded, Detail::Below, size, 0)?;
            let (fits, rule) =
                if unbounded { (padded == size, Detail::NotEqual) } else { (padded >= size, Detail::Below) };
            error(Argument::PaddedSizes).unless(fits, rule, padded, size)?;
        }
        if self.check_bounded().is_ok() {
            self.byte_size()?;
        }
        Ok(())
    }

    /// UNSUPPORTED with the first dimension that has no bound.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert!(parse(b"f32[?,3]")?.check_bounded().is_err());
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn check_bounded(&self) -> Result<()> {
        let Some(dimension) = self.sizes().iter().position(|&size| size == UNBOUNDED) else { return Ok(()) };
        let error = Status::Unsupported.of(Argument::Shape).dimension(dimension);
        Err(error.because(Detail::Unbounded, UNBOUNDED, i64::MAX))
    }

    /// Type of an element.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"f32[3,5]")?.dtype(), stride::Dtype::F32);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Number of dimensions.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"f32[3,5]")?.rank(), 2);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Elements along each dimension.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"f32[3,<=5]")?.sizes(), [3, 5]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn sizes(&self) -> &[i64] {
        &self.sizes[..self.rank.min(MAX_RANK)]
    }

    /// Sizes of the buffer; equal to the sizes where nothing is padded.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{PaddingKind, Shape};
    /// let shape = Shape::new(Dtype::F32, &[2, 3], None)?.with_padding(&[2, 4], PaddingKind::Zero)?;
    /// assert_eq!(shape.padded_sizes(), [2, 4]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn padded_sizes(&self) -> &[i64] {
        &self.padded_sizes[..self.rank.min(MAX_RANK)]
    }

    /// Size of the buffer along a dimension, 1 if it does not exist.
    pub(super) fn padded(&self, dimension: i64) -> i64 {
        self.padded_sizes().get(dimension as usize).copied().unwrap_or(1)
    }

    pub(super) fn is_dynamic(&self, dimension: usize) -> bool {
        self.dynamic >> (dimension & 63) & 1 != 0
    }

    /// Dimensions, fastest varying first.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"f32[3,5]{0,1}")?.minor_to_major(), [0, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn minor_to_major(&self) -> &[i64] {
        &self.minor_to_major[..self.rank.min(MAX_RANK)]
    }

    /// Whether some padded size is above its size.
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::{PaddingKind, Shape};
    /// let shape = Shape::new(Dtype::F32, &[2, 3], None)?;
    /// assert!(!shape.is_padded() && shape.with_padding(&[2, 4], PaddingKind::Zero)?.is_padded());
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn is_padded(&self) -> bool {
        self.sizes() != self.padded_sizes()
    }

    /// NOT_REPRESENTABLE with the first dimension that is padded.
    pub(super) fn check_unpadded(&self, argument: Argument) -> Result<()> {
        let pairs = self.padded_sizes().iter().zip(self.sizes());
        let Some((dimension, (&padded, &size))) = pairs.enumerate().find(|(_, (padded, size))| padded != size) else {
            return Ok(());
        };
        Err(Status::NotRepresentable.of(argument).dimension(dimension).because(Detail::Padding, padded, size))
    }

    /// The number that the element count of the buffer is rounded up to a multiple of.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"f32[6]{0:L(8)}")?.tail_alignment(), 8);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn tail_alignment(&self) -> i64 {
        self.tail_alignment
    }

    /// Dimensions of size above 1 (XLA's "true rank").
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"f32[1,3,1,5]")?.true_rank(), 2);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn true_rank(&self) -> usize {
        self.sizes().iter().filter(|&&size| size > 1).count()
    }
}

/// These entries, and zeros after them.
fn filled(entries: impl Iterator<Item = i64>) -> [i64; MAX_RANK] {
    let mut list = [0; MAX_RANK];
    list.iter_mut().zip(entries).for_each(|(slot, entry)| *slot = entry);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_util_example() {
        // xla.md §2: f32[10,20,30] order {1,2,0}, index (3,5,7) -> 1945.
        let shape = Shape::new(Dtype::F32, &[10, 20, 30], Some(&[1, 2, 0])).unwrap();
        assert_eq!(shape.linear_index(&[3, 5, 7]), Ok(1945));
        let mut index = [0; MAX_RANK];
        shape.multi_index(1945, &mut index).unwrap();
        assert_eq!(index[..3], [3, 5, 7]);
    }

    #[test]
    fn a_tail_alignment_rounds_the_buffer_up() {
        let shape = Shape::new(Dtype::F32, &[3, 5], None).unwrap().with_tail_alignment(16).unwrap();
        assert_eq!(shape.byte_size(), Ok(64));
        let error = shape.multi_index(15, &mut [0; MAX_RANK]).unwrap_err();
        assert_eq!((error.status, error.dimension), (Status::NotRepresentable, -1));
        assert!(Shape::new(Dtype::F32, &[3], None).unwrap().with_tail_alignment(0).is_err());
    }
}
