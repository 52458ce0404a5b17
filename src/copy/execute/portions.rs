//! Copies that convert: portion by portion, from the source to the stack, and from there to the destination.
//!
//! ```text
//! source -> kernel of the copy -> portion of source's dtype -> converter -> rows of destination's dtype -> destination
//! ```
//!
//! A portion is some iterations of the plan's loops. The copy's kernel builds it, as if it were the destination. Its
//! rows are runs of the destination (`portion_rows`). Rows of the source that are long enough are converted from where
//! they are.
//!
//! Parts are shares of the portions.

use super::super::choose::Choice;
use super::super::conversion::Conversion;
use super::super::converting::Converting;
use super::super::kernels::number_runs::Pass;
use super::super::kernels::{self, Family, LINE, Store, find};
use super::super::loops::{Loop, MAX_LOOPS};
use super::super::nest::{Nest, Unit};
use super::super::plan::PlanView;
use super::odometer::Odometer;
use super::portion_rows::{Pattern, Row, RowWriter, quotient, swap};
use super::walk::run_large;
use crate::machine::Level;
use arrayvec::ArrayVec;
use core::mem::MaybeUninit;

/// Bytes of a portion: a page, so that reading and writing overlap. (Pixels of u8 to planes of f32, 25 to 100 MB, on
/// Zen 5: 8 KiB take 1.3 to 1.5 times as long.)
const PORTION: usize = 4 << 10;
/// Bytes of a piece of a row that is converted on the stack.
const PIECE: usize = 4 << 10;
/// Bytes of a portion, and of a piece, with a small stack.
const SMALL: usize = 512;

/// Bytes of the stack, from the begin of a line on.
#[repr(align(64))]
struct StackBytes<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

/// Runs part `part` of `parts` of a plan that converts, portion by portion.
///
/// # Safety
/// P1 to P3, and P5.
pub(super) unsafe fn run_portions(
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: *mut u8,
    src: *const u8,
    part: [u32; 2],
) {
    // SAFETY: P1 to P3, and P5.
    unsafe {
        if plan.choice.small_stack {
            with_rooms::<SMALL, SMALL>(plan, converting, dst, src, part);
        } else {
            with_rooms::<PORTION, PIECE>(plan, converting, dst, src, part);
        }
    }
}

/// # Safety
/// P1 to P3, and P5.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn with_rooms<const PORTION: usize, const PIECE: usize>(
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: *mut u8,
    src: *const u8,
    part: [u32; 2],
) {
    let mut portion = StackBytes::<PORTION>(MaybeUninit::uninit());
    let mut piece = StackBytes::<PIECE>(MaybeUninit::uninit());
    let rooms = [(portion.0.as_mut_ptr().cast::<u8>(), PORTION), (piece.0.as_mut_ptr().cast::<u8>(), PIECE)];
    // SAFETY: P1 to P3, and P5; the portion and the piece are this call's, with so many bytes.
    unsafe { run_in(plan, converting, dst, src, part, rooms) };
}

/// The data that all portions of a copy share.
struct Portions<'a> {
    nest: Nest<'a>,
    /// Steps in the lists: within a run, and of each loop.
    within: i64,
    values: &'a [i64],
    choice: Choice,
    converting: &'a Converting<'a>,
    rows: RowWriter<'a>,
    /// Iterations of each loop in a portion.
    cuts: ArrayVec<i64, MAX_LOOPS>,
    /// The number of first loops that a portion has.
    used: usize,
    src: *const u8,
}

/// # Safety
/// P1 to P3, and P5; the portion and the piece may be written.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_in(
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: *mut u8,
    src: *const u8,
    [part, parts]: [u32; 2],
    [(portion, portion_bytes), (piece, piece_bytes)]: [(*mut u8, usize); 2],
) {
    let Ok(steps) = converting.conversion.steps() else { return };
    let (nest, conversion) = (plan.nest, &converting.conversion);
    let level = plan.options.level(Level::best());
    let choice = if plan.choice.kernel().level.is_here() { plan.choice } else { Choice::anywhere(nest.width) };
    let past = choice.store == Store::Past && level.has_streams();
    let choice = Choice { store: Store::Direct, ..choice };
    let in_bits = nest.unit != Unit::Bytes;
    let rows = choice.kernel().family == Family::Rows && nest.width >= LINE as i64;
    let in_place = !in_bits && (rows || nest.loops.is_empty()) && !conversion.src.is_swapped();
    // Rows of nibbles begin at bytes, which may take twice as much.
    let room = if in_bits { 4 * portion_bytes as i64 } else { portion_bytes as i64 };
    // A run that a portion cannot hold is a loop over its elements.
    let (mut loops, mut entries) = (ArrayVec::<Loop, MAX_LOOPS>::new(), ArrayVec::<i64, MAX_LOOPS>::new());
    let (mut nest, mut choice, mut within) = (nest, choice, converting.values.within);
    let mut steps_of_values = converting.values.steps;
    if !in_place && nest.width > room {
        let count = converting.elements(nest.unit, nest.width).max(1);
        let width = nest.width / count;
        let all = [Loop { count, dst: width, src: width }].into_iter().chain(nest.loops.iter().copied());
        all.for_each(|item| _ = loops.try_push(item));
        [within].iter().chain(steps_of_values).for_each(|&step| _ = entries.try_push(step));
        let strided = find(Family::Strided, width, level).filter(|_| !in_bits);
        choice =
            strided.map_or(choice, |kernel| Choice { small_stack: choice.small_stack, ..Choice::of(kernel as u8) });
        (nest, within) = (Nest { width, loops: &loops, ..nest }, 0);
        steps_of_values = &entries;
    }
    let (mut rooms, to) = (Pass::NEW, conversion.dst);
    let rows = RowWriter {
        converting,
        steps,
        convert: kernels::converter(level),
        rooms: &raw mut rooms,
        level,
        in_place,
        past,
        staged: past || to.bits() < 8 || to.is_swapped() || Conversion::parts(to) != Conversion::parts(conversion.src),
        unit: nest.unit,
        run: converting.elements(nest.unit, nest.width),
        dst,
        piece,
        piece_bytes,
    };
    let (cuts, used, values) = (ArrayVec::new(), 0, steps_of_values);
    let mut walk = Portions { nest, within, values, choice, converting, rows, cuts, used, src };
    walk.cut(room);
    // A byte of nibbles needs a single writer.
    let shares = if conversion.dst.bits() < 8 { [u64::from(part), 1] } else { [u64::from(part), u64::from(parts)] };
    let portions = |l: &Loop, cut: i64| l.count / cut.max(1) + i64::from(l.count % cut.max(1) != 0);
    let total = nest.loops.iter().zip(&walk.cuts).map(|(l, &cut)| portions(l, cut)).product::<i64>().max(0) as u128;
    let share = |part: u64| {
        if part >= shares[1] { total } else { (total * part as u128).checked_div(shares[1] as u128).unwrap_or(0) }
    };
    let (first, end) = (share(shares[0]) as i64, share(shares[0] + 1) as i64);
    if shares[0] >= shares[1] {
        return;
    }
    // The place of the first portion in each loop.
    let mut places = ArrayVec::<i64, MAX_LOOPS>::new();
    let mut rest = first;
    for (l, &cut) in nest.loops.iter().zip(&walk.cuts) {
        let portions = portions(l, cut).max(1);
        let _ = places.try_push(rest % portions);
        rest /= portions;
    }
    for _ in first..end {
        // SAFETY: P1 to P3, and P5: a portion is iterations of the plan, and `cut` made it so small that it has room.
        unsafe { walk.portion(&places, portion) };
        for ((l, &cut), place) in nest.loops.iter().zip(&walk.cuts).zip(&mut places) {
            *place += 1;
            if *place * cut < l.count {
                break;
            }
            *place = 0;
        }
    }
    if past {
        kernels::fence();
    }
}

impl Portions<'_> {
    /// Cuts several loops that are one run: all but the last one that is taken are whole. Returns the iterations that
    /// are taken.
    #[inline(never)] // once for all kernels
    fn cut_run(&mut self, range: core::ops::Range<usize>, most: i64) -> i64 {
        let mut taken = 1;
        for at in range {
            let (Some(cut), Some(l)) = (self.cuts.get_mut(at), self.nest.loops.get(at)) else { break };
            *cut = l.count.min(quotient(most, taken)).max(1);
            taken *= *cut;
            if *cut != l.count {
                break;
            }
        }
        taken
    }

    /// Cuts the loops into portions of at most so many bytes, or bits, of the source.
    fn cut(&mut self, room: i64) {
        let (loops, family) = (self.nest.loops, self.choice.kernel().family);
        let in_bytes = self.nest.unit == Unit::Bytes;
        for _ in loops {
            let _ = self.cuts.try_push(1);
        }
        let mut left = (room / self.nest.width.max(1)).max(1);
        let Choice { dst_run, src_run, chunk, .. } = self.choice;
        self.used = match family {
            Family::Transpose if in_bytes => {
                let (begin, along_src) = (chunk as usize, (chunk + dst_run) as usize);
                left = quotient(left, self.cut_run(0..begin, i64::MAX));
                // A quarter of a KiB of each row of the destination, or what a tile needs.
                let elements = self.converting.elements(self.nest.unit, self.nest.width).max(1);
                let row = 2048 / self.converting.conversion.dst.bits().max(1) / elements;
                left = quotient(left, self.cut_run(begin..along_src, row.clamp(32, 256).min(left.max(1))));
                self.cut_run(along_src..along_src + src_run as usize, left.max(1));
                along_src + src_run as usize
            }
            Family::Permute if in_bytes => {
                left = quotient(left, self.cut_run(0..dst_run as usize, i64::MAX));
                self.cut_run(dst_run as usize..dst_run as usize + 1, left.max(1));
                dst_run as usize + 1
            }
            Family::Deinterleave(channels) if in_bytes => {
                self.cut_run(1..2, i64::MAX);
                self.cut_run(0..1, (left / channels.max(1)).max(1));
                2
            }
            Family::Interleave(channels) if in_bytes => {
                self.cut_run(0..1, i64::MAX);
                self.cut_run(1..2, (left / channels.max(1)).max(1));
                2
            }
            _ => {
                self.cut_run(0..loops.len(), left);
                0
            }
        };
        // Whatever the words of a plan say, a portion has room.
        let all = self.cuts.iter().fold(self.nest.width, |all, &cut| all.saturating_mul(cut));
        if all > room && !self.rows.in_place {
            self.cuts.iter_mut().for_each(|cut| *cut = 1);
        }
        let several = self.cuts.iter().rposition(|&cut| cut > 1).map_or(0, |at| at + 1);
        self.used = self.used.max(several).min(loops.len());
    }

    /// Moves the portion at these places.
    ///
    /// # Safety
    /// P1 to P3, and P5; `room` has room for the portion.
    unsafe fn portion(&self, places: &[i64], room: *mut u8) {
        let Nest { unit, width, dst_base, src_base, loops } = self.nest;
        let (mut to, mut from, mut entry) = (dst_base, src_base, self.converting.values.base);
        // The iterations of the portion.
        let mut made = ArrayVec::<Loop, MAX_LOOPS>::new();
        for (((l, &cut), &place), &value) in loops.iter().zip(&self.cuts).zip(places).zip(self.values) {
            let begin = place * cut;
            to += begin * l.dst;
            from += begin * l.src;
            entry = entry.wrapping_add(begin.wrapping_mul(value));
            let _ = made.try_push(Loop { count: cut.min(l.count - begin), ..*l });
        }
        made.truncate(self.used);
        let (elements, in_place) = (self.rows.run, self.rows.in_place);
        // A row is the first loops that follow each other, with at most two steps in the lists.
        let mut pattern = Pattern { inner: elements, step: self.within, outer: 0 };
        let (mut count, mut row, mut bytes) = (elements, 0, width);
        let mut gap = None;
        for (at, (l, &value)) in made.iter().zip(self.values).enumerate() {
            let follows = l.dst == bytes && (l.src == bytes || !in_place);
            let gapped = at == 0 && !in_place && !follows && elements * self.converting.conversion.dst.bits() <= 2048;
            let single = pattern.inner == count;
            // Without lists the words may say anything of the values, since none is read.
            let inner = pattern.inner.max(1);
            let in_list =
                if single { count.wrapping_mul(pattern.step) } else { (count / inner).wrapping_mul(pattern.outer) };
            let continues = value == in_list;
            let nibbles = unit != Unit::Bytes && pattern.inner & 1 != 0;
            if !(follows || gapped) || gap.is_some() || !continues && (!single || nibbles) {
                break;
            }
            if single && continues {
                pattern.inner = count * l.count;
            } else if single {
                pattern.outer = value;
            }
            gap = if gapped { Some(*l) } else { None };
            (count, row, bytes) = (count * l.count, at + 1, bytes * l.count);
        }
        // The portion's own places: without gaps, rows from a byte on.
        let mut step = width;
        for (at, l) in made.iter_mut().enumerate() {
            if at == row && unit != Unit::Bytes {
                step = (step + 7) & !7;
            }
            l.dst = step;
            step *= l.count;
        }
        if !in_place {
            let nest = Nest { unit, width, dst_base: 0, src_base: from, loops: &made };
            // SAFETY: P1, P2: iterations of the plan, and the portion, which has room, apart from the source. P3: `cut`
            // leaves whole what a kernel counts; packed steps are those of runs.
            unsafe {
                if unit != Unit::Bytes {
                    core::ptr::write_bytes(room, 0, (step as usize).div_ceil(8));
                }
                run_large(self.choice, &nest, room, self.src);
                if self.converting.conversion.src.is_swapped() {
                    swap(room, step as usize, self.rows.steps.src.bits() / 8);
                }
            }
        }
        // The rows' places: in the destination, and in the portion or the source.
        for (made, l) in made.iter_mut().zip(loops) {
            (made.dst, made.src) = (l.dst, if in_place { l.src } else { made.dst });
        }
        let mut rows = made.get(row..).unwrap_or(&[]);
        let mut runs = Loop::ONCE;
        if self.converting.listed == 0
            && !(self.rows.staged || gap.is_some())
            && let [first, others @ ..] = rows
        {
            let src = if unit == Unit::Bytes { first.src } else { first.src >> 3 };
            runs = Loop { count: first.count, dst: self.converting.place(unit, first.dst) >> 3, src };
            rows = others;
        }
        let mut odometer = Odometer::new(rows, to, if in_place { from } else { 0 });
        let source = if in_place { self.src } else { room.cast_const() };
        odometer.begin();
        loop {
            let to = self.converting.place(unit, odometer.dst);
            let from = if unit == Unit::Bytes { odometer.src } else { odometer.src >> 3 };
            let steps = self.values.iter().skip(row).zip(&odometer.at);
            let entry = steps.fold(entry, |entry, (value, at)| entry.wrapping_add(value.wrapping_mul(*at)));
            let row = Row { to, from: source.wrapping_offset(from as isize), count, first: entry, pattern, runs, gap };
            // SAFETY: P1, P5: the row lies in the portion or the source, its place in the destination; K1: the level.
            unsafe { self.rows.write(&row) };
            if !odometer.advance() {
                break;
            }
        }
    }
}
