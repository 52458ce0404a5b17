//! Owned and borrowed layouts side by side: methods that both have, and conversions between them.

use super::build::LayoutBuf;
use super::dtype::Dtype;
use super::layout::Layout;
use super::size::Size;
use crate::error::{Error, Result};
use core::fmt;
use core::hash::{Hash, Hasher};

/// Types that have a [`Layout`]: itself, a [`LayoutBuf`], and references to them. Functions of slices take any of them.
///
/// ```
/// use stride::{AsLayout, Dtype, Layout, LayoutBuf};
/// fn elements(layout: &impl AsLayout) -> stride::Result<i64> {
///     Ok(layout.as_layout()?.element_count())
/// }
/// assert_eq!(elements(&LayoutBuf::packed(Dtype::F32, &[2, 3])?), Ok(6));
/// assert_eq!(elements(&Layout::new(Dtype::F32, 0, &[2, 4], &[4, 1])?), Ok(8));
/// # Ok::<(), stride::Error>(())
/// ```
pub trait AsLayout {
    /// The layout, whose invariants hold.
    fn as_layout(&self) -> Result<Layout<'_>>;
}

impl AsLayout for Layout<'_> {
    fn as_layout(&self) -> Result<Layout<'_>> {
        Ok(*self)
    }
}

impl AsLayout for LayoutBuf {
    fn as_layout(&self) -> Result<Layout<'_>> {
        self.view()
    }
}

impl<L: AsLayout + ?Sized> AsLayout for &L {
    fn as_layout(&self) -> Result<Layout<'_>> {
        (**self).as_layout()
    }
}

impl From<&Layout<'_>> for LayoutBuf {
    fn from(layout: &Layout<'_>) -> Self {
        Self::copied(layout)
    }
}

impl From<Layout<'_>> for LayoutBuf {
    fn from(layout: Layout<'_>) -> Self {
        Self::copied(&layout)
    }
}

impl<'a> TryFrom<&'a LayoutBuf> for Layout<'a> {
    type Error = Error;

    fn try_from(layout: &'a LayoutBuf) -> Result<Self> {
        layout.view()
    }
}

/// The hash of a [`LayoutBuf`] with the same fields.
impl Hash for Layout<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.dtype(), self.offset(), self.sizes(), self.strides()).hash(state);
    }
}

/// The text of a [`Layout`]: `u8[2,2] strides [6,-1] offset 9`.
impl fmt::Display for LayoutBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().map_err(|_| fmt::Error)?.fmt(f)
    }
}

/// The methods of a [`Layout`] that need no proof of its invariants; [`LayoutBuf::view`] has all others.
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// let mirrored = LayoutBuf::packed(Dtype::F32, &[2, 3])?.flip(&[1])?;
/// assert_eq!((mirrored.dtype(), mirrored.rank(), mirrored.offset()), (Dtype::F32, 2, 2));
/// assert_eq!((mirrored.sizes(), mirrored.strides()), (&[2, 3][..], &[3, -1][..]));
/// assert_eq!(mirrored.to_string(), "f32[2,3] strides [3,-1] offset 2");
/// # Ok::<(), stride::Error>(())
/// ```
impl LayoutBuf {
    /// Type of an element.
    pub fn dtype(&self) -> Dtype {
        self.0.dtype
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.sizes().len()
    }

    /// Element offset of index (0, …, 0) from the base pointer.
    pub fn offset(&self) -> i64 {
        self.0.offset
    }

    /// Elements along each dimension, outermost first.
    pub fn sizes(&self) -> &[i64] {
        &self.0.sizes
    }

    /// Distance in elements between neighbours along each dimension.
    pub fn strides(&self) -> &[i64] {
        &self.0.strides
    }

    /// Number of elements; 1 for rank 0.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// assert_eq!(LayoutBuf::packed(Dtype::U8, &[480, 640, 3])?.element_count(), 921_600);
    /// assert_eq!(LayoutBuf::packed::<usize>(Dtype::U8, &[])?.element_count(), 1);
    /// assert_eq!(LayoutBuf::packed(Dtype::U8, &[1u64 << 40, 0, 1 << 40])?.element_count(), 0);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn element_count(&self) -> i64 {
        self.view().map_or(0, |layout| layout.element_count()) // a `LayoutBuf` comes from functions that check it
    }

    /// Bytes that a buffer needs, as [`Layout::min_bytes`].
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let rows = LayoutBuf::pitched(Dtype::U8, &[480, 640, 3], 0, 2048)?; // rows begin every 2048 bytes
    /// assert_eq!(rows.min_bytes()?, 479 * 2048 + 640 * 3);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn min_bytes(&self) -> Result<u64> {
        self.view()?.min_bytes()
    }

    /// Explicit strides in elements, and the offset of index (0, …, 0): [`Layout::new`], owned.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let backwards = LayoutBuf::new(Dtype::U8, 3, &[4], &[-1])?;
    /// assert_eq!(backwards, LayoutBuf::packed(Dtype::U8, &[4])?.flip(&[0])?);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn new<S: Size>(dtype: Dtype, offset: i64, sizes: &[S], strides: &[i64]) -> Result<Self> {
        Self::of_sizes(sizes, |sizes, out| {
            out.copy(&Layout::new(dtype, offset, sizes, strides)?);
            out.view()
        })
    }
}
