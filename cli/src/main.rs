//! The tool `stride`: what is where in a tensor, what a copy costs, files in another order. docs/TOOL.md is its manual.
//!
//! Each subcommand is a file: `show`, `offset`, `broadcast`, `check`, `explain`, `convert`, `bench`. `tensor`
//! has the grammar of what they take, `files` reads tensors in files, `picture` draws. The library alone decides where
//! an element lies.

#![deny(unsafe_code)] // but where `convert` maps files

mod bench;
mod broadcast;
mod check;
mod consumers;
mod convert;
mod explain;
mod fault;
mod files;
mod offset;
mod picture;
mod show;
mod tensor;

use clap::{CommandFactory, Parser, Subcommand};
use fault::Fault;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show where a tensor's elements lie, explain copies, convert files larger than memory.
#[derive(Parser)]
#[command(name = "stride", version, after_help = TENSORS, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const TENSORS: &str = "\
A TENSOR is one of
  'f32[1,3,224,224]'                 packed, in row-major order
  'f32[2,3]:1,2'  'u8[4,6]:8,1+3'    with strides in elements, and an offset
  'f32[1,64,56,56]:nhwc'             a tag; oneDNN's, as nChw16c, too
  'u8[200,9]:a/128 b/4 a%32 a/32%4 b%4'    digits of the indices, outermost first
  'f32[8,200]{1,0:T(8,128)}'         a shape of XLA
  x.npy  x.npz:NAME  x.safetensors:NAME  x.gguf:NAME    a file; without NAME, its list
Quote it: to a shell [2,3] is a pattern, which zsh refuses and a file f322 matches, and {1,0} two words.

Exit codes: 0 done, or yes; 1 the answer is no; 2 an argument is wrong; 3 a file is wrong or cannot be written.";

#[derive(Subcommand)]
enum Command {
    /// Sizes, strides, bytes, formats, alignment, which APIs accept it, and a picture of the memory
    Show(show::Arguments),
    /// The place of an element, and the element at a byte
    Offset(offset::Arguments),
    /// The sizes of tensors that are broadcast together, and the strides of each
    Broadcast(broadcast::Arguments),
    /// Whether an API accepts a layout, why not, and the nearest layout that it accepts
    Check(check::Arguments),
    /// The plan of a copy: no copy at all, one memcpy, or a kernel over loops
    Explain(explain::Arguments),
    /// Write a tensor of a file in another order, layout or dtype
    Convert(convert::Arguments),
    /// Copies of each kind on this machine, beside memcpy
    Bench(bench::Arguments),
    /// Print completions for a shell
    Completions { shell: clap_complete::Shell },
    /// Write the manual pages into a folder
    Manual { folder: PathBuf },
}

/// Whether the answer is wanted as JSON, and so an error, also one about the arguments.
fn wants_json() -> bool {
    std::env::args_os().skip(1).take_while(|text| text != "--").any(|text| text == "--json")
}

fn main() -> ExitCode {
    let json = wants_json();
    let arguments = Arguments::try_parse().unwrap_or_else(|error| match json && error.use_stderr() {
        true => fail(&Fault::usage(error.to_string().trim()), json),
        false => error.exit(),
    });
    let done = match arguments.command {
        Command::Show(arguments) => show::run(&arguments),
        Command::Offset(arguments) => offset::run(&arguments),
        Command::Broadcast(arguments) => broadcast::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Arguments::command(), "stride", &mut std::io::stdout());
            Ok(())
        }
        Command::Manual { folder } => std::fs::create_dir_all(&folder)
            .and_then(|()| clap_mangen::generate_to(Arguments::command(), &folder))
            .map_err(|error| Fault::file(&folder, error)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => fail(&fault, json),
    }
}

/// Ends the run. An error as JSON stands where the answer would.
fn fail(fault: &Fault, json: bool) -> ! {
    match fault.sentence.is_empty() {
        true => {}
        false if json => say!("{:#}", fault.as_json()),
        false => eprintln!("stride: {fault}"),
    }
    std::process::exit(fault.code as i32)
}
