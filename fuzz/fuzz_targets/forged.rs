//! Plans and layouts that anybody may have written, between pages that may not be touched: the cases of `tests/memory.rs`.
#![no_main]
#![allow(dead_code, unused_imports)] // of the tests, which are not compiled here

#[path = "../../tests/memory.rs"]
mod memory;

use memory::guarded::Guarded;
use std::cell::RefCell;

thread_local! {
    static PAGES: RefCell<([Guarded; 2], [Guarded; 2])> =
        RefCell::new(([4096, 4096].map(Guarded::new), [1 << 18, 1 << 18].map(Guarded::new)));
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let random = &mut memory::Random::steered(bytes);
    PAGES.with_borrow_mut(|(few, many)| match random.below(4) {
        0 => drop(memory::forged_layouts(random, &mut [0x11; 4096])),
        1 => drop(memory::forged_plan_of_a_matrix(random, many)),
        _ => drop(memory::forged_plan(random, few)),
    });
});
