//! Questions about a layout: does it fit a buffer, how much of it is packed, how are its elements and rows aligned.
//!
//! The *packed run* is the longest tail of dimensions that are packed together: the innermost stride is 1, and each
//! stride outside of it is the number of elements inside. Dimensions of size 1 belong to it wherever they stand, since
//! their stride means nothing (llvm-project#166448, #61158). Three by three rows of 96, `{3,3,1,96}` with strides
//! `{288,96,96,1}`, are one run of 864; 4 rows of 16 that lie 18 apart are runs of 16.
//!
//! A *row* is one such run; each index of the outer dimensions has one. So a packed image is one row.
//!
//! The *alignment* of elements is the largest power of two that divides the address of each, given that it divides the
//! base pointer. With `z(x)` the zeros at the end of x in binary, elements of whole bytes are at
//!
//! ```text
//! base + (offset + Σ i[k] · stride[k]) · bytes,   so   z = min(z(base), z(bytes) + z(offset | stride[0] | …))
//! ```
//!
//! over the dimensions of size above 1. The address of an element below a byte is that of its byte, which is no longer
//! a linear function; `shares_units` has the rule that still decides it exactly.

use super::MAX_RANK;
use super::arith;
use super::layout::Layout;
use crate::error::{Argument, Detail, Result, Status};

/// The answers that a caller needs first, all at once.
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// let rows = LayoutBuf::pitched(Dtype::F32, &[10, 6], 0, 32)?;
/// let facts = rows.view()?.facts();
/// assert_eq!((facts.min_bytes, facts.packed_bytes, facts.run), (Some(312), Some(240), (1, 6)));
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// [`Layout::formats`].
    pub formats: u32,
    /// [`Layout::element_count`].
    pub element_count: i64,
    /// [`Layout::span`]: the lowest element offset.
    pub lowest: i64,
    /// [`Layout::span`]: the highest element offset.
    pub highest: i64,
    /// [`Layout::min_bytes`], if no element lies below the base pointer.
    pub min_bytes: Option<u64>,
    /// Bytes of the elements alone, if they fit: the size of a packed copy.
    pub packed_bytes: Option<u64>,
    /// Bits of an element.
    pub element_bits: u32,
    /// [`Layout::contiguous_run`]: its dimensions and its elements.
    pub run: (usize, i64),
    /// [`Layout::alignment`] of elements and rows, from a base pointer that is aligned to 2^63 bytes. For a base
    /// pointer with a smaller alignment, the smaller number holds.
    pub alignment: (u64, u64),
}

impl Layout<'_> {
    /// Whether every element lies in a buffer of `buffer_bytes` bytes: OUT_OF_BOUNDS with the bytes needed and given,
    /// or with the lowest byte, if it lies below the base pointer. Empty layouts fit everything.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let row = LayoutBuf::packed(Dtype::F32, &[5])?;
    /// assert_eq!(row.view()?.fits(20), Ok(()));
    /// let error = row.view()?.fits(19).unwrap_err();
    /// assert_eq!(error.to_string(), "buffer_bytes: 20 bytes are needed, but the buffer has 19");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn fits(&self, buffer_bytes: u64) -> Result<()> {
        let needed = self.min_bytes()?;
        let error = Status::OutOfBounds.of(Argument::BufferBytes);
        error.unless(needed <= buffer_bytes, Detail::PastEnd, needed, buffer_bytes)
    }

    /// The packed run: how many of the last dimensions are packed together, and how many elements that is. If the
    /// innermost dimension has gaps, a run has no dimension and one element. An empty layout is one run of 0 elements.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// let rows = LayoutBuf::strided(Dtype::F32, &[4, 2, 3], &[8, 3, 1])?;
    /// assert_eq!(rows.view()?.contiguous_run(), (2, 6)); // the last two dimensions
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn contiguous_run(&self) -> (usize, i64) {
        if self.is_empty() {
            return (self.rank(), 0);
        }
        self.packed_run((0..self.rank()).rev())
    }

    /// The largest powers of two that divide the address of every element, and of the first element of every row, if
    /// `base` divides the base pointer; in bytes. INVALID_ARGUMENT unless it is one. Empty: both are `base`.
    ///
    /// ```
    /// use stride::model::{Dtype, Layout};
    /// // RGB pixels of a byte each, rows 256 bytes apart.
    /// let image = Layout::new(Dtype::U8, 0, &[480, 80, 3], &[256, 3, 1]).unwrap();
    /// assert_eq!(image.alignment(4096), Ok((1, 256)));
    /// ```
    pub fn alignment(&self, base: u64) -> Result<(u64, u64)> {
        let error = Status::InvalidArgument.of(Argument::BaseAlignment);
        error.unless(base.is_power_of_two(), Detail::NotAPowerOfTwo, base, 1)?;
        Ok(self.aligned(base, self.contiguous_run().0))
    }

    /// [`Layout::alignment`] for a power of two, with as many dimensions in a row.
    fn aligned(&self, base: u64, row: usize) -> (u64, u64) {
        let outside = self.rank().saturating_sub(row);
        (self.aligned_along(base, self.rank()), self.aligned_along(base, outside))
    }

    /// The alignment of all elements whose index is 0 after the first `dimensions` dimensions.
    fn aligned_along(&self, base: u64, dimensions: usize) -> u64 {
        if self.is_empty() {
            return base;
        }
        let (in_a_byte, element_bytes) = self.dtype().units();
        let most = base.trailing_zeros();
        let own = element_bytes.trailing_zeros();
        let zeros = (own..most).find(|&zeros| !self.shares_units(dimensions, in_a_byte as u64, zeros + 1 - own));
        1u64.wrapping_shl(zeros.unwrap_or(most))
    }

    /// Whether all elements lie in units (of `unit` elements: 1, 2, 4 or 8, what a byte holds) whose numbers are
    /// multiples of 2^`zeros`, for `zeros` above 0.
    ///
    /// An element offset o lies in such a unit if `o mod M < unit`, where `M = unit · 2^zeros >= 2 · unit`. Two such
    /// offsets differ, modulo M, by less than `unit`. So a stride's remainder nearest to 0 tells where a step leads:
    /// into the window of `unit` elements or beside it, never round to the next window. The first and the last element
    /// of the remainders must lie in the window, and then all do.
    fn shares_units(&self, dimensions: usize, unit: u64, zeros: u32) -> bool {
        let kept = (unit.trailing_zeros() + zeros).min(64);
        // The remainder modulo 2^kept that is nearest to 0.
        let nearest = |number: i64| number.wrapping_shl(64 - kept).wrapping_shr(64 - kept) as i128;
        let (mut lowest, mut highest) = (nearest(self.offset()), nearest(self.offset()));
        for (size, stride) in self.dimensions().take(dimensions.min(MAX_RANK)) {
            let reach = (size - 1) as i128 * nearest(stride); // I3 bounds the sum of all (size − 1): no sum overflows
            lowest += reach.min(0);
            highest += reach.max(0);
        }
        lowest >= 0 && highest < unit as i128
    }

    /// All answers at once.
    ///
    /// ```
    /// use stride::model::formats::{DENSE, PACKED};
    /// use stride::{Dtype, LayoutBuf};
    /// let facts = LayoutBuf::packed(Dtype::F32, &[2, 3])?.view()?.facts();
    /// assert_eq!((facts.element_count, facts.lowest, facts.highest, facts.element_bits), (6, 0, 5, 32));
    /// assert_eq!(facts.formats & (PACKED | DENSE), PACKED | DENSE);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn facts(&self) -> Facts {
        let (lowest, highest) = self.span();
        let bits = self.dtype().bits();
        let run = self.contiguous_run();
        Facts {
            formats: self.formats(),
            element_count: self.element_count(),
            lowest,
            highest,
            min_bytes: self.min_bytes().ok(),
            packed_bytes: self.element_count().checked_mul(bits).map(|bits| arith::bytes_for_bits(bits as u64)),
            element_bits: bits as u32,
            run,
            alignment: self.aligned(1 << 63, run.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;

    fn layout<'a>(dtype: Dtype, offset: i64, sizes: &'a [i64], strides: &'a [i64]) -> Layout<'a> {
        Layout::new(dtype, offset, sizes, strides).unwrap()
    }

    #[test]
    fn runs_end_where_there_is_a_gap() {
        let run = |sizes: &[i64], strides: &[i64]| layout(Dtype::F32, 7, sizes, strides).contiguous_run();
        assert_eq!(run(&[], &[]), (0, 1));
        assert_eq!(run(&[3, 3, 1, 96], &[288, 96, 96, 1]), (4, 864));
        assert_eq!(run(&[4, 16], &[18, 1]), (1, 16));
        assert_eq!(run(&[4, 16], &[16, 2]), (0, 1));
        assert_eq!(run(&[2, 0], &[9, 9]), (2, 0));
        assert_eq!(run(&[2, 1, 4], &[9, 77, 1]), (2, 4));
        assert_eq!(run(&[4], &[-1]), (0, 1));
    }

    #[test]
    fn bytes_of_nibbles_are_where_elements_are() {
        // Nibbles 0, 1, 4, 5: bytes 0 and 2. Nibbles 1, 4: bytes 0 and 2 too, but nibbles 1, 3: bytes 0 and 1.
        assert_eq!(layout(Dtype::U4, 0, &[2, 2], &[4, 1]).alignment(64), Ok((2, 2)));
        assert_eq!(layout(Dtype::U4, 1, &[2], &[3]).alignment(64), Ok((2, 2)));
        assert_eq!(layout(Dtype::U4, 1, &[2], &[2]).alignment(64), Ok((1, 1)));
        assert_eq!(layout(Dtype::U4, 1, &[2], &[-1]).alignment(64), Ok((64, 64)));
        assert_eq!(layout(Dtype::S1, 3, &[5], &[1]).alignment(1 << 63), Ok((1 << 63, 1 << 63)));
        assert_eq!(layout(Dtype::F64, 0, &[3], &[1]).alignment(4), Ok((4, 4)));
        assert_eq!(layout(Dtype::F64, 0, &[3], &[1]).alignment(0).unwrap_err().detail, Detail::NotAPowerOfTwo);
        assert_eq!(layout(Dtype::U8, -(1 << 60), &[2], &[1 << 59]).alignment(1 << 63), Ok((1 << 59, 1 << 59)));
    }
}
