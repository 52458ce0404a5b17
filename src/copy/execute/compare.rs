//! Whether two layouts hold the same elements, and which one differs first.
//!
//! "First" is by row-major number, so the loops keep the order of the dimensions: only neighbours that are one run on
//! both sides are joined. A dimension along which both sides repeat takes one iteration. Elements are compared as
//! bytes; those below a byte as bits, in either bit order.
//!
//! If one side repeats and the other does not, there are as many iterations as elements of the latter. If neither side
//! explains the iterations, the answer is UNDECIDED (`time_bound`).

use super::super::kernels::bit_runs;
use super::super::loops::{Loop, Loops, iterations};
use super::super::nest::{Nest, Unit};
use super::super::problem::{check_above_base, check_alike};
use super::super::time_bound;
use super::odometer::try_each_iteration;
use super::{Reach, Src, check_buffer};
use crate::error::{Argument, Result};
use crate::model::Layout;
use core::ops::ControlFlow;

/// The row-major number of the first element that differs, `None` if all are equal. Errors as for a copy: sizes,
/// dtypes, bounds, null pointers; UNDECIDED if there are too many iterations for the elements.
///
/// # Safety
/// Both buffers may be read, and are initialised, over the bytes that their layouts reach, as far as the lengths allow.
pub unsafe fn compare(lhs: &Layout<'_>, lhs_buffer: Src, rhs: &Layout<'_>, rhs_buffer: Src) -> Result<Option<i64>> {
    check_alike((lhs.sizes(), lhs.dtype()), (rhs.sizes(), rhs.dtype()), Argument::RhsLayout)?;
    if lhs.is_empty() {
        return Ok(None);
    }
    let (unit, width) = Unit::of(lhs.dtype(), rhs.dtype());
    let names = [
        [Argument::LhsLayout, Argument::Lhs, Argument::LhsBytes],
        [Argument::RhsLayout, Argument::Rhs, Argument::RhsBytes],
    ];
    for ((layout, buffer), [of_layout, pointer, length]) in
        [(lhs, lhs_buffer), (rhs, rhs_buffer)].into_iter().zip(names)
    {
        check_above_base(layout, of_layout)?;
        let (lowest, highest) = layout.span();
        let reach = Reach { lowest: lowest * width, highest: highest * width, end: (highest + 1) * width }; // I4
        check_buffer(reach.in_bytes(unit), buffer.base.addr() as u64, buffer.bytes, [pointer, length])?;
    }
    let mut loops = Loops::new();
    let dimensions = || lhs.dimensions().zip(rhs.strides().iter().copied()).rev().filter(|((count, _), _)| *count > 1);
    let repeats = |lhs_stride: i64, rhs_stride: i64| (lhs_stride, rhs_stride) == (0, 0);
    for ((count, lhs_stride), rhs_stride) in dimensions() {
        if repeats(lhs_stride, rhs_stride) {
            continue;
        }
        let next = Loop { count, dst: lhs_stride * width, src: rhs_stride * width };
        match loops.as_mut_slice().last_mut() {
            Some(inner) if inner.continues_with(&next) => inner.count *= count,
            _ => {
                loops.push(next);
            }
        }
    }
    let loops = loops.as_slice();
    time_bound::check(iterations(loops), lhs, rhs, Argument::LhsLayout)?;
    let nest = Nest { unit, width, dst_base: lhs.offset() * width, src_base: rhs.offset() * width, loops };
    let swapped = lhs.dtype().swapped_bytes(rhs.dtype());
    // SAFETY: `check_buffer`: all that the loops reach lies in both buffers.
    let found = unsafe { first_number(&nest, lhs_buffer.base, rhs_buffer.base, swapped) };
    // The number among all iterations, from that among those that were taken.
    let full = |number: i64| {
        let (mut left, mut weight, mut full) = (number, 1, 0);
        for ((count, lhs_stride), rhs_stride) in dimensions() {
            if !repeats(lhs_stride, rhs_stride) {
                full += left % count * weight;
                left /= count;
            }
            weight *= count;
        }
        full
    };
    Ok(found.map(full))
}

/// The number of the first iteration whose elements differ. `swapped`: bytes of the parts of an element whose byte
/// orders are opposite, a power of two; 0: none.
///
/// # Safety
/// Every element that the loops reach may be read on both sides.
#[inline(never)] // once in the library
unsafe fn first_number(nest: &Nest<'_>, lhs: *const u8, rhs: *const u8, swapped: i64) -> Option<i64> {
    let (inner, outer) = match nest.loops {
        [inner, outer @ ..] => (*inner, outer),
        [] => (Loop::ONCE, &[][..]),
    };
    let mut number = 0i64;
    let walked = try_each_iteration(outer, nest.dst_base, nest.src_base, |lhs_offset, rhs_offset| {
        // SAFETY: the fastest loop from an iteration of the others on, whose elements may be read (caller).
        let at = unsafe {
            match nest.unit {
                Unit::Bits(packing) => bit_runs::first_difference((lhs, lhs_offset), (rhs, rhs_offset), inner, packing),
                Unit::Bytes => {
                    let lhs = lhs.wrapping_offset(lhs_offset as isize);
                    let rhs = rhs.wrapping_offset(rhs_offset as isize);
                    match swapped {
                        0 => first_difference(lhs, rhs, inner, nest.width),
                        part => first_swapped(lhs, rhs, inner, nest.width, part),
                    }
                }
            }
        };
        if let Some(at) = at {
            return ControlFlow::Break(number + at);
        }
        number += inner.count;
        ControlFlow::Continue(())
    });
    walked.break_value()
}

/// The first iteration of `l` whose elements differ.
///
/// # Safety
/// Every element that `l` reaches from either pointer may be read.
unsafe fn first_difference(lhs: *const u8, rhs: *const u8, l: Loop, width: i64) -> Option<i64> {
    let contiguous = l.dst == width && l.src == width;
    let (runs, bytes) = if contiguous { (1, l.count * width) } else { (l.count, width) };
    for k in 0..runs {
        let (lhs, rhs) = (lhs.wrapping_offset((k * l.dst) as isize), rhs.wrapping_offset((k * l.src) as isize));
        let mut at = 0;
        while at + 8 <= bytes {
            // SAFETY: bytes at … at + 7 of a run of `bytes` bytes (caller); no alignment is needed.
            let equal = unsafe {
                lhs.wrapping_offset(at as isize).cast::<u64>().read_unaligned()
                    == rhs.wrapping_offset(at as isize).cast::<u64>().read_unaligned()
            };
            if !equal {
                break;
            }
            at += 8;
        }
        while at < bytes {
            // SAFETY: byte `at` of the run (caller).
            let equal = unsafe { *lhs.wrapping_offset(at as isize) == *rhs.wrapping_offset(at as isize) };
            if !equal {
                return Some(if contiguous { at / width.max(1) } else { k });
            }
            at += 1;
        }
    }
    None
}

/// [`first_difference`] for elements whose parts of `part` bytes are in opposite byte orders.
///
/// # Safety
/// Every element that `l` reaches from either pointer may be read.
unsafe fn first_swapped(lhs: *const u8, rhs: *const u8, l: Loop, width: i64, part: i64) -> Option<i64> {
    (0..l.count).find(|k| {
        let (lhs, rhs) = (lhs.wrapping_offset((k * l.dst) as isize), rhs.wrapping_offset((k * l.src) as isize));
        // SAFETY: byte `at` of an element, and the one opposite to it in its part (caller).
        (0..width)
            .any(|at| unsafe { *lhs.wrapping_offset(at as isize) != *rhs.wrapping_offset((at ^ (part - 1)) as isize) })
    })
}
