//! Time is part of the promise: no call takes longer than its bytes and a constant explain.
//!
//! Fills and comparisons of layouts that reach elements again and again, against the naive loop over every index; and
//! layouts whose indices nobody could go through, which are answered all the same, or UNDECIDED with nothing touched. A
//! test that fails to be quick runs for centuries, so none looks at a clock.
#![cfg(not(miri))] // millions of elements

mod common;
mod oracle;

use common::*;
use oracle::{Random, Side, bytes_dtype};

const U8: u32 = Dtype::U8.code();

/// Sizes, strides and a width of a side whose elements lie in a buffer of their own.
struct Case {
    side: Side,
    width: usize,
}

impl Case {
    fn bytes(&self) -> usize {
        self.side.extent() as usize * self.width
    }

    fn layout(&self) -> stride_layout {
        self.side.layout(bytes_dtype(self.width))
    }

    /// The bytes of each element in row-major order.
    fn elements<'a>(&'a self, memory: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        self.side.offsets().into_iter().map(|offset| &memory[offset as usize * self.width..][..self.width])
    }

    /// Fills, and holds every byte of the buffer and some around it against the naive loop; whether it was decided.
    fn fill(&self, random: &mut Random) -> bool {
        let (bytes, value) = (self.bytes(), random.bytes(self.width));
        let before = random.bytes(bytes + 32);
        let (mut filled, mut expected) = (before.clone(), before.clone());
        for offset in self.side.offsets() {
            expected[16 + offset as usize * self.width..][..self.width].copy_from_slice(&value);
        }
        let answer = fill(&self.layout(), &mut filled[16..16 + bytes], &value);
        match answer {
            Ok(()) => assert!(filled == expected, "{:?} of {} bytes", self.side, self.width),
            Err(e) => {
                assert_eq!((e.status, e.argument), (Status::Undecided.number(), Argument::DstLayout.number()));
                assert_eq!(e.lhs, allowed(self.side.extent(), self.width), "{e:?}");
                assert!(e.lhs < e.rhs, "{e:?}");
                assert!(filled == before, "touched: {:?}", self.side);
            }
        }
        answer.is_ok()
    }
}

/// The iterations that are promised: 64 for each element from the lowest, which lies at 0, to the highest; 64 KiB of
/// elements in any case.
fn allowed(span: i64, width: usize) -> i64 {
    (64 * span).max(65_536 / width as i64)
}

/// Compares two sides that hold the same but for a few bytes; whether it was decided, which is as promised.
fn compare_changed(random: &mut Random, lhs: &Case, rhs: &Case) -> bool {
    let (left, mut right) = (vec![7; lhs.bytes()], vec![7; rhs.bytes()]);
    for _ in 0..random.below(3) {
        let at = random.below(right.len() as u64) as usize;
        right[at] = 8;
    }
    let steps = lhs.side.sizes.iter().zip(lhs.side.strides.iter().zip(&rhs.side.strides));
    let needed = steps.filter(|(_, both)| *both != (&0, &0)).map(|(size, _)| size).product();
    let allowed = allowed(lhs.side.extent().max(rhs.side.extent()), lhs.width);
    let differs = lhs.elements(&left).zip(rhs.elements(&right)).position(|(left, right)| left != right);
    match compare((&lhs.layout(), &left), (&rhs.layout(), &right)) {
        Ok(first) => {
            assert_eq!(first, differs.map_or(-1, |at| at as i64), "{:?} and {:?}", lhs.side, rhs.side);
            assert!(needed <= allowed, "{:?} and {:?}", lhs.side, rhs.side);
            true
        }
        Err(e) => {
            let said = (e.status, e.argument, e.lhs, e.rhs);
            assert_eq!(said, (Status::Undecided.number(), Argument::LhsLayout.number(), allowed, needed));
            assert!(needed > allowed, "{:?} and {:?}", lhs.side, rhs.side);
            false
        }
    }
}

/// Rank 1 to 5, sizes 1 to `most`.
fn few_sizes(random: &mut Random, most: u64) -> Vec<i64> {
    (0..1 + random.below(5)).map(|_| 1 + random.below(most)).collect()
}

/// Strides that meet: small ones of any sign, or all multiples of a few.
fn meeting_strides(random: &mut Random, sizes: &[i64]) -> Vec<i64> {
    let pitch = 1 + random.below(40);
    let steps = [[1, 2, 3, 5].map(|step| step * pitch), [1, 2, 3, 4]].concat();
    let any = random.one_in(3);
    let stride = |_| match any {
        true => random.below(13) - 6,
        false => random.pick(&steps) * random.pick(&[1, 1, 1, -1, 0]),
    };
    sizes.iter().map(stride).collect()
}

/// The windows of a convolution over an image of `pixel` elements each: sizes {oy, ox, ky, kx, channels}, and the
/// strides in an image of some pitch.
struct Windows {
    sizes: Vec<i64>,
    step: [i64; 2],
    dilation: [i64; 2],
    pixel: i64,
}

impl Windows {
    fn random(random: &mut Random) -> Self {
        let mut upto = |most: u64| 1 + random.below(most);
        let (step, dilation, channels) = ([upto(4), upto(4)], [upto(4), upto(4)], upto(3));
        let sizes = vec![upto(7), upto(7), upto(7), upto(7), channels];
        Self { sizes, step, dilation, pixel: channels + upto(2) - 1 }
    }

    fn side(&self, more: i64) -> Side {
        let [_, ox, _, kx, _] = self.sizes[..] else { unreachable!() };
        let pitch = ((ox - 1) * self.step[1] + (kx - 1) * self.dilation[1] + 1 + more) * self.pixel;
        let along = |[y, x]: [i64; 2]| [y * pitch, x * self.pixel];
        Side::new(&self.sizes, &[&along(self.step)[..], &along(self.dilation), &[1]].concat(), 0)
    }
}

#[test]
fn fills_of_overlapping_layouts() {
    let mut random = Random::new(1);
    let mut large = [0; 2];
    for number in 0..30_000 {
        let sizes = few_sizes(&mut random, if number % 10 == 0 { 11 } else { 5 });
        let side = Side::new(&sizes, &meeting_strides(&mut random, &sizes), 0);
        let decided = Case { side, width: random.pick(&[1, 1, 2, 3, 4, 8, 16]) }.fill(&mut random);
        large[usize::from(decided)] += u32::from(sizes.iter().product::<i64>() > 4096);
        assert!(decided || sizes.iter().product::<i64>() > 4096);
    }
    assert!(large[1] > 200 && large[0] * 20 < large[1], "{large:?}");
}

#[test]
fn comparisons_of_overlapping_layouts() {
    let mut random = Random::new(2);
    let mut decided = 0;
    for number in 0..30_000 {
        let sizes = few_sizes(&mut random, if number % 10 == 0 { 9 } else { 5 });
        let lhs = meeting_strides(&mut random, &sizes);
        let factor = random.pick(&[1, 2, -1, -3]);
        let rhs = match random.below(4) {
            0 => lhs.clone(),
            1 => lhs.iter().map(|stride| stride * factor).collect(),
            2 => lhs.iter().map(|stride| if *stride == 0 { 1 } else { 0 }).collect(),
            _ => meeting_strides(&mut random, &sizes),
        };
        let width = random.pick(&[1, 1, 2, 3, 8]);
        let [lhs, rhs] = [lhs, rhs].map(|strides| Case { side: Side::new(&sizes, &strides, 0), width });
        decided += u32::from(compare_changed(&mut random, &lhs, &rhs));
    }
    assert!(decided > 29_900, "{decided}");
}

/// Up to 7x7, with steps and dilations that have a common factor or none: always done.
#[test]
fn windows_of_convolutions() {
    let mut random = Random::new(3);
    for _ in 0..3000 {
        let windows = Windows::random(&mut random);
        let width = random.pick(&[1, 2, 4]);
        let case = |side| Case { side, width };
        let (lhs, rhs) = (case(windows.side(0)), case(windows.side(random.below(3))));
        assert!(lhs.fill(&mut random), "{:?}", lhs.side);
        assert!(compare_changed(&mut random, &lhs, &rhs), "{:?} {:?}", lhs.side, rhs.side);
        // On one side only; and windows of another step on the other.
        let packed = case(Side::new(&windows.sizes, strides(&packed(U8, &windows.sizes)), 0));
        assert!(compare_changed(&mut random, &packed, &rhs) && compare_changed(&mut random, &rhs, &packed));
        let other = Windows { sizes: windows.sizes.clone(), ..Windows::random(&mut random) };
        let other = case(Windows { pixel: windows.pixel, ..other }.side(0));
        assert!(compare_changed(&mut random, &lhs, &other), "{:?} {:?}", lhs.side, other.side);
    }
}

/// Large ones, where windows are many times what they reach: whether they are compared. All are filled, as loops that
/// are one run are filled as that run.
#[test]
fn large_windows() {
    for (sizes, strides, compared) in [
        (vec![100, 100, 7, 7], vec![226, 1, 226, 1], true),
        (vec![100, 100, 7, 7], vec![2 * 226, 2, 226, 1], true),
        (vec![60, 60, 7, 7], vec![2 * 226, 2, 3 * 226, 3], true),
        (vec![64, 64, 11, 11, 3], vec![4 * 900, 4 * 3, 2 * 900, 2 * 3, 1], true),
        (vec![1000, 60], vec![1, 1], true),
        (vec![1000, 1024], vec![1, 1], false),
        (vec![1000, 400], vec![160, 1], true),
        (vec![1024, 1000], vec![1, -1], false),
        (vec![300, 300], vec![2, 3], true),
        (vec![300, 300], vec![5, -7], true),
        (vec![40, 40, 40, 40], vec![200, 1, 300, 1], false),
        (vec![1000, 1000, 2], vec![1, 2, 1], false), // in the order in which no two are one loop
    ] {
        let case = Case { side: Side::new(&sizes, &strides, 0), width: 1 };
        let mut random = Random::new(4);
        for _ in 0..4 {
            assert!(case.fill(&mut random), "{sizes:?} {strides:?}");
            assert_eq!(compare_changed(&mut random, &case, &case), compared, "{sizes:?} {strides:?}");
        }
    }
}

/// A side that repeats beside one that repeats elsewhere.
#[test]
fn crossed_broadcasts() {
    let mut random = Random::new(5);
    let (rows, columns) = (vec![1, 0], vec![0, 1]);
    for (sizes, compared) in [([1000, 1000], false), ([256, 256], true), ([1, 700], true), ([1700, 2], true)] {
        let [lhs, rhs] = [&rows, &columns].map(|strides| Case { side: Side::new(&sizes, strides, 0), width: 1 });
        for _ in 0..20 {
            assert_eq!(compare_changed(&mut random, &lhs, &rhs), compared);
            assert_eq!(compare_changed(&mut random, &rhs, &lhs), compared);
        }
    }
    // Batches and heads of a mask, held against one of the batch and one of the head.
    let case = |strides: &[i64]| Case { side: Side::new(&[8, 12, 5, 50], strides, 0), width: 4 };
    let (batch, head) = (case(&[250, 0, 50, 1]), case(&[0, 250, 50, 1]));
    for _ in 0..20 {
        assert!(compare_changed(&mut random, &batch, &head));
    }
}

/// More indices than anybody can count to.
mod hopeless {
    use super::*;

    #[test]
    fn fills_that_are_one_run() {
        // 200^8 is 2.6e18 indices; 2^62 is the most that a layout has.
        for (rank, size, stride) in [(4, 200, 1i64), (8, 200, 1), (62, 2, 1), (8, 200, -1), (8, 200, 3)] {
            let (sizes, strides) = (vec![size; rank], vec![stride; rank]);
            let reach = rank * (size as usize - 1) * stride.unsigned_abs() as usize;
            let mut memory = vec![b'.'; reach + 3];
            let first = if stride < 0 { reach as i64 } else { 0 };
            fill(&at(first, layout(U8, &sizes, &strides)), &mut memory[1..reach + 2], b"x").unwrap();
            for (k, &byte) in memory.iter().enumerate() {
                let reached = (1..reach + 2).contains(&k) && (k - 1).is_multiple_of(stride.unsigned_abs() as usize);
                assert_eq!(byte, if reached { b'x' } else { b'.' }, "{k} of {rank} x {size} by {stride}");
            }
        }
        // Steps that are multiples of each other, in any order, some of them 0.
        let sizes = [200; 8];
        let mut memory = vec![b'.'; 100_000];
        fill(&layout(U8, &sizes, &[60, 0, 2, 4, 12, 1, 3, 30]), &mut memory, b"x").unwrap();
        let reach = 199 * (60 + 2 + 4 + 12 + 1 + 3 + 30);
        assert!(
            memory[..=reach].iter().all(|&byte| byte == b'x') && memory[reach + 1..].iter().all(|&byte| byte == b'.')
        );
    }

    #[test]
    fn fills_that_nobody_can_tell() {
        let primes = [7, 11, 13, 17, 19, 23, 29, 31];
        for rank in [4, 8] {
            let (sizes, strides) = (vec![200; rank], &primes[..rank]);
            let mut memory = vec![b'.'; 40_000];
            let e = error(fill(&layout(U8, &sizes, strides), &mut memory, b"x"));
            assert_eq!((e.status, e.argument), (Status::Undecided.number(), Argument::DstLayout.number()));
            assert!(e.lhs < e.rhs && memory.iter().all(|&byte| byte == b'.'));
        }
        // What lies far apart explains more, and has to be there.
        let far = layout(U8, &[2, 200, 200, 200, 200], &[1 << 40, 7, 11, 13, 17]);
        assert_eq!(status(fill(&far, &mut [0; 16], b"x")), Status::OutOfBounds.number());
        // The same steps with few iterations are done, and so is what only looks hopeless.
        let mut random = Random::new(6);
        for (sizes, strides) in [([9; 4], [7, 11, 13, 17]), ([30, 20, 9, 9], [6, 10, 15, 900])] {
            assert!(Case { side: Side::new(&sizes, &strides, 0), width: 1 }.fill(&mut random));
        }
    }

    /// Elements that are distinct are filled, in whichever order they lie.
    #[test]
    fn fills_of_distinct_elements() {
        // 35a + 42b + 30c for a < 6, b < 5, c < 7 in each of many rows: by the remainders of 6, 5 and 7 all are
        // distinct.
        let sizes = [6, 5, 7, 100, 40];
        let side = Side::new(&sizes, &[35, 42, 30, 1000, 100_000], 0);
        assert!(Case { side, width: 1 }.fill(&mut Random::new(7)));
    }

    #[test]
    fn comparisons() {
        let memory = vec![1; 40_000];
        let ones = |rank| layout(U8, &vec![200; rank], &vec![1; rank]);
        assert_eq!(compare((&ones(2), &memory), (&ones(2), &memory)), Ok(-1));
        for rank in [3, 4, 8] {
            let e = error(compare((&ones(rank), &memory), (&ones(rank), &memory)));
            assert_eq!((e.status, e.argument), (Status::Undecided.number(), Argument::LhsLayout.number()));
            assert!(e.lhs < e.rhs);
        }
        let primes = layout(U8, &[200; 4], &[7, 11, 13, 17]);
        assert_eq!(status(compare((&primes, &memory), (&primes, &memory))), Status::Undecided.number());
        // Bounds are told first: nothing outside a buffer was ever to be read.
        assert_eq!(status(compare((&primes, &memory[..9000]), (&primes, &memory))), Status::OutOfBounds.number());
        // What repeats on both sides is looked at once, in bits too.
        for (dtype, bits) in [(U8, 8), (Dtype::U4.code(), 4), (Dtype::F64.code(), 64)] {
            let lines = |step: i64| layout(dtype, &[1 << 20, 5, 1 << 19, 3, 1 << 16], &[0, step, 0, 10 * step, 0]);
            let mut other = [0u8; 1024];
            let equal = |other: &[u8]| compare((&lines(1), &[0; 1024]), (&lines(2), other));
            assert_eq!(equal(&other), Ok(-1));
            other[(2 * 4 + 20) * bits / 8] = 1; // index {0, 4, 0, 1, 0}
            assert_eq!(equal(&other), Ok(((4 << 19) * 3 + 1) << 16));
        }
        let still = layout(U8, &[200; 8], &[0; 8]);
        assert_eq!(compare((&still, b"a"), (&still, b"b")), Ok(0));
        assert_eq!(compare((&still, b"a"), (&still, b"a")), Ok(-1));
    }
}
