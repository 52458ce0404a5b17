//! [`KERNELS`], the one list, and the best kernel in it for a family, a width and a level.
//!
//! A line of the list is a family of one instruction set, with the widths that it takes. Of two kernels that fit, the
//! later one is better.

#[cfg(stride_neon)]
use super::aarch64::neon;
use super::number_runs::Convert;
#[cfg(target_feature = "simd128")]
use super::wasm32::simd128;
#[cfg(target_arch = "x86_64")]
use super::x86_64::{avx2, avx512, gather, padded_lines, spaced, ssse3};
use super::{Family, Kernel, OfLoops, Run, Write, scalar};
use crate::machine::Level;

/// The bits of a width in bytes, for names.
#[rustfmt::skip] // one line each
macro_rules! bits {
    (1) => { "8" };
    (2) => { "16" };
    (3) => { "24" };
    (4) => { "32" };
    (6) => { "48" };
    (8) => { "64" };
    (12) => { "96" };
    (16) => { "128" };
}

/// A family's kernels in the list: level, family, function, and the widths in bytes; without widths it takes any. One
/// function serves all widths, unless the line says `each`.
macro_rules! family {
    ($level:ident $family:ident: $set:ident::$function:ident) => {
        &[kernel!($level, Family::$family, 0, stringify!($function), Inner($set::$function))]
    };
    ($level:ident $family:ident: $set:ident::$function:ident $($width:tt)+) => {
        &[$(kernel!($level, Family::$family, $width of stringify!($function), Inner($set::$function))),+]
    };
    ($level:ident $family:ident each: $set:ident::$function:ident $($width:tt)+) => {
        &[$(kernel!($level, Family::$family, $width of stringify!($function), Inner($set::$function::<$width>))),+]
    };
    ($level:ident $family:ident($k:tt): $set:ident::$function:ident $($width:tt)+) => {
        &[$(kernel!(
            $level, Family::$family($k), $width of concat!(stringify!($function), $k), Inner($set::$function::<$k>)
        )),+]
    };
}

/// Transposes in the list; those of vectors are made for `16 / width` elements.
macro_rules! transposes {
    ($level:ident: $function:path) => {
        &[kernel!($level, Family::Transpose, 0, "transpose_any", Tile($function))]
    };
    ($level:ident padded: $set:ident::$function:ident $($width:tt)+) => {
        &[$(kernel!($level, Family::Transpose, $width of "transpose", Tile($set::$function))),+]
    };
    (Scalar: $set:ident::$function:ident $($width:tt)+) => {
        &[$(kernel!(Scalar, Family::Transpose, $width of "transpose", Tile($set::$function::<$width>))),+]
    };
    ($level:ident: $set:ident::$function:ident $($width:tt)+) => {
        &[$(kernel!($level, Family::Transpose, $width of "transpose", Tile($set::$function::<{ 16 / $width }>))),+]
    };
}

/// One kernel. Its name says its width, unless it takes any.
macro_rules! kernel {
    ($level:ident, $family:expr, $width:tt of $name:expr, $run:ident($kernel:expr)) => {
        kernel!($level, $family, $width, concat!($name, "_x", bits!($width)), $run($kernel))
    };
    ($level:ident, $family:expr, $width:expr, $name:expr, $run:ident($kernel:expr)) => {
        Kernel { name: $name, level: Level::$level, family: $family, width: $width, run: Run::$run($kernel) }
    };
}

/// The families that every vector instruction set has, and those that only sets of one lane have: wider registers gain
/// nothing for single elements, and little for padded ones.
macro_rules! vectors {
    ($level:ident of one lane: $set:ident) => {
        vectors!(
            $level: $set,
            family!($level Strided each: $set::strided 1 2 3 4 6 8 12 16),
            transposes!($level: $set::transpose_padded),
            transposes!($level padded: $set::transpose_padded 3 6 12)
        )
    };
    ($level:ident: $set:ident $(, $before:expr)*) => {
        &[
            $($before,)*
            family!($level Rows: $set::rows),
            transposes!($level: $set::transpose 1 2 4 8 16),
            family!($level Fill: $set::fill 1 2 4 8 16),
            family!($level Repeat: $set::repeat),
            family!($level Reverse: $set::reverse 1 2 4 8 16),
            &[kernel!($level, Family::Permute, 0, "permute", Chunks($set::permute))],
            family!($level Deinterleave(2): $set::deinterleave 1 2 4 8),
            family!($level Deinterleave(3): $set::deinterleave 1 2 4 8),
            family!($level Deinterleave(4): $set::deinterleave 1 2 4 8),
            family!($level Interleave(2): $set::interleave 1 2 4 8),
            family!($level Interleave(3): $set::interleave 1 2 4 8),
            family!($level Interleave(4): $set::interleave 1 2 4 8),
        ]
    };
}

/// Every kernel by instruction set and family, the lowest level first. A set is left out by its feature. All vector
/// sets are left out of the unit tests, which then compile in half the time; `tests/plans` pins what is chosen of them.
const FAMILIES: &[&[&[Kernel]]] = &[
    &[
        family!(Scalar Rows: scalar::rows),
        family!(Scalar Strided each: scalar::strided 1 2 3 4 6 8 12 16),
        transposes!(Scalar: scalar::transpose 1 2 3 4 6 8 12 16),
        transposes!(Scalar: scalar::transpose_any),
        family!(Scalar Fill each: scalar::fill 1 2 4 8 16),
    ],
    #[cfg(all(target_arch = "x86_64", feature = "ssse3", not(test)))]
    vectors!(Ssse3 of one lane: ssse3),
    #[cfg(all(target_arch = "x86_64", feature = "avx2", not(test)))]
    vectors!(Avx2: avx2),
    #[cfg(all(target_arch = "x86_64", feature = "avx2", not(test)))]
    &[
        family!(Avx2 Gather(2): gather::gather 4 8),
        family!(Avx2 Gather(3): gather::gather 4 8),
        family!(Avx2 Gather(4): gather::gather 4 8),
    ],
    #[cfg(all(target_arch = "x86_64", feature = "avx512", not(test)))]
    vectors!(Avx512: avx512),
    #[cfg(all(target_arch = "x86_64", feature = "avx512", not(test)))]
    &[
        family!(Avx512 Spaced: spaced::spaced),
        transposes!(Avx512: padded_lines::transpose_padded),
        transposes!(Avx512 padded: padded_lines::transpose_padded 3 6 12),
    ],
    #[cfg(all(stride_neon, not(test)))]
    vectors!(Neon of one lane: neon),
    #[cfg(all(target_feature = "simd128", not(test)))]
    vectors!(Simd128 of one lane: simd128),
];

/// Every kernel, one after the other.
pub const KERNELS: &[Kernel] = &{ flat::<{ flat::<0>().0 }>().1 };

/// The writers of a level: of pieces, and of rows past the caches.
pub fn writer(level: Level) -> (Write, OfLoops) {
    match level {
        #[cfg(all(target_arch = "x86_64", feature = "ssse3", not(test)))]
        Level::Ssse3 => (ssse3::write, ssse3::rows_past),
        #[cfg(all(target_arch = "x86_64", feature = "avx2", not(test)))]
        Level::Avx2 => (avx2::write, avx2::rows_past),
        #[cfg(all(target_arch = "x86_64", feature = "avx512", not(test)))]
        Level::Avx512 => (avx512::write, avx512::rows_past),
        #[cfg(all(stride_neon, not(test)))]
        Level::Neon => (neon::write, neon::rows_past),
        #[cfg(all(target_feature = "simd128", not(test)))]
        Level::Simd128 => (simd128::write, simd128::rows_past),
        _ => (scalar::write, scalar::rows),
    }
}

/// The converter of a level. (Registers of AVX2 are wide enough for memory. Below AVX2 it is portable code, of which
/// the compiler makes vectors of 16 bytes.)
pub fn converter(level: Level) -> Convert {
    match level {
        #[cfg(all(target_arch = "x86_64", feature = "avx2", not(test)))]
        Level::Avx2 => avx2::convert,
        #[cfg(all(target_arch = "x86_64", feature = "avx512", not(test)))]
        Level::Avx512 => avx512::convert,
        _ => scalar::convert,
    }
}

/// The number of kernels, and the first COUNT of them.
const fn flat<const COUNT: usize>() -> (usize, [Kernel; COUNT]) {
    let mut kernels = [FAMILIES[0][0][0]; COUNT];
    let (mut count, mut set) = (0, 0);
    while set < FAMILIES.len() {
        let mut family = 0;
        while family < FAMILIES[set].len() {
            let mut kernel = 0;
            while kernel < FAMILIES[set][family].len() {
                if count < COUNT {
                    kernels[count] = FAMILIES[set][family][kernel];
                }
                count += 1;
                kernel += 1;
            }
            family += 1;
        }
        set += 1;
    }
    (count, kernels)
}

/// The best kernel of a family for elements of `width` bytes up to a level: the width's own, or the family's general
/// one.
pub fn find(family: Family, width: i64, level: Level) -> Option<usize> {
    let widths = BEST.get(family.number()?)?;
    let row = usize::try_from(width).ok().and_then(|width| widths.get(width)).unwrap_or(&widths[0]);
    row.get(level as usize).copied().filter(|&kernel| kernel != NO_KERNEL).map(usize::from)
}

impl Family {
    /// The number of values of [`Family::number`].
    const COUNT: usize = 17;

    /// The family's row of [`BEST`]; none for numbers of channels without a kernel.
    const fn number(self) -> Option<usize> {
        Some(match self {
            Self::Rows => 0,
            Self::Fill => 1,
            Self::Transpose => 2,
            Self::Reverse => 3,
            Self::Strided => 4,
            Self::Spaced => 5,
            Self::Repeat => 6,
            Self::Permute => 7,
            Self::Deinterleave(k @ 2..=4) => 6 + k as usize,
            Self::Interleave(k @ 2..=4) => 9 + k as usize,
            Self::Gather(k @ 2..=4) => 12 + k as usize,
            Self::Deinterleave(_) | Self::Interleave(_) | Self::Gather(_) => return None,
        })
    }
}

/// Bytes of the widest element that a kernel is made for.
const WIDEST: usize = 16;
const NO_KERNEL: u8 = u8::MAX;

/// `[family][width][level]`: the answer of [`find`], built from the list at compile time. Width 0 is any wider one.
static BEST: [[[u8; Level::COUNT]; WIDEST + 1]; Family::COUNT] = {
    assert!(KERNELS.len() < NO_KERNEL as usize);
    let mut best = [[[NO_KERNEL; Level::COUNT]; WIDEST + 1]; Family::COUNT];
    // First the general kernels, then those of one width over them; later in the list is better.
    let mut pass = 0;
    while pass < 2 {
        let mut kernel = 0;
        while kernel < KERNELS.len() {
            let Kernel { family, width, level: least, .. } = KERNELS[kernel];
            let Some(family) = family.number() else { panic!("a row for every kernel") };
            assert!(width <= WIDEST as i64);
            let mut bytes = 0;
            while bytes <= WIDEST {
                let takes = if pass == 0 { width == 0 } else { width != 0 && width == bytes as i64 };
                let mut level = least as usize;
                while takes && level < Level::COUNT {
                    best[family][bytes][level] = kernel as u8;
                    level += 1;
                }
                bytes += 1;
            }
            kernel += 1;
        }
        pass += 1;
    }
    best
};
