//! What says where the elements of a slice lie, on either side of a copy.

use super::element::{Element, check_dtype, check_dtypes, check_options};
use crate::copy::Options;
use crate::copy::plan::{Plan, Prepared};
use crate::copy::tiled::{DST, Names, Operand, SRC};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::{AsLayout, Layout, LayoutBuf};
use crate::vocabulary::blocks::BlockedLayout;
use crate::vocabulary::xla::Shape;

/// What says where the elements of a slice lie: a layout ([`AsLayout`]), an XLA [`Shape`] with its order, padding and
/// tiles, or a [`BlockedLayout`]. A copy takes any of them on either side.
///
/// ```
/// use stride::vocabulary::blocks::BlockedLayout;
/// use stride::vocabulary::xla::text;
/// use stride::{Dtype, LayoutBuf, slice_len};
/// // A matrix of 3x3 in tiles of 2x2, each of which lies in one piece; 0 is padding.
/// let rows = LayoutBuf::packed(Dtype::U8, &[3, 3])?;
/// let tiled = text::parse(b"u8[3,3]{1,0:T(2,2)}")?;
/// let mut tiles = vec![0u8; slice_len::<u8>(&tiled)?];
/// stride::copy(&mut tiles, &tiled, &[1, 2, 3, 4, 5, 6, 7, 8, 9], &rows)?;
/// assert_eq!(tiles, [1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 0, 0, 9, 0, 0, 0]);
///
/// // The tiles to blocks of two rows, column by column.
/// let blocked = BlockedLayout::parse("a/2 b a%2", Dtype::U8, &[3, 3])?;
/// let mut blocks = vec![0u8; slice_len::<u8>(&blocked)?];
/// stride::copy(&mut blocks, &blocked, &tiles, &tiled)?;
/// assert_eq!(blocks, [1, 4, 2, 5, 3, 6, 7, 0, 8, 0, 9, 0]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// Padding is neither read nor written, but with [`FILL_BUFFER`](crate::copy::options::FILL_BUFFER) that of the
/// destination gets the fill value. A tiled side has the length of its whole buffer.
pub trait Side: sealed::Sealed {
    /// What the engine takes, named in errors. `room` is for what a shape without tiles is made to.
    #[doc(hidden)]
    fn operand<'a>(&'a self, names: Names, room: &'a mut Option<LayoutBuf>) -> Result<Operand<'a>>;

    /// What errors call it.
    #[doc(hidden)]
    fn named(&self, names: Names) -> Argument;

    /// Whether it is a layout.
    #[doc(hidden)]
    const IS_LAYOUT: bool;
}

mod sealed {
    /// What has to be proved of a side is proved by this crate.
    pub trait Sealed {}
    impl<L: super::AsLayout + ?Sized> Sealed for L {}
    impl Sealed for super::Shape {}
    impl Sealed for super::BlockedLayout {}
}

impl<L: AsLayout + ?Sized> Side for L {
    fn operand<'a>(&'a self, names: Names, _: &'a mut Option<LayoutBuf>) -> Result<Operand<'a>> {
        self.as_layout().map(Operand::Layout).in_role(self.named(names))
    }

    fn named(&self, [layout, ..]: Names) -> Argument {
        layout
    }

    const IS_LAYOUT: bool = true;
}

impl Side for Shape {
    fn operand<'a>(&'a self, names: Names, room: &'a mut Option<LayoutBuf>) -> Result<Operand<'a>> {
        if !self.tiles().is_empty() {
            return Ok(Operand::Tiled(self));
        }
        let layout = self.to_layout().in_role(self.named(names))?;
        room.insert(layout).view().map(Operand::Layout).in_role(self.named(names))
    }

    fn named(&self, [_, shape, _]: Names) -> Argument {
        shape
    }

    const IS_LAYOUT: bool = false;
}

impl Side for BlockedLayout {
    fn operand<'a>(&'a self, _: Names, _: &'a mut Option<LayoutBuf>) -> Result<Operand<'a>> {
        Ok(Operand::Blocked(self))
    }

    fn named(&self, [.., blocked]: Names) -> Argument {
        blocked
    }

    const IS_LAYOUT: bool = false;
}

/// How many elements a slice of `T` must have: up to the last one of a layout, and the whole buffer of a shape with
/// tiles or a blocked layout.
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
/// DTYPE_MISMATCH unless it goes with `T`; OUT_OF_BOUNDS where an element lies in front of the slice; OVERFLOW where no
/// slice is so long.
pub fn slice_len<T: Element>(side: &impl Side) -> Result<usize> {
    let names = [Argument::Layout, Argument::Shape, Argument::Blocked];
    let mut room = None;
    let operand = side.operand(names, &mut room)?;
    check_dtype::<T>(operand.dtype(), side.named(names))?;
    let bytes = match operand {
        Operand::Layout(layout) => layout.min_bytes()?,
        Operand::Tiled(shape) => shape.byte_size()?,
        Operand::Blocked(blocked) => blocked.byte_size()?,
    };
    let width = (size_of::<T>() as u64).max(1);
    let (elements, most) = (bytes.div_ceil(width), isize::MAX as u64 / width);
    if elements <= most {
        return Ok(elements as usize);
    }
    let error = Error::new(Status::Overflow).argument(side.named(names));
    Err(error.because_wide(Detail::Above, elements as i128, most as i128))
}

/// What is to be copied where, checked against a type of elements.
pub(super) struct Sides<'a> {
    pub dst: Operand<'a>,
    src: Operand<'a>,
    /// What errors call them.
    pub dst_name: Argument,
    src_name: Argument,
}

impl<'a> Sides<'a> {
    #[inline(always)] // for two layouts little is left
    pub(super) fn new<T: Element, D: Side, S: Side>(
        dst: &'a D,
        src: &'a S,
        options: &Options,
        [dst_room, src_room]: &'a mut [Option<LayoutBuf>; 2],
    ) -> Result<Self> {
        check_options::<T>(options)?;
        if !(D::IS_LAYOUT && S::IS_LAYOUT) {
            options.check_ordinary_stack()?;
        }
        let (dst_name, src_name) = (dst.named(DST), src.named(SRC));
        let (dst, src) = (dst.operand(DST, dst_room)?, src.operand(SRC, src_room)?);
        check_dtypes::<T>(dst.dtype(), src.dtype(), [dst_name, src_name])?;
        Ok(Self { dst, src, dst_name, src_name })
    }

    /// Both layouts, if both sides are layouts. [`Sides::prepare`] does these as well, but then planning takes twice
    /// the time and a copy of 2x3 elements a sixth more.
    pub(super) fn layouts(&self) -> Option<(&Layout<'a>, &Layout<'a>)> {
        match (&self.dst, &self.src) {
            (Operand::Layout(dst), Operand::Layout(src)) => Some((dst, src)),
            _ => None,
        }
    }

    /// Prepares the copy by a plan that has nothing but options.
    #[inline(never)] // its stack is its own
    pub(super) fn prepare(&self, plan: &mut Plan) -> Result<Prepared<'a>> {
        plan.set_relayout(self.dst, self.src, self.src_name)
    }
}
