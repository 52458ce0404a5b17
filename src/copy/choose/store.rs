//! The way in which lines of the destination are written.

use super::super::kernels::{Family, Store};
use super::super::loops::{Loop, iterations};
use super::super::options::Options;
use super::super::problem::Problem;
use super::Choice;
use super::numbers::{
    CACHE_LINE, CONFLICTS_FROM, FEW_IN_SET, FEW_LINES, JOINED_ROW, LONG_CHANNEL, LONG_ROW, LONG_STRIDED, MANY_TIMES,
    MOST_IN_SET, SETS, SHARES_SETS, SHORT_STREAMED,
};
use crate::machine::{Level, Machine};

/// Chooses by the bytes per side and by the sizes of the machine.
pub(super) fn choose_store(choice: &mut Choice, problem: &Problem, options: &Options, bytes: u64, machine: &Machine) {
    if bytes < CONFLICTS_FROM {
        return;
    }
    if choice.kernel().family != Family::Transpose {
        choice.store = of_others(problem, choice, options, bytes, machine);
    } else {
        of_transpose(problem, choice, options, bytes, machine);
    }
}

/// [`choose_store`] for everything but transposes.
fn of_others(problem: &Problem, choice: &Choice, options: &Options, bytes: u64, machine: &Machine) -> Store {
    let (kernel, loops) = (choice.kernel(), problem.loops.as_slice());
    if !kernel.level.has_streams() || choice.small_stack && kernel.family != Family::Rows {
        return Store::Direct;
    }
    // A repeated source stays in the caches, so that the destination may fill most of the last one.
    let repeated = |l: &&Loop| l.src == 0;
    let times = loops.iter().filter(repeated).fold(1i64, |times, l| times.saturating_mul(l.count));
    // The hardware prefetcher follows rows in the order of the source, upward.
    let ascending = loops.iter().all(|l| l.src >= 0) && loops.is_sorted_by_key(|l| l.src);
    let from = match kernel.family {
        _ if times >= MANY_TIMES => machine.stream_repeated_from(),
        Family::Reverse => machine.stream_from(),
        Family::Deinterleave(_) | Family::Interleave(_) => machine.stream_channels_from(),
        Family::Rows if !ascending => machine.stream_from(),
        _ => machine.stream_late_from(),
    };
    let first = loops.first().copied().unwrap_or(Loop::ONCE);
    let run = first.count.saturating_mul(problem.width);
    let lines = problem.width % CACHE_LINE == 0 && loops.iter().all(|l| l.dst % CACHE_LINE == 0);
    let worth_it = match kernel.family {
        Family::Rows => problem.width >= FEW_LINES || lines || are_joined(problem),
        Family::Spaced | Family::Repeat | Family::Permute => false,
        // Packing pixels with gaps takes longer than writing them through the caches.
        Family::Deinterleave(channels) => run >= LONG_CHANNEL && first.src.saturating_abs() == channels * problem.width,
        Family::Interleave(channels) => loops.get(1).is_some_and(|l| {
            l.dst == channels * problem.width && l.count.saturating_mul(problem.width) >= LONG_CHANNEL
        }),
        // Single elements that form runs of the destination.
        Family::Strided => first.dst == problem.width && run >= LONG_STRIDED,
        Family::Reverse | Family::Gather(_) => run >= LONG_ROW || loops.iter().skip(1).all(|l| l.dst % CACHE_LINE == 0),
        _ => true,
    };
    if worth_it && options.streams(bytes, from, machine) { Store::Past } else { Store::Direct }
}

/// Whether short rows follow each other in the destination, and no other loop takes smaller steps in the source, upward
/// or downward, than from one of them to the next. Lines that two of them share are assembled in registers then.
pub(super) fn are_joined(problem: &Problem) -> bool {
    let loops = problem.loops.as_slice();
    let nearest = loops.iter().map(|l| l.src.saturating_abs()).min();
    (CACHE_LINE + 1..FEW_LINES).contains(&problem.width)
        && loops.first().is_some_and(|l| {
            let long = l.count.saturating_mul(l.dst) >= LONG_ROW;
            l.dst == problem.width && long && nearest == Some(l.src.saturating_abs())
        })
}

/// [`choose_store`] for a transpose.
///
/// A tile touches `64 / width` rows. Rows are crowded if more of them have a line in one set of L1 than it holds for
/// sure, and conflict beyond L1 if more than 16 lie a multiple of a page apart. A stage avoids both. Without conflicts,
/// it is as fast as strips for elements of up to 4 bytes, and slower for wider ones (16 bytes, 16 to 64 MB, on Zen 5:
/// it takes 1.05 to 1.5 times as long).
///
/// | size of the copy | aligned rows | unaligned rows |
/// |---|---|---|
/// | past the caches; conflicts in rows of 512 bytes, or elements of at most 4 bytes | `Past` | `Past` |
/// | past the caches; others | `Stream` | `Past` |
/// | crowded, or conflicts from L2 on | `Staged` | `Staged` |
/// | all others | `Direct` | `Direct` |
///
/// Unaligned rows go past the caches if they have 256 bytes (of wide elements 512) and, without conflicts, the copy has
/// `stream_unaligned_from`. Sets without non-temporal stores get a stage only for conflicts.
fn of_transpose(problem: &Problem, choice: &mut Choice, options: &Options, bytes: u64, machine: &Machine) {
    let (loops, width) = (problem.loops.as_slice(), problem.width);
    let Some((along_dst, along_src, outer)) = choice.runs(loops) else { return };
    if choice.kernel().level == Level::Scalar || choice.small_stack || width.count_ones() != 1 {
        return;
    }
    let pitch = |run: &[Loop], step: fn(&Loop) -> i64| run.first().map_or(1, step);
    let (mut crowded, mut conflicts) = (false, false);
    for (run, pitch) in [(along_dst, pitch(along_dst, |l| l.src)), (along_src, pitch(along_src, |l| l.dst))] {
        crowded |= crowd(pitch.unsigned_abs(), iterations(run).min(CACHE_LINE / width.max(1)) as u64) > MOST_IN_SET;
        conflicts |= pitch & (SHARES_SETS - 1) == 0 && iterations(run) > FEW_IN_SET;
    }
    let conflicts = crowded || conflicts;
    let row = iterations(along_dst).saturating_mul(width);
    let short = row < SHORT_STREAMED;
    let stream_from = match (conflicts, short) {
        (true, _) => machine.stream_from(),
        (_, true) => machine.stream_unaligned_from(),
        _ => machine.stream_transposes_from(width),
    };
    // Without non-temporal stores, a stage pays only for conflicts. Short rows of wide elements are whole lines of a
    // tile or two.
    let goes_past = choice.kernel().level.has_streams();
    let stage = if width > 4 { conflicts && !short } else { conflicts || goes_past };
    let stays = if crowded || conflicts && bytes >= machine.caches.second { Store::Staged } else { Store::Direct };
    let past = options.streams(bytes, stream_from, machine);
    // Whether all rows are aligned to lines if the first one is.
    let alike = along_src.iter().chain(outer).all(|l| l.dst % CACHE_LINE == 0);
    let joins = goes_past && row >= if width > 4 { SHORT_STREAMED } else { JOINED_ROW };
    choice.store = match alike {
        true if past && stage => Store::Past,
        true if past && width > 4 => Store::Stream,
        false if past && joins && (conflicts || bytes >= machine.stream_unaligned_from()) => Store::Past,
        _ => stays,
    };
}

/// The most lines of so many rows, `pitch` bytes apart, that are in one set of L1, as far as a page tells. (Rows in one
/// line do not evict each other.)
fn crowd(pitch: u64, rows: u64) -> u8 {
    let (mut sets, mut last) = ([0u8; SETS], None);
    for line in (0..rows).map(|row| row.wrapping_mul(pitch) / CACHE_LINE as u64) {
        if let Some(set) = sets.get_mut((line % SETS as u64) as usize).filter(|_| last != Some(line)) {
            *set += 1;
        }
        last = Some(line);
    }
    sets.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::crowd;

    #[test]
    fn lines_count_and_rows_in_one_line_do_not() {
        for (pitch, rows, most) in [
            // A page apart, and a page and an element.
            (4096, 16, 16),
            (4100, 16, 16),
            (4104, 8, 8),
            (1024, 64, 16),
            (1000, 64, 2),
            // Several rows in each line.
            (5, 64, 1),
            (8, 64, 1),
            (64, 64, 1),
        ] {
            assert_eq!(crowd(pitch, rows), most, "{rows} rows {pitch} bytes apart");
        }
    }
}
