//! ggml: the `type`, `ne` and `nb` of a `ggml_tensor`.
//!
//! Always four dimensions, **innermost first**: `ne` counts elements, `nb` bytes between neighbours. A layout has them
//! outermost first:
//!
//! ```text
//! f32, ne {3, 2, 1, 1}, nb {4, 12, 24, 24}     sizes {1, 1, 2, 3}, strides {6, 6, 3, 1}
//! ```
//!
//! A quantised type packs a block of the innermost dimension into some bytes. Such a **block** is one element here,
//! plain bytes: Q4_0 has 32 values in 18 bytes, so ne {64, 2, 1, 1} has the sizes {1, 1, 2, 2} and the dtype bytes18.
//! Copies move whole blocks and do not look inside them.
//!
//! The data pointer is index (0, …, 0). ggml has no negative strides.
//!
//! Sources: ggml/include/ggml.h (`enum ggml_type`, `struct ggml_tensor`, `ggml_nbytes`) and the blocks' structs in
//! ggml/src/ggml-common.h of ggml-org/llama.cpp.

use crate::error::{Argument, Detail, Error, Result, Status, check_rank};
use crate::model::{Dtype, Layout, LayoutBuf, LayoutStorage, arith};

/// `GGML_MAX_DIMS`.
pub const DIMENSIONS: usize = 4;
/// The highest number of a type that is known.
const LAST_TYPE: u32 = 42;

/// Numbers of `enum ggml_type` that are one element each.
const PLAIN: [(u32, Dtype); 8] = [
    (0, Dtype::F32),
    (1, Dtype::F16),
    (24, Dtype::S8),
    (25, Dtype::S16),
    (26, Dtype::S32),
    (27, Dtype::S64),
    (28, Dtype::F64),
    (30, Dtype::BF16),
];

/// Numbers of quantised types, the elements of a block, and its bytes (`sizeof` its struct).
const BLOCKS: [(u32, u32, u32); 27] = [
    (2, 32, 18),    // Q4_0
    (3, 32, 20),    // Q4_1
    (6, 32, 22),    // Q5_0
    (7, 32, 24),    // Q5_1
    (8, 32, 34),    // Q8_0
    (9, 32, 36),    // Q8_1: as its struct; gguf's table says 40
    (10, 256, 84),  // Q2_K
    (11, 256, 110), // Q3_K
    (12, 256, 144), // Q4_K
    (13, 256, 176), // Q5_K
    (14, 256, 210), // Q6_K
    (15, 256, 292), // Q8_K
    (16, 256, 66),  // IQ2_XXS
    (17, 256, 74),  // IQ2_XS
    (18, 256, 98),  // IQ3_XXS
    (19, 256, 50),  // IQ1_S
    (20, 32, 18),   // IQ4_NL
    (21, 256, 110), // IQ3_S
    (22, 256, 82),  // IQ2_S
    (23, 256, 136), // IQ4_XS
    (29, 256, 56),  // IQ1_M
    (34, 256, 54),  // TQ1_0
    (35, 256, 66),  // TQ2_0
    (39, 32, 17),   // MXFP4
    (40, 64, 36),   // NVFP4
    (41, 128, 18),  // Q1_0
    (42, 64, 18),   // Q2_0
];

/// The dtype of an element or a block of this type, and how many elements that is: (bytes18, 32) for Q4_0.
/// INVALID_DTYPE for numbers that ggml does not have, or no longer has.
///
/// ```
/// use stride::{Dtype, vocabulary::ggml};
/// assert_eq!(ggml::dtype_of(2)?, (Dtype::bytes(18)?, 32)); // Q4_0
/// # Ok::<(), stride::Error>(())
/// ```
pub fn dtype_of(number: u32) -> Result<(Dtype, i64)> {
    if let Some(&(_, dtype)) = PLAIN.iter().find(|&&(known, _)| known == number) {
        return Ok((dtype, 1));
    }
    let error = Status::InvalidDtype.of(Argument::Type).because(Detail::UnknownValue, number as i64, LAST_TYPE as i64);
    let &(_, elements, bytes) = BLOCKS.iter().find(|&&(known, _, _)| known == number).ok_or(error)?;
    Ok((Dtype::bytes(bytes)?, elements as i64))
}

/// The layout of a tensor, of rank 4. INVALID_DTYPE; INVALID_SIZE for a negative number of elements, or one that is not
/// whole blocks; INVALID_STRIDE for bytes beyond 63 bits. Dimensions are numbered as in ggml. Strides that are not a
/// whole number of elements or blocks give bytes, with one more dimension ([`LayoutBuf::of_bytes`]).
///
/// ```
/// use stride::vocabulary::ggml;
/// let layout = ggml::to_layout(0, &[3, 2, 1, 1], &[4, 12, 24, 24])?; // F32, innermost first
/// assert_eq!((layout.sizes(), layout.strides()), (&[1, 1, 2, 3][..], &[6, 6, 3, 1][..]));
/// # Ok::<(), stride::Error>(())
/// ```
pub fn to_layout(number: u32, ne: &[i64; DIMENSIONS], nb: &[u64; DIMENSIONS]) -> Result<LayoutBuf> {
    LayoutBuf::made(|out| to_layout_in(number, ne, nb, out))
}

/// [`to_layout`] in a lent layout.
pub(crate) fn to_layout_in<'o>(
    number: u32,
    ne: &[i64; DIMENSIONS],
    nb: &[u64; DIMENSIONS],
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    let (dtype, block) = dtype_of(number)?;
    let error = |status: Status, argument, dimension| status.of(argument).dimension(dimension);
    for (dimension, &size) in ne.iter().enumerate() {
        error(Status::InvalidSize, Argument::Ne, dimension).at_least(size, 0)?;
    }
    let (block, mut sizes) = (block.max(1), *ne);
    error(Status::InvalidSize, Argument::Ne, 0).multiple(ne[0] as u64, block as u64)?;
    sizes[0] /= block;
    let empty = arith::has_zero(ne);
    let element_bytes = (dtype.bits() / 8).max(1) as u64;
    out.begin(dtype, 0);
    for (dimension, (&size, &bytes)) in sizes.iter().zip(nb).enumerate().rev() {
        let whole = bytes.is_multiple_of(element_bytes);
        let stride = match i64::try_from(bytes / element_bytes) {
            Ok(stride) if whole => stride,
            _ if size <= 1 || empty => 0,
            _ if whole => {
                let error = error(Status::InvalidStride, Argument::Nb, dimension);
                return Err(error.because_wide(Detail::Above, bytes as i128, i64::MAX as i128));
            }
            // Not a whole number of elements.
            _ => {
                let mut strides = nb.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX));
                sizes.reverse();
                strides.reverse();
                return out.set_of_bytes(dtype, &sizes, &strides).map_err(in_ggml);
            }
        };
        out.push(size, stride)?;
    }
    out.view().map_err(in_ggml)
}

/// An error of the layout in ggml's terms.
fn in_ggml(error: Error) -> Error {
    let argument = if error.argument == Argument::Sizes { Argument::Ne } else { Argument::Nb };
    let dimension = if error.dimension < 0 { -1 } else { (DIMENSIONS as i32 - 1) - error.dimension };
    Error { argument, dimension, ..error }
}

/// A layout as the fields of a ggml tensor.
///
/// ```
/// use stride::vocabulary::ggml;
/// use stride::{Dtype, LayoutBuf};
/// let description: ggml::Description = ggml::from_layout(&LayoutBuf::packed(Dtype::F32, &[2, 3])?.view()?, 0)?;
/// assert_eq!((description.ne, description.nb, description.offset_bytes), ([3, 2, 1, 1], [4, 12, 24, 24], 0));
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// Elements, innermost first.
    pub ne: [i64; DIMENSIONS],
    /// Bytes between neighbours, innermost first.
    pub nb: [u64; DIMENSIONS],
    /// Bytes from the base pointer to the data pointer.
    pub offset_bytes: u64,
}

/// The tensor of this type that a layout of at most four dimensions is. Missing dimensions are outermost, of size 1. A
/// stride that means nothing becomes what ggml gives a new tensor, `nb[i−1] · ne[i−1]`, since ggml's kernels read it.
/// Refused: another dtype (DTYPE_MISMATCH), a rank above 4 (INVALID_RANK), a negative stride (INVALID_STRIDE), an
/// offset below 0 (OUT_OF_BOUNDS). Bytes are taken as [`to_layout`] gives them, with those of an element or block as
/// the last dimension.
///
/// The caller names the type, because the bytes of a block do not determine it: IQ4_NL and Q4_0 both have 18.
///
/// ```
/// use stride::vocabulary::ggml;
/// use stride::{Dtype, LayoutBuf};
/// let mirrored = LayoutBuf::packed(Dtype::F32, &[2, 3])?.flip(&[1])?;
/// assert_eq!(ggml::from_layout(&mirrored.view()?, 0).unwrap_err().status, stride::error::Status::InvalidStride);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn from_layout(layout: &Layout<'_>, number: u32) -> Result<Description> {
    let (dtype, block) = dtype_of(number)?;
    let error = |status: Status| status.of(Argument::Layout);
    let element_bytes = dtype.bits() / 8;
    let last = layout.dimensions().next_back();
    let of_bytes = element_bytes > 1
        && layout.dtype() == Dtype::U8
        && last.is_some_and(|(size, stride)| size == element_bytes && (stride == 1 || size == 1 || layout.is_empty()));
    let (unit, rank) = if of_bytes { (1, layout.rank() - 1) } else { (element_bytes, layout.rank()) };
    let alike = layout.dtype() == dtype || of_bytes;
    error(Status::DtypeMismatch).unless(alike, Detail::Dtypes, layout.dtype().code(), dtype.code())?;
    check_rank(rank, DIMENSIONS, Argument::Layout)?;
    let (mut ne, mut nb) = ([1i64; DIMENSIONS], [0u64; DIMENSIONS]);
    let mut inside = (element_bytes as u64, 1i64); // the stride of what lies inside, in bytes, and its size
    let mut inside_out = layout.dimensions().enumerate().take(rank).rev();
    for (place, (ne, nb)) in ne.iter_mut().zip(&mut nb).enumerate() {
        let too_long = error(Status::Overflow).because(Detail::Product, inside.0 as i64, inside.1);
        let natural = inside.0.checked_mul(inside.1 as u64).ok_or(too_long);
        let (mut bytes, mut size) = (natural, 1);
        if let Some((dimension, (elements, stride))) = inside_out.next() {
            size = elements;
            if size > 1 && !layout.is_empty() {
                error(Status::InvalidStride).dimension(dimension).at_least(stride, 0)?;
                // I4, or an element lies before the base, which is found below.
                bytes = Ok((stride as u64).wrapping_mul(unit as u64));
            }
        }
        let of_a_block = if place == 0 { block } else { 1 };
        let too_many = error(Status::Overflow).because(Detail::Product, size, of_a_block);
        *ne = size.checked_mul(of_a_block).ok_or(too_many)?;
        *nb = bytes?;
        inside = (*nb, size);
    }
    Ok(Description { ne, nb, offset_bytes: layout.offset_bytes()? })
}

/// `nb[place]` as C's `size_t`; INVALID_STRIDE if pointers are too short for it.
///
/// ```
/// assert_eq!(stride::vocabulary::ggml::size_t(0, 4), Ok(4));
/// ```
pub fn size_t(place: usize, bytes: u64) -> Result<usize> {
    let error = Status::InvalidStride.of(Argument::Nb).dimension(place);
    usize::try_from(bytes).map_err(|_| error.because_wide(Detail::Above, bytes as i128, usize::MAX as i128))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_elements() {
        let layout = to_layout(2, &[64, 2, 1, 1], &[18, 36, 72, 72]).unwrap();
        let layout = layout.view().unwrap();
        assert_eq!((layout.sizes(), layout.strides()), (&[1, 1, 2, 2][..], &[4, 4, 2, 1][..]));
        assert_eq!(layout.min_bytes(), Ok(72));
        let back = from_layout(&layout, 2).unwrap();
        assert_eq!((back.ne, back.nb, back.offset_bytes), ([64, 2, 1, 1], [18, 36, 72, 72], 0));
        let error = to_layout(2, &[33, 1, 1, 1], &[18; 4]).unwrap_err();
        assert_eq!((error.argument, error.dimension, error.lhs, error.rhs), (Argument::Ne, 0, 33, 32));
        let apart = to_layout(2, &[64, 2, 1, 1], &[18, 40, 80, 80]).unwrap(); // rows begin within a block
        assert_eq!((apart.sizes(), apart.strides()), (&[1, 1, 2, 2, 18][..], &[80, 80, 40, 18, 1][..]));
        let back = from_layout(&apart.view().unwrap(), 2).unwrap();
        assert_eq!((back.ne, back.nb, back.offset_bytes), ([64, 2, 1, 1], [18, 40, 80, 80], 0));
    }

    #[test]
    fn the_outermost_number_that_overflows_is_told_as_ggml_counts() {
        let error = to_layout(0, &[1, 1, 5, 1], &[4, 4, 1 << 63, 4]).unwrap_err();
        assert_eq!((error.status, error.argument, error.dimension), (Status::Overflow, Argument::Nb, 2));
        let error = to_layout(0, &[1, 1, 1, 5], &[4, 4, 4, 1 << 63]).unwrap_err();
        assert_eq!((error.status, error.argument, error.dimension), (Status::Overflow, Argument::Nb, 3));
        let error = to_layout(27, &[1, 2, 1, 1], &[8, 1 << 61, 8, 8]).unwrap_err(); // in bits, of all dimensions
        assert_eq!((error.status, error.detail, error.dimension), (Status::Overflow, Detail::Bits, -1));
        assert!(to_layout(0, &[0, 1 << 62, 1 << 62, 1], &[3, u64::MAX, 7, 7]).is_ok());
        let error = to_layout(24, &[1, 2, 1, 1], &[1, 1 << 63, 1, 1]).unwrap_err(); // elements of a byte
        assert_eq!((error.status, error.dimension, error.detail), (Status::InvalidStride, 1, Detail::Above));
        for number in [4, 5, 31, 38, 43, u32::MAX] {
            assert_eq!(dtype_of(number).unwrap_err().lhs, number as i64);
        }
    }
}
