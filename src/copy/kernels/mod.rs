//! The kernels: the innermost loops of a copy, for one instruction set and some element widths.
//!
//! Most take two loops ([`Run::Inner`]):
//!
//! ```text
//! for j in 0 … b.count:  for i in 0 … a.count:  dst[j·b.dst + i·a.dst] = src[j·b.src + i·a.src]
//! ```
//!
//! in any order of the iterations. Families that do little for each element have a third loop around these. Transposes
//! take tables of rows ([`Run::Tile`]), so that several loops can stand in for one (see [`plan`](super::plan)):
//!
//! ```text
//! for all i, j:  dst[rows.dst[j] + i·width] = src[rows.src[i] + j·width]
//! ```
//!
//! A kernel reads and writes exactly these elements, at any alignment. Its name is `family_x<bits>`; the file is the
//! instruction set.
//!
//! [`KERNELS`] is the one list: the plan chooses from it, [`execute`](super::execute) calls through it, and a test runs
//! every entry against the naive loop. A kernel that is not in it cannot be reached; one that is cannot be untested.
//! `contract` has what callers and kernels promise each other.
#![cfg_attr(
    any(test, not(all(target_arch = "x86_64", feature = "avx512"))),
    allow(dead_code, unused_imports, unused_macros) // for instruction sets that are left out ([`list`])
)]

/// The kernels of an instruction set, given its CPU feature and its register (with the traits `Register` and `Vector`):
/// thin functions around those that are written once. `few` is the kernel of the elements that no tile of a transpose
/// covers.
macro_rules! instruction_set {
    ($feature:literal, $register:ty, one lane) => {
        use super::super::{padded_lanes, strided};

        instruction_set!($feature, $register);
        instruction_set!(@ $feature
            strided<W>(Inner) => strided::strided::<$register, W>;
            transpose_padded<>(super::super::Rows<'_>) => padded_lanes::transpose::<$register>;
        );
    };
    ($feature:literal, $register:ty) => {
        instruction_set!($feature, $register, few: super::super::scalar::transpose_small);
    };
    ($feature:literal, $register:ty, few: $few:expr) => {
        use super::super::{Inner, Permutation, channels, fills, lines, permute, reverse, rows, tile};

        instruction_set!(@ $feature
            transpose<N>(super::super::Rows<'_>) => tile::transpose::<$register, N>, $few;
            rows<>(Inner) => rows::rows::<$register>;
            write<>(super::super::RowPiece) => lines::write::<$register>;
            rows_past<>(Inner) => lines::rows::<$register>;
            fill<>(Inner) => fills::fill::<$register>;
            repeat<>(Inner) => fills::repeat::<$register>;
            reverse<>(Inner) => reverse::reverse::<$register>;
            permute<>(Permutation) => permute::permute::<$register>;
            interleave<K>(Inner) => channels::channels::<$register, K, false>, interleave::<K>;
            deinterleave<K>(Inner) => channels::channels::<$register, K, true>, deinterleave::<K>;
        );
    };
    (convert $feature:literal $(, $first:expr)?) => {
        /// # Safety
        /// K1, K3 and K7, as [`Convert`](crate::copy::kernels::number_runs::Convert) says.
        pub(in super::super) unsafe fn convert(
            to: *mut u8,
            from: *const u8,
            count: usize,
            how: &crate::copy::kernels::number_runs::NumberRuns<'_>,
            pass: &mut crate::copy::kernels::number_runs::Pass,
        ) {
            // SAFETY: K1 for the instruction set of this file; K3 and K7 for the runs.
            unsafe { crate::copy::kernels::number_runs::convert(to, from, count, how, pass, convert_direct) }
        }

        #[target_feature(enable = $feature)]
        unsafe fn convert_direct(
            to: *mut u8,
            from: *const u8,
            count: usize,
            runs: &crate::copy::loops::Loop,
            steps: &crate::copy::conversion::Steps,
            numbers: &crate::copy::kernels::number_runs::Numbers<'_>,
        ) -> bool {
            // SAFETY: K1; K3 for the runs; an entry for each number, if there are entries.
            unsafe {
                $($first(to, from, count, runs, steps) ||)?
                    crate::copy::kernels::number_runs::convert_direct(to, from, count, runs, steps, numbers)
            }
        }
    };
    (@ $feature:literal
        $($name:ident<$($number:ident)?>($loops:ty) => $run:expr $(, $itself:expr)*;)*
    ) => { $(
        /// # Safety
        /// As [`Run`](super::super::Run) or [`Write`](super::super::Write); K1 for the instruction set of this file.
        #[target_feature(enable = $feature)]
        pub(in super::super) unsafe fn $name<$(const $number: usize)?>(dst: *mut u8, src: *const u8, loops: &$loops) {
            // SAFETY: K1; the others for the same loops, rows or piece.
            unsafe { $run(dst, src, loops $(, $itself)*) }
        }
    )* };
}

#[cfg(stride_neon)]
mod aarch64;
pub(crate) mod bit_matrix;
pub(crate) mod bit_runs;
mod channels;
mod contract;
mod fills;
mod gaps;
mod lines;
mod list;
pub mod number_runs;
mod padded_lanes;
mod permutation;
mod permute;
mod prefetch;
mod register;
mod reverse;
mod rows;
mod scalar;
mod strided;
mod tile;
#[cfg(target_feature = "simd128")]
mod wasm32;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use contract::{Inner, OfLoops, RowPiece, Rows, Run, Transpose, Write};
pub use list::{KERNELS, converter, find, writer};
pub use permutation::{Chunks, FILLED, Permutation, Permute, WIDEST_CHUNK};
pub(super) use prefetch::prefetch;
pub(super) use scalar::{fill_rest, is_one_byte};
#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::shuffle::{read_rows, shuffle};

use super::loops::Loop;
use crate::machine::Level;

/// Bytes of a cache line.
pub const LINE: usize = 64;

/// A table of the length and type of `$empty` whose entry `$k` is `$entry`.
macro_rules! table {
    ($empty:expr, |$k:ident| $entry:expr) => {{
        let (mut table, mut $k) = ($empty, 0);
        while $k < table.len() {
            table[$k] = $entry;
            $k += 1;
        }
        table
    }};
}
use table;

/// The numbers of bytes.
pub(super) static ASCENDING: [u8; 256] = table!([0; 256], |k| k as u8);

/// Bytes of the widest element that is not moved as a row.
pub const WIDEST_ELEMENT: i64 = 16;

/// Bytes of the widest element of [`Family::Repeat`].
pub const WIDEST_REPEATED: i64 = 64;

/// Bytes of the widest element of [`Family::Spaced`].
pub const WIDEST_SPACED: i64 = 32;
/// Bytes of the longest step of [`Family::Spaced`].
pub const WIDEST_STEP: i64 = 64;

/// Bytes of the longest row that is prefetched whole. The hardware prefetcher follows longer ones, unless they go past
/// the caches.
pub const LONGEST_PREFETCHED_ROW: i64 = 2048;

/// The kernels that accept the same loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Elements of any width, one move of bytes each.
    Rows,
    /// One element repeated: `a.src == 0` and `a.dst == width`.
    Fill,
    /// One element of any width up to [`WIDEST_REPEATED`] repeated.
    Repeat,
    /// Contiguous along one loop in the destination and along another in the source.
    Transpose,
    /// This many channels to as many runs: `a` walks the pixels, `b` the channels, either of them upward or downward in
    /// the source. There may be gaps between the pixels.
    Deinterleave(i64),
    /// This many runs to as many channels: `a` walks the channels, `b` the pixels, upward or downward in the source.
    /// There may be gaps between the pixels.
    Interleave(i64),
    /// Every k-th element into a contiguous run, upward or downward.
    Gather(i64),
    /// A run read downward.
    Reverse,
    /// Chunks without gaps on either side that are one permutation of bytes ([`Permutation::new`]).
    Permute,
    /// Elements that do not touch each other, at steps of at most [`WIDEST_STEP`] bytes upward in the destination, and
    /// upward, downward or none in the source.
    Spaced,
    /// Anything.
    Strided,
}

impl Family {
    /// Whether a kernel takes a third loop: those that do little for each element, so that the cost of their calls
    /// would show, and channels, which prefetch later images.
    pub const fn takes_three(self) -> bool {
        matches!(self, Self::Rows | Self::Strided | Self::Repeat | Self::Deinterleave(_) | Self::Interleave(_))
    }
}

/// The ways to write lines of the destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Store {
    /// By the kernel.
    #[default]
    Direct = 0,
    /// From pieces of rows that the kernel builds on the stack, past the caches, at any alignment.
    Past = 1,
    /// Past the caches by the kernel of a transpose: tiles of wide elements make whole lines in registers. Rows that
    /// are not aligned to lines are [`Store::Past`].
    Stream = 2,
    /// From such pieces into the caches: rows are written one by one, which avoids cache-set conflicts.
    Staged = 3,
}

impl Store {
    /// The value with this number.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Direct),
            1 => Some(Self::Past),
            2 => Some(Self::Stream),
            3 => Some(Self::Staged),
            _ => None,
        }
    }

    /// Whether lines go past the caches.
    pub const fn is_past(self) -> bool {
        matches!(self, Self::Past | Self::Stream)
    }

    /// The store of elements that are chunks, which are built on the stack in any case.
    pub const fn on_the_stack(self) -> Self {
        match self {
            Self::Direct => Self::Staged,
            Self::Stream => Self::Past,
            other => other,
        }
    }

    /// Whether a transpose with these hints prefetches the lines that it writes next.
    pub const fn prefetches(self, hints: u8) -> bool {
        hints & hints::PREFETCH_DST != 0 && matches!(self, Self::Direct)
    }
}

/// Bits of [`Inner::hints`] and [`Rows::hints`]: facts of the memory on both sides that a kernel need not find out.
pub mod hints {
    /// The source is larger than L3 holds beside a destination. For small transposes: they would be streamed if their
    /// rows were longer. For stages: the source may leave L2, so that it is prefetched.
    pub const FAR: u8 = 1;
    /// Either side reaches twice L2 or more. For kernels that move under masks: masked stores wait for each line that
    /// is not in the cache, so the destination is prefetched as well.
    pub const FAR_MASKED: u8 = 2;
    /// Long runs are faster by string instructions of the CPU: fills that leave L2, and rows by libc.
    pub const STRING: u8 = 4;
    /// Transposes that are not streamed prefetch the lines that the next tile writes: ordinary stores wait for them.
    pub const PREFETCH_DST: u8 = 8;
    /// Prefetches go to L2 rather than to L1: for short rows, and for channels and transposes that are streamed.
    pub const SECOND: u8 = 16;
    /// All of them.
    pub const ALL: u8 = 31;
}

/// A kernel.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// `family_x<bits>`.
    pub name: &'static str,
    /// The instruction set that it needs.
    pub level: Level,
    /// The loops that it accepts.
    pub family: Family,
    /// Bytes of the elements it takes; 0: any.
    pub width: i64,
    /// The code.
    pub run: Run,
}

impl Kernel {
    /// Whether a kernel of loops may run these (K2).
    #[inline(always)]
    pub fn accepts(&self, width: i64, a: Loop, b: Loop) -> bool {
        // The width first: a kernel of channels has a small one, so that the products below fit.
        (self.width == 0 || self.width == width)
            && match self.family {
                Family::Rows | Family::Strided | Family::Transpose => true,
                Family::Permute => false,
                Family::Fill => a.src == 0 && a.dst == width,
                Family::Repeat => a.src == 0 && a.dst == width && (1..=WIDEST_REPEATED).contains(&width),
                Family::Reverse => a.dst == width && a.src == -width,
                Family::Spaced => {
                    (1..=WIDEST_SPACED).contains(&width)
                        && (width..=WIDEST_STEP).contains(&a.dst)
                        && (a.src == 0 || (width..=WIDEST_STEP).contains(&a.src.saturating_abs()))
                }
                Family::Gather(k) => a.dst == width && either_way(a.src, k * width),
                Family::Deinterleave(k) => {
                    let apart = a.src.saturating_abs() >= k * width;
                    a.dst == width && apart && b.count == k && either_way(b.src, width)
                }
                Family::Interleave(k) => {
                    a.dst == width && a.count == k && b.dst >= k * width && either_way(b.src, width)
                }
            }
    }
}

/// Whether a step is this one, upward or downward.
#[inline(always)]
const fn either_way(step: i64, upward: i64) -> bool {
    step == upward || step == -upward
}

/// The lowest `count` of 64 bits; all of them from 64 on.
#[inline(always)]
const fn first(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Makes non-temporal stores visible to other threads before whatever follows.
pub(super) fn fence() {
    #[cfg(all(target_arch = "x86_64", not(miri)))] // elsewhere nothing is streamed
    #[allow(unused_unsafe)] // a safe function from Rust 1.94 on
    // SAFETY: SSE is part of x86-64.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}
