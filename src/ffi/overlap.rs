//! Overlap
//!
//! Whether two indices mean the same memory is NP-hard in general. The questions below are decided at once for all
//! ordinary layouts, and by an exact search with a work budget for the rest: UNDECIDED means that the budget ended first.
//! A budget of 0 is a sensible default, well below a millisecond.
#![allow(non_camel_case_types)]

use super::layout::stride_layout;
use super::status::{stride_error, stride_status};
use super::{Output, read_layout, report};
use crate::error::Argument;

/// `*answer` becomes 1 if two different indices of the layout mean the same element, else 0. Sizes {4,4} with strides {3,4}
/// are distinct, sizes {5,4} with the same strides are not.
///
/// Returns: NULL_POINTER; UNDECIDED.
///
/// # Safety
/// `layout` and `answer` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_self_overlap(
    layout: *const stride_layout,
    budget: u64,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let answer = Output::new(answer, Argument::Out)?;
            answer.write(layout.self_overlap(budget).map_err(|e| e.argument(Argument::Layout))?.into());
            Ok(())
        })
    }
}

/// `*answer` becomes 1 if any bit belongs to an element of both layouts, with their base pointers at these addresses (in
/// bytes), else 0. Two channels of one interleaved image do not overlap, nor do two 4-bit elements of one byte.
///
/// Returns: NULL_POINTER; UNDECIDED, also for elements below a byte in one byte if only one side is HIGH_FIRST.
///
/// # Safety
/// `lhs`, `rhs` and `answer` valid or NULL. The addresses are only numbers.
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
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let (lhs, rhs) = (read_layout(lhs, Argument::Lhs)?, read_layout(rhs, Argument::Rhs)?);
            let answer = Output::new(answer, Argument::Out)?;
            answer.write(lhs.overlaps(lhs_address, &rhs, rhs_address, budget)?.into());
            Ok(())
        })
    }
}
