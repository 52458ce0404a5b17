//! A bound on time: the iterations of a fill or a comparison are at most a small multiple of the elements it spans.
//!
//! A copy writes each byte once, so its size bounds its time. A fill and a comparison may come back to an element: the
//! 200^4 indices of strides {1, 1, 1, 1} are 797 elements. Let the *span* be the elements from the lowest one that is
//! reached to the highest, whether those between are reached or not; of a comparison, the longer span of the two sides.
//! Then
//!
//! ```text
//!     iterations <= max(64 · span, elements in 64 KiB)
//! ```
//!
//! and beyond that the answer is UNDECIDED, before anything is touched. Distinct elements are at most as many as their
//! span, so they are never refused, and neither are windows of 7x7, which come back to an element up to 49 times.
//!
//! A loop that steps on no side is dropped when the loops are made, and counts nothing. The loops of a fill have no
//! order, so those that are one loop are joined first: a loop of n iterations, s apart, and one of m iterations, k·s
//! apart, reach all of `0, s, 2s, …` without a gap if k <= n. They are one loop of n + k·(m − 1) iterations.

use super::loops::Loops;
use crate::error::{Argument, Detail, Result, Status};
use crate::model::Layout;

/// Iterations for each element of the span, on average.
const TIMES: i64 = 64;
/// Bits of elements that are never too many: 64 KiB.
const ALWAYS: i64 = 1 << 19;

/// UNDECIDED, with the iterations that are allowed and those that are needed, if the spans of two layouts with elements
/// of one width do not allow so many iterations.
pub(super) fn check(iterations: i64, one: &Layout<'_>, other: &Layout<'_>, argument: Argument) -> Result<()> {
    let span = |layout: &Layout<'_>| layout.span().1 - layout.span().0 + 1; // I4
    let allowed = span(one).max(span(other)).saturating_mul(TIMES).max(ALWAYS / one.dtype().bits().max(1));
    let error = Status::Undecided.of(argument).because(Detail::TooManyElements, allowed, iterations);
    if iterations <= allowed { Ok(()) } else { Err(error) }
}

/// Joins loops of a fill that are one; steps are ascending and above 0. One pass is enough: whether a loop joins a
/// faster one does not depend on its own trip count, and if a multiple is too far apart, so are all larger ones.
pub(super) fn join(loops: &mut Loops) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;

    #[test]
    fn a_span_explains_64_times_its_elements_or_64_kib() {
        let long = Dtype::bytes(6000).unwrap();
        for (one, other, most) in [
            ((Dtype::U8, 1, 1024), (Dtype::U8, 0, 1024), 65_536),
            ((Dtype::U8, 1, 1025), (Dtype::U8, 0, 1025), 65_600), // 64 times
            ((Dtype::U8, 0, 3), (Dtype::U8, 1000, 3), 64 * 2001),
            ((Dtype::F32, 1, 2), (Dtype::F32, 1, 2), 16_384),
            ((Dtype::U4, 1, 2), (Dtype::U4, 1, 2), 131_072),
            ((long, 0, 1), (long, 0, 1), 64),
            ((Dtype::U8, (1 << 59) - 1, 2), (Dtype::U8, 0, 2), i64::MAX), // saturated
        ] {
            let [one, other] = [&one, &other].map(|(dtype, stride, count)| {
                Layout::new(*dtype, 7, core::slice::from_ref(count), core::slice::from_ref(stride)).unwrap()
            });
            assert_eq!(check(most, &one, &other, Argument::LhsLayout), Ok(()), "{one:?} {other:?}");
            let Some(more) = most.checked_add(1) else { continue };
            let e = check(more, &one, &other, Argument::LhsLayout).unwrap_err();
            let said = (e.status, e.argument, e.lhs, e.rhs);
            assert_eq!(said, (Status::Undecided, Argument::LhsLayout, most, more), "{one:?} {other:?}");
        }
    }
}
