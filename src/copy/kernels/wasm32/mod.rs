//! Kernels for WebAssembly: one file per instruction set.

pub(super) mod simd128;
