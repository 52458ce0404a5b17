//! Shortcuts: what a plan for little data knows by heart.
//!
//! The loops of a small copy take longer to check and to set up than to run. So a plan that reaches no further than a small
//! window on either side ends with what its kernel wants, ready made:
//!
//! * a [`Shuffle`], of at most 256 bytes with AVX-512: the copy as one permutation of bytes;
//! * else [`Tables`]: the rows of a small transpose.
//!
//! A few numbers make it safe, whoever wrote it: nothing outside of the two windows is touched. The loops stand in the plan
//! all the same: parts, and sides that are not apart, go by them. [`execute`](super::execute) makes and runs them.

use super::choose::SHORT_RUN;
use super::kernels::level::Level;
use super::kernels::{Kernel, WIDEST_ELEMENT};
use super::problem::Reach;

/// The end of a plan.
#[derive(Clone, Copy, Debug)]
pub enum Shortcut<S, T> {
    /// It has none.
    None,
    /// One permutation of bytes.
    Shuffle(S),
    /// The rows of a transpose.
    Tables(T),
}

/// As it lies in a plan.
pub type ShortcutRef<'a> = Shortcut<&'a Shuffle, &'a Tables>;

impl<S, T> Shortcut<S, T> {
    /// Its kind in a plan, from 0 to 2.
    #[inline(always)]
    pub fn number(&self) -> u64 {
        match self {
            Self::None => 0,
            Self::Shuffle(_) => 1,
            Self::Tables(_) => 2,
        }
    }

    /// Which one it is.
    pub fn kind(&self) -> Shortcut<(), ()> {
        match self {
            Self::None => Shortcut::None,
            Self::Shuffle(_) => Shortcut::Shuffle(()),
            Self::Tables(_) => Shortcut::Tables(()),
        }
    }

    /// Words in a plan.
    #[inline(always)]
    pub fn words(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Shuffle(_) => size_of::<Shuffle>() / 8,
            Self::Tables(_) => size_of::<Tables>() / 8,
        }
    }
}

/// Where one side of a small copy lies.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Window {
    /// Where it begins, in bytes from the base pointer.
    pub first: i64,
    /// Its bytes.
    pub bytes: u64,
}

impl Window {
    /// Around what is reached, if that is at most so many bytes.
    pub fn around(reach: Reach, most: usize) -> Option<Self> {
        let bytes = reach.end.checked_sub(reach.lowest)?;
        (reach.lowest >= 0 && bytes <= most as i64).then_some(Self { first: reach.lowest, bytes: bytes as u64 })
    }

    /// As what is reached; `None` if that is more.
    #[inline(always)]
    fn reach(&self, most: usize) -> Option<Reach> {
        let reach = Reach { lowest: self.first, highest: self.first, end: self.first.wrapping_add(self.bytes as i64) };
        (self.bytes <= most as u64).then_some(reach)
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
    pub(crate) dst_used: [u64; SHUFFLED / 64],
    pub(crate) src_used: [u64; SHUFFLED / 64],
    /// Which byte of the source's window goes where in the destination's.
    pub(crate) index: [u8; SHUFFLED],
}

impl Shuffle {
    /// What both sides reach; `None` where that is no shuffle, or one that this CPU cannot run.
    #[inline(always)]
    pub(crate) fn reaches(&self) -> Option<(Reach, Reach)> {
        let can = cfg!(target_arch = "x86_64") && Level::best() == Level::Avx512;
        self.dst.reach(SHUFFLED).zip(self.src.reach(SHUFFLED)).filter(|_| can)
    }
}

/// Bytes of the windows of [`Tables`].
pub(crate) const TABLED: usize = 1 << 16;

/// A transpose of at most 64 rows and columns.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tables {
    pub(crate) dst: Window,
    pub(crate) src: Window,
    pub(crate) dst_rows: Offsets,
    pub(crate) src_rows: Offsets,
}

/// Where rows begin in their window; 0 behind the last one.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Offsets {
    pub rows: u64,
    pub offsets: [u16; SHORT_RUN as usize],
}

impl Offsets {
    /// Eight at a time, as many as hold all rows.
    #[inline(always)]
    pub fn eights(&self) -> impl Iterator<Item = &[u16; 8]> {
        let (eights, _) = self.offsets.as_chunks::<8>();
        eights.iter().take(self.rows.div_ceil(8) as usize)
    }

    /// One past the last byte of rows of so many bytes.
    #[inline(always)]
    fn end(&self, row_bytes: u64) -> u64 {
        let mut most = [0; 8];
        for eight in self.eights() {
            for (most, &offset) in most.iter_mut().zip(eight) {
                *most = (*most).max(offset);
            }
        }
        most.iter().fold(0, |most, &offset| most.max(offset)) as u64 + row_bytes
    }
}

impl Tables {
    /// What both sides reach; `None` where that is no transpose of such elements, or one that this CPU cannot run.
    #[inline(always)]
    pub(crate) fn reaches(&self, kernel: &Kernel, width: u64) -> Option<(Reach, Reach)> {
        let (columns, rows) = (self.src_rows.rows, self.dst_rows.rows);
        let fits = kernel.level <= Level::best()
            && (kernel.width == 0 || kernel.width as u64 == width)
            && (1..=WIDEST_ELEMENT as u64).contains(&width)
            && (1..=SHORT_RUN as u64).contains(&columns)
            && (1..=SHORT_RUN as u64).contains(&rows)
            && self.dst_rows.end(columns * width) <= self.dst.bytes
            && self.src_rows.end(rows * width) <= self.src.bytes;
        self.dst.reach(TABLED).zip(self.src.reach(TABLED)).filter(|_| fits)
    }
}
