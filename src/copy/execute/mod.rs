//! Execution: proof first, then the walk.
//!
//! 1. The plan's own loops say which bytes they reach on either side. Every one must lie in `[0, length)` of the buffer
//!    named, and the buffer in the address space. This holds for a forged plan as for a valid one.
//! 2. Two comparisons find ranges that are apart. Otherwise [`overlap`] decides, in bytes. Identical mappings need no
//!    copy; anything shared is refused, unless the caller asked for memmove's semantics (`moving`).
//! 3. A part takes its share of the iterations: the slowest loop with enough of them is cut (preferably one that leaves
//!    runs), or several; in the end the run itself, in pieces of 64 bytes. Iterations write different elements, so
//!    parts never share a destination byte.
//! 4. An odometer over the loops that the kernel does not take calls the kernel. No recursion.
//! 5. With FILL_BUFFER the bytes that no element occupies get the fill value, in the same parts (`rest`).
//!
//! Nothing is touched before step 3.

pub mod batch;
pub mod bits;
pub mod compare;
pub mod facts;
pub mod fill;
mod matrices;
mod moving;
mod odometer;
pub(crate) mod once;
mod part;
mod places;
pub mod quick;
pub mod relayout;
mod rest;
mod share;
pub mod shortcut;
mod take;
mod walk;

use super::choose::{Choice, choose_for};
use super::loops::Loop;
use super::nest::{Reach, Reached};
use super::options;
use super::plan::{Plan, PlanView, Prepared};
use super::problem::Problem;
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::overlap::{self, Occupied};
pub(super) use odometer::for_each_turn;
use walk::run;

/// A caller's buffer for writing: base pointer and length in bytes, `u64::MAX` if the caller vouches for it.
#[derive(Clone, Copy, Debug)]
pub struct Dst {
    /// Start of the buffer.
    pub base: *mut u8,
    /// Its length.
    pub bytes: u64,
}

/// A caller's buffer for reading.
#[derive(Clone, Copy, Debug)]
pub struct Src {
    /// Start of the buffer.
    pub base: *const u8,
    /// Its length.
    pub bytes: u64,
}

/// How source and destination share bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Apart,
    /// Each element is its own source.
    Same,
    /// Some byte belongs to both.
    Shared,
    /// The budget ran out first.
    Unknown,
}

/// Runs part `part` of `parts` of a plan.
///
/// Errors, all before anything is touched: INVALID_ARGUMENT for the part; NULL_POINTER and OUT_OF_BOUNDS for a buffer;
/// OVERLAP, UNDECIDED, or with the OVERLAP flag SCRATCH_NEEDED.
///
/// # Safety
/// `dst` may be written and `src` read over the bytes that the plan reaches, for as long as the call runs, as far as
/// the lengths allow. With FILL_BUFFER all of `dst` may be written.
pub unsafe fn execute(plan: &PlanView<'_>, dst: Dst, src: Src, part: u32, parts: u32) -> Result<()> {
    // SAFETY: the caller's promise is the one that `execute_with` asks for; there is no scratch.
    unsafe { execute_with(plan, dst, src, None, part, parts) }
}

/// [`execute`] of a whole plan that was just made. The shortest proof comes first: no FILL_BUFFER, something to copy,
/// both reaches in their buffers, the buffers in the address space, and the two ranges apart.
///
/// # Safety
/// As [`execute`].
#[inline(always)]
pub unsafe fn execute_plan(plan: &Plan, dst: Dst, src: Src) -> Result<()> {
    let (flags, to, from) = (plan.options.flags, &plan.reached.dst, &plan.reached.src);
    let trusted = flags & options::ASSUME_DISTINCT != 0;
    let plain = flags & options::FILL_BUFFER == 0 && plan.problem.width != 0;
    // SAFETY: as promised to this function; the reach lies in both buffers, and nothing is shared.
    unsafe {
        if plain && if trusted { lie_in(to, dst, from, src) } else { lie_apart(to, dst, from, src) } {
            run(plan.choice, &plan.problem.nest(), dst.base, src.base);
            return Ok(());
        }
        execute_plan_with(plan, dst, src)
    }
}

/// # Safety
/// As [`execute`].
#[inline(never)] // keeps the view off the caller's stack
unsafe fn execute_plan_with(plan: &Plan, dst: Dst, src: Src) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe { execute(&plan.view(), dst, src, 0, 1) }
}

/// [`execute_plan`] of a copy for which any operands were given.
///
/// # Safety
/// As [`execute`].
pub(crate) unsafe fn execute_prepared(plan: &Plan, prepared: Prepared<'_>, dst: Dst, src: Src) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe {
        match prepared {
            Prepared::Bytes => execute_plan(plan, dst, src),
            Prepared::Bits(packing) => bits::execute_plan(plan, packing, dst, src, None),
            Prepared::Tiles(relayout) => relayout::execute(&relayout, &plan.options, plan.fill_period, dst, src, 0, 1),
        }
    }
}

/// Whether both reaches lie in their buffers, and those in the address space.
#[inline(always)]
fn lie_in(to: &Reach, dst: Dst, from: &Reach, src: Src) -> bool {
    let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
    (dst_address != 0)
        & (src_address != 0)
        & lies_in(to, dst_address, dst.bytes)
        & lies_in(from, src_address, src.bytes)
}

/// [`lie_in`], and whether the two reaches are apart.
#[inline(always)]
fn lie_apart(to: &Reach, dst: Dst, from: &Reach, src: Src) -> bool {
    lie_in(to, dst, from, src) && are_apart(dst.base.addr() as u64, to, src.base.addr() as u64, from)
}

/// Whether a reach lies in a buffer of this many bytes, and in the address space.
#[inline(always)]
fn lies_in(reach: &Reach, address: u64, bytes: u64) -> bool {
    let end = address.checked_add(reach.end as u64);
    (reach.lowest >= 0) & (reach.end as u64 <= bytes) & end.is_some_and(|end| usize::try_from(end).is_ok())
}

/// Whether one of two reaches ends before the other begins.
#[inline(always)]
fn are_apart(dst_address: u64, dst: &Reach, src_address: u64, src: &Reach) -> bool {
    let begin = |address: u64, reach: &Reach| address.wrapping_add(reach.lowest as u64);
    let end = |address: u64, reach: &Reach| address.wrapping_add(reach.end as u64);
    end(dst_address, dst) <= begin(src_address, src) || end(src_address, src) <= begin(dst_address, dst)
}

/// [`execute`] of the whole plan with scratch memory for copies that overlap.
///
/// # Safety
/// As [`execute`], and `scratch` may be written.
pub unsafe fn execute_scratch(plan: &PlanView<'_>, dst: Dst, src: Src, scratch: Dst) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe { execute_with(plan, dst, src, Some(scratch), 0, 1) }
}

/// What [`execute`] checks of `parts` parts before anything is touched, for slices, which share no byte and whose
/// lengths are true.
pub(crate) fn check(plan: &PlanView<'_>, dst: Dst, src: Src, parts: u32) -> Result<()> {
    check_part(0, parts)?;
    if !plan.is_empty() {
        check_buffers(plan.reached, dst, src)?;
    }
    Ok(())
}

/// Bytes of scratch that [`execute_scratch`] needs for these addresses: 0 unless the two sides share bytes in a way
/// that no direction of travel can handle and the plan allows overlap.
pub fn scratch_bytes(plan: &PlanView<'_>, dst_address: u64, src_address: u64) -> Result<u64> {
    if plan.is_empty() || plan.options.flags & (options::OVERLAP | options::FILL_BUFFER) != options::OVERLAP {
        return Ok(0);
    }
    let everything = u64::MAX;
    let dst_reach = check_reach(plan.reached.dst, dst_address, everything, Argument::DstAddress)?;
    let src_reach = check_reach(plan.reached.src, src_address, everything, Argument::SrcAddress)?;
    match sharing(plan, dst_address, dst_reach, src_address, src_reach) {
        Sharing::Shared | Sharing::Unknown if !moving::direction_suffices(plan) => Ok(plan.bytes_moved()),
        _ => Ok(0),
    }
}

/// # Safety
/// As [`execute`] and [`execute_scratch`].
#[inline(never)]
unsafe fn execute_with(
    plan: &PlanView<'_>,
    dst: Dst,
    src: Src,
    scratch: Option<Dst>,
    part: u32,
    parts: u32,
) -> Result<()> {
    check_part(part, parts)?;
    let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
    let fill_rest = plan.options.flags & options::FILL_BUFFER != 0;
    let written = if fill_rest { Some(check_whole(dst)?) } else { None };
    if plan.is_empty() {
        if fill_rest {
            // SAFETY: all of `dst` is the caller's to write, checked to be addressable.
            unsafe { rest::fill_run(plan.fill(), dst.base, 0, dst.bytes, part, parts) };
        }
        return Ok(());
    }
    let [dst_reach, src_reach] = check_buffers(plan.reached, dst, src)?;
    let sharing = if let Some(whole) = &written {
        // The fill writes the whole buffer: no source element may lie in it, however distinct the elements are. The
        // source's range must be apart from it, even if a tensor is copied onto itself.
        let apart = are_apart(dst_address, whole, src_address, &src_reach);
        if apart { Sharing::Apart } else { Sharing::Shared }
    } else if plan.options.flags & options::ASSUME_DISTINCT != 0 {
        Sharing::Apart
    } else {
        sharing(plan, dst_address, dst_reach, src_address, src_reach)
    };
    if matches!(sharing, Sharing::Shared | Sharing::Unknown) {
        let allowed = plan.options.flags & (options::OVERLAP | options::FILL_BUFFER) == options::OVERLAP;
        if !allowed {
            return Err(match sharing {
                Sharing::Unknown => overlap::undecided(plan.options.overlap_budget).argument(Argument::Src),
                _ => they_overlap(dst_address, written.unwrap_or(dst_reach), src_address, src_reach),
            });
        }
        // SAFETY: both reaches were proved to lie in the buffers.
        return unsafe { moving::run(plan, dst, src, scratch, part) };
    }
    if sharing == Sharing::Same {
        return Ok(());
    }
    if fill_rest && !rest::goes_by_place(plan, parts) {
        // One part fills everything and then copies.
        if part == 0 {
            // SAFETY: all of `dst` is the caller's to write; the reaches were proved; no source byte lies in `dst`.
            unsafe {
                rest::fill_run(plan.fill(), dst.base, 0, dst.bytes, 0, 1);
                run(plan.choice, &plan.nest, dst.base, src.base);
            }
        }
        return Ok(());
    }
    if fill_rest {
        // SAFETY: the gaps lie between bytes 0 and `dst.bytes`, which are the caller's to write.
        unsafe { rest::fill_gaps(plan, dst, dst_reach, part, parts) };
    }
    if parts == 1 {
        // SAFETY: the reach was proved to lie in both buffers; nothing is shared.
        unsafe { run(plan.choice, &plan.nest, dst.base, src.base) };
        return Ok(());
    }
    // SAFETY: as just proved.
    unsafe { run_part(plan, dst, src, part, parts) };
    Ok(())
}

/// # Safety
/// The reach was proved to lie in both buffers; nothing is shared.
#[inline(never)] // keeps the problem off the caller's stack
unsafe fn run_part(plan: &PlanView<'_>, dst: Dst, src: Src, part: u32, parts: u32) {
    let mut problem = Problem::nothing();
    problem.set(&plan.nest);
    if problem.part(part, parts) {
        // The choice of the whole copy, if it fits.
        let choice = if plan.choice.fits(&problem.nest()) { plan.choice } else { choose_part(&mut problem, plan) };
        // SAFETY: a part of the iterations reaches a part of what was proved to lie in the buffers.
        unsafe { run(choice, &problem.nest(), dst.base, src.base) };
    }
}

/// The choice for a part that the whole copy's choice does not fit.
#[inline(never)] // keeps its frame off the caller's stack
fn choose_part(problem: &mut Problem, plan: &PlanView<'_>) -> Choice {
    problem.normalise();
    choose_for(None, problem, &plan.options, plan.bytes_moved())
}

fn check_part(part: u32, parts: u32) -> Result<()> {
    if part < parts {
        return Ok(());
    }
    let error = |argument| Error::new(Status::InvalidArgument).argument(argument);
    Err(match parts {
        0 => error(Argument::Parts).because(Detail::Below, 0, 1),
        _ => error(Argument::Part).because(Detail::OutOfRange, part as i64, parts as i64),
    })
}

/// NULL_POINTER, or OUT_OF_BOUNDS if a byte that is reached lies outside the buffer or the address space.
fn check_buffer(reach: Reach, address: u64, bytes: u64, arguments: [Argument; 2]) -> Result<Reach> {
    let [pointer, length] = arguments;
    if address == 0 {
        return Err(Error::new(Status::NullPointer).argument(pointer));
    }
    check_reach(reach, address, bytes, length)
}

/// [`check_buffer`] of both sides.
fn check_buffers(reached: Reached, dst: Dst, src: Src) -> Result<[Reach; 2]> {
    Ok([
        check_buffer(reached.dst, dst.base.addr() as u64, dst.bytes, [Argument::Dst, Argument::DstBytes])?,
        check_buffer(reached.src, src.base.addr() as u64, src.bytes, [Argument::Src, Argument::SrcBytes])?,
    ])
}

/// [`check_buffer`] for an address that is only a number.
fn check_reach(reach: Reach, address: u64, bytes: u64, length: Argument) -> Result<Reach> {
    if lies_in(&reach, address, bytes) {
        return Ok(reach);
    }
    let error = Error::new(Status::OutOfBounds).argument(length);
    Err(if reach.lowest < 0 {
        error.because(Detail::BeforeStart, reach.lowest, 0)
    } else if reach.end as u64 > bytes {
        error.because_wide(Detail::PastEnd, reach.end as i128, bytes as i128)
    } else {
        error.because(Detail::AddressSpace, reach.end, address as i64)
    })
}

/// [`check_buffer`] for a buffer that is written from end to end; returns its reach.
fn check_whole(dst: Dst) -> Result<Reach> {
    let whole = i64::try_from(dst.bytes);
    let end = whole.unwrap_or(1); // without a length only the address is checked
    let reach = Reach { lowest: 0, highest: 0, end }; // as for one element
    if dst.bytes == 0 {
        return Ok(reach);
    }
    check_buffer(reach, dst.base.addr() as u64, dst.bytes, [Argument::Dst, Argument::DstBytes])?;
    whole.map(|_| reach).map_err(|_| {
        let error = Error::new(Status::OutOfBounds).argument(Argument::DstBytes);
        error.because_wide(Detail::UnknownLength, 0, dst.bytes as i128)
    })
}

/// OVERLAP, with the distance from the destination to the source and the bytes that the destination spans.
fn they_overlap(dst_address: u64, dst: Reach, src_address: u64, src: Reach) -> Error {
    let first = |address: u64, reach: Reach| address as i128 + reach.lowest as i128;
    let distance = first(src_address, src) - first(dst_address, dst);
    let error = Error::new(Status::Overlap).argument(Argument::Src);
    error.because_wide(Detail::SharedBytes, distance, dst.end as i128 - dst.lowest as i128)
}

/// How two reaches that lie in their buffers share bytes.
fn sharing(plan: &PlanView<'_>, dst_address: u64, dst: Reach, src_address: u64, src: Reach) -> Sharing {
    if are_apart(dst_address, &dst, src_address, &src) {
        return Sharing::Apart;
    }
    let at = |address: u64, offset: i64| address as i128 + offset as i128;
    let loops = plan.nest.loops;
    if at(dst_address, plan.nest.dst_base) == at(src_address, plan.nest.src_base)
        && loops.iter().all(|l| l.dst == l.src)
    {
        return Sharing::Same;
    }
    let occupied = |address, reach: Reach, step: fn(&Loop) -> i64| Occupied {
        lowest: at(address, reach.lowest),
        highest: at(address, reach.highest),
        width: plan.nest.width as i128,
        scale: 1,
        loops: loops.iter().map(move |l| (l.count, step(l))),
    };
    let (dst, src) = (occupied(dst_address, dst, |l| l.dst), occupied(src_address, src, |l| l.src));
    match overlap::share_a_unit(&dst, &src, plan.options.effort()) {
        Some(false) => Sharing::Apart,
        Some(true) => Sharing::Shared,
        None => Sharing::Unknown,
    }
}
