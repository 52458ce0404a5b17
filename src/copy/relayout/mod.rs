//! Relayouts: copies in which a side is more than loops.
//!
//! A side is an index map (`model::index_map`): sums of the indices, of which tiles, blocks and numbers in row-major
//! order divide some. Along some dimensions its indices may come from runs (`along`). Such a side is not a set of loops
//! over the dimensions. But on *pieces* of the index space each side is loops, and so are both together. `pieces` finds
//! them; each piece is a copy like any other, which the kernels run. If there is only one piece, the plan is an
//! ordinary one.
//!
//! `Given` is a side as a caller gives it, `Mapped` the places of its elements, `Relayout` both sides. `words` has the
//! words of a relayout's plan.

pub mod along;
mod pieces;
mod stretches;
mod sums;
mod words;

use super::loops::Loop;
use super::nest::{Reach, Reached, Unit};
use super::part_of_bits::Iterations;
use super::problem::Problem;
use crate::error::{Argument, Error, Many, Result};
use crate::model::index_map::{IndexMap, Step};
use crate::model::overlap::{self, Effort, Occupied};
use crate::model::{Dtype, Layout, LayoutStorage, MAX_RANK, arith};
use along::{Along, IndexRun, Runs};
use arrayvec::ArrayVec;
use core::fmt;
pub(crate) use pieces::{Piece, Pieces};
pub(crate) use stretches::Slab;
pub(crate) use words::{BOXES, BoxWords, MOST_WORDS};

/// The most dimensions of a side that have runs.
pub(crate) const MAX_ALONG: usize = 8;
/// Units of the widest element that converts, in bits.
const WIDEST: i64 = 128;

/// The places of one side's elements: an index map, and runs of its indices along some dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Mapped<'a> {
    pub map: IndexMap,
    pub along: ArrayVec<Along<'a>, MAX_ALONG>,
}

impl<'a> Mapped<'a> {
    /// No element.
    pub const NOTHING: Self = Self { map: IndexMap::NOTHING, along: ArrayVec::new_const() };

    /// The runs along a dimension, if it has some.
    pub fn along(&self, dimension: usize) -> Option<&Along<'a>> {
        self.along.iter().find(|along| along.dimension == dimension)
    }

    /// Whether a source has elements that are the fill value.
    pub fn fills(&self) -> bool {
        self.along.iter().any(Along::fills)
    }

    /// The reach of the whole object, in elements of `width` units, whichever elements the side has.
    fn reach(&self, width: i64) -> Result<Reach> {
        let units = |elements: i64| arith::multiply(elements, width);
        let IndexMap { lowest, highest, .. } = self.map;
        Ok(Reach { lowest: units(lowest)?, highest: units(highest)?, end: units(highest + 1)? })
    }
}

/// One side of a copy as a caller gives it.
#[derive(Clone, Debug)]
pub(crate) struct Given<'a> {
    pub mapped: Mapped<'a>,
    pub dtype: Dtype,
    /// The sizes as the side is seen: with runs the sums of their counts, of a range its count alone.
    pub sizes: ArrayVec<i64, MAX_RANK>,
    /// The argument that errors name.
    pub name: Argument,
}

impl<'a> Given<'a> {
    /// No side yet; an error calls it by this name.
    pub fn named(name: Argument) -> Self {
        Self { mapped: Mapped::NOTHING, dtype: Dtype::U8, sizes: ArrayVec::new_const(), name }
    }

    /// The object was set: all of it is seen.
    pub fn see_all(&mut self, dtype: Dtype) {
        self.dtype = dtype;
        self.sizes.clear();
        let _ = self.sizes.try_extend_from_slice(&self.mapped.map.sizes); // as many as it has room for
    }

    /// Sees the indices along `dimension`, which exists, through runs; `may_fill`: it is a source. Errors as
    /// [`Along::check`].
    pub fn see_runs(&mut self, dimension: usize, runs: Runs<'a>, may_fill: bool) -> Result<()> {
        let along = Along { dimension, runs };
        let size = self.mapped.map.sizes.get(dimension).copied().unwrap_or(0);
        let seen = along.check(size, may_fill, self.name)?;
        if let Some(size) = self.sizes.get_mut(dimension) {
            *size = seen;
        }
        let _ = self.mapped.along.try_push(along); // no more than a side has
        let too_many = |error| Error { argument: self.name, ..error }.dimension(dimension);
        arith::element_count(&self.sizes).map_err(too_many).map(|_| ())
    }

    /// Sees `count` elements from number `first` on, which there are, in row-major order.
    pub fn see_range(&mut self, first: i64, count: i64) -> Result<()> {
        self.mapped.map.number(arith::element_count(&self.sizes)?);
        let run = IndexRun { first, step: 1, count };
        let _ = self.mapped.along.try_push(Along { dimension: 0, runs: Runs::One(run) }); // there were none
        self.sizes.clear();
        let _ = self.sizes.try_push(count);
        Ok(())
    }

    /// Becomes packed, with the dtype and sizes of the other side as it is seen. An error names that side.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn see_packed(&mut self, other: &Self) -> Result<()> {
        let mut packed = LayoutStorage::default();
        let packed =
            packed.set_packed(other.dtype, &other.sizes).map_err(|error| Error { argument: other.name, ..error })?;
        self.mapped.map.set_layout(&packed);
        self.see_all(other.dtype);
        Ok(())
    }

    /// The layout that it is, if it is one as it was made.
    pub fn layout(&self) -> Option<Layout<'_>> {
        let IndexMap { sizes, strides, base, .. } = &self.mapped.map;
        let plain = self.mapped.map.is_sum() && self.mapped.along.is_empty();
        if plain { Layout::new(self.dtype, *base, sizes, strides).ok() } else { None }
    }
}

/// A copy between sides of the same sizes. All positions are in elements of `width` units and, in bits, fit into 63
/// bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relayout<'a> {
    pub unit: Unit,
    pub width: i64,
    /// The destination's unit and width, which differ if the copy converts.
    pub to: (Unit, i64),
    /// Bytes of the parts of an element that are byte-swapped (`Dtype::part_bytes`); 0: it moves as it is.
    pub part: i64,
    pub sizes: &'a [i64],
    pub dst: &'a Mapped<'a>,
    pub src: &'a Mapped<'a>,
}

impl<'a> Relayout<'a> {
    /// Destination and source.
    pub fn sides(&self) -> [&'a Mapped<'a>; 2] {
        [self.dst, self.src]
    }

    /// Whether there is nothing to copy.
    pub fn is_empty(&self) -> bool {
        arith::has_zero(self.sizes)
    }

    /// The bytes of both objects, from the base pointers, and the bytes that move.
    pub fn reached(&self) -> Result<Reached> {
        let count = arith::element_count(self.sizes)?;
        let own = |side: &Mapped<'_>, (unit, width)| {
            let (reach, all) = (side.reach(width)?, arith::multiply(count, width)?);
            Ok(Reached { dst: reach, src: reach, bytes: all as u64 }.in_bytes(unit))
        };
        let (to, from) = (own(self.dst, self.to)?, own(self.src, (self.unit, self.width))?);
        if self.to != (self.unit, self.width) {
            self.dst.reach(WIDEST)?; // in units of either side
        }
        Ok(Reached { src: from.src, ..to })
    }

    /// The relayout of the destination onto itself, whose pieces are the places of the elements.
    pub fn of_dst(&self) -> Self {
        let (unit, width) = self.to;
        Self { unit, width, part: 0, ..*self }
    }

    /// Sets the loops of a slab along all dimensions but one, where both sides are sums of whole bytes. They move `row`
    /// bytes or more, at index 0 of that dimension.
    pub fn set_rows(&self, dimension: usize, row: i64, slab: &Slab, problem: &mut Problem) {
        let (to_map, from_map, width) = (&self.dst.map, &self.src.map, self.width);
        (problem.width, problem.dst_base, problem.src_base) = (row, to_map.base * width, from_map.base * width);
        let steps = to_map.strides.iter().zip(&from_map.strides);
        for (other, (&size, (&to, &from))) in self.sizes.iter().zip(steps).enumerate() {
            let (begin, end) = slab.of(other, size);
            if other != dimension && size > 1 {
                let (to, from) = (to * width, from * width);
                problem.dst_base += begin * to;
                problem.src_base += begin * from;
                problem.loops.push(Loop { count: end - begin, dst: to, src: from });
            }
        }
        problem.normalise();
    }

    /// A piece as a problem, in place: it is large. It is not yet in normal form.
    pub fn set_problem(&self, piece: &Piece<'_>, problem: &mut Problem) {
        let (unit, width) = (self.unit, self.width);
        let (dst_base, src_base) = (piece.dst.base.wrapping_mul(width), piece.src.base.wrapping_mul(width));
        *problem = Problem { unit, width, dst_base, src_base, ..Problem::nothing() };
        let steps = piece.dst.steps.iter().zip(&piece.src.steps);
        for (v, (dst, src)) in piece.variables.iter().zip(steps).filter(|(v, _)| v.count > 1) {
            problem.add(Loop { count: v.count, dst: dst.wrapping_mul(width), src: src.wrapping_mul(width) });
        }
        if unit != Unit::Bytes && !piece.filled {
            problem.become_bytes();
        }
        if self.part != 0 && !piece.filled {
            let _ = problem.swap_bytes(width, self.part); // no buffer holds a piece without room for three more loops
        }
    }

    /// Sets the only piece, if there is only one, which has a source: then the copy is an ordinary one.
    pub fn set_only_problem(&self, problem: &mut Problem) -> bool {
        let mut pieces = Pieces::<64>::new(self, &Slab::ALL);
        let Some(piece) = pieces.next() else { return false };
        self.set_problem(&piece, problem);
        !piece.filled && pieces.is_last()
    }

    /// The number of pieces, up to `most`.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn count_pieces(&self, most: usize) -> usize {
        let mut pieces = Pieces::<64>::new(self, &Slab::ALL);
        (0..most).take_while(|_| pieces.next().is_some()).count()
    }

    /// The iterations between which a dimension may be cut into parts, and the indices of each; `None` if it may not
    /// be. It is cut between the tiles and blocks of the destination; along runs, anywhere. Elements below a byte are
    /// cut only where a byte begins: that is known if the quotients of the dimension are the slowest of nested loops.
    fn iterations(&self, dimension: usize, size: i64) -> Option<(Iterations, i64)> {
        let runs = self.dst.along(dimension).map(|along| along.runs);
        let (whole, stride) = self.dst.map.slowest(dimension);
        let (unit, width) = self.to;
        let anywhere = unit == Unit::Bytes && runs.is_some_and(|runs| runs.len() > 1);
        let granule = if anywhere { 1 } else { whole };
        let l = Loop { count: (size as u64).div_ceil(granule.max(1) as u64) as i64, dst: stride, src: 0 };
        if unit == Unit::Bytes {
            return Some((Iterations { l, extent: 0, base: 0 }, granule));
        }
        let run = match runs {
            None => IndexRun { first: 0, step: 1, count: size },
            Some(runs) => runs.iter().next().filter(|run| run.count == size)?,
        };
        let IndexMap { ref steps, ref sizes, lowest, highest, .. } = self.dst.map;
        if stride <= 0 || run.step <= 0 || steps.iter().any(|step| matches!(step, Step::Join { .. })) || granule > 1 {
            return None;
        }
        // All other dimensions together extend so far, which must lie in one step of this one.
        let own = (sizes.get(dimension)? - 1).checked_mul(stride)?;
        let extent = (highest - lowest).checked_sub(own)?.checked_add(1).filter(|&extent| extent <= stride)?;
        let in_bits = |elements: i64| elements.checked_mul(width);
        let l = Loop { dst: in_bits(stride.checked_mul(run.step)?)?, ..l };
        let base = in_bits(lowest.checked_add(run.first.checked_mul(stride)?)?)?;
        Some((Iterations { l, extent: in_bits(extent)?, base }, 1))
    }

    /// The number of parts above which some have nothing to do.
    pub fn most_parts(&self) -> u64 {
        let iterations = |(dimension, &size): (usize, &i64)| {
            self.iterations(dimension, size).map_or(1, |(iterations, _)| iterations.l.count)
        };
        self.sizes.iter().enumerate().map(iterations).max().unwrap_or(1) as u64
    }

    /// The indices of part `part` of `parts`; `None` if it has none. Cuts the slowest dimension of the destination that
    /// has an iteration for each part.
    pub fn part(&self, part: u64, parts: u64) -> Option<Slab> {
        let all = |dimension: usize| {
            let size = *self.sizes.get(dimension)?;
            let (iterations, granule) = self.iterations(dimension, size)?;
            Some((dimension, size, iterations, granule))
        };
        let all = (0..self.sizes.len()).filter_map(all);
        let enough = all.clone().filter(|(.., iterations, _)| iterations.l.count as u64 >= parts);
        let slowest = enough.max_by_key(|(.., iterations, _)| iterations.l.dst.unsigned_abs());
        let found = slowest.or_else(|| all.max_by_key(|(.., iterations, _)| iterations.l.count));
        let Some((dimension, size, iterations, granule)) = found.filter(|_| parts > 1) else {
            return (part == 0).then_some(Slab::ALL);
        };
        let bound = |part: u64| {
            let even = (iterations.l.count as u128 * part as u128 / parts.max(1) as u128) as i64;
            let at = if self.to.0 == Unit::Bytes { even } else { iterations.boundary(even) };
            at.saturating_mul(granule).min(size)
        };
        let iterations = bound(part)..bound(part + 1);
        (!iterations.is_empty()).then_some(Slab { dimension, iterations })
    }

    /// Whether an element that is written shares a unit with one that is read, for sides whose ranges meet; the
    /// addresses are in units. It is decided pair by pair of pieces; `None` if the effort, or so many pairs, does not
    /// suffice.
    #[cold]
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn sides_meet(&self, dst_address: i128, src_address: i128, effort: Effort) -> Option<bool> {
        let (mut pairs, mut known) = (0u64, Some(false));
        let mut reading = Pieces::<64>::new(self, &Slab::ALL);
        while let Some(from) = reading.next() {
            if from.filled {
                continue;
            }
            let from = occupied(self.width, src_address, &from.src, from.variables);
            let mut writing = Pieces::<64>::new(self, &Slab::ALL);
            while let Some(to) = writing.next() {
                pairs += 1;
                if pairs > overlap::DEFAULT_BUDGET {
                    return None;
                }
                let to = occupied(self.to.1, dst_address, &to.dst, to.variables);
                match overlap::share_a_unit(&to, &from, effort) {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => known = None,
                }
            }
        }
        known
    }
}

/// The elements that one side of a piece occupies, each of so many units.
fn occupied<'p>(
    width: i64,
    address: i128,
    side: &'p sums::Affine,
    variables: &'p [sums::Variable],
) -> Occupied<impl Iterator<Item = (i64, i64)> + Clone + use<'p>> {
    let loops = variables.iter().zip(&side.steps).map(|(v, &step)| (v.count, step));
    let ends = loops.clone().map(|(count, step)| (count - 1) as i128 * step as i128);
    let at = |elements: i128| address + (side.base as i128 + elements) * width as i128;
    let (lowest, highest) = (ends.clone().map(|end| end.min(0)).sum(), ends.map(|end| end.max(0)).sum());
    Occupied { lowest: at(lowest), highest: at(highest), width: width as i128, scale: width as u64, loops }
}

impl fmt::Display for Relayout<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MANY: usize = 100;
        let pieces = self.count_pieces(MANY);
        let more = if pieces == MANY { " or more" } else { "" };
        let bytes = self.reached().map_or(0, |reached| reached.bytes);
        let (bytes, ending) = (Many(bytes as i64, "byte"), if pieces == 1 { "" } else { "s" });
        let unit = if self.unit == Unit::Bytes { "" } else { " bits" };
        write!(f, "relayout: {bytes} in elements of {}{unit}, {pieces}{more} piece{ending}", self.width)?;
        for (name, side) in [("to", &self.dst), ("from", &self.src)] {
            match side.map.steps.len() as i64 {
                0 => write!(f, "; {name} strides")?,
                steps => write!(f, "; {name} {}", Many(steps, "division"))?,
            }
            for along in &side.along {
                write!(f, ", {} along dimension {}", Many(along.runs.len() as i64, "run"), along.dimension)?;
            }
        }
        Ok(())
    }
}
