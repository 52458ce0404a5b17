//! .safetensors: named tensors in C order.
//!
//! ```text
//! length of the text (8 bytes)  {"name":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}, …}  data
//! ```
//!
//! Numbers are little-endian; offsets count from the end of the text. Source: "Format" of the README of
//! huggingface/safetensors, which also bounds the text.
//!
//! Its library refuses a file whose tensors do not follow each other from the first byte of the data to the last. Here
//! that is a note: each tensor's bytes are where its entry says, and a file with a hole is still worth reading. A name
//! that stands twice is refused, since nothing says which of the two is meant.

use super::{Contents, Entry, Outcome, Stored, check_length, ended, exactly, repeated};
use crate::fault::brief;
use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::json;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::marker::PhantomData;
use stride::Dtype;
use stride::model::MAX_RANK;

const MAX_HEADER: u64 = 100_000_000;

/// Names of dtypes. F6_E2M3 and F6_E3M2 have none here.
const NAMES: [(&str, Dtype); 20] = [
    ("BOOL", Dtype::PRED),
    ("F4", Dtype::F4E2M1FN),
    ("U8", Dtype::U8),
    ("I8", Dtype::S8),
    ("F8_E5M2", Dtype::F8E5M2),
    ("F8_E4M3", Dtype::F8E4M3FN),
    ("F8_E5M2FNUZ", Dtype::F8E5M2FNUZ),
    ("F8_E4M3FNUZ", Dtype::F8E4M3FNUZ),
    ("F8_E8M0", Dtype::F8E8M0FNU),
    ("I16", Dtype::S16),
    ("U16", Dtype::U16),
    ("F16", Dtype::F16),
    ("BF16", Dtype::BF16),
    ("I32", Dtype::S32),
    ("U32", Dtype::U32),
    ("F32", Dtype::F32),
    ("C64", Dtype::C64),
    ("F64", Dtype::F64),
    ("I64", Dtype::S64),
    ("U64", Dtype::U64),
];

pub fn list(file: File, length: u64) -> Outcome<Contents> {
    let mut from = BufReader::new(file);
    let text_length = u64::from_le_bytes(exactly(&mut from, "the header's length")?);
    if text_length > MAX_HEADER {
        return Err(format!("its header has {text_length} bytes; {MAX_HEADER} are allowed"));
    }
    let begin = 8 + text_length;
    if begin > length {
        return Err(format!("its header has {text_length} bytes, but the file has {length}"));
    }
    let mut text = vec![0; text_length as usize];
    from.read_exact(&mut text).map_err(|error| ended(error, "the header"))?;
    let Header(all) = serde_json::from_slice(&text).map_err(|error| format!("its header: {error}"))?;
    let (mut entries, mut places) = (Vec::new(), Vec::new());
    for (name, text) in all {
        let (found, place) = of_entry(text, begin, length - begin);
        entries.push(Entry { name: name.into_owned(), found });
        places.push(place);
    }
    if let Some(name) = repeated(entries.iter().map(|one| one.name.as_str())) {
        return Err(format!("its header has two tensors of the name `{}`", brief(name)));
    }
    let notes = gaps(&entries, &places, length - begin).into_iter().collect();
    Ok(Contents { entries, notes, kind: "tensor" })
}

/// The names of the tensors and the texts of their entries, nothing of which is copied: a text may be as long as the
/// format allows, and what it has in it may claim many times the memory.
struct Header<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Header<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Entries<'a>(PhantomData<&'a ()>);
        impl<'de> Visitor<'de> for Entries<'de> {
            type Value = Header<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Header<'de>, A::Error> {
                let mut all = Vec::new();
                while let Some(Text(name)) = from.next_key()? {
                    if name == "__metadata__" {
                        from.next_value::<IgnoredAny>()?;
                    } else {
                        all.push((name, from.next_value()?));
                    }
                }
                Ok(Header(all))
            }
        }
        from.deserialize_map(Entries(PhantomData))
    }
}

/// A string, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow)]
    dtype: Option<&'a RawValue>,
    #[serde(borrow)]
    shape: Option<&'a RawValue>,
    #[serde(borrow)]
    data_offsets: Option<&'a RawValue>,
}

/// A list of numbers, of which no more are kept than tell that it is too long.
struct Few<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Few<T> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = Few<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Few<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = from.next_element()? {
                    if items.len() <= MAX_RANK {
                        items.push(item);
                    }
                }
                Ok(Few(items))
            }
        }
        from.deserialize_seq(Items(PhantomData))
    }
}

fn numbers<'a, T: Deserialize<'a>>(text: Option<&'a RawValue>) -> Option<Vec<T>> {
    serde_json::from_str(text?.get()).ok().map(|Few(numbers)| numbers)
}

/// The tensor of an entry, or why there is none; and where its bytes are among the `present` ones, where it says so.
fn of_entry(text: &RawValue, begin: u64, present: u64) -> (Outcome<Stored>, Option<[u64; 2]>) {
    let fields = match serde_json::from_str::<Fields<'_>>(text.get()) {
        _ if !text.get().starts_with('{') => return (Err("its entry is no object".into()), None),
        Ok(fields) => fields,
        Err(error) => return (Err(error.to_string()), None),
    };
    let place = numbers(fields.data_offsets).and_then(|offsets: Vec<u64>| offsets.try_into().ok());
    let found = || {
        let name = fields.dtype.ok_or("its dtype is missing")?;
        let Text(name) = serde_json::from_str(name.get()).map_err(|_| "its dtype is no string")?;
        let shape = fields.shape.ok_or("its shape is missing")?;
        let sizes: Vec<i64> = numbers(Some(shape)).ok_or("its shape is no list of numbers below 2^63")?;
        if sizes.iter().any(|size| *size < 0) {
            return Err("its shape has a negative number".into());
        }
        fields.data_offsets.ok_or("its data_offsets are missing")?;
        let place = place.ok_or("its data_offsets are not two numbers below 2^64")?;
        stored(&name, sizes, begin, place, present)
    };
    (found(), place)
}

fn stored(name: &str, sizes: Vec<i64>, begin: u64, [from, to]: [u64; 2], present: u64) -> Outcome<Stored> {
    let of_library = |error: stride::Error| error.to_string();
    let data = begin.saturating_add(from);
    let known = NAMES.iter().find(|(known, _)| *known == name).map(|(_, dtype)| *dtype);
    // The file's bytes are little-endian.
    let known = known.map(|dtype| if cfg!(target_endian = "little") { dtype } else { dtype.swapped() });
    if sizes.len() > MAX_RANK {
        return Err(format!("its shape has more than {MAX_RANK} dimensions"));
    }
    let mut stored = match known {
        Some(dtype) => Stored::new(dtype, sizes, false, data).map_err(of_library)?,
        None => {
            let bytes = to.checked_sub(from).and_then(|bytes| i64::try_from(bytes).ok());
            let bytes = bytes.ok_or_else(|| format!("its data_offsets are {from} and {to}"))?;
            let mut stored = Stored::new(Dtype::U8, vec![bytes], false, data).map_err(of_library)?;
            let shape = sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
            let note = format!("its dtype {} is not known, and it is shown as its bytes; its shape is", brief(name));
            stored.notes.push(format!("{note} [{shape}]"));
            stored.called = Some(name.into());
            stored
        }
    };
    let bytes = stored.bytes;
    if to.checked_sub(from) != Some(bytes) {
        return Err(format!("its data_offsets are {from} and {to}, but its dtype and shape take {bytes} bytes"));
    }
    check_length(to, present)?;
    if known.is_some() && !ends_at_a_byte(stored.dtype, &stored.sizes) {
        stored.notes.push(format!("its last byte has bits of no element; {REFUSES}"));
    }
    Ok(stored)
}

const REFUSES: &str = "the library safetensors refuses such a file";

/// Whether a tensor of this dtype and these sizes may be in a file: it has to end with a byte.
pub fn ends_at_a_byte(dtype: Dtype, sizes: &[i64]) -> bool {
    sizes.iter().fold(dtype.bits(), |bits, size| bits * (size % 8) % 8) % 8 == 0
}

/// The fault in the places of the tensors: the first bytes that two of them share, or that none has. Where a place is
/// not known, any bytes may be its.
fn gaps(entries: &[Entry], places: &[Option<[u64; 2]>], present: u64) -> Option<String> {
    let mut order: Vec<_> = places.iter().zip(entries).filter_map(|(place, entry)| Some(((*place)?, entry))).collect();
    order.retain(|([from, to], _)| from <= to);
    order.sort_by_key(|(place, _)| *place);
    let all_known = order.len() == places.len();
    let (mut end, mut last) = (0, None::<&Entry>);
    for ([from, to], entry) in order {
        let name = brief(&entry.name);
        if let (true, Some(last)) = (from < end, last) {
            let last = brief(&last.name);
            return Some(match from == to {
                true => format!("tensor `{name}` of 0 bytes lies inside tensor `{last}`; {REFUSES}"),
                false => format!("tensors `{last}` and `{name}` share bytes; {REFUSES}"),
            });
        }
        if all_known && from > end {
            return Some(format!("{} bytes before tensor `{name}` belong to none; {REFUSES}", from - end));
        }
        (end, last) = (to, Some(entry));
    }
    (all_known && end < present).then(|| format!("{} bytes follow the data; {REFUSES}", present - end))
}

/// The header of a file with one tensor; `None` where the format has no such dtype.
pub fn write(name: &str, dtype: Dtype, sizes: &[i64], bytes: u64) -> Option<Vec<u8>> {
    let plain = if dtype.is_swapped() { dtype.swapped() } else { dtype };
    let (dtype, _) = NAMES.iter().find(|(_, known)| *known == plain)?;
    let mut text = json!({ name: { "dtype": dtype, "shape": sizes, "data_offsets": [0, bytes] } }).to_string();
    // Spaces may follow; data that begin at a multiple of 8 are aligned.
    while !text.len().is_multiple_of(8) {
        text.push(' ');
    }
    Some([&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat())
}
