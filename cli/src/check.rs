//! `stride check`: whether consumers take a layout, and the nearest one that they take.

use crate::consumers::{self, Answer};
use crate::fault::{Code, Fault, Result};
use crate::say;
use crate::tensor::given;
use serde_json::{Value, json};
use stride::error::Argument;

#[derive(clap::Args)]
pub struct Arguments {
    /// The tensor
    tensor: String,
    /// Consumers: directml, d3d12, webgpu, tma, cutensor, metal, vulkan, vulkan-image, opengl, mdspan, arrow
    #[arg(long = "for", required = true, value_delimiter = ',', value_name = "LIST")]
    consumers: Vec<String>,
    /// The address of the base pointer, if it is known
    #[arg(long, default_value_t = 0)]
    address: u64,
    /// How many of the innermost dimensions are one pixel: 1 for {rows, columns, channels}
    #[arg(long, default_value_t = 0, value_name = "DIMENSIONS")]
    texel: u32,
    /// The same as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let asked = arguments.consumers.iter().map(|name| consumers::named(name)).collect::<Result<Vec<_>>>()?;
    let tensor = given(&arguments.tensor)?;
    let layout = tensor.layout("check")?;
    let answers: Vec<_> =
        asked.into_iter().map(|one| consumers::ask(one, &layout, arguments.address, arguments.texel)).collect();
    if arguments.json {
        say!("{:#}", Value::from(answers.iter().map(as_json).collect::<Vec<_>>()));
    } else {
        answers.iter().for_each(print);
    }
    let refusing: Vec<_> = answers.iter().filter(|one| one.refused.is_some()).map(|one| one.consumer).collect();
    if refusing.is_empty() {
        return Ok(());
    }
    Err(Fault { code: Code::No, sentence: format!("{tensor} is not taken by {}", refusing.join(", ")) })
}

fn print(answer: &Answer) {
    let counted = answer.bytes.map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
    match (answer.refused, &answer.repair) {
        (None, _) => say!("{}: yes{counted}", answer.consumer),
        (Some(error), Some(_)) if error.argument == Argument::Address => {
            say!("{}: no. {error}\n  its strides will do at another address{counted}", answer.consumer);
        }
        (Some(error), Some(repair)) => {
            say!("{}: no. {error}\n  copy it to {repair}{counted}", answer.consumer);
        }
        (Some(error), None) => say!("{}: no. {error}\n  other strides do not help", answer.consumer),
    }
}

fn as_json(answer: &Answer) -> Value {
    json!({
        "consumer": answer.consumer,
        "taken": answer.refused.is_none(),
        "why_not": answer.refused.map(|error| error.to_string()),
        "repair": answer.repair.map(|repair| repair.to_string()),
        "bytes": answer.bytes,
    })
}
