//! Copies, fills and comparisons of slices, by one call.

use super::element::{Element, check_dtype, check_value};
use super::side::{Sides, layouts};
use super::{as_uninit, dst_of, of_slices, src_of, with_values};
use crate::copy::Options;
use crate::copy::execute::{self, Dst, Src, compare};
use crate::copy::plan::Plan;
use crate::error::{Argument, Detail, ForArgument, Result, Status};
use crate::model::whole_bytes;
use crate::model::{AsLayout, Dtype};
use crate::side::AsSide;
use core::mem::MaybeUninit;

/// Copies every element of `src` to the element of `dst` with the same index. Elements of `dst` that no index reaches
/// stay as they are. Either side may be a layout, an XLA shape with tiles, or a blocked layout, or runs of indices or a
/// range of elements of these ([`Side`](crate::Side)).
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
/// // A slice that is too short is an error, and nothing was written.
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
/// needed and those of the slice; OVERLAP if two indices share an element of `dst`; UNDECIDED if that is not known;
/// INDEX_OUT_OF_RANGE and others of runs, with the side's dimension and run.
pub fn copy<T: Element>(dst: &mut [T], dst_layout: &impl AsSide, src: &[T], src_layout: &impl AsSide) -> Result<()> {
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
/// Those of [`copy()`]; UNSUPPORTED for [`ASSUME_DISTINCT`](crate::copy::options::ASSUME_DISTINCT), and for
/// [`FILL_BUFFER`](crate::copy::options::FILL_BUFFER) unless any bytes are a `T`; INVALID_ARGUMENT for unknown options.
pub fn copy_with<T: Element>(
    dst: &mut [T],
    dst_layout: &impl AsSide,
    src: &[T],
    src_layout: &impl AsSide,
    options: &Options,
) -> Result<()> {
    // SAFETY: only whole elements are written (slices/mod.rs): values of `src`, or a fill if any bytes are a `T`
    // (`check_options`).
    let dst = unsafe { as_uninit(dst) };
    // SAFETY: slices of these lengths; `dst` is borrowed exclusively.
    unsafe { copy_sides::<T>((dst_layout, dst_of(dst)), (src_layout, src_of(src)), options, |_| Ok(())) }
}

/// Makes a copy that `check` allows: it gets the destination's dtype, name in errors and element count.
///
/// # Safety
/// `dst` is writable and `src` readable over their lengths. Below a byte `dst` has values, which are read.
#[inline(always)]
unsafe fn copy_sides<T: Element>(
    (dst_side, dst): (&impl AsSide, Dst),
    (src_side, src): (&impl AsSide, Src),
    options: &Options,
    check: impl FnOnce((Dtype, Argument, i64)) -> Result<()>,
) -> Result<()> {
    let mut plan = Plan::with_options(options);
    // SAFETY: `dst` is writable and `src` readable over their lengths (# Safety), beyond which nothing is touched.
    unsafe {
        match layouts::<T>(dst_side, src_side, options)? {
            Some([to, from]) => {
                check((to.dtype(), Argument::DstLayout, to.element_count()))?;
                plan.set_copy_out_of_line(&to, &from)?;
                execute::execute_plan(&plan, dst, src).map_err(of_slices)
            }
            None => {
                let sides = Sides::new::<T>(dst_side.as_side(), src_side.as_side(), options)?;
                check(sides.dst()?)?;
                let boxes = sides.prepare(&mut plan)?;
                execute::execute_made(&plan, boxes.as_ref(), None, dst, src, None).map_err(of_slices)
            }
        }
    }
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
/// // Rows of 3 that begin 4 elements apart skip one element, which would have no value.
/// let pitched = LayoutBuf::strided(Dtype::F32, &[2, 3], &[4, 1])?;
/// let mut room = [core::mem::MaybeUninit::uninit(); 7];
/// let error = stride::copy_to_uninit(&mut room, &pitched, &memory, &columns).unwrap_err();
/// assert_eq!(error.to_string(), "dst_layout: 6 elements are given, but 7 are needed");
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`copy()`]; SHAPE_MISMATCH with the elements of the layout and those of the slice unless it reaches all of
/// them, in any order; UNSUPPORTED for elements below a byte, whose neighbours are read.
pub fn copy_to_uninit<'a, T: Element>(
    dst: &'a mut [MaybeUninit<T>],
    dst_layout: &impl AsSide,
    src: &[T],
    src_layout: &impl AsSide,
) -> Result<&'a mut [T]> {
    let bytes = size_of_val(dst);
    // SAFETY: slices of these lengths; `dst` is borrowed exclusively and not read (`whole_bytes`). After the copy, as
    // many distinct elements in the slice are written as it has (`check_reaches_all`): all of them.
    unsafe {
        copy_sides::<T>(
            (dst_layout, dst_of(dst)),
            (src_layout, src_of(src)),
            &Options::DEFAULT,
            |(dtype, name, all)| {
                whole_bytes(dtype, name)?;
                check_reaches_all(all, dtype, bytes, name)
            },
        )?;
        Ok(with_values(dst))
    }
}

/// [`copy()`] to some of the elements of memory without values, for several tensors that become one. Afterwards the
/// elements that the layout reaches have values; the caller keeps track of them.
///
/// ```
/// use core::mem::MaybeUninit;
/// use stride::{Dtype, LayoutBuf};
/// // Two columns, one after the other, become the columns of a matrix.
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
/// Those of [`copy()`]; UNSUPPORTED for elements below a byte, whose neighbours are read.
pub fn copy_to_uninit_view<T: Element>(
    dst: &mut [MaybeUninit<T>],
    dst_layout: &impl AsSide,
    src: &[T],
    src_layout: &impl AsSide,
) -> Result<()> {
    // SAFETY: slices of these lengths; `dst` is borrowed exclusively and not read (`whole_bytes`).
    unsafe {
        copy_sides::<T>((dst_layout, dst_of(dst)), (src_layout, src_of(src)), &Options::DEFAULT, |(dtype, name, _)| {
            whole_bytes(dtype, name).map(|_| ())
        })
    }
}

/// Writes one value to every element that the layout reaches; indices may share elements. The value of an element below
/// a byte is the low bits of a `u8`.
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
/// OUT_OF_BOUNDS; DTYPE_MISMATCH unless the layout goes with `T` and an element is no wider; UNDECIDED if indices share
/// elements and are more than 64 times the elements from the lowest one to the highest, and more than 64 KiB.
pub fn fill<T: Element>(dst: &mut [T], layout: &impl AsLayout, value: T) -> Result<()> {
    let layout = layout.as_layout().in_role(Argument::DstLayout)?;
    check_value::<T>(&layout, Argument::DstLayout)?;
    // SAFETY: only whole elements are written, each of which is `value`.
    let dst = dst_of(unsafe { as_uninit(dst) });
    let value = Src { base: (&raw const value).cast(), bytes: size_of::<T>() as u64 };
    let mut plan = Plan::nothing();
    // SAFETY: a slice of this length, borrowed exclusively, and one value.
    unsafe {
        plan.set_fill(&layout)?;
        execute::execute_plan(&plan, dst, value).map_err(of_slices)
    }
}

/// The row-major number of the first element in which two tensors of equal sizes differ, `None` if they are equal.
/// Elements are compared as bits: a NaN is equal to itself, and 0.0 is not −0.0.
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
/// SHAPE_MISMATCH; DTYPE_MISMATCH; OUT_OF_BOUNDS; UNDECIDED as for [`fill`], by the larger side.
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
    // SAFETY: slices of these lengths; every byte is initialised, since elements have no padding (`Element`).
    unsafe { compare::compare(&lhs_layout, src_of(lhs), &rhs_layout, src_of(rhs)) }.map_err(of_slices)
}

/// SHAPE_MISMATCH with both numbers unless a slice of so many bytes has exactly this many elements. If they are
/// distinct and in the slice, they are then all of it.
pub(super) fn check_reaches_all(elements: i64, dtype: Dtype, bytes: usize, dst_name: Argument) -> Result<()> {
    let width = (dtype.bits() as u64 / 8).max(1);
    let needed = (bytes as u64).div_ceil(width);
    let reaches_all = elements as u64 == needed && (bytes as u64).is_multiple_of(width);
    Status::ShapeMismatch.of(dst_name).unless(reaches_all, Detail::Elements, elements, needed)
}
