//! Kernels for 64-bit ARM: one file per instruction set.

pub(super) mod neon;
