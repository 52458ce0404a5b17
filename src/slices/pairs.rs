//! Copies of slices whose elements do not meet by equal indices: a list says what is taken, or they are counted in
//! row-major order.

use super::element::{Element, check_dtypes, check_options};
use crate::copy::Options;
use crate::copy::plan::{Plan, Prepared, taken_axis};
use crate::copy::tiled::Coalesced;
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status};
use crate::model::{AsLayout, Layout};
use core::ops::Range;

/// The layouts of such a copy, checked against a type of elements.
pub(super) struct Pairs<'a> {
    pub dst: Layout<'a>,
    src: Layout<'a>,
}

impl<'a> Pairs<'a> {
    pub(super) fn new<T: Element>(dst: &'a impl AsLayout, src: &'a impl AsLayout, options: &Options) -> Result<Self> {
        check_options::<T>(options)?;
        options.check_ordinary_stack()?;
        let dst = dst.as_layout().in_role(Argument::DstLayout)?;
        let src = src.as_layout().in_role(Argument::SrcLayout)?;
        check_dtypes::<T>(dst.dtype(), src.dtype(), [Argument::DstLayout, Argument::SrcLayout])?;
        Ok(Self { dst, src })
    }

    /// Prepares the copy of what a list takes and calls `then` with it.
    pub(super) fn take<T: Element, R>(
        &self,
        axis: i64,
        indices: &[i64],
        options: &Options,
        then: impl FnOnce(&Plan, Prepared<'_>) -> Result<R>,
    ) -> Result<R> {
        let mut plan = Plan::asking(options);
        // The length of the list has no name of its own here.
        let axis = taken_axis(&self.dst, axis, indices.len()).map_err(|error| match error.detail {
            Detail::Count => Error { argument: Argument::Indices, ..error },
            _ => error,
        })?;
        let prepared = plan.set_take(&self.dst, &self.src, axis, indices)?;
        if let Some(item) = indices.iter().position(|&index| index < 0 && !T::ANY_BITS) {
            let error = Error::new(Status::IndexOutOfRange).argument(Argument::Indices).item(item);
            return Err(error.because(Detail::OutOfRange, -1, self.src.dimension(axis).0));
        }
        then(&plan, prepared)
    }

    /// Prepares the copy of a range and calls `then` with it.
    pub(super) fn range<R>(
        &self,
        dst_first: usize,
        src_range: Range<usize>,
        options: &Options,
        then: impl FnOnce(&Plan, Prepared<'_>) -> Result<R>,
    ) -> Result<R> {
        let mut plan = Plan::asking(options);
        let [to, from] = [dst_first, src_range.start].map(saturated);
        let (count, mut rooms) = ([saturated(src_range.len())], [Coalesced::NOTHING; 2]);
        let prepared = plan.set_range([(&self.dst, to), (&self.src, from)], &count, &mut rooms)?;
        then(&plan, prepared)
    }
}

/// More than 63 bits are more than there are elements.
pub(super) fn saturated(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
