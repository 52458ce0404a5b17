//! Names of dtypes: those that are written and read, and those that others have for them.

use super::{Dtype, NAMED};
use crate::error::{Argument, Detail, Error, Result, Status};
use core::fmt;
use core::str::FromStr;

impl Dtype {
    /// The type with this name; PARSE if there is none. The inverse of [`Display`](fmt::Display).
    ///
    /// ```
    /// use stride::Dtype;
    /// assert_eq!(Dtype::parse(b"f8e4m3fn"), Ok(Dtype::F8E4M3FN));
    /// assert_eq!(Dtype::parse(b"bytes12"), Dtype::bytes(12));
    /// assert_eq!(Dtype::parse(b"f33").unwrap_err().to_string(), "text, byte 0: unknown dtype");
    /// ```
    pub fn parse(text: &[u8]) -> Result<Self> {
        let error = Status::Parse.of(Argument::Text).position(0).because(Detail::Name, 0, 0);
        if let Some(digits) = text.strip_prefix(b"bytes") {
            let mut bytes = 0u32;
            if digits.starts_with(b"0") {
                return Err(error);
            }
            for &digit in digits {
                if !digit.is_ascii_digit() || bytes >= Self::BYTES_LIMIT {
                    return Err(error);
                }
                bytes = bytes * 10 + (digit - b'0') as u32;
            }
            return Self::bytes(bytes).map_err(|_| error);
        }
        let (name, flag) = match (text.strip_suffix(b":high"), text.strip_suffix(b":swapped")) {
            (Some(name), _) => (name, Self::HIGH_FIRST),
            (None, Some(name)) => (name, Self::SWAPPED),
            (None, None) => (text, 0),
        };
        let Some(named) = NAMED.iter().find(|named| named.name.as_bytes() == name) else {
            let same = |other: &str| other.as_bytes().eq_ignore_ascii_case(name);
            let here = NAMED.iter().find(|named| same(named.name)).map(|named| named.code);
            let elsewhere = ELSEWHERE.iter().find(|(_, names)| names.iter().any(|name| same(name)));
            let meant = here.or(elsewhere.map(|(dtype, _)| dtype.0));
            return Err(error.because(Detail::Name, 0, meant.map_or(0, i64::from)));
        };
        Self::new(named.code | flag).map_err(|_| error)
    }
}

/// Other names of these types in NumPy, PyTorch, C and safetensors.
const ELSEWHERE: [(Dtype, &[&str]); 15] = [
    (Dtype::F16, &["float16", "half", "fp16"]),
    (Dtype::F32, &["fp32", "f4", "float32", "float"]),
    (Dtype::F8E4M3FN, &["f8_e4m3"]),
    (Dtype::F8E5M2, &["f8_e5m2"]),
    (Dtype::BF16, &["bfloat16"]),
    (Dtype::F64, &["float64", "double"]),
    (Dtype::S8, &["int8", "i8"]),
    (Dtype::S16, &["int16", "i16"]),
    (Dtype::S32, &["int32", "i32"]),
    (Dtype::S64, &["int64", "i64"]),
    (Dtype::U8, &["uint8"]),
    (Dtype::U16, &["uint16"]),
    (Dtype::U32, &["uint32"]),
    (Dtype::U64, &["uint64"]),
    (Dtype::PRED, &["bool"]),
];

/// The type with this name, as [`Dtype::parse`].
impl FromStr for Dtype {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text.as_bytes())
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_bytes() {
            return write!(f, "bytes{}", self.0 & !Self::BYTES);
        }
        let name = NAMED.iter().find(|named| named.code == self.plain().0).map_or("", |named| named.name);
        f.write_str(name)?;
        f.write_str(match self.0 & (Self::HIGH_FIRST | Self::SWAPPED) {
            0 => "",
            Self::SWAPPED => ":swapped",
            _ => ":high",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn names_come_back() {
        for dtype in Dtype::all().flat_map(|d| [d, d.high_first(), d.swapped()]).chain([Dtype::bytes(12).unwrap()]) {
            assert_eq!(Dtype::parse(dtype.to_string().as_bytes()), Ok(dtype), "{dtype}");
            assert_eq!(Dtype::new(dtype.code()), Ok(dtype), "{dtype}");
            assert_eq!(dtype.high_first().high_first(), dtype.high_first(), "{dtype}");
        }
        let flags = ["f32:high", "u8:high", "s4:low", "u8:swapped", "s4:swapped", "bytes4:swapped", "f32:swapped:high"];
        let bytes = ["bytes", "bytes0", "bytes012", "bytes16777216", "bytes99999999999"];
        for text in ["", "F32", "f33"].into_iter().chain(flags).chain(bytes) {
            assert!(Dtype::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
