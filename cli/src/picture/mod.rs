//! Pictures of memory: SVG, and blocks in a terminal.
//!
//! `memory` says what lies at each place of a buffer, `sheet` puts the places into rows so that structure shows,
//! `colour` has a colour for each element. `terminal` draws with text, `vector` with SVG: a `panel` for each tensor, of
//! pieces from `markup`.

pub mod colour;
pub mod markup;
mod memory;
mod panel;
mod sheet;
mod terminal;
mod vector;

pub use terminal::blocks;
pub use vector::svg;
