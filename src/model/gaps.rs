//! Layouts with gaps between their rows: pitched, aligned, in the corner of a padded buffer.
//!
//! All three are packed inside a row. They differ in how the distance from row to row is given: in bytes, as the least
//! that an alignment allows, or by the sizes of the buffer that holds the elements.

use super::arith;
use super::build::{LayoutBuf, LayoutStorage, resolve_axis};
use super::dtype::Dtype;
use super::layout::Layout;
use super::size::{Size, SizeRoom};
use crate::error::{Argument, Detail, ForArgument, Result, Status, check_count};

impl LayoutBuf {
    /// Packed but for dimension `axis`, whose neighbours lie `pitch_bytes` apart: {480, 640, 3} bytes of axis 0 and
    /// pitch 2048 have the strides {2048, 3, 1}. INVALID_ARGUMENT unless the pitch holds what lies inside the axis and
    /// is a whole number of elements. An axis below 0 counts from the end.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// // Rows of 100 pixels of 3 bytes that begin every 512 bytes.
    /// assert_eq!(LayoutBuf::pitched(Dtype::U8, &[50, 100, 3], 0, 512)?.strides(), [512, 3, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn pitched<S: Size>(dtype: Dtype, sizes: &[S], axis: i64, pitch_bytes: u64) -> Result<Self> {
        Self::of_sizes(sizes, |sizes, out| out.set_pitched(dtype, sizes, axis, pitch_bytes))
    }

    /// The corner of a packed buffer of `padded` sizes: {2,3} in {2,4} has strides {4,1}. INVALID_SIZE below the sizes.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// assert_eq!(LayoutBuf::padded(Dtype::F32, &[2, 3, 5], &[2, 4, 8])?.strides(), [32, 8, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn padded<S: Size>(dtype: Dtype, sizes: &[S], padded: &[S]) -> Result<Self> {
        let mut room = SizeRoom::new();
        Self::of_sizes(sizes, |sizes, out| out.set_padded(dtype, sizes, S::list(padded, &mut room)?))
    }

    /// Packed except for dimension `axis`. Its neighbours lie as few bytes apart as hold what is inside the axis and
    /// are a multiple of `alignment_bytes` and a whole number of elements: rows of 3 f32 aligned to 16 bytes lie 16
    /// bytes apart, rows of 3 elements of 12 bytes 48. Any number of bytes but 0.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf};
    /// assert_eq!(LayoutBuf::aligned(Dtype::F32, &[10, 6], 0, 32)?.strides(), [8, 1]); // rows of 24 bytes take 32
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn aligned<S: Size>(dtype: Dtype, sizes: &[S], axis: i64, alignment_bytes: u64) -> Result<Self> {
        Self::of_sizes(sizes, |sizes, out| out.set_aligned(dtype, sizes, axis, alignment_bytes))
    }
}

impl LayoutStorage {
    /// Packed; the axis, and the bits of one step along it, if there are elements. Mistakes in the sizes are found
    /// first, so that later errors are about the step.
    #[inline(never)]
    fn set_packed_along(&mut self, dtype: Dtype, sizes: &[i64], axis: i64) -> Result<Option<(usize, i64)>> {
        let count = self.set_packed(dtype, sizes)?.element_count();
        let axis = resolve_axis(axis, sizes.len()).for_argument(Argument::Axis)?;
        if count == 0 {
            return Ok(None);
        }
        let inside = arith::element_count(sizes.get(axis + 1..).unwrap_or(&[]))?;
        Ok(Some((axis, arith::multiply(inside, dtype.bits())?)))
    }

    /// Becomes the layout of [`LayoutBuf::pitched`].
    pub(crate) fn set_pitched(
        &mut self,
        dtype: Dtype,
        sizes: &[i64],
        axis: i64,
        pitch_bytes: u64,
    ) -> Result<Layout<'_>> {
        let Some((axis, inside_bits)) = self.set_packed_along(dtype, sizes, axis)? else { return self.view() };
        let error = Status::InvalidArgument.of(Argument::PitchBytes);
        let pitch_bits = pitch_bytes as i128 * 8;
        let least = arith::bytes_for_bits(inside_bits as u64);
        error.unless(pitch_bits >= inside_bits as i128, Detail::Below, pitch_bytes, least)?;
        let bits = dtype.bits().max(1) as i128;
        error.unless(pitch_bits % bits == 0, Detail::NotAMultiple, pitch_bytes, bits / 8)?;
        let size = sizes.get(axis).copied().unwrap_or(1);
        let pitch = i64::try_from(pitch_bits / bits).ok();
        let error = Status::Overflow.of(Argument::PitchBytes).dimension(axis);
        error.unless(pitch.is_some() || size == 1, Detail::NewStride, size, i64::MAX)?;
        self.fill_strides(sizes, pitch, (0..=axis).rev());
        self.view().in_role(Argument::PitchBytes)
    }

    /// Becomes the layout of [`LayoutBuf::padded`].
    pub(crate) fn set_padded(&mut self, dtype: Dtype, sizes: &[i64], padded: &[i64]) -> Result<Layout<'_>> {
        check_count(padded.len(), sizes.len(), Argument::Rank)?;
        self.set_sizes(dtype, sizes)?;
        for (dimension, (&size, &room)) in sizes.iter().zip(padded).enumerate() {
            let error = Status::InvalidSize.of(Argument::PaddedSizes).dimension(dimension);
            error.unless(room >= size, Detail::Below, room, size)?;
        }
        self.fill_strides(padded, Some(1), (0..sizes.len()).rev());
        self.view()
    }

    /// Becomes the layout of [`LayoutBuf::aligned`].
    pub(crate) fn set_aligned(
        &mut self,
        dtype: Dtype,
        sizes: &[i64],
        axis: i64,
        alignment_bytes: u64,
    ) -> Result<Layout<'_>> {
        /// No layout reaches further (I4).
        const MOST_ALIGNMENT: u64 = 1 << 60;
        let error = Status::InvalidArgument.of(Argument::AlignmentBytes);
        let Some((axis, inside_bits)) = self.set_packed_along(dtype, sizes, axis)? else { return self.view() };
        error.unless(alignment_bytes != 0, Detail::Below, 0, 1)?;
        error.unless(alignment_bytes <= MOST_ALIGNMENT, Detail::Above, alignment_bytes, MOST_ALIGNMENT)?;
        let inside_bytes = arith::bytes_for_bits(inside_bits as u64) as i64;
        // The pitch is a number of units, each the least common multiple of alignment and element; one unit if that
        // leaves 64 bits. `unit` counts elements, or bytes if elements are smaller.
        let (in_a_byte, element_bytes) = dtype.units();
        let unit = (alignment_bytes / arith::gcd(alignment_bytes, element_bytes as u64).max(1)) as i64;
        let units = match arith::multiply(unit, element_bytes) {
            Ok(bytes) => (inside_bytes as u64).div_ceil(bytes.max(1) as u64) as i64,
            Err(_) => 1,
        };
        let pitch = arith::multiply(units, unit).and_then(|pitch| arith::multiply(pitch, in_a_byte));
        if sizes.get(axis) != Some(&1) {
            pitch.for_argument(Argument::AlignmentBytes)?;
        }
        self.fill_strides(sizes, pitch.ok(), (0..=axis).rev());
        self.view().in_role(Argument::AlignmentBytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strides(layout: &LayoutBuf) -> &[i64] {
        layout.view().unwrap().strides()
    }

    #[test]
    fn pitches() {
        let sizes = [2, 3, 4, 5];
        assert_eq!(strides(&LayoutBuf::pitched(Dtype::F32, &sizes, -2, 256).unwrap()), [768, 256, 64, 1]);
        // Packed rows of odd length share a byte; a pitch keeps them apart.
        assert_eq!(strides(&LayoutBuf::pitched(Dtype::U4, &[2, 3], 0, 2).unwrap()), [4, 1]);
        let error = LayoutBuf::pitched(Dtype::F32, &[2, 3], 0, 8).unwrap_err();
        assert_eq!((error.argument, error.lhs, error.rhs), (Argument::PitchBytes, 8, 12));
        assert!(LayoutBuf::pitched(Dtype::F32, &[2, 3], 0, 14).is_err());
        assert!(LayoutBuf::pitched(Dtype::F32, &[0, 1i64 << 62], 0, 4).is_ok());
        // A stride that does not fit, of one element that it does not move; the farthest that fits; and of two.
        let one = |sizes: &[i64], pitch| LayoutBuf::pitched(Dtype::U8, sizes, -1, pitch);
        assert_eq!(strides(&one(&[1, 1], 1 << 63).unwrap()), [0, 0]);
        assert_eq!(strides(&one(&[1, 1], i64::MAX as u64).unwrap()), [i64::MAX; 2]);
        assert_eq!(one(&[2, 1], 1 << 63).unwrap_err().status, Status::Overflow);
    }

    #[test]
    fn paddings_and_alignments() {
        assert_eq!(strides(&LayoutBuf::padded(Dtype::F32, &[2, 3, 1], &[9, 4, 2]).unwrap()), [8, 2, 1]);
        assert_eq!(strides(&LayoutBuf::padded(Dtype::F32, &[2, 0], &[2, 4]).unwrap()), [0, 0]);
        let (far, room) = (LayoutBuf::padded(Dtype::U8, &[1, 1, 3], &[9, 1i64 << 62, 3]), [2i64, 1 << 62, 1 << 62]);
        assert_eq!(strides(&far.unwrap()), [0, 3, 1]);
        assert_eq!(LayoutBuf::padded(Dtype::U8, &[2, 1, 3], &room).unwrap_err().status, Status::Overflow);
        let error = LayoutBuf::padded(Dtype::F32, &[2, 3], &[2, 2]).unwrap_err();
        assert_eq!((error.argument, error.dimension, error.lhs, error.rhs), (Argument::PaddedSizes, 1, 2, 3));

        let aligned = |dtype, sizes, bytes| LayoutBuf::aligned(dtype, sizes, 0, bytes);
        assert_eq!(strides(&aligned(Dtype::F32, &[2, 3], 16).unwrap()), [4, 1]);
        assert_eq!(strides(&aligned(Dtype::U4, &[2, 3], 4).unwrap()), [8, 1]);
        assert_eq!(strides(&aligned(Dtype::bytes(12).unwrap(), &[2, 3], 16).unwrap()), [4, 1]);
        assert_eq!(strides(&aligned(Dtype::U8, &[2, 3, 5], 10).unwrap()), [20, 5, 1]);
        assert_eq!(aligned(Dtype::U8, &[2, 3], 0).unwrap_err().argument, Argument::AlignmentBytes);
        assert_eq!(aligned(Dtype::U8, &[2, 3], u64::MAX).unwrap_err().detail, Detail::Above);
        assert!(aligned(Dtype::U8, &[0, 3], 0).is_ok());
        assert!(aligned(Dtype::U8, &[1, 3], 1 << 60).is_ok());
        // As a pitch: one that does not fit, of a single element; one of which only the bytes do not fit; and of two.
        let wide = Dtype::bytes((1 << 24) - 1).unwrap();
        assert_eq!(strides(&aligned(Dtype::U1, &[1], 1 << 60).unwrap()), [0]);
        assert_eq!(strides(&aligned(wide, &[1, 1], 1 << 60).unwrap()), [1 << 60, 1]);
        for dtype in [Dtype::U1, wide] {
            let error = aligned(dtype, &[2, 1], 1 << 60).unwrap_err();
            assert_eq!((error.status, error.argument), (Status::Overflow, Argument::AlignmentBytes));
        }
    }
}
