//! I1 to I5, met exactly.

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
