//! Parts of a copy in bits: each has iterations that no other part has, and no two parts write the same destination
//! byte.
//!
//! The slowest loop is cut, as in bytes (`part`), but only before an iteration that begins in another byte than the one
//! in which the iteration before it ends. Let the iterations of a loop begin `s` bits apart and occupy `E` bits each:
//!
//! ```text
//! iteration t may be the first of a part if  ⌊(base + (t − 1)·s + E − 1) / 8⌋ < ⌊(base + t·s) / 8⌋
//! ```
//!
//! This repeats after at most 8 iterations, so a boundary moves by fewer than 8, or there is none at all: then one part
//! has the whole loop, as in a transpose that begins inside a byte. Packed rows of 17 nibbles are cut before every
//! second row; a run is cut where a byte begins.
//!
//! This needs nested loops. If a loop goes on inside the iterations of another one, part 0 runs all of them.

use super::loops::Loop;
use super::nest::nested_extent;
use super::part::share;
use super::problem::Problem;

/// The iterations of a loop that may be cut: its steps, the extent of an iteration, and the begin of the first, in
/// bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iterations {
    pub l: Loop,
    pub extent: i64,
    pub base: i64,
}

impl Iterations {
    /// Whether iteration `t`, which is not the first, begins in another byte than the one in which the iteration before
    /// ends.
    fn begins_a_byte(&self, t: i64) -> bool {
        let begin = self.base + t * self.l.dst;
        (begin - self.l.dst + self.extent - 1) >> 3 < begin >> 3
    }

    /// The first iteration from `t` on before which a part may begin; the count if there is none.
    pub fn boundary(&self, t: i64) -> i64 {
        if t <= 0 {
            return 0;
        }
        let near = t..t.saturating_add(8).min(self.l.count);
        near.into_iter().find(|&t| self.begins_a_byte(t)).unwrap_or(self.l.count)
    }

    /// Whether a part may begin before any iteration.
    fn are_free(&self) -> bool {
        (1..self.l.count.min(9)).all(|t| self.begins_a_byte(t))
    }
}

impl Problem {
    /// [`Problem::part`] for a problem in bits whose reach was proved, and parts that are all useful.
    pub(super) fn part_of_bits(&mut self, mut part: u64, mut parts: u64) -> bool {
        let mut uncut = self.loops.as_slice().len();
        while parts > 1 {
            let loops = self.loops.as_slice();
            let Some((at, &l)) = uncut.checked_sub(1).and_then(|at| Some((at, loops.get(at)?))) else {
                return self.part_of_run(part, parts);
            };
            let Some(extent) = nested_extent(self.width, loops.get(..at).unwrap_or(&[])).filter(|&e| e <= l.dst) else {
                return part == 0;
            };
            let iterations = Iterations { l, extent, base: self.dst_base };
            let count = (l.count as u64).max(1);
            let (first, end);
            if count < parts && iterations.are_free() {
                // Several parts share one iteration and go on with the faster loops.
                first = (part * count / parts) as i64;
                end = first + 1;
                let (begin, past) = ((first as u64 * parts).div_ceil(count), (end as u64 * parts).div_ceil(count));
                (part, parts) = (part - begin, past - begin);
            } else {
                let bound = |k: u64| iterations.boundary(share(count, k, parts) as i64);
                (first, end) = (bound(part), bound(part + 1));
                parts = 1;
            }
            if first >= end {
                return false;
            }
            self.dst_base += first * l.dst;
            self.src_base += first * l.src;
            if let Some(cut) = self.loops.as_mut_slice().get_mut(at) {
                cut.count = end - first;
            }
            uncut = at;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::nest::{Packing, Unit};
    use std::vec;

    /// Elements of 4 bits; their width plays no part here.
    const BITS: Unit = Unit::Bits(Packing { element: 4, dst_high: false, src_high: false });

    /// `rows` rows of `columns` elements of `bits` bits, `pitch` elements apart, from element `base` on.
    fn rows(bits: i64, rows: i64, columns: i64, pitch: i64, base: i64) -> Problem {
        let mut problem = Problem { unit: BITS, width: bits, dst_base: base * bits, ..Problem::nothing() };
        problem.loops.push(Loop { count: columns, dst: bits, src: rows * bits });
        problem.loops.push(Loop { count: rows, dst: pitch * bits, src: bits });
        problem
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of elements")]
    fn parts_share_no_byte_and_leave_no_element_out() {
        let (mut shared, mut cut) = (0, 0);
        for bits in [1, 2, 4] {
            for (count, columns, gap, base) in [
                (3, 100_001, 0, 0),
                (400, 401, 0, 1),
                (400, 401, 1, 3),
                (2, 70_000, 0, 0),
                (70_001, 3, 0, 5),
                (1, 99_999, 0, 1),
            ] {
                for parts in [1, 2, 3, 4, 7] {
                    let all = (base + count * (columns + gap)) * bits / 8 + 1;
                    let (mut owners, mut elements) = (vec![u32::MAX; all as usize], 0);
                    for part in 0..parts {
                        let mut share = rows(bits, count, columns, columns + gap, base);
                        if !share.part(part, parts) {
                            continue;
                        }
                        cut += u32::from(part > 0);
                        let [d, s] = share.loops.as_slice() else { panic!() };
                        for j in 0..s.count {
                            for i in 0..d.count {
                                let byte = ((share.dst_base + j * s.dst + i * d.dst) >> 3) as usize;
                                shared += u32::from(owners[byte] != u32::MAX && owners[byte] != part);
                                owners[byte] = part;
                                elements += 1;
                            }
                        }
                    }
                    assert_eq!(elements, count * columns, "{bits} bits, {parts} parts");
                }
            }
        }
        assert_eq!(shared, 0);
        assert!(cut > 50, "{cut}");
    }

    #[test]
    fn parts_of_one_iteration_share_its_columns() {
        // Two rows of 32,768 nibbles: half a row for each of four parts.
        for part in 0..4 {
            let mut share = rows(4, 2, 32_768, 32_768, 0);
            assert!(share.part(part, 4));
            let counts: vec::Vec<i64> = share.loops.as_slice().iter().map(|l| l.count).collect();
            assert_eq!((counts, share.dst_base), (vec![16_384, 1], part as i64 * 65_536));
        }
    }

    /// Two rows of every other nibble, one in the gaps of the other: no iteration of the slower loop lies after the one
    /// before.
    #[test]
    fn rows_that_lie_between_each_other_are_not_cut() {
        for (part, has_work) in [(0, true), (1, false), (3, false)] {
            let mut share = rows(4, 2, 32_768, 32_767, 0);
            share.loops.as_mut_slice()[0].dst = 8;
            assert_eq!(share.part(part, 4), has_work);
            assert_eq!((share.loops.as_slice()[0].count, share.loops.as_slice()[1].count), (32_768, 2));
        }
    }

    #[test]
    fn a_run_is_cut_where_bytes_begin() {
        // The last widths fill all parts to the bit, apart from the bits before the first whole byte.
        for (width, base) in [(400_004, 4), (400_000, 0), (65_537, 7), (65_536, 1), (65_536, 4), (131_072, 7)] {
            for parts in [2, 3, 4, 7, 1000] {
                let mut next = base;
                for part in 0..parts {
                    let mut share = Problem { unit: BITS, width, dst_base: base, src_base: 3, ..Problem::nothing() };
                    if !share.part(part, parts) {
                        continue;
                    }
                    assert!(share.dst_base == next && (part == 0 || next % 8 == 0));
                    assert_eq!(share.src_base, share.dst_base - base + 3);
                    next += share.width;
                }
                assert_eq!(next, base + width);
            }
        }
    }
}
