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
//! All formats are in one list (`formats!`), which docs/IMAGE_FORMATS.md shows. A row has eight bytes; one text has
//! every code and name of all rows, and the numbers of the codes are computed from it at compile time.
//!
//! Sources: include/uapi/linux/videodev2.h and drm/drm_fourcc.h of Linux (codes, orders in memory, rounding); FFmpeg's
//! libavutil/pixdesc.c (names) and libavcodec/raw_pix_fmt_tags.h (more codes); fourcc.org for the codes of Microsoft's
//! formats. If V4L2 and DRM mean different orders by the same letters, DRM's is taken.

use crate::error::{Argument, Detail, ForArgument, Result, Status, check_count};
use crate::model::{Dtype, Layout, LayoutBuf};
use arrayvec::ArrayVec;

/// The most planes and the most components that an image has.
pub const MOST: usize = 4;

/// Largest distance in bytes from the pointer for all planes, so that bits can be counted in 64 bits (I4).
const FARTHEST: i128 = (i64::MAX >> 3) as i128;

/// Planes and components of a format. A plane is its samples of a column, with `HALF_COLUMNS` and `HALF_ROWS`; 0: none.
/// A component is made by `at`; 0: none. A format without planes has samples that are not stored in whole bytes, and
/// the first component is their number of bits.
struct Row {
    dtype: u8,
    planes: [u8; 3],
    components: [u8; MOST],
}

const HALF_COLUMNS: u8 = 8;
const HALF_ROWS: u8 = 16;

impl Row {
    fn dtype(&self) -> Result<Dtype> {
        Dtype::new(self.dtype as u32)
    }

    fn planes(&self) -> impl Iterator<Item = u8> {
        self.planes.iter().copied().filter(|&plane| plane != 0)
    }
}

/// A component: its plane, its first sample there, the samples from one to the next.
const fn at(plane: u8, first: u8, step: u8) -> u8 {
    plane << 6 | first << 3 | step
}

/// Components of pixels of `step` samples; 9: none.
const fn pixel(step: u8, firsts: [u8; MOST]) -> [u8; MOST] {
    let mut out = [0; MOST];
    let mut k = 0;
    while k < MOST {
        if firsts[k] < 9 {
            out[k] = at(0, firsts[k], step);
        }
        k += 1;
    }
    out
}

const fn pixels(samples: u8) -> [u8; 3] {
    [samples, 0, 0]
}

const QUARTER: u8 = HALF_COLUMNS | HALF_ROWS;
/// Y, then pairs of U and V: 4:2:0, 4:2:2, 4:4:4.
const PAIRS_420: [u8; 3] = [1, 2 | QUARTER, 0];
const PAIRS_422: [u8; 3] = [1, 2 | HALF_COLUMNS, 0];
const PAIRS_444: [u8; 3] = [1, 2, 0];
/// Three planes: 4:2:0, 4:2:2, 4:4:4.
const THREE_420: [u8; 3] = [1, 1 | QUARTER, 1 | QUARTER];
const THREE_422: [u8; 3] = [1, 1 | HALF_COLUMNS, 1 | HALF_COLUMNS];
const THREE_444: [u8; 3] = [1, 1, 1];
/// Two pixels of four samples.
const TWO: [u8; 3] = [4 | HALF_COLUMNS, 0, 0];

const UV: [u8; 4] = [at(0, 0, 1), at(1, 0, 2), at(1, 1, 2), 0];
const VU: [u8; 4] = [at(0, 0, 1), at(1, 1, 2), at(1, 0, 2), 0];
const U_V: [u8; 4] = [at(0, 0, 1), at(1, 0, 1), at(2, 0, 1), 0];
const V_U: [u8; 4] = [at(0, 0, 1), at(2, 0, 1), at(1, 0, 1), 0];
const YUYV: [u8; 4] = [at(0, 0, 2), at(0, 1, 4), at(0, 3, 4), 0];
const YVYU: [u8; 4] = [at(0, 0, 2), at(0, 3, 4), at(0, 1, 4), 0];
const UYVY: [u8; 4] = [at(0, 1, 2), at(0, 0, 4), at(0, 2, 4), 0];
const VYUY: [u8; 4] = [at(0, 1, 2), at(0, 2, 4), at(0, 0, 4), 0];
const ONE: [u8; 4] = pixel(1, [0, 9, 9, 9]);

/// The formats: letters of the components, dtype, planes, components, and a text.
///
/// The text has the code itself and all codes that mean the same, each followed by the names that others have for it:
/// `d:` DRM's (DRM_FORMAT_...), `v:` V4L2's (V4L2_PIX_FMT_...), `f:` FFmpeg's. A `_` in a code is a space.
macro_rules! formats {
    ($($letters:literal $dtype:ident $planes:expr, $components:expr, $text:literal;)*) => {
        static ROWS: &[Row] = &[$(Row { dtype: Dtype::$dtype.code() as u8, planes: $planes, components: $components }),*];
        const TEXT: &str = concat!($($text, "\n"),*);
        /// What the components are. Only [`formats`] uses it.
        static LETTERS: &[&str] = &[$($letters),*];
    };
}

formats! {
    // Y, then U and V side by side.
    "YUV" U8 PAIRS_420, UV, "NV12 d:NV12 v:NV12 f:nv12";
    "YUV" U8 PAIRS_420, VU, "NV21 d:NV21 v:NV21 f:nv21";
    "YUV" U8 PAIRS_422, UV, "NV16 d:NV16 v:NV16 f:nv16";
    "YUV" U8 PAIRS_422, VU, "NV61 d:NV61 v:NV61";
    "YUV" U8 PAIRS_444, UV, "NV24 d:NV24 v:NV24 f:nv24";
    "YUV" U8 PAIRS_444, VU, "NV42 d:NV42 v:NV42 f:nv42";
    "YUV" U16 PAIRS_420, UV, "P010 d:P010 v:P010 f:p010le";
    "YUV" U16 PAIRS_420, UV, "P012 d:P012 v:P012 f:p012le";
    "YUV" U16 PAIRS_420, UV, "P016 d:P016 f:p016le";
    "YUV" U16 PAIRS_422, UV, "P210 d:P210 f:p210le";
    "YUV" U16 PAIRS_422, UV, "P212 f:p212le";
    "YUV" U16 PAIRS_422, UV, "P216 f:p216le";
    "YUV" U16 PAIRS_444, UV, "P410 f:p410le";
    "YUV" U16 PAIRS_444, UV, "P412 f:p412le";
    "YUV" U16 PAIRS_444, UV, "P416 f:p416le";
    // Three planes.
    "YUV" U8 THREE_420, U_V, "I420 f:yuv420p IYUV YU12 d:YUV420 v:YUV420 J420 f:yuvj420p";
    "YUV" U8 THREE_420, V_U, "YV12 d:YVU420 v:YVU420";
    "YUV" U8 THREE_422, U_V, "I422 f:yuv422p 422P v:YUV422P YU16 d:YUV422 Y42B J422 f:yuvj422p";
    "YUV" U8 THREE_422, V_U, "YV16 d:YVU422";
    "YUV" U8 THREE_444, U_V, "I444 f:yuv444p 444P YU24 d:YUV444 J444 f:yuvj444p";
    "YUV" U8 THREE_444, V_U, "YV24 d:YVU444";
    "YUV" U16 THREE_420, U_V, "I010 f:yuv420p10le S010 d:S010 I0AL";
    "YUV" U16 THREE_422, U_V, "I210 f:yuv422p10le S210 d:S210 I2AL";
    "YUV" U16 THREE_444, U_V, "S410 d:S410 f:yuv444p10le I4AL";
    "YUV" U16 THREE_420, U_V, "S012 d:S012 f:yuv420p12le I0CL";
    "YUV" U16 THREE_422, U_V, "S212 d:S212 f:yuv422p12le I2CL";
    "YUV" U16 THREE_444, U_V, "S412 d:S412 f:yuv444p12le I4CL";
    "YUV" U16 THREE_420, U_V, "S016 d:S016 f:yuv420p16le I0FL";
    "YUV" U16 THREE_422, U_V, "S216 d:S216 f:yuv422p16le";
    "YUV" U16 THREE_444, U_V, "S416 d:S416 f:yuv444p16le I4FL";
    "YUV" U16 THREE_444, U_V, "Q410 d:Q410 f:yuv444p10msble";
    "YUV" U16 THREE_444, V_U, "Q401 d:Q401";
    // Two pixels side by side.
    "YUV" U8 TWO, YUYV, "YUY2 f:yuyv422 YUYV d:YUYV v:YUYV YUNV yuvs";
    "YUV" U8 TWO, YVYU, "YVYU d:YVYU v:YVYU f:yvyu422";
    "YUV" U8 TWO, UYVY, "UYVY d:UYVY v:UYVY f:uyvy422 HDYC UYNV 2vuy";
    "YUV" U8 TWO, VYUY, "VYUY d:VYUY v:VYUY";
    "YUV" U16 TWO, YUYV, "Y210 d:Y210 v:Y210 f:y210le";
    "YUV" U16 TWO, YUYV, "Y212 d:Y212 v:Y212 f:y212le";
    "YUV" U16 TWO, YUYV, "Y216 d:Y216 v:Y216 f:y216le";
    // One pixel of Y, U and V.
    "YUVA" U8 pixels(4), pixel(4, [2, 1, 0, 3]), "AYUV d:AYUV f:vuya VUYA v:VUYA32";
    "YUV" U8 pixels(4), pixel(4, [2, 1, 0, 9]), "XYUV d:XYUV8888 f:vuyx VUYX v:VUYX32";
    "YUVA" U8 pixels(4), pixel(4, [0, 1, 2, 3]), "AVUY d:AVUY8888 YUVA v:YUVA32";
    "YUV" U8 pixels(4), pixel(4, [0, 1, 2, 9]), "XVUY d:XVUY8888 YUVX v:YUVX32";
    "YUVA" U8 pixels(4), pixel(4, [1, 2, 3, 0]), "y408 f:ayuv v:AYUV32";
    "YUVA" U8 pixels(4), pixel(4, [1, 0, 2, 3]), "v408 f:uyva";
    "YUV" U8 pixels(3), pixel(3, [0, 1, 2, 9]), "VU24 d:VUY888 YUV3 v:YUV24";
    "YUV" U8 pixels(3), pixel(3, [1, 2, 0, 9]), "v308 f:vyu444";
    "YUVA" U16 pixels(4), pixel(4, [1, 0, 2, 3]), "Y412 d:Y412";
    "YUVA" U16 pixels(4), pixel(4, [1, 0, 2, 3]), "Y416 d:Y416";
    "YUV" U16 pixels(4), pixel(4, [1, 0, 2, 9]), "XV36 d:XVYU12_16161616 f:xv36le";
    "YUV" U16 pixels(4), pixel(4, [1, 0, 2, 9]), "XV48 d:XVYU16161616 f:xv48le";
    "word" U32 pixels(1), ONE, "Y410 d:Y410";
    "word" U32 pixels(1), ONE, "XV30 d:XVYU2101010 f:xv30le";
    "word" U32 pixels(1), ONE, "v410 f:v30xle";
    // One and two kinds of samples.
    "Y" U8 pixels(1), ONE, "GREY v:GREY f:gray R8__ d:R8 Y800 Y8__";
    "Y" U16 pixels(1), ONE, "Y10_ v:Y10 f:gray10le R10_ d:R10";
    "Y" U16 pixels(1), ONE, "Y12_ v:Y12 f:gray12le R12_ d:R12";
    "Y" U16 pixels(1), ONE, "Y14_ v:Y14 f:gray14le";
    "Y" U16 pixels(1), ONE, "Y16_ v:Y16 f:gray16le R16_ d:R16 Z16_ v:Z16";
    "R" F16 pixels(1), ONE, "R__H d:R16F f:grayf16le";
    "R" F32 pixels(1), ONE, "R__F d:R32F f:grayf32le";
    "RG" U8 pixels(2), pixel(2, [0, 1, 9, 9]), "GR88 d:GR88";
    "RG" U8 pixels(2), pixel(2, [1, 0, 9, 9]), "RG88 d:RG88";
    "RG" U16 pixels(2), pixel(2, [0, 1, 9, 9]), "GR32 d:GR1616";
    "RG" U16 pixels(2), pixel(2, [1, 0, 9, 9]), "RG32 d:RG1616";
    "RG" F16 pixels(2), pixel(2, [0, 1, 9, 9]), "GR_H d:GR1616F";
    "RG" F32 pixels(2), pixel(2, [0, 1, 9, 9]), "GR_F d:GR3232F";
    // Red, green, blue, and what lies beside them.
    "RGB" U8 pixels(3), pixel(3, [0, 1, 2, 9]), "RGB3 v:RGB24 f:rgb24 BG24 d:BGR888";
    "RGB" U8 pixels(3), pixel(3, [2, 1, 0, 9]), "BGR3 v:BGR24 f:bgr24 RG24 d:RGB888";
    "RGBA" U8 pixels(4), pixel(4, [2, 1, 0, 3]), "AR24 d:ARGB8888 v:ABGR32 f:bgra BGRA";
    "RGB" U8 pixels(4), pixel(4, [2, 1, 0, 9]), "XR24 d:XRGB8888 v:XBGR32 f:bgr0";
    "RGBA" U8 pixels(4), pixel(4, [0, 1, 2, 3]), "AB24 d:ABGR8888 v:RGBA32 f:rgba";
    "RGB" U8 pixels(4), pixel(4, [0, 1, 2, 9]), "XB24 d:XBGR8888 v:RGBX32 f:rgb0";
    "RGBA" U8 pixels(4), pixel(4, [3, 2, 1, 0]), "RA24 d:RGBA8888 v:BGRA32 f:abgr";
    "RGB" U8 pixels(4), pixel(4, [3, 2, 1, 9]), "RX24 d:RGBX8888 v:BGRX32 f:0bgr";
    "RGBA" U8 pixels(4), pixel(4, [1, 2, 3, 0]), "BA24 d:BGRA8888 v:ARGB32 f:argb";
    "RGB" U8 pixels(4), pixel(4, [1, 2, 3, 9]), "BX24 d:BGRX8888 v:XRGB32 f:0rgb";
    "RGB" U16 pixels(3), pixel(3, [0, 1, 2, 9]), "RGB6 v:RGB48 f:rgb48le BG48 d:BGR161616";
    "RGB" U16 pixels(3), pixel(3, [2, 1, 0, 9]), "BGR6 v:BGR48 f:bgr48le RG48 d:RGB161616";
    "RGBA" U16 pixels(4), pixel(4, [2, 1, 0, 3]), "AR48 d:ARGB16161616 f:bgra64le";
    "RGB" U16 pixels(4), pixel(4, [2, 1, 0, 9]), "XR48 d:XRGB16161616";
    "RGBA" U16 pixels(4), pixel(4, [0, 1, 2, 3]), "AB48 d:ABGR16161616 f:rgba64le";
    "RGB" U16 pixels(4), pixel(4, [0, 1, 2, 9]), "XB48 d:XBGR16161616";
    "RGBA" U16 pixels(4), pixel(4, [0, 1, 2, 3]), "AB10 d:AXBXGXRX106106106106";
    "RGB" F16 pixels(3), pixel(3, [0, 1, 2, 9]), "BGRH d:BGR161616F f:rgbf16le";
    "RGBA" F16 pixels(4), pixel(4, [2, 1, 0, 3]), "AR4H d:ARGB16161616F";
    "RGB" F16 pixels(4), pixel(4, [2, 1, 0, 9]), "XR4H d:XRGB16161616F";
    "RGBA" F16 pixels(4), pixel(4, [0, 1, 2, 3]), "AB4H d:ABGR16161616F f:rgbaf16le";
    "RGB" F16 pixels(4), pixel(4, [0, 1, 2, 9]), "XB4H d:XBGR16161616F";
    "RGB" F32 pixels(3), pixel(3, [0, 1, 2, 9]), "BGRF d:BGR323232F f:rgbf32le";
    "RGBA" F32 pixels(4), pixel(4, [0, 1, 2, 3]), "AB8F d:ABGR32323232F f:rgbaf32le";
    // A pixel is a word.
    "word" U16 pixels(1), ONE, "RG16 d:RGB565 f:rgb565le v:SRGGB16 f:bayer_rggb16le RGBP v:RGB565";
    "word" U16 pixels(1), ONE, "BG16 d:BGR565 f:bgr565le";
    "word" U32 pixels(1), ONE, "AR30 d:ARGB2101010 v:ARGB2101010";
    "word" U32 pixels(1), ONE, "XR30 d:XRGB2101010 f:x2rgb10le";
    "word" U32 pixels(1), ONE, "AB30 d:ABGR2101010";
    "word" U32 pixels(1), ONE, "XB30 d:XBGR2101010 f:x2bgr10le";
    "word" U32 pixels(1), ONE, "RA30 d:RGBA1010102 v:RGBA1010102";
    "word" U32 pixels(1), ONE, "RX30 d:RGBX1010102 v:RGBX1010102";
    "word" U32 pixels(1), ONE, "BA30 d:BGRA1010102";
    "word" U32 pixels(1), ONE, "BX30 d:BGRX1010102";
    // Bayer patterns: a sample for each pixel.
    "word" U8 pixels(1), ONE, "BA81 v:SBGGR8 f:bayer_bggr8 GBRG v:SGBRG8 f:bayer_gbrg8 GRBG v:SGRBG8 f:bayer_grbg8 \
                               RGGB v:SRGGB8 f:bayer_rggb8";
    "word" U16 pixels(1), ONE, "BYR2 v:SBGGR16 f:bayer_bggr16le GB16 v:SGBRG16 f:bayer_gbrg16le GR16 v:SGRBG16 \
                                f:bayer_grbg16le BG10 v:SBGGR10 GB10 v:SGBRG10 BA10 v:SGRBG10 RG10 v:SRGGB10 \
                                BG12 v:SBGGR12 GB12 v:SGBRG12 BA12 v:SGRBG12 RG12 v:SRGGB12 BG14 v:SBGGR14 \
                                GB14 v:SGBRG14 GR14 v:SGRBG14 RG14 v:SRGGB14";
    // Samples that are not stored in whole bytes, four of them in five, three in four, and so on.
    "" U8 pixels(0), [10, 0, 0, 0], "NV15 d:NV15 v:NV15 NV20 d:NV20 v:NV20 NV30 d:NV30 P030 d:P030 v210 UYVP YUVP \
                                     Y10P v:Y10P Y10B v:Y10BPACK pBAA v:SBGGR10P pGAA v:SGBRG10P pgAA v:SGRBG10P \
                                     pRAA v:SRGGB10P";
    "" U8 pixels(0), [12, 0, 0, 0], "Y12P v:Y12P pBCC v:SBGGR12P pGCC v:SGBRG12P pgCC v:SGRBG12P pRCC v:SRGGB12P";
    "" U8 pixels(0), [14, 0, 0, 0], "Y14P v:Y14P pBEE v:SBGGR14P pGEE v:SGBRG14P pgEE v:SGRBG14P pREE v:SRGGB14P";
}

/// The number of up to four letters, padded with spaces; a `_` is a space.
const fn number(letters: &[u8]) -> u32 {
    let (mut out, mut k) = (0, 0);
    while k < 4 {
        let letter = if k < letters.len() && letters[k] != b'_' { letters[k] } else { b' ' };
        out |= (letter as u32) << (8 * k);
        k += 1;
    }
    out
}

/// How many codes `TEXT` has, the codes, and the row of each.
const fn codes<const N: usize>() -> (usize, [u32; N], [u8; N]) {
    let (text, mut begin, mut end) = (TEXT.as_bytes(), 0, 0);
    let (mut count, mut row, mut numbers, mut rows) = (0, 0, [0; N], [0; N]);
    while end < text.len() {
        if text[end] == b' ' || text[end] == b'\n' {
            if text[begin + 1] != b':' {
                if count < N {
                    let word = [text[begin], text[begin + 1], text[begin + 2], text[begin + 3]];
                    (numbers[count], rows[count]) = (number(&word), row);
                }
                count += 1;
            }
            begin = end + 1;
        }
        if text[end] == b'\n' {
            row += 1;
        }
        end += 1;
    }
    (count, numbers, rows)
}

const COUNT: usize = codes::<0>().0;
static CODES: [u32; COUNT] = codes::<COUNT>().1;
static ROW_OF: [u8; COUNT] = codes::<COUNT>().2;

/// The format of a code. INVALID_ARGUMENT for one that is not known; UNSUPPORTED for one whose samples are not stored
/// in whole bytes.
#[inline(never)] // has four callers
fn format_of(fourcc: u32) -> Result<&'static Row> {
    let place = CODES.iter().position(|&code| code == fourcc).and_then(|place| ROW_OF.get(place));
    let (status, detail, bits) = match place.and_then(|&row| ROWS.get(row as usize)) {
        Some(row) if row.planes[0] != 0 => return Ok(row),
        Some(row) => (Status::Unsupported, Detail::FourccPacked, row.components[0]),
        None => (Status::InvalidArgument, Detail::FourccUnknown, 0),
    };
    Err(status.of(Argument::Fourcc).because(detail, fourcc as i64, bits as i64))
}

/// A row of the list of formats, as docs/IMAGE_FORMATS.md shows it.
///
/// ```
/// use stride::vocabulary::images::formats;
/// let yv12 = formats().find(|format| format.fourcc == u32::from_le_bytes(*b"YV12")).unwrap();
/// assert_eq!((yv12.letters, yv12.words), ("YUV", "YV12 d:YVU420 v:YVU420"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The code after which the others are aliases.
    pub fourcc: u32,
    /// A letter for each component; "word" if a pixel is one number; nothing if the code is refused.
    pub letters: &'static str,
    /// Codes, in which `_` is a space, each followed by its names elsewhere: `d:` DRM's, `v:` V4L2's, `f:` FFmpeg's.
    pub words: &'static str,
}

/// All formats, including those that are refused by name.
///
/// ```
/// use stride::vocabulary::images::formats;
/// assert!(formats().count() > 40);
/// ```
pub fn formats() -> impl Iterator<Item = Format> {
    let rows = TEXT.lines().zip(LETTERS);
    rows.map(|(words, &letters)| Format { fourcc: number(words.get(..4).unwrap_or("").as_bytes()), letters, words })
}

/// The code of a name: its own letters ("NV12", "R8"), `DRM_FORMAT_` or `V4L2_PIX_FMT_` and what follows in the headers
/// of Linux, or FFmpeg's name of a format. PARSE for any other text.
///
/// ```
/// use stride::vocabulary::images::fourcc;
/// assert_eq!(fourcc("DRM_FORMAT_YUV420"), Ok(u32::from_le_bytes(*b"YU12")));
/// assert_eq!(fourcc("yuv420p10le"), Ok(u32::from_le_bytes(*b"I010")));
/// assert_eq!(fourcc("R8"), Ok(u32::from_le_bytes(*b"R8  ")));
/// ```
pub fn fourcc(name: impl AsRef<[u8]>) -> Result<u32> {
    let text = name.as_ref();
    let (list, name) = if let Some(name) = text.strip_prefix(b"DRM_FORMAT_") {
        (b'd', name)
    } else if let Some(name) = text.strip_prefix(b"V4L2_PIX_FMT_") {
        (b'v', name)
    } else {
        let code = number(text);
        if text.len() <= 4 && !text.contains(&b'_') && CODES.contains(&code) {
            return Ok(code);
        }
        (b'f', text)
    };
    let mut code = 0;
    for word in TEXT.as_bytes().split(|byte| byte.is_ascii_whitespace()) {
        match word {
            [of, b':', rest @ ..] if *of == list && rest == name => return Ok(code),
            [_, b':', ..] => {}
            _ => code = number(word),
        }
    }
    Err(Status::Parse.of(Argument::Text).position(0).because(Detail::Name, 2, 0))
}

/// How many planes a format has.
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
    /// Where row 0 of each plane begins, in bytes from the pointer; empty: planes follow each other.
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
    layouts: ArrayVec<LayoutBuf, MOST>,
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

/// Where a plane lies: a layout {rows, columns, samples}.
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

/// Bytes from row to row: as given for the plane, or the least that is allowed, for rows of `row_bytes` and a multiple
/// of `unit`.
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
fn place(request: &Request<'_>, places: &mut [Place; MOST]) -> Result<(&'static Row, Image)> {
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
fn check_apart(dtype: Dtype, places: &[Place; MOST]) -> Result<()> {
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
/// assert_eq!(planes(&image)?.layouts()[1].to_string(), "u8[2,3,2] strides [8,2,1] offset 32"); // U and V by turns
/// # Ok::<(), stride::Error>(())
/// ```
#[inline(never)] // has four callers
pub fn planes(request: &Request<'_>) -> Result<Image> {
    let mut places = [Place::default(); MOST];
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
    let mut places = [Place::default(); MOST];
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
    fn no_code_and_no_name_stands_for_two() {
        let mut seen = std::collections::BTreeSet::new();
        for format in formats() {
            let mut code = 0;
            for word in format.words.split(' ') {
                assert!(seen.insert(word), "{word} twice");
                let (prefix, name) = match word.split_once(':') {
                    None => {
                        code = number(word.as_bytes());
                        assert_eq!((word.len(), fourcc(word.replace('_', " "))), (4, Ok(code)));
                        continue;
                    }
                    Some(("d", name)) => ("DRM_FORMAT_", name),
                    Some(("v", name)) => ("V4L2_PIX_FMT_", name),
                    Some(("f", name)) => ("", name),
                    Some(_) => panic!("{word}"),
                };
                assert_eq!(fourcc(std::format!("{prefix}{name}")), Ok(code), "{word}");
            }
        }
        assert!(LETTERS.len() == ROWS.len() && ROWS.len() <= u8::MAX as usize && size_of::<Row>() == 8);
        for text in [
            "",
            "nv99",
            "NV1",
            "R8__",
            "R8   ",
            "DRM_FORMAT_",
            "DRM_FORMAT_nv12",
            "V4L2_PIX_FMT_R8",
            "yuv420",
            "d:NV12",
        ] {
            let error = fourcc(text).unwrap_err();
            assert_eq!((error.status, error.detail, error.lhs), (Status::Parse, Detail::Name, 2), "{text}");
        }
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
        // Y in bytes -12 ... 3, and UV behind it: upward from 4, downward from 8.
        assert_eq!(offsets(&Request { pitches: &[-4, 4], ..nv12 }), (std::vec![(0, -4), (4, 4)], 24));
        assert_eq!(offsets(&Request { pitches: &[-4, -4], ..nv12 }), (std::vec![(0, -4), (8, -4)], 24));
        assert_eq!(offsets(&Request { pitches: &[4, -4], ..nv12 }), (std::vec![(0, 4), (20, -4)], 24));
        // From the start of the buffer, planes the other way round.
        let placed = Request { pitches: &[-4, -4], offsets: &[20, 4], ..nv12 };
        assert_eq!(offsets(&placed), (std::vec![(20, -4), (4, -4)], 24));
        // All planes behind the pointer: the bytes before them count. All before it: the bytes behind them count.
        assert_eq!(offsets(&Request { offsets: &[100, 200], ..nv12 }).1, 208);
        assert_eq!(offsets(&Request { offsets: &[-100, -200], ..nv12 }).1, 200 - 84);
        // U and V in the two halves of the rows of one plane.
        let halves = Request { pitches: &[8, 8, 8], offsets: &[0, 32, 36], ..request(b"I420", 8, 4, 1) };
        assert_eq!(offsets(&halves).0, [(0, 8), (32, 8), (36, 8)]);
        let shared = planes(&Request { offsets: &[0, 32, 35], ..halves }).unwrap_err();
        assert_eq!((shared.status, shared.dimension, shared.lhs, shared.rhs), (Status::Overlap, 2, 1, 2));
    }
}
