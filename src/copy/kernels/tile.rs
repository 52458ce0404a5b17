//! The transposing tile, once for all widths and vector lengths.
//!
//! A vector is some 128-bit lanes. Lane l of register k holds 16 bytes, `n = 16 / width` elements, of source row `l·n + k`.
//! `log2 n` rounds of *zip* transpose the n x n elements of every lane at once: a round interleaves register i with
//! register i + n/2, element by element, and after as many rounds as an index has bits, (row, column) has become (column,
//! row). Then register m is one piece of destination row m: all lanes of it are neighbours.
//!
//! ```text
//! round:   r[0] r[1] r[2] r[3]  ->  zip low(r0,r2) zip high(r0,r2) zip low(r1,r3) zip high(r1,r3)
//! ```
//!
//! So a tile is n source columns by `lanes · n` source rows and needs no other instruction than unpack. What is narrower
//! than one lane is left to the scalar kernel.
//!
//! Four such tiles side by side, and as many below as make 64 bytes of rows, take whole lines to whole lines, each of which is
//! written at once. Where few lines of either side stay in the cache, because the rows crowd into few sets of it or because
//! nothing stays, the source lines are first copied to a place of their own: then each is also read at once.

use super::ahead::{ask_for_matrix, ask_for_rows, goes_far};
use super::register::Register;
use super::staged::{Past, transposed};
use super::{BLOCK_ROW, LINE, Memory, Rows, fetch, scalar, step};
use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ops::Range;

impl Rows<'_> {
    /// Whether to ask for the lines that are written next.
    #[inline(always)]
    pub(super) fn asks(&self) -> bool {
        self.memory.asks(self.hints)
    }
}

/// A register seen as lanes of 16 bytes.
pub(super) trait Vector: Register {
    /// One lane alone.
    type One: Vector;
    /// How many.
    const LANES: usize = Self::BYTES / 16;
    /// Loads 16 bytes from each pointer, lane by lane.
    ///
    /// # Safety
    /// The bytes may be read; the CPU has the instruction set.
    unsafe fn gather(rows: impl Fn(usize) -> *const u8) -> Self;
    /// The lower halves of every lane of both, their elements of `width` bytes alternating.
    ///
    /// # Safety
    /// The CPU has the instruction set.
    unsafe fn zip_low(self, other: Self, width: usize) -> Self;
    /// The same of the higher halves.
    ///
    /// # Safety
    /// The CPU has the instruction set.
    unsafe fn zip_high(self, other: Self, width: usize) -> Self;
}

/// All of `rows`, in tiles of `V`; N is `16 / width`.
///
/// # Safety
/// As [`Run::Tile`](super::Run::Tile); the CPU has the instruction set of `V`.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const N: usize>(
    dst: *mut u8,
    src: *const u8,
    rows: &Rows<'_>,
    itself: unsafe fn(*mut u8, *const u8, &Rows<'_>),
    staged: unsafe fn(*mut u8, *const u8, &Rows<'_>, usize, Fetch),
    past: Past,
) {
    let (count_i, count_j) = (rows.src.len(), rows.dst.len());
    // (NEON has no stores past the cache.)
    if cfg!(target_arch = "x86_64") && rows.memory == Memory::Fetch && count_i * 16 / N >= BLOCK_ROW as usize {
        // SAFETY: as promised to this function.
        return unsafe { transposed((itself, past), dst, src, rows) };
    }
    let matrix = Matrix::<N> { dst, src, rows: *rows };
    let side = Matrix::<N>::SIDE;
    let (dst_spread, src_spread) = (spread_beside::<N>(rows.dst), spread(rows.src));
    // Where whole lines of n columns fill the registers, they are worth it only if halves would leave the cache; else only if
    // the source's lines, each of which is read in four pieces, do not leave it as well.
    let halves = if N > 4 { dst_spread >= side } else { dst_spread.max(src_spread) < side };
    let halves = halves && matches!(rows.memory, Memory::Cached | Memory::Fetch);
    // The hardware follows matrices that lie one behind the other.
    if rows.memory == Memory::Fetch && rows.next.iter().any(|far| far.unsigned_abs() > 1 << 14) {
        ask_for_matrix(dst, src, rows, 16 / N);
    }
    // SAFETY: as promised to this function; the counts hold the tiles.
    unsafe {
        if count_i < N || count_j < N {
            return scalar::transpose_small(dst, src, rows);
        }
        if count_i < N * V::LANES {
            return matrix.small::<V::One>(0..count_i, 0..count_j);
        }
        if count_i < side || count_j < side || halves {
            return matrix.small::<V>(0..count_i, 0..count_j);
        }
        let ahead = if goes_far(rows.hints) { Fetch::Far } else { Fetch::Near };
        let (strip, fetch) = match rows.memory {
            Memory::Cached => (dst_spread.clamp(side, 8 * side), Fetch::Nothing),
            Memory::Fetch => (dst_spread.clamp(side, 8 * side), ahead),
            Memory::Stream => (4 * side, ahead),
            Memory::Crowded | Memory::Staged => (side, Fetch::Nothing),
            Memory::CrowdedStream | Memory::StagedStream => (side, Fetch::Far),
        };
        match rows.memory {
            Memory::Cached | Memory::Fetch => matrix.lines::<V, 0>(strip, fetch),
            // Not inlined, so that its stack is its own: `inline(never)` is lost beside an instruction set (rustc 1.95).
            _ => black_box(staged)(dst, src, rows, strip, fetch),
        }
    }
}

/// Rows whose lines do not make each other leave the first-level cache, of whose sets each takes eight or more; a power of two.
#[inline(always)]
fn spread(rows: &[i64]) -> usize {
    (8 << 12) >> step(rows).trailing_zeros().min(12)
}

/// The same of rows that are written, if they lie a few bytes more or less than a page apart: they have two lines each in a set, but
/// take the next one in time. (Narrower strips of elements below 8 bytes lose where that is 8 bytes.)
#[inline(always)]
fn spread_beside<const N: usize>(rows: &[i64]) -> usize {
    let most = if N == 2 { 8 } else { 7 };
    let shift = (step(rows).wrapping_add(most) & 4095) - most;
    if N == 1 || shift > most || shift == 0 { spread(rows) } else { 8 }
}

/// [`transpose`] in tiles of whole lines by way of a copy of the source lines, which takes 4 KiB of the stack.
///
/// # Safety
/// As [`transpose`], with rows and columns for a tile.
#[inline(always)]
pub(super) unsafe fn staged<V: Vector, const N: usize>(
    dst: *mut u8,
    src: *const u8,
    rows: &Rows<'_>,
    strip: usize,
    fetch: Fetch,
) {
    // SAFETY: as promised to this function.
    unsafe { Matrix::<N> { dst, src, rows: *rows }.lines::<V, LINE>(strip, fetch) }
}

/// Whether the next tile row is asked for, into the first or the second cache.
#[derive(Clone, Copy)]
pub(super) enum Fetch {
    Nothing,
    Near,
    Far,
}

/// A matrix to be transposed, with elements of `16 / N` bytes.
#[derive(Clone, Copy)]
struct Matrix<'a, const N: usize> {
    dst: *mut u8,
    src: *const u8,
    /// By value: behind a reference they would be read again after every store.
    rows: Rows<'a>,
}

/// A line of each source row of a tile; none where the tile is not staged.
type Lines<const STAGED: usize> = [MaybeUninit<[u8; LINE]>; STAGED];

impl<const N: usize> Matrix<'_, N> {
    const WIDTH: usize = 16 / N;
    /// Elements of a line.
    const SIDE: usize = 4 * N;

    /// Element j of source row i.
    ///
    /// # Safety
    /// i is a row.
    #[inline(always)]
    unsafe fn from(self, i: usize, j: usize) -> *const u8 {
        // SAFETY: as promised to this function.
        let row = unsafe { *self.rows.src.get_unchecked(i) };
        self.src.wrapping_offset(row as isize).wrapping_add(j * Self::WIDTH)
    }

    /// Element i of destination row j.
    ///
    /// # Safety
    /// j is a row.
    #[inline(always)]
    unsafe fn to(self, i: usize, j: usize) -> *mut u8 {
        // SAFETY: as promised to this function.
        let row = unsafe { *self.rows.dst.get_unchecked(j) };
        self.dst.wrapping_offset(row as isize).wrapping_add(i * Self::WIDTH)
    }

    /// Rows and columns in tiles of n columns by `lanes · n` rows, down strips of one line. The last of a strip or of a
    /// row overlaps the one before.
    ///
    /// # Safety
    /// They are rows and columns of the matrix, and so are as many in front of their ends as a tile has.
    #[inline(always)]
    unsafe fn small<V: Vector>(self, i: Range<usize>, j: Range<usize>) {
        for begin in j.clone().step_by(Self::SIDE) {
            let end = (begin + Self::SIDE).min(j.end);
            for i in i.clone().step_by(N * V::LANES).map(|at| at.min(i.end - N * V::LANES)) {
                // Each line is asked for once.
                if self.rows.asks() && i * Self::WIDTH % LINE < V::BYTES {
                    self.ask((i + Self::SIDE, begin), end - begin);
                }
                for j in (begin..end).step_by(N).map(|at| at.min(j.end - N)) {
                    // SAFETY: as promised to this function.
                    unsafe {
                        let out = zips::<V, N>(sixteen!(k => V::gather(|lane| self.from(i + lane * N + k % N, j))));
                        sixteen!(m => if m < N { out[m].store(self.to(i, j + m)) });
                    }
                }
            }
        }
    }

    /// All rows in tiles of one line by one line, down strips of so many columns, and what is left in small ones. `STAGED`,
    /// where it is not 0: by way of a copy of so many source lines.
    ///
    /// # Safety
    /// As [`transpose`], with rows and columns for a tile.
    #[inline(always)]
    unsafe fn lines<V: Vector, const STAGED: usize>(self, strip: usize, fetch: Fetch) {
        debug_assert!(strip.is_multiple_of(Self::SIDE), "a tile would go on behind the last column");
        let (count_i, count_j) = (self.rows.src.len(), self.rows.dst.len());
        let (whole_i, whole_j) = (count_i - count_i % Self::SIDE, count_j - count_j % Self::SIDE);
        let mut lines: Lines<STAGED> = [const { MaybeUninit::uninit() }; STAGED];
        let mut begin = 0;
        while begin < whole_j {
            let end = (begin + strip).min(whole_j);
            for i in (0..whole_i).step_by(Self::SIDE) {
                for j in (begin..end).step_by(Self::SIDE) {
                    self.fetch(fetch, i + Self::SIDE, j);
                    if self.rows.asks() {
                        let next = if j + Self::SIDE < end { (i, j + Self::SIDE) } else { (i + Self::SIDE, begin) };
                        self.ask(next, Self::SIDE);
                    }
                    if STAGED != 0 {
                        for k in 0..Self::SIDE {
                            // SAFETY: a line's worth of elements of a row, without alignment; `SIDE` is at most `LINE`.
                            unsafe {
                                let line = lines.get_unchecked_mut(k).as_mut_ptr();
                                line.copy_from_nonoverlapping(self.from(i + k, j).cast(), 1);
                            }
                        }
                    }
                    // SAFETY: the rows and columns lie inside the counts; the lines were written.
                    unsafe { self.tile::<V, STAGED>(i, j, &lines) };
                }
            }
            // SAFETY: the rest of these columns, which are a tile's at least.
            unsafe { self.small::<V>(whole_i..count_i, begin..end) };
            begin = end;
        }
        // SAFETY: the rest of all rows.
        unsafe { self.small::<V>(0..count_i, whole_j..count_j) };
    }

    /// One line of each of the destination rows j … j + 4n − 1, one after the other. The registers of the first groups of
    /// rows wait for those of the last: in memory if they are too many, of which the compiler would make a muddle.
    ///
    /// # Safety
    /// A tile's rows and columns are the matrix's; the lines of staged ones were written.
    #[inline(always)]
    unsafe fn tile<V: Vector, const STAGED: usize>(self, i: usize, j: usize, lines: &Lines<STAGED>) {
        let (groups, step) = (4 / V::LANES, N * V::LANES);
        let streams = self.rows.memory.streams();
        let mut waiting = [const { MaybeUninit::<[u8; 16]>::uninit() }; 48];
        // SAFETY: as promised to this function. `(groups − 1) · N` registers wait, three quarters of 64 lanes at most.
        unsafe {
            for c in 0..4 {
                macro_rules! group {
                    ($g:expr) => {{
                        let from = |row: usize| match STAGED {
                            0 => self.from(i + row, j + c * N),
                            _ => lines.as_ptr().cast::<u8>().wrapping_add(row * LINE + c * 16),
                        };
                        zips::<V, N>(sixteen!(k => V::gather(|lane| from($g * step + lane * N + k % N))))
                    }};
                }
                for g in 0..groups - 1 {
                    let out = group!(g);
                    let room = waiting.as_mut_ptr().cast::<V>();
                    sixteen!(m => if m < N { room.add(g * N + m).write_unaligned(out[m]); });
                }
                let waiting = if N * groups > 16 { black_box(&waiting) } else { &waiting }.as_ptr().cast::<V>();
                let last = group!((groups - 1));
                sixteen!(m => if m < N {
                    let to = self.to(i, j + c * N + m);
                    for g in 0..groups {
                        let piece = if g + 1 < groups { waiting.add(g * N + m).read_unaligned() } else { last[m] };
                        let to = to.wrapping_add(g * V::BYTES);
                        if streams { piece.stream(to) } else { piece.store(to) }
                    }
                });
            }
        }
    }

    /// Asks for the lines that a tile from row i on writes of the destination rows j … j + count − 1, if there is such a tile. The
    /// last byte of each piece: the first line of one that begins in a line is there already.
    #[inline(always)]
    fn ask(self, (i, j): (usize, usize), count: usize) {
        if i < self.rows.src.len() {
            let to = self.dst.wrapping_add(i * Self::WIDTH + LINE - 1);
            ask_for_rows(to, self.rows.dst.get(j..j + count).unwrap_or(&[]));
        }
    }

    /// Asks for a line of each of the rows i … i + 4n − 1, if there are such.
    #[inline(always)]
    fn fetch(self, how: Fetch, i: usize, j: usize) {
        let count_i = self.rows.src.len();
        let rows = self.rows.src.get(i.min(count_i)..(i + Self::SIDE).min(count_i)).unwrap_or(&[]);
        let from = self.src.wrapping_add(j * Self::WIDTH);
        match how {
            Fetch::Nothing => {}
            Fetch::Near => rows.iter().for_each(|&row| fetch(from.wrapping_offset(row as isize), false)),
            Fetch::Far => rows.iter().for_each(|&row| fetch(from.wrapping_offset(row as isize), true)),
        }
    }
}

/// Sixteen values written out: in a loop over an array the compiler keeps the registers in memory.
macro_rules! sixteen {
    ($k:ident => $value:expr) => {
        $crate::copy::kernels::tile::sixteen!(@ $k $value, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $k:ident $value:expr, $($number:literal)*) => {
        [$({
            #[allow(non_upper_case_globals)]
            const $k: usize = $number;
            $value
        }),*]
    };
}
pub(super) use sixteen;

/// Of the first N registers, i interleaved with i + N/2; the others stay.
///
/// # Safety
/// The CPU has the instruction set.
#[inline(always)]
#[allow(clippy::absurd_extreme_comparisons, clippy::manual_is_multiple_of)] // k is a constant in each of the sixteen
unsafe fn zip_round<V: Vector, const N: usize>(old: [V; 16]) -> [V; 16] {
    // SAFETY: as promised to this function.
    unsafe {
        sixteen!(k => match k {
            _ if k >= N => old[k],
            _ if k % 2 == 0 => old[k / 2].zip_low(old[k / 2 + N / 2], 16 / N),
            _ => old[k / 2].zip_high(old[k / 2 + N / 2], 16 / N),
        })
    }
}

/// Transposes the N x N elements of every lane of the first N registers.
///
/// # Safety
/// The CPU has the instruction set.
#[inline(always)]
pub(super) unsafe fn zips<V: Vector, const N: usize>(mut registers: [V; 16]) -> [V; 16] {
    // SAFETY: as promised to this function. log2 N rounds.
    unsafe {
        if N >= 2 {
            registers = zip_round::<V, N>(registers);
        }
        if N >= 4 {
            registers = zip_round::<V, N>(registers);
        }
        if N >= 8 {
            registers = zip_round::<V, N>(registers);
        }
        if N >= 16 {
            registers = zip_round::<V, N>(registers);
        }
    }
    registers
}
