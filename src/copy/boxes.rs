//! Iterations that come back to the same elements, left out.
//!
//! Of two loops with steps s and t let g = gcd(s, t), q = t / g and p = s / g. Then q iterations of the one lead where
//! p iterations of the other do: q·s = p·t. So the iterations (i, j) and (i + q, j − p) are the same element on this
//! side, and if q and p do as much on the other side they are the same pair of elements. Of all (i, j) that are one
//! pair, those with j < p, or with i among the last q, have no such (i + q, j − p). They are two boxes, and no pair of
//! elements is in both or in one of them twice:
//!
//! ```text
//!                j < p        all of the n iterations of i
//!           p <= j < m        the last q iterations of i
//!
//!           n·m − (n − q)·(m − p) iterations instead of n·m
//! ```
//!
//! If the steps have opposite signs on both sides it is (i − q, j − p), and the *first* q iterations of i. In either
//! case what is left out lies behind what is kept if j counts slower than i, so the first element with some property is
//! kept.
//!
//! The windows of a convolution are such pairs: sizes {oy, ox, ky, kx} with strides {2W, 2, 3W, 3} have one along y and
//! one along x. With P pairs the loops are cut into 2^P boxes. Elements that only three loops together reach again are
//! left in.
//!
//! *A comparison* has one more kind of pair, of a loop that steps on one side only and a loop that steps on the other
//! side only. If element (0, j) equals (0, 0), and that (i, 0), then so does (i, j), which comes behind all of them:
//! j = 0 or i = 0 will do, the same boxes with q = p = 1.

use super::loops::{Loop, MAX_LOOPS};
use super::nest::Nest;
use super::problem::Problem;
use crate::model::arith::gcd;
use arrayvec::ArrayVec;

/// Two loops, by their numbers, some iterations of which lead to the same place. The outer one comes later in the list.
struct Pair {
    inner: u8,
    outer: u8,
    /// The q and p of the module's documentation, fewer than the loops have iterations.
    inner_turns: i64,
    outer_turns: i64,
    /// The steps have opposite signs.
    opposite: bool,
}

impl Pair {
    /// The pair that two loops form, if they do.
    fn new((inner, a): (u8, &Loop), (outer, b): (u8, &Loop)) -> Option<Self> {
        if !may_meet(a, b) {
            return None;
        }
        if are_crossed(a, b) {
            return Some(Self { inner, outer, inner_turns: 1, outer_turns: 1, opposite: true });
        }
        let (s, t) = side(a, b);
        let divisor = gcd(s.unsigned_abs(), t.unsigned_abs()).max(1) as i64;
        let (inner_turns, outer_turns, opposite) = ((t / divisor).abs(), (s / divisor).abs(), (s < 0) != (t < 0));
        let sign = if opposite { -1 } else { 1 };
        let leads = |s: i64, t: i64| s.wrapping_mul(inner_turns) == t.wrapping_mul(outer_turns).wrapping_mul(sign);
        let meets = inner_turns < a.count && outer_turns < b.count && leads(a.dst, b.dst) && leads(a.src, b.src);
        meets.then_some(Self { inner, outer, inner_turns, outer_turns, opposite })
    }

    /// Iterations of both boxes, for loops of n and m iterations.
    fn turns(&self, n: i64, m: i64) -> i64 {
        n.saturating_mul(m) - (n - self.inner_turns).saturating_mul(m - self.outer_turns)
    }
}

/// Pairs of loops; each loop is in one of them at most.
pub(crate) struct Pairs(ArrayVec<Pair, { MAX_LOOPS / 2 }>);

impl Pairs {
    /// Pairs among these loops, each of which steps on at least one side: for each loop the partner with which it saves
    /// most. Numbers are those of layouts: I4 bounds what a loop reaches, so no product below leaves 64 bits.
    pub(crate) fn of(loops: &[Loop]) -> Self {
        let (mut pairs, mut paired) = (Self(ArrayVec::new()), 0u64);
        for (inner, l) in (0u8..).zip(loops) {
            let others =
                (0u8..).zip(loops).skip(inner as usize + 1).filter(|(outer, _)| paired >> (outer & 63) & 1 == 0);
            let found = others.filter_map(|(outer, other)| Some((Pair::new((inner, l), (outer, other))?, other)));
            // What is left of all iterations of the two: the fewest for each iteration of the other one.
            let left =
                |(pair, other): &(Pair, &Loop), count: i64| pair.turns(l.count, other.count) as u128 * count as u128;
            let best = found.min_by(|a, b| left(a, b.1.count).cmp(&left(b, a.1.count)));
            if let Some((pair, _)) = best.filter(|_| paired >> (inner & 63) & 1 == 0) {
                paired |= 1 << (pair.outer & 63); // inner ones are not looked at again
                let _ = pairs.0.try_push(pair); // there is room for half as many pairs as loops
            }
        }
        pairs
    }

    pub(crate) fn boxes(&self) -> u64 {
        1 << self.0.len()
    }

    /// Iterations of all boxes; the product of all counts must fit.
    pub(crate) fn turns(&self, loops: &[Loop]) -> i64 {
        (0..loops.len()).filter_map(|k| self.turns_of(loops, k)).fold(1, i64::saturating_mul)
    }

    /// Iterations of the pair whose inner loop this is, or of the loop itself; `None` for an outer one.
    fn turns_of(&self, loops: &[Loop], k: usize) -> Option<i64> {
        let count = |k: usize| loops.get(k).map_or(1, |l| l.count);
        if self.0.iter().any(|pair| pair.outer as usize == k) {
            return None;
        }
        let Some(pair) = self.0.iter().find(|pair| pair.inner as usize == k) else { return Some(count(k)) };
        Some(pair.turns(count(k), count(pair.outer as usize)))
    }

    /// Elements that the loops certainly reach in the destination, each counted once: steps ascending, `width` or more,
    /// no count of 1. If loops and pairs are nested, this counts all iterations.
    ///
    /// Let A be what some loops reach and B what the next loop or pair adds. |A + B| = |A|·|B| if two sums of B are
    /// further apart than A reaches, as multiples of a large number are; in any case |A + B| >= |A| + |B| − 1.
    pub(crate) fn certain_elements(&self, width: i64, loops: &[Loop]) -> i64 {
        let (mut elements, mut extent) = (1i64, width);
        for (k, l) in loops.iter().enumerate() {
            let Some(turns) = self.turns_of(loops, k) else { continue };
            let outer =
                self.0.iter().find(|pair| pair.inner as usize == k).and_then(|pair| loops.get(pair.outer as usize));
            let both = [Some(l), outer].into_iter().flatten();
            let apart = both.clone().fold(0, |divisor, l| gcd(l.dst.unsigned_abs(), divisor));
            elements = match apart >= extent as u64 {
                true => elements.saturating_mul(turns),
                false => elements.saturating_add(turns - 1),
            };
            extent = both.fold(extent, |extent, l| extent.saturating_add((l.count - 1).saturating_mul(l.dst)));
        }
        elements
    }

    /// The first iteration of loop `k` in a box, and how many it has there.
    pub(crate) fn range(&self, number: u64, k: usize, count: i64) -> (i64, i64) {
        for (bit, pair) in self.0.iter().enumerate() {
            let (second, q, p) = (number >> bit & 1 != 0, pair.inner_turns, pair.outer_turns);
            if pair.outer as usize == k {
                return if second { (p, count - p) } else { (0, p) };
            }
            if pair.inner as usize == k && second {
                return if pair.opposite { (0, q) } else { (count - q, q) };
            }
        }
        (0, count)
    }
}

/// Whether any two loops may be a pair.
#[inline(always)]
pub(crate) fn any_meet(loops: &[Loop]) -> bool {
    let mut rest = loops;
    while let [l, slower @ ..] = rest {
        if slower.iter().any(|other| may_meet(l, other)) {
            return true;
        }
        rest = slower;
    }
    false
}

/// The steps that decide whether two loops are a pair: those of the destination, unless neither steps there.
#[inline(always)]
fn side(a: &Loop, b: &Loop) -> (i64, i64) {
    if a.dst | b.dst == 0 { (a.src, b.src) } else { (a.dst, b.dst) }
}

/// Whether one steps on one side only, and the other on the other side only.
#[inline(always)]
fn are_crossed(a: &Loop, b: &Loop) -> bool {
    a.dst | b.src == 0 || a.src | b.dst == 0
}

/// Whether each of two loops gets as far as a step of the other, which nested loops do not; or whether they are
/// crossed.
#[inline(always)]
fn may_meet(a: &Loop, b: &Loop) -> bool {
    let (s, t) = side(a, b);
    let (s, t) = (s.unsigned_abs(), t.unsigned_abs());
    let reach = |count: i64, step: u64| (count as u64).wrapping_sub(1).wrapping_mul(step);
    are_crossed(a, b) || reach(a.count, s) >= t && reach(b.count, t) >= s
}

impl Problem {
    /// Becomes one of the boxes into which pairs cut a problem.
    pub(crate) fn set_box(&mut self, nest: &Nest<'_>, pairs: &Pairs, number: u64) {
        self.set(nest);
        for (k, l) in self.loops.as_mut_slice().iter_mut().enumerate() {
            let (first, count) = pairs.range(number, k, l.count);
            self.dst_base += first * l.dst;
            self.src_base += first * l.src;
            l.count = count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    /// Places of all iterations, the last loop slowest.
    fn places(nest: &Nest<'_>) -> Vec<(i64, i64)> {
        let mut all = std::vec![(nest.dst_base, nest.src_base)];
        for l in nest.loops {
            let turn = |i: i64| all.iter().map(move |(dst, src)| (dst + i * l.dst, src + i * l.src));
            all = (0..l.count).flat_map(turn).collect();
        }
        all
    }

    fn check(loops: &[Loop]) -> usize {
        let nest = Nest { width: 1, dst_base: 1000, src_base: 2000, loops };
        let pairs = Pairs::of(loops);
        let (mut turns, mut problem) = (Vec::new(), Problem::nothing());
        for number in 0..pairs.boxes() {
            problem.set_box(&nest, &pairs, number);
            turns.extend(places(&problem.nest()));
        }
        assert_eq!(turns.len() as i64, pairs.turns(loops));
        let mut wanted: BTreeMap<_, usize> = BTreeMap::new();
        places(&nest).into_iter().for_each(|place| *wanted.entry(place).or_default() += 1);
        let mut found = turns.clone();
        found.sort();
        found.dedup();
        assert!(found.iter().eq(wanted.keys()), "{loops:?}");
        // For two loops, everything that repeats is cut.
        if loops.len() == 2 {
            assert_eq!(turns.len(), found.len(), "{loops:?}");
        }
        assert!(loops.len() == 1 || turns.len() <= places(&nest).len());
        places(&nest).len() - turns.len()
    }

    #[test]
    #[cfg_attr(miri, ignore = "tens of thousands of nests")]
    fn boxes_hold_every_pair_of_elements_once() {
        let mut left_out = 0;
        let steps = [1, 2, 3, 4, 6, -1, -2, -3];
        for (n, m) in (2..6).flat_map(|n| (2..6).map(move |m| (n, m))) {
            for (s, t) in steps.into_iter().flat_map(|s| steps.map(move |t| (s, t))) {
                for (u, v) in [(0, 0), (s, t), (5 * s, 5 * t), (-s, -t), (s, 2 * t), (-s, t), (0, t)] {
                    left_out += check(&[Loop { count: n, dst: s, src: u }, Loop { count: m, dst: t, src: v }]);
                    left_out += check(&[Loop { count: n, dst: u, src: s }, Loop { count: m, dst: v, src: t }]);
                }
            }
        }
        assert!(left_out > 10_000, "{left_out}");
        // The windows of a convolution: two pairs. And three loops that meet.
        let window = |pitch: i64| [(3, 3), (5, 2), (4, 3 * pitch), (4, 2 * pitch)];
        let loops = window(100).map(|(count, step)| Loop { count, dst: step, src: 7 * step });
        assert_eq!(Pairs::of(&loops).boxes(), 4);
        assert!(check(&loops) > 0);
        let loops = [(4, 2), (4, 3), (4, 5)].map(|(count, dst)| Loop { count, dst, src: 0 });
        assert!(check(&loops) > 0);
    }

    /// Three and four loops, any of which may meet any other: none is in two pairs.
    #[test]
    #[cfg_attr(miri, ignore = "thousands of nests")]
    fn boxes_of_loops_that_all_meet() {
        let (counts, steps) = ([2, 3, 5], [1, 2, 3, -2]);
        let kinds = counts.len() * steps.len();
        let mut left_out = 0;
        for (rank, every) in [(3, 1), (4, 7)] {
            for number in (0..kinds.pow(rank)).step_by(every) {
                let kind = |at: u32| number / kinds.pow(at) % kinds;
                let one = |at: u32| (counts[kind(at) % counts.len()], steps[kind(at) / counts.len()]);
                let loops: Vec<Loop> = (0..rank)
                    .map(one)
                    .map(|(count, dst)| Loop { count, dst, src: dst * (number as i64 % 2) })
                    .collect();
                left_out += check(&loops);
            }
        }
        assert!(left_out > 1000, "{left_out}");
    }

    #[test]
    fn crossed_loops_are_looked_at_along_two_edges() {
        let loops = [Loop { count: 5, dst: 1, src: 0 }, Loop { count: 4, dst: 0, src: -2 }];
        let nest = Nest { width: 1, dst_base: 0, src_base: 9, loops: &loops };
        let (pairs, mut problem, mut found) = (Pairs::of(&loops), Problem::nothing(), Vec::new());
        for number in 0..pairs.boxes() {
            problem.set_box(&nest, &pairs, number);
            found.extend(places(&problem.nest()));
        }
        assert_eq!(found, [(0, 9), (1, 9), (2, 9), (3, 9), (4, 9), (0, 7), (0, 5), (0, 3)]);
        assert_eq!((pairs.boxes(), pairs.turns(&loops)), (2, 8));
    }

    #[test]
    fn the_first_turn_is_kept() {
        // Among equal pairs of elements, the one that comes first if the last loop is the slowest.
        for (s, t) in [(1, 2), (2, 1), (2, 3), (3, 2), (1, -2), (-2, 1), (2, -3), (-1, -1)] {
            let loops = [Loop { count: 7, dst: s, src: 4 * s }, Loop { count: 6, dst: t, src: 4 * t }];
            let nest = Nest { width: 1, dst_base: 0, src_base: 0, loops: &loops };
            let pairs = Pairs::of(&loops);
            let all = places(&nest);
            for (turn, place) in all.iter().enumerate() {
                let (i, j) = (turn as i64 % 7, turn as i64 / 7);
                let holds = |number| {
                    let within = |k, at: i64, count| {
                        let (first, count) = pairs.range(number, k, count);
                        (first..first + count).contains(&at)
                    };
                    within(0, i, 7) && within(1, j, 6)
                };
                let kept = (0..pairs.boxes()).any(holds);
                assert_eq!(kept, !all[..turn].contains(place), "({i}, {j}) of {s}, {t}");
            }
        }
    }
}
