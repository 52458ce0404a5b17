//! The copy of a tensor between two mapped files, with bounded memory.
//!
//! Layouts go box by box, an XLA shape slab by slab, blocks by the parts of one plan. After each box or some parts the
//! pages of both files are released.

use super::boxes::{self, Boxes};
use super::elements::bytes_of;
use super::map::{self, Source, Target};
use super::output::Output;
use super::sides::Written;
use crate::fault::Result;
use crate::files::NumberRun;
use indicatif::ProgressBar;
use std::fs::File;
use std::ops::Range;
use stride::vocabulary::xla::{Shape, rearrange};
use stride::{AsSide, Conversion, LayoutBuf, Object, Options, Plan};

/// Boxes that share the memory: the one that is copied, and the next, which is read meanwhile.
const BOXES_HELD: u64 = 2;
/// Parts and slabs have at most an eighth of the memory.
const PARTS_HELD: u64 = 8;
/// Pages are released whenever a quarter of the memory is written.
const RELEASES_HELD: u64 = 4;
/// Bytes of a plan for each thread, at least.
const THREAD_BYTES: u64 = 1 << 20;
/// Bytes between two runs of the input that are read rather than skipped.
const READ_OVER: u64 = 1 << 16;
/// Runs of the output below this are written without pages around them; a disk's read-ahead has up to 8 MiB.
const SHORT_RUN: usize = 1 << 20;

/// The record of a copy.
pub struct Done {
    /// Boxes, or groups of parts.
    pub pieces: u64,
    pub box_sizes: Option<Vec<i64>>,
}

/// The plan of a copy that converts, if there is anything to convert.
pub fn plan(dst: &impl AsSide, src: &impl AsSide, how: &Conversion<'_>) -> Result<Plan<u8>> {
    Ok(Plan::converting(dst, src, how, &Options::new())?)
}

/// A copy between two mapped files.
pub struct Copy<'a> {
    pub how: Conversion<'static>,
    pub source: Source,
    /// The file that is mapped as the source.
    pub input: &'a File,
    pub target: Target,
    pub output: &'a Output,
    /// Bytes before the target's tensor.
    pub header: usize,
    pub threads: u32,
    pub memory: u64,
    /// Bytes written since pages were released.
    pub held: u64,
    pub bar: ProgressBar,
}

impl Copy<'_> {
    /// All of it, by the plan of the whole.
    pub fn run(&mut self, written: &Written, src: &LayoutBuf, plan: &Plan<u8>) -> Result<Done> {
        let pieces = match &written.tensor.0 {
            Object::Layout(dst) => return self.by_boxes(dst, src, plan, &written.swapped),
            Object::Shape(dst) => self.by_slabs(dst, src, 0)?,
            Object::Blocked(_) => self.by_parts(plan, written.bytes, elements_bytes(src)?, 0)?,
        };
        Ok(Done { pieces, box_sizes: None })
    }

    /// Box after box, each by all threads; the next one is read meanwhile. `whole` is the plan of all of it.
    fn by_boxes(&mut self, dst: &LayoutBuf, src: &LayoutBuf, whole: &Plan<u8>, swapped: &[NumberRun]) -> Result<Done> {
        let mut boxes = Boxes::new(dst, src, self.memory / BOXES_HELD)?;
        let done = Done { pieces: boxes.how_many(), box_sizes: Some(boxes.sizes().to_vec()) };
        if done.pieces <= 1 {
            let parts = self.threads.min(whole.useful_parts());
            self.run_parts(whole, 0..parts, parts, 0)?;
            self.swap(dst, src, swapped)?;
            return Ok(done);
        }
        self.source.read_as_prefetched();
        let mut next = boxes.next().transpose()?;
        if let Some([dst, _]) = &next
            && spans(dst)?.iter().all(|span| span.len() < SHORT_RUN)
        {
            self.target.write_in_runs();
        }
        self.prefetch(&next)?;
        while let Some([dst, src]) = next {
            next = boxes.next().transpose()?;
            self.prefetch(&next)?;
            let plan = plan(&dst, &src, &self.how)?;
            let parts = self.threads.min(plan.useful_parts());
            self.run_parts(&plan, 0..parts, parts, 0)?;
            self.swap(&dst, &src, swapped)?;
            self.release();
            self.bar.inc(elements_bytes(&src)?);
            hold_for_a_test();
        }
        Ok(done)
    }

    /// Writes the numbers inside the elements once more, byte-swapped.
    fn swap(&mut self, dst: &LayoutBuf, src: &LayoutBuf, swapped: &[NumberRun]) -> Result<()> {
        for run in swapped {
            let plan = Plan::new(&bytes_of(dst, run, false)?, &bytes_of(src, run, true)?)?;
            let parts = self.threads.min(plan.useful_parts());
            self.run_parts(&plan, 0..parts, parts, 0)?;
        }
        Ok(())
    }

    /// A shape by the slabs of its slowest dimension, as long as they are large and have no tiles across them: parts of
    /// one plan may each go through all of the source. `at` is where it begins in the output's tensor. The number of
    /// groups of parts.
    fn by_slabs(&mut self, dst: &Shape, src: &LayoutBuf, at: u64) -> Result<u64> {
        let bytes = dst.byte_size()?;
        if bytes > self.memory / PARTS_HELD
            && let Some(&slowest) = dst.minor_to_major().last()
            && let Ok(slab) = rearrange::delete(dst, &[slowest])
        {
            let (count, step) = (dst.sizes()[slowest as usize], slab.byte_size()?);
            if u128::from(step) * count as u128 == u128::from(bytes) {
                return (0..count).map(|i| self.by_slabs(&slab, &src.select(slowest, i)?, at + i as u64 * step)).sum();
            }
        }
        let plan = plan(dst, src, &self.how)?;
        self.by_parts(&plan, bytes, elements_bytes(src)?, at)
    }

    /// Runs a plan of `bytes` bytes in groups of parts, one part for each thread. Returns the number of groups. The
    /// progress bar advances by `progress` bytes.
    fn by_parts(&mut self, plan: &Plan<u8>, bytes: u64, progress: u64, at: u64) -> Result<u64> {
        let small = bytes.div_ceil((self.memory / PARTS_HELD).max(1)).try_into().unwrap_or(u32::MAX);
        let threads = u32::try_from(bytes / THREAD_BYTES).unwrap_or(u32::MAX).clamp(1, self.threads);
        let count = small.max(threads.min(plan.useful_parts()));
        for first in (0..count).step_by(threads as usize) {
            let end = first.saturating_add(threads).min(count);
            self.run_parts(plan, first..end, count, at)?;
            let share = |bytes: u64| bytes / u64::from(count) * u64::from(end - first);
            self.held += share(bytes);
            if self.held >= self.memory / RELEASES_HELD {
                self.held = 0;
                self.release();
                // Else pages that are done with push out those that were read ahead.
                map::forget(self.input);
                map::forget(self.output.file());
            }
            self.bar.inc(share(progress));
            hold_for_a_test();
        }
        Ok(u64::from(count.div_ceil(threads)))
    }

    /// These of `count` parts, each by a thread.
    fn run_parts(&mut self, plan: &Plan<u8>, some: Range<u32>, count: u32, at: u64) -> Result<()> {
        let parts = plan.parts(&mut self.target.bytes()[self.header + at as usize..], self.source.bytes(), count)?;
        let mut parts = parts.skip(some.start as usize).take(some.len());
        let own = parts.next();
        std::thread::scope(|scope| {
            parts.for_each(|part| drop(scope.spawn(move || part.run())));
            own.into_iter().for_each(|part| part.run());
        });
        Ok(())
    }

    /// Prefetches the source of a box.
    fn prefetch(&self, sides: &Option<[LayoutBuf; 2]>) -> Result<()> {
        let Some([_, src]) = sides else { return Ok(()) };
        spans(src)?.into_iter().for_each(|span| self.source.prefetch(span));
        Ok(())
    }

    fn release(&self) {
        self.source.release();
        self.target.release();
        map::begin_to_write(self.output.file());
    }
}

/// Tells a test that ends a run inside that one piece is done, and waits for it.
fn hold_for_a_test() {
    if std::env::var_os("STRIDE_TEST_HOLD").is_some() {
        eprintln!("held");
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
    }
}

/// The bytes of a box's elements, in as many runs as are worth naming.
fn spans(layout: &LayoutBuf) -> Result<Vec<Range<usize>>> {
    let mut gap = READ_OVER;
    loop {
        match boxes::spans(layout, gap)? {
            Some(spans) => return Ok(spans),
            None => gap = gap.saturating_mul(16),
        }
    }
}

pub fn elements_bytes(layout: &LayoutBuf) -> Result<u64> {
    Ok((layout.element_count() as u64).saturating_mul(layout.dtype().bits() as u64) / 8)
}
