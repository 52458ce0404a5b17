//! Elements below a byte, held against the naive loop that reads and writes them one by one.
//!
//! Whole buffers are compared, so that a neighbour in a byte that was changed shows. A failure prints the case; its number
//! and the seed replay it.

#[macro_use]
pub mod common;
#[cfg(unix)]
mod guarded;
mod oracle;

use common::*;
pub use oracle::Random;
use oracle::{DEFAULTS, Side};

const SEED: u64 = 20_261_121;

const U4: u32 = Dtype::U4.code();
const S4: u32 = Dtype::S4.code();
const U2: u32 = Dtype::U2.code();
const U1: u32 = Dtype::U1.code();
const U8: u32 = Dtype::U8.code();
const FP4: u32 = Dtype::F4E2M1FN.code();
const HIGH: u32 = STRIDE_DTYPE_HIGH_FIRST;

const NARROW: [Dtype; 7] = [Dtype::U4, Dtype::S4, Dtype::F4E2M1FN, Dtype::U2, Dtype::S2, Dtype::U1, Dtype::S1];

/// A side of a copy: places in elements, and what they are.
#[derive(Clone, Debug)]
struct Bits {
    side: Side,
    dtype: Dtype,
}

impl Bits {
    fn layout(&self) -> stride_layout {
        self.side.layout(self.dtype.code())
    }

    fn bytes(&self) -> usize {
        (self.side.extent() * self.dtype.bits()).max(0).cast_unsigned().div_ceil(8) as usize
    }

    /// The byte, the shift in it and the mask of the element at an offset.
    fn place(&self, offset: i64) -> (usize, u32, u8) {
        let (bits, at) = (self.dtype.bits(), offset * self.dtype.bits());
        let low = (at % 8) as u32;
        let shift = if self.dtype.is_high_first() { 8 - bits as u32 - low } else { low };
        ((at / 8) as usize, shift, ((1u16 << bits) - 1) as u8)
    }

    /// The bits of so many bytes that are its elements' where its base lies at byte `at`: of wide types, whole bytes.
    fn occupied(&self, at: usize, bytes: usize) -> Vec<u8> {
        let (mut occupied, width) = (vec![0; bytes], self.dtype.bits() as usize / 8);
        for offset in self.side.offsets() {
            if width > 0 {
                occupied[at + offset as usize * width..][..width].fill(0xFF);
            } else {
                let (byte, shift, mask) = self.place(offset);
                occupied[at + byte] |= mask << shift;
            }
        }
        occupied
    }

    fn get(&self, buffer: &[u8], offset: i64) -> u8 {
        let (byte, shift, mask) = self.place(offset);
        buffer[byte] >> shift & mask
    }

    fn put(&self, buffer: &mut [u8], offset: i64, value: u8) {
        let (byte, shift, mask) = self.place(offset);
        buffer[byte] = buffer[byte] & !(mask << shift) | (value & mask) << shift;
    }

    /// The naive fill of all elements.
    fn fill(&self, buffer: &mut [u8], value: u8) {
        for offset in self.side.offsets() {
            self.put(buffer, offset, value);
        }
    }

    /// Every element of the buffer, whether an index reaches it or not.
    fn fill_everything(&self, buffer: &mut [u8], value: u8) {
        for offset in 0..buffer.len() as i64 * 8 / self.dtype.bits() {
            self.put(buffer, offset, value);
        }
    }
}

/// The naive copy.
fn naive(dst: &Bits, to: &mut [u8], src: &Bits, from: &[u8]) {
    for (dst_offset, src_offset) in dst.side.offsets().into_iter().zip(src.side.offsets()) {
        dst.put(to, dst_offset, src.get(from, src_offset));
    }
}

fn either_order(random: &mut Random, dtype: Dtype) -> Dtype {
    if random.one_in(2) { dtype.high_first() } else { dtype }
}

fn random_sizes(random: &mut Random) -> Vec<i64> {
    if random.one_in(60) {
        return oracle::long_sizes(random);
    }
    let mut sizes = oracle::random_sizes(random);
    sizes.truncate(5);
    if random.one_in(3) {
        sizes.truncate(2);
        for size in sizes.iter_mut().filter(|size| **size > 1) {
            *size += random.below(40);
        }
    }
    sizes
}

/// A random copy of these sizes.
fn random_copy(random: &mut Random, sizes: &[i64]) -> (Bits, Bits) {
    let dtype = random.pick(&NARROW);
    let (dst_dtype, src_dtype) = (either_order(random, dtype), either_order(random, dtype));
    let (dst, src) = (oracle::distinct_strides(random, sizes), oracle::source_strides(random, sizes));
    let margin = |random: &mut Random| if random.one_in(2) { 0 } else { random.below(19) };
    let dst = Bits { side: Side::new(sizes, &dst, margin(random)), dtype: dst_dtype };
    (dst, Bits { side: Side::new(sizes, &src, margin(random)), dtype: src_dtype })
}

/// A transpose of whole tiles, whose rows are words and end with their buffers.
#[cfg(unix)]
fn whole_tiles(random: &mut Random) -> (Bits, Bits) {
    let dtype = random.pick(&NARROW);
    let side = 64 / dtype.bits();
    let sizes = [side, side * (1 + random.below(2))];
    let mut matrix =
        |strides: &[i64; 2]| Bits { side: Side::new(&sizes, strides, 0), dtype: either_order(random, dtype) };
    (matrix(&[sizes[1], 1]), matrix(&[1, sizes[0]]))
}

/// Runs all parts in random order.
fn in_parts(random: &mut Random, plan: &stride_plan, to: &mut [u8], from: &[u8]) -> Answer<()> {
    let parts = 1 + random.below(7) as u32;
    let mut order: Vec<u32> = (0..parts).collect();
    random.shuffle(&mut order);
    order.into_iter().try_for_each(|part| execute_part(plan, to, from, part, parts))
}

/// A copy by one call or a plan in parts: its elements, and whether a plan was in bits.
pub fn copy_of_bits(random: &mut Random) -> (usize, bool) {
    let sizes = random_sizes(random);
    let (dst, src) = random_copy(random, &sizes);
    let fills = random.pick(&[0, 0, 0, STRIDE_COPY_FILL_BUFFER]);
    let more = random.pick(&[0, 0, STRIDE_COPY_ASSUME_DISTINCT, STRIDE_COPY_SMALL_STACK]);
    let mut options = stride_copy_options { flags: fills | more, ..DEFAULTS };
    options.fill[0] = random.next() as u8;
    let bytes = dst.bytes() + random.below(3) as usize;
    let from = random.bytes(src.bytes());
    // The buffer named lies in a larger one.
    let before = random.bytes(bytes + 32);
    let (mut expected, mut to) = (before.clone(), before.clone());
    if fills != 0 {
        dst.fill_everything(&mut expected[16..16 + bytes], options.fill[0]);
    }
    naive(&dst, &mut expected[16..16 + bytes], &src, &from);
    let what = || format!("{dst:?} of {src:?}, {options:?}");
    let buffer = &mut to[16..16 + bytes];
    let (dst_layout, src_layout) = (dst.layout(), src.layout());
    let mut in_bits = false;
    let answer = if random.one_in(2) {
        copy_with(&options, (&dst_layout, buffer), (&src_layout, &from))
    } else {
        let plan = plan(&options, &dst_layout, &src_layout).unwrap_or_else(|e| panic!("{e:?} {}", what()));
        in_bits = describe(&plan).starts_with("bits");
        in_parts(random, &plan, buffer, &from)
    };
    assert_eq!(answer, Ok(()), "{}", what());
    assert!(to == expected, "{}", what());
    (dst.side.offsets().len(), in_bits)
}

#[test]
fn copies_equal_the_naive_loop() {
    let (mut elements, mut in_bits) = (0, 0);
    oracle::cases(SEED, 100_000, |random| {
        let (of_case, planned) = copy_of_bits(random);
        (elements, in_bits) = (elements + of_case, in_bits + u32::from(planned));
    });
    assert!(cfg!(miri) || elements > 10_000_000 && in_bits > 20_000, "{elements} elements, {in_bits} plans in bits");
}

fn describe(plan: &stride_plan) -> String {
    text(|buffer, capacity, length| {
        let mut error = UNWRITTEN;
        // SAFETY: a plan, a buffer of this capacity, a number and a record of ours.
        let status = unsafe { stride_plan_describe(plan, buffer, capacity, length, &mut error) };
        outcome(status, error)
    })
    .unwrap()
}

/// Parts of copies that are worth sharing out. Each runs on a destination all of whose elements are wrong, so that every byte
/// it writes shows: none may belong to two parts.
#[test]
#[cfg_attr(miri, ignore = "hundreds of thousands of elements")]
fn parts_share_no_byte() {
    let mut random = Random::new(SEED + 1);
    let (mut busy, mut all) = (0, 0);
    for number in 0..oracle::times(150) {
        let (mut m, n) = (1 + random.below(500), 1 + random.below(500));
        let sizes = match number % 3 {
            0 => vec![60_000 + random.below(100_000)],
            1 => {
                m += 60_000 / n;
                vec![m, n]
            }
            _ => {
                m += 60_000 / n;
                vec![2 + random.below(2), m, n]
            }
        };
        let dtype = random.pick(&NARROW);
        let (dst_dtype, src_dtype) = (either_order(&mut random, dtype), either_order(&mut random, dtype));
        let strides = |random: &mut Random| {
            let mut order: Vec<usize> = (0..sizes.len()).collect();
            random.shuffle(&mut order);
            let (mut strides, mut step) = (vec![0; sizes.len()], 1);
            for d in order {
                strides[d] = if random.one_in(4) { -step } else { step };
                step = step * sizes[d] + if random.one_in(3) { random.below(3) } else { 0 };
            }
            strides
        };
        let offset = |random: &mut Random| if random.one_in(2) { 0 } else { random.below(9) };
        let (to, from) = (strides(&mut random), strides(&mut random));
        let dst = Bits { side: Side::new(&sizes, &to, offset(&mut random)), dtype: dst_dtype };
        let src = Bits { side: Side::new(&sizes, &from, offset(&mut random)), dtype: src_dtype };
        let source = random.bytes(src.bytes());
        let mut expected = random.bytes(dst.bytes());
        naive(&dst, &mut expected, &src, &source);
        let wrong: Vec<u8> = {
            let mut wrong = expected.clone();
            dst.side.offsets().into_iter().for_each(|at| dst.put(&mut wrong, at, !dst.get(&expected, at)));
            wrong
        };
        let plan = plan(&DEFAULTS, &dst.layout(), &src.layout()).unwrap();
        let parts = 2 + random.below(6) as u32;
        let case = || format!("case {number}: {dst:?} from {src:?}");
        let found = oracle::parts(&wrong, parts, case, |own, part| {
            execute_part(&plan, own, &source, part, parts).unwrap();
            busy += usize::from(*own != wrong[..]);
        });
        assert!(found == expected, "{} in {parts}", case());
        all += dst.bytes().div_ceil(4096).min(parts as usize);
    }
    assert!(busy * 3 > all * 2, "{busy} parts of {all} do something");
}

/// A run that fills its parts to the bit, but begins inside a byte: the part behind the last bound was nobody's.
#[test]
fn parts_of_a_run_that_begins_inside_a_byte() {
    for (dtype, offset, count) in [(U4, 1, 16_384), (U1, 1, 65_536), (U1, 7, 65_536), (U1, 7, 131_072), (U2, 3, 32_768)]
    {
        for parts in 2..=5 {
            let (dst, src) = (oracle::layout(dtype, &[count], &[1], offset), oracle::layout(dtype, &[count], &[1], 0));
            let plan = plan(&DEFAULTS, &dst, &src).unwrap();
            let bits = Dtype::new(dtype).unwrap().bits();
            let (first, end) = (offset * bits, (offset + count) * bits);
            let from = vec![0xFF; (count * bits / 8) as usize];
            let mut to = vec![0; (end as usize).div_ceil(8)];
            for part in 0..parts {
                execute_part(&plan, &mut to, &from, part, parts).unwrap();
            }
            let mut expected = vec![0xFFu8; to.len()];
            expected[0] <<= first;
            expected[to.len() - 1] >>= to.len() as i64 * 8 - end;
            assert!(to == expected, "{count} from {offset} in {parts} parts");
        }
    }
}

/// Bits that lie 2^62 apart: a count times a step is more than 63 bits hold.
#[test]
fn loops_in_bits_whose_product_wraps() {
    let far = oracle::layout(U1, &[2, 2], &[1, 1 << 62], 0);
    assert!(plan(&DEFAULTS, &far, &far).is_ok());
}

#[test]
fn fills_equal_the_naive_loop() {
    let mut random = Random::new(SEED + 2);
    for number in 0..oracle::times(20_000) {
        let sizes = random_sizes(&mut random);
        let dtype = random.pick(&NARROW);
        // Any strides: elements may come again.
        let strides = oracle::source_strides(&mut random, &sizes);
        let dst = Bits { side: Side::new(&sizes, &strides, random.below(9)), dtype: either_order(&mut random, dtype) };
        let (before, value) = (random.bytes(dst.bytes() + 8), random.next() as u8);
        let (mut expected, mut to) = (before.clone(), before);
        dst.fill(&mut expected, value);
        let bytes = dst.bytes();
        assert_eq!(fill(&dst.layout(), &mut to[..bytes], &[value]), Ok(()), "case {number}: {dst:?}");
        assert!(to == expected, "case {number}: {dst:?}");
    }
}

#[test]
fn comparisons_find_the_first_difference() {
    let mut random = Random::new(SEED + 3);
    let mut differ = 0;
    for number in 0..oracle::times(20_000) {
        let sizes = random_sizes(&mut random);
        let (lhs, rhs) = random_copy(&mut random, &sizes);
        let rhs_buffer = random.bytes(rhs.bytes());
        let mut lhs_buffer = random.bytes(lhs.bytes());
        naive(&lhs, &mut lhs_buffer, &rhs, &rhs_buffer);
        let offsets = lhs.side.offsets();
        if !random.one_in(3) && !offsets.is_empty() {
            for _ in 0..1 + random.below(2) {
                let at = random.pick(&offsets);
                let value = lhs.get(&lhs_buffer, at) ^ 1;
                lhs.put(&mut lhs_buffer, at, value);
            }
        }
        let mut pairs = offsets.iter().zip(rhs.side.offsets());
        let wanted = pairs.position(|(&l, r)| lhs.get(&lhs_buffer, l) != rhs.get(&rhs_buffer, r));
        differ += u32::from(wanted.is_some());
        let found = compare((&lhs.layout(), &lhs_buffer), (&rhs.layout(), &rhs_buffer));
        assert_eq!(found, Ok(wanted.map_or(-1, |at| at as i64)), "case {number}: {lhs:?} and {rhs:?}");
    }
    assert!(cfg!(miri) || differ > 8_000, "{differ}");
}

/// Both sides end exactly before a page without access, or begin behind one; the source may not be written.
#[cfg(unix)]
#[test]
fn no_byte_outside_is_touched() {
    use guarded::Guarded;
    let mut random = Random::new(SEED + 4);
    for number in 0..oracle::times(4_000) {
        let (dst, src) = if random.one_in(8) {
            whole_tiles(&mut random)
        } else {
            let sizes = random_sizes(&mut random);
            random_copy(&mut random, &sizes)
        };
        if dst.bytes().max(src.bytes()) > 4096 {
            continue;
        }
        // The lowest byte that is reached is the first one of the buffer, or the highest one the last.
        let first = |bits: &Bits| {
            let lowest = bits.side.offsets().into_iter().min().unwrap_or(0);
            (lowest * bits.dtype.bits() / 8) as usize
        };
        let at_end = random.one_in(2);
        let (dst_skip, src_skip) = if at_end { (0, 0) } else { (first(&dst), first(&src)) };
        let moved = |bits: &Bits, skip: usize| {
            let mut moved = bits.clone();
            moved.side.offset -= skip as i64 * 8 / bits.dtype.bits();
            moved
        };
        let (dst, src) = (moved(&dst, dst_skip), moved(&src, src_skip));
        let from_bytes = random.bytes(src.bytes());
        let page = random.bytes(4096);
        let mut content = page;
        let place = if at_end { content.len() - from_bytes.len() } else { 0 };
        content[place..place + from_bytes.len()].copy_from_slice(&from_bytes);
        let source = Guarded::read_only(&content);
        let from = &source.bytes()[place..place + from_bytes.len()];
        let mut room = Guarded::new(4096);
        let to = room.buffer(dst.bytes(), at_end);
        let before = random.bytes(to.len());
        to.copy_from_slice(&before);
        let mut expected = before;
        naive(&dst, &mut expected, &src, from);
        copy((&dst.layout(), to), (&src.layout(), from)).unwrap();
        assert!(*to == expected[..], "case {number}: {dst:?} from {src:?}");
        assert_eq!(compare((&dst.layout(), to), (&src.layout(), from)), Ok(-1));
        fill(&dst.layout(), to, &[5]).unwrap();
        dst.fill(&mut expected, 5);
        assert!(*to == expected[..], "case {number}: fill of {dst:?}");
    }
}

/// Inside one buffer: what shares bits is refused, nothing else is; with memmove's semantics it is as if the source had been read
/// first.
#[test]
fn sides_that_share_bits() {
    let mut random = Random::new(SEED + 5);
    let (mut scratch, mut refused, mut undecided, mut in_one_byte) = (0, 0, 0, 0);
    for number in 0..oracle::times(10_000) {
        let mut sizes = random_sizes(&mut random);
        sizes.truncate(3);
        let (dst, mut src) = random_copy(&mut random, &sizes);
        if random.one_in(3) {
            src.side.strides = dst.side.strides.clone();
            src.side.offset = dst.side.offset + random.below(5);
        }
        let bytes = dst.bytes().max(src.bytes()) + 8;
        let before = random.bytes(bytes);
        let (dst_at, src_at) = (random.below(5) as usize, random.below(5) as usize);
        let mut expected = before.clone();
        naive(&dst, &mut expected[dst_at..], &src, &before[src_at..]);
        let what = || format!("case {number}: {dst:?} at {dst_at} from {src:?} at {src_at}");
        let (dst_layout, src_layout) = (dst.layout(), src.layout());

        let one_order = dst.dtype == src.dtype;
        let places = |bits: &Bits, at: usize| -> Vec<(usize, u32, u8)> {
            let offsets = bits.side.offsets().into_iter();
            offsets.map(|offset| bits.place(offset)).map(|(byte, shift, mask)| (byte + at, shift, mask)).collect()
        };
        let same = one_order && places(&dst, dst_at) == places(&src, src_at);
        let (written, read) = (dst.occupied(dst_at, bytes), src.occupied(src_at, bytes));
        let mut both = written.iter().zip(&read);
        let bytes_meet = both.clone().any(|(&w, &r)| w != 0 && r != 0);
        // Orders that differ count bits from either end of a byte: bytes may not be shared then (of single bits it may be left open).
        let shared = !same && if one_order { both.any(|(w, r)| w & r != 0) } else { bytes_meet };

        // Without the flag it is refused, and nothing is touched, or it is right.
        let mut found = before.clone();
        let answer = copy_within(&DEFAULTS, &mut found, (&dst_layout, dst_at), (&src_layout, src_at));
        let wanted = if shared { Status::Overlap.number() } else { 0 };
        let told = status(answer);
        assert!(
            told == wanted || told == Status::Undecided.number() && !one_order && dst.dtype.bits() < 4,
            "{told} {}",
            what()
        );
        assert!(found == if told == 0 { &expected } else { &before }[..], "{}", what());
        (refused, undecided) = (refused + u32::from(told != 0), undecided + u32::from(told != wanted));
        // With it what is refused, and nothing else, goes through scratch memory, or by direction.
        let overlapping = plan(&flags(STRIDE_COPY_OVERLAP), &dst_layout, &src_layout).unwrap();
        found = before.clone();
        let needed =
            execute_scratch(&overlapping, &mut found, dst_at, src_at).unwrap_or_else(|e| panic!("{e:?} {}", what()));
        assert!(found == expected, "{}", what());
        let by_direction = !describe(&overlapping).starts_with("bits");
        assert!((told != 0) == (needed > 0) || shared && by_direction, "{needed}, {}", what());
        scratch += u32::from(needed > 0);
        // In parts, too; bytes of which both sides have bits have one writer.
        let plan = plan(&DEFAULTS, &dst_layout, &src_layout).unwrap();
        let parts = 1 + random.below(4) as u32;
        let run = |memory: &mut [u8], part| {
            let (to, from) = (memory[dst_at..].as_mut_ptr(), memory[src_at..].as_ptr());
            let (to_bytes, from_bytes) = ((bytes - dst_at) as u64, (bytes - src_at) as u64);
            let (to, from) = (to.cast(), from.cast());
            let answer = call!(stride_plan_execute_part, &plan, to, to_bytes, from, from_bytes, part, parts);
            assert_eq!(status(answer), told, "{}", what());
        };
        assert!(
            oracle::parts(&before, parts, what, run) == if told == 0 { &expected } else { &before }[..],
            "{}",
            what()
        );
        in_one_byte += u32::from(bytes_meet && !shared && !same);
    }
    let enough = scratch > 3_000 && refused > 3_000 && in_one_byte > 200 && undecided < 300;
    assert!(cfg!(miri) || enough, "{scratch} {refused} {in_one_byte} {undecided}");
}

/// What fills the rest writes all over its buffer: no byte of the source may lie in that, whatever is promised.
#[test]
fn fills_of_the_rest_inside_one_buffer() {
    let mut random = Random::new(SEED + 10);
    let (mut refused, mut filled) = (0, 0);
    for number in 0..oracle::times(10_000) {
        let mut sizes = random_sizes(&mut random);
        sizes.truncate(3);
        let (dst, src) = random_copy(&mut random, &sizes);
        let (dst_layout, src_layout, room) = (dst.layout(), src.layout(), dst.bytes());
        let (dst_at, src_at) = (random.below(5) as usize, random.below(3) as usize * room + random.below(5) as usize);
        let flags = STRIDE_COPY_FILL_BUFFER | random.pick(&[0, STRIDE_COPY_OVERLAP, STRIDE_COPY_ASSUME_DISTINCT]);
        let options = stride_copy_options { flags, fill: [random.next() as u8; 16], ..DEFAULTS };
        let what = || format!("case {number}: {dst:?} at {dst_at} from {src:?} at {src_at}, {options:?}");
        let before = random.bytes((dst_at + room).max(src_at + src.bytes()) + 8);
        let read = src.occupied(src_at, before.len());
        let range = read.iter().position(|&bits| bits != 0).zip(read.iter().rposition(|&bits| bits != 0));
        let meets = range.is_some_and(|(first, last)| first < dst_at + room && dst_at <= last && room > 0);
        let mut expected = before.clone();
        if !meets {
            let buffer = &mut expected[dst_at..dst_at + room];
            dst.fill_everything(buffer, options.fill[0]);
            naive(&dst, buffer, &src, &before[src_at..]);
        }
        let plan = plan(&options, &dst_layout, &src_layout).unwrap();
        let parts = 1 + random.below(4) as u32;
        let run = |memory: &mut [u8], part| {
            let (to, from) = (memory[dst_at..].as_mut_ptr().cast(), memory[src_at..].as_ptr().cast());
            let (to_bytes, from_bytes) = (room as u64, (memory.len() - src_at) as u64);
            let answer = match parts {
                1 => call!(stride_copy, &dst_layout, to, to_bytes, &src_layout, from, from_bytes, &options),
                _ => call!(stride_plan_execute_part, &plan, to, to_bytes, from, from_bytes, part, parts),
            };
            assert_eq!(status(answer), if meets { Status::Overlap.number() } else { 0 }, "{}", what());
        };
        assert!(oracle::parts(&before, parts, what, run) == expected, "{}", what());
        (refused, filled) = (refused + u32::from(meets), filled + u32::from(!meets));
    }
    assert!(cfg!(miri) || refused > 2_000 && filled > 3_000, "{refused} {filled}");
}

/// Layouts of any two widths and orders, held against the bits that each of them has.
#[test]
fn layouts_of_any_widths_share_bits() {
    let mut random = Random::new(SEED + 8);
    let (mut known, mut in_one_byte, mut undecided) = ([0; 2], 0, 0);
    for number in 0..oracle::times(40_000) {
        let side = |random: &mut Random| {
            let dtype =
                random.pick(&[Dtype::U1, Dtype::U2, Dtype::U4, Dtype::U8, Dtype::U16, Dtype::bytes(3).unwrap()]);
            let dtype = if dtype.is_sub_byte() { either_order(random, dtype) } else { dtype };
            let sizes: Vec<i64> = (0..random.below(4)).map(|_| 1 + random.below(4)).collect();
            let strides: Vec<i64> =
                sizes.iter().map(|_| random.pick(&[1, 2, 3, 4, 7, 8, 16, 32]) - random.below(3)).collect();
            Bits { side: Side::new(&sizes, &strides, random.below(4)), dtype }
        };
        let (lhs, rhs, shift) = (side(&mut random), side(&mut random), random.below(12) as usize);
        let bytes = lhs.bytes().max(shift + rhs.bytes());
        let (mine, others) = (lhs.occupied(0, bytes), rhs.occupied(shift, bytes));
        let mut both = mine.iter().zip(&others);
        let narrow = lhs.dtype.is_sub_byte() && rhs.dtype.is_sub_byte();
        let expected = if narrow && lhs.dtype.is_high_first() != rhs.dtype.is_high_first() {
            // That they are apart can be told where they have no byte in common.
            if both.any(|(&l, &r)| l != 0 && r != 0) { Err(Status::Undecided.number()) } else { Ok(false) }
        } else {
            Ok(both.any(|(l, r)| l & r != 0))
        };
        for (one, other) in [((&lhs, 0), (&rhs, shift)), ((&rhs, shift), (&lhs, 0))] {
            let address = |at: usize| (1 << 20) + at as u64;
            let found = overlap((&one.0.layout(), address(one.1)), (&other.0.layout(), address(other.1)), 0);
            let found = found.map_err(|e| e.status);
            let unknown = narrow && found == Err(Status::Undecided.number());
            assert!(found == expected || unknown, "case {number}: {found:?}, {one:?} and {other:?}");
            match (found, expected) {
                (Ok(shared), _) => known[usize::from(shared)] += 1,
                (_, Ok(_)) => undecided += 1,
                _ => in_one_byte += 1,
            }
        }
    }
    let enough = known[0].min(known[1]).min(in_one_byte) > 2_000 && undecided < 10;
    assert!(cfg!(miri) || enough, "{known:?} {in_one_byte} {undecided}");
}

/// Nibbles 1, 2, 3, … as XLA writes them, the low bits first.
fn nibbles(count: usize) -> Vec<u8> {
    let side = Bits { side: Side::new(&[count as i64], &[1], 0), dtype: Dtype::U4 };
    let mut buffer = vec![0; count.div_ceil(2)];
    (0..count as i64).for_each(|k| side.put(&mut buffer, k, (k + 1) as u8));
    buffer
}

/// tilelang-ascend#1731: 17 packed nibbles are 9 bytes, and the high half of the last one is nobody's.
#[test]
fn seventeen_nibbles_are_nine_bytes() {
    let row = packed(U4, &[17]);
    assert_eq!(min_bytes(&row), Ok(9));
    let (from, mut to) = (nibbles(17), vec![0xAA; 9]);
    copy((&row, &mut to), (&row, &from)).unwrap();
    assert_eq!(to, [0x21, 0x43, 0x65, 0x87, 0xA9, 0xCB, 0xED, 0x0F, 0xA1]);
    // One nibble later: the first half of the first byte stays.
    let mut to = vec![0xAA; 9];
    copy((&at(1, row), &mut to), (&row, &from)).unwrap();
    assert_eq!(to, [0x1A, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE, 0x10]);
    assert_eq!(reason(copy((&at(2, row), &mut to), (&row, &from))).0, Status::OutOfBounds.number());
}

/// xla/literal_util and xla/primitive_util (since 2025): the s4 literal {1, 2, 3, 4, 5} is 21 43 05.
#[test]
fn s4_of_xla() {
    let (row, older) = (packed(S4, &[5]), packed(S4 | HIGH, &[5]));
    let mut buffer = [0; 3];
    for k in 0..5 {
        fill(&at(k, packed(S4, &[1])), &mut buffer, &[k as u8 + 1]).unwrap();
    }
    assert_eq!(buffer, [0x21, 0x43, 0x05]);
    // As XLA wrote it before: the first element in the high bits.
    let mut before = [0x0F; 3];
    copy((&older, &mut before), (&row, &buffer)).unwrap();
    assert_eq!(before, [0x12, 0x34, 0x5F]);
    assert_eq!(compare((&older, &before), (&row, &buffer)), Ok(-1));
    // And the shape itself, through XLA's text.
    let layout = from_xla(&parse("s4[5]{0:E(4)}").unwrap()).unwrap();
    let mut back = [0; 3];
    copy((&layout, &mut back), (&older, &before)).unwrap();
    assert_eq!(back, buffer);
}

/// A shape whose tiles divide its sizes is one nest of loops, so its packed elements are copied like any others; each is held
/// against its position by XLA's rule. Other tiles are UNSUPPORTED.
#[test]
fn packed_elements_in_tiles_that_divide() {
    use stride::ffi::xla_copy::stride_xla_copy;
    let (null_layout, options) = (std::ptr::null(), &DEFAULTS);
    for (text, m, n) in [
        ("s4[4,6]{1,0:T(2,2)E(4)}", 4, 6),
        ("s4[6,8]{0,1:T(4,3)E(4)}", 6, 8),
        ("u2[8,12]{1,0:T(4,3)E(2)}", 8, 12),
        ("s4[4,6]{1,0:T(2,6)E(4)}", 4, 6),
    ] {
        let shape = parse(text).unwrap();
        let dtype = Dtype::new(shape.dtype).unwrap();
        let row_major = Bits { side: Side::new(&[m, n], &[n, 1], 1), dtype };
        let tiled = Bits { side: Side::new(&[m * n], &[1], 0), dtype };
        let mut random = Random::new(SEED + 8);
        let from = random.bytes(row_major.bytes());
        let (mut expected, mut to) = (vec![0x5A; tiled.bytes()], vec![0x5A; tiled.bytes()]);
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let value = row_major.get(&from, 1 + i * n + j);
            tiled.put(&mut expected, linear_index(&shape, &[i, j]).unwrap(), value);
        }
        let (src, bytes) = (row_major.layout(), to.len() as u64);
        let mut error = UNWRITTEN;
        // SAFETY: structs of ours, buffers of these lengths.
        let status = unsafe {
            let (to, from_bytes) = (to.as_mut_ptr().cast(), from.len() as u64);
            let (from, no_shape) = (from.as_ptr().cast(), std::ptr::null());
            stride_xla_copy(null_layout, &shape, to, bytes, &src, no_shape, from, from_bytes, options, &mut error)
        };
        assert_eq!(outcome(status, error), Ok(()), "{text}");
        assert_eq!(to, expected, "{text}");
    }
}

/// ROCm/aiter#5537: transposes of packed FP4 matrices, rows of odd length among them. And vortex#6928: bits of masks that begin
/// anywhere.
#[test]
#[cfg_attr(miri, ignore = "hundreds of thousands of elements")]
fn transposes_of_packed_elements() {
    let mut random = Random::new(SEED + 6);
    for dtype in [Dtype::F4E2M1FN, Dtype::U2, Dtype::U1] {
        for (m, n) in [(2, 3), (16, 16), (17, 5), (32, 64), (63, 65), (128, 130), (1, 9), (200, 33)] {
            for (dst_at, src_at) in [(0, 0), (1, 0), (0, 3), (7, 2)] {
                let dst = Bits { side: Side::new(&[n, m], &[m, 1], dst_at), dtype: either_order(&mut random, dtype) };
                let src = Bits { side: Side::new(&[n, m], &[1, n], src_at), dtype: either_order(&mut random, dtype) };
                let (from, before) = (random.bytes(src.bytes()), random.bytes(dst.bytes()));
                let (mut expected, mut to) = (before.clone(), before);
                naive(&dst, &mut expected, &src, &from);
                copy((&dst.layout(), &mut to), (&src.layout(), &from)).unwrap();
                assert!(to == expected, "{dst:?} from {src:?}");
            }
        }
    }
    // {1, 2, 3}, {4, 5, 6} by hand: columns {1, 4}, {2, 5}, {3, 6}.
    let mut to = [0; 3];
    copy((&packed(FP4, &[3, 2]), &mut to), (&layout(FP4, &[3, 2], &[1, 3]), &nibbles(6))).unwrap();
    assert_eq!(to, [0x41, 0x52, 0x63]);
    // Bits 3, 4, … 12 of a mask.
    let mut to = [0xFF; 2];
    copy((&packed(U1, &[10]), &mut to), (&at(3, packed(U1, &[10])), &[0b1010_1000, 0b0001_0110])).unwrap();
    assert_eq!(to, [0b1101_0101, 0b1111_1110]);
}

/// Where runs are whole bytes on both sides, the plan is the one of those bytes.
/// Bits of half a GiB are more than `usize` counts where it has 32. (Elsewhere nothing is to be seen, for so much memory.)
#[test]
#[cfg(all(target_pointer_width = "32", not(miri)))]
fn as_many_bits_as_a_short_usize_does_not_count() {
    let (whole, more, bytes) = (packed(U4, &[1 << 30]), packed(U4, &[(1 << 30) + 1]), 1 << 29);
    let (mut to, from) = (vec![0xAA; bytes + 1], vec![0x55; bytes + 1]);
    assert_eq!(fill(&whole, &mut to[..bytes], &[5]), Ok(()));
    assert!(to[..bytes] == from[..bytes] && to[bytes] == 0xAA);
    to.fill(0xAA);
    assert_eq!(copy((&more, &mut to), (&more, &from)), Ok(()));
    assert!(to[..bytes] == from[..bytes] && to[bytes] == 0xA5);
}

#[test]
fn whole_bytes_are_an_ordinary_plan() {
    let describe_copy = |dst: &stride_layout, src: &stride_layout| describe(&plan(&DEFAULTS, dst, src).unwrap());
    let bytes = |sizes: &[i64], strides: &[i64]| layout(U8, sizes, strides);
    // Rows of 200 nibbles out of rows of 300; pairs of nibbles transposed; 2-bit elements in fours.
    let (dst, src) = (packed(U4, &[50, 200]), layout(U4, &[50, 200], &[300, 1]));
    assert_eq!(describe_copy(&dst, &src), describe_copy(&packed(U8, &[50, 100]), &bytes(&[50, 100], &[150, 1])));
    let (dst, src) = (packed(U4, &[60, 50, 2]), layout(U4, &[60, 50, 2], &[2, 120, 1]));
    assert_eq!(describe_copy(&dst, &src), describe_copy(&packed(U8, &[60, 50]), &bytes(&[60, 50], &[1, 60])));
    let (dst, src) = (packed(U2, &[9, 4]), layout(U2, &[9, 4], &[8, 1]));
    assert_eq!(describe_copy(&dst, &src), describe_copy(&packed(U8, &[9]), &bytes(&[9], &[2])));
    // Not so: another order, an odd offset, single nibbles.
    for (dst, src) in [
        (packed(U4, &[64]), packed(U4 | HIGH, &[64])),
        (at(1, packed(U4, &[64])), packed(U4, &[64])),
        (packed(U4, &[8, 8]), layout(U4, &[8, 8], &[1, 8])),
    ] {
        assert!(describe_copy(&dst, &src).starts_with("bits: 32 bytes"), "{}", describe_copy(&dst, &src));
    }
    assert_eq!(
        describe_copy(&packed(U4, &[3, 2]), &layout(U4 | HIGH, &[3, 2], &[1, 3])),
        "bits: 3 bytes in runs of 4 bits, elements of 4, high bits first to low bits first; loops count (dst step, src \
         step) in bits, fastest first: 2 (4, 12), 3 (8, 4)"
    );
}

/// The last byte of a buffer may hold neighbours; the fill gives them the value too.
#[test]
fn the_rest_of_a_buffer_is_filled() {
    let border = at(6, layout(U4, &[2, 3], &[5, 1])); // rows 1 and 2, columns 1 to 3 of 4 x 5
    let mut to = [0; 10];
    copy_with(&fill_rest(&[0xF9]), (&border, &mut to), (&packed(U4, &[2, 3]), &nibbles(6))).unwrap();
    assert_eq!(to, [0x99, 0x99, 0x99, 0x21, 0x93, 0x49, 0x65, 0x99, 0x99, 0x99]);
    // One part does all of it.
    let whole = plan(&fill_rest(&[0xF9]), &border, &packed(U4, &[2, 3])).unwrap();
    execute_part(&whole, &mut to, &[0xFF; 3], 1, 2).unwrap();
    assert_eq!(to, [0x99, 0x99, 0x99, 0x21, 0x93, 0x49, 0x65, 0x99, 0x99, 0x99]);
    let empty = packed(U2, &[0]);
    let mut to = [0; 3];
    copy_with(&fill_rest(&[0b0110]), (&empty, &mut to), (&empty, &[])).unwrap();
    assert_eq!(to, [0xAA; 3]);
}

/// Copies inside one buffer that may not be, that need no scratch, or about which nobody knows in time without a promise; facts
/// of plans that fill.
#[test]
fn flags_of_copies_in_bits() {
    let rows = layout(U4, &[4, 3], &[5, 1]);
    let (dense, turned) = (packed(U4, &[4, 3]), layout(U4, &[4, 3], &[1, 4]));
    let mut buffer: Vec<u8> = (0..16).collect();
    let before = buffer.clone();
    // What fills the rest writes over the source.
    let refused = error(copy_within(&fill_rest(&[7]), &mut buffer, (&rows, 0), (&dense, 4)));
    assert_eq!((refused.status, refused.argument), (Status::Overlap.number(), Argument::Src.number()));
    assert!(buffer == before);
    let scratch = |options: &stride_copy_options, dst_address: u64| {
        let plan = plan(options, &dense, &turned).unwrap();
        let mut needed = POISON as u64;
        call!(stride_plan_scratch_bytes, &plan, dst_address, 1 << 20, &mut needed).unwrap();
        (needed, query_plan(&plan).unwrap().scratch_bytes)
    };
    assert_eq!(scratch(&flags(0), 1 << 20), (0, 0));
    assert_eq!(scratch(&flags(STRIDE_COPY_OVERLAP), 1 << 20), (6, 6));
    assert_eq!(scratch(&flags(STRIDE_COPY_OVERLAP), 1 << 21), (0, 6)); // they lie apart
    let facts = query_plan(
        &plan(&fill_rest(&[7]), &packed(U4, &[2000, 2000]), &layout(U4, &[2000, 2000], &[1, 2000])).unwrap(),
    );
    assert_eq!((facts.unwrap().useful_parts, facts.unwrap().scratch_bytes), (1, 0));
    // One for each 128 KiB: of 2,000,000 bytes 15.
    let rows = |count: i64| (packed(U4, &[count, 2000]), layout(U4, &[count, 2000], &[2001, 1]));
    let of = |(to, from): &(stride_layout, stride_layout)| plan(&flags(0), to, from).unwrap();
    let parts = |sides| query_plan(&of(&sides)).unwrap().useful_parts;
    assert_eq!((parts(rows(2000)), parts(rows(262)), parts(rows(100)), parts(rows(4))), (15, 1, 1, 1));
    // Parts of less than 4 KiB do nothing: of 8 for 16,000 bytes there are three that write.
    let (sides, from) = (rows(16), vec![0x5A; 16_008]);
    let writes = |part: &u32| {
        let mut to = vec![0u8; 16_000];
        execute_part(&of(&sides), &mut to, &from, *part, 8).unwrap();
        to.iter().any(|&byte| byte != 0)
    };
    assert_eq!((0..8).filter(writes).collect::<Vec<_>>(), [0, 1, 2]);
    // A question that is too long for its budget: nothing is touched. A promise takes the place of the proof.
    let sizes = [3, 3, 2, 2];
    let (dst, src) = (layout(U4, &sizes, &[1, 11, 90, 500]), layout(U4, &sizes, &[3, 29, 170, 701]));
    let within = |budget: u64, flags: u32, src_at: usize| {
        let options = stride_copy_options { flags, overlap_budget: budget, ..Default::default() };
        let mut memory: Vec<u8> = (0..2048).map(|k| (k * 37 % 251) as u8).collect();
        let before = memory.clone();
        let answer = copy_within(&options, &mut memory, (&dst, 0), (&src, src_at));
        assert!(answer.is_ok() || memory == before);
        (answer, memory)
    };
    let undecided = |&at: &usize| status(within(1, 0, at).0) == Status::Undecided.number();
    let apart = (1..300).filter(undecided).find(|&at| within(0, 0, at).0.is_ok()).expect("sides that are apart");
    let refused = error(within(1, 0, apart).0);
    assert_eq!((refused.status, refused.argument), (Status::Undecided.number(), Argument::Src.number()));
    assert!(within(1, STRIDE_COPY_ASSUME_DISTINCT, apart) == within(0, 0, apart));
    // What is not known asks for scratch memory, of bytes as of bits.
    for dtype in [U4, U8] {
        let wide = |layout: stride_layout| stride_layout { dtype, ..layout };
        let (dst, src) = (wide(dst), wide(src));
        let needed = |flags: u32, budget: u64, src_at: u64| {
            let options = stride_copy_options { flags, overlap_budget: budget, ..Default::default() };
            let (plan, mut needed) = (plan(&options, &dst, &src)?, POISON as u64);
            call!(stride_plan_scratch_bytes, &plan, 4096, 4096 + src_at, &mut needed).map(|()| needed)
        };
        let elements = if dtype == U4 { 18 } else { 36 };
        let all = (1..300).map(|at| [needed(STRIDE_COPY_OVERLAP, 0, at), needed(STRIDE_COPY_OVERLAP, 1, at)]);
        let all: Vec<_> = all.map(|both| both.map(Result::unwrap)).collect();
        assert!(all.iter().flatten().all(|&bytes| bytes == 0 || bytes == elements), "{all:?}");
        assert!(all.iter().all(|&[known, hasty]| known <= hasty) && all.contains(&[0, elements]), "{all:?}");
        assert_eq!(needed(0, 1, apart as u64), Ok(0));
    }
    // Nor is it said that orders which differ come close, where a longer look would find that they do not.
    let (dst, mut src) = (layout(U4 | HIGH, &[2, 2], &[96, 84]), layout(U4, &[2, 2], &[60, 28]));
    src.offset = 16;
    let within = |budget: u64| {
        let options = stride_copy_options { overlap_budget: budget, ..Default::default() };
        copy_within(&options, &mut [0x5a; 256], (&dst, 0), (&src, 0))
    };
    assert_eq!((status(within(1)), status(within(0))), (Status::Undecided.number(), 0));
}

/// A nibble that is the first one of its byte in one order is the second one in the other: bits that both sides have are found.
#[test]
fn orders_that_differ_share_bits() {
    let before: Vec<u8> = (0..16).map(|k| 0x11 * k).collect();
    let mut buffer = before.clone();
    // Low halves of bytes 4, 8 and 12; in the other order low halves of bytes 0, 4 and 8, or high ones of bytes 2, 6 and 10.
    let (dst, every_fourth) = (at(8, layout(U4, &[3], &[8])), layout(U4 | HIGH, &[3], &[8]));
    let refused = copy_within(&DEFAULTS, &mut buffer, (&dst, 0), (&at(1, every_fourth), 0));
    assert_eq!((status(refused), &buffer), (Status::Overlap.number(), &before));
    copy_within(&DEFAULTS, &mut buffer, (&dst, 0), (&at(4, every_fourth), 0)).unwrap();
    assert_eq!([4, 8, 12].map(|byte| buffer[byte]), [0x42, 0x86, 0xCA]);
    // High halves of bytes 0, 2 and 4 to low ones of bytes 1, 3 and 5; those of 0, 1 and 2 are shared.
    let (dst, every_second) = (at(2, layout(U4, &[3], &[4])), layout(U4 | HIGH, &[3], &[4]));
    copy_within(&DEFAULTS, &mut buffer, (&dst, 0), (&every_second, 0)).unwrap();
    assert_eq!([1, 3, 5].map(|byte| buffer[byte]), [0x10, 0x32, 0x54]);
    let refused = copy_within(&DEFAULTS, &mut buffer, (&dst, 0), (&layout(U4 | HIGH, &[3], &[2]), 0));
    assert_eq!(status(refused), Status::Overlap.number());
}

/// Nibbles less than a byte apart, but in other bytes: told by sets of those that lie whole bytes apart, up to 64 pairs of sets.
#[test]
fn as_many_sets_of_bytes_as_are_looked_at() {
    let overlaps = |(low, low_at): (&stride_layout, u64), (high, high_at): (&stride_layout, u64), budget: u64| {
        let found = overlap((low, low_at), (high, high_at), budget).map_err(|e| e.status);
        assert_eq!(overlap((high, high_at), (low, low_at), budget).map_err(|e| e.status), found);
        found
    };
    let undecided = Err(Status::Undecided.number());
    let low = |strides: &[i64]| layout(U4, &[2; 4][..strides.len()], strides);
    let high = at(80, layout(U4 | HIGH, &[2; 3], &[335, 129, 29]));
    let found = |low: &stride_layout| overlaps((low, 4096), (&high, 4096), 0);
    assert_eq!(found(&low(&[399, 241, 17])), Ok(false));
    assert_eq!(found(&low(&[399, 241, 17, 5001])), undecided);
    // No two elements are nearer than a byte: that is told without bytes.
    let nearest = at(162, layout(U4 | HIGH, &[2; 3], &[335, 129, 29]));
    assert_eq!(overlaps((&low(&[399, 241, 17, 5001]), 4096), (&nearest, 4096), 0), Ok(false));
    // An even step makes no more sets, nor do runs, however many bits they have.
    assert_eq!(found(&low(&[399, 241, 17, 5000])), Ok(false));
    let bits = |dtype: u32, sizes: &[i64]| packed(dtype, sizes);
    for sizes in [&[40, 3][..], &[2, 4, 5], &[8, 11], &[16, 9]] {
        let bytes = sizes.iter().product::<i64>() as u64 / 8;
        let (low, high) = (bits(U1, sizes), bits(U1 | HIGH, sizes));
        assert_eq!(overlaps((&low, 4096), (&high, 4096 + bytes), 0), Ok(false), "{sizes:?}");
        assert_eq!(overlaps((&low, 4096), (&high, 4096 + bytes - 1), 0), undecided, "{sizes:?}");
    }
    let (low, high) = (layout(U1, &[100, 8, 8], &[256, 11, 1]), layout(U1 | HIGH, &[100, 8, 8], &[256, 1, 11]));
    assert_eq!(overlaps((&low, 4096), (&high, 4096 + 11), 0), Ok(false));
    // The budget is that of all pairs together, 64 here.
    let low = layout(U4, &[4, 4, 6], &[1007, 571, 437]);
    let high = at(977, layout(U4 | HIGH, &[4, 4, 6], &[745, 955, 755]));
    let found = |budget: u64| overlaps((&low, 4096), (&high, 4096), budget);
    assert_eq!((found(63), found(1024), found(2048)), (undecided, undecided, Ok(false)));
}

/// More than 2^64 bits in front of the base, as only addresses can have: all of them are there.
#[test]
fn more_bits_than_64_bits_count() {
    for (dtype, sizes) in [(U4, [(1 << 62) + 1]), (U8, [(1 << 61) + 1])] {
        let (all, some) = (layout(dtype, &sizes, &[-1]), layout(dtype, &[10], &[-3]));
        // In the middle, at the end, across the begin, and in front of it.
        let begin = 1u64 << 61;
        for (inside, shared) in [(1 << 60, true), (5, true), (begin - 13, true), (begin - 26, true), (1 << 62, false)] {
            let (base, place) = (1 << 63, (1 << 63) - inside);
            assert_eq!(overlap((&all, base), (&some, place), 0), Ok(shared), "{inside} bytes in front");
            assert_eq!(overlap((&some, place), (&all, base), 0), Ok(shared), "{inside} bytes in front");
        }
    }
}

/// Two rows of every second nibble, one in the low and one in the high halves of the same bytes: part 0 copies all of it, for a
/// byte has one writer.
#[test]
fn halves_of_the_same_bytes_have_one_writer() {
    let count = if cfg!(miri) { 600 } else { 60_000 };
    let (low, high) = (layout(U4, &[count], &[2]), at(1, layout(U4, &[count], &[2])));
    for (dst, src) in [(&low, &high), (&high, &low)] {
        let plan = plan(&DEFAULTS, dst, src).unwrap();
        let before = Random::new(SEED + 9).bytes(count as usize);
        let run = |memory: &mut [u8], part: u32| {
            let (to, bytes) = (memory.as_mut_ptr(), memory.len() as u64);
            let (to, from) = (to.cast(), to.cast_const().cast());
            call!(stride_plan_execute_part, &plan, to, bytes, from, bytes, part, 4).unwrap();
            assert_eq!(memory != before, part == 0);
        };
        let half = |byte: &u8| if dst.offset == 0 { byte & 0xF0 | byte >> 4 } else { byte & 0xF | byte << 4 };
        let expected: Vec<u8> = before.iter().map(half).collect();
        assert!(oracle::parts(&before, 4, String::new, run) == expected);
        // Two buffers are shared out, if they are not as small as for Miri.
        let mut parts_of_two = before.clone();
        execute_part(&plan, &mut parts_of_two, &before, 1, 4).unwrap();
        assert!(cfg!(miri) || parts_of_two != before);
    }
}

/// Two elements of two bytes each: what lies in one byte is refused, what lies in others is copied.
#[test]
fn elements_of_other_bytes_are_apart() {
    for bits in [1i64, 2, 4] {
        let dtype = [U1, U2, U4][bits.ilog2() as usize];
        let pair = |bit: i64| at(bit / bits, layout(dtype, &[2], &[16 / bits]));
        let places = || (0..16).step_by(bits as usize);
        for (to, from) in places().flat_map(|to| places().map(move |from| (to, from))) {
            let high = stride_layout { dtype: dtype | HIGH, ..pair(from) };
            let answer = copy_within(&DEFAULTS, &mut [0xA5; 4], (&pair(to), 0), (&high, 0));
            if to / 8 == from / 8 {
                assert_eq!(status(answer), Status::Overlap.number(), "{bits}: {from} to {to}");
            } else {
                assert!(answer.is_ok(), "{bits}: {from} to {to}");
            }
        }
    }
}

/// The value lies in each byte in turn: in an element, between them, in front of the first one or behind the last one.
#[test]
fn values_in_each_byte_of_what_they_fill() {
    for dtype in [Dtype::U1, Dtype::U2, Dtype::U4].map(|dtype| [dtype, dtype.high_first()]).concat() {
        for (offset, step, count, value_at) in cases() {
            let filled = Bits { side: Side { sizes: vec![count], strides: vec![step], offset }, dtype };
            let mut buffer: Vec<u8> = (0..8).map(|k| 0x35 + 16 * k).collect();
            let before = buffer.clone();
            let base = buffer.as_mut_ptr();
            // SAFETY: a byte of the buffer.
            let value = unsafe { base.add(value_at) };
            let answer = call!(stride_fill, &filled.layout(), base.cast(), 8, value.cast_const().cast());
            // The value is the low bits of its byte.
            if filled.side.offsets().iter().any(|&at| matches!(filled.place(at), (byte, 0, _) if byte == value_at)) {
                assert_eq!((status(answer), buffer), (Status::Overlap.number(), before), "{filled:?} {value_at}");
                continue;
            }
            let mut expected = before.clone();
            filled.fill(&mut expected, before[value_at]);
            assert_eq!((answer, buffer), (Ok(()), expected), "{filled:?} {value_at}");
        }
    }
    fn cases() -> impl Iterator<Item = (i64, i64, i64, usize)> {
        let numbers = |case: i64| (case % 7, 1 + case / 7 % 4, 1 + case / 28 % 3, case as usize / 84);
        (0..7 * 4 * 3 * 8).step_by(if cfg!(miri) { 61 } else { 1 }).map(numbers)
    }
}

/// The value lies among the elements that it fills: in one of them, or between them.
#[test]
fn values_that_lie_where_they_are_written() {
    for (dtype, low) in [(U4, true), (U4 | HIGH, false)] {
        // Every second nibble from the first on; a value is the low bits of its byte.
        let mut buffer = [0x31u8, 0x31, 0x31];
        let base = buffer.as_mut_ptr();
        let every_second = layout(dtype, &[3], &[2]);
        // SAFETY: the third byte of the buffer.
        let value = unsafe { base.add(2) };
        let answer = call!(stride_fill, &every_second, base.cast(), 3, value.cast_const().cast());
        assert_eq!(answer.is_err(), low, "{answer:?}");
        assert_eq!(buffer, if low { [0x31; 3] } else { [0x11; 3] });
    }
}

/// A plan that was tampered with is refused, or moves wrong bits within the two buffers.
#[test]
fn tampered_plans_stay_in_their_buffers() {
    let mut random = Random::new(SEED + 7);
    let (mut refused, mut ran) = (0, 0);
    for _ in 0..oracle::times(20_000) {
        let sizes = random_sizes(&mut random);
        let (dst, src) = random_copy(&mut random, &sizes);
        let mut plan = plan(&DEFAULTS, &dst.layout(), &src.layout()).unwrap();
        if stride::copy::words::shortcut_in_use(plan.words[1]) != 4 || dst.bytes().max(src.bytes()) > 4096 {
            continue;
        }
        let used = (plan.words[0] & 0xFFFF) as u64;
        for _ in 0..1 + random.below(3) {
            let word = random.below(used) as usize;
            plan.words[word] = match random.below(4) {
                0 => plan.words[word] ^ 1 << random.below(64),
                1 => plan.words[word].wrapping_add(random.below(9) as u64).wrapping_sub(4),
                2 => random.pick(&[0, 1, 7, 8, 64, u64::MAX, 1 << 63, (1 << 63) - 1]),
                _ => random.below(1 << 12) as u64,
            };
        }
        if !oracle::ends_soon(&plan) {
            continue;
        }
        let from = random.bytes(src.bytes());
        let before = random.bytes(dst.bytes() + 128);
        let mut to = before.clone();
        let end = 64 + dst.bytes();
        match execute_part(&plan, &mut to[64..end], &from, 0, 1) {
            Ok(()) => ran += 1,
            Err(_) => refused += 1,
        }
        assert!(to[..64] == before[..64] && to[end..] == before[end..]);
    }
    assert!(cfg!(miri) || refused > 1_000 && ran > 500, "{refused} {ran}");
}

/// Squares whose rows begin, and go on, within an element: plans of transposes that claim it stay in their buffers.
#[test]
fn tampered_squares_stay_in_their_buffers() {
    for (dtype, bits) in [(U1, 1), (U2, 2), (U4, 4)] {
        let side = 64 / bits;
        let (dst, src) = (layout(dtype, &[side, side], &[side, 1]), layout(dtype, &[side, side], &[1, side]));
        let honest = plan(&DEFAULTS, &dst, &src).unwrap();
        assert_eq!((honest.words[1] >> 32 & 0xFF, honest.words[3] as i64), (2, bits));
        let all = (64..73).flat_map(|step| [step, -step]).flat_map(|step| (0..8).map(move |phase| (step, phase)));
        for (step, phase) in all.step_by(if cfg!(miri) { 29 } else { 1 }) {
            let mut plan = stride_plan { words: honest.words };
            plan.words[4] = (phase - step.min(0) * (side - 1)) as u64;
            plan.words[10..16].copy_from_slice(&[side, bits, 64, side, step, bits].map(|word| word as u64));
            let bytes = ((phase + step.abs() * (side - 1) + 64) as usize).div_ceil(8);
            let from = vec![0x5A; 8 * side as usize];
            let mut to = vec![0xC3; 64 + bytes + 64];
            execute_part(&plan, &mut to[64..64 + bytes], &from, 0, 1).unwrap();
            assert!(to[..64] == [0xC3; 64] && to[64 + bytes..] == [0xC3; 64], "{bits} bits, {step} apart from {phase}");
        }
    }
}

/// A run of which the elements are a loop, as no honest plan has it: upward, on both sides.
#[test]
fn a_run_that_was_not_made_one() {
    let (dst, src) = (at(1, packed(U4, &[9])), at(8, packed(U4, &[9])));
    let from: Vec<u8> = (1..10).map(|k| 27 * k).collect();
    let honest = plan(&DEFAULTS, &dst, &src).unwrap();
    assert_eq!((honest.words[1] >> 32 & 0xFF, honest.words[3]), (0, 36));
    let mut unfolded = stride_plan { words: honest.words };
    unfolded.words[0] += 3;
    unfolded.words[1] |= 1 << 32;
    unfolded.words[3] = 4;
    unfolded.words[10..13].copy_from_slice(&[9, 4, 4]);
    let run = |plan: &stride_plan| {
        let mut to = [0xA5; 6];
        execute_part(plan, &mut to, &from, 0, 1).map(|()| to)
    };
    assert_eq!(run(&unfolded), run(&honest));
    assert!(run(&honest).is_ok());
}

/// The case that these bytes steer: what `fuzz/` runs. All of them pass.
pub fn any_bytes(bytes: &[u8]) -> bool {
    copy_of_bits(&mut Random::steered(bytes));
    true
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/bits.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("bits", any_bytes);
}
