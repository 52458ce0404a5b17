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
//! tiles beyond the limits of [`Tiles`]. Every other deviation is PARSE with its byte.
//!
//! Printing gives what XLA prints: the order if the rank is above 0, and only sections that mean something. A printed
//! shape is read back as the same shape. Padding has no text: a padded shape is NOT_REPRESENTABLE, see
//! [`check_printable`].

use super::padding::PaddingKind;
use super::shape::{Shape, UNBOUNDED};
use super::tiles::{MAX_TILE_SIZES, MERGE, Tiles};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::Dtype;
use crate::vocabulary::reader::{self, Reader, push};
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

/// The beginning of a shape and of a layout: `f32[2,3]`.
pub(crate) struct Head {
    pub dtype: Dtype,
    pub sizes: reader::List,
    /// The byte at which the first size may begin.
    pub sizes_at: usize,
    /// Bit k: dimension k is `<=8` or `?`, which no layout has.
    pub dynamic: u64,
}

fn read(text: &[u8]) -> Result<Shape> {
    let mut reader = Reader::new(text);
    reader.peek()?;
    let foreign = reader.expected(b"").because(Detail::Name, 0, 0);
    let Head { dtype, sizes, dynamic, .. } = reader.head()?;
    if dtype.is_bytes() || dtype != dtype.plain() {
        return Err(foreign);
    }
    let after_sizes = reader.at;
    let layout = if reader.accept(b'{')? { reader.layout(dtype, sizes.len())? } else { Layout::new() };
    let order = layout.order.as_deref();
    let mut shape = Shape::dynamic(dtype, &sizes, order, layout.element_bits, dynamic)
        .map_err(|error| error.position(after_sizes))?;
    shape.set_tiles(&layout.tiles).map_err(|error| error.position(layout.tiles_at))?;
    shape.set_tail_alignment(layout.tail_alignment).map_err(|error| error.position(layout.tail_at))?;
    shape.memory_space = layout.memory_space;
    match reader.peek()? {
        None => Ok(shape),
        Some(_) => Err(reader.expected(if layout.order.is_some() { b"$" } else { b"{$" })),
    }
}

/// Checks that [`Display`](fmt::Display) says all of the shape; NOT_REPRESENTABLE with the padded dimension.
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
    Status::NotRepresentable.of(Argument::Flags).unless(!shape.packs_high_first(), Detail::Field, 1, 0)?;
    shape.check_unpadded(Argument::Shape)
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
            write!(f, ", padded to [{}]", List { numbers: self.0.padded_sizes(), bounds: 0, lowest: "?" })?;
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
        let list = |numbers, bounds, lowest| List { numbers, bounds, lowest };
        write!(f, "{}[{}]", self.dtype(), list(self.sizes(), self.dynamic, "?"))?;
        let numbers =
            [('L', self.tail_alignment(), 1), ('E', self.element_bits() as i64, 0), ('S', self.memory_space, 0)];
        let sections = !self.tiles().is_empty() || numbers.iter().any(|(_, value, default)| value != default);
        if self.rank() == 0 && !sections {
            return Ok(());
        }
        write!(f, "{{{}", list(self.minor_to_major(), 0, ""))?;
        if sections {
            f.write_str(if self.tiles().is_empty() { ":" } else { ":T" })?;
        }
        for tile in self.tiles().iter() {
            write!(f, "({})", list(tile, 0, "*"))?;
        }
        for (letter, value, default) in numbers {
            if value != default {
                write!(f, "{letter}({value})")?;
            }
        }
        f.write_str("}")
    }
}

/// Numbers as they stand in a text.
struct List<'a> {
    numbers: &'a [i64],
    /// Bit k: number k is a bound.
    bounds: u64,
    /// The name of the lowest number of all: UNBOUNDED or MERGE.
    lowest: &'a str,
}

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, &number) in self.numbers.iter().enumerate() {
            f.write_str(if k == 0 { "" } else { "," })?;
            match number {
                i64::MIN => f.write_str(self.lowest)?,
                _ if self.bounds >> (k & 63) & 1 != 0 => write!(f, "<={number}")?,
                _ => write!(f, "{number}")?,
            }
        }
        Ok(())
    }
}

/// The fields between the braces, and their places in the text.
struct Layout {
    /// None: the default.
    order: Option<reader::List>,
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

impl Reader<'_> {
    fn unsupported(&self) -> Error {
        Error::new(Status::Unsupported).position(self.at).because(Detail::Construct, 0, 0)
    }

    /// The type and the sizes.
    pub(crate) fn head(&mut self) -> Result<Head> {
        let dtype = self.dtype()?;
        self.expect(b'[')?;
        let mut head = Head { dtype, sizes: reader::List::new(), sizes_at: self.at, dynamic: 0 };
        if self.accept(b']')? {
            return Ok(head);
        }
        loop {
            let dimension = 1 << (head.sizes.len() & 63);
            if self.accept(b'?')? {
                let place = self.at.saturating_sub(1);
                push(&mut head.sizes, UNBOUNDED).map_err(|error| error.position(place))?;
                head.dynamic |= dimension;
            } else {
                if self.accept(b'<')? {
                    if !self.takes(b'=') {
                        return Err(self.expected(b"=")); // one token
                    }
                    head.dynamic |= dimension;
                }
                self.push_number(&mut head.sizes, false)?;
            }
            if self.expect_one_of(b",]")? == b']' {
                return Ok(head);
            }
        }
    }

    /// A type by its name, which may have a flag (`u4:high`).
    fn dtype(&mut self) -> Result<Dtype> {
        self.peek()?;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
        let length = self.rest().iter().position(|byte| !is_part(byte)).unwrap_or(self.rest().len());
        let word = self.rest().get(..length).unwrap_or(&[]);
        if word == b"token" || word == b"opaque" || self.rest().starts_with(b"(") {
            return Err(self.unsupported());
        }
        let unknown = |error: Error| self.expected(b"").because(Detail::Name, 0, error.rhs);
        let dtype = Dtype::parse(word).map_err(unknown)?;
        self.at += length;
        Ok(dtype)
    }

    /// After the opening brace, up to and including the closing one.
    fn layout(&mut self, dtype: Dtype, rank: usize) -> Result<Layout> {
        let mut layout = Layout::new();
        layout.order = Some(self.order(rank)?);
        let mut next: &[u8] = b",:}";
        if self.accept(b':')? {
            next = b"TLES}";
            if self.accept_word(b"T")? {
                (layout.tiles, layout.tiles_at) = self.tiles()?;
                next = b"LES}";
            }
            if self.accept_word(b"L")? {
                (layout.tail_alignment, layout.tail_at) = self.value(Shape::check_tail_alignment)?;
                next = b"ES}";
            }
            if self.accept_word(b"E")? {
                let bits = |n| u32::try_from(n).unwrap_or(u32::MAX);
                let (value, _) = self.value(|n| Shape::check_element_bits(dtype, bits(n)))?;
                layout.element_bits = bits(value);
                next = b"S}";
            }
            if self.accept_word(b"S")? {
                self.expect(b'(')?;
                layout.memory_space = self.number(true)?;
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
    fn order(&mut self, rank: usize) -> Result<reader::List> {
        let mut order = reader::List::new();
        if self.peek()?.is_some_and(|byte| byte.is_ascii_digit()) {
            loop {
                self.peek()?;
                let error = self.expected(b"");
                let dimension = self.number(false)?;
                error.unless(dimension < rank as i64, Detail::OutOfRange, dimension, rank as i64)?;
                error.unless(!order.contains(&dimension), Detail::Repeated, dimension, rank as i64)?;
                push(&mut order, dimension)?; // below 64 and new: there is room

                if !self.accept(b',')? {
                    break;
                }
            }
        } else if self.peek()? != Some(b':') {
            return Err(self.expected(b"0:")); // XLA: a brace opens a layout only before a number or a colon
        }
        if order.len() != rank {
            self.peek()?;
            return Err(self.expected(b"").because(Detail::Count, order.len() as i64, rank as i64));
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
            let mut tile = reader::List::new();
            loop {
                self.peek()?;
                let at = self.at;
                let size = if self.accept(b'*')? { MERGE } else { self.number(true)? };
                let last = self.peek()? == Some(b')');
                let error = |status| Error::new(status).position(at);
                let rule = if size == MERGE { Detail::MergeLast } else { Detail::Below };
                error(Status::Parse).unless(size > 0 || (size == MERGE && !last), rule, size, 1)?;
                let (sizes, most) = ((tiles.sizes().len() + tile.len() + 1) as i64, MAX_TILE_SIZES as i64);
                let full = error(Status::Unsupported).item(tiles.len());
                full.unless(sizes <= most, Detail::TooManyTileSizes, sizes, most)?;
                push(&mut tile, size)?;
                if self.expect_one_of(b",)")? == b')' {
                    break;
                }
            }
            tiles.push(&tile).map_err(|error| error.position(start))?;
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
        let value = self.number(false)?;
        check(value).map_err(|wrong| error.because(wrong.detail, value, wrong.rhs))?;
        self.expect(b')')?;
        Ok((value, at))
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
}
