//! Every small layout against brute force: all of rank up to 3 with sizes 0–3 and strides −4…4, and all pairs of rank
//! up to 2 for overlap. Under Miri a few of them.

mod oracle;

use oracle::Side;
use std::collections::HashSet;
use std::ptr::null_mut;
use stride::error::Status;
use stride::ffi::layout::stride_layout;
use stride::ffi::overlap::{stride_layout_self_overlap, stride_layouts_overlap};
use stride::ffi::query::*;
use stride::model::Dtype;

/// One in so many of what there is.
const STEP: usize = if cfg!(miri) { 3 } else { 1 };

/// Every combination of sizes 0–3 and strides −4…4 with this rank.
fn all_layouts(rank: usize) -> Vec<(Vec<i64>, Vec<i64>)> {
    let mut all = vec![(vec![], vec![])];
    for _ in 0..rank {
        all = all
            .into_iter()
            .flat_map(|(sizes, strides): (Vec<i64>, Vec<i64>)| {
                (0..4).step_by(STEP).flat_map(move |size| {
                    let (sizes, strides) = (sizes.clone(), strides.clone());
                    (-4..5).step_by(STEP + STEP / 2).map(move |stride| {
                        let with = |list: &[i64], last| [list, &[last]].concat();
                        (with(&sizes, size), with(&strides, stride))
                    })
                })
            })
            .collect();
    }
    all.into_iter().step_by(STEP).collect()
}

fn span(layout: &stride_layout) -> (i64, i64) {
    let (mut lowest, mut highest) = (7, 7);
    // SAFETY: plain structs and numbers.
    let status = unsafe { stride_layout_span(layout, &mut lowest, &mut highest, null_mut()) };
    assert_eq!(status, 0);
    (lowest, highest)
}

fn formats(layout: &stride_layout) -> u32 {
    let mut flags = 77;
    // SAFETY: plain structs and numbers.
    assert_eq!(unsafe { stride_layout_classify(layout, &mut flags, null_mut()) }, 0);
    flags
}

/// Number of each index with the dimensions in this order, the last one fastest.
fn numbers(sizes: &[i64], order: &[usize]) -> Vec<i64> {
    let mut strides = vec![0; sizes.len()];
    let mut step = 1;
    for &dimension in order.iter().rev() {
        strides[dimension] = step;
        step *= sizes[dimension];
    }
    Side { sizes: sizes.to_vec(), strides, offset: 0 }.offsets()
}

#[test]
fn span_bytes_formats_and_self_overlap_of_all_small_layouts() {
    let mut checked = 0;
    for rank in 0..=3 {
        for (sizes, strides) in all_layouts(rank) {
            let side = Side { sizes: sizes.clone(), strides: strides.clone(), offset: 0 };
            let layout = side.layout(Dtype::U16.code());
            let offsets = side.offsets();
            let case = || format!("sizes {sizes:?} strides {strides:?}");
            let lowest = offsets.iter().min().copied().unwrap_or(0);
            let highest = offsets.iter().max().copied().unwrap_or(-1);
            assert_eq!(span(&layout), (lowest, highest), "{}", case());

            let rebased = Side::new(&sizes, &strides, 0);
            let (mut bytes, mut bits) = (99, 99);
            // SAFETY: plain structs and numbers.
            unsafe {
                stride_layout_min_bytes(&rebased.layout(Dtype::U16.code()), &mut bytes, null_mut());
                stride_layout_min_bytes(&rebased.layout(Dtype::U4.code()), &mut bits, null_mut());
            }
            let elements = rebased.extent() as u64;
            assert_eq!((bytes, bits), (elements * 2, elements.div_ceil(2)), "{}", case());

            let distinct: HashSet<i64> = offsets.iter().copied().collect();
            let mut answer = 9;
            // SAFETY: plain structs and numbers.
            let status = unsafe { stride_layout_self_overlap(&layout, 0, &mut answer, null_mut()) };
            assert_eq!((status, answer), (0, u32::from(distinct.len() < offsets.len())), "{}", case());

            let relative = |order: &[usize]| offsets == numbers(&sizes, order);
            let order: Vec<usize> = (0..rank).collect();
            let reversed: Vec<usize> = (0..rank).rev().collect();
            let dense = distinct.len() == offsets.len() && (highest - lowest + 1) as usize == offsets.len();
            let mut expected = 0;
            expected |= if relative(&order) { STRIDE_FORMAT_PACKED } else { 0 };
            expected |= if relative(&reversed) { STRIDE_FORMAT_COLUMN_MAJOR } else { 0 };
            expected |= if dense { STRIDE_FORMAT_DENSE } else { 0 };
            assert_eq!(formats(&layout), expected, "{}", case());
            checked += 1;
        }
    }
    assert!(cfg!(miri) || checked == 1 + 36 + 36 * 36 + 36 * 36 * 36, "{checked}");
}

#[test]
fn channels_last_of_all_small_layouts_of_rank_four() {
    let mut found = 0;
    for code in (0..(2 * 5u32).pow(4)).step_by(if cfg!(miri) { 211 } else { 1 }) {
        let digits: Vec<i64> = (0..4).map(|d| (code / 10u32.pow(d) % 10) as i64).collect();
        let sizes: Vec<i64> = digits.iter().map(|digit| 1 + digit % 2).collect();
        let strides: Vec<i64> = digits.iter().map(|digit| [0, 1, 2, 4, 8][(digit / 2) as usize]).collect();
        let side = Side { sizes: sizes.clone(), strides: strides.clone(), offset: 0 };
        let expected = side.offsets() == numbers(&sizes, &[0, 2, 3, 1]);
        let flag = formats(&side.layout(Dtype::U8.code())) & STRIDE_FORMAT_CHANNELS_LAST != 0;
        assert_eq!(flag, expected, "sizes {sizes:?} strides {strides:?}");
        found += u32::from(expected);
    }
    assert!(cfg!(miri) || found > 100);
}

/// The units that a layout occupies, as bits of a word; unit 0 lies in the middle.
fn mask(side: &Side, width: i64, address: i64) -> u128 {
    let unit = (1u128 << width) - 1;
    side.offsets().iter().fold(0, |mask, offset| mask | unit << (56 + address + offset * width))
}

fn all_pairs(lhs_dtype: u32, lhs_width: i64, rhs_dtype: u32, rhs_width: i64, unit_bytes: &[(i64, u64)]) -> (u64, u64) {
    let sides: Vec<Side> =
        (0..=2).flat_map(all_layouts).map(|(sizes, strides)| Side { sizes, strides, offset: 0 }).collect();
    let (mut yes, mut no) = (0, 0);
    let lhs: Vec<_> = sides.iter().map(|side| (side.layout(lhs_dtype), mask(side, lhs_width, 0))).collect();
    for &(units, bytes) in unit_bytes {
        let rhs: Vec<_> = sides.iter().map(|side| (side.layout(rhs_dtype), mask(side, rhs_width, units))).collect();
        for (i, (a, a_mask)) in lhs.iter().enumerate() {
            for (j, (b, b_mask)) in rhs.iter().enumerate() {
                let mut answer = 9;
                // SAFETY: plain structs and numbers.
                let status =
                    unsafe { stride_layouts_overlap(a, 1 << 20, b, (1 << 20) + bytes, 0, &mut answer, null_mut()) };
                let expected = a_mask & b_mask != 0;
                assert_eq!((status, answer), (0, expected.into()), "{:?} and {:?} + {bytes}", sides[i], sides[j]);
                if expected { yes += 1 } else { no += 1 }
            }
        }
    }
    (yes, no)
}

#[test]
fn overlap_of_all_pairs_of_rank_up_to_two() {
    let pairs = (1 + 36 + 36 * 36) * (1 + 36 + 36 * 36);
    let (yes, no) = all_pairs(Dtype::U8.code(), 1, Dtype::U8.code(), 1, &[(0, 0), (1, 1), (5, 5)]);
    assert!(cfg!(miri) || yes + no == 3 * pairs, "{yes} {no}");
    assert!(cfg!(miri) || yes > 500_000 && no > 500_000, "{yes} {no}");
}

#[test]
fn overlap_of_all_pairs_with_wider_and_narrower_elements() {
    let pairs = (1 + 36 + 36 * 36) * (1 + 36 + 36 * 36);
    // Two bytes against two bytes, one byte shifted; two against one; four bits against eight.
    let (yes, no) = all_pairs(Dtype::U16.code(), 2, Dtype::U16.code(), 2, &[(1, 1)]);
    assert!(cfg!(miri) || yes + no == pairs, "{yes} {no}");
    let (yes, no) = all_pairs(Dtype::U16.code(), 2, Dtype::U8.code(), 1, &[(3, 3)]);
    assert!(cfg!(miri) || yes + no == pairs, "{yes} {no}");
    let (yes, no) = all_pairs(Dtype::U4.code(), 1, Dtype::U8.code(), 2, &[(2, 1)]);
    assert!(cfg!(miri) || yes + no == pairs, "{yes} {no}");
}

/// Elements below a byte whose orders differ: a no is certain, a yes is never said, and most of what bytes tell apart
/// is told.
#[test]
fn overlap_of_all_pairs_whose_orders_in_a_byte_differ() {
    let sides: Vec<Side> =
        (0..=2).flat_map(all_layouts).map(|(sizes, strides)| Side { sizes, strides, offset: 0 }).collect();
    let (mut no, mut open, mut wide) = (0, 0, 0);
    for (low, shifts) in [(Dtype::U4, &[0, 1, 3][..]), (Dtype::U2, &[0, 1]), (Dtype::U1, &[0, 1])] {
        // The element that stands first in its byte is the last one where the high bits come first.
        let in_byte = 8 / low.bits();
        let upside_down = |side: &Side, address: i64| {
            side.offsets().iter().fold(0u128, |mask, offset| mask | 1 << (56 + address + (offset ^ (in_byte - 1))))
        };
        let byte = |k: i64| ((1u128 << in_byte) - 1) << (k * in_byte);
        let bytes = |mask: u128| (0..128 / in_byte).fold(0u128, |all, k| all | u128::from(mask & byte(k) != 0) << k);
        let lhs: Vec<_> = sides.iter().map(|side| (side.layout(low.code()), mask(side, 1, 0))).collect();
        for &shift in shifts {
            let of_high =
                |side: &Side| (side.layout(low.high_first().code()), upside_down(side, in_byte * shift as i64));
            let rhs: Vec<_> = sides.iter().map(of_high).collect();
            for (i, (a, a_mask)) in lhs.iter().enumerate() {
                for (j, (b, b_mask)) in rhs.iter().enumerate() {
                    let (mut answer, address) = (9, 1 << 20);
                    // SAFETY: plain structs and numbers.
                    let status =
                        unsafe { stride_layouts_overlap(a, address, b, address + shift, 0, &mut answer, null_mut()) };
                    let case = || format!("{low}: {:?} and {:?} + {shift}: {status}, {answer}", sides[i], sides[j]);
                    if status == Status::Ok.number() {
                        assert_eq!((answer, a_mask & b_mask), (0, 0), "{}", case());
                        no += 1;
                    } else {
                        assert_eq!((status, answer), (Status::Undecided.number(), 9), "{}", case());
                        open += 1;
                        // What could have been told, had each byte been looked at.
                        wide += u32::from(bytes(*a_mask) & bytes(*b_mask) == 0);
                    }
                }
            }
        }
    }
    assert!(cfg!(miri) || no > 1_000_000 && open > 1_000_000 && wide < open / 80, "{no} {open} {wide}");
}
