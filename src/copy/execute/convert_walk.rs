//! The walk of a copy that converts: a transpose converts its numbers before it transposes them, any other copy moves
//! portions.

use super::super::choose::Choice;
use super::super::conversion::Conversion;
use super::super::converting::Converting;
use super::super::kernels::number_runs::{NumberRuns as How, Pass};
use super::super::kernels::{self, Family, find};
use super::super::loops::Loop;
use super::super::nest::Reach;
use super::super::plan::PlanView;
use super::converter::Converter;
use super::matrices::run_matrices;
use super::portions::run_portions;
use super::tile_stage::{Change, Tiles};
use super::{Dst, rest};
use crate::machine::Level;

/// Runs part `part` of `parts` of a plan that converts.
///
/// # Safety
/// P1 to P3, of the nest as it converts, and P5.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_part(
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: *mut u8,
    src: *const u8,
    part: [u32; 2],
) {
    // SAFETY: P1 to P3, and P5.
    unsafe {
        if is_transpose(&plan.choice, converting) && plan.choice.kernel().level.is_here() {
            run_transpose(plan, converting, dst, src, part);
        } else {
            run_portions(plan, converting, dst, src, part);
        }
    }
}

/// Whether a plan is a transpose whose numbers are converted before they are transposed. Numbers that become wider are
/// converted after it, in portions, unless they go past the caches.
fn is_transpose(choice: &Choice, converting: &Converting<'_>) -> bool {
    let Conversion { dst, src, .. } = converting.conversion;
    choice.kernel().family == Family::Transpose
        && choice.chunk == 0
        && !choice.small_stack
        && converting.listed == 0
        && dst.bits() >= 8
        && (dst.bits() <= src.bits() || choice.store.is_past())
        && !dst.is_swapped()
        && !src.is_swapped()
        && Conversion::parts(dst) == Conversion::parts(src)
}

/// [`run_part`] for transposes.
///
/// # Safety
/// P1 to P3, and P5.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_transpose(
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: *mut u8,
    src: *const u8,
    part: [u32; 2],
) {
    let Ok(steps) = converting.conversion.steps() else { return };
    let (numbers, mut rooms) = (converting.conversion.numbers, Pass::NEW);
    let converter = Converter {
        how: How { steps, numbers, lists: None, first: 0, inner: 1, step: 0, outer: 0, runs: Loop::ONCE },
        convert: kernels::converter(plan.options.level(Level::best())),
        rooms: &raw mut rooms,
        dst,
        widths: [steps.src, steps.dst].map(|kind| (kind.bits() / 8).trailing_zeros()),
    };
    // SAFETY: P1 to P3: a part is iterations of the plan, and its choice fits it. The kernel is of the choice's level,
    // which is here (K1), and of the width of a converted number (K2). P5: `is_transpose` lets no lists through.
    plan.with_part(part, |choice, nest| unsafe {
        let level = choice.kernel().level;
        let kernel = find(Family::Transpose, converter.bytes(nest.width as usize) as i64, level);
        // Whatever the words of a plan say, the numbers have room.
        let fits = is_transpose(&choice, converting) && nest.width <= kernels::WIDEST_ELEMENT;
        let kernel = kernel.filter(|_| fits);
        let Some(kernels::Run::Tile(kernel)) = kernel.and_then(|at| kernels::KERNELS.get(at)).map(|kernel| kernel.run)
        else {
            // The part is no such transpose.
            let part = PlanView { nest: *nest, choice, ..*plan };
            return run_portions(&part, converting, dst, src, [0, 1]);
        };
        let tiles = Tiles::new(kernel, level, Change::Convert(&converter));
        let (places, from) = nest.begin(dst, src);
        run_matrices(&tiles, &choice, nest, places, from);
        if choice.store.is_past() {
            kernels::fence();
        }
    });
}

/// Fills the bytes of the destination that no element occupies, by [`rest::fill`].
///
/// # Safety
/// All of `dst` may be written; `reach` is the destination's and lies in it; no source byte lies in it.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn fill(
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: Dst,
    reach: Reach,
    part: [u32; 2],
) -> [u32; 2] {
    let mut share = part;
    converting.with_dst_nest(&plan.nest, &mut |nest| {
        // SAFETY: the caller lets all of `dst` be written; the nest is that of the destination, which reaches `reach`.
        share = unsafe { rest::fill(&PlanView { nest: *nest, converting: None, ..*plan }, dst, reach, part) };
    });
    share
}
