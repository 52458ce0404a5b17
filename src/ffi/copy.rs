//! Copies
//!
//! Any layout to any layout of equal sizes. `dst` and `src` are the base pointers of the buffers, `dst_bytes` and
//! `src_bytes` their lengths (UINT64_MAX: the caller vouches). Before anything is touched it is proved that every element
//! lies in its buffer, that no two destination elements are one, and that source and destination share no byte; two
//! channels of one image pass. An empty copy touches nothing, not even null pointers. Dtypes must be equal, or one of them
//! plain bytes of the same width; elements below a byte are UNSUPPORTED in this version. Elements may lie at any address:
//! none needs alignment.
//!
//! Besides the statuses named, functions return what is wrong with a layout.
#![allow(non_camel_case_types)]

use super::layout::stride_layout;
use super::status::{stride_error, stride_status};
use super::{Output, read_layout, report};
use crate::copy::execute::{self, Dst, Src, compare};
use crate::copy::kernels::level::Level;
use crate::copy::{Options, Plan};
use crate::error::{Argument, Error, Result, Status};
use core::ffi::c_void;
use core::ptr::addr_of;

/// Flag: destination elements are distinct and the two sides share no byte, the caller vouches; no overlap test is made.
/// Bounds are checked all the same. If it is untrue, the order of writes is unspecified.
pub const STRIDE_COPY_ASSUME_DISTINCT: u32 = 1;
/// Flag: every byte of the destination buffer that no index reaches gets the fill value; so `dst_bytes` must be the
/// tensor's own buffer, never the parent of a view nor UINT64_MAX (OUT_OF_BOUNDS), and no source byte may lie in it.
pub const STRIDE_COPY_FILL_REST: u32 = 2;
/// Flag: the sides may share bytes; the result is as if the source had been read first (memmove). Where a direction alone
/// cannot do that, scratch memory is needed. Not together with STRIDE_COPY_ASSUME_DISTINCT.
pub const STRIDE_COPY_OVERLAP: u32 = 4;
/// Flag: the destination is wanted in the cache afterwards. Without it a large destination is written past the cache.
pub const STRIDE_COPY_KEEP_CACHED: u32 = 8;
/// Flag: a call takes less than 8 KiB of the stack instead of at most 48 (64 with tiled shapes), as on fibers and in signal
/// handlers. Large transposes and channels are slower; an overlap test that needs more is UNDECIDED.
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

/// Options of a copy; begin with STRIDE_COPY_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_copy_options {
    /// sizeof(stride_copy_options). Up to 4096, as a newer version may have it: what is not known here must be zero.
    pub struct_size: u32,
    /// STRIDE_COPY_... flags.
    pub flags: u32,
    /// The highest STRIDE_CPU_LEVEL_... to use, as a number, even of another architecture; 0: the best there is.
    pub cpu_level: u32,
    /// Zero.
    pub reserved: u32,
    /// Steps that an overlap test may take; 0: a sensible number.
    pub overlap_budget: u64,
    /// Bytes for STRIDE_COPY_FILL_REST, repeated from the first byte of each element on.
    pub fill: [u8; 16],
}

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
    if struct_size < known || struct_size > LARGEST_OPTIONS {
        return Err(error.numbers(struct_size as i64, known as i64));
    }
    // SAFETY: the struct is at least as large as the one known here.
    let options = unsafe { pointer.read() };
    for byte in known..struct_size {
        // SAFETY: below `struct_size`.
        let byte = unsafe { pointer.cast::<u8>().wrapping_add(byte as usize).read() };
        if byte != 0 {
            return Err(error.numbers(struct_size as i64, known as i64)); // a newer field that asks for something
        }
    }
    if options.reserved != 0 {
        return Err(error.numbers(options.reserved as i64, 0));
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
        let dst_layout = read_layout(dst_layout, Argument::DstLayout)?;
        let src_layout = read_layout(src_layout, Argument::SrcLayout)?;
        read_options(&mut plan.options, options)?;
        plan.set_copy(&dst_layout, &src_layout)
    }
}

pub(super) fn dst_buffer(dst: *mut c_void, dst_bytes: u64) -> Dst {
    Dst { base: dst.cast(), bytes: dst_bytes }
}

pub(super) fn src_buffer(src: *const c_void, src_bytes: u64) -> Src {
    Src { base: src.cast(), bytes: src_bytes }
}

/// Copies every element of `src` to the element of `dst` with the same index. `options` NULL: the defaults.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for the options; SHAPE_MISMATCH with the dimension and both sizes;
/// DTYPE_MISMATCH; OUT_OF_BOUNDS with the bytes needed and the length; OVERLAP with the distance of the two sides; UNDECIDED
/// where an overlap test did not finish; SCRATCH_NEEDED with the bytes needed; UNSUPPORTED.
///
/// # Safety
/// `dst` may be written and `src` read for as many bytes as the layouts reach, as far as the lengths allow (with
/// STRIDE_COPY_FILL_REST `dst` for all of `dst_bytes`). Structs valid or NULL.
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
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let mut plan = Plan::nothing();
            set_plan(&mut plan, dst_layout, src_layout, options)?;
            execute::execute_plan(&plan, dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes))
        })
    }
}

/// Writes one element's value to every element of `dst`. `value` points to the bytes of one element. Indices that mean one
/// element do no harm here.
///
/// Returns: NULL_POINTER; OUT_OF_BOUNDS; OVERLAP if the value lies in an element, UNDECIDED if that is not known (neither can
/// be where the value lies outside the buffer); UNSUPPORTED below a byte.
///
/// # Safety
/// `dst` as for `stride_copy`; `value` may be read for one element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_fill(
    layout: *const stride_layout,
    dst: *mut c_void,
    dst_bytes: u64,
    value: *const c_void,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::DstLayout)?;
            let plan = Plan::fill(&layout)?;
            let value_bytes = layout.dtype().bits() as u64 / 8;
            let named = |error: Error| match error.argument {
                Argument::Src | Argument::SrcBytes => Error { argument: Argument::Value, ..error },
                _ => error,
            };
            execute::execute_plan(&plan, dst_buffer(dst, dst_bytes), src_buffer(value, value_bytes)).map_err(named)
        })
    }
}

/// Compares two tensors of equal sizes byte by byte. `*first_difference` becomes the row-major number of the first element
/// that differs (`stride_layout_unravel_index` gives its index), -1 if all are equal.
///
/// Returns: NULL_POINTER; SHAPE_MISMATCH; DTYPE_MISMATCH; OUT_OF_BOUNDS; UNSUPPORTED below a byte.
///
/// # Safety
/// `lhs` and `rhs` may be read for as many bytes as the layouts reach, as far as the lengths allow; all of these bytes are
/// initialised (padding inside structs is compared too).
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
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let lhs_layout = read_layout(lhs_layout, Argument::Lhs)?;
            let rhs_layout = read_layout(rhs_layout, Argument::Rhs)?;
            let out = Output::new(first_difference, Argument::Out)?;
            let (lhs, rhs) = (src_buffer(lhs, lhs_bytes), src_buffer(rhs, rhs_bytes));
            out.write(compare::compare(&lhs_layout, lhs, &rhs_layout, rhs)?.unwrap_or(-1));
            Ok(())
        })
    }
}
