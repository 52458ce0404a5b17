//! Facts, layouts with gaps, windows and other readings: the numbers of other systems, and every answer held against
//! the indices themselves, over all small layouts and many random ones.

#[macro_use]
mod common;
mod oracle;

use common::*;
use oracle::{Random, Side};
use std::collections::BTreeSet;
use stride::ffi::facts::{stride_layout_facts, stride_layout_query};

const U1: u32 = Dtype::U1.code();
const U2: u32 = Dtype::U2.code();
const U4: u32 = Dtype::U4.code();
const U8: u32 = Dtype::U8.code();
const U16: u32 = Dtype::U16.code();
const U32: u32 = Dtype::U32.code();
const F32: u32 = Dtype::F32.code();
const F64: u32 = Dtype::F64.code();

fn bits(dtype: u32) -> i64 {
    Dtype::new(dtype).unwrap().bits()
}

/// Element offsets in row-major order: the definition of a layout.
fn offsets(layout: &stride_layout) -> Vec<i64> {
    Side { sizes: sizes(layout).to_vec(), strides: strides(layout).to_vec(), offset: layout.offset }.offsets()
}

/// Sizes 0–5, many of them 1, strides around those of a packed layout, any offset.
fn any_layout(random: &mut Random, dtype: u32, most_rank: u64) -> stride_layout {
    let rank = random.below(most_rank + 1);
    let sizes: Vec<i64> = (0..rank)
        .map(|_| match random.below(16) {
            0 => 0,
            1..=4 => 1,
            _ => 2 + random.below(3),
        })
        .collect();
    let mut strides = vec![0; sizes.len()];
    let mut order: Vec<usize> = (0..sizes.len()).rev().collect();
    if random.one_in(3) {
        random.shuffle(&mut order);
    }
    let mut step = if random.one_in(4) { 1 + random.below(4) } else { 1 };
    for &dimension in &order {
        strides[dimension] = match random.below(12) {
            0 => random.below(9) - 4,
            1 => -step,
            2 => 0,
            _ => step,
        };
        if sizes[dimension] == 1 && random.one_in(2) {
            strides[dimension] = random.pick(&[i64::MIN, i64::MAX, -3, 7, 1 << 40]);
        }
        step *= sizes[dimension].max(1);
        step += if random.one_in(5) { random.below(4) } else { 0 };
    }
    at(random.below(20) - 6, layout(dtype, &sizes, &strides))
}

/// Gaps in layouts that are made: the same as taking the corner or asking for the pitch.
mod made_with_gaps {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn padded_sizes_are_the_corner_of_a_packed_buffer() {
        // XLA's f32[30,100] padded to 32,128 (padded_dimensions): rows 128 apart.
        assert_eq!(strides(&padded_layout(F32, &[30, 100], &[32, 128]).unwrap()), [128, 1]);
        assert_eq!(strides(&padded_layout(F32, &[], &[]).unwrap()), [0i64; 0]);
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let rank = random.below(5) as usize;
            let wanted: Vec<i64> = (0..rank).map(|_| random.below(5)).collect();
            let room: Vec<i64> = wanted.iter().map(|&size| size + random.below(3)).collect();
            let found = padded_layout(U16, &wanted, &room).unwrap();
            if wanted.contains(&0) {
                assert_eq!(fields(&found), (wanted, vec![0; rank], 0), "packed strides of an empty layout are 0");
            } else {
                assert_eq!(fields(&found), fields(&crop(&packed(U16, &room), &vec![0; rank], &wanted).unwrap()));
            }
        }
        let refused = reason(padded_layout(F32, &[2, 3], &[2, 2]));
        assert_eq!(refused, (Status::InvalidSize.number(), Argument::PaddedSizes.number(), 1, 2, 3));
        // A room that only dimensions of size 1 would need may be of any size; one that is reached may not.
        assert!(padded_layout(F32, &[1, 1, 3], &[1 << 40, 1 << 40, 3]).is_ok());
        let too_far = padded_layout(F32, &[2, 1, 3], &[1 << 40, 1 << 40, 1 << 40]);
        assert_eq!(status(too_far), Status::Overflow.number());
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn aligned_rows_have_the_least_pitch_that_does() {
        // D3D12's D3D12_TEXTURE_DATA_PITCH_ALIGNMENT is 256: rows of 640 RGB pixels lie 2048 apart. WebGPU: 32 x 4
        // bytes -> 256.
        assert_eq!(strides(&aligned(U8, &[480, 640, 3], 0, 256).unwrap()), [2048, 3, 1]);
        assert_eq!(strides(&aligned(U8, &[16, 32, 4], 0, 256).unwrap()), [256, 4, 1]);
        // TMA wants 16 bytes: bf16 [.,511] has 1022, the next is 1024.
        assert_eq!(strides(&aligned(Dtype::BF16.code(), &[8, 511], 0, 16).unwrap()), [512, 1]);
        // Metal's f16 rows of 200 at 64 bytes are 224 elements.
        assert_eq!(strides(&aligned(Dtype::F16.code(), &[8, 200], -2, 64).unwrap()), [224, 1]);
        let mut random = Random::new(2);
        let mut checked = 0;
        for _ in 0..5_000 {
            let dtype = random.pick(&[U1, U2, U4, U8, U16, F32, bytes(3).unwrap(), bytes(12).unwrap()]);
            let rank = 1 + random.below(3);
            let wanted: Vec<i64> = (0..rank).map(|_| 1 + random.below(6)).collect();
            let (axis, alignment) = (random.below(rank as u64), 1 + random.below(20) as u64);
            let found = aligned(dtype, &wanted, axis, alignment).unwrap();
            // All multiples in turn, until the pitched layout exists.
            let expected = (1..).find_map(|k| pitched(dtype, &wanted, axis, k * alignment).ok()).unwrap();
            assert_eq!(fields(&found), fields(&expected), "{dtype:#x} {wanted:?} axis {axis} alignment {alignment}");
            assert_eq!(fields(&aligned(dtype, &wanted, axis - rank, alignment).unwrap()), fields(&found));
            checked += 1;
        }
        println!("{checked} aligned layouts");
        let alignment = |bytes| reason(aligned(F32, &[2, 3], 0, bytes));
        let (invalid, name) = (Status::InvalidArgument.number(), Argument::AlignmentBytes.number());
        assert_eq!(alignment(0), (invalid, name, -1, 0, 1));
        assert_eq!(alignment(u64::MAX), (invalid, name, -1, i64::MAX, 1 << 60));
        assert_eq!(status(aligned(F32, &[2, 3], 0, 1 << 60)), Status::Overflow.number());
        assert_eq!(status(aligned(bytes(3).unwrap(), &[2, 3], 0, 1 << 60)), Status::Overflow.number());
        assert_eq!(status(aligned(U1, &[2, 3], 0, 1 << 60)), Status::Overflow.number());
        // As with a pitch, a stride that does not fit is 0 where it moves no element.
        assert_eq!(strides(&aligned(U1, &[1, 3], 0, 1 << 60).unwrap()), [0, 1]);
        assert_eq!(strides(&pitched(U1, &[1, 3], 0, 1 << 60).unwrap()), [0, 1]);
        assert_eq!(reason(aligned(F32, &[2, 3], 2, 4)).0, Status::InvalidAxes.number());
        assert!(aligned(F32, &[2, 0], 0, 0).is_ok(), "an empty layout takes any");
    }
}

/// Fit, runs, alignment, and all of it at once.
mod facts {
    use super::*;

    /// Everything that one layout is asked, against its offsets.
    fn check(layout: &stride_layout) {
        let (all, width) = (offsets(layout), bits(layout.dtype));
        let case = || layout_text(layout).unwrap();
        // Fit: the bits of every element lie in the buffer.
        for bytes in [0, 1, 2, 3, 7, 8, 9, 40, 1000] {
            let inside = all.iter().all(|&o| o >= 0 && (o + 1) * width <= bytes * 8);
            assert_eq!(fits(layout, bytes as u64).is_ok(), inside, "{} in {bytes}", case());
        }
        // The run: the largest tail of dimensions whose elements are neighbours, whatever the other indices are.
        let (dimensions, elements) = contiguous_run(layout).unwrap();
        let rank = sizes(layout).len();
        let is_run = |tail: usize| {
            let count: i64 = sizes(layout)[rank - tail..].iter().product();
            all.chunks(count.max(1) as usize).all(|row| row.iter().zip(row[0]..).all(|(&o, expected)| o == expected))
        };
        if all.is_empty() {
            assert_eq!((dimensions as usize, elements), (rank, 0), "{}", case());
        } else {
            let longest = (0..=rank).rev().find(|&tail| is_run(tail)).unwrap();
            let count: i64 = sizes(layout)[rank - longest..].iter().product();
            assert_eq!((dimensions as usize, elements), (longest, count), "{}", case());
        }
        // Alignment: what divides all addresses, wherever a base that it divides lies.
        for base in [1u64, 2, 8, 64, 1 << 20] {
            let common = |elements: &mut dyn Iterator<Item = i64>| {
                let addresses: Vec<i64> = elements.map(|o| (o * width).div_euclid(8)).collect();
                let divides = |power: u64| addresses.iter().all(|a| a.rem_euclid(power as i64) == 0);
                (0..=base.trailing_zeros()).map(|k| 1 << k).filter(|&power| divides(power)).max().unwrap()
            };
            let rows = common(&mut all.iter().copied().step_by(elements.max(1) as usize));
            let expected = (common(&mut all.iter().copied()), rows);
            assert_eq!(alignment(layout, base), Ok(expected), "{} from {base}", case());
        }
        // All at once.
        let facts = query(layout).unwrap();
        assert_eq!(facts.struct_size as usize, size_of::<stride_layout_facts>());
        assert_eq!(
            (facts.formats, facts.element_count),
            (formats(layout).unwrap(), element_count(layout).unwrap()),
            "{}",
            case()
        );
        assert_eq!((facts.lowest, facts.highest), span(layout).unwrap());
        assert_eq!(facts.min_bytes, min_bytes(layout).unwrap_or(u64::MAX));
        assert_eq!(facts.packed_bytes, (all.len() as u64 * width as u64).div_ceil(8));
        assert_eq!(facts.element_bits as i64, width);
        assert_eq!((facts.run_dimensions, facts.run_elements), (dimensions, elements));
        assert_eq!((facts.element_alignment, facts.row_alignment), alignment(layout, 1 << 63).unwrap());
    }

    /// Sizes 0–3, strides −4…4, offsets 0–3, dtypes of 1 to 24 bits: all of rank 2.
    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn of_all_small_layouts() {
        let mut checked = 0;
        for dtype in [U1, U4, U16, bytes(3).unwrap()] {
            for code in 0..4 * 9 * 4 * 9 {
                let digit = |divisor: i64, base: i64| code / divisor % base;
                let (sizes, strides) = ([digit(1, 4), digit(4, 4)], [digit(16, 9) - 4, digit(144, 9) - 4]);
                for offset in 0..4 {
                    check(&at(offset, layout(dtype, &sizes, &strides)));
                    checked += 1;
                }
            }
        }
        println!("{checked} small layouts");
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn of_random_layouts() {
        let mut random = Random::new(3);
        for _ in 0..30_000 {
            let dtype = random.pick(&[U1, U2, U4, U4 | Dtype::HIGH_FIRST, U8, U16, F32, F64, bytes(12).unwrap()]);
            check(&any_layout(&mut random, dtype, 4));
        }
    }

    #[test]
    fn of_far_layouts() {
        let far = at(1 << 58, layout(U8, &[2, 3], &[1 << 55, 1 << 20]));
        assert_eq!(alignment(&far, 1 << 63), Ok((1 << 20, 1 << 20)));
        // The bytes of two single bits that are 2^62 apart, one of them below the base.
        let bit = at(-(1 << 62) + 5, layout(U1, &[2], &[1 << 62]));
        assert_eq!(alignment(&bit, 1 << 63), Ok((1 << 59, 1 << 59)));
        assert_eq!(alignment(&at(i64::MIN, packed(U1, &[])), 1 << 63), Ok((1 << 60, 1 << 60)));
        assert_eq!(alignment(&at(-(1 << 60), packed(U8, &[])), 1 << 63), Ok((1 << 60, 1 << 60)));
        assert_eq!(alignment(&at(7, packed(U1, &[])), 1 << 63), Ok((1 << 63, 1 << 63)));
        assert_eq!(alignment(&at(-1, packed(U1, &[])), 1 << 63), Ok((1, 1)));
        let repeated = layout(F32, &[1 << 61], &[0]);
        assert_eq!(query(&repeated).unwrap().packed_bytes, u64::MAX);
        assert_eq!(query(&at(3, layout(F32, &[7], &[-1]))).unwrap().min_bytes, u64::MAX);
        for refused in [0, 3, 48, u64::MAX] {
            let (found, name) = (reason(alignment(&far, refused)), Argument::BaseAlignment.number());
            assert_eq!((found.0, found.1, found.4), (Status::InvalidArgument.number(), name, 1), "{refused}");
        }
    }

    #[test]
    fn what_does_not_fit_says_by_how_much() {
        let image = layout(U8, &[2, 3], &[8, 1]);
        assert_eq!(fits(&image, 11), Ok(()));
        assert_eq!(fits(&image, u64::MAX), Ok(()));
        let needed = (Status::OutOfBounds.number(), Argument::BufferBytes.number(), -1, 11, 10);
        assert_eq!(reason(fits(&image, 10)), needed);
        let mirrored = layout(F32, &[3], &[-1]);
        let below = (Status::OutOfBounds.number(), Argument::Layout.number(), -1, -8, 0);
        assert_eq!(reason(fits(&mirrored, u64::MAX)), below);
        // 17 nibbles are 9 bytes (tilelang-ascend#1731).
        assert_eq!((fits(&packed(U4, &[17]), 9), reason(fits(&packed(U4, &[17]), 8)).3), (Ok(()), 9));
        assert_eq!(fits(&at(1 << 50, packed(F32, &[4, 0])), 0), Ok(()), "nothing fits everywhere");
    }

    /// mlir/unittests/Dialect/MemRef/LayoutTest.cpp (maxCollapseDim), and the issues named.
    #[test]
    fn runs_as_mlir_counts_them() {
        let run = |sizes: &[i64], strides: &[i64]| contiguous_run(&layout(F32, sizes, strides)).unwrap();
        assert_eq!(run(&[2, 2, 2], &[4, 2, 1]), (3, 8));
        assert_eq!(run(&[2, 2, 2], &[8, 2, 1]), (2, 4));
        assert_eq!(run(&[2, 2, 2], &[8, 4, 1]), (1, 2));
        assert_eq!(run(&[2, 2, 2], &[8, 4, 2]), (0, 1));
        // llvm-project#166448: a size of 1 between packed dimensions was no longer collapsed; offset 864.
        let collapsed = at(864, layout(F32, &[3, 3, 1, 96], &[288, 96, 96, 1]));
        assert_eq!(contiguous_run(&collapsed), Ok((4, 864)));
        assert_eq!(fields(&reshape(&collapsed, &[864]).unwrap()), (vec![864], vec![1], 864));
        // llvm-project#112994: 4x16 out of rows of 18 is no run, and there is no view of 64 elements.
        assert_eq!(run(&[1, 1, 16, 4, 16], &[1152, 1152, 72, 18, 1]), (1, 16));
        let rows = layout(F32, &[1, 1, 16, 4, 16], &[1152, 1152, 72, 18, 1]);
        assert_eq!(status(reshape(&rows, &[1, 16, 64])), Status::NotRepresentable.number());
        // llvm-project#61158: whatever the stride of a size of 1 is.
        for wild in [0, -1, 7, i64::MAX] {
            assert_eq!(run(&[2, 1, 4], &[4, wild, 1]), (3, 8), "{wild}");
            assert_eq!(run(&[2, 3, 1], &[3, 1, wild]), (3, 6), "{wild}");
        }
        // llvm-project#198541: rank 0.
        assert_eq!(run(&[], &[]), (0, 1));
    }

    #[test]
    fn as_much_is_written_as_the_caller_has() {
        /// A caller's struct of a later version, with two facts that this library does not know.
        #[repr(C)]
        struct Later {
            facts: stride_layout_facts,
            more: [u64; 2],
        }
        let image = packed(U8, &[2, 3]);
        let mut later = Later { facts: no_facts(), more: [7; 2] };
        later.facts.struct_size = size_of::<Later>() as u32;
        let out: *mut Later = &mut later;
        call!(stride_layout_query, &image, out.cast()).unwrap();
        assert_eq!((later.facts.struct_size, later.facts.element_count, later.more), (96, 6, [0; 2]));
        for (size, detail) in [(0, Detail::StructSize), (79, Detail::StructSize), (4097, Detail::Above)] {
            let mut facts = stride_layout_facts { struct_size: size, ..no_facts() };
            let refused = error(call!(stride_layout_query, &image, &mut facts));
            assert_eq!((refused.status, refused.detail as u32), (Status::InvalidArgument.number(), detail.number()));
            assert_eq!((refused.lhs, facts.element_count), (size as i64, POISON));
        }
    }
}

/// Orders of dimensions: all permutations, and what ExecuTorch got wrong.
mod orders {
    use super::*;

    fn permutations(rank: usize) -> Vec<Vec<i64>> {
        (0..rank).fold(vec![vec![]], |all, next| {
            let insert = |order: &Vec<i64>, at: usize| {
                let mut longer = order.clone();
                longer.insert(at, next as i64);
                longer
            };
            all.iter().flat_map(|order| (0..=order.len()).map(move |at| insert(order, at))).collect()
        })
    }

    /// The definition: strides without signs never grow, sizes of 1 not looked at.
    fn suits(layout: &stride_layout, order: &[i64]) -> bool {
        let of = |&dimension: &i64| (layout.sizes[dimension as usize], layout.strides[dimension as usize]);
        let steps: Vec<u64> =
            order.iter().map(of).filter(|(size, _)| *size > 1).map(|(_, s)| s.unsigned_abs()).collect();
        sizes(layout).contains(&0) || steps.windows(2).all(|pair| pair[0] >= pair[1])
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn against_all_permutations() {
        let (mut random, mut granted, mut refused) = (Random::new(4), 0, 0);
        for _ in 0..10_000 {
            let layout = any_layout(&mut random, F32, 4);
            let all = permutations(layout.rank as usize);
            let fitting: BTreeSet<&Vec<i64>> = all.iter().filter(|order| suits(&layout, order)).collect();
            let case = layout_text(&layout).unwrap();
            let (canonical, unique) = dim_order(&layout, &[]).unwrap();
            assert!(fitting.contains(&canonical), "{case}: {canonical:?}");
            assert_eq!(unique, fitting.len() == 1, "{case}");
            for preferred in &all {
                let expected = if fitting.contains(preferred) { preferred } else { &canonical };
                assert_eq!(dim_order(&layout, preferred), Ok((expected.clone(), unique)), "{case}, {preferred:?}");
                *if expected == preferred { &mut granted } else { &mut refused } += 1;
            }
            // Where there is a minor_to_major, this is its reverse.
            if let Ok(mut minor_to_major) = minor_to_major(&layout) {
                minor_to_major.reverse();
                assert_eq!(canonical, minor_to_major, "{case}");
            }
        }
        println!("{granted} preferred orders were granted, {refused} not");
    }

    #[test]
    fn as_executorch_wants_them() {
        let (nchw, nhwc) = ([0i64, 1, 2, 3], [0i64, 2, 3, 1]);
        let order = |sizes: &[i64], strides: &[i64], preferred: &[i64]| {
            dim_order(&layout(F32, sizes, strides), preferred).unwrap()
        };
        // executorch#22520, #22533: a depthwise weight in channels-last; (0,2,1,3) came out of sorting.
        assert_eq!(order(&[8, 1, 3, 3], &[9, 1, 3, 1], &nhwc), (nhwc.to_vec(), false));
        assert_eq!(order(&[8, 2, 3, 3], &[18, 1, 6, 2], &nchw), (nhwc.to_vec(), true));
        // executorch#22745: the KWS input (1,1,49,10).
        assert_eq!(order(&[1, 1, 49, 10], &[490, 1, 10, 1], &nhwc).0, nhwc);
        assert_eq!(order(&[1, 1, 49, 10], &[490, 1, 10, 1], &nchw).0, nchw);
        // executorch#17463: both ways to write the strides of a channel or of pixels that are one.
        for (sizes, strides) in [
            ([2, 1, 4, 4], [16, 16, 4, 1]),
            ([2, 1, 4, 4], [16, 1, 4, 1]),
            ([2, 3, 1, 1], [3, 1, 1, 1]),
            ([2, 3, 1, 1], [3, 1, 3, 3]),
        ] {
            assert_eq!(order(&sizes, &strides, &nhwc), (nhwc.to_vec(), false), "{sizes:?} {strides:?}");
            assert_eq!(order(&sizes, &strides, &nchw), (nchw.to_vec(), false), "{sizes:?} {strides:?}");
        }
    }

    #[test]
    fn wrong_wishes_are_named() {
        let cube = packed(F32, &[2, 3, 4]);
        let wish = |preferred: &[i64]| reason(dim_order(&cube, preferred));
        let (axes, name) = (Status::InvalidAxes.number(), Argument::Preferred.number());
        assert_eq!(wish(&[0, 1, 1]), (axes, name, 2, 1, 3));
        assert_eq!(wish(&[0, -1, 1]), (axes, name, 1, -1, 3));
        assert_eq!(wish(&[3, 0, 1]), (axes, name, 0, 3, 3));
        assert_eq!(wish(&[0, 1]), (Status::InvalidRank.number(), Argument::Count.number(), -1, 2, 3));
    }
}

/// Windows, other strides, other dtypes, one dimension less or more, two parts: against the indices.
mod readings {
    use super::*;

    /// torch.Tensor.unfold's and XLA's own examples.
    #[test]
    fn windows_of_other_systems() {
        // pytorch.org, Tensor.unfold: torch.arange(1, 8).unfold(0, 2, 1) is 6 x 2, with step 2 it is 3 x 2.
        let row = packed(F32, &[7]);
        assert_eq!(fields(&window(&row, &[2], None, None).unwrap()), (vec![6, 2], vec![1, 1], 0));
        assert_eq!(fields(&window(&row, &[2], Some(&[2]), None).unwrap()), (vec![3, 2], vec![2, 1], 0));
        // numpy.org, sliding_window_view: windows (2,3) of a 3x4 array are 2 x 2 x 2 x 3.
        let matrix = packed(F32, &[3, 4]);
        let found = window(&matrix, &[2, 3], None, None).unwrap();
        assert_eq!(fields(&found), (vec![2, 2, 2, 3], vec![4, 1, 4, 1], 0));
        // openxla.org, ReduceWindow: 4x6 in windows of 2x3 with strides 2x3 is 2x2; dilation 2 makes a window of 3
        // cover 5.
        let matrix = packed(F32, &[4, 6]);
        assert_eq!(sizes(&window(&matrix, &[2, 3], Some(&[2, 3]), None).unwrap()), [2, 2, 2, 3]);
        assert_eq!(sizes(&window(&matrix, &[1, 3], None, Some(&[1, 2])).unwrap()), [4, 2, 1, 3]);
        // An image of 28 x 28 in patches of 7 x 7: 4 x 4 x 7 x 7.
        let patches = window(&packed(U8, &[28, 28]), &[7, 7], Some(&[7, 7]), None).unwrap();
        assert_eq!(fields(&patches), (vec![4, 4, 7, 7], vec![196, 7, 28, 1], 0));
        // Rank 32 is the last.
        assert_eq!(window(&packed(U8, &[1; 32]), &[1; 32], None, None).unwrap().rank, 64);
        let above = (Status::InvalidRank.number(), Argument::Out.number(), -1, 66, 64);
        assert_eq!(reason(window(&packed(U8, &[1; 33]), &[1; 33], None, None)), above);
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn every_window_is_where_its_indices_say() {
        let (mut random, mut elements) = (Random::new(5), 0);
        for _ in 0..20_000 {
            let layout = any_layout(&mut random, U16, 3);
            let rank = layout.rank as usize;
            let mut draw = |list: &[i64]| -> Vec<i64> { (0..rank).map(|_| random.pick(list)).collect() };
            let (steps, dilations) = (draw(&[1, 1, 2, 3]), draw(&[1, 1, 1, 2]));
            // Mostly what fits, now and then what is empty or too long.
            let drawn = draw(&[-1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 9]);
            let wanted: Vec<i64> = (0..rank)
                .map(|k| match drawn[k] {
                    window @ (1 | 2) => window.min(layout.sizes[k].max(1)),
                    other => other + 1,
                })
                .collect();
            let found = window(&layout, &wanted, Some(&steps), Some(&dilations)).unwrap();
            let case = || format!("{} {wanted:?} {steps:?} {dilations:?}", layout_text(&layout).unwrap());
            assert_eq!(sizes(&found)[rank..], wanted);
            for k in 0..rank {
                // Count the beginnings whose window lies inside.
                let fits = |begin: &i64| (0..wanted[k]).all(|i| begin + i * dilations[k] < layout.sizes[k]);
                let ends = (0..=layout.sizes[k]).step_by(steps[k] as usize).filter(fits);
                let ends = ends.filter(|begin| wanted[k] == 0 || *begin < layout.sizes[k]).count();
                assert_eq!(found.sizes[k], ends as i64, "{}", case());
            }
            for index in indices(sizes(&found)) {
                let inner: Vec<i64> = (0..rank).map(|k| index[k] * steps[k] + index[rank + k] * dilations[k]).collect();
                assert_eq!(offset_of(&found, &index), offset_of(&layout, &inner), "{}", case());
                elements += 1;
            }
        }
        println!("{elements} elements of windows");
        let row = packed(U16, &[5]);
        let (invalid, steps) = (Status::InvalidArgument.number(), Argument::Steps.number());
        assert_eq!(reason(window(&row, &[2], Some(&[0]), None)), (invalid, steps, 0, 0, 1));
        let dilations = Argument::Dilations.number();
        assert_eq!(reason(window(&row, &[2], None, Some(&[-1]))), (invalid, dilations, 0, -1, 1));
        let negative = (Status::InvalidSize.number(), Argument::Sizes.number(), 0, -2, 0);
        assert_eq!(reason(window(&row, &[-2], None, None)), negative);
    }

    /// The bits that elements take, in row-major order.
    fn bits_of(layout: &stride_layout) -> Vec<i64> {
        let width = bits(layout.dtype);
        offsets(layout).iter().flat_map(|&o| o * width..(o + 1) * width).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn another_dtype_has_the_same_bits_in_the_same_order() {
        let mut random = Random::new(6);
        let widths = [U1, U2, U4, U8, U16, U32, bytes(3).unwrap(), bytes(6).unwrap(), bytes(4).unwrap()];
        let (mut done, mut refused) = (0, 0);
        for _ in 0..40_000 {
            let (old, new) = (random.pick(&widths), random.pick(&widths));
            let layout = any_layout(&mut random, old, 3);
            let rank = layout.rank as usize;
            let case = || format!("{} as {new:#x}", layout_text(&layout).unwrap());
            let ratio = |number: i64| number * bits(old) % bits(new) == 0;
            let empty = sizes(&layout).contains(&0);
            // numpy.ndarray.view's rules, and whole elements, which NumPy's strides in bytes need not have.
            let last = rank.checked_sub(1).map(|last| (layout.sizes[last], layout.strides[last]));
            let allowed = bits(old) == bits(new)
                || last.is_some_and(|(size, stride)| {
                    let others = (0..rank - 1).all(|k| layout.sizes[k] <= 1 || ratio(layout.strides[k]));
                    let divides = bits(new) > bits(old) || bits(old) % bits(new) == 0;
                    divides && ratio(size) && (empty || ((size <= 1 || stride == 1) && others && ratio(layout.offset)))
                });
            match reinterpret(&layout, new) {
                Ok(found) => {
                    assert!(allowed, "{}", case());
                    assert_eq!((found.dtype, found.rank), (new, layout.rank));
                    if bits(old) == bits(new) {
                        assert_eq!(fields(&found), fields(&layout), "{}", case());
                    }
                    assert_eq!(bits_of(&found), bits_of(&layout), "{}", case());
                    // Back again, it is what it was.
                    if let (Ok(back), false) = (reinterpret(&found, old), empty) {
                        assert!(same_mapping(&back, &layout), "{}", case());
                    }
                    done += 1;
                }
                Err(_) => {
                    assert!(!allowed, "{}", case());
                    refused += 1;
                }
            }
        }
        println!("{done} reinterpreted, {refused} refused");
        assert!(done > 10_000 && refused > 10_000);
    }

    #[test]
    fn what_another_dtype_needs_is_named() {
        let rows = |dtype, offset, sizes: &[i64], strides: &[i64]| at(offset, layout(dtype, sizes, strides));
        let refused = |layout: &stride_layout, dtype| reason(reinterpret(layout, dtype));
        let (mismatch, no) = (Status::ShapeMismatch.number(), Status::NotRepresentable.number());
        let name = Argument::Layout.number();
        assert_eq!(refused(&rows(U8, 0, &[2, 6], &[8, 1]), U32), (mismatch, name, 1, 6, 4));
        assert_eq!(refused(&rows(U8, 0, &[2, 8], &[9, 1]), U32), (no, name, 0, 9, 4));
        assert_eq!(refused(&rows(U8, 2, &[2, 8], &[8, 1]), U32), (no, name, -1, 2, 4));
        assert_eq!(refused(&rows(U8, 0, &[2, 8], &[1, 2]), U32), (no, name, 1, 2, 1));
        assert_eq!(refused(&packed(U8, &[]), U32), (no, name, -1, 0, 1));
        assert_eq!(refused(&packed(bytes(3).unwrap(), &[4]), U16).0, Status::DtypeMismatch.number());
        assert_eq!(refused(&packed(U8, &[4]), 99).0, Status::InvalidDtype.number());
        // The order within a byte is the new dtype's.
        let high = reinterpret(&packed(U8, &[3]), U4 | Dtype::HIGH_FIRST).unwrap();
        assert_eq!((high.dtype, high.sizes[0]), (U4 | Dtype::HIGH_FIRST, 6));
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn as_strided_stays_among_the_elements() {
        let mut random = Random::new(7);
        let (mut inside, mut outside) = (0, 0);
        for _ in 0..40_000 {
            let (whole, part) = (any_layout(&mut random, F32, 2), any_layout(&mut random, F32, 2));
            let part = at(random.below(12), part);
            let found = as_strided(&whole, sizes(&part), strides(&part), part.offset);
            let (lowest, highest) = span(&whole).unwrap();
            let allowed = offsets(&part).iter().all(|o| (lowest..=highest).contains(o));
            let case = || format!("{} of {}", layout_text(&part).unwrap(), layout_text(&whole).unwrap());
            match found {
                Ok(view) => {
                    assert!(allowed, "{}", case());
                    assert_eq!(fields(&view), fields(&part), "{}", case());
                    inside += 1;
                }
                Err(record) => {
                    assert!(!allowed, "{}", case());
                    assert_eq!(record.status, Status::OutOfBounds.number(), "{}", case());
                    let (below, above) = (Detail::Below.number() as u64, Detail::Above.number() as u64);
                    let limit = if record.detail == below { lowest } else { highest };
                    assert!(record.rhs == limit && [below, above].contains(&record.detail), "{}", case());
                    let reached = offsets(&part).contains(&record.lhs);
                    assert!(reached && (record.lhs < lowest || record.lhs > highest), "{}", case());
                    outside += 1;
                }
            }
        }
        println!("{inside} inside, {outside} outside");
        assert!(inside > 3_000 && outside > 3_000);
    }

    /// Each of these ended PyTorch, or gave a tensor of somebody else's memory.
    #[test]
    fn as_strided_where_pytorch_does_not_look() {
        let strided = |whole: &stride_layout, sizes: &[i64], strides: &[i64], offset| {
            let found = reason(as_strided(whole, sizes, strides, offset));
            (found.0, found.3, found.4)
        };
        let out = Status::OutOfBounds.number();
        let far = 9_223_369_837_831_520_255;
        let s64 = |sizes: &[i64]| packed(Dtype::S64.code(), sizes);
        assert_eq!(strided(&s64(&[2]), &[7, 8, 1, 8], &[1, 1, 2, 0], far), (out, far, 1)); // pytorch#145259
        let far = 8_170_450_533_120_000_000;
        assert_eq!(strided(&s64(&[10]), &[5], &[2], far), (out, far, 9)); // pytorch#147398
        assert_eq!(strided(&s64(&[10]), &[5], &[2], i64::MAX - 9999), (out, i64::MAX - 9999, 9));
        assert_eq!(strided(&packed(F32, &[4, 4]), &[2, 2], &[2, 1], i64::MAX), (out, i64::MAX, 15)); // pytorch#150388
        assert_eq!(strided(&packed(Dtype::PRED.code(), &[1]), &[4096], &[0], i64::MAX), (out, i64::MAX, 0)); // #146793
        assert_eq!(strided(&packed(F32, &[0, 1]), &[4], &[1], 7_546_629_512_955_761_371).0, out); // #146794
        assert_eq!(strided(&packed(F32, &[0, 0, 1, 5, 5]), &[1], &[1], i64::MAX).0, out); // #145071
        assert_eq!(strided(&packed(F32, &[0]), &[17, 18], &[-80, 1], 1).0, out); // pytorch#143702
        // pytorch#197431: (3,2) with strides (2,1) of a view that begins in a buffer of 6 and skips every second
        // column.
        let view = layout(F32, &[3, 1], &[2, 2]);
        assert_eq!(strided(&view, &[3, 2], &[2, 1], 0), (out, 5, 4));
        // pytorch#33290: a mirrored one is fine here.
        let mirrored = as_strided(&packed(F32, &[5]), &[5], &[-1], 4).unwrap();
        assert_eq!(fields(&mirrored), (vec![5], vec![-1], 4));
        // An empty view reaches nothing, also of nothing; sizes are checked all the same.
        assert!(as_strided(&packed(F32, &[0]), &[3, 0], &[1 << 60, 5], i64::MAX).is_ok());
        assert_eq!(reason(as_strided(&view, &[-1], &[1], 0)).0, Status::InvalidSize.number());
        assert_eq!(reason(as_strided(&view, &[3], &[i64::MAX], 0)).0, Status::Overflow.number());
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of cases")]
    fn one_dimension_less_one_more_two_parts() {
        let mut random = Random::new(8);
        for _ in 0..20_000 {
            let layout = any_layout(&mut random, U16, 3);
            let rank = layout.rank as i64;
            let case = || layout_text(&layout).unwrap();
            let with = |index: &[i64], axis: i64, entry: i64| {
                let mut longer = index.to_vec();
                longer.insert(axis as usize, entry);
                longer
            };
            let axis = random.below(rank as u64 + 1);
            let count = random.below(4);
            let repeated = repeat(&layout, if random.one_in(2) { axis } else { axis - rank - 1 }, count).unwrap();
            assert_eq!(sizes(&repeated), with(sizes(&layout), axis, count), "{}", case());
            for index in indices(sizes(&repeated)) {
                let mut inner = index.clone();
                inner.remove(axis as usize);
                assert_eq!(offset_of(&repeated, &index), offset_of(&layout, &inner), "{}", case());
            }
            if axis == rank {
                continue;
            }
            let size = layout.sizes[axis as usize];
            for entry in -size - 1..=size {
                let found = select(&layout, axis, entry);
                if entry < -size || entry >= size {
                    let refused = (Status::IndexOutOfRange.number(), Argument::Index.number(), -1, entry, size);
                    assert_eq!(reason(found), refused, "{}", case());
                    continue;
                }
                let found = found.unwrap();
                assert_eq!(found.rank + 1, layout.rank);
                assert!(!offsets(&found).is_empty() || found.offset == layout.offset, "{}", case());
                for index in indices(sizes(&found)) {
                    let outer = with(&index, axis, entry.rem_euclid(size));
                    assert_eq!(offset_of(&found, &index), offset_of(&layout, &outer), "{}", case());
                }
            }
            let position = random.below(size as u64 + 1);
            let (front, back) = cut(&layout, axis - rank, position).unwrap();
            let moved = |side: &stride_layout, by: i64| {
                assert!(!offsets(side).is_empty() || side.offset == layout.offset, "{}", case());
                for index in indices(sizes(side)) {
                    let mut outer = index.clone();
                    outer[axis as usize] += by;
                    assert_eq!(offset_of(side, &index), offset_of(&layout, &outer), "{}", case());
                }
            };
            let axis = axis as usize;
            assert_eq!((front.sizes[axis], back.sizes[axis]), (position, size - position), "{}", case());
            moved(&front, 0);
            moved(&back, position);
        }
    }

    #[test]
    fn rolled_by_two_copies() {
        let sizes = [3i64, 5, 2];
        let whole = packed(U8, &sizes);
        let from: Vec<u8> = (0..30).collect();
        for (axis, &size) in sizes.iter().enumerate() {
            for shift in 0..size {
                let mut to = vec![99; 30];
                let (front, back) = cut(&whole, axis as i64, size - shift).unwrap();
                let (first, rest) = cut(&whole, axis as i64, shift).unwrap();
                copy((&first, &mut to), (&back, &from)).unwrap();
                copy((&rest, &mut to), (&front, &from)).unwrap();
                // numpy.roll: what was at i is at i + shift.
                for (number, index) in indices(&sizes).iter().enumerate() {
                    let mut before = index.clone();
                    before[axis] = (index[axis] - shift).rem_euclid(size);
                    assert_eq!(to[number], from[ravel(&whole, &before).unwrap() as usize], "{axis} {shift}");
                }
            }
        }
        let refused = (Status::IndexOutOfRange.number(), Argument::Position.number(), -1, 6, 6);
        assert_eq!(reason(cut(&whole, 1, 6)), refused);
        assert_eq!(reason(cut(&whole, 1, -1)).0, Status::IndexOutOfRange.number());
        assert_eq!(reason(cut(&whole, 3, 0)).0, Status::InvalidAxes.number());
    }

    #[test]
    fn tiled_and_repeated_by_a_copy() {
        let rows = packed(U8, &[2, 3]);
        let memory = [1u8, 2, 3, 4, 5, 6];
        // numpy.tile([[1,2,3],[4,5,6]], (1,2)) and numpy.repeat(…, 2, 1).
        assert_eq!(gather(&repeat(&rows, 1, 2).unwrap(), &memory), [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6]);
        assert_eq!(gather(&repeat(&rows, -1, 2).unwrap(), &memory), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
        assert_eq!(reason(repeat(&rows, 3, 2)).0, Status::InvalidAxes.number());
        let negative = (Status::InvalidSize.number(), Argument::Count.number(), -1, -1, 0);
        assert_eq!(reason(repeat(&rows, 0, -1)), negative);
        assert_eq!(reason(repeat(&packed(U8, &[1; 64]), 0, 1)).0, Status::InvalidRank.number());
        // Of dimensions only the result has the one that is too much.
        let far = reason(repeat(&rows, 0, 1 << 62));
        assert_eq!((far.0, far.1, far.2), (Status::Overflow.number(), Argument::Count.number(), -1));
    }
}
