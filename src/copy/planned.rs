//! Plans that convert.
//!
//! A copy that converts is planned like a copy of the source's dtype, to a destination whose elements lie in the same
//! places, counted in elements: its loops have the destination's strides times the source's width. So its rules,
//! kernels and normal form are those of every copy. It makes pieces of rows in the source's dtype, which are converted
//! on their way to the destination ([`execute`](super::execute)).
//!
//! ```text
//! u8 NHWC -> f32 NCHW    planned: u8 NHWC -> u8 NCHW    a row of 512 bytes at 1024 is one of 2048 bytes at 4096
//! ```
//!
//! The values of the arithmetic may be lists. Then they are a third side: each loop has a step in them, and loops that
//! are one loop of the copy but not one walk of the values stay apart. The planner does not see these loops, which are
//! the slowest. A plan stores the steps, never the lists.

use super::choose::{Choice, choose_for};
use super::conversion::Conversion;
use super::converting::{CONVERSION_WORDS, Converting, Lists, StepsRoom, Values, not_a_conversion, unit_of};
use super::kernels::{Family, Store, hints};
use super::loops::{Loop, MAX_LOOPS, merge};
use super::nest::{Nest, Reached, Unit, nested_extent};
use super::options::{self, Options};
use super::plan::{Plan, PlanView, of_sides};
use super::plan_words::choice;
use super::problem::{Problem, check_above_base, repeats};
use super::relayout::{Given, Relayout};
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
    /// The conversion, if this library has any.
    pub(crate) fn converting(&self) -> Option<&'a Converting<'a>> {
        if cfg!(feature = "conversion") { self.converting } else { None }
    }

    /// The plan of this conversion; INVALID_ARGUMENT if the words are not one.
    pub(crate) fn of_conversion(
        converting: &'a Converting<'a>,
        header: &[u64; HEADER],
        loops: &'a [Loop],
    ) -> Result<Self> {
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
        let fits = unit != Unit::Bytes || choice.fits_large(&nest);
        let sound = distinct
            && fits
            && fill_period >= 1
            && options.check().is_ok()
            && !converting.listed_outside(converting.entries_of(&nest));
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

impl Plan {
    /// Prepares a copy that converts, into a plan that has nothing but options before. `values` gives the entry of each
    /// element in the lists, if there are some; `steps` is empty. Returns the conversion; `None` if nothing is
    /// converted: equal dtypes without arithmetic are a plain copy. SHAPE_MISMATCH; UNSUPPORTED for dtypes that do not
    /// convert; others as [`Plan::set_copy`].
    #[inline(never)] // keeps its frame off the caller's stack
    pub(crate) fn set_conversion<'a>(
        &mut self,
        steps: &'a mut StepsRoom,
        dst: &Layout<'_>,
        src: &Layout<'_>,
        conversion: Conversion,
        values: Option<&Layout<'_>>,
        lists: Lists,
    ) -> Result<Option<Converting<'a>>> {
        let conversion = conversion.read(lists.given());
        conversion.check()?;
        if conversion.is_none() {
            return self.set_copy_out_of_line(dst, src).map(|()| None);
        }
        self.options.check()?;
        conversion.steps()?;
        check_sizes(src.sizes(), dst.sizes()).map_err(|error| error.argument(Argument::SrcLayout))?;
        check_values(values, dst.sizes())?;
        self.set_fill_value(conversion.dst.bits());
        if dst.is_empty() {
            return Ok(None);
        }
        check_above_base(dst, Argument::DstLayout)?;
        check_above_base(src, Argument::SrcLayout)?;
        let converting = Converting { conversion, listed: lists.given(), values: Values::default(), lists };
        self.set_loops(converting, steps, dst, src, values).map(Some)
    }

    /// [`Plan::set_conversion`] for sides. If they are not one nest of loops, the plan is a relayout.
    pub(crate) fn set_converted_sides<'a>(
        &mut self,
        steps: &'a mut StepsRoom,
        [dst, src]: [&'a Given<'a>; 2],
        conversion: Conversion,
        values: Option<&Layout<'_>>,
        lists: Lists,
    ) -> Result<(Option<Relayout<'a>>, Option<Converting<'a>>)> {
        if let (Some(to), Some(from)) = (dst.layout(), src.layout()) {
            let set = self.set_conversion(steps, &to, &from, conversion, values, lists);
            return set.map_err(|error| of_sides(error, dst, src)).map(|converting| (None, converting));
        }
        let conversion = conversion.read(lists.given());
        conversion.check()?;
        if conversion.is_none() {
            return self.set_sides(dst, src, None).map(|relayout| (relayout, None));
        }
        conversion.steps()?;
        check_values(values, &dst.sizes)?;
        let Some(relayout) = self.set_sides(dst, src, Some(&conversion))? else { return Ok((None, None)) };
        // A step along each dimension, as it is seen.
        let strides = values.map_or(&[][..], Layout::strides);
        let _ = steps.try_extend_from_slice(strides); // not more than there are sizes of two or more, and ranks
        let values = Values { base: values.map_or(0, Layout::offset), within: 0, steps };
        let converting = Converting { conversion, listed: lists.given(), values, lists };
        check_inside(&converting, converting.entries(1, &mut relayout.sizes.iter().copied()))?;
        Ok((Some(relayout), Some(converting)))
    }

    #[inline(never)] // keeps its frame off the caller's stack
    fn set_loops<'a>(
        &mut self,
        mut converting: Converting<'a>,
        steps: &'a mut StepsRoom,
        dst: &Layout<'_>,
        src: &Layout<'_>,
        values: Option<&Layout<'_>>,
    ) -> Result<Converting<'a>> {
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
        let mut dimensions = Dimensions::new();
        for (at, (count, dst_stride)) in dst.dimensions().enumerate().filter(|(_, (count, _))| *count != 1) {
            if dst_stride == 0 && self.options.flags & options::ASSUME_DISTINCT == 0 {
                return Err(repeats(dst));
            }
            let stride = |layout: &Layout<'_>| layout.strides().get(at).copied().unwrap_or(0);
            let of = Loop { count, dst: dst_stride * width, src: stride(src) * width };
            dimensions.add(problem, entries, of, values.map_or(0, stride));
        }
        dimensions.merge(problem, entries);
        dimensions.0.iter().for_each(|dimension| _ = problem.loops.push(dimension.of));
        if nested_extent(problem.width, problem.loops.as_slice()).is_none() {
            let all = [(problem.width, 1)].into_iter();
            self.options.check_distinct(all.chain(dimensions.0.iter().map(|d| (d.of.count, d.of.dst))))?;
        }
        let machine = self.machine.unwrap_or_else(Machine::this);
        self.reached = converting.reached(&problem.nest()).unwrap_or(Reached::TOO_FAR);
        let entries = &mut converting.values;
        self.choice = dimensions.choose(problem, entries, steps, (&machine, &self.options), self.reached.bytes);
        entries.steps = steps;
        check_inside(&converting, converting.entries_of(&self.problem.nest()))?;
        Ok(converting)
    }
}

/// SHAPE_MISMATCH or DTYPE_MISMATCH unless a layout gives entries for a copy of these sizes.
fn check_values(values: Option<&Layout<'_>>, sizes: &[i64]) -> Result<()> {
    let Some(values) = values else { return Ok(()) };
    check_sizes(values.sizes(), sizes).map_err(|error| error.argument(Argument::Values))?;
    let error = Status::DtypeMismatch.of(Argument::Values);
    error.unless(values.dtype() == Dtype::F32, Detail::Dtypes, values.dtype().code(), Dtype::F32.code())
}

/// OUT_OF_BOUNDS where a list would have to begin before its first entry.
fn check_inside(converting: &Converting<'_>, entries: Option<[i64; 2]>) -> Result<()> {
    if converting.listed_outside(entries) {
        return Err(Status::OutOfBounds.of(Argument::Values).because(Detail::BeforeStart, -1, 0));
    }
    Ok(())
}

/// The loops of a copy that converts, each with its step in the lists.
pub(crate) struct Dimensions(ArrayVec<Dimension, MAX_LOOPS>);

impl Dimensions {
    /// None.
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Takes all of them away.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a loop, fastest first.
    #[inline(never)] // two callers
    pub fn add(&mut self, problem: &mut Problem, entries: &mut Values<'_>, mut of: Loop, mut value: i64) {
        if of.dst < 0 {
            of = problem.reversed(of);
            entries.base += (of.count - 1) * value;
            value = -value;
        }
        let slower = self.0.iter().position(|other| other.of.order() > of.order());
        let _ = self.0.try_insert(slower.unwrap_or(self.0.len()), Dimension { of, value });
    }

    /// Joins loops that are one loop; the first ones may be a run.
    pub fn merge(&mut self, problem: &mut Problem, entries: &mut Values<'_>) {
        let (mut run, width) = (1i64, problem.width);
        merge(&mut self.0, |before, Dimension { of, value }| match before {
            None => {
                let bytes = run * width;
                let joins = of.dst == bytes && of.src == bytes && (run == 1 || value == run * entries.within);
                if joins {
                    entries.within = if run == 1 { value } else { entries.within };
                    run *= of.count;
                }
                joins
            }
            Some(before) => {
                let joins = before.of.continues_with(&of) && value == before.of.count * before.value;
                before.of.count *= if joins { of.count } else { 1 };
                joins
            }
        });
        problem.width = run * width;
    }

    /// Sets the problem's loops, in the order of the choice that it returns, and the steps of each in the lists;
    /// `steps` is empty before. `bytes` are those that all pieces of the copy write.
    pub fn choose(
        &self,
        problem: &mut Problem,
        entries: &mut Values<'_>,
        steps: &mut StepsRoom,
        (machine, options): (&Machine, &Options),
        bytes: u64,
    ) -> Choice {
        let counts = self.0.iter().fold(1i64, |counts, dimension| counts.saturating_mul(dimension.of.count));
        let own = (problem.width.saturating_mul(counts) as u64).div_ceil(problem.unit.per_byte() as u64);
        // Loops that only their values keep apart are kept from the planner, which would join them.
        problem.loops.set(&[]);
        let mut held = 0u64;
        for (at, &Dimension { of, .. }) in self.0.iter().enumerate() {
            let goes_on = match problem.loops.as_slice().last() {
                Some(before) => before.continues_with(&of),
                None => of.dst == problem.width && of.src == problem.width,
            };
            held |= u64::from(goes_on) << at;
            if !goes_on {
                problem.loops.push(of);
            }
        }
        let mut choice = choose_for(Some(machine), problem, options, own);
        for (_, dimension) in self.0.iter().enumerate().filter(|(at, _)| held >> at & 1 == 1) {
            problem.loops.push(dimension.of);
        }
        // A loop is found by its steps: if the destination's elements are distinct, no two loops have equal ones. If
        // they are not, each loop takes one that no other loop took.
        let of_loop = |l: &Loop, named: &mut u64| {
            let size = |l: &Loop| (l.count, l.dst.unsigned_abs(), l.src.unsigned_abs());
            let free = |(at, own): (usize, &Dimension)| *named >> at & 1 == 0 && size(&own.of) == size(l);
            let at = self.0.iter().enumerate().position(free)?;
            *named |= 1 << at;
            self.0.get(at)
        };
        let mut named = 0;
        if !problem.loops.as_slice().iter().all(|l| of_loop(l, &mut named).is_some()) {
            choice = Choice { small_stack: choice.small_stack, ..Choice::anywhere(problem.width) };
            problem.loops.set(&[]);
            self.0.iter().for_each(|dimension| _ = problem.loops.push(dimension.of));
        }
        named = 0;
        for l in problem.loops.as_slice() {
            let Some(&Dimension { of, value }) = of_loop(l, &mut named) else { continue };
            let reversed = (of.dst, of.src) != (l.dst, l.src);
            entries.base += if reversed { (l.count - 1) * value } else { 0 };
            let _ = steps.try_push(if reversed { -value } else { value });
        }
        let level = options.level(machine.level);
        let past = level.has_streams()
            && problem.unit == Unit::Bytes
            && options.streams(bytes, machine.stream_late_from(), machine);
        let transpose = choice.kernel().family == Family::Transpose;
        // Rows past the caches go by way of the stack: faster if no cache holds them (Zen 5: 1.2 times), below that up
        // to twice as slow. Rows of portions are written as soon as they are made.
        choice.store = match choice.kernel().family {
            Family::Transpose if past => Store::Past,
            Family::Transpose if choice.store != Store::Direct => Store::Staged,
            Family::Rows if past && bytes > machine.caches.last => Store::Past,
            _ => Store::Direct,
        };
        if transpose {
            choice.hints = if own >= machine.caches.second { hints::FAR } else { 0 };
        }
        choice
    }
}

impl Plan {
    /// The plan with the relayout that runs instead of its loops, if there is one, and with its conversion.
    pub(crate) fn view_of<'a>(
        &'a self,
        boxes: Option<&'a Relayout<'a>>,
        converting: Option<&'a Converting<'a>>,
    ) -> PlanView<'a> {
        PlanView { converting, ..self.view(boxes) }
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
