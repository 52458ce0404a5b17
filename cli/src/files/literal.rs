//! The text of a .npy header: a Python dict of three keys, of whose literals as much is known as a header has.
//!
//! Beside what numpy.save writes it takes what numpy.load does of other writers: prefixes and escapes of strings,
//! strings in several pieces, comments, numbers in other bases, parentheses. Source: "Lexical analysis" of Python's
//! reference.

use super::Outcome;
use stride::model::MAX_RANK;

const KEYS: [&str; 3] = ["descr", "fortran_order", "shape"];
const SIZE: &str = "a size";

pub struct Fields {
    pub descr: Vec<u8>,
    pub fortran: bool,
    pub sizes: Vec<i64>,
}

/// The three values.
pub fn fields(text: &[u8]) -> Outcome<Fields> {
    Literal { text, at: 0 }.fields()
}

struct Literal<'a> {
    text: &'a [u8],
    at: usize,
}

impl Literal<'_> {
    fn fields(mut self) -> Outcome<Fields> {
        let (mut descr, mut fortran, mut sizes) = (None, None, None);
        self.take(b'{')?;
        while !self.is_next(b'}') {
            let key = self.string()?;
            self.take(b':')?;
            let repeated = match &key[..] {
                b"descr" => descr.replace(self.descr()?).is_some(),
                b"fortran_order" => fortran.replace(self.truth()?).is_some(),
                b"shape" => sizes.replace(self.sizes()?).is_some(),
                _ => return Err(format!("its header has the key '{}'", key.escape_ascii())),
            };
            if repeated {
                return Err(format!("its header has '{}' twice", key.escape_ascii()));
            }
            if !self.is_next(b'}') {
                self.take(b',')?;
            }
        }
        self.take(b'}')?;
        self.skip_spaces();
        if self.at < self.text.len() {
            return Err(self.expected("nothing but spaces"));
        }
        let missing = |key: usize| format!("its header has no '{}'", KEYS[key]);
        Ok(Fields {
            descr: descr.ok_or_else(|| missing(0))?,
            fortran: fortran.ok_or_else(|| missing(1))?,
            sizes: sizes.ok_or_else(|| missing(2))?,
        })
    }

    /// A type string; structs are a list, arrays of arrays a tuple.
    fn descr(&mut self) -> Outcome<Vec<u8>> {
        if self.is_next(b'[') {
            return Err("its elements are structs with fields: save one field as an array of its own".into());
        }
        let open = self.skip_open();
        let descr = self.string()?;
        if open > 0 && self.is_next(b',') {
            return Err("its elements are arrays themselves: save them with a dtype of one number".into());
        }
        self.take_closed(open)?;
        Ok(descr)
    }

    fn truth(&mut self) -> Outcome<bool> {
        let open = self.skip_open();
        for (word, truth) in [("True", true), ("False", false)] {
            if self.text[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                self.take_closed(open)?;
                return Ok(truth);
            }
        }
        Err(self.expected("True or False"))
    }

    fn sizes(&mut self) -> Outcome<Vec<i64>> {
        let mut sizes = Vec::new();
        self.take(b'(')?;
        while !self.is_next(b')') {
            if sizes.len() == MAX_RANK {
                return Err(format!("its shape has more than {MAX_RANK} dimensions"));
            }
            let open = self.skip_open();
            sizes.push(self.number()?);
            self.take_closed(open)?;
            if !self.is_next(b')') {
                self.take(b',')?;
            } else if sizes.len() == 1 {
                return Err(self.expected("`,` after the only size, or Python reads a number"));
            }
        }
        self.take(b')')?;
        Ok(sizes)
    }

    /// `12`, `0xc`, `0o14`, `0b1100`, `1_2`, `+12`; Python 2 wrote long integers with an L.
    fn number(&mut self) -> Outcome<i64> {
        self.at += usize::from(self.is_next(b'+'));
        let length = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        let text = &self.text[self.at..self.at + length.count()];
        if !text.first().is_some_and(u8::is_ascii_digit) {
            return Err(self.expected(SIZE));
        }
        let (digits, base) = match text {
            [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
            [b'0', b'o' | b'O', digits @ ..] => (digits, 8),
            [b'0', b'b' | b'B', digits @ ..] => (digits, 2),
            digits => (digits, 10),
        };
        let digits = digits.strip_suffix(b"L").unwrap_or(digits);
        let digits = String::from_utf8_lossy(digits).replace('_', "");
        let size = i64::from_str_radix(&digits, base).map_err(|error| match error.kind() {
            std::num::IntErrorKind::PosOverflow => format!("its shape has the size {digits}, above 2^63 - 1"),
            _ => self.expected(SIZE),
        })?;
        self.at += text.len();
        Ok(size)
    }

    /// The bytes of a string, or of several that follow one another.
    fn string(&mut self) -> Outcome<Vec<u8>> {
        let mut inside = self.piece()?;
        while self.begins_string() {
            inside.extend(self.piece()?);
        }
        Ok(inside)
    }

    /// Whether a quote is next, or a prefix and a quote.
    fn begins_string(&mut self) -> bool {
        self.skip_spaces();
        matches!(self.text[self.at..], [b'\'' | b'"', ..] | [b'u' | b'U' | b'r' | b'R', b'\'' | b'"', ..])
    }

    fn piece(&mut self) -> Outcome<Vec<u8>> {
        if !self.begins_string() {
            return Err(self.expected("a string"));
        }
        let begin = self.at;
        let raw = matches!(self.text[self.at], b'r' | b'R');
        self.at += usize::from(self.text[self.at].is_ascii_alphabetic());
        let quote = self.text[self.at];
        self.at += 1;
        let mut inside = Vec::new();
        loop {
            match self.text[self.at..] {
                [byte, ..] if byte == quote => break,
                [b'\\', escaped, ..] if raw => {
                    inside.extend([b'\\', escaped]);
                    self.at += 2;
                }
                [b'\\', ..] => self.escape(&mut inside)?,
                [] | [b'\n', ..] => {
                    self.at = begin;
                    return Err(self.expected("a string that ends"));
                }
                [byte, ..] => {
                    inside.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        Ok(inside)
    }

    /// An escape sequence; a backslash that begins none stays.
    fn escape(&mut self, inside: &mut Vec<u8>) -> Outcome<()> {
        let rest = &self.text[self.at + 1..];
        let digits = |from: usize, most: usize, base: u32| {
            let digits = rest[from..].iter().take(most).take_while(|byte| char::from(**byte).is_digit(base)).count();
            let number = str::from_utf8(&rest[from..from + digits]).ok();
            (digits, number.and_then(|text| u32::from_str_radix(text, base).ok()).and_then(char::from_u32))
        };
        let (length, made) = match rest.first() {
            Some(b'\n') => (1, None),
            Some(b @ (b'\\' | b'\'' | b'"')) => (1, Some(char::from(*b))),
            Some(b'n') => (1, Some('\n')),
            Some(b't') => (1, Some('\t')),
            Some(b'r') => (1, Some('\r')),
            Some(b'0'..=b'7') => digits(0, 3, 8),
            Some(kind @ (b'x' | b'u' | b'U')) => {
                let most = [2, 4, 8][usize::from(*kind != b'x') + usize::from(*kind == b'U')];
                match digits(1, most, 16) {
                    (found, Some(made)) if found == most => (1 + most, Some(made)),
                    _ => return Err(self.expected("an escape of Python's")),
                }
            }
            _ => (0, Some('\\')),
        };
        inside.extend(made.map(String::from).unwrap_or_default().into_bytes());
        self.at += 1 + length;
        Ok(())
    }

    /// Parentheses around a value.
    fn skip_open(&mut self) -> usize {
        let mut open = 0;
        while self.is_next(b'(') {
            self.at += 1;
            open += 1;
        }
        open
    }

    fn take_closed(&mut self, open: usize) -> Outcome<()> {
        (0..open).try_for_each(|_| self.take(b')'))
    }

    fn take(&mut self, byte: u8) -> Outcome<()> {
        if !self.is_next(byte) {
            return Err(self.expected(&format!("`{}`", byte as char)));
        }
        self.at += 1;
        Ok(())
    }

    fn is_next(&mut self, byte: u8) -> bool {
        self.skip_spaces();
        self.text.get(self.at) == Some(&byte)
    }

    /// Spaces, comments, and ends of lines after a backslash.
    fn skip_spaces(&mut self) {
        loop {
            match self.text[self.at..] {
                [byte, ..] if byte.is_ascii_whitespace() => self.at += 1,
                [b'\\', b'\n', ..] => self.at += 2,
                [b'#', ..] => {
                    let rest = &self.text[self.at..];
                    self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn expected(&self, what: &str) -> String {
        match self.text.get(self.at) {
            Some(byte) if byte.is_ascii_graphic() => {
                format!("its header: `{}` at byte {}, not {what}", *byte as char, self.at)
            }
            Some(byte) => format!("its header: the byte {byte:#04x} at byte {}, not {what}", self.at),
            None => format!("its header ends at byte {}, not with {what}", self.at),
        }
    }
}
