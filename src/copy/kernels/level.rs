//! Which instruction sets this CPU offers, asked once.
//!
//! A question to the CPU costs microseconds in a virtual machine, so the answer is kept in one relaxed atomic byte: the
//! only global state of the library. Every thread computes the same answer, so nothing needs an order.

use core::sync::atomic::{AtomicU8, Ordering};

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

    /// The highest level of this CPU.
    pub fn best() -> Self {
        static BEST: AtomicU8 = AtomicU8::new(0);
        let known = BEST.load(Ordering::Relaxed);
        match Self::new(known as u32) {
            Some(level) => level,
            None => {
                let level = detect();
                BEST.store(level as u8, Ordering::Relaxed);
                level
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[cold]
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
