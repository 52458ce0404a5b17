//! The text form of a shape: `f32[2,3]{0,1}`.
//!
//! ```text
//! shape   := type '[' [dim (',' dim)*] ']' [layout]          dim := int | '<=' int
//! layout  := '{' [int (',' int)*] [':' section*] '}'
//! section := 'L' '(' int ')' | 'E' '(' int ')' | 'S' '(' int ')'          in this order, each at most once
//! ```
//!
//! White space and C comments may stand between tokens. A missing layout is the default order. Sections of XLA's grammar
//! that this version does not know (tiles `T`, sparse levels, splits) and unbounded dimensions `?` are UNSUPPORTED with
//! their position. Every other deviation is PARSE with the byte at which the text stops making sense.
//!
//! Printing gives what XLA prints: the order whenever the rank is above 0, sections only where they say something.
//! Padding has no text: a padded shape is NOT_REPRESENTABLE, see [`check_printable`].

use super::shape::Shape;
use crate::error::{Argument, Error, Result, Status};
use crate::model::{Dtype, MAX_RANK};
use core::fmt;

/// Reads a shape; the whole text must be one.
///
/// ```
/// let shape = stride::vocabulary::xla::text::parse(b"f32[2,3]{0,1}").unwrap();
/// assert_eq!(shape.minor_to_major(), [0, 1]);
/// assert_eq!(stride::vocabulary::xla::text::parse(b"f32[2,3]{0,5}").unwrap_err().position, 11);
/// ```
pub fn parse(text: &[u8]) -> Result<Shape> {
    let mut scanner = Scanner { text, at: 0 };
    let dtype = scanner.dtype()?;
    scanner.expect(b'[')?;
    let mut list = List::new();
    let mut dynamic = 0u64;
    if !scanner.accept(b']')? {
        loop {
            let bounded = scanner.accept(b'<')?;
            if bounded {
                scanner.directly(b'=')?; // one token
            }
            if scanner.peek()? == Some(b'?') {
                return Err(scanner.unsupported());
            }
            dynamic |= u64::from(bounded) << (list.len & 63);
            scanner.push_number(&mut list)?;
            if !scanner.accept(b',')? {
                break;
            }
        }
        scanner.expect(b']')?;
    }
    let after_sizes = scanner.at;
    let mut layout = Sections::default_for(list.len);
    if scanner.accept(b'{')? {
        layout = scanner.layout(dtype, list.len)?;
    }
    let mut shape = Shape::stored(dtype, list.as_slice(), Some(layout.order.as_slice()), layout.element_bits)
        .and_then(|shape| shape.with_tail_alignment(layout.tail_alignment))
        .map_err(|error| error.position(after_sizes))?;
    shape.memory_space = layout.memory_space;
    shape.dynamic = dynamic;
    match scanner.peek()? {
        None => Ok(shape),
        Some(_) => Err(scanner.error()),
    }
}

/// Whether [`Display`](fmt::Display) says everything about the shape; NOT_REPRESENTABLE with the dimension that is padded.
pub fn check_printable(shape: &Shape) -> Result<()> {
    let padded = shape.sizes().iter().zip(shape.padded_sizes()).enumerate().find(|(_, (size, padded))| size != padded);
    match padded {
        None => Ok(()),
        Some((dimension, (&size, &padded))) => {
            let error = Error::new(Status::NotRepresentable).argument(Argument::Shape);
            Err(error.dimension(dimension).numbers(padded, size))
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = |k: usize| if k == 0 { "" } else { "," };
        write!(f, "{}[", self.dtype())?;
        for (k, size) in self.sizes().iter().enumerate() {
            let bound = if self.dynamic & (1 << (k & 63)) != 0 { "<=" } else { "" };
            write!(f, "{}{bound}{size}", separator(k))?;
        }
        f.write_str("]")?;
        let sections = self.tail_alignment() != 1 || self.element_bits() != 0 || self.memory_space != 0;
        if self.rank() == 0 && !sections {
            return Ok(());
        }
        f.write_str("{")?;
        for (k, dimension) in self.minor_to_major().iter().enumerate() {
            write!(f, "{}{dimension}", separator(k))?;
        }
        if sections {
            f.write_str(":")?;
            for (letter, value, default) in
                [('L', self.tail_alignment(), 1), ('E', self.element_bits() as i64, 0), ('S', self.memory_space, 0)]
            {
                if value != default {
                    write!(f, "{letter}({value})")?;
                }
            }
        }
        f.write_str("}")
    }
}

/// Up to 64 numbers and where each stood.
struct List {
    len: usize,
    numbers: [i64; MAX_RANK],
}

impl List {
    fn new() -> Self {
        Self { len: 0, numbers: [0; MAX_RANK] }
    }

    fn as_slice(&self) -> &[i64] {
        &self.numbers[..self.len.min(MAX_RANK)]
    }
}

/// What stands between the braces.
struct Sections {
    order: List,
    tail_alignment: i64,
    element_bits: u32,
    memory_space: i64,
}

impl Sections {
    /// No braces: the descending order of `rank` dimensions.
    fn default_for(rank: usize) -> Self {
        let mut order = List::new();
        order.len = rank;
        for (slot, dimension) in order.numbers.iter_mut().zip((0..rank as i64).rev()) {
            *slot = dimension;
        }
        Self { order, tail_alignment: 1, element_bits: 0, memory_space: 0 }
    }
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn error(&self) -> Error {
        Error::new(Status::Parse).argument(Argument::Text).position(self.at)
    }

    fn unsupported(&self) -> Error {
        Error::new(Status::Unsupported).argument(Argument::Text).position(self.at)
    }

    /// The next byte that is no white space or comment.
    fn peek(&mut self) -> Result<Option<u8>> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or(&[]);
            if rest.first().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            } else if rest.starts_with(b"/*") {
                let body = rest.get(2..).unwrap_or(&[]);
                match body.windows(2).position(|pair| pair == b"*/") {
                    Some(length) => self.at += length + 4,
                    None => return Err(self.error()),
                }
            } else if rest.starts_with(b"//") {
                self.at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
            } else {
                return Ok(rest.first().copied());
            }
        }
    }

    fn accept(&mut self, byte: u8) -> Result<bool> {
        let found = self.peek()? == Some(byte);
        self.at += usize::from(found);
        Ok(found)
    }

    /// The very next byte, no white space before it.
    fn directly(&mut self, byte: u8) -> Result<()> {
        if self.text.get(self.at) != Some(&byte) {
            return Err(self.error());
        }
        self.at += 1;
        Ok(())
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        if self.accept(byte)? { Ok(()) } else { Err(self.error()) }
    }

    fn dtype(&mut self) -> Result<Dtype> {
        self.peek()?;
        let rest = self.text.get(self.at..).unwrap_or(&[]);
        let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or(&[]);
        if word == b"token" || word == b"opaque" {
            return Err(self.unsupported());
        }
        let dtype = Dtype::parse(word).ok().filter(|dtype| !dtype.is_bytes()).ok_or(self.error())?;
        self.at += length;
        Ok(dtype)
    }

    /// A number of decimal digits without a sign.
    fn number(&mut self) -> Result<i64> {
        self.peek()?;
        let start = self.at;
        let mut number = 0i64;
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            let grown = number.checked_mul(10).and_then(|tens| tens.checked_add((digit - b'0') as i64));
            number = grown.ok_or(Error::new(Status::Parse).argument(Argument::Text).position(start))?;
            self.at += 1;
        }
        if self.at == start { Err(self.error()) } else { Ok(number) }
    }

    fn push_number(&mut self, list: &mut List) -> Result<()> {
        self.peek()?;
        let start = self.at;
        let number = self.number()?;
        let Some(slot) = list.numbers.get_mut(list.len) else {
            let error = Error::new(Status::InvalidRank).argument(Argument::Text).position(start);
            return Err(error.numbers(MAX_RANK as i64 + 1, MAX_RANK as i64));
        };
        *slot = number;
        list.len += 1;
        Ok(())
    }

    /// Behind the opening brace, up to and with the closing one.
    fn layout(&mut self, dtype: Dtype, rank: usize) -> Result<Sections> {
        let mut order = List::new();
        let mut seen = 0u64;
        if self.peek()?.is_some_and(|byte| byte.is_ascii_digit()) {
            loop {
                self.peek()?;
                let error = self.error();
                self.push_number(&mut order)?;
                let dimension = order.as_slice().last().copied().unwrap_or(0);
                if dimension >= rank as i64 || seen & (1 << (dimension & 63)) != 0 {
                    return Err(error);
                }
                seen |= 1 << (dimension & 63);
                if !self.accept(b',')? {
                    break;
                }
            }
        } else if self.peek()? != Some(b':') {
            return Err(self.error()); // XLA: a brace opens a layout only before a number or a colon
        }
        if order.len != rank {
            self.peek()?;
            return Err(self.error());
        }
        let mut sections = Sections { order, ..Sections::default_for(0) };
        let bare = Shape::new(dtype, &[], None)?; // to ask what a section may say
        if self.accept(b':')? {
            for letter in [b'L', b'E', b'S'] {
                if !self.section(letter)? {
                    continue;
                }
                self.peek()?;
                let error = self.error();
                let negative = letter == b'S' && self.accept(b'-')?;
                let value = if negative { -self.number()? } else { self.number()? };
                match letter {
                    b'L' => {
                        sections.tail_alignment = bare.with_tail_alignment(value).map_err(|_| error)?.tail_alignment()
                    }
                    b'E' => {
                        sections.element_bits = u32::try_from(value).map_err(|_| error)?;
                        bare.with_element_bits(sections.element_bits).map_err(|_| error)?;
                    }
                    _ => sections.memory_space = value,
                }
                self.expect(b')')?;
            }
        }
        match self.peek()? {
            Some(b'}') => {
                self.at += 1;
                Ok(sections)
            }
            Some(b'T' | b'D' | b'#' | b'*' | b'P' | b'M') => Err(self.unsupported()),
            Some(b'S') if self.text.get(self.at + 1) == Some(&b'C') => Err(self.unsupported()),
            _ => Err(self.error()),
        }
    }

    /// A section's letter and its opening parenthesis.
    fn section(&mut self, letter: u8) -> Result<bool> {
        if self.peek()? != Some(letter) || (letter == b'S' && self.text.get(self.at + 1) == Some(&b'C')) {
            return Ok(false);
        }
        self.at += 1;
        self.expect(b'(')?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn gaps_are_those_of_xla() {
        let text = b"f32[2, //a\r3,\t//b\r\n4]\r//c";
        assert_eq!(parse(text).unwrap().to_string(), "f32[2,3,4]{2,1,0}"); // a comment ends at either line end
        assert_eq!(parse(b"f32[2]\x0c").unwrap_err().position, 6);
        assert_eq!(parse(b"f32[2]\x0b").unwrap_err().position, 6);
    }

    #[test]
    fn printed_text_comes_back() {
        for text in [
            "f32[2,3]{0,1}",
            "f32[]",
            "s4[8,2]{1,0:E(4)}",
            "pred[0]{0}",
            "bf16[<=8,2]{1,0:L(16)S(5)}",
            "u8[]{:S(1)}",
            "f32[2]{0:S(-5)}",
            "f32[1,2,3,4,5,6]{5,4,3,2,1,0}",
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap().to_string(), text);
        }
        let spaced = b" f32 [ 2 , /* rows */ 3 ] { 0 ,1 : E( 64 ) } // end";
        assert_eq!(parse(spaced).unwrap().to_string(), "f32[2,3]{0,1:E(64)}");
        assert_eq!(parse(b"f32[2,3]").unwrap().to_string(), "f32[2,3]{1,0}");
        assert_eq!(parse(b"f32[2]{0:E(32)}").unwrap().to_string(), "f32[2]{0}");
    }

    #[test]
    fn errors_have_a_position() {
        for (text, position) in [
            ("", 0),
            ("f33[2]", 0),
            ("f32", 3),
            ("f32[2", 5),
            ("f32[2,]", 6),
            ("f32[-2]", 4),
            ("f32[2]x", 6),
            ("f32[2,3]{0}", 10),
            ("f32[2,3]{0,0}", 11),
            ("f32[2,3]{0,2}", 11),
            ("f32[2]{0", 8),
            ("f32[2]{0:X(1)}", 9),
            ("f32[2]{0:E(3)}", 11),
            ("f32[2]{0:L(0)}", 11),
            ("f32[2]{0:S(1)E(64)}", 13),
            ("f32[2]{}", 7),
            ("f32[]{}", 6),
            ("f32[99999999999999999999]", 4),
            ("f32[2] /* open", 7),
            ("bytes4[2]", 0),
            ("f32[2]{0}{0}", 9),
            ("f32[< =8]", 5),
            ("f32[<8]", 5),
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert_eq!((error.status, error.position), (Status::Parse, position), "{text}");
        }
        for (text, position) in [("f32[?]", 4), ("f32[8]{0:T(8)}", 9), ("f32[8]{0:SC(0:4)}", 9), ("token[]", 0)] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert_eq!((error.status, error.position), (Status::Unsupported, position), "{text}");
        }
        assert_eq!(parse(b"f32[4294967296,4294967296]").unwrap_err().status, Status::Overflow);
        assert_eq!(parse(b"s4[1152921504606846976]{0:E(4)}").unwrap().byte_size(), Ok(1 << 59));
    }
}
