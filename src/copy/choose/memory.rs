//! How a kernel treats the caches.

use super::super::kernels::{self, Family, Memory};
use super::super::loops::{Loop, turns, turns_in_lines};
use super::super::options::Options;
use super::super::problem::Problem;
use super::Choice;
use super::numbers::{CONFLICTS_FROM, JOINED_ROW, LINE, LONG_ROW, LONGEST_PIECE, MANY_TIMES, SHORT_STREAMED};
use crate::machine::{Level, Machine};

/// Bytes per side decide, beside the caches of this CPU (second level, last level; the sizes in brackets are those of
/// the CPU that was measured, 1 and 32 MiB, and of one that does not tell).
pub(super) fn choose_memory(choice: &mut Choice, problem: &Problem, options: &Options, bytes: u64, machine: &Machine) {
    if bytes < CONFLICTS_FROM {
        return;
    }
    if choice.kernel().family == Family::Transpose {
        of_transpose(problem, choice, options, bytes, machine);
    } else {
        choice.memory = of_others(problem, choice, options, bytes, machine);
    }
}

/// [`choose_memory`] of all but transposes.
fn of_others(problem: &Problem, choice: &Choice, options: &Options, bytes: u64, machine: &Machine) -> Memory {
    let (kernel, loops) = (choice.kernel(), problem.loops.as_slice());
    let channels = matches!(kernel.family, Family::Deinterleave(_) | Family::Interleave(_));
    if kernel.level == Level::Scalar || choice.small_stack && (channels || kernel.family == Family::Strided) {
        return Memory::Cached;
    }
    // Streaming pays where both sides no longer fit the last level (12 MiB), or the destination alone, of a source that
    // is repeated (32 MiB); and rows have whole lines to stream if they are long, or if they are nothing else.
    let repeated = |l: &&Loop| l.src == 0;
    let times = loops.iter().filter(repeated).fold(1i64, |times, l| times.saturating_mul(l.count));
    let from = match kernel.family {
        _ if times >= MANY_TIMES => machine.stream_repeated_from(),
        Family::Deinterleave(_) | Family::Interleave(_) => machine.stream_channels_from(),
        _ => machine.stream_rows_from(),
    };
    let lines = problem.width & 63 == 0 && loops.iter().all(|l| l.dst & 63 == 0);
    let worth_it = match kernel.family {
        Family::Rows => {
            let joined = |l: &Loop| l.dst == problem.width && l.count.saturating_mul(l.dst) >= LONG_ROW;
            problem.width >= LONG_ROW || lines || problem.width > LINE && loops.first().is_some_and(joined)
        }
        Family::Spaced | Family::Repeat | Family::Permute => false,
        // Pixels with gaps are slower to pack than the caches are.
        Family::Deinterleave(channels) => {
            loops.first().is_some_and(|l| l.src.saturating_abs() == channels * problem.width)
        }
        Family::Interleave(channels) => loops.get(1).is_some_and(|l| l.dst == channels * problem.width),
        // Single elements only in runs of the destination that are put together first.
        Family::Strided => loops
            .first()
            .is_some_and(|l| l.dst == problem.width && l.count.saturating_mul(problem.width) >= kernels::STRIDED_CHUNK),
        _ => true,
    };
    // NEON has no stores past the cache, and nothing to put together for them.
    let worth_it = worth_it && kernel.level != Level::Neon;
    if worth_it && options.streams(bytes, from, machine) { Memory::Stream } else { Memory::Cached }
}

/// [`choose_memory`] of a transpose: of one whose rows begin at lines, and what it is where they do not.
///
/// A tile touches `64 / width` rows. Rows whose pitch shares a large power of two with 4096 conflict in the first
/// cache, which has 12 ways or fewer. Blocks on the stack avoid these conflicts on both sides. Without conflicts,
/// blocks are as fast as strips for elements of up to 4 bytes, and slower for wider ones.
fn of_transpose(problem: &Problem, choice: &mut Choice, options: &Options, bytes: u64, machine: &Machine) {
    let (loops, width) = (problem.loops.as_slice(), problem.width);
    let Some((along_dst, along_src, _)) = choice.runs(loops) else { return };
    if choice.kernel().level == Level::Scalar || choice.small_stack || width.count_ones() != 1 {
        return;
    }
    let conflict = |l: Option<&Loop>, step: fn(&Loop) -> i64| {
        let pitch = l.map_or(1, |l| step(l).unsigned_abs());
        pitch.is_multiple_of(4096) || (64 / width.max(1) as u64) << pitch.trailing_zeros().min(12) > 12 * 4096
    };
    let conflicts = conflict(along_dst.first(), |l| l.src) || conflict(along_src.first(), |l| l.dst);
    let row = turns(along_dst).saturating_mul(width);
    let stream_from = match conflicts {
        true => machine.stream_conflicts_from(width),
        false if row < SHORT_STREAMED => machine.stream_unaligned_from(width),
        false => machine.stream_transposes_from(width),
    };
    let fits = cuts_at_lines(along_dst, width);
    // NEON has no non-temporal stores. Without these, blocks pay only for conflicts, and joined lines never.
    let goes_past = choice.kernel().level != Level::Neon;
    let blocks = (conflicts || goes_past && width <= 4) && fits;
    let stays = if conflicts && fits && bytes >= machine.caches.second { Memory::Staged } else { Memory::Cached };
    let memory = match options.streams(bytes, stream_from, machine) {
        true if blocks => Memory::StagedStream,
        true if width > 4 => Memory::Stream,
        true if goes_past => Memory::Joined, // a block of these leaves room for tables that hold any run
        _ => stays,
    };
    let joins = goes_past && row >= JOINED_ROW && bytes >= machine.stream_unaligned_from(width);
    choice.off_lines = if memory.streams() && joins { Memory::Joined } else { stays };
    choice.memory = if rows_at_lines(problem, choice) { memory } else { choice.off_lines };
}

/// Whether all rows of the destination begin at lines if the first one does.
fn rows_at_lines(problem: &Problem, choice: &Choice) -> bool {
    let steps = problem.loops.as_slice().iter().skip(choice.dst_run as usize);
    steps.map(|l| l.dst).all(|step| step & 63 == 0)
}

/// Whether a run of the destination fits the tables beside blocks, or can be cut at lines into pieces that do.
fn cuts_at_lines(run: &[Loop], width: i64) -> bool {
    let unit = turns(run.split_last().map_or(run, |(_, inner)| inner));
    turns(run) <= LONGEST_PIECE || unit.saturating_mul(turns_in_lines(unit, width)) <= LONGEST_PIECE
}
