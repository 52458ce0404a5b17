//! The layout: where each element of a tensor lies.
//!
//! ```text
//! element offset of (i0, …, i[r−1])  =  offset + i0·strides[0] + … + i[r−1]·strides[r−1]
//! ```
//!
//! in elements from the base pointer. Strides may be negative (a mirrored view), zero (one element repeated) or larger
//! than needed (padding). The base pointer is the start of the *buffer*; `offset` places index (0, …, 0) in it.
//!
//! A [`Layout`] borrows its sizes and strides and can only be made by [`Layout::new`], which proves the invariants:
//!
//! * I1 `rank` is at most 64.
//! * I2 no size is negative.
//! * I3 the element count fits `i64`; a size of 0 is looked for first and makes it 0.
//! * I4 offset, lowest and highest element offset and `(highest + 1)` in bits fit `i64`. An empty layout reaches
//!   nothing and always passes.
//! * I5 the dtype is known.
//!
//! So a function that takes a `Layout` need not check again, and no sum over its strides can overflow. The stride of a
//! dimension of size 1 (or of any dimension of an empty layout) means nothing: every question skips it.

mod index;

use super::MAX_RANK;
use super::arith::{self, Extent};
use super::dtype::Dtype;
use crate::error::{Argument, Detail, Error, Result, Status};
use core::fmt;
pub(crate) use index::check_index;

/// A valid layout. See the [module documentation](self).
///
/// ```
/// use stride::model::{Dtype, Layout};
/// // DirectML's example: element H at (1, 0, 1) of the 2x2x3 tensor with strides {6, 3, 1}.
/// let layout = Layout::new(Dtype::U8, 0, &[2, 2, 3], &[6, 3, 1]).unwrap();
/// assert_eq!(layout.offset_of(&[1, 0, 1]), Ok(7));
/// assert_eq!(layout.min_bytes(), Ok(12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout<'a> {
    dtype: Dtype,
    offset: i64,
    sizes: &'a [i64],
    strides: &'a [i64],
    extent: Extent,
}

impl<'a> Layout<'a> {
    /// Checks I1–I4 (I5 is in the type of `dtype`). Strides are in elements, outermost dimension first.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// assert!(Layout::new(Dtype::F32, 0, &[2, 3], &[3, 1]).is_ok());
    /// let error = Layout::new(Dtype::U8, 0, &[2, 3], &[1 << 62, 1]).unwrap_err();
    /// assert_eq!((error.status, error.rhs), (stride::error::Status::Overflow, 8)); // times 8 bits
    /// ```
    #[inline]
    pub fn new(dtype: Dtype, offset: i64, sizes: &'a [i64], strides: &'a [i64]) -> Result<Self> {
        check_rank(sizes.len(), strides.len())?;
        let extent = arith::extent(dtype.bits(), offset, sizes, strides)?;
        Ok(Self { dtype, offset, sizes, strides, extent })
    }

    /// [`Layout::new`] where the extent may be known.
    #[inline(always)]
    pub(crate) fn of_known(
        known: Option<Extent>,
        dtype: Dtype,
        offset: i64,
        sizes: &'a [i64],
        strides: &'a [i64],
    ) -> Result<Self> {
        match known {
            Some(extent) => Ok(Self { dtype, offset, sizes, strides, extent }),
            None => Self::new(dtype, offset, sizes, strides),
        }
    }

    /// Type of an element.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert_eq!(layout.dtype(), Dtype::F32);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Number of dimensions.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert_eq!(layout.rank(), 2);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.sizes.len().min(MAX_RANK) // I1, repeated for the optimiser
    }

    /// Element offset of index (0, …, 0) from the base pointer.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert_eq!(layout.offset(), 5);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// Elements along each dimension, outermost first.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert_eq!(layout.sizes(), [2, 3]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn sizes(&self) -> &'a [i64] {
        self.sizes
    }

    /// Distance in elements between neighbours along each dimension.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert_eq!(layout.strides(), [3, -1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn strides(&self) -> &'a [i64] {
        self.strides
    }

    /// `(size, stride)` of each dimension, outermost first.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert!(layout.dimensions().eq([(2, 3), (3, -1)]));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn dimensions(&self) -> impl DoubleEndedIterator<Item = (i64, i64)> + ExactSizeIterator + Clone + 'a {
        self.sizes.iter().copied().zip(self.strides.iter().copied())
    }

    /// Number of elements; 1 for rank 0.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert_eq!(layout.element_count(), 6);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn element_count(&self) -> i64 {
        self.extent.count
    }

    /// Whether there is no element.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert!(!layout.is_empty());
    /// assert!(Layout::new(Dtype::F32, 5, &[2, 0], &[3, -1])?.is_empty());
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.extent.count == 0
    }

    /// Lowest and highest element offset that any index reaches; 0 and −1 for an empty layout.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert_eq!(layout.span(), (3, 8));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn span(&self) -> (i64, i64) {
        (self.extent.lowest, self.extent.highest)
    }

    pub(super) fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether no element lies below the base pointer.
    #[inline]
    pub(crate) fn is_above_base(&self) -> bool {
        self.extent.lowest >= 0 // of an empty layout it is 0
    }

    /// Bytes that a buffer needs: `ceil((highest + 1) · element bits / 8)`, 0 if empty; OUT_OF_BOUNDS if an element
    /// lies below the base pointer.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// assert_eq!(Layout::new(Dtype::F32, 0, &[2, 3], &[4, 1])?.min_bytes()?, 28);
    /// let error = Layout::new(Dtype::F32, 0, &[3], &[-1])?.min_bytes().unwrap_err(); // -8 bytes from the base pointer
    /// assert_eq!((error.status, error.lhs), (stride::error::Status::OutOfBounds, -8));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn min_bytes(&self) -> Result<u64> {
        if self.is_empty() {
            return Ok(0);
        }
        if self.extent.lowest < 0 {
            let error = Status::OutOfBounds.of(Argument::Layout);
            let lowest_bits = self.extent.lowest as i128 * self.dtype.bits() as i128;
            return Err(error.because_wide(Detail::BeforeStart, lowest_bits >> 3, 0));
        }
        Ok(arith::bytes_for_bits((self.extent.highest + 1) as u64 * self.dtype.bits() as u64)) // I4
    }

    /// Bytes from the base pointer to index (0, …, 0), 0 if the layout is empty. OUT_OF_BOUNDS as
    /// [`Layout::min_bytes`]; NOT_REPRESENTABLE if it is not a whole byte.
    pub(crate) fn offset_bytes(&self) -> Result<u64> {
        if self.is_empty() {
            return Ok(0);
        }
        self.min_bytes()?; // the offset is not negative
        let bits = self.dtype.bits().max(1);
        let offset_bits = self.offset as u64 * bits as u64; // I4
        let error = Status::NotRepresentable.of(Argument::Layout);
        error.unless(offset_bits.is_multiple_of(8), Detail::WholeBytes, self.offset, 8 / bits)?;
        Ok(offset_bits / 8)
    }

    /// Equal field by field: dtype, offset, sizes and all strides, even those that mean nothing.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let (a, b) = (Layout::new(Dtype::F32, 0, &[1, 3], &[3, 1])?, Layout::new(Dtype::F32, 0, &[1, 3], &[77, 1])?);
    /// assert!(a.same_fields(&a) && !a.same_fields(&b));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn same_fields(&self, other: &Layout<'_>) -> bool {
        self == other
    }

    /// Every index means the same bits: equal dtype and sizes and, unless empty, equal offset, and equal strides of
    /// dimensions of size above 1.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// // The stride of a dimension of size 1 is ignored.
    /// let (a, b) = (Layout::new(Dtype::F32, 0, &[1, 3], &[3, 1])?, Layout::new(Dtype::F32, 0, &[1, 3], &[77, 1])?);
    /// assert!(a.same_mapping(&b));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn same_mapping(&self, other: &Layout<'_>) -> bool {
        let same_steps = || {
            let both = self.dimensions().zip(other.strides.iter().copied());
            self.offset == other.offset && both.into_iter().all(|((size, a), b)| size <= 1 || a == b)
        };
        self.dtype == other.dtype && self.sizes == other.sizes && (self.is_empty() || same_steps())
    }

    /// The order of the dimensions in memory, fastest varying first, into the first `rank` entries.
    ///
    /// Dimensions of size above 1 go by their strides, which must be those of a dense layout in that order: gaps, zero
    /// and negative strides are NOT_REPRESENTABLE. A size-1 dimension is placed just major to the next dimension of
    /// size above 1 on its right; trailing ones are the most minor. An empty layout is row-major. The rule is
    /// libstride's own, since strides alone do not determine the order (jax#25066).
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf, model::MAX_RANK};
    /// let mut order = [0; MAX_RANK];
    /// LayoutBuf::channels_last(Dtype::F32, &[2, 3, 4, 5])?.view()?.minor_to_major(&mut order)?;
    /// assert_eq!(order[..4], [1, 3, 2, 0]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn minor_to_major(&self, out: &mut [i64; MAX_RANK]) -> Result<()> {
        self.stride_order(out)?;
        let mut order = out.iter().take(self.rank()).map(|&dimension| dimension as usize);
        let (run, expected) = self.packed_run(order.clone());
        match order.nth(run).filter(|_| !self.is_empty()) {
            Some(dimension) => Err(not_representable(dimension, self.dimension(dimension).1, expected as i128)),
            None => Ok(()),
        }
    }

    /// The number of these dimensions that are packed, one after the other, and the number of their elements.
    #[inline]
    pub(super) fn packed_run(&self, fastest_first: impl Iterator<Item = usize>) -> (usize, i64) {
        let (mut dimensions, mut elements) = (0, 1i64);
        for (size, stride) in fastest_first.map(|dimension| self.dimension(dimension)) {
            if size != 1 && stride != elements {
                break;
            }
            (dimensions, elements) = (dimensions + 1, elements.wrapping_mul(size)); // I3
        }
        (dimensions, elements)
    }

    /// Size and stride of one dimension; (1, 0) outside the rank.
    pub(crate) fn dimension(&self, dimension: usize) -> (i64, i64) {
        match (self.sizes.get(dimension), self.strides.get(dimension)) {
            (Some(&size), Some(&stride)) => (size, stride),
            _ => (1, 0),
        }
    }
}

/// The dimensions of a channels-last layout, fastest varying first; of rank 2 at least.
pub(super) fn channels_last(rank: usize) -> impl Iterator<Item = usize> {
    [1].into_iter().chain((2..rank).rev()).chain([0])
}

/// INVALID_RANK unless there are as many strides as sizes, at most 64 (I1).
#[inline]
pub(super) fn check_rank(sizes: usize, strides: usize) -> Result<()> {
    if sizes <= MAX_RANK && sizes == strides {
        return Ok(());
    }
    let error = Status::InvalidRank.of(Argument::Rank);
    Err(match sizes == strides {
        true => error.because(Detail::Above, sizes as i64, MAX_RANK as i64),
        false => error.because(Detail::Count, strides as i64, sizes as i64),
    })
}

/// SHAPE_MISMATCH unless the sizes are the wanted ones: with both ranks, or the first dimension that differs.
pub(crate) fn check_sizes(sizes: &[i64], wanted: &[i64]) -> Result<()> {
    let error = Error::new(Status::ShapeMismatch);
    if sizes.len() != wanted.len() {
        return Err(error.because(Detail::Ranks, sizes.len() as i64, wanted.len() as i64));
    }
    let mut both = sizes.iter().zip(wanted).enumerate();
    match both.find(|(_, (size, wanted))| size != wanted) {
        Some((dimension, (&size, &wanted))) => Err(error.dimension(dimension).because(Detail::NotEqual, size, wanted)),
        None => Ok(()),
    }
}

/// NOT_REPRESENTABLE for a dimension, with the stride that it has and the one that it would need.
pub(crate) fn not_representable(dimension: usize, stride: i64, expected: i128) -> Error {
    let error = Status::NotRepresentable.of(Argument::Layout).dimension(dimension);
    error.because_wide(Detail::Stride, stride as i128, expected)
}

/// Writes `[a,b,c]`.
pub(crate) fn write_list(f: &mut fmt::Formatter<'_>, numbers: &[i64]) -> fmt::Result {
    f.write_str("[")?;
    for (k, number) in numbers.iter().enumerate() {
        write!(f, "{}{number}", if k == 0 { "" } else { "," })?;
    }
    f.write_str("]")
}

/// `u8[1,3,300,451] strides [405900,1,1353,3] offset 0`.
impl fmt::Display for Layout<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dtype)?;
        write_list(f, self.sizes)?;
        f.write_str(" strides ")?;
        write_list(f, self.strides)?;
        write!(f, " offset {}", self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn layout<'a>(sizes: &'a [i64], strides: &'a [i64]) -> Layout<'a> {
        Layout::new(Dtype::F32, 0, sizes, strides).unwrap()
    }

    #[test]
    fn minor_to_major_places_size_one_dimensions_by_rule() {
        let order = |sizes: &[i64], strides: &[i64]| {
            let (l, mut out) = (layout(sizes, strides), [0; MAX_RANK]);
            l.minor_to_major(&mut out).map(|()| out[..l.rank()].to_vec())
        };
        assert_eq!(order(&[2, 3], &[3, 1]), Ok(std::vec![1, 0]));
        assert_eq!(order(&[2, 3], &[1, 2]), Ok(std::vec![0, 1]));
        // Size 1 with a wild stride: just major to dimension 2; the trailing one is the most minor.
        assert_eq!(order(&[2, 1, 3, 1], &[3, -77, 1, 5]), Ok(std::vec![3, 2, 1, 0]));
        assert_eq!(order(&[1, 2, 1, 1, 3], &[0, 1, 0, 0, 2]), Ok(std::vec![1, 0, 4, 3, 2]));
        assert_eq!(order(&[1, 1], &[9, 9]), Ok(std::vec![1, 0]));
        assert_eq!(order(&[4, 0], &[-1, 0]), Ok(std::vec![1, 0]));
        // The stride that the error names is a cure.
        for (sizes, strides) in [
            (&[2i64, 3][..], &[4i64, 1][..]),
            (&[2, 3], &[3, -1]),
            (&[2, 3], &[0, 1]),
            (&[2, 3], &[1, 1]),
            (&[2, 2], &[2, 0]),
            (&[2, 3, 2], &[1, 1, 3]),
            (&[2, 1, 3, 2], &[0, 7, 1, 3]),
        ] {
            let error = order(sizes, strides).unwrap_err();
            assert_eq!((error.status, error.detail), (Status::NotRepresentable, Detail::Stride), "{strides:?}");
            let mut mended = strides.to_vec();
            mended[error.dimension as usize] = error.rhs;
            assert_eq!(error.lhs, strides[error.dimension as usize]);
            assert!(order(sizes, &mended).is_ok(), "{strides:?} {mended:?}");
        }
    }

    #[test]
    fn text_says_everything() {
        let l = Layout::new(Dtype::S4.high_first(), -3, &[2, 3], &[-4, 1]).unwrap();
        assert_eq!(l.to_string(), "s4:high[2,3] strides [-4,1] offset -3");
        assert_eq!(layout(&[], &[]).to_string(), "f32[] strides [] offset 0");
    }
}
