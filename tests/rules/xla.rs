//! XLA: text, orders, padding.

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
    assert_eq!(status(shape(Dtype::S4.code() | STRIDE_DTYPE_HIGH_FIRST, &[2], None)), Status::InvalidDtype.number());
    assert_eq!(status(shape(bytes(4).unwrap(), &[2], None)), Status::InvalidDtype.number());
    assert_eq!(status(shape(F32, &[2, -1], None)), Status::InvalidSize.number());
    let plain = shape(F32, &[2, 3], None).unwrap();
    assert_eq!(status(padded(plain, &[2, 3], 6)), Status::InvalidArgument.number());
    assert_eq!(status(padded(plain, &[1 << 40, 1 << 40], 1)), Status::Overflow.number());
    let tiled = stride_xla_shape { tile_count: 1, ..plain };
    assert_eq!(reason(validate_shape(&tiled)), (Status::InvalidTile.number(), Argument::Shape.number(), -1, 0, 1));
    let unaligned = stride_xla_shape { tail_alignment: 0, ..plain };
    assert_eq!(status(validate_shape(&unaligned)), Status::InvalidArgument.number());
    for (dtype, bits, fits) in [(F32, 64, true), (F32, 16, false), (F32, 48, false), (Dtype::PRED.code(), 1, true)] {
        let widened = with_element_bits(shape(dtype, &[2], None).unwrap(), bits);
        assert_eq!(status(widened) == Status::Ok.number(), fits, "{dtype} in {bits} bits");
    }
}

/// xla_data.proto, PaddingValue: INVALID, ZERO, ONE, LOWEST, HIGHEST, UNKNOWN are 0 to 5. Values: Rust's own where
/// it has the type; the tables of the OCP 8-bit formats (448 is S.1111.110, infinity of E5M2 S.11111.00); bf16 is
/// the upper half of f32.
#[test]
fn padding_kinds() {
    let kinds = [STRIDE_XLA_PADDING_NONE, STRIDE_XLA_PADDING_ZERO, STRIDE_XLA_PADDING_ONE, STRIDE_XLA_PADDING_LOWEST];
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
