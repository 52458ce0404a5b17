use crate::fault::{Fault, Result};

#[derive(clap::Args)]
pub struct Arguments {}

pub fn run(_: &Arguments) -> Result<()> {
    Err(Fault::usage("not built yet"))
}
