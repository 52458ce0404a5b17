//! Views that regroup dimensions: the elements keep their row-major order.

use super::{fitting, replace};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::build::resolve_axis;
use crate::model::{Layout, LayoutStorage, MAX_RANK, arith, fixed};
use arrayvec::ArrayVec;

/// Other sizes for the same elements in the same row-major order, if strides can express it; NOT_REPRESENTABLE if a
/// copy is needed. One size may be −1 and is computed. SHAPE_MISMATCH if the counts differ (`numpy.reshape`,
/// `torch.view`).
///
/// Dimensions of size 1 are dropped first. Then both lists are cut into the shortest groups with equal products; inside
/// each group the input must be one run: `stride[i] = size[i+1] · stride[i+1]`, also for strides below 1.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let matrix = LayoutBuf::packed(Dtype::F32, &[4, 6])?;
/// assert_eq!(view::reshape(&matrix.view()?, &[2, -1, 3], &mut LayoutStorage::default())?.sizes(), [2, 4, 3]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn reshape<'o>(layout: &Layout<'_>, sizes: &[i64], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let mut wanted = ArrayVec::new();
    resolve_sizes(sizes, layout.element_count(), &mut wanted)?;
    let unset = i64::from(!layout.is_empty());
    out.set_dimensions(layout.dtype(), layout.offset(), wanted.iter().map(|&size| (size, unset)))?;
    if layout.is_empty() {
        return out.view();
    }
    let mut from = layout.dimensions().enumerate().filter(|&(_, (size, _))| size != 1).rev();
    let mut to = out.strides_mut().iter_mut().zip(&wanted).enumerate().rev(); // dimensions of `wanted` that are left
    while let Some((_, (mut run, stride))) = from.next() {
        // The group begins with this input dimension; `run` elements, `stride` apart.
        let (mut covered, mut next_stride) = (1i64, Some(stride));
        let mut extent_stride = stride as i128 * run as i128;
        let mut fits = Ok(()); // reported only if the group is one run
        loop {
            while covered < run
                && let Some((place, (slot, &size))) = to.next()
            {
                match fitting(place, size, next_stride) {
                    Ok(stride) => *slot = stride,
                    Err(error) => fits = fits.and(Err(error)),
                }
                covered = covered.wrapping_mul(size); // both products divide the count (I3)
                next_stride = next_stride.and_then(|stride| stride.checked_mul(size));
            }
            if covered == run {
                break;
            }
            let Some((dimension, (size, outer_stride))) = from.next() else { break };
            if outer_stride as i128 != extent_stride {
                return Err(not_one_run(dimension, outer_stride, extent_stride));
            }
            extent_stride *= size as i128;
            run = run.wrapping_mul(size);
        }
        fits?;
    }
    out.view().in_role(Argument::Layout)
}

/// NOT_REPRESENTABLE for a dimension, with its stride and the one with which it would continue those after it.
fn not_one_run(dimension: usize, stride: i64, needed: i128) -> Error {
    let error = Status::NotRepresentable.of(Argument::Layout).dimension(dimension);
    error.because_wide(Detail::NotOneRun, stride as i128, needed)
}

/// Cuts one dimension into several with these sizes (one may be −1): the last keeps the stride, each other one is
/// `size · stride` of its right neighbour. Always a view.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let row = LayoutBuf::strided(Dtype::F32, &[6], &[2])?;
/// let mut out = LayoutStorage::default();
/// assert_eq!(view::split(&row.view()?, 0, &[-1, 3], &mut out)?.to_string(), "f32[2,3] strides [6,2] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn split<'o>(layout: &Layout<'_>, axis: i64, sizes: &[i64], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let axis = resolve_axis(axis, layout.rank()).for_argument(Argument::Axis)?;
    let (whole, whole_stride) = layout.dimension(axis);
    let mut parts = ArrayVec::new();
    resolve_sizes(sizes, whole, &mut parts).map_err(|error| error.argument(Argument::Sizes))?;
    out.begin(layout.dtype(), layout.offset());
    for (dimension, (size, stride)) in layout.dimensions().enumerate() {
        if dimension != axis {
            out.push(size, stride)?;
            continue;
        }
        for (k, &part) in parts.iter().enumerate() {
            let stride = parts.iter().skip(k + 1).try_fold(whole_stride, |stride, &size| stride.checked_mul(size));
            let fits = if layout.is_empty() { Ok(stride.unwrap_or(0)) } else { fitting(axis + k, part, stride) };
            out.push(part, fits?)?;
        }
    }
    out.view().in_role(Argument::Layout)
}

/// Joins `count` neighbouring dimensions, the first of which is `axis`, into one; NOT_REPRESENTABLE unless they are one
/// run. `count` 0 is INVALID_ARGUMENT.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, view};
/// let rows = LayoutBuf::strided(Dtype::F32, &[4, 6], &[8, 1])?;
/// assert!(view::merge(&rows.view()?, 0, 2, &mut LayoutStorage::default()).is_err()); // gaps between the rows
/// let packed = LayoutBuf::packed(Dtype::F32, &[4, 6])?;
/// assert_eq!(view::merge(&packed.view()?, 0, 2, &mut LayoutStorage::default())?.sizes(), [24]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn merge<'o>(layout: &Layout<'_>, axis: i64, count: usize, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let first = resolve_axis(axis, layout.rank()).for_argument(Argument::Axis)?;
    let (error, most) = (Status::InvalidArgument.of(Argument::Count), layout.rank() - first);
    error.unless(count != 0, Detail::Below, 0, 1)?;
    error.unless(count <= most, Detail::Above, count as i64, most as i64)?;

    let sizes = layout.sizes();
    // The record counts the dimensions of the layout.
    let joined = arith::element_count(sizes.get(first..first + count).unwrap_or(&[]))
        .map_err(|error| error.dimension(first + error.dimension.max(0) as usize))
        .in_role(Argument::Layout)?;
    if joined == 0 {
        // No element: any stride will do.
        replace(layout, first..first + count, &[(0, 0)], out)?;
        return out.view().in_role(Argument::Layout);
    }
    let mut run: Option<(i64, i64)> = None; // size and stride of the joined dimensions so far, from the right
    for dimension in (first..first + count).rev() {
        let (size, stride) = layout.dimension(dimension);
        run = match run {
            _ if size == 1 => run,
            None => Some((size, stride)),
            Some(inner) if layout.is_empty() || inner.0.checked_mul(inner.1) == Some(stride) => {
                Some((inner.0.saturating_mul(size), inner.1))
            }
            Some(inner) => return Err(not_one_run(dimension, stride, inner.0 as i128 * inner.1 as i128)),
        };
    }
    let stride = run.map_or(layout.dimension(first + count - 1).1, |(_, stride)| stride);
    replace(layout, first..first + count, &[(joined, stride)], out)?;
    out.view().in_role(Argument::Layout)
}

/// Fills an empty list with `sizes`, a −1 replaced so that the product is `count`; else SHAPE_MISMATCH.
fn resolve_sizes(sizes: &[i64], count: i64, out: &mut ArrayVec<i64, MAX_RANK>) -> Result<()> {
    let fits = out.try_extend_from_slice(sizes).is_ok();
    Status::InvalidRank.of(Argument::Rank).unless(fits, Detail::Above, sizes.len() as i64, MAX_RANK as i64)?;
    let mut open = None;
    for (dimension, slot) in out.iter_mut().enumerate() {
        if *slot == -1 {
            let error = Status::InvalidSize.of(Argument::Sizes).dimension(dimension);
            error.unless(open.is_none(), Detail::Repeated, -1, sizes.len() as i64)?;
            open = Some(dimension);
            *slot = i64::from(count != 0);
        }
    }
    let mismatch = Status::ShapeMismatch.of(Argument::Sizes);
    // A product that does not fit 64 bits is not the count of any layout.
    let known = arith::element_count(out).for_argument(Argument::Sizes).map_err(|error| match error.status {
        Status::Overflow => mismatch.because(Detail::Elements, i64::MAX, count),
        _ => error,
    })?;
    match open {
        None if known == count => Ok(()),
        Some(_) if count == 0 && !arith::has_zero(sizes) => Ok(()),
        Some(dimension) if known > 0 && count % known == 0 => {
            fixed::set(out, dimension, count / known);
            Ok(())
        }
        Some(_) if known > 0 => Err(mismatch.because(Detail::NotAMultiple, count, known)),
        Some(_) if count == 0 => Err(mismatch.because(Detail::Zero, 0, 0)),
        _ => Err(mismatch.because(Detail::Elements, known, count)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fields, layout};
    use super::*;
    use crate::model::Dtype;
    use crate::model::LayoutBuf;

    #[test]
    fn reshape_as_numpy_and_torch_do_it() {
        let split = LayoutBuf::copied(&layout(&[2, 12], &[12, 1])).reshape(&[4, 3, -1]).unwrap();
        assert_eq!(fields(&split), (std::vec![4, 3, 2], std::vec![6, 2, 1], 100));
        // Reversed runs merge as well: stride[i] = size[i+1] · stride[i+1].
        let reversed = LayoutBuf::copied(&layout(&[2, 3], &[-3, -1])).reshape(&[6]).unwrap();
        assert_eq!(fields(&reversed), (std::vec![6], std::vec![-1], 100));
        let repeated = LayoutBuf::copied(&layout(&[2, 3], &[0, 0])).reshape(&[3, 2]).unwrap();
        assert_eq!(fields(&repeated).1, [0, 0]);
        // A transposed matrix needs a copy; so does a padded one, but not if only the rows are split.
        let error = LayoutBuf::copied(&layout(&[3, 2], &[1, 3])).reshape(&[6]).unwrap_err();
        assert_eq!((error.status, error.lhs, error.rhs), (Status::NotRepresentable, 1, 6));
        assert!(LayoutBuf::copied(&layout(&[2, 4], &[8, 1])).reshape(&[8]).is_err());
        assert_eq!(fields(&LayoutBuf::copied(&layout(&[2, 4], &[8, 1])).reshape(&[2, 2, 2]).unwrap()).1, [8, 2, 1]);
        assert!(fields(&LayoutBuf::copied(&layout(&[1, 1], &[7, 7])).reshape(&[]).unwrap()).0.is_empty());
        assert_eq!(fields(&LayoutBuf::copied(&layout(&[], &[])).reshape(&[1, 1]).unwrap()).0, [1, 1]);
        assert_eq!(fields(&LayoutBuf::copied(&layout(&[0, 5], &[5, 1])).reshape(&[3, 0, 2]).unwrap()).0, [3, 0, 2]);
        // Strides that leave 64 bits are reported only if the elements are one run.
        let far = 1 << 62;
        for (offset, far, beyond) in [(2, 1 - far, i64::MIN), (2, -far - 1, i64::MIN), (i64::MIN, far + 1, i64::MAX)] {
            let error = LayoutBuf::copied(&Layout::new(Dtype::U8, offset, &[2, 3], &[17, far]).unwrap())
                .reshape(&[3, 2])
                .unwrap_err();
            assert_eq!((error.status, error.dimension), (Status::NotRepresentable, 0));
            assert_eq!((error.lhs, error.rhs), (17, beyond));
        }
        // Without elements -1 becomes 0, however many elements the other sizes make.
        let none = layout(&[0, 5], &[5, 1]);
        assert_eq!(
            fields(&LayoutBuf::copied(&none).reshape(&[1 << 32, -1, 1 << 32]).unwrap()).0,
            [1 << 32, 0, 1 << 32]
        );
        assert_eq!(fields(&LayoutBuf::copied(&none).split(0, &[3, -1]).unwrap()).0, [3, 0, 5]);
        let beyond = LayoutBuf::copied(&layout(&[0, 4], &[1, 1])).split(0, &[2, 0, 3, i64::MAX]).unwrap();
        assert_eq!(fields(&beyond).1, [0, 0, i64::MAX, 1, 1]);
        assert_eq!(LayoutBuf::copied(&none).reshape(&[-1, 0]).unwrap_err().detail, Detail::Zero);
        assert_eq!(LayoutBuf::copied(&none).reshape(&[-1, -3]).unwrap_err().detail, Detail::Below);
        assert_eq!(LayoutBuf::copied(&none).reshape(&[7, 3]).unwrap_err().detail, Detail::Elements);
        for (sizes, why, lhs, rhs) in [
            (&[5][..], Detail::Elements, 5, 6),
            (&[-1, -1], Detail::Repeated, -1, 2),
            (&[0, -1], Detail::Elements, 0, 6),
            (&[-2, 3], Detail::Below, -2, 0),
            (&[4, -1], Detail::NotAMultiple, 6, 4),
            (&[i64::MAX, 3], Detail::Elements, i64::MAX, 6),
        ] {
            let error = LayoutBuf::copied(&layout(&[2, 3], &[3, 1])).reshape(sizes).unwrap_err();
            assert_eq!((error.detail, error.lhs, error.rhs), (why, lhs, rhs), "{sizes:?}");
        }
    }

    #[test]
    fn split_and_merge_undo_each_other() {
        let mirrored = layout(&[2, 12], &[12, -1]);
        let halves = LayoutBuf::copied(&mirrored).split(-1, &[3, -1]).unwrap();
        assert_eq!(fields(&halves), (std::vec![2, 3, 4], std::vec![12, -4, -1], 100));
        assert_eq!(fields(&LayoutBuf::copied(&halves.view().unwrap()).merge(1, 2).unwrap()).1, [12, -1]);
        assert_eq!(
            LayoutBuf::copied(&halves.view().unwrap()).merge(0, 2).unwrap_err().status,
            Status::NotRepresentable
        );
        let error = LayoutBuf::copied(&mirrored).merge(1, 2).unwrap_err();
        assert_eq!((error.detail, error.lhs, error.rhs), (Detail::Above, 2, 1));
        assert_eq!(LayoutBuf::copied(&mirrored).merge(0, 0).unwrap_err().detail, Detail::Below);
        let error = LayoutBuf::copied(&layout(&[2, 3], &[7, -2])).merge(0, 2).unwrap_err();
        assert_eq!((error.detail, error.lhs, error.rhs), (Detail::NotOneRun, 7, -6));
        assert_eq!(LayoutBuf::copied(&mirrored).split(0, &[3]).unwrap_err().status, Status::ShapeMismatch);
    }
}
