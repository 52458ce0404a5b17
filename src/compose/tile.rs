//! Tiles of equal sizes.

use crate::error::{Argument, ForArgument, Result, Status, check_count};
use crate::model::build::too_many;
use crate::model::{Layout, LayoutStorage, MAX_RANK};
use crate::view::fitting;

/// The layout cut into tiles, each dimension into a quotient and a remainder: sizes `(size / tile, …, tile, …)`,
/// strides `(tile · stride, …, stride, …)`. The first `rank` dimensions say which tile, the others which element of it.
///
/// INVALID_SIZE for a tile size below 1; SHAPE_MISMATCH with dimension, size and tile size if a tile would be cut
/// short; INVALID_RANK above rank 32. (CuTe's `zipped_divide` by a tiler of plain sizes, `numpy.reshape` to `(q, t)`
/// pairs and a transpose.)
///
/// ```
/// use stride::model::{Dtype, LayoutBuf, LayoutStorage};
/// let image = LayoutBuf::packed(Dtype::U8, &[4, 6]).unwrap();
/// let mut out = LayoutStorage::default();
/// let tiles = stride::compose::tile(&image.view().unwrap(), &[2, 3], &mut out).unwrap();
/// assert_eq!(tiles.to_string(), "u8[2,2,2,3] strides [12,3,6,1] offset 0");
/// ```
pub fn tile<'o>(layout: &Layout<'_>, tile_sizes: &[i64], out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    check_count(tile_sizes.len(), layout.rank(), Argument::Rank)?;
    if 2 * layout.rank() > MAX_RANK {
        return Err(too_many(2 * layout.rank()));
    }
    out.begin(layout.dtype(), layout.offset());
    for (dimension, ((size, stride), &tile)) in layout.dimensions().zip(tile_sizes).enumerate() {
        let error = |status: Status| status.of(Argument::TileSizes).dimension(dimension);
        error(Status::InvalidSize).at_least(tile, 1)?;
        let (whole, part) = (size as u64, tile.max(1) as u64);
        error(Status::ShapeMismatch).multiple(whole, part)?;
        let tiles = (whole / part) as i64;
        // In an empty layout strides mean nothing.
        let far = stride.checked_mul(tile).or(layout.is_empty().then_some(0));
        out.push(tiles, fitting(dimension, tiles, far)?)?;
    }
    for ((_, stride), &tile) in layout.dimensions().zip(tile_sizes) {
        out.push(tile, stride)?;
    }
    out.view().in_role(Argument::Layout)
}
