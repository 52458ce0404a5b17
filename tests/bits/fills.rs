//! Fills, comparisons, and the rest of a buffer.

use super::*;
use oracle::sides;
use stride::ffi::blocked_layout::*;
use stride::ffi::sides::*;
use stride::ffi::xla::*;

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

/// A copy of no element fills its whole buffer with elements, as one of an element does around it: whatever names the
/// sides, by one call, by a plan, and by its parts.
#[test]
fn without_elements_the_rest_is_filled_with_elements() {
    let mut random = Random::new(SEED + 13);
    for dtype in NARROW.map(|dtype| [dtype, dtype.high_first()]).concat() {
        let (code, side) = (dtype.code(), Bits { side: Side::new(&[9], &[1], 0), dtype });
        let (row, none, other, no_row) =
            (packed(code, &[9]), packed(code, &[0, 3]), packed(code, &[2, 0, 5]), packed(code, &[0]));
        let mut tiles = with_element_bits(shape(code & !HIGH, &[0, 3], None).unwrap(), dtype.bits() as u32).unwrap();
        tiles.flags = if dtype.is_high_first() { STRIDE_XLA_SHAPE_HIGH_FIRST } else { 0 };
        let (untiled, tiles) = (tiles, with_tile(tiles, &[2, 2]).unwrap());
        let mut blocks = std::mem::MaybeUninit::uninit();
        call!(stride_blocked_parse, c"a/2 b a%2".as_ptr(), 9, code, 2, [0, 3].as_ptr(), blocks.as_mut_ptr()).unwrap();
        // SAFETY: the call wrote it.
        let blocks = unsafe { blocks.assume_init() };
        let uneven = [2, 0, 1].map(|first| stride_index_run { first, step: 1, count: 1 });
        let (n, r) = (sides::side(&none), sides::side(&row));
        for case in 0..10 {
            let value = random.next() as u8;
            let options = fill_rest(&[value, !value, value ^ 0x33]);
            let [to_side, from_side] = match case {
                0 => [n, n],
                1 => [sides::range(r, 4, 0), sides::range(r, 9, 0)],
                2 => [sides::range(n, 0, 0), sides::range(sides::side(&other), 0, 0)],
                // A list that steps unevenly, and an empty one.
                3 => [n, sides::through(n, 1, &uneven)],
                4 => [sides::side(&no_row), sides::through(r, 0, &[])],
                5 => [sides::side(&tiles); 2],
                6 => [sides::side(&untiled), n],
                7 => [sides::side(&blocks), n],
                8 => [n, sides::side(&blocks)],
                // One element, beside which the others are filled.
                _ => [sides::range(r, 5, 1), sides::range(r, 2, 1)],
            };
            let (mut to, from, mut plan) = ([0x5A; 7], [0xC3; 7], stride_plan { words: [0; 512] });
            let (d, s) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
            // The call, and the plan of the same.
            let answers = [
                call!(stride_copy_sides, &to_side, d, 7, &from_side, s, 7, &options),
                call!(stride_plan_init_sides, &mut plan, &to_side, &from_side, &options),
            ];
            let what = || format!("{dtype}, case {case}, {value:#x}");
            assert_eq!(answers, [Ok(()), Ok(())], "{}", what());
            let mut expected = [0; 7];
            side.fill_everything(&mut expected, value);
            if case == 9 {
                side.put(&mut expected, 5, side.get(&from, 2));
            }
            assert_eq!(to, expected, "{}", what());
            for parts in [1, 3] {
                // No byte is what the fill makes of it.
                let before = expected.map(|byte| !byte);
                let run = |to: &mut [u8], part| execute_part(&plan, to, &from, part, parts).unwrap();
                assert_eq!(oracle::parts(&before, parts, what, run), expected, "{} in {parts} parts", what());
            }
        }
    }
}

/// The value lies in each byte in turn: in an element, between them, before the first one or after the last one.
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
            // The value is the low bits of its byte. One element alone is its own value, which is no harm.
            let meets = |&at: &i64| matches!(filled.place(at), (byte, 0, _) if byte == value_at);
            if count > 1 && filled.side.offsets().iter().any(meets) {
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
