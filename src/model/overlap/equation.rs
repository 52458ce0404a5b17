//! The solver: has the equation of `overlap` a solution?
//!
//! In general this is NP-hard (it contains subset sum). Coefficients are taken from large to small; the reach of the
//! rest bounds `x[k]` from both sides, and the gcd of the rest fixes it modulo a step, so the last two terms need no
//! search at all. Each value tried costs one unit of the budget. The model is NumPy's `mem_overlap`.

use crate::model::arith::gcd;
use crate::model::fixed;

/// One unknown of the equation.
#[derive(Clone, Copy)]
pub(in crate::model) struct Term {
    pub coefficient: u64,
    pub last: u64,
    /// The largest sum of all later terms.
    pub(super) reach_after: u64,
    /// The gcd g of `coefficient` and `gcd_after`; the distance `gcd_after / g` between two values that leave the rest
    /// a multiple of its gcd; and the inverse of `coefficient / g` modulo that distance.
    divisor: u64,
    pub step: u64,
    inverse: u64,
    /// The value being tried and the last one worth trying.
    pub value: u64,
    pub value_last: u64,
}

/// The equation, with as many terms as there is room for.
pub(in crate::model) struct Equation<'a> {
    pub(super) terms: &'a mut [Term],
    pub count: usize,
    /// The gcd of all coefficients that were added, including those without room; 0 if there are none.
    pub(super) divisor: u64,
    /// Whether there was room for all.
    pub(super) complete: bool,
}

impl<'a> Equation<'a> {
    pub fn of(room: &'a mut [Term]) -> Self {
        Self { terms: room, count: 0, divisor: 0, complete: true }
    }

    /// Divides all coefficients by their gcd. `None`: there was no room for all of them.
    pub(super) fn divide(&mut self) -> Option<()> {
        let terms = self.terms.get_mut(..self.count).filter(|_| self.complete)?;
        terms.iter_mut().for_each(|term| term.coefficient /= self.divisor.max(1));
        Some(())
    }

    /// Adds `coefficient · x, 0 <= x <= last`, keeping the coefficients descending and each once.
    #[inline(never)]
    pub fn add(&mut self, coefficient: u64, last: u64) {
        if last == 0 || coefficient == 0 {
            return;
        }
        self.divisor = gcd(coefficient, self.divisor);
        let used = self.terms.get_mut(..self.count).unwrap_or_default();
        if let Some(same) = used.iter_mut().find(|term| term.coefficient == coefficient) {
            match same.last.checked_add(last) {
                Some(last) => same.last = last,
                None => self.complete = false,
            }
            return;
        }
        let position = used.iter().position(|term| term.coefficient < coefficient).unwrap_or(self.count);
        let term = Term { coefficient, last, ..Term::ZERO };
        if fixed::insert(self.terms, self.count, position, term) {
            self.count += 1;
        } else {
            self.complete = false;
        }
    }

    /// Fills in the reach of later terms. `None`: a number outgrew 64 bits, or there was no room for all terms.
    pub(super) fn prepare(&mut self) -> Option<()> {
        let (mut reach, mut divisor) = (0u64, 0u64);
        for term in self.terms.get_mut(..self.count).filter(|_| self.complete)?.iter_mut().rev() {
            term.reach_after = reach;
            let both = gcd(term.coefficient, divisor).max(1);
            term.divisor = both;
            term.step = (divisor / both).max(1);
            term.inverse = inverse(term.coefficient / both, term.step);
            divisor = both;
            reach = reach.checked_add(term.coefficient.checked_mul(term.last)?)?;
        }
        Some(())
    }

    /// Whether the equation, of at least one term, has a solution. `None`: not decided.
    #[inline(never)]
    pub(super) fn solve(&mut self, target: u64, budget: &mut u64) -> Option<bool> {
        // The gcd and the reach of the last term allow this value, so the last term takes the rest exactly.
        self.search(target, budget, |_, _, _| Some(true))
    }

    /// The values of all but the last two terms with which these have a solution, until `found` says that it is enough;
    /// whether it did. `None`: not decided.
    ///
    /// `found` gets the terms, of which those before the last two hold their `value`; the last but one (the only one,
    /// if there is no other) holds its least value, the greatest and the step between those that will do. What is left
    /// for the two, and the budget, follow.
    #[inline(always)]
    pub fn search(
        &mut self,
        target: u64,
        budget: &mut u64,
        mut found: impl FnMut(&mut [Term], u64, &mut u64) -> Option<bool>,
    ) -> Option<bool> {
        self.prepare()?;
        let terms = self.terms.get_mut(..self.count)?;
        let mut level = 0usize;
        let mut residual = target;
        let mut entering = true;
        loop {
            let two_left = level + 2 >= terms.len();
            let term = terms.get_mut(level)?;
            let mut step = if entering {
                term.enter(residual)
            } else {
                residual += term.coefficient * term.value;
                term.value = term.value.saturating_add(term.step);
                (term.value <= term.value_last).then_some(())
            };
            if two_left && step.is_some() {
                if found(terms, residual, budget)? {
                    return Some(true);
                }
                step = None;
            }
            match step {
                Some(()) => {
                    *budget = budget.checked_sub(1)?;
                    let term = terms.get_mut(level)?;
                    residual -= term.coefficient * term.value;
                    level += 1;
                    entering = true;
                }
                None if level == 0 => return Some(false),
                None => {
                    level -= 1;
                    entering = false;
                }
            }
        }
    }
}

impl Term {
    pub const ZERO: Self =
        Self { coefficient: 0, last: 0, reach_after: 0, divisor: 1, step: 1, inverse: 0, value: 0, value_last: 0 };

    /// Sets the first and last value worth trying when `residual` remains; `None` if there is none.
    fn enter(&mut self, residual: u64) -> Option<()> {
        let (divisor, step, coefficient) = (self.divisor.max(1), self.step.max(1), self.coefficient.max(1));
        if !residual.is_multiple_of(divisor) {
            return None;
        }
        let lowest = residual.saturating_sub(self.reach_after).div_ceil(coefficient);
        let highest = (residual / coefficient).min(self.last);
        let wanted = multiply_modulo(residual / divisor % step, self.inverse, step);
        let here = lowest % step;
        let ahead = if wanted >= here { wanted - here } else { step - (here - wanted) };
        self.value = lowest.checked_add(ahead)?;
        self.value_last = highest;
        (self.value <= highest).then_some(())
    }
}

/// `x` with `a · x = 1 (mod m)` for coprime a and m; 0 when m <= 1.
fn inverse(a: u64, m: u64) -> u64 {
    if m <= 1 {
        return 0;
    }
    // Invariant: r0 = s0·a and r1 = s1·a (mod m), with both s kept in 0 … m − 1.
    let (mut r0, mut r1) = (m, a % m);
    let (mut s0, mut s1) = (0u64, 1u64);
    while r1 != 0 {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 % r1);
        let product = multiply_modulo(quotient % m, s1, m);
        let next = if s0 >= product { s0 - product } else { m - (product - s0) };
        (s0, s1) = (s1, next);
    }
    s0
}

/// `a · b mod m` for a, b < m, by doubling if the product does not fit 64 bits (128-bit division is slow).
fn multiply_modulo(a: u64, b: u64, m: u64) -> u64 {
    if m <= 1 {
        return 0;
    }
    if let Some(product) = a.checked_mul(b) {
        return product % m;
    }
    let add = |x: u64, y: u64| if x >= m - y { x - (m - y) } else { x + y };
    let (mut sum, mut double, mut rest) = (0u64, a, b);
    while rest != 0 {
        if rest & 1 != 0 && double != 0 {
            sum = add(sum, double);
        }
        double = if double == 0 { 0 } else { add(double, double) };
        rest >>= 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_can_be_reached_are_solved() {
        for code in (0..12u64.pow(3)).step_by(5) {
            let mut room = [Term::ZERO; 3];
            let (mut equation, mut reached) = (Equation::of(&mut room), 1u128);
            for term in [code % 12, code / 12 % 12, code / 144] {
                let (coefficient, last) = ([1, 4, 6, 9, 10, 14][term as usize % 6], 1 + term / 6);
                equation.add(coefficient, last);
                (0..last).for_each(|_| reached |= reached << coefficient);
            }
            for target in 0..=6 * 14 + 1 {
                assert_eq!(equation.solve(target, &mut 100), Some(reached >> target & 1 != 0), "{code} {target}");
            }
        }
    }

    #[test]
    fn large_coefficients_come_first() {
        // Digits of numbers: 5995 is not a sum of 0 … 999 and thousands, without a search.
        for coefficients in [[1, 10, 1000], [10, 1, 1000], [1000, 10, 1]] {
            let mut room = [Term::ZERO; 3];
            let mut equation = Equation::of(&mut room);
            coefficients.iter().for_each(|&coefficient| equation.add(coefficient, 9));
            assert_eq!(equation.solve(5995, &mut 0), Some(false));
        }
        // A term that adds nothing is left out: there is no room for it, and two terms take no search.
        let mut room = [Term::ZERO; 2];
        let mut equation = Equation::of(&mut room);
        for (coefficient, last) in [(3, 9), (0, 7), (5, 9), (1, 0)] {
            equation.add(coefficient, last);
        }
        assert_eq!((equation.solve(4, &mut 0), equation.solve(8, &mut 0)), (Some(false), Some(true)));
    }

    #[test]
    fn large_moduli() {
        for (a, m) in [(3u64, 7u64), (u64::MAX - 4, u64::MAX - 58), (1 << 40, (1 << 61) - 1), (5, 1)] {
            let product = multiply_modulo(a % m.max(1), inverse(a, m), m);
            assert_eq!(product, if m == 1 { 0 } else { 1 }, "{a} {m}");
        }
    }
}
