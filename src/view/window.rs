//! Views that read the same memory differently: as windows, with other sizes and strides, with another dtype.

use super::fitting;
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count, check_rank};
use crate::model::layout::not_representable;
use crate::model::{Dtype, Layout, LayoutStorage, MAX_RANK, arith};
use arrayvec::ArrayVec;

/// All windows of `sizes` elements: first the dimensions of where a window begins, then those of the place inside it
/// (`torch.Tensor.unfold`, `numpy.lib.stride_tricks.sliding_window_view`, XLA's `ReduceWindow`). Windows begin every
/// `steps` elements, and their own elements lie `dilations` apart; a list that is `None` is all 1:
///
/// ```text
/// covered    = (window − 1) · dilation + 1, 0 for an empty window
/// positions  = floor((size − covered) / step) + 1, 0 where it does not fit
/// out sizes  = positions…, windows…      out strides = stride · step…, stride · dilation…
/// ```
///
/// A row of 7 in windows of 3 at every second element is {3,3} with strides {2,1}. INVALID_RANK above rank 32.
///
/// A window of size 0 is an empty view, with as many positions as NumPy and PyTorch count. XLA forbids it.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let row = LayoutBuf::packed(Dtype::F32, &[7])?;
/// let mut out = LayoutStorage::default();
/// let windows = view::window(&row.view()?, &[3], Some(&[2]), None, &mut out)?;
/// assert_eq!(windows.to_string(), "f32[3,3] strides [2,1] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn window<'o>(
    layout: &Layout<'_>,
    sizes: &[i64],
    steps: Option<&[i64]>,
    dilations: Option<&[i64]>,
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    for list in [Some(sizes), steps, dilations].into_iter().flatten() {
        check_count(list.len(), layout.rank(), Argument::Rank)?;
    }
    let rank = 2 * layout.rank();
    check_rank(rank, MAX_RANK, Argument::Out)?;
    let mut positions = ArrayVec::<i64, MAX_RANK>::new();
    for (dimension, &size) in layout.sizes().iter().enumerate() {
        let window = sizes.get(dimension).copied().unwrap_or(0);
        Status::InvalidSize.of(Argument::Sizes).dimension(dimension).unless(window >= 0, Detail::Below, window, 0)?;
        let step = at_least_1(steps, dimension, Argument::Steps)?;
        let dilation = at_least_1(dilations, dimension, Argument::Dilations)?;
        let covered =
            if window == 0 { Some(0) } else { (window - 1).checked_mul(dilation).and_then(|last| last.checked_add(1)) };
        let free = covered.filter(|&covered| covered <= size).map(|covered| (size - covered) as u64);
        let last = free.and_then(|free| free.checked_div(step as u64));
        let count = last.map_or(0, |last| last + 1);
        let Ok(count) = i64::try_from(count) else {
            let error = Status::Overflow.of(Argument::Layout).dimension(dimension);
            return Err(error.because_wide(Detail::Above, count as i128, i64::MAX as i128));
        };
        let _ = positions.try_push(count); // as many as dimensions (I1)
    }
    // Without windows, or without elements in them, strides mean nothing.
    let empty = arith::has_zero(sizes) || arith::has_zero(&positions);
    out.begin(layout.dtype(), layout.offset());
    let sides = [(0, &positions[..], steps, Argument::Steps), (layout.rank(), sizes, dilations, Argument::Dilations)];
    for (first, counts, apart, argument) in sides {
        for (dimension, ((_, stride), &count)) in layout.dimensions().zip(counts).enumerate() {
            let stride = stride.checked_mul(at_least_1(apart, dimension, argument)?);
            out.push(count, fitting(first + dimension, if empty { 0 } else { count }, stride)?)?;
        }
    }
    // Windows stay inside the layout, and there are no more of them than elements. Only their size can be too much.
    out.view().map_err(|error| Error { dimension: error.dimension - layout.rank() as i32, ..error })
}

/// An entry of a list that may be left out.
fn at_least_1(list: Option<&[i64]>, dimension: usize, argument: Argument) -> Result<i64> {
    let entry = list.and_then(|list| list.get(dimension).copied()).unwrap_or(1);
    Status::InvalidArgument.of(argument).dimension(dimension).unless(entry >= 1, Detail::Below, entry, 1)?;
    Ok(entry)
}

/// Any sizes, strides and offset over the elements that the layout reaches, from its lowest to its highest, including
/// the gaps between them (`torch.as_strided`, which checks the storage only, and wraps: pytorch#145259, #150388).
/// OUT_OF_BOUNDS with the element offset that leaves them and the limit.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let row = LayoutBuf::packed(Dtype::F32, &[6])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::as_strided(&row.view()?, &[4, 3], &[1, 1], 0, &mut out)?.strides(), [1, 1]);
/// let error = view::as_strided(&row.view()?, &[5, 3], &[1, 1], 0, &mut out).unwrap_err(); // reaches element 6
/// assert_eq!((error.status, error.lhs), (stride::error::Status::OutOfBounds, 6));
/// # Ok::<(), stride::Error>(())
/// ```
pub fn as_strided<'o>(
    layout: &Layout<'_>,
    sizes: &[i64],
    strides: &[i64],
    offset: i64,
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    let (lowest, highest) = layout.span();
    let empty = arith::element_count(sizes)? == 0;
    let check_inside = |argument: Argument, element: i64| {
        let error = Status::OutOfBounds.of(argument);
        error.unless(empty || element >= lowest, Detail::Below, element, lowest)?;
        error.unless(empty || element <= highest, Detail::Above, element, highest)
    };
    check_inside(Argument::Offset, offset)?;
    let view = Layout::new(layout.dtype(), offset, sizes, strides)?;
    let (first, last) = view.span();
    check_inside(Argument::Strides, first)?;
    check_inside(Argument::Strides, last)?;
    out.copy(&view);
    out.view()
}

/// The same bytes as elements of another dtype (`numpy.ndarray.view`). For equal widths only the dtype changes.
/// Otherwise the last dimension grows or shrinks and must be packed: with k the ratio of the widths, {2,3} of u32 is
/// {2,12} of u8, and offset and other strides are 4 times as many; in the other direction all of them are divided.
/// Positions are counted in bits from the base pointer, in each dtype's own order within a byte.
///
/// Layouts that `numpy.ndarray.view` refuses are refused. So are strides that are not a whole number of new elements,
/// which NumPy can count.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let words = LayoutBuf::packed(Dtype::U32, &[2, 3])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::reinterpret(&words.view()?, Dtype::U8, &mut out)?.to_string(), "u8[2,12] strides [12,1] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn reinterpret<'o>(layout: &Layout<'_>, dtype: Dtype, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let (old, new) = (layout.dtype().bits().max(1) as u64, dtype.bits().max(1) as u64);
    if old == new {
        out.set_dimensions(dtype, layout.offset(), layout.dimensions())?;
        return out.view();
    }
    let representable = Status::NotRepresentable.of(Argument::Layout);
    let Some(last) = layout.rank().checked_sub(1) else { return Err(representable.because(Detail::Ranks, 0, 1)) };
    // `from` old elements are the bits of `to` new ones, and both are as few as can be.
    let common = arith::gcd(old, new).max(1);
    let (from, to) = ((new / common) as i64, (old / common) as i64);
    let mismatch = Status::DtypeMismatch.of(Argument::Dtype);
    mismatch.unless(new > old || from == 1, Detail::Dtypes, dtype.code(), layout.dtype().code())?;
    let scaled = |number: i64, error: Error| arith::scaled(number, [from, to], Detail::WholeElements, error);
    let (size, stride) = layout.dimension(last);
    if size > 1 && !layout.is_empty() && stride != 1 {
        return Err(not_representable(last, stride, 1));
    }
    let error = Status::ShapeMismatch.of(Argument::Layout).dimension(last);
    error.unless(size.checked_rem(from) == Some(0), Detail::NotAMultiple, size, from)?;
    let offset = scaled(layout.offset(), representable);
    out.begin(dtype, if layout.is_empty() { offset.unwrap_or(0) } else { offset? });
    for (dimension, (size, stride)) in layout.dimensions().enumerate().take(last) {
        let stride = scaled(stride, representable.dimension(dimension));
        // A stride that means nothing becomes 0 if it has no such number.
        out.push(size, if size <= 1 || layout.is_empty() { stride.unwrap_or(0) } else { stride? })?;
    }
    out.push(scaled(size, representable.dimension(last))?, 1)?;
    out.view().in_role(Argument::Layout)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fields, layout};
    use super::*;
    use crate::model::LayoutBuf;

    #[test]
    fn windows_of_a_row() {
        let row = layout(&[7], &[3]);
        let windows = |size, step, dilation| {
            fields(&LayoutBuf::copied(&row).window(&[size], Some(&[step]), Some(&[dilation])).unwrap())
        };
        assert_eq!(windows(3, 2, 1), (std::vec![3, 3], std::vec![6, 3], 100));
        assert_eq!(windows(3, 1, 3), (std::vec![1, 3], std::vec![3, 9], 100));
        assert_eq!(windows(3, 1, i64::MAX).0, [0, 3]);
        assert_eq!(windows(8, 1, 1).0, [0, 8]);
        assert_eq!(windows(0, 1, 1).0, [8, 0]);
        assert_eq!(windows(1, i64::MAX, 1).0, [1, 1]);
        assert_eq!(LayoutBuf::copied(&row).window(&[1], Some(&[0]), None).unwrap_err().argument, Argument::Steps);
        let far = Layout::new(Dtype::U8, 0, &[i64::MAX], &[0]).unwrap();
        assert_eq!(LayoutBuf::copied(&far).window(&[0], None, None).unwrap_err().status, Status::Overflow);
    }

    #[test]
    fn what_overflows_is_told_by_its_place() {
        let place = |error: Error| (error.status, error.argument, error.dimension, error.detail);
        let wide = Layout::new(Dtype::U8, 1 << 59, &[1, 3], &[0, -(1 << 62) - 1]).unwrap();
        let new_stride = |dimension| (Status::Overflow, Argument::Layout, dimension, Detail::NewStride);
        let of = |step, dilation| {
            place(LayoutBuf::copied(&wide).window(&[1, 2], Some(&[1, step]), Some(&[1, dilation])).unwrap_err())
        };
        assert_eq!(
            (of(1, 2), fields(&LayoutBuf::copied(&wide).window(&[1, 2], Some(&[1, 2]), None).unwrap()).1[1]),
            (new_stride(3), 0)
        );
        assert_eq!(place(LayoutBuf::copied(&wide).window(&[1, 1], Some(&[1, 2]), None).unwrap_err()), new_stride(1));
        // Too many windows, of too many elements.
        let far = Layout::new(Dtype::U8, 0, &[1 << 62], &[0]).unwrap();
        let many = (Status::Overflow, Argument::Sizes, 0, Detail::Product);
        assert_eq!(place(LayoutBuf::copied(&far).window(&[1 << 30], None, None).unwrap_err()), many);
        let far = Layout::new(Dtype::U8, 0, &[1 << 31, 1 << 31], &[0, 0]).unwrap();
        let many = (Status::Overflow, Argument::Sizes, 1, Detail::Product);
        assert_eq!(place(LayoutBuf::copied(&far).window(&[2, 1 << 30], None, None).unwrap_err()), many);
    }

    #[test]
    fn other_widths() {
        let of = |dtype, offset, sizes: &[i64], strides: &[i64], new| {
            LayoutBuf::copied(&Layout::new(dtype, offset, sizes, strides).unwrap())
                .reinterpret(new)
                .map(|out| fields(&out))
        };
        let (u8, u32, u4) = (Dtype::U8, Dtype::U32, Dtype::U4);
        assert_eq!(of(u32, 5, &[2, 3], &[-4, 1], u8), Ok((std::vec![2, 12], std::vec![-16, 1], 20)));
        assert_eq!(of(u8, 20, &[2, 12], &[-16, 1], u32), Ok((std::vec![2, 3], std::vec![-4, 1], 5)));
        assert_eq!(of(u8, 1, &[2, 3], &[3, 1], u4), Ok((std::vec![2, 6], std::vec![6, 1], 2)));
        assert_eq!(of(u8, 0, &[2, 3], &[1, 2], Dtype::S8), Ok((std::vec![2, 3], std::vec![1, 2], 0)));
        let three = Dtype::bytes(3).unwrap();
        assert_eq!(of(three, 4, &[2, 4], &[8, 1], u32), Ok((std::vec![2, 3], std::vec![6, 1], 3)));
        assert_eq!(of(u32, 0, &[4], &[1], three).unwrap_err().status, Status::DtypeMismatch);
        assert_eq!(of(u8, 2, &[4], &[1], u32).unwrap_err().detail, Detail::WholeElements);
        assert_eq!(of(Dtype::U64, -(1 << 62), &[2, 2], &[1 << 62, 1], u8).unwrap_err().status, Status::Overflow);
        assert_eq!(of(u8, 0, &[1, 4], &[3, 1], u32), Ok((std::vec![1, 1], std::vec![0, 1], 0)));
        // A stride that means nothing need not be 1.
        assert_eq!(of(u32, 0, &[2, 1], &[3, 7], u8), Ok((std::vec![2, 4], std::vec![12, 1], 0)));
        assert_eq!(of(u32, 0, &[0, 3], &[9, 9], u8), Ok((std::vec![0, 12], std::vec![36, 1], 0)));
    }
}
