//! Views of all elements, under other dimensions: in another order, or with more or fewer of size 1.

use super::{AxisSet, leave_out};
use crate::error::{Argument, Detail, Result, Status, check_count, check_rank};
use crate::model::{Layout, LayoutStorage, MAX_RANK};

/// Dimension i of the result is dimension `axes[i]`: `size'[i] = size[axes[i]]`, `stride'[i] = stride[axes[i]]`
/// (`numpy.transpose`). INVALID_AXES unless `axes` is a permutation.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let image = LayoutBuf::packed(Dtype::U8, &[4, 6, 3])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::permute(&image.view()?, &[2, 0, 1], &mut out)?.to_string(), "u8[3,4,6] strides [1,18,3] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn permute<'o>(layout: &Layout<'_>, axes: &[i64], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    check_count(axes.len(), layout.rank(), Argument::Rank)?;
    out.begin(layout.dtype(), layout.offset());
    let mut seen = AxisSet::default();
    for (position, &axis) in axes.iter().enumerate() {
        let dimension = seen.insert_entry(position, axis, layout.rank())?;
        let (size, stride) = layout.dimension(dimension);
        out.push(size, stride)?;
    }
    out.reaching_as(layout)
}

/// Drops the dimensions named, all of size 1, else INVALID_SIZE (`numpy.squeeze` with axes).
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let image = LayoutBuf::packed(Dtype::U8, &[1, 4, 6])?;
/// assert_eq!(view::squeeze(&image.view()?, &[0], &mut LayoutStorage::default())?.sizes(), [4, 6]);
/// assert!(view::squeeze(&image.view()?, &[1], &mut LayoutStorage::default()).is_err()); // size 4
/// # Ok::<(), stride::Error>(())
/// ```
pub fn squeeze<'o>(layout: &Layout<'_>, axes: &[i64], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let mut dropped = AxisSet::default();
    for (position, &axis) in axes.iter().enumerate() {
        let dimension = dropped.insert_entry(position, axis, layout.rank())?;
        let (size, _) = layout.dimension(dimension);
        Status::InvalidSize.of(Argument::Layout).dimension(dimension).unless(size == 1, Detail::NotEqual, size, 1)?;
    }
    leave_out(layout, dropped, out)?;
    out.reaching_as(layout)
}

/// Drops every dimension of size 1 (`numpy.squeeze` without axes). [`squeeze`] with an empty list drops none, as in C,
/// where (NULL, 0) is an empty list everywhere.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let image = LayoutBuf::packed(Dtype::U8, &[1, 4, 1, 6])?;
/// assert_eq!(view::squeeze_all(&image.view()?, &mut LayoutStorage::default())?.sizes(), [4, 6]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn squeeze_all<'o>(layout: &Layout<'_>, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    out.set_dimensions(layout.dtype(), layout.offset(), layout.dimensions().filter(|&(size, _)| size != 1))?;
    out.reaching_as(layout)
}

/// Inserts a dimension of size 1 at each of the places named, which are dimension numbers of the *result*
/// (`numpy.expand_dims`). Its stride is what a packed layout would have there: size times stride of the dimension on
/// its right, 1 at the end. One that does not fit 64 bits becomes 0, as in [`Layout::canonical`].
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let row = LayoutBuf::packed(Dtype::U8, &[6])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::expand_dims(&row.view()?, &[0, -1], &mut out)?.to_string(), "u8[1,6,1] strides [6,1,1] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn expand_dims<'o>(layout: &Layout<'_>, axes: &[i64], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let rank = layout.rank() + axes.len();
    check_rank(rank, MAX_RANK, Argument::Out)?;
    let mut inserted = AxisSet::default();
    for (position, &axis) in axes.iter().enumerate() {
        inserted.insert_entry(position, axis, rank)?;
    }
    out.begin(layout.dtype(), layout.offset());
    let mut taken = 0;
    for dimension in 0..rank {
        // The next dimension of the input; several inserted ones in a row have the same next one.
        let next = layout.dimensions().nth(taken);
        let (size, stride) = if inserted.contains(dimension) {
            (1, next.map_or(1, |(size, stride)| size.checked_mul(stride).unwrap_or(0)))
        } else {
            taken += 1;
            next.unwrap_or((1, 0)) // as many as are not inserted
        };
        out.push(size, stride)?;
    }
    out.reaching_as(layout)
}

/// Inserts dimensions of size 1 before dimension `position` until the rank is `rank`: position 0 makes 11HW of HW, as
/// DirectML wants for NCHW. INVALID_RANK if the rank is already larger.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let image = LayoutBuf::packed(Dtype::U8, &[4, 6])?;
/// assert_eq!(view::pad_rank(&image.view()?, 4, 0, &mut LayoutStorage::default())?.sizes(), [1, 1, 4, 6]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn pad_rank<'o>(
    layout: &Layout<'_>,
    rank: usize,
    position: usize,
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    check_rank(rank, MAX_RANK, Argument::Rank)?;
    let own = layout.rank();
    Status::InvalidRank.of(Argument::Rank).unless(rank >= own, Detail::Below, rank as i64, own as i64)?;
    let error = Status::InvalidAxes.of(Argument::Position);
    error.unless(position <= own, Detail::OutOfRange, position as i64, own as i64 + 1)?;
    let mut axes = [0i64; MAX_RANK];
    for (slot, dimension) in axes.iter_mut().zip(position as i64..) {
        *slot = dimension;
    }
    expand_dims(layout, axes.get(..rank - own).unwrap_or(&[]), out)
}
