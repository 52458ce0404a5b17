//! Copies of slices that convert.

use super::element::Element;
use super::side::Sides;
use super::{as_uninit, dst_of, of_slices, src_of};
use crate::copy::Options;
use crate::copy::conversion::{self, ADD_LAST, AFFINE, DIVIDE, FINITE, NEAREST, SATURATE};
use crate::copy::converting::{Converting, Lists, StepsRoom};
use crate::copy::execute;
use crate::copy::plan::Plan;
use crate::copy::relayout::Relayout;
use crate::error::Result;
use crate::model::Layout;
use crate::side::AsSide;

/// The change of each number of a copy: [`convert`]. The rules are those of C's `stride_conversion`
/// ([`ffi::conversion`](crate::ffi::conversion)).
///
/// ```
/// use stride::{Conversion, Dtype, LayoutBuf, Options};
/// // Floats as a model's zero point and scale have them in bytes.
/// let to_bytes = Conversion::new().affine(0.0, 0.5, 128.0).divide().nearest().add_last();
/// let [to, from] = [LayoutBuf::packed(Dtype::U8, &[3])?, LayoutBuf::packed(Dtype::F32, &[3])?];
/// let mut bytes = [0u8; 3];
/// stride::convert(&mut bytes, &to, &[0.0f32, -1.0, 100.0], &from, &to_bytes, &Options::new())?;
/// assert_eq!(bytes, [128, 126, 255]);
/// # Ok::<(), stride::Error>(())
/// ```
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
    /// A conversion that keeps values as far as the destination's dtype has them.
    ///
    /// ```
    /// use stride::{Conversion, Dtype, LayoutBuf, Options};
    /// let [to, from] = [LayoutBuf::packed(Dtype::S32, &[3])?, LayoutBuf::packed(Dtype::F32, &[3])?];
    /// let mut made = [0i32; 3];
    /// let how = Conversion::new();
    /// stride::convert(&mut made, &to, &[1.5f32, -1.5, 1e20], &from, &how, &Options::new())?;
    /// assert_eq!(made, [1, -1, i32::MAX]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// `(x − subtract) · scale + add`.
    ///
    /// ```
    /// use stride::{Conversion, Dtype, LayoutBuf, Options};
    /// let [to, from] = [LayoutBuf::packed(Dtype::F32, &[3])?, LayoutBuf::packed(Dtype::U8, &[3])?];
    /// let mut made = [0f32; 3];
    /// let how = Conversion::new().affine(127.0, 0.5, 1.0);
    /// stride::convert(&mut made, &to, &[0u8, 127, 255], &from, &how, &Options::new())?;
    /// assert_eq!(made, [-62.5, 1.0, 65.0]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn affine(mut self, subtract: f64, scale: f64, add: f64) -> Self {
        self.numbers = [subtract, scale, add];
        self.with(AFFINE)
    }

    /// Takes the three numbers of each element from lists; for a list that is `None`, the number of
    /// [`affine`](Conversion::affine). `values` maps each element to its entry, as a layout of f32 with the sizes of
    /// the copy: with stride 0 along all dimensions but that of the channels, each channel has a number.
    ///
    /// ```
    /// use stride::{AsLayout, Conversion, Dtype, LayoutBuf, Options};
    /// // A scale for each column.
    /// let sizes = [2, 2];
    /// let [to, from] = [LayoutBuf::packed(Dtype::F32, &sizes)?, LayoutBuf::packed(Dtype::U8, &sizes)?];
    /// let columns = LayoutBuf::strided(Dtype::F32, &sizes, &[0, 1])?;
    /// let how = Conversion::new().lists(columns.as_layout()?, [None, Some(&[1.0, 0.5]), None]);
    /// let mut made = [0f32; 4];
    /// stride::convert(&mut made, &to, &[1u8, 2, 3, 4], &from, &how, &Options::new())?;
    /// assert_eq!(made, [1.0, 1.0, 3.0, 2.0]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn lists(mut self, values: Layout<'a>, lists: [Option<&'a [f32]>; 3]) -> Self {
        (self.values, self.lists) = (Some(values), lists);
        self.with(AFFINE)
    }

    /// `/ scale`.
    ///
    /// ```
    /// use stride::{Conversion, Dtype, LayoutBuf, Options};
    /// let [to, from] = [LayoutBuf::packed(Dtype::F32, &[3])?, LayoutBuf::packed(Dtype::U8, &[3])?];
    /// let mut made = [0f32; 3];
    /// let how = Conversion::new().affine(0.0, 4.0, 0.0).divide();
    /// stride::convert(&mut made, &to, &[0u8, 127, 255], &from, &how, &Options::new())?;
    /// assert_eq!(made, [0.0, 31.75, 63.75]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn divide(self) -> Self {
        self.with(DIVIDE)
    }

    /// Floats become the nearest integer, of two the even one; otherwise the next one toward zero.
    ///
    /// ```
    /// use stride::{Conversion, Dtype, LayoutBuf, Options};
    /// let [to, from] = [LayoutBuf::packed(Dtype::U8, &[3])?, LayoutBuf::packed(Dtype::F32, &[3])?];
    /// let mut made = [0u8; 3];
    /// let how = Conversion::new().nearest();
    /// stride::convert(&mut made, &to, &[0.5f32, 1.5, 2.4], &from, &how, &Options::new())?;
    /// assert_eq!(made, [0, 2, 2]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn nearest(self) -> Self {
        self.with(NEAREST)
    }

    /// Integers that do not fit an integer become the nearest that does; otherwise their low bits are kept.
    ///
    /// ```
    /// use stride::{Conversion, Dtype, LayoutBuf, Options};
    /// let [to, from] = [LayoutBuf::packed(Dtype::U8, &[3])?, LayoutBuf::packed(Dtype::S32, &[3])?];
    /// let mut made = [0u8; 3];
    /// let how = Conversion::new().saturate();
    /// stride::convert(&mut made, &to, &[-1i32, 255, 300], &from, &how, &Options::new())?;
    /// assert_eq!(made, [0, 255, 255]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn saturate(self) -> Self {
        self.with(SATURATE)
    }

    /// Floats that do not fit become the largest finite number.
    ///
    /// ```
    /// use stride::{Conversion, Dtype, LayoutBuf, Options};
    /// let [to, from] = [LayoutBuf::packed(Dtype::F32, &[3])?, LayoutBuf::packed(Dtype::F64, &[3])?];
    /// let mut made = [0f32; 3];
    /// let how = Conversion::new().finite();
    /// stride::convert(&mut made, &to, &[1e300f64, f64::NEG_INFINITY, 0.5], &from, &how, &Options::new())?;
    /// assert_eq!(made, [f32::MAX, f32::MIN, 0.5]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn finite(self) -> Self {
        self.with(FINITE)
    }

    /// `add`, an integer, is added after rounding to an integer.
    ///
    /// ```
    /// use stride::{Conversion, Dtype, LayoutBuf, Options};
    /// let [to, from] = [LayoutBuf::packed(Dtype::S8, &[3])?, LayoutBuf::packed(Dtype::F32, &[3])?];
    /// let mut made = [0i8; 3];
    /// let how = Conversion::new().affine(0.0, 0.1, -3.0).divide().nearest().add_last();
    /// stride::convert(&mut made, &to, &[0.26f32, -0.26, 9.0], &from, &how, &Options::new())?;
    /// assert_eq!(made, [0, -6, 87]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub const fn add_last(self) -> Self {
        self.with(ADD_LAST)
    }

    const fn with(mut self, flag: u32) -> Self {
        self.flags |= flag;
        self
    }

    /// Prepares the copy by a plan that has nothing but options.
    pub(super) fn prepare<'s>(
        &self,
        plan: &mut Plan,
        sides: &'s Sides<'_>,
        steps: &'s mut StepsRoom,
    ) -> Result<(Option<Relayout<'s>>, Option<Converting<'s>>)> {
        let [to, from] = sides.both();
        let Self { flags, numbers, .. } = *self;
        let conversion = conversion::Conversion { dst: to.dtype, src: from.dtype, flags, numbers };
        let lists = lists_of(self.lists);
        let values = self.values.as_ref().filter(|_| lists.given() != 0);
        plan.set_converted_sides(steps, [to, from], conversion, values, lists)
    }
}

/// The lists as pointers, with the length of the shortest.
pub(super) fn lists_of(lists: [Option<&[f32]>; 3]) -> Lists {
    let pointers = lists.map(|list| list.map_or(core::ptr::null(), <[f32]>::as_ptr));
    let count = lists.iter().flatten().map(|list| list.len()).min().unwrap_or(0);
    Lists { pointers, count: count as u64 }
}

/// Copies every element of `src` to the element of `dst` with the same index, and converts it on the way.
///
/// ```
/// use stride::{AsLayout, Conversion, Dtype, LayoutBuf, Options};
/// // Two pixels with three channels become planes of f32, with a scale for each channel.
/// let pixels = LayoutBuf::packed(Dtype::U8, &[2, 3])?;
/// let planes = LayoutBuf::packed(Dtype::F32, &[3, 2])?;
/// let scales = LayoutBuf::strided(Dtype::F32, &[3, 2], &[1, 0])?;
/// let lists = [None, Some(&[1.0, 0.5, 0.25][..]), None];
/// let how = Conversion::new().affine(0.0, 1.0, -1.0).lists(scales.as_layout()?, lists);
/// let mut floats = [0f32; 6];
/// let bytes = [0u8, 2, 4, 10, 20, 40];
/// stride::convert(&mut floats, &planes, &bytes, &pixels.permute(&[1, 0])?, &how, &Options::new())?;
/// assert_eq!(floats, [-1.0, 9.0, 0.0, 9.0, 0.0, 9.0]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`copy_with`](super::copy_with()), but dtypes may differ: UNSUPPORTED for dtypes that do not convert;
/// INVALID_ARGUMENT for flags that need AFFINE, and for a fraction to be added after rounding; OUT_OF_BOUNDS with the
/// entry that is needed for lists that are too short. Only types of [any bits](Element::ANY_BITS) are written.
pub fn convert<D: Element, S: Element>(
    dst: &mut [D],
    dst_side: &impl AsSide,
    src: &[S],
    src_side: &impl AsSide,
    how: &Conversion<'_>,
    options: &Options,
) -> Result<()> {
    const { assert!(D::ANY_BITS, "what is converted may be any bits: take u8 in place of bool") };
    let sides = Sides::of_two::<D, S>(dst_side.as_side(), src_side.as_side(), options)?;
    let (mut plan, mut steps) = (Plan::with_options(options), StepsRoom::new());
    let (boxes, converting) = how.prepare(&mut plan, &sides, &mut steps)?;
    let view = plan.view_of(boxes.as_ref(), converting.as_ref());
    // SAFETY: only whole elements are written, of which any bits are a value (`ANY_BITS`).
    let dst = unsafe { as_uninit(dst) };
    // SAFETY: slices of these lengths, also the lists (P5); `dst` is borrowed exclusively.
    unsafe { execute::execute(&view, dst_of(dst), src_of(src), None, [0, 1]).map_err(of_slices) }
}
