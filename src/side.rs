//! One side of a copy: an object, and all or some of its elements.
//!
//! The [`Object`] is a layout, an XLA shape or a blocked layout. The side is all of it, or *runs* of indices along
//! dimensions (a list is runs of one index, a roll two runs, −1 the fill value), or a *range* of its elements in
//! row-major order. Any side is copied to any other one whose sizes, after runs and ranges, are equal.

use crate::copy::relayout::along::{IndexRun, Runs};
use crate::copy::relayout::{Given, MAX_ALONG};
use crate::error::{Argument, Detail, ForArgument, Result, Status};
use crate::model::{AsLayout, Dtype, Layout, LayoutBuf, arith};
use crate::vocabulary::blocks::BlockedLayout;
use crate::vocabulary::xla::Shape;
use arrayvec::ArrayVec;

/// The object that elements lie in: owned by default, borrowed in a [`Side`].
///
/// ```
/// use stride::vocabulary::xla::text::parse;
/// use stride::{Dtype, Object};
/// let owned: Object = Object::Shape(parse(b"s8[3,5]{1,0:T(2,4)}")?); // 2 x 2 tiles
/// let borrowed = owned.view()?;
/// assert_eq!((borrowed.dtype(), borrowed.sizes(), borrowed.byte_size()?), (Dtype::S8, &[3, 5][..], 32));
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object<L = LayoutBuf, S = Shape, B = BlockedLayout> {
    /// A layout.
    Layout(L),
    /// An XLA shape with its order, padding and tiles.
    Shape(S),
    /// A blocked layout.
    Blocked(B),
}

/// A borrowed [`Object`].
pub type ObjectRef<'a> = Object<Layout<'a>, &'a Shape, &'a BlockedLayout>;

impl Object {
    /// The object, borrowed.
    pub fn view(&self) -> Result<ObjectRef<'_>> {
        Ok(match self {
            Self::Layout(layout) => Object::Layout(layout.view()?),
            Self::Shape(shape) => Object::Shape(shape),
            Self::Blocked(blocked) => Object::Blocked(blocked),
        })
    }
}

impl<'a> ObjectRef<'a> {
    /// The type of an element in memory: of a shape, that of its storage.
    pub fn dtype(&self) -> Dtype {
        match self {
            Self::Layout(layout) => layout.dtype(),
            Self::Shape(shape) => shape.storage_dtype(),
            Self::Blocked(blocked) => blocked.dtype(),
        }
    }

    /// Elements along each dimension, outermost first.
    pub fn sizes(&self) -> &'a [i64] {
        match self {
            Self::Layout(layout) => layout.sizes(),
            Self::Shape(shape) => shape.sizes(),
            Self::Blocked(blocked) => blocked.sizes(),
        }
    }

    /// Bytes of a buffer that holds it: up to the last element of a layout, else the whole buffer.
    pub fn byte_size(&self) -> Result<u64> {
        match self {
            Self::Layout(layout) => layout.min_bytes(),
            Self::Shape(shape) => shape.byte_size(),
            Self::Blocked(blocked) => blocked.byte_size(),
        }
    }
}

/// One side of a copy: an object, and all or some of its elements.
///
/// ```
/// use stride::{Dtype, IndexRun, LayoutBuf, Side};
/// // Four rows of three, rolled down by one.
/// let rows = LayoutBuf::packed(Dtype::U8, &[4, 3])?;
/// let runs = [IndexRun::from(3), IndexRun::from(0..3)];
/// let rolled = Side::new(&rows)?.runs(0, &runs)?;
/// let mut dst = [0u8; 12];
/// stride::copy(&mut dst, &rows, &[0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], &rolled)?;
/// assert_eq!(dst, [3, 3, 3, 0, 0, 0, 1, 1, 1, 2, 2, 2]);
///
/// // Elements 4 to 8 of a matrix by columns, in row-major order.
/// let columns = LayoutBuf::ordered(Dtype::U8, &[4, 3], &[0, 1])?;
/// let range = Side::new(&columns)?.range(4, 5)?;
/// let mut five = [0u8; 5];
/// stride::copy(&mut five, &LayoutBuf::packed(Dtype::U8, &[5])?, &[0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11], &range)?;
/// assert_eq!(five, [4, 5, 6, 7, 8]);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Side<'a> {
    of: ObjectRef<'a>,
    along: AlongList<'a>,
    range: Option<(i64, i64)>,
}

/// Types that are a side: a layout ([`AsLayout`]), a [`Shape`], a [`BlockedLayout`], an [`Object`], or a [`Side`].
///
/// ```
/// use stride::vocabulary::xla::text::parse;
/// use stride::{Dtype, LayoutBuf};
/// let tiles = parse(b"u8[2,3]{1,0:T(2,2)}")?;
/// let mut rows = [0u8; 6];
/// stride::copy(&mut rows, &LayoutBuf::packed(Dtype::U8, &[2, 3])?, &[1, 2, 4, 5, 3, 0, 6, 0], &tiles)?;
/// assert_eq!(rows, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), stride::Error>(())
/// ```
pub trait AsSide {
    /// The side.
    fn as_side(&self) -> Result<Side<'_>>;

    /// The layout, if every value of this type is one: the short way to a copy.
    #[doc(hidden)]
    #[inline(always)]
    fn as_plain(&self) -> Option<Result<Layout<'_>>> {
        None
    }
}

impl<L: AsLayout + ?Sized> AsSide for L {
    #[inline(always)]
    fn as_side(&self) -> Result<Side<'_>> {
        self.as_layout().map(|layout| Side::of(Object::Layout(layout)))
    }

    #[inline(always)]
    fn as_plain(&self) -> Option<Result<Layout<'_>>> {
        Some(self.as_layout())
    }
}

impl AsSide for Shape {
    fn as_side(&self) -> Result<Side<'_>> {
        Ok(Side::of(Object::Shape(self)))
    }
}

impl AsSide for BlockedLayout {
    fn as_side(&self) -> Result<Side<'_>> {
        Ok(Side::of(Object::Blocked(self)))
    }
}

impl AsSide for Object {
    fn as_side(&self) -> Result<Side<'_>> {
        self.view().map(Side::of)
    }
}

impl AsSide for Side<'_> {
    fn as_side(&self) -> Result<Side<'_>> {
        Ok(self.clone())
    }
}

impl<'a> Side<'a> {
    /// All of an object.
    #[inline(always)]
    pub const fn of(of: ObjectRef<'a>) -> Self {
        Self { of, along: ArrayVec::new_const(), range: None }
    }

    /// The side that `of` is.
    pub fn new(of: &'a impl AsSide) -> Result<Self> {
        of.as_side()
    }

    /// The object.
    pub(crate) fn object(&self) -> &ObjectRef<'a> {
        &self.of
    }

    /// The layout, if the side is all of one.
    #[inline(always)]
    pub(crate) fn layout(&self) -> Option<&Layout<'a>> {
        match &self.of {
            Object::Layout(layout) if self.along.is_empty() && self.range.is_none() => Some(layout),
            _ => None,
        }
    }

    /// Lists the indices along one more dimension by runs: index i of the side is the i-th of them. Runs of a
    /// destination have each index at most once and no −1: ascending runs are proved disjoint in one pass, n runs in
    /// another order take n·n/2 steps of the overlap budget. INVALID_RANK above 8 dimensions; everything else is
    /// checked when the side is used.
    pub fn runs(mut self, dimension: usize, runs: &'a [IndexRun]) -> Result<Self> {
        let most = MAX_ALONG as i64;
        let error = Status::InvalidRank.of(Argument::Side).because(Detail::Above, most + 1, most);
        self.along.try_push((dimension, runs)).map_err(|_| error)?;
        Ok(self)
    }

    /// Makes the side one dimension: the `count` elements from number `first` on in row-major order. INVALID_SIZE below
    /// 0; everything else is checked when the side is used.
    pub fn range(mut self, first: i64, count: i64) -> Result<Self> {
        for (number, argument) in [(first, Argument::First), (count, Argument::Count)] {
            Status::InvalidSize.of(argument).unless(number >= 0, Detail::Below, number, 0)?;
        }
        self.range = Some((first, count));
        Ok(self)
    }

    /// [`give`] of the side.
    pub(crate) fn give(&self, to: &mut Given<'a>, may_fill: bool) -> Result<()> {
        give(&self.of, &self.along, self.range, to, may_fill)
    }
}

/// Dimensions with the runs along each.
pub(crate) type AlongList<'a> = ArrayVec<(usize, &'a [IndexRun]), MAX_ALONG>;

/// Writes a side in the engine's form to `to`, which is named and empty; `may_fill`: it is a source. Errors name the
/// side: INVALID_AXES for a dimension that does not exist or has runs already; INVALID_SIZE, INDEX_OUT_OF_RANGE and
/// INVALID_ARGUMENT with the run (item); OUT_OF_BOUNDS for a range with its end and the number of elements; UNSUPPORTED
/// for runs together with a range.
#[inline(never)] // keeps its frame off the caller's stack
pub(crate) fn give<'a>(
    of: &ObjectRef<'_>,
    runs: &AlongList<'a>,
    range: Option<(i64, i64)>,
    to: &mut Given<'a>,
    may_fill: bool,
) -> Result<()> {
    let map = &mut to.mapped.map;
    match of {
        Object::Layout(layout) => map.set_layout(layout),
        Object::Shape(shape) => shape.set_index_map(map).in_role(to.name)?,
        Object::Blocked(blocked) => blocked.set_index_map(map).in_role(to.name)?,
    }
    to.see_all(of.dtype());
    if let Some((first, count)) = range {
        Status::Unsupported.of(to.name).unless(runs.is_empty(), Detail::RunsAndRange, runs.len() as i64, 0)?;
        let all = arith::element_count(of.sizes()).in_role(to.name)?;
        let end = first as i128 + count as i128;
        Status::OutOfBounds.of(to.name).unless(end <= all as i128, Detail::RangeEnd, end, all)?;
        return to.see_range(first, count);
    }
    let rank = of.sizes().len();
    for &(dimension, list) in runs {
        let error = Status::InvalidAxes.of(to.name);
        error.unless(dimension < rank, Detail::OutOfRange, dimension as i64, rank as i64)?;
        error.unless(to.mapped.along(dimension).is_none(), Detail::Repeated, dimension as i64, 2)?;
        to.see_runs(dimension, Runs::List(list), may_fill)?;
    }
    Ok(())
}
