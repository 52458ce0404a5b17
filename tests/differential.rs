//! Copies of random layouts against the naive loop, whole allocations compared: one call, a plan, and its parts in
//! random order; fills, compares, and copies inside one buffer.
//!
//! A failure prints the case; its number and the seed replay it. `fuzz/` makes the same cases of its own bytes.

mod oracle;

use oracle::gaps::Closed;
use oracle::sides::{list as runs_of, range, side, through};
use oracle::{DEFAULTS, NO_ERROR, Side, bytes_dtype};
pub use oracle::{Random, levels};
use std::ptr::null_mut;
use stride::Dtype;
use stride::copy::kernels::hints;
use stride::copy::kernels::{Family, KERNELS, Kernel};
use stride::copy::words::{CHUNK, HINTS, KERNEL, STORE, kind_in_use};
use stride::error::Status;
use stride::ffi::copy::*;
use stride::ffi::machine::stride_machine;
use stride::ffi::plan::*;
use stride::ffi::sides::*;
use stride::machine::Level;

const SEED: u64 = 20_261_120;

/// One random copy.
#[derive(Debug)]
struct Case {
    width: usize,
    dst: Side,
    src: Side,
    /// Bytes between an aligned address and the base pointers.
    dst_shift: usize,
    src_shift: usize,
    flags: u32,
    /// The instruction set asked for; a CPU without it takes the best it has.
    cpu_level: u32,
    fill: [u8; 16],
}

const WIDTHS: [usize; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 24, 33, 64];

fn random_case(random: &mut Random) -> Case {
    let sizes = oracle::random_sizes(random);
    case_of(random, &sizes)
}

fn case_of(random: &mut Random, sizes: &[i64]) -> Case {
    let (dst_strides, src_strides) = (oracle::distinct_strides(random, sizes), oracle::source_strides(random, sizes));
    let margin = |random: &mut Random| if random.one_in(2) { 0 } else { random.below(4) };
    let flags = random.pick(&[0, 0, STRIDE_COPY_ASSUME_DISTINCT, STRIDE_COPY_FILL_BUFFER]);
    let mut fill = [0; 16];
    fill.copy_from_slice(&random.bytes(16));
    if random.one_in(3) {
        fill = [fill[0]; 16];
    }
    Case {
        width: random.pick(&WIDTHS),
        dst: Side::new(sizes, &dst_strides, margin(random)),
        src: Side::new(sizes, &src_strides, margin(random)),
        dst_shift: random.below(9) as usize,
        src_shift: random.below(9) as usize,
        flags,
        cpu_level: random.below(Level::COUNT as u64) as u32,
        fill,
    }
}

/// What the destination must look like, and what it looks like after `run`.
struct Buffers {
    dst: Vec<u8>,
    src: Vec<u8>,
    expected: Vec<u8>,
    dst_bytes: usize,
    src_bytes: usize,
}

impl Case {
    fn options(&self) -> stride_copy_options {
        stride_copy_options { flags: self.flags, cpu_level: self.cpu_level, fill: self.fill, ..DEFAULTS }
    }

    /// The allocations are larger than the buffers named, so that stray writes show.
    fn memory(&self, random: &mut Random) -> Buffers {
        let dst_bytes = self.dst.extent() as usize * self.width + random.below(40) as usize;
        let src_bytes = self.src.extent() as usize * self.width;
        let dst = random.bytes(self.dst_shift + dst_bytes + 64);
        let src = random.bytes(self.src_shift + src_bytes + 64);
        Buffers { dst, src, expected: vec![], dst_bytes, src_bytes }
    }

    fn buffers(&self, random: &mut Random) -> Buffers {
        let Buffers { dst, src, dst_bytes, src_bytes, .. } = self.memory(random);
        let mut expected = dst.clone();
        let buffer = &mut expected[self.dst_shift..self.dst_shift + dst_bytes];
        if self.flags & STRIDE_COPY_FILL_BUFFER != 0 {
            oracle::fill_rest(buffer, &self.dst, self.width, &self.fill);
        }
        oracle::copy(buffer, &self.dst, &src[self.src_shift..], &self.src, self.width);
        Buffers { dst, src, expected, dst_bytes, src_bytes }
    }
}

impl Buffers {
    /// Closes what the copy of a case into `dst` has no business with.
    fn closed(&self, case: &Case, dst: &[u8]) -> [Closed; 2] {
        let around = |buffer: &[u8], side: &Side, shift: usize| {
            Closed::gaps(buffer.as_ptr_range(), case.width, |mark| {
                side.offsets().iter().for_each(|&offset| mark(shift + offset as usize * case.width));
            })
        };
        let to = match case.flags & STRIDE_COPY_FILL_BUFFER {
            0 => around(dst, &case.dst, case.dst_shift),
            _ => Closed::gaps(dst.as_ptr_range(), self.dst_bytes, |mark| mark(case.dst_shift)),
        };
        [around(&self.src, &case.src, case.src_shift), to]
    }
}

/// One random copy by an instruction set and a store: by one call, by a plan, in parts. Its elements, and whether a
/// kernel of that set ran.
pub fn copy_of_level(random: &mut Random, level: Level, memory: u64) -> (usize, bool) {
    // Now and then matrices of many tiles.
    let sizes = match random.one_in(8) {
        true => oracle::long_sizes(random),
        false => oracle::random_sizes(random),
    };
    let mut case = case_of(random, &sizes);
    if random.one_in(8) {
        case.flags |= STRIDE_COPY_SMALL_STACK;
    }
    let elements = case.dst.offsets().len();
    (elements, kernel_of(copy_case(random, case, level, memory)).level == level)
}

/// The kernel that a plan's second word names.
fn kernel_of(shape: u64) -> &'static Kernel {
    &KERNELS[(shape & KERNEL) as usize]
}

/// [`copy_of_level`] of a given case; the plan's second word.
fn copy_case(random: &mut Random, mut case: Case, level: Level, memory: u64) -> u64 {
    case.cpu_level = level as u32;
    let buffers = case.buffers(random);
    let dtype = bytes_dtype(case.width);
    let (dst_layout, src_layout) = (case.dst.layout(dtype), case.src.layout(dtype));
    let options = case.options();
    let src = buffers.src[case.src_shift..].as_ptr().cast();
    let (dst_bytes, src_bytes) = (buffers.dst_bytes as u64, buffers.src_bytes as u64);

    let mut once = buffers.dst.clone();
    let closed = buffers.closed(&case, &once);
    let dst = once[case.dst_shift..].as_mut_ptr().cast();
    // SAFETY: both allocations hold the bytes that the lengths name.
    let status = unsafe { stride_copy(&dst_layout, dst, dst_bytes, &src_layout, src, src_bytes, &options, null_mut()) };
    drop(closed);
    assert_eq!(status, Status::Ok.number(), "{case:?}");
    assert!(once == buffers.expected, "one call: {case:?}");

    let mut plan = stride_plan { words: [0xEEEE_EEEE_EEEE_EEEE; 512] };
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init(&mut plan, &dst_layout, &src_layout, &options, null_mut()) };
    assert_eq!(status, Status::Ok.number(), "{case:?}");
    let shape = plan.words[1];
    assert!(kernel_of(shape).level <= level, "{case:?}");
    // The ways of large copies, which these are not: fetching ahead, streaming, crowded rows, staged, and the hints.
    plan.words[1] &= !(0xFF << STORE | 0xFF << HINTS);
    plan.words[1] |=
        (memory | random.pick(&[0, 1, 3]) << 4) << STORE | (random.below(hints::ALL as u64 + 1) as u64) << HINTS;
    let mut planned = buffers.dst.clone();
    let closed = buffers.closed(&case, &planned);
    let dst = planned[case.dst_shift..].as_mut_ptr().cast();
    // SAFETY: as above.
    let status = unsafe { stride_plan_execute(&plan, dst, dst_bytes, src, src_bytes, null_mut()) };
    drop(closed);
    assert_eq!(status, Status::Ok.number(), "{case:?}");
    assert!(planned == buffers.expected, "planned: {case:?}");

    let parts = random.pick(&[1, 2, 3, 5, 16, 1000]).min(if random.one_in(50) { 1000 } else { 16 });
    let mut order: Vec<u32> = (0..parts).collect();
    random.shuffle(&mut order);
    let mut in_parts = buffers.dst.clone();
    let closed = buffers.closed(&case, &in_parts);
    let dst = in_parts[case.dst_shift..].as_mut_ptr().cast();
    for part in order {
        // SAFETY: as above.
        let status =
            unsafe { stride_plan_execute_part(&plan, dst, dst_bytes, src, src_bytes, part, parts, null_mut()) };
        assert_eq!(status, Status::Ok.number(), "part {part} of {parts}: {case:?}");
    }
    drop(closed);
    assert!(in_parts == buffers.expected, "{parts} parts: {case:?}");
    shape
}

/// Each instruction set with each store.
#[test]
fn copies_of_every_level_equal_the_naive_loop() {
    let (mut elements, levels) = (0, levels());
    for &level in &levels {
        let (mut own, mut done) = (0, [0; 4]);
        oracle::cases(SEED + ((level as u64) << 32), oracle::sample(24_500), |random| {
            let memory = done.iter().sum::<u64>() % 4;
            let (of_case, by_level) = copy_of_level(random, level, memory);
            (elements, own) = (elements + of_case, own + u32::from(by_level));
            done[memory as usize] += 1;
        });
        assert!(oracle::is_sample() || done == [6_125; 4], "{done:?}");
        assert!(oracle::is_sample() || own > 10_000, "only {own} copies had a kernel of {}", level.name());
    }
    assert!(
        oracle::is_sample() || elements > 5_000_000 * levels.len(),
        "the cases are too small to show anything: {elements} elements"
    );
}

/// A transpose whose elements are short runs that are read in another order: byte-swapped numbers,
/// pixels with their channels in another order; in rows with gaps, of several matrices.
///
/// Whether it is planned as that.
fn transpose_of_blocks(random: &mut Random, level: Level, memory: u64) -> bool {
    let width = random.pick(&[1, 1, 2, 3, 4, 5, 8]);
    let mut elements = 16 / width as i64;
    let mut sizes = vec![1 + random.below(3)];
    for _ in 0..2 {
        let most = random.pick(&[9, 40, 300]);
        sizes.push(1 + random.below(most));
    }
    // One or two loops inside the element.
    for _ in 0..1 + random.below(2) {
        let count = 1 + random.below(elements as u64);
        elements = (elements / count).max(1);
        sizes.push(count);
    }
    let (block, gap) = (sizes[3..].iter().product::<i64>(), |random: &mut Random| random.pick(&[0, 0, 1, 7, 16]));
    let dst_row = sizes[2] * block + gap(random);
    let mut dst_strides = vec![sizes[1] * dst_row + gap(random), dst_row, block];
    let src_row = sizes[1] * block + gap(random);
    let mut src_strides = vec![sizes[2] * src_row + gap(random), block, src_row];
    let (mut outer, mut inner) = (block, 1);
    for &count in &sizes[3..] {
        outer /= count;
        dst_strides.push(outer);
        src_strides.push(random.pick(&[inner, -inner, -inner]));
        inner *= count;
    }
    if random.one_in(4) {
        let at = 1 + random.below(2) as usize;
        src_strides[at] = -src_strides[at]; // and the matrix itself from its other end
    }
    let case = Case {
        width,
        dst: Side::new(&sizes, &dst_strides, 0),
        src: Side::new(&sizes, &src_strides, 0),
        dst_shift: random.pick(&[0, 0, 1, 16]),
        src_shift: random.below(9) as usize,
        flags: random.pick(&[0, 0, STRIDE_COPY_FILL_BUFFER]),
        cpu_level: 0,
        fill: [0xA5; 16],
    };
    let shape = copy_case(random, case, level, memory);
    kernel_of(shape).family == Family::Transpose && shape >> CHUNK & 15 != 0
}

#[test]
fn transposes_of_blocks_equal_the_naive_loop() {
    for &level in &levels() {
        let (mut number, mut of_blocks) = (0, 0);
        oracle::cases(SEED + 77 + ((level as u64) << 32), oracle::sample(500), |random| {
            number += 1;
            of_blocks += u32::from(transpose_of_blocks(random, level, number % 4));
        });
        let least = if level == Level::Scalar { 0 } else { 100 };
        assert!(oracle::is_sample() || of_blocks >= least, "{} transposes of blocks by {}", of_blocks, level.name());
    }
}

/// What a copy that takes makes of a destination: `list` says the source's index along `axis`, -1 the fill value.
fn taken(case: &Case, list: &[i64], axis: usize, src_size: i64, buffers: &Buffers) -> Vec<u8> {
    let mut expected = buffers.dst.clone();
    let buffer = &mut expected[case.dst_shift..case.dst_shift + buffers.dst_bytes];
    if case.flags & STRIDE_COPY_FILL_BUFFER != 0 {
        oracle::fill_rest(buffer, &case.dst, case.width, &case.fill);
    }
    let sources = case.src.offsets();
    let inside: i64 = case.dst.sizes[axis + 1..].iter().product();
    for (number, offset) in case.dst.offsets().into_iter().enumerate() {
        let number = number as i64;
        let (outer, at, inner) =
            (number / (inside * case.dst.sizes[axis]), number / inside % case.dst.sizes[axis], number % inside);
        let to = &mut buffer[offset as usize * case.width..][..case.width];
        match list[at as usize] {
            -1 => to.iter_mut().enumerate().for_each(|(k, byte)| *byte = case.fill[k % 16]),
            index => {
                let from = sources[((outer * src_size + index) * inside + inner) as usize];
                to.copy_from_slice(&buffers.src[case.src_shift + from as usize * case.width..][..case.width]);
            }
        }
    }
    expected
}

/// Copies whose source is taken by a list along a dimension: pixels above all, in one call and in parts.
#[test]
fn copies_that_take_equal_the_naive_loop() {
    let (mut elements, mut filled) = (0, 0);
    oracle::cases(SEED + 290, oracle::sample(6_000), |random| {
        let pixels = random.one_in(2);
        let mut sizes = if random.one_in(6) { oracle::long_sizes(random) } else { oracle::random_sizes(random) };
        if sizes.is_empty() {
            sizes.push(3);
        }
        sizes.truncate(4);
        let axis = if pixels { sizes.len() - 1 } else { random.below(sizes.len() as u64) as usize };
        let (src_size, count) = match pixels {
            true => (1 + random.below(6), 1 + random.below(8)),
            false => (1 + random.below(5), sizes[axis].min(64)),
        };
        sizes[axis] = count;
        let mut src_sizes = sizes.clone();
        src_sizes[axis] = src_size;
        let list: Vec<i64> =
            (0..count).map(|_| if random.one_in(5) { -1 } else { random.below(src_size as u64) }).collect();
        let mut case = case_of(random, &sizes);
        let packed = |sizes: &[i64], gap: i64| {
            let mut strides = vec![1; sizes.len()];
            (0..sizes.len() - 1)
                .rev()
                .for_each(|k| strides[k] = strides[k + 1] * sizes[k + 1] + if k == 0 { gap } else { 0 });
            strides
        };
        if pixels {
            let gap = random.pick(&[0, 0, 1, 5]);
            case.dst = Side::new(&sizes, &packed(&sizes, gap), random.below(3));
            let mut strides = packed(&src_sizes, random.pick(&[0, 0, 2]));
            if random.one_in(3) {
                strides[axis] = -1;
            }
            case.src = Side::new(&src_sizes, &strides, random.below(3));
            case.width = random.pick(&[1, 1, 1, 2, 4, 8, 3, 17, 21, 33]);
        } else {
            let strides = oracle::source_strides(random, &src_sizes);
            case.src = Side::new(&src_sizes, &strides, random.below(3));
        }
        let mut buffers = case.memory(random);
        buffers.expected = taken(&case, &list, axis, src_size, &buffers);
        (elements, filled) = (elements + case.dst.offsets().len(), filled + usize::from(list.contains(&-1)));
        let dtype = bytes_dtype(case.width);
        let (dst_layout, src_layout) = (case.dst.layout(dtype), case.src.layout(dtype));
        let (dst_bytes, src_bytes) = (buffers.dst_bytes as u64, buffers.src_bytes as u64);
        let (options, src) = (case.options(), buffers.src[case.src_shift..].as_ptr().cast());
        let runs = runs_of(&list);
        let (to_side, from_side) = (side(&dst_layout), through(side(&src_layout), axis, &runs));
        let case = format!("{list:?} along {axis}: {case:?}");
        let mut once = buffers.dst.clone();
        let dst = once[buffers.dst.len() - 64 - buffers.dst_bytes..].as_mut_ptr().cast();
        // SAFETY: both allocations hold the bytes that the lengths name; plain structs.
        unsafe {
            let status = stride_copy_sides(&to_side, dst, dst_bytes, &from_side, src, src_bytes, &options, null_mut());
            assert_eq!(status, Status::Ok.number(), "{case}");
            assert!(once == buffers.expected, "{case}");
            let mut plan = stride_plan { words: [0xEEEE_EEEE_EEEE_EEEE; 512] };
            let status = stride_plan_init_sides(&mut plan, &to_side, &from_side, &options, null_mut());
            assert_eq!(status, Status::Ok.number(), "{case}");
            let mut in_parts = buffers.dst.clone();
            let dst = in_parts[buffers.dst.len() - 64 - buffers.dst_bytes..].as_mut_ptr().cast();
            for part in [2, 0, 1] {
                let status = stride_plan_execute_part(&plan, dst, dst_bytes, src, src_bytes, part, 3, null_mut());
                assert_eq!(status, Status::Ok.number(), "{case}");
            }
            assert!(in_parts == buffers.expected, "in parts: {case}");
        }
    });
    assert!(oracle::is_sample() || (elements > 1_000_000 && filled > 2_000), "{elements} elements, {filled} filled");
}

/// Short rows of pixels, of every length and at every place in a line, upward and downward: what lies after stays.
#[test]
fn pixels_of_short_rows_stay_in_their_rows() {
    let lists: &[(i64, &[i64])] = &[
        (3, &[2, 1, 0, -1]),
        (1, &[0, 0, 0, -1]),
        (2, &[1, 1, 1, 0]),
        (4, &[2, 1, 0, 3]),
        (4, &[2, 1, 0]),
        (4, &[3, 0]),
    ];
    let widths: &[i64] =
        if cfg!(miri) { &[20] } else { &[1, 2, 3, 5, 8, 9, 13, 16, 17, 18, 19, 23, 30, 31, 33, 46, 64, 78, 130] };
    for (&pixels, &(channels, list)) in widths.iter().flat_map(|width| lists.iter().map(move |list| (width, list))) {
        for (size, downward) in [(1usize, false), (1, true), (2, true), (2, false), (4, true), (4, false)] {
            let count = list.len() as i64;
            let (rows, step) = (2, if downward { -channels } else { channels });
            let src = Side::new(&[rows, pixels, channels], &[pixels * channels + 3, step, 1], 0);
            let dst = Side::new(&[rows, pixels, count], &[pixels * count + 5, count, 1], 0);
            let memory: Vec<u8> = (0..src.extent() as usize * size).map(|k| (k * 7 + 1) as u8).collect();
            let (sources, targets) = (src.offsets(), dst.offsets());
            let (dst_layout, src_layout) = (dst.layout(bytes_dtype(size)), src.layout(bytes_dtype(size)));
            let runs = runs_of(list);
            let (to_side, from_side) = (side(&dst_layout), through(side(&src_layout), 2, &runs));
            let length = dst.extent() as usize * size;
            let mut room = vec![0u8; length + 256];
            let begin = room.as_ptr().align_offset(64);
            for shift in (0..64).step_by(if cfg!(miri) { 24 } else { size }) {
                room.fill(0xA5);
                let at = begin + shift;
                let mut expected = room.clone();
                for (number, &to) in targets.iter().enumerate() {
                    let (pixel, k) = (number / count as usize, number % count as usize);
                    let to = at + to as usize * size;
                    match list[k] {
                        -1 => expected[to..to + size].fill(7),
                        index => {
                            let from = sources[pixel * channels as usize + index as usize] as usize * size;
                            expected[to..to + size].copy_from_slice(&memory[from..from + size]);
                        }
                    }
                }
                let options = stride_copy_options { fill: [7; 16], ..DEFAULTS };
                // SAFETY: both allocations hold the bytes that the lengths name.
                let status = unsafe {
                    let (to, from) = (room[at..].as_mut_ptr().cast(), memory.as_ptr().cast());
                    let (to_bytes, from_bytes) = (length as u64, memory.len() as u64);
                    stride_copy_sides(&to_side, to, to_bytes, &from_side, from, from_bytes, &options, null_mut())
                };
                let case =
                    format!("{list:?} of {channels}, {pixels} pixels of {size}, downward {downward}, at {shift}");
                assert_eq!(status, Status::Ok.number(), "{case}");
                assert!(room == expected, "{case}");
            }
        }
    }
}

/// Other sizes with as many elements.
fn regrouped(random: &mut Random, sizes: &[i64]) -> Vec<i64> {
    let mut rest: i64 = sizes.iter().product();
    let mut out = Vec::new();
    while rest > 1 && out.len() < 5 {
        let divisors: Vec<i64> = (1..=rest.min(64)).filter(|of| rest % of == 0).collect();
        let size = random.pick(&divisors);
        out.push(size);
        rest /= size;
    }
    if rest != 1 || random.one_in(4) {
        out.insert(random.below(out.len() as u64 + 1) as usize, rest);
    }
    out
}

/// Ranges of elements in row-major order between other sizes: one call, and a plan in parts.
#[test]
fn copies_in_row_major_order_equal_the_naive_loop() {
    let (mut elements, mut pieces) = (0, 0);
    oracle::cases(SEED + 472, oracle::sample(6_000), |random| {
        let sizes = if random.one_in(5) { oracle::long_sizes(random) } else { oracle::random_sizes(random) };
        if sizes.contains(&0) || sizes.iter().product::<i64>() > 40_000 {
            return;
        }
        let others = regrouped(random, &sizes);
        let mut case = case_of(random, &sizes);
        case.flags &= !STRIDE_COPY_ASSUME_DISTINCT;
        case.dst = Side::new(&others, &oracle::distinct_strides(random, &others), random.below(3));
        let all = sizes.iter().product::<i64>();
        let (first, count) = match random.one_in(3) {
            true => ([0, 0], all),
            false => {
                let firsts = [random.below(all as u64), random.below(all as u64)];
                (firsts, random.below((all - firsts[0].max(firsts[1])) as u64 + 1))
            }
        };
        let buffers = case.memory(random);
        let mut expected = buffers.dst.clone();
        let (to, from) = (case.dst.offsets(), case.src.offsets());
        if case.flags & STRIDE_COPY_FILL_BUFFER != 0 {
            // What is not in the range is not reached.
            let kept: Vec<usize> = (first[0]..first[0] + count).map(|k| to[k as usize] as usize * case.width).collect();
            let fill = |at: usize| case.fill[at % case.width % 16];
            let buffer = &mut expected[case.dst_shift..case.dst_shift + buffers.dst_bytes];
            let mut reached = vec![false; buffer.len()];
            kept.iter().for_each(|&at| reached[at..at + case.width].fill(true));
            buffer.iter_mut().enumerate().filter(|(at, _)| !reached[*at]).for_each(|(at, byte)| *byte = fill(at));
        }
        for k in 0..count {
            let at = case.dst_shift + to[(first[0] + k) as usize] as usize * case.width;
            let from = case.src_shift + from[(first[1] + k) as usize] as usize * case.width;
            expected[at..at + case.width].copy_from_slice(&buffers.src[from..from + case.width]);
        }
        elements += count;
        let dtype = bytes_dtype(case.width);
        let (dst_layout, src_layout) = (case.dst.layout(dtype), case.src.layout(dtype));
        let (dst_bytes, src_bytes) = (buffers.dst_bytes as u64, buffers.src_bytes as u64);
        let src = buffers.src[case.src_shift..].as_ptr().cast();
        let options = case.options();
        let case_text = format!("{count} from {first:?}: {case:?}");
        let (to_side, from_side) =
            (range(side(&dst_layout), first[0], count), range(side(&src_layout), first[1], count));
        // SAFETY: both allocations hold the bytes that the lengths name; plain structs.
        unsafe {
            let mut once = buffers.dst.clone();
            let dst = once[case.dst_shift..].as_mut_ptr().cast();
            let status = stride_copy_sides(&to_side, dst, dst_bytes, &from_side, src, src_bytes, &options, null_mut());
            assert_eq!(status, Status::Ok.number(), "{case_text}");
            assert!(once == expected, "{case_text}");
            let mut plan = stride_plan { words: [0xEEEE_EEEE_EEEE_EEEE; 512] };
            let status = stride_plan_init_sides(&mut plan, &to_side, &from_side, &options, null_mut());
            assert_eq!(status, Status::Ok.number(), "{case_text}");
            pieces += u32::from(kind_in_use(plan.words[1]) == 3);
            let mut in_parts = buffers.dst.clone();
            let dst = in_parts[case.dst_shift..].as_mut_ptr().cast();
            for part in [1, 2, 0] {
                let status = stride_plan_execute_part(&plan, dst, dst_bytes, src, src_bytes, part, 3, null_mut());
                assert_eq!(status, Status::Ok.number(), "{case_text}");
            }
            assert!(in_parts == expected, "in parts: {case_text}");
        }
    });
    assert!(oracle::is_sample() || (elements > 500_000 && pieces > 500), "{elements}, {pieces} in pieces");
}

/// A copy between random byte orders: one call, a plan in parts, and the comparison of both sides.
#[test]
fn copies_between_byte_orders_equal_the_naive_loop() {
    let (mut swapped, mut elements) = (0, 0);
    oracle::cases(SEED + 97, oracle::sample(6_000), |random| {
        let sizes = if random.one_in(4) { oracle::long_sizes(random) } else { oracle::random_sizes(random) };
        let mut case = case_of(random, &sizes);
        let (dtype, part) = random.pick(&[
            (Dtype::S16, 2),
            (Dtype::BF16, 2),
            (Dtype::F32, 4),
            (Dtype::U64, 8),
            (Dtype::C64, 4),
            (Dtype::C128, 8),
        ]);
        case.width = dtype.bits() as usize / 8;
        let pick = |random: &mut Random| if random.one_in(2) { dtype.swapped() } else { dtype };
        let (to, from) = (pick(random), pick(random));
        let mut buffers = case.buffers(random);
        if to != from {
            for offset in case.dst.offsets() {
                let at = case.dst_shift + offset as usize * case.width;
                buffers.expected[at..at + case.width].chunks_mut(part).for_each(<[u8]>::reverse);
            }
            swapped += 1;
        }
        elements += case.dst.offsets().len();
        let (dst_layout, src_layout) = (case.dst.layout(to.code()), case.src.layout(from.code()));
        let (dst_bytes, src_bytes) = (buffers.dst_bytes as u64, buffers.src_bytes as u64);
        let (options, src) = (case.options(), buffers.src[case.src_shift..].as_ptr().cast());
        let mut once = buffers.dst.clone();
        let dst = once[case.dst_shift..].as_mut_ptr().cast();
        // SAFETY: both allocations hold the bytes that the lengths name; plain structs.
        unsafe {
            let status = stride_copy(&dst_layout, dst, dst_bytes, &src_layout, src, src_bytes, &options, null_mut());
            assert_eq!(status, Status::Ok.number(), "{to} from {from}: {case:?}");
            assert!(once == buffers.expected, "{to} from {from}: {case:?}");
            let mut first = 0;
            let (dst, same) = (once[case.dst_shift..].as_ptr().cast(), &mut first);
            let status = stride_compare(&dst_layout, dst, dst_bytes, &src_layout, src, src_bytes, same, null_mut());
            assert_eq!((status, first), (Status::Ok.number(), -1), "{to} and {from}: {case:?}");
            let mut plan = stride_plan { words: [0xEEEE_EEEE_EEEE_EEEE; 512] };
            assert_eq!(stride_plan_init(&mut plan, &dst_layout, &src_layout, &options, null_mut()), 0, "{case:?}");
            let mut in_parts = buffers.dst.clone();
            let dst = in_parts[case.dst_shift..].as_mut_ptr().cast();
            for part in 0..3 {
                let status = stride_plan_execute_part(&plan, dst, dst_bytes, src, src_bytes, part, 3, null_mut());
                assert_eq!(status, Status::Ok.number(), "{case:?}");
            }
            assert!(in_parts == buffers.expected, "{to} from {from}, in parts: {case:?}");
        }
    });
    assert!(oracle::is_sample() || (swapped > 2_000 && elements > 1_000_000), "{swapped} swapped, {elements} elements");
}

/// Runs each part of a copy on a buffer of its own: a byte that two of them changed was written twice. All together
/// make the copy. How many parts had work.
fn run_apart(case: &Case, random: &mut Random, parts: u32) -> usize {
    let buffers = case.buffers(random);
    let dtype = bytes_dtype(case.width);
    let (dst_layout, src_layout) = (case.dst.layout(dtype), case.src.layout(dtype));
    let mut plan = stride_plan { words: [0; 512] };
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init(&mut plan, &dst_layout, &src_layout, &case.options(), null_mut()) };
    assert_eq!(status, Status::Ok.number(), "{case:?}");
    let run = |plan: &stride_plan, dst: &mut [u8], src: &[u8], part| {
        let (bytes, src_bytes) = (buffers.dst_bytes as u64, buffers.src_bytes as u64);
        let dst = dst.as_mut_ptr().cast();
        // SAFETY: both allocations hold the bytes that the lengths name.
        let status = unsafe {
            stride_plan_execute_part(plan, dst, bytes, src.as_ptr().cast(), src_bytes, part, parts, null_mut())
        };
        assert_eq!(status, Status::Ok.number(), "part {part} of {parts}: {case:?}");
    };
    let mut together = buffers.dst.clone();
    (0..parts).for_each(|part| run(&plan, &mut together[case.dst_shift..], &buffers.src[case.src_shift..], part));
    assert!(together == buffers.expected, "{parts} parts: {case:?}");

    // Every source byte is 0x55, so that writing it over 0xAA always shows.
    let src = vec![0x55u8; buffers.src.len()];
    let mut written = vec![0u32; buffers.dst_bytes];
    let mut busy = 0;
    plan.words[8] = 0x5555_5555_5555_5555;
    plan.words[9] = 0x5555_5555_5555_5555;
    for part in 0..parts {
        let mut dst = vec![0xAAu8; buffers.dst_bytes];
        run(&plan, &mut dst, &src, part);
        written.iter_mut().zip(&dst).for_each(|(count, &byte)| *count += u32::from(byte != 0xAA));
        busy += usize::from(dst.iter().any(|&byte| byte != 0xAA));
    }
    let most = written.iter().max().copied().unwrap_or(0);
    assert!(most <= 1, "a byte was written by {most} of {parts} parts: {case:?}");
    if case.flags & STRIDE_COPY_FILL_BUFFER != 0 {
        assert!(written.iter().all(|&count| count == 1), "{case:?}");
    }
    busy
}

#[test]
fn parts_never_share_a_destination_byte() {
    let mut random = Random::new(SEED + 1);
    let mut shared_out = 0;
    for _ in 0..oracle::times(3_000) {
        // Small copies are not worth a second part.
        let sizes = match random.one_in(2) {
            true => oracle::long_sizes(&mut random),
            false => oracle::random_sizes(&mut random),
        };
        let mut case = case_of(&mut random, &sizes);
        case.flags &= !STRIDE_COPY_ASSUME_DISTINCT;
        let parts = random.pick(&[2, 3, 7, 64]);
        shared_out += u32::from(run_apart(&case, &mut random, parts) > 1);
    }
    assert!(oracle::is_sample() || shared_out > 300, "only {shared_out} copies had work for a second part");
}

/// Parts that are less than what a kernel of the whole moves at once: one pixel of a row of pixels with gaps that are
/// reversed; a few rows, or columns, of a transpose.
#[test]
#[cfg_attr(miri, ignore = "megabytes")]
fn parts_that_cut_blocks_and_tiles() {
    let mut random = Random::new(SEED + 2);
    let pixels = [23, 23, 23, 16, 3];
    let rows_of_pixels = |step| Side::new(&pixels, &[26_450, 1_150, 50, 3, step], 0);
    let matrix = [100, 1025];
    for level in levels() {
        for flags in [0, STRIDE_COPY_FILL_BUFFER] {
            let mut case = Case {
                width: 1,
                dst: rows_of_pixels(1),
                src: rows_of_pixels(-1),
                dst_shift: 0,
                src_shift: 0,
                flags,
                cpu_level: level as u32,
                fill: [7; 16],
            };
            for parts in [24, 100, 148] {
                assert!(run_apart(&case, &mut random, parts) > 23, "{parts} parts have work: {case:?}");
            }
            (case.width, case.dst, case.src) = (4, Side::new(&matrix, &[1025, 1], 0), Side::new(&matrix, &[1, 100], 0));
            for parts in [2, 7, 33, 64, 100] {
                assert!(run_apart(&case, &mut random, parts) > 1, "{parts} parts have work: {case:?}");
            }
        }
    }
}

/// A fill and a comparison of random layouts.
pub fn fill_and_compare(random: &mut Random) {
    let mut case = random_case(random);
    // A fill may write an element many times.
    if random.one_in(2) {
        let strides = oracle::source_strides(random, &case.dst.sizes);
        case.dst = Side::new(&case.dst.sizes, &strides, 0);
    }
    let (width, dtype) = (case.width, bytes_dtype(case.width));
    let bytes = case.dst.extent() as usize * width;
    let value = random.bytes(width);
    let mut filled = random.bytes(bytes + 16);
    let mut expected = filled.clone();
    oracle::fill(&mut expected, &case.dst, &value);
    let layout = case.dst.layout(dtype);
    // SAFETY: `filled` holds `bytes` bytes and more, `value` one element.
    let status =
        unsafe { stride_fill(&layout, filled.as_mut_ptr().cast(), bytes as u64, value.as_ptr().cast(), null_mut()) };
    assert_eq!(status, Status::Ok.number(), "{case:?}");
    assert!(filled == expected, "fill: {case:?}");

    // Compare a tensor with its packed copy in which one byte may be changed.
    let src_bytes = case.src.extent() as usize * width;
    let src = random.bytes(src_bytes);
    let sizes = &case.src.sizes;
    let mut packed_strides = vec![1i64; sizes.len()];
    for d in (0..sizes.len().saturating_sub(1)).rev() {
        packed_strides[d] = packed_strides[d + 1] * sizes[d + 1];
    }
    let packed = Side::new(sizes, &packed_strides, 0);
    let count = packed.offsets().len();
    let mut other = vec![0; count * width];
    oracle::copy(&mut other, &packed, &src, &case.src, width);
    let mut expected = -1;
    if count > 0 && random.one_in(2) {
        let byte = random.below((count * width) as u64) as usize;
        other[byte] ^= 1;
        expected = (byte / width) as i64;
    }
    let mut found = 7;
    // SAFETY: both allocations hold the bytes that the lengths name.
    let status = unsafe {
        let (lhs, rhs) = (case.src.layout(dtype), packed.layout(dtype));
        let (lhs_data, rhs_data) = (src.as_ptr().cast(), other.as_ptr().cast());
        let (lhs_bytes, rhs_bytes) = (src.len() as u64, other.len() as u64);
        stride_compare(&lhs, lhs_data, lhs_bytes, &rhs, rhs_data, rhs_bytes, &mut found, null_mut())
    };
    assert_eq!((status, found), (Status::Ok.number(), expected), "compare: {case:?}");
}

#[test]
fn fills_and_compares_equal_the_naive_loop() {
    oracle::cases(SEED + (1 << 40), oracle::sample(20_000), fill_and_compare);
}

/// A fill whose value lies in each place of the buffer in turn; two dimensions that reach the same elements among them.
#[test]
fn values_in_each_place_of_what_they_fill() {
    for (sizes, strides) in [
        (vec![4, 4], vec![2, 3]),
        (vec![3, 4], vec![1, 1]),
        (vec![3, 4], vec![2, 4]),
        (vec![2, 3], vec![6, 2]),
        (vec![4], vec![-3]),
        (vec![], vec![]),
    ] {
        let filled = Side::new(&sizes, &strides, 1);
        for place in 0..20usize {
            let mut buffer: Vec<u32> = (0..20).collect();
            let before = buffer.clone();
            let base = buffer.as_mut_ptr();
            // SAFETY: an element of the buffer.
            let value = unsafe { base.add(place) };
            let layout = filled.layout(bytes_dtype(4));
            // SAFETY: as long as its length says.
            let status = unsafe { stride_fill(&layout, base.cast(), 80, value.cast_const().cast(), null_mut()) };
            // One element alone is its own value, which is no harm.
            if filled.offsets().contains(&(place as i64)) && !sizes.is_empty() {
                assert_eq!((status, buffer), (Status::Overlap.number(), before), "{filled:?} {place}");
                continue;
            }
            let mut expected = before.clone();
            filled.offsets().iter().for_each(|&at| expected[at as usize] = place as u32);
            assert_eq!((status, buffer), (Status::Ok.number(), expected), "{filled:?} {place}");
        }
        // A buffer that ends inside the last element is not touched.
        let mut buffer = [7u32; 20];
        let (base, bytes) = (buffer.as_mut_ptr(), 4 * filled.extent() as u64 - 1);
        // SAFETY: longer than its length says.
        let status = unsafe {
            stride_fill(&filled.layout(bytes_dtype(4)), base.cast(), bytes, [1u32].as_ptr().cast(), null_mut())
        };
        assert_eq!((status, buffer), (Status::OutOfBounds.number(), [7; 20]), "{filled:?}");
    }
}

/// A copy whose sides lie in one buffer, in `tally`: apart, refused, by direction or the same, by scratch, undecided in
/// haste.
pub fn copy_inside_one_buffer(random: &mut Random, tally: &mut [u32; 5]) {
    let mut case = random_case(random);
    case.flags = 0;
    if random.one_in(3) {
        // Equal steps: a shift within one image.
        case.src = Side::new(&case.src.sizes, &case.dst.strides, random.below(6));
    }
    let (width, dtype) = (case.width.min(8), bytes_dtype(case.width.min(8)));
    let elements = case.dst.extent().max(case.src.extent()) as usize;
    let memory = random.bytes(elements * width);
    let bytes = memory.len() as u64;
    let (dst_layout, src_layout) = (case.dst.layout(dtype), case.src.layout(dtype));
    let reached: std::collections::HashSet<i64> = case.dst.offsets().into_iter().collect();
    let shares = case.src.offsets().iter().any(|offset| reached.contains(offset));
    let same = case.dst.offsets() == case.src.offsets();
    let mut expected = memory.clone();
    oracle::copy(&mut expected, &case.dst, &memory, &case.src, width);

    let mut here = memory.clone();
    let base = here.as_mut_ptr();
    // SAFETY: one allocation of `bytes` bytes for both sides.
    let status =
        unsafe { stride_copy(&dst_layout, base.cast(), bytes, &src_layout, base.cast(), bytes, &DEFAULTS, null_mut()) };
    if shares && !same {
        assert_eq!(status, Status::Overlap.number(), "{case:?}");
        assert!(here == memory, "a refused copy changed memory: {case:?}");
        tally[1] += 1;
    } else {
        assert_eq!(status, Status::Ok.number(), "{case:?}");
        assert!(here == expected, "{case:?}");
        tally[0] += 1;
    }

    // With hardly a step, or on hardly any stack, the answer may be missing, but it is never wrong.
    let flags = if random.one_in(2) { STRIDE_COPY_SMALL_STACK } else { 0 };
    let hasty = stride_copy_options { flags, overlap_budget: random.pick(&[0, 1]), ..DEFAULTS };
    let mut there = memory.clone();
    let base = there.as_mut_ptr();
    let mut error = NO_ERROR;
    // SAFETY: as above.
    let status =
        unsafe { stride_copy(&dst_layout, base.cast(), bytes, &src_layout, base.cast(), bytes, &hasty, &mut error) };
    let right = if shares && !same { Status::Overlap } else { Status::Ok };
    if status == Status::Undecided.number() {
        assert!(error.lhs == [1, 4096][usize::from(hasty.overlap_budget == 0)], "{case:?}: {error:?}");
        tally[4] += 1;
        assert!(there == memory, "an undecided copy changed memory: {case:?}");
    } else {
        assert_eq!(status, right.number(), "{case:?}");
        assert!(there == if right == Status::Ok { &expected } else { &memory }[..], "{case:?}");
    }

    let options = stride_copy_options { flags: STRIDE_COPY_OVERLAP, cpu_level: case.cpu_level, ..DEFAULTS };
    let mut plan = stride_plan { words: [0; 512] };
    let mut here = memory.clone();
    let base = here.as_mut_ptr();
    let mut needed = 0;
    // SAFETY: plain structs and numbers.
    let status = unsafe {
        let status = stride_plan_init(&mut plan, &dst_layout, &src_layout, &options, null_mut());
        assert_eq!(status, Status::Ok.number(), "{case:?}");
        stride_plan_scratch_bytes(&plan, base as u64, base as u64, &mut needed, null_mut())
    };
    assert_eq!(status, Status::Ok.number(), "{case:?}");
    let mut scratch = vec![0u8; needed as usize];
    if needed > 0 {
        let mut error = NO_ERROR;
        // SAFETY: as above.
        let status = unsafe { stride_plan_execute(&plan, base.cast(), bytes, base.cast(), bytes, &mut error) };
        assert_eq!((status, error.lhs), (Status::ScratchNeeded.number(), needed as i64), "{case:?}");
        assert!(here == memory, "{case:?}");
        tally[3] += 1;
    } else if shares {
        tally[2] += 1;
    }
    let base = here.as_mut_ptr();
    // SAFETY: as above; the scratch is an allocation of its own.
    let status = unsafe {
        let scratch_base = scratch.as_mut_ptr().cast();
        let (dst, src) = (base.cast(), base.cast_const().cast());
        stride_plan_execute_scratch(&plan, dst, bytes, src, bytes, scratch_base, needed, null_mut())
    };
    assert_eq!(status, Status::Ok.number(), "{case:?}");
    assert!(here == expected, "{case:?}");
}

#[test]
fn copies_inside_one_buffer_are_refused_or_right() {
    let mut tally = [0; 5];
    oracle::cases(SEED + (2 << 40), oracle::sample(30_000), |random| copy_inside_one_buffer(random, &mut tally));
    assert!(oracle::is_sample() || tally.iter().all(|&count| count > 300), "each way must be taken: {tally:?}");
}

/// Machines that there are and that there cannot be: none changes a result.
#[test]
fn no_machine_changes_a_result() {
    let mut random = Random::new(SEED + 1);
    for number in 0..oracle::times(4_000) {
        let long = number % 8 == 0;
        let sizes = if long { oracle::long_sizes(&mut random) } else { oracle::random_sizes(&mut random) };
        let case = case_of(&mut random, &sizes);
        let mut size = || random.pick(&[0, 1, 64, 1 << 12, 1 << 15, 1 << 20, 1 << 25, 1 << 63, u64::MAX]);
        let machine = stride_machine {
            struct_size: size_of::<stride_machine>() as u32,
            cpu_level: (number % Level::COUNT) as u32,
            first_cache_bytes: size(),
            second_cache_bytes: size(),
            last_cache_bytes: size(),
            measured: std::array::from_fn(|_| size()),
        };
        let Buffers { mut dst, src, expected, dst_bytes, src_bytes } = case.buffers(&mut random);
        let dtype = bytes_dtype(case.width);
        let options = stride_copy_options { machine: &machine, ..case.options() };
        let (to, from) = (dst[case.dst_shift..].as_mut_ptr().cast(), src[case.src_shift..].as_ptr().cast());
        let layouts = (case.dst.layout(dtype), case.src.layout(dtype));
        // SAFETY: allocations as long as the lengths say.
        let status = unsafe {
            let (dst_bytes, src_bytes) = (dst_bytes as u64, src_bytes as u64);
            stride_copy(&layouts.0, to, dst_bytes, &layouts.1, from, src_bytes, &options, null_mut())
        };
        assert_eq!(status, Status::Ok.number(), "case {number}: {case:?}, {machine:?}");
        assert!(dst == expected, "case {number}: {case:?}, {machine:?}");
    }
}

/// The case that these bytes steer: what `fuzz/` runs. All of them pass.
pub fn any_bytes(bytes: &[u8]) -> bool {
    let random = &mut Random::steered(bytes);
    match random.below(4) {
        0 => fill_and_compare(random),
        1 => copy_inside_one_buffer(random, &mut [0; 5]),
        kind => {
            let level = random.pick(&levels());
            let memory = random.below(4) as u64;
            match kind {
                2 => copy_of_level(random, level, memory).1,
                _ => transpose_of_blocks(random, level, memory),
            };
        }
    }
    true
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/copies.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("copies", any_bytes);
}

/// The fill writes all over the buffer, whatever is known of the elements.
#[test]
fn what_is_filled_holds_no_source_of_a_promise() {
    let every_fourth = Side::new(&[4], &[4], 0).layout(bytes_dtype(1));
    for flags in [0, STRIDE_COPY_ASSUME_DISTINCT] {
        let options = stride_copy_options { flags: STRIDE_COPY_FILL_BUFFER | flags, ..DEFAULTS };
        let mut buffer: Vec<u8> = (0..17).collect();
        let base = buffer.as_mut_ptr();
        let mut record = NO_ERROR;
        // SAFETY: 16 bytes from either address on.
        let status = unsafe {
            let (dst, src) = (base.cast(), base.add(1).cast_const().cast());
            stride_copy(&every_fourth, dst, 16, &every_fourth, src, 16, &options, &mut record)
        };
        assert_eq!((status, record.lhs), (Status::Overlap.number(), 1));
        assert!(buffer.iter().copied().eq(0..17));
    }
}
