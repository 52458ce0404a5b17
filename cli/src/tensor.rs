//! Tensors as the command line writes them, and questions that layouts, shapes and blocks all answer.
//!
//! | text | meaning |
//! |---|---|
//! | `f32[2,3]` | packed, in row-major order |
//! | `f32[2,3]:1,2`, `u8[4,6,3]:18,3,1+7` | strides in elements, and where the first element lies |
//! | `f32[2,3] strides [3,1] offset 0` | the same, as the library writes it |
//! | `f32[1,32,8,8]:nhwc`, `f32[1,32,8,8]:nChw16c` | a tag, as oneDNN has them |
//! | `u8[200,9]:a/128 b/4 a%32 a/32%4 b%4` | blocks: digits of the indices, outermost first |
//! | `f32[8,200]{1,0:T(8,128)}` | a shape of XLA with its order and tiles |
//!
//! The library reads them, and the text of an error is its own; `^` stands below the byte that it names.

use crate::fault::{Fault, Result};
use crate::files;
use std::fmt;
use stride::error::{Detail, Status};
use stride::model::MAX_RANK;
use stride::vocabulary::blocks::BlockedLayout;
use stride::vocabulary::py_buffer::dtype_of_typestr;
use stride::vocabulary::xla::{Shape, rearrange, tag, text};
use stride::{Dtype, Layout, LayoutBuf, Object};

/// A layout, a shape or blocks: the library's value.
#[derive(Clone, Debug)]
pub struct Tensor(pub Object);

impl From<LayoutBuf> for Tensor {
    fn from(layout: LayoutBuf) -> Self {
        Self(Object::Layout(layout))
    }
}

impl From<Shape> for Tensor {
    fn from(shape: Shape) -> Self {
        Self(Object::Shape(shape))
    }
}

impl From<BlockedLayout> for Tensor {
    fn from(blocked: BlockedLayout) -> Self {
        Self(Object::Blocked(blocked))
    }
}

/// The begin of an element: bytes from the beginning of the buffer, and bits in that byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub byte: i64,
    pub bit: u32,
}

impl Tensor {
    pub fn parse(given: &str) -> Result<Self> {
        let given = given.trim();
        let Some(open) = given.find('[') else {
            return Err(Fault::usage(if std::path::Path::new(given).exists() {
                format!("`{given}` is a file of a kind that is not read here; .npy, .npz, .safetensors and .gguf are")
            } else {
                format!("`{given}` is neither a file nor a tensor such as 'f32[2,3]'")
            }));
        };
        let error = match LayoutBuf::parse(given) {
            Ok(layout) => return Ok(layout.into()),
            Err(error) => error,
        };
        let (before, after) = given.split_at_checked(error.position as usize).unwrap_or((given, ""));
        let words = after.strip_prefix(':').unwrap_or(after).trim();
        let other = |of: fn(&str, &LayoutBuf) -> stride::Result<Self>| {
            of(words, &LayoutBuf::parse(before)?).map_err(|error| marked(words, error))
        };
        match error.detail {
            Detail::TextOfTiles => text::parse(given.as_bytes()).map(Self::from).map_err(|error| marked(given, error)),
            Detail::TextOfTag => {
                other(|words, of| tag::parse(words.as_bytes(), of.dtype(), of.sizes()).map(Self::from))
            }
            Detail::TextOfBlocks => {
                other(|words, of| BlockedLayout::parse(words, of.dtype(), of.sizes()).map(Self::from))
            }
            Detail::Name => Err(dtype(given[..open].trim_end()).err().unwrap_or_else(|| marked(given, error))),
            _ => Err(as_xla_does(given).unwrap_or_else(|| marked(given, error))),
        }
    }

    pub fn dtype(&self) -> Dtype {
        match &self.0 {
            Object::Layout(layout) => layout.dtype(),
            Object::Shape(shape) => shape.dtype(),
            Object::Blocked(blocked) => blocked.dtype(),
        }
    }

    pub fn sizes(&self) -> &[i64] {
        match &self.0 {
            Object::Layout(layout) => layout.sizes(),
            Object::Shape(shape) => shape.sizes(),
            Object::Blocked(blocked) => blocked.sizes(),
        }
    }

    pub fn element_count(&self) -> i64 {
        // As many as a layout of these sizes was proved to have.
        if self.sizes().contains(&0) { 0 } else { self.sizes().iter().product() }
    }

    /// Bytes that a buffer has at least.
    pub fn bytes(&self) -> Result<u64> {
        Ok(self.0.view()?.byte_size()?)
    }

    /// Bits from one place of an element to the next one.
    pub fn storage_bits(&self) -> i64 {
        match &self.0 {
            Object::Shape(shape) => shape.storage_bits(),
            _ => self.dtype().bits(),
        }
    }

    /// The place of an index, in elements from the beginning of the buffer.
    pub fn offset_of(&self, index: &[i64]) -> Result<i64> {
        Ok(match &self.0 {
            Object::Layout(layout) => layout.view()?.offset_of(index)?,
            Object::Shape(shape) => shape.linear_index(index)?,
            Object::Blocked(blocked) => blocked.linear_index(index)?,
        })
    }

    /// The first index of the elements at a place, counted in elements, and how many share it; none if none lies there.
    pub fn index_at(&self, place: i64) -> Result<Option<(Vec<i64>, u64)>> {
        let mut index = [0; MAX_RANK];
        let sharing = match &self.0 {
            Object::Layout(layout) => layout.view()?.multi_index_shared(place, &mut index),
            Object::Shape(shape) => shape.multi_index(place, &mut index).map(|()| 1),
            Object::Blocked(blocked) => blocked.multi_index(place, &mut index).map(|()| 1),
        };
        match sharing {
            Ok(sharing) => Ok(Some((index[..self.sizes().len()].to_vec(), sharing))),
            Err(error) if matches!(error.status, Status::NotRepresentable | Status::IndexOutOfRange) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub fn place_of(&self, index: &[i64]) -> Result<Place> {
        let bits = i128::from(self.offset_of(index)?) * i128::from(self.storage_bits());
        let byte = i64::try_from(bits.div_euclid(8)).map_err(|_| Fault::usage("the byte is above 2^63"))?;
        Ok(Place { byte, bit: bits.rem_euclid(8) as u32 })
    }

    /// The tensor with its dimensions in another order, which moves nothing; `axes` as of numpy.transpose.
    pub fn permuted(&self, axes: &str) -> Result<Self> {
        match &self.0 {
            Object::Layout(layout) => by_list("--axes", axes, |axes| layout.permute(axes)).map(Self::from),
            Object::Shape(shape) => by_list("--axes", axes, |axes| rearrange::permute(shape, axes)).map(Self::from),
            Object::Blocked(_) => Err(Fault::usage(format!("{self}: --axes takes a layout or a shape of XLA"))),
        }
    }

    /// The layout, where there are no tiles or blocks; a sentence with `what` else.
    pub fn layout(&self, what: &str) -> Result<Layout<'_>> {
        match &self.0 {
            Object::Layout(layout) => Ok(layout.view()?),
            _ => Err(Fault::usage(format!("{self}: {what} takes a layout of strides, and this one has tiles"))),
        }
    }
}

/// A layout or a blocked layout as this file's own grammar writes it, a shape as XLA does.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Object::Layout(layout) => layout.fmt(f),
            Object::Shape(shape) => shape.fmt(f),
            Object::Blocked(blocked) => write!(f, "{}[{}]:{blocked}", blocked.dtype(), list(blocked.sizes())),
        }
    }
}

/// The fault in tiles after a colon, in XLA's words.
fn as_xla_does(given: &str) -> Option<Fault> {
    let (before, tiles) = given.split_once(":T(")?;
    let rank = LayoutBuf::parse(before).ok()?.rank() as i64;
    let order = list(&(0..rank).rev().collect::<Vec<_>>());
    Some(Fault::usage(format!("`{given}`: tiles are written as XLA does, `{before}{{{order}:T({tiles}}}`")))
}

pub fn list(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

/// `1,2,3`, also in brackets; nothing is no number.
pub fn numbers(text: &str) -> Result<Vec<i64>> {
    let text = text.trim().trim_matches(['(', ')', '[', ']']).trim();
    if text.is_empty() { Ok(Vec::new()) } else { text.split(',').map(number).collect() }
}

/// The result of a list in an option; a fault names the option.
pub fn by_list<T>(option: &str, text: &str, of: impl FnOnce(&[i64]) -> stride::Result<T>) -> Result<T> {
    numbers(text).and_then(|list| Ok(of(&list)?)).map_err(|why| why.about(option))
}

/// `1 number`, `2 numbers`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

pub fn number(text: &str) -> Result<i64> {
    let text = text.trim();
    text.parse().map_err(|_| Fault::usage(format!("`{text}` is not a whole number of 64 bits")))
}

/// A type by its name here; for one of NumPy's the sentence says what it is called.
pub fn dtype(name: &str) -> Result<Dtype> {
    Dtype::parse(name.as_bytes()).map_err(|error| {
        let short = name.trim_start_matches(['<', '=', '|', '>']);
        let foreign = dtype_of_typestr(name.as_bytes()).or_else(|_| dtype_of_typestr(format!("<{short}").as_bytes()));
        let hint = match foreign {
            Ok(dtype) if !dtype.is_bytes() => format!("; NumPy's `{name}` is {dtype} here"),
            _ if error.rhs != 0 => String::new(), // the library says what it is called
            _ => "; there are pred, s8 to s64, u8 to u64, f16, bf16, f32, f64, c64, c128, bytes1 and up, and others"
                .into(),
        };
        Fault { record: Some(error), ..Fault::usage(format!("`{name}`: {}{hint}", without_place(&error))) }
    })
}

/// The sentence without what it calls the text.
fn without_place(error: &stride::Error) -> String {
    let text = error.to_string();
    text.split_once(": ").map_or(text.clone(), |(_, why)| why.to_owned())
}

/// An error of a text, with the byte that it names marked below it.
fn marked(text: &str, error: stride::Error) -> Fault {
    match usize::try_from(error.position) {
        Ok(at) if at <= text.len() => {
            Fault { record: Some(error), ..Fault::usage(format!("{error}\n  {text}\n  {}^", " ".repeat(at))) }
        }
        _ => Fault::from(error).about(format!("`{text}`")),
    }
}

/// A tensor of a file or of the grammar.
pub fn given(text: &str) -> Result<Tensor> {
    match files::named(text) {
        Some((path, name)) => Ok(files::open(&path, name)?.1.layout()?.into()),
        None => Tensor::parse(text),
    }
}
