//! Single numbers in other forms: floats widened, narrowed and rounded, integers as floats and floats as integers.

/// The sum of a number without a fraction, or cut to one, and another; NaN counts as 0.
#[inline(never)]
pub(super) fn sum_of(x: f64, add: f64, least: i128, most: i128) -> i64 {
    (x as i128).saturating_add(add as i128).max(least).min(most) as i64
}

/// An integer as an f32 and as an f64; the f32 odd where it is not exact, if it is on its way to fewer bits.
#[inline(never)]
pub(super) fn floats_of(x: i64, unsigned: bool, small: bool) -> (f32, f64) {
    let (narrow, wide) = if unsigned { (x as u64 as f32, x as u64 as f64) } else { (x as f32, x as f64) };
    (if small { f32::from_bits(odd_of_i64(x, unsigned)) } else { narrow }, wide)
}

/// An f32 as bits; a NaN becomes quiet.
#[inline(always)]
pub(super) fn quiet(bits: u32) -> f32 {
    f32::from_bits(if bits & 0x7FFF_FFFF > 0x7F80_0000 { bits | 0x0040_0000 } else { bits })
}

/// The value of an f16. A subnormal is what its bits add to the least normal number.
#[inline(always)]
pub(super) fn of_f16(bits: u16) -> f32 {
    const LEAST: u32 = 113 << 23;
    let (sign, all) = ((bits as u32 & 0x8000) << 16, (bits as u32 & 0x7FFF) << 13);
    let subnormal = (f32::from_bits(all + LEAST) - f32::from_bits(LEAST)).to_bits();
    let normal = all + (112 << 23);
    let special = all | 0x7F80_0000;
    let value = if all < 1 << 23 { subnormal } else { normal };
    quiet(sign | if all < 0x1F << 23 { value } else { special })
}

/// The value of an f8e4m3fn.
#[inline(always)]
pub(super) fn of_e4m3fn(bits: u8) -> f32 {
    const LEAST: u32 = 121 << 23;
    let (sign, all) = ((bits as u32 & 0x80) << 24, (bits as u32 & 0x7F) << 20);
    let subnormal = (f32::from_bits(all + LEAST) - f32::from_bits(LEAST)).to_bits();
    let value = if all < 1 << 23 { subnormal } else { all + (120 << 23) };
    f32::from_bits(sign | if all == 0x7F << 20 { 0x7FC0_0000 } else { value })
}

/// The bits of a float with so many bits of mantissa and such a bias, rounded to nearest even, from those of an f32.
/// Below the least normal number the sum with a number whose last place is that of the subnormals rounds.
#[inline(always)]
pub(super) fn narrowed<const MANTISSA: u32, const BIAS: u32>(bits: u32, less: u32) -> u32 {
    let (shift, exponents) = (23 - MANTISSA, if BIAS == 7 { 4 } else { 5 });
    let (sign, all) = (bits >> 31 << (MANTISSA + exponents), bits & 0x7FFF_FFFF);
    let odd = all >> shift & 1;
    let normal = all.wrapping_sub((127 - BIAS) << 23).wrapping_add((1 << (shift - 1)) - 1 + odd) >> shift;
    let place = (127 - BIAS + 1 + shift) << 23;
    let subnormal = (f32::from_bits(all) + f32::from_bits(place)).to_bits().wrapping_sub(place);
    let rounded = if all < (128 - BIAS) << 23 { subnormal } else { normal };
    // Infinity, or of f8e4m3fn NaN. `less` is 1 if it is to be the largest finite number, else 0.
    let over = if BIAS == 7 { 0x7F } else { 31 << MANTISSA };
    let number = rounded.min(over - less);
    let nan = if BIAS == 7 { over } else { over | 1 << (MANTISSA - 1) | all >> shift & ((1 << MANTISSA) - 1) };
    sign | if all > 0x7F80_0000 { nan } else { number }
}

/// The bits of a bf16, rounded to nearest even, from those of an f32; `less` as in [`narrowed`].
#[inline(always)]
pub(super) fn bf16(bits: u32, less: u32) -> u16 {
    let rounded = bits.wrapping_add(0x7FFF + (bits >> 16 & 1)) >> 16;
    let finite = rounded & 0x8000 | (rounded & 0x7FFF).min(0x7F7F);
    let number = if less == 0 { rounded } else { finite };
    (if bits << 1 > 0xFF << 24 { bits >> 16 | 0x40 } else { number }) as u16
}

/// The bits of an f32 that is odd where it is not exact. Rounded again to fewer bits, it is what one rounding makes.
#[inline(always)]
pub(super) fn odd_of_f64(x: f64) -> u32 {
    let near = x as f32;
    let (bits, back) = (near.to_bits(), near as f64);
    let odd = bits.wrapping_sub((back.abs() > x.abs()) as u32) | 1;
    if x.is_nan() {
        nan_of_f64(x)
    } else if back == x {
        bits
    } else {
        odd
    }
}

/// [`odd_of_f64`] for an integer.
#[inline(always)]
fn odd_of_i64(x: i64, unsigned: bool) -> u32 {
    let negative = !unsigned && x < 0;
    let size = if unsigned { x as u64 } else { x.unsigned_abs() };
    if size == 0 {
        return 0;
    }
    let zeros = size.leading_zeros();
    let bits = size << zeros;
    let mantissa = (bits >> 40) as u32 | (bits << 24 != 0) as u32;
    (negative as u32) << 31 | (127 + 63 - zeros) << 23 | mantissa & 0x7F_FFFF
}

#[inline(always)]
fn nan_of_f64(x: f64) -> u32 {
    let bits = x.to_bits();
    ((bits >> 32) as u32 & 0x8000_0000) | 0x7FC0_0000 | (bits >> 29) as u32 & 0x3F_FFFF
}

#[inline(always)]
pub(super) fn f32_of_f64(x: f64) -> f32 {
    if x.is_nan() { f32::from_bits(nan_of_f64(x)) } else { x as f32 }
}

#[inline(always)]
pub(super) fn widened(x: f32) -> f64 {
    let bits = x.to_bits() as u64;
    let nan = (bits & 0x8000_0000) << 32 | 0x7FF8 << 48 | (bits & 0x3F_FFFF) << 29;
    if x.is_nan() { f64::from_bits(nan) } else { x as f64 }
}

/// The integer toward zero between two that i32 and f32 have; NaN is 0. (`as` has no vectors on x86-64.)
#[inline(always)]
pub(super) fn between(x: f32, least: f32, most: f32) -> i32 {
    let inside = if x > least { x } else { least };
    let inside = if inside < most { inside } else { most };
    // SAFETY: an i32 holds `inside`, which is no NaN.
    let number = unsafe { inside.to_int_unchecked() };
    if x.is_nan() { 0 } else { number }
}

/// The nearest s32 toward zero; NaN is 0.
#[inline(always)]
pub(super) fn s32_of_f32(x: f32) -> i32 {
    const BEYOND: f32 = 2_147_483_648.0;
    let number = between(x, -BEYOND, BEYOND - 128.0);
    if x >= BEYOND { i32::MAX } else { number }
}

/// The nearest integer, ties to even; of numbers that have no fraction, themselves.
#[inline(always)]
pub(super) fn round_f32(x: f32) -> f32 {
    const PLACE: f32 = 8_388_608.0; // 2^23: the last place is 1
    if x.abs() < PLACE { (x.abs() + PLACE - PLACE).copysign(x) } else { x }
}

#[inline(always)]
pub(super) fn round_f64(x: f64) -> f64 {
    const PLACE: f64 = 4_503_599_627_370_496.0; // 2^52
    if x.abs() < PLACE { (x.abs() + PLACE - PLACE).copysign(x) } else { x }
}
