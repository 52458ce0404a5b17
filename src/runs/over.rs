//! Runs for Rust: an iterator, in elements, over as many operands as a type says.

use super::{Joint, OPERANDS, Runs};
use crate::error::{Argument, Detail, Error, Result, Status, check_rank};
use crate::model::{AsLayout, Layout};
use arrayvec::ArrayVec;
use core::iter::FusedIterator;

/// All runs of operands of equal sizes, as an iterator: your own loop over tensors of any layout, in safe code.
/// Broadcast operands of other sizes first.
///
/// ```
/// use stride::{Dtype, LayoutBuf, runs};
/// // A row is added to each row of a matrix whose columns lie one after the other.
/// let matrix = LayoutBuf::ordered(Dtype::F32, &[2, 3], &[0, 1])?;
/// let row = LayoutBuf::packed(Dtype::F32, &[3])?.broadcast_to(&[2, 3])?;
/// let (mut a, b) = ([1.0, 4.0, 2.0, 5.0, 3.0, 6.0], [10.0, 20.0, 30.0]);
/// for run in runs::over([&matrix, &row])? {
///     for [at_a, at_b] in run {
///         a[at_a] += b[at_b];
///     }
/// }
/// assert_eq!(a, [11.0, 14.0, 22.0, 25.0, 33.0, 36.0]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// The order is not that of the indices, but each tuple of elements comes as often as there are indices that mean it.
///
/// # Errors
///
/// INVALID_RANK unless there are one to eight operands; SHAPE_MISMATCH with operand and dimension; OUT_OF_BOUNDS if an
/// element lies before the slice; UNSUPPORTED for more than 49 loops; OVERFLOW for one element that a run means more
/// often than `usize` counts.
pub fn over<const N: usize>(operands: [&dyn AsLayout; N]) -> Result<Over<N>> {
    let (mut joint, mut runs) = (Joint::nothing(), Runs::nothing());
    let mut layouts = ArrayVec::<Layout<'_>, OPERANDS>::new();
    let (mut widest, mut limit) = (1, 0);
    for (item, operand) in operands.iter().enumerate() {
        let named = |error: Error| Error { argument: Argument::In, ..error.item(item) };
        let layout = operand.as_layout().map_err(named)?;
        layout.min_bytes().map_err(named)?;
        widest = widest.max(layout.dtype().bits() / 8);
        limit = limit.max(layout.span().1);
        layouts.try_push(layout).or_else(|_| check_rank(N, OPERANDS, Argument::Count))?;
    }
    if isize::try_from(limit).is_err() {
        // No slice has so many elements if pointers are short.
        return Err(Status::OutOfBounds.of(Argument::In).because(Detail::AddressSpace, limit, 0));
    }
    joint.set_elements(&layouts)?;
    runs.set_elements(&joint, widest)?;
    let mut strides = [0; N];
    for (slot, stride) in strides.iter_mut().zip(runs.as_view().strides()) {
        *slot = stride as isize; // from one offset to another, both of which fit; or of runs of one element
    }
    Ok(Over { runs, strides })
}

/// The runs that are left of `N` operands, made by [`over()`].
///
/// ```
/// use stride::{Dtype, LayoutBuf, runs};
/// let pitched = LayoutBuf::strided(Dtype::U8, &[3, 100], &[128, 1])?;
/// let packed = LayoutBuf::packed(Dtype::U8, &[3, 100])?;
/// let mut all = runs::over([&pitched, &packed])?;
/// let run = all.next().unwrap();
/// assert_eq!((run.offsets, run.strides, run.elements), ([0, 0], [1, 1], 100));
/// assert_eq!(all.map(|run| run.offsets).collect::<Vec<_>>(), [[128, 100], [256, 200]]);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing unless they are asked"]
pub struct Over<const N: usize> {
    runs: Runs,
    strides: [isize; N],
}

impl<const N: usize> Over<N> {
    /// One of `parts` shares of what is left: all together give each element once, and may go to threads.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf, runs};
    /// let row = LayoutBuf::packed(Dtype::U8, &[1000])?;
    /// let all = runs::over([&row])?;
    /// let elements = |part| all.part(part, 3).map(|runs| runs.map(|run| run.elements).sum::<usize>());
    /// assert_eq!(elements(0)? + elements(1)? + elements(2)?, 1000);
    /// assert!(elements(0)? > 300 && elements(3).is_err());
    /// # Ok::<(), stride::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT unless `part` is below `parts`.
    pub fn part(&self, part: u32, parts: u32) -> Result<Self> {
        let mut runs = Runs::nothing();
        runs.set_part(&self.runs.as_view(), part, parts)?;
        Ok(Self { runs, strides: self.strides })
    }

    /// The distance between the elements of a run in each operand, in elements; all runs have the same.
    ///
    /// ```
    /// use stride::{Dtype, LayoutBuf, runs};
    /// let (row, one) = (LayoutBuf::packed(Dtype::U8, &[9])?, LayoutBuf::packed::<usize>(Dtype::U8, &[])?);
    /// assert_eq!(runs::over([&row, &one.broadcast_to(&[9])?, &row.flip(&[0])?])?.strides(), [1, 0, -1]);
    /// # Ok::<(), stride::Error>(())
    /// ```
    pub fn strides(&self) -> [isize; N] {
        self.strides
    }
}

impl<const N: usize> Iterator for Over<N> {
    type Item = Run<N>;

    fn next(&mut self) -> Option<Run<N>> {
        let mut offsets = [0; N];
        let elements = self.runs.as_mut().next(|operand, offset| {
            if let Some(slot) = offsets.get_mut(operand) {
                *slot = offset as usize; // `over` checked the lowest and the highest one
            }
        });
        (elements > 0).then_some(Run { offsets, strides: self.strides, elements: elements as usize })
    }
}

impl<const N: usize> FusedIterator for Over<N> {}

/// One run: in operand k, element i of it lies at `offsets[k] + i · strides[k]`. As an iterator, the places of its
/// elements, one after the other.
///
/// ```
/// use stride::{Dtype, LayoutBuf, runs};
/// let row = LayoutBuf::packed(Dtype::U8, &[3])?;
/// let run = runs::over([&row, &row.flip(&[0])?])?.next().unwrap();
/// assert_eq!((run.offsets, run.strides, run.elements), ([0, 2], [1, -1], 3));
/// assert_eq!(run.collect::<Vec<_>>(), [[0, 2], [1, 1], [2, 0]]);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<const N: usize> {
    /// The place of the first element in each operand.
    pub offsets: [usize; N],
    /// The distance between elements in each operand.
    pub strides: [isize; N],
    /// The number of its elements.
    pub elements: usize,
}

impl<const N: usize> Iterator for Run<N> {
    type Item = [usize; N];

    #[inline]
    fn next(&mut self) -> Option<[usize; N]> {
        self.elements = self.elements.checked_sub(1)?;
        let here = self.offsets;
        for (offset, &stride) in self.offsets.iter_mut().zip(&self.strides) {
            *offset = offset.wrapping_add_signed(stride);
        }
        Some(here)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.elements, Some(self.elements))
    }
}

impl<const N: usize> ExactSizeIterator for Run<N> {}

impl<const N: usize> FusedIterator for Run<N> {}
