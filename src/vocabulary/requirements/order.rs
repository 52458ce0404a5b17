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

    /// No dimension.
    const NONE: Self = Self { dimensions: [0; MAX_RANK], count: 0 };

    fn contains(&self, dimension: usize) -> bool {
        self.iter().any(|other| other == dimension)
    }

    /// Puts a dimension outside all that have a smaller or equal key.
    fn insert_by(&mut self, key: &dyn Fn(usize) -> u64, dimension: usize) {
        let own = key(dimension);
        // Usually strides grow to the left, and nothing has to move.
        let position = self.iter().rev().position(|before| key(before) <= own).map_or(0, |at| self.count - at);
        self.insert(position, dimension);
    }

    fn insert(&mut self, position: usize, dimension: usize) {
        if position == self.count {
            if let Some(slot) = self.dimensions.get_mut(position) {
                *slot = dimension as u8; // I1
            }
        } else {
            fixed::insert(&mut self.dimensions, self.count, position, dimension as u8);
        }
        self.count += 1;
    }
}

/// The innermost dimensions, which the consumer takes as one element.
pub(super) struct Texel {
    order: Order,
    /// How many elements it has; saturated.
    pub(super) elements: u64,
}

impl Texel {
    pub(super) fn contains(&self, dimension: usize) -> bool {
        self.order.contains(dimension)
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
        let mut order = Order::NONE;
        let key = |dimension: usize| {
            let of = layout.dimensions().skip(dimension).find(|&(size, _)| size != 1);
            of.map_or(0, |(_, stride)| if stride == 0 { u64::MAX } else { stride.unsigned_abs() })
        };
        if self.texel_dimensions != 0 {
            let as_they_stand = self.asks(LAST_INNERMOST) || layout.is_empty(); // whose strides mean nothing
            for dimension in (0..layout.rank()).rev() {
                match as_they_stand {
                    true => order.insert(order.count, dimension),
                    false => order.insert_by(&key, dimension),
                }
            }
            order.count = order.count.min(self.texel_dimensions as usize);
        }
        let elements = order.iter().fold(1u64, |all, d| all.saturating_mul(layout.dimension(d).0 as u64));
        Texel { order, elements }
    }

    /// The dimensions outside the texel by their numbers.
    pub(super) fn order(&self, layout: &Layout<'_>, texel: &Texel) -> Order {
        let mut order = Order::NONE;
        let as_they_stand = self.asks(LAST_INNERMOST);
        // A repeated dimension takes no room and has no number, unless repeats are refused.
        let with_zeros = self.asks(NO_REPEATS | NESTED);
        let key = |dimension: usize| layout.dimension(dimension).1.unsigned_abs();
        for (dimension, (size, stride)) in layout.dimensions().enumerate().rev() {
            if texel.contains(dimension) {
                continue;
            }
            if as_they_stand {
                order.insert(order.count, dimension);
            } else if size != 1 && (stride != 0 || with_zeros) {
                order.insert_by(&key, dimension);
            }
        }
        order
    }
}
