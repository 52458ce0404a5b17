//! The vocabularies: how other systems write down a layout.
//!
//! Each file converts into [`Layout`](crate::model::Layout) and back, and holds the rules that are that system's own.
//! [`requirements`] has what those systems ask of a layout that need no form of their own: numbers.
//! Nothing else is written in a foreign vocabulary: an operation exists once, on the hub.

pub mod blocks;
pub mod dlpack;
pub mod dml;
pub mod ggml;
pub mod images;
pub mod py_buffer;
pub mod requirements;
pub mod xla;
