//! The tiling rule of openxla/xla docs/tiled_layout.md, read plainly.

use std::vec::Vec; // also for a crate without std

/// A dimension that is joined with the next more minor one.
pub const MERGE: i64 = i64::MIN;

/// Every index of these sizes, in row-major order.
#[allow(dead_code)] // not each test that has the rule needs it
pub fn indices(sizes: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    (0..sizes.iter().product()).map(move |mut k| {
        let mut index: Vec<i64> = sizes.into();
        for (slot, &size) in index.iter_mut().zip(sizes).rev() {
            *slot = k % size;
            k /= size;
        }
        index
    })
}

/// Position of an index in the buffer of a tiled shape, and how many positions there are.
pub fn position(padded: &[i64], minor_to_major: &[i64], tiles: &[Vec<i64>], index: &[i64]) -> (i64, i64) {
    // Sizes of dimensions and the index in each, the most major one first.
    let mut digits = Vec::with_capacity(64);
    digits
        .extend(minor_to_major.iter().rev().map(|&dimension| (padded[dimension as usize], index[dimension as usize])));
    let mut inside = Vec::with_capacity(8);
    for tile in tiles {
        while digits.len() < tile.len() {
            digits.insert(0, (1, 0));
        }
        let front = digits.len() - tile.len();
        let (mut tiles, mut joined) = (front, (1, 0));
        for (at, &size) in (front..).zip(tile) {
            let (d, e) = digits[at];
            joined = (joined.0 * d, joined.1 * d + e);
            if size != MERGE {
                digits[tiles] = ((joined.0 + size - 1) / size, joined.1 / size);
                inside.push((size, joined.1 % size));
                (tiles, joined) = (tiles + 1, (1, 0));
            }
        }
        digits.truncate(tiles);
        digits.append(&mut inside);
    }
    digits.iter().fold((0, 1), |(position, all), (size, i)| (position * size + i, all * size))
}
