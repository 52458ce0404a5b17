//! Layouts made from sizes: packed, any order, channels last, byte strides. Those with gaps are made in `gaps.rs`.
//!
//! [`LayoutBuf`] is the owned form of a [`Layout`]. It takes a kilobyte, and to move it costs more than to make it. So
//! each function that makes a layout does so in a [`LayoutStorage`] that its caller lends, and returns the [`Layout`].

mod canonical;
mod storage;

use super::MAX_RANK;
use super::arith::{self, Extent};
use super::dtype::{Dtype, whole_bytes};
use super::layout::{Layout, channels_last, check_rank};
use super::size::{Size, SizeRoom};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count};
pub use canonical::SizeOneRule;
pub use storage::LayoutStorage;
pub(crate) use storage::too_many;

/// A layout that owns its sizes and strides.
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// let image = LayoutBuf::packed(Dtype::U8, &[480, 640, 3])?; // HWC
/// let planes = image.permute(&[2, 0, 1])?; // the same bytes as CHW
/// assert_eq!(planes.to_string(), "u8[3,480,640] strides [1,1920,3] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayoutBuf(pub(super) LayoutStorage);

impl LayoutBuf {
    /// The layout that a function makes in lent memory, owned.
    pub(crate) fn made(make: impl FnOnce(&mut LayoutStorage) -> Result<Layout<'_>>) -> Result<Self> {
        let mut out = LayoutStorage::default();
        make(&mut out)?;
        Ok(Self(out))
    }

    /// The layout that a function makes of sizes in lent memory, owned.
    pub(crate) fn of_sizes<S: Size>(
        sizes: &[S],
        make: impl for<'o> FnOnce(&[i64], &'o mut LayoutStorage) -> Result<Layout<'o>>,
    ) -> Result<Self> {
        let mut room = SizeRoom::new();
        let sizes = S::list(sizes, &mut room)?;
        Self::made(|out| make(sizes, out))
    }

    /// A copy of `layout`.
    ///
    /// ```
    /// use stride::{Dtype, Layout, LayoutBuf};
    /// let borrowed = Layout::new(Dtype::F32, 1, &[2], &[4])?;
    /// assert_eq!(LayoutBuf::copied(&borrowed).to_string(), "f32[2] strides [4] offset 1");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn copied(layout: &Layout<'_>) -> Self {
        let mut out = LayoutStorage::default();
        out.copy(layout);
        Self(out)
    }

    /// Checks I1–I4.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::F32, &[5])?;
    /// assert_eq!(row.view()?.span(), (0, 4));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn view(&self) -> Result<Layout<'_>> {
        self.0.view()
    }

    /// Explicit strides in elements, offset 0.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let rows = LayoutBuf::strided(Dtype::F32, &[2, 3], &[4, 1])?; // rows begin every 4 elements
    /// assert_eq!(rows.min_bytes()?, 28);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn strided<S: Size>(dtype: Dtype, sizes: &[S], strides: &[i64]) -> Result<Self> {
        Self::new(dtype, 0, sizes, strides)
    }

    /// Packed: row-major without gaps, offset 0. The strides of an empty layout are 0.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// assert_eq!(LayoutBuf::packed(Dtype::F32, &[2, 3, 4])?.strides(), [12, 4, 1]);
    /// assert_eq!(LayoutBuf::packed(Dtype::F32, &[2, 0, 4])?.strides(), [0, 0, 0]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn packed<S: Size>(dtype: Dtype, sizes: &[S]) -> Result<Self> {
        Self::of_sizes(sizes, |sizes, out| out.set_packed(dtype, sizes))
    }

    /// Dense in any order of the dimensions, fastest varying first; INVALID_AXES unless `minor_to_major` is a
    /// permutation of 0 … rank − 1.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// assert_eq!(LayoutBuf::ordered(Dtype::F32, &[2, 3], &[0, 1])?.strides(), [1, 2]); // column-major
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn ordered<S: Size>(dtype: Dtype, sizes: &[S], minor_to_major: &[i64]) -> Result<Self> {
        Self::of_sizes(sizes, |sizes, out| out.set_ordered(dtype, sizes, minor_to_major))
    }

    /// Channels last: dimension 1 varies fastest, then the last one down to dimension 2, dimension 0 slowest (NHWC,
    /// NDHWC). Below rank 3 the same as packed. The order of DirectMLX's `TensorPolicy::InterleavedChannel`.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// assert_eq!(LayoutBuf::channels_last(Dtype::F32, &[2, 3, 4, 5])?.strides(), [60, 1, 15, 3]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn channels_last<S: Size>(dtype: Dtype, sizes: &[S]) -> Result<Self> {
        Self::of_sizes(sizes, |sizes, out| out.set_channels_last(dtype, sizes))
    }

    /// Strides in bytes, as many as sizes (INVALID_RANK). INVALID_STRIDE if one is not a whole number of elements,
    /// unless its dimension has size 1 or the layout is empty: such a stride means nothing and becomes 0 (numpy#20336).
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// assert_eq!(LayoutBuf::byte_strided(Dtype::F32, &[2, 3], &[16, 4])?.strides(), [4, 1]);
    /// let error = LayoutBuf::byte_strided(Dtype::F32, &[2, 3], &[18, 4]).unwrap_err();
    /// assert_eq!((error.dimension, error.lhs, error.rhs), (0, 18, 4)); // 18 bytes are no whole number of 4
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn byte_strided<S: Size>(dtype: Dtype, sizes: &[S], byte_strides: &[i64]) -> Result<Self> {
        Self::of_sizes(sizes, |sizes, out| out.set_byte_strided(dtype, sizes, byte_strides))
    }

    /// Elements at any byte: a field of packed records, a column of a struct. One more dimension, the last, has the
    /// bytes of each element, in this machine's order; the dtype is u8. As many strides as sizes (INVALID_RANK);
    /// UNSUPPORTED for elements below a byte. A swapped complex number has two more dimensions, parts and bytes.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let column = LayoutBuf::of_bytes(Dtype::F64, &[3], &[9])?; // records of nine bytes with an f64 each
    /// assert_eq!(column.to_string(), "u8[3,8] strides [9,1] offset 0");
    /// let other_order = LayoutBuf::of_bytes(Dtype::F64.swapped(), &[3], &[9])?;
    /// assert_eq!(other_order.to_string(), "u8[3,8] strides [9,-1] offset 7");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn of_bytes<S: Size>(dtype: Dtype, sizes: &[S], byte_strides: &[i64]) -> Result<Self> {
        Self::of_sizes(sizes, |sizes, out| out.set_of_bytes(dtype, sizes, byte_strides))
    }

    /// Packed, with the sizes and dtype of `layout`.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let columns = LayoutBuf::ordered(Dtype::F32, &[2, 3], &[0, 1])?;
    /// assert_eq!(LayoutBuf::packed_like(&columns.view()?)?.strides(), [3, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn packed_like(layout: &Layout<'_>) -> Result<Self> {
        Self::made(|out| out.set_packed_like(layout))
    }
}

impl LayoutStorage {
    /// Becomes the layout of [`LayoutBuf::strided`].
    pub(crate) fn set_strided(&mut self, dtype: Dtype, sizes: &[i64], strides: &[i64]) -> Result<Layout<'_>> {
        check_rank(sizes.len(), strides.len())?;
        self.set_dimensions(dtype, 0, sizes.iter().copied().zip(strides.iter().copied()))?;
        self.view()
    }

    /// Becomes the layout of [`LayoutBuf::packed`].
    pub(crate) fn set_packed(&mut self, dtype: Dtype, sizes: &[i64]) -> Result<Layout<'_>> {
        let count = self.set_sizes(dtype, sizes)?;
        self.fill_strides(sizes, Some(1), (0..sizes.len()).rev());
        // Each element lies after the one before it; without elements the highest offset is -1.
        let extent = count.checked_mul(dtype.bits()).map(|_| Extent { count, lowest: 0, highest: count - 1 });
        Layout::of_known(extent, self.dtype, self.offset, &self.sizes, &self.strides)
    }

    /// Becomes the layout of [`LayoutBuf::ordered`].
    pub(crate) fn set_ordered(&mut self, dtype: Dtype, sizes: &[i64], minor_to_major: &[i64]) -> Result<Layout<'_>> {
        self.set_sizes(dtype, sizes)?;
        check_order(minor_to_major, sizes.len())?;
        self.fill_strides(sizes, Some(1), minor_to_major.iter().map(|&dimension| dimension as usize));
        self.view()
    }

    /// Becomes the layout of [`LayoutBuf::channels_last`].
    pub(crate) fn set_channels_last(&mut self, dtype: Dtype, sizes: &[i64]) -> Result<Layout<'_>> {
        if sizes.len() < 3 {
            return self.set_packed(dtype, sizes);
        }
        self.set_sizes(dtype, sizes)?;
        self.fill_strides(sizes, Some(1), channels_last(sizes.len()));
        self.view()
    }

    /// Becomes the layout of [`LayoutBuf::byte_strided`].
    pub(crate) fn set_byte_strided(&mut self, dtype: Dtype, sizes: &[i64], byte_strides: &[i64]) -> Result<Layout<'_>> {
        let empty = self.set_sizes(dtype, sizes)? == 0;
        check_count(byte_strides.len(), sizes.len(), Argument::Rank)?;
        let (in_a_byte, element_bytes) = dtype.units();
        let both = sizes.iter().zip(byte_strides);
        for (dimension, (slot, (&size, &bytes))) in self.strides.iter_mut().zip(both).enumerate() {
            let error = Status::InvalidStride.of(Argument::ByteStrides).dimension(dimension);
            *slot = match arith::scaled(bytes, [element_bytes, in_a_byte], Detail::NotAMultiple, error) {
                Err(_) if size <= 1 || empty => 0,
                elements => elements?,
            };
        }
        self.view()
    }

    /// Becomes the layout of [`LayoutBuf::of_bytes`].
    pub(crate) fn set_of_bytes(&mut self, dtype: Dtype, sizes: &[i64], byte_strides: &[i64]) -> Result<Layout<'_>> {
        self.set_byte_strided(Dtype::U8, sizes, byte_strides)?;
        self.add_bytes_of(dtype, 0)
    }

    /// Adds the bytes of each element as dimensions; strides count bytes, and the offset is `offset` bytes.
    fn add_bytes_of(&mut self, dtype: Dtype, offset: i64) -> Result<Layout<'_>> {
        let (bytes, part) = (whole_bytes(dtype, Argument::Dtype)?, dtype.part_bytes().max(1));
        let (empty, swapped) = (arith::has_zero(&self.sizes), dtype.is_swapped());
        if swapped && part != bytes {
            self.push(bytes / part, if empty { 0 } else { part })?;
        }
        let overflow = Status::Overflow.of(Argument::Layout);
        let last = if swapped { part - 1 } else { 0 };
        self.offset = offset.checked_add(last).ok_or(overflow.because(Detail::Reach, part, -1))?;
        let step = if swapped { -1 } else { 1 };
        self.push(if swapped { part } else { bytes }, if empty { 0 } else { step })?;
        self.view()
    }

    /// Becomes the layout of [`LayoutBuf::packed_like`].
    pub(crate) fn set_packed_like(&mut self, layout: &Layout<'_>) -> Result<Layout<'_>> {
        self.set_packed(layout.dtype(), layout.sizes()).in_role(Argument::Layout)
    }

    /// Begins anew with these sizes, all strides 0, offset 0; how many elements they are.
    #[inline(never)] // five callers
    pub(super) fn set_sizes(&mut self, dtype: Dtype, sizes: &[i64]) -> Result<i64> {
        let count = arith::element_count(sizes)?;
        self.set_dimensions(dtype, 0, sizes.iter().map(|&size| (size, 0)))?;
        Ok(count)
    }

    /// Gives the dimensions, fastest varying first, the strides `first`, `first · padded`, … (none if a size is 0). One
    /// that does not fit (`None`) becomes 0 for a single element, which it does not move; otherwise the farthest
    /// stride, which the check that follows refuses.
    pub(super) fn fill_strides(
        &mut self,
        padded: &[i64],
        first: Option<i64>,
        fastest_first: impl Iterator<Item = usize>,
    ) {
        if arith::has_zero(&self.sizes) {
            return;
        }
        let mut stride = first;
        for dimension in fastest_first {
            if let (Some(slot), Some(&size), Some(&padded)) =
                (self.strides.get_mut(dimension), self.sizes.get(dimension), padded.get(dimension))
            {
                *slot = stride.unwrap_or(if size == 1 { 0 } else { i64::MAX });
                stride = stride.and_then(|stride| stride.checked_mul(padded));
            }
        }
    }
}

impl Layout<'_> {
    /// Adds the bytes of each element as one more dimension, as [`LayoutBuf::of_bytes`] does: the other side of a copy
    /// from or to such elements. UNSUPPORTED for elements below a byte; OVERFLOW.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let columns = LayoutBuf::ordered(Dtype::F64, &[3, 2], &[0, 1])?;
    /// assert_eq!(columns.view()?.as_bytes()?.to_string(), "u8[3,2,8] strides [8,24,1] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn as_bytes(&self) -> Result<LayoutBuf> {
        LayoutBuf::made(|out| self.as_bytes_in(out))
    }

    /// [`Layout::as_bytes`] in a lent layout.
    pub(crate) fn as_bytes_in<'o>(&self, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
        let bytes = whole_bytes(self.dtype(), Argument::Layout)?;
        let mut byte_strides = [0; MAX_RANK];
        self.byte_strides(&mut byte_strides)?;
        out.set_dimensions(Dtype::U8, 0, self.sizes().iter().copied().zip(byte_strides.iter().copied()))?;
        let overflow = Status::Overflow.of(Argument::Layout);
        let offset = match self.offset().checked_mul(bytes) {
            None if self.is_empty() => 0,
            offset => offset.ok_or(overflow.because(Detail::Product, self.offset(), bytes))?,
        };
        out.add_bytes_of(self.dtype(), offset).in_role(Argument::Layout)
    }
}

/// A dimension number, which may count from the end; INVALID_AXES outside −rank … rank − 1.
pub(crate) fn resolve_axis(axis: i64, rank: usize) -> Result<usize> {
    let dimension = if axis < 0 { axis.wrapping_add(rank as i64) } else { axis };
    match usize::try_from(dimension) {
        Ok(dimension) if dimension < rank => Ok(dimension),
        _ => Err(Error::new(Status::InvalidAxes).because(Detail::OutOfSignedRange, axis, rank as i64)),
    }
}

/// Checks that `order` lists each of 0 … rank − 1 once (INVALID_AXES names the entry).
pub(crate) fn check_order(order: &[i64], rank: usize) -> Result<()> {
    check_count(order.len(), rank, Argument::Rank)?;
    let mut seen = 0u64;
    for (position, &dimension) in order.iter().enumerate() {
        let error = Status::InvalidAxes.of(Argument::MinorToMajor).dimension(position);
        error.unless((0..rank as i64).contains(&dimension), Detail::OutOfRange, dimension, rank as i64)?;
        error.unless(seen & (1 << dimension) == 0, Detail::Repeated, dimension, rank as i64)?;
        seen |= 1 << dimension;
    }
    Ok(())
}

/// If the strides are the library's own, the sizes are too large.
pub(crate) fn in_sizes(error: Error) -> Error {
    strides_in(Argument::Sizes)(error)
}

/// Mistakes in strides that were made of an argument are mistakes in that argument.
pub(crate) fn strides_in(argument: Argument) -> impl Fn(Error) -> Error {
    move |error| match error.argument {
        Argument::Strides => Error { argument, ..error },
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_one_tensor() {
        let sizes = [2, 3, 4, 5];
        assert_eq!(LayoutBuf::packed(Dtype::F32, &sizes).unwrap().strides(), [60, 20, 5, 1]);
        assert_eq!(LayoutBuf::channels_last(Dtype::F32, &sizes).unwrap().strides(), [60, 1, 15, 3]);
        assert_eq!(LayoutBuf::ordered(Dtype::F32, &sizes, &[0, 1, 2, 3]).unwrap().strides(), [1, 2, 6, 24]);
        assert_eq!(LayoutBuf::byte_strided(Dtype::F32, &sizes, &[240, 80, 20, -4]).unwrap().strides(), [60, 20, 5, -1]);
        assert_eq!(LayoutBuf::packed(Dtype::F32, &[1i64 << 40, 0, 1 << 40]).unwrap().strides(), [0, 0, 0]);
        assert_eq!(LayoutBuf::packed(Dtype::U4, &[2, 3]).unwrap().strides(), [3, 1]);
        assert_eq!(LayoutBuf::packed(Dtype::U4, &[3, 3]).unwrap().min_bytes(), Ok(5));
    }

    #[test]
    fn wrong_orders_and_byte_strides_are_named() {
        let error = LayoutBuf::ordered(Dtype::F32, &[2, 3], &[1, 1]).unwrap_err();
        assert_eq!((error.status, error.dimension, error.lhs), (Status::InvalidAxes, 1, 1));
        assert!(LayoutBuf::ordered(Dtype::F32, &[2, 3], &[-1, 0]).is_err());
        let error = LayoutBuf::byte_strided(Dtype::F32, &[1, 2], &[3, 6]).unwrap_err();
        assert_eq!((error.dimension, error.lhs, error.rhs), (1, 6, 4));
        let error = LayoutBuf::byte_strided(Dtype::U4, &[2], &[i64::MAX]).unwrap_err();
        assert_eq!((error.detail, error.lhs, error.rhs), (Detail::Product, i64::MAX, 2));
    }
}
