//! Who shares bits with whom.

use super::*;

/// Inside one buffer: what shares bits is refused, nothing else is; with memmove's semantics it is as if the source had
/// been read first.
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
        // Orders that differ count bits from either end of a byte: bytes may not be shared then (of single bits it may
        // be left open).
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

/// A nibble that is the first one of its byte in one order is the second one in the other: bits that both sides have
/// are found.
#[test]
fn orders_that_differ_share_bits() {
    let before: Vec<u8> = (0..16).map(|k| 0x11 * k).collect();
    let mut buffer = before.clone();
    // Low halves of bytes 4, 8 and 12; in the other order low halves of bytes 0, 4 and 8, or high ones of bytes 2, 6
    // and 10.
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

/// Nibbles less than a byte apart, but in other bytes: told by sets of those that lie whole bytes apart, up to 64 pairs
/// of sets.
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

/// More than 2^64 bits before the base, as only addresses can have: all of them are there.
#[test]
fn more_bits_than_64_bits_count() {
    for (dtype, sizes) in [(U4, [(1 << 62) + 1]), (U8, [(1 << 61) + 1])] {
        let (all, some) = (layout(dtype, &sizes, &[-1]), layout(dtype, &[10], &[-3]));
        // In the middle, at the end, across the begin, and before it.
        let begin = 1u64 << 61;
        for (inside, shared) in [(1 << 60, true), (5, true), (begin - 13, true), (begin - 26, true), (1 << 62, false)] {
            let (base, place) = (1 << 63, (1 << 63) - inside);
            assert_eq!(overlap((&all, base), (&some, place), 0), Ok(shared), "{inside} bytes in front");
            assert_eq!(overlap((&some, place), (&all, base), 0), Ok(shared), "{inside} bytes in front");
        }
    }
}

/// Two rows of every second nibble, one in the low and one in the high halves of the same bytes: part 0 copies all of
/// it, for a byte has one writer.
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
