//! Sizes as a caller has them: `usize`, as slices do, or `i64`, as layouts do.

use super::MAX_RANK;
use crate::error::{Argument, Detail, Result, Status};
use arrayvec::ArrayVec;

/// Room for sizes in 64 bits.
#[doc(hidden)]
pub type SizeRoom = ArrayVec<i64, MAX_RANK>;

/// An integer that is a size: `usize`, as slices have them, `i64`, as layouts do, or `i32`, `u32` or `u64`.
///
/// ```
/// use stride::{Dtype, LayoutBuf};
/// let rows = [[1.0f32; 3]; 2];
/// let matrix = LayoutBuf::packed(Dtype::F32, &[rows.len(), rows[0].len()])?;
/// assert_eq!(matrix, LayoutBuf::packed(Dtype::F32, &[2, 3])?);
/// // Where nothing tells which integers there are none of:
/// assert_eq!(LayoutBuf::packed::<usize>(Dtype::F32, &[])?.rank(), 0);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// Numbers of which nothing tells the type are `i32`, as everywhere in Rust: `&[1u64 << 40]`. A size that does not fit
/// in 63 bits is INVALID_SIZE.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no integer that a size may be",
    note = "sizes are `usize` or `i64`; `i32`, `u32` and `u64` are taken as well"
)]
pub trait Size: Copy + sealed::Sealed {
    /// A list of them in 64 bits, in `room` where it lies in others.
    #[doc(hidden)]
    fn list<'a>(sizes: &'a [Self], room: &'a mut SizeRoom) -> Result<&'a [i64]>;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for i64 {}

impl Size for i64 {
    #[inline(always)]
    fn list<'a>(sizes: &'a [Self], _: &'a mut SizeRoom) -> Result<&'a [i64]> {
        Ok(sizes)
    }
}

macro_rules! sizes {
    ($($type:ty)*) => {
        $(
            impl sealed::Sealed for $type {}

            impl Size for $type {
                fn list<'a>(sizes: &'a [Self], room: &'a mut SizeRoom) -> Result<&'a [i64]> {
                    let too_many = Status::InvalidRank.of(Argument::Rank);
                    let too_many = too_many.because_wide(Detail::Above, sizes.len() as i128, MAX_RANK as i128);
                    for (dimension, &size) in sizes.iter().enumerate() {
                        let too_large = Status::InvalidSize.of(Argument::Sizes).dimension(dimension);
                        let too_large = too_large.because_wide(Detail::Above, size as i128, i64::MAX as i128);
                        room.try_push(i64::try_from(size).map_err(|_| too_large)?).map_err(|_| too_many)?;
                    }
                    Ok(room)
                }
            }
        )*
    };
}

sizes! { usize u64 u32 i32 }
