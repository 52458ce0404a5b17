//! Broadcasting: NumPy's and XLA's rules as pure stride algebra.
//!
//! A dimension that is stretched or added gets stride 0; all others keep theirs. So a broadcast is a view, at no cost.
//!
//! *NumPy*: shapes are right-aligned; along each dimension the sizes are equal or 1, and 1 stretches, also to 0.
//!
//! *XLA*: nothing is implicit. Operands of different rank need `broadcast_dimensions`, which names for each dimension
//! of the smaller operand its dimension in the larger one, strictly increasing; only a scalar needs none. Then both
//! have the same rank, and size-1 ("degenerate") dimensions stretch as in NumPy. (docs/broadcasting.md of XLA.)
//!
//! [`elementwise_layout`]: the layout that the result of an elementwise operation should have.

mod elementwise;

use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count, check_rank};
use crate::model::{Layout, LayoutStorage, MAX_RANK, arith};
pub use elementwise::elementwise_layout;

/// Sizes of a broadcast result.
///
/// ```
/// let shapes: [&[i64]; 2] = [&[4, 1], &[3]];
/// let sizes: stride::broadcast::Sizes = stride::broadcast::sizes(shapes.into_iter())?;
/// assert_eq!(sizes.as_slice(), [4, 3]);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    rank: usize,
    sizes: [i64; MAX_RANK],
}

impl Sizes {
    /// Outermost first.
    pub fn as_slice(&self) -> &[i64] {
        &self.sizes[..self.rank.min(MAX_RANK)]
    }
}

/// The common size of two, or `None` if they do not broadcast.
pub(crate) fn common(lhs: i64, rhs: i64) -> Option<i64> {
    match (lhs, rhs) {
        (1, size) | (size, 1) => Some(size),
        (lhs, rhs) => (lhs == rhs).then_some(lhs),
    }
}

/// NumPy's rule for any number of shapes; without shapes rank 0. BROADCAST_MISMATCH names the operand, the dimension of
/// the result and both sizes. OVERFLOW if the result has too many elements.
///
/// ```
/// let shapes: [&[i64]; 2] = [&[7, 1, 5], &[2, 1]];
/// assert_eq!(stride::broadcast::sizes(shapes.into_iter()).unwrap().as_slice(), [7, 2, 5]);
/// ```
pub fn sizes<'a>(shapes: impl Iterator<Item = &'a [i64]> + Clone) -> Result<Sizes> {
    let mut out = Sizes { rank: 0, sizes: [1; MAX_RANK] };
    for (operand, shape) in shapes.clone().enumerate() {
        let counted = check_rank(shape.len(), MAX_RANK, Argument::Ranks).and_then(|()| arith::element_count(shape));
        counted.map_err(|error| error.item(operand))?;
        out.rank = out.rank.max(shape.len());
    }
    let rank = out.rank;
    for (operand, shape) in shapes.enumerate() {
        for (dimension, &size) in (rank.saturating_sub(shape.len())..).zip(shape) {
            let Some(slot) = out.sizes.get_mut(dimension) else { break };
            let Some(both) = common(*slot, size) else {
                let error = Status::BroadcastMismatch.of(Argument::Sizes);
                return Err(error.item(operand).dimension(dimension).because(Detail::NotEqual, *slot, size));
            };
            *slot = both;
        }
    }
    arith::element_count(out.as_slice())?;
    Ok(out)
}

/// The view of `layout` with these sizes, by NumPy's rule; the rank may grow, never shrink.
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, broadcast};
/// let row = LayoutBuf::packed(Dtype::F32, &[3])?;
/// let mut out = LayoutStorage::default();
/// let rows = broadcast::broadcast_to(&row.view()?, &[2, 3], &mut out)?;
/// assert_eq!(rows.to_string(), "f32[2,3] strides [0,1] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn broadcast_to<'o>(layout: &Layout<'_>, sizes: &[i64], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    arith::element_count(sizes)?;
    Status::InvalidRank.of(Argument::Rank).at_least(sizes.len() as i64, layout.rank() as i64)?;
    let added = sizes.len() - layout.rank();
    view(layout, sizes, |dimension| dimension.checked_sub(added), out).for_argument(Argument::Sizes)
}

/// XLA's `broadcast_in_dim`: dimension k of `layout` becomes dimension `broadcast_dimensions[k]` of a result with these
/// sizes, all others repeat. Strictly increasing, so it never transposes (INVALID_AXES).
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, broadcast};
/// let column = LayoutBuf::packed(Dtype::F32, &[2])?;
/// let mut out = LayoutStorage::default();
/// let columns = broadcast::broadcast_in_dim(&column.view()?, &[2, 3], &[0], &mut out)?;
/// assert_eq!(columns.to_string(), "f32[2,3] strides [1,0] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn broadcast_in_dim<'o>(
    layout: &Layout<'_>,
    sizes: &[i64],
    broadcast_dimensions: &[i64],
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    arith::element_count(sizes)?;
    check_count(broadcast_dimensions.len(), layout.rank(), Argument::Count)?;
    for (k, &dimension) in broadcast_dimensions.iter().enumerate() {
        check_dimension(k, dimension, sizes.len())?;
        let (size, _) = layout.dimension(k);
        let target = sizes.get(dimension as usize).copied().unwrap_or(1);
        if size != 1 && size != target {
            return Err(mismatch(dimension as usize, size, target, Detail::Stretch).argument(Argument::Sizes));
        }
        check_increasing(broadcast_dimensions, k)?;
    }
    view(layout, sizes, |dimension| broadcast_dimensions.iter().position(|&d| d == dimension as i64), out)
}

/// XLA's rule for a binary element-wise operation: the views of both operands with the common sizes.
///
/// Equal ranks: `broadcast_dimensions` is empty or 0, 1, …, rank − 1. Different ranks: one dimension of the larger
/// operand for each of the smaller one; none only for a scalar. Errors for each entry, in the order in which XLA finds
/// them: outside the larger rank (INVALID_AXES), sizes that are neither equal nor 1 (BROADCAST_MISMATCH with the
/// dimension of the result and both sizes), not increasing (INVALID_AXES).
///
/// ```
/// use stride::{Dtype, LayoutBuf, LayoutStorage, broadcast};
/// let matrix = LayoutBuf::packed(Dtype::F32, &[2, 3])?;
/// let row = LayoutBuf::packed(Dtype::F32, &[3])?;
/// let mut out = [LayoutStorage::default(), LayoutStorage::default()];
/// let [_, rows] = broadcast::xla(&matrix.view()?, &row.view()?, &[1], out.each_mut())?;
/// assert_eq!(rows.strides(), [0, 1]);
/// assert!(broadcast::xla(&matrix.view()?, &row.view()?, &[], out.each_mut()).is_err()); // never implicit
/// # Ok::<(), stride::Error>(())
/// ```
pub fn xla<'o>(
    lhs: &Layout<'_>,
    rhs: &Layout<'_>,
    broadcast_dimensions: &[i64],
    [lhs_out, rhs_out]: [&'o mut LayoutStorage; 2],
) -> Result<[Layout<'o>; 2]> {
    let lhs_is_smaller = lhs.rank() < rhs.rank();
    let (small, large) = if lhs_is_smaller { (lhs, rhs) } else { (rhs, lhs) };
    let equal_ranks = small.rank() == large.rank();
    let implicit = broadcast_dimensions.is_empty() && (equal_ranks || small.rank() == 0);
    if !implicit {
        check_count(broadcast_dimensions.len(), small.rank(), Argument::Count)?;
    }
    let place = |dimension: usize| {
        if equal_ranks {
            return Some(dimension); // the list is empty or says the same
        }
        broadcast_dimensions.iter().position(|&d| d == dimension as i64)
    };
    if equal_ranks {
        check_identity(broadcast_dimensions)?;
    }
    // The left operand's size first.
    let both = |dimension: usize, small: i64, large: i64| {
        let (left, right) = if lhs_is_smaller { (small, large) } else { (large, small) };
        common(left, right).ok_or(mismatch(dimension, left, right, Detail::NotEqual).argument(Argument::Rhs))
    };
    let mut sizes = Sizes { rank: large.rank(), sizes: [1; MAX_RANK] };
    for (k, &dimension) in broadcast_dimensions.iter().enumerate() {
        check_dimension(k, dimension, large.rank())?;
        both(dimension as usize, small.dimension(k).0, large.dimension(dimension as usize).0)?;
        check_increasing(broadcast_dimensions, k)?;
    }
    for (dimension, (slot, &size)) in sizes.sizes.iter_mut().zip(large.sizes()).enumerate() {
        *slot = both(dimension, place(dimension).map_or(1, |k| small.dimension(k).0), size)?;
    }
    let (small_out, large_out) = if lhs_is_smaller { (lhs_out, rhs_out) } else { (rhs_out, lhs_out) };
    let small_view = view(small, sizes.as_slice(), place, small_out).in_role(Argument::Rhs)?;
    let large_view = view(large, sizes.as_slice(), Some, large_out).in_role(Argument::Rhs)?;
    Ok(if lhs_is_smaller { [small_view, large_view] } else { [large_view, small_view] })
}

/// The view with these sizes whose dimension d is dimension `place(d)` of `layout`, or added. The size of a placed
/// dimension is equal, or 1 in `layout`, else BROADCAST_MISMATCH.
fn view<'o>(
    layout: &Layout<'_>,
    sizes: &[i64],
    place: impl Fn(usize) -> Option<usize>,
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    out.begin(layout.dtype(), layout.offset());
    for (dimension, &size) in sizes.iter().enumerate() {
        let stride = match place(dimension) {
            None => 0,
            Some(k) => match layout.dimension(k) {
                (from, stride) if from == size => stride,
                (1, _) => 0,
                (from, _) => return Err(mismatch(dimension, from, size, Detail::Stretch)),
            },
        };
        out.push(size, stride)?;
    }
    out.view()
}

/// BROADCAST_MISMATCH of two sizes: neither equal nor 1, or the first not to be stretched to the second.
pub(crate) fn mismatch(dimension: usize, lhs: i64, rhs: i64, detail: Detail) -> Error {
    Error::new(Status::BroadcastMismatch).dimension(dimension).because(detail, lhs, rhs)
}

pub(crate) fn check_dimension(k: usize, dimension: i64, rank: usize) -> Result<()> {
    Status::InvalidAxes.of(Argument::BroadcastDimensions).dimension(k).in_range(dimension, rank as i64)
}

/// For operands of equal rank.
pub(crate) fn check_identity(dimensions: &[i64]) -> Result<()> {
    let other = (0..).zip(dimensions).find(|&(k, &dimension)| dimension != k);
    let error = |k| Status::InvalidAxes.of(Argument::BroadcastDimensions).dimension(k);
    other.map_or(Ok(()), |(k, &dimension)| Err(error(k as usize).because(Detail::NotIdentity, dimension, k)))
}

pub(crate) fn check_increasing(dimensions: &[i64], k: usize) -> Result<()> {
    match dimensions.get(..=k) {
        Some(&[.., before, this]) if this <= before => {
            let error = Status::InvalidAxes.of(Argument::BroadcastDimensions);
            Err(error.dimension(k).because(Detail::OutOfOrder, this, before))
        }
        _ => Ok(()),
    }
}
