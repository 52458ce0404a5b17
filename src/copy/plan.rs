//! The plan: a kernel, and the loops in the order in which they run.
//!
//! `choose` has the rules that choose the kernel. A copy of which a side is more than loops is a plan of *boxes*
//! ([`relayout`](super::relayout)): it has a relayout beside it, whose pieces are planned as they are run. A plan of
//! loops is written to words, and read from them, by `plan_words`.

use super::choose::{Choice, choose_for};
use super::conversion::Conversion;
use super::converting::{Converting, unit_of, unit_to};
use super::kernels::WIDEST_CHUNK;
use super::kernels::bit_runs::repeated;
use super::loops::Loop;
use super::nest::{Nest, Reached, Unit, nested_extent};
use super::options::{self, Options};
use super::problem::{Problem, check_alike};
use super::relayout::{Given, Relayout};
use super::shortcut::Shortcut;
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::machine::Machine;
use crate::model::layout::check_sizes;
use crate::model::{Layout, arith};

/// A prepared copy. See the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Plan {
    /// The loops, those of the kernel first; the width is 0 if there is nothing to copy.
    pub(crate) problem: Problem,
    /// In bytes.
    pub(crate) reached: Reached,
    pub(crate) choice: Choice,
    /// Bytes of one element of the destination's dtype, which is the period of the fill value.
    pub(crate) fill_period: i64,
    pub(crate) options: Options,
    /// Bytes that the buffers must have at least, if more than is reached: those of objects of which runs take a part.
    pub(crate) least: [u64; 2],
    /// The machine that the plan is made for, if not this CPU; it is not stored in the words.
    pub(crate) machine: Option<Machine>,
}

/// A plan that borrows its loops, from the caller's words or from a [`Plan`]. This is what is executed.
#[derive(Clone, Copy, Debug)]
pub struct PlanView<'a> {
    pub(crate) nest: Nest<'a>,
    /// In bytes.
    pub(crate) reached: Reached,
    pub(crate) choice: Choice,
    pub(crate) fill_period: i64,
    pub(crate) options: Options,
    pub(crate) least: [u64; 2],
    /// The shortcut in the words of the plan, and where it begins.
    pub(crate) shortcut: Shortcut,
    pub(crate) table: *const u64,
    /// The relayout that runs instead of the nest, which has unit and width alone then.
    pub(super) boxes: Option<&'a Relayout<'a>>,
    /// The conversion; then the nest's destination is counted in elements of the source.
    pub(crate) converting: Option<&'a Converting<'a>>,
}

/// The error with the names of these sides for its two layouts.
pub(super) fn of_sides(error: Error, dst: &Given<'_>, src: &Given<'_>) -> Error {
    match error.argument {
        Argument::DstLayout => Error { argument: dst.name, ..error },
        Argument::SrcLayout => Error { argument: src.name, ..error },
        _ => error,
    }
}

impl Plan {
    /// [`Plan::set_copy`] for callers that do not count instructions: it is large, so they share one copy of it.
    #[inline(never)]
    pub(crate) fn set_copy_out_of_line(&mut self, dst: &Layout<'_>, src: &Layout<'_>) -> Result<()> {
        self.set_copy(dst, src)
    }

    /// Prepares the copy of `src` to `dst`, in place, since the struct is large; it has nothing but options before.
    /// Errors as [`Problem::set_copy`], and OVERLAP or UNDECIDED if the destination may hold one element twice.
    #[inline(always)]
    pub(crate) fn set_copy(&mut self, dst: &Layout<'_>, src: &Layout<'_>) -> Result<()> {
        self.options.check()?;
        let bits = dst.dtype().bits();
        let assume_distinct = self.options.flags & options::ASSUME_DISTINCT != 0;
        self.problem.set_copy(dst, src, assume_distinct)?;
        if self.problem.width != 0 {
            let (width, loops) = (self.problem.width, self.problem.loops.as_slice());
            if nested_extent(width, loops).is_none() {
                // A run is a loop of its own.
                let all = [(width, 1)].into_iter().chain(loops.iter().map(|l| (l.count, l.dst)));
                self.options.check_distinct(all)?;
            }
            self.reached = if bits < 8 { reached(&self.problem) } else { Reached::by(dst, src, bits / 8, width) };
        }
        self.finish(bits);
        Ok(())
    }

    /// Prepares the copy of any side to any side, of which one is no layout if it converts. Returns a copy that is more
    /// than one nest of loops as a relayout, for the caller to run with this plan's options. Errors as
    /// [`Plan::set_copy`]; OVERLAP also where a run of the destination comes back to an index; UNSUPPORTED for a
    /// relayout with the option OVERLAP.
    pub(crate) fn set_sides<'a>(
        &mut self,
        dst: &'a Given<'a>,
        src: &'a Given<'a>,
        conversion: Option<&Conversion>,
    ) -> Result<Option<Relayout<'a>>> {
        self.options.check()?;
        if conversion.is_none()
            && let (Some(to), Some(from)) = (dst.layout(), src.layout())
        {
            let named = |error| of_sides(error, dst, src);
            return self.set_copy_out_of_line(&to, &from).map_err(named).map(|()| None);
        }
        match conversion {
            None => check_alike((&dst.sizes, dst.dtype), (&src.sizes, src.dtype), src.name)?,
            Some(_) => check_sizes(&src.sizes, &dst.sizes).map_err(|error| error.argument(src.name))?,
        }
        let bits = dst.dtype.bits();
        if arith::has_zero(&dst.sizes) {
            self.finish(bits);
            return Ok(None);
        }
        for side in [dst, src] {
            let lowest = side.mapped.map.lowest;
            if lowest < 0 {
                let error = Status::OutOfBounds.of(side.name);
                let byte = (lowest as i128 * side.dtype.bits() as i128) >> 3;
                return Err(error.because_wide(Detail::BeforeStart, byte, 0));
            }
        }
        self.check_distinct(dst)?;
        let own = Unit::of(dst.dtype, src.dtype);
        let ((unit, width), to, part) = match conversion {
            None => (own, own, src.dtype.swapped_bytes(dst.dtype)),
            Some(_) => (unit_of(src.dtype), unit_to(dst.dtype), 0),
        };
        let relayout = Relayout { unit, width, to, part, sizes: &dst.sizes, dst: &dst.mapped, src: &src.mapped };
        let needed = relayout.reached()?;
        if conversion.is_none() && !self.is_of_pixels(&relayout) && relayout.set_only_problem(&mut self.problem) {
            self.problem.normalise();
            self.reached = reached(&self.problem);
            for ((least, side), reach) in self.least.iter_mut().zip([dst, src]).zip([needed.dst, needed.src]) {
                *least = if side.mapped.along.is_empty() { 0 } else { reach.end as u64 };
            }
            self.finish(bits);
            return Ok(None);
        }
        self.options.check_no_overlap()?;
        self.reached = needed;
        self.problem = Problem { unit, width, ..Problem::nothing() };
        self.set_fill_value(bits);
        Ok(Some(relayout))
    }

    /// OVERLAP or UNDECIDED where two indices of a destination may be one element.
    fn check_distinct(&self, dst: &Given<'_>) -> Result<()> {
        if self.options.flags & options::ASSUME_DISTINCT != 0 {
            return Ok(());
        }
        let map = &dst.mapped.map;
        if map.is_sum() {
            self.options
                .check_distinct(map.dimensions().rev())
                .map_err(|error| Error { argument: dst.name, ..error })?;
        }
        dst.mapped.along.iter().try_for_each(|along| along.check_distinct(self.options.overlap_budget, dst.name))
    }

    /// Whether it takes elements of a short pixel that are not contiguous, which is best done in one pass.
    fn is_of_pixels(&self, relayout: &Relayout<'_>) -> bool {
        let (map, [along]) = (&relayout.src.map, relayout.src.along.as_slice()) else { return false };
        let stride = |map: &crate::model::index_map::IndexMap| map.strides.get(along.dimension).copied().unwrap_or(0);
        let size = map.sizes.get(along.dimension).copied().unwrap_or(0);
        let spread = along.runs.iter().next().is_some_and(|run| run.count > 1 && run.step.unsigned_abs() > 1)
            || along.runs.len() > 1;
        spread
            && relayout.unit == Unit::Bytes
            && self.options.flags & options::OVERLAP == 0
            && relayout.sizes.len() > 1
            && size.saturating_mul(relayout.width) <= WIDEST_CHUNK as i64 / 2
            && matches!(stride(map), 1 | -1)
            && stride(&relayout.dst.map) == 1
    }

    /// Prepares the fill of `dst` with one element, into an empty plan: the struct is large. UNDECIDED if its indices
    /// come back to elements too often (`time_bound`).
    pub(crate) fn set_fill(&mut self, dst: &Layout<'_>) -> Result<()> {
        self.problem.set_fill(dst)?;
        self.reached = reached(&self.problem);
        self.finish(dst.dtype().bits());
        Ok(())
    }

    #[inline(always)]
    fn finish(&mut self, bits: i64) {
        self.set_fill_value(bits);
        self.choice = choose_for(self.machine.as_ref(), &mut self.problem, &self.options, self.reached.bytes);
    }

    /// Repeats the value of a fill for elements of so many bits, even if there are none. Below a byte every element
    /// gets the low bits of the first byte, so all bytes are equal, in both bit orders.
    #[inline(always)]
    pub(super) fn set_fill_value(&mut self, bits: i64) {
        self.fill_period = bits / 8;
        if bits < 8 {
            let [first, ..] = self.options.fill;
            (self.options.fill, self.fill_period) = ([repeated(first, bits as u32); 16], 1);
        }
    }

    /// The plan that copies nothing.
    pub(crate) fn nothing() -> Self {
        Self {
            problem: Problem::nothing(),
            reached: Reached::NOTHING,
            choice: Choice::of(0),
            fill_period: 1,
            options: Options::DEFAULT,
            least: [0; 2],
            machine: None,
        }
    }

    /// [`Plan::nothing`] with options.
    pub(crate) fn with_options(options: &Options) -> Self {
        Self { options: *options, ..Self::nothing() }
    }

    /// The plan with its loops borrowed; `boxes` runs instead of them.
    pub(crate) fn view<'a>(&'a self, boxes: Option<&'a Relayout<'a>>) -> PlanView<'a> {
        let Self { reached, choice, fill_period, options, least, .. } = *self;
        let (nest, shortcut, table) = (self.problem.nest(), Shortcut::None, core::ptr::null());
        PlanView { nest, reached, choice, fill_period, options, least, shortcut, table, boxes, converting: None }
    }

    /// The loops in the order in which they run, three words each.
    pub fn loops(&self) -> &[Loop] {
        self.problem.loops.as_slice()
    }
}

/// The reach of a problem's loops, in bytes.
fn reached(problem: &Problem) -> Reached {
    if problem.width == 0 {
        return Reached::NOTHING;
    }
    // The numbers of a valid problem fit (I4).
    problem.nest().reached().unwrap_or(Reached::TOO_FAR).in_bytes(problem.unit)
}

impl PlanView<'_> {
    /// Whether there is nothing to copy.
    pub fn is_empty(&self) -> bool {
        self.nest.width == 0
    }

    /// The ranges that must lie in the buffers: its reach, and all of the objects of which it takes a part.
    pub(crate) fn needed(&self) -> Reached {
        let [dst_least, src_least] = self.least.map(|least| i64::try_from(least).unwrap_or(i64::MAX));
        let Reached { mut dst, mut src, bytes } = self.reached;
        (dst.end, src.end) = (dst.end.max(dst_least), src.end.max(src_least));
        Reached { dst, src, bytes }
    }

    /// Bytes that the copy moves; saturated.
    pub fn bytes_moved(&self) -> u64 {
        self.reached.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dtype, LayoutBuf};
    use std::vec::Vec;

    fn plan(dst: &[i64], src: &[i64], sizes: &[i64]) -> Plan {
        let dst = LayoutBuf::strided(Dtype::F32, sizes, dst).unwrap();
        let src = LayoutBuf::strided(Dtype::F32, sizes, src).unwrap();
        let mut plan = Plan::nothing();
        plan.set_copy(&dst.view().unwrap(), &src.view().unwrap()).unwrap();
        plan
    }

    #[test]
    fn each_kind_of_copy_gets_its_kernel() {
        let name = |dst: &[i64], src: &[i64], sizes: &[i64]| plan(dst, src, sizes).choice.kernel().name;
        assert_eq!(name(&[100, 1], &[100, 1], &[100, 100]), "rows");
        assert_eq!(name(&[100, 1], &[200, 1], &[50, 100]), "rows");
        assert_eq!(name(&[100, 1], &[1, 100], &[100, 100]), "transpose_x32");
        assert_eq!(name(&[100, 1], &[1, 0], &[100, 100]), "fill_x32");
        assert_eq!(name(&[1, 50], &[200, 6], &[50, 50]), "strided_x32");
    }

    #[test]
    fn short_loops_join_runs() {
        // 8^6 reversed: runs of two loops, 64 elements, on either side; two loops stay outside.
        let sizes = [8; 6];
        let (up, down): (Vec<i64>, Vec<i64>) =
            ((0..6).map(|d| 8i64.pow(d)).collect(), (0..6).rev().map(|d| 8i64.pow(d)).collect());
        let plan = plan(&down, &up, &sizes);
        assert_eq!((plan.choice.dst_run, plan.choice.src_run), (2, 2), "{}", plan.view(None));
    }
}
