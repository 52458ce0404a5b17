//! Any bytes as the text of an XLA shape: `tests/xla_text.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/xla_text.rs"]
mod xla_text;

use xla_text::common; // its macro names it from the root

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    xla_text::any_bytes(bytes);
});
