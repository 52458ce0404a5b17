//! Element types: how many bits one element takes, and its name.
//!
//! A copy moves bits, and only a conversion looks at their meaning, so a dtype is little more than a width that two
//! sides of a copy must agree on. The numbers are those of XLA's `PrimitiveType` (xla_data.proto), the names XLA's too.
//!
//! ```text
//! 31             30               29                   28 … 24   23 …                    0
//! bytes of any   HIGH_FIRST       SWAPPED              0         XLA number, or the
//! width          (sub-byte only)  (above a byte only)            number of bytes
//! ```
//!
//! Elements below a byte are packed without gaps. DLPack, ONNX, DirectML and XLA put the first one into the low bits of
//! its byte; XLA before 2025 put it into the high bits, which is the flag [`Dtype::HIGH_FIRST`].
//!
//! Numbers of several bytes are in this machine's byte order, or in the other one, which is the flag
//! [`Dtype::SWAPPED`]: NumPy's `>f4` on x86-64. The two parts of a complex number are swapped each by itself. A copy
//! between the two orders swaps the bytes. Plain bytes have no order, and are copied to both as they are.

mod names;

use crate::error::{Argument, Detail, Error, Result, Status};

/// A valid element type (I5).
///
/// ```
/// use stride::Dtype;
/// assert_eq!((Dtype::BF16.bits(), Dtype::BF16.to_string().as_str()), (16, "bf16"));
/// assert_eq!("s4".parse(), Ok(Dtype::S4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dtype(u32);

/// One row of the table of named types.
struct Named {
    code: u32,
    bits: u8,
    name: &'static str,
}

macro_rules! dtypes {
    ($($constant:ident = $code:literal, $bits:literal, $name:literal;)*) => {
        impl Dtype {
            $(#[doc = concat!("`", $name, "`: ", stringify!($bits), " bits.")]
            pub const $constant: Dtype = Dtype($code);)*
        }
        const NAMED: &[Named] = &[$(Named { code: $code, bits: $bits, name: $name },)*];
    };
}

dtypes! {
    PRED = 1, 8, "pred";
    S1 = 30, 1, "s1";
    S2 = 26, 2, "s2";
    S4 = 21, 4, "s4";
    S8 = 2, 8, "s8";
    S16 = 3, 16, "s16";
    S32 = 4, 32, "s32";
    S64 = 5, 64, "s64";
    U1 = 31, 1, "u1";
    U2 = 27, 2, "u2";
    U4 = 22, 4, "u4";
    U8 = 6, 8, "u8";
    U16 = 7, 16, "u16";
    U32 = 8, 32, "u32";
    U64 = 9, 64, "u64";
    F4E2M1FN = 32, 4, "f4e2m1fn";
    F8E3M4 = 29, 8, "f8e3m4";
    F8E4M3 = 28, 8, "f8e4m3";
    F8E4M3FN = 20, 8, "f8e4m3fn";
    F8E4M3B11FNUZ = 23, 8, "f8e4m3b11fnuz";
    F8E4M3FNUZ = 25, 8, "f8e4m3fnuz";
    F8E5M2 = 19, 8, "f8e5m2";
    F8E5M2FNUZ = 24, 8, "f8e5m2fnuz";
    F8E8M0FNU = 33, 8, "f8e8m0fnu";
    F16 = 10, 16, "f16";
    BF16 = 16, 16, "bf16";
    F32 = 11, 32, "f32";
    F64 = 12, 64, "f64";
    C64 = 15, 64, "c64";
    C128 = 18, 128, "c128";
}

/// Bits by number, so that the check of a layout costs one load. 0: no such type.
const BITS: [u8; 64] = {
    let mut bits = [0; 64];
    let mut i = 0;
    while i < NAMED.len() {
        bits[NAMED[i].code as usize & 63] = NAMED[i].bits;
        i += 1;
    }
    bits
};

impl Dtype {
    /// Flag of a sub-byte type: the first element is in the high bits of its byte.
    pub const HIGH_FIRST: u32 = 0x4000_0000;
    /// Flag of a number above a byte: its bytes are in the order that this machine does not have.
    pub const SWAPPED: u32 = 0x2000_0000;
    /// Flag of plain bytes, whose number is in the low bits.
    pub const BYTES: u32 = 0x8000_0000;
    /// Limit of the number of bytes: it is below 2^24.
    pub const BYTES_LIMIT: u32 = 1 << 24;

    /// The type with this number; INVALID_DTYPE if there is none.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert_eq!(Dtype::new(11), Ok(Dtype::F32));
    /// assert_eq!(Dtype::new(99).unwrap_err().to_string(), "dtype: 99 (0x63) is not a dtype");
    /// ```
    #[inline]
    pub const fn new(code: u32) -> Result<Self> {
        if code < 64 && BITS[code as usize] != 0 { Ok(Self(code)) } else { Self::unusual(code) }
    }

    /// [`Dtype::new`] of a number that may have flags.
    #[inline(never)]
    const fn unusual(code: u32) -> Result<Self> {
        let number = code & !(Self::HIGH_FIRST | Self::SWAPPED);
        let valid = if code & Self::BYTES != 0 {
            let bytes = code & !Self::BYTES;
            bytes >= 1 && bytes < Self::BYTES_LIMIT
        } else {
            let bits = BITS[(number & 63) as usize];
            number < 64
                && bits != 0
                && (code & Self::HIGH_FIRST == 0 || bits < 8)
                && (code & Self::SWAPPED == 0 || bits > 8)
        };
        if valid {
            Ok(Self(code))
        } else {
            Err(Status::InvalidDtype.of(Argument::Dtype).because(Detail::DtypeUnknown, code as i64, 0))
        }
    }

    /// An element of `bytes` bytes without a known meaning: structs, 12-byte pixels.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert_eq!(Dtype::bytes(12)?.bits(), 96);
    /// assert!(Dtype::bytes(0).is_err());
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn bytes(bytes: u32) -> Result<Self> {
        if bytes >= 1 && bytes < Self::BYTES_LIMIT {
            Ok(Self(Self::BYTES | bytes))
        } else {
            let error = Status::InvalidDtype.of(Argument::Bytes);
            let most = Self::BYTES_LIMIT as i64 - 1;
            Err(match bytes {
                0 => error.because(Detail::Below, 0, 1),
                _ => error.because(Detail::Above, bytes as i64, most),
            })
        }
    }

    /// Plain bytes, as many as a Rust type has. In a constant, 0 bytes and 2^24 or more do not compile.
    ///
    /// ```
    /// use stride::Dtype;
    /// const PAIR: Dtype = Dtype::plain_bytes_of::<[f32; 2]>();
    /// assert_eq!((PAIR.to_string().as_str(), PAIR.bits()), ("bytes8", 64));
    /// ```
    ///
    /// ```compile_fail,E0080
    /// const NOTHING: stride::Dtype = stride::Dtype::plain_bytes_of::<()>();
    /// println!("{NOTHING}");
    /// ```
    pub const fn plain_bytes_of<T>() -> Self {
        const {
            assert!(size_of::<T>() >= 1 && size_of::<T>() < Self::BYTES_LIMIT as usize, "no element is that wide");
        }
        Self(Self::BYTES | size_of::<T>() as u32)
    }

    /// The number at the C boundary.
    ///
    /// ```
    /// assert_eq!(stride::Dtype::F32.code(), 11); // as in XLA
    /// ```
    pub const fn code(self) -> u32 {
        self.0
    }

    /// Bits of one element, 1 … 8 · (2^24 − 1).
    ///
    /// ```
    /// use stride::Dtype;
    /// assert_eq!([Dtype::U1, Dtype::S4, Dtype::F16, Dtype::C128].map(Dtype::bits), [1, 4, 16, 128]);
    /// ```
    pub const fn bits(self) -> i64 {
        if self.is_bytes() { (self.0 & !Self::BYTES) as i64 * 8 } else { BITS[(self.0 & 63) as usize] as i64 }
    }

    /// Whether elements share bytes.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert!(Dtype::U4.is_sub_byte() && !Dtype::U8.is_sub_byte());
    /// ```
    pub const fn is_sub_byte(self) -> bool {
        self.bits() < 8
    }

    /// Elements in a byte, and bytes of an element: one of the two is 1.
    pub(crate) const fn units(self) -> (i64, i64) {
        match self.bits() {
            bits @ 1..8 => (8 / bits, 1),
            bits => (1, bits / 8),
        }
    }

    /// Whether this is a number of bytes without a meaning.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert!(Dtype::bytes(4)?.is_bytes() && !Dtype::F32.is_bytes());
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn is_bytes(self) -> bool {
        self.0 & Self::BYTES != 0
    }

    /// Whether the first element lies in the high bits of its byte.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert!(Dtype::U4.high_first().is_high_first() && !Dtype::U4.is_high_first());
    /// ```
    pub const fn is_high_first(self) -> bool {
        !self.is_bytes() && self.0 & Self::HIGH_FIRST != 0
    }

    /// The same sub-byte type with the first element in the high bits; other types as they are.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert_eq!(Dtype::U4.high_first().to_string(), "u4:high");
    /// assert_eq!(Dtype::F32.high_first(), Dtype::F32);
    /// ```
    #[must_use]
    pub const fn high_first(self) -> Self {
        if self.is_sub_byte() { Self(self.0 | Self::HIGH_FIRST) } else { self }
    }

    /// The same type with the first element in the low bits.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert_eq!(Dtype::U4.high_first().low_first(), Dtype::U4);
    /// ```
    pub const fn low_first(self) -> Self {
        if self.is_bytes() { self } else { Self(self.0 & !Self::HIGH_FIRST) }
    }

    /// Whether its bytes are in the order that this machine does not have.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert!(Dtype::F32.swapped().is_swapped() && !Dtype::F32.is_swapped());
    /// ```
    pub const fn is_swapped(self) -> bool {
        !self.is_bytes() && self.0 & Self::SWAPPED != 0
    }

    /// The same number with its bytes in the other order; plain bytes and types of at most a byte are unchanged.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert_eq!(Dtype::F32.swapped().to_string(), "f32:swapped");
    /// assert_eq!((Dtype::F32.swapped().swapped(), Dtype::U8.swapped()), (Dtype::F32, Dtype::U8));
    /// ```
    #[must_use]
    pub const fn swapped(self) -> Self {
        if self.is_bytes() || self.bits() <= 8 { self } else { Self(self.0 ^ Self::SWAPPED) }
    }

    /// The type without flags: the first element in the low bits, bytes in this machine's order.
    pub(crate) const fn plain(self) -> Self {
        if self.is_bytes() { self } else { Self(self.0 & !(Self::HIGH_FIRST | Self::SWAPPED)) }
    }

    /// Bytes of the unit that is byte-swapped: of a complex number each part.
    pub(crate) const fn part_bytes(self) -> i64 {
        match self.plain() {
            Self::C64 | Self::C128 => self.bits() / 16,
            _ => self.bits() / 8,
        }
    }

    /// Bytes of the parts that a copy between the two dtypes swaps; 0: elements move as they are.
    #[inline]
    pub(crate) const fn swapped_bytes(self, other: Self) -> i64 {
        if self.swaps_to(other) { other.part_bytes() } else { 0 }
    }

    /// Whether a copy between the two dtypes swaps the bytes of each number.
    #[inline]
    pub(crate) const fn swaps_to(self, other: Self) -> bool {
        (self.0 ^ other.0) & Self::SWAPPED != 0 && !self.is_bytes() && !other.is_bytes()
    }

    /// Whether one may be copied to the other: they are equal apart from the bit order and the byte order, or one of
    /// them is plain bytes of the same width.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert!(Dtype::F32.moves_to(Dtype::bytes(4)?) && Dtype::U4.moves_to(Dtype::U4.high_first()));
    /// assert!(Dtype::F32.moves_to(Dtype::F32.swapped()));
    /// assert!(!Dtype::F32.moves_to(Dtype::S32)); // bits are moved, numbers are not converted
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn moves_to(self, other: Self) -> bool {
        self.0 == other.0
            || self.plain().0 == other.plain().0
            || ((self.is_bytes() || other.is_bytes()) && self.bits() == other.bits())
    }

    /// Every named type.
    ///
    /// ```
    /// use stride::Dtype;
    /// assert_eq!(Dtype::all().filter(|dtype| dtype.bits() == 64).count(), 4); // s64, u64, f64, c64
    /// ```
    pub fn all() -> impl Iterator<Item = Dtype> {
        NAMED.iter().map(|named| Dtype(named.code))
    }
}

/// Bytes of an element; UNSUPPORTED below one byte.
pub(crate) fn whole_bytes(dtype: Dtype, argument: Argument) -> Result<i64> {
    Status::Unsupported.of(argument).unless(!dtype.is_sub_byte(), Detail::DtypeWidth, dtype.code(), 0)?;
    Ok(dtype.bits() / 8)
}

/// The type with this number, as [`Dtype::new`].
impl TryFrom<u32> for Dtype {
    type Error = Error;

    fn try_from(code: u32) -> Result<Self> {
        Self::new(code)
    }
}

impl From<Dtype> for u32 {
    fn from(dtype: Dtype) -> Self {
        dtype.code()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_xla() {
        // xla_data.proto, enum PrimitiveType.
        let xla =
            [(Dtype::PRED, 1), (Dtype::S8, 2), (Dtype::U8, 6), (Dtype::F16, 10), (Dtype::F32, 11), (Dtype::C128, 18)];
        for (dtype, number) in xla {
            assert_eq!(dtype.code(), number);
        }
        let flagged = [0x4000_000B, 0x8000_0000, 0x8100_0000, 0xC000_0001, 0x2000_0000, 0x2000_0006, 0x2000_0015];
        let both = [0x6000_000B, 0xA000_0004, 0x6000_0015, u32::MAX];
        for code in [0, 13, 14, 17, 63, 64].into_iter().chain(flagged).chain(both) {
            assert!(Dtype::new(code).is_err(), "{code:#x}");
        }
        assert_eq!(Dtype::new(Dtype::S4.code() | Dtype::HIGH_FIRST).unwrap().bits(), 4);
        assert_eq!(Dtype::bytes((1 << 24) - 1).unwrap().bits(), ((1 << 24) - 1) * 8);
        assert_eq!(Ok(Dtype::plain_bytes_of::<[u16; 3]>()), Dtype::bytes(6));
    }
}
