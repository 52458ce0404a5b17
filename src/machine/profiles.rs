//! The CPUs that were measured, and what all others are taken for.
//!
//! The rules of [`Tuning`] were found on Zen 5, so that its profile is empty; `benches/record` has the runs.

use super::Tuning;

/// Whose CPU it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vendor {
    /// AMD.
    Amd,
    /// Intel.
    Intel,
    /// Another one, or nobody says.
    Other,
}

/// A CPU that was measured.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    vendor: Vendor,
    family: u32,
    models: (u32, u32),
    /// Bytes of its first cache.
    pub(super) first: u64,
    pub(super) tuning: Tuning,
}

/// All of them; the first one is of no CPU in particular.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "generic",
        vendor: Vendor::Other,
        family: 0,
        models: (0, 0),
        first: 32 << 10,
        tuning: Tuning::RULES,
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
