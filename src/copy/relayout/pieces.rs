//! The pieces of a relayout: boxes of the index space on which both sides are loops.
//!
//! *Runs* cut first (`stretches`): between their cuts are boxes on which the index of each side is a line.
//!
//! *Divisions* cut each of these boxes again. A box is a first index and *variables*: each moves one dimension's index
//! by a step, a number of times. At first every dimension is one variable. A side is evaluated with all indices as sums
//! of variables (`sums`). If a sum that a tile divides does not stay between two multiples of the tile's size, the box
//! is split:
//!
//! * by a *period*: the remainders of a variable's steps repeat after `m` iterations, so it becomes two variables, one
//!   that counts periods and one inside a period; the iterations after the last whole period are a box of their own;
//! * else by a *cut*, where the next multiple is reached first.
//!
//! A tile that divides its dimension costs one period and no further box; a shorter last tile costs one box more; tiles
//! of 8 against tiles of 3 become runs that end at either's boundary, repeated every 24 elements.
//!
//! Boxes are handed out one after the other. The stack holds the unfinished splits, each with a variable whose
//! iterations are done from left to right.

use super::Relayout;
use super::stretches::{Slab, Stretches};
use super::sums::{Affine, Lack, Variable, Variables, positions};
use crate::model::MAX_RANK;
use arrayvec::ArrayVec;

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

/// The boxes of a slab of the index space. `DEPTH`: splits that the stack holds, at least as many as there are
/// dimensions. If more are needed, a piece of the lowest split begins again in single iterations.
pub(crate) struct Pieces<'a, const DEPTH: usize = 64> {
    stretches: Stretches<'a>,
    /// The first index of the box, from the begin of its lines on.
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

/// A box: the variables, and the positions of both sides on it, in elements.
pub(crate) struct Piece<'a> {
    pub variables: &'a [Variable],
    pub dst: Affine,
    pub src: Affine,
    /// The elements get the fill value; the source means nothing.
    pub filled: bool,
    /// Variables and steps are those of the box before: only the first positions differ.
    pub repeats: bool,
    /// Its first index, as the sides are seen: that of these stretches, and so many indices further.
    stretches: &'a Stretches<'a>,
    first: &'a [i64; MAX_RANK],
}

impl Piece<'_> {
    /// The box's first index along a dimension, as the sides are seen.
    pub fn first(&self, dimension: usize) -> i64 {
        self.stretches.first(dimension) + self.first.get(dimension).copied().unwrap_or(0)
    }
}

impl<'a, const DEPTH: usize> Pieces<'a, DEPTH> {
    /// The boxes of a slab of the indices.
    pub fn new(relayout: &'a Relayout<'a>, slab: &Slab) -> Self {
        let mut pieces = Self {
            stretches: Stretches::new(relayout, slab),
            first: [0; MAX_RANK],
            variables: Variables::new(),
            splits: ArrayVec::new(),
            state: State::Fresh,
            repeats: false,
        };
        if !pieces.stretches.begin() {
            pieces.state = State::Done;
        }
        pieces.set_variables();
        pieces
    }

    /// Makes each dimension one variable again.
    fn set_variables(&mut self) {
        self.variables.clear();
        for (dimension, &size) in self.stretches.relayout.sizes.iter().enumerate() {
            let count = self.stretches.count(dimension, size);
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
            let (relayout, [to, from]) = (self.stretches.relayout, &self.stretches.lines);
            let filled = self.stretches.are_filled();
            let found = positions(relayout.dst, to, &self.first, &self.variables).and_then(|dst| {
                let src = match filled {
                    true => Affine::ZERO,
                    false => positions(relayout.src, from, &self.first, &self.variables)?,
                };
                Ok((dst, src))
            });
            match found {
                Ok((dst, src)) => {
                    self.state = State::Used;
                    let repeats = self.repeats && !filled;
                    let (variables, stretches, first) = (&self.variables, &self.stretches, &self.first);
                    return Some(Piece { variables, dst, src, filled, repeats, stretches, first });
                }
                Err(lack) => self.split(lack),
            }
        }
    }

    /// Whether there is no box after the one that was handed out.
    pub fn is_last(&self) -> bool {
        self.splits.iter().all(|split| split.done + split.now == split.count) && self.stretches.is_last()
    }

    /// Moves on to the next box between the cuts of runs.
    fn next_box(&mut self) -> bool {
        let Some(same) = self.stretches.next_box() else { return false };
        self.repeats = same;
        if !same {
            self.set_variables();
        }
        true
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

    /// Goes on after the iterations in work of the topmost split that has more, or with the next box between cuts.
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
    /// after it that were handed out come again, which does a copy no harm.
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
