//! Copies between any two sides against the naive loop over their indices, whole allocations compared: layouts (mirrored,
//! permuted, with gaps), tiles, blocks, and a side that is left out; elements below a byte and byte-swapped numbers; all
//! of a side, runs of its indices, and ranges.
//!
//! Each pair is copied by one call, by a plan, in parts that write no byte together, at the places of a batch, and with
//! both sides in one buffer. A failure prints the pair; its number and the seed replay it.

#[macro_use]
#[path = "../common/mod.rs"]
pub mod common;
mod conversions;
#[path = "../guarded/mod.rs"]
mod guarded;
mod hostile;
#[path = "../oracle/mod.rs"]
mod oracle;
mod refused;

use common::*;
use oracle::Random;
use oracle::Side;
use oracle::gaps::{self, Closed};
use oracle::seen::{self as sides, Object, Seen, Sight, Structs, Tiled};
use std::ptr::null;
use stride::copy::words::{HEADER, kind_in_use};
use stride::ffi::blocked_layout::*;
use stride::ffi::sides::*;

const SEED: u64 = 20_261_130;

/// The kind of a plan of several pieces (`copy::words`).
const BOXES: u64 = 3;
/// A part has as many bytes or more.
const USEFUL: usize = 4096;

/// One random copy.
#[derive(Debug)]
struct Case {
    dst: Seen,
    src: Seen,
    flags: u32,
    cpu_level: u32,
    fill: [u8; 16],
    /// Bytes before the buffers, and after the destination's object in its own.
    shifts: [usize; 2],
    slack: usize,
}

/// What is copied, and what comes of it.
struct Buffers {
    before: Vec<u8>,
    from: Vec<u8>,
    expected: Vec<u8>,
    /// Of the destination: the bits that are written, as far as the copy alone goes.
    written: Vec<u8>,
    /// Of the source: the bits of all elements of the object, where somebody watches.
    elements: Vec<u8>,
    bytes: [usize; 2],
}

impl Case {
    /// Sides of at most so many bytes; `None` if that was not to be.
    fn random(random: &mut Random, sizes: &[i64], most: usize) -> Option<Self> {
        let pair = sides::pair(random, sizes);
        Self::of(random, pair, most)
    }

    fn of(random: &mut Random, [dst, src]: [Seen; 2], most: usize) -> Option<Self> {
        if dst.bytes().max(src.bytes()) > most {
            return None;
        }
        let flags = random.pick(&[
            0,
            0,
            0,
            STRIDE_COPY_ASSUME_DISTINCT,
            STRIDE_COPY_FILL_BUFFER,
            STRIDE_COPY_FILL_BUFFER,
            STRIDE_COPY_OVERLAP,
            STRIDE_COPY_KEEP_CACHED,
        ]);
        let mut fill = [0; 16];
        fill.copy_from_slice(&random.bytes(16));
        if random.one_in(3) {
            fill = [fill[0]; 16];
        }
        let shifts = [random.below(9) as usize, random.below(9) as usize];
        let slack = if random.one_in(2) { random.below(40) as usize } else { 0 };
        Some(Self { dst, src, flags, cpu_level: random.below(5) as u32, fill, shifts, slack })
    }

    fn options(&self) -> stride_copy_options {
        stride_copy_options { flags: self.flags, cpu_level: self.cpu_level, fill: self.fill, ..oracle::DEFAULTS }
    }

    fn fills(&self) -> bool {
        self.flags & STRIDE_COPY_FILL_BUFFER != 0
    }

    /// The allocations are larger than the buffers named, so that stray writes show.
    fn buffers(&self, random: &mut Random) -> Buffers {
        let bytes = [self.dst.bytes() + self.slack, self.src.bytes()];
        let from = random.bytes(self.shifts[1] + bytes[1] + 64);
        let mut before = random.bytes(self.shifts[0] + bytes[0] + 64);
        let mut expected = before.clone();
        let buffer = &mut expected[self.shifts[0]..][..bytes[0]];
        if self.fills() {
            sides::fill_buffer(buffer, self.dst.dtype, &self.fill);
        }
        let (to, at) = (self.dst.places(), self.src.places());
        sides::copy((buffer, &to, self.dst.dtype), (&from[self.shifts[1]..], &at, self.src.dtype), &self.fill);
        let written = sides::owned(self.dst.dtype, to.into_iter().flatten(), bytes[0]);
        // Each bit that is written changes.
        for (p, own) in written.iter().enumerate() {
            let (byte, own) = (self.shifts[0] + p, if self.fills() { 0xFF } else { *own });
            before[byte] = before[byte] & !own | !expected[byte] & own;
        }
        let offsets = if gaps::WATCHED { self.src.object.offsets() } else { Vec::new() };
        let elements = sides::owned(self.src.dtype, offsets.into_iter(), bytes[1]);
        Buffers { before, from, expected, written, elements, bytes }
    }
}

impl Buffers {
    /// Closes what a copy into `dst` has no business with: of the source what lies between the elements of the object.
    fn closed(&self, case: &Case, dst: &[u8]) -> [Closed; 2] {
        let around = |buffer: &[u8], shift: usize, own: &[u8], all: bool| {
            Closed::gaps(buffer.as_ptr_range(), 1, |mark| {
                own.iter().enumerate().filter(|(_, own)| all || **own != 0).for_each(|(p, _)| mark(shift + p));
            })
        };
        let from = around(&self.from, case.shifts[1], &self.elements, false);
        [from, around(dst, case.shifts[0], &self.written, case.fills())]
    }
}

/// What kinds of cases there were.
#[derive(Default)]
struct Table {
    pairs: [[u64; Seen::KINDS]; Seen::KINDS],
    pieces: u64,
    filled: u64,
    without_plan: u64,
    shared_out: u64,
}

/// A copy between two sides in all its ways; whether there was one.
fn copy_of_sides(random: &mut Random, table: &mut Table) -> bool {
    let large = random.one_in(20);
    let sizes = match random.below(3) {
        0 if large => vec![3000 + random.below(30_000)],
        0 => vec![random.below(120)],
        _ if large => oracle::long_sizes(random),
        _ => {
            let mut sizes = oracle::random_sizes(random);
            sizes.truncate(4);
            sizes
        }
    };
    let Some(case) = Case::random(random, &sizes, if large { 1 << 19 } else { 1 << 14 }) else { return false };
    table.pairs[case.dst.kind()][case.src.kind()] += 1;
    table.filled += u64::from(case.fills());
    let buffers = case.buffers(random);
    let Some(plan) = by_call_and_plan(&case, &buffers) else {
        table.without_plan += 1;
        return true;
    };
    table.pieces += u64::from(is_of_boxes(&plan));
    short_buffers(&case, &plan, &buffers);
    let parts = random.pick(&[1, 2, 3, 5, 16]);
    table.shared_out += u64::from(in_parts(&case, &plan, &buffers, parts) > 1);
    batch(random, &case, &plan, &buffers);
    true
}

/// By one call, then by a plan, which is returned; none if it would be too long, or if the copy is one that the flags do
/// not allow.
fn by_call_and_plan(case: &Case, buffers: &Buffers) -> Option<stride_plan> {
    let (to, from, options) = (Structs::new(&case.dst), Structs::new(&case.src), case.options());
    let [d, s] = buffers.bytes.map(|bytes| bytes as u64);
    let src = buffers.from[case.shifts[1]..].as_ptr().cast();
    let mut once = buffers.before.clone();
    let closed = buffers.closed(case, &once);
    let dst = once[case.shifts[0]..].as_mut_ptr().cast();
    let answer = call!(stride_copy_sides, to.side(), dst, d, from.side(), src, s, &options);
    drop(closed);
    if status(answer) == Status::Unsupported.number() && case.flags == STRIDE_COPY_OVERLAP {
        // Memmove's semantics are for one nest of loops.
        assert!(once == buffers.before, "{case:?}");
        let plan = plan_of(&to, &from, &stride_copy_options { flags: 0, ..options });
        assert!(plan.map_or_else(|e| is_too_long(&e), |plan| is_of_boxes(&plan)), "{case:?}");
        return None;
    }
    assert_eq!(answer, Ok(()), "{case:?}");
    assert!(once == buffers.expected, "one call: {case:?}");
    let plan = plan_of(&to, &from, &options);
    if let Err(e) = plan {
        assert!(is_too_long(&e), "{e:?} {case:?}");
    }
    let plan = plan.ok()?;
    let mut planned = buffers.before.clone();
    let closed = buffers.closed(case, &planned);
    let dst = planned[case.shifts[0]..].as_mut_ptr().cast();
    assert_eq!(call!(stride_plan_execute, &plan, dst, d, src, s), Ok(()), "{case:?}");
    drop(closed);
    assert!(planned == buffers.expected, "planned: {case:?}");
    Some(plan)
}

/// Each part on memory of its own; how many of them had work.
fn in_parts(case: &Case, plan: &stride_plan, buffers: &Buffers, parts: u32) -> usize {
    let [d, s] = buffers.bytes.map(|bytes| bytes as u64);
    let src = buffers.from[case.shifts[1]..].as_ptr().cast();
    let mut with_work = 0;
    let run = |memory: &mut [u8], part: u32| {
        let closed = buffers.closed(case, memory);
        let dst = memory[case.shifts[0]..].as_mut_ptr().cast();
        let answer = call!(stride_plan_execute_part, plan, dst, d, src, s, part, parts);
        drop(closed);
        assert_eq!(answer, Ok(()), "{case:?}");
        with_work += usize::from(memory != buffers.before);
    };
    let joined = oracle::parts(&buffers.before, parts, || format!("{case:?}"), run);
    assert!(joined == buffers.expected, "{parts} parts: {case:?}");
    let moved = buffers.written.iter().map(|own| own.count_ones() as usize).sum::<usize>() / 8;
    assert!(with_work <= (moved / USEFUL).max(1) || case.fills(), "{with_work} of {parts} parts: {case:?}");
    with_work
}

fn plan_of(to: &Structs, from: &Structs, options: &stride_copy_options) -> Answer<stride_plan> {
    let mut plan = stride_plan { words: [0xEEEE_EEEE_EEEE_EEEE; 512] };
    call!(stride_plan_init_sides, &mut plan, to.side(), from.side(), options).map(|()| plan)
}

fn is_of_boxes(plan: &stride_plan) -> bool {
    kind_in_use(plan.words[1]) == BOXES
}

/// Whether a plan was refused because it has not enough words.
fn is_too_long(error: &stride_error) -> bool {
    let room = 512 - HEADER as i64;
    (error.status, error.detail, error.rhs)
        == (Status::Unsupported.number(), u64::from(Detail::PlanSize.number()), room)
        && error.lhs > room
}

/// A byte too few on either side, which a plain side of one nest may do without.
fn short_buffers(case: &Case, plan: &stride_plan, buffers: &Buffers) {
    let is_empty = buffers.written.iter().all(|own| *own == 0);
    for (number, seen) in [&case.dst, &case.src].into_iter().enumerate() {
        let is_plain = matches!(seen.sight, Sight::Plain | Sight::LeftOut);
        if is_empty || seen.bytes() == 0 || is_plain && !is_of_boxes(plan) || number == 0 && case.fills() {
            continue;
        }
        let mut lengths = buffers.bytes.map(|bytes| bytes as u64);
        lengths[number] = seen.bytes() as u64 - 1;
        let mut to = buffers.before.clone();
        let (dst, src) = (to[case.shifts[0]..].as_mut_ptr().cast(), buffers.from[case.shifts[1]..].as_ptr().cast());
        let answer = call!(stride_plan_execute, plan, dst, lengths[0], src, lengths[1]);
        let record = answer.err().unwrap_or_else(|| panic!("side {number} is short: {case:?}"));
        let argument = [Argument::DstBytes, Argument::SrcBytes][number];
        let numbers = (record.status, record.argument, record.lhs, record.rhs);
        let bytes = seen.bytes() as i64;
        assert_eq!(numbers, (Status::OutOfBounds.number(), argument.number(), bytes, bytes - 1), "{case:?}");
        assert!(to == buffers.before, "{case:?}");
    }
}

/// Three places of a batch, in parts.
fn batch(random: &mut Random, case: &Case, plan: &stride_plan, buffers: &Buffers) {
    let [d, s] = buffers.bytes;
    let (to_pitch, from_pitch) = (d + random.below(20) as usize, s + random.below(20) as usize);
    let (mut places, count, parts) = ([0, 1, 2], 3, random.pick(&[1, 2, 5]));
    random.shuffle(&mut places);
    let before = random.bytes(3 * to_pitch + 64);
    let from = random.bytes(3 * from_pitch + 64);
    let (mut expected, mut found) = (before.clone(), before.clone());
    let (to, at) = (case.dst.places(), case.src.places());
    let [dst_offsets, src_offsets] = [(places, to_pitch), ([1, 2, 0], from_pitch)]
        .map(|(places, pitch): ([usize; 3], usize)| places.map(|place| (place * pitch) as i64));
    if case.flags & (STRIDE_COPY_FILL_BUFFER | STRIDE_COPY_OVERLAP) == 0 {
        for (to_offset, from_offset) in dst_offsets.iter().zip(&src_offsets) {
            let (dst, src) = (&mut expected[*to_offset as usize..][..d], &from[*from_offset as usize..]);
            sides::copy((dst, &to, case.dst.dtype), (src, &at, case.src.dtype), &case.fill);
        }
    }
    for part in 0..parts {
        let (dst, src, d, s) =
            (found.as_mut_ptr().cast(), from.as_ptr().cast(), before.len() as u64, from.len() as u64);
        let (to, at) = (dst_offsets.as_ptr(), src_offsets.as_ptr());
        let answer = call!(stride_plan_execute_batch, plan, dst, d, to, src, s, at, count, part, parts);
        let wanted = match case.flags & (STRIDE_COPY_FILL_BUFFER | STRIDE_COPY_OVERLAP) {
            0 => Status::Ok,
            _ => Status::Unsupported,
        };
        assert_eq!(status(answer), wanted.number(), "{answer:?} {case:?}");
    }
    assert!(found == expected, "batch: {case:?}");
}

/// 200,000 pairs where `STRIDE_SHARE` is 1.
#[test]
fn all_sides_equal_the_naive_loop() {
    let (mut table, count) = (Table::default(), 200_000 / oracle::share());
    oracle::cases(SEED, count, |random| while !copy_of_sides(random, &mut table) {});
    let Table { pairs, pieces, filled, without_plan, shared_out } = table;
    let (least, told) = (
        (0..99).map(|k| pairs[k / 10][k % 10]).min(),
        format!(
            "{count} pairs: {pieces} of pieces, {filled} filled, {shared_out} shared out, {without_plan} without a plan"
        ),
    );
    println!("{told}");
    let enough = pieces.min(filled) > count / 8 && shared_out > count / 100 && without_plan < count / 8;
    assert!(cfg!(miri) || enough && least >= Some(count / 4000), "{told} {pairs:?}");
}

/// Sides of which several parts have work, above all below a byte.
#[test]
#[cfg_attr(miri, ignore = "hundreds of thousands of elements")]
fn parts_of_all_sides_share_no_byte() {
    let (mut shared_out, mut below_a_byte) = (0, 0);
    let count = 6_000 / oracle::share();
    oracle::cases(SEED + 7_000_000, count, |random| {
        let mut sizes = match random.below(3) {
            0 => vec![20_000 + random.below(40_000)],
            1 => vec![100 + random.below(200), 100 + random.below(200)],
            _ => vec![2 + random.below(9), 30 + random.below(70), 30 + random.below(70)],
        };
        random.shuffle(&mut sizes);
        let Some(mut case) = Case::random(random, &sizes, 1 << 18) else { return };
        case.flags &= !(STRIDE_COPY_FILL_BUFFER | STRIDE_COPY_OVERLAP);
        let buffers = case.buffers(random);
        let Some(plan) = by_call_and_plan(&case, &buffers) else { return };
        let with_work = in_parts(&case, &plan, &buffers, random.pick(&[2, 3, 7]));
        shared_out += u64::from(with_work > 1);
        below_a_byte += u64::from(with_work > 1 && case.dst.dtype.bits() < 8);
    });
    assert!(shared_out > count / 4 && below_a_byte > count / 20, "{shared_out} {below_a_byte} of {count}");
}

/// A tile of five nibbles, seen through a run and an empty one: its digits say nothing of where bytes begin.
#[test]
fn tiles_of_nibbles_are_not_cut_between_runs() {
    let run = |first, step, count| stride_index_run { first, step, count };
    let runs = vec![run(0, 1, 20_002), run(0, 0, 0)];
    let tiled = Object::Tiled(Tiled::of(&[20_002], vec![20_002], vec![0], vec![vec![5]]));
    let packed = Object::Strided(Side::new(&[20_002], &[1], 0));
    let dst = Seen { object: tiled, dtype: Dtype::U4, sight: Sight::Runs(vec![(0, runs)]) };
    let src = Seen { object: packed, dtype: Dtype::U4, sight: Sight::Plain };
    let case = Case { dst, src, flags: 0, cpu_level: 0, fill: [0; 16], shifts: [0, 0], slack: 0 };
    let buffers = case.buffers(&mut Random::new(SEED));
    let plan = by_call_and_plan(&case, &buffers).unwrap();
    assert_eq!(in_parts(&case, &plan, &buffers, 2), 1);
}

/// Several million elements: chunks of the second cache, and parts that have work whatever is cut.
#[test]
#[cfg_attr(miri, ignore = "millions of elements")]
fn large_sides_equal_the_naive_loop() {
    let mut random = Random::new(SEED + 7);
    let run = |first, step, count| stride_index_run { first, step, count };
    let layout = |sizes: &[i64], strides: &[i64]| Object::Strided(Side::new(sizes, strides, 0));
    let rolled = |size: i64| vec![run(size - 100, 1, 100), run(0, 1, size - 100)];
    let border = |size: i64| vec![run(8, -1, 8), run(0, 1, size), run(-1, 0, 3), run(size - 2, -1, 8)];
    let tiled = |sizes: &[i64], tile: &[i64]| {
        let order = (0..sizes.len() as i64).rev().collect();
        Object::Tiled(Tiled::of(sizes, sizes.to_vec(), order, vec![tile.to_vec()]))
    };
    let (u4, high) = (Dtype::U4, Dtype::U4.high_first());
    let pairs = [
        // Rolled along both dimensions.
        (
            (layout(&[1500, 1300], &[1300, 1]), Dtype::F32, Sight::Plain),
            (layout(&[1500, 1300], &[1301, 1]), Dtype::F32, Sight::Runs(vec![(0, rolled(1500)), (1, rolled(1300))])),
        ),
        // A transpose with a border around it.
        (
            (layout(&[1319, 1519], &[1519, 1]), Dtype::F32.swapped(), Sight::Plain),
            (layout(&[1300, 1500], &[1, 1300]), Dtype::F32, Sight::Runs(vec![(0, border(1300)), (1, border(1500))])),
        ),
        // Rows of tiles in any order.
        (
            (
                tiled(&[1200, 1000], &[8, 128]),
                Dtype::F64,
                Sight::Runs(vec![(0, (0..80).map(|k| run(k, 80, 15)).collect())]),
            ),
            (layout(&[1200, 1000], &[1, 1200]), Dtype::F64, Sight::Plain),
        ),
        // Ranges of matrices that lie otherwise.
        (
            (layout(&[1000, 1700], &[1, 1000]), Dtype::BF16, Sight::Range(77, 1_600_000)),
            (tiled(&[1700, 1000], &[16, 16]), Dtype::BF16, Sight::Range(99_999, 1_600_000)),
        ),
        // Below a byte.
        (
            (layout(&[2000, 3000], &[3000, 1]), u4, Sight::Runs(vec![(0, vec![run(1999, -1, 1000), run(0, 1, 1000)])])),
            (layout(&[2000, 3000], &[3001, 1]), high, Sight::Runs(vec![(1, rolled(3000))])),
        ),
        (
            (layout(&[2000, 3000], &[3000, 1]), u4, Sight::Plain),
            (tiled(&[2000, 3001], &[8, 32]), u4, Sight::Runs(vec![(1, vec![run(1, 1, 3000)])])),
        ),
        (
            (layout(&[4_000_001], &[1]), high, Sight::Range(3, 3_999_997)),
            (layout(&[2000, 2000], &[1, 2001]), u4, Sight::Range(1, 3_999_997)),
        ),
    ];
    for ((to, to_dtype, to_sight), (from, from_dtype, from_sight)) in pairs {
        let dst = Seen { object: to, dtype: to_dtype, sight: to_sight };
        let src = Seen { object: from, dtype: from_dtype, sight: from_sight };
        let case = Case { dst, src, flags: 0, cpu_level: 0, fill: [7; 16], shifts: [3, 0], slack: 0 };
        let buffers = case.buffers(&mut random);
        let plan = by_call_and_plan(&case, &buffers).unwrap();
        // Several runs of elements below a byte are cut nowhere.
        let uncut = case.dst.dtype.bits() < 8 && matches!(case.dst.sight, Sight::Runs(_));
        for parts in [2, 5, 64] {
            let with_work = in_parts(&case, &plan, &buffers, parts);
            assert!(if uncut { with_work == 1 } else { with_work > parts as usize * 3 / 4 }, "{with_work} of {case:?}");
        }
    }
}

/// Both sides in one buffer, which share nothing, some bits or all of them.
#[test]
fn sides_in_one_buffer() {
    let (mut done, mut refused, mut undecided, mut moved) = (0, 0, 0, 0);
    oracle::cases(SEED + 1_000_000, 60_000 / oracle::share(), |random| {
        let Some(mut case) = std::iter::repeat_with(|| {
            let mut sizes = oracle::random_sizes(random);
            sizes.truncate(if random.one_in(3) { 1 } else { 3 });
            Case::random(random, &sizes, 1 << 11)
        })
        .flatten()
        .next() else {
            return;
        };
        case.flags &= STRIDE_COPY_FILL_BUFFER | STRIDE_COPY_OVERLAP;
        let [d, s] = [case.dst.bytes(), case.src.bytes()];
        let dst_at = random.below(5) as usize;
        let src_at = match random.below(4) {
            0 => dst_at + d + random.below(3) as usize,
            1 => dst_at,
            _ => random.below((d + 9) as u64) as usize,
        };
        let length = (dst_at + d).max(src_at + s);
        let before = random.bytes(length);
        let (to, from) = (case.dst.places(), case.src.places());
        let mut expected = before.clone();
        let room = if case.fills() { d } else { length - dst_at };
        if case.fills() {
            sides::fill_buffer(&mut expected[dst_at..][..d], case.dst.dtype, &case.fill);
        }
        let target = (&mut expected[dst_at..][..d], &to[..], case.dst.dtype);
        sides::copy(target, (&before[src_at..], &from, case.src.dtype), &case.fill);
        // Of elements that are counted from either end of their byte, whole bytes.
        let bits = |seen: &Seen, places: &[Option<i64>], at: usize| {
            let mut bits = vec![0; length + 8];
            let own = sides::owned(seen.dtype, places.iter().copied().flatten(), seen.bytes());
            bits[at..at + own.len()].copy_from_slice(&own);
            bits
        };
        let (written, read) = (bits(&case.dst, &to, dst_at), bits(&case.src, &from, src_at));
        let shared = written.iter().zip(&read).any(|(to, from)| to & from != 0);
        let options = case.options();
        let (to_structs, from_structs) = (Structs::new(&case.dst), Structs::new(&case.src));
        let run = |memory: &mut [u8], options: &stride_copy_options| {
            let base = memory.as_mut_ptr();
            let (dst, src) = (base.wrapping_add(dst_at).cast(), base.wrapping_add(src_at).cast_const().cast());
            let (d, s) = (room as u64, (length - src_at) as u64);
            call!(stride_copy_sides, to_structs.side(), dst, d, from_structs.side(), src, s, options)
        };
        let mut memory = before.clone();
        let mut answer = run(&mut memory, &options);
        if status(answer) == Status::ScratchNeeded.number() && case.flags == STRIDE_COPY_OVERLAP {
            assert!(memory == before, "{case:?}");
            let mut scratch = vec![0u8; error(answer).lhs as usize];
            let (room, bytes) = (scratch.as_mut_ptr().cast(), scratch.len() as u64);
            answer = run(&mut memory, &stride_copy_options { scratch: room, scratch_bytes: bytes, ..options });
            assert_eq!(answer, Ok(()), "{case:?}");
            moved += 1;
        }
        if answer.is_ok() {
            // Where each element is its own source, nothing is written.
            assert!(memory == expected, "{src_at} after {dst_at}: {case:?}");
            let place = |at: usize, of: i64| at as i64 * 8 + of * case.dst.dtype.bits();
            let itself = to
                .iter()
                .zip(&from)
                .all(|(to, from)| to.zip(*from).is_some_and(|(to, from)| place(dst_at, to) == place(src_at, from)));
            assert!(!shared || itself || case.flags == STRIDE_COPY_OVERLAP, "{src_at} after {dst_at}: {case:?}");
            done += 1;
            return;
        }
        assert!(memory == before, "{case:?}");
        match status(answer) {
            status if status == Status::Undecided.number() => undecided += 1,
            status if status == Status::Unsupported.number() => assert_eq!(case.flags, STRIDE_COPY_OVERLAP, "{case:?}"),
            status => {
                assert_eq!(status, Status::Overlap.number(), "{answer:?} {case:?}");
                let orders = case.dst.dtype.is_high_first() != case.src.dtype.is_high_first();
                assert!(shared || case.fills() || orders, "{src_at} after {dst_at}: {case:?}");
                refused += 1;
            }
        }
    });
    println!("{done} done, {refused} refused, {undecided} undecided, {moved} moved by scratch memory");
    assert!(
        cfg!(miri) || done > 300 && refused > 300 && undecided < done / 10 && moved > 10,
        "{done} {refused} {undecided} {moved}"
    );
}
