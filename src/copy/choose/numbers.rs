//! The planner's numbers, by the question that they answer. They are the same for every CPU; a number of one CPU is a
//! field of [`Machine`](crate::machine::Machine). To change one, measure random copies beside their other plans (`make
//! bench-cliffs`) and the named copies (`make bench-against`).

use super::super::kernels;

/// Bytes of a cache line.
pub(super) const LINE: i64 = kernels::LINE as i64;
/// Bytes of a lane of most sets.
pub(super) const LANE: i64 = 16;

// Which kernel: blocks that are one permutation.

/// Bytes of a row of blocks from which on it pays to make the index of a permutation.
pub(super) const LONG_BLOCKS: i64 = 512;
/// Elements of a copy from which on it pays to make that index.
pub(super) const ELEMENTS_IN_BLOCKS: i64 = 512;
/// Bytes of a copy from which on a permutation is faster than **spaced** for elements of odd widths that are read
/// backwards (mirrored pixels of 3 bytes, 786 KB: 1.16 times as fast).
pub(super) const MANY_ALONE: u64 = 1 << 16;
/// Blocks of a copy from which on a permutation is faster than one run after the other.
pub(super) const MANY_BLOCKS: i64 = 128;
/// Blocks of a row from which on a permutation is faster than that.
pub(super) const BLOCKS_IN_ROW: i64 = 8;

// Which kernel: runs, channels, small steps.

/// Elements, of at most a lane together, up to which a run that is repeated or read backwards is faster one by one.
/// (Not where masks move them at once.)
pub(super) const FEW: i64 = 4;
/// Elements that a call should take where there are many calls.
pub(super) const LEAST_IN_CALL: i64 = 16;
/// Times that an element is repeated from which on it pays to put a line of them together in memory.
pub(super) const MANY_REPEATED: i64 = 32;
/// Pixels with gaps from which on it pays to pack them.
pub(super) const LEAST_PACKED: i64 = 32;
/// Bytes from one pixel with gaps to the next below which it pays to pack them.
pub(super) const LONGEST_PACKED: i64 = 64;
/// Elements of a row from which on it pays to move several at once at small steps: the tables must be made.
pub(super) const LEAST_IN_ROW: i64 = 6;
/// Elements of all rows of a block from which on it pays to move several at once.
pub(super) const LEAST_IN_BLOCK: i64 = 48;
/// Bytes of the longest step at which several elements are moved at once: a line must be worth its load or its store.
pub(super) const LONGEST_STEP: i64 = 48;
/// Elements of a row from which on it pays to move only a few at once, where each is cheap alone.
pub(super) const LEAST_OF_FEW: i64 = 128;
/// Pixels of a transpose from which on they are passed over once for each of their channels.
pub(super) const MANY_PIXELS: i64 = 64;

// Which kernel: transposes.

/// Elements of a transpose up to which one at a time is faster than a call with tables, unless it is a whole tile.
pub(super) const TINY: i64 = 48;
/// Elements of at most 8 bytes up to which one at a time is faster in copies below a quarter of the last cache.
pub(super) const SMALL: i64 = 128;
/// Elements of more than 8 bytes up to which one at a time is faster in copies below a quarter of the last cache.
pub(super) const SMALL_WIDE: i64 = 192;
/// Elements of a transpose of blocks from which on it pays to make the permutation; a block counts for as many as it
/// has.
pub(super) const ELEMENTS_OF_BLOCKS: i64 = 1024;

// Which loops.

/// Elements of a destination run that the tables of a transpose hold; the slowest loop of the run may be longer.
pub(crate) const LONGEST_RUN: i64 = 1536;
/// Elements of a source run that the tables of a transpose hold; source runs are walked in strips.
pub(crate) const LONGEST_ACROSS: i64 = 640;
/// Elements of either run that the tables hold if blocks are made on the stack; pieces of runs of several loops are
/// rarely longer.
pub(crate) const LONGEST_PIECE: i64 = 512;
/// Bytes from which on a run needs no further loop.
pub(crate) const LONG_ENOUGH: i64 = 256;
/// Bytes from which on a streamed run of the destination needs no further loop.
pub(super) const LONG_STREAM: i64 = 2048;
/// Bytes of a run of the source from which on that of a streamed destination takes a loop that both want.
pub(super) const SOME_LINES: i64 = 160;
/// Turns of a kernel's loops below which the call of the kernel is felt.
pub(super) const SHORT_BLOCK: i64 = 64;
/// Bytes of a row below which its ends, lines that it shares with its neighbours in the destination, count for more
/// than the order of the source.
pub(super) const FEW_LINES: i64 = 384;
/// Streams of a source that the hardware follows.
pub(super) const FOLLOWED: i64 = 16;

// How the caches are treated.

/// Bytes of a row from which on its lines are streamed wherever it begins.
pub(crate) const LONG_ROW: i64 = 2048;
/// Bytes of an unaligned destination row below which few of its lines are whole, so that it is not worth a call for
/// what stands in front of the first one.
pub(crate) const SHORT_ROW: i64 = 1024;
/// Bytes of a destination row below which streaming aligned rows gains as little as streaming unaligned ones.
pub(super) const SHORT_STREAMED: i64 = 512;
/// Bytes of an unaligned destination row from which on its lines are worth joining.
pub(super) const JOINED_ROW: i64 = 256;
/// Times that a source is repeated from which on it counts for nothing beside the destination.
pub(super) const MANY_TIMES: i64 = 4;
/// Bytes of a copy from which on conflicts of rows in the cache count.
pub(super) const CONFLICTS_FROM: u64 = 1 << 16;
/// Rows that lie a multiple of so many bytes apart share a set of the first cache.
pub(super) const SHARES_SETS: i64 = 4096;
/// Bytes of a destination row from which on its next lines are prefetched.
pub(super) const ASKED_ROW: i64 = 128;
/// Bytes of a row from which on it is always libc's, but in the first cache.
pub(super) const LIBC_ROW: i64 = 8 << 10;
