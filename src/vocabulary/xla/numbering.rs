//! The elements of a shape, numbered: how far apart in that numbering the neighbours along each dimension are.
//!
//! Two shapes that number the same elements, as in a reshape or a transpose, are compared by it (`bitcast`).

use super::shape::Shape;
use crate::error::Result;
use crate::model::{MAX_RANK, fixed};
use crate::view::AxisSet;
use arrayvec::ArrayVec;

/// A shape and, for each dimension, the distance between its neighbours in the common numbering k of the elements.
pub(super) struct Numbering<'a> {
    shape: &'a Shape,
    weights: [i64; MAX_RANK],
}

/// A dimension.
pub(super) struct Axis {
    pub size: u64,
    pub weight: u64,
    /// Size of the buffer along it.
    pub padded: u64,
}

impl<'a> Numbering<'a> {
    /// The last dimension counts fastest.
    pub(super) fn row_major(shape: &'a Shape) -> Self {
        Self::ordered(shape, (0..shape.rank() as i64).rev())
    }

    /// The order of the buffer without padding and tiles.
    pub(super) fn physical(shape: &'a Shape) -> Self {
        Self::ordered(shape, shape.minor_to_major().iter().copied())
    }

    /// The row-major numbering of `output`, as `input` sees it if output dimension i is its dimension `axes[i]`; `None`
    /// if the sizes say that it is not. INVALID_AXES unless `axes` is a permutation.
    pub(super) fn transposed(input: &'a Shape, output: &Shape, axes: &[i64]) -> Result<Option<Self>> {
        let to = Numbering::row_major(output);
        let mut from = Self { shape: input, weights: [1; MAX_RANK] };
        let (mut seen, mut fits) = (AxisSet::default(), input.rank() == output.rank());
        for (position, &axis) in axes.iter().enumerate() {
            let dimension = seen.insert_entry(position, axis, input.rank())?;
            fits &= input.sizes().get(dimension) == output.sizes().get(position);
            if let (Some(slot), Some(&weight)) = (from.weights.get_mut(dimension), to.weights.get(position)) {
                *slot = weight;
            }
        }
        Ok(fits.then_some(from))
    }

    fn ordered(shape: &'a Shape, minor_to_major: impl Iterator<Item = i64>) -> Self {
        let (mut weights, mut weight) = ([1i64; MAX_RANK], 1i64);
        for dimension in minor_to_major {
            let size = shape.sizes().get(dimension as usize).copied().unwrap_or(1);
            fixed::set(&mut weights, dimension as usize, weight);
            weight = weight.wrapping_mul(size); // I3, and if a size is 0 it is not used
        }
        Self { shape, weights }
    }

    /// The distance in k between the neighbours along a dimension.
    pub(super) fn weight(&self, dimension: usize) -> u64 {
        self.axis(dimension).weight
    }

    pub(super) fn shape(&self) -> &'a Shape {
        self.shape
    }

    /// A dimension; all numbers are 1 for one that does not exist.
    pub(super) fn axis(&self, dimension: usize) -> Axis {
        let entry = |list: &[i64]| list.get(dimension).map_or(1, |&number| number.max(1) as u64);
        Axis { size: entry(self.shape.sizes()), weight: entry(&self.weights), padded: entry(self.shape.padded_sizes()) }
    }

    /// Sizes and weights of all dimensions, outermost first. A size of 1 adds nothing new.
    pub(super) fn axes(&self) -> impl Iterator<Item = (u64, u64)> + Clone + '_ {
        (0..self.shape.rank()).map(|dimension| self.axis(dimension)).map(|axis| (axis.size, axis.weight))
    }

    /// The index of element k.
    pub(super) fn index(&self, k: u64) -> [i64; MAX_RANK] {
        let mut index = [0i64; MAX_RANK];
        for (dimension, slot) in (0..self.shape.rank()).zip(&mut index) {
            let axis = self.axis(dimension);
            *slot = (k / axis.weight.max(1) % axis.size) as i64;
        }
        index
    }

    /// Size, weight and padded size of each dimension of the buffer, without those of size 1 at the major end.
    fn buffer(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let axes = self.shape.minor_to_major().iter().rev().map(|&dimension| self.axis(dimension as usize));
        // The weight of a size-1 dimension means nothing.
        let axes = axes.map(|Axis { size, weight, padded }| (size, if size > 1 { weight } else { 1 }, padded));
        axes.skip_while(|&axis| axis == (1, 1, 1))
    }

    /// Whether both are the same buffer, cut by the same tiles.
    pub(super) fn same_buffer(&self, other: &Numbering<'_>) -> bool {
        self.shape.tiles().iter().eq(other.shape.tiles().iter()) && self.buffer().eq(other.buffer())
    }
}

/// Products of sizes at which a dimension of both numberings ends.
pub(super) type Bounds = ArrayVec<u64, MAX_RANK>;

pub(super) fn common_bounds(lhs: &Numbering<'_>, rhs: &Numbering<'_>) -> Bounds {
    let end = |(size, weight): (u64, u64)| size.wrapping_mul(weight);
    let ends = lhs.axes().map(end).filter(|&b| rhs.axes().map(end).any(|other| other == b));
    let mut bounds = Bounds::new();
    for b in ends {
        let _ = bounds.try_push(b); // fewer than dimensions
    }
    bounds
}
