//! One group per kind of copy, each case beside memcpy of the same bytes and the naive loop, in the same run.
//!
//! `cargo bench` runs all; `cargo bench -- "transpose"` a kind; `cargo bench -- --quick` a smoke run. Figures are worth
//! something as ratios within one run.

#[path = "../benches/cases/mod.rs"]
mod cases;
#[path = "../tests/oracle/mod.rs"]
mod oracle;

use cases::Case;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use oracle::{Side, bytes_dtype};
use std::hint::black_box;
use std::ptr::{null, null_mut};
use stride::ffi::copy::{stride_copy, stride_plan, stride_plan_execute, stride_plan_init};

/// The naive loop as a compiler sees it: nested loops over elements of a fixed width.
fn naive(dst: &mut [u8], src: &[u8], case: &Case, sides: (i64, i64)) {
    fn walk<const N: usize>(dst: &mut [u8], src: &[u8], case: &Case, d: usize, at: (i64, i64)) {
        match case.sizes.get(d) {
            None => {
                let (to, from) = (at.0 as usize * N, at.1 as usize * N);
                dst[to..to + N].copy_from_slice(&src[from..from + N]);
            }
            Some(&size) => {
                for i in 0..size {
                    walk::<N>(dst, src, case, d + 1, (at.0 + i * case.dst[d], at.1 + i * case.src[d]));
                }
            }
        }
    }
    match case.width {
        1 => walk::<1>(dst, src, case, 0, sides),
        2 => walk::<2>(dst, src, case, 0, sides),
        4 => walk::<4>(dst, src, case, 0, sides),
        8 => walk::<8>(dst, src, case, 0, sides),
        12 => walk::<12>(dst, src, case, 0, sides),
        16 => walk::<16>(dst, src, case, 0, sides),
        other => panic!("the naive loop knows no elements of {other} bytes"),
    }
}

fn bench(c: &mut Criterion) {
    let mut kinds = Vec::new();
    for case in cases::all() {
        if !kinds.contains(&case.kind) {
            kinds.push(case.kind);
        }
    }
    for kind in kinds {
        let mut group = c.benchmark_group(kind);
        for case in cases::all().into_iter().filter(|case| case.kind == kind) {
            let (dst_side, src_side) = (Side::new(&case.sizes, &case.dst, 0), Side::new(&case.sizes, &case.src, 0));
            let dtype = bytes_dtype(case.width);
            let (dst_layout, src_layout) = (dst_side.layout(dtype), src_side.layout(dtype));
            // memcpy needs as many bytes on either side as the copy moves.
            let src = vec![1u8; (src_side.extent() as usize * case.width).max(case.bytes())];
            let mut dst = vec![0u8; (dst_side.extent() as usize * case.width).max(case.bytes())];
            let (to, to_bytes) = (dst.as_mut_ptr(), dst.len() as u64);
            let (from, from_bytes) = (src.as_ptr(), src.len() as u64);
            let mut plan = stride_plan { words: [0; 512] };
            // SAFETY: plain structs.
            assert_eq!(unsafe { stride_plan_init(&mut plan, &dst_layout, &src_layout, null(), null_mut()) }, 0);
            group.throughput(Throughput::Bytes(2 * case.bytes() as u64));
            group.bench_function(format!("{}/planned", case.name), |b| {
                b.iter(|| {
                    let (plan, error) = (black_box(&plan), null_mut());
                    // SAFETY: the allocations are as long as the lengths say.
                    unsafe { stride_plan_execute(plan, to.cast(), to_bytes, from.cast(), from_bytes, error) }
                });
            });
            group.bench_function(format!("{}/one call", case.name), |b| {
                b.iter(|| {
                    let (d, s, error) = (black_box(&dst_layout), black_box(&src_layout), null_mut());
                    // SAFETY: the allocations are as long as the lengths say.
                    unsafe { stride_copy(d, to.cast(), to_bytes, s, from.cast(), from_bytes, null(), error) }
                });
            });
            group.bench_function(format!("{}/memcpy", case.name), |b| {
                // SAFETY: both allocations hold `case.bytes()` bytes.
                b.iter(|| unsafe { libc::memcpy(to.cast(), black_box(from).cast(), case.bytes()) });
            });
            group.bench_function(format!("{}/naive", case.name), |b| {
                b.iter(|| naive(black_box(&mut dst), black_box(&src), &case, (dst_side.offset, src_side.offset)));
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = copies;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(600))
        .sample_size(20);
    targets = bench
}
criterion_main!(copies);
