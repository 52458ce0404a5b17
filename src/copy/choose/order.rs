//! The order of the loops that a kernel's rule did not place.
//!
//! Destination order is the rule: lines are written one after the other, and hardware follows the rest. The exceptions
//! are the rows of [`ORDERS`]; the first one that applies decides. The lists after `Order:` are the rows of a table in
//! docs/ENGINE.md, written by `make plans`.

use super::super::kernels::Family;
use super::super::loops::{Loop, iterations};
use super::super::options::{self, Options};
use super::super::problem::Problem;
use super::Choice;
use super::numbers::{CACHE_LINE, FEW_IN_L1, FEW_LINES, FOLLOWED, SHARES_SETS, SHORT_LOOPS, USES_FEW_SETS};
use super::store::are_joined;
use crate::machine::Machine;
use core::cmp::Reverse;

/// The choice so far, and what else the orders look at.
struct Chosen<'a> {
    family: Family,
    /// Whether the destination is streamed.
    streams: bool,
    /// Whether elements must be moved in destination order, since the sides may share memory.
    by_direction: bool,
    /// Bytes of the whole copy.
    bytes: u64,
    machine: &'a Machine,
}

/// Orders the loops if it applies.
type Order = fn(&mut Problem, &Chosen<'_>) -> bool;

const ORDERS: &[Order] = &[source_order, stay_in_lines, longest_first];

/// Orders the loops after those that the kernel's rule placed.
pub(super) fn order(problem: &mut Problem, choice: &Choice, options: &Options, bytes: u64, machine: &Machine) {
    let (family, streams) = (choice.kernel().family, choice.store.is_past());
    let by_direction = options.flags & options::OVERLAP != 0;
    let chosen = Chosen { family, streams, by_direction, bytes, machine };
    let _ = ORDERS.iter().any(|order| order(problem, &chosen));
}

/// Order: **source order**, upward
/// - Takes: rows that are streamed; rows that are read once each from a source beyond the caches, in more streams than
///   the hardware prefetcher follows
/// - Limits: rows that are not streamed: at least {FEW_LINES} bytes, more than {FOLLOWED} streams
/// - Not: streamed short rows that join in the destination; copies by direction that are not streamed
/// - Why: reads are fastest in ascending order. Non-temporal stores are insensitive to order, and so, nearly, are rows
///   of several lines. (Copies by direction have equal steps on both sides, so this is destination order, too.)
fn source_order(problem: &mut Problem, chosen: &Chosen<'_>) -> bool {
    let streamed = || chosen.streams && !are_joined(problem);
    let applies = chosen.family == Family::Rows && (streamed() || !chosen.by_direction && reads_far(problem, chosen));
    if applies {
        problem.sort_by_source();
    }
    applies
}

/// Whether rows are read once each from a source beyond the caches, in more streams than the hardware prefetcher
/// follows.
fn reads_far(problem: &Problem, chosen: &Chosen<'_>) -> bool {
    let loops = problem.loops.as_slice();
    let upward = loops.iter().zip(0..).min_by_key(|(l, _)| l.src.unsigned_abs()).map_or(0, |(_, at)| at);
    problem.width >= FEW_LINES
        && chosen.bytes >= chosen.machine.leaves_last()
        && loops.iter().all(|l| l.src != 0)
        && iterations(loops.get(..upward).unwrap_or(loops)) > FOLLOWED
}

/// Order: the loop that **stays within a line** of the source comes second; first if these lines would leave L2 before
///   they are needed again and the destination's would not
/// - Takes: single elements or rows, if each iteration reads a new source line and the source exceeds half of L2
/// - Not: streamed copies, copies by direction, channels
/// - Why: lines are used again before they leave the caches
fn stay_in_lines(problem: &mut Problem, chosen: &Chosen<'_>) -> bool {
    let channels = matches!(chosen.family, Family::Deinterleave(_) | Family::Interleave(_));
    if chosen.by_direction || chosen.streams || channels || !chosen.family.takes_three() {
        return false;
    }
    let (loops, half) = (problem.loops.as_slice(), (chosen.machine.caches.second / 2).min(i64::MAX as u64) as i64);
    let far = |l: &Loop| l.count.saturating_mul(l.src.saturating_abs()) > half;
    let Some(first) = loops.first().filter(|l| l.src.saturating_abs() >= CACHE_LINE) else { return false };
    let closest = loops.iter().enumerate().skip(1).min_by_key(|(_, l)| l.src.saturating_abs());
    let Some((at, l)) = closest.filter(|(_, l)| l.src.saturating_abs() < CACHE_LINE && loops.iter().any(far)) else {
        return false;
    };
    // Rows a page apart share a set of L1, and lines whose pitch has a large power of two in it use few sets of L2. For
    // the lines that are written this matters only if the pitch is a power of two or a multiple of 1 KiB.
    let power = |pitch: i64| 1i64 << pitch.trailing_zeros().min(SHARES_SETS.trailing_zeros());
    let stays = |count: i64, pitch: i64, apart: i64| {
        count <= FEW_IN_L1 || count <= half / apart.max(CACHE_LINE) && pitch & (SHARES_SETS - 1) != 0
    };
    let src_stays = stays(first.count, first.src, power(first.src));
    let minds = power(l.dst) >= USES_FEW_SETS || power(l.dst).unsigned_abs() == l.dst.unsigned_abs();
    let dst_stays = stays(l.count, l.dst, if minds { power(l.dst) } else { CACHE_LINE });
    let to = usize::from(src_stays || !dst_stays);
    problem.loops.bring(at, to);
    true
}

/// Order: the **longest other loop** comes second (and the next longest third)
/// - Takes: copies within L2 by a kernel whose inner loops are short
/// - Limits: fewer than {SHORT_LOOPS} iterations; within half of L1, kernels of three loops fewer than
///   {SHORT_LOOPS * 4}
/// - Not: permutations of chunks, transposes and channels; copies by direction, which need destination order
/// - Why: within L2 the order does not matter; the cost of a call shows if it has few iterations
fn longest_first(problem: &mut Problem, chosen: &Chosen<'_>) -> bool {
    let placed =
        matches!(chosen.family, Family::Transpose | Family::Deinterleave(_) | Family::Interleave(_) | Family::Permute);
    if chosen.by_direction || placed || chosen.bytes > chosen.machine.caches.second {
        return false;
    }
    // A third loop costs a kernel little more than a second one, so all three count. While L1 holds both sides, they
    // should have four times as many iterations; beyond L1, elements that share lines are better kept together.
    let (taken, enough) = match chosen.family.takes_three() {
        true if chosen.bytes <= chosen.machine.caches.first / 2 => (3, 4 * SHORT_LOOPS),
        true => (3, SHORT_LOOPS),
        false => (2, SHORT_LOOPS),
    };
    for at in 1..taken {
        let loops = problem.loops.as_slice();
        if loops.len() <= taken || iterations(loops.get(..taken).unwrap_or(loops)) >= enough {
            return true;
        }
        let others = loops.iter().enumerate().skip(at);
        let longest = others.max_by_key(|&(k, l)| (l.count, Reverse(k))).map_or(at, |(k, _)| k);
        problem.loops.bring(longest, at);
    }
    true
}
