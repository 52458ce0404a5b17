//! The planner's numbers, by the question that they answer. They are the same for every CPU; a number of one CPU is a
//! field of [`Machine`](crate::machine::Machine). To change one, measure random copies beside their other plans (`make
//! bench-cliffs`) and the named copies (`make bench-against`).

use super::super::kernels;

/// Bytes of a cache line.
pub(super) const CACHE_LINE: i64 = kernels::LINE as i64;
/// Bytes of a lane in most instruction sets.
pub(super) const LANE: i64 = 16;

// Which kernel: chunks that are one permutation.

/// Minimum bytes of a row of chunks that repay building the index of a permutation.
pub(super) const PERMUTED_ROW: i64 = 512;
/// Minimum elements of a copy that repay building it.
pub(super) const PERMUTED_ELEMENTS: i64 = 512;
/// Minimum bytes of a copy for which a permutation is faster than **spaced** on elements of odd widths that are read
/// backwards (mirrored pixels of 3 bytes, 786 KB: 1.16 times as fast).
pub(super) const PERMUTED_ALONE: u64 = 1 << 16;
/// Minimum chunks of a copy for which a permutation is faster than one run after the other.
pub(super) const PERMUTED_CHUNKS: i64 = 128;
/// Minimum chunks of a row for which a permutation is faster than one run after the other.
pub(super) const CHUNKS_IN_ROW: i64 = 8;

// Which kernel: runs, channels, small steps.

/// Elements, of at most a lane together, up to which a run that is repeated or reversed is faster one by one (without
/// masks).
pub(super) const FEW_IN_RUN: i64 = 4;
/// Minimum elements of a call if there are many calls.
pub(super) const LEAST_IN_CALL: i64 = 16;
/// Minimum repeats of an element that repay assembling a line of them in memory.
pub(super) const MANY_REPEATED: i64 = 32;
/// Minimum pixels with gaps that repay packing.
pub(super) const LEAST_PACKED: i64 = 32;
/// Pixels with gaps are packed if they begin fewer bytes apart than this.
pub(super) const LONGEST_PACKED: i64 = 64;
/// Minimum elements of a row that repay the tables of **spaced**.
pub(super) const LEAST_IN_ROW: i64 = 6;
/// Minimum elements of the first two loops for **spaced**.
pub(super) const LEAST_IN_LOOPS: i64 = 48;
/// Longest step in bytes for **spaced**: a line must hold enough elements to be worth its load or its store.
pub(super) const LONGEST_STEP: i64 = 48;
/// Minimum elements of a row for **spaced** if each is a single move of 4 or 8 bytes, and cheap alone.
pub(super) const LEAST_OF_MOVES: i64 = 16;
/// Minimum elements of a row for **spaced** if it moves only a few at once and each is cheap alone.
pub(super) const LEAST_OF_FEW: i64 = 128;
/// Elements of a line below which **spaced** moves too few at once to be faster (1,000 random copies with AVX-512).
pub(super) const FEW_IN_LINE: i64 = 4;
/// Elements of a line from which **spaced** moves more than a few at once, if each is a single move.
pub(super) const SOME_IN_LINE: i64 = 5;
/// Minimum pixels of a transpose for which each of their channels gets a pass of its own.
pub(super) const MANY_PIXELS: i64 = 64;
/// Bytes of the longest pixel that is read whose channels are faster by such passes than by a transpose: the first
/// number, and the second one for each byte of an element; at most [`LONGEST_PIXEL_READ`]. (Zen 5, 5 channels of
/// 100,000 pixels of bytes: 5.3 times as fast.)
pub(super) const PIXEL_READ: [i64; 2] = [8, 4];
/// Bytes of the longest pixel that is read of elements of any width that is a power of two.
pub(super) const LONGEST_PIXEL_READ: i64 = 40;
/// Bytes of the longest pixel that is written, a number and another one for each byte of an element.
pub(super) const PIXEL_WRITTEN: [i64; 2] = [6, 2];
/// Bytes of the longest pixel that is read of other widths, whose transposes are slow: a number and another one for
/// each byte of an element.
pub(super) const ODD_PIXEL_READ: [i64; 2] = [16, 2];
/// Bytes of the longest pixel that is written of other widths, in the same two numbers.
pub(super) const ODD_PIXEL_WRITTEN: [i64; 2] = [12, 2];

// Which kernel: transposes.

/// Elements of a transpose up to which one at a time is faster than a call with tables.
pub(super) const TINY_TRANSPOSE: i64 = 48;
/// Elements up to which one at a time is faster in copies below L3/4: elements of at most 8 bytes, no whole tiles.
pub(super) const SMALL_TRANSPOSE: i64 = 128;
/// Elements up to which one at a time is faster in copies below L3/4: elements of more than 8 bytes.
pub(super) const SMALL_TRANSPOSE_WIDE: i64 = 192;
/// Minimum elements of a transpose of chunks that repay building the permutation. A chunk counts as many as it has.
pub(super) const ELEMENTS_OF_CHUNKS: i64 = 1024;
/// Minimum bytes of a copy that can have so many elements.
pub(super) const BYTES_OF_CHUNKS: u64 = ELEMENTS_OF_CHUNKS as u64;

// Which loops.

/// Elements of a destination run that the tables of a transpose hold. The slowest loop of the run may be longer.
pub(crate) const LONGEST_RUN: i64 = 1536;
/// Elements of a source run that the tables of a transpose hold. Source runs are walked in strips.
pub(crate) const LONGEST_ACROSS: i64 = 640;
/// Elements of a piece of a source run, or of a destination run that stays in the caches. Pieces of runs of several
/// loops are rarely longer.
pub(crate) const LONGEST_PIECE: i64 = 512;
/// Bytes at which a run takes in no further loop.
pub(crate) const LONG_ENOUGH: i64 = 256;
/// Bytes at which a streamed run of the destination takes in no further loop.
pub(super) const LONG_STREAM: i64 = 2048;
/// Minimum bytes of a source run for which a streamed destination run gets the loop that both could take.
pub(super) const SOME_LINES: i64 = 160;
/// Iterations of the inner loops below which the cost of a kernel's call shows.
pub(super) const SHORT_LOOPS: i64 = 64;
/// Bytes of a row below which the lines that it shares with its neighbours in the destination cost more than streaming
/// gains, or the order of the source. (Rows of 400 bytes into a pitch of 432, 26 MB, streamed: 1.2 times as fast; of
/// 300 into 332: 0.77.)
pub(super) const FEW_LINES: i64 = 384;
/// Lines a page apart that stay in L1, whose sets have eight ways or more.
pub(super) const FEW_IN_L1: i64 = 8;
/// Bytes of which a pitch is a multiple if its lines use at most four of the 64 sets of L1.
pub(super) const USES_FEW_SETS: i64 = 1024;
/// Streams of a source that the hardware prefetcher follows.
pub(super) const FOLLOWED: i64 = 16;

// How lines are written, and what is prefetched.

/// Minimum bytes of a run of joined rows that is streamed at any alignment.
pub(super) const LONG_ROW: i64 = 2048;
/// Minimum bytes of a channel that repays building lines of it on the stack.
pub(super) const LONG_CHANNEL: i64 = 256;
/// Minimum bytes of a run of single elements that repays building lines of it on the stack.
pub(super) const LONG_STRIDED: i64 = 4096;
/// Minimum bytes of a run that a string instruction fills faster than non-temporal stores.
pub(crate) const LONG_STRING: i64 = 64 << 10;
/// Minimum bytes of an unaligned destination row that repay a call of its own for what lies before the first line:
/// shorter rows have few whole lines.
pub(crate) const SHORT_ROW: i64 = 1024;
/// Bytes of a destination row below which streaming aligned rows gains as little as streaming unaligned ones.
pub(super) const SHORT_STREAMED: i64 = 512;
/// Minimum bytes of an unaligned destination row whose lines are worth joining.
pub(super) const JOINED_ROW: i64 = 256;
/// Minimum repeats of a source for which it counts for nothing beside the destination.
pub(super) const MANY_TIMES: i64 = 4;
/// Minimum bytes of a copy for which it is not left to the caches: below this no cache-set conflict counts.
pub(super) const CONFLICTS_FROM: u64 = 1 << 16;
/// Lines of a tile in one set of L1, of 8 to 12 ways, up to which they do not evict each other.
pub(super) const MOST_IN_SET: u8 = 8;
/// Lines of all rows in one set of L1 up to which L2 holds them (16 rows of f64, 64 KiB apart, into a pitch of 176
/// bytes: without a stage 2.2 times as fast).
pub(super) const FEW_IN_SET: i64 = 16;
/// Lines that L1 holds of rows that are an odd number of bytes apart, times the bytes of a line.
pub(super) const LINES_HELD: i64 = 8 << 12;
/// Bytes by which a pitch may miss a multiple of a page: each row has two lines in a set then, but the next row uses
/// them in time. (For elements below 8 bytes, narrower strips lose if the pitch misses it by 8 bytes.)
pub(super) const BESIDE_PAGE: i64 = 7;
/// Bytes by which the pitch of elements of 8 bytes may miss a multiple of a page.
pub(super) const BESIDE_PAGE_WIDE: i64 = 8;
/// Bytes from row to row of the stage.
pub(super) const STACK_PITCH: i64 = 9 * CACHE_LINE;
/// Columns of a strip of narrow elements.
pub(super) const MOST_COLUMNS: i64 = 128;
/// Lines of each source row in a strip whose destination goes past the caches.
pub(super) const PAST_LINES: i64 = 16;
/// Sets of L1 that an address tells within a page.
pub(super) const SETS: usize = 64;
/// Rows that lie a multiple of this many bytes apart, all sets of L1, share one.
pub(super) const SHARES_SETS: i64 = SETS as i64 * CACHE_LINE;
/// Minimum bytes of a destination row whose next lines are prefetched.
pub(super) const PREFETCHED_ROW: i64 = 128;
/// Bytes between two rows of a source that the hardware prefetcher follows.
pub(super) const FOLLOWED_GAP: u64 = 128;
/// Bytes of a source after which a longer gap costs less than the prefetches that avoid it. (Padded planes of 56x56 and
/// 28x28 f32, whose rows are streamed: 1.2 to 1.8 times as fast with prefetches; of 224x224: no faster.)
pub(super) const RARE_GAPS: u64 = 64 << 10;
/// Minimum bytes of a row that is libc's even if neither side is in L2.
pub(super) const LIBC_ROW: i64 = 8 << 10;
