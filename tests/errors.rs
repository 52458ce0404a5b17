//! Every sentence that the library can say, each made by a call: `tests/errors.txt` is for a person to read.
//!
//! A line has the status, the detail, the argument, the function, and the sentence of the record that it left; after
//! them is a sum of the sentences of any records of each detail. `cargo test --test errors` compares;
//! `STRIDE_WRITE_ERRORS=1 cargo test --test errors` writes.
#![cfg(not(miri))] // compares with a file, thousands of calls without a copy

#[macro_use]
mod common;
mod oracle;

use common::*;
use oracle::sides::{list, range, run, side, through};
use std::collections::BTreeSet;
use std::ptr::{null, null_mut};
use stride::error::REASONS;
use stride::ffi::blocked_layout::*;
use stride::ffi::broadcast::*;
use stride::ffi::broadcast_dims::*;
use stride::ffi::compose::*;
use stride::ffi::conversion::*;
use stride::ffi::dlpack::*;
use stride::ffi::facts::*;
use stride::ffi::fourcc::*;
use stride::ffi::ggml::*;
use stride::ffi::images::*;
use stride::ffi::machine::*;
use stride::ffi::overlap::*;
use stride::ffi::py_buffer::*;
use stride::ffi::readings::*;
use stride::ffi::regions::*;
use stride::ffi::sides::*;
use stride::ffi::view::*;
use stride::ffi::window::*;
use stride::ffi::xla_pair::*;
use stride::ffi::xla_rearrange::*;

const F32: u32 = Dtype::F32.code();
const U8: u32 = Dtype::U8.code();
const U4: u32 = Dtype::U4.code();
const FAR: i64 = i64::MAX / 32;

/// What a call said, and its name.
type Said = (&'static str, Answer<()>);

/// Calls a function by its name, which is kept.
macro_rules! say {
    ($function:ident, $($argument:expr),* $(,)?) => {
        (stringify!($function), call!($function, $($argument),*))
    };
}

fn xla(text: &str) -> stride_xla_shape {
    parse(text).unwrap()
}

/// A composition of a layout with numbers of rank 1 or 2.
fn compose(outer: &stride_layout, inner: &stride_layout) -> Said {
    let (mut out, mut parts) = (blank(), [0u32; 2]);
    say!(stride_layout_compose, outer, inner, &mut out, inner.rank, parts.as_mut_ptr())
}

fn argument_errors() -> Vec<(Detail, Said)> {
    let mut out = blank();
    let (sizes, rows) = ([2i64, 3], packed(U8, &[2, 3]));
    let (mut to, from) = ([0u8; 64], [0u8; 64]);
    let mut plan = plan(&flags(0), &rows, &rows).unwrap();
    let mut shape = xla("f32[2,3]");
    let options =
        |flags, struct_size, reserved| stride_copy_options { flags, struct_size, reserved, ..common::flags(0) };
    let copy = |options: *const stride_copy_options| {
        let (to, from) = (null_mut(), null());
        say!(stride_copy, &rows, to, 6, &rows, from, 6, options)
    };
    let (mut tail, mut length) = ([0u32; 36], 0);
    (tail[0], tail[33]) = (144, 0x0101_0101);
    let pitched = |bytes| {
        let mut out = blank();
        say!(stride_layout_init_pitched, &mut out, F32, 2, sizes.as_ptr(), 0, bytes)
    };
    let part = |part, parts, plan: *const stride_plan, to: &mut [u8]| {
        say!(stride_plan_execute_part, plan, to.as_mut_ptr().cast(), 6, from.as_ptr().cast(), 6, part, parts)
    };
    let descriptor = |total_bytes, alignment| {
        let sizes = [2u32, 3];
        let desc = stride_dml_buffer_tensor_desc {
            data_type: 1,
            flags: 0,
            dimension_count: 2,
            sizes: sizes.as_ptr(),
            strides: null(),
            total_tensor_size_in_bytes: total_bytes,
            guaranteed_base_offset_alignment: alignment,
        };
        say!(stride_dml_validate, &desc)
    };
    let zero_step = [1i64, 0];
    let mut lines = vec![
        (Detail::Below, pitched(8)),
        (Detail::Above, say!(stride_layout_merge, &rows, 0, 3, &mut out)),
        (Detail::OutOfRange, part(3, 2, &plan, &mut to)),
        (Detail::Zero, say!(stride_layout_slice, &rows, 2, null(), null(), zero_step.as_ptr(), &mut out)),
        (Detail::NotZero, copy(&options(0, 40, 7))),
        (Detail::NotAMultiple, pitched(14)),
        (Detail::NotAMultiple, descriptor(26, 0)),
        (Detail::NotAPowerOfTwo, descriptor(24, 12)),
        (Detail::NotAPowerOfTwo, say!(stride_xla_shape_set_element_bits, &mut shape, 48)),
        (Detail::NotAPowerOfTwo, {
            let (mut element, mut row) = (0, 0);
            say!(stride_layout_alignment, &rows, 48, &mut element, &mut row)
        }),
        (Detail::StructSize, {
            let mut facts = stride_layout_facts { struct_size: 8, ..no_facts() };
            say!(stride_layout_query, &rows, &mut facts)
        }),
        (Detail::Above, {
            let mut facts = stride_layout_facts { struct_size: 5000, ..no_facts() };
            say!(stride_layout_query, &rows, &mut facts)
        }),
        (Detail::UnknownValue, say!(stride_layout_canonicalize, &rows, 9, &mut out)),
        (Detail::UnknownFlag, copy(&options(1 << 9 | 1, 40, 0))),
        (Detail::ConflictingFlags, copy(&options(STRIDE_COPY_OVERLAP | STRIDE_COPY_ASSUME_DISTINCT, 40, 0))),
        (Detail::StructSize, copy(&options(0, 8, 0))),
        (Detail::Above, format_machine(5000, 0)),
        (Detail::UnknownValue, format_machine(128, 9)),
        (Detail::StructTail, say!(stride_machine_format, tail.as_ptr().cast(), null_mut(), 0, &mut length)),
    ];
    let (mut none, mut elements) = (no_runs(), 0);
    lines.push((Detail::NotRuns, say!(stride_runs_next, &mut none, 1, &mut 0, &mut elements)));
    plan.words[0] ^= 1;
    lines.push((Detail::NotAPlan, part(0, 2, &plan, &mut to)));
    plan.words[0] ^= 1;
    plan.words[3] = 3; // another width
    plan.words[1] = 1; // than the kernel's
    lines.push((Detail::PlanWords, part(0, 2, &plan, &mut to)));
    lines
}

fn dtype_and_rank_errors() -> Vec<(Status, Detail, Said)> {
    let (mut out, mut dtype) = (blank(), 0);
    let rows = packed(U8, &[2, 3]);
    let (axes, sizes) = ([1i64, 0, 2], [3i64]);
    let (mut dml_sizes, mut dml_strides, mut offset) = ([0u32; 8], [0u32; 8], 0);
    let mut desc = tensor(1, &[2], None).desc();
    let f8 = packed(Dtype::F8E4M3FN.code(), &[2]);
    let mut to_dml = |layout: &stride_layout| {
        let (sizes, strides) = (dml_sizes.as_mut_ptr(), dml_strides.as_mut_ptr());
        say!(stride_layout_to_dml, layout, 0, sizes, strides, &mut desc, &mut offset)
    };
    let (wide, far, mirrored) = (packed(U8, &[1 << 33]), layout(U8, &[2], &[1 << 33]), layout(U8, &[2], &[-1]));
    let mut lines = vec![
        (Status::InvalidDtype, Detail::DtypeForeign, to_dml(&f8)),
        (Status::InvalidSize, Detail::Above, to_dml(&wide)),
        (Status::InvalidStride, Detail::Above, to_dml(&far)),
        (Status::InvalidStride, Detail::Below, to_dml(&at(1, mirrored))),
    ];
    let six = [6i64, 4];
    lines.extend([
        (Status::InvalidDtype, Detail::DtypeUnknown, say!(stride_layout_init, &mut out, 99, 0, null(), null())),
        (Status::InvalidDtype, Detail::Below, say!(stride_dtype_from_bytes, 0, &mut dtype)),
        (Status::InvalidDtype, Detail::Above, say!(stride_dtype_from_bytes, 1 << 24, &mut dtype)),
        (Status::InvalidDtype, Detail::UnknownValue, say!(stride_dml_validate, &tensor(14, &[2], None).desc())),
        (Status::InvalidRank, Detail::Above, say!(stride_layout_pad_rank, &rows, 65, 0, &mut out)),
        (Status::InvalidRank, Detail::Below, say!(stride_layout_broadcast_to, &rows, 1, sizes.as_ptr(), &mut out)),
        (Status::InvalidRank, Detail::Count, say!(stride_layout_permute, &rows, 3, axes.as_ptr(), &mut out)),
        (Status::InvalidStride, Detail::NotAMultiple, {
            say!(stride_layout_init_byte_strides, &mut out, F32, 2, six.as_ptr(), six.as_ptr())
        }),
    ]);
    lines
}

fn size_and_axis_errors() -> Vec<(Status, Detail, Said)> {
    let (mut out, rows) = (blank(), packed(U8, &[2, 3]));
    let wrong = [3i64, -1];
    let unknown = [-1i64, -1];
    let init = |order: [i64; 2]| {
        let mut out = blank();
        say!(stride_layout_init_ordered, &mut out, U8, 2, [2i64, 3].as_ptr(), order.as_ptr())
    };
    let in_dim = |dimensions: [i64; 2]| {
        let mut out = blank();
        let sizes = [3i64, 2, 2];
        say!(stride_layout_broadcast_in_dim, &rows, 3, sizes.as_ptr(), 2, dimensions.as_ptr(), &mut out)
    };
    let (mut second, axis) = (blank(), 1i64);
    let identity = [1i64, 0];
    let tile = |tile: &[i64]| {
        let mut shape = xla("f32[2,3]");
        say!(stride_xla_shape_add_tile, &mut shape, tile.len() as u32, tile.as_ptr())
    };
    let blocks = |text: &str| {
        let (mut out, sizes, length) = (oracle::zeroed::<stride_blocked>(), [200i64, 6], text.len() as u64);
        say!(stride_blocked_parse, text.as_ptr().cast(), length, U8, 2, sizes.as_ptr(), &mut out)
    };
    let (index, starts, lengths) = ([1i64, 3], [1i64, 1], [1i64, 3]);
    let mut offset = 0;
    vec![
        (Status::InvalidSize, Detail::Below, say!(stride_layout_init, &mut out, F32, 2, wrong.as_ptr(), null())),
        (Status::InvalidSize, Detail::NotEqual, say!(stride_layout_squeeze, &rows, 1, &axis, &mut out)),
        (Status::InvalidSize, Detail::Repeated, say!(stride_layout_reshape, &rows, 2, unknown.as_ptr(), &mut out)),
        (Status::InvalidAxes, Detail::OutOfRange, init([1, 2])),
        (Status::InvalidAxes, Detail::Repeated, init([1, 1])),
        (Status::InvalidAxes, Detail::OutOfSignedRange, say!(stride_layout_merge, &rows, -3, 1, &mut out)),
        (Status::InvalidAxes, Detail::OutOfOrder, in_dim([1, 0])),
        (
            Status::InvalidAxes,
            Detail::NotIdentity,
            say!(stride_xla_broadcast, &rows, &rows, 2, identity.as_ptr(), &mut out, &mut second),
        ),
        (Status::InvalidTile, Detail::Below, tile(&[2, 0])),
        (Status::InvalidTile, Detail::MergeLast, tile(&[2, STRIDE_XLA_TILE_MERGE])),
        (Status::InvalidTile, Detail::EmptyTile, tile(&[])),
        (Status::InvalidTile, Detail::BlockStep, blocks("a/128 b/4 a%32 a/64%4 b%4")),
        (Status::InvalidTile, Detail::BlockOpen, blocks("a/128 b/4 a%32 a/32 b%4")),
        (Status::InvalidTile, Detail::BlockCover, blocks("a/128%1 b/4 a%32 a/32%4 b%4")),
        (
            Status::IndexOutOfRange,
            Detail::OutOfRange,
            say!(stride_layout_offset, &rows, 2, index.as_ptr(), &mut offset),
        ),
        (Status::IndexOutOfRange, Detail::OutOfRange, say!(stride_layout_cut, &rows, 0, 3, &mut out, &mut second)),
        (Status::IndexOutOfRange, Detail::OutOfSignedRange, say!(stride_layout_select, &rows, 1, -4, &mut out)),
        (Status::InvalidSize, Detail::Below, {
            let room = [2i64, 2];
            say!(stride_layout_init_padded, &mut out, U8, 2, [2i64, 3].as_ptr(), room.as_ptr())
        }),
        (
            Status::IndexOutOfRange,
            Detail::Above,
            say!(stride_layout_crop, &rows, 2, starts.as_ptr(), lengths.as_ptr(), &mut out),
        ),
    ]
}

fn overflows_and_mismatches() -> Vec<(Status, Detail, Said)> {
    let (mut out, mut second, mut shift) = (blank(), blank(), 0);
    let (rows, pixels) = (packed(U8, &[2, 3]), packed(U8, &[2, 4]));
    let init = |sizes: [i64; 2], strides: [i64; 2]| {
        let mut out = blank();
        say!(stride_layout_init, &mut out, F32, 2, sizes.as_ptr(), strides.as_ptr())
    };
    let downward = layout(U8, &[3], &[-(1 << 62)]);
    let mut stepped = downward;
    (stepped.strides[0], stepped.offset) = (1 << 62, i64::MIN);
    let step = 2i64;
    let (mut memory, zero) = ([0u8; 64], [0u8; 64]);
    let mut copy = |dst: &stride_layout, src: &stride_layout| {
        say!(stride_copy, dst, memory.as_mut_ptr().cast(), 64, src, zero.as_ptr().cast(), 64, null())
    };
    let mut lines = vec![
        (Status::Overflow, Detail::Product, init([1 << 40, 1 << 40], [0, 0])),
        (Status::Overflow, Detail::Reach, init([3, 2], [1 << 62, 1])),
        (Status::Overflow, Detail::Bits, init([2, 2], [FAR * 2, 1])),
        (Status::ShapeMismatch, Detail::NotEqual, copy(&rows, &pixels)),
        (Status::ShapeMismatch, Detail::Ranks, copy(&rows, &packed(U8, &[6]))),
        (Status::DtypeMismatch, Detail::Dtypes, copy(&packed(F32, &[2]), &packed(Dtype::S32.code(), &[2]))),
    ];
    let (five, odd, both, one) = ([5i64], [4i64, -1], [2i64, 3, 3], [1i64]);
    lines.extend([
        (Status::Overflow, Detail::Difference, say!(stride_layout_rebase, &downward, &mut out, &mut shift)),
        (Status::Overflow, Detail::NewStride, {
            say!(stride_layout_slice, &stepped, 1, null(), null(), &step, &mut out)
        }),
        (Status::Overflow, Detail::Above, say!(stride_dml_validate, &tensor(5, &[1 << 16, 1 << 16], None).desc())),
        (Status::ShapeMismatch, Detail::Elements, say!(stride_layout_reshape, &rows, 1, five.as_ptr(), &mut out)),
        (Status::ShapeMismatch, Detail::NotAMultiple, say!(stride_layout_reshape, &rows, 2, odd.as_ptr(), &mut out)),
        (Status::ShapeMismatch, Detail::NotAMultiple, {
            let tile = [2i64, 2];
            say!(stride_layout_tile, &rows, 2, tile.as_ptr(), &mut out)
        }),
        (Status::ShapeMismatch, Detail::NotAMultiple, say!(stride_layout_reinterpret, &rows, F32, &mut out)),
        (Status::ShapeMismatch, Detail::Zero, {
            let (empty, beside) = (packed(U8, &[0, 3]), [0i64, -1]);
            say!(stride_layout_reshape, &empty, 2, beside.as_ptr(), &mut out)
        }),
        (Status::BroadcastMismatch, Detail::NotEqual, {
            say!(stride_xla_broadcast, &rows, &pixels, 0, null(), &mut out, &mut second)
        }),
        (Status::BroadcastMismatch, Detail::Stretch, {
            say!(stride_layout_broadcast_to, &pixels, 3, both.as_ptr(), &mut out)
        }),
        (Status::BroadcastMismatch, Detail::Dynamic, {
            let mut out = xla("f32[]");
            say!(stride_xla_shape_broadcast, &xla("f32[<=1]"), &xla("f32[3,5]"), 1, one.as_ptr(), &mut out)
        }),
    ]);
    lines
}

fn memory_errors() -> Vec<(Status, Detail, Said)> {
    let mut memory = [0u8; 64];
    let base = memory.as_mut_ptr();
    let copy = |dst: &stride_layout, dst_bytes, src: &stride_layout, src_at: usize, flags: u32| {
        let options = stride_copy_options { flags, ..common::flags(0) };
        let (to, from) = (base.cast(), base.wrapping_add(src_at).cast_const().cast());
        say!(stride_copy, dst, to, dst_bytes, src, from, 16, &options)
    };
    let rows = packed(U8, &[2, 3]);
    let end = layout(U8, &[2, 3], &[8, 1]);
    let mirrored = layout(U8, &[6], &[-1]);
    let line = packed(U8, &[6]);
    let moving = STRIDE_COPY_OVERLAP;
    let (columns, options) = (layout(U8, &[4, 4], &[1, 4]), stride_copy_options { flags: moving, ..common::flags(0) });
    let square = packed(U8, &[4, 4]);
    let alone = plan(&flags(0), &rows, &rows).unwrap();
    let plan = plan(&flags(moving), &line, &line).unwrap();
    let mut scratch = 0;
    vec![
        (Status::OutOfBounds, Detail::PastEnd, copy(&end, 10, &rows, 32, 0)),
        (Status::OutOfBounds, Detail::PastEnd, say!(stride_layout_fits, &end, 10)),
        (Status::OutOfBounds, Detail::Below, {
            let (mut out, three, back) = (blank(), [3i64], [-1i64]);
            say!(stride_layout_as_strided, &rows, 1, three.as_ptr(), back.as_ptr(), 1, &mut out)
        }),
        (Status::OutOfBounds, Detail::Above, {
            let (mut out, three, one) = (blank(), [3i64], [1i64]);
            say!(stride_layout_as_strided, &rows, 1, three.as_ptr(), one.as_ptr(), i64::MAX, &mut out)
        }),
        (Status::OutOfBounds, Detail::BeforeStart, copy(&line, 6, &mirrored, 32, 0)),
        (
            Status::OutOfBounds,
            Detail::AddressSpace,
            say!(stride_plan_scratch_bytes, &plan, u64::MAX - 2, 64, &mut scratch),
        ),
        (Status::OutOfBounds, Detail::OutOfRange, compose(&rows, &packed(U8, &[7]))),
        (Status::OutOfBounds, Detail::UnknownLength, copy(&rows, u64::MAX, &rows, 32, STRIDE_COPY_FILL_BUFFER)),
        (Status::Overlap, Detail::StrideZero, copy(&layout(U8, &[2, 3], &[0, 1]), 64, &rows, 32, 0)),
        (Status::Overlap, Detail::SelfOverlap, copy(&layout(U8, &[2, 3], &[2, 1]), 64, &rows, 32, 0)),
        (Status::Overlap, Detail::SharedBytes, copy(&rows, 6, &rows, 2, 0)),
        (Status::Overlap, Detail::SharedScratch, {
            let scratch = base.wrapping_add(8).cast();
            let options = stride_copy_options { scratch, scratch_bytes: 16, ..options };
            say!(stride_copy, &columns, base.cast(), 16, &square, base.cast_const().cast(), 16, &options)
        }),
        (Status::Overlap, Detail::SharedList, {
            let (mut words, from) = ([0i64; 8], base.cast_const().cast());
            let (to, list) = (words.as_mut_ptr().cast(), words.as_ptr());
            say!(stride_plan_execute_batch, &alone, to, 64, list, from, 64, [0].as_ptr(), 1, 0, 1)
        }),
        (Status::ScratchNeeded, Detail::ScratchBytes, copy(&columns, 16, &square, 0, moving)),
    ]
}

/// A machine whose struct is so large, with this level.
fn format_machine(struct_size: u32, cpu_level: u32) -> Said {
    let machine = stride_machine { struct_size, cpu_level, ..oracle::zeroed() };
    let mut length = 0;
    say!(stride_machine_format, &machine, null_mut(), 0, &mut length)
}

fn text_errors() -> Vec<(Status, Detail, Said)> {
    let (mut dtype, mut machine) = (0, oracle::zeroed::<stride_machine>());
    let under = |change: &dyn Fn(&mut stride_region_rules)| {
        let (mut rules, mut count) = (oracle::zeroed::<stride_region_rules>(), 0);
        call!(stride_region_rules_init, &mut rules, STRIDE_REGION_API_VULKAN_BUFFER).unwrap(); // rows
        change(&mut rules);
        let rows = plan(&flags(0), &packed(U8, &[3, 4]), &layout(U8, &[3, 4], &[7, 1])).unwrap();
        say!(stride_plan_regions_under, &rows, &rules, 0, null_mut(), &mut count)
    };
    let parsed = |text: &str| {
        let mut shape = xla("f32[]");
        say!(stride_xla_shape_parse, text.as_ptr().cast(), text.len() as u64, &mut shape)
    };
    let tiles = "f32[9]{0:T(2)(2)(2)(2)(2)(2)(2)(2)(2)}";
    let sizes = format!("f32[9]{{0:T({})}}", ["2"; 65].join(","));
    let unbounded = xla("f32[?]");
    let mut bytes = 0;
    vec![
        (Status::Parse, Detail::Syntax, parsed("f32[2,3")),
        (Status::Parse, Detail::OutOfRange, parsed("f32[2,3]{2,0}")),
        (Status::Parse, Detail::Repeated, parsed("f32[2,3]{1,1}")),
        (Status::Parse, Detail::Count, parsed("f32[2,3]{0}")),
        (Status::Parse, Detail::Below, parsed("f32[2]{0:T(0)}")),
        (Status::Parse, Detail::Below, parsed("f32[2]{0:L(0)}")),
        (Status::Parse, Detail::Above, parsed("f32[2]{0:E(256)}")),
        (Status::Parse, Detail::NotAPowerOfTwo, parsed("f32[2]{0:E(48)}")),
        (Status::Parse, Detail::MergeLast, parsed("f32[2]{0:T(*)}")),
        (Status::Parse, Detail::Name, say!(stride_dtype_parse, c"float".as_ptr(), 5, &mut dtype)),
        (Status::Parse, Detail::Name, say!(stride_machine_parse, c"level=avx9".as_ptr(), 10, &mut machine)),
        (Status::Unsupported, Detail::Construct, parsed("(f32[2], s32[])")),
        (Status::Unsupported, Detail::Construct, parsed("f32[2]{0:M(8)}")),
        (Status::Unsupported, Detail::Construct, parsed("f32[2]{0:SC(0:1)}")),
        (Status::Unsupported, Detail::Construct, parsed("f32[2]{0:P(f32[2]{0})}")),
        (Status::Unsupported, Detail::Construct, parsed("f32[2]{0:#(u32)}")),
        (Status::Unsupported, Detail::Construct, parsed("f32[2]{0:*(u32)}")),
        (Status::Unsupported, Detail::Construct, parsed("f32[2]{0:D(S)}")),
        (Status::Unsupported, Detail::TooManyTiles, parsed(tiles)),
        (Status::Unsupported, Detail::TooManyTileSizes, parsed(&sizes)),
        (Status::Unsupported, Detail::TooManyPieces, {
            let (sevens, elevens) = ("u8[77,77,77]{2,1,0:T(7,7,7)}", "u8[77,77,77]{2,1,0:T(11,11,11)}");
            let (to, from, mut plan) = (xla(sevens), xla(elevens), stride_plan { words: [0; 512] });
            call!(stride_plan_init_sides, &mut plan, &side(&to), &side(&from), null()).unwrap();
            say!(stride_plan_regions, &plan, 3, 0, null_mut(), &mut bytes)
        }),
        (Status::Unsupported, Detail::RegionDstOffset, under(&|rules| rules.offset_alignment = [8, 0])),
        (Status::Unsupported, Detail::RegionSrcOffset, under(&|rules| rules.offset_alignment = [0, 8])),
        (Status::Unsupported, Detail::RegionRow, under(&|rules| rules.row_bytes_alignment = 8)),
        (
            Status::Unsupported,
            Detail::RegionCut,
            under(&|rules| {
                (rules.row_bytes_alignment, rules.row_bytes_max) = (4, 3);
            }),
        ),
        (
            Status::Unsupported,
            Detail::RegionImage,
            under(&|rules| {
                (rules.flags[1], rules.row_bytes_max) = (STRIDE_REGION_IMAGE, 5);
            }),
        ),
        (Status::Unsupported, Detail::Unbounded, say!(stride_xla_shape_byte_size, &unbounded, &mut bytes)),
        (Status::InvalidSize, Detail::NotEqual, {
            let mut padded = unbounded;
            padded.padded_sizes[0] = 4;
            say!(stride_xla_shape_byte_size, &padded, &mut bytes)
        }),
        (Status::Unsupported, Detail::TooManyLoops, {
            let strides: Vec<i64> = (0..50).map(|k| 1 << k).collect();
            let reversed: Vec<i64> = strides.iter().rev().copied().collect();
            let operands = [layout(U8, &[2; 50], &strides), layout(U8, &[2; 50], &reversed)];
            say!(stride_runs_init, &mut no_runs(), 2, operands.as_ptr())
        }),
        (Status::Unsupported, Detail::DtypeWidth, {
            let nibbles = plan(&flags(0), &packed(U4, &[3, 5]), &layout(U4, &[3, 5], &[1, 3])).unwrap();
            say!(stride_plan_regions, &nibbles, 3, 0, null_mut(), &mut bytes)
        }),
        (Status::Unsupported, Detail::UnsupportedFlag, {
            let options = stride_copy_options { flags: STRIDE_COPY_SMALL_STACK, ..common::flags(0) };
            let tiled = xla("u8[2]{0:T(2)}");
            say!(stride_copy_sides, &side(&tiled), null_mut(), 2, null(), null(), 2, &options)
        }),
    ]
}

/// Conversions of 2 x 3 bytes.
fn conversion_errors() -> Vec<(Status, Detail, Said)> {
    let (rows, floats, mut memory) = (packed(U8, &[2, 3]), packed(F32, &[2, 3]), [0u8; 64]);
    let base = memory.as_mut_ptr();
    let copy = |dst: &stride_layout, src: &stride_layout, conversion: &stride_conversion| {
        let options = stride_copy_options { conversion, ..common::flags(0) };
        let (to, from) = (base.cast(), base.wrapping_add(32).cast_const().cast());
        say!(stride_copy, dst, to, 24, src, from, 24, &options)
    };
    let begun = stride_conversion::default();
    let (entries, each) = ([1f32; 4], layout(F32, &[2, 3], &[0, 2]));
    let listed = stride_conversion {
        flags: STRIDE_CONVERT_AFFINE,
        values: &each,
        scales: entries.as_ptr(),
        value_count: 4,
        ..begun
    };
    let listed_rows = stride_conversion { value_count: 5, ..listed };
    let lists_plan = {
        let options = stride_copy_options { conversion: &listed_rows, ..common::flags(0) };
        plan(&options, &floats, &rows).unwrap()
    };
    let plan = plan(&flags(0), &rows, &rows).unwrap();
    let complex = packed(Dtype::C64.code(), &[2, 3]);
    vec![
        (Status::InvalidArgument, Detail::UnknownFlag, copy(&floats, &rows, &stride_conversion { flags: 64, ..begun })),
        (Status::InvalidArgument, Detail::MissingFlag, copy(&floats, &rows, &stride_conversion { flags: 2, ..begun })),
        (Status::InvalidArgument, Detail::NotWhole, {
            let flags = STRIDE_CONVERT_AFFINE | STRIDE_CONVERT_ADD_LAST;
            copy(&rows, &floats, &stride_conversion { flags, add: 0.5, ..begun })
        }),
        (Status::InvalidArgument, Detail::NoList, {
            let (to, from) = (base.cast(), base.wrapping_add(32).cast_const().cast());
            let entries = entries.as_ptr();
            say!(stride_plan_execute_values, &plan, to, 6, from, 6, null(), entries, null(), 4, 0, 1)
        }),
        (Status::InvalidArgument, Detail::NeedsLists, {
            say!(stride_plan_execute, &lists_plan, base.cast(), 24, base.wrapping_add(32).cast_const().cast(), 6)
        }),
        (Status::OutOfBounds, Detail::ValueCount, copy(&floats, &rows, &listed)),
        (Status::Unsupported, Detail::NoConversion, copy(&floats, &complex, &begun)),
    ]
}

/// Copies between sides of 2 x 3 bytes.
fn side_errors() -> Vec<(Status, Detail, Said)> {
    let (rows, mut memory, mut plan) = (packed(U8, &[2, 3]), [0u8; 64], stride_plan { words: [0; 512] });
    let (whole, base) = (side(&rows), memory.as_mut_ptr());
    let asked = |dst: &stride_side, src: &stride_side, options: *const stride_copy_options| {
        let (to, from) = (base.cast(), base.wrapping_add(32).cast_const().cast());
        say!(stride_copy_sides, dst, to, 6, src, from, 6, options)
    };
    let copy = |dst: &stride_side, src: &stride_side| asked(dst, src, null());
    let changed = |change: fn(&mut stride_side)| {
        let mut side = whole;
        change(&mut side);
        copy(&side, &whole)
    };
    let of_shape = |change: fn(&mut stride_xla_shape)| {
        let mut shape = xla("u8[2,3]");
        change(&mut shape);
        copy(&whole, &side(&shape))
    };
    let (mut blocked, two_by_three) = (oracle::zeroed::<stride_blocked>(), [2i64, 3]);
    call!(stride_blocked_parse, c"a b".as_ptr(), 3, U8, 2, two_by_three.as_ptr(), &mut blocked).unwrap();
    let one = packed(U8, &[]);
    let scalar = side(&one);
    let (columns, mirrored) = (list(&[1, 0]), layout(U8, &[2, 3], &[3, -1]));
    let eight = (0..8).fold(whole, |side, dimension| through(side, dimension, &columns));
    let (long, lists) = (
        packed(U8, &[600]),
        [
            list(&std::array::from_fn::<_, 600, _>(|k| (k * k % 600) as i64)),
            list(&[1, 1]),
            list(&[1, -1]),
            list(&[0, 3, 1]),
        ],
    );
    let thousand: Vec<_> = (0..100).rev().map(|first| run(first, 100, 5)).collect();
    let many = packed(U8, &[500]);
    vec![
        (Status::InvalidArgument, Detail::UnknownValue, changed(|side| side.kind = 9)),
        (Status::InvalidArgument, Detail::UnknownValue, changed(|side| side.kind = 0)),
        (Status::InvalidArgument, Detail::StructSize, changed(|side| side.struct_size = 8)),
        (Status::InvalidArgument, Detail::Above, changed(|side| side.struct_size = 5000)),
        (Status::InvalidArgument, Detail::StructSize, {
            let mut begun = whole;
            begun.struct_size = 0;
            say!(stride_side_set_range, &mut begun, 0, 1)
        }),
        // Fields of a shape, and the blocks of a blocked layout.
        (Status::InvalidArgument, Detail::Below, of_shape(|shape| shape.tail_alignment = 0)),
        (Status::InvalidArgument, Detail::NotAPowerOfTwo, of_shape(|shape| shape.element_bits = 3)),
        (Status::InvalidArgument, Detail::Above, of_shape(|shape| shape.element_bits = 256)),
        (Status::InvalidArgument, Detail::UnknownValue, of_shape(|shape| shape.padding_kind = 9)),
        (Status::InvalidSize, Detail::Below, of_shape(|shape| shape.padded_sizes[1] = 2)),
        (Status::Unsupported, Detail::TooManyTiles, of_shape(|shape| shape.tile_count = 9)),
        (Status::InvalidRank, Detail::Above, of_shape(|shape| shape.rank = 65)),
        (Status::InvalidRank, Detail::Above, {
            let mut blocked = blocked;
            blocked.block_count = 65;
            copy(&whole, &side(&blocked))
        }),
        (Status::NullPointer, Detail::None, changed(|side| side.of = null())),
        (Status::NullPointer, Detail::None, {
            let mut twice = through(through(whole, 0, &columns), 1, &columns);
            twice.along[1].runs = null();
            copy(&whole, &twice)
        }),
        (Status::InvalidRank, Detail::Above, changed(|side| side.along_count = 9)),
        (Status::InvalidSize, Detail::Below, changed(|side| side.range_count = -2)),
        (Status::InvalidSize, Detail::Below, changed(|side| side.range_first = -2)),
        (Status::InvalidArgument, Detail::NotZero, changed(|side| side.reserved = 7)),
        (Status::InvalidArgument, Detail::FillsDestination, copy(&through(whole, 0, &lists[2]), &whole)),
        (Status::InvalidRank, Detail::Above, {
            let mut side = eight;
            say!(stride_side_set_runs, &mut side, 8, 2, columns.as_ptr())
        }),
        (Status::InvalidSize, Detail::Below, copy(&whole, &through(whole, 1, &[run(0, 1, -2)]))),
        (Status::InvalidSize, Detail::Below, say!(stride_side_set_range, &mut side(&rows), -1, 2)),
        (Status::InvalidSize, Detail::Below, say!(stride_side_set_range, &mut side(&rows), 1, -1)),
        (Status::InvalidAxes, Detail::OutOfRange, copy(&scalar, &through(scalar, 0, &columns))),
        (Status::Overflow, Detail::Product, copy(&whole, &through(whole, 0, &[run(0, 0, i64::MAX)]))),
        (Status::InvalidAxes, Detail::OutOfRange, copy(&whole, &through(whole, 2, &columns))),
        (Status::InvalidAxes, Detail::Repeated, {
            let mut twice = through(through(whole, 0, &columns), 1, &columns);
            twice.along[1].dimension = 0;
            copy(&whole, &twice)
        }),
        (Status::IndexOutOfRange, Detail::OutOfRange, copy(&whole, &through(whole, 1, &lists[3]))),
        (Status::Overflow, Detail::RunsTotal, {
            copy(&whole, &through(whole, 1, &[run(0, 0, i64::MAX), run(0, 0, 1)]))
        }),
        (Status::ShapeMismatch, Detail::NotEqual, copy(&whole, &through(whole, 1, &columns))),
        (Status::ShapeMismatch, Detail::Ranks, copy(&whole, &range(whole, 0, 6))),
        (Status::DtypeMismatch, Detail::Dtypes, copy(&side(&packed(F32, &[2, 3])), &whole)),
        (Status::OutOfBounds, Detail::RangeEnd, copy(&range(whole, 2, 5), &range(whole, 1, 5))),
        (Status::OutOfBounds, Detail::RangeEnd, copy(&whole, &range(whole, i64::MAX, 1))),
        (Status::OutOfBounds, Detail::BeforeStart, copy(&whole, &through(side(&mirrored), 1, &list(&[2, 0, 2])))),
        (Status::Overlap, Detail::SelfOverlap, {
            copy(&through(side(&layout(U8, &[2, 3], &[2, 1])), 1, &list(&[2, 0, 1])), &whole)
        }),
        (Status::Overlap, Detail::SharedIndex, copy(&through(whole, 0, &lists[1]), &whole)),
        (Status::Overlap, Detail::SharedList, {
            let mut words = columns.repeat(2);
            let taken = through(whole, 1, &words[..2]);
            let (to, from) = (words.as_mut_ptr().cast(), base.cast_const().cast());
            say!(stride_copy_sides, &through(whole, 1, &columns), to, 96, &taken, from, 6, null())
        }),
        (Status::Undecided, Detail::Budget, {
            let options = stride_copy_options { overlap_budget: 9, ..flags(0) };
            asked(&through(side(&many), 0, &thousand), &side(&many), &options)
        }),
        (Status::Unsupported, Detail::UnsupportedFlag, {
            asked(&whole, &through(whole, 1, &list(&[2, 0, 1])), &flags(STRIDE_COPY_OVERLAP))
        }),
        (Status::Unsupported, Detail::RunsAndRange, copy(&whole, &range(through(whole, 0, &columns), 0, 2))),
        (Status::Unsupported, Detail::PlanSize, {
            say!(stride_plan_init_sides, &mut plan, &side(&long), &through(side(&long), 0, &lists[0]), null())
        }),
    ]
}

fn answers() -> Vec<(Status, Detail, Said)> {
    let mut out = blank();
    let mut shape_out = xla("f32[]");
    let to_xla = |layout: &stride_layout| {
        let mut out = xla("f32[]");
        say!(stride_layout_to_xla, layout, &mut out)
    };
    let order = |layout: &stride_layout| {
        let mut order = [0; 64];
        say!(stride_layout_minor_to_major, layout, layout.rank, order.as_mut_ptr())
    };
    let format = |shape: &stride_xla_shape| {
        let mut length = 0;
        say!(stride_xla_shape_format, shape, null_mut(), 0, &mut length)
    };
    let position = |shape: &stride_xla_shape, linear| {
        let mut index = [0; 64];
        say!(stride_xla_multi_index, shape, linear, shape.rank, index.as_mut_ptr())
    };
    let layout_of = |text: &str| {
        let mut out = blank();
        say!(stride_layout_parse, text.as_ptr().cast(), text.len() as u64, &mut out)
    };
    let delete = |shape: &stride_xla_shape, dimension: i64| {
        let mut out = xla("f32[]");
        say!(stride_xla_shape_delete_dimensions, shape, 1, &dimension, &mut out)
    };
    let tag = |text: &str| {
        let mut length = 0;
        say!(stride_xla_shape_format_tag, &xla(text), null_mut(), 0, &mut length)
    };
    let (mut strides, mut fill, mut answer, mut axes) = ([0i64; 2], [0u8; 16], 0u32, [0i64; 4]);
    let padded = padded(xla("f32[2,3]"), &[2, 4], 0).unwrap();
    // Is there a subset of these strides that has the sum of another one?
    let strides_of_24: Vec<i64> = (0..24).map(|k| (1 << 23) + (k * k * k * 977) % (1 << 23)).collect();
    let hopeless = layout(U8, &[2; 24], &strides_of_24);
    let cut: &[&[i64]] = &[&[3, 4], &[2, 1]];
    let tiled = |text: &str| cut.iter().fold(xla(text), |shape, tile| with_tile(shape, tile).unwrap());
    vec![
        (Status::NotRepresentable, Detail::Stride, order(&layout(U8, &[2, 3], &[5, 1]))),
        (Status::NotRepresentable, Detail::NotOneRun, {
            let (columns, six, mut out) = (layout(U8, &[3, 2], &[1, 3]), 6, blank());
            say!(stride_layout_reshape, &columns, 1, &six, &mut out)
        }),
        (Status::NotRepresentable, Detail::Offset, to_xla(&at(4, packed(U8, &[2])))),
        (Status::NotRepresentable, Detail::WholeBytes, {
            say!(stride_layout_byte_strides, &packed(U4, &[2, 3]), 2, strides.as_mut_ptr())
        }),
        (Status::NotRepresentable, Detail::WholeElements, {
            say!(stride_layout_reinterpret, &layout(U8, &[2, 4], &[5, 1]), Dtype::U16.code(), &mut out)
        }),
        (Status::NotRepresentable, Detail::Padding, format(&padded)),
        (Status::NotRepresentable, Detail::Field, {
            format(&stride_xla_shape { flags: STRIDE_XLA_SHAPE_HIGH_FIRST, ..xla("s4[3]{0:E(4)}") })
        }),
        (Status::NotRepresentable, Detail::CutByTiles, delete(&xla("f32[4,6]{1,0:T(2)}"), 1)),
        (Status::NotRepresentable, Detail::TilesMove, {
            say!(stride_layout_from_xla, &xla("f32[4,6]{1,0:T(2,2)}"), &mut out)
        }),
        (Status::NotRepresentable, Detail::ElementsMove, {
            let six = [6i64];
            say!(stride_xla_shape_align, &xla("f32[2,3]{0,1}"), 1, six.as_ptr(), &mut shape_out)
        }),
        (Status::NotRepresentable, Detail::Ranks, {
            say!(stride_xla_transpose_axes, &xla("f32[2,3]"), &xla("f32[6]"), 1, axes.as_mut_ptr())
        }),
        (Status::NotRepresentable, Detail::PaddingPosition, position(&padded, 3)),
        (Status::NotRepresentable, Detail::TailPosition, position(&xla("f32[3]{0:L(8)}"), 5)),
        (Status::NotRepresentable, Detail::NoSuchValue, {
            let shape = stride_xla_shape { padding_kind: STRIDE_XLA_PADDING_LOWEST, ..xla("c64[3]") };
            say!(stride_xla_shape_padding_bytes, &shape, fill.as_mut_ptr())
        }),
        (Status::NotRepresentable, Detail::NoIndex, {
            let rows = layout(U8, &[2, 3], &[4, 1]);
            say!(stride_layout_multi_index, &rows, 3, 2, strides.as_mut_ptr(), std::ptr::null_mut())
        }),
        (Status::NotRepresentable, Detail::TextOfTiles, layout_of("f32[4,6]{1,0:T(2,2)}")),
        (Status::NotRepresentable, Detail::TextOfTag, layout_of("f32[1,32,8,8]:nChw16c")),
        (Status::NotRepresentable, Detail::TextOfBlocks, layout_of("u8[200,6]:a/2 b a%2")),
        (Status::NotRepresentable, Detail::Split, compose(&layout(U8, &[4, 6], &[8, 1]), &packed(U8, &[7]))),
        (Status::NotRepresentable, Detail::Carry, {
            compose(&layout(U8, &[4, 6], &[8, 1]), &layout(U8, &[2, 5], &[3, 1]))
        }),
        (Status::NotRepresentable, Detail::NotABlock, tag("f32[12]{0:T(6)(4)}")),
        (Status::NotRepresentable, Detail::Merges, tag("f32[4,6]{1,0:T(*,4)}")),
        (Status::NotRepresentable, Detail::BlockOrder, tag("f32[6,8]{1,0:T(4)(2,2,1)}")),
        (Status::Undecided, Detail::Budget, say!(stride_layout_self_overlap, &hopeless, 1, &mut answer)),
        (Status::Undecided, Detail::Budget, {
            let (middle, mut index) = (12 << 23, [0; 24]);
            say!(stride_layout_multi_index, &hopeless, middle, 24, index.as_mut_ptr(), std::ptr::null_mut())
        }),
        (Status::Undecided, Detail::BitOrders, {
            let (low, high) = (packed(U4, &[1]), packed(U4 | STRIDE_DTYPE_HIGH_FIRST, &[1]));
            say!(stride_layouts_overlap, &low, 4096, &high, 4096, 0, &mut answer)
        }),
        (Status::Undecided, Detail::TooManyElements, {
            let (from, to) = (tiled("f32[300,400]"), tiled("f32[100,3,400]"));
            say!(stride_xla_reshape_is_bitcast, &from, &to, &mut answer)
        }),
    ]
}

/// Layouts that consumers do not take.
fn refusals() -> Vec<(Status, Detail, Said)> {
    let asked = |consumer: u32, layout: &stride_layout, change: fn(&mut stride_requirements)| {
        let mut of = requirements(consumer);
        change(&mut of);
        say!(stride_layout_meets, layout, 4096, &of)
    };
    let (tma, webgpu, directml) = (STRIDE_CONSUMER_TMA, STRIDE_CONSUMER_WEBGPU, STRIDE_CONSUMER_DIRECTML);
    let (any, image) = (STRIDE_CONSUMER_ANY, layout(U8, &[2, 3, 4], &[1000, 256, 1]));
    let no = Status::NotRepresentable;
    vec![
        (no, Detail::Above, asked(tma, &packed(U8, &[1; 6]), |_| ())),
        (no, Detail::Below, asked(tma, &packed(U8, &[2, 0]), |_| ())),
        (no, Detail::DtypeForeign, asked(directml, &packed(Dtype::BF16.code(), &[2]), |_| ())),
        (no, Detail::DtypeForeign, asked(directml, &packed(Dtype::F32.swapped().code(), &[2]), |_| ())),
        (no, Detail::ElementBits, asked(tma, &packed(U4, &[2]), |_| ())),
        (no, Detail::ElementBits, asked(STRIDE_CONSUMER_OPENGL, &packed(U8, &[2, 5]), |of| of.texel_dimensions = 1)),
        (no, Detail::ElementsMax, asked(directml, &packed(U8, &[1 << 16, 1 << 16]), |_| ())),
        (no, Detail::NegativeStride, asked(tma, &at(3, layout(U8, &[2, 3], &[-3, 1])), |_| ())),
        (no, Detail::StrideZero, asked(tma, &layout(U8, &[2, 3], &[0, 1]), |_| ())),
        (no, Detail::Nested, asked(tma, &layout(U8, &[2, 17], &[16, 1]), |_| ())),
        (no, Detail::StrideMultiple, asked(webgpu, &image, |_| ())),
        (no, Detail::NotAMultiple, asked(tma, &packed(Dtype::BF16.code(), &[64, 511]), |_| ())),
        (no, Detail::NotAMultiple, asked(tma, &at(1, packed(Dtype::BF16.code(), &[8])), |_| ())),
        (no, Detail::StrideBytes, asked(tma, &layout(U8, &[2, 3], &[1 << 40, 1]), |_| ())),
        (no, Detail::ReachMax, asked(directml, &layout(U8, &[2], &[1 << 32]), |_| ())),
        (no, Detail::BytesMax, asked(any, &packed(F32, &[5]), |of| of.bytes_max = 16)),
    ]
}

fn other_vocabularies() -> Vec<(Status, Detail, Said)> {
    let mut out = blank();
    let mut of = |code, bits, lanes, byte_offset| {
        let mut shape = [2i64];
        let tensor = stride_dl_tensor {
            data: null_mut(),
            device_type: 1,
            device_id: 0,
            ndim: 1,
            dtype_code: code,
            dtype_bits: bits,
            dtype_lanes: lanes,
            shape: shape.as_mut_ptr(),
            strides: null_mut(),
            byte_offset,
        };
        say!(stride_layout_from_dlpack, &tensor, &mut out)
    };
    let mut lines = vec![
        (Status::InvalidDtype, Detail::TypeWidth, of(15, 6, 1, 0)),
        (Status::InvalidDtype, Detail::NotAMultiple, of(0, 4, 3, 0)),
        (Status::InvalidDtype, Detail::UnknownValue, of(99, 32, 1, 0)),
        (Status::NotRepresentable, Detail::NotAMultiple, of(2, 32, 1, 6)),
    ];
    // SAFETY: plain numbers and null pointers.
    let mut managed: stride_dl_managed_tensor_versioned = unsafe { std::mem::zeroed() };
    managed.major = 2;
    // SAFETY: as above.
    let mut view: stride_py_buffer = unsafe { std::mem::zeroed() };
    let (mut after, mut shape) = ([0isize], [2isize]);
    (view.ndim, view.shape, view.itemsize, view.len) = (1, shape.as_mut_ptr(), 8, 16);
    view.suboffsets = after.as_mut_ptr();
    let indirect = say!(stride_layout_from_py_buffer, &view, &mut out);
    view.suboffsets = null_mut();
    let mut python = |format: &std::ffi::CStr| {
        view.format = format.as_ptr().cast_mut();
        say!(stride_layout_from_py_buffer, &view, &mut out)
    };
    let foreign = if cfg!(target_endian = "little") { c">g" } else { c"<g" };
    lines.extend([
        (Status::InvalidDtype, Detail::TypeWidth, python(c"f")),
        (Status::InvalidDtype, Detail::TypeWidth, python(c"O")),
        (Status::InvalidDtype, Detail::ByteOrder, python(foreign)),
        (Status::NotRepresentable, Detail::Indirect, indirect),
        (Status::Unsupported, Detail::NotEqual, say!(stride_layout_from_dlpack_versioned, &managed, &mut out)),
    ]);
    let (ne, nb) = ([40i64, 1, 1, 1], [18usize; 4]);
    let (mut count, mut planes, mut bytes) = (0, [blank(); 4], 0);
    let unknown = u32::from_le_bytes(*b"NV99");
    let to = planes.as_mut_ptr();
    lines.extend([
        (Status::InvalidSize, Detail::NotAMultiple, {
            say!(stride_layout_from_ggml, 2, ne.as_ptr(), nb.as_ptr(), &mut out)
        }),
        (Status::InvalidDtype, Detail::UnknownValue, {
            say!(stride_layout_from_ggml, 43, ne.as_ptr(), nb.as_ptr(), &mut out)
        }),
        (Status::InvalidDtype, Detail::UnknownValue, {
            say!(stride_layout_from_ggml, 4, ne.as_ptr(), nb.as_ptr(), &mut out)
        }),
        (Status::InvalidArgument, Detail::FourccUnknown, {
            say!(stride_image_planes, unknown, 5, 3, 0, null(), 1, &mut count, to, &mut bytes)
        }),
        (Status::Unsupported, Detail::FourccPacked, {
            let packed = u32::from_le_bytes(*b"NV15");
            say!(stride_image_planes, packed, 5, 3, 0, null(), 1, &mut count, to, &mut bytes)
        }),
        (Status::InvalidArgument, Detail::Above, {
            let pitch = 1u64 << 63;
            say!(stride_image_planes, STRIDE_FOURCC_BGRA, 5, 3, 1, &pitch, 1, &mut count, to, &mut bytes)
        }),
        (Status::Parse, Detail::Name, say!(stride_image_fourcc, c"H264".as_ptr(), 4, &mut count)),
    ]);
    let mut image = stride_image {
        struct_size: size_of::<stride_image>() as u32,
        fourcc: STRIDE_FOURCC_NV12,
        width: 4,
        height: 4,
        pitch_count: 2,
        pitches: [4, -3, 0, 0],
        ..oracle::zeroed()
    };
    let mut said = |image: &stride_image| say!(stride_image_planes_of, image, &mut count, to, &mut bytes);
    lines.push((Status::InvalidArgument, Detail::Above, said(&image)));
    (image.pitches[1], image.pitch_alignment) = (-4, 3);
    lines.push((Status::InvalidArgument, Detail::NotAMultiple, said(&image)));
    (image.pitch_alignment, image.offset_count) = (0, 1);
    lines.push((Status::InvalidRank, Detail::Count, said(&image)));
    (image.offset_count, image.offsets[1]) = (2, 12);
    lines.push((Status::Overlap, Detail::SharedPlanes, said(&image)));
    image.offsets[1] = i64::MIN;
    lines.push((Status::Overflow, Detail::Bits, said(&image)));
    image.offsets[1] = i64::MAX;
    lines.push((Status::Overflow, Detail::Bits, said(&image)));
    image.struct_size = 8;
    lines.extend([(Status::InvalidArgument, Detail::StructSize, said(&image))]);
    lines
}

/// Of the sentences of records with a detail: of each status and argument, with numbers of each kind, in a dimension
/// and not.
fn sum_of_sentences(detail: Detail) -> u64 {
    let mut sum = oracle::NO_SUM;
    let mut add = |status: Status, argument: Argument, (lhs, rhs), (dimension, item, position)| {
        let (status, detail, argument) = (status.number(), detail.number() as u64, argument.number());
        let record = stride_error { status, argument, dimension, item, position, lhs, rhs, detail, reserved: [0; 2] };
        sum = oracle::sum(sum, sentence(&record).as_bytes());
    };
    for &argument in Argument::ALL {
        for numbers in [(0, 0), (1, 0), (0, 1), (2, 1), (1, 2), (-1, 3), (7, -2), (i64::MAX, i64::MIN)] {
            add(Status::InvalidArgument, argument, numbers, (-1, -1, u64::MAX));
            add(Status::InvalidArgument, argument, numbers, (2, 3, 5));
        }
        for &status in Status::ALL {
            add(status, argument, (0, 0), (-1, -1, u64::MAX));
            add(status, argument, (1, 2), (2, 3, 5));
            add(status, argument, (-1, 3), (0, -1, u64::MAX));
        }
    }
    sum
}

/// A mirrored view whose pointer is that of index (0, …, 0), as MLX and the SliceIterator of ONNX Runtime have them:
/// wherever it is handed over, the sentence names the function that moves the pointer.
#[test]
fn below_the_pointer_the_sentence_names_rebase() {
    let (line, mirrored) = (packed(U8, &[6]), layout(U8, &[6], &[-1]));
    let (mut memory, none) = ([0u8; 64], null::<stride_copy_options>());
    let to: *mut std::ffi::c_void = memory.as_mut_ptr().cast();
    let from = to.wrapping_byte_add(32).cast_const();
    let (mut plan, mut bytes, mut first, mut out) = (stride_plan { words: [0; 512] }, 0u64, 0i64, blank());
    let (six, back) = ([6i64], [-1i64]);
    let whole = packed(U8, &[6]);
    let said = [
        say!(stride_layout_min_bytes, &mirrored, &mut bytes),
        say!(stride_layout_fits, &mirrored, 6),
        say!(stride_layout_as_strided, &whole, 1, six.as_ptr(), back.as_ptr(), 0, &mut out),
        say!(stride_copy, &line, to, 6, &mirrored, from, 6, none),
        say!(stride_copy, &mirrored, to, 6, &line, from, 6, none),
        say!(stride_plan_init, &mut plan, &line, &mirrored, none),
        say!(stride_plan_init, &mut plan, &mirrored, &line, none),
        say!(stride_fill, &mirrored, to, 6, from),
        say!(stride_compare, &mirrored, to, 6, &line, from, 6, &mut first),
        say!(stride_compare, &line, to, 6, &mirrored, from, 6, &mut first),
    ];
    for (function, answer) in said {
        let record = answer.expect_err(function);
        assert_eq!(record.status, Status::OutOfBounds.number(), "{function}");
        assert!(sentence(&record).contains("stride_layout_rebase"), "{function}: {}", sentence(&record));
    }
    let mut shift = 0;
    call!(stride_layout_rebase, &mirrored, &mut out, &mut shift).unwrap();
    assert_eq!((out.offset, shift), (5, -5));
    call!(stride_copy, &line, to, 6, &out, from.wrapping_byte_offset(shift as isize), 6, none).unwrap();
}

#[test]
fn every_reason_has_a_call_and_a_sentence() {
    let mut out = blank();
    let null_pointer = say!(stride_layout_init, &mut out, F32, 2, null(), null());
    let mut lines = vec![(Status::NullPointer, Detail::None, null_pointer)];
    let (mut plan, none) = (stride_plan { words: [0; 512] }, null());
    let neither = say!(stride_plan_init, &mut plan, none, none, null());
    lines.push((Status::NullPointer, Detail::NeitherGiven, neither));
    let neither = say!(stride_plan_init_sides, &mut plan, null(), null(), null());
    lines.push((Status::NullPointer, Detail::NeitherGiven, neither));
    let mut shape = xla("f32[]");
    let sizes = [2i64, 32, 5, 7];
    let tag = c"nchw16c";
    let lower = say!(stride_xla_shape_parse_tag, tag.as_ptr(), 7, F32, 4, sizes.as_ptr(), &mut shape);
    lines.push((Status::Parse, Detail::BlockLetter, lower));
    let tag = c"NCHWc16";
    let reversed = say!(stride_xla_shape_parse_tag, tag.as_ptr(), 7, F32, 4, sizes.as_ptr(), &mut shape);
    lines.push((Status::Parse, Detail::BlockReversed, reversed));
    for tag in [c"nChw16q", c"nChw16", c"nCqw16c"] {
        let length = tag.count_bytes() as u64;
        let wrong = say!(stride_xla_shape_parse_tag, tag.as_ptr(), length, F32, 4, sizes.as_ptr(), &mut shape);
        lines.push((Status::Parse, Detail::Syntax, wrong));
    }
    lines.extend(argument_errors().into_iter().map(|(detail, said)| (Status::InvalidArgument, detail, said)));
    lines.extend(dtype_and_rank_errors());
    lines.extend(size_and_axis_errors());
    lines.extend(overflows_and_mismatches());
    lines.extend(memory_errors());
    lines.extend(text_errors());
    lines.extend(conversion_errors());
    lines.extend(side_errors());
    lines.extend(answers());
    lines.extend(refusals());
    lines.extend(other_vocabularies());
    lines.sort_by_key(|(status, detail, _)| (status.number(), detail.number()));

    let (mut text, mut seen) = (String::new(), BTreeSet::new());
    for (status, detail, (function, answer)) in lines {
        let Err(record) = answer else { panic!("{function} should say {status:?}, {detail:?}") };
        let found = (Status::from_number(record.status), Detail::from_number(record.detail as u32));
        assert_eq!(found, (Some(status), Some(detail)), "{function}: {}", sentence(&record));
        seen.insert((status.number(), detail.number()));
        let argument = Argument::from_number(record.argument).expect("an argument");
        let of = [
            if detail == Detail::None { "" } else { detail.name() },
            if argument == Argument::None { "" } else { argument.name() },
        ];
        let of: Vec<&str> = of.into_iter().filter(|name| !name.is_empty()).collect();
        text += &format!("{} {}\n    {function}\n    {}\n", status.name(), of.join(" of "), sentence(&record))
            .replace(" \n", "\n");
    }
    let reasons = REASONS.iter().flat_map(|(status, details)| details.iter().map(|d| (status.number(), d.number())));
    let promised: BTreeSet<(i32, u32)> = reasons.chain([(Status::NullPointer.number(), 0)]).collect();
    let name = |(status, detail): &(i32, u32)| {
        (Status::from_number(*status).unwrap().name(), Detail::from_number(*detail).unwrap().name())
    };
    let missing: Vec<_> = promised.difference(&seen).map(name).collect();
    assert!(missing.is_empty(), "no call for {missing:?}");
    let details: BTreeSet<u32> = seen.iter().map(|(_, detail)| *detail).collect();
    let idle: Vec<_> = Detail::ALL.iter().filter(|detail| !details.contains(&detail.number())).collect();
    assert!(idle.is_empty(), "details that nothing says: {idle:?}");

    text += "\nsums of the sentences of any record\n";
    for &detail in Detail::ALL {
        text += &format!("{} {:016x}\n", detail.name(), sum_of_sentences(detail));
    }

    oracle::pinned("errors.txt", "STRIDE_WRITE_ERRORS", &text, |_| String::new());
}
