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
//! Storage: a type below a byte takes a whole byte (s4 is stored as s8) unless the element bits, text `E(4)`, say less.
//! Packed elements begin with the low bits of a byte, as in XLA since early 2025, unless `high_first` is set.
//!
//! Tiles cut that buffer (`tiles`); [`buffer`](super::buffer) has the positions and lengths with them.
//!
//! A dynamic dimension has a bound, which is its size, or none: then its size is [`UNBOUNDED`], and every question
//! about elements or bytes is UNSUPPORTED and names it.

use super::padding::{PaddingKind, SIGNED};
use super::tiles::Tiles;
use crate::error::{Argument, Detail, Result, Status, check_count, check_rank};
use crate::model::build::check_order;
use crate::model::layout::not_representable;
use crate::model::size::{Size, SizeRoom};
use crate::model::{Dtype, Layout, MAX_RANK, arith, fixed};

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
    /// What lies in the padding.
    pub padding_kind: PaddingKind,
    element_bits: u32,
    tail_alignment: i64,
    tiles: Tiles,
    /// Which memory the buffer lives in; carried along, never interpreted.
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

    /// [`Shape::with_padding`] in place, as its siblings below: shapes are large. After an error the shape must not be
    /// used.
    pub(crate) fn set_padding(&mut self, padded_sizes: &[i64], kind: PaddingKind) -> Result<()> {
        check_count(padded_sizes.len(), self.rank, Argument::Rank)?;
        self.padded_sizes = filled(padded_sizes.iter().copied());
        self.padding_kind = kind;
        self.check()
    }

    /// The same shape with `bits` of storage per element, 0 for the type's natural width; INVALID_ARGUMENT unless that
    /// is a power of two from 1 to 128 that holds the type. (XLA does not check it.)
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::Shape;
    /// assert_eq!(Shape::new(Dtype::S4, &[6], None)?.with_element_bits(4)?.byte_size()?, 3);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn with_element_bits(mut self, bits: u32) -> Result<Self> {
        self.set_element_bits(bits)?;
        Ok(self)
    }

    pub(crate) fn set_element_bits(&mut self, bits: u32) -> Result<()> {
        Self::check_element_bits(self.dtype, bits)?;
        let natural = natural_bits(self.dtype);
        self.element_bits = if bits as i64 == natural { 0 } else { bits }; // XLA normalises it too
        self.check()
    }

    /// The check of [`Shape::with_element_bits`]. A pred may take one bit.
    pub(super) fn check_element_bits(dtype: Dtype, bits: u32) -> Result<()> {
        let holds = bits == 0 || dtype == Dtype::PRED || bits as i64 >= dtype.bits();
        let error = Status::InvalidArgument.of(Argument::ElementBits);
        error.unless(bits <= 128, Detail::Above, bits, 128)?;
        error.unless(bits == 0 || bits.is_power_of_two(), Detail::NotAPowerOfTwo, bits, dtype.bits())?;
        error.unless(holds, Detail::Below, bits, dtype.bits())
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
    /// assert_eq!(shape.linear_index(&[1, 0])?, 1); // rows by turns
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

    /// Storage bits if they are not the type's natural ones, else 0: the number in `E(…)`.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"s4[6]{0:E(4)}")?.element_bits(), 4);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn element_bits(&self) -> u32 {
        self.element_bits
    }

    /// What the element count of the buffer is rounded up to.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"f32[6]{0:L(8)}")?.tail_alignment(), 8);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn tail_alignment(&self) -> i64 {
        self.tail_alignment
    }

    /// Bits that an element takes in the buffer.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!((parse(b"s4[6]")?.storage_bits(), parse(b"s4[6]{0:E(4)}")?.storage_bits()), (8, 4));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn storage_bits(&self) -> i64 {
        if self.element_bits != 0 { self.element_bits as i64 } else { natural_bits(self.dtype) }
    }

    /// The hub's dtype for the storage: the type itself, or an integer of the storage's width if that differs.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"s4[6]")?.storage_dtype(), stride::Dtype::S8);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn storage_dtype(&self) -> Dtype {
        let bits = self.storage_bits();
        if bits == self.dtype.bits() {
            return self.in_bit_order(self.dtype);
        }

        let unsigned = [Dtype::U1, Dtype::U2, Dtype::U4, Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64];
        let widths = if SIGNED.contains(&self.dtype) { SIGNED } else { unsigned };
        let same_width = widths.into_iter().find(|dtype| dtype.bits() == bits);
        // 128 bits: C128 itself was answered above; any other type of that width is 16 plain bytes.
        self.in_bit_order(same_width.or(Dtype::bytes(16).ok()).unwrap_or(Dtype::C128))
    }

    fn in_bit_order(&self, dtype: Dtype) -> Dtype {
        if self.high_first { dtype.high_first() } else { dtype }
    }

    /// Whether elements share bytes and begin with the high bits.
    pub(super) fn packs_high_first(&self) -> bool {
        self.high_first && self.storage_bits() < 8
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

    /// The shape of an unpadded layout. NOT_REPRESENTABLE: an offset, gaps, zero or negative strides; the order follows
    /// [`Layout::minor_to_major`].
    ///
    /// ```
    /// use stride::vocabulary::xla::Shape;
    /// use stride::{Dtype, LayoutBuf};
    /// let columns = LayoutBuf::ordered(Dtype::F32, &[2, 3], &[0, 1])?;
    /// assert_eq!(Shape::from_layout(&columns.view()?)?.minor_to_major(), [0, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn from_layout(layout: &Layout<'_>) -> Result<Self> {
        let (dtype, element_bits) = check_hub(layout)?;
        let mut order = [0; MAX_RANK];
        layout.minor_to_major(&mut order)?;
        let order = order.get(..layout.rank()).unwrap_or(&[]);
        let shape = Self::stored(dtype, layout.sizes(), Some(order), element_bits)?;
        Ok(Self { high_first: layout.dtype().is_high_first(), ..shape })
    }

    /// The shape with the least padding that has these strides: a row pitch becomes a padded size. Each stride must be
    /// a multiple of the one before it that leaves room for its elements, else NOT_REPRESENTABLE; the fastest one is 1,
    /// or what a dimension of size 1 is padded to. The slowest dimension is never padded. The kind of the padding is
    /// unknown.
    ///
    /// ```
    /// use stride::vocabulary::xla::Shape;
    /// use stride::{Dtype, LayoutBuf};
    /// let rows = LayoutBuf::strided(Dtype::F32, &[2, 3], &[4, 1])?;
    /// assert_eq!(Shape::from_layout_padded(&rows.view()?)?.padded_sizes(), [2, 4]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn from_layout_padded(layout: &Layout<'_>) -> Result<Self> {
        let (dtype, element_bits) = check_hub(layout)?;
        let mut order = [0; MAX_RANK];
        layout.stride_order(&mut order)?;
        let order = order.get_mut(..layout.rank()).unwrap_or(&mut []);
        // `expected` is the stride of the next dimension without padding; `inner` the last dimension that may be padded
        // for it, and its own stride.
        let (mut expected, mut inner): (i64, Option<(usize, i64)>) = (1, None);
        let of = |&dimension: &i64| layout.dimension(dimension as usize);
        if !layout.is_empty()
            && order.iter().map(of).find(|of| of.0 != 1).is_some_and(|(_, stride)| stride > 1)
            && let Some(place) = order.iter().position(|dimension| of(dimension).0 == 1)
        {
            // If the elements lie apart, that dimension is the padding, fastest of all.
            order.get_mut(..=place).unwrap_or(&mut []).rotate_right(1);
            inner = order.first().map(|&one| (one as usize, 1));
        }
        let mut shape = Self::stored(dtype, layout.sizes(), Some(order), element_bits)?;
        shape.high_first = layout.dtype().is_high_first();
        if layout.is_empty() {
            return Ok(shape);
        }
        for &dimension in &*order {
            let (size, stride) = layout.dimension(dimension as usize);
            if size == 1 {
                continue;
            }
            if stride != expected {
                let error = not_representable(dimension as usize, stride, expected as i128);
                let Some((inner, inner_stride)) = inner else { return Err(error) };
                if stride < expected || stride % inner_stride != 0 {
                    return Err(error);
                }
                fixed::set(&mut shape.padded_sizes, inner, stride / inner_stride);
                shape.padding_kind = PaddingKind::Unknown;
            }
            inner = Some((dimension as usize, stride.max(1)));
            expected = stride.saturating_mul(size);
        }
        shape.check()?;
        Ok(shape)
    }
}

/// These entries, and zeros behind them.
fn filled(entries: impl Iterator<Item = i64>) -> [i64; MAX_RANK] {
    let mut list = [0; MAX_RANK];
    list.iter_mut().zip(entries).for_each(|(slot, entry)| *slot = entry);
    list
}

/// Bits in which XLA stores an element of this type by default: whole bytes.
fn natural_bits(dtype: Dtype) -> i64 {
    dtype.bits().max(8)
}

/// XLA's dtype and element bits for a layout of the hub.
fn check_hub(layout: &Layout<'_>) -> Result<(Dtype, u32)> {
    let error = |status: Status| status.of(Argument::Layout);
    let dtype = layout.dtype();
    let is_xla = !dtype.is_bytes() && !dtype.is_swapped();
    error(Status::InvalidDtype).unless(is_xla, Detail::DtypeForeign, dtype.code(), 3)?;
    let begins = layout.offset() == 0 || layout.is_empty();
    error(Status::NotRepresentable).unless(begins, Detail::Offset, layout.offset(), 0)?;
    Ok((dtype.low_first(), if dtype.is_sub_byte() { dtype.bits() as u32 } else { 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided<'a>(sizes: &'a [i64], strides: &'a [i64]) -> Layout<'a> {
        Layout::new(Dtype::F32, 0, sizes, strides).unwrap()
    }

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
    fn storage_of_four_bits() {
        let s4 = Shape::new(Dtype::S4, &[3], None).unwrap();
        assert_eq!((s4.byte_size(), s4.storage_dtype()), (Ok(3), Dtype::S8));
        let packed = s4.with_element_bits(4).unwrap();
        assert_eq!((packed.byte_size(), packed.storage_dtype()), (Ok(2), Dtype::S4));
        assert_eq!(Shape { high_first: true, ..packed }.storage_dtype(), Dtype::S4.high_first());
        assert_eq!(s4.with_element_bits(8).unwrap().element_bits(), 0);
        assert_eq!(Shape::stored(Dtype::S4, &[1i64 << 60], None, 4).unwrap().byte_size(), Ok(1 << 59));
        let refused = [(2, Detail::Below), (3, Detail::NotAPowerOfTwo), (256, Detail::Above)];
        assert!(refused.iter().all(|&(bits, why)| s4.with_element_bits(bits).unwrap_err().detail == why));
        assert_eq!(s4.with_element_bits(128).unwrap().element_bits(), 128);
        let wide_bool = Shape::new(Dtype::PRED, &[3], None).unwrap().with_element_bits(32).unwrap();
        assert_eq!((wide_bool.byte_size(), wide_bool.storage_dtype()), (Ok(12), Dtype::U32));
    }

    #[test]
    fn the_least_padding_that_fits() {
        let padded = Shape::from_layout_padded(&strided(&[2, 3], &[5, 1])).unwrap();
        assert_eq!((padded.padded_sizes(), padded.minor_to_major()), (&[2, 5][..], &[1, 0][..]));
        let padded = Shape::from_layout_padded(&strided(&[2, 1, 3, 4], &[60, 9, 1, 5])).unwrap();
        assert_eq!((padded.padded_sizes(), padded.minor_to_major()), (&[2, 1, 5, 12][..], &[2, 1, 3, 0][..]));
        assert!(Shape::from_layout(&strided(&[2, 3], &[5, 1])).is_err());
        for strides in [[5, 2], [2, 1], [1, 1], [-3, 1], [0, 1]] {
            let error = Shape::from_layout_padded(&strided(&[2, 3], &strides)).unwrap_err();
            assert_eq!(error.status, Status::NotRepresentable, "{strides:?}");
        }
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
