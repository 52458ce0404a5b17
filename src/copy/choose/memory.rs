//! How a kernel treats the caches.

use super::super::kernels::{self, Family, Memory};
use super::super::loops::{Loop, turns, turns_in_lines};
use super::super::options::Options;
use super::super::problem::Problem;
use super::Choice;
use super::numbers::{CONFLICTS_FROM, JOINED_ROW, LINE, LONG_ROW, LONGEST_PIECE, MANY_TIMES, SHORT_STREAMED};
use crate::machine::{Level, Machine};

/// Chooses by the bytes per side and by the machine's L2 and L3. Sizes in brackets assume 1 and 32 MiB: the CPU that
/// was measured, and the default for a CPU that does not report its caches.
pub(super) fn choose_memory(choice: &mut Choice, problem: &Problem, options: &Options, bytes: u64, machine: &Machine) {
    if bytes < CONFLICTS_FROM {
        return;
    }
    if choice.kernel().family != Family::Transpose {
        choice.memory = of_others(problem, choice, options, bytes, machine);
    } else {
        of_transpose(problem, choice, options, bytes, machine);
    }
}

/// [`choose_memory`] for everything but transposes.
fn of_others(problem: &Problem, choice: &Choice, options: &Options, bytes: u64, machine: &Machine) -> Memory {
    let (kernel, loops) = (choice.kernel(), problem.loops.as_slice());
    let channels = matches!(kernel.family, Family::Deinterleave(_) | Family::Interleave(_));
    if !kernel.level.has_streams() || choice.small_stack && (channels || kernel.family == Family::Strided) {
        return Memory::Cached;
    }
    // Streaming pays if both sides together no longer fit L3 (12 MiB each), or if the destination alone does not and
    // its source is repeated (32 MiB). Rows have whole lines to stream if they are long or consist of whole lines.
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
        // Packing pixels with gaps takes longer than writing them through the caches.
        Family::Deinterleave(channels) => {
            loops.first().is_some_and(|l| l.src.saturating_abs() == channels * problem.width)
        }
        Family::Interleave(channels) => loops.get(1).is_some_and(|l| l.dst == channels * problem.width),
        // Single elements are streamed only if they form runs of the destination, which are assembled first.
        Family::Strided => loops
            .first()
            .is_some_and(|l| l.dst == problem.width && l.count.saturating_mul(problem.width) >= kernels::STRIDED_CHUNK),
        _ => true,
    };
    if worth_it && options.streams(bytes, from, machine) { Memory::Stream } else { Memory::Cached }
}

/// [`choose_memory`] for a transpose: the treatment, and `off_lines`, which is for rows that are not aligned to lines.
///
/// A tile touches `64 / width` rows. Rows whose pitch shares a large power of two with 4096 conflict in L1, which has
/// at most 12 ways. Blocks on the stack avoid these conflicts on both sides. Without conflicts, blocks are as fast as
/// strips for elements of up to 4 bytes, and slower for wider ones.
///
/// | size of the copy | aligned rows | unaligned rows |
/// |---|---|---|
/// | streamed; conflicts, or elements of at most 4 bytes | `StagedStream` | `Joined` |
/// | streamed; others | `Stream` | `Joined` |
/// | not streamed, or unaligned rows below 256 bytes; conflicts, L2 or more | `Staged` | `Staged` |
/// | all others | `Cached` | `Cached` |
///
/// Runs that cannot be cut at lines for the tables of blocks get `Joined` or `Stream` instead, by their width.
/// Unaligned rows also need `stream_unaligned_from` bytes. Sets without non-temporal stores get blocks only for
/// conflicts, and never `Joined`.
fn of_transpose(problem: &Problem, choice: &mut Choice, options: &Options, bytes: u64, machine: &Machine) {
    let (loops, width) = (problem.loops.as_slice(), problem.width);
    let Some((along_dst, along_src, outer)) = choice.runs(loops) else { return };
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
    // A destination run fits the tables beside blocks, or can be cut at lines into pieces that do.
    let unit = turns(along_dst.split_last().map_or(along_dst, |(_, inner)| inner));
    let fits = turns(along_dst).min(unit.saturating_mul(turns_in_lines(unit, width))) <= LONGEST_PIECE;
    // Without non-temporal stores, blocks pay only for conflicts, and joining lines never pays.
    let goes_past = choice.kernel().level.has_streams();
    let blocks = (conflicts || goes_past && width <= 4) && fits;
    let stays = if conflicts && fits && bytes >= machine.caches.second { Memory::Staged } else { Memory::Cached };
    let memory = match options.streams(bytes, stream_from, machine) {
        true if blocks => Memory::StagedStream,
        true if width > 4 => Memory::Stream,
        true if goes_past => Memory::Joined, // its smaller blocks leave stack for tables that hold any run
        _ => stays,
    };
    let joins = goes_past && row >= JOINED_ROW && bytes >= machine.stream_unaligned_from(width);
    choice.off_lines = if memory.streams() && joins { Memory::Joined } else { stays };
    // Whether all rows are aligned to lines if the first one is.
    let alike = along_src.iter().chain(outer).all(|l| l.dst & 63 == 0);
    choice.memory = if alike { memory } else { choice.off_lines };
}
