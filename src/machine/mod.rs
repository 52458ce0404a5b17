//! The machine: all that the choice of a kernel and of its store knows of a CPU, as a value.
//!
//! [`Machine::this`] is the CPU that runs this. C callers can make up another one, to look at plans for it anywhere or
//! to hand in what was measured on a CPU (`stride_copy_options`). A machine changes how fast a copy is, never what it
//! does: whatever it says, a kernel runs only if the CPU has its instruction set.
//!
//! [`Tuning`] holds the sizes that were measured, all in bytes of one side of a copy; 0 stands for the rule that
//! applies if nobody measured. The rules come from the times of plans on all CPUs of `benches/ways`. `profiles` has the
//! sizes of CPUs that lose by these rules.

#[allow(unsafe_code)] // CPUID
mod detect;
mod profiles;
mod text;

use core::cmp::Ordering;

/// An instruction set; a higher one includes the lower ones of its architecture. Those of two architectures do not
/// compare; portable code is the lowest of each.
///
/// ```
/// use stride::machine::Level;
/// assert!(Level::Avx2 > Level::Ssse3 && Level::best().is_here() && Level::best().is_built());
/// assert!(Level::Neon > Level::Scalar && Level::Neon.partial_cmp(&Level::Avx512).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Level {
    /// Portable code.
    Scalar = 1,
    /// SSSE3 (part of x86-64-v2).
    Ssse3 = 2,
    /// AVX2 with BMI2 and F16C (x86-64-v3).
    Avx2 = 3,
    /// AVX-512 F, BW, DQ, VL and VBMI.
    Avx512 = 4,
    /// NEON, which every AArch64 CPU has that runs a common operating system.
    Neon = 5,
    /// WebAssembly's SIMD128. A host without it takes no module that has it, so the build decides.
    Simd128 = 6,
}

impl Level {
    /// One more than the highest number.
    pub const COUNT: usize = 7;

    /// The level with this number at the C boundary.
    ///
    /// ```
    /// use stride::machine::Level;
    /// assert_eq!((Level::new(3), Level::new(7)), (Some(Level::Avx2), None));
    /// ```
    pub const fn new(number: u32) -> Option<Self> {
        match number {
            1..=6 => Some(Self::ALL[number as usize - 1]),
            _ => None,
        }
    }

    /// All levels.
    pub const ALL: [Self; 6] = [Self::Scalar, Self::Ssse3, Self::Avx2, Self::Avx512, Self::Neon, Self::Simd128];

    /// Of all levels in this order: the word in the text form of a machine, and the name in descriptions.
    const WORDS: [[&str; 2]; 6] = [
        ["scalar", "scalar"],
        ["ssse3", "SSSE3"],
        ["avx2", "AVX2"],
        ["avx512", "AVX-512"],
        ["neon", "NEON"],
        ["simd128", "SIMD128"],
    ];

    /// Its word in the text form of a machine.
    ///
    /// ```
    /// use stride::machine::Level;
    /// assert_eq!(Level::ALL.map(Level::word), ["scalar", "ssse3", "avx2", "avx512", "neon", "simd128"]);
    /// ```
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize - 1][0]
    }

    /// Its word in descriptions.
    ///
    /// ```
    /// assert_eq!(stride::machine::Level::Avx512.name(), "AVX-512");
    /// ```
    pub const fn name(self) -> &'static str {
        Self::WORDS[self as usize - 1][1]
    }

    /// Whether this CPU and this build have it.
    ///
    /// ```
    /// assert!(stride::machine::Level::Scalar.is_here());
    /// ```
    #[inline(always)]
    pub fn is_here(self) -> bool {
        self.is_of(Self::is_built, detect::level_number())
    }

    /// [`Level::is_here`] for any build and any CPU. Levels that are built are of one architecture: numbers compare.
    #[inline(always)]
    fn is_of(self, is_built: impl Fn(Self) -> bool, best: u32) -> bool {
        is_built(self) && self as u32 <= best
    }

    /// The highest level that both this CPU and this build have.
    ///
    /// ```
    /// use stride::machine::{Level, Machine};
    /// assert_eq!(Machine::this().level, Level::best());
    /// ```
    #[inline]
    pub fn best() -> Self {
        detect::level()
    }

    /// Whether this build has kernels for it.
    ///
    /// ```
    /// use stride::machine::Level;
    /// assert!(Level::Scalar.is_built() && !(Level::Avx2.is_built() && Level::Neon.is_built()));
    /// ```
    pub const fn is_built(self) -> bool {
        match self {
            Self::Scalar => true,
            Self::Ssse3 => cfg!(all(target_arch = "x86_64", feature = "ssse3")),
            Self::Avx2 => cfg!(all(target_arch = "x86_64", feature = "avx2")),
            Self::Avx512 => cfg!(all(target_arch = "x86_64", feature = "avx512")),
            Self::Neon => cfg!(stride_neon),
            Self::Simd128 => cfg!(target_feature = "simd128"),
        }
    }

    /// Whether it has non-temporal stores: x86-64's do.
    pub(crate) const fn has_streams(self) -> bool {
        matches!(self, Self::Ssse3 | Self::Avx2 | Self::Avx512)
    }

    /// The highest level of this build that a CPU of this level has.
    pub(crate) fn built(self) -> Self {
        self.highest_of(Self::is_built)
    }

    /// [`Level::built`] for any build.
    fn highest_of(self, is_built: fn(Self) -> bool) -> Self {
        let fits = |level: &Self| is_built(*level) && self.has(*level);
        Self::ALL.into_iter().rev().find(fits).unwrap_or(Self::Scalar)
    }

    /// Whether a CPU of this level has the other one.
    const fn has(self, other: Self) -> bool {
        let (own, lower) = (self as u8, other as u8);
        own == lower || lower < own && (own <= Self::Avx512 as u8 || lower == Self::Scalar as u8)
    }

    /// This level, or the limit that C's `cpu_level` sets: the lower number, whatever the architectures.
    pub(crate) const fn up_to(self, limit: Self) -> Self {
        if limit as u8 <= self as u8 { limit } else { self }
    }
}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self.has(*other) || other.has(*self)).then(|| (*self as u8).cmp(&(*other as u8)))
    }
}

/// Bytes of the caches.
///
/// ```
/// use stride::machine::{Caches, Machine};
/// let Caches { first, second, last } = Machine::this().caches;
/// assert!(first <= second && second <= last);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caches {
    /// L1 data cache of one core.
    pub first: u64,
    /// L2 of one core.
    pub second: u64,
    /// Last-level cache, which several cores share: what one of them may expect of it.
    pub last: u64,
}

impl Caches {
    /// For a CPU that does not report them.
    const DEFAULT: Self = Self { first: 32 << 10, second: 1 << 20, last: 32 << 20 };
}

/// Declares [`Tuning`] with the names that its text form has.
macro_rules! tuning {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// Sizes from which something pays, in bytes of one side of a copy; 0: by the rule.
        ///
        /// ```
        /// use stride::machine::Tuning;
        /// assert_eq!(Tuning { stream_from: 3 << 20, ..Tuning::RULES }.values()[0], 3 << 20);
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Tuning {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Tuning {
            /// Nothing was measured.
            pub const RULES: Self = Self { $($name: 0),* };
            /// The names of all sizes.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// The sizes in the order of the names.
            ///
            /// ```
            /// use stride::machine::Tuning;
            /// assert_eq!((Tuning::NAMES[0], Tuning::RULES.values()[0]), ("stream_from", 0));
            /// ```
            pub fn values(&self) -> [u64; Self::NAMES.len()] {
                [$(self.$name),*]
            }

            /// Sizes in the order of the names.
            pub(crate) const fn of([$($name),*]: [u64; Self::NAMES.len()]) -> Self {
                Self { $($name),* }
            }

            /// The sizes in the order of the names, to be changed.
            pub(crate) fn values_mut(&mut self) -> [&mut u64; Self::NAMES.len()] {
                [$(&mut self.$name),*]
            }
        }
    };
}

tuning! {
    /// Copies are streamed (written by non-temporal stores) that lose little by it in any cache: transposes with
    /// cache-set conflicts, those of elements of 8 and 16 bytes, rows in another order, runs read backwards. Rule: L2.
    stream_from
    /// All others are streamed: rows, runs, other transposes. Rule: 3/16 of the last-level cache.
    stream_late_from
    /// Channels are streamed: pixels to planes, planes to pixels. Rule: as all others.
    stream_channels_from
    /// Transposes without conflicts are streamed whose destination rows are not aligned to lines, or have fewer than
    /// 512 bytes. Rule: as the others.
    stream_unaligned_from
    /// Transposes that are not streamed prefetch the destination lines that they write next. Rule: never.
    prefetch_from
    /// Sources of streamed channels and transposes, and of short rows, are prefetched into L2, not L1. Rule: never.
    prefetch_second_from
}

/// A CPU as the choice sees it. [`Machine::parse`] reads one.
///
/// ```
/// use stride::machine::Machine;
/// assert!(Machine::this().to_string().starts_with("level="));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The instruction set.
    pub level: Level,
    /// The sizes of its caches.
    pub caches: Caches,
    /// The sizes that were measured.
    pub tuning: Tuning,
}

impl Machine {
    /// The CPU that runs this.
    ///
    /// ```
    /// use stride::machine::Machine;
    /// assert_eq!(Machine::this(), Machine::this());
    /// ```
    #[inline]
    pub fn this() -> Self {
        detect::machine()
    }

    /// This CPU for copies of less than [`Machine::SMALL_COPY`] bytes, which fit any cache. It is faster to make.
    #[inline(always)]
    pub(crate) fn this_if_small() -> &'static Self {
        static ANY: [Machine; Level::COUNT] = {
            let scalar = Machine { level: Level::Scalar, caches: Caches::DEFAULT, tuning: Tuning::RULES };
            let (mut any, mut k) = ([scalar; Level::COUNT], 0);
            while k < Level::ALL.len() {
                any[Level::ALL[k] as usize].level = Level::ALL[k];
                k += 1;
            }
            any
        };
        ANY.get(detect::level_number() as usize).unwrap_or(&ANY[0])
    }

    /// The kinds of CPU that were measured, and their sizes.
    ///
    /// ```
    /// use stride::machine::Machine;
    /// let (name, zen3) = Machine::measured().next().unwrap();
    /// assert_eq!((name, zen3.stream_from), ("Zen 3", 4 << 20));
    /// ```
    pub fn measured() -> impl Iterator<Item = (&'static str, Tuning)> {
        profiles::PROFILES.iter().map(|profile| (profile.name, profile.tuning))
    }

    /// Bytes of a side below which the size of a cache does not matter.
    pub(crate) const SMALL_COPY: u64 = 1 << 14;

    /// Bytes of a side that the last-level cache does not hold beside the other side.
    pub(crate) const fn leaves_last(&self) -> u64 {
        self.caches.last / 8 * 3
    }

    pub(crate) const fn stream_from(&self) -> u64 {
        or(self.tuning.stream_from, self.caches.second)
    }

    pub(crate) const fn stream_late_from(&self) -> u64 {
        or(self.tuning.stream_late_from, self.caches.last / 16 * 3)
    }

    /// Transposes of elements of so many bytes, without conflicts.
    pub(crate) const fn stream_transposes_from(&self, width: i64) -> u64 {
        if width > 4 { self.stream_from() } else { self.stream_late_from() }
    }

    pub(crate) const fn stream_channels_from(&self) -> u64 {
        or(self.tuning.stream_channels_from, self.stream_late_from())
    }

    /// Copies whose source is repeated, and so stays in the caches.
    pub(crate) const fn stream_repeated_from(&self) -> u64 {
        self.caches.last / 2
    }

    pub(crate) const fn stream_unaligned_from(&self) -> u64 {
        or(self.tuning.stream_unaligned_from, self.stream_late_from())
    }

    pub(crate) const fn prefetch_from(&self) -> u64 {
        or(self.tuning.prefetch_from, u64::MAX)
    }

    pub(crate) const fn prefetch_second_from(&self) -> u64 {
        or(self.tuning.prefetch_second_from, u64::MAX)
    }
}

/// A size that was measured, or that of the rule.
const fn or(measured: u64, rule: u64) -> u64 {
    if measured != 0 { measured } else { rule }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_is_not_built_is_the_next_lower_one_of_its_architecture() {
        use Level::{Avx2, Avx512, Neon, Scalar, Simd128, Ssse3};
        let of = |is_built| Level::ALL.map(|level| level.highest_of(is_built));
        assert_eq!(of(|_| true), Level::ALL);
        assert_eq!(
            of(|level| matches!(level, Scalar | Ssse3 | Avx512)),
            [Scalar, Ssse3, Ssse3, Avx512, Scalar, Scalar]
        );
        assert_eq!(of(|level| matches!(level, Scalar | Avx2)), [Scalar, Scalar, Avx2, Avx2, Scalar, Scalar]);
        assert_eq!(of(|level| matches!(level, Scalar | Neon)), [Scalar, Scalar, Scalar, Scalar, Neon, Scalar]);
        assert_eq!(of(|level| matches!(level, Scalar | Simd128)), [Scalar, Scalar, Scalar, Scalar, Scalar, Simd128]);
    }

    #[test]
    fn levels_compare_within_their_architecture_and_as_numbers_only_for_c() {
        for (k, level) in Level::ALL.into_iter().enumerate() {
            for (other_k, other) in Level::ALL.into_iter().enumerate() {
                let of_one = k.max(other_k) < 4 || k == other_k || k.min(other_k) == 0;
                assert_eq!(level.partial_cmp(&other), of_one.then(|| k.cmp(&other_k)), "{level:?} {other:?}");
                assert_eq!(level.up_to(other), Level::ALL[k.min(other_k)]);
            }
        }
    }

    #[test]
    fn a_level_is_here_where_both_the_build_and_the_cpu_have_it() {
        let of = |is_built: fn(Level) -> bool, best: Level| Level::ALL.map(|level| level.is_of(is_built, best as u32));
        assert_eq!(of(|level| level <= Level::Avx512, Level::Avx2), [true, true, true, false, false, false]);
        assert_eq!(
            of(|level| level == Level::Scalar || level == Level::Neon, Level::Neon),
            [true, false, false, false, true, false]
        );
    }

    #[test]
    fn small_copies_need_no_caches() {
        let small = Machine { level: Level::best(), caches: Caches::DEFAULT, tuning: Tuning::RULES };
        assert_eq!(*Machine::this_if_small(), small);
    }

    /// Rules as the docs of [`Tuning`] have them.
    #[test]
    fn sizes_are_the_measured_ones_or_those_of_the_rules() {
        let sizes = |machine: &Machine| {
            [
                machine.stream_from(),
                machine.stream_late_from(),
                machine.stream_channels_from(),
                machine.stream_unaligned_from(),
                machine.prefetch_from(),
                machine.prefetch_second_from(),
            ]
        };
        let caches = Caches { first: 3 << 10, second: 700, last: 8000 };
        let mut machine = Machine { level: Level::Scalar, caches, tuning: Tuning::RULES };
        let never = u64::MAX;
        assert_eq!(sizes(&machine), [700, 1500, 1500, 1500, never, never]);
        machine.tuning.stream_late_from = 60;
        assert_eq!(sizes(&machine), [700, 60, 60, 60, never, never]);
        machine.tuning = Tuning::of([10, 20, 30, 40, 80, 120]);
        assert_eq!(sizes(&machine), [10, 20, 30, 40, 80, 120]);
        assert_eq!(machine.stream_repeated_from(), 4000);
    }
}
