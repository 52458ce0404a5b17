//! Composition: a view of a view, exactly; and its companions: inverse, tiles, the run that several layouts share.
//!
//! An *outer* layout places its elements; their row-major numbers are 0, 1, …, n − 1. An *inner* layout is read as
//! numbers instead of places: its index i means number `b + i·s` of outer. Then
//!
//! ```text
//! result(i) = outer(inner(i))
//! ```
//!
//! is again a view of outer's memory. Reshape, split, merge, slices of a reshaped view, tiles and CuTe's divide are
//! cases of it. The question is whether sizes and strides can express it.
//!
//! *Why it is a question of carries.* Drop outer's dimensions of size 1 and merge what is one run. From the innermost
//! on, the sizes c1, c2, … and strides s1, s2, … remain, and the weights w1 = c1, w2 = c1·c2, … up to, not with, the
//! whole. The place of number x is
//!
//! ```text
//! outer(x) = offset + s1·x + (s2 − c1·s1)·⌊x / w1⌋ + (s3 − c2·s2)·⌊x / w2⌋ + …
//! ```
//!
//! No factor is 0, or the two dimensions would have been one run. So if every `⌊x / w⌋` is a sum over the indices, the
//! result is too. One step `s` from b changes `⌊x / w⌋` by some t, and what is left of the step, `d = s − t·w`, drifts
//! through the w numbers between two carries: `⌊x / w⌋` is that sum as long as `b mod w + Σ i·d` stays in 0 … w − 1.
//!
//! *Splitting a dimension.* Alone, a dimension of size n and step s stays in this range for `fits` elements, the least
//! over all w. If n is no more, it is one dimension of the result. Otherwise it is split: `fits` elements with step s,
//! then n / fits with step `fits·s`, and so on. No other split needs to be tried. If the fastest part had m < fits
//! elements, the next one would step by m·s, which drifts by m·d, and the two would be one part of at most `fits`
//! elements; join them as long as possible, and the fastest has `fits`. So `fits` divides n, or there is no answer; no
//! divisor is searched, whatever n is. Finally all parts of all dimensions must stay in 0 … w − 1 together.
//!
//! *Example.* Rows of 6 that lie 8 apart, sizes {4, 6} and strides {8, 1}, and every second number of them, {12} with
//! step 2: w = 6, a step drifts by 2, three elements fit. The result is {4, 3} with strides {8, 2}.
//!
//! Some compositions are refused although sizes and strides could express them: carries of two weights whose factors
//! cancel, as for sizes {2, 2, 2} with strides {6, 4, 1}, where numbers 2, 3, 4 lie at 4, 5, 6 by chance.
//! `tests/composition.rs` counts them: 9 of 100,000 random compositions.
//!
//! The rule is libstride's own, held against brute force; CuTe's composition answers some of these cases wrongly
//! (NVIDIA/cutlass#3177, #2955) and refuses others that have an answer (#2113).

mod inverse;
mod run;
mod tile;

use crate::error::{Argument, Detail, ForArgument, Result, Status};
use crate::model::{Layout, LayoutStorage, MAX_RANK};
use crate::view::fitting;
use arrayvec::ArrayVec;
pub use inverse::inverse;
pub use run::common_run;
pub use tile::tile;

/// outer ∘ inner, and into how many dimensions of the result each of inner's was split (1: not split; its first `rank`
/// entries). Dtype and memory are outer's; inner's dtype does not matter. A dimension of size 1 gets stride 0.
///
/// OUT_OF_BOUNDS if inner has a number that outer does not have; NOT_REPRESENTABLE with inner's dimension if no split
/// works; INVALID_RANK if the result has more than 64 dimensions. Without inner elements the result is empty.
///
/// ```
/// use stride::model::{Dtype, LayoutBuf, LayoutStorage};
/// let rows = LayoutBuf::strided(Dtype::F32, &[4, 6], &[8, 1]).unwrap();
/// let every_second = LayoutBuf::strided(Dtype::U8, &[12], &[2]).unwrap();
/// let mut out = LayoutStorage::default();
/// let (rows, every_second) = (rows.view().unwrap(), every_second.view().unwrap());
/// let (out, parts) = stride::compose::compose(&rows, &every_second, &mut out).unwrap();
/// assert_eq!(out.to_string(), "f32[4,3] strides [8,2] offset 0");
/// assert_eq!(parts[0], 2);
/// ```
pub fn compose<'o>(
    outer: &Layout<'_>,
    inner: &Layout<'_>,
    out: &'o mut LayoutStorage,
) -> Result<(Layout<'o>, [u32; MAX_RANK])> {
    let mut group_ranks = [1u32; MAX_RANK];
    if inner.is_empty() {
        out.set_dimensions(outer.dtype(), outer.offset(), inner.sizes().iter().map(|&size| (size, 0)))?;
        return Ok((out.view()?, group_ranks));
    }
    // Every number of inner is one of outer's.
    let (lowest, highest) = inner.span();
    let number = if lowest < 0 { lowest } else { highest };
    Status::OutOfBounds.of(Argument::Inner).in_range(number, outer.element_count())?;
    let numbers = Numbers::of(outer);
    let first = inner.offset();
    let place = numbers.place(first);
    out.begin(outer.dtype(), place);
    let mut drifts = [(0i128, 0i128); MAX_RANK];
    for ((dimension, (size, step)), group_rank) in inner.dimensions().enumerate().zip(&mut group_ranks) {
        let parts = numbers.split(first, size, step).map_err(|error| error.dimension(dimension))?;
        numbers.drift_together(first, &parts, &mut drifts).map_err(|error| error.dimension(dimension))?;
        if parts.is_empty() {
            out.push(1, 0)?;
            continue;
        }
        *group_rank = parts.len() as u32;
        for part in parts.iter().rev() {
            let place_of_part = out.strides_mut().len();
            let next = numbers.place(first.wrapping_add(part.step)); // an index of inner, so a number of outer
            let stride = fitting(place_of_part, part.size, next.checked_sub(place)).in_role(Argument::Outer)?;
            out.push(part.size, stride)?;
        }
    }
    Ok((out.view().in_role(Argument::Outer)?, group_ranks))
}

/// A part of one of inner's dimensions: `size` elements, `step` numbers apart.
#[derive(Clone, Copy)]
struct Part {
    size: i64,
    step: i64,
}

/// A dimension of size above 1 has at most 62 parts of two elements or more (I3).
type Parts = ArrayVec<Part, MAX_RANK>;

/// A layout as the function from row-major numbers to places.
struct Numbers {
    offset: i64,
    /// Size and stride, innermost first; no size 1, no two that are one run.
    dimensions: ArrayVec<(u64, i64), MAX_RANK>,
    /// After how many numbers a dimension carries into the next one.
    weights: ArrayVec<u64, MAX_RANK>,
}

impl Numbers {
    fn of(layout: &Layout<'_>) -> Self {
        let mut dimensions = ArrayVec::<(u64, i64), MAX_RANK>::new();
        for (size, stride) in layout.dimensions().rev().filter(|&(size, _)| size != 1) {
            match dimensions.last_mut() {
                Some(inside) if run_of(*inside) == Some(stride) => inside.0 = inside.0.wrapping_mul(size as u64), // I3
                _ => _ = dimensions.try_push((size as u64, stride)),                                              // I1
            }
        }
        let mut weights = ArrayVec::new();
        let mut weight = 1u64;
        for &(size, _) in dimensions.iter().take(dimensions.len().saturating_sub(1)) {
            weight = weight.wrapping_mul(size); // I3
            let _ = weights.try_push(weight);
        }
        Self { offset: layout.offset(), dimensions, weights }
    }

    /// The offset of element number `number`; the number is one of the layout's.
    fn place(&self, number: i64) -> i64 {
        let mut rest = number as u64;
        let mut place = self.offset;
        for &(size, stride) in &self.dimensions {
            let size = size.max(1);
            place = place.wrapping_add(((rest % size) as i64).wrapping_mul(stride)); // an index of the layout (I4)
            rest /= size;
        }
        place
    }

    /// The drift of a step from `first`, beside whole carries of `weight`: `d = step − t·weight`.
    fn drift(first: i64, step: i64, weight: u64) -> (i64, i64) {
        let weight = weight.max(1);
        let begin = (first as u64 % weight) as i64;
        let next = (first.wrapping_add(step) as u64 % weight) as i64;
        (begin, next.wrapping_sub(begin))
    }

    /// The number of elements, `step` numbers apart from `first` on, that carry evenly: at least 2: one step is even.
    fn fits(&self, first: i64, step: i64) -> u64 {
        let mut fits = u64::MAX;
        for &weight in &self.weights {
            let (begin, drift) = Self::drift(first, step, weight);
            let room = if drift > 0 { weight.wrapping_sub(1).wrapping_sub(begin as u64) } else { begin as u64 };
            if drift != 0 {
                fits = fits.min((room / drift.unsigned_abs().max(1)).saturating_add(1));
            }
        }
        fits
    }

    /// The parts of a dimension, fastest first; none for size 1.
    fn split(&self, first: i64, size: i64, step: i64) -> Result<Parts> {
        let mut parts = Parts::new();
        let (mut rest, mut step) = (size as u64, step);
        let mut done = 1u64; // elements of the parts so far
        while rest > 1 {
            let fits = self.fits(first, step).max(2);
            let part = rest.min(fits);
            if rest % part != 0 {
                let error = Status::NotRepresentable.of(Argument::Inner);
                return Err(error.because(Detail::Split, size, done.wrapping_mul(fits) as i64)); // less than `size`
            }
            let _ = parts.try_push(Part { size: part as i64, step }); // each halves `rest` at least
            rest /= part;
            done = done.wrapping_mul(part);
            step = step.wrapping_mul(part as i64); // if there is a next part, an index of inner: below outer's count
        }
        Ok(parts)
    }

    /// Adds the drifts of these parts to the lowest and highest of those before, for each weight; NOT_REPRESENTABLE if
    /// they leave the range between two carries.
    fn drift_together(&self, first: i64, parts: &Parts, drifts: &mut [(i128, i128); MAX_RANK]) -> Result<()> {
        for (&weight, (lowest, highest)) in self.weights.iter().zip(drifts) {
            let mut begin = (first as u64 % weight.max(1)) as i128;
            for part in parts {
                let drift = Self::drift(first, part.step, weight).1 as i128 * (part.size - 1) as i128;
                *lowest += drift.min(0);
                *highest += drift.max(0);
            }
            let below = begin + *lowest < 0;
            begin += if below { *lowest } else { *highest };
            let error = Status::NotRepresentable.of(Argument::Inner);
            error.unless(!below && begin < weight as i128, Detail::Carry, begin, weight as i128)?;
        }
        Ok(())
    }
}

/// The stride that the next dimension outward has if the two are one run.
fn run_of((size, stride): (u64, i64)) -> Option<i64> {
    stride.checked_mul(size as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;
    use std::vec::Vec;

    type Composed = (Vec<i64>, Vec<i64>, i64, Vec<u32>);

    fn composed(outer: (&[i64], &[i64]), first: i64, inner: (&[i64], &[i64])) -> Result<Composed> {
        let outer = Layout::new(Dtype::U8, 100, outer.0, outer.1).unwrap();
        let inner = Layout::new(Dtype::U8, first, inner.0, inner.1).unwrap();
        let mut room = LayoutStorage::default();
        let (out, parts) = compose(&outer, &inner, &mut room)?;
        Ok((out.sizes().to_vec(), out.strides().to_vec(), out.offset(), parts[..inner.rank()].to_vec()))
    }

    #[test]
    fn dimensions_split_where_carries_are_even() {
        let rows: (&[i64], &[i64]) = (&[4, 6], &[8, 1]);
        assert_eq!(composed(rows, 0, (&[12], &[2])), Ok((std::vec![4, 3], std::vec![8, 2], 100, std::vec![2])));
        // Backwards, from the last number.
        assert_eq!(composed(rows, 23, (&[12], &[-2])), Ok((std::vec![4, 3], std::vec![-8, -2], 129, std::vec![2])));
        // Repeated, and of size 1 with a wild step.
        assert_eq!(
            composed(rows, 7, (&[5, 1, 2], &[0, -99, 12])),
            Ok((std::vec![5, 1, 2], std::vec![0, 0, 16], 109, std::vec![1, 1, 1]))
        );
        // Numbers 0 4 8: the third is in the next row, at 10. Six: pairs from 0 8 16 on, but 8 + 4 is a row further.
        let error = composed(rows, 0, (&[3], &[4])).unwrap_err();
        assert_eq!((error.detail, error.dimension, error.lhs, error.rhs), (Detail::Split, 0, 3, 2));
        let error = composed(rows, 0, (&[6], &[4])).unwrap_err();
        assert_eq!((error.detail, error.dimension, error.lhs, error.rhs), (Detail::Carry, 0, 8, 6));
    }

    #[test]
    fn sizes_near_the_limit_take_no_search() {
        let half = [1i64 << 61];
        let huge: (&[i64], &[i64]) = (&[2, 1 << 58], &[1 << 59, 1]);
        assert!(composed(huge, 0, (&[1 << 58], &[2])).is_ok());
        // No divisor would do: even halves do not exist.
        assert_eq!(composed(huge, 0, (&[(1 << 59) - 1], &[1])).unwrap_err().detail, Detail::Split);
        let bits = Layout::new(Dtype::U1, 0, &half, &[1]).unwrap();
        assert!(compose(&bits, &bits, &mut LayoutStorage::default()).is_ok());
    }

    #[test]
    fn strides_that_leave_64_bits_are_told_by_their_place() {
        // Four bits, from the highest offset that there is to the lowest.
        let far = Layout::new(Dtype::U1, (1 << 62) + (1 << 61), &[4], &[-(1 << 62) - 1]).unwrap();
        let ends = Layout::new(Dtype::U8, 0, &[1, 2], &[7, 3]).unwrap();
        let place = |error: crate::Error| (error.status, error.argument, error.dimension, error.detail, error.lhs);
        let composed = compose(&far, &ends, &mut LayoutStorage::default()).unwrap_err();
        assert_eq!(place(composed), (Status::Overflow, Argument::Outer, 1, Detail::NewStride, 2));
        let far = Layout::new(Dtype::U1, (1 << 62) + (1 << 61), &[1, 4], &[0, -(1 << 62) - 1]).unwrap();
        let tiled = tile::tile(&far, &[1, 2], &mut LayoutStorage::default()).unwrap_err();
        assert_eq!(place(tiled), (Status::Overflow, Argument::Layout, 1, Detail::NewStride, 2));
    }
}
