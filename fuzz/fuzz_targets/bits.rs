//! Copies of elements below a byte against the naive loop: the cases of `tests/bits`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/bits/main.rs"]
mod bits;

use bits::common; // its macro names it from the root

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    bits::any_bytes(bytes);
});
