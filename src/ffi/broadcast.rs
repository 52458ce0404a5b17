//! Broadcasting
//!
//! Results are views: a dimension that is stretched or added gets stride 0, all others keep theirs. Dtypes do not matter.
//! A mismatch names the dimension of the result and both sizes.
//!
//! NumPy's rule: shapes are right-aligned; sizes are equal or 1; 1 stretches, also to 0. XLA's rule: nothing is implicit;
//! broadcast_dimensions says which dimension of the larger operand each dimension of the smaller one is.
#![allow(non_camel_case_types)]

use super::layout::stride_layout;
use super::query::write_entries;
use super::status::{stride_error, stride_status};
use super::{Output, array, checked_rank, map_layout, read_layout, report};
use crate::broadcast;
use crate::error::{Argument, Error, Result, Status};

/// The common sizes of `count` shapes by NumPy's rule. `ranks[k]` is the rank of shape k; `sizes` holds the sizes of all
/// shapes one after the other. {7,1,5} and {2,1} give {7,2,5}; no shapes at all give rank 0.
///
/// Returns: NULL_POINTER; INVALID_RANK, INVALID_SIZE with the operand; BROADCAST_MISMATCH with operand, dimension and both
/// sizes; OVERFLOW.
///
/// # Safety
/// `ranks` holds `count` entries, `sizes` as many as they sum to; `out_rank` valid or NULL; `out_sizes` has room for 64
/// entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_broadcast_sizes(
    count: u32,
    ranks: *const u32,
    sizes: *const i64,
    out_rank: *mut u32,
    out_sizes: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let ranks = array(ranks, count as usize, Argument::Ranks)?;
            let mut total = 0usize;
            for (operand, &rank) in ranks.iter().enumerate() {
                total += checked_rank(rank, Argument::Ranks).map_err(|e| e.item(operand))?;
            }
            let sizes = array(sizes, total, Argument::Sizes)?;
            let out_rank = Output::new(out_rank, Argument::Out)?;
            let shapes = ranks.iter().scan(0usize, |begin, &rank| {
                let shape = sizes.get(*begin..*begin + rank as usize);
                *begin += rank as usize;
                shape
            });
            let result = broadcast::sizes(shapes)?;
            write_entries(out_sizes, result.as_slice(), Argument::Out)?;
            out_rank.write(result.as_slice().len() as u32);
            Ok(())
        })
    }
}

/// The views of `count` layouts with their common sizes by NumPy's rule, into `out[0] ... out[count - 1]`.
///
/// Returns: as `stride_broadcast_sizes`; the item of the error is the operand.
///
/// # Safety
/// `in` and `out` hold `count` layouts; they are apart, or the same array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_broadcast_layouts(
    count: u32,
    r#in: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            if count == 0 {
                return Ok(());
            }
            let null = |argument| Error::new(Status::NullPointer).argument(argument);
            if r#in.is_null() || out.is_null() {
                return Err(null(if r#in.is_null() { Argument::Layout } else { Argument::Out }));
            }
            let operand = |k: u32| read_layout(r#in.wrapping_add(k as usize), Argument::Layout);
            for k in 0..count {
                operand(k).map_err(|e| e.item(k as usize))?;
            }
            let sizes = broadcast::sizes((0..count).map(|k| operand(k).map_or(&[][..], |layout| layout.sizes())))?;
            // The sizes fit every operand, so nothing below can fail half way.
            for k in 0..count {
                let view = broadcast::broadcast_to(&operand(k)?, sizes.as_slice())?;
                Output(out.wrapping_add(k as usize)).write_layout(&view)?;
            }
            Ok(())
        })
    }
}

/// The view of a layout with these sizes by NumPy's rule (numpy.broadcast_to). The rank may grow, never shrink.
///
/// Returns: NULL_POINTER; INVALID_RANK; INVALID_SIZE; BROADCAST_MISMATCH with the dimension and both sizes; OVERFLOW.
///
/// # Safety
/// `sizes` holds `rank` entries; `layout` and `out` valid or NULL; they may be the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_broadcast_to(
    layout: *const stride_layout,
    rank: u32,
    sizes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_layout(layout, out, error, |layout| {
            broadcast::broadcast_to(layout, array(sizes, checked_rank(rank, Argument::Rank)?, Argument::Sizes)?)
        })
    }
}

/// XLA's broadcast_in_dim: dimension k of the layout becomes dimension broadcast_dimensions[k] of a view with these sizes;
/// all other dimensions repeat. A size of 1 stretches. Strictly increasing, so this never transposes.
///
/// Returns: NULL_POINTER; INVALID_RANK; INVALID_AXES with the position in the list; BROADCAST_MISMATCH with the dimension
/// and both sizes.
///
/// # Safety
/// `sizes` holds `rank` entries, `broadcast_dimensions` as many as the layout has dimensions; `layout` and `out` valid or
/// NULL; they may be the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_broadcast_in_dim(
    layout: *const stride_layout,
    rank: u32,
    sizes: *const i64,
    broadcast_dimensions: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_layout(layout, out, error, |layout| {
            let sizes = array(sizes, checked_rank(rank, Argument::Rank)?, Argument::Sizes)?;
            let places = array(broadcast_dimensions, layout.rank(), Argument::BroadcastDimensions)?;
            broadcast::broadcast_in_dim(layout, sizes, places)
        })
    }
}

/// XLA's rule for a binary element-wise operation: the views of both operands with their common sizes. Equal ranks:
/// `broadcast_dimensions` is empty or 0, 1, ... Different ranks: one entry for each dimension of the smaller operand, none
/// only for a scalar. A vector of 3 onto 2x3: {1}; {0} is a mismatch of 3 and 2.
///
/// Returns: NULL_POINTER; INVALID_AXES (a wrong count, entries out of range or order); BROADCAST_MISMATCH with the
/// dimension of the result and both sizes, the left operand's first.
///
/// # Safety
/// `broadcast_dimensions` holds `count` entries; the layouts valid or NULL; each output may be one of the inputs.
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
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || -> Result<()> {
            let (lhs, rhs) = (read_layout(lhs, Argument::Lhs)?, read_layout(rhs, Argument::Rhs)?);
            let count = checked_rank(count, Argument::BroadcastDimensions)?;
            let places = array(broadcast_dimensions, count, Argument::BroadcastDimensions)?;
            let (lhs_out, rhs_out) = (Output::new(lhs_out, Argument::Out)?, Output::new(rhs_out, Argument::Out)?);
            let (left, right) = broadcast::xla(&lhs, &rhs, places)?;
            lhs_out.write_layout(&left)?;
            rhs_out.write_layout(&right)
        })
    }
}
