//! Copies of slices that convert.

use super::element::{Element, check_dtype, check_options};
use super::{as_uninit, dst_of, of_slices, src_of};
use crate::copy::Options;
use crate::copy::conversion::{self, ADD_LAST, AFFINE, DIVIDE, FINITE, NEAREST, SATURATE};
use crate::copy::converting::{Converting, Lists};
use crate::copy::execute;
use crate::copy::plan::Plan;
use crate::error::{Argument, ForArgument, Result};
use crate::model::{AsLayout, Layout};

/// What becomes of each number of a copy: [`convert`]. The rules are those of C's `stride_conversion`
/// ([`ffi::conversion`](crate::ffi::conversion)).
#[derive(Clone, Copy, Debug)]
pub struct Conversion<'a> {
    flags: u32,
    numbers: [f64; 3],
    values: Option<Layout<'a>>,
    lists: [Option<&'a [f32]>; 3],
}

impl Default for Conversion<'_> {
    fn default() -> Self {
        Self { flags: 0, numbers: [0.0, 1.0, 0.0], values: None, lists: [None; 3] }
    }
}

impl<'a> Conversion<'a> {
    /// To the plain value.
    pub fn new() -> Self {
        Self::default()
    }

    /// `(x − subtract) · scale + add`.
    pub const fn affine(mut self, subtract: f64, scale: f64, add: f64) -> Self {
        self.numbers = [subtract, scale, add];
        self.with(AFFINE)
    }

    /// The three numbers of each element from lists; of one that is `None`, the number of
    /// [`affine`](Conversion::affine). `values` says where in them, as a layout of f32 with the sizes of the copy:
    /// stride 0 along all dimensions but that of the channels is a number for each channel.
    pub const fn lists(mut self, values: Layout<'a>, lists: [Option<&'a [f32]>; 3]) -> Self {
        (self.values, self.lists) = (Some(values), lists);
        self.with(AFFINE)
    }

    /// `/ scale`.
    pub const fn divide(self) -> Self {
        self.with(DIVIDE)
    }

    /// Floats become the nearest integer, of two the even one, and not the next one toward zero.
    pub const fn nearest(self) -> Self {
        self.with(NEAREST)
    }

    /// Integers that do not fit an integer become the nearest that does; otherwise their low bits are kept.
    pub const fn saturate(self) -> Self {
        self.with(SATURATE)
    }

    /// Floats that do not fit become the largest finite number.
    pub const fn finite(self) -> Self {
        self.with(FINITE)
    }

    /// `add`, an integer, joins after rounding to an integer.
    pub const fn add_last(self) -> Self {
        self.with(ADD_LAST)
    }

    const fn with(mut self, flag: u32) -> Self {
        self.flags |= flag;
        self
    }
}

/// Copies every element of `src` to the element of `dst` with the same index, and converts it on the way.
///
/// ```
/// use stride::{AsLayout, Conversion, Dtype, LayoutBuf, Options};
/// // Two pixels with three channels become planes of f32, with a scale for each channel.
/// let pixels = LayoutBuf::packed(Dtype::U8, &[2, 3])?;
/// let planes = LayoutBuf::packed(Dtype::F32, &[3, 2])?;
/// let scales = LayoutBuf::strided(Dtype::F32, &[3, 2], &[1, 0])?;
/// let how = Conversion::new().affine(0.0, 1.0, -1.0).lists(scales.as_layout()?, [None, Some(&[1.0, 0.5, 0.25]), None]);
/// let mut floats = [0f32; 6];
/// let bytes = [0u8, 2, 4, 10, 20, 40];
/// stride::convert(&mut floats, &planes, &bytes, &pixels.permute(&[1, 0])?, &how, &Options::new())?;
/// assert_eq!(floats, [-1.0, 9.0, 0.0, 9.0, 0.0, 9.0]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// As [`copy_with`](super::copy_with()), but dtypes may differ: UNSUPPORTED for those that do not convert,
/// INVALID_ARGUMENT for flags that need AFFINE, and of a fractional number that joins integers; OUT_OF_BOUNDS with the
/// entry that is needed for lists that are too short. Only types of [any bits](Element::ANY_BITS) are written.
pub fn convert<D: Element, S: Element>(
    dst: &mut [D],
    dst_layout: &impl AsLayout,
    src: &[S],
    src_layout: &impl AsLayout,
    how: &Conversion<'_>,
    options: &Options,
) -> Result<()> {
    const { assert!(D::ANY_BITS, "what is converted may be any bits: take u8 in place of bool") };
    check_options::<D>(options)?;
    let (to, from) = (dst_layout.as_layout(), src_layout.as_layout());
    let (to, from) = (to.in_role(Argument::DstLayout)?, from.in_role(Argument::SrcLayout)?);
    check_dtype::<D>(to.dtype(), Argument::DstLayout)?;
    check_dtype::<S>(from.dtype(), Argument::SrcLayout)?;
    let affine = how.flags & AFFINE != 0;
    let numbers = if affine { how.numbers } else { [0.0, 1.0, 0.0] };
    let conversion = conversion::Conversion { dst: to.dtype(), src: from.dtype(), flags: how.flags, numbers };
    let pointers = how.lists.map(|list| list.map_or(core::ptr::null(), <[f32]>::as_ptr));
    let count = how.lists.iter().flatten().map(|list| list.len()).min().unwrap_or(0);
    let lists = Lists { pointers, count: count as u64 };
    let mut plan = Plan::asking(options);
    let mut converting = Converting::nothing();
    let values = how.values.as_ref().filter(|_| lists.given() != 0);
    let converts = plan.set_conversion(&mut converting, &to, &from, conversion, values, lists)?;
    let view = plan.view_of(converts.then_some(&converting));
    // SAFETY: whole elements are written, of which any bits are a value.
    let dst = unsafe { as_uninit(dst) };
    // SAFETY: slices of these lengths, the first of which nobody else has.
    unsafe { execute::execute(&view, dst_of(dst), src_of(src), None, [0, 1]).map_err(of_slices) }
}
