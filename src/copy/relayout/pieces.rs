//! The pieces of a relayout: boxes of the index space on which both sides are loops.
//!
//! *Runs* come first. Along a dimension in which a side has runs of indices (`along`), its indices are cut where a run
//! of either side ends. What is left between the cuts are boxes on which the index of each side is a line: a first
//! index and a step for each dimension. They are walked like an odometer, the last dimension fastest.
//!
//! *Divisions* cut each of these boxes again. A box is a first index and *variables*: each moves one dimension's index
//! by a step, a number of times. At first every dimension is one variable. A side is evaluated with all indices as sums
//! of variables (`sums`). If a sum that a tile divides does not stay between two multiples of the tile's size, the box
//! is split:
//!
//! * by a *period*: the remainders of a variable's steps repeat after `m` iterations, so it becomes two variables, one
//!   that counts periods and one inside a period; the iterations behind the last whole period are a box of their own;
//! * else by a *cut*, where the next multiple is reached first.
//!
//! A tile that divides its dimension costs one period and no further box; a shorter last tile costs one box more; tiles
//! of 8 against tiles of 3 become runs that end at either's boundary, repeated every 24 elements.
//!
//! Boxes are handed out one after the other. The stack holds the unfinished splits, each with a variable whose
//! iterations are done from left to right.

use super::along::{Cursor, IndexRun};
use super::sums::{Affine, Lack, Line, Variable, Variables, positions};
use super::{MAX_ALONG, Relayout};
use crate::model::MAX_RANK;
use arrayvec::ArrayVec;
use core::ops::Range;

/// A variable that was split: its iterations are done from left to right.
#[derive(Clone, Copy, Debug)]
struct Split {
    variable: usize,
    /// Whether the last variable counts periods of this one.
    periods: bool,
    /// All its iterations, those that are done, and those in work.
    count: i64,
    done: i64,
    now: i64,
}

/// A dimension along which a side has runs of indices, and where the walk stands in it.
#[derive(Clone, Copy)]
struct Stretch {
    dimension: usize,
    /// All indices of the slab, and those in work.
    all: (i64, i64),
    first: i64,
    count: i64,
    /// Where each side stands in its runs.
    cursors: [Cursor; 2],
    /// Source elements are the fill value.
    filled: bool,
}

/// The boxes of a part of the index space. `DEPTH`: splits that the stack holds, at least as many as there are
/// dimensions. If more are needed, a piece of the lowest split begins again in single iterations.
pub(crate) struct Pieces<'a, const DEPTH: usize = 64> {
    relayout: &'a Relayout<'a>,
    slab: Slab,
    stretches: ArrayVec<Stretch, { 2 * MAX_ALONG }>,
    lines: [Line; 2],
    /// Of the box, from where its lines begin.
    first: [i64; MAX_RANK],
    variables: Variables,
    splits: ArrayVec<Split, DEPTH>,
    state: State,
    repeats: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The box was not evaluated yet.
    Fresh,
    /// The box was handed out.
    Used,
    Done,
}

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

/// A box: the variables, and where both sides lie, in elements.
pub(crate) struct Piece<'a> {
    pub variables: &'a [Variable],
    pub dst: Affine,
    pub src: Affine,
    /// The elements get the fill value; the source means nothing.
    pub filled: bool,
    /// Variables and steps are those of the box before: only the first positions differ.
    pub repeats: bool,
    seen: Seen<'a>,
}

/// Where a box begins, as the sides are seen.
struct Seen<'a> {
    first: &'a [i64; MAX_RANK],
    stretches: &'a [Stretch],
    slab: &'a Slab,
}

impl Piece<'_> {
    /// The box's first index along a dimension, as the sides are seen.
    pub fn first(&self, dimension: usize) -> i64 {
        let Seen { first, stretches, slab } = self.seen;
        let stretch = stretches.iter().find(|stretch| stretch.dimension == dimension);
        let begin = stretch.map_or(slab.of(dimension, 0).0, |stretch| stretch.first);
        begin + first.get(dimension).copied().unwrap_or(0)
    }
}

impl<'a, const DEPTH: usize> Pieces<'a, DEPTH> {
    /// The boxes of a slab of the indices.
    pub fn new(relayout: &'a Relayout<'a>, slab: &Slab) -> Self {
        let mut pieces = Self {
            relayout,
            slab: slab.clone(),
            stretches: ArrayVec::new(),
            lines: [Line::ALL; 2],
            first: [0; MAX_RANK],
            variables: Variables::new(),
            splits: ArrayVec::new(),
            state: State::Fresh,
            repeats: false,
        };
        for (dimension, &size) in relayout.sizes.iter().enumerate() {
            let (begin, end) = slab.of(dimension, size);
            if begin >= end {
                pieces.state = State::Done;
            }
            for line in &mut pieces.lines {
                line.set(dimension, begin, 1);
            }
            if relayout.sides().iter().any(|side| side.along(dimension).is_some()) {
                let all = (begin, end);
                let stretch =
                    Stretch { dimension, all, first: begin, count: 0, cursors: [Cursor::default(); 2], filled: false };
                let _ = pieces.stretches.try_push(stretch); // as many as both sides have
            }
        }
        let begun = (0..pieces.stretches.len()).all(|number| pieces.begin_stretch(number));
        if !begun {
            pieces.state = State::Done;
        }
        pieces.set_variables();
        pieces
    }

    /// Makes each dimension one variable again.
    fn set_variables(&mut self) {
        self.variables.clear();
        for (dimension, &size) in self.relayout.sizes.iter().enumerate() {
            let (begin, end) = self.slab.of(dimension, size);
            let stretch = self.stretches.iter().find(|stretch| stretch.dimension == dimension);
            let count = stretch.map_or(end - begin, |stretch| stretch.count);
            if count > 1 {
                let _ = self.variables.try_push(Variable { dimension, step: 1, count }); // their product is below 2^63
            }
        }
    }

    /// The next box.
    pub fn next(&mut self) -> Option<Piece<'_>> {
        if self.state == State::Used {
            self.advance();
        }
        loop {
            if self.state == State::Done {
                return None;
            }
            let [to, from] = &self.lines;
            let filled = self.stretches.iter().any(|stretch| stretch.filled);
            let found = positions(self.relayout.dst, to, &self.first, &self.variables).and_then(|dst| {
                let src = match filled {
                    true => Affine::ZERO,
                    false => positions(self.relayout.src, from, &self.first, &self.variables)?,
                };
                Ok((dst, src))
            });
            match found {
                Ok((dst, src)) => {
                    self.state = State::Used;
                    let repeats = self.repeats && !filled;
                    let seen = Seen { first: &self.first, stretches: &self.stretches, slab: &self.slab };
                    return Some(Piece { variables: &self.variables, dst, src, filled, repeats, seen });
                }
                Err(lack) => self.split(lack),
            }
        }
    }

    /// Whether there is no box behind the one that was handed out.
    pub fn is_last(&self) -> bool {
        self.splits.iter().all(|split| split.done + split.now == split.count)
            && self.stretches.iter().all(|stretch| stretch.first + stretch.count >= stretch.all.1)
    }

    /// Moves a dimension back to its first indices.
    fn begin_stretch(&mut self, number: usize) -> bool {
        let sides = self.relayout.sides();
        let Some(stretch) = self.stretches.get_mut(number) else { return false };
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
    /// changed and say no more what was proved.
    fn next_stretch(&mut self, number: usize) -> bool {
        let sides = self.relayout.sides();
        let Some(stretch) = self.stretches.get_mut(number) else { return false };
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

    /// Moves on to the next box between the cuts of runs.
    fn next_box(&mut self) -> bool {
        let shape = |pieces: &Self, number: usize| {
            let stretch = pieces.stretches.get(number)?;
            let steps = pieces.lines.each_ref().map(|line| line.steps.get(stretch.dimension).copied());
            Some((stretch.count, stretch.filled, steps))
        };
        let mut same = self.relayout.sides().iter().all(|side| side.map.is_sum());
        for number in (0..self.stretches.len()).rev() {
            let before = shape(self, number);
            let moved = self.next_stretch(number);
            if !moved && !self.begin_stretch(number) {
                return false;
            }
            same &= shape(self, number) == before;
            if moved {
                self.repeats = same; // without divisions, nothing was split
                if !same {
                    self.set_variables();
                }
                return true;
            }
        }
        false
    }

    fn split(&mut self, lack: Lack) {
        let (Lack::Period(variable, _) | Lack::Cut(variable, _)) = lack;
        let Some(&Variable { count, .. }) = self.variables.get(variable) else { return self.give_up() };
        let goes_on = self.splits.last().is_some_and(|top| top.variable == variable && !top.periods);
        if !goes_on && self.splits.try_push(Split { variable, periods: false, count, done: 0, now: count }).is_err() {
            return self.begin_again();
        }
        match lack {
            Lack::Cut(_, iterations) => self.shorten(iterations, None),
            Lack::Period(_, iterations) => self.shorten(iterations, Some(count / iterations.max(1))),
        }
    }

    /// Gives the topmost split's variable `iterations` iterations, and counts its periods by another variable.
    fn shorten(&mut self, iterations: i64, periods: Option<i64>) {
        let Some(split) = self.splits.last_mut() else { return };
        let Some(inside) = self.variables.get_mut(split.variable) else { return };
        inside.count = iterations;
        (split.now, split.periods) = (iterations * periods.unwrap_or(1), periods.is_some());
        if let Some(count) = periods {
            let outside = Variable { step: inside.step * iterations, count, ..*inside };
            let _ = self.variables.try_push(outside); // all iterations together stay below 2^63
        }
    }

    /// Goes on behind the iterations in work of the topmost split that has more, or with the next box between cuts.
    fn advance(&mut self) {
        self.repeats = false;
        while let Some(split) = self.splits.last().copied() {
            let (done, left) = (split.done + split.now, split.count - split.done - split.now);
            if left > 0 {
                self.end_piece(&split, split.now, left);
                if let Some(top) = self.splits.last_mut() {
                    *top = Split { periods: false, done, now: left, ..split };
                }
                self.state = State::Fresh;
                return;
            }
            self.end_piece(&split, -split.done, split.count);
            let _ = self.splits.pop();
        }
        self.state = if self.next_box() { State::Fresh } else { State::Done };
    }

    /// Drops the variable that counts periods; the one that was split goes on so many iterations further, with `count`.
    fn end_piece(&mut self, split: &Split, further: i64, count: i64) {
        if split.periods {
            let _ = self.variables.pop();
        }
        let Some(v) = self.variables.get_mut(split.variable) else { return };
        v.count = count;
        if let Some(first) = self.first.get_mut(v.dimension) {
            *first += further * v.step;
        }
    }

    /// For a full stack: the lowest piece of several iterations begins again with its first iteration alone. Boxes
    /// behind it that were handed out come again, which does a copy no harm.
    fn begin_again(&mut self) {
        let Some(lowest) = self.splits.iter().position(|split| split.now > 1) else { return self.give_up() };
        while self.splits.len() > lowest + 1
            && let Some(split) = self.splits.pop()
        {
            self.end_piece(&split, -split.done, split.count);
        }
        if let Some(split) = self.splits.last().copied() {
            self.end_piece(&split, 0, 1);
        }
        self.shorten(1, None);
    }

    /// Cannot happen: a variable that does not exist, or a full stack of single iterations, where no dimension is left
    /// to be split.
    fn give_up(&mut self) {
        debug_assert!(false, "no split is possible");
        self.state = State::Done;
    }
}

#[cfg(test)]
#[path = "../../../tests/oracle/tiles.rs"]
mod oracle;

#[cfg(test)]
mod tests {
    use super::super::{Mapped, Unit};
    use super::*;
    use crate::model::Dtype;
    use crate::vocabulary::xla::tiles::MERGE;
    use crate::vocabulary::xla::{PaddingKind, Shape, Tiles};
    use std::vec;
    use std::vec::Vec;

    fn position(shape: &Shape, index: &[i64]) -> i64 {
        let tiles: Vec<Vec<i64>> = shape.tiles().iter().map(|tile| tile.to_vec()).collect();
        oracle::position(shape.padded_sizes(), shape.minor_to_major(), &tiles, index).0
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: u64) -> i64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % limit) as i64
        }
    }

    fn random_shape(random: &mut Random, sizes: &[i64]) -> Shape {
        let mut order: Vec<i64> = (0..sizes.len() as i64).collect();
        for k in (1..order.len()).rev() {
            order.swap(k, random.below(k as u64 + 1) as usize);
        }
        let more = |n: &i64| n + if random.below(4) == 0 { random.below(3) } else { 0 };
        let padded: Vec<i64> = sizes.iter().map(more).collect();
        let mut tiles = Tiles::NONE;
        for _ in 0..random.below(4) {
            let tile = (0..1 + random.below(4)).map(|_| if random.below(6) == 0 { MERGE } else { 1 + random.below(6) });
            let _ = tiles.push(&tile.collect::<Vec<_>>()); // some end in MERGE
        }
        let shape = Shape::new(Dtype::U8, sizes, Some(&order)).unwrap();
        shape.with_padding(&padded, PaddingKind::None).unwrap().with_tiles(tiles).unwrap()
    }

    fn mapped(shape: &Shape) -> Mapped<'static> {
        let mut mapped = Mapped::NOTHING;
        shape.set_index_map(&mut mapped.map).unwrap();
        mapped
    }

    /// The number of shapes, and their largest size; under Miri a few small ones.
    const SHAPES: usize = if cfg!(miri) { 6 } else { 4000 };
    const LARGEST: u64 = if cfg!(miri) { 5 } else { 14 };

    /// Every index in one piece, with its positions; how many pieces.
    fn check<const DEPTH: usize>(random: &mut Random) -> (usize, usize) {
        let sizes: Vec<i64> = (0..random.below(4)).map(|_| 1 + random.below(LARGEST)).collect();
        let (dst, src) = (random_shape(random, &sizes), random_shape(random, &sizes));
        let (to, from) = (mapped(&dst), mapped(&src));
        let relayout = Relayout {
            unit: Unit::Bytes,
            width: 1,
            to: (Unit::Bytes, 1),
            part: 0,
            sizes: &sizes,
            dst: &to,
            src: &from,
        };
        let all: i64 = sizes.iter().product();
        let mut found = vec![0; all as usize];
        let mut pieces = Pieces::<DEPTH>::new(&relayout, &Slab::ALL);
        let (mut count, mut last) = (0, false);
        while let Some(Piece { dst: to, src: from, filled: false, .. }) = pieces.next() {
            assert!(!last);
            (count, last) = (count + 1, pieces.is_last());
            let first = pieces.first;
            let iterations: i64 = pieces.variables.iter().map(|v| v.count).product();
            for k in 0..iterations {
                let (mut rest, mut index) = (k, first);
                let (mut dst_position, mut src_position) = (to.base, from.base);
                for (k, v) in pieces.variables.iter().enumerate() {
                    index[v.dimension] += rest % v.count * v.step;
                    dst_position += rest % v.count * to.steps[k];
                    src_position += rest % v.count * from.steps[k];
                    rest /= v.count;
                }
                let index = &index[..sizes.len()];
                assert_eq!(dst_position, position(&dst, index), "{dst:?}");
                assert_eq!(src_position, position(&src, index), "{src:?}");
                let number = index.iter().zip(&sizes).fold(0, |number, (i, n)| number * n + i);
                found[number as usize] += 1;
            }
        }
        assert!(last && found.iter().all(|&times| times == 1 || (DEPTH < 64 && times > 1)), "{sizes:?} {found:?}");
        (count, all as usize)
    }

    #[test]
    fn each_index_is_in_one_piece() {
        let mut random = Random(1);
        let (mut pieces, mut elements) = (0, 0);
        for _ in 0..SHAPES {
            let (count, all) = check::<64>(&mut random);
            pieces += count;
            elements += all;
        }
        assert!(cfg!(miri) || pieces * 2 < elements, "{pieces} pieces of {elements} elements");
    }

    #[test]
    fn a_full_stack_repeats_pieces_but_leaves_none_out() {
        let mut random = Random(2);
        for _ in 0..SHAPES / 2 {
            check::<3>(&mut random); // as many as there are dimensions
        }
    }
}
