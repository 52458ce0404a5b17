//! Batches: `stride_plan_execute_batch` at random places against the naive loop for each of them, whole allocations
//! compared, in one part and in many; and the layouts that a caller leaves out.
//!
//! A failure prints the case; its number and the seed replay it.

#[macro_use]
pub mod common;
#[cfg(unix)]
mod guarded;
mod oracle;

use common::*;
pub use oracle::Random;
use oracle::sides::side;
use oracle::{Side, bytes_dtype};
use std::ptr::{null, null_mut};
use stride::ffi::sides::*;

const SEED: u64 = 20_261_123;
const U8: u32 = Dtype::U8.code();
const F32: u32 = Dtype::F32.code();

/// Both buffers, of which the second is `dst` itself where there is none, and the places of all copies.
struct Batch<'a> {
    dst: &'a mut [u8],
    src: Option<&'a [u8]>,
    dst_offsets: &'a [i64],
    src_offsets: &'a [i64],
}

fn execute(plan: &stride_plan, batch: &mut Batch<'_>, part: u32, parts: u32) -> Answer<()> {
    assert_eq!(batch.dst_offsets.len(), batch.src_offsets.len());
    let (base, dst_bytes) = (batch.dst.as_mut_ptr(), batch.dst.len() as u64);
    let (from, src_bytes) = match batch.src {
        Some(src) => (src.as_ptr(), src.len() as u64),
        None => (base.cast_const(), dst_bytes),
    };
    let (to_at, from_at, count) =
        (batch.dst_offsets.as_ptr(), batch.src_offsets.as_ptr(), batch.dst_offsets.len() as u64);
    let (to, from) = (base.cast(), from.cast());
    call!(stride_plan_execute_batch, plan, to, dst_bytes, to_at, from, src_bytes, from_at, count, part, parts)
}

/// Where `count` copies lie so that no two share a byte: blocks of `extent` bytes and some between them, in any order.
/// The first offset may be below 0, by what the layout has before its lowest element.
fn places(random: &mut Random, count: usize, lowest: i64, end: i64) -> (Vec<i64>, i64) {
    let (mut offsets, mut at) = (Vec::new(), -random.below(lowest as u64 + 1));
    let mut length = 0;
    for _ in 0..count {
        offsets.push(at);
        length = at + end;
        at += end - lowest + random.pick(&[0, 0, 1, 7, 64]);
    }
    random.shuffle(&mut offsets);
    (offsets, length)
}

/// How many copies there were, batches with copies that were cut, and with offsets below 0.
#[derive(Default)]
pub struct Seen {
    copies: usize,
    cut: usize,
    before_base: usize,
}

/// A plan at random places, in some parts.
pub fn batch_of_copies(random: &mut Random, seen: &mut Seen) {
    let sizes = match random.one_in(12) {
        true => oracle::long_sizes(random),
        false => oracle::random_sizes(random),
    };
    let width = random.pick(&[1usize, 2, 3, 4, 8, 12, 16, 17]);
    let strides = (oracle::distinct_strides(random, &sizes), oracle::source_strides(random, &sizes));
    let margin = |random: &mut Random| random.below(6);
    let dst = Side::new(&sizes, &strides.0, margin(random));
    let src = Side::new(&sizes, &strides.1, margin(random));
    let elements = dst.offsets().len();
    let options = stride_copy_options {
        cpu_level: random.below(5) as u32,
        ..flags(random.pick(&[0, 0, STRIDE_COPY_ASSUME_DISTINCT, STRIDE_COPY_SMALL_STACK]))
    };
    let plan = plan(&options, &dst.layout(bytes_dtype(width)), &src.layout(bytes_dtype(width))).unwrap();

    let count = random.pick(&[0usize, 1, 1, 2, 3, 5, 8, 30]).min(20_000 / (elements * width + 1) + 1);
    let lowest = |side: &Side| side.offsets().iter().min().map_or(0, |lowest| lowest * width as i64);
    let (to_lowest, from_lowest) = (lowest(&dst), lowest(&src));
    let (to_end, from_end) = (dst.extent() * width as i64, src.extent() * width as i64);
    let (to_at, to_bytes) = places(random, count, to_lowest, to_end);
    // Sources may lie anywhere, also several copies of one.
    let from_at: Vec<i64> = (0..count).map(|_| random.below(200) - random.below(from_lowest as u64 + 1)).collect();
    let from_bytes = from_at.iter().max().map_or(0, |far| far + from_end).max(0);
    seen.before_base += usize::from(to_at.iter().chain(&from_at).any(|&offset| offset < 0));

    let shift = (random.below(9) as usize, random.below(9) as usize);
    let from = random.bytes(shift.1 + from_bytes as usize + 64);
    let before = random.bytes(shift.0 + to_bytes as usize + 64);
    let mut wanted = before.clone();
    for (&to, &from_offset) in to_at.iter().zip(&from_at) {
        for (a, b) in dst.offsets().into_iter().zip(src.offsets()) {
            let a = (a * width as i64 + to) as usize + shift.0;
            let b = (b * width as i64 + from_offset) as usize + shift.1;
            wanted[a..a + width].copy_from_slice(&from[b..b + width]);
        }
    }
    let case = || format!("{width} bytes, {dst:?}, {src:?}, {to_at:?}, {from_at:?}");
    let parts = random.pick(&[1u32, 1, 2, 3, 7, 64, 1000]);
    let mut order: Vec<u32> = (0..parts).collect();
    random.shuffle(&mut order);
    let mut memory = before.clone();
    for part in order {
        let mut batch = Batch {
            dst: &mut memory[shift.0..shift.0 + to_bytes as usize],
            src: Some(&from[shift.1..shift.1 + from_bytes as usize]),
            dst_offsets: &to_at,
            src_offsets: &from_at,
        };
        let answer = execute(&plan, &mut batch, part, parts);
        assert!(answer.is_ok(), "{}: {}", case(), sentence(&error(answer)));
    }
    assert!(memory == wanted, "{parts} parts, {}", case());
    seen.copies += count;
    seen.cut += usize::from(parts as usize > count && elements * width > 8192);
}

#[test]
fn batches_of_random_copies_are_the_copies() {
    let mut seen = Seen::default();
    oracle::cases(SEED, 4000, |random| batch_of_copies(random, &mut seen));
    let Seen { copies, cut, before_base } = seen;
    println!("{copies} copies, {cut} batches with copies cut, {before_base} with offsets below 0");
    assert!(cfg!(miri) || copies > 10_000 && cut > 50 && before_base > 500, "{copies} {cut} {before_base}");
}

/// The case that these bytes steer: what `fuzz/` runs. All of them pass.
pub fn any_bytes(bytes: &[u8]) -> bool {
    batch_of_copies(&mut Random::steered(bytes), &mut Seen::default());
    true
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/batches.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("batches", any_bytes);
}

/// Parts of few large copies: each has its share, and none touches what another writes.
#[test]
#[cfg_attr(miri, ignore = "hundreds of thousands of elements")]
fn parts_cut_copies_where_there_are_few() {
    let mut random = Random::new(SEED + 1);
    let (rows, columns) = (packed(F32, &[96, 120]), layout(F32, &[96, 120], &[1, 96]));
    let bytes = 96 * 120 * 4;
    for (dst, src) in [(rows, columns), (rows, rows), (columns, rows)] {
        let plan = plan(&flags(0), &dst, &src).unwrap();
        for (count, parts) in [(1usize, 4u32), (3, 2), (5, 4), (2, 16), (7, 7), (9, 2)] {
            let offsets: Vec<i64> = (0..count as i64).map(|k| k * bytes).collect();
            let from = random.bytes(count * bytes as usize);
            let before = random.bytes(count * bytes as usize);
            let mut wanted = before.clone();
            let whole = Batch { dst: &mut wanted, src: Some(&from), dst_offsets: &offsets, src_offsets: &offsets };
            let mut whole = whole;
            execute(&plan, &mut whole, 0, 1).unwrap();
            let (mut memory, mut shares) = (before.clone(), Vec::new());
            for part in 0..parts {
                let earlier = memory.clone();
                let batch = Batch { dst: &mut memory, src: Some(&from), dst_offsets: &offsets, src_offsets: &offsets };
                let mut batch = batch;
                execute(&plan, &mut batch, part, parts).unwrap();
                shares.push(earlier.iter().zip(&memory).filter(|(was, is)| was != is).count());
            }
            assert!(memory == wanted, "{count} copies in {parts} parts");
            // Each byte changes once, so the shares are the whole; they are even to a third.
            let changed = before.iter().zip(&wanted).filter(|(was, is)| was != is).count();
            assert_eq!(shares.iter().sum::<usize>(), changed);
            let (least, most) = (shares.iter().min().unwrap(), shares.iter().max().unwrap());
            assert!(most * 2 <= least * 3, "{count} copies in {parts} parts: {shares:?}");
        }
    }
}

/// Blocks one after the other on both sides are moved as one; those that are so on one side alone are not.
#[test]
fn blocks_that_follow_one_another_are_moved_alike() {
    let mut random = Random::new(SEED + 6);
    let block = layout(U8, &[4, 4], &[4, 1]);
    let plan = plan(&flags(0), &at(3, block), &at(5, block)).unwrap();
    for number in 0..oracle::times(500) {
        let count = 1 + random.below(12) as usize;
        let list = |random: &mut Random| -> Vec<i64> {
            let mut offsets = vec![random.below(3) * 16];
            while offsets.len() < count {
                offsets.push(offsets[offsets.len() - 1] + 16 + random.pick(&[0, 0, 0, 16, 1]));
            }
            offsets
        };
        let (to, from) = (list(&mut random), list(&mut random));
        let src = random.bytes(16 * 40);
        let mut memory = random.bytes(16 * 40);
        let mut wanted = memory.clone();
        for (&to, &from) in to.iter().zip(&from) {
            wanted[to as usize + 3..][..16].copy_from_slice(&src[from as usize + 5..][..16]);
        }
        for part in 0..2 {
            let mut batch = Batch { dst: &mut memory, src: Some(&src), dst_offsets: &to, src_offsets: &from };
            execute(&plan, &mut batch, part, 2).unwrap();
        }
        assert!(memory == wanted, "case {number}: {to:?} {from:?}");
    }
}

/// Blocks of a paged cache move inside of it: the ranges of both sides meet, the copies do not.
#[test]
fn blocks_move_inside_one_buffer() {
    let mut random = Random::new(SEED + 2);
    let block = packed(U8, &[64]);
    let plan = plan(&flags(0), &block, &block).unwrap();
    let mut pool: Vec<i64> = (0..40).map(|k| k * 64).collect();
    random.shuffle(&mut pool);
    let (free, used) = pool.split_at(20);
    let before = random.bytes(40 * 64);
    for parts in [1, 3] {
        let mut memory = before.clone();
        for part in 0..parts {
            let mut batch = Batch { dst: &mut memory, src: None, dst_offsets: free, src_offsets: used };
            execute(&plan, &mut batch, part, parts).unwrap();
        }
        let mut wanted = before.clone();
        for (&to, &from) in free.iter().zip(used) {
            wanted.copy_within(from as usize..from as usize + 64, to as usize);
        }
        assert_eq!(memory, wanted);
    }
    // A block onto itself stays; half a block further is refused, by its number, and nothing moves.
    let mut memory = before.clone();
    let stays = [64i64, 128];
    execute(&plan, &mut Batch { dst: &mut memory, src: None, dst_offsets: &stays, src_offsets: &stays }, 0, 1).unwrap();
    let shifted = [640i64, 160];
    let refused =
        execute(&plan, &mut Batch { dst: &mut memory, src: None, dst_offsets: &stays, src_offsets: &shifted }, 0, 1);
    let e = error(refused);
    assert_eq!((e.status, e.argument, e.item), (Status::Overlap.number(), Argument::SrcOffsets.number(), 1));
    assert_eq!((e.lhs, e.rhs), (32, 64));
    assert_eq!(
        sentence(&e),
        "src_offsets, entry 1: the source begins 32 bytes into the destination's 64 bytes; use two buffers"
    );
    assert!(memory == before);
    // Who promises that no element is met twice promises that of both sides.
    let promised = common::plan(&flags(STRIDE_COPY_ASSUME_DISTINCT), &block, &block).unwrap();
    execute(&promised, &mut Batch { dst: &mut memory, src: None, dst_offsets: &stays, src_offsets: &shifted }, 0, 1)
        .unwrap();
    let mut memory = before.clone();
    // Two channels of one image, eight bytes apart, share none: legal, as in one copy.
    let channel = layout(U8, &[8], &[4]);
    let channels = common::plan(&flags(0), &channel, &channel).unwrap();
    let (to, from) = ([0i64, 32], [1i64, 33]);
    execute(&channels, &mut Batch { dst: &mut memory, src: None, dst_offsets: &to, src_offsets: &from }, 0, 1).unwrap();
    assert!((0..16).all(|k| memory[4 * k] == before[4 * k + 1]));
}

type Range = std::ops::Range<i64>;

/// Batches of bytes, nibbles and tiles inside one buffer, whose first copy that meets itself is named: elements of
/// either side may lie between those of the other one.
#[test]
fn any_batches_inside_one_buffer() {
    let mut random = Random::new(SEED + 7);
    let (mut refused, mut done, mut between) = ([0; 3], [0; 3], 0);
    for number in 0..oracle::times(20_000) {
        let sizes: Vec<i64> = (0..random.below(4)).map(|_| 1 + random.below(4)).collect();
        let strides = (oracle::distinct_strides(&mut random, &sizes), oracle::distinct_strides(&mut random, &sizes));
        let (dst, src) =
            (Side::new(&sizes, &strides.0, random.below(3)), Side::new(&sizes, &strides.1, random.below(3)));
        let src = if random.one_in(3) { dst.clone() } else { src };
        let dtype = random.pick(&[U8, U8, bytes_dtype(3), Dtype::U4.code()]);
        let mut options = flags(0);
        options.cpu_level = random.below(3) as u32;
        let (dst_layout, src_layout) = (dst.layout(dtype), src.layout(dtype));
        let mut plan = stride_plan { words: [0; 512] };
        let position = |index: Vec<i64>| oracle::tiles::position(&[3, 4], &[1, 0], &[vec![2, 2]], &index).0;
        let mut offsets = [dst.offsets(), src.offsets()];
        if random.one_in(4) {
            let (shape, rows) = (parse("u8[3,4]{1,0:T(2,2)}").unwrap(), packed(U8, &[3, 4]));
            let mut sides = [side(&shape), side(&rows)];
            offsets = [oracle::tiles::indices(&[3, 4]).map(position).collect(), (0..12).collect()];
            if random.one_in(2) {
                sides.reverse();
                offsets.reverse();
            }
            call!(stride_plan_init_sides, &mut plan, &sides[0], &sides[1], &options).unwrap();
        } else {
            call!(stride_plan_init, &mut plan, &dst_layout, &src_layout, &options).unwrap();
        }
        let facts = query_plan(&plan).unwrap();
        let kind = match stride::copy::words::kind_in_use(plan.words[1]) {
            3 => 2,
            4 => 1,
            _ => 0,
        };
        let span = |lowest: i64, end: i64, at: i64| lowest + at..end + at;
        // Bytes of whole elements (two nibbles may be one), of others all of the range.
        let bytes_of = |side: &Side, range: Range, at: i64| -> Vec<i64> {
            let bits = Dtype::new(dtype).unwrap().bits();
            let byte = |offset: i64, of: i64| (offset * bits + 8 * of) / 8 + at;
            match kind {
                0 => side
                    .offsets()
                    .iter()
                    .flat_map(|&offset| (0..(bits / 8).max(1)).map(move |of| byte(offset, of)))
                    .collect(),
                _ => range.collect(),
            }
        };
        let count = 1 + random.below(5) as usize;
        let steps: [i64; 3] = [random.below(40), random.below(12), 200];
        let to_at: Vec<i64> =
            (0..count as i64).map(|k| 200 + k * random.pick(&[0, 150, 150, 150]) + random.below(4)).collect();
        let distance = |random: &mut Random| random.pick(&steps) * random.pick(&[1, -1]);
        let from_at: Vec<i64> = to_at.iter().map(|at| at + distance(&mut random)).collect();
        let before = random.bytes(1400);
        let copies = || to_at.iter().zip(&from_at);
        let ranges = |(&to, &from): (&i64, &i64)| {
            (span(facts.dst_lowest, facts.dst_end, to), span(facts.src_lowest, facts.src_end, from))
        };
        let meet = |a: &Range, b: &Range| a.start < b.end && b.start < a.end;
        let places = |(to, from): (&i64, &i64)| {
            let (written, read) = ranges((to, from));
            (bytes_of(&dst, written, *to), bytes_of(&src, read, *from))
        };
        let all: Vec<_> = copies().map(ranges).collect();
        let joined = |side: fn(&(Range, Range)) -> &Range| {
            let (first, end) = (all.iter().map(|both| side(both).start), all.iter().map(|both| side(both).end));
            first.min().unwrap()..end.max().unwrap()
        };
        let apart = facts.bytes == 0 || !meet(&joined(|both| &both.0), &joined(|both| &both.1));
        let wrong = |copy: (&i64, &i64)| {
            // Bytes, or nibbles.
            let units = |side: usize, at: i64| -> Vec<i64> {
                offsets[side].iter().map(|offset| offset + at * [1, 2, 1][kind]).collect()
            };
            let (written, read) = if kind == 0 { places(copy) } else { (units(0, *copy.0), units(1, *copy.1)) };
            // Of tiles it is not looked at whether each element is its own source.
            (written != read || kind == 2) && written.iter().any(|unit| read.contains(unit))
        };
        let first_wrong = if apart { None } else { copies().position(wrong) };
        let case = || format!("case {number}: {sizes:?} {dst:?} {src:?} {dtype} {to_at:?} {from_at:?}");
        let parts = random.pick(&[1, 1, 2, 5]);
        let run = |memory: &mut [u8], part: u32| {
            let mut batch = Batch { dst: memory, src: None, dst_offsets: &to_at, src_offsets: &from_at };
            match (execute(&plan, &mut batch, part, parts), first_wrong) {
                (Ok(()), None) => {}
                (Err(e), Some(item)) => {
                    let told = (e.status, e.argument, e.item);
                    assert_eq!(
                        told,
                        (Status::Overlap.number(), Argument::SrcOffsets.number(), item as i32),
                        "{}",
                        case()
                    );
                    assert_eq!(memory, before, "{}", case());
                }
                (answer, _) => panic!("{answer:?}, not {first_wrong:?}, {}", case()),
            }
        };
        if first_wrong.is_some() {
            refused[kind] += 1;
            oracle::parts(&before, parts, case, run);
            continue;
        }
        // What one copy writes no other one reads or writes: the copies, one by one, from elsewhere. Else only that
        // they run is known.
        let all: Vec<_> = copies().map(places).collect();
        let clean = (0..count).all(|k| {
            let touched =
                |other: usize| all[k].0.iter().any(|byte| all[other].0.contains(byte) || all[other].1.contains(byte));
            (0..count).all(|other| other == k || !touched(other))
        });
        done[kind] += usize::from(clean);
        if !clean {
            (0..parts).for_each(|part| run(&mut before.clone(), part));
            continue;
        }
        let mut expected = before.clone();
        for ((&to, &from), (written, read)) in copies().zip(&all) {
            if kind == 0 {
                written.iter().zip(read).for_each(|(&to, &from)| expected[to as usize] = before[from as usize]);
                continue;
            }
            let mut alone = Batch { dst: &mut expected, src: Some(&before), dst_offsets: &[to], src_offsets: &[from] };
            execute(&plan, &mut alone, 0, 1).unwrap();
        }
        let found = oracle::parts(&before, parts, case, run);
        assert!(found == expected, "{}", case());
        between += usize::from(!apart);
    }
    let enough = refused.iter().chain(&done).all(|&cases| cases > 500) && between > 500;
    assert!(cfg!(miri) || enough, "{refused:?} {done:?} {between}");
}

#[cfg(unix)]
#[test]
fn what_is_its_own_source_is_not_written() {
    use guarded::Guarded;
    // Others may read such bytes meanwhile, or nobody may write them.
    let pages = Guarded::read_only(&Random::new(SEED + 3).bytes(1 << 16));
    let (to, from, bytes) = (pages.begin().cast(), pages.begin().cast_const().cast(), pages.len() as u64);
    // Long ones are cut into pieces where there are more parts than copies.
    for (block, stays) in [
        (layout(U8, &[5, 7], &[16, 1]), [64i64, 160]),
        (layout(U8, &[16, 1000], &[1024, 1]), [64, 32_000]),
        (packed(U8, &[20_000]), [64, 32_000]),
    ] {
        let plan = plan(&flags(0), &block, &block).unwrap();
        let (places, count) = (stays.as_ptr(), stays.len() as u64);
        for (part, parts) in [(0, 1), (0, 3), (1, 3), (2, 3)] {
            call!(stride_plan_execute_batch, &plan, to, bytes, places, from, bytes, places, count, part, parts)
                .unwrap();
            call!(stride_plan_execute_part, &plan, to, bytes, from, bytes, part, parts).unwrap();
        }
        call!(stride_plan_execute, &plan, to, bytes, from, bytes).unwrap();
    }
}

/// A base that lies far after the copies: its last bit has no number of its own among those of bytes.
#[test]
fn offsets_lead_back_from_a_far_base() {
    let nibbles = |dtype: Dtype, offset: i64| at(offset, packed(dtype.code(), &[3]));
    let high = Dtype::U4.code() | STRIDE_DTYPE_HIGH_FIRST;
    let (far, near) = (nibbles(Dtype::U4, 1 << 58), packed(high, &[3]));
    let plan = plan(&flags(0), &far, &near).unwrap();
    let (mut to, from) = ([0u8; 2], [0x12u8, 0x30]);
    let mut batch = Batch { dst: &mut to, src: Some(&from), dst_offsets: &[-(1 << 57)], src_offsets: &[0] };
    execute(&plan, &mut batch, 0, 1).unwrap();
    assert_eq!(to, [0x21, 0x03]);
}

#[test]
fn all_or_nothing() {
    let block = packed(F32, &[4]);
    let plan = plan(&flags(0), &block, &block).unwrap();
    let src = [7u8; 64];
    let mut memory = [0u8; 64];
    let mut run = |dst_offsets: &[i64], src_offsets: &[i64], part, parts| {
        execute(&plan, &mut Batch { dst: &mut memory, src: Some(&src), dst_offsets, src_offsets }, part, parts)
    };
    let outside = |argument: Argument, item, detail: Detail, lhs, rhs| {
        (Status::OutOfBounds.number(), argument.number(), item, detail.number() as u64, lhs, rhs)
    };
    let told = |answer: Answer<()>| {
        let e = error(answer);
        (e.status, e.argument, e.item, e.detail, e.lhs, e.rhs)
    };
    // In every part, whoever's share the copy is.
    for part in 0..3 {
        assert_eq!(
            told(run(&[0, 48, 49], &[0; 3], part, 3)),
            outside(Argument::DstOffsets, 2, Detail::PastEnd, 65, 64)
        );
        assert_eq!(
            told(run(&[0; 3], &[0, -1, 0], part, 3)),
            outside(Argument::SrcOffsets, 1, Detail::BeforeStart, -1, 0)
        );
    }
    assert_eq!(told(run(&[i64::MAX], &[0], 0, 1)), outside(Argument::DstOffsets, 0, Detail::PastEnd, i64::MAX, 64));
    assert_eq!(told(run(&[i64::MIN], &[0], 0, 1)), outside(Argument::DstOffsets, 0, Detail::BeforeStart, i64::MIN, 0));
    let e = error(run(&[0], &[0], 2, 2));
    assert_eq!((e.status, e.argument), (Status::InvalidArgument.number(), Argument::Part.number()));
    let e = error(run(&[0], &[0], 0, 0));
    assert_eq!((e.status, e.argument), (Status::InvalidArgument.number(), Argument::Parts.number()));
    run(&[], &[], 0, 1).unwrap();
    assert!(memory == [0; 64]);
    // No list in memory is that long; nothing of it is looked at.
    let at = [0i64];
    let (to, from) = (memory.as_mut_ptr().cast(), src.as_ptr().cast());
    // As many offsets as an array may have are asked for, one more are not.
    let most = isize::MAX as u64 / 8;
    let none = call!(stride_plan_execute_batch, &plan, to, 64, null(), from, 64, null(), most, 0, 1);
    assert_eq!((status(none), error(none).argument), (Status::NullPointer.number(), Argument::DstOffsets.number()));
    let more = call!(stride_plan_execute_batch, &plan, to, 64, null(), from, 64, null(), most + 1, 0, 1);
    assert_eq!((status(more), error(more).argument), (Status::InvalidArgument.number(), Argument::Count.number()));
    let many = call!(stride_plan_execute_batch, &plan, to, 64, at.as_ptr(), from, 64, at.as_ptr(), u64::MAX, 0, 1);
    let e = error(many);
    assert_eq!((e.status, e.argument), (Status::InvalidArgument.number(), Argument::Count.number()));
    // Unknown lengths: no upper bound, but none below the buffer.
    let vouched = |offset: i64| {
        let at = [offset];
        call!(stride_plan_execute_batch, &plan, to, u64::MAX, at.as_ptr(), from, 64, [0i64].as_ptr(), 1, 0, 1)
    };
    assert_eq!(told(vouched(-4)).3, Detail::BeforeStart.number() as u64);
    assert_eq!(told(vouched(i64::MAX - 8)).3, Detail::AddressSpace.number() as u64);
    let most = told(vouched(i64::MAX));
    assert_eq!((most.3, most.4), (Detail::AddressSpace.number() as u64, i64::MAX));
    // A buffer that would not end in the address space: the copy that is not in it.
    let high = std::ptr::without_provenance_mut(usize::MAX - 100);
    let (last, begin) = ([84i64, 90], [0i64; 2]);
    let (to_at, from_at) = (last.as_ptr(), begin.as_ptr());
    let after = call!(stride_plan_execute_batch, &plan, high, 1000, to_at, from, 64, from_at, 2, 0, 1);
    assert_eq!(told(after), outside(Argument::DstOffsets, 1, Detail::AddressSpace, 106, usize::MAX as i64 - 100));
    // One that would not end in 63 bits.
    #[cfg(target_pointer_width = "64")]
    {
        let far = [i64::MAX - 16, i64::MAX - 15];
        let to_at = far.as_ptr();
        let after = call!(stride_plan_execute_batch, &plan, to, u64::MAX, to_at, from, 64, from_at, 2, 0, 1);
        assert_eq!(error(after).item, 1);
    }
    vouched(48).unwrap();
    assert!(memory[..48] == [0; 48] && memory[48..] == [7; 16]);
}

#[test]
fn what_is_meant_for_one_copy_is_refused() {
    let block = packed(F32, &[4]);
    let mut memory = [0u8; 64];
    for flag in [STRIDE_COPY_OVERLAP, STRIDE_COPY_FILL_BUFFER] {
        let plan = plan(&flags(flag), &block, &block).unwrap();
        let batch = Batch { dst: &mut memory, src: Some(&[1; 64]), dst_offsets: &[0], src_offsets: &[0] };
        let mut batch = batch;
        let e = error(execute(&plan, &mut batch, 0, 1));
        assert_eq!((e.status, e.argument), (Status::Unsupported.number(), Argument::Plan.number()));
        assert_eq!((e.detail, e.rhs), (Detail::UnsupportedFlag.number() as u64, flag as i64));
    }
    assert!(memory == [0; 64]);
}

/// A plan with tiles, at several places and in parts.
#[test]
fn tiles_are_moved_in_batches() {
    let texts = match cfg!(miri) {
        true => ["u8[6,10]{1,0:T(4,8)}", "u8[6,10]"],
        false => ["u8[30,100]{1,0:T(8,128)}", "u8[30,100]"],
    };
    let [tiled, rows] = texts.map(|text| parse(text).unwrap());
    let (tiled_bytes, row_bytes) = (byte_size(&tiled).unwrap() as i64, byte_size(&rows).unwrap() as i64);
    let mut plan = stride_plan { words: [0; 512] };
    call!(stride_plan_init_sides, &mut plan, &side(&tiled), &side(&rows), null()).unwrap();
    let mut random = Random::new(SEED + 3);
    let count = 4;
    let (to, from): (Vec<i64>, Vec<i64>) = (0..count).map(|k| ((count - 1 - k) * tiled_bytes, k * row_bytes)).unzip();
    let src = random.bytes((count * row_bytes) as usize);
    let before = random.bytes((count * tiled_bytes) as usize);
    let mut wanted = before.clone();
    for (&to, &from) in to.iter().zip(&from) {
        let (dst, src) = (&mut wanted[to as usize..], &src[from as usize..]);
        let (dst_bytes, src_bytes) = (dst.len() as u64, src.len() as u64);
        let (dst, src) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
        call!(stride_copy_sides, &side(&tiled), dst, dst_bytes, &side(&rows), src, src_bytes, null()).unwrap();
    }
    for parts in [1, 2, 3, 9] {
        let mut memory = before.clone();
        for part in 0..parts {
            let mut batch = Batch { dst: &mut memory, src: Some(&src), dst_offsets: &to, src_offsets: &from };
            execute(&plan, &mut batch, part, parts).unwrap();
        }
        assert!(memory == wanted, "{parts} parts");
    }
    let mut memory = before.clone();
    let past = [tiled_bytes * 3 + 1, 0, 0, 0];
    let e = error(execute(
        &plan,
        &mut Batch { dst: &mut memory, src: Some(&src), dst_offsets: &past, src_offsets: &from },
        0,
        1,
    ));
    assert_eq!((e.status, e.argument, e.item), (Status::OutOfBounds.number(), Argument::DstOffsets.number(), 0));
    // Within one buffer a copy's sides may share no byte.
    let e =
        error(execute(&plan, &mut Batch { dst: &mut memory, src: None, dst_offsets: &[0], src_offsets: &[8] }, 0, 1));
    assert_eq!((e.status, e.argument, e.item), (Status::Overlap.number(), Argument::SrcOffsets.number(), 0));
    assert!(memory == before);
}

/// Transposed nibbles, whose last byte is half an element's: its other half is kept in every copy.
#[test]
fn nibbles_are_moved_in_batches() {
    let u4 = Dtype::U4.code();
    let (m, n) = if cfg!(miri) { (7, 9) } else { (45, 47) };
    let (rows, transposed) = (packed(u4, &[m, n]), layout(u4, &[m, n], &[1, m]));
    let plan = plan(&flags(0), &rows, &transposed).unwrap();
    let bytes = (m * n + 1) / 2;
    let mut random = Random::new(SEED + 5);
    let (to, length) = places(&mut random, 30, 0, bytes);
    let from: Vec<i64> = to.iter().map(|_| random.below(500)).collect();
    let (before, src) = (random.bytes(length as usize), random.bytes(500 + bytes as usize));
    let mut wanted = before.clone();
    for (&to, &from) in to.iter().zip(&from) {
        copy((&rows, &mut wanted[to as usize..]), (&transposed, &src[from as usize..])).unwrap();
    }
    for (copies, parts) in [(30, 1), (30, 4), (1, 5), (2, 7)] {
        let mut memory = before.clone();
        for part in 0..parts {
            let (dst_offsets, src_offsets) = (&to[..copies], &from[..copies]);
            execute(&plan, &mut Batch { dst: &mut memory, src: Some(&src), dst_offsets, src_offsets }, part, parts)
                .unwrap();
        }
        for &at in &to[..copies] {
            assert!(
                memory[at as usize..][..bytes as usize] == wanted[at as usize..][..bytes as usize],
                "{parts} parts"
            );
        }
        let touched = memory.iter().zip(&before).filter(|(now, before)| now != before).count();
        assert!(touched <= copies * bytes as usize);
    }
    let mut memory = before.clone();
    let mut inside = Batch { dst: &mut memory, src: None, dst_offsets: &[0], src_offsets: &[8] };
    assert_eq!(status(execute(&plan, &mut inside, 0, 1)), Status::Overlap.number());
    assert!(memory == before);
    // Bytes of one side lie between those of the other.
    let every_second = layout(u4, &[3], &[4]);
    for flag in [0, STRIDE_COPY_ASSUME_DISTINCT] {
        let plan = common::plan(&flags(flag), &every_second, &every_second).unwrap();
        let mut memory = [0x10u8, 0x21, 0x32, 0x43, 0x54, 0x65];
        let mut between = Batch { dst: &mut memory, src: None, dst_offsets: &[0], src_offsets: &[1] };
        execute(&plan, &mut between, 0, 1).unwrap();
        assert_eq!(memory, [0x11, 0x21, 0x33, 0x43, 0x55, 0x65]);
    }
}

/// Words that were changed move bytes inside of both buffers at worst.
#[test]
fn words_of_anybody_stay_in_the_buffers() {
    let mut random = Random::new(SEED + 4);
    let (small, transposed) = (packed(F32, &[5, 7]), layout(F32, &[5, 7], &[1, 5]));
    let plans = [
        plan(&flags(0), &small, &transposed).unwrap(),
        plan(&flags(0), &packed(F32, &[20, 30]), &layout(F32, &[20, 30], &[1, 20])).unwrap(),
        plan(&flags(0), &small, &small).unwrap(),
    ];
    let (mut done, mut refused) = (0, 0);
    for number in 0..oracle::times(20_000) {
        let mut forged = plans[number % plans.len()];
        let used = (forged.words[0] & 0xFFFF) as usize;
        for _ in 0..1 + random.below(2) {
            let at = random.below(used as u64) as usize;
            forged.words[at] = match random.below(3) {
                0 => forged.words[at] ^ 1 << random.below(64),
                1 => forged.words[at].wrapping_add(random.below(9) as u64).wrapping_sub(4),
                _ => forged.words[random.below(used as u64) as usize],
            };
        }
        forged.words[2] &= !(STRIDE_COPY_ASSUME_DISTINCT as u64);
        let mut memory = vec![0xA5u8; 64 + 4096 + 64];
        let src = vec![1u8; 4096];
        let (to, from) = ([0i64, 1000, 64], [100i64, 0, 40]);
        let mut batch = Batch { dst: &mut memory[64..4160], src: Some(&src), dst_offsets: &to, src_offsets: &from };
        match execute(&forged, &mut batch, 0, 1 + number as u32 % 2) {
            Ok(()) => done += 1,
            Err(_) => refused += 1,
        }
        assert!(memory[..64].iter().chain(&memory[4160..]).all(|&byte| byte == 0xA5), "case {number}");
    }
    println!("{done} done, {refused} refused");
    assert!(cfg!(miri) || done > 1000 && refused > 1000);
}

/// One layout may be left out: packed, with the dtype and sizes of the other side.
#[test]
fn a_layout_that_is_left_out_is_packed() {
    let mut random = Random::new(SEED + 5);
    let mut elements = 0;
    for number in 0..oracle::times(2000) {
        let sizes = oracle::random_sizes(&mut random);
        let width = random.pick(&[1usize, 2, 3, 4, 8, 16]);
        let strides = oracle::distinct_strides(&mut random, &sizes);
        let side = Side::new(&sizes, &strides, random.below(3));
        let given = side.layout(bytes_dtype(width));
        let packed = common::packed(bytes_dtype(width), &sizes);
        let options = flags(0);
        // As a plan: the very same words.
        let left_out = |dst: *const stride_layout, src: *const stride_layout| {
            let mut out = stride_plan { words: [0; 512] };
            call!(stride_plan_init, &mut out, dst, src, &options).map(|()| out.words)
        };
        assert!(left_out(&given, null()) == left_out(&given, &packed), "case {number}: {side:?}");
        assert!(left_out(null(), &given) == left_out(&packed, &given), "case {number}: {side:?}");
        // There and back in one call each.
        let (bytes, room) = (side.offsets().len() * width, side.extent() as usize * width);
        let from = random.bytes(room);
        let (mut line, mut back) = (vec![0u8; bytes], vec![0u8; room]);
        let (line_at, back_at) = (line.as_mut_ptr(), back.as_mut_ptr());
        let from_at = from.as_ptr().cast();
        call!(stride_copy, null(), line_at.cast(), bytes as u64, &given, from_at, room as u64, null()).unwrap();
        let mut in_line = vec![0u8; bytes];
        let dense = Side { sizes: sizes.clone(), strides: common::strides(&packed).to_vec(), offset: 0 };
        oracle::copy(&mut in_line, &dense, &from, &side, width);
        assert!(line == in_line, "case {number}: {side:?}");
        let line_at = line.as_ptr().cast();
        call!(stride_copy, &given, back_at.cast(), room as u64, null(), line_at, bytes as u64, null()).unwrap();
        let mut wanted = vec![0u8; room];
        oracle::copy(&mut wanted, &side, &from, &side, width);
        assert!(back == wanted, "case {number}: {side:?}");
        elements += side.offsets().len();
    }
    println!("{elements} elements there and back");
    // Neither side is left out twice; what is left out may be too large; wrong layouts are named as ever.
    let none = null::<stride_layout>();
    let e = error(call!(stride_copy, none, null_mut(), 0, none, null(), 0, null()));
    assert_eq!((e.status, e.argument), (Status::NullPointer.number(), Argument::DstLayout.number()));
    let huge = layout(Dtype::F32.code(), &[1 << 40, 1 << 22], &[0, 0]);
    let e = error(call!(stride_copy, none, null_mut(), 0, &huge, null(), 0, null()));
    assert_eq!((e.status, e.argument), (Status::Overflow.number(), Argument::SrcLayout.number()));
    let wrong = stride_layout { rank: 65, ..packed(U8, &[2]) };
    let e = error(call!(stride_copy, &wrong, null_mut(), 0, none, null(), 0, null()));
    assert_eq!((e.status, e.argument), (Status::InvalidRank.number(), Argument::DstLayout.number()));
    let empty = packed(U8, &[0, 7]);
    call!(stride_copy, none, null_mut(), 0, &empty, null(), 0, null()).unwrap();
}

#[test]
fn beside_a_shape_too() {
    let shape = parse("u8[3,3]{1,0:T(2,2)}").unwrap();
    let (tiled, none) = (side(&shape), null::<stride_side>());
    let rows: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    let (mut tiles, mut back) = ([0u8; 16], [0u8; 9]);
    let to = tiles.as_mut_ptr();
    call!(stride_copy_sides, &tiled, to.cast(), 16, none, rows.as_ptr().cast(), 9, null()).unwrap();
    let from = to.cast_const().cast();
    call!(stride_copy_sides, none, back.as_mut_ptr().cast(), 9, &tiled, from, 16, null()).unwrap();
    assert_eq!((tiles, back), ([1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 0, 0, 9, 0, 0, 0], rows));
    let (given, mut plan, mut other) =
        (packed(U8, &[3, 3]), stride_plan { words: [0; 512] }, stride_plan { words: [0; 512] });
    call!(stride_plan_init_sides, &mut plan, &tiled, none, null()).unwrap();
    call!(stride_plan_init_sides, &mut other, &tiled, &side(&given), null()).unwrap();
    assert!(plan.words == other.words);
    // A column-major shape without tiles is a layout.
    let columns = parse("u8[3,3]{0,1}").unwrap();
    let (to, from) = (back.as_mut_ptr().cast(), rows.as_ptr().cast());
    call!(stride_copy_sides, none, to, 9, &side(&columns), from, 9, null()).unwrap();
    assert_eq!(back, [1, 4, 7, 2, 5, 8, 3, 6, 9]);
    let e = error(call!(stride_copy_sides, none, null_mut(), 0, none, null(), 0, null()));
    assert_eq!((e.status, e.argument), (Status::NullPointer.number(), Argument::DstSide.number()));
    let unbounded = parse("u8[?,3]{1,0:T(2,2)}").unwrap();
    let e = error(call!(stride_copy_sides, none, null_mut(), 0, &side(&unbounded), null(), 0, null()));
    assert_eq!((e.status, e.argument), (Status::Unsupported.number(), Argument::SrcSide.number()));
}

/// A shape is as wide as it is stored, signed where its type is, and begins its bytes where its flag says.
#[test]
fn a_shape_has_the_dtype_of_its_storage() {
    for (text, stored) in [
        ("s8[3,3]{1,0:T(2,2)E(16)}", Dtype::S16),
        ("u8[3,3]{1,0:T(2,2)E(16)}", Dtype::U16),
        ("s4[3,3]{1,0:T(2,2)}", Dtype::S8),
        ("s16[3,3]{1,0:T(2,2)E(64)}", Dtype::S64),
        ("pred[3,3]{1,0:T(2,2)E(32)}", Dtype::U32),
        ("bf16[3,3]{1,0:T(2,2)E(32)}", Dtype::U32),
        ("f32[3,3]{1,0:T(2,2)E(64)}", Dtype::U64),
        ("f32[3,3]{1,0:T(2,2)}", Dtype::F32),
        ("s4[3,3]{1,0}", Dtype::S8),
        ("s16[3,3]{0,1:E(32)}", Dtype::S32),
    ] {
        let shape = parse(text).unwrap();
        for dtype in
            [Dtype::S8, Dtype::U8, Dtype::S16, Dtype::U16, Dtype::S32, Dtype::U32, Dtype::F32, Dtype::S64, Dtype::U64]
        {
            let (beside, mut plan) = (packed(dtype.code(), &[3, 3]), stride_plan { words: [0; 512] });
            let sides = (side(&shape), side(&beside));
            let to_shape = call!(stride_plan_init_sides, &mut plan, &sides.0, &sides.1, null());
            let from_shape = call!(stride_plan_init_sides, &mut plan, &sides.1, &sides.0, null());
            for answer in [to_shape, from_shape] {
                let expected = if dtype == stored { 0 } else { Status::DtypeMismatch.number() };
                assert_eq!(status(answer), expected, "{text} {dtype:?}");
            }
        }
    }
    // Nibbles in tiles of two rows and two columns, of either order, from rows that begin with the low one.
    let (rows, mut shape) = ([0x10u8, 0x32, 0x54, 0x76], parse("u4[2,4]{1,0:T(2,2)E(4)}").unwrap());
    for (flags, tiles) in [(0, [0x10u8, 0x54, 0x32, 0x76]), (STRIDE_XLA_SHAPE_HIGH_FIRST, [0x01, 0x45, 0x23, 0x67])] {
        shape.flags = flags;
        let (given, mut to, mut back) = (packed(Dtype::U4.code(), &[2, 4]), [0u8; 4], [0u8; 4]);
        let (to_pointer, from) = (to.as_mut_ptr(), rows.as_ptr().cast());
        let sides = (side(&shape), side(&given));
        call!(stride_copy_sides, &sides.0, to_pointer.cast(), 4, &sides.1, from, 4, null()).unwrap();
        assert_eq!(to, tiles);
        let (back_pointer, from) = (back.as_mut_ptr(), to.as_ptr().cast());
        call!(stride_copy_sides, &sides.1, back_pointer.cast(), 4, &sides.0, from, 4, null()).unwrap();
        assert_eq!(back, rows);
    }
}
