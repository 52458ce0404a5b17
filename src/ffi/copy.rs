//! Copies
//!
//! Copies any layout to any layout of equal sizes. `dst` and `src` are the base pointers of the buffers, `dst_bytes`
//! and `src_bytes` their lengths. Before anything is touched, the library proves that every element lies in its buffer,
//! that no two destination indices share an element, and that source and destination share no byte. Two channels of one
//! image may be copied to each other. A copy of a tensor to itself, each element to its own place, writes nothing. An
//! empty copy touches nothing, not even null pointers; with STRIDE_COPY_FILL_BUFFER it fills the whole buffer.
//!
//! Dtypes must be equal, or one of them plain bytes of the same width. They may differ in STRIDE_DTYPE_SWAPPED: then
//! the bytes of each number are swapped. Elements need no alignment. The destination is never read, so it may be
//! write-combined memory. (With STRIDE_COPY_OVERLAP it may also be the source, and is read.)
//!
//! Elements smaller than a byte may begin anywhere in it. Their dtypes may differ in STRIDE_DTYPE_HIGH_FIRST: each
//! keeps its value. (Inside one buffer, a byte that holds elements of both bit orders counts as shared.) A destination
//! byte that holds several elements may be read, and its other elements are kept: no other thread may write it during
//! the copy. Where runs are whole bytes of one bit order on both sides, bytes are copied, as fast as any others.
//!
//! Example: NHWC to NCHW.
//!
//!   int64_t sizes[4] = {1, 2, 2, 2};
//!   uint8_t planes[8], pixels[8] = {0, 1, 2, 3, 4, 5, 6, 7};
//!   stride_layout nchw, nhwc;
//!   stride_layout_init(&nchw, STRIDE_DTYPE_U8, 4, sizes, NULL, NULL);
//!   stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_U8, 4, sizes, NULL);
//!   assert(stride_copy(&nchw, planes, 8, &nhwc, pixels, 8, NULL, NULL) == STRIDE_STATUS_OK && planes[1] == 2);

use super::boundary::{Output, null};
use super::conversion::{GivenConversion, stride_conversion};
use super::layout::{LayoutRoom, read_layout_once, read_small_layout, stride_layout};
use super::machine::{read_machine, stride_machine};
use super::sized::{check_sized_input, init_sized};
use super::status::{report, stride_error, stride_status};
use crate::copy::Plan;
use crate::copy::converting::{Converting, StepsRoom};
use crate::copy::execute::{self, Dst, Src, compare, once};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::{Layout, LayoutStorage};
use core::ffi::c_void;

/// The caller guarantees that destination elements are distinct and that the two sides share no byte. No overlap test
/// is made. Bounds are still checked, and so are the bytes that STRIDE_COPY_FILL_BUFFER fills. If the guarantee is
/// false, the result is unspecified.
pub const STRIDE_COPY_ASSUME_DISTINCT: u32 = 1;
/// Every byte and every bit of the destination buffer that no index reaches gets the fill value. To make a border, copy
/// to a crop of the padded tensor, with the whole buffer of the padded tensor. Do not use it for a view of a tensor
/// whose other elements must be kept. A length of UINT64_MAX is OUT_OF_BOUNDS; a buffer that meets the range from the
/// source's first byte to its last is OVERLAP.
pub const STRIDE_COPY_FILL_BUFFER: u32 = 2;
/// The sides may share bytes; the result is as if the source had been read first (memmove). No scratch memory is needed
/// if all elements are whole bytes and move equally far, and each stride spans the dimensions inside it; nor if the
/// sides are known to share nothing. Otherwise it is. Not together with STRIDE_COPY_ASSUME_DISTINCT.
pub const STRIDE_COPY_OVERLAP: u32 = 4;
/// The destination is read soon: non-temporal stores begin only where it is larger than the last cache. Without this
/// flag they begin sooner, at the sizes of `stride_machine`.
pub const STRIDE_COPY_KEEP_CACHED: u32 = 8;
/// For fibers and signal handlers: a call takes at most 8 KiB of stack (9 on Windows and 32-bit systems) instead of up
/// to 48, with a conversion 20 instead of 56. Not with XLA shapes, blocked layouts, lists and ranges. Large transposes
/// and channels are slower, a transpose through scratch memory is done element by element, and an overlap test that
/// needs more stack is UNDECIDED.
pub const STRIDE_COPY_SMALL_STACK: u32 = 16;

/// The best instruction set that the CPU and the library have.
pub const STRIDE_CPU_LEVEL_BEST: u32 = 0;
/// Portable code only.
pub const STRIDE_CPU_LEVEL_SCALAR: u32 = 1;
/// x86-64 with SSSE3.
pub const STRIDE_CPU_LEVEL_SSSE3: u32 = 2;
/// x86-64 with AVX2, BMI2 and F16C.
pub const STRIDE_CPU_LEVEL_AVX2: u32 = 3;
/// x86-64 with AVX-512 F, BW, DQ, VL and VBMI.
pub const STRIDE_CPU_LEVEL_AVX512: u32 = 4;
/// 64-bit ARM with NEON.
pub const STRIDE_CPU_LEVEL_NEON: u32 = 5;
/// WebAssembly with SIMD128.
pub const STRIDE_CPU_LEVEL_SIMD128: u32 = 6;

/// Options of a copy; begin with STRIDE_COPY_OPTIONS_INIT, the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_copy_options {
    /// sizeof(stride_copy_options). 40, which ends before `machine`, is the earliest version.
    pub struct_size: u32,
    /// STRIDE_COPY_... flags.
    pub flags: u32,
    /// The highest STRIDE_CPU_LEVEL_... to use; 0: the best. Levels compare as numbers; any known one is accepted on
    /// any CPU.
    pub cpu_level: u32,
    /// Zero.
    pub reserved: u32,
    /// Steps that an overlap test may take; 0: the default.
    pub overlap_budget: u64,
    /// The value for STRIDE_COPY_FILL_BUFFER: byte p of the buffer gets fill[(p mod element bytes) mod 16], elements
    /// below a byte the low bits of fill[0].
    pub fill: [u8; 16],
    /// The CPU for which the copy is planned; NULL: the one that runs this. Copies through scratch memory, parts of
    /// tiled copies, and parts that the kernel of the whole cannot take are planned where they run.
    pub machine: *const stride_machine,
    /// Memory for sides that share bytes, in single calls; plans take theirs when they run. It is used only where
    /// STRIDE_COPY_OVERLAP says so, and must then lie outside the range of either side.
    pub scratch: *mut c_void,
    /// Its bytes: as many as all elements take, packed.
    pub scratch_bytes: u64,
    /// The conversion of numbers; NULL: dtypes must be equal, and elements move as they are.
    pub conversion: *const stride_conversion,
}

/// `STRIDE_COPY_OPTIONS_INIT`.
impl Default for stride_copy_options {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            flags: 0,
            cpu_level: 0,
            reserved: 0,
            overlap_budget: 0,
            fill: [0; 16],
            machine: core::ptr::null(),
            scratch: core::ptr::null_mut(),
            scratch_bytes: 0,
            conversion: core::ptr::null(),
        }
    }
}

/// Bytes of the first version of the options, which ended where the machine begins now.
const FIRST_OPTIONS: usize = core::mem::offset_of!(stride_copy_options, machine);

/// The options that a plan does not keep.
pub(super) struct Asked {
    pub scratch: Option<Dst>,
    /// Null: none.
    pub conversion: *const stride_conversion,
}

/// Reads and checks the caller's options and the machine to plan for; null leaves the defaults. Each field is written
/// into its place: a small struct that is written in pieces and then copied whole costs more than all the checks.
///
/// # Safety
/// `pointer` is null, or readable for its `struct_size` bytes, at least 4, and so is its machine.
#[inline(always)]
pub(super) unsafe fn read_options(out: &mut Plan, pointer: *const stride_copy_options) -> Result<Asked> {
    let mut asked = Asked { scratch: None, conversion: core::ptr::null() };
    if pointer.is_null() {
        return Ok(asked);
    }
    // SAFETY: readable for `struct_size` bytes (# Safety), at least those of the first version (`check_sized_input`),
    // which ends after the fill; later fields are read if the size has them. The machine is null or readable.
    unsafe {
        let given = check_sized_input(pointer, FIRST_OPTIONS, Argument::Options)?;
        let reserved = (&raw const (*pointer).reserved).read();
        Status::InvalidArgument.of(Argument::Options).unless(reserved == 0, Detail::NotZero, reserved, 0)?;
        out.options.flags = (&raw const (*pointer).flags).read();
        out.options.cpu_level = (&raw const (*pointer).cpu_level).read();
        out.options.overlap_budget = (&raw const (*pointer).overlap_budget).read();
        // By words: a copy of 16 bytes may read some of them twice.
        out.options.fill = core::mem::transmute::<[u64; 2], [u8; 16]>(once::array((&raw const (*pointer).fill).cast()));
        if given != FIRST_OPTIONS {
            let machine = (&raw const (*pointer).machine).read();
            if !machine.is_null() {
                out.machine = Some(read_machine(machine)?);
            }
        }
        if given >= core::mem::offset_of!(stride_copy_options, conversion) {
            let (base, bytes) = ((&raw const (*pointer).scratch).read(), (&raw const (*pointer).scratch_bytes).read());
            asked.scratch = (!base.is_null() || bytes > 0).then(|| dst_buffer(base, bytes));
        }
        if given >= size_of::<stride_copy_options>() {
            asked.conversion = (&raw const (*pointer).conversion).read();
        }
    }
    Ok(asked)
}

/// Makes the plan of a copy in place, since it is large. If the options have a conversion, only the options are set.
///
/// # Safety
/// Each pointer is null or readable: two layouts and options, with the structs that the options point to.
pub(super) unsafe fn set_plan(
    plan: &mut Plan,
    dst_layout: *const stride_layout,
    src_layout: *const stride_layout,
    options: *const stride_copy_options,
) -> Result<Asked> {
    // SAFETY: layouts and options are null or readable (# Safety).
    unsafe {
        let asked = read_options(plan, options)?;
        if !asked.conversion.is_null() {
            return Ok(asked);
        }
        if dst_layout.is_null() || src_layout.is_null() {
            with_packed([dst_layout, src_layout], &mut |dst, src| plan.set_copy_out_of_line(dst, src))?;
        } else {
            set_given_plan(plan, dst_layout, src_layout)?;
        }
        Ok(asked)
    }
}

/// [`set_plan`] where both layouts are given and the options were read.
///
/// # Safety
/// Each layout is null or readable.
#[inline(never)] // its stack is its own
unsafe fn set_given_plan(
    plan: &mut Plan,
    dst_layout: *const stride_layout,
    src_layout: *const stride_layout,
) -> Result<()> {
    let (mut dst_room, mut src_room) = (LayoutRoom::new(), LayoutRoom::new());
    // SAFETY: layouts are null or readable (# Safety).
    unsafe {
        let dst = read_small_layout(&mut dst_room, dst_layout, Argument::DstLayout)?;
        let src = read_small_layout(&mut src_room, src_layout, Argument::SrcLayout)?;
        plan.set_copy(&dst, &src)
    }
}

/// Calls `then` with both layouts. The one that is left out is packed, with the dtype and sizes of the other.
///
/// # Safety
/// Each layout is null or readable.
#[cold]
#[inline(never)] // its stack is its own
pub(super) unsafe fn with_packed(
    [dst_layout, src_layout]: [*const stride_layout; 2],
    then: &mut dyn FnMut(&Layout<'_>, &Layout<'_>) -> Result<()>,
) -> Result<()> {
    let (mut room, mut packed) = (LayoutRoom::new(), LayoutStorage::default());
    let (given, argument) = match (dst_layout.is_null(), src_layout.is_null()) {
        (false, _) => (dst_layout, Argument::DstLayout),
        (true, false) => (src_layout, Argument::SrcLayout),
        (true, true) => return Err(null(Argument::DstLayout).because(Detail::NeitherGiven, 0, 1)),
    };
    // SAFETY: layouts are null or readable (# Safety).
    let given = unsafe { read_layout_once(&mut room, given, argument)? };
    let packed = packed.set_packed(given.dtype(), given.sizes()).in_role(argument)?;
    if dst_layout.is_null() { then(&packed, &given) } else { then(&given, &packed) }
}

/// Makes the plan of a copy that converts, in `steps`, between two layouts, one of which may be null.
///
/// # Safety
/// Each pointer is null or readable: two layouts and a conversion with its layout of values.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn set_conversion<'a>(
    plan: &mut Plan,
    steps: &'a mut StepsRoom,
    [dst_layout, src_layout]: [*const stride_layout; 2],
    asked: *const stride_conversion,
) -> Result<Option<Converting<'a>>> {
    let (mut room, mut steps, mut converting) = (LayoutRoom::new(), Some(steps), None);
    // SAFETY: layouts and conversion are null or readable (# Safety).
    unsafe {
        let given = GivenConversion::read(asked, &mut room)?;
        let mut set = |dst: &Layout<'_>, src: &Layout<'_>| {
            let Some(steps) = steps.take() else { return Ok(()) };
            let conversion = given.between(dst.dtype(), src.dtype());
            converting = plan.set_conversion(steps, dst, src, conversion, given.values.as_ref(), given.lists)?;
            Ok(())
        };
        if dst_layout.is_null() || src_layout.is_null() {
            with_packed([dst_layout, src_layout], &mut set)?;
        } else {
            let mut rooms = [LayoutRoom::new(), LayoutRoom::new()];
            let [to, from] = &mut rooms;
            let dst = read_layout_once(to, dst_layout, Argument::DstLayout)?;
            set(&dst, &read_layout_once(from, src_layout, Argument::SrcLayout)?)?;
        }
    }
    Ok(converting)
}

/// Makes the plan of a copy that converts, whose options are set, and calls `then` with it and its conversion.
///
/// # Safety
/// Each pointer is null or readable: two layouts and a conversion with its layout of values.
#[cold]
#[inline(never)] // its stack is its own
pub(super) unsafe fn convert(
    plan: &mut Plan,
    layouts: [*const stride_layout; 2],
    conversion: *const stride_conversion,
    then: &mut dyn FnMut(&Plan, Option<&Converting<'_>>) -> Result<()>,
) -> Result<()> {
    let mut steps = StepsRoom::new();
    // SAFETY: layouts and conversion are null or readable (# Safety).
    let converting = unsafe { set_conversion(plan, &mut steps, layouts, conversion)? };
    then(plan, converting.as_ref())
}

pub(super) fn dst_buffer(dst: *mut c_void, dst_bytes: u64) -> Dst {
    Dst { base: dst.cast(), bytes: dst_bytes }
}

pub(super) fn src_buffer(src: *const c_void, src_bytes: u64) -> Src {
    Src { base: src.cast(), bytes: src_bytes }
}

/// STRIDE_COPY_OPTIONS_INIT as a function: the default options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_copy_options_init(out: *mut stride_copy_options) -> stride_status {
    // SAFETY: `out` is null or writable (stride.h, Pointers).
    unsafe { init_sized(out) }
}

/// Copies every element of `src` to the element of `dst` with the same index. `options` NULL: the defaults. One of the
/// layouts may be NULL: that side is packed, with the dtype and sizes of the other.
///
/// Arrays: dst_layout or NULL, dst[dst_bytes], src_layout or NULL, src[src_bytes], options or NULL.
///
/// Requires: `dst` may be written and `src` read over the bytes that the layouts reach (with STRIDE_COPY_FILL_BUFFER
/// `dst` over all of `dst_bytes`). During the call no other thread touches those of `dst` or writes those of `src`.
///
/// Returns: NULL_POINTER if both layouts are; INVALID_ARGUMENT for the options; SHAPE_MISMATCH with the dimension and
/// both sizes; DTYPE_MISMATCH without a conversion, UNSUPPORTED for dtypes that do not convert; OUT_OF_BOUNDS with the
/// bytes needed and the length; OVERLAP with the distance of the two sides; UNDECIDED where an overlap test did not
/// finish; SCRATCH_NEEDED with the bytes that `options->scratch` must have and has; OVERFLOW if the layout that is NULL
/// would be too large.
///
/// Time: in proportion to the bytes, plus at most the budget of an overlap test. This holds for all copies.
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
    report!(error, {
        let (dst, src) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
        let mut plan = Plan::nothing();
        let Asked { scratch, conversion } = set_plan(&mut plan, dst_layout, src_layout, options)?;
        if !conversion.is_null() {
            return convert(&mut plan, [dst_layout, src_layout], conversion, &mut |plan, converting| {
                execute::execute(&plan.view_of(None, converting), dst, src, scratch, [0, 1])
            });
        }
        if scratch.is_some() {
            return execute::execute_made(&plan, None, None, dst, src, scratch);
        }
        execute::execute_plan(&plan, dst, src)
    })
}

/// Writes one element's value to every element of `dst`. `value` points to the bytes of one element; an element smaller
/// than a byte is the low bits of its byte, whatever the dtype's order. Indices may share elements.
///
/// Arrays: dst[dst_bytes], value[1 element].
///
/// Time: in proportion to the bytes. If indices share elements, a fill may take 64 times the elements from the lowest
/// one to the highest, or 64 KiB of elements. Beyond that it is UNDECIDED before anything is written. Dimensions of
/// stride 0 take no time, and dimensions that are a run together take that of the run.
///
/// Returns: OUT_OF_BOUNDS; OVERLAP if the value lies in an element, UNDECIDED if that is not known. Neither happens if
/// `value` lies outside the buffer. `value` may be the tensor's only element, if that has whole bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_fill(
    dst_layout: *const stride_layout,
    dst: *mut c_void,
    dst_bytes: u64,
    value: *const c_void,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (mut plan, mut room) = (Plan::nothing(), LayoutRoom::new());
        let layout = read_small_layout(&mut room, dst_layout, Argument::DstLayout)?;
        let named = |error: Error| match error.argument {
            Argument::Src | Argument::SrcBytes => Error { argument: Argument::Value, ..error },
            _ => error,
        };
        let (dst, value_bytes) = (dst_buffer(dst, dst_bytes), (layout.dtype().bits() as u64).div_ceil(8));
        let value = src_buffer(value, value_bytes);
        plan.set_fill(&layout)?;
        execute::execute_plan(&plan, dst, value).map_err(named)
    })
}

/// Compares two tensors of equal sizes byte by byte, elements smaller than a byte bit by bit, in either order.
/// `*first_difference` becomes the row-major number of the first element that differs (`stride_layout_unravel_index`
/// gives its index), -1 if all are equal.
///
/// Arrays: lhs[lhs_bytes], rhs[rhs_bytes].
///
/// Requires: all bytes that the layouts reach are initialised (padding inside structs is compared too).
///
/// Time: in proportion to the bytes. If indices share elements, a comparison may take 64 times the elements from the
/// lowest one to the highest, of the side where these are more, or 64 KiB of elements. Beyond that it is UNDECIDED
/// before anything is read. Dimensions of stride 0 on both sides take no time.
///
/// Returns: SHAPE_MISMATCH; DTYPE_MISMATCH; OUT_OF_BOUNDS; UNDECIDED.
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
    report!(error, {
        let (mut lhs_room, mut rhs_room) = (LayoutRoom::new(), LayoutRoom::new());
        let lhs_layout = read_layout_once(&mut lhs_room, lhs_layout, Argument::LhsLayout)?;
        let rhs_layout = read_layout_once(&mut rhs_room, rhs_layout, Argument::RhsLayout)?;
        let out = Output::new(first_difference, Argument::FirstDifference)?;
        let (lhs, rhs) = (src_buffer(lhs, lhs_bytes), src_buffer(rhs, rhs_bytes));
        out.write(compare::compare(&lhs_layout, lhs, &rhs_layout, rhs)?.unwrap_or(-1));
    })
}
