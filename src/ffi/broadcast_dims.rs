//! Broadcasting by dimensions
//!
//! XLA's rule: nothing is implicit; broadcast_dimensions maps each dimension of the smaller operand to one of the
//! larger. Results are views: a dimension that is stretched or added gets stride 0, all others keep theirs.
//!
//! Example: a bias for each row of a matrix, which NumPy's rule would take for one of each column.
//!
//!   int64_t three[1] = {3}, full[2] = {3, 3}, row[1] = {0};
//!   stride_layout bias;
//!   stride_layout_init(&bias, STRIDE_DTYPE_F32, 1, three, NULL, NULL);
//!   stride_layout_broadcast_in_dim(&bias, 2, full, 1, row, &bias, NULL);
//!   assert(bias.rank == 2 && bias.strides[0] == 1 && bias.strides[1] == 0);

use super::boundary::{Output, counted, ranked};
use super::layout::{map_layout, read_layout, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::broadcast;
use crate::error::Argument;
use crate::model::LayoutStorage;

/// XLA's broadcast_in_dim: dimension k of the layout becomes dimension broadcast_dimensions[k] of a view with these
/// sizes; all other dimensions repeat. A size of 1 stretches. `broadcast_dimensions` increases strictly: nothing is
/// transposed.
///
/// Arrays: sizes[rank], broadcast_dimensions[count].
///
/// Returns: INVALID_RANK unless `count` is the layout's rank; INVALID_AXES with the entry; BROADCAST_MISMATCH with the
/// dimension and both sizes; INVALID_SIZE; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_broadcast_in_dim(
    layout: *const stride_layout,
    rank: u32,
    sizes: *const i64,
    count: u32,
    broadcast_dimensions: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        map_layout(layout, out, |layout, out| {
            let sizes = ranked(sizes, rank, Argument::Sizes)?;
            let places = counted(broadcast_dimensions, count, Argument::BroadcastDimensions)?;
            broadcast::broadcast_in_dim(layout, sizes, places, out)
        })
    })
}

/// XLA's rule for a binary element-wise operation: the views of both operands with their common sizes. Equal ranks:
/// `broadcast_dimensions` is empty or 0, 1, ... Different ranks: one entry for each dimension of the smaller operand,
/// none only for a scalar. A vector of 3 onto 2x3: {1}; {0} is a mismatch of 3 and 2.
///
/// Arrays: broadcast_dimensions[count].
///
/// Returns: INVALID_RANK for a wrong `count`; INVALID_AXES for entries out of range or order; BROADCAST_MISMATCH with
/// the dimension of the result and both sizes, the left operand's first; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_broadcast(
    lhs: *const stride_layout,
    rhs: *const stride_layout,
    count: u32,
    broadcast_dimensions: *const i64,
    lhs_out: *mut stride_layout,
    rhs_out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (lhs, rhs) = (read_layout(lhs, Argument::Lhs)?, read_layout(rhs, Argument::Rhs)?);
        let places = counted(broadcast_dimensions, count, Argument::BroadcastDimensions)?;
        let (lhs_out, rhs_out) = (Output::new(lhs_out, Argument::LhsOut)?, Output::new(rhs_out, Argument::RhsOut)?);
        let mut rooms = [LayoutStorage::default(), LayoutStorage::default()];
        let [left, right] = broadcast::xla(&lhs, &rhs, places, rooms.each_mut())?;
        lhs_out.write_view(&left);
        rhs_out.write_view(&right);
    })
}
