//! The order of dimensions that numbers are counted in.

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

impl Requirements {
    /// The dimensions by their numbers.
    pub(super) fn order(&self, layout: &Layout<'_>) -> Order {
        let mut order = Order { dimensions: [0; MAX_RANK], count: 0 };
        let as_they_stand = self.asks(LAST_INNERMOST);
        // A repeated dimension takes no room, and no number, unless that is what is refused.
        let with_zeros = self.asks(NO_REPEATS | NESTED);
        for (dimension, (size, stride)) in layout.dimensions().enumerate().rev() {
            if as_they_stand {
                order.insert(order.count, dimension);
            } else if size != 1 && (stride != 0 || with_zeros) {
                // Mostly strides grow to the left, and nothing has to move.
                let smaller = |&before: &usize| layout.dimension(before).1.unsigned_abs() <= stride.unsigned_abs();
                let position = order.iter().rev().position(|before| smaller(&before)).map_or(0, |at| order.count - at);
                order.insert(position, dimension);
            }
        }
        order
    }
}
