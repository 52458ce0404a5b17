//! Kernels for x86-64: one file per instruction set.
//!
//! They move elements through vector registers, whatever the bytes are; uninitialised bytes (padding inside structs)
//! arrive as they were.

pub(super) mod avx2;
pub(super) mod avx512;
pub(super) mod casts;
pub(super) mod gather;
pub(super) mod padded_lines;
pub(super) mod shuffle;
pub(super) mod spaced;
pub(super) mod ssse3;
