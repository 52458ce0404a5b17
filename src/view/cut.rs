//! Views that take one dimension away, insert one, or cut one in two.

use super::replace;
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::build::resolve_axis;
use crate::model::{Layout, LayoutStorage};

/// Without dimension `axis`, at index `index` of it, which may count from the end: `offset' = offset + index · stride`
/// (`numpy.take` of one index, `a[:, index]`).
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let image = LayoutBuf::packed(Dtype::U8, &[4, 6, 3])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::select(&image.view()?, 2, 1, &mut out)?.to_string(), "u8[4,6] strides [18,3] offset 1");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn select<'o>(layout: &Layout<'_>, axis: i64, index: i64, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let axis = resolve_axis(axis, layout.rank()).for_argument(Argument::Axis)?;
    let (size, stride) = layout.dimension(axis);
    let place = if index < 0 { index.wrapping_add(size) } else { index };
    let error = Status::IndexOutOfRange.of(Argument::Index);
    error.unless((0..size).contains(&place), Detail::OutOfSignedRange, index, size)?;
    // An index of the layout, so I4 bounds the sum.
    let skipped = if layout.is_empty() { 0 } else { place.wrapping_mul(stride) };
    let others = layout.dimensions().enumerate().filter(|&(dimension, _)| dimension != axis).map(|(_, other)| other);
    out.set_dimensions(layout.dtype(), layout.offset().wrapping_add(skipped), others)?;
    out.view().in_role(Argument::Layout)
}

/// Inserts a dimension of `count` equal entries, which is dimension `axis` of the *result*: stride 0 (`einops.repeat`,
/// `x[:, None].expand`). A packed copy of it is `numpy.tile` if it stands before a dimension, `numpy.repeat` if after.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let row = LayoutBuf::packed(Dtype::U8, &[3])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::repeat(&row.view()?, 1, 2, &mut out)?.to_string(), "u8[3,2] strides [1,0] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn repeat<'o>(layout: &Layout<'_>, axis: i64, count: i64, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let axis = resolve_axis(axis, layout.rank() + 1).for_argument(Argument::Axis)?;
    Status::InvalidSize.of(Argument::Count).unless(count >= 0, Detail::Below, count, 0)?;
    replace(layout, axis..axis, &[(count, 0)], out)?;
    // The caller knows all dimensions of the result but the new one.
    out.view().in_role(Argument::Count).map_err(|error| Error { dimension: -1, ..error })
}

/// Dimension `axis` in two: its entries before `position`, and those from there on (`numpy.split` at one place). To
/// roll an array of n by k, cut it at n − k and put the back before the front.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let matrix = LayoutBuf::packed(Dtype::U8, &[4, 6])?;
/// let mut out = [LayoutStorage::default(), LayoutStorage::default()];
/// let [left, right] = view::cut(&matrix.view()?, 1, 2, out.each_mut())?;
/// assert_eq!(left.to_string(), "u8[4,2] strides [6,1] offset 0");
/// assert_eq!(right.to_string(), "u8[4,4] strides [6,1] offset 2");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn cut<'o>(
    layout: &Layout<'_>,
    axis: i64,
    position: i64,
    [front, back]: [&'o mut LayoutStorage; 2],
) -> Result<[Layout<'o>; 2]> {
    let axis = resolve_axis(axis, layout.rank()).for_argument(Argument::Axis)?;
    let (size, stride) = layout.dimension(axis);
    let error = Status::IndexOutOfRange.of(Argument::Position);
    error.unless((0..=size).contains(&position), Detail::OutOfRange, position, size.saturating_add(1))?;
    let with_size = |size: i64, offset: i64, out: &'o mut LayoutStorage| {
        let sizes = layout.sizes().iter().enumerate().map(|(k, &other)| if k == axis { size } else { other });
        out.set_dimensions(layout.dtype(), offset, sizes.zip(layout.strides().iter().copied()))?;
        out.view().in_role(Argument::Layout)
    };
    // A back without elements keeps the offset; else `position` is an index of the layout (I4).
    let back_is_empty = layout.is_empty() || position == size;
    let skipped = if back_is_empty { 0 } else { position.wrapping_mul(stride) };
    let back = with_size(size - position, layout.offset().wrapping_add(skipped), back)?;
    Ok([with_size(position, layout.offset(), front)?, back])
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fields, layout};
    use super::*;
    use crate::model::LayoutBuf;

    #[test]
    fn one_dimension_less_one_more_one_in_two() {
        let matrix = layout(&[3, 4], &[4, -1]);
        assert_eq!(fields(&LayoutBuf::copied(&matrix).select(1, -1).unwrap()), (std::vec![3], std::vec![4], 97));
        assert_eq!(LayoutBuf::copied(&matrix).select(0, 3).unwrap_err().detail, Detail::OutOfSignedRange);
        assert_eq!(
            fields(&LayoutBuf::copied(&matrix).repeat(-1, 2).unwrap()),
            (std::vec![3, 4, 2], std::vec![4, -1, 0], 100)
        );
        assert_eq!(fields(&LayoutBuf::copied(&matrix).repeat(0, 0).unwrap()).0, [0, 3, 4]);
        let (front, back) = LayoutBuf::copied(&matrix).cut(0, 1).unwrap();
        assert_eq!(fields(&front), (std::vec![1, 4], std::vec![4, -1], 100));
        assert_eq!(fields(&back), (std::vec![2, 4], std::vec![4, -1], 104));
        let (front, back) = LayoutBuf::copied(&matrix).cut(0, 3).unwrap();
        assert_eq!((fields(&front).0, fields(&back)), (std::vec![3, 4], (std::vec![0, 4], std::vec![4, -1], 100)));
        assert_eq!(LayoutBuf::copied(&matrix).cut(1, 5).unwrap_err().rhs, 5);
    }
}
