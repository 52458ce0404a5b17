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
use super::conversion::{ADD_LAST, AFFINE, Conversion, DIVIDE, FINITE, NEAREST, SATURATE};
use super::kernels::Store;
use super::loops::{Loop, Loops, MAX_LOOPS, at_most};
use super::nest::{Nest, Packing, Reach, Reached, Unit, nested_extent};
use super::options;
use super::plan::{Plan, PlanView, choice};
use super::problem::{Problem, in_front, repeats};
use super::shortcut::Shortcut;
use super::words::{CONVERTS, HEADER, KERNEL, KIND, first_word, header, least_of, loops_in_use, options_of};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::machine::Machine;
use crate::model::layout::check_sizes;
use crate::model::{Dtype, Layout};
use arrayvec::ArrayVec;
use core::fmt;

/// Where the values of a conversion lie, in numbers of a list.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// That of the first element.
    pub base: i64,
    /// From one element of a run to the next.
    pub within: i64,
    /// Of each loop.
    pub steps: ArrayVec<i64, MAX_LOOPS>,
}

/// What a plan that converts has besides its loops.
#[derive(Debug)]
pub(crate) struct Converting {
    pub conversion: Conversion,
    /// A bit for each of the three numbers that comes from a list.
    pub listed: u8,
    pub values: Values,
    /// The caller's lists, for one call.
    pub lists: Lists,
}

/// The caller's lists, for one call; null: the number.
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    /// Of `subtract`, `scale` and `add`.
    pub pointers: [*const f32; 3],
    /// Numbers in each of them.
    pub count: u64,
}

impl Lists {
    /// No list.
    pub const NONE: Self = Self { pointers: [core::ptr::null(); 3], count: 0 };

    /// A bit for each list.
    pub fn given(&self) -> u8 {
        self.pointers.iter().zip(0..).fold(0, |given, (list, k)| given | u8::from(!list.is_null()) << k)
    }
}

/// What errors call the lists.
const NAMES: [Argument; 3] = [Argument::Subtracts, Argument::Scales, Argument::Adds];

/// A dimension, or several that are one.
#[derive(Clone, Copy)]
struct Dimension {
    of: Loop,
    value: i64,
}

impl Converting {
    /// None yet.
    pub fn nothing() -> Self {
        let conversion = Conversion { dst: Dtype::U8, src: Dtype::U8, flags: 0, numbers: [0.0, 1.0, 0.0] };
        Self { conversion, listed: 0, values: Values::default(), lists: Lists::NONE }
    }

    /// The same with lists for a call.
    pub fn with_lists(&self, lists: Lists) -> Self {
        let Values { base, within, ref steps } = self.values;
        let values = Values { base, within, steps: at_most(steps.iter().copied()) };
        Self { values, lists, ..*self }
    }

    /// Bits of an element of the source, as the nest counts them, and bits of one of the destination.
    fn bits(&self, unit: Unit) -> (i64, i64) {
        let src = self.conversion.src.bits();
        (if unit == Unit::Bytes { src / 8 } else { src }, self.conversion.dst.bits())
    }

    /// The bit of the destination at which an element lies whose place in the nest is this.
    pub fn place(&self, unit: Unit, place: i64) -> i64 {
        let (src, dst) = self.bits(unit);
        (place / src.max(1)).wrapping_mul(dst)
    }

    /// Elements of a run of the nest.
    pub fn elements(&self, unit: Unit, width: i64) -> i64 {
        width / self.bits(unit).0.max(1)
    }

    /// What loops reach in bytes; `None` if a number is not whole elements or leaves 61 bits.
    pub fn reached(&self, nest: &Nest<'_>) -> Option<Reached> {
        let (src_bits, dst_bits) = self.bits(nest.unit);
        let whole = |number: i64| number % src_bits.max(1) == 0;
        let all = whole(nest.width) && whole(nest.dst_base) && nest.loops.iter().all(|l| whole(l.dst));
        let reached = nest.reached()?;
        let most = |place: i64| (place / src_bits.max(1)).checked_mul(dst_bits);
        let (lowest, end) = (most(reached.dst.lowest)?, most(reached.dst.end)?);
        let dst = Reach { lowest: lowest >> 3, highest: (end - dst_bits) >> 3, end: end.checked_add(7)? >> 3 };
        let elements = reached.bytes / src_bits.max(1) as u64;
        let bytes = elements.saturating_mul(dst_bits as u64).div_ceil(8);
        let src = if nest.unit == Unit::Bytes { reached.src } else { reached.in_bytes(nest.unit).src };
        all.then_some(Reached { dst, src, bytes })
    }

    /// The lowest and the highest entry of a list that loops reach; `None` if a number leaves 64 bits.
    pub fn entries(&self, nest: &Nest<'_>) -> Option<[i64; 2]> {
        let run = self.elements(nest.unit, nest.width) - 1;
        let mut reach = [self.values.base; 2];
        let all = nest.loops.iter().map(|l| l.count - 1).zip(self.values.steps.iter().copied());
        for (last, step) in all.chain([(run, self.values.within)]) {
            let far = last.checked_mul(step)?;
            reach = [reach[0].checked_add(far.min(0))?, reach[1].checked_add(far.max(0))?];
        }
        Some(reach)
    }

    /// NULL_POINTER for a list that the plan needs, INVALID_ARGUMENT for one that it does not.
    pub fn check_given(&self, lists: Lists) -> Result<()> {
        for (k, name) in NAMES.into_iter().enumerate() {
            let (needed, given) = (self.listed >> k & 1 == 1, lists.given() >> k & 1 == 1);
            if needed && !given {
                return Err(Status::NullPointer.of(name));
            }
            Status::InvalidArgument.of(name).unless(needed || !given, Detail::NoList, 0, 0)?;
        }
        Ok(())
    }

    /// What is wrong with the lists of a call: there are none, they are too short, or one shares bytes with what the
    /// destination reaches.
    pub fn check_lists(&self, nest: &Nest<'_>, dst_address: u64, dst: Reach) -> Result<()> {
        let lists = &self.lists;
        let given = lists.given() == self.listed;
        Status::InvalidArgument.of(Argument::Plan).unless(given, Detail::NeedsLists, 0, 0)?;
        if self.listed == 0 {
            return Ok(());
        }
        let outside = Status::OutOfBounds.of(Argument::ValueCount);
        let [lowest, highest] = self.entries(nest).ok_or(outside)?;
        if lowest < 0 || highest as u64 >= lists.count {
            let entry = if lowest < 0 { lowest } else { highest };
            return Err(outside.because_wide(Detail::ValueCount, entry as i128, lists.count as i128));
        }
        for (list, name) in lists.pointers.iter().zip(NAMES).filter(|(list, _)| !list.is_null()) {
            let begin = (list.addr() as u64).wrapping_add(lowest as u64 * 4);
            let end = begin.wrapping_add((highest - lowest + 1) as u64 * 4);
            let to = (dst_address.wrapping_add(dst.lowest as u64), dst_address.wrapping_add(dst.end as u64));
            if begin < to.1 && to.0 < end {
                return Err(Status::Overlap.of(name).because(Detail::SharedList, 0, dst.end - dst.lowest));
            }
        }
        Ok(())
    }
}

/// Words of a conversion in a plan, before its loops: dtypes; flags and what has lists; three numbers; where the values
/// of the first element lie, and the step of a run.
pub(crate) const CONVERSION_WORDS: usize = 7;

impl Converting {
    /// The numbers of both dtypes, the destination's first.
    pub fn codes(&self) -> (i64, i64) {
        (self.conversion.dst.code() as i64, self.conversion.src.code() as i64)
    }

    pub fn words(&self) -> [u64; CONVERSION_WORDS] {
        let Conversion { dst, src, flags, numbers: [subtract, scale, add] } = self.conversion;
        let dtypes = dst.code() as u64 | (src.code() as u64) << 32;
        let flags = flags as u64 | (self.listed as u64) << 32;
        let Values { base, within, .. } = self.values;
        [dtypes, flags, subtract.to_bits(), scale.to_bits(), add.to_bits(), base as u64, within as u64]
    }

    /// The plan of which this is the conversion; INVALID_ARGUMENT if the words are not one.
    pub fn view<'a>(&'a self, header: &[u64; HEADER], loops: &'a [Loop]) -> Result<PlanView<'a>> {
        let [_, shape, _, width, dst_base, src_base, _, fill_period, ..] = *header;
        let [width, dst_base, src_base, fill_period] = [width, dst_base, src_base, fill_period].map(|word| word as i64);
        let (options, src) = (options_of(header), self.conversion.src);
        let unit = unit_of(src).0;
        let choice = match unit {
            Unit::Bytes => choice(shape & !(0xFF << KIND), options.flags),
            Unit::Bits(_) => Some(Choice::of_bits(&options)),
        };
        let nest = Nest { unit, width, dst_base, src_base, loops };
        let error = || not_a_conversion(header);
        let (choice, reached) = choice.zip(self.reached(&nest)).filter(|_| width >= 1).ok_or_else(error)?;
        let distinct = options.flags & options::ASSUME_DISTINCT != 0 || reached.are_distinct();
        let fits = unit != Unit::Bytes || choice.fits(&nest);
        let sound = distinct && fits && fill_period >= 1 && options.check().is_ok() && !listed_outside(self, &nest);
        if !sound {
            return Err(error());
        }
        Ok(PlanView {
            nest,
            reached,
            choice,
            fill_period,
            options,
            least: least_of(header),
            shortcut: Shortcut::None,
            table: core::ptr::null(),
            boxes: None,
            converting: Some(self),
        })
    }
}

impl fmt::Display for Converting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conversion { dst, src, flags, .. } = self.conversion;
        write!(f, "; {src} becomes {dst}")?;
        if flags & AFFINE != 0 {
            let name =
                |k: u8, one: &'static str, many: &'static str| if self.listed >> k & 1 == 1 { many } else { one };
            let operator = if flags & DIVIDE != 0 { '/' } else { '*' };
            let [subtract, scale, add] =
                [name(0, "subtract", "subtracts"), name(1, "scale", "scales"), name(2, "add", "adds")];
            write!(f, " as (x - {subtract}) {operator} {scale} + {add}")?;
        }
        for (flag, name) in
            [(NEAREST, "to nearest"), (SATURATE, "saturated"), (FINITE, "finite"), (ADD_LAST, "added last")]
        {
            if flags & flag != 0 {
                write!(f, ", {name}")?;
            }
        }
        Ok(())
    }
}

/// The conversion and the loops that words behind a header are, if they are one.
pub(crate) fn decode<'a>(header: &[u64; HEADER], words: &'a [u64]) -> Option<(Converting, &'a [u64])> {
    let [first, shape, ..] = *header;
    let count = loops_in_use(shape);
    let (conversion, rest) = words.split_first_chunk::<CONVERSION_WORDS>()?;
    let (loops, steps) = rest.split_at_checked(3 * count)?;
    let all = HEADER + CONVERSION_WORDS + 4 * count;
    let known = first == first_word(all) && shape >> 32 & 0xFF == count as u64 && shape >> KIND == CONVERTS;
    let [dtypes, flags, subtract, scale, add, base, within] = *conversion;
    let (dst, src) = (Dtype::new(dtypes as u32).ok()?, Dtype::new((dtypes >> 32) as u32).ok()?);
    let numbers = [subtract, scale, add].map(f64::from_bits);
    let conversion = Conversion { dst, src, flags: flags as u32, numbers };
    let listed = u8::try_from(flags >> 32).ok().filter(|&listed| listed < 8)?;
    let sound = conversion.check().is_ok() && conversion.steps().is_ok() && !conversion.is_none();
    let steps = at_most(steps.iter().map(|&step| step as i64));
    let values = Values { base: base as i64, within: within as i64, steps };
    (known && sound && values.steps.len() == count)
        .then_some((Converting { conversion, listed, values, lists: Lists::NONE }, loops))
}

/// What is said of words that are no plan of a conversion.
#[cold]
pub(crate) fn not_a_conversion(header: &[u64; HEADER]) -> Error {
    let [_, shape, _, width, ..] = *header;
    let error = Status::InvalidArgument.of(Argument::Plan);
    error.because(Detail::PlanWords, (shape & KERNEL) as i64, width as i64)
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
        self.choice.store = if past && unit == Unit::Bytes { Store::Past } else { Store::Direct };
        if listed_outside(converting, &self.problem.nest()) {
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

/// Whether a list would have to begin before its first entry.
fn listed_outside(converting: &Converting, nest: &Nest<'_>) -> bool {
    converting.listed != 0 && converting.entries(nest).is_none_or(|[lowest, _]| lowest < 0)
}
