//! The names of blocked formats: `aBcd16b`, `nChw16c`, `NCHW16c`.
//!
//! ```text
//! tag := letter* block*        block := size letter        size := 1 or more
//! ```
//!
//! The first letters are the dimensions, outermost first, each once: the order. The blocks follow, outermost first. A
//! dimension with blocks is a capital letter, another one a small letter (oneDNN); if the letters are names, all may be
//! capitals as well (TVM, MXNet). What a letter stands for:
//!
//! | the tag has | dimensions in their order |
//! |---|---|
//! | an a | a b c … z: their numbers |
//! | an x | x |
//! | an l, no d, and a g, o or i | g o i l: groups, outputs, inputs, length |
//! | another l, no d | n c l: batch, channels, length |
//! | an l and a d, and an n or c | l d n c: layers, directions, batch, channels |
//! | another l and d | l d i g o: layers, directions, inputs, gates, outputs |
//! | a t | t n c: time, batch, channels |
//! | a g, o or i | g o i d h w: groups, outputs, inputs, depth, height, width |
//! | nothing of that | n c d h w: batch, channels, depth, height, width |
//!
//! Letters that the tag does not have are left out: in `hwio` o is dimension 0, i 1, h 2 and w 3. This is what
//! `dnnl_format_tag_t` of oneDNN's dnnl_types.h says of its named formats. Formats with layers have directions too;
//! without these l is the one spatial dimension, as in Paddle's `NLC`.
//!
//! Dimensions go up to z (rank 26); oneDNN's end at l. An empty tag is a scalar. In `ABCD16b` the letters are numbers,
//! which may not all be capitals: it is refused.

use super::blocked::Blocked;
use super::shape::Shape;
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_rank};
use crate::model::{Dtype, fixed};
use core::fmt::{self, Write};

/// Letters that stand for numbers of dimensions.
const NUMBERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
/// The highest rank of a shape that has a tag.
pub const MAX_TAG_RANK: usize = NUMBERS.len();

/// The shape of these sizes that a tag describes. PARSE with the wrong byte; else as [`Shape::from_blocked`].
///
/// ```
/// use stride::model::Dtype;
/// let shape = stride::vocabulary::xla::tag::parse(b"nChw16c", Dtype::F32, &[1, 30, 7, 7]).unwrap();
/// assert_eq!(shape.to_string(), "f32[1,30,7,7]{3,2,1,0:T(16,1,1)}");
/// ```
pub fn parse(tag: &[u8], dtype: Dtype, sizes: &[i64]) -> Result<Shape> {
    let blocked = read(tag, sizes.len()).in_role(Argument::Tag)?;
    Shape::from_blocked(dtype, sizes, &blocked).map_err(|error| match error.argument {
        Argument::BlockSizes => Error { argument: Argument::Tag, ..error },
        _ => error,
    })
}

/// PARSE at this place of a tag, where `what` may stand.
fn expected(tag: &[u8], position: usize, what: &[u8]) -> Error {
    Error::new(Status::Parse).position(position).expected(tag.get(position), what)
}

/// The order and the blocks of a tag.
pub(crate) fn read(tag: &[u8], rank: usize) -> Result<Blocked> {
    let end = tag.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(tag.len());
    let (outer, mut rest) = tag.split_at_checked(end).unwrap_or((tag, &[]));
    let error_at = |position| expected(tag, position, b"0");
    let letters = Letters::of(outer);
    let mut order = [0i64; MAX_TAG_RANK];
    if let (Some((&letter, before)), Some((size, []))) = (outer.split_last(), number(rest))
        && before.iter().any(|other| other.eq_ignore_ascii_case(&letter))
    {
        return Err(error_at(end - 1).because(Detail::BlockReversed, letter.to_ascii_lowercase().into(), size));
    }
    let counts = outer.len() == rank || outer.iter().any(|&letter| letters.dimension(letter).is_none());
    error_at(end).unless(counts, Detail::Count, outer.len() as i64, rank as i64)?;
    for (at, &letter) in outer.iter().enumerate() {
        let dimension = letters.dimension(letter).ok_or(expected(tag, at, letters.order))?;
        error_at(at).unless(dimension < rank, Detail::OutOfRange, dimension as i64, rank as i64)?;
        let is_new = !order.iter().take(at).any(|&other| other == dimension as i64);
        error_at(at).unless(is_new, Detail::Repeated, dimension as i64, rank as i64)?;
        fixed::set(&mut order, at, dimension as i64);
    }
    error_at(end).unless(outer.len() == rank, Detail::Count, outer.len() as i64, rank as i64)?;
    let mut blocked = Blocked::new(rank, order.get(..rank))?;
    let mut with_blocks = 0u64; // blocks of 1 count
    while !rest.is_empty() {
        let at = tag.len() - rest.len();
        let (size, after) = number(rest).ok_or(error_at(at))?;
        error_at(at).unless(size >= 1, Detail::Below, size, 1)?;
        let of_letter = expected(tag, tag.len() - after.len(), b"a");
        let Some((&letter, after)) = after.split_first() else { return Err(of_letter) };
        let dimension = letters.dimension(letter).filter(|&dimension| letter.is_ascii_lowercase() && dimension < rank);
        let dimension = dimension.ok_or(of_letter)?;
        blocked.push(dimension as i64, size).map_err(|error| error.position(at))?;
        with_blocks |= 1 << (dimension & 63);
        rest = after;
    }
    let all_capitals = letters.order != NUMBERS && outer.iter().all(u8::is_ascii_uppercase);
    let is_wrong = |&(&dimension, letter): &(&i64, &u8)| {
        letter.is_ascii_uppercase() != (with_blocks & (1 << (dimension & 63)) != 0)
    };
    match order.iter().zip(outer).position(|pair| is_wrong(&pair)) {
        Some(at) if !all_capitals => {
            let letter = outer.get(at).copied().unwrap_or_default();
            Err(error_at(at).because(Detail::BlockLetter, i64::from(letter ^ b' '), letter.into()))
        }
        _ => Ok(blocked),
    }
}

/// The decimal digits at the beginning as a number, and the rest.
fn number(text: &[u8]) -> Option<(i64, &[u8])> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end).filter(|(digits, _)| !digits.is_empty())?;
    let digit = |number: i64, &byte: &u8| number.checked_mul(10)?.checked_add(i64::from(byte.wrapping_sub(b'0')));
    Some((digits.iter().try_fold(0, digit)?, rest))
}

/// The dimensions that the letters of a tag stand for.
struct Letters {
    /// All possible letters, in the order of their dimensions.
    order: &'static [u8],
    /// Bit k: the tag has the k-th letter of the alphabet, counted from 1.
    present: u32,
}

/// The five low bits of a letter are its number; capitals and small letters differ above them.
fn bit(letter: u8) -> u32 {
    1 << (letter & 31)
}

impl Letters {
    fn of(letters: &[u8]) -> Self {
        let present = letters.iter().fold(0, |present, &letter| present | bit(letter));
        let has = |some: &[u8]| some.iter().any(|&letter| present & bit(letter) != 0);
        let order: &[u8] = match () {
            _ if has(b"a") => NUMBERS,
            _ if has(b"x") => b"x",
            _ if has(b"l") && !has(b"d") && has(b"goi") => b"goil",
            _ if has(b"l") && !has(b"d") => b"ncl",
            _ if has(b"l") && has(b"nc") => b"ldnc",
            _ if has(b"l") => b"ldigo",
            _ if has(b"t") => b"tnc",
            _ if has(b"goi") => b"goidhw",
            _ => b"ncdhw",
        };
        Self { order, present }
    }

    /// The dimension that a letter stands for.
    fn dimension(&self, letter: u8) -> Option<usize> {
        let place = self.order.iter().position(|&other| other == letter.to_ascii_lowercase())?;
        if self.order == NUMBERS {
            return Some(place);
        }
        let is_present = |&other: &u8| self.present & bit(other) != 0;
        let before = self.order.iter().take(place).filter(|letter| is_present(letter)).count();
        is_present(&letter).then_some(before)
    }
}

/// A format that has a tag, and its tag.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::xla::tag::{Tag, parse};
/// let shape = parse(b"nChw16c", Dtype::F32, &[2, 20, 3, 5])?;
/// let tag: Tag = Tag::of(&shape)?;
/// assert_eq!(tag.to_string(), "aBcd16b");
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag(Blocked);

impl Tag {
    /// The tag of a shape, by numbers of dimensions. NOT_REPRESENTABLE as [`Blocked::of`]; INVALID_RANK beyond
    /// [`MAX_TAG_RANK`].
    ///
    /// ```
    /// use stride::vocabulary::xla::{tag::Tag, text::parse};
    /// assert_eq!(Tag::of(&parse(b"f32[2,3,4]{1,2,0}")?)?.to_string(), "acb");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn of(shape: &Shape) -> Result<Self> {
        check_rank(shape.rank(), MAX_TAG_RANK, Argument::Shape)?;
        Blocked::of(shape).map(Self)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |dimension: i64| b'a'.wrapping_add(dimension as u8);
        for &dimension in self.0.outer_order() {
            let small = letter(dimension);
            f.write_char(char::from(if self.0.is_blocked(dimension) { small.to_ascii_uppercase() } else { small }))?;
        }
        for (size, &dimension) in self.0.block_sizes().iter().zip(self.0.block_dims()) {
            write!(f, "{size}{}", char::from(letter(dimension)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn letters_stand_for_dimensions() {
        // dnnl_types.h: hwigo is decab, ldgoi abdec, ntc bac, chwn bcda.
        for (tag, numbers) in [("hwigo", "decab"), ("ldgoi", "abdec"), ("ntc", "bac"), ("chwn", "bcda"), ("x", "a")] {
            let sizes = &[2, 3, 4, 5, 6][..tag.len()];
            let both = [tag, numbers].map(|tag| parse(tag.as_bytes(), Dtype::F32, sizes).unwrap());
            assert_eq!(both[0], both[1], "{tag}");
            assert_eq!(Tag::of(&both[0]).unwrap().to_string(), numbers);
        }
    }

    #[test]
    fn mistakes_have_a_place() {
        for (tag, rank, position, detail) in [
            ("nChw16", 4, 6, Detail::Syntax),
            ("nChw16C", 4, 6, Detail::Syntax),
            ("nChw16k", 4, 6, Detail::Syntax),
            ("ab4c", 2, 3, Detail::Syntax),
            ("nChw16c ", 4, 7, Detail::Syntax),
            ("nChw0c", 4, 4, Detail::Below),
            ("nChw99999999999999999999c", 4, 4, Detail::Syntax),
            ("nchw16c", 4, 1, Detail::BlockLetter),
            ("NChw16c", 4, 0, Detail::BlockLetter),
            ("ABCD16b", 4, 0, Detail::BlockLetter),
            ("nchw", 5, 4, Detail::Count),
            ("nchw", 3, 4, Detail::Count),
            ("acd", 3, 2, Detail::OutOfRange),
            ("abca", 4, 3, Detail::Repeated),
            ("nchq", 4, 3, Detail::Syntax),
            ("", 1, 0, Detail::Count),
            (" ab", 2, 0, Detail::Count),
        ] {
            let error = parse(tag.as_bytes(), Dtype::F32, &[2, 3, 4, 5, 6][..rank]).unwrap_err();
            assert_eq!((error.status, error.argument), (Status::Parse, Argument::Tag), "{tag}");
            assert_eq!((error.position, error.detail), (position, detail), "{tag}");
        }
        let too_much = |tag: &str| parse(tag.as_bytes(), Dtype::F32, &[2, 3]).unwrap_err();
        let error = too_much("Ab4294967296a4294967296a");
        assert_eq!((error.status, error.argument, error.position), (Status::Overflow, Argument::Tag, 13));
        let error = too_much("AB2b2a2b2a2b2a2b2a2b2a2b2a2b2a2b2a"); // each b goes back
        assert_eq!((error.status, error.argument), (Status::Unsupported, Argument::Tag));
        assert_eq!((error.detail, error.lhs, error.rhs), (Detail::TooManyTiles, 9, 8));
    }
}
