//! DirectML's verdict, one reason after the other, and descriptors there and back.

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
    assert_eq!(sentence(&record), "total_tensor_size_in_bytes: 96 bytes are needed, but the buffer has 92");
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
            (Status::InvalidArgument.number(), Argument::GuaranteedBaseOffsetAlignment.number(), -1, wrong as i64, 4)
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
