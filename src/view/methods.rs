//! Views as methods, so that calls can be chained: each is the function of this room with the same name.

use crate::broadcast;
use crate::error::Result;
use crate::model::size::{Size, SizeRoom};
use crate::model::{Dtype, LayoutBuf, LayoutStorage};

/// Views, one after the other.
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// // The centre of an HWC image, mirrored, as CHW; no byte moves.
/// let image = LayoutBuf::packed(Dtype::U8, &[480, 640, 3])?;
/// let view = image.crop(&[120, 160, 0], &[240, 320, 3])?.flip(&[1])?.permute(&[2, 0, 1])?;
/// assert_eq!(view.to_string(), "u8[3,240,320] strides [1,1920,-3] offset 231837");
/// # Ok::<(), stride::Error>(())
/// ```
impl LayoutBuf {
    /// [`view::permute`](super::permute): dimension i of the result is dimension `axes[i]`.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let transposed = LayoutBuf::packed(Dtype::F32, &[2, 3])?.permute(&[1, 0])?;
    /// assert_eq!(transposed.to_string(), "f32[3,2] strides [1,3] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn permute(&self, axes: &[i64]) -> Result<Self> {
        Self::made(|out| super::permute(&self.view()?, axes, out))
    }

    /// [`view::slice`](super::slice): NumPy's `start:stop:step` of every dimension.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let downward = LayoutBuf::packed(Dtype::F32, &[10])?.slice(None, None, Some(&[-3]))?; // a[::-3]
    /// assert_eq!(downward.to_string(), "f32[4] strides [-3] offset 9");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn slice(&self, starts: Option<&[i64]>, stops: Option<&[i64]>, steps: Option<&[i64]>) -> Result<Self> {
        Self::made(|out| super::slice(&self.view()?, starts, stops, steps, out))
    }

    /// [`view::crop`](super::crop): the box of `sizes` elements that begins at index `starts`.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let image = LayoutBuf::packed(Dtype::U8, &[4, 6])?;
    /// assert_eq!(image.crop(&[1, 2], &[2, 2])?.to_string(), "u8[2,2] strides [6,1] offset 8");
    /// let error = image.crop(&[1, 5], &[2, 2]).unwrap_err();
    /// assert_eq!(error.to_string(), "sizes, dimension 1: start plus size is 7, beyond 6, the layout's size");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn crop<S: Size>(&self, starts: &[S], sizes: &[S]) -> Result<Self> {
        let mut room = SizeRoom::new();
        let starts = S::list(starts, &mut room)?;
        let mut second_room = SizeRoom::new();
        let sizes = S::list(sizes, &mut second_room)?;
        Self::made(|out| super::crop(&self.view()?, starts, sizes, out))
    }

    /// [`view::flip`](super::flip): the dimensions named run the other way.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let mirrored = LayoutBuf::packed(Dtype::U8, &[4, 6])?.flip(&[-1])?;
    /// assert_eq!(mirrored.to_string(), "u8[4,6] strides [6,-1] offset 5");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn flip(&self, axes: &[i64]) -> Result<Self> {
        Self::made(|out| super::flip(&self.view()?, axes, out))
    }

    /// [`view::squeeze`](super::squeeze): without the dimensions named, all of size 1.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let image = LayoutBuf::packed(Dtype::U8, &[1, 4, 1])?;
    /// assert_eq!(image.squeeze(&[0])?.sizes(), [4, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn squeeze(&self, axes: &[i64]) -> Result<Self> {
        Self::made(|out| super::squeeze(&self.view()?, axes, out))
    }

    /// [`view::squeeze_all`](super::squeeze_all): without all dimensions of size 1.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let image = LayoutBuf::packed(Dtype::U8, &[1, 4, 1])?;
    /// assert_eq!(image.squeeze_all()?.sizes(), [4]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn squeeze_all(&self) -> Result<Self> {
        Self::made(|out| super::squeeze_all(&self.view()?, out))
    }

    /// [`view::expand_dims`](super::expand_dims): a dimension of size 1 at each of the places named.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::U8, &[4])?;
    /// assert_eq!(row.expand_dims(&[0, 2])?.sizes(), [1, 4, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn expand_dims(&self, axes: &[i64]) -> Result<Self> {
        Self::made(|out| super::expand_dims(&self.view()?, axes, out))
    }

    /// [`view::pad_rank`](super::pad_rank): dimensions of size 1 before `position`, until the rank is `rank`.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let image = LayoutBuf::packed(Dtype::U8, &[4, 6])?;
    /// assert_eq!(image.pad_rank(4, 0)?.sizes(), [1, 1, 4, 6]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn pad_rank(&self, rank: usize, position: usize) -> Result<Self> {
        Self::made(|out| super::pad_rank(&self.view()?, rank, position, out))
    }

    /// [`view::diagonal`](super::diagonal) of two dimensions, as a new last one.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let matrix = LayoutBuf::packed(Dtype::F64, &[3, 3])?;
    /// assert_eq!(matrix.diagonal(1, 0, 1)?.to_string(), "f64[2] strides [4] offset 1");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn diagonal(&self, diagonal: i64, axis1: i64, axis2: i64) -> Result<Self> {
        Self::made(|out| super::diagonal(&self.view()?, diagonal, axis1, axis2, out))
    }

    /// [`view::select`](super::select): without dimension `axis`, at this index of it.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let image = LayoutBuf::packed(Dtype::U8, &[4, 6, 3])?;
    /// assert_eq!(image.select(2, -1)?.to_string(), "u8[4,6] strides [18,3] offset 2"); // the blue channel
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn select(&self, axis: i64, index: i64) -> Result<Self> {
        Self::made(|out| super::select(&self.view()?, axis, index, out))
    }

    /// [`view::repeat`](super::repeat): a new dimension `axis` of `count` equal entries.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::F32, &[3])?;
    /// assert_eq!(row.repeat(0, 5)?.to_string(), "f32[5,3] strides [0,1] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn repeat(&self, axis: i64, count: i64) -> Result<Self> {
        Self::made(|out| super::repeat(&self.view()?, axis, count, out))
    }

    /// [`view::cut`](super::cut): dimension `axis` in two, before `position` and from there on.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let (front, back) = LayoutBuf::packed(Dtype::F32, &[10])?.cut(0, 3)?;
    /// assert_eq!((front.sizes(), back.sizes(), back.offset()), (&[3][..], &[7][..], 3));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn cut(&self, axis: i64, position: i64) -> Result<(Self, Self)> {
        let mut out = [LayoutStorage::default(), LayoutStorage::default()];
        let [front, back] = super::cut(&self.view()?, axis, position, out.each_mut())?;
        Ok((front.into(), back.into()))
    }

    /// [`view::reshape`](super::reshape): other sizes for the same elements, if strides can express it.
    ///
    /// ```
    /// use stride::error::Status;
    /// use stride::{Dtype, LayoutBuf};
    /// let matrix = LayoutBuf::packed(Dtype::F32, &[4, 6])?;
    /// assert_eq!(matrix.reshape(&[2, -1])?.sizes(), [2, 12]);
    /// let columns = matrix.permute(&[1, 0])?; // would need a copy
    /// assert_eq!(columns.reshape(&[24]).unwrap_err().status, Status::NotRepresentable);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn reshape(&self, sizes: &[i64]) -> Result<Self> {
        Self::made(|out| super::reshape(&self.view()?, sizes, out))
    }

    /// [`view::split`](super::split): one dimension as several with these sizes.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let rows = LayoutBuf::strided(Dtype::F32, &[4, 6], &[8, 1])?;
    /// assert_eq!(rows.split(1, &[2, 3])?.to_string(), "f32[4,2,3] strides [8,3,1] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn split(&self, axis: i64, sizes: &[i64]) -> Result<Self> {
        Self::made(|out| super::split(&self.view()?, axis, sizes, out))
    }

    /// [`view::merge`](super::merge): `count` neighbouring dimensions as one.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let rows = LayoutBuf::strided(Dtype::F32, &[4, 2, 3], &[8, 3, 1])?;
    /// assert_eq!(rows.merge(1, 2)?.to_string(), "f32[4,6] strides [8,1] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn merge(&self, axis: i64, count: usize) -> Result<Self> {
        Self::made(|out| super::merge(&self.view()?, axis, count, out))
    }

    /// [`view::window`](super::window): all windows of `sizes` elements.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::F32, &[7])?;
    /// assert_eq!(row.window(&[3], Some(&[2]), None)?.to_string(), "f32[3,3] strides [2,1] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn window<S: Size>(&self, sizes: &[S], steps: Option<&[i64]>, dilations: Option<&[i64]>) -> Result<Self> {
        let mut room = SizeRoom::new();
        let sizes = S::list(sizes, &mut room)?;
        Self::made(|out| super::window(&self.view()?, sizes, steps, dilations, out))
    }

    /// [`view::as_strided`](super::as_strided): any sizes, strides and offset over the elements that are reached.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::F32, &[6])?;
    /// assert_eq!(row.as_strided(&[2, 3], &[1, 2], 0)?.to_string(), "f32[2,3] strides [1,2] offset 0");
    /// assert!(row.as_strided(&[2, 3], &[1, 2], 1).is_err()); // would reach element 6
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn as_strided(&self, sizes: &[i64], strides: &[i64], offset: i64) -> Result<Self> {
        Self::made(|out| super::as_strided(&self.view()?, sizes, strides, offset, out))
    }

    /// [`view::reinterpret`](super::reinterpret): the same bytes as elements of another dtype.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let words = LayoutBuf::packed(Dtype::U32, &[2, 3])?;
    /// assert_eq!(words.reinterpret(Dtype::U8)?.sizes(), [2, 12]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn reinterpret(&self, dtype: Dtype) -> Result<Self> {
        Self::made(|out| super::reinterpret(&self.view()?, dtype, out))
    }

    /// [`broadcast::broadcast_to`]: these sizes, by NumPy's rule.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let bias = LayoutBuf::packed(Dtype::F32, &[3, 1])?;
    /// assert_eq!(bias.broadcast_to(&[2, 3, 4])?.to_string(), "f32[2,3,4] strides [0,1,0] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn broadcast_to<S: Size>(&self, sizes: &[S]) -> Result<Self> {
        let mut room = SizeRoom::new();
        let sizes = S::list(sizes, &mut room)?;
        Self::made(|out| broadcast::broadcast_to(&self.view()?, sizes, out))
    }
}
