//! Kernels for x86-64: one file per instruction set, and the tile that both share.

pub(super) mod avx2;
pub(super) mod avx512;
mod tile;
