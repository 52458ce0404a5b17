//! Plans
//!
//! A plan is a copy prepared once. It holds no address, and may be copied, shared, and run by many threads at once. Its
//! parts write different bytes, so any thread pool can run them. It belongs to this version of the library and to the
//! CPU on which it was made: make it anew rather than store it. What is said of `stride_copy` holds here too.
//!
//! Example: one transpose in four parts, each of which could run on a thread of its own.
//!
//!   int64_t sizes[2] = {64, 64}, columns_first[2] = {0, 1}; static float dst[64 * 64], src[64 * 64];
//!   stride_layout rows, columns; stride_plan plan; uint32_t part;
//!   stride_layout_init(&rows, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL);
//!   stride_layout_init_ordered(&columns, STRIDE_DTYPE_F32, 2, sizes, columns_first, NULL);
//!   assert(stride_plan_init(&plan, &columns, &rows, NULL, NULL) == STRIDE_STATUS_OK);
//!   for (part = 0; part < 4; part++) stride_plan_execute_part(&plan, dst, sizeof dst, src, sizeof src, part, 4, NULL);
#![allow(non_camel_case_types)]

use super::boundary::{Output, array, null, report, write_text};
use super::copy::{check_row_major, dst_buffer, set_plan, src_buffer, stride_copy_options};
use super::layout::stride_layout;
use super::sides::{Says, plan_layouts};
use super::status::{stride_error, stride_status};
use crate::copy::bits::{self, BitWords};
use crate::copy::execute::batch::{self, Batch};
use crate::copy::execute::{self, once, quick, relayout, shortcut};
use crate::copy::kernels::bits::Packing;
use crate::copy::loops::{Loop, MAX_LOOPS};
use crate::copy::plan::PlanWords;
use crate::copy::shortcut::Shortcut;
use crate::copy::tiled::{self, TiledWords};
use crate::copy::{Plan, words};
use crate::error::{Argument, Detail, Error, Result, Status};
use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;
use core::ptr::{addr_of, addr_of_mut};

/// A prepared copy. 4096 bytes without any address.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct stride_plan {
    /// Opaque. Word 0 identifies a plan, its format and how many words are in use, at least 10; the others are neither
    /// written nor read.
    pub words: [u64; 512],
}

/// The call's own memory for what a plan of the caller's has in use, but for that of tiles.
pub(super) struct PlanRoom {
    header: [u64; words::HEADER],
    loops: [MaybeUninit<u64>; 3 * MAX_LOOPS],
}

impl PlanRoom {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self { header: [0; words::HEADER], loops: [MaybeUninit::uninit(); 3 * MAX_LOOPS] }
    }
}

/// A plan of the caller's.
pub(super) enum AnyWords<'a> {
    /// Loops.
    Loops(PlanWords<'a>),
    /// Sides with tiles, which are many words.
    Tiled(TiledPointer<'a>),
    /// Loops in bits.
    Bits(BitWords<'a>),
}

/// Where the words of a plan with tiles lie.
pub(super) struct TiledPointer<'a> {
    header: &'a [u64; words::HEADER],
    rest: *const i64,
}

impl TiledPointer<'_> {
    /// Calls `then` with the words.
    ///
    /// # Safety
    /// They may be read.
    #[inline(never)] // its stack is its own
    pub(super) unsafe fn with<T>(self, then: impl FnOnce(TiledWords<'_>) -> Result<T>) -> Result<T> {
        let mut room = [MaybeUninit::uninit(); tiled::MOST_WORDS];
        let [first, ..] = *self.header;
        let used = room.get_mut(..words::words_behind(first)).unwrap_or(&mut []);
        // SAFETY: as promised to this function.
        then(TiledWords { header: self.header, rest: unsafe { once::words(self.rest, used) } })
    }
}

/// Reads the caller's plan, as far as it is in use, each word once.
///
/// # Safety
/// Null, or words that may be read, as far as the plan uses them, while the result lives.
#[inline(always)]
pub(super) unsafe fn read_words(room: &mut PlanRoom, pointer: *const stride_plan) -> Result<AnyWords<'_>> {
    if pointer.is_null() {
        return Err(null(Argument::Plan));
    }
    // SAFETY: words of the caller's plan: the header; behind it a shortcut, which is numbers of any value, and at most
    // 62 loops of three words; or the rest of 512 words at most.
    unsafe {
        let first = addr_of!((*pointer).words).cast::<u64>();
        room.header = once::array(first);
        let header = &room.header;
        let [claim, shape, ..] = *header;
        let (kind, behind) = (words::shortcut_in_use(shape), first.add(words::HEADER));
        if kind == tiled::NUMBER {
            return Ok(AnyWords::Tiled(TiledPointer { header, rest: behind.cast() }));
        }
        let shortcut = Shortcut::new(kind).unwrap_or(Shortcut::None); // none for bits
        // No further than the plan says that it goes, whatever it says of its loops: it is refused then.
        let room_for_loops = words::words_behind(claim).saturating_sub(shortcut.words()) / 3;
        let count = words::loops_in_use(shape).min(room_for_loops);
        let loops = room.loops.get_mut(..3 * count).unwrap_or(&mut []);
        let loops = once::as_loops(once::words(behind.add(shortcut.words()), loops));
        if kind == bits::NUMBER {
            return Ok(AnyWords::Bits(BitWords { header, loops }));
        }
        Ok(AnyWords::Loops(PlanWords { header, shortcut, table: behind, loops }))
    }
}

/// Writes the words of a plan that are in use.
///
/// # Safety
/// As [`Output::write`].
#[inline(always)]
pub(super) unsafe fn write_plan(plan: &Plan, out: Output<stride_plan>) {
    // SAFETY: words of the caller's plan: the header, the shortcut behind it, and the loops behind that.
    unsafe {
        let first = addr_of_mut!((*out.0).words).cast::<u64>();
        let behind = first.add(words::HEADER);
        let shortcut = shortcut::write(&plan.view(), plan.machine.as_ref(), behind);
        let (loops, first_loop) = (plan.loops(), behind.add(shortcut.words()).cast::<Loop>());
        core::ptr::copy_nonoverlapping(loops.as_ptr(), first_loop, loops.len());
        first.cast::<[u64; words::HEADER]>().write(plan.header(shortcut));
    }
}

/// Writes the words of a plan in bits.
///
/// # Safety
/// As [`Output::write`].
#[cold]
pub(super) unsafe fn write_plan_of_bits(plan: &Plan, packing: Packing, out: Output<stride_plan>) {
    // SAFETY: words of the caller's plan: the header, and the loops behind it.
    unsafe {
        let first = addr_of_mut!((*out.0).words).cast::<u64>();
        let (loops, first_loop) = (plan.loops(), first.add(words::HEADER).cast::<Loop>());
        core::ptr::copy_nonoverlapping(loops.as_ptr(), first_loop, loops.len());
        first.cast::<[u64; words::HEADER]>().write(plan.view_bits(packing).header());
    }
}

/// Prepares a copy that can then run any number of times, with any buffers. `options` NULL: the defaults. One layout
/// may be NULL, as for `stride_copy`.
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
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let out = Output::new(out, Argument::Out)?;
            let mut plan = Plan::nothing();
            match set_plan(&mut plan, dst_layout, src_layout, options) {
                Ok(None) => write_plan(&plan, out),
                Ok(Some(packing)) => write_plan_of_bits(&plan, packing, out),
                Err(refused) => {
                    check_row_major(&plan, refused)?;
                    return plan_layouts(out.0, [dst_layout, src_layout], Says::RowMajor, options);
                }
            }
            Ok(())
        })
    }
}

/// Runs a plan. A plan that was tampered with is refused, or moves wrong bytes within the given lengths; if it claims
/// STRIDE_COPY_ASSUME_DISTINCT, it does so for as long as its loops run.
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
    // SAFETY: as the header asks of callers.
    unsafe {
        if !plan.is_null() && quick::execute(plan.cast(), dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes)) {
            return Status::Ok.number();
        }
        run_part(plan, (dst, dst_bytes), (src, src_bytes), [0, 1], error)
    }
}

/// Runs part `part` (0, 1, ...) of `parts` of a plan. All parts together are the whole, in any order and on any
/// threads. Parts never share a destination byte. They have about 4 KiB or more; surplus parts do nothing. Part 0 does
/// everything where sides share bytes, where fills cannot be split, and where elements smaller than a byte cannot be
/// cut between two bytes. No part takes scratch memory.
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
    // SAFETY: as the header asks of callers.
    unsafe {
        if (part, parts) == (0, 1) {
            return stride_plan_execute(plan, dst, dst_bytes, src, src_bytes, error);
        }
        run_part(plan, (dst, dst_bytes), (src, src_bytes), [part, parts], error)
    }
}

/// A part of a plan, the long way.
///
/// # Safety
/// As [`stride_plan_execute_part`].
#[inline(never)]
unsafe fn run_part(
    plan: *const stride_plan,
    (dst, dst_bytes): (*mut c_void, u64),
    (src, src_bytes): (*const c_void, u64),
    [part, parts]: [u32; 2],
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as promised to this function.
    unsafe {
        report(error, || {
            let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
            match read_words(&mut PlanRoom::new(), plan)? {
                AnyWords::Loops(words) => {
                    let plan = words.decode();
                    // No second copy: the stack is short.
                    execute::execute(plan.as_ref().map_err(|&error| error)?, dst, src, part, parts)
                }
                AnyWords::Tiled(tiled) => tiled.with(|words| relayout::execute_words(words, dst, src, part, parts)),
                AnyWords::Bits(words) => execute::bits::execute_words(words, dst, src, None, part, parts),
            }
        })
    }
}

/// The caller's lists of offsets.
///
/// # Safety
/// Null, or `count` entries each that may be read while the result lives.
unsafe fn read_places<'a>(dst_offsets: *const i64, src_offsets: *const i64, count: u64) -> Result<Batch<'a>> {
    let most = isize::MAX as u64 / 8;
    if count > most {
        let error = Error::new(Status::InvalidArgument).argument(Argument::Count);
        return Err(error.because_wide(Detail::Above, count as i128, most as i128));
    }
    // SAFETY: as promised to this function.
    unsafe {
        let dst_offsets = array(dst_offsets, count as usize, Argument::DstOffsets)?;
        Ok(Batch { dst_offsets, src_offsets: array(src_offsets, count as usize, Argument::SrcOffsets)? })
    }
}

/// Runs part `part` of `parts` of `count` copies by one plan, such as the blocks of a paged cache or the tiles of an
/// atlas. Copy k has the base pointers moved by `dst_offsets[k]` and `src_offsets[k]` bytes; the lengths are those of
/// the whole buffers. Every copy is proved to lie in them before anything is touched. Offsets below 0 are legal where
/// the plan itself begins further on. Parts take shares of the list or, where that is short, of the copies.
///
/// Arrays: dst[dst_bytes], dst_offsets[count], src[src_bytes], src_offsets[count].
///
/// Requires: as `stride_plan_execute`; no copy writes a byte that another one reads or writes. This is not checked:
/// such a byte gets what one of the copies writes, if a single thread runs them.
///
/// Time: in proportion to the bytes; plus an overlap test for each copy, as `stride_copy` makes it, where the range of
/// all writes does not lie apart from that of all reads. Elements below a byte, and tiles, are not tested: the ranges
/// of the two sides of each copy must lie apart then.
///
/// Returns: as `stride_plan_execute_part`, with the number of the copy in `item`; OVERLAP where a list lies in the
/// range that a copy writes (`lhs` is that copy); UNSUPPORTED for plans with STRIDE_COPY_FILL_BUFFER or
/// STRIDE_COPY_OVERLAP; INVALID_ARGUMENT for a count that no list in memory has.
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
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let mut room = PlanRoom::new();
            let words = read_words(&mut room, plan)?;
            let places = read_places(dst_offsets, src_offsets, count)?;
            let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
            match words {
                AnyWords::Loops(words) => batch::execute(words, places, dst, src, part, parts),
                AnyWords::Tiled(tiled) => {
                    tiled.with(|words| batch::execute_words(words, places, dst, src, part, parts))
                }
                AnyWords::Bits(words) => batch::execute_bits(words, places, dst, src, part, parts),
            }
        })
    }
}

/// Bytes of scratch memory that `stride_plan_execute_scratch` needs with base pointers at these addresses. 0 without
/// STRIDE_COPY_OVERLAP, where the sides are known to share nothing, and where elements are moved upward or downward.
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
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let mut room = PlanRoom::new();
            let words = read_words(&mut room, plan)?;
            let out = Output::new(out, Argument::Out)?;
            out.write(match words {
                AnyWords::Loops(words) => execute::scratch_bytes(&words.decode()?, dst_address, src_address)?,
                AnyWords::Tiled(tiled) => tiled.with(|words| words.decode(&mut [None, None]).map(|_| 0))?,
                AnyWords::Bits(words) => execute::bits::scratch_bytes(&words.decode()?, dst_address, src_address)?,
            });
            Ok(())
        })
    }
}

/// Runs a plan with scratch memory for sides that share bytes. It is used only where it is needed, and must then lie
/// apart from the range of either side.
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
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
            let scratch = dst_buffer(scratch, scratch_bytes);
            match read_words(&mut PlanRoom::new(), plan)? {
                AnyWords::Loops(words) => execute::execute_scratch(&words.decode()?, dst, src, scratch),
                AnyWords::Tiled(tiled) => tiled.with(|words| relayout::execute_words(words, dst, src, 0, 1)),
                AnyWords::Bits(words) => execute::bits::execute_words(words, dst, src, Some(scratch), 0, 1),
            }
        })
    }
}

/// Writes what a plan does: kernel, bytes, element width, tiles, and the loops after merging. For people, not to be
/// parsed.
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
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || match read_words(&mut PlanRoom::new(), plan)? {
            AnyWords::Loops(words) => write_text(buffer, capacity, length, &words.decode()?),
            AnyWords::Tiled(tiled) => tiled.with(|words| {
                let mut shapes = [None, None];
                write_text(buffer, capacity, length, &words.decode(&mut shapes)?.0)
            }),
            AnyWords::Bits(words) => write_text(buffer, capacity, length, &words.decode()?),
        })
    }
}
