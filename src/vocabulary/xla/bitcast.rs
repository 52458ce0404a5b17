//! Is a reshape or a transpose a bitcast: does every element keep its bits' place in the buffer?
//!
//! Both shapes number the same elements, 0 ≤ k < N (row-major over the output's sizes), and both are functions from k to a
//! position. A dimension with `n` elements, `w` of k apart, has the index
//!
//! ```text
//! floor(k / w) mod n  =  floor(k / w) − n · floor(k / (w · n))
//! ```
//!
//! So a position without tiles is a sum of terms `c · floor(k / w)`. Such a sum is 0 for all k below N only if it is 0 at
//! every w that occurs in it: at the least w whose c is not 0 it is that c. Hence two positions are equal everywhere if they
//! are equal at the w of both. Without tiles these are the indices with a single 1 in them, as in XLA's test, which so covers
//! padded sizes too.
//!
//! *Tiles* cut an index into `floor(i / t)` and `i mod t`. With `i = floor(k / w) mod n` both are of the same form again if t
//! divides n, and adds `w · t` to the list. Where t does not divide n it is so for the most major dimension, since k ends
//! there. That is why k is taken apart first: where suffixes of both lists of sizes have the same product b, `k = b · K + k'`,
//! and both positions are one sum over K and one over k', which are compared separately: now each part has a most major
//! dimension. A tile that joins dimensions across b takes that b away. What fits none of this (a tile that cuts another
//! tile in unequal pieces) is decided by looking at every element, up to [`BUDGET`] of them.

use super::shape::Shape;
use super::tiles::MERGE;
use crate::error::{Argument, Detail, Error, Result, Status, check_count};
use crate::model::{MAX_RANK, arith};
use crate::view::AxisSet;
use arrayvec::ArrayVec;

/// How many elements are looked at one by one before the answer is UNDECIDED.
pub const BUDGET: i64 = 1 << 16;

/// Whether a reshape from `input` to `output`, which keeps the row-major order of the elements, leaves every element where
/// it is, and `output`'s buffer is no longer than `input`'s: exactly then the one buffer can be taken for the other.
/// Order, padding, tiles and storage bits count; tail alignment only through the length; memory space and dynamic flags do
/// not. Other element types or another number of elements: no. No elements: yes, whatever the buffers.
///
/// UNDECIDED where a tile cuts another tile in unequal pieces, the shapes differ and have more than [`BUDGET`] elements.
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
/// `axes` is a permutation of the input's dimensions; SHAPE_MISMATCH if the ranks differ. Sizes that are not those of the
/// transposed input: no.
pub fn transpose_is_bitcast(input: &Shape, output: &Shape, axes: &[i64]) -> Result<bool> {
    if input.rank() != output.rank() {
        let error = Error::new(Status::ShapeMismatch).argument(Argument::OutShape);
        return Err(error.because(Detail::Ranks, output.rank() as i64, input.rank() as i64));
    }
    check_count(axes.len(), input.rank(), Argument::Rank)?;
    let from = Numbering::transposed(input, output, axes)?.filter(|_| input.dtype() == output.dtype());
    from.map_or(Ok(false), |from| keeps_positions(&from, &Numbering::row_major(output)))
}

/// A shape and, for each dimension, how far apart in the common numbering k of the elements its neighbours are.
pub(super) struct Numbering<'a> {
    shape: &'a Shape,
    weights: [i64; MAX_RANK],
}

/// A dimension of size above 1.
struct Axis {
    size: u64,
    weight: u64,
    /// Size of the buffer along it.
    padded: u64,
}

impl<'a> Numbering<'a> {
    /// The last dimension counts fastest.
    pub(super) fn row_major(shape: &'a Shape) -> Self {
        Self::ordered(shape, (0..shape.rank() as i64).rev())
    }

    /// As the buffer would be without padding and tiles.
    pub(super) fn physical(shape: &'a Shape) -> Self {
        Self::ordered(shape, shape.minor_to_major().iter().copied())
    }

    /// The row-major numbering of `output`, as `input` sees it if output dimension i is its dimension `axes[i]`; `None` if
    /// the sizes say that it is not. INVALID_AXES unless `axes` is a permutation.
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
            weight = weight.wrapping_mul(size); // I3, and if a size is 0 nobody looks
        }
        Self { shape, weights }
    }

    /// How far apart in k the neighbours along a dimension are.
    pub(super) fn weight(&self, dimension: usize) -> u64 {
        self.axis(dimension).weight
    }

    fn axis(&self, dimension: usize) -> Axis {
        let entry = |list: &[i64]| list.get(dimension).map_or(1, |&number| number.max(1) as u64);
        Axis { size: entry(self.shape.sizes()), weight: entry(&self.weights), padded: entry(self.shape.padded_sizes()) }
    }

    /// All dimensions of size above 1, outermost first.
    pub(super) fn axes(&self) -> impl Iterator<Item = (u64, u64)> + Clone + '_ {
        let axes = (0..self.shape.rank()).map(|dimension| self.axis(dimension));
        axes.filter(|axis| axis.size > 1).map(|axis| (axis.size, axis.weight))
    }

    fn position(&self, k: u64) -> Result<i64> {
        let mut index = [0i64; MAX_RANK];
        for (dimension, slot) in (0..self.shape.rank()).zip(&mut index) {
            let axis = self.axis(dimension);
            *slot = (k / axis.weight.max(1) % axis.size.max(1)) as i64;
        }
        self.shape.linear_index(index.get(..self.shape.rank()).unwrap_or(&[]))
    }

    /// Size, weight and padded size of each dimension of the buffer, without those of size 1 at the major end.
    fn buffer(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let axes = self.shape.minor_to_major().iter().rev().map(|&dimension| self.axis(dimension as usize));
        // The weight of a size-1 dimension says nothing.
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
    if count != arith::element_count(from.sizes())? || !same_bits {
        return Ok(false);
    }
    if count == 0 {
        return Ok(true);
    }
    if output.shape.byte_size()? > input.shape.byte_size()? {
        return Ok(false);
    }
    if input.same_buffer(output) {
        return Ok(true);
    }
    let agree = |k: u64| Ok(k >= count as u64 || input.position(k)? == output.position(k)?);
    for (_, weight) in input.axes().chain(output.axes()) {
        if !agree(weight)? {
            return Ok(false);
        }
    }
    if input.shape.tiles().is_empty() && output.shape.tiles().is_empty() {
        return Ok(true);
    }
    let mut bounds = common_bounds(input, output);
    while let Some(verdict) = compare_cuts(input, output, &mut bounds, &agree)? {
        match verdict {
            Verdict::Agree => return Ok(true),
            Verdict::Differ => return Ok(false),
            Verdict::FewerBounds => {}
        }
    }
    if count > BUDGET {
        return Err(Error::new(Status::Undecided).argument(Argument::Shape).because(
            Detail::TooManyElements,
            BUDGET,
            count,
        ));
    }
    for k in 0..count as u64 {
        if !agree(k)? {
            return Ok(false);
        }
    }
    Ok(true)
}

enum Verdict {
    Agree,
    Differ,
    /// A bound was taken away; ask again.
    FewerBounds,
}

/// Cuts both shapes and compares the positions at all that occurs; `None` where the form of the module's documentation
/// does not fit.
fn compare_cuts(
    input: &Numbering<'_>,
    output: &Numbering<'_>,
    bounds: &mut Bounds,
    agree: &impl Fn(u64) -> Result<bool>,
) -> Result<Option<Verdict>> {
    for side in [input, output] {
        let mut cuts = Cuts::of(side, bounds);
        for tile in side.shape.tiles().iter() {
            match cuts.tile(tile, bounds) {
                Cut::Fits => {}
                Cut::FewerBounds => return Ok(Some(Verdict::FewerBounds)),
                Cut::Unequal => return Ok(None),
            }
        }
        for piece in &cuts.pieces {
            if !agree(piece.weight)? || !agree(piece.weight.saturating_mul(piece.count))? {
                return Ok(Some(Verdict::Differ));
            }
        }
    }
    Ok(Some(Verdict::Agree))
}

/// `floor(k / weight) mod count`, `step` apart in a dimension of the buffer.
#[derive(Clone, Copy)]
struct Piece {
    weight: u64,
    count: u64,
    step: u64,
    dimension: usize,
    /// The most major one of its part of k: the `mod` says nothing.
    open: bool,
}

/// Dimensions of the buffer, most major first: at most 64 and one more for each size of a tile.
const MAX_DIMENSIONS: usize = 2 * MAX_RANK;

/// A buffer while tiles cut it.
struct Cuts {
    sizes: ArrayVec<u64, MAX_DIMENSIONS>,
    pieces: ArrayVec<Piece, MAX_DIMENSIONS>,
}

enum Cut {
    Fits,
    FewerBounds,
    Unequal,
}

impl Cuts {
    fn of(side: &Numbering<'_>, bounds: &Bounds) -> Self {
        let mut cuts = Self { sizes: ArrayVec::new(), pieces: ArrayVec::new() };
        for (dimension, &number) in side.shape.minor_to_major().iter().rev().enumerate() {
            let Axis { size, weight, padded } = side.axis(number as usize);
            let open = bounds.contains(&weight.wrapping_mul(size));
            let _ = cuts.sizes.try_push(padded); // 64 at most, as are the pieces
            if size > 1 {
                let _ = cuts.pieces.try_push(Piece { weight, count: size, step: 1, dimension, open });
            }
        }
        cuts
    }

    /// The rule of [`super::tiles`].
    fn tile(&mut self, tile: &[i64], bounds: &mut Bounds) -> Cut {
        for _ in self.sizes.len()..tile.len() {
            if self.sizes.try_push(1).is_err() {
                return Cut::Unequal;
            }
            if let Some(all) = self.sizes.get_mut(..).filter(|all| !all.is_empty()) {
                all.rotate_right(1);
            }
            self.pieces.iter_mut().for_each(|piece| piece.dimension += 1);
        }
        let first = self.sizes.len().saturating_sub(tile.len());
        let mut at = first;
        for &entry in tile {
            if entry == MERGE {
                self.merge(at);
            } else {
                at += 1;
            }
        }
        let inner = at; // the dimensions within the tile come behind all others
        for (dimension, &entry) in (first..at).zip(tile.iter().filter(|&&entry| entry != MERGE)) {
            let entry = entry.max(1) as u64;
            if let Some(size) = self.sizes.get_mut(dimension) {
                *size = size.div_ceil(entry);
            }
            if self.sizes.try_push(entry).is_err() {
                return Cut::Unequal;
            }
            match self.cut(dimension, inner + dimension - first, entry, bounds) {
                Cut::Fits => {}
                other => return other,
            }
        }
        Cut::Fits
    }

    /// Joins a dimension with the next more minor one.
    fn merge(&mut self, at: usize) {
        let outer = self.sizes.get(at).copied().unwrap_or(1);
        let Some(below) = self.sizes.get_mut(at + 1) else { return };
        let inner = *below;
        *below = inner.saturating_mul(outer);
        if let Some(rest) = self.sizes.get_mut(at..).filter(|rest| !rest.is_empty()) {
            rest.rotate_left(1);
            self.sizes.pop();
        }
        for piece in &mut self.pieces {
            if piece.dimension == at {
                piece.step = piece.step.saturating_mul(inner);
            } else if piece.dimension > at {
                piece.dimension -= 1;
            }
        }
        // Pieces that continue each other, in k and in the buffer, are one.
        let mut k = 0;
        while let Some(&major) = self.pieces.get(k) {
            let continues = |minor: &Piece| {
                minor.dimension == at
                    && major.dimension == at
                    && minor.weight.checked_mul(minor.count) == Some(major.weight)
                    && minor.step.checked_mul(minor.count) == Some(major.step)
            };
            match self.pieces.iter().position(continues) {
                Some(found) => {
                    if let Some(minor) = self.pieces.get_mut(found) {
                        minor.count = minor.count.saturating_mul(major.count);
                        minor.open = major.open;
                    }
                    let _ = self.pieces.swap_pop(k);
                    k = 0;
                }
                None => k += 1,
            }
        }
    }

    /// Cuts a dimension every `entry`: what is within goes to dimension `inner`.
    fn cut(&mut self, dimension: usize, inner: usize, entry: u64, bounds: &mut Bounds) -> Cut {
        let mut straddling = None;
        for k in 0..self.pieces.len() {
            let Some(&piece) = self.pieces.get(k) else { break };
            if piece.dimension != dimension || piece.step.is_multiple_of(entry) {
                continue;
            }
            // How far the piece and all below it get.
            let reach = self.pieces.iter().fold(0u64, |reach, other| {
                let counts = (other.dimension == dimension || other.dimension == inner) && other.step <= piece.step;
                let far = other.step.saturating_mul(other.count.saturating_sub(1));
                if counts { reach.saturating_add(far) } else { reach }
            });
            let Some(slot) = self.pieces.get_mut(k) else { break };
            if reach < entry {
                slot.dimension = inner;
                continue;
            }
            let within = entry / piece.step.max(1);
            if !entry.is_multiple_of(piece.step) || !(piece.open || piece.count.is_multiple_of(within)) {
                return Cut::Unequal;
            }
            let weight = piece.weight.saturating_mul(within);
            // Inside the piece, k may be taken apart only where the pieces are.
            let (begin, end) = (piece.weight, piece.weight.saturating_mul(piece.count));
            let fits = |b: u64| b <= begin || b >= end || b.is_multiple_of(weight) || weight.is_multiple_of(b);
            if bounds.iter().any(|&b| !fits(b)) {
                bounds.retain(|&mut b| fits(b));
                return Cut::FewerBounds;
            }
            *slot = Piece { weight, count: piece.count.div_ceil(within.max(1)), step: entry, ..piece };
            straddling = Some(Piece { count: within, dimension: inner, open: false, ..piece });
        }
        for piece in self.pieces.iter_mut().filter(|piece| piece.dimension == dimension) {
            piece.step /= entry.max(1); // all that is left here is a multiple
        }
        match straddling {
            Some(piece) if self.pieces.try_push(piece).is_err() => Cut::Unequal,
            _ => Cut::Fits,
        }
    }
}
