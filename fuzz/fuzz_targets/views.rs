//! Layouts of anybody, broadcasts, chains of views against what they mean: the cases of `tests/views.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/views.rs"]
mod views;

use views::common; // its macro names it from the root

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let random = &mut views::Random::steered(bytes);
    match random.below(4) {
        0 => drop(views::layout_of_anybody(random)),
        1 => drop(views::broadcast_of_anybody(random)),
        _ => drop(views::chain_of_views(random, &mut 0)),
    }
});
