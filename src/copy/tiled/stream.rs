//! Sides whose elements are counted in row-major order: copies between different sizes, and of ranges.
//!
//! The index space is one dimension, the number of the element. On each side division turns the number into the indices
//! of all dimensions, the last one first, as tiles divide (`sums`). A side without gaps is one dimension, and nothing
//! is divided: packing a view is an ordinary copy.

use super::next_words;
use crate::model::{Layout, MAX_RANK, arith};

/// A strided side whose elements are counted in row-major order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream<'a> {
    /// Of element number 0.
    pub base: i64,
    /// No size is 0.
    pub sizes: &'a [i64],
    pub strides: &'a [i64],
    /// The number of the first element.
    pub first: i64,
}

impl<'a> Stream<'a> {
    /// The stream that the words of a plan describe, if they do; `rest` moves on.
    pub(super) fn read(base: i64, sizes: &[i64], rest: &mut &'a [i64]) -> Option<Self> {
        let &[count] = sizes else { return None };
        let &[rank, first] = next_words(rest, 2)? else { return None };
        let rank = usize::try_from(rank).ok().filter(|&rank| rank <= MAX_RANK)?;
        let (sizes, strides) = (next_words(rest, rank)?, next_words(rest, rank)?);
        let all = arith::element_count(sizes).ok()?;
        let inside = first >= 0 && first.checked_add(count).is_some_and(|end| end <= all);
        inside.then_some(Self { base, sizes, strides, first })
    }
}

/// The dimensions of a layout that is not empty: neighbours that are one are joined, sizes of 1 are left out.
pub(crate) struct Coalesced {
    rank: usize,
    sizes: [i64; MAX_RANK],
    strides: [i64; MAX_RANK],
}

impl Coalesced {
    /// No dimension yet.
    pub const NOTHING: Self = Self { rank: 0, sizes: [0; MAX_RANK], strides: [0; MAX_RANK] };

    /// Becomes those of a layout.
    pub fn set(&mut self, layout: &Layout<'_>) {
        for (size, stride) in layout.dimensions().filter(|&(size, _)| size != 1) {
            let last = self.rank.checked_sub(1);
            let outer = last.and_then(|last| Some((self.sizes.get_mut(last)?, self.strides.get_mut(last)?)));
            if let Some((outer_size, outer_stride)) = outer
                && size.checked_mul(stride) == Some(*outer_stride)
            {
                (*outer_size, *outer_stride) = (outer_size.wrapping_mul(size), stride); // I3
                continue;
            }
            if let (Some(to_size), Some(to_stride)) = (self.sizes.get_mut(self.rank), self.strides.get_mut(self.rank)) {
                (*to_size, *to_stride) = (size, stride);
                self.rank += 1;
            }
        }
    }

    /// The elements from a number on.
    pub fn stream(&self, base: i64, first: i64) -> Stream<'_> {
        let rank = self.rank.min(MAX_RANK);
        Stream { base, sizes: &self.sizes[..rank], strides: &self.strides[..rank], first }
    }
}
