//! Blocked formats and their tags: the cases of `tests/tags.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/tags.rs"]
mod tags;

use tags::common; // its macro names it from the root

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    tags::any_bytes(bytes);
});
