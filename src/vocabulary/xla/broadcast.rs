//! The shape of a binary element-wise operation (`ShapeInference::InferBinaryOpShape`, docs/broadcasting.md of XLA).
//!
//! Sizes follow [`crate::broadcast::xla`], which gives the views of layouts. Here dynamic dimensions count too. If
//! ranks differ, each dimension of the smaller operand is compared with its place in the larger one, and takes that
//! place with size and flag. Then, dimension by dimension,
//!
//! | lhs | rhs | result |
//! |---|---|---|
//! | X or <=X | X or <=X | X, dynamic if either is |
//! | 1 or <=1 | X or <=X | the other one, with its flag; the same the other way round |
//! | anything else | | mismatch |

use super::rearrange::List;
use super::shape::Shape;
use crate::broadcast::{check_dimension, check_identity, check_increasing, common, mismatch};
use crate::error::{Argument, Detail, ForArgument, Result, Status, check_count};
use crate::model::{Dtype, MAX_RANK};

/// The result of an operation on `lhs` and `rhs`. Equal ranks: `broadcast_dimensions` is empty or 0, 1, …; different
/// ranks: one entry for each dimension of the smaller operand, none only for a scalar.
///
/// Equal types and sizes: `lhs` with its layout, dynamic if either is. Otherwise the default layout. Of two
/// floating-point types the result has the one of more range, then precision.
///
/// DTYPE_MISMATCH with both types. INVALID_AXES: a wrong count, an entry out of range or order. BROADCAST_MISMATCH with
/// the dimension of the result and both sizes, the left operand's first; its detail is DYNAMIC if ranks differ and a
/// dynamic 1 stands beside a static size other than 1.
///
/// ```
/// use stride::vocabulary::xla;
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let result = xla::broadcast::broadcast(&parse("f32[2,3]")?, &parse("f32[3]")?, &[1])?;
/// assert_eq!(result.sizes(), [2, 3]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn broadcast(lhs: &Shape, rhs: &Shape, broadcast_dimensions: &[i64]) -> Result<Shape> {
    let dtype = common_type(lhs.dtype(), rhs.dtype())?;
    let lhs_is_smaller = lhs.rank() < rhs.rank();
    let (small, large) = if lhs_is_smaller { (lhs, rhs) } else { (rhs, lhs) };
    let equal_ranks = small.rank() == large.rank();
    if !(equal_ranks && broadcast_dimensions.is_empty()) {
        check_count(broadcast_dimensions.len(), small.rank(), Argument::Count)?;
    }
    if equal_ranks {
        check_identity(broadcast_dimensions)?;
    }
    if lhs.sizes() == rhs.sizes() && lhs.dtype() == rhs.dtype() {
        let mut out = *lhs;
        out.dynamic |= rhs.dynamic;
        return Ok(out);
    }
    // The left operand's number first.
    let sorted = |small: i64, large: i64| if lhs_is_smaller { (small, large) } else { (large, small) };
    let size_of = |shape: &Shape, dimension: usize| shape.sizes().get(dimension).copied().unwrap_or(1);
    if !equal_ranks {
        for (k, &dimension) in broadcast_dimensions.iter().enumerate() {
            check_dimension(k, dimension, large.rank())?;
            let place = dimension as usize;
            let (from, to) = (size_of(small, k), size_of(large, place));
            let (left, right) = sorted(from, to);
            if common(left, right).is_none() {
                return Err(mismatch(place, left, right, Detail::NotEqual).argument(Argument::Rhs));
            }
            let (from_dynamic, to_dynamic) = (small.is_dynamic(k), large.is_dynamic(place));
            let stretches = (from == 1 && !from_dynamic) || (to == 1 && !to_dynamic);
            let fits = from_dynamic == to_dynamic || from == to || stretches;
            let error = Status::BroadcastMismatch.of(Argument::Rhs).dimension(place);
            error.unless(fits, Detail::Dynamic, left, right)?;
            check_increasing(broadcast_dimensions, k)?;
        }
    }
    let (mut sizes, mut dynamic) = (List::new(), 0u64);
    for (dimension, &to) in large.sizes().iter().enumerate().take(MAX_RANK) {
        let k = if equal_ranks {
            Some(dimension)
        } else {
            broadcast_dimensions.iter().position(|&place| place == dimension as i64)
        };
        let (from, from_dynamic) =
            k.map_or((to, large.is_dynamic(dimension)), |k| (size_of(small, k), small.is_dynamic(k)));
        let to_dynamic = large.is_dynamic(dimension);
        let flag = match (from, to) {
            _ if from == to => from_dynamic || to_dynamic,
            (1, _) => to_dynamic,
            _ => from_dynamic,
        };
        let (left, right) = sorted(from, to);
        let size =
            common(left, right).ok_or(mismatch(dimension, left, right, Detail::NotEqual).argument(Argument::Rhs))?;
        if sizes.try_push(size).is_err() {
            break;
        }
        dynamic |= u64::from(flag) << (dimension & 63);
    }
    let mut out = Shape::new(dtype, &sizes, None).in_role(Argument::Rhs)?;
    out.dynamic = dynamic;
    Ok(out)
}

/// The type itself, or the floating-point type of more range and precision.
fn common_type(lhs: Dtype, rhs: Dtype) -> Result<Dtype> {
    if lhs == rhs {
        return Ok(lhs);
    }
    match (lhs.float_rank(), rhs.float_rank()) {
        (Some(left), Some(right)) if left > right => Ok(lhs),
        (Some(left), Some(right)) if left < right => Ok(rhs),
        _ => Err(Status::DtypeMismatch.of(Argument::Rhs).because(Detail::Dtypes, rhs.code() as i64, lhs.code() as i64)),
    }
}
