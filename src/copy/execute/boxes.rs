//! The walk of a relayout, piece by piece.

use super::super::choose::{Choice, choose_for};
use super::super::converting::{Converting, StepsRoom, Values};
use super::super::kernels::{FILLED, Family, KERNELS, Permutation, Run, WIDEST_CHUNK, find};
use super::super::loops::Loop;
use super::super::nest::{Reach, Unit};
use super::super::options::{Options, USEFUL};
use super::super::plan::PlanView;
use super::super::planned::Dimensions;
use super::super::problem::Problem;
use super::super::relayout::{Pieces, Relayout, Slab};
use super::convert_walk;
use super::odometer::for_each_place;
use super::picks::Picks;
use super::{Dst, Src, are_apart, run_large};
use crate::error::{Argument, Detail, Result, Status};
use crate::machine::Machine;

/// The most pieces of a relayout that gets a list: they are looked at one by one before the first is handed out.
const MOST_LISTED_PIECES: usize = 4096;
/// Minimum pieces of a large relayout that is done slab by slab, each about as large as L2.
const MANY_PIECES: usize = 9;

/// OVERLAP where runs in a caller's memory share bytes with what is written.
pub(super) fn check_lists(relayout: &Relayout<'_>, dst: Dst, to: Reach) -> Result<()> {
    for (side, argument) in relayout.sides().into_iter().zip([Argument::DstSide, Argument::SrcSide]) {
        for along in &side.along {
            let list = along.runs.lent();
            let bytes = Reach { lowest: 0, highest: 0, end: size_of_val(list) as i64 };
            if !list.is_empty() && !are_apart(dst.base.addr() as u64, &to, list.as_ptr().addr() as u64, &bytes) {
                let error = Status::Overlap.of(argument).dimension(along.dimension);
                return Err(error.because(Detail::SharedList, 0, to.end - to.lowest));
            }
        }
    }
    Ok(())
}

/// Runs part `part` of `parts`, slab by slab if it is large. `apart`: the ranges of the two sides do not meet.
///
/// # Safety
/// P1, P2, P5.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_part(
    relayout: &Relayout<'_>,
    plan: &PlanView<'_>,
    dst: Dst,
    src: Src,
    [part, parts]: [u64; 2],
    apart: bool,
) {
    // A byte that holds elements of both sides needs a single writer.
    let most = if apart || relayout.to.0 == Unit::Bytes { parts } else { 1 };
    let parts = most.min((plan.bytes_moved() / USEFUL).max(1));
    if part >= parts {
        return;
    }
    let converting = plan.converting();
    if converting.is_none()
        && let Some(picks) = Picks::of(relayout, plan.options.fill)
    {
        if let Some(slab) = relayout.part(part, parts) {
            // SAFETY: P1 and P2.
            unsafe { picks.run(relayout, &slab, dst, src) };
        }
        return;
    }
    // Many pieces pass over the same lines, which should still be in the cache.
    let second = Machine::this().caches.second.max(1);
    let own = plan.bytes_moved() / parts.max(1);
    let runs = relayout.sides().iter().any(|side| !side.along.is_empty());
    // The pieces of runs all pass over the same lines.
    let many = if runs { 2 } else { MANY_PIECES };
    let slabs = if own > 2 * second && relayout.count_pieces(many) == many { own / second } else { 1 };
    for k in 0..slabs {
        let Some(slab) = relayout.part(part * slabs + k, parts * slabs) else { continue };
        // SAFETY: P1, P2 and P5, of a slab as of all indices.
        unsafe {
            match converting {
                Some(converting) => convert_pieces(relayout, plan, converting, dst, src, &slab),
                None if apart && run_pixels(relayout, &plan.options, &slab, dst, src) => {}
                None => run_pieces(relayout, plan, dst, src, &slab),
            }
        }
    }
}

/// # Safety
/// P1 and P2.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_pieces(relayout: &Relayout<'_>, plan: &PlanView<'_>, dst: Dst, src: Src, slab: &Slab) {
    let mut pieces = Pieces::<64>::new(relayout, slab);
    let (mut problem, mut choice, mut before) = (Problem::nothing(), Choice::of(0), [0i64; 2]);
    let machine = Machine::this();
    while let Some(piece) = pieces.next() {
        let bases = [piece.dst.base, piece.src.base];
        if piece.filled {
            relayout.set_problem(&piece, &mut problem);
            // SAFETY: P1: the piece's elements are some of the destination's.
            unsafe { fill_piece(&mut problem, plan, dst) };
            continue;
        }
        if piece.repeats && relayout.unit == Unit::Bytes {
            // Only the first elements differ.
            let [to, from] = [0, 1].map(|k: usize| bases[k].wrapping_sub(before[k]).wrapping_mul(relayout.width));
            problem.dst_base = problem.dst_base.wrapping_add(to);
            problem.src_base = problem.src_base.wrapping_add(from);
        } else {
            relayout.set_problem(&piece, &mut problem);
            problem.normalise();
            choice = choose_for(Some(&machine), &mut problem, &plan.options, plan.bytes_moved());
        }
        before = bases;
        // SAFETY: P1 and P2: the piece's elements are some of the relayout's. P3: the choice was made for it.
        unsafe { run_large(choice, &problem.nest(), dst.base, src.base) };
    }
}

/// [`run_pieces`] that convert.
///
/// # Safety
/// P1, P2, P5.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn convert_pieces(
    relayout: &Relayout<'_>,
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: Dst,
    src: Src,
    slab: &Slab,
) {
    let mut pieces = Pieces::<64>::new(relayout, slab);
    let (mut problem, mut dimensions) = (Problem::nothing(), Dimensions::new());
    let (mut steps, machine) = (StepsRoom::new(), Machine::this());
    let (strides, width) = (converting.values.steps, relayout.width);
    let stride = |dimension: usize| strides.get(dimension).copied().unwrap_or(0);
    while let Some(piece) = pieces.next() {
        if piece.filled {
            relayout.of_dst().set_problem(&piece, &mut problem);
            // SAFETY: P1: the piece's elements are some of the destination's.
            unsafe { fill_piece(&mut problem, plan, dst) };
            continue;
        }
        (problem.unit, problem.width) = (relayout.unit, width);
        (problem.dst_base, problem.src_base) = (piece.dst.base * width, piece.src.base * width);
        problem.loops.set(&[]);
        dimensions.clear();
        steps.clear();
        let begin = (0..strides.len()).map(|dimension| piece.first(dimension) * stride(dimension));
        let mut values = Values { base: converting.values.base + begin.sum::<i64>(), within: 0, steps: &[] };
        for (v, (to, from)) in piece.variables.iter().zip(piece.dst.steps.iter().zip(&piece.src.steps)) {
            if v.count > 1 {
                let of = Loop { count: v.count, dst: to * width, src: from * width };
                dimensions.add(&mut problem, &mut values, of, stride(v.dimension) * v.step);
            }
        }
        dimensions.merge(&mut problem, &mut values);
        let bytes = plan.bytes_moved();
        let choice = dimensions.choose(&mut problem, &mut values, &mut steps, (&machine, &plan.options), bytes);
        let converting = Converting { values: Values { steps: &steps, ..values }, ..*converting };
        let nest = problem.nest();
        let piece = PlanView { nest, choice, boxes: None, converting: Some(&converting), ..*plan };
        // SAFETY: P1 and P2: the piece's elements are some of the relayout's, its entries some of the lists'. P3: the
        // choice was made for it.
        unsafe { convert_walk::run_part(&piece, &converting, dst.base, src.base, [0, 1]) };
    }
}

/// Runs a slab of a relayout of strided sides whose source has runs along one dimension, if its elements along it are a
/// chunk of at most a register on both sides: pixels whose channels change their order, in one pass. `false`: nothing
/// was done.
///
/// # Safety
/// P1; the ranges of both sides are apart.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_pixels(relayout: &Relayout<'_>, options: &Options, slab: &Slab, dst: Dst, src: Src) -> bool {
    let (to_map, from_map) = (&relayout.dst.map, &relayout.src.map);
    let ([], [taken]) = (relayout.dst.along.as_slice(), relayout.src.along.as_slice()) else { return false };
    if !to_map.is_sum() || !from_map.is_sum() || relayout.part != 0 || relayout.unit != Unit::Bytes {
        return false;
    }
    let level = options.level(Machine::this().level);
    let kernel = find(Family::Permute, 1, level).and_then(|number| KERNELS.get(number));
    let Some(Run::Chunks(kernel)) = kernel.map(|kernel| kernel.run) else { return false };
    // Elements are contiguous; those of the source in either direction.
    let along = |list: &[i64]| list.get(taken.dimension).copied().unwrap_or(0);
    let (size, count, width) = (along(&from_map.sizes), along(relayout.sizes), relayout.width);
    let step = if size == 1 { 1 } else { along(&from_map.strides) };
    let lie_so = slab.dimension != taken.dimension
        && (count == 1 || along(&to_map.strides) == 1)
        && matches!(step, 1 | -1)
        && size >= 1
        && count.saturating_mul(width) > 1 // a row of single bytes would be one run below
        && size.max(count).saturating_mul(width) <= WIDEST_CHUNK as i64 / 2;
    if !lie_so {
        return false;
    }
    let (mut list, mut fills, mut bytes) = ([0u8; WIDEST_CHUNK / 2], [0u8; WIDEST_CHUNK / 2], 0);
    for index in taken.indices(size, count) {
        let place = if step < 0 { size - 1 - index } else { index } * width;
        for byte in 0..width {
            if let (Some(slot), Some(fill)) = (list.get_mut(bytes), fills.get_mut(bytes)) {
                *slot = if index < 0 { FILLED } else { (place + byte) as u8 };
                // The value starts over with each element.
                *fill = options.fill.get(byte as usize % 16).copied().unwrap_or(0);
            }
            bytes += 1;
        }
    }
    let mut problem = Problem::nothing();
    relayout.set_rows(taken.dimension, 1, slab, &mut problem);
    if step < 0 {
        problem.src_base -= (size - 1) * width;
    }
    let loops = problem.loops.as_slice();
    let (row, outer) = loops.split_first().map_or((Loop::ONCE, loops), |(&row, outer)| (row, outer));
    let list = list.get(..bytes).unwrap_or(&[]);
    let Some(chunks) = Permutation::of_list(list, (size * width) as usize, row, level, &fills) else {
        return false;
    };
    let (to, from) = problem.nest().begin(dst.base, src.base);
    // SAFETY: K1: the kernel is of the options' level, which is here; K2: the permutation is made for it; K3: rows of
    // chunks (P1): an iteration of the list's dimension is a chunk.
    for_each_place(outer, to, from, |to, from| unsafe { kernel(to, from, &chunks) });
    true
}

/// Gives the elements of a piece the fill value; its loops count whole elements.
///
/// # Safety
/// P1 of the destination.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn fill_piece(problem: &mut Problem, plan: &PlanView<'_>, dst: Dst) {
    problem.normalise();
    if problem.unit != Unit::Bytes {
        // SAFETY: P1; of the value one byte is read, which all elements repeat.
        return unsafe {
            run_large(Choice::of_bits(&plan.options), &problem.nest(), dst.base, plan.options.fill.as_ptr())
        };
    }
    let (mut whole, machine) = (Problem::nothing(), Machine::this());
    whole.set(&problem.nest());
    let long = whole.width / 16;
    // An element longer than the value repeats it from its first byte on.
    for (first, bytes, count) in [(0, whole.width.min(16), long.max(1)), (long.max(1) * 16, whole.width % 16, 1)] {
        if bytes == 0 || first >= whole.width {
            continue;
        }
        problem.set(&whole.nest());
        (problem.width, problem.dst_base) = (bytes, whole.dst_base + first);
        problem.loops.push(Loop { count, dst: 16, src: 0 });
        problem.normalise();
        let choice = choose_for(Some(&machine), problem, &plan.options, plan.bytes_moved());
        // SAFETY: P1; of the value at most its 16 bytes are read. P3: the choice was made for the problem.
        unsafe { run_large(choice, &problem.nest(), dst.base, plan.options.fill.as_ptr()) };
    }
}

/// Calls `run` with each piece in normal form; UNSUPPORTED if there are too many, if one has no source, or if one is
/// not whole bytes.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) fn each_problem(relayout: &Relayout<'_>, run: &mut dyn FnMut(&mut Problem) -> Result<()>) -> Result<()> {
    let refused = Status::Unsupported.of(Argument::Plan);
    refused.unless(!relayout.src.fills(), Detail::NotEqual, -1, 0)?;
    let (pieces, most) = (relayout.count_pieces(MOST_LISTED_PIECES + 1), MOST_LISTED_PIECES as i64);
    refused.unless(pieces <= MOST_LISTED_PIECES, Detail::TooManyPieces, most + 1, most)?;
    let each = |run: &mut dyn FnMut(&mut Problem) -> Result<()>| {
        let mut pieces = Pieces::<64>::new(relayout, &Slab::ALL);
        let mut problem = Problem::nothing();
        while let Some(piece) = pieces.next() {
            relayout.set_problem(&piece, &mut problem);
            run(&mut problem)?;
        }
        Ok(())
    };
    if relayout.unit != Unit::Bytes {
        each(&mut |problem| check_bytes(problem))?; // before the first one is handed out
    }
    each(&mut |problem| {
        problem.normalise();
        run(problem)
    })
}

/// UNSUPPORTED for runs that are not whole bytes.
pub(super) fn check_bytes(problem: &Problem) -> Result<()> {
    let Unit::Bits(packing) = problem.unit else { return Ok(()) };
    Err(Status::Unsupported.of(Argument::Plan).because(Detail::DtypeWidth, packing.dtype().code() as i64, 0))
}
