//! The CPUs that were measured, and what all others are taken for.
//!
//! The rules of [`Tuning`] were found on Zen 5, so that its profile is empty; `benches/record` has the runs.

use super::Tuning;

/// Whose CPU it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vendor {
    /// AMD.
    Amd,
    /// Intel.
    #[allow(dead_code)] // none was measured with this version
    Intel,
    /// Another one, or nobody says.
    Other,
}

/// A CPU that was measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile {
    /// Its name.
    #[allow(dead_code)] // for people
    pub name: &'static str,
    vendor: Vendor,
    family: u32,
    models: (u32, u32),
    /// Bytes of its first cache.
    pub(super) first: u64,
    pub(super) tuning: Tuning,
}

/// All of them; the first one is of no CPU in particular.
pub(super) const PROFILES: &[Profile] = &[
    Profile {
        name: "generic",
        vendor: Vendor::Other,
        family: 0,
        models: (0, 0),
        first: 32 << 10,
        tuning: Tuning::RULES,
    },
    // benches/record/2026-11-22-zen3-tune.txt: an EPYC of two cores, in a virtual machine.
    Profile {
        name: "Zen 3",
        vendor: Vendor::Amd,
        family: 0x19,
        models: (0, 0x0F),
        first: 32 << 10,
        tuning: Tuning {
            stream_rows_from: 8 << 20,
            stream_channels_from: 32 << 20,
            stream_repeated_from: 12 << 20,
            stream_transposes_from: 4 << 20,
            stream_conflicts_from: NEVER,
            ..Tuning::RULES
        },
    },
    Profile {
        name: "Zen 5",
        vendor: Vendor::Amd,
        family: 0x1A,
        models: (0, 0xFF),
        first: 32 << 10,
        tuning: Tuning::RULES,
    },
];

/// What never pays.
const NEVER: u64 = 1 << 62;

/// The profile of a CPU, by its number.
pub(super) fn of_cpu((vendor, family, model): (Vendor, u32, u32)) -> u32 {
    let known = PROFILES.iter().skip(1).position(|profile| {
        (profile.vendor, profile.family) == (vendor, family) && (profile.models.0..=profile.models.1).contains(&model)
    });
    known.map_or(0, |at| at as u32 + 1)
}

/// The profile with this number, or the generic one.
pub(super) fn numbered(number: u32) -> &'static Profile {
    PROFILES.get(number as usize).unwrap_or(&PROFILES[0])
}
