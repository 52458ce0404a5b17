//! The loop that is the run: the fastest one. But calls for runs of two or three elements cost more than striding does.
//!
//! So if the fastest loop has fewer than [`SHORT`] elements, the longest other loop is the run, if it is four times as
//! long: NCHW from NHWC is then runs over pixels. What such a run touches must stay in a cache until the short loop
//! comes back to it. So of a loop that touches more than [`NEAR`] bytes an even part is taken, and the other iterations
//! are a level in its place.

use super::LEVELS;
use super::joint::Loop;

/// Elements below which a run costs more than its elements.
const SHORT: i64 = 8;
/// Bytes that stay in a cache while a short loop comes back to them.
pub(super) const NEAR: i64 = 256 << 10;
/// Tries to divide a loop evenly.
const TRIES: i64 = 64;

/// The number of the loop that is the run, fastest first, and how many of its iterations; without loops one element.
pub(super) fn run_of(loops: &[Loop], near: i64) -> (usize, i64) {
    let Some(fastest) = loops.first() else { return (0, 1) };
    let mut longest = (0, fastest);
    for other in loops.iter().enumerate() {
        if other.1.count > longest.1.count {
            longest = other;
        }
    }
    if fastest.count < SHORT && loops.len() <= LEVELS {
        let touched = longest.1.strides.iter().map(|stride| stride.unsigned_abs().min(64) as i64).sum::<i64>();
        // At least one operand steps: a loop that stands still would be the slowest.
        let most = (near / touched.max(1)).max(1);
        let pieces = longest.1.count / most + i64::from(longest.1.count % most != 0);
        let mut tries = pieces..pieces.saturating_add(TRIES);
        if let Some(pieces) = tries.find(|&pieces| longest.1.count % pieces.max(1) == 0) {
            let taken = longest.1.count / pieces.max(1);
            if taken / 4 >= fastest.count {
                return (longest.0, taken);
            }
        }
    }
    (0, fastest.count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn loops(counts: &[i64], strides: &[i64]) -> Vec<Loop> {
        let one = |(&count, &stride): (&i64, &i64)| Loop { count, strides: [stride, 0, 0, 0, 0, 0, 0, 0] };
        counts.iter().zip(strides).map(one).collect()
    }

    #[test]
    fn the_run_is_the_fastest_loop_unless_it_is_short() {
        assert_eq!(run_of(&loops(&[8, 100], &[4, 64]), NEAR), (0, 8));
        assert_eq!(run_of(&loops(&[3, 100], &[4, 12]), NEAR), (1, 100));
        assert_eq!(run_of(&loops(&[3, 11], &[4, 12]), NEAR), (0, 3));
        assert_eq!(run_of(&loops(&[3, 5, 40], &[4, 12, 100]), NEAR), (2, 40));
        // 224 x 224 pixels of 3 channels: 602112 bytes. A third of them would stay near, but does not divide evenly.
        assert_eq!(run_of(&loops(&[3, 50176], &[4, 12]), NEAR), (1, 50176 / 4));
        // A prime number of pixels has no parts.
        assert_eq!(run_of(&loops(&[3, 1_000_003], &[4, 12]), NEAR), (0, 3));
        assert_eq!(run_of(&loops(&[], &[]), NEAR), (0, 1));
        // A part has to be four times as long as well.
        assert_eq!(run_of(&loops(&[3, 100], &[4, 12]), 20 * 12), (1, 20));
        assert_eq!(run_of(&loops(&[3, 100], &[4, 12]), 10 * 12), (0, 3));
    }
}
