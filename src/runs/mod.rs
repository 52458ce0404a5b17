//! Your own kernel over several operands: one loop nest for all of them, as few loops as possible, walked run by run.
//!
//! `dst[i] = a[i] + b[i] + c[i]` over operands of any layout is r nested loops. Usually fewer suffice: two dimensions
//! that are one step in *every* operand are one loop, and a dimension of size 1 is none. The fastest of the remaining
//! loops is the caller's, as a *run*: `elements` steps of a fixed number of bytes for each operand. The others are an
//! odometer.
//!
//! ```text
//! sizes {2, 3, 4, 5}       dst packed    60 20 5 1         {24, 5}       5 1
//!                          a   packed    60 20 5 1    →                  5 1       24 runs of 5 elements
//!                          b   a row      0  0 0 1                       0 1
//! ```
//!
//! NumPy's nditer and PyTorch's TensorIterator do this inside an engine; here it is two values. `joint.rs` finds the
//! loops ([`Joint`]), `choice.rs` says which is the run, `iterator.rs` walks them ([`Runs`]) and cuts the rest of the
//! walk into parts. In Rust, [`over()`] does both: a Rust iterator, whose runs are places in slices.
//!
//! The set of tuples (offset in operand 0, offset in operand 1, …) that indices reach is kept, each tuple as often as
//! before. Their order, and the index of each, are not kept.

mod choice;
mod iterator;
mod joint;
mod over;

#[doc(hidden)] // as they lie in C's memory
pub use iterator::{Header, Level, Runs, RunsMut, RunsView, levels_in_use};
#[doc(hidden)]
pub use joint::Joint;
pub use over::{Over, Run, over};

/// The most operands.
pub const OPERANDS: usize = 8;

/// The levels that an iterator of 512 words has room for.
#[doc(hidden)]
pub const LEVELS: usize = 48;
