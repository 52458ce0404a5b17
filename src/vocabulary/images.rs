//! Images whose samples lie in planes: NV12, I420, YUY2, … by their FourCC.
//!
//! An image of `width` by `height` pixels is some **planes**, one behind the other. A plane is a layout {rows, columns,
//! samples}: its rows lie a pitch apart, and a column may hold several samples, such as the two of NV12's chroma or the
//! four bytes Y U Y V for two pixels. Where chroma has half the columns or rows, an odd number is rounded up.
//!
//! ```text
//! NV12, 5 x 3     plane 0  {3, 5, 1}  pitch 5     component Y  {3, 5}  of plane 0
//! 27 bytes        plane 1  {2, 3, 2}  pitch 6               U  {2, 3}  of plane 1, every second sample from the first
//!                                                           V  {2, 3}  of plane 1, every second sample from the second
//! ```
//!
//! A **component** is the layout {rows, columns} of one kind of sample, wherever it lies, and always in the order Y, U,
//! V or R, G, B, A. So the same loop over components converts any format into any other of the same subsampling.
//!
//! Every row is as long as the pitch, the last one too: the image takes the sum of pitch times rows, as V4L2 and DXGI
//! count.
//!
//! Sources: include/uapi/linux/videodev2.h and drm/drm_fourcc.h of Linux (codes, orders in memory, rounding);
//! fourcc.org for the codes of Microsoft's formats. RGB24 and BGRA name bytes as they lie in memory: DRM calls them
//! BGR888 and ARGB8888.

use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::{Dtype, LayoutBuf};

/// The most planes and the most components that an image has.
pub const MOST: usize = 4;

/// A plane: its dtype, the samples of a column, and whether it has half the columns and rows.
struct Plane {
    dtype: Dtype,
    samples: i64,
    half_columns: bool,
    half_rows: bool,
}

/// A component: its plane, its first sample there, the samples from one to the next, whether it has half the columns.
struct Component {
    plane: usize,
    first: i64,
    step: i64,
    half_columns: bool,
}

/// Planes and components.
struct Format {
    planes: &'static [Plane],
    components: &'static [Component],
}

const fn plane(dtype: Dtype, samples: i64, half_columns: bool, half_rows: bool) -> Plane {
    Plane { dtype, samples, half_columns, half_rows }
}

const fn component(plane: usize, first: i64, step: i64, half_columns: bool) -> Component {
    Component { plane, first, step, half_columns }
}

const LUMA: Plane = plane(Dtype::U8, 1, false, false);
const U_FIRST: [Component; 3] = [component(0, 0, 1, false), component(1, 0, 2, true), component(1, 1, 2, true)];
const V_FIRST: [Component; 3] = [component(0, 0, 1, false), component(1, 1, 2, true), component(1, 0, 2, true)];
const HALF: [Component; 3] = [component(0, 0, 1, false), component(1, 0, 1, true), component(2, 0, 1, true)];
const QUARTER: [Plane; 3] = [LUMA, plane(Dtype::U8, 1, true, true), plane(Dtype::U8, 1, true, true)];

static NV12: Format = Format { planes: &[LUMA, plane(Dtype::U8, 2, true, true)], components: &U_FIRST };
static NV21: Format = Format { planes: &[LUMA, plane(Dtype::U8, 2, true, true)], components: &V_FIRST };
static NV16: Format = Format { planes: &[LUMA, plane(Dtype::U8, 2, true, false)], components: &U_FIRST };
static P010: Format =
    Format { planes: &[plane(Dtype::U16, 1, false, false), plane(Dtype::U16, 2, true, true)], components: &U_FIRST };
static I420: Format = Format { planes: &QUARTER, components: &HALF };
static YV12: Format = Format {
    planes: &QUARTER,
    components: &[component(0, 0, 1, false), component(2, 0, 1, true), component(1, 0, 1, true)],
};
static I422: Format =
    Format { planes: &[LUMA, plane(Dtype::U8, 1, true, false), plane(Dtype::U8, 1, true, false)], components: &HALF };
static I444: Format = Format {
    planes: &[LUMA, LUMA, LUMA],
    components: &[component(0, 0, 1, false), component(1, 0, 1, false), component(2, 0, 1, false)],
};
static YUY2: Format = Format {
    planes: &[plane(Dtype::U8, 4, true, false)],
    components: &[component(0, 0, 2, false), component(0, 1, 4, true), component(0, 3, 4, true)],
};
static UYVY: Format = Format {
    planes: &[plane(Dtype::U8, 4, true, false)],
    components: &[component(0, 1, 2, false), component(0, 0, 4, true), component(0, 2, 4, true)],
};
static RGB24: Format = Format {
    planes: &[plane(Dtype::U8, 3, false, false)],
    components: &[component(0, 0, 3, false), component(0, 1, 3, false), component(0, 2, 3, false)],
};
static BGRA: Format = Format {
    planes: &[plane(Dtype::U8, 4, false, false)],
    components: &[
        component(0, 2, 4, false),
        component(0, 1, 4, false),
        component(0, 0, 4, false),
        component(0, 3, 4, false),
    ],
};
static RGBA64F: Format = Format {
    planes: &[plane(Dtype::F16, 4, false, false)],
    components: &[
        component(0, 0, 4, false),
        component(0, 1, 4, false),
        component(0, 2, 4, false),
        component(0, 3, 4, false),
    ],
};

/// The format of a code; the names that others have for the same one stand beside it.
fn format_of(fourcc: u32) -> Result<&'static Format> {
    Ok(match &fourcc.to_le_bytes() {
        b"NV12" => &NV12,
        b"NV21" => &NV21,
        b"NV16" => &NV16,
        b"P010" => &P010,
        b"I420" | b"IYUV" | b"YU12" => &I420,
        b"YV12" => &YV12,
        b"I422" | b"422P" | b"YU16" => &I422,
        b"I444" | b"YU24" => &I444,
        b"YUY2" | b"YUYV" => &YUY2,
        b"UYVY" => &UYVY,
        b"RGB3" | b"BG24" => &RGB24,
        b"AR24" | b"BGRA" => &BGRA,
        b"AB4H" => &RGBA64F,
        _ => {
            let error = Error::new(Status::InvalidArgument).argument(Argument::Fourcc);
            return Err(error.because(Detail::FourccUnknown, fourcc as i64, 0));
        }
    })
}

/// How many planes a format has.
///
/// ```
/// use stride::vocabulary::images::plane_count;
/// assert_eq!(plane_count(u32::from_le_bytes(*b"NV12")), Ok(2));
/// ```
pub fn plane_count(fourcc: u32) -> Result<usize> {
    Ok(format_of(fourcc)?.planes.len())
}

/// What the caller says of an image.
///
/// ```
/// use stride::vocabulary::images::{Request, components, planes};
/// let nv12 = u32::from_le_bytes(*b"NV12");
/// let image = Request { fourcc: nv12, width: 6, height: 4, pitches: &[], pitch_alignment: 8 };
/// assert_eq!(planes(&image)?.bytes, 48); // four rows of Y and two of UV, 8 bytes each
/// assert_eq!(components(&image)?.layouts().len(), 3);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The format's code, its first character in the low byte.
    pub fourcc: u32,
    /// Columns of pixels.
    pub width: i64,
    /// Rows of pixels.
    pub height: i64,
    /// Bytes from row to row of each plane; empty: the least that are allowed.
    pub pitches: &'a [u64],
    /// Bytes of which each pitch is a multiple, a power of two.
    pub pitch_alignment: u64,
}

/// Layouts, of planes or components, and the bytes of the whole image.
///
/// ```
/// use stride::vocabulary::images::{Request, components, planes};
/// let nv12 = u32::from_le_bytes(*b"NV12");
/// let image = Request { fourcc: nv12, width: 6, height: 4, pitches: &[], pitch_alignment: 8 };
/// let planes = planes(&image)?;
/// assert_eq!((planes.layouts().len(), planes.bytes), (2, 48));
/// let v = components(&image)?.layouts()[2];
/// assert_eq!(v.to_string(), "u8[2,3] strides [8,2] offset 33");
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Image {
    layouts: [LayoutBuf; MOST],
    count: usize,
    /// Bytes of all planes.
    pub bytes: u64,
}

impl Image {
    fn of(bytes: u64) -> Self {
        Self { layouts: [LayoutBuf::scalar(Dtype::U8, 0); MOST], count: 0, bytes }
    }

    /// The layouts, counted in elements from the start of the image.
    pub fn layouts(&self) -> &[LayoutBuf] {
        &self.layouts[..self.count.min(MOST)]
    }

    fn push(&mut self, layout: LayoutBuf) {
        if let Some(slot) = self.layouts.get_mut(self.count) {
            *slot = layout;
            self.count += 1;
        }
    }
}

/// Where a plane lies.
#[derive(Clone, Copy)]
struct Place {
    rows: i64,
    columns: i64,
    /// Samples from the start of the image.
    offset: i64,
    /// Samples from row to row.
    pitch: i64,
}

/// Places all planes; how many bytes they take. INVALID_SIZE for a negative size; INVALID_ARGUMENT for a pitch that is
/// too short, no multiple of the alignment or no whole number of samples; INVALID_RANK for a wrong number of pitches;
/// OVERFLOW.
fn place(format: &Format, request: &Request<'_>, places: &mut [Place; MOST]) -> Result<u64> {
    for (size, argument) in [(request.width, Argument::Width), (request.height, Argument::Height)] {
        if size < 0 {
            return Err(Error::new(Status::InvalidSize).argument(argument).because(Detail::Below, size, 0));
        }
    }
    let alignment = request.pitch_alignment;
    if !alignment.is_power_of_two() {
        let error = Error::new(Status::InvalidArgument).argument(Argument::PitchAlignment);
        return Err(error.because_wide(Detail::NotAPowerOfTwo, alignment as i128, 1));
    }
    if !request.pitches.is_empty() {
        crate::error::check_count(request.pitches.len(), format.planes.len(), Argument::Count)?;
    }
    let empty = request.width == 0 || request.height == 0;
    let mut total = 0i128; // bytes of the planes so far, below 2^60
    for (number, (plane, place)) in format.planes.iter().zip(places).enumerate() {
        let columns = halved(request.width, plane.half_columns);
        let rows = halved(request.height, plane.half_rows);
        let sample_bytes = (plane.dtype.bits() / 8).max(1) as u64;
        let row_bytes = columns as i128 * plane.samples as i128 * sample_bytes as i128;
        let pitch = match request.pitches.get(number) {
            None => {
                let mask = alignment as i128 - 1;
                (row_bytes + mask) & !mask
            }
            Some(&pitch) => {
                let error = Error::new(Status::InvalidArgument).argument(Argument::Pitches).dimension(number);
                if (pitch as i128) < row_bytes {
                    return Err(error.because_wide(Detail::Below, pitch as i128, row_bytes));
                }
                let multiple = alignment.max(sample_bytes); // both are powers of two
                if pitch & multiple.wrapping_sub(1) != 0 {
                    return Err(error.because_wide(Detail::NotAMultiple, pitch as i128, multiple as i128));
                }
                pitch as i128
            }
        };
        *place = Place { rows, columns, offset: 0, pitch: 0 };
        if empty {
            continue;
        }
        let shift = sample_bytes.trailing_zeros();
        let offset = total;
        total += pitch.saturating_mul(rows as i128);
        // I4 of each plane follows.
        if total > (i64::MAX >> 3) as i128 {
            let error = Error::new(Status::Overflow).because_wide(Detail::Bits, total, 8);
            return Err(match request.pitches {
                [] => error.argument(Argument::Width),
                _ => error.argument(Argument::Pitches).dimension(number),
            });
        }
        (place.offset, place.pitch) = ((offset >> shift) as i64, (pitch >> shift) as i64);
    }
    Ok(total as u64)
}

/// Half of a number, rounded up.
fn halved(number: i64, half: bool) -> i64 {
    if half { number - number / 2 } else { number }
}

/// The planes of an image in the order in which they lie in memory, each a layout {rows, columns, samples of a column}.
///
/// ```
/// use stride::vocabulary::images::{Request, components, planes};
/// let nv12 = u32::from_le_bytes(*b"NV12");
/// let image = Request { fourcc: nv12, width: 6, height: 4, pitches: &[], pitch_alignment: 8 };
/// assert_eq!(planes(&image)?.layouts()[1].to_string(), "u8[2,3,2] strides [8,2,1] offset 32"); // U and V by turns
/// # Ok::<(), stride::Error>(())
/// ```
pub fn planes(request: &Request<'_>) -> Result<Image> {
    let format = format_of(request.fourcc)?;
    let mut places = [Place { rows: 0, columns: 0, offset: 0, pitch: 0 }; MOST];
    let mut out = Image::of(place(format, request, &mut places)?);
    for (plane, at) in format.planes.iter().zip(&places) {
        let mut layout = LayoutBuf::scalar(plane.dtype, at.offset);
        let empty = at.rows == 0 || at.columns == 0;
        for (size, stride) in [(at.rows, at.pitch), (at.columns, plane.samples), (plane.samples, 1)] {
            layout.push(size, if empty { 0 } else { stride })?;
        }
        out.push(layout.checked().in_role(Argument::Height)?);
    }
    Ok(out)
}

/// The components of an image in the order Y, U, V or R, G, B, A, each a layout {rows, columns}.
///
/// ```
/// use stride::vocabulary::images::{Request, components, planes};
/// let nv12 = u32::from_le_bytes(*b"NV12");
/// let image = Request { fourcc: nv12, width: 6, height: 4, pitches: &[], pitch_alignment: 8 };
/// assert_eq!(components(&image)?.layouts()[1].to_string(), "u8[2,3] strides [8,2] offset 32"); // U
/// # Ok::<(), stride::Error>(())
/// ```
pub fn components(request: &Request<'_>) -> Result<Image> {
    let format = format_of(request.fourcc)?;
    let mut places = [Place { rows: 0, columns: 0, offset: 0, pitch: 0 }; MOST];
    let mut out = Image::of(place(format, request, &mut places)?);
    for of in format.components {
        let (Some(plane), Some(at)) = (format.planes.get(of.plane), places.get(of.plane)) else { continue };
        let columns = halved(request.width, of.half_columns);
        let empty = at.rows == 0 || columns == 0;
        let first = if empty { 0 } else { of.first };
        let mut layout = LayoutBuf::scalar(plane.dtype, at.offset.saturating_add(first));
        for (size, stride) in [(at.rows, at.pitch), (columns, of.step)] {
            layout.push(size, if empty { 0 } else { stride })?;
        }
        out.push(layout.checked().in_role(Argument::Height)?);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(code: &[u8; 4], width: i64, height: i64, pitch_alignment: u64) -> Request<'static> {
        Request { fourcc: u32::from_le_bytes(*code), width, height, pitches: &[], pitch_alignment }
    }

    #[test]
    fn sizes_of_known_images() {
        // realsenseai/librealsense#15658; libsdl-org/SDL#11114; pjproject's I420.
        assert_eq!(planes(&request(b"NV12", 848, 480, 1)).unwrap().bytes, 610_560);
        assert_eq!(planes(&request(b"NV12", 2328, 1748, 64)).unwrap().bytes, 2368 * 1748 * 3 / 2);
        assert_eq!(planes(&request(b"I420", 800, 650, 1)).unwrap().bytes, 780_000);
        assert_eq!(planes(&request(b"NV12", 5, 3, 1)).unwrap().bytes, 27);
        assert_eq!(planes(&request(b"AB4H", 5, 3, 1)).unwrap().bytes, 120);
        assert_eq!(planes(&request(b"I420", 0, i64::MAX, 1)).unwrap().bytes, 0);
        // Without pixels a pitch says nothing; of one row it counts all the same.
        let row = |width, height| Request { pitches: &[1 << 61], ..request(b"AR24", width, height, 1) };
        let none = planes(&row(0, 3)).unwrap();
        assert_eq!((none.bytes, none.layouts()[0].strides()), (0, &[0; 3][..]));
        let error = planes(&row(1, 1)).unwrap_err();
        assert_eq!((error.status, error.argument, error.lhs), (Status::Overflow, Argument::Pitches, 1 << 61));
    }

    #[test]
    fn every_component_lies_in_its_plane() {
        for code in [b"NV12", b"NV21", b"NV16", b"P010", b"YV12", b"I422", b"I444", b"YUY2", b"UYVY", b"RGB3", b"AR24"]
        {
            let of = request(code, 5, 3, 16);
            let (planes, components) = (planes(&of).unwrap(), components(&of).unwrap());
            let mut reached = std::vec![false; planes.bytes as usize];
            for component in components.layouts() {
                let view = component.view().unwrap();
                let mut index = [0; 2];
                for number in 0..view.element_count() {
                    view.unravel(number, &mut index).unwrap();
                    let at = view.offset_of(&index).unwrap() as usize;
                    assert!(!std::mem::replace(&mut reached[at], true), "{code:?}: sample {at} twice");
                }
            }
            let elements: i64 = planes.layouts().iter().map(|plane| plane.view().unwrap().element_count()).sum();
            // Of YUY2's last pair one luma sample belongs to no pixel.
            let unused = if matches!(code, b"YUY2" | b"UYVY") { 3 } else { 0 };
            assert_eq!(reached.iter().filter(|&&reached| reached).count() as i64, elements - unused, "{code:?}");
        }
    }
}
