//! The stage: kernels build stages on the stack, whose rows are then written as lines of the destination.
//!
//! The rows of a stage are pieces of rows of the destination, each with a line before it for what waits. A kernel of
//! loops makes one, or one of each channel; tiles make up to 64:
//!
//! ```text
//! source -> kernel -> | waiting | piece of row 0 . . . | waiting | piece of row 1 . . . | -> writer -> destination
//! ```
//!
//! While a stage is written, the source of a later one is prefetched.

use super::super::choose::LONG_STRING;
use super::super::kernels::{
    self, Chunks, Family, Inner, Kernel, LINE, OfLoops, Permutation, Piece, Rows, Store, Transpose, WIDEST_ELEMENT,
    Write, ask, hints,
};
use super::super::loops::{Loop, iterations};
use super::super::nest::Nest;
use super::converter::{Converter, MOST_DEEP};
use super::odometer::for_each_place;
use crate::machine::Level;
use core::array::from_fn;
use core::mem::MaybeUninit;

/// Bytes of the source between what is prefetched and what is read.
const STAGES_AHEAD: i64 = 16384;

/// Some lines of the stack.
#[repr(align(64))]
struct Lines<const COUNT: usize>(MaybeUninit<[[u8; LINE]; COUNT]>);

/// [`run`](super::run) for kernels that take the first loops as they are, from the first elements on.
///
/// # Safety
/// As there.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_direct(
    kernel: OfLoops,
    family: Family,
    hints: u8,
    nest: &Nest<'_>,
    to: *mut u8,
    from: *const u8,
) {
    let (a, b, outer) = nest.kernel_loops();
    let (c, outer) = match outer {
        [c, outer @ ..] if family.takes_three() => (*c, outer),
        _ => (Loop::ONCE, outer),
    };
    let inner = Inner { hints, width: nest.width, a, b, c, ahead: 0 };
    // SAFETY: the iterations of `inner` at these places are iterations of the problem, which the caller vouches for.
    for_each_place(outer, to, from, |to, from| unsafe { kernel(to, from, &inner) });
}

/// A kernel of loops whose lines go past the caches.
#[derive(Clone, Copy)]
pub struct Past {
    pub kernel: &'static Kernel,
    pub run: OfLoops,
    pub hints: u8,
}

/// Runs a kernel of loops from the first elements on; its lines go past the caches.
///
/// # Safety
/// As `walk::run`, for a kernel that accepts the loops.
#[inline(always)]
pub unsafe fn run_past(past: Past, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    // SAFETY: as promised to this function.
    unsafe {
        if past.kernel.family == Family::Rows {
            // Rows of the source are pieces where they are.
            run_direct(kernels::writer(past.kernel.level).1, Family::Rows, past.hints, nest, to, from)
        } else {
            run_stages(past, nest, to, from)
        }
    }
}

/// Lines of a stage that a kernel of loops builds, with those that wait.
const ROOM: usize = 56;
/// The stage lies within a page: a store that straddles two takes about 100 ns (Zen 4, RGB to planes at any alignment:
/// 0.2 to 0.6 of memcpy with such stores, 0.3 to 1.5 without).
const PAGE: usize = 4096;

/// Bytes of a run that is read backwards that are built at a time: reads are fastest in ascending order, and so a piece
/// is read, in ascending order.
const REVERSED_PIECE: i64 = 1024;

/// How the rows of a destination are cut into pieces.
struct RowCut<'a> {
    /// The loops of a kernel's call, of which the first one is cut, or the second one.
    inner: Inner,
    second: bool,
    /// The loop that is cut, the bytes of an iteration of it, and iterations of a piece.
    along: Loop,
    unit: i64,
    most: i64,
    /// The rows of a stage, and the bytes from one to the next on the stack.
    rows: Loop,
    pitch: usize,
    /// The loops that continue a row, and all others.
    beyond: &'a [Loop],
    outer: &'a [Loop],
}

impl<'a> RowCut<'a> {
    /// Those of a choice; `None` if a kernel must write by itself.
    fn new(Past { kernel, hints, .. }: Past, nest: &Nest<'a>) -> Option<Self> {
        let (loops, width, family) = (nest.loops, nest.width, kernel.family);
        let planes = matches!(family, Family::Deinterleave(_));
        let (a, b, _) = nest.kernel_loops();
        let rows = if planes { b } else { Loop::ONCE };
        let pitch = (ROOM / rows.count.clamp(1, 4) as usize) * LINE;
        let room = (pitch - LINE) as i64;
        let (mut run, mut bytes, mut cut) = (0, width, None);
        for l in loops.iter().take(if planes { 1 } else { loops.len() }).take_while(|l| l.dst > 0) {
            if l.dst != bytes {
                break;
            }
            if run < 2 && bytes <= room {
                cut = Some((run, bytes));
            }
            bytes = bytes.saturating_mul(l.count);
            run += 1;
        }
        let (cut, unit) = cut?;
        // A string instruction fills long runs faster.
        let string = family == Family::Fill
            && width <= 8
            && a.count.saturating_mul(width) >= LONG_STRING
            && cfg!(target_arch = "x86_64");
        // Channels are whole.
        let in_channels = matches!(family, Family::Interleave(_)) && cut == 0;
        let along = *loops.get(cut)?;
        let room = if family == Family::Reverse { room.min(REVERSED_PIECE) } else { room };
        let most = room.checked_div(unit)?.min(along.count).max(1);
        // Whole registers of elements.
        let most = if most > 64 { most & !63 } else { most };
        if string || in_channels || bytes < LINE as i64 || most * unit < LINE as i64 {
            return None;
        }
        let second = cut == 1;
        let rows_made = if planes { Loop { dst: pitch as i64, ..b } } else { Loop::ONCE };
        let inner = Inner {
            hints: hints & hints::SECOND,
            width,
            a,
            b: if second { b } else { rows_made },
            c: Loop::ONCE,
            ahead: 0,
        };
        let past_rows = if planes { 2 } else { run };
        let (beyond, outer) = (loops.get(cut + 1..run)?, loops.get(past_rows..).unwrap_or(&[]));
        Some(Self { inner, second, along, unit, most, rows, pitch, beyond, outer })
    }

    /// What builds a piece of this many iterations, and prefetches what lies so many bytes ahead.
    fn inner(&self, count: i64, ahead: isize) -> Inner {
        let mut inner = Inner { ahead, ..self.inner };
        if self.second {
            inner.b.count = count;
        } else {
            inner.a.count = count;
        }
        inner
    }
}

/// [`run_past`] piece by piece of the destination's rows. The first loops that follow each other in the destination form
/// a row; of channels that become planes, each forms one.
///
/// # Safety
/// As there.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_stages(past: Past, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    let Past { kernel, run, hints } = past;
    let Some(pieces) = RowCut::new(past, nest) else {
        // SAFETY: as promised to this function.
        return unsafe { run_direct(run, kernel.family, hints | hints::FAR, nest, to, from) };
    };
    let &RowCut { along, most, unit, rows, pitch, beyond, outer, .. } = &pieces;
    let write = kernels::writer(kernel.level).0;
    let mut made = Lines::<{ 2 * ROOM }>(MaybeUninit::uninit());
    let made = made.0.as_mut_ptr().cast::<u8>();
    let left = PAGE - made.addr() % PAGE;
    let made = if left < ROOM * LINE { made.wrapping_add(left) } else { made }.wrapping_add(LINE);
    let in_loop = along.count.checked_div(most).unwrap_or(0) + i64::from(along.count.checked_rem(most) != Some(0));
    let in_row = in_loop.saturating_mul(iterations(beyond));
    // Pieces from the one that is built to the one that is prefetched, and the bytes to the row after.
    let later = (STAGES_AHEAD / (most * unit * rows.count).max(1)).max(1);
    let next = beyond.first().or(outer.first()).map_or(0, |l| l.src);
    for_each_place(outer, to, from, |to, from| {
        let mut number = 0;
        for_each_place(beyond, to, from, |to, from| {
            for k in 0..in_loop {
                let (begin, now) = (k * most, most.min(along.count - k * most));
                let from = from.wrapping_offset(begin.wrapping_mul(along.src) as isize);
                let past = (k + later).checked_div(in_loop).unwrap_or(0);
                let there = k + later - past * in_loop;
                let ahead = past.wrapping_mul(next).wrapping_add(((there - k) * most).wrapping_mul(along.src));
                // SAFETY: iterations of the problem, for which there is room.
                unsafe { run(made, from, &pieces.inner(now, ahead as isize)) };
                let (bytes, first, last) = ((now * unit) as usize, number == 0, number + 1 == in_row);
                number += 1;
                let piece = Piece { bytes, first, last, past: true };
                for r in 0..rows.count {
                    let to = to.wrapping_offset((r * rows.dst + begin * along.dst) as isize);
                    // SAFETY: what was built now, and what waited.
                    unsafe { write(to, made.wrapping_add(r as usize * pitch), &piece) };
                }
            }
        });
    });
}

/// Bytes of each source row that are read for a stage: that many rows of the destination, but at most `MOST_ROWS`.
const ACROSS: usize = 256;
const MOST_ROWS: usize = 64;
/// Lines of a row on the stack.
const MOST_LINES: usize = 8;
/// Lines on the stack for a stage: of the rows, and one before each that waits.
const ROOM_OF_BLOCK: usize = 5 * MOST_ROWS;

/// What becomes of the elements of a transpose as they leave the stack.
#[derive(Clone, Copy)]
pub enum Change<'a> {
    Nothing,
    /// They are chunks, whose bytes are permuted.
    Permute(&'a Chunks<'a>),
    /// They are numbers of another dtype, which are converted before they are transposed. Places of the destination are
    /// those of elements as wide as the source's; the kernel is one for the destination's.
    Convert(&'a Converter<'a>),
}

/// A kernel of transposes, the writer of its instruction set, and what becomes of the elements.
#[derive(Clone, Copy)]
pub struct Tiles<'a> {
    pub run: Transpose,
    pub write: Write,
    pub change: Change<'a>,
}

impl<'a> Tiles<'a> {
    /// Those of an instruction set.
    pub fn new(run: Transpose, level: Level, change: Change<'a>) -> Self {
        Self { run, write: kernels::writer(level).0, change }
    }
}

/// Runs a kernel that transposes by tiles, as it is or stage by stage. (Neither has the other's stack beside its own.)
/// Chunks are for elements of a power of two of bytes, at most [`WIDEST_ELEMENT`], which fill lines; and for elements
/// that are permuted.
///
/// # Safety
/// As [`Run::Tile`](super::super::kernels::Run::Tile).
#[inline(always)]
pub unsafe fn transpose(dst: *mut u8, src: *const u8, rows: &Rows<'_>, tiles: &Tiles<'_>) {
    let fills_lines = rows.width.count_ones() == 1 && rows.width <= WIDEST_ELEMENT;
    // SAFETY: as promised to this function.
    unsafe {
        match (rows.store, tiles.change) {
            (_, Change::Permute(_) | Change::Convert(_)) => changed(dst, src, rows, tiles),
            (Store::Past | Store::Staged, _) if fills_lines => by_stages(tiles, dst, src, rows, None),
            _ => (tiles.run)(dst, src, rows),
        }
    }
}

/// [`transpose`] for elements that change.
///
/// # Safety
/// As there.
#[inline(never)] // once for all callers
unsafe fn changed(dst: *mut u8, src: *const u8, rows: &Rows<'_>, tiles: &Tiles<'_>) {
    // SAFETY: as promised to this function.
    unsafe {
        match tiles.change {
            Change::Permute(elements) => permuted(dst, src, rows, elements, tiles),
            Change::Convert(convert) if rows.store == Store::Direct => converted(dst, src, rows, convert, tiles),
            _ => by_stages(tiles, dst, src, rows, None),
        }
    }
}

/// Permutes the elements of pieces of rows.
struct Permuted<'a> {
    elements: &'a Chunks<'a>,
    /// For `count` elements in a row, and for the rest at the end of a row.
    count: usize,
    full: Option<Permutation>,
    rest: Option<Permutation>,
    /// A finished piece of a row, and the line before it.
    row: Lines<{ 1 + MOST_LINES }>,
}

/// [`transpose`] for elements that are chunks, whose bytes are permuted as they leave the stack.
///
/// # Safety
/// As there.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn permuted(dst: *mut u8, src: *const u8, rows: &Rows<'_>, elements: &Chunks<'_>, tiles: &Tiles<'_>) {
    let [_, _, count] = shape(rows, rows.store == Store::Staged, None);
    let rest = rows.src.len().checked_rem(count).unwrap_or(0);
    let full = elements.in_row(count);
    let rest = if rest == 0 { None } else { elements.in_row(rest) };
    let mut permuted = Permuted { elements, count, full, rest, row: Lines(MaybeUninit::uninit()) };
    // SAFETY: as promised to this function.
    unsafe { by_stages(tiles, dst, src, rows, Some(&mut permuted)) };
}

/// [`transpose`] for numbers that are converted to the stack, and go from there to where they belong.
///
/// # Safety
/// As there.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn converted(dst: *mut u8, src: *const u8, rows: &Rows<'_>, convert: &Converter<'_>, tiles: &Tiles<'_>) {
    let width = rows.width as usize;
    let [wide, ..] = shape(rows, false, Some(convert));
    let deep = (ROOM_OF_BLOCK * LINE / wide).checked_div(convert.bytes(width)).unwrap_or(1).clamp(1, MOST_DEEP);
    let mut numbers = Lines::<ROOM_OF_BLOCK>(MaybeUninit::uninit());
    let numbers = numbers.0.as_mut_ptr().cast::<u8>();
    for (dst_rows, j) in rows.dst.chunks(wide).zip((0..).step_by(wide)) {
        for (src_rows, i) in rows.src.chunks(deep).zip((0..).step_by(deep)) {
            let mut places = [0i64; MOST_ROWS];
            let to = dst.wrapping_add(i * width);
            for (place, row) in places.iter_mut().zip(dst_rows) {
                *place = convert.place(to.wrapping_offset(*row as isize)).addr().wrapping_sub(dst.addr()) as i64;
            }
            let places = places.get(..dst_rows.len()).unwrap_or(&[]);
            let staged = Rows { hints: 0, src: src_rows, dst: places, next: [0; 2], ..*rows };
            // SAFETY: as promised to this function; there is room.
            unsafe { convert.transpose(tiles.run, dst, numbers, src.wrapping_add(j * width), &staged) };
        }
    }
}

impl Permuted<'_> {
    /// Permutes the elements of a piece that was built into its place. If it goes past the caches, permutes them into a
    /// row of the stack, which is then written together with the waiting line.
    ///
    /// # Safety
    /// As [`Write`].
    unsafe fn write(&mut self, to: *mut u8, made: *mut u8, count: usize, (write, piece): (Write, &Piece)) {
        let Some(permutation) = (if count == self.count { &self.full } else { &self.rest }) else { return };
        let (run, from) = (self.elements.run, made.wrapping_add(self.elements.first as usize));
        let row = self.row.0.as_mut_ptr().cast::<u8>().wrapping_add(LINE);
        // SAFETY: as promised to this function; a piece has room in the row.
        unsafe {
            if !piece.past {
                return run(to, from, permutation);
            }
            run(row, from, permutation);
            // What waits is before the place that the piece was built at.
            if !piece.first {
                made.wrapping_sub(LINE).copy_to(row.wrapping_sub(LINE), LINE);
            }
            write(to, row, piece);
            if !piece.last {
                row.wrapping_sub(LINE).copy_to(made.wrapping_sub(LINE), LINE);
            }
        }
    }
}

/// Rows of a stage, lines of each, and elements of each; none of them is 0. `few` rows, and longer ones, where a call
/// for each costs more.
#[inline(always)] // so that callers see that none is 0
fn shape(rows: &Rows<'_>, few: bool, convert: Option<&Converter<'_>>) -> [usize; 3] {
    let width = rows.width as usize;
    let most = if few { MOST_ROWS / 2 } else { MOST_ROWS };
    let wide = ACROSS.checked_div(width).unwrap_or(1).min(most).max(1);
    // Converted numbers take as many lines again.
    let [width, sides] = convert.map_or([width, 1], |convert| [convert.bytes(width), 2]);
    let lines = (ROOM_OF_BLOCK.checked_div(wide).unwrap_or(2).saturating_sub(1) / sides).clamp(1, MOST_LINES);
    let deep = (lines * LINE).checked_div(width).unwrap_or(1);
    [wide, lines, if convert.is_some() { deep.min(MOST_DEEP) } else { deep }.max(1)]
}

/// [`transpose`] by stages on the stack, a waiting line before each row among them. While a stage is written, the
/// source of the next one is prefetched into L2: the stage fills L1.
///
/// # Safety
/// As there; there is room.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn by_stages(
    &Tiles { run, write, change }: &Tiles<'_>,
    dst: *mut u8,
    src: *const u8,
    rows: &Rows<'_>,
    mut permuted: Option<&mut Permuted<'_>>,
) {
    let convert = if let Change::Convert(convert) = change { Some(convert) } else { None };
    let width = rows.width as usize;
    // Of permutations, what is streamed gains by more of each source row.
    let [wide, lines, deep] = shape(rows, permuted.is_some() && rows.store == Store::Staged, convert);
    let mut made = Lines::<ROOM_OF_BLOCK>(MaybeUninit::uninit());
    let made = made.0.as_mut_ptr().cast::<u8>().wrapping_add(LINE);
    let numbers = made.wrapping_add((wide * (1 + lines) - 1) * LINE); // those that are converted
    let places: [i64; MOST_ROWS] = from_fn(|k| (k * (1 + lines) * LINE) as i64);
    let (count_i, past) = (rows.src.len(), rows.store == Store::Past && rows.width.count_ones() == 1);
    // Before the pieces are written, the source of the next stage is prefetched into L2: the stage fills L1.
    let asks = past || permuted.is_none() && rows.hints & hints::FAR != 0;
    let mut begin_j = 0;
    for dst_rows in rows.dst.chunks(wide) {
        let end_j = begin_j + dst_rows.len();
        let from = src.wrapping_add(begin_j * width);
        let places = places.get(..dst_rows.len()).unwrap_or(&[]);
        let mut begin_i = 0;
        for src_rows in rows.src.chunks(deep) {
            let end_i = begin_i + src_rows.len();
            let staged = Rows { store: Store::Direct, hints: 0, src: src_rows, dst: places, next: [0; 2], ..*rows };
            // SAFETY: elements of the problem, for which there is room.
            unsafe {
                match convert {
                    Some(convert) => convert.transpose(run, made, numbers, from, &staged),
                    None => run(made, from, &staged),
                }
            }
            let (next_i, next) = match (end_i < count_i, end_j < rows.dst.len()) {
                (true, _) => (end_i, from),
                (_, true) => (0, src.wrapping_add(end_j * width)),
                _ => (0, src.wrapping_offset(rows.next[1] as isize)),
            };
            let mut later = rows.src.iter().skip(if asks { next_i } else { count_i });
            let (bytes, first, last) = (src_rows.len() * width, begin_i == 0, end_i == count_i);
            let bytes = convert.map_or(bytes, |convert| convert.bytes(bytes));
            let piece = Piece { bytes, first, last, past };
            for (&place, &row) in places.iter().zip(dst_rows) {
                for &row in later.by_ref().take(deep.div_ceil(wide)) {
                    let row = next.wrapping_offset(row as isize);
                    let before = row.addr() % LINE;
                    ask(row.wrapping_sub(before), before + wide * width, true);
                }
                let to = dst.wrapping_offset(row as isize).wrapping_add(begin_i * width);
                let to = convert.map_or(to, |convert| convert.place(to));
                let made = made.wrapping_add(place as usize);
                // SAFETY: what was built now, and what waited.
                unsafe {
                    match &mut permuted {
                        Some(permuted) => permuted.write(to, made, src_rows.len(), (write, &piece)),
                        None => write(to, made, &piece),
                    }
                }
            }
            begin_i = end_i;
        }
        begin_j = end_j;
    }
}
