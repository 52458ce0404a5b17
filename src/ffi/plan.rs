//! Plans
//!
//! A plan is a copy prepared once. It holds no address, and may be copied, shared, and run by many threads at once. Its
//! parts write different bytes, so any thread pool can run them. It belongs to this version of the library and to the
//! CPU on which it was made: make it anew rather than store it. All rules of `stride_copy` hold for plans too.
//!
//! Example: one transpose in four parts, each of which could run on a thread of its own.
//!
//!   int64_t sizes[2] = {64, 64}, columns_first[2] = {0, 1}; static float dst[64 * 64], src[64 * 64];
//!   stride_layout rows, columns; stride_plan plan; uint32_t part;
//!   stride_layout_init(&rows, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL);
//!   stride_layout_init_ordered(&columns, STRIDE_DTYPE_F32, 2, sizes, columns_first, NULL);
//!   assert(stride_plan_init(&plan, &columns, &rows, NULL, NULL) == STRIDE_STATUS_OK);
//!   for (part = 0; part < 4; part++) stride_plan_execute_part(&plan, dst, sizeof dst, src, sizeof src, part, 4, NULL);

use super::boundary::{Output, array, check_given, write_text};
use super::copy::{Asked, convert, dst_buffer, set_plan, src_buffer, stride_copy_options};
use super::layout::stride_layout;
use super::status::{report, stride_error, stride_status};
use crate::copy::Plan;
use crate::copy::converting::Lists;
use crate::copy::execute::batch::{self, Batch};
use crate::copy::execute::{self, quick, stored};
use crate::copy::plan::PlanView;
use crate::error::{Argument, Detail, Result, Status};
use core::ffi::{c_char, c_void};

/// A prepared copy. 4096 bytes without any address.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct stride_plan {
    /// Opaque. Word 0 identifies a plan, its format and the number of words in use, at least 12. Words that are not in
    /// use are neither written nor read.
    pub words: [u64; 512],
}

/// Calls `then` with the caller's plan, of which each word in use is read once.
///
/// # Safety
/// `pointer` is null, or the words that the plan has in use are aligned and readable while `then` runs.
pub(super) unsafe fn with_plan(
    pointer: *const stride_plan,
    then: &mut dyn FnMut(&PlanView<'_>) -> Result<()>,
) -> Result<()> {
    check_given(pointer, Argument::Plan)?;
    // SAFETY: the words may be read while `then` runs (# Safety).
    unsafe { stored::with_words(pointer.cast(), then) }
}

/// Prepares a copy that can then run any number of times, with any buffers. `options` NULL: the defaults. One layout
/// may be NULL: that side is packed, with the dtype and sizes of the other.
///
/// Arrays: dst_layout or NULL, src_layout or NULL, options or NULL.
///
/// Returns: as `stride_copy`, as far as buffers do not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_init(
    out: *mut stride_plan,
    dst_layout: *const stride_layout,
    src_layout: *const stride_layout,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let out = Output::new(out, Argument::Out)?;
        let mut plan = Plan::nothing();
        let Asked { conversion, .. } = set_plan(&mut plan, dst_layout, src_layout, options)?;
        if !conversion.is_null() {
            return convert(&mut plan, [dst_layout, src_layout], conversion, &mut |plan, converting| {
                stored::write_any(plan, None, converting, out.0.cast())
            });
        }
        stored::write(&plan, out.0.cast())
    })
}

/// Runs a plan. A plan that was tampered with is refused, or moves wrong bytes within the given lengths; if it claims
/// STRIDE_COPY_ASSUME_DISTINCT, the call lasts as long as its loops say.
///
/// Arrays: dst[dst_bytes], src[src_bytes].
///
/// Requires: buffers as for `stride_copy`.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan; OUT_OF_BOUNDS; OVERLAP; UNDECIDED; SCRATCH_NEEDED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_execute(
    plan: *const stride_plan,
    dst: *mut c_void,
    dst_bytes: u64,
    src: *const c_void,
    src_bytes: u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: `plan` is null or readable, `error` null or writable (stride.h, Pointers); the plan reaches only bytes
    // that may be read, or written (Requires).
    unsafe {
        if !plan.is_null() && quick::execute(plan.cast(), dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes)) {
            return Status::Ok.number();
        }
        run_part(plan, (dst, dst_bytes), (src, src_bytes), [0, 1], error)
    }
}

/// Runs part `part` (0, 1, ...) of `parts` of a plan. All parts together are the whole, in any order and on any
/// threads. Parts never share a destination byte. A part has about 4 KiB or more; surplus parts do nothing. Part 0 does
/// everything if sides share bytes, if a fill cannot be split, or if elements smaller than a byte cannot be cut between
/// two bytes. No part takes scratch memory.
///
/// Arrays: dst[dst_bytes], src[src_bytes].
///
/// Requires: as `stride_plan_execute`.
///
/// Returns: as `stride_plan_execute`, and INVALID_ARGUMENT unless part < parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_execute_part(
    plan: *const stride_plan,
    dst: *mut c_void,
    dst_bytes: u64,
    src: *const c_void,
    src_bytes: u64,
    part: u32,
    parts: u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: the requirements of the function called are those of this one (Requires).
    unsafe {
        if (part, parts) == (0, 1) {
            return stride_plan_execute(plan, dst, dst_bytes, src, src_bytes, error);
        }
        run_part(plan, (dst, dst_bytes), (src, src_bytes), [part, parts], error)
    }
}

/// [`stride_plan_execute_part`] for all plans, without the shorter way of small ones.
///
/// # Safety
/// `plan` is null, or readable where in use, `error` null or writable; the buffers as far as the plan reaches.
#[inline(never)]
unsafe fn run_part(
    plan: *const stride_plan,
    (dst, dst_bytes): (*mut c_void, u64),
    (src, src_bytes): (*const c_void, u64),
    [part, parts]: [u32; 2],
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
        with_plan(plan, &mut |plan| execute::execute(plan, dst, src, None, [part, parts]))
    })
}

/// Runs part `part` of `parts` of a plan whose conversion has lists. Give a list for each one that the conversion had
/// when the plan was made, and NULL for the others.
///
/// Arrays: dst[dst_bytes], src[src_bytes], subtracts[value_count] or NULL, scales[value_count] or NULL,
/// adds[value_count] or NULL.
///
/// Requires: as `stride_plan_execute`; during the call no thread writes to the lists.
///
/// Returns: as `stride_plan_execute_part`; NULL_POINTER for a list that the plan needs; INVALID_ARGUMENT for one that
/// it does not; OUT_OF_BOUNDS with the entry that is needed and the number of entries; OVERLAP for a list in bytes that
/// are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_execute_values(
    plan: *const stride_plan,
    dst: *mut c_void,
    dst_bytes: u64,
    src: *const c_void,
    src_bytes: u64,
    subtracts: *const f32,
    scales: *const f32,
    adds: *const f32,
    value_count: u64,
    part: u32,
    parts: u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
        let lists = Lists { pointers: [subtracts, scales, adds], count: value_count };
        with_plan(plan, &mut |plan| {
            plan.with_lists(lists, &mut |plan| execute::execute(plan, dst, src, None, [part, parts]))
        })
    })
}

/// The caller's lists of offsets.
///
/// # Safety
/// Each list is null, or readable for `count` entries while the result lives.
unsafe fn read_places<'a>(dst_offsets: *const i64, src_offsets: *const i64, count: u64) -> Result<Batch<'a>> {
    let most = isize::MAX as u64 / 8;
    let error = Status::InvalidArgument.of(Argument::Count);
    error.unless(count <= most, Detail::Above, count as i128, most as i128)?;
    // SAFETY: each list is null or has `count` entries (# Safety).
    unsafe {
        let dst_offsets = array(dst_offsets, count as usize, Argument::DstOffsets)?;
        Ok(Batch { dst_offsets, src_offsets: array(src_offsets, count as usize, Argument::SrcOffsets)? })
    }
}

/// Runs part `part` of `parts` of `count` copies by one plan, such as the blocks of a paged cache or the tiles of an
/// atlas. Copy k has the base pointers moved by `dst_offsets[k]` and `src_offsets[k]` bytes; the lengths are those of
/// the whole buffers. Every copy is proved to lie in them before anything is touched. An offset may be negative if the
/// plan's elements begin far enough above the base. Parts divide the list or, if that is short, the copies.
///
/// Arrays: dst[dst_bytes], dst_offsets[count], src[src_bytes], src_offsets[count].
///
/// Requires: as `stride_plan_execute`; no copy writes a byte that another one reads or writes. This is not checked. If
/// one thread runs them, such a byte gets the value of one of the copies.
///
/// Time: in proportion to the bytes. If the range of all writes meets that of all reads, each copy takes an overlap
/// test more, as `stride_copy` makes it.
///
/// Returns: as `stride_plan_execute_part`, with the number of the copy in `item`; OVERLAP if offsets lie in the range
/// that a copy writes (`lhs` is that copy); UNSUPPORTED for plans with STRIDE_COPY_FILL_BUFFER or STRIDE_COPY_OVERLAP;
/// INVALID_ARGUMENT for a count that no list in memory has, and for plans whose conversion has lists.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_execute_batch(
    plan: *const stride_plan,
    dst: *mut c_void,
    dst_bytes: u64,
    dst_offsets: *const i64,
    src: *const c_void,
    src_bytes: u64,
    src_offsets: *const i64,
    count: u64,
    part: u32,
    parts: u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
        with_plan(plan, &mut |plan| {
            let places = read_places(dst_offsets, src_offsets, count)?;
            batch::execute(plan, places, dst, src, part, parts)
        })
    })
}

/// Bytes of scratch memory that `stride_plan_execute_scratch` needs with base pointers at these addresses. 0 without
/// STRIDE_COPY_OVERLAP, and where that flag needs none.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan; OUT_OF_BOUNDS past the address space, of plans with
/// STRIDE_COPY_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_scratch_bytes(
    plan: *const stride_plan,
    dst_address: u64,
    src_address: u64,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        with_plan(plan, &mut |plan| {
            Output::new(out, Argument::Out)?.write_found(execute::scratch_bytes(plan, dst_address, src_address))
        })
    })
}

/// Runs a plan with scratch memory for sides that share bytes. The memory is used only if it is needed, and must then
/// lie outside the range of either side.
///
/// Arrays: dst[dst_bytes], src[src_bytes], scratch[scratch_bytes].
///
/// Requires: as `stride_plan_execute`; the scratch is written.
///
/// Returns: as `stride_plan_execute`; SCRATCH_NEEDED with bytes needed and given; OVERLAP if the scratch does not lie
/// apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_execute_scratch(
    plan: *const stride_plan,
    dst: *mut c_void,
    dst_bytes: u64,
    src: *const c_void,
    src_bytes: u64,
    scratch: *mut c_void,
    scratch_bytes: u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
        let scratch = dst_buffer(scratch, scratch_bytes);
        with_plan(plan, &mut |plan| execute::execute(plan, dst, src, Some(scratch), [0, 1]))
    })
}

/// Writes a plan as text: kernel, bytes, element width, tiles, and the loops after merging; of a copy of several nests
/// of loops its pieces, divisions (`stride_plan_init_sides`) and runs. For people, not to be parsed.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Time: with tiles of many dimensions about a millisecond.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_describe(
    plan: *const stride_plan,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, with_plan(plan, &mut |plan| write_text(buffer, capacity, length, plan)))
}
