//! XLA: shapes with layouts.
//!
//! [`shape`] is the value and its arithmetic (order, padding, sizes, positions), [`tiles`] cut its buffer, [`text`] is its text form, [`padding`] the
//! bytes that padding consists of. XLA describes permuted, padded dense buffers: it has no offset, no zero or negative
//! stride. So every shape is a layout, and a layout is a shape only sometimes.
//!
//! [`rearrange`] makes a shape of a shape, [`bitcast`] and [`decompose`] say what two shapes of the same buffer have to do with
//! each other, [`equal`] compares them, [`broadcast`] is the shape of a binary operation.
//!
//! Sources: xla/layout.h, layout_util.cc, shape_util.cc, index_util.h of openxla/xla; the page "Shapes and layout" for
//! padding, which XLA's code no longer has.

pub mod bitcast;
pub mod broadcast;
pub mod decompose;
pub mod equal;
pub mod padding;
pub mod rearrange;
pub mod shape;
pub mod text;
pub mod tiles;

pub use padding::PaddingKind;
pub use shape::Shape;
pub use tiles::Tiles;
