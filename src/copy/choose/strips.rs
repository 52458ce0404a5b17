//! The columns that a transpose by tiles takes at a time, down all of its rows.
//!
//! Each row of a strip writes other lines of the same destination rows, which L1 must hold until they are full.

use super::super::kernels::Store;
use super::Choice;
use super::numbers::{
    BESIDE_PAGE, BESIDE_PAGE_WIDE, CACHE_LINE, FEW_IN_L1, LANE, LINES_HELD, MOST_COLUMNS, PAST_LINES, SHARES_SETS,
    STACK_PITCH,
};
use crate::machine::Level;

/// The binary logarithm of the columns of a strip; 0: whole lines of tiles do not pay, half lines do. `dst` and `src`
/// are the bytes from row to row.
pub(super) fn strip(choice: &Choice, width: i64, dst: i64, src: i64) -> u8 {
    if width.count_ones() != 1 || width > LANE {
        return 0;
    }
    // Elements of a lane and of a line; whether tiles are written by whole lines.
    let (lane, side, whole) = (LANE / width, CACHE_LINE / width, choice.kernel().level == Level::Avx512);
    let on_stack = choice.chunk != 0 || matches!(choice.store, Store::Past | Store::Staged);
    let dst = if on_stack { STACK_PITCH } else { dst };
    // Tiles that are written by whole lines prefetch the next ones, so that each row has two lines in flight.
    let dst_held = if whole && lane != 2 { held(dst) / 2 } else { held_beside(dst, lane) };
    // Above 4 elements in a lane, whole lines of its columns fill the registers: they pay only if half lines would
    // leave L1. Wider elements read each source line in four pieces: whole lines pay unless both sides leave L1.
    let halves = if lane > 4 { dst_held >= side } else { dst_held.max(held(src)) < side };
    let most = if whole && lane <= 2 { 4 * side } else { (8 * side).min(MOST_COLUMNS) };
    let columns = match choice.store {
        // Streamed lines leave nothing of the destination in the cache: 1 KiB of each source row.
        Store::Stream => PAST_LINES * side,
        _ if halves && !whole => return 0,
        _ => dst_held.min(most),
    };
    columns.trailing_zeros() as u8
}

/// Rows that can have a line in L1 at once without evicting each other, if each set holds eight or more: a power of
/// two.
fn held(step: i64) -> i64 {
    LINES_HELD >> step.trailing_zeros().min(SHARES_SETS.trailing_zeros())
}

/// Destination rows that L1 holds: [`held`], but for rows whose pitch is a few bytes more or less than a page.
fn held_beside(step: i64, lane: i64) -> i64 {
    let most = if lane == 2 { BESIDE_PAGE_WIDE } else { BESIDE_PAGE };
    let shift = (step.wrapping_add(most) & (SHARES_SETS - 1)) - most;
    if lane == 1 || shift > most || shift == 0 { held(step) } else { FEW_IN_L1 }
}
