//! The contract of kernels: what one gets, and what it and its caller promise each other, K1–K8 ([`Run`]).

use super::super::loops::Loop;
use super::{Permute, Store};

/// The loops and the width of an element, as a kernel gets them.
#[derive(Clone, Copy, Debug)]
pub struct Inner {
    /// Facts of the memory on both sides: [`hints`](super::hints).
    pub hints: u8,
    /// Bytes of one element.
    pub width: i64,
    /// The faster loop.
    pub a: Loop,
    /// The slower loop.
    pub b: Loop,
    /// The slowest loop: one iteration, unless the family [takes three](super::Family::takes_three).
    pub c: Loop,
    /// Bytes from what is read to what is prefetched, if rows are built on the stack; 0: nothing.
    pub ahead: isize,
}

/// Byte offsets of the rows of a transpose, not empty on either side.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The store of its lines; if it is [`Store::Stream`], every destination row begins at a multiple of 64 bytes.
    pub store: Store,
    /// Columns that are taken at a time, down all rows; 0: half lines are faster than whole ones.
    pub strip: u16,
    /// Facts of the memory on both sides: [`hints`](super::hints).
    pub hints: u8,
    /// Bytes of one element.
    pub width: i64,
    /// `[i]`: the offset of source row i, whose elements are element i of each destination row.
    pub src: &'a [i64],
    /// `[j]`: the offset of destination row j.
    pub dst: &'a [i64],
    /// Bytes of the destination and of the source from this call's rows to those of the next call, as a guess; for
    /// small matrices, to those of a call some kilobytes later. 0: not known.
    pub next: [i64; 2],
}

/// A piece of a row of the destination, as a writer gets it.
#[derive(Clone, Copy, Debug)]
pub struct RowPiece {
    /// Bytes of the piece: of a row's first one a line or more, unless it is the last one as well.
    pub bytes: usize,
    /// Whether the row begins with it.
    pub first: bool,
    /// Whether the row ends with it.
    pub last: bool,
    /// Whether its lines go past the caches.
    pub past: bool,
}

/// The writer of an instruction set (`lines`). Its stores are as wide as the registers (Zen 4, 25 MB of RGB: 1.5 of
/// memcpy by 32 bytes, 1.3 by 16).
///
/// # Safety
/// K1 and K3 of [`Run`], for the piece, and for the bytes of the row before it in its first line. A line before `made`,
/// which waits, may be read and written. The first piece of a row, unless it is the last one, has a line or more.
pub type Write = unsafe fn(to: *mut u8, made: *const u8, piece: &RowPiece);

/// A kernel's function, by what it takes.
///
/// # Safety
/// SAFETY comments cite the contract by number. A caller promises:
///
/// * **K1** The CPU has the kernel's level.
/// * **K2** A kernel of loops [accepts](super::Kernel::accepts) them, and every count is 1 or more. Tables of rows are
///   not empty. The width is 1 or more, and the kernel's, if it has one. A permutation was made for the kernel's level,
///   and has one chunk or more.
/// * **K3** Every element that is reached from `dst` may be written and from `src` may be read, at any alignment. What
///   is converted is initialised. Other bytes (padding of C) arrive as they were, though Rust has no rule for registers
///   that are not initialised.
/// * **K4** If the store is [`Store::Stream`], every row of the destination begins at a multiple of 64 bytes.
///
/// A kernel promises:
///
/// * **K5** It writes every element, and reads and writes nothing else, with three exceptions. Below a byte, neighbours
///   are read and written back. A converter overwrites the other bits of its last byte. A permutation reads all bytes
///   of a chunk, also those that no index picks.
/// * **K6** If bytes or bits belong to elements of both sides, because somebody vouched for too much or changed a list,
///   the order of reads and writes is unspecified, but for what a converter promises, and nothing worse: no copy that
///   must not overlap, no reference to either side.
///
/// A caller of a [converter](super::number_runs::Convert) also promises:
///
/// * **K7** Every entry of the lists that [`NumberRuns`](super::number_runs::NumberRuns) names may be read.
///
/// For elements below a byte, in place of K3:
///
/// * **K8** The bytes that hold the bits of the source may be read, and those of the destination written, and read
///   where they hold others. What is read is initialised.
///
/// A function inside a kernel takes over the numbers that it names: K1 for the instruction set of its registers, the
/// others for the loops, elements or bytes that it gets.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// By loops.
    Inner(OfLoops),
    /// By two tables of rows.
    Tile(Transpose),
    /// By chunks that are one permutation.
    Chunks(Permute),
}

/// A kernel of loops; its contract is that of [`Run`].
pub type OfLoops = unsafe fn(dst: *mut u8, src: *const u8, inner: &Inner);

/// A kernel of transposes; its contract is that of [`Run`].
pub type Transpose = unsafe fn(dst: *mut u8, src: *const u8, rows: &Rows<'_>);
