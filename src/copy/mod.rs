//! Copies: any layout to any layout of equal sizes, in four stages.
//!
//! ```text
//! layouts ──> problem ──────────> plan ─────────────> execute ──────────> kernels
//!             loops in bytes,     kernel and loop     bounds, overlap,    innermost two
//!             normalised          order               parts, odometer     loops
//! ```
//!
//! [`problem`] forgets everything but `{count, dst step, src step}` loops over elements of so many bytes and brings them
//! into one normal form: loops that together are one loop become one, a run that is contiguous on both sides becomes a
//! wider element. [`plan`] looks at the fastest loops and picks a kernel (`choose`). [`execute`] proves, from the loops
//! themselves, that every byte lies in the two buffers named, decides whether they share bytes, and walks. [`kernels`]
//! know widths and steps, never dtypes. [`classify`] and [`regions`] tell what a copy consists of to callers that move it
//! themselves.
//!
//! The first two stages are safe code and touch no memory of the caller; a plan holds no address.

pub mod bits;
pub(crate) mod boxes;
pub(crate) mod choose;
pub mod classify;
pub(crate) mod effort;
pub mod execute;
pub mod kernels;
pub mod loops;
pub mod nest;
pub mod options;
pub mod plan;
pub mod problem;
pub mod regions;
pub mod shortcut;
pub mod tiled;
pub mod words;

pub use options::Options;
pub use plan::Plan;
