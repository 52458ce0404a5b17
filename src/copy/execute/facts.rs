//! What is known of a plan before it runs: bytes, reach, and how many threads are worth waking for it.

use super::super::bits::BitWords;
use super::super::classify::{Class, Kind, check_reach};
use super::super::nest::Reached;
use super::super::options;
use super::super::plan::PlanView;
use super::super::problem::Problem;
use super::super::tiled::TiledWords;
use super::{moving, rest};
use crate::error::Result;

/// Bytes of a part that are worth waking a thread for. Copies of 1 MiB take 20 to 30 us and run about twice as fast on
/// two threads that spin (`make bench-calls`), so this many bytes take 3 us: several times what handing over costs if
/// threads spin, and the least that it costs if they sleep.
const WORTH_WAKING: u64 = 128 << 10;

/// Answers about a plan.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// What kind of copy it is; the runs of a copy with tiles are not known.
    pub class: Class,
    /// What it reaches, and how many bytes it moves.
    pub(crate) reached: Reached,
    /// The most scratch memory that it can need, wherever its sides lie.
    pub scratch_bytes: u64,
    /// Parts that are worth a thread each, at least 1.
    pub useful_parts: u32,
    /// The flags it was made with.
    pub flags: u32,
}

impl Facts {
    /// The facts of a plan of loops; INVALID_ARGUMENT if its words were changed.
    pub fn of_plan(plan: &PlanView<'_>) -> Result<Self> {
        let mut problem = Problem::nothing();
        plan.set_normal(&mut problem)?;
        let class = Class::of_normal(&problem.nest(), plan.fill_period);
        let flags = plan.options.flags;
        let moves = flags & (options::OVERLAP | options::FILL_BUFFER) == options::OVERLAP;
        let scratch_bytes = if moves && !moving::direction_suffices(plan) { plan.bytes_moved() } else { 0 };
        let whole = flags & options::FILL_BUFFER != 0 && !rest::is_nested(plan);
        let most = if whole { 1 } else { u64::MAX };
        let useful_parts = useful_parts(plan.bytes_moved(), most);
        Ok(Self { class, reached: plan.reached, scratch_bytes, useful_parts, flags })
    }

    /// The facts of a plan in bits. Its runs may begin inside a byte and are not counted.
    pub fn of_bits(words: BitWords<'_>) -> Result<Self> {
        let plan = words.decode()?;
        let (reached, flags) = (plan.reached_bytes(), plan.options.flags);
        check_reach(reached.dst, reached.src)?;
        let moves = flags & (options::OVERLAP | options::FILL_BUFFER) == options::OVERLAP;
        let most = if flags & options::FILL_BUFFER != 0 { 1 } else { u64::MAX };
        let class = Class { kind: Kind::Bits, runs: 0, run_bytes: 0 };
        let scratch_bytes = if moves { reached.bytes } else { 0 };
        Ok(Self { class, reached, scratch_bytes, useful_parts: useful_parts(reached.bytes, most), flags })
    }

    /// The facts of a relayout.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn of_relayout(words: TiledWords<'_>) -> Result<Self> {
        let mut shapes = [None, None];
        let (relayout, options, _) = words.decode(&mut shapes)?;
        let flags = options.flags;
        if relayout.is_empty() {
            let class = Class { kind: Kind::Nothing, runs: 0, run_bytes: 0 };
            return Ok(Self { class, reached: Reached::NOTHING, scratch_bytes: 0, useful_parts: 1, flags });
        }
        let reached = relayout.reached()?;
        check_reach(reached.dst, reached.src)?;
        let class = Class { kind: Kind::Tiled, runs: 0, run_bytes: 0 };
        let most = if flags & options::FILL_BUFFER != 0 { 1 } else { relayout.most_parts() };
        Ok(Self { class, reached, scratch_bytes: 0, useful_parts: useful_parts(reached.bytes, most), flags })
    }

    /// Lowest byte that is reached and one past the last, from the destination's base pointer; 0 and 0: none.
    pub fn dst_span(&self) -> (i64, i64) {
        (self.reached.dst.lowest, self.reached.dst.end)
    }

    /// The same for the source.
    pub fn src_span(&self) -> (i64, i64) {
        (self.reached.src.lowest, self.reached.src.end)
    }

    /// Bytes that are moved.
    pub fn bytes(&self) -> u64 {
        self.reached.bytes
    }
}

fn useful_parts(bytes: u64, most: u64) -> u32 {
    u32::try_from((bytes / WORTH_WAKING).min(most).max(1)).unwrap_or(u32::MAX)
}
