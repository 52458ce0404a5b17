//! The problem: loops in bytes, in normal form.
//!
//! A copy of a rank-r tensor is r nested loops `{count, dst step, src step}` over elements of `width` bytes. Many sets of
//! loops mean the same copy; the normal form makes the later stages small:
//!
//! 1. loops of one turn are dropped;
//! 2. a loop that walks the destination downward is turned round (on both sides);
//! 3. loops are sorted by destination step, then by source step, fastest first;
//! 4. two neighbours that are one loop become one: `outer = inner.count · inner.step` on both sides;
//! 5. a fastest loop that is contiguous on both sides is folded into the element: `width · count` bytes.
//!
//! Distinct destination elements mean nested or at least distinct steps, so after sorting only neighbours can merge and
//! one pass finds every merge: the same in which loops are added, as long as they come the fastest first. The NHWC → NHWC copy of any batch becomes one element without loops, a crop becomes one
//! loop over rows, NCHW → NHWC two loops.
//!
//! All numbers are byte counts within a buffer that I4 bounds by 2^60, so sums and products below cannot overflow; those of
//! a plan from words are bounded by `Nest::reached`.

use crate::error::{Argument, Error, Result, Status};
use crate::model::{Dtype, Layout};
use arrayvec::ArrayVec;

/// I3 leaves at most 62 loops of two turns or more.
pub const MAX_LOOPS: usize = 62;

/// One loop; steps in bytes. The same three words in a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Loop {
    /// Turns, at least 1.
    pub count: i64,
    /// Bytes from one turn to the next in the destination.
    pub dst: i64,
    /// Bytes from one turn to the next in the source.
    pub src: i64,
}

impl Loop {
    /// A loop that is missing.
    pub const ONCE: Self = Self { count: 1, dst: 0, src: 0 };

    /// Whether the two are one loop.
    #[inline(always)]
    fn continues_with(&self, outer: &Self) -> bool {
        outer.dst == self.count * self.dst && outer.src == self.count * self.src
    }

    /// Loops are sorted by this.
    #[inline(always)]
    fn order(&self) -> (i64, u64) {
        (self.dst, self.src.unsigned_abs())
    }
}

/// A list of loops, fastest first. Only entries in use are ever written: a small copy cannot afford 1.5 KB of zeros.
#[derive(Clone, Debug, Default)]
pub struct Loops(ArrayVec<Loop, MAX_LOOPS>);

impl Loops {
    /// No loop.
    #[inline]
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// The loops, fastest first.
    #[inline]
    pub fn as_slice(&self) -> &[Loop] {
        &self.0
    }

    /// The loops, to be changed in place.
    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Loop] {
        &mut self.0
    }

    /// Appends as the slowest; `false` where the list is full.
    #[inline]
    pub(crate) fn push(&mut self, item: Loop) -> bool {
        self.0.try_push(item).is_ok()
    }

    /// Becomes a copy of a list.
    pub(crate) fn set(&mut self, loops: &[Loop]) {
        self.0.clear();
        for &item in loops {
            self.push(item);
        }
    }

    /// Inserts in front of the loops that are `slower`, which stand at the end of the list.
    #[inline]
    pub(crate) fn insert_before(&mut self, item: Loop, slower: impl Fn(&Loop) -> bool) {
        if !self.push(item) {
            return;
        }
        let mut rest = self.as_mut_slice();
        while let [.., before, last] = rest
            && slower(before)
        {
            *last = *before;
            *before = item;
            let shorter = rest.len() - 1;
            rest = rest.get_mut(..shorter).unwrap_or(&mut []);
        }
    }

    /// Moves the loop at `from` to the place `to`; those between move up or down.
    #[inline]
    pub(crate) fn bring(&mut self, from: usize, to: usize) {
        if from != to {
            self.move_to(from, to);
        }
    }

    fn move_to(&mut self, from: usize, to: usize) {
        let (first, last) = (from.min(to), from.max(to));
        let Some(window) = self.as_mut_slice().get_mut(first..=last) else { return };
        let Some((&begin, &end)) = window.first().zip(window.last()) else { return };
        let cells = core::cell::Cell::from_mut(window).as_slice_of_cells();
        let pairs = cells.windows(2).filter_map(|pair| <&[_; 2]>::try_from(pair).ok());
        let put = |cell: Option<&core::cell::Cell<Loop>>, item| cell.into_iter().for_each(|cell| cell.set(item));
        if from < to {
            pairs.for_each(|[one, next]| one.set(next.get()));
            put(cells.last(), begin);
        } else {
            pairs.rev().for_each(|[one, next]| next.set(one.get()));
            put(cells.first(), end);
        }
    }

    /// Drops every loop that `joins` its next faster one that is kept (`None` in front of the first).
    #[inline]
    fn merge(&mut self, mut joins: impl FnMut(Option<&mut Loop>, Loop) -> bool) {
        let mut kept = 0usize;
        for k in 0..self.0.len() {
            let Some(&item) = self.as_slice().get(k) else { break };
            let faster = kept.checked_sub(1).and_then(|last| self.as_mut_slice().get_mut(last));
            if joins(faster, item) {
                continue;
            }
            if let Some(slot) = self.as_mut_slice().get_mut(kept) {
                *slot = item;
            }
            kept += 1;
        }
        self.0.truncate(kept);
    }
}

/// A copy in normal form.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Bytes of one element; contiguous runs are folded into it.
    pub width: i64,
    /// Byte offset of the first element from the destination's base pointer.
    pub dst_base: i64,
    /// The same for the source.
    pub src_base: i64,
    /// Fastest first.
    pub loops: Loops,
}

/// A problem whose loops lie elsewhere: in a plan's words, or in a [`Problem`].
#[derive(Clone, Copy, Debug)]
pub struct Nest<'a> {
    /// Bytes of one element; 0: there is none.
    pub width: i64,
    /// Byte offset of the first element from the destination's base pointer.
    pub dst_base: i64,
    /// The same for the source.
    pub src_base: i64,
    /// In the order in which they run, fastest first.
    pub loops: &'a [Loop],
}

/// What a problem reaches on one side, in bytes from the base pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// First byte of the lowest element and of the highest one.
    pub lowest: i64,
    pub highest: i64,
    /// One past the last byte.
    pub end: i64,
}

/// Both sides, and how much moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    pub dst: Reach,
    pub src: Reach,
    /// Bytes of all elements; saturated.
    pub bytes: u64,
}

impl Reached {
    /// No byte.
    pub const NOTHING: Self = {
        let reach = Reach { lowest: 0, highest: 0, end: 0 };
        Self { dst: reach, src: reach, bytes: 0 }
    };

    /// Fits into no buffer.
    pub const TOO_FAR: Self = {
        let reach = Reach { lowest: -1, highest: i64::MAX, end: i64::MAX };
        Self { dst: reach, src: reach, bytes: u64::MAX }
    };

    /// What the copy between two layouts of equal sizes reaches, in elements of `bytes` bytes that lie in runs of `width`;
    /// all of them lie in front of no base pointer.
    pub fn by(dst: &Layout<'_>, src: &Layout<'_>, bytes: i64, width: i64) -> Self {
        let reach = |layout: &Layout<'_>| {
            let (lowest, highest) = layout.span();
            let end = (highest + 1) * bytes;
            Reach { lowest: lowest * bytes, highest: end - width, end }
        };
        let bytes = (dst.element_count() as u64).saturating_mul(bytes as u64);
        Self { dst: reach(dst), src: reach(src), bytes }
    }

    /// Whether the elements fit into what the destination's reach: a forged loop cannot run (nearly) for ever then.
    #[inline(always)]
    pub fn are_distinct(&self) -> bool {
        self.bytes <= self.dst.end.wrapping_sub(self.dst.lowest) as u64
    }
}

/// What nested loops occupy: `width`, and with each loop all of its turns. `None` where a step is smaller than what the
/// faster loops occupy.
pub(crate) fn nested_extent(width: i64, loops: &[Loop]) -> Option<i64> {
    loops.iter().try_fold(width, |extent, l| {
        let reach = (l.count - 1).checked_mul(l.dst)?;
        if l.dst < extent { None } else { extent.checked_add(reach) }
    })
}

impl<'a> Nest<'a> {
    /// The two fastest loops and the rest; a loop that is missing has one turn.
    pub(crate) fn kernel_loops(&self) -> (Loop, Loop, &'a [Loop]) {
        match self.loops {
            [a, b, outer @ ..] => (*a, *b, outer),
            [a] => (*a, Loop::ONCE, &[]),
            [] => (Loop::ONCE, Loop::ONCE, &[]),
        }
    }

    /// Bytes of all elements; saturated.
    pub(crate) fn bytes(&self) -> u64 {
        self.loops.iter().fold(self.width as u64, |bytes, l| bytes.saturating_mul(l.count as u64))
    }

    /// What the loops reach; `None` where a number leaves 64 bits or a count is below 1. One pass, every flag OR-ed: this
    /// runs at each call, on words that anybody may have written.
    #[inline(always)]
    pub(crate) fn reached(&self) -> Option<Reached> {
        let (mut dst, mut src) = ((self.dst_base, self.dst_base), (self.src_base, self.src_base));
        let (mut turns, mut flagged, mut signs) = (1i64, false, 0i64);
        let mut reach = |(lowest, highest): &mut (i64, i64), last: i64, step: i64| {
            let (reach, too_far) = last.overflowing_mul(step);
            let (low, too_low) = lowest.overflowing_add(reach.min(0));
            let (high, too_high) = highest.overflowing_add(reach.max(0));
            (*lowest, *highest) = (low, high);
            flagged |= too_far | too_low | too_high;
        };
        let mut too_many = false;
        for l in self.loops {
            let last = l.count.wrapping_sub(1);
            signs |= last | l.count; // the lowest count of all wraps to a last turn above 0
            reach(&mut dst, last, l.dst);
            reach(&mut src, last, l.src);
            let (product, overflow) = turns.overflowing_mul(l.count);
            turns = product;
            too_many |= overflow;
        }
        let (dst_end, dst_past) = dst.1.overflowing_add(self.width);
        let (src_end, src_past) = src.1.overflowing_add(self.width);
        let bytes = (turns as u64).saturating_mul(self.width as u64);
        let wrong = flagged | too_many | dst_past | src_past | (signs < 0);
        (!wrong).then_some(Reached {
            dst: Reach { lowest: dst.0, highest: dst.1, end: dst_end },
            src: Reach { lowest: src.0, highest: src.1, end: src_end },
            bytes,
        })
    }

    /// [`Nest::reached`] for numbers below 2^28 and steps that only the source may take downward; else `None`. Sums of 62
    /// products cannot leave 64 bits then, so that nothing else is looked at.
    #[inline(always)]
    pub(crate) fn reached_near(&self) -> Option<Reached> {
        const MANY: i64 = 1 << 32;
        let mut all = self.width | self.dst_base | self.src_base;
        let (mut dst, mut src, mut turns) = (self.dst_base, self.src_base, 1i64);
        let mut downward = 0i64;
        for l in self.loops {
            let last = l.count.wrapping_sub(1); // below 0 for a count of 0
            all |= l.count | last | l.dst | (l.src ^ l.src >> 63);
            dst = dst.wrapping_add(last.wrapping_mul(l.dst));
            let far = last.wrapping_mul(l.src);
            src = src.wrapping_add(far);
            downward = downward.wrapping_add(far.min(0));
            turns = turns.wrapping_mul(l.count).min(MANY);
        }
        let reach = |lowest: i64, highest: i64| Reach { lowest, highest, end: highest.wrapping_add(self.width) };
        (all as u64 >> 28 == 0 && turns < MANY).then_some(Reached {
            dst: reach(self.dst_base, dst),
            src: reach(self.src_base.wrapping_add(downward), src.wrapping_sub(downward)),
            bytes: turns.wrapping_mul(self.width) as u64,
        })
    }
}

impl Problem {
    /// No element at all.
    #[inline]
    pub fn nothing() -> Self {
        Self { width: 0, dst_base: 0, src_base: 0, loops: Loops::new() }
    }

    /// The problem with its loops borrowed.
    pub(crate) fn nest(&self) -> Nest<'_> {
        let Self { width, dst_base, src_base, .. } = *self;
        Nest { width, dst_base, src_base, loops: self.loops.as_slice() }
    }

    /// Becomes a copy of a problem, to be cut or changed. In place: the struct is large.
    #[inline]
    pub(crate) fn set(&mut self, nest: &Nest<'_>) {
        (self.width, self.dst_base, self.src_base) = (nest.width, nest.dst_base, nest.src_base);
        self.loops.set(nest.loops);
    }

    /// Brings the loops into source order, and turns round those that walk it downward.
    #[inline(never)] // the list's stack is its own
    pub(crate) fn sort_by_source(&mut self) {
        let before = core::mem::take(&mut self.loops);
        for &item in before.as_slice() {
            let item = if item.src < 0 { self.turned_round(item) } else { item };
            self.loops.insert_before(item, |other| other.src > item.src);
        }
    }

    /// Turns the loop at `at` round if it walks the source downward.
    pub(crate) fn walk_source_upward(&mut self, at: usize) {
        if let Some(&item) = self.loops.as_slice().get(at).filter(|l| l.src < 0) {
            let turned = self.turned_round(item);
            if let Some(slot) = self.loops.as_mut_slice().get_mut(at) {
                *slot = turned;
            }
        }
    }

    /// Brings loops that are new, were cut or changed into normal form.
    pub(crate) fn normalise(&mut self) {
        let sorted = self.loops.as_slice().is_sorted_by_key(Loop::order);
        if !sorted || self.loops.as_slice().iter().any(|l| l.count == 1 || l.dst < 0) {
            self.sort();
        }
        self.merge();
    }

    /// Steps 1 to 3 for loops that are there already.
    #[inline(never)] // the list's stack is its own
    fn sort(&mut self) {
        let before = core::mem::take(&mut self.loops);
        for &item in before.as_slice().iter().filter(|l| l.count > 1) {
            self.add(item);
        }
    }

    /// The copy of `src` to `dst`; width 0 where there is nothing to copy. SHAPE_MISMATCH, DTYPE_MISMATCH, OUT_OF_BOUNDS
    /// (an element below a base pointer), OVERLAP (a destination stride of 0), UNSUPPORTED (elements below a byte).
    /// With `assume_distinct` a destination stride of 0 is let through.
    pub fn copy(dst: &Layout<'_>, src: &Layout<'_>, assume_distinct: bool) -> Result<Self> {
        let mut problem = Self::nothing();
        problem.set_copy(dst, src, assume_distinct)?;
        Ok(problem)
    }

    /// [`Problem::copy`] in place, where nothing was, since the struct is large.
    pub(crate) fn set_copy(&mut self, dst: &Layout<'_>, src: &Layout<'_>, assume_distinct: bool) -> Result<()> {
        check_alike((dst.sizes(), dst.dtype()), (src.sizes(), src.dtype()), Argument::SrcLayout)?;
        if dst.is_empty() {
            return Ok(());
        }
        let width = whole_bytes(dst.dtype())?;
        in_front(dst, Argument::DstLayout)?;
        in_front(src, Argument::SrcLayout)?;
        self.width = width;
        (self.dst_base, self.src_base) = (dst.offset() * width, src.offset() * width);
        let pairs = dst.dimensions().zip(src.strides().iter().copied());
        let mut in_order = true;
        // From the right: mostly the fastest first.
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
        Ok(())
    }

    /// The fill of `dst` with one element: a copy whose source never steps. Loops that only write an element again are
    /// dropped; other overlap of the destination with itself does no harm.
    pub(crate) fn set_fill(&mut self, dst: &Layout<'_>) -> Result<()> {
        if dst.is_empty() {
            return Ok(());
        }
        let width = whole_bytes(dst.dtype())?;
        in_front(dst, Argument::DstLayout)?;
        (self.width, self.dst_base) = (width, dst.offset() * width);
        for (count, stride) in dst.dimensions().rev().filter(|&(count, stride)| count != 1 && stride != 0) {
            self.add(Loop { count, dst: stride * width, src: 0 });
        }
        self.merge();
        Ok(())
    }

    /// Steps 2 to 5 for a loop that is slower than all others; steps 2 and 3 for another, and `false`.
    #[inline(always)]
    pub(crate) fn add(&mut self, item: Loop) -> bool {
        let item = if item.dst < 0 { self.turned_round(item) } else { item };
        match self.loops.as_mut_slice().last_mut() {
            None if item.dst == self.width && item.src == self.width => self.width *= item.count,
            Some(last) if last.continues_with(&item) => last.count *= item.count,
            Some(last) if last.dst > item.dst || last.dst == item.dst && last.order() > item.order() => {
                self.insert(item.count, item.dst, item.src);
                return false;
            }
            _ => {
                self.loops.push(item);
            }
        }
        true
    }

    // By value: a loop that lay in memory would come back from there slowly, as it was written in pieces.
    #[inline(never)]
    fn insert(&mut self, count: i64, dst: i64, src: i64) {
        let item = Loop { count, dst, src };
        self.loops.insert_before(item, |other| other.order() > item.order());
    }

    /// A loop walked from its other end: the bases move there.
    #[inline(always)]
    pub(crate) fn turned_round(&mut self, item: Loop) -> Loop {
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

/// OVERLAP with the first dimension whose stride of 0 makes one element of several indices, and its size.
#[cold]
fn repeats(dst: &Layout<'_>) -> Error {
    let error = Error::new(Status::Overlap).argument(Argument::DstLayout);
    let mut dimensions = dst.dimensions().enumerate();
    match dimensions.find(|&(_, (count, stride))| count != 1 && stride == 0) {
        Some((dimension, (count, _))) => error.dimension(dimension).numbers(0, count),
        None => error,
    }
}

/// SHAPE_MISMATCH with the dimension and both sizes, or DTYPE_MISMATCH with both dtypes; `argument` is the second of the two.
#[inline(always)]
pub(crate) fn check_alike(dst: (&[i64], Dtype), src: (&[i64], Dtype), argument: Argument) -> Result<()> {
    if dst.0 == src.0 && src.1.moves_to(dst.1) { Ok(()) } else { Err(mismatch(dst, src).argument(argument)) }
}

#[cold]
fn mismatch((dst, dst_dtype): (&[i64], Dtype), (src, src_dtype): (&[i64], Dtype)) -> Error {
    let error = Error::new(Status::ShapeMismatch);
    if src.len() != dst.len() {
        return error.numbers(src.len() as i64, dst.len() as i64);
    }
    match src.iter().zip(dst).enumerate().find(|(_, (src, dst))| src != dst) {
        Some((dimension, (&src, &dst))) => error.dimension(dimension).numbers(src, dst),
        None => Error::new(Status::DtypeMismatch).numbers(src_dtype.code() as i64, dst_dtype.code() as i64),
    }
}

/// Bytes of an element; UNSUPPORTED below one byte.
pub(crate) fn whole_bytes(dtype: Dtype) -> Result<i64> {
    if dtype.is_sub_byte() {
        return Err(Error::new(Status::Unsupported).argument(Argument::Dtype).numbers(dtype.bits(), 8));
    }
    Ok(dtype.bits() / 8)
}

/// OUT_OF_BOUNDS where an element lies below the base pointer.
pub(crate) fn in_front(layout: &Layout<'_>, argument: Argument) -> Result<()> {
    layout.min_bytes().map(|_| ()).map_err(|error| Error { argument, ..error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dtype, LayoutBuf};
    use std::vec::Vec;

    #[test]
    fn what_is_near_is_reached_alike() {
        fn nest(loops: &[Loop]) -> Nest<'_> {
            Nest { width: 4, dst_base: 8, src_base: 1000, loops }
        }
        let step = |count, dst, src| Loop { count, dst, src };
        let backwards = [step(7, 4, -4), step(3, 40, 100)];
        let mixed = [step(7, 4, 12), step(3, 40, -100), step(5, 0, 0)];
        let farthest = [step(2, 8, -(1 << 28)), step(1, 4, -1)];
        for loops in [&backwards[..], &mixed, &farthest] {
            assert!(nest(loops).reached_near().is_some());
            assert_eq!(nest(loops).reached_near(), nest(loops).reached());
        }
        for far in
            [step(7, -4, 4), step(0, 4, 4), step(2, 4, -(1 << 28) - 1), step(2, 4, i64::MIN), step(2, 1 << 28, 4)]
        {
            assert_eq!(nest(&[far]).reached_near(), None, "{far:?}");
        }
    }

    fn normal(dst: (&[i64], &[i64]), src: (&[i64], &[i64])) -> (i64, Vec<(i64, i64, i64)>) {
        let high = |(sizes, strides): (&[i64], &[i64])| {
            sizes.iter().zip(strides).map(|(&n, &s): (&i64, &i64)| if s < 0 { -(n - 1) * s } else { 0 }).sum()
        };
        let layout = |side: (&'_ [i64], &'_ [i64])| (high(side), side.0.to_vec(), side.1.to_vec());
        let ((d_offset, d_sizes, d_strides), (s_offset, s_sizes, s_strides)) = (layout(dst), layout(src));
        let dst = Layout::new(Dtype::F32, d_offset, &d_sizes, &d_strides).unwrap();
        let src = Layout::new(Dtype::F32, s_offset, &s_sizes, &s_strides).unwrap();
        let problem = Problem::copy(&dst, &src, false).unwrap();
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
    fn mismatches_name_dimension_and_sizes() {
        let a = Layout::new(Dtype::F32, 0, &[2, 3], &[3, 1]).unwrap();
        let b = Layout::new(Dtype::F32, 0, &[2, 4], &[4, 1]).unwrap();
        let error = Problem::copy(&a, &b, false).unwrap_err();
        assert_eq!((error.status, error.dimension, error.lhs, error.rhs), (Status::ShapeMismatch, 1, 4, 3));
        let bytes = Layout::new(Dtype::bytes(4).unwrap(), 0, &[2, 3], &[3, 1]).unwrap();
        assert!(Problem::copy(&a, &bytes, false).is_ok());
        let s32 = Layout::new(Dtype::S32, 0, &[2, 3], &[3, 1]).unwrap();
        assert_eq!(Problem::copy(&a, &s32, false).unwrap_err().status, Status::DtypeMismatch);
        let repeated = Layout::new(Dtype::F32, 0, &[2, 3], &[0, 1]).unwrap();
        assert_eq!(Problem::copy(&repeated, &a, false).unwrap_err().status, Status::Overlap);
        let all_one = Layout::new(Dtype::F32, 0, &[2, 3], &[0, 0]).unwrap();
        let error = Problem::copy(&all_one, &a, false).unwrap_err();
        assert_eq!((error.status, error.dimension, error.lhs, error.rhs), (Status::Overlap, 0, 0, 2));
        let below = Layout::new(Dtype::F32, 0, &[2, 3], &[-3, 1]).unwrap();
        let error = Problem::copy(&a, &below, false).unwrap_err();
        assert_eq!((error.status, error.argument), (Status::OutOfBounds, Argument::SrcLayout));
    }
}
