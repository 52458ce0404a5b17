//! Tiles: lists of sizes that cut the buffer, each list acting on the result of the one before.
//!
//! The rule (openxla/xla docs/tiled_layout.md). `D` are the buffer's dimensions from most major to most minor, `e` an
//! element's index in them. A tile of `k` sizes `t`
//!
//! 1. takes the last `k` dimensions, with size-1 dimensions in front where there are fewer;
//! 2. joins a dimension whose size is [`MERGE`] with the next more minor one: `D[i+1] *= D[i]`,
//!    `e[i+1] += e[i] · old D[i+1]`;
//! 3. replaces them by `ceil(D / t) …, t …` and their index by `e / t …, e mod t …`.
//!
//! The result is row-major. `D` starts from the padded sizes in physical order. XLA's document states this rule; the
//! helpers in its code look at the first tile only.

use crate::error::{Argument, Detail, Result, Status};
use crate::model::{MAX_RANK, fixed};

/// In a tile: join this dimension with the next more minor one. Text `*`.
pub const MERGE: i64 = i64::MIN;
/// The most tiles of a shape.
pub const MAX_TILES: usize = 8;
/// The most sizes of all tiles together.
pub const MAX_TILE_SIZES: usize = MAX_RANK;

/// The tiles of a shape: each has sizes, all of them above 0 or [`MERGE`], the last one not MERGE.
///
/// ```
/// use stride::vocabulary::xla::Tiles;
/// let mut tiles = Tiles::NONE;
/// tiles.push(&[8, 128])?;
/// tiles.push(&[2, 1])?;
/// assert_eq!((tiles.len(), tiles.sizes()), (2, &[8, 128, 2, 1][..]));
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tiles {
    count: usize,
    ranks: [u8; MAX_TILES],
    sizes: [i64; MAX_TILE_SIZES],
}

impl Tiles {
    /// No tile.
    pub const NONE: Self = Self { count: 0, ranks: [0; MAX_TILES], sizes: [0; MAX_TILE_SIZES] };

    /// Adds a tile, which acts on the result of those before. INVALID_TILE: no sizes, or a size that is neither above 0
    /// nor MERGE, or MERGE at the end (item: the tile, dimension: the place in it, numbers: the size and 1).
    /// UNSUPPORTED: more than [`MAX_TILES`] tiles or [`MAX_TILE_SIZES`] sizes, with both numbers.
    ///
    /// ```
    /// use stride::vocabulary::xla::Tiles;
    /// let mut tiles = Tiles::NONE;
    /// tiles.push(&[8, 128])?;
    /// tiles.push(&[2, 1])?;
    /// assert!(tiles.push(&[]).is_err() && tiles.push(&[0]).is_err());
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn push(&mut self, tile: &[i64]) -> Result<()> {
        let error = |status: Status| status.of(Argument::Tile).item(self.count);
        let (used, full) = (self.used(), error(Status::Unsupported));
        full.unless(self.count < MAX_TILES, Detail::TooManyTiles, self.count as i64 + 1, MAX_TILES as i64)?;
        let Some(room) = self.sizes.get_mut(used..).and_then(|free| free.get_mut(..tile.len())) else {
            return Err(full.because(Detail::TooManyTileSizes, (used + tile.len()) as i64, MAX_TILE_SIZES as i64));
        };
        let wrong = |(place, &size): (usize, &i64)| size <= 0 && (size != MERGE || place + 1 == tile.len());
        if let Some((place, &size)) = tile.iter().enumerate().find(|&size| wrong(size)) {
            let detail = if size == MERGE { Detail::MergeLast } else { Detail::Below };
            return Err(error(Status::InvalidTile).dimension(place).because(detail, size, 1));
        }
        error(Status::InvalidTile).unless(!tile.is_empty(), Detail::EmptyTile, 0, 1)?;
        room.copy_from_slice(tile);
        fixed::set(&mut self.ranks, self.count, tile.len() as u8);
        self.count += 1;
        Ok(())
    }

    /// The tiles in the order in which they act.
    ///
    /// ```
    /// use stride::vocabulary::xla::Tiles;
    /// let mut tiles = Tiles::NONE;
    /// tiles.push(&[8, 128])?;
    /// tiles.push(&[2, 1])?;
    /// assert!(tiles.iter().eq([[8, 128], [2, 1]]));
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = &[i64]> + Clone {
        let mut first = 0;
        self.ranks.iter().take(self.count).map_while(move |&rank| {
            let tile = self.sizes.get(first..first + rank as usize);
            first += rank as usize;
            tile
        })
    }

    /// The number of tiles.
    ///
    /// ```
    /// use stride::vocabulary::xla::Tiles;
    /// let mut tiles = Tiles::NONE;
    /// tiles.push(&[8, 128])?;
    /// tiles.push(&[2, 1])?;
    /// assert_eq!(tiles.len(), 2);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    ///
    /// ```
    /// use stride::vocabulary::xla::Tiles;
    /// let mut tiles = Tiles::NONE;
    /// tiles.push(&[8, 128])?;
    /// tiles.push(&[2, 1])?;
    /// assert!(!tiles.is_empty() && Tiles::NONE.is_empty());
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Sizes of all tiles, one tile after the other.
    ///
    /// ```
    /// use stride::vocabulary::xla::Tiles;
    /// let mut tiles = Tiles::NONE;
    /// tiles.push(&[8, 128])?;
    /// tiles.push(&[2, 1])?;
    /// assert_eq!(tiles.sizes(), [8, 128, 2, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn sizes(&self) -> &[i64] {
        self.sizes.get(..self.used()).unwrap_or(&[])
    }

    fn used(&self) -> usize {
        self.ranks.iter().take(self.count).map(|&rank| rank as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_come_back_in_order_and_wrong_ones_do_not() {
        let mut tiles = Tiles::NONE;
        tiles.push(&[2, MERGE, MERGE, 128]).unwrap();
        tiles.push(&[2, 1]).unwrap();
        assert!(tiles.iter().eq([&[2, MERGE, MERGE, 128][..], &[2, 1]]));
        assert_eq!((tiles.len(), tiles.sizes().len()), (2, 6));
        for (tile, place, size) in [(&[0][..], 0, 0), (&[4, -1], 1, -1), (&[2, MERGE], 1, MERGE), (&[MERGE], 0, MERGE)]
        {
            let error = tiles.push(tile).unwrap_err();
            assert_eq!((error.status, error.item, error.dimension), (Status::InvalidTile, 2, place));
            assert_eq!((error.lhs, error.rhs), (size, 1));
        }
        assert_eq!(tiles.push(&[]).unwrap_err().status, Status::InvalidTile);
        let error = tiles.push(&[1; 59]).unwrap_err();
        assert_eq!((error.status, error.lhs, error.rhs), (Status::Unsupported, 65, 64));
        for _ in 2..8 {
            tiles.push(&[2]).unwrap();
        }
        let error = tiles.push(&[2]).unwrap_err();
        assert_eq!((error.status, error.lhs, error.rhs), (Status::Unsupported, 9, 8));
    }
}
