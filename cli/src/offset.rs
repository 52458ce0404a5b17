//! `stride offset`: an index to its byte, a byte to its index.

use crate::fault::{Fault, Result};
use crate::files;
use crate::say;
use crate::tensor::{Place, Tensor, counted, list, numbers};
use serde_json::json;
use stride::Object;

#[derive(clap::Args)]
pub struct Arguments {
    /// The tensor
    tensor: String,
    /// Indices, such as 1,2,3
    #[arg(required_unless_present = "byte")]
    indices: Vec<String>,
    /// The element at this byte of the buffer
    #[arg(long)]
    byte: Vec<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    // The begin of the tensor in its file, if that is one.
    let (tensor, begin) = match files::named(&arguments.tensor) {
        Some((path, name)) => {
            let (_, stored) = files::open(&path, name)?;
            (Tensor::from(stored.layout()?), Some(stored.begin).filter(|_| stored.deflated.is_none()))
        }
        None => (Tensor::parse(&arguments.tensor)?, None),
    };
    let mut answers = Vec::new();
    for index in indices(&arguments.indices, tensor.sizes().len())? {
        let (offset, place) = (tensor.offset_of(&index)?, tensor.place_of(&index)?);
        let in_file = begin.map(|begin| i128::from(begin) + i128::from(place.byte));
        if arguments.json {
            let (byte, bit) = (place.byte, place.bit);
            let in_file = in_file.and_then(|byte| i64::try_from(byte).ok());
            answers.push(json!({"index": index, "offset": offset, "byte": byte, "bit": bit, "byte_of_file": in_file}));
        } else {
            let in_file = in_file.map(|byte| format!(", {byte} of the file")).unwrap_or_default();
            let sum = formula(&tensor, &index, offset);
            say!("({}) lies at {}{in_file}: {sum}", list(&index), words(place));
        }
    }
    for &byte in &arguments.byte {
        let found = tensor.elements_at(byte)?;
        if arguments.json {
            let (indices, sharing): (Vec<_>, Vec<_>) = found.into_iter().unzip();
            answers.push(json!({"byte": byte, "indices": indices, "sharing": sharing}));
        } else if found.is_empty() {
            say!("byte {byte} belongs to no element");
        } else {
            let shared =
                |sharing| if sharing > 1 { format!(", the first of {sharing} indices") } else { String::new() };
            let texts: Vec<_> =
                found.iter().map(|(index, sharing)| format!("({}){}", list(index), shared(*sharing))).collect();
            say!("byte {byte} belongs to {}", texts.join(", "));
        }
    }
    if arguments.json {
        say!("{:#}", serde_json::Value::from(answers));
    }
    Ok(())
}

/// `1,2,3` is an index, and so is `1 2 3`, where one number is not enough.
fn indices(texts: &[String], rank: usize) -> Result<Vec<Vec<i64>>> {
    let given = texts.iter().map(|text| numbers(text)).collect::<Result<Vec<_>>>()?;
    if rank > 1 && given.len() == rank && given.iter().all(|index| index.len() == 1) {
        return Ok(vec![given.concat()]);
    }
    match given.iter().find(|index| index.len() != rank) {
        Some(index) => {
            let (numbers, dimensions) = (counted(index.len() as u64, "number"), counted(rank as u64, "dimension"));
            Err(Fault::usage(format!("index {} has {numbers}, the tensor {dimensions}", list(index))))
        }
        None => Ok(given),
    }
}

fn words(place: Place) -> String {
    if place.bit == 0 { format!("byte {}", place.byte) } else { format!("byte {}, bit {}", place.byte, place.bit) }
}

/// The sum that makes the offset.
fn formula(tensor: &Tensor, index: &[i64], offset: i64) -> String {
    let bits = tensor.storage_bits();
    let unit = match bits {
        8 => "1 byte".to_owned(),
        bits if bits % 8 == 0 => format!("{} bytes", bits / 8),
        bits => counted(bits as u64, "bit"),
    };
    let Object::Layout(layout) = &tensor.0 else {
        return format!("element {offset} of the buffer, of {unit} each");
    };
    let mut sum: Vec<_> = index.iter().zip(layout.strides()).map(|(i, stride)| format!("{i}*{stride}")).collect();
    if layout.offset() != 0 || sum.is_empty() {
        sum.insert(0, layout.offset().to_string());
    }
    format!("{} = element {offset}, of {unit} each", sum.join(" + "))
}

impl Tensor {
    /// The elements that have a part of this byte: the first index of each, and how many share it.
    fn elements_at(&self, byte: u64) -> Result<Vec<(Vec<i64>, u64)>> {
        let bits = self.storage_bits();
        let byte = i64::try_from(byte).map_err(|_| Fault::usage("the byte is above 2^63"))?;
        let first = (i128::from(byte) * 8).div_euclid(i128::from(bits));
        let last = (i128::from(byte) * 8 + 7).div_euclid(i128::from(bits));
        let mut found = Vec::new();
        for position in first..=last {
            let Ok(position) = i64::try_from(position) else { continue };
            found.extend(self.index_at(position)?);
        }
        Ok(found)
    }
}
