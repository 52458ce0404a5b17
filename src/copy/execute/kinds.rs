//! What depends on the kind of a plan: one nest of loops, or boxes with a nest each. Nothing else asks for it.

use super::super::choose::{Choice, choose_for};
use super::super::conversion::Conversion;
use super::super::converting::{CONVERSION_WORDS, Converting, Lists, decode, not_a_conversion};
use super::super::loops::{Loop, MAX_LOOPS};
use super::super::nest::{Nest, Reach, Unit};
use super::super::plan::{Plan, PlanView, PlanWords};
use super::super::problem::Problem;
use super::super::relayout::{BOXES, BoxWords, MOST_WORDS, Mapped, Relayout};
use super::super::shortcut::Shortcut;
use super::super::words::{CONVERTS, HEADER, WORDS, kind_in_use, loops_in_use, words_behind};
use super::{Dst, Sharing, Src, are_apart, boxes, convert_walk, execute_plan, once, run, run_large, shortcut};
use crate::error::{Argument, Detail, Result, Status};
use crate::model::overlap::{self, Occupied};
use core::fmt;
use core::mem::MaybeUninit;

/// Reads the plan in a caller's memory, as far as it is in use, and calls `then` with it. Each word is read once, but
/// for the one that says the kind.
/// INVALID_ARGUMENT if the words are not a plan.
///
/// # Safety
/// Words of a plan, which may be read as far as it uses them while `then` runs.
#[inline(never)] // keeps its frame off the caller's stack
pub unsafe fn with_words<'r>(
    first: *const u64,
    then: &mut (dyn FnMut(&PlanView<'_>) -> Result<()> + 'r),
) -> Result<()> {
    // SAFETY: words of the caller's plan. Each kind reads the header for itself, and refuses one of another kind; so
    // none has a second one on its stack.
    unsafe {
        let [shape] = once::array(first.add(1));
        match kind_in_use(shape) {
            BOXES => with_boxes(first, then),
            CONVERTS if cfg!(feature = "conversion") => with_conversion(first, then),
            _ => with_loops(first, then),
        }
    }
}

/// # Safety
/// As [`with_words`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn with_loops<'r>(first: *const u64, then: &mut (dyn FnMut(&PlanView<'_>) -> Result<()> + 'r)) -> Result<()> {
    // SAFETY: words of the caller's plan: the header; behind it a shortcut, which is numbers of any value, and at most
    // 62 loops of three words.
    unsafe {
        let header: [u64; HEADER] = once::array(first);
        let [claim, shape, ..] = header;
        let (kind, behind) = (kind_in_use(shape), first.add(HEADER));
        let mut room = [MaybeUninit::uninit(); 3 * MAX_LOOPS];
        let shortcut = Shortcut::new(kind).unwrap_or(Shortcut::None); // none in bits
        // No further than the plan says that it goes, whatever it says of its loops: it is refused then.
        let room_for_loops = words_behind(claim).saturating_sub(shortcut.words()) / 3;
        let count = loops_in_use(shape).min(room_for_loops);
        let used = room.get_mut(..3 * count).unwrap_or(&mut []);
        let loops = once::as_loops(once::words(behind.add(shortcut.words()), used));
        match &(PlanWords { header: &header, shortcut, table: behind, loops }).decode() {
            Ok(plan) => then(plan), // by reference: a second copy would take stack
            Err(error) => Err(*error),
        }
    }
}

/// # Safety
/// As [`with_words`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn with_conversion<'r>(
    first: *const u64,
    then: &mut (dyn FnMut(&PlanView<'_>) -> Result<()> + 'r),
) -> Result<()> {
    let mut room = [MaybeUninit::uninit(); CONVERSION_WORDS + 4 * MAX_LOOPS];
    // SAFETY: as promised to this function: words of the caller's plan.
    let header: [u64; HEADER] = unsafe { once::array(first) };
    let [claim, shape, ..] = header;
    // No further than the plan says that it goes, whatever it says of its loops: it is refused then.
    let used = (CONVERSION_WORDS + 4 * loops_in_use(shape)).min(words_behind(claim));
    let used = room.get_mut(..used).unwrap_or(&mut []);
    // SAFETY: as above.
    let words = unsafe { once::words(first.add(HEADER), used) };
    let (converting, count) = decode(&header, once::as_numbers(words)).ok_or_else(|| not_a_conversion(&header))?;
    let loops = words.get(CONVERSION_WORDS..CONVERSION_WORDS + count).unwrap_or(&[]);
    then(&PlanView::of_conversion(&converting, &header, once::as_loops(loops))?)
}

/// # Safety
/// As [`with_words`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn with_boxes<'r>(first: *const u64, then: &mut (dyn FnMut(&PlanView<'_>) -> Result<()> + 'r)) -> Result<()> {
    // SAFETY: as promised to this function: words of the caller's plan.
    let header: [u64; HEADER] = unsafe { once::array(first) };
    let mut words = [MaybeUninit::uninit(); MOST_WORDS];
    let mut room = [Mapped::NOTHING, Mapped::NOTHING];
    let [claim, ..] = header;
    let used = words.get_mut(..words_behind(claim)).unwrap_or(&mut []);
    // SAFETY: as above.
    let rest = unsafe { once::words(first.add(HEADER).cast(), used) };
    then_boxes(BoxWords { header: &header, rest }, &mut room, then)
}

/// Calls `then` with the plan that the words of a relayout are.
fn then_boxes<'a, R>(
    words: BoxWords<'a>,
    room: &mut [Mapped<'a>; 2],
    then: impl FnOnce(&PlanView<'_>) -> Result<R>,
) -> Result<R> {
    let (relayout, converting, options, fill_period) = words.decode(room)?;
    let problem = Problem { unit: relayout.unit, width: relayout.width, ..Problem::nothing() };
    let plan = Plan { problem, options, fill_period, reached: relayout.reached()?, ..Plan::nothing() };
    then(&plan.view_of(Some(&relayout), converting.as_ref()))
}

/// Writes a plan that was just made into a caller's memory. UNSUPPORTED if it does not fit.
///
/// # Safety
/// The words of a plan may be written.
#[inline(always)]
pub(crate) unsafe fn write(plan: &Plan, first: *mut u64) -> Result<()> {
    // SAFETY: words of the caller's plan: the header, the shortcut behind it, and the loops behind that.
    unsafe {
        let behind = first.add(HEADER);
        let loops = plan.loops();
        let shortcut = match loops {
            [] => Shortcut::None, // one block move, or none
            _ => shortcut::write(&plan.view(None), plan.machine.as_ref(), behind),
        };
        let first_loop = behind.add(shortcut.words()).cast::<Loop>();
        core::ptr::copy_nonoverlapping(loops.as_ptr(), first_loop, loops.len());
        first.cast::<[u64; HEADER]>().write(plan.header(shortcut));
    }
    Ok(())
}

/// [`write`] of a plan that may have boxes, or convert.
///
/// # Safety
/// As there.
pub(crate) unsafe fn write_any(
    plan: &Plan,
    boxes: Option<&Relayout<'_>>,
    converting: Option<&Converting<'_>>,
    first: *mut u64,
) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe {
        match (boxes, converting) {
            (Some(relayout), _) => return write_boxes(plan, relayout, converting, first),
            (_, Some(converting)) => write_conversion(plan, converting, first),
            _ => return write(plan, first),
        }
    }
    Ok(())
}

/// # Safety
/// As [`write`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn write_conversion(plan: &Plan, converting: &Converting<'_>, first: *mut u64) {
    let (loops, steps) = (plan.loops(), converting.values.steps);
    // SAFETY: as promised to this function: header, conversion, loops and steps are 267 words at most.
    unsafe {
        let behind = first.add(HEADER).add(CONVERSION_WORDS);
        core::ptr::copy_nonoverlapping(loops.as_ptr(), behind.cast(), loops.len());
        core::ptr::copy_nonoverlapping(steps.as_ptr(), behind.add(3 * loops.len()).cast(), steps.len());
        first.add(HEADER).cast::<[u64; CONVERSION_WORDS]>().write(converting.words());
        first.cast::<[u64; HEADER]>().write(plan.header_of_conversion());
    }
}

/// # Safety
/// As [`write`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn write_boxes(
    plan: &Plan,
    relayout: &Relayout<'_>,
    converting: Option<&Converting<'_>>,
    first: *mut u64,
) -> Result<()> {
    // They are gathered first, since the plan may lie where runs do.
    let mut rest = [0; MOST_WORDS];
    let (header, count) = relayout.write(converting, &plan.options, plan.fill_period, &mut rest)?;
    // SAFETY: as promised to this function.
    unsafe {
        first.cast::<[u64; HEADER]>().write(header);
        core::ptr::copy_nonoverlapping(rest.as_ptr(), first.add(HEADER).cast(), count);
    }
    Ok(())
}

/// A plan that owns all that it needs.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant)]
pub(crate) enum Owned {
    Nest(Plan),
    /// The words of another kind.
    Words([u64; WORDS]),
}

impl Owned {
    /// A plan that was just made; UNSUPPORTED if a relayout does not fit.
    #[inline(always)] // the struct is large
    pub(crate) fn new(plan: Plan, boxes: Option<&Relayout<'_>>, converting: Option<&Converting<'_>>) -> Result<Self> {
        if boxes.is_none() && converting.is_none() {
            return Ok(Self::Nest(plan));
        }
        let mut words = [0; WORDS];
        // SAFETY: the words of a plan.
        unsafe { write_any(&plan, boxes, converting, words.as_mut_ptr())? };
        Ok(Self::Words(words))
    }

    /// Calls `then` with the plan.
    pub(crate) fn with<R>(&self, then: impl FnOnce(&PlanView<'_>) -> Result<R>) -> Result<R> {
        let words = match self {
            Self::Nest(plan) => return then(&plan.view(None)),
            Self::Words(words) => words,
        };
        let (mut then, mut found) = (Some(then), None);
        // SAFETY: the words of a plan, which was made here.
        unsafe {
            with_words(words.as_ptr(), &mut |plan| {
                found = then.take().map(|then| then(plan));
                Ok(())
            })?;
        }
        found.unwrap_or(Err(Status::InvalidArgument.of(Argument::Plan)))
    }

    /// [`execute`](super::execute) without scratch memory.
    ///
    /// # Safety
    /// As [`execute`](super::execute).
    #[inline(always)]
    pub(crate) unsafe fn execute(&self, dst: Dst, src: Src, part: [u32; 2]) -> Result<()> {
        // SAFETY: as promised to this function.
        unsafe {
            match self {
                Self::Nest(plan) if part == [0, 1] => execute_plan(plan, dst, src),
                _ => self.with(|plan| super::execute(plan, dst, src, None, part)),
            }
        }
    }
}

impl PlanView<'_> {
    /// Runs part `part` of `parts`. `apart`: the ranges of the two sides do not meet.
    ///
    /// # Safety
    /// The reach was proved to lie in both buffers; nothing is shared, unless each element is its own source.
    #[inline(never)] // its callers' frames are small
    pub(super) unsafe fn run_part(&self, dst: Dst, src: Src, [part, parts]: [u32; 2], apart: bool) {
        // SAFETY: as promised to this function.
        unsafe {
            match (self.boxes, self.converting()) {
                (Some(relayout), _) => {
                    boxes::run_part(relayout, self, dst, src, [part as u64, parts as u64], apart);
                }
                (_, Some(converting)) => convert_walk::run_part(self, converting, dst.base, src.base, [part, parts]),
                // A byte that holds elements of both sides needs a single writer.
                _ if parts == 1 || !apart && self.nest.unit != Unit::Bytes => {
                    if part == 0 {
                        run_large(self.choice, &self.nest, dst.base, src.base);
                    }
                }
                _ => self.run_part_of_nest(dst, src, [part, parts]),
            }
        }
    }

    /// # Safety
    /// As [`PlanView::run_part`].
    #[inline(never)] // keeps the problem off the caller's stack
    unsafe fn run_part_of_nest(&self, dst: Dst, src: Src, part: [u32; 2]) {
        // SAFETY: as promised to this function.
        self.with_part(part, |choice, nest| unsafe { run(choice, nest, dst.base, src.base) });
    }

    /// Calls `then` with what part `part` of `parts` of a nest is, if it has work: a part of the iterations, which
    /// reaches a part of what was proved to lie in the buffers.
    #[inline(always)]
    pub(super) fn with_part(&self, [part, parts]: [u32; 2], then: impl FnOnce(Choice, &Nest<'_>)) {
        let mut problem = Problem::nothing();
        problem.set(&self.nest);
        if problem.part(part, parts) {
            // The choice of the whole copy, if it fits.
            let fits = self.nest.unit == Unit::Bytes && self.choice.fits_large(&problem.nest());
            let choice = if fits { self.choice } else { self.choose_part(&mut problem) };
            then(choice, &problem.nest());
        }
    }

    /// The choice for a part that the whole copy's choice does not fit.
    #[inline(never)] // keeps its frame off the caller's stack
    fn choose_part(&self, problem: &mut Problem) -> Choice {
        problem.normalise();
        choose_for(None, problem, &self.options, self.bytes_moved())
    }

    /// Whether the gaps between the elements of the destination can be known by place.
    pub(super) fn has_places(&self) -> bool {
        self.boxes.is_none() && self.nest.unit == Unit::Bytes && self.converting().is_none()
    }

    /// Whether it has pieces, each with a nest of its own.
    pub(crate) fn is_boxes(&self) -> bool {
        self.boxes.is_some()
    }

    /// The most parts that have work.
    pub(crate) fn most_parts(&self) -> u64 {
        self.boxes.map_or(u64::MAX, Relayout::most_parts)
    }

    /// Calls `run` with the copies that the plan consists of, in normal form, piece by piece. UNSUPPORTED for pieces
    /// without a source, too many of them, and runs that are not whole bytes.
    pub(crate) fn each_problem(&self, run: &mut dyn FnMut(&mut Problem) -> Result<()>) -> Result<()> {
        if let Some(converting) = self.converting() {
            let (to, from) = converting.codes();
            return Err(Status::Unsupported.of(Argument::Plan).because(Detail::NoConversion, from, to));
        }
        match self.boxes {
            Some(relayout) => boxes::each_problem(relayout, run),
            None => {
                let mut problem = Problem::nothing();
                problem.set(&self.nest);
                boxes::check_bytes(&problem)?;
                problem.normalise();
                run(&mut problem)
            }
        }
    }

    /// OVERLAP where runs in a caller's memory share bytes with what is written; `to` is its reach from `dst`.
    #[inline(always)]
    pub(super) fn check_lists(&self, dst: Dst, to: Reach) -> Result<()> {
        let none = self.boxes.is_none() && self.converting().is_none();
        if none { Ok(()) } else { self.check_own_lists(dst, to) }
    }

    #[inline(never)] // two callers
    fn check_own_lists(&self, dst: Dst, to: Reach) -> Result<()> {
        if let Some(relayout) = self.boxes {
            boxes::check_lists(relayout, dst, to)?;
        }
        let Some(converting) = self.converting() else { return Ok(()) };
        let entries = match self.boxes {
            Some(relayout) => converting.entries(1, &mut relayout.sizes.iter().copied()),
            None => converting.entries_of(&self.nest),
        };
        converting.check_lists(entries, dst.base.addr() as u64, to)
    }

    /// Calls `then` with the plan and lists for a call; INVALID_ARGUMENT if it takes none.
    pub(crate) fn with_lists(&self, lists: Lists, then: &mut dyn FnMut(&PlanView<'_>) -> Result<()>) -> Result<()> {
        if let Some(converting) = self.converting() {
            return self.with_own_lists(converting, lists, then);
        }
        let none = self.is_empty() || lists.given() == 0;
        Status::InvalidArgument.of(Argument::Plan).unless(none, Detail::NoList, 0, 0)?;
        then(self)
    }

    #[inline(never)] // keeps a second plan off the caller's stack
    fn with_own_lists(
        &self,
        converting: &Converting<'_>,
        lists: Lists,
        then: &mut dyn FnMut(&PlanView<'_>) -> Result<()>,
    ) -> Result<()> {
        converting.check_given(lists)?;
        let converting = Converting { lists, ..*converting };
        then(&PlanView { converting: Some(&converting), ..*self })
    }

    /// How two reaches that lie in their buffers share bytes.
    #[inline(never)] // four callers
    pub(super) fn sharing(&self, dst_address: u64, dst: Reach, src_address: u64, src: Reach) -> Sharing {
        if are_apart(dst_address, &dst, src_address, &src) {
            return Sharing::Apart;
        }
        let Some(converting) = self.converting() else {
            return self.sharing_with(&self.nest, dst_address, src_address);
        };
        let mut sharing = Sharing::Unknown;
        converting.with_dst_nest(&self.nest, &mut |to| {
            sharing = self.sharing_with(to, dst_address, src_address);
        });
        sharing
    }

    /// [`PlanView::sharing`] with the destination's own places, which are others than the nest's if it has another
    /// dtype.
    fn sharing_with(&self, to: &Nest<'_>, dst_address: u64, src_address: u64) -> Sharing {
        let alike = to.width == self.nest.width && to.loops.iter().zip(self.nest.loops).all(|(to, l)| to.dst == l.src);
        if let Some(Conversion { dst, src, .. }) = self.converting().map(|converting| converting.conversion)
            && dst.bits().min(src.bits()) < 8
        {
            let one_order = dst.bits() == src.bits() && dst.is_high_first() == src.is_high_first();
            let same_place = dst_address == src_address && to.dst_base == self.nest.src_base;
            return if alike && one_order && same_place && self.boxes.is_none() {
                Sharing::Same
            } else {
                Sharing::Shared
            };
        }
        let unit = self.nest.unit;
        let place = |address: u64| address as i128 * unit.per_byte() as i128;
        let (dst_place, src_place) = (place(dst_address), place(src_address));
        let orders = if let Unit::Bits(packing) = unit { Some(packing).filter(|p| !p.is_one_order()) } else { None };
        let shared = match (self.boxes, orders) {
            (Some(relayout), None) => relayout.sides_meet(dst_place, src_place, self.options.effort()),
            (Some(_), Some(_)) => Some(true),
            (None, _) => {
                let same_place = dst_place + to.dst_base as i128 == src_place + self.nest.src_base as i128;
                if same_place && orders.is_none() && alike {
                    return Sharing::Same;
                }
                // In the nest's own unit.
                let Some((written, read)) = to.reached().zip(self.nest.reached()) else { return Sharing::Unknown };
                let dst = occupied(to, dst_place, written.dst, |l| l.dst);
                let src = occupied(&self.nest, src_place, read.src, |l| l.src);
                match orders {
                    None => overlap::share_a_unit(&dst, &src, self.options.effort()),
                    // Each element counts as all bits that it may occupy in its byte.
                    Some(packing) => {
                        overlap::come_close(&dst, &src, [packing.element as i128; 2], self.options.effort())
                    }
                }
            }
        };
        match shared {
            Some(false) => Sharing::Apart,
            Some(true) => Sharing::Shared,
            None => Sharing::Unknown,
        }
    }
}

/// What one side of a nest occupies.
fn occupied<'a>(
    nest: &Nest<'a>,
    place: i128,
    reach: Reach,
    step: fn(&Loop) -> i64,
) -> Occupied<impl Iterator<Item = (i64, i64)> + Clone + use<'a>> {
    let loops = nest.loops.iter().map(move |l| (l.count, step(l)));
    let (lowest, highest) = (place + reach.lowest as i128, place + reach.highest as i128);
    Occupied { lowest, highest, width: nest.width as i128, scale: 1, loops }
}

impl fmt::Display for PlanView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.boxes {
            Some(relayout) => relayout.fmt(f)?,
            None => self.write_nest(f)?,
        }
        if let Some(converting) = self.converting() {
            converting.fmt(f)?;
        }
        self.options.write_flags(f)
    }
}
