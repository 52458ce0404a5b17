//! The conversion of a plan: its values, the caller's lists of them, and its words.
//!
//! Its nest counts the source's elements on both sides (`planned`). Functions that speak of the destination's bytes or
//! bits count its own.

use super::conversion::{ADD_LAST, AFFINE, Conversion, DIVIDE, FINITE, NEAREST, SATURATE};
use super::loops::{Loop, MAX_LOOPS};
use super::nest::{Nest, Packing, Reach, Reached, Unit};
use super::words::{CONVERTS, HEADER, KERNEL, KIND, first_word, loops_in_use};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::{Dtype, MAX_RANK};
use arrayvec::ArrayVec;
use core::fmt;

/// The entries of a conversion's lists that elements have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Values<'a> {
    /// The entry of the first element.
    pub base: i64,
    /// The step from one element of a run to the next.
    pub within: i64,
    /// The step of each loop.
    pub steps: &'a [i64],
}

/// Room for the steps of loops, or of dimensions, in the lists.
pub(crate) type StepsRoom = ArrayVec<i64, MAX_RANK>;

/// The conversion of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Converting<'a> {
    pub conversion: Conversion,
    /// A bit for each of the three numbers, set if it comes from a list.
    pub listed: u8,
    pub values: Values<'a>,
    /// The caller's lists, for one call.
    pub lists: Lists,
}

/// The caller's lists, for one call; null: the number.
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    /// Of `subtract`, `scale` and `add`.
    pub pointers: [*const f32; 3],
    /// Numbers in each of them.
    pub count: u64,
}

impl Lists {
    /// No list.
    pub const NONE: Self = Self { pointers: [core::ptr::null(); 3], count: 0 };

    /// A bit for each list.
    pub fn given(&self) -> u8 {
        self.pointers.iter().zip(0..).fold(0, |given, (list, k)| given | u8::from(!list.is_null()) << k)
    }
}

/// The unit and the width of elements of a destination of this dtype.
pub(crate) fn unit_to(dst: Dtype) -> (Unit, i64) {
    Unit::of(dst, Dtype::U8)
}

/// The unit of a nest whose source has this dtype, and the width of an element in it.
pub(crate) fn unit_of(src: Dtype) -> (Unit, i64) {
    match src.bits() {
        bits @ 0..8 => {
            let packing = Packing { element: bits as u32, dst_high: false, src_high: src.is_high_first() };
            (Unit::Bits(packing), bits)
        }
        bits => (Unit::Bytes, bits / 8),
    }
}

/// The arguments that errors name for the lists.
const NAMES: [Argument; 3] = [Argument::Subtracts, Argument::Scales, Argument::Adds];

impl Converting<'_> {
    /// The width of a source's element in the nest's unit, and the bits of one of the destination.
    fn bits(&self, unit: Unit) -> (i64, i64) {
        let src = self.conversion.src.bits();
        (if unit == Unit::Bytes { src / 8 } else { src }, self.conversion.dst.bits())
    }

    /// The bit of the destination at which the element begins whose place in the nest is this.
    pub fn place(&self, unit: Unit, place: i64) -> i64 {
        let (src, dst) = self.bits(unit);
        (place / src.max(1)).wrapping_mul(dst)
    }

    /// Calls `then` with the nest of the destination alone: its own places, and no source.
    #[inline(never)] // keeps the loops off the caller's stack
    pub fn with_dst_nest(&self, nest: &Nest<'_>, then: &mut dyn FnMut(&Nest<'_>)) {
        let (unit, _) = unit_to(self.conversion.dst);
        let shift = if unit == Unit::Bytes { 3 } else { 0 };
        let place = |place: i64| self.place(nest.unit, place) >> shift;
        let mut loops = ArrayVec::<Loop, MAX_LOOPS>::new();
        for l in nest.loops {
            let _ = loops.try_push(Loop { count: l.count, dst: place(l.dst), src: 0 });
        }
        then(&Nest { unit, width: place(nest.width), dst_base: place(nest.dst_base), src_base: 0, loops: &loops })
    }

    /// Elements of a run of the nest.
    pub fn elements(&self, unit: Unit, width: i64) -> i64 {
        width / self.bits(unit).0.max(1)
    }

    /// The range of bytes that loops reach; `None` if a number is not whole elements or leaves 61 bits.
    pub fn reached(&self, nest: &Nest<'_>) -> Option<Reached> {
        let (src_bits, dst_bits) = self.bits(nest.unit);
        let whole = |number: i64| number % src_bits.max(1) == 0;
        let all = whole(nest.width) && whole(nest.dst_base) && nest.loops.iter().all(|l| whole(l.dst));
        let reached = nest.reached()?;
        let most = |place: i64| (place / src_bits.max(1)).checked_mul(dst_bits);
        let (lowest, end) = (most(reached.dst.lowest)?, most(reached.dst.end)?);
        let dst = Reach { lowest: lowest >> 3, highest: (end - dst_bits) >> 3, end: end.checked_add(7)? >> 3 };
        let elements = reached.bytes / src_bits.max(1) as u64;
        let bytes = elements.saturating_mul(dst_bits as u64).div_ceil(8);
        let src = if nest.unit == Unit::Bytes { reached.src } else { reached.in_bytes(nest.unit).src };
        all.then_some(Reached { dst, src, bytes })
    }

    /// The lowest and the highest entry of a list that loops reach; `None` if a number leaves 64 bits.
    pub fn entries_of(&self, nest: &Nest<'_>) -> Option<[i64; 2]> {
        self.entries(self.elements(nest.unit, nest.width), &mut nest.loops.iter().map(|l| l.count))
    }

    /// The lowest and the highest entry for a run of so many elements in loops of these counts.
    pub fn entries(&self, run: i64, counts: &mut dyn Iterator<Item = i64>) -> Option<[i64; 2]> {
        let mut reach = [self.values.base; 2];
        for (count, step) in counts.zip(self.values.steps.iter().copied()).chain([(run, self.values.within)]) {
            let far = (count - 1).checked_mul(step)?;
            reach = [reach[0].checked_add(far.min(0))?, reach[1].checked_add(far.max(0))?];
        }
        Some(reach)
    }

    /// Whether a list would have to begin before its first entry.
    pub fn listed_outside(&self, entries: Option<[i64; 2]>) -> bool {
        self.listed != 0 && entries.is_none_or(|[lowest, _]| lowest < 0)
    }

    /// NULL_POINTER for a list that the plan needs, INVALID_ARGUMENT for one that it does not.
    pub fn check_given(&self, lists: Lists) -> Result<()> {
        for (k, name) in NAMES.into_iter().enumerate() {
            let (needed, given) = (self.listed >> k & 1 == 1, lists.given() >> k & 1 == 1);
            if needed && !given {
                return Err(Status::NullPointer.of(name));
            }
            Status::InvalidArgument.of(name).unless(needed || !given, Detail::NoList, 0, 0)?;
        }
        Ok(())
    }

    /// INVALID_ARGUMENT where the plan needs lists and the call has none.
    pub fn check_listed(&self) -> Result<()> {
        let given = self.lists.given() == self.listed;
        Status::InvalidArgument.of(Argument::Plan).unless(given, Detail::NeedsLists, 0, 0)
    }

    /// INVALID_ARGUMENT if a call has no lists, OUT_OF_BOUNDS if they are too short, OVERLAP if one shares bytes with
    /// what is reached of the destination.
    pub fn check_lists(&self, entries: Option<[i64; 2]>, dst_address: u64, dst: Reach) -> Result<()> {
        self.check_listed()?;
        let lists = &self.lists;
        if self.listed == 0 {
            return Ok(());
        }
        let outside = Status::OutOfBounds.of(Argument::ValueCount);
        let [lowest, highest] = entries.ok_or(outside)?;
        if lowest < 0 || highest as u64 >= lists.count {
            let entry = if lowest < 0 { lowest } else { highest };
            return Err(outside.because_wide(Detail::ValueCount, entry as i128, lists.count as i128));
        }
        for (list, name) in lists.pointers.iter().zip(NAMES).filter(|(list, _)| !list.is_null()) {
            let begin = (list.addr() as u64).wrapping_add(lowest as u64 * 4);
            let end = begin.wrapping_add((highest - lowest + 1) as u64 * 4);
            let to = (dst_address.wrapping_add(dst.lowest as u64), dst_address.wrapping_add(dst.end as u64));
            if begin < to.1 && to.0 < end {
                return Err(Status::Overlap.of(name).because(Detail::SharedList, 0, dst.end - dst.lowest));
            }
        }
        Ok(())
    }
}

/// Words of a conversion in a plan, before its loops: dtypes; flags and the numbers that have lists; three numbers; the
/// entry of the first element, and the step within a run.
pub(crate) const CONVERSION_WORDS: usize = 7;

impl Converting<'_> {
    /// The numbers of both dtypes, the destination's first.
    pub fn codes(&self) -> (i64, i64) {
        (self.conversion.dst.code() as i64, self.conversion.src.code() as i64)
    }

    pub fn words(&self) -> [u64; CONVERSION_WORDS] {
        let Conversion { dst, src, flags, numbers: [subtract, scale, add] } = self.conversion;
        let dtypes = dst.code() as u64 | (src.code() as u64) << 32;
        let flags = flags as u64 | (self.listed as u64) << 32;
        let Values { base, within, .. } = self.values;
        [dtypes, flags, subtract.to_bits(), scale.to_bits(), add.to_bits(), base as u64, within as u64]
    }
}

impl fmt::Display for Converting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conversion { dst, src, flags, .. } = self.conversion;
        write!(f, "; {src} becomes {dst}")?;
        if flags & AFFINE != 0 {
            let name =
                |k: u8, one: &'static str, many: &'static str| if self.listed >> k & 1 == 1 { many } else { one };
            let operator = if flags & DIVIDE != 0 { '/' } else { '*' };
            let [subtract, scale, add] =
                [name(0, "subtract", "subtracts"), name(1, "scale", "scales"), name(2, "add", "adds")];
            write!(f, " as (x - {subtract}) {operator} {scale} + {add}")?;
        }
        for (flag, name) in
            [(NEAREST, "to nearest"), (SATURATE, "saturated"), (FINITE, "finite"), (ADD_LAST, "added last")]
        {
            if flags & flag != 0 {
                write!(f, ", {name}")?;
            }
        }
        Ok(())
    }
}

/// Decodes the words that follow a header: the conversion, and the number of words after it that are loops. `None` if
/// they are not a conversion.
pub(crate) fn decode<'a>(header: &[u64; HEADER], words: &'a [i64]) -> Option<(Converting<'a>, usize)> {
    let [first, shape, ..] = *header;
    let count = loops_in_use(shape);
    let (converting, rest) = decode_conversion(words)?;
    let (_, steps) = rest.split_at_checked(3 * count)?;
    let all = HEADER + CONVERSION_WORDS + 4 * count;
    let known = first == first_word(all) && shape >> 32 & 0xFF == count as u64 && shape >> KIND == CONVERTS;
    let converting = Converting { values: Values { steps, ..converting.values }, ..converting };
    (known && steps.len() == count).then_some((converting, 3 * count))
}

/// The conversion at the begin of words, without steps, and the words after it.
pub(crate) fn decode_conversion(words: &[i64]) -> Option<(Converting<'static>, &[i64])> {
    let (conversion, rest) = words.split_first_chunk::<CONVERSION_WORDS>()?;
    let [dtypes, flags, subtract, scale, add, base, within] = *conversion;
    let (dst, src) = (Dtype::new(dtypes as u32).ok()?, Dtype::new((dtypes >> 32) as u32).ok()?);
    let numbers = [subtract, scale, add].map(|number| f64::from_bits(number as u64));
    let conversion = Conversion { dst, src, flags: flags as u32, numbers };
    let listed = u8::try_from(flags >> 32).ok().filter(|&listed| listed < 8)?;
    let sound = conversion.check().is_ok() && conversion.steps().is_ok() && !conversion.is_none();
    let values = Values { base, within, steps: &[] };
    sound.then_some((Converting { conversion, listed, values, lists: Lists::NONE }, rest))
}

/// INVALID_ARGUMENT for words that are no plan of a conversion.
#[cold]
pub(crate) fn not_a_conversion(header: &[u64; HEADER]) -> Error {
    let [_, shape, _, width, ..] = *header;
    let error = Status::InvalidArgument.of(Argument::Plan);
    error.because(Detail::PlanWords, (shape & KERNEL) as i64, width as i64)
}
