//! The values in the padding of an XLA buffer, and their bytes.
//!
//! The kinds and their numbers are those of XLA's former `PaddingValue` (xla_data.proto). "Lowest" and "highest" are
//! the ends of the type's own order, as in XLA's `LiteralUtil::MinValue` and `MaxValue`: the infinities where the type
//! has them, else the largest finite numbers; `false` and `true`.

use crate::error::{Argument, Detail, Result, Status};
use crate::model::Dtype;

/// The values of the elements outside the sizes.
///
/// ```
/// use stride::vocabulary::xla::PaddingKind;
/// assert_eq!(PaddingKind::new(PaddingKind::Lowest as u32), Ok(PaddingKind::Lowest));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum PaddingKind {
    /// Not specified: the shape is not padded, or its padding does not matter.
    None = 0,
    /// The number 0.
    Zero = 1,
    /// The number 1.
    One = 2,
    /// The lowest number of the type.
    Lowest = 3,
    /// The highest number of the type.
    Highest = 4,
    /// Anything, NaNs included.
    Unknown = 5,
}

impl PaddingKind {
    /// The kind with this number; INVALID_ARGUMENT if there is none.
    ///
    /// ```
    /// use stride::vocabulary::xla::PaddingKind;
    /// assert_eq!(PaddingKind::new(1), Ok(PaddingKind::Zero));
    /// assert!(PaddingKind::new(9).is_err());
    /// ```
    pub const fn new(number: u32) -> Result<Self> {
        let kinds = [Self::None, Self::Zero, Self::One, Self::Lowest, Self::Highest, Self::Unknown];
        if (number as usize) < kinds.len() {
            return Ok(kinds[number as usize]);
        }
        let error = Status::InvalidArgument.of(Argument::Kind);
        Err(error.because(Detail::UnknownValue, number as i64, kinds.len() as i64 - 1))
    }
}

/// The integers with a sign, by their widths.
pub(super) const SIGNED: [Dtype; 7] = [Dtype::S1, Dtype::S2, Dtype::S4, Dtype::S8, Dtype::S16, Dtype::S32, Dtype::S64];

/// The bits of zero, one, lowest and highest of a type; `None` if the type has no such number.
fn values(dtype: Dtype) -> [Option<u128>; 4] {
    // Sign and magnitude: lowest is the highest with the sign bit set.
    let float =
        |one: u128, highest: u128, bits: u32| [Some(0), Some(one), Some(highest | 1 << (bits - 1)), Some(highest)];
    let bits = dtype.bits() as u32;
    match dtype {
        Dtype::PRED => [Some(0), Some(1), Some(0), Some(1)],
        Dtype::F4E2M1FN => float(0x2, 0x7, 4),                          // ±6
        Dtype::F8E3M4 => float(0x30, 0x70, 8),                          // infinities
        Dtype::F8E4M3 => float(0x38, 0x78, 8),                          // infinities
        Dtype::F8E4M3FN => float(0x38, 0x7E, 8),                        // ±448
        Dtype::F8E4M3B11FNUZ => float(0x58, 0x7F, 8),                   // ±30
        Dtype::F8E4M3FNUZ => float(0x40, 0x7F, 8),                      // ±240
        Dtype::F8E5M2 => float(0x3C, 0x7C, 8),                          // infinities
        Dtype::F8E5M2FNUZ => float(0x40, 0x7F, 8),                      // ±57344
        Dtype::F8E8M0FNU => [None, Some(0x7F), Some(0x00), Some(0xFE)], // powers of two from 2^−127 to 2^127
        Dtype::F16 => float(0x3C00, 0x7C00, 16),
        Dtype::BF16 => float(0x3F80, 0x7F80, 16),
        Dtype::F32 => float(0x3F80_0000, 0x7F80_0000, 32),
        Dtype::F64 => float(0x3FF0_0000_0000_0000, 0x7FF0_0000_0000_0000, 64),
        // The real part comes first; complex numbers have no order.
        Dtype::C64 => [Some(0), Some(0x3F80_0000), None, None],
        Dtype::C128 => [Some(0), Some(0x3FF0_0000_0000_0000), None, None],
        _ if dtype.is_bytes() => [Some(0), None, None, None],
        _ if SIGNED.contains(&dtype) => {
            let sign = 1u128 << (bits - 1);
            let one = if bits == 1 { None } else { Some(1) }; // s1 holds −1 and 0
            [Some(0), one, Some(sign), Some(sign - 1)]
        }
        _ => [Some(0), Some(1), Some(0), Some((1u128 << bits) - 1)],
    }
}

/// The 16 bytes, in this machine's byte order, that, repeated per element of `storage_bits` bits, fill padding with
/// this kind: the `fill` of a copy with FILL_BUFFER. Elements below a byte are repeated in it. A wider storage extends
/// integers by their sign and leaves other types in its low bits. NOT_REPRESENTABLE if the type has no such number or
/// the kind names none.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::xla::{PaddingKind, padding::padding_bytes};
/// let fill = padding_bytes(Dtype::F32, 32, PaddingKind::Lowest)?;
/// assert_eq!(fill[..4], f32::NEG_INFINITY.to_ne_bytes());
/// # Ok::<(), stride::Error>(())
/// ```
pub fn padding_bytes(dtype: Dtype, storage_bits: u32, kind: PaddingKind) -> Result<[u8; 16]> {
    let error = Status::NotRepresentable.of(Argument::Shape);
    let error = error.because(Detail::NoSuchValue, kind as i64, dtype.code() as i64);
    if dtype.is_swapped() {
        return Err(error); // no shape has such a type
    }
    let [zero, one, lowest, highest] = values(dtype.low_first());
    let value = match kind {
        PaddingKind::None | PaddingKind::Unknown => None,
        PaddingKind::Zero => zero,
        PaddingKind::One => one,
        PaddingKind::Lowest => lowest,
        PaddingKind::Highest => highest,
    };
    let mut value = value.ok_or(error)?;
    let bits = dtype.bits().clamp(1, 128) as u32;
    if SIGNED.contains(&dtype.low_first()) && value >> (bits - 1) != 0 {
        value |= u128::MAX << bits;
    }
    let mut width = storage_bits.clamp(1, 128);
    if width < 128 {
        value &= (1 << width) - 1;
    }
    while width < 8 {
        value |= value << width;
        width *= 2;
    }
    let bytes = width.div_ceil(8).min(16) as usize;
    let (mut out, little) = ([0u8; 16], value.to_le_bytes());
    for (slot, &byte) in out.iter_mut().zip(little.get(..bytes).unwrap_or(&[])) {
        *slot = byte;
    }
    if cfg!(target_endian = "big") {
        let stored = out.get_mut(..bytes).unwrap_or(&mut []);
        stored.reverse();
        // The two parts of a complex number, whose bytes are the last ones, keep their order.
        let parts = match dtype {
            Dtype::C64 => stored.rchunks_mut(8).next(),
            Dtype::C128 => stored.rchunks_mut(16).next(),
            _ => None,
        };
        if let Some(parts) = parts {
            parts.rotate_left(parts.len() / 2);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_each_type() {
        let bytes = |dtype: Dtype, kind| padding_bytes(dtype, dtype.bits().max(8) as u32, kind);
        let low = |dtype: Dtype, kind| {
            let mut number = bytes(dtype, kind).unwrap();
            if cfg!(target_endian = "big") {
                number[..(dtype.bits() as usize).div_ceil(8)].reverse();
            }
            u64::from_le_bytes(number[..8].try_into().unwrap())
        };
        assert_eq!(low(Dtype::F32, PaddingKind::Lowest), f32::NEG_INFINITY.to_bits() as u64);
        assert_eq!(low(Dtype::F64, PaddingKind::Highest), f64::INFINITY.to_bits());
        assert_eq!(low(Dtype::F32, PaddingKind::One), 1f32.to_bits() as u64);
        assert_eq!(low(Dtype::S64, PaddingKind::Lowest), i64::MIN as u64);
        assert_eq!(low(Dtype::S8, PaddingKind::Highest), 127);
        assert_eq!(low(Dtype::U16, PaddingKind::Highest), 65535);
        assert_eq!(low(Dtype::S4, PaddingKind::Lowest), 0xF8); // −8, stored in a byte
        assert_eq!(padding_bytes(Dtype::S4, 4, PaddingKind::Lowest).unwrap()[0], 0x88);
        assert_eq!(padding_bytes(Dtype::PRED, 32, PaddingKind::One).unwrap()[..4], 1u32.to_ne_bytes());
        // 1 + 0i, in its own bits, and in more of them.
        for bits in [64, 128] {
            let fill = padding_bytes(Dtype::C64, bits, PaddingKind::One).unwrap();
            let stored = &fill[..bits as usize / 8];
            let number = if cfg!(target_endian = "big") { &stored[stored.len() - 8..] } else { &stored[..8] };
            assert_eq!(number, [1f32.to_ne_bytes(), 0f32.to_ne_bytes()].as_flattened());
            assert_eq!(stored.iter().filter(|&&byte| byte != 0).count(), 2);
        }
        let fill = padding_bytes(Dtype::C128, 128, PaddingKind::One).unwrap();
        assert_eq!(fill, [1f64.to_ne_bytes(), 0f64.to_ne_bytes()].as_flattened());
        assert!(bytes(Dtype::F8E8M0FNU, PaddingKind::Zero).is_err());
        assert!(bytes(Dtype::C64, PaddingKind::Lowest).is_err());
        assert!(bytes(Dtype::bytes(3).unwrap(), PaddingKind::One).is_err());
        assert!(bytes(Dtype::F32, PaddingKind::Unknown).is_err());
    }
}
