//! A nest of loops with its base offsets, the unit of its numbers, and the byte range that it reaches on each side.

use super::loops::Loop;
use crate::model::{Dtype, Layout};

/// The width and the bit orders of elements below a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    /// Bits of an element: 1, 2 or 4.
    pub element: u32,
    /// Whether the first element lies in the high bits of its byte, in the destination and in the source.
    pub dst_high: bool,
    pub src_high: bool,
}

impl Packing {
    /// Its number, of at most six bits.
    pub fn code(self) -> u64 {
        self.element as u64 | (self.dst_high as u64) << 4 | (self.src_high as u64) << 5
    }

    /// The packing with this number.
    pub fn new(code: u64) -> Option<Self> {
        let found = Self { element: code as u32 & 7, dst_high: code >> 4 & 1 != 0, src_high: code >> 5 & 1 != 0 };
        (found.code() == code && matches!(found.element, 1 | 2 | 4)).then_some(found)
    }

    /// The unsigned dtype of the same width.
    pub fn dtype(self) -> Dtype {
        match self.element {
            1 => Dtype::U1,
            2 => Dtype::U2,
            _ => Dtype::U4,
        }
    }
}

/// The unit of a nest's numbers: width, bases and steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Bytes,
    /// Bits, for elements that do not begin and end with a byte.
    Bits(Packing),
}

impl Unit {
    /// The unit of a copy between two dtypes of equal width, and the width of an element in it.
    #[inline(always)]
    pub fn of(dst: Dtype, src: Dtype) -> (Self, i64) {
        match dst.bits() {
            bits @ 0..8 => {
                let (dst_high, src_high) = (dst.is_high_first(), src.is_high_first());
                (Self::Bits(Packing { element: bits as u32, dst_high, src_high }), bits)
            }
            bits => (Self::Bytes, bits / 8),
        }
    }

    /// Units in a byte.
    pub fn per_byte(self) -> i64 {
        if self == Self::Bytes { 1 } else { 8 }
    }
}

/// A problem that borrows its loops, from a plan's words or from a [`Problem`](super::problem::Problem).
#[derive(Clone, Copy, Debug)]
pub struct Nest<'a> {
    pub(crate) unit: Unit,
    /// The width of an element; 0: there is none.
    pub width: i64,
    /// The first element's offset from the destination's base pointer.
    pub dst_base: i64,
    /// Its offset from the source's.
    pub src_base: i64,
    /// The loops in the order in which they run, fastest first.
    pub loops: &'a [Loop],
}

/// The range that a problem reaches on one side, from the base pointer on, in bytes; that of [`Nest::reached`] is in
/// the nest's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// The begin of the lowest element, and that of the highest.
    pub lowest: i64,
    pub highest: i64,
    /// The end of the highest one.
    pub end: i64,
}

impl Reach {
    /// Whether it has no byte.
    #[inline(always)]
    pub fn is_nothing(self) -> bool {
        (self.lowest, self.end) == (0, 0)
    }

    /// The range of the bytes that hold these units.
    pub fn in_bytes(self, unit: Unit) -> Self {
        if unit == Unit::Bytes {
            return self;
        }
        let end = (self.end >> 3) + i64::from(self.end & 7 != 0);
        Self { lowest: self.lowest >> 3, highest: self.highest >> 3, end }
    }
}

/// The ranges of both sides, and the bytes that move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    pub dst: Reach,
    pub src: Reach,
    /// All elements; saturated.
    pub bytes: u64,
}

impl Reached {
    /// The ranges of the bytes that hold these units.
    pub fn in_bytes(self, unit: Unit) -> Self {
        if unit == Unit::Bytes {
            return self;
        }
        Self { dst: self.dst.in_bytes(unit), src: self.src.in_bytes(unit), bytes: self.bytes.div_ceil(8) }
    }

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

    /// The ranges of a copy between two layouts of equal sizes. Elements have `bytes` bytes and lie in runs of `width`;
    /// none lies below a base pointer.
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
    pub fn are_distinct(&self) -> bool {
        self.bytes <= self.dst.end.wrapping_sub(self.dst.lowest) as u64
    }
}

/// The extent of nested loops: `width`, extended by all iterations of each loop. `None` if a step is smaller than the
/// extent of the faster loops.
pub(crate) fn nested_extent(width: i64, loops: &[Loop]) -> Option<i64> {
    loops.iter().try_fold(width, |extent, l| {
        let reach = (l.count - 1).checked_mul(l.dst)?;
        if l.dst < extent { None } else { extent.checked_add(reach) }
    })
}

impl<'a> Nest<'a> {
    /// The addresses of the first elements.
    #[inline(always)]
    pub(crate) fn begin(&self, dst: *mut u8, src: *const u8) -> (*mut u8, *const u8) {
        (dst.wrapping_offset(self.dst_base as isize), src.wrapping_offset(self.src_base as isize))
    }

    /// Elements of this many bytes from both base pointers on.
    pub fn of_bytes(width: i64, loops: &'a [Loop]) -> Self {
        Self { unit: Unit::Bytes, width, dst_base: 0, src_base: 0, loops }
    }

    /// The two fastest loops and the rest; a missing loop has one iteration.
    pub(crate) fn kernel_loops(&self) -> (Loop, Loop, &'a [Loop]) {
        match self.loops {
            [a, b, outer @ ..] => (*a, *b, outer),
            [a] => (*a, Loop::ONCE, &[]),
            [] => (Loop::ONCE, Loop::ONCE, &[]),
        }
    }

    /// Bytes of all elements, packed; saturated.
    pub(crate) fn bytes(&self) -> u64 {
        let all = self.loops.iter().fold(self.width as u64, |all, l| all.saturating_mul(l.count as u64));
        all.div_ceil(self.unit.per_byte() as u64)
    }

    /// The range of each side, in the nest's unit; `None` if a number leaves 64 bits or a count is below 1. One pass,
    /// every flag OR-ed: this runs at each call, on words that anybody may have written.
    #[inline(always)]
    pub(crate) fn reached(&self) -> Option<Reached> {
        let (mut dst, mut src) = ((self.dst_base, self.dst_base), (self.src_base, self.src_base));
        let (mut iterations, mut flagged, mut signs) = (1i64, false, 0i64);
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
            let (product, overflow) = iterations.overflowing_mul(l.count);
            iterations = product;
            too_many |= overflow;
        }
        let (dst_end, dst_past) = dst.1.overflowing_add(self.width);
        let (src_end, src_past) = src.1.overflowing_add(self.width);
        let bytes = (iterations as u64).saturating_mul(self.width as u64);
        let wrong = flagged | too_many | dst_past | src_past | (signs < 0);
        (!wrong).then_some(Reached {
            dst: Reach { lowest: dst.0, highest: dst.1, end: dst_end },
            src: Reach { lowest: src.0, highest: src.1, end: src_end },
            bytes,
        })
    }

    /// [`Nest::reached`] in bytes for numbers below 2^28 and steps that only the source may take downward; otherwise
    /// `None`. Then sums of 62 products cannot leave 64 bits, so nothing else is checked.
    #[inline(always)]
    pub(crate) fn reached_near(&self) -> Option<Reached> {
        const MANY: i64 = 1 << 32;
        let mut all = self.width | self.dst_base | self.src_base;
        let (mut dst, mut src, mut iterations) = (self.dst_base, self.src_base, 1i64);
        let mut downward = 0i64;
        for l in self.loops {
            let last = l.count.wrapping_sub(1); // below 0 for a count of 0
            all |= l.count | last | l.dst | (l.src ^ l.src >> 63);
            dst = dst.wrapping_add(last.wrapping_mul(l.dst));
            let far = last.wrapping_mul(l.src);
            src = src.wrapping_add(far);
            downward = downward.wrapping_add(far.min(0));
            iterations = iterations.wrapping_mul(l.count).min(MANY);
        }
        let reach = |lowest: i64, highest: i64| Reach { lowest, highest, end: highest.wrapping_add(self.width) };
        (all as u64 >> 28 == 0 && iterations < MANY).then_some(Reached {
            dst: reach(self.dst_base, dst),
            src: reach(self.src_base.wrapping_add(downward), src.wrapping_sub(downward)),
            bytes: iterations.wrapping_mul(self.width) as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_of_nested_loops() {
        let step = |count, dst| Loop { count, dst, src: 0 };
        // Bytes 0, 2 and 4, then 5, 7 and 9.
        assert_eq!(nested_extent(1, &[step(3, 2), step(2, 5)]), Some(10));
        assert_eq!(nested_extent(1, &[step(3, 2), step(2, 4)]), None);
        assert_eq!(nested_extent(1, &[step(3, 2), step(3, 1 << 62)]), None);
    }

    /// Any one number that leaves 64 bits, any count below 1.
    #[test]
    fn what_is_too_far_is_not_reached() {
        let of = |width, dst_base, src_base, (count, dst, src): (i64, i64, i64)| {
            Nest { unit: Unit::Bytes, width, dst_base, src_base, loops: &[Loop { count, dst, src }] }.reached()
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
            Nest { unit: Unit::Bytes, width: 4, dst_base: 8, src_base: 1000, loops }
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
            let found = Nest { unit: Unit::Bytes, width, dst_base, src_base, loops: &loops }.reached_near();
            assert_eq!(found, None, "{numbers:?}");
        }
        assert_eq!(nest(&[step(1 << 16, 0, 0), step(1 << 16, 0, 0)]).reached_near(), None);
    }
}
