//! The kernels: the innermost loops of a copy, for one element width and one instruction set.
//!
//! Most take two loops ([`Run::Block`]):
//!
//! ```text
//! for j in 0 … b.count:  for i in 0 … a.count:  dst[j·b.dst + i·a.dst] = src[j·b.src + i·a.src]
//! ```
//!
//! in any order of the turns. Transposes take tables of rows ([`Run::Tile`]), so that several loops can stand in for one
//! (see [`plan`](super::plan)):
//!
//! ```text
//! for all i, j:  dst[rows.dst[j] + i·width] = src[rows.src[i] + j·width]
//! ```
//!
//! A kernel reads and writes exactly the elements that these reach, nothing around them, with any alignment. Its name is
//! `family_x<bits>`; the file is the instruction set.
//!
//! [`KERNELS`] is the one list: the plan chooses from it, [`execute`](super::execute) calls through it, and a test runs
//! every entry against the naive loop. A kernel that is not in it cannot be reached; one that is cannot be untested.

pub mod level;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(super) use scalar::fill_rest;

use super::problem::Loop;
use level::Level;
use scalar::Bytes;
#[cfg(target_arch = "x86_64")]
use x86_64::{avx2, avx512, lines};

/// Elements above this many bytes are moved as rows.
pub const WIDEST_ELEMENT: i64 = 16;

/// What a kernel is good at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Elements of any width, one block move each.
    Rows,
    /// One element repeated: `a.src == 0` and `a.dst == width`.
    Fill,
    /// Contiguous along one loop in the destination and along another in the source.
    Transpose,
    /// This many channels to as many runs: `a` walks the pixels, `b` the channels.
    Deinterleave(i64),
    /// This many runs to as many channels: `a` walks the channels, `b` the pixels.
    Interleave(i64),
    /// Every so-manieth element to a run.
    Gather(i64),
    /// A run read backwards.
    Reverse,
    /// Anything.
    Strided,
}

/// Where the bytes of a copy are expected to be, and to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Memory {
    /// In the cache.
    Cached = 0,
    /// What `Stream` becomes in a very large copy whose destination rows do not begin at whole lines: fetch ahead only.
    Fetch = 1,
    /// Beyond the cache: fetch ahead, and write whole lines past it where the destination's alignment allows.
    Stream = 2,
    /// Rows that share few sets of the cache: as `Stream` or not, and each source line is touched once only.
    Crowded = 3,
    /// Both.
    CrowdedStream = 4,
}

/// Bytes per side from which on `Fetch` pays.
const FETCH_FROM: u64 = 8 << 20;

impl Memory {
    /// The value with this number.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Cached),
            1 => Some(Self::Fetch),
            2 => Some(Self::Stream),
            3 => Some(Self::Crowded),
            4 => Some(Self::CrowdedStream),
            _ => None,
        }
    }

    /// Whether the destination is written past the cache.
    pub const fn streams(self) -> bool {
        matches!(self, Self::Stream | Self::CrowdedStream)
    }

    /// The same for destination rows that do not begin at whole lines, in a copy of so many bytes.
    pub const fn unaligned(self, bytes: u64) -> Self {
        match self {
            Self::Stream if bytes < FETCH_FROM => Self::Cached,
            Self::Stream => Self::Fetch,
            Self::CrowdedStream => Self::Crowded,
            other => other,
        }
    }
}

/// The two loops and the element width, as a kernel gets them.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// How to treat the caches.
    pub memory: Memory,
    /// Bytes of one element.
    pub width: i64,
    /// The faster loop.
    pub a: Loop,
    /// The slower loop.
    pub b: Loop,
}

/// Byte offsets of the rows of a transpose, not empty on either side.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// How to treat the caches; where it streams, every destination row begins at a multiple of 64 bytes.
    pub memory: Memory,
    /// Bytes of one element.
    pub width: i64,
    /// `[i]`: where source row i begins; its elements are destination elements i of each destination row.
    pub src: &'a [i64],
    /// `[j]`: where destination row j begins.
    pub dst: &'a [i64],
}

/// How a kernel is called.
///
/// # Safety
/// [`Kernel::accepts`] holds for the block; the CPU has the kernel's level; every element that is reached from `dst` may be
/// written and from `src` may be read. Where bytes belong to elements of both, the order of reads and writes is unspecified.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// Two loops.
    Block(unsafe fn(dst: *mut u8, src: *const u8, block: &Block)),
    /// Two tables of rows.
    Tile(unsafe fn(dst: *mut u8, src: *const u8, rows: &Rows<'_>)),
}

/// A kernel.
#[derive(Debug)]
pub struct Kernel {
    /// `family_x<bits>`.
    pub name: &'static str,
    /// The instruction set that it needs.
    pub level: Level,
    /// What it is good at.
    pub family: Family,
    /// Bytes of the elements it takes; 0: any.
    pub width: i64,
    /// The code.
    pub run: Run,
}

impl Kernel {
    /// What a block kernel relies on besides the memory.
    pub fn accepts(&self, width: i64, a: Loop, b: Loop) -> bool {
        // The width first: a kernel of channels has a small one, so that the products below fit.
        (self.width == 0 || self.width == width)
            && match self.family {
                Family::Rows | Family::Strided | Family::Transpose => true,
                Family::Fill => a.src == 0 && a.dst == width,
                Family::Reverse => a.dst == width && a.src == -width,
                Family::Gather(k) => a.dst == width && a.src == k * width,
                Family::Deinterleave(k) => a.dst == width && a.src == k * width && b.count == k && b.src == width,
                Family::Interleave(k) => a.dst == width && a.count == k && b.dst == k * width && b.src == width,
            }
    }
}

#[cfg(target_arch = "x86_64")]
use Family::{Deinterleave, Gather, Interleave, Reverse};
use Family::{Fill, Rows as RowsFamily, Strided, Transpose};
use Run::{Block as B, Tile as T};

/// Every kernel, the lowest level first.
#[rustfmt::skip] // one line each
pub const KERNELS: &[Kernel] = &[
    Kernel { name: "rows", level: Level::Scalar, family: RowsFamily, width: 0, run: B(scalar::rows) },
    Kernel { name: "strided_x8", level: Level::Scalar, family: Strided, width: 1, run: B(scalar::strided::<Bytes<1>>) },
    Kernel { name: "strided_x16", level: Level::Scalar, family: Strided, width: 2, run: B(scalar::strided::<Bytes<2>>) },
    Kernel { name: "strided_x24", level: Level::Scalar, family: Strided, width: 3, run: B(scalar::strided::<Bytes<3>>) },
    Kernel { name: "strided_x32", level: Level::Scalar, family: Strided, width: 4, run: B(scalar::strided::<Bytes<4>>) },
    Kernel { name: "strided_x48", level: Level::Scalar, family: Strided, width: 6, run: B(scalar::strided::<Bytes<6>>) },
    Kernel { name: "strided_x64", level: Level::Scalar, family: Strided, width: 8, run: B(scalar::strided::<Bytes<8>>) },
    Kernel { name: "strided_x96", level: Level::Scalar, family: Strided, width: 12, run: B(scalar::strided::<Bytes<12>>) },
    Kernel { name: "strided_x128", level: Level::Scalar, family: Strided, width: 16, run: B(scalar::strided::<Bytes<16>>) },
    Kernel { name: "transpose_x8", level: Level::Scalar, family: Transpose, width: 1, run: T(scalar::transpose::<Bytes<1>>) },
    Kernel { name: "transpose_x16", level: Level::Scalar, family: Transpose, width: 2, run: T(scalar::transpose::<Bytes<2>>) },
    Kernel { name: "transpose_x24", level: Level::Scalar, family: Transpose, width: 3, run: T(scalar::transpose::<Bytes<3>>) },
    Kernel { name: "transpose_x32", level: Level::Scalar, family: Transpose, width: 4, run: T(scalar::transpose::<Bytes<4>>) },
    Kernel { name: "transpose_x48", level: Level::Scalar, family: Transpose, width: 6, run: T(scalar::transpose::<Bytes<6>>) },
    Kernel { name: "transpose_x64", level: Level::Scalar, family: Transpose, width: 8, run: T(scalar::transpose::<Bytes<8>>) },
    Kernel { name: "transpose_x96", level: Level::Scalar, family: Transpose, width: 12, run: T(scalar::transpose::<Bytes<12>>) },
    Kernel { name: "transpose_x128", level: Level::Scalar, family: Transpose, width: 16, run: T(scalar::transpose::<Bytes<16>>) },
    Kernel { name: "transpose_any", level: Level::Scalar, family: Transpose, width: 0, run: T(scalar::transpose_any) },
    Kernel { name: "fill_x8", level: Level::Scalar, family: Fill, width: 1, run: B(scalar::fill::<Bytes<1>>) },
    Kernel { name: "fill_x16", level: Level::Scalar, family: Fill, width: 2, run: B(scalar::fill::<Bytes<2>>) },
    Kernel { name: "fill_x32", level: Level::Scalar, family: Fill, width: 4, run: B(scalar::fill::<Bytes<4>>) },
    Kernel { name: "fill_x64", level: Level::Scalar, family: Fill, width: 8, run: B(scalar::fill::<Bytes<8>>) },
    Kernel { name: "fill_x128", level: Level::Scalar, family: Fill, width: 16, run: B(scalar::fill::<Bytes<16>>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x8", level: Level::Avx2, family: Transpose, width: 1, run: T(avx2::transpose::<16>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x16", level: Level::Avx2, family: Transpose, width: 2, run: T(avx2::transpose::<8>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x32", level: Level::Avx2, family: Transpose, width: 4, run: T(avx2::transpose::<4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x64", level: Level::Avx2, family: Transpose, width: 8, run: T(avx2::transpose::<2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x128", level: Level::Avx2, family: Transpose, width: 16, run: T(avx2::transpose::<1>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "rows", level: Level::Avx512, family: RowsFamily, width: 0, run: B(avx512::rows) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x24", level: Level::Avx512, family: Transpose, width: 3, run: T(lines::transpose_padded) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x48", level: Level::Avx512, family: Transpose, width: 6, run: T(lines::transpose_padded) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x96", level: Level::Avx512, family: Transpose, width: 12, run: T(lines::transpose_padded) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_any", level: Level::Avx512, family: Transpose, width: 0, run: T(lines::transpose_padded) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x8", level: Level::Avx512, family: Transpose, width: 1, run: T(lines::transpose::<16>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x16", level: Level::Avx512, family: Transpose, width: 2, run: T(lines::transpose::<8>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x32", level: Level::Avx512, family: Transpose, width: 4, run: T(lines::transpose::<4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x64", level: Level::Avx512, family: Transpose, width: 8, run: T(lines::transpose::<2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "transpose_x128", level: Level::Avx512, family: Transpose, width: 16, run: T(lines::transpose::<1>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "fill_x8", level: Level::Avx512, family: Fill, width: 1, run: B(avx512::fill::<1>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "fill_x16", level: Level::Avx512, family: Fill, width: 2, run: B(avx512::fill::<2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "fill_x32", level: Level::Avx512, family: Fill, width: 4, run: B(avx512::fill::<4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "fill_x64", level: Level::Avx512, family: Fill, width: 8, run: B(avx512::fill::<8>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "fill_x128", level: Level::Avx512, family: Fill, width: 16, run: B(avx512::fill::<16>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave2_x8", level: Level::Avx512, family: Deinterleave(2), width: 1, run: B(avx512::deinterleave::<1, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave2_x16", level: Level::Avx512, family: Deinterleave(2), width: 2, run: B(avx512::deinterleave::<2, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave2_x32", level: Level::Avx512, family: Deinterleave(2), width: 4, run: B(avx512::deinterleave::<4, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave2_x64", level: Level::Avx512, family: Deinterleave(2), width: 8, run: B(avx512::deinterleave::<8, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave2_x8", level: Level::Avx512, family: Interleave(2), width: 1, run: B(avx512::interleave::<1, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave2_x16", level: Level::Avx512, family: Interleave(2), width: 2, run: B(avx512::interleave::<2, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave2_x32", level: Level::Avx512, family: Interleave(2), width: 4, run: B(avx512::interleave::<4, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave2_x64", level: Level::Avx512, family: Interleave(2), width: 8, run: B(avx512::interleave::<8, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather2_x8", level: Level::Avx512, family: Gather(2), width: 1, run: B(avx512::gather::<1, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather2_x16", level: Level::Avx512, family: Gather(2), width: 2, run: B(avx512::gather::<2, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather2_x32", level: Level::Avx512, family: Gather(2), width: 4, run: B(avx512::gather::<4, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather2_x64", level: Level::Avx512, family: Gather(2), width: 8, run: B(avx512::gather::<8, 2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave3_x8", level: Level::Avx512, family: Deinterleave(3), width: 1, run: B(avx512::deinterleave::<1, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave3_x16", level: Level::Avx512, family: Deinterleave(3), width: 2, run: B(avx512::deinterleave::<2, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave3_x32", level: Level::Avx512, family: Deinterleave(3), width: 4, run: B(avx512::deinterleave::<4, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave3_x64", level: Level::Avx512, family: Deinterleave(3), width: 8, run: B(avx512::deinterleave::<8, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave3_x8", level: Level::Avx512, family: Interleave(3), width: 1, run: B(avx512::interleave::<1, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave3_x16", level: Level::Avx512, family: Interleave(3), width: 2, run: B(avx512::interleave::<2, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave3_x32", level: Level::Avx512, family: Interleave(3), width: 4, run: B(avx512::interleave::<4, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave3_x64", level: Level::Avx512, family: Interleave(3), width: 8, run: B(avx512::interleave::<8, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather3_x8", level: Level::Avx512, family: Gather(3), width: 1, run: B(avx512::gather::<1, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather3_x16", level: Level::Avx512, family: Gather(3), width: 2, run: B(avx512::gather::<2, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather3_x32", level: Level::Avx512, family: Gather(3), width: 4, run: B(avx512::gather::<4, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather3_x64", level: Level::Avx512, family: Gather(3), width: 8, run: B(avx512::gather::<8, 3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave4_x8", level: Level::Avx512, family: Deinterleave(4), width: 1, run: B(avx512::deinterleave::<1, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave4_x16", level: Level::Avx512, family: Deinterleave(4), width: 2, run: B(avx512::deinterleave::<2, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave4_x32", level: Level::Avx512, family: Deinterleave(4), width: 4, run: B(avx512::deinterleave::<4, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "deinterleave4_x64", level: Level::Avx512, family: Deinterleave(4), width: 8, run: B(avx512::deinterleave::<8, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave4_x8", level: Level::Avx512, family: Interleave(4), width: 1, run: B(avx512::interleave::<1, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave4_x16", level: Level::Avx512, family: Interleave(4), width: 2, run: B(avx512::interleave::<2, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave4_x32", level: Level::Avx512, family: Interleave(4), width: 4, run: B(avx512::interleave::<4, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "interleave4_x64", level: Level::Avx512, family: Interleave(4), width: 8, run: B(avx512::interleave::<8, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather4_x8", level: Level::Avx512, family: Gather(4), width: 1, run: B(avx512::gather::<1, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather4_x16", level: Level::Avx512, family: Gather(4), width: 2, run: B(avx512::gather::<2, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather4_x32", level: Level::Avx512, family: Gather(4), width: 4, run: B(avx512::gather::<4, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "gather4_x64", level: Level::Avx512, family: Gather(4), width: 8, run: B(avx512::gather::<8, 4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "reverse_x8", level: Level::Avx512, family: Reverse, width: 1, run: B(avx512::reverse::<1>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "reverse_x16", level: Level::Avx512, family: Reverse, width: 2, run: B(avx512::reverse::<2>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "reverse_x24", level: Level::Avx512, family: Reverse, width: 3, run: B(avx512::reverse::<3>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "reverse_x32", level: Level::Avx512, family: Reverse, width: 4, run: B(avx512::reverse::<4>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "reverse_x48", level: Level::Avx512, family: Reverse, width: 6, run: B(avx512::reverse::<6>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "reverse_x64", level: Level::Avx512, family: Reverse, width: 8, run: B(avx512::reverse::<8>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "reverse_x96", level: Level::Avx512, family: Reverse, width: 12, run: B(avx512::reverse::<12>) },
    #[cfg(target_arch = "x86_64")]
    Kernel { name: "reverse_x128", level: Level::Avx512, family: Reverse, width: 16, run: B(avx512::reverse::<16>) },
];

/// Makes streamed lines visible to other threads before whatever follows.
pub(super) fn fence() {
    #[cfg(target_arch = "x86_64")]
    #[allow(unused_unsafe)] // a safe function from Rust 1.94 on
    // SAFETY: SSE is part of x86-64.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// The best kernel of a family for elements of `width` bytes up to a level: the width's own, or the family's general one.
pub fn find(family: Family, width: i64, level: Level) -> Option<usize> {
    let row = BEST.get(family.number())?.get(width_class(width))?;
    let kernel = row.get(level as usize).copied().map(usize::from)?;
    // Also tells a number of channels that there is no kernel for.
    KERNELS.get(kernel).filter(|found| found.family == family).map(|_| kernel)
}

impl Family {
    /// How many values [`Family::number`] has.
    const COUNT: usize = 14;

    /// A place in [`BEST`]; channels that there is no kernel for share one with others.
    const fn number(self) -> usize {
        match self {
            Self::Rows => 0,
            Self::Fill => 1,
            Self::Transpose => 2,
            Self::Reverse => 3,
            Self::Strided => 4,
            Self::Deinterleave(k) => 5 + (k as usize - 2) % 3,
            Self::Interleave(k) => 8 + (k as usize - 2) % 3,
            Self::Gather(k) => 11 + (k as usize - 2) % 3,
        }
    }
}

/// Widths that kernels are made for; anything else is the last class.
const WIDTHS: [i64; 9] = [1, 2, 3, 4, 6, 8, 12, 16, 0];
const NO_KERNEL: u8 = u8::MAX;

const fn width_class(width: i64) -> usize {
    match width {
        1 => 0,
        2 => 1,
        3 => 2,
        4 => 3,
        6 => 4,
        8 => 5,
        12 => 6,
        16 => 7,
        _ => 8,
    }
}

/// `[family][width class][level]`: the answer of [`find`], made from the list at compile time.
static BEST: [[[u8; 4]; 9]; Family::COUNT] = {
    assert!(KERNELS.len() < NO_KERNEL as usize);
    let mut best = [[[NO_KERNEL; 4]; 9]; Family::COUNT];
    // First the general kernels, then those of one width over them; later in the list is better.
    let mut pass = 0;
    while pass < 2 {
        let mut kernel = 0;
        while kernel < KERNELS.len() {
            let Kernel { family, width, level: least, .. } = KERNELS[kernel];
            let mut class = 0;
            while class < WIDTHS.len() {
                let takes = if pass == 0 { width == 0 } else { width != 0 && width == WIDTHS[class] };
                let mut level = least as usize;
                while takes && level < 4 {
                    best[family.number()][class][level] = kernel as u8;
                    level += 1;
                }
                class += 1;
            }
            kernel += 1;
        }
        pass += 1;
    }
    best
};
