//! Views as methods, so that calls can be chained: each is the function of this room with the same name.

use crate::broadcast;
use crate::error::Result;
use crate::model::size::{Size, SizeRoom};
use crate::model::{Dtype, LayoutBuf, LayoutStorage};

/// Declares methods, each for the function of this room with its name.
macro_rules! views {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*);)*) => {
        impl LayoutBuf {
            $(
                $(#[$doc])*
                pub fn $name(&self, $($argument: $type),*) -> Result<Self> {
                    Self::made(|out| super::$name(&self.view()?, $($argument,)* out))
                }
            )*
        }
    };
}

views! {
    /// [`view::permute`](super::permute): dimension i of the result is dimension `axes[i]`.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let transposed = LayoutBuf::packed(Dtype::F32, &[2, 3])?.permute(&[1, 0])?;
    /// assert_eq!(transposed.to_string(), "f32[3,2] strides [1,3] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    permute(axes: &[i64]);

    /// [`view::slice`](super::slice): NumPy's `start:stop:step` of every dimension.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let downward = LayoutBuf::packed(Dtype::F32, &[10])?.slice(None, None, Some(&[-3]))?; // a[::-3]
    /// assert_eq!(downward.to_string(), "f32[4] strides [-3] offset 9");
    /// # Ok::<(), stride::Error>(())
    /// ```
    slice(starts: Option<&[i64]>, stops: Option<&[i64]>, steps: Option<&[i64]>);

    /// [`view::flip`](super::flip): the dimensions named run the other way.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let mirrored = LayoutBuf::packed(Dtype::U8, &[4, 6])?.flip(&[-1])?;
    /// assert_eq!(mirrored.to_string(), "u8[4,6] strides [6,-1] offset 5");
    /// # Ok::<(), stride::Error>(())
    /// ```
    flip(axes: &[i64]);

    /// [`view::squeeze`](super::squeeze): without the dimensions named, all of size 1.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let image = LayoutBuf::packed(Dtype::U8, &[1, 4, 1])?;
    /// assert_eq!(image.squeeze(&[0])?.sizes(), [4, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    squeeze(axes: &[i64]);

    /// [`view::squeeze_all`](super::squeeze_all): without all dimensions of size 1.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let image = LayoutBuf::packed(Dtype::U8, &[1, 4, 1])?;
    /// assert_eq!(image.squeeze_all()?.sizes(), [4]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    squeeze_all();

    /// [`view::expand_dims`](super::expand_dims): a dimension of size 1 at each of the places named.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::U8, &[4])?;
    /// assert_eq!(row.expand_dims(&[0, 2])?.sizes(), [1, 4, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    expand_dims(axes: &[i64]);

    /// [`view::pad_rank`](super::pad_rank): dimensions of size 1 before `position`, until the rank is `rank`.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let image = LayoutBuf::packed(Dtype::U8, &[4, 6])?;
    /// assert_eq!(image.pad_rank(4, 0)?.sizes(), [1, 1, 4, 6]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pad_rank(rank: usize, position: usize);

    /// [`view::diagonal`](super::diagonal) of two dimensions, as a new last one.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let matrix = LayoutBuf::packed(Dtype::F64, &[3, 3])?;
    /// assert_eq!(matrix.diagonal(1, 0, 1)?.to_string(), "f64[2] strides [4] offset 1");
    /// # Ok::<(), stride::Error>(())
    /// ```
    diagonal(diagonal: i64, axis1: i64, axis2: i64);

    /// [`view::select`](super::select): without dimension `axis`, at this index of it.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let image = LayoutBuf::packed(Dtype::U8, &[4, 6, 3])?;
    /// assert_eq!(image.select(2, -1)?.to_string(), "u8[4,6] strides [18,3] offset 2"); // the blue channel
    /// # Ok::<(), stride::Error>(())
    /// ```
    select(axis: i64, index: i64);

    /// [`view::repeat`](super::repeat): a new dimension `axis` of `count` equal entries.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::F32, &[3])?;
    /// assert_eq!(row.repeat(0, 5)?.to_string(), "f32[5,3] strides [0,1] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    repeat(axis: i64, count: i64);

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
    reshape(sizes: &[i64]);

    /// [`view::split`](super::split): one dimension as several with these sizes.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let rows = LayoutBuf::strided(Dtype::F32, &[4, 6], &[8, 1])?;
    /// assert_eq!(rows.split(1, &[2, 3])?.to_string(), "f32[4,2,3] strides [8,3,1] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    split(axis: i64, sizes: &[i64]);

    /// [`view::merge`](super::merge): `count` neighbouring dimensions as one.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let rows = LayoutBuf::strided(Dtype::F32, &[4, 2, 3], &[8, 3, 1])?;
    /// assert_eq!(rows.merge(1, 2)?.to_string(), "f32[4,6] strides [8,1] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    merge(axis: i64, count: usize);

    /// [`view::as_strided`](super::as_strided): any sizes, strides and offset over the elements that are reached.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::F32, &[6])?;
    /// assert_eq!(row.as_strided(&[2, 3], &[1, 2], 0)?.to_string(), "f32[2,3] strides [1,2] offset 0");
    /// assert!(row.as_strided(&[2, 3], &[1, 2], 1).is_err()); // would reach element 6
    /// # Ok::<(), stride::Error>(())
    /// ```
    as_strided(sizes: &[i64], strides: &[i64], offset: i64);

    /// [`view::reinterpret`](super::reinterpret): the same bytes as elements of another dtype.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let words = LayoutBuf::packed(Dtype::U32, &[2, 3])?;
    /// assert_eq!(words.reinterpret(Dtype::U8)?.sizes(), [2, 12]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    reinterpret(dtype: Dtype);
}

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
        Self::of_sizes(starts, |starts, out| super::crop(&self.view()?, starts, S::list(sizes, &mut room)?, out))
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

    /// [`view::window`](super::window): all windows of `sizes` elements.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::F32, &[7])?;
    /// assert_eq!(row.window(&[3], Some(&[2]), None)?.to_string(), "f32[3,3] strides [2,1] offset 0");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn window<S: Size>(&self, sizes: &[S], steps: Option<&[i64]>, dilations: Option<&[i64]>) -> Result<Self> {
        Self::of_sizes(sizes, |sizes, out| super::window(&self.view()?, sizes, steps, dilations, out))
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
        Self::of_sizes(sizes, |sizes, out| broadcast::broadcast_to(&self.view()?, sizes, out))
    }
}
