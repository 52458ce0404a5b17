//! Plans as words: read from a caller's memory, and written there. Each kind of plan has its functions; `Owned` is a
//! plan in the library's own memory.

use super::super::converting::{CONVERSION_WORDS, Converting, decode, not_a_conversion};
use super::super::loops::{Loop, MAX_LOOPS};
use super::super::plan::{Plan, PlanView};
use super::super::plan_words::PlanWords;
use super::super::problem::Problem;
use super::super::relayout::{BOXES, BoxWords, MOST_WORDS, Mapped, Relayout};
use super::super::shortcut::Shortcut;
use super::super::words::{CONVERTS, HEADER, WORDS, kind_in_use, loops_in_use, words_after};
use super::{Dst, Src, execute_plan, once, shortcut};
use crate::error::{Argument, Result, Status};
use core::mem::MaybeUninit;

/// Reads the plan in a caller's memory, as far as it is in use, and calls `then` with it. Each word is read once, but
/// for the one that says the kind. INVALID_ARGUMENT if the words are not a plan.
///
/// # Safety
/// P4, while `then` runs.
#[inline(never)] // keeps its frame off the caller's stack
pub unsafe fn with_words<'r>(
    first: *const u64,
    then: &mut (dyn FnMut(&PlanView<'_>) -> Result<()> + 'r),
) -> Result<()> {
    // SAFETY: P4. Each kind reads the header for itself, and refuses one of another kind; so none has a second header
    // on its stack.
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
/// P4, while `then` runs.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn with_loops<'r>(first: *const u64, then: &mut (dyn FnMut(&PlanView<'_>) -> Result<()> + 'r)) -> Result<()> {
    // SAFETY: P4: the header, after it a shortcut, which is numbers of any value, and at most 62 loops of three words.
    unsafe {
        let header: [u64; HEADER] = once::array(first);
        let [claim, shape, ..] = header;
        let (kind, after) = (kind_in_use(shape), first.add(HEADER));
        let mut room = [MaybeUninit::uninit(); 3 * MAX_LOOPS];
        let shortcut = Shortcut::new(kind).unwrap_or(Shortcut::None); // none in bits
        // No further than the plan goes by its first word, whatever it says of its loops: it is refused then.
        let room_for_loops = words_after(claim).saturating_sub(shortcut.words()) / 3;
        let count = loops_in_use(shape).min(room_for_loops);
        let used = room.get_mut(..3 * count).unwrap_or(&mut []);
        let loops = once::as_loops(once::words(after.wrapping_add(shortcut.words()), used));
        match &(PlanWords { header: &header, shortcut, table: after, loops }).decode() {
            Ok(plan) => then(plan), // by reference: a second copy would take stack
            Err(error) => Err(*error),
        }
    }
}

/// # Safety
/// P4, while `then` runs.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn with_conversion<'r>(
    first: *const u64,
    then: &mut (dyn FnMut(&PlanView<'_>) -> Result<()> + 'r),
) -> Result<()> {
    let mut room = [MaybeUninit::uninit(); CONVERSION_WORDS + 4 * MAX_LOOPS];
    // SAFETY: P4.
    let header: [u64; HEADER] = unsafe { once::array(first) };
    let [claim, shape, ..] = header;
    // No further than the plan goes by its first word, whatever it says of its loops: it is refused then.
    let used = (CONVERSION_WORDS + 4 * loops_in_use(shape)).min(words_after(claim));
    let used = room.get_mut(..used).unwrap_or(&mut []);
    // SAFETY: P4: no more than `words_after` says.
    let words = unsafe { once::words(first.add(HEADER), used) };
    let (converting, count) = decode(&header, once::as_numbers(words)).ok_or_else(|| not_a_conversion(&header))?;
    let loops = words.get(CONVERSION_WORDS..CONVERSION_WORDS + count).unwrap_or(&[]);
    then(&PlanView::of_conversion(&converting, &header, once::as_loops(loops))?)
}

/// # Safety
/// P4, while `then` runs.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn with_boxes<'r>(first: *const u64, then: &mut (dyn FnMut(&PlanView<'_>) -> Result<()> + 'r)) -> Result<()> {
    // SAFETY: P4.
    let header: [u64; HEADER] = unsafe { once::array(first) };
    let mut words = [MaybeUninit::uninit(); MOST_WORDS];
    let mut room = [Mapped::NOTHING, Mapped::NOTHING];
    let [claim, ..] = header;
    let used = words.get_mut(..words_after(claim)).unwrap_or(&mut []);
    // SAFETY: P4: no more than `words_after` says.
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
    // SAFETY: the caller lets the words be written: header, shortcut and loops, 329 at most, none of which is `plan`'s.
    unsafe {
        let after = first.add(HEADER);
        let loops = plan.loops();
        let shortcut = match loops {
            [] => Shortcut::None, // one run, or none
            _ => shortcut::write(&plan.view(None), plan.machine.as_ref(), after),
        };
        let first_loop = after.add(shortcut.words()).cast::<Loop>();
        core::ptr::copy_nonoverlapping(loops.as_ptr(), first_loop, loops.len());
        first.cast::<[u64; HEADER]>().write(plan.header(shortcut));
    }
    Ok(())
}

/// [`write`] of a plan that may have boxes, or convert.
///
/// # Safety
/// The words of a plan may be written.
pub(crate) unsafe fn write_any(
    plan: &Plan,
    boxes: Option<&Relayout<'_>>,
    converting: Option<&Converting<'_>>,
    first: *mut u64,
) -> Result<()> {
    // SAFETY: the caller lets the words be written.
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
/// The words of a plan may be written.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn write_conversion(plan: &Plan, converting: &Converting<'_>, first: *mut u64) {
    let (loops, steps) = (plan.loops(), converting.values.steps);
    // SAFETY: the caller lets the words be written: header, conversion, loops and steps are 267 words at most.
    unsafe {
        let after = first.add(HEADER).add(CONVERSION_WORDS);
        core::ptr::copy_nonoverlapping(loops.as_ptr(), after.cast(), loops.len());
        core::ptr::copy_nonoverlapping(steps.as_ptr(), after.add(3 * loops.len()).cast(), steps.len());
        first.add(HEADER).cast::<[u64; CONVERSION_WORDS]>().write(converting.words());
        first.cast::<[u64; HEADER]>().write(plan.header_of_conversion());
    }
}

/// # Safety
/// The words of a plan may be written.
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
    // SAFETY: the caller lets the words be written; `count` is no more than a plan has.
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
        // SAFETY: as many words as a plan has, which are this function's.
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
        // SAFETY: P4: the words are this plan's own.
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
        // SAFETY: the caller vouches for both buffers.
        unsafe {
            match self {
                Self::Nest(plan) if part == [0, 1] => execute_plan(plan, dst, src),
                _ => self.with(|plan| super::execute(plan, dst, src, None, part)),
            }
        }
    }
}
