//! Whether a layout meets requirements: each rule, in the order in which [`Requirements::meets`] names it.

use super::multiples::{is_aligned, is_multiple, step};
use super::order::Texel;
use super::{
    ELEMENT_ALIGNED, Inside, NESTED, NO_NEGATIVE, NO_REPEATS, Requirements, Steps, UNIT_STRIDE, bits_of, reached,
};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::Layout;

impl Requirements {
    /// Whether the consumer may get the layout, with the base pointer at `address`. The offset counts, so the lowest
    /// element is the one that is aligned. NOT_REPRESENTABLE names what does not hold, in this order: rank; dtype;
    /// width; sizes; number of elements; strides from the innermost outwards; reach; bytes; address. For an empty
    /// layout only what comes before the strides is checked.
    ///
    /// ```
    /// use stride::vocabulary::requirements::{Consumer, Requirements};
    /// use stride::{Dtype, LayoutBuf};
    /// let texture = Requirements::of(Consumer::D3d12);
    /// let image = LayoutBuf::packed(Dtype::bytes(4)?, &[4, 100])?; // pixels of 4 bytes
    /// let error = texture.meets(&image.view()?, 0).unwrap_err();
    /// assert_eq!((error.dimension, error.lhs, error.rhs), (0, 400, 256)); // no multiple of 256 bytes
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn meets(&self, layout: &Layout<'_>, address: u64) -> Result<()> {
        let texel = self.texel(layout);
        self.admits(layout, &texel)?;
        if layout.is_empty() {
            return Ok(());
        }
        let steps = self.steps(layout, &texel);
        for (dimension, packed) in texel.packed(layout) {
            let (size, stride) = layout.dimension(dimension);
            let holds = size == 1 || stride as i128 == packed as i128;
            REFUSED.dimension(dimension).unless(holds, Detail::Stride, stride, packed)?;
        }
        let mut inside = steps.texel();
        for (number, dimension) in self.order(layout, &texel).iter().enumerate() {
            let (size, stride) = layout.dimension(dimension);
            let checked = match size {
                1 => self.check_free(layout, number, inside, &steps),
                _ => self.check_stride(layout, number, size, stride, inside, &steps),
            };
            checked.map_err(|error| error.dimension(dimension))?;
            inside = self.outwards(number, size, stride, inside, &steps);
        }
        self.check_extent(layout, &steps)?;
        self.check_address(layout, address, &steps)
    }

    /// Checks everything but strides.
    pub(super) fn admits(&self, layout: &Layout<'_>, texel: &Texel) -> Result<()> {
        let (rank, inside) = (layout.rank() as i64, self.texel_dimensions as i64);
        let (least, most) = (self.rank_min as i64 + inside, self.rank_max as i64 + inside);
        Status::NotRepresentable.of(Argument::Layout).at_least(rank, least)?;
        if self.rank_max != 0 {
            at_most(most as u64, rank as i128, Detail::Above)?;
        }
        let (dtype, bits) = (layout.dtype(), bits_of(layout).saturating_mul(texel.elements));
        let number = if dtype.is_bytes() { 0 } else { dtype.code() };
        if self.dtypes != 0 && (number >= 64 || self.dtypes >> (number & 63) & 1 == 0) {
            let accepted = (self.dtypes | 1 << 63) as i64;
            return Err(REFUSED.because_wide(Detail::DtypeForeign, dtype.code() as i128, accepted as i128));
        }
        let (widths, thirds) = (self.element_bits as u64, self.element_bits_by_three as u64);
        let among = |widths: u64, width: u64| width.is_power_of_two() && widths & width != 0;
        let holds = widths | thirds == 0 || among(widths, bits) || bits % 3 == 0 && among(thirds, bits / 3);
        REFUSED.unless(holds, Detail::ElementBits, bits, (widths | thirds << 32) as i64)?;
        for (dimension, &size) in layout.sizes().iter().enumerate() {
            if texel.contains(dimension) {
                continue;
            }
            let size = size as u64; // I2
            REFUSED.dimension(dimension).unless(size >= self.size_min, Detail::Below, size, self.size_min)?;
            at_most(self.size_max, size as i128, Detail::Above).map_err(|error| error.dimension(dimension))?;
        }
        let elements = layout.element_count() as u64 / texel.elements.max(1); // I3
        at_most(self.elements_max, elements as i128, Detail::ElementsMax)
    }

    /// The rules for a dimension of a size above 1.
    fn check_stride(
        &self,
        layout: &Layout<'_>,
        number: usize,
        size: i64,
        stride: i64,
        inside: Inside,
        steps: &Steps,
    ) -> Result<()> {
        let (distance, exact) = (stride.unsigned_abs(), self.is_exact(number));
        let multiples = self.asks_multiples(number) || exact && inside.free;
        let rules = [
            (stride < 0 && self.asks(NO_NEGATIVE), Detail::NegativeStride, 0),
            (stride == 0 && self.asks(NO_REPEATS | NESTED), Detail::StrideZero, size as u64),
            (number == 0 && self.asks(UNIT_STRIDE) && stride as i128 != inside.end as i128, Detail::Stride, inside.end),
            (exact && !inside.free && distance != inside.end, Detail::Stride, inside.end),
            ((exact || self.asks(NESTED)) && distance < inside.end, Detail::Nested, inside.end),
            (multiples && !is_multiple(distance, inside.stride.max(1)), Detail::StrideMultiple, inside.stride),
        ];
        if let Some((_, detail, limit)) = rules.into_iter().find(|&(is_broken, ..)| is_broken) {
            return Err(REFUSED.because_wide(detail, stride as i128, limit as i128));
        }
        self.check_step(layout, number, stride, steps)?;
        self.check_length(layout, distance)
    }

    /// Whether a stride of this many elements, without its sign, is short enough; a part of a byte counts as one.
    pub(super) fn check_length(&self, layout: &Layout<'_>, stride: u64) -> Result<()> {
        let bytes = (stride as u128 * bits_of(layout) as u128 + 7) >> 3;
        at_most(self.stride_bytes_max, bytes as i128, Detail::StrideBytes)
    }

    /// Whether a dimension of size 1 could have a stride at all. It could not if the stride that leaves no gap is not
    /// aligned, or the least one is too large.
    fn check_free(&self, layout: &Layout<'_>, number: usize, inside: Inside, steps: &Steps) -> Result<()> {
        if number > 0 {
            self.check_length(layout, self.least_stride(number, inside, steps.of(number)).1)?;
        }
        match self.is_exact(number) && !inside.free {
            true => self.check_step(layout, number, inside.end.min(i64::MAX as u64) as i64, steps),
            false => Ok(()),
        }
    }

    fn check_step(&self, layout: &Layout<'_>, number: usize, stride: i64, steps: &Steps) -> Result<()> {
        if is_multiple(stride.unsigned_abs(), steps.of(number)) {
            return Ok(());
        }
        let alignments = [0, self.row_alignment, self.outer_alignment];
        let (alignment, bits) = (alignments[number.min(2)], bits_of(layout));
        let of_texels = is_multiple(stride.unsigned_abs(), step(alignment, bits));
        REFUSED.unless(!of_texels, Detail::StrideMultiple, stride, steps.texel)?;
        let stride_bits = stride as i128 * bits as i128;
        Err(match stride_bits & 7 {
            0 => REFUSED.because_wide(Detail::NotAMultiple, stride_bits >> 3, alignment as i128),
            _ => REFUSED.because_wide(Detail::WholeBytes, stride as i128, 8 / bits.max(1) as i128),
        })
    }

    fn check_extent(&self, layout: &Layout<'_>, steps: &Steps) -> Result<()> {
        let reached = (reached(layout) as u64).div_ceil(steps.texel.max(1)) as i128; // I4
        at_most(self.reach_max, reached, Detail::ReachMax)?;
        match self.bytes_max {
            0 => Ok(()),
            most => at_most(most, self.required_bytes(layout)? as i128, Detail::BytesMax),
        }
    }

    fn check_address(&self, layout: &Layout<'_>, address: u64, steps: &Steps) -> Result<()> {
        let (bits, lowest) = (bits_of(layout), layout.span().0);
        let texel = bits.saturating_mul(steps.texel) >> 3;
        let element = if self.asks(ELEMENT_ALIGNED) { texel.max(1) } else { 0 };
        let in_a_byte = (8 / bits.max(1)).max(1); // how many elements below a byte share one
        for alignment in [self.base_alignment as u64, element] {
            if alignment == 0 {
                continue;
            }
            REFUSED.unless(lowest & (in_a_byte as i64 - 1) == 0, Detail::WholeBytes, lowest, in_a_byte)?;
            let units = lowest >> in_a_byte.trailing_zeros();
            if !is_aligned(address, units, (bits >> 3).max(1), alignment) {
                let at = address as i128 + ((lowest as i128 * bits as i128) >> 3);
                let error = Status::NotRepresentable.of(Argument::Address);
                return Err(error.because_wide(Detail::NotAMultiple, at, alignment as i128));
            }
        }
        Ok(())
    }
}

/// The error of a layout that is not taken.
const REFUSED: Error = Status::NotRepresentable.of(Argument::Layout);

/// Refuses a number above the limit, which is none if it is 0.
fn at_most(limit: u64, number: i128, detail: Detail) -> Result<()> {
    REFUSED.unless(limit == 0 || number <= limit as i128, detail, number, limit)
}
