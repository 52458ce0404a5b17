//! Copies as data
//!
//! A copy as numbers, for callers that move the bytes themselves: its kind, and the shortest list of equal rows,
//! rectangles or boxes, as DMA engines, GPU queues (`VkBufferCopy`, `cudaMemcpy3D`, texture footprints) and network
//! cards accept them. Nothing here touches tensor memory, and no answer depends on the CPU.
//!
//! Example: a crop of 64 x 32 pixels at (100, 100) of the chroma plane of an NV12 image of 848 x 480 is one rectangle.
//!
//!   int64_t plane[3] = {240, 424, 2}, starts[3] = {50, 50, 0}, sizes[3] = {16, 32, 2}; uint64_t count;
//!   stride_layout chroma; stride_plan plan; stride_region region;
//!   stride_layout_init(&chroma, STRIDE_DTYPE_U8, 3, plane, NULL, NULL); chroma.offset = 848 * 480;
//!   stride_layout_crop(&chroma, 3, starts, sizes, &chroma, NULL); stride_plan_init(&plan, NULL, &chroma, NULL, NULL);
//!   stride_plan_regions(&plan, 2, 1, &region, &count, NULL); assert(count == 1 && region.src_offset == 449540);
//!   assert(region.row_bytes == 64 && region.counts[0] == 16 && region.src_pitches[0] == 848);

use super::boundary::{Output, check_list};
use super::layout::{read_layout, stride_layout};
use super::plan::{stride_plan, with_plan};
use super::sized::{read_sized, same_fields};
use super::status::{report, stride_error, stride_status};
use crate::copy::problem::Problem;
use crate::error::{Argument, Detail, Result, Status};
use crate::regions::rules::RegionRules;
use crate::regions::{self, Class, Region};
use core::ops::ControlFlow;

/// A row, rectangle or box of bytes. Row (j, i), i < counts[0] and j < counts[1], begins at
/// `src_offset + i * src_pitches[0] + j * src_pitches[1]` in the source, and likewise in the destination. A rectangle
/// has counts[1] 1 and pitches[1] 0, a row also counts[0] 1 and pitches[0] 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct stride_region {
    /// Bytes from the destination's base pointer to the first row.
    pub dst_offset: i64,
    /// Bytes from the source's base pointer to the first row.
    pub src_offset: i64,
    /// Bytes of a row.
    pub row_bytes: u64,
    /// Rows of a rectangle; rectangles of a box.
    pub counts: [u64; 2],
    /// Bytes from one row, or rectangle, to the next in the destination. Where the count is above 1, they are above 0
    /// (with STRIDE_COPY_ASSUME_DISTINCT: or 0), and the second is not below the first, unless rules of your own for
    /// the source leave only the other order.
    pub dst_pitches: [i64; 2],
    /// Bytes from one row, or rectangle, to the next in the source: negative in mirrored views, 0 where it repeats.
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

/// The kind of the copy of `src_layout` to `dst_layout` (STRIDE_COPY_KIND_...), the number of its runs that are
/// contiguous on both sides, and the bytes of each: 2x3x8x8 floats from NHWC to NCHW are TRANSPOSE, 384 runs of 4
/// bytes; a packed copy is 1 run.
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
    report!(error, {
        let dst_layout = read_layout(dst_layout, Argument::DstLayout)?;
        let src_layout = read_layout(src_layout, Argument::SrcLayout)?;
        let kind = Output::new(kind, Argument::Kind)?;
        let runs = Output::new(runs, Argument::Runs)?;
        let run_bytes = Output::new(run_bytes, Argument::RunBytes)?;
        let found = Class::of_copy(&dst_layout, &src_layout)?;
        kind.write(found.kind as u32);
        runs.write(found.runs);
        run_bytes.write(found.run_bytes);
    })
}

/// The copy of a plan as the shortest list of equal rows (`rank` 1), rectangles (2) or boxes (3). `*count` becomes
/// their number, of which the first `capacity` are written; (0, NULL) writes the number alone. Together they write
/// every element once, in any order. A copy whose elements are not contiguous has rows of one element. If the
/// destination's loops interleave (strides {40,2,3} of sizes {66,20,2}), a shorter list may exist. Tiles cut the
/// indices into boxes; the lists of all boxes follow each other.
///
/// Arrays: out[capacity].
///
/// Time: in proportion to the regions that are written, whatever their number; with tiles to the boxes, at most 4096,
/// which takes milliseconds.
///
/// Returns: INVALID_RANK unless 1 <= rank <= 3; INVALID_ARGUMENT if `plan` is not a plan; UNSUPPORTED for plans with
/// STRIDE_COPY_FILL_BUFFER, STRIDE_COPY_OVERLAP or runs of the fill value, which no list of regions expresses, for more
/// than 4096 boxes, and for runs that are not whole bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_regions(
    plan: *const stride_plan,
    rank: u32,
    capacity: u64,
    out: *mut stride_region,
    count: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, write_regions(plan, &RegionRules::of_rank(rank)?, capacity, out, count))
}

/// Writes the regions of a plan while there is room, and their number.
///
/// # Safety
/// `plan` is null or readable, `out` null or writable for `capacity` entries, `count` null or writable.
#[inline(never)]
unsafe fn write_regions(
    plan: *const stride_plan,
    rules: &RegionRules,
    capacity: u64,
    out: *mut stride_region,
    count: *mut u64,
) -> Result<()> {
    check_list(out, capacity, Argument::Out)?;
    // SAFETY: `plan` is null or readable, `count` null or writable (# Safety). Regions are written below the capacity,
    // for which `out` is writable.
    unsafe {
        let count = Output::new(count, Argument::Count)?;
        let (mut written, mut all) = (0u64, 0u64);
        let mut write_while_there_is_room = |region: Region| {
            if written < capacity {
                out.wrapping_add(written as usize).write(region.into());
                written += 1;
            }
            if written < capacity { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let each = |run: &mut dyn FnMut(&mut Problem) -> Result<()>| {
            with_plan(plan, &mut |plan| regions::each_problem(plan, run))
        };
        // All boxes are checked before the first region is written.
        each(&mut |problem| {
            all = all.saturating_add(rules.regions(problem, &mut |_| ControlFlow::Break(()))?);
            Ok(())
        })?;
        if capacity > 0 {
            each(&mut |problem| rules.regions(problem, &mut write_while_there_is_room).map(drop))?;
        }
        count.write(all);
        Ok(())
    }
}

/// No rules: every region is accepted.
pub const STRIDE_REGION_API_ANY: u32 = 0;
/// cudaMemcpy2D, hipMemcpy2D: rectangles, pitches of at least a row on both sides. Set pitch_max and row_bytes_max to
/// the device's memPitch. Source: CUDA Runtime API, cudaMemcpy2D.
pub const STRIDE_REGION_API_CUDA_2D: u32 = 1;
/// cudaMemcpy3D, hipMemcpy3D: boxes whose slice pitch is a multiple of their row pitch (ysize of the cudaPitchedPtr
/// times it); else as CUDA_2D. Source: CUDA Runtime API, cudaMemcpy3D, cudaPitchedPtr; Driver API, cuMemcpy3D.
pub const STRIDE_REGION_API_CUDA_3D: u32 = 2;
/// clEnqueueCopyBufferRect: boxes, row pitches of at least region[0], slice pitches of at least region[1] rows and a
/// multiple of them. Within one buffer both sides must have the same pitches, which is not checked here. Source:
/// OpenCL, clEnqueueCopyBufferRect, CL_INVALID_VALUE.
pub const STRIDE_REGION_API_OPENCL_RECT: u32 = 3;
/// VkBufferCopy: rows. Source: Vulkan, VkBufferCopy.
pub const STRIDE_REGION_API_VULKAN_BUFFER: u32 = 4;
/// VkBufferImageCopy from a buffer, the source, to an image, the destination: boxes whose rows are rows of the image
/// and whose slices are its layers; in the buffer offsets at multiples of 4 and rows at most 2^31 - 1 bytes apart. Set
/// row_bytes_max to the bytes of a row of the image, rows_max to the rows of a layer; row_bytes_alignment, the source's
/// pitch_alignment (bufferRowLength counts texels) and the destination's offset_alignment to the texel's bytes, the
/// source's offset_alignment to a multiple of them. Source: as STRIDE_CONSUMER_VULKAN_IMAGE; VkBufferImageCopy;
/// VUID-vkCmdCopyBufferToImage-bufferRowLength-09108.
pub const STRIDE_REGION_API_VULKAN_UPLOAD: u32 = 5;
/// VkBufferImageCopy from an image, the source, to a buffer, the destination; else as VULKAN_UPLOAD.
pub const STRIDE_REGION_API_VULKAN_READBACK: u32 = 6;
/// CopyTextureRegion from a buffer, the source, to a texture, the destination: boxes whose rows and slices are those of
/// the texture; in the buffer offsets at multiples of 512, pitches at multiples of 256. Set row_bytes_max to the bytes
/// of a row of the texture and rows_max to its rows. An array's layers are subresources, and a call takes one: rank_max
/// 2. Source: as STRIDE_CONSUMER_D3D12; D3D12_SUBRESOURCE_FOOTPRINT, whose RowPitch is a UINT.
pub const STRIDE_REGION_API_D3D12_UPLOAD: u32 = 7;
/// CopyTextureRegion from a texture, the source, to a buffer, the destination; else as D3D12_UPLOAD.
pub const STRIDE_REGION_API_D3D12_READBACK: u32 = 8;

/// No pitch is below 0.
pub const STRIDE_REGION_NO_NEGATIVE: u32 = 1;
/// No pitch is 0: nothing repeats.
pub const STRIDE_REGION_NO_REPEATS: u32 = 2;
/// A row pitch is at least the bytes of a row, a slice pitch at least the row pitch times the rows.
pub const STRIDE_REGION_NESTED: u32 = 4;
/// A slice pitch is a multiple of the row pitch.
pub const STRIDE_REGION_SLICE_MULTIPLE: u32 = 8;
/// This side is an image: rows of row_bytes_max bytes, one after the other, and layers of rows_max rows, one after the
/// other. The row pitch is row_bytes_max, the slice pitch row_bytes_max * rows_max, and no region passes the end of a
/// row or a layer. If rows_max is 0, any slice pitch that keeps the other rules is a layer's; if row_bytes_max is 0,
/// the smallest step of this side that is not 0 is the row pitch.
pub const STRIDE_REGION_IMAGE: u32 = 16;

/// The rules of a function that moves regions. A field that is 0 is no rule. A field with two entries has that of the
/// destination first, then that of the source, and each is for its side alone.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_region_rules {
    /// sizeof(stride_region_rules).
    pub struct_size: u32,
    /// The highest rank: 1 rows, 2 rectangles, 3 boxes; 0: 3.
    pub rank_max: u32,
    /// STRIDE_REGION_... flags. Where pitches below 0 are allowed, the other rules apply to them without their sign.
    pub flags: [u32; 2],
    /// Bytes: the offset of each region is a multiple of this.
    pub offset_alignment: [u32; 2],
    /// Bytes: all pitches are multiples of this.
    pub pitch_alignment: [u32; 2],
    /// Bytes: the longest pitch from row to row; 0: any.
    pub pitch_max: [u64; 2],
    /// The longest row in bytes; 0: any. Longer rows are cut into rows of a rectangle. With STRIDE_REGION_IMAGE: the
    /// bytes of a row of the image.
    pub row_bytes_max: u64,
    /// The most rows of a rectangle, counts[0]; 0: any. With STRIDE_REGION_IMAGE: the rows of a layer.
    pub rows_max: u64,
    /// The most rectangles of a box, counts[1]; 0: any.
    pub slices_max: u64,
    /// Bytes: the bytes of a row are a multiple of this.
    pub row_bytes_alignment: u32,
    /// Zero.
    pub reserved: u32,
}

same_fields! {
    stride_region_rules, RegionRules:
    rank_max flags offset_alignment pitch_alignment pitch_max row_bytes_max rows_max slices_max row_bytes_alignment;
    reserved
}

/// Reads and checks the caller's rules.
///
/// # Safety
/// `pointer` is null, or readable for its `struct_size` bytes, at least 4.
unsafe fn read_rules(pointer: *const stride_region_rules) -> Result<RegionRules> {
    // SAFETY: `pointer` is null or readable (# Safety); all fields are numbers.
    let given = unsafe { read_sized(pointer, size_of::<stride_region_rules>(), Argument::Rules)? };
    Status::InvalidArgument.of(Argument::Rules).unless(given.reserved == 0, Detail::NotZero, given.reserved, 0)?;
    let rules = RegionRules::from(given);
    rules.check()?;
    Ok(rules)
}

/// The rules of a function that moves regions (STRIDE_REGION_API_...), to be changed where yours are special. With
/// STRIDE_REGION_API_ANY all fields but struct_size are 0.
///
/// Returns: INVALID_ARGUMENT for an unknown function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_region_rules_init(
    out: *mut stride_region_rules,
    api: u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, Output::new(out, Argument::Out)?.write(RegionRules::of(api)?.into()))
}

/// The copy of a plan as the shortest list of equal regions that keep rules; without any, as `stride_plan_regions`. A
/// row longer than row_bytes_max is cut first. Then one or two loops of the copy become rows and slices: of those that
/// keep the rules, the ones that leave the fewest regions. So boxes whose slice pitch is not a multiple of the row
/// pitch come as rectangles, and rectangles whose pitch is negative, too short or too long as rows. In a box whose
/// rectangles have one row each, pitches[0] is that of the rows from which it was cut. Rows that are contiguous on both
/// sides are one row, whatever the dimensions were; row_bytes_max cuts them, and of an image rows_max its layers.
///
/// Arrays: out[capacity].
///
/// Time: as `stride_plan_regions`, twice.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan, or for `rules`; UNSUPPORTED as `stride_plan_regions`, and if not
/// even single rows keep the rules: with the offset of a region and its alignment; with the bytes of a row (or
/// row_bytes_max) and their alignment; or with the bytes of a row that would pass the end of an image's row and
/// row_bytes_max.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_regions_under(
    plan: *const stride_plan,
    rules: *const stride_region_rules,
    capacity: u64,
    out: *mut stride_region,
    count: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, write_regions(plan, &read_rules(rules)?, capacity, out, count))
}
