//! The type of a .npy file: what numpy.dtype takes, as one type string of the array interface.
//!
//! numpy.save writes type strings (`<f4`), and numpy.load also takes a letter of C (`f`, `<f`), a name (`float32`) and
//! the machine's order (`=f4`, `f4`). Source: "Data type objects" and "Array-protocol type strings" of NumPy's manual.

use super::{NumberRun, Numbers, Outcome};
use crate::fault::brief;
use stride::Dtype;
use stride::vocabulary::py_buffer::dtype_of_typestr;

const OWN_ORDER: u8 = if cfg!(target_endian = "big") { b'>' } else { b'<' };
/// C's long, and its long double.
const LONG: &str = if cfg!(any(windows, target_pointer_width = "32")) { "i4" } else { "i8" };
const ULONG: &str = if cfg!(any(windows, target_pointer_width = "32")) { "u4" } else { "u8" };
const POINTER: &str = if cfg!(target_pointer_width = "32") { "i4" } else { "i8" };
const UPOINTER: &str = if cfg!(target_pointer_width = "32") { "u4" } else { "u8" };

/// Letters, which may follow an order.
const LETTERS: [(&str, &str); 24] = [
    ("?", "b1"),
    ("b", "i1"),
    ("B", "u1"),
    ("h", "i2"),
    ("H", "u2"),
    ("i", "i4"),
    ("I", "u4"),
    ("l", LONG),
    ("L", ULONG),
    ("q", "i8"),
    ("Q", "u8"),
    ("n", POINTER),
    ("N", UPOINTER),
    ("p", POINTER),
    ("P", UPOINTER),
    ("e", "f2"),
    ("f", "f4"),
    ("d", "f8"),
    ("F", "c8"),
    ("D", "c16"),
    ("g", "f16"),
    ("G", "c32"),
    ("c", "S1"),
    ("O", "O"),
];

/// Names, which have the machine's order.
const NAMES: [(&str, &str); 43] = [
    ("bool", "b1"),
    ("bool_", "b1"),
    ("int8", "i1"),
    ("int16", "i2"),
    ("int32", "i4"),
    ("int64", "i8"),
    ("uint8", "u1"),
    ("uint16", "u2"),
    ("uint32", "u4"),
    ("uint64", "u8"),
    ("float16", "f2"),
    ("float32", "f4"),
    ("float64", "f8"),
    ("float128", "f16"),
    ("complex64", "c8"),
    ("complex128", "c16"),
    ("complex256", "c32"),
    ("byte", "i1"),
    ("ubyte", "u1"),
    ("short", "i2"),
    ("ushort", "u2"),
    ("intc", "i4"),
    ("uintc", "u4"),
    ("long", LONG),
    ("ulong", ULONG),
    ("longlong", "i8"),
    ("ulonglong", "u8"),
    ("int", POINTER),
    ("int_", POINTER),
    ("intp", POINTER),
    ("uint", UPOINTER),
    ("uintp", UPOINTER),
    ("half", "f2"),
    ("single", "f4"),
    ("float", "f8"),
    ("double", "f8"),
    ("longdouble", "f16"),
    ("csingle", "c8"),
    ("complex", "c16"),
    ("cdouble", "c16"),
    ("clongdouble", "c32"),
    ("object", "O"),
    ("object_", "O"),
];

/// The type string of what a header says; as it is, where it is none that is known.
pub fn typestr(descr: &[u8]) -> Vec<u8> {
    let (mark, rest) = match descr.split_first() {
        Some((mark, rest)) if b"<>=|".contains(mark) => (Some(*mark), rest),
        _ => (None, descr),
    };
    let find = |list: &[(&str, &'static str)]| list.iter().find(|(name, _)| name.as_bytes() == rest).map(|(_, is)| *is);
    let known = find(&LETTERS).or_else(|| find(&NAMES).filter(|_| mark.is_none()));
    let date = |name: &[u8], letter: &[u8]| {
        let unit = rest.strip_prefix(name)?;
        (unit.is_empty() || unit.starts_with(b"[")).then(|| [letter, b"8", unit].concat())
    };
    let dates = [(&b"M"[..], &b"M"[..]), (b"datetime64", b"M"), (b"m", b"m"), (b"timedelta64", b"m")];
    let known = known.map(|known| known.as_bytes().to_vec());
    let known = known.or_else(|| dates.iter().find_map(|(name, letter)| date(name, letter)));
    let is_plain = matches!(rest, [letter, digit, ..] if letter.is_ascii_alphabetic() && digit.is_ascii_digit());
    let Some(rest) = known.or_else(|| is_plain.then(|| rest.to_vec())) else { return descr.to_vec() };
    // Bytes, text of bytes, objects, and numbers of one byte have no order.
    let ordered = !matches!(rest[..], [b'S' | b'V' | b'O', ..] | [_, b'1']);
    let own = if ordered { OWN_ORDER } else { b'|' };
    [&[mark.filter(|mark| *mark != b'=').unwrap_or(own)], &rest[..]].concat()
}

/// The dtype of a type string; what is bytes to the library, such as text, is so in either byte order.
pub fn dtype_of(descr: &[u8]) -> Outcome<Dtype> {
    dtype_of_typestr(descr)
        .or_else(|error| {
            let own_order = [&[OWN_ORDER], descr.get(1..).unwrap_or_default()].concat();
            dtype_of_typestr(&own_order).ok().filter(|dtype| dtype.is_bytes()).ok_or(error)
        })
        .map_err(|error| match descr {
            [_, b'O', ..] => "its elements are Python objects, which lie elsewhere".into(),
            [b'<' | b'>' | b'|', ..] => format!("descr '{}': {error}", brief(&descr.escape_ascii().to_string())),
            _ => format!("descr '{}' is no type that is known here", brief(&descr.escape_ascii().to_string())),
        })
}

/// The numbers inside an element that is bytes here: the characters of text, a date, the parts of a long double.
pub fn numbers(descr: &[u8], dtype: Dtype) -> Option<Numbers> {
    let bytes = dtype.bits() / 8;
    let (width, count) = match descr.get(1)? {
        b'U' => (4, bytes / 4),
        b'c' => (bytes / 2, 2),
        b'f' | b'm' | b'M' => (bytes, 1),
        _ => return None,
    };
    Some(Numbers { big: descr[0] == b'>', runs: Some(vec![NumberRun { offset: 0, width, count }]) })
}

/// A type string in a byte order.
pub fn in_order(descr: &str, big: bool) -> String {
    let order = if big { '>' } else { '<' };
    descr.chars().take(1).map(|_| order).chain(descr.chars().skip(1)).collect()
}

#[cfg(test)]
#[cfg(all(target_endian = "little", target_pointer_width = "64", unix))]
mod tests {
    use super::*;

    /// `numpy.dtype(text).str` of NumPy 2.4 on x86-64 Linux, where NumPy reads it.
    #[test]
    fn what_numpy_takes() {
        for (text, is) in [
            ("<f4", "<f4"),
            ("=f4", "<f4"),
            ("f4", "<f4"),
            ("float32", "<f4"),
            ("<f", "<f4"),
            (">f", ">f4"),
            ("=f", "<f4"),
            ("l", "<i8"),
            (">l", ">i8"),
            ("bool", "|b1"),
            ("?", "|b1"),
            ("half", "<f2"),
            ("S5", "|S5"),
            ("V4", "|V4"),
            ("U3", "<U3"),
            ("=U3", "<U3"),
            ("M8[s]", "<M8[s]"),
            ("=M8[s]", "<M8[s]"),
            ("datetime64[25s]", "<M8[25s]"),
            ("<timedelta64[us]", "<m8[us]"),
            (">M", ">M8"),
            ("c", "|S1"),
            ("longdouble", "<f16"),
            (">g", ">f16"),
            ("F", "<c8"),
            ("int", "<i8"),
            ("u1", "|u1"),
            ("=u1", "|u1"),
            ("object", "|O"),
            ("O", "|O"),
            ("<V2", "<V2"),
        ] {
            assert_eq!(String::from_utf8(typestr(text.as_bytes())).unwrap(), is, "{text}");
        }
        for text in ["<float32", "Float32", "d8", "<<f4", " f4", "", "<", "x"] {
            assert!(dtype_of(&typestr(text.as_bytes())).is_err(), "{text}");
        }
    }
}
