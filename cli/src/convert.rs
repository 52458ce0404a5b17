//! `stride convert`: a tensor of a file in another order, layout or dtype, also one that is larger than memory.
//!
//! The input is mapped, the output is a new file beside its place, which is mapped too ([`output`]). Where both sides
//! have strides the copy is cut into boxes ([`boxes`]). A shape with tiles is copied slab by slab, blocks by the parts
//! of one plan. After each box or some parts the pages of both files are given back, so that what this process holds
//! stays bounded.
//!
//! ```text
//! mapped input ── view: crop, flip, axes ── plans, each cut for the threads ── mapped output ── fsync ── rename
//! ```

mod boxes;
mod elements;
mod map;
mod output;

use crate::fault::{Fault, Result, printable};
use crate::files::{self, Place, Stored};
use crate::say;
use crate::tensor::{self, Tensor};
use boxes::Boxes;
use elements::{ByteOrder, bytes_of, elements_are, in_order, one_in_a_byte, turned};
use indicatif::{ProgressBar, ProgressStyle};
use map::{Source, Target};
use output::Output;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;
use stride::vocabulary::xla::{Shape, rearrange};
use stride::{AsSide, Conversion, Dtype, LayoutBuf, Object, Options, Plan};

#[derive(clap::Args)]
#[command(after_help = NOTES)]
pub struct Arguments {
    /// The tensor: x.npy, x.npz:NAME, x.safetensors:NAME or x.gguf:NAME
    #[arg(value_name = "IN[:NAME]")]
    input: String,
    /// The file to write: .npy, .safetensors with one tensor, .bin or .raw with nothing but the data
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// What the elements of IN are, where its file has only bytes: bf16 for <V2, f8e4m3fn for <V1
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
    /// Where the elements of OUT lie: c, f, or, in .bin and .raw, what follows the sizes of a TENSOR
    #[arg(long, default_value = "c", allow_hyphen_values = true)]
    layout: String,
    /// What the elements of OUT are, if numbers are to be converted
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
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

/// What becomes of each number.
#[derive(clap::Args)]
struct Numbers {
    /// Each number becomes (x - SUBTRACT) * SCALE + ADD
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, value_parser = finite)]
    subtract: Option<f64>,
    /// See there
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, value_parser = finite)]
    scale: Option<f64>,
    /// See there
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

#[derive(Clone, Copy, PartialEq)]
enum Format {
    Npy,
    Safetensors,
    Raw,
}

const LEAST_MEMORY: u64 = 1 << 16;
/// Bytes between two runs of the input that are read rather than skipped.
const READ_OVER: u64 = 1 << 16;
/// Runs of the output below this are written without pages around them; a disk's read-ahead has up to 8 MiB.
const SHORT_RUN: usize = 1 << 20;

/// What is written: a header, and the tensor behind it.
struct Written {
    header: Vec<u8>,
    tensor: Tensor,
    bytes: u64,
    /// Numbers inside the elements, which get the other byte order.
    turned: Vec<Place>,
    notes: Vec<String>,
}

/// How it was copied.
struct Done {
    /// Boxes, or groups of parts.
    pieces: u64,
    box_sizes: Option<Vec<i64>>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let begin = Instant::now();
    let Some((path, name)) = files::named(&arguments.input) else {
        let input = printable(&arguments.input);
        let sentence = format!("`{input}` is no file that is read here: .npy, .npz, .safetensors, .gguf");
        return Err(Fault::usage(sentence));
    };
    let (name, mut stored) = files::open(&path, name)?;
    let src = view(arguments, &mut stored)?;
    let written = written(arguments, &name, &stored, &src)?;
    check_places(&path, &arguments.output, arguments.force)?;
    // What does not fit is known before anything is written.
    let how = arguments.numbers.conversion();
    let plan = plan(&written.tensor.0, &src, &how)?;

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
    let mut done = Done { pieces: 0, box_sizes: None };
    match &written.tensor.0 {
        Object::Layout(dst) => done = copy.by_boxes(dst, &src, &plan, &written.turned)?,
        Object::Shape(dst) => copy.by_slabs(dst, &src, 0, &mut done)?,
        Object::Blocked(_) => copy.by_parts(&plan, written.bytes, elements_bytes(&src)?, 0, &mut done)?,
    }
    copy.bar.finish_and_clear();
    copy.target.flush().map_err(fault)?;
    output.finish()?;
    tell(arguments, &written, length, begin.elapsed().as_secs_f64(), &done);
    Ok(())
}

/// What of the input is copied, in which order of dimensions.
fn view(arguments: &Arguments, stored: &mut Stored) -> Result<LayoutBuf> {
    let mut view = match &arguments.dtype {
        Some(name) => elements_are(name, stored).map_err(|why| why.about("--dtype"))?,
        None => stored.layout()?,
    };
    if let Some(text) = &arguments.crop {
        let (starts, stops) = ranges(text, view.sizes()).map_err(|why| why.about("--crop"))?;
        view = view.slice(Some(&starts), Some(&stops), None).map_err(|error| Fault::from(error).about("--crop"))?;
    }
    if let Some(text) = &arguments.flip {
        view = tensor::by_list("--flip", text, |axes| view.flip(axes))?;
    }
    if let Some(text) = &arguments.axes {
        view = tensor::by_list("--axes", text, |axes| view.permute(axes))?;
    }
    Ok(view)
}

/// Begins and ends, of which either may be missing.
fn ranges(text: &str, sizes: &[i64]) -> Result<(Vec<i64>, Vec<i64>)> {
    let parts: Vec<_> = if text.trim().is_empty() { Vec::new() } else { text.split(',').collect() };
    if parts.len() != sizes.len() {
        return Err(Fault::usage(format!("{} ranges for {} dimensions", parts.len(), sizes.len())));
    }
    let number = |text: &str, missing: i64| match text.trim() {
        "" => Ok(missing),
        text => tensor::number(text),
    };
    let mut bounds = (Vec::new(), Vec::new());
    for (part, size) in parts.iter().zip(sizes) {
        let (start, stop) =
            part.split_once(':').ok_or_else(|| Fault::usage(format!("`{part}` is no range such as 0:10")))?;
        bounds.0.push(number(start, 0)?);
        bounds.1.push(number(stop, *size)?);
    }
    Ok(bounds)
}

fn written(arguments: &Arguments, name: &str, stored: &Stored, src: &LayoutBuf) -> Result<Written> {
    let format = match arguments.output.extension().and_then(|end| end.to_str()) {
        Some("npy") => Format::Npy,
        Some("safetensors") => Format::Safetensors,
        Some("bin" | "raw") => Format::Raw,
        _ => {
            let sentence = "its name ends in none of .npy, .safetensors, .bin, .raw";
            return Err(Fault::usage(sentence).about(printable(&arguments.output.to_string_lossy())));
        }
    };
    let mut order = arguments.byteorder;
    if format == Format::Safetensors {
        if order.is_some_and(|order| order != ByteOrder::Little) {
            return Err(Fault::usage("--byteorder: .safetensors is little-endian"));
        }
        order = Some(ByteOrder::Little);
    }
    let dtype = match &arguments.to {
        Some(name) => tensor::dtype(name).map_err(|why| why.about("--to"))?,
        None => src.dtype(),
    };
    let dtype = in_order(dtype, order);
    let turned = turned(stored, src.dtype(), arguments.byteorder)?;
    let layout = match arguments.layout.trim() {
        "C" => "c",
        "F" | "fortran" => "f",
        layout => layout,
    };
    let tensor = laid_out(layout, dtype, src.sizes())?;
    let fortran = layout == "f";
    let fits = match format {
        Format::Npy => fortran || layout == "c",
        Format::Safetensors => layout == "c",
        Format::Raw => true,
    };
    if !fits {
        let takes = if format == Format::Npy { "c and f" } else { "c" };
        return Err(Fault::usage(format!("--layout: this format has no other than {takes}; .bin and .raw have any")));
    }
    if !turned.is_empty() && !matches!(tensor.0, Object::Layout(_)) {
        let sentence = "--byteorder: the numbers inside of elements are turned in layouts of strides, not in tiles";
        return Err(Fault::usage(sentence));
    }
    let without = |format: &str| format!("{format} has no {dtype}: write .bin or .raw");
    let mut written = Written { header: Vec::new(), bytes: tensor.bytes()?, tensor, turned, notes: Vec::new() };
    match format {
        Format::Npy => as_npy(&mut written, dtype, stored, src, fortran)
            .map_err(|_| Fault::usage(format!("{}, or .safetensors", without(".npy"))))?,
        Format::Safetensors => {
            let stem = arguments.output.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
            let name = if name.is_empty() { &*stem } else { name };
            let header = files::safetensors_header(name, dtype, src.sizes(), written.bytes);
            let bytes = if dtype.is_bytes() { ", or say with --dtype what they are" } else { "" };
            written.header = header.ok_or_else(|| Fault::usage(without(".safetensors") + bytes))?;
            if !files::ends_at_a_byte(dtype, src.sizes()) {
                let count = tensor::counted(src.element_count() as u64, "element");
                return Err(Fault::usage(format!(
                    ".safetensors has no tensor that ends inside a byte, as one of {count} of {} bits does: write .bin \
                     or .raw",
                    dtype.bits()
                )));
            }
        }
        Format::Raw => {}
    }
    Ok(written)
}

/// The header of a .npy, and what NumPy's own types make of the tensor.
fn as_npy(written: &mut Written, dtype: Dtype, stored: &Stored, src: &LayoutBuf, fortran: bool) -> stride::Result<()> {
    // What the type is called is kept, as long as the bytes are.
    let called = stored.called.as_deref().filter(|called| dtype.is_bytes() && called.starts_with(['<', '>', '|']));
    let descr = match (called, &stored.numbers) {
        (Some(called), Some(numbers)) if !written.turned.is_empty() => {
            Some(files::descr_in_order(called, !numbers.big))
        }
        (called, _) => called.map(str::to_owned),
    };
    let header = files::npy_header(dtype, descr.as_deref(), src.sizes(), fortran);
    if header.is_ok() || dtype.is_swapped() {
        written.header = header?;
        return Ok(());
    }
    // As ml_dtypes has them: bytes, of which an element below a byte takes one.
    let bytes = Dtype::bytes((dtype.bits() as u32).div_ceil(8))?;
    let descr = format!("<V{}", bytes.bits() / 8);
    written.header = files::npy_header(bytes, Some(&descr), src.sizes(), fortran)?;
    if let (Object::Layout(layout), true) = (&mut written.tensor.0, dtype.is_sub_byte()) {
        let bytes = LayoutBuf::new(bytes, layout.offset(), layout.sizes(), layout.strides())?;
        written.bytes = bytes.min_bytes()?;
        *layout = one_in_a_byte(dtype, &bytes)?;
    }
    written.notes.push(format!("NumPy has no {dtype}, and reads {descr}; .view(ml_dtypes...) makes numbers of it"));
    Ok(())
}

/// The tensor with this layout: `c`, `f`, or the grammar of a tensor after its sizes.
fn laid_out(layout: &str, dtype: Dtype, sizes: &[i64]) -> Result<Tensor> {
    Ok(match layout {
        "c" => LayoutBuf::packed(dtype, sizes)?.into(),
        "f" => LayoutBuf::ordered(dtype, sizes, &(0..sizes.len() as i64).collect::<Vec<_>>())?.into(),
        _ => {
            let colon = if layout.starts_with('{') { "" } else { ":" };
            Tensor::parse(&format!("{dtype}[{}]{colon}{layout}", tensor::list(sizes))).map_err(|why| {
                let hint = "it is c, f, or what follows the sizes of a TENSOR: strides, a tag, blocks, tiles";
                Fault { sentence: format!("--layout: {hint}\n{}", why.sentence), ..why }
            })?
        }
    })
}

/// The same file may not be read and written, whether or not it may be replaced.
fn check_places(input: &Path, output: &Path, force: bool) -> Result<()> {
    let same = match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(output)) => input == output || is_same_file(&input, &output),
        _ => false,
    };
    if same {
        return Err(Fault::file(output, "this is the input; write another file"));
    }
    output::place(output, force).map(drop)
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let number = |path: &Path| path.metadata().map(|about| (about.dev(), about.ino()));
        matches!((number(one), number(other)), (Ok(one), Ok(other)) if one == other)
    }
    #[cfg(not(unix))]
    {
        let _ = (one, other);
        false
    }
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

/// The plan of a copy that converts, if there is anything to convert.
fn plan(dst: &impl AsSide, src: &impl AsSide, how: &Conversion<'_>) -> Result<Plan<u8>> {
    Ok(Plan::converting(dst, src, how, &Options::new())?)
}

struct Copy<'a> {
    how: Conversion<'static>,
    source: Source,
    /// What is mapped as the source.
    input: &'a File,
    target: Target,
    output: &'a Output,
    /// Bytes in front of the target's tensor.
    header: usize,
    threads: u32,
    memory: u64,
    /// Bytes written since pages were given back.
    held: u64,
    bar: ProgressBar,
}

impl Copy<'_> {
    /// Box after box, each by all threads; the next one is read meanwhile. `whole` is the plan of all of it.
    fn by_boxes(&mut self, dst: &LayoutBuf, src: &LayoutBuf, whole: &Plan<u8>, turned: &[Place]) -> Result<Done> {
        let mut boxes = Boxes::new(dst, src, self.memory / 2)?;
        let done = Done { pieces: boxes.how_many(), box_sizes: Some(boxes.sizes().to_vec()) };
        if done.pieces <= 1 {
            let parts = self.threads.min(whole.useful_parts());
            self.run(whole, 0..parts, parts, 0)?;
            self.turn(dst, src, turned)?;
            return Ok(done);
        }
        self.source.read_as_expected();
        let mut next = boxes.next().transpose()?;
        if let Some([dst, _]) = &next
            && spans(dst)?.iter().all(|span| span.len() < SHORT_RUN)
        {
            self.target.write_in_runs();
        }
        self.expect(&next)?;
        while let Some([dst, src]) = next {
            next = boxes.next().transpose()?;
            self.expect(&next)?;
            let plan = plan(&dst, &src, &self.how)?;
            let parts = self.threads.min(plan.useful_parts());
            self.run(&plan, 0..parts, parts, 0)?;
            self.turn(&dst, &src, turned)?;
            self.give_back();
            self.bar.inc(elements_bytes(&src)?);
            hold_for_a_test();
        }
        Ok(done)
    }

    /// Writes the numbers inside the elements once more, each from its last byte to its first.
    fn turn(&mut self, dst: &LayoutBuf, src: &LayoutBuf, turned: &[Place]) -> Result<()> {
        for place in turned {
            let plan = Plan::new(&bytes_of(dst, place, false)?, &bytes_of(src, place, true)?)?;
            let parts = self.threads.min(plan.useful_parts());
            self.run(&plan, 0..parts, parts, 0)?;
        }
        Ok(())
    }

    /// A shape by the slabs of its slowest dimension, as long as they are large and have no tiles across them: parts of
    /// one plan may each go through all of the source. `at` is where it begins in the output's tensor.
    fn by_slabs(&mut self, dst: &Shape, src: &LayoutBuf, at: u64, done: &mut Done) -> Result<()> {
        let bytes = dst.byte_size()?;
        if bytes > self.memory / 8
            && let Some(&slowest) = dst.minor_to_major().last()
            && let Ok(slab) = rearrange::delete(dst, &[slowest])
        {
            let (count, step) = (dst.sizes()[slowest as usize], slab.byte_size()?);
            if u128::from(step) * count as u128 == u128::from(bytes) {
                return (0..count)
                    .try_for_each(|i| self.by_slabs(&slab, &src.select(slowest, i)?, at + i as u64 * step, done));
            }
        }
        let plan = plan(dst, src, &self.how)?;
        self.by_parts(&plan, bytes, elements_bytes(src)?, at, done)
    }

    /// A plan of `bytes` bytes in parts of an eighth of the memory, as many at a time as there are threads.
    fn by_parts(&mut self, plan: &Plan<u8>, bytes: u64, told: u64, at: u64, done: &mut Done) -> Result<()> {
        let small = bytes.div_ceil((self.memory / 8).max(1)).try_into().unwrap_or(u32::MAX);
        let threads = u32::try_from(bytes >> 20).unwrap_or(u32::MAX).clamp(1, self.threads);
        let count = small.max(threads.min(plan.useful_parts()));
        for first in (0..count).step_by(threads as usize) {
            let end = first.saturating_add(threads).min(count);
            self.run(plan, first..end, count, at)?;
            let share = |bytes: u64| bytes / u64::from(count) * u64::from(end - first);
            self.held += share(bytes);
            if self.held >= self.memory / 4 {
                self.held = 0;
                self.give_back();
                // Else pages that are done with push out those that were read ahead.
                map::forget(self.input);
                map::forget(self.output.file());
            }
            self.bar.inc(share(told));
            hold_for_a_test();
            done.pieces += 1;
        }
        Ok(())
    }

    /// These of `count` parts, each by a thread.
    fn run(&mut self, plan: &Plan<u8>, some: Range<u32>, count: u32, at: u64) -> Result<()> {
        let parts = plan.parts(&mut self.target.bytes()[self.header + at as usize..], self.source.bytes(), count)?;
        let mut parts = parts.skip(some.start as usize).take(some.len());
        let own = parts.next();
        std::thread::scope(|scope| {
            parts.for_each(|part| drop(scope.spawn(move || part.run())));
            own.into_iter().for_each(|part| part.run());
        });
        Ok(())
    }

    /// Has the source of a box read.
    fn expect(&self, sides: &Option<[LayoutBuf; 2]>) -> Result<()> {
        let Some([_, src]) = sides else { return Ok(()) };
        spans(src)?.into_iter().for_each(|span| self.source.expect(span));
        Ok(())
    }

    fn give_back(&self) {
        self.source.release();
        self.target.release();
        map::begin_to_write(self.output.file());
    }
}

/// A test that ends a run inside is told that one piece is done, and waited for.
fn hold_for_a_test() {
    if std::env::var_os("STRIDE_TEST_HOLD").is_some() {
        eprintln!("held");
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
    }
}

/// Where the elements of a box lie, in as many runs as are worth naming.
fn spans(layout: &LayoutBuf) -> Result<Vec<Range<usize>>> {
    let mut gap = READ_OVER;
    loop {
        match boxes::spans(layout, gap)? {
            Some(spans) => return Ok(spans),
            None => gap = gap.saturating_mul(16),
        }
    }
}

fn elements_bytes(layout: &LayoutBuf) -> Result<u64> {
    Ok((layout.element_count() as u64).saturating_mul(layout.dtype().bits() as u64) / 8)
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
