//! Errors: records that name the argument, the dimension and both numbers.
//!
//! A caller who passes a wrong descriptor needs four facts: *which* argument, *which* dimension of it, *which* rule it
//! breaks, and the *two numbers* that do not agree. [`Error`] carries exactly these as plain numbers, so it crosses the
//! C boundary as a 64-byte record, needs no memory, and only becomes a sentence (`src/sentence/`) when somebody asks.
//!
//! Code inside the library writes `Err(Status::InvalidSize.of(Argument::Sizes).because(Detail::Below, size, 0))`:
//! numbers never come without the rule that says what they mean. The room that knows the role of the value (which of
//! two layouts it was) adds `.argument(…)`.
//!
//! The three lists (`lists.rs`) are the header's as well: `include/` has `STRIDE_STATUS_`, `STRIDE_ARGUMENT_`
//! and `STRIDE_DETAIL_` constants made of the words here, with these comments. Numbers never change.

mod lists;
mod many;
mod reasons;

pub use lists::{Argument, Detail, Status};
pub(crate) use many::{Many, ManyAre, Saturated};
pub use reasons::REASONS;

use core::fmt;

/// Result of everything that can fail.
pub type Result<T> = core::result::Result<T, Error>;

/// An error: status, place and the two numbers. See the [module documentation](self).
///
/// ```
/// use stride::error::{Argument, Detail, Status};
/// use stride::{Dtype, LayoutBuf};
/// let error = LayoutBuf::packed(Dtype::F32, &[2, -1]).unwrap_err();
/// assert_eq!((error.status, error.argument, error.dimension), (Status::InvalidSize, Argument::Sizes, 1));
/// assert_eq!((error.detail, error.lhs, error.rhs), (Detail::Below, -1, 0));
/// assert_eq!(error.to_string(), "sizes, dimension 1: size -1 is negative");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The kind of mistake.
    pub status: Status,
    /// The argument that is wrong.
    pub argument: Argument,
    /// The dimension, −1 if none.
    pub dimension: i32,
    /// The operand, tile, block or run, −1 if none.
    pub item: i32,
    /// The byte of a text, `u64::MAX` if none.
    pub position: u64,
    /// The number that was found. Saturated.
    pub lhs: i64,
    /// The number that it should have agreed with. Saturated.
    pub rhs: i64,
    /// The rule that was broken; it says what the numbers mean.
    pub detail: Detail,
}

impl Error {
    /// An error with this status that names nothing yet.
    ///
    /// ```
    /// use stride::error::{Argument, Detail, Error, Status};
    /// // As the library makes them, for code that answers in the same words.
    /// let error = Error::new(Status::OutOfBounds).argument(Argument::SrcBytes).because(Detail::PastEnd, 8, 6);
    /// assert_eq!(error.to_string(), "src_bytes: 8 bytes are needed, but the buffer has 6");
    /// let error = Error::new(Status::InvalidTile).argument(Argument::Tile).item(1).dimension(0);
    /// let error = error.because(Detail::Below, 0, 1);
    /// assert_eq!(error.to_string(), "tile 1, entry 0: tile size 0 is below the minimum of 1");
    /// let error = Error::new(Status::Parse).argument(Argument::Text).position(3).because_wide(Detail::Name, 0, 0);
    /// assert_eq!(error.to_string(), "text, byte 3: unknown dtype");
    /// ```
    pub const fn new(status: Status) -> Self {
        let (argument, detail) = (Argument::None, Detail::None);
        Self { status, argument, dimension: -1, item: -1, position: u64::MAX, lhs: 0, rhs: 0, detail }
    }

    /// Names the argument, unless a room nearer to the mistake already did.
    pub const fn argument(mut self, argument: Argument) -> Self {
        if matches!(self.argument, Argument::None) {
            self.argument = argument;
        }
        self
    }

    /// Names the dimension.
    pub const fn dimension(mut self, dimension: usize) -> Self {
        self.dimension = dimension as i32;
        self
    }

    /// Names the operand, tile or block.
    pub const fn item(mut self, item: usize) -> Self {
        self.item = item as i32;
        self
    }

    /// Names the byte of a text.
    pub const fn position(mut self, position: usize) -> Self {
        self.position = position as u64;
        self
    }

    /// Names the rule that was broken, by a number and the one it was held against (see [`Detail`]).
    ///
    /// # Panics
    ///
    /// In builds with debug assertions, unless a status such as this one has this detail ([`reasons::REASONS`]).
    pub const fn because(mut self, detail: Detail, lhs: i64, rhs: i64) -> Self {
        debug_assert!(reasons::is_reason(self.status, detail), "REASONS lacks this pair");
        self.detail = detail;
        self.lhs = lhs;
        self.rhs = rhs;
        self
    }

    /// Checks a rule: [`Error::because_wide`] of it unless it holds.
    #[inline(always)] // the error is made only where it is needed
    pub(crate) fn unless(self, holds: bool, detail: Detail, lhs: impl Into<i128>, rhs: impl Into<i128>) -> Result<()> {
        if holds { Ok(()) } else { Err(self.because_wide(detail, lhs.into(), rhs.into())) }
    }

    /// PARSE: the character at this place of a text (`None` at its end), and those that may stand there: up to seven
    /// characters, where `0` is a number, `A` a letter, `a` a small letter, `$` the end.
    pub(crate) fn expected(self, found: Option<&u8>, what: &[u8]) -> Self {
        let packed = what.iter().take(7).rev().fold(0, |packed, &byte| packed << 8 | i64::from(byte));
        self.because(Detail::Syntax, found.map_or(-1, |&byte| i64::from(byte)), packed)
    }

    /// [`Error::because`] for numbers that may lie outside 64 bits: they are saturated.
    pub const fn because_wide(self, detail: Detail, lhs: i128, rhs: i128) -> Self {
        self.because(detail, saturate(lhs), saturate(rhs))
    }

    /// The error, with both numbers, unless this one has the least value or more.
    #[inline]
    pub(crate) fn at_least(self, number: i64, least: i64) -> Result<()> {
        if number < least { Err(self.because(Detail::Below, number, least)) } else { Ok(()) }
    }

    /// The error, with both numbers, unless this one has the most value or less.
    #[inline]
    pub(crate) fn at_most(self, number: i64, most: i64) -> Result<()> {
        if number > most { Err(self.because(Detail::Above, number, most)) } else { Ok(()) }
    }

    /// The error, with both numbers, unless this one is 0 or more and below the count.
    #[inline]
    pub(crate) fn in_range(self, number: i64, count: i64) -> Result<()> {
        if number < 0 || number >= count { Err(self.because(Detail::OutOfRange, number, count)) } else { Ok(()) }
    }

    /// The error, with both numbers, unless this one is a multiple.
    #[inline]
    pub(crate) fn multiple(self, number: u64, of: u64) -> Result<()> {
        if number.is_multiple_of(of) {
            return Ok(());
        }
        Err(self.because_wide(Detail::NotAMultiple, number as i128, of as i128))
    }
}

impl Status {
    /// An error with this status in an argument.
    pub(crate) const fn of(self, argument: Argument) -> Error {
        Error::new(self).argument(argument)
    }
}

const fn saturate(number: i128) -> i64 {
    if number > i64::MAX as i128 {
        i64::MAX
    } else if number < i64::MIN as i128 {
        i64::MIN
    } else {
        number as i64
    }
}

/// Names the argument of a result's error.
pub(crate) trait ForArgument {
    /// [`Error::argument`] on the error, if there is one.
    fn for_argument(self, argument: Argument) -> Self;

    /// Names the argument, whatever it was called before: its role in this function says more.
    fn in_role(self, argument: Argument) -> Self;
}

impl<T> ForArgument for Result<T> {
    fn for_argument(self, argument: Argument) -> Self {
        self.map_err(|error| error.argument(argument))
    }

    fn in_role(self, argument: Argument) -> Self {
        self.map_err(|error| Error { argument, ..error })
    }
}

/// INVALID_RANK unless a list has as many entries as are needed; `argument` is the one that counts them.
#[inline]
pub(crate) fn check_count(given: usize, needed: usize, argument: Argument) -> Result<()> {
    if given == needed {
        return Ok(());
    }
    Err(Status::InvalidRank.of(argument).because_wide(Detail::Count, given as i128, needed as i128))
}

/// INVALID_RANK above the most.
pub(crate) fn check_rank(rank: usize, most: usize, argument: Argument) -> Result<()> {
    Status::InvalidRank.of(argument).unless(rank <= most, Detail::Above, rank as i128, most as i128)
}

/// INVALID_ARGUMENT for flags that are not known.
pub(crate) const fn check_flags(flags: u32, known: u32, argument: Argument) -> Result<()> {
    match flags & !known {
        0 => Ok(()),
        _ => Err(Status::InvalidArgument.of(argument).because(Detail::UnknownFlag, flags as i64, known as i64)),
    }
}

impl core::error::Error for Error {}

/// The sentence as well: it is what `unwrap`, and a `main` that returns an error, show.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_record_end_where_64_bits_do() {
        for number in [i64::MIN as i128 - 1, i128::MIN, i64::MIN as i128] {
            assert_eq!(saturate(number), i64::MIN);
        }
        for number in [i64::MAX as i128 + 1, i128::MAX, i64::MAX as i128] {
            assert_eq!(saturate(number), i64::MAX);
        }
        assert_eq!([-1, 0, 1, i64::MAX as i128 - 1].map(saturate), [-1, 0, 1, i64::MAX - 1]);
    }

    #[test]
    fn numbers_are_pinned_and_come_back() {
        for &status in Status::ALL {
            assert_eq!(Status::from_number(status.number()), Some(status));
        }
        for &argument in Argument::ALL {
            assert_eq!(Argument::from_number(argument.number()), Some(argument));
        }
        for &detail in Detail::ALL {
            assert_eq!(Detail::from_number(detail.number()), Some(detail));
        }
        assert!(Status::ALL.is_sorted_by_key(|status| status.number()));
        assert!(Argument::ALL.is_sorted_by_key(|argument| argument.number()));
        assert!(Detail::ALL.is_sorted_by_key(|detail| detail.number()));
        assert_eq!(Status::from_number(-1), None);
        assert_eq!(
            (Status::Overflow.number(), Status::OutOfBounds.number(), Status::Undecided.number()),
            (10, 30, 101)
        );
    }

    #[test]
    fn what_unwrap_shows_is_the_sentence() {
        let error = Error::new(Status::OutOfBounds).argument(Argument::SrcBytes).because(Detail::PastEnd, 8, 6);
        let result: Result<()> = Err(error);
        assert_eq!(std::format!("{result:?}"), "Err(src_bytes: 8 bytes are needed, but the buffer has 6)");
    }

    #[test]
    fn the_room_nearest_to_the_mistake_names_the_argument() {
        let error = Error::new(Status::ShapeMismatch).argument(Argument::SrcLayout);
        assert_eq!(error.argument(Argument::DstLayout).argument, Argument::SrcLayout);
    }
}
