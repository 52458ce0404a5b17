//! What the list of kernels promises, written down: a kernel that is missing, or that is not found, fails here.

use crate::oracle::{self, DEFAULTS, Side, bytes_dtype};
use std::ptr::null_mut;
use stride::copy::kernels::{
    Family, KERNELS, Kernel, Permutation, WIDEST_ELEMENT, WIDEST_REPEATED, WIDEST_SPACED, find,
};
use stride::copy::loops::Loop;
use stride::error::Status;
use stride::ffi::copy::*;
use stride::ffi::plan::*;
use stride::machine::Level;

/// No width of its own: any.
const ANY: &[i64] = &[0];
const POWERS: &[i64] = &[1, 2, 4, 8, 16];
const UP_TO_8: &[i64] = &[1, 2, 4, 8];
const SINGLE: &[i64] = &[1, 2, 3, 4, 6, 8, 12, 16];

/// Portable code.
const PORTABLE: &[(Family, &[i64])] = &[
    (Family::Rows, ANY),
    (Family::Strided, SINGLE),
    (Family::Transpose, SINGLE),
    (Family::Transpose, ANY),
    (Family::Fill, POWERS),
];
/// What every vector instruction set has.
const VECTORS: &[(Family, &[i64])] = &[
    (Family::Rows, ANY),
    (Family::Transpose, POWERS),
    (Family::Fill, POWERS),
    (Family::Repeat, ANY),
    (Family::Reverse, POWERS),
    (Family::Permute, ANY),
    (Family::Deinterleave(2), UP_TO_8),
    (Family::Deinterleave(3), UP_TO_8),
    (Family::Deinterleave(4), UP_TO_8),
    (Family::Interleave(2), UP_TO_8),
    (Family::Interleave(3), UP_TO_8),
    (Family::Interleave(4), UP_TO_8),
];
/// What the least one of an architecture has besides; higher ones have nothing to add.
const LEAST: &[(Family, &[i64])] =
    &[(Family::Strided, SINGLE), (Family::Transpose, ANY), (Family::Transpose, &[3, 6, 12])];
const AVX2: &[(Family, &[i64])] =
    &[(Family::Gather(2), &[4, 8]), (Family::Gather(3), &[4, 8]), (Family::Gather(4), &[4, 8])];
const AVX512: &[(Family, &[i64])] =
    &[(Family::Spaced, ANY), (Family::Transpose, &[3, 6, 12]), (Family::Transpose, ANY)];

/// The sets with registers of a lane or two.
const BELOW_AVX512: [Level; 4] = [Level::Ssse3, Level::Avx2, Level::Neon, Level::Simd128];

/// Each kernel of this architecture: its level, its family, and its width or 0.
fn promised() -> Vec<(Level, Family, i64)> {
    let sets: &[(Level, &[_])] = if cfg!(target_arch = "x86_64") {
        &[
            (Level::Scalar, &[PORTABLE]),
            (Level::Ssse3, &[VECTORS, LEAST]),
            (Level::Avx2, &[VECTORS, AVX2]),
            (Level::Avx512, &[VECTORS, AVX512]),
        ]
    } else if cfg!(stride_neon) {
        &[(Level::Scalar, &[PORTABLE]), (Level::Neon, &[VECTORS, LEAST])]
    } else if cfg!(target_feature = "simd128") {
        &[(Level::Scalar, &[PORTABLE]), (Level::Simd128, &[VECTORS, LEAST])]
    } else {
        &[(Level::Scalar, &[PORTABLE])]
    };
    let mut all = Vec::new();
    for &(level, parts) in sets {
        for &(family, widths) in parts.iter().copied().flatten() {
            all.extend(widths.iter().map(|&width| (level, family, width)));
        }
    }
    all
}

fn every_family() -> Vec<Family> {
    let channels = |of: fn(i64) -> Family| (2..=4).map(of);
    [
        Family::Rows,
        Family::Fill,
        Family::Repeat,
        Family::Permute,
        Family::Transpose,
        Family::Reverse,
        Family::Spaced,
        Family::Strided,
    ]
    .into_iter()
    .chain(channels(Family::Deinterleave))
    .chain(channels(Family::Interleave))
    .chain(channels(Family::Gather))
    .collect()
}

/// The highest level up to this one, by number, that is promised for a family and a width.
fn best(family: Family, width: i64, level: Level) -> Option<Level> {
    let fits = |own: i64| own == 0 || own == width;
    let promised = promised().into_iter().filter(|&(l, f, w)| l as u32 <= level as u32 && f == family && fits(w));
    promised.map(|(l, ..)| l).max_by_key(|&l| l as u32)
}

/// `family_x<bits>`.
fn name(family: Family, width: i64) -> String {
    let word = match family {
        Family::Rows => return "rows".into(),
        Family::Spaced => return "spaced".into(),
        Family::Repeat => return "repeat".into(),
        Family::Permute => return "permute".into(),
        Family::Fill => "fill".into(),
        Family::Transpose if !SINGLE.contains(&width) => return "transpose_any".into(),
        Family::Transpose => "transpose".into(),
        Family::Reverse => "reverse".into(),
        Family::Strided => "strided".into(),
        Family::Deinterleave(k) => format!("deinterleave{k}"),
        Family::Interleave(k) => format!("interleave{k}"),
        Family::Gather(k) => format!("gather{k}"),
    };
    format!("{word}_x{}", 8 * width)
}

#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn the_list_holds_what_is_promised_and_nothing_else() {
    let (promised, families) = (promised(), every_family());
    for &(level, family, width) in &promised {
        let found = KERNELS.iter().filter(|k| (k.level, k.family, k.width) == (level, family, width)).count();
        assert_eq!(found, 1, "{} for {}", name(family, width), level.name());
    }
    for kernel in KERNELS {
        assert!(promised.contains(&(kernel.level, kernel.family, kernel.width)), "{kernel:?} is in no table");
        assert!(families.contains(&kernel.family), "{kernel:?} is of no family");
        assert_eq!(kernel.name, name(kernel.family, kernel.width), "{kernel:?}");
    }
    assert_eq!(KERNELS.len(), promised.len());
}

#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn the_best_kernel_is_found() {
    for family in every_family() {
        for width in 1..=WIDEST_ELEMENT + 1 {
            for level in Level::ALL {
                let case = format!("{} for {}", name(family, width), level.name());
                let found = find(family, width, level).map(|kernel| &KERNELS[kernel]);
                assert_eq!(found.map(|kernel| kernel.level), best(family, width, level), "{case}");
                let Some(kernel) = found else { continue };
                assert_eq!(kernel.family, family, "{case}");
                let own = promised().contains(&(kernel.level, family, width));
                assert_eq!(kernel.width, if own { width } else { 0 }, "{case}");
            }
        }
    }
    for channels in [5, 6, 7, 8, i64::MAX] {
        assert_eq!(find(Family::Interleave(channels), 4, Level::Avx512), None);
    }
}

/// Count and both steps of two loops that a family takes for elements of w bytes; which of the six numbers may not be
/// less by one, and which may not be more.
fn taken(family: Family, w: i64) -> Vec<([i64; 6], &'static [usize], &'static [usize])> {
    let first = |dst: i64, src: i64| [7, dst, src, 5, 70, 3];
    match family {
        Family::Rows | Family::Strided | Family::Transpose => vec![([7, 3, -9, 5, -1, 70], &[], &[])],
        Family::Permute => vec![],
        Family::Fill | Family::Repeat => vec![(first(w, 0), &[1, 2], &[1, 2])],
        Family::Reverse => vec![(first(w, -w), &[1, 2], &[1, 2])],
        // Steps from the width to 64 bytes, or none in the source.
        Family::Spaced => vec![
            (first(w, w), &[1, 2], &[]),
            (first(64, 64), &[], &[1, 2]),
            (first(64, -64), &[2], &[1]),
            (first(w, 0), &[1, 2], &[2]),
        ],
        Family::Gather(k) => vec![(first(w, k * w), &[1, 2], &[1, 2]), (first(w, -k * w), &[1, 2], &[1, 2])],
        // Pixels may have gaps.
        Family::Deinterleave(k) => vec![
            ([7, w, k * w, k, 70, w], &[1, 2, 3, 5], &[1, 3, 5]),
            ([7, w, -k * w, k, 70, -w], &[1, 3, 5], &[1, 2, 3, 5]),
        ],
        Family::Interleave(k) => vec![
            ([k, w, 70, 7, k * w, w], &[0, 1, 4, 5], &[0, 1, 5]),
            ([k, w, 70, 7, k * w, -w], &[0, 1, 4, 5], &[0, 1, 5]),
        ],
    }
}

/// What a kernel relies on, whoever wrote the loops.
#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn kernels_accept_the_loops_that_they_are_made_for() {
    let accepts = |kernel: &Kernel, width, [n, dst, src, outer_n, outer_dst, outer_src]: [i64; 6]| {
        let (a, b) = (Loop { count: n, dst, src }, Loop { count: outer_n, dst: outer_dst, src: outer_src });
        kernel.accepts(width, a, b)
    };
    for kernel in KERNELS {
        let widths = match kernel.family {
            _ if kernel.width != 0 => kernel.width..=kernel.width,
            Family::Repeat => 1..=WIDEST_REPEATED,
            Family::Spaced => 1..=WIDEST_SPACED,
            _ => 0..=i64::MAX,
        };
        for width in [kernel.width, 0, 2, 3, 5, 32, 33, 64, 65] {
            for (numbers, least, most) in taken(kernel.family, width) {
                let fits = widths.contains(&width);
                assert_eq!(accepts(kernel, width, numbers), fits, "{kernel:?} {width} {numbers:?}");
                for (at, by, refused) in (0..6).flat_map(|at| [(at, -1, least), (at, 1, most)]) {
                    let mut other = numbers;
                    other[at] += by;
                    let fits = fits && !refused.contains(&at);
                    assert_eq!(accepts(kernel, width, other), fits, "{kernel:?} {width} {other:?}");
                }
            }
        }
        let pixels = [2, 5, 10, 2, 10, 5];
        assert!(kernel.family != Family::Permute || !accepts(kernel, 5, pixels), "blocks are no loops");
    }
}

/// Chunks of at most 64 bytes, with AVX-512 128, or a square of 16 bytes by as many elements; without gaps on either
/// side, in the source in any order and direction. Elements may be repeated inside a lane of 16 bytes (64).
#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn blocks_that_are_permuted_have_no_gaps() {
    // Bytes of an element; count and both steps of each loop; bytes of a block of the destination and of the source.
    type Inner<'a> = (i64, &'a [[i64; 3]], [Option<(i64, i64)>; 2]);
    let same = |bytes| [Some((bytes, bytes)); 2];
    let only_avx512 = |bytes| [None, Some((bytes, bytes))];
    let blocks: [Inner<'_>; 21] = [
        (0, &[], [None; 2]),
        (64, &[], same(64)),
        (65, &[], only_avx512(65)),
        (129, &[], [None; 2]),
        (4, &[[4, 4, -4]], same(16)),
        (4, &[[16, 4, -4]], same(64)),
        (4, &[[17, 4, 4]], only_avx512(68)),
        (4, &[[32, 4, 4]], only_avx512(128)),
        (4, &[[33, 4, 4]], [None; 2]),
        (4, &[[0, 4, 4]], [None; 2]),
        (4, &[[4, 8, 4]], [None; 2]),
        (4, &[[4, 4, 8]], [None; 2]),
        // A loop of one iteration takes no step.
        (4, &[[1, 4, 1000], [4, 4, 4]], same(16)),
        (2, &[[3, 2, 6], [3, 6, -2]], same(18)),
        (2, &[[3, 2, 8], [3, 6, 2]], [None; 2]),
        // Repeated.
        (1, &[[3, 1, 0], [5, 3, 1]], [Some((15, 5)); 2]),
        (1, &[[3, 1, 0], [6, 3, 1]], [None, Some((18, 6))]),
        (1, &[[3, 1, 0], [22, 3, 1]], [None; 2]),
        // Squares.
        (1, &[[16, 1, 16], [16, 16, 1]], [Some((256, 256)), None]),
        (2, &[[8, 2, 16], [8, 16, 2]], same(128)),
        (2, &[[8, 2, 16], [7, 16, 2]], [None; 2]),
    ];
    for (width, loops, expected) in blocks {
        let inner: Vec<Loop> = loops.iter().map(|&[count, dst, src]| Loop { count, dst, src }).collect();
        for (level, expected) in [Level::Ssse3, Level::Avx512].into_iter().zip(expected) {
            assert_eq!(Permutation::chunk(width, &inner, level), expected, "{width} {loops:?} {}", level.name());
        }
    }
}

/// Pixels of channels of bytes that fill a register.
const MANY: i64 = 67;

/// Destination strides, source strides and sizes in elements, and the families that may take such a copy, in the order
/// of the rules in `docs/ENGINE.md`.
type Representative = ([i64; 2], [i64; 2], [i64; 2], Vec<Family>);

/// Copies that each family is made for.
fn representatives() -> Vec<Representative> {
    use Family::*;
    let mut all = vec![
        ([50, 1], [60, 1], [37, 41], vec![Rows]),
        ([141, 1], [1, 0], [37, 141], vec![Fill, Repeat, Strided, Rows]),
        ([41, 1], [60, -1], [37, 41], vec![Reverse, Permute, Spaced, Strided, Rows]),
        ([41, 1], [1, 37], [37, 41], vec![Transpose]),
        ([290, 2], [450, 3], [37, 141], vec![Spaced, Strided, Rows]), // few elements in a step want long rows
        ([41, 1], [3000, 60], [37, 41], vec![Strided, Rows]),
    ];
    for k in 2..=4 {
        all.push(([k, 1], [k, -1], [300, k], vec![Permute, Reverse, Strided, Rows]));
        // Channels in either order, and pixels from either end.
        for (channels, pixels) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
            for count in [41, MANY] {
                let planes = vec![Deinterleave(k), Transpose, Strided, Rows];
                all.push(([count, 1], [channels, pixels * k], [k, count], planes));
                let interleaved = vec![Interleave(k), Transpose, Strided, Rows];
                all.push(([k, 1], [pixels, channels * count], [count, k], interleaved));
            }
        }
        for step in [k, -k] {
            all.push(([141, 1], [600, step], [37, 141], vec![Gather(k), Spaced, Strided, Rows]));
        }
    }
    all
}

#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn a_copy_gets_the_kernel_of_the_level_asked_for() {
    let mut seen = Vec::new();
    for (dst_strides, src_strides, sizes, families) in representatives() {
        let (dst, src) = (Side::new(&sizes, &dst_strides, 0), Side::new(&sizes, &src_strides, 0));
        for width in 1..=if sizes.contains(&MANY) { 1 } else { WIDEST_ELEMENT } {
            for level in Level::ALL {
                let asked = if level as u32 <= Level::best() as u32 { level } else { Level::best() };
                let runs = if asked.is_here() { asked } else { Level::Scalar };
                // Steps above 48 bytes are not small, and of widths from 9 bytes on few are in a line.
                let step = dst_strides[1].max(src_strides[1].abs()) * width;
                let small = step <= 48 && (width <= 8 || 3 * step + width <= 64);
                // Nor do widths that are padded in lanes pay where one side has less than a lane, or than four; or than
                // eight of elements that fill one.
                let least = match width {
                    16 => 128,
                    width if width.count_ones() == 1 => 0,
                    width => {
                        if width > 8 {
                            64
                        } else {
                            16
                        }
                    }
                };
                let narrow = sizes.iter().any(|size| size * width < least);
                // Short pixels, of which masks move two at once, or elements alone where a row has enough of them.
                let longest = if runs == Level::Avx512 { 32 } else { 16 };
                let alone = sizes == [37, 41] && sizes[1] * width >= 512 && runs != Level::Avx512;
                let short = sizes[1] * width <= longest || alone;
                let fits = |f| {
                    (f != Family::Permute || short)
                        && (f != Family::Spaced || small)
                        && (runs != Level::Avx512 || !matches!(f, Family::Gather(k) if width * k < 24))
                        && (f != Family::Transpose || !narrow)
                };
                let open = families.iter().filter(|&&f| fits(f));
                // With fewer than 64 bytes of a channel AVX2's.
                let short = sizes.contains(&41) && width == 1 && runs == Level::Avx512;
                let level_of = |f| match f {
                    Family::Deinterleave(_) | Family::Interleave(_) if short => Level::Avx2,
                    _ => runs,
                };
                let mut promised = open.filter_map(|&f| best(f, width, level_of(f)).map(|level| (f, level)));
                let (family, found) = promised.next().unwrap();
                let expected = format!("{} ({})", name(family, width), found.name());
                let described = description(&dst, &src, width as usize, level);
                let case = format!("elements of {width}, {families:?} for {}: {described}", level.name());
                assert!(described.starts_with(&(expected.clone() + ":")), "{expected} expected, {case}");
                seen.push(expected);
            }
        }
    }
    // Whatever is in the list can be reached by a copy.
    for kernel in KERNELS.iter().filter(|kernel| kernel.level <= Level::best()) {
        let name = format!("{} ({})", kernel.name, kernel.level.name());
        assert!(seen.contains(&name), "no copy gets {name}");
    }
}

/// Pixels with gaps between them, which masks leave out.
#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn pixels_with_gaps_are_packed() {
    let n = 20_000;
    type Expected<'a> = (&'a [i64], &'a [i64], &'a [i64], usize, &'a str);
    let packed: [Expected<'_>; 11] = [
        // RGBA to RGB planes; mirrored; BGR.
        (&[3, n], &[n, 1], &[1, 4], 1, "deinterleave3_x8"),
        (&[3, n], &[n, 1], &[1, -4], 1, "deinterleave3_x8"),
        (&[3, n], &[n, 1], &[-1, 4], 1, "deinterleave3_x8"),
        (&[2, n], &[n, 1], &[1, 5], 2, "deinterleave2_x16"),
        // The farthest pixels.
        (&[3, n], &[n, 1], &[1, 15], 4, "deinterleave3_x32"),
        (&[n, 3], &[4, 1], &[1, n], 1, "interleave3_x8"),
        (&[n, 2], &[31, 1], &[-1, n], 2, "interleave2_x16"),
        // Too far, a lane, too few, half of the channels.
        (&[3, n], &[n, 1], &[1, 16], 4, "transpose"),
        (&[4, n], &[n, 1], &[1, 5], 4, "transpose"),
        (&[3, 15], &[15, 1], &[1, 4], 4, "transpose"),
        (&[4, 4, n], &[4 * n, n, 1], &[4, 1, 16], 1, "transpose"),
    ];
    for level in BELOW_AVX512.into_iter().filter(|level| level.is_here()) {
        for (sizes, dst, src, width, kernel) in packed {
            let described = description(&Side::new(sizes, dst, 0), &Side::new(sizes, src, 0), width, level);
            assert!(described.starts_with(kernel), "{kernel} expected of {sizes:?} {src:?} x {width}: {described}");
        }
    }
}

/// Pixels whose channels are in the other order: masks leave out the gaps between them, and where two fit 64 bytes on
/// either side, all that do go together.
#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn pixels_in_the_other_order_go_together() {
    // Channels, elements from pixel to pixel of the destination and the source, bytes of an element.
    for (channels, dst, src, width, together) in [
        (3, 3, 4, 1, true), // BGRA to RGB
        (3, 4, 3, 1, true),
        (3, 4, -4, 1, true), // of a mirrored image
        (3, 3, 4, 8, true),
        (3, 5, 3, 8, true),
        (4, 4, 4, 8, true),
        (2, 2, 48, 1, true),
        (2, 2, 62, 1, true),
        (2, 2, 63, 1, false),
        (4, 4, 5, 8, false),
        (4, 5, 4, 8, false),
        (33, 33, 33, 1, false),
    ] {
        for level in [Level::Avx512, Level::Avx2].into_iter().filter(|level| level.is_here()) {
            let sizes = [2, 200, channels];
            let (to, from) = (Side::new(&sizes, &[10_000, dst, 1], 0), Side::new(&sizes, &[20_000, src, -1], 0));
            let described = description(&to, &from, width, level);
            assert_eq!(described.starts_with("permute"), together && level == Level::Avx512, "{described}");
        }
    }
}

/// Squares of as many elements as 16 bytes have, transposed one by one: below AVX-512, from 512 elements on.
#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn squares_are_permuted() {
    for level in BELOW_AVX512.into_iter().filter(|level| level.is_here()) {
        for width in [1, 2, 4, 8] {
            let (side, least) = (16 / width, 2 * width * width); // squares of 256 / (width * width) elements
            for (squares, permutes) in [(least, true), (least - 1, false)] {
                let dst = Side::new(&[squares, side, side], &[side * side, side, 1], 0);
                let src = Side::new(&[squares, side, side], &[side * side, 1, side], 0);
                let described = description(&dst, &src, width as usize, level);
                let expected = format!("chunks of {} bytes by one permutation", 256 / width);
                assert_eq!(described.contains(&expected), permutes, "{described}");
            }
        }
    }
}

/// How many blocks go through a register at once: with the gaps between them only where masks leave these out.
#[test]
fn blocks_go_together_as_far_as_a_lane_holds_them() {
    // Bytes of a block of the destination and of the source; the row of them; SSSE3, AVX-512.
    for (block, [count, dst, src], expected) in [
        ([3, 3], [100, 3, 3], [5, 21]),
        ([3, 3], [100, 3, -3], [5, 21]),
        ([3, 3], [100, 3, 4], [1, 16]),
        ([3, 3], [100, 4, 3], [1, 16]),
        ([3, 3], [100, 3, -4], [1, 16]),
        ([3, 3], [15, 3, 4], [1, 15]),
        ([3, 1], [100, 3, 1], [5, 21]),
        ([3, 1], [100, 4, 63], [1, 2]),
        ([3, 1], [100, 4, 64], [1, 1]),
        ([12, 12], [100, 16, 12], [1, 4]),
        ([12, 12], [100, 18, 12], [1, 3]),
        ([32, 32], [100, 32, 32], [1, 2]),
        ([32, 32], [100, 33, 32], [1, 1]),
        ([33, 33], [100, 33, 33], [1, 1]),
        ([64, 64], [100, 64, 64], [1, 1]),
        // What no copy has, but a plan that somebody changed.
        ([3, 3], [100, 3, 2], [1, 1]),
        ([3, 3], [100, 2, 3], [1, 1]),
        ([3, 3], [100, -3, 3], [1, 1]),
        ([3, 3], [100, 3, 0], [1, 1]),
        ([3, 3], [100, 3, i64::MIN], [1, 1]),
        ([128, 128], [100, 128, 128], [1, 1]),
    ] {
        let row = Loop { count, dst, src };
        assert_eq!(
            [Level::Ssse3, Level::Avx512].map(|level| Permutation::group(block, row, level)),
            expected,
            "{row:?}"
        );
    }
}

/// If stores wait for their lines, transposes by vectors prefetch them; those of widths that lanes pad do not.
#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn transposes_prefetch_the_lines_that_they_write_next() {
    for level in Level::ALL.into_iter().filter(|level| level.is_built()) {
        let text = format!("level={} second=1048576 last=33554432 prefetch_from=20480", level.word());
        let machine = oracle::machine(&text);
        let options = stride_copy_options { machine: &machine, ..DEFAULTS };
        for (rows, width) in [(52, 4), (51, 4), (100, 12)] {
            let (dst, src) = (Side::new(&[rows, 100], &[100, 1], 0), Side::new(&[rows, 100], &[1, rows], 0));
            let described = description_with(&dst, &src, width, &options);
            let prefetches = match level {
                Level::Scalar => false,
                Level::Avx512 => true,
                _ => width.is_power_of_two(),
            };
            let large = rows * 100 * width as i64 >= 20480;
            assert_eq!(described.contains(", the lines written next prefetched"), prefetches && large, "{described}");
        }
    }
}

/// If that pays, short rows of a source that leaves the caches are prefetched into the second one.
#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn short_rows_are_asked_for_in_the_second_cache() {
    for level in Level::ALL.into_iter().filter(|level| level.is_built()) {
        let sizes = "second=1048576 last=33554432 stream_from=67108864 prefetch_second_from=2097152";
        let machine = oracle::machine(&format!("level={} {sizes}", level.word()));
        let options = stride_copy_options { machine: &machine, ..DEFAULTS };
        // 3/8 of the last cache are 12 MiB.
        for (rows, width, pitch, prefetches) in [
            (1024, 2048, 12 << 10, true),
            (1024, 2048, (12 << 10) - 1, false),
            (1023, 2048, 16 << 10, false),
            (1024, 2049, 16 << 10, false),
        ] {
            let (dst, src) = (Side::new(&[rows, width], &[width, 1], 0), Side::new(&[rows, width], &[pitch, 1], 0));
            let described = description_with(&dst, &src, 1, &options);
            let expected = prefetches && level != Level::Scalar;
            assert_eq!(described.contains(", the source prefetched to L2"), expected, "{described}");
        }
    }
}

/// Pixels that meet, as far as the caller vouches that they do not matter, are none with gaps: what is planned runs.
#[test]
#[cfg_attr(miri, ignore = "thousands of plans, of which none runs")]
fn pixels_that_meet_are_not_packed() {
    let (dst, src) = (Side::new(&[100, 4], &[2, 1], 0), Side::new(&[100, 4], &[1, 100], 0));
    let options = stride_copy_options { flags: STRIDE_COPY_ASSUME_DISTINCT, ..DEFAULTS };
    let (mut plan, from, mut to) = (stride_plan { words: [0; 512] }, vec![1u32; 400], vec![0u32; 202]);
    // SAFETY: plain structs; buffers of these lengths.
    let statuses = unsafe {
        [
            stride_plan_init(&mut plan, &dst.layout(bytes_dtype(4)), &src.layout(bytes_dtype(4)), &options, null_mut()),
            stride_plan_execute(&plan, to.as_mut_ptr().cast(), 808, from.as_ptr().cast(), 1600, null_mut()),
        ]
    };
    assert_eq!((statuses, to), ([0, 0], vec![1; 202]));
}

/// What the C interface says about a plan.
fn description(dst: &Side, src: &Side, width: usize, level: Level) -> String {
    description_with(dst, src, width, &stride_copy_options { cpu_level: level as u32, ..DEFAULTS })
}

fn description_with(dst: &Side, src: &Side, width: usize, options: &stride_copy_options) -> String {
    let dtype = bytes_dtype(width);
    let (mut plan, mut text, mut length) = (stride_plan { words: [0; 512] }, [0; 400], 0);
    // SAFETY: plain structs, and a buffer of 400 bytes.
    unsafe {
        let status = stride_plan_init(&mut plan, &dst.layout(dtype), &src.layout(dtype), options, null_mut());
        assert_eq!(status, Status::Ok.number());
        let status = stride_plan_describe(&plan, text.as_mut_ptr().cast(), 400, &mut length, null_mut());
        assert_eq!(status, Status::Ok.number());
    }
    String::from_utf8(text[..length as usize].to_vec()).unwrap()
}

/// Another library asks the CPU the same questions.
#[test]
#[cfg(target_arch = "x86_64")]
#[cfg_attr(miri, ignore = "asks the CPU")]
fn the_instruction_sets_that_are_here_are_those_that_std_finds() {
    use std::arch::is_x86_feature_detected as has;
    let avx2 = has!("avx2") && has!("bmi2");
    let avx512 =
        avx2 && has!("avx512f") && has!("avx512dq") && has!("avx512bw") && has!("avx512vl") && has!("avx512vbmi");
    let here = [has!("ssse3"), avx2, avx512, false, false];
    for (level, here) in Level::ALL.into_iter().skip(1).zip(here) {
        assert_eq!(level.is_here(), here && level.is_built(), "{level:?}");
    }
}
