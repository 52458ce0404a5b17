//! The choice: the kernel, the loops that it takes, how it writes lines and what it prefetches.
//!
//! * `rules` picks the kernel; `spaced` decides when several elements at small steps are moved at once.
//! * `transposed` picks the loops of a transpose, `chunks` those that form one element of it.
//! * `store` picks how lines are written, `strips` the columns that a transpose takes at a time, `order` the order of
//!   the other loops, `hints` what the kernel prefetches.
//! * `numbers` has all thresholds.
//!
//! This file has what these share.

mod chunks;
mod hints;
mod numbers;
mod order;
mod rules;
mod spaced;
mod store;
mod strips;
mod transposed;

use super::kernels::{self, Chunks, Family, Kernel, Permutation, Store};
use super::loops::Loop;
use super::nest::{Nest, Unit};
use super::options::{self, Options};
use super::problem::Problem;
use super::shortcut::SHORT_RUN;
use crate::machine::{Level, Machine};
use numbers::{BYTES_OF_CHUNKS, LONG_STREAM};
pub(crate) use numbers::{LONG_ENOUGH, LONG_STRING, LONGEST_ACROSS, LONGEST_PIECE, LONGEST_RUN, SHORT_ROW};
use rules::choose_kernel;
use store::choose_store;
use transposed::Lengths;

/// A kernel and the loops that it takes. Small enough to be passed in registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Index into [`kernels::KERNELS`].
    pub kernel: u8,
    /// For a transpose: the number of loops that form the destination run, and of those after them that form the source
    /// run. For a permutation: the number of loops of a chunk. Other kernels take two loops, or three
    /// ([`Family::takes_three`]).
    pub dst_run: u8,
    pub src_run: u8,
    /// For a transpose: the number of loops before these that form one element, a chunk whose bytes are permuted.
    pub chunk: u8,
    /// The way in which lines of the destination are written.
    pub store: Store,
    /// For a transpose by tiles: the binary logarithm of the columns of a strip, 0 for half lines ([`strips`]).
    pub strip: u8,
    /// Knowledge about where the bytes lie: [`hints`](kernels::hints).
    pub hints: u8,
    /// Limits the tables of a transpose to [`SHORT_RUN`].
    pub small_stack: bool,
}

impl Choice {
    /// A kernel that takes no runs and leaves all bytes to the caches.
    pub(crate) fn of(kernel: u8) -> Self {
        Self { kernel, ..Self::default() }
    }

    /// The choice of a nest in bits, whose walk chooses by itself.
    pub(crate) fn of_bits(options: &Options) -> Self {
        Self { small_stack: options.flags & options::SMALL_STACK != 0, ..Self::of(0) }
    }

    /// The portable kernel, which takes any loops.
    #[cold]
    pub(crate) fn anywhere(width: i64) -> Self {
        let strided = kernels::find(Family::Strided, width, Level::Scalar);
        Self::of(strided.or(kernels::find(Family::Rows, width, Level::Scalar)).unwrap_or(0) as u8)
    }

    /// Sets the columns of a strip.
    fn set_strip(&mut self, loops: &[Loop], width: i64) {
        if self.kernel().family == Family::Transpose
            && let Some((along_dst, along_src, _)) = self.runs(loops)
        {
            let step = |run: &[Loop], step: fn(&Loop) -> i64| run.first().map_or(1, step);
            self.strip = strips::strip(self, width, step(along_src, |l| l.dst), step(along_dst, |l| l.src));
        }
    }

    /// Columns of a strip; 0: half lines.
    pub(crate) fn columns(&self) -> u16 {
        if self.strip == 0 { 0 } else { 1u16.wrapping_shl(self.strip as u32) } // four bits in a plan's words
    }

    pub(crate) fn kernel(&self) -> &'static Kernel {
        kernels::KERNELS.get(self.kernel as usize).unwrap_or(&kernels::KERNELS[0])
    }

    /// Whether the kernel exists and may take the first loops of this problem.
    #[inline(always)]
    pub fn fits(&self, nest: &Nest<'_>) -> bool {
        let Some(kernel) = kernels::KERNELS.get(self.kernel as usize) else { return false };
        let loops = nest.loops;
        if kernel.family == Family::Permute {
            let Some(inner) = loops.get(..self.dst_run as usize) else { return false };
            return Permutation::chunk(nest.width, inner, kernel.level).is_some();
        }
        if kernel.family != Family::Transpose {
            let (a, b, _) = nest.kernel_loops();
            return kernel.accepts(nest.width, a, b);
        }
        if self.chunk != 0 && self.small_stack {
            return false; // no stack for the chunks
        }
        let Some((nest, _)) = self.in_chunks(nest) else { return false };
        // All loops of a run but the slowest must fit the tables; the shorter one holds `longest` elements.
        let longest = if self.small_stack { SHORT_RUN } else { LONGEST_PIECE };
        let one_run = |run: &[Loop], step: fn(&Loop) -> i64| {
            let whole = run.iter().try_fold(1i64, |length, l| {
                let goes_on = length <= longest && length.checked_mul(nest.width) == Some(step(l));
                length.checked_mul(l.count).filter(|_| goes_on)
            });
            whole.is_some() && !run.is_empty()
        };
        (kernel.width == 0 || kernel.width == nest.width)
            && self.runs(nest.loops).is_some_and(|(dst, src, _)| one_run(dst, |l| l.dst) && one_run(src, |l| l.src))
    }

    /// [`Choice::fits`] where nothing is small.
    #[inline(never)] // once in the library
    pub fn fits_large(&self, nest: &Nest<'_>) -> bool {
        self.fits(nest)
    }

    /// The problem with whole chunks as its elements, and the chunks; without chunks the problem itself. `None` if the
    /// first loops do not form a chunk.
    #[inline(always)]
    pub(crate) fn in_chunks<'a>(&self, nest: &Nest<'a>) -> Option<(Nest<'a>, Option<Chunks<'a>>)> {
        if self.chunk == 0 {
            return Some((*nest, None));
        }
        let (inner, loops) = nest.loops.split_at_checked(self.chunk as usize)?;
        let chunks = chunks::of(nest.width, inner, self.kernel().level)?;
        let src_base = nest.src_base.checked_sub(chunks.first)?;
        Some((Nest { width: chunks.bytes, src_base, loops, ..*nest }, Some(chunks)))
    }

    /// The loops of a transpose: the destination run, the source run, and the others.
    #[inline(always)]
    pub(crate) fn runs<'a>(&self, loops: &'a [Loop]) -> Option<(&'a [Loop], &'a [Loop], &'a [Loop])> {
        let (along_dst, others) = loops.split_at_checked(self.dst_run as usize)?;
        let (along_src, outer) = others.split_at_checked(self.src_run as usize)?;
        Some((along_dst, along_src, outer))
    }
}

/// The best kernel of a family.
fn kernel(family: Family, width: i64, level: Level) -> Option<Choice> {
    kernels::find(family, width, level).map(|kernel| Choice::of(kernel as u8))
}

fn rows(width: i64, level: Level) -> Choice {
    kernel(Family::Rows, width, level).unwrap_or(Choice::of(0))
}

/// Element by element, for any loops.
fn strided(width: i64, level: Level) -> Choice {
    kernel(Family::Strided, width, level).unwrap_or_else(|| rows(width, level))
}

/// [`choose`] for a given machine, or for this CPU, whose caches are not looked up for a small copy.
#[inline(always)]
pub(crate) fn choose_for(given: Option<&Machine>, problem: &mut Problem, options: &Options, bytes: u64) -> Choice {
    if problem.unit != Unit::Bytes {
        return Choice::of_bits(options);
    }
    let this;
    let machine = match given {
        Some(given) => given,
        None if bytes < Machine::SMALL_COPY => Machine::this_if_small(),
        None => {
            this = Machine::this();
            &this
        }
    };
    if problem.loops.as_slice().is_empty() && bytes < Machine::SMALL_COPY {
        return short_run(problem, options, machine);
    }
    choose(problem, options, bytes, machine)
}

/// [`choose`] for a run within the caches, of which no rule says more.
#[inline(never)]
fn short_run(problem: &Problem, options: &Options, machine: &Machine) -> Choice {
    let small_stack = options.flags & options::SMALL_STACK != 0;
    Choice { small_stack, ..rows(problem.width, options.level(machine.level)) }
}

/// Picks the kernel for a problem in normal form, moves its loops to the front and the rest into destination order,
/// then picks store, order and hints. `bytes` is the size of the whole copy, of which the problem may be a part.
/// The machine is all that is known about the CPU.
#[inline(never)]
pub(crate) fn choose(problem: &mut Problem, options: &Options, bytes: u64, machine: &Machine) -> Choice {
    let small_stack = options.flags & options::SMALL_STACK != 0;
    if bytes >= BYTES_OF_CHUNKS
        && !small_stack
        && chunks::could_be(problem)
        && let Some(choice) = chunks::transposed(problem, options, bytes, machine)
    {
        return choice;
    }
    // With non-temporal stores, a partial line at an end of a row costs as much as many whole lines.
    let level = options.level(machine.level);
    let streams = options.streams(bytes, machine.stream_transposes_from(problem.width), machine);
    let dst_enough = if streams && level == Level::Avx512 { LONG_STREAM } else { LONG_ENOUGH };
    let lengths = Lengths { bytes, longest: if small_stack { SHORT_RUN } else { LONGEST_PIECE }, dst_enough };
    let mut choice = choose_kernel(problem, level, lengths, machine);
    choice.small_stack = small_stack;
    choose_store(&mut choice, problem, options, bytes, machine);
    choice.set_strip(problem.loops.as_slice(), problem.width);
    order::order(problem, &choice, options, bytes, machine);
    if bytes >= Machine::SMALL_COPY {
        choice.hints = hints::choose_hints(&choice, &problem.nest(), machine);
    }
    choice
}
