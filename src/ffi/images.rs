//! Images in planes
//!
//! An image is some planes, one behind the other. A plane is a layout {rows, columns, samples of a column}: NV12 has
//! {H, W, 1} and, for its chroma, {ceil(H/2), ceil(W/2), 2}; YUY2 is one plane {H, ceil(W/2), 4} of Y U Y V. A
//! component is the layout {rows, columns} of one kind of sample, always in the order Y, U, V or R, G, B, A, so that
//! NV12, NV21, I420 and YV12 differ in numbers only, and become each other by three copies. Offsets count from the
//! start of the image. Each row takes its pitch, the last one too; an image without columns or rows takes nothing.
//! Sources: videodev2.h and drm_fourcc.h of Linux.
//!
//! Example: an image of 5 x 3 pixels in NV12, whose rows are padded to 16 bytes; V lies in every second chroma byte.
//!
//!   stride_layout parts[4]; uint32_t count; uint64_t bytes;
//!   stride_image_planes(STRIDE_FOURCC_NV12, 5, 3, 0, NULL, 16, &count, parts, &bytes, NULL);
//!   assert(count == 2 && bytes == 80 && parts[1].offset == 48 && parts[1].sizes[0] == 2 && parts[1].sizes[1] == 3);
//!   stride_image_components(STRIDE_FOURCC_NV12, 5, 3, 0, NULL, 16, &count, parts, &bytes, NULL);
//!   assert(count == 3 && parts[2].offset == 49 && parts[2].strides[0] == 16 && parts[2].strides[1] == 2);
#![allow(non_camel_case_types)]

use super::boundary::{Output, array, report};
use super::layout::stride_layout;
use super::status::{stride_error, stride_status};
use crate::error::{Argument, Error, Result, check_count};
use crate::model::MAX_RANK;
use crate::vocabulary::images::{self, Image, Request};

/// 'NV12': 8-bit Y, then U and V side by side, half the columns and rows.
pub const STRIDE_FOURCC_NV12: u32 = 0x3231_564E;
/// 'NV21': the same with V before U.
pub const STRIDE_FOURCC_NV21: u32 = 0x3132_564E;
/// 'NV16': as NV12 with all rows.
pub const STRIDE_FOURCC_NV16: u32 = 0x3631_564E;
/// 'P010': as NV12 with 16-bit samples, 10 of whose bits count.
pub const STRIDE_FOURCC_P010: u32 = 0x3031_3050;
/// 'I420': 8-bit Y, U, V, half the columns and rows; 'IYUV' and 'YU12' are the same.
pub const STRIDE_FOURCC_I420: u32 = 0x3032_3449;
/// 'YV12': the same with V before U.
pub const STRIDE_FOURCC_YV12: u32 = 0x3231_5659;
/// 'I422': as I420 with all rows; '422P' and 'YU16' are the same.
pub const STRIDE_FOURCC_I422: u32 = 0x3232_3449;
/// 'I444': as I420 with all columns and rows; 'YU24' is the same.
pub const STRIDE_FOURCC_I444: u32 = 0x3434_3449;
/// 'YUY2': Y U Y V for two pixels; 'YUYV' is the same.
pub const STRIDE_FOURCC_YUY2: u32 = 0x3259_5559;
/// 'UYVY': U Y V Y for two pixels.
pub const STRIDE_FOURCC_UYVY: u32 = 0x5956_5955;
/// 'RGB3': bytes R G B in memory (V4L2's RGB24, DRM's BGR888 'BG24').
pub const STRIDE_FOURCC_RGB24: u32 = 0x3342_4752;
/// 'AR24': bytes B G R A in memory (V4L2's ABGR32, DRM's ARGB8888; 'BGRA' elsewhere).
pub const STRIDE_FOURCC_BGRA: u32 = 0x3432_5241;
/// 'AB4H': f16 R G B A in memory, 64 bits (DRM's ABGR16161616F).
pub const STRIDE_FOURCC_RGBA64F: u32 = 0x4834_4241;

/// The planes of an image, in the order in which they lie in memory. `width` and `height` are in pixels. `pitches` has
/// the bytes from row to row of each plane; with none, each gets the least that is a multiple of `pitch_alignment`, a
/// power of two. `*bytes` becomes the length of the whole image.
///
/// Arrays: pitches[count], planes[4].
///
/// Returns: INVALID_ARGUMENT (the code is not known; an alignment that is no power of two; a pitch that is too short
/// for its row, or no multiple of the alignment or of a sample); INVALID_RANK (neither as many pitches as planes nor
/// none); INVALID_SIZE below 0; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_image_planes(
    fourcc: u32,
    width: i64,
    height: i64,
    count: u32,
    pitches: *const u64,
    pitch_alignment: u64,
    plane_count: *mut u32,
    planes: *mut stride_layout,
    bytes: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let pitches = read_pitches(fourcc, count, pitches)?;
            let found = images::planes(&Request { fourcc, width, height, pitches, pitch_alignment });
            let outputs = (plane_count, planes, bytes);
            write_image(found, outputs, Argument::PlaneCount, Argument::Planes)
        })
    }
}

/// The components of an image: the layout {rows, columns} of each kind of sample, in the order Y, U, V or R, G, B, A
/// whatever their order in memory. Parameters are those of `stride_image_planes`.
///
/// Arrays: pitches[count], components[4].
///
/// Returns: as `stride_image_planes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_image_components(
    fourcc: u32,
    width: i64,
    height: i64,
    count: u32,
    pitches: *const u64,
    pitch_alignment: u64,
    component_count: *mut u32,
    components: *mut stride_layout,
    bytes: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let pitches = read_pitches(fourcc, count, pitches)?;
            let found = images::components(&Request { fourcc, width, height, pitches, pitch_alignment });
            let outputs = (component_count, components, bytes);
            write_image(found, outputs, Argument::ComponentCount, Argument::Components)
        })
    }
}

/// The pitches, if there are as many as planes or none; no entry is looked at before.
///
/// # Safety
/// As [`array`].
unsafe fn read_pitches<'a>(fourcc: u32, count: u32, pitches: *const u64) -> Result<&'a [u64]> {
    if count != 0 {
        check_count(count as usize, images::plane_count(fourcc)?, Argument::Count)?;
    }
    // SAFETY: as promised to this function.
    unsafe { array(pitches, (count as usize).min(MAX_RANK), Argument::Pitches) }
}

/// Writes what was found.
///
/// # Safety
/// The outputs of the two functions above.
unsafe fn write_image(
    found: Result<Image>,
    (count, layouts, bytes): (*mut u32, *mut stride_layout, *mut u64),
    counter: Argument,
    list: Argument,
) -> Result<()> {
    let count = Output::new(count, counter)?;
    let layouts = Output::new(layouts, list)?;
    let bytes = Output::new(bytes, Argument::Bytes)?;
    let found = found.as_ref().map_err(|&error: &Error| error)?;
    // SAFETY: as promised to this function; there are at most four layouts, and the room is for four.
    unsafe {
        for (place, layout) in found.layouts().iter().enumerate() {
            Output(layouts.0.add(place)).write_layout(layout)?;
        }
        count.write(found.layouts().len() as u32);
        bytes.write(found.bytes);
    }
    Ok(())
}
