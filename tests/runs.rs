//! Several operands as joint loops, and the walk over them: held against the naive loop over all indices.
//!
//! What must come out is the set of tuples of offsets, each as often as indices reach it. Large numbers of random
//! operands are compared by count and by a sum of hashes, which does not depend on the order; some of them tuple by
//! tuple.

#[macro_use]
mod common;
mod oracle;

use common::*;
use oracle::{Random, Side};

const F32: u32 = Dtype::F32.code();
const U8: u32 = Dtype::U8.code();

/// Where all operands stand at one element, in elements or in bytes; unused operands at 0.
type Tuple = [i64; 8];

/// A set of tuples, by their number and the sum of their hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Set {
    count: u64,
    sum: u64,
}

impl Set {
    fn add(&mut self, tuple: &Tuple) {
        let mixed = tuple.iter().fold(0u64, |hash, &offset| {
            let next = (hash ^ offset as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            next ^ next >> 29
        });
        self.count += 1;
        self.sum = self.sum.wrapping_add(Random::new(mixed).next());
    }
}

/// Sizes that all operands have, and for each its strides, offset and bytes of an element.
#[derive(Clone, Debug)]
struct Operands {
    sides: Vec<Side>,
    widths: Vec<i64>,
}

impl Operands {
    fn layouts(&self) -> Vec<stride_layout> {
        let dtypes = self.widths.iter().map(|&width| bytes(width as u32).unwrap());
        self.sides.iter().zip(dtypes).map(|(side, dtype)| side.layout(dtype)).collect()
    }

    /// The naive loop: every index in row-major order. Offsets times `scale`.
    fn tuples(&self, scale: &[i64]) -> Vec<Tuple> {
        let mut tuples = Vec::new();
        for (k, (side, scale)) in self.sides.iter().zip(scale).enumerate() {
            let offsets = side.offsets();
            tuples.resize(offsets.len(), [0; 8]);
            tuples.iter_mut().zip(offsets).for_each(|(tuple, offset): (&mut Tuple, i64)| tuple[k] = offset * scale);
        }
        tuples
    }
}

/// One to eight operands of rank 0 to 5, mostly with something in common.
fn random_operands(random: &mut Random) -> Operands {
    let rank = random.below(6) as usize;
    let mut sizes: Vec<i64> = (0..rank).map(|_| random.pick(&[1, 2, 2, 3, 4, 5, 9])).collect();
    while sizes.iter().product::<i64>() > 160 {
        let at = random.below(rank as u64) as usize;
        sizes[at] = 1;
    }
    if random.one_in(20) && rank > 0 {
        let at = random.below(rank as u64) as usize;
        sizes[at] = 0;
    }
    let count = random.below(8) as usize + 1;
    let mut order: Vec<usize> = (0..rank).collect();
    if random.one_in(2) {
        random.shuffle(&mut order);
    }
    let mut sides: Vec<Side> = Vec::new();
    for _ in 0..count {
        let mut strides = vec![0i64; rank];
        match (random.below(8), sides.last()) {
            // As the operand before, so that much merges.
            (0..3, Some(before)) => strides.clone_from(&before.strides),
            (3, _) => strides.iter_mut().for_each(|stride| *stride = random.below(19) - 9),
            (kind, _) => {
                if kind == 4 {
                    random.shuffle(&mut order);
                }
                let mut step = 1;
                for &at in &order {
                    strides[at] = step;
                    step *= sizes[at].max(1);
                    step += if random.one_in(6) { random.below(3) } else { 0 };
                }
            }
        }
        for (stride, &size) in strides.iter_mut().zip(&sizes) {
            match random.below(16) {
                0 => *stride = 0,
                1 => *stride = -*stride,
                2 if size == 1 => *stride = random.below(1000) - 500,
                _ => {}
            }
        }
        let margin = random.pick(&[0, 0, 3, -7]);
        sides.push(Side::new(&sizes, &strides, margin));
    }
    let widths = (0..count).map(|_| random.pick(&[1, 2, 4, 4, 8, 12, 16])).collect();
    Operands { sides, widths }
}

/// Gives out all runs that are left, element by element.
fn walk(runs: &mut stride_runs, operands: usize, mut each: impl FnMut(&Tuple)) -> u64 {
    let strides = run_strides(runs, operands).unwrap();
    let (mut offsets, mut calls) = (vec![POISON; operands], 0);
    loop {
        let elements = next_run(runs, &mut offsets).unwrap();
        if elements == 0 {
            return calls;
        }
        calls += 1;
        let mut tuple = [0; 8];
        tuple[..operands].copy_from_slice(&offsets);
        for _ in 0..elements {
            each(&tuple);
            tuple.iter_mut().zip(&strides).for_each(|(offset, stride)| *offset += stride);
        }
    }
}

fn set_of(runs: &mut stride_runs, operands: usize) -> Set {
    let mut set = Set::default();
    walk(runs, operands, |tuple| set.add(tuple));
    set
}

fn sorted(mut tuples: Vec<Tuple>) -> Vec<Tuple> {
    tuples.sort_unstable();
    tuples
}

/// A part may end in the middle of a run; what is taken of it ends there as well.
#[test]
#[cfg_attr(miri, ignore = "millions of elements")]
fn parts_of_parts_are_all_of_it() {
    for (rows, run) in [(63i64, 32i64), (159, 20), (40, 17), (1000, 3)] {
        let all = runs_of(&[layout(U8, &[rows, run], &[2 * run, 1])]).unwrap();
        for (part, parts) in [2, 3, 4, 5, 7, 10].into_iter().flat_map(|parts| (0..parts).map(move |part| (part, parts)))
        {
            let share = runs_part(&all, part, parts).unwrap();
            let mut whole = Vec::new();
            walk(&mut { share }, 1, |tuple| whole.push(*tuple));
            for pieces in 1..9 {
                let mut found = Vec::new();
                for piece in 0..pieces {
                    walk(&mut runs_part(&share, piece, pieces).unwrap(), 1, |tuple| found.push(*tuple));
                }
                assert!(found == whole, "{rows} runs of {run}: part {part} of {parts} in {pieces} pieces");
            }
        }
    }
}

#[test]
fn joint_loops_and_runs_reach_what_indices_reach() {
    let mut random = Random::new(15);
    let (mut cases, mut elements, mut runs_walked, mut empty, mut fewer) = (0, 0, 0, 0, 0);
    for case in 0..oracle::times(100_000) {
        let operands = random_operands(&mut random);
        let count = operands.sides.len();
        let layouts = operands.layouts();
        let ones = vec![1; count];
        let naive = operands.tuples(&ones);
        let in_bytes = operands.tuples(&operands.widths);

        let joint = coalesce(&layouts).unwrap_or_else(|error| panic!("case {case}: {error:?}\n{operands:?}"));
        let side =
            |l: &stride_layout| Side { sizes: sizes(l).to_vec(), strides: strides(l).to_vec(), offset: l.offset };
        let merged = Operands { sides: joint.iter().map(side).collect(), widths: operands.widths.clone() };
        assert!(joint.iter().zip(&layouts).all(|(new, old)| new.dtype == old.dtype), "case {case}");
        let reached = merged.tuples(&ones);
        let (mut wanted, mut found, mut wanted_bytes) = (Set::default(), Set::default(), Set::default());
        naive.iter().for_each(|tuple| wanted.add(tuple));
        reached.iter().for_each(|tuple| found.add(tuple));
        in_bytes.iter().for_each(|tuple| wanted_bytes.add(tuple));
        assert_eq!(found, wanted, "case {case}: joint loops\n{operands:?}\n{merged:?}");

        let all = runs_of(&layouts).unwrap();
        assert_eq!(set_of(&mut all.clone(), count), wanted_bytes, "case {case}: runs\n{operands:?}");
        if case % 50 == 0 {
            assert_eq!(sorted(reached), sorted(naive.clone()), "case {case}\n{operands:?}");
            let mut given = Vec::new();
            walk(&mut all.clone(), count, |tuple| given.push(*tuple));
            assert_eq!(sorted(given), sorted(in_bytes), "case {case}\n{operands:?}");
        }

        // Many at once are the same runs in the same order.
        let (mut one, mut many, most) = (all, all, random.pick(&[1, 3, 64]));
        if random.one_in(2) {
            (one, many) = (runs_part(&all, 1, 3).unwrap(), runs_part(&all, 1, 3).unwrap());
        }
        let mut offsets = vec![POISON; count];
        loop {
            let (found, each) = next_runs(&mut many, count, most).unwrap();
            for run in &found {
                assert_eq!(next_run(&mut one, &mut offsets), Ok(each), "case {case}\n{operands:?}");
                assert_eq!(&offsets, run, "case {case}\n{operands:?}");
            }
            if found.is_empty() {
                assert_eq!((each, next_run(&mut one, &mut offsets)), (0, Ok(0)));
                break;
            }
        }

        // Some runs first, then what is left in parts, one of them in parts again.
        let (mut begun, mut seen) = (all, Set::default());
        let strides = run_strides(&begun, count).unwrap();
        let mut offsets = vec![0; count];
        for _ in 0..random.below(4) {
            let length = next_run(&mut begun, &mut offsets).unwrap();
            runs_walked += 1;
            for k in 0..length as i64 {
                let mut tuple = [0; 8];
                tuple.iter_mut().zip(offsets.iter().zip(&strides)).for_each(|(slot, (o, s))| *slot = o + s * k);
                seen.add(&tuple);
            }
        }
        let parts = random.pick(&[1, 2, 3, 5, 8, 40]);
        for part in 0..parts {
            let mut share = runs_part(&begun, part, parts).unwrap();
            let pieces = if part == 1 { 3 } else { 1 };
            for piece in 0..pieces {
                let mut piece = runs_part(&share, piece, pieces).unwrap();
                walk(&mut piece, count, |tuple| seen.add(tuple));
            }
            let whole = set_of(&mut share, count);
            assert!(whole.count <= wanted.count);
        }
        assert_eq!(seen, wanted_bytes, "case {case}: {parts} parts\n{operands:?}");
        cases += 1;
        elements += naive.len();
        empty += usize::from(naive.is_empty());
        fewer += usize::from(joint[0].rank < layouts[0].rank);
    }
    println!(
        "{cases} sets of operands, {empty} of them empty, {fewer} with fewer dimensions; {elements} elements, {runs_walked} runs before parts"
    );
    assert!(cfg!(miri) || empty > 1000 && fewer > 40_000);
}

/// The fewest loops of any order and turning: in each, neighbours that are one loop count once.
fn fewest(sides: &[Side]) -> usize {
    let live: Vec<usize> = (0..sides[0].sizes.len()).filter(|&d| sides[0].sizes[d] > 1).collect();
    let mut order = live.clone();
    let mut best = live.len();
    permutations(&mut order, 0, &mut |order| {
        for turned in 0..1u32 << order.len() {
            let sign = |place: usize| if turned >> place & 1 == 1 { -1 } else { 1 };
            let continues = |place: &usize| {
                let (outer, inner) = (order[*place], order[place + 1]);
                sides.iter().all(|side| {
                    let end = side.sizes[inner] * side.strides[inner] * sign(place + 1);
                    side.strides[outer] * sign(*place) == end
                })
            };
            let merged = (0..order.len().saturating_sub(1)).filter(continues).count();
            best = best.min(order.len() - merged);
        }
    });
    best
}

fn permutations(list: &mut Vec<usize>, from: usize, each: &mut impl FnMut(&[usize])) {
    if from + 1 >= list.len() {
        return each(list);
    }
    for k in from..list.len() {
        list.swap(from, k);
        permutations(list, from + 1, each);
        list.swap(from, k);
    }
}

#[test]
#[cfg_attr(miri, ignore = "tens of thousands of sets of operands")]
fn no_order_and_no_turning_gives_fewer_loops() {
    let steps = [-6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6];
    let mut cases = 0;
    let mut check = |sides: &[Side]| {
        let layouts: Vec<_> = sides.iter().map(|side| side.layout(F32)).collect();
        let joint = coalesce(&layouts).unwrap();
        assert_eq!(joint[0].rank as usize, fewest(sides), "{sides:?}");
        cases += 1;
    };
    // One operand of rank 3: everything.
    for sizes in [[2, 2, 2], [2, 2, 3], [2, 3, 2], [3, 2, 2], [1, 2, 3]] {
        for a in steps {
            for b in steps {
                for c in steps {
                    check(&[Side::new(&sizes, &[a, b, c], 0)]);
                }
            }
        }
    }
    let mut random = Random::new(4);
    for _ in 0..oracle::times(20_000) {
        let operands = random_operands(&mut random);
        let sizes: Vec<i64> = operands.sides[0].sizes.iter().take(4).map(|&size| size.clamp(1, 3)).collect();
        let count = random.below(3) as usize + 1;
        let sides = operands.sides.iter().take(count);
        let sides: Vec<Side> = sides
            .map(|side| {
                let strides: Vec<i64> = side.strides.iter().take(4).copied().collect();
                let close = random.one_in(2);
                let strides = strides.iter().map(|&s| if close { random.pick(&[1, 2, 3, 4, 6, 0, -2]) } else { s });
                Side::new(&sizes, &strides.collect::<Vec<_>>(), 0)
            })
            .collect();
        check(&sides);
    }
    println!("{cases} sets of operands");
    assert!(cfg!(miri) || cases > 26_000);
}

#[test]
#[cfg_attr(miri, ignore = "millions of elements")]
fn parts_are_disjoint_complete_and_about_equal() {
    let sets: [(&[i64], &[&[i64]]); 6] = [
        (&[1_000_000], &[&[1], &[0]]),
        (&[1000, 33], &[&[64, 1], &[1, 1000]]),
        (&[3, 100_000], &[&[100_001, 1], &[1, 3]]),
        (&[17, 5, 6], &[&[100, 7, 1], &[1, 40, 400]]),
        (&[7], &[&[-1]]),
        (&[2, 0], &[&[1, 1]]),
    ];
    let mut shares = 0;
    for (sizes, strides) in sets {
        let layouts: Vec<_> = strides.iter().map(|strides| layout(U8, sizes, strides)).collect();
        let all = runs_of(&layouts).unwrap();
        let mut every = Vec::new();
        walk(&mut all.clone(), layouts.len(), |tuple| every.push(*tuple));
        for parts in (1..=20).chain([64, 1000]) {
            let (mut given, mut largest, mut smallest) = (Vec::new(), 0, usize::MAX);
            for part in 0..parts {
                let before = given.len();
                walk(&mut runs_part(&all, part, parts).unwrap(), layouts.len(), |tuple| given.push(*tuple));
                largest = largest.max(given.len() - before);
                smallest = smallest.min(given.len() - before);
                shares += 1;
            }
            // Not only the same elements: in the same order.
            assert!(given == every, "{sizes:?}: {parts} parts give {} of {}", given.len(), every.len());
            // A run more or less, of 16 and more; or pieces of 16 elements.
            let even = every.len() / parts as usize;
            assert!(largest - smallest <= even / 8 + 32, "{sizes:?}: {parts} parts of {smallest} to {largest}");
        }
        let refused = [runs_part(&all, 3, 3), runs_part(&all, u32::MAX, 7), runs_part(&all, 0, 0)];
        let [part, far, none] = refused.map(reason);
        let number = Status::InvalidArgument.number();
        assert_eq!(part, (number, Argument::Part.number(), -1, 3, 3));
        assert_eq!(far, (number, Argument::Part.number(), -1, u32::MAX as i64, 7));
        assert_eq!(none, (number, Argument::Parts.number(), -1, 0, 1));
    }
    println!("{shares} parts");
}

/// Parts of fewer than 16 runs each cut runs, at multiples of 16 elements from the run's beginning: a kernel of vectors
/// has a tail at the end of a run alone.
#[test]
fn runs_are_cut_at_multiples_of_16() {
    let of = |length: i64| runs_of(&[layout(U8, &[3, length], &[4 * length, 1])]).unwrap();
    for (length, parts) in [(1000, 7), (1000, 4), (999, 5), (104, 2), (40, 5)] {
        let (all, mut cuts) = (of(length), 0);
        for part in 1..parts {
            let mut first = None;
            walk(&mut runs_part(&all, part, parts).unwrap(), 1, |tuple| first = first.or(Some(tuple[0])));
            let Some(first) = first else { continue };
            let inside = first % (4 * length);
            assert_eq!(inside % 16, 0, "part {part} of {parts} of runs of {length} begins at element {inside}");
            cuts += i32::from(inside != 0);
        }
        assert!(cuts > 0, "{parts} parts cut no run of {length}");
    }
}

/// NumPy's user guide, "Iterating over arrays" (numpy.org/doc/stable/reference/arrays.nditer.html).
mod nditer {
    use super::*;

    fn offsets(layouts: &[stride_layout]) -> Vec<Vec<i64>> {
        let mut given = vec![Vec::new(); layouts.len()];
        let mut runs = runs_of(layouts).unwrap();
        walk(&mut runs, layouts.len(), |tuple| given.iter_mut().zip(tuple).for_each(|(list, &at)| list.push(at)));
        given
    }

    /// "a and a.T get traversed in the same order, namely the order they are stored in memory": 0 1 2 3 4 5, in one
    /// chunk with external_loop.
    #[test]
    fn a_and_its_transpose_are_one_run_in_memory_order() {
        let a = packed(U8, &[2, 3]);
        let transposed = layout(U8, &[3, 2], &[1, 3]);
        for array in [a, transposed] {
            assert_eq!(offsets(&[array]), [[0, 1, 2, 3, 4, 5]]);
            let joint = coalesce(&[array]).unwrap();
            assert_eq!(fields(&joint[0]), (vec![6], vec![1], 0));
        }
        // a.T.copy(order='C') keeps the transpose in memory.
        let copied = packed(U8, &[3, 2]);
        assert_eq!(fields(&coalesce(&[copied]).unwrap()[0]).0, [6]);
    }

    /// "Broadcasting array iteration": a = arange(3), b = arange(6).reshape(2,3) prints 0:0 1:1 2:2 0:3 1:4 2:5.
    #[test]
    fn a_row_beside_a_matrix() {
        let both = broadcast_layouts(&[packed(U8, &[3]), packed(U8, &[2, 3])]).unwrap();
        assert_eq!(offsets(&both), [[0, 1, 2, 0, 1, 2], [0, 1, 2, 3, 4, 5]]);
    }

    /// nditer turns negative strides round (flag "dont_negate_inner_strides" and NPY_ITER_DONT_NEGATE_STRIDES say
    /// otherwise): a[::-1] is visited in memory order.
    #[test]
    fn a_mirrored_row_is_visited_in_memory_order() {
        assert_eq!(offsets(&[at(5, layout(U8, &[6], &[-1]))]), [[0, 1, 2, 3, 4, 5]]);
    }
}

#[test]
fn empty_first_then_one_element() {
    for sizes in [vec![0], vec![3, 0, 2], vec![1 << 40, 0, 1 << 40]] {
        let empty = at(7, packed(F32, &sizes));
        let joint = coalesce(&[empty, empty]).unwrap();
        assert_eq!(fields(&joint[1]), (vec![0], vec![0], 7));
        let mut runs = runs_of(&[empty, empty]).unwrap();
        assert_eq!(run_strides(&runs, 2), Ok(vec![0, 0]));
        let mut offsets = [POISON; 2];
        for _ in 0..3 {
            assert_eq!((next_run(&mut runs, &mut offsets), offsets), (Ok(0), [POISON; 2]));
        }
        // Elements below a byte as well: there is none.
        assert!(runs_of(&[packed(Dtype::U4.code(), &sizes)]).is_ok());
    }
    for one in [packed(F32, &[]), layout(F32, &[1, 1, 1], &[5, -9, i64::MAX])] {
        let one = at(3, one);
        assert_eq!(fields(&coalesce(&[one]).unwrap()[0]), (vec![], vec![], 3));
        let mut runs = runs_of(&[one]).unwrap();
        let mut offsets = [0];
        assert_eq!((next_run(&mut runs, &mut offsets), offsets), (Ok(1), [12]));
        assert_eq!(next_run(&mut runs, &mut offsets), Ok(0));
        assert_eq!(run_strides(&runs, 1), Ok(vec![0]));
    }
}

#[test]
fn short_loops_are_not_the_run_where_a_long_one_is_near() {
    // NCHW from NHWC, 3 channels: one run over 64 pixels for each channel.
    let nhwc = channels_last(F32, &[1, 3, 8, 8]).unwrap();
    let mut runs = runs_of(&[nhwc, packed(F32, &[1, 3, 8, 8])]).unwrap();
    assert_eq!(run_strides(&runs, 2), Ok(vec![12, 4]));
    let mut offsets = [0; 2];
    for channel in 0..3 {
        assert_eq!((next_run(&mut runs, &mut offsets), offsets), (Ok(64), [4 * channel, 256 * channel]));
    }
    assert_eq!(next_run(&mut runs, &mut offsets), Ok(0));
    // Joint loops are not concerned.
    assert_eq!(fields(&coalesce(&[nhwc, packed(F32, &[1, 3, 8, 8])]).unwrap()[0]).0, [64, 3]);
}

#[test]
fn what_cannot_be_is_refused_with_operand_and_dimension() {
    let (rows, columns) = (packed(F32, &[2, 3]), packed(F32, &[2, 4]));
    for refused in [coalesce(&[rows, rows, columns]).err(), runs_of(&[rows, rows, columns]).err()] {
        let e = refused.unwrap();
        assert_eq!((e.status, e.argument, e.item), (Status::ShapeMismatch.number(), Argument::In.number(), 2));
        assert_eq!((e.dimension, e.lhs, e.rhs), (1, 4, 3));
    }
    let e = error(coalesce(&[rows, packed(F32, &[6])]));
    assert_eq!((e.status, e.item, e.lhs, e.rhs), (Status::ShapeMismatch.number(), 1, 1, 2));
    let rank = Status::InvalidRank.number();
    assert_eq!(reason(coalesce(&[])), (rank, Argument::Count.number(), -1, 0, 1));
    assert_eq!(reason(runs_of(&[rows; 9])), (rank, Argument::Count.number(), -1, 9, 8));
    let mut runs = runs_of(&[rows, rows]).unwrap();
    assert_eq!(reason(run_strides(&runs, 3)), (rank, Argument::Count.number(), -1, 3, 2));
    assert_eq!(reason(next_run(&mut runs, &mut [0])), (rank, Argument::Count.number(), -1, 1, 2));

    let nibbles = packed(Dtype::U4.code(), &[2, 3]);
    let e = error(runs_of(&[rows, nibbles]));
    assert_eq!((e.status, e.item, e.lhs), (Status::Unsupported.number(), 1, Dtype::U4.code() as i64));
    assert_eq!(fields(&coalesce(&[rows, nibbles]).unwrap()[1]).0, [6]);

    // A stride without an opposite, and offsets whose bytes do not fit.
    let downward = at(0, layout(U8, &[2], &[i64::MIN]));
    assert_eq!(reason(coalesce(&[downward])).0, Status::Overflow.number());
    let far = at(0, layout(F32, &[2], &[-(1 << 62)]));
    assert_eq!(fields(&coalesce(&[far]).unwrap()[0]), (vec![2], vec![1 << 62], -(1 << 62)));
    assert_eq!(reason(runs_of(&[far])), (Status::Overflow.number(), Argument::In.number(), -1, -(1 << 62), 4));
}

/// Two operands in opposite orders have no two dimensions that merge.
#[test]
#[cfg_attr(miri, ignore = "a search through forty-nine loops")]
fn as_many_loops_as_fit() {
    let loops = |count: u32| {
        let strides: Vec<i64> = (0..count).map(|k| 1 << k).collect();
        let reversed: Vec<i64> = strides.iter().rev().copied().collect();
        let sizes = vec![2; count as usize];
        [layout(U8, &sizes, &reversed), layout(U8, &sizes, &strides)]
    };
    let mut fits = runs_of(&loops(49)).unwrap();
    let mut offsets = [0; 2];
    assert_eq!((next_run(&mut fits, &mut offsets), offsets), (Ok(2), [0, 0]));
    assert_eq!((next_run(&mut fits, &mut offsets), offsets), (Ok(2), [2, 1 << 47]));
    // The last element of the last part is the last of all.
    let mut last = runs_part(&fits, u32::MAX - 1, u32::MAX).unwrap();
    let mut end = [0; 2];
    while next_run(&mut last, &mut offsets).unwrap() > 0 {
        end = offsets;
    }
    assert_eq!(end, [(1 << 49) - 2, (1 << 48) - 1]);
    let e = error(runs_of(&loops(50)));
    assert_eq!((e.status, e.detail), (Status::Unsupported.number(), Detail::TooManyLoops.number() as u64));
    assert_eq!((e.lhs, e.rhs), (50, 49));
    assert_eq!(coalesce(&loops(58)).unwrap()[0].rank, 58);
}

#[test]
fn forged_runs_are_refused_or_end() {
    let mut random = Random::new(9);
    let (mut refused, mut calls) = (0, 0);
    for _ in 0..oracle::times(20_000) {
        let operands = random_operands(&mut random);
        let count = operands.sides.len();
        let mut runs = runs_of(&operands.layouts()).unwrap();
        for _ in 0..=random.below(4) {
            let words = random.pick(&[512, 40, 4]);
            let at = random.below(words) as usize;
            runs.words[at] = match random.below(3) {
                0 => random.next(),
                1 => runs.words[at] ^ 1 << random.below(64),
                _ => random.pick(&[0, 1, u64::MAX, i64::MAX as u64, 1 << 63]),
            };
        }
        let mut offsets = vec![0; count];
        for _ in 0..8 {
            calls += 1;
            if next_run(&mut runs, &mut offsets).is_err() {
                refused += 1;
                break;
            }
        }
        let parts = random.pick(&[1, 2, 7, u32::MAX]);
        if let Ok(mut part) = runs_part(&runs, random.below(parts as u64) as u32, parts) {
            let _ = next_run(&mut part, &mut offsets);
        }
    }
    println!("{calls} calls, {refused} refused");
    assert!(cfg!(miri) || refused > 1000 && calls > 50_000);
    let mut nothing = no_runs();
    let e = error(next_run(&mut nothing, &mut [0]));
    assert_eq!((e.argument, e.detail), (Argument::Runs.number(), Detail::NotRuns.number() as u64));
}
