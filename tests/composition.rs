//! Composition, inverse, tiles, common runs and elementwise results: numbers that others published, and brute force.
//!
//! CuTe is colexicographic (its first mode is the fastest), libstride row-major: both lists of a layout are reversed
//! here.

#[macro_use]
pub mod common;
mod oracle;

use common::*;
pub use oracle::Random;
use stride::ffi::broadcast::stride_elementwise_layout;
use stride::ffi::compose::*;

const F32: u32 = Dtype::F32.code();
const U8: u32 = Dtype::U8.code();
/// What `group_ranks` holds before a call.
const UNTOUCHED: u32 = 77;

/// `stride_layout_compose`: the layout and `group_ranks`.
fn compose(outer: &stride_layout, inner: &stride_layout) -> Answer<(stride_layout, Vec<u32>)> {
    let mut parts = vec![UNTOUCHED; inner.rank as usize];
    let out = made(|out| call!(stride_layout_compose, outer, inner, out, inner.rank, parts.as_mut_ptr()));
    assert!(out.is_ok() || parts.iter().all(|&part| part == UNTOUCHED), "group_ranks was written on failure");
    out.map(|out| (out, parts))
}

/// `stride_layout_inverse`.
fn inverse(layout: &stride_layout) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_inverse, layout, out))
}

/// `stride_layout_tile`.
fn tile(layout: &stride_layout, tile_sizes: &[i64]) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_tile, layout, tile_sizes.len() as u32, tile_sizes.as_ptr(), out))
}

/// `stride_layouts_common_run`.
fn common_run(layouts: &[stride_layout]) -> Answer<i64> {
    let mut elements = POISON;
    call!(stride_layouts_common_run, layouts.len() as u32, layouts.as_ptr(), &mut elements).map(|()| elements)
}

/// `stride_elementwise_layout`.
fn result(layouts: &[stride_layout], dtype: u32) -> Answer<stride_layout> {
    made(|out| call!(stride_elementwise_layout, layouts.len() as u32, layouts.as_ptr(), dtype, out))
}

/// Sizes and strides as lists.
fn lists(layout: &stride_layout) -> (Vec<i64>, Vec<i64>) {
    (sizes(layout).to_vec(), strides(layout).to_vec())
}

fn strides(layout: &stride_layout) -> &[i64] {
    &layout.strides[..layout.rank as usize]
}

/// Where element number `k` lies, by the definition.
fn place(layout: &stride_layout, k: i128) -> i128 {
    let (mut rest, mut place) = (k, layout.offset as i128);
    for (&size, &stride) in sizes(layout).iter().zip(strides(layout)).rev() {
        place += rest % size as i128 * stride as i128;
        rest /= size as i128;
    }
    place
}

fn count(layout: &stride_layout) -> i64 {
    sizes(layout).iter().product()
}

/// A layout as CuTe writes it, reversed.
fn cute(shape: &[i64], stride: &[i64]) -> stride_layout {
    let reversed = |list: &[i64]| list.iter().rev().copied().collect::<Vec<_>>();
    layout(F32, &reversed(shape), &reversed(stride))
}

// ---------------------------------------------------------------------------------------------------------------------
// Composition: numbers of others
// ---------------------------------------------------------------------------------------------------------------------

/// CUTLASS, media/docs/cpp/cute/02_layout_algebra.md, "Composition" and "Divide"; NVIDIA/cutlass#2113 and #2432, which
/// CuTe refuses.
#[test]
fn the_examples_of_cutlass() {
    type Modes<'a> = (&'a [i64], &'a [i64]);
    let cases: &[(Modes, Modes, Modes, &[u32])] = &[
        ((&[6, 2], &[8, 2]), (&[4, 3], &[3, 1]), (&[2, 2, 3], &[24, 2, 8]), &[2, 1]),
        ((&[20], &[2]), (&[5, 4], &[4, 1]), (&[5, 4], &[8, 2]), &[1, 1]),
        ((&[10, 2], &[16, 4]), (&[5, 4], &[1, 5]), (&[5, 2, 2], &[16, 80, 4]), &[1, 2]),
        // By mode: 3:4 of 12:59, and 8:2 of (4,8):(13,1), whose numbers count twelves.
        ((&[12, 4, 8], &[59, 13, 1]), (&[3, 8], &[4, 24]), (&[3, 2, 4], &[236, 26, 1]), &[1, 2]),
        // logical_divide((4,2,3):(2,1,8), 4:2): the divisor and its complement (2,3):(1,8).
        ((&[4, 2, 3], &[2, 1, 8]), (&[4, 2, 3], &[2, 1, 8]), (&[2, 2, 2, 3], &[4, 1, 2, 8]), &[2, 1, 1]),
        // logical_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>).
        (
            (&[9, 4, 8], &[59, 13, 1]),
            (&[3, 3, 2, 4, 2, 2], &[3, 1, 9, 72, 18, 36]),
            (&[3, 3, 2, 4, 2, 2], &[177, 59, 13, 2, 26, 1]),
            &[1, 1, 1, 1, 1, 1],
        ),
        ((&[10, 2], &[16, 4]), (&[3, 4], &[1, 5]), (&[3, 2, 2], &[16, 80, 4]), &[1, 2]),
        ((&[32, 128], &[128, 1]), (&[30, 128], &[1, 32]), (&[30, 128], &[128, 1]), &[1, 1]),
    ];
    for (outer, inner, expected, parts) in cases {
        let (out, found) = compose(&cute(outer.0, outer.1), &cute(inner.0, inner.1)).unwrap();
        assert_eq!(lists(&out), lists(&cute(expected.0, expected.1)), "{outer:?} o {inner:?}");
        assert_eq!(found.iter().rev().copied().collect::<Vec<_>>(), *parts, "{outer:?} o {inner:?}");
    }
    // The offsets of the first and of #2113, as printed there.
    let places = |outer: Modes, inner: Modes| {
        let (out, _) = compose(&cute(outer.0, outer.1), &cute(inner.0, inner.1)).unwrap();
        (0..count(&out) as i128).map(|k| place(&out, k)).collect::<Vec<_>>()
    };
    assert_eq!(places(cases[0].0, cases[0].1), [0, 24, 2, 26, 8, 32, 10, 34, 16, 40, 18, 42]);
    assert_eq!(places(cases[6].0, cases[6].1), [0, 16, 32, 80, 96, 112, 4, 20, 36, 84, 100, 116]);
}

/// NVIDIA/cutlass#3177: CuTe composes (2,3):(6,3) and puts element 1 at 6, 3 at 7; #2955: 7 at (2,1), where 8 is right.
#[test]
fn what_cute_answers_wrongly_is_refused() {
    let outer = cute(&[4, 6, 8], &[2, 3, 5]);
    assert_eq!([0, 3, 6, 9, 12, 15].map(|k| place(&outer, k)), [0, 6, 7, 8, 9, 15]);
    let split = error(compose(&outer, &cute(&[6], &[3])));
    assert_eq!((split.status, split.argument, split.dimension), (100, Argument::Inner.number(), 0));
    assert_eq!((split.detail, split.lhs, split.rhs), (Detail::Split.number() as u64, 6, 4));

    let outer = cute(&[6, 2], &[1, 7]);
    assert_eq!(place(&outer, 7), 8);
    let carry = error(compose(&outer, &cute(&[3, 2], &[2, 3])));
    assert_eq!((carry.status, carry.argument, carry.dimension), (100, Argument::Inner.number(), 1));
    assert_eq!((carry.detail, carry.lhs, carry.rhs), (Detail::Carry.number() as u64, 7, 6));
}

/// The pairs of CUTLASS, test/python/pycute/test_composition.py, whose test is R(c) = A(B(c)).
#[test]
fn the_pairs_of_pycute() {
    type Pair<'a> = (&'a [i64], &'a [i64], &'a [i64], &'a [i64]);
    let eight: (&[i64], &[i64]) = (&[2, 2, 2, 2, 2, 2], &[1, 16, 4, 8, 2, 32]);
    let pairs: &[Pair] = &[
        (&[1], &[0], &[1], &[0]),
        (&[1], &[0], &[1], &[1]),
        (&[1], &[1], &[1], &[0]),
        (&[1], &[1], &[1], &[1]),
        (&[4], &[1], &[4], &[1]),
        (&[4], &[2], &[4], &[1]),
        (&[4], &[0], &[4], &[1]),
        (&[4], &[1], &[4], &[0]),
        (&[4], &[1], &[1], &[0]),
        (&[1], &[0], &[4], &[1]),
        (&[4], &[1], &[2], &[1]),
        (&[4], &[2], &[2], &[1]),
        (&[4], &[1], &[2], &[2]),
        (&[4], &[2], &[2], &[2]),
        (&[12], &[1], &[4, 3], &[1, 4]),
        (&[12], &[2], &[4, 3], &[1, 4]),
        (&[12], &[1], &[4, 3], &[3, 1]),
        (&[12], &[2], &[4, 3], &[3, 1]),
        (&[12], &[1], &[2, 3], &[2, 4]),
        (&[4, 3], &[1, 4], &[4, 3], &[1, 4]),
        (&[4, 3], &[1, 4], &[12], &[1]),
        (&[4, 3], &[1, 4], &[6], &[2]),
        (&[4, 3], &[1, 4], &[6, 2], &[2, 1]),
        (&[4, 3], &[3, 1], &[4, 3], &[1, 4]),
        (&[4, 3], &[3, 1], &[12], &[1]),
        (&[4, 3], &[3, 1], &[6], &[2]),
        (&[4, 3], &[3, 1], &[6, 2], &[2, 1]),
        (&[8, 8], &[1, 8], eight.0, eight.1),
        (&[8, 8], &[8, 1], eight.0, eight.1),
        (eight.0, eight.1, &[8], &[4]),
        (&[4, 2], &[1, 16], &[4, 2], &[2, 1]),
        (&[2, 2], &[2, 1], &[2, 2], &[2, 1]),
        (&[4, 8, 2], &[1, 4, 32], &[2, 2, 2], &[2, 8, 1]),
        (&[4, 8, 2], &[2, 8, 1], &[2, 2, 2], &[1, 8, 2]),
        (&[4, 8, 2], &[2, 8, 1], &[4, 2, 2], &[2, 8, 1]),
        (&[4, 6, 8], &[1, 4, 7], &[6], &[1]),
        (&[4, 6, 8, 10], &[2, 3, 5, 7], &[6], &[12]),
    ];
    let (mut composed, mut outside) = (0, 0);
    for (outer_shape, outer_stride, inner_shape, inner_stride) in pairs {
        let (outer, inner) = (cute(outer_shape, outer_stride), cute(inner_shape, inner_stride));
        let highest = (0..count(&inner) as i128).map(|k| place(&inner, k)).max().unwrap();
        match compose(&outer, &inner) {
            Ok((out, _)) => {
                composed += 1;
                for k in 0..count(&inner) as i128 {
                    assert_eq!(place(&out, k), place(&outer, place(&inner, k)), "{outer_shape:?} o {inner_shape:?}");
                }
            }
            Err(record) => {
                // In CuTe the last mode of the outer layout goes on without end.
                assert_eq!(record.status, Status::OutOfBounds.number(), "{outer_shape:?} o {inner_shape:?}");
                assert!(highest >= count(&outer) as i128);
                outside += 1;
            }
        }
    }
    println!("pycute: {composed} pairs composed, {outside} go past the end of the outer layout");
    assert_eq!((composed, outside), (36, 1));
}

#[test]
fn edges_of_composition() {
    let rows = at(100, layout(F32, &[4, 6], &[8, 1]));
    // Empty inner: nothing is reached, whatever its numbers; empty outer: there is nothing to reach.
    let (out, parts) = compose(&rows, &at(-5, layout(U8, &[3, 0], &[-9, 1]))).unwrap();
    assert_eq!((out.dtype, out.offset, lists(&out), parts), (F32, 100, (vec![3, 0], vec![0, 0]), vec![1, 1]));
    let empty = packed(F32, &[0, 3]);
    assert_eq!(reason(compose(&empty, &packed(U8, &[]))), (30, Argument::Inner.number(), -1, 0, 0));
    assert_eq!(lists(&compose(&empty, &packed(U8, &[2, 0])).unwrap().0).0, [2, 0]);
    // Rank 0 on either side.
    let (out, parts) = compose(&rows, &at(7, packed(U8, &[]))).unwrap();
    assert_eq!((out.rank, out.offset, parts), (0, 109, vec![]));
    let one = at(5, packed(F32, &[]));
    assert_eq!(compose(&one, &layout(U8, &[3, 1], &[0, 9])).unwrap().0.offset, 5);
    // Numbers past either end, with the one that is reached.
    assert_eq!(reason(compose(&rows, &packed(U8, &[25]))), (30, Argument::Inner.number(), -1, 24, 24));
    assert_eq!(reason(compose(&rows, &at(1, layout(U8, &[2], &[-2])))), (30, Argument::Inner.number(), -1, -1, 24));
    // The output may be either input.
    let mut both = packed(U8, &[24]);
    let (same, mut parts) = (&raw mut both, [0; 1]);
    call!(stride_layout_compose, &rows, same.cast_const(), same, 1, parts.as_mut_ptr()).unwrap();
    assert_eq!((lists(&both), parts), ((vec![4, 6], vec![8, 1]), [2]));
    // Too many dimensions: 63 of size 1 and one that is split.
    let mut many = vec![1i64; 63];
    many.push(24);
    assert_eq!(reason(compose(&rows, &packed(U8, &many))), (4, Argument::Out.number(), -1, 65, 64));
    // A stride that does not fit, since the places lie on either side of 0: −2^62 − 1 and 2^62.
    let far = at(-(1 << 62) - 1, layout(Dtype::U1.code(), &[1, 1], &[1, 1]));
    let far = stride_layout { sizes: [2; 64], strides: [(1 << 62) + (1 << 61); 64], rank: 1, ..far };
    assert!(compose(&far, &packed(U8, &[2])).is_ok());
    let wider = stride_layout { offset: i64::MIN, sizes: [3; 64], strides: [1 << 62; 64], ..far };
    let ends = reason(compose(&wider, &layout(U8, &[2], &[2])));
    assert_eq!(ends, (10, Argument::Outer.number(), 0, 2, i64::MAX));
}

// ---------------------------------------------------------------------------------------------------------------------
// Composition: brute force
// ---------------------------------------------------------------------------------------------------------------------

/// A dimension: size and stride.
type Dimension = (i64, i64);

fn dimensions(layout: &stride_layout) -> Vec<Dimension> {
    sizes(layout).iter().copied().zip(strides(layout).iter().copied()).collect()
}

/// Without size 1, and what is one run as one dimension.
fn joined(layout: &stride_layout) -> Vec<Dimension> {
    let mut joined: Vec<Dimension> = Vec::new();
    for (size, stride) in dimensions(layout).into_iter().filter(|&(size, _)| size != 1) {
        match joined.last_mut() {
            Some(last) if last.1 == size * stride => *last = (last.0 * size, stride),
            _ => joined.push((size, stride)),
        }
    }
    joined
}

/// The rule as it was first written down, which searches divisors from the largest down: offset and the dimensions that
/// each of inner's becomes. Independent of the library's, which needs no search.
fn prototype(outer: &stride_layout, inner: &stride_layout) -> Option<(i64, Vec<Vec<Dimension>>)> {
    let joined = joined(outer);
    let mut weights = Vec::new();
    let mut whole = 1;
    for &(size, _) in joined.iter().rev() {
        whole *= size;
        weights.push(whole);
    }
    let (first, inner) = (inner.offset, dimensions(inner));
    let lowest: i64 = inner.iter().map(|(n, s)| ((n - 1) * s).min(0)).sum();
    let highest: i64 = inner.iter().map(|(n, s)| ((n - 1) * s).max(0)).sum();
    if first + lowest < 0 || first + highest >= whole {
        return None;
    }
    weights.pop();
    let drift = |s: i64, w: i64| s - (first.rem_euclid(w) + s).div_euclid(w) * w;
    let mut groups = Vec::new();
    for &(mut n, mut s) in &inner {
        let mut group = Vec::new();
        while n > 1 {
            let mut m = n;
            for &w in &weights {
                let d = drift(s, w);
                if d > 0 {
                    m = m.min((w - 1 - first % w) / d + 1);
                } else if d < 0 {
                    m = m.min(first % w / -d + 1);
                }
            }
            while n % m != 0 {
                m -= 1;
            }
            if m < 2 {
                return None;
            }
            group.insert(0, (m, s));
            (n, s) = (n / m, s * m);
        }
        groups.push(group);
    }
    for &w in &weights {
        let reached = groups.iter().flatten().map(|&(m, s)| (m - 1) * drift(s, w));
        let (below, above): (Vec<i64>, Vec<i64>) = reached.partition(|&d| d < 0);
        if first % w + below.iter().sum::<i64>() < 0 || first % w + above.iter().sum::<i64>() >= w {
            return None;
        }
    }
    let at = |k: i64| place(outer, k as i128) as i64;
    let placed = |group: Vec<Dimension>| group.iter().map(|&(m, s)| (m, at(first + s) - at(first))).collect();
    Some((at(first), groups.into_iter().map(placed).collect()))
}

/// Whether the numbers g[0], …, g[n−1] are a sum over the digits of their index, in some way to write n as a product:
/// tried for all orders of its prime factors, of which every other way is made by joining.
fn splits_evenly(g: &[i128]) -> bool {
    if g.len() <= 1 {
        return true;
    }
    let primes = (2..=g.len()).filter(|&p| g.len().is_multiple_of(p) && (2..p).all(|q| p % q != 0));
    primes.into_iter().any(|p| {
        let step = g[1] - g[0];
        let even = g.chunks(p).all(|row| row.iter().zip(0..).all(|(&place, i)| place == row[0] + i * step));
        even && splits_evenly(&g.iter().step_by(p).copied().collect::<Vec<_>>())
    })
}

/// Whether any splitting of inner's dimensions makes sizes and strides of these places: the places must be a sum over
/// inner's dimensions, and each of these sums must split evenly.
fn has_strided_form(inner: &stride_layout, places: &[i128]) -> bool {
    let mut along = Vec::new();
    let mut step = places.len();
    for &size in sizes(inner) {
        step /= size as usize;
        along.push((size as usize, step));
    }
    let sums = (0..places.len()).all(|k| {
        let parts = along.iter().map(|&(size, step)| places[k / step % size * step] - places[0]);
        places[k] - places[0] == parts.sum::<i128>()
    });
    sums && along.iter().all(|&(size, step)| splits_evenly(&(0..size).map(|i| places[i * step]).collect::<Vec<_>>()))
}

fn random_outer(r: &mut Random) -> stride_layout {
    let rank = r.pick(&[0, 1, 2, 2, 3, 3, 3, 4, 4]);
    let sizes: Vec<i64> = (0..rank).map(|_| if r.one_in(60) { 0 } else { r.pick(&[1, 2, 2, 3, 3, 4, 5, 6]) }).collect();
    let mut strides = vec![0; rank];
    let mut order: Vec<usize> = (0..rank).rev().collect();
    if r.one_in(2) {
        r.shuffle(&mut order);
    }
    let mut step = 1;
    for &dimension in &order {
        strides[dimension] = match r.below(12) {
            0 => 0,
            1 => r.below(9) - 4,
            2 => -step,
            _ => step,
        };
        step *= sizes[dimension].max(1);
        if r.one_in(4) {
            step += r.below(5);
        }
    }
    at(r.below(100), layout(F32, &sizes, &strides))
}

fn random_inner(r: &mut Random, outer: &stride_layout) -> stride_layout {
    let whole = count(outer).max(1);
    let weights: Vec<i64> =
        (0..=outer.rank as usize).map(|k| sizes(outer)[k..].iter().product::<i64>().max(1)).collect();
    let rank = r.pick(&[0, 1, 1, 1, 2, 2, 2, 3]);
    let (mut sizes, mut strides, mut reach) = (Vec::new(), Vec::new(), whole);
    for _ in 0..rank {
        let mut step = match r.below(8) {
            0 => 0,
            1 => r.below(whole as u64),
            2 => r.pick(&weights) * (1 + r.below(3)),
            3 => r.pick(&weights) + r.below(3) - 1,
            _ => r.pick(&weights),
        };
        // Mostly inside of what is left, and often whole dimensions of outer.
        let most = if step == 0 { 6 } else { ((reach - 1) / step + 1).min(64) };
        let whole_ones = r.pick(&weights) / step.max(1) * (1 + r.below(3));
        let any = 1 + r.below(most as u64);
        let size = r.pick(&[any, any, whole_ones.clamp(1, most), whole_ones.clamp(1, most), most]);
        let size = if r.one_in(40) { r.below(9) } else { size };
        reach = (reach - (size - 1).max(0) * step).max(1);
        if r.one_in(6) {
            step = -step;
        }
        sizes.push(size);
        strides.push(step);
    }
    let below: i64 = sizes.iter().zip(&strides).map(|(&n, &s)| (n - 1).max(0) * s.min(0)).sum();
    at(-below + if r.one_in(2) { r.below(reach as u64) } else { 0 }, layout(U8, &sizes, &strides))
}

/// What became of compositions.
#[derive(Default)]
pub struct Composed {
    composed: u32,
    split: u32,
    outside: u32,
    refused: u32,
    /// Of those: have a strided form, where carries cancel.
    cancelled: u32,
}

/// A composition that succeeds has every element in its place, and every refusal is a number that outer does not have,
/// or has no strided form at all but for carries that cancel. Whether it succeeded.
pub fn composition(r: &mut Random, seen: &mut Composed) -> bool {
    let outer = random_outer(r);
    let inner = random_inner(r, &outer);
    let elements = count(&inner);
    let name = || format!("{:?} o {:?} at {}", lists(&outer), lists(&inner), inner.offset);
    if elements == 0 {
        assert_eq!(lists(&compose(&outer, &inner).unwrap().0).0, sizes(&inner), "{}", name());
        return true;
    }
    let numbers: Vec<i128> = (0..elements as i128).map(|k| place(&inner, k)).collect();
    let there = numbers.iter().all(|&number| (0..count(&outer) as i128).contains(&number));
    let record = match compose(&outer, &inner) {
        Ok((out, parts)) => {
            assert!(there, "{}", name());
            check_composed(&outer, &inner, &numbers, &out, &parts, &name);
            seen.composed += 1;
            seen.split += parts.iter().any(|&part| part > 1) as u32;
            return true;
        }
        Err(record) => record,
    };
    if record.status == Status::OutOfBounds.number() {
        assert!(!there && numbers.contains(&(record.lhs as i128)), "{}", name());
        seen.outside += 1;
        return false;
    }
    assert_eq!((record.status, there), (Status::NotRepresentable.number(), true), "{}", name());
    assert!((record.dimension as u32) < inner.rank, "{}", name());
    assert_eq!(prototype(&outer, &inner), None, "{}", name());
    seen.refused += 1;
    let places: Vec<i128> = numbers.iter().map(|&number| place(&outer, number)).collect();
    if has_strided_form(&inner, &places) {
        // By chance: of one kind of carry alone nothing can cancel.
        assert!(joined(&outer).len() > 2, "{}", name());
        seen.cancelled += 1;
    }
    false
}

#[test]
fn random_compositions_are_exact() {
    let mut seen = Composed::default();
    oracle::cases(20, 100_000, |random| {
        composition(random, &mut seen);
    });
    let Composed { composed, split, outside, refused, cancelled } = seen;
    println!(
        "compose: {composed} composed (0 wrong, {split} with a split), {outside} out of bounds, {refused} refused, of which \
         {cancelled} have a strided form, where carries cancel"
    );
    assert!(cfg!(miri) || composed > 50_000 && split > 5_000 && refused > 5_000 && outside > 500);
    assert!(cfg!(miri) || cancelled * 200 < refused, "{cancelled} of {refused}");
}

fn check_composed(
    outer: &stride_layout,
    inner: &stride_layout,
    numbers: &[i128],
    out: &stride_layout,
    parts: &[u32],
    name: &dyn Fn() -> String,
) {
    assert_eq!(out.dtype, outer.dtype);
    assert_eq!(parts.iter().sum::<u32>(), out.rank, "{}", name());
    let mut at = 0;
    for (&part, &size) in parts.iter().zip(sizes(inner)) {
        let group = &sizes(out)[at..at + part as usize];
        assert_eq!(group.iter().product::<i64>(), size, "{}", name());
        assert!(group.len() == 1 || group.iter().all(|&size| size > 1), "{}", name());
        at += part as usize;
    }
    for (k, &number) in numbers.iter().enumerate() {
        assert_eq!(place(out, k as i128), place(outer, number), "{}, element {k}", name());
    }
    let (offset, groups) = prototype(outer, inner).unwrap_or_else(|| panic!("the prototype refuses {}", name()));
    let own = sizes(out).iter().copied().zip(strides(out).iter().copied()).filter(|&(size, _)| size > 1);
    assert_eq!((out.offset, own.collect::<Vec<_>>()), (offset, groups.concat()), "{}", name());
}

/// Sizes up to 2^59: no time is spent on a search, and every element that is looked at is in its place. Whether it
/// succeeded.
pub fn large_composition(r: &mut Random, seen: &mut Composed) -> bool {
    let (mut sizes_of, mut strides_of, mut step) = (Vec::new(), Vec::new(), 1i64);
    for _ in 0..1 + r.below(4) {
        let size = (1i64 << r.below(14)) * r.pick(&[1, 1, 3, 5, 7]);
        sizes_of.insert(0, size);
        strides_of.insert(0, step);
        step = step * size + if r.one_in(2) { r.below(100) } else { 0 };
        if step > 1 << 47 {
            break;
        }
    }
    if step > 1 << 59 {
        return false;
    }
    let outer = layout(U8, &sizes_of, &strides_of);
    let whole = count(&outer);
    let step = r.pick(&[1, 1, 2, 3, 4, whole / 2 + 1, whole / 3 + 1]);
    let most = (whole - 1) / step + 1;
    let any = 1 + r.below(most as u64);
    let size = r.pick(&[most, (most / 2).max(1), (most & (most - 1)).max(1), any]);
    let inner = if r.one_in(3) && size > 1 {
        at((size - 1) * step, layout(U8, &[size], &[-step]))
    } else {
        layout(U8, &[size], &[step])
    };
    let out = match compose(&outer, &inner) {
        Ok((out, _)) => out,
        Err(record) => {
            assert_eq!(record.status, Status::NotRepresentable.number(), "{:?} o {:?}", lists(&outer), lists(&inner));
            seen.refused += 1;
            return false;
        }
    };
    for k in [0, 1, size / 2, size - 1].into_iter().chain((0..20).map(|_| r.below(size as u64))) {
        let k = k.min(size - 1) as i128;
        let (outer_place, name) = (place(&outer, place(&inner, k)), (lists(&outer), lists(&inner)));
        assert_eq!(place(&out, k), outer_place, "{name:?}, element {k}");
    }
    seen.composed += 1;
    true
}

#[test]
fn large_compositions_are_exact_too() {
    let mut seen = Composed::default();
    oracle::cases(21, 20_000, |random| {
        large_composition(random, &mut seen);
    });
    let Composed { composed, refused, .. } = seen;
    println!("compose: {composed} large ones composed, {refused} refused");
    assert!(cfg!(miri) || composed > 5_000 && refused > 500, "{composed} {refused}");
}

// ---------------------------------------------------------------------------------------------------------------------
// Inverse, tiles, common runs
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn the_inverse_orders_numbers_as_memory_does() {
    let columns = layout(F32, &[2, 3], &[1, 2]);
    assert_eq!(lists(&inverse(&columns).unwrap()), (vec![3, 2], vec![1, 3]));
    let nhwc = channels_last(F32, &[2, 3, 4, 5]).unwrap();
    assert_eq!(lists(&inverse(&nhwc).unwrap()), (vec![2, 4, 5, 3], vec![60, 5, 1, 20]));
    assert_eq!(inverse(&packed(F32, &[])).unwrap().rank, 0);
    assert_eq!(lists(&inverse(&layout(F32, &[2, 0], &[5, 7])).unwrap()), (vec![2, 0], vec![0, 0]));
    // CUTLASS, test/python/pycute/test_right_inverse.py: (4,8):(1,4), (2,4,6):(4,1,8), (2,4,4,6):(1,2,8,32).
    for (shape, stride) in [(&[4i64, 8][..], &[1i64, 4][..]), (&[2, 4, 6], &[4, 1, 8]), (&[2, 4, 4, 6], &[1, 2, 8, 32])]
    {
        let given = cute(shape, stride);
        let found = inverse(&given).unwrap();
        for p in 0..count(&given) as i128 {
            assert_eq!(place(&given, place(&found, p)), p);
        }
    }
    for (sizes, strides) in [(&[2i64, 3][..], &[4i64, 1][..]), (&[2, 3], &[3, -1]), (&[2, 3], &[0, 1]), (&[4], &[2])] {
        let record = error(inverse(&layout(F32, sizes, strides)));
        assert_eq!((record.status, record.detail), (100, Detail::Stride.number() as u64), "{strides:?}");
    }
}

/// A layout composed with its inverse is its memory in order, and the other way round the numbers are.
pub fn inverse_of_a_layout(r: &mut Random) {
    let rank = r.below(6) as usize;
    let sizes_of: Vec<i64> = (0..rank).map(|_| r.pick(&[1, 1, 2, 3, 4, 5])).collect();
    let mut order: Vec<i64> = (0..rank as i64).collect();
    r.shuffle(&mut order);
    let given = at(r.below(50), ordered(F32, &sizes_of, &order).unwrap());
    let found = inverse(&given).unwrap();
    assert_eq!(found.offset, 0);
    for p in 0..count(&given) as i128 {
        assert_eq!(place(&given, place(&found, p)), given.offset as i128 + p, "{sizes_of:?} {order:?}");
    }
    let (memory, parts) = compose(&given, &found).unwrap();
    assert_eq!((memory.offset, parts), (given.offset, vec![1; rank]), "{sizes_of:?} {order:?}");
    for p in 0..count(&given) as i128 {
        assert_eq!(place(&memory, p), given.offset as i128 + p, "{sizes_of:?} {order:?}");
    }
    let (numbers, _) = compose(&found, &at(0, given)).unwrap();
    for k in 0..count(&given) as i128 {
        assert_eq!(place(&numbers, k), k, "{sizes_of:?} {order:?}");
    }
}

#[test]
fn a_layout_composed_with_its_inverse_is_packed() {
    oracle::cases(22, 20_000, inverse_of_a_layout);
}

#[test]
fn tiles_by_hand_and_by_brute_force() {
    assert_eq!(lists(&tile(&packed(U8, &[4, 6]), &[2, 3]).unwrap()), (vec![2, 2, 2, 3], vec![12, 3, 6, 1]));
    // CUTLASS, 02_layout_algebra.md: tiling by <4,8> of the shape (8,24), as zipped_divide has it: ((4,8),(2,3)), here
    // the quotients first.
    let found = tile(&cute(&[8, 24], &[1, 8]), &[8, 4]).unwrap();
    assert_eq!(lists(&found), (vec![3, 2, 8, 4], vec![64, 4, 8, 1]));
    // Empty, rank 0, mirrored and repeated.
    assert_eq!(lists(&tile(&layout(U8, &[0, 6], &[6, 1]), &[4, 2]).unwrap()), (vec![0, 3, 4, 2], vec![24, 2, 6, 1]));
    let wild = layout(U8, &[0, 1 << 40], &[i64::MAX, 1]);
    assert_eq!(lists(&tile(&wild, &[2, 1]).unwrap()), (vec![0, 1 << 40, 2, 1], vec![0, 1, i64::MAX, 1]));
    assert_eq!(tile(&packed(U8, &[]), &[]).unwrap().rank, 0);
    assert_eq!(lists(&tile(&layout(U8, &[4, 2], &[-3, 0]), &[2, 1]).unwrap()).1, [-6, 0, -3, 0]);
    let cut = reason(tile(&packed(U8, &[4, 7]), &[2, 2]));
    assert_eq!(cut, (20, Argument::TileSizes.number(), 1, 7, 2));
    for wrong in [0, -1, i64::MIN] {
        assert_eq!(reason(tile(&packed(U8, &[4]), &[wrong])), (5, Argument::TileSizes.number(), 0, wrong, 1));
    }
    assert_eq!(reason(tile(&packed(U8, &[1; 33]), &[1; 33])), (4, Argument::Out.number(), -1, 66, 64));
    assert_eq!(tile(&packed(U8, &[1; 32]), &[1; 32]).unwrap().rank, 64);
    assert_eq!(reason(tile(&packed(U8, &[4]), &[2, 2])), (4, Argument::Rank.number(), -1, 2, 1));
    oracle::cases(23, 20_000, tiles_of_a_layout);
}

/// Quotients and tiles, each index where the whole one lies.
pub fn tiles_of_a_layout(r: &mut Random) {
    let rank = r.below(4) as usize;
    let tile_sizes: Vec<i64> = (0..rank).map(|_| 1 + r.below(4)).collect();
    let tiles: Vec<i64> = (0..rank).map(|_| 1 + r.below(4)).collect();
    let whole: Vec<i64> = tiles.iter().zip(&tile_sizes).map(|(q, t)| q * t).collect();
    let strides_of: Vec<i64> = (0..rank).map(|_| r.below(41) - 20).collect();
    let given = at(r.below(99), layout(U8, &whole, &strides_of));
    let found = tile(&given, &tile_sizes).unwrap();
    assert_eq!(sizes(&found), [tiles.clone(), tile_sizes.clone()].concat());
    for k in 0..count(&found) {
        let (mut rest, mut index) = (k, vec![0; 2 * rank]);
        for dimension in (0..2 * rank).rev() {
            index[dimension] = rest % sizes(&found)[dimension];
            rest /= sizes(&found)[dimension];
        }
        let steps = (0..rank).map(|d| (index[d] * tile_sizes[d] + index[rank + d]) * strides_of[d]);
        assert_eq!(place(&found, k as i128), (given.offset + steps.sum::<i64>()) as i128);
    }
}

#[test]
fn common_runs_by_hand_and_by_brute_force() {
    let (rows, whole) = (layout(F32, &[4, 6], &[8, 1]), packed(U8, &[4, 6]));
    assert_eq!(common_run(&[rows, whole]), Ok(6));
    assert_eq!(common_run(&[whole, at(3, whole), packed(F32, &[4, 6])]), Ok(24));
    assert_eq!(common_run(&[]), Ok(1));
    assert_eq!(common_run(&[packed(U8, &[]); 3]), Ok(1));
    assert_eq!(common_run(&[layout(U8, &[2, 0], &[9, 9]), packed(U8, &[2, 0])]), Ok(0));
    // Size 1 says nothing, wherever it stands and whatever its stride; a repeated or mirrored element ends the run.
    let ones = layout(U8, &[4, 1, 6, 1], &[6, -9, 1, 77]);
    assert_eq!(common_run(&[ones, packed(U8, &[4, 1, 6, 1])]), Ok(24));
    assert_eq!(common_run(&[whole, layout(U8, &[4, 6], &[0, 1])]), Ok(6));
    assert_eq!(common_run(&[whole, layout(U8, &[4, 6], &[6, 0])]), Ok(1));
    assert_eq!(common_run(&[whole, layout(U8, &[4, 6], &[-6, 1])]), Ok(6));
    // The run is row-major: two transposed matrices have none until their dimensions are permuted.
    let columns = layout(U8, &[4, 6], &[1, 4]);
    assert_eq!(common_run(&[columns, columns]), Ok(1));
    let rows_of = permute(&columns, &[1, 0]).unwrap();
    assert_eq!(common_run(&[rows_of, rows_of]), Ok(24));

    let sizes_differ = error(common_run(&[whole, whole, packed(U8, &[4, 5])]));
    assert_eq!((sizes_differ.status, sizes_differ.item, sizes_differ.dimension), (20, 2, 1));
    assert_eq!((sizes_differ.lhs, sizes_differ.rhs, sizes_differ.detail), (5, 6, Detail::NotEqual.number() as u64));
    let ranks_differ = error(common_run(&[whole, packed(U8, &[24])]));
    assert_eq!((ranks_differ.item, ranks_differ.dimension, ranks_differ.lhs, ranks_differ.rhs), (1, -1, 1, 2));
    assert_eq!(ranks_differ.detail, Detail::Ranks.number() as u64);
    let mut long = 0;
    oracle::cases(24, 20_000, |random| long += u32::from(common_run_of_layouts(random)));
    println!("common_run: {long} cases above 1");
    assert!(cfg!(miri) || long > 5_000);
}

/// The largest product of last sizes, in blocks of which every element lies after the one before it. Whether it is
/// above 1.
pub fn common_run_of_layouts(r: &mut Random) -> bool {
    let rank = r.below(5) as usize;
    let sizes_of: Vec<i64> = (0..rank).map(|_| r.pick(&[1, 1, 2, 3, 4])).collect();
    let layouts: Vec<stride_layout> = (0..1 + r.below(3))
        .map(|_| {
            let (mut strides_of, mut step) = (vec![0; rank], 1);
            for dimension in (0..rank).rev() {
                strides_of[dimension] = if r.one_in(9) { r.below(9) - 4 } else { step };
                step = step * sizes_of[dimension] + if r.one_in(5) { r.below(3) } else { 0 };
            }
            layout(U8, &sizes_of, &strides_of)
        })
        .collect();
    let blocks = (0..=rank).map(|k| sizes_of[k..].iter().product::<i64>());
    let in_runs = |block: i64| {
        layouts.iter().all(|layout| {
            let elements = 1..count(layout) as i128;
            elements.into_iter().all(|k| k % block as i128 == 0 || place(layout, k) == place(layout, k - 1) + 1)
        })
    };
    let expected = blocks.filter(|&block| in_runs(block)).max().unwrap();
    assert_eq!(common_run(&layouts), Ok(expected), "{:?}", layouts.iter().map(lists).collect::<Vec<_>>());
    expected > 1
}

/// The case that these bytes steer: what `fuzz/` runs. Whether it passed the checks.
pub fn any_bytes(bytes: &[u8]) -> bool {
    let random = &mut Random::steered(bytes);
    match random.below(8) {
        0 => inverse_of_a_layout(random),
        1 => tiles_of_a_layout(random),
        2 => drop(common_run_of_layouts(random)),
        3 => return oracle::until_one_passes(|| large_composition(random, &mut Composed::default())),
        _ => return oracle::until_one_passes(|| composition(random, &mut Composed::default())),
    }
    true
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/composition.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("composition", any_bytes);
}

// ---------------------------------------------------------------------------------------------------------------------
// Elementwise results; tests/result_oracle.py holds random ones against NumPy and PyTorch
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn results_that_users_asked_for() {
    let strides_of = |operands: &[stride_layout]| strides(&result(operands, F32).unwrap()).to_vec();
    // pytorch#141426: conj of the (18,1,3) that an FFT along dimension 1 leaves keeps it.
    assert_eq!(strides_of(&[layout(F32, &[5, 3, 6], &[18, 1, 3])]), [18, 1, 3]);
    // pytorch#78050 and #77553: a transposed matrix with gaps, strides (2,4), gives (1,2), not (2,1).
    assert_eq!(strides_of(&[layout(F32, &[2, 2], &[2, 4])]), [1, 2]);
    // pytorch#198364: the first operand transposed, the second not: the first decides.
    let (columns, rows) = (layout(F32, &[5, 6], &[1, 5]), packed(F32, &[5, 6]));
    assert_eq!(strides_of(&[columns, rows]), [1, 5]);
    assert_eq!(strides_of(&[rows, columns]), [6, 1]);
    // pytorch#157854: a transposed matrix and (1,2,1): a new outer dimension, the rest transposed.
    assert_eq!(strides_of(&[layout(F32, &[2, 2], &[1, 2]), packed(F32, &[1, 2, 1])]), [4, 1, 2]);
    // DirectML#240: Clip of NHWC is NHWC, so nothing has to be transposed.
    let nhwc = channels_last(F32, &[1, 32, 112, 112]).unwrap();
    assert_eq!(strides_of(&[nhwc])[1..], [1, 32 * 112, 32]);
    // NHWC beside a channel's bias, a scalar, and a packed image without the batch, in any order that has NHWC first.
    let (nhwc, image) = (channels_last(F32, &[2, 3, 4, 5]).unwrap(), packed(F32, &[3, 4, 5]));
    let (bias, scalar) = (packed(F32, &[3, 1, 1]), packed(F32, &[]));
    for operands in [&[nhwc, bias][..], &[bias, nhwc], &[scalar, bias, nhwc], &[nhwc, image]] {
        assert_eq!(strides_of(operands), [60, 1, 15, 3]);
    }
    assert_eq!(strides_of(&[image, nhwc]), [60, 20, 5, 1]);
}

#[test]
fn results_at_the_edges() {
    // No operands, rank 0, empty.
    assert_eq!(result(&[], U8).unwrap().rank, 0);
    assert_eq!(result(&[at(9, packed(F32, &[]))], U8).unwrap().offset, 0);
    let empty = result(&[layout(F32, &[2, 0], &[1, 2]), packed(F32, &[2, 1])], U8).unwrap();
    assert_eq!((empty.dtype, lists(&empty)), (U8, (vec![2, 0], vec![0, 0])));
    // Mirrored operands count by the size of their strides; the result is not mirrored (NumPy's K order).
    let mirrored = at(11, layout(F32, &[3, 4], &[-1, -3]));
    assert_eq!(lists(&result(&[mirrored], F32).unwrap()).1, [1, 3]);
    let least = stride_layout { strides: [i64::MIN; 64], ..packed(F32, &[1, 4]) };
    let least = stride_layout { strides: std::array::from_fn(|k| if k == 0 { i64::MIN } else { 1 }), ..least };
    assert_eq!(lists(&result(&[least], F32).unwrap()).1, [4, 1]);
    // Strides of size-1 dimensions say nothing.
    assert_eq!(lists(&result(&[layout(F32, &[2, 1, 3], &[3, 100, 1])], F32).unwrap()).1, [3, 3, 1]);
    // Of equal strides the larger size belongs outside; equal sizes tell nothing.
    for (sizes, expected) in [([2, 3], [1, 2]), ([3, 2], [2, 1]), ([3, 3], [3, 1])] {
        assert_eq!(lists(&result(&[layout(F32, &sizes, &[1, 1])], F32).unwrap()).1, expected);
    }
    // They tell nothing, so the next operand is asked.
    let second = layout(F32, &[3, 3], &[1, 3]);
    assert_eq!(lists(&result(&[layout(F32, &[3, 3], &[1, 1]), second], F32).unwrap()).1, [1, 3]);
    // The output may be one of the operands.
    let mut operands = [layout(F32, &[5, 6], &[1, 5]), packed(F32, &[6])];
    let first = operands.as_mut_ptr();
    call!(stride_elementwise_layout, 2, first.cast_const(), U8, first.wrapping_add(1)).unwrap();
    assert_eq!((operands[1].dtype, lists(&operands[1])), (U8, (vec![5, 6], vec![1, 5])));

    let record = error(result(&[packed(F32, &[2, 3]), packed(F32, &[4])], F32));
    assert_eq!((record.status, record.argument, record.item), (21, Argument::In.number(), 1));
    assert_eq!((record.dimension, record.lhs, record.rhs), (1, 3, 4));
    assert_eq!(reason(result(&[], 99)), (3, Argument::Dtype.number(), -1, 99, 0));
    let wide = layout(U8, &[1 << 40], &[0]);
    let tall = layout(U8, &[1 << 40, 1], &[0, 0]);
    let record = error(result(&[wide, tall], U8));
    assert_eq!((record.status, record.argument), (10, Argument::In.number()));
    let (wide, tall) = (layout(U8, &[1 << 31], &[0]), layout(U8, &[1 << 30, 1], &[0, 0]));
    assert_eq!(error(result(&[wide, tall], F32)).argument, Argument::Dtype.number());
    let mut unknown = packed(F32, &[2]);
    unknown.dtype = 99;
    let record = error(result(&[packed(F32, &[2]), unknown], F32));
    assert_eq!((record.status, record.argument, record.item), (3, Argument::In.number(), 1));
}

/// The order of many dimensions, the last ones too: fastest first, last first, and mixed.
#[test]
fn results_of_many_dimensions() {
    for rank in [17usize, 24, 40] {
        for step in [1usize, rank - 1, 7] {
            let strides: Vec<i64> = (0..rank).map(|k| 1 << (k * step % rank)).collect(); // 7 divides no rank
            let operand = layout(U8, &vec![2; rank], &strides);
            assert_eq!(common::strides(&result(&[operand], U8).unwrap()), strides, "{rank} {step}");
        }
    }
}
