//! Numbers of an error as words: dtypes, flags, characters, and what a text should have had.

use crate::error::Argument;
use crate::model::Dtype;
use core::fmt::{self, Write};

/// A dtype by its name, or as a number if it has none.
pub(super) struct Named(pub i64);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u32::try_from(self.0).ok().and_then(|code| Dtype::new(code).ok()) {
            Some(dtype) => dtype.fmt(f),
            None => write!(f, "{:#x}", self.0),
        }
    }
}

/// The reason why requirements refuse a dtype, and those they accept, as bits: `f64 is`, `those accepted are s8, u8`.
pub(super) struct Accepted(pub i64, pub i64);

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(refused, accepted) = self;
        let is_accepted = |dtype: Dtype| !dtype.is_bytes() && accepted >> (dtype.code() & 63) & 1 != 0;
        let refused = u32::try_from(refused).ok().and_then(|code| Dtype::new(code).ok());
        if let Some(plain) = refused.map(Dtype::plain).filter(|&plain| is_accepted(plain)) {
            return write!(f, "{plain} is"); // without its flag
        }
        f.write_str("those accepted are")?;
        let mut between = " ";
        for dtype in Dtype::all().filter(|&dtype| is_accepted(dtype)) {
            write!(f, "{between}{dtype}")?;
            between = ", ";
        }
        if accepted & 1 != 0 { write!(f, "{between}plain bytes") } else { Ok(()) }
    }
}

/// The flags of copies from bit 0 on, as C calls them after STRIDE_COPY_.
const COPY_FLAGS: [&str; 5] = ["ASSUME_DISTINCT", "FILL_BUFFER", "OVERLAP", "KEEP_CACHED", "SMALL_STACK"];

/// The kinds of padding by number, as C calls them after STRIDE_XLA_PADDING_.
pub(super) const PADDING_KINDS: [&str; 6] = ["NONE", "ZERO", "ONE", "LOWEST", "HIGHEST", "UNKNOWN"];

/// Flags of options by their names, others as a number.
pub(super) struct Flags(pub Argument, pub i64);

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(argument, flags) = self;
        if !matches!(argument, Argument::Options | Argument::Plan) || flags == 0 || flags >> COPY_FLAGS.len() != 0 {
            return write!(f, "flag {flags:#x}");
        }
        let names = COPY_FLAGS.iter().enumerate().filter(|(bit, _)| flags >> bit & 1 != 0);
        names.enumerate().try_for_each(|(number, (_, name))| {
            f.write_str(if number == 0 { "STRIDE_COPY_" } else { " | STRIDE_COPY_" })?;
            f.write_str(name)
        })
    }
}

/// Bytes as characters, from the low byte on and without trailing zeros; `?` if one cannot be printed.
pub(super) struct Letters(pub u32);

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        loop {
            let byte = rest as u8;
            f.write_char(if byte.is_ascii_graphic() { char::from(byte) } else { '?' })?;
            rest >>= 8;
            if rest == 0 {
                return Ok(());
            }
        }
    }
}

/// The character at a place of a text, and those that may stand there ([`expected`](crate::error::Error::expected)).
pub(super) struct Expected(pub i64, pub i64);

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(found, expected) = self;
        let character = u8::try_from(found).ok();
        if expected <= 0 {
            return f.write_str(match character {
                Some(b'0'..=b'9' | b'-') => "the number does not fit in 64 bits",
                Some(b'/') => "the comment has no end",
                _ => "the text does not follow the grammar",
            });
        }
        match character {
            None => f.write_str("the text ends where ")?,
            Some(byte) if byte.is_ascii_graphic() => write!(f, "`{}` stands where ", char::from(byte))?,
            Some(b' ') => f.write_str("a space stands where ")?,
            Some(byte) => write!(f, "byte {byte:#04x} stands where ")?,
        }
        let mut rest = expected;
        while rest != 0 {
            match (rest & 0xff) as u8 {
                b'0' => f.write_str("a number")?,
                b'A' => f.write_str("a letter")?,
                b'a' => f.write_str("a small letter")?,
                b'$' => f.write_str("the end")?,
                b' ' => f.write_str("a space")?,
                byte => write!(f, "`{}`", Letters(byte.into()))?,
            }
            rest >>= 8;
            f.write_str(match rest {
                0 => " is expected",
                1..=0xff => " or ",
                _ => ", ",
            })?;
        }
        Ok(())
    }
}
