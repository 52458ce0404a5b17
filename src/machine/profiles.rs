//! The CPUs that were measured. All others go by the rules of [`Tuning`], which were found on Zen 5; `benches/record` has the
//! runs.

use super::Tuning;

/// Whose CPU it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vendor {
    /// AMD.
    Amd,
    /// Intel.
    Intel,
    /// Another one, or nobody says.
    Other,
}

/// A CPU that was measured.
pub(super) struct Profile {
    pub name: &'static str,
    vendor: Vendor,
    family: u32,
    has: fn(model: u32) -> bool,
    pub tuning: Tuning,
}

/// What never pays.
const NEVER: u64 = 1 << 62;

pub(super) static PROFILES: [Profile; 3] = [
    // benches/record/2026-11-22-zen3-tune.txt, and -zen3-conflicts.txt: an EPYC of two cores, in a virtual machine.
    Profile {
        name: "Zen 3",
        vendor: Vendor::Amd,
        family: 0x19,
        has: |model| model <= 0x0F,
        tuning: Tuning {
            stream_rows_from: 8 << 20,
            stream_channels_from: 32 << 20,
            stream_repeated_from: 12 << 20,
            stream_transposes_from: 4 << 20,
            stream_conflicts_from: 12 << 20,
            stream_narrow_conflicts_from: NEVER,
            ..Tuning::RULES
        },
    },
    // benches/record/2026-11-22-zen4-tune.txt: an EPYC (Genoa) of two cores, in a virtual machine, with 32 MiB of the last cache;
    // Raphael has such cores and caches, and was not measured. Stores do not wait for their lines, so that asking for them
    // does not pay in sum. What is asked for in the first cache waits with the stores past the caches for the same few buffers: asked
    // for in the second one, streamed transposes take 0.5 to 0.9 of the time. Of crowded rows those of 8 and 16 bytes gain by streaming,
    // those of fewer lose, unless they are made in blocks.
    Profile {
        name: "Zen 4",
        vendor: Vendor::Amd,
        family: 0x19,
        has: |model| matches!(model, 0x10..=0x1F | 0x60..=0x6F),
        tuning: Tuning {
            stream_rows_from: 8 << 20,
            stream_channels_from: 11 << 20,
            stream_repeated_from: 20 << 20,
            stream_transposes_from: 6 << 20,
            stream_byte_transposes_from: 6 << 20,
            stream_conflicts_from: 12 << 20,
            stream_blocks_from: 6 << 20,
            prefetch_from: NEVER,
            stream_narrow_conflicts_from: NEVER,
            stream_unaligned_from: 6 << 20,
            stream_staged_from: 6 << 20,
            prefetch_second_from: 1 << 20,
        },
    },
    // benches/record/2026-11-22-emerald-rapids-tune.txt: a Xeon of two cores, in a virtual machine. On its mesh the last cache
    // is hardly faster than memory for one core, and belongs to the whole socket, however much of it a virtual machine is told:
    // all goes by the second cache, of 2 MiB. Stores wait for their lines. Sapphire Rapids (0x8F) and Granite Rapids (0xAD,
    // 0xAE) have such cores, caches and mesh, and were not measured.
    Profile {
        name: "Emerald Rapids",
        vendor: Vendor::Intel,
        family: 6,
        has: |model| matches!(model, 0x8F | 0xAD | 0xAE | 0xCF),
        tuning: Tuning {
            stream_rows_from: 3 << 20,
            stream_channels_from: 3 << 20,
            stream_repeated_from: 48 << 20,
            stream_transposes_from: 3 << 20,
            stream_byte_transposes_from: 3 << 20,
            stream_conflicts_from: 3 << 20,
            stream_blocks_from: 3 << 20,
            prefetch_from: 20 << 10,
            stream_narrow_conflicts_from: 2 << 20,
            stream_unaligned_from: 48 << 20,
            stream_staged_from: 3 << 20,
            prefetch_second_from: NEVER,
        },
    },
];

/// The number of a CPU's profile; 0: it has none.
pub(super) fn of_cpu((vendor, family, model): (Vendor, u32, u32)) -> u32 {
    let known = PROFILES
        .iter()
        .position(|profile| (profile.vendor, profile.family) == (vendor, family) && (profile.has)(model));
    known.map_or(0, |at| at as u32 + 1)
}

/// What was measured on the CPUs of a profile.
#[inline(always)]
pub(super) fn numbered(number: u32) -> &'static Tuning {
    PROFILES.get((number as usize).wrapping_sub(1)).map_or(&Tuning::RULES, |profile| &profile.tuning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_have_their_profiles() {
        let (amd, intel) = (Vendor::Amd, Vendor::Intel);
        let known = [
            ("Zen 3", &[(amd, 0x19, 0), (amd, 0x19, 0x0F)][..]),
            ("Zen 4", &[(amd, 0x19, 0x10), (amd, 0x19, 0x1F), (amd, 0x19, 0x61)][..]),
            ("Emerald Rapids", &[(intel, 6, 0x8F), (intel, 6, 0xAD), (intel, 6, 0xAE), (intel, 6, 0xCF)][..]),
        ];
        for (name, cpus) in known {
            let at = PROFILES.iter().position(|profile| profile.name == name).unwrap();
            for &cpu in cpus {
                assert_eq!(of_cpu(cpu), at as u32 + 1, "{name}");
                assert_eq!(numbered(of_cpu(cpu)).values(), PROFILES[at].tuning.values(), "{name}");
            }
        }
        for cpu in
            [(amd, 0x19, 0x20), (amd, 6, 0x8F), (intel, 6, 0x55), (intel, 0x19, 0x11), (Vendor::Other, 0x19, 0x11)]
        {
            assert_eq!(of_cpu(cpu), 0);
        }
        assert_eq!(numbered(0).values(), Tuning::RULES.values());
    }
}
