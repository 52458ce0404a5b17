//! Rank 0, empty layouts, dimensions of size 1: looked at in this order before everything else.

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
    assert_eq!(reason(init(F32, &[0, -1], None)), (Status::InvalidSize.number(), Argument::Sizes.number(), 1, -1, 0));
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
