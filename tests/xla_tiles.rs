//! Tiles of XLA shapes: numbers of XLA's own pages and tests, and the library against a plain reading of the document.
//!
//! The document is openxla/xla docs/tiled_layout.md. Where a number is marked "rule", no page has it: it is the rule
//! worked by hand or by a script that shares nothing with the library.

mod common;
mod oracle;

use common::*;
use oracle::{Random, tiles};
use stride::error::Argument;
use stride::error::Status;
use stride::model::{Dtype, MAX_RANK};
use stride::vocabulary::xla::tiles::MERGE;
use stride::vocabulary::xla::{PaddingKind, Shape};

/// A shape to be held against the document.
#[derive(Debug)]
struct Case {
    sizes: Vec<i64>,
    padded: Vec<i64>,
    minor_to_major: Vec<i64>,
    tiles: Vec<Vec<i64>>,
}

impl Case {
    fn new(sizes: &[i64], minor_to_major: &[i64], tiles: &[&[i64]]) -> Self {
        let tiles = tiles.iter().map(|tile| tile.to_vec()).collect();
        Self { sizes: sizes.to_vec(), padded: sizes.to_vec(), minor_to_major: minor_to_major.to_vec(), tiles }
    }

    fn shape(&self) -> Shape {
        let shape = Shape::new(Dtype::U8, &self.sizes, Some(&self.minor_to_major)).unwrap();
        let shape = shape.with_padding(&self.padded, PaddingKind::Zero).unwrap();
        self.tiles.iter().fold(shape, |shape, tile| shape.with_tile(tile).unwrap())
    }

    /// Position of an index, and the number of positions.
    fn position(&self, index: &[i64]) -> (i64, i64) {
        tiles::position(&self.padded, &self.minor_to_major, &self.tiles, index)
    }

    /// Positions both ways, lengths, and whether the tiles change nothing. Answers UNDECIDED do not occur below the
    /// budget.
    fn check(&self) {
        let shape = self.shape();
        let (_, count) = self.position(&vec![0; self.sizes.len()]);
        assert_eq!(shape.byte_size(), Ok(count as u64), "{self:?}");
        let mut owners = vec![None; count as usize];
        for index in tiles::indices(&self.sizes) {
            let (position, _) = self.position(&index);
            assert_eq!(shape.linear_index(&index), Ok(position), "{index:?} in {self:?}");
            let previous = owners[position as usize].replace(index);
            assert_eq!(previous, None, "{self:?}");
        }
        for (position, owner) in owners.iter().enumerate() {
            let mut found = [-1; MAX_RANK];
            let answer = shape.multi_index(position as i64, &mut found);
            match owner {
                Some(index) => assert_eq!(found[..index.len()], index[..], "{position} in {self:?}"),
                None => {
                    let error = answer.unwrap_err();
                    assert_eq!((error.status, found), (Status::NotRepresentable, [-1; MAX_RANK]), "{self:?}");
                    assert!((error.dimension >= 0) != (error.item >= 0), "{error:?} in {self:?}");
                }
            }
        }
        assert_eq!(shape.multi_index(count, &mut [0; MAX_RANK]).unwrap_err().status, Status::IndexOutOfRange);
        let data = owners.iter().rposition(|owner| owner.is_some()).map_or(0, |highest| highest as u64 + 1);
        assert_eq!(shape.data_size(), Ok(data), "{self:?}");
        assert_eq!(shape.dense_size(), Ok(self.sizes.iter().product::<i64>() as u64));

        let untiled = Case { sizes: vec![], padded: self.padded.clone(), minor_to_major: vec![], tiles: vec![] };
        let untiled = Case { minor_to_major: self.minor_to_major.clone(), ..untiled };
        let stays = tiles::indices(&self.sizes).all(|index| self.position(&index).0 == untiled.position(&index).0);
        let as_long = untiled.position(&vec![0; self.sizes.len()]).1 == count;
        assert_eq!(shape.is_untiled(), Ok(stays && as_long), "{self:?}");
        match shape.to_layout() {
            Ok(layout) => {
                assert!(stays, "{self:?}");
                for index in tiles::indices(&self.sizes) {
                    assert_eq!(layout.view().unwrap().offset_of(&index), Ok(self.position(&index).0), "{self:?}");
                }
            }
            Err(error) => {
                assert!(!stays, "{self:?}");
                assert_eq!(error.status, Status::NotRepresentable, "{self:?}");
                assert!((error.item as usize) < self.tiles.len() && error.lhs != error.rhs, "{error:?} in {self:?}");
            }
        }
    }
}

/// Every list of `rank` numbers of a range.
fn lists(rank: usize, low: i64, high: i64) -> Vec<Vec<i64>> {
    (0..rank).fold(vec![vec![]], |lists, _| {
        lists.into_iter().flat_map(|list| (low..=high).map(move |n| [&list[..], &[n]].concat())).collect()
    })
}

/// Numbers that somebody else wrote.
mod numbers {
    use super::*;

    /// Position, number of elements with padding, and the way back.
    fn lies_at(text: &str, index: &[i64], position: i64, elements: u64) {
        let shape = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(linear_index(&shape, index), Ok(position), "{text}");
        assert_eq!(multi_index(&shape, position), Ok(index.to_vec()), "{text}");
        let bytes = byte_size(&shape).unwrap();
        let width = byte_size(
            &parse(&text[..text.find('[').unwrap()].chars().chain("[]".chars()).collect::<String>()).unwrap(),
        );
        assert_eq!(bytes / width.unwrap(), elements, "{text}");
    }

    /// docs/tiled_layout.md, "Linear index formulas for tiling given a shape and a tile": f32[3,5] by 2x2 has 2x3 tiles
    /// of 2x2; element (2,3) is index (1,1,0,1) of (2,3,2,2), position 17; 24 elements with the padding.
    #[test]
    fn the_document_two_by_two() {
        lies_at("f32[3,5]{1,0:T(2,2)}", &[2, 3], 17, 24);
        let shape = parse("f32[3,5]{1,0:T(2,2)}").unwrap();
        assert_eq!((byte_size(&shape), dense_size(&shape)), (Ok(96), Ok(60)));
        assert_eq!(expansion_factor(&shape), Ok(1.6));
        assert_eq!(data_size(&shape), Ok(4 * 21), "(2,4) is (1,2,0,0), position 20");
    }

    /// docs/tiled_layout.md, "Examples of tiling formats": bf16 8x8 by 2x4, then (2,1,1,1): the formula's index (6,5).
    #[test]
    fn the_document_repeated_tiling() {
        lies_at("bf16[8,8]{1,0:T(2,4)(2,1,1,1)}", &[6, 5], 51, 64);
        // The picture of bf16 packed by two rows, rule: 2x1 inside 2x4.
        for (index, position) in [([1, 0], 1), ([0, 1], 2), ([1, 3], 7), ([0, 4], 8), ([3, 7], 31)] {
            lies_at("bf16[4,8]{1,0:T(2,4)(2,1)}", &index, position, 32);
        }
    }

    /// docs/tiled_layout.md, "Combining dimensions using tiling": f32[2,7,8,11,10] by (*,*,2,*,3) is 112x110 by (2,3).
    #[test]
    fn the_document_combined_dimensions() {
        lies_at("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", &[1, 2, 3, 4, 5], 8307, 12432);
        assert_eq!(56 * 37 * 2 * 3, 12432);
    }

    /// The formats of the document's end, positions by rule: f32 (8,128), bf16 (8,128)(2,1), s8 (8,128)(4,1), a packed
    /// vector (1024)(128)(2,1).
    #[test]
    fn formats_of_accelerators() {
        lies_at("bf16[32,256]{1,0:T(8,128)(2,1)}", &[9, 130], 3077, 8192);
        lies_at("bf16[32,256]{1,0:T(8,128)(2,1,1,1)}", &[9, 130], 2309, 8192);
        lies_at("s8[32,256]{1,0:T(8,128)(4,1)}", &[14, 200], 3874, 8192);
        lies_at("bf16[2,3,4]{1,2,0:T(16,256)(2,1)}", &[1, 2, 3], 4613, 8192);
        // Element 300 is 300 of 1024: (2, 44) in (8,128), row 0 of pair 1: 1 * 256 + 44 * 2.
        lies_at("bf16[3000]{0:T(1024)(128)(2,1)}", &[300], 344, 3072);
    }

    /// shape_util_test.cc (ArraySize, ShapeIndex...), xla.md: tile sizes beyond the rank count a size of 1.
    #[test]
    fn padded_sizes() {
        for (text, bytes) in [
            ("f32[]{:T(256)}", 1024),
            ("f32[2,3]{1,0:T(8,128)}", 4096),
            ("f32[2,3,4]{2,1,0:T(8,128)}", 2 * 4096),
            ("f32[24,128]{1,0:T(8,128)}", 24 * 128 * 4),
            ("pred[8,8]{1,0:T(32,128)(32,1)E(1)}", 512),
            ("f32[0,3]{1,0:T(8,128)}", 0),
            ("f32[5]{0:T(4)L(100)}", 400),
            ("f32[3,4]{1,0:T(3,4)(2,1)}", 64), // rule: the second tile pads 3 rows to 4
        ] {
            assert_eq!(byte_size(&parse(text).unwrap()), Ok(bytes), "{text}");
        }
    }

    /// XLA's ArrayDataSize takes the last element's position by the first tile alone: 12. It lies at 14.
    #[test]
    fn data_sizes() {
        for (text, bytes) in [
            ("u8[3,4]{1,0:T(4,4)(2,1)}", 15),
            ("u8[7]{0:T(4)(2,3)}", 7), // element 6 lies at 5, element 3 at 6
            ("u8[7]{0:T(4)(2,3)(1)}", 7),
            ("u8[3,5]{1,0:T(2,2)}", 21),
            ("u8[]{:T(256)}", 1),
            ("u8[3,0]{1,0:T(2,2)}", 0),
            ("u8[3,5]{1,0:L(16)}", 15),
            ("s4[3]{0:T(8)E(4)}", 2),
        ] {
            assert_eq!(data_size(&parse(text).unwrap()), Ok(bytes), "{text}");
        }
        assert_eq!(linear_index(&parse("u8[3,4]{1,0:T(4,4)(2,1)}").unwrap(), &[2, 3]), Ok(14));
    }

    /// layout_util_test.cc, IsUntiledLayout: the first three.
    #[test]
    fn tiles_that_change_nothing() {
        for (text, untiled) in [
            ("f32[24,128]{1,0:T(8,128)}", true),
            ("f32[4,256]{1,0:T(1,128)}", true),
            ("f32[2,3,4]{2,1,0:T(8,128)}", false),
            ("f32[4,256]{0,1:T(1,128)}", false),
            ("f32[4,256]{0,1:T(8,4)}", true),
            ("f32[100]{0:T(256)}", false),      // the buffer is longer
            ("f32[100]{0:T(256)L(512)}", true), // 512 elements either way
            ("f32[256]{0:T(256)(128)(1)}", true),
            ("f32[]{:T(1)}", true),
            ("f32[0,5]{1,0:T(8,128)}", true),
            ("f32[24,128]{1,0:T(8,128)(2,1)}", false),
            ("f32[24,128]{1,0:T(8,128)(1,128)}", true),
            ("f32[3,4,128]{2,1,0:T(*,4,128)}", true),
        ] {
            assert_eq!(is_untiled(&parse(text).unwrap()), Ok(untiled), "{text}");
        }
    }
}

/// Against the document, by brute force.
mod rule {
    use super::*;

    const ORDERS: [&[&[i64]]; 4] =
        [&[&[]], &[&[0]], &[&[1, 0], &[0, 1]], &[&[2, 1, 0], &[0, 1, 2], &[1, 2, 0], &[2, 0, 1]]];

    /// One tile: all shapes of rank at most 3 with sizes at most 6, all tiles of at most 3 sizes up to 4; orders in
    /// turn.
    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn one_tile() {
        let mut number = 0;
        for rank in 0..=3 {
            for sizes in lists(rank, 0, 6) {
                for tile in (1..=3).flat_map(|rank| lists(rank, 1, 4)) {
                    number += 1;
                    Case::new(&sizes, ORDERS[rank][number % ORDERS[rank].len()], &[&tile]).check();
                }
            }
        }
    }

    /// Up to three tiles, merged dimensions, padded sizes, empty and size-1 dimensions.
    #[test]
    fn random_tiles() {
        let mut random = Random::new(7);
        for _ in 0..oracle::times(12000) {
            let rank = random.below(5) as usize;
            let high = [0, 40, 9, 6, 4][rank].max(1);
            let size = |random: &mut Random| if random.one_in(40) { 0 } else { 1 + random.below(high) };
            let sizes: Vec<i64> = (0..rank).map(|_| size(&mut random)).collect();
            let mut order: Vec<i64> = (0..rank as i64).rev().collect();
            if random.one_in(2) {
                random.shuffle(&mut order);
            }
            let mut tiles = vec![];
            for _ in 0..1 + random.below(3) {
                let count = 1 + random.below(4);
                let often = [&[1, 1, 2, 2, 3, 4, 5], &sizes[..]].concat();
                let mut tile: Vec<i64> = (0..count).map(|_| random.pick(&often).max(1)).collect();
                if random.one_in(2) {
                    for size in tile.iter_mut().rev().skip(1) {
                        if random.one_in(2) {
                            *size = MERGE;
                        }
                    }
                }
                tiles.push(tile);
            }
            let mut case = Case { padded: sizes.clone(), sizes, minor_to_major: order, tiles };
            if random.one_in(4) {
                for padded in &mut case.padded {
                    *padded += random.below(3);
                }
            }
            if case.position(&vec![0; rank]).1 <= 4096 {
                case.check();
            }
        }
    }

    /// Buffers too large for a list: samples of indices and positions.
    #[test]
    fn large_buffers() {
        for (sizes, tiles) in [
            (vec![1 << 20, 3, 1 << 20], vec![vec![8, 128], vec![2, 1]]),
            (vec![12345, 678, 9], vec![vec![MERGE, 16, 256], vec![4, 1], vec![3]]),
            (vec![1; 64], vec![vec![2; 32], vec![1; 32]]),
            (vec![(1 << 40) + 1], vec![vec![1 << 20], vec![7]]),
            (vec![2; 40], vec![vec![3; 4], vec![2; 20]]),
        ] {
            let rank = sizes.len();
            let order: Vec<i64> = (0..rank as i64).map(|k| (k * 5 + 2) % rank as i64).collect();
            let order = if rank % 5 == 0 { (0..rank as i64).collect() } else { order };
            let case = Case { padded: sizes.clone(), sizes, minor_to_major: order, tiles };
            let (shape, mut random) = (case.shape(), Random::new(3));
            let (_, count) = case.position(&vec![0; rank]);
            assert_eq!(shape.byte_size(), Ok(count as u64));
            let data = shape.data_size().unwrap() as i64;
            for _ in 0..oracle::times(300) {
                let index: Vec<i64> = case.sizes.iter().map(|&size| random.below(size as u64)).collect();
                let (position, mut found) = (case.position(&index).0, [0; MAX_RANK]);
                assert_eq!(shape.linear_index(&index), Ok(position));
                shape.multi_index(position, &mut found).unwrap();
                assert_eq!(found[..rank], index[..]);
                assert!(position < data && data <= count);
                let any = random.below(count as u64);
                if shape.multi_index(any, &mut found).is_ok() {
                    assert_eq!(shape.linear_index(&found[..rank]), Ok(any));
                }
            }
            shape.multi_index(data - 1, &mut [0; MAX_RANK]).unwrap();
        }
    }
}

/// Limits and errors.
mod edges {
    use super::*;

    fn tiled(sizes: &[i64], tiles: &[&[i64]]) -> Answer<stride_xla_shape> {
        tiles.iter().try_fold(shape(Dtype::U8.code(), sizes, None)?, |shape, tile| with_tile(shape, tile))
    }

    #[test]
    fn empty_comes_first() {
        let huge = 1 << 40;
        let shape = tiled(&[huge, huge, 0], &[&[MERGE, MERGE, 8], &[huge, huge]]).unwrap();
        assert_eq!((byte_size(&shape), data_size(&shape), dense_size(&shape)), (Ok(0), Ok(0), Ok(0)));
        assert_eq!((expansion_factor(&shape), is_untiled(&shape)), (Ok(1.0), Ok(true)));
        assert_eq!(status(multi_index(&shape, 0)), Status::IndexOutOfRange.number());
        assert_eq!(reason(linear_index(&shape, &[0, 0, 0])).0, Status::IndexOutOfRange.number());
        assert_eq!(strides(&from_xla(&shape).unwrap()), [0, 0, 0]);
        // A padded buffer without elements.
        let shape =
            with_tile(padded(common::shape(Dtype::U8.code(), &[0], None).unwrap(), &[5], 1).unwrap(), &[4]).unwrap();
        assert_eq!((byte_size(&shape), data_size(&shape)), (Ok(8), Ok(0)));
        assert_eq!((expansion_factor(&shape), is_untiled(&shape)), (Ok(f64::INFINITY), Ok(false)));
        assert_eq!(status(multi_index(&shape, 0)), Status::NotRepresentable.number());
    }

    #[test]
    fn sizes_that_overflow() {
        let huge = 1 << 40;
        let overflow = (Status::Overflow.number(), Argument::Tile.number(), -1, huge, huge);
        assert_eq!(reason(tiled(&[1, 1], &[&[huge, huge]])), overflow);
        assert_eq!(
            reason(tiled(&[1, 1], &[&[1 << 31, 1 << 29]])).0,
            Status::Overflow.number(),
            "2^60 elements of 8 bits"
        );
        assert_eq!(byte_size(&tiled(&[1, 1], &[&[1 << 30, 1 << 29]]).unwrap()), Ok(1 << 59));
        let error = error(tiled(&[3], &[&[2], &[i64::MAX, 1]]));
        assert_eq!((error.status, error.argument), (Status::Overflow.number(), Argument::Tile.number()));
    }

    /// 64 dimensions and 64 tile sizes: 128 dimensions at a time.
    #[test]
    fn the_most_dimensions() {
        let full = tiled(&[1; 64], &[&[1; 64]]).unwrap();
        assert_eq!((byte_size(&full), linear_index(&full, &[0; 64]), is_untiled(&full)), (Ok(1), Ok(0), Ok(true)));
        let mut sizes = [1; 64];
        (sizes[0], sizes[63]) = (2, 3);
        let mut tile = [1; 64];
        (tile[0], tile[63]) = (2, 2);
        let shape = tiled(&sizes, &[&tile]).unwrap();
        let mut index = [0; 64];
        (index[0], index[63]) = (1, 2);
        // (0, 1, 1, 0) in (1, 2, 2, 2).
        assert_eq!((linear_index(&shape, &index), multi_index(&shape, 6)), (Ok(6), Ok(index.to_vec())));
        let scalar = tiled(&[], &[&[1; 32], &[1; 32]]).unwrap();
        assert_eq!((byte_size(&scalar), multi_index(&scalar, 0)), (Ok(1), Ok(vec![])));
        assert_eq!(stride::vocabulary::xla::pjrt::tile_sizes_count(&[32, 32]), Ok(64));
        assert_eq!(
            reason(tiled(&[1; 64], &[&[1; 64], &[1]])),
            (Status::Unsupported.number(), Argument::Tile.number(), -1, 65, 64)
        );
    }

    #[test]
    fn tiles_that_are_none() {
        for (tile, place, size) in [(&[0][..], 0, 0), (&[4, -1], 1, -1), (&[2, MERGE], 1, MERGE), (&[], -1, 0)] {
            let e = error(tiled(&[3], &[&[2], tile]));
            assert_eq!((e.status, e.argument), (Status::InvalidTile.number(), Argument::Tile.number()));
            assert_eq!((e.item, e.dimension, e.lhs, e.rhs), (1, place, size, 1));
        }
        let mut forged = tiled(&[3], &[&[2], &[2]]).unwrap();
        forged.tile_sizes[1] = -7;
        let e = error(byte_size(&forged));
        assert_eq!(
            (e.status, e.argument, e.item, e.lhs),
            (Status::InvalidTile.number(), Argument::Shape.number(), 1, -7)
        );
        assert_eq!(sentence(&e), "shape, tile 1, entry 0: tile size -7 is below the minimum of 1");
        forged.tile_ranks[1] = 64;
        assert_eq!(reason(byte_size(&forged)), (Status::Unsupported.number(), Argument::Shape.number(), -1, 65, 64));
        forged.tile_ranks[0] = u32::MAX;
        assert_eq!(status(byte_size(&forged)), Status::Unsupported.number());
        forged.tile_count = 9;
        assert_eq!(reason(byte_size(&forged)), (Status::Unsupported.number(), Argument::Shape.number(), -1, 9, 8));
    }

    /// Who is past the end: a tile, a size, or the tail.
    #[test]
    fn padding_is_named() {
        let named = |text: &str, linear| {
            let e = error(multi_index(&parse(text).unwrap(), linear));
            assert_eq!((e.status, e.argument), (Status::NotRepresentable.number(), Argument::Linear.number()));
            (e.item, e.dimension, e.lhs, e.rhs)
        };
        assert_eq!(named("f32[3,5]{1,0:T(2,2)L(32)}", 14), (0, -1, 3, 3), "row 3");
        assert_eq!(named("f32[3,5]{1,0:T(2,2)L(32)}", 9), (0, -1, 5, 5), "column 5");
        assert_eq!(named("f32[3,5]{1,0:T(2,2)L(32)}", 24), (-1, -1, 24, 32), "the tail");
        assert_eq!(named("u8[4]{0:T(4)(3)}", 5), (1, -1, 5, 4), "the second tile");
        let shape = padded(parse("u8[3]").unwrap(), &[4], 1).unwrap();
        let e = error(multi_index(&with_tile(shape, &[2]).unwrap(), 3));
        assert_eq!((e.item, e.dimension, e.lhs, e.rhs), (-1, 0, 3, 3));
    }

    /// The first tile that moves an element, with its two positions.
    #[test]
    fn layouts_of_tiled_shapes() {
        let layout = from_xla(&parse("f32[24,128]{1,0:T(8,128)}").unwrap()).unwrap();
        assert_eq!(fields(&layout), (vec![24, 128], vec![128, 1], 0));
        // Only the end of the buffer differs: the elements have the plain layout.
        assert_eq!(strides(&from_xla(&parse("f32[100]{0:T(256)}").unwrap()).unwrap()), [1]);
        assert_eq!(strides(&from_xla(&parse("f32[]{:T(256)}").unwrap()).unwrap()), [0; 0]);
        for (text, item, tiled, untiled) in
            [("f32[3,5]{1,0:T(2,2)}", 0, 12, 10), ("f32[24,128]{1,0:T(8,128)(2,1)}", 1, 2, 1)]
        {
            let e = error(from_xla(&parse(text).unwrap()));
            assert_eq!((e.status, e.argument), (Status::NotRepresentable.number(), Argument::Shape.number()));
            assert_eq!((e.item, e.lhs, e.rhs), (item, tiled, untiled), "{text}");
        }
    }

    /// Where dimensions with gaps are merged, some answers are found by trying, and the trying ends.
    #[test]
    fn irregular_tiles_are_tried() {
        let irregular = |padded_rows| {
            let shape = padded(parse("u8[1,1]").unwrap(), &[padded_rows, 2], 1).unwrap();
            with_tile(with_tile(shape, &[MERGE, 4]).unwrap(), &[2, 2]).unwrap()
        };
        assert_eq!((data_size(&irregular(100)), data_size(&irregular(1 << 20))), (Ok(1), Ok(1)));
        let merged = tiled(&[1 << 10, 1 << 10], &[&[8, 8], &[MERGE, 4]]).unwrap();
        assert_eq!((data_size(&merged), is_untiled(&merged)), (Ok(1 << 20), Ok(false)));
        let e = error(from_xla(&merged));
        assert_eq!((e.status, e.item, e.lhs, e.rhs), (Status::NotRepresentable.number(), 0, 8, 1024));
        assert_eq!(is_untiled(&tiled(&[8, 8], &[&[8, 8], &[MERGE, 4]]).unwrap()), Ok(true));
        // Columns of 1023 in pairs, which are runs in memory: no element is moved, but no rule says so.
        let pairs = |rows, columns| parse(&format!("u8[{rows},{columns}]{{0,1:T(*,1)(*,2)}}")).unwrap();
        assert_eq!(is_untiled(&pairs(15, 16)), Ok(true));
        let undecided = (Status::Undecided.number(), Argument::Shape.number(), -1, 256, 1023 << 10);
        assert_eq!(reason(is_untiled(&pairs(1023, 1024))), undecided);
        assert_eq!(reason(from_xla(&pairs(1023, 1024))), undecided);
        // Rows of 2 at a pitch of 3 are merged and cut every 2: (0,1,0), number 3, is (1,0,1) in (3,2,2).
        let shape = padded(parse("u8[1,2,2]").unwrap(), &[1, 2, 3], 1).unwrap();
        let e = error(from_xla(&with_tile(shape, &[2, MERGE, 2]).unwrap()));
        assert_eq!((e.status, e.item, e.lhs, e.rhs), (Status::NotRepresentable.number(), 0, 5, 3));
        // A merge hides the padding at the ends of rows: elements are tried, or positions from the end, 4096 / 10.
        let rows = |rows, pitch| parse(&format!("u8[{rows},1]{{1,0:T(5,{pitch})(*,{})}}", 5 * pitch)).unwrap();
        assert_eq!(data_size(&rows(410, 409)), Ok(410 * 409 - 408));
        assert_eq!(reason(data_size(&rows(410, 410))), (undecided.0, undecided.1, -1, 409, 410 * 410));
        assert_eq!(data_size(&rows(409, 500)), Ok(408 * 500 + 1));
        let shape = padded(parse("u8[500,4]").unwrap(), &[500, 8], 1).unwrap();
        let merged = with_tile(with_tile(shape, &[MERGE, 40]).unwrap(), &[40]).unwrap();
        assert_eq!(data_size(&merged), Ok(499 * 8 + 4));
        // Where several elements are moved, the first that is looked at is told.
        for (text, tiled, untiled) in [
            ("u8[1,6]{1,0:T(2,2)(*,2)(2,*,4)}", 8, 4),
            ("u8[1,8]{1,0:T(2,6)(*,5,3)}", 15, 3),
            ("u8[12]{0:T(4,8)(6,2,4)(*,3,2)}", 4, 8),
        ] {
            let e = error(from_xla(&parse(text).unwrap()));
            assert_eq!((e.item, e.lhs, e.rhs), (0, tiled, untiled), "{text}");
        }
        // Most of the buffer is padding of the first tile that a merge strews about.
        let strewn = |size| parse(&format!("u8[{size}]{{0:T(128)(128,*,3)}}")).unwrap();
        assert_eq!(data_size(&strewn(130)), Ok(16513), "129 is (43, 0) in (86, 3), which lie 128 * 3 apart");
        let (status, argument, _, tried, positions) = reason(data_size(&strewn(974)));
        assert_eq!((status, argument), (Status::Undecided.number(), Argument::Shape.number()));
        assert!(tried < positions && positions == byte_size(&strewn(974)).unwrap() as i64);
    }
}
