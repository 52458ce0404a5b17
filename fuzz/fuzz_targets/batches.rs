//! One plan at many places against the naive loop for each: the cases of `tests/batch.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/batch.rs"]
mod batch;

use batch::common; // its macro names it from the root

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    batch::any_bytes(bytes);
});
