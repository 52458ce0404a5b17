//! The order in which dimensions are numbered.

use super::{LAST_INNERMOST, NESTED, NO_REPEATS, Requirements};
use crate::model::{Layout, MAX_RANK, fixed};

/// The dimensions of a layout from the innermost outwards.
pub(super) struct Order {
    dimensions: [u8; MAX_RANK],
    count: usize,
}

impl Order {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.dimensions.get(..self.count).unwrap_or(&[]).iter().map(|&dimension| dimension as usize)
    }

    /// The dimensions that are taken, from the right to the left, each outside all that have a smaller or equal key.
    fn of(layout: &Layout<'_>, takes: impl Fn(usize) -> bool, key: impl Fn(usize) -> u64) -> Self {
        let mut order = Self { dimensions: [0; MAX_RANK], count: 0 };
        for dimension in (0..layout.rank()).rev().filter(|&dimension| takes(dimension)) {
            let own = key(dimension);
            // Usually strides grow to the left, and nothing has to move.
            let position = order.iter().rev().position(|before| key(before) <= own).map_or(0, |at| order.count - at);
            fixed::insert(&mut order.dimensions, order.count, position, dimension as u8); // I1
            order.count += 1;
        }
        order
    }
}

/// The innermost dimensions, which the consumer takes as one element.
pub(super) struct Texel {
    order: Order,
    /// The number of its elements; saturated.
    pub(super) elements: u64,
}

impl Texel {
    pub(super) fn contains(&self, dimension: usize) -> bool {
        self.order.iter().any(|other| other == dimension)
    }

    /// Its dimensions from the innermost outwards, each with the stride that leaves no gap.
    pub(super) fn packed(&self, layout: &Layout<'_>) -> impl Iterator<Item = (usize, u64)> {
        self.order.iter().scan(1u64, |end, dimension| {
            let stride = *end;
            *end = end.saturating_mul(layout.dimension(dimension).0 as u64);
            Some((dimension, stride))
        })
    }
}

impl Requirements {
    /// The dimensions that are one texel. If the order is free they are the innermost by strides. Then a dimension of
    /// size 1 stands around the next one to the right, and a repeated one (stride 0) outside all others.
    pub(super) fn texel(&self, layout: &Layout<'_>) -> Texel {
        let as_they_stand = self.asks(LAST_INNERMOST) || layout.is_empty(); // whose strides mean nothing
        let key = |dimension: usize| {
            let of = layout.dimensions().skip(dimension).find(|&(size, _)| size != 1).filter(|_| !as_they_stand);
            of.map_or(0, |(_, stride)| if stride == 0 { u64::MAX } else { stride.unsigned_abs() })
        };
        let mut order = Order::of(layout, |_| self.texel_dimensions != 0, key);
        order.count = order.count.min(self.texel_dimensions as usize);
        let elements = order.iter().fold(1u64, |all, d| all.saturating_mul(layout.dimension(d).0 as u64));
        Texel { order, elements }
    }

    /// The dimensions outside the texel by their numbers.
    pub(super) fn order(&self, layout: &Layout<'_>, texel: &Texel) -> Order {
        let as_they_stand = self.asks(LAST_INNERMOST);
        // A repeated dimension takes no room and has no number, unless repeats are refused.
        let with_zeros = self.asks(NO_REPEATS | NESTED);
        let has_number = |dimension: usize| {
            let (size, stride) = layout.dimension(dimension);
            !texel.contains(dimension) && (as_they_stand || size != 1 && (stride != 0 || with_zeros))
        };
        let key = |dimension: usize| if as_they_stand { 0 } else { layout.dimension(dimension).1.unsigned_abs() };
        Order::of(layout, has_number, key)
    }
}
