//! Chunks that are one permutation of bytes: small matrices transposed, pixels whose channels are reversed or repeated.
//! Written once over [`Register`].
//!
//! A lane holds one piece of a chunk: piece p begins at byte `p · LANE` of it, but the last one ends with the chunk.
//! Each piece of the destination is picked out of all pieces of the source, by [`Permutation::index`]. Chunks that are
//! shorter than a lane go through it in groups, as many as fit.

use super::register::{Register, number, numbers};
use super::rows::begin;
use super::tile::{Vector, sixteen, zips};
use super::{Loop, Permutation, WIDEST_CHUNK};

/// Minimum groups of a row for which aligning to a line pays.
const LEAST_ALIGNED_GROUPS: usize = 16;

/// The chunks of a row.
///
/// # Safety
/// K1–K3 of [`Run`](super::Run), K1 for R and its lane.
#[inline(always)]
pub(super) unsafe fn permute<R: Vector>(dst: *mut u8, src: *const u8, chunks: &Permutation) {
    let count = chunks.row.count as usize;
    const { assert!(R::LANE == 16 || 2 * R::LANE == WIDEST_CHUNK) };
    // SAFETY: K1; K3 for the same chunks; K2: a chunk has at most this many lanes.
    unsafe {
        match chunks.dst_bytes.div_ceil(R::LANE) {
            side if R::LANE == 16 && chunks.square => match side {
                2 => squares::<R, 2>(dst, src, count, chunks.row),
                4 => squares::<R, 4>(dst, src, count, chunks.row),
                8 => squares::<R, 8>(dst, src, count, chunks.row),
                _ => squares::<R, 16>(dst, src, count, chunks.row),
            },
            0 | 1 if chunks.fills => groups::<R::Lane, 2>(dst, src, count, chunks),
            0 | 1 => groups::<R::Lane, 1>(dst, src, count, chunks),
            2 => pieces::<R, 2>(dst, src, count, chunks),
            _ if R::LANE != 16 => {}
            3 => pieces::<R, 3>(dst, src, count, chunks),
            _ => pieces::<R, 4>(dst, src, count, chunks),
        }
    }
}

/// Squares of N lanes of N elements, transposed: as many at once as V has lanes.
///
/// # Safety
/// As [`permute`].
#[inline(always)]
unsafe fn squares<V: Vector, const N: usize>(dst: *mut u8, src: *const u8, count: usize, row: Loop) {
    // SAFETY: K1; K3: squares up to `count`.
    unsafe {
        let whole = each_square::<V, N>(dst, src, 0, count, row);
        each_square::<V::One, N>(dst, src, whole, count, row);
    }
}

/// [`squares`] from `first` on, as long as all lanes are used; returns the square after them.
///
/// # Safety
/// As [`permute`].
#[inline(always)]
unsafe fn each_square<V: Vector, const N: usize>(
    dst: *mut u8,
    src: *const u8,
    first: usize,
    count: usize,
    row: Loop,
) -> usize {
    let mut at = first;
    while at + V::LANES <= count {
        let (to, from) = begin(dst, src, row, at as i64);
        // SAFETY: K1; K3: the lanes of these squares.
        unsafe {
            let of_lane = |lane: usize| from.wrapping_offset(lane as isize * row.src as isize);
            let out = zips::<V, N>(sixteen!(k => V::gather(|lane| of_lane(lane).wrapping_add(k % N * 16))));
            sixteen!(m => if m < N { out[m].store_lanes(to.wrapping_add(m * 16), row.dst as isize) });
        }
        at += V::LANES;
    }
    at
}

/// One chunk or more of at most a lane each, in groups. The last group may begin with chunks that were moved before. K
/// is 2 if bytes are filled, else 1.
///
/// # Safety
/// As [`permute`]; R is one lane.
#[inline(always)]
unsafe fn groups<R: Register, const K: usize>(dst: *mut u8, src: *const u8, count: usize, chunks: &Permutation) {
    let Permutation { src_bytes, group, lowest, row, dst_mask, src_mask, ref whole, ref index, ref fill, .. } = *chunks;
    let (from_bytes, src, last) = (group * src_bytes, src.wrapping_offset(lowest), count - group);
    let halves = Halves::of(from_bytes);
    // SAFETY: K1; K2: index, masks and `whole` were made for this lane; K3: the chunks of each group, and their
    // neighbours in the row where lanes are moved whole.
    unsafe {
        let table = R::tables::<K>(index.as_ptr());
        let of_halves = if R::MASKS { table } else { R::tables::<K>(halves.index(index).as_ptr()) };
        let filled = if K == 1 { table[0] } else { R::load(fill.as_ptr()) };
        // No closure: it would be a function of its own, without the instruction set.
        macro_rules! pick {
            ($loaded:expr, $table:expr) => {{
                let mut both = [$loaded; K];
                both.iter_mut().skip(1).for_each(|second| *second = filled);
                R::pick_by(&both, $table)
            }};
        }
        macro_rules! part {
            ($at:expr) => {{
                let (to, from) = begin(dst, src, row, $at as i64);
                let loaded = if R::MASKS { R::load_masked(from, src_mask) } else { halves.load(from) };
                pick!(loaded, &of_halves).store_masked(to, dst_mask);
            }};
        }
        let mut at = 0;
        while at < whole.start {
            part!(at);
            at += group;
        }
        let (mut to, mut from) = begin(dst, src, row, at as i64);
        // Long rows of whole lanes are aligned to a line, if a chunk begins at one.
        if at + LEAST_ALIGNED_GROUPS * group <= whole.end && group * row.dst as usize == R::BYTES {
            let (step, line) = (row.dst as usize, to.addr() & (R::BYTES - 1));
            if line != 0 && line & (step - 1) == 0 {
                part!(at);
                at += (R::BYTES - line) >> step.trailing_zeros();
                (to, from) = begin(dst, src, row, at as i64);
            }
        }
        let (to_step, from_step) = (group as isize * row.dst as isize, group as isize * row.src as isize);
        for iterations in [4, 1] {
            while at + (iterations - 1) * group < whole.end {
                for _ in 0..iterations {
                    pick!(R::load(from), &table).store(to);
                    (to, from) = (to.wrapping_offset(to_step), from.wrapping_offset(from_step));
                }
                at += iterations * group;
            }
        }
        while at < count {
            part!(at.min(last));
            at += group;
        }
    }
}

/// The two loads of equal size by which a register without masks gets up to 16 bytes: the first bytes and the last
/// ones, which may overlap. (Bytes assembled in memory would have to wait until they leave the store queue.)
#[derive(Clone, Copy)]
struct Halves {
    bytes: usize,
    half: usize,
}

impl Halves {
    fn of(bytes: usize) -> Self {
        Self { bytes, half: 1 << bytes.max(1).ilog2().min(3) }
    }

    /// An index into the two halves, made of one into the bytes.
    fn index(self, index: &[u8; WIDEST_CHUNK]) -> [u8; 16] {
        let again = (2 * self.half).wrapping_sub(self.bytes) as u8;
        let first: [u8; 16] = core::array::from_fn(|at| index[at]);
        first.map(|byte| match byte {
            16.. => byte, // filled
            _ if byte < self.half as u8 => byte,
            _ => byte.wrapping_add(again) & 15,
        })
    }

    /// A register of the two halves.
    ///
    /// # Safety
    /// K1 and K3 of [`Run`](super::Run), for the bytes, of which there is one at least; R has 16.
    #[inline(always)]
    unsafe fn load<R: Register>(self, from: *const u8) -> R {
        const { assert!(R::MASKS || R::BYTES == 16) };
        let apart = self.bytes.wrapping_sub(self.half);
        // SAFETY: K3: `bytes` bytes from `from` may be read, one at least; `words` fills R.
        unsafe {
            let words = match self.half {
                8 => [number::<8>(from), number::<8>(from.wrapping_add(apart))],
                4 => [numbers::<4>(from, apart as isize), 0],
                2 => [number::<2>(from) | number::<2>(from.wrapping_add(apart)) << 16, 0],
                _ => [number::<1>(from), 0],
            };
            words.as_ptr().cast::<R>().read_unaligned()
        }
    }
}

/// Chunks of more than K − 1 and at most K lanes, as many at once as R has lanes.
///
/// # Safety
/// As [`permute`].
#[inline(always)]
unsafe fn pieces<R: Register, const K: usize>(dst: *mut u8, src: *const u8, count: usize, chunks: &Permutation) {
    let at_once = R::BYTES / R::LANE;
    let src = src.wrapping_offset(chunks.lowest);
    let whole = count - count % at_once;
    // SAFETY: K1–K3 for these chunks.
    unsafe {
        each_piece::<R, K>(dst, src, whole / at_once, chunks);
        if whole < count {
            let (to, from) = begin(dst, src, chunks.row, whole as i64);
            each_piece::<R::Lane, K>(to, from, 1, chunks);
        }
    }
}

/// `times` times as many chunks as R has lanes.
///
/// # Safety
/// As [`permute`], for these chunks.
#[inline(always)]
unsafe fn each_piece<R: Register, const K: usize>(dst: *mut u8, src: *const u8, times: usize, chunks: &Permutation) {
    let Permutation { dst_bytes, row, ref index, .. } = *chunks;
    let at_once = (R::BYTES / R::LANE) as isize;
    let begins = |piece: usize| (piece * R::LANE).min(dst_bytes - R::LANE);
    let (mut to, mut from) = (dst, src);
    // SAFETY: K1; K2: the index has a lane for each piece; K3: pieces of these chunks.
    unsafe {
        let mut tables = [R::tables::<K>(index.as_ptr()); K];
        for (piece, table) in tables.iter_mut().enumerate() {
            *table = R::tables(index.as_ptr().wrapping_add(piece * R::LANE));
        }
        for _ in 0..times {
            let mut registers = [R::load_lanes(from, row.src as isize); K];
            for (piece, register) in registers.iter_mut().enumerate().skip(1) {
                *register = R::load_lanes(from.wrapping_add(begins(piece)), row.src as isize);
            }
            for (piece, table) in tables.iter().enumerate() {
                let picked = R::pick_by(&registers, table);
                picked.store_lanes(to.wrapping_add(begins(piece)), row.dst as isize);
            }
            (to, from) =
                (to.wrapping_offset(at_once * row.dst as isize), from.wrapping_offset(at_once * row.src as isize));
        }
    }
}
