//! Strides: NULL, zero, negative; formats; bytes.

use super::*;

#[test]
fn null_is_packed() {
    let sizes = [2, 3, 4];
    assert!(equal(&packed(F32, &sizes), &layout(F32, &sizes, &[12, 4, 1])));
    let strided = |strides| dml_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, &[2, 3, 4], strides);
    assert_eq!((strided(None), strided(Some(&[12, 4, 1]))), (Ok(96), Ok(96)));
}

#[test]
fn zero_strides_are_sources_only() {
    let repeated = layout(U8, &[2, 3], &[0, 1]);
    assert_eq!(gather(&repeated, b"abc"), b"abcabc");
    let mut memory = *b"xxx";
    let refused = copy((&repeated, &mut memory), (&packed(U8, &[2, 3]), b"abcdef"));
    assert_eq!(reason(refused), (Status::Overlap.number(), Argument::DstLayout.number(), 0, 0, 2));
    assert_eq!(&memory, b"xxx");
    // Size 1: no second index, so nothing is refused.
    copy((&layout(U8, &[1, 3], &[0, 1]), &mut memory), (&packed(U8, &[1, 3]), b"abc")).unwrap();
    assert_eq!(&memory, b"abc");
}

#[test]
fn negative_strides_need_an_offset() {
    let backward = layout(U8, &[3], &[-1]);
    assert_eq!(span(&backward), Ok((-2, 0)));
    let below = (Status::OutOfBounds.number(), Argument::Layout.number(), -1, -2, 0);
    assert_eq!(reason(min_bytes(&backward)), below);
    let mut memory = *b"xxx";
    assert_eq!(
        reason(copy((&backward, &mut memory), (&packed(U8, &[3]), b"abc"))),
        (Status::OutOfBounds.number(), Argument::DstLayout.number(), -1, -2, 0)
    );
    assert_eq!(scatter(&at(2, backward), b"abc"), b"cba");
    assert_eq!(gather(&at(2, backward), b"abc"), b"cba");
    // For callers whose pointer is index (0, …, 0): the base moves down by two elements.
    let (rebased, shift) = rebase(&layout(F32, &[3], &[-1])).unwrap();
    assert_eq!((rebased.offset, shift, min_bytes(&rebased)), (2, -8, Ok(12)));
    // The byte of an element that begins in the middle of one, before the base too: nibble -3 is the second of
    // byte -2.
    let nibbles = layout(U4, &[4], &[-1]);
    assert_eq!(reason(min_bytes(&nibbles)), below);
    for (index, place) in [(0, (0, 0)), (1, (-1, 4)), (2, (-1, 0)), (3, (-2, 4))] {
        assert_eq!(byte_offset_of(&nibbles, &[index]), Ok(place));
    }
    assert_eq!(byte_offset_of(&layout(Dtype::U1.code(), &[4], &[-3]), &[3]), Ok((-2, 7)));
    // FFmpeg, OpenImageIO#4630, beutl#2074: an image stored from the bottom up.
    let image = flip(&packed(U8, &[3, 2]), &[0]).unwrap();
    assert_eq!(gather(&image, b"AABBCC"), b"CCBBAA");
}

#[test]
fn min_bytes_counts_the_highest_element_only() {
    // ceil((highest + 1) * bits / 8), by hand.
    for (dtype, sizes, strides, offset, bytes) in [
        (F32, vec![2, 3], vec![5, 1], 0, 32),  // highest 7
        (F32, vec![2, 3], vec![5, 1], 10, 72), // highest 17
        (F32, vec![2, 3], vec![-5, 1], 5, 32), // highest 7
        (F32, vec![4, 4], vec![0, 0], 3, 16),
        (U4, vec![2, 3], vec![3, 1], 0, 3), // 6 nibbles
        (U4, vec![3, 3], vec![3, 1], 0, 5), // 9 nibbles
        (U4, vec![3, 3], vec![4, 1], 0, 6), // 11 nibbles
        (Dtype::U2.code(), vec![5], vec![1], 0, 2),
        (Dtype::S1.code(), vec![17], vec![1], 0, 3),
        (Dtype::C128.code(), vec![2], vec![3], 0, 64),
        (bytes(12).unwrap(), vec![2, 2], vec![4, 1], 0, 72),
    ] {
        assert_eq!(min_bytes(&at(offset, layout(dtype, &sizes, &strides))), Ok(bytes), "{sizes:?} {strides:?}");
    }
    let round_up_to_4 = |sizes| dml_size(STRIDE_DML_TENSOR_DATA_TYPE_UINT8, sizes, None);
    assert_eq!((round_up_to_4(&[1]), round_up_to_4(&[4]), round_up_to_4(&[5])), (Ok(4), Ok(4), Ok(8)));
}

#[test]
fn rows_of_4_bits_share_bytes_unless_strides_say_otherwise() {
    let tight = packed(U4, &[2, 3]);
    assert_eq!(strides(&tight), [3, 1]);
    assert_eq!(byte_offset_of(&tight, &[1, 0]), Ok((1, 4)));
    assert_eq!(byte_offset_of(&tight, &[1, 2]), Ok((2, 4)));
    let aligned = pitched(U4, &[2, 3], 0, 2).unwrap();
    assert_eq!((strides(&aligned), byte_offset_of(&aligned, &[1, 0])), (&[4, 1][..], Ok((2, 0))));
    let size = |sizes, strides| dml_size(STRIDE_DML_TENSOR_DATA_TYPE_INT4, sizes, strides);
    assert_eq!((size(&[3, 3], None), size(&[3, 3], Some(&[4, 1])), size(&[1, 1], None)), (Ok(8), Ok(8), Ok(4)));
    assert_eq!(size(&[1, 17], None), Ok(12)); // 17 nibbles, 9 bytes
    // Two nibbles of one byte are two places.
    let every_other = |offset| at(offset, layout(U4, &[8], &[2]));
    assert_eq!(overlap((&every_other(0), 64), (&every_other(1), 64), 0), Ok(false));
    assert_eq!(overlap((&every_other(0), 64), (&every_other(1), 65), 0), Ok(false));
    assert_eq!(overlap((&every_other(0), 64), (&every_other(2), 64), 0), Ok(true));
    let mut memory = [0; 6];
    assert_eq!(copy((&aligned, &mut memory[..4]), (&tight, &[0x21, 0x43, 0x65])), Ok(()));
    assert_eq!(memory, [0x21, 0x03, 0x54, 0x06, 0, 0]);
    // XLA stores s4 one to a byte unless E(4) says otherwise.
    assert_eq!(byte_size(&parse("s4[2,3]").unwrap()), Ok(6));
    assert_eq!(byte_size(&parse("s4[3,3]{1,0:E(4)}").unwrap()), Ok(5));
    assert_eq!(from_xla(&parse("s4[3]").unwrap()).unwrap().dtype, Dtype::S8.code());
    assert_eq!(
        from_xla(&parse("s4[3]{0:E(4)}").unwrap()).unwrap().dtype,
        Dtype::S4.code() // the low bits first, as XLA has it since 2025
    );
}

/// pytorch#24090: N1HW and NC11 satisfy two formats at once, so all that hold are told.
#[test]
fn all_formats_that_hold() {
    for (sizes, strides, expected) in [
        (vec![2, 3, 4, 5], vec![60, 20, 5, 1], PACKED | DENSE),
        (vec![2, 3, 4, 5], vec![60, 1, 15, 3], CHANNELS_LAST | DENSE),
        (vec![2, 1, 4, 5], vec![20, 20, 5, 1], PACKED | DENSE | CHANNELS_LAST),
        (vec![2, 1, 4, 5], vec![20, 1, 5, 1], PACKED | DENSE | CHANNELS_LAST),
        (vec![2, 3, 1, 1], vec![3, 1, 1, 1], PACKED | DENSE | CHANNELS_LAST),
        (vec![2, 3, 1, 1], vec![3, 1, 3, 3], PACKED | DENSE | CHANNELS_LAST),
        (vec![1, 1, 1, 1], vec![0, 0, 0, 0], PACKED | COLUMN_MAJOR | DENSE | CHANNELS_LAST),
        (vec![2, 3, 4, 5, 6], vec![360, 1, 90, 18, 3], CHANNELS_LAST | DENSE),
        (vec![2, 3, 4], vec![12, 1, 3], DENSE), // PyTorch's rule is for rank 4 and 5
        (vec![7], vec![1], PACKED | COLUMN_MAJOR | DENSE),
        (vec![7], vec![-1], DENSE),
        (vec![7], vec![2], 0),
        (vec![7], vec![0], 0),
        (vec![2, 3], vec![-3, -1], DENSE),
        (vec![2, 3, 4, 5], vec![64, 1, 15, 3], 0), // padded batches
    ] {
        let found = at(11, layout(F32, &sizes, &strides));
        assert_eq!(formats(&found), Ok(expected), "{sizes:?} {strides:?}");
    }
}

/// DirectMLX, TensorPolicy::InterleavedChannel: {1} for rank 1, {C, 1} for rank 2, else the channel has 1, the last
/// spatial dimension C, each outer one the product, the batch the product of the rest.
#[test]
fn interleaved_channels() {
    let interleaved = |sizes: &[i64]| strides(&channels_last(F32, sizes).unwrap()).to_vec();
    assert_eq!(interleaved(&[7]), [1]);
    assert_eq!(interleaved(&[4, 5]), [5, 1]);
    assert_eq!(interleaved(&[2, 3, 4]), [12, 1, 3]);
    assert_eq!(interleaved(&[2, 3, 4, 5]), [60, 1, 15, 3]);
    assert_eq!(interleaved(&[2, 3, 4, 5, 6]), [360, 1, 90, 18, 3]);
    assert_eq!(interleaved(&[1, 3, 1, 1]), [3, 1, 3, 3]); // size-1 dimensions: natural
    // DirectMLX multiplies in 32 bits: 2 * 65536 * 65536 becomes 0 there. A descriptor has no room for it.
    let long = channels_last(F32, &[2, 2, 65536, 65536]).unwrap();
    let limit = u32::MAX as i64;
    assert_eq!(reason(to_dml(&long)), (Status::InvalidStride.number(), Argument::Layout.number(), 0, 1 << 33, limit));
}
