//! Parts: each has a share of a problem's iterations that no other part has.
//!
//! Different iterations write different elements, so parts never share a destination byte, whichever loop is cut.
//!
//! The slowest loop of the destination is cut. But a loop whose share leaves runs of a page on both sides is preferred,
//! or of 256 bytes if none does: both parts fetch the line in which one share ends and the next one begins.
//!
//! A boundary between two parts costs a line that both touch on either side, and incomplete tiles. So a loop with many
//! iterations for each part is cut at multiples of up to 64 iterations, which are whole lines of a run along it, as
//! long as no share exceeds another by more than a third. Parts have [`USEFUL`] bytes or more on average: it costs more
//! to hand less to a thread than to copy it.

use super::choose::LONG_ENOUGH;
use super::loops::Loop;
use super::nest::Unit;
use super::options::USEFUL;
use super::problem::Problem;

/// Bytes of a page.
const PAGE: u64 = 4096;

/// The runs that a share of a loop's iterations leaves, on the side where they are shorter: 2 for a page or more, 1 for
/// [`LONG_ENOUGH`].
fn length_of_runs(l: &Loop, parts: u64) -> u8 {
    let iterations = l.count as u64 / parts.max(1);
    let run = |step: i64| step.unsigned_abs().saturating_mul(iterations);
    let shorter = if l.src == 0 { run(l.dst) } else { run(l.dst).min(run(l.src)) };
    u8::from(shorter >= PAGE) + u8::from(shorter >= LONG_ENOUGH as u64)
}

/// ⌊count · k / parts⌋, without a product that could overflow.
pub(super) fn share(count: u64, k: u64, parts: u64) -> u64 {
    let parts = parts.max(1);
    (count / parts) * k + (count % parts) * k / parts
}

impl Problem {
    /// Leaves the iterations of part `part` of `parts`; `false` if the part has nothing to do. If a loop has an
    /// iteration for each part, the shares differ by at most one iteration, or by a third; else no share is more than
    /// twice another. A single element is cut inside its run.
    pub(super) fn part(&mut self, part: u32, parts: u32) -> bool {
        let useful = (self.nest().bytes() / USEFUL).max(1);
        let (mut part, mut parts) = (part as u64, (parts as u64).min(useful));
        if part >= parts {
            return false;
        }
        if self.unit != Unit::Bytes {
            return self.part_of_bits(part, parts);
        }
        while parts > 1 {
            let loops = self.loops.as_mut_slice();
            // The slowest loop with an iteration for each part, preferably one that leaves long runs; else the one with
            // the highest trip count.
            let all = loops.iter().enumerate();
            let enough = all
                .filter(|(_, l)| l.count as u64 >= parts)
                .max_by_key(|(_, l)| (length_of_runs(l, parts), l.dst.unsigned_abs()));
            let most = loops.iter().enumerate().filter(|(_, l)| l.count > 1).max_by_key(|(_, l)| l.count);
            let Some((at, _)) = enough.or(most) else { return self.part_of_run(part, parts) };
            let Some(cut) = loops.get_mut(at) else { return false };
            let iterations = (cut.count as u64).max(1);
            let (first, count);
            if iterations >= parts {
                let whole = 1 << (iterations / parts / 6).clamp(1, 64).ilog2();
                let even = |k: u64| (share(iterations, k, parts) + whole / 2) & !(whole - 1);
                let bound = |k: u64| if k == parts { iterations } else { even(k) };
                (first, count) = (bound(part), bound(part + 1) - bound(part));
                parts = 1;
            } else {
                // Several parts share one iteration and go on with the other loops.
                first = part * iterations / parts;
                count = 1;
                let (begin, end) = ((first * parts).div_ceil(iterations), ((first + 1) * parts).div_ceil(iterations));
                (part, parts) = (part - begin, end - begin);
            }
            self.dst_base += first as i64 * cut.dst;
            self.src_base += first as i64 * cut.src;
            cut.count = count as i64;
        }
        true
    }

    /// Leaves a part of the run, cut at multiples of 64 bytes: in bits, of the byte in which the run begins.
    pub(super) fn part_of_run(&mut self, part: u64, parts: u64) -> bool {
        let per_byte = self.unit.per_byte() as u64;
        let (width, phase) = (self.width as u64, self.dst_base as u64 & (per_byte - 1));
        let share = (width + phase).div_ceil(parts.max(1)).next_multiple_of(64 * per_byte);
        let bound = |part: u64| part.saturating_mul(share).saturating_sub(phase).min(width) as i64;
        let (begin, end) = (bound(part), bound(part + 1));
        self.width = end - begin;
        self.dst_base += begin;
        self.src_base += begin;
        begin < end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    /// Steps through the numbers of iterations and parts, and the most parts: fewer under Miri.
    const STEP: usize = if cfg!(miri) { 17 } else { 1 };
    const MOST_PARTS: u32 = if cfg!(miri) { 64 } else { 5000 };

    /// Elements of a useful size, contiguous along all loops.
    fn problem(counts: &[i64]) -> Problem {
        let mut problem = Problem { width: USEFUL as i64, ..Problem::nothing() };
        let mut step = USEFUL as i64;
        for &count in counts {
            problem.loops.push(Loop { count, dst: step, src: step });
            step *= count;
        }
        problem
    }

    #[test]
    fn loops_that_write_again_are_cut_last() {
        for part in 0..2 {
            let mut share = Problem { width: 4, ..Problem::nothing() };
            for (count, dst, src) in [(64, 0, 12288), (48, 4, 256), (64, 192, 4)] {
                share.loops.push(Loop { count, dst, src });
            }
            assert!(share.part(part, 2));
            assert_eq!(share.loops.as_slice().first().map(|l| l.count), Some(64));
        }
    }

    #[test]
    fn each_iteration_belongs_to_one_part() {
        for counts in
            [&[7][..], &[1000], &[5, 3], &[3, 5], &[2, 2, 2, 2], &[4, 1, 9], &[6, 100], &[100, 6], &[3, 2, 70]]
        {
            let all: i64 = counts.iter().product();
            if cfg!(miri) && all > 100 {
                continue;
            }
            for parts in (1..=40).chain([64, 100, 999, 1000, 5000]).filter(|&parts| parts <= MOST_PARTS).step_by(STEP) {
                let mut owners = vec![0; all as usize];
                for part in 0..parts {
                    let mut share = problem(counts);
                    if !share.part(part, parts) {
                        continue;
                    }
                    assert!(share.loops.as_slice().iter().all(|l| l.count >= 1), "{counts:?} {part} of {parts}");
                    assert_eq!(share.dst_base, share.src_base);
                    let _ = super::super::execute::try_each_iteration(
                        share.loops.as_slice(),
                        share.dst_base,
                        0,
                        |at, _| {
                            owners[(at / USEFUL as i64) as usize] += 1;
                            core::ops::ControlFlow::<()>::Continue(())
                        },
                    );
                }
                assert!(owners.iter().all(|&owners| owners == 1), "{counts:?} in {parts}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "tens of thousands of shares")]
    fn shares_of_one_loop_differ_by_an_iteration_or_a_third() {
        for iterations in (1..700).chain([1000, 4099, 100_003]) {
            for parts in (1..=40).chain([64, 100, 999]).filter(|&parts| parts as i64 <= iterations) {
                let (mut next, mut least, mut most) = (0, i64::MAX, 0);
                for part in 0..parts {
                    let mut share = problem(&[iterations]);
                    assert!(share.part(part, parts));
                    assert_eq!(share.dst_base, next * USEFUL as i64, "{part} of {parts}, {iterations} iterations");
                    let count = share.loops.as_slice()[0].count;
                    (next, least, most) = (next + count, least.min(count), most.max(count));
                }
                assert_eq!(next, iterations);
                assert!(
                    most - least <= 1 || 3 * most <= 4 * least,
                    "{iterations} iterations, {parts} parts: {least} to {most}"
                );
            }
        }
    }

    #[test]
    fn a_cut_keeps_runs() {
        // 24x20x24x22 packed elements of 4 bytes from the same reversed: 12 iterations of the slowest loop would be 48
        // bytes of the source.
        let steps = [(22, 4, 46080), (24, 88, 1920), (20, 2112, 96), (24, 42240, 4)];
        let mut share = Problem { width: 4, ..Problem::nothing() };
        for (count, dst, src) in steps {
            share.loops.push(Loop { count, dst, src });
        }
        assert!(share.part(1, 2));
        assert_eq!(share.loops.as_slice().iter().map(|l| l.count).collect::<vec::Vec<_>>(), [22, 24, 10, 24]);
        assert_eq!((share.dst_base, share.src_base), (10 * 2112, 10 * 96));
        // Rows of 72 bytes, 12 heads of 2048 places from places of 12 heads: 6 heads would be 432 bytes of each place.
        let mut share = Problem { width: 72, ..Problem::nothing() };
        for (count, dst, src) in [(2048, 72, 864), (12, 147_456, 72)] {
            share.loops.push(Loop { count, dst, src });
        }
        assert!(share.part(1, 2));
        assert_eq!(share.loops.as_slice().iter().map(|l| l.count).collect::<vec::Vec<_>>(), [1024, 12]);
    }

    #[test]
    fn parts_of_the_longest_loops_meet() {
        for iterations in [1 << 49, (1 << 49) + 1, (1 << 50) - 1] {
            for parts in [2, 3, 1000, u32::MAX - 1, u32::MAX] {
                let share = |part| {
                    let mut share = problem(&[iterations]);
                    assert!(share.part(part, parts));
                    (share.dst_base, share.dst_base + share.loops.as_slice()[0].count * USEFUL as i64)
                };
                assert_eq!((share(0).0, share(parts - 1).1), (0, iterations * USEFUL as i64));
                for part in [0, 1, parts / 3, parts / 2, parts - 2].into_iter().filter(|part| part + 1 < parts) {
                    let ((begin, end), (next, _)) = (share(part), share(part + 1));
                    assert!(begin < end && end == next, "{part} of {parts}");
                }
            }
        }
    }
}
