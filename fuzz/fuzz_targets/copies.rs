//! Copies by each instruction set and treatment of the caches, fills, comparisons, copies inside one buffer, against
//! the naive loop: the cases of `tests/differential.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/differential.rs"]
mod differential;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    differential::any_bytes(bytes);
});
