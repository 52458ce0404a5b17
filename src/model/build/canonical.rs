//! Other numbers for the elements of a layout: canonical strides, strides in bytes, another base pointer.

use super::{LayoutBuf, LayoutStorage};
use crate::error::{Argument, Detail, ForArgument, Result, Status};
use crate::model::{Layout, MAX_RANK, arith};

/// The stride of a size-1 dimension in a canonical layout.
///
/// ```
/// use stride::model::build::SizeOneRule;
/// use stride::{Dtype, Layout};
/// let column = Layout::new(Dtype::F32, 0, &[3, 1], &[1, 77])?;
/// assert_eq!(column.canonical(SizeOneRule::Keep).strides(), [1, 77]);
/// assert_eq!(column.canonical(SizeOneRule::Zero).strides(), [1, 0]);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeOneRule {
    /// As given.
    Keep,
    /// Size times stride of the next dimension on the right, 1 for the last: what a packed layout has there.
    Natural,
    /// 1, as PyTorch exports.
    One,
    /// 0, as ONNX Runtime's broadcasting writes.
    Zero,
}

impl Layout<'_> {
    /// The same mapping, with strides of size-1 dimensions by `rule`. An empty layout gets packed strides (all 0)
    /// unless they are kept. A natural stride that does not fit 64 bits becomes 0.
    ///
    /// ```
    /// use stride::model::build::SizeOneRule;
    /// use stride::{Dtype, Layout};
    /// let layout = Layout::new(Dtype::F32, 0, &[2, 1, 3], &[3, -5, 1])?;
    /// assert_eq!(layout.canonical(SizeOneRule::Natural).strides(), [3, 3, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn canonical(&self, rule: SizeOneRule) -> LayoutBuf {
        let mut out = LayoutBuf::copied(self);
        out.0.canonicalize(rule);
        out
    }

    /// [`Layout::canonical`] in a lent layout.
    pub(crate) fn canonical_in<'o>(&self, rule: SizeOneRule, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
        out.copy(self);
        out.canonicalize(rule);
        out.view()
    }

    /// Strides in bytes, into the first `rank` entries: the inverse of [`LayoutBuf::byte_strided`]. NOT_REPRESENTABLE
    /// names a dimension whose elements, below a byte, do not lie a whole number of bytes apart; OVERFLOW names one
    /// whose stride does not fit 64 bits (downward the reach is not bounded). An ignored one without a number is 0.
    ///
    /// ```
    /// use stride::{Dtype, Layout, model::MAX_RANK};
    /// let mut bytes = [0; MAX_RANK];
    /// Layout::new(Dtype::F32, 0, &[2, 3], &[4, -1])?.byte_strides(&mut bytes)?;
    /// assert_eq!(bytes[..2], [16, -4]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn byte_strides(&self, out: &mut [i64; MAX_RANK]) -> Result<()> {
        let (in_a_byte, element_bytes) = self.dtype().units();
        for (dimension, (slot, (size, stride))) in out.iter_mut().zip(self.dimensions()).enumerate() {
            let error = Status::NotRepresentable.of(Argument::Layout).dimension(dimension);
            *slot = match arith::scaled(stride, [in_a_byte, element_bytes], Detail::WholeBytes, error) {
                Err(_) if size <= 1 || self.is_empty() => 0,
                bytes => bytes?,
            };
        }
        Ok(())
    }

    /// The same elements seen from a base pointer moved by the returned number of bytes, so that the lowest element is
    /// the first of the buffer. For callers whose pointer is index (0, …, 0) of a mirrored view. If elements are
    /// smaller than a byte and the lowest one does not begin a byte, its place in the byte stays as the offset. An
    /// empty layout is returned unchanged, with 0.
    ///
    /// ```
    /// use stride::{Dtype, Layout};
    /// // A mirrored row whose pointer is that of its first element, the last in memory.
    /// let (rebased, shift) = Layout::new(Dtype::F32, 0, &[3], &[-1])?.rebased()?;
    /// assert_eq!((rebased.offset(), shift), (2, -8));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn rebased(&self) -> Result<(LayoutBuf, i64)> {
        let mut out = LayoutStorage::default();
        let (_, shift) = self.rebased_in(&mut out)?;
        Ok((LayoutBuf(out), shift))
    }

    /// [`Layout::rebased`] in a lent layout.
    pub(crate) fn rebased_in<'o>(&self, out: &'o mut LayoutStorage) -> Result<(Layout<'o>, i64)> {
        out.copy(self);
        if self.is_empty() {
            return Ok((out.view()?, 0));
        }
        let overflow = Status::Overflow.of(Argument::Layout);
        let bits = self.dtype().bits();
        let shift = (self.span().0 as i128 * bits as i128) >> 3; // floor
        let lowest = overflow.because(Detail::Product, self.span().0, bits / 8);
        let shift_bytes = i64::try_from(shift).map_err(|_| lowest)?;
        // The elements below the new base: those below the lowest one, or below the byte in which it lies.
        let below = self.span().0 & !(self.dtype().units().0 - 1);
        let offset =
            self.offset().checked_sub(below).ok_or(overflow.because(Detail::Difference, self.offset(), below))?;
        out.set_offset(offset);
        Ok((out.view().in_role(Argument::Layout)?, shift_bytes))
    }
}

impl LayoutStorage {
    /// [`Layout::canonical`] in place.
    pub(crate) fn canonicalize(&mut self, rule: SizeOneRule) {
        if rule == SizeOneRule::Keep {
            return;
        }
        let empty = arith::has_zero(&self.sizes);
        let mut natural = 1i64;
        for (slot, &size) in self.strides.iter_mut().zip(&self.sizes).rev() {
            if empty {
                *slot = 0;
            } else if size == 1 {
                *slot = match rule {
                    SizeOneRule::One => 1,
                    SizeOneRule::Zero => 0,
                    SizeOneRule::Natural | SizeOneRule::Keep => natural,
                };
                continue; // the next size-1 dimension on the left gets the same
            }
            natural = slot.checked_mul(size).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;

    #[test]
    fn rebase_of_a_mirrored_row() {
        let mirrored = Layout::new(Dtype::F32, 0, &[2, 3], &[3, -1]).unwrap();
        let (out, shift) = mirrored.rebased().unwrap();
        assert_eq!((out.view().unwrap().offset(), out.view().unwrap().span(), shift), (2, (0, 5), -8));
        // Seven nibbles up: the base moves by three bytes, one nibble stays.
        let nibbles = Layout::new(Dtype::U4, 7, &[4], &[1]).unwrap();
        let (out, shift) = nibbles.rebased().unwrap();
        assert_eq!((out.view().unwrap().offset(), shift), (1, 3));
        // 5-byte elements below the base.
        let odd = Layout::new(Dtype::bytes(5).unwrap(), 0, &[3], &[-1]).unwrap();
        assert_eq!(odd.rebased().unwrap().1, -10);
        // Further down than bytes can count.
        let far = Layout::new(Dtype::C128, -(1 << 62), &[2, 2], &[1 << 62, 1]).unwrap().rebased().unwrap_err();
        assert_eq!((far.detail, far.lhs, far.rhs), (Detail::Product, -(1 << 62), 16));
    }

    #[test]
    fn canonical_strides_of_size_one() {
        let l = Layout::new(Dtype::F32, 0, &[1, 3, 1, 1, 4, 1], &[9, 4, 9, 9, 1, 9]).unwrap();
        assert_eq!(l.canonical(SizeOneRule::Natural).strides(), [12, 4, 4, 4, 1, 1]);
        assert_eq!(l.canonical(SizeOneRule::One).strides(), [1, 4, 1, 1, 1, 1]);
        assert_eq!(l.canonical(SizeOneRule::Zero).strides(), [0, 4, 0, 0, 1, 0]);
        assert_eq!(l.canonical(SizeOneRule::Keep).strides(), [9, 4, 9, 9, 1, 9]);
    }
}
