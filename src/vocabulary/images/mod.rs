//! Images whose samples lie in planes: NV12, I420, YUY2, … by their FourCC.
//!
//! An image of `width` by `height` pixels is some **planes**. A plane is a layout {rows, columns, samples}: its rows
//! lie a pitch apart, and a column may hold several samples, such as the two of NV12's chroma or the four bytes Y U Y V
//! for two pixels. If chroma has half the columns or rows, an odd number is rounded up.
//!
//! ```text
//! NV12, 5 x 3     plane 0  {3, 5, 1}  pitch 5     component Y  {3, 5}  of plane 0
//! 27 bytes        plane 1  {2, 3, 2}  pitch 6               U  {2, 3}  of plane 1, every second sample from the first
//!                                                           V  {2, 3}  of plane 1, every second sample from the second
//! ```
//!
//! A **component** is the layout {rows, columns} of one kind of sample, wherever it lies, and always in the order Y, U,
//! V, A or R, G, B, A. So the same loop over components converts any format into any other of the same subsampling. If
//! a pixel is one word (RGB565, XR30), that word is the only component.
//!
//! Three numbers say where a plane lies: where row 0 begins, the pitch, and the rows that the plane takes, which
//! `height_alignment` rounds up. A negative pitch leads downward in memory. Every row is as long as its pitch, the last
//! one too, as V4L2 and DXGI count:
//!
//! ```text
//! pitch p > 0     row 0 at o     the plane takes bytes o ... o + p * rows - 1
//! pitch p < 0     row 0 at o     the plane takes bytes o + p * (rows - 1) ... o - p - 1
//! ```
//!
//! Without offsets the planes follow each other in memory, and row 0 of plane 0 is at 0.
//!
//! `list` has all formats, `codes` their FourCCs and names.
//!
//! Sources: include/uapi/linux/videodev2.h and drm/drm_fourcc.h of Linux (codes, orders in memory, rounding); FFmpeg's
//! libavutil/pixdesc.c (names) and libavcodec/raw_pix_fmt_tags.h (more codes); fourcc.org for the codes of Microsoft's
//! formats. If V4L2 and DRM mean different orders by the same letters, DRM's is taken.

mod codes;
mod list;

use crate::error::{Argument, Detail, ForArgument, Result, Status, check_count};
use crate::model::{Dtype, Layout, LayoutBuf};
use arrayvec::ArrayVec;
use codes::format_of;
pub use codes::{Format, formats, fourcc};
pub use list::MOST_PLANES;
#[doc(hidden)] // its first name
pub use list::MOST_PLANES as MOST;
use list::{HALF_COLUMNS, HALF_ROWS, Row};

/// Largest distance in bytes from the pointer for all planes, so that bits can be counted in 64 bits (I4).
const FARTHEST: i128 = (i64::MAX >> 3) as i128;

/// The number of planes that a format has.
///
/// ```
/// use stride::vocabulary::images::plane_count;
/// assert_eq!(plane_count(u32::from_le_bytes(*b"NV12")), Ok(2));
/// ```
pub fn plane_count(fourcc: u32) -> Result<usize> {
    Ok(format_of(fourcc)?.planes().count())
}

/// The description of an image.
///
/// ```
/// use stride::vocabulary::images::{Request, components, planes};
/// let nv12 = u32::from_le_bytes(*b"NV12");
/// let image = Request::new(nv12, 6, 4).pitch_alignment(8);
/// assert_eq!(planes(&image)?.bytes, 48); // four rows of Y and two of UV, 8 bytes each
/// assert_eq!(components(&image)?.layouts().len(), 3);
/// // 1080 rows in a decoder's buffer of 1088.
/// let image = Request::new(nv12, 1920, 1080).height_alignment(16);
/// assert_eq!(planes(&image)?.layouts()[1].to_string(), "u8[540,960,2] strides [1920,2,1] offset 2088960");
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The format's code, its first character in the low byte.
    pub fourcc: u32,
    /// Columns of pixels.
    pub width: i64,
    /// Rows of pixels.
    pub height: i64,
    /// Bytes from row to row of each plane, negative if rows go downward; empty: the least that are allowed.
    pub pitches: &'a [i64],
    /// The beginning of row 0 of each plane, in bytes from the pointer; empty: planes follow each other.
    pub offsets: &'a [i64],
    /// Each pitch is a multiple of this many bytes, any number; 0 is 1.
    pub pitch_alignment: u64,
    /// The height is rounded up to a multiple of this many rows before planes are placed; 0 is 1.
    pub height_alignment: u64,
}

impl<'a> Request<'a> {
    /// An image without gaps of so many pixels. A field may be added; a method each sets them.
    ///
    /// ```
    /// use stride::vocabulary::images::{Request, planes};
    /// let image = Request::new(u32::from_le_bytes(*b"NV12"), 6, 4);
    /// assert_eq!(planes(&image)?.bytes, 36);
    /// // Planes apart, with pitches that are given.
    /// assert_eq!(planes(&image.pitches(&[16, 8]).offsets(&[0, 4096]))?.bytes, 4096 + 2 * 8);
    /// assert_eq!(planes(&image.pitch_alignment(16).height_alignment(8))?.bytes, (8 + 4) * 16);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn new(fourcc: u32, width: i64, height: i64) -> Self {
        Self { fourcc, width, height, pitches: &[], offsets: &[], pitch_alignment: 0, height_alignment: 0 }
    }

    setters! {
        /// With these bytes from row to row of each plane.
        pitches: &'a [i64],
        /// With row 0 of each plane at these bytes from the pointer.
        offsets: &'a [i64],
        /// With pitches that are multiples of so many bytes.
        pitch_alignment: u64,
        /// With planes placed as if the height were a multiple of so many rows.
        height_alignment: u64,
    }
}

/// Layouts, of planes or components, and the bytes of the whole image.
///
/// ```
/// use stride::vocabulary::images::{Request, components, planes};
/// let nv12 = u32::from_le_bytes(*b"NV12");
/// let image = Request::new(nv12, 6, 4).pitch_alignment(8);
/// let planes = planes(&image)?;
/// assert_eq!((planes.layouts().len(), planes.bytes), (2, 48));
/// let components = components(&image)?;
/// let v = &components.layouts()[2];
/// assert_eq!(v.to_string(), "u8[2,3] strides [8,2] offset 33");
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Image {
    layouts: ArrayVec<LayoutBuf, MOST_PLANES>,
    /// Bytes from the lowest byte of any plane, or the pointer if that is lower, to one past the highest.
    pub bytes: u64,
}

impl Image {
    /// The layouts, counted in elements from the pointer.
    pub fn layouts(&self) -> &[LayoutBuf] {
        &self.layouts
    }

    /// Adds a layout, checked.
    #[inline(never)] // has four callers
    fn push(&mut self, format: &Row, offset: i64, sizes: &[i64], strides: &[i64]) -> Result<()> {
        let layout = Layout::new(format.dtype()?, offset, sizes, strides).in_role(Argument::Height)?;
        let _ = self.layouts.try_push(layout.into()); // no format has more
        Ok(())
    }
}

/// The place of a plane: a layout {rows, columns, samples}.
#[derive(Clone, Copy, Default)]
struct Place {
    sizes: [i64; 3],
    /// Samples from the pointer.
    offset: i64,
    strides: [i64; 3],
}

/// The least multiple of `unit` that is not below `number`, if there is one in 64 bits.
fn rounded_up(number: i128, unit: u64) -> i128 {
    let rest = u64::try_from(number).ok().and_then(|number| number.checked_rem(unit)).unwrap_or(0);
    if rest == 0 { number } else { number + unit.wrapping_sub(rest) as i128 }
}

/// Half of a number, rounded up, if a plane has this flag.
fn halved(number: i128, flag: u8) -> i128 {
    if flag == 0 { number } else { (number + 1) >> 1 }
}

/// Bytes from row to row: as given, or the least multiple of `unit` that holds a row of `row_bytes`.
#[inline(never)] // one copy of the code for all planes
fn pitch_of(number: usize, pitches: &[i64], row_bytes: i128, unit: u64) -> Result<i128> {
    let Some(&pitch) = pitches.get(number) else {
        return Ok(rounded_up(row_bytes, unit));
    };
    let error = Status::InvalidArgument.of(Argument::Pitches).dimension(number);
    if (pitch.unsigned_abs() as i128) < row_bytes {
        return Err(match pitch {
            0.. => error.because_wide(Detail::Below, pitch as i128, row_bytes),
            _ => error.because_wide(Detail::Above, pitch as i128, -row_bytes),
        });
    }
    error.unless(pitch.unsigned_abs().checked_rem(unit) == Some(0), Detail::NotAMultiple, pitch, unit)?;
    Ok(pitch as i128)
}

/// Places all planes; returns the format, and an image of so many bytes without layouts. INVALID_SIZE for a negative
/// size; INVALID_ARGUMENT for a pitch that is too short, not a multiple of the alignment or not a whole number of
/// samples, and for an offset that is not a whole number of samples; INVALID_RANK for a wrong number of pitches or
/// offsets; OVERFLOW; OVERLAP of planes, and UNDECIDED.
#[inline(never)] // has four callers
fn place(request: &Request<'_>, places: &mut [Place; MOST_PLANES]) -> Result<(&'static Row, Image)> {
    let format = format_of(request.fourcc)?;
    for (size, argument) in [(request.width, Argument::Width), (request.height, Argument::Height)] {
        Status::InvalidSize.of(argument).at_least(size, 0)?;
    }
    let (pitches, offsets) = (request.pitches, request.offsets);
    for (list, counter) in [(pitches, Argument::PitchCount), (offsets, Argument::OffsetCount)] {
        if !list.is_empty() {
            check_count(list.len(), format.planes().count(), counter)?;
        }
    }
    let (width, height) = (request.width as i128, request.height as i128);
    let padded_height = rounded_up(height, request.height_alignment.max(1));
    let dtype = format.dtype()?;
    let shift = (dtype.bits() / 8).max(1).trailing_zeros(); // a sample has 1, 2 or 4 bytes
    // The least common multiple of the alignment and a sample's bytes, which are a power of two.
    let alignment = request.pitch_alignment.max(1);
    let missing = shift.saturating_sub(alignment.trailing_zeros());
    let unit = alignment.saturating_mul(1 << missing);
    let (mut lowest, mut highest, mut end) = (0i128, 0i128, 0i128); // bytes from the pointer
    for (number, (plane, place)) in format.planes().zip(places.iter_mut()).enumerate() {
        let (samples, columns) = (i64::from(plane & 7), halved(width, plane & HALF_COLUMNS));
        let rows = halved(height, plane & HALF_ROWS);
        let pitch = pitch_of(number, pitches, (columns * samples as i128) << shift, unit)?;
        let given = offsets.get(number).copied();
        if let Some(offset) = given.filter(|offset| offset & ((1 << shift) - 1) != 0) {
            let error = Status::InvalidArgument.of(Argument::Offsets).dimension(number);
            return Err(error.because(Detail::NotAMultiple, offset, 1 << shift));
        }
        place.sizes = [rows as i64, columns as i64, samples];
        if rows == 0 || columns == 0 {
            continue;
        }
        let bytes = pitch.abs().saturating_mul(halved(padded_height, plane & HALF_ROWS));
        let over = |argument: Argument, bytes: i128| {
            let error = Status::Overflow.of(argument).because_wide(Detail::Bits, bytes, 8);
            if argument == Argument::Width { error } else { error.dimension(number) }
        };
        let sized = if pitches.is_empty() { Argument::Width } else { Argument::Pitches };
        // I4 of each plane follows from these two.
        if bytes > FARTHEST {
            return Err(over(sized, end.saturating_add(bytes)));
        }
        // If rows go downward, the first one is the last in memory.
        let below = if pitch < 0 { bytes + pitch } else { 0 };
        let first = match given {
            Some(offset) => offset as i128,
            None if number == 0 => 0,
            None => end + below,
        };
        end = first - below + bytes;
        lowest = lowest.min(first - below);
        highest = if number == 0 { end } else { highest.max(end) };
        if highest.max(-lowest) > FARTHEST {
            let farthest = if highest > FARTHEST { highest } else { lowest };
            return Err(over(if offsets.is_empty() { sized } else { Argument::Offsets }, farthest));
        }
        place.offset = (first >> shift) as i64;
        place.strides = [(pitch >> shift) as i64, samples, 1];
    }
    if !offsets.is_empty() {
        check_apart(dtype, places)?;
    }
    Ok((format, Image { layouts: ArrayVec::new(), bytes: (highest - lowest) as u64 }))
}

/// Checks that no sample belongs to two planes. Padding may: U and V are found in the two halves of one row.
fn check_apart(dtype: Dtype, places: &[Place; MOST_PLANES]) -> Result<()> {
    for (later, place) in places.iter().enumerate() {
        let plane = Layout::new(dtype, place.offset, &place.sizes, &place.strides)?;
        for (number, place) in places.iter().enumerate().take(later) {
            let other = Layout::new(dtype, place.offset, &place.sizes, &place.strides)?;
            let apart = !plane.overlaps(0, &other, 0, 0).in_role(Argument::Offsets)?;
            let error = Status::Overlap.of(Argument::Offsets).dimension(later);
            error.unless(apart, Detail::SharedPlanes, number as i64, later as i64)?;
        }
    }
    Ok(())
}

/// The planes of an image in the order of the format, each a layout {rows, columns, samples of a column}.
///
/// ```
/// use stride::vocabulary::images::{Request, components, planes};
/// let nv12 = u32::from_le_bytes(*b"NV12");
/// let image = Request::new(nv12, 6, 4).pitch_alignment(8);
/// assert_eq!(planes(&image)?.layouts()[1].to_string(), "u8[2,3,2] strides [8,2,1] offset 32"); // U V U V …
/// # Ok::<(), stride::Error>(())
/// ```
#[inline(never)] // has four callers
pub fn planes(request: &Request<'_>) -> Result<Image> {
    let mut places = [Place::default(); MOST_PLANES];
    let (format, mut out) = place(request, &mut places)?;
    for (_, at) in format.planes().zip(&places) {
        out.push(format, at.offset, &at.sizes, &at.strides)?;
    }
    Ok(out)
}

/// The components of an image in the order Y, U, V, A or R, G, B, A, each a layout {rows, columns}.
///
/// ```
/// use stride::vocabulary::images::{Request, components, planes};
/// let nv12 = u32::from_le_bytes(*b"NV12");
/// let image = Request::new(nv12, 6, 4).pitch_alignment(8);
/// assert_eq!(components(&image)?.layouts()[1].to_string(), "u8[2,3] strides [8,2] offset 32"); // U
/// # Ok::<(), stride::Error>(())
/// ```
#[inline(never)] // has four callers
pub fn components(request: &Request<'_>) -> Result<Image> {
    let mut places = [Place::default(); MOST_PLANES];
    let (format, mut out) = place(request, &mut places)?;
    for of in format.components.iter().filter(|&&of| of != 0) {
        let Some(at) = places.get((of >> 6) as usize) else { continue };
        let (first, step) = ((of >> 3 & 7) as i64, (of & 7) as i64);
        let [rows, columns, samples] = at.sizes;
        // Y of Y U Y V comes twice in a column of its plane.
        let columns = if step == samples { columns } else { request.width };
        let (first, strides) = match at.strides {
            [_, _, 0] => (0, [0, 0]),
            [pitch, ..] => (first, [pitch, step]),
        };
        out.push(format, at.offset.saturating_add(first), &[rows, columns], &strides)?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(code: &[u8; 4], width: i64, height: i64, pitch_alignment: u64) -> Request<'static> {
        Request { fourcc: u32::from_le_bytes(*code), width, height, pitch_alignment, ..Request::default() }
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
        // Without pixels a pitch means nothing; for a single row it still counts.
        let row = |width, height| Request { pitches: &[1 << 61], ..request(b"AR24", width, height, 1) };
        let none = planes(&row(0, 3)).unwrap();
        assert_eq!((none.bytes, none.layouts()[0].strides()), (0, &[0; 3][..]));
        let error = planes(&row(1, 1)).unwrap_err();
        assert_eq!((error.status, error.argument, error.lhs), (Status::Overflow, Argument::Pitches, 1 << 61));
    }

    #[test]
    fn every_component_lies_in_its_plane() {
        let mut refused = 0;
        for format in formats() {
            let code = format.fourcc.to_le_bytes();
            let of = request(&code, 5, 3, 16);
            let (planes, components) = match (planes(&of), components(&of)) {
                (Ok(planes), Ok(components)) => (planes, components),
                (planes, components) => {
                    assert_eq!(planes.unwrap_err(), components.unwrap_err());
                    assert_eq!(format.letters, "");
                    refused += 1;
                    continue;
                }
            };
            let letters = if format.letters == "word" { 1 } else { format.letters.len() };
            assert_eq!(components.layouts().len(), letters, "{format:?}");
            let mut reached = std::vec![false; planes.bytes as usize];
            for component in components.layouts() {
                let view = component.view().unwrap();
                let mut index = [0; 2];
                for number in 0..view.element_count() {
                    view.unravel(number, &mut index).unwrap();
                    let at = view.offset_of(&index).unwrap() as usize;
                    assert!(!std::mem::replace(&mut reached[at], true), "{format:?}: sample {at} twice");
                }
            }
            let mut unused = 0;
            for plane in planes.layouts() {
                let view = plane.view().unwrap();
                let mut index = [0; 3];
                for number in 0..view.element_count() {
                    view.unravel(number, &mut index).unwrap();
                    let at = view.offset_of(&index).unwrap() as usize;
                    unused += i64::from(!std::mem::replace(&mut reached[at], false));
                }
            }
            assert!(!reached.contains(&true), "{format:?}: a component outside of its plane");
            // Of YUY2's last pair one luma sample belongs to no pixel; X is not a component.
            let samples = planes.layouts()[0].sizes()[2];
            let packed = planes.layouts().len() == 1 && planes.layouts()[0].sizes()[1] == 3;
            let expected = if packed {
                3
            } else if samples == 4 {
                15 * (4 - letters as i64)
            } else {
                0
            };
            assert_eq!(unused, expected, "{format:?}");
        }
        assert_eq!(refused, 3);
    }

    /// Each plane as rows of bytes, written out: where it lies for pitches of either sign, with and without offsets.
    #[test]
    fn rows_that_go_downward() {
        let offsets = |request: &Request<'_>| {
            let found = planes(request).unwrap();
            let places: std::vec::Vec<(i64, i64)> =
                found.layouts().iter().map(|plane| (plane.offset(), plane.strides()[0])).collect();
            (places, found.bytes)
        };
        let nv12 = request(b"NV12", 4, 4, 1);
        // Y in bytes -12 ... 3, and UV after it: upward from 4, downward from 8.
        assert_eq!(offsets(&Request { pitches: &[-4, 4], ..nv12 }), (std::vec![(0, -4), (4, 4)], 24));
        assert_eq!(offsets(&Request { pitches: &[-4, -4], ..nv12 }), (std::vec![(0, -4), (8, -4)], 24));
        assert_eq!(offsets(&Request { pitches: &[4, -4], ..nv12 }), (std::vec![(0, 4), (20, -4)], 24));
        // From the start of the buffer, planes the other way round.
        let placed = Request { pitches: &[-4, -4], offsets: &[20, 4], ..nv12 };
        assert_eq!(offsets(&placed), (std::vec![(20, -4), (4, -4)], 24));
        // All planes after the pointer: the bytes before them count. All before it: the bytes after them count.
        assert_eq!(offsets(&Request { offsets: &[100, 200], ..nv12 }).1, 208);
        assert_eq!(offsets(&Request { offsets: &[-100, -200], ..nv12 }).1, 200 - 84);
        // U and V in the two halves of the rows of one plane.
        let halves = Request { pitches: &[8, 8, 8], offsets: &[0, 32, 36], ..request(b"I420", 8, 4, 1) };
        assert_eq!(offsets(&halves).0, [(0, 8), (32, 8), (36, 8)]);
        let shared = planes(&Request { offsets: &[0, 32, 35], ..halves }).unwrap_err();
        assert_eq!((shared.status, shared.dimension, shared.lhs, shared.rhs), (Status::Overlap, 2, 1, 2));
    }
}
