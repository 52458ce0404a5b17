//! Copies that gain by moving several elements at small steps at once.

use super::super::kernels::Kernel;
use super::super::loops::{Loop, iterations};
use super::numbers::{
    CACHE_LINE, FEW_IN_LINE, LEAST_IN_LOOPS, LEAST_IN_ROW, LEAST_OF_FEW, LEAST_OF_MOVES, LONGEST_STEP, SOME_IN_LINE,
};

/// Whether the **spaced** kernel takes the first two loops and is faster than one element at a time.
pub(super) fn packs(kernel: &Kernel, width: i64, loops: &[Loop]) -> bool {
    let (Some(&d), elements) = (loops.first(), iterations(loops.get(..2).unwrap_or(loops))) else { return false };
    // If a line does not hold even three elements of the closer side, there is less to gain.
    let near = d.dst.min(if d.src == 0 { d.dst } else { d.src.saturating_abs() });
    let least_in_loops = if 2 * near + width <= CACHE_LINE { LEAST_IN_LOOPS } else { 4 * LEAST_IN_LOOPS };
    let far = d.dst.max(d.src.saturating_abs());
    far <= LONGEST_STEP
        && d.count >= least_in_row(width, d, near, far)
        && elements >= least_in_loops
        && kernel.accepts(width, d, d)
}

/// Minimum iterations of the first loop. One element at a time is fast if it is a single load and store, or if the run
/// is assembled in registers; then a line of 64 bytes must hold enough elements. `near` and `far` are the steps of the
/// side where elements stand closer, and of the other one.
///
/// | elements | a line holds | minimum |
/// |---|---|---|
/// | repeated | any | 6 |
/// | 16 bytes | any | never |
/// | 1, 2, 4, 8 bytes | fewer than 4 of the closer side, or of the farther side if the destination is a run | never |
/// | 1, 2, 4, 8 bytes | fewer than 5 of the farther side | 128 |
/// | 4, 8 bytes | 5 or more of the farther side | 16 |
/// | 9 to 15 bytes | fewer than 4 of the farther side | never |
/// | other widths | fewer than 4 of the farther side | 128 |
/// | others | | 6 |
fn least_in_row(width: i64, d: Loop, near: i64, far: i64) -> i64 {
    let one_move = width.count_ones() == 1 && width <= 16;
    let fit = |elements: i64, step: i64| (elements - 1) * step + width <= CACHE_LINE;
    match (one_move, d.src) {
        (_, 0) => LEAST_IN_ROW,
        (true, _) if width == 16 || !fit(FEW_IN_LINE, near) => i64::MAX,
        // **strided** assembles such runs in registers.
        (true, _) if d.dst == width && !fit(FEW_IN_LINE, far) => i64::MAX,
        (true, _) if !fit(SOME_IN_LINE, far) => LEAST_OF_FEW,
        (true, _) if width >= 4 => LEAST_OF_MOVES,
        (false, _) if (9..16).contains(&width) && !fit(FEW_IN_LINE, far) => i64::MAX,
        (false, _) if !fit(FEW_IN_LINE, far) => LEAST_OF_FEW,
        _ => LEAST_IN_ROW,
    }
}
