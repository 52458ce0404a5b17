//! The problem: loops in bytes, in normal form.
//!
//! A copy of a rank-r tensor is r nested loops `{count, dst step, src step}` over elements of `width` bytes. Many sets
//! of loops are one copy; the normal form makes the later stages small:
//!
//! 1. loops of one iteration are dropped;
//! 2. a loop that walks the destination downward is reversed (on both sides);
//! 3. loops are sorted by destination step, then by source step, fastest first; equal ones keep their order;
//! 4. two neighbours that are one loop become one: `outer = inner.count · inner.step` on both sides;
//! 5. a fastest loop that is contiguous on both sides is folded into the element: `width · count` bytes.
//!
//! Destination elements are distinct, so steps are nested or at least distinct. So after sorting only neighbours can
//! merge, and one pass finds every merge: the pass that adds the loops, if they come fastest first. The NHWC → NHWC
//! copy of any batch becomes one element without loops, a crop becomes one loop over rows, NCHW → NHWC two loops.
//!
//! All numbers are byte counts within a buffer that I4 bounds by 2^60, so sums and products below cannot overflow;
//! `Nest::reached` bounds those of a plan from words. Elements below a byte are a problem in bits: a layout counts in
//! elements, so the normal form does not depend on the unit. If width, bases and all steps are then multiples of 8 and
//! both sides have one bit order, all numbers are divided by 8 and the problem is one of bytes
//! (`Problem::become_bytes`). I4 bounds bits by 2^63, so in bits the product of a count and a step may wrap.
//!
//! ```text
//! 17 nibbles, packed, to 17 nibbles from offset 1 on:   width 68 bits, bases 4 and 0: a run that is shifted by 4
//! 16 nibbles of {4, 4} to rows of 4 bytes:              width 16, loop {4, 32, 16}:  2 bytes, {4, 4, 2}: bytes
//! ```

use super::loops::{Loop, Loops, MAX_LOOPS, iterations};
use super::nest::{Nest, Unit, nested_extent};
use super::time_bound;
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::layout::check_sizes;
use crate::model::{Dtype, Layout};

/// A copy in normal form.
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) unit: Unit,
    /// The width of an element, into which contiguous runs are folded.
    pub width: i64,
    /// The first element's offset from the destination's base pointer.
    pub dst_base: i64,
    /// Its offset from the source's.
    pub src_base: i64,
    /// The loops, fastest first.
    pub loops: Loops,
}

impl Problem {
    /// No element at all.
    pub fn nothing() -> Self {
        Self { unit: Unit::Bytes, width: 0, dst_base: 0, src_base: 0, loops: Loops::new() }
    }

    /// The problem with its loops borrowed.
    pub(crate) fn nest(&self) -> Nest<'_> {
        let Self { unit, width, dst_base, src_base, .. } = *self;
        Nest { unit, width, dst_base, src_base, loops: self.loops.as_slice() }
    }

    /// Becomes a copy of a problem, to be cut or changed. In place: the struct is large.
    pub(crate) fn set(&mut self, nest: &Nest<'_>) {
        (self.unit, self.width, self.dst_base, self.src_base) = (nest.unit, nest.width, nest.dst_base, nest.src_base);
        self.loops.set(nest.loops);
    }

    /// Sorts the loops into source order and reverses those that walk the source downward.
    #[inline(never)] // keeps the list off the caller's stack
    pub(crate) fn sort_by_source(&mut self) {
        let before = core::mem::take(&mut self.loops);
        for &item in before.as_slice() {
            let item = if item.src < 0 { self.reversed(item) } else { item };
            self.loops.insert_before(item, |other| other.src > item.src);
        }
    }

    /// Reverses the loop at `at` if it walks the source downward.
    pub(crate) fn walk_source_upward(&mut self, at: usize) {
        if let Some(&item) = self.loops.as_slice().get(at).filter(|l| l.src.is_negative()) {
            let reversed = self.reversed(item);
            if let Some(slot) = self.loops.as_mut_slice().get_mut(at) {
                *slot = reversed;
            }
        }
    }

    /// Brings loops that are new, cut or changed into normal form.
    pub(crate) fn normalise(&mut self) {
        let sorted = self.loops.as_slice().is_sorted_by_key(Loop::order);
        if !sorted || self.loops.as_slice().iter().any(|l| l.count == 1 || l.dst.is_negative()) {
            self.sort();
        }
        self.merge();
    }

    /// Steps 1 to 3 for loops that are already in the list.
    #[inline(never)] // keeps the list off the caller's stack
    fn sort(&mut self) {
        let before = core::mem::take(&mut self.loops);
        for &item in before.as_slice().iter().filter(|l| l.count > 1) {
            self.add(item);
        }
    }

    /// Becomes the copy of `src` to `dst`, in place, since the struct is large; it is empty before. Width 0 if there is
    /// nothing to copy. SHAPE_MISMATCH, DTYPE_MISMATCH, OUT_OF_BOUNDS (an element below a base pointer), OVERLAP (a
    /// destination stride of 0). With `assume_distinct` a destination stride of 0 is allowed.
    #[inline(always)]
    pub(crate) fn set_copy(&mut self, dst: &Layout<'_>, src: &Layout<'_>, assume_distinct: bool) -> Result<()> {
        check_alike((dst.sizes(), dst.dtype()), (src.sizes(), src.dtype()), Argument::SrcLayout)?;
        if dst.is_empty() {
            return Ok(());
        }
        check_above_base(dst, Argument::DstLayout)?;
        check_above_base(src, Argument::SrcLayout)?;
        let (unit, width) = Unit::of(dst.dtype(), src.dtype());
        self.width = width;
        (self.dst_base, self.src_base) = (dst.offset() * width, src.offset() * width);
        let pairs = dst.dimensions().zip(src.strides().iter().copied());
        let mut in_order = true;
        // From the right: usually fastest first.
        for ((count, dst_stride), src_stride) in pairs.rev() {
            if count == 1 {
                continue;
            }
            if dst_stride == 0 && !assume_distinct {
                return Err(repeats(dst));
            }
            in_order &= self.add(Loop { count, dst: dst_stride * width, src: src_stride * width });
        }
        if !in_order {
            self.merge();
        }
        if unit != Unit::Bytes {
            self.unit = unit;
            self.become_bytes();
        }
        match src.dtype().swapped_bytes(dst.dtype()) {
            0 => Ok(()),
            part => self.swap_bytes(width, part),
        }
    }

    /// Divides all numbers in bits by 8, if they are whole bytes and both sides have one bit order.
    #[cold]
    #[inline(never)]
    pub(crate) fn become_bytes(&mut self) {
        let Unit::Bits(packing) = self.unit else { return };
        let loops = self.loops.as_slice();
        let all = loops.iter().fold(self.width | self.dst_base | self.src_base, |all, l| all | l.dst | l.src);
        if all & 7 != 0 || !packing.is_one_order() {
            return;
        }
        self.unit = Unit::Bytes;
        for number in [&mut self.width, &mut self.dst_base, &mut self.src_base] {
            *number >>= 3;
        }
        for l in self.loops.as_mut_slice() {
            (l.dst, l.src) = (l.dst >> 3, l.src >> 3);
        }
    }

    /// Makes the copy byte-swapped: the bytes of each part of an element of `width` bytes become a loop that walks the
    /// source downward. UNSUPPORTED if there are too many loops.
    #[cold]
    #[inline(never)]
    pub(crate) fn swap_bytes(&mut self, width: i64, part: i64) -> Result<()> {
        let run = Loop { count: self.width / width.max(1), dst: width, src: width };
        let parts = Loop { count: width / part.max(1), dst: part, src: part };
        check_room(self.loops.as_slice().len())?;
        for item in [run, parts, Loop { count: part, dst: 1, src: -1 }] {
            let last = self.loops.as_slice().len();
            self.loops.push(item);
            self.loops.bring(last, 0);
        }
        self.src_base += part - 1;
        self.width = 1;
        self.normalise();
        Ok(())
    }

    /// Becomes the fill of `dst` with one element: a copy whose source never steps. The destination may overlap itself:
    /// loops that only write an element again are dropped, others are joined. UNDECIDED if too many iterations are
    /// left.
    pub(crate) fn set_fill(&mut self, dst: &Layout<'_>) -> Result<()> {
        if dst.is_empty() {
            return Ok(());
        }
        check_above_base(dst, Argument::DstLayout)?;
        let (unit, width) = Unit::of(dst.dtype(), dst.dtype());
        (self.unit, self.width, self.dst_base) = (unit, width, dst.offset() * width);
        if let Unit::Bits(packing) = unit
            && packing.dst_high
        {
            self.src_base = 8 - width; // the low bits of a byte are its last element
        }
        for (count, stride) in dst.dimensions().rev().filter(|&(count, stride)| count != 1 && stride != 0) {
            self.add(Loop { count, dst: stride * width, src: 0 });
        }
        self.merge();
        match nested_extent(width, self.loops.as_slice()) {
            Some(_) => Ok(()), // distinct elements
            None => {
                // Loops that are one are joined; the iterations that are left are bounded.
                time_bound::join(&mut self.loops);
                time_bound::check(iterations(self.loops.as_slice()), dst, dst, Argument::DstLayout)
            }
        }
    }

    /// Adds a loop by steps 2 to 5 if it is slower than all others; else by steps 2 and 3, and returns `false`.
    #[inline(always)]
    pub(crate) fn add(&mut self, item: Loop) -> bool {
        let item = if item.dst < 0 { self.reversed(item) } else { item };
        match self.loops.as_mut_slice().last_mut() {
            None if item.dst == self.width && item.src == self.width => self.width *= item.count,
            Some(last) if last.continues_with(&item) => last.count *= item.count,
            Some(last) if last.dst >= item.dst => {
                self.insert(item.count, item.dst, item.src);
                return false;
            }
            _ => {
                self.loops.push(item);
            }
        }
        true
    }

    // By value: a loop in memory would be read back slowly, as it was written in pieces.
    #[inline(never)]
    fn insert(&mut self, count: i64, dst: i64, src: i64) {
        let item = Loop { count, dst, src };
        self.loops.insert_before(item, |other| other.order() > item.order());
    }

    /// The loop from its other end; the bases move there.
    #[inline(always)]
    pub(crate) fn reversed(&mut self, item: Loop) -> Loop {
        self.dst_base += (item.count - 1) * item.dst;
        self.src_base += (item.count - 1) * item.src;
        Loop { count: item.count, dst: -item.dst, src: -item.src }
    }

    /// Steps 4 and 5.
    fn merge(&mut self) {
        let mut width = self.width;
        self.loops.merge(|faster, next| match faster {
            None if next.dst == width && next.src == width => {
                width *= next.count;
                true
            }
            Some(inner) if inner.continues_with(&next) => {
                inner.count *= next.count;
                true
            }
            _ => false,
        });
        self.width = width;
    }
}

/// UNSUPPORTED if `loops` loops leave no room for the three of byte-swapped elements: runs, parts, bytes.
pub(crate) fn check_room(loops: usize) -> Result<()> {
    if loops + 3 <= MAX_LOOPS {
        return Ok(());
    }
    Err(Status::Unsupported.of(Argument::DstLayout).because(Detail::TooManyLoops, loops as i64 + 3, MAX_LOOPS as i64))
}

/// OVERLAP, with the first dimension whose stride of 0 makes one element of several indices, and its size.
#[cold]
pub(crate) fn repeats(dst: &Layout<'_>) -> Error {
    let error = Status::Overlap.of(Argument::DstLayout);
    let mut dimensions = dst.dimensions().enumerate();
    match dimensions.find(|&(_, (count, stride))| count != 1 && stride == 0) {
        Some((dimension, (count, _))) => error.dimension(dimension).because(Detail::StrideZero, 0, count),
        None => error.because(Detail::SelfOverlap, 0, 0),
    }
}

/// SHAPE_MISMATCH, with the dimension and both sizes, or DTYPE_MISMATCH with both dtypes; `argument` is the second of
/// the two.
#[inline(always)]
pub(crate) fn check_alike(dst: (&[i64], Dtype), src: (&[i64], Dtype), argument: Argument) -> Result<()> {
    // Entry by entry: there are few, and a call would cost more.
    let same_sizes = dst.0.len() == src.0.len() && dst.0.iter().zip(src.0).all(|(dst, src)| dst == src);
    if same_sizes && src.1.moves_to(dst.1) { Ok(()) } else { Err(mismatch(dst, src).argument(argument)) }
}

#[cold]
fn mismatch((dst, dst_dtype): (&[i64], Dtype), (src, src_dtype): (&[i64], Dtype)) -> Error {
    check_sizes(src, dst).err().unwrap_or_else(|| {
        let error = Error::new(Status::DtypeMismatch);
        error.because(Detail::Dtypes, src_dtype.code() as i64, dst_dtype.code() as i64)
    })
}

/// OUT_OF_BOUNDS where an element lies below the base pointer.
pub(crate) fn check_above_base(layout: &Layout<'_>, argument: Argument) -> Result<()> {
    if layout.is_above_base() { Ok(()) } else { Err(below_base(layout, argument)) }
}

#[cold]
fn below_base(layout: &Layout<'_>, argument: Argument) -> Error {
    Error { argument, ..layout.min_bytes().err().unwrap_or(Error::new(Status::OutOfBounds)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dtype, LayoutBuf};
    use std::vec::Vec;

    fn copy(dst: &Layout<'_>, src: &Layout<'_>) -> Result<Problem> {
        let mut problem = Problem::nothing();
        problem.set_copy(dst, src, false).map(|()| problem)
    }

    fn normal(dst: (&[i64], &[i64]), src: (&[i64], &[i64])) -> (i64, Vec<(i64, i64, i64)>) {
        let high = |(sizes, strides): (&[i64], &[i64])| {
            sizes.iter().zip(strides).map(|(&n, &s): (&i64, &i64)| if s < 0 { -(n - 1) * s } else { 0 }).sum()
        };
        let layout = |side: (&'_ [i64], &'_ [i64])| (high(side), side.0.to_vec(), side.1.to_vec());
        let ((d_offset, d_sizes, d_strides), (s_offset, s_sizes, s_strides)) = (layout(dst), layout(src));
        let dst = Layout::new(Dtype::F32, d_offset, &d_sizes, &d_strides).unwrap();
        let src = Layout::new(Dtype::F32, s_offset, &s_sizes, &s_strides).unwrap();
        let problem = copy(&dst, &src).unwrap();
        (problem.width, problem.loops.as_slice().iter().map(|l| (l.count, l.dst, l.src)).collect())
    }

    #[test]
    fn everything_that_is_one_loop_becomes_one() {
        let sizes = [2, 3, 4, 5];
        let packed = LayoutBuf::packed(Dtype::F32, &sizes).unwrap();
        let packed = packed.view().unwrap().strides().to_vec();
        assert_eq!(normal((&sizes, &packed), (&sizes, &packed)), (480, Vec::new()));
        // Both column-major: the order of the dimensions does not matter.
        assert_eq!(normal((&sizes, &[1, 2, 6, 24]), (&sizes, &[1, 2, 6, 24])), (480, Vec::new()));
        // Both reversed: the same run, walked upward.
        assert_eq!(normal((&[6], &[-1]), (&[6], &[-1])), (24, Vec::new()));
        assert_eq!(normal((&[6], &[1]), (&[6], &[-1])), (4, std::vec![(6, 4, -4)]));
        // NCHW to NHWC: H and W merge, C stays.
        let nchw_to_nhwc = normal((&[3, 8, 8], &[1, 24, 3]), (&[3, 8, 8], &[64, 8, 1]));
        assert_eq!(nchw_to_nhwc, (4, std::vec![(3, 4, 256), (64, 12, 4)]));
        // Four bytes kept together are one wider element.
        assert_eq!(normal((&[7, 5, 2], &[2, 14, 1]), (&[7, 5, 2], &[10, 2, 1])).0, 8);
    }

    #[test]
    fn loops_that_were_changed_become_normal() {
        let changed = |loops: &[(i64, i64, i64)], change: fn(&mut Problem)| {
            let mut problem = Problem { width: 4, dst_base: 100, src_base: 200, ..Problem::nothing() };
            loops.iter().for_each(|&(count, dst, src)| assert!(problem.loops.push(Loop { count, dst, src })));
            change(&mut problem);
            let loops: Vec<_> = problem.loops.as_slice().iter().map(|l| (l.count, l.dst, l.src)).collect();
            ([problem.width, problem.dst_base, problem.src_base], loops)
        };
        let normal = |loops: &[(i64, i64, i64)]| changed(loops, Problem::normalise);
        // A loop that walks the destination downward begins at its other end: 100 - 4 * 8, 200 + 4 * 12.
        assert_eq!(normal(&[(5, -8, 12)]), ([4, 68, 248], std::vec![(5, 8, -12)]));
        assert_eq!(normal(&[(1, 7, 7)]), ([4, 100, 200], Vec::new()));
        assert_eq!(normal(&[(1, 7, 7), (5, 8, 12)]), ([4, 100, 200], std::vec![(5, 8, 12)]));
        assert_eq!(normal(&[(3, 16, 4), (4, 4, 40)]), ([4, 100, 200], std::vec![(4, 4, 40), (3, 16, 4)]));
        assert_eq!(normal(&[(3, 8, 24), (2, 8, -12)]), ([4, 100, 200], std::vec![(2, 8, -12), (3, 8, 24)]));
        // Equal ones keep their order.
        let alike = normal(&[(3, 8, 24), (2, 96, 0), (5, 8, -24)]);
        assert_eq!(alike, ([4, 100, 200], std::vec![(3, 8, 24), (5, 8, -24), (2, 96, 0)]));
        // A loop that does not step in the destination is not reversed.
        assert_eq!(normal(&[(1, 7, 7), (5, 0, 12)]), ([4, 100, 200], std::vec![(5, 0, 12)]));
        // The same in source order.
        let by_source = changed(&[(3, 8, 0), (5, 32, 0), (2, 160, -16), (3, 999, 4)], Problem::sort_by_source);
        assert_eq!(by_source, ([4, 260, 184], std::vec![(3, 8, 0), (5, 32, 0), (3, 999, 4), (2, -160, 16)]));
    }

    #[test]
    fn mismatches_name_dimension_and_sizes() {
        let a = Layout::new(Dtype::F32, 0, &[2, 3], &[3, 1]).unwrap();
        let b = Layout::new(Dtype::F32, 0, &[2, 4], &[4, 1]).unwrap();
        let error = copy(&a, &b).unwrap_err();
        assert_eq!((error.status, error.dimension, error.lhs, error.rhs), (Status::ShapeMismatch, 1, 4, 3));
        let bytes = Layout::new(Dtype::bytes(4).unwrap(), 0, &[2, 3], &[3, 1]).unwrap();
        assert!(copy(&a, &bytes).is_ok());
        let s32 = Layout::new(Dtype::S32, 0, &[2, 3], &[3, 1]).unwrap();
        assert_eq!(copy(&a, &s32).unwrap_err().status, Status::DtypeMismatch);
        let repeated = Layout::new(Dtype::F32, 0, &[2, 3], &[0, 1]).unwrap();
        assert_eq!(copy(&repeated, &a).unwrap_err().status, Status::Overlap);
        let all_one = Layout::new(Dtype::F32, 0, &[2, 3], &[0, 0]).unwrap();
        let error = copy(&all_one, &a).unwrap_err();
        assert_eq!((error.status, error.dimension, error.lhs, error.rhs), (Status::Overlap, 0, 0, 2));
        let last_one = Layout::new(Dtype::F32, 0, &[2, 1, 3], &[1, 0, 0]).unwrap();
        let error = copy(&last_one, &last_one).unwrap_err();
        assert_eq!((error.status, error.dimension, error.lhs, error.rhs), (Status::Overlap, 2, 0, 3));
        let below = Layout::new(Dtype::F32, 0, &[2, 3], &[-3, 1]).unwrap();
        let error = copy(&a, &below).unwrap_err();
        assert_eq!((error.status, error.argument), (Status::OutOfBounds, Argument::SrcLayout));
    }
}
