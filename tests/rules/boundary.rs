//! What callers may rely on: outputs on success only, the same struct twice, texts.

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

/// What is wrong with strides that the caller did not give is wrong with what he gave.
#[test]
fn padded_sizes_are_named_where_they_make_strides_too_long() {
    let (mut out, f64) =
        (stride_layout { dtype: 0, rank: 0, offset: 0, sizes: [0; 64], strides: [0; 64] }, Dtype::F64.code());
    let room = [2i64, 1 << 62];
    let answer = call!(stride_layout_init_padded, &mut out, f64, 2, [2i64, 3].as_ptr(), room.as_ptr());
    assert_eq!((status(answer), error(answer).argument), (Status::Overflow.number(), Argument::PaddedSizes.number()));
}
