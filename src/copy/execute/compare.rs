//! Whether two layouts hold the same elements, and if not, which differs first.
//!
//! "First" is by row-major number, so the loops keep the order of the dimensions: only neighbours that are one run on
//! both sides are joined, and where both sides repeat, one turn tells all. Elements are compared as bytes.

use super::super::loops::{Loop, Loops};
use super::super::problem::{check_alike, in_front, whole_bytes};
use super::walk::for_each_turn;
use super::{Reach, Src, check_buffer};
use crate::error::{Argument, Result};
use crate::model::Layout;
use core::ops::ControlFlow;

/// The row-major number of the first element that differs, `None` where all are equal. Errors as for a copy: sizes,
/// dtypes, bounds, null pointers, elements below a byte.
///
/// # Safety
/// Both buffers may be read over the bytes that their layouts reach, as far as the lengths allow.
pub unsafe fn compare(lhs: &Layout<'_>, lhs_buffer: Src, rhs: &Layout<'_>, rhs_buffer: Src) -> Result<Option<i64>> {
    check_alike((lhs.sizes(), lhs.dtype()), (rhs.sizes(), rhs.dtype()), Argument::Rhs)?;
    if lhs.is_empty() {
        return Ok(None);
    }
    let width = whole_bytes(lhs.dtype(), Argument::LhsLayout)?;
    for (layout, buffer, argument) in [(lhs, lhs_buffer, Argument::Lhs), (rhs, rhs_buffer, Argument::Rhs)] {
        in_front(layout, argument)?;
        let (lowest, highest) = layout.span();
        let reach = Reach { lowest: lowest * width, highest: highest * width, end: (highest + 1) * width }; // I4
        check_buffer(reach, buffer.base.addr() as u64, buffer.bytes, [argument, argument])?;
    }
    let mut loops = Loops::new();
    let pairs = || lhs.dimensions().zip(rhs.strides().iter().copied()).rev().filter(|((count, _), _)| *count > 1);
    let repeats = |lhs_stride: i64, rhs_stride: i64| (lhs_stride, rhs_stride) == (0, 0);
    for ((count, lhs_stride), rhs_stride) in pairs() {
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
    let (inner, outer) = match loops.as_slice() {
        [inner, outer @ ..] => (*inner, outer),
        [] => (Loop::ONCE, &[][..]),
    };
    let mut number = 0i64;
    let mut found = None;
    for_each_turn(outer, lhs.offset() * width, rhs.offset() * width, |lhs_offset, rhs_offset| {
        let lhs = lhs_buffer.base.wrapping_offset(lhs_offset as isize);
        let rhs = rhs_buffer.base.wrapping_offset(rhs_offset as isize);
        // SAFETY: one turn of loops whose reach was proved to lie in both buffers.
        found = unsafe { first_difference(lhs, rhs, inner, width) }.map(|at| number + at);
        number += inner.count;
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    // From the number among turns that were taken to the one among all.
    let full = |number: i64| {
        let (mut left, mut weight, mut full) = (number, 1, 0);
        for ((count, lhs_stride), rhs_stride) in pairs() {
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

/// The first turn of `l` whose elements differ.
///
/// # Safety
/// Every element that `l` reaches from either pointer may be read.
unsafe fn first_difference(lhs: *const u8, rhs: *const u8, l: Loop, width: i64) -> Option<i64> {
    let contiguous = l.dst == width && l.src == width;
    let (runs, bytes) = if contiguous { (1, l.count * width) } else { (l.count, width) };
    for turn in 0..runs {
        let (lhs, rhs) = (lhs.wrapping_offset((turn * l.dst) as isize), rhs.wrapping_offset((turn * l.src) as isize));
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
                return Some(if contiguous { at / width.max(1) } else { turn });
            }
            at += 1;
        }
    }
    None
}
