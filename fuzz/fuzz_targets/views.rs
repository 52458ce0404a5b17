//! Layouts of anybody, broadcasts, chains of views against what they mean: the cases of `tests/views.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/views.rs"]
mod views;

use views::common; // its macro names it from the root

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    views::any_bytes(bytes);
});
