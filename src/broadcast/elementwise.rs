//! The layout of an elementwise result: packed in the order in which the operands lie.
//!
//! A result that is always row-major costs a transpose if the operands are NHWC (DirectML#240). NumPy's `order='K'` and
//! PyTorch's TensorIterator (pytorch#42922) therefore sort the dimensions by the operands' strides, and pack the result
//! in that order. Both begin with the row-major order and insert dimension after dimension, from the last to the first,
//! by comparing it with those inside of it, one by one:
//!
//! * The first operand that tells the two apart decides. The larger |stride| belongs outside. Stride 0, size 1 and a
//!   dimension that the operand does not have decide nothing. Of equal strides the larger size belongs outside; equal
//!   sizes decide nothing.
//! * If the inserted dimension belongs inside the other, the two change places. If outside, its place is found. If no
//!   operand decides, the next dimension is compared.
//!
//! So operands that are dense with equal strides give those strides, one NHWC operand with a bias gives NHWC, and what
//! no operand decides stays row-major.
//!
//! This is PyTorch's rule, swap for swap. Operands that are broadcast take part, as in both. PyTorch has no negative
//! strides; here they count by their size, as in NumPy. PyTorch also compares strides of size-1 dimensions, which mean
//! nothing; without them its answer is this one. NumPy's result differs if (a) operands contradict each other (in NumPy
//! row-major order wins, here the first operand), (b) an operand has equal strides (NumPy leaves them in row-major
//! order), (c) a dimension passes one whose place no operand decides (NumPy moves it before all that it passes, PyTorch
//! makes the two change places). `tests/result_oracle.py` compares all three.

use super::sizes;
use crate::error::{Argument, ForArgument, Result};
use crate::model::{Dtype, Layout, LayoutStorage, MAX_RANK};

/// The layout that the result of an elementwise operation should have: the operands' sizes broadcast by NumPy's rule,
/// packed in the order of their strides, offset 0. No operands: rank 0.
///
/// BROADCAST_MISMATCH with operand, dimension and both sizes; OVERFLOW.
///
/// ```
/// use stride::model::{Dtype, LayoutBuf, LayoutStorage};
/// let nhwc = LayoutBuf::channels_last(Dtype::F16, &[2, 3, 4, 5]).unwrap();
/// let bias = LayoutBuf::packed(Dtype::F32, &[3, 1, 1]).unwrap();
/// let operands = [bias, nhwc];
/// let views = operands.iter().map(|operand| operand.view().unwrap());
/// let mut out = LayoutStorage::default();
/// let result = stride::broadcast::elementwise_layout(views, Dtype::F32, &mut out).unwrap();
/// assert_eq!(result.to_string(), "f32[2,3,4,5] strides [60,1,15,3] offset 0");
/// ```
pub fn elementwise_layout<'a, 'o>(
    operands: impl Iterator<Item = Layout<'a>> + Clone,
    dtype: Dtype,
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    let sizes = sizes(operands.clone().map(|operand| operand.sizes())).in_role(Argument::In)?;
    let sizes = sizes.as_slice();
    let mut pairs = Pairs { outside: [0; MAX_RANK], inside: [0; MAX_RANK] };
    for operand in operands {
        pairs.look_at(&operand, sizes);
    }
    let (order, rank) = (pairs.order(sizes.len()), sizes.len().min(MAX_RANK));
    out.set_ordered(dtype, sizes, &order[..rank]).in_role(Argument::Dtype)
}

/// The pairs of dimensions that the operands so far decide. Bit b of `outside[a]`: a belongs outside b, if b comes in
/// from outside. Bit b of `inside[a]`: a belongs inside.
struct Pairs {
    outside: [u64; MAX_RANK],
    inside: [u64; MAX_RANK],
}

impl Pairs {
    /// Decides the pairs that this operand tells apart, unless an operand before it did.
    fn look_at(&mut self, operand: &Layout<'_>, sizes: &[i64]) {
        let added = sizes.len().saturating_sub(operand.rank());
        let stride = |dimension: usize| match dimension.checked_sub(added).map(|k| operand.dimension(k)) {
            Some((size, stride)) if size != 1 => stride.unsigned_abs(),
            _ => 0,
        };
        let both = self.outside.iter_mut().zip(&mut self.inside);
        for (a, (&size, (outside, inside))) in sizes.iter().zip(both).enumerate() {
            let own = stride(a);
            if own == 0 {
                continue;
            }
            for (b, &other_size) in sizes.iter().enumerate() {
                let (other, bit) = (stride(b), 1u64 << (b & 63));
                if other == 0 || (*outside | *inside) & bit != 0 {
                    continue;
                }
                if own > other || (own == other && size > other_size) {
                    *outside |= bit;
                } else if own < other {
                    *inside |= bit;
                }
            }
        }
    }

    /// The dimensions, fastest varying first, in the first `rank` entries.
    fn order(&self, rank: usize) -> [i64; MAX_RANK] {
        let mut order = [0i64; MAX_RANK];
        for (slot, dimension) in order.iter_mut().zip((0..rank as i64).rev()) {
            *slot = dimension;
        }
        for inserted in 1..rank.min(MAX_RANK) {
            let mut at = inserted;
            for other in (0..inserted).rev() {
                let Ok([there, here]) = order.get_disjoint_mut([other, at]) else { break };
                let bit = 1u64 << (*here & 63);
                let said = |pairs: &[u64; MAX_RANK]| pairs.get(*there as usize).is_some_and(|bits| bits & bit != 0);
                let (outside, inside) = (said(&self.outside), said(&self.inside));
                if outside {
                    core::mem::swap(there, here);
                    at = other;
                } else if inside {
                    break;
                }
            }
        }
        order
    }
}
