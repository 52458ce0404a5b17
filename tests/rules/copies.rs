//! Copies: dtypes, lengths, overlap, flags, parts.

use super::*;

/// Of a dozen dimensions and more no kernel takes all: the last ones turn as the first do. Reshapes give each a stride.
#[test]
fn pairs_in_any_order() {
    let ranks: &[usize] = if cfg!(miri) { &[11] } else { &[11, 13, 16, 18] };
    for &rank in ranks {
        let sizes = vec![2i64; rank];
        let scattered: Vec<i64> = (0..rank).map(|k| 3 << (k * 7 % rank)).collect();
        let (dst, src) = (packed(U8, &sizes), layout(U8, &sizes, &scattered));
        assert_eq!(strides(&reshape(&packed(U8, &[1 << rank]), &sizes).unwrap()), strides(&dst));
        let count = 1usize << rank;
        let memory: Vec<u8> = (0..3 * count).map(|k| (k * 37 % 251) as u8).collect();
        let place = |n: usize| (0..rank).map(|k| (n >> (rank - 1 - k) & 1) * scattered[k] as usize).sum::<usize>();
        let mut to = vec![0; count];
        copy((&dst, &mut to), (&src, &memory)).unwrap();
        assert!((0..count).all(|n| to[n] == memory[place(n)]), "{rank}");
        let mut back = memory.iter().map(|byte| !byte).collect::<Vec<u8>>();
        copy((&src, &mut back), (&dst, &to)).unwrap();
        for (k, (&now, &before)) in back.iter().zip(&memory).enumerate() {
            assert_eq!(now, if k % 3 == 0 { before } else { !before }, "{rank}");
        }
    }
}

/// A layout that is left out has the dtype of the other one, with its order of nibbles.
#[test]
fn a_layout_that_is_left_out_has_the_same_order_of_bits() {
    for dtype in [U4, U4 | STRIDE_DTYPE_HIGH_FIRST, Dtype::U2.high_first().code(), Dtype::U1.code()] {
        let rows = packed(dtype, &[4, 8]);
        let (memory, length) =
            ([0x1b, 0x2c, 0x3d, 0x4e, 0x5f, 0x60, 0x71, 0x82, 0x93, 0xa4, 0xb5, 0xc6, 0xd7, 0xe8, 0xf9, 0x0a], 16);
        for (dst, src) in [(std::ptr::null(), &raw const rows), (&raw const rows, std::ptr::null())] {
            let mut to = [0u8; 16];
            call!(
                stride_copy,
                dst,
                to.as_mut_ptr().cast(),
                length,
                src,
                memory.as_ptr().cast(),
                length,
                std::ptr::null()
            )
            .unwrap();
            let used = 32 * stride::Dtype::new(dtype).unwrap().bits() as usize / 8;
            assert_eq!(to[..used], memory[..used], "{dtype:#x}");
        }
    }
}

#[test]
fn sizes_must_be_equal() {
    let mut memory = [0; 24];
    let mut into = |dst: &[i64], src: &[i64]| copy((&packed(U8, dst), &mut memory), (&packed(U8, src), &[0; 24]));
    let mismatch =
        |dimension, lhs, rhs| (Status::ShapeMismatch.number(), Argument::SrcLayout.number(), dimension, lhs, rhs);
    assert_eq!(reason(into(&[2, 7, 1], &[2, 5, 1])), mismatch(1, 5, 7));
    assert_eq!(reason(into(&[2, 3], &[6])), mismatch(-1, 1, 2));
    // Nothing broadcasts by itself in a copy, DirectML's rule.
    assert_eq!(reason(into(&[2, 3], &[1, 3])), mismatch(0, 1, 2));
    let e = error(into(&[2, 3, 7], &[2, 3, 5]));
    assert_eq!(sentence(&e), "src_layout, dimension 2: size is 5, but it is 7 in dst_layout");
}

#[test]
fn dtypes_are_equal_or_plain_bytes() {
    let ok = |dst: u32, src: u32| {
        let mut memory = [0; 16];
        copy((&packed(dst, &[1]), &mut memory), (&packed(src, &[1]), &[7; 16]))
    };
    let plain = |count| bytes(count).unwrap();
    assert_eq!(ok(F32, F32), Ok(()));
    assert_eq!((ok(F32, plain(4)), ok(plain(4), F32), ok(plain(16), Dtype::C128.code())), (Ok(()), Ok(()), Ok(())));
    for (dst, src) in [(F32, Dtype::S32.code()), (F32, plain(8)), (Dtype::BF16.code(), Dtype::F16.code())] {
        assert_eq!(
            reason(ok(dst, src)),
            (Status::DtypeMismatch.number(), Argument::SrcLayout.number(), -1, src as i64, dst as i64)
        );
    }
}

#[test]
fn lengths_are_held_to_the_reach() {
    let (dst, src) = (layout(F32, &[2, 3], &[5, 1]), packed(F32, &[2, 3])); // 32 and 24 bytes
    let try_lengths =
        |dst_bytes: usize, src_bytes: usize| copy((&dst, &mut vec![0; dst_bytes]), (&src, &vec![0; src_bytes]));
    assert_eq!(try_lengths(32, 24), Ok(()));
    let bounds = |argument, reach, length| (Status::OutOfBounds.number(), argument, -1, reach, length);
    assert_eq!(reason(try_lengths(31, 24)), bounds(Argument::DstBytes.number(), 32, 31));
    assert_eq!(reason(try_lengths(32, 23)), bounds(Argument::SrcBytes.number(), 24, 23));
    assert_eq!(reason(try_lengths(0, 24)), bounds(Argument::DstBytes.number(), 32, 0));
    // Wherever the first element lies.
    let moved = stride_layout { offset: 2, ..dst };
    let short = copy((&moved, &mut [0; 39]), (&src, &[0; 24]));
    assert_eq!(reason(short), bounds(Argument::DstBytes.number(), 40, 39));
}

#[test]
fn the_address_space_ends() {
    let (sixteen, source) = (packed(U8, &[16]), [0; 16]);
    for (address, length) in [(u64::MAX - 7, u64::MAX), (u64::MAX - 14, 16), (u64::MAX, 1 << 40)] {
        let refused = reason(copy_to_the_end(&sixteen, address, length, (&sixteen, &source)));
        let address = address as usize as i64; // its bits
        assert_eq!(refused, (Status::OutOfBounds.number(), Argument::DstBytes.number(), -1, 16, address));
    }
}

#[test]
fn a_caller_may_vouch_for_the_lengths() {
    let mut memory = *b"......";
    let (column_major, row_major) = (layout(U8, &[2, 3], &[1, 2]), packed(U8, &[2, 3]));
    copy_vouched(&flags(0), (&column_major, &mut memory), (&row_major, b"abcdef")).unwrap();
    assert_eq!(&memory, b"adbecf");
    // Not where every byte of the buffer gets written: there is no such buffer.
    let refused = copy_vouched(&fill_rest(b"0"), (&column_major, &mut memory), (&row_major, b"abcdef"));
    assert_eq!(error(refused).status, Status::OutOfBounds.number());
}

#[test]
fn null_pointers_are_for_empty_copies() {
    let default = flags(0);
    assert_eq!(copy_nothing(&default, &packed(F32, &[2, 0]), &packed(F32, &[2, 0])), Ok(()));
    assert_eq!(copy_nothing(&fill_rest(b"0"), &packed(F32, &[2, 0]), &packed(F32, &[2, 0])), Ok(()));
    let e = error(copy_nothing(&default, &packed(F32, &[2]), &packed(F32, &[2])));
    assert_eq!((e.status, e.argument), (Status::NullPointer.number(), Argument::Dst.number()));
    // Even empty, both sides have the same sizes and dtype.
    let shapes = copy_nothing(&default, &packed(F32, &[2, 0]), &packed(F32, &[0, 2]));
    assert_eq!(status(shapes), Status::ShapeMismatch.number());
}

#[test]
fn bytes_that_no_index_reaches() {
    let (gaps, six) = (at(1, layout(U8, &[2, 3], &[5, 1])), packed(U8, &[2, 3]));
    let run = |options: &stride_copy_options| {
        let mut memory = *b"............";
        copy_with(options, (&gaps, &mut memory), (&six, b"abcdef")).map(|()| memory)
    };
    assert_eq!(run(&flags(0)), Ok(*b".abc..def..."), "kept");
    assert_eq!(run(&fill_rest(b"-")), Ok(*b"-abc--def---"), "filled: head, gaps and tail");
    assert_eq!(run(&fill_rest(b"")), Ok(*b"\0abc\0\0def\0\0\0"));
    // The value repeats per element: here 4 bytes.
    let mut memory = [0; 20];
    let every_other = layout(F32, &[2], &[2]);
    copy_with(&fill_rest(b"wxyz"), (&every_other, &mut memory), (&packed(F32, &[2]), b"abcdefgh")).unwrap();
    assert_eq!(&memory, b"abcdwxyzefghwxyzwxyz");
    // An empty tensor's own buffer is all rest.
    let mut memory = *b".....";
    copy_with(&fill_rest(b"-"), (&packed(U8, &[0]), &mut memory), (&packed(U8, &[0]), b"")).unwrap();
    assert_eq!(&memory, b"-----");
    // Elements that lie in no nested order: {3,4} over {4,4}, with a few gaps in between.
    let unique = layout(U8, &[4, 4], &[3, 4]);
    let mut memory = [b'.'; 24];
    copy_with(&fill_rest(b"-"), (&unique, &mut memory), (&packed(U8, &[4, 4]), b"ABCDEFGHIJKLMNOP")).unwrap();
    // Offsets: A0 B4 C8 D12, E3 F7 G11 H15, I6 J10 K14 L18, M9 N13 O17 P21.
    assert_eq!(&memory, b"A--EB-IFCMJGDNKH-OL--P--");
}

#[test]
fn sides_that_share_bytes_are_refused() {
    let four = packed(U8, &[4]);
    let within = |dst: &stride_layout, dst_at, src_at, flag| {
        let mut memory = *b"abcdef";
        copy_within(&flags(flag), &mut memory, (dst, dst_at), (&four, src_at)).map(|()| memory)
    };
    assert_eq!(status(within(&four, 1, 0, 0)), Status::Overlap.number());
    assert_eq!(within(&four, 0, 0, 0), Ok(*b"abcdef"), "the very same mapping is a no-op");
    // memmove, both ways.
    assert_eq!(within(&four, 1, 0, STRIDE_COPY_OVERLAP), Ok(*b"aabcdf"));
    assert_eq!(within(&four, 0, 1, STRIDE_COPY_OVERLAP), Ok(*b"bcdeef"));
    assert_eq!(within(&four, 0, 2, STRIDE_COPY_OVERLAP), Ok(*b"cdefef"));
    // The same with gaps, where each element moves by itself: the order of the moves counts.
    let every_other = layout(U8, &[3], &[2]);
    for (dst_at, src_at, moved) in [(2, 0, b"a1a2b3c4"), (0, 2, b"b1c2d3d4")] {
        let mut memory = *b"a1b2c3d4";
        let (dst, src) = ((&every_other, dst_at), (&every_other, src_at));
        copy_within(&flags(STRIDE_COPY_OVERLAP), &mut memory, dst, src).unwrap();
        assert_eq!(&memory, moved);
    }
    // In place backward, which no direction can do: four bytes of scratch.
    let backward = at(3, layout(U8, &[4], &[-1]));
    let e = error(within(&backward, 0, 0, STRIDE_COPY_OVERLAP));
    assert_eq!((e.status, e.lhs, e.rhs), (Status::ScratchNeeded.number(), 4, 0));
    let backward_plan = plan(&flags(STRIDE_COPY_OVERLAP), &backward, &four).unwrap();
    let mut memory = *b"abcdef";
    assert_eq!(execute_scratch(&backward_plan, &mut memory, 0, 0), Ok(4));
    assert_eq!(&memory, b"dcbaef");
    // Apart, nothing is needed.
    let mut memory = *b"abcd....";
    assert_eq!(execute_scratch(&backward_plan, &mut memory, 4, 0), Ok(0));
    assert_eq!(&memory, b"abcddcba");
}

/// A buffer that is filled may hold no byte of the source, not even the destination's own.
#[test]
fn a_buffer_that_is_filled_holds_no_source() {
    // Packed; nested with gaps; in no nested order; elements of half a byte.
    let square = packed(U8, &[4, 4]);
    let gaps = layout(U8, &[4, 4], &[6, 1]);
    let unique = layout(U8, &[4, 4], &[3, 4]);
    for layout in [square, gaps, unique, packed(U4, &[4, 4])] {
        let all = min_bytes(&layout).unwrap() as usize;
        let before: Vec<u8> = (0..2 * all as u8).collect();
        for (dst_at, src_at) in [(0, 0), (0, 1), (1, 0), (0, all)] {
            let mut memory = before.clone();
            let refused = copy_within(&fill_rest(b"-"), &mut memory, (&layout, dst_at), (&layout, src_at));
            assert_eq!(error(refused).status, Status::Overlap.number(), "{dst_at} {src_at}");
            assert_eq!(memory, before);
        }
    }
}

/// Runs of more than 64 elements on either side are moved in pieces, since the tables of a small stack hold no more.
#[test]
fn a_small_stack_is_enough_for_long_runs() {
    let (m, n) = (100, 130);
    let (rows, columns) = (packed(U8, &[m, n]), layout(U8, &[m, n], &[1, m]));
    let (source, mut transposed): (Vec<u8>, _) = ((0..m * n).map(|k| (k % 251) as u8).collect(), vec![0; 13_000]);
    copy_with(&flags(STRIDE_COPY_SMALL_STACK), (&rows, &mut transposed), (&columns, &source)).unwrap();
    assert!((0..m * n).all(|k| transposed[k as usize] == source[(k / n + k % n * m) as usize]));
}

#[test]
fn one_channel_to_another_of_the_same_image() {
    let channel = layout(U8, &[2, 2], &[6, 3]);
    let mut memory = *b"rgbrgbrgbrgb";
    copy_within(&flags(0), &mut memory, (&channel, 2), (&channel, 0)).unwrap();
    assert_eq!(&memory, b"rgrrgrrgrrgr");
}

#[test]
fn destinations_that_overlap_themselves() {
    let mut memory = [0; 64];
    let mut into = |sizes: &[i64], strides: &[i64], flag| {
        let count = sizes.iter().product::<i64>() as usize;
        let dst = layout(U8, sizes, strides);
        copy_with(&flags(flag), (&dst, &mut memory), (&packed(U8, sizes), &counted(count)))
    };
    assert_eq!(into(&[4, 4], &[3, 4], 0), Ok(()));
    assert_eq!(status(into(&[5, 4], &[3, 4], 0)), Status::Overlap.number());
    assert_eq!(into(&[5, 4], &[3, 4], STRIDE_COPY_ASSUME_DISTINCT), Ok(()));
    assert_eq!(into(&[2, 3], &[0, 1], STRIDE_COPY_ASSUME_DISTINCT), Ok(()));
    // Still in bounds: (5 - 1) * 30 = 120 lies outside 64 bytes.
    let outside = into(&[5, 4], &[30, 4], STRIDE_COPY_ASSUME_DISTINCT);
    assert_eq!(status(outside), Status::OutOfBounds.number());
}

#[test]
fn fill_of_an_overlapping_destination() {
    let mut memory = *b"........";
    fill(&layout(U8, &[3, 3], &[2, 1]), &mut memory, b"v").unwrap(); // 0 … 6
    assert_eq!(&memory, b"vvvvvvv.");
    fill(&layout(U8, &[2, 2], &[0, 3]), &mut memory, b"w").unwrap();
    assert_eq!(&memory, b"wvvwvvv.");
    assert_eq!(status(fill(&packed(U8, &[9]), &mut memory, b"x")), Status::OutOfBounds.number());
}

#[test]
fn options_are_checked() {
    let try_options = |change: fn(&mut stride_copy_options)| {
        let mut options = flags(0);
        change(&mut options);
        let e = plan(&options, &packed(U8, &[2]), &packed(U8, &[2])).err().expect("refused");
        (e.status, e.argument)
    };
    let refused = (Status::InvalidArgument.number(), Argument::Options.number());
    assert_eq!(try_options(|o| o.struct_size = 0), refused);
    assert_eq!(try_options(|o| o.struct_size -= 1), refused);
    assert_eq!(try_options(|o| o.flags = 1 << 31), refused);
    assert_eq!(try_options(|o| o.cpu_level = 1000), refused);
    assert_eq!(try_options(|o| o.reserved = 1), refused);
}

#[test]
fn parts_share_no_byte_and_make_the_whole() {
    let (dst, src) = (layout(U8, &[5, 7], &[9, 1]), layout(U8, &[5, 7], &[1, 5]));
    let source = counted(35);
    for options in [flags(0), fill_rest(b"\xFE")] {
        let prepared = plan(&options, &dst, &src).unwrap();
        let whole = |memory: &mut [u8]| execute_part(&prepared, memory, &source, 0, 1).unwrap();
        let mut expected = vec![0xFF; 48];
        whole(&mut expected);
        for parts in [1, 2, 3, 5, 8, 64, 1000] {
            if cfg!(miri) && parts > 5 {
                continue;
            }
            let mut writers = vec![0; 48];
            let mut joined = vec![0xFF; 48];
            for part in 0..parts {
                let mut memory = vec![0xFF; 48];
                execute_part(&prepared, &mut memory, &source, part, parts).unwrap();
                for (at, byte) in memory.into_iter().enumerate().filter(|&(_, byte)| byte != 0xFF) {
                    writers[at] += 1;
                    joined[at] = byte;
                }
            }
            assert_eq!(joined, expected, "{parts} parts");
            assert!(writers.iter().all(|&writers| writers <= 1), "{parts} parts: {writers:?}");
        }
        let mut memory = [0; 48];
        let none = execute_part(&prepared, &mut memory, &source, 0, 0);
        assert_eq!(reason(none), (Status::InvalidArgument.number(), Argument::Parts.number(), -1, 0, 1));
        let past = execute_part(&prepared, &mut memory, &source, 3, 3);
        assert_eq!(reason(past), (Status::InvalidArgument.number(), Argument::Part.number(), -1, 3, 3));
    }
}

/// What lies before, between and after rows is long enough for several parts, whose shares begin anywhere in the
/// value.
#[test]
fn parts_of_a_long_rest_go_on_with_the_value() {
    let value: [u8; 16] = std::array::from_fn(|k| 0xA0 + k as u8);
    let pitch = if cfg!(miri) { 3_000 } else { 20_000 };
    for width in [1, 2, 3, 5, 6, 12, 16, 24] {
        let dst = at(pitch, layout(bytes(width).unwrap(), &[2, 10], &[pitch, 1]));
        let src = packed(bytes(width).unwrap(), &[2, 10]);
        let width = width as usize;
        let source = vec![0; 20 * width];
        let prepared = plan(&fill_rest(&value), &dst, &src).unwrap();
        for parts in [1, 2, 3, 7] {
            let mut memory = vec![0xFF; 3 * pitch as usize * width + 5];
            for part in 0..parts {
                execute_part(&prepared, &mut memory, &source, part, parts).unwrap();
            }
            for (at, &byte) in memory.iter().enumerate() {
                let (row, place) = (at / width / pitch as usize, at / width % pitch as usize);
                let expected = if (1..3).contains(&row) && place < 10 { 0 } else { value[at % width % 16] };
                assert_eq!(byte, expected, "byte {at}, elements of {width}, {parts} parts");
            }
        }
    }
}

#[test]
fn a_plan_that_is_none_is_refused() {
    let blank = stride_plan { words: [0; 512] };
    let e = error(execute_part(&blank, &mut [0], &[0], 0, 1));
    assert_eq!((e.status, e.argument), (Status::InvalidArgument.number(), Argument::Plan.number()));
    let honest = plan(&flags(0), &packed(U8, &[2]), &packed(U8, &[2])).unwrap();
    for word in 0..4 {
        let mut forged = honest;
        forged.words[word] = u64::MAX;
        assert_eq!(status(execute_part(&forged, &mut [0; 2], &[0; 2], 0, 1)), Status::InvalidArgument.number());
    }
}

/// Any words of anybody: refused, or wrong bytes inside the buffer named.
#[test]
fn a_forged_plan_stays_inside_its_buffers() {
    let (dst, src) = (layout(U8, &[3, 3], &[4, 1]), layout(U8, &[3, 3], &[1, 4]));
    let honest = plan(&flags(0), &dst, &src).unwrap();
    let mut refused = 0;
    for word in 0..24 {
        for value in [0, 1, 2, 7, 1 << 32, 1 << 63, u64::MAX, u64::MAX - 3] {
            if cfg!(miri) && !(word as u64 ^ value).is_multiple_of(3) {
                continue;
            }
            for forged_word in [value, honest.words[word] ^ value, honest.words[word].wrapping_add(value)] {
                let mut forged = honest;
                forged.words[word] = forged_word;
                let mut memory = [b'.'; 64];
                let answer = execute_part(&forged, &mut memory[24..35], &counted(11), 0, 1);
                refused += usize::from(answer.is_err());
                let around = memory[..24].iter().chain(&memory[35..]);
                assert!(around.into_iter().all(|&byte| byte == b'.'), "word {word} = {forged_word:#x}");
            }
        }
    }
    assert!(refused > 0);
}

/// mlx#3836: the width of loop counters was chosen by the element count, which is 6 here; the reach is above 2^32.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))] // 4 GiB of untouched zeros cost nothing there
fn six_elements_more_than_4_gib_apart() {
    let far = 1i64 << 32;
    let mut memory = vec![0u8; far as usize + 256];
    let spread = layout(U8, &[2, 3], &[far, 100]);
    copy((&spread, &mut memory), (&packed(U8, &[2, 3]), b"abcdef")).unwrap();
    assert_eq!([0, 100, 200].map(|at| memory[at]), *b"abc");
    assert_eq!([0, 100, 200].map(|at| memory[far as usize + at]), *b"def");
    assert_eq!(gather(&spread, &memory), b"abcdef");
    assert_eq!(gather(&layout(F32, &[2], &[1 << 30]), &memory), *b"a\0\0\0d\0\0\0");
}

#[test]
fn the_first_difference_is_numbered_row_by_row() {
    let (rows, columns) = (packed(U8, &[2, 3]), layout(U8, &[2, 3], &[1, 2]));
    assert_eq!(compare((&rows, b"abcdef"), (&columns, b"adbecf")), Ok(-1));
    assert_eq!(compare((&rows, b"abcdef"), (&columns, b"aXbecX")), Ok(3));
    assert_eq!(compare((&rows, b"abcdef"), (&columns, b"adXecf")), Ok(1));
    assert_eq!(unravel(&rows, 3), Ok(vec![1, 0]));
    let empty = packed(U8, &[0]);
    assert_eq!(compare((&empty, b""), (&empty, b"")), Ok(-1));
    assert_eq!(status(compare((&rows, b"abcdef"), (&packed(U8, &[6]), b"abcdef"))), Status::ShapeMismatch.number());
}
