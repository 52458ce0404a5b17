//! Index maps: the position of an index, by sums, divisions and remainders.
//!
//! A layout is a sum: position = base + Σ index · stride. Tiles, blocks and numbers of elements in row-major order
//! divide first. The *digits* of an element are at first its indices. A step divides a digit, which becomes the
//! quotient, while the remainder becomes a new digit; or it joins two digits into one. After all steps
//!
//! ```text
//! position = base + Σ digit · stride
//!
//! tiles (8,128) of {30, 1000}:  digit 2 = row mod 8, digit 0 = row / 8,
//!                               digit 3 = column mod 128, digit 1 = column / 128, strides {8·1024, 1024, 128, 1}
//! ```
//!
//! Vocabularies make maps, the copy engine takes them ([`relayout`](crate::copy::relayout)) and knows no vocabulary.

use super::{Layout, MAX_RANK, fixed};
use arrayvec::ArrayVec;

/// The most steps: those of 64 sizes of tiles, some of which take two, and of the digits of a number.
pub(crate) const MAX_STEPS: usize = 3 * MAX_RANK;
/// The most digits: 64 indices, and one more for a step.
pub(crate) const MAX_DIGITS: usize = MAX_RANK + MAX_STEPS - 1;
const _: () = assert!(MAX_DIGITS <= u8::MAX as usize);

/// One step. All numbers are above 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The digit becomes its quotient; the remainder is the next digit.
    Divide { digit: u8, by: i64 },
    /// `minor += major · by`; the major digit is 0 from then on.
    Join { major: u8, minor: u8, by: i64 },
}

/// An index map. See the [module documentation](self).
#[derive(Clone, Debug)]
pub(crate) struct IndexMap {
    /// Each index is below it.
    pub sizes: ArrayVec<i64, MAX_RANK>,
    pub steps: ArrayVec<Step, MAX_STEPS>,
    /// One for each digit, in elements.
    pub strides: ArrayVec<i64, MAX_DIGITS>,
    /// Of index (0, …, 0).
    pub base: i64,
    /// The positions that belong to the object, padding included; 0 and −1: none.
    pub lowest: i64,
    pub highest: i64,
}

impl IndexMap {
    /// No index, no position.
    pub const NOTHING: Self = Self {
        sizes: ArrayVec::new_const(),
        steps: ArrayVec::new_const(),
        strides: ArrayVec::new_const(),
        base: 0,
        lowest: 0,
        highest: -1,
    };

    /// Becomes the map of indices below these sizes, all strides 0, in a buffer of so many positions.
    pub fn begin(&mut self, sizes: &[i64], positions: i64) {
        self.steps.clear();
        self.sizes.clear();
        self.strides.clear();
        for &size in sizes {
            let _ = (self.sizes.try_push(size), self.strides.try_push(0)); // 64 at most
        }
        (self.base, self.lowest, self.highest) = (0, 0, positions - 1);
    }

    /// Becomes the map of a layout.
    pub fn set_layout(&mut self, layout: &Layout<'_>) {
        self.begin(layout.sizes(), 0);
        self.strides.iter_mut().zip(layout.strides()).for_each(|(slot, &stride)| *slot = stride);
        self.base = layout.offset();
        (self.lowest, self.highest) = layout.span();
    }

    /// Divides a digit by `by`; returns the number of the remainder.
    pub fn divide(&mut self, digit: u8, by: i64) -> u8 {
        let remainder = self.strides.len() as u8;
        let _ = (self.steps.try_push(Step::Divide { digit, by }), self.strides.try_push(0)); // there is room
        remainder
    }

    /// Adds `by` times a digit to another one.
    pub fn join(&mut self, major: u8, minor: u8, by: i64) {
        let _ = self.steps.try_push(Step::Join { major, minor, by });
    }

    /// Sets the stride of a digit.
    pub fn set_stride(&mut self, digit: u8, stride: i64) {
        fixed::set(&mut self.strides, digit as usize, stride);
    }

    /// Whether it is a sum alone.
    pub fn is_sum(&self) -> bool {
        self.steps.is_empty()
    }

    /// Sizes and strides of the dimensions of a sum.
    pub fn dimensions(&self) -> impl DoubleEndedIterator<Item = (i64, i64)> + Clone {
        self.sizes.iter().copied().zip(self.strides.iter().copied())
    }

    /// Becomes the map of the numbers of its `count` elements in row-major order, of which there are some: of one
    /// dimension, which is divided into those there were. Dimensions of a sum that are one are not divided.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn number(&mut self, count: i64) {
        let mut sizes = core::mem::take(&mut self.sizes);
        let mut strides = core::mem::take(&mut self.strides);
        let steps = core::mem::take(&mut self.steps);
        if steps.is_empty() {
            coalesce(&mut sizes, &mut strides);
        }
        let _ = self.sizes.try_push(count);
        let _ = self.strides.try_push(0);
        // The digit that each of the old ones has become: the outermost dimension is what is left of the number.
        let mut places = [0u8; MAX_DIGITS];
        for (dimension, &size) in sizes.iter().enumerate().skip(1).rev() {
            fixed::set(&mut places, dimension, self.divide(0, size.max(1)));
        }
        let mut next = sizes.len();
        let place = |places: &[u8; MAX_DIGITS], digit: u8| places.get(digit as usize).copied().unwrap_or(0);
        for step in steps {
            match step {
                Step::Divide { digit, by } => {
                    let remainder = self.divide(place(&places, digit), by);
                    fixed::set(&mut places, next, remainder);
                    next += 1;
                }
                Step::Join { major, minor, by } => self.join(place(&places, major), place(&places, minor), by),
            }
        }
        for (&place, &stride) in places.iter().zip(&strides) {
            self.set_stride(place, stride);
        }
    }

    /// The lowest and the highest position that any indices below the sizes can have; `None` if a number leaves 64
    /// bits, or if no element is there. Every digit is between 0 and what it can be at most.
    #[inline(never)] // keeps its frame off the caller's stack
    pub fn bounds(&self) -> Option<(i64, i64)> {
        let mut most = ArrayVec::<i64, MAX_DIGITS>::new();
        for &size in &self.sizes {
            most.try_push(size.checked_sub(1).filter(|&last| last >= 0)?).ok()?;
        }
        for &step in &self.steps {
            match step {
                Step::Divide { digit, by } => {
                    let all = most.get_mut(digit as usize).filter(|_| by > 0)?;
                    let remainder = (*all).min(by - 1);
                    *all /= by;
                    most.try_push(remainder).ok()?;
                }
                Step::Join { major, minor, by } => {
                    let more = most.get_mut(major as usize).filter(|_| by > 0 && major != minor)?;
                    let more = core::mem::take(more).checked_mul(by)?;
                    let all = most.get_mut(minor as usize)?;
                    *all = all.checked_add(more)?;
                }
            }
        }
        if most.len() != self.strides.len() {
            return None;
        }
        let (mut lowest, mut highest) = (self.base, self.base);
        for (&most, &stride) in most.iter().zip(&self.strides) {
            // The stride of a digit that is always 0 means nothing.
            let reach = if most == 0 { 0 } else { most.checked_mul(stride)? };
            lowest = lowest.checked_add(reach.min(0))?;
            highest = highest.checked_add(reach.max(0))?;
        }
        Some((lowest, highest))
    }

    /// Indices along a dimension that its first divisions keep together, and the stride of what they leave.
    pub fn slowest(&self, dimension: usize) -> (i64, i64) {
        let mut granule = 1i64;
        for step in &self.steps {
            match *step {
                Step::Divide { digit, by } if digit as usize == dimension => granule = granule.saturating_mul(by),
                Step::Join { major, minor, .. } if [major, minor].contains(&(dimension as u8)) => return (1, 0),
                _ => {}
            }
        }
        (granule, self.strides.get(dimension).copied().unwrap_or(0))
    }
}

/// Leaves out dimensions of size 1 and joins neighbours that are one.
fn coalesce(sizes: &mut ArrayVec<i64, MAX_RANK>, strides: &mut ArrayVec<i64, MAX_DIGITS>) {
    let mut rank = 0usize;
    for k in 0..sizes.len() {
        let (Some(&size), Some(&stride)) = (sizes.get(k), strides.get(k)) else { break };
        if size == 1 {
            continue;
        }
        let outer = rank.checked_sub(1);
        let outer = outer.and_then(|outer| Some((sizes.get_mut(outer)?, strides.get_mut(outer)?)));
        if let Some((outer_size, outer_stride)) = outer
            && size.checked_mul(stride) == Some(*outer_stride)
        {
            (*outer_size, *outer_stride) = (outer_size.wrapping_mul(size), stride); // I3
            continue;
        }
        if let (Some(to_size), Some(to_stride)) = (sizes.get_mut(rank), strides.get_mut(rank)) {
            (*to_size, *to_stride) = (size, stride);
            rank += 1;
        }
    }
    sizes.truncate(rank);
    strides.truncate(rank);
}
