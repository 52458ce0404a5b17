//! The rules for edge cases, one after the other, and the bugs of other libraries that they prevent.
//!
//! Expected numbers come from the documentation of the source named beside them, or are computed by hand there.

#[macro_use]
mod common;

use common::*;
use std::slice::from_ref;

const U4: u32 = Dtype::U4.code();
const U8: u32 = Dtype::U8.code();
const F32: u32 = Dtype::F32.code();
const PACKED: u32 = STRIDE_FORMAT_PACKED;
const COLUMN_MAJOR: u32 = STRIDE_FORMAT_COLUMN_MAJOR;
const DENSE: u32 = STRIDE_FORMAT_DENSE;
const CHANNELS_LAST: u32 = STRIDE_FORMAT_CHANNELS_LAST;

fn counted(count: usize) -> Vec<u8> {
    (0..count).map(|k| k as u8).collect()
}

/// Rank 0, empty layouts, dimensions of size 1: looked at in this order before everything else.
mod degenerate {
    use super::*;

    #[test]
    fn rank_0_is_one_element() {
        let scalar = packed(F32, &[]);
        assert_eq!((element_count(&scalar), span(&scalar), min_bytes(&scalar)), (Ok(1), Ok((0, 0)), Ok(4)));
        assert_eq!(formats(&scalar), Ok(PACKED | COLUMN_MAJOR | DENSE));
        assert_eq!(offset_of(&at(7, scalar), &[]), Ok(7));
        assert_eq!((ravel(&scalar, &[]), unravel(&scalar, 0)), (Ok(0), Ok(vec![])));
        assert_eq!(status(unravel(&scalar, 1)), Status::IndexOutOfRange.number());
        assert_eq!(self_overlap(&scalar, 0), Ok(false));
        assert_eq!(minor_to_major(&scalar), Ok(vec![]));
        assert_eq!(fields(&permute(&scalar, &[]).unwrap()), (vec![], vec![], 0));
        assert_eq!(sizes(&expand_dims(&scalar, &[0, 1]).unwrap()), [1, 1]);
        assert_eq!(gather(&at(1, scalar), &[1, 2, 3, 4, 5, 6, 7, 8]), [5, 6, 7, 8]);
        let shape = parse("f32[]").unwrap();
        assert_eq!(
            (byte_size(&shape), linear_index(&shape, &[]), shape_text(&shape).unwrap().as_str()),
            (Ok(4), Ok(0), "f32[]")
        );
    }

    /// DMLCalcBufferTensorSize reads sizes[0] of a tensor without dimensions; its strided path gives one element.
    #[test]
    fn rank_0_of_directml() {
        assert_eq!(dml_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT64, &[], None), Ok(8));
        assert_eq!(dml_size(STRIDE_DML_TENSOR_DATA_TYPE_UINT8, &[], Some(&[])), Ok(4));
        let refused = dml_validate(&tensor(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, &[], None));
        assert_eq!(reason(refused), (Status::InvalidRank.number(), Argument::DimensionCount.number(), -1, 0, 1));
    }

    #[test]
    fn empty_reaches_nothing() {
        for (sizes, strides) in
            [(vec![0], vec![1]), (vec![3, 0, 2], vec![7, -7, i64::MAX]), (vec![1 << 62, 0, 9], vec![i64::MIN, 0, 1])]
        {
            // The offset does not matter either: nothing is there.
            for offset in [0, -5, i64::MAX, i64::MIN] {
                let empty = at(offset, layout(F32, &sizes, &strides));
                assert_eq!(validate(&empty), Ok(()), "{sizes:?}");
                assert_eq!((element_count(&empty), span(&empty), min_bytes(&empty)), (Ok(0), Ok((0, -1)), Ok(0)));
                assert_eq!(formats(&empty), Ok(PACKED | COLUMN_MAJOR | DENSE));
                assert_eq!(self_overlap(&empty, 0), Ok(false));
                assert_eq!(overlap((&empty, 0), (&empty, 0), 0), Ok(false));
                assert_eq!(status(unravel(&empty, 0)), Status::IndexOutOfRange.number());
                let default = flags(0);
                assert_eq!(copy_nothing(&default, &empty, &empty), Ok(()), "null pointers are fine");
                assert_eq!(rebase(&empty).unwrap().1, 0);
            }
        }
    }

    #[test]
    fn packed_strides_of_empty_are_0() {
        // NumPy 2.4 has 0 for all, PyTorch products with max(size, 1), Arrow the item size: this library follows NumPy.
        assert_eq!(strides(&packed(F32, &[2, 0, 3])), [0, 0, 0]);
        assert_eq!(strides(&channels_last(F32, &[1, 2, 0, 3]).unwrap()), [0, 0, 0, 0]);
        assert_eq!(strides(&ordered(F32, &[0, 3], &[0, 1]).unwrap()), [0, 0]);
        assert_eq!(strides(&packed(F32, &[1 << 40, 1 << 40, 0])), [0, 0, 0]);
    }

    /// A strided {0,5} wraps to 16 GiB in DMLCalcBufferTensorSize: (0 - 1) is 2^32 - 1 there.
    #[test]
    fn empty_takes_0_bytes_but_directml_forbids_it() {
        let data_type = STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32;
        assert_eq!(dml_size(data_type, &[0, 5], Some(&[5, 1])), Ok(0));
        assert_eq!(dml_size(data_type, &[0, 5], None), Ok(0));
        assert_eq!(dml_size(data_type, &[u32::MAX, u32::MAX, u32::MAX, 0], None), Ok(0));
        let empty = tensor(data_type, &[3, 0, 5], Some(&[5, 5, 1]));
        assert_eq!(reason(dml_validate(&empty)), (Status::InvalidSize.number(), Argument::Sizes.number(), 1, 0, 1));
        assert_eq!(element_count(&from_dml(&empty).unwrap()), Ok(0));
    }

    #[test]
    fn a_slice_that_becomes_empty_keeps_its_offset() {
        let matrix = at(3, layout(F32, &[4, 5], &[5, 1]));
        let cut = slice(&matrix, Some(&[2, 4]), Some(&[4, 4]), None).unwrap();
        assert_eq!((sizes(&cut), cut.offset), (&[2, 0][..], 3));
        let cut = slice(&matrix, Some(&[3, 0]), Some(&[1, 5]), None).unwrap();
        assert_eq!((sizes(&cut), cut.offset), (&[0, 5][..], 3));
        assert_eq!(crop(&matrix, &[4, 5], &[0, 0]).unwrap().offset, 3);
        assert_eq!(diagonal(&matrix, 5, 0, 1).unwrap().offset, 3);
    }

    #[test]
    fn zero_wins_over_overflow() {
        assert_eq!(element_count(&packed(F32, &[1 << 40, 1 << 40, 0])), Ok(0));
        assert_eq!(broadcast_sizes(&[&[1 << 40, 1, 0], &[1, 1 << 40, 1]]), Ok(vec![1 << 40, 1 << 40, 0]));
        assert_eq!(byte_size(&parse("f32[1099511627776,1099511627776,0]").unwrap()), Ok(0));
        // A negative size is wrong even so.
        assert_eq!(
            reason(init(F32, &[0, -1], None)),
            (Status::InvalidSize.number(), Argument::Sizes.number(), 1, -1, 0)
        );
    }

    /// Contiguity checks that look at the stride of a size-1 dimension: burn#5738, llama.cpp#7856, ggml#934, tvm#13121,
    /// rten#292, candle#1991, pytorch#82610, numpy#22950 and more.
    #[test]
    fn strides_of_size_1_say_nothing() {
        let plain = packed(F32, &[1, 3, 1, 4]);
        for wild in [0, -1, 1, 77, i64::MAX, i64::MIN] {
            let scrambled = layout(F32, &[1, 3, 1, 4], &[wild, 4, wild, 1]);
            assert_eq!(strides(&scrambled), [wild, 4, wild, 1], "kept as given");
            assert_eq!(formats(&scrambled), formats(&plain));
            assert_eq!((span(&scrambled), min_bytes(&scrambled)), (Ok((0, 11)), Ok(48)));
            assert_eq!(self_overlap(&scrambled, 0), Ok(false));
            assert_eq!(minor_to_major(&scrambled), minor_to_major(&plain));
            assert_eq!(fields(&reshape(&scrambled, &[12]).unwrap()), (vec![12], vec![1], 0));
            assert_eq!(fields(&squeeze_all(&scrambled).unwrap()), (vec![3, 4], vec![4, 1], 0));
            assert_eq!(strides(&broadcast_to(&scrambled, &[2, 3, 5, 4]).unwrap()), [0, 4, 0, 1]);
            assert_eq!(flip(&scrambled, &[0, 2]).unwrap().offset, 0);
            assert!(same_mapping(&scrambled, &plain));
            assert!(!equal(&scrambled, &plain), "not field by field: {wild}");
            let memory = counted(48);
            assert_eq!(gather(&scrambled, &memory), memory);
            assert_eq!(scatter(&scrambled, &memory), memory);
        }
    }

    #[test]
    fn canonical_strides_of_size_1() {
        let given = layout(F32, &[1, 3, 1, 4, 1], &[9, 4, 9, 1, 9]);
        for (rule, expected) in [
            (STRIDE_SIZE_ONE_KEEP, [9, 4, 9, 1, 9]),
            (STRIDE_SIZE_ONE_NATURAL, [12, 4, 4, 1, 1]),
            (STRIDE_SIZE_ONE_ONE, [1, 4, 1, 1, 1]),
            (STRIDE_SIZE_ONE_ZERO, [0, 4, 0, 1, 0]),
        ] {
            assert_eq!(strides(&canonical(&given, rule).unwrap()), expected);
        }
        assert_eq!(reason(canonical(&given, 4)).0, Status::InvalidArgument.number());
    }

    /// Downward a layout reaches as far as 64 bits count elements, further than they count bytes.
    #[test]
    fn bytes_that_no_number_says() {
        let below = |dtype: u32, stride: i64| layout(dtype, &[2], &[stride]);
        let mut bytes = [POISON; 1];
        let answer = call!(stride_layout_byte_strides, &below(F32, -1 << 62), 1, bytes.as_mut_ptr());
        let found = (reason(answer), bytes[0]);
        assert_eq!(found, ((Status::Overflow.number(), Argument::Layout.number(), 0, -1 << 62, 4), POISON));
        call!(stride_layout_byte_strides, &below(F32, -1 << 61), 1, bytes.as_mut_ptr()).unwrap();
        assert_eq!(bytes, [i64::MIN]);
        let far = reason(rebase(&layout(U8, &[3], &[-1 << 59])));
        assert_eq!((far.0, far.1), (Status::Overflow.number(), Argument::Layout.number()));
        // The record counts the dimensions of the whole.
        let joined = reason(merge(&layout(U8, &[0, 1 << 40, 1 << 40], &[0, 0, 0]), 1, 2));
        assert_eq!((joined.0, joined.1, joined.2), (Status::Overflow.number(), Argument::Layout.number(), 2));
    }

    /// numpy#20336: strides of size-1 dimensions that are no multiple of the item size must not matter.
    #[test]
    fn odd_byte_strides_of_size_1() {
        assert_eq!(strides(&byte_strided(F32, &[1, 3], &[7, 4]).unwrap()), [0, 1]);
        assert_eq!(strides(&byte_strided(F32, &[0, 3], &[7, 5]).unwrap()), [0, 0]);
        assert_eq!(strides(&byte_strided(F32, &[2, 3], &[-12, 4]).unwrap()), [-3, 1]);
        let refused = byte_strided(F32, &[1, 3], &[7, 5]);
        assert_eq!(reason(refused), (Status::InvalidStride.number(), Argument::ByteStrides.number(), 1, 5, 4));
    }

    /// The cases of jax#25066: strides alone do not order dimensions of size 1; the rule does.
    #[test]
    fn order_of_size_1_dimensions() {
        let order = |sizes: &[i64], strides: &[i64]| minor_to_major(&layout(F32, sizes, strides));
        // Just major to the next dimension of size > 1 on the right; whatever the strides say.
        for wild in [0, 1, 3, 100] {
            assert_eq!(order(&[2, 1, 3], &[3, wild, 1]), Ok(vec![2, 1, 0]));
            assert_eq!(order(&[2, 1, 3], &[1, wild, 2]), Ok(vec![0, 2, 1]));
            assert_eq!(order(&[3, 1], &[1, wild]), Ok(vec![1, 0]), "trailing: the most minor");
            assert_eq!(order(&[1, 3], &[wild, 1]), Ok(vec![1, 0]));
            assert_eq!(order(&[1, 1, 1], &[wild, wild, wild]), Ok(vec![2, 1, 0]));
        }
        assert_eq!(order(&[2, 3], &[1, 2]), Ok(vec![0, 1]));
        assert_eq!(order(&[0, 3], &[1, 2]), Ok(vec![1, 0]), "an empty layout is row-major");
        // [2,1,3] with strides [5,5,1]: XLA's DLPack import takes it for dense, though there are gaps.
        for strides in [[5, 5, 1], [3, 0, -1], [0, 0, 1], [1, 1, 1]] {
            assert_eq!(status(order(&[2, 1, 3], &strides)), Status::NotRepresentable.number(), "{strides:?}");
        }
        assert_eq!(
            reason(order(&[2, 3], &[5, 1])),
            (Status::NotRepresentable.number(), Argument::Layout.number(), 0, 5, 3)
        );
    }
}

/// Strides: NULL, zero, negative; formats; bytes.
mod strides_and_bytes {
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
        // The byte of an element that begins in the middle of one, in front of the base too: nibble -3 is the second of byte -2.
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
        assert_eq!(interleaved(&[7]), Ok(vec![1]));
        assert_eq!(interleaved(&[4, 5]), Ok(vec![5, 1]));
        assert_eq!(interleaved(&[2, 3, 4]), Ok(vec![12, 1, 3]));
        assert_eq!(interleaved(&[2, 3, 4, 5]), Ok(vec![60, 1, 15, 3]));
        assert_eq!(interleaved(&[2, 3, 4, 5, 6]), Ok(vec![360, 1, 90, 18, 3]));
        assert_eq!(interleaved(&[1, 3, 1, 1]), Ok(vec![3, 1, 3, 3])); // size-1 dimensions: natural
        assert_eq!(strides(&channels_last(F32, &[2, 3, 4, 5]).unwrap()), [60, 1, 15, 3]);
        // DirectMLX multiplies in 32 bits: 2 * 65536 * 65536 becomes 0 there.
        let refused = interleaved(&[2, 2, 65536, 65536]);
        let limit = u32::MAX as i64;
        assert_eq!(reason(refused), (Status::InvalidStride.number(), Argument::Strides.number(), 0, 1 << 33, limit));
    }
}

/// I1 to I5, met exactly.
mod limits {
    use super::*;

    #[test]
    fn i1_rank() {
        let ones = [1i64; 65];
        assert_eq!(element_count(&packed(F32, &ones[..64])), Ok(1));
        assert_eq!(reason(init(F32, &ones, None)), (Status::InvalidRank.number(), Argument::Rank.number(), -1, 65, 64));
        let forged = stride_layout { rank: u32::MAX, ..packed(F32, &[1]) };
        assert_eq!(reason(validate(&forged)).0, Status::InvalidRank.number());
        let full = packed(F32, &ones[..64]);
        assert_eq!(status(expand_dims(&full, &[0])), Status::InvalidRank.number());
        assert_eq!(status(split(&full, 0, &[1, 1])), Status::InvalidRank.number());
        assert_eq!(status(reshape(&full, &ones)), Status::InvalidRank.number());
        assert_eq!(squeeze_all(&full).unwrap().rank, 0);
    }

    #[test]
    fn i2_sizes() {
        assert_eq!(
            reason(init(F32, &[2, -3], Some(&[1, 1]))),
            (Status::InvalidSize.number(), Argument::Sizes.number(), 1, -3, 0)
        );
        let mut forged = packed(F32, &[2, 3]);
        forged.sizes[0] = i64::MIN;
        assert_eq!(
            reason(element_count(&forged)),
            (Status::InvalidSize.number(), Argument::Layout.number(), 0, i64::MIN, 0)
        );
    }

    #[test]
    fn i3_element_count() {
        // 2^63 - 1 = 7 * 1317624576693539401.
        let most = layout(F32, &[7, 1_317_624_576_693_539_401], &[0, 0]);
        assert_eq!((element_count(&most), min_bytes(&most)), (Ok(i64::MAX), Ok(4)));
        assert_eq!(unravel(&most, i64::MAX - 1), Ok(vec![6, 1_317_624_576_693_539_400]));
        assert_eq!(ravel(&most, &[6, 1_317_624_576_693_539_400]), Ok(i64::MAX - 1));
        let one_more = init(F32, &[1 << 62, 2], Some(&[0, 0]));
        assert_eq!(reason(one_more), (Status::Overflow.number(), Argument::Sizes.number(), 1, 1 << 62, 2));
        let square = broadcast_sizes(&[&[1 << 32, 1], &[1, 1 << 32]]);
        assert_eq!(reason(square).0, Status::Overflow.number());
        assert_eq!(reason(broadcast_to(&packed(F32, &[]), &[1 << 32, 1 << 31])).0, Status::Overflow.number());
    }

    #[test]
    fn i4_reach() {
        // (highest + 1) * bits <= 2^63 - 1: at most 2^60 - 1 bytes, 2^58 - 1 floats, 2^61 - 1 nibbles, 2^63 - 1 bits.
        for (dtype, most, bytes) in [
            (U8, (1i64 << 60) - 1, (1u64 << 60) - 1),
            (F32, (1 << 58) - 1, (1 << 60) - 4),
            (U4, (1 << 61) - 1, 1 << 60),
            (Dtype::U1.code(), i64::MAX, 1 << 60),
        ] {
            assert_eq!(min_bytes(&packed(dtype, &[most])), Ok(bytes));
            assert_eq!(min_bytes(&layout(dtype, &[2], &[most - 1])), Ok(bytes));
            let scalar = packed(dtype, &[]);
            assert_eq!(min_bytes(&at(most - 1, scalar)), Ok(bytes));
            assert_eq!(status(validate(&at(most, scalar))), Status::Overflow.number());
            assert_eq!(status(init(dtype, &[2], Some(&[most]))), Status::Overflow.number());
            if most < i64::MAX {
                assert_eq!(status(init(dtype, &[most + 1], None)), Status::Overflow.number());
            }
        }
        // Downward too: lowest, highest and (highest + 1) * bits fit, so index 0 may lie at -2^63 bits and no lower.
        assert_eq!(span(&at(-(1 << 60) - 1, packed(U8, &[]))), Ok((-(1 << 60) - 1, -(1 << 60) - 1)));
        assert_eq!(status(validate(&at(-(1 << 60) - 2, packed(U8, &[])))), Status::Overflow.number());
        assert_eq!(span(&layout(U8, &[3], &[i64::MIN / 2])), Ok((i64::MIN, 0)));
        let lower = init(U8, &[3], Some(&[i64::MIN / 2 - 1]));
        assert_eq!(reason(lower), (Status::Overflow.number(), Argument::Strides.number(), 0, 3, i64::MIN / 2 - 1));
        // A sum that leaves the range names the dimension with which it does.
        let both = init(U8, &[2, 2], Some(&[i64::MAX, i64::MAX]));
        assert_eq!(reason(both), (Status::Overflow.number(), Argument::Strides.number(), 1, 2, i64::MAX));
    }

    #[test]
    fn i5_dtype() {
        for wrong in [0, 13, 14, 17, 34, 63, 64, 255, STRIDE_DTYPE_BYTES, F32 | STRIDE_DTYPE_HIGH_FIRST, 1 << 29] {
            assert_eq!(status(init(wrong, &[2], None)), Status::InvalidDtype.number(), "{wrong:#x}");
        }
        assert_eq!(status(bytes(0)), Status::InvalidDtype.number());
        assert_eq!(status(bytes(1 << 24)), Status::InvalidDtype.number());
        assert_eq!(bytes((1 << 24) - 1), Ok(0x80FF_FFFF));
    }

    /// DMLCalcBufferTensorSize adds in 32 bits: {3,2} with strides {2^31,1} of float32 is 8 bytes there. By hand: the
    /// highest element is 2 * 2^31 + 1, so (2^32 + 2) * 4 = 17179869192 bytes.
    #[test]
    fn directml_reach_above_32_bits() {
        let size = |sizes, strides| dml_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, sizes, strides);
        assert_eq!(size(&[3, 2], Some(&[1 << 31, 1])), Ok(17_179_869_192));
        assert_eq!(size(&[1 << 31, 2], None), Ok(1 << 34));
        // Overflow is 0 and a status, never a wrapped number: 2^64 elements; 2^67 bits.
        assert_eq!(status(size(&[1 << 31, 1 << 31, 4], None)), Status::Overflow.number());
        assert_eq!(status(size(&[1 << 31, 1 << 31], None)), Status::Overflow.number());
        assert_eq!(status(size(&[u32::MAX; 8], Some(&[u32::MAX; 8]))), Status::Overflow.number());
        // (2^32 - 2) * (2^32 - 1) + 1 bytes are more than 2^60; (2^28 - 1) * (2^32 - 1) + 1 = 1152921500043444226 are
        // not, and the next multiple of 4 is 1152921500043444228.
        let bytes = |sizes: &[u32]| dml_size(STRIDE_DML_TENSOR_DATA_TYPE_UINT8, sizes, Some(&[u32::MAX]));
        assert_eq!(status(bytes(&[u32::MAX])), Status::Overflow.number());
        assert_eq!(bytes(&[1 << 28]), Ok(1_152_921_500_043_444_228));
        for unknown in [0, 14, u32::MAX] {
            let e = error(dml_size(unknown, &[1], None));
            assert_eq!((e.status, e.argument), (Status::InvalidDtype.number(), Argument::DataType.number()));
        }
    }
}

/// Two indices, one element; two layouts, one byte.
mod overlaps {
    use super::*;

    /// NumPy, numpy/_core/src/common/mem_overlap.c: internal overlap.
    #[test]
    fn inside_one_layout() {
        let overlaps = |sizes: &[i64], strides: &[i64]| self_overlap(&layout(U8, sizes, strides), 0);
        assert_eq!(overlaps(&[4, 4], &[3, 4]), Ok(false)); // unique, though not nested
        assert_eq!(overlaps(&[5, 4], &[3, 4]), Ok(true)); // 4 * 3 = 3 * 4
        assert_eq!(overlaps(&[4, 5], &[3, 4]), Ok(false)); // 4 * 3 = 12 would need index 4 of a size of 4
        assert_eq!(overlaps(&[2, 2], &[1, 1]), Ok(true));
        assert_eq!(overlaps(&[2, 2], &[1, -1]), Ok(true)); // (0,0) and (1,1)
        assert_eq!(overlaps(&[3, 4], &[4, 1]), Ok(false));
        assert_eq!(overlaps(&[3, 4], &[3, 1]), Ok(true)); // (0,3) and (1,0)
        assert_eq!(overlaps(&[8, 3], &[1, 1]), Ok(true)); // a sliding window
        assert_eq!(overlaps(&[1, 1], &[0, 0]), Ok(false));
        assert_eq!(overlaps(&[2], &[0]), Ok(true));
    }

    #[test]
    fn between_two() {
        let channel = layout(U8, &[5, 7], &[21, 3]);
        for (shift, shared) in [(0, true), (1, false), (2, false), (3, true), (21, true), (104, false), (105, false)] {
            // 4 * 21 + 6 * 3 = 102 is the last byte of either; 102 + 2 = 104 lies behind it.
            assert_eq!(overlap((&channel, 1000), (&channel, 1000 + shift), 0), Ok(shared), "{shift}");
            assert_eq!(overlap((&channel, 1000 + shift), (&channel, 1000), 0), Ok(shared), "{shift}");
        }
        let floats = layout(F32, &[4], &[2]); // bytes 0-3, 8-11, 16-19, 24-27
        for (byte, shared) in [(3, true), (4, false), (7, false), (8, true), (27, true), (28, false)] {
            assert_eq!(overlap((&floats, 0), (&packed(U8, &[]), byte), 0), Ok(shared), "byte {byte}");
        }
        assert_eq!(overlap((&floats, 0), (&floats, u64::MAX - 64), 0), Ok(false));
    }

    #[test]
    fn unknown_is_an_answer() {
        // Subset sums of 24 numbers just above 2^20: not within one step.
        let strides: Vec<i64> = (0..24).map(|k| (1 << 20) + k * k * 97 + k * 13 + 1).collect();
        let hard = layout(U8, &[2; 24], &strides);
        let e = error(self_overlap(&hard, 1));
        assert_eq!((e.status, e.lhs), (Status::Undecided.number(), 1));
        let mut options = flags(0);
        options.overlap_budget = 1;
        assert_eq!(status(plan(&options, &hard, &packed(U8, &[2; 24]))), Status::Undecided.number());
        options.flags = STRIDE_COPY_ASSUME_DISTINCT;
        assert_eq!(status(plan(&options, &hard, &packed(U8, &[2; 24]))), Status::Ok.number());
    }

    /// 62 loops of 2 on each side, all of different strides: the longest equation that there is. What is reached is a set of
    /// subset sums, found by adding one loop after the other.
    #[test]
    #[cfg_attr(miri, ignore = "a long search")]
    fn as_many_loops_as_fit() {
        let strides = |first: i64, step: i64| (0..62).map(|k| first + step * k).collect::<Vec<i64>>();
        // All multiples of 5 but one: what the others leave open is its remainder.
        let (a, mut b) = (strides(1_000, 35), strides(1_005, 40));
        b[61] = 3; // (1 would be a run of two bytes)
        let sums = |strides: &[i64]| {
            let mut reached = vec![false; 1 + strides.iter().sum::<i64>() as usize];
            reached[0] = true;
            for &stride in strides {
                for place in (stride as usize..reached.len()).rev() {
                    reached[place] |= reached[place - stride as usize];
                }
            }
            reached
        };
        let (of_a, of_b) = (sums(&a), sums(&b));
        let (lhs, rhs) = (layout(U8, &[2; 62], &a), layout(U8, &[2; 62], &b));
        let (mut yes, mut no, mut open) = (0, 0, 0);
        for shift in (0..of_a.len() as u64).step_by(977) {
            let expected = of_b.iter().enumerate().any(|(at, &is)| is && of_a.get(at + shift as usize) == Some(&true));
            match overlap((&lhs, 0), (&rhs, shift), 1 << 16) {
                Ok(answer) => {
                    assert_eq!(answer, expected, "shift {shift}");
                    if answer { yes += 1 } else { no += 1 }
                }
                Err(e) => {
                    assert_eq!((e.status, e.lhs), (Status::Undecided.number(), 1 << 16), "shift {shift}");
                    open += 1;
                }
            }
        }
        assert!(yes > 30 && no > 2 && open > 0, "{yes} {no} {open}");
    }
}

/// Copies: dtypes, lengths, overlap, flags, parts.
mod copies {
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
        assert_eq!(sentence(&e), "src_layout, dimension 2: size 5 must be 7");
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
        let (source, mut turned): (Vec<u8>, _) = ((0..m * n).map(|k| (k % 251) as u8).collect(), vec![0; 13_000]);
        copy_with(&flags(STRIDE_COPY_SMALL_STACK), (&rows, &mut turned), (&columns, &source)).unwrap();
        assert!((0..m * n).all(|k| turned[k as usize] == source[(k / n + k % n * m) as usize]));
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
}

/// NumPy's broadcasting and DirectML's, next to XLA's, which `seed_pages.rs` has.
mod broadcasting {
    use super::*;

    /// numpy.org, "Broadcasting": every example of the page.
    #[test]
    fn examples_of_numpy() {
        for (shapes, result) in [
            (vec![&[256, 256, 3][..], &[3]], vec![256, 256, 3]),
            (vec![&[8, 1, 6, 1], &[7, 1, 5]], vec![8, 7, 6, 5]),
            (vec![&[5, 4], &[1]], vec![5, 4]),
            (vec![&[5, 4], &[4]], vec![5, 4]),
            (vec![&[15, 3, 5], &[15, 1, 5]], vec![15, 3, 5]),
            (vec![&[15, 3, 5], &[3, 5]], vec![15, 3, 5]),
            (vec![&[15, 3, 5], &[3, 1]], vec![15, 3, 5]),
            (vec![&[4, 1], &[3]], vec![4, 3]),
            // numpy.broadcast_shapes
            (vec![&[1, 2], &[3, 1], &[3, 2]], vec![3, 2]),
            (vec![&[6, 7], &[5, 6, 1], &[7], &[5, 1, 7]], vec![5, 6, 7]),
        ] {
            assert_eq!(broadcast_sizes(&shapes).unwrap(), result, "{shapes:?}");
            let layouts: Vec<_> = shapes.iter().map(|sizes| packed(F32, sizes)).collect();
            for view in broadcast_layouts(&layouts).unwrap() {
                assert_eq!(sizes(&view), result);
            }
        }
        let mismatch = |shapes: &[&[i64]]| {
            let e = error(broadcast_sizes(shapes));
            (e.status, e.item, e.dimension, e.lhs, e.rhs)
        };
        let status = Status::BroadcastMismatch.number();
        assert_eq!(mismatch(&[&[3], &[4]]), (status, 1, 0, 3, 4)); // "trailing dimensions do not match"
        assert_eq!(mismatch(&[&[2, 1], &[8, 4, 3]]), (status, 1, 1, 2, 4)); // "second from last dimensions mismatched"
    }

    #[test]
    fn degenerate_operands() {
        assert_eq!(broadcast_sizes(&[]), Ok(vec![]), "zero operands: rank 0");
        assert_eq!(broadcast_layouts(&[]).unwrap().len(), 0);
        assert_eq!(broadcast_sizes(&[&[]]), Ok(vec![]));
        assert_eq!(broadcast_sizes(&[&[1], &[0]]), Ok(vec![0]), "1 stretches, also to 0");
        assert_eq!(broadcast_sizes(&[&[3, 1], &[0]]), Ok(vec![3, 0]));
        let e = error(broadcast_sizes(&[&[0], &[3]]));
        assert_eq!((e.status, e.lhs, e.rhs), (Status::BroadcastMismatch.number(), 0, 3), "0 against k > 1");
        let e = error(broadcast_sizes(&[&[2], &[3, -1]]));
        assert_eq!((e.status, e.item, e.dimension), (Status::InvalidSize.number(), 1, 1));
        // dtypes do not matter, nor offsets and signs.
        let mirrored = at(8, layout(Dtype::U16.code(), &[3, 1], &[-4, 9]));
        let views = broadcast_layouts(&[mirrored, packed(F32, &[2, 1, 5])]).unwrap();
        assert_eq!(fields(&views[0]), (vec![2, 3, 5], vec![0, -4, 0], 8));
        assert_eq!(fields(&views[1]), (vec![2, 3, 5], vec![5, 0, 1], 0));
        assert_eq!((views[0].dtype, views[1].dtype), (Dtype::U16.code(), F32));
    }

    /// numpy.broadcast_to.
    #[test]
    fn to_given_sizes() {
        let row = packed(U8, &[3]);
        assert_eq!(fields(&broadcast_to(&row, &[3, 3]).unwrap()), (vec![3, 3], vec![0, 1], 0));
        assert_eq!(gather(&broadcast_to(&row, &[3, 3]).unwrap(), &[1, 2, 3]), [1, 2, 3, 1, 2, 3, 1, 2, 3]);
        assert_eq!(fields(&broadcast_to(&packed(U8, &[1]), &[0]).unwrap()), (vec![0], vec![0], 0));
        assert_eq!(status(broadcast_to(&packed(U8, &[1, 3]), &[3])), Status::InvalidRank.number(), "never shrinks");
        let e = error(broadcast_to(&row, &[3, 1]));
        assert_eq!((e.status, e.dimension, e.lhs, e.rhs), (Status::BroadcastMismatch.number(), 1, 3, 1));
    }

    /// XLA, shape_inference.cc: what the page does not show.
    #[test]
    fn of_as_many_dimensions_as_there_are() {
        let mut long = [1i64; 64];
        (long[0], long[40], long[63]) = (2, 3, 5);
        let row = packed(F32, &[5]);
        assert_eq!(broadcast_sizes(&[&long, &[5]]).unwrap(), long);
        let wide = broadcast_to(&row, &long).unwrap();
        assert_eq!((sizes(&wide), &strides(&wide)[..63], strides(&wide)[63]), (&long[..], &[0; 63][..], 1));
        let all = broadcast_layouts(&[row, packed(F32, &long)]).unwrap();
        assert_eq!(fields(&all[0]), fields(&wide));
        let placed = broadcast_in_dim(&packed(F32, &[3]), &long, &[40]).unwrap();
        assert_eq!((sizes(&placed), strides(&placed)[40], strides(&placed)[63]), (&long[..], 1, 0));
        let every: Vec<i64> = (0..64).collect();
        let same = broadcast_in_dim(&packed(F32, &long), &long, &every).unwrap();
        assert_eq!(fields(&same), fields(&packed(F32, &long)));
        let (lhs, rhs) = xla_broadcast(&row, &packed(F32, &long), &[63]).unwrap();
        assert_eq!((fields(&lhs), fields(&rhs)), (fields(&wide), fields(&packed(F32, &long))));
        // One more is one too many, of either.
        let rank = |answer| reason(answer);
        let too_many = [1; 65];
        assert_eq!(
            rank(broadcast_to(&row, &too_many)),
            (Status::InvalidRank.number(), Argument::Rank.number(), -1, 65, 64)
        );
        let e = error(broadcast_sizes(&[&[5], &too_many]));
        assert_eq!((e.status, e.item, e.lhs, e.rhs), (Status::InvalidRank.number(), 1, 65, 64));
    }

    #[test]
    fn xla_is_strict() {
        let pair = |lhs: &[i64], rhs: &[i64], dimensions: &[i64]| {
            let views = xla_broadcast(&packed(F32, lhs), &packed(F32, rhs), dimensions)?;
            Ok((sizes(&views.0).to_vec(), strides(&views.0).to_vec(), strides(&views.1).to_vec()))
        };
        // Equal ranks: empty or the identity.
        assert_eq!(pair(&[2, 3], &[2, 3], &[]), Ok((vec![2, 3], vec![3, 1], vec![3, 1])));
        assert_eq!(pair(&[2, 3], &[2, 3], &[0, 1]), pair(&[2, 3], &[2, 3], &[]));
        let axes = (Status::InvalidAxes.number(), Argument::BroadcastDimensions.number());
        assert_eq!(reason(pair(&[3, 3], &[3, 3], &[1, 0])), (axes.0, axes.1, 0, 1, 0));
        let count = (Status::InvalidRank.number(), Argument::Count.number());
        assert_eq!(reason(pair(&[3, 3], &[3, 3], &[0])), (count.0, count.1, -1, 1, 2));
        // {2,1} on sizes that do not match: the mismatch is found before the order.
        let e = error(pair(&[2, 3, 5], &[5, 7], &[2, 1]));
        assert_eq!((e.status, e.dimension, e.lhs, e.rhs), (Status::BroadcastMismatch.number(), 1, 3, 7));
        // A size of 1 stretches on either side, also to 0.
        assert_eq!(pair(&[4, 0], &[1], &[1]), Ok((vec![4, 0], vec![0, 0], vec![0, 0])));
        assert_eq!(pair(&[2], &[3, 1, 5], &[1]), Ok((vec![3, 2, 5], vec![0, 1, 0], vec![5, 0, 1])));
    }

    /// DirectML never broadcasts by itself (sdk-api#1262): full sizes with stride 0 say it.
    #[test]
    fn directml_is_explicit() {
        let view = broadcast_to(&packed(F32, &[1, 3, 1, 1]), &[2, 3, 4, 5]).unwrap();
        assert_eq!(
            to_dml(&view).unwrap(),
            Described {
                data_type: STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32,
                sizes: vec![2, 3, 4, 5],
                strides: vec![0, 1, 0, 0],
                total_bytes: 12,
                base_offset_bytes: 0,
            }
        );
    }
}

/// Views, with the examples of NumPy's documentation.
mod views {
    use super::*;

    /// numpy.org, "Indexing on ndarrays", basic slicing of arange(10).
    #[test]
    fn slices_of_numpy() {
        let x = counted(10);
        let cut = |start, stop, step| {
            gather(&slice(&packed(U8, &[10]), Some(&[start]), Some(&[stop]), Some(&[step])).unwrap(), &x)
        };
        let (past_start, past_end) = (i64::MIN, i64::MAX);
        assert_eq!(cut(1, 7, 2), [1, 3, 5]); // x[1:7:2]
        assert_eq!(cut(-2, 10, 1), [8, 9]); // x[-2:10]
        assert_eq!(cut(-3, 3, -1), [7, 6, 5, 4]); // x[-3:3:-1]
        assert_eq!(cut(5, past_end, 1), [5, 6, 7, 8, 9]); // x[5:]
        assert_eq!(cut(past_end, past_start, -1), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]); // x[::-1]
        // Clamped, by hand: x[20:], x[:-20], x[-20:3], x[3:0:-2], x[2:-20:-1], x[0:10:100], x[9:0:-100].
        assert_eq!(cut(20, past_end, 1), [0; 0]);
        assert_eq!(cut(0, -20, 1), [0; 0]);
        assert_eq!(cut(-20, 3, 1), [0, 1, 2]);
        assert_eq!(cut(3, 0, -2), [3, 1]);
        assert_eq!(cut(2, -20, -1), [2, 1, 0]);
        assert_eq!(cut(0, 10, 100), [0]);
        assert_eq!(cut(9, 0, i64::MIN), [9]);
        assert_eq!(cut(past_start, past_end, i64::MAX), [0]);
        let whole = slice(&packed(U8, &[10]), None, None, None).unwrap();
        assert!(equal(&whole, &packed(U8, &[10])));
        let mirrored = slice(&packed(U8, &[10]), None, None, Some(&[-1])).unwrap();
        assert_eq!(fields(&mirrored), (vec![10], vec![-1], 9));
        let zero = slice(&packed(U8, &[10]), None, None, Some(&[0]));
        assert_eq!(reason(zero), (Status::InvalidArgument.number(), Argument::Steps.number(), 0, 0, 0));
    }

    #[test]
    fn crop_is_strict() {
        let matrix = packed(U8, &[4, 5]);
        assert_eq!(fields(&crop(&matrix, &[1, 2], &[2, 3]).unwrap()), (vec![2, 3], vec![5, 1], 7));
        let outside = |starts, sizes| reason(crop(&matrix, starts, sizes));
        let range = Status::IndexOutOfRange.number();
        assert_eq!(outside(&[1, 3], &[2, 3]), (range, Argument::Sizes.number(), 1, 6, 5));
        assert_eq!(outside(&[-1, 0], &[1, 1]), (range, Argument::Starts.number(), 0, -1, 5)); // 0 ... 4: a start at the end is none
        assert_eq!(outside(&[0, 6], &[1, 0]), (range, Argument::Starts.number(), 1, 6, 6));
        assert_eq!(outside(&[1, 1], &[1, i64::MAX]).0, range);
        assert_eq!(outside(&[0, 0], &[1, -1]), (Status::InvalidSize.number(), Argument::Sizes.number(), 1, -1, 0));
    }

    /// numpy.transpose: np.ones((1, 2, 3)).transpose((1, 0, 2)) has shape (2, 1, 3); ones((2, 3, 4, 5)) transposed
    /// without axes (5, 4, 3, 2).
    #[test]
    fn permutations() {
        assert_eq!(sizes(&permute(&packed(F32, &[1, 2, 3]), &[1, 0, 2]).unwrap()), [2, 1, 3]);
        let reversed = permute(&packed(F32, &[2, 3, 4, 5]), &[3, 2, 1, 0]).unwrap();
        assert_eq!(fields(&reversed), (vec![5, 4, 3, 2], vec![1, 5, 20, 60], 0));
        for (axes, position, number) in [([0, 0, 1], 1, 0), ([0, 1, 3], 2, 3), ([-1, 2, 0], 1, 2), ([-4, 0, 1], 0, -4)]
        {
            let refused = reason(permute(&packed(F32, &[2, 3, 4]), &axes));
            assert_eq!(
                refused,
                (Status::InvalidAxes.number(), Argument::Axes.number(), position, number, 3),
                "{axes:?}"
            );
        }
    }

    /// numpy.diagonal of arange(8).reshape(2,2,2) with (0, 0, 1): [[0, 6], [1, 7]]; of arange(4).reshape(2,2): [0, 3],
    /// with offset 1: [1].
    #[test]
    fn diagonals() {
        let cube = diagonal(&packed(U8, &[2, 2, 2]), 0, 0, 1).unwrap();
        assert_eq!((sizes(&cube), gather(&cube, &counted(8))), (&[2, 2][..], vec![0, 6, 1, 7]));
        let matrix = packed(U8, &[2, 2]);
        assert_eq!(gather(&diagonal(&matrix, 0, 0, 1).unwrap(), &counted(4)), [0, 3]);
        assert_eq!(gather(&diagonal(&matrix, 1, 0, 1).unwrap(), &counted(4)), [1]);
        assert_eq!(status(diagonal(&matrix, 0, 1, -1)), Status::InvalidAxes.number());
        assert_eq!(sizes(&diagonal(&matrix, i64::MIN, 0, 1).unwrap()), [0]);
    }

    /// numpy.ravel_multi_index and numpy.unravel_index: the examples of their pages.
    #[test]
    fn raveled_indices() {
        for (sizes, pairs) in [
            (vec![7, 6], vec![(vec![3, 4], 22), (vec![6, 5], 41), (vec![6, 1], 37)]),
            (vec![6, 7, 8, 9], vec![(vec![3, 1, 4, 1], 1621)]),
        ] {
            // Strides do not matter.
            for layout in [packed(U8, &sizes), layout(U8, &sizes, &vec![0; sizes.len()])] {
                for (index, number) in &pairs {
                    assert_eq!(ravel(&layout, index), Ok(*number));
                    assert_eq!(unravel(&layout, *number).unwrap(), *index);
                }
            }
        }
        let matrix = packed(U8, &[7, 6]);
        let e = error(ravel(&matrix, &[3, 6]));
        assert_eq!((e.status, e.dimension, e.lhs, e.rhs), (Status::IndexOutOfRange.number(), 1, 6, 6));
        assert_eq!(status(ravel(&matrix, &[-1, 0])), Status::IndexOutOfRange.number());
        assert_eq!(reason(offset_of(&matrix, &[1])), (Status::InvalidRank.number(), Argument::Rank.number(), -1, 1, 2));
        assert_eq!(status(unravel(&matrix, 42)), Status::IndexOutOfRange.number());
        assert_eq!(status(unravel(&matrix, -1)), Status::IndexOutOfRange.number());
    }

    /// torch.Tensor.view: dimensions join where stride[i] = stride[i+1] * size[i+1]; numpy.reshape: one -1.
    #[test]
    fn reshape_as_a_view() {
        let to = |sizes: &[i64], strides: &[i64], wanted: &[i64]| {
            reshape(&layout(U8, sizes, strides), wanted).map(|view| {
                (view.sizes[..view.rank as usize].to_vec(), { view.strides[..view.rank as usize].to_vec() })
            })
        };
        assert_eq!(to(&[4, 4], &[4, 1], &[16]), Ok((vec![16], vec![1])));
        assert_eq!(to(&[4, 4], &[4, 1], &[-1, 8]), Ok((vec![2, 8], vec![8, 1])));
        assert_eq!(to(&[2, 3, 4], &[24, 8, 2], &[6, -1]), Ok((vec![6, 4], vec![8, 2])));
        assert_eq!(to(&[2, 3, 4], &[-12, -4, -1], &[24]), Ok((vec![24], vec![-1])));
        assert_eq!(to(&[2, 3], &[0, 0], &[3, 2]), Ok((vec![3, 2], vec![0, 0])));
        assert_eq!(to(&[2, 12], &[100, 1], &[2, 3, 4]), Ok((vec![2, 3, 4], vec![100, 4, 1])));
        assert_eq!(to(&[0, 3], &[3, 1], &[-1, 7]).unwrap().0, [0, 7]);
        assert_eq!(to(&[1], &[9], &[]), Ok((vec![], vec![])));
        // A copy is needed: transposed, padded, broadcast along a split.
        for (sizes, strides, wanted) in
            [([3, 2], [1, 3], &[6][..]), ([2, 4], [8, 1], &[8]), ([2, 3], [0, 1], &[6]), ([4, 6], [1, 4], &[3, 8])]
        {
            assert_eq!(
                status(to(&sizes, &strides, wanted)),
                Status::NotRepresentable.number(),
                "{sizes:?} {strides:?}"
            );
        }
        // numpy gh-7455: the products are checked. 2^32 * 2^32 * 6 wraps to 0 in 64 bits.
        let mismatch = (Status::ShapeMismatch.number(), Argument::Sizes.number(), -1);
        assert_eq!(reason(to(&[0], &[1], &[1 << 32, 1 << 32, 6])), (mismatch.0, mismatch.1, -1, i64::MAX, 0));
        assert_eq!(reason(to(&[2, 3], &[3, 1], &[5])), (mismatch.0, mismatch.1, mismatch.2, 5, 6));
        assert_eq!(reason(to(&[2, 3], &[3, 1], &[4, -1])), (mismatch.0, mismatch.1, mismatch.2, 6, 4));
        assert_eq!(reason(to(&[2, 3], &[3, 1], &[-1, -1])).0, Status::InvalidSize.number());
        assert_eq!(reason(to(&[2, 3], &[3, 1], &[-2, -3])).0, Status::InvalidSize.number());
        assert_eq!(status(to(&[0, 3], &[3, 1], &[0, -1])), Status::ShapeMismatch.number(), "any number would do: none");
    }

    #[test]
    fn split_merge_squeeze_expand() {
        let matrix = at(3, layout(U8, &[2, 12], &[50, -2]));
        let halves = split(&matrix, 1, &[3, -1]).unwrap();
        assert_eq!(fields(&halves), (vec![2, 3, 4], vec![50, -8, -2], 3));
        assert_eq!(fields(&merge(&halves, -2, 2).unwrap()), fields(&matrix));
        assert_eq!(
            reason(merge(&halves, 0, 2)),
            (Status::NotRepresentable.number(), Argument::Layout.number(), 0, 50, -24)
        );
        assert_eq!(status(merge(&halves, 1, 3)), Status::InvalidArgument.number());
        assert_eq!(reason(split(&matrix, 1, &[5, 2])).0, Status::ShapeMismatch.number());
        assert_eq!(reason(split(&matrix, 2, &[5, 2])).0, Status::InvalidAxes.number());
        // numpy.expand_dims: axes are those of the result; numpy.squeeze refuses sizes other than 1.
        let wide = expand_dims(&packed(U8, &[2, 3]), &[0, -1]).unwrap();
        assert_eq!(fields(&wide), (vec![1, 2, 3, 1], vec![6, 3, 1, 1], 0));
        assert_eq!(fields(&squeeze(&wide, &[0, -1]).unwrap()), (vec![2, 3], vec![3, 1], 0));
        assert_eq!(reason(squeeze(&wide, &[1])), (Status::InvalidSize.number(), Argument::Layout.number(), 1, 2, 1));
        assert_eq!(status(expand_dims(&packed(U8, &[2]), &[0, 0])), Status::InvalidAxes.number());
        assert_eq!(sizes(&pad_rank(&packed(U8, &[2, 3]), 4, 1).unwrap()), [2, 1, 1, 3]);
        assert_eq!(status(pad_rank(&packed(U8, &[2, 3]), 1, 0)), Status::InvalidRank.number());
        assert_eq!(status(pad_rank(&packed(U8, &[2, 3]), 4, 3)), Status::InvalidAxes.number());
    }

    #[test]
    fn merged_dimensions_of_size_1_may_have_any_stride() {
        for stride in [0, -7, 12, i64::MIN, i64::MAX] {
            for (place, sizes, strides) in
                [(0, [1, 3, 4], [stride, 4, 1]), (1, [3, 1, 4], [4, stride, 1]), (2, [3, 4, 1], [4, 1, stride])]
            {
                let merged = merge(&layout(F32, &sizes, &strides), 0, 3).unwrap();
                assert_eq!(fields(&merged), (vec![12], vec![1], 0), "{stride} at {place}");
            }
            // Alone, it keeps what it has; of several the last does.
            assert_eq!(fields(&merge(&layout(F32, &[1, 5], &[stride, 1]), 0, 1).unwrap()).1, [stride, 1]);
            assert_eq!(fields(&merge(&layout(F32, &[1, 1, 5], &[3, stride, 1]), 0, 2).unwrap()).0, [1, 5]);
            // And it joins nothing that is apart.
            let apart = merge(&layout(F32, &[3, 1, 4], &[8, stride, 1]), 0, 3);
            assert_eq!(reason(apart), (Status::NotRepresentable.number(), Argument::Layout.number(), 0, 8, 4));
        }
    }

    #[test]
    fn broken_layouts_are_refused_by_every_view() {
        let mut broken = packed(F32, &[2, 3]);
        broken.strides[0] = i64::MAX;
        let results = [
            permute(&broken, &[0, 1]),
            slice(&broken, None, None, None),
            flip(&broken, &[]),
            squeeze_all(&broken),
            reshape(&broken, &[6]),
            broadcast_to(&broken, &[2, 3]),
            canonical(&broken, 0),
        ];
        for result in results {
            // 1 * (2^63 - 1) fits, 2 more in dimension 1 do not.
            assert_eq!(reason(result), (Status::Overflow.number(), Argument::Layout.number(), 1, 3, 1));
        }
        let e = error(broadcast_layouts(from_ref(&broken)));
        assert_eq!(e.status, Status::Overflow.number());
    }
}

/// DirectML's verdict, one reason after the other, and descriptors there and back.
mod directml {
    use super::*;

    const GOOD: Tensor<'static> = Tensor {
        data_type: STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32,
        flags: STRIDE_DML_TENSOR_FLAG_OWNED_BY_DML,
        sizes: &[1, 2, 3, 4],
        strides: None,
        total_bytes: 96,
        alignment: 16,
    };

    fn verdict(tensor: Tensor<'_>) -> (stride_status, u32, i32, i64, i64) {
        reason(dml_validate(&tensor))
    }

    /// DML_TENSOR_DATA_TYPE by its numbers in DirectML.h, both ways.
    #[test]
    fn types_of_directml() {
        let types = ["f32", "f16", "u32", "u16", "u8", "s32", "s16", "s8", "f64", "u64", "s64", "u4", "s4"];
        for (number, name) in (1..).zip(types) {
            let found = from_dml(&Tensor { total_bytes: 64, ..tensor(number, &[2, 3], None) }).unwrap();
            assert_eq!(found.dtype, stride::Dtype::parse(name.as_bytes()).unwrap().code(), "{number}");
            assert_eq!(to_dml(&packed(found.dtype, &[2, 3])).unwrap().data_type, number, "{name}");
        }
    }

    #[test]
    fn accepted() {
        assert_eq!(dml_validate(&GOOD), Ok(()));
        assert_eq!(dml_validate(&Tensor { total_bytes: 4096, ..GOOD }), Ok(()), "it may be larger");
        assert_eq!(dml_validate(&Tensor { strides: Some(&[0, 0, 0, 0]), ..GOOD }), Ok(()));
        for rank in 1..=8 {
            assert_eq!(dml_validate(&tensor(1, &[1; 8][..rank], None)), Ok(()), "rank {rank}");
        }
        for data_type in 1..=13 {
            assert_eq!(dml_validate(&tensor(data_type, &[3], None)), Ok(()), "data type {data_type}");
        }
        // DML_TENSOR_DATA_TYPE: bits of FLOAT32 … INT4, as DirectML.h orders them.
        let bits = [32, 16, 32, 16, 8, 32, 16, 8, 64, 64, 64, 4, 4];
        for (data_type, bits) in (1..).zip(bits) {
            assert_eq!(dml_size(data_type, &[8], None), Ok(bits), "data type {data_type}");
        }
    }

    #[test]
    fn dimension_count() {
        let many = Tensor { sizes: &[1; 9], total_bytes: 4, ..GOOD };
        let rank = (Status::InvalidRank.number(), Argument::DimensionCount.number(), -1);
        assert_eq!(verdict(many), (rank.0, rank.1, rank.2, 9, 8));
        assert_eq!(verdict(Tensor { sizes: &[], ..GOOD }), (rank.0, rank.1, rank.2, 0, 1));
        assert_eq!(status(from_dml(&many)), Status::InvalidRank.number());
    }

    /// Without strides it is the sizes that are too large.
    #[test]
    fn sizes_that_are_too_large() {
        let large = reason(from_dml(&Tensor { sizes: &[1 << 30, 1 << 30], strides: None, data_type: 11, ..GOOD }));
        assert_eq!((large.0, large.1), (Status::Overflow.number(), Argument::Sizes.number()));
    }

    #[test]
    fn data_type_and_flags() {
        for unknown in [0, 14, u32::MAX] {
            let refused = verdict(Tensor { data_type: unknown, ..GOOD });
            assert_eq!((refused.0, refused.1), (Status::InvalidDtype.number(), Argument::DataType.number()));
        }
        let flags = verdict(Tensor { flags: 2, ..GOOD });
        assert_eq!(flags, (Status::InvalidArgument.number(), Argument::Flags.number(), -1, 2, 1));
    }

    #[test]
    fn zero_sizes() {
        let zero = verdict(Tensor { sizes: &[1, 2, 0, 4], ..GOOD });
        assert_eq!(zero, (Status::InvalidSize.number(), Argument::Sizes.number(), 2, 0, 1));
    }

    /// "Total size may not exceed 2^32 - 1 elements", of the tensor and of what its strides reach.
    #[test]
    fn too_many_elements() {
        let limit = u32::MAX as i64;
        let bytes = 1 << 34;
        let most = Tensor { sizes: &[u32::MAX], total_bytes: bytes, ..GOOD };
        assert_eq!(dml_validate(&most), Ok(()));
        let more = verdict(Tensor { sizes: &[1 << 16, 1 << 16], total_bytes: bytes, ..GOOD });
        assert_eq!(more, (Status::Overflow.number(), Argument::Sizes.number(), -1, 1 << 32, limit));
        // Element 2^32 - 2 is the last one; stride 2^32 - 1 reaches one further.
        let reach = Tensor { sizes: &[2], strides: Some(&[u32::MAX - 1]), total_bytes: bytes, ..GOOD };
        assert_eq!(dml_validate(&reach), Ok(()));
        let further = verdict(Tensor { strides: Some(&[u32::MAX]), ..reach });
        assert_eq!(further, (Status::Overflow.number(), Argument::Strides.number(), -1, 1 << 32, limit));
    }

    #[test]
    fn total_size() {
        let odd = verdict(Tensor { total_bytes: 98, ..GOOD });
        assert_eq!(odd, (Status::InvalidArgument.number(), Argument::TotalTensorSizeInBytes.number(), -1, 98, 4));
        let small = verdict(Tensor { total_bytes: 92, ..GOOD });
        assert_eq!(small, (Status::OutOfBounds.number(), Argument::TotalTensorSizeInBytes.number(), -1, 96, 92));
        // microsoft/onnxruntime#14225: strides were changed and the total size was not.
        let strided = verdict(Tensor { strides: Some(&[48, 24, 8, 2]), ..GOOD });
        // Highest: 24 + 2*8 + 3*2 = 46, so 47 * 4 = 188 bytes.
        assert_eq!(strided, (Status::OutOfBounds.number(), Argument::TotalTensorSizeInBytes.number(), -1, 188, 96));
        let record = error(dml_validate(&Tensor { total_bytes: 92, ..GOOD }));
        assert_eq!(sentence(&record), "total_tensor_size_in_bytes: 96 bytes are needed, 92 are there");
    }

    #[test]
    fn alignment() {
        for fine in [0, 4, 8, 16, 256, 1 << 31] {
            assert_eq!(dml_validate(&Tensor { alignment: fine, ..GOOD }), Ok(()), "{fine}");
        }
        for wrong in [1, 2, 3, 12, 24, u32::MAX] {
            let refused = verdict(Tensor { alignment: wrong, ..GOOD });
            assert_eq!(
                refused,
                (
                    Status::InvalidArgument.number(),
                    Argument::GuaranteedBaseOffsetAlignment.number(),
                    -1,
                    wrong as i64,
                    4
                )
            );
        }
    }

    #[test]
    fn there_and_back() {
        let nhwc = at(6, channels_last(F32, &[2, 3, 4, 5]).unwrap());
        let described = to_dml(&nhwc).unwrap();
        assert_eq!(
            described,
            Described {
                data_type: STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32,
                sizes: vec![2, 3, 4, 5],
                strides: vec![60, 1, 15, 3],
                total_bytes: 480,
                base_offset_bytes: 24,
            }
        );
        let again = from_dml(&tensor(described.data_type, &described.sizes, Some(&described.strides))).unwrap();
        assert!(equal(&at(6, again), &nhwc));
    }

    #[test]
    fn layouts_that_directml_cannot_say() {
        let cannot = |layout: stride_layout| {
            let e = error(to_dml(&layout));
            (e.status, e.dimension, e.lhs)
        };
        let mirrored = at(2, layout(F32, &[4, 3], &[3, -1]));
        assert_eq!(cannot(mirrored), (Status::InvalidStride.number(), 1, -1));
        assert_eq!(cannot(layout(F32, &[2, 1], &[1 << 32, 1])), (Status::InvalidStride.number(), 0, 1 << 32));
        assert_eq!(cannot(layout(F32, &[1 << 32], &[0])), (Status::InvalidSize.number(), 0, 1 << 32));
        assert_eq!(cannot(packed(F32, &[1; 9])), (Status::InvalidRank.number(), -1, 9));
        for foreign in [Dtype::BF16.code(), Dtype::PRED.code(), Dtype::C64.code(), U4 | STRIDE_DTYPE_HIGH_FIRST] {
            assert_eq!(cannot(packed(foreign, &[2])), (Status::InvalidDtype.number(), -1, foreign as i64));
        }
        assert_eq!(cannot(at(-1, packed(F32, &[2]))).0, Status::OutOfBounds.number());
        let e = error(to_dml(&at(3, packed(U4, &[2]))));
        assert_eq!((e.status, e.lhs, e.rhs), (Status::NotRepresentable.number(), 3, 2), "two in a byte");
        assert_eq!(to_dml(&at(4, packed(U4, &[2]))).unwrap().base_offset_bytes, 2);
        // Strides that say nothing are no obstacle.
        assert_eq!(to_dml(&layout(F32, &[1, 3], &[-7, 1])).unwrap().strides, [0, 1]);
    }
}

/// XLA: text, orders, padding.
mod xla {
    use super::*;

    #[test]
    fn good_text() {
        for (text, printed) in [
            ("f32[2,3]{0,1}", "f32[2,3]{0,1}"),
            ("f32[2,3]", "f32[2,3]{1,0}"),
            ("f32[]", "f32[]"),
            (" bf16 [ 4 , 8 ] { 1 , 0 } ", "bf16[4,8]{1,0}"),
            ("f32[1/*rows*/,2] // two", "f32[1,2]{1,0}"),
            ("pred[0]", "pred[0]{0}"),
            ("s32[<=8,2]{1,0}", "s32[<=8,2]{1,0}"),
            ("s4[8]{0:E(4)}", "s4[8]{0:E(4)}"),
            ("f32[8]{0:E(32)}", "f32[8]{0}"), // the natural bits are normalised away
            ("f32[8]{0:L(1)S(0)}", "f32[8]{0}"),
            ("f32[8]{0:L(16)E(64)S(5)}", "f32[8]{0:L(16)E(64)S(5)}"),
            ("f8e4m3b11fnuz[1]{0}", "f8e4m3b11fnuz[1]{0}"),
            ("f32[128,24,4,48,48]{2,4,3,1,0}", "f32[128,24,4,48,48]{2,4,3,1,0}"),
        ] {
            let shape = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(shape_text(&shape).unwrap(), printed);
        }
    }

    #[test]
    fn bad_text_has_a_position() {
        for (text, position) in [
            ("", 0),
            ("F32[2]", 0),
            ("tuple[2]", 0),
            ("f32 2", 4),
            ("f32[2,,3]", 6),
            ("f32[2 3]", 6),
            ("f32[+2]", 4),
            ("f32[2,3]{1}", 10),
            ("f32[2,3]{1,0,0}", 13),
            ("f32[2,3]{1,1}", 11),
            ("f32[2,3]{2,0}", 9),
            ("f32[2,3]{0,1", 12),
            ("f32[2]{0} f32", 10),
            ("f32[2]{0:E(7)}", 11),
            ("f32[2]{0:E(4)E(4)}", 11),
            ("f32[2]{0:L(0)}", 11),
            ("f32[123,456]{foo}", 13),
            ("f32[9223372036854775808]", 4),
        ] {
            let e = error(parse(text));
            let parse = (Status::Parse.number(), Argument::Text.number(), position);
            assert_eq!((e.status, e.argument, e.position), parse, "{text}");
        }
        // XLA aborts the process on this one.
        let e = error(parse("f32[8]{0:T(-3)}"));
        assert_eq!((e.status, e.position), (Status::Parse.number(), 11));
        for (text, position) in [("f32[8]{0:D(D)}", 9), ("f32[8]{0:SC(0:4)}", 9), ("opaque[]", 0)] {
            let e = error(parse(text));
            assert_eq!((e.status, e.position), (Status::Unsupported.number(), position), "{text}");
        }
        assert_eq!(status(parse("f32[4294967296,2147483648]")), Status::Overflow.number());
        // As long as a text can be, and longer, before it is looked at.
        let mut shape = parse("f32[]").unwrap();
        let most = isize::MAX as u64;
        for (length, refused) in [(most, Status::NullPointer), (most + 1, Status::InvalidArgument)] {
            let none = call!(stride_xla_shape_parse, std::ptr::null(), length, &mut shape);
            assert_eq!(status(none), refused.number());
        }
        // XLA multiplies from the left and refuses this, although it holds nothing.
        assert_eq!(byte_size(&parse("f32[9223372036854775807,9223372036854775807,0]").unwrap()), Ok(0));
    }

    /// index_util_test.cc and the examples beside it: f32[10,20,30] of order {1,2,0}, index (3,5,7) lies at
    /// 5 + 20 * 7 + 600 * 3 = 1945.
    #[test]
    fn positions() {
        let shape = parse("f32[10,20,30]{1,2,0}").unwrap();
        assert_eq!((linear_index(&shape, &[3, 5, 7]), multi_index(&shape, 1945)), (Ok(1945), Ok(vec![3, 5, 7])));
        assert_eq!(strides(&from_xla(&shape).unwrap()), [600, 1, 20]);
        assert_eq!(linear_index(&parse("f32[]").unwrap(), &[]), Ok(0));
        assert_eq!(status(multi_index(&parse("f32[0]").unwrap(), 0)), Status::IndexOutOfRange.number());
        // The tail alignment rounds 15 elements up to 16; the last one is no element.
        let tail = parse("f32[3,5]{1,0:L(16)}").unwrap();
        assert_eq!((byte_size(&tail), status(multi_index(&tail, 15))), (Ok(64), Status::NotRepresentable.number()));
    }

    #[test]
    fn layouts_that_are_shapes() {
        let text = |layout: &stride_layout| to_xla(layout).and_then(|shape| shape_text(&shape));
        assert_eq!(text(&packed(F32, &[2, 3])).unwrap(), "f32[2,3]{1,0}");
        assert_eq!(text(&channels_last(F32, &[2, 3, 4, 5]).unwrap()).unwrap(), "f32[2,3,4,5]{1,3,2,0}");
        assert_eq!(text(&packed(Dtype::S4.code(), &[3])).unwrap(), "s4[3]{0:E(4)}");
        let older = to_xla(&packed(Dtype::S4.code() | STRIDE_DTYPE_HIGH_FIRST, &[3])).unwrap();
        assert_eq!(older.flags, STRIDE_XLA_SHAPE_HIGH_FIRST);
        assert_eq!(from_xla(&older).unwrap().dtype, Dtype::S4.code() | STRIDE_DTYPE_HIGH_FIRST);
        assert_eq!(status(shape_text(&older)), Status::NotRepresentable.number(), "the older order has no text");
        assert_eq!(text(&packed(Dtype::S8.code(), &[3])).unwrap(), "s8[3]{0}");
        for (layout, why) in [
            (at(1, packed(F32, &[2])), "an offset"),
            (layout(F32, &[2, 3], &[5, 1]), "gaps"),
            (layout(F32, &[2, 3], &[0, 1]), "a zero stride"),
            (at(2, layout(F32, &[3], &[-1])), "a negative stride"),
        ] {
            assert_eq!(status(to_xla(&layout)), Status::NotRepresentable.number(), "{why}");
        }
        assert_eq!(status(to_xla(&packed(bytes(4).unwrap(), &[2]))), Status::InvalidDtype.number());
        // A DirectML row pitch is a padded shape: rows of 3 at a pitch of 5.
        let shape = to_xla_padded(&layout(F32, &[2, 3], &[5, 1])).unwrap();
        assert_eq!((&shape.padded_sizes[..2], shape.padding_kind), (&[2, 5][..], STRIDE_XLA_PADDING_UNKNOWN));
        assert_eq!(strides(&from_xla(&shape).unwrap()), [5, 1]);
        assert_eq!(reason(shape_text(&shape)), (Status::NotRepresentable.number(), Argument::Shape.number(), 1, 5, 3));
        // Elements that lie apart: a dimension of size 1 is padded, wherever it stands.
        for (sizes, apart, order, padded) in [
            ([4, 1, 2], [6, 77, 3], [1, 2, 0], [4, 3, 2]),
            ([1, 4, 2], [0, 5, 20], [0, 1, 2], [5, 4, 2]),
            ([2, 4, 1], [10, 2, 1], [2, 1, 0], [2, 5, 2]),
            ([2, 1, 1], [9, 5, 1], [2, 1, 0], [2, 1, 9]),
        ] {
            let shape = to_xla_padded(&layout(F32, &sizes, &apart)).unwrap();
            assert_eq!((&shape.minor_to_major[..3], &shape.padded_sizes[..3]), (&order[..], &padded[..]));
            let back = from_xla(&shape).unwrap();
            for (dimension, &size) in sizes.iter().enumerate() {
                assert!(size == 1 || back.strides[dimension] == apart[dimension]);
            }
        }
        let empty = to_xla_padded(&layout(F32, &[0, 4, 1], &[7, 2, 2])).unwrap();
        assert_eq!((&empty.minor_to_major[..3], &empty.padded_sizes[..3]), (&[2, 1, 0][..], &[0, 4, 1][..]));
        assert_eq!(status(to_xla_padded(&layout(F32, &[4, 2], &[6, 3]))), Status::NotRepresentable.number());
        assert_eq!(status(to_xla_padded(&layout(F32, &[4, 1, 2], &[7, 1, 3]))), Status::NotRepresentable.number());
    }

    #[test]
    fn shapes_that_are_none() {
        let order = |order: &[i64]| reason(shape(F32, &[2, 3], Some(order)));
        let axes = (Status::InvalidAxes.number(), Argument::MinorToMajor.number());
        assert_eq!(order(&[0, 0]), (axes.0, axes.1, 1, 0, 2));
        assert_eq!(order(&[-1, 0]), (axes.0, axes.1, 0, -1, 2));
        assert_eq!(order(&[1, 2]), (axes.0, axes.1, 1, 2, 2));
        assert_eq!(
            status(shape(Dtype::S4.code() | STRIDE_DTYPE_HIGH_FIRST, &[2], None)),
            Status::InvalidDtype.number()
        );
        assert_eq!(status(shape(bytes(4).unwrap(), &[2], None)), Status::InvalidDtype.number());
        assert_eq!(status(shape(F32, &[2, -1], None)), Status::InvalidSize.number());
        let plain = shape(F32, &[2, 3], None).unwrap();
        assert_eq!(status(padded(plain, &[2, 3], 6)), Status::InvalidArgument.number());
        assert_eq!(status(padded(plain, &[1 << 40, 1 << 40], 1)), Status::Overflow.number());
        let tiled = stride_xla_shape { tile_count: 1, ..plain };
        assert_eq!(reason(validate_shape(&tiled)), (Status::InvalidTile.number(), Argument::Shape.number(), -1, 0, 1));
        let unaligned = stride_xla_shape { tail_alignment: 0, ..plain };
        assert_eq!(status(validate_shape(&unaligned)), Status::InvalidArgument.number());
        for (dtype, bits, fits) in [(F32, 64, true), (F32, 16, false), (F32, 48, false), (Dtype::PRED.code(), 1, true)]
        {
            let widened = with_element_bits(shape(dtype, &[2], None).unwrap(), bits);
            assert_eq!(status(widened) == Status::Ok.number(), fits, "{dtype} in {bits} bits");
        }
    }

    /// xla_data.proto, PaddingValue: INVALID, ZERO, ONE, LOWEST, HIGHEST, UNKNOWN are 0 to 5. Values: Rust's own where
    /// it has the type; the tables of the OCP 8-bit formats (448 is S.1111.110, infinity of E5M2 S.11111.00); bf16 is
    /// the upper half of f32.
    #[test]
    fn padding_kinds() {
        let kinds =
            [STRIDE_XLA_PADDING_NONE, STRIDE_XLA_PADDING_ZERO, STRIDE_XLA_PADDING_ONE, STRIDE_XLA_PADDING_LOWEST];
        assert_eq!((kinds, STRIDE_XLA_PADDING_HIGHEST, STRIDE_XLA_PADDING_UNKNOWN), ([0, 1, 2, 3], 4, 5));
        // As numbers: NumPy 2.4 with ml_dtypes 0.5 has the bits of each; where a type has infinities they are its ends.
        let end = |value: f32| value.to_bits() as u64;
        let infinity = f32::INFINITY;
        for (dtype, one, lowest, highest) in [
            (Dtype::F32, end(1.0), end(-infinity), end(infinity)),
            (Dtype::F64, 1f64.to_bits(), f64::NEG_INFINITY.to_bits(), f64::INFINITY.to_bits()),
            (Dtype::S32, 1, i32::MIN as u32 as u64, i32::MAX as u64),
            (Dtype::U32, 1, 0, u32::MAX as u64),
            (Dtype::S64, 1, i64::MIN as u64, i64::MAX as u64),
            (Dtype::BF16, end(1.0) >> 16, end(-infinity) >> 16, end(infinity) >> 16),
            (Dtype::F16, 0x3C00, 0xFC00, 0x7C00),
            (Dtype::S8, 1, 0x80, 0x7F),
            (Dtype::PRED, 1, 0, 1),
            (Dtype::F8E3M4, 0x30, 0xF0, 0x70),
            (Dtype::F8E4M3, 0x38, 0xF8, 0x78),
            (Dtype::F8E4M3FN, 0x38, 0xFE, 0x7E),
            (Dtype::F8E4M3B11FNUZ, 0x58, 0xFF, 0x7F),
            (Dtype::F8E4M3FNUZ, 0x40, 0xFF, 0x7F),
            (Dtype::F8E5M2, 0x3C, 0xFC, 0x7C),
            (Dtype::F8E5M2FNUZ, 0x40, 0xFF, 0x7F),
            (Dtype::F8E8M0FNU, 0x7F, 0, 0xFE),
            // One to a byte.
            (Dtype::F4E2M1FN, 2, 0xF, 7),
            (Dtype::S4, 1, 0xF8, 7),
        ] {
            let width = (dtype.bits() as usize).div_ceil(8);
            let plain = shape(dtype.code(), &[1], None).unwrap();
            let bytes = |kind| padding_bytes(&padded(plain, &[3], kind).unwrap());
            for (kind, number) in [(1, 0), (2, one), (3, lowest), (4, highest)] {
                if dtype == Dtype::F8E8M0FNU && kind == STRIDE_XLA_PADDING_ZERO {
                    assert_eq!(status(bytes(kind)), Status::NotRepresentable.number(), "a power of two is never 0");
                    continue;
                }
                let mut expected = [0; 16];
                let (little, big) = (number.to_le_bytes(), number.to_be_bytes());
                let of_number = if cfg!(target_endian = "big") { &big[8 - width..] } else { &little[..width] };
                expected[..width].copy_from_slice(of_number);
                assert_eq!(bytes(kind).unwrap(), expected, "{dtype:?}, kind {kind}");
            }
            for kind in [STRIDE_XLA_PADDING_NONE, STRIDE_XLA_PADDING_UNKNOWN] {
                assert_eq!(status(bytes(kind)), Status::NotRepresentable.number());
            }
        }
        // The real part is 1 and comes first, in either order of bytes; complex numbers have no order.
        for (dtype, one) in [(Dtype::C64, &1f32.to_ne_bytes()[..]), (Dtype::C128, &1f64.to_ne_bytes()[..])] {
            let complex = |kind| padding_bytes(&padded(shape(dtype.code(), &[1], None).unwrap(), &[2], kind).unwrap());
            let (real, rest) = (complex(STRIDE_XLA_PADDING_ONE).unwrap(), one.len());
            assert_eq!((&real[..rest], &real[rest..]), (one, &[0; 16][rest..]), "{dtype:?}");
            assert_eq!(complex(STRIDE_XLA_PADDING_ZERO).unwrap(), [0; 16]);
            for kind in [STRIDE_XLA_PADDING_LOWEST, STRIDE_XLA_PADDING_HIGHEST] {
                assert_eq!(status(complex(kind)), Status::NotRepresentable.number());
            }
        }
        let nibbles = with_element_bits(shape(Dtype::S4.code(), &[2], None).unwrap(), 4).unwrap();
        let nibbles = padded(nibbles, &[4], STRIDE_XLA_PADDING_LOWEST).unwrap();
        assert_eq!(padding_bytes(&nibbles).unwrap()[0], 0x88, "-8 twice");
    }
}

/// What callers may rely on: outputs on success only, the same struct twice, texts.
mod boundary {
    use super::*;

    /// The wrappers hold every failing call to it; here the output holds the input.
    #[test]
    fn an_output_may_be_the_input() {
        let mut layout = packed(F32, &[2, 3, 4]);
        permute_in_place(&mut layout, &[2, 0, 1]).unwrap();
        assert_eq!(fields(&layout), (vec![4, 2, 3], vec![1, 12, 4], 0));
        assert_eq!(status(permute_in_place(&mut layout, &[2, 0, 2])), Status::InvalidAxes.number());
        assert_eq!(fields(&layout), (vec![4, 2, 3], vec![1, 12, 4], 0), "untouched on failure");
    }

    #[test]
    fn text_of_a_layout() {
        let image = channels_last(U8, &[1, 3, 300, 451]).unwrap();
        assert_eq!(layout_text(&image).unwrap(), "u8[1,3,300,451] strides [405900,1,1353,3] offset 0");
        assert_eq!(layout_text(&packed(bytes(12).unwrap(), &[])).unwrap(), "bytes12[] strides [] offset 0");
    }
}

/// What is wrong with strides that the caller did not give is wrong with what he gave.
#[test]
fn padded_sizes_are_named_where_they_make_strides_too_long() {
    let (mut out, f64) =
        (stride_layout { dtype: 0, rank: 0, offset: 0, sizes: [0; 64], strides: [0; 64] }, Dtype::F64.code());
    let room = [2i64, 1 << 62];
    let answer = call!(stride_layout_init_padded, &mut out, f64, 2, [2i64, 3].as_ptr(), room.as_ptr());
    assert_eq!((status(answer), error(answer).argument), (Status::Overflow.number(), Argument::PaddedSizes.number()));
}
