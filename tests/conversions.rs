//! Copies that convert against the naive loop over every index, whole allocations compared: one call, a plan, and its
//! parts in random order; with and without lists of values, into gaps, in place, and by way of scratch memory.
//!
//! What becomes of a number is asked of the portable kernel, which `convert` holds against exact arithmetic.
#![cfg(unix)]

mod guarded;
mod oracle;

use oracle::{DEFAULTS, NO_ERROR, Random, Side};
use std::ptr::{null, null_mut};
use stride::copy::conversion::{Kind, Steps};
use stride::copy::kernels::number_runs::{NumberRuns, Pass};
use stride::copy::kernels::{Family, KERNELS, converter};
use stride::copy::loops::Loop;
use stride::ffi::conversion::*;
use stride::ffi::copy::*;
use stride::ffi::layout::stride_layout;
use stride::ffi::machine::stride_machine;
use stride::ffi::plan::*;
use stride::machine::Level;
use stride::model::Dtype;

const SEED: u64 = 20_261_130;

const DTYPES: [Dtype; 17] = [
    Dtype::PRED,
    Dtype::S4,
    Dtype::U4,
    Dtype::S8,
    Dtype::U8,
    Dtype::S16,
    Dtype::U16,
    Dtype::S32,
    Dtype::U32,
    Dtype::S64,
    Dtype::U64,
    Dtype::F8E4M3FN,
    Dtype::F8E5M2,
    Dtype::F16,
    Dtype::BF16,
    Dtype::F32,
    Dtype::F64,
];

/// One converting copy.
#[derive(Debug)]
struct Case {
    dtypes: [Dtype; 2],
    sides: [Side; 2],
    values: Option<Side>,
    /// Which of the numbers are lists.
    given: usize,
    flags: u32,
    numbers: [f64; 3],
    options: u32,
    level: u32,
    caches: &'static str,
}

/// Element `at` as the low bits of a number; numbers of the other order become this machine's.
fn get(memory: &[u8], dtype: Dtype, at: i64) -> u64 {
    let bits = dtype.bits();
    if bits < 8 {
        let place = at * bits;
        let shift = if dtype.is_high_first() { 8 - bits - place % 8 } else { place % 8 };
        return u64::from(memory[(place / 8) as usize] >> shift) & ((1 << bits) - 1);
    }
    let width = (bits / 8) as usize;
    let mut bytes = [0; 8];
    bytes[..width].copy_from_slice(&memory[at as usize * width..][..width]);
    if dtype.is_swapped() {
        bytes[..width].reverse();
    }
    u64::from_le_bytes(bytes)
}

fn put(memory: &mut [u8], dtype: Dtype, at: i64, number: u64) {
    let bits = dtype.bits();
    if bits < 8 {
        let place = at * bits;
        let shift = if dtype.is_high_first() { 8 - bits - place % 8 } else { place % 8 };
        let byte = &mut memory[(place / 8) as usize];
        *byte = *byte & !(((1 << bits) - 1) << shift) | (number as u8) << shift;
        return;
    }
    let width = (bits / 8) as usize;
    let mut bytes = number.to_le_bytes();
    if dtype.is_swapped() {
        bytes[..width].reverse();
    }
    memory[at as usize * width..][..width].copy_from_slice(&bytes[..width]);
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let long = random.one_in(6);
        let sizes = if long { oracle::long_sizes(random) } else { oracle::random_sizes(random) };
        Self::of_sizes(random, sizes)
    }

    fn of_sizes(random: &mut Random, sizes: Vec<i64>) -> Self {
        let other = |random: &mut Random, dtype: Dtype| match dtype.bits() {
            _ if !random.one_in(5) => dtype,
            8 => dtype,
            0..8 => dtype.high_first(),
            _ => dtype.swapped(),
        };
        let dtypes = [0; 2].map(|_| {
            let dtype = random.pick(&DTYPES);
            other(random, dtype)
        });
        let margin = random.below(3);
        let dst_strides = oracle::distinct_strides(random, &sizes);
        let dst = Side::new(&sizes, &dst_strides, margin);
        let src_strides = if random.one_in(3) {
            dst_strides.iter().map(|stride| stride.wrapping_abs()).collect()
        } else {
            oracle::source_strides(random, &sizes)
        };
        let src = Side::new(&sizes, &src_strides, random.below(3));
        let affine = random.one_in(2) || dtypes[0].moves_to(dtypes[1]);
        let mut flags = if affine { STRIDE_CONVERT_AFFINE } else { 0 };
        for flag in [STRIDE_CONVERT_NEAREST, STRIDE_CONVERT_SATURATE, STRIDE_CONVERT_FINITE] {
            flags |= if random.one_in(3) { flag } else { 0 };
        }
        if affine {
            for flag in [STRIDE_CONVERT_DIVIDE, STRIDE_CONVERT_ADD_LAST] {
                flags |= if random.one_in(3) { flag } else { 0 };
            }
        }
        let values = (affine && random.one_in(2)).then(|| {
            let strides: Vec<i64> = sizes.iter().map(|_| random.pick(&[0, 0, 0, 1, 1, -1, 3])).collect();
            Side::new(&sizes, &strides, random.below(3))
        });
        let given = if values.is_some() { 1 + random.below(7) as usize } else { 0 };
        let options = if random.one_in(4) { STRIDE_COPY_FILL_BUFFER } else { 0 }
            | if random.one_in(5) { STRIDE_COPY_SMALL_STACK } else { 0 };
        Self {
            dtypes,
            sides: [dst, src],
            values,
            given,
            flags,
            numbers: [
                random.pick(&[0.0, 1.5, -100.0, 0.1]),
                random.pick(&[1.0, 0.125, -3.0, 0.3]),
                random.pick(&[0.0, 7.0, -128.0, 16_777_217.0]),
            ],
            options,
            level: random.pick(&oracle::levels()) as u32,
            caches: random.pick(&["first=32768", "second=256 last=512", "second=256 last=512 stream_late_from=1"]),
        }
    }

    fn bytes(&self, side: usize) -> usize {
        ((self.sides[side].extent() * self.dtypes[side].bits()) as usize).div_ceil(8)
    }

    /// Its struct.
    fn conversion(&self, values: Option<&stride_layout>, lists: &[Vec<f32>; 3]) -> stride_conversion {
        let pointer = |which: usize| if self.given >> which & 1 == 1 { lists[which].as_ptr() } else { null() };
        stride_conversion {
            flags: self.flags,
            subtract: self.numbers[0],
            scale: self.numbers[1],
            add: self.numbers[2],
            values: values.map_or(null(), std::ptr::from_ref),
            subtracts: pointer(0),
            scales: pointer(1),
            adds: pointer(2),
            value_count: lists[0].len() as u64,
            ..stride_conversion::default()
        }
    }

    /// The definition.
    fn run(&self, dst: &mut [u8], src: &[u8], lists: &[Vec<f32>; 3], fill: &[u8; 16]) {
        let [to, from] = self.dtypes;
        let steps = Steps::of(Kind::of(to).unwrap(), Kind::of(from).unwrap(), self.flags);
        let offsets: Vec<[i64; 2]> =
            self.sides[0].offsets().into_iter().zip(self.sides[1].offsets()).map(|(to, from)| [to, from]).collect();
        let entries = self.values.as_ref().map(Side::offsets);
        let reached: std::collections::HashSet<i64> = offsets.iter().map(|&[to, _]| to).collect();
        for (k, &[dst_at, src_at]) in offsets.iter().enumerate() {
            let entry = entries.as_ref().map_or(0, |entries| entries[k]) as usize;
            let number = |which: usize| {
                if self.given >> which & 1 == 1 { f64::from(lists[which][entry]) } else { self.numbers[which] }
            };
            let how = NumberRuns {
                steps,
                numbers: [number(0), number(1), number(2)],
                lists: None,
                first: 0,
                inner: 1,
                step: 0,
                outer: 0,
                runs: Loop::ONCE,
            };
            let (one, mut made) = (get(src, from, src_at).to_le_bytes(), [0u8; 8]);
            // SAFETY: a number each.
            unsafe { converter(Level::Scalar)(made.as_mut_ptr(), one.as_ptr(), 1, &how, &mut Pass::NEW.clone()) };
            let mask = if to.bits() == 64 { u64::MAX } else { (1 << to.bits()) - 1 };
            put(dst, to, dst_at, u64::from_le_bytes(made) & mask);
        }
        if self.options & STRIDE_COPY_FILL_BUFFER != 0 {
            let elements = dst.len() as i64 * 8 / to.bits();
            for at in (0..elements).filter(|at| !reached.contains(at)) {
                match to.bits() {
                    bits @ 0..8 => put(dst, to, at, u64::from(fill[0]) & ((1 << bits) - 1)),
                    bits => {
                        let width = (bits / 8) as usize;
                        dst[at as usize * width..][..width].copy_from_slice(&fill[..width]);
                    }
                }
            }
        }
    }
}

/// How a case is run: by one call, as a plan, or in so many parts.
fn check(random: &mut Random, case: &Case) {
    let bytes = [case.bytes(0), case.bytes(1)];
    if bytes[0].max(bytes[1]) > 1 << 20 {
        return;
    }
    let fills = case.options & STRIDE_COPY_FILL_BUFFER != 0;
    let whole = (case.dtypes[0].bits() / 8).max(1) as usize;
    let dst_bytes = bytes[0] + if fills { random.below(4) as usize * whole } else { 0 };
    let mut src = guarded::Guarded::new(bytes[1]);
    let at_end = random.one_in(2);
    src.buffer(bytes[1], at_end).copy_from_slice(&random.bytes(bytes[1]));
    let src = src.buffer(bytes[1], at_end).to_vec();
    let entries = case.values.as_ref().map_or(0, Side::extent) as usize;
    let lists: [Vec<f32>; 3] = [0, 1, 2].map(|_| (0..entries).map(|_| random.below(64) as f32 / 4.0 - 7.0).collect());
    // What joins integers is one.
    let mut lists = lists;
    lists[2].iter_mut().for_each(|entry| *entry = entry.trunc());
    let fill: [u8; 16] = random.bytes(16).try_into().unwrap();
    let before = random.bytes(dst_bytes);
    let mut expected = before.clone();
    case.run(&mut expected, &src, &lists, &fill);
    let layouts = [0, 1].map(|side| case.sides[side].layout(case.dtypes[side].code()));
    let values = case.values.as_ref().map(|values| values.layout(Dtype::F32.code()));
    let conversion = case.conversion(values.as_ref(), &lists);
    let machine: stride_machine = oracle::machine(case.caches);
    let options = stride_copy_options {
        flags: case.options,
        cpu_level: case.level,
        fill,
        machine: &machine,
        conversion: &conversion,
        ..DEFAULTS
    };
    let mut pages = guarded::Guarded::new(dst_bytes);
    let mut error = NO_ERROR;
    let at_end = random.one_in(2);
    for way in 0..if fills { 3 } else { 4 } {
        let dst = pages.buffer(dst_bytes, at_end);
        dst.copy_from_slice(&before);
        let (to, from) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
        let (to_bytes, from_bytes) = (dst_bytes as u64, src.len() as u64);
        // SAFETY: all buffers and structs are ours.
        unsafe {
            if way == 0 {
                let status =
                    stride_copy(&layouts[0], to, to_bytes, &layouts[1], from, from_bytes, &options, &mut error);
                assert_eq!(status, 0, "{case:?}: {}", sentence(&error));
            } else {
                let mut plan = stride_plan { words: [0; 512] };
                let status = stride_plan_init(&mut plan, &layouts[0], &layouts[1], &options, &mut error);
                assert_eq!(status, 0, "{case:?}: {}", sentence(&error));
                let parts = if way == 1 { 1 } else { 1 + random.below(9) as u32 };
                if way == 3 {
                    // A batch of one place.
                    for part in 0..parts {
                        let at = [0i64, 0];
                        let status = stride_plan_execute_batch(
                            &plan,
                            to,
                            to_bytes,
                            at.as_ptr(),
                            from,
                            from_bytes,
                            at.as_ptr(),
                            1,
                            part,
                            parts,
                            &mut error,
                        );
                        let refused = case.given != 0 && !case.sides[0].offsets().is_empty();
                        assert_eq!(status, if refused { 2 } else { 0 }, "{case:?}: {}", sentence(&error));
                    }
                    if case.given != 0 {
                        assert!(pages.buffer(dst_bytes, at_end) == before, "a batch without lists wrote");
                        break;
                    }
                }
                let mut order: Vec<u32> = (0..parts).collect();
                random.shuffle(&mut order);
                for part in order.into_iter().filter(|_| way < 3) {
                    let status = stride_plan_execute_values(
                        &plan,
                        to,
                        to_bytes,
                        from,
                        from_bytes,
                        conversion.subtracts,
                        conversion.scales,
                        conversion.adds,
                        conversion.value_count,
                        part,
                        parts,
                        &mut error,
                    );
                    assert_eq!(status, 0, "{case:?}: {}", sentence(&error));
                }
            }
        }
        let is = pages.buffer(dst_bytes, at_end);
        if let Some(at) = is.iter().zip(&expected).position(|(is, must)| is != must) {
            panic!("way {way}, byte {at} of {dst_bytes} is {:#x}, not {:#x}: {case:?}", is[at], expected[at]);
        }
    }
}

fn sentence(error: &stride::ffi::status::stride_error) -> String {
    let (mut text, mut length) = ([0u8; 400], 0);
    // SAFETY: both are ours.
    unsafe { stride::ffi::status::stride_error_format(error, text.as_mut_ptr().cast(), 400, &mut length, null_mut()) };
    String::from_utf8_lossy(&text[..length as usize]).into_owned()
}

#[test]
#[cfg_attr(miri, ignore = "pages")]
fn random_conversions_are_the_naive_loop() {
    oracle::cases(SEED, oracle::times(6000u64), |random| {
        let case = Case::random(random);
        check(random, &case);
    });
}

/// A block on the stack has room for rows of an odd number of nibbles, which take a byte more.
#[test]
#[cfg_attr(miri, ignore = "pages")]
fn odd_rows_of_nibbles_fill_a_block() {
    oracle::cases(SEED, oracle::times(60u64), |random| {
        let sizes = (0..6).map(|_| random.pick(&[3, 5, 5, 7, 9])).collect();
        let mut case = Case::of_sizes(random, sizes);
        case.dtypes[1] = random.pick(&[Dtype::S4, Dtype::U4, Dtype::U4.high_first()]);
        if case.flags == 0 && case.dtypes[0].moves_to(case.dtypes[1]) {
            case.dtypes[0] = Dtype::F32;
        }
        check(random, &case);
    });
}

/// Pieces of a transpose are converted as they leave the stack: of all pairs, at any alignment, past the caches too.
#[test]
#[cfg_attr(miri, ignore = "pages")]
fn transposes_convert_piece_by_piece() {
    oracle::cases(SEED, oracle::times(400u64), |random| {
        let sizes: Vec<i64> = vec![1 + random.below(3), 20 + random.below(130), 20 + random.below(130)];
        let mut case = Case::of_sizes(random, sizes.clone());
        let [_, rows, columns] = sizes[..] else { return };
        let gap = random.below(3);
        case.sides[0] = Side::new(&sizes, &[rows * (columns + gap), columns + gap, 1], random.below(20));
        case.sides[1] = Side::new(&sizes, &[rows * columns, 1, rows], random.below(3));
        if case.flags == 0 && case.dtypes[0].moves_to(case.dtypes[1]) {
            case.dtypes = [Dtype::BF16, Dtype::F32];
        }
        check(random, &case);
    });
}

/// One memory has both sides: as if the source had been read first, whatever they share.
#[test]
fn sides_that_share_memory() {
    oracle::cases(SEED, oracle::times(1500u64), |random| {
        let mut case = Case::random(random);
        case.options &= !STRIDE_COPY_FILL_BUFFER;
        let same = random.one_in(3);
        if same {
            // The very same places, of equal width.
            let width = case.dtypes[0].bits();
            case.dtypes[1] = random.pick(&DTYPES.map(|of| if of.bits() == width { of } else { case.dtypes[0] }));
            if case.dtypes[0].is_high_first() {
                case.dtypes[1] = case.dtypes[1].high_first();
            }
            case.sides[1] = case.sides[0].clone();
            case.flags |= STRIDE_CONVERT_AFFINE;
        }
        let bytes = [case.bytes(0), case.bytes(1)];
        if bytes[0].max(bytes[1]) > 1 << 16 {
            return;
        }
        let begins = if same { [64; 2] } else { [0; 2].map(|_| 64 + 8 * random.below(20) as usize) };
        let mut memory = random.bytes(256 + bytes[0].max(bytes[1]));
        let entries = case.values.as_ref().map_or(0, Side::extent) as usize;
        let lists = [0, 1, 2].map(|_| (0..entries).map(|_| random.below(64) as f32 - 7.0).collect::<Vec<f32>>());
        let (src, mut expected) = (memory[begins[1]..][..bytes[1]].to_vec(), memory.clone());
        case.run(&mut expected[begins[0]..][..bytes[0]], &src, &lists, &[0; 16]);
        let layouts = [0, 1].map(|side| case.sides[side].layout(case.dtypes[side].code()));
        let values = case.values.as_ref().map(|values| values.layout(Dtype::F32.code()));
        let conversion = case.conversion(values.as_ref(), &lists);
        let mut scratch = vec![0u8; 1 << 17];
        let options = stride_copy_options {
            flags: case.options | STRIDE_COPY_OVERLAP,
            cpu_level: case.level,
            conversion: &conversion,
            scratch: if same { null_mut() } else { scratch.as_mut_ptr().cast() },
            scratch_bytes: if same { 0 } else { scratch.len() as u64 },
            ..DEFAULTS
        };
        if same && case.given == 0 {
            // At the only place of a batch.
            let (mut again, mut plan, at) = (memory.clone(), stride_plan { words: [0; 512] }, [0i64]);
            let options = stride_copy_options { flags: case.options, ..options };
            let (to, size, zero) = (again[begins[0]..].as_mut_ptr(), bytes[0] as u64, at.as_ptr());
            // SAFETY: all of it is ours.
            let done = unsafe {
                let status = stride_plan_init(&mut plan, &layouts[0], &layouts[1], &options, null_mut());
                assert_eq!(status, 0, "{case:?}");
                stride_plan_execute_batch(&plan, to.cast(), size, zero, to.cast(), size, zero, 1, 0, 1, null_mut())
            };
            assert_eq!((done, &again), (0, &expected), "batch: {case:?}");
        }
        let (to, from) = (memory.as_mut_ptr().wrapping_add(begins[0]), memory.as_ptr().wrapping_add(begins[1]));
        let (to_bytes, from_bytes, mut error) = (bytes[0] as u64, bytes[1] as u64, NO_ERROR);
        // SAFETY: all of it is ours.
        let status = unsafe {
            stride_copy(&layouts[0], to.cast(), to_bytes, &layouts[1], from.cast(), from_bytes, &options, &mut error)
        };
        assert_eq!(status, 0, "{case:?}: {}", sentence(&error));
        assert_eq!(memory, expected, "{case:?}");
    });
}

/// A copy of six bytes to six f32, with these changes to its conversion and options; the status and what was written.
fn six(change: impl FnOnce(&mut stride_conversion, &mut stride_copy_options)) -> (u32, [f32; 6]) {
    let [to, from] = [Dtype::F32, Dtype::U8].map(|dtype| oracle::layout(dtype.code(), &[6], &[1], 0));
    let mut how = stride_conversion { flags: STRIDE_CONVERT_AFFINE, ..stride_conversion::default() };
    let (mut options, mut made, bytes) = (DEFAULTS, [0f32; 6], [1u8, 2, 3, 4, 5, 6]);
    change(&mut how, &mut options);
    options.conversion = &how;
    // SAFETY: both are ours.
    let status = unsafe {
        stride_copy(&to, made.as_mut_ptr().cast(), 24, &from, bytes.as_ptr().cast(), 6, &options, null_mut())
    };
    (status as u32, made)
}

/// What joins after rounding joins an integer; a float gets it as any other number. A number beside a list is not read.
#[test]
fn numbers_that_join_floats_and_numbers_beside_lists() {
    let added = six(|how, _| {
        how.flags |= STRIDE_CONVERT_ADD_LAST;
        how.add = 5.0;
    });
    assert_eq!(added, (0, [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]));
    let (each, list) = (oracle::layout(Dtype::F32.code(), &[6], &[1], 0), [1f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let listed = six(|how, _| {
        how.flags |= STRIDE_CONVERT_ADD_LAST;
        (how.add, how.values, how.adds, how.value_count) = (0.5, &each, list.as_ptr(), 6);
    });
    assert_eq!(listed, (0, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]));
}

/// A plan's words may say that more loops are a block than there are: they are refused.
#[test]
fn blocks_of_more_loops_than_there_are() {
    let mirrored = oracle::layout(Dtype::U32.code(), &[1 << 16, 2], &[2, -1], 1);
    let packed = oracle::layout(Dtype::U8.code(), &[1 << 16, 2], &[2, 1], 0);
    let how = stride_conversion::default();
    let options = stride_copy_options { conversion: &how, ..DEFAULTS };
    let mut plan = stride_plan { words: [0; 512] };
    let (mut to, from) = (vec![0u8; 2 << 16], vec![0u8; 8 << 16]);
    // SAFETY: all of it is ours.
    unsafe {
        assert_eq!(stride_plan_init(&mut plan, &packed, &mirrored, &options, null_mut()), 0);
        for forged in 0..256 {
            plan.words[1] = plan.words[1] & !(0xFF << 16) | forged << 16;
            let (to, from) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
            let _ = stride_plan_execute(&plan, to, 2 << 16, from, 8 << 16, null_mut());
        }
    }
}

/// Kernels of any width take elements for which there is no room on the stack: they are converted another way.
#[test]
#[cfg_attr(miri, ignore = "hundreds of thousands of bytes")]
fn forged_transposes_of_wide_elements() {
    for width in [5i64, 17, 64, 1 << 10, 1 << 13] {
        let sizes = [3, 5, width];
        let dst = oracle::layout(Dtype::F32.code(), &sizes, &[5 * width, width, 1], 0);
        let src = oracle::layout(Dtype::U8.code(), &sizes, &[width, 3 * width, 1], 0);
        let how = stride_conversion::default();
        let options = stride_copy_options { conversion: &how, ..DEFAULTS };
        let mut plan = stride_plan { words: [0; 512] };
        let count = 15 * width as usize;
        let from: Vec<u8> = (0..count).map(|k| (k * 37 % 251) as u8).collect();
        let run = |plan: &stride_plan| {
            let mut to = vec![0f32; count];
            let bytes = 4 * count as u64;
            // SAFETY: all of it is ours.
            let status = unsafe {
                stride_plan_execute(plan, to.as_mut_ptr().cast(), bytes, from.as_ptr().cast(), bytes / 4, null_mut())
            };
            (status, to)
        };
        // SAFETY: all of it is ours.
        assert_eq!(unsafe { stride_plan_init(&mut plan, &dst, &src, &options, null_mut()) }, 0);
        let (_, expected) = run(&plan);
        let (rest, mut ran) = (plan.words[1] & !0xFFFF_FFFF, 0);
        for number in (0..KERNELS.len()).filter(|&at| KERNELS[at].family == Family::Transpose) {
            plan.words[1] = rest | 1 << 24 | 1 << 16 | number as u64;
            let (status, to) = run(&plan);
            assert!(status != 0 || to == expected, "{width} {}", KERNELS[number].name);
            ran += u32::from(status == 0);
        }
        assert!(ran > 0, "{width}");
    }
}

/// Without lists, the words of a plan may say anything of where their numbers lie.
#[test]
fn forged_steps_of_lists_that_are_not_there() {
    let dst = oracle::layout(Dtype::F32.code(), &[4, 6], &[8, 1], 0);
    let src = oracle::layout(Dtype::U8.code(), &[4, 6], &[7, 1], 0);
    let how = stride_conversion::default();
    let options = stride_copy_options { conversion: &how, ..DEFAULTS };
    let mut plan = stride_plan { words: [0; 512] };
    let (mut to, from) = ([0f32; 32], [7u8; 32]);
    // SAFETY: all of it is ours.
    unsafe {
        assert_eq!(stride_plan_init(&mut plan, &dst, &src, &options, null_mut()), 0);
        plan.words[12 + 6] = 1 << 62; // along a run
        let (to, from) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
        assert_eq!(stride_plan_execute(&plan, to, 128, from, 32, null_mut()), 0);
    }
    assert_eq!((to[5], to[6], to[29]), (7.0, 0.0, 7.0));
}
