//! How many elements several layouts have in one run.

use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::Layout;

/// The number of elements that lie one behind the other, in row-major order, in every one of these layouts: the product
/// of the last sizes, as long as each layout has there what a packed one has. A kernel may move so many at once.
///
/// Rows of 6 that lie 8 apart, beside a packed {4, 6}: 6. A dimension of size 1 is passed over, whatever its stride; an
/// empty layout has no elements; no layouts at all are of rank 0, with one element. Dtypes and offsets do not matter.
///
/// SHAPE_MISMATCH with the operand unless all sizes are equal. CuTe's `max_common_vector`, but of the last dimensions:
/// its own takes them in any order, and counts static sizes and strides only.
pub fn common_run<'a>(layouts: impl Iterator<Item = Layout<'a>> + Clone) -> Result<i64> {
    let Some(first) = layouts.clone().next() else { return Ok(1) };
    for (operand, layout) in layouts.clone().enumerate() {
        check_sizes(&first, &layout).map_err(|error| error.argument(Argument::In).item(operand))?;
    }
    if first.is_empty() {
        return Ok(0);
    }
    Ok(layouts.map(|layout| packed_tail(&layout)).fold(first.element_count(), i64::min))
}

fn check_sizes(first: &Layout<'_>, layout: &Layout<'_>) -> Result<()> {
    let error = Error::new(Status::ShapeMismatch);
    if layout.rank() != first.rank() {
        return Err(error.because(Detail::Ranks, layout.rank() as i64, first.rank() as i64));
    }
    let mut sizes = layout.sizes().iter().zip(first.sizes()).enumerate();
    match sizes.find(|(_, (size, wanted))| size != wanted) {
        Some((dimension, (&size, &wanted))) => Err(error.dimension(dimension).because(Detail::NotEqual, size, wanted)),
        None => Ok(()),
    }
}

/// Elements of the last dimensions that are packed. All layouts have the same sizes, so the shortest tail is in all of
/// them.
fn packed_tail(layout: &Layout<'_>) -> i64 {
    let mut elements = 1i64;
    for (size, stride) in layout.dimensions().rev().filter(|&(size, _)| size != 1) {
        if stride != elements {
            break;
        }
        elements = elements.wrapping_mul(size); // I3
    }
    elements
}
