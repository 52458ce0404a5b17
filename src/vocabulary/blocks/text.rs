//! The text of a blocked layout, read and written.

use super::{Block, BlockedLayout, MAX_BLOCKS, MAX_TEXT_RANK};
use crate::error::{Argument, Detail, Error, Result, check_rank};
use crate::model::Dtype;
use crate::model::size::{Size, SizeRoom};
use crate::vocabulary::reader::Reader;
use arrayvec::ArrayVec;
use core::fmt::{self, Write};

impl BlockedLayout {
    /// The layout of these sizes that a text describes. PARSE with the wrong byte; else as [`BlockedLayout::new`].
    ///
    /// ```
    /// # use stride::{Dtype, vocabulary::blocks::BlockedLayout};
    /// let vnni = BlockedLayout::parse("a/2 b a%2", Dtype::BF16, &[64, 32])?;
    /// assert_eq!(vnni.to_string(), "a/2 b a%2");
    /// assert!(BlockedLayout::parse("a/2 b a%2c", Dtype::BF16, &[64, 32]).is_err());
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn parse<S: Size>(text: impl AsRef<[u8]>, dtype: Dtype, sizes: &[S]) -> Result<Self> {
        let mut room = SizeRoom::new();
        let sizes = S::list(sizes, &mut room)?;
        parse(text.as_ref(), dtype, sizes)
    }

    /// Refuses layouts without a text: INVALID_RANK above 26.
    pub(crate) fn check_text(&self) -> Result<()> {
        check_rank(self.sizes.len(), MAX_TEXT_RANK, Argument::Blocked)
    }
}

fn parse(text: &[u8], dtype: Dtype, sizes: &[i64]) -> Result<BlockedLayout> {
    let mut blocks = ArrayVec::<Block, MAX_BLOCKS>::new();
    let mut reader = Reader::new(text);
    while reader.at < text.len() {
        if !blocks.is_empty() && !reader.takes(b' ') {
            return Err(reader.expected(b"/% $"));
        }
        let letter = text.get(reader.at).filter(|byte| byte.is_ascii_lowercase()).ok_or(reader.expected(b"a"))?;
        let dimension = i64::from(letter - b'a');
        reader.expected(b"a").in_range(dimension, sizes.len() as i64)?;
        if blocks.is_full() {
            return Err(reader.expected(b"$").because(Detail::Above, MAX_BLOCKS as i64 + 1, MAX_BLOCKS as i64));
        }
        reader.at += 1;
        let step = reader.number_after(b'/')?.unwrap_or(1);
        let size = reader.number_after(b'%')?.unwrap_or(0);
        let _ = blocks.try_push(Block { dimension, step, size });
    }
    BlockedLayout::new(dtype, sizes, &blocks).map_err(|error| match error.argument {
        Argument::BlockSizes | Argument::BlockSteps => Error { argument: Argument::Text, ..error },
        _ => error,
    })
}

impl Reader<'_> {
    /// The number after a sign, which is above 0, if the sign is there.
    fn number_after(&mut self, sign: u8) -> Result<Option<i64>> {
        if !self.takes(sign) {
            return Ok(None);
        }
        let zero = self.expected(b"0");
        let number = self.digits(false)?;
        zero.at_least(number, 1)?;
        Ok(Some(number))
    }
}

impl fmt::Display for BlockedLayout {
    /// The text of the blocks; dimensions past z are `?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Block { dimension, step, size }) in self.blocks().enumerate() {
            if number > 0 {
                f.write_char(' ')?;
            }
            let has_letter = dimension < MAX_TEXT_RANK as i64;
            f.write_char(if has_letter { char::from(b'a'.wrapping_add(dimension as u8)) } else { '?' })?;
            if step != 1 {
                write!(f, "/{step}")?;
            }
            if size != 0 {
                write!(f, "%{size}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;

    #[test]
    fn mistakes_in_texts_have_a_place() {
        for (text, position, detail) in [
            ("a/", 2, Detail::Syntax),
            ("a/x b", 2, Detail::Syntax),
            ("a/0 b", 2, Detail::Below),
            ("a%0 b", 2, Detail::Below),
            ("a%4/2 b", 3, Detail::Syntax),
            ("ab", 1, Detail::Syntax),
            ("a  b", 2, Detail::Syntax),
            (" a b", 0, Detail::Syntax),
            ("a b ", 4, Detail::Syntax),
            ("A b", 0, Detail::Syntax),
            ("a c", 2, Detail::OutOfRange),
            ("a/9223372036854775808 b", 2, Detail::Syntax),
        ] {
            let error = BlockedLayout::parse(text, Dtype::U8, &[10, 6]).unwrap_err();
            assert_eq!((error.status, error.argument, error.detail), (Status::Parse, Argument::Text, detail), "{text}");
            assert_eq!(error.position, position, "{text}");
        }
    }
}
