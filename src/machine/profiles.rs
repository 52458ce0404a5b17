//! The CPUs that were measured. All others go by the rules of [`Tuning`], which were found on Zen 5; `benches/record` has the
//! runs.

use super::Tuning;

/// Whose CPU it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vendor {
    /// AMD.
    Amd,
    /// Another one, or nobody says.
    Other,
}

/// A CPU that was measured.
struct Profile {
    vendor: Vendor,
    family: u32,
    /// The first and the last one.
    models: (u32, u32),
    tuning: Tuning,
}

/// What never pays.
const NEVER: u64 = 1 << 62;

static PROFILES: [Profile; 1] = [
    // Zen 3, benches/record/2026-11-22-zen3-tune.txt, and -zen3-conflicts.txt: an EPYC of two cores, in a virtual machine.
    Profile {
        vendor: Vendor::Amd,
        family: 0x19,
        models: (0, 0x0F),
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
];

/// The number of a CPU's profile; 0: it has none.
pub(super) fn of_cpu((vendor, family, model): (Vendor, u32, u32)) -> u32 {
    let known = PROFILES.iter().position(|profile| {
        (profile.vendor, profile.family) == (vendor, family) && (profile.models.0..=profile.models.1).contains(&model)
    });
    known.map_or(0, |at| at as u32 + 1)
}

/// What was measured on the CPUs of a profile.
#[inline(always)]
pub(super) fn numbered(number: u32) -> &'static Tuning {
    PROFILES.get((number as usize).wrapping_sub(1)).map_or(&Tuning::RULES, |profile| &profile.tuning)
}
