//! Positions in a tiled buffer, for all indices of a box at once.
//!
//! Each dimension that the tiles make is a *digit*: a constant and terms, one for each variable that moves it. A tile
//! divides digits (`vocabulary::xla::tiles` has the rule): with `c = q·t + r` for the constant and every factor, the
//! quotient is the sum of the q and the remainder the sum of the r, if that stays below `t`. If it does not, the box
//! lacks a split. The digits of a blocked buffer come from the same divisions, each by a block's size.

use super::Stream;
use crate::model::{MAX_RANK, arith::gcd};
use crate::vocabulary::blocks::{BlockedLayout, MAX_BLOCKS};
use crate::vocabulary::xla::Shape;
use crate::vocabulary::xla::tiles::MERGE;
use arrayvec::ArrayVec;

/// Each has two iterations or more, and the product of all trip counts is below 2^63.
pub(crate) const MAX_VARIABLES: usize = 62;

/// What moves a dimension's index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub dimension: usize,
    /// Index from one iteration to the next.
    pub step: i64,
    pub count: i64,
}

pub(super) type Variables = ArrayVec<Variable, MAX_VARIABLES>;

/// How a box has to be split before a side is loops.
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

/// Digits in use: those of the dimensions, and those that tiles add and make of them, 64 sizes each.
const MAX_DIGITS: usize = 3 * MAX_RANK;
const MAX_TERMS: usize = 128;

#[derive(Clone, Copy)]
struct Digit {
    size: i64,
    constant: i64,
}

#[derive(Clone, Copy)]
struct Term {
    digit: u8,
    variable: u8,
    factor: i64,
}

pub(super) struct Sums {
    digits: ArrayVec<Digit, MAX_DIGITS>,
    terms: ArrayVec<Term, MAX_TERMS>,
    /// Numbers of digits, most minor first.
    order: ArrayVec<u8, MAX_DIGITS>,
}

impl Sums {
    const NONE: Self =
        Self { digits: ArrayVec::new_const(), terms: ArrayVec::new_const(), order: ArrayVec::new_const() };

    /// The positions in a buffer with tiles, or what the box lacks.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn position(shape: &Shape, first: &[i64; MAX_RANK], variables: &Variables) -> Result<Affine, Lack> {
        let mut sums = Self::NONE;
        for &dimension in shape.minor_to_major() {
            let size = shape.padded_sizes().get(dimension as usize).map_or(1, |&size| size);
            let digit = sums.index(dimension as usize, size, first, variables)?;
            let _ = sums.order.try_push(digit);
        }
        for tile in shape.tiles().iter() {
            sums.cut(tile, variables)?;
        }
        Ok(sums.row_major())
    }

    /// The positions in a blocked buffer, or what the box lacks.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn digits(blocked: &BlockedLayout, first: &[i64; MAX_RANK], variables: &Variables) -> Result<Affine, Lack> {
        let mut sums = Self::NONE;
        // What is left of each index; its digit has the number of the dimension.
        for dimension in 0..blocked.sizes().len() {
            sums.index(dimension, blocked.padded_size(dimension), first, variables)?;
        }
        let blocks = blocked.digits();
        let mut places = [0u8; MAX_BLOCKS]; // of the blocks, the slowest first
        for &number in blocked.ascending() {
            if let Some(block) = blocks.get(number as usize)
                && let Some(place) = places.get_mut(number as usize)
            {
                *place = sums.divide(block.dimension() as u8, block.count.max(1), variables)?;
            }
        }
        let _ = places.iter().take(blocks.len()).rev().try_for_each(|&place| sums.order.try_push(place));
        Ok(sums.row_major())
    }

    /// A new digit that is the index of a dimension.
    fn index(
        &mut self,
        dimension: usize,
        size: i64,
        first: &[i64; MAX_RANK],
        variables: &Variables,
    ) -> Result<u8, Lack> {
        let digit = self.new_digit(size, first.get(dimension).copied().unwrap_or(0));
        let moves = |v: &Variable| v.dimension == dimension && v.count > 1;
        for (k, v) in variables.iter().enumerate().filter(|(_, v)| moves(v)) {
            self.add_term(digit, k as u8, v.step, variables)?;
        }
        Ok(digit)
    }

    /// The positions that the digits give in their order.
    fn row_major(&self) -> Affine {
        let mut found = Affine { base: 0, steps: [0; MAX_VARIABLES] };
        let mut stride = 1i64;
        for &number in &self.order {
            let Some(digit) = self.digits.get(number as usize) else { continue };
            self.add_to(&mut found, number, stride);
            stride = stride.wrapping_mul(digit.size); // the last stride is the whole buffer, which fits
        }
        found
    }

    /// Adds a digit's share of the positions; its values are `stride` apart.
    fn add_to(&self, found: &mut Affine, number: u8, stride: i64) {
        found.base += self.digits.get(number as usize).map_or(0, |digit| digit.constant) * stride;
        for term in self.terms.iter().filter(|term| term.digit == number) {
            if let Some(step) = found.steps.get_mut(term.variable as usize) {
                *step += term.factor * stride;
            }
        }
    }

    /// The positions of elements that are counted in row-major order.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn stream(of: &Stream<'_>, first: &[i64; MAX_RANK], variables: &Variables) -> Result<Affine, Lack> {
        let mut sums = Self::NONE;
        let number = sums.new_digit(i64::MAX, of.first + first.first().copied().unwrap_or(0));
        for (k, v) in variables.iter().enumerate().filter(|(_, v)| v.count > 1) {
            sums.add_term(number, k as u8, v.step, variables)?;
        }
        let mut found = Affine { base: of.base, steps: [0; MAX_VARIABLES] };
        let dimensions = of.sizes.iter().zip(of.strides).enumerate();
        for (dimension, (&size, &stride)) in dimensions.rev().filter(|(_, (size, _))| **size > 1) {
            // The outermost dimension's index is what is left.
            let digit = if dimension == 0 { number } else { sums.divide(number, size, variables)? };
            sums.add_to(&mut found, digit, stride);
        }
        Ok(found)
    }

    fn new_digit(&mut self, size: i64, constant: i64) -> u8 {
        let number = self.digits.len() as u8;
        let _ = self.digits.try_push(Digit { size, constant });
        number
    }

    /// A variable that moves so many digits that their terms have no room takes one iteration at a time.
    fn add_term(&mut self, digit: u8, variable: u8, factor: i64, variables: &Variables) -> Result<(), Lack> {
        let term = Term { digit, variable, factor };
        let same = |other: &&mut Term| other.digit == digit && other.variable == variable;
        if factor == 0 {
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

    /// What one tile does.
    fn cut(&mut self, tile: &[i64], variables: &Variables) -> Result<(), Lack> {
        while self.order.len() < tile.len() {
            let digit = self.new_digit(1, 0);
            let _ = self.order.try_push(digit);
        }
        let before = core::mem::take(&mut self.order);
        let mut quotients = ArrayVec::<u8, MAX_RANK>::new();
        let (mut sizes, mut numbers) = (tile.iter().rev().peekable(), before.iter());
        while let Some(&size) = sizes.next()
            && let Some(&number) = numbers.next()
        {
            while sizes.next_if(|size| **size == MERGE).is_some() {
                if let Some(&major) = numbers.next() {
                    self.join(major, number, variables)?;
                }
            }
            let remainder = self.divide(number, size.max(1), variables)?;
            let _ = (self.order.try_push(remainder), quotients.try_push(number));
        }
        for &number in quotients.iter().chain(numbers) {
            let _ = self.order.try_push(number);
        }
        Ok(())
    }

    /// `minor += major · old size of minor`.
    fn join(&mut self, major: u8, minor: u8, variables: &Variables) -> Result<(), Lack> {
        let more = self.digits.get(major as usize).copied().unwrap_or(Digit { size: 1, constant: 0 });
        let Some(less) = self.digits.get_mut(minor as usize) else { return Ok(()) };
        let by = less.size;
        less.size = less.size.wrapping_mul(more.size);
        less.constant += more.constant * by;
        let mut k = 0;
        while let Some(&term) = self.terms.get(k) {
            if term.digit == major {
                let _ = self.terms.swap_pop(k);
                self.add_term(minor, term.variable, term.factor * by, variables)?;
            } else {
                k += 1;
            }
        }
        Ok(())
    }

    /// The digit becomes its quotient by `t`; returns the number of the remainder.
    fn divide(&mut self, number: u8, t: i64, variables: &Variables) -> Result<u8, Lack> {
        let Some(digit) = self.digits.get_mut(number as usize) else { return Ok(number) };
        let (quotient, rest) = (digit.constant / t, digit.constant % t);
        let own = self.terms.iter().filter(|term| term.digit == number);
        let residues = own.filter_map(|term| {
            let (k, residue) = (term.variable as usize, term.factor % t);
            variables.get(k).filter(|_| residue != 0).map(|v| (k, residue, v.count))
        });
        lack(residues, t, rest)?;
        digit.size = digit.size / t + i64::from(digit.size % t != 0);
        digit.constant = quotient;
        let remainder = self.new_digit(t, rest);
        for k in 0..self.terms.len() {
            let Some(term) = self.terms.get_mut(k).filter(|term| term.digit == number) else { continue };
            let (variable, residue) = (term.variable, term.factor % t);
            term.factor /= t;
            self.add_term(remainder, variable, residue, variables)?;
        }
        Ok(remainder)
    }
}

/// What a box lacks so that `rest` and the residues of these variables (number, residue, count) stay below `t`.
fn lack(residues: impl Iterator<Item = (usize, i64, i64)> + Clone, t: i64, rest: i64) -> Result<(), Lack> {
    let reach = |(_, residue, count): (usize, i64, i64)| residue as i128 * (count - 1) as i128;
    let all: i128 = residues.clone().map(reach).sum();
    let room = (t - 1 - rest) as i128;
    if all <= room {
        return Ok(());
    }
    for (k, residue, count) in residues.clone() {
        let period = t / (gcd(residue as u64, t as u64) as i64).max(1); // at least 2: residues are below t and not 0
        if count >= 2 * period {
            return Err(Lack::Period(k, period));
        }
    }
    // The variable of the largest residue stops where it reaches a multiple together with the others, or after one
    // iteration.
    let Some(longest) = residues.max_by_key(|&(_, residue, _)| residue) else { return Ok(()) };
    let (k, residue, _) = longest;
    let alone = room - (all - reach(longest));
    Err(Lack::Cut(k, (alone.max(0) / (residue as i128).max(1) + 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;
    use crate::vocabulary::xla::Tiles;

    #[test]
    fn tiles_of_more_dimensions_than_there_are_pad() {
        // Ten elements in rows of four, two of which are a tile: the third row begins the third tile.
        let mut tiles = Tiles::NONE;
        tiles.push(&[2, 4]).unwrap();
        let shape = Shape::new(Dtype::U8, &[10], None).unwrap().with_tiles(tiles).unwrap();
        let (mut first, mut variables) = ([0; MAX_RANK], Variables::new());
        first[0] = 8;
        variables.push(Variable { dimension: 0, step: 1, count: 2 });
        let found = Sums::position(&shape, &first, &variables).ok().unwrap();
        assert_eq!((found.base, found.steps[0]), (16, 1));
    }

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
    }
}
