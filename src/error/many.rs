//! Numbers of something in a sentence.

use core::fmt;

/// A number that may have been larger.
pub(crate) struct Saturated(pub(crate) i64);

impl fmt::Display for Saturated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, if self.0 == i64::MAX { " or more" } else { "" })
    }
}

/// `1 byte`, `2 bytes`; and with a verb, `1 byte is`.
pub(crate) struct Many(pub(crate) i64, pub(crate) &'static str);
pub(crate) struct ManyAre(pub(crate) i64, pub(crate) &'static str);

impl fmt::Display for Many {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", Saturated(self.0), self.1, if self.0 == 1 { "" } else { "s" })
    }
}

impl fmt::Display for ManyAre {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Many(self.0, self.1), if self.0 == 1 { "is" } else { "are" })
    }
}
