//! Each named case of the bench, one call, against the naive loop: what is measured is right.
#![cfg(not(miri))] // millions of elements

#[path = "../benches/cases/mod.rs"]
mod cases;
mod oracle;

use oracle::{Random, Side, bytes_dtype};
use stride::ffi::copy::stride_copy;

#[test]
fn every_case_of_the_bench_equals_the_naive_loop() {
    let mut random = Random::new(5);
    let mut names = std::collections::HashSet::new();
    for case in cases::up_to(4 << 20) {
        assert!(names.insert((case.kind, case.name.clone())), "{} twice", case.name);
        let (dst, src) = (Side::new(&case.sizes, &case.dst, 0), Side::new(&case.sizes, &case.src, 0));
        let memory = random.bytes(src.extent() as usize * case.width);
        let mut copied = vec![0xA5u8; dst.extent() as usize * case.width];
        let mut expected = copied.clone();
        oracle::copy(&mut expected, &dst, &memory, &src, case.width);
        let dtype = bytes_dtype(case.width);
        // SAFETY: both allocations are as long as their lengths say.
        let status = unsafe {
            let (to, to_bytes) = (copied.as_mut_ptr().cast(), copied.len() as u64);
            let (from, from_bytes) = (memory.as_ptr().cast(), memory.len() as u64);
            let null = std::ptr::null_mut();
            stride_copy(&dst.layout(dtype), to, to_bytes, &src.layout(dtype), from, from_bytes, std::ptr::null(), null)
        };
        assert_eq!(status, 0, "{case:?}");
        assert!(copied == expected, "{} {}", case.kind, case.name);
    }
}
