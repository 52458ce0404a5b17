//! Copies that convert: portion by portion, from the source to the stack, and from there to the destination.
//!
//! ```text
//! source -> kernel of the copy -> portion, source's dtype -> converter -> piece of a row, destination's dtype -> destination
//! ```
//!
//! A portion is some iterations of the plan's loops. The kernel that was chosen for the copy builds it, as if it were the
//! destination. Its rows are runs of the destination. They are converted where they go, or on the stack if they go past
//! the caches, have gaps, or are numbers of another order. Rows of the source that are long enough are converted from
//! where they are.
//!
//! Parts are shares of the portions.

use super::super::choose::Choice;
use super::super::conversion::{Conversion, Steps};
use super::super::converting::{Converting, Lists};
use super::super::kernels::convert::{Conversion as How, Convert, Rooms};
use super::super::kernels::{self, Family, Inner, LINE, Store, find};
use super::super::loops::{Loop, MAX_LOOPS};
use super::super::nest::{Nest, Packing, Reach, Unit};
use super::super::plan::PlanView;
use super::converter::Converter;
use super::matrices::run_matrices;
use super::odometer::Odometer;
use super::stage::run_direct;
use super::tile_stage::{Change, Tiles};
use super::walk::run_large;
use super::{Dst, bit_walk, rest};
use crate::machine::Level;
use arrayvec::ArrayVec;
use core::mem::MaybeUninit;

/// Bytes of a portion: a page, so that reading and writing overlap. (Pixels of u8 to planes of f32, 25 to 100 MB, on
/// Zen 5: 8 KiB take 1.3 to 1.5 times as long.)
const PORTION: usize = 4 << 10;
/// Bytes of a piece of a row that is converted on the stack.
const PIECE: usize = 4 << 10;
/// The same with a small stack.
const SMALL: usize = 512;

#[repr(align(64))]
struct StackBytes<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

/// Runs part `part` of `parts` of a plan that converts.
///
/// # Safety
/// The reach was proved to lie in both buffers, and that of the lists in these. No byte belongs to both sides, unless
/// each element is its own source.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_part(
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: *mut u8,
    src: *const u8,
    part: [u32; 2],
) {
    // SAFETY: as promised to this function.
    unsafe {
        if is_transpose(&plan.choice, converting) && plan.choice.kernel().level.is_here() {
            run_transpose(plan, converting, dst, src, part);
        } else if plan.choice.small_stack {
            with_rooms::<SMALL, SMALL>(plan, converting, dst, src, part);
        } else {
            with_rooms::<PORTION, PIECE>(plan, converting, dst, src, part);
        }
    }
}

/// # Safety
/// As [`run_part`].
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
    // SAFETY: as promised to this function.
    unsafe { run_in(plan, converting, dst, src, part, rooms) };
}

/// Whether a plan is a transpose whose numbers are converted before they are transposed. Those that become wider are
/// converted behind it, as portions of others, unless they go past the caches.
fn is_transpose(choice: &Choice, converting: &Converting<'_>) -> bool {
    let Conversion { dst, src, .. } = converting.conversion;
    choice.kernel().family == Family::Transpose
        && choice.chunk == 0
        && !choice.small_stack
        && converting.listed == 0
        && dst.bits() >= 8
        && (dst.bits() <= src.bits() || choice.store.is_past())
        && !dst.is_swapped()
        && !src.is_swapped()
        && Conversion::parts(dst) == Conversion::parts(src)
}

/// [`run_part`] for transposes.
///
/// # Safety
/// As there.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_transpose(
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: *mut u8,
    src: *const u8,
    part: [u32; 2],
) {
    let Ok(steps) = converting.conversion.steps() else { return };
    let (numbers, mut rooms) = (converting.conversion.numbers, Rooms::NEW);
    let converter = Converter {
        how: How { steps, numbers, lists: None, first: 0, inner: 1, step: 0, outer: 0, runs: Loop::ONCE },
        convert: kernels::converter(plan.options.level(Level::best())),
        rooms: &raw mut rooms,
        dst,
        widths: [steps.src, steps.dst].map(|kind| (kind.bits() / 8).trailing_zeros()),
    };
    // SAFETY: as promised to this function: parts of it.
    plan.with_part(part, |choice, nest| unsafe {
        let level = choice.kernel().level;
        let kernel = find(Family::Transpose, converter.bytes(nest.width as usize) as i64, level);
        // Whatever the words of a plan say, a portion has room.
        let fits = is_transpose(&choice, converting) && nest.width <= kernels::WIDEST_ELEMENT;
        let kernel = kernel.filter(|_| fits);
        let Some(kernels::Run::Tile(kernel)) = kernel.and_then(|at| kernels::KERNELS.get(at)).map(|kernel| kernel.run)
        else {
            // A part that is none itself.
            let part = PlanView { nest: *nest, choice, ..*plan };
            return with_rooms::<PORTION, PIECE>(&part, converting, dst, src, [0, 1]);
        };
        let tiles = Tiles::new(kernel, level, Change::Convert(&converter));
        let (places, from) = nest.begin(dst, src);
        run_matrices(&tiles, &choice, nest, places, from);
        if choice.store.is_past() {
            kernels::fence();
        }
    });
}

/// What the portions of a copy have in common.
struct Walk<'a> {
    nest: Nest<'a>,
    /// Steps in the lists, of a run and of each loop.
    within: i64,
    values: &'a [i64],
    choice: Choice,
    converting: &'a Converting<'a>,
    steps: Steps,
    lists: &'a Lists,
    convert: Convert,
    /// Of the converter.
    rooms: *mut Rooms,
    level: Level,
    /// Iterations of each loop in a portion.
    cuts: ArrayVec<i64, MAX_LOOPS>,
    /// How many of the first loops a portion has.
    used: usize,
    /// Whether rows are converted from the source as it is.
    in_place: bool,
    past: bool,
    /// Whether all rows are converted to a piece on the stack first; those with gaps are anyway.
    staged: bool,
    dst: *mut u8,
    src: *const u8,
}

/// # Safety
/// As [`run_part`].
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
    let (mut rooms, to) = (Rooms::NEW, conversion.dst);
    let mut walk = Walk {
        nest,
        within,
        values: steps_of_values,
        choice,
        converting,
        steps,
        lists: &converting.lists,
        convert: kernels::converter(level),
        rooms: &raw mut rooms,
        level,
        cuts: ArrayVec::new(),
        used: 0,
        in_place,
        past,
        staged: past || to.bits() < 8 || to.is_swapped() || Conversion::parts(to) != Conversion::parts(conversion.src),
        dst,
        src,
    };
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
    // Where the first portion begins in each loop.
    let mut places = ArrayVec::<i64, MAX_LOOPS>::new();
    let mut rest = first;
    for (l, &cut) in nest.loops.iter().zip(&walk.cuts) {
        let portions = portions(l, cut).max(1);
        let _ = places.try_push(rest % portions);
        rest /= portions;
    }
    for _ in first..end {
        // SAFETY: iterations of the plan; there is room for them.
        unsafe { walk.portion(&places, portion, piece, piece_bytes) };
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

/// Fills what no element of the destination occupies, as [`rest::fill`].
///
/// # Safety
/// As there.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn fill(
    plan: &PlanView<'_>,
    converting: &Converting<'_>,
    dst: Dst,
    reach: Reach,
    part: [u32; 2],
) -> [u32; 2] {
    let mut share = part;
    converting.with_dst_nest(&plan.nest, &mut |nest| {
        // SAFETY: as promised to this function.
        share = unsafe { rest::fill(&PlanView { nest: *nest, converting: None, ..*plan }, dst, reach, part) };
    });
    share
}

/// Numbers of the lists along a row: `step` from one to the next of `inner`, `outer` from these to the next ones.
#[derive(Clone, Copy)]
struct Pattern {
    inner: i64,
    step: i64,
    outer: i64,
}

impl Walk<'_> {
    /// Cuts several loops that are one run: all but the last one that is taken are whole. Iterations that are taken.
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
        if all > room && !self.in_place {
            self.cuts.iter_mut().for_each(|cut| *cut = 1);
        }
        let several = self.cuts.iter().rposition(|&cut| cut > 1).map_or(0, |at| at + 1);
        self.used = self.used.max(several).min(loops.len());
    }

    /// Moves the portion at these places.
    ///
    /// # Safety
    /// As [`run_part`]; `room` has room for it, and `piece` for so many bytes.
    unsafe fn portion(&self, places: &[i64], room: *mut u8, piece: *mut u8, piece_bytes: usize) {
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
        let elements = self.converting.elements(unit, width);
        // The row: the first loops that follow each other, with at most two steps in the lists.
        let mut pattern = Pattern { inner: elements, step: self.within, outer: 0 };
        let (mut count, mut row, mut bytes) = (elements, 0, width);
        let mut gap = None;
        for (at, (l, &value)) in made.iter().zip(self.values).enumerate() {
            let follows = l.dst == bytes && (l.src == bytes || !self.in_place);
            let gapped =
                at == 0 && !self.in_place && !follows && elements * self.converting.conversion.dst.bits() <= 2048;
            let single = pattern.inner == count;
            // Without lists the words may say anything of the values, of which none is read.
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
        if !self.in_place {
            let nest = Nest { unit, width, dst_base: 0, src_base: from, loops: &made };
            // SAFETY: iterations of the plan, into room for them.
            unsafe {
                if unit != Unit::Bytes {
                    core::ptr::write_bytes(room, 0, (step as usize).div_ceil(8));
                }
                run_large(self.choice, &nest, room, self.src);
                if self.converting.conversion.src.is_swapped() {
                    swap(room, step as usize, self.steps.src.bits() / 8);
                }
            }
        }
        // From the portion, or from where they are, to the rows' own places.
        for (made, l) in made.iter_mut().zip(loops) {
            (made.dst, made.src) = (l.dst, if self.in_place { l.src } else { made.dst });
        }
        let mut rows = made.get(row..).unwrap_or(&[]);
        let mut runs = Loop::ONCE;
        if self.converting.listed == 0
            && !(self.staged || gap.is_some())
            && let [first, others @ ..] = rows
        {
            let src = if unit == Unit::Bytes { first.src } else { first.src >> 3 };
            runs = Loop { count: first.count, dst: self.converting.place(unit, first.dst) >> 3, src };
            rows = others;
        }
        let mut odometer = Odometer::new(rows, to, if self.in_place { from } else { 0 });
        let source = if self.in_place { self.src } else { room.cast_const() };
        odometer.begin();
        loop {
            let to = self.converting.place(unit, odometer.dst);
            let from = if unit == Unit::Bytes { odometer.src } else { odometer.src >> 3 };
            let steps = self.values.iter().skip(row).zip(&odometer.at);
            let entry = steps.fold(entry, |entry, (value, round)| entry.wrapping_add(value.wrapping_mul(*round)));
            // SAFETY: a row of the portion.
            unsafe {
                let from = source.wrapping_offset(from as isize);
                self.row(to, from, count, entry, pattern, runs, gap, piece, piece_bytes)
            };
            if !odometer.advance() {
                break;
            }
        }
    }

    /// Converts a row of so many elements to bit `to` of the destination; `runs` are more of them, if there is neither
    /// a list nor a piece.
    ///
    /// # Safety
    /// The rows may be read and written; as [`Walk::portion`].
    #[expect(clippy::too_many_arguments)]
    unsafe fn row(
        &self,
        to: i64,
        from: *const u8,
        count: i64,
        first: i64,
        pattern: Pattern,
        runs: Loop,
        gap: Option<Loop>,
        piece: *mut u8,
        piece_bytes: usize,
    ) {
        let Conversion { dst, src, .. } = self.converting.conversion;
        let (dst_bits, src_bits) = (dst.bits(), src.bits());
        let (dst_parts, src_parts) = (Conversion::parts(dst), Conversion::parts(src));
        let Pattern { inner, step, outer } = pattern;
        let how = |first: i64, inner: i64, outer: i64| How {
            steps: self.steps,
            numbers: self.converting.conversion.numbers,
            lists: (self.converting.listed != 0).then_some(&self.lists.pointers),
            first,
            inner: inner.max(1) as usize,
            step,
            outer,
            runs,
        };
        let at = |bits: i64| self.dst.wrapping_offset((bits >> 3) as isize);
        if !(self.staged || gap.is_some()) {
            // SAFETY: as promised to this function.
            return unsafe {
                (self.convert)(at(to), from, (count * src_parts) as usize, &how(first, inner, outer), &mut *self.rooms)
            };
        }
        // Elements that stay together, and those of a piece.
        let together = gap.map_or(1, |_| self.converting.elements(self.nest.unit, self.nest.width)).max(1);
        let most = (quotient(piece_bytes as i64 * 8, dst_bits * 2 * together) * 2 * together).max(together);
        let mut done = 0;
        while done < count {
            let (round, inside) = if inner < count { (done / inner.max(1), done % inner.max(1)) } else { (0, done) };
            let first = first.wrapping_add(round.wrapping_mul(outer)).wrapping_add(inside.wrapping_mul(step));
            let left = most.min(count - done);
            let (now, how) = if inside != 0 || inner > left {
                (left.min(inner - inside), how(first, i64::MAX, 0))
            } else {
                let now = quotient(left, inner) * inner;
                (now, how(first, inner, outer))
            };
            let now = if together > 1 && now > together { quotient(now, together) * together } else { now };
            let from = from.wrapping_offset((done * src_bits / 8) as isize);
            // SAFETY: elements of the row, for which the piece has room.
            unsafe {
                (self.convert)(piece, from, (now * src_parts) as usize, &how, &mut *self.rooms);
                if self.past && self.in_place {
                    // What is read next is on its way while the piece is written.
                    let bytes = (now * src_bits / 8) as usize;
                    kernels::ask(from.wrapping_add(bytes), bytes, false);
                }
                if dst_parts != src_parts {
                    spread(piece, now as usize, self.steps.dst.bits() / 8);
                }
                if dst.is_swapped() {
                    swap(piece, (now * dst_bits / 8) as usize, self.steps.dst.bits() / 8);
                }
                self.put(to, piece, done, now, gap.map(|gap| (gap, together)));
            }
            done += now;
        }
    }

    /// Writes elements `done … done + now` of a row, which are at `piece`.
    ///
    /// # Safety
    /// As [`Walk::row`].
    unsafe fn put(&self, to: i64, piece: *const u8, done: i64, now: i64, gap: Option<(Loop, i64)>) {
        let (dst, unit) = (self.converting.conversion.dst, self.nest.unit);
        let bits_each = dst.bits();
        // The elements as a nest: one run, or runs with gaps.
        let (begin, width, loops) = match gap {
            None => (to + done * bits_each, now * bits_each, [Loop::ONCE]),
            Some((l, together)) => {
                let step = self.converting.place(unit, l.dst);
                let round = quotient(done, together);
                let inside = done - round * together;
                let runs = Loop { count: quotient(now, together).max(1), dst: step, src: together * bits_each };
                (to + round * step + inside * bits_each, now.min(together) * bits_each, [runs])
            }
        };
        let [l] = loops;
        // SAFETY: as promised to this function.
        unsafe {
            if bits_each < 8 {
                let packing = Packing { element: bits_each as u32, dst_high: dst.is_high_first(), src_high: false };
                let nest = Nest { unit: Unit::Bits(packing), width, dst_base: begin, src_base: 0, loops: &loops };
                return bit_walk::run(&nest, packing, true, self.dst, piece);
            }
            let (to, width) = (self.dst.wrapping_offset((begin >> 3) as isize), width >> 3);
            let l = Loop { count: l.count, dst: l.dst >> 3, src: l.src >> 3 };
            if gap.is_none() {
                let inner = Inner { hints: 0, width, a: Loop::ONCE, b: Loop::ONCE, c: Loop::ONCE, ahead: 0 };
                if self.past {
                    kernels::writer(self.level).1(to, piece, &inner);
                } else {
                    core::ptr::copy(piece, to, width as usize);
                }
                return;
            }
            let kernel =
                find(Family::Strided, width, self.level).or(find(Family::Rows, width, self.level)).unwrap_or(0);
            if let Some(kernel) = kernels::KERNELS.get(kernel)
                && let kernels::Run::Inner(run) = kernel.run
            {
                let loops = [l];
                let nest = Nest { unit: Unit::Bytes, width, dst_base: 0, src_base: 0, loops: &loops };
                run_direct(run, kernel.family, 0, &nest, to, piece);
            }
        }
    }
}

/// Swaps the bytes of numbers.
///
/// # Safety
/// So many bytes may be read and written.
unsafe fn swap(at: *mut u8, bytes: usize, width: usize) {
    for number in (0..bytes / width.max(1)).map(|k| at.wrapping_add(k * width)) {
        for (low, high) in (0..width / 2).map(|low| (low, width - 1 - low)) {
            // SAFETY: as promised to this function.
            unsafe { core::ptr::swap(number.wrapping_add(low), number.wrapping_add(high)) };
        }
    }
}

/// The quotient of two counts; 0 where there is none.
fn quotient(count: i64, by: i64) -> i64 {
    count.checked_div(by).unwrap_or(0)
}

/// Real numbers of so many bytes, 4 or 8, become complex ones, in place; NaNs become quiet.
///
/// # Safety
/// There is room for twice as many.
unsafe fn spread(at: *mut u8, count: usize, width: usize) {
    for k in (0..count).rev() {
        let (from, to) = (at.wrapping_add(k * width), at.wrapping_add(2 * k * width));
        // SAFETY: as promised to this function; what is overwritten was read before.
        unsafe {
            if width == 4 {
                let number = from.cast::<u32>().read_unaligned();
                let quiet = if f32::from_bits(number).is_nan() { 1 << 22 } else { 0 };
                to.cast::<[u32; 2]>().write_unaligned([number | quiet, 0]);
            } else {
                let number = from.cast::<u64>().read_unaligned();
                let quiet = if f64::from_bits(number).is_nan() { 1 << 51 } else { 0 };
                to.cast::<[u64; 2]>().write_unaligned([number | quiet, 0]);
            }
        }
    }
}
