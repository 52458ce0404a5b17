//! `stride explain`: what the copy of one tensor to another one is, and what it takes here.

use crate::fault::{Fault, Result};
use crate::picture;
use crate::say;
use crate::tensor::{Tensor, counted, given};
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use stride::regions::{Class, Kind};
use stride::{LayoutBuf, Object, Plan};

#[derive(clap::Args)]
pub struct Arguments {
    /// The source
    from: String,
    /// The destination; without it, the packed layout of the same sizes
    to: Option<String>,
    /// A dimension order, as of numpy.transpose, that `from` is seen in first
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    axes: Option<String>,
    /// Measure nothing
    #[arg(long)]
    no_time: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw both buffers into an SVG file, the same element in the same colour
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A memcpy that takes less is all overhead.
const NOISE: Duration = Duration::from_nanos(200);
/// The most bytes on either side of a copy that is measured.
const MEASURED_BYTES: u64 = 256 << 20;

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut from = given(&arguments.from)?;
    if let Some(axes) = &arguments.axes {
        from = from.permuted(axes)?;
    }
    let to = match &arguments.to {
        Some(text) => given(text)?,
        None => LayoutBuf::packed(from.dtype(), from.sizes())?.into(),
    };
    let plan = plan(&to, &from)?;
    let time = if arguments.no_time { None } else { measured(&plan, &to, &from)? };
    if let Some(path) = &arguments.svg {
        let titles = [format!("from {from}"), format!("to {to}")];
        let svg = picture::svg(&[(&titles[0], &from), (&titles[1], &to)])?;
        picture::write(path, svg)?;
    }
    let same = same_mapping(&to, &from)?;
    let (kind, copy) = kind(&to, &from)?;
    if arguments.json {
        let time =
            time.map(|(own, memcpy)| json!({"seconds": own.as_secs_f64(), "memcpy_seconds": memcpy.as_secs_f64()}));
        say!(
            "{:#}",
            json!({
                "from": from.to_string(), "to": to.to_string(), "same_mapping": same, "kind": kind, "copy": copy,
                "bytes": plan.bytes(), "plan": plan.to_string(), "useful_parts": plan.useful_parts(), "measured": time,
            })
        );
        return Ok(());
    }
    say!("from       {from}\nto         {to}");
    say!(
        "mapping    {}",
        match same {
            Some(true) => "the same: every index lies at the same place, and a copy is not needed",
            Some(false) if swaps(&to, &from)? => "the same places, the bytes of each element in the other order",
            Some(false) => "differs: elements lie at other places, and a copy moves them",
            None => "tiles or blocks: a copy decides",
        }
    );
    say!("copy       {copy}");
    say!("plan       {}", plan.to_string().trim_end().replace('\n', "\n           "));
    say!(
        "threads    {}",
        match plan.useful_parts() {
            1 => "one: it is too small to be cut".to_owned(),
            parts => format!("up to {parts}: as many parts are worth a thread each"),
        }
    );
    match time {
        Some((own, memcpy)) if memcpy < NOISE => {
            say!(
                "time       {} here, warm; memcpy of as many bytes {}: too short for a ratio",
                seconds(own),
                seconds(memcpy)
            );
        }
        Some((own, memcpy)) => say!(
            "time       {} here, warm, by one thread: {:.2} GB/s, {:.1} times as long as memcpy of as many bytes",
            seconds(own),
            2.0 * plan.bytes() as f64 / own.as_secs_f64() / 1e9,
            own.as_secs_f64() / memcpy.as_secs_f64()
        ),
        None if arguments.no_time => {}
        None => say!("time       not measured: nothing is to be copied, or a side has more than 256 MiB"),
    }
    Ok(())
}

/// The copy as a buffer of bytes has it.
fn plan(to: &Tensor, from: &Tensor) -> Result<Plan<u8>> {
    let named = |error: stride::Error| {
        // What the library calls by its parameters has other names here.
        let text = error.to_string();
        let text = text.replace("; options->conversion converts", "");
        let words = ["layout", "side"].iter().fold(text, |text, form| {
            text.replace(&format!("src_{form}"), "from").replace(&format!("dst_{form}"), "to")
        });
        Fault { record: Some(error), ..Fault::usage(words) }
    };
    Plan::<u8>::new(&to.0, &from.0).map_err(named)
}

/// Whether every index means the same place; nothing where one has tiles.
fn same_mapping(to: &Tensor, from: &Tensor) -> Result<Option<bool>> {
    match (&to.0, &from.0) {
        (Object::Layout(to), Object::Layout(from)) => Ok(Some(to.view()?.same_mapping(&from.view()?))),
        _ => Ok(None),
    }
}

/// Whether only the byte order differs.
fn swaps(to: &Tensor, from: &Tensor) -> Result<bool> {
    let (Object::Layout(to), Object::Layout(from)) = (&to.0, &from.0) else { return Ok(false) };
    let swapped = LayoutBuf::new(to.dtype(), from.offset(), from.sizes(), from.strides())?;
    Ok(to.dtype().is_swapped() != from.dtype().is_swapped() && to.view()?.same_mapping(&swapped.view()?))
}

/// The kind of the copy: a word, as the constants of C and Python have it, and what that means here.
fn kind(to: &Tensor, from: &Tensor) -> Result<(String, String)> {
    if swaps(to, from)? {
        let elements = counted(to.element_count() as u64, "element");
        return Ok(("swapped".into(), format!("swaps the bytes of {elements}")));
    }
    let (Object::Layout(to), Object::Layout(from)) = (&to.0, &from.0) else {
        let boxes = "tiles or blocks cut it into copies of boxes, each with loops of its own";
        return Ok((word(Kind::Tiled), boxes.into()));
    };
    let Class { kind, runs, run_bytes } = Class::of_copy(&to.view()?, &from.view()?)?;
    let bytes = counted(run_bytes, "byte");
    let copy = match kind {
        Kind::Nothing => "there is no element".into(),
        Kind::Contiguous => format!("one memcpy of {bytes}"),
        Kind::Rows => format!("{} of {bytes}, each contiguous on both sides", counted(runs, "row")),
        Kind::Fill => format!("the same {bytes} again and again, {}", counted(runs, "time")),
        Kind::Transpose => {
            format!("a transpose: the fastest dimension is another one on each side; {bytes} at a time")
        }
        Kind::Bits => "elements below a byte whose runs are not whole bytes".into(),
        _ => format!("{} of {bytes}, each by itself", counted(runs, "run")),
    };
    Ok((word(kind), copy))
}

/// `transpose` of STRIDE_COPY_KIND_TRANSPOSE.
fn word(kind: Kind) -> String {
    format!("{kind:?}").to_lowercase()
}

/// The best times of the copy and of memcpy, alternating; nothing for large copies and those outside their buffers.
fn measured(plan: &Plan<u8>, to: &Tensor, from: &Tensor) -> Result<Option<(Duration, Duration)>> {
    let (Ok(dst_bytes), Ok(src_bytes)) = (to.bytes(), from.bytes()) else { return Ok(None) };
    if dst_bytes.max(src_bytes) > MEASURED_BYTES || plan.bytes() == 0 {
        return Ok(None);
    }
    let (mut dst, src) = (vec![1u8; dst_bytes as usize], vec![2u8; src_bytes as usize]);
    let bytes = plan.bytes() as usize;
    let (mut to_bytes, from_bytes) = (vec![1u8; bytes], vec![2u8; bytes]);
    // Long enough for a clock, and for warm caches.
    let times = (4usize << 20).div_ceil(bytes).clamp(1, 100_000) as u32;
    let (mut own, mut memcpy) = (Duration::MAX, Duration::MAX);
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(200) {
        let start = Instant::now();
        for _ in 0..times {
            plan.execute(&mut dst, std::hint::black_box(&src))?;
        }
        own = own.min(start.elapsed() / times);
        let start = Instant::now();
        for _ in 0..times {
            to_bytes.copy_from_slice(std::hint::black_box(&from_bytes));
            std::hint::black_box(&mut to_bytes);
        }
        memcpy = memcpy.min(start.elapsed() / times);
    }
    let least = Duration::from_nanos(1);
    Ok(Some((own.max(least), memcpy.max(least))))
}

fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s => format!("{:.2} ms", s * 1e3),
    }
}
