//! `stride offset`: an index to its byte, a byte to its index.

use crate::fault::{Fault, Result};
use crate::files;
use crate::say;
use crate::tensor::{Place, Tensor, counted, list, numbers};
use serde_json::json;

#[derive(clap::Args)]
pub struct Arguments {
    /// The tensor
    tensor: String,
    /// Indices, such as 1,2,3
    #[arg(required_unless_present = "byte")]
    indices: Vec<String>,
    /// Which element lies at this byte of the buffer
    #[arg(long)]
    byte: Vec<u64>,
    /// The same as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    // Where the tensor begins in its file, if that is one.
    let (tensor, begin) = match files::named(&arguments.tensor) {
        Some((path, name)) => {
            let (_, stored) = files::open(&path, name)?;
            (Tensor::Layout(stored.layout()?), Some(stored.begin).filter(|_| stored.deflated.is_none()))
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
            answers.push(json!({"byte": byte, "indices": found}));
        } else if found.is_empty() {
            say!("byte {byte} belongs to no element");
        } else {
            let texts: Vec<_> = found.iter().map(|index| format!("({})", list(index))).collect();
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

/// How the number comes about.
fn formula(tensor: &Tensor, index: &[i64], offset: i64) -> String {
    let bits = tensor.storage_bits();
    let unit = match bits {
        8 => "1 byte".to_owned(),
        bits if bits % 8 == 0 => format!("{} bytes", bits / 8),
        bits => counted(bits as u64, "bit"),
    };
    let Tensor::Layout(layout) = tensor else {
        return format!("element {offset} of the buffer, of {unit} each");
    };
    let mut sum: Vec<_> = index.iter().zip(layout.strides()).map(|(i, stride)| format!("{i}*{stride}")).collect();
    if layout.offset() != 0 || sum.is_empty() {
        sum.insert(0, layout.offset().to_string());
    }
    format!("{} = element {offset}, of {unit} each", sum.join(" + "))
}

impl Tensor {
    /// The indices of the elements that have a part of this byte: one, none in padding, several where they share it.
    fn elements_at(&self, byte: u64) -> Result<Vec<Vec<i64>>> {
        let bits = self.storage_bits();
        let byte = i64::try_from(byte).map_err(|_| Fault::usage("the byte is above 2^63"))?;
        let first = (i128::from(byte) * 8).div_euclid(i128::from(bits));
        let last = (i128::from(byte) * 8 + 7).div_euclid(i128::from(bits));
        let mut found = Vec::new();
        for position in first..=last {
            let Ok(position) = i64::try_from(position) else { continue };
            found.extend(self.elements_of(position)?);
        }
        Ok(found)
    }

    /// The indices of the elements at this place, counted in elements; of those that share it the first few.
    pub fn elements_of(&self, position: i64) -> Result<Vec<Vec<i64>>> {
        let mut room = [0; stride::model::MAX_RANK];
        let rank = self.sizes().len();
        match self {
            Self::Layout(layout) => {
                let mut found = Vec::new();
                let mut dims: Vec<_> =
                    layout.view()?.dimensions().enumerate().map(|(d, (size, stride))| (stride, size, d)).collect();
                if self.element_count() == 0 {
                    return Ok(found);
                }
                // The longest strides first: what is left for the others is then the most decisive.
                dims.sort_by_key(|&(stride, ..)| std::cmp::Reverse(stride.unsigned_abs()));
                let mut steps = SEARCH_STEPS;
                search(&dims, position.saturating_sub(layout.offset()), &mut vec![0; rank], &mut found, &mut steps);
                if steps == 0 {
                    return Err(Fault::usage(
                        "too many combinations of indices lead near this byte to look at them all",
                    ));
                }
                Ok(found)
            }
            Self::Tiled(shape) => {
                Ok(shape.multi_index(position, &mut room).map_or_else(|_| Vec::new(), |()| vec![room[..rank].to_vec()]))
            }
            Self::Blocked(blocked) => Ok(blocked
                .multi_index(position, &mut room)
                .map_or_else(|_| Vec::new(), |()| vec![room[..rank].to_vec()])),
        }
    }
}

/// As many indices are named as fit a line, and so many steps a search may take.
const NAMED: usize = 8;
const SEARCH_STEPS: u32 = 1 << 20;

/// Indices whose strides add up to `left`. What the later dimensions can add bounds each index.
fn search(dims: &[(i64, i64, usize)], left: i64, index: &mut Vec<i64>, found: &mut Vec<Vec<i64>>, steps: &mut u32) {
    *steps = steps.saturating_sub(1);
    if *steps == 0 || found.len() == NAMED {
        return;
    }
    let Some((&(stride, size, dimension), others)) = dims.split_first() else {
        if left == 0 {
            found.push(index.clone());
        }
        return;
    };
    // A layout's reach fits 64 bits.
    let reach = |negative: bool| -> i64 {
        others
            .iter()
            .filter(|(stride, ..)| (*stride < 0) == negative)
            .map(|(stride, size, _)| stride * (size - 1))
            .sum()
    };
    let (low, high) = (left.saturating_sub(reach(false)), left.saturating_sub(reach(true)));
    let (least, most) = match stride {
        0 => (0, if low <= 0 && 0 <= high { size - 1 } else { -1 }),
        1.. => (low.saturating_add(stride - 1).div_euclid(stride), high.div_euclid(stride)),
        _ => (
            high.saturating_neg().saturating_add(-stride - 1).div_euclid(-stride),
            low.saturating_neg().div_euclid(-stride),
        ),
    };
    for i in least.max(0)..=most.min(size - 1) {
        index[dimension] = i;
        search(others, left - i * stride, index, found, steps);
        if *steps == 0 || found.len() == NAMED {
            return;
        }
    }
    index[dimension] = 0;
}
