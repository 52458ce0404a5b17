//! From the order in memory to row-major numbers.

use crate::error::Result;
use crate::model::{Layout, LayoutStorage, MAX_RANK};

/// The row-major numbers of a dense layout's elements, in the order in which they lie in memory: element number p of
/// the result "lies at" the number of the element that is p-th in memory. Its dimensions are those of `layout`, the
/// slowest first; the stride of each is what a packed layout has there. So `compose(layout, inverse)` is packed, at
/// `layout`'s offset, which does not matter here otherwise.
///
/// Column-major {2, 3} with strides {1, 2} becomes {3, 2} with strides {1, 3}: second in memory is (1, 0), number 3.
///
/// NOT_REPRESENTABLE names the dimension with a gap, a zero or a negative stride. Dimensions of size 1 are ordered as
/// in [`Layout::minor_to_major`]. (CuTe's `right_inverse`, which leaves out the part of a layout that is not dense.)
///
/// ```
/// use stride::model::{Dtype, LayoutBuf, LayoutStorage};
/// let columns = LayoutBuf::strided(Dtype::F32, &[2, 3], &[1, 2]).unwrap();
/// let mut out = LayoutStorage::default();
/// let numbers = stride::compose::inverse(&columns.view().unwrap(), &mut out).unwrap();
/// assert_eq!(numbers.to_string(), "f32[3,2] strides [1,3] offset 0");
/// ```
pub fn inverse<'o>(layout: &Layout<'_>, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let mut order = [0i64; MAX_RANK];
    layout.minor_to_major(&mut order)?;
    let mut packed = LayoutStorage::default();
    let packed = packed.set_packed_like(layout)?;
    let slowest_first = order[..layout.rank()].iter().rev();
    out.set_dimensions(layout.dtype(), 0, slowest_first.map(|&dimension| packed.dimension(dimension as usize)))?;
    out.view()
}
