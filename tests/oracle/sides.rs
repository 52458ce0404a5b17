//! The C structs of sides, made by the library. A side borrows what it points to, so that has to live as long.

use std::ptr::{from_ref, null_mut};
use stride::ffi::blocked_layout::stride_blocked;
use stride::ffi::layout::stride_layout;
use stride::ffi::sides::*;
use stride::ffi::xla::stride_xla_shape;

/// What a side may be of.
pub trait Object {
    const KIND: u32;
}

impl Object for stride_layout {
    const KIND: u32 = STRIDE_SIDE_LAYOUT;
}

impl Object for stride_xla_shape {
    const KIND: u32 = STRIDE_SIDE_SHAPE;
}

impl Object for stride_blocked {
    const KIND: u32 = STRIDE_SIDE_BLOCKED;
}

/// All of an object.
pub fn side<O: Object>(of: &O) -> stride_side {
    let mut out = super::zeroed();
    // SAFETY: `out` is ours; no error record is asked for.
    let status = unsafe { stride_side_init(&mut out, O::KIND, from_ref(of).cast(), null_mut()) };
    assert_eq!(status, 0);
    out
}

/// A side whose indices along one dimension more are those of runs.
pub fn through(mut side: stride_side, dimension: usize, runs: &[stride_index_run]) -> stride_side {
    let (dimension, count) = (dimension as u32, runs.len() as u32);
    // SAFETY: as many runs as are named.
    let status = unsafe { stride_side_set_runs(&mut side, dimension, count, runs.as_ptr(), null_mut()) };
    assert_eq!(status, 0);
    side
}

/// A side of which so many elements are seen, in row-major order.
pub fn range(mut side: stride_side, first: i64, count: i64) -> stride_side {
    // SAFETY: a side of ours.
    let status = unsafe { stride_side_set_range(&mut side, first, count, null_mut()) };
    assert_eq!(status, 0);
    side
}

/// Single indices as runs; −1 is the fill value.
pub fn list(indices: &[i64]) -> Vec<stride_index_run> {
    indices.iter().map(|&first| run(first, 1, 1)).collect()
}

/// `count` indices from `first` on, `step` apart.
pub fn run(first: i64, step: i64, count: i64) -> stride_index_run {
    stride_index_run { first, step, count }
}
