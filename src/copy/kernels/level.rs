//! Which instruction sets this CPU offers, and how large its caches are, asked once.
//!
//! A question to the CPU costs microseconds in a virtual machine, so the answers are kept in one relaxed atomic word: the
//! only global state of the library. Every thread computes the same answers, so nothing needs an order.

use core::sync::atomic::{AtomicU32, Ordering};

/// An instruction set; a higher one includes the lower ones of its architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// Portable code.
    Scalar = 1,
    /// SSSE3 (part of x86-64-v2).
    Ssse3 = 2,
    /// AVX2 with BMI2 (x86-64-v3).
    Avx2 = 3,
    /// AVX-512 F, BW, DQ, VL and VBMI.
    Avx512 = 4,
    /// NEON, which every AArch64 CPU has.
    Neon = 5,
}

impl Level {
    /// One more than the highest number.
    pub const COUNT: usize = 6;

    /// The level with this number at the C boundary.
    pub const fn new(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::Scalar),
            2 => Some(Self::Ssse3),
            3 => Some(Self::Avx2),
            4 => Some(Self::Avx512),
            5 => Some(Self::Neon),
            _ => None,
        }
    }

    /// Its word in descriptions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Ssse3 => "SSSE3",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
            Self::Neon => "NEON",
        }
    }

    /// Whether this CPU has it.
    #[inline(always)]
    pub fn is_here(self) -> bool {
        word() & 0xFF >= self as u32
    }

    /// The highest level of this CPU.
    #[inline]
    pub fn best() -> Self {
        Self::new(word() & 0xFF).unwrap_or(Self::Scalar)
    }
}

/// Bytes of the caches that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caches {
    /// Of one core.
    pub second: u64,
    /// Of some cores together; at most 64 MiB, since others use it too.
    pub last: u64,
}

impl Caches {
    /// Of the first level of any CPU.
    pub const FIRST: u64 = 32 << 10;
    /// Where the CPU does not tell.
    const DEFAULT: Self = Self { second: 1 << 20, last: 32 << 20 };
    const MOST: u64 = 64 << 20;

    /// Bytes of a side from which on a transpose is better written past the caches (9.6 of 32 MiB).
    pub const fn transposes_leave(self) -> u64 {
        self.last / 10 * 3
    }

    /// Bytes of a side from which on rows no longer find both sides in the caches (12 of 32 MiB).
    pub const fn rows_leave(self) -> u64 {
        self.last / 8 * 3
    }

    /// Those of this CPU.
    pub fn of_this_cpu() -> Self {
        let word = word();
        Self { second: ((word >> 8 & 0xFFF) as u64) << 16, last: ((word >> 20) as u64) << 16 }
    }
}

/// The level in the lowest byte, then both caches in units of 64 KiB, 12 bits each. Never 0.
#[inline]
fn word() -> u32 {
    static WORD: AtomicU32 = AtomicU32::new(0);
    let known = WORD.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let word = ask();
    WORD.store(word, Ordering::Relaxed);
    word
}

#[cold]
fn ask() -> u32 {
    let Caches { second, last } = detect_caches().unwrap_or(Caches::DEFAULT);
    let units = |bytes: u64| (bytes.clamp(1 << 16, Caches::MOST) >> 16) as u32;
    detect() as u32 | units(second) << 8 | units(last.max(second)) << 20
}

/// The data caches of the second and the last level, as leaf 4 (Intel) or 0x8000001D (AMD) describes them.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn detect_caches() -> Option<Caches> {
    use core::arch::x86_64::{__cpuid, __cpuid_count};
    #[allow(unused_unsafe)] // safe functions from Rust 1.94 on
    // SAFETY: every x86-64 CPU has CPUID.
    let (highest, highest_extended) = unsafe { (__cpuid(0).eax, __cpuid(0x8000_0000).eax) };
    for (leaf, exists) in [(4, highest >= 4), (0x8000_001D, highest_extended >= 0x8000_001D)] {
        let mut found = [0u64; 2];
        for sub_leaf in 0..8 {
            if !exists {
                break;
            }
            #[allow(unused_unsafe)]
            // SAFETY: as above.
            let cache = unsafe { __cpuid_count(leaf, sub_leaf) };
            let (kind, level) = (cache.eax & 0x1F, cache.eax >> 5 & 0x7);
            if kind == 0 {
                break;
            }
            let line_partitions_ways = [cache.ebx & 0xFFF, cache.ebx >> 12 & 0x3FF, cache.ebx >> 22];
            let bytes =
                line_partitions_ways.iter().fold(cache.ecx as u64 + 1, |bytes, &n| bytes.saturating_mul(n as u64 + 1));
            match (kind, level) {
                (1 | 3, 2) => found[0] = bytes,
                (1 | 3, 3..) => found[1] = bytes,
                _ => {}
            }
        }
        let [second, last] = found;
        if second != 0 {
            return Some(Caches { second, last });
        }
    }
    None
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn detect_caches() -> Option<Caches> {
    None
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn detect() -> Level {
    use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    let bit = |register: u32, bit: u32| register & 1 << bit != 0;
    #[allow(unused_unsafe)] // safe functions from Rust 1.94 on
    // SAFETY: every x86-64 CPU has CPUID.
    let (highest, features) = unsafe { (__cpuid(0).eax, __cpuid(1).ecx) };
    let (ssse3, osxsave, avx) = (bit(features, 9), bit(features, 27), bit(features, 28));
    let without_avx = if ssse3 { Level::Ssse3 } else { Level::Scalar };
    if highest < 7 || !osxsave || !avx {
        return without_avx;
    }
    #[allow(unused_unsafe)]
    // SAFETY: OSXSAVE is set, so XGETBV exists; leaf 7 exists.
    let (enabled, extended) = unsafe { (xcr0(), __cpuid_count(7, 0)) };
    #[target_feature(enable = "xsave")]
    unsafe fn xcr0() -> u64 {
        // SAFETY: the caller saw OSXSAVE.
        unsafe { _xgetbv(0) }
    }
    let avx2 = enabled & 0x6 == 0x6 && bit(extended.ebx, 5) && bit(extended.ebx, 8);
    let avx512 =
        enabled & 0xE6 == 0xE6 && [16, 17, 30, 31].into_iter().all(|b| bit(extended.ebx, b)) && bit(extended.ecx, 1);
    match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        _ => without_avx,
    }
}

/// Miri cannot ask the CPU, and on AArch64 there is nothing to ask; other architectures have only portable kernels.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn detect() -> Level {
    if cfg!(all(target_arch = "aarch64", not(miri))) { Level::Neon } else { Level::Scalar }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_tells_the_level_and_plausible_caches() {
        assert_eq!(Level::best(), detect());
        let Caches { second, last } = Caches::of_this_cpu();
        assert!((1 << 16..=Caches::MOST).contains(&second) && (second..=Caches::MOST).contains(&last));
        match detect_caches() {
            // Rounded down to 64 KiB.
            Some(told) if told.last <= Caches::MOST => assert_eq!(second, told.second >> 16 << 16),
            Some(_) => assert_eq!(last, Caches::MOST),
            None => assert_eq!((second, last), (Caches::DEFAULT.second, Caches::DEFAULT.last)),
        }
    }
}
