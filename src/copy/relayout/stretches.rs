//! The boxes of a relayout between the cuts of runs.
//!
//! Along a dimension in which a side has runs of indices (`along`), its indices are cut where a run of either side
//! ends. On a box between the cuts the index of each side is a line: a first index and a step for each dimension. The
//! boxes are walked like an odometer, the last dimension fastest.

use super::along::{Cursor, IndexRun};
use super::sums::Line;
use super::{MAX_ALONG, Relayout};
use crate::model::MAX_RANK;
use arrayvec::ArrayVec;
use core::ops::Range;

/// Indices that take some values along one dimension, and all values along the others.
#[derive(Clone, Debug)]
pub(crate) struct Slab {
    pub dimension: usize,
    pub iterations: Range<i64>,
}

impl Slab {
    /// All indices: no dimension has this number.
    pub const ALL: Self = Self { dimension: MAX_RANK, iterations: 0..0 };

    /// Those of a dimension of this size.
    pub fn of(&self, dimension: usize, size: i64) -> (i64, i64) {
        if dimension == self.dimension { (self.iterations.start, self.iterations.end) } else { (0, size) }
    }
}

/// A dimension along which a side has runs of indices, and the indices of it in work.
#[derive(Clone, Copy)]
struct Stretch {
    dimension: usize,
    /// All indices of the slab.
    all: (i64, i64),
    /// Those in work.
    first: i64,
    count: i64,
    /// The place of each side in its runs.
    cursors: [Cursor; 2],
    /// Source elements are the fill value.
    filled: bool,
}

/// The box in work: the indices along each dimension that has runs, and the lines of both sides.
pub(super) struct Stretches<'a> {
    pub relayout: &'a Relayout<'a>,
    slab: Slab,
    list: ArrayVec<Stretch, { 2 * MAX_ALONG }>,
    pub lines: [Line; 2],
}

impl<'a> Stretches<'a> {
    /// Before [`Stretches::begin`]. (In two steps, since the struct is large and is built where it stays.)
    #[inline(always)]
    pub fn new(relayout: &'a Relayout<'a>, slab: &Slab) -> Self {
        Self { relayout, slab: slab.clone(), list: ArrayVec::new(), lines: [Line::ALL; 2] }
    }

    /// Sets the first box; `false` if the slab has no index.
    #[inline(always)] // one caller
    pub fn begin(&mut self) -> bool {
        let mut some = true;
        for (dimension, &size) in self.relayout.sizes.iter().enumerate() {
            let (begin, end) = self.slab.of(dimension, size);
            some &= begin < end;
            for line in &mut self.lines {
                line.set(dimension, begin, 1);
            }
            if self.relayout.sides().iter().any(|side| side.along(dimension).is_some()) {
                let (all, cursors) = ((begin, end), [Cursor::default(); 2]);
                let stretch = Stretch { dimension, all, first: begin, count: 0, cursors, filled: false };
                let _ = self.list.try_push(stretch); // as many as both sides have
            }
        }
        let begun = (0..self.list.len()).all(|number| self.begin_stretch(number));
        some && begun
    }

    fn find(&self, dimension: usize) -> Option<&Stretch> {
        self.list.iter().find(|stretch| stretch.dimension == dimension)
    }

    /// The first index of the box along a dimension, as the sides are seen.
    pub fn first(&self, dimension: usize) -> i64 {
        self.find(dimension).map_or(self.slab.of(dimension, 0).0, |stretch| stretch.first)
    }

    /// The indices of the box along a dimension of this size.
    pub fn count(&self, dimension: usize, size: i64) -> i64 {
        let (begin, end) = self.slab.of(dimension, size);
        self.find(dimension).map_or(end - begin, |stretch| stretch.count)
    }

    /// Whether the source's elements of the box are the fill value.
    pub fn are_filled(&self) -> bool {
        self.list.iter().any(|stretch| stretch.filled)
    }

    /// Whether there is no box after this one.
    pub fn is_last(&self) -> bool {
        self.list.iter().all(|stretch| stretch.first + stretch.count >= stretch.all.1)
    }

    /// Moves a dimension back to its first indices.
    fn begin_stretch(&mut self, number: usize) -> bool {
        let sides = self.relayout.sides();
        let Some(stretch) = self.list.get_mut(number) else { return false };
        (stretch.first, stretch.count) = (stretch.all.0, 0);
        for (cursor, side) in stretch.cursors.iter_mut().zip(sides) {
            *cursor = Cursor::default();
            if let Some(along) = side.along(stretch.dimension) {
                cursor.skip(&along.runs, stretch.all.0);
            }
        }
        self.next_stretch(number)
    }

    /// Moves a dimension on to the next indices that are a line on both sides; `false` past its end, and if runs were
    /// changed and no longer say what was proved.
    fn next_stretch(&mut self, number: usize) -> bool {
        let sides = self.relayout.sides();
        let Some(stretch) = self.list.get_mut(number) else { return false };
        let (dimension, done) = (stretch.dimension, stretch.count);
        (stretch.first, stretch.count) = (stretch.first + done, 0);
        let mut count = stretch.all.1 - stretch.first;
        let mut found = [None; 2];
        for ((found, cursor), side) in found.iter_mut().zip(&mut stretch.cursors).zip(sides) {
            let Some(along) = side.along(dimension) else { continue };
            cursor.skip(&along.runs, done);
            let size = side.map.sizes.get(dimension).copied().unwrap_or(0);
            let Some(line) = cursor.line(&along.runs, size, count) else { return false };
            (count, *found) = (line.count, Some(line));
        }
        let [to, from] = found;
        if count <= 0 || to.is_some_and(IndexRun::fills) {
            return false;
        }
        stretch.count = count;
        stretch.filled = from.is_some_and(IndexRun::fills);
        for (line, found) in self.lines.iter_mut().zip(found) {
            let (first, step) = found.map_or((stretch.first, 1), |line| (line.first, line.step));
            line.set(dimension, first, if count == 1 { 1 } else { step });
        }
        true
    }

    /// Moves on to the next box. Returns whether only its first positions differ from those of the box before, which
    /// was not split; `None` past the last.
    pub fn next_box(&mut self) -> Option<bool> {
        let shape = |stretches: &Self, number: usize| {
            let stretch = stretches.list.get(number)?;
            let steps = stretches.lines.each_ref().map(|line| line.steps.get(stretch.dimension).copied());
            Some((stretch.count, stretch.filled, steps))
        };
        let mut same = self.relayout.sides().iter().all(|side| side.map.is_sum());
        for number in (0..self.list.len()).rev() {
            let before = shape(self, number);
            let moved = self.next_stretch(number);
            if !moved && !self.begin_stretch(number) {
                return None;
            }
            same &= shape(self, number) == before;
            if moved {
                return Some(same);
            }
        }
        None
    }
}
