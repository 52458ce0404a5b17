//! The CPU in its own words: its instruction sets, its caches, and its kind.
//!
//! CPUID costs microseconds in a virtual machine, so the answers are kept in one relaxed atomic word, the only global
//! state of the library. Every thread computes the same answers, so no ordering is needed.

#![cfg_attr(not(all(target_arch = "x86_64", not(miri))), allow(dead_code))] // what reads the answers of CPUID

use super::profiles;
use super::{Caches, Level, Machine};
use core::sync::atomic::{AtomicU32, Ordering};

/// The largest cache that the word holds.
const MOST_CACHE: u64 = 64 << 20;

/// This CPU.
#[inline(always)]
pub(super) fn machine() -> Machine {
    machine_in(word())
}

#[inline(always)]
fn machine_in(word: u32) -> Machine {
    let bytes = |units: u32| (units as u64) << 16;
    let caches = Caches { second: bytes(word >> 8 & 0xFFF), last: bytes(word >> 20), ..Caches::DEFAULT };
    Machine { level: level_in(word), caches, tuning: *profiles::numbered(word >> 3 & 0x1F) }
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
    let word = detect_word();
    WORD.store(word, Ordering::Relaxed);
    word
}

#[cold]
fn detect_word() -> u32 {
    let (level, caches, cpu) = detect();
    word_of(level.built(), profiles::of_cpu(&cpu), caches)
}

fn word_of(level: Level, profile: u32, caches: Option<[u64; 2]>) -> u32 {
    let [second, last] = caches.unwrap_or([Caches::DEFAULT.second, Caches::DEFAULT.last]);
    let units = |bytes: u64| (bytes.clamp(1 << 16, MOST_CACHE) >> 16) as u32;
    level as u32 | profile << 3 | units(second) << 8 | units(last.max(second)) << 20
}

/// The CPU's answers: EAX to EDX of a leaf and a sub-leaf of CPUID; and XCR0, which exists if leaf 1 says OSXSAVE.
trait Answers {
    fn leaf(&self, leaf: u32, sub_leaf: u32) -> [u32; 4];

    /// # Safety
    /// Leaf 1 says OSXSAVE.
    unsafe fn xcr0(&self) -> u64;
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
struct Here;

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Answers for Here {
    fn leaf(&self, leaf: u32, sub_leaf: u32) -> [u32; 4] {
        #[allow(unused_unsafe)] // a safe function from Rust 1.94 on
        // SAFETY: every x86-64 CPU has CPUID.
        let found = unsafe { core::arch::x86_64::__cpuid_count(leaf, sub_leaf) };
        [found.eax, found.ebx, found.ecx, found.edx]
    }

    unsafe fn xcr0(&self) -> u64 {
        #[target_feature(enable = "xsave")]
        unsafe fn xgetbv() -> u64 {
            // SAFETY: the caller saw OSXSAVE, so XGETBV exists.
            unsafe { core::arch::x86_64::_xgetbv(0) }
        }
        // SAFETY: leaf 1 says OSXSAVE, so the CPU has XSAVE.
        unsafe { xgetbv() }
    }
}

/// The data caches of the second and the last level, as leaf 4 (Intel) or 0x8000001D (AMD) describes them.
fn caches_of(cpu: &impl Answers) -> Option<[u64; 2]> {
    let ([highest, ..], [highest_extended, ..]) = (cpu.leaf(0, 0), cpu.leaf(0x8000_0000, 0));
    let leaves = [(4, highest >= 4), (0x8000_001D, highest_extended >= 0x8000_001D)];
    for (leaf, _) in leaves.into_iter().filter(|(_, exists)| *exists) {
        let mut found = [0u64; 2];
        for sub_leaf in 0..8 {
            let [eax, ebx, sets, _] = cpu.leaf(leaf, sub_leaf);
            let (kind, level) = (eax & 0x1F, eax >> 5 & 0x7);
            let line_partitions_ways = [ebx & 0xFFF, ebx >> 12 & 0x3FF, ebx >> 22];
            let bytes =
                line_partitions_ways.iter().fold(sets as u64 + 1, |bytes, &n| bytes.saturating_mul(n as u64 + 1));
            match (kind, level) {
                (0, _) => break,
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

fn level_of(cpu: &impl Answers) -> Level {
    let bit = |register: u32, bit: u32| register & 1 << bit != 0;
    let ([highest, ..], [_, _, features, _]) = (cpu.leaf(0, 0), cpu.leaf(1, 0));
    let (ssse3, osxsave, avx) = (bit(features, 9), bit(features, 27), bit(features, 28));
    let without_avx = if ssse3 { Level::Ssse3 } else { Level::Scalar };
    if highest < 7 || !osxsave || !avx {
        return without_avx;
    }
    // SAFETY: OSXSAVE is set.
    let (enabled, [_, extended, more, _]) = (unsafe { cpu.xcr0() }, cpu.leaf(7, 0));
    let avx2 = enabled & 0x6 == 0x6 && bit(features, 29) && bit(extended, 5) && bit(extended, 8);
    // Rust's AVX-512 includes FMA.
    let avx512 = bit(features, 12)
        && enabled & 0xE6 == 0xE6
        && [16, 17, 30, 31].into_iter().all(|b| bit(extended, b))
        && bit(more, 1);
    match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        _ => without_avx,
    }
}

/// The kind of CPU.
fn cpu_of(cpu: &impl Answers) -> profiles::Cpu {
    let ([highest, vendor @ ..], [signature, ..]) = (cpu.leaf(0, 0), cpu.leaf(1, 0));
    let (family, extended) = (signature >> 8 & 0xF, signature >> 20 & 0xFF);
    let [.., later] = if highest < 7 { [0; 4] } else { cpu.leaf(7, 0) };
    profiles::Cpu {
        vendor,
        family: if family == 15 { family + extended } else { family },
        has_avx512: level_of(cpu) == Level::Avx512,
        has_fp16_or_tiles: later & (1 << 23 | 1 << 24) != 0,
    }
}

/// The level, the caches and the kind of this CPU.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn detect() -> (Level, Option<[u64; 2]>, profiles::Cpu) {
    (level_of(&Here), caches_of(&Here), cpu_of(&Here))
}

/// Miri cannot run CPUID: it has what the compiler may take for granted, but not AVX-512 and NEON, whose table look-ups
/// Miri lacks. On AArch64 and WebAssembly there is nothing to detect; other architectures have only portable kernels.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn detect() -> (Level, Option<[u64; 2]>, profiles::Cpu) {
    let level = if cfg!(all(target_feature = "avx2", target_feature = "bmi2", target_feature = "f16c")) {
        Level::Avx2
    } else if cfg!(target_feature = "ssse3") {
        Level::Ssse3
    } else if Level::Neon.is_built() && cfg!(not(miri)) {
        Level::Neon
    } else if Level::Simd128.is_built() {
        Level::Simd128
    } else {
        Level::Scalar
    };
    (level, None, profiles::Cpu::default())
}

#[cfg(test)]
mod tests {
    use super::super::Tuning;
    use super::*;

    #[test]
    fn the_word_tells_the_level_and_plausible_caches() {
        let (best, caches, _) = detect();
        assert_eq!(level(), best.built());
        let Caches { second, last, .. } = machine().caches;
        assert!((1 << 16..=MOST_CACHE).contains(&second) && (second..=MOST_CACHE).contains(&last));
        match caches {
            // Rounded down to 64 KiB.
            Some([told, last]) if last <= MOST_CACHE => assert_eq!(second, told >> 16 << 16),
            Some(_) => assert_eq!(last, MOST_CACHE),
            None => assert_eq!((second, last), (Caches::DEFAULT.second, Caches::DEFAULT.last)),
        }
    }

    #[test]
    fn the_word_holds_any_cpu() {
        let zen4 = Machine::measured().nth(1).unwrap().1;
        for (caches, second, last) in [
            (Some([(2 << 20) + 65_535, 60 << 20]), 2 << 20, 60 << 20),
            (Some([512 << 10, 0]), 512 << 10, 512 << 10),
            (Some([1, 2]), 1 << 16, 1 << 16),
            (Some([1 << 62, 1 << 63]), MOST_CACHE, MOST_CACHE),
            (None, 1 << 20, 32 << 20),
        ] {
            for level in Level::ALL {
                for (profile, tuning) in [(0, Tuning::RULES), (2, zen4)] {
                    let word = word_of(level, profile, caches);
                    let seen = machine_in(word);
                    assert_eq!((level_in(word), seen.level, seen.tuning), (level, level, tuning));
                    assert_eq!(seen.caches, Caches { first: 32 << 10, second, last });
                }
            }
        }
    }

    /// A CPU made of tables: leaf, sub-leaf and the answer, 0 for all others.
    struct Table<'a>(&'a [(u32, u32, [u32; 4])], Option<u64>);

    impl Answers for Table<'_> {
        fn leaf(&self, leaf: u32, sub_leaf: u32) -> [u32; 4] {
            let found = self.0.iter().find(|of| (of.0, of.1) == (leaf, sub_leaf));
            found.map_or([0; 4], |(_, _, answer)| *answer)
        }

        unsafe fn xcr0(&self) -> u64 {
            self.1.expect("OSXSAVE is set")
        }
    }

    const SSSE3: u32 = 1 << 9;
    const OSXSAVE: u32 = 1 << 27;
    const AVX: u32 = 1 << 28;
    const FMA: u32 = 1 << 12;
    const F16C: u32 = 1 << 29;
    const AVX2: u32 = 1 << 5;
    const BMI2: u32 = 1 << 8;
    /// F, DQ, BW, VL.
    const AVX512: u32 = 1 << 16 | 1 << 17 | 1 << 30 | 1 << 31;
    const VBMI: u32 = 1 << 1;

    /// The level of a CPU with these leaves: ECX of leaf 1, EBX and ECX of leaf 7, and XCR0 for what the system saves.
    fn level_with(highest: u32, features: u32, extended: u32, more: u32, xcr0: Option<u64>) -> Level {
        let leaves = [(0, 0, [highest, 0, 0, 0]), (1, 0, [0, 0, features, 0]), (7, 0, [0, extended, more, 0])];
        level_of(&Table(&leaves, xcr0))
    }

    /// Bits as the manuals number them (Intel SDM 2A, CPUID; 1, 13.3: XCR0's are SSE 1, AVX 2, AVX-512 5 to 7).
    #[test]
    fn a_level_wants_all_of_its_bits() {
        let all = (SSSE3 | OSXSAVE | AVX | FMA | F16C, AVX2 | BMI2 | AVX512);
        assert_eq!(level_with(7, all.0, all.1, VBMI, Some(0xE7)), Level::Avx512);
        assert_eq!(level_with(0xD, !0, !0, !0, Some(!0)), Level::Avx512);
        for bit in [16, 17, 30, 31] {
            assert_eq!(level_with(7, all.0, all.1 & !(1 << bit), VBMI, Some(0xE7)), Level::Avx2, "{bit}");
            assert_eq!(level_with(7, all.0, AVX2 | BMI2 | 1 << bit, VBMI, Some(0xE7)), Level::Avx2, "{bit}");
        }
        assert_eq!(level_with(7, all.0, all.1, !VBMI, Some(0xE7)), Level::Avx2);
        for (without, level) in [(FMA, Level::Avx2), (F16C, Level::Ssse3)] {
            assert_eq!(level_with(7, all.0 & !without, all.1, VBMI, Some(0xE7)), level);
            assert_eq!(level_with(7, all.0 & !without, AVX2 | BMI2, VBMI, Some(0x7)), level);
        }
        for bit in [5, 6, 7] {
            assert_eq!(level_with(7, all.0, all.1, VBMI, Some(0xE7 & !(1 << bit))), Level::Avx2, "{bit}");
        }
        assert_eq!(level_with(7, all.0, AVX2 | BMI2, 0, Some(0x7)), Level::Avx2);
        // A level needs all of the one below it.
        for (extended, xcr0) in [(AVX512 | BMI2, 0xE7), (AVX512 | AVX2, 0xE7), (all.1, 0xE5), (all.1, 0xE3), (0, 0x7)] {
            assert_eq!(level_with(7, all.0, extended, VBMI, Some(xcr0)), Level::Ssse3, "{extended:#x} {xcr0:#x}");
        }
        // XCR0 is not read if the CPU says that it saves nothing more, or has no leaf 7.
        for (highest, features) in [(6, all.0), (7, SSSE3 | AVX), (7, SSSE3 | OSXSAVE), (7, SSSE3), (1, !0)] {
            assert_eq!(level_with(highest, features, all.1, VBMI, None), Level::Ssse3, "{highest} {features:#x}");
        }
        for features in [0, OSXSAVE, AVX, !SSSE3 & !OSXSAVE] {
            assert_eq!(level_with(7, features, all.1, VBMI, None), Level::Scalar, "{features:#x}");
        }
        assert_eq!(level_with(7, OSXSAVE | AVX, 0, 0, Some(0x7)), Level::Scalar);
    }

    /// EAX, EBX, ECX of a cache: its kind (1 data, 2 instructions, 3 both), its level; line, partitions, ways and sets.
    fn cache(kind: u32, level: u32, [line, partitions, ways, sets]: [u32; 4]) -> [u32; 4] {
        // Bit 8 of EAX and the 5 at bit 14 are other fields: self-initialising, and the cores that share it.
        [kind | level << 5 | 1 << 8 | 5 << 14, (line - 1) | (partitions - 1) << 12 | (ways - 1) << 22, sets - 1, 7]
    }

    #[test]
    fn caches_are_line_by_partitions_by_ways_by_sets() {
        let (first, code) = (cache(1, 1, [64, 1, 12, 64]), cache(2, 1, [64, 1, 8, 64]));
        let (second, third) = (cache(3, 2, [64, 1, 16, 2048]), cache(3, 3, [64, 1, 15, 1 << 16]));
        let intel = |highest, caches: [[u32; 4]; 4]| {
            let [a, b, c, d] = caches;
            let none = (0x8000_0000, 0, [0x8000_0008, 0, 0, 0]);
            // A sub-leaf after the end does not count.
            let after = (4, 5, cache(3, 2, [64, 1, 1, 1]));
            caches_of(&Table(
                &[(0, 0, [highest, 0, 0, 0]), none, (4, 0, a), (4, 1, b), (4, 2, c), (4, 3, d), after],
                None,
            ))
        };
        assert_eq!(intel(0x1F, [first, code, second, third]), Some([2 << 20, 60 << 20]));
        assert_eq!(intel(4, [third, second, code, first]), Some([2 << 20, 60 << 20]));
        assert_eq!(intel(3, [first, code, second, third]), None);
        assert_eq!(intel(4, [first, code, second, [0; 4]]), Some([2 << 20, 0]));
        // An instruction cache does not count; a fourth level is the last one; any lines, partitions and ways.
        let (odd, fourth) = (cache(1, 2, [32, 3, 5, 7]), cache(3, 4, [4096, 2, 3, 11]));
        let wide = cache(2, 3, [64, 1024, 1024, 64]);
        assert_eq!(intel(4, [odd, wide, fourth, [0; 4]]), Some([32 * 3 * 5 * 7, 4096 * 2 * 3 * 11]));
        assert_eq!(intel(4, [first, third, [0; 4], second]), None);
        let most = cache(3, 2, [4096, 1024, 1024, 1 << 31]);
        assert_eq!(intel(4, [most, code, first, third]), Some([1 << 63, 60 << 20]));

        // AMD's leaf 4 is reserved and 0.
        let amd = |highest| {
            let (second, last) = (cache(3, 2, [64, 1, 8, 2048]), cache(3, 3, [64, 1, 16, 1 << 15]));
            let leaf = 0x8000_001D;
            caches_of(&Table(
                &[
                    (0, 0, [0x10, 0, 0, 0]),
                    (0x8000_0000, 0, [highest, 0, 0, 0]),
                    (leaf, 0, cache(1, 1, [64, 1, 8, 64])),
                    (leaf, 1, code),
                    (leaf, 2, second),
                    (leaf, 3, last),
                ],
                None,
            ))
        };
        assert_eq!(amd(0x8000_0028), Some([1 << 20, 32 << 20]));
        assert_eq!(amd(0x8000_001D), Some([1 << 20, 32 << 20]));
        assert_eq!(amd(0x8000_001C), None);
    }

    /// Signatures as the manuals list them: Zen 3 (Milan) 0xA00F11, Zen 4 (Genoa) 0xA10F11, Zen 5 (Turin) 0xB00F21,
    /// Emerald Rapids 0xC06F2, Ice Lake-SP 0x606A6, Skylake-SP 0x50654, Core 2 0x6FB; EDX of leaf 7 has FP16 at bit 23
    /// and AMX's tiles at 24.
    #[test]
    fn a_cpu_is_known_by_what_it_can_do() {
        let of = |name: &[u8; 12], signature, avx512: bool, later| {
            let word = |k: usize| u32::from_le_bytes([name[k], name[k + 1], name[k + 2], name[k + 3]]);
            let (features, extended) =
                (SSSE3 | OSXSAVE | AVX | FMA | F16C, AVX2 | BMI2 | if avx512 { AVX512 } else { 0 });
            let leaves = [
                (0, 0, [7, word(0), word(8), word(4)]),
                (1, 0, [signature, 0, features, 0]),
                (7, 0, [0, extended, if avx512 { VBMI } else { 0 }, later]),
            ];
            let number = profiles::of_cpu(&cpu_of(&Table(&leaves, Some(0xE7)))) as usize;
            number.checked_sub(1).map_or("none", |at| profiles::PROFILES[at].name)
        };
        let (fp16, tiles) = (1 << 23, 1 << 24);
        let known = [
            (b"AuthenticAMD", 0x00A0_0F11, false, 0, "Zen 3"),
            (b"AuthenticAMD", 0x00A1_0F11, true, 0, "Zen 4"),
            (b"AuthenticAMD", 0x00B0_0F21, true, 0, "none"),
            (b"GenuineIntel", 0x000C_06F2, true, fp16 | tiles, "Emerald Rapids"),
            // As a virtual machine may report it: the model of a desktop, or no tiles.
            (b"GenuineIntel", 0x000A_0671, true, fp16 | tiles, "Emerald Rapids"),
            (b"GenuineIntel", 0x000C_06F2, true, fp16, "Emerald Rapids"),
            (b"GenuineIntel", 0x000C_06F2, false, fp16 | tiles, "none"),
            (b"GenuineIntel", 0x0006_06A6, true, 0, "none"),
            (b"GenuineIntel", 0x0005_0654, true, 0, "none"),
            (b"GenuineIntel", 0x0000_06FB, false, 0, "none"),
            (b"HygonGenuine", 0x0090_0F02, false, 0, "none"),
            (b"AuthenticIML", 0x00A1_0F11, true, 0, "none"),
            (b"GenuineAMDel", 0x000C_06F2, true, fp16 | tiles, "none"),
        ];
        for (name, signature, avx512, later, expected) in known {
            assert_eq!(of(name, signature, avx512, later), expected, "{signature:#x}");
        }
    }
}
