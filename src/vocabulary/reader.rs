//! A text that is read from the left. An error names the byte at which it stops making sense, and what may stand there.
//!
//! Texts that blanks divide (`a/2 b`) are read byte by byte. Elsewhere white space and C comments may stand between
//! tokens, which [`Reader::peek`] and what is built on it leave out.

use crate::error::{Argument, Error, Result, Status, check_rank};
use crate::model::MAX_RANK;
use arrayvec::ArrayVec;

/// Numbers of a text, one for each dimension.
pub(crate) type List = ArrayVec<i64, MAX_RANK>;

#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub text: &'a [u8],
    /// The byte that is next.
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// PARSE at this place, where `what` may stand.
    pub(crate) fn expected(&self, what: &[u8]) -> Error {
        Status::Parse.of(Argument::Text).position(self.at).expected(self.text.get(self.at), what)
    }

    /// The rest, which was not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or(&[])
    }

    /// The letters and digits at this very place.
    pub(crate) fn word(&self) -> &'a [u8] {
        let rest = self.rest();
        rest.get(..rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len())).unwrap_or(&[])
    }

    /// Takes the very next byte if it is this one.
    pub(crate) fn takes(&mut self, byte: u8) -> bool {
        let there = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }

    /// A number of decimal digits at this very place, with a minus sign directly before them if `signed`.
    pub(crate) fn digits(&mut self, signed: bool) -> Result<i64> {
        let error = self.expected(b""); // at the number's first byte
        let negative = signed && self.takes(b'-');
        let (first, mut number) = (self.at, 0i64);
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            let digit = (digit - b'0') as i64;
            let shifted = number.checked_mul(10);
            let grown = shifted.and_then(|n| if negative { n.checked_sub(digit) } else { n.checked_add(digit) });
            number = grown.ok_or(error)?;
            self.at += 1;
        }
        if self.at == first { Err(self.expected(b"0")) } else { Ok(number) }
    }

    /// The next byte that is not white space or a comment.
    pub(crate) fn peek(&mut self) -> Result<Option<u8>> {
        loop {
            let rest = self.rest();
            if rest.first().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            } else if rest.starts_with(b"/*") {
                let body = rest.get(2..).unwrap_or(&[]);
                match body.windows(2).position(|pair| pair == b"*/") {
                    Some(length) => self.at += length + 4,
                    None => return Err(self.expected(b"")),
                }
            } else if rest.starts_with(b"//") {
                self.at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
            } else {
                return Ok(rest.first().copied());
            }
        }
    }

    pub(crate) fn accept(&mut self, byte: u8) -> Result<bool> {
        self.peek()?;
        Ok(self.takes(byte))
    }

    /// Whether the next word is this one; if so it is taken.
    pub(crate) fn accept_word(&mut self, word: &[u8]) -> Result<bool> {
        self.peek()?;
        let found = self.word() == word;
        self.at += if found { word.len() } else { 0 };
        Ok(found)
    }

    pub(crate) fn expect(&mut self, byte: u8) -> Result<()> {
        self.expect_one_of(&[byte]).map(drop)
    }

    /// Takes the next byte, which is one of these.
    pub(crate) fn expect_one_of(&mut self, choice: &[u8]) -> Result<u8> {
        let found = self.peek()?.filter(|byte| choice.contains(byte)).ok_or(self.expected(choice))?;
        self.at += 1;
        Ok(found)
    }

    pub(crate) fn number(&mut self, signed: bool) -> Result<i64> {
        self.peek()?;
        self.digits(signed)
    }

    /// Appends the next number; INVALID_RANK past the limit.
    pub(crate) fn push_number(&mut self, list: &mut List, signed: bool) -> Result<()> {
        self.peek()?;
        let start = self.at;
        let number = self.digits(signed)?;
        push(list, number).map_err(|error| error.position(start))
    }
}

/// INVALID_RANK past the limit.
pub(crate) fn push(list: &mut List, number: i64) -> Result<()> {
    list.try_push(number).or_else(|_| check_rank(MAX_RANK + 1, MAX_RANK, Argument::None))
}
