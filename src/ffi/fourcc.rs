//! Codes of images
//!
//! An image format is a FourCC: four characters, the first in the low byte. docs/IMAGE_FORMATS.md lists them all, with
//! their names in DRM, V4L2 and FFmpeg and the order of the samples in memory. If V4L2 and DRM mean different orders by
//! the same letters, DRM's counts. Other codes for the same format are accepted: 'YU12' for I420. Samples have this
//! machine's byte order; there are no codes for big-endian formats. Formats whose samples do not lie in whole bytes
//! ('NV15', 'P030', 'v210', 'UYVP') are known, and refused by name. Sources: videodev2.h and drm_fourcc.h of Linux,
//! pixdesc.c and raw_pix_fmt_tags.h of FFmpeg, fourcc.org.
//!
//! Example: the code of a name, and of FFmpeg's word for it.
//!
//!   uint32_t fourcc;
//!   stride_image_fourcc("DRM_FORMAT_NV12", 15, &fourcc, NULL);
//!   assert(fourcc == STRIDE_FOURCC_NV12);
//!   stride_image_fourcc("yuv420p10le", 11, &fourcc, NULL);
//!   assert(fourcc == STRIDE_FOURCC_I010);

use super::boundary::{Output, text_in};
use super::status::{report, stride_error, stride_status};
use crate::error::Argument;
use crate::vocabulary::images;
use core::ffi::c_char;

/// 'NV12': 8-bit Y, then U and V side by side, half the columns and rows.
pub const STRIDE_FOURCC_NV12: u32 = 0x3231_564E;
/// 'NV21': as NV12 with V before U.
pub const STRIDE_FOURCC_NV21: u32 = 0x3132_564E;
/// 'NV16': as NV12 with all rows.
pub const STRIDE_FOURCC_NV16: u32 = 0x3631_564E;
/// 'NV61': as NV21 with all rows.
pub const STRIDE_FOURCC_NV61: u32 = 0x3136_564E;
/// 'NV24': as NV12 with all columns and rows.
pub const STRIDE_FOURCC_NV24: u32 = 0x3432_564E;
/// 'NV42': as NV21 with all columns and rows.
pub const STRIDE_FOURCC_NV42: u32 = 0x3234_564E;
/// 'P010': as NV12 with 16-bit samples, whose high 10 bits count.
pub const STRIDE_FOURCC_P010: u32 = 0x3031_3050;
/// 'P012': as P010, 12 bits.
pub const STRIDE_FOURCC_P012: u32 = 0x3231_3050;
/// 'P016': as P010, 16 bits.
pub const STRIDE_FOURCC_P016: u32 = 0x3631_3050;
/// 'P210': as P010 with all rows.
pub const STRIDE_FOURCC_P210: u32 = 0x3031_3250;
/// 'P212': as P210, 12 bits.
pub const STRIDE_FOURCC_P212: u32 = 0x3231_3250;
/// 'P216': as P210, 16 bits.
pub const STRIDE_FOURCC_P216: u32 = 0x3631_3250;
/// 'P410': as P010 with all columns and rows.
pub const STRIDE_FOURCC_P410: u32 = 0x3031_3450;
/// 'P412': as P410, 12 bits.
pub const STRIDE_FOURCC_P412: u32 = 0x3231_3450;
/// 'P416': as P410, 16 bits.
pub const STRIDE_FOURCC_P416: u32 = 0x3631_3450;
/// 'I420': 8-bit Y, U, V, half the columns and rows; 'IYUV' and 'YU12' are the same.
pub const STRIDE_FOURCC_I420: u32 = 0x3032_3449;
/// 'YV12': as I420 with V before U.
pub const STRIDE_FOURCC_YV12: u32 = 0x3231_5659;
/// 'I422': as I420 with all rows; '422P' and 'YU16' are the same.
pub const STRIDE_FOURCC_I422: u32 = 0x3232_3449;
/// 'YV16': as YV12 with all rows.
pub const STRIDE_FOURCC_YV16: u32 = 0x3631_5659;
/// 'I444': as I420 with all columns and rows; 'YU24' is the same.
pub const STRIDE_FOURCC_I444: u32 = 0x3434_3449;
/// 'YV24': as YV12 with all columns and rows.
pub const STRIDE_FOURCC_YV24: u32 = 0x3432_5659;
/// 'I010': as I420 with 16-bit samples, whose low 10 bits count; 'S010' is the same.
pub const STRIDE_FOURCC_I010: u32 = 0x3031_3049;
/// 'I210': as I010 with all rows; 'S210' is the same.
pub const STRIDE_FOURCC_I210: u32 = 0x3031_3249;
/// 'S410': as I010 with all columns and rows.
pub const STRIDE_FOURCC_S410: u32 = 0x3031_3453;
/// 'S012': as I010, 12 bits.
pub const STRIDE_FOURCC_S012: u32 = 0x3231_3053;
/// 'S212': as I210, 12 bits.
pub const STRIDE_FOURCC_S212: u32 = 0x3231_3253;
/// 'S412': as S410, 12 bits.
pub const STRIDE_FOURCC_S412: u32 = 0x3231_3453;
/// 'S016': as I010, 16 bits.
pub const STRIDE_FOURCC_S016: u32 = 0x3631_3053;
/// 'S216': as I210, 16 bits.
pub const STRIDE_FOURCC_S216: u32 = 0x3631_3253;
/// 'S416': as S410, 16 bits.
pub const STRIDE_FOURCC_S416: u32 = 0x3631_3453;
/// 'Q410': as S410, but the high 10 bits count.
pub const STRIDE_FOURCC_Q410: u32 = 0x3031_3451;
/// 'Q401': as Q410 with V before U.
pub const STRIDE_FOURCC_Q401: u32 = 0x3130_3451;
/// 'YUY2': Y U Y V for two pixels; 'YUYV' is the same.
pub const STRIDE_FOURCC_YUY2: u32 = 0x3259_5559;
/// 'YVYU': Y V Y U for two pixels.
pub const STRIDE_FOURCC_YVYU: u32 = 0x5559_5659;
/// 'UYVY': U Y V Y for two pixels.
pub const STRIDE_FOURCC_UYVY: u32 = 0x5956_5955;
/// 'VYUY': V Y U Y for two pixels.
pub const STRIDE_FOURCC_VYUY: u32 = 0x5955_5956;
/// 'Y210': as YUY2 with 16-bit samples, whose high 10 bits count.
pub const STRIDE_FOURCC_Y210: u32 = 0x3031_3259;
/// 'Y212': as Y210, 12 bits.
pub const STRIDE_FOURCC_Y212: u32 = 0x3231_3259;
/// 'Y216': as Y210, 16 bits.
pub const STRIDE_FOURCC_Y216: u32 = 0x3631_3259;
/// 'AYUV': bytes V U Y A in memory (DRM and Microsoft; V4L2 means A Y U V by these letters, and V U Y A by 'VUYA').
pub const STRIDE_FOURCC_AYUV: u32 = 0x5655_5941;
/// 'XYUV': bytes V U Y X in memory (DRM; V4L2 means X Y U V by these letters, and V U Y X by 'VUYX').
pub const STRIDE_FOURCC_XYUV: u32 = 0x5655_5958;
/// 'AVUY': bytes Y U V A in memory (V4L2's 'YUVA').
pub const STRIDE_FOURCC_AVUY: u32 = 0x5955_5641;
/// 'XVUY': bytes Y U V X in memory (V4L2's 'YUVX').
pub const STRIDE_FOURCC_XVUY: u32 = 0x5955_5658;
/// 'y408': bytes A Y U V in memory (V4L2's AYUV32).
pub const STRIDE_FOURCC_Y408: u32 = 0x3830_3479;
/// 'v408': bytes U Y V A in memory.
pub const STRIDE_FOURCC_V408: u32 = 0x3830_3476;
/// 'VU24': bytes Y U V in memory (V4L2's 'YUV3').
pub const STRIDE_FOURCC_VU24: u32 = 0x3432_5556;
/// 'v308': bytes V Y U in memory.
pub const STRIDE_FOURCC_V308: u32 = 0x3830_3376;
/// 'Y412': 16-bit U Y V A in memory, whose high 12 bits count.
pub const STRIDE_FOURCC_Y412: u32 = 0x3231_3459;
/// 'Y416': as Y412, 16 bits.
pub const STRIDE_FOURCC_Y416: u32 = 0x3631_3459;
/// 'XV36': as Y412 without A.
pub const STRIDE_FOURCC_XV36: u32 = 0x3633_5658;
/// 'XV48': as Y416 without A.
pub const STRIDE_FOURCC_XV48: u32 = 0x3834_5658;
/// 'Y410': a 32-bit word for each pixel, from its low bits U, Y, V of 10 bits, A of 2.
pub const STRIDE_FOURCC_Y410: u32 = 0x3031_3459;
/// 'XV30': as Y410 without A.
pub const STRIDE_FOURCC_XV30: u32 = 0x3033_5658;
/// 'v410': a 32-bit word for each pixel, 2 unused bits, then U, Y, V of 10 bits.
pub const STRIDE_FOURCC_V410: u32 = 0x3031_3476;
/// 'GREY': 8-bit Y; 'Y800', 'Y8' and DRM's 'R8' are the same.
pub const STRIDE_FOURCC_GREY: u32 = 0x5945_5247;
/// 'Y10 ': 16-bit Y, whose low 10 bits count; DRM's 'R10' is the same.
pub const STRIDE_FOURCC_Y10: u32 = 0x2030_3159;
/// 'Y12 ': as Y10, 12 bits; DRM's 'R12' is the same.
pub const STRIDE_FOURCC_Y12: u32 = 0x2032_3159;
/// 'Y14 ': as Y10, 14 bits.
pub const STRIDE_FOURCC_Y14: u32 = 0x2034_3159;
/// 'Y16 ': as Y10, 16 bits; DRM's 'R16' and V4L2's depth 'Z16' are the same.
pub const STRIDE_FOURCC_Y16: u32 = 0x2036_3159;
/// 'R  H': f16 R.
pub const STRIDE_FOURCC_R16F: u32 = 0x4820_2052;
/// 'R  F': f32 R.
pub const STRIDE_FOURCC_R32F: u32 = 0x4620_2052;
/// 'GR88': bytes R G in memory.
pub const STRIDE_FOURCC_GR88: u32 = 0x3838_5247;
/// 'RG88': bytes G R in memory.
pub const STRIDE_FOURCC_RG88: u32 = 0x3838_4752;
/// 'GR32': 16-bit R G in memory.
pub const STRIDE_FOURCC_GR32: u32 = 0x3233_5247;
/// 'RG32': 16-bit G R in memory.
pub const STRIDE_FOURCC_RG32: u32 = 0x3233_4752;
/// 'GR H': f16 R G in memory.
pub const STRIDE_FOURCC_GR1616F: u32 = 0x4820_5247;
/// 'GR F': f32 R G in memory.
pub const STRIDE_FOURCC_GR3232F: u32 = 0x4620_5247;
/// 'RGB3': bytes R G B in memory (V4L2's RGB24, DRM's BGR888 'BG24').
pub const STRIDE_FOURCC_RGB24: u32 = 0x3342_4752;
/// 'BGR3': bytes B G R in memory (V4L2's BGR24, DRM's RGB888 'RG24').
pub const STRIDE_FOURCC_BGR24: u32 = 0x3352_4742;
/// 'AR24': bytes B G R A in memory (V4L2's ABGR32, DRM's ARGB8888; 'BGRA' elsewhere).
pub const STRIDE_FOURCC_BGRA: u32 = 0x3432_5241;
/// 'XR24': bytes B G R X in memory.
pub const STRIDE_FOURCC_XR24: u32 = 0x3432_5258;
/// 'AB24': bytes R G B A in memory.
pub const STRIDE_FOURCC_AB24: u32 = 0x3432_4241;
/// 'XB24': bytes R G B X in memory.
pub const STRIDE_FOURCC_XB24: u32 = 0x3432_4258;
/// 'RA24': bytes A B G R in memory.
pub const STRIDE_FOURCC_RA24: u32 = 0x3432_4152;
/// 'RX24': bytes X B G R in memory.
pub const STRIDE_FOURCC_RX24: u32 = 0x3432_5852;
/// 'BA24': bytes A R G B in memory.
pub const STRIDE_FOURCC_BA24: u32 = 0x3432_4142;
/// 'BX24': bytes X R G B in memory.
pub const STRIDE_FOURCC_BX24: u32 = 0x3432_5842;
/// 'RGB6': 16-bit R G B in memory (V4L2's RGB48, DRM's BGR161616 'BG48').
pub const STRIDE_FOURCC_RGB6: u32 = 0x3642_4752;
/// 'BGR6': 16-bit B G R in memory (V4L2's BGR48, DRM's RGB161616 'RG48').
pub const STRIDE_FOURCC_BGR6: u32 = 0x3652_4742;
/// 'AR48': 16-bit B G R A in memory.
pub const STRIDE_FOURCC_AR48: u32 = 0x3834_5241;
/// 'XR48': 16-bit B G R X in memory.
pub const STRIDE_FOURCC_XR48: u32 = 0x3834_5258;
/// 'AB48': 16-bit R G B A in memory.
pub const STRIDE_FOURCC_AB48: u32 = 0x3834_4241;
/// 'XB48': 16-bit R G B X in memory.
pub const STRIDE_FOURCC_XB48: u32 = 0x3834_4258;
/// 'AB10': as AB48, but the high 10 bits of a sample count.
pub const STRIDE_FOURCC_AB10: u32 = 0x3031_4241;
/// 'BGRH': f16 R G B in memory (DRM's BGR161616F; V4L2 means 18 bits for each pixel by these letters).
pub const STRIDE_FOURCC_BGRH: u32 = 0x4852_4742;
/// 'AR4H': f16 B G R A in memory.
pub const STRIDE_FOURCC_AR4H: u32 = 0x4834_5241;
/// 'XR4H': f16 B G R X in memory.
pub const STRIDE_FOURCC_XR4H: u32 = 0x4834_5258;
/// 'AB4H': f16 R G B A in memory, 64 bits (DRM's ABGR16161616F).
pub const STRIDE_FOURCC_RGBA64F: u32 = 0x4834_4241;
/// 'XB4H': f16 R G B X in memory.
pub const STRIDE_FOURCC_XB4H: u32 = 0x4834_4258;
/// 'BGRF': f32 R G B in memory (DRM's BGR323232F).
pub const STRIDE_FOURCC_BGRF: u32 = 0x4652_4742;
/// 'AB8F': f32 R G B A in memory (DRM's ABGR32323232F).
pub const STRIDE_FOURCC_AB8F: u32 = 0x4638_4241;
/// 'RG16': a 16-bit word for each pixel, R:G:B of 5:6:5 bits, R in the high ones (V4L2's RGB565 'RGBP'; V4L2 means
/// Bayer samples of 16 bits by these letters, which lie in the same places).
pub const STRIDE_FOURCC_RG16: u32 = 0x3631_4752;
/// 'BG16': as RG16 with B in the high bits.
pub const STRIDE_FOURCC_BG16: u32 = 0x3631_4742;
/// 'AR30': a 32-bit word for each pixel, A:R:G:B of 2:10:10:10 bits, A in the high ones.
pub const STRIDE_FOURCC_AR30: u32 = 0x3033_5241;
/// 'XR30': as AR30 without A.
pub const STRIDE_FOURCC_XR30: u32 = 0x3033_5258;
/// 'AB30': as AR30, A:B:G:R.
pub const STRIDE_FOURCC_AB30: u32 = 0x3033_4241;
/// 'XB30': as AB30 without A.
pub const STRIDE_FOURCC_XB30: u32 = 0x3033_4258;
/// 'RA30': as AR30, R:G:B:A of 10:10:10:2 bits.
pub const STRIDE_FOURCC_RA30: u32 = 0x3033_4152;
/// 'RX30': as RA30 without A.
pub const STRIDE_FOURCC_RX30: u32 = 0x3033_5852;
/// 'BA30': as RA30, B:G:R:A.
pub const STRIDE_FOURCC_BA30: u32 = 0x3033_4142;
/// 'BX30': as BA30 without A.
pub const STRIDE_FOURCC_BX30: u32 = 0x3033_5842;
/// 'BA81': a byte for each pixel, Bayer's pattern; 'GBRG', 'GRBG' and 'RGGB' differ in the pattern only.
pub const STRIDE_FOURCC_SBGGR8: u32 = 0x3138_4142;
/// 'BYR2': a 16-bit sample for each pixel, Bayer's pattern; so are 'GB16', 'GR16' and those of 10, 12, 14 bits.
pub const STRIDE_FOURCC_SBGGR16: u32 = 0x3252_5942;

/// The code of a name: its own letters ("NV12"; "R8", whose two spaces may be left out), a name of the Linux headers
/// with DRM_FORMAT_ or V4L2_PIX_FMT_ ("V4L2_PIX_FMT_ABGR32"), or FFmpeg's name ("yuv420p10le").
///
/// Arrays: text[length].
///
/// Returns: PARSE (no known format has this name); INVALID_ARGUMENT (a length that no text has).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_image_fourcc(
    text: *const c_char,
    length: u64,
    fourcc: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let text = text_in(text, length)?;
        let fourcc = Output::new(fourcc, Argument::Fourcc)?;
        fourcc.write(images::fourcc(text)?);
    })
}
