//! `stride show`: all that can be said of a tensor, or of each tensor of a file.

use crate::consumers::{self, Answer};
use crate::fault::{Fault, Result, brief, printable};
use crate::files;
use crate::picture;
use crate::say;
use crate::tensor::{Tensor, counted, list};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use stride::Layout;
use stride::Object;
use stride::model::formats;
use stride::vocabulary::dml;
use stride::vocabulary::requirements::{Consumer, Requirements};
use stride::vocabulary::xla::{Shape, tag::Tag};

#[derive(clap::Args)]
pub struct Arguments {
    /// Tensors, or files: of one tensor, or with the list of theirs
    #[arg(required = true, value_name = "TENSOR")]
    tensors: Vec<String>,
    /// A dimension order, as of numpy.transpose, that the tensor is seen in
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    axes: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the memory into an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// No picture in the terminal
    #[arg(long)]
    no_picture: bool,
}

/// A tensor that is shown, or one of a file.
struct Shown {
    /// The argument.
    text: String,
    tensor: Tensor,
    file: Option<files::Stored>,
    /// Its place among the answers of `--json`.
    at: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let (mut shown, mut failed, mut json) = (Vec::new(), None, Vec::new());
    for text in &arguments.tensors {
        let at = json.len();
        let only_a_list = |count: usize| count != 1 && arguments.axes.is_none() && arguments.svg.is_none();
        let found = match files::named(text) {
            Some((path, None)) => files::list(&path).and_then(|contents| {
                if only_a_list(contents.entries.len()) {
                    print_list(&path, &contents, arguments.json.then_some(&mut json))?;
                    return Ok(None);
                }
                files::pick(&path, contents, None).map(|(_, stored)| Some(stored))
            }),
            Some((path, name)) => files::open(&path, name).map(|(_, stored)| Some(stored)),
            None => {
                let tensor = Tensor::parse(text)?;
                shown.push(Shown { text: text.clone(), tensor, file: None, at });
                json.push(Value::Null);
                Ok(None)
            }
        };
        match found {
            Ok(None) => {}
            Ok(Some(stored)) => {
                let tensor = Tensor::from(stored.layout()?);
                shown.push(Shown { text: text.clone(), tensor, file: Some(stored), at });
                json.push(Value::Null);
            }
            // The others of a list of files are shown all the same.
            Err(fault) if arguments.tensors.len() > 1 => {
                match arguments.json {
                    true => json.push(fault.as_json()),
                    false => eprintln!("stride: {fault}"),
                }
                failed = Some(fault.code);
            }
            Err(fault) => return Err(fault),
        }
    }
    if let Some(axes) = &arguments.axes {
        for one in &mut shown {
            one.tensor = one.tensor.permuted(axes)?;
        }
    }
    for (k, one) in shown.iter().enumerate() {
        if arguments.json {
            json[one.at] = as_json(one)?;
            continue;
        }
        if k > 0 {
            say!("");
        }
        say!("{}", as_text(one)?.trim_end());
        if !arguments.no_picture {
            let picture = picture::blocks(&one.tensor, 96, stdout().is_terminal())?;
            say!("\n{}", picture.trim_end_matches('\n'));
        }
    }
    if arguments.json {
        say!("{:#}", Value::from(json));
    }
    if let Some(path) = &arguments.svg {
        let drawn: Vec<_> = shown.iter().map(|one| (one.text.as_str(), &one.tensor)).collect();
        picture::write(path, picture::svg(&drawn)?)?;
    }
    match failed {
        Some(code) if arguments.json => Err(Fault::new(code, "")),
        Some(code) => Err(Fault::new(code, "not all of them could be shown")),
        None => Ok(()),
    }
}

/// The column of names; the row of a longer one goes on after it.
const WIDEST_NAME: usize = 60;

/// A row for each tensor of a file, also for those that are not read.
fn print_list(path: &Path, contents: &files::Contents, json: Option<&mut Vec<Value>>) -> Result<()> {
    let path = path.to_string_lossy();
    contents.notes.iter().for_each(|note| eprintln!("stride: note: {}: {note}", printable(&path)));
    if let Some(json) = json {
        for one in &contents.entries {
            json.push(match &one.found {
                Ok(stored) => json!({
                    "file": path,
                    "name": one.name,
                    "tensor": stored.layout()?.to_string(),
                    "begin": stored.deflated.is_none().then_some(stored.begin),
                    "bytes": stored.bytes,
                }),
                Err(why) => json!({"file": path, "name": one.name, "tensor": null, "error": why}),
            });
        }
        return Ok(());
    }
    let width = contents.entries.iter().map(|one| printable(&one.name).chars().count()).max().unwrap_or(0);
    let width = width.min(WIDEST_NAME);
    let (mut text, mut bytes, mut read) = (String::new(), 0u64, 0);
    for one in &contents.entries {
        let name = printable(&one.name);
        let row = match &one.found {
            Ok(stored) => {
                (bytes, read) = (bytes.saturating_add(stored.bytes), read + 1);
                let sizes = format!("{}[{}]", stored.dtype, list(&stored.sizes));
                let called = stored.called.iter().map(|name| format!(", {}", brief(name))).collect::<String>();
                format!("{sizes:24}  {:>20}, {}{called}", counted(stored.bytes, "byte"), place(stored))
            }
            Err(why) => format!("not read: {why}"),
        };
        writeln!(text, "{name:width$}  {row}").expect("a string grows");
    }
    let others = match contents.entries.len() - read {
        0 => String::new(),
        count => format!(", and {count} not read"),
    };
    let (tensors, bytes) = (counted(read as u64, "tensor"), counted(bytes, "byte"));
    say!("{text}{}: {tensors}, {bytes}{others}", printable(&path));
    Ok(())
}

fn place(stored: &files::Stored) -> String {
    if stored.deflated.is_some() { "compressed".into() } else { format!("at byte {}", stored.begin) }
}

/// The formats that hold, in words.
fn formats_of(layout: &Layout<'_>) -> Vec<&'static str> {
    let all = [
        (formats::PACKED, "packed (row-major, no gaps)"),
        (formats::COLUMN_MAJOR, "column-major"),
        (formats::CHANNELS_LAST, "channels last (NHWC)"),
        (formats::DENSE, "dense"),
    ];
    let held = layout.formats();
    all.into_iter().filter(|(flag, _)| held & flag != 0).map(|(_, word)| word).collect()
}

/// The layout in the words of other systems.
fn others(tensor: &Tensor) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    match &tensor.0 {
        Object::Layout(layout) => {
            let Ok(layout) = layout.view() else { return out };
            let mut minor_to_major = order(&layout);
            minor_to_major.reverse();
            // Without gaps the order says it all; dimensions of size 1 stand where their strides put them.
            let shape = Shape::from_layout(&layout)
                .and_then(|shape| Shape::new(shape.dtype(), shape.sizes(), Some(&minor_to_major)));
            if let Ok(shape) = shape {
                out.push(("XLA", shape.to_string()));
                out.extend(Tag::of(&shape).ok().filter(|_| shape.rank() > 0).map(|tag| ("tag", tag.to_string())));
            }
            let taken = Requirements::of(Consumer::DirectMl).meets(&layout, 0).is_ok();
            if let Some(d) = dml::from_layout(&layout, 1).ok().filter(|_| taken) {
                let list = |numbers: &[u32; 8]| {
                    let numbers = &numbers[..d.dimension_count as usize];
                    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
                };
                let (sizes, strides) = (list(&d.sizes), list(&d.strides));
                out.push((
                    "DirectML",
                    format!("Sizes {sizes}; Strides {strides}; TotalTensorSizeInBytes {}", d.total_bytes),
                ));
            }
        }
        Object::Shape(shape) => out.extend(Tag::of(shape).map(|tag| ("tag", tag.to_string()))),
        Object::Blocked(_) => {}
    }
    out
}

fn as_text(shown: &Shown) -> Result<String> {
    let tensor = &shown.tensor;
    let (dtype, count, bytes) = (tensor.dtype(), tensor.element_count(), tensor.bytes());
    let mut out = format!("{tensor}\n");
    let mut row = |name: &str, text: String| writeln!(out, "  {name:<11}{text}").expect("a string grows");
    if let Some(file) = &shown.file {
        let begins = if file.deflated.is_some() { "" } else { "the data begin " };
        row("file", format!("{}, {begins}{}", printable(&shown.text), place(file)));
        file.notes.iter().for_each(|note| row("", note.clone()));
    }
    let numpy = match dtype.to_string().as_str() {
        name @ ("u1" | "u2" | "u4") => format!(" (NumPy's {name} is u{})", 8 * dtype.bits()),
        _ => String::new(),
    };
    row("elements", format!("{count} of {dtype}, {} each{numpy}", counted(dtype.bits() as u64, "bit")));
    let packed = packed_bytes(tensor);
    match bytes {
        Ok(bytes) => {
            let gaps = match packed {
                Some(packed) if packed + 1 == bytes => ", of which 1 is a gap or padding".to_owned(),
                Some(packed) if packed < bytes => format!(", of which {} are gaps or padding", bytes - packed),
                Some(packed) if packed > bytes => ", since several indices share an element".to_owned(),
                _ => String::new(),
            };
            row("bytes", format!("{bytes} at least in the buffer{gaps}"));
        }
        Err(fault) => row("bytes", below_the_base(tensor).unwrap_or_else(|| fault.to_string())),
    }
    if let Object::Layout(layout) = &tensor.0 {
        let layout = layout.view()?;
        let facts = layout.facts();
        let held = formats_of(&layout);
        row("formats", if held.is_empty() { "none of packed, channels last, dense".into() } else { held.join(", ") });
        if count > 1 {
            row("order", format!("{}: dimensions, outermost in memory first", list(&order(&layout))));
            row(
                "runs",
                match facts.run {
                    (0, _) => "of 1 element: along the last dimension they do not touch".into(),
                    (1, elements) => format!("of {}: the last dimension", counted(elements as u64, "element")),
                    (dimensions, elements) => {
                        format!("of {}: the last {dimensions} dimensions", counted(elements as u64, "element"))
                    }
                },
            );
            row("aligned", alignment(&layout, shown.file.as_ref())?);
            let repeats = layout.dimensions().position(|(size, stride)| size > 1 && stride == 0);
            if let Some(dimension) = repeats {
                row("repeats", format!("dimension {dimension} has stride 0: its indices share elements"));
            }
        }
    }
    if let Object::Shape(shape) = &tensor.0 {
        for (level, tile) in shape.tiles().iter().enumerate() {
            let sizes: Vec<_> = tile.iter().map(i64::to_string).collect();
            row(
                if level == 0 { "tiles" } else { "" },
                match level {
                    0 => format!("of {}, each in one piece, row by row, one after the other", sizes.join(" x ")),
                    _ => format!("in each of them tiles of {}, in the same way", sizes.join(" x ")),
                },
            );
        }
    }
    for (name, text) in others(tensor) {
        row(name, text);
    }
    if let Object::Layout(layout) = &tensor.0 {
        let layout = layout.view()?;
        let answers = consumers::all().map(|one| consumers::verdict(one, &layout, 0, 0));
        let (accepted, refused): (Vec<_>, Vec<_>) = answers.partition(|one| one.refused.is_none());
        let names = |answers: &[Answer]| answers.iter().map(Answer::name).collect::<Vec<_>>().join(", ");
        if !accepted.is_empty() {
            row("works with", names(&accepted));
        }
        if !refused.is_empty() {
            row("not with", format!("{} (`stride check` says why)", names(&refused)));
        }
    }
    Ok(out)
}

/// The powers of two that divide the addresses of elements and rows; a single row has none to line up with.
fn alignment(layout: &Layout<'_>, file: Option<&files::Stored>) -> Result<String> {
    const PAGE: u64 = 4096; // at which a file is mapped; few pointers are aligned to more
    let (base, pointer) = match file.filter(|file| file.deflated.is_none()) {
        Some(file) => (1 << (file.begin | PAGE).trailing_zeros(), "if the file is mapped"),
        None => (PAGE, "if the base pointer is"),
    };
    let (elements, rows) = layout.alignment(base)?;
    let several = layout.contiguous_run().1 < layout.element_count();
    let rows = if several { format!(", rows to {rows}") } else { String::new() };
    Ok(format!("elements to {}{rows}, {pointer}", counted(elements, "byte")))
}

/// The dimensions by their strides, outermost in memory first; of equal ones as they stand.
fn order(layout: &Layout<'_>) -> Vec<i64> {
    let mut order: Vec<_> = (0..layout.rank() as i64).collect();
    order.sort_by_key(|&dimension| std::cmp::Reverse(layout.strides()[dimension as usize].unsigned_abs()));
    order
}

/// The bytes of a layout that reaches below its base pointer, and the offset with which it does not.
fn below_the_base(tensor: &Tensor) -> Option<String> {
    let Object::Layout(layout) = &tensor.0 else { return None };
    let (lowest, _) = layout.view().ok()?.span();
    let (rebased, _) = layout.view().ok()?.rebased().ok()?;
    let bytes = rebased.min_bytes().ok()?;
    Some(format!(
        "{bytes}, but the lowest element lies {} before the base pointer; with offset {} it lies at it",
        counted(lowest.unsigned_abs(), "element"),
        rebased.offset()
    ))
}

fn packed_bytes(tensor: &Tensor) -> Option<u64> {
    let bits = u64::try_from(tensor.element_count()).ok()?.checked_mul(tensor.dtype().bits() as u64)?;
    Some(bits.div_ceil(8))
}

fn as_json(shown: &Shown) -> Result<Value> {
    let tensor = &shown.tensor;
    let mut out = json!({
        "tensor": tensor.to_string(),
        "dtype": tensor.dtype().to_string(),
        "bits": tensor.dtype().bits(),
        "sizes": tensor.sizes(),
        "elements": tensor.element_count(),
        "bytes": tensor.bytes().ok(),
        "packed_bytes": packed_bytes(tensor),
    });
    if let Some(file) = &shown.file {
        out["file"] = shown.text.as_str().into();
        out["begin"] = file.deflated.is_none().then_some(file.begin).into();
    }
    for (name, text) in others(tensor) {
        out[name.to_lowercase()] = text.into();
    }
    if let Object::Layout(layout) = &tensor.0 {
        let layout = layout.view()?;
        let facts = layout.facts();
        out["strides"] = layout.strides().into();
        out["offset"] = layout.offset().into();
        out["formats"] = formats_of(&layout).into();
        out["run"] = json!({"dimensions": facts.run.0, "elements": facts.run.1});
        out["consumers"] = consumers::all()
            .map(|one| {
                let answer = consumers::verdict(one, &layout, 0, 0);
                (answer.name().to_owned(), answer.refused.map_or(Value::Bool(true), |error| error.to_string().into()))
            })
            .collect::<serde_json::Map<_, _>>()
            .into();
    }
    Ok(out)
}
