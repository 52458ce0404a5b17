//! Nested loops that lie anywhere, and what they reach.

use super::loops::Loop;
use crate::model::Layout;

/// A problem that borrows its loops, from a plan's words or from a [`Problem`](super::problem::Problem).
#[derive(Clone, Copy, Debug)]
pub struct Nest<'a> {
    /// Bytes of one element; 0: there is none.
    pub width: i64,
    /// Byte offset of the first element from the destination's base pointer.
    pub dst_base: i64,
    /// The same for the source.
    pub src_base: i64,
    /// In the order in which they run, fastest first.
    pub loops: &'a [Loop],
}

/// What a problem reaches on one side, in bytes from the base pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// First byte of the lowest element and of the highest one.
    pub lowest: i64,
    pub highest: i64,
    /// One past the last byte.
    pub end: i64,
}

/// Both sides, and how much moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    pub dst: Reach,
    pub src: Reach,
    /// Bytes of all elements; saturated.
    pub bytes: u64,
}

impl Reached {
    /// No byte.
    pub const NOTHING: Self = {
        let reach = Reach { lowest: 0, highest: 0, end: 0 };
        Self { dst: reach, src: reach, bytes: 0 }
    };

    /// Fits into no buffer.
    pub const TOO_FAR: Self = {
        let reach = Reach { lowest: -1, highest: i64::MAX, end: i64::MAX };
        Self { dst: reach, src: reach, bytes: u64::MAX }
    };

    /// What the copy between two layouts of equal sizes reaches, in elements of `bytes` bytes that lie in runs of
    /// `width`. No element lies below a base pointer.
    pub fn by(dst: &Layout<'_>, src: &Layout<'_>, bytes: i64, width: i64) -> Self {
        let reach = |layout: &Layout<'_>| {
            let (lowest, highest) = layout.span();
            let end = (highest + 1) * bytes;
            Reach { lowest: lowest * bytes, highest: end - width, end }
        };
        let bytes = (dst.element_count() as u64).saturating_mul(bytes as u64);
        Self { dst: reach(dst), src: reach(src), bytes }
    }

    /// Whether the elements fit into the destination's reach. Then a forged loop cannot run (nearly) for ever.
    #[inline(always)]
    pub fn are_distinct(&self) -> bool {
        self.bytes <= self.dst.end.wrapping_sub(self.dst.lowest) as u64
    }
}

/// What nested loops occupy: `width`, extended by all iterations of each loop. `None` if a step is smaller than what
/// the faster loops occupy.
pub(crate) fn nested_extent(width: i64, loops: &[Loop]) -> Option<i64> {
    loops.iter().try_fold(width, |extent, l| {
        let reach = (l.count - 1).checked_mul(l.dst)?;
        if l.dst < extent { None } else { extent.checked_add(reach) }
    })
}

impl<'a> Nest<'a> {
    /// Where the first elements lie.
    #[inline(always)]
    pub(crate) fn begin(&self, dst: *mut u8, src: *const u8) -> (*mut u8, *const u8) {
        (dst.wrapping_offset(self.dst_base as isize), src.wrapping_offset(self.src_base as isize))
    }

    /// The two fastest loops and the rest; a missing loop has one iteration.
    pub(crate) fn kernel_loops(&self) -> (Loop, Loop, &'a [Loop]) {
        match self.loops {
            [a, b, outer @ ..] => (*a, *b, outer),
            [a] => (*a, Loop::ONCE, &[]),
            [] => (Loop::ONCE, Loop::ONCE, &[]),
        }
    }

    /// Bytes of all elements; saturated.
    pub(crate) fn bytes(&self) -> u64 {
        self.loops.iter().fold(self.width as u64, |bytes, l| bytes.saturating_mul(l.count as u64))
    }

    /// What the loops reach; `None` if a number leaves 64 bits or a count is below 1. One pass, every flag OR-ed: this
    /// runs at each call, on words that anybody may have written.
    #[inline(always)]
    pub(crate) fn reached(&self) -> Option<Reached> {
        let (mut dst, mut src) = ((self.dst_base, self.dst_base), (self.src_base, self.src_base));
        let (mut turns, mut flagged, mut signs) = (1i64, false, 0i64);
        let mut reach = |(lowest, highest): &mut (i64, i64), last: i64, step: i64| {
            let (reach, too_far) = last.overflowing_mul(step);
            let (low, too_low) = lowest.overflowing_add(reach.min(0));
            let (high, too_high) = highest.overflowing_add(reach.max(0));
            (*lowest, *highest) = (low, high);
            flagged |= too_far | too_low | too_high;
        };
        let mut too_many = false;
        for l in self.loops {
            let last = l.count.wrapping_sub(1);
            signs |= last | l.count; // the lowest count wraps to a last iteration above 0
            reach(&mut dst, last, l.dst);
            reach(&mut src, last, l.src);
            let (product, overflow) = turns.overflowing_mul(l.count);
            turns = product;
            too_many |= overflow;
        }
        let (dst_end, dst_past) = dst.1.overflowing_add(self.width);
        let (src_end, src_past) = src.1.overflowing_add(self.width);
        let bytes = (turns as u64).saturating_mul(self.width as u64);
        let wrong = flagged | too_many | dst_past | src_past | (signs < 0);
        (!wrong).then_some(Reached {
            dst: Reach { lowest: dst.0, highest: dst.1, end: dst_end },
            src: Reach { lowest: src.0, highest: src.1, end: src_end },
            bytes,
        })
    }

    /// [`Nest::reached`] for numbers below 2^28 and steps that only the source may take downward; otherwise `None`.
    /// Then sums of 62 products cannot leave 64 bits, so nothing else is checked.
    #[inline(always)]
    pub(crate) fn reached_near(&self) -> Option<Reached> {
        const MANY: i64 = 1 << 32;
        let mut all = self.width | self.dst_base | self.src_base;
        let (mut dst, mut src, mut turns) = (self.dst_base, self.src_base, 1i64);
        let mut downward = 0i64;
        for l in self.loops {
            let last = l.count.wrapping_sub(1); // below 0 for a count of 0
            all |= l.count | last | l.dst | (l.src ^ l.src >> 63);
            dst = dst.wrapping_add(last.wrapping_mul(l.dst));
            let far = last.wrapping_mul(l.src);
            src = src.wrapping_add(far);
            downward = downward.wrapping_add(far.min(0));
            turns = turns.wrapping_mul(l.count).min(MANY);
        }
        let reach = |lowest: i64, highest: i64| Reach { lowest, highest, end: highest.wrapping_add(self.width) };
        (all as u64 >> 28 == 0 && turns < MANY).then_some(Reached {
            dst: reach(self.dst_base, dst),
            src: reach(self.src_base.wrapping_add(downward), src.wrapping_sub(downward)),
            bytes: turns.wrapping_mul(self.width) as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_of_nested_loops() {
        let step = |count, dst| Loop { count, dst, src: 0 };
        // Bytes 0, 2 and 4, then the same behind them.
        assert_eq!(nested_extent(1, &[step(3, 2), step(2, 5)]), Some(10));
        assert_eq!(nested_extent(1, &[step(3, 2), step(2, 4)]), None);
        assert_eq!(nested_extent(1, &[step(3, 2), step(3, 1 << 62)]), None);
    }

    /// Any one number that leaves 64 bits, any count below 1.
    #[test]
    fn what_is_too_far_is_not_reached() {
        let of = |width, dst_base, src_base, (count, dst, src): (i64, i64, i64)| {
            Nest { width, dst_base, src_base, loops: &[Loop { count, dst, src }] }.reached()
        };
        let (most, least) = (i64::MAX, i64::MIN);
        assert!(of(4, most - 8, most - 8, (2, 4, 4)).is_some() && of(4, 4 + least, 4 + least, (2, -4, -4)).is_some());
        for (width, dst_base, src_base, l) in [
            // A product that is 0 in 64 bits; a lowest and a highest element; an end; each on either side, or on both.
            (4, 0, 0, (5, 1 << 62, 0)),
            (4, 0, 0, (5, 0, 1 << 62)),
            (4, 0, 0, (5, 1 << 62, 1 << 62)),
            (4, 3 + least, 0, (2, -4, 0)),
            (4, 0, 3 + least, (2, 0, -4)),
            (4, 3 + least, 3 + least, (2, -4, -4)),
            (4, most - 3, 0, (2, 4, 0)),
            (4, 0, most - 3, (2, 0, 4)),
            (4, most - 7, 0, (2, 4, 0)),
            (4, 0, most - 7, (2, 0, 4)),
            (4, most - 7, most - 7, (2, 4, 4)),
            // Two of these at once, whose sum is in range again.
            (4, 3 + least, 0, (5, -(1 << 62) - 1, 0)),
            (4, most - 3, 0, (5, (1 << 62) + 1, 0)),
            (4, most - 19, 0, (5, 4, 1 << 62)),
            (4, 0, 0, (-1, (1 << 62) + 1, 0)),
            // Counts below 1.
            (4, 0, 0, (0, 4, 4)),
            (4, 0, 0, (-1, 4, 4)),
            (4, 0, 0, (least, 0, 0)),
        ] {
            assert_eq!(of(width, dst_base, src_base, l), None, "{width} {dst_base} {src_base} {l:?}");
        }
    }

    #[test]
    fn what_is_near_is_reached_alike() {
        fn nest(loops: &[Loop]) -> Nest<'_> {
            Nest { width: 4, dst_base: 8, src_base: 1000, loops }
        }
        let step = |count, dst, src| Loop { count, dst, src };
        let backwards = [step(7, 4, -4), step(3, 40, 100)];
        let mixed = [step(7, 4, 12), step(3, 40, -100), step(5, 0, 0)];
        let farthest = [step(2, 8, -(1 << 28)), step(1, 4, -1)];
        for loops in [&backwards[..], &mixed, &farthest] {
            assert!(nest(loops).reached_near().is_some());
            assert_eq!(nest(loops).reached_near(), nest(loops).reached());
        }
        for far in
            [step(7, -4, 4), step(0, 4, 4), step(2, 4, -(1 << 28) - 1), step(2, 4, i64::MIN), step(2, 1 << 28, 4)]
        {
            assert_eq!(nest(&[far]).reached_near(), None, "{far:?}");
        }
        // Two far numbers, whichever they are, do not make a near one; nor do many iterations of near ones.
        let near = [4, 8, 1000, 2, 4, 4, 2, 40, 40];
        for (one, other) in (0..near.len()).flat_map(|one| (0..near.len()).map(move |other| (one, other))) {
            let mut numbers = near;
            (numbers[one], numbers[other]) = ((1 << 28) + 1, (1 << 28) + 1);
            let [width, dst_base, src_base, a, b, c, d, e, f] = numbers;
            let loops = [step(a, b, c), step(d, e, f)];
            let found = Nest { width, dst_base, src_base, loops: &loops }.reached_near();
            assert_eq!(found, None, "{numbers:?}");
        }
        assert_eq!(nest(&[step(1 << 16, 0, 0), step(1 << 16, 0, 0)]).reached_near(), None);
    }
}
