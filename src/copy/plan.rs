//! The plan: which kernel, and the loops in the order in which they run.
//!
//! `choose` has the rules that choose the kernel.
//!
//! [`Plan::header`], a [`Shortcut`] and [`Plan::loops`] are a plan as words without any address. [`PlanWords::decode`]
//! accepts any words and returns a plan that is safe to run, or INVALID_ARGUMENT. It is safe because every kernel
//! touches only the elements that the loops reach, and [`execute`](super::execute) proves that reach against the
//! buffers at each call.

use super::choose::{Choice, choose_for};
use super::kernels::bits::{Packing, repeated};
use super::kernels::{Kernel, Memory, WIDEST_BLOCK};
use super::loops::Loop;
use super::nest::{Nest, Reached, nested_extent};
use super::options::{self, Options};
use super::problem::{Problem, check_alike, check_room, in_front};
use super::shortcut::Shortcut;
use super::tiled::{self, Coalesced, MOST_TAKEN, Operand, Relayout, Side, Taken};
use super::words::{BLOCK, HEADER, HINTS, KERNEL, KIND, TREATMENT, first_word, header, loops_in_use, options_of};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count};
use crate::machine::Machine;
use crate::model::build::resolve_axis;
use crate::model::{Dtype, Layout, LayoutStorage, whole_bytes};

/// A prepared copy. See the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Plan {
    /// The loops, those of the kernel first; the width is 0 if there is nothing to copy.
    pub(crate) problem: Problem,
    pub(crate) reached: Reached,
    pub(crate) choice: Choice,
    /// Bytes of one element of the destination's dtype, which is the period of the fill value.
    pub(crate) fill_period: i64,
    pub(crate) options: Options,
    /// What the plan is made for, if not for this CPU; it is not stored in the words.
    pub(crate) machine: Option<Machine>,
}

/// A plan in the memory of a caller: words that anybody may have written.
#[derive(Clone, Copy, Debug)]
pub struct PlanWords<'a> {
    /// The first ones.
    pub header: &'a [u64; HEADER],
    /// What follows them, as [`shortcut_in_use`](super::words::shortcut_in_use) says.
    pub shortcut: Shortcut,
    /// Where the words of the shortcut are; they are checked each time they are run.
    pub table: *const u64,
    /// The loops that follow, as many as [`loops_in_use`](super::words::loops_in_use) says.
    pub loops: &'a [Loop],
}

/// What a copy of any two operands has become.
pub(crate) enum Prepared<'a> {
    /// An ordinary plan.
    Bytes,
    /// A plan in bits.
    Bits(Packing),
    /// A relayout, which is not yet a plan.
    Tiles(Relayout<'a>),
}

impl From<Option<Packing>> for Prepared<'_> {
    /// What [`Plan::set_any_copy`] makes.
    #[inline]
    fn from(packing: Option<Packing>) -> Self {
        packing.map_or(Self::Bytes, Self::Bits)
    }
}

/// A plan that borrows its loops, from the caller's words or from a [`Plan`]. This is what is executed.
#[derive(Clone, Copy, Debug)]
pub struct PlanView<'a> {
    pub(crate) nest: Nest<'a>,
    pub(crate) reached: Reached,
    pub(crate) choice: Choice,
    pub(crate) fill_period: i64,
    pub(crate) options: Options,
    /// Which shortcut the words of the plan have.
    pub(crate) shortcut: Shortcut,
}

impl Plan {
    /// Prepares the copy of `src` to `dst`; errors as [`Problem::copy`], and OVERLAP or UNDECIDED if the destination
    /// may hold one element twice.
    pub fn copy(dst: &Layout<'_>, src: &Layout<'_>, options: &Options) -> Result<Self> {
        let mut plan = Self::asking(options);
        plan.set_copy(dst, src)?;
        Ok(plan)
    }

    /// [`Plan::set_copy`] for callers that do not count instructions: it is large, so they share one copy of it.
    #[inline(never)]
    pub(crate) fn set_copy_out_of_line(&mut self, dst: &Layout<'_>, src: &Layout<'_>) -> Result<()> {
        self.set_copy(dst, src)
    }

    /// [`Plan::copy`] in place, into a plan that has nothing but options: the struct is large.
    #[inline(always)]
    pub(crate) fn set_copy(&mut self, dst: &Layout<'_>, src: &Layout<'_>) -> Result<()> {
        self.options.check()?;
        let bits = dst.dtype().bits();
        let assume_distinct = self.options.flags & options::ASSUME_DISTINCT != 0;
        self.problem.set_copy(dst, src, assume_distinct)?;
        if self.problem.width != 0 {
            let (width, loops) = (self.problem.width, self.problem.loops.as_slice());
            if nested_extent(width, loops).is_none() {
                // A run of bytes is a loop of its own.
                let all = [(width, 1)].into_iter().chain(loops.iter().map(|l| (l.count, l.dst)));
                self.options.check_distinct(all)?;
            }
            self.reached = Reached::by(dst, src, bits / 8, width);
        }
        self.finish(bits);
        Ok(())
    }

    /// [`Plan::set_copy`] if a side may have tiles or blocks. A relayout that is not an ordinary copy is left to the
    /// caller; it is UNSUPPORTED with OVERLAP, and for elements below a byte. If the sides disagree, the error names the
    /// source as the caller gave it.
    pub(crate) fn set_relayout<'a>(
        &mut self,
        dst: Operand<'a>,
        src: Operand<'a>,
        src_name: Argument,
    ) -> Result<Prepared<'a>> {
        self.set_operands(dst, src).map_err(|error| match error.argument {
            Argument::SrcLayout => Error { argument: src_name, ..error },
            _ => error,
        })
    }

    fn set_operands<'a>(&mut self, dst: Operand<'a>, src: Operand<'a>) -> Result<Prepared<'a>> {
        if let (Operand::Layout(dst), Operand::Layout(src)) = (&dst, &src) {
            return self.set_any_copy(dst, src).map(Prepared::from);
        }
        let relayout = Relayout::new(dst, src, &self.options)?;
        let tiled = match dst {
            Operand::Layout(_) => src.named(tiled::SRC),
            _ => dst.named(tiled::DST),
        };
        self.set_pieces(relayout, [dst.dtype(), src.dtype()], tiled)
    }

    /// A relayout of these dtypes, which is left to the caller unless it is a single piece; `argument` is the side that
    /// has pieces.
    fn set_pieces<'a>(
        &mut self,
        relayout: Relayout<'a>,
        [dst, src]: [Dtype; 2],
        argument: Argument,
    ) -> Result<Prepared<'a>> {
        let bits = dst.bits();
        if relayout.is_empty() || relayout.set_only_problem(&mut self.problem) {
            self.problem.normalise();
            if bits < 8 {
                return Ok(self.finish_bits(Packing::of(dst, src)).into());
            }
            self.reached = reached(&self.problem);
            self.finish(bits);
            return Ok(Prepared::Bytes);
        }
        whole_bytes(dst, argument)?;
        self.options.check_no_overlap()?;
        self.set_fill_value(bits);
        Ok(Prepared::Tiles(relayout))
    }

    /// Prepares the copy that takes along `axis`, for each index of the destination, the source index in `list`; -1 is
    /// the fill value. A list that steps evenly is an ordinary copy; another one is left to the caller. Errors as
    /// [`Plan::set_copy`]; INDEX_OUT_OF_RANGE with the entry (item); UNSUPPORTED with OVERLAP, and for elements below a
    /// byte, unless it is an ordinary copy.
    pub(crate) fn set_take<'a>(
        &mut self,
        dst: &Layout<'a>,
        src: &Layout<'a>,
        axis: usize,
        list: &'a [i64],
    ) -> Result<Prepared<'a>> {
        self.options.check()?;
        let (size, stride) = check_take(dst, src, axis, list)?;
        let bits = dst.dtype().bits();
        if dst.is_empty() {
            self.finish(bits);
            return Ok(Prepared::Bytes);
        }
        let mut pairs = list.iter().zip(list.iter().skip(1)).map(|(one, two)| two - one);
        let step = pairs.next().unwrap_or(0);
        // Elements of a short pixel that are not contiguous are taken out of it in one pass.
        let pixel = size.saturating_mul(src.dtype().bits() / 8) <= WIDEST_BLOCK as i64 / 2
            && matches!(stride, 1 | -1)
            && dst.dimension(axis).1 == 1
            && src.rank() > 1;
        let alone = src.dtype().is_sub_byte() || self.options.flags & options::OVERLAP != 0;
        let apart = step.unsigned_abs() > 1 && pixel && !alone;
        if !list.contains(&-1) && !apart && pairs.all(|other| other == step) {
            let mut even = LayoutStorage::default();
            even.copy(src);
            let first = list.first().copied().unwrap_or(0);
            even.take_evenly(axis, list.len() as i64, first, if size == 1 { 0 } else { stride }, step)?;
            let packing = self.set_any_copy(dst, &even.view().in_role(Argument::SrcLayout)?)?;
            return Ok(packing.into());
        }
        let width = whole_bytes(dst.dtype(), Argument::DstLayout)?;
        in_front(dst, Argument::DstLayout)?;
        in_front(src, Argument::SrcLayout)?;
        self.options.check_distinct(dst.dimensions())?;
        self.options.check_no_overlap()?;
        self.set_fill_value(bits);
        let part = src.dtype().turned_bytes(dst.dtype());
        if part != 0 {
            check_room(dst.dimensions().filter(|&(size, _)| size > 1).count())?;
        }
        let taken = Taken { base: src.offset(), strides: src.strides(), axis, size, list };
        let to = Side::Strided { base: dst.offset(), strides: dst.strides() };
        Ok(Prepared::Tiles(Relayout { width, part, sizes: dst.sizes(), dst: to, src: Side::Taken(taken) }))
    }

    /// Prepares the copy of `count` elements in row-major order of either side, from the given numbers on, whatever the
    /// sizes. `to` and `from` hold the sides. Errors as [`Plan::set_copy`]; OUT_OF_BOUNDS past the last element;
    /// UNSUPPORTED with OVERLAP, and for elements below a byte, unless it is an ordinary copy.
    pub(crate) fn set_range<'a>(
        &mut self,
        [dst, src]: [(&Layout<'_>, i64); 2],
        count: &'a [i64; 1],
        [to, from]: &'a mut [Coalesced; 2],
    ) -> Result<Prepared<'a>> {
        self.options.check()?;
        let &[elements] = count;
        let (dst_dtype, src_dtype) = (dst.0.dtype(), src.0.dtype());
        check_alike((&[], dst_dtype), (&[], src_dtype), Argument::SrcLayout)?;
        for ((layout, first), argument) in [(dst, Argument::DstFirst), (src, Argument::SrcFirst)] {
            let error = Error::new(Status::OutOfBounds).argument(argument);
            let all = layout.element_count();
            if first < 0 {
                return Err(error.because(Detail::Below, first, 0));
            }
            if first > all || elements > all - first {
                return Err(error.because_wide(Detail::Above, first as i128 + elements as i128, all as i128));
            }
        }
        let bits = dst_dtype.bits();
        if elements == 0 {
            self.finish(bits);
            return Ok(Prepared::Bytes);
        }
        in_front(dst.0, Argument::DstLayout)?;
        in_front(src.0, Argument::SrcLayout)?;
        self.options.check_distinct(dst.0.dimensions())?;
        to.set(dst.0);
        from.set(src.0);
        let part = src_dtype.turned_bytes(dst_dtype);
        let (to, from) = (to.stream(dst.0.offset(), dst.1), from.stream(src.0.offset(), src.1));
        if part != 0 {
            check_room(to.sizes.len() + from.sizes.len())?;
        }
        let width = if bits < 8 { bits } else { bits / 8 };
        let relayout = Relayout { width, part, sizes: count, dst: Side::Stream(to), src: Side::Stream(from) };
        self.set_pieces(relayout, [dst_dtype, src_dtype], Argument::DstLayout)
    }

    /// Prepares the fill of `dst` with one element, into an empty plan: the struct is large. UNDECIDED if its indices
    /// come back to elements too often.
    pub(crate) fn set_fill(&mut self, dst: &Layout<'_>) -> Result<()> {
        self.problem.set_fill(dst)?;
        self.reached = reached(&self.problem);
        self.finish(dst.dtype().bits());
        Ok(())
    }

    #[inline(always)]
    pub(super) fn finish(&mut self, bits: i64) {
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
    #[inline]
    pub(crate) fn nothing() -> Self {
        Self {
            problem: Problem::nothing(),
            reached: Reached::NOTHING,
            choice: Choice::of(0),
            fill_period: 1,
            options: Options::DEFAULT,
            machine: None,
        }
    }

    /// [`Plan::nothing`] with options.
    #[inline]
    pub(crate) fn asking(options: &Options) -> Self {
        Self { options: *options, ..Self::nothing() }
    }

    /// The plan with its loops borrowed.
    #[inline]
    pub fn view(&self) -> PlanView<'_> {
        let Self { reached, choice, fill_period, options, .. } = *self;
        PlanView { nest: self.problem.nest(), reached, choice, fill_period, options, shortcut: Shortcut::None }
    }

    /// The first words of the plan; the shortcut follows them, then [`Plan::loops`].
    #[inline]
    pub fn header(&self, shortcut: Shortcut) -> [u64; HEADER] {
        let loops = self.loops().len();
        let shape = self.choice.kernel as u64
            | (self.choice.block as u64) << BLOCK
            | (self.choice.dst_run as u64) << 16
            | (self.choice.src_run as u64) << 24
            | (loops as u64) << 32
            | (self.choice.memory as u64 | (self.choice.off_lines as u64) << 4) << TREATMENT
            | (self.choice.hints as u64) << HINTS
            | (shortcut as u64) << KIND;
        let Problem { width, dst_base, src_base, .. } = self.problem;
        let words = HEADER + shortcut.words() + 3 * loops;
        header(words, shape, [width, dst_base, src_base, self.fill_period], &self.options)
    }

    /// The loops in the order in which they run, three words each.
    #[inline]
    pub fn loops(&self) -> &[Loop] {
        self.problem.loops.as_slice()
    }
}

/// The dimension of the destination along which a list of so many entries says what is taken; INVALID_AXES;
/// INVALID_RANK unless it has an entry for each index, and at most [`MOST_TAKEN`].
pub(crate) fn taken_axis(dst: &Layout<'_>, axis: i64, count: usize) -> Result<usize> {
    let axis = resolve_axis(axis, dst.rank()).in_role(Argument::Axis)?;
    if count > MOST_TAKEN {
        let error = Error::new(Status::InvalidRank).argument(Argument::Count);
        return Err(error.because_wide(Detail::Above, count as i128, MOST_TAKEN as i128));
    }
    check_count(count, usize::try_from(dst.dimension(axis).0).unwrap_or(0), Argument::Count)?;
    Ok(axis)
}

/// Size and stride of the source's dimension along which elements are taken, if the sides and the list go together. The
/// list is as long as the destination's dimension.
fn check_take(dst: &Layout<'_>, src: &Layout<'_>, axis: usize, list: &[i64]) -> Result<(i64, i64)> {
    let error = Error::new(Status::ShapeMismatch).argument(Argument::SrcLayout);
    let (rank, needed) = (src.rank() as i64, dst.rank() as i64);
    if rank != needed {
        return Err(error.because(Detail::Ranks, rank, needed));
    }
    for (dimension, (&from, &to)) in src.sizes().iter().zip(dst.sizes()).enumerate() {
        if dimension != axis && from != to {
            return Err(error.dimension(dimension).because(Detail::NotEqual, from, to));
        }
    }
    check_alike((&[], dst.dtype()), (&[], src.dtype()), Argument::SrcLayout)?;
    let (size, stride) = src.dimension(axis);
    for (item, &index) in list.iter().enumerate() {
        if !(-1..size).contains(&index) {
            let error = Error::new(Status::IndexOutOfRange).argument(Argument::Indices).item(item);
            return Err(error.because(Detail::OutOfRange, index, size));
        }
    }
    Ok((size, stride))
}

/// What the loops of a problem reach.
pub(super) fn reached(problem: &Problem) -> Reached {
    problem.nest().reached().unwrap_or(Reached::TOO_FAR) // the numbers of a valid problem fit (I4)
}

/// The choice that a plan's second word encodes.
#[inline(always)]
pub(super) fn choice(shape: u64, flags: u32) -> Option<Choice> {
    Some(Choice {
        kernel: u8::try_from(shape & KERNEL).ok()?,
        block: (shape >> BLOCK & 15) as u8,
        dst_run: (shape >> 16 & 0xFF) as u8,
        src_run: (shape >> 24 & 0xFF) as u8,
        memory: Memory::new((shape >> TREATMENT & 15) as u8)?,
        // Without whole lines, only joined lines can be streamed.
        off_lines: Memory::new((shape >> (TREATMENT + 4) & 15) as u8).filter(|memory| !memory.streams())?,
        hints: (shape >> HINTS & 0xFF) as u8,
        small_stack: flags & options::SMALL_STACK != 0,
    })
}

impl<'a> PlanWords<'a> {
    /// The plan; INVALID_ARGUMENT if the words are not one.
    pub fn decode(self) -> Result<PlanView<'a>> {
        let reached = self.nest().reached();
        reached.and_then(|reached| self.plan(reached)).ok_or_else(|| refused(self))
    }

    /// How many words there are.
    #[inline(always)]
    fn count(self) -> usize {
        HEADER + self.shortcut.words() + 3 * self.loops.len()
    }

    /// Whether the first two words agree with what follows them.
    #[inline(always)]
    fn is_known(self) -> bool {
        let &[first, shape, ..] = self.header;
        (first == first_word(self.count()))
            & (shape >> 32 & 0xFF == self.loops.len() as u64)
            & (shape >> KIND == self.shortcut as u64)
    }

    fn nest(self) -> Nest<'a> {
        let [_, _, _, width, dst_base, src_base, ..] = self.header.map(|word| word as i64);
        Nest { width, dst_base, src_base, loops: self.loops }
    }

    /// The plan that reaches this, if the words are a plan.
    #[inline(always)]
    fn plan(self, reached: Reached) -> Option<PlanView<'a>> {
        let [_, shape, _, _, _, _, _, fill_period, ..] = *self.header;
        let options = options_of(self.header);
        let choice = choice(shape, options.flags)?;
        let (nest, fill_period) = (self.nest(), fill_period as i64);
        let plan = PlanView { nest, reached, choice, fill_period, options, shortcut: self.shortcut };
        (self.is_known() && plan.is_sound()).then_some(plan)
    }
}

impl<'a> PlanView<'a> {
    /// Whether the numbers of a plan, each of them possible, go together.
    #[inline(always)]
    fn is_sound(&self) -> bool {
        // Only a plan that claims ASSUME_DISTINCT can run (nearly) for ever, as a valid one with a destination step of
        // 0 could.
        let distinct = self.options.flags & options::ASSUME_DISTINCT != 0 || self.reached.are_distinct();
        let empty = self.nest.width == 0 && self.nest.loops.is_empty();
        self.options.is_known()
            && self.fill_period >= 1
            && distinct
            && (empty || (self.nest.width >= 1 && self.choice.fits(&self.nest)))
    }

    /// The kernel. (The index was checked when the plan was made.)
    pub(crate) fn kernel(&self) -> &'static Kernel {
        self.choice.kernel()
    }

    /// Whether there is nothing to copy.
    pub fn is_empty(&self) -> bool {
        self.nest.width == 0
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
    let error = Error::new(Status::InvalidArgument).argument(Argument::Plan);
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
        Plan::copy(&dst.view().unwrap(), &src.view().unwrap(), &Options::default()).unwrap()
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
        assert_eq!((plan.choice.dst_run, plan.choice.src_run), (2, 2), "{}", plan.view());
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
        assert_eq!((decoded(&words), words[0] & 0xFFFF), (Ok(original.view().to_string()), HEADER as u64 + 9));
        for (word, value) in [
            (0, 0),
            (0, words[0] + 1),
            (1, 200 | 3 << 32),
            (1, words[1] + (1 << 32)),
            (2, 1 << 31),
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
            if word == 2 && value == 1 << 31 {
                assert_eq!(error.lhs, 1 << 31); // the flags
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
        for (memory, off_lines, hints) in [
            (Memory::Stream, Memory::Cached, 0),
            (Memory::StagedStream, Memory::Joined, super::super::kernels::hints::ALL),
        ] {
            let mut plan = Plan::nothing();
            plan.options = Options::new().small_stack();
            plan.choice =
                Choice { kernel: 0xC1, dst_run: 62, src_run: 5, block: 9, memory, off_lines, hints, small_stack: true };
            let [_, shape, ..] = plan.header(Shortcut::Tables);
            assert_eq!(choice(shape, plan.options.flags), Some(plan.choice));
        }
    }
}
