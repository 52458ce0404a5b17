//! The well-known formats of a layout. One tensor can have several, so all are returned at once: a packed N1HW is
//! channels-last too (pytorch#24090). Offsets and the strides of size-1 dimensions do not matter.

use super::layout::{Layout, channels_last};

/// Flag: row-major without gaps.
pub const PACKED: u32 = 1;
/// Flag: the first dimension varies fastest, without gaps.
pub const COLUMN_MAJOR: u32 = 2;
/// Flag: without gaps in some order of the dimensions, each element once; the signs of the strides do not count.
pub const DENSE: u32 = 4;
/// Flag: NHWC at rank 4 and NDHWC at rank 5, without gaps (PyTorch's `is_contiguous(memory_format=channels_last)`).
/// An empty tensor is not channels-last.
pub const CHANNELS_LAST: u32 = 8;

impl Layout<'_> {
    /// Every format that holds. Empty layouts and rank 0 are PACKED, COLUMN_MAJOR and DENSE.
    ///
    /// ```
    /// use stride::model::formats::{CHANNELS_LAST, DENSE, PACKED};
    /// use stride::{Dtype, LayoutBuf};
    /// let formats = LayoutBuf::channels_last(Dtype::F32, &[2, 3, 4, 5])?.view()?.formats();
    /// assert_eq!(formats & (PACKED | DENSE | CHANNELS_LAST), DENSE | CHANNELS_LAST);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn formats(&self) -> u32 {
        if self.is_empty() {
            return PACKED | COLUMN_MAJOR | DENSE;
        }
        let rank = self.rank();
        let mut flags = 0;
        if self.packed_run((0..rank).rev()).0 == rank {
            flags |= PACKED;
        }
        if self.packed_run(0..rank).0 == rank {
            flags |= COLUMN_MAJOR;
        }
        if flags != 0 || self.is_dense() {
            flags |= DENSE;
        }
        if (rank == 4 || rank == 5) && self.packed_run(channels_last(rank)).0 == rank {
            flags |= CHANNELS_LAST;
        }
        flags
    }

    /// Takes the dimensions in the order of the strides they would need: 1, then the size of the one found, and so on
    /// until all elements are there. Each needs a larger one, so none is found twice.
    fn is_dense(&self) -> bool {
        let mut expected = 1i64;
        while expected != self.element_count() {
            let next = self.dimensions().find(|&(size, stride)| size != 1 && stride.unsigned_abs() == expected as u64);
            let Some((size, _)) = next else { return false };
            expected = expected.wrapping_mul(size); // I3
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;

    fn formats(sizes: &[i64], strides: &[i64]) -> u32 {
        Layout::new(Dtype::F32, 5, sizes, strides).unwrap().formats()
    }

    #[test]
    fn all_that_hold() {
        assert_eq!(formats(&[], &[]), PACKED | COLUMN_MAJOR | DENSE);
        assert_eq!(formats(&[2, 3], &[3, 1]), PACKED | DENSE);
        assert_eq!(formats(&[2, 3], &[1, 2]), COLUMN_MAJOR | DENSE);
        assert_eq!(formats(&[2, 3], &[-3, 1]), DENSE);
        assert_eq!(formats(&[2, 3], &[4, 1]), 0);
        assert_eq!(formats(&[2, 3], &[0, 1]), 0);
        // N1HW: packed and channels-last at once.
        assert_eq!(formats(&[2, 1, 3, 4], &[12, 77, 4, 1]), PACKED | DENSE | CHANNELS_LAST);
        assert_eq!(formats(&[2, 5, 3, 4], &[60, 1, 20, 5]), DENSE | CHANNELS_LAST);
        assert_eq!(formats(&[2, 5, 0, 4], &[1, 2, 3, 4]), PACKED | COLUMN_MAJOR | DENSE);
    }
}
