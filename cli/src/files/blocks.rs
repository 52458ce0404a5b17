//! The places of numbers in the blocks of ggml's quantised types.
//!
//! A file of the other byte order has each number of a block in that order, scales above all, while bytes that hold
//! packed bits stay: the block of Q4_K is two halves and 140 bytes. Of some types ggml reads such bytes as wider
//! numbers, so that their order is that of the machine that wrote them and not of the format: Q5_0, Q5_1, IQ2_XXS,
//! IQ3_XXS and IQ1_M have no entry here.
//!
//! Sources: the structs of ggml/src/ggml-common.h and their use in ggml/src/ggml-quants.c of ggml-org/llama.cpp;
//! gguf_convert_endian.py of its gguf-py, which has Q4_0, Q8_0, Q4_K, Q6_K, MXFP4 and NVFP4.

use super::NumberRun;

/// Offset, bytes and count of the numbers of a block, by the number of the type.
type Block = (u32, &'static [(i64, i64, i64)]);

const BLOCKS: [Block; 22] = [
    (2, &[(0, 2, 1)]),                // Q4_0: d, qs
    (3, &[(0, 2, 2)]),                // Q4_1: d, m, qs
    (8, &[(0, 2, 1)]),                // Q8_0: d, qs
    (9, &[(0, 2, 2)]),                // Q8_1: d, s, qs
    (10, &[(80, 2, 2)]),              // Q2_K: scales, qs, d, dmin
    (11, &[(108, 2, 1)]),             // Q3_K: hmask, qs, scales, d
    (12, &[(0, 2, 2)]),               // Q4_K: d, dmin, scales, qs
    (13, &[(0, 2, 2)]),               // Q5_K: d, dmin, scales, qh, qs
    (14, &[(208, 2, 1)]),             // Q6_K: ql, qh, scales, d
    (15, &[(0, 4, 1), (260, 2, 16)]), // Q8_K: d (float), qs, bsums
    (17, &[(0, 2, 33)]),              // IQ2_XS: d, qs (of 16 bits), scales
    (19, &[(0, 2, 1), (34, 2, 8)]),   // IQ1_S: d, qs, qh (of 16 bits)
    (20, &[(0, 2, 1)]),               // IQ4_NL: d, qs
    (21, &[(0, 2, 1)]),               // IQ3_S: d, qs, qh, signs, scales
    (22, &[(0, 2, 1)]),               // IQ2_S: d, qs, qh, scales
    (23, &[(0, 2, 2)]),               // IQ4_XS: d, scales_h, scales_l, qs
    (34, &[(52, 2, 1)]),              // TQ1_0: qs, qh, d
    (35, &[(64, 2, 1)]),              // TQ2_0: qs, d
    (39, &[]),                        // MXFP4: e, qs
    (40, &[]),                        // NVFP4: d (of 8 bits), qs
    (41, &[(0, 2, 1)]),               // Q1_0: d, qs
    (42, &[(0, 2, 1)]),               // Q2_0: d, qs
];

/// The numbers of a block of this type; `None` where their order is not the format's.
pub fn numbers_of(kind: u32) -> Option<Vec<NumberRun>> {
    let (_, numbers) = BLOCKS.iter().find(|(known, _)| *known == kind)?;
    Some(numbers.iter().map(|&(offset, width, count)| NumberRun { offset, width, count }).collect())
}
