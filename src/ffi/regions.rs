//! Copies as data
//!
//! What a copy consists of, for callers that move it themselves: which kind it is, what a plan reaches, and the
//! shortest list of equal rows, rectangles or boxes, as DMA engines, GPU queues (`VkBufferCopy`, `cudaMemcpy3D`,
//! texture footprints) and network cards take them. Nothing here touches tensor memory, and no answer depends on the
//! CPU.
//!
//! Example: a crop of 64 x 32 pixels at (100, 100) of the chroma plane of an NV12 image of 848 x 480 is one rectangle.
//!
//!   int64_t plane[3] = {240, 424, 2}, starts[3] = {50, 50, 0}, sizes[3] = {16, 32, 2}; uint64_t count;
//!   stride_layout chroma; stride_plan plan; stride_region region;
//!   stride_layout_init(&chroma, STRIDE_DTYPE_U8, 3, plane, NULL, NULL); chroma.offset = 848 * 480;
//!   stride_layout_crop(&chroma, 3, starts, sizes, &chroma, NULL); stride_plan_init(&plan, NULL, &chroma, NULL, NULL);
//!   stride_plan_regions(&plan, 2, 1, &region, &count, NULL); assert(count == 1 && region.src_offset == 449540);
//!   assert(region.row_bytes == 64 && region.counts[0] == 16 && region.src_pitches[0] == 848);
#![allow(non_camel_case_types)]

use super::boundary::{Output, null, read_layout, report};
use super::layout::stride_layout;
use super::plan::{AnyWords, PlanRoom, read_words, stride_plan};
use super::sized::SizedOutput;
use super::status::{stride_error, stride_status};
use crate::copy::classify::Class;
use crate::copy::execute::facts::Facts;
use crate::copy::regions::{self, Region};
use crate::error::{Argument, Detail, Error, Status};
use core::ops::ControlFlow;

/// No element is copied.
pub const STRIDE_COPY_KIND_NOTHING: u32 = 0;
/// One run that is contiguous on both sides: one memcpy.
pub const STRIDE_COPY_KIND_CONTIGUOUS: u32 = 1;
/// Runs of several elements each.
pub const STRIDE_COPY_KIND_ROWS: u32 = 2;
/// Along the fastest dimension of the destination the source repeats the same element or run.
pub const STRIDE_COPY_KIND_FILL: u32 = 3;
/// Each side is contiguous along a dimension, and not along the same one.
pub const STRIDE_COPY_KIND_TRANSPOSE: u32 = 4;
/// Element by element.
pub const STRIDE_COPY_KIND_OTHER: u32 = 5;
/// Of a plan: tiles cut it into several copies, each of a kind of its own.
pub const STRIDE_COPY_KIND_TILED: u32 = 6;
/// Elements below a byte, in runs that are no whole bytes.
pub const STRIDE_COPY_KIND_BITS: u32 = 7;

/// What a plan knows of itself; begin with STRIDE_PLAN_FACTS_INIT or set `struct_size`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct stride_plan_facts {
    /// sizeof(stride_plan_facts), set by the caller, at most 4096. Bytes beyond those that this version knows become 0.
    pub struct_size: u32,
    /// STRIDE_COPY_KIND_...
    pub kind: u32,
    /// Bytes of all elements.
    pub bytes: u64,
    /// Runs that are contiguous on both sides; 0 for tiles and bits, where nobody counts them.
    pub runs: u64,
    /// Bytes of each.
    pub run_bytes: u64,
    /// First byte of the destination that is written, from its base pointer; of tiles, of their buffer.
    pub dst_lowest: i64,
    /// One past the last; both are 0 if nothing is copied. (STRIDE_COPY_FILL_BUFFER writes all of the buffer.)
    pub dst_end: i64,
    /// First byte of the source that is read.
    pub src_lowest: i64,
    /// One past the last.
    pub src_end: i64,
    /// The most scratch memory that `stride_plan_execute_scratch` can ask for, wherever the sides lie.
    pub scratch_bytes: u64,
    /// Parts worth a thread each, from 1 on: one for each 128 KiB. More are legal.
    pub useful_parts: u32,
    /// The STRIDE_COPY_... flags it was made with.
    pub flags: u32,
}

/// A row, rectangle or box of bytes. Row (j, i), i < counts[0] and j < counts[1], goes from `src_offset + i *
/// src_pitches[0] + j * src_pitches[1]` to the same of `dst`. What a region of lower rank does not have has count 1
/// and pitches 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct stride_region {
    /// Byte where the first row begins, from the destination's base pointer.
    pub dst_offset: i64,
    /// The same in the source.
    pub src_offset: i64,
    /// Bytes of a row.
    pub row_bytes: u64,
    /// Rows of a rectangle; rectangles of a box.
    pub counts: [u64; 2],
    /// Bytes from one to the next in the destination: above 0 where the count is above 1, the second above the first.
    pub dst_pitches: [i64; 2],
    /// The same in the source: negative in mirrored views, 0 where it repeats.
    pub src_pitches: [i64; 2],
}

impl From<Region> for stride_region {
    fn from(region: Region) -> Self {
        let [first, second] = region.loops;
        Self {
            dst_offset: region.dst_offset,
            src_offset: region.src_offset,
            row_bytes: region.row_bytes as u64,
            counts: [first.count as u64, second.count as u64],
            dst_pitches: [first.dst, second.dst],
            src_pitches: [first.src, second.src],
        }
    }
}

/// The kind of the copy of `src_layout` to `dst_layout`, and how many runs, contiguous on both sides, of how many
/// bytes it consists of: 2x3x8x8 floats from NHWC to NCHW are TRANSPOSE, 384 runs of 4 bytes; a packed copy is 1 run.
///
/// Returns: as `stride_plan_init` without options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_copy_classify(
    dst_layout: *const stride_layout,
    src_layout: *const stride_layout,
    kind: *mut u32,
    runs: *mut u64,
    run_bytes: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let dst_layout = read_layout(dst_layout, Argument::DstLayout)?;
            let src_layout = read_layout(src_layout, Argument::SrcLayout)?;
            let kind = Output::new(kind, Argument::Kind)?;
            let runs = Output::new(runs, Argument::Runs)?;
            let run_bytes = Output::new(run_bytes, Argument::RunBytes)?;
            let found = Class::of_copy(&dst_layout, &src_layout)?;
            kind.write(found.kind as u32);
            runs.write(found.runs);
            run_bytes.write(found.run_bytes);
            Ok(())
        })
    }
}

/// Answers about a plan: kind, bytes, what it reaches of both buffers, scratch memory, and how many parts are worth a
/// thread each. `out->struct_size` is set before the call.
///
/// Returns: INVALID_ARGUMENT if `plan` is none, or for `struct_size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_query(
    plan: *const stride_plan,
    out: *mut stride_plan_facts,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let mut room = PlanRoom::new();
            let words = read_words(&mut room, plan)?;
            let out = SizedOutput::new(out, Argument::Out)?;
            let found = match words {
                AnyWords::Loops(words) => Facts::of_plan(&words.decode()?)?,
                AnyWords::Tiled(tiled) => tiled.with(Facts::of_relayout)?,
                AnyWords::Bits(words) => Facts::of_bits(words)?,
            };
            let ((dst_lowest, dst_end), (src_lowest, src_end)) = (found.dst_span(), found.src_span());
            out.write(&stride_plan_facts {
                struct_size: 0, // stays as it is
                kind: found.class.kind as u32,
                bytes: found.bytes(),
                runs: found.class.runs,
                run_bytes: found.class.run_bytes,
                dst_lowest,
                dst_end,
                src_lowest,
                src_end,
                scratch_bytes: found.scratch_bytes,
                useful_parts: found.useful_parts,
                flags: found.flags,
            });
            Ok(())
        })
    }
}

/// The same copy as the shortest list of equal rows (`rank` 1), rectangles (2) or boxes (3); where the destination's
/// loops reach over each other (strides {40,2,3} of sizes {66,20,2}) there may be a shorter one. `*count` becomes how
/// many there are, of which the first `capacity` are written: (0, NULL) asks for the number alone. Together they write
/// every element once, in any order. A copy whose elements are not contiguous has rows of one element.
///
/// With tiles there is a list for each box of indices that no tile cuts, one behind the other.
///
/// Arrays: out[capacity].
///
/// Time: in proportion to the regions that are written, whatever their number; with tiles to the boxes, at most 4096,
/// which takes milliseconds.
///
/// Returns: INVALID_RANK unless 1 <= rank <= 3; INVALID_ARGUMENT if `plan` is none; UNSUPPORTED for plans with
/// STRIDE_COPY_FILL_BUFFER or STRIDE_COPY_OVERLAP, which say more than a list does, where tiles cut into more boxes,
/// and for runs that are no whole bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_regions(
    plan: *const stride_plan,
    rank: u32,
    capacity: u64,
    out: *mut stride_region,
    count: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let mut room = PlanRoom::new();
            let words = read_words(&mut room, plan)?;
            if out.is_null() && capacity > 0 {
                return Err(null(Argument::Out));
            }
            let count = Output::new(count, Argument::Count)?;
            let mut written = 0u64;
            let mut put = |region: Region| {
                if written >= capacity {
                    return ControlFlow::Break(());
                }
                // Below the capacity of the caller's list.
                out.wrapping_add(written as usize).write(region.into());
                written += 1;
                if written < capacity { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            count.write(match words {
                AnyWords::Loops(words) => regions::of_plan(&words.decode()?, rank, &mut put)?,
                AnyWords::Tiled(tiled) => tiled.with(|words| regions::of_relayout(words, rank, &mut put))?,
                AnyWords::Bits(words) => {
                    let error = Error::new(Status::Unsupported).argument(Argument::Plan);
                    return Err(error.because(Detail::DtypeWidth, words.decode()?.element().code() as i64, 0));
                }
            });
            Ok(())
        })
    }
}
