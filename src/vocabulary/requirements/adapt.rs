//! The nearest layout that meets requirements: the same sizes, the same order, the smallest pitches.
//!
//! From the innermost dimension outwards each stride becomes
//!
//! ```text
//! stride(k) = end(k − 1), rounded up to what number k must be a multiple of       end(−1): what a texel takes
//! ```
//!
//! So elements are distinct whatever is required. Only the order of the given strides counts: a layout that met the
//! requirements with larger pitches gets smaller ones.
//!
//! If no gap is allowed from number e on, nothing can be rounded there any more, so number e − 1 is rounded up for
//! those outside it: for stride(e) = stride(e − 1) · n to be a multiple of a, stride(e − 1) must be one of a / gcd(a,
//! n). Further out n only grows by factors, so the first two, one of which may be a row's, decide for all.

use super::order::Order;
use super::{Inside, LAST_INNERMOST, NESTED, Requirements, Steps, UNIT_STRIDE};
use crate::error::{Argument, Detail, ForArgument, Result, Status};
use crate::model::arith::{gcd, least_common_multiple};
use crate::model::build::SizeOneRule;
use crate::model::{Layout, LayoutBuf, LayoutStorage};

impl Requirements {
    /// A layout of the same dtype and sizes, offset 0, that meets the requirements; each stride is the least that those
    /// inside it allow. With LAST_INNERMOST the dimensions keep their order; otherwise they are in memory order: by
    /// stride without its sign, of equal ones the rightmost is the innermost. A dimension of size 1 gets a stride as if
    /// it were larger. A texel becomes packed. NOT_REPRESENTABLE, as in [`Requirements::meets`], if what is wrong
    /// cannot be changed (rank, dtype, sizes), or the least strides are past a limit; OVERFLOW.
    ///
    /// ```
    /// use stride::vocabulary::requirements::{Consumer, Requirements};
    /// use stride::{Dtype, LayoutBuf};
    /// let texture = Requirements::of(Consumer::D3d12);
    /// let image = LayoutBuf::packed(Dtype::bytes(4)?, &[4, 100])?; // pixels of 4 bytes
    /// assert_eq!(texture.adapt(&image.view()?)?.strides(), [128, 1]); // rows of 400 bytes take 512
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn adapt(&self, layout: &Layout<'_>) -> Result<LayoutBuf> {
        LayoutBuf::made(|out| self.adapt_in(layout, out))
    }

    /// [`Requirements::adapt`] in a lent layout.
    pub(crate) fn adapt_in<'o>(&self, layout: &Layout<'_>, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
        let rules = Self { flags: self.flags | NESTED, ..*self };
        let texel = rules.texel(layout);
        self.admits(layout, &texel)?;
        out.copy(layout);
        out.set_offset(0);
        if layout.is_empty() {
            out.strides_mut().fill(0);
            return out.view().in_role(Argument::Layout);
        }
        let (order, steps) = (rules.order(layout, &texel), rules.steps(layout, &texel));
        for (dimension, stride) in texel.packed(layout) {
            if let Some(slot) = out.strides_mut().get_mut(dimension) {
                *slot = stride as i64; // I3
            }
        }
        // The reach of all dimensions inside the next one, and of the nearest alone.
        let (mut inside, mut nearest) = (steps.texel(), steps.texel());
        for (number, dimension) in order.iter().enumerate() {
            let (size, _) = layout.dimension(dimension);
            let mut stride = rules.stride_for(number, inside, &steps, &order, layout);
            // A stride of a dimension of size 1 leads nowhere. It need not lead past what is inside it if it may not be
            // so long; nor must the strides around it.
            if size == 1 && (inside.end > nearest.end || self.check_length(layout, stride).is_err()) {
                stride = self.stride_for(number, nearest, &steps, &order, layout);
            }
            let fits = i64::try_from(stride).map_err(|_| {
                let error = Status::Overflow.of(Argument::Layout);
                error.dimension(dimension).because(Detail::NewStride, size, i64::MAX)
            })?;
            if let Some(slot) = out.strides_mut().get_mut(dimension) {
                *slot = fits;
            }
            nearest = Inside { stride, end: stride.saturating_mul(size as u64), free: false };
            inside = Inside { end: nearest.end.max(inside.end), ..nearest };
        }
        if !self.asks(LAST_INNERMOST) {
            out.canonicalize(SizeOneRule::Natural);
        }
        // Checks the limits, and requirements that contradict each other. Offset and address 0 are aligned.
        let made = out.view().in_role(Argument::Layout)?;
        self.meets(&made, 0)?;
        Ok(made)
    }

    /// The least stride of a dimension, given what lies inside it.
    fn stride_for(&self, number: usize, inside: Inside, steps: &Steps, order: &Order, layout: &Layout<'_>) -> u64 {
        if number == 0 && self.asks(UNIT_STRIDE) {
            return steps.texel().end;
        }
        let before_exact = number + 1 == self.exact_from as usize;
        let for_those_outside = if before_exact { self.step_for_exact(number, steps, order, layout) } else { 1 };
        let step = least_common_multiple(steps.of(number), for_those_outside);
        self.least_stride(number, inside, step).1
    }

    /// A number that the last stride that may leave a gap must be a multiple of, so that those outside it are aligned.
    fn step_for_exact(&self, number: usize, steps: &Steps, order: &Order, layout: &Layout<'_>) -> u64 {
        let (mut needed, mut product) = (1, 1u64);
        let mut sizes = order.iter().map(|dimension| layout.dimension(dimension).0 as u64).skip(number).peekable();
        for outside in number + 1..number + 3 {
            let (Some(size), Some(_)) = (sizes.next(), sizes.peek()) else { break };
            product = product.saturating_mul(size); // I3
            let step = steps.of(outside);
            needed = least_common_multiple(needed, step / gcd(step, product).max(1));
        }
        needed
    }
}
