//! Whether two indices of one layout, or an index of one and an index of another, share a bit.
//!
//! Both questions are one: is there a bounded non-negative solution of
//!
//! ```text
//! c[0]·x[0] + … + c[n−1]·x[n−1] = target,   0 <= x[k] <= last[k]
//! ```
//!
//! *Two layouts.* Index x of `a` and y of `b` share a bit iff `a_low + Σ sa·x + u = b_low + Σ sb·y + v` for some bit
//! `u` of the one and `v` of the other element. Counting y from its far end makes the minus a plus, so the sum over all
//! terms must fall into an interval as wide as the two elements. Only multiples of the gcd of all strides can be met:
//! usually none or one lies in the interval (this alone tells the channels of an interleaved image apart), otherwise
//! one more term of coefficient 1 ranges over them.
//!
//! *One layout.* Two indices meet iff `Σ s[k]·d[k] = 0` for a non-zero difference d. Take the strides from large to
//! small and let k be the first with `d[k] != 0`; by symmetry `d[k] >= 1`. That is one equation for each k.
//!
//! `equation` solves it within a budget. If the budget ends first, the answer is UNDECIDED, never a guess.

mod equation;
mod occupied;

use super::layout::Layout;
use crate::error::{Detail, Error, Result, Status};
pub(super) use equation::{Equation, Term};
pub(crate) use occupied::Occupied;

/// Steps of the solver if the caller gives 0: below a millisecond.
pub const DEFAULT_BUDGET: u64 = 1 << 12;

/// Terms of any equation: I3 leaves at most 62 dimensions of size above 1 on either side.
const ALL_TERMS: usize = 2 * 62 + 1;
/// Terms for a small stack; an equation with more is not decided.
const FEW_TERMS: usize = 10;

/// The most that a question may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Steps; 0: [`DEFAULT_BUDGET`].
    pub budget: u64,
    /// Below 2 KiB of stack instead of 17.
    pub small_stack: bool,
}

impl Effort {
    /// This many steps, on any stack.
    pub(crate) const fn steps(budget: u64) -> Self {
        Self { budget, small_stack: false }
    }

    fn budget(self) -> u64 {
        if self.budget == 0 { DEFAULT_BUDGET } else { self.budget }
    }
}

/// The most pairs of sets that are compared in bytes; each is a question of its own.
const MOST_PAIRS: u64 = 64;

/// Whether two sides counted in bits, from opposite ends of each byte, have elements in one byte; then it is not known
/// whether they share a bit. `None`: not decided. Of two elements in one byte, a lies at most 8 minus its bits after
/// b, and b likewise after a. So if both, made that much wider, share nothing, they are apart; else bytes decide.
pub(crate) fn come_close<A, B>(
    a: &Occupied<A>,
    b: &Occupied<B>,
    element_bits: [i128; 2],
    effort: Effort,
) -> Option<bool>
where
    A: Iterator<Item = (i64, i64)> + Clone,
    B: Iterator<Item = (i64, i64)> + Clone,
{
    let more = 9 - element_bits[0] - element_bits[1];
    if share_a_unit(&a.wider(more), &b.wider(more), effort) == Some(false) {
        return Some(false);
    }
    let (a, b) = (a.without_runs(), b.without_runs());
    let (of_a, of_b) = (a.sets(), b.sets());
    let pairs = of_a.saturating_mul(of_b);
    let steps = effort.budget() / pairs.max(1);
    if pairs > MOST_PAIRS || steps == 0 {
        return None;
    }
    let each = Effort { budget: steps, ..effort };
    let mut apart = Some(false);
    for set_of_a in 0..of_a {
        for set_of_b in 0..of_b {
            match share_a_unit(&a.bytes(set_of_a), &b.bytes(set_of_b), each) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => apart = None,
            }
        }
    }
    apart
}

/// Whether a unit belongs to both. `None`: not decided.
pub(crate) fn share_a_unit<A, B>(a: &Occupied<A>, b: &Occupied<B>, effort: Effort) -> Option<bool>
where
    A: Iterator<Item = (i64, i64)> + Clone,
    B: Iterator<Item = (i64, i64)> + Clone,
{
    if a.lowest >= b.highest + b.width || b.lowest >= a.highest + a.width {
        return Some(false);
    }
    let (a, b) = (a.without_runs(), b.without_runs());
    let sides = [[a.lowest, a.highest, a.width], [b.lowest, b.highest, b.width]];
    let scaled = |scale: u64| {
        move |(count, stride): (i64, i64)| (stride.unsigned_abs().checked_mul(scale), count.saturating_sub(1) as u64)
    };
    let mut terms = a.loops.map(scaled(a.scale)).chain(b.loops.map(scaled(b.scale)));
    match effort.small_stack {
        true => share_by_equation::<FEW_TERMS>(sides, &mut terms, effort),
        false => share_by_equation::<ALL_TERMS>(sides, &mut terms, effort),
    }
}

/// [`share_a_unit`] for two sides (lowest, highest, width) and their terms: a step (`None`: too large), and its most.
#[inline(never)] // one for all kinds of loops; keeps the solver off the callers' stacks
fn share_by_equation<const N: usize>(
    [a, b]: [[i128; 3]; 2],
    terms: &mut dyn Iterator<Item = (Option<u64>, u64)>,
    effort: Effort,
) -> Option<bool> {
    // Distance from the lowest element of one side to the highest of the other. For two elements to meet, the steps of
    // both must add up to a sum between `first` and `last`.
    let distance = b[1] - a[0];
    let (first, last) = (distance - (a[2] - 1), distance + (b[2] - 1));
    if first <= 0 || last >= (a[1] - a[0]) + (b[1] - b[0]) {
        return Some(true); // the lowest element of one side and the highest of the other
    }
    let (first, last) = (u64::try_from(first).ok()?, u64::try_from(last).ok()?);
    let mut room = [Term::ZERO; N];
    let mut equation = Equation::of(&mut room);
    for (coefficient, last) in terms {
        equation.add(coefficient?, last);
    }
    let divisor = equation.divisor.max(1); // without steps only the ends could meet
    let (first, last) = (first.div_ceil(divisor), last / divisor);
    if first > last {
        return Some(false);
    }
    equation.divide()?;
    equation.add(1, last - first);
    equation.solve(last, &mut effort.budget())
}

/// Whether two index tuples of `loops` (count, stride) meet in one element. `None`: not decided.
pub(crate) fn meets_itself<I>(loops: I, effort: Effort) -> Option<bool>
where
    I: Iterator<Item = (i64, i64)> + Clone,
{
    let open = || loops.clone().filter(|&(count, _)| count > 1);
    if open().any(|(_, stride)| stride == 0) {
        return Some(true);
    }
    // Already nested: each stride exceeds what all inner ones reach together.
    let nested = |reach: Option<u64>, (count, stride): (i64, i64)| {
        let reach = reach.filter(|&reach| stride.unsigned_abs() > reach)?;
        stride.unsigned_abs().checked_mul(count as u64 - 1)?.checked_add(reach)
    };
    if open().fold(Some(0), nested).is_some() {
        return Some(false);
    }
    match effort.small_stack {
        true => meets_by_equation::<FEW_TERMS>(&mut open(), effort),
        false => meets_by_equation::<ALL_TERMS>(&mut open(), effort),
    }
}

#[inline(never)]
fn meets_by_equation<const N: usize>(open: &mut dyn Iterator<Item = (i64, i64)>, effort: Effort) -> Option<bool> {
    let (mut room, mut room_of_one) = ([Term::ZERO; N], [Term::ZERO; N]);
    let mut sorted = Equation::of(&mut room);
    let (mut count, mut dimensions) = (1u128, 0);
    for (size, stride) in open {
        sorted.add(stride.unsigned_abs(), size as u64 - 1);
        count = count.saturating_mul(size as u128);
        dimensions += 1;
    }
    if sorted.complete && sorted.count < dimensions {
        return Some(true); // two dimensions with the same stride
    }
    meets_sorted(&mut sorted, &mut room_of_one, count, effort)
}

/// Whether two of `count` index tuples meet whose strides, all different, are the coefficients.
#[inline(never)]
fn meets_sorted(sorted: &mut Equation<'_>, room: &mut [Term], count: u128, effort: Effort) -> Option<bool> {
    sorted.divide()?;
    sorted.prepare()?;
    let terms = sorted.terms.get(..sorted.count)?;
    let span = terms.first().map_or(0, |term| term.reach_after + term.coefficient * term.last);
    if count > span as u128 + 1 {
        return Some(true); // more indices than places
    }
    let mut budget = effort.budget();
    for (k, term) in terms.iter().enumerate() {
        // c[k]·(d[k] − 1) + Σ c[j]·(d[j] + last[j]) = Σ c[j]·last[j] − c[k] over the later j.
        let Some(target) = term.reach_after.checked_sub(term.coefficient) else { continue };
        let mut equation = Equation::of(room);
        equation.add(term.coefficient, term.last - 1);
        for later in terms.iter().skip(k + 1) {
            equation.add(later.coefficient, later.last.checked_mul(2)?);
        }
        if equation.solve(target, &mut budget)? {
            return Some(true);
        }
    }
    Some(false)
}

/// UNDECIDED, with the steps that were allowed.
pub(crate) fn undecided(budget: u64) -> Error {
    let steps = i64::try_from(Effort::steps(budget).budget()).unwrap_or(i64::MAX);
    Error::new(Status::Undecided).because(Detail::Budget, steps, 0)
}

impl Layout<'_> {
    /// Whether two different indices mean the same element. UNDECIDED after `budget` steps (0: the default).
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// assert!(Layout::new(Dtype::F32, 0, &[3, 3], &[1, 1])?.self_overlap(0)?);
    /// assert!(!Layout::new(Dtype::F32, 0, &[3, 3], &[3, 1])?.self_overlap(0)?);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn self_overlap(&self, budget: u64) -> Result<bool> {
        if self.is_empty() {
            return Ok(false);
        }
        meets_itself(self.dimensions().rev(), Effort::steps(budget)).ok_or(undecided(budget))
    }

    /// Whether any bit belongs to an element of both, with their base pointers at these addresses (in bytes). Elements
    /// that only share a byte, as 4-bit ones do, do not overlap. UNDECIDED as [`Layout::self_overlap`], and if both
    /// have elements in one byte and count them from opposite ends.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// // Two channels of one image lie between each other, but share nothing.
    /// let image = LayoutBuf::packed(Dtype::U8, &[480, 640, 3])?;
    /// let (red, green) = (image.select(2, 0)?, image.select(2, 1)?);
    /// assert!(!red.view()?.overlaps(4096, &green.view()?, 4096, 0)?);
    /// assert!(red.view()?.overlaps(4096, &green.view()?, 4095, 0)?);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn overlaps(&self, address: u64, other: &Layout<'_>, other_address: u64, budget: u64) -> Result<bool> {
        if self.is_empty() || other.is_empty() {
            return Ok(false);
        }
        let (a, b) = (self.occupied(address), other.occupied(other_address));
        let both_sub_byte = self.dtype().is_sub_byte() && other.dtype().is_sub_byte();
        if both_sub_byte && self.dtype().is_high_first() != other.dtype().is_high_first() {
            // One side counts bits from the other end of each byte. They can be shown to be apart, not to meet.
            let bits = [a.width, b.width];
            return match come_close(&a, &b, bits, Effort::steps(budget)) {
                Some(false) => Ok(false),
                Some(true) => Err(Error::new(Status::Undecided).because(Detail::BitOrders, 0, 0)),
                None => Err(undecided(budget)),
            };
        }
        share_a_unit(&a, &b, Effort::steps(budget)).ok_or(undecided(budget))
    }

    fn occupied(&self, address: u64) -> Occupied<impl Iterator<Item = (i64, i64)> + Clone> {
        let bits = self.dtype().bits();
        let at = |element: i64| address as i128 * 8 + element as i128 * bits as i128;
        let (lowest, highest) = self.span();
        let (width, scale) = (bits as i128, bits as u64);
        Occupied { lowest: at(lowest), highest: at(highest), width, scale, loops: self.dimensions() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;

    fn layout<'a>(sizes: &'a [i64], strides: &'a [i64]) -> Layout<'a> {
        Layout::new(Dtype::U8, 0, sizes, strides).unwrap()
    }

    #[test]
    fn unique_although_not_nested() {
        // NumPy's documentation of the problem: {4,4} by {3,4} is unique, {5,4} by {3,4} is not.
        assert_eq!(layout(&[4, 4], &[3, 4]).self_overlap(0), Ok(false));
        assert_eq!(layout(&[5, 4], &[3, 4]).self_overlap(0), Ok(true));
        assert_eq!(layout(&[5, 4], &[-3, 4]).self_overlap(0), Ok(true));
        assert_eq!(layout(&[4, 4], &[3 << 40, 4 << 40]).self_overlap(0), Ok(false));
        assert_eq!(layout(&[5, 4], &[3 << 40, 4 << 40]).self_overlap(0), Ok(true));
        assert_eq!(layout(&[2, 3], &[0, 1]).self_overlap(0), Ok(true));
        assert_eq!(layout(&[2, 2, 10], &[101, 4, 2]).self_overlap(0), Ok(true));
        assert_eq!(layout(&[2, 2, 2], &[100, -7, 7]).self_overlap(0), Ok(true));
        assert_eq!(layout(&[0, 3], &[0, 0]).self_overlap(0), Ok(false));
    }

    #[test]
    fn channels_of_one_image_are_apart() {
        let channel = Layout::new(Dtype::F32, 0, &[1000, 1000], &[3000, 3]).unwrap();
        assert_eq!(channel.overlaps(4096, &channel, 4096 + 4, 1), Ok(false));
        assert_eq!(channel.overlaps(4096, &channel, 4096 + 12, 1), Ok(true));
        // Touching is not overlapping; one byte over is.
        let run = layout(&[10], &[1]);
        assert_eq!(run.overlaps(0, &run, 10, 1), Ok(false));
        assert_eq!(run.overlaps(0, &run, 9, 1), Ok(true));
        // Runs of fields are one, whatever lies between them: floats 0 to 2 of all vertices of 8, against 3 and 4 of
        // every third, forwards and backwards; and the same with one float more.
        let positions = Layout::new(Dtype::F32, 0, &[100_000, 3], &[8, 1]).unwrap();
        for (first, count, last, met) in
            [(3, 2, 1, false), (4, 2, -1, false), (3, 5, 1, false), (3, 6, 1, true), (2, 2, 1, true)]
        {
            let (sizes, strides) = ([33_333, count], [24, last]);
            let others = Layout::new(Dtype::F32, first, &sizes, &strides).unwrap();
            let told = [positions.overlaps(0, &others, 0, 1), others.overlaps(0, &positions, 0, 1)];
            assert_eq!(told, [Ok(met), Ok(met)], "{first} {count} {last}");
        }
        // Windows over a run are a run.
        let windows = Layout::new(Dtype::F32, 0, &[1000, 5, 3], &[16, 1, 2]).unwrap();
        for (offset, met) in [(8, true), (9, false), (15, false)] {
            let rest = Layout::new(Dtype::F32, offset, &[500, 1], &[32, 1]).unwrap();
            assert_eq!(windows.overlaps(0, &rest, 0, 1), Ok(met), "{offset}");
        }
        // Nibbles of one byte.
        let nibbles = |offset| Layout::new(Dtype::U4, offset, &[8], &[2]).unwrap();
        assert_eq!(nibbles(0).overlaps(0, &nibbles(1), 0, 1), Ok(false));
        assert_eq!(nibbles(0).overlaps(0, &nibbles(2), 0, 1), Ok(true));
        // The first nibble of one order is the second of the other: undecided rather than a guess.
        let high = Layout::new(Dtype::U4.high_first(), 1, &[1], &[1]).unwrap();
        let low = Layout::new(Dtype::U4, 0, &[1], &[1]).unwrap();
        assert_eq!(low.overlaps(0, &high, 0, 0).unwrap_err().status, Status::Undecided);
        assert_eq!(low.overlaps(0, &high, 1, 0), Ok(false));
        // A byte has no order of bits.
        let byte = layout(&[1], &[1]);
        assert_eq!((high.overlaps(0, &byte, 0, 0), byte.overlaps(0, &high, 1, 0)), (Ok(true), Ok(false)));
        // The last nibble of a byte and the first one of the next are four bits apart, like two nibbles of one byte.
        let last = Layout::new(Dtype::U4, 1, &[1], &[1]).unwrap();
        let first = Layout::new(Dtype::U4.high_first(), 2, &[1], &[1]).unwrap();
        assert_eq!((last.overlaps(0, &first, 0, 0), first.overlaps(0, &last, 0, 0)), (Ok(false), Ok(false)));
        // Of bytes 0, 4, 8, 12 the low nibble.
        let low = Layout::new(Dtype::U4, 0, &[4], &[8]).unwrap();
        for (first, apart) in [(0, false), (1, false), (2, true), (4, true), (6, true)] {
            let high = Layout::new(Dtype::U4.high_first(), first, &[4], &[8]).unwrap();
            let told = [low.overlaps(0, &high, 0, 0), high.overlaps(0, &low, 0, 0)];
            assert_eq!(told.map(|told| told == Ok(false)), [apart; 2], "{first}");
        }
    }

    #[test]
    fn there_is_room_for_all_terms() {
        // 62 loops on either side, all with different strides, and the term that wider elements add.
        let (of_two_bytes, of_one) =
            (core::array::from_fn(|k| k as i64 + 2), core::array::from_fn(|k| 2 * k as i64 + 3));
        let wide = Layout::new(Dtype::U16, 0, &[2; 62], &of_two_bytes as &[i64; 62]).unwrap();
        let narrow = Layout::new(Dtype::U8, 0, &[2; 62], &of_one as &[i64; 62]).unwrap();
        assert_eq!(wide.overlaps(0, &narrow, 0, 0), Ok(true));
    }

    #[test]
    fn nested_loops_need_no_equation() {
        // 11 bits of a number: more terms than a small stack has.
        let effort = Effort { budget: 0, small_stack: true };
        assert_eq!(meets_itself((0..11).map(|bit| (2, 1 << bit)), effort), Some(false));
        assert_eq!(meets_itself((0..11).rev().map(|bit| (2, 1 << bit)), effort), None);
    }

    #[test]
    fn multiples_meet_where_they_have_to() {
        // Coprime: b strides of a are a strides of b, and nothing less.
        let (a, b) = ((1 << 29) + 1, (1 << 29) + 3);
        assert_eq!(layout(&[b + 1, a + 1], &[a, b]).self_overlap(0), Ok(true));
        assert_eq!(layout(&[b, a + 1], &[a, b]).self_overlap(0), Ok(false));
        assert_eq!(layout(&[b + 1, a], &[a, b]).self_overlap(0), Ok(false));
    }

    #[test]
    fn a_budget_that_ends_is_said() {
        // Subset-sum like strides, far beyond one step.
        let sizes = [2; 16];
        let strides: std::vec::Vec<i64> = (0..16i64).map(|k| (1 << 20) + k * k * 97 + k * 13 + 1).collect();
        assert_eq!(layout(&sizes, &strides).self_overlap(1).unwrap_err().status, Status::Undecided);
    }

    #[test]
    fn ends_that_meet_take_no_steps() {
        let strides: std::vec::Vec<i64> = (0..16i64).map(|k| (1 << 20) + k * k * 97 + k * 13 + 1).collect();
        for dtype in [Dtype::U1, Dtype::U8] {
            let low = Layout::new(dtype, 0, &[2; 16], &strides).unwrap();
            let high = Layout::new(dtype, low.span().1, &[2; 16], &strides).unwrap();
            assert_eq!((low.overlaps(0, &high, 0, 1), high.overlaps(0, &low, 0, 1)), (Ok(true), Ok(true)));
        }
    }

    #[test]
    fn more_indices_than_places_take_no_steps() {
        // 2^16 of them in 1 + 200 + 201 + … + 215 places.
        let strides: std::vec::Vec<i64> = (200..216).collect();
        assert_eq!(layout(&[2; 16], &strides).self_overlap(1), Ok(true));
    }
}
