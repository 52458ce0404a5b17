//! Plans that convert.
//!
//! A copy that converts is planned like a copy of the source's dtype, to a destination whose elements lie in the same
//! places, counted in elements: its loops have the destination's strides times the source's width. So its rules,
//! kernels and normal form are those of every copy. What is made of it are pieces of rows in the source's dtype, which
//! are converted on their way to the destination ([`execute`](super::execute)).
//!
//! ```text
//! u8 NHWC -> f32 NCHW    planned: u8 NHWC -> u8 NCHW    a row of 512 bytes at 1024 is one of 2048 bytes at 4096
//! ```
//!
//! The values of the arithmetic may be lists. Then they are a third side: each loop has a step in them, and loops that
//! would be one copy but not one walk of the values stay apart. They are kept from the planner, outside of all others.
//! A plan stores the steps, never the lists.

use super::choose::{Choice, choose_for};
use super::conversion::Conversion;
use super::converting::{CONVERSION_WORDS, Converting, Lists, Values, not_a_conversion};
use super::kernels::{Family, Store, hints};
use super::loops::{Loop, Loops, MAX_LOOPS, at_most};
use super::nest::{Nest, Packing, Reached, Unit, nested_extent};
use super::options;
use super::plan::{Plan, PlanView, choice};
use super::problem::{Problem, in_front, repeats};
use super::shortcut::Shortcut;
use super::words::{CONVERTS, HEADER, KIND, header, least_of, options_of};
use crate::error::{Argument, Detail, Result, Status};
use crate::machine::Machine;
use crate::model::layout::check_sizes;
use crate::model::{Dtype, Layout};
use arrayvec::ArrayVec;

/// A dimension, or several that are one.
#[derive(Clone, Copy)]
struct Dimension {
    of: Loop,
    value: i64,
}

impl<'a> PlanView<'a> {
    /// The plan of which this is the conversion; INVALID_ARGUMENT if the words are not one.
    pub(crate) fn of_conversion(converting: &'a Converting, header: &[u64; HEADER], loops: &'a [Loop]) -> Result<Self> {
        let [_, shape, _, width, dst_base, src_base, _, fill_period, ..] = *header;
        let [width, dst_base, src_base, fill_period] = [width, dst_base, src_base, fill_period].map(|word| word as i64);
        let (options, src) = (options_of(header), converting.conversion.src);
        let unit = unit_of(src).0;
        let choice = match unit {
            Unit::Bytes => choice(shape & !(0xFF << KIND), options.flags),
            Unit::Bits(_) => Some(Choice::of_bits(&options)),
        };
        let nest = Nest { unit, width, dst_base, src_base, loops };
        let error = || not_a_conversion(header);
        let (choice, reached) = choice.zip(converting.reached(&nest)).filter(|_| width >= 1).ok_or_else(error)?;
        let distinct = options.flags & options::ASSUME_DISTINCT != 0 || reached.are_distinct();
        let fits = unit != Unit::Bytes || choice.fits(&nest);
        let sound =
            distinct && fits && fill_period >= 1 && options.check().is_ok() && !converting.listed_outside(&nest);
        if !sound {
            return Err(error());
        }
        Ok(Self {
            nest,
            reached,
            choice,
            fill_period,
            options,
            least: least_of(header),
            shortcut: Shortcut::None,
            table: core::ptr::null(),
            boxes: None,
            converting: Some(converting),
        })
    }
}

/// The unit of a nest whose source has this dtype, and the width of an element in it.
fn unit_of(src: Dtype) -> (Unit, i64) {
    match src.bits() {
        bits @ 0..8 => {
            let packing = Packing { element: bits as u32, dst_high: false, src_high: src.is_high_first() };
            (Unit::Bits(packing), bits)
        }
        bits => (Unit::Bytes, bits / 8),
    }
}

impl Plan {
    /// Prepares a copy that converts, into a plan that has nothing but options before. `values` is where the values of
    /// each element lie, for lists of them. SHAPE_MISMATCH; UNSUPPORTED for dtypes that do not convert; others as
    /// [`Plan::set_copy`]. Returns whether it converts: equal dtypes without arithmetic are a plain copy.
    #[inline(never)] // keeps its frame off the caller's stack
    pub(crate) fn set_conversion(
        &mut self,
        converting: &mut Converting,
        dst: &Layout<'_>,
        src: &Layout<'_>,
        conversion: Conversion,
        values: Option<&Layout<'_>>,
        lists: Lists,
    ) -> Result<bool> {
        conversion.check()?;
        if conversion.is_none() {
            return self.set_copy_out_of_line(dst, src).map(|()| false);
        }
        self.options.check()?;
        conversion.steps()?;
        check_sizes(src.sizes(), dst.sizes()).map_err(|error| error.argument(Argument::SrcLayout))?;
        if let Some(values) = values {
            check_sizes(values.sizes(), dst.sizes()).map_err(|error| error.argument(Argument::Values))?;
            let fits = values.dtype() == Dtype::F32;
            let error = Status::DtypeMismatch.of(Argument::Values);
            error.unless(fits, Detail::Dtypes, values.dtype().code(), Dtype::F32.code())?;
        }
        self.fill_period = (conversion.dst.bits() / 8).max(1);
        let bits = conversion.dst.bits();
        self.set_fill_value(bits);
        if dst.is_empty() {
            return Ok(false);
        }
        in_front(dst, Argument::DstLayout)?;
        in_front(src, Argument::SrcLayout)?;
        *converting = Converting { conversion, listed: lists.given(), values: Values::default(), lists };
        self.set_loops(converting, dst, src, values).map(|()| true)
    }

    #[inline(never)] // keeps its frame off the caller's stack
    fn set_loops(
        &mut self,
        converting: &mut Converting,
        dst: &Layout<'_>,
        src: &Layout<'_>,
        values: Option<&Layout<'_>>,
    ) -> Result<()> {
        let (unit, width) = unit_of(src.dtype());
        // Both sides in elements of the source.
        let most = dst.span().1.max(src.span().1) as i128 + 1;
        if most * width as i128 > 1 << 62 {
            let error = Status::Overflow.of(Argument::DstLayout);
            return Err(error.because_wide(Detail::Reach, most * width as i128, 1 << 62));
        }
        let problem = &mut self.problem;
        (problem.unit, problem.width) = (unit, width);
        (problem.dst_base, problem.src_base) = (dst.offset() * width, src.offset() * width);
        let entries = &mut converting.values;
        entries.base = values.map_or(0, Layout::offset);
        let mut all = ArrayVec::<Dimension, MAX_LOOPS>::new();
        for (at, (count, dst_stride)) in dst.dimensions().enumerate().filter(|(_, (count, _))| *count != 1) {
            if dst_stride == 0 && self.options.flags & options::ASSUME_DISTINCT == 0 {
                return Err(repeats(dst));
            }
            let stride = |layout: &Layout<'_>| layout.strides().get(at).copied().unwrap_or(0);
            let (mut of, mut value) =
                (Loop { count, dst: dst_stride * width, src: stride(src) * width }, values.map_or(0, stride));
            if of.dst < 0 {
                (of, value) = (problem.turned_round(of), {
                    entries.base += (count - 1) * value;
                    -value
                });
            }
            let _ = all.try_push(Dimension { of, value });
        }
        let mut taken = 0u64;
        let sorted = at_most((0..all.len()).filter_map(|_| {
            let left = all.iter().enumerate().filter(|(at, _)| taken >> at & 1 == 0);
            let (at, &next) = left.min_by_key(|(_, dimension)| dimension.of.order())?;
            taken |= 1 << at;
            Some(next)
        }));
        // Those that are one; the first ones may be a run.
        let (mut run, mut merged) = (1i64, ArrayVec::<Dimension, MAX_LOOPS>::new());
        for &Dimension { of, value } in &sorted {
            let bytes = run * width;
            match merged.last_mut() {
                None if of.dst == bytes && of.src == bytes && (run == 1 || value == run * entries.within) => {
                    entries.within = if run == 1 { value } else { entries.within };
                    run *= of.count;
                }
                Some(before) if before.of.continues_with(&of) && value == before.of.count * before.value => {
                    before.of.count *= of.count;
                }
                _ => _ = merged.try_push(Dimension { of, value }),
            }
        }
        problem.width = run * width;
        // Loops that only their values keep apart are not for the planner, which would make one of them.
        let mut held = Loops::new();
        for &Dimension { of, .. } in &merged {
            let goes_on = match problem.loops.as_slice().last() {
                Some(before) => before.continues_with(&of),
                None => of.dst == problem.width && of.src == problem.width,
            };
            if goes_on { &mut held } else { &mut problem.loops }.push(of);
        }
        let loops = at_most(merged.iter().map(|dimension| dimension.of));
        if nested_extent(problem.width, &loops).is_none() {
            let all = [(problem.width, 1)].into_iter().chain(loops.iter().map(|l| (l.count, l.dst)));
            self.options.check_distinct(all)?;
        }
        let bytes = problem.nest().bytes();
        self.choice = choose_for(self.machine.as_ref(), problem, &self.options, bytes);
        for &item in held.as_slice() {
            problem.loops.push(item);
        }
        // The steps name the loops: no two of a destination whose elements are distinct have the same.
        for l in problem.loops.as_slice() {
            let found = merged.iter().find(|found| found.of.dst.unsigned_abs() == l.dst.unsigned_abs());
            let Some(&Dimension { of, value }) = found.filter(|found| found.of.count == l.count) else {
                return Err(Status::Unsupported.of(Argument::Values));
            };
            let turned = of.dst != l.dst;
            entries.base += if turned { (l.count - 1) * value } else { 0 };
            let _ = entries.steps.try_push(if turned { -value } else { value });
        }
        self.reached = converting.reached(&self.problem.nest()).unwrap_or(Reached::TOO_FAR);
        let machine = self.machine.unwrap_or_else(Machine::this);
        let level = self.options.level(machine.level);
        let past =
            level.has_streams() && self.options.streams(self.reached.bytes, machine.stream_late_from(), &machine);
        let transpose = self.choice.kernel().family == Family::Transpose;
        self.choice.store = match (past && unit == Unit::Bytes, transpose) {
            (true, _) => Store::Past,
            (_, true) => Store::Staged,
            _ => Store::Direct,
        };
        if transpose {
            let far = self.problem.nest().bytes() >= machine.caches.second;
            self.choice.hints = if far { hints::FAR } else { 0 };
        }
        if converting.listed_outside(&self.problem.nest()) {
            let error = Status::OutOfBounds.of(Argument::Values);
            return Err(error.because(Detail::BeforeStart, -1, 0));
        }
        Ok(())
    }
}

impl Plan {
    /// The plan with what it converts.
    pub(crate) fn view_of<'a>(&'a self, converting: Option<&'a Converting>) -> PlanView<'a> {
        PlanView { converting, ..self.view(None) }
    }

    /// The first words of a plan that converts.
    pub(crate) fn header_of_conversion(&self) -> [u64; HEADER] {
        let Problem { width, dst_base, src_base, .. } = self.problem;
        let loops = self.loops().len();
        let shape = (loops as u64) << 32 | self.choice.shape() | CONVERTS << KIND;
        let numbers = [width, dst_base, src_base, self.fill_period];
        header(HEADER + CONVERSION_WORDS + 4 * loops, shape, numbers, self.least, &self.options)
    }
}
