//! What the CPU says of itself: its instruction sets, its caches, and which model it is.
//!
//! A question to the CPU costs microseconds in a virtual machine, so the answers are kept in one relaxed atomic word: the
//! only global state of the library. Every thread computes the same answers, so nothing needs an order.

use super::profiles;
use super::{Caches, Level, Tuning};
use core::sync::atomic::{AtomicU32, Ordering};

/// The largest cache that the word holds.
pub(super) const MOST: u64 = 64 << 20;

/// What the word holds, of this CPU.
pub(super) struct Seen {
    pub level: Level,
    pub caches: Caches,
    pub tuning: &'static Tuning,
}

#[inline(always)]
pub(super) fn seen() -> Seen {
    let word = word();
    let bytes = |units: u32| (units as u64) << 16;
    let caches = Caches { second: bytes(word >> 8 & 0xFFF), last: bytes(word >> 20), ..Caches::DEFAULT };
    Seen { level: level_in(word), caches, tuning: profiles::numbered(word >> 3 & 0x1F) }
}

/// The highest level of this CPU that this build has.
#[inline]
pub(super) fn level() -> Level {
    level_in(word())
}

/// Its number.
#[inline(always)]
pub(super) fn level_number() -> u32 {
    word() & 7
}

#[inline(always)]
fn level_in(word: u32) -> Level {
    Level::new(word & 7).unwrap_or(Level::Scalar)
}

/// The level in three bits, the profile in five, then both caches in units of 64 KiB, 12 bits each. Never 0.
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
    let level = detect().built();
    let [second, last] = detect_caches().unwrap_or([Caches::DEFAULT.second, Caches::DEFAULT.last]);
    let units = |bytes: u64| (bytes.clamp(1 << 16, MOST) >> 16) as u32;
    level as u32 | profiles::of_cpu(model()) << 3 | units(second) << 8 | units(last.max(second)) << 20
}

/// The data caches of the second and the last level, as leaf 4 (Intel) or 0x8000001D (AMD) describes them.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn detect_caches() -> Option<[u64; 2]> {
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
        if found[0] != 0 {
            return Some(found);
        }
    }
    None
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn detect_caches() -> Option<[u64; 2]> {
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

/// Whose CPU it is, its family and its model. 0: not known.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn model() -> (profiles::Vendor, u32, u32) {
    use core::arch::x86_64::__cpuid;
    #[allow(unused_unsafe)]
    // SAFETY: every x86-64 CPU has CPUID.
    let (name, signature) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let vendor = match (name.ebx, name.edx, name.ecx) {
        (0x6874_7541, 0x6974_6E65, 0x444D_4163) => profiles::Vendor::Amd, // "AuthenticAMD"
        (0x756E_6547, 0x4965_6E69, 0x6C65_746E) => profiles::Vendor::Intel, // "GenuineIntel"
        _ => profiles::Vendor::Other,
    };
    let (family, extended) = (signature >> 8 & 0xF, signature >> 20 & 0xFF);
    let (model, higher) = (signature >> 4 & 0xF, signature >> 16 & 0xF);
    (vendor, if family == 15 { family + extended } else { family }, model | higher << 4)
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn model() -> (profiles::Vendor, u32, u32) {
    (profiles::Vendor::Other, 0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_tells_the_level_and_plausible_caches() {
        assert_eq!(level(), detect().built());
        let Caches { second, last, .. } = seen().caches;
        assert!((1 << 16..=MOST).contains(&second) && (second..=MOST).contains(&last));
        match detect_caches() {
            // Rounded down to 64 KiB.
            Some([told, last]) if last <= MOST => assert_eq!(second, told >> 16 << 16),
            Some(_) => assert_eq!(last, MOST),
            None => assert_eq!((second, last), (Caches::DEFAULT.second, Caches::DEFAULT.last)),
        }
    }
}
