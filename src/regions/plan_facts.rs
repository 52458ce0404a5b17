//! Facts about a plan that are known before it runs: bytes, reach, and the threads that are worth waking for it.

use super::kind::{Class, Kind};
use super::set_normal;
use crate::copy::execute::{direction_suffices, is_nested};
use crate::copy::nest::{Reached, Unit};
use crate::copy::options;
use crate::copy::plan::{Plan, PlanView};
use crate::copy::problem::Problem;
use crate::error::Result;
use crate::model::Layout;

/// Bytes of a part that are worth waking a thread for. Copies of 1 MiB take 20 to 30 us and run about twice as fast on
/// two threads that spin (`make bench-calls`), so this many bytes take 3 us: several times what handing over costs if
/// threads spin, and the least that it costs if they sleep.
const WORTH_WAKING: u64 = 128 << 10;

/// Facts about a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanFacts {
    /// The class of its copy; the runs of a copy with tiles are not known.
    pub class: Class,
    /// The ranges that it reaches, and the bytes that it moves.
    pub(crate) reached: Reached,
    /// The most scratch memory that it can need, wherever its sides lie.
    pub scratch_bytes: u64,
    /// Parts that are worth a thread each, at least 1.
    pub useful_parts: u32,
    /// The flags it was made with.
    pub flags: u32,
}

impl Class {
    /// The class of the copy of `src` to `dst`; errors as [`copy()`](crate::copy()), as far as slices do not matter.
    ///
    /// ```
    /// use stride::regions::{Class, Kind};
    /// use stride::{Dtype, LayoutBuf};
    /// let pitched = LayoutBuf::pitched(Dtype::U8, &[50, 100], 0, 128)?;
    /// let packed = LayoutBuf::packed(Dtype::U8, &[50, 100])?;
    /// let class = Class::of_copy(&packed.view()?, &pitched.view()?)?;
    /// assert_eq!(class, Class { kind: Kind::Rows, runs: 50, run_bytes: 100 });
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn of_copy(dst: &Layout<'_>, src: &Layout<'_>) -> Result<Self> {
        let mut plan = Plan::nothing();
        plan.set_copy_out_of_line(dst, src)?;
        Ok(PlanFacts::of(&plan.view(None))?.class)
    }
}

impl PlanFacts {
    /// The facts of a plan; INVALID_ARGUMENT if its words were changed. Pieces, and runs that may begin inside a byte,
    /// are not counted.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn of(plan: &PlanView<'_>) -> Result<Self> {
        let mut problem = Problem::nothing();
        set_normal(plan, &mut problem)?;
        let of_kind = |kind| Class { kind, runs: 0, run_bytes: 0 };
        let class = match problem.unit {
            _ if plan.is_boxes() => of_kind(Kind::Tiled),
            Unit::Bits(_) => of_kind(Kind::Bits),
            Unit::Bytes => Class::of_normal(&problem.nest(), plan.fill_period),
        };
        let flags = plan.options.flags;
        let moves = flags & (options::OVERLAP | options::FILL_BUFFER) == options::OVERLAP;
        let scratch_bytes = if moves && !direction_suffices(plan) { plan.bytes_moved() } else { 0 };
        let whole = flags & options::FILL_BUFFER != 0 && !is_nested(plan);
        let most = if whole { 1 } else { plan.most_parts() };
        let useful_parts = u32::try_from((plan.bytes_moved() / WORTH_WAKING).min(most).max(1)).unwrap_or(u32::MAX);
        Ok(Self { class, reached: plan.needed(), scratch_bytes, useful_parts, flags })
    }
}
