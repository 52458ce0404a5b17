//! Copies between tiled shapes and layouts against the naive loop: the cases of `tests/relayout.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/relayout.rs"]
mod relayout;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    relayout::any_bytes(bytes);
});
