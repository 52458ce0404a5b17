//! Copies, of random layouts and of those that have names.

use super::*;
use oracle::sides::side;

#[test]
fn copies_equal_the_naive_loop() {
    let (mut elements, mut in_bits) = (0, 0);
    oracle::cases(SEED, 100_000, |random| {
        let (of_case, planned) = copy_of_bits(random);
        (elements, in_bits) = (elements + of_case, in_bits + u32::from(planned));
    });
    assert!(cfg!(miri) || elements > 10_000_000 && in_bits > 20_000, "{elements} elements, {in_bits} plans in bits");
}

/// Bits that lie 2^62 apart: a count times a step is more than 63 bits hold.
#[test]
fn loops_in_bits_whose_product_wraps() {
    let far = oracle::layout(U1, &[2, 2], &[1, 1 << 62], 0);
    assert!(plan(&DEFAULTS, &far, &far).is_ok());
}

/// Both sides end exactly before a page without access, or begin after one; the source may not be written.
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

/// tilelang-ascend#1731: 17 packed nibbles are 9 bytes; the high half of the last byte is padding.
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

/// A shape whose tiles divide its sizes is one nest of loops, whose packed elements are copied like any others; each
/// is held against its position by XLA's rule; and so is each of other tiles.
#[test]
fn packed_elements_in_tiles() {
    use stride::ffi::sides::stride_copy_sides;
    for (text, m, n) in [
        ("s4[4,6]{1,0:T(2,2)E(4)}", 4, 6),
        ("s4[6,8]{0,1:T(4,3)E(4)}", 6, 8),
        ("u2[8,12]{1,0:T(4,3)E(2)}", 8, 12),
        ("s4[4,6]{1,0:T(2,6)E(4)}", 4, 6),
        ("s4[5,7]{1,0:T(2,4)E(4)}", 5, 7),
        ("u2[9,11]{0,1:T(4,3)(2,1)E(2)}", 9, 11),
    ] {
        let shape = parse(text).unwrap();
        let dtype = Dtype::new(shape.dtype).unwrap();
        let row_major = Bits { side: Side::new(&[m, n], &[n, 1], 1), dtype };
        let tiled = Bits { side: Side::new(&[byte_size(&shape).unwrap() as i64 * 8 / dtype.bits()], &[1], 0), dtype };
        let mut random = Random::new(SEED + 8);
        let from = random.bytes(row_major.bytes());
        let (mut expected, mut to) = (vec![0x5A; tiled.bytes()], vec![0x5A; tiled.bytes()]);
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let value = row_major.get(&from, 1 + i * n + j);
            tiled.put(&mut expected, linear_index(&shape, &[i, j]).unwrap(), value);
        }
        let (rows, to_bytes, from_bytes) = (row_major.layout(), to.len() as u64, from.len() as u64);
        let (d, s) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
        let copied = call!(stride_copy_sides, &side(&shape), d, to_bytes, &side(&rows), s, from_bytes, &DEFAULTS);
        assert_eq!((copied, to), (Ok(()), expected), "{text}");
    }
}

/// ROCm/aiter#5537: transposes of packed FP4 matrices, rows of odd length among them. And vortex#6928: bits of masks
/// that begin anywhere.
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

/// Elements that have a byte each, at any place in it, on one side, and are packed on the other.
#[test]
fn elements_that_have_a_byte_each() {
    let mut random = Random::new(SEED + 7);
    for dtype in [Dtype::F4E2M1FN, Dtype::U2, Dtype::U1] {
        let each = 8 / dtype.bits();
        for (count, rows) in [(1, 1), (7, 2), (8, 1), (9, 3), (64, 1), (203, 2)] {
            for (wide_at, packed_at) in [(0, 0), (each - 1, 1), (each, 3)] {
                let wide = Side::new(&[rows, count], &[each * (count + 2), each], wide_at);
                let packed = Side::new(&[rows, count], &[count + 5, 1], packed_at);
                for (dst, src) in [(&wide, &packed), (&packed, &wide)] {
                    let bits = |side: &Side, random: &mut Random| Bits {
                        side: side.clone(),
                        dtype: either_order(random, dtype),
                    };
                    let (dst, src) = (bits(dst, &mut random), bits(src, &mut random));
                    let (from, before) = (random.bytes(src.bytes()), random.bytes(dst.bytes()));
                    let (mut expected, mut to) = (before.clone(), before);
                    naive(&dst, &mut expected, &src, &from);
                    copy((&dst.layout(), &mut to), (&src.layout(), &from)).unwrap();
                    assert!(to == expected, "{dst:?} from {src:?}");
                }
            }
        }
    }
}

/// Where runs are whole bytes on both sides, the plan is the one of those bytes.
/// Bits of half a GiB are more than `usize` counts where it has 32. (Elsewhere nothing is to be seen, for so much
/// memory.)
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
