//! Images in planes
//!
//! An image consists of planes. A plane is a layout {rows, columns, samples of a column}: NV12 has {H, W, 1} and, for
//! its chroma, {ceil(H/2), ceil(W/2), 2}; YUY2 is one plane {H, ceil(W/2), 4} of Y U Y V. A component is the layout
//! {rows, columns} of one kind of sample, always in the order Y, U, V, A or R, G, B, A. So NV12, NV21, I420 and YV12
//! differ only in offsets and strides, and one becomes the other by three copies. If a pixel is one word (RG16, XR30),
//! that word is the only component. Offsets count from the pointer. Each row takes its pitch, the last one too; an
//! image without columns or rows takes nothing.
//!
//! A pitch below zero leads from row 0 downward in memory, as in upside-down frames of FFmpeg and in BMP files. If the
//! pointer is row 0 itself, the other rows lie below it: `stride_layout_rebase` gives the layout whose lowest element
//! is 0, and the distance to move the pointer. If the pointer is the start of the buffer, `offsets` says where row 0
//! begins, and layouts can be copied as they are.
//!
//! Example: an image of 5 x 3 pixels in NV12, whose rows are padded to 16 bytes; V lies in every second chroma byte.
//!
//!   stride_layout parts[4]; uint32_t count; uint64_t bytes;
//!   stride_image_planes(STRIDE_FOURCC_NV12, 5, 3, 0, NULL, 16, &count, parts, &bytes, NULL);
//!   assert(count == 2 && bytes == 80 && parts[1].offset == 48 && parts[1].sizes[0] == 2 && parts[1].sizes[1] == 3);
//!   stride_image_components(STRIDE_FOURCC_NV12, 5, 3, 0, NULL, 16, &count, parts, &bytes, NULL);
//!   assert(count == 3 && parts[2].offset == 49 && parts[2].strides[0] == 16 && parts[2].strides[1] == 2);
//!
//! Example: a BGRA frame upside down, to three planes R, G, B. Pixel (0, 0) is the first of the second row in memory.
//!
//!   const uint8_t frame[16] = {9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1, 0, 13, 12, 11, 0};
//!   uint8_t rgb[3][4]; int64_t sizes[2] = {2, 2}; stride_layout parts[4], plane; uint32_t count; uint64_t bytes;
//!   stride_image image = STRIDE_IMAGE_INIT;
//!   image.fourcc = STRIDE_FOURCC_BGRA;
//!   image.width = image.height = 2;
//!   image.pitch_count = image.offset_count = 1;
//!   image.pitches[0] = -8;
//!   image.offsets[0] = 8;
//!   stride_image_components_of(&image, &count, parts, &bytes, NULL);
//!   stride_layout_init(&plane, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL);
//!   for (int k = 0; k < 3; k++) assert(!stride_copy(&plane, rgb[k], 4, &parts[k], frame, bytes, NULL, NULL));
//!   assert(rgb[0][0] == 1 && rgb[0][1] == 11 && rgb[1][0] == 2 && rgb[2][0] == 3 && rgb[0][2] == 7);

use super::boundary::{Output, array, check_given};
use super::layout::stride_layout;
use super::sized::{check_sized_input, init_sized};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, Detail, Result, Status, check_count};
use crate::vocabulary::images::{self, Image, MOST, Request};
use core::ptr::addr_of;

/// A description of an image; begin with STRIDE_IMAGE_INIT or `stride_image_init`. A field that is 0 sets nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_image {
    /// sizeof(stride_image).
    pub struct_size: u32,
    /// The format: STRIDE_FOURCC_... or a code that means the same.
    pub fourcc: u32,
    /// Columns of pixels.
    pub width: i64,
    /// Rows of pixels.
    pub height: i64,
    /// Each pitch is a multiple of this many bytes, which may be any number (96: 32 pixels of 3 bytes).
    pub pitch_alignment: u64,
    /// The height is rounded up to a multiple before planes are placed (16: 1080 rows take 1088, and chroma 544).
    /// Layouts keep the true rows.
    pub height_alignment: u64,
    /// Entries of `pitches`: as many as planes, or 0 for the least pitches that are allowed.
    pub pitch_count: u32,
    /// Entries of `offsets`: as many as planes, or 0 for planes that follow each other in memory.
    pub offset_count: u32,
    /// Bytes from row to row of each plane. Below 0: row 0 is the last one in memory.
    pub pitches: [i64; 4],
    /// Bytes from the pointer to row 0 of each plane. Planes may lie in any order.
    pub offsets: [i64; 4],
}

/// The maker of an image's planes or components, and the arguments of their number and their list.
type Kind = (fn(&Request<'_>) -> Result<Image>, Argument, Argument);
const PLANES: Kind = (images::planes, Argument::PlaneCount, Argument::Planes);
const COMPONENTS: Kind = (images::components, Argument::ComponentCount, Argument::Components);

/// The planes of an image, in the order in which they lie in memory. `width` and `height` are in pixels. `pitches` has
/// the bytes from row to row of each plane; without any, each plane gets the least multiple of `pitch_alignment`, a
/// power of two. `*bytes` becomes the length of the whole image. `stride_image_planes_of` has more options.
///
/// Arrays: pitches[count], planes[4].
///
/// Returns: INVALID_ARGUMENT (an unknown code; an alignment that is not a power of two; a pitch that is too short for
/// its row, not a multiple of the alignment or of a sample, or above 2^63 - 1); UNSUPPORTED (samples that do not lie in
/// whole bytes); INVALID_RANK (neither as many pitches as planes nor none); INVALID_SIZE below 0; OVERFLOW.
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
    report!(error, {
        let mut room = [0; MOST];
        let image = Request { fourcc, width, height, pitch_alignment, ..Request::default() };
        write_image(&with_pitches(image, count, pitches, &mut room)?, PLANES, plane_count, planes, bytes)
    })
}

/// The components of an image: the layout {rows, columns} of each kind of sample, in the order Y, U, V, A or R, G, B,
/// A, whatever their order in memory. The parameters are those of `stride_image_planes`.
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
    report!(error, {
        let mut room = [0; MOST];
        let image = Request { fourcc, width, height, pitch_alignment, ..Request::default() };
        write_image(&with_pitches(image, count, pitches, &mut room)?, COMPONENTS, component_count, components, bytes)
    })
}

/// STRIDE_IMAGE_INIT as a function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_image_init(out: *mut stride_image) -> stride_status {
    // SAFETY: `out` is null or writable (stride.h, Pointers).
    unsafe { init_sized(out) }
}

/// The planes of an image, in the order of its format. `*bytes` is the distance from the lowest byte of any plane, or
/// the pointer if that is lower, to one past the highest; every row counts with its pitch. Without offsets, row 0 of
/// plane 0 lies at the pointer, and the planes follow each other in memory from the lowest byte of plane 0 on.
///
/// Arrays: planes[4].
///
/// Returns: INVALID_ARGUMENT (an unknown code; a pitch that is shorter than its row, up or down, or not a multiple of
/// the alignment or of a sample; an offset that is not a multiple of a sample; struct_size); UNSUPPORTED (samples that
/// do not lie in whole bytes); INVALID_RANK (neither as many pitches or offsets as planes nor none); INVALID_SIZE below
/// 0; OVERLAP (planes share bytes that are not padding), UNDECIDED (the overlap test found no answer); OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_image_planes_of(
    image: *const stride_image,
    plane_count: *mut u32,
    planes: *mut stride_layout,
    bytes: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, write_image(&read_image(image)?, PLANES, plane_count, planes, bytes))
}

/// The components of an image, each {rows, columns}, in the order Y, U, V, A or R, G, B, A, whatever their order in
/// memory. `*bytes` is that of `stride_image_planes_of`.
///
/// Arrays: components[4].
///
/// Returns: as `stride_image_planes_of`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_image_components_of(
    image: *const stride_image,
    component_count: *mut u32,
    components: *mut stride_layout,
    bytes: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, write_image(&read_image(image)?, COMPONENTS, component_count, components, bytes))
}

/// A list with an entry for each plane, or an empty one; the count is checked before any entry is read.
///
/// # Safety
/// `list` is null, or readable for `count` entries while the result lives.
unsafe fn for_planes<'a, T>(
    fourcc: u32,
    count: u32,
    list: *const T,
    counter: Argument,
    argument: Argument,
) -> Result<&'a [T]> {
    if count != 0 {
        check_count(count as usize, images::plane_count(fourcc)?, counter)?;
    }
    // SAFETY: `list` is null or has `count` entries (# Safety), of which no more are viewed.
    unsafe { array(list, (count as usize).min(MOST), argument) }
}

/// The image with pitches as the functions without a struct take them. Their alignment must be a power of two.
///
/// # Safety
/// `pitches` is null, or readable for `count` entries.
#[inline(never)] // two callers
unsafe fn with_pitches<'a>(
    image: Request<'a>,
    count: u32,
    pitches: *const u64,
    room: &'a mut [i64; MOST],
) -> Result<Request<'a>> {
    // SAFETY: `pitches` is null or has `count` entries (# Safety).
    let pitches = unsafe { for_planes(image.fourcc, count, pitches, Argument::Count, Argument::Pitches)? };
    images::plane_count(image.fourcc)?;
    // Errors of sizes come first.
    if image.width >= 0 && image.height >= 0 && !image.pitch_alignment.is_power_of_two() {
        let error = Status::InvalidArgument.of(Argument::PitchAlignment);
        return Err(error.because_wide(Detail::NotAPowerOfTwo, image.pitch_alignment as i128, 1));
    }
    for (number, (&pitch, out)) in pitches.iter().zip(room.iter_mut()).enumerate() {
        *out = i64::try_from(pitch).map_err(|_| {
            let error = Status::InvalidArgument.of(Argument::Pitches).dimension(number);
            error.because_wide(Detail::Above, pitch as i128, i64::MAX as i128 >> 3)
        })?;
    }
    Ok(Request { pitches: room.get(..pitches.len()).unwrap_or(&[]), ..image })
}

/// The caller's struct.
///
/// # Safety
/// `pointer` is null, or readable for its `struct_size` bytes, at least 4, while the result lives.
#[inline(never)] // two callers
unsafe fn read_image<'a>(pointer: *const stride_image) -> Result<Request<'a>> {
    check_given(pointer, Argument::Image)?;
    // SAFETY: not null (`check_given`); readable for `struct_size` bytes (# Safety), all fields (`check_sized_input`).
    // Lists have four entries, and no format has more planes.
    unsafe {
        check_sized_input(pointer, size_of::<stride_image>(), Argument::Image)?;
        let fourcc = (*pointer).fourcc;
        let (pitches, offsets) = (addr_of!((*pointer).pitches).cast::<i64>(), addr_of!((*pointer).offsets).cast());
        Ok(Request {
            fourcc,
            width: (*pointer).width,
            height: (*pointer).height,
            pitches: for_planes(fourcc, (*pointer).pitch_count, pitches, Argument::PitchCount, Argument::Pitches)?,
            offsets: for_planes(fourcc, (*pointer).offset_count, offsets, Argument::OffsetCount, Argument::Offsets)?,
            pitch_alignment: (*pointer).pitch_alignment,
            height_alignment: (*pointer).height_alignment,
        })
    }
}

/// Makes planes or components of an image and writes them.
///
/// # Safety
/// `count` and `bytes` are null or writable, `layouts` null or writable for four.
#[inline(never)] // four callers
unsafe fn write_image(
    image: &Request<'_>,
    (make, counter, list): Kind,
    count: *mut u32,
    layouts: *mut stride_layout,
    bytes: *mut u64,
) -> Result<()> {
    let found = make(image);
    let (count, layouts) = (Output::new(count, counter)?, Output::new(layouts, list)?);
    let bytes = Output::new(bytes, Argument::Bytes)?;
    let found = found.as_ref().map_err(|&error| error)?;
    // SAFETY: outputs are writable (# Safety), not null (`Output::new`), and there are at most four layouts.
    unsafe {
        for (place, layout) in found.layouts().iter().enumerate() {
            Output(layouts.0.add(place)).write_view(&layout.view()?);
        }
        count.write(found.layouts().len() as u32);
        bytes.write(found.bytes);
    }
    Ok(())
}
