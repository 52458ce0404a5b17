//! The vocabularies: how other systems write down a layout.
//!
//! Each file converts to [`Layout`](crate::model::Layout) and back, and holds the rules that are that system's own.
//! [`requirements`] has what those systems ask of a layout whose only form is numbers. Everything else is written once,
//! on the hub, in no foreign vocabulary.

/// A method for each of these fields, by its name, that sets it.
macro_rules! setters {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub const fn $field(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            }
        )*
    };
}

pub mod blocks;
pub mod dlpack;
pub mod dml;
pub mod ggml;
pub mod images;
pub mod py_buffer;
mod reader;
pub mod requirements;
pub(crate) mod text;
pub mod xla;
