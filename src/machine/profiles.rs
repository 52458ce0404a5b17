//! The CPUs that the rules of [`Tuning`] do not suit. `benches/ways` and `benches/record` have what was measured.

use super::Tuning;

/// "AuthenticAMD" and "GenuineIntel", in EBX, ECX and EDX of leaf 0.
const AMD: [u32; 3] = [0x6874_7541, 0x444D_4163, 0x6974_6E65];
const INTEL: [u32; 3] = [0x756E_6547, 0x6C65_746E, 0x4965_6E69];

/// The marks of a kind of CPU. Not its model: a virtual machine may name any, and the next model is not known yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cpu {
    pub vendor: [u32; 3],
    pub family: u32,
    /// Whether it has AVX-512 (level [`Avx512`](super::Level::Avx512)).
    pub has_avx512: bool,
    /// Whether it has FP16 in AVX-512, or tiles (AMX).
    pub has_fp16_or_tiles: bool,
}

/// A CPU that was measured, and the CPUs like it.
pub(super) struct Profile {
    pub name: &'static str,
    fits: fn(&Cpu) -> bool,
    pub tuning: Tuning,
}

pub(super) static PROFILES: [Profile; 3] = [
    // benches/record/2026-11-22-zen3-tune.txt, and -zen3-conflicts.txt: an EPYC of two cores, in a virtual machine,
    // with 32 MiB of L3. The least loss is at 4.0 and 11.3 MiB for rows and at 5.7 MiB for transposes: 6 MiB fit both.
    Profile {
        name: "Zen 3",
        fits: |cpu| cpu.vendor == AMD && cpu.family == 0x19 && !cpu.has_avx512,
        tuning: Tuning { stream_from: 4 << 20, stream_channels_from: 32 << 20, ..Tuning::RULES },
    },
    // benches/ways/amd-epyc-family-25-model-17.txt: an EPYC (Genoa) of two cores, in a virtual machine, with 32 MiB of
    // L3. The others of its family with AVX-512 have the same cores and caches, and were not measured. The rules suit
    // it, but that prefetches into L1 wait with the non-temporal stores for the same few buffers: with prefetches into
    // L2, pixels become planes in 0.7 to 0.85 of the time.
    Profile {
        name: "Zen 4",
        fits: |cpu| cpu.vendor == AMD && cpu.family == 0x19 && cpu.has_avx512,
        tuning: Tuning { prefetch_second_from: 1 << 20, ..Tuning::RULES },
    },
    // benches/record/2026-11-22-emerald-rapids-tune.txt: a Xeon of two cores, in a virtual machine. On its mesh, L3 is
    // hardly faster than memory for one core, and it belongs to the whole socket, however much of it a virtual machine
    // reports: so all sizes depend on L2, of 2 MiB. Stores wait for their lines. Sapphire Rapids and Granite Rapids
    // have the same cores, caches and mesh; of Intel's CPUs these alone have AVX-512 with FP16, or AMX. The former was
    // not measured. On the latter, copies that stream later gain 3 % if both sides are in its caches, and lose 7 % if
    // they are not (benches/record/2026-11-29-granite-rapids.txt).
    Profile {
        name: "Emerald Rapids",
        fits: |cpu| cpu.vendor == INTEL && cpu.family == 6 && cpu.has_avx512 && cpu.has_fp16_or_tiles,
        tuning: Tuning {
            stream_from: 3 << 20,
            stream_late_from: 3 << 20,
            stream_unaligned_from: 48 << 20,
            prefetch_from: 20 << 10,
            ..Tuning::RULES
        },
    },
];

/// The number of a CPU's profile; 0 if it has none.
pub(super) fn of_cpu(cpu: &Cpu) -> u32 {
    let known = PROFILES.iter().position(|profile| (profile.fits)(cpu));
    known.map_or(0, |at| at as u32 + 1)
}

/// The sizes that were measured on the CPUs of a profile.
#[inline(always)]
pub(super) fn numbered(number: u32) -> &'static Tuning {
    PROFILES.get((number as usize).wrapping_sub(1)).map_or(&Tuning::RULES, |profile| &profile.tuning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_profiles() {
        assert_eq!(numbered(0).values(), Tuning::RULES.values());
        for (profile, number) in PROFILES.iter().zip(1..) {
            assert_eq!(numbered(number).values(), profile.tuning.values(), "{}", profile.name);
        }
    }
}
