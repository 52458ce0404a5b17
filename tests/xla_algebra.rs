//! Rearranged XLA shapes, and bitcasts between them.
//!
//! The oracle is [`tiles::position`], the rule of docs/tiled_layout.md, over all elements. Worked
//! examples are those of openxla/xla's tests: shape_util_test.cc, layout_util_test.cc, shape_inference_test.cc.

mod oracle;

use oracle::{Random, tiles};
use stride::error::{Argument, Error, Status};
use stride::model::{Dtype, MAX_RANK};
use stride::vocabulary::xla::bitcast::{reshape_is_bitcast, transpose_is_bitcast};
use stride::vocabulary::xla::decompose::{self, Kind, align, decompose, transpose_axes};
use stride::vocabulary::xla::equal::{Ignore, equal};
use stride::vocabulary::xla::rearrange::*;
use stride::vocabulary::xla::tiles::MERGE;
use stride::vocabulary::xla::{PaddingKind, Shape, broadcast::broadcast, text};

fn shape(text: &str) -> Shape {
    text::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn tiled(text: &str, tiles: &[&[i64]]) -> Shape {
    tiles.iter().fold(shape(text), |shape, tile| shape.with_tile(tile).unwrap())
}

fn padded(shape: Shape, sizes: &[i64]) -> Shape {
    shape.with_padding(sizes, PaddingKind::Unknown).unwrap()
}

/// Position of an element and the number of positions.
fn position(shape: &Shape, index: &[i64]) -> (i64, i64) {
    let tiles: Vec<Vec<i64>> = shape.tiles().iter().map(|tile| tile.to_vec()).collect();
    tiles::position(shape.padded_sizes(), shape.minor_to_major(), &tiles, index)
}

fn count(shape: &Shape) -> i64 {
    shape.sizes().iter().product()
}

fn positions(shape: &Shape) -> Vec<i64> {
    tiles::indices(shape.sizes()).map(|index| position(shape, &index).0).collect()
}

/// The buffer's length, tail alignment included.
fn length(shape: &Shape) -> i64 {
    let elements = position(shape, &vec![0; shape.rank()]).1;
    (elements + shape.tail_alignment() - 1) / shape.tail_alignment() * shape.tail_alignment()
}

fn is_bitcast_by_force(input: &Shape, output: &Shape) -> bool {
    input.dtype() == output.dtype()
        && input.storage_bits() == output.storage_bits()
        && count(input) == count(output)
        && (count(input) == 0 || (positions(input) == positions(output) && length(output) <= length(input)))
}

fn name(shape: &Shape) -> String {
    let tiles: Vec<_> = shape.tiles().iter().collect();
    format!(
        "{:?}{:?} padded {:?} order {:?} tiles {tiles:?} tail {}",
        shape.dtype(),
        shape.sizes(),
        shape.padded_sizes(),
        shape.minor_to_major(),
        shape.tail_alignment()
    )
}

fn permutations(rank: usize) -> Vec<Vec<i64>> {
    if rank == 0 {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for shorter in permutations(rank - 1) {
        for place in 0..rank {
            let mut longer = shorter.clone();
            longer.insert(place, rank as i64 - 1);
            all.push(longer);
        }
    }
    all
}

/// Shapes that are drawn.
trait Shapes {
    /// All dimensions in any order.
    fn axes(&mut self, rank: usize) -> Vec<i64>;
    /// Usually row-major.
    fn order(&mut self, rank: usize) -> Vec<i64>;
    /// Factors of `count`, now and then a 1 among them.
    fn sizes(&mut self, count: i64) -> Vec<i64>;
    /// One to three sizes.
    fn tile(&mut self) -> Vec<i64>;
    /// Any order, padding and tiles.
    fn shape(&mut self, sizes: &[i64]) -> Shape;
}

impl Shapes for Random<'_> {
    fn axes(&mut self, rank: usize) -> Vec<i64> {
        let mut axes: Vec<i64> = (0..rank as i64).collect();
        self.shuffle(&mut axes);
        axes
    }

    fn order(&mut self, rank: usize) -> Vec<i64> {
        let mut order: Vec<i64> = (0..rank as i64).rev().collect();
        if self.one_in(3) {
            self.shuffle(&mut order);
        }
        order
    }

    fn sizes(&mut self, mut count: i64) -> Vec<i64> {
        let mut sizes = Vec::new();
        while count > 1 {
            let divisors: Vec<i64> = (2..=count).filter(|divisor| count % divisor == 0).collect();
            let size = self.pick(&divisors);
            sizes.push(size);
            count /= size;
        }
        for _ in 0..self.below(3) {
            let place = self.below(sizes.len() as u64 + 1) as usize;
            sizes.insert(place, 1);
        }
        sizes
    }

    fn tile(&mut self) -> Vec<i64> {
        let mut tile: Vec<i64> = (0..1 + self.below(3)).map(|_| self.pick(&[1, 2, 2, 3, 4, 6])).collect();
        let last = tile.len() - 1;
        for size in &mut tile[..last] {
            if self.one_in(6) {
                *size = MERGE;
            }
        }
        tile
    }

    fn shape(&mut self, sizes: &[i64]) -> Shape {
        let order = self.order(sizes.len());
        let mut shape = Shape::new(Dtype::F32, sizes, Some(&order)).unwrap();
        if self.one_in(4) {
            let sizes: Vec<i64> = sizes.iter().map(|&size| size + self.below(4) / 3).collect();
            shape = padded(shape, &sizes);
        }
        for _ in 0..self.below(4) {
            shape = shape.with_tile(&self.tile()).unwrap();
        }
        shape
    }
}

/// (status, argument, dimension, lhs, rhs).
fn reason(error: Error) -> (Status, Argument, i32, i64, i64) {
    (error.status, error.argument, error.dimension, error.lhs, error.rhs)
}

mod bitcasts {
    use super::*;

    fn reshape(from: &str, to: &str) -> bool {
        reshape_is_bitcast(&shape(from), &shape(to)).unwrap()
    }

    /// shape_util_test.cc: ReshapeIsBitcast_3x4_6x2, _3x2x2_6x2_Dim1IsMostMinor, _Dim0IsMostMinor, IgnoreElementType.
    #[test]
    fn reshapes_of_xlas_tests() {
        for (from, from_is_row_major) in [("f32[3,4]{1,0}", true), ("f32[3,4]{0,1}", false)] {
            for (to, to_is_row_major) in [("f32[6,2]{1,0}", true), ("f32[6,2]{0,1}", false)] {
                assert_eq!(reshape(from, to), from_is_row_major && to_is_row_major, "{from} {to}");
            }
        }
        assert!(reshape("f32[3,2,2]{1,0,2}", "f32[6,2]{0,1}"));
        assert!(!reshape("f32[3,2,2]{0,1,2}", "f32[6,2]{0,1}"));
        assert!(!reshape("f32[3,2,2]{1,0,2}", "f16[6,2]{0,1}"));
    }

    /// shape_util_test.cc: TransposeIsBitcastIgnoreElementType, IsReshapeOrTransposeBitcast, PermuteDimensionsLayout.
    #[test]
    fn transposes_of_xlas_tests() {
        let transpose =
            |from: &str, to: &str, axes: &[i64]| transpose_is_bitcast(&shape(from), &shape(to), axes).unwrap();
        assert!(transpose("f32[10,5]{1,0}", "f32[5,10]{0,1}", &[1, 0]));
        assert!(!transpose("f32[10,5]{1,0}", "f16[5,10]{0,1}", &[1, 0]));
        assert!(!transpose("f32[10,5]{1,0}", "f32[5,10]{1,0}", &[1, 0]));
        let either = decompose::reshape_or_transpose_is_bitcast;
        assert_eq!(either(&shape("f32[10,5]{1,0}"), &shape("f32[5,10]{0,1}")), Ok(true));
        assert_eq!(either(&shape("f32[10,5]{1,0}"), &shape("f32[5,10]{1,0}")), Ok(true)); // the reshape
        assert_eq!(either(&shape("f32[10,5]{0,1}"), &shape("f32[5,10]{0,1}")), Ok(false));
        for order in permutations(3) {
            let from = Shape::new(Dtype::F32, &[10, 100, 1000], Some(&order)).unwrap();
            for axes in permutations(3) {
                assert_eq!(transpose_is_bitcast(&from, &permute(&from, &axes).unwrap(), &axes), Ok(true), "{axes:?}");
            }
        }
    }

    #[test]
    fn size_one_dimensions_lie_anywhere() {
        // XLA's TransposeIsBitcast compares orders and says no.
        let (from, to) = (shape("f32[1,5]{1,0}"), shape("f32[5,1]{1,0}"));
        assert_eq!(transpose_is_bitcast(&from, &to, &[1, 0]), Ok(true));
        assert_eq!(transpose_is_bitcast(&from, &to, &[-1, -2]), Ok(true));
        assert!(reshape("f32[4,1,3]{1,0,2}", "f32[1,4,3]{1,0,2}"));
        assert!(reshape("f32[4,1,3]{1,2,0}", "f32[12]"));
    }

    #[test]
    fn what_is_no_bitcast_whatever_the_order() {
        assert!(!reshape("f32[6]", "f32[5]"));
        assert!(!reshape("f32[6]", "s32[6]"));
        assert!(!reshape("s4[6]{0:E(4)}", "s4[6]"));
        assert!(!reshape("f32[]", "f32[]{:E(64)}"));
        assert!(reshape("f32[]", "f32[1,1]"));
        // No elements: nothing can move.
        assert!(reshape("s4[0]{0:E(4)}", "s4[0]") && !reshape("s4[1]{0:E(4)}", "s4[1]"));
        assert!(reshape("f32[0,3]{0,1}", "f32[7,0]") && reshape("f32[0]", "f32[5,0,2]{0,1,2}"));
        let (from, to) = (shape("f32[2,3]"), shape("f32[3,2]"));
        assert_eq!(transpose_is_bitcast(&from, &to, &[0, 1]), Ok(false)); // sizes
        let error = transpose_is_bitcast(&from, &to, &[1, 1]).unwrap_err();
        assert_eq!(reason(error), (Status::InvalidAxes, Argument::Axes, 1, 1, 2));
        let error = transpose_is_bitcast(&from, &shape("f32[6]"), &[1, 0]).unwrap_err();
        assert_eq!(reason(error), (Status::ShapeMismatch, Argument::OutShape, -1, 1, 2));
    }

    #[test]
    fn the_output_fits_the_inputs_buffer() {
        assert!(reshape("f32[15]{0:L(16)}", "f32[3,5]") && !reshape("f32[3,5]", "f32[15]{0:L(16)}"));
        // Rows of 3 at a pitch of 5; the last row's padding is in the one buffer and not in the other.
        let rows = padded(shape("f32[2,3]"), &[2, 5]);
        let more_rows = padded(shape("f32[2,3]"), &[3, 5]);
        assert_eq!(reshape_is_bitcast(&more_rows, &rows), Ok(true));
        assert_eq!(reshape_is_bitcast(&rows, &more_rows), Ok(false));
        assert_eq!(reshape_is_bitcast(&rows, &shape("f32[6]")), Ok(false));
        assert_eq!(reshape_is_bitcast(&rows, &padded(shape("f32[2,1,3]"), &[2, 1, 5])), Ok(true));
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn small_untiled_shapes_by_force() {
        let mut yes = 0;
        for elements in [1, 2, 4, 6, 8, 12] {
            let mut shapes = Vec::new();
            let mut lists = vec![vec![]];
            for _ in 0..3 {
                let longer: Vec<Vec<i64>> = lists
                    .iter()
                    .flat_map(|list: &Vec<i64>| (1..=elements).map(move |size| [&list[..], &[size]].concat()))
                    .filter(|list| elements % list.iter().product::<i64>() == 0)
                    .collect();
                for list in longer.iter().filter(|list| list.iter().product::<i64>() == elements) {
                    for order in permutations(list.len()) {
                        let shape = Shape::new(Dtype::U8, list, Some(&order)).unwrap();
                        shapes.push((shape, positions(&shape)));
                    }
                }
                lists = longer;
            }
            for (from, from_positions) in &shapes {
                for (to, to_positions) in &shapes {
                    let expected = from_positions == to_positions;
                    assert_eq!(reshape_is_bitcast(from, to), Ok(expected), "{} to {}", name(from), name(to));
                    yes += u32::from(expected);
                }
            }
        }
        assert!(yes > 1000, "{yes}");
    }

    #[test]
    fn random_padded_and_tiled_shapes_by_force() {
        let mut random = Random::new(1);
        let (mut yes, mut tiled_yes) = (0, 0);
        for case in 0..oracle::times(40_000) {
            let elements = random.pick(&[4, 6, 8, 12, 16, 24, 36]);
            let sizes = random.sizes(elements);
            let from = random.shape(&sizes);
            let sizes = random.sizes(elements);
            let mut to = random.shape(&sizes);
            if random.one_in(2) {
                to = to.with_tiles(*from.tiles()).unwrap();
            }
            let expected = is_bitcast_by_force(&from, &to);
            assert_eq!(reshape_is_bitcast(&from, &to), Ok(expected), "case {case}: {} to {}", name(&from), name(&to));
            yes += u32::from(expected);
            tiled_yes += u32::from(expected && !(from.tiles().is_empty() && to.tiles().is_empty()));
        }
        assert!(cfg!(miri) || yes > 300 && tiled_yes > 50, "{yes} {tiled_yes}");
    }

    #[test]
    fn random_transposes_by_force() {
        let mut random = Random::new(2);
        let mut yes = 0;
        for case in 0..oracle::times(10_000) {
            let sizes = random.pick(&[4, 6, 8, 12, 24]);
            let sizes = random.sizes(sizes);
            let from = random.shape(&sizes);
            let axes = random.axes(sizes.len());
            let permuted = permute(&from, &axes).unwrap();
            let mut to = random.shape(permuted.sizes());
            if random.one_in(2) {
                to = to.with_tiles(*from.tiles()).unwrap();
            }
            // The transpose's elements in the order of the output's.
            let back = tiles::indices(to.sizes()).map(|index| {
                let mut input = vec![0; index.len()];
                axes.iter().zip(&index).for_each(|(&axis, &digit)| input[axis as usize] = digit);
                position(&from, &input).0
            });
            let expected = back.eq(positions(&to)) && length(&to) <= length(&from);
            let answer = transpose_is_bitcast(&from, &to, &axes);
            assert_eq!(answer, Ok(expected), "case {case}: {} by {axes:?} to {}", name(&from), name(&to));
            yes += u32::from(expected);
        }
        assert!(cfg!(miri) || yes > 300, "{yes}");
    }

    /// Too many elements to look at each.
    #[test]
    fn large_shapes_are_decided_by_their_form() {
        let yes = |from: Shape, to: Shape| {
            assert_eq!(reshape_is_bitcast(&from, &to), Ok(true), "{} to {}", name(&from), name(&to))
        };
        let no = |from: Shape, to: Shape| {
            assert_eq!(reshape_is_bitcast(&from, &to), Ok(false), "{} to {}", name(&from), name(&to))
        };
        // A dimension before the tile is split or joined.
        let tile: &[&[i64]] = &[&[8, 128], &[2, 1]];
        yes(tiled("bf16[1000,1000]", tile), tiled("bf16[125,8,1000]", tile));
        yes(tiled("bf16[6,1000,1000]", tile), tiled("bf16[2,3,1000,1000]", tile));
        yes(tiled("bf16[2,3,1000,1000]", tile), tiled("bf16[6,1000,1000]", tile));
        no(tiled("bf16[1000,1000]", tile), tiled("bf16[250,4,1000]", tile));
        no(tiled("bf16[1000,1000]", tile), shape("bf16[1000,1000]"));
        // One column of tiles is row-major; a tile of one row as well.
        yes(tiled("f32[8000,128]", &[&[8, 128]]), shape("f32[1024000]"));
        yes(tiled("f32[4000,256]", &[&[1, 128]]), shape("f32[4000,256]"));
        no(tiled("f32[8004,128]", &[&[8, 128]]), tiled("f32[1024512]", &[&[1024, 128]])); // the buffer is longer
        yes(tiled("f32[1004,128]", &[&[8, 128]]), tiled("f32[128512]", &[&[128]]));
        // Joined dimensions are one dimension.
        let joins: &[&[i64]] = &[&[2, MERGE, 128]];
        yes(tiled("bf16[20,30,1004]", joins), tiled("bf16[20,30120]", &[&[2, 128]]));
        yes(tiled("bf16[20,30,1004]", joins), tiled("bf16[20,5,6,1004]", &[&[2, MERGE, MERGE, 128]]));
        no(tiled("bf16[20,30,1004]", joins), tiled("bf16[20,1004,30]{1,2,0}", joins));
        yes(tiled("f32[2,7,800,11,10]", &[&[MERGE, MERGE, 2, MERGE, 3]]), tiled("f32[11200,110]", &[&[2, 3]]));
        let rows = |shape: Shape, padded_sizes| padded(shape, padded_sizes).with_tile(&[MERGE, 8]).unwrap();
        yes(rows(shape("f32[40,50,3]"), &[40, 50, 4]), rows(shape("f32[2000,3]"), &[2000, 4]));
        yes(tiled("f32[300,100]", &[&[1, MERGE, 40]]), tiled("f32[30000]", &[&[40]]));
        // A tile that takes all there is of a dimension, or of a tile: three rows, then three blocks of rows.
        yes(tiled("f32[4000,3,1000]", &[&[8, 128]]), tiled("f32[12000,1000]", &[&[3, 128], &[8, 128]]));
        let (from, to): (&[&[i64]], &[&[i64]]) = (&[&[8, 128], &[5, 1, 1, 1]], &[&[24, 128], &[8, 128], &[5, 1, 1, 1]]);
        yes(tiled("f32[4000,24,1000]", from), tiled("f32[96000,1000]", to));
        // As many dimensions of the buffer as there can be: those of the shape, and one for each size of the tile.
        let sizes = [&[1; MAX_RANK - 2][..], &[1000, 1003]].concat();
        let tile_of_all = [&[1; MAX_RANK - 2][..], &[8, 128]].concat();
        let of_all = Shape::new(Dtype::F32, &sizes, None).unwrap().with_tile(&tile_of_all).unwrap();
        yes(of_all, tiled("f32[1000,1003]", &[&[8, 128]]));
        // The same buffer under other numbers.
        let from = tiled("bf16[300,400,500]{1,2,0}", tile);
        assert_eq!(transpose_is_bitcast(&from, &tiled("bf16[500,300,400]{2,0,1}", tile), &[2, 0, 1]), Ok(true));
        assert_eq!(transpose_is_bitcast(&from, &tiled("bf16[500,300,400]{0,2,1}", tile), &[2, 0, 1]), Ok(false));
    }

    #[test]
    fn a_tile_that_cuts_a_tile_in_unequal_pieces() {
        let tile: &[&[i64]] = &[&[3, 4], &[2, 1]];
        let error = reshape_is_bitcast(&tiled("f32[300,400]", tile), &tiled("f32[100,3,400]", tile)).unwrap_err();
        assert_eq!(reason(error), (Status::Undecided, Argument::Shape, -1, 195, 120_000));
        // Fewer elements are looked at one by one; the same buffer needs no look.
        assert_eq!(reshape_is_bitcast(&tiled("f32[12,16]", tile), &tiled("f32[4,3,16]", tile)), Ok(true));
        assert_eq!(reshape_is_bitcast(&tiled("f32[15,13]", tile), &tiled("f32[5,3,13]", tile)), Ok(true)); // 195
        assert_eq!(reshape_is_bitcast(&tiled("f32[300,400]", tile), &tiled("f32[1,300,400]", tile)), Ok(true));
        assert_eq!(reshape_is_bitcast(&tiled("f32[300,400]", tile), &tiled("f32[100,6,200]", tile)), Ok(false));
        // One difference is enough.
        let (from, to) = (tiled("f32[1000]", &[&[5, 4]]), tiled("f32[1000]", &[&[3], &[2]]));
        assert_eq!(reshape_is_bitcast(&from, &to), Ok(false));
        let joined = tiled("f32[5,300,20,20]", &[&[3, MERGE, 4], &[2, 1]]);
        let error = reshape_is_bitcast(&tiled("f32[5,300,400]", tile), &joined).unwrap_err();
        assert_eq!(reason(error), (Status::Undecided, Argument::Shape, -1, 170, 600_000));
        // One that was rounded up, then joined and cut again: not known, although nothing moves.
        let error = reshape_is_bitcast(&tiled("f32[1001]", &[&[2], &[MERGE, 6]]), &tiled("f32[1001]", &[&[6]]));
        assert_eq!(reason(error.unwrap_err()), (Status::Undecided, Argument::Shape, -1, 292, 1001));
    }
}

mod rearranging {
    use super::*;

    #[test]
    fn examples_of_xlas_tests() {
        // MakeShapeWithDescendingLayoutAndSamePhysicalLayout.
        let from = shape("f32[128,24,4,48,48]{2,4,3,1,0}");
        assert_eq!(descending(&from), Ok(shape("f32[128,24,48,48,4]{4,3,2,1,0}")));
        // DeleteDimensions, DeleteDimensionsUnsorted.
        assert_eq!(delete(&shape("f32[5,3,2]{2,0,1}"), &[1]), Ok(shape("f32[5,2]{1,0}")));
        for list in [[1, 2, 3], [3, 2, 1], [-4, -2, 2]] {
            assert_eq!(delete(&shape("f32[5,3,2,7,9]{2,0,1,4,3}"), &list), Ok(shape("f32[5,9]{0,1}")));
        }
        // PrependMajorDimension.
        assert_eq!(prepend_major(&shape("f32[10,20,30]"), 40), Ok(shape("f32[40,10,20,30]")));
        assert_eq!(prepend_major(&shape("f32[10,20,30]{0,2,1}"), 40), Ok(shape("f32[40,10,20,30]{1,3,2,0}")));
        // IsEffectivelyMostMajorDimension.
        for (text, dimension, expected) in [
            ("f32[1,1,16,1,279]{4,0,1,2,3}", 2, true),
            ("f32[1,1,16,1,279]{4,1,2,3,0}", 2, true),
            ("f32[1,1,16,1,279]{0,1,2,3,4}", 2, false),
            ("f32[1,1,16,1,1]{0,1,2,3,4}", 4, true),
        ] {
            assert_eq!(is_most_major(&shape(text), dimension), Ok(expected), "{text}");
        }
    }

    /// PermuteDynamicDimensions.
    #[test]
    fn flags_go_with_their_dimensions() {
        let from = shape("f32[10,<=100,<=1000]");
        for axes in permutations(3) {
            let to = permute(&from, &axes).unwrap();
            for (k, &axis) in axes.iter().enumerate() {
                assert_eq!(to.sizes()[k], from.sizes()[axis as usize]);
                assert_eq!(to.dynamic >> k & 1, from.dynamic >> axis & 1);
            }
        }
        assert_eq!(delete(&from, &[0]).unwrap().dynamic, 0b11);
        assert_eq!(prepend_major(&from, 4).unwrap().dynamic, 0b1100);
    }

    #[test]
    fn the_rest_of_the_layout_stays() {
        let mut from = padded(shape("s4[2,3]{0,1:L(16)E(4)S(5)}"), &[2, 4]);
        from.padding_kind = PaddingKind::Zero;
        for to in [permute(&from, &[1, 0]), descending(&from), delete(&from, &[0]), prepend_major(&from, 2)] {
            let to = to.unwrap();
            assert_eq!((to.element_bits(), to.tail_alignment(), to.memory_space), (4, 16, 5));
            assert_eq!((to.dtype(), to.padding_kind), (Dtype::S4, PaddingKind::Zero));
        }
    }

    #[test]
    fn permuted_elements_keep_their_position() {
        let mut random = Random::new(3);
        for case in 0..oracle::times(2000) {
            let elements = random.pick(&[1, 6, 8, 12, 24]);
            let sizes = random.sizes(elements);
            let from = random.shape(&sizes);
            let axes = random.axes(sizes.len());
            let physical: Vec<i64> = from.minor_to_major().iter().rev().copied().collect();
            for (to, axes) in [(permute(&from, &axes), axes), (descending(&from), physical)] {
                let to = to.unwrap();
                assert_eq!(length(&to), length(&from));
                for index in tiles::indices(from.sizes()) {
                    let permuted: Vec<i64> = axes.iter().map(|&axis| index[axis as usize]).collect();
                    assert_eq!(position(&to, &permuted).0, position(&from, &index).0, "case {case}: {}", name(&from));
                }
            }
        }
    }

    #[test]
    fn elements_keep_their_position_when_ones_are_deleted() {
        let mut random = Random::new(4);
        let (mut deleted, mut refused) = (0, 0);
        for case in 0..oracle::times(6000) {
            let elements = random.pick(&[1, 4, 6, 8, 12]);
            let sizes = random.sizes(elements);
            let from = random.shape(&sizes);
            let ones: Vec<i64> =
                (0..sizes.len()).filter(|&k| sizes[k] == 1 && random.below(4) > 0).map(|k| k as i64).collect();
            match delete(&from, &ones) {
                Ok(to) => {
                    let left: Vec<i64> =
                        (0..sizes.len()).filter(|&k| !ones.contains(&(k as i64))).map(|k| sizes[k]).collect();
                    assert_eq!(to.sizes(), left);
                    assert_eq!(positions(&to), positions(&from), "case {case}: {} {}", name(&from), name(&to));
                    assert!(length(&to) <= length(&from));
                    deleted += u32::from(!ones.is_empty());
                }
                Err(error) => {
                    assert_eq!(error.status, Status::NotRepresentable);
                    assert!(from.is_padded() || !from.tiles().is_empty(), "case {case}: {}", name(&from));
                    refused += 1;
                }
            }
        }
        assert!(cfg!(miri) || deleted > 2000 && refused > 20, "{deleted} {refused}");
    }

    #[test]
    fn what_becomes_of_padding_and_tiles_of_deleted_dimensions() {
        // 15 from row to row: the padding of the middle goes to the columns.
        let from = padded(shape("f32[4,1,5]"), &[4, 3, 5]);
        assert_eq!(delete(&from, &[1]), Ok(padded(shape("f32[4,5]"), &[4, 15])));
        // Every third element: no shape without the dimension does that.
        let from = padded(shape("f32[4,1]"), &[4, 3]);
        let error = delete(&from, &[1]).unwrap_err();
        assert_eq!((error.status, error.dimension), (Status::NotRepresentable, 1));
        assert_eq!(delete(&tiled("f32[16,1,64]", &[&[8, 1, 128]]), &[1]), Ok(tiled("f32[16,64]", &[&[8, 128]])));
        let halves = delete(&tiled("f32[16,1,64]", &[&[8, 1, 128], &[1, 64]]), &[1]); // of rows, whatever was deleted
        assert_eq!(halves, Ok(tiled("f32[16,64]", &[&[8, 128], &[1, 64]])));
        assert_eq!(delete(&tiled("f32[1,4,64]", &[&[8, 128]]), &[0]), Ok(tiled("f32[4,64]", &[&[8, 128]])));
        assert_eq!(delete(&tiled("u8[1,4,1]", &[&[1, 2, 1]]), &[0, 2]), Ok(tiled("u8[4]", &[&[2]]))); // both entries go
        let error = delete(&tiled("f32[4,1,64]", &[&[8, 128]]), &[1]).unwrap_err();
        assert_eq!((error.status, error.dimension), (Status::NotRepresentable, 1));
        // oneDNN's NChw16n16c of one image: entries of the spatial dimensions go, those of the images stay.
        let from = tiled("u8[1,20,1,1]", &[&[16, 16, 1, 1]]);
        assert_eq!(delete(&from, &[0, 2, 3]), Ok(tiled("u8[20]", &[&[16, 16]])));
        let from = tiled("u8[1,4,1]{0,1,2}", &[&[2, 2, 1]]);
        assert_eq!(delete(&from, &[2, 0]), Ok(tiled("u8[4]", &[&[2, 2]])));
        // A new buffer: XLA would let the tile cut dimension 0.
        let from = tiled("f32[2,3,4]", &[&[2, 2]]);
        assert_eq!(delete(&from, &[0]), Ok(tiled("f32[3,4]", &[&[2, 2]])));
        let error = delete(&from, &[1]).unwrap_err();
        assert_eq!(reason(error), (Status::NotRepresentable, Argument::Shape, 1, 1, 2));
        // (2,1) cuts nothing but what (8,128) leaves within it, and so do tiles of more sizes as far as there is some.
        let wide: [&[i64]; 2] = [&[8, 128], &[2, 1]];
        let from = tiled("bf16[4,5,16,128]", &wide);
        for gone in [0, 1] {
            let left = ["bf16[5,16,128]", "bf16[4,16,128]"][gone];
            assert_eq!(delete(&from, &[gone as i64]), Ok(tiled(left, &wide)));
        }
        assert_eq!(delete(&from, &[0, 1]), Ok(tiled("bf16[16,128]", &wide)));
        assert_eq!(reason(delete(&from, &[2]).unwrap_err()), (Status::NotRepresentable, Argument::Shape, 2, 1, 2));
        let packed: [&[i64]; 3] = [&[1024], &[128], &[2, 1]];
        assert_eq!(delete(&tiled("bf16[3,2048]", &packed), &[0]), Ok(tiled("bf16[2048]", &packed)));
        let four: [&[i64]; 2] = [&[8, 128], &[2, 1, 1, 1]];
        assert_eq!(delete(&tiled("bf16[3,16,128]", &four), &[0]), Ok(tiled("bf16[16,128]", &four)));
        // Five sizes reach one dimension more.
        let from = tiled("bf16[3,4,16,128]", &[&[8, 128], &[2, 1, 1, 1, 1], &[2; 8]]);
        assert_eq!(reason(delete(&from, &[1]).unwrap_err()), (Status::NotRepresentable, Argument::Shape, 1, 2, 3));
        assert!(delete(&from, &[0]).is_ok());
        // A merged dimension is half of what it would be.
        let from = tiled("f32[3,4,5,16]", &[&[MERGE, 8], &[2, 4, 2]]);
        assert_eq!(reason(delete(&from, &[1]).unwrap_err()), (Status::NotRepresentable, Argument::Shape, 1, 2, 3));
        assert!(delete(&from, &[0]).is_ok());
    }

    #[test]
    fn an_inserted_dimension_leaves_the_others_in_place() {
        let mut random = Random::new(5);
        for case in 0..oracle::times(4000) {
            let elements = random.pick(&[1, 4, 6, 8, 12]);
            let sizes = random.sizes(elements);
            let from = random.shape(&sizes);
            let prepended = prepend_major(&from, 1 + random.below(3)).unwrap();
            for index in tiles::indices(&sizes) {
                let (at, new) = (position(&from, &index).0, position(&prepended, &[&[0], &index[..]].concat()).0);
                assert_eq!(new, at, "case {case}: {} {index:?}", name(&from));
            }
        }
    }

    /// A dynamic dimension may be unbounded; the one that is put before it is not.
    #[test]
    fn no_size_is_below_zero_beside_a_dynamic_one() {
        let from = shape("f32[<=8]");
        for size in [i64::MIN, -1] {
            let error = prepend_major(&from, size).unwrap_err();
            assert_eq!((error.status, error.argument, error.lhs), (Status::InvalidSize, Argument::Sizes, size));
        }
        assert_eq!(prepend_major(&from, 3), Ok(shape("f32[3,<=8]")));
    }

    #[test]
    fn what_is_refused() {
        let from = shape("f32[2,3]");
        // Columns cut in pairs, and those once more: more positions than are tried.
        let error = delete(&shape("u8[1023,1,1024]{0,1,2:T(*,2)(*,2)}"), &[1]).unwrap_err();
        assert_eq!(reason(error), (Status::Undecided, Argument::Shape, -1, 204, 1023 << 10));
        assert_eq!(reason(permute(&from, &[0]).unwrap_err()), (Status::InvalidRank, Argument::Rank, -1, 1, 2));
        assert_eq!(reason(permute(&from, &[0, 0]).unwrap_err()), (Status::InvalidAxes, Argument::Axes, 1, 0, 2));
        assert_eq!(reason(delete(&from, &[0, 2]).unwrap_err()), (Status::InvalidAxes, Argument::Dimensions, 1, 2, 2));
        assert_eq!(
            reason(is_most_major(&from, -3).unwrap_err()),
            (Status::InvalidAxes, Argument::Dimension, -1, -3, 2)
        );
        let error = prepend_major(&from, -1).unwrap_err();
        assert_eq!(reason(error), (Status::InvalidSize, Argument::Sizes, 0, -1, 0));
        let full = Shape::new(Dtype::U8, &[1; MAX_RANK], None).unwrap();
        let error = prepend_major(&full, 1).unwrap_err();
        assert_eq!(reason(error), (Status::InvalidRank, Argument::Out, -1, 65, 64));
        assert_eq!(prepend_major(&from, i64::MAX).unwrap_err().status, Status::Overflow);
    }
}

mod decomposing {
    use super::*;

    /// DeduceTransposeDimensionsForBitcast and …Negative.
    #[test]
    fn axes_of_a_transpose() {
        let axes = |from: &str, to: &str| transpose_axes(&shape(from), &shape(to)).map(|axes| axes.to_vec());
        assert_eq!(axes("f32[5,3]{1,0}", "f32[3,5]{0,1}"), Ok(vec![1, 0]));
        assert_eq!(axes("f32[5,3]{1,0}", "f32[3,5]{1,0}").unwrap_err().status, Status::NotRepresentable);
        assert_eq!(axes("f32[5,3]", "f32[15]").unwrap_err().status, Status::NotRepresentable);
        let ones = reason(axes("f32[2,3]", "f32[1,6]").unwrap_err());
        assert_eq!(ones, (Status::NotRepresentable, Argument::OutShape, -1, 1, 0));
        assert_eq!(axes("f32[1,5]{1,0}", "f32[5,1]{1,0}"), Ok(vec![1, 0])); // XLA finds none
        assert_eq!(axes("f32[2,1,3]{2,1,0}", "f32[3,2,1]{0,1,2}"), Ok(vec![2, 0, 1])); // 1 apart from 2 and 3
        assert_eq!(axes("f32[]", "f32[]"), Ok(vec![]));
        // Where it is not known whether it is a transpose, nothing else is tried.
        let from = tiled("f32[200,200]", &[&[MERGE, 3]]);
        let to = tiled("f32[200,200]{0,1}", &[&[MERGE, 3], &[1]]);
        let either = decompose::reshape_or_transpose_is_bitcast(&from, &to).map(|_| ());
        for error in [decompose(&from, &to).map(|_| ()), either] {
            assert_eq!(reason(error.unwrap_err()), (Status::Undecided, Argument::Shape, -1, 240, 40_000));
        }
    }

    /// Tiles may hold dimensions in another order than the shape names.
    #[test]
    fn axes_are_found_where_there_are_any() {
        let mut random = Random::new(9);
        let (mut found, mut none) = (0, 0);
        for case in 0..oracle::times(10_000) {
            let elements = random.pick(&[0, 1, 4, 6, 8, 12]);
            let sizes =
                if elements == 0 { random.pick(&[[8, 0, 1], [0, 0, 2]]).to_vec() } else { random.sizes(elements) };
            let from = random.shape(&sizes);
            let axes = random.axes(sizes.len());
            let permuted = permute(&from, &axes).unwrap();
            let to = if random.one_in(3) { permuted } else { random.shape(permuted.sizes()) };
            let fits = |axes: &Vec<i64>| transpose_is_bitcast(&from, &to, axes) == Ok(true);
            match transpose_axes(&from, &to) {
                Ok(axes) => assert!(fits(&axes.to_vec()), "case {case}: {} {axes:?} {}", name(&from), name(&to)),
                Err(error) => {
                    assert_eq!(error.status, Status::NotRepresentable);
                    let any = permutations(sizes.len()).into_iter().find(|axes| fits(axes));
                    assert_eq!(any, None, "case {case}: {} to {}", name(&from), name(&to));
                    none += 1;
                    continue;
                }
            }
            found += 1;
            assert_eq!(decompose::reshape_or_transpose_is_bitcast(&from, &to), Ok(true));
            assert!(decompose(&from, &to).is_ok());
        }
        assert!(cfg!(miri) || found > 1000 && none > 1000, "{found} {none}");
        let axes = |from: &str, to: &str| transpose_axes(&shape(from), &shape(to)).map(|axes| axes.to_vec());
        assert_eq!(axes("u8[2,2]{0,1:T(2,1)}", "u8[2,2]{0,1}"), Ok(vec![1, 0]));
        assert_eq!(axes("u8[6,2]{1,0:T(2)}", "u8[6,2]{0,1:T(2)(2,1,1)}"), Ok(vec![0, 1]));
        assert_eq!(axes("u8[8,0]{1,0}", "u8[8,0]{0,1}"), Ok(vec![0, 1]));
    }

    fn check(from: &Shape, to: &Shape, expected: Kind) -> (Vec<i64>, Shape, Shape, Vec<i64>) {
        let found = decompose(from, to).unwrap();
        assert_eq!(found.kind, expected, "{} to {}", name(from), name(to));
        let (transposed, reshaped) = (found.transposed(from).unwrap(), found.reshaped(to).unwrap());
        assert_eq!(permute(from, &found.axes), Ok(transposed));
        assert_eq!(permute(&reshaped, &found.output_axes), Ok(*to));
        assert_eq!(reshape_is_bitcast(&transposed, &reshaped), Ok(true), "{} to {}", name(from), name(to));
        (found.axes.to_vec(), transposed, reshaped, found.output_axes.to_vec())
    }

    /// DecomposeBitcastToReshape, …2, …ToTranspose, …ToReshapeAndTranspose, …2, …ToTransposeAndReshape, …ToTrt.
    #[test]
    fn decompositions_of_xlas_tests() {
        let found = |from: &str, to: &str, kind| check(&shape(from), &shape(to), kind);
        found("f32[1,16,17,3]{3,2,1,0}", "f32[16,51]{1,0}", Kind::Reshape);
        found("f32[17,3,1,16]{1,0,3,2}", "f32[51,16]{0,1}", Kind::Reshape);
        let (axes, ..) = found("f32[3,7,6,4]{3,2,1,0}", "f32[3,6,4,7]{2,1,3,0}", Kind::Transpose);
        assert_eq!(axes, [0, 2, 3, 1]);
        for (from, to, axes, transposed, reshaped, output_axes) in [
            ("f32[16,17,3]{2,1,0}", "f32[51,16]{0,1}", vec![0, 1, 2], "f32[16,17,3]", "f32[16,51]", vec![1, 0]),
            (
                "f32[16,17,3,7]{3,2,1,0}",
                "f32[7,16,51]{0,2,1}",
                vec![0, 1, 2, 3],
                "f32[16,17,3,7]",
                "f32[16,51,7]",
                vec![2, 0, 1],
            ),
            ("f32[16,3,17]{1,2,0}", "f32[51,16]{1,0}", vec![0, 2, 1], "f32[16,17,3]", "f32[51,16]", vec![0, 1]),
            ("f32[16,3,17]{1,2,0}", "f32[16,51]{0,1}", vec![0, 2, 1], "f32[16,17,3]", "f32[51,16]", vec![1, 0]),
        ] {
            let expected = (axes, shape(transposed), shape(reshaped), output_axes);
            assert_eq!(found(from, to, Kind::TransposeReshapeTranspose), expected, "{from} to {to}");
        }
    }

    #[test]
    fn any_two_dense_shapes_of_the_same_elements() {
        let mut random = Random::new(6);
        for _ in 0..oracle::times(2000) {
            let elements = random.pick(&[1, 6, 8, 12, 24]);
            let (from, to) = (random.sizes(elements), random.sizes(elements));
            let (from_order, to_order) = (random.order(from.len()), random.order(to.len()));
            let from = Shape::new(Dtype::F32, &from, Some(&from_order)).unwrap();
            let to = Shape::new(Dtype::F32, &to, Some(&to_order)).unwrap();
            let kind = decompose(&from, &to).unwrap().kind;
            check(&from, &to, kind);
            assert_eq!(kind == Kind::Reshape, is_bitcast_by_force(&from, &to));
        }
        let error = decompose(&shape("f32[6]"), &shape("f32[7]")).unwrap_err();
        assert_eq!(error.status, Status::NotRepresentable);
        let error = decompose(&padded(shape("f32[2,3]"), &[2, 5]), &shape("f32[6]")).unwrap_err();
        assert_eq!(error.status, Status::NotRepresentable);
    }

    /// AlignLayoutsWithoutTrivialDimensions, …WithTrivialDimensions, …WithAllTrivialDimensions, …WrongInputLayout,
    /// …NonConsecutiveAlignmentPart.
    #[test]
    fn aligned_layouts_of_xlas_tests() {
        let from = shape("f32[3,8,5,7,11]{3,2,1,0,4}");
        assert_eq!(align(&from, &[4, 3, 2, 7, 5, 11]), Ok(shape("f32[4,3,2,7,5,11]{4,3,2,1,0,5}")));
        assert_eq!(align(&from, &[3, 2, 4, 35, 11]), Ok(shape("f32[3,2,4,35,11]{3,2,1,0,4}")));
        let ones = shape("f32[1,3,8,1,5,7,1,11,1,1]{5,0,4,2,1,3,6,7,9,8}");
        let to = align(&ones, &[1, 4, 1, 3, 2, 7, 5, 11, 1]).unwrap();
        assert!(cfg!(miri) || is_bitcast_by_force(&ones, &to));
        assert_eq!(to.minor_to_major(), [6, 5, 4, 3, 1, 7, 8, 2, 0]); // trivial ones most major, descending
        assert_eq!(align(&shape("f32[1,1,1,1]{0,1,3,2}"), &[1; 5]), Ok(shape("f32[1,1,1,1,1]")));
        let none = |from: &str, sizes: &[i64]| align(&shape(from), sizes).unwrap_err().status;
        assert_eq!(none("f32[3,8,5,7,11]{2,3,1,0,4}", &[4, 3, 2, 7, 5, 11]), Status::NotRepresentable);
        assert_eq!(none("f32[3,8,5,7,11]{3,2,1,0,4}", &[4, 3, 2, 5, 77]), Status::NotRepresentable);
        let long = reason(align(&shape("f32[]"), &[1; 65]).unwrap_err());
        assert_eq!(long, (Status::InvalidRank, Argument::Out, -1, 65, 64));
        assert_eq!(reason(align(&from, &[4]).unwrap_err()), (Status::ShapeMismatch, Argument::Sizes, -1, 4, 9240));
    }

    #[test]
    fn alignment_finds_an_order_if_there_is_one() {
        let mut random = Random::new(7);
        let (mut found, mut none) = (0, 0);
        for case in 0..oracle::times(3000) {
            let elements = random.pick(&[1, 4, 6, 8, 12, 24]);
            let (sizes, wanted) = (random.sizes(elements), random.sizes(elements));
            let order = random.axes(sizes.len());
            let from = Shape::new(Dtype::F32, &sizes, Some(&order)).unwrap();
            let fits =
                |order: &Vec<i64>| is_bitcast_by_force(&from, &Shape::new(Dtype::F32, &wanted, Some(order)).unwrap());
            let expected = permutations(wanted.len()).iter().any(fits);
            match align(&from, &wanted) {
                Ok(to) => assert!(is_bitcast_by_force(&from, &to), "case {case}: {} {}", name(&from), name(&to)),
                Err(error) => {
                    assert_eq!(error.status, Status::NotRepresentable);
                    assert!(!expected, "case {case}: {} {wanted:?}", name(&from));
                }
            }
            found += u32::from(expected);
            none += u32::from(!expected);
        }
        assert!(cfg!(miri) || found > 500 && none > 500, "{found} {none}");
    }

    #[test]
    fn aligned_shapes_with_padding_and_tiles() {
        // Rows at a pitch of 5: only whole rows can be taken apart.
        let from = padded(shape("f32[6,3]"), &[6, 5]);
        assert_eq!(align(&from, &[2, 3, 3]), Ok(padded(shape("f32[2,3,3]"), &[2, 3, 5])));
        assert_eq!(align(&from, &[18]).unwrap_err().status, Status::NotRepresentable);
        let rows = align(&padded(shape("f32[6]"), &[7]), &[2, 3]).unwrap(); // the seventh fills no row
        assert_eq!((rows.padded_sizes(), rows.minor_to_major()), (&[2, 3][..], &[1, 0][..]));
        let mut random = Random::new(8);
        let mut found = 0;
        for case in 0..oracle::times(4000) {
            let elements = random.pick(&[4, 6, 8, 12, 24]);
            let (sizes, wanted) = (random.sizes(elements), random.sizes(elements));
            let from = random.shape(&sizes);
            match align(&from, &wanted) {
                Ok(to) => {
                    assert!(is_bitcast_by_force(&from, &to), "case {case}: {} {}", name(&from), name(&to));
                    found += 1;
                }
                Err(error) => assert_eq!(error.status, Status::NotRepresentable),
            }
        }
        assert!(cfg!(miri) || found > 100, "{found}");
        assert_eq!(align(&tiled("f32[16,128]", &[&[8, 128]]), &[2048]), Ok(shape("f32[2048]")));
        let tile: &[&[i64]] = &[&[8, 128], &[2, 1]];
        assert_eq!(align(&tiled("f32[6,16,200]", tile), &[2, 3, 16, 200]), Ok(tiled("f32[2,3,16,200]", tile)));
    }
}

mod equality {
    use super::*;

    #[test]
    fn each_part_can_be_ignored() {
        let all = shape("s4[2,<=3]{0,1:L(16)E(4)S(5)}").with_tile(&[2, 2]).unwrap();
        let plain = || shape("s4[2,<=3]{0,1:L(16)E(4)S(5)}");
        let with = |other: Shape| other.with_tile(&[2, 2]).unwrap();
        for (other, flag) in [
            (plain(), Ignore::TILES),
            (with(shape("s4[2,<=3]{0,1:L(16)S(5)}")), Ignore::ELEMENT_BITS),
            (with(shape("s4[2,<=3]{0,1:L(8)E(4)S(5)}")), Ignore::TAIL_ALIGNMENT),
            (with(shape("s4[2,<=3]{0,1:L(16)E(4)}")), Ignore::MEMORY_SPACE),
            (with(shape("s4[<=2,3]{0,1:L(16)E(4)S(5)}")), Ignore::DYNAMIC),
            (with(shape("u4[2,<=3]{0,1:L(16)E(4)S(5)}")), Ignore::ELEMENT_TYPE),
            (with(shape("s4[4,<=3]{0,1:L(16)E(4)S(5)}")), Ignore::SIZES),
            (padded(all, &[2, 4]), Ignore::PADDING),
            (with(shape("s4[2,<=3]{1,0:L(16)E(4)S(5)}")), Ignore::LAYOUT),
        ] {
            let answer = |flags: u32| equal(&all, &other, Ignore::new(flags).unwrap());
            assert!(!answer(0) && answer(flag) && !answer(!flag & 1022), "{flag}");
            let layout = flag & (Ignore::ALL_BUT_ORDER | Ignore::LAYOUT) != 0;
            assert_eq!(answer(Ignore::LAYOUT), layout, "{flag}");
            assert_eq!(answer(Ignore::ALL_BUT_ORDER), flag & Ignore::ALL_BUT_ORDER != 0, "{flag}");
        }
        assert!(equal(&all, &all, Ignore::NOTHING));
        assert!(!equal(&shape("f32[6]"), &shape("f32[1,6]"), Ignore::new(1023).unwrap()));
        assert_eq!(reason(Ignore::new(1024).unwrap_err()), (Status::InvalidArgument, Argument::Flags, -1, 1024, 1023));
    }

    /// EqualIgnoringFpPrecision, UnequalIgnoringFpPrecision, EqualIgnoringElementType, CompatibleDynamicShapes.
    #[test]
    fn examples_of_xlas_tests() {
        let answer = |lhs: &str, rhs: &str, flags| equal(&shape(lhs), &shape(rhs), Ignore::new(flags).unwrap());
        assert!(answer("f32[4,3]{0,1}", "f16[4,3]{0,1}", Ignore::FLOAT_PRECISION));
        for (lhs, rhs) in [
            ("f32[4,3]{0,1}", "f16[3,4]{0,1}"),
            ("f32[3,4]{0,1}", "f16[3,4]{1,0}"),
            ("f32[4,3]{0,1}", "pred[4,3]{0,1}"),
        ] {
            assert!(!answer(lhs, rhs, Ignore::FLOAT_PRECISION), "{lhs} {rhs}");
        }
        assert!(answer("s32[4,3]{0,1}", "f16[4,3]{0,1}", Ignore::ELEMENT_TYPE));
        assert!(!answer("f32[3,4]{0,1}", "f16[3,4]{1,0}", Ignore::ELEMENT_TYPE));
        assert!(!answer("f32[<=4,3]", "f32[4,3]", 0));
        assert!(answer("f32[<=4,3]{1,0}", "f32[4,<=3]{0,1}", Ignore::LAYOUT | Ignore::DYNAMIC));
    }
}

mod broadcasting {
    use super::*;

    fn result(lhs: &str, rhs: &str, dimensions: &[i64]) -> Result<Shape, Error> {
        broadcast(&shape(lhs), &shape(rhs), dimensions)
    }

    #[test]
    fn results_that_are_too_large() {
        for (lhs, rhs) in [("f32[1099511627776,1]", "f32[1,1099511627776]"), ("f32[1073741824,1]", "f32[1,2147483648]")]
        {
            let error = result(lhs, rhs, &[]).unwrap_err();
            assert_eq!((error.status, error.argument), (Status::Overflow, Argument::Rhs), "{lhs} {rhs}");
        }
    }

    /// shape_inference_test.cc: BinOpBroadcastMatrixVector, …CubeMatrix; docs/broadcasting.md.
    #[test]
    fn examples_of_xlas_tests() {
        for (lhs, rhs, dimensions, expected) in [
            ("f32[16,8]", "f32[8]", &[1][..], "f32[16,8]"),
            ("f32[16,8]", "f32[16]", &[0], "f32[16,8]"),
            ("f32[16,8,4]", "f32[8,4]", &[1, 2], "f32[16,8,4]"),
            ("f32[16,8,4]", "f32[16,4]", &[0, 2], "f32[16,8,4]"),
            ("f32[16,8,4]", "f32[16,8]", &[0, 1], "f32[16,8,4]"),
            ("f32[3]", "f32[4,3]", &[1], "f32[4,3]"),
            ("f32[2,1]", "f32[2,3,4]", &[0, 2], "f32[2,3,4]"),
            ("f32[2,3]", "f32[2,1,4]", &[0, 1], "f32[2,3,4]"),
            ("f32[]", "f32[2,3]{0,1}", &[], "f32[2,3]"), // the default layout
            ("f32[1,2]", "f32[3,1]", &[], "f32[3,2]"),
            ("f32[1,2]", "f32[3,1]", &[0, 1], "f32[3,2]"),
            ("f32[2,3]{0,1}", "f32[2,3]", &[], "f32[2,3]{0,1}"), // the left operand's
            ("bf16[2]", "f16[2]", &[], "bf16[2]"),
            ("f32[0,1]", "f32[1,5]", &[], "f32[0,5]"),
        ] {
            assert_eq!(result(lhs, rhs, dimensions), Ok(shape(expected)), "{lhs} {rhs}");
        }
    }

    /// The first power of two that overflows, then the bits of the significand: both as ml_dtypes' finfo has them.
    #[test]
    fn the_type_of_more_range_and_precision() {
        let rising = [
            "f4e2m1fn",
            "f8e3m4",
            "f8e4m3b11fnuz",
            "f8e4m3",
            "f8e4m3fn",
            "f8e5m2",
            "f16",
            "f8e8m0fnu",
            "bf16",
            "f32",
            "f64",
        ];
        for (k, less) in rising.iter().enumerate() {
            for more in &rising[k..] {
                let [less, more] = [less, more].map(|dtype| format!("{dtype}[2]"));
                assert_eq!(result(&less, &more, &[]), Ok(shape(&more)), "{less} {more}");
                assert_eq!(result(&more, &less, &[]), Ok(shape(&more)), "{more} {less}");
            }
        }
        for (lhs, rhs) in [("f8e4m3[2]", "f8e4m3fnuz[2]"), ("f8e5m2fnuz[2]", "f8e5m2[2]"), ("f32[2]", "s32[2]")] {
            assert_eq!(result(lhs, rhs, &[]).unwrap_err().status, Status::DtypeMismatch, "{lhs} {rhs}");
        }
    }

    /// The table in InferDegenerateDimensionBroadcastShape, and the dynamism rules of InferInDimBroadcastShape.
    #[test]
    fn dynamic_dimensions() {
        for (lhs, rhs, dimensions, expected) in [
            ("f32[1]", "f32[<=5]", &[][..], "f32[<=5]"),
            ("f32[<=5]", "f32[1]", &[], "f32[<=5]"),
            ("f32[5]", "f32[<=5]", &[], "f32[<=5]"),
            ("f32[<=5]", "f32[5]", &[], "f32[<=5]"),
            ("f32[<=5,1]", "f32[<=5,3]", &[], "f32[<=5,3]"),
            ("f32[<=1,2]", "f32[5,1]", &[], "f32[5,2]"),
            ("f32[5,1]", "f32[<=1,2]", &[], "f32[5,2]"),
            // Both are 1: the table says <=1, XLA's code takes the right operand's flag.
            ("f32[<=1,2]", "f32[1,1]", &[], "f32[<=1,2]"),
            ("f32[1]", "f32[<=5,3]", &[0], "f32[<=5,3]"),
            ("f32[<=5]", "f32[5,3]", &[0], "f32[<=5,3]"),
            ("f32[5]", "f32[<=5,3]", &[0], "f32[<=5,3]"),
            ("f32[<=5]", "f32[1,3]", &[0], "f32[<=5,3]"),
        ] {
            assert_eq!(result(lhs, rhs, dimensions), Ok(shape(expected)), "{lhs} {rhs}");
        }
        let (status, argument) = (Status::BroadcastMismatch, Argument::Rhs);
        let why = |lhs, rhs, dimensions: &[i64]| reason(result(lhs, rhs, dimensions).unwrap_err());
        assert_eq!(why("f32[<=1]", "f32[3,5]", &[1]), (status, argument, 1, 1, 5));
        assert_eq!(why("f32[3,<=1]", "f32[5]", &[1]), (status, argument, 1, 1, 5));
    }

    /// BinOpBroadcastBadDimension and its neighbours.
    #[test]
    fn what_is_refused() {
        let (axes, sizes) = (Status::InvalidAxes, Status::BroadcastMismatch);
        let places = Argument::BroadcastDimensions;
        for (lhs, rhs, dimensions, expected) in [
            ("f32[16,8,4]", "f32[8]", &[][..], (Status::InvalidRank, Argument::Count, -1, 0, 1)),
            ("f32[16,8,4]", "f32[8]", &[3], (axes, places, 0, 3, 3)),
            ("f32[16,8,4]", "f32[8]", &[-1], (axes, places, 0, -1, 3)),
            ("f32[16,8,4]", "f32[8]", &[0], (sizes, Argument::Rhs, 0, 16, 8)),
            ("f32[8]", "f32[16,8,4]", &[0], (sizes, Argument::Rhs, 0, 8, 16)),
            ("f32[16,8,4]", "f32[8,4]", &[0, 1, 2], (Status::InvalidRank, Argument::Count, -1, 3, 2)),
            ("f32[16,8,4]", "f32[8,4]", &[3, 0], (axes, places, 0, 3, 3)),
            ("f32[16,8,4]", "f32[8,4]", &[2, 1], (sizes, Argument::Rhs, 2, 4, 8)),
            ("f32[8,8,8]", "f32[8,8]", &[0, 0], (axes, places, 1, 0, 0)),
            ("f32[8,8,8]", "f32[8,8]", &[1, 0], (axes, places, 1, 0, 1)),
            ("f32[2,3]", "f32[2,3]", &[1, 0], (axes, places, 0, 1, 0)),
            ("f32[2,3]", "f32[2,4]", &[], (sizes, Argument::Rhs, 1, 3, 4)),
            ("f32[2,<=3]", "f32[2,<=4]", &[], (sizes, Argument::Rhs, 1, 3, 4)),
        ] {
            assert_eq!(reason(result(lhs, rhs, dimensions).unwrap_err()), expected, "{lhs} {rhs} {dimensions:?}");
        }
        let types = (Status::DtypeMismatch, Argument::Rhs);
        let why = |lhs, rhs| result(lhs, rhs, &[]).map_err(|error| (error.status, error.argument));
        assert_eq!(why("f32[2]", "s32[2]"), Err(types));
        assert_eq!(why("f8e5m2[2]", "f8e5m2fnuz[2]"), Err(types)); // XLA aborts
        assert_eq!(result("u8[4294967296,1]", "u8[1,4294967296]", &[]).unwrap_err().status, Status::Overflow);
    }
}
