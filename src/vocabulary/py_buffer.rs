//! Python's buffers: `Py_buffer` of CPython's buffer protocol, and the type strings of NumPy's array interface.
//!
//! A buffer points to index (0, …, 0) and counts strides in **bytes**, of any sign, so its layout has offset 0, and a
//! mirrored one reaches below it (`stride_layout_rebase` tells how far). A text of the `struct` module says what an
//! element is: a byte order and a letter. The item size decides, and the letter only gives it a meaning: what has no
//! dtype here (strings, structs, pointers) is plain bytes of that size. A letter that contradicts its size is refused.
//!
//! ```text
//! '<f', item size 4  f32          'T{<f:x:<f:y:}', item size 8  bytes8
//! NULL, item size 4  bytes4       '>f', item size 4              f32 in the other byte order, on x86-64
//! no shape at all    len bytes
//! ```
//!
//! Strides that are not a whole number of items give bytes in one more dimension ([`LayoutBuf::of_bytes`]).
//!
//! The array interface says the same in one text of order, kind and bytes: `<f4`, `|b1`, `|V12`.
//!
//! Sources: "Buffer Protocol" of the Python/C API manual, `Include/pybuffer.h` (stable ABI since 3.11), PEP 3118, the
//! `struct` module; "The array interface protocol" of NumPy's manual, version 3.

use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count};
use crate::model::{Dtype, Layout, LayoutBuf, LayoutStorage, arith};
use core::fmt;

/// The fields of a `Py_buffer` that say where the elements lie.
///
/// ```
/// use stride::vocabulary::py_buffer::{Buffer, to_layout};
/// let buffer = Buffer {
///     format: Some(b"<f"), len: 24, itemsize: 4, ndim: 2,
///     sizes: Some(&[2, 3]), byte_strides: Some(&[4, 8]), suboffsets: None,
/// };
/// assert_eq!(to_layout(&buffer)?.to_string(), "f32[2,3] strides [1,2] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Buffer<'a> {
    /// The beginning of the element's type, without its terminator; `None`: not given.
    pub format: Option<&'a [u8]>,
    /// Bytes of all elements.
    pub len: i64,
    /// Bytes of an element.
    pub itemsize: i64,
    /// Number of dimensions; more than `sizes` has if those are not given.
    pub ndim: usize,
    /// Elements along each dimension, outermost first; `None`: not given, the buffer is `len` bytes.
    pub sizes: Option<&'a [i64]>,
    /// Bytes between neighbours; `None`: packed.
    pub byte_strides: Option<&'a [i64]>,
    /// For a dimension whose elements are reached by pointers, the offset from these; negative: they are not.
    pub suboffsets: Option<&'a [i64]>,
}

/// The bytes of a format that distinguish a simple type: a byte order, a kind of two letters, one byte more.
pub const FORMAT_BYTES: usize = 4;

/// Numbers: the kind, by NumPy's letter (b, i, u, f or c), and the letters in the `struct` module (`F` and `D`: since
/// Python 3.14; `Zf` and `Zd`: PEP 3118). `l`, `L`, `n` and `N` have the sizes of the C compiler.
const NUMBERS: [(u8, Dtype, [u8; 5]); 14] = [
    (b'b', Dtype::PRED, *b"?    "),
    (b'i', Dtype::S8, *b"b    "),
    (b'i', Dtype::S16, *b"h    "),
    (b'i', Dtype::S32, *b"i l n"),
    (b'i', Dtype::S64, *b"q l n"),
    (b'u', Dtype::U8, *b"B    "),
    (b'u', Dtype::U16, *b"H    "),
    (b'u', Dtype::U32, *b"I L N"),
    (b'u', Dtype::U64, *b"Q L N"),
    (b'f', Dtype::F16, *b"e    "),
    (b'f', Dtype::F32, *b"f    "),
    (b'f', Dtype::F64, *b"d    "),
    (b'c', Dtype::C64, *b"F Zf "),
    (b'c', Dtype::C128, *b"D Zd "),
];

/// A format, letter by letter.
#[derive(Default)]
pub(crate) struct Fields {
    /// Inside a field's name, which stands between colons.
    in_name: bool,
}

impl Fields {
    /// Whether the next letter is a reference to an object.
    pub(crate) fn is_object(&mut self, letter: u8) -> bool {
        self.in_name ^= letter == b':';
        letter == b'O' && !self.in_name
    }
}

/// Whether this mark is the byte order that this machine does not have.
fn is_foreign(mark: u8) -> bool {
    if cfg!(target_endian = "little") { matches!(mark, b'>' | b'!') } else { mark == b'<' }
}

fn other_order(argument: Argument, bytes: i64) -> Error {
    Status::InvalidDtype.of(argument).because(Detail::ByteOrder, bytes, 0)
}

/// So many plain bytes; INVALID_DTYPE outside 1 ... 2^24 - 1.
fn plain(bytes: i64) -> Result<Dtype> {
    let error = Error::new(Status::InvalidDtype);
    error.at_least(bytes, 1)?;
    error.at_most(bytes, Dtype::BYTES_LIMIT as i64 - 1)?;
    Dtype::bytes(bytes as u32)
}

/// The dtype of an item. INVALID_DTYPE for sizes that no element has, a letter of another size, long doubles in the
/// other byte order, and references to objects.
///
/// The letters of one number are that number. Every other format is plain bytes of the item size, unless it has a
/// reference to an object: an O anywhere but in a name. Without a format, items of one byte are u8, wider ones plain
/// bytes. A letter that contradicts its size is ambiguous, and refused.
fn dtype_of(format: Option<&[u8]>, itemsize: i64) -> Result<Dtype> {
    let (plain, bits) = (plain(itemsize).in_role(Argument::Itemsize)?, itemsize.saturating_mul(8));
    let Some(format) = format else { return Ok(if itemsize == 1 { Dtype::U8 } else { plain }) };
    let (mark, letters) = match format.split_first() {
        Some((&mark, letters)) if b"@=<>!^".contains(&mark) => (mark, letters),
        _ => (b'@', format),
    };
    // A long double is a number without a dtype.
    let foreign = itemsize > 1 && is_foreign(mark);
    if foreign && matches!(letters, b"g" | b"Zg") {
        return Err(other_order(Argument::Format, itemsize));
    }
    // Each field of a struct has its own order, given by its own marks; plain bytes keep theirs.
    let wide = Status::InvalidDtype.of(Argument::Format);
    let contradiction = |letters: &[u8]| {
        let number = letters.iter().rev().fold(0, |number, &letter| number << 8 | letter as i128);
        wide.because_wide(Detail::TypeWidth, number, bits as i128)
    };
    let mut fields = Fields::default();
    let mut numbers = NUMBERS.iter().filter(|number| {
        let mut names = number.2.split(|&byte| byte == b' ').filter(|name| !name.is_empty());
        names.any(|name| name == letters)
    });
    match numbers.clone().find(|number| number.1.bits() == bits) {
        Some(&(_, dtype, _)) => Ok(if foreign { dtype.swapped() } else { dtype }),
        None if numbers.next().is_some() => Err(contradiction(letters)),
        // Objects have reference counts.
        None if letters.iter().any(|&letter| fields.is_object(letter)) => Err(contradiction(b"O")),
        None => Ok(plain),
    }
}

/// The layout of a buffer, from the pointer to index (0, …, 0). A buffer without sizes is `len` bytes. Strides that are
/// not a whole number of elements give bytes, with one more dimension ([`LayoutBuf::of_bytes`]). INVALID_DTYPE as the
/// module says; INVALID_RANK for lists that are not as long as `ndim`; SHAPE_MISMATCH if the lengths disagree;
/// NOT_REPRESENTABLE for elements that are reached by pointers.
///
/// ```
/// use stride::vocabulary::py_buffer::{Buffer, to_layout};
/// let buffer = Buffer {
///     format: Some(b"<f"), len: 24, itemsize: 4, ndim: 2,
///     sizes: Some(&[2, 3]), byte_strides: Some(&[4, 8]), suboffsets: None,
/// };
/// let mirrored = Buffer { byte_strides: Some(&[12, -4]), ..buffer };
/// assert_eq!(to_layout(&mirrored)?.strides(), [3, -1]); // counted from index (0, 0)
/// let field = Buffer { byte_strides: Some(&[27, 9]), ..buffer }; // a field of packed records
/// assert_eq!(to_layout(&field)?.to_string(), "u8[2,3,4] strides [27,9,1] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn to_layout(buffer: &Buffer<'_>) -> Result<LayoutBuf> {
    LayoutBuf::made(|out| to_layout_in(buffer, out))
}

/// [`to_layout`] in a lent layout.
pub(crate) fn to_layout_in<'o>(buffer: &Buffer<'_>, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let no_sizes: &[i64] = &[];
    let Some(sizes) = (if buffer.ndim == 0 { Some(no_sizes) } else { buffer.sizes }) else {
        return out.set_packed(Dtype::U8, &[buffer.len]).in_role(Argument::Len);
    };
    for list in [Some(sizes), buffer.suboffsets].into_iter().flatten() {
        check_count(list.len(), buffer.ndim, Argument::Ndim)?;
    }
    let dtype = dtype_of(buffer.format, buffer.itemsize)?;
    let elements = arith::element_count(sizes).in_role(Argument::Shape)?;
    let empty = elements == 0;
    if let (Some(suboffsets), false) = (buffer.suboffsets, empty)
        && let Some((dimension, &suboffset)) = suboffsets.iter().enumerate().find(|&(_, &suboffset)| suboffset >= 0)
    {
        let error = Status::NotRepresentable.of(Argument::Suboffsets).dimension(dimension);
        return Err(error.because(Detail::Indirect, suboffset, 0));
    }
    let bytes = elements as i128 * buffer.itemsize as i128;
    let error = Status::ShapeMismatch.of(Argument::Len);
    error.unless(bytes == buffer.len as i128, Detail::NotEqual, buffer.len as i128, bytes)?;
    let Some(byte_strides) = buffer.byte_strides else {
        return out.set_packed(dtype, sizes).in_role(Argument::Shape);
    };
    match out.set_byte_strided(dtype, sizes, byte_strides) {
        Err(refused) if refused.status == Status::InvalidStride => out.set_of_bytes(dtype, sizes, byte_strides),
        Err(refused) => Err(refused),
        Ok(_) => out.view(),
    }
    // The dimension of an element's bytes may be one too many: that is no fault of the strides.
    .map_err(|error| match error.status {
        Status::InvalidRank => error,
        _ => Error { argument: Argument::Strides, ..error },
    })
}

/// The dtype of an array interface's type string, such as `<f4`. Types that are not numbers of a known width (long
/// doubles, dates, strings, structs) are plain bytes. PARSE names the byte that is wrong, also for references to
/// objects and bit fields; INVALID_DTYPE for sizes that no element has, and for plain bytes in the other byte order.
///
/// ```
/// use stride::{Dtype, vocabulary::py_buffer::dtype_of_typestr};
/// assert_eq!(dtype_of_typestr(b"<f4"), Ok(Dtype::F32));
/// assert_eq!(dtype_of_typestr(b"<M8[ns]"), Dtype::bytes(8));
/// assert_eq!(dtype_of_typestr(b"<O8").unwrap_err().position, 1);
/// ```
pub fn dtype_of_typestr(text: &[u8]) -> Result<Dtype> {
    let expected = |position: usize, what: &[u8]| {
        Status::Parse.of(Argument::Text).position(position).expected(text.get(position), what)
    };
    let mark = *text.first().filter(|mark| b"<>|".contains(mark)).ok_or(expected(0, b"<>|"))?;
    let (&letter, mut rest) = text.get(1..).and_then(<[u8]>::split_first).ok_or(expected(1, b"A"))?;
    let (kind, characters) = match letter {
        b'b' | b'i' | b'u' | b'f' | b'c' => (Some(letter), 1),
        b'm' | b'M' | b'S' | b'V' => (None, 1),
        b'U' => (None, 4), // bytes of a character
        _ => return Err(expected(1, b"").because(Detail::Name, 0, 0)),
    };
    let (mut bytes, mut position) = (0i64, 2);
    while let Some((&digit, after)) = rest.split_first()
        && digit.is_ascii_digit()
    {
        bytes = bytes.saturating_mul(10).saturating_add((digit - b'0') as i64);
        (rest, position) = (after, position + 1);
    }
    // A date has its unit after the number: <M8[ns].
    let unit = matches!(letter, b'm' | b'M') && rest.first() == Some(&b'[') && rest.last() == Some(&b']');
    if position == 2 || !(rest.is_empty() || unit) {
        return Err(expected(position, if position == 2 { b"0" } else { b"$" }));
    }
    let single_bytes = matches!(letter, b'S' | b'V');
    let bytes = bytes.saturating_mul(characters);
    let plain = plain(bytes).in_role(Argument::Text)?;
    let foreign = bytes > 1 && !single_bytes && is_foreign(mark);
    let bits = bytes.saturating_mul(8);
    match NUMBERS.iter().find(|number| Some(number.0) == kind && number.1.bits() == bits) {
        Some(&(_, dtype, _)) => Ok(if foreign { dtype.swapped() } else { dtype }),
        None if foreign => Err(other_order(Argument::Text, bytes)),
        None => Ok(plain),
    }
}

/// A type string. See [`typestr_of`].
///
/// ```
/// use stride::{Dtype, vocabulary::py_buffer::{TypeString, typestr_of}};
/// let text: TypeString = typestr_of(Dtype::bytes(12)?)?;
/// assert_eq!(text.to_string(), "|V12");
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TypeString {
    letter: char,
    bytes: i64,
    swapped: bool,
}

/// The type string of a dtype, the inverse of [`dtype_of_typestr`]; INVALID_DTYPE if the array interface has none:
/// bf16, 8-bit floats, elements below a byte.
///
/// ```
/// use stride::{Dtype, vocabulary::py_buffer::typestr_of};
/// assert_eq!(typestr_of(Dtype::U8)?.to_string(), "|u1");
/// assert!(typestr_of(Dtype::BF16).is_err()); // NumPy has none
/// # Ok::<(), stride::Error>(())
/// ```
pub fn typestr_of(dtype: Dtype) -> Result<TypeString> {
    let bytes = dtype.bits() / 8;
    if dtype.is_bytes() {
        return Ok(TypeString { letter: 'V', bytes, swapped: false });
    }
    let error = Status::InvalidDtype.of(Argument::Dtype).because(Detail::DtypeForeign, dtype.code() as i64, 4);
    let known = NUMBERS.iter().find(|&&(_, known, _)| known == dtype || known == dtype.swapped()).ok_or(error)?;
    Ok(TypeString { letter: known.0.into(), bytes, swapped: dtype.is_swapped() })
}

impl fmt::Display for TypeString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match (self.letter == 'V' || self.bytes == 1, cfg!(target_endian = "little") != self.swapped) {
            (true, _) => '|',
            (false, true) => '<',
            (false, false) => '>',
        };
        write!(f, "{order}{}{}", self.letter, self.bytes)
    }
}

#[cfg(test)]
#[cfg(target_endian = "little")]
mod tests {
    use super::*;
    use std::string::ToString;

    /// The bytes of an element become a dimension, which is one too many beside 64 others.
    #[test]
    fn bytes_that_have_no_dimension_are_no_fault_of_the_strides() {
        let (sizes, mut strides) = ([1; 64], [4; 64]);
        strides[63] = 5;
        let two = |sizes: [i64; 64]| [&sizes[..63], &[2]].concat();
        let buffer = Buffer {
            len: 8,
            itemsize: 4,
            format: Some(b"f"),
            ndim: 64,
            sizes: Some(&two(sizes)),
            byte_strides: Some(&strides),
            suboffsets: None,
        };
        let error = to_layout(&buffer).unwrap_err();
        assert_eq!((error.status, error.argument, error.lhs), (Status::InvalidRank, Argument::Out, 65));
    }

    #[test]
    fn formats_are_numbers_or_bytes() {
        let of = |format: &str, itemsize| dtype_of(Some(format.as_bytes()), itemsize);
        let numbers = [("f", 4, Dtype::F32), ("<d", 8, Dtype::F64), ("=q", 8, Dtype::S64), ("@l", 8, Dtype::S64)];
        for (format, itemsize, dtype) in numbers {
            assert_eq!(of(format, itemsize), Ok(dtype), "{format}");
        }
        let others = [("l", 4, Dtype::S32), ("?", 1, Dtype::PRED), ("Zd", 16, Dtype::C128), (">B", 1, Dtype::U8)];
        for (format, itemsize, dtype) in others {
            assert_eq!(of(format, itemsize), Ok(dtype), "{format}");
        }
        for (format, itemsize) in [("c", 1), ("12s", 12), ("T{<", 8), ("g", 16), ("4w", 16), ("ff", 8), ("", 3)] {
            assert_eq!(of(format, itemsize), Dtype::bytes(itemsize as u32), "{format}");
        }
        assert_eq!((of("O", 8).unwrap_err().lhs, of("=O", 8).unwrap_err().rhs), ('O' as i64, 64));
        for (format, itemsize) in [("2O", 16), ("(1)O", 8), ("T{i:a:4xO:x:}", 16), ("T{i:O:T{f:b:O:c:}:d:}", 24)] {
            assert_eq!(of(format, itemsize).unwrap_err().detail, Detail::TypeWidth, "{format}");
        }
        assert_eq!(of("T{i:O:f:BOO:}", 8), Dtype::bytes(8));
        assert_eq!((of(">f", 4), of("!H", 2)), (Ok(Dtype::F32.swapped()), Ok(Dtype::U16.swapped())));
        assert_eq!(of(">g", 16).unwrap_err().detail, Detail::ByteOrder);
        let error = of("f", 8).unwrap_err();
        assert_eq!((error.detail, error.lhs, error.rhs), (Detail::TypeWidth, 'f' as i64, 64));
        assert_eq!(of("Zd", 8).unwrap_err().lhs, i64::from(u16::from_le_bytes(*b"Zd")));
        assert_eq!((of("f", 0).unwrap_err().argument, of("f", -1).unwrap_err().lhs), (Argument::Itemsize, -1));
    }

    #[test]
    fn type_strings_come_back() {
        let dtypes = NUMBERS.iter().map(|of| of.1).chain([Dtype::bytes(1).unwrap(), Dtype::bytes(12).unwrap()]);
        for dtype in dtypes.flat_map(|dtype| [dtype, dtype.swapped()]) {
            let text = typestr_of(dtype).unwrap().to_string();
            assert_eq!(dtype_of_typestr(text.as_bytes()), Ok(dtype), "{text}");
        }
        let bytes = [("<f16", 16), ("|S5", 5), ("<U3", 12), ("<M8[ns]", 8), (">V2", 2), ("<m8", 8), ("|V1", 1)];
        for (text, count) in bytes {
            assert_eq!(dtype_of_typestr(text.as_bytes()), Dtype::bytes(count), "{text}");
        }
        let wrong =
            [("", 0), ("f4", 0), ("=f4", 0), ("<", 1), ("|O8", 1), ("|t4", 1), ("<f", 2), ("<f4 ", 3), ("<f4[ns]", 3)];
        for (text, position) in wrong {
            let error = dtype_of_typestr(text.as_bytes()).unwrap_err();
            assert_eq!((error.status, error.position), (Status::Parse, position), "{text}");
        }
        assert_eq!(dtype_of_typestr(b">u1"), Ok(Dtype::U8)); // one byte has no order
        assert_eq!(dtype_of_typestr(b">c8"), Ok(Dtype::C64.swapped()));
        for text in [">f16", ">U1"] {
            assert_eq!(dtype_of_typestr(text.as_bytes()).unwrap_err().detail, Detail::ByteOrder, "{text}");
        }
        let most = (1 << 24) - 1;
        for (text, why) in [("|V0", (Detail::Below, 1)), ("|V99999999999999999999", (Detail::Above, most))] {
            let error = dtype_of_typestr(text.as_bytes()).unwrap_err();
            assert_eq!((error.status, (error.detail, error.rhs)), (Status::InvalidDtype, why), "{text}");
        }
        assert!(typestr_of(Dtype::BF16).is_err() && typestr_of(Dtype::U4).is_err());
    }
}
