//! The pieces of a relayout: boxes of the index space on which both sides are loops.
//!
//! A box is a first index and *variables*: each moves one dimension's index by a step, a number of times. At first
//! every dimension is one variable. A side is evaluated with all indices as sums of variables (`sums`). If a sum that a
//! tile divides does not stay between two multiples of the tile's size, the box is split:
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

use super::sums::{Affine, Lack, MAX_VARIABLES, Sums, Variable, Variables};
use super::{Relayout, Side};
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

/// The boxes of a part of the index space. `DEPTH`: splits that the stack holds, at least as many as there are
/// dimensions. If more are needed, a piece of the lowest split begins again in single iterations.
pub(crate) struct Pieces<'a, const DEPTH: usize = 64> {
    relayout: &'a Relayout<'a>,
    first: [i64; MAX_RANK],
    variables: Variables,
    splits: ArrayVec<Split, DEPTH>,
    state: State,
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
pub(crate) struct Share {
    pub dimension: usize,
    pub turns: Range<i64>,
}

impl Share {
    /// All indices: no dimension has this number.
    pub const ALL: Self = Self { dimension: MAX_RANK, turns: 0..0 };
}

/// A box: the variables, and where both sides lie, in elements.
pub(crate) struct Piece<'a> {
    pub first: &'a [i64; MAX_RANK],
    pub variables: &'a [Variable],
    pub dst: Affine,
    pub src: Affine,
}

impl<'a, const DEPTH: usize> Pieces<'a, DEPTH> {
    /// The boxes of a share of the indices.
    pub fn new(relayout: &'a Relayout<'a>, share: &Share) -> Self {
        let mut variables = Variables::new();
        let mut first = [0; MAX_RANK];
        let mut state = State::Fresh;
        for (dimension, (&size, first)) in relayout.sizes.iter().zip(&mut first).enumerate() {
            let turns = if dimension == share.dimension { share.turns.clone() } else { 0..size };
            let count = turns.end - turns.start;
            *first = turns.start;
            match count {
                0 => state = State::Done,
                1 => {}
                _ => _ = variables.try_push(Variable { dimension, step: 1, count }),
            }
        }
        Self { relayout, first, variables, splits: ArrayVec::new(), state }
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
            let side = |side: &Side<'_>| match side {
                Side::Strided { base, strides } => Ok(strided(*base, strides, &self.first, &self.variables)),
                Side::Tiled(shape) => Sums::position(shape, &self.first, &self.variables),
                Side::Stream(stream) => Sums::stream(stream, &self.first, &self.variables),
                Side::Taken(taken) => taken.position(&self.first, &self.variables),
                Side::Blocked(blocked) => Sums::digits(blocked, &self.first, &self.variables),
            };
            let found = side(&self.relayout.dst).and_then(|dst| Ok((dst, side(&self.relayout.src)?)));
            match found {
                Ok((dst, src)) => {
                    self.state = State::Used;
                    return Some(Piece { first: &self.first, variables: &self.variables, dst, src });
                }
                Err(lack) => self.split(lack),
            }
        }
    }

    /// Whether there is no box behind the one that was handed out.
    pub fn is_last(&self) -> bool {
        self.splits.iter().all(|split| split.done + split.now == split.count)
    }

    fn split(&mut self, lack: Lack) {
        let (Lack::Period(variable, _) | Lack::Cut(variable, _)) = lack;
        let Some(&Variable { count, .. }) = self.variables.get(variable) else { return self.give_up() };
        let goes_on = self.splits.last().is_some_and(|top| top.variable == variable && !top.periods);
        if !goes_on && self.splits.try_push(Split { variable, periods: false, count, done: 0, now: count }).is_err() {
            return self.begin_again();
        }
        match lack {
            Lack::Cut(_, turns) => self.shorten(turns, turns, None),
            Lack::Period(_, turns) => self.shorten(turns, count / turns.max(1) * turns, Some(count / turns.max(1))),
        }
    }

    /// Gives the topmost split's variable `turns` iterations, for `now` of the split, and counts its periods by another
    /// variable.
    fn shorten(&mut self, turns: i64, now: i64, periods: Option<i64>) {
        let Some(split) = self.splits.last_mut() else { return };
        let Some(inside) = self.variables.get_mut(split.variable) else { return };
        inside.count = turns;
        (split.now, split.periods) = (now, periods.is_some());
        if let Some(count) = periods {
            let outside = Variable { step: inside.step * turns, count, ..*inside };
            let _ = self.variables.try_push(outside); // all iterations together stay below 2^63
        }
    }

    /// Goes on behind the iterations in work of the topmost split that has more.
    fn advance(&mut self) {
        while let Some(split) = self.splits.last().copied() {
            self.end_piece(&split);
            let (done, left) = (split.done + split.now, split.count - split.done - split.now);
            let Some(v) = self.variables.get_mut(split.variable) else { break };
            let Some(first) = self.first.get_mut(v.dimension) else { break };
            if left > 0 {
                *first += split.now * v.step;
                v.count = left;
                if let Some(top) = self.splits.last_mut() {
                    *top = Split { periods: false, done, now: left, ..split };
                }
                self.state = State::Fresh;
                return;
            }
            *first -= split.done * v.step;
            v.count = split.count;
            let _ = self.splits.pop();
        }
        self.state = State::Done;
    }

    /// Drops the variable that counts periods.
    fn end_piece(&mut self, split: &Split) {
        if split.periods {
            let _ = self.variables.pop();
        }
    }

    /// For a full stack: the lowest piece of several iterations begins again with its first iteration alone. Boxes
    /// behind it that were handed out come again, which does a copy no harm.
    fn begin_again(&mut self) {
        let Some(lowest) = self.splits.iter().position(|split| split.now > 1) else { return self.give_up() };
        while self.splits.len() > lowest + 1
            && let Some(split) = self.splits.pop()
        {
            self.end_piece(&split);
            let Some(v) = self.variables.get_mut(split.variable) else { break };
            let Some(first) = self.first.get_mut(v.dimension) else { break };
            *first -= split.done * v.step;
            v.count = split.count;
        }
        if let Some(split) = self.splits.last().copied() {
            self.end_piece(&split);
        }
        self.shorten(1, 1, None);
    }

    /// Cannot happen: a variable that does not exist, or a full stack of single iterations, where no dimension is left
    /// to be split.
    fn give_up(&mut self) {
        debug_assert!(false, "no split is possible");
        self.state = State::Done;
    }
}

/// Positions of a strided side.
fn strided(base: i64, strides: &[i64], first: &[i64; MAX_RANK], variables: &Variables) -> Affine {
    let mut found = Affine { base, steps: [0; MAX_VARIABLES] };
    for (&index, &stride) in first.iter().zip(strides) {
        found.base = found.base.wrapping_add(index.wrapping_mul(stride)); // any stride fits a single element
    }
    for (step, v) in found.steps.iter_mut().zip(variables) {
        *step = strides.get(v.dimension).map_or(0, |stride| stride.wrapping_mul(v.step));
    }
    found
}

#[cfg(test)]
#[path = "../../../tests/oracle/tiles.rs"]
mod oracle;

#[cfg(test)]
mod tests {
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

    /// The number of shapes, and their largest size; under Miri a few small ones.
    const SHAPES: usize = if cfg!(miri) { 6 } else { 4000 };
    const LARGEST: u64 = if cfg!(miri) { 5 } else { 14 };

    /// Every index in one piece, with its positions; how many pieces.
    fn check<const DEPTH: usize>(random: &mut Random) -> (usize, usize) {
        let sizes: Vec<i64> = (0..random.below(4)).map(|_| 1 + random.below(LARGEST)).collect();
        let (dst, src) = (random_shape(random, &sizes), random_shape(random, &sizes));
        let relayout = Relayout { width: 1, part: 0, sizes: &sizes, dst: Side::Tiled(&dst), src: Side::Tiled(&src) };
        let all: i64 = sizes.iter().product();
        let mut found = vec![0; all as usize];
        let mut pieces = Pieces::<DEPTH>::new(&relayout, &Share::ALL);
        let (mut count, mut last) = (0, false);
        while pieces.next().is_some() {
            assert!(!last);
            (count, last) = (count + 1, pieces.is_last());
            let first = pieces.first;
            let affine = |shape| Sums::position(shape, &first, &pieces.variables).ok().unwrap();
            let (to, from) = (affine(&dst), affine(&src));
            let turns: i64 = pieces.variables.iter().map(|v| v.count).product();
            for turn in 0..turns {
                let (mut rest, mut index) = (turn, first);
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
