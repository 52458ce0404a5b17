//! Two indices, one element; two layouts, one byte.

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
        // 4 * 21 + 6 * 3 = 102 is the last byte of either; 102 + 2 = 104 lies after it.
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

/// 62 loops of 2 on each side, all of different strides: the longest equation that there is. What is reached is a set
/// of subset sums, found by adding one loop after the other.
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
