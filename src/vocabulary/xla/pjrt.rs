//! Tiled memory layouts of PJRT (`PJRT_Buffer_MemoryLayout_Tiled` of xla/pjrt/c/pjrt_c_api.h).
//!
//! PJRT writes an order of the dimensions and tiles: the sizes of all tiles in one list, how many belong to each in
//! another. Type, sizes and memory are passed beside it. It cannot express padded sizes, element bits and a tail
//! alignment: a shape with one of them is [NotRepresentable](Status::NotRepresentable), XLA drops it.

use super::shape::Shape;
use super::tiles::{MAX_TILE_SIZES, Tiles};
use crate::error::{Argument, Detail, Result, Status, check_count};
use crate::model::Dtype;

/// The number of sizes of all tiles together. INVALID_TILE: a tile without one (item); UNSUPPORTED: too many.
///
/// ```
/// use stride::vocabulary::xla::pjrt;
/// assert_eq!(pjrt::tile_sizes_count(&[2, 2]), Ok(4));
/// assert!(pjrt::tile_sizes_count(&[2, 0]).is_err());
/// ```
pub fn tile_sizes_count(tile_ranks: &[usize]) -> Result<usize> {
    let mut count = 0usize;
    for (item, &rank) in tile_ranks.iter().enumerate() {
        let error = |status: Status| status.of(Argument::TileDimSizes).item(item);
        error(Status::InvalidTile).unless(rank != 0, Detail::EmptyTile, 0, 1)?;
        count = count.saturating_add(rank);
        let (sizes, most) = (count as i128, MAX_TILE_SIZES as i128);
        error(Status::Unsupported).unless(sizes <= most, Detail::TooManyTileSizes, sizes, most)?;
    }
    Ok(count)
}

/// The shape of a tiled layout: the sizes of the tiles one after the other, and the number of each; INVALID_RANK.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::xla::{pjrt, text::parse};
/// let shape = pjrt::from_tiled(Dtype::BF16, &[16, 256], &[1, 0], &[8, 128, 2, 1], &[2, 2])?;
/// assert_eq!(shape, parse(b"bf16[16,256]{1,0:T(8,128)(2,1)}")?);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn from_tiled(
    dtype: Dtype,
    sizes: &[i64],
    minor_to_major: &[i64],
    tile_sizes: &[i64],
    tile_ranks: &[usize],
) -> Result<Shape> {
    check_count(tile_sizes.len(), tile_sizes_count(tile_ranks)?, Argument::TileDims)?;
    let mut tiles = Tiles::NONE;
    let mut rest = tile_sizes;
    for &rank in tile_ranks {
        let (tile, after) = rest.split_at_checked(rank).unwrap_or((rest, &[]));
        tiles.push(tile)?;
        rest = after;
    }
    let mut shape = Shape::new(dtype, sizes, Some(minor_to_major))?;
    shape.set_tiles(&tiles)?;
    Ok(shape)
}

/// Whether order and tiles say all of this layout: NOT_REPRESENTABLE names the field that is lost and its number.
///
/// ```
/// use stride::vocabulary::xla::{pjrt, text::parse};
/// assert_eq!(pjrt::check_tiled(&parse(b"f32[16,256]{1,0:T(8,128)}")?), Ok(()));
/// assert!(pjrt::check_tiled(&parse(b"s4[16]{0:E(4)}")?).is_err()); // PJRT has no word for it
/// # Ok::<(), stride::Error>(())
/// ```
pub fn check_tiled(shape: &Shape) -> Result<()> {
    shape.check_unpadded(Argument::PaddedSizes)?;
    let fields = [
        (Argument::Flags, shape.packs_high_first().into(), 0),
        (Argument::ElementBits, shape.element_bits().into(), 0),
        (Argument::TailAlignment, shape.tail_alignment(), 1),
    ];
    match fields.into_iter().find(|(_, given, plain)| given != plain) {
        None => Ok(()),
        Some((field, given, plain)) => Err(Status::NotRepresentable.of(field).because(Detail::Field, given, plain)),
    }
}
