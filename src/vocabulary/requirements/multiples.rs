//! Multiples of strides and addresses, with few divisions: these take as long as the rest of a verdict.

use crate::model::arith;

/// The least number of elements that takes a multiple of `alignment` bytes; 1 if `alignment` is 0.
pub(super) fn step(alignment: u32, bits: u64) -> u64 {
    let aligned = alignment as u64 * 8;
    match aligned.is_power_of_two() && bits.is_power_of_two() {
        true => (aligned >> (bits.trailing_zeros() & 63)).max(1),
        false => (aligned / arith::gcd(aligned, bits).max(1)).max(1),
    }
}

/// The only multiple of 0 is 0.
pub(super) fn is_multiple(number: u64, of: u64) -> bool {
    match of.is_power_of_two() {
        true => number & (of - 1) == 0,
        false => number.is_multiple_of(of),
    }
}

/// Whether `address` + `units` · `bytes` is a multiple. The sum need not fit 64 bits: it is taken modulo 2^64, which
/// powers of two divide, or modulo the alignment, which is the bytes of a texel and below 2^62 (I4).
pub(super) fn is_aligned(address: u64, units: i64, bytes: u64, alignment: u64) -> bool {
    if alignment.is_power_of_two() {
        return is_multiple(address.wrapping_add((units as u64).wrapping_mul(bytes)), alignment);
    }
    let alignment = alignment.max(1);
    let beyond = product_modulo(units.unsigned_abs() % alignment, bytes, alignment);
    is_multiple(address % alignment + if units.is_negative() { alignment - beyond } else { beyond }, alignment)
}

/// `a` · `b` modulo `modulus`, bit by bit of `b` if the product does not fit; `a < modulus < 2^62`.
fn product_modulo(a: u64, b: u64, modulus: u64) -> u64 {
    let rest_of = |number: u64| number.checked_rem(modulus).unwrap_or(0);
    match a.checked_mul(b) {
        Some(product) => rest_of(product),
        None => (0..64).rev().fold(0, |rest, bit| rest_of(rest * 2 + (b >> bit & 1) * a)),
    }
}

/// Saturated.
pub(super) fn round_up(number: u64, step: u64) -> u64 {
    let step = step.max(1);
    number.div_ceil(step).saturating_mul(step)
}
