//! Structs of DLPack, Python, DirectML and ggml as anybody may fill them in: the cases of `tests/foreign.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/foreign.rs"]
mod foreign;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    foreign::any_bytes(bytes);
});
