//! `stride check`: whether consumers accept a layout, and the nearest one that they accept.

use crate::consumers::{self, Answer};
use crate::fault::{Code, Fault, Result};
use crate::say;
use crate::tensor::{counted, given};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};
use stride::error::Argument;
use stride::vocabulary::requirements::Consumer;

#[derive(clap::Args)]
pub struct Arguments {
    /// The tensor
    tensor: String,
    /// The consumers that have to accept it; without any, all of them answer, and the exit code is 0
    #[arg(long = "for", value_delimiter = ',', value_name = "LIST", ignore_case = true, value_parser = consumer())]
    consumers: Vec<Consumer>,
    /// The address of the base pointer, if it is known; 0x begins a hexadecimal one
    #[arg(long, default_value = "0", value_parser = address)]
    address: u64,
    /// The number of innermost dimensions that are one pixel: 1 for {rows, columns, channels}
    #[arg(long, default_value_t = 0, value_name = "DIMENSIONS")]
    texel: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A consumer by its name, in which `-` may stand for `_`.
fn consumer() -> impl TypedValueParser<Value = Consumer> {
    let value = |consumer: Consumer| match consumer {
        Consumer::VulkanImage => PossibleValue::new(consumer.name()).alias("vulkan-image"),
        _ => PossibleValue::new(consumer.name()),
    };
    PossibleValuesParser::new(consumers::all().map(value)).map(|given| {
        let name = given.to_ascii_lowercase().replace('-', "_");
        consumers::all().find(|consumer| consumer.name() == name).unwrap_or(Consumer::Any)
    })
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let chosen = consumers::all().filter(|one| arguments.consumers.is_empty() || arguments.consumers.contains(one));
    let tensor = given(&arguments.tensor)?;
    let layout = tensor.layout("check")?;
    let verdict = |one| consumers::verdict(one, &layout, arguments.address, arguments.texel);
    let answers: Vec<_> = chosen.map(verdict).collect();
    if arguments.json {
        say!("{:#}", Value::from(answers.iter().map(as_json).collect::<Vec<_>>()));
    } else {
        answers.iter().for_each(print);
    }
    let refusing: Vec<_> = answers.iter().filter(|one| one.refused.is_some()).map(Answer::name).collect();
    if refusing.is_empty() || arguments.consumers.is_empty() {
        return Ok(());
    }
    let verb = if refusing.len() == 1 { "does" } else { "do" };
    let no = if arguments.json { String::new() } else { format!("{} {verb} not accept {tensor}", refusing.join(", ")) };
    Err(Fault::new(Code::No, no))
}

fn print(answer: &Answer) {
    let counted = answer.bytes.map(|bytes| format!(", {}", counted(bytes, "byte"))).unwrap_or_default();
    match (answer.refused, &answer.repair) {
        (None, _) => say!("{}: yes{counted}", answer.name()),
        (Some(error), Some(_)) if error.argument == Argument::Address => {
            say!("{}: no. {error}\n  its strides will do at another address{counted}", answer.name());
        }
        (Some(error), Some(repair)) => {
            say!("{}: no. {error}\n  copy it to {repair}{counted}", answer.name());
        }
        (Some(error), None) => say!("{}: no. {error}\n  other strides do not help", answer.name()),
    }
}

fn as_json(answer: &Answer) -> Value {
    json!({
        "consumer": answer.name(),
        "taken": answer.refused.is_none(),
        "why_not": answer.refused.map(|error| error.to_string()),
        "repair": answer.repair.as_ref().map(|repair| repair.to_string()),
        "bytes": answer.bytes,
    })
}

fn address(text: &str) -> std::result::Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "an address such as 4096 or 0x1000 is expected".into())
}
