//! The share of a batch that a part runs.

use super::super::options::USEFUL;
use super::super::part::share;
use crate::model::arith::gcd;

/// The pieces of copies that a part runs, numbered through all copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub begin: u64,
    pub end: u64,
    /// Of each copy.
    pub pieces: u64,
}

/// Copies for each part from which on no copy is cut: shares then differ by at most an eighth.
const MANY_COPIES: u64 = 8;
/// Most pieces of a copy. `count · pieces` fits in 64 bits, since a longer list has fewer pieces.
const MOST_PIECES_OF_A_COPY: u64 = 1 << 20;

impl Share {
    /// The share of part `part` of `parts`, of `count` copies of `bytes` bytes; `None` if it has nothing to do.
    pub fn new(count: usize, bytes: u64, part: u32, parts: u32) -> Option<Self> {
        let count = count as u64;
        let useful = (count.saturating_mul(bytes) / USEFUL).max(1);
        let (part, parts) = (part as u64, (parts as u64).min(useful).max(1));
        if part >= parts {
            return None;
        }
        let pieces = if count / MANY_COPIES >= parts {
            1
        } else {
            let even = parts / gcd(count, parts).max(1);
            even.min(bytes / USEFUL).clamp(1, MOST_PIECES_OF_A_COPY)
        };
        let units = count.saturating_mul(pieces);
        let bound = |k: u64| share(units, k, parts);
        Some(Self { begin: bound(part), end: bound(part + 1), pieces })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_belongs_to_one_part() {
        for count in [1usize, 2, 3, 5, 7, 16, 17, 100, 1000] {
            for bytes in [1u64, 16, 4096, 10_000, 100_000, 1 << 20] {
                for parts in [1u32, 2, 3, 4, 7, 16, 64, 1000] {
                    if cfg!(miri) && parts > 16 {
                        continue;
                    }
                    let mut next = 0;
                    let mut pieces = None;
                    let (mut least, mut most, mut busy) = (u64::MAX, 0, 0);
                    for part in 0..parts {
                        let Some(share) = Share::new(count, bytes, part, parts) else { continue };
                        assert_eq!((share.begin, *pieces.get_or_insert(share.pieces)), (next, share.pieces));
                        next = share.end;
                        (least, most) = (least.min(share.end - share.begin), most.max(share.end - share.begin));
                        busy += 1;
                    }
                    let pieces = pieces.expect("part 0 has work");
                    assert_eq!(next, count as u64 * pieces);
                    assert!(most - least <= 1, "{count} copies of {bytes} bytes in {parts}: {least} to {most}");
                    assert!(busy >= 1 && (pieces == 1 || bytes / pieces >= USEFUL));
                }
            }
        }
        // 3 copies of 1 MiB for 2 threads: the same for both.
        let share = |part| Share::new(3, 1 << 20, part, 2);
        assert_eq!(share(0), Some(Share { begin: 0, end: 3, pieces: 2 }));
        assert_eq!(share(1), Some(Share { begin: 3, end: 6, pieces: 2 }));
    }
}
