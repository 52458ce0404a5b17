//! Chains of views against the meaning of each, written as a map of indices; and the arithmetic below them against the
//! same in 128 bits. `fuzz/` makes the same cases of its own bytes.

pub mod common;
mod oracle;

use common::*;
pub use oracle::Random;

const SEED: u64 = 20_261_122;

/// Sizes, and where each index lies, in row-major order.
#[derive(Clone, Debug, PartialEq)]
struct Places {
    sizes: Vec<i64>,
    places: Vec<i64>,
}

impl Places {
    fn of(layout: &stride_layout) -> Self {
        let side =
            oracle::Side { sizes: sizes(layout).to_vec(), strides: strides(layout).to_vec(), offset: layout.offset };
        Self { sizes: side.sizes.clone(), places: side.offsets() }
    }

    fn at(&self, index: &[i64]) -> i64 {
        self.places[number_of(index, &self.sizes) as usize]
    }

    /// Of these sizes, each index meaning the one of `self` that `from` makes of it.
    fn mapped(&self, sizes: &[i64], from: impl Fn(&[i64]) -> Vec<i64>) -> Self {
        let places = indices(sizes).iter().map(|index| self.at(&from(index))).collect();
        Self { sizes: sizes.to_vec(), places }
    }

    /// With one more dimension, along which nothing moves.
    fn inserted(&self, place: usize, size: i64) -> Self {
        let mut sizes = self.sizes.clone();
        sizes.insert(place, size);
        self.mapped(&sizes, |index| [&index[..place], &index[place + 1..]].concat())
    }
}

/// Row-major numbers of an index and back.
fn index_of(mut number: i64, sizes: &[i64]) -> Vec<i64> {
    let mut index = vec![0; sizes.len()];
    for (slot, size) in index.iter_mut().zip(sizes).rev() {
        (*slot, number) = (number % size, number / size);
    }
    index
}

fn number_of(index: &[i64], sizes: &[i64]) -> i64 {
    index.iter().zip(sizes).fold(0, |number, (i, size)| number * size + i)
}

/// A random view: its name, the layout that the library makes, and what is meant, `None` where it must be refused. A
/// reshape may say that no strides will do.
fn view(
    random: &mut Random,
    layout: &stride_layout,
    meant: &Places,
) -> (&'static str, Answer<stride_layout>, Option<Places>) {
    let (sizes, rank) = (meant.sizes.clone(), meant.sizes.len());
    let axis = |random: &mut Random| random.below(rank.max(1) as u64) as usize;
    let named =
        |random: &mut Random, axis: usize| if random.one_in(2) { axis as i64 } else { axis as i64 - rank as i64 };
    match random.below(if rank == 0 { 4 } else { 16 }) {
        0 => {
            let place = random.below(rank as u64 + 1) as usize;
            ("expand_dims", expand_dims(layout, &[place as i64]), Some(meant.inserted(place, 1)))
        }
        1 => {
            let added = random.below(3) as usize;
            let longer = [&vec![1; added][..], &sizes].concat();
            let rank = longer.len() as u32;
            ("pad_rank", pad_rank(layout, rank, 0), Some(meant.mapped(&longer, |index| index[added..].to_vec())))
        }
        2 => {
            let mut wider: Vec<i64> =
                sizes.iter().map(|&size| if size == 1 && random.one_in(2) { random.below(4) } else { size }).collect();
            let added = random.below(2) as usize;
            wider.splice(0..0, (0..added).map(|_| 1 + random.below(2)));
            let stretched = |index: &[i64]| {
                index[added..].iter().zip(&sizes).map(|(&i, &size)| if size == 1 { 0 } else { i }).collect()
            };
            ("broadcast_to", broadcast_to(layout, &wider), Some(meant.mapped(&wider, stretched)))
        }
        3 => {
            let (place, count) = (random.below(rank as u64 + 1) as usize, random.below(4));
            ("repeat", repeat(layout, place as i64, count), Some(meant.inserted(place, count)))
        }
        4 => {
            let mut axes: Vec<i64> = (0..rank as i64).collect();
            random.shuffle(&mut axes);
            let permuted: Vec<i64> = axes.iter().map(|&axis| sizes[axis as usize]).collect();
            let back = |index: &[i64]| {
                let mut of = vec![0; rank];
                axes.iter().zip(index).for_each(|(&axis, &i)| of[axis as usize] = i);
                of
            };
            ("permute", permute(layout, &axes), Some(meant.mapped(&permuted, back)))
        }
        5 => {
            // Python's rule for each dimension.
            let bound = |random: &mut Random, size: i64| random.below(2 * size as u64 + 5) - size - 2;
            let lists: Vec<[i64; 3]> = sizes
                .iter()
                .map(|&n| [bound(random, n), bound(random, n), random.pick(&[1, 1, 2, 3, -1, -2])])
                .collect();
            let clamp = |bound: i64, n: i64, step: i64| {
                let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
                (if bound < 0 { bound + n } else { bound }).clamp(low, high.max(low))
            };
            let cut: Vec<(i64, i64)> = lists
                .iter()
                .zip(&sizes)
                .map(|(&[start, stop, step], &n)| {
                    let (start, stop) = (clamp(start, n, step), clamp(stop, n, step));
                    let length = if step > 0 { stop - start + step - 1 } else { start - stop - step - 1 } / step.abs();
                    (start, length.max(0))
                })
                .collect();
            let of = |k: usize| lists.iter().map(|list| list[k]).collect::<Vec<i64>>();
            let shorter: Vec<i64> = cut.iter().map(|&(_, length)| length).collect();
            let steps = of(2);
            let back = |index: &[i64]| {
                index.iter().zip(&cut).zip(&steps).map(|((i, (start, _)), step)| start + i * step).collect()
            };
            ("slice", slice(layout, Some(&of(0)), Some(&of(1)), Some(&steps)), Some(meant.mapped(&shorter, back)))
        }
        6 => {
            let starts: Vec<i64> = sizes.iter().map(|&n| random.below(n as u64 + 1)).collect();
            let most = |(&n, start): (&i64, &i64)| random.below((n - start) as u64 + 1);
            let lengths: Vec<i64> = sizes.iter().zip(&starts).map(most).collect();
            let back = |index: &[i64]| index.iter().zip(&starts).map(|(i, start)| i + start).collect();
            ("crop", crop(layout, &starts, &lengths), Some(meant.mapped(&lengths, back)))
        }
        7 => {
            let axes: Vec<usize> = (0..rank).filter(|_| random.one_in(2)).collect();
            let back = |index: &[i64]| {
                let mirrored = |d: usize| if axes.contains(&d) { sizes[d] - 1 - index[d] } else { index[d] };
                (0..rank).map(mirrored).collect()
            };
            let axes: Vec<i64> = axes.iter().map(|&axis| named(random, axis)).collect();
            ("flip", flip(layout, &axes), Some(meant.mapped(&sizes, back)))
        }
        8 => {
            let axes: Vec<usize> = (0..rank).filter(|_| random.one_in(2)).collect();
            let refused = axes.iter().any(|&axis| sizes[axis] != 1);
            let kept: Vec<usize> = (0..rank).filter(|d| !axes.contains(d)).collect();
            let fewer: Vec<i64> = kept.iter().map(|&d| sizes[d]).collect();
            let back = |index: &[i64]| {
                let mut of = vec![0; rank];
                kept.iter().zip(index).for_each(|(&d, &i)| of[d] = i);
                of
            };
            let axes: Vec<i64> = axes.iter().map(|&axis| named(random, axis)).collect();
            ("squeeze", squeeze(layout, &axes), (!refused).then(|| meant.mapped(&fewer, back)))
        }
        9 => {
            let axis = axis(random);
            let at = random.below(sizes[axis] as u64 + 1);
            let fewer = [&sizes[..axis], &sizes[axis + 1..]].concat();
            let back = |index: &[i64]| [&index[..axis], &[at], &index[axis..]].concat();
            ("select", select(layout, named(random, axis), at), (at < sizes[axis]).then(|| meant.mapped(&fewer, back)))
        }
        10 => {
            let axis = axis(random);
            let at = random.below(sizes[axis] as u64 + 1);
            let mut half = sizes.clone();
            let second = random.one_in(2);
            half[axis] = if second { sizes[axis] - at } else { at };
            let back = |index: &[i64]| {
                let mut of = index.to_vec();
                of[axis] += if second { at } else { 0 };
                of
            };
            let both = cut(layout, named(random, axis), at);
            ("cut", both.map(|(front, after)| if second { after } else { front }), Some(meant.mapped(&half, back)))
        }
        11 => {
            let (one, two, shift) = (axis(random), axis(random), random.below(9) - 4);
            let length = (sizes[one] + shift.min(0)).min(sizes[two] - shift.max(0)).max(0);
            let kept: Vec<usize> = (0..rank).filter(|&d| d != one && d != two).collect();
            let mut fewer: Vec<i64> = kept.iter().map(|&d| sizes[d]).collect();
            fewer.push(length);
            let back = |index: &[i64]| {
                let (along, mut of) = (index[index.len() - 1], vec![0; rank]);
                kept.iter().zip(index).for_each(|(&d, &i)| of[d] = i);
                (of[one], of[two]) = (along - shift.min(0), along + shift.max(0));
                of
            };
            let answer = diagonal(layout, shift, named(random, one), named(random, two));
            ("diagonal", answer, (one != two).then(|| meant.mapped(&fewer, back)))
        }
        12 => {
            let lengths: Vec<i64> = sizes.iter().map(|&n| 1 + random.below(n as u64 + 1)).collect();
            let steps: Vec<i64> = sizes.iter().map(|_| 1 + random.below(3)).collect();
            let dilations: Vec<i64> = sizes.iter().map(|_| 1 + random.below(2)).collect();
            let positions = |d: usize| {
                let reach = (lengths[d] - 1) * dilations[d] + 1;
                if reach > sizes[d] { 0 } else { (sizes[d] - reach) / steps[d] + 1 }
            };
            let twice: Vec<i64> = (0..rank).map(positions).chain(lengths.iter().copied()).collect();
            let back =
                |index: &[i64]| (0..rank).map(|d| index[d] * steps[d] + index[rank + d] * dilations[d]).collect();
            let fits = twice.iter().product::<i64>() < 20_000 && rank < 5;
            if !fits {
                return ("squeeze_all", squeeze_all(layout), Some(squeezed(meant)));
            }
            ("window", window(layout, &lengths, Some(&steps), Some(&dilations)), Some(meant.mapped(&twice, back)))
        }
        13 => {
            let (first, end) = (axis(random), rank);
            let count = 1 + random.below((end - first) as u64) as usize;
            let joined: i64 = sizes[first..first + count].iter().product();
            let fewer = [&sizes[..first], &[joined], &sizes[first + count..]].concat();
            let back = |index: &[i64]| {
                let inner = index_of(index[first], &sizes[first..first + count]);
                [&index[..first], &inner, &index[first + 1..]].concat()
            };
            let expected = meant.mapped(&fewer, back);
            no_strides("merge", merge(layout, named(random, first), count as u32), expected)
        }
        14 => {
            let axis = axis(random);
            let factor = random.pick(&[1, 2, 3]);
            let (inner, outer) = (factor, sizes[axis] / factor);
            let exact = inner * outer == sizes[axis];
            let more = [&sizes[..axis], &[outer, inner], &sizes[axis + 1..]].concat();
            let back = |index: &[i64]| {
                let joined = index[axis] * inner + index[axis + 1];
                [&index[..axis], &[joined], &index[axis + 2..]].concat()
            };
            let answer = split(layout, named(random, axis), &[outer, inner]);
            ("split", answer, exact.then(|| meant.mapped(&more, back)))
        }
        _ => {
            // The sizes cut and joined at random: as many elements.
            let mut parts = vec![];
            for &size in &sizes {
                let factor = random.pick(&[1, 2, 3, 4, 5]);
                if size > 0 && size % factor == 0 { parts.extend([factor, size / factor]) } else { parts.push(size) }
            }
            while parts.len() > 1 && (parts.len() > 7 || random.one_in(2)) {
                let at = random.below(parts.len() as u64 - 1) as usize;
                let joined = parts[at] * parts.remove(at + 1);
                parts[at] = joined;
            }
            let back = |index: &[i64]| index_of(number_of(index, &parts), &sizes);
            let expected = meant.mapped(&parts, back);
            no_strides("reshape", reshape(layout, &parts), expected)
        }
    }
}

fn squeezed(meant: &Places) -> Places {
    let sizes = meant.sizes.iter().copied().filter(|&size| size != 1).collect();
    Places { sizes, places: meant.places.clone() }
}

/// A view that not every layout has: where it is refused, no strides may give the places that are meant.
fn no_strides(
    name: &'static str,
    answer: Answer<stride_layout>,
    meant: Places,
) -> (&'static str, Answer<stride_layout>, Option<Places>) {
    let Err(record) = &answer else { return (name, answer, Some(meant)) };
    assert_eq!(record.status, Status::NotRepresentable.number(), "{name}: {record:?}");
    // Strides that will do would be the distances of neighbours at the beginning.
    let unit = |d: usize| (0..meant.sizes.len()).map(|k| i64::from(k == d)).collect::<Vec<i64>>();
    let origin = meant.places.first().copied().unwrap_or(0);
    let stride = |d: usize| if meant.sizes[d] > 1 { meant.at(&unit(d)) - origin } else { 0 };
    let strides: Vec<i64> = (0..meant.sizes.len()).map(stride).collect();
    let would = oracle::Side { sizes: meant.sizes.clone(), strides: strides.clone(), offset: origin };
    assert_ne!(would.offsets(), meant.places, "{name}: strides {strides:?} would do");
    (name, answer, None)
}

/// A chain of views of a random layout: how many were made.
pub fn chain_of_views(random: &mut Random, refused: &mut u32) -> u32 {
    let mut sizes = oracle::random_sizes(random);
    sizes.truncate(5);
    let strides = oracle::source_strides(random, &sizes);
    let fits = sizes.iter().zip(&strides).all(|(&n, &s)| n <= 1 || s.abs() < 1 << 40);
    let strides = if fits { strides } else { oracle::distinct_strides(random, &sizes) };
    let strides: Vec<i64> = sizes.iter().zip(strides).map(|(&n, s)| if n == 1 { s.clamp(-9, 9) } else { s }).collect();
    let mut layout = oracle::layout(Dtype::U8.code(), &sizes, &strides, random.below(20) - 10);
    let (mut meant, mut made) = (Places::of(&layout), 0);
    let mut told = vec![format!("{:?} {:?}", sizes, strides)];
    for _ in 0..1 + random.below(6) {
        let (name, answer, expected) = view(random, &layout, &meant);
        told.push(name.to_owned());
        match (answer, expected) {
            (Ok(next), Some(expected)) => {
                let found = Places::of(&next);
                assert_eq!(found, expected, "{told:?}");
                (layout, meant, made) = (next, expected, made + 1);
            }
            (Err(_), None) => *refused += 1,
            (answer, expected) => panic!("{told:?}: {:?}, expected {expected:?}", answer.map(|l| fields(&l))),
        }
        if layout.rank > 6 || meant.places.len() > 20_000 {
            break;
        }
    }
    made
}

#[test]
fn chains_of_views_mean_what_each_means() {
    let (mut refused, mut made) = (0, 0);
    oracle::cases(SEED, 40_000, |random| made += chain_of_views(random, &mut refused));
    assert!(cfg!(miri) || made > 60_000 && refused > 4_000, "{made} views, {refused} refused");
}

/// Numbers of anybody: element count, span, bytes and the offset of an index, in 128 bits, or the rule that they break.
pub fn layout_of_anybody(random: &mut Random) -> bool {
    let wild = |random: &mut Random| match random.below(8) {
        0 => random.next() as i64,
        1 => random.pick(&[i64::MIN, i64::MAX, 1 << 62, 1 << 61, 1 << 60, (1 << 60) - 1, 1 << 32, (1 << 31) - 1]),
        2 => 1i64.wrapping_shl(random.below(64) as u32).wrapping_add(random.below(3) - 1),
        _ => random.below(9) - 2,
    };
    let dtype = random.pick(&[Dtype::U8, Dtype::F32, Dtype::F64, Dtype::C128, Dtype::U4, Dtype::U1]);
    let rank = random.below(6) as usize;
    let tame = |number: i64| if number < 0 { -number.max(-9) } else { number };
    let size = |random: &mut Random| if random.one_in(9) { wild(random) } else { tame(wild(random)) };
    let shape: Vec<i64> = (0..rank).map(|_| size(random)).collect();
    let steps: Vec<i64> = (0..rank).map(|_| wild(random)).collect();
    let mut candidate = stride_layout { dtype: dtype.code(), rank: rank as u32, offset: wild(random), ..blank() };
    candidate.sizes[..rank].copy_from_slice(&shape);
    candidate.strides[..rank].copy_from_slice(&steps);

    let bits = dtype.bits() as i128;
    let fits = |number: i128| i64::try_from(number).is_ok();
    let empty = shape.contains(&0);
    // A product that is too large stays so: sizes are at least 1 here.
    let count = if empty { 0 } else { shape.iter().fold(1i128, |all, &n| (all * n.max(1) as i128).min(1 << 63)) };
    let moves = |up: bool| -> i128 {
        let one = |(&n, &s): (&i64, &i64)| if n > 1 { (n as i128 - 1) * s as i128 } else { 0 };
        shape.iter().zip(&steps).map(one).filter(|&by| (by > 0) == up).map(|by| by.clamp(-1 << 80, 1 << 80)).sum()
    };
    let (low, high) = (candidate.offset as i128 + moves(false), candidate.offset as i128 + moves(true));
    let negative = shape.iter().any(|&n| n < 0);
    let valid = !negative && fits(count) && (empty || fits(low) && fits(high) && fits((high + 1) * bits));
    let answer = validate(&candidate);
    assert_eq!(answer.is_ok(), valid, "{dtype:?} {shape:?} {steps:?} {}: {answer:?}", candidate.offset);
    if let Err(record) = answer {
        let right = if negative { Status::InvalidSize } else { Status::Overflow };
        assert_eq!(record.status, right.number(), "{shape:?} {steps:?} {}: {record:?}", candidate.offset);
        assert_eq!(status(span(&candidate)), record.status);
        return false;
    }
    assert_eq!(element_count(&candidate), Ok(count as i64));
    let of_span = if empty { (0, -1) } else { (low as i64, high as i64) };
    assert_eq!(span(&candidate), Ok(of_span), "{shape:?} {steps:?} {}", candidate.offset);
    if !empty {
        match min_bytes(&candidate) {
            Ok(bytes) => assert_eq!((bytes as i128, low >= 0), (((high + 1) * bits + 7) / 8, true)),
            Err(record) => assert_eq!((record.status, low < 0), (Status::OutOfBounds.number(), true), "{record:?}"),
        }
        let index: Vec<i64> = shape.iter().map(|&n| (random.next() % n as u64) as i64).collect();
        let place = index.iter().zip(&steps).map(|(&i, &s)| i as i128 * s as i128).sum::<i128>();
        assert_eq!(offset_of(&candidate, &index), Ok((candidate.offset as i128 + place) as i64));
        let number = ravel(&candidate, &index).unwrap();
        assert_eq!(unravel(&candidate, number), Ok(index));
    }
    true
}

#[test]
fn layouts_of_anybody_keep_the_invariants_or_name_the_one_they_break() {
    let mut valid = 0;
    oracle::cases(SEED + (1 << 40), 300_000, |random| valid += u32::from(layout_of_anybody(random)));
    assert!(cfg!(miri) || valid > 60_000 && valid < 240_000, "{valid}");
}

/// Shapes of anybody that broadcast, or not: NumPy's rule, restated.
pub fn broadcast_of_anybody(random: &mut Random) -> bool {
    let count = 1 + random.below(4) as usize;
    let long: Vec<i64> = (0..random.below(6)).map(|_| random.below(5)).collect();
    let shapes: Vec<Vec<i64>> = (0..count)
        .map(|_| {
            let from = random.below(long.len() as u64 + 1) as usize;
            let change = |&size: &i64| match random.below(8) {
                0 => 1,
                1 => random.below(4),
                _ => size,
            };
            long[from..].iter().map(change).collect()
        })
        .collect();
    let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
    let of = |shape: &[i64], d: usize| (d + shape.len()).checked_sub(rank).map_or(1, |k| shape[k]);
    let common: Option<Vec<i64>> = (0..rank)
        .map(|d| {
            let others = shapes.iter().map(|shape| of(shape, d)).filter(|&size| size != 1);
            let mut distinct: Vec<i64> = others.collect();
            distinct.sort();
            distinct.dedup();
            match distinct[..] {
                [] => Some(1),
                [size] => Some(size),
                _ => None,
            }
        })
        .collect();
    let slices: Vec<&[i64]> = shapes.iter().map(Vec::as_slice).collect();
    let answer = broadcast_sizes(&slices);
    assert_eq!(answer.as_ref().ok(), common.as_ref(), "{shapes:?}");
    let layouts: Vec<stride_layout> = shapes.iter().map(|shape| packed(Dtype::F32.code(), shape)).collect();
    match (broadcast_layouts(&layouts), &common) {
        (Ok(views), Some(common)) => {
            for (view, shape) in views.iter().zip(&shapes) {
                let own = Places::of(&packed(Dtype::F32.code(), shape));
                let added = rank - shape.len();
                let back = |index: &[i64]| {
                    index[added..].iter().zip(shape).map(|(&i, &size)| if size == 1 { 0 } else { i }).collect()
                };
                assert_eq!(Places::of(view), own.mapped(common, back), "{shapes:?}");
            }
        }
        (Err(record), None) => {
            assert_eq!(record.status, Status::BroadcastMismatch.number(), "{shapes:?}");
            assert_eq!(answer.unwrap_err().dimension, record.dimension);
        }
        (answer, _) => panic!("{shapes:?}: {:?}", answer.map(|views| views.len())),
    }
    common.is_some()
}

#[test]
fn broadcasts_of_anybody() {
    let mut agreed = 0;
    oracle::cases(SEED + (2 << 40), 60_000, |random| agreed += u32::from(broadcast_of_anybody(random)));
    assert!(cfg!(miri) || agreed > 10_000 && agreed < 55_000, "{agreed}");
}

/// The case that these bytes steer: what `fuzz/` runs. Whether it passed the checks.
pub fn any_bytes(bytes: &[u8]) -> bool {
    let random = &mut Random::steered(bytes);
    match random.below(4) {
        0 => oracle::until_one_passes(|| layout_of_anybody(random)),
        1 => oracle::until_one_passes(|| broadcast_of_anybody(random)),
        _ => oracle::until_one_passes(|| chain_of_views(random, &mut 0) > 0),
    }
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/views.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("views", any_bytes);
}
