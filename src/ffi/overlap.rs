//! Overlap
//!
//! To decide whether two indices mean the same memory is NP-hard in general. The functions below decide it at once for
//! all ordinary layouts, and by an exact search with a budget for the rest: UNDECIDED means that the budget ended
//! first. A budget of 0 is the default, 4096 steps; a step takes some hundreds of nanoseconds. With any budget, two
//! more cases may be UNDECIDED: layouts that reach 2^61 bytes and more, and elements below a byte in
//! `stride_layouts_overlap` (detail BIT_ORDERS).
//!
//! Example: the red and the green channel of one image of three interleaved bytes share nothing.
//!
//!   int64_t sizes[1] = {100}, strides[1] = {3};
//!   stride_layout channel;
//!   uint32_t overlap;
//!   stride_layout_init(&channel, STRIDE_DTYPE_U8, 1, sizes, strides, NULL);
//!   stride_layouts_overlap(&channel, 4096, &channel, 4097, 0, &overlap, NULL);
//!   assert(overlap == 0);

use super::layout::{ask_layout, ask_layouts, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, ForArgument};

/// `*answer` becomes 1 if two different indices of the layout mean the same element, else 0. With strides {3,4}, the
/// indices of sizes {4,4} are distinct, those of {5,4} are not.
///
/// Returns: UNDECIDED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_self_overlap(
    layout: *const stride_layout,
    budget: u64,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        ask_layout(layout, answer, Argument::Answer, |layout| {
            layout.self_overlap(budget).map(u32::from).for_argument(Argument::Layout)
        })
    })
}

/// `*answer` becomes 1 if any bit belongs to an element of both layouts, with their base pointers at these addresses
/// (in bytes), else 0. Two channels of one interleaved image do not overlap, nor do two 4-bit elements of one byte.
///
/// Returns: UNDECIDED, also if only one side is HIGH_FIRST and some byte holds elements below a byte of both, or if too
/// many of their strides are not whole bytes to check that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layouts_overlap(
    lhs: *const stride_layout,
    lhs_address: u64,
    rhs: *const stride_layout,
    rhs_address: u64,
    budget: u64,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        ask_layouts(lhs, rhs, answer, |lhs, rhs| {
            lhs.overlaps(lhs_address, rhs, rhs_address, budget).for_argument(Argument::Rhs)
        })
    })
}
