//! The text of a layout: what a [`Layout`] prints, and shorter forms.
//!
//! ```text
//! layout := type '[' list ']' where?                       type := a dtype's name; list := (int (',' int)*)?
//! where  := 'strides' '[' list ']' ('offset' int)?         as a layout prints itself
//!         | ':' list ('+' int)?                            the same, shorter
//!         | ':' letters                                    an order, outermost dimension first: a tag without blocks
//!         | '{' ... '}'                                    XLA's order, fastest first: a shape without tiles
//! ```
//!
//! Without `where` it is packed. White space and C comments may stand between tokens. What has tiles or blocks is no
//! layout: it is NOT_REPRESENTABLE, and the error says whose text it is.

use super::reader::{List, Reader};
use super::xla::{tag, text as shape};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count};
use crate::model::{Layout, LayoutBuf, LayoutStorage};
use core::str::FromStr;

impl LayoutBuf {
    /// The layout of a text: what a [`Layout`] prints; `f32[2,3]` (packed), `f32[2,3]:1,2+7` (strides and offset);
    /// `f32[1,32,8,8]:nhwc` (an order, as [`tag`] has it), `f32[2,3]{0,1}` (XLA's). PARSE with the byte at which it
    /// stops making sense; else as [`Layout::new`], with the byte of the size or stride.
    ///
    /// Text of tiles or blocks is NOT_REPRESENTABLE: [`shape::parse`], [`tag::parse`] or
    /// [`BlockedLayout::parse`](super::blocks::BlockedLayout::parse) takes it.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf, error::Detail};
    /// assert_eq!(LayoutBuf::parse("f32[2,3]:-3,1+3")?, LayoutBuf::packed(Dtype::F32, &[2, 3])?.flip(&[0])?);
    /// assert_eq!(LayoutBuf::parse("u8[1,3,4,5]:nhwc")?.strides(), [60, 1, 15, 3]);
    /// assert_eq!(LayoutBuf::parse("u8[1,32,4,5]:nChw16c").unwrap_err().detail, Detail::TextOfTag);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        Self::made(|out| parse(text.as_ref(), out))
    }
}

impl FromStr for LayoutBuf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

/// [`LayoutBuf::parse`] into a lent layout.
pub(crate) fn parse<'o>(text: &[u8], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    read(Reader::new(text), out).in_role(Argument::Text) // also for what does not fit in the layout
}

fn read<'o>(mut reader: Reader<'_>, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let shape::Head { dtype, sizes, sizes_at, dynamic } = reader.head()?;
    let next = reader.peek()?;
    if next == Some(b'{') || dynamic != 0 {
        return of_shape(reader.text, reader.at, out);
    }
    let at_sizes = Reader { at: sizes_at, ..reader };
    let in_sizes = |error| at_entry(at_sizes, error);
    if next.is_none() {
        return out.set_packed(dtype, &sizes).map_err(in_sizes);
    }
    let colon = reader.at;
    let named = !reader.takes(b':');
    if named {
        if !reader.accept_word(b"strides")? {
            return Err(reader.expected(b":{$"));
        }
        reader.expect(b'[')?;
    } else if reader.peek()?.is_none_or(|byte| !(byte.is_ascii_digit() || matches!(byte, b'-' | b'+'))) {
        let minor_to_major = order(&reader, colon, sizes.len())?;
        return out.set_ordered(dtype, &sizes, &minor_to_major).map_err(in_sizes);
    }
    let (first, mut strides) = (reader, List::new());
    if !matches!(reader.peek()?, Some(b']' | b'+')) {
        reader.push_number(&mut strides, true)?;
        while reader.accept(b',')? {
            reader.push_number(&mut strides, true)?;
        }
    }
    let next = reader.peek()?;
    let count = check_count(strides.len(), sizes.len(), Argument::Text).map_err(|error| error.position(reader.at));
    let has_offset = match next {
        Some(b']') if named => {
            reader.at += 1;
            reader.accept_word(b"offset")?
        }
        Some(b'+') if !named => reader.takes(b'+'),
        None if !named => false,
        _ => return Err(reader.expected(if named { b",]" } else { b",+$" })),
    };
    count.map_err(|error| Error { status: Status::Parse, ..error })?;
    let offset = if has_offset { reader.number(true)? } else { 0 };
    if reader.peek()?.is_some() {
        return Err(reader.expected(b"$"));
    }
    out.begin(dtype, offset);
    for (&size, &stride) in sizes.iter().zip(&strides) {
        out.push(size, stride)?;
    }
    out.view().map_err(|error| match error.argument {
        Argument::Strides => at_entry(first, error),
        _ => in_sizes(error),
    })
}

/// The order, fastest first, of the tag that is next; tags with blocks and blocks are refused at their colon.
fn order(reader: &Reader<'_>, colon: usize, rank: usize) -> Result<List> {
    let (from, words) = (reader.at as u64, reader.rest().trim_ascii_end());
    if words.first().map_or(rank > 0, |first| !first.is_ascii_alphabetic()) {
        return Err(reader.expected(b"0A"));
    }
    if words.iter().any(|byte| matches!(byte, b'/' | b'%') || byte.is_ascii_whitespace()) {
        return Err(other(colon, Detail::TextOfBlocks));
    }
    let end = reader.word().len();
    if let Some(&next) = words.get(end) {
        let (letters, what) = if next == b',' { (0, b"0") } else { (end, b"$") };
        return Err(Reader { at: reader.at.saturating_add(letters), ..*reader }.expected(what));
    }
    let moved = |error: Error| Error { position: error.position.saturating_add(from), ..error };
    let tag = tag::read(words, rank).map_err(moved)?;
    if !tag.block_sizes().is_empty() {
        return Err(other(colon, Detail::TextOfTag));
    }
    let mut order = List::new();
    for &dimension in tag.outer_order().iter().rev() {
        let _ = order.try_push(dimension); // as many as dimensions
    }
    Ok(order)
}

/// A shape of XLA whose layout, with its brace, begins at this byte.
#[inline(never)] // a shape is large
fn of_shape<'o>(text: &[u8], brace: usize, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let shape = shape::parse(text)?;
    if !shape.tiles().is_empty() {
        return Err(other(brace, Detail::TextOfTiles));
    }
    shape.layout_in(out)
}

/// NOT_REPRESENTABLE: from this byte on the text says what no layout can.
fn other(position: usize, detail: Detail) -> Error {
    Error::new(Status::NotRepresentable).position(position).because(detail, 0, 0)
}

/// The byte at which the entry begins whose dimension an error names, in the list that is next.
#[cold]
fn at_entry(mut reader: Reader<'_>, error: Error) -> Error {
    let Ok(dimension) = usize::try_from(error.dimension) else { return error };
    for _ in 0..dimension {
        let _ = reader.number(true).and_then(|_| reader.accept(b','));
    }
    let _ = reader.peek();
    error.position(reader.at)
}
