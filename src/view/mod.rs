//! Views: other sizes and strides over the same memory. Nothing is moved.
//!
//! Each function states its formula: which dimension of the result is which of the input, with which stride, and what
//! is added to the offset. Negative and zero strides pass through all of them. Dimension numbers may be negative: −1 is
//! the last dimension. A result without elements keeps the input's offset, so that no offset ever leaves the input's
//! span. The result is made in a [`LayoutStorage`] that the caller lends; the methods of the same names return a
//! [`LayoutBuf`](crate::LayoutBuf).

mod cut;
mod dimensions;
mod methods;
mod reshape;
mod window;

use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count};
use crate::model::build::resolve_axis;
use crate::model::{Layout, LayoutStorage, arith, fixed};
use core::ops::Range;
pub use cut::{cut, repeat, select};
pub use dimensions::{expand_dims, pad_rank, permute, squeeze, squeeze_all};
pub use reshape::{merge, reshape, split};
pub use window::{as_strided, reinterpret, window};

/// NumPy's basic slice `start:stop:step` of every dimension: `size' = ceil((stop − start) / step)`,
/// `stride' = stride · step`, `offset' = offset + Σ start · stride`. Negative starts and stops count from the end; then
/// both are clamped, so `i64::MIN` and `i64::MAX` reach past either end. `None` for all of `starts`: from the first
/// element (from the last for a negative step); for `stops`: to the end in that direction; for `steps`: 1. A step of 0
/// is INVALID_ARGUMENT.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let row = LayoutBuf::packed(Dtype::U8, &[10])?;
/// let mut out = LayoutStorage::default();
/// let odd = view::slice(&row.view()?, Some(&[1]), None, Some(&[2]), &mut out)?; // a[1::2]
/// assert_eq!(odd.to_string(), "u8[5] strides [2] offset 1");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn slice<'o>(
    layout: &Layout<'_>,
    starts: Option<&[i64]>,
    stops: Option<&[i64]>,
    steps: Option<&[i64]>,
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    for list in [starts, stops, steps].into_iter().flatten() {
        check_count(list.len(), layout.rank(), Argument::Rank)?;
    }
    out.begin(layout.dtype(), layout.offset());
    let mut offset = layout.offset();
    let (mut empty, mut too_far) = (layout.is_empty(), Ok(()));
    for (dimension, (size, stride)) in layout.dimensions().enumerate() {
        let given = |list: Option<&[i64]>| list.and_then(|list| list.get(dimension).copied());
        let step = given(steps).unwrap_or(1);
        Status::InvalidArgument.of(Argument::Steps).dimension(dimension).unless(step != 0, Detail::Zero, 0, 0)?;
        // Upward a start or stop lies in 0 … size, downward in −1 … size − 1.
        let upward = step.is_positive();
        let (lowest, highest) = if upward { (0, size) } else { (-1, size - 1) };
        let clamp = |bound: i64| if bound < 0 { bound.saturating_add(size) } else { bound }.max(lowest).min(highest);
        let start = given(starts).map_or(if upward { lowest } else { highest }, clamp);
        let stop = given(stops).map_or(if upward { highest } else { lowest }, clamp);
        let length = if upward { stop - start } else { start - stop }.max(0) as u64;
        let count = length.div_ceil(step.unsigned_abs()) as i64;
        empty |= count == 0;
        offset = offset.wrapping_add(start.wrapping_mul(stride)); // used only if every start is an index (I4)
        let between = fitting(dimension, count, stride.checked_mul(step)).unwrap_or_else(|error| {
            too_far = Err(error);
            0
        });
        out.push(count, between)?;
    }
    if !empty {
        too_far?; // without elements strides mean nothing
        out.set_offset(offset);
    }
    out.view().in_role(Argument::Layout)
}

/// The box of `sizes` elements that begins at index `starts`: `offset' = offset + Σ start · stride`. Strict:
/// INDEX_OUT_OF_RANGE if it leaves the layout.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let image = LayoutBuf::packed(Dtype::U8, &[4, 6])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::crop(&image.view()?, &[1, 2], &[2, 3], &mut out)?.to_string(), "u8[2,3] strides [6,1] offset 8");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn crop<'o>(layout: &Layout<'_>, starts: &[i64], sizes: &[i64], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    check_count(starts.len(), layout.rank(), Argument::Rank)?;
    check_count(sizes.len(), layout.rank(), Argument::Rank)?;
    out.begin(layout.dtype(), layout.offset());
    let mut offset = layout.offset();
    for (dimension, (size, stride)) in layout.dimensions().enumerate() {
        let start = starts.get(dimension).copied().unwrap_or(0);
        let length = sizes.get(dimension).copied().unwrap_or(size);
        let outside = |argument| Status::IndexOutOfRange.of(argument).dimension(dimension);
        Status::InvalidSize.of(Argument::Sizes).dimension(dimension).unless(length >= 0, Detail::Below, length, 0)?;
        let starts_inside = (0..=size).contains(&start);
        outside(Argument::Starts).unless(starts_inside, Detail::OutOfRange, start, size.saturating_add(1))?;
        outside(Argument::Sizes).unless(length <= size - start, Detail::Above, start.saturating_add(length), size)?;
        offset = offset.wrapping_add(start.wrapping_mul(stride)); // used only if every start is an index (I4)
        out.push(length, stride)?;
    }
    if !arith::has_zero(sizes) && !layout.is_empty() {
        out.set_offset(offset);
    }
    out.view().in_role(Argument::Layout)
}

/// Reverses the dimensions named: `offset' = offset + (size − 1) · stride`, `stride' = −stride` (`numpy.flip`).
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let image = LayoutBuf::packed(Dtype::U8, &[4, 6])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::flip(&image.view()?, &[0, 1], &mut out)?.to_string(), "u8[4,6] strides [-6,-1] offset 23");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn flip<'o>(layout: &Layout<'_>, axes: &[i64], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    out.copy(layout);
    let mut offset = layout.offset();
    let mut seen = AxisSet::default();
    for (position, &axis) in axes.iter().enumerate() {
        let dimension = seen.insert_entry(position, axis, layout.rank())?;
        let (size, stride) = layout.dimension(dimension);
        if !layout.is_empty() {
            offset = offset.wrapping_add((size - 1).wrapping_mul(stride)); // I4
        }
        let count = if layout.is_empty() { 0 } else { size };
        let flipped = fitting(dimension, count, stride.checked_neg())?; // −2^63 has no opposite
        fixed::set(out.strides_mut(), dimension, flipped);
    }
    out.set_offset(offset);
    out.view().in_role(Argument::Layout)
}

/// The diagonal of two dimensions, `diagonal` steps above the main one (below, if negative), as a new last dimension:
/// `stride' = stride[axis1] + stride[axis2]` (`numpy.diagonal`).
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let matrix = LayoutBuf::packed(Dtype::F32, &[3, 4])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::diagonal(&matrix.view()?, 0, 0, 1, &mut out)?.to_string(), "f32[3] strides [5] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn diagonal<'o>(
    layout: &Layout<'_>,
    diagonal: i64,
    axis1: i64,
    axis2: i64,
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    let mut seen = AxisSet::default();
    let row = seen.insert(axis1, layout.rank()).for_argument(Argument::Axis1)?;
    let column = seen.insert(axis2, layout.rank()).for_argument(Argument::Axis2)?;
    let ((rows, row_stride), (columns, column_stride)) = (layout.dimension(row), layout.dimension(column));
    // First element of the diagonal: (0, diagonal) or (−diagonal, 0).
    let (skip_rows, skip_columns) = (diagonal.saturating_neg().max(0), diagonal.max(0));
    let count = rows.saturating_sub(skip_rows).min(columns.saturating_sub(skip_columns)).max(0);
    leave_out(layout, seen, out)?;
    let empty = count == 0 || layout.is_empty();
    let last = layout.rank().saturating_sub(2);
    out.push(count, fitting(last, if empty { 0 } else { count }, row_stride.checked_add(column_stride))?)?;
    if !empty {
        let skipped = skip_rows.wrapping_mul(row_stride).wrapping_add(skip_columns.wrapping_mul(column_stride));
        out.set_offset(layout.offset().wrapping_add(skipped)); // an index of the input (I4)
    }
    out.view().in_role(Argument::Layout)
}

/// Dimension numbers seen so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct AxisSet(u64);

impl AxisSet {
    /// Resolves a dimension number and adds it; INVALID_AXES if it is out of range or was seen before.
    pub(crate) fn insert(&mut self, axis: i64, rank: usize) -> Result<usize> {
        let dimension = resolve_axis(axis, rank)?;
        Error::new(Status::InvalidAxes).unless(!self.contains(dimension), Detail::Repeated, axis, rank as i64)?;
        self.0 |= 1 << (dimension & 63);
        Ok(dimension)
    }

    /// [`AxisSet::insert`] of an entry of the list `axes`.
    pub(crate) fn insert_entry(&mut self, position: usize, axis: i64, rank: usize) -> Result<usize> {
        self.insert(axis, rank).map_err(|error| error.argument(Argument::Axes).dimension(position))
    }

    pub(crate) fn contains(self, dimension: usize) -> bool {
        self.0 & (1 << (dimension & 63)) != 0
    }
}

/// A computed stride of the result. It may leave 64 bits although the layout does not, if a far offset makes up for it.
/// Then OVERFLOW with the result's dimension if that has more than one element; otherwise it becomes 0.
pub(crate) fn fitting(dimension: usize, count: i64, stride: Option<i64>) -> Result<i64> {
    match stride {
        Some(stride) => Ok(stride),
        None if count <= 1 => Ok(0),
        None => {
            Err(Status::Overflow.of(Argument::Layout).dimension(dimension).because(Detail::NewStride, count, i64::MAX))
        }
    }
}

/// All dimensions but some.
fn leave_out(layout: &Layout<'_>, dropped: AxisSet, out: &mut LayoutStorage) -> Result<()> {
    let kept = layout.dimensions().enumerate().filter(|&(dimension, _)| !dropped.contains(dimension));
    out.set_dimensions(layout.dtype(), layout.offset(), kept.map(|(_, dimension)| dimension))
}

/// The dimensions of `range` replaced by others.
#[inline(never)] // small rather than fast
fn replace(layout: &Layout<'_>, range: Range<usize>, by: &[(i64, i64)], out: &mut LayoutStorage) -> Result<()> {
    let (before, after) = (layout.dimensions().take(range.start), layout.dimensions().skip(range.end));
    out.set_dimensions(layout.dtype(), layout.offset(), before.chain(by.iter().copied()).chain(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dtype, LayoutBuf, MAX_RANK};
    use std::vec::Vec;

    pub(super) fn layout<'a>(sizes: &'a [i64], strides: &'a [i64]) -> Layout<'a> {
        Layout::new(Dtype::F32, 100, sizes, strides).unwrap()
    }

    #[test]
    fn a_stride_without_an_opposite() {
        let of = |size: i64| LayoutBuf::copied(&Layout::new(Dtype::U8, 0, &[size], &[i64::MIN]).unwrap()).flip(&[0]);
        let error = of(2).unwrap_err();
        assert_eq!((error.status, error.detail, error.dimension), (Status::Overflow, Detail::NewStride, 0));
        assert_eq!((fields(&of(1).unwrap()).1, fields(&of(0).unwrap()).1), (std::vec![0], std::vec![0]));
    }

    pub(super) fn fields(out: &LayoutBuf) -> (Vec<i64>, Vec<i64>, i64) {
        let view = out.view().unwrap();
        (view.sizes().to_vec(), view.strides().to_vec(), view.offset())
    }

    /// Views that take over what their layout reaches, and packed layouts, whose reach is their count.
    #[test]
    fn what_is_known_to_be_reached_is_reached() {
        let same = |made: Result<Layout<'_>>| {
            let made = made.unwrap();
            let again = Layout::new(made.dtype(), made.offset(), made.sizes(), made.strides()).unwrap();
            assert_eq!(std::format!("{made:?}"), std::format!("{again:?}"));
        };
        let lists: [(&[i64], &[i64]); 6] = [
            (&[], &[]),
            (&[2, 1, 3], &[-7, i64::MIN, 5]),
            (&[1, 4, 1], &[i64::MAX, 0, 9]),
            (&[3, 0, 1], &[i64::MAX, i64::MIN, 1]),
            (&[1 << 20, 1, 1 << 20], &[1 << 20, 3, 1]),
            (&[5, 6, 7], &[0, -1, 1 << 40]),
        ];
        let mut out = LayoutStorage::default();
        for (sizes, strides) in lists {
            for dtype in [Dtype::U8, Dtype::U4, Dtype::F32] {
                for offset in [0, 1 << 50, -9] {
                    let layout = Layout::new(dtype, offset, sizes, strides).unwrap();
                    let axes: &[i64] = if sizes.is_empty() { &[] } else { &[2, 0, 1] };
                    same(permute(&layout, axes, &mut out));
                    same(squeeze_all(&layout, &mut out));
                    same(expand_dims(&layout, &[0, -1], &mut out));
                    same(out.set_packed(dtype, sizes));
                }
            }
        }
        // The last that fits: 2^63 bits in all, less those of one element.
        for (count, fits) in [((1i64 << 60) - 1, true), (1 << 60, false)] {
            assert_eq!(out.set_packed(Dtype::U8, &[count]).is_ok(), fits);
        }
    }

    #[test]
    fn extreme_slices_clamp() {
        let row = layout(&[10], &[3]);
        let cut = |start, stop, step| {
            fields(&LayoutBuf::copied(&row).slice(Some(&[start]), Some(&[stop]), Some(&[step])).unwrap())
        };
        assert_eq!(cut(i64::MIN, i64::MAX, 1), (std::vec![10], std::vec![3], 100));
        assert_eq!(cut(i64::MAX, i64::MIN, -1), (std::vec![10], std::vec![-3], 127));
        assert_eq!(cut(8, 2, -4), (std::vec![2], std::vec![-12], 124));
        assert_eq!(cut(-3, -1, 1), (std::vec![2], std::vec![3], 121));
        assert_eq!(cut(7, 3, 1), (std::vec![0], std::vec![3], 100));
        assert_eq!(cut(9, i64::MIN, i64::MIN).0, [1]);
        assert_eq!(
            fields(&LayoutBuf::copied(&row).slice(None, None, Some(&[-3])).unwrap()),
            (std::vec![4], std::vec![-9], 127)
        );
        assert_eq!(LayoutBuf::copied(&row).slice(None, None, Some(&[0])).unwrap_err().argument, Argument::Steps);
    }

    #[test]
    fn diagonals_flips_and_inserted_dimensions() {
        let matrix = layout(&[3, 4], &[4, 1]);
        assert_eq!(fields(&LayoutBuf::copied(&matrix).diagonal(0, 0, 1).unwrap()), (std::vec![3], std::vec![5], 100));
        assert_eq!(fields(&LayoutBuf::copied(&matrix).diagonal(-2, 0, 1).unwrap()), (std::vec![1], std::vec![5], 108));
        assert_eq!(fields(&LayoutBuf::copied(&matrix).diagonal(9, 0, 1).unwrap()).0, [0]);
        assert!(LayoutBuf::copied(&matrix).diagonal(0, 1, -1).is_err());
        assert_eq!(fields(&LayoutBuf::copied(&matrix).flip(&[-1]).unwrap()), (std::vec![3, 4], std::vec![4, -1], 103));
        assert_eq!(
            fields(&LayoutBuf::copied(&matrix).expand_dims(&[0, -1]).unwrap()),
            (std::vec![1, 3, 4, 1], std::vec![12, 4, 1, 1], 100)
        );
        assert_eq!(fields(&LayoutBuf::copied(&matrix).pad_rank(4, 0).unwrap()).0, [1, 1, 3, 4]);
        assert_eq!(fields(&LayoutBuf::copied(&matrix).pad_rank(4, 1).unwrap()).0, [3, 1, 1, 4]);
        assert_eq!(LayoutBuf::copied(&matrix).pad_rank(MAX_RANK, 0).unwrap().view().unwrap().rank(), 64);
        assert_eq!(LayoutBuf::copied(&matrix).pad_rank(MAX_RANK + 1, 0).unwrap_err().detail, Detail::Above);
        assert_eq!(
            fields(&LayoutBuf::copied(&layout(&[1, 3, 1], &[9, 2, 9])).squeeze_all().unwrap()),
            (std::vec![3], std::vec![2], 100)
        );
        assert_eq!(LayoutBuf::copied(&matrix).squeeze(&[0]).unwrap_err().status, Status::InvalidSize);
    }

    #[test]
    fn strides_that_leave_64_bits_are_an_overflow() {
        let far = |offset, sizes: &'static [i64], strides: &'static [i64], dtype| {
            Layout::new(dtype, offset, sizes, strides).unwrap()
        };
        const WIDE: [i64; 1] = [-(1 << 62) - 1];
        let column = far(1 << 59, &[3], &WIDE, Dtype::U8);
        assert_eq!(LayoutBuf::copied(&column).slice(None, None, Some(&[2])).unwrap_err().status, Status::Overflow);
        let square = far(100, &[2, 2], &[i64::MIN, -50], Dtype::U8);
        assert_eq!(LayoutBuf::copied(&square).diagonal(0, 0, 1).unwrap_err().status, Status::Overflow);
        let bits = far((1 << 62) + (1 << 61), &[4], &WIDE, Dtype::U1);
        let place = |error: Error| (error.status, error.detail, error.dimension);
        let new_stride = |dimension| (Status::Overflow, Detail::NewStride, dimension);
        assert_eq!(place(LayoutBuf::copied(&bits).split(0, &[2, 2]).unwrap_err()), new_stride(0));
        assert_eq!(place(LayoutBuf::copied(&bits).reshape(&[2, 2]).unwrap_err()), new_stride(0));
        // The dimension is that of the result.
        let second = far((1 << 62) + (1 << 61), &[1, 4], &[0, WIDE[0]], Dtype::U1);
        assert_eq!(place(LayoutBuf::copied(&second).split(1, &[1, 2, 2]).unwrap_err()), new_stride(2));
        assert_eq!(place(LayoutBuf::copied(&second).reshape(&[1, 1, 2, 2]).unwrap_err()), new_stride(2));
        assert_eq!(place(LayoutBuf::copied(&second).slice(None, None, Some(&[1, 2])).unwrap_err()), new_stride(1));
        let square = far(100, &[3, 2, 2], &[0, i64::MIN, -50], Dtype::U8);
        assert_eq!(place(LayoutBuf::copied(&square).diagonal(0, 1, 2).unwrap_err()), new_stride(1));
        let nothing = far(3, &[0, 5, 5], &[1, i64::MIN, i64::MIN], Dtype::U8);
        assert_eq!(
            fields(&LayoutBuf::copied(&nothing).slice(None, None, Some(&[1, 2, 1])).unwrap()).1,
            [1, 0, i64::MIN]
        );
        assert_eq!(
            fields(&LayoutBuf::copied(&nothing).diagonal(0, 1, 2).unwrap()),
            (std::vec![0, 5], std::vec![1, 0], 3)
        );
        let none = LayoutBuf::copied(&far(3, &[0, 4], &[1, 1 << 62], Dtype::U8)).split(1, &[2, 2]).unwrap();
        assert_eq!(fields(&none), (std::vec![0, 2, 2], std::vec![1, 0, 1 << 62], 3));
        let column = far(1 << 59, &[3, 1], &[WIDE[0], 1], Dtype::U8);
        let none = LayoutBuf::copied(&column).slice(None, Some(&[3, 0]), Some(&[2, 1])).unwrap();
        assert_eq!(fields(&none), (std::vec![2, 0], std::vec![0, 1], 1 << 59));
        let empty = far(0, &[0, 1 << 40, 1 << 40], &[0, 0, 0], Dtype::U8);
        assert_eq!(LayoutBuf::copied(&empty).merge(1, 2).unwrap_err().status, Status::Overflow);
        assert_eq!(
            LayoutBuf::copied(&far(0, &[4, 4], &[4, 1], Dtype::U8))
                .crop(&[0, 0], &[1i64 << 40, 1 << 40])
                .unwrap_err()
                .dimension,
            0
        );
    }

    #[test]
    fn a_view_that_lies_too_far_below_the_base_is_an_overflow() {
        let below = |more: i64| {
            LayoutBuf::copied(&Layout::new(Dtype::U8, 0, &[2], &[-(1 << 60) - more]).unwrap()).crop(&[1], &[1])
        };
        assert_eq!(below(1).map(|view| fields(&view).2), Ok(-(1 << 60) - 1)); // it ends 2^60 bytes below
        assert_eq!(below(2).unwrap_err().status, Status::Overflow);
        let row = Layout::new(Dtype::F64, 0, &[7], &[-(1 << 60) + 2]).unwrap();
        let views = [
            LayoutBuf::copied(&row).crop(&[1], &[6]).map(drop),
            LayoutBuf::copied(&row).slice(Some(&[1]), None, None).map(drop),
            LayoutBuf::copied(&row).select(0, 3).map(drop),
            LayoutBuf::copied(&row).cut(0, 3).map(drop),
        ];
        for view in views {
            assert_eq!(view.map_err(|error| (error.status, error.argument)), Err((Status::Overflow, Argument::Layout)));
        }
    }
}
