//! The plan: which kernel, and the loops in the order in which they run.
//!
//! `choose` has the rules that choose the kernel. A copy of which a side is more than loops is a plan of *boxes*
//! ([`relayout`](super::relayout)): it has a relayout beside it, whose pieces are planned as they are run.
//!
//! [`Plan::header`], a [`Shortcut`] and [`Plan::loops`] are a plan as words without any address. [`PlanWords::decode`]
//! accepts any words and returns a plan that is safe to run, or INVALID_ARGUMENT. It is safe because every kernel
//! touches only the elements that the loops reach, and [`execute`](super::execute) proves that reach against the
//! buffers at each call.

use super::choose::{Choice, choose_for};
use super::conversion::Conversion;
use super::converting::{Converting, unit_of, unit_to};
use super::kernels::bits::repeated;
use super::kernels::{Store, WIDEST_CHUNK};
use super::loops::Loop;
use super::nest::{Nest, Packing, Reached, Unit, nested_extent};
use super::options::{self, Options};
use super::problem::{Problem, check_alike};
use super::relayout::{Given, Relayout};
use super::shortcut::Shortcut;
use super::words::{
    BITS, CHUNK, HEADER, HINTS, KERNEL, KIND, STORE, STORE_BITS, first_word, header, least_of, loops_in_use, options_of,
};
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
    /// What the plan is made for, if not for this CPU; it is not stored in the words.
    pub(crate) machine: Option<Machine>,
}

/// A plan of loops in the memory of a caller: words that anybody may have written.
#[derive(Clone, Copy, Debug)]
pub struct PlanWords<'a> {
    /// The first ones.
    pub header: &'a [u64; HEADER],
    /// What follows them, as [`kind_in_use`](super::words::kind_in_use) says.
    pub shortcut: Shortcut,
    /// Where the words of the shortcut are; they are checked each time they are run.
    pub table: *const u64,
    /// The loops that follow, as many as [`loops_in_use`](super::words::loops_in_use) says.
    pub loops: &'a [Loop],
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
    /// Which shortcut the words of the plan have, and where it is.
    pub(crate) shortcut: Shortcut,
    pub(crate) table: *const u64,
    /// What runs instead of the nest, which has unit and width alone then.
    pub(super) boxes: Option<&'a Relayout<'a>>,
    /// What it converts; then the nest's destination is counted in elements of the source.
    pub(crate) converting: Option<&'a Converting<'a>>,
}

/// An error that calls two sides layouts calls them sides.
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

    /// Prepares the copy of any side to any side, of which one is no layout if it converts. A copy that is more than
    /// one nest of loops is left to the caller, with this plan's options. Errors as [`Plan::set_copy`]; OVERLAP also
    /// where a run of the destination comes back to an index; UNSUPPORTED for a relayout with OVERLAP.
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

    /// Whether elements of a short pixel that are not contiguous are taken, which is best done in one pass.
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

    /// Makes the value of a fill that of elements of so many bits, whether there are any or not. Below a byte every
    /// element gets the low bits of the first byte, so all bytes are equal, in both orders.
    #[inline(always)]
    pub(super) fn set_fill_value(&mut self, bits: i64) {
        self.fill_period = bits / 8;
        if bits < 8 {
            let [first, ..] = self.options.fill;
            (self.options.fill, self.fill_period) = ([repeated(first, bits as u32); 16], 1);
        }
    }

    /// Copies nothing.
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
    pub(crate) fn asking(options: &Options) -> Self {
        Self { options: *options, ..Self::nothing() }
    }

    /// The plan with its loops borrowed; `boxes` is what runs instead of them.
    pub(crate) fn view<'a>(&'a self, boxes: Option<&'a Relayout<'a>>) -> PlanView<'a> {
        let Self { reached, choice, fill_period, options, least, .. } = *self;
        let (nest, shortcut, table) = (self.problem.nest(), Shortcut::None, core::ptr::null());
        PlanView { nest, reached, choice, fill_period, options, least, shortcut, table, boxes, converting: None }
    }

    /// The first words of the plan; the shortcut follows them, then [`Plan::loops`].
    pub fn header(&self, shortcut: Shortcut) -> [u64; HEADER] {
        let Problem { width, dst_base, src_base, .. } = self.problem;
        let loops = self.loops().len();
        let shape = (loops as u64) << 32
            | match self.problem.unit {
                Unit::Bytes => self.choice.shape() | (shortcut as u64) << KIND,
                Unit::Bits(packing) => packing.code() | BITS << KIND,
            };
        let words = HEADER + shortcut.words() + 3 * loops;
        header(words, shape, [width, dst_base, src_base, self.fill_period], self.least, &self.options)
    }

    /// The loops in the order in which they run, three words each.
    pub fn loops(&self) -> &[Loop] {
        self.problem.loops.as_slice()
    }
}

/// What the loops of a problem reach, in bytes.
fn reached(problem: &Problem) -> Reached {
    if problem.width == 0 {
        return Reached::NOTHING;
    }
    // The numbers of a valid problem fit (I4).
    problem.nest().reached().unwrap_or(Reached::TOO_FAR).in_bytes(problem.unit)
}

impl Choice {
    /// Its share of a plan's second word.
    #[inline(always)]
    pub(super) fn shape(&self) -> u64 {
        self.kernel as u64
            | (self.chunk as u64) << CHUNK
            | (self.dst_run as u64) << 16
            | (self.src_run as u64) << 24
            | (self.store as u64 | (self.strip as u64) << 4) << STORE
            | (self.hints as u64) << HINTS
    }
}

/// The choice that a plan's second word encodes.
#[inline(always)]
pub(super) fn choice(shape: u64, flags: u32) -> Option<Choice> {
    Some(Choice {
        kernel: u8::try_from(shape & KERNEL).ok()?,
        chunk: (shape >> CHUNK & 15) as u8,
        dst_run: (shape >> 16 & 0xFF) as u8,
        src_run: (shape >> 24 & 0xFF) as u8,
        store: Store::new((shape >> STORE & STORE_BITS) as u8)?,
        strip: (shape >> (STORE + 4) & 15) as u8,
        hints: (shape >> HINTS & 0xFF) as u8,
        small_stack: flags & options::SMALL_STACK != 0,
    })
}

impl<'a> PlanWords<'a> {
    /// The plan; INVALID_ARGUMENT if the words are not one.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn decode(self) -> Result<PlanView<'a>> {
        self.plan().ok_or_else(|| refused(self))
    }

    /// The plan, if the words are one.
    fn plan(self) -> Option<PlanView<'a>> {
        let [first, shape, _, width, dst_base, src_base, _, fill_period, ..] = *self.header;
        let [width, dst_base, src_base, fill_period] = [width, dst_base, src_base, fill_period].map(|word| word as i64);
        let options = options_of(self.header);
        let in_bits = shape >> KIND == BITS;
        // Behind the packing there is nothing but the number of loops.
        let code = Some(shape & ((1 << 32) - 1)).filter(|_| shape >> STORE == BITS << (KIND - STORE));
        let unit = if in_bits { Unit::Bits(Packing::new(code?)?) } else { Unit::Bytes };
        let choice = if in_bits { Choice::of_bits(&options) } else { choice(shape, options.flags)? };
        let nest = Nest { unit, width, dst_base, src_base, loops: self.loops };
        let reached = nest.reached()?;
        // Only a plan that claims ASSUME_DISTINCT can run (nearly) for ever, as a valid one with a destination step of
        // 0 could.
        let distinct = options.flags & options::ASSUME_DISTINCT != 0 || reached.are_distinct();
        let fits = match unit {
            Unit::Bytes => (width == 0 && self.loops.is_empty()) || (width >= 1 && choice.fits(&nest)),
            Unit::Bits(packing) => width >= 1 && width & (packing.element as i64 - 1) == 0 && fill_period == 1,
        };
        let kind = if in_bits { BITS } else { self.shortcut as u64 };
        let words = HEADER + self.shortcut.words() + 3 * self.loops.len();
        // Whether the first two words agree with what follows them.
        let known =
            first == first_word(words) && shape >> 32 & 0xFF == self.loops.len() as u64 && shape >> KIND == kind;
        let sound = known && options.check().is_ok() && fill_period >= 1 && distinct && fits;
        let (reached, least) = (reached.in_bytes(unit), least_of(self.header));
        let Self { shortcut, table, .. } = self;
        sound.then_some(PlanView {
            nest,
            reached,
            choice,
            fill_period,
            options,
            least,
            shortcut,
            table,
            boxes: None,
            converting: None,
        })
    }
}

impl PlanView<'_> {
    /// Whether there is nothing to copy.
    pub fn is_empty(&self) -> bool {
        self.nest.width == 0
    }

    /// What must lie in the buffers: what it reaches, and all of the objects of which it takes a part.
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

/// INVALID_ARGUMENT, with the first word and the one expected with this many loops; with flags or level and those
/// known; or with a kernel and a width that do not go together.
#[cold]
fn refused(words: PlanWords<'_>) -> Error {
    let error = Status::InvalidArgument.of(Argument::Plan);
    let [first, shape, _, width, ..] = *words.header;
    let expected = first_word(HEADER + words.shortcut.words() + 3 * loops_in_use(shape));
    if first != expected {
        return error.because(Detail::NotAPlan, first as i64, expected as i64);
    }
    match options_of(words.header).check() {
        Err(found) => Error { argument: Argument::Plan, ..found },
        Ok(()) => error.because(Detail::PlanWords, (shape & KERNEL) as i64, width as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::{WORDS, loops_in_use};
    use super::*;
    use crate::model::{Dtype, LayoutBuf};
    use std::string::ToString;
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

    #[test]
    fn words_come_back_and_forgeries_do_not() {
        let original = plan(&[1, 7, 70], &[100, 10, 1], &[7, 10, 3]);
        let mut words = [0u64; WORDS];
        words[..HEADER].copy_from_slice(&original.header(Shortcut::None));
        for (words, l) in words[HEADER..].chunks_mut(3).zip(original.loops()) {
            words.copy_from_slice(&[l.count as u64, l.dst as u64, l.src as u64]);
        }
        let decoded = |words: &[u64; WORDS]| {
            let loops = loops_in_use(words[1]);
            let triples = words[HEADER..][..3 * loops].chunks(3);
            let loops: Vec<Loop> =
                triples.map(|w| Loop { count: w[0] as i64, dst: w[1] as i64, src: w[2] as i64 }).collect();
            let header = words.first_chunk().unwrap();
            let words = PlanWords { header, loops: &loops, shortcut: Shortcut::None, table: core::ptr::null() };
            words.decode().map(|plan| plan.to_string())
        };
        assert_eq!((decoded(&words), words[0] & 0xFFFF), (Ok(original.view(None).to_string()), HEADER as u64 + 9));
        for (word, value) in [
            (0, 0),
            (0, words[0] + 1),
            (1, 200 | 3 << 32),
            (1, words[1] + (1 << 32)),
            (2, 1 << 30),
            (2, 9 << 32),
            (3, 0),
            (3, 5),
            (3, u64::MAX),
            (7, 0),
            (HEADER, 0),
            (HEADER, u64::MAX),
            (HEADER, 1 << 63),
        ] {
            let mut forged = words;
            forged[word] = value;
            let error = decoded(&forged).unwrap_err();
            assert_eq!((error.status, error.argument), (Status::InvalidArgument, Argument::Plan), "{word} {value}");
            if word == 2 && value == 1 << 30 {
                assert_eq!(error.lhs, 1 << 30); // the flags
            }
            if word == 0 {
                assert_eq!((error.lhs, error.rhs), (value as i64, words[0] as i64));
            }
        }
        // Counts below 1 are refused as well, down to the lowest one, whose steps of 0 reach no further; and so are
        // more iterations than 64 bits count.
        let mut forged = words;
        forged[2] = options::ASSUME_DISTINCT as u64;
        forged[1] = words[1] & !0xFFFF_FFFF; // rows take any loops
        for (counts, is_plan) in [
            ([1, 1], true),
            ([0, 1], false),
            ([1, u64::MAX], false),
            ([1 << 63, 1], false),
            ([1 << 32, 1 << 32], false),
        ] {
            let [first, second] = counts;
            forged[HEADER..][..9].copy_from_slice(&[first, 0, 0, second, 0, 0, 1, 0, 0]);
            let status = decoded(&forged).map_err(|error| error.status);
            assert_eq!(status.err(), (!is_plan).then_some(Status::InvalidArgument), "{counts:?}");
        }
    }

    #[test]
    fn all_of_a_choice_comes_back() {
        for (store, hints) in [(Store::Stream, 0), (Store::Past, super::super::kernels::hints::ALL)] {
            let mut plan = Plan::nothing();
            plan.options = Options::new().small_stack();
            plan.choice =
                Choice { kernel: 0xC1, dst_run: 62, src_run: 5, chunk: 9, store, strip: 5, hints, small_stack: true };
            let [_, shape, ..] = plan.header(Shortcut::Tables);
            assert_eq!(choice(shape, plan.options.flags), Some(plan.choice));
        }
    }
}
