//! One group per kind of copy, each case beside memcpy of the same bytes, a copy past the cache and the naive loop, in
//! the same run.
//!
//! `make bench-criterion` runs all, with `ARGS=transpose` a kind, with `ARGS=--quick` for a short time. Figures are
//! worth something as ratios within one run. This is for work on one kernel; the table of all cases, with several
//! places of the buffers and with peers, is `make bench-table`.

#[path = "../cases/mod.rs"]
mod cases;
#[path = "../../tests/oracle/mod.rs"]
mod oracle;

use cases::Case;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use oracle::{Side, bytes_dtype};
use std::hint::black_box;
use std::ptr::{null, null_mut};
use stride::ffi::copy::stride_copy;
use stride::ffi::plan::{stride_plan, stride_plan_execute, stride_plan_init};

/// The loops that anybody would write: nested over the dimensions, one element of a fixed width at a time.
///
/// # Safety
/// Every element of both sides of the case may be accessed from these pointers.
unsafe fn naive(dst: *mut u8, src: *const u8, case: &Case) {
    unsafe fn walk<T: Copy>(dst: *mut T, src: *const T, dimensions: &[(i64, i64, i64)]) {
        // SAFETY: as promised to `naive`.
        unsafe {
            match dimensions {
                [] => *dst = *src,
                &[(size, to, from)] => (0..size as isize).for_each(|i| {
                    *dst.offset(i * to as isize) = *src.offset(i * from as isize);
                }),
                &[(size, to, from), ref inner @ ..] => (0..size as isize).for_each(|i| {
                    walk(dst.offset(i * to as isize), src.offset(i * from as isize), inner);
                }),
            }
        }
    }
    let sides = case.sizes.iter().zip(case.dst.iter().zip(&case.src));
    let dimensions: Vec<(i64, i64, i64)> = sides.map(|(&size, (&to, &from))| (size, to, from)).collect();
    // SAFETY: as promised to this function; arrays of bytes need no alignment.
    unsafe {
        match case.width {
            1 => walk::<u8>(dst, src, &dimensions),
            2 => walk::<[u8; 2]>(dst.cast(), src.cast(), &dimensions),
            3 => walk::<[u8; 3]>(dst.cast(), src.cast(), &dimensions),
            4 => walk::<[u8; 4]>(dst.cast(), src.cast(), &dimensions),
            8 => walk::<[u8; 8]>(dst.cast(), src.cast(), &dimensions),
            12 => walk::<[u8; 12]>(dst.cast(), src.cast(), &dimensions),
            16 => walk::<[u8; 16]>(dst.cast(), src.cast(), &dimensions),
            other => panic!("the naive loop knows no elements of {other} bytes"),
        }
    }
}

/// memcpy with stores that go past the cache.
///
/// # Safety
/// `bytes` bytes may be read and written; the sides share none.
#[cfg(target_arch = "x86_64")]
unsafe fn stream(dst: *mut u8, src: *const u8, bytes: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    let head = dst.align_offset(16).min(bytes);
    let body = (bytes - head) / 16 * 16;
    // SAFETY: head, body and rest are within `bytes`; the body begins at a multiple of 16; SSE2 is part of x86-64.
    unsafe {
        dst.copy_from_nonoverlapping(src, head);
        for at in (head..head + body).step_by(16) {
            _mm_stream_si128(dst.add(at).cast::<__m128i>(), _mm_loadu_si128(src.add(at).cast::<__m128i>()));
        }
        dst.add(head + body).copy_from_nonoverlapping(src.add(head + body), bytes - head - body);
        _mm_sfence();
    }
}

fn bench(c: &mut Criterion) {
    let mut kinds = Vec::new();
    for case in cases::up_to(4 << 20) {
        if !kinds.contains(&case.kind) {
            kinds.push(case.kind);
        }
    }
    for kind in kinds {
        let mut group = c.benchmark_group(kind);
        for case in cases::up_to(4 << 20).into_iter().filter(|case| case.kind == kind) {
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
            #[cfg(target_arch = "x86_64")]
            group.bench_function(format!("{}/stream", case.name), |b| {
                // SAFETY: both allocations hold `case.bytes()` bytes.
                b.iter(|| unsafe { stream(black_box(to), black_box(from), case.bytes()) });
            });
            let first = |side: &Side| side.offset as usize * case.width;
            let (to, from) = (to.wrapping_add(first(&dst_side)), from.wrapping_add(first(&src_side)));
            group.bench_function(format!("{}/naive", case.name), |b| {
                // SAFETY: the allocations hold every element.
                b.iter(|| unsafe { naive(black_box(to), black_box(from), &case) });
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
