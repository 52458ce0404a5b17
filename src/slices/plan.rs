//! Copies of slices that are prepared once, and their parts.

use super::conversions::{Conversion, lists_of};
use super::copies::check_reaches_all;
use super::element::Element;
use super::side::{Sides, layouts};
use super::{as_uninit, dst_of, of_slices, src_of, with_values};
use crate::copy::converting::StepsRoom;
use crate::copy::execute::stored::Owned;
use crate::copy::execute::{self, Dst, Src};
use crate::copy::options::{FILL_BUFFER, Options};
use crate::copy::plan::{self, PlanView};
use crate::error::{Argument, Result};
use crate::model::{Dtype, whole_bytes};
use crate::regions::plan_facts::PlanFacts;
use crate::side::AsSide;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// A prepared copy of slices, of `D` to `D` unless it converts: its kernel and its loops. It borrows nothing, takes
/// less than 4 KB, and may be run by many threads at once.
///
/// ```
/// use stride::{Dtype, LayoutBuf, Plan};
/// let rows = LayoutBuf::packed(Dtype::S32, &[2, 3])?;
/// let columns = LayoutBuf::ordered(Dtype::S32, &[2, 3], &[0, 1])?;
/// let transpose = Plan::<i32>::new(&columns, &rows)?;
/// let mut out = [0; 6];
/// for frame in [[1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60]] {
///     transpose.execute(&mut out, &frame)?;
///     assert_eq!(out, [frame[0], frame[3], frame[1], frame[4], frame[2], frame[5]]);
/// }
/// # Ok::<(), stride::Error>(())
/// ```
///
/// Slices of other elements do not compile:
///
/// ```compile_fail,E0308
/// # use stride::{Dtype, LayoutBuf, Plan};
/// # let rows = LayoutBuf::packed(Dtype::S32, &[2, 3]).unwrap();
/// let plan = Plan::<i32>::new(&rows, &rows).unwrap();
/// plan.execute(&mut [0.0f32; 6], &[0.0f32; 6]).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Plan<D, S = D> {
    engine: Owned,
    /// Bytes that no element reaches are written too.
    fills: bool,
    /// The dtype of the destination.
    dtype: Dtype,
    /// The name of the destination in errors.
    dst_name: Argument,
    /// The number of elements that are written.
    elements: i64,
    element: PhantomData<fn(D, S)>,
}

impl<T: Element> Plan<T> {
    /// Prepares the copy of `src` to `dst`.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf, Plan};
    /// let matrix = LayoutBuf::packed(Dtype::F32, &[2, 3])?;
    /// let error = Plan::<f32>::new(&matrix, &matrix.permute(&[1, 0])?).unwrap_err();
    /// assert_eq!(error.to_string(), "src_layout, dimension 0: size is 3, but it is 2 in dst_layout");
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`copy()`](super::copy()), as far as slices do not matter.
    pub fn new(dst: &impl AsSide, src: &impl AsSide) -> Result<Self> {
        Self::with_options(dst, src, &Options::DEFAULT)
    }

    /// [`Plan::new`] with options.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf, Options, Plan};
    /// let row = LayoutBuf::packed(Dtype::U8, &[3])?;
    /// let pitched = LayoutBuf::strided(Dtype::U8, &[3], &[2])?;
    /// let plan = Plan::<u8>::with_options(&pitched, &row, &Options::new().fill_buffer([7; 16]))?;
    /// let mut out = [0; 6];
    /// plan.execute(&mut out, &[1, 2, 3])?;
    /// assert_eq!(out, [1, 7, 2, 7, 3, 7]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`copy_with`](super::copy_with), as far as slices do not matter.
    pub fn with_options(dst: &impl AsSide, src: &impl AsSide, options: &Options) -> Result<Self> {
        let mut plan = plan::Plan::with_options(options);
        if let Some([dst, src]) = layouts::<T>(dst, src, options)? {
            plan.set_copy_out_of_line(&dst, &src)?;
            let to = (dst.dtype(), Argument::DstLayout, dst.element_count());
            return Ok(Self::of(Owned::new(plan, None, None)?, options, to));
        }
        let sides = Sides::new::<T>(dst.as_side(), src.as_side(), options)?;
        let to = sides.dst()?;
        let boxes = sides.prepare(&mut plan)?;
        Ok(Self::of(Owned::new(plan, boxes.as_ref(), None)?, options, to))
    }
}

impl<D: Element, S: Element> Plan<D, S> {
    /// Prepares a copy that converts. Lists are given at each run ([`Plan::execute_lists`]): the plan keeps only the
    /// layout that maps each element to its entry.
    ///
    /// ```
    /// use stride::{Conversion, Dtype, LayoutBuf, Options, Plan};
    /// let pixels = LayoutBuf::packed(Dtype::U8, &[4, 3])?;
    /// let planes = LayoutBuf::packed(Dtype::F32, &[3, 4])?;
    /// let how = Conversion::new().affine(127.5, 1.0 / 127.5, 0.0);
    /// let plan = Plan::<f32, u8>::converting(&planes, &pixels.permute(&[1, 0])?, &how, &Options::new())?;
    /// let mut floats = [0.0; 12];
    /// plan.execute(&mut floats, &[255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0])?;
    /// assert_eq!(floats[..5], [1.0, 1.0, -1.0, -1.0, -1.0]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`convert`](super::convert()), as far as slices do not matter.
    pub fn converting(dst: &impl AsSide, src: &impl AsSide, how: &Conversion<'_>, options: &Options) -> Result<Self> {
        const { assert!(D::ANY_BITS, "what is converted may be any bits: take u8 in place of bool") };
        let sides = Sides::of_two::<D, S>(dst.as_side(), src.as_side(), options)?;
        let to = sides.dst()?;
        let (mut plan, mut steps) = (plan::Plan::with_options(options), StepsRoom::new());
        let (boxes, converting) = how.prepare(&mut plan, &sides, &mut steps)?;
        Ok(Self::of(Owned::new(plan, boxes.as_ref(), converting.as_ref())?, options, to))
    }

    /// Makes a copy that converts by lists. Give a list for each one that the conversion had.
    ///
    /// ```
    /// use stride::{AsLayout, Conversion, Dtype, LayoutBuf, Options, Plan};
    /// let sizes = [2, 2];
    /// let [to, from] = [LayoutBuf::packed(Dtype::F32, &sizes)?, LayoutBuf::packed(Dtype::S8, &sizes)?];
    /// let rows = LayoutBuf::strided(Dtype::F32, &sizes, &[1, 0])?;
    /// let how = Conversion::new().lists(rows.as_layout()?, [None, Some(&[0.0; 2]), None]);
    /// let plan = Plan::<f32, i8>::converting(&to, &from, &how, &Options::new())?;
    /// let mut floats = [0.0; 4];
    /// plan.execute_lists(&mut floats, &[1, 2, 3, 4], [None, Some(&[0.5, 2.0]), None])?;
    /// assert_eq!(floats, [0.5, 1.0, 6.0, 8.0]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Plan::execute`]; NULL_POINTER for a list that the plan needs, INVALID_ARGUMENT for one that it does
    /// not; OUT_OF_BOUNDS with the entry that is needed and the number of entries.
    pub fn execute_lists(&self, dst: &mut [D], src: &[S], lists: [Option<&[f32]>; 3]) -> Result<()> {
        // SAFETY: only whole elements are written, of which any bits are a value (`Plan::converting`).
        let (dst, src) = (dst_of(unsafe { as_uninit(dst) }), src_of(src));
        let run = |plan: &PlanView<'_>| {
            // SAFETY: slices of these lengths, also the lists (P5); `dst` is borrowed exclusively.
            plan.with_lists(lists_of(lists), &mut |plan| unsafe { execute::execute(plan, dst, src, None, [0, 1]) })
        };
        self.engine.with(run).map_err(of_slices)
    }

    fn of(engine: Owned, options: &Options, (dtype, dst_name, elements): (Dtype, Argument, i64)) -> Self {
        let fills = options.flags & FILL_BUFFER != 0;
        Self { engine, fills, dtype, dst_name, elements, element: PhantomData }
    }

    /// Makes the copy.
    ///
    /// ```
    /// # use stride::{Dtype, LayoutBuf, Plan};
    /// let row = LayoutBuf::packed(Dtype::U8, &[3])?;
    /// let mirror = Plan::<u8>::new(&row, &row.flip(&[0])?)?;
    /// let mut out = [0; 3];
    /// mirror.execute(&mut out, &[1, 2, 3])?;
    /// assert_eq!(out, [3, 2, 1]);
    /// let error = mirror.execute(&mut out, &[1]).unwrap_err();
    /// assert_eq!(error.to_string(), "src: 3 bytes are needed, but the buffer has 1");
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// OUT_OF_BOUNDS with the bytes needed and those of the slice, before anything is written.
    pub fn execute(&self, dst: &mut [D], src: &[S]) -> Result<()> {
        // SAFETY: only whole elements are written: values of `src`, or a fill or converted numbers, and then any bits
        // are a `D` (`check_options`, `Plan::converting`).
        let dst = unsafe { as_uninit(dst) };
        // SAFETY: slices of these lengths; `dst` is borrowed exclusively.
        unsafe { self.run(dst_of(dst), src_of(src), 0, 1) }
    }

    /// Makes the copy to memory without values, all of which are written: the result is the slice with its values.
    ///
    /// ```
    /// # use stride::{Dtype, LayoutBuf, Plan};
    /// # use core::mem::MaybeUninit;
    /// let row = LayoutBuf::packed(Dtype::U8, &[3])?;
    /// let mirror = Plan::<u8>::new(&row, &row.flip(&[0])?)?;
    /// let mut room = [MaybeUninit::uninit(); 3];
    /// assert_eq!(mirror.execute_to_uninit(&mut room, &[1, 2, 3])?, [3, 2, 1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`copy_to_uninit`](super::copy_to_uninit). With [`FILL_BUFFER`] the layout need not reach all of it.
    pub fn execute_to_uninit<'a>(&self, dst: &'a mut [MaybeUninit<D>], src: &[S]) -> Result<&'a mut [D]> {
        self.check_uninit(dst)?;
        // SAFETY: slices of these lengths; `dst` is borrowed exclusively and not read. All of it was written then
        // (`check_uninit`).
        unsafe {
            self.run(dst_of(dst), src_of(src), 0, 1)?;
            Ok(with_values(dst))
        }
    }

    /// The copy as `count` parts, to be run in any order, by any threads. Together they are the whole; no byte is
    /// written by two of them. A part that is not run leaves its elements as they are. [`Plan::useful_parts`] is the
    /// number that are worth a thread.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf, Plan};
    /// let rows = LayoutBuf::packed(Dtype::F32, &[300, 200])?;
    /// let columns = LayoutBuf::ordered(Dtype::F32, &[300, 200], &[0, 1])?;
    /// let src: Vec<f32> = (0..60_000).map(|k| k as f32).collect();
    /// let mut dst = vec![0.0; 60_000];
    /// let plan = Plan::<f32>::new(&columns, &rows)?;
    /// std::thread::scope(|threads| -> stride::Result<()> {
    ///     for part in plan.parts(&mut dst, &src, 4)? {
    ///         threads.spawn(move || part.run());
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(dst[300 * 7 + 5], src[200 * 5 + 7]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// Nobody reads the destination while there are parts:
    ///
    /// ```compile_fail,E0502
    /// # use stride::{Dtype, LayoutBuf, Plan};
    /// # let rows = LayoutBuf::packed(Dtype::F32, &[2]).unwrap();
    /// # let plan = Plan::<f32>::new(&rows, &rows).unwrap();
    /// let (mut dst, src) = ([0.0; 2], [1.0; 2]);
    /// let parts = plan.parts(&mut dst, &src, 2).unwrap();
    /// println!("{}", dst[0]);
    /// parts.for_each(|part| part.run());
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Plan::execute`], so that parts cannot fail; INVALID_ARGUMENT if `count` is 0.
    pub fn parts<'a>(&'a self, dst: &'a mut [D], src: &'a [S], count: u32) -> Result<Parts<'a, D, S>> {
        // SAFETY: only whole elements are written: values of `src`, or a fill or converted numbers, and then any bits
        // are a `D` (`check_options`, `Plan::converting`).
        self.parts_of(unsafe { as_uninit(dst) }, src, count)
    }

    /// [`Plan::parts`] for memory without values. It has values when the caller has run all parts.
    ///
    /// ```
    /// # use stride::{Dtype, LayoutBuf, Plan};
    /// let row = LayoutBuf::packed(Dtype::U64, &[1000])?;
    /// let mirror = Plan::<u64>::new(&row, &row.flip(&[0])?)?;
    /// let src: Vec<u64> = (0..1000).collect();
    /// let mut dst = Vec::with_capacity(1000);
    /// let room = &mut dst.spare_capacity_mut()[..1000];
    /// mirror.parts_to_uninit(room, &src, 2)?.for_each(|part| part.run());
    /// unsafe { dst.set_len(1000) }; // both parts were run
    /// assert!(dst.iter().rev().eq(&src));
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Plan::execute_to_uninit`], and INVALID_ARGUMENT if `count` is 0.
    pub fn parts_to_uninit<'a>(
        &'a self,
        dst: &'a mut [MaybeUninit<D>],
        src: &'a [S],
        count: u32,
    ) -> Result<Parts<'a, D, S>> {
        self.check_uninit(dst)?;
        self.parts_of(dst, src, count)
    }

    fn parts_of<'a>(&'a self, dst: &'a mut [MaybeUninit<D>], src: &'a [S], count: u32) -> Result<Parts<'a, D, S>> {
        let (dst, src) = (dst_of(dst), src_of(src));
        self.engine.with(|plan| execute::check(plan, dst, src, count)).map_err(of_slices)?;
        Ok(Parts { first: Part { plan: self, dst, src, number: 0, count, sides: PhantomData } })
    }

    /// The rule of [`Plan::execute_to_uninit`].
    fn check_uninit(&self, dst: &[MaybeUninit<D>]) -> Result<()> {
        whole_bytes(self.dtype, self.dst_name)?;
        if self.fills {
            return Ok(());
        }
        check_reaches_all(self.elements, self.dtype, size_of_val(dst), self.dst_name)
    }
}

impl<D, S> Plan<D, S> {
    /// # Safety
    /// `src` is readable over its length, and `dst` writable: of several parts, in the bytes of this one.
    unsafe fn run(&self, dst: Dst, src: Src, part: u32, parts: u32) -> Result<()> {
        // SAFETY: `dst` is writable and `src` readable over their lengths (# Safety), beyond which nothing is touched.
        unsafe { self.engine.execute(dst, src, [part, parts]) }.map_err(of_slices)
    }

    /// Bytes that the copy moves.
    ///
    /// ```
    /// # use stride::{Dtype, LayoutBuf, Plan};
    /// let matrix = LayoutBuf::packed(Dtype::F64, &[4, 8])?;
    /// assert_eq!(Plan::<f64>::new(&matrix, &matrix)?.bytes(), 256);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        self.engine.with(|plan| Ok(plan.bytes_moved())).unwrap_or(0) // it was made here
    }

    /// The number of parts that are worth a thread each, at least 1.
    ///
    /// ```
    /// # use stride::{Dtype, LayoutBuf, Plan};
    /// let small = LayoutBuf::packed(Dtype::F32, &[10, 10])?;
    /// assert_eq!(Plan::<f32>::new(&small, &small)?.useful_parts(), 1);
    /// let large = LayoutBuf::packed(Dtype::F32, &[4000, 4000])?;
    /// assert!(Plan::<f32>::new(&large, &large)?.useful_parts() > 100);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn useful_parts(&self) -> u32 {
        self.engine.with(PlanFacts::of).map_or(1, |facts| facts.useful_parts) // it was made here
    }
}

/// The plan, described for people: kernel, bytes, width of an element, the loops after merging.
///
/// ```
/// # use stride::{Dtype, LayoutBuf, Plan};
/// let matrix = LayoutBuf::packed(Dtype::F32, &[50, 100])?;
/// let plan = Plan::<f32>::new(&matrix, &matrix)?;
/// assert!(plan.to_string().starts_with("rows")); // one run of 20000 bytes
/// # Ok::<(), stride::Error>(())
/// ```
impl<D, S> fmt::Display for Plan<D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = Ok(());
        let found = self.engine.with(|plan| {
            written = plan.fmt(f);
            Ok(())
        });
        if found.is_ok() { written } else { Err(fmt::Error) }
    }
}

/// One of several parts of a copy, made by [`Plan::parts`]. It may go to another thread.
#[derive(Debug)]
#[must_use = "a part that is not run leaves its elements as they are"]
pub struct Part<'a, D, S = D> {
    plan: &'a Plan<D, S>,
    dst: Dst,
    src: Src,
    number: u32,
    count: u32,
    sides: PhantomData<(&'a mut [D], &'a [S])>,
}

// SAFETY: a part writes values of `D` (`Send`) to bytes that no other part writes, and reads values of `S` that other
// parts read too (`Sync`). The plan that they share is `Sync`.
unsafe impl<D: Send, S: Sync> Send for Part<'_, D, S> {}

impl<D, S> Part<'_, D, S> {
    /// Makes this part of the copy. It cannot fail: [`Plan::parts`] checked the slices.
    ///
    /// ```
    /// # use stride::{Dtype, LayoutBuf, Plan};
    /// let row = LayoutBuf::packed(Dtype::S16, &[4])?;
    /// let (mut dst, src) = ([0i16; 4], [1, 2, 3, 4]);
    /// let plan = Plan::<i16>::new(&row, &row)?;
    /// for part in plan.parts(&mut dst, &src, 3)? {
    ///     part.run(); // so small a copy is the first part's business
    /// }
    /// assert_eq!(dst, src);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn run(self) {
        // SAFETY: slices of these lengths, borrowed as long as the part lives. Each part exists once, and no other one
        // writes its bytes.
        let done = unsafe { self.plan.run(self.dst, self.src, self.number, self.count) };
        debug_assert!(done.is_ok(), "`Plan::parts` checked both slices");
    }
}

/// The parts of a copy that are left: an iterator.
///
/// ```
/// # use stride::{Dtype, LayoutBuf, Plan};
/// let row = LayoutBuf::packed(Dtype::U8, &[100_000])?;
/// let plan = Plan::<u8>::new(&row, &row)?;
/// let (mut dst, src) = (vec![0; 100_000], vec![1; 100_000]);
/// let parts = plan.parts(&mut dst, &src, 8)?;
/// assert_eq!(parts.len(), 8);
/// parts.skip(4).for_each(|part| part.run());
/// assert_eq!((dst[0], dst[99_999]), (0, 1));
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "parts that are not run leave their elements as they are"]
pub struct Parts<'a, D, S = D> {
    /// The next part, if its number is below `count`.
    first: Part<'a, D, S>,
}

impl<'a, D, S> Iterator for Parts<'a, D, S> {
    type Item = Part<'a, D, S>;

    fn next(&mut self) -> Option<Part<'a, D, S>> {
        let Part { plan, dst, src, number, count, sides } = self.first;
        if number >= count {
            return None;
        }
        self.first.number = number + 1; // so no part is given out twice
        Some(Part { plan, dst, src, number, count, sides })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.first.count - self.first.number) as usize;
        (left, Some(left))
    }
}

impl<D, S> ExactSizeIterator for Parts<'_, D, S> {}

impl<D, S> FusedIterator for Parts<'_, D, S> {}
