//! A bound on time: the bytes that loops reach must explain their iterations.
//!
//! A copy writes each byte once, so its size says how long it takes. A fill and a comparison may come back to an
//! element: the 200^4 indices of strides {1, 1, 1, 1} are 797 elements. Repetition is removed first:
//!
//! * *Joined.* A loop of n iterations, s apart, and one of m iterations, k·s apart, reach all of `0, s, 2s, …` without
//!   a gap if k <= n. They are one loop of n + k·(m − 1) iterations. Only a fill, which has no order, can do that.
//! * *Cut into boxes* (`boxes`): two loops of any steps.
//!
//! After this an ordinary layout takes as many iterations as it has elements. What remains are layouts whose elements
//! three or more loops reach again and again (strides 7, 11, 13). They are done as they are if their iterations are at
//! most a small multiple of the elements that are certainly reached, or at most [`ALWAYS`] bytes. Beyond that the
//! answer is UNDECIDED, before anything is touched.

use super::boxes::Pairs;
use super::loops::{self, Loop, Loops};
use super::problem::Problem;
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::overlap::{self, Effort};

/// Bytes of elements that are always gone through; bits for elements below a byte, whose widths are bits.
pub(crate) const ALWAYS: i64 = 1 << 16;
/// How often a fill may write an element, on average.
const FILLS: i64 = 8;
/// How often a comparison may look at an element of the side that has more of them, on average. Windows of 7x7 on one
/// side against a kernel that repeats on the other take 49.
const LOOKS: i64 = 64;

/// The loops of one side that step, each made ascending, sorted by step, and joined.
fn ascending(loops: impl Iterator<Item = (i64, i64)>) -> Loops {
    let mut sorted = Loops::new();
    for (count, step) in loops.filter(|&(_, step)| step != 0) {
        let dst = step.abs();
        sorted.insert_before(Loop { count, dst, src: 0 }, |other| other.dst > dst);
    }
    join(&mut sorted);
    sorted
}

/// Joins loops that are one; steps are ascending and above 0. One pass is enough: whether a loop joins a faster one
/// does not depend on its own trip count, and if a multiple is too far apart, so are all larger ones.
fn join(loops: &mut Loops) {
    let mut rest = loops.as_mut_slice();
    while let Some((l, slower)) = rest.split_first_mut() {
        for other in slower.iter_mut() {
            let times = other.dst / l.dst.max(1);
            if times <= l.count && times * l.dst == other.dst {
                l.count += times * (other.count - 1); // reaches no further than both did; one iteration adds nothing
                other.count = 1;
            }
        }
        rest = slower;
    }
    loops.merge(|_, l| l.count == 1);
}

/// UNDECIDED, with the iterations that are allowed and those that are needed.
#[cold]
fn too_many(allowed: i64, turns: i64) -> Error {
    Error::new(Status::Undecided).because(Detail::TooManyElements, allowed, turns)
}

/// Iterations that `elements` elements explain.
fn allowed(times: i64, elements: i64, width: i64) -> i64 {
    elements.saturating_mul(times).saturating_add(ALWAYS / width.max(1))
}

/// Whether no two iterations of these loops reach the same element.
fn are_distinct(loops: &[Loop]) -> bool {
    overlap::meets_itself(loops.iter().map(|l| (l.count, l.dst)), Effort::steps(0)) == Some(false)
}

impl Problem {
    /// Joins the loops of a fill that are not nested, and checks its iterations against its elements.
    #[cold]
    pub(super) fn join_fill(&mut self) -> Result<()> {
        join(&mut self.loops);
        let loops = self.loops.as_slice();
        let pairs = Pairs::of(loops);
        let turns = pairs.turns(loops);
        let allowed = allowed(FILLS, pairs.certain_elements(self.width, loops), self.width);
        match turns <= allowed || are_distinct(loops) {
            true => Ok(()),
            false => Err(too_many(allowed, turns).argument(Argument::DstLayout)),
        }
    }
}

/// Checks the iterations of a comparison against the elements of the side that reaches more.
#[inline(always)]
pub(super) fn check_comparison(turns: i64, width: i64, loops: &[Loop]) -> Result<()> {
    if turns <= ALWAYS / width.max(1) { Ok(()) } else { check_long_comparison(turns, width, loops) }
}

#[inline(never)] // lists of loops are large
fn check_long_comparison(turns: i64, width: i64, loops: &[Loop]) -> Result<()> {
    let sides = [|l: &Loop| (l.count, l.dst), |l: &Loop| (l.count, l.src)];
    let sides = sides.map(|side| ascending(loops.iter().map(side)));
    let certain = |side: &Loops| Pairs::of(side.as_slice()).certain_elements(width, side.as_slice());
    let exact =
        |side: &Loops| if are_distinct(side.as_slice()) { loops::turns(side.as_slice()) } else { certain(side) };
    let most = |count: &dyn Fn(&Loops) -> i64| allowed(LOOKS, sides.iter().map(count).fold(0, i64::max), width);
    match turns <= most(&certain) || turns <= most(&exact) {
        true => Ok(()),
        false => Err(too_many(most(&certain), turns).argument(Argument::LhsLayout)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 64 times the elements of the side that reaches more, and as many more as 64 KiB hold.
    #[test]
    fn a_comparison_may_look_64_times_at_an_element() {
        let line = [Loop { count: 31, dst: 6000, src: 6000 }, Loop { count: 3, dst: 0, src: 6000 }];
        let bytes = [Loop { count: 31, dst: 2, src: 1 }];
        for (width, loops, most) in
            [(6000, &line[..1], 31 * 64 + 10), (6000, &line, 33 * 64 + 10), (1, &bytes, 31 * 64 + 65_536)]
        {
            assert_eq!(check_comparison(most, width, loops), Ok(()));
            let error = check_comparison(most + 1, width, loops).unwrap_err();
            assert_eq!((error.status, error.lhs, error.rhs), (Status::Undecided, most, most + 1));
        }
        assert_eq!(check_comparison(10, 6000, &[]), Ok(()));
    }
}
