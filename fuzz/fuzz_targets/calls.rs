//! Sequences of C calls with lists and numbers of anybody: the cases of `tests/calls.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/calls.rs"]
mod calls;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    calls::any_bytes(bytes);
});
