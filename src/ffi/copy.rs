//! Copies
//!
//! Any layout to any layout of equal sizes. `dst` and `src` are the base pointers of the buffers, `dst_bytes` and
//! `src_bytes` their lengths. Before anything is touched it is proved that every element lies in its buffer, that no
//! two destination indices share an element, and that source and destination share no byte; two channels of one image
//! pass. An empty copy touches nothing, not even null pointers. Dtypes must be equal, or one of them plain bytes of the
//! same width; elements smaller than a byte are UNSUPPORTED in this version. Elements may lie at any address: none
//! needs alignment. The destination is never read, so it may be write-combined memory (but with STRIDE_COPY_OVERLAP,
//! where it is the source as well).
//!
//! Example: NHWC to NCHW.
//!
//!   int64_t sizes[4] = {1, 2, 2, 2};
//!   uint8_t planes[8], pixels[8] = {0, 1, 2, 3, 4, 5, 6, 7};
//!   stride_layout nchw, nhwc;
//!   stride_layout_init(&nchw, STRIDE_DTYPE_U8, 4, sizes, NULL, NULL);
//!   stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_U8, 4, sizes, NULL);
//!   assert(stride_copy(&nchw, planes, 8, &nhwc, pixels, 8, NULL, NULL) == STRIDE_STATUS_OK && planes[1] == 2);
#![allow(non_camel_case_types)]

use super::boundary::{Output, null, read_layout, report};
use super::layout::stride_layout;
use super::status::{stride_error, stride_status};
use crate::copy::execute::{self, Dst, Src, compare, fill};
use crate::copy::kernels::level::Level;
use crate::copy::{Options, Plan};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::LayoutBuf;
use core::ffi::c_void;
use core::ptr::addr_of;

/// The caller guarantees that destination elements are distinct and the two sides share no byte; no overlap test is
/// made, bounds are still checked. If this is false, the result is unspecified.
pub const STRIDE_COPY_ASSUME_DISTINCT: u32 = 1;
/// Every byte of the destination buffer that no index reaches gets the fill value. So a border is made: copy to a crop
/// of the padded tensor, with the padded tensor's whole buffer. Not for a view of a tensor whose other elements must
/// live on. UINT64_MAX is OUT_OF_BOUNDS, a source byte in the buffer OVERLAP.
pub const STRIDE_COPY_FILL_BUFFER: u32 = 2;
/// The sides may share bytes; the result is as if the source had been read first (memmove). Where a direction alone
/// cannot do that, scratch memory is needed. Not together with STRIDE_COPY_ASSUME_DISTINCT.
pub const STRIDE_COPY_OVERLAP: u32 = 4;
/// The destination is wanted in the cache afterwards. Without it a large destination is written past the cache.
pub const STRIDE_COPY_KEEP_CACHED: u32 = 8;
/// A call takes less than 8 KiB of stack instead of up to 48, for fibers and signal handlers. Not with XLA shapes.
/// Large transposes and channels are slower; an overlap test that needs more is UNDECIDED.
pub const STRIDE_COPY_SMALL_STACK: u32 = 16;

/// The best instruction set that the CPU has.
pub const STRIDE_CPU_LEVEL_BEST: u32 = 0;
/// Portable code only.
pub const STRIDE_CPU_LEVEL_SCALAR: u32 = 1;
/// x86-64 with SSSE3.
pub const STRIDE_CPU_LEVEL_SSSE3: u32 = 2;
/// x86-64 with AVX2.
pub const STRIDE_CPU_LEVEL_AVX2: u32 = 3;
/// x86-64 with AVX-512 F, BW, DQ, VL and VBMI.
pub const STRIDE_CPU_LEVEL_AVX512: u32 = 4;
/// 64-bit ARM with NEON.
pub const STRIDE_CPU_LEVEL_NEON: u32 = 5;

/// The highest STRIDE_CPU_LEVEL_... that this CPU runs, as a number from STRIDE_CPU_LEVEL_SCALAR on. Levels of one
/// architecture are ordered: a CPU runs those below its own as well. Never fails.
#[unsafe(no_mangle)]
pub extern "C" fn stride_cpu_level() -> u32 {
    Level::best() as u32
}

/// Options of a copy; begin with STRIDE_COPY_OPTIONS_INIT or `stride_copy_options_init`, which ask for nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_copy_options {
    /// sizeof(stride_copy_options). At most 4096; bytes beyond those that this version knows must be 0.
    pub struct_size: u32,
    /// STRIDE_COPY_... flags.
    pub flags: u32,
    /// The highest STRIDE_CPU_LEVEL_... to use; 0: the best. Levels compare as numbers, any known one is accepted on
    /// any CPU.
    pub cpu_level: u32,
    /// Zero.
    pub reserved: u32,
    /// Steps that an overlap test may take; 0: the default.
    pub overlap_budget: u64,
    /// The value for STRIDE_COPY_FILL_BUFFER: byte p of the buffer gets fill[(p mod element bytes) mod 16]. An element
    /// of up to 16 bytes is filled by as many bytes of this.
    pub fill: [u8; 16],
}

/// `STRIDE_COPY_OPTIONS_INIT`.
const NO_OPTIONS: stride_copy_options = stride_copy_options {
    struct_size: size_of::<stride_copy_options>() as u32,
    flags: 0,
    cpu_level: 0,
    reserved: 0,
    overlap_budget: 0,
    fill: [0; 16],
};

/// Options structs above this many bytes are refused rather than read.
const LARGEST_OPTIONS: u32 = 4096;

/// Reads and checks the caller's options; null leaves the default. Into place, field by field: a small struct that is
/// written in pieces and then copied whole costs more than all the checks.
///
/// # Safety
/// Null, or `struct_size` bytes that may be read, at least 4.
pub(super) unsafe fn read_options(out: &mut Options, pointer: *const stride_copy_options) -> Result<()> {
    if pointer.is_null() {
        return Ok(());
    }
    let known = size_of::<stride_copy_options>() as u32;
    let error = Error::new(Status::InvalidArgument).argument(Argument::Options);
    // SAFETY: the first field tells how much more may be read.
    let struct_size = unsafe { addr_of!((*pointer).struct_size).read() };
    if struct_size < known {
        return Err(error.because(Detail::StructSize, struct_size as i64, known as i64));
    }
    if struct_size > LARGEST_OPTIONS {
        return Err(error.because(Detail::Above, struct_size as i64, LARGEST_OPTIONS as i64));
    }
    // SAFETY: the struct is at least as large as the one known here.
    let options = unsafe { pointer.read() };
    for byte in known..struct_size {
        // SAFETY: below `struct_size`.
        let value = unsafe { pointer.cast::<u8>().wrapping_add(byte as usize).read() };
        if value != 0 {
            return Err(error.because(Detail::StructTail, byte as i64, known as i64)); // a newer field asks for something
        }
    }
    if options.reserved != 0 {
        return Err(error.because(Detail::NotZero, options.reserved as i64, 0));
    }
    out.flags = options.flags;
    out.cpu_level = options.cpu_level;
    out.overlap_budget = options.overlap_budget;
    out.fill = options.fill;
    Ok(())
}

/// Makes the plan of a copy in place: it is large.
///
/// # Safety
/// As the functions of the header that call it.
pub(super) unsafe fn set_plan(
    plan: &mut Plan,
    dst_layout: *const stride_layout,
    src_layout: *const stride_layout,
    options: *const stride_copy_options,
) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe {
        if dst_layout.is_null() || src_layout.is_null() {
            return set_packed_plan(plan, dst_layout, src_layout, options);
        }
        let dst_layout = read_layout(dst_layout, Argument::DstLayout)?;
        let src_layout = read_layout(src_layout, Argument::SrcLayout)?;
        read_options(&mut plan.options, options)?;
        plan.set_copy(&dst_layout, &src_layout)
    }
}

/// [`set_plan`] where a layout is left out: packed, with the dtype and sizes of the other side.
///
/// # Safety
/// As [`set_plan`].
#[cold]
#[inline(never)] // its stack is its own
unsafe fn set_packed_plan(
    plan: &mut Plan,
    dst_layout: *const stride_layout,
    src_layout: *const stride_layout,
    options: *const stride_copy_options,
) -> Result<()> {
    let from_dst = !dst_layout.is_null();
    let (given, argument) =
        if from_dst { (dst_layout, Argument::DstLayout) } else { (src_layout, Argument::SrcLayout) };
    if given.is_null() {
        return Err(null(Argument::DstLayout));
    }
    // SAFETY: as promised to this function.
    unsafe {
        let given = read_layout(given, argument)?;
        read_options(&mut plan.options, options)?;
        let packed = LayoutBuf::packed(given.dtype(), given.sizes()).in_role(argument)?;
        let packed = packed.view().in_role(argument)?;
        let (dst, src) = if from_dst { (&given, &packed) } else { (&packed, &given) };
        plan.set_copy_out_of_line(dst, src)
    }
}

pub(super) fn dst_buffer(dst: *mut c_void, dst_bytes: u64) -> Dst {
    Dst { base: dst.cast(), bytes: dst_bytes }
}

pub(super) fn src_buffer(src: *const c_void, src_bytes: u64) -> Src {
    Src { base: src.cast(), bytes: src_bytes }
}

/// Options that ask for nothing: STRIDE_COPY_OPTIONS_INIT for callers that have no macros. Only NULL_POINTER can go
/// wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_copy_options_init(out: *mut stride_copy_options) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(core::ptr::null_mut(), || {
            Output::new(out, Argument::Out)?.write(NO_OPTIONS);
            Ok(())
        })
    }
}

/// Copies every element of `src` to the element of `dst` with the same index. `options` NULL: the defaults. One layout
/// may be NULL, but not both: packed, with the dtype and sizes of the other side.
///
/// Arrays: dst_layout or NULL, dst[dst_bytes], src_layout or NULL, src[src_bytes], options or NULL.
///
/// Requires: `dst` may be written and `src` read over the bytes that the layouts reach (with STRIDE_COPY_FILL_BUFFER
/// `dst` over all of `dst_bytes`); meanwhile nobody else touches those of `dst` or writes those of `src`.
///
/// Returns: INVALID_ARGUMENT for the options; SHAPE_MISMATCH with the dimension and both sizes; DTYPE_MISMATCH;
/// OUT_OF_BOUNDS with the bytes needed and the length; OVERLAP with the distance of the two sides; UNDECIDED where an
/// overlap test did not finish; SCRATCH_NEEDED with the bytes that `stride_copy_scratch` wants; OVERFLOW if a layout
/// that is left out would be too large; UNSUPPORTED.
///
/// Time: in proportion to the bytes, plus at most the budget of an overlap test; the same for all copies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_copy(
    dst_layout: *const stride_layout,
    dst: *mut c_void,
    dst_bytes: u64,
    src_layout: *const stride_layout,
    src: *const c_void,
    src_bytes: u64,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let mut plan = Plan::nothing();
            set_plan(&mut plan, dst_layout, src_layout, options)?;
            execute::execute_plan(&plan, dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes))
        })
    }
}

/// `stride_copy` with scratch memory for sides that share bytes (STRIDE_COPY_OVERLAP), as many bytes as all elements
/// together have. It is used only where no direction of travel keeps the source whole; then it must share no byte with
/// either side.
///
/// Arrays: dst_layout or NULL, dst[dst_bytes], src_layout or NULL, src[src_bytes], options or NULL,
/// scratch[scratch_bytes].
///
/// Returns: as `stride_copy`; SCRATCH_NEEDED with bytes needed and given; OVERLAP if the scratch shares bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_copy_scratch(
    dst_layout: *const stride_layout,
    dst: *mut c_void,
    dst_bytes: u64,
    src_layout: *const stride_layout,
    src: *const c_void,
    src_bytes: u64,
    options: *const stride_copy_options,
    scratch: *mut c_void,
    scratch_bytes: u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let mut plan = Plan::nothing();
            set_plan(&mut plan, dst_layout, src_layout, options)?;
            let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
            execute::execute_scratch(&plan.view(), dst, src, dst_buffer(scratch, scratch_bytes))
        })
    }
}

/// Writes one element's value to every element of `dst`. `value` points to the bytes of one element. Indices that share
/// an element do no harm here.
///
/// Arrays: dst[dst_bytes], value[1 element].
///
/// Time: in proportion to the bytes, each element once; up to 8 times where indices share elements in three dimensions
/// at once, beyond that UNDECIDED.
///
/// Returns: OUT_OF_BOUNDS; OVERLAP if the value lies in an element, UNDECIDED if that is not known (neither can
/// be where the value lies outside the buffer); UNSUPPORTED for elements smaller than a byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_fill(
    dst_layout: *const stride_layout,
    dst: *mut c_void,
    dst_bytes: u64,
    value: *const c_void,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let layout = read_layout(dst_layout, Argument::DstLayout)?;
            let mut plan = Plan::nothing();
            plan.set_fill(&layout)?;
            let value_bytes = layout.dtype().bits() as u64 / 8;
            let named = |error: Error| match error.argument {
                Argument::Src | Argument::SrcBytes => Error { argument: Argument::Value, ..error },
                _ => error,
            };
            fill::fill(&plan, dst_buffer(dst, dst_bytes), src_buffer(value, value_bytes)).map_err(named)
        })
    }
}

/// Compares two tensors of equal sizes byte by byte. `*first_difference` becomes the row-major number of the first
/// element that differs (`stride_layout_unravel_index` gives its index), -1 if all are equal.
///
/// Arrays: lhs[lhs_bytes], rhs[rhs_bytes].
///
/// Requires: all bytes that the layouts reach are initialised (padding inside structs is compared too).
///
/// Time: in proportion to the bytes; where indices share elements, up to 64 times the elements of the side that reaches
/// more, beyond that UNDECIDED before anything is read.
///
/// Returns: SHAPE_MISMATCH; DTYPE_MISMATCH; OUT_OF_BOUNDS; UNDECIDED; UNSUPPORTED for elements smaller than a byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_compare(
    lhs_layout: *const stride_layout,
    lhs: *const c_void,
    lhs_bytes: u64,
    rhs_layout: *const stride_layout,
    rhs: *const c_void,
    rhs_bytes: u64,
    first_difference: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let lhs_layout = read_layout(lhs_layout, Argument::LhsLayout)?;
            let rhs_layout = read_layout(rhs_layout, Argument::RhsLayout)?;
            let out = Output::new(first_difference, Argument::FirstDifference)?;
            let (lhs, rhs) = (src_buffer(lhs, lhs_bytes), src_buffer(rhs, rhs_bytes));
            out.write(compare::compare(&lhs_layout, lhs, &rhs_layout, rhs)?.unwrap_or(-1));
            Ok(())
        })
    }
}
