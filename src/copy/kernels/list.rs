//! [`KERNELS`], the one list, and the best kernel in it for a family, a width and a level.
//!
//! A line of the list is a family of one instruction set, with the widths that it takes. Later is better.

#[cfg(stride_neon)]
use super::aarch64::neon;
#[cfg(target_feature = "simd128")]
use super::wasm32::simd128;
#[cfg(target_arch = "x86_64")]
use super::x86_64::{avx2, avx512, gather, padded, ssse3};
use super::{Family, Kernel, Run, scalar};
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
        &[family!(@ $level, Family::$family, 0, stringify!($function), Block($set::$function))]
    };
    ($level:ident $family:ident: $set:ident::$function:ident $($width:tt)+) => {
        &[$(family!(
            @ $level, Family::$family, $width,
            concat!(stringify!($function), "_x", bits!($width)),
            Block($set::$function)
        )),+]
    };
    ($level:ident $family:ident each: $set:ident::$function:ident $($width:tt)+) => {
        &[$(family!(
            @ $level, Family::$family, $width,
            concat!(stringify!($function), "_x", bits!($width)),
            Block($set::$function::<$width>)
        )),+]
    };
    ($level:ident $family:ident($k:tt): $set:ident::$function:ident $($width:tt)+) => {
        &[$(family!(
            @ $level, Family::$family($k), $width,
            concat!(stringify!($function), $k, "_x", bits!($width)),
            Block($set::$function::<$k>)
        )),+]
    };
    (@ $level:ident, $family:expr, $width:expr, $name:expr, $run:ident($kernel:expr)) => {
        Kernel { name: $name, level: Level::$level, family: $family, width: $width, run: Run::$run($kernel) }
    };
}

/// The same for transposes; those of vectors are made for `16 / width` elements.
macro_rules! transposes {
    ($level:ident: $function:path) => {
        &[family!(@ $level, Family::Transpose, 0, "transpose_any", Tile($function))]
    };
    ($level:ident padded: $set:ident::$function:ident $($width:tt)+) => {
        &[$(transposes!(@ $level, $width, $set::$function)),+]
    };
    (Scalar: $set:ident::$function:ident $($width:tt)+) => {
        &[$(transposes!(@ Scalar, $width, $set::$function::<$width>)),+]
    };
    ($level:ident: $set:ident::$function:ident $($width:tt)+) => {
        &[$(transposes!(@ $level, $width, $set::$function::<{ 16 / $width }>)),+]
    };
    (@ $level:ident, $width:tt, $kernel:expr) => {
        family!(@ $level, Family::Transpose, $width, concat!("transpose_x", bits!($width)), Tile($kernel))
    };
}

/// The families that every vector instruction set has.
#[cfg(stride_vectors)]
macro_rules! vectors {
    ($level:ident: $set:ident) => {
        &[
            family!($level Rows: $set::rows),
            transposes!($level: $set::transpose 1 2 4 8 16),
            family!($level Fill: $set::fill 1 2 4 8 16),
            family!($level Repeat: $set::repeat),
            family!($level Reverse: $set::reverse 1 2 4 8 16),
            &[family!(@ $level, Family::Permute, 0, "permute", Blocks($set::permute))],
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
    // Wider registers gain nothing for single elements, and little for padded elements.
    #[cfg(all(target_arch = "x86_64", feature = "ssse3", not(test)))]
    &[
        family!(Ssse3 Strided each: ssse3::strided 1 2 3 4 6 8 12 16),
        transposes!(Ssse3: ssse3::transpose_padded),
        transposes!(Ssse3 padded: ssse3::transpose_padded 3 6 12),
    ],
    #[cfg(all(target_arch = "x86_64", feature = "ssse3", not(test)))]
    vectors!(Ssse3: ssse3),
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
        family!(Avx512 Spaced: avx512::spaced),
        transposes!(Avx512: padded::transpose_padded),
        transposes!(Avx512 padded: padded::transpose_padded 3 6 12),
    ],
    #[cfg(all(stride_neon, not(test)))]
    &[
        family!(Neon Strided each: neon::strided 1 2 3 4 6 8 12 16),
        transposes!(Neon: neon::transpose_padded),
        transposes!(Neon padded: neon::transpose_padded 3 6 12),
    ],
    #[cfg(all(stride_neon, not(test)))]
    vectors!(Neon: neon),
    #[cfg(all(target_feature = "simd128", not(test)))]
    &[
        family!(Simd128 Strided each: simd128::strided 1 2 3 4 6 8 12 16),
        transposes!(Simd128: simd128::transpose_padded),
        transposes!(Simd128 padded: simd128::transpose_padded 3 6 12),
    ],
    #[cfg(all(target_feature = "simd128", not(test)))]
    vectors!(Simd128: simd128),
];

/// Every kernel, one after the other.
pub const KERNELS: &[Kernel] = &flat::<{ count() }>();

const fn count() -> usize {
    let (mut count, mut set) = (0, 0);
    while set < FAMILIES.len() {
        let mut family = 0;
        while family < FAMILIES[set].len() {
            count += FAMILIES[set][family].len();
            family += 1;
        }
        set += 1;
    }
    count
}

const fn flat<const COUNT: usize>() -> [Kernel; COUNT] {
    let mut kernels = [FAMILIES[0][0][0]; COUNT];
    let (mut count, mut set) = (0, 0);
    while set < FAMILIES.len() {
        let mut family = 0;
        while family < FAMILIES[set].len() {
            let mut kernel = 0;
            while kernel < FAMILIES[set][family].len() {
                kernels[count] = FAMILIES[set][family][kernel];
                count += 1;
                kernel += 1;
            }
            family += 1;
        }
        set += 1;
    }
    kernels
}

/// The best kernel of a family for elements of `width` bytes up to a level: the width's own, or the family's general
/// one.
pub fn find(family: Family, width: i64, level: Level) -> Option<usize> {
    let row = BEST.get(family.number()?)?.get(width_class(width))?;
    row.get(level as usize).copied().filter(|&kernel| kernel != NO_KERNEL).map(usize::from)
}

impl Family {
    /// How many values [`Family::number`] has.
    const COUNT: usize = 17;

    /// A place in [`BEST`]; none for numbers of channels without a kernel.
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

/// Widths that kernels are made for, one class each; the last class is any other width.
const WIDTHS: [i64; 9] = [1, 2, 3, 4, 6, 8, 12, 16, 0];
const NO_KERNEL: u8 = u8::MAX;

/// `[width]`: its class.
static CLASSES: [u8; 17] = {
    let (mut classes, mut class) = ([WIDTHS.len() as u8 - 1; 17], 0);
    while class < WIDTHS.len() - 1 {
        classes[WIDTHS[class] as usize] = class as u8;
        class += 1;
    }
    classes
};

fn width_class(width: i64) -> usize {
    let class = usize::try_from(width).ok().and_then(|width| CLASSES.get(width));
    class.map_or(WIDTHS.len() - 1, |&class| class as usize)
}

/// `[family][width class][level]`: the answer of [`find`], built from the list at compile time.
static BEST: [[[u8; Level::COUNT]; WIDTHS.len()]; Family::COUNT] = {
    assert!(KERNELS.len() < NO_KERNEL as usize);
    let mut best = [[[NO_KERNEL; Level::COUNT]; WIDTHS.len()]; Family::COUNT];
    // First the general kernels, then those of one width over them; later in the list is better.
    let mut pass = 0;
    while pass < 2 {
        let mut kernel = 0;
        while kernel < KERNELS.len() {
            let Kernel { family, width, level: least, .. } = KERNELS[kernel];
            let Some(family) = family.number() else { panic!("a place for every kernel") };
            let mut class = 0;
            while class < WIDTHS.len() {
                let takes = if pass == 0 { width == 0 } else { width != 0 && width == WIDTHS[class] };
                let mut level = least as usize;
                while takes && level < Level::COUNT {
                    best[family][class][level] = kernel as u8;
                    level += 1;
                }
                class += 1;
            }
            kernel += 1;
        }
        pass += 1;
    }
    best
};
