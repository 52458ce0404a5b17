//! A conversion that a copy makes on the way: the rules for each number.
//!
//! * *Arithmetic* ([`AFFINE`]) is in f64 if either dtype is s32, u32, s64, u64 or f64, else in f32. The element and the
//!   numbers become it with one rounding. Then `(x − subtract) · scale + add`, with [`DIVIDE`] `/ scale`, is computed;
//!   each operation is rounded once. Every NaN that comes out is the positive quiet one.
//! * *To a float*: one rounding to nearest even from the exact value, for every pair; subnormals are kept. Overflow
//!   goes to infinity, of f8e4m3fn to NaN; with [`FINITE`] overflow and infinities go to the largest finite number.
//! * *NaN to a float*, by value: the sign is kept, the payload is cut to its leading bits, and the NaN is quiet;
//!   f8e4m3fn has one NaN.
//! * *Float to integer*: toward zero, with [`NEAREST`] to nearest even; saturates; NaN is 0. With [`ADD_LAST`] `add`
//!   joins after rounding and before saturation.
//! * *Integer to integer*, by value: the low bits, with [`SATURATE`] the nearest integer that there is.
//! * *Pred*: any byte that is not 0 is 1. A destination is 1 for a number that is not 0, and for NaN.
//!
//! The bits are equal on every instruction set and in every part of a copy. Rounding modes other than the default, and
//! flushed subnormals, make the numbers unspecified, but touch no other memory.

use crate::error::{Argument, Detail, Result, Status};
use crate::model::Dtype;

/// Flag: `(x − subtract) · scale + add`.
pub const AFFINE: u32 = 1;
/// Flag, with AFFINE: `/ scale`.
pub const DIVIDE: u32 = 2;
/// Flag: floats are rounded to the nearest integer, ties to even.
pub const NEAREST: u32 = 4;
/// Flag: integers that do not fit become the nearest that does.
pub const SATURATE: u32 = 8;
/// Flag: floats that do not fit become the largest finite number.
pub const FINITE: u32 = 16;
/// Flag, with AFFINE and an integer as destination: `add` joins after rounding.
pub const ADD_LAST: u32 = 32;
/// All flags.
pub(crate) const KNOWN: u32 = 63;

/// A dtype that converts, or that of each part of a complex one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // the dtypes of these names
pub enum Kind {
    Pred,
    S4,
    U4,
    S8,
    U8,
    S16,
    U16,
    S32,
    U32,
    S64,
    U64,
    E4m3fn,
    E5m2,
    F16,
    Bf16,
    F32,
    F64,
}

impl Kind {
    /// The kind of a dtype, if it converts.
    pub fn of(dtype: Dtype) -> Option<Self> {
        Some(match dtype.plain() {
            Dtype::PRED => Self::Pred,
            Dtype::S4 => Self::S4,
            Dtype::U4 => Self::U4,
            Dtype::S8 => Self::S8,
            Dtype::U8 => Self::U8,
            Dtype::S16 => Self::S16,
            Dtype::U16 => Self::U16,
            Dtype::S32 => Self::S32,
            Dtype::U32 => Self::U32,
            Dtype::S64 => Self::S64,
            Dtype::U64 => Self::U64,
            Dtype::F8E4M3FN => Self::E4m3fn,
            Dtype::F8E5M2 => Self::E5m2,
            Dtype::F16 => Self::F16,
            Dtype::BF16 => Self::Bf16,
            Dtype::F32 | Dtype::C64 => Self::F32,
            Dtype::F64 | Dtype::C128 => Self::F64,
            _ => return None,
        })
    }

    /// Bits of a number.
    pub const fn bits(self) -> usize {
        match self {
            Self::S4 | Self::U4 => 4,
            Self::Pred | Self::S8 | Self::U8 | Self::E4m3fn | Self::E5m2 => 8,
            Self::S16 | Self::U16 | Self::F16 | Self::Bf16 => 16,
            Self::S32 | Self::U32 | Self::F32 => 32,
            Self::S64 | Self::U64 | Self::F64 => 64,
        }
    }

    /// Whether it is a float.
    pub const fn is_float(self) -> bool {
        self as u8 >= Self::E4m3fn as u8
    }

    /// Whether arithmetic with it is done in f64.
    const fn is_wide(self) -> bool {
        matches!(self, Self::S32 | Self::U32 | Self::S64 | Self::U64 | Self::F64)
    }

    /// The least and the largest number of an integer.
    pub const fn limits(self) -> [i128; 2] {
        let bits = self.bits();
        match self {
            Self::Pred => [0, 1],
            Self::S4 | Self::S8 | Self::S16 | Self::S32 | Self::S64 => [-(1 << (bits - 1)), (1 << (bits - 1)) - 1],
            _ => [0, (1 << bits) - 1],
        }
    }
}

/// The type of numbers on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Class {
    F32,
    F64,
    Integer,
}

/// The steps of a kernel for each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The destination's numbers.
    pub dst: Kind,
    /// The source's.
    pub src: Kind,
    /// The numbers on the way.
    pub class: Class,
    /// [`AFFINE`] and the others.
    pub flags: u32,
}

impl Steps {
    /// The steps between two kinds.
    pub const fn of(dst: Kind, src: Kind, flags: u32) -> Self {
        let class = match (src, dst) {
            _ if flags & AFFINE != 0 && (src.is_wide() || dst.is_wide()) => Class::F64,
            _ if flags & AFFINE != 0 => Class::F32,
            (Kind::F64, _) => Class::F64,
            _ if src.is_float() => {
                if matches!(dst, Kind::F64) {
                    Class::F64
                } else {
                    Class::F32
                }
            }
            _ if !dst.is_float() => Class::Integer,
            // f32 holds integers of 16 bits, f64 those of 32.
            (Kind::S64 | Kind::U64, _) => Class::Integer,
            (Kind::S32 | Kind::U32, _) | (_, Kind::F64) => Class::F64,
            _ => Class::F32,
        };
        // Only integers join after rounding.
        let rounds = !dst.is_float() && !matches!(dst, Kind::Pred);
        Self { dst, src, class, flags: if rounds { flags } else { flags & !ADD_LAST } }
    }
}

/// A conversion of a copy: dtypes, flags and numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    /// The dtype of the destination.
    pub dst: Dtype,
    /// That of the source.
    pub src: Dtype,
    /// [`AFFINE`] and the others.
    pub flags: u32,
    /// `subtract`, `scale` and `add`.
    pub numbers: [f64; 3],
}

impl Conversion {
    /// Whether elements move as they are.
    pub fn is_none(&self) -> bool {
        self.flags & AFFINE == 0 && self.dst.plain() == self.src.plain()
    }

    /// Numbers of an element: 2 of a complex one.
    pub fn parts(dtype: Dtype) -> i64 {
        if matches!(dtype.plain(), Dtype::C64 | Dtype::C128) { 2 } else { 1 }
    }

    /// The steps of a kernel; UNSUPPORTED for dtypes that do not convert, and without the feature `conversion` for all.
    pub fn steps(&self) -> Result<Steps> {
        let (dst_parts, src_parts) = (Self::parts(self.dst), Self::parts(self.src));
        let complex = dst_parts == 2 || src_parts == 2;
        let refused = dst_parts < src_parts || complex && self.flags & AFFINE != 0;
        let kinds = Kind::of(self.dst).zip(Kind::of(self.src)).filter(|_| !refused && cfg!(feature = "conversion"));
        let (dst, src) = kinds.ok_or_else(|| {
            let error = Status::Unsupported.of(Argument::Conversion);
            error.because(Detail::NoConversion, self.src.code() as i64, self.dst.code() as i64)
        })?;
        Ok(Steps::of(dst, src, self.flags))
    }

    /// The conversion without the numbers that are not read: all without [`AFFINE`], and those in whose place there is
    /// a list (a bit for each).
    pub fn read(mut self, listed: u8) -> Self {
        let unread = if self.flags & AFFINE == 0 { !0 } else { listed };
        for (k, (number, none)) in self.numbers.iter_mut().zip([0.0, 1.0, 0.0]).enumerate() {
            *number = if unread >> k & 1 == 1 { none } else { *number };
        }
        self
    }

    /// INVALID_ARGUMENT for flags that are not known or lack [`AFFINE`], and for a fraction that is to join integers.
    pub fn check(&self) -> Result<()> {
        let error = Status::InvalidArgument.of(Argument::Conversion);
        let Self { flags, numbers: [.., add], .. } = *self;
        error.unless(flags & !KNOWN == 0, Detail::UnknownFlag, flags, KNOWN)?;
        let missing = flags & (DIVIDE | ADD_LAST) != 0 && flags & AFFINE == 0;
        error.unless(!missing, Detail::MissingFlag, flags, AFFINE)?;
        let whole = flags & ADD_LAST == 0 || add == add as i64 as f64;
        Status::InvalidArgument.of(Argument::Add).unless(whole, Detail::NotWhole, add as i64, 0)
    }
}
