//! Positions of a side for all indices of a box at once.
//!
//! Each digit of the side's index map is a constant and terms, one for each variable that moves it. With `c = q·t + r`
//! for the constant and every factor, a division by `t` makes the quotient the sum of the q and the remainder the sum
//! of the r, if that stays between 0 and `t − 1`. If it does not, the box lacks a split.

use super::Mapped;
use crate::model::arith::gcd;
use crate::model::index_map::{MAX_DIGITS, Step};
use crate::model::{MAX_RANK, index_map::IndexMap};
use arrayvec::ArrayVec;

/// Each has two iterations or more, and the product of all trip counts is below 2^63.
pub(crate) const MAX_VARIABLES: usize = 62;

/// A loop that moves a dimension's index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub dimension: usize,
    /// Index of the box from one iteration to the next.
    pub step: i64,
    pub count: i64,
}

pub(super) type Variables = ArrayVec<Variable, MAX_VARIABLES>;

/// The indices of a side on a box: for each dimension the index at which the box begins, and the distance from one
/// index of the box to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub first: [i64; MAX_RANK],
    pub steps: [i64; MAX_RANK],
}

impl Line {
    /// From index 0 on, each index.
    pub const ALL: Self = Self { first: [0; MAX_RANK], steps: [1; MAX_RANK] };

    /// Sets a dimension's first index and step.
    pub fn set(&mut self, dimension: usize, first: i64, step: i64) {
        if let (Some(to_first), Some(to_step)) = (self.first.get_mut(dimension), self.steps.get_mut(dimension)) {
            (*to_first, *to_step) = (first, step);
        }
    }

    /// The index of a dimension at an index of the box.
    fn at(&self, dimension: usize, index: i64) -> i64 {
        let (first, step) = (self.first.get(dimension), self.steps.get(dimension));
        first.map_or(0, |first| first.wrapping_add(step.map_or(0, |step| step.wrapping_mul(index)))) // below a size
    }

    /// The distance between two iterations of a variable.
    fn step(&self, v: &Variable) -> i64 {
        self.steps.get(v.dimension).map_or(0, |step| step.wrapping_mul(v.step))
    }
}

/// The split that a box lacks before a side is loops on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    /// This variable's remainders repeat after this many iterations, at least 2 and at most half of its own.
    Period(usize, i64),
    /// This variable has to stop after this many iterations, at least 1 and fewer than it has.
    Cut(usize, i64),
}

/// Positions on a box, in elements: the first, and a step for each variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine {
    pub base: i64,
    pub steps: [i64; MAX_VARIABLES],
}

impl Affine {
    /// One position.
    pub const ZERO: Self = Self { base: 0, steps: [0; MAX_VARIABLES] };
}

const MAX_TERMS: usize = 128;

#[derive(Clone, Copy)]
struct Term {
    digit: u8,
    variable: u8,
    factor: i64,
}

/// The digits of an index map on a box.
struct Sums {
    constants: ArrayVec<i64, MAX_DIGITS>,
    terms: ArrayVec<Term, MAX_TERMS>,
}

/// The positions of a side on a box whose first index is `first`, or the split that the box lacks.
pub(super) fn positions(
    side: &Mapped<'_>,
    line: &Line,
    first: &[i64; MAX_RANK],
    variables: &Variables,
) -> Result<Affine, Lack> {
    if side.map.is_sum() {
        Ok(sum(&side.map, line, first, variables))
    } else {
        digits(&side.map, line, first, variables)
    }
}

/// [`positions`] without divisions. Numbers of dimensions with a single index may be any, and wrap.
fn sum(map: &IndexMap, line: &Line, first: &[i64; MAX_RANK], variables: &Variables) -> Affine {
    let mut found = Affine { base: map.base, ..Affine::ZERO };
    for (dimension, (&index, &stride)) in first.iter().zip(&map.strides).enumerate() {
        found.base = found.base.wrapping_add(line.at(dimension, index).wrapping_mul(stride));
    }
    for (step, v) in found.steps.iter_mut().zip(variables) {
        *step = map.strides.get(v.dimension).map_or(0, |stride| stride.wrapping_mul(line.step(v)));
    }
    found
}

/// [`positions`] by divisions.
#[inline(never)] // keeps its frame off the caller's stack
fn digits(map: &IndexMap, line: &Line, first: &[i64; MAX_RANK], variables: &Variables) -> Result<Affine, Lack> {
    let mut sums = Sums { constants: ArrayVec::new_const(), terms: ArrayVec::new_const() };
    for (dimension, &index) in first.iter().enumerate().take(map.sizes.len()) {
        let digit = sums.new_digit(line.at(dimension, index));
        for (k, v) in variables.iter().enumerate().filter(|(_, v)| v.dimension == dimension) {
            sums.add_term(digit, k as u8, line.step(v), variables)?;
        }
    }
    for &step in &map.steps {
        match step {
            Step::Divide { digit, by } => sums.divide(digit, by.max(1), variables)?,
            Step::Join { major, minor, by } => sums.join(major, minor, by, variables)?,
        }
    }
    let mut found = Affine { base: map.base, ..Affine::ZERO };
    for (constant, stride) in sums.constants.iter().zip(&map.strides) {
        found.base = found.base.wrapping_add(constant.wrapping_mul(*stride));
    }
    for term in &sums.terms {
        let stride = map.strides.get(term.digit as usize).copied().unwrap_or(0);
        if let Some(step) = found.steps.get_mut(term.variable as usize) {
            *step = step.wrapping_add(term.factor.wrapping_mul(stride));
        }
    }
    Ok(found)
}

impl Sums {
    fn new_digit(&mut self, constant: i64) -> u8 {
        let number = self.constants.len() as u8;
        let _ = self.constants.try_push(constant); // as many as a map has
        number
    }

    /// Adds a term. If there is no room for it, the longest variable takes one iteration at a time.
    fn add_term(&mut self, digit: u8, variable: u8, factor: i64, variables: &Variables) -> Result<(), Lack> {
        let term = Term { digit, variable, factor };
        let same = |other: &&mut Term| other.digit == digit && other.variable == variable;
        let moves = variables.get(variable as usize).is_some_and(|v| v.count > 1);
        if factor == 0 || !moves {
            return Ok(());
        }
        if let Some(other) = self.terms.iter_mut().find(same) {
            other.factor += factor;
        } else if let Some(unused) = self.terms.iter_mut().find(|other| other.factor == 0) {
            *unused = term;
        } else if self.terms.try_push(term).is_err() {
            let longest = variables.iter().enumerate().filter(|(_, v)| v.count > 1).max_by_key(|(_, v)| v.count);
            return Err(Lack::Cut(longest.map_or(0, |(k, _)| k), 1));
        }
        Ok(())
    }

    /// `minor += major · by`; the major digit becomes 0.
    fn join(&mut self, major: u8, minor: u8, by: i64, variables: &Variables) -> Result<(), Lack> {
        let more = self.constants.get_mut(major as usize).map_or(0, core::mem::take);
        if let Some(constant) = self.constants.get_mut(minor as usize) {
            *constant = constant.wrapping_add(more.wrapping_mul(by)); // within what the map can be
        }
        let mut k = 0;
        while let Some(&term) = self.terms.get(k) {
            if term.digit == major {
                let _ = self.terms.swap_pop(k);
                self.add_term(minor, term.variable, term.factor.wrapping_mul(by), variables)?;
            } else {
                k += 1;
            }
        }
        Ok(())
    }

    /// The digit becomes its quotient by `t`; the remainder is a new digit.
    fn divide(&mut self, number: u8, t: i64, variables: &Variables) -> Result<(), Lack> {
        let Some(constant) = self.constants.get_mut(number as usize) else { return Ok(()) };
        let rest = *constant % t;
        let own = self.terms.iter().filter(|term| term.digit == number);
        let residues = own.filter_map(|term| {
            let (k, residue) = (term.variable as usize, term.factor % t);
            variables.get(k).filter(|_| residue != 0).map(|v| (k, residue, v.count))
        });
        lack(residues, t, rest)?;
        *constant /= t;
        let remainder = self.new_digit(rest);
        for k in 0..self.terms.len() {
            let Some(term) = self.terms.get_mut(k).filter(|term| term.digit == number) else { continue };
            let (variable, residue) = (term.variable, term.factor % t);
            term.factor /= t;
            self.add_term(remainder, variable, residue, variables)?;
        }
        Ok(())
    }
}

/// The split that a box lacks so that `rest` and the residues of these variables (number, residue, count) stay between
/// 0 and `t − 1`.
fn lack(residues: impl Iterator<Item = (usize, i64, i64)> + Clone, t: i64, rest: i64) -> Result<(), Lack> {
    let reach = |(_, residue, count): (usize, i64, i64)| residue as i128 * (count - 1) as i128;
    let up: i128 = residues.clone().map(reach).filter(|&reach| reach > 0).sum();
    let down: i128 = residues.clone().map(reach).filter(|&reach| reach < 0).sum();
    let (above, below) = ((t - 1 - rest) as i128, rest as i128);
    if up <= above && -down <= below {
        return Ok(());
    }
    for (k, residue, count) in residues.clone() {
        let period = t / (gcd(residue.unsigned_abs(), t as u64) as i64).max(1); // at least 2: |residue| < t, not 0
        if count >= 2 * period {
            return Err(Lack::Period(k, period));
        }
    }
    // The variable of the largest residue in the direction without room stops where it reaches a multiple together with
    // the others, or after one iteration.
    let (upward, room, all) = if up > above { (true, above, up) } else { (false, below, -down) };
    let same = residues.filter(|&(_, residue, _)| (residue > 0) == upward);
    let Some(longest) = same.max_by_key(|&(_, residue, _)| residue.unsigned_abs()) else { return Ok(()) };
    let (k, residue, _) = longest;
    let alone = room - (all - reach(longest).abs());
    Err(Lack::Cut(k, (alone.max(0) / residue.unsigned_abs().max(1) as i128 + 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_lacks_a_period_or_a_cut() {
        // Residue and count of each variable; the tile's size and the residue of the constant.
        let lacks = |residues: &[(i64, i64)], t, rest| {
            let numbered = residues.iter().zip(0..).map(|(&(residue, count), k)| (k, residue, count));
            lack(numbered, t, rest).err()
        };
        // 3 + 5k is below 23 for four iterations; the remainders of 23 repeat after 23.
        assert_eq!(lacks(&[(5, 4)], 23, 3), None);
        assert_eq!(lacks(&[(5, 5)], 23, 3), Some(Lack::Cut(0, 4)));
        assert_eq!(lacks(&[(5, 45)], 23, 3), Some(Lack::Cut(0, 4)));
        assert_eq!(lacks(&[(5, 46)], 23, 3), Some(Lack::Period(0, 23)));
        // 4k repeats after two iterations of a tile of 8, 6k after four.
        assert_eq!(lacks(&[(4, 3)], 8, 0), Some(Lack::Cut(0, 2)));
        assert_eq!(lacks(&[(4, 4)], 8, 0), Some(Lack::Period(0, 2)));
        assert_eq!(lacks(&[(4, 3), (6, 8)], 8, 0), Some(Lack::Period(1, 4)));
        // Beside up to 5 of the other one there is room for three iterations; beside 21 for none, and it gets one.
        assert_eq!(lacks(&[(1, 6), (5, 40)], 23, 3), Some(Lack::Cut(1, 3)));
        assert_eq!(lacks(&[(1, 22), (5, 40)], 23, 3), Some(Lack::Cut(1, 1)));
        // Downward from 3 there is room for four iterations of 1; of two directions the one without room counts.
        assert_eq!(lacks(&[(-1, 4)], 8, 3), None);
        assert_eq!(lacks(&[(-1, 6)], 8, 3), Some(Lack::Cut(0, 4)));
        assert_eq!(lacks(&[(-1, 16)], 8, 3), Some(Lack::Period(0, 8)));
        assert_eq!(lacks(&[(-2, 3), (1, 9)], 16, 4), None);
        assert_eq!(lacks(&[(-2, 4), (1, 9)], 16, 4), Some(Lack::Cut(0, 3)));
    }
}
