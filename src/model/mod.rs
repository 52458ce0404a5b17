//! The hub: what a layout is and every question about one layout or a pair.
//!
//! Reading order: [`dtype`] (how wide an element is), `arith` (the only place where outside numbers are combined),
//! [`layout`] (the value everything else takes), [`build`] and `gaps` (layouts from sizes), [`formats`] (which orders
//! hold), [`facts`] (fit, packed runs, alignment), `dim_order` (orders that strides alone do not determine),
//! [`overlap`] (whether two indices meet), `places` (which index lies at an offset), `index_map` (positions by
//! divisions), `owned` ([`LayoutBuf`] and [`Layout`] side by side), `size` (sizes as a caller has them).

pub(crate) mod arith;
pub mod build;
mod dim_order;
pub mod dtype;
pub mod facts;
pub(crate) mod fixed;
pub mod formats;
mod gaps;
pub(crate) mod index_map;
pub mod layout;
pub mod overlap;
mod owned;
mod places;
pub(crate) mod size;

pub use build::{LayoutBuf, LayoutStorage};
pub use dtype::Dtype;
pub(crate) use dtype::whole_bytes;
pub use layout::Layout;
pub use owned::AsLayout;
pub use size::Size;

/// The highest rank of a layout (NumPy's limit too).
pub const MAX_RANK: usize = 64;
