//! The loops of several operands: one count, a stride for each operand.
//!
//! 1. A dimension of size 1 is dropped.
//! 2. A loop is reversed if the first operand that moves along it moves downward: that operand then runs upward.
//! 3. Two loops become one if the outer one continues the inner one in every operand:
//!    `outer.strides[k] = inner.count · inner.strides[k]` for all k.
//! 4. The loops that are left are ordered fastest first: of two loops the one with the smaller |stride| in the first
//!    operand is the faster. If a stride is 0 or both are equal, the next operand decides. If none does, the order of
//!    the dimensions stays (TensorIterator has this rule; numpy.nditer has another one if operands contradict each
//!    other). A loop along which no operand moves is the slowest.
//!
//! *No order and no reversal of the dimensions gives fewer loops.* Give each loop the vector `strides` as its entrance
//! and `count · strides` as its exit. Two loops merge if one's exit is the other's entrance, and a merged loop has the
//! inner one's entrance and the outer one's exit. For each vector v there are as many possible merges as there are
//! exits v or entrances v, whichever are fewer; step 3 stops when one of the two has run out for every v. That counts
//! each merge that any order could have, since a loop cannot continue itself unless nothing moves, and such loops all
//! become one.

use super::OPERANDS;
use crate::error::{Argument, Detail, Result, Status, check_rank};
use crate::model::layout::check_sizes;
use crate::model::{Dtype, Layout, LayoutStorage};
use arrayvec::ArrayVec;
use core::cmp::Ordering;

/// Loops of more than one iteration that a layout has at most: 2^62 elements fit 64 bits, 2^63 do not.
const MOST_LOOPS: usize = 62;

/// One loop of all operands; unused operands have stride 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    pub count: i64,
    pub strides: [i64; OPERANDS],
}

impl Loop {
    /// Whether `outer` continues this loop, by rule 3.
    fn goes_on_as(&self, outer: &Self) -> bool {
        let mut both = self.strides.iter().zip(&outer.strides);
        both.all(|(stride, next)| stride.checked_mul(self.count) == Some(*next))
    }

    /// The faster one of two is less, by rule 4.
    fn compare(&self, other: &Self) -> Ordering {
        let both = self.strides.iter().zip(&other.strides).filter(|&(&a, &b)| a != 0 && b != 0);
        let mut compared = both.map(|(a, b)| a.unsigned_abs().cmp(&b.unsigned_abs()));
        compared.find(|order| order.is_ne()).unwrap_or_else(|| self.stands_still().cmp(&other.stands_still()))
    }

    fn stands_still(&self) -> bool {
        self.strides.iter().all(|&stride| stride == 0)
    }
}

/// The loops of several operands, fastest first, and where each operand begins.
#[derive(Clone, Debug)]
pub struct Joint {
    dtypes: ArrayVec<Dtype, OPERANDS>,
    /// For each operand the offset of the first element.
    pub(super) offsets: [i64; OPERANDS],
    /// Fastest first; none: one element.
    pub(super) loops: ArrayVec<Loop, MOST_LOOPS>,
    /// Whether there is no element.
    pub(super) empty: bool,
}

impl Joint {
    /// No operands, to be filled.
    pub fn nothing() -> Self {
        Self { dtypes: ArrayVec::new(), offsets: [0; OPERANDS], loops: ArrayVec::new(), empty: false }
    }

    /// The loops of layouts with equal sizes, in elements, into an empty value. SHAPE_MISMATCH with operand and
    /// dimension; OVERFLOW if a dimension would have to be reversed whose stride has no opposite. In place.
    pub fn set_elements(&mut self, layouts: &[Layout<'_>]) -> Result<()> {
        self.set(layouts, [1; OPERANDS])
    }

    /// [`Joint::set_elements`] in bytes. UNSUPPORTED for elements below a byte; OVERFLOW for bytes beyond 64 bits.
    /// Without elements the dtype does not matter.
    pub fn set_bytes(&mut self, layouts: &[Layout<'_>]) -> Result<()> {
        let mut widths = [1; OPERANDS];
        if layouts.first().is_some_and(|layout| !layout.is_empty()) {
            for (item, (width, layout)) in widths.iter_mut().zip(layouts).enumerate() {
                let error = |status: Status| status.of(Argument::In).item(item);
                let of_bytes = !layout.dtype().is_sub_byte();
                error(Status::Unsupported).unless(of_bytes, Detail::DtypeWidth, layout.dtype().code(), 0)?;
                *width = layout.dtype().bits() / 8;
                // The highest offset fits in bits (I4); the lowest may not.
                let lowest = layout.span().0;
                let fits = lowest.checked_mul(*width).is_some();
                error(Status::Overflow).unless(fits, Detail::Product, lowest, *width)?;
            }
        }
        self.set(layouts, widths)
    }

    /// The loops with offsets and strides times `scale`, which offsets allow.
    fn set(&mut self, layouts: &[Layout<'_>], scale: [i64; OPERANDS]) -> Result<()> {
        let first = check_alike(layouts)?;
        self.empty = first.is_empty();
        for ((layout, offset), &factor) in layouts.iter().zip(&mut self.offsets).zip(&scale) {
            let _ = self.dtypes.try_push(layout.dtype()); // at most as many as there is room for: `check_alike`
            *offset = if self.empty { layout.offset() } else { layout.offset().wrapping_mul(factor) };
        }
        if self.empty {
            return Ok(());
        }
        let mut given = ArrayVec::<Loop, MOST_LOOPS>::new();
        for dimension in (0..first.rank()).rev() {
            let count = first.dimension(dimension).0;
            if count == 1 {
                continue;
            }
            // Written in place: a value stored number by number cannot be copied as a whole at once.
            let _ = given.try_push(Loop { count, strides: [0; OPERANDS] }); // I3: at most 62 sizes are above 1
            let Some(item) = given.last_mut() else { continue };
            for (k, ((slot, layout), &factor)) in item.strides.iter_mut().zip(layouts).zip(&scale).enumerate() {
                let (_, stride) = layout.dimension(dimension);
                let error = || Status::Overflow.of(Argument::In).item(k).dimension(dimension);
                let bytes = stride.checked_mul(factor);
                *slot = bytes.ok_or_else(|| error().because(Detail::Product, stride, factor))?;
            }
            self.reverse_upward(item, dimension)?;
        }
        merge(&mut given);
        for &item in given.iter().filter(|item| item.count > 1) {
            self.insert(item);
        }
        Ok(())
    }

    /// Rule 2. The first element along the loop is then the former last one.
    fn reverse_upward(&mut self, item: &mut Loop, dimension: usize) -> Result<()> {
        if item.strides.iter().find(|&&stride| stride != 0).is_none_or(|stride| stride.is_positive()) {
            return Ok(());
        }
        for (k, (stride, offset)) in item.strides.iter_mut().zip(&mut self.offsets).enumerate() {
            let error = || Status::Overflow.of(Argument::In).item(k).dimension(dimension);
            let opposite = stride.checked_neg();
            let opposite = opposite.ok_or_else(|| error().because(Detail::NewStride, item.count, i64::MAX))?;
            // Both ends are offsets of elements, which fit (I4; `bytes` checked the lowest).
            *offset = offset.wrapping_add((item.count - 1).wrapping_mul(*stride));
            *stride = opposite;
        }
        Ok(())
    }

    /// Rule 4: from the slowest down, past loops that decide nothing, to before the last one that is slower.
    fn insert(&mut self, item: Loop) {
        let mut position = self.loops.len();
        for (at, other) in self.loops.iter().enumerate().rev() {
            match item.compare(other) {
                Ordering::Less => position = at,
                Ordering::Greater => break,
                Ordering::Equal => {}
            }
        }
        let _ = self.loops.try_push(item); // as many as were given at most
        if let Some(rest) = self.loops.get_mut(position..).filter(|rest| !rest.is_empty()) {
            rest.rotate_right(1);
        }
    }

    /// The number of operands.
    pub fn operands(&self) -> usize {
        self.dtypes.len()
    }

    /// The layout of one operand over the joint loops, in a lent one: rank 1 and size 0 if there is no element.
    pub(crate) fn layout_in<'o>(&self, operand: usize, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
        let nothing = Status::InvalidArgument.of(Argument::Count);
        let nothing = nothing.because(Detail::OutOfRange, operand as i64, self.operands() as i64);
        let (Some(&dtype), Some(&offset)) = (self.dtypes.get(operand), self.offsets.get(operand)) else {
            return Err(nothing);
        };
        out.begin(dtype, offset);
        if self.empty {
            out.push(0, 0)?;
        }
        for item in self.loops.iter().rev() {
            out.push(item.count, item.strides.get(operand).copied().unwrap_or(0))?;
        }
        out.view()
    }
}

/// Rule 3, for any order of the loops; a loop that was merged into another has one iteration left. The strides of a
/// loop never change, and it grows only while it is looked at, so what is found once for each stays true.
fn merge(loops: &mut [Loop]) {
    for inner in 0..loops.len() {
        while let Some(&item) = loops.get(inner).filter(|item| item.count > 1)
            && let Some((_, outer)) =
                loops.iter_mut().enumerate().find(|(at, l)| *at != inner && l.count > 1 && item.goes_on_as(l))
        {
            let iterations = core::mem::replace(&mut outer.count, 1);
            if let Some(item) = loops.get_mut(inner) {
                item.count = item.count.wrapping_mul(iterations); // I3
            }
        }
    }
}

/// The first of one to eight layouts, whose sizes all have. INVALID_RANK; SHAPE_MISMATCH with operand and dimension.
fn check_alike<'a, 'b>(layouts: &'b [Layout<'a>]) -> Result<&'b Layout<'a>> {
    let none = Status::InvalidRank.of(Argument::Count).because(Detail::Below, 0, 1);
    let first = layouts.first().ok_or(none)?;
    check_rank(layouts.len(), OPERANDS, Argument::Count)?;
    for (item, layout) in layouts.iter().enumerate() {
        let alike = check_sizes(layout.sizes(), first.sizes());
        alike.map_err(|error| error.argument(Argument::In).item(item))?;
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn joint(sizes: &[i64], strides: &[&[i64]]) -> Joint {
        let layout = |strides| Layout::new(Dtype::F32, 100, sizes, strides).unwrap();
        let layouts: Vec<_> = strides.iter().map(|&strides| layout(strides)).collect();
        let mut joint = Joint::nothing();
        joint.set_elements(&layouts).unwrap();
        joint
    }

    /// Sizes and the strides of each operand, outermost first.
    fn fields(joint: &Joint) -> (Vec<i64>, Vec<Vec<i64>>) {
        let loops = || joint.loops.iter().rev();
        let strides = (0..joint.operands()).map(|k| loops().map(|l| l.strides[k]).collect()).collect();
        (loops().map(|l| l.count).collect(), strides)
    }

    #[test]
    fn neighbours_merge_where_they_do_in_every_operand() {
        let all = joint(&[2, 3, 4, 5], &[&[60, 20, 5, 1], &[60, 20, 5, 1], &[0, 0, 0, 1]]);
        assert_eq!(fields(&all), (std::vec![24, 5], std::vec![std::vec![5, 1], std::vec![5, 1], std::vec![0, 1]]));
        // A bias for each channel of NCHW.
        let bias = joint(&[2, 3, 4, 5], &[&[60, 20, 5, 1], &[0, 1, 0, 0]]);
        assert_eq!(fields(&bias), (std::vec![2, 3, 20], std::vec![std::vec![60, 20, 1], std::vec![0, 1, 0]]));
        // Dimensions in any order, and size 1 with wild strides.
        let any = joint(&[5, 1, 2, 4, 3], &[&[1, -9, 60, 5, 20], &[1, 77, 60, 5, 20]]);
        assert_eq!(fields(&any), (std::vec![120], std::vec![std::vec![1], std::vec![1]]));
        // 8 continues both 2 and, after it, the 4 that no other loop continued: the inner one takes it.
        let twins = joint(&[5, 2, 4, 3, 4], &[&[8, 4, 2, 4, 1]]);
        assert_eq!(fields(&twins), (std::vec![2, 20, 12], std::vec![std::vec![4, 2, 1]]));
    }

    #[test]
    fn the_first_operand_that_moves_runs_upward() {
        let both = joint(&[3, 4], &[&[-4, -1], &[4, 1]]);
        assert_eq!(fields(&both), (std::vec![12], std::vec![std::vec![1], std::vec![-1]]));
        assert_eq!(both.offsets[..2], [100 - 11, 100 + 11]);
        let second = joint(&[3, 4], &[&[0, 1], &[-4, 1]]);
        assert_eq!(fields(&second), (std::vec![3, 4], std::vec![std::vec![0, 1], std::vec![4, 1]]));
        assert_eq!(second.offsets[..2], [100, 92]);
    }

    #[test]
    fn strides_of_zero_say_nothing_and_what_stands_still_is_slowest() {
        // The sum over the first dimension of a matrix: rows stay runs.
        let sum = joint(&[30, 40], &[&[0, 1], &[40, 1]]);
        assert_eq!(fields(&sum).0, [30, 40]);
        let still = joint(&[2, 3, 5], &[&[0, 1, 0], &[0, 1, 0]]);
        assert_eq!(fields(&still), (std::vec![10, 3], std::vec![std::vec![0, 1], std::vec![0, 1]]));
    }

    #[test]
    fn empty_has_one_dimension_and_one_element_has_none() {
        let mut room = LayoutStorage::default();
        assert_eq!(joint(&[1, 1], &[&[5, 6]]).layout_in(0, &mut room).unwrap().rank(), 0);
        let view = joint(&[3, 0], &[&[5, 6], &[7, 8]]).layout_in(1, &mut room).unwrap();
        assert_eq!((view.sizes(), view.strides(), view.offset()), (&[0][..], &[0][..], 100));
    }
}
