//! Shapes with other dimensions: permuted, deleted, inserted.
//!
//! Each function says which elements keep their position, and returns NOT_REPRESENTABLE if no shape keeps that promise.
//! Padded sizes go with their dimension. Tiles cut the *last physical* dimensions, whatever their numbers, so
//! renumbering leaves them alone. If the physical dimensions themselves change, the tiles are made to fit, or the call
//! is refused. Storage bits, tail alignment, memory space and the kind of padding stay, and so do the flags of dynamic
//! dimensions.
//!
//! Sources: `ShapeUtil` and `LayoutUtil` of openxla/xla (shape_util.cc, layout_util.cc), under the names given.

use super::bitcast;
use super::shape::Shape;
use super::tiles::{MERGE, Tiles};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count, check_rank};
use crate::model::build::resolve_axis;
use crate::model::{MAX_RANK, arith, fixed};
use crate::view::AxisSet;
use arrayvec::ArrayVec;

/// Numbers of the dimensions of a shape, or one number for each of them.
pub(super) type List = ArrayVec<i64, MAX_RANK>;

/// The numbers in a list; those past the limit, which no caller has, are left out.
pub(super) fn listed(numbers: impl IntoIterator<Item = i64>) -> List {
    let mut list = List::new();
    for number in numbers {
        if list.try_push(number).is_err() {
            break;
        }
    }
    list
}

/// The parts of a rearranged shape; the rest is as in the shape that it comes from.
#[derive(Default)]
pub(super) struct Dimensions {
    pub(super) sizes: List,
    pub(super) padded: List,
    pub(super) order: List,
    pub(super) dynamic: u64,
}

impl Dimensions {
    /// Appends a dimension, outermost first; the order is the caller's to fill.
    pub(super) fn push(&mut self, (size, padded, dynamic): (i64, i64, bool)) -> Result<()> {
        let rank = self.sizes.len();
        self.dynamic |= u64::from(dynamic) << (rank & 63);
        check_rank(rank + 1, MAX_RANK, Argument::Out)?;
        let _ = (self.sizes.try_push(size), self.padded.try_push(padded)); // there is room
        Ok(())
    }

    /// The shape with these dimensions and tiles.
    pub(super) fn shape(&self, like: &Shape, tiles: &Tiles) -> Result<Shape> {
        like.with_dimensions((&self.sizes, &self.padded, &self.order), self.dynamic, tiles)
    }
}

/// Size, padded size and flag of a dimension.
fn dimension_of(shape: &Shape, dimension: usize) -> (i64, i64, bool) {
    let entry = |list: &[i64]| list.get(dimension).copied().unwrap_or(1);
    (entry(shape.sizes()), entry(shape.padded_sizes()), shape.is_dynamic(dimension))
}

/// Dimension i of the result is dimension `axes[i]`; every element keeps its position, tiles and padding included
/// (`ShapeUtil::PermuteDimensions`). `f32[2,3,4]{1,0,2}` by {2,0,1} is `f32[4,2,3]{2,1,0}`.
///
/// ```
/// use stride::vocabulary::xla::{self, rearrange};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let out = rearrange::permute(&parse("f32[2,3]{1,0}")?, &[1, 0])?;
/// assert_eq!((out.sizes(), out.minor_to_major()), (&[3, 2][..], &[0, 1][..])); // the same bytes
/// # Ok::<(), stride::Error>(())
/// ```
pub fn permute(shape: &Shape, axes: &[i64]) -> Result<Shape> {
    check_count(axes.len(), shape.rank(), Argument::Rank)?;
    let (mut out, mut seen, mut place_of) = (Dimensions::default(), AxisSet::default(), [0i64; MAX_RANK]);
    for (position, &axis) in axes.iter().enumerate() {
        let dimension = seen.insert_entry(position, axis, shape.rank())?;
        out.push(dimension_of(shape, dimension))?;
        fixed::set(&mut place_of, dimension, position as i64);
    }
    let places = shape.minor_to_major().iter().map(|&old| place_of.get(old as usize).copied().unwrap_or(0));
    out.order = listed(places);
    out.shape(shape, shape.tiles())
}

/// The dimensions from most major to most minor.
pub(super) fn physical_axes(shape: &Shape) -> List {
    listed(shape.minor_to_major().iter().rev().copied())
}

/// The dimensions renumbered so that the order is descending; every element keeps its position
/// (`MakeShapeWithDescendingLayoutAndSamePhysicalLayout`). `f32[128,24,4,48,48]{2,4,3,1,0}` is
/// `f32[128,24,48,48,4]{4,3,2,1,0}`.
///
/// ```
/// use stride::vocabulary::xla::{self, rearrange};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// assert_eq!(rearrange::descending(&parse("f32[2,3]{0,1}")?)?.sizes(), [3, 2]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn descending(shape: &Shape) -> Result<Shape> {
    permute(shape, &physical_axes(shape))
}

/// The shape without these dimensions; their order in the list does not matter (`ShapeUtil::DeleteDimensions`).
///
/// If all of them have size 1, every element keeps its position: their padding goes to the next more minor dimension,
/// and an entry of the first tile that cut one of them is dropped if necessary; else NOT_REPRESENTABLE.
///
/// Otherwise the result is the shape of a new buffer, as in XLA: the other dimensions keep order and padded sizes, and
/// positions change. Tiles must not reach the deleted dimensions (NOT_REPRESENTABLE with the dimension); XLA would let
/// them cut other dimensions than before.
///
/// ```
/// use stride::vocabulary::xla::{self, rearrange};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// assert_eq!(rearrange::delete(&parse("f32[2,3,4]{2,0,1}")?, &[1])?, parse("f32[2,4]{1,0}")?);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn delete(shape: &Shape, dimensions: &[i64]) -> Result<Shape> {
    let mut gone = AxisSet::default();
    for (position, &dimension) in dimensions.iter().enumerate() {
        let entry = gone.insert(dimension, shape.rank());
        entry.map_err(|error| error.argument(Argument::Dimensions).dimension(position))?;
    }
    let ones = (0..shape.rank()).all(|dimension| !gone.contains(dimension) || dimension_of(shape, dimension).0 == 1);
    let joint = together(shape, gone, ones);
    // The entries of some dimensions may have to go, those of others to stay; that is found one by one.
    match dimensions {
        [_, _, ..] if ones && joint.is_err() => one_by_one(shape, gone).or(joint),
        _ => joint,
    }
}

/// [`delete`] of all at once; `ones`: their sizes are 1.
#[inline(never)] // keeps its shapes off the stack while dimensions are tried one by one
fn together(shape: &Shape, gone: AxisSet, ones: bool) -> Result<Shape> {
    let mut out = Dimensions::default();
    let mut place_of = [0i64; MAX_RANK];
    for (dimension, slot) in (0..shape.rank()).zip(&mut place_of) {
        *slot = out.sizes.len() as i64;
        if !gone.contains(dimension) {
            out.push(dimension_of(shape, dimension))?;
        }
    }
    let kept = shape.minor_to_major().iter().filter(|&&dimension| !gone.contains(dimension as usize));
    out.order = listed(kept.map(|&dimension| place_of.get(dimension as usize).copied().unwrap_or(0)));
    if !ones {
        check_out_of_reach(shape, gone)?;
        return out.shape(shape, shape.tiles());
    }
    let mut carried = 1i64;
    for &dimension in shape.minor_to_major().iter().rev() {
        let padded = dimension_of(shape, dimension as usize).1;
        if gone.contains(dimension as usize) {
            carried = arith::multiply(carried, padded)?;
        } else if let Some(slot) =
            place_of.get(dimension as usize).and_then(|&place| out.padded.get_mut(place as usize))
        {
            *slot = arith::multiply(carried, padded)?;
            carried = 1;
        }
    }
    let first = (0..shape.rank()).find(|&dimension| gone.contains(dimension)).unwrap_or(0);
    let none = Status::NotRepresentable.of(Argument::Shape).dimension(first);
    let none = none.because(Detail::ElementsMove, dimension_of(shape, first).1, 1);
    one_that_keeps_positions(shape, &out, none, shape.tiles(), &without_entries(shape, gone))
}

#[inline(never)] // keeps its shapes on the stack only while it runs
fn one_by_one(shape: &Shape, gone: AxisSet) -> Result<Shape> {
    let mut left = *shape;
    for dimension in (0..shape.rank()).rev().filter(|&dimension| gone.contains(dimension)) {
        let mut one = AxisSet::default();
        one.insert(dimension as i64, left.rank())?;
        left = together(&left, one, true)?;
    }
    Ok(left)
}

/// The shape with these dimensions, and the first of the two lists of tiles with which its reshape from `shape` is a
/// bitcast; else `none`, or the last error if one of the answers was one, such as UNDECIDED.
pub(super) fn one_that_keeps_positions(
    shape: &Shape,
    dimensions: &Dimensions,
    mut none: Error,
    tiles: &Tiles,
    other_tiles: &Tiles,
) -> Result<Shape> {
    for tiles in [tiles, other_tiles] {
        match keeps_positions(shape, dimensions, tiles) {
            Ok(true) => return dimensions.shape(shape, tiles),
            Ok(false) => {}
            Err(error) => none = error,
        }
    }
    Err(none)
}

#[inline(never)] // keeps only one candidate on the stack
fn keeps_positions(shape: &Shape, dimensions: &Dimensions, tiles: &Tiles) -> Result<bool> {
    bitcast::reshape_is_bitcast(shape, &dimensions.shape(shape, tiles)?)
}

/// The tiles without the entries of the first one that cut these dimensions.
fn without_entries(shape: &Shape, gone: AxisSet) -> Tiles {
    let mut tiles = Tiles::NONE;
    for (item, tile) in shape.tiles().iter().enumerate() {
        let entries = tile.iter().rev().enumerate().filter(|&(place, _)| {
            let cut = shape.minor_to_major().get(place).copied();
            item > 0 || !cut.is_some_and(|dimension| gone.contains(dimension as usize))
        });
        let mut left = listed(entries.map(|(_, &entry)| entry));
        left.reverse();
        if !left.is_empty() {
            let _ = tiles.push(&left); // shorter than a valid one; one ending in MERGE is left out and fails the test
        }
    }
    tiles
}

/// NOT_REPRESENTABLE if the tiles reach a dimension of the set.
fn check_out_of_reach(shape: &Shape, gone: AxisSet) -> Result<()> {
    // The dimensions that the tiles take, and those that they have made of them.
    let (mut reach, mut made) = (0usize, 0usize);
    for tile in shape.tiles().iter() {
        let taken = tile.len().saturating_sub(made);
        reach += taken;
        made = made + taken - tile.len() + 2 * tile.iter().filter(|&&size| size != MERGE).count();
    }
    match shape.minor_to_major().iter().take(reach).position(|&dimension| gone.contains(dimension as usize)) {
        None => Ok(()),
        Some(place) => {
            let error = Status::NotRepresentable.of(Argument::Shape);
            let dimension = shape.minor_to_major().get(place).map_or(0, |&dimension| dimension as usize);
            Err(error.dimension(dimension).because(Detail::CutByTiles, place as i64, reach as i64))
        }
    }
}

/// The shape with a new dimension 0 of this size, the most major one in memory: an element whose new index is 0 lies
/// where the old one lay, tiles included (`ShapeUtil::PrependMajorDimension` drops them).
///
/// ```
/// use stride::vocabulary::xla::{self, rearrange};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// assert_eq!(rearrange::prepend_major(&parse("f32[3]")?, 2)?, parse("f32[2,3]{1,0}")?);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn prepend_major(shape: &Shape, size: i64) -> Result<Shape> {
    check_rank(shape.rank() + 1, MAX_RANK, Argument::Out)?;
    let mut out = Dimensions::default();
    out.push((size, size, false))?;
    for dimension in 0..shape.rank() {
        out.push(dimension_of(shape, dimension))?;
    }
    out.order = listed(shape.minor_to_major().iter().map(|&dimension| dimension + 1).chain([0]));
    out.shape(shape, shape.tiles())
}

/// Whether every dimension more major than this one has size 1 (`ShapeUtil::IsEffectivelyMostMajorDimension`). Padded
/// sizes and tiles do not matter.
///
/// ```
/// use stride::vocabulary::xla::{self, rearrange};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// assert!(rearrange::is_most_major(&parse("f32[1,3]{1,0}")?, 1)?);
/// assert!(!rearrange::is_most_major(&parse("f32[2,3]{1,0}")?, 1)?);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn is_most_major(shape: &Shape, dimension: i64) -> Result<bool> {
    let given = resolve_axis(dimension, shape.rank()).for_argument(Argument::Dimension)? as i64;
    let mut more_major = shape.minor_to_major().iter().rev().take_while(|&&other| other != given);
    Ok(more_major.all(|&other| dimension_of(shape, other as usize).0 == 1))
}
