//! The rows of a transpose: the offset of each element of a run, in a table on the stack.
//!
//! A run that is longer than its table is cut into pieces. The table then has the rows of the first piece, and a later
//! piece is the same rows from another place on.

use super::super::loops::{Loop, iterations, iterations_in_lines};
use core::mem::MaybeUninit;

/// The rows of one run, or of its first pieces.
pub(super) struct RowTable<'a> {
    /// Their offsets in bytes.
    pub rows: &'a [i64],
    /// Elements of the whole run.
    pub count: i64,
    /// Elements of all loops but the slowest, and the step of the slowest in bytes.
    pub unit: i64,
    pub step: i64,
}

impl<'a> RowTable<'a> {
    /// The offsets of every iteration of `run`, fastest first. If the run is longer than the table, only those of the
    /// first iterations of its slowest loop; a run of several loops gets at most `piece`.
    pub fn fill<const TABLE: usize>(
        table: &'a mut [MaybeUninit<i64>; TABLE],
        run: &[Loop],
        piece: i64,
        width: i64,
        step: impl Fn(&Loop) -> i64,
    ) -> Self {
        let (slowest, inner) = run.split_last().unwrap_or((&Loop { count: 0, ..Loop::ONCE }, &[]));
        let (unit, table_length) = (iterations(inner).max(1), TABLE as i64);
        let count = unit.saturating_mul(slowest.count);
        let length = if count <= table_length {
            count
        } else {
            // A single loop is cut into whole tiles, several loops into whole lines, if the table holds such a piece.
            let (most, whole) = match inner {
                [] => (table_length, 64),
                _ => ((piece.min(table_length) / unit).max(1), iterations_in_lines(unit, width)),
            };
            let length = even_piece(slowest.count, most, whole).saturating_mul(unit);
            if length <= table_length { length } else { 0 }
        };
        let rows = offsets(table, run, length, &step);
        Self { rows, count, unit, step: step(slowest) }
    }

    /// Whether one piece is the whole run.
    pub fn is_whole(&self) -> bool {
        self.rows.len() as i64 == self.count
    }

    /// The offset of element `begin` of the run, where a piece begins, from the first element.
    pub fn at(&self, begin: i64) -> i64 {
        if begin == 0 { 0 } else { begin / self.unit.max(1) * self.step }
    }

    /// The rows of the piece that begins at `begin`; `None` past the last piece.
    pub fn piece(&self, begin: i64) -> Option<&'a [i64]> {
        let left = (self.count - begin).max(0) as usize;
        self.rows.get(..left.min(self.rows.len())).filter(|rows| !rows.is_empty())
    }
}

/// The offsets of the first `length` iterations of a run, or of all, fastest first.
pub(super) fn offsets<'a, const TABLE: usize>(
    table: &'a mut [MaybeUninit<i64>; TABLE],
    run: &[Loop],
    length: i64,
    step: impl Fn(&Loop) -> i64,
) -> &'a [i64] {
    let first = table.as_mut_ptr().cast::<i64>();
    let length = (length.max(0) as usize).min(TABLE);
    // The offsets of the first loop. Each further loop repeats all offsets before it, moved by its step.
    let [fastest, slower @ ..] = run else { return &[] };
    let at_most = |count: i64| (count.max(0) as usize).min(length);
    let mut filled = at_most(fastest.count);
    // SAFETY: entries below `length`, which is at most TABLE; those that are read are below `filled`, and were written.
    unsafe {
        let (mut offset, step_between) = (0i64, step(fastest));
        for k in 0..filled {
            first.add(k).write(offset);
            offset = offset.wrapping_add(step_between);
        }
        for l in slower {
            let (now, step) = (filled, step(l));
            let mut moved = 0i64;
            for _ in 1..at_most(l.count) {
                if filled + now > length {
                    break;
                }
                moved = moved.wrapping_add(step);
                let (from, to) = (first, first.add(filled));
                // Entries that were just written are read back fastest as they were written, one by one.
                let fours = if now < 16 { 0 } else { now & !3 };
                for k in (0..fours).step_by(4) {
                    let four = from.add(k).cast::<[i64; 4]>().read();
                    to.add(k).cast::<[i64; 4]>().write(four.map(|offset| offset.wrapping_add(moved)));
                }
                for k in fours..now {
                    to.add(k).write_volatile(from.add(k).read_volatile().wrapping_add(moved));
                }
                filled += now;
            }
        }
        // The first `filled` entries were written.
        core::slice::from_raw_parts(first, filled.min(length))
    }
}

/// Iterations of a piece. Pieces are even (2000 are 2 x 1024, not 1536 and 464), at most `most` long, and a multiple of
/// `whole`, a power of two, if that is at most `most`.
fn even_piece(count: i64, most: i64, whole: i64) -> i64 {
    let whole = if whole <= most { whole } else { 1 };
    let most = (most & whole.wrapping_neg()).max(1);
    let pieces = (count / most + i64::from(count % most != 0)).max(1);
    let even = count / pieces + i64::from(count % pieces != 0);
    (even + whole - 1) & whole.wrapping_neg()
}
