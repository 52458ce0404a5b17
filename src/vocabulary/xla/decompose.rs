//! A bitcast as operations on dimensions: the transpose that it is, the reshape and transposes that it consists of, and
//! the order that makes a reshape one.
//!
//! A *bitcast* uses the buffer of one shape as that of another. All answers here are checked with [`super::bitcast`],
//! so they hold for padding, tiles and dimensions of size 1 too. Element types may differ, their storage bits may not.
//!
//! Sources: `DeduceTransposeDimensionsForBitcast`, `IsReshapeOrTransposeBitcast`, `DecomposeBitcast` and `AlignLayouts`
//! of openxla/xla's shape_util.cc.

use super::bitcast::{self, keeps_positions};
use super::numbering::{Numbering, common_bounds};
use super::rearrange::{self, Dimensions, List, listed, physical_axes};
use super::shape::Shape;
use super::tiles::Tiles;
use super::tiling::Tiling;
use crate::error::{Argument, Detail, Result, Status};
use crate::model::{MAX_RANK, arith, fixed};

/// The axes (output dimension i is input dimension `axes[i]`) of the transpose that uses the buffer of `input` as that
/// of `output`; NOT_REPRESENTABLE if there is none. Dimensions are matched in their order in memory, as in XLA. If that
/// fails, they are matched by where their elements lie, and those of size 1 from left to right: `f32[1,5]{1,0}` to
/// `f32[5,1]{1,0}` is {1,0}.
///
/// ```
/// use stride::vocabulary::xla::{self, decompose};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let axes = decompose::transpose_axes(&parse("f32[2,3]{1,0}")?, &parse("f32[3,2]{0,1}")?)?;
/// assert_eq!(axes[..], [1, 0]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn transpose_axes(input: &Shape, output: &Shape) -> Result<List> {
    let none = Status::NotRepresentable.of(Argument::OutShape);
    none.unless(input.rank() == output.rank(), Detail::Ranks, output.rank() as i64, input.rank() as i64)?;
    let (from, to) = (input.minor_to_major(), output.minor_to_major());
    let in_memory = matched(output.rank(), from.iter().copied().zip(to.iter().copied()));
    if is_transpose(input, output, &in_memory)? {
        return Ok(in_memory);
    }
    let ones = |shape: &Shape| shape.sizes().iter().filter(|&&size| size == 1).count();
    none.unless(ones(input) == ones(output), Detail::ElementsMove, ones(output) as i64, ones(input) as i64)?;
    match by_place(input, output)? {
        Some(axes) if is_transpose(input, output, &axes)? => Ok(axes),
        _ => Err(none.because(Detail::ElementsMove, 0, 0)),
    }
}

/// The axes that pair dimensions of equal sizes whose first steps lead to the same position, and those without steps
/// from left to right. No two dimensions lead to one position, so there are no other axes of larger dimensions; `None`
/// if there are none.
fn by_place(input: &Shape, output: &Shape) -> Result<Option<List>> {
    let (from, to) = (first_steps(input)?, first_steps(output)?);
    let (mut left, mut axes) = (listed(0..input.rank() as i64), List::new());
    for (size, place) in output.sizes().iter().zip(&to) {
        let fits = |&d: &i64| input.sizes().get(d as usize) == Some(size) && from.get(d as usize) == Some(place);
        let Some(axis) = left.iter().position(fits).and_then(|at| left.pop_at(at)) else { return Ok(None) };
        let _ = axes.try_push(axis); // as many as dimensions
    }
    Ok(Some(axes))
}

/// The position of the element whose index is 1 in one dimension and 0 in all others, by dimension; 0: none.
#[inline(never)] // keeps its frame off the caller's stack
fn first_steps(shape: &Shape) -> Result<[i64; MAX_RANK]> {
    let mut places = [0; MAX_RANK];
    if arith::has_zero(shape.sizes()) {
        return Ok(places);
    }
    let tiling = Tiling::new(shape, shape.tiles().len());
    let mut index = [0; MAX_RANK];
    for (dimension, (place, &size)) in places.iter_mut().zip(shape.sizes()).enumerate() {
        if let Some(digit) = index.get_mut(dimension).filter(|_| size > 1) {
            *digit = 1;
            *place = tiling.position(&index);
            index = [0; MAX_RANK];
        }
    }
    Ok(places)
}

/// The axes that pair these dimensions, the input's first.
fn matched(rank: usize, pairs: impl Iterator<Item = (i64, i64)>) -> List {
    let mut axes = listed(core::iter::repeat_n(0, rank));
    for (from, to) in pairs {
        fixed::set(&mut axes, to as usize, from);
    }
    axes
}

fn is_transpose(input: &Shape, output: &Shape, axes: &[i64]) -> Result<bool> {
    match Numbering::transposed(input, output, axes)? {
        Some(from) => keeps_positions(&from, &Numbering::row_major(output)),
        None => Ok(false),
    }
}

/// Whether `output` is `input` reshaped or transposed, without a bit moving.
///
/// ```
/// use stride::vocabulary::xla::{self, decompose};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let is_bitcast = |to| decompose::reshape_or_transpose_is_bitcast(&parse("f32[2,3]")?, &parse(to)?);
/// assert!(is_bitcast("f32[6]")? && is_bitcast("f32[3,2]{0,1}")? && !is_bitcast("f32[3,2]{1,0:T(2,2)}")?);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn reshape_or_transpose_is_bitcast(input: &Shape, output: &Shape) -> Result<bool> {
    if input.dtype() != output.dtype() {
        return Ok(false);
    }
    let reshape = bitcast::reshape_is_bitcast(input, output);
    if reshape == Ok(true) {
        return Ok(true);
    }
    match transpose_axes(input, output) {
        Ok(_) => Ok(true),
        Err(error) if error.status == Status::NotRepresentable => reshape,
        Err(error) => Err(error),
    }
}

/// Of which kind a bitcast is.
///
/// ```
/// use stride::vocabulary::xla::{self, decompose};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let kind = |to| Ok::<_, stride::Error>(decompose::decompose(&parse("f32[2,3]")?, &parse(to)?)?.kind);
/// assert_eq!((kind("f32[6]")?, kind("f32[3,2]{0,1}")?), (decompose::Kind::Reshape, decompose::Kind::Transpose));
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// A reshape alone.
    Reshape = 1,
    /// A transpose alone.
    Transpose = 2,
    /// A transpose, a reshape and a transpose, of which one or the other may change nothing.
    TransposeReshapeTranspose = 3,
}

/// A bitcast as a transpose by `axes`, a reshape, and a transpose by `output_axes`.
///
/// ```
/// use stride::vocabulary::xla::{self, decompose};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let (input, output) = (parse("f32[2,3]{1,0}")?, parse("f32[3,2]{0,1}")?);
/// let taken_apart: decompose::Decomposition = decompose::decompose(&input, &output)?;
/// assert_eq!(taken_apart.transposed(&input)?.sizes(), [3, 2]);
/// assert_eq!(taken_apart.reshaped(&output)?.sizes(), [3, 2]);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Those of the three that do something.
    pub kind: Kind,
    /// Dimension i of the transposed input is input dimension `axes[i]`.
    pub axes: List,
    /// Output dimension i is dimension `output_axes[i]` of what was reshaped.
    pub output_axes: List,
}

impl Decomposition {
    /// The input after the first transpose.
    pub fn transposed(&self, input: &Shape) -> Result<Shape> {
        rearrange::permute(input, &self.axes)
    }

    /// The shape before the last transpose.
    pub fn reshaped(&self, output: &Shape) -> Result<Shape> {
        // The inverse permutation.
        let pairs = (0..).zip(&self.output_axes).map(|(dimension, &place)| (dimension, place));
        rearrange::permute(output, &matched(self.output_axes.len(), pairs))
    }
}

/// Takes the bitcast from `input` to `output` apart (`ShapeUtil::DecomposeBitcast`): a reshape if that alone suffices,
/// else a transpose, else all three by way of the two shapes in descending order. NOT_REPRESENTABLE if the buffers do
/// not hold the same elements in the same order of positions; with tiles also if only another way leads from one to the
/// other.
///
/// ```
/// use stride::vocabulary::xla::{self, decompose};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// let taken_apart = decompose::decompose(&parse("f32[2,3]")?, &parse("f32[6]")?)?;
/// assert_eq!(taken_apart.kind, decompose::Kind::Reshape);
/// assert!(decompose::decompose(&parse("f32[2,3]")?, &parse("f32[5]")?).is_err());
/// # Ok::<(), stride::Error>(())
/// ```
pub fn decompose(input: &Shape, output: &Shape) -> Result<Decomposition> {
    let identity = |shape: &Shape| listed(0..shape.rank() as i64);
    if keeps_positions(&Numbering::row_major(input), &Numbering::row_major(output))? {
        return Ok(Decomposition { kind: Kind::Reshape, axes: identity(input), output_axes: identity(output) });
    }
    match transpose_axes(input, output) {
        Ok(axes) => return Ok(Decomposition { kind: Kind::Transpose, axes, output_axes: identity(output) }),
        Err(error) if error.status == Status::NotRepresentable => {}
        Err(error) => return Err(error),
    }
    let keeps = keeps_positions(&Numbering::physical(input), &Numbering::physical(output))?;
    Status::NotRepresentable.of(Argument::OutShape).unless(keeps, Detail::ElementsMove, 0, 0)?;
    let places = (0..output.rank() as i64).rev().zip(output.minor_to_major().iter().copied());
    let output_axes = matched(output.rank(), places);
    Ok(Decomposition { kind: Kind::TransposeReshapeTranspose, axes: physical_axes(input), output_axes })
}

/// The shape of these sizes whose order makes the reshape from `input` a bitcast (`ShapeUtil::AlignLayouts`);
/// NOT_REPRESENTABLE if there is none that takes the dimensions in the input's order. SHAPE_MISMATCH with both counts.
///
/// Both lists of sizes are taken apart where suffixes have the same product. Each part must lie in memory as one
/// row-major run, and the output's dimensions of it take its place; those of size 1 become the most major ones, in
/// descending order. Padding of a part goes to its most major dimension, as much as fills it. Tiles stay if that keeps
/// every element in its place; otherwise they are dropped if that does. No dimension of the result is dynamic, unless
/// the sizes are the input's: then it is the input. An empty input becomes a shape in descending order, without padding
/// and tiles.
///
/// ```
/// use stride::vocabulary::xla::{self, decompose};
/// let parse = |text: &str| xla::text::parse(text.as_bytes());
/// // Column-major {4,6} as {2,2,6}: dimension 0 in two, which stays the fastest.
/// assert_eq!(decompose::align(&parse("f32[4,6]{0,1}")?, &[2, 2, 6])?.minor_to_major(), [1, 0, 2]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn align(input: &Shape, sizes: &[i64]) -> Result<Shape> {
    let (count, wanted) = (arith::element_count(input.sizes())?, arith::element_count(sizes)?);
    Status::ShapeMismatch.of(Argument::Sizes).unless(count == wanted, Detail::Elements, wanted, count)?;
    if sizes == input.sizes() {
        return Ok(*input);
    }
    let ones = listed((0..input.rank() as i64).filter(|&d| input.sizes().get(d as usize) == Some(&1)));
    align_parts(&rearrange::delete(input, &ones)?, sizes)
}

/// [`align`] for a shape without dimensions of size 1; a function of its own, to use less stack.
#[inline(never)]
fn align_parts(input: &Shape, sizes: &[i64]) -> Result<Shape> {
    let none = Status::NotRepresentable.of(Argument::Shape);
    let none = none.because(Detail::ElementsMove, arith::element_count(sizes)?, 0);
    let mut out = Dimensions::default();
    for &size in sizes {
        out.push((size, size, false))?;
    }
    out.order = listed((0..sizes.len() as i64).rev());
    let plain = out.shape(input, &Tiles::NONE)?; // numbers the output's dimensions
    if arith::has_zero(sizes) {
        return Ok(plain);
    }
    out.order.clear();
    let (from, to) = (Numbering::row_major(input), Numbering::row_major(&plain));
    let bounds = common_bounds(&from, &to);
    let part_of = |weight: u64| bounds.iter().filter(|&&bound| bound <= weight).count();
    let mut seen = 0u64;
    for &dimension in input.minor_to_major() {
        let part = part_of(from.weight(dimension as usize));
        if seen & (1 << (part & 63)) != 0 {
            continue;
        }
        seen |= 1 << (part & 63);
        let in_part =
            |d: i64| sizes.get(d as usize).is_some_and(|&size| size > 1) && part_of(to.weight(d as usize)) == part;
        let dimensions = (0..sizes.len() as i64).rev().filter(|&d| in_part(d));
        let (mut padded, mut inner) = (1i64, 1i64);
        for (d, &size) in input.padded_sizes().iter().enumerate() {
            if part_of(from.weight(d)) == part {
                padded = arith::multiply(padded, size)?;
            }
        }
        let mut major = None;
        for d in dimensions {
            if out.order.try_push(d).is_err() {
                return Err(none);
            }
            inner = arith::multiply(inner, sizes.get(d as usize).copied().unwrap_or(1))?;
            major = Some(d);
        }
        // Its padded size is still its size.
        match major.and_then(|d| out.padded.get_mut(d as usize)) {
            Some(slot) => *slot = padded / (inner / (*slot).max(1)).max(1),
            None => return Err(none),
        }
    }
    let trivial = (0..sizes.len() as i64).rev().filter(|&d| sizes.get(d as usize) == Some(&1));
    out.order = listed(out.order.into_iter().chain(trivial));
    if out.order.len() != sizes.len() {
        return Err(none);
    }
    rearrange::one_that_keeps_positions(input, &out, none, input.tiles(), &Tiles::NONE)
}
