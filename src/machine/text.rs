//! A machine as text: `level=avx2 first=32768 second=524288 last=33554432 stream_from=0 …`, in any order.

use super::{Caches, Level, Machine, Tuning};
use crate::error::{Argument, Detail, Error, Result, Status};
use core::fmt;

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level={}", self.level.word())?;
        let mut machine = *self;
        machine.sizes().try_for_each(|(name, bytes)| write!(f, " {name}={bytes}"))
    }
}

impl Machine {
    /// Reads the text form. What it does not name is as on this CPU. PARSE with the byte for anything else; a `#`
    /// begins a comment, up to the end of the line.
    ///
    /// ```
    /// use stride::machine::{Level, Machine};
    /// let laptop = Machine::parse("level=avx2 second=1048576 last=8388608 # bytes")?;
    /// assert_eq!((laptop.level, laptop.caches.last), (Level::Avx2, 8 << 20));
    /// assert_eq!(Machine::parse(laptop.to_string())?, laptop);
    /// assert_eq!(Machine::parse("level=avx9").unwrap_err().position, 6);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        let mut machine = Self::this();
        let text = text.as_ref();
        let mut begin = 0;
        for line in text.split(|&byte| byte == b'\n') {
            let (mut at, told) = (begin, line.split(|&byte| byte == b'#').next().unwrap_or(&[]));
            for word in told.split(u8::is_ascii_whitespace) {
                if !word.is_empty() {
                    machine.set(text, at, at + word.len())?;
                }
                at += word.len() + 1;
            }
            begin += line.len() + 1;
        }
        Ok(machine)
    }

    /// All sizes and their names.
    fn sizes(&mut self) -> impl Iterator<Item = (&'static str, &mut u64)> {
        let Caches { first, second, last } = &mut self.caches;
        let tuning = Tuning::NAMES.iter().copied().zip(self.tuning.values_mut());
        [("first", first), ("second", second), ("last", last)].into_iter().chain(tuning)
    }

    /// Takes the word of a text that begins and ends at these bytes.
    fn set(&mut self, text: &[u8], begin: usize, end: usize) -> Result<()> {
        let word = text.get(begin..end).unwrap_or(&[]);
        let error_at = |at: usize| Error::new(Status::Parse).argument(Argument::Text).position(begin + at);
        let no_name_at = |at| Err(error_at(at).because(Detail::Name, 1, 0));
        let Some(equals) = word.iter().position(|&byte| byte == b'=') else {
            return Err(error_at(word.len()).expected(text.get(end), b"="));
        };
        let (name, value) = (word.get(..equals).unwrap_or(&[]), word.get(equals + 1..).unwrap_or(&[]));
        if name == b"level" {
            let Some(level) = Level::ALL.into_iter().find(|level| level.word().as_bytes() == value) else {
                return no_name_at(equals + 1);
            };
            self.level = level;
            return Ok(());
        }
        let found = self.sizes().find(|(known, _)| known.as_bytes() == name);
        let Some((_, place)) = found else { return no_name_at(0) };
        let bytes = value.iter().try_fold(0u64, |bytes, digit| {
            let digit = digit.checked_sub(b'0').filter(|&digit| digit < 10)?;
            bytes.checked_mul(10)?.checked_add(digit.into())
        });
        let Some(bytes) = bytes.filter(|_| !value.is_empty()) else {
            return Err(error_at(equals + 1).expected(value.first(), b"0"));
        };
        *place = bytes;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn the_text_of_a_machine_is_read_again() {
        let text = "level=neon first=1 second=2 last=3 stream_from=4 stream_late_from=5 \
                    stream_channels_from=6 stream_unaligned_from=12 prefetch_from=10 \
                    prefetch_second_from=18446744073709551615";
        let machine = Machine::parse(text).unwrap();
        assert_eq!((machine.level, machine.caches.second, machine.tuning.stream_unaligned_from), (Level::Neon, 2, 12));
        assert_eq!(machine.to_string(), text);
        for wrong in ["last=/", "last=:", "last=1:"] {
            assert_eq!(Machine::parse(wrong).map_err(|error| (error.status, error.position)), Err((Status::Parse, 5)));
        }
    }
}
