//! The words of a relayout's plan.
//!
//! ```text
//! header        that of every plan; in its second word the rank as it is seen, and 3 in the top byte
//! conversion    if there is one, and if it has lists, their steps along the dimensions
//! sizes         as they are seen
//! each side     numbers of steps, digits and dimensions with runs, as bytes (the base is in the header)
//!               lowest and highest position of the object
//!               digits of the steps, four steps a word: the digit, and for joins the minor digit + 1 in the upper byte
//!               the number of each step; the stride of each digit
//!               for each dimension with runs: dimension and form in one word, the object's size, the number of runs,
//!               and the runs: single indices, a word each, or first, step and count
//! ```

use super::super::converting::{Converting, Values, decode_conversion, unit_of, unit_to};
use super::super::nest::{Packing, Unit};
use super::super::options::{self, Options};
use super::super::words::{self, HEADER, KIND, WORDS, words_after};
use super::along::{Along, IndexRun, Runs};
use super::{Mapped, Relayout};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::MAX_RANK;
use crate::model::index_map::Step;

/// The kind of a relayout, in the top byte of a plan's second word.
pub(crate) const BOXES: u64 = 3;
/// The most words after the header.
pub(crate) const MOST_WORDS: usize = WORDS - HEADER;

/// The bit of the second word at which the packing of elements below a byte begins.
const PACKING: u32 = 8;
/// The bits of a second word for rank and packing.
const SHAPE: u64 = 0xFFFF;
/// The bit of the second word of a copy that converts.
const CONVERTED: u64 = 1 << 16;
/// The bit of the width's word at which the bytes of byte-swapped parts begin.
const PART: u32 = 32;
/// Units of the widest element.
const MAX_WIDTH: i64 = 1 << 31;
/// The bit of a dimension's word that says that its runs are single indices.
const SINGLE: i64 = 1 << 8;

/// The call's own memory for both sides of a relayout that is read from words.
pub(crate) type BoxRoom<'a> = [Mapped<'a>; 2];

/// A relayout, its conversion, its options and the period of its fill.
type Decoded<'r> = (Relayout<'r>, Option<Converting<'r>>, Options, i64);

/// The words of a relayout's plan, which anybody may have written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxWords<'a> {
    /// The first ones.
    pub header: &'a [u64; HEADER],
    /// Those that follow.
    pub rest: &'a [i64],
}

impl Relayout<'_> {
    /// Writes the words after the header; UNSUPPORTED, with the words that are needed and those there are, if they are
    /// too many. Returns the header and the number of words that follow it.
    pub(crate) fn write(
        &self,
        converting: Option<&Converting<'_>>,
        options: &Options,
        fill_period: i64,
        rest: &mut [i64; MOST_WORDS],
    ) -> Result<([u64; HEADER], usize)> {
        let mut count = 0;
        let mut put = |word: i64| {
            if let Some(slot) = rest.get_mut(count) {
                *slot = word;
            }
            count += 1;
        };
        if let Some(converting) = converting {
            converting.words().into_iter().for_each(|word| put(word as i64));
            converting.values.steps.iter().for_each(|&step| put(step));
        }
        self.sizes.iter().for_each(|&size| put(size));
        for side in self.sides() {
            write_side(side, &mut put);
        }
        let error = Status::Unsupported.of(Argument::Plan);
        error.unless(count <= MOST_WORDS, Detail::PlanSize, count as i64, MOST_WORDS as i64)?;
        let packing = if let Unit::Bits(packing) = self.unit { packing.code() } else { 0 };
        let shape = self.sizes.len() as u64 | packing << PACKING | BOXES << KIND;
        let shape = shape | if converting.is_some() { CONVERTED } else { 0 };
        let numbers = [self.width | self.part << PART, self.dst.map.base, self.src.map.base, fill_period];
        Ok((words::header(HEADER + count, shape, numbers, [0; 2], options), count))
    }
}

fn write_side(side: &Mapped<'_>, put: &mut impl FnMut(i64)) {
    let map = &side.map;
    put((map.steps.len() | map.strides.len() << 8 | side.along.len() << 16) as i64);
    put(map.lowest);
    put(map.highest);
    for four in map.steps.chunks(4) {
        put(four.iter().rev().fold(0u64, |word, step| word << 16 | code(step)) as i64);
    }
    for step in &map.steps {
        let (Step::Divide { by, .. } | Step::Join { by, .. }) = *step;
        put(by);
    }
    map.strides.iter().for_each(|&stride| put(stride));
    for along in &side.along {
        let single = along.runs.iter().all(|run| run.count == 1);
        put(along.dimension as i64 | if single { SINGLE } else { 0 });
        put(map.sizes.get(along.dimension).copied().unwrap_or(0));
        put(along.runs.len() as i64);
        for IndexRun { first, step, count } in along.runs.iter() {
            put(first);
            if !single {
                put(step);
                put(count);
            }
        }
    }
}

fn code(step: &Step) -> u64 {
    match *step {
        Step::Divide { digit, .. } => digit as u64,
        Step::Join { major, minor, .. } => major as u64 | (minor as u64 + 1) << 8,
    }
}

/// The words of a side, from the first of `rest` on.
struct SideReader<'a> {
    rest: &'a [i64],
}

impl<'a> SideReader<'a> {
    fn next(&mut self, count: usize) -> Option<&'a [i64]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    /// Reads a side of these sizes, as they are seen. Its positions lie in the reach that it claims: `None` otherwise.
    fn side(&mut self, base: i64, seen: &[i64], is_dst: bool, to: &mut Mapped<'a>) -> Option<()> {
        let &[counts, lowest, highest] = self.next(3)? else { return None };
        let [steps, digits, along, ..] = counts.to_le_bytes().map(usize::from);
        let map = &mut to.map;
        map.begin(seen, 0);
        (map.base, map.lowest, map.highest) = (base, lowest, highest);
        let (codes, numbers) = (self.next(steps.div_ceil(4))?, self.next(steps)?);
        for (k, &by) in numbers.iter().enumerate() {
            let code = *codes.get(k / 4)? as u64 >> (k % 4 * 16);
            let (digit, minor) = (code as u8, (code >> 8) as u8);
            match minor.checked_sub(1) {
                Some(minor) => map.join(digit, minor, by),
                None => _ = map.divide(digit, by),
            }
        }
        let strides = self.next(digits)?;
        let known = counts >> 24 == 0 && map.steps.len() == steps && map.strides.len() == digits;
        map.strides.iter_mut().zip(strides).for_each(|(slot, &stride)| *slot = stride);
        for _ in 0..along {
            let &[form, size, count] = self.next(3)? else { return None };
            let dimension =
                usize::try_from(form & !SINGLE).ok().filter(|_| to.along(form as usize & 0xFF).is_none())?;
            let single = form & SINGLE != 0;
            let words = self.next(usize::try_from(count).ok()?.checked_mul(if single { 1 } else { 3 })?)?;
            let runs = if single { Runs::Indices(words) } else { Runs::Triples(words) };
            let (along, seen) = (Along { dimension, runs }, *seen.get(dimension)?);
            let fits = along.check(size, !is_dst, Argument::Plan).ok()? == seen;
            *to.map.sizes.get_mut(dimension)? = size;
            to.along.try_push(along).ok().filter(|()| fits)?;
        }
        // A source of no element but the fill value has no positions.
        let (least, most) = match to.map.bounds() {
            Some(bounds) => bounds,
            None if !is_dst && to.map.sizes.contains(&0) => (0, -1),
            None => return None,
        };
        (known && lowest <= least && most <= highest && lowest >= 0 && highest < i64::MAX).then_some(())
    }
}

impl<'a> BoxWords<'a> {
    /// Decodes the words. The sides of the relayout are built in `room`. INVALID_ARGUMENT if the words are not one.
    #[inline(never)] // keeps its frame off the caller's stack
    pub(crate) fn decode<'r>(self, room: &'r mut BoxRoom<'a>) -> Result<Decoded<'r>>
    where
        'a: 'r,
    {
        let [first, shape, _, width, dst_base, src_base, _, fill_period, ..] = *self.header;
        let refused = Status::InvalidArgument.of(Argument::Plan);
        let refused = refused.because(Detail::PlanWords, first as i64, words_after(first) as i64);
        let options = words::options_of(self.header);
        options.check().map_err(|error| Error { argument: Argument::Plan, ..error })?;
        let (width, part) = ((width & ((1 << PART) - 1)) as i64, (width >> PART) as i64);
        let (packing, rank) = (shape >> PACKING & 0xFF, (shape & 0xFF) as usize);
        let unit = match packing {
            0 => Unit::Bytes,
            code => Unit::Bits(Packing::new(code).ok_or(refused)?),
        };
        let sound = match unit {
            Unit::Bytes => {
                part == 0 || matches!((part, width / part.max(1)), (2 | 4 | 8, 1) | (4 | 8, 2)) && width % part == 0
            }
            Unit::Bits(packing) => width == packing.element as i64 && part == 0,
        };
        let known = words::first_word(HEADER + self.rest.len()) == first
            && shape & !(SHAPE | CONVERTED) == BOXES << KIND
            && sound
            && (1..=MAX_WIDTH).contains(&width)
            && fill_period as i64 >= 1
            // No direction or scratch memory serves many pieces.
            && options.flags & options::OVERLAP == 0
            && words::least_of(self.header) == [0; 2];
        let (mut converting, mut rest) = (None, self.rest);
        if cfg!(feature = "conversion") && shape & CONVERTED != 0 {
            let (found, after) = decode_conversion(rest).ok_or(refused)?;
            let steps = if found.listed == 0 { 0 } else { rank };
            let (steps, after) = after.split_at_checked(steps).ok_or(refused)?;
            let values = Values { steps, ..found.values };
            (converting, rest) = (Some(Converting { values, ..found }), after);
        }
        let Some((sizes, rest)) = rest.split_at_checked(rank).filter(|_| known && rank <= MAX_RANK) else {
            return Err(refused);
        };
        let to = match converting.map(|converting| converting.conversion) {
            Some(conversion) if unit_of(conversion.src) == (unit, width) && part == 0 => unit_to(conversion.dst),
            None if shape & CONVERTED == 0 => (unit, width),
            _ => return Err(refused),
        };
        let [dst, src] = room;
        let mut reader = SideReader { rest };
        let read = reader
            .side(dst_base as i64, sizes, true, dst)
            .and_then(|()| reader.side(src_base as i64, sizes, false, src))
            .filter(|()| reader.rest.is_empty());
        read.ok_or(refused)?;
        let relayout = Relayout { unit, width, to, part, sizes, dst, src };
        // Distinct elements fit into what they reach, so no plan runs (nearly) for ever.
        let reached = relayout.reached().map_err(|_| refused)?;
        let distinct = options.flags & options::ASSUME_DISTINCT != 0 || reached.are_distinct();
        let entries = |converting: &Converting<'_>| converting.entries(1, &mut sizes.iter().copied());
        let listed = converting.is_none_or(|converting| !converting.listed_outside(entries(&converting)));
        // An empty one is an ordinary plan.
        let sound = distinct && listed && !relayout.is_empty();
        if sound { Ok((relayout, converting, options, fill_period as i64)) } else { Err(refused) }
    }
}
