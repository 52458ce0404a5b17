//! Composition, inverse, tiles and common runs against their meaning: the cases of `tests/composition.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/composition.rs"]
mod composition;

use composition::common; // its macro names it from the root

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    composition::any_bytes(bytes);
});
