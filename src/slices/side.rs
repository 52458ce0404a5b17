//! The sides of a copy of slices.

use super::element::{Element, check_dtype, check_dtypes, check_options};
use crate::copy::Options;
use crate::copy::plan::Plan;
use crate::copy::relayout::{Given, Relayout};
use crate::error::{Argument, Detail, ForArgument, Result, Status};
use crate::model::arith;
use crate::model::{Dtype, Layout};
use crate::side::{AsSide, Side};

/// The number of elements that a slice of `T` must have for an object: up to the last one of a layout, the whole buffer
/// of a shape or a blocked layout. Runs and ranges do not make it smaller.
///
/// ```
/// use stride::vocabulary::xla::text;
/// use stride::{Dtype, LayoutBuf, slice_len};
/// let rows = LayoutBuf::strided(Dtype::F32, &[2, 3], &[4, 1])?; // rows begin every 4 elements
/// assert_eq!(slice_len::<f32>(&rows), Ok(7));
/// assert_eq!(slice_len::<u8>(&rows), Ok(28)); // a buffer of bytes
/// assert_eq!(slice_len::<f32>(&text::parse(b"f32[3,3]{1,0:T(2,2)}")?), Ok(16));
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// DTYPE_MISMATCH unless the object's dtype goes with `T`; OUT_OF_BOUNDS if an element lies before the slice; OVERFLOW
/// if no slice is so long.
pub fn slice_len<T: Element>(side: &impl AsSide) -> Result<usize> {
    let side = side.as_side()?;
    let name = if side.layout().is_some() { Argument::Layout } else { Argument::Side };
    check_dtype::<T>(side.object().dtype(), name)?;
    let bytes = side.object().byte_size()?;
    let width = (size_of::<T>() as u64).max(1);
    let (elements, most) = (bytes.div_ceil(width), isize::MAX as u64 / width);
    Status::Overflow.of(name).unless(elements <= most, Detail::Above, elements, most)?;
    Ok(elements as usize)
}

/// The layouts of two sides that both are one, checked against a type of elements. [`Sides`] takes them as well, but
/// then planning takes twice the time and a copy of 2x3 elements a sixth more.
#[inline(always)]
pub(super) fn layouts<'a, T: Element>(
    dst: &'a impl AsSide,
    src: &'a impl AsSide,
    options: &Options,
) -> Result<Option<[Layout<'a>; 2]>> {
    let (Some(dst), Some(src)) = (dst.as_plain(), src.as_plain()) else { return Ok(None) };
    check_options::<T>(options)?;
    let (dst, src) = (dst.in_role(Argument::DstLayout)?, src.in_role(Argument::SrcLayout)?);
    check_dtypes::<T>(dst.dtype(), src.dtype(), [Argument::DstLayout, Argument::SrcLayout])?;
    Ok(Some([dst, src]))
}

/// Both sides of a copy, checked against a type of elements.
pub(super) struct Sides<'a> {
    dst: Given<'a>,
    src: Given<'a>,
}

impl<'a> Sides<'a> {
    #[inline(never)] // its stack is its own
    pub(super) fn new<T: Element>(dst: Result<Side<'a>>, src: Result<Side<'a>>, options: &Options) -> Result<Self> {
        check_options::<T>(options)?;
        Self::checked(dst, src, options, T::ANY_BITS, |dst, src, names| check_dtypes::<T>(dst, src, names))
    }

    /// The sides of a copy that converts, checked against two types of elements.
    #[inline(never)] // its stack is its own
    pub(super) fn of_two<D: Element, S: Element>(
        dst: Result<Side<'a>>,
        src: Result<Side<'a>>,
        options: &Options,
    ) -> Result<Self> {
        check_options::<D>(options)?;
        Self::checked(dst, src, options, D::ANY_BITS, |dst, src, [dst_name, src_name]| {
            check_dtype::<D>(dst, dst_name)?;
            check_dtype::<S>(src, src_name)
        })
    }

    fn checked(
        dst: Result<Side<'a>>,
        src: Result<Side<'a>>,
        options: &Options,
        any_bits: bool,
        check: impl Fn(Dtype, Dtype, [Argument; 2]) -> Result<()>,
    ) -> Result<Self> {
        let (dst, src) = (dst.in_role(Argument::DstSide)?, src.in_role(Argument::SrcSide)?);
        if dst.layout().is_none() || src.layout().is_none() {
            options.check_ordinary_stack()?;
        }
        let name = |side: &Side<'_>, layout, other| if side.layout().is_some() { layout } else { other };
        let dst_name = name(&dst, Argument::DstLayout, Argument::DstSide);
        let src_name = name(&src, Argument::SrcLayout, Argument::SrcSide);
        check(dst.object().dtype(), src.object().dtype(), [dst_name, src_name])?;
        let mut sides = Self { dst: Given::named(dst_name), src: Given::named(src_name) };
        dst.give(&mut sides.dst, false)?;
        src.give(&mut sides.src, true)?;
        if !any_bits && let Some(along) = sides.src.mapped.along.iter().find(|along| along.fills()) {
            let size = sides.src.mapped.map.sizes.get(along.dimension).copied().unwrap_or(0);
            let error = Status::IndexOutOfRange.of(src_name).dimension(along.dimension);
            return Err(error.because(Detail::OutOfRange, -1, size)); // no bytes of the options are a `T`
        }
        Ok(sides)
    }

    /// The destination's dtype, its name in errors, and the number of elements that are written.
    pub(super) fn dst(&self) -> Result<(Dtype, Argument, i64)> {
        Ok((self.dst.dtype, self.dst.name, arith::element_count(&self.dst.sizes)?))
    }

    /// Both sides, the destination first.
    pub(super) fn both(&self) -> [&Given<'a>; 2] {
        [&self.dst, &self.src]
    }

    /// Prepares the copy by a plan that has nothing but options.
    pub(super) fn prepare(&'a self, plan: &mut Plan) -> Result<Option<Relayout<'a>>> {
        plan.set_sides(&self.dst, &self.src, None)
    }
}
