//! The number of elements that form one run in several layouts.

use crate::error::{Argument, Result};
use crate::model::Layout;
use crate::model::layout::check_sizes;

/// The number of elements that are contiguous, in row-major order, in every one of these layouts: the product of the
/// last sizes, as long as each layout has the strides of a packed one there. A kernel may move that many at once.
///
/// Rows of 6 that lie 8 apart, beside a packed {4, 6}: 6. A dimension of size 1 is skipped, whatever its stride; an
/// empty layout has no elements; without layouts it is one element. Dtypes and offsets do not matter.
///
/// SHAPE_MISMATCH with the operand unless all sizes are equal. This is CuTe's `max_common_vector`, but for the last
/// dimensions: CuTe's takes them in any order, and only static ones. Permute layouts first that are transposed alike.
///
/// ```
/// use stride::{Dtype, LayoutBuf, compose};
/// let pitched = LayoutBuf::strided(Dtype::F32, &[4, 6], &[8, 1])?;
/// let packed = LayoutBuf::packed(Dtype::F32, &[4, 6])?;
/// assert_eq!(compose::common_run([pitched.view()?, packed.view()?].into_iter()), Ok(6));
/// # Ok::<(), stride::Error>(())
/// ```
pub fn common_run<'a>(layouts: impl Iterator<Item = Layout<'a>> + Clone) -> Result<i64> {
    let Some(first) = layouts.clone().next() else { return Ok(1) };
    for (operand, layout) in layouts.clone().enumerate() {
        let alike = check_sizes(layout.sizes(), first.sizes());
        alike.map_err(|error| error.argument(Argument::In).item(operand))?;
    }
    // All have the same sizes, so the shortest run is in all of them.
    Ok(layouts.map(|layout| layout.contiguous_run().1).fold(first.element_count(), i64::min))
}
