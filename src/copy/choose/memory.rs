//! How a kernel treats the caches.

use super::super::kernels::{self, Family, Memory};
use super::super::loops::Loop;
use super::super::options::Options;
use super::super::problem::Problem;
use super::{Choice, LINE, LONG_ENOUGH, LONGEST_PIECE, turns, turns_in_lines};
use crate::machine::{Level, Machine};

/// Bytes of a row from which on its lines are streamed wherever it begins.
pub(crate) const LONG_ROW: i64 = 2048;
/// Times that a source is repeated from which on it counts for nothing beside the destination.
const MANY_TIMES: i64 = 4;
/// Bytes of a destination row below which, if it begins anywhere, hardly a line of it is whole.
pub(crate) const SHORT_ROW: i64 = 1024;
/// Bytes of a destination row below which whole lines of it gain as little as those of rows that begin anywhere.
const SHORT_STREAMED: i64 = 512;
/// Bytes from which on crowding of rows in the cache is minded.
const CROWDED_FROM: u64 = 1 << 16;

/// Bytes per side decide, beside the caches of this CPU (second level, last level; the sizes in brackets are those of the
/// CPU that was measured, 1 and 32 MiB, and of one that does not tell).
///
/// Of a transpose whose destination rows cannot all begin at lines, this is what they get instead.
pub(super) fn choose_memory(choice: &mut Choice, problem: &Problem, options: &Options, bytes: u64, machine: &Machine) {
    if bytes < CROWDED_FROM {
        return;
    }
    choice.memory = of_aligned(problem, choice, options, bytes, machine);
    if choice.kernel().family == Family::Transpose && choice.memory.streams() {
        // The wider the elements, the sooner.
        let from = match choice.memory {
            Memory::Stream => machine.stream_unaligned_from(problem.width),
            _ if problem.width >= 4 => machine.caches.last / problem.width as u64 * 4,
            _ => u64::MAX,
        };
        choice.large = bytes >= from;
        if !rows_at_lines(problem, choice) {
            choice.memory = choice.memory.unaligned(choice.large);
        }
    }
    if choice.memory == Memory::Cached && shares_sets_nearly(problem, choice) {
        choice.memory = Memory::Staged;
    }
}

/// Whether a transpose by whole lines writes strips of rows whose lines crowd into few sets of the first level although their pitch is
/// no multiple of 1, 2 or 4 KiB, but a few bytes more or less: each row then has two lines there. So many in a set that blocks on the
/// stack pay, which are slower the narrower the elements. (Of 8 bytes narrower strips are enough, which the kernel takes by itself.)
fn shares_sets_nearly(problem: &Problem, choice: &Choice) -> bool {
    let (kernel, width) = (choice.kernel(), problem.width);
    let runs = choice.runs(problem.loops.as_slice()).filter(|(along_dst, ..)| cuts_at_lines(along_dst, width));
    let (Family::Transpose, Level::Avx512, false, Some(([along_dst], [along_src], _))) =
        (kernel.family, kernel.level, choice.small_stack, runs)
    else {
        return false;
    };
    // The rows of a strip: those of one tile, where source rows begin at lines and are not the longer ones.
    let one_tile = along_dst.src & (LINE - 1) == 0 && along_src.count <= along_dst.count;
    let (rows, most) = match width {
        4 if one_tile => (16, 8),
        4 => (64, 12),
        1 | 2 => (128, 16),
        _ => return false,
    };
    let (rows, side) = (along_src.count.min(rows), LINE / width);
    if along_dst.count.min(along_src.count) < side {
        return false; // no whole tile
    }
    let pitch = along_src.dst;
    [1024, 2048, 4096].into_iter().any(|power| {
        let over = pitch & (power - 1);
        let shift = over.min(power - over);
        // Those of them that lie beside each other.
        let rows = (rows * power) >> 12;
        shift != 0 && 2 * rows * LINE >= most * (rows * shift + 2 * LINE)
    })
}

/// [`choose_memory`] of rows that begin at lines.
fn of_aligned(problem: &Problem, choice: &Choice, options: &Options, bytes: u64, machine: &Machine) -> Memory {
    let kernel = choice.kernel();
    let transposes = kernel.family == Family::Transpose;
    let channels = matches!(kernel.family, Family::Deinterleave(_) | Family::Interleave(_));
    let staged = choice.small_stack && (transposes || channels || kernel.family == Family::Strided);
    let padded = transposes && problem.width.count_ones() != 1;
    if kernel.level == Level::Scalar || staged || padded {
        return Memory::Cached;
    }
    let (loops, caches) = (problem.loops.as_slice(), machine.caches);
    let streams = |from: u64| options.streams(bytes, from, machine);
    if kernel.family != Family::Transpose {
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
            Family::Strided => loops.first().is_some_and(|l| {
                l.dst == problem.width && l.count.saturating_mul(problem.width) >= kernels::STRIDED_CHUNK
            }),
            _ => true,
        };
        // NEON has no stores past the cache, and nothing to put together for them.
        let worth_it = worth_it && kernel.level != Level::Neon;
        return if worth_it && streams(from) { Memory::Stream } else { Memory::Cached };
    }
    // A tile touches `64 / width` rows; rows whose pitch shares a large power of two with 4096 share cache sets, of
    // which the first level has 12 ways or fewer. Wide elements have few rows in a tile, but all of them in one set.
    // Tiles that read a source line once, as those of AVX-512 do, mind it only where they cannot write freely either.
    let pitch = |l: Option<&Loop>, step: fn(&Loop) -> i64| l.map_or(1, |l| step(l).unsigned_abs());
    let (src_pitch, dst_pitch) =
        (pitch(loops.first(), |l| l.src), pitch(loops.get(choice.dst_run as usize), |l| l.dst));
    let rows = 64 / problem.width.max(1) as u64;
    let few_sets = |rows: u64, pitch: u64| (rows << pitch.trailing_zeros().min(12)) / 4096 > 12;
    let whole_lines = kernel.level == Level::Avx512;
    let minds = !whole_lines || problem.width == 1 || dst_pitch.is_multiple_of(1024);
    let crowd = |pitch: u64| few_sets(rows, pitch) || pitch.is_multiple_of(4096);
    let crowds = match problem.width {
        // Without AVX-512 bytes mind only the source's rows, and only the largest powers; wider elements those of the
        // destination, which are as far apart.
        1 if !whole_lines => src_pitch.is_multiple_of(2048),
        2 | 4 if !whole_lines => crowd(dst_pitch),
        _ => minds && crowd(src_pitch),
    };
    let flat = loops.len() == 2;
    // What crowds is better written past the caches as soon as it leaves the second level (1 MiB); in tiles of bytes there
    // are so many rows that this pays later (2 MiB). Beyond the last level the rows of a matrix are far enough apart for
    // strips of several lines. Without crowding a transpose still writes its lines far apart, so that it gains earlier
    // than rows do (9.6 MiB).
    let crowded_from = machine.stream_conflicts_from(problem.width);
    let row = choice.runs(loops).map_or(0, |(along_dst, ..)| turns(along_dst).saturating_mul(problem.width));
    let stream_from = match row < SHORT_STREAMED {
        true => machine.stream_unaligned_from(problem.width),
        false => machine.stream_transposes_from(problem.width),
    };
    // Blocks made on the stack, whose rows are then copied one by one, mind no crowding on either side. (The largest tables
    // leave no stack for them.) Streamed strips are better than blocks that are not streamed, and these better than short
    // rows that are not.
    let runs = choice.runs(loops).filter(|(along_dst, ..)| cuts_at_lines(along_dst, problem.width));
    if let Some((along_dst, along_src, _)) = runs.filter(|_| whole_lines && problem.width < 16) {
        let jumps = !crowds && few_sets(rows.min(32), dst_pitch);
        // The rows of runs of several loops lie at several distances.
        let single = along_dst.len() == 1 && along_src.len() == 1;
        let short = row < SHORT_ROW && !rows_at_lines(problem, choice);
        let beyond = machine.stream_blocks_from(problem.width);
        // Long runs mind only what crowds in the second level as well.
        let pieces = [along_dst, along_src].iter().all(|run| run.len() == 1 || turns(run) <= LONGEST_PIECE);
        let crowds = crowds && (pieces || [src_pitch, dst_pitch].iter().any(|pitch| pitch.is_multiple_of(8192)));
        match problem.width {
            _ if short && crowds && streams(stream_from) => return Memory::Fetch,
            2 | 4 if jumps && bytes < caches.last && streams(crowded_from) => return Memory::CrowdedStream,
            8 if single && dst_pitch.is_multiple_of(4096) && streams(stream_from) => {
                return Memory::StagedStream;
            }
            _ if (jumps && single || crowds) && streams(beyond) => return Memory::StagedStream,
            _ if jumps && single => return Memory::Staged,
            2 | 8 if crowds && streams(crowded_from) => return Memory::CrowdedStream,
            _ if crowds && row <= LONG_ENOUGH && streams(crowded_from) => return Memory::StagedStream,
            _ if crowds && bytes >= crowded_from => return Memory::Staged,
            _ => {}
        }
    }
    let crowds_src_alone = problem.width == 1 && !whole_lines && !crowd(dst_pitch);
    let strips = if whole_lines { flat && problem.width != 8 } else { problem.width <= 4 };
    let few_lines = strips && (bytes < caches.last || flat && !whole_lines);
    match crowds {
        true if crowds_src_alone && flat && bytes >= caches.second => Memory::Crowded,
        true if streams(crowded_from) && few_lines => Memory::CrowdedStream,
        true if streams(crowded_from) => Memory::Stream,
        true if flat && (kernel.level == Level::Avx512 || bytes >= caches.second) => Memory::Crowded,
        _ if streams(stream_from) => Memory::Stream,
        _ => Memory::Cached,
    }
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
