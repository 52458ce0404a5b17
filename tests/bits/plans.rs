//! Plans in bits: parts, flags, words that were tampered with.

use super::*;
use stride::copy::words::{BITS, HEADER, kind_in_use};

/// Parts of copies that are worth sharing out. Each runs on a destination all of whose elements are wrong, so that
/// every byte it writes shows: none may belong to two parts.
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

/// A run that fills its parts to the bit, but begins inside a byte: the part after the last bound was nobody's.
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

/// Copies inside one buffer that may not be, that need no scratch, or about which nobody knows in time without a
/// promise; facts of plans that fill.
#[test]
fn flags_of_copies_in_bits() {
    let rows = layout(U4, &[4, 3], &[5, 1]);
    let (dense, transposed) = (packed(U4, &[4, 3]), layout(U4, &[4, 3], &[1, 4]));
    let mut buffer: Vec<u8> = (0..16).collect();
    let before = buffer.clone();
    // What fills the rest writes over the source.
    let refused = error(copy_within(&fill_rest(&[7]), &mut buffer, (&rows, 0), (&dense, 4)));
    assert_eq!((refused.status, refused.argument), (Status::Overlap.number(), Argument::Src.number()));
    assert!(buffer == before);
    let scratch = |options: &stride_copy_options, dst_address: u64| {
        let plan = plan(options, &dense, &transposed).unwrap();
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

/// A plan that was tampered with is refused, or moves wrong bits within the two buffers.
#[test]
fn tampered_plans_stay_in_their_buffers() {
    let mut random = Random::new(SEED + 7);
    let (mut refused, mut ran) = (0, 0);
    for _ in 0..oracle::times(20_000) {
        let sizes = random_sizes(&mut random);
        let (dst, src) = random_copy(&mut random, &sizes);
        let mut plan = plan(&DEFAULTS, &dst.layout(), &src.layout()).unwrap();
        if kind_in_use(plan.words[1]) != BITS || dst.bytes().max(src.bytes()) > 4096 {
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
            plan.words[HEADER..HEADER + 6].copy_from_slice(&[side, bits, 64, side, step, bits].map(|word| word as u64));
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
    unfolded.words[HEADER..HEADER + 3].copy_from_slice(&[9, 4, 4]);
    let run = |plan: &stride_plan| {
        let mut to = [0xA5; 6];
        execute_part(plan, &mut to, &from, 0, 1).map(|()| to)
    };
    assert_eq!(run(&unfolded), run(&honest));
    assert!(run(&honest).is_ok());
}
