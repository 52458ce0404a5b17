//! The storage of an element: a type below a byte takes a whole byte (s4 is stored as s8) unless the element bits, text
//! `E(4)`, say less. Packed elements begin with the low bits, as in XLA since early 2025, unless `high_first` is set.

use super::super::padding::SIGNED;
use super::Shape;
use crate::error::{Argument, Detail, Result, Status};
use crate::model::Dtype;

impl Shape {
    /// The same shape with `bits` of storage per element, 0 for the type's natural width; INVALID_ARGUMENT unless that
    /// is a power of two from 1 to 128 that holds the type. (XLA does not check it.)
    ///
    /// ```
    /// use stride::Dtype;
    /// use stride::vocabulary::xla::Shape;
    /// assert_eq!(Shape::new(Dtype::S4, &[6], None)?.with_element_bits(4)?.byte_size()?, 3);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn with_element_bits(mut self, bits: u32) -> Result<Self> {
        self.set_element_bits(bits)?;
        Ok(self)
    }

    pub(crate) fn set_element_bits(&mut self, bits: u32) -> Result<()> {
        Self::check_element_bits(self.dtype, bits)?;
        let natural = natural_bits(self.dtype);
        self.element_bits = if bits as i64 == natural { 0 } else { bits }; // XLA normalises it too
        self.check()
    }

    /// The check of [`Shape::with_element_bits`]. A pred may take one bit.
    pub(in crate::vocabulary::xla) fn check_element_bits(dtype: Dtype, bits: u32) -> Result<()> {
        let holds = bits == 0 || dtype == Dtype::PRED || bits as i64 >= dtype.bits();
        let error = Status::InvalidArgument.of(Argument::ElementBits);
        error.unless(bits <= 128, Detail::Above, bits, 128)?;
        error.unless(bits == 0 || bits.is_power_of_two(), Detail::NotAPowerOfTwo, bits, dtype.bits())?;
        error.unless(holds, Detail::Below, bits, dtype.bits())
    }

    /// Storage bits if they are not the type's natural ones, else 0: the number in `E(…)`.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"s4[6]{0:E(4)}")?.element_bits(), 4);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn element_bits(&self) -> u32 {
        self.element_bits
    }

    /// Bits that an element takes in the buffer.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!((parse(b"s4[6]")?.storage_bits(), parse(b"s4[6]{0:E(4)}")?.storage_bits()), (8, 4));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn storage_bits(&self) -> i64 {
        if self.element_bits != 0 { self.element_bits as i64 } else { natural_bits(self.dtype) }
    }

    /// The hub's dtype for the storage: the type itself, or an integer of the storage's width if that differs.
    ///
    /// ```
    /// use stride::vocabulary::xla::text::parse;
    /// assert_eq!(parse(b"s4[6]")?.storage_dtype(), stride::Dtype::S8);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn storage_dtype(&self) -> Dtype {
        let bits = self.storage_bits();
        if bits == self.dtype.bits() {
            return self.in_bit_order(self.dtype);
        }

        let unsigned = [Dtype::U1, Dtype::U2, Dtype::U4, Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64];
        let widths = if SIGNED.contains(&self.dtype) { SIGNED } else { unsigned };
        let same_width = widths.into_iter().find(|dtype| dtype.bits() == bits);
        // 128 bits: C128 itself was answered above; any other type of that width is 16 plain bytes.
        self.in_bit_order(same_width.or(Dtype::bytes(16).ok()).unwrap_or(Dtype::C128))
    }

    fn in_bit_order(&self, dtype: Dtype) -> Dtype {
        if self.high_first { dtype.high_first() } else { dtype }
    }

    /// Whether elements share bytes and begin with the high bits.
    pub(in crate::vocabulary::xla) fn packs_high_first(&self) -> bool {
        self.high_first && self.storage_bits() < 8
    }
}

/// Bits in which XLA stores an element of this type by default: whole bytes.
fn natural_bits(dtype: Dtype) -> i64 {
    dtype.bits().max(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_of_four_bits() {
        let s4 = Shape::new(Dtype::S4, &[3], None).unwrap();
        assert_eq!((s4.byte_size(), s4.storage_dtype()), (Ok(3), Dtype::S8));
        let packed = s4.with_element_bits(4).unwrap();
        assert_eq!((packed.byte_size(), packed.storage_dtype()), (Ok(2), Dtype::S4));
        assert_eq!(Shape { high_first: true, ..packed }.storage_dtype(), Dtype::S4.high_first());
        assert_eq!(s4.with_element_bits(8).unwrap().element_bits(), 0);
        assert_eq!(Shape::stored(Dtype::S4, &[1i64 << 60], None, 4).unwrap().byte_size(), Ok(1 << 59));
        let refused = [(2, Detail::Below), (3, Detail::NotAPowerOfTwo), (256, Detail::Above)];
        assert!(refused.iter().all(|&(bits, why)| s4.with_element_bits(bits).unwrap_err().detail == why));
        assert_eq!(s4.with_element_bits(128).unwrap().element_bits(), 128);
        let wide_bool = Shape::new(Dtype::PRED, &[3], None).unwrap().with_element_bits(32).unwrap();
        assert_eq!((wide_bool.byte_size(), wide_bool.storage_dtype()), (Ok(12), Dtype::U32));
    }
}
