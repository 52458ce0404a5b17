//! Equality of shapes, with parts ignored on demand (`Shape::Equal` and `Layout::Equal` of openxla/xla).

use super::shape::Shape;
use crate::error::{Argument, Result, check_flags};
use crate::model::Dtype;

/// The parts of shapes that a comparison leaves out: flags to be combined.
///
/// ```
/// use stride::vocabulary::xla::{self, equal::{Ignore, equal}};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let (rows, columns) = (parse("f32[2,3]{1,0}")?, parse("f32[2,3]{0,1}")?);
/// assert!(equal(&rows, &columns, Ignore::new(Ignore::LAYOUT)?) && !equal(&rows, &columns, Ignore::NOTHING));
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ignore(u32);

impl Ignore {
    /// Everything counts.
    pub const NOTHING: Self = Self(0);
    /// The whole layout: order, padding, tiles, storage bits, tail alignment, memory space.
    pub const LAYOUT: u32 = 1;
    /// Tiles.
    pub const TILES: u32 = 2;
    /// Storage bits.
    pub const ELEMENT_BITS: u32 = 4;
    /// Tail alignment.
    pub const TAIL_ALIGNMENT: u32 = 8;
    /// Memory space.
    pub const MEMORY_SPACE: u32 = 16;
    /// Dynamic dimensions.
    pub const DYNAMIC: u32 = 32;
    /// Element type.
    pub const ELEMENT_TYPE: u32 = 64;
    /// The kind of floating-point type.
    pub const FLOAT_PRECISION: u32 = 128;
    /// Sizes and padded sizes; the ranks still count.
    pub const SIZES: u32 = 256;
    /// Padded sizes and what the padding holds.
    pub const PADDING: u32 = 512;
    /// All of the layout but the order.
    pub const ALL_BUT_ORDER: u32 =
        Self::TILES | Self::ELEMENT_BITS | Self::TAIL_ALIGNMENT | Self::MEMORY_SPACE | Self::PADDING;
    const KNOWN: u32 = 1023;

    /// These flags; INVALID_ARGUMENT for an unknown one.
    ///
    /// ```
    /// use stride::vocabulary::xla::equal::Ignore;
    /// assert!(Ignore::new(Ignore::TILES | Ignore::DYNAMIC).is_ok() && Ignore::new(1 << 20).is_err());
    /// ```
    pub const fn new(flags: u32) -> Result<Self> {
        match check_flags(flags, Self::KNOWN, Argument::Flags) {
            Ok(()) => Ok(Self(flags)),
            Err(error) => Err(error),
        }
    }

    fn counts(self, flag: u32) -> bool {
        self.0 & flag == 0
    }
}

/// Whether two shapes are equal in all that is not ignored.
///
/// ```
/// use stride::vocabulary::xla::{self, equal::{Ignore, equal}};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let (full, half) = (parse("f32[2,3]")?, parse("f16[2,3]")?);
/// assert!(!equal(&full, &half, Ignore::NOTHING));
/// assert!(equal(&full, &half, Ignore::new(Ignore::FLOAT_PRECISION)?));
/// # Ok::<(), stride::Error>(())
/// ```
pub fn equal(lhs: &Shape, rhs: &Shape, ignore: Ignore) -> bool {
    let both_float = lhs.dtype().is_float() && rhs.dtype().is_float();
    let same_type = lhs.dtype() == rhs.dtype() || (both_float && !ignore.counts(Ignore::FLOAT_PRECISION));
    let sizes = ignore.counts(Ignore::SIZES);
    let bits = |shape: &Shape| (shape.element_bits(), shape.packs_high_first());
    let layout = || {
        let padding = lhs.padding_kind == rhs.padding_kind && (!sizes || lhs.padded_sizes() == rhs.padded_sizes());
        lhs.minor_to_major() == rhs.minor_to_major()
            && (!ignore.counts(Ignore::PADDING) || padding)
            && (!ignore.counts(Ignore::TILES) || lhs.tiles().iter().eq(rhs.tiles().iter()))
            && (!ignore.counts(Ignore::ELEMENT_BITS) || bits(lhs) == bits(rhs))
            && (!ignore.counts(Ignore::TAIL_ALIGNMENT) || lhs.tail_alignment() == rhs.tail_alignment())
            && (!ignore.counts(Ignore::MEMORY_SPACE) || lhs.memory_space == rhs.memory_space)
    };
    lhs.rank() == rhs.rank()
        && (same_type || !ignore.counts(Ignore::ELEMENT_TYPE))
        && (!sizes || lhs.sizes() == rhs.sizes())
        && (!ignore.counts(Ignore::DYNAMIC) || lhs.dynamic == rhs.dynamic)
        && (!ignore.counts(Ignore::LAYOUT) || layout())
}

impl Dtype {
    /// Range and precision of a floating-point type: the exponent of the smallest power of two that overflows, and the
    /// bits of the significand.
    pub(super) fn float_rank(self) -> Option<(i32, i32)> {
        Some(match self {
            Dtype::F4E2M1FN => (3, 2),
            Dtype::F8E3M4 => (4, 5),
            Dtype::F8E4M3B11FNUZ => (5, 4),
            Dtype::F8E4M3 | Dtype::F8E4M3FNUZ => (8, 4),
            Dtype::F8E4M3FN => (9, 4),
            Dtype::F8E5M2 | Dtype::F8E5M2FNUZ => (16, 3),
            Dtype::F8E8M0FNU => (128, 1),
            Dtype::F16 => (16, 11),
            Dtype::BF16 => (128, 8),
            Dtype::F32 => (128, 24),
            Dtype::F64 => (1024, 53),
            _ => return None,
        })
    }

    pub(super) fn is_float(self) -> bool {
        self.float_rank().is_some()
    }
}
