//! The vocabularies: how other systems write down a layout.
//!
//! Each file converts to [`Layout`](crate::model::Layout) and back, and holds the rules that are that system's own.
//! [`requirements`] has what those systems ask of a layout whose only form is numbers. Everything else is written once,
//! on the hub, in no foreign vocabulary.

pub mod blocks;
pub mod dlpack;
pub mod dml;
pub mod ggml;
pub mod images;
pub mod py_buffer;
pub mod requirements;
pub mod xla;
