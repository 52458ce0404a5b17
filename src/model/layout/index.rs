//! Indices of a layout: the offset of one, in elements or in bytes and bits, its row-major number, and the inverse.

use super::Layout;
use crate::error::{Argument, Detail, Result, Status, check_count};

impl Layout<'_> {
    /// Element offset of an index; INVALID_RANK, INDEX_OUT_OF_RANGE with the dimension.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert_eq!(layout.offset_of(&[1, 2])?, 6);
    /// let error = layout.offset_of(&[1, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "index, dimension 1: index 3 is outside 0 ... 2");
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn offset_of(&self, index: &[i64]) -> Result<i64> {
        check_index(index, self.sizes)?;
        // Every partial sum lies between two offsets of the layout's box, so I4 keeps it in range.
        let steps = index.iter().zip(self.strides);
        Ok(steps.fold(self.offset, |offset, (&i, &stride)| offset.wrapping_add(i.wrapping_mul(stride))))
    }

    /// The place of an index in bytes and bits: the byte, from the base pointer, with the first bit of the element, and
    /// the number of that bit in it, from the end of the byte at which the dtype begins.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let nibbles = Layout::new(Dtype::U4, 0, &[2, 3], &[3, 1])?;
    /// assert_eq!(nibbles.byte_offset_of(&[1, 0])?, (1, 4)); // the second row begins in the middle of a byte
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn byte_offset_of(&self, index: &[i64]) -> Result<(i64, u32)> {
        let (offset, width) = (self.offset_of(index)?, self.dtype.bits());
        let bits = offset as i128 * width as i128;
        let byte = bits >> 3;
        let overflow = Status::Overflow.of(Argument::Layout);
        overflow.unless(byte == byte as i64 as i128, Detail::Product, offset, width / 8)?;
        Ok((byte as i64, (bits & 7) as u32))
    }

    /// Row-major number of an index: the last dimension counts fastest, strides do not matter.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// assert_eq!(layout.ravel(&[1, 2])?, 5); // the last of six
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn ravel(&self, index: &[i64]) -> Result<i64> {
        check_index(index, self.sizes)?;
        let digits = index.iter().zip(self.sizes);
        Ok(digits.fold(0i64, |number, (&i, &size)| number.wrapping_mul(size).wrapping_add(i))) // I3
    }

    /// The inverse of [`Layout::ravel`]: writes the index of a row-major number into the first `rank` entries.
    /// INVALID_RANK if there are fewer.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 5, &[2, 3], &[3, -1])?;
    /// let mut index = [0; 2];
    /// layout.unravel(5, &mut index)?;
    /// assert_eq!(index, [1, 2]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn unravel(&self, number: i64, index: &mut [i64]) -> Result<()> {
        let (error, count) = (Status::IndexOutOfRange.of(Argument::Linear), self.extent.count);
        error.unless((0..count).contains(&number), Detail::OutOfRange, number, count)?;
        let Some(index) = index.get_mut(..self.rank()) else {
            let error = Status::InvalidRank.of(Argument::Index);
            return Err(error.because(Detail::Below, index.len() as i64, self.rank() as i64));
        };
        let mut rest = number as u64;
        for (&size, digit) in self.sizes.iter().zip(index).rev() {
            let size = (size as u64).max(1); // no size is 0 here: the count is above `number`
            *digit = (rest % size) as i64;
            rest /= size;
        }
        Ok(())
    }
}

/// Checks that an index has as many entries as there are sizes (INVALID_RANK), each in its size (INDEX_OUT_OF_RANGE).
#[inline]
pub(crate) fn check_index(index: &[i64], sizes: &[i64]) -> Result<()> {
    check_count(index.len(), sizes.len(), Argument::Rank)?;
    for (dimension, (&i, &size)) in index.iter().zip(sizes).enumerate() {
        let error = Status::IndexOutOfRange.of(Argument::Index).dimension(dimension);
        error.unless((0..size).contains(&i), Detail::OutOfRange, i, size)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;

    #[test]
    fn row_major_numbers_come_back() {
        let l = Layout::new(Dtype::F32, 0, &[2, 1, 3], &[-7, 99, 0]).unwrap();
        let mut index = [0; 3];
        for number in 0..6 {
            l.unravel(number, &mut index).unwrap();
            assert_eq!(l.ravel(&index), Ok(number));
        }
        assert_eq!(index, [1, 0, 2]);
        assert!(l.unravel(6, &mut index).is_err() && l.unravel(-1, &mut index).is_err());
    }

    #[test]
    fn bytes_that_no_number_says() {
        let far = Layout::new(Dtype::C128, -(1 << 62), &[2, 2], &[1 << 62, 1]).unwrap();
        let error = far.byte_offset_of(&[0, 1]).unwrap_err();
        assert_eq!((error.detail, error.lhs, error.rhs), (Detail::Product, 1 - (1 << 62), 16));
    }
}
