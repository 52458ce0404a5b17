//! Floats that become floats of another width by one instruction, by the rules of conversions, with NaNs too. F16C,
//! which the level AVX2 includes, rounds to nearest even whatever the caller's rounding is, and keeps subnormals.
//!
//! Two registers of f32 become one of f16, which is stored: the form that converts into memory takes twice as long.

use crate::copy::conversion::{Kind, Steps};
use crate::copy::loops::Loop;
use core::arch::x86_64::*;

/// Converts runs from f32 to f16, from f16 to f32, and from f64 to f32, without arithmetic. `false` for all others.
///
/// # Safety
/// K1 and K3, as [`Convert`](super::super::number_runs::Convert) says; K1 is F16C, and AVX-512 if `WIDE`.
#[inline(always)]
pub(super) unsafe fn convert<const WIDE: bool>(
    to: *mut u8,
    from: *const u8,
    count: usize,
    runs: &Loop,
    steps: &Steps,
) -> bool {
    const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
    let wide = usize::from(WIDE);
    // Numbers that are converted at once.
    let step = match (steps.src, steps.dst, steps.flags) {
        _ if cfg!(miri) => return false,
        (Kind::F32, Kind::F16, 0) => 16 << wide,
        (Kind::F16, Kind::F32, 0) => 8,
        (Kind::F64, Kind::F32, 0) => 4 << wide,
        _ => return false,
    };
    let whole = count & !(step - 1);
    for run in 0..runs.count as isize {
        let (to, from) = (to.wrapping_offset(run * runs.dst as isize), from.wrapping_offset(run * runs.src as isize));
        // SAFETY: K1: F16C, and AVX-512 if `WIDE`; K3: numbers of both sides, some and then one at a time.
        unsafe {
            match steps.src {
                Kind::F32 => {
                    let from = from.cast::<f32>();
                    for i in (0..whole).step_by(step) {
                        let (to, from) = (to.wrapping_add(2 * i), from.wrapping_add(i));
                        if WIDE {
                            let half =
                                |k: usize| _mm512_cvtps_ph::<NEAREST>(_mm512_loadu_ps(from.wrapping_add(16 * k)));
                            let both = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(0)), half(1));
                            _mm512_storeu_si512(to.cast(), both);
                        } else {
                            let half = |k: usize| _mm256_cvtps_ph::<NEAREST>(_mm256_loadu_ps(from.wrapping_add(8 * k)));
                            _mm256_storeu_si256(to.cast(), _mm256_set_m128i(half(1), half(0)));
                        }
                    }
                    for i in whole..count {
                        let one = _mm_set_ss(from.wrapping_add(i).read_unaligned());
                        _mm_storeu_si16(to.wrapping_add(2 * i), _mm_cvtps_ph::<NEAREST>(one));
                    }
                }
                Kind::F16 => {
                    let to = to.cast::<f32>();
                    for i in (0..whole).step_by(step) {
                        let eight = _mm_loadu_si128(from.wrapping_add(2 * i).cast());
                        _mm256_storeu_ps(to.wrapping_add(i), _mm256_cvtph_ps(eight));
                    }
                    for i in whole..count {
                        let one = _mm_loadu_si16(from.wrapping_add(2 * i));
                        to.wrapping_add(i).write_unaligned(_mm_cvtss_f32(_mm_cvtph_ps(one)));
                    }
                }
                _ => {
                    let (to, from) = (to.cast::<f32>(), from.cast::<f64>());
                    for i in (0..whole).step_by(step) {
                        let (to, from) = (to.wrapping_add(i), from.wrapping_add(i));
                        if WIDE {
                            _mm256_storeu_ps(to, _mm512_cvtpd_ps(_mm512_loadu_pd(from)));
                        } else {
                            _mm_storeu_ps(to, _mm256_cvtpd_ps(_mm256_loadu_pd(from)));
                        }
                    }
                    for i in whole..count {
                        let one = _mm_cvtsd_ss(_mm_setzero_ps(), _mm_set_sd(from.wrapping_add(i).read_unaligned()));
                        to.wrapping_add(i).write_unaligned(_mm_cvtss_f32(one));
                    }
                }
            }
        }
    }
    true
}
