//! Memory that must not be touched: guard pages at both ends of every buffer, forged structs and plans, and the heap.
#![cfg(all(unix, not(miri)))]

mod oracle;

use oracle::{DEFAULTS, NO_ERROR, Random, Side, bytes_dtype};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};
use stride::copy::kernels::level::Level;
use stride::copy::kernels::{Block, Family, KERNELS, Kernel, Memory, Rows, Run};
use stride::copy::problem::Loop;
use stride::ffi::copy::*;
use stride::ffi::status::*;

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

/// Pages that may be used between two that may not.
struct Guarded {
    map: *mut u8,
    map_bytes: usize,
    usable: usize,
    page: usize,
}

impl Guarded {
    fn new(usable: usize) -> Self {
        // SAFETY: an anonymous mapping of our own, its first and last page without access.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let usable = usable.next_multiple_of(page);
            let map_bytes = usable + 2 * page;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let map = libc::mmap(null_mut(), map_bytes, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(map, libc::MAP_FAILED);
            let inside = map.cast::<u8>().add(page);
            assert_eq!(libc::mprotect(inside.cast(), usable, libc::PROT_READ | libc::PROT_WRITE), 0);
            Self { map: map.cast(), map_bytes, usable, page }
        }
    }

    /// The last `bytes` bytes before the unreadable page, or the first ones behind the other.
    fn buffer(&mut self, bytes: usize, at_end: bool) -> &mut [u8] {
        let begin = self.page + if at_end { self.usable - bytes } else { 0 };
        // SAFETY: inside the usable pages, borrowed from `self`.
        unsafe { std::slice::from_raw_parts_mut(self.map.add(begin), bytes) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `new`.
        unsafe { libc::munmap(self.map.cast(), self.map_bytes) };
    }
}

#[test]
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
    assert_eq!(status.signal(), Some(libc::SIGSEGV), "{status:?}");
}

#[test]
fn copies_between_unreadable_pages() {
    let mut random = Random(7);
    let (mut dst_pages, mut src_pages) = (Guarded::new(1 << 18), Guarded::new(1 << 18));
    for number in 0..20_000 {
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
        let flags = if random.one_in(4) { STRIDE_COPY_FILL_REST } else { 0 };
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
        assert_eq!(status, STRIDE_STATUS_OK, "case {number}: {dst:?} {src:?} width {width}");
        assert!(dst_buffer == expected, "case {number}: {dst:?} {src:?} width {width}");
    }
}

/// Every kernel of the list against the definition in its room, for counts around its tile and many alignments.
#[test]
fn every_kernel_between_unreadable_pages() {
    let mut random = Random(8);
    let (mut dst_pages, mut src_pages) = (Guarded::new(1 << 19), Guarded::new(1 << 19));
    let mut ran = Vec::new();
    for kernel in KERNELS {
        if kernel.level > Level::best() {
            println!("skipped: {} needs {}", kernel.name, kernel.level.name());
            continue;
        }
        let width = if kernel.width == 0 { 5 } else { kernel.width };
        let vector = 64 / width;
        let mut runs = 0;
        let long = 4200 / width + 3;
        let a_counts = (1..=5).chain(vector - 1..=vector + 1).chain(2 * vector - 1..=2 * vector + 1);
        for a_count in a_counts.chain([150, long]) {
            for b_count in (1..=5).chain([vector - 1, vector, vector + 1, 67]) {
                if a_count == long && b_count > 2 {
                    continue;
                }
                for alignment in [0, 1, 2, 3, 7, 8, 17, 31, 32, 63] {
                    let Some((a, b)) = loops_for(&mut random, kernel, width, a_count.max(1), b_count.max(1)) else {
                        continue;
                    };
                    for memory in (0..5).filter_map(Memory::new) {
                        check_kernel(
                            &mut random,
                            kernel,
                            memory,
                            width,
                            [a, b],
                            alignment,
                            [&mut dst_pages, &mut src_pages],
                        );
                        runs += 1;
                    }
                }
            }
        }
        assert!(runs > 100, "{} ran {runs} times", kernel.name);
        ran.push(kernel.name);
    }
    assert!(ran.len() >= KERNELS.iter().filter(|kernel| kernel.level == Level::Scalar).count());
}

/// Sources of many megabytes are asked for ahead, in another loop than near ones.
#[test]
fn far_sources_are_copied_like_near_ones() {
    const ROWS: i64 = 14;
    let mut random = Random(12);
    let src: Vec<u8> = random.bytes(1 << 16).into_iter().cycle().take((ROWS as usize + 1) << 20).collect();
    for kernel in KERNELS {
        let step = match kernel.family {
            Family::Gather(k) => k,
            Family::Rows | Family::Strided | Family::Spaced => 3,
            _ => continue,
        };
        if kernel.level > Level::best() {
            continue;
        }
        for width in if kernel.width == 0 { vec![1, 2, 5, 12, 17, 40, 70, 130, 700, 2500] } else { vec![kernel.width] }
        {
            for count in [1, 7, 64, 333, 5000] {
                // Rows far from each other, walked upward and downward; single elements far from each other.
                let inner = Loop { count, dst: width, src: step * width };
                let outer = |src| Loop { count: ROWS, dst: count * width + 3, src };
                for (a, b) in [
                    (inner, outer(1 << 20)),
                    (inner, outer(-1 << 20)),
                    (Loop { dst: width, ..outer(1 << 20) }, Loop { dst: ROWS * width, ..inner }),
                    (Loop { dst: width, ..outer(-1 << 20) }, Loop { dst: ROWS * width, ..inner }),
                ] {
                    if !kernel.accepts(width, a, b) || count * step * width > 1 << 20 {
                        continue;
                    }
                    let first = if a.src < 0 || b.src < 0 { (ROWS - 1) << 20 } else { 0 };
                    let dst_bytes = (a.count - 1) * a.dst + (b.count - 1) * b.dst + width;
                    let mut expected = vec![0x77; dst_bytes as usize];
                    for j in 0..b.count {
                        for i in 0..a.count {
                            let to = (j * b.dst + i * a.dst) as usize;
                            let from = (first + j * b.src + i * a.src) as usize;
                            expected[to..][..width as usize].copy_from_slice(&src[from..][..width as usize]);
                        }
                    }
                    for memory in [Memory::Cached, Memory::Stream] {
                        let mut dst = vec![0x77; dst_bytes as usize];
                        let Run::Block(run) = kernel.run else { unreachable!() };
                        // SAFETY: the loops reach bytes of the two buffers; the level was checked.
                        unsafe {
                            run(dst.as_mut_ptr(), src[first as usize..].as_ptr(), &Block { memory, width, a, b })
                        };
                        assert!(dst == expected, "{} {:?} a {a:?} b {b:?} {memory:?}", kernel.name, kernel.level);
                    }
                }
            }
        }
    }
}

/// Two loops that the kernel accepts, with distinct destination elements and random gaps.
fn loops_for(random: &mut Random, kernel: &Kernel, width: i64, a_count: i64, b_count: i64) -> Option<(Loop, Loop)> {
    let gap = random.below(3) * width;
    let mut a = Loop { count: a_count, dst: width, src: b_count * width + gap };
    let row = a_count * width + random.below(3) * width;
    // Now and then rows are whole lines, as streaming wants them.
    let row = if random.one_in(3) { (row + 63) / 64 * 64 } else { row };
    let mut b = Loop { count: b_count, dst: row, src: width };
    match kernel.family {
        Family::Fill => a.src = 0,
        Family::Reverse => (a.src, b.src) = (-width, a_count * width + gap),
        Family::Gather(k) => (a.src, b.src) = (k * width, a_count * k * width + gap),
        Family::Deinterleave(k) => (a.src, b.count, b.src) = (k * width, k, width),
        Family::Interleave(k) => (a.count, a.src, b.dst) = (k, b_count * width + gap, k * width),
        Family::Spaced => (a, b) = spaced_loops(random, width, a_count, b_count.min(9)),
        Family::Rows | Family::Strided if random.one_in(2) => (a.src, b.src) = (width, a_count * width + gap),
        _ => {}
    }
    kernel.accepts(width, a, b).then_some((a, b))
}

/// Rows of elements at small steps, on each side packed or not; in the source upward, downward, or the same again.
fn spaced_loops(random: &mut Random, width: i64, a_count: i64, b_count: i64) -> (Loop, Loop) {
    let mut step = |packed| if random.one_in(packed) { width } else { width + random.below(65 - width as u64) };
    let (dst, apart) = (step(3), step(3));
    let src = apart * random.pick(&[1, 1, -1, 0]);
    let gap = random.below(3) * width;
    (Loop { count: a_count, dst, src }, Loop { count: b_count, dst: a_count * dst + gap, src: a_count * apart + gap })
}

/// The kernel of small steps takes elements of any width.
#[test]
fn spaced_elements_between_unreadable_pages() {
    let mut random = Random(13);
    let (mut dst_pages, mut src_pages) = (Guarded::new(1 << 23), Guarded::new(1 << 23));
    for kernel in KERNELS.iter().filter(|kernel| kernel.family == Family::Spaced && kernel.level <= Level::best()) {
        for width in 1..=32 {
            for number in 0..600 {
                let count = 1 + random.below(if number % 3 == 0 { 500 } else { 70 });
                let rows = 1 + random.below(4);
                // Now and then beyond the second-level cache.
                let count = if number == 0 { (3 << 20) / width / 2 } else { count };
                let (a, b) = spaced_loops(&mut random, width, count, if number == 0 { 1 } else { rows });
                let (a, b) = if number == 0 { (Loop { dst: 2 * width, src: width, ..a }, b) } else { (a, b) };
                assert!(kernel.accepts(width, a, b), "{width} {a:?}");
                let alignment = random.below(64) as usize;
                let pages = [&mut dst_pages, &mut src_pages];
                check_kernel(&mut random, kernel, Memory::Cached, width, [a, b], alignment, pages);
            }
        }
    }
}

fn check_kernel(
    random: &mut Random,
    kernel: &Kernel,
    memory: Memory,
    width: i64,
    [a, b]: [Loop; 2],
    alignment: usize,
    [dst_pages, src_pages]: [&mut Guarded; 2],
) {
    let reach = |a_step: i64, b_step: i64| {
        let low = (a.count - 1) * a_step.min(0);
        (-low as usize, (-low + (a.count - 1) * a_step.max(0) + (b.count - 1) * b_step + width) as usize)
    };
    let ((_, dst_bytes), (src_first, src_bytes)) = (reach(a.dst, b.dst), reach(a.src, b.src));
    // The buffers end, or begin, at an unreadable page; at the other end the bytes next to them are canaries.
    let at_end = random.one_in(2);
    let canary = if at_end { alignment } else { 0 };
    let src = src_pages.buffer(src_bytes + alignment, at_end);
    src.copy_from_slice(&random.bytes(src_bytes + alignment));
    let dst = dst_pages.buffer(dst_bytes + alignment, at_end);
    dst.copy_from_slice(&random.bytes(dst_bytes + alignment));
    let mut expected = dst.to_vec();
    for j in 0..b.count {
        for i in 0..a.count {
            let to = canary + (j * b.dst + i * a.dst) as usize;
            let from = (canary + src_first) as i64 + j * b.src + i * a.src;
            let element = &src[from as usize..][..width as usize];
            expected[to..to + width as usize].copy_from_slice(element);
        }
    }
    // SAFETY: the loops reach exactly the bytes of the two buffers; the level was checked.
    unsafe {
        let (to, from) = (dst.as_mut_ptr().add(canary), src.as_ptr().add(canary + src_first));
        match kernel.run {
            Run::Block(run) => run(to, from, &Block { memory, width, a, b }),
            Run::Tile(run) => {
                let table = |count: i64, step: i64| (0..count).map(|k| k * step).collect::<Vec<i64>>();
                let (src_rows, dst_rows) = (table(a.count, a.src), table(b.count, b.dst));
                // Whole lines are only for rows that begin at one.
                let aligned = dst_rows.iter().all(|row| (to.addr() as i64 + row) % 64 == 0);
                let memory = if aligned { memory } else { memory.unaligned(random.pick(&[0, u64::MAX])) };
                run(to, from, &Rows { memory, width, src: &src_rows, dst: &dst_rows });
            }
        }
    }
    assert!(dst == expected, "{} {:?} a {a:?} b {b:?} alignment {alignment}", kernel.name, kernel.level);
}

#[test]
fn forged_layouts_get_a_status() {
    let mut random = Random(9);
    let mut memory = vec![0x11u8; 4096];
    let mut refused = 0;
    for _ in 0..200_000 {
        let wild = |random: &mut Random| match random.below(5) {
            0 => random.next() as i64,
            1 => random.pick(&[i64::MIN, i64::MAX, -1, 0, 1 << 62, 1 << 32, (1 << 32) - 1]),
            _ => random.below(12) - 3,
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
        let (dst, mut src) = (forge(&mut random), forge(&mut random));
        if random.one_in(2) {
            (src.rank, src.sizes, src.dtype) = (dst.rank, dst.sizes, dst.dtype);
        }
        let mut error = NO_ERROR;
        let (to, from) = memory.split_at_mut(2048);
        // The middle of each half is the buffer named; the rest must stay.
        // SAFETY: 1,024 bytes from either pointer are ours.
        let status = unsafe {
            let (to, from) = (to.as_mut_ptr().add(512).cast(), from.as_ptr().add(512).cast());
            stride_copy(&dst, to, 1024, &src, from, 1024, std::ptr::null(), &mut error)
        };
        if status != STRIDE_STATUS_OK {
            refused += 1;
            assert_eq!(error.status, status);
            assert_ne!(error.argument, STRIDE_ARGUMENT_NONE, "{error:?}");
        }
        assert!(memory.iter().all(|&byte| byte == 0x11));
    }
    assert!((1_000..199_000).contains(&refused), "{refused}");
}

#[test]
fn forged_plans_stay_inside_the_buffers() {
    let mut random = Random(10);
    let (mut dst_pages, mut src_pages) = (Guarded::new(4096), Guarded::new(4096));
    let mut ran = 0;
    for _ in 0..300_000 {
        // An honest plan, then a few words of it replaced.
        let sizes = [1 + random.below(5), 1 + random.below(5), 1 + random.below(5)];
        let width = random.pick(&[1, 2, 3, 4, 8, 16, 20]);
        let dst = Side::new(&sizes, &oracle::distinct_strides(&mut random, &sizes), 0);
        let src = Side::new(&sizes, &oracle::source_strides(&mut random, &sizes), 0);
        let mut plan = stride_plan { words: [0; 512] };
        let flags = random.pick(&[0, STRIDE_COPY_FILL_REST, STRIDE_COPY_OVERLAP]);
        let options = stride_copy_options { flags, fill: [3; 16], ..DEFAULTS };
        let dtype = bytes_dtype(width);
        // SAFETY: plain structs.
        let status =
            unsafe { stride_plan_init(&mut plan, &dst.layout(dtype), &src.layout(dtype), &options, null_mut()) };
        assert_eq!(status, STRIDE_STATUS_OK);
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
        if plan.words[2] as u32 & STRIDE_COPY_ASSUME_DISTINCT != 0 {
            continue; // the caller vouches: such a plan may turn for ever, but that is no question of memory
        }
        let (bytes, at_end) = (random.below(600) as usize, random.one_in(2));
        // SAFETY: the lengths are those of the buffers; the pages around them bite.
        let status = unsafe {
            let (to, from) = (dst_pages.buffer(bytes, at_end), src_pages.buffer(bytes, !at_end));
            let (to, from) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
            let parts = 1 + random.below(3) as u32;
            stride_plan_execute_part(&plan, to, bytes as u64, from, bytes as u64, parts - 1, parts, null_mut())
        };
        ran += u32::from(status == STRIDE_STATUS_OK);
    }
    assert!(ran > 10_000, "too few forged plans get as far as to run: {ran}");
}

#[test]
fn words_of_anybody_are_no_plan() {
    let mut random = Random(11);
    let mut byte = 0u8;
    for _ in 0..10_000 {
        let mut plan = stride_plan { words: [0; 512] };
        plan.words.iter_mut().for_each(|word| *word = random.next());
        // SAFETY: one byte on either side.
        let status = unsafe {
            let pointer = (&raw mut byte).cast();
            stride_plan_execute(&plan, pointer, 1, pointer.cast_const(), 1, null_mut())
        };
        assert_eq!(status, STRIDE_STATUS_INVALID_ARGUMENT);
    }
}
