//! Is a reshape or a transpose a bitcast: does every element keep the place of its bits in the buffer?
//!
//! Both shapes number the same elements, 0 ≤ k < N (row-major over the output's sizes), and both are functions from k
//! to a position. A dimension with `n` elements, `w` of k apart, has the index
//!
//! ```text
//! floor(k / w) mod n  =  floor(k / w) − n · floor(k / (w · n))
//! ```
//!
//! So a position without tiles is a sum of terms `c · floor(k / w)`. Such a sum is 0 for all k below N only if it is 0
//! at every w that occurs in it: at the least w whose c is not 0 it is that c. Hence two positions are equal everywhere
//! if they are equal at the w of both. Without tiles these are the indices with a single 1 in them, as in XLA's test,
//! which thus covers padded sizes too.
//!
//! *Tiles* cut an index into `floor(i / t)` and `i mod t`. With `i = floor(k / w) mod n` both have the same form again
//! if t divides n, which adds `w · t` to the list. If t does not divide n, this still holds for the most major
//! dimension, since k ends there. That is why k is taken apart first: if suffixes of both lists of sizes have the same
//! product b, then `k = b · K + k'`, and both positions are one sum over K and one over k', which are compared
//! separately; now each part has a most major dimension. A tile that joins dimensions across b removes that b. What
//! fits none of this (a tile that cuts another tile in unequal pieces) is decided by looking at every element, if there
//! are not too many (`tries`).

use super::cuts::{Cut, Cuts, MAX_PIECES};
use super::shape::Shape;
use super::stages::Stages;
use super::tries::{tries, undecided};
use crate::error::{Argument, Detail, Error, Result, Status, check_count};
use crate::model::{MAX_RANK, arith};
use crate::view::AxisSet;
use arrayvec::ArrayVec;

/// Whether a reshape from `input` to `output`, which keeps the row-major order of the elements, leaves every element
/// where it is, and `output`'s buffer is no longer than `input`'s: exactly then one buffer can be used as the other.
/// Order, padding, tiles and storage bits count; tail alignment only through the length; memory space and dynamic flags
/// do not. Other element types or another number of elements: no. No elements: yes, whatever the buffers.
///
/// UNDECIDED if a tile cuts another tile in unequal pieces, and the shapes differ and have too many elements to look at
/// each.
///
/// ```
/// use stride::vocabulary::xla::{bitcast::reshape_is_bitcast, text::parse};
/// let is_bitcast = |from: &str, to: &str| {
///     reshape_is_bitcast(&parse(from.as_bytes()).unwrap(), &parse(to.as_bytes()).unwrap()).unwrap()
/// };
/// assert!(is_bitcast("f32[3,2,2]{1,0,2}", "f32[6,2]{0,1}"));
/// assert!(!is_bitcast("f32[3,4]{0,1}", "f32[6,2]{0,1}"));
/// ```
pub fn reshape_is_bitcast(input: &Shape, output: &Shape) -> Result<bool> {
    if input.dtype() != output.dtype() {
        return Ok(false);
    }
    keeps_positions(&Numbering::row_major(input), &Numbering::row_major(output))
}

/// [`reshape_is_bitcast`] for the transpose whose output dimension i is input dimension `axes[i]`. INVALID_AXES unless
/// `axes` is a permutation of the input's dimensions; SHAPE_MISMATCH if the ranks differ. Sizes that are not those of
/// the transposed input: no.
///
/// ```
/// use stride::vocabulary::xla;
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let (input, output) = (parse("f32[2,3]{1,0}")?, parse("f32[3,2]{0,1}")?);
/// assert!(xla::bitcast::transpose_is_bitcast(&input, &output, &[1, 0])?);
/// assert!(!xla::bitcast::transpose_is_bitcast(&input, &parse("f32[3,2]{1,0}")?, &[1, 0])?);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn transpose_is_bitcast(input: &Shape, output: &Shape, axes: &[i64]) -> Result<bool> {
    if input.rank() != output.rank() {
        let error = Error::new(Status::ShapeMismatch).argument(Argument::OutShape);
        return Err(error.because(Detail::Ranks, output.rank() as i64, input.rank() as i64));
    }
    check_count(axes.len(), input.rank(), Argument::Rank)?;
    let from = Numbering::transposed(input, output, axes)?.filter(|_| input.dtype() == output.dtype());
    from.map_or(Ok(false), |from| keeps_positions(&from, &Numbering::row_major(output)))
}

/// A shape and, for each dimension, the distance between its neighbours in the common numbering k of the elements.
pub(super) struct Numbering<'a> {
    shape: &'a Shape,
    weights: [i64; MAX_RANK],
}

/// A dimension.
pub(super) struct Axis {
    pub size: u64,
    pub weight: u64,
    /// Size of the buffer along it.
    pub padded: u64,
}

impl<'a> Numbering<'a> {
    /// The last dimension counts fastest.
    pub(super) fn row_major(shape: &'a Shape) -> Self {
        Self::ordered(shape, (0..shape.rank() as i64).rev())
    }

    /// The order of the buffer without padding and tiles.
    pub(super) fn physical(shape: &'a Shape) -> Self {
        Self::ordered(shape, shape.minor_to_major().iter().copied())
    }

    /// The row-major numbering of `output`, as `input` sees it if output dimension i is its dimension `axes[i]`; `None`
    /// if the sizes say that it is not. INVALID_AXES unless `axes` is a permutation.
    pub(super) fn transposed(input: &'a Shape, output: &Shape, axes: &[i64]) -> Result<Option<Self>> {
        let to = Numbering::row_major(output);
        let mut from = Self { shape: input, weights: [1; MAX_RANK] };
        let (mut seen, mut fits) = (AxisSet::default(), input.rank() == output.rank());
        for (position, &axis) in axes.iter().enumerate() {
            let dimension = seen.insert_entry(position, axis, input.rank())?;
            fits &= input.sizes().get(dimension) == output.sizes().get(position);
            if let (Some(slot), Some(&weight)) = (from.weights.get_mut(dimension), to.weights.get(position)) {
                *slot = weight;
            }
        }
        Ok(fits.then_some(from))
    }

    fn ordered(shape: &'a Shape, minor_to_major: impl Iterator<Item = i64>) -> Self {
        let (mut weights, mut weight) = ([1i64; MAX_RANK], 1i64);
        for dimension in minor_to_major {
            let size = shape.sizes().get(dimension as usize).copied().unwrap_or(1);
            if let Some(slot) = weights.get_mut(dimension as usize) {
                *slot = weight;
            }
            weight = weight.wrapping_mul(size); // I3, and if a size is 0 it is not used
        }
        Self { shape, weights }
    }

    /// The distance in k between the neighbours along a dimension.
    pub(super) fn weight(&self, dimension: usize) -> u64 {
        self.axis(dimension).weight
    }

    pub(super) fn shape(&self) -> &'a Shape {
        self.shape
    }

    /// A dimension; all numbers are 1 for one that does not exist.
    pub(super) fn axis(&self, dimension: usize) -> Axis {
        let entry = |list: &[i64]| list.get(dimension).map_or(1, |&number| number.max(1) as u64);
        Axis { size: entry(self.shape.sizes()), weight: entry(&self.weights), padded: entry(self.shape.padded_sizes()) }
    }

    /// Sizes and weights of all dimensions, outermost first. A size of 1 adds nothing new.
    pub(super) fn axes(&self) -> impl Iterator<Item = (u64, u64)> + Clone + '_ {
        (0..self.shape.rank()).map(|dimension| self.axis(dimension)).map(|axis| (axis.size, axis.weight))
    }

    /// The index of element k.
    fn index(&self, k: u64) -> [i64; MAX_RANK] {
        let mut index = [0i64; MAX_RANK];
        for (dimension, slot) in (0..self.shape.rank()).zip(&mut index) {
            let axis = self.axis(dimension);
            *slot = (k / axis.weight.max(1) % axis.size) as i64;
        }
        index
    }

    /// Size, weight and padded size of each dimension of the buffer, without those of size 1 at the major end.
    fn buffer(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let axes = self.shape.minor_to_major().iter().rev().map(|&dimension| self.axis(dimension as usize));
        // The weight of a size-1 dimension means nothing.
        let axes = axes.map(|Axis { size, weight, padded }| (size, if size > 1 { weight } else { 1 }, padded));
        axes.skip_while(|&axis| axis == (1, 1, 1))
    }

    /// Whether both are the same buffer, cut by the same tiles.
    fn same_buffer(&self, other: &Numbering<'_>) -> bool {
        self.shape.tiles().iter().eq(other.shape.tiles().iter()) && self.buffer().eq(other.buffer())
    }
}

/// The products b of the module's documentation that both numberings have: where a dimension of both ends.
pub(super) type Bounds = ArrayVec<u64, MAX_RANK>;

pub(super) fn common_bounds(lhs: &Numbering<'_>, rhs: &Numbering<'_>) -> Bounds {
    let end = |(size, weight): (u64, u64)| size.wrapping_mul(weight);
    let ends = lhs.axes().map(end).filter(|&b| rhs.axes().map(end).any(|other| other == b));
    let mut bounds = Bounds::new();
    for b in ends {
        let _ = bounds.try_push(b); // fewer than dimensions
    }
    bounds
}

/// Whether the elements keep their bits and the output's buffer is not the longer one; see [`reshape_is_bitcast`].
pub(super) fn keeps_positions(input: &Numbering<'_>, output: &Numbering<'_>) -> Result<bool> {
    let count = arith::element_count(output.shape.sizes())?;
    let (from, to) = (input.shape, output.shape);
    let same_bits = (from.storage_bits(), from.packs_high_first()) == (to.storage_bits(), to.packs_high_first());
    if count != arith::element_count(from.sizes())? {
        return Ok(false);
    }
    if count == 0 {
        return Ok(true);
    }
    if !same_bits {
        return Ok(false);
    }
    if output.shape.byte_size()? > input.shape.byte_size()? {
        return Ok(false);
    }
    if input.same_buffer(output) {
        return Ok(true);
    }
    Ok(difference(input, output)?.is_none())
}

/// Both positions of an element that has two different ones, of two shapes with the same number of elements, at least
/// 1. UNDECIDED as [`reshape_is_bitcast`].
#[inline(never)] // keeps its frame off the caller's stack
pub(super) fn difference(input: &Numbering<'_>, output: &Numbering<'_>) -> Result<Option<(i64, i64)>> {
    let count = arith::element_count(output.shape.sizes())?;
    let tiles = |side: &Numbering<'_>| side.shape.tiles().len();
    let mut seen = Seen {
        sides: [input, output],
        stages: [Stages::new(input.shape, tiles(input)), Stages::new(output.shape, tiles(output))],
        count: count as u64,
        equal: ArrayVec::new(),
        differ: None,
    };
    for stages in &mut seen.stages {
        stages.cut()?;
    }
    for (_, weight) in input.axes().chain(output.axes()) {
        if !seen.agree(weight) {
            return Ok(seen.differ);
        }
    }
    if input.shape.tiles().is_empty() && output.shape.tiles().is_empty() {
        return Ok(None);
    }
    let mut bounds = common_bounds(input, output);
    while let Some(verdict) = compare_cuts(&mut bounds, &mut seen) {
        if verdict != Verdict::FewerBounds {
            return Ok(seen.differ);
        }
    }
    let tries = tries(&[input.shape, output.shape]);
    if count > tries {
        return Err(undecided(tries, count));
    }
    let _ = (0..count as u64).all(|k| seen.agree(k));
    Ok(seen.differ)
}

/// Positions of elements on both sides, each looked at once.
struct Seen<'a> {
    sides: [&'a Numbering<'a>; 2],
    stages: [Stages<'a>; 2],
    count: u64,
    /// Elements whose positions are equal, as many as fit.
    equal: ArrayVec<u64, MAX_PIECES>,
    /// The positions of an element that has two.
    differ: Option<(i64, i64)>,
}

impl Seen<'_> {
    /// Whether element k has one position, or there is no such element.
    fn agree(&mut self, k: u64) -> bool {
        if k >= self.count || self.equal.contains(&k) {
            return true;
        }
        let ([input, output], [from, to]) = (self.sides, &self.stages);
        let both = (from.position(&input.index(k)), to.position(&output.index(k)));
        if both.0 != both.1 {
            self.differ = Some(both);
            return false;
        }
        let _ = self.equal.try_push(k);
        true
    }
}

#[derive(PartialEq, Eq)]
enum Verdict {
    Agree,
    Differ,
    /// A bound was removed; try again.
    FewerBounds,
}

/// Cuts both shapes and compares the positions at every weight that occurs; `None` if the form in the module's
/// documentation does not fit.
#[inline(never)] // keeps its frame off the caller's stack
fn compare_cuts(bounds: &mut Bounds, seen: &mut Seen<'_>) -> Option<Verdict> {
    let mut cuts = Cuts::default();
    for side in seen.sides {
        match cuts.set(side, bounds) {
            Cut::Fits => {}
            Cut::FewerBounds => return Some(Verdict::FewerBounds),
            Cut::Unequal => return None,
        }
        for piece in &cuts.pieces {
            if !seen.agree(piece.weight) || !seen.agree(piece.weight.saturating_mul(piece.count)) {
                return Some(Verdict::Differ);
            }
        }
    }
    Some(Verdict::Agree)
}
