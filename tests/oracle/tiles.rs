//! The tiling rule of openxla/xla docs/tiled_layout.md, read plainly.

use std::vec::Vec; // also for a crate without std

/// A dimension that is joined with the next more minor one.
pub const MERGE: i64 = i64::MIN;

/// Position of an index in the buffer of a tiled shape, and how many positions there are.
pub fn position(padded: &[i64], minor_to_major: &[i64], tiles: &[Vec<i64>], index: &[i64]) -> (i64, i64) {
    let major_to_minor =
        |list: &[i64]| -> Vec<i64> { minor_to_major.iter().rev().map(|&dimension| list[dimension as usize]).collect() };
    let (mut sizes, mut index) = (major_to_minor(padded), major_to_minor(index));
    for tile in tiles {
        let mut tile = tile.clone();
        while sizes.len() < tile.len() {
            sizes.insert(0, 1);
            index.insert(0, 0);
        }
        let front = sizes.len() - tile.len();
        let (mut d, mut e) = (sizes.split_off(front), index.split_off(front));
        while let Some(i) = tile.iter().position(|&size| size == MERGE) {
            e[i + 1] += e[i] * d[i + 1];
            d[i + 1] *= d[i];
            for list in [&mut tile, &mut d, &mut e] {
                list.remove(i);
            }
        }
        sizes.extend(d.iter().zip(&tile).map(|(&d, &t)| (d + t - 1) / t));
        sizes.extend(&tile);
        index.extend(e.iter().zip(&tile).map(|(&e, &t)| e / t));
        index.extend(e.iter().zip(&tile).map(|(&e, &t)| e % t));
    }
    (sizes.iter().zip(&index).fold(0, |position, (size, i)| position * size + i), sizes.iter().product())
}
