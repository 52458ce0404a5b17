//! The shape of a layout: without padding, or with the least padding that has its strides.

use super::{PaddingKind, Shape};
use crate::error::{Argument, Detail, Result, Status};
use crate::model::layout::not_representable;
use crate::model::{Dtype, Layout, MAX_RANK, fixed};

impl Shape {
    /// The shape of an unpadded layout. NOT_REPRESENTABLE: an offset, gaps, zero or negative strides; the order follows
    /// [`Layout::minor_to_major`].
    ///
    /// ```
    /// use stride::vocabulary::xla::Shape;
    /// use stride::{Dtype, LayoutBuf};
    /// let columns = LayoutBuf::ordered(Dtype::F32, &[2, 3], &[0, 1])?;
    /// assert_eq!(Shape::from_layout(&columns.view()?)?.minor_to_major(), [0, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn from_layout(layout: &Layout<'_>) -> Result<Self> {
        let (dtype, element_bits) = check_hub(layout)?;
        let mut order = [0; MAX_RANK];
        layout.minor_to_major(&mut order)?;
        let order = order.get(..layout.rank()).unwrap_or(&[]);
        let shape = Self::stored(dtype, layout.sizes(), Some(order), element_bits)?;
        Ok(Self { high_first: layout.dtype().is_high_first(), ..shape })
    }

    /// The shape with the least padding that has these strides: a row pitch becomes a padded size. Each stride must be
    /// a multiple of the one before it that leaves room for its elements, else NOT_REPRESENTABLE; the fastest one is 1,
    /// or what a dimension of size 1 is padded to. The slowest dimension is never padded. The kind is unknown.
    ///
    /// ```
    /// use stride::vocabulary::xla::Shape;
    /// use stride::{Dtype, LayoutBuf};
    /// let rows = LayoutBuf::strided(Dtype::F32, &[2, 3], &[4, 1])?;
    /// assert_eq!(Shape::from_layout_padded(&rows.view()?)?.padded_sizes(), [2, 4]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn from_layout_padded(layout: &Layout<'_>) -> Result<Self> {
        let (dtype, element_bits) = check_hub(layout)?;
        let mut order = [0; MAX_RANK];
        layout.stride_order(&mut order)?;
        let order = order.get_mut(..layout.rank()).unwrap_or(&mut []);
        // `expected` is the stride of the next dimension without padding; `inner` the last dimension that may be padded
        // for it, and its own stride.
        let (mut expected, mut inner): (i64, Option<(usize, i64)>) = (1, None);
        let of = |&dimension: &i64| layout.dimension(dimension as usize);
        if !layout.is_empty()
            && order.iter().map(of).find(|of| of.0 != 1).is_some_and(|(_, stride)| stride > 1)
            && let Some(place) = order.iter().position(|dimension| of(dimension).0 == 1)
        {
            // If the elements lie apart, that dimension is the padding, fastest of all.
            order.get_mut(..=place).unwrap_or(&mut []).rotate_right(1);
            inner = order.first().map(|&one| (one as usize, 1));
        }
        let mut shape = Self::stored(dtype, layout.sizes(), Some(order), element_bits)?;
        shape.high_first = layout.dtype().is_high_first();
        if layout.is_empty() {
            return Ok(shape);
        }
        for &dimension in &*order {
            let (size, stride) = layout.dimension(dimension as usize);
            if size == 1 {
                continue;
            }
            if stride != expected {
                let error = not_representable(dimension as usize, stride, expected as i128);
                let Some((inner, inner_stride)) = inner else { return Err(error) };
                if stride < expected || stride % inner_stride != 0 {
                    return Err(error);
                }
                fixed::set(&mut shape.padded_sizes, inner, stride / inner_stride);
                shape.padding_kind = PaddingKind::Unknown;
            }
            inner = Some((dimension as usize, stride.max(1)));
            expected = stride.saturating_mul(size);
        }
        shape.check()?;
        Ok(shape)
    }
}

/// XLA's dtype and element bits for a layout of the hub.
fn check_hub(layout: &Layout<'_>) -> Result<(Dtype, u32)> {
    let error = |status: Status| status.of(Argument::Layout);
    let dtype = layout.dtype();
    let is_xla = !dtype.is_bytes() && !dtype.is_swapped();
    error(Status::InvalidDtype).unless(is_xla, Detail::DtypeForeign, dtype.code(), 3)?;
    let begins = layout.offset() == 0 || layout.is_empty();
    error(Status::NotRepresentable).unless(begins, Detail::Offset, layout.offset(), 0)?;
    Ok((dtype.low_first(), if dtype.is_sub_byte() { dtype.bits() as u32 } else { 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided<'a>(sizes: &'a [i64], strides: &'a [i64]) -> Layout<'a> {
        Layout::new(Dtype::F32, 0, sizes, strides).unwrap()
    }

    #[test]
    fn the_least_padding_that_fits() {
        let padded = Shape::from_layout_padded(&strided(&[2, 3], &[5, 1])).unwrap();
        assert_eq!((padded.padded_sizes(), padded.minor_to_major()), (&[2, 5][..], &[1, 0][..]));
        let padded = Shape::from_layout_padded(&strided(&[2, 1, 3, 4], &[60, 9, 1, 5])).unwrap();
        assert_eq!((padded.padded_sizes(), padded.minor_to_major()), (&[2, 1, 5, 12][..], &[2, 1, 3, 0][..]));
        assert!(Shape::from_layout(&strided(&[2, 3], &[5, 1])).is_err());
        for strides in [[5, 2], [2, 1], [1, 1], [-3, 1], [0, 1]] {
            let error = Shape::from_layout_padded(&strided(&[2, 3], &strides)).unwrap_err();
            assert_eq!(error.status, Status::NotRepresentable, "{strides:?}");
        }
    }
}
