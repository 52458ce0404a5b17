//! The plan: which kernel, and the loops in the order in which they run.
//!
//! A kernel takes the two fastest loops `a` and `b` (of one turn where there are fewer); the rest are an odometer around
//! it. The choice looks at the loop that is fastest in the destination (`D`) and the one that is fastest in the source
//! (`S`):
//!
//! * no loop: one run, moved as a single row;
//! * wide elements (above 16 bytes, mostly folded runs): **rows**, one block move each;
//! * `D` does not step in the source and is contiguous in the destination: **fill**;
//! * `D` is not `S` and jumps a cache line or more in the source: **transpose** over `a = D`, `b = S` in square tiles, so
//!   that a line fetched is used up before it is evicted;
//! * else **strided**: element by element, in destination order.
//!
//! [`Plan::encode`] writes a plan as words without any address; [`Plan::decode`] accepts any 512 words of anybody and
//! answers a plan that is safe to run, or INVALID_ARGUMENT. What makes it safe: every kernel touches nothing but the
//! elements that the loops reach, and [`execute`](super::execute) proves that reach against the buffers at each call.

use super::kernels::{self, Family, Kernel};
use super::options::{self, Options};
use super::problem::{Loop, Loops, Problem};
use crate::error::{Argument, Error, Result, Status};
use crate::model::{Layout, overlap};
use core::fmt;

/// Words of an encoded plan; frozen.
pub const WORDS: usize = 512;
/// "STRD", then the version of the word format.
const MAGIC: u64 = 0x5354_5244_0001 << 16;
/// Words in front of the loops.
const HEADER: usize = 10;

/// A prepared copy. See the [module documentation](self).
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Index into [`kernels::KERNELS`].
    pub(crate) kernel: usize,
    /// Bytes of one element; 0 where there is nothing to copy.
    pub(crate) width: i64,
    /// Byte offset of the first element from each base pointer.
    pub(crate) dst_base: i64,
    pub(crate) src_base: i64,
    /// Fastest first; the first two belong to the kernel.
    pub(crate) loops: Loops,
    /// Bytes of one element of the destination's dtype, the period of the fill value.
    pub(crate) fill_period: i64,
    pub(crate) options: Options,
}

/// What a plan reaches on one side, in bytes from the base pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// First byte of the lowest element and of the highest one.
    pub lowest: i64,
    pub highest: i64,
    /// One past the last byte.
    pub end: i64,
}

impl Plan {
    /// Prepares the copy of `src` to `dst`; errors as [`Problem::copy`], and OVERLAP or UNDECIDED where the destination
    /// may hold one element twice.
    pub fn copy(dst: &Layout<'_>, src: &Layout<'_>, options: &Options) -> Result<Self> {
        options.check()?;
        let assume_distinct = options.flags & options::ASSUME_DISTINCT != 0;
        let problem = Problem::copy(dst, src, assume_distinct)?;
        if let Some(problem) = &problem
            && !assume_distinct
        {
            check_distinct(problem, options.overlap_budget)?;
        }
        Self::of(problem, dst, options)
    }

    /// Prepares the fill of `dst` with one element.
    pub fn fill(dst: &Layout<'_>) -> Result<Self> {
        Self::of(Problem::fill(dst)?, dst, &Options::default())
    }

    fn of(problem: Option<Problem>, dst: &Layout<'_>, options: &Options) -> Result<Self> {
        let fill_period = dst.dtype().bits().div_euclid(8).max(1);
        let mut plan =
            Self { kernel: 0, width: 0, dst_base: 0, src_base: 0, loops: Loops::NONE, fill_period, options: *options };
        if let Some(problem) = problem {
            (plan.width, plan.loops) = (problem.width, problem.loops);
            (plan.dst_base, plan.src_base) = (problem.dst_base, problem.src_base);
            plan.kernel = plan.choose();
        }
        Ok(plan)
    }

    /// Picks the kernel and brings the two loops that it wants to the front.
    fn choose(&mut self) -> usize {
        let loops = self.loops.as_slice();
        let width = self.width;
        let Some(&fastest) = loops.first() else { return kernels::index(Family::Rows, width) };
        if width > kernels::WIDEST_ELEMENT {
            return kernels::index(Family::Rows, width);
        }
        if fastest.src == 0 && fastest.dst == width {
            return kernels::index(Family::Fill, width);
        }
        let steps = loops.iter().enumerate().filter(|(_, l)| l.src != 0);
        let source_fastest = steps.min_by_key(|(_, l)| l.src.unsigned_abs()).map_or(0, |(at, _)| at);
        const LINE: u64 = 64;
        if source_fastest != 0 && fastest.src.unsigned_abs() >= LINE {
            let partner = loops.get(source_fastest).copied().unwrap_or(fastest);
            self.loops.remove(source_fastest);
            self.loops.insert(1, partner);
            return kernels::index(Family::Transpose, width);
        }
        kernels::index(Family::Strided, width)
    }

    /// The kernel. (The index was checked when the plan was made.)
    pub(crate) fn kernel(&self) -> &'static Kernel {
        kernels::KERNELS.get(self.kernel).unwrap_or(&kernels::KERNELS[0])
    }

    /// Whether there is nothing to copy.
    pub fn is_empty(&self) -> bool {
        self.width == 0
    }

    /// The loops `a` and `b` of the kernel, and those around it.
    pub(crate) fn kernel_loops(&self) -> (Loop, Loop, &[Loop]) {
        const ONCE: Loop = Loop { count: 1, dst: 0, src: 0 };
        match self.loops.as_slice() {
            [a, b, outer @ ..] => (*a, *b, outer),
            [a] => (*a, ONCE, &[]),
            [] => (ONCE, ONCE, &[]),
        }
    }

    /// Bytes that the copy moves; saturated, for display only.
    pub fn bytes_moved(&self) -> u64 {
        let loops = self.loops.as_slice().iter();
        loops.fold(self.width as u64, |bytes, l| bytes.saturating_mul(l.count as u64))
    }

    /// What the loops reach in the destination; `None` on overflow.
    pub(crate) fn dst_reach(&self) -> Option<Reach> {
        self.reach(self.dst_base, |l| l.dst)
    }

    /// What the loops reach in the source; `None` on overflow.
    pub(crate) fn src_reach(&self) -> Option<Reach> {
        self.reach(self.src_base, |l| l.src)
    }

    fn reach(&self, base: i64, step: impl Fn(&Loop) -> i64) -> Option<Reach> {
        let (mut lowest, mut highest) = (base, base);
        for l in self.loops.as_slice() {
            let reach = l.count.checked_sub(1)?.checked_mul(step(l))?;
            lowest = lowest.checked_add(reach.min(0))?;
            highest = highest.checked_add(reach.max(0))?;
        }
        Some(Reach { lowest, highest, end: highest.checked_add(self.width)? })
    }

    /// Hands out the words of the plan, `put(k, word)` for each one in use.
    pub fn encode(&self, mut put: impl FnMut(usize, u64)) {
        let loops = self.loops.as_slice();
        let used = HEADER + 3 * loops.len();
        let [low, high] = halves(&self.options.fill);
        let header = [
            MAGIC | used as u64,
            self.kernel as u64 | (loops.len() as u64) << 32,
            self.options.flags as u64 | (self.options.cpu_level as u64) << 32,
            self.width as u64,
            self.dst_base as u64,
            self.src_base as u64,
            self.options.overlap_budget,
            self.fill_period as u64,
            low,
            high,
        ];
        let body = loops.iter().flat_map(|l| [l.count as u64, l.dst as u64, l.src as u64]);
        for (k, word) in header.into_iter().chain(body).enumerate() {
            put(k, word);
        }
    }

    /// Reads a plan that anybody may have written; INVALID_ARGUMENT where it is none. `word(k)` answers word k, and only
    /// words in use are asked for.
    pub fn decode(word: impl Fn(usize) -> u64) -> Result<Self> {
        let error = Error::new(Status::InvalidArgument).argument(Argument::Plan);
        let number = |k: usize| word(k) as i64;
        let first = word(0);
        let (count, kernel) = ((word(1) >> 32) as usize, word(1) as u32 as usize);
        if first != MAGIC | (HEADER + 3 * count) as u64 || count > super::problem::MAX_LOOPS {
            return Err(error.numbers(first as i64, MAGIC as i64));
        }
        let mut fill = [0u8; 16];
        for (slot, byte) in fill.iter_mut().zip(word(8).to_le_bytes().into_iter().chain(word(9).to_le_bytes())) {
            *slot = byte;
        }
        let options =
            Options { flags: word(2) as u32, cpu_level: (word(2) >> 32) as u32, overlap_budget: word(6), fill };
        options.check().map_err(|error| Error { argument: Argument::Plan, ..error })?;
        let mut plan = Self {
            kernel,
            width: number(3),
            dst_base: number(4),
            src_base: number(5),
            loops: Loops::NONE,
            fill_period: number(7),
            options,
        };
        for k in 0..count {
            let at = HEADER + 3 * k;
            plan.loops.push(Loop { count: number(at), dst: number(at + 1), src: number(at + 2) });
        }
        let loops = plan.loops.as_slice();
        let empty = plan.width == 0 && loops.is_empty();
        if plan.fill_period < 1 || (plan.width < 1 && !empty) || loops.iter().any(|l| l.count < 1) {
            return Err(error.numbers(plan.width, plan.fill_period));
        }
        // Distinct elements fit into what they reach: no forged loop runs (nearly) for ever.
        let room = plan.dst_reach().map_or(0, |reach| (reach.end as i128 - reach.lowest as i128).max(0));
        if options.flags & options::ASSUME_DISTINCT == 0 && plan.bytes_moved() as i128 > room {
            return Err(error.wide_numbers(plan.bytes_moved() as i128, room));
        }
        match kernels::KERNELS.get(kernel) {
            Some(kernel) if empty || kernel.accepts(plan.width, plan.kernel_loops().0) => Ok(plan),
            _ => Err(error.numbers(kernel as i64, kernels::KERNELS.len() as i64)),
        }
    }
}

fn halves(fill: &[u8; 16]) -> [u64; 2] {
    let mut out = [0u64; 2];
    for (slot, bytes) in out.iter_mut().zip(fill.as_chunks::<8>().0) {
        *slot = u64::from_le_bytes(*bytes);
    }
    out
}

/// OVERLAP where two turns of the loops write the same element, UNDECIDED where the budget does not tell.
fn check_distinct(problem: &Problem, budget: u64) -> Result<()> {
    // Folding changed the width but not which bytes are written: a run counts as a loop of its own.
    let loops = problem.loops.as_slice().iter().map(|l| (l.count, l.dst));
    let run = (problem.width, 1);
    let error = |status| Error::new(status).argument(Argument::DstLayout);
    match overlap::meets_itself([run].into_iter().chain(loops), budget) {
        Some(false) => Ok(()),
        Some(true) => Err(error(Status::Overlap)),
        None => Err(error(Status::Undecided).numbers(i64::try_from(budget).unwrap_or(i64::MAX), 0)),
    }
}

/// `transpose_x32, scalar; 16x16 tiles; elements of 4 bytes; loops (count, dst step, src step), fastest first: …`
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            f.write_str("nothing to copy")?;
        } else {
            let kernel = self.kernel();
            write!(f, "{} (scalar): {} bytes in elements of {}", kernel.name, self.bytes_moved(), self.width)?;
            if kernel.family == Family::Transpose {
                let tile = kernels::tile(self.width);
                write!(f, ", tiles of {tile}x{tile}")?;
            }
            for (k, l) in self.loops.as_slice().iter().enumerate() {
                let lead = if k == 0 { "; loops count (dst step, src step), fastest first:" } else { "," };
                write!(f, "{lead} {} ({}, {})", l.count, l.dst, l.src)?;
            }
        }
        for (flag, name) in [
            (options::ASSUME_DISTINCT, "assume distinct"),
            (options::FILL_REST, "fill rest"),
            (options::OVERLAP, "overlap allowed"),
        ] {
            if self.options.flags & flag != 0 {
                write!(f, "; {name}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dtype, LayoutBuf};
    use std::string::ToString;

    fn plan(dst: &[i64], src: &[i64], sizes: &[i64]) -> Plan {
        let dst = LayoutBuf::strided(Dtype::F32, sizes, dst).unwrap();
        let src = LayoutBuf::strided(Dtype::F32, sizes, src).unwrap();
        Plan::copy(&dst.view().unwrap(), &src.view().unwrap(), &Options::default()).unwrap()
    }

    #[test]
    fn each_kind_of_copy_gets_its_kernel() {
        let name = |dst: &[i64], src: &[i64], sizes: &[i64]| plan(dst, src, sizes).kernel().name;
        assert_eq!(name(&[100, 1], &[100, 1], &[100, 100]), "rows");
        assert_eq!(name(&[100, 1], &[200, 1], &[50, 100]), "rows");
        assert_eq!(name(&[100, 1], &[1, 100], &[100, 100]), "transpose_x32");
        assert_eq!(name(&[100, 1], &[1, 0], &[100, 100]), "fill_x32");
        assert_eq!(name(&[50, 1], &[200, 2], &[50, 50]), "strided_x32");
        let text = plan(&[100, 1], &[1, 100], &[100, 100]).to_string();
        assert_eq!(
            text,
            "transpose_x32 (scalar): 40000 bytes in elements of 4, tiles of 16x16; \
             loops count (dst step, src step), fastest first: 100 (4, 400), 100 (400, 4)"
        );
    }

    #[test]
    fn words_come_back_and_forgeries_do_not() {
        let original = plan(&[1, 7, 70], &[100, 10, 1], &[7, 10, 3]);
        let mut words = [0u64; WORDS];
        original.encode(|k, word| words[k] = word);
        let back = Plan::decode(|k| words[k]).unwrap();
        assert_eq!((back.to_string(), words[0] & 0xFFFF), (original.to_string(), HEADER as u64 + 9));
        for (word, value) in [
            (0, 0),
            (0, words[0] + 1),
            (1, 200 | 3 << 32),
            (1, words[1] + (1 << 32)),
            (2, 1 << 31),
            (2, 9 << 32),
            (3, 0),
            (3, 5),
            (3, u64::MAX),
            (7, 0),
            (HEADER, 0),
            (HEADER, u64::MAX),
        ] {
            let mut forged = words;
            forged[word] = value;
            let error = Plan::decode(|k| forged[k]).unwrap_err();
            assert_eq!((error.status, error.argument), (Status::InvalidArgument, Argument::Plan), "{word} {value}");
        }
    }
}
