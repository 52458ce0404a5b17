//! Copies that convert: block by block, from the source to the stack, and from there to the destination.
//!
//! ```text
//! source -> kernel of the copy -> block, source's dtype -> converter -> piece of a row, destination's dtype -> destination
//! ```
//!
//! A block is some iterations of the plan's loops. The kernel that was chosen for the copy builds it, as if it were the
//! destination. Its rows are runs of the destination. They are converted where they go, or on the stack if they go past
//! the caches, have gaps, or are numbers of another order. Rows of the source that are long enough are converted from
//! where they are.
//!
//! Parts are shares of the blocks.

use super::super::choose::Choice;
use super::super::conversion::{Conversion, Steps};
use super::super::converting::{Converting, Lists};
use super::super::kernels::convert::{Conversion as How, Convert, Rooms};
use super::super::kernels::{self, Block, Family, LINE, Store, find};
use super::super::loops::{Loop, MAX_LOOPS, at_most};
use super::super::nest::{Nest, Packing, Reach, Unit};
use super::super::plan::PlanView;
use super::super::problem::Problem;
use super::matrices::run_matrices;
use super::odometer::Odometer;
use super::stage::{Change, run_direct};
use super::walk::run;
use super::{Dst, bits, rest};
use crate::machine::Level;
use crate::model::Dtype;
use arrayvec::ArrayVec;
use core::mem::MaybeUninit;

/// Bytes of a block, and of a piece of a row that is converted on the stack.
const BLOCK: usize = 8 << 10;
const PIECE: usize = 4 << 10;
/// The same with a small stack.
const SMALL: usize = 512;

#[repr(align(64))]
struct Room<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

/// Runs part `part` of `parts` of a plan that converts.
///
/// # Safety
/// The reach was proved to lie in both buffers, and that of the lists in these. No byte belongs to both sides, unless
/// each element is its own source.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_part(
    plan: &PlanView<'_>,
    converting: &Converting,
    dst: *mut u8,
    src: *const u8,
    [part, parts]: [u32; 2],
) {
    // SAFETY: as promised to this function.
    unsafe {
        if is_transpose(&plan.choice, converting) && plan.choice.kernel().level.is_here() {
            run_transpose(plan, converting, dst, src, [part, parts]);
        } else if plan.choice.small_stack {
            with_rooms::<SMALL, SMALL>(plan, converting, dst, src, [part, parts]);
        } else {
            with_rooms::<BLOCK, PIECE>(plan, converting, dst, src, [part, parts]);
        }
    }
}

/// # Safety
/// As [`run_part`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn with_rooms<const BLOCK: usize, const PIECE: usize>(
    plan: &PlanView<'_>,
    converting: &Converting,
    dst: *mut u8,
    src: *const u8,
    part: [u32; 2],
) {
    let mut block = Room::<BLOCK>(MaybeUninit::uninit());
    let mut piece = Room::<PIECE>(MaybeUninit::uninit());
    let rooms = [(block.0.as_mut_ptr().cast::<u8>(), BLOCK), (piece.0.as_mut_ptr().cast::<u8>(), PIECE)];
    // SAFETY: as promised to this function.
    unsafe { run_in(plan, converting, dst, src, part, rooms) };
}

/// What converts the pieces of a transpose, whose numbers have no lists.
pub struct Converter<'a> {
    how: How<'a>,
    convert: Convert,
    rooms: *mut Rooms,
    /// The destination: places count from here as well.
    dst: *mut u8,
    /// Bytes of a number of the source and of the destination, as powers of two.
    widths: [u32; 2],
    swapped: [bool; 2],
}

impl Converter<'_> {
    /// Where the element goes whose place is this.
    pub fn place(&self, place: *mut u8) -> *mut u8 {
        self.dst.wrapping_add(self.bytes(place.addr().wrapping_sub(self.dst.addr())))
    }

    /// Bytes of the destination for so many of the source.
    pub fn bytes(&self, bytes: usize) -> usize {
        let [src, dst] = self.widths;
        bytes >> src << dst
    }

    /// Converts so many bytes.
    ///
    /// # Safety
    /// They may be read, and what they become may be written.
    pub unsafe fn run(&self, to: *mut u8, made: *mut u8, bytes: usize) {
        let ([src, dst], [src_swapped, dst_swapped]) = (self.widths, self.swapped);
        // SAFETY: as promised to this function; nobody else has the rooms.
        unsafe {
            if src_swapped {
                swap(made, bytes, 1 << src);
            }
            (self.convert)(to, made, bytes >> src, &self.how, &mut *self.rooms);
            if dst_swapped {
                swap(to, self.bytes(bytes), 1 << dst);
            }
        }
    }
}

/// Whether a plan is a transpose whose pieces are converted as they leave the stage.
fn is_transpose(choice: &Choice, converting: &Converting) -> bool {
    let Conversion { dst, src, .. } = converting.conversion;
    choice.kernel().family == Family::Transpose
        && choice.block == 0
        && !choice.small_stack
        && converting.listed == 0
        && dst.bits() >= 8
        && Conversion::parts(dst) == Conversion::parts(src)
}

/// [`run_part`] for transposes; `false` if nothing was done.
///
/// # Safety
/// As there.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_transpose(
    plan: &PlanView<'_>,
    converting: &Converting,
    dst: *mut u8,
    src: *const u8,
    [part, parts]: [u32; 2],
) {
    let mut problem = Problem::nothing();
    problem.set(&plan.nest);
    let Ok(steps) = converting.conversion.steps() else { return };
    if !problem.part(part, parts) {
        return;
    }
    let choice = if plan.choice.fits(&problem.nest()) { plan.choice } else { plan.choose_part(&mut problem) };
    let nest = problem.nest();
    let store = if choice.store.is_past() { Store::Past } else { Store::Staged };
    let choice = Choice { store, ..choice };
    let level = plan.options.level(Level::best());
    let kernels::Run::Tile(kernel) = choice.kernel().run else {
        // SAFETY: a part of the iterations.
        return unsafe {
            with_rooms::<BLOCK, PIECE>(&PlanView { nest, choice, ..*plan }, converting, dst, src, [0, 1])
        };
    };
    let Conversion { dst: to, src: from, numbers, .. } = converting.conversion;
    let mut rooms = Rooms::NEW;
    let converter = Converter {
        how: How { steps, numbers, lists: None, first: 0, inner: 1, step: 0, outer: 0 },
        convert: kernels::converter(level),
        rooms: &raw mut rooms,
        dst,
        widths: [steps.src, steps.dst].map(|kind| (kind.bits() / 8).trailing_zeros()),
        swapped: [from, to].map(Dtype::is_swapped),
    };
    let (places, from) = nest.begin(dst, src);
    // SAFETY: as promised to this function.
    unsafe { run_matrices(kernel, choice, &nest, Change::Convert(&converter), places, from) };
    if choice.store.is_past() {
        kernels::fence();
    }
}

/// What the blocks of a copy have in common.
struct Walk<'a> {
    nest: Nest<'a>,
    /// Steps in the lists, of a run and of each loop.
    within: i64,
    values: &'a [i64],
    choice: Choice,
    converting: &'a Converting,
    steps: Steps,
    lists: &'a Lists,
    convert: Convert,
    /// Of the converter.
    rooms: *mut Rooms,
    level: Level,
    /// Iterations of each loop in a block.
    cuts: ArrayVec<i64, MAX_LOOPS>,
    /// How many of the first loops a block has.
    used: usize,
    /// Whether rows are converted from the source as it is.
    in_place: bool,
    past: bool,
    dst: *mut u8,
    src: *const u8,
}

/// # Safety
/// As [`run_part`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_in(
    plan: &PlanView<'_>,
    converting: &Converting,
    dst: *mut u8,
    src: *const u8,
    [part, parts]: [u32; 2],
    [(block, block_bytes), (piece, piece_bytes)]: [(*mut u8, usize); 2],
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
    let room = if in_bits { 4 * block_bytes as i64 } else { block_bytes as i64 };
    // A run that a block cannot hold is a loop over its elements.
    let (mut loops, mut entries) = (ArrayVec::<Loop, MAX_LOOPS>::new(), ArrayVec::<i64, MAX_LOOPS>::new());
    let (mut nest, mut choice, mut within) = (nest, choice, converting.values.within);
    let mut steps_of_values = converting.values.steps.as_slice();
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
    let mut rooms = Rooms::NEW;
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
        dst,
        src,
    };
    walk.cut(room);
    // A byte of nibbles needs a single writer.
    let shares = if conversion.dst.bits() < 8 { [u64::from(part), 1] } else { [u64::from(part), u64::from(parts)] };
    let blocks = |l: &Loop, cut: i64| l.count / cut.max(1) + i64::from(l.count % cut.max(1) != 0);
    let total = nest.loops.iter().zip(&walk.cuts).map(|(l, &cut)| blocks(l, cut)).product::<i64>().max(0) as u128;
    let share = |part: u64| {
        if part >= shares[1] { total } else { (total * part as u128).checked_div(shares[1] as u128).unwrap_or(0) }
    };
    let (first, end) = (share(shares[0]) as i64, share(shares[0] + 1) as i64);
    if shares[0] >= shares[1] {
        return;
    }
    // Where the first block begins in each loop.
    let mut places = ArrayVec::<i64, MAX_LOOPS>::new();
    let mut rest = first;
    for (l, &cut) in nest.loops.iter().zip(&walk.cuts) {
        let blocks = blocks(l, cut).max(1);
        let _ = places.try_push(rest % blocks);
        rest /= blocks;
    }
    for _ in first..end {
        // SAFETY: iterations of the plan; there is room for them.
        unsafe { walk.block(&places, block, piece, piece_bytes) };
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
    converting: &Converting,
    dst: Dst,
    reach: Reach,
    part: [u32; 2],
) -> [u32; 2] {
    // The destination as a copy of its own dtype has it.
    let (nest, to) = (plan.nest, converting.conversion.dst);
    let (unit, shift) = if to.bits() < 8 {
        let packing = Packing { element: to.bits() as u32, dst_high: to.is_high_first(), src_high: false };
        (Unit::Bits(packing), 0)
    } else {
        (Unit::Bytes, 3)
    };
    let place = |place: i64| converting.place(nest.unit, place) >> shift;
    let loops = at_most(nest.loops.iter().map(|l| Loop { count: l.count, dst: place(l.dst), src: 0 }));
    let nest = Nest { unit, width: place(nest.width), dst_base: place(nest.dst_base), src_base: 0, loops: &loops };
    // SAFETY: as promised to this function.
    unsafe { rest::fill(&PlanView { nest, converting: None, ..*plan }, dst, reach, part) }
}

/// Numbers of the lists along a row: `step` from one to the next of `inner`, `outer` from these to the next ones.
#[derive(Clone, Copy)]
struct Pattern {
    inner: i64,
    step: i64,
    outer: i64,
}

impl Walk<'_> {
    /// Cuts the loops into blocks of at most so many bytes, or bits, of the source.
    fn cut(&mut self, room: i64) {
        let (loops, family) = (self.nest.loops, self.choice.kernel().family);
        for _ in loops {
            let _ = self.cuts.try_push(1);
        }
        let mut left = (room / self.nest.width.max(1)).max(1);
        let mut take = |at: usize, most: i64| {
            let (Some(cut), Some(l)) = (self.cuts.get_mut(at), loops.get(at)) else { return (1, true) };
            *cut = l.count.min(most).max(1);
            (*cut, *cut == l.count)
        };
        // Several loops are one run: all but the last one that is taken are whole.
        let mut run = |range: core::ops::Range<usize>, most: i64| {
            let mut taken = 1;
            for at in range {
                let (cut, whole) = take(at, quotient(most, taken));
                taken *= cut;
                if !whole {
                    break;
                }
            }
            taken
        };
        let Choice { dst_run, src_run, block, .. } = self.choice;
        self.used = match family {
            _ if self.nest.unit != Unit::Bytes => {
                run(0..loops.len(), left);
                0
            }
            Family::Transpose => {
                let (begin, along_src) = (block as usize, (block + dst_run) as usize);
                left = quotient(left, run(0..begin, i64::MAX));
                // Half a KiB of each row of the destination, or what a tile needs.
                let elements = self.converting.elements(self.nest.unit, self.nest.width).max(1);
                let row = 4096 / self.converting.conversion.dst.bits().max(1) / elements;
                left = quotient(left, run(begin..along_src, row.clamp(32, 256).min(left.max(1))));
                run(along_src..along_src + src_run as usize, left.max(1));
                along_src + src_run as usize
            }
            Family::Permute => {
                left = quotient(left, run(0..dst_run as usize, i64::MAX));
                run(dst_run as usize..dst_run as usize + 1, left.max(1));
                dst_run as usize + 1
            }
            Family::Deinterleave(channels) => {
                run(1..2, i64::MAX);
                run(0..1, (left / channels.max(1)).max(1));
                2
            }
            Family::Interleave(channels) => {
                run(0..1, i64::MAX);
                run(1..2, (left / channels.max(1)).max(1));
                2
            }
            _ => {
                run(0..loops.len(), left);
                0
            }
        };
        let several = self.cuts.iter().rposition(|&cut| cut > 1).map_or(0, |at| at + 1);
        self.used = self.used.max(several).min(loops.len());
    }

    /// Moves the block at these places.
    ///
    /// # Safety
    /// As [`run_part`]; `room` has room for it, and `piece` for so many bytes.
    unsafe fn block(&self, places: &[i64], room: *mut u8, piece: *mut u8, piece_bytes: usize) {
        let Nest { unit, width, dst_base, src_base, loops } = self.nest;
        let (mut to, mut from, mut entry) = (dst_base, src_base, self.converting.values.base);
        let mut inside = ArrayVec::<Loop, MAX_LOOPS>::new();
        // Of the iterations of the block: the real loops, and the steps in the lists.
        for (((l, &cut), &place), &value) in loops.iter().zip(&self.cuts).zip(places).zip(self.values) {
            let begin = place * cut;
            to += begin * l.dst;
            from += begin * l.src;
            entry += begin * value;
            let _ = inside.try_push(Loop { count: cut.min(l.count - begin), ..*l });
        }
        inside.truncate(self.used);
        let elements = self.converting.elements(unit, width);
        // The row: the first loops that follow each other, with at most two steps in the lists.
        let mut pattern = Pattern { inner: elements, step: self.within, outer: 0 };
        let (mut count, mut row, mut bytes) = (elements, 0, width);
        let mut gap = None;
        for (at, (l, &value)) in inside.iter().zip(self.values).enumerate() {
            let follows = l.dst == bytes && !self.in_place;
            let gapped =
                at == 0 && !self.in_place && !follows && elements * self.converting.conversion.dst.bits() <= 2048;
            let single = pattern.inner == count;
            let continues =
                value == if single { count * pattern.step } else { count / pattern.inner.max(1) * pattern.outer };
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
        // The block's own places: without gaps, rows from a byte on.
        let mut made = ArrayVec::<Loop, MAX_LOOPS>::new();
        let mut step = width;
        for (at, l) in inside.iter().enumerate() {
            if at == row && unit != Unit::Bytes {
                step = (step + 7) & !7;
            }
            let _ = made.try_push(Loop { dst: step, ..*l });
            step *= l.count;
        }
        if !self.in_place {
            let nest = Nest { unit, width, dst_base: 0, src_base: from, loops: &made };
            // SAFETY: iterations of the plan, into room for them.
            unsafe {
                if unit != Unit::Bytes {
                    core::ptr::write_bytes(room, 0, (step as usize).div_ceil(8));
                }
                run(self.choice, &nest, room, self.src);
                if self.converting.conversion.src.is_swapped() {
                    swap(room, step as usize, self.steps.src.bits() / 8);
                }
            }
        }
        // Both odometers walk the rows: in the destination and the block or source, and in the lists.
        let rows = inside.iter().zip(&made).skip(row);
        let rows = at_most(rows.map(|(l, made)| Loop { src: if self.in_place { l.src } else { made.dst }, ..*l }));
        let steps = inside.iter().zip(self.values).skip(row);
        let steps = at_most(steps.map(|(l, &value)| Loop { dst: value, src: 0, ..*l }));
        let base = if self.in_place { from } else { 0 };
        let (mut odometer, mut entries) = (Odometer::new(&rows, to, base), Odometer::new(&steps, entry, 0));
        odometer.begin();
        entries.begin();
        loop {
            let to = self.converting.place(unit, odometer.dst);
            let from = if self.in_place { self.src } else { room.cast_const() };
            let from =
                from.wrapping_offset(if unit == Unit::Bytes { odometer.src } else { odometer.src >> 3 } as isize);
            // SAFETY: a row of the block.
            unsafe { self.row(to, from, count, entries.dst, pattern, gap, piece, piece_bytes) };
            entries.advance();
            if !odometer.advance() {
                break;
            }
        }
    }

    /// Converts a row of so many elements to bit `to` of the destination.
    ///
    /// # Safety
    /// The row may be read and written; as [`Walk::block`].
    #[expect(clippy::too_many_arguments)]
    unsafe fn row(
        &self,
        to: i64,
        from: *const u8,
        count: i64,
        first: i64,
        pattern: Pattern,
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
        };
        let at = |bits: i64| self.dst.wrapping_offset((bits >> 3) as isize);
        let staged = self.past || gap.is_some() || dst_bits < 8 || dst.is_swapped() || dst_parts != src_parts;
        if !staged {
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
            let (turn, inside) = (done / inner.max(1), done % inner.max(1));
            let first = first + turn * outer + inside * step;
            let left = most.min(count - done);
            let (now, how) = if inside != 0 || inner > left {
                (left.min(inner - inside), how(first, i64::MAX, 0))
            } else {
                let now = quotient(left, inner) * inner;
                (now, how(first, inner, outer))
            };
            let now = if now > together { quotient(now, together) * together } else { now };
            let from = from.wrapping_offset((done * src_bits / 8) as isize);
            // SAFETY: elements of the row, for which the piece has room.
            unsafe {
                (self.convert)(piece, from, (now * src_parts) as usize, &how, &mut *self.rooms);
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
                let turn = quotient(done, together);
                let inside = done - turn * together;
                let runs = Loop { count: quotient(now, together).max(1), dst: step, src: together * bits_each };
                (to + turn * step + inside * bits_each, now.min(together) * bits_each, [runs])
            }
        };
        let [l] = loops;
        // SAFETY: as promised to this function.
        unsafe {
            if bits_each < 8 {
                let packing = Packing { element: bits_each as u32, dst_high: dst.is_high_first(), src_high: false };
                let nest = Nest { unit: Unit::Bits(packing), width, dst_base: begin, src_base: 0, loops: &loops };
                return bits::run(&nest, packing, true, self.dst, piece);
            }
            let (to, width) = (self.dst.wrapping_offset((begin >> 3) as isize), width >> 3);
            let l = Loop { count: l.count, dst: l.dst >> 3, src: l.src >> 3 };
            if gap.is_none() {
                let block = Block { hints: 0, width, a: Loop::ONCE, b: Loop::ONCE, c: Loop::ONCE, ahead: 0 };
                if self.past {
                    kernels::writer(self.level).1(to, piece, &block);
                } else {
                    core::ptr::copy(piece, to, width as usize);
                }
                return;
            }
            let kernel =
                find(Family::Strided, width, self.level).or(find(Family::Rows, width, self.level)).unwrap_or(0);
            if let Some(kernel) = kernels::KERNELS.get(kernel)
                && let kernels::Run::Block(run) = kernel.run
            {
                let loops = [l];
                let nest = Nest { unit: Unit::Bytes, width, dst_base: 0, src_base: 0, loops: &loops };
                run_direct(run, kernel.family, 0, &nest, to, piece);
            }
        }
    }
}

/// The quotient of two counts; 0 where there is none.
fn quotient(count: i64, by: i64) -> i64 {
    count.checked_div(by).unwrap_or(0)
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

/// Real numbers of so many bytes become complex ones, in place.
///
/// # Safety
/// There is room for twice as many.
unsafe fn spread(at: *mut u8, count: usize, width: usize) {
    for k in (0..count).rev() {
        // SAFETY: as promised to this function; what is overwritten was moved before.
        unsafe {
            core::ptr::copy(at.wrapping_add(k * width), at.wrapping_add(2 * k * width), width);
            core::ptr::write_bytes(at.wrapping_add((2 * k + 1) * width), 0, width);
        }
    }
}
