//! What is refused of a side, with status, argument, dimension, run and numbers; by a call as by a plan, and nothing is
//! touched. And what is not refused at the same edges.

use super::*;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

const U8: u32 = Dtype::U8.code();
const U4: u32 = Dtype::U4.code();

/// (status, argument, dimension, item, detail, lhs, rhs).
type Reason = (Status, Argument, i32, i32, Detail, i64, i64);

fn reason_of(e: &stride_error) -> (stride_status, u32, i32, i32, u64, i64, i64) {
    (e.status, e.argument, e.dimension, e.item, e.detail, e.lhs, e.rhs)
}

#[track_caller]
fn is(e: stride_error, (status, argument, dimension, item, detail, lhs, rhs): Reason) {
    let wanted = (status.number(), argument.number(), dimension, item, u64::from(detail.number()), lhs, rhs);
    assert_eq!(reason_of(&e), wanted, "{}", sentence(&e));
}

/// A side whose object and runs live.
#[derive(Clone, Copy)]
struct Made<'a>(stride_side, PhantomData<&'a ()>);

impl Deref for Made<'_> {
    type Target = stride_side;
    fn deref(&self) -> &stride_side {
        &self.0
    }
}

impl DerefMut for Made<'_> {
    fn deref_mut(&mut self) -> &mut stride_side {
        &mut self.0
    }
}

fn side<T>(kind: u32, of: &T) -> Made<'_> {
    let mut side = oracle::zeroed();
    call!(stride_side_init, &mut side, kind, std::ptr::from_ref(of).cast()).unwrap();
    Made(side, PhantomData)
}

fn all(of: &stride_layout) -> Made<'_> {
    side(STRIDE_SIDE_LAYOUT, of)
}

const fn run(first: i64, step: i64, count: i64) -> stride_index_run {
    stride_index_run { first, step, count }
}

fn through<'a>(mut side: Made<'a>, dimension: u32, runs: &'a [stride_index_run]) -> Made<'a> {
    call!(stride_side_set_runs, &mut *side, dimension, runs.len() as u32, runs.as_ptr()).unwrap();
    side
}

fn from_number(mut side: Made<'_>, first: i64, count: i64) -> Made<'_> {
    call!(stride_side_set_range, &mut *side, first, count).unwrap();
    side
}

/// A copy of 64 bytes, which are as they were if it is refused, and its plan.
fn both<'a>(
    dst: impl Into<Option<&'a Made<'a>>>,
    src: impl Into<Option<&'a Made<'a>>>,
    options: &stride_copy_options,
) -> [Answer<()>; 2] {
    let [dst, src] = [dst.into(), src.into()].map(|side| side.map_or(null(), |side| &raw const side.0));
    let (mut to, from, mut plan) = ([7u8; 64], [1u8; 64], stride_plan { words: [5; 512] });
    let (d, s) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
    let copied = call!(stride_copy_sides, dst, d, 64, src, s, 64, options);
    assert!(copied.is_ok() || to == [7; 64]);
    let planned = call!(stride_plan_init_sides, &mut plan, dst, src, options);
    assert!(planned.is_ok() || plan.words == [5; 512]);
    [copied, planned]
}

#[track_caller]
fn refused(dst: &Made<'_>, src: &Made<'_>, options: &stride_copy_options, reason: Reason) {
    both(dst, src, options).into_iter().for_each(|answer| is(error(answer), reason));
}

#[track_caller]
fn passes(dst: &Made<'_>, src: &Made<'_>, options: &stride_copy_options) {
    assert_eq!(both(dst, src, options), [Ok(()), Ok(())]);
}

const DEFAULTS: stride_copy_options = oracle::DEFAULTS;

#[test]
fn what_makes_a_side() {
    let (layout, mut out) = (packed(U8, &[4]), oracle::zeroed::<stride_side>());
    let of = std::ptr::from_ref(&layout).cast();
    for kind in [0, 4, u32::MAX] {
        let reason = (Status::InvalidArgument, Argument::Kind, -1, -1, Detail::UnknownValue, kind as i64, 3);
        is(error(call!(stride_side_init, &mut out, kind, of)), reason);
    }
    let null_pointer = |argument| (Status::NullPointer, argument, -1, -1, Detail::None, 0, 0);
    is(error(call!(stride_side_init, std::ptr::null_mut(), 1, of)), null_pointer(Argument::Out));
    is(error(call!(stride_side_init, &mut out, 1, null())), null_pointer(Argument::Of));
    assert_eq!((out.struct_size, out.kind), (0, 0));
    is(error(call!(stride_side_set_runs, std::ptr::null_mut(), 0, 0, null())), null_pointer(Argument::Side));
    is(error(call!(stride_side_set_range, std::ptr::null_mut(), 0, 0)), null_pointer(Argument::Side));
    let mut out = all(&layout);
    is(error(call!(stride_side_set_runs, &mut *out, 0, 1, null())), null_pointer(Argument::Runs));
    for (first, count, argument) in [(-1, 0, Argument::First), (0, -1, Argument::Count), (i64::MIN, 0, Argument::First)]
    {
        let number = first.min(count);
        let reason = (Status::InvalidSize, argument, -1, -1, Detail::Below, number, 0);
        is(error(call!(stride_side_set_range, &mut *out, first, count)), reason);
    }
    assert_eq!((out.range_first, out.range_count, out.along_count), (0, -1, 0));
    // Eight dimensions, each of which may be set again.
    let runs = [run(0, 1, 1)];
    for dimension in (0..8).chain([3, 7]) {
        out = through(out, dimension, &runs);
    }
    assert_eq!(out.along_count, 8);
    let reason = (Status::InvalidRank, Argument::Side, -1, -1, Detail::Above, 9, 8);
    is(error(call!(stride_side_set_runs, &mut *out, 8, 1, runs.as_ptr())), reason);
    assert_eq!((out.along_count, out.along[7].dimension), (8, 7));
}

#[test]
fn structs_that_are_no_sides() {
    let layout = packed(U8, &[4]);
    let good = all(&layout);
    let mut wrong = Vec::new();
    let mut with = |change: fn(&mut stride_side), status, detail, lhs, rhs| {
        let mut side = good;
        change(&mut side);
        wrong.push((side, status, detail, lhs, rhs));
    };
    let size = size_of::<stride_side>() as i64;
    with(|side| side.struct_size -= 1, Status::InvalidArgument, Detail::StructSize, size - 1, size);
    with(|side| side.struct_size = 0, Status::InvalidArgument, Detail::StructSize, 0, size);
    with(|side| side.kind = 0, Status::InvalidArgument, Detail::UnknownValue, 0, 3);
    with(|side| side.kind = 4, Status::InvalidArgument, Detail::UnknownValue, 4, 3);
    with(|side| side.reserved = 5, Status::InvalidArgument, Detail::NotZero, 5, 0);
    with(|side| side.of = null(), Status::NullPointer, Detail::None, 0, 0);
    with(|side| side.along_count = 9, Status::InvalidRank, Detail::Above, 9, 8);
    with(|side| side.along_count = u32::MAX, Status::InvalidRank, Detail::Above, u32::MAX as i64, 8);
    with(|side| side.range_count = -2, Status::InvalidSize, Detail::Below, -2, -1);
    with(|side| (side.range_first, side.range_count) = (-1, 2), Status::InvalidSize, Detail::Below, -1, 0);
    for (side, status, detail, lhs, rhs) in &wrong {
        refused(side, &good, &DEFAULTS, (*status, Argument::DstSide, -1, -1, *detail, *lhs, *rhs));
        refused(&good, side, &DEFAULTS, (*status, Argument::SrcSide, -1, -1, *detail, *lhs, *rhs));
    }
    let mut side = good;
    side.reserved_pointer = std::ptr::from_ref(&layout).cast();
    assert_eq!(status(both(&side, &good, &DEFAULTS)[0]), Status::InvalidArgument.number());
    // A list that is missing.
    side = good;
    (side.along_count, side.along[0].count) = (1, 2);
    refused(&side, &good, &DEFAULTS, (Status::NullPointer, Argument::DstSide, 0, -1, Detail::None, 0, 0));
    for answer in both(None, None, &DEFAULTS) {
        is(error(answer), (Status::NullPointer, Argument::DstSide, -1, -1, Detail::NeitherGiven, 0, 1));
    }
    // What it points to is no object.
    let mut broken = layout;
    broken.rank = 65;
    refused(&good, &all(&broken), &DEFAULTS, (Status::InvalidRank, Argument::SrcSide, -1, -1, Detail::Above, 65, 64));
    broken = packed(U8, &[4]);
    broken.sizes[0] = -1;
    refused(&all(&broken), &good, &DEFAULTS, (Status::InvalidSize, Argument::DstSide, 0, -1, Detail::Below, -1, 0));
    let unbounded = side_of_shape("f32[?]");
    let answers = both(&side_at(&unbounded), &good, &DEFAULTS);
    assert!(answers.iter().all(|&answer| status(answer) == Status::Unsupported.number()));
}

fn side_of_shape(text: &str) -> stride_xla_shape {
    parse(text).unwrap()
}

fn side_at(shape: &stride_xla_shape) -> Made<'_> {
    side(STRIDE_SIDE_SHAPE, shape)
}

#[test]
fn runs_that_lead_nowhere() {
    let (matrix, three) = (packed(U8, &[5, 3]), packed(U8, &[3, 3]));
    let (whole, three) = (all(&matrix), all(&three));
    let outside = |item: i32, index: i64| (Status::IndexOutOfRange, 0, item, Detail::OutOfRange, index, 5);
    let below = |item: i32, count: i64| (Status::InvalidSize, 0, item, Detail::Below, count, 0);
    let mut wrong = vec![
        (vec![run(5, 1, 1), run(0, 1, 2)], outside(0, 5)),
        (vec![run(0, 1, 2), run(5, 0, 1)], outside(1, 5)),
        (vec![run(3, 1, 3)], outside(0, 5)),
        (vec![run(1, -1, 3)], outside(0, -1)),
        (vec![run(0, 1, 1), run(2, -2, 2), run(-2, 0, 1)], outside(2, -2)),
        (vec![run(-1, 1, 3)], outside(0, -1)),
        (vec![run(-2, 0, 3)], outside(0, -2)),
        (vec![run(i64::MAX, 1, 3)], outside(0, i64::MAX)),
        (vec![run(i64::MIN, 1, 3)], outside(0, i64::MIN)),
        (vec![run(0, i64::MAX, 3)], outside(0, i64::MAX)),
        (vec![run(4, i64::MIN, 3)], outside(0, i64::MIN)),
        (vec![run(0, 1, i64::MAX)], outside(0, i64::MAX - 1)),
        (vec![run(0, 1, 3), run(0, 1, -1)], below(1, -1)),
        (vec![run(0, 1, i64::MIN)], below(0, i64::MIN)),
    ];
    for (runs, (status, dimension, item, detail, lhs, rhs)) in &wrong {
        let reason = |argument| (*status, argument, *dimension, *item, *detail, *lhs, *rhs);
        refused(&through(whole, 0, runs), &three, &DEFAULTS, reason(Argument::DstSide));
        refused(&three, &through(whole, 0, runs), &DEFAULTS, reason(Argument::SrcSide));
    }
    // Of a destination there is no fill value.
    for (runs, item) in
        [(vec![run(-1, 0, 3)], 0), (vec![run(0, 1, 2), run(-1, 0, 1)], 1), (vec![run(0, 1, 2), run(-1, 9, 1)], 1)]
    {
        let reason = (Status::InvalidArgument, Argument::DstSide, 0, item, Detail::FillsDestination, -1, 0);
        refused(&through(whole, 0, &runs), &three, &DEFAULTS, reason);
        passes(&three, &through(whole, 0, &runs), &DEFAULTS);
    }
    // Counts that are no number together, and elements that are none.
    wrong.clear();
    let endless = [run(1, 0, i64::MAX), run(0, 1, 1)];
    let reason = |argument| (Status::Overflow, argument, 0, 1, Detail::RunsTotal, i64::MAX, 1);
    refused(&three, &through(whole, 0, &endless), &DEFAULTS, reason(Argument::SrcSide));
    refused(&through(whole, 0, &endless), &three, &DEFAULTS, reason(Argument::DstSide));
    let (long, wide) = ([run(1, 0, i64::MAX)], [run(1, 0, 2)]);
    for (dimension, runs) in [(0, &long), (0, &[run(-1, 0, i64::MAX)])] {
        let e = error(both(&three, &through(whole, dimension, runs), &DEFAULTS)[0]);
        assert_eq!((e.status, e.argument), (Status::Overflow.number(), Argument::SrcSide.number()));
    }
    let e = error(both(&three, &through(through(whole, 0, &[run(1, 0, 1 << 62)]), 1, &wide), &DEFAULTS)[0]);
    assert_eq!((e.status, e.argument), (Status::Overflow.number(), Argument::SrcSide.number()));
    // Dimensions that there are not, or that were there already.
    let some = [run(0, 1, 3)];
    for dimension in [2, 64, u32::MAX] {
        let reason = (Status::InvalidAxes, Argument::SrcSide, -1, -1, Detail::OutOfRange, dimension as i64, 2);
        refused(&three, &through(whole, dimension, &some), &DEFAULTS, reason);
    }
    let mut twice = through(through(whole, 0, &some), 1, &some);
    twice.along[1].dimension = 0;
    refused(&twice, &three, &DEFAULTS, (Status::InvalidAxes, Argument::DstSide, -1, -1, Detail::Repeated, 0, 2));
    // Sizes are the sums of the counts.
    let reason = (Status::ShapeMismatch, Argument::SrcSide, 0, -1, Detail::NotEqual, 4, 3);
    refused(&three, &through(whole, 0, &[run(0, 1, 4)]), &DEFAULTS, reason);
    let s8 = packed(Dtype::S8.code(), &[5, 3]);
    let dtypes = [Dtype::S8, Dtype::U8].map(|dtype| i64::from(dtype.code()));
    let reason = (Status::DtypeMismatch, Argument::SrcSide, -1, -1, Detail::Dtypes, dtypes[0], dtypes[1]);
    refused(&three, &through(all(&s8), 0, &some), &DEFAULTS, reason);
}

#[test]
fn runs_that_come_back() {
    let (matrix, list) = (packed(U8, &[9, 2]), |count: i64| packed(U8, &[count, 2]));
    let promised = flags(STRIDE_COPY_ASSUME_DISTINCT);
    let cases: [(&[stride_index_run], i32); 6] = [
        (&[run(3, 1, 1), run(3, 1, 1)], 1),
        (&[run(0, 1, 2), run(5, 0, 2)], 1),
        (&[run(5, 1, 3), run(0, 1, 2), run(6, -2, 3)], 2),
        (&[run(0, 2, 4), run(1, 2, 4), run(8, -3, 3)], 2),
        (&[run(2, 0, 3)], 0),
        (&[run(0, 1, 0), run(4, 1, 3), run(0, 1, 5)], 2),
    ];
    for (runs, item) in cases {
        let count = runs.iter().map(|run| run.count).sum();
        let (from, to) = (list(count), through(all(&matrix), 0, runs));
        let first = runs[item as usize].first;
        let reason = (Status::Overlap, Argument::DstSide, 0, item, Detail::SharedIndex, first, 0);
        refused(&to, &all(&from), &DEFAULTS, reason);
        passes(&to, &all(&from), &promised);
        passes(&all(&from), &to, &DEFAULTS); // to read them is fine
    }
    // Others that are distinct: between each other, downward, and in any order.
    let fine: [&[stride_index_run]; 4] = [
        &[run(1, 2, 4), run(0, 2, 5)],
        &[run(8, -1, 9)],
        &[run(8, -3, 3), run(1, 3, 3), run(6, -3, 3)],
        &[run(7, 9, 1), run(0, 0, 1), run(5, -1, 3)],
    ];
    for runs in fine {
        let from = list(runs.iter().map(|run| run.count).sum());
        passes(&through(all(&matrix), 0, runs), &all(&from), &DEFAULTS);
    }
    // As many as one likes upward, but not downward.
    let long = packed(U4, &[4000]);
    let upward: Vec<_> = (0..2000).map(|k| run(2 * k, 1, 1)).collect();
    let downward: Vec<_> = upward.iter().rev().copied().collect();
    let (mut to, from) = ([0u8; 2000], [0x21u8; 1000]);
    let mut copy = |runs: &[stride_index_run], options| {
        let side = through(all(&long), 0, runs);
        let (d, s) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
        call!(stride_copy_sides, &*side, d, 2000, null(), s, 1000, options)
    };
    copy(&upward, &DEFAULTS).unwrap();
    copy(&downward[..91], &DEFAULTS).unwrap(); // as the header says
    assert_eq!(status(copy(&downward[..92], &DEFAULTS)), Status::Undecided.number());
    let e = error(copy(&downward, &DEFAULTS));
    let reason = (e.status, e.argument, e.dimension, e.detail, e.lhs);
    let budget = u64::from(Detail::Budget.number());
    assert_eq!(reason, (Status::Undecided.number(), Argument::DstSide.number(), 0, budget, 4096));
    copy(&downward, &stride_copy_options { overlap_budget: 3_000_000, ..DEFAULTS }).unwrap();
    copy(&downward, &promised).unwrap();
    // The object itself holds elements twice.
    let folded = layout(U8, &[4, 3], &[1, 1]);
    let e = error(both(&through(all(&folded), 0, &[run(0, 1, 2)]), &all(&packed(U8, &[2, 3])), &DEFAULTS)[0]);
    assert_eq!((e.status, e.argument), (Status::Overlap.number(), Argument::DstSide.number()));
}

#[test]
fn ranges_end_where_elements_do() {
    let (matrix, four) = (packed(U8, &[5, 3]), packed(U8, &[4]));
    let (whole, four) = (all(&matrix), all(&four));
    for (first, end) in [(12, 16), (16, 20), (i64::MAX - 3, i64::MAX - 3 + 3)] {
        let last = if end == i64::MAX { i64::MAX } else { end };
        let reason = |argument| (Status::OutOfBounds, argument, -1, -1, Detail::RangeEnd, last, 15);
        refused(&from_number(whole, first, 4), &four, &DEFAULTS, reason(Argument::DstSide));
        refused(&four, &from_number(whole, first, 4), &DEFAULTS, reason(Argument::SrcSide));
    }
    let huge = from_number(whole, i64::MAX, i64::MAX);
    assert_eq!(status(both(&four, &huge, &DEFAULTS)[0]), Status::OutOfBounds.number());
    passes(&from_number(whole, 11, 4), &four, &DEFAULTS);
    passes(&four, &from_number(whole, 0, 4), &DEFAULTS);
    // Behind the last element there are none.
    let none = packed(U8, &[0]);
    let none = all(&none);
    passes(&from_number(whole, 15, 0), &none, &DEFAULTS);
    refused(
        &from_number(whole, 16, 0),
        &none,
        &DEFAULTS,
        (Status::OutOfBounds, Argument::DstSide, -1, -1, Detail::RangeEnd, 16, 15),
    );
    // One dimension, whatever the object has.
    let ranks = (Status::ShapeMismatch, Argument::SrcSide, -1, -1, Detail::Ranks, 2, 1);
    refused(&from_number(whole, 0, 15), &whole, &DEFAULTS, ranks);
    let runs = [run(0, 1, 4)];
    let reason = |argument| (Status::Unsupported, argument, -1, -1, Detail::RunsAndRange, 1, 0);
    refused(&from_number(through(whole, 0, &runs), 0, 4), &four, &DEFAULTS, reason(Argument::DstSide));
    refused(&four, &from_number(through(whole, 0, &runs), 0, 4), &DEFAULTS, reason(Argument::SrcSide));
}

#[test]
fn flags_that_sides_do_not_take() {
    let (matrix, three) = (packed(U8, &[5, 3]), packed(U8, &[3, 3]));
    let (whole, three) = (all(&matrix), all(&three));
    let (small, overlap) = (flags(STRIDE_COPY_SMALL_STACK), flags(STRIDE_COPY_OVERLAP));
    let (tiled, runs) = (parse("u8[3,3]{1,0:T(2,2)}").unwrap(), [run(0, 1, 3)]);
    let taken = through(whole, 0, &runs);
    let unsupported = |flag: u32| {
        let flag = i64::from(flag);
        (Status::Unsupported, Argument::Options, -1, -1, Detail::UnsupportedFlag, flag, flag)
    };
    passes(&three, &three, &small);
    assert_eq!(both(&three, None, &small), [Ok(()), Ok(())]);
    for side in [side_at(&tiled), taken, from_number(whole, 0, 0)] {
        refused(&three, &side, &small, unsupported(STRIDE_COPY_SMALL_STACK));
        refused(&side, &three, &small, unsupported(STRIDE_COPY_SMALL_STACK));
    }
    // Three rows in their order are one nest of loops, in another order they are not.
    passes(&taken, &three, &overlap);
    let order = [run(2, 1, 1), run(0, 1, 1), run(4, 1, 1)];
    refused(&three, &through(whole, 0, &order), &overlap, unsupported(STRIDE_COPY_OVERLAP));
    refused(&three, &side_at(&tiled), &overlap, unsupported(STRIDE_COPY_OVERLAP));
    // With scratch memory rows are reversed in place.
    let downward = [run(4, -1, 5)];
    let downward = through(whole, 0, &downward);
    let mut memory: Vec<u8> = (0..15).collect();
    let mut scratch = [0u8; 15];
    let mut copy = |bytes: u64| {
        let options = stride_copy_options { scratch: scratch.as_mut_ptr().cast(), scratch_bytes: bytes, ..overlap };
        let base = memory.as_mut_ptr();
        call!(stride_copy_sides, &*whole, base.cast(), 15, &*downward, base.cast_const().cast(), 15, &options)
    };
    let short = error(copy(14));
    is(short, (Status::ScratchNeeded, Argument::Scratch, -1, -1, Detail::ScratchBytes, 15, 14));
    copy(15).unwrap();
    assert_eq!(memory, [12, 13, 14, 9, 10, 11, 6, 7, 8, 3, 4, 5, 0, 1, 2]);
    let both_flags = flags(STRIDE_COPY_OVERLAP | STRIDE_COPY_ASSUME_DISTINCT);
    let e = error(both(&three, &taken, &both_flags)[0]);
    assert_eq!((e.status, e.detail), (Status::InvalidArgument.number(), u64::from(Detail::ConflictingFlags.number())));
}

/// A copy of no element touches nothing, but for what it fills; of a source that is the fill value alone there may be
/// nothing.
#[test]
fn nothing_needs_no_memory() {
    let (matrix, none) = (packed(U8, &[5, 3]), packed(U8, &[0, 3]));
    let whole = all(&matrix);
    let no_index = [run(7, 7, 0), run(i64::MIN, 0, 0)];
    let empty = [through(whole, 0, &[]), through(whole, 0, &no_index), all(&none)];
    for (to, from) in empty.iter().flat_map(|to| empty.iter().map(move |from| (to, from))) {
        let no_dst = std::ptr::null_mut();
        call!(stride_copy_sides, &**to, no_dst, 0, &**from, null(), 0, null()).unwrap();
        call!(stride_copy_sides, &**to, no_dst, 0, null(), null(), 0, null()).unwrap();
        let mut plan = stride_plan { words: [0; 512] };
        call!(stride_plan_init_sides, &mut plan, &**to, &**from, null()).unwrap();
        call!(stride_plan_execute, &plan, no_dst, 0, null(), 0).unwrap();
        let mut filled = [0u8; 9];
        let dst = filled.as_mut_ptr().cast();
        call!(stride_copy_sides, &**to, dst, 9, &**from, null(), 0, &fill_rest(&[6])).unwrap();
        assert_eq!(filled, [6; 9]);
    }
    // Buffers that are not there.
    let three = all(&matrix);
    let (mut to, from) = ([7u8; 15], [1u8; 15]);
    let (d, s) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
    let (order, fills) = ([run(4, 1, 1), run(0, 1, 1), run(3, -1, 3)], [run(-1, 0, 5)]);
    let some = through(whole, 0, &order);
    let answer = call!(stride_copy_sides, &*some, std::ptr::null_mut(), 15, &*three, s, 15, null());
    is(error(answer), (Status::NullPointer, Argument::Dst, -1, -1, Detail::None, 0, 0));
    let answer = call!(stride_copy_sides, &*three, d, 15, &*some, null(), 15, null());
    is(error(answer), (Status::NullPointer, Argument::Src, -1, -1, Detail::None, 0, 0));
    // Elements below the base.
    let below = at(2, layout(U8, &[5, 3], &[-3, 1]));
    let e = error(call!(stride_copy_sides, &*through(all(&below), 0, &[run(0, 1, 5)]), d, 15, &*three, s, 15, null()));
    is(e, (Status::OutOfBounds, Argument::DstSide, -1, -1, Detail::BeforeStart, -10, 0));
    // Nothing but the fill value, of a source with elements, which must be there, and of one without.
    let filled = through(whole, 0, &fills);
    let answer = call!(stride_copy_sides, &*three, d, 15, &*filled, s, 14, null());
    is(error(answer), (Status::OutOfBounds, Argument::SrcBytes, -1, -1, Detail::PastEnd, 15, 14));
    assert_eq!(to, [7; 15]);
    let options = stride_copy_options { fill: [5; 16], ..DEFAULTS };
    let nothing = through(all(&none), 0, &fills);
    let d = to.as_mut_ptr().cast();
    call!(stride_copy_sides, &*three, d, 15, &*nothing, null(), 0, &options).unwrap();
    assert_eq!(to, [5; 15]);
    let mut plan = stride_plan { words: [0; 512] };
    call!(stride_plan_init_sides, &mut plan, &*three, &*nothing, &options).unwrap();
    to = [7; 15];
    let (d, zero) = (to.as_mut_ptr().cast(), [0].as_ptr());
    call!(stride_plan_execute, &plan, d, 15, null(), 0).unwrap();
    assert_eq!(to, [5; 15]);
    to = [7; 15];
    let d = to.as_mut_ptr().cast();
    call!(stride_plan_execute_batch, &plan, d, 15, zero, null(), 0, zero, 1, 0, 1).unwrap();
    assert_eq!(to, [5; 15]);
}

/// A plan between layouts of rank 4 holds 400 single indices or 120 runs; one that would be too long says so.
#[test]
fn plans_hold_so_many_runs() {
    let (of, to) =
        (packed(U8, &[2, 2000, 2, 2]), |count: i64| layout(U8, &[2, count, 2, 2], &[count * 4 + 1, 4, 2, 1]));
    let mut plan = stride_plan { words: [0; 512] };
    let mut init = |runs: &[stride_index_run]| {
        let count = runs.iter().map(|run| run.count).sum();
        call!(stride_plan_init_sides, &mut plan, &*all(&to(count)), &*through(all(&of), 1, runs), null())
    };
    let single = |count: i64| (0..count).map(|k| run(k * 37 % 2000, 1, 1)).collect::<Vec<_>>();
    let runs = |count: i64| (0..count).map(|k| run(k * 37 % 1900, 1 + k % 3, 5)).collect::<Vec<_>>();
    init(&single(400)).unwrap();
    init(&runs(120)).unwrap();
    for too_many in [single(500), runs(170)] {
        let e = error(init(&too_many));
        assert!(is_too_long(&e), "{e:?}");
        let (mut to, from) = (vec![0u8; 16_000], vec![0u8; 16_000]);
        let (d, s) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
        let side = through(all(&of), 1, &too_many);
        call!(stride_copy_sides, null(), d, 16_000, &*side, s, 16_000, null()).unwrap(); // a call has no such limit
    }
}
