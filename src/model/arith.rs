//! The only place where numbers from outside are combined.
//!
//! A layout with sizes `n[k]`, strides `s[k]` and offset `o` reaches the element offsets
//!
//! ```text
//! lowest  = o + Σ min(0, (n[k] − 1) · s[k])
//! highest = o + Σ max(0, (n[k] − 1) · s[k])
//! ```
//!
//! [`extent`] computes both and the element count. It first assumes that all numbers are small, so that no sum can
//! overflow; whatever contradicts that is OR-ed into one word and checked once. Only then [`exact`] walks again in 128
//! bits, tells an empty layout (which is always fine) from an overflow, and names the dimension. Numbers of 128 bits
//! are added, compared and multiplied here but never divided, which is a slow library call.

use crate::error::{Argument, Detail, Error, Result, Status};

/// The number of elements of a layout, and the lowest and highest element offset (0 and −1 if it has none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub count: i64,
    pub lowest: i64,
    pub highest: i64,
}

impl Extent {
    pub const EMPTY: Self = Self { count: 0, lowest: 0, highest: -1 };
}

/// Checks I2, I3 and I4 and computes the extent. `bits` is the width of an element, at least 1.
#[inline]
pub(crate) fn extent(bits: i64, offset: i64, sizes: &[i64], strides: &[i64]) -> Result<Extent> {
    let entries = sizes.iter().copied().zip(strides.iter().copied());
    near(bits, offset, entries).map_or_else(|| exact(bits, offset, sizes, strides), Ok)
}

/// [`extent`] of small numbers: takes `(size, stride)` of every dimension, each once. `None` if a number is too large.
#[inline(always)]
pub(crate) fn near(bits: i64, offset: i64, entries: impl Iterator<Item = (i64, i64)>) -> Option<Extent> {
    /// 64 products of two numbers below it are below 2^62.
    const FAR: u64 = 1 << 28;
    const MANY: i64 = 1 << 32;
    let (mut count, mut first_to_last, mut downward) = (1i64, 0i64, 0i64);
    let mut all = offset;
    for (size, stride) in entries {
        let last = size.wrapping_sub(1); // below 0 for a size of 0
        all |= size | last | (stride ^ stride >> 63);
        let reach = last.wrapping_mul(stride);
        first_to_last = first_to_last.wrapping_add(reach);
        downward = downward.wrapping_add(reach.min(0));
        count = count.min(MANY).wrapping_mul(size);
    }
    let highest = offset.wrapping_add(first_to_last).wrapping_sub(downward);
    if all as u64 >= FAR || count >= MANY || highest.wrapping_add(1).checked_mul(bits).is_none() {
        return None;
    }
    Some(Extent { count, lowest: offset + downward, highest })
}

/// [`extent`] without shortcuts, for layouts that are empty or wrong.
#[cold]
fn exact(bits: i64, offset: i64, sizes: &[i64], strides: &[i64]) -> Result<Extent> {
    let count = element_count(sizes)?;
    if count == 0 {
        return Ok(Extent::EMPTY);
    }
    // I3 bounds the sum of all (size − 1) by 2^63, so each sum below stays under 2^127.
    let (mut lowest, mut highest) = (offset as i128, offset as i128);
    let overflow = Status::Overflow.of(Argument::Strides);
    for (dimension, (&size, &stride)) in sizes.iter().zip(strides).enumerate() {
        let reach = (size - 1) as i128 * stride as i128;
        lowest += reach.min(0);
        highest += reach.max(0);
        if lowest < i64::MIN as i128 || highest > i64::MAX as i128 {
            return Err(overflow.dimension(dimension).because(Detail::Reach, size, stride));
        }
    }
    let end_bits = (highest + 1) * bits as i128;
    if end_bits != end_bits as i64 as i128 {
        return Err(overflow.because_wide(Detail::Bits, highest + 1, bits as i128));
    }
    Ok(Extent { count, lowest: lowest as i64, highest: highest as i64 })
}

/// Whether a size is 0. (`contains` compares eight numbers at a time, which is long code for short lists.)
#[allow(clippy::manual_contains)]
#[inline]
pub(crate) fn has_zero(sizes: &[i64]) -> bool {
    sizes.iter().any(|&size| size == 0)
}

/// Product of sizes. Any zero wins first (2^40 x 2^40 x 0 is 0); INVALID_SIZE for a negative one; OVERFLOW.
#[inline(never)] // has many callers
pub(crate) fn element_count(sizes: &[i64]) -> Result<i64> {
    let error = |status: Status| status.of(Argument::Sizes);
    if let Some(dimension) = sizes.iter().position(|&size| size < 0) {
        return Err(error(Status::InvalidSize).dimension(dimension).because(Detail::Below, sizes[dimension], 0));
    }
    if has_zero(sizes) {
        return Ok(0);
    }
    let mut count = 1i64;
    for (dimension, &size) in sizes.iter().enumerate() {
        let Some(product) = count.checked_mul(size) else {
            return Err(error(Status::Overflow).dimension(dimension).because(Detail::Product, count, size));
        };
        count = product;
    }
    Ok(count)
}

/// `lhs · rhs`, or OVERFLOW with both.
pub(crate) fn multiply(lhs: i64, rhs: i64) -> Result<i64> {
    lhs.checked_mul(rhs).ok_or(Error::new(Status::Overflow).because(Detail::Product, lhs, rhs))
}

/// `number / from · to`; `error` for the rule if it is not a whole number, OVERFLOW beyond 64 bits.
#[inline]
pub(crate) fn scaled(number: i64, [from, to]: [i64; 2], rule: Detail, error: Error) -> Result<i64> {
    let from = from.max(1);
    if number % from != 0 {
        return Err(error.because(rule, number, from));
    }
    multiply(number / from, to).map_err(|overflow| Error {
        argument: error.argument,
        dimension: error.dimension,
        ..overflow
    })
}

/// Bytes that hold `bits` bits.
pub(crate) const fn bytes_for_bits(bits: u64) -> u64 {
    bits.div_ceil(8)
}

/// Greatest common divisor; `gcd(0, n) = n`.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Least common multiple, saturated; 0 counts as 1.
#[inline(never)]
pub(crate) fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (a, b) = (a.max(1), b.max(1));
    (a / gcd(a, b).max(1)).saturating_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_wins_over_overflow() {
        assert_eq!(element_count(&[1 << 40, 1 << 40, 0]), Ok(0));
        assert_eq!(extent(32, 7, &[1 << 40, 1 << 40, 0], &[i64::MAX, 3, 1]), Ok(Extent::EMPTY));
        let error = element_count(&[1 << 40, 1 << 40]).unwrap_err();
        assert_eq!((error.status, error.dimension, error.lhs, error.rhs), (Status::Overflow, 1, 1 << 40, 1 << 40));
        assert_eq!(extent(8, 0, &[i64::MIN], &[0]).unwrap_err().status, Status::InvalidSize);
        // A negative size is wrong even beside a zero.
        assert_eq!(element_count(&[0, -1]).unwrap_err().status, Status::InvalidSize);
    }

    #[test]
    fn the_limits_are_met_exactly() {
        // (highest + 1) in bits fits int64: 2^60 − 1 bytes is the last that passes, for 8-bit elements.
        let last = (1i64 << 60) - 2;
        assert_eq!(extent(8, last, &[], &[]).unwrap().highest, last);
        assert_eq!(extent(8, last + 1, &[], &[]).unwrap_err().status, Status::Overflow);
        // A product that overflows in between, with a sum that fits, is fine.
        let far = extent(1, i64::MIN, &[3], &[i64::MAX / 2 + 1]).unwrap();
        assert_eq!((far.lowest, far.highest), (i64::MIN, 0));
        assert_eq!(extent(1, 0, &[3], &[i64::MAX / 2 + 1]).unwrap_err().dimension, 0);
        assert_eq!(extent(1, i64::MAX - 1, &[2], &[1]).unwrap_err().detail, Detail::Bits);
        assert_eq!(extent(8, 0, &[3], &[i64::MIN + 1]).unwrap_err().detail, Detail::Reach);
        // Counts whose last 64 bits look small.
        assert_eq!(extent(8, 0, &[1 << 20, 1 << 20, 1], &[0; 3]).unwrap().count, 1 << 40);
        assert_eq!(extent(8, 0, &[(1 << 33) + 1, (1 << 31) + 1], &[0; 2]).unwrap_err().detail, Detail::Product);
        // Strides of size-1 dimensions do not count.
        assert_eq!(extent(8, 0, &[1, 2], &[i64::MIN, 1]).unwrap(), Extent { count: 2, lowest: 0, highest: 1 });
    }
}
