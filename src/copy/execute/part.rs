//! Parts: a share of a problem's turns that no other part has.
//!
//! Different turns write different elements, so parts never share a destination byte, whichever loop is cut.
//!
//! A boundary between two parts costs a line that both touch on either side, and tiles that are not whole. So where a loop
//! has many turns for each part it is cut at multiples of up to 64 turns, which are whole lines of whatever runs along it,
//! as long as no share exceeds another by more than a third. And no part is below [`USEFUL`] bytes: handing it to a thread would
//! cost more than copying it.

use super::super::problem::Problem;

/// Bytes that a part has at least; where there are fewer for each, the last parts have nothing to do.
const USEFUL: u64 = 4096;

impl Problem {
    /// Leaves the turns of part `part` of `parts`; `false` where it has nothing to do. Where a loop has a turn for each part, the
    /// shares differ by at most one turn of it, or by a third; else no share is more than twice another. `divisible`:
    /// the element itself may be cut as well.
    pub(super) fn part(&mut self, part: u32, parts: u32, divisible: bool) -> bool {
        let useful = (self.nest().bytes() / USEFUL).max(1);
        let (mut part, mut parts) = (part as u64, (parts as u64).min(useful));
        if part >= parts {
            return false;
        }
        while parts > 1 {
            let loops = self.loops.as_mut_slice();
            // The slowest loop with a turn for each part, else the one with the most turns.
            let all = loops.iter().enumerate();
            let enough = all
                .filter(|(_, l)| l.count as u64 >= parts)
                .max_by_key(|(_, l)| l.dst.unsigned_abs())
                .map(|(at, _)| at);
            let most = loops.iter().enumerate().filter(|(_, l)| l.count > 1).max_by_key(|(_, l)| l.count);
            let cut = match enough.or(most.map(|(at, _)| at)) {
                Some(at) => loops.get_mut(at),
                None if divisible => return self.part_of_run(part, parts),
                None => return part == 0,
            };
            let Some(cut) = cut else { return false };
            let turns = (cut.count as u64).max(1);
            let (first, count);
            if turns >= parts {
                // ⌊turns · part / parts⌋ without a product of three factors' width.
                let even = |k: u64| (turns / parts) * k + (turns % parts) * k / parts;
                let whole = 1 << (turns / parts / 6).clamp(1, 64).ilog2();
                let bound = |k: u64| if k == parts { turns } else { (even(k) + whole / 2) & !(whole - 1) };
                (first, count) = (bound(part), bound(part + 1) - bound(part));
                parts = 1;
            } else {
                // Several parts share one turn and go on with the other loops.
                first = part * turns / parts;
                count = 1;
                let (begin, end) = ((first * parts).div_ceil(turns), ((first + 1) * parts).div_ceil(turns));
                (part, parts) = (part - begin, end - begin);
            }
            self.dst_base += first as i64 * cut.dst;
            self.src_base += first as i64 * cut.src;
            cut.count = count as i64;
        }
        true
    }

    fn part_of_run(&mut self, part: u64, parts: u64) -> bool {
        let share = (self.width as u64).div_ceil(parts).next_multiple_of(64);
        let Some(begin) = part.checked_mul(share).filter(|&begin| begin < self.width as u64) else { return false };
        self.width = share.min(self.width as u64 - begin) as i64;
        self.dst_base += begin as i64;
        self.src_base += begin as i64;
        true
    }
}
