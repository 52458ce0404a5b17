//! The text form of a shape: `f32[2,3]{0,1}`.
//!
//! ```text
//! shape   := type '[' [dim (',' dim)*] ']' [layout]          dim  := int | '<=' int | '?'
//! layout  := '{' [int (',' int)*] [':' section*] '}'
//! section := 'T' tile tile* | 'L' '(' int ')' | 'E' '(' int ')' | 'S' '(' int ')'     in this order, each at most once
//! tile    := '(' size (',' size)* ')'                        size := int | '*'
//! ```
//!
//! White space and C comments may stand between tokens. Without a layout the order is the default one. In a tile, `*`
//! is [`MERGE`]; its number is read too, and printed as `*`. Shapes that are not arrays, and sections about sparse
//! arrays or several memories (`D`, `#`, `*`, `SC`, `P`, `M`), are UNSUPPORTED with their position and name; so are
//! tiles beyond the limits of [`Tiles`]. Every other deviation is PARSE with the byte at which the text stops making
//! sense.
//!
//! Printing gives what XLA prints: the order if the rank is above 0, and only sections that mean something. A printed
//! shape is read back as the same shape. Padding has no text: a padded shape is NOT_REPRESENTABLE, see
//! [`check_printable`].

use super::padding::PaddingKind;
use super::shape::{Shape, UNBOUNDED};
use super::tiles::{MAX_TILE_SIZES, MERGE, Tiles};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
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
    read(text).in_role(Argument::Text) // also for what does not fit in the shape
}

fn read(text: &[u8]) -> Result<Shape> {
    let mut scanner = Scanner { text, at: 0 };
    let dtype = scanner.dtype()?;
    scanner.expect(b'[')?;
    let mut sizes = List::new();
    let mut dynamic = 0u64;
    if !scanner.accept(b']')? {
        loop {
            let place = sizes.len;
            if scanner.accept(b'?')? {
                sizes.push(UNBOUNDED).map_err(|error| error.position(scanner.at.saturating_sub(1)))?;
                dynamic |= 1 << (place & 63);
            } else {
                if scanner.accept(b'<')? {
                    scanner.directly(b'=')?; // one token
                    dynamic |= 1 << (place & 63);
                }
                scanner.push_number(&mut sizes)?;
            }
            if scanner.expect_one_of(b",]")? == b']' {
                break;
            }
        }
    }
    let after_sizes = scanner.at;
    let sizes = sizes.as_slice();
    let layout = if scanner.accept(b'{')? { scanner.layout(dtype, sizes.len())? } else { Layout::new() };
    let order = layout.order.as_ref().map(List::as_slice);
    let mut shape = Shape::dynamic(dtype, sizes, order, layout.element_bits, dynamic)
        .map_err(|error| error.position(after_sizes))?;
    shape.set_tiles(&layout.tiles).map_err(|error| error.position(layout.tiles_at))?;
    shape.set_tail_alignment(layout.tail_alignment).map_err(|error| error.position(layout.tail_at))?;
    shape.memory_space = layout.memory_space;
    match scanner.peek()? {
        None => Ok(shape),
        Some(_) => Err(scanner.expected(if layout.order.is_some() { b"$" } else { b"{$" })),
    }
}

/// Checks that [`Display`](fmt::Display) says everything about the shape; NOT_REPRESENTABLE with the dimension that is
/// padded.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::xla::{PaddingKind, Shape, text::check_printable};
/// let shape = Shape::new(Dtype::F32, &[2, 3], None)?;
/// assert_eq!(check_printable(&shape), Ok(()));
/// assert!(check_printable(&shape.with_padding(&[2, 4], PaddingKind::Zero)?).is_err());
/// # Ok::<(), stride::Error>(())
/// ```
pub fn check_printable(shape: &Shape) -> Result<()> {
    if shape.packs_high_first() {
        let error = Error::new(Status::NotRepresentable).argument(Argument::Flags);
        return Err(error.because(Detail::Field, 1, 0));
    }
    let padded = shape.sizes().iter().zip(shape.padded_sizes()).enumerate().find(|(_, (size, padded))| size != padded);
    match padded {
        None => Ok(()),
        Some((dimension, (&size, &padded))) => {
            let error = Error::new(Status::NotRepresentable).argument(Argument::Shape);
            Err(error.dimension(dimension).because(Detail::Padding, padded, size))
        }
    }
}

/// A shape together with what its text cannot express.
///
/// ```
/// use stride::vocabulary::xla::text::{Described, parse};
/// assert_eq!(Described(&parse(b"f32[2,3]")?).to_string(), "f32[2,3]{1,0}");
/// # Ok::<(), stride::Error>(())
/// ```
pub struct Described<'a>(pub &'a Shape);

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        if self.0.is_padded() {
            f.write_str(", padded to ")?;
            for (k, &size) in self.0.padded_sizes().iter().enumerate() {
                f.write_str(if k == 0 { "[" } else { "," })?;
                if size == UNBOUNDED { f.write_str("?")? } else { write!(f, "{size}")? }
            }
            f.write_str("]")?;
        }
        f.write_str(match self.0.padding_kind {
            PaddingKind::None => "",
            PaddingKind::Zero => ", zeros in the padding",
            PaddingKind::One => ", ones in the padding",
            PaddingKind::Lowest => ", the lowest number in the padding",
            PaddingKind::Highest => ", the highest number in the padding",
            PaddingKind::Unknown => ", anything in the padding",
        })?;
        f.write_str(if self.0.packs_high_first() { ", high bits first" } else { "" })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = |k: usize| if k == 0 { "" } else { "," };
        write!(f, "{}[", self.dtype())?;
        for (k, &size) in self.sizes().iter().enumerate() {
            f.write_str(separator(k))?;
            if size == UNBOUNDED {
                f.write_str("?")?;
            } else {
                write!(f, "{}{size}", if self.dynamic & (1 << (k & 63)) != 0 { "<=" } else { "" })?;
            }
        }
        f.write_str("]")?;
        let numbers =
            [('L', self.tail_alignment(), 1), ('E', self.element_bits() as i64, 0), ('S', self.memory_space, 0)];
        let sections = !self.tiles().is_empty() || numbers.iter().any(|(_, value, default)| value != default);
        if self.rank() == 0 && !sections {
            return Ok(());
        }
        f.write_str("{")?;
        for (k, dimension) in self.minor_to_major().iter().enumerate() {
            write!(f, "{}{dimension}", separator(k))?;
        }
        if sections {
            f.write_str(if self.tiles().is_empty() { ":" } else { ":T" })?;
        }
        for tile in self.tiles().iter() {
            for (k, &size) in tile.iter().enumerate() {
                f.write_str(if k == 0 { "(" } else { "," })?;
                if size == MERGE { f.write_str("*")? } else { write!(f, "{size}")? }
            }
            f.write_str(")")?;
        }
        for (letter, value, default) in numbers {
            if value != default {
                write!(f, "{letter}({value})")?;
            }
        }
        f.write_str("}")
    }
}

/// Up to 64 numbers.
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

    /// INVALID_RANK past the limit.
    fn push(&mut self, number: i64) -> Result<()> {
        let Some(slot) = self.numbers.get_mut(self.len) else {
            let error = Error::new(Status::InvalidRank);
            return Err(error.because(Detail::Above, MAX_RANK as i64 + 1, MAX_RANK as i64));
        };
        *slot = number;
        self.len += 1;
        Ok(())
    }
}

/// What stands between the braces, and where in the text.
struct Layout {
    /// None: the default.
    order: Option<List>,
    tiles: Tiles,
    tiles_at: usize,
    tail_alignment: i64,
    tail_at: usize,
    element_bits: u32,
    memory_space: i64,
}

impl Layout {
    fn new() -> Self {
        let tiles = Tiles::NONE;
        Self { order: None, tiles, tiles_at: 0, tail_alignment: 1, tail_at: 0, element_bits: 0, memory_space: 0 }
    }
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    /// PARSE at this place, where `what` may stand.
    fn expected(&self, what: &[u8]) -> Error {
        Error::new(Status::Parse).position(self.at).expected(self.text.get(self.at), what)
    }

    fn unsupported(&self) -> Error {
        Error::new(Status::Unsupported).position(self.at).because(Detail::Construct, 0, 0)
    }

    /// The next byte that is not white space or a comment.
    fn peek(&mut self) -> Result<Option<u8>> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or(&[]);
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

    fn accept(&mut self, byte: u8) -> Result<bool> {
        let found = self.peek()? == Some(byte);
        self.at += usize::from(found);
        Ok(found)
    }

    /// The very next byte, no white space before it.
    fn directly(&mut self, byte: u8) -> Result<()> {
        if self.text.get(self.at) != Some(&byte) {
            return Err(self.expected(&[byte]));
        }
        self.at += 1;
        Ok(())
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        self.expect_one_of(&[byte]).map(drop)
    }

    /// Takes the next byte, which is one of these.
    fn expect_one_of(&mut self, choice: &[u8]) -> Result<u8> {
        let found = self.peek()?.filter(|byte| choice.contains(byte)).ok_or(self.expected(choice))?;
        self.at += 1;
        Ok(found)
    }

    fn dtype(&mut self) -> Result<Dtype> {
        self.peek()?;
        let word = self.word();
        if word == b"token" || word == b"opaque" || self.text.get(self.at) == Some(&b'(') {
            return Err(self.unsupported());
        }
        let dtype = match Dtype::parse(word) {
            Ok(dtype) if !dtype.is_bytes() => dtype,
            Ok(_) => return Err(self.expected(b"").because(Detail::Name, 0, 0)),
            Err(unknown) => return Err(self.expected(b"").because(Detail::Name, 0, unknown.rhs)),
        };
        self.at += word.len();
        Ok(dtype)
    }

    /// A number of decimal digits, with a minus sign directly before them if `signed`.
    fn integer(&mut self, signed: bool) -> Result<i64> {
        self.peek()?;
        let error = self.expected(b""); // at the number's first byte
        let negative = signed && self.text.get(self.at) == Some(&b'-');
        self.at += usize::from(negative);
        let (digits, mut number) = (self.at, 0i64);
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            let digit = (digit - b'0') as i64;
            let shifted = number.checked_mul(10);
            let grown = shifted.and_then(|n| if negative { n.checked_sub(digit) } else { n.checked_add(digit) });
            number = grown.ok_or(error)?;
            self.at += 1;
        }
        if self.at == digits { Err(self.expected(b"0")) } else { Ok(number) }
    }

    fn number(&mut self) -> Result<i64> {
        self.integer(false)
    }

    fn push_number(&mut self, list: &mut List) -> Result<()> {
        self.peek()?;
        let start = self.at;
        let number = self.number()?;
        list.push(number).map_err(|error| error.position(start))
    }

    /// After the opening brace, up to and including the closing one.
    fn layout(&mut self, dtype: Dtype, rank: usize) -> Result<Layout> {
        let mut layout = Layout::new();
        layout.order = Some(self.order(rank)?);
        let mut next: &[u8] = b",:}";
        if self.accept(b':')? {
            next = b"TLES}";
            if self.section(b"T")? {
                (layout.tiles, layout.tiles_at) = self.tiles()?;
                next = b"LES}";
            }
            if self.section(b"L")? {
                (layout.tail_alignment, layout.tail_at) = self.value(Shape::check_tail_alignment)?;
                next = b"ES}";
            }
            if self.section(b"E")? {
                let bits = |n| u32::try_from(n).unwrap_or(u32::MAX);
                let (value, _) = self.value(|n| Shape::check_element_bits(dtype, bits(n)))?;
                layout.element_bits = bits(value);
                next = b"S}";
            }
            if self.section(b"S")? {
                self.expect(b'(')?;
                layout.memory_space = self.integer(true)?;
                self.expect(b')')?;
                next = b"}";
            }
            if let Some(letters) = self.later_section()? {
                return Err(self.unsupported().because(Detail::Construct, letters, 0));
            }
        }
        if !self.accept(b'}')? {
            return Err(self.expected(next));
        }
        Ok(layout)
    }

    /// The order of the dimensions, complete.
    fn order(&mut self, rank: usize) -> Result<List> {
        let (mut order, mut seen) = (List::new(), 0u64);
        if self.peek()?.is_some_and(|byte| byte.is_ascii_digit()) {
            loop {
                self.peek()?;
                let error = self.expected(b"");
                let dimension = self.number()?;
                if dimension >= rank as i64 {
                    return Err(error.because(Detail::OutOfRange, dimension, rank as i64));
                }
                if seen & (1 << (dimension & 63)) != 0 {
                    return Err(error.because(Detail::Repeated, dimension, rank as i64));
                }
                order.push(dimension)?; // below 64 and new: there is room
                seen |= 1 << (dimension & 63);
                if !self.accept(b',')? {
                    break;
                }
            }
        } else if self.peek()? != Some(b':') {
            return Err(self.expected(b"0:")); // XLA: a brace opens a layout only before a number or a colon
        }
        if order.len != rank {
            self.peek()?;
            return Err(self.expected(b"").because(Detail::Count, order.len as i64, rank as i64));
        }
        Ok(order)
    }

    /// One tile after the other, each in parentheses; and where they begin.
    fn tiles(&mut self) -> Result<(Tiles, usize)> {
        self.peek()?;
        let (first, mut tiles) = (self.at, Tiles::NONE);
        loop {
            self.peek()?;
            let start = self.at;
            self.expect(b'(')?;
            let mut tile = List::new();
            loop {
                self.peek()?;
                let at = self.at;
                let size = if self.accept(b'*')? { MERGE } else { self.integer(true)? };
                let last = self.peek()? == Some(b')');
                if size <= 0 && (size != MERGE || last) {
                    let error = Error::new(Status::Parse).position(at);
                    return Err(match size {
                        MERGE => error.because(Detail::MergeLast, size, 1),
                        _ => error.because(Detail::Below, size, 1),
                    });
                }
                let sizes = tiles.sizes().len() + tile.len + 1;
                if sizes > MAX_TILE_SIZES {
                    let full = Error::new(Status::Unsupported).position(at).item(tiles.len());
                    return Err(full.because(Detail::TooManyTileSizes, sizes as i64, MAX_TILE_SIZES as i64));
                }
                tile.push(size)?;
                if self.expect_one_of(b",)")? == b')' {
                    break;
                }
            }
            tiles.push(tile.as_slice()).map_err(|error| error.position(start))?;
            if self.peek()? != Some(b'(') {
                return Ok((tiles, first));
            }
        }
    }

    /// An allowed number in parentheses, and where it stands.
    fn value(&mut self, check: impl FnOnce(i64) -> Result<()>) -> Result<(i64, usize)> {
        self.expect(b'(')?;
        self.peek()?;
        let (at, error) = (self.at, self.expected(b""));
        let value = self.number()?;
        check(value).map_err(|wrong| error.because(wrong.detail, value, wrong.rhs))?;
        self.expect(b')')?;
        Ok((value, at))
    }

    /// Whether the next word is this one; if so it is taken.
    fn section(&mut self, word: &[u8]) -> Result<bool> {
        self.peek()?;
        let found = self.word() == word;
        self.at += if found { word.len() } else { 0 };
        Ok(found)
    }

    /// The letters of one of XLA's other sections, the first in the low byte, if it stands next.
    fn later_section(&mut self) -> Result<Option<i64>> {
        let next = self.peek()?;
        Ok(match (next, self.word()) {
            (Some(sign @ (b'#' | b'*')), _) => Some(sign as i64),
            (_, b"SC") => Some(b'S' as i64 | (b'C' as i64) << 8),
            (Some(letter), b"D" | b"P" | b"M") => Some(letter as i64),
            _ => None,
        })
    }

    /// The letters at this place.
    fn word(&self) -> &[u8] {
        let rest = self.text.get(self.at..).unwrap_or(&[]);
        rest.get(..rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len())).unwrap_or(&[])
    }
}
