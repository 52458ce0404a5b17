//! XLA: shapes with layouts.
//!
//! [`shape`] is the value (order, padding, storage), [`tiles`] cut its buffer by the rule of `tiling`, [`buffer`] has
//! the lengths and positions that follow, [`text`] the text form, [`padding`] the bytes of the padding, [`pjrt`] the
//! form that PJRT passes. XLA describes permuted, padded, tiled dense buffers: it has no offset, no zero or negative
//! stride. So a shape whose tiles move nothing is a layout, and a layout is a shape only sometimes.
//!
//! [`rearrange`] makes a shape from a shape, [`bitcast`] and [`decompose`] relate two shapes of the same buffer,
//! [`equal`] compares them, [`broadcast`] is the shape of a binary operation. [`blocked`] has the formats of
//! deep-learning libraries, [`tag`] their names.
//!
//! Sources: xla/layout.h, layout_util.cc, shape_util.cc, index_util.h of openxla/xla; the page "Shapes and layout" for
//! padding, which XLA's code no longer has.

pub mod bitcast;
pub mod blocked;
pub mod broadcast;
pub mod buffer;
mod cuts;
pub mod decompose;
pub mod equal;
mod numbering;
pub mod padding;
pub mod pjrt;
pub mod rearrange;
pub mod shape;
pub mod tag;
pub mod text;
pub mod tiles;
mod tiling;
mod tries;

pub use blocked::Blocked;
pub use padding::PaddingKind;
pub use shape::Shape;
pub use tiles::Tiles;
