//! Sides of copies
//!
//! A side is a layout, an XLA shape or a blocked layout: all of it, the indices that runs list along dimensions, or a
//! range of its elements in row-major order. Any side is copied to any other one whose sizes, after runs and ranges,
//! are equal. Runs are {first, step, count}:
//!
//!   all of it      stride_side_init
//!   a list         one run for each index: {3,1,1}, {1,1,1}, {4,1,1} takes rows 3, 1 and 4
//!   a roll         two runs: {n-k,1,k}, {0,1,n-k}; k is the shift of numpy.roll
//!   a border       three runs, here 8 on both ends:
//!     reflected      {8,-1,8}, {0,1,n}, {n-2,-1,8}
//!     the edge       {0,0,8}, {0,1,n}, {n-1,0,8}
//!     wrapped        {n-8,1,8}, {0,1,n}, {0,1,8}
//!     constant       {-1,0,8}, {0,1,n}, {-1,0,8}
//!   a constant     a run {-1,0,count} of a source is the fill value
//!   a range        stride_side_set_range: one dimension, whatever the sizes are; two ranges copy in row-major order
//!
//! A side borrows its pointers until the call returns; a plan keeps none of them. All elements of the object must lie
//! in the buffer, including those that the runs or the range skip: rows 0 to 2 of ten rows of 12 bytes need 120 bytes,
//! not 36. A shape or blocked layout needs its whole buffer, padding included, unless the side is all of it and the
//! copy one nest of loops. Runs may be of any length. They are proved before anything is touched; an entry that another
//! thread changes during the call is left out.
//!
//! The fill value is `options->fill`, repeated from the first byte of each element on, as the destination stores it:
//! from u32 to u32:swapped the bytes of elements are swapped, those of the fill are not. Padding is neither read nor
//! written. With STRIDE_COPY_FILL_BUFFER every byte that the copy does not write gets the fill value, so also the
//! elements that runs or a range skip.
//!
//! STRIDE_COPY_SMALL_STACK is UNSUPPORTED unless both sides are layouts without runs and ranges: other calls take up to
//! 80 KiB of the stack. STRIDE_COPY_OVERLAP works if the copy is one nest of loops in spite of tiles and runs, and is
//! UNSUPPORTED otherwise. A shape whose storage is wider than its type counts as the integer type of its storage: s4 in
//! a byte needs an s8 layout on the other side, as `stride_layout_from_xla` makes it.
//!
//! Example: rows 3 and 1 of a matrix.
//!
//!   uint8_t rows[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, taken[6]; int64_t sizes[2] = {4, 3};
//!   stride_layout matrix; stride_side from; stride_index_run list[2] = {{3, 1, 1}, {1, 1, 1}};
//!   stride_layout_init(&matrix, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL);
//!   stride_side_init(&from, STRIDE_SIDE_LAYOUT, &matrix, NULL);
//!   stride_side_set_runs(&from, 0, 2, list, NULL);
//!   assert(stride_copy_sides(NULL, taken, 6, &from, rows, 12, NULL, NULL) == STRIDE_STATUS_OK);
//!   assert(taken[0] == 10 && taken[2] == 12 && taken[3] == 4 && taken[5] == 6);

use super::blocked_layout::{read_blocked, stride_blocked};
use super::boundary::{Output, array, check_given, check_list, null};
use super::conversion::GivenConversion;
use super::copy::{dst_buffer, read_options, src_buffer, stride_copy_options};
use super::layout::{LayoutRoom, read_layout_once, stride_layout};
use super::plan::stride_plan;
use super::sized::check_sized_input;
use super::status::{report, stride_error, stride_status};
use super::xla::{read_shape, stride_xla_shape};
use crate::copy::Plan;
use crate::copy::converting::{Converting, StepsRoom};
use crate::copy::execute::{self, Dst, stored};
use crate::copy::relayout::along::IndexRun;
use crate::copy::relayout::{Given, MAX_ALONG, Relayout};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::side::{AlongList, Object, give};
use core::ffi::c_void;
use core::ptr::{addr_of, addr_of_mut};

/// A side that is a layout: `of` is a `stride_layout`.
pub const STRIDE_SIDE_LAYOUT: u32 = 1;
/// A side that is an XLA shape: `of` is a `stride_xla_shape` (stride_xla.h).
pub const STRIDE_SIDE_SHAPE: u32 = 2;
/// A side that is a blocked layout: `of` is a `stride_blocked` (stride_interop.h).
pub const STRIDE_SIDE_BLOCKED: u32 = 3;
/// The most dimensions of a side that have runs.
pub const STRIDE_MAX_ALONG: usize = 8;

/// Indices along a dimension: first, first + step, ...; `count` of them. {-1,0,count} of a source is the fill value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_index_run {
    /// The first index, in 0 ... size - 1; -1: the fill value. Ignored if `count` is 0.
    pub first: i64,
    /// The distance from one index to the next, which may be negative. 0 with a count above 1: sources only.
    pub step: i64,
    /// Number of indices; 0 or more.
    pub count: i64,
}

/// Runs along one dimension.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_side_runs {
    /// The runs, one after the other.
    pub runs: *const stride_index_run,
    /// The dimension.
    pub dimension: u32,
    /// Number of runs.
    pub count: u32,
}

/// One side of a copy; make it with `stride_side_init`, or begin with STRIDE_SIDE_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_side {
    /// sizeof(stride_side).
    pub struct_size: u32,
    /// STRIDE_SIDE_...: what `of` points to.
    pub kind: u32,
    /// The number of the first element of a range.
    pub range_first: i64,
    /// Elements of a range, which may be 0; -1: there is no range.
    pub range_count: i64,
    /// Dimensions that have runs.
    pub along_count: u32,
    /// Zero.
    pub reserved: u32,
    /// The layout, shape or blocked layout.
    pub of: *const c_void,
    /// NULL.
    pub reserved_pointer: *const c_void,
    /// One entry for each dimension that has runs.
    pub along: [stride_side_runs; STRIDE_MAX_ALONG],
}

/// The side that is all of an object. `of` is borrowed, and read when the side is used.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for a kind that is not STRIDE_SIDE_...
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_side_init(
    out: *mut stride_side,
    kind: u32,
    of: *const c_void,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let out = Output::new(out, Argument::Out)?;
        check_kind(kind, Argument::Kind)?;
        check_given(of, Argument::Of)?;
        let none = stride_side_runs { runs: core::ptr::null(), dimension: 0, count: 0 };
        out.write(stride_side {
            struct_size: size_of::<stride_side>() as u32,
            kind,
            range_first: 0,
            range_count: -1,
            along_count: 0,
            reserved: 0,
            of,
            reserved_pointer: core::ptr::null(),
            along: [none; STRIDE_MAX_ALONG],
        });
    })
}

fn check_kind(kind: u32, argument: Argument) -> Result<()> {
    if (STRIDE_SIDE_LAYOUT..=STRIDE_SIDE_BLOCKED).contains(&kind) {
        return Ok(());
    }
    Err(Status::InvalidArgument.of(argument).because(Detail::UnknownValue, kind as i64, STRIDE_SIDE_BLOCKED as i64))
}

/// Checks a side that is to be changed: one that `stride_side_init` or STRIDE_SIDE_INIT began.
///
/// # Safety
/// `side` is null or a readable side.
unsafe fn begun(side: *mut stride_side) -> Result<*mut stride_side> {
    let side = Output::new(side, Argument::Side)?.0;
    // SAFETY: not null (`Output::new`); readable (# Safety).
    unsafe { check_sized_input(side.cast_const(), size_of::<stride_side>(), Argument::Side)? };
    Ok(side)
}

/// Lists the indices along a dimension, counted from 0, by runs: index i of the side is the i-th index of the runs, so
/// the side's size is the sum of their counts. A second call for a dimension replaces its runs. (0, NULL): no index, so
/// the side is empty. The runs are borrowed, and read when the side is used. A side has runs or a range, not both;
/// `stride_side_init` removes either.
///
/// Arrays: runs[count].
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for struct_size; INVALID_RANK above 8 dimensions with runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_side_set_runs(
    side: *mut stride_side,
    dimension: u32,
    count: u32,
    runs: *const stride_index_run,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let side = begun(side)?;
        check_list(runs, count.into(), Argument::Runs)?;
        let along = addr_of_mut!((*side).along).cast::<stride_side_runs>();
        let used = (addr_of!((*side).along_count).read() as usize).min(STRIDE_MAX_ALONG);
        let same = (0..used).find(|&k| addr_of!((*along.add(k)).dimension).read() == dimension);
        let place = same.unwrap_or(used);
        if place >= STRIDE_MAX_ALONG {
            let error = Status::InvalidRank.of(Argument::Side);
            let most = STRIDE_MAX_ALONG as i64;
            return Err(error.because(Detail::Above, most + 1, most));
        }
        along.add(place).write(stride_side_runs { runs, dimension, count });
        addr_of_mut!((*side).along_count).write(used.max(place + 1) as u32);
    })
}

/// Makes the side one dimension: the `count` elements from number `first` on in row-major order. A second call replaces
/// the range. A side has runs or a range, not both; `stride_side_init` removes either.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for struct_size; INVALID_SIZE for numbers below 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_side_set_range(
    side: *mut stride_side,
    first: i64,
    count: i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let side = begun(side)?;
        for (number, argument) in [(first, Argument::First), (count, Argument::Count)] {
            Status::InvalidSize.of(argument).at_least(number, 0)?;
        }
        addr_of_mut!((*side).range_first).write(first);
        addr_of_mut!((*side).range_count).write(count);
    })
}

/// Reads the caller's side, each word once, into the engine's form. True for a layout without runs and ranges.
///
/// # Safety
/// `pointer` is a readable side; its object and its runs are readable while the result lives.
#[inline(never)] // objects are large
unsafe fn read_side<'a>(pointer: *const stride_side, to: &mut Given<'a>, may_fill: bool) -> Result<bool> {
    let name = to.name;
    // SAFETY: the side is readable, and so are its object, of the kind that `kind` says, and its runs (# Safety).
    unsafe {
        check_sized_input(pointer, size_of::<stride_side>(), name)?;
        let kind = addr_of!((*pointer).kind).read_volatile();
        let range =
            (addr_of!((*pointer).range_first).read_volatile(), addr_of!((*pointer).range_count).read_volatile());
        let count = addr_of!((*pointer).along_count).read_volatile();
        let (of, reserved) = (addr_of!((*pointer).of).read_volatile(), addr_of!((*pointer).reserved).read_volatile());
        let reserved_pointer = addr_of!((*pointer).reserved_pointer).read_volatile();
        check_kind(kind, name)?;
        let error = |status| Error::new(status).argument(name);
        if reserved != 0 || !reserved_pointer.is_null() {
            let found = if reserved != 0 { reserved as i64 } else { reserved_pointer.addr() as i64 };
            return Err(error(Status::InvalidArgument).because(Detail::NotZero, found, 0));
        }
        check_given(of, name)?;
        error(Status::InvalidRank).at_most(count as i64, MAX_ALONG as i64)?;
        let mut room = LayoutRoom::new();
        let (shape, blocked);
        let object = match kind {
            STRIDE_SIDE_LAYOUT => Object::Layout(read_layout_once(&mut room, of.cast::<stride_layout>(), name)?),
            STRIDE_SIDE_SHAPE => {
                shape = read_shape(of.cast::<stride_xla_shape>()).in_role(name)?;
                Object::Shape(&shape)
            }
            _ => {
                blocked = read_blocked(of.cast::<stride_blocked>()).in_role(name)?;
                Object::Blocked(&blocked)
            }
        };
        let mut along = AlongList::new();
        let entries = addr_of!((*pointer).along).cast::<stride_side_runs>();
        for entry in (0..count as usize).map(|k| entries.add(k)) {
            let dimension = addr_of!((*entry).dimension).read_volatile();
            let runs = addr_of!((*entry).runs).read_volatile().cast::<IndexRun>();
            let count = addr_of!((*entry).count).read_volatile();
            let runs = array(runs, count as usize, name).map_err(|error| error.dimension(dimension as usize))?;
            let _ = along.try_push((dimension as usize, runs)); // there is room
        }
        let (first_number, elements) = range;
        for (number, least) in [(first_number, 0), (elements, -1)] {
            error(Status::InvalidSize).at_least(number, least)?;
        }
        let range = if elements < 0 { None } else { Some(range) };
        give(&object, &along, range, to, may_fill)?;
        Ok(kind == STRIDE_SIDE_LAYOUT && along.is_empty() && range.is_none())
    }
}

/// Prepares a copy between two sides, one of which may be null.
///
/// # Safety
/// Each side is null or readable while the result lives, and so are the options, each with all that it points to.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn prepare<'g>(
    plan: &mut Plan,
    [dst, src]: [*const stride_side; 2],
    [to, from]: &'g mut [Given<'_>; 2],
    options: *const stride_copy_options,
    steps: &'g mut StepsRoom,
) -> Result<Prepared<'g>> {
    let asked;
    // SAFETY: sides and options are null or readable (# Safety).
    unsafe {
        asked = read_options(plan, options)?;
        if dst.is_null() && src.is_null() {
            return Err(null(Argument::DstSide).because(Detail::NeitherGiven, 0, 1));
        }
        let mut plain = true;
        if !dst.is_null() {
            plain &= read_side(dst, to, false)?;
        }
        if !src.is_null() {
            plain &= read_side(src, from, true)?;
        }
        if !plain {
            plan.options.check_ordinary_stack()?;
        }
        if dst.is_null() {
            to.see_packed(from)?;
        } else if src.is_null() {
            from.see_packed(to)?;
        }
    }
    let scratch = asked.scratch;
    if asked.conversion.is_null() {
        return Ok((plan.set_sides(to, from, None)?, None, scratch));
    }
    let mut room = LayoutRoom::new();
    // SAFETY: the conversion of the options is readable, with its values (# Safety).
    let given = unsafe { GivenConversion::read(asked.conversion, &mut room)? };
    let conversion = given.between(to.dtype, from.dtype);
    let sides = [&*to, &*from];
    let (boxes, converting) = plan.set_converted_sides(steps, sides, conversion, given.values.as_ref(), given.lists)?;
    Ok((boxes, converting, scratch))
}

/// The parts of a copy beside its plan: a relayout instead of loops, the conversion, the caller's scratch memory.
type Prepared<'a> = (Option<Relayout<'a>>, Option<Converting<'a>>, Option<Dst>);

/// Copies every element of the source side to the element of the destination side with the same index. `options` NULL:
/// the defaults. One of the sides may be NULL: it is packed, with the dtype and sizes of the other.
///
/// Arrays: dst_side or NULL, dst[dst_bytes], src_side or NULL, src[src_bytes], options or NULL.
///
/// Requires: buffers as for `stride_copy`, over all elements of the objects (see the head of this section).
///
/// Returns: as `stride_copy`; INVALID_ARGUMENT for a side's fields, and if a run of the destination is the fill value;
/// INVALID_RANK above 8 dimensions with runs; INVALID_TILE for a shape's tile or a block (item); INVALID_AXES for a
/// dimension that does not exist or has runs twice; INDEX_OUT_OF_RANGE and INVALID_SIZE with the run (item); OVERLAP
/// with the run that repeats an index of the destination, or for runs in bytes that are written; UNDECIDED if that is
/// not known; OUT_OF_BOUNDS with the end of a range and the number of elements; UNSUPPORTED for a side with runs and a
/// range, a shape with too many tiles or an unbounded size, STRIDE_COPY_SMALL_STACK unless both sides are layouts
/// without runs and ranges, and STRIDE_COPY_OVERLAP if the copy is several nests of loops.
///
/// Time: as `stride_copy`, plus that of the runs, which are read three times, and of the pieces into which tiles and
/// runs cut the copy. Ascending runs of a destination are proved disjoint in one pass. n runs in another order take n *
/// n / 2 steps of the overlap budget or more, whose default is enough for 91. Sort them, raise the budget, or set
/// STRIDE_COPY_ASSUME_DISTINCT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_copy_sides(
    dst_side: *const stride_side,
    dst: *mut c_void,
    dst_bytes: u64,
    src_side: *const stride_side,
    src: *const c_void,
    src_bytes: u64,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
        let (mut plan, mut given) = (Plan::nothing(), [Argument::DstSide, Argument::SrcSide].map(Given::named));
        let mut steps = StepsRoom::new();
        let (boxes, converting, scratch) = prepare(&mut plan, [dst_side, src_side], &mut given, options, &mut steps)?;
        execute::execute_made(&plan, boxes.as_ref(), converting.as_ref(), dst, src, scratch)
    })
}

/// Prepares a copy between two sides, which can then run any number of times. The plan holds all that it needs of them,
/// with their runs and their divisions, which cut an index where tiles, blocks or the rows of a range do. It has 500
/// words for both: between layouts of rank 4 at least 400 single indices or 120 runs.
///
/// Arrays: dst_side or NULL, src_side or NULL, options or NULL.
///
/// Returns: as `stride_copy_sides`, as far as buffers do not matter; UNSUPPORTED with the words needed and those that
/// there are if the plan would be too long.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_init_sides(
    out: *mut stride_plan,
    dst_side: *const stride_side,
    src_side: *const stride_side,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let out = Output::new(out, Argument::Out)?;
        let (mut plan, mut given) = (Plan::nothing(), [Argument::DstSide, Argument::SrcSide].map(Given::named));
        let mut steps = StepsRoom::new();
        let (boxes, converting, _) = prepare(&mut plan, [dst_side, src_side], &mut given, options, &mut steps)?;
        stored::write_any(&plan, boxes.as_ref(), converting.as_ref(), out.0.cast())
    })
}
