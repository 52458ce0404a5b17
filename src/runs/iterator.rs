//! The walk: runs one after the other, each with the position of every operand in bytes.
//!
//! ```text
//! header   21 words   format; runs ready, elements of a run, of it skipped, elements left; 8 times an offset and a
//!                     stride along a run
//! levels   10 words   each loop around the run: trip count, iterations left, 8 steps
//! ```
//!
//! A level's step takes an operand from its last run before the level advances to the first one after it: the stride of
//! the loop minus the way back of all faster ones. So the odometer advances by one addition for each operand, whatever
//! the level, and nothing is multiplied or divided. The number of elements left says how much there is to do; a part is
//! another number of elements left, from another place on. A place is a number: runs before it times elements of a run,
//! plus elements skipped.
//!
//! *Runs that are ready* are whole and follow one another by the steps of the fastest level: taking one is an addition
//! for each operand, and one run less that is ready. The elements left and the level's iterations left do not count
//! them. An offset lies beside a stride, not beside the next offset: so no compiler loads two offsets at once that were
//! stored one by one, a load that would wait for the stores.
//!
//! *A call for each run* costs as much as a few dozen elements of it. So C and C++ compile the step into their loop, by
//! `include/stride_runs.h`: it knows the words of an iterator up to its levels, and leaves to the library what it
//! cannot take. It is the only C header that is written by hand; `c_tests/runs.c` checks it against `stride_runs_next`,
//! words included. For other languages `stride_runs_next_many` returns many runs at once.
//!
//! All numbers wrap: a value that was tampered with gives wrong offsets, and ends. A run looks at a level at most once.

use super::choice::{NEAR, run_of};
use super::joint::Joint;
use super::{LEVELS, OPERANDS};
use crate::error::{Argument, Detail, Error, Result, Status};
use arrayvec::ArrayVec;

/// "STRR", then the version of the format; below it the number of levels and of operands.
const MAGIC: u64 = 0x5354_5252_0001 << 16;

/// The words that every iterator has.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// The format, the number of levels and that of operands.
    first: u64,
    /// Runs that are ready.
    ready: u64,
    /// Elements of a whole run.
    run: u64,
    /// Elements of the present run before the next one that is given out.
    skipped: u64,
    /// Elements still to be given out, without those of the runs that are ready.
    left: u64,
    operands: [Place; OPERANDS],
}

/// The place of an operand.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Bytes from the base pointer to the first element of the present run.
    offset: i64,
    /// Bytes from one element of a run to the next.
    stride: i64,
}

/// One loop around the runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Level {
    count: u64,
    /// Iterations left after those that are ready.
    left: u64,
    steps: [i64; OPERANDS],
}

/// The number of levels of an iterator, by its first word; at most as many as there is room for.
pub fn levels_in_use(first: u64) -> usize {
    ((first >> 8 & 0xFF) as usize).min(LEVELS)
}

/// An iterator, owned.
#[derive(Clone, Debug)]
pub struct Runs {
    header: Header,
    levels: ArrayVec<Level, LEVELS>,
}

/// A borrowed iterator, to be inspected.
#[derive(Clone, Copy, Debug)]
pub struct RunsView<'a> {
    header: &'a Header,
    levels: &'a [Level],
}

/// A borrowed iterator, to be advanced.
#[derive(Debug)]
pub struct RunsMut<'a> {
    header: &'a mut Header,
    levels: &'a mut [Level],
    /// The number of operands that are given out: as checked, whatever the words say later.
    operands: usize,
}

impl Runs {
    /// No runs of no operands, to be filled.
    pub fn nothing() -> Self {
        let operands = [Place::default(); OPERANDS];
        Self {
            header: Header { first: MAGIC, ready: 0, run: 1, skipped: 0, left: 0, operands },
            levels: ArrayVec::new(),
        }
    }

    /// All runs of these loops, in bytes. UNSUPPORTED if there are more loops than levels. In place, into an empty
    /// value: the struct is large.
    pub fn set(&mut self, joint: &Joint) -> Result<()> {
        self.set_near(joint, NEAR)
    }

    /// [`Runs::set`] if `near` units of the loops stay in a cache.
    #[inline(always)]
    fn set_near(&mut self, joint: &Joint, near: i64) -> Result<()> {
        self.header.first = MAGIC | joint.operands() as u64;
        for (place, &offset) in self.header.operands.iter_mut().zip(&joint.offsets) {
            place.offset = offset;
        }
        if joint.empty {
            return Ok(());
        }
        self.header.left = 1;
        let (at, taken) = run_of(&joint.loops, near);
        let mut back = [0i64; OPERANDS];
        for (place, item) in joint.loops.iter().enumerate() {
            let (mut iterations, mut strides) = (item.count, item.strides);
            self.header.left = self.header.left.wrapping_mul(iterations as u64); // I3
            if place == at {
                self.header.run = taken as u64;
                for (place, &stride) in self.header.operands.iter_mut().zip(&strides) {
                    place.stride = stride;
                }
                iterations /= taken.max(1);
                strides = strides.map(|stride| stride.wrapping_mul(taken));
            }
            if iterations <= 1 {
                continue;
            }
            let mut steps = strides;
            for ((step, back), stride) in steps.iter_mut().zip(&mut back).zip(strides) {
                *step = stride.wrapping_sub(*back);
                *back = back.wrapping_add(stride.wrapping_mul(iterations - 1));
            }
            let level = Level { count: iterations as u64, left: iterations as u64, steps };
            if self.levels.try_push(level).is_err() {
                let error = Status::Unsupported.of(Argument::In);
                return Err(error.because(Detail::TooManyLoops, joint.loops.len() as i64, LEVELS as i64 + 1));
            }
        }
        self.header.first |= (self.levels.len() as u64) << 8;
        self.header.make_ready(&mut self.levels);
        Ok(())
    }

    /// All runs of these loops, in elements, the widest of which has `widest` bytes. Errors as [`Runs::set`], and
    /// OVERFLOW for a run of more elements than memory could hold.
    pub(super) fn set_elements(&mut self, joint: &Joint, widest: i64) -> Result<()> {
        self.set_near(joint, NEAR / widest.max(1))?;
        usize::try_from(self.header.run).map(|_| ()).map_err(|_| {
            let error = Status::Overflow.of(Argument::In);
            error.because_wide(Detail::Above, self.header.run as i128, usize::MAX as i128)
        })
    }

    /// The iterator, borrowed to be inspected.
    pub(super) fn as_view(&self) -> RunsView<'_> {
        RunsView { header: &self.header, levels: &self.levels }
    }

    /// The iterator, borrowed to be advanced.
    #[inline]
    pub(super) fn as_mut(&mut self) -> RunsMut<'_> {
        let operands = self.header.operands();
        RunsMut { header: &mut self.header, levels: &mut self.levels, operands }
    }

    /// Becomes part `part` of `parts` of what is left of `whole`, in an empty value; INVALID_ARGUMENT unless `part` is
    /// below `parts`. So `whole` may be a part itself, or half walked.
    pub fn set_part(&mut self, whole: &RunsView<'_>, part: u32, parts: u32) -> Result<()> {
        Status::InvalidArgument.of(Argument::Parts).at_least(parts as i64, 1)?;
        Status::InvalidArgument.of(Argument::Part).in_range(part as i64, parts as i64)?;
        let (run, parts) = (whole.header.run.max(1), parts as u64);
        let left = whole.header.left.wrapping_add(whole.header.ready.wrapping_mul(run));
        let (runs_before, base) = whole.place();
        let begin = runs_before.wrapping_mul(run).wrapping_add(whole.header.skipped);
        // Whole runs if every part has enough of them, else pieces of 16 elements.
        let in_runs = left / run / 16 >= parts;
        // The first and the last bound are where everything begins and ends, which may be in the middle of a run.
        let bound = |k: u64| {
            if k == parts {
                return begin.wrapping_add(left);
            }
            // ⌊left · k / parts⌋ without a product of more than 64 bits.
            let even = begin.wrapping_add((left / parts).wrapping_mul(k)).wrapping_add(left % parts * k / parts);
            let rest = even % run;
            even.wrapping_sub(if in_runs { rest } else { rest % 16 }).max(begin)
        };
        let (from, to) = (bound(part as u64), bound(part as u64 + 1));
        self.header = *whole.header;
        (self.header.skipped, self.header.left) = (from % run, to.wrapping_sub(from));
        (self.header.operands, self.header.ready) = (base, 0);
        let (mut digits, mut back) = (from / run, [0i64; OPERANDS]);
        for level in whole.levels.iter().take(LEVELS) {
            let count = level.count.max(1);
            let digit = digits % count;
            digits /= count;
            level.walk(&mut back, &mut self.header.operands, digit);
            let _ = self.levels.try_push(Level { left: count - digit, ..*level }); // as many as there were
        }
        self.header.make_ready(&mut self.levels);
        Ok(())
    }

    /// The header, and the levels in use.
    pub fn words(&self) -> (&Header, &[Level]) {
        (&self.header, &self.levels)
    }
}

impl<'a> RunsView<'a> {
    /// An iterator from its words; INVALID_ARGUMENT if they are not one.
    #[inline]
    pub fn new(header: &'a Header, levels: &'a [Level]) -> Result<Self> {
        header.check()?;
        Ok(Self { header, levels })
    }

    /// The number of operands.
    pub fn operands(&self) -> usize {
        self.header.operands()
    }

    /// Bytes from one element of a run to the next, for each operand.
    pub fn strides(&self) -> ArrayVec<i64, OPERANDS> {
        self.header.operands.iter().take(self.operands()).map(|place| place.stride).collect()
    }

    /// The number of runs before the present one, and the place of every operand in the first of all.
    fn place(&self) -> (u64, [Place; OPERANDS]) {
        let (mut runs, mut inside, mut places) = (0u64, 1u64, self.header.operands);
        let (mut back, mut ready) = ([0i64; OPERANDS], self.header.ready);
        for level in self.levels {
            let digit = level.count.wrapping_sub(level.left).wrapping_sub(ready);
            ready = 0; // they are iterations of the fastest level
            runs = runs.wrapping_add(digit.wrapping_mul(inside));
            inside = inside.wrapping_mul(level.count);
            level.walk(&mut back, &mut places, digit.wrapping_neg());
        }
        (runs, places)
    }
}

impl Level {
    /// Adds `iterations` strides of this loop to the offsets. `back`: the way back of faster loops; its own is added.
    fn walk(&self, back: &mut [i64; OPERANDS], places: &mut [Place; OPERANDS], iterations: u64) {
        for ((step, back), place) in self.steps.iter().zip(back).zip(places) {
            let stride = step.wrapping_add(*back);
            place.offset = place.offset.wrapping_add(stride.wrapping_mul(iterations as i64));
            *back = back.wrapping_add(stride.wrapping_mul((self.count as i64).wrapping_sub(1)));
        }
    }
}

impl Header {
    #[inline]
    fn operands(&self) -> usize {
        (self.first & 0xFF) as usize
    }

    /// Makes those whole runs ready after which the fastest level has an iteration left. Nothing is ready before, and
    /// nothing is done if elements are skipped.
    #[inline]
    fn make_ready(&mut self, levels: &mut [Level]) {
        let Some(fastest) = levels.first_mut().filter(|_| self.skipped == 0) else { return };
        let iterations = fastest.left.saturating_sub(1);
        let elements = iterations.wrapping_mul(self.run);
        let (iterations, elements) = if elements <= self.left {
            (iterations, elements)
        } else {
            let iterations = self.left.checked_div(self.run).unwrap_or(0);
            (iterations, iterations.wrapping_mul(self.run))
        };
        fastest.left = fastest.left.wrapping_sub(iterations);
        (self.ready, self.left) = (iterations, self.left.wrapping_sub(elements));
    }

    #[inline]
    fn check(&self) -> Result<()> {
        if (self.first ^ MAGIC) >> 16 == 0 && (1..=OPERANDS).contains(&self.operands()) {
            return Ok(());
        }
        Err(no_runs(self.first))
    }
}

#[cold]
fn no_runs(first: u64) -> Error {
    let error = Status::InvalidArgument.of(Argument::Runs);
    error.because(Detail::NotRuns, first as i64, MAGIC as i64)
}

impl<'a> RunsMut<'a> {
    /// An iterator of this many operands from its words; [`RunsView::new`] says why it is not one.
    #[inline]
    pub fn new(header: &'a mut Header, levels: &'a mut [Level], operands: u32) -> Option<Self> {
        let right = header.first & !0xFF00 == MAGIC | operands as u64 && operands > 0 && operands <= OPERANDS as u32;
        right.then_some(Self { header, levels, operands: operands as usize })
    }

    /// Gives out the next run: the offset of each operand in turn. Returns how many elements it has; 0: there is none,
    /// and no offset is given out.
    #[inline]
    pub fn next(&mut self, mut give: impl FnMut(usize, i64)) -> u64 {
        let header = &mut *self.header;
        let Some(places) = header.operands.get_mut(..self.operands) else { return 0 }; // never: `new` checked it
        if let (Some(ready), Some(level)) = (header.ready.checked_sub(1), self.levels.first()) {
            header.ready = ready;
            for (operand, (place, step)) in places.iter_mut().zip(&level.steps).enumerate() {
                give(operand, place.offset);
                place.offset = place.offset.wrapping_add(*step);
            }
            return header.run;
        }
        let elements = header.run.wrapping_sub(header.skipped).min(header.left);
        if elements == 0 {
            return 0;
        }
        header.left -= elements;
        let skipped = header.skipped as i64;
        for (operand, (place, step)) in places.iter_mut().zip(advance(self.levels)).enumerate() {
            give(operand, place.offset.wrapping_add(place.stride.wrapping_mul(skipped)));
            place.offset = place.offset.wrapping_add(*step);
        }
        header.skipped = 0;
        header.make_ready(self.levels);
        elements
    }

    /// Gives out the next runs, at most `most`, all of the same number of elements. Returns how many runs, and of how
    /// many elements. Runs that were cut come alone.
    #[inline]
    pub fn next_many(&mut self, most: u64, mut give: impl FnMut(u64, usize, i64)) -> (u64, u64) {
        let (mut number, operands) = (0u64, self.operands);
        while number < most {
            let stretch = self.header.ready.min(most - number);
            if stretch == 0 {
                let whole = self.header.skipped == 0 && self.header.left >= self.header.run;
                if !whole && number > 0 {
                    break;
                }
                let elements = self.next(|operand, offset| give(number, operand, offset));
                if elements == 0 {
                    break;
                }
                number += 1;
                if !whole {
                    return (number, elements);
                }
                continue;
            }
            let Some(level) = self.levels.first() else { break }; // no run is ready then
            for (operand, (place, &step)) in
                self.header.operands.iter_mut().zip(&level.steps).take(operands).enumerate()
            {
                let mut at = place.offset;
                for ahead in 0..stretch {
                    give(number.wrapping_add(ahead), operand, at);
                    at = at.wrapping_add(step);
                }
                place.offset = at;
            }
            self.header.ready -= stretch;
            number += stretch;
        }
        (number, if number > 0 { self.header.run } else { 0 })
    }
}

/// Moves the odometer on by one run: the steps of the level that advances, or none after the last run.
#[inline]
fn advance(levels: &mut [Level]) -> &[i64; OPERANDS] {
    for level in levels {
        level.left = level.left.wrapping_sub(1);
        if level.left != 0 {
            return &level.steps;
        }
        level.left = level.count;
    }
    &[0; OPERANDS]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dtype, Layout};

    #[test]
    fn a_forged_iterator_ends_or_gives_something() {
        let layout = Layout::new(Dtype::F32, 0, &[3, 4], &[8, 1]).unwrap();
        let (mut joint, mut made) = (Joint::nothing(), Runs::nothing());
        joint.set_bytes(&[layout]).unwrap();
        made.set(&joint).unwrap();
        for (run, skipped, left, count) in [(0, 0, 9, 3), (4, 9, 9, 0), (0, 1, u64::MAX, 1), (u64::MAX, 0, 0, 3)] {
            let mut forged = made.clone();
            (forged.header.run, forged.header.skipped, forged.header.left) = (run, skipped, left);
            forged.levels[0].count = count;
            for part in [0, 1, 6] {
                let mut piece = Runs::nothing();
                let whole = RunsView { header: &forged.header, levels: &forged.levels };
                piece.set_part(&whole, part, 7).unwrap();
                let mut all = RunsMut::new(&mut piece.header, &mut piece.levels, 1).unwrap();
                for _ in 0..20 {
                    all.next(|_, _| {});
                    assert!(all.next_many(5, |number, operand, _| assert!(number < 5 && operand == 0)).0 <= 5);
                }
            }
        }
        assert_eq!((levels_in_use(made.header.first), levels_in_use(u64::MAX)), (1, LEVELS));
        let mut other = made.clone();
        other.header.first ^= 1 << 20;
        assert_eq!(other.header.check().unwrap_err().detail, Detail::NotRuns);
    }
}
