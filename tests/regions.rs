//! Copies as data: what `stride_copy_classify`, `stride_plan_query` and `stride_plan_regions` say, held against the
//! naive loop over all indices and against a search for the shortest list.
//!
//! A failure prints the case; its number and the seed replay it.

#[macro_use]
mod common;
mod oracle;

use common::*;
use oracle::sides::side;
use oracle::{Random, Side, bytes_dtype};
use std::collections::BTreeMap;
use std::ptr::{null, null_mut};
use stride::ffi::plan_facts::*;
use stride::ffi::regions::*;
use stride::ffi::sides::*;
use stride::ffi::xla::stride_xla_shape;

const SEED: u64 = 20_261_122;
const U8: u32 = Dtype::U8.code();
const F32: u32 = Dtype::F32.code();

/// Kind, runs, bytes of a run.
fn classify(dst: &stride_layout, src: &stride_layout) -> Answer<(u32, u64, u64)> {
    let (mut kind, mut runs, mut run_bytes) = (99, POISON as u64, POISON as u64);
    call!(stride_copy_classify, dst, src, &mut kind, &mut runs, &mut run_bytes)?;
    Ok((kind, runs, run_bytes))
}

/// The number first, then the list in one go.
fn regions(plan: &stride_plan, rank: u32) -> Answer<Vec<stride_region>> {
    let mut count = POISON as u64;
    call!(stride_plan_regions, plan, rank, 0, null_mut(), &mut count)?;
    let all = count;
    let mut list = vec![stride_region { row_bytes: 7, ..stride_region::default() }; all as usize + 1];
    call!(stride_plan_regions, plan, rank, all + 1, list.as_mut_ptr(), &mut count)?;
    assert_eq!(count, all);
    assert_eq!(list.pop().map(|after| after.row_bytes), Some(7), "nothing after the last one");
    // A shorter list is the beginning of it.
    let some = all / 2;
    let mut first = vec![stride_region { row_bytes: 7, ..stride_region::default() }; some as usize + 1];
    call!(stride_plan_regions, plan, rank, some, first.as_mut_ptr(), &mut count)?;
    assert_eq!((count, first.pop().map(|after| after.row_bytes)), (all, Some(7)));
    assert_eq!(first, list[..some as usize]);
    Ok(list)
}

/// The first byte of every row on both sides.
fn rows_of(region: &stride_region) -> Vec<(i64, i64)> {
    let mut rows = Vec::new();
    for j in 0..region.counts[1] as i64 {
        for i in 0..region.counts[0] as i64 {
            let at = |offset, pitches: [i64; 2]| offset + i * pitches[0] + j * pitches[1];
            rows.push((at(region.dst_offset, region.dst_pitches), at(region.src_offset, region.src_pitches)));
        }
    }
    rows
}

/// The naive copy of a list. How often each byte of the destination was written.
fn copy_regions(list: &[stride_region], dst: &mut [u8], src: &[u8]) -> Vec<u8> {
    let mut written = vec![0; dst.len()];
    for region in list {
        for (to, from) in rows_of(region) {
            let (to, from, bytes) = (to as usize, from as usize, region.row_bytes as usize);
            dst[to..to + bytes].copy_from_slice(&src[from..from + bytes]);
            written[to..to + bytes].iter_mut().for_each(|times| *times += 1);
        }
    }
    written
}

fn check_shape(region: &stride_region, rank: u32) {
    for k in 0..2 {
        assert!(region.counts[k] >= 1 && (region.counts[k] == 1 || (k as u32) < rank - 1), "{region:?} of rank {rank}");
        let single = region.counts[k] == 1;
        assert_eq!(region.dst_pitches[k] == 0, single, "{region:?}");
        assert!(region.dst_pitches[k] >= 0 && (!single || region.src_pitches[k] == 0), "{region:?}");
    }
}

#[test]
fn the_regions_of_random_copies_are_the_copies() {
    let mut random = Random::new(SEED);
    let (mut kinds, mut lists, mut all) = ([0u32; 7], 0u64, 0u64);
    for number in 0..oracle::times(6000) {
        let sizes = match random.one_in(10) {
            true => oracle::long_sizes(&mut random),
            false => oracle::random_sizes(&mut random),
        };
        let width = random.pick(&[1usize, 2, 3, 4, 8, 12, 16, 17]);
        let strides = (oracle::distinct_strides(&mut random, &sizes), oracle::source_strides(&mut random, &sizes));
        let margin = |random: &mut Random| random.below(4);
        let dst = Side::new(&sizes, &strides.0, margin(&mut random));
        let src = Side::new(&sizes, &strides.1, margin(&mut random));
        let (dst_layout, src_layout) = (dst.layout(bytes_dtype(width)), src.layout(bytes_dtype(width)));
        let case = format!("seed {SEED}, case {number}: {width} bytes, {dst:?}, {src:?}");
        let options = stride_copy_options { cpu_level: random.below(5) as u32, ..flags(0) };
        let plan = plan(&options, &dst_layout, &src_layout).unwrap();

        let (kind, runs, run_bytes) = classify(&dst_layout, &src_layout).unwrap();
        let elements = dst.offsets().len() as u64;
        kinds[kind as usize] += 1;
        assert_eq!(runs * run_bytes, elements * width as u64, "{case}");
        assert_eq!(kind == STRIDE_COPY_KIND_NOTHING, elements == 0, "{case}");
        assert_eq!(kind == STRIDE_COPY_KIND_CONTIGUOUS, runs == 1, "{case}");

        let facts = query_plan(&plan).unwrap();
        let span = |side: &Side| {
            let offsets = side.offsets();
            let (lowest, highest) = (offsets.iter().min().unwrap_or(&0), offsets.iter().max().unwrap_or(&-1));
            (lowest * width as i64, (highest + 1) * width as i64)
        };
        assert_eq!(((facts.dst_lowest, facts.dst_end), (facts.src_lowest, facts.src_end)), (span(&dst), span(&src)));
        assert_eq!((facts.kind, facts.runs, facts.run_bytes), (kind, runs, run_bytes), "{case}");
        assert_eq!((facts.bytes, facts.useful_parts, facts.flags), (runs * run_bytes, 1, 0), "{case}");
        assert_eq!((facts.scratch_bytes, facts.struct_size as usize), (0, size_of::<stride_plan_facts>()));

        let from = random.bytes(src.extent() as usize * width);
        let before = random.bytes(dst.extent() as usize * width + 20);
        let mut wanted = before.clone();
        oracle::copy(&mut wanted, &dst, &from, &src, width);
        let mut count_before = u64::MAX;
        for rank in 1..=3 {
            let list = regions(&plan, rank).unwrap();
            list.iter().for_each(|region| check_shape(region, rank));
            let mut to = before.clone();
            let written = copy_regions(&list, &mut to, &from);
            assert!(to == wanted, "rank {rank}, {case}");
            assert!(written.iter().all(|&times| times <= 1), "rank {rank}, {case}");
            assert_eq!(written.iter().map(|&times| times as u64).sum::<u64>(), runs * run_bytes, "{case}");
            assert!(list.iter().all(|region| region.row_bytes == run_bytes), "{case}");
            assert!(list.len() as u64 <= count_before && (rank > 1 || list.len() as u64 == runs), "{case}");
            count_before = list.len() as u64;
            (lists, all) = (lists + 1, all + count_before);
        }
    }
    println!("{lists} lists of {all} regions; kinds {kinds:?}");
    assert!(cfg!(miri) || kinds[..6].iter().all(|&times| times > 50), "{kinds:?}");
}

/// The fewest progressions of rows in `directions` directions that cover all rows, each of them `(dst, src)`: every
/// one that there is, then the best cover of every subset.
fn fewest(rows: &[(i64, i64)], directions: usize) -> u32 {
    let number: BTreeMap<(i64, i64), usize> = rows.iter().enumerate().map(|(k, &row)| (row, k)).collect();
    let step = |from: (i64, i64), to: (i64, i64)| (to.0 - from.0, to.1 - from.1);
    let line = |from: usize, (u, v): (i64, i64)| -> Vec<usize> {
        let at = |k: i64| number.get(&(rows[from].0 + k * u, rows[from].1 + k * v)).copied();
        (0..).map_while(at).collect()
    };
    let mask = |of: &[usize]| of.iter().fold(0u32, |mask, k| mask | 1 << k);
    let mut all: Vec<u32> = (0..rows.len()).map(|k| 1 << k).collect();
    for a in 0..rows.len() {
        for b in (0..rows.len()).filter(|&b| b != a && directions > 0) {
            let first = line(a, step(rows[a], rows[b]));
            all.push(mask(&first));
            for c in (0..rows.len()).filter(|&c| c != a && directions > 1) {
                let by = step(rows[a], rows[c]);
                // As many lines as all have the length of the first, for each length of it.
                for length in 1..=first.len() {
                    let mut whole = 0;
                    let lines: Vec<Vec<usize>> = first[..length].iter().map(|&at| line(at, by)).collect();
                    let shortest = lines.iter().map(Vec::len).min().unwrap_or(0);
                    for line in &lines {
                        whole |= mask(&line[..shortest]);
                    }
                    all.push(whole);
                }
            }
        }
    }
    all.sort();
    all.dedup();
    let full = (1u32 << rows.len()) - 1;
    let mut best = vec![u32::MAX; full as usize + 1];
    best[0] = 0;
    for covered in 0..full {
        if best[covered as usize] == u32::MAX {
            continue;
        }
        let open = (!covered).trailing_zeros();
        for region in all.iter().filter(|region| **region >> open & 1 != 0) {
            let next = (covered | region) as usize;
            best[next] = best[next].min(best[covered as usize] + 1);
        }
    }
    best[full as usize]
}

#[test]
#[cfg_attr(miri, ignore = "thousands of ways to cover a copy")]
fn no_list_is_shorter() {
    let mut random = Random::new(SEED + 1);
    let (mut cases, mut longest) = (0, 0);
    while cases < oracle::times(300) {
        let sizes: Vec<i64> = (0..1 + random.below(4)).map(|_| 1 + random.below(4)).collect();
        let elements: i64 = sizes.iter().product();
        if !(2..=12).contains(&elements) {
            continue;
        }
        // Nested, with gaps, so that only what is one loop becomes one.
        let nested = |random: &mut Random, gap: i64| {
            let mut order: Vec<usize> = (0..sizes.len()).collect();
            random.shuffle(&mut order);
            let (mut strides, mut step) = (vec![0; sizes.len()], 1 + random.below(2));
            for dimension in order {
                strides[dimension] = if random.one_in(4) { -step } else { step };
                step = step * sizes[dimension] + gap * random.below(3);
            }
            strides
        };
        let (to, from) = (nested(&mut random, 7), nested(&mut random, 11));
        let (dst, src) = (Side::new(&sizes, &to, 0), Side::new(&sizes, &from, 0));
        let plan = plan(&flags(0), &dst.layout(U8), &src.layout(U8)).unwrap();
        for rank in 1..=3 {
            let list = regions(&plan, rank).unwrap();
            let rows: Vec<(i64, i64)> = list.iter().flat_map(rows_of).collect();
            let shortest = fewest(&rows, rank as usize - 1);
            assert_eq!(list.len() as u32, shortest, "rank {rank}: {dst:?} {src:?}");
            longest = longest.max(shortest);
        }
        cases += 1;
    }
    println!("{cases} copies, the longest list has {longest} regions");
    assert!(cfg!(miri) || longest >= 8);
}

/// `VkBufferCopy`, `cudaMemcpy3D`: what somebody would write by hand.
#[test]
fn lists_are_those_that_people_write() {
    // librealsense's NV12: 848 x 480, rows of 848 bytes, 610,560 bytes; a crop of 64 x 32 pixels at (100, 100).
    let chroma = at(848 * 480, packed(U8, &[240, 424, 2]));
    let crop = {
        let (starts, sizes) = ([50i64, 50, 0], [16i64, 32, 2]);
        made(|out| call!(stride::ffi::view::stride_layout_crop, &chroma, 3, starts.as_ptr(), sizes.as_ptr(), out))
            .unwrap()
    };
    let tight = packed(U8, &[16, 32, 2]);
    let plan_of = |dst: &stride_layout, src: &stride_layout| plan(&flags(0), dst, src).unwrap();
    let list = regions(&plan_of(&tight, &crop), 2).unwrap();
    let wanted = stride_region {
        dst_offset: 0,
        src_offset: 848 * 480 + 50 * 848 + 100,
        row_bytes: 64,
        counts: [16, 1],
        dst_pitches: [64, 0],
        src_pitches: [848, 0],
    };
    assert_eq!(list, [wanted]);
    assert_eq!(min_bytes(&chroma).unwrap(), 610_560);
    // A box of a volume: one cudaMemcpy3D of 20 x 30 rows of 40 floats; 20 rectangles, 600 rows.
    let volume = layout(F32, &[20, 30, 40], &[200 * 100, 100, 1]);
    let plan = plan_of(&packed(F32, &[20, 30, 40]), &volume);
    let list = regions(&plan, 3).unwrap();
    assert_eq!((list.len(), list[0].row_bytes, list[0].counts), (1, 160, [30, 20]));
    assert_eq!((list[0].dst_pitches, list[0].src_pitches), ([160, 4800], [400, 80_000]));
    let rectangles = regions(&plan, 2).unwrap();
    assert_eq!((rectangles.len(), rectangles[3].src_offset), (20, 3 * 80_000));
    assert_eq!((rectangles[3].counts, rectangles[3].dst_pitches), ([30, 1], [160, 0]));
    assert_eq!(regions(&plan, 1).unwrap().len(), 600);
    // Mirrored and repeated sources: pitches below 0, and 0.
    let mirrored = at(12, layout(F32, &[4, 4], &[-4, 1]));
    let list = regions(&plan_of(&packed(F32, &[4, 4]), &mirrored), 2).unwrap();
    assert_eq!((list.len(), list[0].src_offset, list[0].src_pitches), (1, 48, [-16, 0]));
    let bias = layout(F32, &[4, 4], &[0, 1]);
    let list = regions(&plan_of(&packed(F32, &[4, 4]), &bias), 2).unwrap();
    assert_eq!((list.len(), list[0].row_bytes, list[0].counts, list[0].src_pitches), (1, 16, [4, 1], [0, 0]));
}

/// 2^60 regions: the number comes at once, and so do the first ones.
#[test]
fn a_number_takes_no_longer_than_another() {
    let sizes = [1 << 20, 1 << 20, 1 << 19];
    let dst = layout(U8, &sizes, &[1 << 39, 1 << 19, 1]);
    let src = layout(U8, &sizes, &[1, 1 << 20, 1 << 40]);
    let plan = plan(&flags(0), &dst, &src).unwrap();
    let mut count = 0;
    let mut first = [stride_region::default(); 3];
    for (rank, all) in [(1, 1 << 59), (2, 1 << 39), (3, 1 << 19)] {
        call!(stride_plan_regions, &plan, rank, 3, first.as_mut_ptr(), &mut count).unwrap();
        assert_eq!(count, all, "rank {rank}");
    }
    assert_eq!(first.map(|region| region.dst_offset), [0, 1, 2]);
    let facts = query_plan(&plan).unwrap();
    assert_eq!((facts.bytes, facts.useful_parts), (1 << 59, u32::MAX));
}

/// Two loops that go on where the other one ends are one, also around a dimension of which a piece has one index.
#[test]
fn pieces_of_tiles_join_their_loops() {
    let dst = layout(U8, &[2, 3, 2, 2], &[2, 100, 4, 3]);
    let src = parse("u8[2,3,2,2]{1,0,2,3:T(2)}").unwrap();
    let mut plan = stride_plan { words: [0; 512] };
    call!(stride_plan_init_sides, &mut plan, &side(&dst), &side(&src), null()).unwrap();
    let counts = [1, 2, 3].map(|rank| regions(&plan, rank).unwrap().len());
    assert_eq!(counts, [24, 10, 5]);
}

#[test]
fn copies_with_tiles_are_lists_too() {
    let pairs = [
        ("u8[9,10]{1,0:T(4,4)}", "u8[9,10]"),
        ("u8[9,10]", "u8[9,10]{1,0:T(4,4)}"),
        ("f32[5,6,7]{2,1,0:T(2,3)}", "f32[5,6,7]{0,1,2}"),
        ("u16[30,100]{1,0:T(8,128)(2,1)}", "u16[30,100]"),
        ("u8[20,20]{1,0:T(8,8)}", "u8[20,20]{1,0:T(3,3)}"),
        ("f32[8,8]{1,0:T(4,4)}", "f32[8,8]"),
    ];
    let mut random = Random::new(SEED + 2);
    let mut tiled = 0;
    let few = if cfg!(miri) { 3 } else { pairs.len() };
    for (to, from) in pairs.into_iter().take(few) {
        let (dst_shape, src_shape) = (parse(to).unwrap(), parse(from).unwrap());
        let (dst_bytes, src_bytes) = (byte_size(&dst_shape).unwrap(), byte_size(&src_shape).unwrap());
        let src = random.bytes(src_bytes as usize);
        let before = random.bytes(dst_bytes as usize);
        let (mut wanted, to_side, from_side) = (before.clone(), side(&dst_shape), side(&src_shape));
        let (to_at, from_at) = (wanted.as_mut_ptr().cast(), src.as_ptr().cast());
        call!(stride_copy_sides, &to_side, to_at, dst_bytes, &from_side, from_at, src_bytes, null()).unwrap();
        let mut plan = stride_plan { words: [0; 512] };
        call!(stride_plan_init_sides, &mut plan, &to_side, &from_side, null()).unwrap();
        let facts = query_plan(&plan).unwrap();
        let elements: i64 = dst_shape.sizes[..dst_shape.rank as usize].iter().product();
        assert!(facts.bytes >= elements as u64 && facts.useful_parts == 1 && facts.scratch_bytes == 0, "{to} {from}");
        if facts.kind == STRIDE_COPY_KIND_TILED {
            tiled += 1;
            assert_eq!((facts.runs, facts.run_bytes), (0, 0));
            assert_eq!((facts.dst_lowest, facts.dst_end as u64), (0, dst_bytes), "{to}");
        }
        for rank in 1..=3 {
            let list = regions(&plan, rank).unwrap();
            let mut dst = before.clone();
            let written = copy_regions(&list, &mut dst, &src);
            assert!(dst == wanted, "{to} {from}");
            assert_eq!(written.iter().map(|&times| times as u64).sum::<u64>(), facts.bytes);
            assert!(written.iter().all(|&times| times <= 1));
        }
    }
    if cfg!(miri) {
        return;
    }
    assert!(tiled >= 4, "{tiled}");
    // Tiles of 7 against tiles of 11 in four dimensions are more boxes than a list is made of.
    let shape = |text: &str| parse(text).unwrap();
    let (dst, src) = (shape("u8[77,77,77]{2,1,0:T(7,7,7)}"), shape("u8[77,77,77]{2,1,0:T(11,11,11)}"));
    let mut plan = stride_plan { words: [0; 512] };
    call!(stride_plan_init_sides, &mut plan, &side(&dst), &side(&src), null()).unwrap();
    let refused = error(regions(&plan, 3));
    assert_eq!((refused.status, refused.detail), (Status::Unsupported.number(), Detail::TooManyPieces.number() as u64));
}

/// Tiled shapes without elements: nothing to list, to count or to move.
#[test]
fn empty_tiles_have_no_regions() {
    let shape = parse("u8[0,10]{1,0:T(4,4)}").unwrap();
    let rows = packed(U8, &[0, 10]);
    let mut plan = stride_plan { words: [0; 512] };
    call!(stride_plan_init_sides, &mut plan, &side(&shape), &side(&rows), null()).unwrap();
    let facts = query_plan(&plan).unwrap();
    let counts = (facts.bytes, facts.runs, facts.dst_lowest, facts.dst_end, facts.scratch_bytes, facts.useful_parts);
    assert_eq!((counts, facts.kind), ((0, 0, 0, 0, 0, 1), STRIDE_COPY_KIND_NOTHING));
    for rank in 1..=3 {
        assert_eq!(regions(&plan, rank).unwrap().len(), 0);
    }
    let places = [5i64, -70];
    for part in 0..2 {
        call!(stride_plan_execute_batch, &plan, null_mut(), 0, places.as_ptr(), null(), 0, places.as_ptr(), 2, part, 2)
            .unwrap();
    }
}

#[test]
fn what_a_list_cannot_say_is_refused() {
    let rows = packed(U8, &[2, 3]);
    let mut count = 7;
    for (flag, detail) in
        [(STRIDE_COPY_FILL_BUFFER, Detail::UnsupportedFlag), (STRIDE_COPY_OVERLAP, Detail::UnsupportedFlag)]
    {
        let plan = plan(&flags(flag), &rows, &rows).unwrap();
        let e = error(call!(stride_plan_regions, &plan, 1, 0, null_mut(), &mut count));
        assert_eq!((e.status, e.argument), (Status::Unsupported.number(), Argument::Plan.number()));
        assert_eq!((e.detail, e.lhs, e.rhs), (detail.number() as u64, flag as i64, flag as i64));
        assert_eq!(query_plan(&plan).unwrap().flags, flag);
    }
    let plain = plan(&flags(0), &rows, &rows).unwrap();
    for (rank, rhs) in [(0, 1), (4, 3), (u32::MAX, 3)] {
        let e = reason(call!(stride_plan_regions, &plain, rank, 0, null_mut(), &mut count));
        assert_eq!(e, (Status::InvalidRank.number(), Argument::Rank.number(), -1, rank as i64, rhs));
    }
    assert_eq!(count, 7);
    // Nothing to copy: no region, no reach.
    let empty = packed(U8, &[0, 3]);
    let nothing = plan(&flags(0), &empty, &empty).unwrap();
    assert_eq!(regions(&nothing, 2).unwrap(), []);
    let facts = query_plan(&nothing).unwrap();
    assert_eq!((facts.kind, facts.bytes, facts.runs, facts.useful_parts), (STRIDE_COPY_KIND_NOTHING, 0, 0, 1));
    assert_eq!((facts.dst_lowest, facts.dst_end, facts.src_lowest, facts.src_end), (0, 0, 0, 0));
}

#[test]
fn kinds_are_refused_as_copies_are() {
    let rows = packed(F32, &[2, 3]);
    let refused = |dst: &stride_layout, src: &stride_layout| {
        let (asked, planned) = (error(classify(dst, src)), error(plan(&flags(0), dst, src)));
        assert_eq!(asked, planned);
        asked.status
    };
    assert_eq!(refused(&rows, &packed(F32, &[3, 2])), Status::ShapeMismatch.number());
    assert_eq!(refused(&rows, &packed(Dtype::S32.code(), &[2, 3])), Status::DtypeMismatch.number());
    assert_eq!(refused(&layout(F32, &[2, 3], &[0, 1]), &rows), Status::Overlap.number());
    assert_eq!(refused(&layout(F32, &[2, 3], &[2, 1]), &rows), Status::Overlap.number());
    assert_eq!(refused(&layout(F32, &[2, 3], &[-3, 1]), &rows), Status::OutOfBounds.number());
}

#[test]
fn facts_tell_scratch_and_parts() {
    let square = packed(F32, &[512, 512]);
    let transposed = layout(F32, &[512, 512], &[1, 512]);
    let facts = query_plan(&plan(&flags(STRIDE_COPY_OVERLAP), &square, &transposed).unwrap()).unwrap();
    assert_eq!((facts.scratch_bytes, facts.kind), (1 << 20, STRIDE_COPY_KIND_TRANSPOSE));
    assert_eq!(facts.useful_parts, 8);
    // Where a direction suffices none is needed.
    let shifted = query_plan(&plan(&flags(STRIDE_COPY_OVERLAP), &square, &square).unwrap()).unwrap();
    assert_eq!((shifted.scratch_bytes, shifted.kind, shifted.runs), (0, STRIDE_COPY_KIND_CONTIGUOUS, 1));
    // What lies between the elements is filled in the same parts, in whatever order the loops run.
    let cube = (packed(F32, &[64; 3]), layout(F32, &[64; 3], &[1, 64, 4096]));
    let filled = query_plan(&plan(&flags(STRIDE_COPY_FILL_BUFFER), &cube.0, &cube.1).unwrap()).unwrap();
    assert_eq!((filled.bytes, filled.useful_parts), (1 << 20, 8));
    let small = packed(F32, &[100, 100]);
    assert_eq!(query_plan(&plan(&flags(0), &small, &small).unwrap()).unwrap().useful_parts, 1);
    // struct_size: too small, too large, or more than is known: the rest becomes 0.
    let plan = plan(&flags(0), &small, &small).unwrap();
    let known = size_of::<stride_plan_facts>() as i64;
    let ask = |struct_size: u32, tail: u64| {
        let mut room = [0u64; 513];
        (room[0], room[known as usize / 8]) = (struct_size as u64, tail);
        let answer = call!(stride_plan_query, &plan, room.as_mut_ptr().cast());
        assert!(answer.is_ok() || room[1] == 0, "written on failure");
        assert!(answer.is_err() || room[0] as u32 == struct_size);
        let cleared = answer.is_ok() && struct_size as i64 >= known + 8;
        assert_eq!(room[known as usize / 8], if cleared { 0 } else { tail });
        answer
    };
    let out = |lhs, rhs| (Status::InvalidArgument.number(), Argument::Out.number(), -1, lhs, rhs);
    assert_eq!(reason(ask(0, 0)), out(0, known));
    assert_eq!(reason(ask(known as u32 - 1, 0)), out(known - 1, known));
    assert_eq!(reason(ask(4097, 0)), out(4097, 4096));
    assert_eq!(status(ask(known as u32 + 8, 1 << 24)), 0);
    assert_eq!(status(ask(known as u32, 1)), 0); // not its bytes
    assert_eq!(status(ask(4096, 0)), 0);
}

/// Elements below a byte are runs of bytes where they can be; else nobody counts runs, and there are no regions.
#[test]
fn elements_below_a_byte_have_regions_where_runs_are_whole_bytes() {
    let u4 = Dtype::U4.code();
    let (rows, pitched) = (packed(u4, &[6, 4]), layout(u4, &[6, 4], &[10, 1]));
    assert_eq!(classify(&rows, &pitched).unwrap(), (STRIDE_COPY_KIND_ROWS, 6, 2));
    let plan_of_bytes = plan(&flags(0), &rows, &pitched).unwrap();
    assert_eq!(regions(&plan_of_bytes, 2).unwrap().len(), 1);
    let transposed = layout(u4, &[6, 4], &[1, 6]);
    assert_eq!(classify(&rows, &transposed).unwrap(), (STRIDE_COPY_KIND_BITS, 0, 0));
    let plan_of_bits = plan(&flags(STRIDE_COPY_OVERLAP), &rows, &transposed).unwrap();
    let facts = query_plan(&plan_of_bits).unwrap();
    assert_eq!((facts.kind, facts.bytes, facts.scratch_bytes), (STRIDE_COPY_KIND_BITS, 12, 12));
    assert_eq!(((facts.dst_lowest, facts.dst_end), (facts.src_lowest, facts.src_end)), ((0, 12), (0, 12)));
    for dtype in [Dtype::U1, Dtype::S2, Dtype::F4E2M1FN] {
        let (rows, transposed) = (packed(dtype.code(), &[6, 4]), layout(dtype.code(), &[6, 4], &[1, 6]));
        let record = error(regions(&plan(&flags(0), &rows, &transposed).unwrap(), 2));
        assert_eq!((record.status, record.detail), (Status::Unsupported.number(), Detail::DtypeWidth.number() as u64));
        // A plan knows how wide elements are, not what they mean.
        let unsigned = [Dtype::U1, Dtype::U2, Dtype::U4].map(Dtype::code)[dtype.bits().ilog2() as usize];
        assert_eq!(record.lhs, unsigned as i64);
    }
}

/// Whoever wrote the words of a plan: an answer or a status, and never more than was asked for.
#[test]
fn words_of_anybody_are_answered_or_refused() {
    let mut random = Random::new(SEED + 3);
    let sides = [
        (packed(F32, &[5, 7]), layout(F32, &[5, 7], &[1, 5])),
        (layout(U8, &[4, 5, 6], &[200, 20, 1]), packed(U8, &[4, 5, 6])),
        (packed(F32, &[64, 64]), layout(F32, &[64, 64], &[1, 64])),
    ];
    let plans: Vec<stride_plan> = sides.iter().map(|(dst, src)| plan(&flags(0), dst, src).unwrap()).collect();
    let shapes: [stride_xla_shape; 2] = [parse("u8[9,10]{1,0:T(4,4)}").unwrap(), parse("u8[9,10]").unwrap()];
    let mut tiled = stride_plan { words: [0; 512] };
    call!(stride_plan_init_sides, &mut tiled, &side(&shapes[0]), &side(&shapes[1]), null()).unwrap();
    let (mut answered, mut refused) = (0, 0);
    for number in 0..oracle::times(20_000) {
        let mut forged = if number % 4 == 3 { tiled } else { plans[number % 4] };
        let used = (forged.words[0] & 0xFFFF) as usize;
        for _ in 0..1 + random.below(3) {
            let at = random.below(used as u64) as usize;
            forged.words[at] = match random.below(5) {
                0 => forged.words[at] ^ 1 << random.below(64),
                1 => random.next(),
                2 => random.pick(&[0, 1, 2, u64::MAX, 1 << 63, i64::MAX as u64, 1 << 62]),
                3 => forged.words[at].wrapping_add(random.below(5) as u64).wrapping_sub(2),
                _ => forged.words[random.below(used as u64) as usize],
            };
        }
        let mut list = [stride_region { row_bytes: 7, ..stride_region::default() }; 9];
        let mut count = 0;
        let rank = 1 + random.below(3) as u32;
        let asked = call!(stride_plan_regions, &forged, rank, 8, list.as_mut_ptr(), &mut count);
        assert_eq!(list[8].row_bytes, 7);
        let facts = query_plan(&forged);
        if asked.is_ok() {
            answered += 1
        } else {
            refused += 1
        }
        assert!(asked.is_err() || facts.is_ok(), "{:?}", error(facts));
    }
    println!("{answered} answered, {refused} refused");
    assert!(cfg!(miri) || answered > 1000 && refused > 1000);
}

/// Lists under the rules of whoever moves them.
mod rules {
    use super::*;

    const RECTANGLE: u32 = STRIDE_REGION_NO_NEGATIVE | STRIDE_REGION_NO_REPEATS | STRIDE_REGION_NESTED;

    fn rules_of(api: u32) -> stride_region_rules {
        // SAFETY: plain numbers.
        let mut out: stride_region_rules = unsafe { std::mem::zeroed() };
        call!(stride_region_rules_init, &mut out, api).unwrap();
        assert_eq!(out.struct_size as usize, size_of::<stride_region_rules>());
        out
    }

    /// The number first, then the list, and a shorter one.
    fn under(plan: &stride_plan, rules: &stride_region_rules) -> Answer<Vec<stride_region>> {
        let mut all = POISON as u64;
        let asked = call!(stride_plan_regions_under, plan, rules, 0, null_mut(), &mut all);
        assert!(asked.is_ok() || all == POISON as u64);
        asked?;
        let marked = stride_region { row_bytes: 7, ..stride_region::default() };
        for capacity in [all / 2, all + 1] {
            let mut list = vec![marked; all as usize + 1];
            let mut count = 0;
            call!(stride_plan_regions_under, plan, rules, capacity, list.as_mut_ptr(), &mut count).unwrap();
            assert_eq!(count, all);
            assert_eq!(list[capacity.min(all) as usize], marked, "nothing after the last one");
            if capacity > all {
                list.pop();
                return Ok(list);
            }
        }
        unreachable!()
    }

    fn plan_of(dst: &stride_layout, src: &stride_layout) -> stride_plan {
        plan(&flags(0), dst, src).unwrap()
    }

    /// Each rule as its sentence in the header says it.
    fn check_rules(region: &stride_region, rules: &stride_region_rules) {
        let most = |limit: u64, value: u64| assert!(limit == 0 || value <= limit, "{region:?} {rules:?}");
        let rank = if region.counts[1] > 1 { 3 } else { 1 + (region.counts[0] > 1) as u32 };
        most(rules.rank_max as u64, rank as u64);
        most(rules.row_bytes_max, region.row_bytes);
        most(rules.rows_max, region.counts[0]);
        most(rules.slices_max, region.counts[1]);
        let divides = |by: u32, value: i64| assert!(by == 0 || value % by as i64 == 0, "{region:?} {rules:?}");
        divides(rules.row_bytes_alignment, region.row_bytes as i64);
        let sides = [(region.dst_offset, region.dst_pitches), (region.src_offset, region.src_pitches)];
        for (side, (offset, pitches)) in sides.into_iter().enumerate() {
            let on = |flag: u32| rules.flags[side] & flag != 0;
            divides(rules.offset_alignment[side], offset);
            let mut inside = region.row_bytes as i64;
            for k in 0..rank as usize - 1 {
                let pitch = pitches[k];
                divides(rules.pitch_alignment[side], pitch);
                assert!(pitch >= 0 || !on(STRIDE_REGION_NO_NEGATIVE), "{region:?} {rules:?}");
                assert!(pitch != 0 || !on(STRIDE_REGION_NO_REPEATS), "{region:?} {rules:?}");
                assert!(pitch.abs() >= inside || !on(STRIDE_REGION_NESTED), "{region:?} {rules:?}");
                if k == 0 {
                    most(rules.pitch_max[side], pitch.unsigned_abs());
                } else if on(STRIDE_REGION_SLICE_MULTIPLE) {
                    let whole = if pitches[0] == 0 { pitch == 0 } else { pitch % pitches[0] == 0 };
                    assert!(whole, "{region:?} {rules:?}");
                }
                inside = pitch.abs() * region.counts[k] as i64;
            }
        }
    }

    #[test]
    fn presets() {
        let all = [0, 2, 0, 0, 1, 0, 0, 0, 0];
        for (api, rank) in all.into_iter().enumerate() {
            assert_eq!(rules_of(api as u32).rank_max, rank, "{api}");
        }
        let box_flags = RECTANGLE | STRIDE_REGION_SLICE_MULTIPLE;
        assert_eq!(rules_of(STRIDE_REGION_API_CUDA_2D).flags, [RECTANGLE; 2]);
        assert_eq!(rules_of(STRIDE_REGION_API_CUDA_3D).flags, [box_flags; 2]);
        assert_eq!(rules_of(STRIDE_REGION_API_OPENCL_RECT).flags, [box_flags; 2]);
        let (upload, readback) = (rules_of(STRIDE_REGION_API_D3D12_UPLOAD), rules_of(STRIDE_REGION_API_D3D12_READBACK));
        let image = box_flags | STRIDE_REGION_IMAGE;
        assert_eq!((upload.flags, upload.offset_alignment), ([image, box_flags], [0, 512]));
        assert_eq!((readback.flags, readback.pitch_max), ([box_flags, image], [u32::MAX as u64, 0]));
        assert_eq!((readback.pitch_alignment, readback.offset_alignment), ([256, 0], [512, 0]));
        // VUID-vkCmdCopyBufferToImage-bufferRowLength-09108: at most 2^31 - 1 bytes.
        let (upload, readback) =
            (rules_of(STRIDE_REGION_API_VULKAN_UPLOAD), rules_of(STRIDE_REGION_API_VULKAN_READBACK));
        assert_eq!((upload.flags, upload.offset_alignment), ([image, box_flags], [0, 4]));
        assert_eq!((readback.flags, readback.offset_alignment), ([box_flags, image], [4, 0]));
        assert_eq!((upload.pitch_max, readback.pitch_max), ([0, i32::MAX as u64], [i32::MAX as u64, 0]));
        let said = error(call!(stride_region_rules_init, &mut rules_of(0), 9));
        assert_eq!((said.argument, said.lhs, said.rhs), (Argument::Api.number(), 9, 8));
    }

    /// inducer/pycuda#76: "src's major stride must be a multiple of middle stride".
    #[test]
    fn slices_that_are_no_multiple_of_rows() {
        let cuda = rules_of(STRIDE_REGION_API_CUDA_3D);
        let boxes = |slice: i64| {
            let view = layout(F32, &[5, 3, 4], &[slice, 6, 1]);
            under(&plan_of(&packed(F32, &[5, 3, 4]), &view), &cuda).unwrap()
        };
        let whole = boxes(24);
        assert_eq!((whole.len(), whole[0].counts, whole[0].src_pitches), (1, [3, 5], [24, 96]));
        // 25 floats are no whole rows of 6: five rectangles of three rows, or three of five rows at a pitch of 100.
        let cut = boxes(25);
        assert_eq!((cut.len(), cut[0].counts, cut[0].src_pitches), (3, [5, 1], [100, 0]));
        assert_eq!((cut[1].dst_offset, cut[1].src_offset), (16, 24));
        assert_eq!(
            regions(&plan_of(&packed(F32, &[5, 3, 4]), &layout(F32, &[5, 3, 4], &[25, 6, 1])), 3).unwrap().len(),
            1
        );
    }

    /// ROCm/hip#1533: hipMemcpy2D takes no pitch of 0, with which a row would repeat.
    #[test]
    fn a_row_that_repeats() {
        let cuda = rules_of(STRIDE_REGION_API_CUDA_2D);
        let repeated = layout(F32, &[7, 4], &[0, 1]);
        let plan = plan_of(&packed(F32, &[7, 4]), &repeated);
        assert_eq!(regions(&plan, 2).unwrap().len(), 1);
        let rows = under(&plan, &cuda).unwrap();
        assert_eq!((rows.len(), rows[6].dst_offset, rows[6].src_offset, rows[6].row_bytes), (7, 96, 0, 16));
    }

    /// pytorch/pytorch#138964: a transpose into a packed tensor has source pitches below a row's bytes.
    #[test]
    fn pitches_below_the_row() {
        let cuda = rules_of(STRIDE_REGION_API_CUDA_2D);
        // Windows of 4 floats that begin every 2.
        let plan = plan_of(&packed(F32, &[5, 4]), &layout(F32, &[5, 4], &[2, 1]));
        assert_eq!((regions(&plan, 2).unwrap().len(), under(&plan, &cuda).unwrap().len()), (1, 5));
        let plan = plan_of(&packed(F32, &[5, 4]), &layout(F32, &[5, 4], &[6, 1]));
        let one = under(&plan, &cuda).unwrap();
        assert_eq!((one.len(), one[0].row_bytes, one[0].src_pitches[0], one[0].dst_pitches[0]), (1, 16, 24, 16));
        // The most that a device takes: longer pitches go row by row.
        let near = stride_region_rules { pitch_max: [20, 20], ..cuda };
        assert_eq!(under(&plan, &near).unwrap().len(), 5);
    }

    /// A footprint of D3D12: 5 rows of 20 texels at 256 bytes, three slices, from a buffer at 512.
    #[test]
    fn footprints_of_d3d12() {
        let texels = packed(bytes_dtype(4), &[3, 5, 20]);
        let footprint = at(128, layout(bytes_dtype(4), &[3, 5, 20], &[320, 64, 1]));
        let upload = rules_of(STRIDE_REGION_API_D3D12_UPLOAD);
        let list = under(&plan_of(&texels, &footprint), &upload).unwrap();
        assert_eq!((list.len(), list[0].counts, list[0].src_offset, list[0].src_pitches[0]), (1, [15, 1], 512, 256));
        let stray = at(64, footprint);
        let said = error(under(&plan_of(&texels, &stray), &upload));
        assert_eq!((said.argument, said.detail), (Argument::Plan.number(), Detail::RegionSrcOffset.number() as u64));
        assert_eq!((said.status, said.lhs, said.rhs), (Status::Unsupported.number(), 256, 512));
        assert_eq!(
            sentence(&said),
            "plan: a region would begin at byte 256 of the source, which is not a multiple of 512"
        );
        // Rows that are contiguous on both sides are one, unless the texture's row is said.
        let wide = plan_of(&packed(bytes_dtype(4), &[5, 64]), &packed(bytes_dtype(4), &[5, 64]));
        assert_eq!(under(&wide, &upload).unwrap()[0].row_bytes, 1280);
        let told = stride_region_rules { row_bytes_max: 256, ..upload };
        let rows = under(&wide, &told).unwrap();
        assert_eq!((rows.len(), rows[0].row_bytes, rows[0].counts, rows[0].src_pitches), (1, 256, [5, 1], [256, 0]));
    }

    #[test]
    fn limits_and_what_is_none() {
        let any = rules_of(STRIDE_REGION_API_ANY);
        let plan = plan_of(&packed(U8, &[100]), &packed(U8, &[100]));
        let cut = |rules| {
            under(&plan, &rules)
                .map(|list| list.iter().map(|r| (r.src_offset, r.row_bytes, r.counts[0])).collect::<Vec<_>>())
        };
        assert_eq!(cut(stride_region_rules { row_bytes_max: 30, ..any }), Ok(vec![(0, 30, 3), (90, 10, 1)]));
        assert_eq!(
            cut(stride_region_rules { row_bytes_max: 30, rank_max: 1, ..any }),
            Ok(vec![(0, 30, 1), (30, 30, 1), (60, 30, 1), (90, 10, 1)])
        );
        assert_eq!(
            cut(stride_region_rules { row_bytes_max: 30, rank_max: 1, offset_alignment: [8, 6], ..any }),
            Ok(vec![(0, 24, 1), (24, 24, 1), (48, 24, 1), (72, 24, 1), (96, 4, 1)])
        );
        assert_eq!(
            cut(stride_region_rules { row_bytes_max: 30, rows_max: 2, ..any }),
            Ok(vec![(0, 30, 2), (60, 30, 1), (90, 10, 1)])
        );
        let refused = |rules| {
            let said = error(cut(rules));
            assert_eq!((said.status, said.argument), (Status::Unsupported.number(), Argument::Plan.number()));
            (Detail::from_number(said.detail as u32).unwrap(), said.lhs, said.rhs)
        };
        assert_eq!(refused(stride_region_rules { row_bytes_alignment: 16, ..any }), (Detail::RegionRow, 100, 16));
        let too_short = stride_region_rules { row_bytes_alignment: 20, row_bytes_max: 19, ..any };
        assert_eq!(refused(too_short), (Detail::RegionCut, 19, 20));
        let wrong = |rules: stride_region_rules| {
            let said = error(under(&plan, &rules));
            assert_eq!((said.status, said.argument), (Status::InvalidArgument.number(), Argument::Rules.number()));
            (Detail::from_number(said.detail as u32).unwrap(), said.lhs, said.rhs)
        };
        assert_eq!(wrong(stride_region_rules { rank_max: 4, ..any }), (Detail::OutOfRange, 4, 4));
        assert_eq!(wrong(stride_region_rules { flags: [0, 48], ..any }), (Detail::UnknownFlag, 48, 31));
        assert_eq!(wrong(stride_region_rules { struct_size: 79, ..any }), (Detail::StructSize, 79, 80));
        assert_eq!(wrong(stride_region_rules { reserved: 1, ..any }), (Detail::NotZero, 1, 0));
        let empty = plan_of(&packed(U8, &[0, 4]), &packed(U8, &[0, 4]));
        assert_eq!(
            under(&empty, &stride_region_rules { row_bytes_alignment: 16, ..any }).map(|list| list.len()),
            Ok(0)
        );
    }

    /// Tiles: each box keeps the rules, and the error comes before the first region.
    #[test]
    fn tiles_under_rules() {
        let (from, to) = (parse("u8[20,40]{1,0:T(8,16)}").unwrap(), parse("u8[20,40]{1,0}").unwrap());
        let mut plan = stride_plan { words: [0; 512] };
        call!(stride_plan_init_sides, &mut plan, &side(&to), &side(&from), null()).unwrap();
        let any = rules_of(STRIDE_REGION_API_ANY);
        assert_eq!(under(&plan, &any).unwrap(), regions(&plan, 3).unwrap());
        let rows = under(&plan, &rules_of(STRIDE_REGION_API_VULKAN_BUFFER)).unwrap();
        assert_eq!(rows, regions(&plan, 1).unwrap());
        let said = error(under(&plan, &stride_region_rules { row_bytes_alignment: 16, ..any }));
        assert_eq!((said.lhs, said.rhs), (8, 16), "the last columns");
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of lists")]
    fn random_lists_keep_the_rules_and_are_the_copy() {
        let mut random = Random::new(SEED + 9);
        let (mut lists, mut refused, mut shorter) = (0, 0, 0);
        for number in 0..oracle::times(12_000) {
            let sizes = oracle::random_sizes(&mut random);
            let width = random.pick(&[1usize, 2, 3, 4, 8, 12]);
            let strides = (oracle::distinct_strides(&mut random, &sizes), oracle::source_strides(&mut random, &sizes));
            let margin = random.below(4);
            let (dst, src) = (Side::new(&sizes, &strides.0, margin), Side::new(&sizes, &strides.1, random.below(2)));
            let (dst_layout, src_layout) = (dst.layout(bytes_dtype(width)), src.layout(bytes_dtype(width)));
            let plan = plan_of(&dst_layout, &src_layout);
            let mut asked = rules_of(random.below(9) as u32);
            if random.one_in(2) {
                let mut pick = |list: &[i64]| if random.one_in(3) { random.pick(list) } else { 0 };
                asked.flags = [pick(&[1, 2, 3, 4, 7, 8, 15]) as u32, pick(&[1, 2, 3, 4, 7, 8, 15]) as u32];
                asked.rank_max = pick(&[1, 2, 3]) as u32;
                asked.offset_alignment = [pick(&[2, 3, 4]) as u32, pick(&[2, 3, 4]) as u32];
                asked.pitch_alignment = [pick(&[2, 3, 4, 8]) as u32, pick(&[2, 3, 4, 8]) as u32];
                asked.pitch_max = [pick(&[8, 20, 50]) as u64, pick(&[8, 20, 50]) as u64];
                asked.row_bytes_max = pick(&[2, 3, 5, 8, 20]) as u64;
                asked.rows_max = pick(&[1, 2, 3]) as u64;
                asked.slices_max = pick(&[1, 2, 3]) as u64;
                asked.row_bytes_alignment = pick(&[1, 2, 3, 4]) as u32;
            }
            let case = format!("seed {SEED}, case {number}: {width} bytes, {dst:?}, {src:?}\n{asked:?}");
            let rows = regions(&plan, 1).unwrap();
            let list = match under(&plan, &asked) {
                Ok(list) => list,
                Err(said) => {
                    // Not even rows: one of them is no multiple, begins at a wrong byte, or cannot be cut.
                    let offset = |k: usize, at: i64| at % (asked.offset_alignment[k].max(1) as i64) != 0;
                    let detail = Detail::from_number(said.detail as u32).unwrap();
                    let by = asked.row_bytes_alignment.max(1) as u64;
                    assert!(
                        match detail {
                            Detail::RegionRow => !rows[0].row_bytes.is_multiple_of(by),
                            Detail::RegionCut => asked.row_bytes_max < by,
                            Detail::RegionDstOffset | Detail::RegionSrcOffset => {
                                asked.row_bytes_max != 0
                                    || rows.iter().any(|row| offset(0, row.dst_offset) || offset(1, row.src_offset))
                            }
                            _ => false,
                        },
                        "{case} {said:?}"
                    );
                    refused += 1;
                    continue;
                }
            };
            list.iter().for_each(|region| check_rules(region, &asked));
            let from = random.bytes(src.extent() as usize * width);
            let before = random.bytes(dst.extent() as usize * width + 20);
            let (mut wanted, mut to) = (before.clone(), before);
            oracle::copy(&mut wanted, &dst, &from, &src, width);
            let written = copy_regions(&list, &mut to, &from);
            assert!(to == wanted && written.iter().all(|&times| times <= 1), "{case}");
            let pieces = rows.first().map_or(1, |row| if asked.row_bytes_max == 0 { 1 } else { row.row_bytes });
            assert!(list.len() as u64 <= rows.len() as u64 * pieces, "never more than rows, or pieces of them: {case}");
            // With less asked there are never more; and without anything it is the list that is the shortest.
            let fewest = regions(&plan, 3).unwrap().len();
            assert!(asked.row_bytes_max != 0 || fewest <= list.len(), "{case}");
            let rank = random.pick(&[1, 2, 3]);
            let plain = stride_region_rules { rank_max: rank, ..rules_of(0) };
            assert_eq!(under(&plan, &plain).unwrap(), regions(&plan, rank).unwrap(), "{case}");
            lists += 1;
            shorter += (list.len() < rows.len()) as u32;
        }
        println!("{lists} lists, {shorter} shorter than rows, {refused} refused");
        assert!(lists > 4000 && shorter > 1000 && refused > 500);
    }
}
