//! `stride convert`: a tensor of a file in another order, layout or dtype, also one that is larger than memory.
//!
//! The input is mapped, the output is a new file beside its place, which is mapped too ([`output`]). [`sides`] makes
//! the two tensors of the arguments, [`copy`] copies in pieces ([`boxes`]), so that the memory of this process stays
//! bounded.
//!
//! ```text
//! mapped input ── view: crop, flip, axes ── plans, each cut for the threads ── mapped output ── fsync ── rename
//! ```

mod boxes;
mod copy;
mod elements;
mod map;
mod output;
mod sides;

use crate::fault::{Fault, Result, printable};
use crate::files::{self, Stored};
use crate::say;
use copy::{Copy, Done, elements_bytes};
use elements::ByteOrder;
use indicatif::{ProgressBar, ProgressStyle};
use map::{Source, Target};
use output::Output;
use sides::Written;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;
use stride::Conversion;

#[derive(clap::Args)]
#[command(after_help = NOTES)]
pub struct Arguments {
    /// The tensor: x.npy, x.npz:NAME, x.safetensors:NAME or x.gguf:NAME
    #[arg(value_name = "IN[:NAME]")]
    input: String,
    /// The file to write: .npy, .safetensors with one tensor, .bin or .raw with nothing but the data
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The dtype of IN, where its file has only bytes: bf16 for <V2, f8e4m3fn for <V1
    #[arg(long, value_name = "DTYPE")]
    dtype: Option<String>,
    /// First a part of IN: begin and end of each dimension, as 0:10,:,-5:
    #[arg(long, value_name = "RANGES", allow_hyphen_values = true)]
    crop: Option<String>,
    /// Then dimensions to be mirrored, as numpy.flip takes them
    #[arg(long, value_name = "AXES", allow_hyphen_values = true)]
    flip: Option<String>,
    /// Then the order of the dimensions, as numpy.transpose takes it: dimension i of OUT is dimension AXES[i] of IN
    #[arg(long, value_name = "AXES", allow_hyphen_values = true)]
    axes: Option<String>,
    /// The layout of OUT: c, f, or, in .bin and .raw, what follows the sizes of a TENSOR
    #[arg(long, default_value = "c", allow_hyphen_values = true)]
    layout: String,
    /// The dtype of OUT, if numbers are to be converted
    #[arg(long, value_name = "DTYPE")]
    to: Option<String>,
    #[command(flatten)]
    numbers: Numbers,
    /// The byte order of OUT; without it, that of IN, or this machine's if --to is given
    #[arg(long, value_enum)]
    byteorder: Option<ByteOrder>,
    /// Bytes of both files that are held in memory, about; 64K, 256M, 2G
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = bytes)]
    memory: u64,
    /// Threads that copy; without it, one for each CPU
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
    /// Replace OUT if it exists
    #[arg(long)]
    force: bool,
    /// Print a report as JSON
    #[arg(long)]
    json: bool,
}

/// The conversion of each number.
#[derive(clap::Args)]
struct Numbers {
    /// Each number becomes (x - SUBTRACT) * SCALE + ADD
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, value_parser = finite)]
    subtract: Option<f64>,
    /// Part of the formula of --subtract
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, value_parser = finite)]
    scale: Option<f64>,
    /// Part of the formula of --subtract
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, value_parser = finite)]
    add: Option<f64>,
    /// Floats become the nearest integer, of two the even one; without it, the next one toward zero
    #[arg(long)]
    nearest: bool,
    /// Integers that do not fit become the nearest that does; without it, their low bits are kept
    #[arg(long)]
    saturate: bool,
    /// Floats that do not fit become the largest finite number; without it, infinity
    #[arg(long)]
    finite: bool,
}

impl Numbers {
    fn conversion(&self) -> Conversion<'static> {
        let mut how = Conversion::new();
        if self.subtract.or(self.scale).or(self.add).is_some() {
            how = how.affine(self.subtract.unwrap_or(0.0), self.scale.unwrap_or(1.0), self.add.unwrap_or(0.0));
        }
        how = if self.nearest { how.nearest() } else { how };
        how = if self.saturate { how.saturate() } else { how };
        if self.finite { how.finite() } else { how }
    }
}

const NOTES: &str = "\
OUT is written under a hidden name beside its place, and renamed when all of it is on the disk: it is there whole or \
not at all. Errors, SIGINT and SIGTERM remove the hidden file, SIGKILL leaves it. A file that is replaced keeps its \
mode.

IN is mapped, not read: do not truncate it while convert runs, or SIGBUS ends the run. A deflated member of an .npz is \
unpacked into a file without a name beside OUT first. Bytes between the elements of OUT are zero.

--memory bounds what this process maps. Besides, the system's cache holds the next box and the last one: a control \
group should have four times as much.

Axes and ranges count dimensions from 0, or from the end if they are negative. .safetensors is little-endian.";

const LEAST_MEMORY: u64 = 1 << 16;

pub fn run(arguments: &Arguments) -> Result<()> {
    let begin = Instant::now();
    let Some((path, name)) = files::named(&arguments.input) else {
        let input = printable(&arguments.input);
        let sentence = format!("`{input}` is no file that is read here: .npy, .npz, .safetensors, .gguf");
        return Err(Fault::usage(sentence));
    };
    let (name, mut stored) = files::open(&path, name)?;
    let src = sides::view(arguments, &mut stored)?;
    let written = sides::written(arguments, &name, &stored, &src)?;
    check_places(&path, &arguments.output, arguments.force)?;
    // What does not fit is known before anything is written.
    let how = arguments.numbers.conversion();
    let plan = copy::plan(&written.tensor.0, &src, &how)?;

    let input = opened(&path, &name, &stored, output::folder_of(&arguments.output))?;
    let source = Source::new(&input, stored.begin, stored.bytes).map_err(|error| Fault::file(&path, error))?;
    let header = written.header.len();
    let length = written.bytes.checked_add(header as u64);
    let length = length.ok_or_else(|| Fault::file(&arguments.output, "no file is that long"))?;
    let bar = bar(arguments.quiet || arguments.json, elements_bytes(&src)?);
    let output = Output::new(&arguments.output, length, arguments.force, bar.clone())?;
    let fault = |error| Fault::file(&arguments.output, error);
    let mut target = Target::new(output.file(), length).map_err(fault)?;
    target.bytes()[..header].copy_from_slice(&written.header);
    if !arguments.quiet {
        for (of, notes) in [(&*arguments.input, &stored.notes), (&arguments.output.to_string_lossy(), &written.notes)] {
            notes.iter().for_each(|note| eprintln!("stride: note: {}: {note}", printable(of)));
        }
    }
    let mut copy = Copy {
        how,
        source,
        input: &input,
        target,
        output: &output,
        header,
        threads: arguments.threads.unwrap_or_else(cpus),
        memory: arguments.memory,
        held: 0,
        bar,
    };
    let done = copy.run(&written, &src, &plan)?;
    copy.bar.finish_and_clear();
    copy.target.flush().map_err(fault)?;
    output.finish()?;
    tell(arguments, &written, length, begin.elapsed().as_secs_f64(), &done);
    Ok(())
}

/// Refuses an output that is the input, whether or not it may be replaced.
fn check_places(input: &Path, output: &Path, force: bool) -> Result<()> {
    if same_file::is_same_file(input, output).unwrap_or(false) {
        return Err(Fault::file(output, "this is the input; write another file"));
    }
    output::place(output, force).map(drop)
}

/// The file that has the tensor's bytes: a deflated member becomes one without a name, in `folder`.
fn opened(path: &Path, name: &str, stored: &Stored, folder: &Path) -> Result<File> {
    let Some(number) = stored.deflated else {
        return File::open(path).map_err(|error| Fault::file(path, error));
    };
    let mut unpacked = tempfile::tempfile_in(folder).map_err(|error| Fault::file(folder, output::cause(error)))?;
    files::unpack(path, name, stored, number, &mut unpacked)?;
    Ok(unpacked)
}

fn cpus() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(1024) as u32)
}

fn finite(text: &str) -> std::result::Result<f64, &'static str> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or("a number such as 0.5 or 1e-3 is needed")
}

/// `64K`, `256M`, `2G`.
fn bytes(text: &str) -> std::result::Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB") {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("a number of bytes such as 64K, 256M or 2G is needed".into()),
    };
    let number: u64 = digits.parse().map_err(|_| "a number of bytes such as 64K, 256M or 2G is needed")?;
    let bytes = number.checked_mul(1 << unit).ok_or("that is above 2^64 bytes")?;
    if bytes < LEAST_MEMORY { Err(format!("{LEAST_MEMORY} bytes are the least")) } else { Ok(bytes) }
}

/// Bytes, rate and time left, where stderr is a terminal.
fn bar(hidden: bool, bytes: u64) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left");
    ProgressBar::new(bytes).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// One line about what was done.
fn tell(arguments: &Arguments, written: &Written, length: u64, seconds: f64, done: &Done) {
    let rate = length as f64 / seconds / 1e9;
    let (path, tensor) = (arguments.output.to_string_lossy(), written.tensor.to_string());
    if arguments.json {
        let told = serde_json::json!({
            "path": path,
            "tensor": tensor,
            "begin": written.header.len(),
            "bytes": length,
            "seconds": seconds,
            "gigabytes_per_second": rate,
            "pieces": done.pieces,
            "box": done.box_sizes,
        });
        say!("{told}");
    } else if !arguments.quiet {
        say!("{}: {tensor}, {length} bytes in {seconds:.2} s, {rate:.2} GB/s", printable(&path));
    }
}
