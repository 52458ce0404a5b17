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

use super::cuts::{Cuts, MAX_TERMS, Unfit};
use super::numbering::{Bounds, Numbering, common_bounds};
use super::shape::Shape;
use super::tiling::Tiling;
use super::tries::{tries, undecided};
use crate::error::{Argument, Detail, Result, Status, check_count};
use crate::model::arith;
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
    let (error, ranks) = (Status::ShapeMismatch.of(Argument::OutShape), [output, input].map(|of| of.rank() as i64));
    error.unless(ranks[0] == ranks[1], Detail::Ranks, ranks[0], ranks[1])?;
    check_count(axes.len(), input.rank(), Argument::Rank)?;
    let from = Numbering::transposed(input, output, axes)?.filter(|_| input.dtype() == output.dtype());
    from.map_or(Ok(false), |from| keeps_positions(&from, &Numbering::row_major(output)))
}

/// Whether the elements keep their bits and the output's buffer is not the longer one; see [`reshape_is_bitcast`].
pub(super) fn keeps_positions(input: &Numbering<'_>, output: &Numbering<'_>) -> Result<bool> {
    let count = arith::element_count(output.shape().sizes())?;
    let (from, to) = (input.shape(), output.shape());
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
    if output.shape().byte_size()? > input.shape().byte_size()? {
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
    let (from, to) = (input.shape(), output.shape());
    let count = arith::element_count(to.sizes())?;
    let mut seen = Seen {
        sides: [input, output],
        tilings: [Tiling::new(from, from.tiles().len()), Tiling::new(to, to.tiles().len())],
        count: count as u64,
        equal: ArrayVec::new(),
        differ: None,
    };
    for (_, weight) in input.axes().chain(output.axes()) {
        if !seen.agree(weight) {
            return Ok(seen.differ);
        }
    }
    if from.tiles().is_empty() && to.tiles().is_empty() {
        return Ok(None);
    }
    let mut bounds = common_bounds(input, output);
    loop {
        match compare_cuts(&mut bounds, &mut seen) {
            Ok(()) => return Ok(seen.differ),
            Err(Unfit::FewerBounds) => {}
            Err(Unfit::Unequal) => break,
        }
    }
    let tries = tries(&[from, to]);
    if count > tries {
        return Err(undecided(tries, count));
    }
    let _ = (0..count as u64).all(|k| seen.agree(k));
    Ok(seen.differ)
}

/// Positions of elements on both sides, each looked at once.
struct Seen<'a> {
    sides: [&'a Numbering<'a>; 2],
    tilings: [Tiling<'a>; 2],
    count: u64,
    /// Elements whose positions are equal, as many as fit.
    equal: ArrayVec<u64, MAX_TERMS>,
    /// The positions of an element that has two.
    differ: Option<(i64, i64)>,
}

impl Seen<'_> {
    /// Whether element k has one position, or there is no such element.
    fn agree(&mut self, k: u64) -> bool {
        if k >= self.count || self.equal.contains(&k) {
            return true;
        }
        let ([input, output], [from, to]) = (self.sides, &self.tilings);
        let both = (from.position(&input.index(k)), to.position(&output.index(k)));
        if both.0 != both.1 {
            self.differ = Some(both);
            return false;
        }
        let _ = self.equal.try_push(k);
        true
    }
}

/// Cuts both shapes and compares the positions at every weight that occurs, up to one that differs.
#[inline(never)] // keeps its frame off the caller's stack
fn compare_cuts(bounds: &mut Bounds, seen: &mut Seen<'_>) -> core::result::Result<(), Unfit> {
    let mut cuts = Cuts::default();
    for number in 0..2 {
        cuts.set(seen.sides[number], &seen.tilings[number].steps, bounds)?;
        let mut weights = cuts.terms.iter().flat_map(|term| [term.weight, term.weight.saturating_mul(term.count)]);
        if !weights.all(|weight| seen.agree(weight)) {
            break;
        }
    }
    Ok(())
}
