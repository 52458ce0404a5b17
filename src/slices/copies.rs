//! Copies, fills and comparisons of slices, by one call.

use super::element::{Element, check_dtype, check_value};
use super::pairs::Pairs;
use super::side::{Side, Sides};
use super::{as_uninit, dst_of, of_slices, src_of, with_values};
use crate::copy::Options;
use crate::copy::execute::{self, Dst, Src, bits, compare};
use crate::copy::plan::Plan;
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::whole_bytes;
use crate::model::{AsLayout, Dtype};
use core::mem::MaybeUninit;
use core::ops::Range;

/// Copies every element of `src` to the element of `dst` with the same index. Elements of `dst` that no index reaches
/// stay as they are. Either side may be a layout, an XLA shape with tiles, or a blocked layout ([`Side`]).
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// // NHWC to NCHW: one image of 2x2 pixels with two channels.
/// let nchw = LayoutBuf::packed(Dtype::U8, &[1, 2, 2, 2])?;
/// let nhwc = LayoutBuf::channels_last(Dtype::U8, &[1, 2, 2, 2])?;
/// let pixels = [0u8, 100, 1, 101, 2, 102, 3, 103];
/// let mut planes = [0; 8];
/// stride::copy(&mut planes, &nchw, &pixels, &nhwc)?;
/// assert_eq!(planes, [0, 1, 2, 3, 100, 101, 102, 103]);
///
/// // What does not fit is an error, and nothing was written.
/// let error = stride::copy(&mut planes[..7], &nchw, &pixels, &nhwc).unwrap_err();
/// assert_eq!(error.to_string(), "dst: 8 bytes are needed, but the buffer has 7");
/// # Ok::<(), stride::Error>(())
/// ```
///
/// The two slices are different ones, as everywhere in Rust:
///
/// ```compile_fail,E0502
/// use stride::{Dtype, LayoutBuf};
/// let matrix = LayoutBuf::packed(Dtype::F32, &[2, 2]).unwrap();
/// let mut elements = [1.0f32, 2.0, 3.0, 4.0];
/// stride::copy(&mut elements, &matrix, &elements, &matrix).unwrap();
/// ```
///
/// # Errors
///
/// SHAPE_MISMATCH with the dimension and both sizes; DTYPE_MISMATCH unless the dtypes are equal or one of them is plain
/// bytes of the same width, and unless each goes with `T` ([`Element`] has the rule); OUT_OF_BOUNDS with the bytes
/// needed and those of the slice; OVERLAP where two indices share an element of `dst`; UNDECIDED where that is not
/// known; UNSUPPORTED for elements below a byte in tiles or blocks.
pub fn copy<T: Element>(dst: &mut [T], dst_layout: &impl Side, src: &[T], src_layout: &impl Side) -> Result<()> {
    copy_with(dst, dst_layout, src, src_layout, &Options::DEFAULT)
}

/// [`copy()`] with options.
///
/// ```
/// use stride::{Dtype, LayoutBuf, Options};
/// // A border of 9s around 2x2 elements: a copy to the middle of 4x4 that fills the rest.
/// let inner = LayoutBuf::packed(Dtype::U8, &[2, 2])?;
/// let middle = LayoutBuf::packed(Dtype::U8, &[4, 4])?.crop(&[1, 1], &[2, 2])?;
/// let mut padded = [0u8; 16];
/// stride::copy_with(&mut padded, &middle, &[1, 2, 3, 4], &inner, &Options::new().fill_buffer([9; 16]))?;
/// assert_eq!(padded, [9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 9, 9, 9]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// As [`copy()`]; UNSUPPORTED for [`ASSUME_DISTINCT`](crate::copy::options::ASSUME_DISTINCT) and
/// [`ROW_MAJOR`](crate::copy::options::ROW_MAJOR), and for [`FILL_BUFFER`](crate::copy::options::FILL_BUFFER) where not
/// any bytes are a `T`; INVALID_ARGUMENT for options that are unknown.
pub fn copy_with<T: Element>(
    dst: &mut [T],
    dst_layout: &impl Side,
    src: &[T],
    src_layout: &impl Side,
    options: &Options,
) -> Result<()> {
    // SAFETY: nothing but whole elements is written (fills only where any bytes are a `T`), which are values of `src`.
    let dst = unsafe { as_uninit(dst) };
    let mut rooms = [None, None];
    let sides = Sides::new::<T, _, _>(dst_layout, src_layout, options, &mut rooms)?;
    // SAFETY: slices of these lengths, the first of which nobody else has.
    unsafe { copy_sides(&sides, options, dst_of(dst), src_of(src)) }
}

/// # Safety
/// As [`execute::execute`].
unsafe fn copy_sides(sides: &Sides<'_>, options: &Options, dst: Dst, src: Src) -> Result<()> {
    let mut plan = Plan::asking(options);
    // SAFETY: as promised to this function.
    unsafe {
        let Some((dst_layout, src_layout)) = sides.layouts() else {
            let prepared = sides.prepare(&mut plan)?;
            return execute::execute_prepared(&plan, prepared, dst, src).map_err(of_slices);
        };
        match plan.set_any_copy(dst_layout, src_layout)? {
            None => execute::execute_plan(&plan, dst, src),
            Some(packing) => bits::execute_plan(&plan, packing, dst, src, None),
        }
        .map_err(of_slices)
    }
}

/// [`copy()`] along one dimension of which a list tells the indices of the source: index i of `dst` along `axis` is
/// index `indices[i]` of `src`, and −1 takes the fill value of the options. Channels are put in another order, dropped,
/// doubled or filled in one pass.
///
/// ```
/// use stride::{Dtype, LayoutBuf, Options};
/// // RGB to BGRX, of which the fourth byte is 255.
/// let rgb = LayoutBuf::packed(Dtype::U8, &[2, 3])?;
/// let bgrx = LayoutBuf::packed(Dtype::U8, &[2, 4])?;
/// let mut pixels = [0u8; 8];
/// let opaque = Options::new().fill([255; 16]);
/// stride::copy_take(&mut pixels, &bgrx, &[1, 2, 3, 4, 5, 6], &rgb, -1, &[2, 1, 0, -1], &opaque)?;
/// assert_eq!(pixels, [3, 2, 1, 255, 6, 5, 4, 255]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// As [`copy_with`]; INVALID_AXES; INVALID_RANK unless the list has an entry for each index of `dst`, at most 64;
/// INDEX_OUT_OF_RANGE with the entry (item), also for −1 where not any bytes are a `T`. `src` has all of its layout's
/// elements, also those that are not taken, unless the list steps by 1, 0 or −1 all along and has no −1 in it.
pub fn copy_take<T: Element>(
    dst: &mut [T],
    dst_layout: &impl AsLayout,
    src: &[T],
    src_layout: &impl AsLayout,
    axis: i64,
    indices: &[i64],
    options: &Options,
) -> Result<()> {
    // SAFETY: nothing but whole elements is written (fills only where any bytes are a `T`), which are values of `src`.
    let (dst, src) = (dst_of(unsafe { as_uninit(dst) }), src_of(src));
    let pairs = Pairs::new::<T>(dst_layout, src_layout, options)?;
    pairs.take::<T, _>(axis, indices, options, |plan, prepared| {
        // SAFETY: slices of these lengths, the first of which nobody else has.
        unsafe { execute::execute_prepared(plan, prepared, dst, src) }.map_err(of_slices)
    })
}

/// Copies elements by their row-major numbers, whatever the sizes of both sides: number `dst_first + k` of `dst` gets
/// number `src_range.start + k` of `src`. So a view is packed into a buffer piece by piece, and an array gets other
/// sizes on the way.
///
/// ```
/// use stride::{Dtype, LayoutBuf, Options};
/// let columns = LayoutBuf::ordered(Dtype::U8, &[3, 2], &[0, 1])?; // 1 4, 2 5, 3 6
/// let row = LayoutBuf::packed(Dtype::U8, &[4])?;
/// let mut piece = [0u8; 4];
/// stride::copy_range(&mut piece, &row, 1, &[1, 2, 3, 4, 5, 6], &columns, 3..6, &Options::new())?;
/// assert_eq!(piece, [0, 5, 3, 6]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// As [`copy_with`], but for sizes; OUT_OF_BOUNDS with the end of a range and how many elements there are. Both slices
/// have all elements of their layouts.
pub fn copy_range<T: Element>(
    dst: &mut [T],
    dst_layout: &impl AsLayout,
    dst_first: usize,
    src: &[T],
    src_layout: &impl AsLayout,
    src_range: Range<usize>,
    options: &Options,
) -> Result<()> {
    // SAFETY: nothing but whole elements is written (fills only where any bytes are a `T`), which are values of `src`.
    let (dst, src) = (dst_of(unsafe { as_uninit(dst) }), src_of(src));
    let pairs = Pairs::new::<T>(dst_layout, src_layout, options)?;
    pairs.range(dst_first, src_range, options, |plan, prepared| {
        // SAFETY: slices of these lengths, the first of which nobody else has.
        unsafe { execute::execute_prepared(plan, prepared, dst, src) }.map_err(of_slices)
    })
}

/// [`copy()`] to memory without values, all of which are written: the result is the slice with its values.
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// let columns = LayoutBuf::ordered(Dtype::F32, &[2, 3], &[0, 1])?;
/// let rows = LayoutBuf::packed(Dtype::F32, &[2, 3])?;
/// let mut memory = Vec::with_capacity(6);
/// let room = &mut memory.spare_capacity_mut()[..6];
/// let written = stride::copy_to_uninit(room, &columns, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &rows)?;
/// assert_eq!(written, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// unsafe { memory.set_len(6) }; // all six were written
///
/// // Rows of 3 that begin 4 elements apart leave one out: there would be a value missing.
/// let pitched = LayoutBuf::strided(Dtype::F32, &[2, 3], &[4, 1])?;
/// let mut room = [core::mem::MaybeUninit::uninit(); 7];
/// let error = stride::copy_to_uninit(&mut room, &pitched, &memory, &columns).unwrap_err();
/// assert_eq!(error.to_string(), "dst_layout: 6 elements are given, but 7 are needed");
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// As [`copy()`]; SHAPE_MISMATCH with the elements of the layout and those of the slice where it does not reach all of
/// them, in whatever order; UNSUPPORTED for elements below a byte, whose neighbours are read.
pub fn copy_to_uninit<'a, T: Element>(
    dst: &'a mut [MaybeUninit<T>],
    dst_layout: &impl Side,
    src: &[T],
    src_layout: &impl Side,
) -> Result<&'a mut [T]> {
    let mut rooms = [None, None];
    let sides = Sides::new::<T, _, _>(dst_layout, src_layout, &Options::DEFAULT, &mut rooms)?;
    whole_bytes(sides.dst.dtype(), sides.dst_name)?;
    check_reaches_all(sides.dst.element_count()?, sides.dst.dtype(), size_of_val(dst), sides.dst_name)?;
    // SAFETY: slices of these lengths, the first of which nobody else has; it is not read. Then so many distinct
    // elements were written as there are in the slice, none outside of it: all of them.
    unsafe {
        copy_sides(&sides, &Options::DEFAULT, dst_of(dst), src_of(src))?;
        Ok(with_values(dst))
    }
}

/// [`copy()`] to some of the elements of memory without values. Those that the layout reaches have values then, which
/// is for the caller to know: so several tensors become one.
///
/// ```
/// use core::mem::MaybeUninit;
/// use stride::{Dtype, LayoutBuf};
/// // Two columns, one behind the other, become the columns of a matrix.
/// let matrix = LayoutBuf::packed(Dtype::S32, &[3, 2])?;
/// let column = LayoutBuf::packed(Dtype::S32, &[3, 1])?;
/// let (left, right) = (matrix.crop(&[0, 0], &[3, 1])?, matrix.crop(&[0, 1], &[3, 1])?);
/// let mut room = [MaybeUninit::uninit(); 6];
/// stride::copy_to_uninit_view(&mut room, &left, &[1, 2, 3], &column)?;
/// stride::copy_to_uninit_view(&mut room, &right, &[10, 20, 30], &column)?;
/// let joined: [i32; 6] = room.map(|element| unsafe { element.assume_init() }); // both columns were written
/// assert_eq!(joined, [1, 10, 2, 20, 3, 30]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// As [`copy()`]; UNSUPPORTED for elements below a byte, whose neighbours are read.
pub fn copy_to_uninit_view<T: Element>(
    dst: &mut [MaybeUninit<T>],
    dst_layout: &impl Side,
    src: &[T],
    src_layout: &impl Side,
) -> Result<()> {
    let mut rooms = [None, None];
    let sides = Sides::new::<T, _, _>(dst_layout, src_layout, &Options::DEFAULT, &mut rooms)?;
    whole_bytes(sides.dst.dtype(), sides.dst_name)?;
    // SAFETY: slices of these lengths, the first of which nobody else has; it is not read.
    unsafe { copy_sides(&sides, &Options::DEFAULT, dst_of(dst), src_of(src)) }
}

/// Writes one value to every element that the layout reaches; indices that share an element do no harm. Of an element
/// below a byte the value is the low bits of a `u8`.
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// let matrix = LayoutBuf::packed(Dtype::F32, &[2, 3])?;
/// let mut elements = [0.0f32; 6];
/// stride::fill(&mut elements, &matrix.select(1, -1)?, 7.0)?; // the last column
/// assert_eq!(elements, [0.0, 0.0, 7.0, 0.0, 0.0, 7.0]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// OUT_OF_BOUNDS; DTYPE_MISMATCH unless the layout goes with `T` and an element is no wider; UNDECIDED where indices
/// come back to elements too often.
pub fn fill<T: Element>(dst: &mut [T], layout: &impl AsLayout, value: T) -> Result<()> {
    let layout = layout.as_layout().in_role(Argument::DstLayout)?;
    check_value::<T>(&layout, Argument::DstLayout)?;
    // SAFETY: whole elements are written, each of which is `value`.
    let dst = dst_of(unsafe { as_uninit(dst) });
    let value = Src { base: (&raw const value).cast(), bytes: size_of::<T>() as u64 };
    let mut plan = Plan::nothing();
    // SAFETY: a slice of this length that nobody else has, and one value.
    unsafe {
        if layout.dtype().is_sub_byte() {
            let packing = plan.set_fill_of_bits(&layout)?;
            return bits::fill(&plan, packing, dst, value).map_err(of_slices);
        }
        plan.set_fill(&layout)?;
        execute::fill::fill(&plan, dst, value).map_err(of_slices)
    }
}

/// The row-major number of the first element in which two tensors of equal sizes differ, `None` where they are the
/// same. Elements are compared as bits: a NaN is equal to itself, and 0.0 is not −0.0.
/// [`Layout::unravel`](crate::Layout::unravel) makes an index of the number.
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// let rows = LayoutBuf::packed(Dtype::U16, &[2, 3])?;
/// let columns = LayoutBuf::ordered(Dtype::U16, &[2, 3], &[0, 1])?;
/// let lhs = [1u16, 2, 3, 4, 5, 6];
/// assert_eq!(stride::first_difference(&lhs, &rows, &[1, 4, 2, 5, 3, 6], &columns)?, None);
/// assert_eq!(stride::first_difference(&lhs, &rows, &[1, 4, 2, 5, 0, 6], &columns)?, Some(2));
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// SHAPE_MISMATCH; DTYPE_MISMATCH; OUT_OF_BOUNDS; UNDECIDED where indices come back to elements too often.
pub fn first_difference<T: Element>(
    lhs: &[T],
    lhs_layout: &impl AsLayout,
    rhs: &[T],
    rhs_layout: &impl AsLayout,
) -> Result<Option<i64>> {
    let lhs_layout = lhs_layout.as_layout().in_role(Argument::LhsLayout)?;
    let rhs_layout = rhs_layout.as_layout().in_role(Argument::RhsLayout)?;
    check_dtype::<T>(lhs_layout.dtype(), Argument::LhsLayout)?;
    check_dtype::<T>(rhs_layout.dtype(), Argument::RhsLayout)?;
    // SAFETY: slices of these lengths; elements have no padding.
    unsafe { compare::compare(&lhs_layout, src_of(lhs), &rhs_layout, src_of(rhs)) }.map_err(of_slices)
}

/// SHAPE_MISMATCH with both numbers unless so many elements are as many as a slice of so many bytes has. Distinct ones
/// in the slice are then all of it.
pub(super) fn check_reaches_all(elements: i64, dtype: Dtype, bytes: usize, dst_name: Argument) -> Result<()> {
    let width = (dtype.bits() as u64 / 8).max(1);
    let needed = (bytes as u64).div_ceil(width);
    if elements as u64 == needed && (bytes as u64).is_multiple_of(width) {
        return Ok(());
    }
    let error = Error::new(Status::ShapeMismatch).argument(dst_name);
    Err(error.because_wide(Detail::Elements, elements as i128, needed as i128))
}
