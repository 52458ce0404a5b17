//! Execution: proof first, then the walk.
//!
//! 1. The plan's own loops say which bytes they reach on either side. Every one must lie in `[0, length)` of the buffer
//!    named, and the buffer in the address space. This holds for a forged plan as for a valid one.
//! 2. Two comparisons find ranges that are apart. Otherwise [`overlap`] decides, in bytes. Identical mappings need no
//!    copy; anything shared is refused, unless the options allow overlap (`moving`).
//! 3. A part takes its share of the iterations: the slowest loop with enough of them is cut (preferably one that leaves
//!    runs), or several; in the end the run itself, at multiples of 64 bytes. Iterations write different elements, so
//!    parts never share a destination byte.
//! 4. An odometer over the loops that the kernel does not take calls the kernel. No recursion.
//! 5. With FILL_BUFFER the bytes that no element occupies get the fill value, in the same parts (`rest`).
//!
//! Nothing is touched before step 3.
//!
//! What is proved has a number, by which `# Safety` sections demand it and SAFETY lines cite it (K1 to K8: `kernels`):
//!
//! * **P1** Every byte that is reached lies in its buffer: the destination's may be written, below a byte also read
//!   where they hold others, the source's read.
//! * **P2** No byte, below a byte no bit, belongs to both sides, unless a conversion finds each element in its own
//!   place. With ASSUME_DISTINCT, or if a list was changed since, this is somebody's word alone; K6 limits the harm.
//! * **P3** The choice fits the loops (`Choice::fits`).
//! * **P4** The words that a plan has in use may be read, aligned: the caller's promise. Anybody may have written them.
//! * **P5** Every entry that a conversion reaches lies in the call's lists, which may be read.

pub mod batch;
mod batch_offsets;
mod bit_walk;
mod boxes;
pub mod compare;
mod convert_walk;
mod converter;
mod kinds;
mod matrices;
mod moving;
mod odometer;
pub(crate) mod once;
mod picks;
mod portion_rows;
mod portions;
pub mod quick;
mod rest;
mod row_tables;
mod share;
pub mod shortcut;
pub mod stage;
pub mod stored;
pub mod tile_stage;
mod walk;

use super::converting::Converting;
use super::nest::{Reach, Reached};
use super::options;
use super::plan::{Plan, PlanView};
use super::relayout::Relayout;
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::overlap;
pub(crate) use moving::direction_suffices;
pub(crate) use odometer::try_each_iteration;
pub(crate) use rest::is_nested;
use walk::{run, run_large};

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

/// The bytes that source and destination share.
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

/// [`execute`] of a whole plan of loops that was just made, by the shortest proof if that suffices: no FILL_BUFFER,
/// something to copy, both reaches in their buffers, the buffers in the address space, and the two ranges apart.
///
/// # Safety
/// As [`execute`].
#[inline(always)]
pub unsafe fn execute_plan(plan: &Plan, dst: Dst, src: Src) -> Result<()> {
    let (flags, to, from) = (plan.options.flags, &plan.reached.dst, &plan.reached.src);
    let trusted = flags & options::ASSUME_DISTINCT != 0;
    let plain = flags & options::FILL_BUFFER == 0 && plan.problem.width != 0;
    // SAFETY: P1 by `lie_in`; P2 by `lie_apart`, or by ASSUME_DISTINCT (K6); P3: the choice was made for these loops.
    // Else `execute` proves all of it.
    unsafe {
        if plain && if trusted { lie_in(to, dst, from, src) } else { lie_apart(to, dst, from, src) } {
            run(plan.choice, &plan.problem.nest(), dst.base, src.base);
            return Ok(());
        }
        execute_made(plan, None, None, dst, src, None)
    }
}

/// [`execute`] of a whole plan of any kind that was just made.
///
/// # Safety
/// As [`execute`].
#[inline(never)] // keeps the view off the caller's stack
pub(crate) unsafe fn execute_made(
    plan: &Plan,
    boxes: Option<&Relayout<'_>>,
    converting: Option<&Converting<'_>>,
    dst: Dst,
    src: Src,
    scratch: Option<Dst>,
) -> Result<()> {
    // SAFETY: the caller vouches for both buffers, the scratch and the lists; P3: the choice was just made.
    unsafe { execute(&plan.view_of(boxes, converting), dst, src, scratch, [0, 1]) }
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

/// The checks of [`execute`] for `parts` parts, before anything is touched, of slices: they share no byte, and their
/// lengths are true.
pub(crate) fn check(plan: &PlanView<'_>, dst: Dst, src: Src, parts: u32) -> Result<()> {
    check_part(0, parts)?;
    if !plan.is_empty() {
        check_buffers(plan, dst, src)?;
    }
    Ok(())
}

/// Bytes of scratch that [`execute`] needs for these addresses: 0 unless the two sides share bytes in a way that no
/// direction of travel can handle and the plan allows overlap.
pub fn scratch_bytes(plan: &PlanView<'_>, dst_address: u64, src_address: u64) -> Result<u64> {
    if plan.is_empty() || plan.options.flags & (options::OVERLAP | options::FILL_BUFFER) != options::OVERLAP {
        return Ok(0);
    }
    let everything = u64::MAX;
    let dst_reach = check_reach(plan.reached.dst, dst_address, everything, Argument::DstAddress)?;
    let src_reach = check_reach(plan.reached.src, src_address, everything, Argument::SrcAddress)?;
    match plan.sharing(dst_address, dst_reach, src_address, src_reach) {
        Sharing::Shared | Sharing::Unknown if !direction_suffices(plan) => Ok(moving::scratch_needed(plan)),
        _ => Ok(0),
    }
}

/// Runs part `part` of `parts` of a plan, with scratch memory for copies that overlap if there is some.
///
/// Errors, all before anything is touched: INVALID_ARGUMENT for the part; NULL_POINTER and OUT_OF_BOUNDS for a buffer;
/// OVERLAP, UNDECIDED, or with the OVERLAP flag SCRATCH_NEEDED.
///
/// # Safety
/// P3. `dst` may be written, below a byte also read, and `src` read over the bytes that the plan reaches, while the
/// call runs, as far as the lengths allow. The lists may be read, and `scratch` read and written. With FILL_BUFFER
/// all of `dst` may be written.
pub unsafe fn execute(
    plan: &PlanView<'_>,
    dst: Dst,
    src: Src,
    scratch: Option<Dst>,
    [part, parts]: [u32; 2],
) -> Result<()> {
    check_part(part, parts)?;
    let fills = plan.options.flags & options::FILL_BUFFER != 0;
    let whole = if fills { Some(check_whole(dst)?) } else { None };
    if plan.is_empty() {
        if fills {
            // SAFETY: the caller lets all of `dst` be written; `check_whole`: it is addressable.
            unsafe { rest::fill_run(plan, dst.base, [0, dst.bytes], [part, parts]) };
        }
        return Ok(());
    }
    let [to, from] = check_buffers(plan, dst, src)?;
    plan.check_lists(dst, whole.unwrap_or(to))?;
    let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
    let sharing = if let Some(whole) = &whole {
        // The fill writes the whole buffer: no source element may lie in it, however distinct the elements are. The
        // source's range must be apart from it, even if a tensor is copied onto itself.
        if are_apart(dst_address, whole, src_address, &from) { Sharing::Apart } else { Sharing::Shared }
    } else if plan.options.flags & options::ASSUME_DISTINCT != 0 {
        Sharing::Apart
    } else {
        plan.sharing(dst_address, to, src_address, from)
    };
    let allowed = plan.options.flags & (options::OVERLAP | options::FILL_BUFFER) == options::OVERLAP;
    // SAFETY: P1 by `check_buffers`; P2 where `sharing` is `Apart` (ASSUME_DISTINCT: K6) or `Same`, the others have
    // their own proof; P3 and the scratch by the caller; P5 by `check_lists`. With FILL_BUFFER the caller lets all of
    // `dst` be written, `check_whole`: it is addressable, and no source byte lies in it.
    unsafe {
        match sharing {
            // A conversion moves each element once, in place.
            Sharing::Same => {
                if let Some(converting) = plan.converting() {
                    convert_walk::run_part(plan, converting, dst.base, src.base, [part, parts]);
                }
                Ok(())
            }
            Sharing::Shared | Sharing::Unknown if allowed && plan.converting().is_some() => {
                moving::convert_shared(plan, dst, src, scratch, part)
            }
            Sharing::Shared | Sharing::Unknown if allowed => moving::run_shared(plan, dst, src, scratch, part),
            Sharing::Shared => Err(they_overlap(dst_address, whole.unwrap_or(to), src_address, from)),
            Sharing::Unknown => Err(overlap::undecided(plan.options.overlap_budget).argument(Argument::Src)),
            Sharing::Apart => {
                let share = match plan.converting() {
                    _ if !fills => [part, parts],
                    Some(converting) => convert_walk::fill(plan, converting, dst, to, [part, parts]),
                    None => rest::fill(plan, dst, to, [part, parts]),
                };
                let apart = are_apart(dst_address, &to, src_address, &from);
                plan.run_part(dst, src, share, apart);
                Ok(())
            }
        }
    }
}

fn check_part(part: u32, parts: u32) -> Result<()> {
    if part < parts {
        return Ok(());
    }
    let error = |argument| Status::InvalidArgument.of(argument);
    Err(match parts {
        0 => error(Argument::Parts).because(Detail::Below, 0, 1),
        _ => error(Argument::Part).because(Detail::OutOfRange, part as i64, parts as i64),
    })
}

/// NULL_POINTER, or OUT_OF_BOUNDS if a byte that is reached lies outside the buffer or the address space.
fn check_buffer(reach: Reach, address: u64, bytes: u64, arguments: [Argument; 2]) -> Result<Reach> {
    let [pointer, length] = arguments;
    if address == 0 {
        return Err(Status::NullPointer.of(pointer));
    }
    check_reach(reach, address, bytes, length)
}

/// [`check_buffer`] of both sides, as far as each has an element. Returns what both reach.
fn check_buffers(plan: &PlanView<'_>, dst: Dst, src: Src) -> Result<[Reach; 2]> {
    let Reached { dst: to, src: from, .. } = plan.needed();
    let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
    check_buffer(to, dst_address, dst.bytes, [Argument::Dst, Argument::DstBytes])?;
    // A copy of the fill value alone reads no source, which may then have no byte.
    if !from.is_nothing() {
        check_buffer(from, src_address, src.bytes, [Argument::Src, Argument::SrcBytes])?;
    }
    Ok([plan.reached.dst, plan.reached.src])
}

/// [`check_buffer`] for an address that is only a number.
fn check_reach(reach: Reach, address: u64, bytes: u64, length: Argument) -> Result<Reach> {
    if lies_in(&reach, address, bytes) {
        return Ok(reach);
    }
    let error = Status::OutOfBounds.of(length);
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
    // The reach of one element from end to end; without a length only the address is checked.
    let reach = Reach { lowest: 0, highest: 0, end: whole.unwrap_or(1) };
    if dst.bytes != 0 {
        check_buffer(reach, dst.base.addr() as u64, dst.bytes, [Argument::Dst, Argument::DstBytes])?;
    }
    let error = Status::OutOfBounds.of(Argument::DstBytes);
    whole.map(|_| reach).map_err(|_| error.because_wide(Detail::UnknownLength, 0, dst.bytes as i128))
}

/// OVERLAP, with the distance from the destination to the source and the bytes that the destination spans.
fn they_overlap(dst_address: u64, dst: Reach, src_address: u64, src: Reach) -> Error {
    let first = |address: u64, reach: Reach| address as i128 + reach.lowest as i128;
    let distance = first(src_address, src) - first(dst_address, dst);
    let error = Status::Overlap.of(Argument::Src);
    error.because_wide(Detail::SharedBytes, distance, dst.end as i128 - dst.lowest as i128)
}
