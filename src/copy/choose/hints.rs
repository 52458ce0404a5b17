//! Hints for a kernel: the cache level that the bytes leave, and what to prefetch.

use super::super::kernels::{self, Family, Store, hints};
use super::super::loops::{Loop, iterations};
use super::super::nest::Nest;
use super::Choice;
use super::numbers::{CACHE_LINE, FOLLOWED_GAP, JOINED_ROW, LIBC_ROW, PREFETCHED_ROW, RARE_GAPS, SHARES_SETS};
use crate::machine::{Level, Machine};

/// A hint that is given where something holds.
fn when(holds: bool, hint: u8) -> u8 {
    if holds { hint } else { 0 }
}

fn of_transpose(choice: &Choice, nest: &Nest<'_>, machine: &Machine) -> u8 {
    let Some((along_dst, [along_src, ..], _)) = choice.runs(nest.loops) else { return 0 };
    let (bytes, width, step) = (nest.bytes(), nest.width, along_src.dst);
    let row = iterations(along_dst).saturating_mul(width);
    // `fits`: prefetched lines must not evict the lines that are being written, as they would if rows share cache sets.
    // `pays`: the hardware prefetcher follows short rows that are contiguous. Tiles of 1- and 2-byte elements touch so
    // many lines that prefetching pays only if the piece of each row straddles two.
    let fits = step & (SHARES_SETS - 1) != 0 || bytes >= machine.caches.second / 2;
    let pays = row >= PREFETCHED_ROW && (width > 2 || step % CACHE_LINE != 0);
    let kernel = choice.kernel();
    let can = kernel.level == Level::Avx512 || kernel.level != Level::Scalar && width.count_ones() == 1;
    let prefetches = can && fits && pays && bytes >= machine.prefetch_from();
    let streams = choice.store.is_past();
    let second = streams && bytes >= machine.prefetch_second_from();
    // Small matrices, which the hardware prefetcher does not follow.
    let far = match choice.store {
        Store::Direct => row < JOINED_ROW && bytes >= machine.stream_unaligned_from(),
        _ => bytes >= machine.caches.second,
    };
    when(prefetches, hints::PREFETCH_DST) | when(far, hints::FAR) | when(second, hints::SECOND)
}

/// Whether the source of rows jumps so often that the hardware prefetcher loses it.
fn jumps(width: i64, a: Loop, b: Loop) -> bool {
    let run = a.count.wrapping_mul(a.src);
    let jump = |step: i64, after: i64| step != 0 && step.wrapping_sub(after).unsigned_abs() > FOLLOWED_GAP;
    a.count > 1 && jump(a.src, width) || b.count > 1 && jump(b.src, run) && run.unsigned_abs() < RARE_GAPS
}

/// The hints for a kernel that takes the first loops of a nest. (Their reach was proved, so nothing overflows.)
#[inline(never)]
pub(super) fn choose_hints(choice: &Choice, nest: &Nest<'_>, machine: &Machine) -> u8 {
    let family = choice.kernel().family;
    if family == Family::Transpose {
        return of_transpose(choice, nest, machine);
    }
    if family == Family::Permute {
        return 0;
    }
    let (a, b, outer) = nest.kernel_loops();
    let span = |step: fn(&Loop) -> i64| {
        let one = |l: &Loop| l.count.wrapping_mul(step(l)).unsigned_abs();
        one(&a).max(one(&b))
    };
    let (of_src, of_dst) = (span(|l| l.src), span(|l| l.dst));
    let streamed_rows = family == Family::Rows && choice.store.is_past();
    let far = if streamed_rows { jumps(nest.width, a, b) } else { of_src >= machine.leaves_last() };
    let mut hinted = when(far, hints::FAR) | when(of_src.max(of_dst) / 2 >= machine.caches.second, hints::FAR_MASKED);
    let prefetches = match family {
        Family::Interleave(_) | Family::Deinterleave(_) => choice.store.is_past(),
        Family::Rows => far && choice.kernel().level != Level::Scalar && nest.width <= kernels::LONGEST_PREFETCHED_ROW,
        _ => false,
    };
    hinted |= when(prefetches && nest.bytes() >= machine.prefetch_second_from(), hints::SECOND);
    if family == Family::Fill {
        let bytes = nest.width.wrapping_mul(a.count).wrapping_mul(b.count) as u64;
        hinted |= when(bytes >= machine.caches.second, hints::STRING);
    }
    if family == Family::Rows {
        // libc's string instructions take long to start, but leave more of L2 to the source. They are slower if the
        // source is in L1, and for short rows if neither side is in L2.
        let c = outer.first().copied().unwrap_or(Loop::ONCE);
        let rows = [a, b, c].into_iter().filter(|l| l.src != 0);
        let bytes = rows.fold(nest.width, |bytes, l| bytes.wrapping_mul(l.count)) as u64;
        let in_second = bytes / 2 < machine.caches.second;
        hinted |= when(bytes >= machine.caches.first / 2 && (in_second || nest.width >= LIBC_ROW), hints::STRING);
    }
    hinted
}
