//! A tensor as the command line writes it, and what may be asked of it whatever says where its elements lie.
//!
//! | text | what it is |
//! |---|---|
//! | `f32[2,3]` | packed, in row-major order |
//! | `f32[2,3]:1,2`, `u8[4,6,3]:18,3,1+7` | strides in elements, and where the first element lies |
//! | `f32[2,3] strides [3,1] offset 0` | the same, as the library writes it |
//! | `f32[1,32,8,8]:nhwc`, `f32[1,32,8,8]:nChw16c` | a tag, as oneDNN has them |
//! | `u8[200,9]:a/128 b/4 a%32 a/32%4 b%4` | blocks: digits of the indices, outermost first |
//! | `f32[8,200]{1,0:T(8,128)}` | a shape of XLA with its order and tiles |
//!
//! The text of an error is the library's own; `^` stands below the byte that it names.

use crate::fault::{Fault, Result};
use crate::files;
use std::fmt;
use stride::vocabulary::blocks::BlockedLayout;
use stride::vocabulary::py_buffer::dtype_of_typestr;
use stride::vocabulary::xla::{Shape, rearrange, tag, text};
use stride::{Dtype, Layout, LayoutBuf};

/// What says where the elements lie: one of the three that a copy takes on either side.
#[derive(Clone, Debug)]
pub enum Tensor {
    Layout(LayoutBuf),
    Tiled(Shape),
    Blocked(BlockedLayout),
}

/// The same expression for whichever form a tensor has: `each!(tensor, side => side.dtype())`.
#[macro_export]
macro_rules! each {
    ($tensor:expr, $side:ident => $body:expr) => {
        match $tensor {
            $crate::tensor::Tensor::Layout($side) => $body,
            $crate::tensor::Tensor::Tiled($side) => $body,
            $crate::tensor::Tensor::Blocked($side) => $body,
        }
    };
}

/// Where an element begins: bytes from the beginning of the buffer, and bits in that byte.
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
        let Some(close) = given[open..].find(']').map(|at| open + at) else {
            return Err(Fault::usage(format!("`{given}`: `]` is missing after the sizes")));
        };
        let rest = given[close + 1..].trim_start();
        if rest.starts_with('{') {
            return text::parse(given.as_bytes()).map(Self::of_shape).map_err(|error| marked(given, error))?;
        }
        let dtype = dtype(given[..open].trim_end())?;
        let sizes = numbers(&given[open + 1..close]).map_err(|why| why.about(format!("`{given}`, sizes")))?;
        let rest = match rest.strip_prefix(':') {
            Some(rest) => rest.trim(),
            None if rest.is_empty() => return Ok(Self::Layout(LayoutBuf::packed(dtype, &sizes)?)),
            None => return as_the_library_writes(given, dtype, &sizes, rest),
        };
        if rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            // A sign that follows a digit begins the offset.
            let plus = rest.find('+').unwrap_or(rest.len());
            let strides = numbers(&rest[..plus]).map_err(|why| why.about(format!("`{given}`, strides")))?;
            let offset = match rest.get(plus + 1..) {
                Some(text) => number(text).map_err(|why| why.about(format!("`{given}`, offset")))?,
                None => 0,
            };
            let layout = LayoutBuf::new(dtype, offset, &sizes, &strides);
            return Ok(Self::Layout(layout.map_err(|error| Fault::from(error).about(format!("`{given}`, strides")))?));
        }
        if rest.is_empty() {
            return Err(Fault::usage(format!("`{given}`: nothing follows `:`; strides or a tag are expected")));
        }
        if rest.starts_with("T(") {
            let order = list(&(0..sizes.len() as i64).rev().collect::<Vec<_>>());
            let text = format!("{}{{{order}:{rest}}}", &given[..=close]);
            return Err(Fault::usage(format!("`{given}`: tiles are written as XLA does, `{text}`")));
        }
        if rest.contains(|c: char| c == '/' || c == '%' || c.is_whitespace()) {
            let blocked = BlockedLayout::parse(rest, dtype, &sizes);
            return Ok(Self::Blocked(blocked.map_err(|error| marked(rest, error))?));
        }
        Self::of_shape(tag::parse(rest.as_bytes(), dtype, &sizes).map_err(|error| marked(rest, error))?)
    }

    /// A layout where there are no tiles.
    fn of_shape(shape: Shape) -> Result<Self> {
        if shape.tiles().is_empty() { Ok(Self::Layout(shape.to_layout()?)) } else { Ok(Self::Tiled(shape)) }
    }

    pub fn dtype(&self) -> Dtype {
        each!(self, side => side.dtype())
    }

    pub fn sizes(&self) -> &[i64] {
        each!(self, side => side.sizes())
    }

    pub fn element_count(&self) -> i64 {
        // As many as a layout of these sizes was proved to have.
        if self.sizes().contains(&0) { 0 } else { self.sizes().iter().product() }
    }

    /// Bytes that a buffer has at least.
    pub fn bytes(&self) -> Result<u64> {
        Ok(match self {
            Self::Layout(layout) => layout.min_bytes()?,
            Self::Tiled(shape) => shape.byte_size()?,
            Self::Blocked(blocked) => blocked.byte_size()?,
        })
    }

    /// Bits from one place of an element to the next one.
    pub fn storage_bits(&self) -> i64 {
        match self {
            Self::Tiled(shape) => shape.storage_bits(),
            _ => self.dtype().bits(),
        }
    }

    /// Where the element with this index lies, counted in elements from the beginning of the buffer.
    pub fn offset_of(&self, index: &[i64]) -> Result<i64> {
        Ok(match self {
            Self::Layout(layout) => layout.view()?.offset_of(index)?,
            Self::Tiled(shape) => shape.linear_index(index)?,
            Self::Blocked(blocked) => blocked.linear_index(index)?,
        })
    }

    pub fn place_of(&self, index: &[i64]) -> Result<Place> {
        let bits = i128::from(self.offset_of(index)?) * i128::from(self.storage_bits());
        let byte = i64::try_from(bits.div_euclid(8)).map_err(|_| Fault::usage("the byte is above 2^63"))?;
        Ok(Place { byte, bit: bits.rem_euclid(8) as u32 })
    }

    /// The tensor with its dimensions in another order, which moves nothing; `axes` as of numpy.transpose.
    pub fn permuted(&self, axes: &str) -> Result<Self> {
        match self {
            Self::Layout(layout) => by_list("--axes", axes, |axes| layout.permute(axes)).map(Self::Layout),
            Self::Tiled(shape) => by_list("--axes", axes, |axes| rearrange::permute(shape, axes)).map(Self::Tiled),
            Self::Blocked(_) => Err(Fault::usage(format!("{self}: --axes takes a layout or a shape of XLA"))),
        }
    }

    /// The layout, where there are no tiles or blocks; a sentence with `what` else.
    pub fn layout(&self, what: &str) -> Result<Layout<'_>> {
        match self {
            Self::Layout(layout) => Ok(layout.view()?),
            _ => Err(Fault::usage(format!("{self}: {what} takes a layout of strides, and this one has tiles"))),
        }
    }
}

/// A layout or a blocked layout as this file's own grammar writes it, a shape as XLA does.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(layout) => layout.fmt(f),
            Self::Tiled(shape) => shape.fmt(f),
            Self::Blocked(blocked) => write!(f, "{}[{}]:{blocked}", blocked.dtype(), list(blocked.sizes())),
        }
    }
}

/// `[sizes] strides [3,1] offset 0`, of which `rest` follows the sizes.
fn as_the_library_writes(given: &str, dtype: Dtype, sizes: &[i64], rest: &str) -> Result<Tensor> {
    let fault =
        || Fault::usage(format!("`{given}`: `{rest}` follows the sizes, where `:`, `{{` or nothing is expected"));
    let inner = rest.strip_prefix("strides").map(str::trim_start).and_then(|rest| rest.strip_prefix('['));
    let (strides, tail) = inner.and_then(|rest| rest.split_once(']')).ok_or_else(fault)?;
    let offset = match tail.trim() {
        "" => 0,
        tail => number(tail.strip_prefix("offset").ok_or_else(fault)?)?,
    };
    Ok(Tensor::Layout(LayoutBuf::new(dtype, offset, sizes, &numbers(strides)?)?))
}

pub fn list(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

/// `1,2,3`, also in brackets; nothing is no number.
pub fn numbers(text: &str) -> Result<Vec<i64>> {
    let text = text.trim().trim_matches(['(', ')', '[', ']']).trim();
    if text.is_empty() { Ok(Vec::new()) } else { text.split(',').map(number).collect() }
}

/// What a list in an option makes; a fault names the option.
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
        Ok(at) if at <= text.len() && error.status == stride::error::Status::Parse => {
            Fault { record: Some(error), ..Fault::usage(format!("{error}\n  {text}\n  {}^", " ".repeat(at))) }
        }
        _ => Fault::from(error).about(format!("`{text}`")),
    }
}

/// A tensor of a file or of the grammar.
pub fn given(text: &str) -> Result<Tensor> {
    match files::named(text) {
        Some((path, name)) => Ok(Tensor::Layout(files::open(&path, name)?.1.layout()?)),
        None => Tensor::parse(text),
    }
}
