//! Words of plans that claim one thing that cannot be: the check that refuses it is the only one that does. (Random
//! words are in `memory.rs` and beside each kind of plan.) And two sides of which a test does not know whether they
//! share bytes.
//!
//! Runs are found in a plan by their numbers, wherever they stand.
#![cfg(unix)]

#[macro_use]
pub mod common;
mod guarded;
mod oracle;

use common::*;
use guarded::Guarded;
pub use oracle::Random;
use oracle::sides::{list, range, run as indices, side, through};
use oracle::{DEFAULTS, Side, bytes_dtype};
use std::ptr::null;
use stride::copy::kernels::{KERNELS, WIDEST_ELEMENT};
use stride::copy::words::{HEADER, KERNEL, KIND, kind_in_use};
use stride::ffi::sides::*;
use stride::machine::Level;

const U8: u32 = Dtype::U8.code();
const F32: u32 = Dtype::F32.code();
const U4: u32 = Dtype::U4.code();
/// The kind of a relayout's plan, and in the first word of runs that they are single indices (`copy/relayout/words`).
const BOXES: u64 = 3;
const SINGLE: i64 = 1 << 8;

fn no_plan() -> stride_plan {
    stride_plan { words: [0; 512] }
}

fn words_in_use(plan: &stride_plan) -> usize {
    (plan.words[0] & 0xFFFF) as usize
}

/// Where these numbers stand one after the other in a plan, the last time.
fn place(plan: &stride_plan, numbers: &[i64]) -> usize {
    let words = plan.words.map(u64::cast_signed);
    let found = words[..words_in_use(plan)].windows(numbers.len()).rposition(|window| window == numbers);
    found.unwrap_or_else(|| panic!("{numbers:?} in {:?}", &words[..words_in_use(plan)]))
}

fn with(plan: &stride_plan, forged: &[(usize, i64)]) -> stride_plan {
    let mut plan = stride_plan { words: plan.words };
    forged.iter().for_each(|&(word, value)| plan.words[word] = value as u64);
    plan
}

/// The words of a side: how many steps, digits and dimensions with runs, what it reaches, and the rest.
fn side_words([steps, digits, along]: [i64; 3], highest: i64, rest: &[i64]) -> Vec<i64> {
    [&[steps | digits << 8 | along << 16, 0, highest], rest].concat()
}

/// A strided side.
fn strided(highest: i64, strides: &[i64]) -> Vec<i64> {
    side_words([0, strides.len() as i64, 0], highest, strides)
}

/// A relayout of bytes, without anything before the first element.
fn relayout(sizes: &[i64], dst: &[i64], src: &[i64]) -> stride_plan {
    let mut honest = no_plan();
    call!(stride_plan_init, &mut honest, &packed(U8, &[1]), &packed(U8, &[1]), null()).unwrap();
    let words = [sizes, dst, src].concat();
    let first = honest.words[0] & !0xFFFF | (HEADER + words.len()) as u64;
    let mut plan = no_plan();
    plan.words[..8].copy_from_slice(&[first, sizes.len() as u64 | BOXES << KIND, 0, 1, 0, 0, 0, 1]);
    plan.words[HEADER..].iter_mut().zip(&words).for_each(|(word, &value)| *word = value as u64);
    plan
}

/// All of a plan, between pages that may not be touched; nothing is written where it is refused.
fn run(plan: &stride_plan, dst_bytes: usize, src_bytes: usize) -> stride_status {
    let mut pages = [dst_bytes, src_bytes].map(Guarded::new);
    let [to, from] = &mut pages;
    let (to, from) = (to.buffer(dst_bytes, true), from.buffer(src_bytes, true));
    to.fill(7);
    let status = status(execute_part(plan, to, from, 0, 1));
    assert!(status == 0 || to.iter().all(|&byte| byte == 7), "{status}");
    status
}

/// The same of both buffers of as many bytes, which is the quick way if it can be.
fn run_whole(plan: &stride_plan, bytes: usize) -> stride_status {
    let mut pages = [bytes, bytes].map(Guarded::new);
    let [to, from] = &mut pages;
    let (to, from) = (to.buffer(bytes, true).as_mut_ptr().cast(), from.buffer(bytes, true).as_ptr().cast());
    status(call!(stride_plan_execute, plan, to, bytes as u64, from, bytes as u64))
}

#[track_caller]
fn refused(plan: &stride_plan, dst_bytes: usize, src_bytes: usize) {
    assert_eq!(run(plan, dst_bytes, src_bytes), Status::InvalidArgument.number());
    refused_the_careful_way(plan);
}

/// By a batch, a part, and whoever asks about it. (The quick way does not look at what it does not use.)
#[track_caller]
fn refused_the_careful_way(plan: &stride_plan) {
    let [mut to, from] = [[7u8; 4096], [1; 4096]];
    let (d, s, zero) = (to.as_mut_ptr().cast(), from.as_ptr().cast(), [0]);
    let batch = call!(stride_plan_execute_batch, plan, d, 4096, zero.as_ptr(), s, 4096, zero.as_ptr(), 1, 0, 1);
    let answers = [batch, execute_part(plan, &mut to, &from, 1, 2), query_plan(plan).map(|_| ())];
    for answer in answers {
        assert_eq!(status(answer), Status::InvalidArgument.number());
    }
    assert!(to == [7; 4096]);
}

/// An index past the last of its dimension, or below the one that is the fill value: in any place of the runs.
#[test]
fn runs_take_what_is_there() {
    let (dst, src) = (packed(U8, &[6, 4]), packed(U8, &[6, 3]));
    let (mut single, mut longer) = (no_plan(), no_plan());
    let runs = [list(&[2, 0, -1, 1]), vec![indices(2, -1, 2), indices(-1, 0, 1), indices(0, 0, 1)]];
    for (plan, runs) in [&mut single, &mut longer].into_iter().zip(&runs) {
        call!(stride_plan_init_sides, plan, &side(&dst), &through(side(&src), 1, runs), null()).unwrap();
        assert_eq!(run(plan, 24, 18), 0);
    }
    let at = place(&single, &[2, 0, -1, 1]);
    assert_eq!(single.words[at - 3..at], [1 | SINGLE as u64, 3, 4]);
    for entry in at..at + 4 {
        for index in [3, 4, -2, i64::MIN, i64::MAX] {
            refused(&with(&single, &[(entry, index)]), 24, 18);
        }
    }
    // A dimension that the source does not have, one of a size that it does not have, more runs or fewer.
    let wrong = [(at - 3, 2), (at - 3, 1 | 1 << 9), (at - 3, -1), (at - 3, i64::MIN)];
    let wrong = wrong.into_iter().chain([(at - 2, 2), (at - 2, -1), (at - 2, i64::MIN), (at - 2, i64::MAX)]);
    for (word, value) in wrong.chain([3, 5, 0, -1, i64::MAX, i64::MIN].map(|count| (at - 1, count))) {
        refused(&with(&single, &[(word, value)]), 24, 18);
    }
    // More that is read, and more that is written, than the side says it reaches.
    refused(&with(&single, &[(at - 2, 4)]), 24, 18);
    let at = place(&longer, &[2, -1, 2, -1, 0, 1, 0, 0, 1]);
    assert_eq!(longer.words[at - 3..at], [1, 3, 3]);
    for (word, value) in [
        (at, 3),
        (at, 0),
        (at, i64::MIN),
        (at + 1, 1),
        (at + 1, -3),
        (at + 1, i64::MIN),
        (at + 2, 1),
        (at + 2, 3),
        (at + 2, -2),
        (at + 2, i64::MAX),
        (at + 3, -2),
        (at + 5, 0),
        (at + 5, -1),
        (at + 6, 3),
    ] {
        refused(&with(&longer, &[(word, value)]), 24, 18);
    }
}

/// Runs stand beside strides, tiles and blocks, on both sides; once for a dimension, of at most 8; of a destination
/// none is the fill value.
#[test]
fn runs_stand_once() {
    // Both sides of 2 x 4 elements, whose columns are 0, 2, 1 and 3.
    let taken = [1 | SINGLE, 4, 4, 0, 2, 1, 3];
    let beside = |dst: &[i64], src: &[i64]| relayout(&[2, 4], dst, src);
    let plain = strided(7, &[4, 1]);
    let runs = |list: &[i64]| side_words([0, 2, 1], 7, &[&[4, 1], list].concat());
    let tiles = |list: &[i64]| {
        // Column digits are divided by 2: one step, a digit more.
        side_words([1, 3, i64::from(!list.is_empty())], 7, &[&[1, 2, 2, 4, 1], list].concat())
    };
    for side in [&plain, &runs(&taken), &tiles(&[]), &tiles(&taken)] {
        for other in [&plain, &runs(&taken), &tiles(&[]), &tiles(&taken)] {
            assert_eq!(run(&beside(side, other), 8, 8), 0, "{side:?} {other:?}");
        }
    }
    let twice = side_words([0, 2, 2], 7, &[&[4, 1], &taken[..], &taken].concat());
    let filled = [1 | SINGLE, 4, 4, 0, -1, 1, 3];
    assert_eq!(run(&beside(&plain, &runs(&filled)), 8, 8), 0);
    for wrong in [&twice, &runs(&filled), &runs(&[2 | SINGLE, 4, 4, 0, 2, 1, 3])] {
        refused(&beside(wrong, &plain), 8, 8);
    }
    refused(&beside(&plain, &twice), 8, 8);
    // More digits or steps than there are.
    refused(&beside(&side_words([1, 2, 0], 7, &[1, 2, 4, 1]), &plain), 8, 8);
    refused(&beside(&side_words([1, 4, 0], 7, &[1, 2, 2, 4, 1, 1]), &plain), 8, 8);
    refused(&beside(&side_words([193, 195, 0], 7, &vec![1; 49 + 193 + 195]), &plain), 8, 8);
    // A digit that is joined with itself, or with none.
    let joined = |major: i64, minor: i64, by: i64| side_words([1, 2, 0], 7, &[major | (minor + 1) << 8, by, 0, 1]);
    assert_eq!(run(&beside(&joined(0, 1, 4), &plain), 8, 8), 0);
    for (major, minor, by) in [(0, 0, 4), (2, 1, 4), (0, 2, 4), (0, 1, 0), (0, 1, -1), (0, 1, i64::MAX)] {
        refused(&beside(&joined(major, minor, by), &plain), 8, 8);
    }
    let along = |dimensions: i64| {
        let ones = vec![1; dimensions as usize];
        let runs = (0..dimensions).flat_map(|dimension| [dimension | SINGLE, 1, 1, 0]);
        let src = side_words([0, dimensions, dimensions], 0, &[ones.clone(), runs.collect()].concat());
        relayout(&ones, &strided(0, &ones), &src)
    };
    assert_eq!(run(&along(8), 1, 1), 0);
    refused(&along(9), 1, 1);
}

/// A range begins at an element that there is and ends at one.
#[test]
fn a_range_stays_among_its_elements() {
    let (dst, src) = (layout(U8, &[4, 5], &[7, 1]), layout(U8, &[5, 4], &[6, 1]));
    let (mut plan, bytes) = (no_plan(), (3 * 7 + 5, 4 * 6 + 4));
    call!(stride_plan_init_sides, &mut plan, &range(side(&dst), 3, 12), &range(side(&src), 2, 12), null()).unwrap();
    assert_eq!(run(&plan, bytes.0, bytes.1), 0);
    for numbers in [[0, 20, 1, 3, 1, 12], [0, 20, 1, 2, 1, 12]] {
        let at = place(&plan, &numbers);
        assert_eq!(run(&with(&plan, &[(at + 3, 8)]), bytes.0, bytes.1), 0, "the last 12 of 20");
        for begin in [-1, 9, 20, 21, i64::MIN, i64::MAX, i64::MAX - 11] {
            refused(&with(&plan, &[(at + 3, begin)]), bytes.0, bytes.1);
        }
        for all in [30, 13, 0, -1, i64::MIN, i64::MAX] {
            refused(&with(&plan, &[(at + 1, all)]), bytes.0, bytes.1);
        }
        for count in [11, 13, 0, -1, i64::MIN, i64::MAX] {
            refused(&with(&plan, &[(at + 5, count)]), bytes.0, bytes.1);
        }
    }
    // The number of a row is what is left of the number by 5, or by 4.
    let divided = [place(&plan, &[5, 7, 1]), place(&plan, &[4, 6, 1])];
    for by in [0, -1, 1, 2, i64::MIN] {
        divided.iter().for_each(|&at| refused(&with(&plan, &[(at, by)]), bytes.0, bytes.1));
    }
    for count in [11, 0, -1, i64::MIN, i64::MAX] {
        refused(&with(&plan, &[(HEADER, count)]), bytes.0, bytes.1);
    }
}

/// No bit of the second word is left over, and a rank is one of a layout.
#[test]
fn what_a_plan_is_has_a_number() {
    let boxes = |rank: usize| {
        let ones = vec![1; rank];
        relayout(&ones, &strided(0, &ones), &strided(0, &ones))
    };
    assert_eq!(run(&boxes(64), 1, 1), 0);
    refused(&boxes(65), 1, 1);
    // The first of the bits is that of elements of one, which this may be as well.
    assert_eq!(run(&with(&boxes(2), &[(1, boxes(2).words[1] as i64 | 1 << 8)]), 1, 1), 0);
    for bit in 9..56 {
        refused(&with(&boxes(2), &[(1, boxes(2).words[1] as i64 | 1 << bit)]), 1, 1);
    }
    let (loops, bits) = (layout(F32, &[30, 20], &[50, 2]), layout(U4, &[5, 7], &[9, 1]));
    // In bits: the bits of an element, which sides begin with the high ones, the number of loops, the kind.
    let honest = plan(&DEFAULTS, &bits, &bits).unwrap();
    assert_eq!((honest.words[1], honest.words[3]), (4 | 1 << 32 | 4 << KIND, 28));
    for bit in (0..2).chain([3]).chain(10..32).chain(40..56) {
        refused(&with(&honest, &[(1, honest.words[1] as i64 ^ 1 << bit)]), 8192, 8192);
    }
    for width in [0, -4, 2, 6, 30, 27, i64::MIN, i64::MAX] {
        refused(&with(&honest, &[(3, width)]), 8192, 8192);
    }
    for (word, value) in [(7, 0), (7, 2), (2, 1 << 30), (2, 9 << 32), (HEADER, 0), (HEADER, -1)] {
        refused(&with(&honest, &[(word, value)]), 8192, 8192);
    }
    for (of, kinds) in [(&loops, &[3, 4, 5, 128, 255][..]), (&bits, &[3, 5, 6, 132, 255]), (&loops, &[1, 2])] {
        let honest = plan(&DEFAULTS, of, of).unwrap();
        for kind in kinds {
            refused_the_careful_way(&with(&honest, &[(1, honest.words[1] as i64 & !(255 << KIND) | kind << KIND)]));
        }
    }
}

/// Elements whose bytes are swapped have whole numbers in them, of a width that there is.
#[test]
fn swapped_elements_are_whole_numbers() {
    let (dst, src, mut plan) = (packed(F32, &[3]), packed(Dtype::F32.swapped().code(), &[3]), no_plan());
    let runs = list(&[2, 0, 1]);
    call!(stride_plan_init_sides, &mut plan, &side(&dst), &through(side(&src), 0, &runs), null()).unwrap();
    assert_eq!((plan.words[3], run(&plan, 12, 12)), (4 | 4 << 32, 0));
    for (width, part) in [(8, 8), (8, 4), (16, 8), (2, 2)] {
        assert_eq!(run(&with(&plan, &[(3, width | part << 32)]), 48, 48), 0, "{width} {part}");
    }
    let wrong = [(4, 3), (4, 1), (5, 4), (9, 4), (9, 8), (17, 8), (16, 16), (4, 8), (2, 4), (4, 2), (12, 4), (0, 4)];
    for (width, part) in wrong.into_iter().chain([(4, i64::from(u32::MAX)), (4, 1 << 31)]) {
        refused(&with(&plan, &[(3, width | part << 32)]), 64, 64);
    }
}

/// The number of words that a plan says it has is that which it has, also where it has none but the first ones.
#[test]
fn a_plan_has_as_many_words_as_it_says() {
    let (row, none) = (packed(U8, &[3]), packed(U8, &[0]));
    let (loops, bits) = (layout(F32, &[30, 20], &[50, 2]), layout(U4, &[5, 7], &[9, 1]));
    let matrix = shape(F32, &[6, 10], None).and_then(|shape| with_tile(shape, &[4, 4])).unwrap();
    let mut plans =
        [&none, &row, &loops, &bits, &at(1, packed(U4, &[2]))].map(|of| plan(&DEFAULTS, of, of).unwrap()).to_vec();
    let mut tiles = no_plan();
    call!(stride_plan_init_sides, &mut tiles, &side(&matrix), &side(&packed(F32, &[6, 10])), null()).unwrap();
    plans.extend([tiles, relayout(&[], &strided(0, &[]), &strided(0, &[]))]);
    for plan in &plans {
        let used = words_in_use(plan) as i64;
        let (format, shape) = (plan.words[0] as i64 & !0xFFFF, plan.words[1] as i64);
        assert_eq!(run(plan, 8192, 8192), 0, "{used}");
        for count in [0, 1, 11, used - 1, used - 2, used - 3, used + 1, used + 2, used + 3, 512, 513, 0xFFFF] {
            if count != used && count >= 0 {
                refused_the_careful_way(&with(plan, &[(0, format | count)]));
            }
        }
        // More loops than words, or the other way round.
        if shape as u64 >> KIND != 3 {
            refused_the_careful_way(&with(plan, &[(1, shape + (1 << 32))]));
            refused_the_careful_way(&with(plan, &[(0, format | (used + 3))]));
        }
    }
    // A copy of nothing has no loops, however they are told.
    let mut empty = with(&plans[0], &[(HEADER, 1), (HEADER + 1, 1), (HEADER + 2, 1)]);
    (empty.words[0], empty.words[1]) = (empty.words[0] + 3, empty.words[1] + (1 << 32));
    refused_the_careful_way(&empty);
}

/// Shortcuts of more rows than their tables have, or of more bytes than are permuted, are not believed: the loops,
/// which are honest, say what moves.
#[test]
fn shortcuts_are_as_long_as_their_tables() {
    let shortcut_of = |sizes: &[i64; 2], width: usize| {
        let (dst, src) = (Side::new(sizes, &[sizes[1], 1], 0), Side::new(sizes, &[1, sizes[0]], 0));
        let dtype = bytes_dtype(width);
        let plan = plan(&DEFAULTS, &dst.layout(dtype), &src.layout(dtype)).unwrap();
        let bytes = (sizes[0] * sizes[1]) as usize * width;
        let source = Random::new(31).bytes(bytes);
        let mut expected = vec![0; bytes];
        oracle::copy(&mut expected, &dst, &source, &src, width);
        // Behind what the plan reaches both buffers have 64 bytes more.
        let run = move |forged: &[(usize, i64)], plan: &stride_plan| {
            let (n, forged) = (bytes + 64, with(plan, forged));
            let mut pages = [n, n].map(Guarded::new);
            let [to, from] = &mut pages;
            let (to, from) = (to.buffer(n, true), from.buffer(n, true));
            from[..bytes].copy_from_slice(&source);
            let (to_at, from_at) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
            call!(stride_plan_execute, &forged, to_at, n as u64, from_at, n as u64).unwrap();
            to[..bytes] == expected && to[bytes..] == [0; 64]
        };
        (plan, run)
    };
    // The windows, the rows of both sides in one word, then 64 places of each.
    let (plan, run) = shortcut_of(&[20, 64], 4);
    let counts = plan.words[HEADER + 2] & 0xFFFF_FFFF_FFFF; // above them, the columns of a strip
    assert_eq!((kind_in_use(plan.words[1]), counts), (2, 20 | 64 << 32));
    assert!(run(&[], &plan));
    // All rows at the beginnings of their windows: other bytes move where this is believed.
    let zeros: Vec<(usize, i64)> = (HEADER + 3..HEADER + 3 + 128).map(|word| (word, 0)).collect();
    assert!(!run(&zeros, &plan));
    for (rows, columns) in [(20, 65), (65, 64), (65, 65), (0, 64), (20, 0), (20, u32::MAX), (u32::MAX, 64)] {
        let counts = (HEADER + 2, i64::from(rows) | i64::from(columns) << 32);
        assert!(run(&[&zeros[..], &[counts]].concat(), &plan), "{rows} rows of {columns}");
    }
    // Elements of one byte more than the widest, for a kernel that takes any width.
    let plans = (3..16).map(|width| shortcut_of(&[20, 20], width).0);
    let takes_any = |plan: &stride_plan| KERNELS[(plan.words[1] & KERNEL) as usize].width == 0;
    let plan = plans.into_iter().find(|plan| kind_in_use(plan.words[1]) == 2 && takes_any(plan)).unwrap();
    let windows = [(HEADER, 9000 << 32), (HEADER + 1, 9000 << 32)];
    for width in [0, -1, WIDEST_ELEMENT + 1, 1 << 32 | 12, i64::MAX] {
        assert_eq!(
            run_whole(&with(&plan, &[&windows[..], &[(3, width)]].concat()), 9000),
            Status::InvalidArgument.number()
        );
    }
    if Level::best() != Level::Avx512 {
        return; // permutations are its own
    }
    let (plan, run) = shortcut_of(&[8, 8], 4);
    assert_eq!((kind_in_use(plan.words[1]), plan.words[HEADER]), (1, 256 << 32));
    let zeros: Vec<(usize, i64)> = (HEADER + 10..HEADER + 42).map(|word| (word, 0)).collect();
    assert!(run(&[], &plan) && !run(&zeros, &plan));
    for (dst, src) in [(257, 256), (256, 257), (257, 257), (u32::MAX, 256), (256, 320)] {
        let windows = [(HEADER, i64::from(dst) << 32), (HEADER + 1, i64::from(src) << 32)];
        assert!(run(&[&zeros[..], &windows].concat(), &plan), "{dst} and {src} bytes");
    }
}

/// A plan is read no further than its first word says, whatever the second one says of loops and shortcuts: here, the
/// words in use are the last ones before a page that may not be touched.
#[test]
fn a_plan_is_read_no_further_than_it_says() {
    let packed = |sizes: &[i64]| packed(F32, sizes);
    let columns = |sizes: &[i64; 2]| layout(F32, sizes, &[1, sizes[0]]);
    // A run; one, two and three loops; a transpose by a permutation, if there is one, and one by tables.
    let sides = [
        [packed(&[3]), packed(&[3])],
        [packed(&[30]), layout(F32, &[30], &[5])],
        [packed(&[30, 20]), layout(F32, &[30, 20], &[50, 2])],
        [packed(&[5, 6, 7]), layout(F32, &[5, 6, 7], &[200, 30, 2])],
        [packed(&[8, 8]), columns(&[8, 8])],
        [packed(&[20, 64]), columns(&[20, 64])],
    ];
    for [dst, src] in &sides {
        let honest = plan(&DEFAULTS, dst, src).unwrap();
        let used = words_in_use(&honest);
        for claim in HEADER..=used {
            let forged = with(&honest, &[(0, honest.words[0] as i64 & !0xFFFF | claim as i64)]);
            let words = forged.words[..claim].iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
            let mut pages = [claim * 8, 8192, 8192].map(Guarded::new);
            let [at, to, from] = &mut pages;
            let at = at.buffer(words.len(), true);
            at.copy_from_slice(&words);
            let (at, to, from) = (at.as_ptr().cast(), to.begin().cast(), from.begin().cast());
            let whole = status(call!(stride_plan_execute, at, to, 8192, from, 8192));
            let part = status(call!(stride_plan_execute_part, at, to, 8192, from, 8192, 1, 2));
            let refused = Status::InvalidArgument.number();
            // (A shortcut is a copy without the loops after it, and so are fewer loops.)
            assert!(whole == 0 || whole == refused && claim != used, "{claim} of {used}: {whole}");
            assert_eq!(part, if claim == used { 0 } else { refused }, "{claim} of {used}");
        }
    }
}

/// Of two sides in one buffer a test that may take one step knows less than one that may take all: it never lets pass
/// what shares bytes.
#[test]
fn what_is_not_known_to_lie_apart_is_undecided() {
    let sizes = [3, 4, 5, 3];
    let (dst, src) = (layout(U8, &sizes, &[457, 101, 17, 3]), layout(U8, &sizes, &[401, 89, 15, 2]));
    let (halves, bits) = (layout(U4, &sizes, &[457, 101, 17, 3]), layout(U4, &sizes, &[401, 89, 15, 2]));
    let runs = list(&[2, 0, 1]);
    let (all, taken) = (side(&dst), through(side(&src), 3, &runs));
    let mut seen = [[0; 2]; 4];
    for at in (0..1400).step_by(7) {
        let answers = [1, 0].map(|overlap_budget| {
            let options = stride_copy_options { overlap_budget, ..DEFAULTS };
            let mut memory = [0u8; 4096];
            let (to, from) = (memory.as_mut_ptr().cast(), memory.as_ptr().wrapping_add(at).cast());
            let whole = plan(&options, &dst, &src).unwrap();
            let zero = [0].as_ptr();
            [
                call!(stride_copy, &dst, to, 4096, &src, from, 2048, &options),
                call!(stride_copy, &halves, to, 4096, &bits, from, 2048, &options),
                call!(stride_copy_sides, &all, to, 4096, &taken, from, 2048, &options),
                call!(stride_plan_execute_batch, &whole, to, 4096, zero, from, 2048, zero, 1, 0, 1),
            ]
            .map(status)
        });
        for (kind, seen) in seen.iter_mut().enumerate() {
            let [little, all] = answers.map(|answers| answers[kind]);
            assert!(little == all || little == Status::Undecided.number(), "{kind} at {at}: {little}, {all}");
            *seen = [seen[0] + u32::from(little != all), seen[1] + u32::from(little != all && all != 0)];
        }
    }
    assert!(seen.iter().all(|&[undecided, shared]| shared > 3 && undecided > shared), "{seen:?}");
}
