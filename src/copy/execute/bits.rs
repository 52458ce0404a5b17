//! Plans in bits: the proof as for any copy, in bits, then the walk.
//!
//! The reach of both sides is known in bits; the bytes that hold it must lie in the buffers. Both addresses are known,
//! so whether a *bit* belongs to both sides is decided as for bytes: by ranges, gcd and solver. If the bit orders
//! differ, each element counts as all bits that it may occupy in its byte, so that elements of one byte count as
//! shared.
//!
//! Sides that share bits are copied through scratch memory (STRIDE_COPY_OVERLAP), never by direction. One part does
//! everything if the sides share bytes but no bit, and with FILL_BUFFER, which fills the buffer and then copies.
//!
//! The walk takes the fastest loop. If the two can be a transpose, it also takes the loop that is contiguous in the
//! source:
//!
//! | the fastest loop in the destination | |
//! |---|---|
//! | none, or pieces above 32 bits | runs of bits, shifted |
//! | contiguous, single elements; another is contiguous in the source, and both are a quarter of a word | transpose |
//! | contiguous, repeats one element; steps back by one | fill; reverse, a word at a time |
//! | contiguous | gather, a word of the destination at a time |
//! | anything else | piece by piece |

use super::super::bits::{BitView, BitWords};
use super::super::boxes::Pairs;
use super::super::kernels::bit_matrix::{self, Matrix};
use super::super::kernels::bits::{self, Packing, WIDEST_PIECE};
use super::super::loops::{Loop, Loops};
use super::super::nest::{Nest, Reach};
use super::super::options;
use super::super::plan::Plan;
use super::super::problem::Problem;
use super::moving::{check_scratch, scratch_of, set_half};
use super::odometer::for_each_turn;
use super::{
    Dst, Sharing, Src, are_apart, check_buffer, check_buffers, check_part, check_reach, check_whole, they_overlap,
};
use crate::error::{Argument, Result};
use crate::model::overlap::{self, Effort, Occupied};
use core::ops::ControlFlow;

/// Runs part `part` of `parts` of a plan as it lies in a caller's memory; errors as
/// [`execute`](super::execute).
///
/// # Safety
/// As [`execute`](super::execute), and `scratch` may be written.
#[inline(never)] // keeps its frame off the caller's stack
pub unsafe fn execute_words(
    words: BitWords<'_>,
    dst: Dst,
    src: Src,
    scratch: Option<Dst>,
    part: u32,
    parts: u32,
) -> Result<()> {
    let plan = words.decode()?;
    // SAFETY: as promised to this function.
    unsafe { execute(&plan, dst, src, scratch, part, parts) }
}

/// [`execute`] of a whole plan that was just made.
///
/// # Safety
/// As [`execute`].
#[cold]
#[inline(never)]
pub(crate) unsafe fn execute_plan(
    plan: &Plan,
    packing: Packing,
    dst: Dst,
    src: Src,
    scratch: Option<Dst>,
) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe { execute(&plan.view_bits(packing), dst, src, scratch, 0, 1) }
}

/// What [`execute`] checks of `parts` parts before anything is touched, for slices, which share no byte and whose
/// lengths are true.
pub(crate) fn check(plan: &BitView<'_>, dst: Dst, src: Src, parts: u32) -> Result<()> {
    check_part(0, parts)?;
    check_buffers(plan.reached_bytes(), dst, src).map(|_| ())
}

/// Runs part `part` of `parts`; errors as [`execute`](super::execute), with scratch memory as
/// [`execute_scratch`](super::execute_scratch).
///
/// # Safety
/// As [`execute`](super::execute), and `scratch` may be written.
pub(crate) unsafe fn execute(
    plan: &BitView<'_>,
    dst: Dst,
    src: Src,
    scratch: Option<Dst>,
    part: u32,
    parts: u32,
) -> Result<()> {
    check_part(part, parts)?;
    let fill_rest = plan.options.flags & options::FILL_BUFFER != 0;
    let whole = if fill_rest { Some(check_whole(dst)?) } else { None };
    let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
    let [to, from] = check_buffers(plan.reached_bytes(), dst, src)?;
    // The fill writes the whole buffer: no source byte may lie in it, not even with the same mapping.
    let written = whole.unwrap_or(to);
    let apart = are_apart(dst_address, &written, src_address, &from);
    let sharing = if apart {
        Sharing::Apart
    } else if fill_rest {
        Sharing::Shared
    } else if plan.options.flags & options::ASSUME_DISTINCT != 0 {
        Sharing::Apart
    } else {
        sharing(plan, dst_address, src_address)
    };
    match sharing {
        Sharing::Apart => {}
        Sharing::Same => return Ok(()),
        Sharing::Shared | Sharing::Unknown => {
            let allowed = plan.options.flags & (options::OVERLAP | options::FILL_BUFFER) == options::OVERLAP;
            if !allowed {
                return Err(match sharing {
                    Sharing::Unknown => overlap::undecided(plan.options.overlap_budget).argument(Argument::Src),
                    _ => they_overlap(dst_address, written, src_address, from),
                });
            }
            let needed = plan.bytes_moved();
            let scratch = scratch_of(scratch, needed)?;
            check_scratch([(dst_address, to), (src_address, from)], scratch, needed)?;
            // SAFETY: both reaches were proved; the scratch is apart from them.
            unsafe { by_scratch(plan, dst, src, scratch, needed) };
            return Ok(());
        }
    }
    if fill_rest || !apart {
        // Position alone does not distinguish gaps from elements, and a byte that holds elements of both sides needs a
        // single writer.
        if part > 0 {
            return Ok(());
        }
        // SAFETY: all of `dst` is the caller's to write; the reaches were proved; nothing is shared.
        unsafe {
            if fill_rest {
                let byte = plan.options.fill.first().copied().unwrap_or(0);
                core::ptr::write_bytes(dst.base, byte, dst.bytes as usize);
            }
            run(&plan.nest, plan.packing, plan.options.flags, dst.base, src.base);
        }
        return Ok(());
    }
    // SAFETY: both reaches were proved; nothing is shared.
    unsafe { run_share(plan, dst, src, part, parts) };
    Ok(())
}

/// Runs one of `pieces` pieces of a copy.
///
/// # Safety
/// Both reaches were proved to lie in the buffers; nothing is shared.
pub(super) unsafe fn run_share(plan: &BitView<'_>, dst: Dst, src: Src, piece: u32, pieces: u32) {
    // SAFETY: as promised to this function.
    unsafe {
        match pieces {
            1 => run(&plan.nest, plan.packing, plan.options.flags, dst.base, src.base),
            _ => run_part(plan, dst, src, piece, pieces),
        }
    }
}

/// # Safety
/// Both reaches were proved to lie in the buffers; nothing is shared.
#[inline(never)] // keeps the problem off the caller's stack
unsafe fn run_part(plan: &BitView<'_>, dst: Dst, src: Src, part: u32, parts: u32) {
    let mut problem = Problem::nothing();
    problem.set(&plan.nest);
    if problem.part_of_bits(part, parts) {
        problem.normalise();
        // SAFETY: a part of the iterations reaches a part of what was proved.
        unsafe { run(&problem.nest(), plan.packing, plan.options.flags, dst.base, src.base) };
    }
}

/// Bytes of scratch that a plan needs for these addresses: as [`scratch_bytes`](super::scratch_bytes).
pub fn scratch_bytes(plan: &BitView<'_>, dst_address: u64, src_address: u64) -> Result<u64> {
    if plan.options.flags & (options::OVERLAP | options::FILL_BUFFER) != options::OVERLAP {
        return Ok(0);
    }
    let to = check_reach(plan.reached.dst.in_bytes(), dst_address, u64::MAX, Argument::DstAddress)?;
    let from = check_reach(plan.reached.src.in_bytes(), src_address, u64::MAX, Argument::SrcAddress)?;
    if are_apart(dst_address, &to, src_address, &from) {
        return Ok(0);
    }
    Ok(match sharing(plan, dst_address, src_address) {
        Sharing::Shared | Sharing::Unknown => plan.bytes_moved(),
        Sharing::Apart | Sharing::Same => 0,
    })
}

/// How two reaches that are not apart share bits.
fn sharing(plan: &BitView<'_>, dst_address: u64, src_address: u64) -> Sharing {
    let at = |address: u64, bit: i64| address as i128 * 8 + bit as i128;
    let (nest, one_order) = (&plan.nest, plan.packing.is_one_order());
    let same_place = at(dst_address, nest.dst_base) == at(src_address, nest.src_base);
    if one_order && same_place && nest.loops.iter().all(|l| l.dst == l.src) {
        return Sharing::Same;
    }
    let occupied = |address, reach: Reach, step: fn(&Loop) -> i64| Occupied {
        lowest: at(address, reach.lowest),
        highest: at(address, reach.highest),
        width: nest.width as i128,
        scale: 1,
        loops: nest.loops.iter().map(move |l| (l.count, step(l))),
    };
    let dst = occupied(dst_address, plan.reached.dst, |l| l.dst);
    let src = occupied(src_address, plan.reached.src, |l| l.src);
    let effort = plan.options.effort();
    let shared = match one_order {
        true => overlap::share_a_unit(&dst, &src, effort),
        false => overlap::come_close(&dst, &src, [plan.packing.element as i128; 2], effort),
    };
    match shared {
        Some(false) => Sharing::Apart,
        Some(true) => Sharing::Shared,
        None => Sharing::Unknown,
    }
}

/// Copies to packed scratch memory in destination order, and from there to the destination.
///
/// # Safety
/// Both reaches were proved; `scratch` holds `needed` bytes, those of all elements, and is apart from both.
#[inline(never)] // keeps the problem off the caller's stack
unsafe fn by_scratch(plan: &BitView<'_>, dst: Dst, src: Src, scratch: Dst, needed: u64) {
    // SAFETY: as promised to this function.
    unsafe { core::ptr::write_bytes(scratch.base, 0, needed as usize) };
    // One half after the other, so that only one problem is on the stack.
    for first in [true, false] {
        let mut problem = Problem::nothing();
        set_half(&mut problem, &plan.nest, first);
        let (to, from) = if first { (scratch.base, src.base) } else { (dst.base, scratch.base.cast_const()) };
        let src_high = if first { plan.packing.src_high } else { plan.packing.dst_high };
        // SAFETY: as promised to this function.
        unsafe { run(&problem.nest(), Packing { src_high, ..plan.packing }, plan.options.flags, to, from) };
    }
}

/// Walks all iterations of a nest in bits. With SMALL_STACK there are no transposes, whose tiles lie on the stack.
///
/// # Safety
/// The bytes that hold the bits that are reached may be written from `dst` and read from `src`; no bit belongs to both.
unsafe fn run(nest: &Nest<'_>, packing: Packing, flags: u32, dst: *mut u8, src: *const u8) {
    let width = nest.width;
    match nest.loops {
        &[d, ref outer @ ..] if d.dst == width && width <= WIDEST_PIECE => {
            let single = width == packing.element as i64;
            let tiles = single && flags & options::SMALL_STACK == 0;
            // SAFETY: as promised to this function.
            unsafe {
                match outer.iter().position(|s| tiles && is_worth_it(&d, s, packing)) {
                    Some(at) => run_transposes(nest, d, outer, at, packing, dst, src),
                    None if single && d.src == 0 => run_repeats(nest, d, outer, packing, dst, src),
                    None if single && d.src == -width => {
                        for_each_turn(outer, nest.dst_base, nest.src_base, |to, from| {
                            bits::reverse_run(dst, to, src, from, d.count, packing);
                            ControlFlow::Continue(())
                        });
                    }
                    None => for_each_turn(outer, nest.dst_base, nest.src_base, |to, from| {
                        bits::gather(dst, to, src, from, d, width, packing);
                        ControlFlow::Continue(())
                    }),
                }
            }
        }
        loops => for_each_turn(loops, nest.dst_base, nest.src_base, |to, from| {
            // SAFETY: one iteration, as promised to this function.
            unsafe { bits::copy_run(dst, to, src, from, width, packing) };
            ControlFlow::Continue(())
        }),
    }
}

/// Whether a loop that is contiguous in the destination and this one form a transpose.
fn is_worth_it(d: &Loop, s: &Loop, packing: Packing) -> bool {
    let element = packing.element as i64;
    let quarter = 16 / element.max(1);
    s.src.checked_abs() == Some(element) && d.count.min(s.count) >= quarter
}

/// # Safety
/// As [`run`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_transposes(
    nest: &Nest<'_>,
    along_dst: Loop,
    outer: &[Loop],
    at: usize,
    packing: Packing,
    dst: *mut u8,
    src: *const u8,
) {
    let mut around =
        Problem { width: nest.width, dst_base: nest.dst_base, src_base: nest.src_base, loops: Loops::new() };
    let mut along_src = Loop::ONCE;
    for (k, &l) in outer.iter().enumerate() {
        if k != at {
            around.loops.push(l);
        } else {
            along_src = if l.src < 0 { around.turned_round(l) } else { l };
        }
    }
    let matrix = Matrix { along_dst, along_src };
    for_each_turn(around.loops.as_slice(), around.dst_base, around.src_base, |to, from| {
        // SAFETY: as promised to this function.
        unsafe { bit_matrix::transpose(dst, to, src, from, &matrix, packing) };
        ControlFlow::Continue(())
    });
}

/// # Safety
/// As [`run`].
unsafe fn run_repeats(nest: &Nest<'_>, d: Loop, outer: &[Loop], packing: Packing, dst: *mut u8, src: *const u8) {
    for_each_turn(outer, nest.dst_base, nest.src_base, |to, from| {
        // SAFETY: as promised to this function.
        unsafe {
            let byte = bits::element(src, from, packing);
            bits::fill_run(dst, to, d.count * nest.width, packing.repeated(byte), packing);
        }
        ControlFlow::Continue(())
    });
}

/// Fills: every element gets the value in the low bits of the byte at `value`, in either order. Errors as
/// [`execute`](super::execute); OVERLAP and UNDECIDED where these bits belong to an element.
///
/// # Safety
/// As [`execute`](super::execute).
#[inline(never)] // keeps its frame off the caller's stack
pub(crate) unsafe fn fill(plan: &Plan, packing: Packing, dst: Dst, value: Src) -> Result<()> {
    if plan.problem.width == 0 {
        return Ok(());
    }
    let view = plan.view_bits(packing);
    let (to, from) = (dst.base.addr() as u64, value.base.addr() as u64);
    let one = Reach { lowest: 0, highest: 0, end: 1 };
    let reach = check_buffer(plan.reached.dst.in_bytes(), to, dst.bytes, [Argument::Dst, Argument::DstBytes])?;
    check_buffer(one, from, value.bytes, [Argument::Src, Argument::SrcBytes])?;
    if !are_apart(to, &reach, from, &one) {
        let steps = view.nest.loops.iter().map(|l| (l.count, l.dst));
        let at = |bit: i64| to as i128 * 8 + bit as i128;
        let (lowest, highest) = (at(plan.reached.dst.lowest), at(plan.reached.dst.highest));
        let elements = Occupied { lowest, highest, width: view.nest.width as i128, scale: 1, loops: steps };
        // The low bits hold the last element of their byte if the high bits hold the first.
        let place = from as i128 * 8 + if packing.dst_high { 8 - packing.element as i128 } else { 0 };
        let value =
            Occupied { lowest: place, highest: place, width: packing.element as i128, scale: 1, loops: [].into_iter() };
        match overlap::share_a_unit(&elements, &value, Effort::steps(0)) {
            Some(false) => {}
            Some(true) => return Err(they_overlap(to, reach, from, one)),
            None => return Err(overlap::undecided(0).argument(Argument::Src)),
        }
    }
    // SAFETY: proved to be readable.
    let byte = packing.repeated(unsafe { *value.base });
    let pairs = Pairs::of(plan.loops());
    let mut problem = Problem::nothing();
    for number in 0..pairs.boxes() {
        problem.set_box(&view.nest, &pairs, number);
        problem.normalise();
        let nest = problem.nest();
        let (bits_of_run, outer) = match nest.loops {
            [d, outer @ ..] if d.dst == nest.width => (d.count * nest.width, outer),
            loops => (nest.width, loops),
        };
        for_each_turn(outer, nest.dst_base, 0, |to, _| {
            // SAFETY: a box's iterations are iterations of the fill, whose reach was proved.
            unsafe { bits::fill_run(dst.base, to, bits_of_run, byte, packing) };
            ControlFlow::Continue(())
        });
    }
    Ok(())
}
