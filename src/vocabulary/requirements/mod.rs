//! Requirements of a consumer on a tensor's layout, as plain numbers; whether a layout meets them, and why not.
//!
//! A consumer that takes a tensor by pointer and strides has rules for them: texture copies want rows at a pitch of 256
//! bytes, tensor maps want strides of 16, others want no zero and no negative stride, a few want no gaps at all. Every
//! engine writes its own list. Here it is one struct, [`Requirements`], in which 0 asks for nothing; `presets` has
//! those of eleven consumers, `adapt` finds the nearest layout that meets them.
//!
//! The rules number the dimensions from the innermost outwards:
//!
//! ```text
//! number            0            1                2, 3, …
//! stride is a       –            row_alignment    outer_alignment      multiple of this many bytes
//!
//! UNIT_STRIDE       stride(0) = 1, not −1
//! NESTED            stride(k) >= end(k − 1)       where end(k) = stride(k) · size(k)
//! exact_from e      stride(k)  = end(k − 1)       for k >= e
//! MULTIPLES         stride(k) is a multiple of stride(k − 1), unless that is 0
//! ```
//!
//! If `texel_dimensions` is not 0, that many of the innermost dimensions are one texel, and the rules above hold for
//! texels instead of elements: number 0 is the first dimension outside the texel, and ends and strides begin with what
//! it takes. Bytes {H, W, 3} have rows at any pitch in bytes; the same image in elements of 3 bytes has only whole
//! elements. PITCH_IN_TEXELS is for consumers that ask for whole ones.
//!
//! ```text
//! texel            stride = end of the one inside it        of T elements together: end(−1) = T
//! UNIT_STRIDE      stride(0) = T
//! PITCH_IN_TEXELS  stride(k) is a multiple of T
//! MULTIPLES        from number 2 on
//! ```
//!
//! With LAST_INNERMOST the last dimension has number 0, the one before it 1, and so on: the consumer takes dimensions
//! in their given order. Without it the order is free, as for mdspan and Arrow, and strides decide: the smallest is
//! innermost, of equal ones the rightmost.
//!
//! The stride of a dimension of size 1 means nothing, here as everywhere. If the order is free, the dimension has no
//! number. With LAST_INNERMOST it keeps its number, and the question is whether it *could* have a stride with which all
//! rules hold: with row_alignment 256, {64, 1, 100} bytes of strides {112, any, 1} cannot be described, since the
//! middle stride would have to be 256 and the first one at least as much. `Inside` carries what is known of such a
//! stride outwards. TMA and Vulkan do look at such strides: `meets` says whether one could be found, `adapt` which.
//!
//! ```
//! use stride::error::Detail;
//! use stride::model::{Dtype, LayoutBuf};
//! use stride::vocabulary::requirements::{Consumer, Requirements};
//! // A bf16 matrix with rows of 511: 1022 bytes are no multiple of 16, which a tensor map needs. 1024 are.
//! let tma = Requirements::of(Consumer::Tma);
//! let rows = LayoutBuf::packed(Dtype::BF16, &[64, 511]).unwrap();
//! let error = tma.meets(&rows.view().unwrap(), 0).unwrap_err();
//! assert_eq!((error.dimension, error.detail, error.lhs, error.rhs), (0, Detail::NotAMultiple, 1022, 16));
//! assert_eq!(tma.adapt(&rows.view().unwrap()).unwrap().view().unwrap().strides(), [512, 1]);
//! ```

mod adapt;
mod meets;
mod multiples;
mod order;
mod presets;

pub use presets::Consumer;

use crate::error::{Argument, Detail, Result, Status, check_flags};
use crate::model::Layout;
use crate::model::arith::least_common_multiple;
use multiples::{round_up, step};
use order::Texel;

/// Flag: dimensions keep their order, and the last one is innermost. Otherwise their strides decide.
pub const LAST_INNERMOST: u32 = 1;
/// Flag: the innermost stride is 1.
pub const UNIT_STRIDE: u32 = 2;
/// Flag: a stride is at least what the dimension inside it takes.
pub const NESTED: u32 = 4;
/// Flag: a stride is a multiple of the one inside it.
pub const MULTIPLES: u32 = 8;
/// Flag: no stride of 0 where the size is above 1.
pub const NO_REPEATS: u32 = 16;
/// Flag: no stride below 0 where the size is above 1.
pub const NO_NEGATIVE: u32 = 32;
/// Flag: the lowest element lies at a multiple of an element's bytes.
pub const ELEMENT_ALIGNED: u32 = 64;
/// Flag: [`Requirements::required_bytes`] counts the last row with its padding, and so on outwards.
pub const LAST_ROW_PADDED: u32 = 128;

/// Flag: strides outside the texel are whole texels.
pub const PITCH_IN_TEXELS: u32 = 256;

/// Bit of [`Requirements::dtypes`]: plain bytes.
pub const BYTES: u64 = 1;

/// All flags.
const KNOWN: u32 = 511;

/// Declares [`Requirements`], with a method for each field, by its name.
macro_rules! requirements {
    ($(#[$of:meta])* pub struct Requirements { $($(#[$doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$of])*
        pub struct Requirements {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Requirements {
            setters! {$(
                #[doc = "These requirements with another"]
                #[doc = concat!("[`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
                $field: $type,
            )*}
        }
    };
}

requirements! {
    /// The requirements of a consumer; 0 asks for nothing, so every layout meets the default. Its terms are those
    /// of the [module](self).
    ///
    /// ```
    /// use stride::vocabulary::requirements::{Consumer, Requirements};
    /// use stride::{Dtype, LayoutBuf};
    /// let texture = Requirements::of(Consumer::D3d12);
    /// let image = LayoutBuf::packed(Dtype::bytes(4)?, &[4, 100])?; // pixels of 4 bytes
    /// assert!(texture.meets(&image.view()?, 0).is_err());
    /// let mine = Requirements::default().row_alignment(16);
    /// assert_eq!(mine.meets(&image.view()?, 0), Ok(()));
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// A field may be added; a method each sets them:
    ///
    /// ```
    /// # use stride::vocabulary::requirements::{LAST_INNERMOST, NESTED, Requirements};
    /// let pixels = Requirements::default()
    ///     .flags(LAST_INNERMOST | NESTED)
    ///     .rank_min(2)
    ///     .rank_max(3)
    ///     .element_bits(8 | 16)
    ///     .element_bits_by_three(8)
    ///     .dtypes(0)
    ///     .size_min(1)
    ///     .size_max(16384)
    ///     .texel_dimensions(1);
    /// let rows = pixels.base_alignment(64).row_alignment(256).outer_alignment(512).exact_from(2).total_alignment(256);
    /// let limited = rows.stride_bytes_max(1 << 20).bytes_max(1 << 30).elements_max(1 << 28).reach_max(1 << 29);
    /// assert_eq!((limited.rank_max, limited.size_max, limited.bytes_max), (3, 16384, 1 << 30));
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Requirements {
        /// [`LAST_INNERMOST`] and the others.
        flags: u32,
        /// The lowest rank, the dimensions of a texel not counted.
        rank_min: u32,
        /// The highest rank, likewise; 0: any.
        rank_max: u32,
        /// The widths that are taken, as a sum of bits, powers of two; 0: any.
        element_bits: u32,
        /// Three times these widths are taken as well: 32 for 96 bits. 0: none, or any if `element_bits` is 0 too.
        element_bits_by_three: u32,
        /// The dtypes that are taken: bit n is the one with number n, [`BYTES`] any plain bytes; 0: any dtype. Unless
        /// it is 0, swapped bytes and elements from the high bits on are refused.
        dtypes: u64,
        /// The least elements along each dimension.
        size_min: u64,
        /// The most elements along each dimension; 0: any.
        size_max: u64,
        /// The address of the lowest element is a multiple of this many bytes.
        base_alignment: u32,
        /// Stride number 1 is a multiple of this many bytes.
        row_alignment: u32,
        /// All strides further out are multiples of this many bytes.
        outer_alignment: u32,
        /// There are no gaps from this number on; 0: gaps are allowed anywhere.
        exact_from: u32,
        /// [`Requirements::required_bytes`] is rounded up to a multiple of this many bytes.
        total_alignment: u32,
        /// The longest stride in bytes; 0: any.
        stride_bytes_max: u64,
        /// The most that [`Requirements::required_bytes`] may be; 0: any.
        bytes_max: u64,
        /// The most elements; 0: any.
        elements_max: u64,
        /// The most elements from the lowest to the highest, gaps included; 0: any.
        reach_max: u64,
        /// The number of innermost dimensions that are one texel: rules for elements hold for it, but those for dtypes.
        texel_dimensions: u32,
    }
}

/// The dimension inside the next one, as far as it is known.
#[derive(Clone, Copy)]
struct Inside {
    /// Its stride without the sign. If it is free: a number that the stride must be a multiple of.
    stride: u64,
    /// Its end: stride times size. If it is free: the least that it can be. Saturated.
    end: u64,
    /// The size is 1, so the given stride means nothing.
    free: bool,
}

/// By number, the least strides in elements that meet the alignments: innermost, rows, further out; and the texel.
struct Steps {
    by_number: [u64; 3],
    texel: u64,
}

impl Steps {
    /// The texel as the dimension inside number 0.
    fn texel(&self) -> Inside {
        Inside { stride: 1, end: self.texel, free: false }
    }

    fn of(&self, number: usize) -> u64 {
        self.by_number[number.min(2)]
    }
}

impl Requirements {
    /// INVALID_ARGUMENT for flags that this version does not know.
    pub(crate) fn check(&self) -> Result<()> {
        check_flags(self.flags, KNOWN, Argument::Requirements)
    }

    /// Bytes from the lowest element on, as the consumer counts them: up to the highest; or with LAST_ROW_PADDED the
    /// outermost stride times its size if that is more, and a single row with its padding; rounded up to
    /// `total_alignment`. 0 if the layout is empty. What lies before the lowest element does not count: consumers take
    /// an offset apart from the size.
    ///
    /// ```
    /// use stride::vocabulary::requirements::{Consumer, Requirements};
    /// use stride::{Dtype, LayoutBuf};
    /// let texture = Requirements::of(Consumer::D3d12);
    /// let image = LayoutBuf::packed(Dtype::bytes(4)?, &[4, 100])?; // pixels of 4 bytes
    /// assert_eq!(texture.required_bytes(&texture.adapt(&image.view()?)?.view()?)?, 3 * 512 + 400);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn required_bytes(&self, layout: &Layout<'_>) -> Result<u64> {
        if layout.is_empty() {
            return Ok(0);
        }
        let mut elements = reached(layout) as u128;
        if self.asks(LAST_ROW_PADDED) {
            let texel = self.texel(layout);
            let steps = self.steps(layout, &texel);
            let (mut inside, mut padded) = (steps.texel(), 0);
            for (number, dimension) in self.order(layout, &texel).iter().enumerate() {
                let (size, stride) = layout.dimension(dimension);
                inside = self.outwards(number, size, stride, inside, &steps);
                padded = match (size, stride) {
                    (1, _) => round_up(padded.max(steps.texel), inside.stride.max(1)),
                    (_, 0) => padded, // leads nowhere
                    _ => inside.end,
                };
            }
            elements = elements.max(padded as u128);
        }
        let bits = bits_of(layout);
        let overflow = Status::Overflow.of(Argument::Layout);
        let overflow = overflow.because_wide(Detail::Bits, elements as i128, bits as i128);
        let bytes = u64::try_from((elements * bits as u128 + 7) >> 3).map_err(|_| overflow)?;
        let alignment = (self.total_alignment as u64).max(1);
        bytes.checked_next_multiple_of(alignment).ok_or(overflow)
    }

    fn asks(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    fn is_exact(&self, number: usize) -> bool {
        self.exact_from != 0 && number >= self.exact_from as usize
    }

    /// Whether a stride must be a multiple of the one inside it.
    fn asks_multiples(&self, number: usize) -> bool {
        self.asks(MULTIPLES) && (number > 1 || self.texel_dimensions == 0)
    }

    fn steps(&self, layout: &Layout<'_>, texel: &Texel) -> Steps {
        let (bits, whole) = (bits_of(layout), if self.asks(PITCH_IN_TEXELS) { texel.elements } else { 1 });
        let of = |alignment| least_common_multiple(step(alignment, bits), whole);
        Steps { by_number: [whole.max(1), of(self.row_alignment), of(self.outer_alignment)], texel: texel.elements }
    }

    /// This dimension as the one inside the next.
    fn outwards(&self, number: usize, size: i64, stride: i64, inside: Inside, steps: &Steps) -> Inside {
        if size != 1 {
            let stride = stride.unsigned_abs();
            return Inside { stride, end: stride.saturating_mul(size as u64), free: false };
        }
        if number == 0 && self.asks(UNIT_STRIDE) {
            return Inside { stride: steps.texel, end: steps.texel, free: false };
        }
        let (multiple_of, least) = self.least_stride(number, inside, steps.of(number));
        Inside { stride: multiple_of, end: least, free: !self.is_exact(number) || inside.free }
    }

    /// The least stride that this dimension can have, and one that all of its strides are multiples of; saturated.
    fn least_stride(&self, number: usize, inside: Inside, step: u64) -> (u64, u64) {
        let exact = self.is_exact(number);
        if exact && !inside.free {
            return (inside.end, inside.end);
        }
        let multiple_of = match exact || self.asks_multiples(number) {
            true => least_common_multiple(step, inside.stride),
            false => step,
        };
        let from = if exact || self.asks(NESTED) { inside.end } else { 1 };
        (multiple_of, round_up(from, multiple_of))
    }
}

/// Elements from the lowest to the highest.
fn reached(layout: &Layout<'_>) -> i128 {
    let (lowest, highest) = layout.span();
    highest as i128 - lowest as i128 + 1
}

fn bits_of(layout: &Layout<'_>) -> u64 {
    layout.dtype().bits() as u64
}
