//! Copies: any layout to any layout of equal sizes, in four stages.
//!
//! ```text
//! layouts ──> problem ──────────> plan ─────────────> execute ──────────> kernels
//!             loops in bytes,     kernel and loop     bounds, overlap,    innermost two
//!             normalised          order               parts, odometer     loops
//! ```
//!
//! [`problem`] reduces a copy to `{count, dst step, src step}` loops over elements of one width and brings them into
//! one normal form: loops that together are one loop become one, a run that is contiguous on both sides becomes a wider
//! element. [`plan`] looks at the fastest loops and picks a kernel (`choose`). [`execute`] proves from the loops
//! themselves that every byte lies in the two buffers named, decides whether they share bytes, and walks. [`kernels`]
//! know widths and steps, and no dtypes but those of a conversion.
//!
//! The first two stages are safe code and touch no memory of the caller; a plan holds no address.
//!
//! All of this is the engine, which may change with every version. Rust code calls it by [`slices`](crate::slices).

pub(crate) mod choose;
#[doc(hidden)]
pub mod conversion;
#[doc(hidden)]
pub mod converting;
mod describe;
#[allow(unsafe_code)]
#[doc(hidden)]
pub mod execute;
#[allow(unsafe_code)]
#[doc(hidden)]
pub mod kernels;
#[allow(unsafe_code)]
mod lent;
#[doc(hidden)]
pub mod loops;
#[doc(hidden)]
pub mod nest;
pub mod options;
mod part;
mod part_of_bits;
#[doc(hidden)]
pub mod plan;
mod plan_words;
mod planned;
#[doc(hidden)]
pub mod problem;
#[doc(hidden)]
pub mod relayout;
#[doc(hidden)]
pub mod shortcut;
mod time_bound;
#[doc(hidden)]
pub mod words;

pub use options::Options;
#[doc(hidden)]
pub use plan::Plan;
