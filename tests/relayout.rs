//! Copies between tiled, padded and strided sides against the naive loop over every index, whole allocations compared:
//! one call, a plan, and its parts in random order.
//!
//! The oracle reads the tiling rule of openxla/xla docs/tiled_layout.md literally. A failure prints the case; its
//! number and the seed replay it.

#[cfg(unix)]
mod guarded;
mod oracle;

pub use oracle::Random;
use oracle::seen::{Object, Structs, Tiled};
use oracle::sides::side;
use oracle::whole::Copied;
use oracle::{DEFAULTS, Side};
use std::ptr::{null, null_mut};
use stride::copy::words::kind_in_use;
use stride::error::Status;
use stride::ffi::copy::*;
use stride::ffi::plan::*;
use stride::ffi::sides::*;
use stride::ffi::xla::*;
use stride::model::Dtype;

const SEED: u64 = 20_261_121;

fn tiled(random: &mut Random, sizes: &[i64]) -> Object {
    let mut order: Vec<i64> = (0..sizes.len() as i64).collect();
    if random.one_in(2) {
        random.shuffle(&mut order);
    } else {
        order.reverse();
    }
    let padded = sizes.iter().map(|&n| n + if random.one_in(5) { random.below(4) } else { 0 }).collect();
    let tile = |random: &mut Random| -> Vec<i64> {
        let size = |random: &mut Random| {
            if random.one_in(7) { STRIDE_XLA_TILE_MERGE } else { random.pick(&[1, 2, 2, 3, 4, 4, 5, 8, 8, 16]) }
        };
        let mut tile: Vec<i64> = (0..1 + random.below(4)).map(|_| size(random)).collect();
        let last = tile.last_mut().unwrap();
        *last = (*last).max(1);
        tile
    };
    let tiles = (0..random.pick(&[0, 1, 1, 1, 2, 2, 3])).map(|_| tile(random)).collect();
    Object::Tiled(Tiled::of(sizes, padded, order, tiles))
}

fn is_tiled(object: &Object) -> bool {
    matches!(object, Object::Tiled(tiled) if !tiled.tiles.is_empty())
}

/// Types that XLA has, of each width.
const DTYPES: [Dtype; 5] = [Dtype::U8, Dtype::BF16, Dtype::F32, Dtype::F64, Dtype::C128];

/// What kinds of cases there were.
#[derive(Default)]
pub struct Kinds {
    tiled: [u64; 4],
    pieces: u64,
    filled: u64,
}

/// A copy between two sides, tiled or not. None where tiles of tiles make a buffer above 16 MiB. Whether there was one.
pub fn relayout(random: &mut Random, kinds: &mut Kinds) -> bool {
    let mut sizes = oracle::random_sizes(random);
    sizes.truncate(5);
    let dtype = random.pick(&DTYPES);
    let dst = Object::strided_or(random, &sizes, oracle::distinct_strides, tiled);
    let src = Object::strided_or(random, &sizes, oracle::source_strides, tiled);
    let Some(Copied { flags, plan, .. }) = oracle::whole::copied(random, [&dst, &src], dtype, 1 << 24) else {
        return false;
    };
    kinds.tiled[usize::from(is_tiled(&dst)) + 2 * usize::from(is_tiled(&src))] += 1;
    kinds.filled += u64::from(flags & STRIDE_COPY_FILL_BUFFER != 0);
    kinds.pieces += u64::from(kind_in_use(plan.words[1]) == 3);
    true
}

#[test]
fn relayouts_equal_the_naive_loop() {
    let (mut kinds, cases) = (Kinds::default(), 60_000 / oracle::share());
    oracle::cases(SEED, cases, |random| {
        relayout(random, &mut kinds);
    });
    let Kinds { tiled, pieces, filled } = kinds;
    let each = tiled.iter().all(|&of| of > cases / 12);
    assert!(cfg!(miri) || each && pieces > cases / 6 && filled > cases / 12, "{tiled:?} {pieces} {filled}");
}

/// Both sides in one buffer, which share nothing, some bytes, or all of them, with all flags that say something of it;
/// in one call and in parts, each of which writes what no other one writes, or is refused like all of them.
#[test]
fn sides_in_one_buffer() {
    let mut random = Random::new(SEED + 5);
    let (mut refused, mut done) = ([0; 4], [0; 4]);
    let (mut by_scratch, mut meets_itself, mut unsupported, mut undecided) = (0, 0, 0, 0);
    for number in 0..oracle::times(30_000) {
        let long = random.one_in(40); // so that several parts have work
        let mut sizes = if long { oracle::long_sizes(&mut random) } else { oracle::random_sizes(&mut random) };
        sizes.truncate(3);
        let dtype = random.pick(&DTYPES[..4]);
        let width = dtype.bits() as usize / 8;
        let flags = random.pick(&[
            0,
            0,
            STRIDE_COPY_ASSUME_DISTINCT,
            STRIDE_COPY_FILL_BUFFER,
            STRIDE_COPY_FILL_BUFFER | STRIDE_COPY_ASSUME_DISTINCT,
            STRIDE_COPY_FILL_BUFFER | STRIDE_COPY_OVERLAP,
            STRIDE_COPY_OVERLAP,
        ]);
        let promised = flags & STRIDE_COPY_ASSUME_DISTINCT != 0;
        let any_strides = if !promised && random.one_in(8) { oracle::source_strides } else { oracle::distinct_strides };
        let dst = Object::strided_or(&mut random, &sizes, any_strides, tiled);
        let src = match random.one_in(6) {
            true => dst.clone(),
            false => Object::strided_or(&mut random, &sizes, oracle::source_strides, tiled),
        };
        let (dst_bytes, src_bytes) = (dst.extent() as usize * width, src.extent() as usize * width);
        if dst_bytes.max(src_bytes) > if long { 1 << 17 } else { 1 << 13 } {
            continue;
        }
        let options = stride_copy_options { flags, fill: [7; 16], ..DEFAULTS };
        let (to_side, from_side) = (Structs::whole(&dst, dtype), Structs::whole(&src, dtype));
        let (to_side, from_side) = (to_side.side(), from_side.side());
        let mut plan = stride_plan { words: [0; 512] };
        let case = || format!("case {number}: {dtype:?} {sizes:?} flags {flags} {dst:?} {src:?}");
        let mut init = |options: &stride_copy_options| {
            // SAFETY: plain structs.
            let status = unsafe { stride_plan_init_sides(&mut plan, to_side, from_side, options, null_mut()) };
            (status, kind_in_use(plan.words[1]) == 3)
        };
        let (to, from) = (dst.offsets(), src.offsets());
        let distinct = to.iter().collect::<std::collections::HashSet<_>>().len() == to.len();
        let (status, tiled) = init(&options);
        if status == Status::Unsupported.number() {
            let without = flags & !STRIDE_COPY_OVERLAP;
            let plain = init(&stride_copy_options { flags: without, ..options });
            assert!(without != flags && plain == (0, true), "{plain:?} {}", case());
            unsupported += 1;
            continue;
        }
        assert_eq!(status, if distinct { 0 } else { Status::Overlap.number() }, "{}", case());
        if !distinct {
            meets_itself += 1;
            continue;
        }
        assert!(!tiled || flags & STRIDE_COPY_OVERLAP == 0, "{}", case());
        let facts = oracle::facts(&plan).unwrap();

        // Where the bases lie, and how much of the buffer is the destination's.
        let dst_at = random.below(9) as usize;
        let src_at = match random.below(5) {
            0 | 1 => dst_at + dst_bytes + random.below(5) as usize,
            2 => dst_at,
            3 => dst_at + random.below(4) as usize * width,
            _ => random.below(1 + dst_bytes as u64 + 9) as usize,
        };
        let (dst_room, length) = (dst_bytes + random.below(4) as usize, dst_bytes.max(src_at + src_bytes) + 16);
        let before = random.bytes(length);
        let places = |offsets: &[i64], at: usize| -> Vec<usize> {
            offsets.iter().flat_map(|&offset| (0..width).map(move |byte| offset as usize * width + byte + at)).collect()
        };
        let (written, read) = (places(&to, dst_at), places(&from, src_at));
        let mut owned = vec![false; length];
        written.iter().for_each(|&byte| owned[byte] = true);
        let shared = written != read && read.iter().any(|&byte| owned[byte]);
        let reached = facts.src_lowest as usize + src_at..facts.src_end as usize + src_at;
        let meets = |first: usize, end: usize| !reached.is_empty() && first < reached.end && reached.start < end;
        let fills = flags & STRIDE_COPY_FILL_BUFFER != 0;
        let wrong = if fills {
            dst_room > 0 && meets(dst_at, dst_at + dst_room)
        } else if promised {
            if written == read || shared {
                continue; // it would be untrue
            }
            false
        } else {
            // Of pieces it is not looked at whether each element is its own source.
            shared || tiled && written == read && !read.is_empty()
        };
        let moves = flags == STRIDE_COPY_OVERLAP;
        let mut expected = before.clone();
        if fills {
            (0..dst_room).for_each(|p| expected[dst_at + p] = 7);
        }
        written.iter().zip(&read).for_each(|(&to, &from)| expected[to] = before[from]);
        let kind = usize::from(fills) + 2 * usize::from(tiled);
        let parts = random.pick(&[1, 1, 2, 3]);
        let (d, s) = (dst_room as u64, (length - src_at) as u64);
        let (mut needs_scratch, mut is_undecided) = (false, false);
        let run = |memory: &mut [u8], part: u32| {
            let base = memory.as_mut_ptr();
            let (at, from) = (base.wrapping_add(dst_at).cast(), base.wrapping_add(src_at).cast_const().cast());
            // SAFETY: both lengths lie in the memory.
            let status = unsafe {
                match parts {
                    1 => stride_copy_sides(to_side, at, d, from_side, from, s, &options, null_mut()),
                    _ => stride_plan_execute_part(&plan, at, d, from, s, part, parts, null_mut()),
                }
            };
            if moves && wrong && status == Status::ScratchNeeded.number() {
                needs_scratch = true;
                return;
            }
            if tiled && !fills && status == Status::Undecided.number() {
                is_undecided = true;
                return;
            }
            assert_eq!(status, if wrong && !moves { Status::Overlap.number() } else { 0 }, "{}", case());
        };
        let found = oracle::parts(&before, parts, case, run);
        if is_undecided {
            assert!(found == before, "{}", case());
            undecided += 1;
            continue;
        }
        assert!(found == if wrong && !moves || needs_scratch { &before } else { &expected }[..], "{}", case());
        if moves {
            let (mut memory, mut needed) = (before.clone(), u64::MAX);
            let base = memory.as_mut_ptr();
            let (at, from) = (base.wrapping_add(dst_at), base.wrapping_add(src_at));
            let mut scratch = vec![0u8; to.len() * width];
            // SAFETY: as above; the scratch is apart.
            let status = unsafe {
                stride_plan_scratch_bytes(&plan, at.addr() as u64, from.addr() as u64, &mut needed, null_mut());
                let room = scratch.as_mut_ptr().cast();
                stride_plan_execute_scratch(&plan, at.cast(), d, from.cast_const().cast(), s, room, needed, null_mut())
            };
            assert_eq!((status, needed), (0, if needs_scratch { to.len() * width } else { 0 } as u64), "{}", case());
            assert!(memory == expected, "{}", case());
            by_scratch += usize::from(needs_scratch);
        }
        if wrong && !moves { refused[kind] += 1 } else { done[kind] += 1 }
    }
    let enough =
        refused.iter().chain(&done).all(|&cases| cases > 500) && by_scratch.min(meets_itself).min(unsupported) > 100;
    assert!(cfg!(miri) || enough, "{refused:?} {done:?} {by_scratch} {meets_itself} {unsupported} {undecided}");
}

/// Larger ones, with parts that have work and chunks of the second cache.
#[test]
#[cfg_attr(miri, ignore = "millions of elements")]
fn large_relayouts_equal_the_naive_loop() {
    let mut random = Random::new(SEED + 1);
    for (sizes, dst_tiles, src_tiles) in [
        (vec![1000, 1100], vec![vec![8, 128]], vec![]),
        (vec![513, 700], vec![vec![8, 128], vec![2, 1]], vec![vec![4, 4]]),
        (vec![300, 1111], vec![vec![3, 7]], vec![vec![8, 5]]),
        (vec![2100, 150], vec![vec![8, 128]], vec![]), // runs longer than a table
        (vec![150, 2101], vec![], vec![vec![4, 16]]),
        (vec![3, 70, 1300], vec![vec![16, STRIDE_XLA_TILE_MERGE, 9]], vec![vec![128]]),
        (vec![1100, 1300], vec![vec![8, 128], vec![2, 1]], vec![vec![7, 5], vec![3, 2]]), // in chunks
        (vec![1280, 1024], vec![vec![8, 128], vec![2, 1]], vec![vec![7, 5], vec![3, 2]]), // of a second cache each
    ] {
        for width in [1usize, 2, 4] {
            let dtype = DTYPES.into_iter().find(|dtype| dtype.bits() as usize == 8 * width).unwrap();
            let side = |tiles: &Vec<Vec<i64>>, random: &mut Random| {
                let mut order: Vec<i64> = (0..sizes.len() as i64).rev().collect();
                if random.one_in(2) {
                    order.reverse();
                }
                Object::Tiled(Tiled::of(&sizes, sizes.clone(), order, tiles.clone()))
            };
            let (dst, src) = (side(&dst_tiles, &mut random), side(&src_tiles, &mut random));
            let (d, s) = (dst.extent() as usize * width, src.extent() as usize * width);
            let from = random.bytes(s);
            let mut expected = vec![0x55; d];
            for (to, at) in dst.offsets().into_iter().zip(src.offsets()) {
                let (to, at) = (to as usize * width, at as usize * width);
                expected[to..to + width].copy_from_slice(&from[at..at + width]);
            }
            let (to_side, from_side) = (Structs::whole(&dst, dtype), Structs::whole(&src, dtype));
            let (to_side, from_side) = (to_side.side(), from_side.side());
            let mut plan = stride_plan { words: [0; 512] };
            // SAFETY: plain structs.
            let status = unsafe { stride_plan_init_sides(&mut plan, to_side, from_side, null(), null_mut()) };
            assert_eq!(status, Status::Ok.number());
            for parts in [1, 2, 5, 64] {
                let mut to = vec![0x55; d];
                for part in (0..parts).rev() {
                    let (to, at) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
                    // SAFETY: both allocations hold the bytes that the lengths name.
                    let status =
                        unsafe { stride_plan_execute_part(&plan, to, d as u64, at, s as u64, part, parts, null_mut()) };
                    assert_eq!(status, Status::Ok.number());
                }
                assert!(to == expected, "{sizes:?} {dst:?} {src:?} in {parts}");
            }
            // A part does its own work, and leaves the others theirs.
            let mut to = vec![0x55; d];
            let (there, at) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
            // SAFETY: as above.
            let status = unsafe { stride_plan_execute_part(&plan, there, d as u64, at, s as u64, 1, 2, null_mut()) };
            assert_eq!(status, Status::Ok.number());
            let changed = |now: &[u8]| now.iter().filter(|&&byte| byte != 0x55).count();
            let (some, all) = (changed(&to), changed(&expected));
            let right = to.iter().zip(&expected).all(|(&byte, &wanted)| byte == wanted || byte == 0x55);
            assert!(right && 0 < some && some < all, "{sizes:?} {dst:?} {src:?}: {some} of {all}");
        }
    }
}

/// More terms than a sum has room for: dimensions of two by tiles that merge and cut them again and again.
#[test]
#[cfg_attr(miri, ignore = "8,192 elements by five tiles")]
fn many_dimensions_by_many_tiles() {
    let mut random = Random::new(SEED + 3);
    let (sizes, mut padded) = ([2; 13], vec![2; 13]);
    padded[9] = 3;
    let mut first = vec![STRIDE_XLA_TILE_MERGE; 12];
    first.push(111);
    let tiles =
        vec![first, vec![9, 7], vec![5, 7, 3, 2], vec![7, 2, 2, 2, 3, 2, 2, 2], vec![2, 2, 1, 2, 2, 2, 2, 1, 1, 1, 2]];
    packed_rows_into(Tiled::of(&sizes, padded, (0..13).rev().collect(), tiles), &mut random);
}

/// As many digits as one tile makes: each of 64 dimensions is cut. Those that are more than 1 are the slowest, whose
/// digits come last.
#[test]
fn a_tile_for_each_of_64_dimensions() {
    let dimensions = |first: &[i64]| [first, &[1; 62]].concat();
    let (sizes, tile) = (dimensions(&[5, 7]), dimensions(&[3, 4]));
    packed_rows_into(Tiled::of(&sizes, sizes.clone(), (0..64).rev().collect(), vec![tile]), &mut Random::new(SEED + 4));
}

/// Copies packed bytes into a tiled buffer, whose padding stays as it was.
fn packed_rows_into(tiled: Tiled, random: &mut Random) {
    let sizes = tiled.sizes.clone();
    let packed: Vec<i64> = (0..sizes.len()).map(|k| sizes[k + 1..].iter().product()).collect();
    let (tiled, rows) = (Object::Tiled(tiled), Object::Strided(Side::new(&sizes, &packed, 0)));
    let (d, s) = (tiled.extent() as usize, rows.extent() as usize);
    let from = random.bytes(s);
    let mut expected = vec![0x55; d];
    for (to, at) in tiled.offsets().into_iter().zip(rows.offsets()) {
        expected[to as usize] = from[at as usize];
    }
    let dtype = Dtype::U8;
    let (to_side, from_side) = (Structs::whole(&tiled, dtype), Structs::whole(&rows, dtype));
    let (to_side, from_side) = (to_side.side(), from_side.side());
    let mut to = vec![0x55; d];
    // SAFETY: both allocations hold the bytes that the lengths name.
    let status = unsafe {
        let (to, at) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
        stride_copy_sides(to_side, to, d as u64, from_side, at, s as u64, null(), null_mut())
    };
    assert_eq!(status, Status::Ok.number());
    assert!(to == expected);
}

/// 59 dimensions of two, all merged: a plan is made, or none, but the work ends.
#[test]
#[cfg_attr(miri, ignore = "a long search, and nothing is copied")]
fn as_many_merged_dimensions_as_there_can_be() {
    let sizes = vec![2; 59];
    let mut first = vec![STRIDE_XLA_TILE_MERGE; 58];
    first.push(3);
    let tiled = Tiled::of(&sizes, sizes.clone(), (0..59).rev().collect(), vec![first, vec![5, 2]]);
    let packed: Vec<i64> = (0..59).rev().map(|d| 1 << d).collect();
    let rows = oracle::layout(Dtype::U8.code(), &sizes, &packed, 0);
    let mut plan = stride_plan { words: [0; 512] };
    let shape = tiled.shape(Dtype::U8);
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init_sides(&mut plan, &side(&shape), &side(&rows), null(), null_mut()) };
    assert_eq!(status, Status::Ok.number());
}

/// Words that are nearly those of a relayout.
#[test]
fn words_that_are_no_relayout_are_refused() {
    let sizes = vec![6, 10];
    let tiled = Tiled::of(&sizes, sizes.clone(), vec![1, 0], vec![vec![4, 4]]);
    let (shape, rows) = (tiled.shape(Dtype::U8), oracle::layout(Dtype::U8.code(), &sizes, &[10, 1], 0));
    let mut honest = stride_plan { words: [0; 512] };
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init_sides(&mut honest, &side(&rows), &side(&shape), null(), null_mut()) };
    assert_eq!(status, Status::Ok.number());
    let execute = |forged: &[(usize, u64)]| {
        let mut plan = stride_plan { words: honest.words };
        forged.iter().for_each(|&(word, value)| plan.words[word] = value);
        let (mut to, from) = ([0u8; 60], [1u8; 96]);
        // SAFETY: both buffers hold as many bytes as the lengths say.
        unsafe { stride_plan_execute(&plan, to.as_mut_ptr().cast(), 60, from.as_ptr().cast(), 96, null_mut()) }
    };
    assert_eq!(execute(&[]), Status::Ok.number());
    let [first, second, ..] = honest.words;
    let refused = |forged: &[(usize, u64)]| {
        assert_eq!(execute(forged), Status::InvalidArgument.number(), "{forged:?}");
    };
    // How many words there are, rank and packing, flags, width, period of the fill, sizes.
    for (word, value) in [
        (0, first + 1),
        (0, first - 1),
        (1, second | 1 << 10),
        (1, second + 1),
        (2, 1 << 30),
        (2, STRIDE_COPY_OVERLAP as u64),
        (3, 0),
        (3, (1 << 31) + 1),
        (3, u64::MAX),
        (3, 1 | 2 << 32),
        (7, 0),
        (7, u64::MAX),
        (12, 0),
        (12, 7),
        (12, 1 << 62),
    ] {
        refused(&[(word, value)]);
    }
    // Steps and digits of both sides, what they reach, strides and sizes of tiles.
    for (word, value) in [
        (14, 1),
        (14, 3 << 8),
        (14, 2 << 8 | 1 << 16),
        (14, 2 << 8 | 1 << 24),
        (15, u64::MAX),
        (16, 58),
        (16, i64::MAX as u64),
        (17, 11),
        (18, u64::MAX),
        (19, 2 | 5 << 8),
        (21, 94),
        (22, 9),
        (23, 0),
        (23, u64::MAX),
        (25, u64::MAX),
    ] {
        refused(&[(word, value)]);
    }
    // No buffer has to be longer than what the objects reach.
    refused(&[(2, 1 << 31), (10, 1)]);
    // All rows in one place: more elements than bytes, which only a promise lets through.
    refused(&[(16, 9), (17, 0)]);
    assert_eq!(execute(&[(16, 9), (17, 0), (2, STRIDE_COPY_ASSUME_DISTINCT as u64)]), Status::Ok.number());
}

/// Any words of anybody: refused, or wrong bytes inside the two buffers.
#[test]
#[cfg(unix)]
fn forged_relayouts_stay_in_the_buffers() {
    let mut random = Random::new(SEED + 2);
    let mut pages = [guarded::Guarded::new(1 << 22), guarded::Guarded::new(1 << 22)];
    let (mut ran, mut refused) = (0, 0);
    for _ in 0..oracle::times(40_000) {
        let mut sizes = oracle::random_sizes(&mut random);
        sizes.truncate(4);
        let dtype = random.pick(&DTYPES);
        let dst = Object::strided_or(&mut random, &sizes, oracle::distinct_strides, tiled);
        let src = Object::strided_or(&mut random, &sizes, oracle::source_strides, tiled);
        let (to, from) = (Structs::whole(&dst, dtype), Structs::whole(&src, dtype));
        let mut plan = stride_plan { words: [0; 512] };
        // SAFETY: plain structs.
        let status = unsafe { stride_plan_init_sides(&mut plan, to.side(), from.side(), null(), null_mut()) };
        assert_eq!(status, Status::Ok.number());
        let bytes = |object: &Object| (object.extent() * dtype.bits() / 8) as usize;
        if kind_in_use(plan.words[1]) != 3 || bytes(&dst).max(bytes(&src)) > 1 << 22 {
            continue;
        }
        if random.below(3) != 0 {
            oracle::forge(&mut random, &mut plan);
        }
        let [to, from] = &mut pages;
        if bytes(&dst).max(bytes(&src)) > to.len() {
            continue;
        }
        let dst_buffer = to.buffer(bytes(&dst), random.one_in(2));
        let src_buffer = from.buffer(bytes(&src), random.one_in(2));
        let (d, s) = (dst_buffer.len() as u64, src_buffer.len() as u64);
        // SAFETY: both buffers hold as many bytes as the lengths say.
        let status = unsafe {
            stride_plan_execute(&plan, dst_buffer.as_mut_ptr().cast(), d, src_buffer.as_ptr().cast(), s, null_mut())
        };
        if status == Status::Ok.number() { ran += 1 } else { refused += 1 }
    }
    assert!(cfg!(miri) || ran > 2_000 && refused > 2_000, "{ran} {refused}");
}

/// The case that these bytes steer: what `fuzz/` runs. Whether there was one.
pub fn any_bytes(bytes: &[u8]) -> bool {
    relayout(&mut Random::steered(bytes), &mut Kinds::default())
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/tiled.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("tiled", any_bytes);
}
