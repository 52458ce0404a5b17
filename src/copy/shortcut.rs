//! Shortcuts: the arguments of a kernel, which a plan of a small copy stores ready-made.
//!
//! The loops of a small copy take longer to check and to set up than to run. So a plan that reaches only a small window
//! on either side stores one of these after its header:
//!
//! * a [`Shuffle`], of at most 256 bytes with AVX-512: the copy as one permutation of bytes;
//! * else [`Tables`]: the rows of a small transpose.
//!
//! A few numbers make it safe, whoever wrote it: nothing outside the two windows is touched. The plan has its loops all
//! the same, for parts and for sides that are not apart. [`execute`](super::execute) builds and runs shortcuts.

use super::nest::Reach;
use core::mem::MaybeUninit;

/// Rows of the short tables of a transpose: in a shortcut, and in a call with a small stack.
pub(crate) const SHORT_RUN: i64 = 64;

/// The shortcut that a plan has between its header and its loops, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shortcut {
    /// Nothing.
    None = 0,
    /// A [`Shuffle`].
    Shuffle = 1,
    /// [`Tables`].
    Tables = 2,
}

impl Shortcut {
    /// The shortcut with this number.
    #[inline(always)]
    pub fn new(number: u64) -> Option<Self> {
        match number {
            0 => Some(Self::None),
            1 => Some(Self::Shuffle),
            2 => Some(Self::Tables),
            _ => None,
        }
    }

    /// Words of the longest one.
    pub(crate) const WORDS: usize = size_of::<Tables>() / 8;

    /// Words in a plan.
    #[inline(always)]
    pub fn words(self) -> usize {
        match self {
            Self::None => 0,
            Self::Shuffle => size_of::<Shuffle>() / 8,
            Self::Tables => size_of::<Tables>() / 8,
        }
    }
}

/// The bytes in which one side of a small copy lies.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Window {
    /// The first one, from the base pointer.
    pub first: u32,
    /// Their number.
    pub bytes: u32,
}

impl Window {
    /// The window of a reach of at most `most` bytes.
    pub fn around(reach: Reach, most: usize) -> Option<Self> {
        let bytes = reach.end.checked_sub(reach.lowest)?;
        let (first, bytes) = (u32::try_from(reach.lowest).ok()?, u32::try_from(bytes).ok()?);
        (bytes as usize <= most).then_some(Self { first, bytes })
    }
}

/// Bytes of a shuffle's windows.
pub(crate) const SHUFFLED: usize = 256;

/// A copy as a permutation of bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Shuffle {
    pub(crate) dst: Window,
    pub(crate) src: Window,
    /// A bit for each byte of the windows that is used.
    pub(crate) dst_used: Bits,
    pub(crate) src_used: Bits,
    /// `[p]`: the byte of the source's window that goes to byte p of the destination's.
    pub(crate) index: [u8; SHUFFLED],
}

pub(crate) type Bits = [u64; SHUFFLED / 64];

/// Bytes of the windows of [`Tables`].
pub(crate) const TABLED: usize = 1 << 16;

/// A transpose of at most 64 rows and columns.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tables {
    pub(crate) dst: Window,
    pub(crate) src: Window,
    /// The number of rows of the destination; that of the source, with the columns of a strip in the higher 16 bits.
    pub(crate) dst_count: u32,
    pub(crate) src_count_and_strip: u32,
    /// The bytes at which the rows begin in their windows; 0 after the last one.
    pub(crate) dst_rows: Offsets,
    pub(crate) src_rows: Offsets,
}

pub(crate) type Offsets = [i64; SHORT_RUN as usize];

/// Room for offsets, in eights.
pub(crate) type RowRoom = [MaybeUninit<[i64; 8]>; SHORT_RUN as usize / 8];
