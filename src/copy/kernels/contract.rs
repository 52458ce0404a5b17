//! The contract of a kernel: what it gets, and what it and its caller promise each other.

use super::super::loops::Loop;
use super::{Permute, Store};

/// The loops and the element width, as a kernel gets them.
#[derive(Clone, Copy, Debug)]
pub struct Inner {
    /// Where the bytes are: [`hints`].
    pub hints: u8,
    /// Bytes of one element.
    pub width: i64,
    /// The faster loop.
    pub a: Loop,
    /// The slower loop.
    pub b: Loop,
    /// The slowest loop: one iteration, unless the family [takes three](Family::takes_three).
    pub c: Loop,
    /// Bytes from what is read to what is prefetched, if chunks are built on the stack; 0: nothing.
    pub ahead: isize,
}

/// Byte offsets of the rows of a transpose, not empty on either side.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// How to write lines; if past the caches, every destination row begins at a multiple of 64 bytes.
    pub store: Store,
    /// Columns that are taken at a time, down all rows; 0: half lines are faster than whole ones.
    pub strip: u16,
    /// Where the bytes are: [`hints`].
    pub hints: u8,
    /// Bytes of one element.
    pub width: i64,
    /// `[i]`: where source row i begins; its elements are element i of each destination row.
    pub src: &'a [i64],
    /// `[j]`: where destination row j begins.
    pub dst: &'a [i64],
    /// Bytes of the destination and of the source from this call's rows to those of the next call, as a guess; for
    /// small matrices, to those of a call some kilobytes later. 0: not known.
    pub next: [i64; 2],
}

/// A piece of a row of the destination, and whether its lines go past the caches.
#[derive(Clone, Copy, Debug)]
pub struct RowPiece {
    /// A line or more, but for what waits before it and for the last piece.
    pub bytes: usize,
    /// Whether the row begins and ends with it.
    pub first: bool,
    pub last: bool,
    pub past: bool,
}

/// The writer of an instruction set, see `lines`: its stores are as wide as the registers (Zen 4, 25 MB of RGB: 1.5 of
/// memcpy by 32 bytes, 1.3 by 16).
pub type Write = unsafe fn(to: *mut u8, made: *const u8, piece: &RowPiece);

/// How a kernel is called.
///
/// # Safety
/// What a caller promises; SAFETY lines cite it by number:
///
/// * **K1** The CPU has the kernel's level.
/// * **K2** A kernel of chunks [accepts](Kernel::accepts) the chunk. Tables of rows are not empty, and the matrix has
///   the kernel's width. A permutation was made for the kernel's level, and has one chunk or more.
/// * **K3** Every element that is reached from `dst` may be written and from `src` may be read, at any alignment; what
///   is read need not be initialised.
/// * **K4** If tiles go past the caches, every row of the destination begins at a multiple of 64 bytes.
///
/// And a kernel promises:
///
/// * **K5** It reads and writes these elements and nothing else.
/// * **K6** If bytes belong to elements of both sides, because a caller vouched for too much, the order of reads and
///   writes is unspecified, and nothing worse: no copy that must not overlap, no reference to either side.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// Two loops.
    Inner(OfLoops),
    /// Two tables of rows.
    Tile(Transpose),
    /// Chunks that are one permutation.
    Chunks(Permute),
}

/// A kernel of two loops; as [`Run`].
pub type OfLoops = unsafe fn(dst: *mut u8, src: *const u8, chunk: &Inner);

/// A kernel of transposes; as [`Run`].
pub type Transpose = unsafe fn(dst: *mut u8, src: *const u8, rows: &Rows<'_>);
