//! .npy: one array of NumPy, versions 1 to 3.
//!
//! ```text
//! \x93NUMPY  major minor  length of the text (2 bytes; 4 from version 2 on)  text, padded to 64 bytes  data
//! {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
//! ```
//!
//! The text is a Python dict with these three keys, in any order ([`super::literal`]). Source: "NPY format" of NumPy's
//! manual.

use super::literal::{Fields, fields};
use super::{Contents, Entry, Outcome, Stored, check_length, descr, ended, exactly};
use std::fs::File;
use std::io::{BufReader, Read};
use stride::Dtype;
use stride::vocabulary::py_buffer::typestr_of;

pub const MAGIC: [u8; 6] = *b"\x93NUMPY";
/// More than any array without fields needs.
const MAX_HEADER: u64 = 1 << 16;

pub fn list(file: File, length: u64) -> Outcome<Contents> {
    let found = Ok(read(&mut BufReader::new(file), length)?);
    Ok(Contents { entries: vec![Entry { name: String::new(), found }], notes: Vec::new(), kind: "" })
}

/// The array of a file, or member, of `length` bytes.
pub fn read(from: &mut impl Read, length: u64) -> Outcome<Stored> {
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
    let Fields { descr, fortran, sizes } = fields(&text)?;
    let descr = descr::typestr(&descr);
    let dtype = descr::dtype_of(&descr)?;
    let stored = Stored::new(dtype, sizes, fortran, text_begin + text_length);
    let mut stored = stored.map_err(|error| format!("its header: {error}"))?;
    let present = length.saturating_sub(stored.begin);
    check_length(stored.bytes, present)?;
    if present > stored.bytes {
        stored.notes.push(format!("{} bytes follow the data", present - stored.bytes));
    }
    if dtype.is_bytes() {
        stored.numbers = descr::numbers(&descr, dtype);
        stored.called = Some(String::from_utf8_lossy(&descr).into_owned());
    }
    Ok(stored)
}

/// The header of an array in C order, or in Fortran order. `descr`: the type, where the library's has no type string.
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
