//! Copies by each instruction set and treatment of the caches, fills, comparisons, copies inside one buffer, against the naive
//! loop: the cases of `tests/differential.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/differential.rs"]
mod differential;

use differential::Random;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let random = &mut Random::steered(bytes);
    match random.below(4) {
        0 => differential::fill_and_compare(random),
        1 => differential::copy_inside_one_buffer(random, &mut [0; 5]),
        _ => {
            let level = random.pick(&differential::levels());
            let memory = random.below(7) as u64;
            differential::copy_of_level(random, level, memory);
        }
    }
});
