//! Broadcasting
//!
//! Results are views: a dimension that is stretched or added gets stride 0, all others keep theirs. Dtypes do not
//! matter. A mismatch names the dimension of the result and both sizes.
//!
//! NumPy's rule: shapes are right-aligned; sizes are equal or 1; 1 stretches, also to 0. XLA's rule, where nothing is
//! implicit, is in stride_kernels.h. DirectML never broadcasts: it needs full sizes with stride 0, as these functions
//! make them.
//!
//! Example: one bias for each of three channels of {2,3,4,4}.
//!
//!   int64_t channels[3] = {3, 1, 1}, full[4] = {2, 3, 4, 4};
//!   stride_layout bias;
//!   stride_layout_init(&bias, STRIDE_DTYPE_F32, 3, channels, NULL, NULL);
//!   stride_layout_broadcast_to(&bias, 4, full, &bias, NULL);
//!   assert(bias.rank == 4 && bias.strides[0] == 0 && bias.strides[1] == 1 && bias.strides[2] == 0);

use super::boundary::{Output, array, check_list, checked_rank, ranked};
use super::layout::{map_layout, read_layout, read_layouts, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::broadcast;
use crate::error::{Argument, ForArgument};
use crate::model::{Dtype, LayoutStorage};

/// The common sizes of `count` shapes by NumPy's rule. `ranks[k]` is the rank of shape k; `sizes` holds the sizes of
/// all shapes one after the other. {7,1,5} and {2,1} give {7,2,5}; no shapes at all give rank 0.
///
/// Arrays: ranks[count], sizes[sum of ranks], out_sizes[64].
///
/// Returns: INVALID_RANK, INVALID_SIZE with the operand; BROADCAST_MISMATCH with operand, dimension and both sizes;
/// OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_broadcast_sizes(
    count: u32,
    ranks: *const u32,
    sizes: *const i64,
    out_rank: *mut u32,
    out_sizes: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let ranks = array(ranks, count as usize, Argument::Ranks)?;
        let mut total = 0usize;
        for (operand, &rank) in ranks.iter().enumerate() {
            total += checked_rank(rank, Argument::Ranks).map_err(|e| e.item(operand))?;
        }
        let sizes = array(sizes, total, Argument::Sizes)?;
        let out_rank = Output::new(out_rank, Argument::OutRank)?;
        let out_sizes = Output::new(out_sizes, Argument::OutSizes)?;
        let shapes = ranks.iter().scan(0usize, |begin, &rank| {
            let shape = sizes.get(*begin..*begin + rank as usize);
            *begin += rank as usize;
            shape
        });
        let result = broadcast::sizes(shapes)?;
        out_sizes.write_all(result.as_slice());
        out_rank.write(result.as_slice().len() as u32);
    })
}

/// The views of `count` layouts with their common sizes by NumPy's rule, into `out[0] ... out[count - 1]`.
///
/// Arrays: in[count], out[count].
///
/// Requires: `out` is `in`, or the two arrays share no byte.
///
/// Returns: as `stride_broadcast_sizes`; the item of the error is the operand.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_broadcast_layouts(
    count: u32,
    r#in: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        check_list(r#in, count.into(), Argument::In)?;
        check_list(out, count.into(), Argument::Out)?;
        let operand = |k: u32| read_layout(r#in.wrapping_add(k as usize), Argument::In);
        for k in 0..count {
            operand(k).map_err(|e| e.item(k as usize))?;
        }
        let shapes = (0..count).map(|k| operand(k).map_or(&[][..], |layout| layout.sizes()));
        let sizes = broadcast::sizes(shapes).in_role(Argument::In)?;
        // The sizes fit every operand, so nothing below can fail half way.
        let mut room = LayoutStorage::default();
        for k in 0..count {
            let view = broadcast::broadcast_to(&operand(k)?, sizes.as_slice(), &mut room).in_role(Argument::In)?;
            Output(out.wrapping_add(k as usize)).write_view(&view);
        }
    })
}

/// The layout that the result of an elementwise operation on `count` operands should have: their common sizes by
/// NumPy's rule, `dtype`, and packed, with the dimensions in the operands' order in memory. One NHWC operand and a bias
/// give NHWC; operands without gaps and with equal strides give these strides; no operands give rank 0. The rule is
/// PyTorch's (TensorIterator). The first operand that tells two dimensions apart decides: the larger |stride| is
/// outside. A stride of 0 and a size of 1 decide nothing; of equal strides the larger size is outside. Two dimensions
/// that no operand tells apart stay row-major, unless one of them changes places with a third.
///
/// NumPy's order='K' differs if operands contradict each other (row-major wins) or have equal strides, and may differ
/// if repeated elements leave a place open. PyTorch differs where it reads strides of dimensions of size 1.
///
/// Arrays: in[count].
///
/// Returns: INVALID_DTYPE; BROADCAST_MISMATCH with operand, dimension and both sizes; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_elementwise_layout(
    count: u32,
    r#in: *const stride_layout,
    dtype: u32,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let operands = read_layouts(count, r#in)?;
        let dtype = Dtype::new(dtype)?;
        Output::new(out, Argument::Out)?.write_made(|out| broadcast::elementwise_layout(operands, dtype, out))
    })
}

/// The view of a layout with these sizes by NumPy's rule (numpy.broadcast_to). The rank may grow, never shrink.
///
/// Arrays: sizes[rank].
///
/// Returns: INVALID_RANK; INVALID_SIZE; BROADCAST_MISMATCH with the dimension and both sizes; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_broadcast_to(
    layout: *const stride_layout,
    rank: u32,
    sizes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        map_layout(layout, out, |layout, out| {
            broadcast::broadcast_to(layout, ranked(sizes, rank, Argument::Sizes)?, out)
        })
    })
}
