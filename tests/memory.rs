//! Memory that must not be touched: guard pages at both ends of every buffer, forged structs and plans, and the heap.
#![cfg(unix)]

pub mod guarded;
mod oracle;

use guarded::Guarded;
pub use oracle::Random;
use oracle::sides::{self, side};
use oracle::{DEFAULTS, NO_ERROR, Side, bytes_dtype};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};
use stride::copy::kernels::{Family, KERNELS, hints};
use stride::copy::words::{CHUNK, HEADER, HINTS, KERNEL, STORE, kind_in_use};
use stride::error::{Argument, Status};
use stride::ffi::copy::*;
use stride::ffi::layout::{stride_layout, stride_layout_init};
use stride::ffi::plan::*;
use stride::ffi::sides::*;
use stride::machine::Level;
use stride::model::Dtype;

/// Counts what this thread asks of the heap.
struct Counting;

thread_local! {
    static ALLOCATIONS: AtomicU64 = const { AtomicU64::new(0) };
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.fetch_add(1, Ordering::Relaxed));
        // SAFETY: as promised to this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as promised to this function.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

fn allocations() -> u64 {
    ALLOCATIONS.with(|count| count.load(Ordering::Relaxed))
}

/// Lists that lie in the output, or reach into it from either end, are read before it is written.
#[test]
fn lists_may_lie_in_the_output() {
    const WORDS: usize = size_of::<stride_layout>() / 8;
    let (sizes, strides) = ([2i64, 3, 4, 5], [60i64, 20, 5, 1]);
    for at in 0..WORDS + 12 {
        for first_is_sizes in [true, false] {
            let mut memory = [-1i64; WORDS + 16];
            let (inside, outside) = if first_is_sizes { (&sizes, &strides) } else { (&strides, &sizes) };
            memory[at..at + 4].copy_from_slice(inside);
            let base = memory.as_mut_ptr();
            let (out, list) = (base.wrapping_add(6).cast::<stride_layout>(), base.wrapping_add(at).cast_const());
            let (sizes_at, strides_at) =
                if first_is_sizes { (list, outside.as_ptr()) } else { (outside.as_ptr(), list) };
            // SAFETY: a struct and a list in one array; another list.
            let status = unsafe { stride_layout_init(out, 0x8000_0004, 4, sizes_at, strides_at, std::ptr::null_mut()) };
            // SAFETY: as above.
            let made = unsafe { &*out };
            assert_eq!((status, made.rank, made.offset), (0, 4, 0), "{at}");
            assert_eq!((&made.sizes[..4], &made.strides[..4]), (&sizes[..], &strides[..]), "{at}");
        }
    }
    // Each list where the other one goes.
    let mut memory = [-1i64; WORDS];
    let out = memory.as_mut_ptr().cast::<stride_layout>();
    // SAFETY: the struct's own arrays; no reference lives while it is written.
    let made = unsafe {
        let (sizes_at, strides_at) = ((&raw mut (*out).strides).cast::<i64>(), (&raw mut (*out).sizes).cast::<i64>());
        sizes_at.cast::<[i64; 4]>().write(sizes);
        strides_at.cast::<[i64; 4]>().write(strides);
        assert_eq!(stride_layout_init(out, 0x8000_0004, 4, sizes_at, strides_at, std::ptr::null_mut()), 0);
        &*out
    };
    assert_eq!((&made.sizes[..4], &made.strides[..4]), (&sizes[..], &strides[..]));
}

#[test]
#[cfg_attr(miri, ignore = "a process of its own, and pages")]
fn the_guard_bites() {
    if std::env::var_os("STRIDE_TOUCH_THE_GUARD").is_some() {
        let mut guarded = Guarded::new(100);
        let end = guarded.buffer(1, true).as_mut_ptr().wrapping_add(1);
        // SAFETY: none; this is meant to end the process.
        unsafe { end.write_volatile(1) };
        return;
    }
    use std::os::unix::process::ExitStatusExt;
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "the_guard_bites", "--nocapture"]).env("STRIDE_TOUCH_THE_GUARD", "1");
    let status = child.output().unwrap().status;
    assert!(matches!(status.signal(), Some(libc::SIGSEGV | libc::SIGBUS)), "{status:?}"); // the other on macOS
}

#[test]
fn copies_between_unreadable_pages() {
    let mut random = Random::new(7);
    let (mut dst_pages, mut src_pages) = (Guarded::new(1 << 18), Guarded::new(1 << 18));
    for number in 0..oracle::times(20_000) {
        let sizes = oracle::random_sizes(&mut random);
        let width = random.pick(&[1, 2, 3, 4, 6, 8, 12, 16, 17, 40]);
        let dst = Side::new(&sizes, &oracle::distinct_strides(&mut random, &sizes), 0);
        let src = Side::new(&sizes, &oracle::source_strides(&mut random, &sizes), 0);
        let (dst_bytes, src_bytes) = (dst.extent() as usize * width, src.extent() as usize * width);
        if dst_bytes.max(src_bytes) > 1 << 18 {
            continue;
        }
        let (dst_end, src_end) = (random.one_in(2), random.one_in(2));
        let src_buffer = src_pages.buffer(src_bytes, src_end);
        src_buffer.copy_from_slice(&random.bytes(src_bytes));
        let dst_buffer = dst_pages.buffer(dst_bytes, dst_end);
        dst_buffer.copy_from_slice(&random.bytes(dst_bytes));
        let mut expected = dst_buffer.to_vec();
        let flags = if random.one_in(4) { STRIDE_COPY_FILL_BUFFER } else { 0 };
        if flags != 0 {
            oracle::fill_rest(&mut expected, &dst, width, &[9; 16]);
        }
        oracle::copy(&mut expected, &dst, src_buffer, &src, width);
        let options = stride_copy_options { flags, fill: [9; 16], ..DEFAULTS };
        let dtype = bytes_dtype(width);
        let (dst_layout, src_layout) = (dst.layout(dtype), src.layout(dtype));
        let before = allocations();
        // SAFETY: the buffers are as long as their lengths say, to the byte.
        let status = unsafe {
            let (to, from) = (dst_buffer.as_mut_ptr().cast(), src_buffer.as_ptr().cast());
            stride_copy(&dst_layout, to, dst_bytes as u64, &src_layout, from, src_bytes as u64, &options, null_mut())
        };
        assert_eq!(allocations(), before, "the library allocated");
        assert_eq!(status, Status::Ok.number(), "case {number}: {dst:?} {src:?} width {width}");
        assert!(dst_buffer == expected, "case {number}: {dst:?} {src:?} width {width}");
    }
}

#[test]
fn comparisons_and_fills_between_unreadable_pages() {
    let mut random = Random::new(11);
    let (mut lhs_pages, mut rhs_pages) = (Guarded::new(1 << 17), Guarded::new(1 << 17));
    for number in 0..oracle::times(10_000) {
        let sizes = oracle::random_sizes(&mut random);
        let width = random.pick(&[1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 40]);
        let lhs = Side::new(&sizes, &oracle::distinct_strides(&mut random, &sizes), 0);
        let rhs = Side::new(&sizes, &oracle::distinct_strides(&mut random, &sizes), 0);
        let (lhs_bytes, rhs_bytes) = (lhs.extent() as usize * width, rhs.extent() as usize * width);
        if lhs_bytes.max(rhs_bytes) > 1 << 17 {
            continue;
        }
        let lhs_buffer = lhs_pages.buffer(lhs_bytes, random.one_in(2));
        let rhs_buffer = rhs_pages.buffer(rhs_bytes, random.one_in(2));
        let (dtype, offsets) = (bytes_dtype(width), lhs.offsets());
        let (lhs_layout, rhs_layout) = (lhs.layout(dtype), rhs.layout(dtype));

        let value = random.bytes(width);
        let mut expected = random.bytes(lhs_bytes);
        lhs_buffer.copy_from_slice(&expected);
        oracle::fill(&mut expected, &lhs, &value);
        // SAFETY: the buffer is as long as its length says, to the byte; one element.
        let status = unsafe {
            let (to, value) = (lhs_buffer.as_mut_ptr().cast(), value.as_ptr().cast());
            stride_fill(&lhs_layout, to, lhs_bytes as u64, value, null_mut())
        };
        assert_eq!(status, Status::Ok.number(), "case {number}: {lhs:?} width {width}");
        assert!(lhs_buffer == expected, "fill, case {number}: {lhs:?} width {width}");

        lhs_buffer.copy_from_slice(&random.bytes(lhs_bytes));
        rhs_buffer.copy_from_slice(&random.bytes(rhs_bytes));
        oracle::copy(rhs_buffer, &rhs, lhs_buffer, &lhs, width);
        let other = if offsets.is_empty() || random.one_in(2) { -1 } else { random.below(offsets.len() as u64) };
        if other >= 0 {
            let byte = offsets[other as usize] as usize * width + random.below(width as u64) as usize;
            lhs_buffer[byte] ^= 0x80;
        }
        let mut found = 7;
        // SAFETY: the buffers are as long as their lengths say, to the byte.
        let status = unsafe {
            let (lhs, rhs) = (lhs_buffer.as_ptr().cast(), rhs_buffer.as_ptr().cast());
            stride_compare(
                &lhs_layout,
                lhs,
                lhs_bytes as u64,
                &rhs_layout,
                rhs,
                rhs_bytes as u64,
                &mut found,
                null_mut(),
            )
        };
        assert_eq!((status, found), (Status::Ok.number(), other), "case {number}: {lhs:?} {rhs:?} width {width}");
    }
}

/// Bytes of which no two near each other are alike.
fn mixed_bytes() -> [u8; 4096] {
    std::array::from_fn(|k| (k * 167 + (k >> 8) * 31) as u8)
}

/// Two layouts that anybody may have written, copied from one half of `memory` to the other; all of it is looked at.
/// Whether they were refused.
pub fn forged_layouts(random: &mut Random, memory: &mut [u8; 4096]) -> bool {
    let wild = |random: &mut Random| match random.below(24) {
        0 => random.next() as i64,
        1 => random.pick(&[i64::MIN, i64::MAX, -1, 0, 1 << 62, 1 << 32, (1 << 32) - 1]),
        2..6 => random.below(12) - 3,
        _ => random.below(6),
    };
    let forge = |random: &mut Random| {
        let mut layout = oracle::layout(bytes_dtype(1 + random.below(9) as usize), &[], &[], 0);
        layout.rank = if random.one_in(20) { random.next() as u32 } else { random.below(5) as u32 };
        if random.one_in(20) {
            layout.dtype = random.next() as u32;
        }
        layout.offset = wild(random);
        layout.sizes.iter_mut().take(5).for_each(|size| *size = wild(random));
        layout.strides.iter_mut().take(5).for_each(|stride| *stride = wild(random));
        layout
    };
    let (dst, mut src) = (forge(random), forge(random));
    if random.one_in(2) {
        (src.rank, src.sizes, src.dtype) = (dst.rank, dst.sizes, dst.dtype);
    }
    let mut error = NO_ERROR;
    let before = *memory;
    let (to, from) = memory.split_at_mut(2048);
    // The middle of each half is the buffer named; the rest must stay.
    // SAFETY: 1,024 bytes from either pointer are ours.
    let status = unsafe {
        let (to, from) = (to.as_mut_ptr().add(512).cast(), from.as_ptr().add(512).cast());
        stride_copy(&dst, to, 1024, &src, from, 1024, std::ptr::null(), &mut error)
    };
    if status != Status::Ok.number() {
        assert_eq!(error.status, status);
        assert_ne!(error.argument, Argument::None.number(), "{error:?}");
    }
    let mut expected = before;
    if status == Status::Ok.number() {
        let side = |of: &stride_layout| {
            let rank = of.rank as usize;
            Side { sizes: of.sizes[..rank].to_vec(), strides: of.strides[..rank].to_vec(), offset: of.offset }
        };
        match Dtype::new(dst.dtype).map_or(0, |dtype| dtype.bits() as usize) {
            // Whatever the bits of its bytes are.
            ..8 => expected[512..1536].copy_from_slice(&memory[512..1536]),
            _ if dst.sizes[..dst.rank as usize].contains(&0) => {}
            bits => oracle::copy(&mut expected[512..1536], &side(&dst), &before[2560..], &side(&src), bits / 8),
        }
    }
    assert!(*memory == expected, "{:?} {:?}, of {} and {}", dst.sizes, dst.strides, dst.offset, src.offset);
    status != Status::Ok.number()
}

#[test]
fn forged_layouts_get_a_status() {
    let (mut memory, mut refused) = (mixed_bytes(), 0);
    oracle::cases(9, 200_000, |random| refused += u32::from(forged_layouts(random, &mut memory)));
    assert!(cfg!(miri) || (1_000..199_000).contains(&refused), "{refused}");
}

/// One bit of a byte to where another one is: found by fuzzing when the memory's bytes were 0x11, whose bits are not
/// alike.
#[test]
fn forged_layouts_of_single_bits() {
    let case = [
        16, 0, 0, 0, 0, 0, 0, 0, 141, 1, 0, 0, 31, 0, 0, 0, 0, 0, 141, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 2, 255, 255,
        255, 255, 17, 17, 59, 3, 0, 141, 59, 39, 1, 1, 36, 59,
    ];
    assert!(any_bytes(&case));
}

/// All of a plan, which is the quick way if it can be.
fn run_quickly(plan: &stride_plan, to: &mut [u8], from: &[u8]) -> i32 {
    let (at, to_bytes, from_bytes) = (to.as_mut_ptr().cast(), to.len() as u64, from.len() as u64);
    // SAFETY: buffers as long as their lengths say; a library that touches more meets their pages.
    unsafe { stride_plan_execute(plan, at, to_bytes, from.as_ptr().cast(), from_bytes, null_mut()) }
}

/// The last of so many parts of it, which is the careful way.
fn run_last_part(plan: &stride_plan, to: &mut [u8], from: &[u8], parts: u32) -> i32 {
    let (at, to_bytes, from_bytes) = (to.as_mut_ptr().cast(), to.len() as u64, from.len() as u64);
    let from = from.as_ptr().cast();
    // SAFETY: as above.
    unsafe { stride_plan_execute_part(plan, at, to_bytes, from, from_bytes, parts - 1, parts, null_mut()) }
}

/// Replaces a few words of a plan; how many it uses.
fn forge(random: &mut Random, plan: &mut stride_plan) -> u64 {
    let used = plan.words[0] & 0xFFFF;
    for _ in 0..1 + random.below(3) {
        let word = random.below(used + 2) as usize;
        plan.words[word] = match random.below(6) {
            0 => random.next(),
            1 => plan.words[word] ^ 1 << random.below(64),
            2 => (random.below(64) - 32) as u64,
            3 => random.pick(&[u64::MAX, 1 << 63, i64::MAX as u64, 1 << 32]),
            _ => plan.words[word].wrapping_add((random.below(9) - 4) as u64),
        };
    }
    used
}

/// The same of plans whose sides are no loops over the same indices: runs on either side, ranges, in both byte orders.
fn forged_relayout(random: &mut Random, pages: &mut [Guarded; 2]) -> bool {
    let (dtype, other) =
        random.pick(&[(Dtype::U8, Dtype::U8), (Dtype::U8, Dtype::U8), (Dtype::F32, Dtype::F32.swapped())]);
    let options = stride_copy_options {
        flags: random.pick(&[0, STRIDE_COPY_FILL_BUFFER, STRIDE_COPY_ASSUME_DISTINCT]),
        fill: [3; 16],
        ..DEFAULTS
    };
    let (rows, size) = (1 + random.below(5), 1 + random.below(5));
    let columns: Vec<i64> = (0..2 + random.below(6)).map(|_| random.below(size as u64 + 1) - 1).collect();
    let (count, gap) = (columns.len() as i64, random.below(2));
    let to = oracle::layout(dtype.code(), &[rows, count], &[count + gap, 1], 0);
    let from = oracle::layout(other.code(), &[rows, size], &[size + 2 * gap, 1], 0);
    let (runs, upward) = (sides::list(&columns), [sides::run(rows - 1, -1, rows)]);
    let (to, from) = match random.one_in(2) {
        true => (sides::through(side(&to), 0, &upward), sides::through(side(&from), 1, &runs)),
        false => {
            let all = rows * size.min(count);
            (sides::range(side(&to), 0, all), sides::range(side(&from), 0, all))
        }
    };
    let mut plan = stride_plan { words: [0; 512] };
    // SAFETY: plain structs, and lists that are there.
    let status = unsafe { stride_plan_init_sides(&mut plan, &to, &from, &options, null_mut()) };
    assert_eq!(status, Status::Ok.number());
    if random.one_in(4) {
        plan.words[1] ^= 1 << (8 + random.below(8)); // elements of another width
    }
    forge(random, &mut plan);
    if !oracle::ends_soon(&plan) {
        return false;
    }
    let (bytes, at_end) = (random.below(200) as usize, random.one_in(2));
    let [to, from] = pages;
    let (to, from) = (to.buffer(bytes, at_end), from.buffer(bytes, !at_end));
    to.fill(7);
    let status = run_last_part(&plan, to, from, 1 + random.below(3) as u32);
    assert!(status == Status::Ok.number() || to.iter().all(|&byte| byte == 7), "{status}");
    status == Status::Ok.number()
}

#[test]
fn forged_runs_and_ranges_stay_inside_the_buffers() {
    let (mut ran, mut pages) = (0, [Guarded::new(1 << 12), Guarded::new(1 << 12)]);
    oracle::cases(4_711, 40_000, |random| ran += u32::from(forged_relayout(random, &mut pages)));
    assert!(cfg!(miri) || ran > 1_000, "only {ran} of the forged plans ran");
}

/// An honest plan of which a few words are replaced, between pages that may not be touched. Whether it ran.
pub fn forged_plan(random: &mut Random, pages: &mut [Guarded; 2]) -> bool {
    let sizes = [1 + random.below(5), 1 + random.below(5), 1 + random.below(5)];
    let width = random.pick(&[1, 2, 3, 4, 8, 16, 20]);
    let dst = Side::new(&sizes, &oracle::distinct_strides(random, &sizes), 0);
    let src = Side::new(&sizes, &oracle::source_strides(random, &sizes), 0);
    let mut plan = stride_plan { words: [0; 512] };
    let flags = random.pick(&[0, STRIDE_COPY_FILL_BUFFER, STRIDE_COPY_OVERLAP, STRIDE_COPY_ASSUME_DISTINCT]);
    let options = stride_copy_options { flags, fill: [3; 16], ..DEFAULTS };
    let dtype = bytes_dtype(width);
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init(&mut plan, &dst.layout(dtype), &src.layout(dtype), &options, null_mut()) };
    assert_eq!(status, Status::Ok.number());
    let used = forge(random, &mut plan);
    if !oracle::ends_soon(&plan) {
        return false;
    }
    let (bytes, at_end) = (random.below(600) as usize, random.one_in(2));
    let [to, from] = pages;
    let (to, from) = (to.buffer(bytes, at_end), from.buffer(bytes, !at_end));
    let before: Vec<u8> = (0..bytes).map(|number| number as u8).collect();
    from.iter_mut().zip(&before).for_each(|(byte, number)| *byte = !number);
    let parts = 1 + random.below(3) as u32;
    let mut run = |quick: bool| {
        to.copy_from_slice(&before);
        let status = if quick { run_quickly(&plan, to, from) } else { run_last_part(&plan, to, from, parts) };
        assert!(status == Status::Ok.number() || *to == before, "{status} {:x?}", &plan.words[..used as usize]);
        (status, to.to_vec())
    };
    let (status, careful) = run(false);
    if parts == 1 {
        let quick = run(true);
        // It does what the careful way does, but refuses less: what it does not use it does not look at, and it
        // believes a shortcut.
        let same = kind_in_use(plan.words[1]) > 0 || quick == (status, careful);
        assert!(status != Status::Ok.number() || same, "{} {:x?}", quick.0, &plan.words[..used as usize]);
    }
    status == Status::Ok.number()
}

/// Another format, a flag or an instruction set that there is not: none of them runs, in the quick way or the careful
/// one.
#[test]
fn plans_of_another_format_or_with_unknown_flags_are_refused() {
    let (mut random, mut kinds) = (Random::new(12), [0; 3]);
    let flags = STRIDE_COPY_ASSUME_DISTINCT
        | STRIDE_COPY_FILL_BUFFER
        | STRIDE_COPY_OVERLAP
        | STRIDE_COPY_KEEP_CACHED
        | STRIDE_COPY_SMALL_STACK;
    for _ in 0..oracle::times(2000) {
        let sizes = [1 + random.below(5), 1 + random.below(5), 1 + random.below(5)];
        let side = |random: &mut Random| Side::new(&sizes, &oracle::distinct_strides(random, &sizes), 0);
        let (dst, src) = (side(&mut random), side(&mut random));
        let (dtype, mut plan) = (bytes_dtype(random.pick(&[1, 2, 4, 8])), stride_plan { words: [0; 512] });
        let (dst_layout, src_layout) = (dst.layout(dtype), src.layout(dtype));
        // SAFETY: plain structs.
        let status = unsafe { stride_plan_init(&mut plan, &dst_layout, &src_layout, &DEFAULTS, null_mut()) };
        assert_eq!(status, Status::Ok.number());
        kinds[kind_in_use(plan.words[1]) as usize] += 1;
        let (word, wrong) = match random.below(3) {
            0 => (0, plan.words[0] ^ 1 << (16 + random.below(48))),
            1 => (2, plan.words[2] | random.pick(&[!flags, 1 << 30]) as u64),
            _ => (2, plan.words[2] | random.pick(&[7, 8, 9, 1 << 31]) << 32),
        };
        plan.words[word] = wrong;
        let (mut to, from) = ([1u8; 8192], [2u8; 8192]);
        for status in [run_quickly(&plan, &mut to, &from), run_last_part(&plan, &mut to, &from, 1)] {
            assert_eq!(status, Status::InvalidArgument.number(), "word {word}: {wrong:x}, {dst:?} {src:?}");
        }
        assert!(to == [1; 8192]);
    }
    // Which of the two shortcuts a plan takes is the machine's: permutations of bytes are for AVX-512 VBMI.
    assert!(cfg!(miri) || (kinds[0] > 50 && kinds[1] + kinds[2] > 50), "{kinds:?}");
}

/// Elements of no byte, a store that there is not, more iterations than bytes, and more loops than a plan holds: all of
/// it claimed by plans of one loop to four.
#[test]
fn plans_that_claim_what_cannot_be_are_refused() {
    const { assert!(size_of::<stride_plan>() == 4096) };
    let claims: [fn(&mut [u64], usize); 5] = [
        |words, _| words[3] = 0,
        |words, _| words[1] |= 7 << STORE,
        |words, _| words[HEADER..HEADER + 3].copy_from_slice(&[1000, 0, 0]),
        |words, loops| claim_loops(words, loops, 63),
        |words, loops| claim_loops(words, loops, 255),
    ];
    fn claim_loops(words: &mut [u64], loops: usize, claimed: usize) {
        words[0] += 3 * (claimed - loops) as u64;
        words[1] += ((claimed - loops) as u64) << 32;
        words[HEADER + 3 * loops..].as_chunks_mut().0.iter_mut().for_each(|words| *words = [1, 0, 0]);
    }
    // What is read after a plan, or outside of the buffers, is no page.
    let mut pages = [4096, 20_000, 20_000].map(Guarded::new);
    for (sizes, dst, src, width) in [
        (&[40][..], &[3][..], &[5][..], 4),
        (&[10, 30], &[200, 3], &[400, 5], 4),
        (&[5, 6, 7], &[90, 15, 2], &[100, 16, 2], 20),
        (&[3, 4, 5, 6], &[270, 65, 13, 2], &[280, 67, 13, 2], 8),
    ] {
        let (dst, src) = (Side::new(sizes, dst, 0), Side::new(sizes, src, 0));
        let (dtype, mut honest) = (bytes_dtype(width), stride_plan { words: [0; 512] });
        // SAFETY: plain structs.
        let status =
            unsafe { stride_plan_init(&mut honest, &dst.layout(dtype), &src.layout(dtype), &DEFAULTS, null_mut()) };
        let loops = (honest.words[1] >> 32 & 0xFF) as usize;
        assert_eq!((status, loops), (Status::Ok.number(), sizes.len()));
        for (number, claim) in claims.iter().enumerate() {
            let mut claiming = stride_plan { words: honest.words };
            claim(&mut claiming.words, loops);
            let [page, to, from] = &mut pages;
            let page = page.buffer(4096, true).as_mut_ptr().cast::<stride_plan>();
            // SAFETY: a page of our own, as long as a plan, and aligned.
            let plan = unsafe {
                page.write(claiming);
                &*page
            };
            let (to, from) = (to.buffer(20_000, true), from.buffer(20_000, true));
            to.fill(1);
            for status in [run_quickly(plan, to, from), run_last_part(plan, to, from, 1)] {
                assert_eq!(status, Status::InvalidArgument.number(), "{sizes:?} {number}");
            }
            assert!(to.iter().all(|&byte| byte == 1));
        }
    }
}

#[test]
fn forged_plans_stay_inside_the_buffers() {
    let (mut pages, mut ran) = ([4096, 4096].map(Guarded::new), 0);
    oracle::cases(10, 300_000, |random| ran += u32::from(forged_plan(random, &mut pages)));
    assert!(cfg!(miri) || ran > 10_000, "too few forged plans get as far as to run: {ran}");
}

/// Matrices of many tiles under another kernel, other runs, another store, or with another flag.
/// Whether it ran.
pub fn forged_plan_of_a_matrix(random: &mut Random, pages: &mut [Guarded; 2]) -> bool {
    let mut sizes = oracle::long_sizes(random);
    if random.one_in(2) {
        sizes = [2, 3, 4, 10, 20].map(|most| 1 + random.below(most)).to_vec(); // runs of several loops
        random.shuffle(&mut sizes);
    }
    let width = random.pick(&[1, 2, 3, 4, 5, 8, 12, 16, 20]);
    let dst = Side::new(&sizes, &oracle::distinct_strides(random, &sizes), 0);
    let src = Side::new(&sizes, &oracle::source_strides(random, &sizes), 0);
    let (dst_bytes, src_bytes) = (dst.extent() as usize * width, src.extent() as usize * width);
    if dst_bytes.max(src_bytes) > 1 << 18 {
        return false;
    }
    let mut plan = stride_plan { words: [0; 512] };
    let dtype = bytes_dtype(width);
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init(&mut plan, &dst.layout(dtype), &src.layout(dtype), &DEFAULTS, null_mut()) };
    assert_eq!(status, Status::Ok.number());
    plan.words[1] &= !(0xFF << STORE | 0xFF << HINTS);
    plan.words[1] |= (random.below(5) as u64 | random.pick(&[0, 1, 2, 3, 3]) << 4) << STORE
        | (random.below(hints::ALL as u64 + 1) as u64) << HINTS;
    match random.below(4) {
        0 => {
            let block = random.pick(&[0, 0, 1, 2]) << CHUNK; // loops that are one element
            plan.words[1] = plan.words[1] & !0xFFFF | random.below(KERNELS.len() as u64) as u64 | block;
        }
        1 => plan.words[1] = plan.words[1] & !(0xFFFF << 16) | (random.next() & 0x0303) << 16,
        2 => plan.words[2] ^= random.pick(&[STRIDE_COPY_SMALL_STACK, STRIDE_COPY_KEEP_CACHED]) as u64,
        _ => {
            let word = HEADER + random.below(3 * sizes.len() as u64) as usize;
            plan.words[word] = random.pick(&[1, 2, 4, 40, 64, 4096, plan.words[word] / 2, 0u64.wrapping_sub(8)]);
        }
    }
    let (dst_end, src_end) = (random.one_in(2), random.one_in(2));
    let [to, from] = pages;
    // SAFETY: the lengths are those of the buffers; the pages around them bite.
    let status = unsafe {
        let (to, from) = (to.buffer(dst_bytes, dst_end), from.buffer(src_bytes, src_end));
        let (to, from) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
        stride_plan_execute(&plan, to, dst_bytes as u64, from, src_bytes as u64, null_mut())
    };
    status == Status::Ok.number()
}

#[test]
fn forged_plans_of_matrices_stay_inside_the_buffers() {
    let (mut pages, mut ran) = ([1 << 18, 1 << 18].map(Guarded::new), 0);
    oracle::cases(13, 30_000, |random| ran += u32::from(forged_plan_of_a_matrix(random, &mut pages)));
    assert!(cfg!(miri) || ran > 10_000, "too few forged plans get as far as to run: {ran}");
}

/// A loop of one iteration has any step, for it is never taken: whatever is prefetched, and wherever it is said to lie, a
/// plan that claims it ends, and stays in the buffers.
#[test]
#[cfg_attr(miri, ignore = "thousands of copies")]
fn forged_loops_of_one_turn_step_anywhere() {
    let mut pages = [1 << 20, 1 << 20].map(Guarded::new);
    let (mut kernels, mut ran) = (std::collections::BTreeSet::new(), 0);
    let shapes = [[300, 3], [3, 300], [300, 30], [3, 40]].into_iter();
    let cases = shapes.flat_map(|sizes| [1, 2, 4, 24, 2100].map(|width| (sizes, width)));
    for (([m, n], width), level) in cases.flat_map(|case| Level::ALL.map(|level| (case, level))) {
        if !level.is_here() {
            continue;
        }
        let (sizes, options) = ([m, n], stride_copy_options { cpu_level: level as u32, ..DEFAULTS });
        let sides = [[n, 1], [1, m], [n + 1, 1], [1, m + 1], [2 * n, -2], [-1, m], [0, 1], [1, 0]];
        for (dst, src) in sides[..4].iter().flat_map(|dst| sides.iter().map(move |src| (dst, src))) {
            let (dst, src) = (Side::new(&sizes, dst, 0), Side::new(&sizes, src, 0));
            let (dst_bytes, src_bytes) = (dst.extent() as usize * width, src.extent() as usize * width);
            if dst_bytes.max(src_bytes) > 1 << 20 {
                continue;
            }
            let honest = plan_of(&dst, &src, width, &options);
            if kind_in_use(honest.words[1]) != 0 {
                continue; // it stands where loops stand
            }
            let loops = (honest.words[1] >> 32 & 0xFF) as usize;
            for (word, step) in (0..loops)
                .flat_map(|number| [1, 2].map(|side| HEADER + side + 3 * number))
                .flat_map(|word| [i64::MIN, -1 << 62, 1 << 62, i64::MAX].map(|step| (word, step)))
            {
                for memory in 0..4u64 {
                    let mut forged = stride_plan { words: honest.words };
                    forged.words[1] &= !(0xFF << STORE | 0xFF << HINTS);
                    forged.words[1] |= (memory | (memory * 3) << 4) << STORE | u64::from(hints::ALL) << HINTS;
                    forged.words[HEADER + (word - HEADER) / 3 * 3] = 1;
                    forged.words[word] = step as u64;
                    let [to, from] = &mut pages;
                    let status = run_quickly(&forged, to.buffer(dst_bytes, true), from.buffer(src_bytes, true));
                    if status == Status::Ok.number() {
                        kernels.insert(forged.words[1] & KERNEL);
                        ran += 1;
                    }
                }
            }
        }
    }
    let names: Vec<_> = kernels.iter().map(|&number| KERNELS[number as usize].name).collect();
    assert!(ran > 1000 && kernels.len() >= 12, "{ran} {names:?}");
}

/// Kernels of any width take elements for which there is no room on the stack.
#[test]
#[cfg_attr(miri, ignore = "hundreds of thousands of bytes")]
fn forged_transposes_of_wide_elements_are_not_made_on_the_stack() {
    for (number, width) in (0..).zip(KERNELS).flat_map(|(number, kernel)| {
        let any = kernel.family == Family::Transpose && kernel.width == 0 && kernel.level.is_here();
        [17, 24, 32, 64, 1 << 12, 1 << 15, 1 << 16].map(|width| (number, width)).into_iter().filter(move |_| any)
    }) {
        let (dst, src) = (Side::new(&[3, 5], &[5, 1], 0), Side::new(&[3, 5], &[1, 3], 0));
        let mut plan = plan_of(&dst, &src, width, &DEFAULTS);
        assert_eq!(plan.words[1] >> 32 & 0xFF, 2, "two loops");
        plan.words[1] = plan.words[1] & !0xFFFF_FFFF | 1 << 24 | 1 << 16 | number;
        each_store(&plan, &dst, &src, width, 0);
    }
}

/// Tables for a small stack hold fewer rows than others: a plan that claims them for longer runs gets pieces that do
/// not begin at lines, to which nothing can be streamed.
#[test]
#[cfg_attr(miri, ignore = "tens of thousands of elements")]
fn forged_small_stacks_stream_to_no_address_between_lines() {
    // Two loops of 40 and of 4 iterations are one run of the destination, others of 16 and of 4 one of the source.
    let sizes = [4, 16, 4, 40];
    let plan = with_every_store(&sizes, &[160 * 16, 160, 40, 1], &[16, 1, 64 * 43, 64], 4, STRIDE_COPY_SMALL_STACK);
    assert!(plan.words[1] >> 16 & 0xFF == 2, "a run of two loops");
}

/// Rows that are cut into pieces, of which only the first one begins at a line, and rows between lines in blocks of
/// whole lines.
#[test]
fn forged_transposes_stream_to_no_address_between_lines() {
    with_every_store(&[4, 16, 64], &[2816, 164, 1], &[16, 1, 64], 4, 0);
    // (Hundreds of thousands of elements.)
    if !cfg!(miri) {
        with_every_store(&[64, 42, 67], &[2816, 67, 1], &[1, 64 * 68, 64], 1, 0);
        with_every_store(&[32, 26, 69], &[1824, 69, 1], &[1, 32 * 70, 32], 2, 0);
    }
}

/// Rows of the destination that meet each other, which somebody said they do not: nothing after the last one is
/// written.
#[test]
fn transposes_to_rows_that_meet_stay_in_the_buffer() {
    let (rows, widths, steps): (_, &[_], &[_]) =
        if cfg!(miri) { (16, &[4], &[0, 8]) } else { (96, &[1, 2, 4, 8], &[0, 1, 8, 32, 64, 127]) };
    for &width in widths {
        for &step in steps {
            with_every_store(&[rows, 128], &[step, 1], &[1, rows], width, STRIDE_COPY_ASSUME_DISTINCT);
        }
        // A loop of no step, which no honest plan has.
        let [dst, src] = [[128, 1], [1, rows]].map(|strides| Side::new(&[rows, 128], &strides, 0));
        let distinct = stride_copy_options { flags: STRIDE_COPY_ASSUME_DISTINCT, ..DEFAULTS };
        let mut plan = plan_of(&dst, &src, width, &distinct);
        let steps = plan.words.iter_mut().skip(HEADER + 1).step_by(3);
        steps.take(2).filter(|step| **step == 128 * width as u64).for_each(|step| *step = 0);
        let dst = Side::new(&[rows, 128], &[0, 1], 0);
        each_store(&plan, &dst, &src, width, STRIDE_COPY_ASSUME_DISTINCT);
    }
}

/// An honest plan with more flags, and each store, moves what it should. The plan as it was.
fn with_every_store(sizes: &[i64], dst_strides: &[i64], src_strides: &[i64], width: usize, more: u32) -> stride_plan {
    let (dst, src) = (Side::new(sizes, dst_strides, 0), Side::new(sizes, src_strides, 0));
    let options = stride_copy_options { flags: more & STRIDE_COPY_ASSUME_DISTINCT, ..DEFAULTS };
    let plan = plan_of(&dst, &src, width, &options);
    each_store(&plan, &dst, &src, width, more);
    plan
}

fn plan_of(dst: &Side, src: &Side, width: usize, options: &stride_copy_options) -> stride_plan {
    let (mut plan, dtype) = (stride_plan { words: [0; 512] }, bytes_dtype(width));
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init(&mut plan, &dst.layout(dtype), &src.layout(dtype), options, null_mut()) };
    assert_eq!(status, Status::Ok.number());
    plan
}

/// A plan with more flags, and each store, moves what the naive loop moves between these sides.
fn each_store(plan: &stride_plan, dst: &Side, src: &Side, width: usize, more: u32) {
    let (dst_bytes, src_bytes) = (dst.extent() as usize * width, src.extent() as usize * width);
    let mut dst_pages = Guarded::new(dst_bytes);
    // Elements that meet may be written in any order: they have one value.
    let distinct = more & STRIDE_COPY_ASSUME_DISTINCT != 0;
    let source = if distinct { vec![0xA5; src_bytes] } else { Random::new(12).bytes(src_bytes) };
    let src_pages = Guarded::read_only(&source);
    let mut expected = vec![0; dst_bytes];
    oracle::copy(&mut expected, dst, &source, src, width);
    for (memory, at_end) in [2, 1, 3, 0].into_iter().flat_map(|memory| [(memory, false), (memory, true)]) {
        let mut forged = stride_plan { words: plan.words };
        forged.words[1] = forged.words[1] & !(0xFF << STORE) | (memory | (memory % 2) << 4) << STORE;
        forged.words[2] |= u64::from(more);
        let (to, from) = (dst_pages.buffer(dst_bytes, at_end).as_mut_ptr(), src_pages.begin());
        // SAFETY: the lengths are those of the buffers.
        let status = unsafe {
            stride_plan_execute(&forged, to.cast(), dst_bytes as u64, from.cast(), src_bytes as u64, null_mut())
        };
        assert_eq!(status, Status::Ok.number());
        let found = dst_pages.buffer(dst_bytes, at_end);
        assert!(*found == expected[..], "{:?} to {:?} of {width} bytes, {memory}", src.strides, dst.strides);
        found.fill(0);
    }
}

#[test]
fn words_of_anybody_are_no_plan() {
    let mut random = Random::new(11);
    let mut byte = 0u8;
    for _ in 0..oracle::times(10_000) {
        let mut plan = stride_plan { words: [0; 512] };
        plan.words.iter_mut().for_each(|word| *word = random.next());
        // SAFETY: one byte on either side.
        let status = unsafe {
            let pointer = (&raw mut byte).cast();
            stride_plan_execute(&plan, pointer, 1, pointer.cast_const(), 1, null_mut())
        };
        assert_eq!(status, Status::InvalidArgument.number());
    }
}

/// The case that these bytes steer: what `fuzz/` runs. Whether it passed the checks.
pub fn any_bytes(bytes: &[u8]) -> bool {
    thread_local! {
        static PAGES: RefCell<([Guarded; 2], [Guarded; 2])> =
            RefCell::new(([4096, 4096].map(Guarded::new), [1 << 18, 1 << 18].map(Guarded::new)));
    }
    let random = &mut Random::steered(bytes);
    PAGES.with_borrow_mut(|(few, many)| match random.below(4) {
        0 => oracle::until_one_passes(|| !forged_layouts(random, &mut mixed_bytes())),
        1 => oracle::until_one_passes(|| forged_plan_of_a_matrix(random, many)),
        _ => oracle::until_one_passes(|| forged_plan(random, few)),
    })
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/forged.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("forged", any_bytes);
}
