//! A vector register, as the kernels of runs and of channels see it; each instruction set implements it once.
//!
//! A register is one or more *lanes*. Only within a lane can one or two instructions permute bytes. So a kernel that
//! permutes gives each lane its own piece of the work: lane l loads from `from + l · step`, or stores there. On the
//! other side of the copy it loads or stores the whole register, lane after lane.
//!
//! ```text
//! set        bytes  lane  stores the first n bytes by   picks a byte out of K registers by
//! SSSE3         16    16  small moves through a buffer  a shuffle each, foreign bytes zero, or-ed together
//! AVX2          32    16  the same                      the same in both lanes
//! AVX-512       64    64  masks                         permutations of register pairs, blended
//! NEON          16    16  small moves through a buffer  one table look-up
//! SIMD128       16    16  small moves through a buffer  as SSSE3
//! ```

use super::scalar::{Bytes, ends};
use super::{first, table};
use core::mem::MaybeUninit;

/// Some bytes that the CPU moves at once. All addresses may have any alignment.
///
/// # Safety
/// All functions: K1 of [`Run`](super::Run). Loads and stores also: K3, for the bytes that they move.
pub(super) trait Register: Copy {
    const BYTES: usize = size_of::<Self>();
    /// Bytes of a lane: all, or 16.
    const LANE: usize = 16;
    /// Whether the first n bytes move as fast as all of them.
    const MASKS: bool = false;
    /// Whether three channels are made of pixels, and pixels of them, by blends and one permutation each.
    const BLENDS: bool = false;
    /// A register of one lane.
    type Lane: Register;
    /// The widest register whose loads across two lines do not delay non-temporal stores.
    type Past: Register;
    /// Half of a register, if that is 16 bytes or more.
    type Half: Copy;
    /// 16 bytes.
    type Sixteen: Copy;

    /// # Safety
    /// See the trait.
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: K1; K3: a register's bytes from `from` may be read.
        unsafe { from.cast::<Self>().read_unaligned() }
    }

    /// # Safety
    /// See the trait.
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: K1; K3: a register's bytes from `to` may be written.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }

    /// A non-temporal store, if there is such an instruction.
    ///
    /// # Safety
    /// See the trait; the address is a multiple of the register's bytes.
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: K1; K3: a register's bytes from `to` may be written.
        unsafe { self.store(to) } // for those that have no non-temporal store
    }

    /// Lane l from `from + l · step`.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    unsafe fn load_lanes(from: *const u8, _step: isize) -> Self {
        const { assert!(Self::LANE == Self::BYTES) };
        // SAFETY: K1; K3: the one lane is the register.
        unsafe { Self::load(from) }
    }

    /// Lane l to `to + l · step`.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    unsafe fn store_lanes(self, to: *mut u8, _step: isize) {
        const { assert!(Self::LANE == Self::BYTES) };
        // SAFETY: K1; K3: the one lane is the register.
        unsafe { self.store(to) }
    }

    /// A register of the first `bytes` bytes; the others are unspecified. For registers of one lane.
    ///
    /// # Safety
    /// See the trait; `bytes` is at most a register's, and may be 0.
    #[inline(always)]
    unsafe fn load_first(from: *const u8, bytes: usize) -> Self {
        let mut buffer = MaybeUninit::<Self>::zeroed();
        // SAFETY: K1; K3: `bytes` bytes from `from` may be read. Any bytes are a vector, and the buffer was written.
        unsafe {
            if Self::MASKS {
                return Self::load_masked(from, first(bytes));
            }
            short_row::<Self>(buffer.as_mut_ptr().cast(), from, bytes);
            buffer.assume_init()
        }
    }

    /// Stores the first `bytes` bytes.
    ///
    /// # Safety
    /// As [`Register::load_first`].
    #[inline(always)]
    unsafe fn store_first(self, to: *mut u8, bytes: usize) {
        let buffer = self;
        // SAFETY: K1; K3: `bytes` bytes from `to` may be written.
        unsafe {
            if Self::MASKS {
                self.store_masked(to, first(bytes));
            } else {
                short_row::<Self>(to, (&raw const buffer).cast(), bytes);
            }
        }
    }

    /// A register of the bytes whose bits are set; the others are unspecified. Without masks these are the first ones;
    /// sets with masks have their own function.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    unsafe fn load_masked(from: *const u8, mask: u64) -> Self {
        // SAFETY: K1; K3: the mask's bytes, which are the first ones, may be read.
        unsafe { Self::load_first(from, mask.trailing_ones() as usize) }
    }

    /// Stores the bytes whose bits are set.
    ///
    /// # Safety
    /// As [`Register::load_masked`].
    #[inline(always)]
    unsafe fn store_masked(self, to: *mut u8, mask: u64) {
        // SAFETY: K1; K3: the mask's bytes, which are the first ones, may be written.
        unsafe { self.store_first(to, mask.trailing_ones() as usize) }
    }

    /// The element at this address, repeated.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn repeat(from: *const u8, width: Width) -> Self;

    /// A permutation of K registers, lane by lane: byte p of a lane is byte `index[p] % LANE` of that lane of register
    /// `index[p] / LANE`.
    ///
    /// # Safety
    /// See the trait; `index` points to a lane's bytes. One of K · LANE or more picks any byte, or 0.
    #[inline(always)]
    unsafe fn pick<const K: usize>(registers: &[Self; K], index: *const u8) -> Self {
        // SAFETY: K1; `index` has a lane's bytes.
        unsafe { Self::pick_by(registers, &Self::tables::<K>(index)) }
    }

    /// An index converted for [`Register::pick_by`], to be used again and again.
    ///
    /// # Safety
    /// As [`Register::pick`].
    unsafe fn tables<const K: usize>(index: *const u8) -> [Self; K];

    /// [`Register::pick`] by the tables of an index.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn pick_by<const K: usize>(registers: &[Self; K], tables: &[Self; K]) -> Self;

    /// The K channels of K registers of pixels.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    unsafe fn apart<const K: usize>(pixels: &[Self; K], tables: &Tables<K>) -> [Self; K] {
        let mut pieces = *pixels;
        for (piece, index) in pieces.iter_mut().zip(tables.index) {
            // SAFETY: K1; an index of the tables has a lane's bytes, each below K · LANE.
            *piece = unsafe { Self::pick(pixels, index.as_ptr()) };
        }
        pieces
    }

    /// The K registers of pixels of K channels.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    unsafe fn together<const K: usize>(channels: &[Self; K], tables: &Tables<K>) -> [Self; K] {
        // SAFETY: K1; the tables are those that make pixels of channels.
        unsafe { Self::apart(channels, tables) }
    }
}

/// A register of 16 bytes that can be assembled from elements.
pub(super) trait Join: Register {
    /// Elements of W bytes, 4 or 8, `step` bytes apart in memory.
    ///
    /// # Safety
    /// See [`Register`].
    unsafe fn join<const W: usize>(from: *const u8, step: isize) -> Self;
}

/// Stores the first `bytes` bytes of a register, which may be all of them.
///
/// # Safety
/// As [`Register::store_first`].
#[inline(always)]
pub(super) unsafe fn put_first<R: Register>(register: R, to: *mut u8, bytes: usize) {
    // SAFETY: K1; K3: `bytes` bytes from `to`, or a register's if these are fewer, may be written.
    unsafe { if bytes >= R::BYTES { register.store(to) } else { register.store_first(to, bytes) } }
}

/// A row shorter than two registers.
///
/// # Safety
/// K1 and K3 of [`Run`](super::Run), for the row.
#[inline(always)]
pub(super) unsafe fn short_row<R: Register>(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: K3 for the row, which is in each arm as long as `ends` wants it.
    unsafe {
        match bytes {
            _ if bytes >= R::BYTES => ends::<R, R>(to, from, bytes),
            _ if bytes >= size_of::<R::Half>() => ends::<R::Half, R::Half>(to, from, bytes),
            16.. => ends::<R::Sixteen, R::Sixteen>(to, from, bytes),
            8.. => ends::<Bytes<8>, Bytes<8>>(to, from, bytes),
            4.. => ends::<Bytes<4>, Bytes<4>>(to, from, bytes),
            2.. => ends::<Bytes<2>, Bytes<2>>(to, from, bytes),
            1 => ends::<Bytes<1>, Bytes<1>>(to, from, bytes),
            0 => {}
        }
    }
}

/// Bytes of an element, a power of two that divides a lane.
#[derive(Clone, Copy)]
pub(super) struct Width {
    log: u32,
}

impl Width {
    /// The width of 1, 2, 4, 8 or 16 bytes. (A kernel of another width has its own loop, and does not come here.)
    #[inline(always)]
    pub(super) const fn of(bytes: i64) -> Self {
        debug_assert!(bytes > 0 && bytes <= 16 && bytes.count_ones() == 1);
        Self { log: bytes.trailing_zeros() & 7 }
    }

    /// Its entry in a table of N widths, which begins with one byte.
    #[inline(always)]
    pub(super) const fn entry<const N: usize>(self) -> usize {
        let log = self.log as usize;
        if log < N { log } else { N - 1 }
    }

    /// Bytes of one element.
    #[inline(always)]
    pub(super) const fn bytes(self) -> usize {
        self.of_elements(1)
    }

    /// Bytes of `count` elements.
    #[inline(always)]
    pub(super) const fn of_elements(self, count: usize) -> usize {
        count << self.log
    }
}

/// The tables by which K registers of pixels, and of their channels, are made of each other.
#[derive(Clone, Copy)]
pub(super) struct Tables<const K: usize> {
    /// `[k]`: the index that picks register k, as [`Register::pick`] takes it.
    pub index: &'static [[u8; 64]; K],
    /// For registers that are blended: for each result, the bytes that come from each source.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub blends: &'static [[u64; K]; K],
}

impl<const K: usize> Tables<K> {
    /// For channels that are made of pixels (`APART`), or pixels that are made of channels.
    #[inline(always)]
    pub(super) fn of<R: Register, const APART: bool>(width: Width) -> Self {
        let (index, blends) = const {
            match APART {
                true => (&Positions::<R, K>::APART, &Positions::<R, K>::OF_CHANNEL),
                false if R::BLENDS && K == 3 => (&Positions::<R, K>::SPREAD, &Positions::<R, K>::OF_LANE),
                false => (&Positions::<R, K>::TOGETHER, &Positions::<R, K>::OF_LANE),
            }
        };
        Self { index: &index[width.entry::<WIDTHS>()], blends: &blends[width.entry::<WIDTHS>()] }
    }
}

/// Widths of the elements of channels: 1, 2, 4 and 8 bytes.
const WIDTHS: usize = 4;

/// Positions of bytes for R's lanes and K channels, for each width.
struct Positions<R, const K: usize>(R);

impl<R: Register, const K: usize> Positions<R, K> {
    /// `[c][p]`: byte p of channel c comes from this byte of the K lanes of pixels.
    const APART: [[[u8; 64]; K]; WIDTHS] = table!([[[0; 64]; K]; WIDTHS], |log| {
        let width = 1 << log;
        table!([[0; 64]; K], |k| table!([0; 64], |p| (p / width * K * width + k * width + p % width) as u8))
    });
    /// `[r][p]`: byte p of the r-th lane of pixels comes from this byte of the K lanes of channels.
    const TOGETHER: [[[u8; 64]; K]; WIDTHS] = table!([[[0; 64]; K]; WIDTHS], |log| {
        let width = 1 << log;
        table!([[0; 64]; K], |k| table!([0; 64], |p| {
            let byte = k * R::LANE + p;
            (byte / width % K * R::LANE + byte / (K * width) * width + byte % width) as u8
        }))
    });
    /// `[c][r]`: the bytes of the r-th lane of pixels that are channel c's.
    const OF_CHANNEL: [[[u64; K]; K]; WIDTHS] = Self::masks(&Self::APART, true);
    /// `[r][c]`: the bytes of the r-th lane of pixels that are channel c's.
    const OF_LANE: [[[u64; K]; K]; WIDTHS] = Self::masks(&Self::TOGETHER, false);
    /// `[c][p]`: byte p of channel c spread: each is at its position in one of the lanes of pixels.
    const SPREAD: [[[u8; 64]; K]; WIDTHS] = {
        let (mut tables, mut n) = ([[[0; 64]; K]; WIDTHS], 0);
        while n < WIDTHS * K * R::LANE {
            let (log, r, p) = (n / (K * R::LANE), n / R::LANE % K, n % R::LANE);
            let from = Self::TOGETHER[log][r][p] as usize;
            tables[log][from / R::LANE][p] = (from % R::LANE) as u8;
            n += 1;
        }
        tables
    };

    /// `[k][l]`: the bytes that table k takes from lane l, by their positions in the source or in the result.
    const fn masks(tables: &[[[u8; 64]; K]; WIDTHS], from: bool) -> [[[u64; K]; K]; WIDTHS] {
        assert!(K * R::LANE <= 256);
        let (mut masks, mut n) = ([[[0; K]; K]; WIDTHS], 0);
        while n < WIDTHS * K * R::LANE {
            let (log, k, p) = (n / (K * R::LANE), n / R::LANE % K, n % R::LANE);
            let byte = tables[log][k][p] as usize;
            masks[log][k][byte / R::LANE] |= 1 << if from { byte % R::LANE } else { p };
            n += 1;
        }
        masks
    }
}

/// The steps of a run of `bytes` bytes: the number of whole registers; and, if there is a rest, the byte at which the
/// last step begins and the bytes that it takes. Without masks the last step overlaps the one before, if there is one.
#[inline(always)]
pub(super) fn steps<R: Register>(bytes: usize) -> (usize, Option<(usize, usize)>) {
    let (whole, rest) = (bytes / R::BYTES, bytes % R::BYTES);
    let last = match rest {
        0 => None,
        _ if R::MASKS || whole == 0 => Some((bytes - rest, rest)),
        _ => Some((bytes - R::BYTES, R::BYTES)),
    };
    (whole, last)
}

/// A number whose lowest bytes are as many elements of W bytes as it holds, `step` bytes apart.
///
/// # Safety
/// K3, for these bytes; W is at most 8.
#[inline(always)]
pub(super) unsafe fn numbers<const W: usize>(from: *const u8, step: isize) -> u64 {
    let mut word = 0;
    for k in 0..8 / W {
        // SAFETY: K3: the elements may be read; W is at most 8.
        word |= unsafe { number::<W>(from.wrapping_offset(k as isize * step)) } << (8 * W * k);
    }
    word
}

/// A number whose lowest bytes are the W bytes at this address.
///
/// # Safety
/// K3, for these bytes; W is at most 8.
#[inline(always)]
pub(super) unsafe fn number<const W: usize>(from: *const u8) -> u64 {
    let mut word = [0u8; 8];
    // SAFETY: K3: W bytes from `from` may be read; the word has room for eight.
    unsafe { word.as_mut_ptr().cast::<Bytes<W>>().write_unaligned(from.cast::<Bytes<W>>().read_unaligned()) };
    u64::from_le_bytes(word)
}
