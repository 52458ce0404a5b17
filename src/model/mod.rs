//! The hub: what a layout is and every question about one layout or a pair.
//!
//! Reading order: [`dtype`] (how wide an element is), `arith` (the only place where outside numbers are combined),
//! [`layout`] (the value everything else takes), [`build`] (layouts from sizes), [`formats`] (which orders hold),
//! [`overlap`] (whether two indices meet).

pub(crate) mod arith;
pub mod build;
pub mod dtype;
pub(crate) mod fixed;
pub mod formats;
pub mod layout;
pub mod overlap;

pub use build::LayoutBuf;
pub use dtype::Dtype;
pub use layout::Layout;

/// The highest rank of a layout (NumPy's limit too).
pub const MAX_RANK: usize = 64;
