//! The rules for edge cases, one after the other, and the bugs of other libraries that they prevent.
//!
//! Expected numbers come from the documentation of the source named beside them, or are computed by hand there.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod boundary;
mod broadcasting;
mod copies;
mod degenerate;
mod directml;
mod limits;
mod overlaps;
mod strides_and_bytes;
mod views;
mod xla;

use common::*;
use std::slice::from_ref;

const U4: u32 = Dtype::U4.code();
const U8: u32 = Dtype::U8.code();
const F32: u32 = Dtype::F32.code();
const PACKED: u32 = STRIDE_FORMAT_PACKED;
const COLUMN_MAJOR: u32 = STRIDE_FORMAT_COLUMN_MAJOR;
const DENSE: u32 = STRIDE_FORMAT_DENSE;
const CHANNELS_LAST: u32 = STRIDE_FORMAT_CHANNELS_LAST;

fn counted(count: usize) -> Vec<u8> {
    (0..count).map(|k| k as u8).collect()
}
