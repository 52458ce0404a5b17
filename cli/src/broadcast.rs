//! `stride broadcast`: the common sizes of tensors, and the strides of each in them.

use crate::fault::Result;
use crate::say;
use crate::tensor::{given, list};
use serde_json::json;
use stride::broadcast::{elementwise_layout, sizes};
use stride::{LayoutBuf, LayoutStorage};

#[derive(clap::Args)]
pub struct Arguments {
    /// The tensors
    #[arg(required = true, value_name = "TENSOR")]
    tensors: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let tensors = arguments.tensors.iter().map(|text| given(text)).collect::<Result<Vec<_>>>()?;
    let layouts = tensors.iter().map(|tensor| tensor.layout("broadcast")).collect::<Result<Vec<_>>>()?;
    let common = sizes(layouts.iter().map(|layout| layout.sizes()))?;
    let views = layouts.iter().map(|&layout| LayoutBuf::from(layout).broadcast_to(common.as_slice()));
    let views = views.collect::<stride::Result<Vec<_>>>()?;
    let mut made = LayoutStorage::default();
    let made = elementwise_layout(layouts.iter().copied(), layouts[0].dtype(), &mut made)?;
    if arguments.json {
        let views: Vec<_> =
            views.iter().map(|view| json!({"strides": view.strides(), "offset": view.offset()})).collect();
        say!("{:#}", json!({"sizes": common.as_slice(), "operands": views, "result": made.to_string()}));
        return Ok(());
    }
    say!("sizes    [{}]", list(common.as_slice()));
    for view in &views {
        say!("operand  {view}");
    }
    say!("result   {made}  (in the order of the operands)");
    Ok(())
}
