//! Plans and layouts that anybody may have written, between pages that may not be touched: the cases of
//! `tests/memory.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/memory.rs"]
mod memory;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    memory::any_bytes(bytes);
});
