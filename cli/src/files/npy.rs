//! .npy: one array of NumPy, versions 1 to 3.
//!
//! ```text
//! \x93NUMPY  major minor  length of the text (2 bytes; 4 from version 2 on)  text, padded to 64 bytes  data
//! {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
//! ```
//!
//! The text is a Python dict with these three keys, in any order. Source: "NPY format" of NumPy's manual.

use super::{Outcome, Stored, check_length, ended, exactly};
use crate::tensor::Tensor;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use stride::model::MAX_RANK;
use stride::vocabulary::py_buffer::{dtype_of_typestr, typestr_of};
use stride::{Dtype, LayoutBuf};

const MAGIC: [u8; 6] = *b"\x93NUMPY";
/// More than any array without fields needs.
const MAX_HEADER: u64 = 1 << 16;
const KEYS: [&str; 3] = ["descr", "fortran_order", "shape"];

pub struct Header {
    pub layout: LayoutBuf,
    /// The type as the file writes it: `<U3`, `<M8[s]` and others are bytes to the library.
    pub descr: String,
    /// Bytes in front of the data.
    pub begin: u64,
    pub bytes: u64,
}

pub fn list(path: &Path, file: File, length: u64) -> Outcome<Vec<Stored>> {
    let header = read(&mut BufReader::new(file))?;
    let stored = header.stored(path, "", length)?;
    Ok(vec![stored])
}

impl Header {
    /// The array of a file, or member, of `length` bytes.
    pub fn stored(self, path: &Path, name: &str, length: u64) -> Outcome<Stored> {
        let present = length.saturating_sub(self.begin);
        check_length(self.bytes, present)?;
        let behind = present - self.bytes;
        Ok(Stored {
            path: path.into(),
            name: name.into(),
            tensor: Tensor::Layout(self.layout),
            begin: self.begin,
            bytes: self.bytes,
            deflated: false,
            descr: Some(self.descr),
            notes: if behind > 0 { vec![format!("{behind} bytes follow the data")] } else { Vec::new() },
        })
    }
}

pub fn read(from: &mut impl Read) -> Outcome<Header> {
    let magic: [u8; 6] = exactly(from, "the magic number")?;
    if magic != MAGIC {
        return Err("it does not begin with \\x93NUMPY, as a .npy file does".into());
    }
    let [major, minor] = exactly(from, "the version")?;
    let (text_begin, text_length) = match (major, minor) {
        (1, 0) => (10, u64::from(u16::from_le_bytes(exactly(from, "the header's length")?))),
        (2 | 3, 0) => (12, u64::from(u32::from_le_bytes(exactly(from, "the header's length")?))),
        _ => return Err(format!("version {major}.{minor} of the .npy format is not known")),
    };
    if text_length > MAX_HEADER {
        return Err(format!("its header has {text_length} bytes; {MAX_HEADER} are read at most"));
    }
    let mut text = vec![0; text_length as usize];
    from.read_exact(&mut text).map_err(|error| ended(error, "the header"))?;
    let Fields { descr, fortran, sizes } = Literal { text: &text, at: 0 }.fields()?;
    let dtype = dtype_of(descr).map_err(|error| match descr {
        [_, b'O', ..] => "its elements are Python objects, which lie elsewhere".into(),
        _ => format!("descr '{}': {error}", descr.escape_ascii()),
    })?;
    let layout = if fortran {
        LayoutBuf::ordered(dtype, &sizes, &(0..sizes.len() as i64).collect::<Vec<_>>())
    } else {
        LayoutBuf::packed(dtype, &sizes)
    };
    let layout = layout.map_err(|error| format!("its header: {error}"))?;
    let bytes = layout.min_bytes().map_err(|error| format!("its header: {error}"))?;
    Ok(Header { layout, descr: String::from_utf8_lossy(descr).into_owned(), begin: text_begin + text_length, bytes })
}

/// The type; what is bytes to the library, such as text, is so in either byte order.
fn dtype_of(descr: &[u8]) -> stride::Result<Dtype> {
    dtype_of_typestr(descr).or_else(|error| {
        let own = if cfg!(target_endian = "big") { b">" } else { b"<" };
        let own_order = [&own[..], descr.get(1..).unwrap_or_default()].concat();
        dtype_of_typestr(&own_order).ok().filter(|dtype| dtype.is_bytes()).ok_or(error)
    })
}

/// The header of an array in C order, or in Fortran order. `descr`: the type as another file writes it.
pub fn write(dtype: Dtype, descr: Option<&str>, sizes: &[i64], fortran: bool) -> stride::Result<Vec<u8>> {
    let descr = match descr {
        Some(descr) => descr.to_owned(),
        None => typestr_of(dtype)?.to_string(),
    };
    let comma = if sizes.len() == 1 { "," } else { "" };
    let sizes = sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    let order = if fortran { "True" } else { "False" };
    let text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({sizes}{comma}), }}");
    // 64 sizes of 20 digits are below 2^16 bytes, so version 1 has room for all.
    let padded = (10 + text.len() + 1).next_multiple_of(64) - 10;
    let mut header = [&MAGIC[..], &[1, 0], &(padded as u16).to_le_bytes(), text.as_bytes()].concat();
    header.resize(10 + padded - 1, b' ');
    header.push(b'\n');
    Ok(header)
}

struct Fields<'a> {
    descr: &'a [u8],
    fortran: bool,
    sizes: Vec<i64>,
}

/// A Python literal, of which as much is known as a header has.
struct Literal<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Literal<'a> {
    fn fields(mut self) -> Outcome<Fields<'a>> {
        let (mut descr, mut fortran, mut sizes) = (None, None, None);
        self.take(b'{')?;
        while !self.is_next(b'}') {
            let key = self.string()?;
            self.take(b':')?;
            let repeated = match key {
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
    fn descr(&mut self) -> Outcome<&'a [u8]> {
        if self.is_next(b'[') {
            return Err("its elements are structs with fields: save one field as an array of its own".into());
        }
        if self.is_next(b'(') {
            return Err("its elements are arrays themselves: save them with a dtype of one number".into());
        }
        self.string()
    }

    fn truth(&mut self) -> Outcome<bool> {
        self.skip_spaces();
        for (word, truth) in [("True", true), ("False", false)] {
            if self.text[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
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
            sizes.push(self.number()?);
            if !self.is_next(b')') {
                self.take(b',')?;
            } else if sizes.len() == 1 {
                return Err(self.expected("`,` after the only size, or Python reads a number"));
            }
        }
        self.take(b')')?;
        Ok(sizes)
    }

    fn number(&mut self) -> Outcome<i64> {
        self.skip_spaces();
        let digits = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = str::from_utf8(&self.text[self.at..self.at + digits]).unwrap_or_default();
        if digits == 0 {
            return Err(self.expected("a size"));
        }
        let size = text.parse().map_err(|_| format!("its shape has the size {text}, above 2^63 - 1"))?;
        self.at += digits;
        // Python 2 wrote long integers with an L.
        if self.text.get(self.at) == Some(&b'L') {
            self.at += 1;
        }
        Ok(size)
    }

    /// The inside of a string without escapes.
    fn string(&mut self) -> Outcome<&'a [u8]> {
        self.skip_spaces();
        let Some(&quote) = self.text.get(self.at).filter(|byte| b"'\"".contains(byte)) else {
            return Err(self.expected("a string"));
        };
        let inside = &self.text[self.at + 1..];
        let Some(end) = inside.iter().position(|&byte| byte == quote || byte == b'\\' || byte == b'\n') else {
            return Err(self.expected("a string that ends"));
        };
        self.at += 1 + end;
        if inside[end] != quote {
            return Err(self.expected("the end of the string"));
        }
        self.at += 1;
        Ok(&inside[..end])
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

    fn skip_spaces(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
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
