//! `stride bench`: everyday copies on this machine, each beside memcpy.
//!
//! A figure is memcpy's time for as many bytes as the copy moves, divided by the time of the copy: 1.00 is memcpy's
//! speed. Both are taken in the same rounds, alternating, between the same two buffers, whose first bytes lie 16 bytes
//! after a line of 64: so begin the buffers that malloc gives for what is large. The best time of each counts. Caches
//! are warm as far as both sides fit. After the first run, elements of the result are held against those of the source.
//!
//! With several threads each makes one part of the plan, or copies one piece; a round lasts from the moment at which
//! all of them begin to the end of the last one.

mod chart;
mod kinds;

use crate::fault::{Code, Fault, Result};
use crate::say;
use kinds::{KINDS, Kind};
use std::path::PathBuf;
use std::sync::Barrier;
use std::time::{Duration, Instant};
use stride::Plan;
use stride::machine::Machine;

/// From the beginning of a line of 64 bytes to that of a buffer.
const BEGIN: usize = 16;
const LEAST_ROUNDS: usize = 3;
/// Runs are timed together until they take this long.
const LEAST_TIME: Duration = Duration::from_micros(20);
const MOST_MEGABYTES: f64 = 4096.0;

/// Times everyday copies on this machine beside memcpy of as many bytes: 1.00 is memcpy's speed, higher is better.
#[derive(clap::Args)]
pub struct Arguments {
    /// Of these kinds only, with commas between
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<String>,
    /// Sizes of a copy in MiB; without it a quarter of L2, and beyond the last cache
    #[arg(long, value_name = "N", value_delimiter = ',')]
    megabytes: Vec<f64>,
    /// For each copy
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600_000))]
    milliseconds: u64,
    /// That share each copy, and each memcpy
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Write a chart, too
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the figures as JSON instead
    #[arg(long)]
    json: bool,
}

#[derive(serde::Serialize)]
struct Report {
    version: &'static str,
    cpu: String,
    level: &'static str,
    optimised: bool,
    threads: u32,
    milliseconds: u64,
    copies: Vec<Figure>,
}

#[derive(serde::Serialize)]
struct Figure {
    kind: &'static str,
    dst: String,
    src: String,
    /// That the copy moves.
    bytes: u64,
    kernel: String,
    rounds: usize,
    /// The best, and the middle one.
    nanoseconds: f64,
    median_nanoseconds: f64,
    memcpy_nanoseconds: f64,
    memcpy_median_nanoseconds: f64,
    /// Of memcpy's best time over the copy's.
    ratio: f64,
    median_ratio: f64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let kinds = chosen(&arguments.kinds)?;
    let sizes = sizes(&arguments.megabytes)?;
    let machine = Machine::this();
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        cpu: cpu(),
        level: machine.level.name(),
        optimised: !cfg!(debug_assertions),
        threads: arguments.threads,
        milliseconds: arguments.milliseconds,
        copies: Vec::new(),
    };
    if !report.optimised {
        eprintln!("stride: this tool was built without optimisation (cargo build --release), so its copies are slow");
    }
    if !arguments.json {
        say!("{}", heading(&report));
        say!("{:<18}{:>12}{:>13}{:>11}{:>11}  kernel", "copy", "bytes", "memcpy GB/s", "copy GB/s", "of memcpy");
    }
    for kind in kinds {
        for &bytes in &sizes {
            let figure = measure(kind, bytes, arguments)
                .map_err(|fault| fault.about(format!("{}, {bytes} bytes", kind.name)))?;
            if !arguments.json {
                say!("{}", row(&figure));
            }
            report.copies.push(figure);
        }
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| Fault::usage(error.to_string()))?;
        say!("{text}");
    }
    if let Some(path) = &arguments.svg {
        crate::picture::write(path, chart::svg(&report))?;
    }
    Ok(())
}

fn heading(report: &Report) -> String {
    let threads = if report.threads == 1 { "1 thread".into() } else { format!("{} threads", report.threads) };
    format!("{}, {}, libstride {}, {threads}", report.cpu, report.level, report.version)
}

fn row(figure: &Figure) -> String {
    let speed = |nanoseconds: f64| figure.bytes as f64 / nanoseconds;
    format!(
        "{:<18}{:>12}{:>13.2}{:>11.2}{:>11.2}  {}",
        figure.kind,
        figure.bytes,
        speed(figure.memcpy_nanoseconds),
        speed(figure.nanoseconds),
        figure.ratio,
        figure.kernel
    )
}

fn chosen(names: &[String]) -> Result<Vec<&'static Kind>> {
    if names.is_empty() {
        return Ok(KINDS.iter().collect());
    }
    let find = |name: &String| KINDS.iter().find(|kind| kind.name == name.trim());
    let known = || KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
    names
        .iter()
        .map(|name| find(name).ok_or_else(|| Fault::usage(format!("`{name}` is no kind; there are {}", known()))))
        .collect()
}

/// In bytes.
fn sizes(megabytes: &[f64]) -> Result<Vec<u64>> {
    if megabytes.is_empty() {
        let caches = Machine::this().caches;
        return Ok(vec![(caches.second / 4).clamp(1 << 16, 1 << 22), (caches.last * 2).clamp(1 << 25, 1 << 27)]);
    }
    let size = |&megabytes: &f64| match megabytes {
        small if small.is_nan() || small * f64::from(1 << 20) < 4096.0 => {
            Err(Fault::usage(format!("{small} MiB: a copy of 4096 bytes, 0.00390625 MiB, is the smallest")))
        }
        large if large > MOST_MEGABYTES => Err(Fault::usage(format!("{large} MiB: at most {MOST_MEGABYTES} MiB"))),
        fits => Ok((fits * f64::from(1 << 20)) as u64),
    };
    megabytes.iter().map(size).collect()
}

/// The model that Linux reports, or what kind of CPU it is.
fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim()));
    model.filter(|name| !name.is_empty()).map_or_else(|| format!("a CPU of {}", std::env::consts::ARCH), String::from)
}

/// Bytes that begin where they shall.
struct Buffer {
    room: Vec<u8>,
    begin: usize,
}

impl Buffer {
    fn new(bytes: usize) -> Result<Self> {
        let mut room: Vec<u8> = Vec::new();
        let all = bytes.checked_add(128).ok_or_else(|| Fault::usage("there is no such memory"))?;
        room.try_reserve_exact(all).map_err(|error| Fault::usage(format!("{all} bytes: {error}")))?;
        // Written once, so that its pages are there.
        room.extend((0..all).map(|at| (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes()[0]));
        let begin = (64 - room.as_ptr().addr() % 64) % 64 + BEGIN;
        Ok(Self { room, begin })
    }

    fn bytes(&mut self, count: usize) -> &mut [u8] {
        &mut self.room[self.begin..self.begin + count]
    }
}

fn measure(kind: &Kind, bytes: u64, arguments: &Arguments) -> Result<Figure> {
    let (dst, src) = (kind.make)(i64::try_from(bytes).unwrap_or(i64::MAX))?;
    let plan = Plan::<u8>::new(&dst.0, &src.0)?;
    let moved = (dst.element_count() as u64).saturating_mul(dst.dtype().bits() as u64) / 8;
    let [dst_bytes, src_bytes, both] = [dst.bytes()?, src.bytes()?, moved].map(|bytes| bytes as usize);
    let (mut to, mut from) = (Buffer::new(dst_bytes.max(both))?, Buffer::new(src_bytes.max(both))?);

    plan.execute(to.bytes(dst_bytes), from.bytes(src_bytes))?;
    kinds::check(kind, (&dst, to.bytes(dst_bytes)), (&src, from.bytes(src_bytes)))?;

    let mut times = [Vec::new(), Vec::new()];
    let mut counts = [1u32; 2];
    let end = Instant::now() + Duration::from_millis(arguments.milliseconds);
    let mut round = 0;
    while round < LEAST_ROUNDS + 1 || Instant::now() < end {
        for way in 0..2 {
            let (to_way, from_way) = if way == 0 { (dst_bytes, src_bytes) } else { (both, both) };
            let (to, from) = (to.bytes(to_way), &*from.bytes(from_way));
            let time = match (way, arguments.threads) {
                (0, 1) => repeated(counts[way], || plan.execute(to, from))?,
                (_, 1) => repeated(counts[way], || {
                    std::hint::black_box(&mut *to).copy_from_slice(std::hint::black_box(from));
                    Ok(())
                })?,
                (0, threads) => together(plan.parts(to, from, threads)?.map(|part| || part.run()).collect()),
                (_, threads) => {
                    let piece = both.div_ceil(threads as usize).max(1);
                    let pieces = to.chunks_mut(piece).zip(from.chunks(piece));
                    together(pieces.map(|(to, from)| || to.copy_from_slice(from)).collect())
                }
            };
            let one = time / counts[way];
            // The first round finds how many runs are timed together, and warms the caches.
            if round == 0 && arguments.threads == 1 {
                let runs = LEAST_TIME.as_nanos() / one.as_nanos().max(1);
                counts[way] = u32::try_from(runs).unwrap_or(1).clamp(1, 10_000);
            } else {
                times[way].push(time.as_nanos() as f64 / f64::from(counts[way]));
            }
        }
        round += 1;
    }
    let [ours, memcpy] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        (times[0].max(0.01), times[times.len() / 2].max(0.01)) // a clock may stand still
    });
    Ok(Figure {
        kind: kind.name,
        dst: dst.to_string(),
        src: src.to_string(),
        bytes: moved,
        kernel: kernel(&plan),
        rounds: round - 1,
        nanoseconds: ours.0,
        median_nanoseconds: ours.1,
        memcpy_nanoseconds: memcpy.0,
        memcpy_median_nanoseconds: memcpy.1,
        ratio: memcpy.0 / ours.0,
        median_ratio: memcpy.1 / ours.1,
    })
}

/// The beginning of what a plan says of itself: kernel and instruction set.
fn kernel<T>(plan: &Plan<T>) -> String {
    let text = plan.to_string();
    let end = text.find(": ").unwrap_or(text.len());
    let streamed = if text.contains("streamed") { ", streamed" } else { "" };
    format!("{}{streamed}", &text[..end])
}

fn repeated(count: u32, mut run: impl FnMut() -> stride::Result<()>) -> Result<Duration> {
    let begin = Instant::now();
    for _ in 0..count {
        run()?;
    }
    Ok(begin.elapsed())
}

/// A thread for each piece of work, from when all are there to when the last one is done.
fn together<F: FnOnce() + Send>(work: Vec<F>) -> Duration {
    let ready = Barrier::new(work.len());
    let ends: Vec<(Instant, Instant)> = std::thread::scope(|scope| {
        let threads: Vec<_> = work
            .into_iter()
            .map(|work| {
                scope.spawn(|| {
                    ready.wait();
                    let begin = Instant::now();
                    work();
                    (begin, Instant::now())
                })
            })
            .collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let begin = ends.iter().map(|end| end.0).min();
    let end = ends.iter().map(|end| end.1).max();
    begin.zip(end).map_or(Duration::ZERO, |(begin, end)| end - begin)
}

impl Fault {
    fn wrong(sentence: String) -> Self {
        Self::new(Code::No, sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments() -> Arguments {
        Arguments { kinds: vec![], megabytes: vec![], milliseconds: 1, threads: 1, svg: None, json: true }
    }

    #[test]
    fn each_kind_is_measured_at_any_size() {
        for kind in KINDS {
            for bytes in [4096, 100_000, 1 << 20] {
                let figure =
                    measure(kind, bytes, &arguments()).unwrap_or_else(|fault| panic!("{}: {fault}", kind.name));
                assert!(figure.ratio > 0.0 && figure.ratio.is_finite(), "{}", kind.name);
                assert!(
                    figure.bytes <= bytes && figure.bytes * 2 >= bytes,
                    "{}: {} of {bytes}",
                    kind.name,
                    figure.bytes
                );
                assert!(figure.rounds >= LEAST_ROUNDS && figure.median_nanoseconds >= figure.nanoseconds);
            }
        }
    }

    #[test]
    fn threads_share_a_copy() {
        for kind in KINDS {
            measure(kind, 1 << 20, &Arguments { threads: 3, ..arguments() }).unwrap();
        }
    }

    #[test]
    fn buffers_begin_behind_a_line() {
        for bytes in [0, 1, 100] {
            assert_eq!(Buffer::new(bytes).unwrap().bytes(bytes).as_ptr().addr() % 64, BEGIN);
        }
    }

    #[test]
    fn a_wrong_name_or_size_is_told() {
        let names = |names: &[&str]| chosen(&names.iter().map(|name| name.to_string()).collect::<Vec<_>>());
        assert_eq!(names(&[]).unwrap().len(), KINDS.len());
        assert_eq!(names(&["crop"]).unwrap()[0].name, "crop");
        assert!(names(&["crops"]).err().unwrap().sentence.contains("`crops` is no kind; there are pixels-to-planes"));
        assert_eq!(sizes(&[0.5, 2.0]).unwrap(), [1 << 19, 2 << 20]);
        assert!(sizes(&[]).unwrap().len() == 2);
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
            assert_eq!(sizes(&[wrong]).unwrap_err().code, Code::Usage);
        }
    }
}
