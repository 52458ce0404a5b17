//! Bugs that users of other systems reported, as questions to this library. Each test has the repository and the number
//! of its report in its name; sizes, strides and values are those of the report, and what is expected is what it says
//! should have come out. `docs/BUGS_ANSWERED.md` lists them, and those whose tests stand elsewhere; the last test holds
//! the page and this file together.

#[macro_use]
mod common;
mod oracle;

use common::*;
use oracle::{Side, bytes_dtype, sides};
use std::collections::BTreeSet;
use stride::ffi::blocked_layout::*;
use stride::ffi::broadcast::*;
use stride::ffi::compose::*;
use stride::ffi::dlpack::*;
use stride::ffi::fourcc::*;
use stride::ffi::images::*;
use stride::ffi::sides::*;

const F16: u32 = Dtype::F16.code();
const F32: u32 = Dtype::F32.code();
const F64: u32 = Dtype::F64.code();
const S8: u32 = Dtype::S8.code();
const S32: u32 = Dtype::S32.code();
const S64: u32 = Dtype::S64.code();
const U8: u32 = Dtype::U8.code();

const NCHW: [i64; 4] = [0, 1, 2, 3];
const NHWC: [i64; 4] = [0, 2, 3, 1];
const CHWN: [i64; 4] = [1, 2, 3, 0];

/// 0.0, 1.0, 2.0, ...
fn arange(count: usize) -> Vec<u8> {
    f32s(&(0..count).map(|k| k as f32).collect::<Vec<_>>())
}

/// Bytes that tell their places apart.
fn counted(count: usize) -> Vec<u8> {
    (0..count).map(|k| (k * 7 + k / 251) as u8).collect()
}

/// What the oracle sees of a layout.
fn side(layout: &stride_layout) -> Side {
    let (sizes, strides, offset) = fields(layout);
    Side { sizes, strides, offset }
}

/// Copies into this buffer, and holds all of it against the naive loop.
fn copied_into(mut buffer: Vec<u8>, dst: &stride_layout, src: &stride_layout, memory: &[u8]) -> Vec<u8> {
    let width = min_bytes(&packed(dst.dtype, &[])).unwrap() as usize;
    let mut expected = buffer.clone();
    oracle::copy(&mut expected, &side(dst), memory, &side(src), width);
    copy((dst, &mut buffer), (src, memory)).unwrap();
    assert!(buffer == expected, "not what the naive loop copies");
    buffer
}

/// The elements of a view one after the other, as the library and the naive loop copy them.
fn gathered(view: &stride_layout, memory: &[u8]) -> Vec<u8> {
    let to = packed(view.dtype, sizes(view));
    copied_into(vec![0xA5; min_bytes(&to).unwrap() as usize], &to, view, memory)
}

fn meets(layout: &stride_layout, requirements: &stride_requirements) -> Answer<()> {
    call!(stride_layout_meets, layout, 0, requirements)
}

fn fit(layout: &stride_layout, requirements: &stride_requirements) -> stride_layout {
    made(|out| call!(stride_layout_adapt, layout, requirements, out)).unwrap()
}

fn required_bytes(layout: &stride_layout, requirements: &stride_requirements) -> u64 {
    let mut out = POISON as u64;
    call!(stride_layout_required_bytes, layout, requirements, &mut out).map(|()| out).unwrap()
}

/// Detail, dimension and both numbers of a consumer's no.
fn no(answer: Answer<()>) -> (Detail, i32, i64, i64) {
    let record = error(answer);
    assert_eq!(record.status, Status::NotRepresentable.number(), "{}", sentence(&record));
    (Detail::from_number(record.detail as u32).unwrap(), record.dimension, record.lhs, record.rhs)
}

fn result(operands: &[stride_layout]) -> stride_layout {
    let (count, operands) = (operands.len() as u32, operands.as_ptr());
    made(|out| call!(stride_elementwise_layout, count, operands, F32, out)).unwrap()
}

/// Number of the position of an index in blocks: `digits` in a mixed radix.
fn position<const N: usize>(digits: [i64; N], radix: [i64; N]) -> i64 {
    digits.iter().zip(radix).fold(0, |position, (digit, size)| position * size + digit)
}

// --- strides of size 1 -----------------------------------------------------------------------------------------------

/// A convolution refused (1,1,7,5) in channels-last, strides (35,1,5,1), which is row-major as well.
#[test]
fn executorch_19153_one_channel_is_in_both_formats() {
    let input = channels_last(F32, &[1, 1, 7, 5]).unwrap();
    assert_eq!(strides(&input), [35, 1, 5, 1]);
    let both = STRIDE_FORMAT_PACKED | STRIDE_FORMAT_CHANNELS_LAST;
    assert_eq!(formats(&input).unwrap() & both, both);
    assert!(same_mapping(&input, &packed(F32, &[1, 1, 7, 5])));
    for preferred in [NCHW, NHWC] {
        assert_eq!(dim_order(&input, &preferred), Ok((preferred.to_vec(), false)));
    }
}

/// A depthwise weight (63,1,3,3) with strides (9,1,3,1) was called NHCW, (32,1,3,5,20) with (300,1,100,20,1) NDHCW.
#[test]
fn miopen_767_depthwise_weights_are_channels_last() {
    let weight = layout(F32, &[63, 1, 3, 3], &[9, 1, 3, 1]);
    assert_eq!(dim_order(&weight, &NHWC).unwrap().0, NHWC);
    assert_ne!(formats(&weight).unwrap() & STRIDE_FORMAT_CHANNELS_LAST, 0);
    let volume = layout(F32, &[32, 1, 3, 5, 20], &[300, 1, 100, 20, 1]);
    assert_eq!(dim_order(&volume, &[0, 2, 3, 4, 1]).unwrap().0, [0, 2, 3, 4, 1]);
    assert_ne!(formats(&volume).unwrap() & STRIDE_FORMAT_CHANNELS_LAST, 0);
    // "NHWC or NWHC, 2 ambiguous": 1x1 filters.
    let filter = layout(F32, &[32, 3, 1, 1], &[3, 1, 3, 3]);
    for preferred in [NHWC, [0, 3, 2, 1]] {
        assert_eq!(dim_order(&filter, &preferred), Ok((preferred.to_vec(), false)));
    }
}

/// The cases of its unit_TensorDescriptor.cpp, padded ones among them.
#[test]
fn miopen_3771_layouts_of_gapped_and_single_tensors() {
    for (strides, order) in [
        (&[1000, 100, 10, 1][..], &NCHW[..]),
        (&[1000, 1, 100, 10], &NHWC),
        (&[1, 1000, 100, 10], &CHWN),
        (&[10000, 1000, 100, 10, 1], &[0, 1, 2, 3, 4]),
        (&[10000, 1, 1000, 100, 10], &[0, 2, 3, 4, 1]),
    ] {
        let gapped = layout(F16, &vec![2; strides.len()], strides);
        assert_eq!(dim_order(&gapped, &[]), Ok((order.to_vec(), true)), "{strides:?}");
    }
    for size in [1, 2] {
        let any = layout(F16, &[size; 4], &[1; 4]);
        for preferred in [NCHW, NHWC, CHWN] {
            assert_eq!(dim_order(&any, &preferred), Ok((preferred.to_vec(), false)), "all of size {size}");
        }
    }
}

/// (13,4,1,15,15) with stride 900 along the dimension of size 1, as as_strided makes it: refused for it, though packed.
#[test]
fn miopen_3763_a_wide_stride_of_size_1() {
    let given = layout(F32, &[13, 4, 1, 15, 15], &[900, 225, 900, 15, 1]);
    assert_eq!(contiguous_run(&given), Ok((5, 13 * 4 * 15 * 15)));
    assert_eq!(dim_order(&given, &[0, 1, 2, 3, 4]), Ok((vec![0, 1, 2, 3, 4], false)));
    assert_eq!(strides(&canonical(&given, STRIDE_SIZE_ONE_NATURAL).unwrap()), [900, 225, 225, 15, 1]);
    // The same with a stride that does count: gaps.
    let gapped = layout(F32, &[13, 4, 2, 15, 15], &[1800, 450, 900, 15, 1]);
    assert_eq!(contiguous_run(&gapped), Ok((2, 15 * 15)));
}

/// cuDNN reads the order out of strides: [A,1] with strides (1,1) and with (1,A) are the same elements.
#[test]
fn xla_17053_a_column_is_a_row() {
    let (ones, column) = (layout(F32, &[96, 1], &[1, 1]), layout(F32, &[96, 1], &[1, 96]));
    assert!(same_mapping(&ones, &column));
    for form in [&ones, &column] {
        let both = STRIDE_FORMAT_PACKED | STRIDE_FORMAT_COLUMN_MAJOR;
        assert_eq!(formats(form).unwrap() & both, both);
        let row = permute(form, &[1, 0]).unwrap();
        assert_eq!(fields(&canonical(&row, STRIDE_SIZE_ONE_NATURAL).unwrap()), (vec![1, 96], vec![96, 1], 0));
        assert_eq!(strides(&canonical(form, STRIDE_SIZE_ONE_NATURAL).unwrap()), [1, 1]);
    }
}

/// (2,2,1,1) by (0,2,3,1) gave 1 2 0 0 out of 1 2 3 4.
#[test]
fn xnnpack_3029_a_transpose_that_moves_nothing() {
    let view = permute(&packed(F32, &[2, 2, 1, 1]), &[0, 2, 3, 1]).unwrap();
    assert_eq!(sizes(&view), [2, 1, 1, 2]);
    assert_eq!(floats(&gathered(&view, &f32s(&[1.0, 2.0, 3.0, 4.0]))), [1.0, 2.0, 3.0, 4.0]);
    assert_ne!(formats(&view).unwrap() & STRIDE_FORMAT_PACKED, 0);
}

/// Broadcast dimensions and those of size 1 keep their places: (2,1,3,1,4,3) with strides (12,4,4,4,1,0).
#[test]
fn fuser_1370_broadcast_dimensions_keep_their_places() {
    let expanded = layout(F32, &[2, 1, 3, 1, 4, 3], &[12, 4, 4, 4, 1, 0]);
    let natural = [0, 1, 2, 3, 4, 5];
    assert_eq!(dim_order(&expanded, &natural), Ok((natural.to_vec(), false)));
    assert_eq!(dim_order(&expanded, &[]), Ok((natural.to_vec(), false)));
    let once = select(&expanded, -1, 0).unwrap();
    assert_eq!(contiguous_run(&once), Ok((5, 24)), "without the repetition it is packed");
}

/// Lengths (1000,1) with strides (1,1) were refused as reaching outside the memory.
#[test]
fn dotnet_117855_a_column_fits_its_memory() {
    let column = layout(S64, &[1000, 1], &[1, 1]);
    assert_eq!(fits(&column, 8000), Ok(()));
    let short = reason(fits(&column, 7999));
    assert_eq!((short.0, short.3, short.4), (Status::OutOfBounds.number(), 8000, 7999));
    assert_eq!(strides(&packed(S64, &[1000, 1])), [1, 1]);
}

/// memref<1x1x?x1xsi32, strided<[36960, 4620, 1, 330]>> collapses to one dimension of stride 1.
#[test]
fn llvm_136485_collapsing_takes_the_stride_that_counts() {
    let source = layout(S32, &[1, 1, 330, 1], &[36960, 4620, 1, 330]);
    assert_eq!(fields(&reshape(&source, &[330]).unwrap()), (vec![330], vec![1], 0));
    assert_eq!(fields(&merge(&source, 0, 4).unwrap()), (vec![330], vec![1], 0));
    assert_eq!(contiguous_run(&source), Ok((4, 330)));
}

/// expand_shape with two sizes of one group known only at run time ended in a crash.
#[test]
fn llvm_186830_two_sizes_of_one_dimension() {
    let source = layout(F32, &[6, 4, 5], &[40, 10, 2]);
    let (expected, sizes) = (vec![80, 40, 10, 2], vec![3, 2, 4, 5]);
    assert_eq!(fields(&reshape(&source, &[3, 2, 4, 5]).unwrap()), (sizes.clone(), expected.clone(), 0));
    assert_eq!(fields(&split(&source, 0, &[3, -1]).unwrap()), (sizes, expected, 0));
}

/// The tag of strides depends on the sizes: (3,1,3,3) with (9,9,3,1) or (9,3,3,1), abcd and acbd (#2175), is abcd.
#[test]
fn onednn_4378_a_tag_of_strides_and_sizes() {
    for strides in [[9, 9, 3, 1], [9, 3, 3, 1], [9, 0, 3, 1]] {
        let shape = to_xla(&layout(F32, &[3, 1, 3, 3], &strides)).unwrap();
        assert_eq!(format_tag(&shape).unwrap(), "abcd", "{strides:?}");
    }
    let moved = to_xla(&layout(F32, &[3, 2, 3, 3], &[18, 3, 6, 1])).unwrap();
    assert_eq!(format_tag(&moved).unwrap(), "acbd", "with two of them it is another one");
}

// --- overflow --------------------------------------------------------------------------------------------------------

/// NCDHW (1,640,100,320,320): strides in 32 bits became negative.
#[test]
fn miopen_847_strides_above_32_bits() {
    let input = packed(S8, &[1, 640, 100, 320, 320]);
    assert_eq!(strides(&input), [6_553_600_000, 10_240_000, 102_400, 320, 1]);
    assert_eq!(min_bytes(&input), Ok(6_553_600_000));
    assert_eq!(offset_of(&input, &[0, 639, 99, 319, 319]), Ok(6_553_599_999));
}

/// `Buffer<uint8_t>(40960, 81920, 3)`: the stride of the third dimension was negative, &buf(0,0,1) below &buf(0,0,0).
#[test]
fn halide_5791_planes_above_2_gib() {
    let image = packed(U8, &[3, 81920, 40960]);
    assert_eq!(image.strides[0], 3_355_443_200);
    assert_eq!(byte_offset_of(&image, &[1, 0, 0]), Ok((3_355_443_200, 0)));
    assert_eq!(min_bytes(&image), Ok(10_066_329_600));
}

/// as_strided of 5 elements with stride 2^62: 4 * 2^62 wraps to 0, and passed.
#[test]
fn paddle_79718_a_reach_that_wraps_to_0() {
    let refused = reason(as_strided(&packed(F32, &[5]), &[5], &[1 << 62], 0));
    assert_eq!(refused, (Status::Overflow.number(), Argument::Strides.number(), 0, 5, 1 << 62));
}

/// "Overflow in tensor strides": a list of 2^60 doubles has 2^63 bytes.
#[test]
fn arrow_8510_byte_strides_that_do_not_fit() {
    let doubles = |size| init(F64, &[2, size], None);
    let refused = error(doubles(1 << 60));
    assert_eq!((refused.status, refused.lhs, refused.rhs), (Status::Overflow.number(), 1 << 61, 64));
    let most = (1i64 << 56) - 1;
    let rows = doubles(most).unwrap();
    assert_eq!(min_bytes(&rows), Ok(16 * most as u64));
    let mut in_bytes = [POISON; 2];
    call!(stride_layout_byte_strides, &rows, 2, in_bytes.as_mut_ptr()).unwrap();
    assert_eq!(in_bytes, [8 * most, 8]);
}

/// A transpose of rank 12 and above had no kernel.
#[test]
fn tensorflow_5606_a_transpose_of_rank_12() {
    let sizes = [2, 3, 2, 1, 2, 3, 2, 2, 1, 2, 3, 2];
    let reversed: Vec<i64> = (0..12).rev().collect();
    let source = packed(F32, &sizes);
    let view = permute(&source, &reversed).unwrap();
    gathered(&view, &arange(element_count(&source).unwrap() as usize));
}

/// A permutation of rank 24 took 39 seconds to compile. Reversed, position k comes from k with its 24 bits reversed.
#[cfg_attr(miri, ignore = "millions of elements")]
#[test]
fn julia_42438_a_permutation_of_rank_24() {
    let reversed: Vec<i64> = (0..24).rev().collect();
    let source = packed(U8, &[2; 24]);
    let view = permute(&source, &reversed).unwrap();
    let memory: Vec<u8> = counted(1 << 24);
    let mut found = vec![0; 1 << 24];
    copy((&source, &mut found), (&view, &memory)).unwrap();
    assert!(found.iter().enumerate().all(|(k, &byte)| byte == memory[(k as u32).reverse_bits() as usize >> 8]));
}

// --- bytes taken for elements ----------------------------------------------------------------------------------------

/// Strides have to be multiples of 16 bytes, not of 16 elements.
#[test]
fn triton_8670_strides_of_16_bytes() {
    let tma = requirements(STRIDE_CONSUMER_TMA);
    for (dtype, columns) in [(F32, 4), (F32, 100), (F16, 8), (F64, 2), (U8, 16)] {
        assert_eq!(meets(&packed(dtype, &[64, columns]), &tma), Ok(()), "{columns} columns");
    }
    assert_eq!(no(meets(&packed(U8, &[64, 8]), &tma)), (Detail::NotAMultiple, 0, 8, 16));
    assert_eq!(no(meets(&packed(F16, &[64, 12]), &tma)), (Detail::NotAMultiple, 0, 24, 16));
}

/// Stores to out[:, :N] of (32,512) went on to the next 16 bytes: int8 with N = 466, int16 with 470, int32 with 466.
#[cfg_attr(miri, ignore = "a hundred thousand elements")]
#[test]
fn triton_11583_nothing_is_written_behind_a_row() {
    let tma = requirements(STRIDE_CONSUMER_TMA);
    for (width, columns) in [(1, 466), (2, 470), (4, 466)] {
        let dtype = bytes_dtype(width);
        let view = crop(&packed(dtype, &[32, 512]), &[0, 0], &[32, columns]).unwrap();
        assert_eq!(meets(&view, &tma), Ok(()), "rows lie 512 elements apart");
        let tight = packed(dtype, &[32, columns]);
        assert_eq!(no(meets(&tight, &tma)), (Detail::NotAMultiple, 0, columns * width as i64, 16));
        let memory = counted(32 * columns as usize * width);
        let out = copied_into(vec![0xA5; 32 * 512 * width], &view, &tight, &memory);
        let after = out.chunks(512 * width).flat_map(|row| &row[columns as usize * width..]);
        assert!(after.copied().all(|byte| byte == 0xA5));
    }
}

// --- strides of one side ignored -------------------------------------------------------------------------------------

/// A transposed source into a strided view was written one element after the other (ggml#1570, llama.cpp#23366).
#[test]
fn llama_cpp_27663_a_transpose_into_a_strided_view() {
    let source = layout(F32, &[5, 3], &[1, 5]);
    let slot = at(7, layout(F32, &[5, 3], &[16, 1]));
    let cache = copied_into(vec![0; 96 * 4], &slot, &source, &arange(15));
    let cache = floats(&cache);
    assert_eq!((&cache[7..10], &cache[23..26]), (&[0.0, 5.0, 10.0][..], &[1.0, 6.0, 11.0][..]));
    assert_eq!(cache.iter().filter(|&&value| value != 0.0).count(), 14, "the rest of the cache lives on");
}

/// arange(64 * 32).reshape(64, 32).T arrived with the first row 0 1 2 ... for 0 32 64 ...
#[test]
fn tt_mlir_8622_a_transposed_host_buffer() {
    let view = byte_strided(F32, &[32, 64], &[4, 128]).unwrap();
    let got = floats(&gathered(&view, &arange(64 * 32)));
    assert_eq!(got[..8], [0.0, 32.0, 64.0, 96.0, 128.0, 160.0, 192.0, 224.0]);
    assert_eq!(got[64..66], [1.0, 33.0]);
}

/// A mirrored host buffer, byte strides (-128, 4), whose pointer is index (0,0) as PJRT has it.
#[test]
fn tt_mlir_8697_a_mirrored_host_buffer() {
    let rows = byte_strided(F32, &[64, 32], &[-128, 4]).unwrap();
    let (rebased, shift) = rebase(&rows).unwrap();
    assert_eq!((shift, rebased.offset), (-63 * 128, 63 * 32));
    let got = floats(&gathered(&rebased, &arange(64 * 32)));
    assert_eq!((got[0], got[31], got[32], got[2047]), (2016.0, 2047.0, 1984.0, 31.0));
}

/// arange(64).reshape(32, 2).transpose(0, 1) of int16 came back as it lay in the buffer (tt-xla#500, #3607).
#[test]
fn tt_xla_3607_back_in_row_major_order() {
    let memory: Vec<u8> = (0..64i16).flat_map(i16::to_ne_bytes).collect();
    let view = layout(Dtype::S16.code(), &[2, 32], &[1, 2]);
    let expected: Vec<u8> = (0..64i16).map(|k| k % 32 * 2 + k / 32).flat_map(i16::to_ne_bytes).collect();
    assert_eq!(gathered(&view, &memory), expected);
}

/// ones((3, 5)).T, byte strides (4,20): "only dense, row-major layouts currently supported".
#[test]
fn openxla_pjrt_plugin_20_a_transposed_array() {
    let view = byte_strided(F32, &[5, 3], &[4, 20]).unwrap();
    assert_eq!(floats(&gathered(&view, &arange(15)))[..6], [0.0, 5.0, 10.0, 1.0, 6.0, 11.0]);
    assert_eq!(minor_to_major(&view), Ok(vec![0, 1]));
}

/// Byte strides also on the way to the host: column-major out of row-major.
#[test]
fn xla_28833_to_the_host_with_byte_strides() {
    let host = byte_strided(F32, &[2, 3], &[4, 8]).unwrap();
    let got = copied_into(vec![0; 24], &host, &packed(F32, &[2, 3]), &arange(6));
    assert_eq!(floats(&got), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
}

/// A region (3,5,5) seen as (1,3,5,5) kept three strides of its owner; the fourth was read after the list.
#[test]
fn openvino_38246_a_region_gets_another_dimension() {
    let owner = packed(F32, &[4, 8, 9]);
    let region = crop(&owner, &[1, 2, 3], &[3, 5, 5]).unwrap();
    let expanded = pad_rank(&region, 4, 0).unwrap();
    assert_eq!((sizes(&expanded), &strides(&expanded)[1..]), (&[1, 3, 5, 5][..], &[72, 9, 1][..]));
    assert_eq!(expanded.offset, 72 + 2 * 9 + 3);
    let got = floats(&gathered(&expanded, &arange(4 * 8 * 9)));
    assert_eq!((got[0], got[5], got[25], got[74]), (93.0, 102.0, 165.0, 277.0));
}

/// Only what two boxes share is copied, from a smaller buffer to a larger one as well: 10 x 10 at (0,0), 6 x 4 at
/// (7,8).
#[test]
fn halide_8463_what_two_boxes_share() {
    let (whole, piece) = (packed(F32, &[10, 10]), packed(F32, &[6, 4]));
    let to = crop(&whole, &[7, 8], &[3, 2]).unwrap();
    let from = crop(&piece, &[0, 0], &[3, 2]).unwrap();
    let got = floats(&copied_into(vec![0; 400], &to, &from, &arange(24)));
    assert_eq!([got[78], got[79], got[88], got[89], got[98], got[99]], [0.0, 1.0, 4.0, 5.0, 8.0, 9.0]);
    let back = floats(&copied_into(vec![0; 96], &from, &to, &arange(100)));
    assert_eq!([back[0], back[1], back[4], back[5], back[8], back[9]], [78.0, 79.0, 88.0, 89.0, 98.0, 99.0]);
    let beyond = reason(crop(&whole, &[7, 8], &[6, 2]));
    assert_eq!((beyond.0, beyond.2, beyond.3, beyond.4), (Status::IndexOutOfRange.number(), 0, 13, 10));
}

/// A copy of 100 x 100 repeated 3 times, stride 0, came out interleaved, with strides (3,300,1).
#[test]
fn halide_8498_a_repeated_dimension_is_not_the_innermost() {
    let repeated = layout(U8, &[3, 100, 100], &[0, 100, 1]);
    assert_eq!(strides(&result(&[repeated])), [10_000, 100, 1]);
    let facts = query(&repeated).unwrap();
    assert_eq!((facts.min_bytes, facts.packed_bytes), (10_000, 30_000), "once, and as often as it is seen");
    let plane = counted(10_000);
    assert_eq!(gathered(&repeated, &plane), plane.repeat(3));
}

/// An interleaved copy of planes, also of a part that does not begin at (0,0).
#[test]
fn halide_3904_an_interleaved_copy_of_a_part() {
    let part = crop(&packed(U8, &[3, 40, 50]), &[0, 5, 7], &[3, 20, 30]).unwrap();
    let interleaved = layout(U8, &[3, 20, 30], &[1, 90, 3]);
    let memory = counted(6000);
    let got = copied_into(vec![0; 1800], &interleaved, &part, &memory);
    assert_eq!(got[..4], [memory[257], memory[2257], memory[4257], memory[258]]);
}

/// `integer :: a(20,3)`, a(1:20:2, :): 20 of the 30 elements arrived wrong.
#[test]
fn mpich_7932_every_second_row_of_fortran() {
    let section = layout(F32, &[3, 10], &[20, 2]);
    let expected: Vec<f32> = (0..30).map(|k| (k / 10 * 20 + k % 10 * 2) as f32).collect();
    assert_eq!(floats(&gathered(&section, &arange(60))), expected);
}

/// A reorder of 2x2x3x2 from abcd to bacd with the strides 48, 100, 8, 3 moved wrong elements.
#[test]
fn onednn_3280_a_reorder_into_gaps() {
    let to = layout(F32, &[2, 2, 3, 2], &[48, 100, 8, 3]);
    let got = floats(&copied_into(vec![0; 168 * 4], &to, &packed(F32, &[2, 2, 3, 2]), &arange(24)));
    assert_eq!((got[3], got[8], got[48], got[100], got[167]), (1.0, 2.0, 12.0, 6.0, 23.0));
}

/// `dst[::2, ::3]` as the destination of slices (2 x 4 at (0,0) and at (2,0)) fell back to a slow path.
#[test]
fn versioned_hdf5_553_slices_into_a_stepped_array() {
    let (source, whole) = (packed(F32, &[4, 4]), packed(F32, &[8, 12]));
    let stepped = slice(&whole, None, None, Some(&[2, 3])).unwrap();
    assert_eq!(fields(&stepped), (vec![4, 4], vec![24, 3], 0));
    let mut memory = vec![0; 8 * 12 * 4];
    for start in [[0, 0], [2, 0]] {
        let (to, from) = (crop(&stepped, &start, &[2, 4]).unwrap(), crop(&source, &start, &[2, 4]).unwrap());
        memory = copied_into(memory, &to, &from, &arange(16));
    }
    let memory = floats(&memory);
    assert_eq!((memory[3], memory[24], memory[48], memory[81], memory[1]), (1.0, 4.0, 8.0, 15.0, 0.0));
}

/// The element (1,2,0) of 2x4x1 is 120, and (1,1,0) is 216, whatever the blocks are.
#[test]
fn c_blosc2_691_a_slice_of_one_element() {
    let data = [58u8, 181, 109, 101, 253, 216, 120, 135];
    let array = packed(U8, &[2, 4, 1]);
    for (start, expected) in [([1, 2, 0], 120), ([1, 1, 0], 216)] {
        assert_eq!(gathered(&crop(&array, &start, &[1, 1, 1]).unwrap(), &data), [expected]);
    }
    // The blocks of 2x1x1 that the report has: the same elements in another order.
    let blocks = init_blocked(U8, &[2, 4, 1], Some(&[1, 0, 2]), &[]).unwrap();
    assert_eq!((linear_index(&blocks, &[1, 2, 0]), linear_index(&blocks, &[1, 1, 0])), (Ok(5), Ok(3)));
}

// --- padded rows -----------------------------------------------------------------------------------------------------

/// Rows of 128 texels of 4 bytes are multiples of 256 already; the padding was computed from 128 and then times 4.
#[test]
fn bevy_16992_a_pitch_of_bytes_and_not_of_texels() {
    let (webgpu, bgra) = (requirements(STRIDE_CONSUMER_WEBGPU), bytes(4).unwrap());
    for (size, pitch, all) in [(128i64, 512, 65_536), (64, 256, 16_384)] {
        let image = packed(bgra, &[size, size]); // 64 x 64: bevy#17357, 65,536 bytes for 16,384
        assert_eq!(meets(&image, &webgpu), Ok(()));
        assert_eq!(fit(&image, &webgpu).strides[0] * 4, pitch);
        assert_eq!(required_bytes(&image, &webgpu), all);
    }
}

/// The sample's image scaled to 500 x 500 came out sheared: 2000 bytes a row, 2048 are needed.
#[cfg_attr(miri, ignore = "a million elements")]
#[test]
fn webgpu_samples_29_rows_of_500_texels() {
    let (webgpu, image) = (requirements(STRIDE_CONSUMER_WEBGPU), packed(bytes(4).unwrap(), &[500, 500]));
    assert_eq!(no(meets(&image, &webgpu)), (Detail::NotAMultiple, 0, 2000, 256));
    let padded = fit(&image, &webgpu);
    assert_eq!(fields(&padded), (vec![500, 500], vec![512, 1], 0));
    assert_eq!(required_bytes(&padded, &webgpu), 499 * 2048 + 2000);
    let memory = counted(1_000_000);
    let texture = copied_into(vec![0; 499 * 2048 + 2000], &padded, &image, &memory);
    assert_eq!((&texture[2048..2052], &texture[2000..2048]), (&memory[2000..2004], &[0; 48][..]));
}

/// An image of 32 x 32 RGBA8 was E_INVALIDARG: its rows have 128 bytes.
#[test]
fn hudhook_174_rows_of_32_texels() {
    let (d3d12, image) = (requirements(STRIDE_CONSUMER_D3D12), packed(bytes(4).unwrap(), &[32, 32]));
    assert_eq!(no(meets(&image, &d3d12)), (Detail::NotAMultiple, 0, 128, 256));
    let padded = fit(&image, &d3d12);
    assert_eq!((padded.strides[0], required_bytes(&padded, &d3d12)), (64, 31 * 256 + 128));
}

/// A texture of 2 x 2 was read back as if its rows were not padded.
#[test]
fn offload_test_suite_1126_four_texels() {
    let d3d12 = requirements(STRIDE_CONSUMER_D3D12);
    let readback = fit(&packed(F32, &[2, 2]), &d3d12);
    assert_eq!((strides(&readback), required_bytes(&readback, &d3d12)), (&[64, 1][..], 264));
    let got = floats(&gathered(&readback, &arange(66)));
    assert_eq!(got, [0.0, 1.0, 64.0, 65.0]);
}

/// Core ML gives rows of 8 values in 16: "innermost dim has min size of 16 but test output only has 8 values".
#[test]
fn onnxruntime_21416_rows_of_8_in_16() {
    let output = padded_layout(F32, &[1, 2, 3, 8], &[1, 2, 3, 16]).unwrap();
    assert_eq!(strides(&output), [96, 48, 16, 1]);
    assert_eq!(contiguous_run(&output), Ok((1, 8)));
    let got = floats(&gathered(&output, &arange(96)));
    let expected: Vec<f32> = (0..48).map(|k| (k / 8 * 16 + k % 8) as f32).collect();
    assert_eq!(got, expected);
}

/// (0 ..< 16) as 4x4, every second column: 0, 2, 4, ... (and mlx-swift#83: rows 0-1, columns 1-2 of 3x3 are 1 2 4 5).
#[test]
fn mlx_swift_96_a_buffer_with_holes() {
    let every_second = slice(&packed(F32, &[4, 4]), None, None, Some(&[1, 2])).unwrap();
    assert_eq!(fields(&every_second), (vec![4, 2], vec![4, 2], 0));
    let got = floats(&gathered(&every_second, &arange(16)));
    assert_eq!(got, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]);
    let part = crop(&packed(F32, &[3, 3]), &[0, 1], &[2, 2]).unwrap();
    assert_eq!(floats(&gathered(&part, &arange(9))), [1.0, 2.0, 4.0, 5.0]);
}

/// required_span_size is 1 plus the sum of (extent - 1) * stride, not the largest extent * stride.
#[test]
fn kokkos_mdspan_195_the_span_is_a_sum() {
    // Too small by the old formula: 4 * 4 = 16 elements; and too large: 3 * 100 = 300.
    for (sizes, strides, elements) in [([4, 4], [3, 4], 22), ([3, 5], [100, 1], 205)] {
        let mapping = layout(U8, &sizes, &strides);
        assert_eq!((span(&mapping), min_bytes(&mapping)), (Ok((0, elements - 1)), Ok(elements as u64)));
    }
    assert_eq!(min_bytes(&layout(U8, &[3, 0], &[100, 1])), Ok(0));
    assert_eq!(min_bytes(&packed(U8, &[])), Ok(1));
}

// --- composition -----------------------------------------------------------------------------------------------------

fn compose(outer: &stride_layout, inner: &stride_layout) -> Answer<(stride_layout, Vec<u32>)> {
    let mut parts = vec![77; inner.rank as usize];
    let out = made(|out| call!(stride_layout_compose, outer, inner, out, inner.rank, parts.as_mut_ptr()));
    out.map(|out| (out, parts))
}

/// (2,3):(1,2) o (2,3):(3,1) is (2,3):(3,1); column-major, the first mode fastest. Here the last one is.
#[test]
fn cutlass_1353_a_packed_layout_changes_nothing() {
    let (columns, rows) = (packed(F32, &[3, 2]), layout(F32, &[3, 2], &[1, 3]));
    let (composed, parts) = compose(&columns, &rows).unwrap();
    assert_eq!((fields(&composed), parts), ((vec![3, 2], vec![1, 3], 0), vec![1, 1]));
}

/// Two views as one: (2,12,2) over (2,4,3,2) with strides (0,3,0,1) and offset 12 (from #2940's fuzzer). Where no
/// strides say it, the answer is no: 7 numbers in a row out of rows of 4.
#[test]
fn tinygrad_3407_two_views_as_one() {
    let outer = at(12, layout(F32, &[2, 4, 3, 2], &[0, 3, 0, 1]));
    let (composed, parts) = compose(&outer, &packed(F32, &[2, 12, 2])).unwrap();
    assert_eq!((fields(&composed), parts), ((vec![2, 4, 3, 2], vec![0, 3, 0, 1], 12), vec![1, 2, 1]));
    let merged = side(&composed).offsets();
    assert_eq!(merged, side(&outer).offsets(), "every element where it was");
    let rows = layout(F32, &[3, 4], &[8, 1]);
    let refused = error(compose(&rows, &packed(F32, &[7])));
    assert_eq!((refused.status, refused.dimension), (Status::NotRepresentable.number(), 0));
}

// --- requirements ----------------------------------------------------------------------------------------------------

/// Descriptors that said 256 bytes of a pointer into which a view's offset had been counted: the kernel failed.
#[test]
fn tenferro_rs_1832_an_offset_takes_alignment_away() {
    let mut cutensor = requirements(STRIDE_CONSUMER_CUTENSOR);
    cutensor.base_alignment = 256;
    let block = crop(&packed(F64, &[64, 64]), &[3, 5], &[8, 8]).unwrap();
    assert_eq!(meets(&packed(F64, &[64, 64]), &cutensor), Ok(()));
    assert_eq!(no(meets(&block, &cutensor)), (Detail::NotAMultiple, -1, (3 * 64 + 5) * 8, 256));
    assert_eq!(alignment(&block, 256), Ok((8, 8)), "what may be said of it");
    let rows = crop(&packed(F64, &[64, 64]), &[3, 0], &[8, 64]).unwrap();
    assert_eq!(alignment(&rows, 256), Ok((8, 256)), "whole rows keep the base's");
}

/// Alignment belongs to what a plan is remembered by: a[1:] of floats has 4 bytes where a has 128.
#[test]
fn cupy_8149_a_view_has_an_alignment_of_its_own() {
    let whole = packed(F32, &[65]);
    let rest = slice(&whole, Some(&[1]), None, None).unwrap();
    assert_eq!((alignment(&whole, 128), alignment(&rest, 128)), (Ok((4, 128)), Ok((4, 4))));
    let mut cutensor = requirements(STRIDE_CONSUMER_CUTENSOR);
    cutensor.base_alignment = 4;
    assert_eq!(meets(&rest, &cutensor), Ok(()));
    cutensor.base_alignment = 128;
    assert_eq!(no(meets(&rest, &cutensor)), (Detail::NotAMultiple, -1, 4, 128));
}

// --- DLPack ----------------------------------------------------------------------------------------------------------

/// arange(6).reshape(2, 3) with its axes moved has strides (1,3): [1,0] is 1, and was read as 2 (#7657).
#[test]
fn jax_8082_strides_of_dlpack_are_honoured() {
    let (mut shape, mut strides) = ([3i64, 2], [1i64, 3]);
    let tensor = stride_dl_tensor {
        data: std::ptr::null_mut(),
        device_type: 1,
        device_id: 0,
        ndim: 2,
        dtype_code: 2,
        dtype_bits: 32,
        dtype_lanes: 1,
        shape: shape.as_mut_ptr(),
        strides: strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let view = made(|out| call!(stride_layout_from_dlpack, &tensor, out)).unwrap();
    assert_eq!((offset_of(&view, &[1, 0]), offset_of(&view, &[0, 1])), (Ok(1), Ok(3)));
    assert_eq!(floats(&gathered(&view, &arange(6))), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
}

// --- images ----------------------------------------------------------------------------------------------------------

/// Planes of an image and its length.
fn planes(fourcc: u32, width: i64, height: i64, pitches: &[u64], alignment: u64) -> (Vec<stride_layout>, u64) {
    let (mut count, mut parts, mut bytes) = (0u32, [blank(); 4], 0u64);
    let (number, list, out) = (pitches.len() as u32, pitches.as_ptr(), parts.as_mut_ptr());
    call!(stride_image_planes, fourcc, width, height, number, list, alignment, &mut count, out, &mut bytes).unwrap();
    (parts[..count as usize].to_vec(), bytes)
}

/// The chroma plane of NV12 has the pitch of the luma plane and half the rows.
#[test]
fn linux_meson_67_one_pitch_for_both_planes() {
    let (parts, bytes) = planes(STRIDE_FOURCC_NV12, 720, 576, &[], 32);
    assert_eq!((parts[0].strides[0], parts[1].strides[0]), (736, 736));
    assert_eq!((parts[1].sizes[0], parts[1].offset, bytes), (288, 736 * 576, 736 * 864));
}

/// 650 rows: with luma rows of a multiple of 32 bytes V begins at a multiple of 16 only, with 64 at one of 32.
#[test]
fn rpicam_apps_42_where_the_third_plane_begins() {
    let of = |pitch: u64| planes(STRIDE_FOURCC_I420, 800, 650, &[pitch, pitch / 2, pitch / 2], 1).0;
    let (narrow, wide) = (of(800), of(832));
    assert_eq!((narrow[1].offset, narrow[2].offset), (520_000, 650_000));
    assert_eq!((wide[1].offset, wide[2].offset), (540_800, 676_000));
    assert_eq!((narrow[2].offset % 32, wide[2].offset % 32), (16, 0));
    // A 32-byte row of V, asked as the driver has to.
    let mut isp = requirements(STRIDE_CONSUMER_ANY);
    isp.base_alignment = 32;
    assert_eq!(no(meets(&narrow[2], &isp)), (Detail::NotAMultiple, -1, 650_000, 32));
    assert_eq!(meets(&wide[2], &isp), Ok(()));
}

/// Planes of an image as a struct says it, and its length.
fn planes_of(image: &stride_image) -> Answer<(Vec<stride_layout>, u64)> {
    let (mut count, mut parts, mut bytes) = (0u32, [blank(); 4], 0u64);
    call!(stride_image_planes_of, image, &mut count, parts.as_mut_ptr(), &mut bytes)?;
    Ok((parts[..count as usize].to_vec(), bytes))
}

fn components_of(image: &stride_image) -> Vec<stride_layout> {
    let (mut count, mut parts, mut bytes) = (0u32, [blank(); 4], 0u64);
    call!(stride_image_components_of, image, &mut count, parts.as_mut_ptr(), &mut bytes).unwrap();
    parts[..count as usize].to_vec()
}

fn image(fourcc: u32, width: i64, height: i64) -> stride_image {
    stride_image { struct_size: size_of::<stride_image>() as u32, fourcc, width, height, ..oracle::zeroed() }
}

/// Four samples of 10 bits in 5 bytes: no layout says that, and the refusal says why. What has them in 16 bits works.
#[test]
fn yuview_699_samples_of_ten_bits() {
    for letters in [b"NV15", b"NV20", b"NV30", b"P030", b"v210", b"UYVP", b"YUVP", b"Y10P"] {
        let fourcc = u32::from_le_bytes(*letters);
        let refused = error(planes_of(&image(fourcc, 64, 64)));
        let expected = (Status::Unsupported.number(), Argument::Fourcc.number(), Detail::FourccPacked.number() as u64);
        assert_eq!(
            (refused.status, refused.argument, refused.detail, refused.rhs),
            (expected.0, expected.1, expected.2, 10)
        );
        assert!(sentence(&refused).contains(std::str::from_utf8(letters).unwrap()));
    }
    let (parts, bytes) = planes_of(&image(STRIDE_FOURCC_P210, 64, 64)).unwrap();
    assert_eq!((fields(&parts[1]).0, bytes), (vec![64, 32, 2], 64 * 64 * 4));
}

/// With NV21 and YV16 the display took V for U: the components keep their order, and lie where the code says.
#[test]
fn firmware_1767_v_before_u() {
    let uv = |fourcc| -> Vec<i64> { components_of(&image(fourcc, 800, 480))[1..].iter().map(|of| of.offset).collect() };
    let luma = 800 * 480;
    assert_eq!(uv(STRIDE_FOURCC_NV12), [luma, luma + 1]);
    assert_eq!(uv(STRIDE_FOURCC_NV21), [luma + 1, luma]);
    assert_eq!(uv(STRIDE_FOURCC_YV12), [luma + luma / 4, luma]);
    assert_eq!(uv(STRIDE_FOURCC_YV16), [luma + luma / 2, luma]);
}

/// The formats that cameras have: each gives the same three components, by its own code and by its other names.
#[test]
fn cosmic_ext_camera_3_formats_of_cameras() {
    for (names, chroma_rows) in
        [(["NV12", "NV21", "YV12", "I420", "IYUV"], 2), (["YUY2", "YUYV", "UYVY", "YVYU", "VYUY"], 4)]
    {
        for name in names {
            let mut fourcc = 0;
            call!(stride_image_fourcc, name.as_ptr().cast(), name.len() as u64, &mut fourcc).unwrap();
            let parts = components_of(&image(fourcc, 6, 4));
            assert_eq!(parts.len(), 3, "{name}");
            assert_eq!((fields(&parts[0]).0, fields(&parts[2]).0), (vec![4, 6], vec![chroma_rows, 3]), "{name}");
        }
    }
}

/// The bytes of planar images with half the columns, and half the rows.
#[test]
fn bigwheels_479_bytes_of_planar_images() {
    for (fourcc, halves_of_a_pixel) in [
        (STRIDE_FOURCC_NV12, 3),
        (STRIDE_FOURCC_I420, 3),
        (STRIDE_FOURCC_NV16, 4),
        (STRIDE_FOURCC_I422, 4),
        (STRIDE_FOURCC_NV24, 6),
        (STRIDE_FOURCC_I444, 6),
        (STRIDE_FOURCC_P010, 6),
        (STRIDE_FOURCC_P210, 8),
        (STRIDE_FOURCC_P410, 12),
    ] {
        assert_eq!(planes_of(&image(fourcc, 1024, 768)).unwrap().1, 1024 * 768 * halves_of_a_pixel / 2);
    }
}

/// P410, P412 and P416: NV24 with samples of 16 bits, U before V (FFmpeg's libavutil/pixdesc.c: planes 0, 1, 1; steps
/// 2, 4, 4; offsets 0, 0, 2).
#[test]
fn vaapi_fits_167_two_planes_without_subsampling() {
    for (fourcc, name) in
        [(STRIDE_FOURCC_P410, "p410le"), (STRIDE_FOURCC_P412, "p412le"), (STRIDE_FOURCC_P416, "p416le")]
    {
        let mut named = 0;
        call!(stride_image_fourcc, name.as_ptr().cast(), name.len() as u64, &mut named).unwrap();
        assert_eq!(named, fourcc, "{name}");
        let parts = components_of(&image(fourcc, 5, 3));
        let expected = [(vec![3, 5], vec![5, 1], 0), (vec![3, 5], vec![10, 2], 15), (vec![3, 5], vec![10, 2], 16)];
        assert_eq!(parts.iter().map(fields).collect::<Vec<_>>(), expected, "{name}");
    }
}

/// A camera aligns rows to 32 bytes and the height to 16: 1944 x 2592 is 1952 x 2592 with 8 unused pixels a row.
#[test]
fn userland_425_a_padded_frame() {
    let rotated = stride_image { pitch_alignment: 32, height_alignment: 16, ..image(STRIDE_FOURCC_GREY, 1944, 2592) };
    let (parts, bytes) = planes_of(&rotated).unwrap();
    assert_eq!((fields(&parts[0]), bytes), ((vec![2592, 1944, 1], vec![1952, 1, 1], 0), 1952 * 2592));
    let full = stride_image { height_alignment: 16, ..image(STRIDE_FOURCC_I420, 1920, 1080) };
    let (parts, bytes) = planes_of(&full).unwrap();
    assert_eq!((parts[1].offset, parts[2].offset, bytes), (1920 * 1088, 1920 * 1088 + 960 * 544, 1920 * 1632));
    assert_eq!((fields(&parts[0]).0, fields(&parts[1]).0), (vec![1080, 1920, 1], vec![540, 960, 1]));
}

/// A decoder of 1920 x 1080 writes 1088 rows: chroma begins after the eight that are no picture.
#[test]
fn media_sdk_2196_rows_that_are_no_picture() {
    let surface = stride_image { height_alignment: 16, ..image(STRIDE_FOURCC_NV12, 1920, 1080) };
    let (parts, bytes) = planes_of(&surface).unwrap();
    assert_eq!((parts[1].offset, bytes), (1920 * 1088, 1920 * 1088 * 3 / 2));
    assert_eq!((parts[0].sizes[0], parts[1].sizes[0]), (1080, 540));
    // The same, said by an offset.
    let placed = stride_image { offset_count: 2, offsets: [0, 1920 * 1088, 0, 0], height_alignment: 0, ..surface };
    assert_eq!(fields(&planes_of(&placed).unwrap().0[1]), fields(&parts[1]));
}

/// RGB24 of 624 x 480 has rows of 1920 bytes, 32 pixels' worth of multiples, and takes 921,600 bytes.
#[test]
fn linux_3503_rows_of_a_multiple_of_32_pixels() {
    let captured = stride_image { pitch_alignment: 96, height_alignment: 16, ..image(STRIDE_FOURCC_RGB24, 624, 480) };
    let (parts, bytes) = planes_of(&captured).unwrap();
    assert_eq!((parts[0].strides[0], bytes), (1920, 921_600));
}

/// A frame that a filter turned upside down has negative line sizes, and pointers to its last rows: what was read lay
/// past the end. The elements lie before the pointer, and `bytes` counts them.
#[test]
fn pyav_1244_a_frame_upside_down() {
    let mut flipped = stride_image { pitch_count: 3, ..image(STRIDE_FOURCC_I420, 6, 4) };
    flipped.pitches = [-8, -4, -4, 0];
    let (parts, bytes) = planes_of(&flipped).unwrap();
    assert_eq!(bytes, 8 * 4 + 2 * 4 * 2);
    assert_eq!(span(&parts[0]), Ok((-24, 5)));
    // Behind Y, whose last byte is 7, U and V: each one's row 0 is its second in memory.
    assert_eq!((parts[1].offset, parts[2].offset), (8 + 4, 8 + 8 + 4));
    assert_eq!((span(&parts[1]), span(&parts[2])), (Ok((8, 14)), Ok((16, 22))));
    // Memory has rows 3 to 0 of Y, 1 and 0 of U, 1 and 0 of V, padded; the picture has row 0 first.
    let memory: Vec<u8> = (0..bytes as u8).collect();
    let from_start = stride_image { offset_count: 3, offsets: [24, 36, 44, 0], ..flipped };
    for (part, first) in components_of(&from_start).iter().zip([24u8, 36, 44]) {
        let picture = gathered(part, &memory);
        assert_eq!(picture[..3], [first, first + 1, first + 2]);
        assert_eq!(picture.last(), Some(&(first - if first == 24 { 24 - 5 } else { 4 - 2 })));
    }
}

// --- blocked formats -------------------------------------------------------------------------------------------------

/// Sizes and padded sizes out of a descriptor of OIhw2o8i8o2i.
#[test]
fn onednn_575_blocks_out_of_a_shape() {
    let shape = parse_tag("OIhw2o8i8o2i", F32, &[17, 3, 3, 3]).unwrap();
    assert_eq!(to_blocked(&shape), Ok((vec![0, 1, 2, 3], vec![(0, 2), (1, 8), (0, 8), (1, 2)])));
    assert_eq!(byte_size(&shape), Ok(4 * 32 * 16 * 9), "padded to 32 and 16");
    assert_eq!(shape.sizes[..4], [17, 3, 3, 3]);
    // o = 13 is 0, 1, 5 in blocks of 16 = 2 * 8; i = 2 is 0, 1, 0 in blocks of 16 = 8 * 2.
    let expected = position([0, 0, 1, 2, 1, 1, 5, 0], [2, 1, 3, 3, 2, 8, 8, 2]);
    assert_eq!(linear_index(&shape, &[13, 2, 1, 2]), Ok(expected));
}

/// The tag of a descriptor cannot be asked for (nor can "nChw16c" be guessed from block sizes, #445).
#[test]
fn onednn_470_the_tag_of_a_shape() {
    for (tag, name) in [("nchw", "abcd"), ("nhwc", "acdb"), ("nChw8c", "aBcd8b"), ("nChw16c", "aBcd16b")] {
        let shape = parse_tag(tag, F32, &[2, 32, 5, 7]).unwrap();
        assert_eq!(format_tag(&shape).unwrap(), name);
    }
}

/// Reorders of 512x512 from ba to BA8b4a and BA4b4a and from ab to Ab4a were wrong.
#[test]
fn onednn_2751_weights_in_two_blocks() {
    let n = 512;
    let at = |tag, a, b| linear_index(&parse_tag(tag, F32, &[n, n]).unwrap(), &[a, b]).unwrap();
    for k in 0..oracle::times(4096) {
        let (a, b) = (k * 37 % n, (k * 101 + k / 7) % n);
        assert_eq!(at("ba", a, b), b * n + a);
        assert_eq!(at("BA8b4a", a, b), position([b / 8, a / 4, b % 8, a % 4], [64, 128, 8, 4]));
        assert_eq!(at("BA4b4a", a, b), position([b / 4, a / 4, b % 4, a % 4], [128, 128, 4, 4]));
        assert_eq!(at("Ab4a", a, b), position([a / 4, b, a % 4], [128, n, 4]));
    }
}

/// NCHWc4 and NCHWc8: channels in blocks of 4 and 8.
#[test]
fn miopen_1532_channels_in_blocks() {
    for (tag, block) in [("NCHW4c", 4), ("NCHW8c", 8)] {
        let shape = parse_tag(tag, S8, &[2, 16, 3, 5]).unwrap();
        for (n, c, h, w) in [(0, 5, 1, 0), (1, 15, 2, 4), (1, 8, 0, 3)] {
            let expected = position([n, c / block, h, w, c % block], [2, 16 / block, 3, 5, block]);
            assert_eq!(linear_index(&shape, &[n, c, h, w]), Ok(expected), "{tag}");
        }
    }
}

/// The length of a one-dimensional convolution is its one spatial dimension, not layers: sizes are n, c, l.
#[test]
fn paddle_26944_a_length_is_spatial() {
    for (tag, strides) in [("NLC", [15, 1, 3]), ("NCL", [15, 5, 1]), ("nlc", [15, 1, 3])] {
        let layout = from_xla(&parse_tag(tag, F32, &[2, 3, 5]).unwrap()).unwrap();
        assert_eq!(fields(&layout), (vec![2, 3, 5], strides.to_vec(), 0), "{tag}");
    }
    let weights = from_xla(&parse_tag("LIO", F32, &[4, 3, 5]).unwrap()).unwrap(); // o, i, l
    assert_eq!(fields(&weights).1, [1, 4, 12]);
    // With directions they are layers, as in oneDNN.
    assert_eq!(format_tag(&parse_tag("ldnc", F32, &[2, 1, 3, 5]).unwrap()).unwrap(), "abcd");
}

/// OIHW to OHWI16i64o2i, several blocks of a dimension, padded at its end.
#[test]
fn tvm_9996_several_blocks_of_a_dimension() {
    let (o, i, h, w) = (70, 40, 3, 2);
    let shape = parse_tag("OHWI16i64o2i", F32, &[o, i, h, w]).unwrap();
    assert_eq!(byte_size(&shape), Ok(4 * 128 * 64 * 6), "70 to 128, 40 to 64");
    for index in [[0, 1, 0, 0], [65, 33, 2, 1], [69, 39, 1, 0]] {
        let [o, i, h, w] = index;
        let digits = [o / 64, h, w, i / 32, i % 32 / 2, o % 64, i % 2];
        assert_eq!(linear_index(&shape, &index), Ok(position(digits, [2, 3, 2, 2, 16, 64, 2])));
    }
}

/// (a, b, c) to (a, c, b / 3, b % 3) of 10x20x30: 20 is padded to 21 (#15184).
#[test]
fn tvm_12720_a_block_that_does_not_divide() {
    let shape = init_blocked(F32, &[10, 20, 30], Some(&[0, 2, 1]), &[(1, 3)]).unwrap();
    assert_eq!(byte_size(&shape), Ok(4 * 10 * 30 * 7 * 3));
    for [a, b, c] in [[0, 1, 0], [3, 19, 7], [9, 17, 29]] {
        let expected = position([a, c, b / 3, b % 3], [10, 30, 7, 3]);
        assert_eq!(linear_index(&shape, &[a, b, c]), Ok(expected));
    }
    assert_eq!(format_tag(&shape).unwrap(), "acB3b");
}

/// Sizes rounded up on the host, before the device chooses its tiles: 100x250 by 16 is 112x256.
#[test]
fn iree_17077_the_length_of_padded_storage() {
    let padded = padded_layout(F32, &[100, 250], &[112, 256]).unwrap();
    assert_eq!(strides(&padded), [256, 1]);
    let blocked = init_blocked(F32, &[100, 250], None, &[(0, 16), (1, 16)]).unwrap();
    assert_eq!(byte_size(&blocked), Ok(112 * 256 * 4));
    let tiles = init_blocked(F32, &[100, 250], None, &[(0, 8), (1, 4)]).unwrap();
    assert!(byte_size(&tiles).unwrap() <= 112 * 256 * 4, "tiles that divide the rounding fit into it");
}

// --- overlap, and strides over memory --------------------------------------------------------------------------------

/// as_strided that goes out of its array, at the end and, with negative strides, in front.
#[test]
fn numpy_8315_neither_end_is_passed() {
    let array = packed(F64, &[10]);
    let outside = |sizes: &[i64], strides: &[i64], offset| {
        let found = reason(as_strided(&array, sizes, strides, offset));
        (found.0, found.3, found.4)
    };
    let out = Status::OutOfBounds.number();
    assert_eq!(outside(&[4], &[3], 1), (out, 10, 9));
    assert_eq!(outside(&[5], &[-1], 3), (out, -1, 0));
    assert_eq!(fields(&as_strided(&array, &[4], &[3], 0).unwrap()), (vec![4], vec![3], 0));
    assert_eq!(fields(&as_strided(&array, &[5], &[-1], 4).unwrap()), (vec![5], vec![-1], 4));
}

/// In place, square matrices came out right, others wrong.
#[test]
fn openblas_1289_transposes_in_place() {
    for (rows, columns) in [(5, 5), (3, 5), (5, 3), (1, 7), (64, 3)] {
        let (from, to) = (packed(F32, &[rows, columns]), layout(F32, &[rows, columns], &[1, rows]));
        let mut buffer = arange((rows * columns) as usize);
        let expected: Vec<f32> = (0..rows * columns).map(|k| (k % rows * columns + k / rows) as f32).collect();
        let transpose = plan(&flags(STRIDE_COPY_OVERLAP), &to, &from).unwrap();
        execute_scratch(&transpose, &mut buffer, 0, 0).unwrap();
        assert_eq!(floats(&buffer), expected, "{rows} x {columns}");
    }
}

/// A span of two elements with stride 0 over an array of one: the second was written after it (#106535).
#[test]
fn dotnet_107852_a_repeated_element_is_no_destination() {
    let repeated = layout(F64, &[2], &[0]);
    assert_eq!(min_bytes(&repeated), Ok(8));
    let memory: Vec<u8> = [1f64, 2.0].iter().flat_map(|value| value.to_ne_bytes()).collect();
    let mut array = [0xA5; 8];
    let refused = reason(copy((&repeated, &mut array), (&packed(F64, &[2]), &memory)));
    assert_eq!((refused.0, refused.2, refused.3, refused.4), (Status::Overlap.number(), 0, 0, 2));
    assert_eq!(array, [0xA5; 8]);
}

// --- elementwise loops and results -----------------------------------------------------------------------------------

/// The product of two slices of 3 out of 0 1 2 3 is 5, not 14: what lies after the slice is not part of it (#106280).
#[test]
fn dotnet_106985_a_product_of_slices() {
    let slice = crop(&packed(F32, &[4]), &[0], &[3]).unwrap();
    let values = [0f32, 1.0, 2.0, 3.0];
    let (mut product, mut elements) = (0.0, 0);
    let mut runs = runs_of(&[slice, slice]).unwrap();
    let (mut at, steps) = ([0; 2], run_strides(&runs, 2).unwrap());
    loop {
        let count = next_run(&mut runs, &mut at).unwrap();
        if count == 0 {
            break;
        }
        let value = |operand: usize, k: u64| values[((at[operand] + steps[operand] * k as i64) / 4) as usize];
        product += (0..count).map(|k| value(0, k) * value(1, k)).sum::<f32>();
        elements += count;
    }
    assert_eq!((product, elements), (5.0, 3));
}

/// `arr[::-1]` takes no fast path, and `arr[::-1, :]` is two loops; reversed, both are one run.
#[test]
fn numpy_27844_mirrored_axes_are_one_run() {
    for axes in [&[0][..], &[1], &[0, 1]] {
        let mirrored = flip(&packed(F32, &[6, 4]), axes).unwrap();
        assert_eq!(fields(&coalesce(&[mirrored]).unwrap()[0]), (vec![24], vec![1], 0), "{axes:?}");
    }
    let row = flip(&packed(F32, &[9]), &[0]).unwrap();
    assert_eq!(fields(&coalesce(&[row]).unwrap()[0]), (vec![9], vec![1], 0));
}

/// Two arrays in column-major order are one run, as two in row-major order are.
#[test]
fn ndarray_749_two_column_major_arrays() {
    let columns = ordered(F64, &[50, 60], &[0, 1]).unwrap();
    for joined in coalesce(&[columns, columns]).unwrap() {
        assert_eq!(fields(&joined), (vec![3000], vec![1], 0));
    }
    let mixed = coalesce(&[columns, packed(F64, &[50, 60])]).unwrap();
    assert_eq!(fields(&mixed[0]), (vec![60, 50], vec![50, 1], 0));
    assert_eq!(fields(&mixed[1]), (vec![60, 50], vec![1, 60], 0));
}

// --- records and byte orders -----------------------------------------------------------------------------------------

/// The field f64 of np.zeros(4, [('a', 'f8'), ('b', 'i1')]): 9 bytes apart, taken for contiguous.
#[test]
fn pybind11_6164_a_field_nine_bytes_apart() {
    let mut records = counted(4 * 9);
    let field = of_bytes(F64, &[4], &[9]).unwrap();
    let values = bytes_of(&packed(F64, &[4])).unwrap();
    assert_eq!(fields(&field), (vec![4, 8], vec![9, 1], 0));
    let got = copied_into(vec![0; 32], &values, &field, &records);
    assert_eq!(got, records.chunks(9).flat_map(|record| &record[..8]).copied().collect::<Vec<_>>());
    // Back into the field, and into no neighbour.
    let before = records.clone();
    copy((&field, &mut records), (&values, &[0xEE; 32])).unwrap();
    assert!(records.chunks(9).zip(before.chunks(9)).all(|(now, was)| now[..8] == [0xEE; 8] && now[8] == was[8]));
    // What counts in elements says where to go on.
    let refused = error(byte_strided(F64, &[4], &[9]));
    assert_eq!((refused.status, refused.lhs, refused.rhs), (Status::InvalidStride.number(), 9, 8));
    assert!(
        sentence(&refused).contains("stride_layout_init_bytes")
            && sentence(&refused).contains("stride_layout_as_bytes")
    );
}

/// Rows of complex components 28 bytes apart, whose elements have 8.
#[test]
fn lfortran_10790_complex_rows_28_bytes_apart() {
    let c64 = Dtype::C64.code();
    let (rows, memory) = (of_bytes(c64, &[3, 2], &[28, 8]).unwrap(), counted(2 * 28 + 16));
    let got = copied_into(vec![0; 48], &bytes_of(&packed(c64, &[3, 2])).unwrap(), &rows, &memory);
    assert_eq!(got, [&memory[..16], &memory[28..44], &memory[56..]].concat());
}

/// `>f4` on a little-endian machine (on the other one `<f4`): equal orders only move bits, other ones swap bytes.
#[test]
fn dlpack_97_the_other_byte_order() {
    let foreign = Dtype::F32.swapped().code();
    let (native, memory) = (f32s(&[1.5, -2.0, 0.1]), [[0x3F, 0xC0, 0, 0], [0xC0, 0, 0, 0], [0x3D, 0xCC, 0xCC, 0xCD]]);
    let memory: Vec<u8> = memory.into_iter().flat_map(|b| u32::from_be_bytes(b).swap_bytes().to_ne_bytes()).collect();
    let between = |dst: u32, src: u32, from: &[u8]| {
        let mut to = vec![0; 12];
        copy((&packed(dst, &[3]), &mut to), (&packed(src, &[3]), from)).unwrap();
        to
    };
    assert_eq!((between(F32, foreign, &memory), between(foreign, F32, &native)), (native.clone(), memory.clone()));
    assert_eq!(between(foreign, foreign, &memory), memory);
    assert_eq!(between(bytes_dtype(4), foreign, &memory), memory, "plain bytes have no order");
    // DLPack has no word for it, and no tensor comes out.
    let mut tensor: stride_dl_tensor = oracle::zeroed();
    let (mut shape, mut steps) = ([0; 1], [0; 1]);
    let layout = packed(foreign, &[3]);
    let refused = call!(stride_layout_to_dlpack, &layout, 1, shape.as_mut_ptr(), steps.as_mut_ptr(), &mut tensor);
    assert_eq!(status(refused), Status::InvalidDtype.number());
}

/// The livetime of a FITS file, f64 in the other order, for who takes native ones only.
#[test]
fn cosipy_636_fits_values_become_native() {
    let foreign = packed(Dtype::F64.swapped().code(), &[5]);
    let livetime = [0.0, 1.5, 2.25, 1e-300, -7.0f64];
    let memory: Vec<u8> = livetime.iter().flat_map(|value| value.to_bits().swap_bytes().to_ne_bytes()).collect();
    let mut to = vec![0; 40];
    copy((&packed(F64, &[5]), &mut to), (&foreign, &memory)).unwrap();
    assert_eq!(to, livetime.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<_>>());
    assert_eq!(compare((&packed(F64, &[5]), &to), (&foreign, &memory)), Ok(-1));
    to[17] ^= 1;
    assert_eq!(compare((&packed(F64, &[5]), &to), (&foreign, &memory)), Ok(2));
}

/// A table of records in the other order, whose fields lie at any byte: 13 bytes of (u8, f32, f64).
#[test]
fn virtualizarr_1047_big_endian_records() {
    let records: Vec<(u8, f32, f64)> = (0..50u8).map(|k| (k, k as f32 / 3.0, k as f64 * -1e9)).collect();
    let memory: Vec<u8> = records
        .iter()
        .flat_map(|&(tag, x, y)| {
            let (x, y) = (x.to_bits().swap_bytes().to_ne_bytes(), y.to_bits().swap_bytes().to_ne_bytes());
            [&[tag][..], &x, &y].concat()
        })
        .collect();
    let column = |dtype: Dtype, first: usize| {
        let (field, to) = (of_bytes(dtype.swapped().code(), &[50], &[13]).unwrap(), packed(dtype.code(), &[50]));
        let mut values = vec![0; 50 * dtype.bits() as usize / 8];
        copy((&bytes_of(&to).unwrap(), &mut values), (&field, &memory[first..])).unwrap();
        values
    };
    assert_eq!(column(Dtype::F32, 1), records.iter().flat_map(|of| of.1.to_ne_bytes()).collect::<Vec<_>>());
    assert_eq!(column(Dtype::F64, 5), records.iter().flat_map(|of| of.2.to_ne_bytes()).collect::<Vec<_>>());
}

/// A chunk in the other order is read to an array and written back, column-major on the way.
#[test]
fn zarr_jl_63_chunks_in_the_other_order() {
    let c64 = Dtype::C64;
    let (chunk, julia) = (packed(c64.swapped().code(), &[3, 4]), layout(c64.code(), &[3, 4], &[1, 3]));
    let memory = counted(96);
    let (mut array, mut back) = (vec![0; 96], vec![0; 96]);
    copy((&julia, &mut array), (&chunk, &memory)).unwrap();
    // Element (1, 2) is number 6 of the chunk and number 7 of the array; each part is swapped by itself.
    let part = |first: usize| memory[first..first + 4].iter().rev().copied().collect::<Vec<_>>();
    assert_eq!(array[56..64], [part(48), part(52)].concat());
    copy((&chunk, &mut back), (&julia, &array)).unwrap();
    assert_eq!(back, memory);
}

// --- channels and streams ---------------------------------------------------------------------------------------------

fn take(dst: (&stride_layout, &mut [u8]), src: (&stride_layout, &[u8]), list: &[i64], fill: u8) -> Answer<()> {
    let options = stride_copy_options { fill: [fill; 16], ..flags(0) };
    let ((to, memory), (from, bytes)) = (dst, src);
    let (length, from_length) = (memory.len() as u64, bytes.len() as u64);
    let (to_memory, from_memory) = (memory.as_mut_ptr().cast(), bytes.as_ptr().cast());
    let (runs, channel) = (sides::list(list), from.rank as usize - 1);
    let taken = sides::through(sides::side(from), channel, &runs);
    call!(stride_copy_sides, &sides::side(to), to_memory, length, &taken, from_memory, from_length, &options)
}

/// A buffer of 0x00RRGGBB words, as softbuffer has them, for who wants RGBA: the fourth channel is 255.
#[test]
fn softbuffer_290_words_to_rgba() {
    let pixels = packed(U8, &[480, 640, 4]);
    let memory = counted(480 * 640 * 4);
    let mut rgba = vec![0; memory.len()];
    take((&pixels, &mut rgba), (&pixels, &memory), &[2, 1, 0, -1], 255).unwrap();
    let naive: Vec<u8> = memory.chunks(4).flat_map(|of| [of[2], of[1], of[0], 255]).collect();
    assert!(rgba == naive);
}

/// A frame of BGRA whose rows are padded, to RGB without padding: the order changes and a channel goes, in one pass.
#[test]
fn screenpipe_2585_bgra_to_rgb() {
    let (width, height, pitch) = (1366, 33, 5504);
    let memory = counted(height * pitch);
    let frame = pitched(U8, &[height as i64, width as i64, 4], 0, pitch as u64).unwrap();
    let mut rgb = vec![0; height * width * 3];
    take((&packed(U8, &[height as i64, width as i64, 3]), &mut rgb), (&frame, &memory), &[2, 1, 0], 0).unwrap();
    for (row, line) in rgb.chunks(width * 3).enumerate() {
        let naive: Vec<u8> =
            memory[row * pitch..][..width * 4].chunks(4).flat_map(|of| [of[2], of[1], of[0]]).collect();
        assert!(line == naive, "row {row}");
    }
}

/// Screenshots: B8G8R8A8 to RGB, R8G8B8A8 to RGB, and the same of 16 bits a channel.
#[test]
fn gfxreconstruct_2414_screenshots_of_other_orders() {
    for (width, list) in [(1, [2, 1, 0]), (1, [0, 1, 2]), (2, [2, 1, 0]), (4, [0, 2, 1])] {
        let memory = counted(300 * 4 * width);
        let (from, to) = (packed(bytes_dtype(width), &[300, 4]), packed(bytes_dtype(width), &[300, 3]));
        let mut out = vec![0; 300 * 3 * width];
        take((&to, &mut out), (&from, &memory), &list, 0).unwrap();
        let pixel = |of: &[u8]| list.map(|k| of[k as usize * width..][..width].to_vec()).concat();
        assert!(out == memory.chunks(4 * width).flat_map(pixel).collect::<Vec<_>>(), "{width}, {list:?}");
    }
}

fn row_major(dst: (&stride_layout, &mut [u8]), src: (&stride_layout, &[u8])) -> Answer<()> {
    let all = |layout: &stride_layout| sides::range(sides::side(layout), 0, element_count(layout).unwrap());
    let (to, from, bytes) = (dst.1.as_mut_ptr().cast(), src.1.as_ptr().cast(), src.1.len() as u64);
    call!(stride_copy_sides, &all(dst.0), to, dst.1.len() as u64, &all(src.0), from, bytes, std::ptr::null())
}

/// A selection of {5,3,3,5,2,2} written to one of {2,30,1,15}: as many elements, and no sizes in common.
#[test]
fn hdf5_472_selections_of_other_sizes() {
    let memory = counted(900 * 4);
    let (from, to) = (packed(F32, &[5, 3, 3, 5, 2, 2]), packed(F32, &[2, 30, 1, 15]));
    let mut out = vec![0; 3600];
    row_major((&to, &mut out), (&from, &memory)).unwrap();
    assert!(out == memory);
    // With gaps on both sides.
    let (from, to) =
        (layout(F32, &[5, 3, 3, 5, 2, 2], &[181, 60, 20, 4, 2, 1]), layout(F32, &[2, 30, 1, 15], &[481, 16, 1, 1]));
    let memory = counted(min_bytes(&from).unwrap() as usize);
    let mut out = vec![0; min_bytes(&to).unwrap() as usize];
    row_major((&to, &mut out), (&from, &memory)).unwrap();
    for (k, (a, b)) in indices(sizes(&from)).iter().zip(&indices(sizes(&to))).enumerate() {
        let (a, b) = (offset_of(&from, a).unwrap() as usize * 4, offset_of(&to, b).unwrap() as usize * 4);
        assert_eq!(out[b..b + 4], memory[a..a + 4], "element {k}");
    }
}

/// 99 of the 100 elements of A(1:30:3, 1:20:2), a section of a Fortran array of 30 by 20, were packed wrong.
#[test]
fn mpich_6909_all_but_the_last_element_of_a_section() {
    // Fortran counts its first index first: row-major of the section is dimension 2 outside.
    let section = layout(F64, &[10, 10], &[60, 3]);
    let (memory, packed) = (counted(600 * 8), packed(F64, &[99]));
    let mut out = vec![0; 99 * 8];
    let (to, length, from, from_length) =
        (out.as_mut_ptr().cast(), out.len() as u64, memory.as_ptr().cast(), memory.len() as u64);
    let (all, some) = (sides::side(&packed), sides::range(sides::side(&section), 0, 99));
    call!(stride_copy_sides, &all, to, length, &some, from, from_length, std::ptr::null()).unwrap();
    for (k, value) in out.chunks(8).enumerate() {
        let at = (k / 10 * 60 + k % 10 * 3) * 8;
        assert_eq!(value, &memory[at..at + 8], "element {k}");
    }
}

/// A copy between tensors of other sizes and as many elements, of which one is transposed.
#[test]
fn cutorch_39_sizes_that_differ() {
    let memory = counted(24 * 4);
    let (from, to) = (layout(F32, &[4, 6], &[1, 4]), packed(F32, &[2, 3, 4]));
    let mut out = vec![0; 96];
    row_major((&to, &mut out), (&from, &memory)).unwrap();
    let naive: Vec<u8> = (0..24).flat_map(|k| memory[(k / 6 + k % 6 * 4) * 4..][..4].to_vec()).collect();
    assert_eq!(out, naive);
}

// --- scale factors ---------------------------------------------------------------------------------------------------

/// How scale factors of block-scaled formats lie: tiles of 128 x 4.
const SCALE_TILES: &str = "a/128 b/4 a%32 a/32%4 b%4";

fn scales(sizes: [i64; 2]) -> stride_blocked {
    let (mut out, length) = (oracle::zeroed::<stride_blocked>(), SCALE_TILES.len() as u64);
    call!(stride_blocked_parse, SCALE_TILES.as_ptr().cast(), length, U8, 2, sizes.as_ptr(), &mut out).unwrap();
    out
}

/// The scale factors of a matrix in tiles; padding gets `fill`.
fn in_tiles(sizes: [i64; 2], rows: &[u8], fill: u8) -> Vec<u8> {
    let (blocked, mut bytes) = (scales(sizes), 0);
    call!(stride_blocked_byte_size, &blocked, &mut bytes).unwrap();
    let mut tiles = vec![0xEE; bytes as usize];
    let options = stride_copy_options { fill: [fill; 16], ..flags(STRIDE_COPY_FILL_BUFFER) };
    let (to, from, length) = (tiles.as_mut_ptr().cast(), rows.as_ptr().cast(), rows.len() as u64);
    call!(stride_copy_sides, &sides::side(&blocked), to, bytes, std::ptr::null(), from, length, &options).unwrap();
    tiles
}

/// With K = 64 the scale factors of 512 rows are 512 x 4, which is what the tiles are made for; with K = 32 they are
/// 512 x 2, and it was not documented whether tiles become narrower. They do not: columns are padded to 4.
#[test]
fn cuda_library_samples_311_fewer_columns_than_a_tile() {
    let padded = |sizes| {
        let mut out = [0i64; 2];
        call!(stride_blocked_padded_sizes, &scales(sizes), 2, out.as_mut_ptr()).unwrap();
        out
    };
    assert_eq!((padded([512, 4]), padded([512, 2])), ([512, 4], [512, 4]));
    let tiles = in_tiles([512, 2], &counted(1024), 0);
    assert_eq!(tiles.len(), 2048);
    assert!(tiles.chunks(4).all(|columns| columns[2..] == [0, 0]));
    assert_eq!(tiles[16..18], counted(4)[2..]); // row 1
}

/// `dest[row % 32 * 16 + row / 32 * 4 + col] = src[row, col]` within 128 x 4; a reshape alone is something else.
#[test]
fn triton_917_rows_are_interleaved_within_a_tile() {
    let rows = counted(128 * 4);
    let mut expected = vec![0; 512];
    for (row, col) in (0..128).flat_map(|row| (0..4).map(move |col| (row, col))) {
        expected[row % 32 * 16 + row / 32 * 4 + col] = rows[row * 4 + col];
    }
    let tiles = in_tiles([128, 4], &rows, 0);
    assert!(tiles == expected && tiles != rows);
}

/// (m, k) is stored as (m/128, k/4, 32, 4 of m, 4 of k), both rounded up: sizes and strides of that buffer.
#[test]
fn fuser_5401_the_allocation_of_scale_factors() {
    let mut layout = blank();
    call!(stride_layout_from_blocked, &scales([300, 10]), &mut layout).unwrap();
    assert_eq!(fields(&layout), (vec![3, 3, 32, 4, 4], vec![1536, 512, 16, 4, 1], 0));
}

/// Rows and columns past the scale factors were left as they were, and were taken for numbers.
#[test]
fn transformer_engine_2924_padding_holds_zeros() {
    let (sizes, rows) = ([200, 6], vec![127; 1200]);
    let (tiles, blocked) = (in_tiles(sizes, &rows, 0), scales(sizes));
    let is_element = |position| {
        let mut index = [0i64; 2];
        call!(stride_blocked_multi_index, &blocked, position, 2, index.as_mut_ptr()).is_ok()
    };
    assert_eq!((tiles.len(), tiles.iter().filter(|&&byte| byte == 127).count()), (2048, 1200));
    assert!((0..).zip(&tiles).all(|(position, &byte)| byte == if is_element(position) { 127 } else { 0 }));
}

// --- batches and parts -----------------------------------------------------------------------------------------------

/// 32 threads for a permutation of 3x3 took ten times as long as one: one part is enough.
#[test]
fn cytnx_939_parts_that_are_worth_a_thread() {
    let parts = |sizes: &[i64]| {
        let reversed: Vec<i64> = (0..sizes.len() as i64).rev().collect();
        let source = permute(&packed(F64, sizes), &reversed).unwrap();
        let plan = plan(&flags(0), &packed(F64, common::sizes(&source)), &source).unwrap();
        let facts = query_plan(&plan).unwrap();
        (facts.bytes, facts.useful_parts)
    };
    assert_eq!(parts(&[3, 3]), (72, 1));
    assert_eq!(parts(&[100, 100]), (80_000, 1));
    assert_eq!(parts(&[1024, 1024]), (8 << 20, 64), "one for each 128 KiB");
}

// --- the page --------------------------------------------------------------------------------------------------------

/// Each test of this file is on the page, each test on the page exists, under a number that the page names beside it;
/// and the functions that the page names are in the headers.
#[cfg_attr(miri, ignore = "reads files")]
#[test]
fn the_page_names_every_test() {
    let root = env!("CARGO_MANIFEST_DIR");
    let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}")).unwrap_or_else(|_| panic!("{path}"));
    let tests: BTreeSet<String> = read("tests/field_bugs.rs")
        .split("#[test]\nfn ")
        .skip(1)
        .filter_map(|rest| rest.split_once('(').map(|(name, _)| name.to_owned()))
        .filter(|name| name != "the_page_names_every_test")
        .collect();
    let declared = read("include/stride.cdef");
    let (mut named, mut elsewhere) = (BTreeSet::new(), 0);
    for row in read("docs/BUGS_ANSWERED.md").lines().filter(|line| line.starts_with("| [")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [reports, _, functions, test] = cells[..] else { panic!("four cells: {row}") };
        assert!(reports.contains("](https://github.com/"), "a link: {row}");
        let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        for function in quoted(functions) {
            assert!(declared.contains(&format!(" {function}(")), "no function: {function}");
        }
        match &quoted(test)[..] {
            [name] => {
                assert!(tests.contains(name), "no test: {name}");
                let number = name.split('_').any(|word| reports.contains(&format!("#{word}](")));
                assert!(number, "{name} is not about {reports}");
                assert!(named.insert(name.clone()), "{name} twice");
            }
            [file, name] => {
                let source = read(&format!("tests/{file}"));
                assert!(source.contains(&format!("fn {name}(")) || source.contains(&format!("def {name}(")), "{row}");
                elsewhere += 1;
            }
            _ => panic!("a test: {row}"),
        }
    }
    assert_eq!(named, tests, "the page and this file");
    println!("{} reports with tests here, {elsewhere} with tests elsewhere", named.len());
}
