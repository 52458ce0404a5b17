//! Copies whose source has runs of indices along a dimension, at their edges: how far the source is needed, the fill
//! value, blocks as long as a register, and parts. (`differential.rs` has random lists.)
#![cfg(unix)]

#[macro_use]
pub mod common;
mod guarded;
mod oracle;

use common::*;
use guarded::Guarded;
use oracle::DEFAULTS;
pub use oracle::Random;
use oracle::sides::{list as runs_of, side, through};
use std::ptr::null;
use stride::ffi::sides::*;

const U8: u32 = Dtype::U8.code();
const F32: u32 = Dtype::F32.code();

fn no_plan() -> stride_plan {
    stride_plan { words: [0; 512] }
}

/// Packed rows by a list along the last dimension, by a call and in parts, none of which writes a byte of another one.
fn rows(dtypes: [Dtype; 2], outer: &[i64], size: i64, list: &[i64], parts: u32) {
    let (dst_sizes, src_sizes) = ([outer, &[list.len() as i64]].concat(), [outer, &[size]].concat());
    let (dst, src) = (packed(dtypes[0].code(), &dst_sizes), packed(dtypes[1].code(), &src_sizes));
    let (width, rows) = (dtypes[0].bits() as usize / 8, outer.iter().product::<i64>() as usize);
    let options = stride_copy_options { fill: std::array::from_fn(|k| 0xF0 + k as u8), ..DEFAULTS };
    let from = Random::new(5).bytes(rows * size as usize * width);
    let mut expected = Vec::new();
    for (row, &index) in (0..rows).flat_map(|row| list.iter().map(move |index| (row, index))) {
        let begin = (row as i64 * size + index.max(0)) as usize * width;
        let bytes = if index < 0 {
            (0..width).map(|k| options.fill[k % 16]).collect()
        } else {
            from[begin..][..width].to_vec()
        };
        let swapped = index >= 0 && dtypes[0] != dtypes[1];
        if swapped { expected.extend(bytes.iter().rev()) } else { expected.extend(bytes) }
    }
    let what = || format!("{dtypes:?}, {outer:?} of {size} by {list:?}");
    let (mut to, mut plan) = (vec![0u8; expected.len()], no_plan());
    // Without elements there is no source at all.
    let s = if from.is_empty() { null() } else { from.as_ptr().cast() };
    let (d, d_bytes, s_bytes, runs) = (to.as_mut_ptr().cast(), to.len() as u64, from.len() as u64, runs_of(list));
    let (dst, src) = (side(&dst), through(side(&src), outer.len(), &runs));
    call!(stride_copy_sides, &dst, d, d_bytes, &src, s, s_bytes, &options).unwrap();
    assert!(to == expected, "{}", what());
    call!(stride_plan_init_sides, &mut plan, &dst, &src, &options).unwrap();
    let wrong: Vec<u8> = expected.iter().map(|byte| !byte).collect();
    let run = |own: &mut [u8], part| {
        let (d, s) = (own.as_mut_ptr().cast(), if from.is_empty() { null() } else { from.as_ptr().cast() });
        call!(stride_plan_execute_part, &plan, d, d_bytes, s, s_bytes, part, parts).unwrap();
    };
    assert!(oracle::parts(&wrong, parts, what, run) == expected, "{} in {parts} parts", what());
    for (part, parts) in [(parts, parts), (u32::MAX, parts), (0, 0)] {
        let answer = call!(stride_plan_execute_part, &plan, d, d_bytes, s, s_bytes, part, parts);
        assert_eq!(status(answer), Status::InvalidArgument.number(), "{}", what());
    }
}

/// Rows of either side that are a little shorter or longer than what a register holds, and such as are filled alone.
#[test]
fn rows_of_about_a_register() {
    for (width, count, size) in [
        (1, 64, 64),
        (1, 64, 65),
        (1, 64, 63),
        (1, 63, 66),
        (5, 13, 13),
        (5, 13, 12),
        (5, 12, 13),
        (13, 5, 5),
        (13, 4, 5),
        (13, 5, 4),
        (16, 4, 4),
        (16, 5, 4),
        (16, 4, 5),
        (17, 4, 4),
        (1, 33, 31),
        (2, 32, 33),
        (4, 17, 16),
        (3, 21, 22),
    ] {
        let list: Vec<i64> = (0..count).map(|k| (k * 7 + k * k / 3) % size).collect();
        let filled: Vec<i64> = list.iter().map(|&index| if index % 5 == 2 { -1 } else { index }).collect();
        for list in [list, filled] {
            rows([Dtype::bytes(width).unwrap(); 2], &[23], size, &list, 2);
        }
    }
    for width in [1, 3, 4, 16, 17, 40] {
        rows([Dtype::bytes(width).unwrap(); 2], &[6], 0, &[-1, -1, -1], 1);
        rows([Dtype::bytes(width).unwrap(); 2], &[6], 2, &[-1], 1);
    }
}

/// Rows of single indices, which are moved one by one, and of runs between them.
#[test]
fn rows_that_are_picked() {
    let mut random = Random::new(41);
    for width in [1, 2, 3, 4, 8, 16, 17, 32, 64, 65, 1000, 20_000] {
        for outer in [&[][..], &[3]] {
            let all = if width < 1000 { 300 } else { 12 };
            let list: Vec<i64> = (0..all).map(|_| random.below(70) - i64::from(random.one_in(9)) * 71).collect();
            let list: Vec<i64> = list.iter().map(|&index| index.max(-1)).collect();
            rows([Dtype::bytes(width).unwrap(); 2], outer, 70, &list, 3);
        }
    }
}

/// Numbers in the other byte order, in rows that would go in one pass.
#[test]
fn rows_of_swapped_numbers() {
    for dtype in [Dtype::U16, Dtype::F32, Dtype::F64] {
        for sides in [[dtype, dtype.swapped()], [dtype.swapped(), dtype]] {
            rows(sides, &[50], 4, &[2, 1, 3, 0], 2);
            rows(sides, &[50], 3, &[2, -1, 0], 2);
        }
    }
}

/// More parts than any dimension has but the list's.
#[test]
#[cfg_attr(miri, ignore = "tens of thousands of elements")]
fn parts_cut_the_list_itself() {
    let list: Vec<i64> = (0..64).map(|k| k * 37 % 64).collect();
    rows([Dtype::U8; 2], &[10, 10, 10], 64, &list, 15);
    rows([Dtype::U16; 2], &[9, 9, 9], 32, &list[..32].iter().map(|index| index % 32).collect::<Vec<_>>(), 11);
}

/// What is not taken has to be there all the same: every index of the source.
#[test]
fn neighbours_of_what_is_taken() {
    let src = packed(U8, &[4, 3]); // elements 0 to 11
    // One element past the one that is taken is needed, and the sentence counts it.
    for list in [
        &[0][..],
        &[1],
        &[2],
        &[0, 1],
        &[1, 0],
        &[2, 1, 0],
        &[0, 0, 0],
        &[0, 1, 1],
        &[1, 0, 0, 1],
        &[0, -1],
        &[-1],
        &[-1, 0, 1],
    ] {
        take(&packed(U8, &[4, list.len() as i64]), &src, list, 12, 12, None);
        take(&packed(U8, &[4, list.len() as i64]), &src, list, 12, 11, Some((12, 11)));
    }
    // In front of the buffer it is the same: the first index of a mirrored source lies where it begins.
    let mirrored = at(2, layout(U8, &[4, 3], &[3, -1]));
    let below = at(1, layout(U8, &[4, 3], &[3, -1]));
    take(&packed(U8, &[4, 1]), &mirrored, &[2], 12, 12, None);
    for list in [&[0, 1][..], &[0, 1, 1]] {
        let (dst, runs, mut to) = (packed(U8, &[4, list.len() as i64]), runs_of(list), [0u8; 12]);
        let (d, s) = (to.as_mut_ptr().cast(), [0u8; 12].as_ptr().cast());
        let answer = call!(stride_copy_sides, &side(&dst), d, 12, &through(side(&below), 1, &runs), s, 12, null());
        assert_eq!(reason(answer), (Status::OutOfBounds.number(), Argument::SrcSide.number(), -1, -1, 0));
    }

    /// By a call and by a plan; the buffer of `src` has `given` bytes, the last of them before a page that may not be
    /// read.
    #[track_caller]
    fn take(
        dst: &stride_layout,
        src: &stride_layout,
        list: &[i64],
        needed: usize,
        given: usize,
        wrong: Option<(i64, i64)>,
    ) {
        let (columns, runs, mut plan) = (list.len(), runs_of(list), no_plan());
        let (dst_side, src_side) = (side(dst), through(side(src), 1, &runs));
        let source: Vec<u8> = (1..=needed as u8).collect();
        let mut pages = Guarded::new(given);
        let from = pages.buffer(given, true);
        from.copy_from_slice(&source[..given]);
        let (s, bytes) = (from.as_ptr().cast(), given as u64);
        call!(stride_plan_init_sides, &mut plan, &dst_side, &src_side, null()).unwrap();
        for by_plan in [false, true] {
            let mut to = vec![99u8; 4 * columns];
            let (d, d_bytes) = (to.as_mut_ptr().cast(), to.len() as u64);
            let answer = match by_plan {
                true => call!(stride_plan_execute, &plan, d, d_bytes, s, bytes),
                false => call!(stride_copy_sides, &dst_side, d, d_bytes, &src_side, s, bytes, null()),
            };
            if let Some(numbers) = wrong {
                let record = error(answer);
                assert_eq!(
                    (record.status, record.lhs, record.rhs),
                    (Status::OutOfBounds.number(), numbers.0, numbers.1)
                );
                assert!(to.iter().all(|&byte| byte == 99));
                continue;
            }
            answer.unwrap();
            for (k, &byte) in to.iter().enumerate() {
                let index = list[k % columns];
                let at = src.offset + (k / columns) as i64 * src.strides[0] + index * src.strides[1];
                assert_eq!(byte, if index < 0 { 0 } else { source[at as usize] }, "{list:?} {k}");
            }
        }
    }
}

/// The fill value of a list comes from nowhere: it shares no byte with what is written, and its bytes are not swapped.
#[test]
fn the_fill_value_of_a_list_lies_nowhere() {
    // Columns 0 to 2 of rows of 8 from columns 4 and 5 of the same.
    let (dst, src) = (layout(U8, &[4, 3], &[8, 1]), at(4, layout(U8, &[4, 2], &[8, 1])));
    let (runs, options) = (runs_of(&[1, -1, 0]), stride_copy_options { fill: [9; 16], ..DEFAULTS });
    let (to_side, from_side) = (side(&dst), through(side(&src), 1, &runs));
    let mut memory: [u8; 32] = std::array::from_fn(|k| k as u8);
    let mut expected = memory;
    (0..4).for_each(|row| expected[8 * row..][..3].copy_from_slice(&[8 * row as u8 + 5, 9, 8 * row as u8 + 4]));
    let (to, from) = (memory.as_mut_ptr().cast(), memory.as_ptr().cast());
    call!(stride_copy_sides, &to_side, to, 32, &from_side, from, 32, &options).unwrap();
    assert_eq!(memory, expected);
    // What fills the rest writes over the source.
    let (before, filling) = (memory, stride_copy_options { flags: STRIDE_COPY_FILL_BUFFER, ..options });
    let (to, from) = (memory.as_mut_ptr().cast(), memory.as_ptr().cast());
    let answer = call!(stride_copy_sides, &to_side, to, 32, &from_side, from, 32, &filling);
    assert_eq!((status(answer), memory), (Status::Overlap.number(), before));
    let (dst, src) = (packed(F32, &[3]), packed(Dtype::F32.swapped().code(), &[2]));
    let options = stride_copy_options { fill: std::array::from_fn(|k| k as u8), ..DEFAULTS };
    let (mut to, from) = ([0u8; 12], [10u8, 11, 12, 13, 20, 21, 22, 23]);
    let (d, s) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
    call!(stride_copy_sides, &side(&dst), d, 12, &through(side(&src), 0, &runs), s, 8, &options).unwrap();
    assert_eq!(to, [23, 22, 21, 20, 0, 1, 2, 3, 13, 12, 11, 10]);
}
