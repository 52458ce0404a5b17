//! A plan of loops as words, which hold no address.
//!
//! They are the header, a [`Shortcut`] and the loops; [`words`](super::words) has what all kinds of plans have in
//! common. [`PlanWords::decode`] accepts any words and returns a plan that is safe to run, or INVALID_ARGUMENT. It is
//! safe because every kernel touches only the elements that the loops reach, and [`execute`](super::execute) proves
//! that reach against the buffers at each call.

use super::choose::Choice;
use super::kernels::Store;
use super::loops::Loop;
use super::nest::{Nest, Packing, Unit};
use super::options;
use super::plan::{Plan, PlanView};
use super::problem::Problem;
use super::shortcut::Shortcut;
use super::words::{
    BITS, CHUNK, HEADER, HINTS, KERNEL, KIND, STORE, STORE_BITS, first_word, header, least_of, loops_in_use, options_of,
};
use crate::error::{Argument, Detail, Error, Result, Status};

/// A plan of loops in the memory of a caller: words that anybody may have written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanWords<'a> {
    /// The first words.
    pub header: &'a [u64; HEADER],
    /// The shortcut that follows them, as [`kind_in_use`](super::words::kind_in_use) says.
    pub shortcut: Shortcut,
    /// The words of the shortcut, which are checked each time they are run.
    pub table: *const u64,
    /// The loops that follow, as many as [`loops_in_use`] says.
    pub loops: &'a [Loop],
}

impl Plan {
    /// The first words of the plan; the shortcut follows them, then [`Plan::loops`].
    pub fn header(&self, shortcut: Shortcut) -> [u64; HEADER] {
        let Problem { width, dst_base, src_base, .. } = self.problem;
        let loops = self.loops().len();
        let shape = (loops as u64) << 32
            | match self.problem.unit {
                Unit::Bytes => self.choice.shape() | (shortcut as u64) << KIND,
                Unit::Bits(packing) => packing.code() | BITS << KIND,
            };
        let words = HEADER + shortcut.words() + 3 * loops;
        header(words, shape, [width, dst_base, src_base, self.fill_period], self.least, &self.options)
    }
}

impl Choice {
    /// The choice as bits of a plan's second word.
    #[inline(always)]
    pub(super) fn shape(&self) -> u64 {
        self.kernel as u64
            | (self.chunk as u64) << CHUNK
            | (self.dst_run as u64) << 16
            | (self.src_run as u64) << 24
            | (self.store as u64 | (self.strip as u64) << 4) << STORE
            | (self.hints as u64) << HINTS
    }
}

/// The choice that a plan's second word encodes.
#[inline(always)]
pub(super) fn choice(shape: u64, flags: u32) -> Option<Choice> {
    Some(Choice {
        kernel: u8::try_from(shape & KERNEL).ok()?,
        chunk: (shape >> CHUNK & 15) as u8,
        dst_run: (shape >> 16 & 0xFF) as u8,
        src_run: (shape >> 24 & 0xFF) as u8,
        store: Store::new((shape >> STORE & STORE_BITS) as u8)?,
        strip: (shape >> (STORE + 4) & 15) as u8,
        hints: (shape >> HINTS & 0xFF) as u8,
        small_stack: flags & options::SMALL_STACK != 0,
    })
}

impl<'a> PlanWords<'a> {
    /// The plan; INVALID_ARGUMENT if the words are not one.
    #[inline(never)] // keeps its frame off the caller's stack
    pub(crate) fn decode(self) -> Result<PlanView<'a>> {
        self.plan().ok_or_else(|| refused(self))
    }

    /// The plan, if the words are one.
    fn plan(self) -> Option<PlanView<'a>> {
        let [first, shape, _, width, dst_base, src_base, _, fill_period, ..] = *self.header;
        let [width, dst_base, src_base, fill_period] = [width, dst_base, src_base, fill_period].map(|word| word as i64);
        let options = options_of(self.header);
        let in_bits = shape >> KIND == BITS;
        // After the packing there is nothing but the number of loops.
        let code = Some(shape & ((1 << 32) - 1)).filter(|_| shape >> STORE == BITS << (KIND - STORE));
        let unit = if in_bits { Unit::Bits(Packing::new(code?)?) } else { Unit::Bytes };
        let choice = if in_bits { Choice::of_bits(&options) } else { choice(shape, options.flags)? };
        let nest = Nest { unit, width, dst_base, src_base, loops: self.loops };
        let reached = nest.reached()?;
        // Only a plan that claims ASSUME_DISTINCT can run (nearly) for ever, as a valid one with a destination step of
        // 0 could.
        let distinct = options.flags & options::ASSUME_DISTINCT != 0 || reached.are_distinct();
        let fits = match unit {
            Unit::Bytes => (width == 0 && self.loops.is_empty()) || (width >= 1 && choice.fits(&nest)),
            Unit::Bits(packing) => width >= 1 && width & (packing.element as i64 - 1) == 0 && fill_period == 1,
        };
        let kind = if in_bits { BITS } else { self.shortcut as u64 };
        let words = HEADER + self.shortcut.words() + 3 * self.loops.len();
        // Whether the first two words agree with what follows them.
        let known =
            first == first_word(words) && shape >> 32 & 0xFF == self.loops.len() as u64 && shape >> KIND == kind;
        let sound = known && options.check().is_ok() && fill_period >= 1 && distinct && fits;
        let (reached, least) = (reached.in_bytes(unit), least_of(self.header));
        let Self { shortcut, table, .. } = self;
        sound.then_some(PlanView {
            nest,
            reached,
            choice,
            fill_period,
            options,
            least,
            shortcut,
            table,
            boxes: None,
            converting: None,
        })
    }
}

/// INVALID_ARGUMENT, with the first word and the one expected with this many loops; with flags or level and those
/// known; or with a kernel and a width that do not go together.
#[cold]
fn refused(words: PlanWords<'_>) -> Error {
    let error = Status::InvalidArgument.of(Argument::Plan);
    let [first, shape, _, width, ..] = *words.header;
    let expected = first_word(HEADER + words.shortcut.words() + 3 * loops_in_use(shape));
    if first != expected {
        return error.because(Detail::NotAPlan, first as i64, expected as i64);
    }
    match options_of(words.header).check() {
        Err(found) => Error { argument: Argument::Plan, ..found },
        Ok(()) => error.because(Detail::PlanWords, (shape & KERNEL) as i64, width as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernels::hints;
    use super::super::words::WORDS;
    use super::*;
    use crate::model::{Dtype, LayoutBuf};
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn words_come_back_and_forgeries_do_not() {
        let layout = |strides: &[i64]| LayoutBuf::strided(Dtype::F32, &[7, 10, 3], strides).unwrap();
        let mut original = Plan::nothing();
        original.set_copy(&layout(&[1, 7, 70]).view().unwrap(), &layout(&[100, 10, 1]).view().unwrap()).unwrap();
        let mut words = [0u64; WORDS];
        words[..HEADER].copy_from_slice(&original.header(Shortcut::None));
        for (words, l) in words[HEADER..].chunks_mut(3).zip(original.loops()) {
            words.copy_from_slice(&[l.count as u64, l.dst as u64, l.src as u64]);
        }
        let decoded = |words: &[u64; WORDS]| {
            let loops = loops_in_use(words[1]);
            let triples = words[HEADER..][..3 * loops].chunks(3);
            let loops: Vec<Loop> =
                triples.map(|w| Loop { count: w[0] as i64, dst: w[1] as i64, src: w[2] as i64 }).collect();
            let header = words.first_chunk().unwrap();
            let words = PlanWords { header, loops: &loops, shortcut: Shortcut::None, table: core::ptr::null() };
            words.decode().map(|plan| plan.to_string())
        };
        assert_eq!((decoded(&words), words[0] & 0xFFFF), (Ok(original.view(None).to_string()), HEADER as u64 + 9));
        for (word, value) in [
            (0, 0),
            (0, words[0] + 1),
            (1, 200 | 3 << 32),
            (1, words[1] + (1 << 32)),
            (2, 1 << 30),
            (2, 9 << 32),
            (3, 0),
            (3, 5),
            (3, u64::MAX),
            (7, 0),
            (HEADER, 0),
            (HEADER, u64::MAX),
            (HEADER, 1 << 63),
        ] {
            let mut forged = words;
            forged[word] = value;
            let error = decoded(&forged).unwrap_err();
            assert_eq!((error.status, error.argument), (Status::InvalidArgument, Argument::Plan), "{word} {value}");
            if word == 2 && value == 1 << 30 {
                assert_eq!(error.lhs, 1 << 30); // the flags
            }
            if word == 0 {
                assert_eq!((error.lhs, error.rhs), (value as i64, words[0] as i64));
            }
        }
        // Counts below 1 are refused as well, down to the lowest one, whose steps of 0 reach no further; and so are
        // more iterations than 64 bits count.
        let mut forged = words;
        forged[2] = options::ASSUME_DISTINCT as u64;
        forged[1] = words[1] & !0xFFFF_FFFF; // rows take any loops
        for (counts, is_plan) in [
            ([1, 1], true),
            ([0, 1], false),
            ([1, u64::MAX], false),
            ([1 << 63, 1], false),
            ([1 << 32, 1 << 32], false),
        ] {
            let [first, second] = counts;
            forged[HEADER..][..9].copy_from_slice(&[first, 0, 0, second, 0, 0, 1, 0, 0]);
            let status = decoded(&forged).map_err(|error| error.status);
            assert_eq!(status.err(), (!is_plan).then_some(Status::InvalidArgument), "{counts:?}");
        }
    }

    #[test]
    fn all_of_a_choice_comes_back() {
        for (store, hints) in [(Store::Stream, 0), (Store::Past, hints::ALL)] {
            let mut plan = Plan::nothing();
            plan.options = options::Options::new().small_stack();
            plan.choice =
                Choice { kernel: 0xC1, dst_run: 62, src_run: 5, chunk: 9, store, strip: 5, hints, small_stack: true };
            let [_, shape, ..] = plan.header(Shortcut::Tables);
            assert_eq!(choice(shape, plan.options.flags), Some(plan.choice));
        }
    }
}
