//! The order of the dimensions, outermost first, which strides alone may not determine.
//!
//! An order *fits* a layout if the strides of its dimensions of size above 1, without their signs, never grow from one
//! to the next. An equal stride may come before or after, and 0 is the smallest. Dimensions of size 1 may stand
//! anywhere. So one layout can have several orders, and code that sorts strides picks one that nobody meant: a
//! channels-last `{8,1,3,3}` with the strides `{9,1,3,1}` became `(0,2,1,3)`, which is neither NCHW nor NHWC
//! (executorch#22520).
//!
//! Hence the caller states a preference, and gets it whenever it fits. Otherwise the result is the canonical order:
//! strides from large to small, equal ones by their number, a size-1 dimension before the next larger dimension on its
//! right, trailing ones last. A preference that does not fit is not used to break ties. If [`Layout::minor_to_major`]
//! has an answer, the canonical order is its reverse.

use super::MAX_RANK;
use super::build::check_order;
use super::fixed;
use super::layout::{Layout, not_representable};
use crate::error::{Argument, ForArgument, Result};

impl Layout<'_> {
    /// The order of the dimensions, outermost first, into the first `rank` entries: `preferred` if it fits, else the
    /// canonical one. `preferred` is empty (no preference) or a permutation, else INVALID_AXES. Returns whether no
    /// other order fits.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf, model::MAX_RANK};
    /// let nhwc = LayoutBuf::channels_last(Dtype::F32, &[2, 3, 4, 5])?;
    /// let mut order = [0; MAX_RANK];
    /// let unique = nhwc.view()?.dim_order(&[], &mut order)?;
    /// assert_eq!((&order[..4], unique), (&[0, 2, 3, 1][..], true));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn dim_order(&self, preferred: &[i64], out: &mut [i64; MAX_RANK]) -> Result<bool> {
        if !preferred.is_empty() {
            check_order(preferred, self.rank()).in_role(Argument::Preferred)?;
        }
        self.canonical_order(out);
        let canonical = out.get(..self.rank()).unwrap_or(&[]);
        let of_size_1 = self.sizes().contains(&1);
        let unique = self.rank() <= 1
            || (!self.is_empty()
                && !of_size_1
                && self.strides_along(canonical).is_sorted_by(|outer, inner| outer > inner));
        if self.strides_along(preferred).is_sorted_by(|outer, inner| outer >= inner) {
            for (slot, &dimension) in out.iter_mut().zip(preferred) {
                *slot = dimension;
            }
        }
        Ok(unique)
    }

    /// The strides that mean something, without their signs, in this order.
    fn strides_along(&self, order: &[i64]) -> impl Iterator<Item = u64> {
        let dimensions = order.iter().map(|&dimension| self.dimension(dimension as usize));
        dimensions.filter(|&(size, _)| size > 1 && !self.is_empty()).map(|(_, stride)| stride.unsigned_abs())
    }

    /// The canonical order, outermost first: a dimension of size 1 has the stride of the next larger one on its right.
    fn canonical_order(&self, out: &mut [i64; MAX_RANK]) {
        let along = |dimension: usize| match self.dimension(dimension) {
            (1, _) => {
                let larger = self.dimensions().skip(dimension).find(|&(size, _)| size > 1);
                larger.map(|(_, stride)| stride.unsigned_abs())
            }
            (_, stride) => Some(stride.unsigned_abs()),
        };
        for (filled, dimension) in (0..self.rank()).rev().enumerate() {
            let (placed, own) = (out.get(..filled).unwrap_or(&[]), along(dimension));
            let position = placed.iter().position(|&other| self.is_empty() || along(other as usize) <= own);
            fixed::insert(out, filled, position.unwrap_or(filled), dimension as i64);
        }
    }

    /// The dimensions by ascending stride, size-1 dimensions as in [`Layout::minor_to_major`]; distinct and above 0.
    pub(crate) fn stride_order(&self, out: &mut [i64; MAX_RANK]) -> Result<()> {
        for (dimension, (size, stride)) in self.dimensions().enumerate().rev() {
            let shared = self.dimensions().skip(dimension + 1).any(|(other, same)| other > 1 && same == stride);
            if size > 1 && (stride <= 0 || shared) && !self.is_empty() {
                return Err(not_representable(dimension, stride, self.free_stride(dimension) as i128));
            }
        }
        self.canonical_order(out);
        out[..self.rank()].reverse();
        Ok(())
    }

    /// The least stride that, without gaps, no other dimension has.
    #[cold]
    fn free_stride(&self, dimension: usize) -> i64 {
        let others = || self.dimensions().enumerate().filter(|&(other, (size, _))| other != dimension && size > 1);
        let mut free = 1i64;
        while let Some((_, (size, _))) = others().find(|&(_, (_, stride))| stride == free) {
            free = free.saturating_mul(size); // ends: no stride of two elements is that far (I4)
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dtype;
    use std::vec::Vec;

    fn order(sizes: &[i64], strides: &[i64], preferred: &[i64]) -> (Vec<i64>, bool) {
        let (layout, mut out) = (Layout::new(Dtype::F32, 0, sizes, strides).unwrap(), [-9; MAX_RANK]);
        let unique = layout.dim_order(preferred, &mut out).unwrap();
        assert!(out[sizes.len()..].iter().all(|&entry| entry == -9));
        (out[..sizes.len()].to_vec(), unique)
    }

    #[test]
    fn a_wish_is_granted_where_it_fits() {
        let nhwc = [0, 2, 3, 1];
        assert_eq!(order(&[8, 1, 3, 3], &[9, 1, 3, 1], &nhwc), (nhwc.to_vec(), false));
        assert_eq!(order(&[8, 1, 3, 3], &[9, 1, 3, 1], &[]), (std::vec![0, 1, 2, 3], false));
        assert_eq!(order(&[8, 2, 3, 3], &[18, 1, 6, 2], &[0, 1, 2, 3]), (nhwc.to_vec(), true));
        assert_eq!(order(&[3, 2], &[0, -4], &[0, 1]), (std::vec![1, 0], true));
        assert_eq!(order(&[3, 2], &[0, 0], &[1, 0]), (std::vec![1, 0], false));
        assert_eq!(order(&[2, 2], &[1, 1], &[]), (std::vec![0, 1], false));
        assert_eq!(order(&[0, 2], &[1, 9], &[1, 0]), (std::vec![1, 0], false));
        assert_eq!((order(&[], &[], &[]), order(&[1], &[7], &[])), ((std::vec![], true), (std::vec![0], true)));
    }
}
