//! Arrays of the `ndarray` crate: their layouts, copies between them, and views of slices by a layout.
//!
//! An array's pointer is that of index (0, …, 0); a layout counts from the lowest element, so a mirrored dimension adds
//! to its offset. [`layout_of`] makes the layout of an array. [`copy`] is `ndarray::ArrayRef::assign` at the speed of
//! memory in any two orders; the source is broadcast by NumPy's rule.
//!
//! ```
//! use ndarray::{Array3, ShapeBuilder};
//! // HWC to CHW, mirrored.
//! let pixels = Array3::from_shape_fn((480, 640, 3), |(y, x, c)| (y + x + c) as u8);
//! let mut planes = Array3::zeros((3, 480, 640));
//! let mut mirrored = pixels.view().permuted_axes([2, 0, 1]);
//! mirrored.invert_axis(ndarray::Axis(2));
//! stride::slices::ndarray::copy(&mut planes, &mirrored)?;
//! assert_eq!(planes, mirrored);
//! # Ok::<(), stride::Error>(())
//! ```

use super::element::{Element, check_value};
use crate::broadcast::broadcast_to;
use crate::copy::execute::{self, Dst, Src};
use crate::copy::plan::Plan;
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::whole_bytes;
use crate::model::{AsLayout, Dtype, Layout, LayoutBuf, LayoutStorage, MAX_RANK};
use ::ndarray::{
    ArrayBase, ArrayRef, ArrayViewD, ArrayViewMutD, Axis, Dimension, IxDyn, RawData, ShapeBuilder, ShapeError,
    StrideShape,
};
use core::mem::MaybeUninit;
use core::ops::Range;

/// The layout of an array's elements, counted from the lowest in memory.
///
/// ```
/// use ndarray::{Array2, s};
/// let array = Array2::<f32>::zeros((4, 6));
/// let view = array.slice(s![1..3, ..;-2]);
/// let layout = stride::slices::ndarray::layout_of(&view)?;
/// assert_eq!(layout.to_string(), "f32[2,3] strides [6,-2] offset 4");
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// INVALID_RANK above rank 64.
pub fn layout_of<T: Element, D: Dimension>(array: &ArrayRef<T, D>) -> Result<LayoutBuf> {
    layout(T::DTYPE, array)
}

/// [`layout_of`] the array.
impl<T: Element, D: Dimension> TryFrom<&ArrayRef<T, D>> for LayoutBuf {
    type Error = Error;

    fn try_from(array: &ArrayRef<T, D>) -> Result<Self> {
        layout(T::DTYPE, array)
    }
}

/// [`layout_of`] elements of this dtype, which is as wide as a `U`.
fn layout<U, D: Dimension>(dtype: Dtype, array: &ArrayRef<U, D>) -> Result<LayoutBuf> {
    let mut out = LayoutStorage::default();
    out.begin(dtype, 0);
    let mut offset = 0i64;
    for (&size, &stride) in array.shape().iter().zip(array.strides()) {
        let (size, stride) = (size as i64, stride as i64);
        out.push(size, stride).in_role(Argument::Rank)?;
        if size > 1 && stride < 0 {
            offset = offset.wrapping_sub((size - 1).wrapping_mul(stride)); // ignored if the array is empty
        }
    }
    if !array.is_empty() {
        out.set_offset(offset);
    }
    out.view().map(LayoutBuf::from)
}

/// Copies `src` to `dst`, in any order of either; `src` is broadcast to the shape of `dst` by NumPy's rule.
///
/// ```
/// use ndarray::{Array2, arr1, arr2, s};
/// let mut matrix = Array2::zeros((2, 3));
/// stride::slices::ndarray::copy(&mut matrix, &arr1(&[1, 2, 3]))?; // both rows
/// stride::slices::ndarray::copy(&mut matrix.slice_mut(s![.., ..;2]), &arr2(&[[7], [8]]))?;
/// assert_eq!(matrix, arr2(&[[7, 2, 7], [8, 2, 8]]));
///
/// let error = stride::slices::ndarray::copy(&mut matrix, &arr1(&[1, 2])).unwrap_err();
/// assert_eq!(error.to_string(), "sizes, dimension 1: size 2 cannot be stretched to 3, since it is not 1");
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// BROADCAST_MISMATCH with the dimension and both sizes; INVALID_RANK if `src` has more dimensions, or above rank 64;
/// UNDECIDED if it is not known whether two views of one array share no element.
pub fn copy<T: Element, D: Dimension, E: Dimension>(dst: &mut ArrayRef<T, D>, src: &ArrayRef<T, E>) -> Result<()> {
    let layout = layout(T::DTYPE, dst)?;
    // SAFETY: the elements of `dst` are borrowed exclusively, and get values of `src`.
    unsafe { run(&layout, dst.as_mut_ptr(), src) }
}

/// [`copy`] to an array without values, which afterwards all have their values: `assume_init` is sound then.
///
/// ```
/// use ndarray::{Array2, arr2};
/// let matrix = arr2(&[[1, 2, 3], [4, 5, 6]]);
/// let mut columns = Array2::uninit((3, 2));
/// stride::slices::ndarray::copy_to_uninit(&mut columns, &matrix.t())?;
/// let columns = unsafe { columns.assume_init() }; // all of it was written
/// assert_eq!(columns, arr2(&[[1, 4], [2, 5], [3, 6]]));
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`copy`].
pub fn copy_to_uninit<T: Element, D: Dimension, E: Dimension>(
    dst: &mut ArrayRef<MaybeUninit<T>, D>,
    src: &ArrayRef<T, E>,
) -> Result<()> {
    let layout = layout(T::DTYPE, dst)?;
    // SAFETY: the elements of `dst` are borrowed exclusively, and get values of `src`; `dst` is not read.
    unsafe { run(&layout, dst.as_mut_ptr().cast(), src) }
}

/// # Safety
/// Index (0, …, 0) of the array with this layout is at `dst`; its elements are writable, and borrowed exclusively.
unsafe fn run<T: Element, E: Dimension>(layout: &LayoutBuf, dst: *mut T, src: &ArrayRef<T, E>) -> Result<()> {
    let from = self::layout(T::DTYPE, src)?;
    let (to, mut room) = (layout.view()?, LayoutStorage::default());
    let from = broadcast_to(&from.view()?, layout.sizes(), &mut room)?;
    check_value::<T>(&to, Argument::DstLayout)?;
    // The lowest element is the first of a buffer that ends after the highest.
    let dst = Dst { base: dst.wrapping_sub(to.offset() as usize).cast(), bytes: to.min_bytes()? };
    let src = Src { base: src.as_ptr().wrapping_sub(from.offset() as usize).cast(), bytes: from.min_bytes()? };
    let mut plan = Plan::nothing();
    plan.set_copy_out_of_line(&to, &from)?;
    // SAFETY: both ranges, from the lowest to the highest element, lie in the memory of their arrays. Only elements of
    // the layouts are touched, so of two views of one array neither touches the other's.
    unsafe { execute::execute_plan(&plan, dst, src) }
}

/// A slice as an array, by a layout of any strides.
///
/// ```
/// use ndarray::arr2;
/// use stride::{Dtype, LayoutBuf};
/// let mirrored = LayoutBuf::packed(Dtype::S32, &[2, 3])?.flip(&[1])?;
/// let view = stride::slices::ndarray::view(&[1, 2, 3, 4, 5, 6], &mirrored)?;
/// assert_eq!(view, arr2(&[[3, 2, 1], [6, 5, 4]]).into_dyn());
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// OUT_OF_BOUNDS; DTYPE_MISMATCH unless an element of the layout is a `T`; OVERFLOW if repeated elements, or the sizes
/// of an empty layout that are not 0, are more than an array can have.
pub fn view<'a, T: Element>(elements: &'a [T], layout: &impl AsLayout) -> Result<ArrayViewD<'a, T>> {
    let layout = layout.as_layout()?;
    let (shape, range) = shape::<T>(&layout, elements.len())?;
    reversed(ArrayViewD::from_shape(shape, elements.get(range).unwrap_or(&[])), &layout)
}

/// A slice as an array that may be written, by a layout whose elements are distinct.
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// let columns = LayoutBuf::ordered(Dtype::S32, &[2, 3], &[0, 1])?;
/// let mut elements = [0; 6];
/// stride::slices::ndarray::view_mut(&mut elements, &columns)?[[0, 2]] = 7;
/// assert_eq!(elements, [0, 0, 0, 0, 7, 0]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`view`]; OVERLAP if two indices share an element, or ndarray does not see that none do.
pub fn view_mut<'a, T: Element>(elements: &'a mut [T], layout: &impl AsLayout) -> Result<ArrayViewMutD<'a, T>> {
    let layout = layout.as_layout()?;
    let (shape, range) = shape::<T>(&layout, elements.len())?;
    reversed(ArrayViewMutD::from_shape(shape, elements.get_mut(range).unwrap_or(&mut [])), &layout)
}

/// Sizes and strides without their signs, and the range of a slice of `elements` from the lowest to the highest.
fn shape<T: Element>(layout: &Layout<'_>, elements: usize) -> Result<(StrideShape<IxDyn>, Range<usize>)> {
    check_value::<T>(layout, Argument::Layout)?;
    whole_bytes(layout.dtype(), Argument::Layout)?;
    let (lowest, highest) = layout.span();
    let bytes = (elements as u64).saturating_mul(size_of::<T>() as u64);
    layout.fits(bytes)?; // so both ends are places in the slice
    let (mut sizes, mut strides) = ([0; MAX_RANK], [0; MAX_RANK]);
    for ((size, stride), of) in sizes.iter_mut().zip(&mut strides).zip(layout.dimensions()) {
        *size = usize::try_from(of.0).unwrap_or(usize::MAX);
        // A stride without effect becomes 0, since ndarray would check it.
        *stride = if of.0 > 1 && !layout.is_empty() { of.1.unsigned_abs() as usize } else { 0 };
    }
    let rank = layout.rank();
    let (sizes, strides) = (sizes.get(..rank).unwrap_or(&[]), strides.get(..rank).unwrap_or(&[]));
    let shape = IxDyn(sizes).strides(IxDyn(strides));
    Ok((shape, if layout.is_empty() { 0..0 } else { lowest as usize..highest as usize + 1 }))
}

/// A view of strides without their signs, reversed where the layout runs downward.
fn reversed<S: RawData>(
    made: core::result::Result<ArrayBase<S, IxDyn>, ShapeError>,
    layout: &Layout<'_>,
) -> Result<ArrayBase<S, IxDyn>> {
    let mut view = made.map_err(|error| refused(layout, error))?;
    for (dimension, (size, stride)) in layout.dimensions().enumerate() {
        if size > 1 && stride < 0 && !layout.is_empty() {
            view.invert_axis(Axis(dimension));
        }
    }
    Ok(view)
}

/// OVERLAP if ndarray says so, else OVERFLOW: all other errors were excluded before.
#[cold]
fn refused(layout: &Layout<'_>, error: ShapeError) -> Error {
    let named = |status| Error::new(status).argument(Argument::Layout);
    match error.kind() {
        ::ndarray::ErrorKind::Unsupported => named(Status::Overlap).because(Detail::SelfOverlap, 0, 0),
        _ => {
            // ndarray multiplies all sizes but 0.
            let count = layout.sizes().iter().fold(1i64, |count, &size| count.saturating_mul(size.max(1)));
            named(Status::Overflow).because(Detail::Above, count, isize::MAX as i64)
        }
    }
}
