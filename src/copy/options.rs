//! Options of a copy: flags, instruction set, budget of the overlap test, fill value.

use crate::error::{Argument, Detail, Error, Result, Status};
use crate::machine::{Level, Machine};
use crate::model::overlap::{self, Effort};
use core::fmt;

/// Flag: the caller vouches that destination elements are distinct and that source and destination share no byte. No
/// overlap test is made. Bounds are still checked; if the promise is untrue, the order of the writes is unspecified.
pub const ASSUME_DISTINCT: u32 = 1;
/// Flag: every byte of the destination buffer that no index reaches gets the fill value. For elements below a byte it
/// is every bit, and the value is the low bits of the first byte.
pub const FILL_BUFFER: u32 = 2;
/// Flag: source and destination may share bytes; the result is as if the source had been read first (memmove).
pub const OVERLAP: u32 = 4;
/// Flag: the destination is read soon, so it is written past the caches only if it is larger than the last one.
pub const KEEP_CACHED: u32 = 8;
/// Flag: a call takes at most 8 KiB of the stack instead of 48. Transposes take shorter pieces; transposes, channels
/// and single elements are not streamed; a transpose through scratch memory is done element by element; an overlap test
/// that needs more stack is UNDECIDED.
pub const SMALL_STACK: u32 = 16;

/// Bytes that each part of a copy has at least, on average; if there are fewer, the last parts have nothing to do.
pub(crate) const USEFUL: u64 = 4096;

/// All flags.
pub(crate) const KNOWN: u32 = ASSUME_DISTINCT | FILL_BUFFER | OVERLAP | KEEP_CACHED | SMALL_STACK;

/// Options of a copy; the default is all zero. A field may be added: [`Options::new`] makes them, a method each sets
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Options {
    /// [`ASSUME_DISTINCT`] and the others.
    pub flags: u32,
    /// The highest instruction set to use; 0: the best that this CPU has.
    pub cpu_level: u32,
    /// Steps that an overlap test may take; 0: [`DEFAULT_BUDGET`](crate::model::overlap::DEFAULT_BUDGET).
    pub overlap_budget: u64,
    /// Bytes that FILL_BUFFER repeats, from the first byte of each element on.
    pub fill: [u8; 16],
}

impl Options {
    /// All zero.
    pub const DEFAULT: Self = Self { flags: 0, cpu_level: 0, overlap_budget: 0, fill: [0; 16] };

    /// All zero; each of the methods below sets one field or flag.
    ///
    /// ```
    /// use stride::Options;
    /// use stride::copy::options::{FILL_BUFFER, KEEP_CACHED, SMALL_STACK};
    /// use stride::machine::Level;
    /// let options = Options::new().keep_cached().small_stack().fill_buffer([7; 16]).overlap_budget(100);
    /// let same = Options::new().flags(KEEP_CACHED | SMALL_STACK | FILL_BUFFER).fill([7; 16]).overlap_budget(100);
    /// assert_eq!(options, same);
    /// assert_eq!(Options::new().cpu_level(Level::Scalar).cpu_level, 1);
    /// assert_eq!(Options::new(), Options::default());
    /// ```
    pub const fn new() -> Self {
        Self::DEFAULT
    }

    /// Sets all of these flags, and clears all others.
    #[must_use]
    pub const fn flags(mut self, flags: u32) -> Self {
        self.flags = flags;
        self
    }

    /// The highest instruction set to use.
    #[must_use]
    pub const fn cpu_level(mut self, level: Level) -> Self {
        self.cpu_level = level as u32;
        self
    }

    /// The fill value of runs that begin at −1 ([`IndexRun`](crate::IndexRun)): repeated from the first byte of each
    /// element on.
    #[must_use]
    pub const fn fill(mut self, fill: [u8; 16]) -> Self {
        self.fill = fill;
        self
    }

    /// Every byte of the destination that no index reaches gets `fill`, repeated from the first byte of each element
    /// on; for elements below a byte every bit gets the low bits of `fill[0]` ([`FILL_BUFFER`]).
    #[must_use]
    pub const fn fill_buffer(mut self, fill: [u8; 16]) -> Self {
        (self.flags, self.fill) = (self.flags | FILL_BUFFER, fill);
        self
    }

    /// The destination is read soon ([`KEEP_CACHED`]).
    #[must_use]
    pub const fn keep_cached(mut self) -> Self {
        self.flags |= KEEP_CACHED;
        self
    }

    /// A call takes at most 8 KiB of the stack ([`SMALL_STACK`]).
    #[must_use]
    pub const fn small_stack(mut self) -> Self {
        self.flags |= SMALL_STACK;
        self
    }

    /// The steps that the test whether destination elements are distinct may take.
    #[must_use]
    pub const fn overlap_budget(mut self, steps: u64) -> Self {
        self.overlap_budget = steps;
        self
    }

    /// INVALID_ARGUMENT for flags and levels that this version does not know.
    #[inline(always)]
    pub(crate) fn check(&self) -> Result<()> {
        let error = Status::InvalidArgument.of(Argument::Options);
        error.unless(self.flags & !KNOWN == 0, Detail::UnknownFlag, self.flags, KNOWN)?;
        // One says that the sides are apart, the other that they may not be.
        let both = self.flags & (ASSUME_DISTINCT | OVERLAP) == ASSUME_DISTINCT | OVERLAP;
        error.unless(!both, Detail::ConflictingFlags, self.flags, OVERLAP)?;
        let known = self.cpu_level == 0 || Level::new(self.cpu_level).is_some();
        error.unless(known, Detail::UnknownValue, self.cpu_level, Level::COUNT as i64 - 1)
    }

    /// UNSUPPORTED for flags that a list of regions, or one of many copies of a plan, cannot keep: about bytes between
    /// the elements, and about an order between the sides.
    pub(crate) fn check_elements_alone(&self) -> Result<()> {
        self.check_without(FILL_BUFFER | OVERLAP, Argument::Plan)
    }

    /// UNSUPPORTED if the sides may share bytes.
    pub(crate) fn check_no_overlap(&self) -> Result<()> {
        self.check_without(OVERLAP, Argument::Options)
    }

    /// UNSUPPORTED for SMALL_STACK, where a side may be a shape, which is large.
    pub(crate) fn check_ordinary_stack(&self) -> Result<()> {
        self.check_without(SMALL_STACK, Argument::Options)
    }

    /// UNSUPPORTED for any of these flags, with the lowest one.
    fn check_without(&self, flags: u32, argument: Argument) -> Result<()> {
        let refused = self.flags & flags;
        let lowest = refused & refused.wrapping_neg();
        Status::Unsupported.of(argument).unless(refused == 0, Detail::UnsupportedFlag, self.flags, lowest)
    }

    /// Writes the flags as the end of a plan's description.
    pub(crate) fn write_flags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (flag, name) in [
            (ASSUME_DISTINCT, "assume distinct"),
            (FILL_BUFFER, "fill buffer"),
            (OVERLAP, "overlap allowed"),
            (KEEP_CACHED, "keep cached"),
            (SMALL_STACK, "small stack"),
        ] {
            if self.flags & flag != 0 {
                write!(f, "; {name}")?;
            }
        }
        Ok(())
    }

    /// OVERLAP if two iterations of the destination's loops (count, step) write the same element, UNDECIDED if the
    /// budget does not suffice. The caller may vouch that there are none.
    pub(crate) fn check_distinct(&self, loops: impl Iterator<Item = (i64, i64)> + Clone) -> Result<()> {
        if self.flags & ASSUME_DISTINCT != 0 {
            return Ok(());
        }
        let error = match overlap::meets_itself(loops, self.effort()) {
            Some(false) => return Ok(()),
            Some(true) => Error::new(Status::Overlap).because(Detail::SelfOverlap, 0, 0),
            None => overlap::undecided(self.overlap_budget),
        };
        Err(error.argument(Argument::DstLayout))
    }

    /// Whether a copy of `bytes` bytes is streamed, if that pays from `from` bytes on. A destination that is read soon
    /// is streamed only if the caches cannot hold it: then the reader gains as well (`make bench-pipeline`).
    pub(crate) fn streams(&self, bytes: u64, from: u64, machine: &Machine) -> bool {
        let keeps = self.flags & KEEP_CACHED != 0;
        bytes >= if keeps { from.max(machine.caches.last) } else { from }
    }

    /// The effort that an overlap test may take.
    pub(crate) fn effort(&self) -> Effort {
        Effort { budget: self.overlap_budget, small_stack: self.flags & SMALL_STACK != 0 }
    }

    /// The instruction set to use: the best there is, up to the one asked for.
    pub(crate) fn level(&self, best: Level) -> Level {
        Level::new(self.cpu_level).map_or(best, |asked| best.up_to(asked).built())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_that_is_set_twice_is_set() {
        let once = Options::new().fill_buffer([7; 16]).keep_cached().small_stack();
        assert_eq!(once.fill_buffer([7; 16]).keep_cached().small_stack(), once);
        assert_eq!(once.flags, 2 | 8 | 16);
    }

    #[test]
    fn a_small_stack_decides_ten_terms() {
        // 0, 2 and 4, each with 3 or without, and powers of two from 8 on: all sums are distinct, but one step is less
        // than the reach of the loops before it.
        let checked = |terms: u32, options: Options| {
            let loops = [(3, 2), (2, 3)].into_iter().chain((2..terms).map(|k| (2, 2 << k)));
            options.check_distinct(loops).map_err(|error| (error.status, error.argument))
        };
        for terms in [2, 10, 11, 60] {
            assert_eq!(checked(terms, Options::new()), Ok(()));
            let undecided = (Status::Undecided, Argument::DstLayout);
            assert_eq!(checked(terms, Options::new().small_stack()), if terms > 10 { Err(undecided) } else { Ok(()) });
        }
    }
}
