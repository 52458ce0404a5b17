//! Memory for a layout: lists that are filled dimension by dimension, and whose unused entries are never written.

use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::{Dtype, Layout, MAX_RANK};
use arrayvec::ArrayVec;

/// Memory in which a function makes a layout: lend it again and again. It holds the [`Layout`] that the function
/// returns, and nothing after an error.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let (image, mut out) = (LayoutBuf::packed(Dtype::U8, &[4, 6, 3])?, LayoutStorage::default());
/// let planes = view::permute(&image.view()?, &[2, 0, 1], &mut out)?;
/// assert_eq!(planes.strides(), [1, 18, 3]);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayoutStorage {
    pub(in crate::model) dtype: Dtype,
    pub(in crate::model) offset: i64,
    pub(in crate::model) sizes: ArrayVec<i64, MAX_RANK>,
    pub(in crate::model) strides: ArrayVec<i64, MAX_RANK>, // as many
}

impl Default for LayoutStorage {
    fn default() -> Self {
        Self { dtype: Dtype::U8, offset: 0, sizes: ArrayVec::new_const(), strides: ArrayVec::new_const() }
    }
}

impl LayoutStorage {
    /// Begins anew, with rank 0: one element at `offset`.
    pub(crate) fn begin(&mut self, dtype: Dtype, offset: i64) {
        (self.dtype, self.offset) = (dtype, offset);
        self.sizes.clear();
        self.strides.clear();
    }

    /// Begins anew with these dimensions; INVALID_RANK past the limit.
    #[inline]
    pub(crate) fn set_dimensions(
        &mut self,
        dtype: Dtype,
        offset: i64,
        mut dimensions: impl Iterator<Item = (i64, i64)>,
    ) -> Result<()> {
        self.begin(dtype, offset);
        dimensions.try_for_each(|(size, stride)| self.push(size, stride))
    }

    /// Becomes a copy of `layout`.
    #[inline(never)] // has many callers
    pub(crate) fn copy(&mut self, layout: &Layout<'_>) {
        self.begin(layout.dtype(), layout.offset());
        let _ = self.sizes.try_extend_from_slice(layout.sizes()); // the rank fits (I1)
        let _ = self.strides.try_extend_from_slice(layout.strides());
    }

    /// Appends a dimension, innermost last; INVALID_RANK past the limit.
    #[inline]
    pub(crate) fn push(&mut self, size: i64, stride: i64) -> Result<()> {
        if self.sizes.try_push(size).is_err() || self.strides.try_push(stride).is_err() {
            return Err(too_many(self.sizes.len() + 1));
        }
        Ok(())
    }

    /// Moves index (0, …, 0).
    pub(crate) fn set_offset(&mut self, offset: i64) {
        self.offset = offset;
    }

    /// The strides, to be replaced in place.
    pub(crate) fn strides_mut(&mut self) -> &mut [i64] {
        &mut self.strides
    }

    /// Checks I1–I4.
    #[inline(never)] // fifty callers
    pub(crate) fn view(&self) -> Result<Layout<'_>> {
        Layout::new(self.dtype, self.offset, &self.sizes, &self.strides)
    }

    /// [`LayoutStorage::view`] of the dtype, offset and dimensions of `layout`, these in another order, and with more
    /// or fewer of size 1: it reaches what `layout` reaches.
    pub(crate) fn reaching_as(&self, layout: &Layout<'_>) -> Result<Layout<'_>> {
        Layout::of_known(Some(layout.extent()), self.dtype, self.offset, &self.sizes, &self.strides)
    }
}

/// INVALID_RANK of a result with more than 64 dimensions.
pub(crate) fn too_many(rank: usize) -> Error {
    Status::InvalidRank.of(Argument::Out).because(Detail::Above, rank as i64, MAX_RANK as i64)
}
