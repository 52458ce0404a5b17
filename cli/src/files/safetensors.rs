//! .safetensors: named tensors in C order.
//!
//! ```text
//! length of the text (8 bytes)  {"name":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}, …}  data
//! ```
//!
//! Numbers are little-endian; offsets count from the end of the text. Source: "Format" of the README of
//! huggingface/safetensors, which also bounds the text.

use super::{Outcome, Stored, check_length, ended, exactly};
use crate::tensor::Tensor;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use stride::{Dtype, LayoutBuf};

const MAX_HEADER: u64 = 100_000_000;

/// Names of dtypes. F6_E2M3 and F6_E3M2 have none here.
const NAMES: [(&str, Dtype); 18] = [
    ("BOOL", Dtype::PRED),
    ("F4", Dtype::F4E2M1FN),
    ("U8", Dtype::U8),
    ("I8", Dtype::S8),
    ("F8_E5M2", Dtype::F8E5M2),
    ("F8_E4M3", Dtype::F8E4M3FN),
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

pub fn list(path: &Path, file: File, length: u64) -> Outcome<Vec<Stored>> {
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
    let all: Map<String, Value> = serde_json::from_slice(&text).map_err(|error| format!("its header: {error}"))?;
    let mut tensors = Vec::new();
    for (name, entry) in all.iter().filter(|(name, _)| *name != "__metadata__") {
        let tensor = of_entry(entry, length - begin).map(|(layout, [from, to])| Stored {
            path: path.into(),
            name: name.clone(),
            tensor: Tensor::Layout(layout),
            begin: begin + from,
            bytes: to - from,
            deflated: false,
            notes: Vec::new(),
        });
        tensors.push(tensor.map_err(|why| format!("tensor `{name}`: {why}"))?);
    }
    Ok(tensors)
}

/// The layout of an entry, and where its bytes are among the `present` ones.
fn of_entry(entry: &Value, present: u64) -> Outcome<(LayoutBuf, [u64; 2])> {
    let name = entry["dtype"].as_str().ok_or("its dtype is missing")?;
    let dtype = NAMES.iter().find(|(known, _)| *known == name).map(|(_, dtype)| *dtype);
    let dtype = dtype.ok_or_else(|| format!("the dtype {name} is not known"))?;
    // The file's bytes are little-endian.
    let dtype = if cfg!(target_endian = "little") { dtype } else { dtype.swapped() };
    let sizes: Option<Vec<i64>> = entry["shape"].as_array().and_then(|sizes| sizes.iter().map(Value::as_i64).collect());
    let layout = LayoutBuf::packed(dtype, &sizes.ok_or("its shape is no list of numbers below 2^63")?);
    let layout = layout.map_err(|error| error.to_string())?;
    let bytes = layout.min_bytes().map_err(|error| error.to_string())?;
    let offsets = entry["data_offsets"].as_array();
    let offsets = offsets.map(|offsets| offsets.iter().map(Value::as_u64).collect::<Vec<_>>());
    let Some(&[Some(from), Some(to)]) = offsets.as_deref() else {
        return Err("its data_offsets are not two numbers below 2^64".into());
    };
    if to.checked_sub(from) != Some(bytes) {
        return Err(format!("its data_offsets are {from} and {to}, but its dtype and shape take {bytes} bytes"));
    }
    check_length(to, present)?;
    Ok((layout, [from, to]))
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
