//! Fills: the proof as for any copy, then every element once.
//!
//! The destination of a fill may reach an element again and again. Loops that can be joined were joined when the plan
//! was made; if two loops still meet, they are walked in boxes (`boxes`).

use super::super::boxes::{Pairs, any_meet};
use super::super::choose::choose;
use super::super::nest::Reached;
use super::super::plan::Plan;
use super::super::problem::Problem;
use super::{Dst, Sharing, Src, execute_plan, lie_in, run, sharing};
use crate::error::Result;
use crate::machine::Machine;

/// Runs the plan of a fill; errors as [`execute`](super::execute).
///
/// # Safety
/// As [`execute`](super::execute).
#[inline(always)]
pub unsafe fn fill(plan: &Plan, dst: Dst, value: Src) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe { if any_meet(plan.loops()) { fill_boxes(plan, dst, value) } else { execute_plan(plan, dst, value) } }
}

/// # Safety
/// As [`execute`](super::execute).
#[cold]
unsafe fn fill_boxes(plan: &Plan, dst: Dst, value: Src) -> Result<()> {
    let (view, to, from) = (plan.view(), dst.base.addr() as u64, value.base.addr() as u64);
    let Reached { dst: reach, src: reach_of_value, .. } = plan.reached;
    let proved = lie_in(&reach, dst, &reach_of_value, value)
        && sharing(&view, to, reach, from, reach_of_value) == Sharing::Apart;
    if !proved {
        // SAFETY: as promised to this function. The error is made there.
        return unsafe { execute_plan(plan, dst, value) };
    }
    let pairs = Pairs::of(plan.loops());
    let bytes = (pairs.turns(plan.loops()) as u64).saturating_mul(view.nest.width as u64);
    let (mut problem, machine) = (Problem::nothing(), Machine::this());
    for number in 0..pairs.boxes() {
        problem.set_box(&view.nest, &pairs, number);
        problem.normalise();
        let choice = choose(&mut problem, &plan.options, bytes, &machine);
        // SAFETY: a box's iterations are iterations of the plan, which was proved to lie in both buffers; nothing is
        // shared.
        unsafe { run(choice, &problem.nest(), dst.base, value.base) };
    }
    Ok(())
}
