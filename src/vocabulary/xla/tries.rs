//! The most that is tried if no rule decides.
//!
//! Some questions about a buffer have an answer for all tiles in use, and for others only by looking at elements one by
//! one. Each element takes a few divisions for each dimension and each size of a tile. [`DIGITS`] bounds them in all: a
//! fraction of a millisecond at rank 64, microseconds for ordinary shapes. Beyond it the answer is UNDECIDED.

use super::shape::Shape;
use crate::error::{Argument, Detail, Error, Status};

/// Dimensions and tile sizes that are gone through, of one element after the other.
const DIGITS: usize = 1 << 12;

/// The number of elements or positions of these shapes that may be looked at; 15 at least.
pub(super) fn tries(shapes: &[&Shape]) -> i64 {
    let digits: usize = shapes.iter().map(|shape| 4 + shape.rank() + shape.tiles().sizes().len()).sum();
    (DIGITS / digits.max(1)) as i64
}

/// UNDECIDED, with the number that may be looked at and the number that there is, if that is more.
pub(super) fn undecided(tries: i64, count: i64) -> Error {
    Status::Undecided.of(Argument::Shape).because(Detail::TooManyElements, tries, count)
}
