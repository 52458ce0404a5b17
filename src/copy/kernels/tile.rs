//! The tile of a transpose, once for all widths and vector lengths.
//!
//! A vector is some 128-bit lanes. Lane l of register k holds 16 bytes, `n = 16 / width` elements, of source row `l·n +
//! k`. `log2 n` rounds of *zip* transpose the n x n elements of every lane at once. A round interleaves register i with
//! register i + n/2, element by element. After as many rounds as an index has bits, (row, column) has become (column,
//! row). Then register m is one piece of destination row m, lane after lane.
//!
//! ```text
//! round:   r[0] r[1] r[2] r[3]  ->  zip low(r0,r2) zip high(r0,r2) zip low(r1,r3) zip high(r1,r3)
//! ```
//!
//! So a tile is n source columns by `lanes · n` source rows and needs no other instruction than unpack. Four of them
//! side by side, and as many below as make 64 bytes of rows, take whole lines to whole lines, each of which is written
//! at once. (With registers of four lanes a line of a source row, or half of one, is loaded at once too, and two more
//! rounds exchange the lanes.)
//!
//! Elements that no such tile covers are moved in smaller tiles that overlap it. If there are fewer rows or columns
//! than a lane has elements, they are moved one by one, with AVX-512 mostly under masks.
//!
//! If destination rows conflict in the cache, or are larger than it, the same kernel builds stages.

use super::prefetch::{prefetch_line, prefetch_matrix, prefetch_rows};
use super::register::Register;
use super::{LINE, Rows, Store, Transpose, hints};
use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ops::Range;

/// A register seen as lanes of 16 bytes.
pub(super) trait Vector: Register {
    /// One lane alone.
    type One: Vector;
    const LANES: usize = Self::BYTES / 16;
    /// A register of these lanes.
    ///
    /// # Safety
    /// K1 of [`Run`](super::Run).
    unsafe fn of_lanes(lane: impl Fn(usize) -> Self::One) -> Self;
    /// Loads 16 bytes from each pointer, lane by lane.
    ///
    /// # Safety
    /// K1 and K3, for these bytes.
    #[inline(always)]
    unsafe fn gather(rows: impl Fn(usize) -> *const u8) -> Self {
        // SAFETY: K1; K3: 16 bytes from each pointer may be read.
        unsafe { Self::of_lanes(|lane| Self::One::load(rows(lane))) }
    }
    /// Interleaves the lower halves of every lane of both, in elements of `width` bytes.
    ///
    /// # Safety
    /// K1.
    unsafe fn zip_low(self, other: Self, width: usize) -> Self;
    /// Interleaves the higher halves of every lane of both, in elements of `width` bytes.
    ///
    /// # Safety
    /// K1.
    unsafe fn zip_high(self, other: Self, width: usize) -> Self;
    /// Whether there is [`Vector::columns`].
    const WHOLE: bool = false;
    /// Transposes 4n rows, a whole line or half of one loaded at once, to [`TiledMatrix::AT_ONCE`] columns. Calls
    /// `put(m, register)` for each column.
    ///
    /// # Safety
    /// K1 and K3, for these bytes.
    #[inline(always)]
    unsafe fn columns<const N: usize>(_row: impl Fn(usize) -> *const u8, _put: impl FnMut(usize, Self)) {}
}

/// All of `rows`, in tiles of `V`; N is `16 / width`. `few` is a kernel of the elements that no tile covers: with
/// AVX-512 at the edges, else of matrices with fewer rows or columns than a lane has elements.
///
/// # Safety
/// K1–K4 of [`Run`](super::Run), K1 for V.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const N: usize>(
    dst: *mut u8,
    src: *const u8,
    rows: &Rows<'_>,
    few: Transpose,
) {
    let (count_i, count_j) = (rows.src.len(), rows.dst.len());
    let matrix = TiledMatrix::<N> { dst, src, rows: *rows };
    let side = TiledMatrix::<N>::SIDE;
    // The hardware prefetcher follows matrices that are contiguous.
    if rows.next[0] != 0 && rows.next.iter().any(|far| far.unsigned_abs() > 1 << 14) {
        prefetch_matrix(dst, src, rows, 16 / N);
    }
    // SAFETY: K1–K4 for the same rows; the counts hold the tiles.
    unsafe {
        if !V::WHOLE && (count_i < N || count_j < N) {
            return few(dst, src, rows);
        }
        if V::WHOLE && (count_i < side || count_j < side) {
            return few(dst, src, rows);
        }
        // For a single tile, setting up the walk would take as long as the tile.
        if V::WHOLE && count_i == side && count_j == side && rows.store == Store::Direct {
            for j in (0..side).step_by(TiledMatrix::<N>::AT_ONCE) {
                matrix.whole::<V>(0, j, false, None);
            }
            return;
        }
        let halves = rows.strip == 0 && !V::WHOLE && rows.store == Store::Direct;
        let (mut whole_i, mut whole_j) = (0, 0);
        if count_i >= side && count_j >= side && !halves {
            let streams = TiledMatrix::<N>::STREAMS && rows.store == Store::Stream;
            // The rest goes into a tile of its own, which overlaps the one before, if it fills more than half of it.
            let tiled = |count: usize| match count % side {
                rest if V::WHOLE && !streams && rest > side / 2 => count,
                rest => count - rest,
            };
            (whole_i, whole_j) = (tiled(count_i), tiled(count_j));
            matrix.lines::<V>(whole_i, whole_j, (rows.strip as usize).max(side), streams);
        }
        for (i, j) in [(whole_i..count_i, 0..whole_j), (0..count_i, whole_j..count_j)] {
            if i.is_empty() || j.is_empty() {
                continue;
            }
            if V::WHOLE {
                let rest =
                    Rows { src: rows.src.get_unchecked(i.clone()), dst: rows.dst.get_unchecked(j.clone()), ..*rows };
                let (to, from) = (i.start * TiledMatrix::<N>::WIDTH, j.start * TiledMatrix::<N>::WIDTH);
                few(dst.wrapping_add(to), src.wrapping_add(from), &rest);
            } else {
                matrix.small::<V>(i, j);
            }
        }
    }
}

/// A matrix to be transposed, with elements of `16 / N` bytes.
#[derive(Clone, Copy)]
struct TiledMatrix<'a, const N: usize> {
    dst: *mut u8,
    src: *const u8,
    /// By value: by reference they would be reloaded after every store.
    rows: Rows<'a>,
}

impl<const N: usize> TiledMatrix<'_, N> {
    const WIDTH: usize = 16 / N;
    /// Elements of a line.
    const SIDE: usize = 4 * N;
    /// Whether whole tiles may be streamed; narrower elements go by the stack.
    const STREAMS: bool = N <= 2;
    /// Columns of a tile that a register of four lanes makes at once: the 64 lines of a tile of bytes do not fit the
    /// registers.
    const AT_ONCE: usize = if N <= 4 { 4 * N } else { 2 * N };

    /// The address of element j of source row i.
    ///
    /// # Safety
    /// There is such a row.
    #[inline(always)]
    unsafe fn from(self, i: usize, j: usize) -> *const u8 {
        // SAFETY: `i` is a row of the source.
        let row = unsafe { *self.rows.src.get_unchecked(i) };
        self.src.wrapping_offset(row as isize).wrapping_add(j * Self::WIDTH)
    }

    /// The address of element i of destination row j.
    ///
    /// # Safety
    /// There is such a row.
    #[inline(always)]
    unsafe fn to(self, i: usize, j: usize) -> *mut u8 {
        // SAFETY: `j` is a row of the destination.
        let row = unsafe { *self.rows.dst.get_unchecked(j) };
        self.dst.wrapping_offset(row as isize).wrapping_add(i * Self::WIDTH)
    }

    /// Rows and columns in tiles of n columns by `lanes · n` rows, down strips of one line. The last tile of a strip or
    /// of a row overlaps the one before. Rows that would fill only half of the lanes are moved in single lanes.
    ///
    /// # Safety
    /// As [`transpose`]; these are rows and columns of the matrix, and so are the n before their ends.
    #[inline(always)]
    unsafe fn small<V: Vector>(self, i: Range<usize>, j: Range<usize>) {
        let step = N * V::LANES;
        let rest = i.len() % step;
        let enough = i.end >= step && (V::LANES == 1 || 2 * rest > step);
        let end_i = if enough { i.end } else { i.end - rest };
        for begin in j.clone().step_by(Self::SIDE) {
            let end = (begin + Self::SIDE).min(j.end);
            for i in (i.start..end_i).step_by(step).map(|at| at.min(end_i - step)) {
                // Prefetches each line once.
                if i * Self::WIDTH % LINE < V::BYTES {
                    self.prefetch_dst((i + Self::SIDE, begin), end - begin);
                }
                for j in (begin..end).step_by(N).map(|at| at.min(j.end - N)) {
                    // SAFETY: K1; K3: `step` rows and N columns of the matrix.
                    unsafe {
                        let out = zips::<V, N>(sixteen!(k => V::gather(|lane| self.from(i + lane * N + k % N, j))));
                        sixteen!(m => if m < N { out[m].store(self.to(i, j + m)) });
                    }
                }
            }
        }
        if V::LANES > 1 && end_i < i.end {
            // SAFETY: K1; K3: the last rows of the same columns.
            unsafe { self.small::<V::One>(end_i..i.end, j) };
        }
    }

    /// A tile of the columns that are loaded at once. `wanted`: a column, and the address from which the lines that its
    /// rows write next are prefetched.
    ///
    /// # Safety
    /// As [`transpose`]; rows and columns, also `wanted`'s, are the matrix's, and whole lines if they are streamed.
    #[inline(always)]
    unsafe fn whole<V: Vector>(self, i: usize, j: usize, streams: bool, wanted: Option<(usize, *const u8)>) {
        // SAFETY: K1; K3: rows and columns of the matrix; K4 if they are streamed.
        unsafe {
            V::columns::<N>(
                |k| self.from(i + k, j),
                |m, piece| {
                    if let Some((j, to)) = wanted {
                        prefetch_line(to.wrapping_offset(*self.rows.dst.get_unchecked(j + m) as isize), false);
                    }
                    let to = self.to(i, j + m);
                    if Self::STREAMS && streams { piece.stream(to) } else { piece.store(to) }
                },
            );
        }
    }

    /// The first rows and columns, a tile's or more, in tiles of one line by one line, down strips of `strip` columns.
    /// The last tile of a row or a strip overlaps the one before, if they are no whole tiles. Streaming prefetches the
    /// next row of tiles.
    ///
    /// # Safety
    /// As [`transpose`], for whole tiles.
    #[inline(always)]
    unsafe fn lines<V: Vector>(self, whole_i: usize, whole_j: usize, strip: usize, streams: bool) {
        let far = self.rows.hints & hints::SECOND != 0;
        // Without `WHOLE` there are whole tiles alone.
        let last = |whole: usize| if V::WHOLE { whole - Self::SIDE } else { usize::MAX };
        let (last_i, last_j) = (last(whole_i), last(whole_j));
        let mut begin = 0;
        while begin < whole_j {
            let end = (begin + strip).min(whole_j);
            for i in (0..whole_i).step_by(Self::SIDE).map(|i| i.min(last_i)) {
                for j in (begin..end).step_by(Self::SIDE).map(|j| j.min(last_j)) {
                    if streams {
                        self.prefetch_src(i + Self::SIDE, j, far);
                    }
                    let beside = j + Self::SIDE;
                    let next = if beside < end { (i, beside) } else { (i + Self::SIDE, begin) };
                    let next = (next.0, next.1.min(last_j));
                    // Prefetched one by one between the stores, unless the tile needs all registers.
                    let wanted = if V::WHOLE && N < 16 { self.wanted(next.0) } else { None };
                    if wanted.is_none() {
                        self.prefetch_dst(next, Self::SIDE);
                    }
                    // SAFETY: K1; K3: the rows and columns lie inside the counts; K4 if they are streamed.
                    unsafe {
                        if V::WHOLE {
                            for h in (0..Self::SIDE).step_by(Self::AT_ONCE) {
                                self.whole::<V>(i, j + h, streams, wanted.map(|to| (next.1 + h, to)));
                            }
                        } else {
                            self.tile::<V>(i, j, streams);
                        }
                    }
                }
            }
            begin = end;
        }
    }

    /// One line of each of the destination rows j … j + 4n − 1, one after the other. The registers of the first groups
    /// of rows wait for those of the last. They wait in memory if they are more than the CPU has, since the compiler
    /// spills them badly.
    ///
    /// # Safety
    /// As [`TiledMatrix::whole`].
    #[inline(always)]
    unsafe fn tile<V: Vector>(self, i: usize, j: usize, streams: bool) {
        let (groups, step) = (4 / V::LANES, N * V::LANES);
        let mut waiting = [const { MaybeUninit::<[u8; 16]>::uninit() }; 48];
        // SAFETY: K1; K3: rows and columns of the matrix; K4 if they are streamed. `(groups − 1) · N` registers wait,
        // three quarters of 64 lanes at most.
        unsafe {
            for c in 0..4 {
                macro_rules! group {
                    ($g:expr) => {{
                        let from = |row: usize| self.from(i + row, j + c * N);
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
                        if Self::STREAMS && streams { piece.stream(to) } else { piece.store(to) }
                    }
                });
            }
        }
    }

    /// The last byte that a tile from row i on writes to each row, if its lines are prefetched and there is such a
    /// tile. (If the bytes of a row begin inside a line, that line is in the cache already.)
    #[inline(always)]
    fn wanted(self, i: usize) -> Option<*const u8> {
        let is_there = self.rows.store.prefetches(self.rows.hints) && i < self.rows.src.len();
        is_there.then(|| self.dst.wrapping_add(i * Self::WIDTH + LINE - 1).cast_const())
    }

    /// Prefetches the lines of the destination rows j … j + count − 1 that a tile from row i on writes.
    #[inline(always)]
    fn prefetch_dst(self, (i, j): (usize, usize), count: usize) {
        if let Some(to) = self.wanted(i) {
            prefetch_rows(to, self.rows.dst.get(j..j + count).unwrap_or(&[]));
        }
    }

    /// Prefetches a line of each of the rows i … i + 4n − 1 that exist; `far`: into L2.
    #[inline(always)]
    fn prefetch_src(self, i: usize, j: usize, far: bool) {
        let count_i = self.rows.src.len();
        let from = self.src.wrapping_add(j * Self::WIDTH);
        for &row in self.rows.src.get(i.min(count_i)..(i + Self::SIDE).min(count_i)).unwrap_or(&[]) {
            prefetch_line(from.wrapping_offset(row as isize), far);
        }
    }
}

/// [`Vector::zip_low`] and [`Vector::zip_high`] of the registers $a and $b, by an expression each for elements of 1, 2,
/// 4 and 8 bytes.
macro_rules! zip_by {
    (|$a:ident, $b:ident| $($zip:ident: $one:expr, $two:expr, $four:expr, $eight:expr;)*) => { $(
        #[inline(always)]
        #[allow(unused_unsafe)] // WebAssembly's are safe
        unsafe fn $zip(self, other: Self, width: usize) -> Self {
            let ($a, $b) = (self.0, other.0);
            // SAFETY: K1: the CPU has the instruction set of these registers.
            Self(unsafe {
                match width {
                    1 => $one,
                    2 => $two,
                    4 => $four,
                    _ => $eight,
                }
            })
        }
    )* };
}
pub(super) use zip_by;

/// Sixteen values written out: for a loop over an array the compiler keeps the registers in memory.
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

/// Interleaves the registers i and i + N/2 of the first N; the others stay.
///
/// # Safety
/// K1.
#[inline(always)]
#[allow(clippy::absurd_extreme_comparisons, clippy::manual_is_multiple_of)] // k is a constant in each of the sixteen
unsafe fn zip_round<V: Vector, const N: usize>(old: [V; 16]) -> [V; 16] {
    // SAFETY: K1: the CPU has the instruction set of V.
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
/// K1.
#[inline(always)]
pub(super) unsafe fn zips<V: Vector, const N: usize>(mut registers: [V; 16]) -> [V; 16] {
    // SAFETY: K1: the CPU has the instruction set of V. There are log2 N rounds.
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
