//! The list of formats (`formats!`), which docs/IMAGE_FORMATS.md shows: one row for each.
//!
//! A row has eight bytes; one text has every code and name of all rows.

use crate::error::Result;
use crate::model::Dtype;

/// The most planes and the most components that an image has.
pub const MOST_PLANES: usize = 4;

/// Planes and components of a format. A plane is its samples of a column, with `HALF_COLUMNS` and `HALF_ROWS`; 0: none.
/// A component is made by `at`; 0: none. A format without planes has samples that are not stored in whole bytes, and
/// the first component is their number of bits.
pub(super) struct Row {
    dtype: u8,
    pub planes: [u8; 3],
    pub components: [u8; MOST_PLANES],
}

pub(super) const HALF_COLUMNS: u8 = 8;
pub(super) const HALF_ROWS: u8 = 16;

impl Row {
    pub fn dtype(&self) -> Result<Dtype> {
        Dtype::new(self.dtype as u32)
    }

    pub fn planes(&self) -> impl Iterator<Item = u8> {
        self.planes.iter().copied().filter(|&plane| plane != 0)
    }
}

/// A component: its plane, its first sample there, the samples from one to the next.
const fn at(plane: u8, first: u8, step: u8) -> u8 {
    plane << 6 | first << 3 | step
}

/// Components of pixels of `step` samples; 9: none.
const fn pixel(step: u8, firsts: [u8; MOST_PLANES]) -> [u8; MOST_PLANES] {
    let mut out = [0; MOST_PLANES];
    let mut k = 0;
    while k < MOST_PLANES {
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
        pub(super) static ROWS: &[Row] =
            &[$(Row { dtype: Dtype::$dtype.code() as u8, planes: $planes, components: $components }),*];
        pub(super) const TEXT: &str = concat!($($text, "\n"),*);
        /// The letters of the components. Only [`formats`](super::formats) uses them.
        pub(super) static LETTERS: &[&str] = &[$($letters),*];
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
