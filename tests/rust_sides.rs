//! Copies of slices from Rust whose sides are more than layouts: XLA shapes with tiles, blocked layouts, runs of indices,
//! ranges in row-major order. The oracle is the naive loop over all indices, whose positions `linear_index` and
//! `offset_of` tell, which have oracles of their own.

mod oracle;

use core::mem::MaybeUninit;
use oracle::Random;
use stride::copy::options::{FILL_BUFFER, SMALL_STACK};
use stride::error::{Argument, Error, Status};
use stride::vocabulary::blocks::BlockedLayout;
use stride::vocabulary::xla::{PaddingKind, Shape, text};
use stride::{
    AsSide, Dtype, Element, IndexRun, LayoutBuf, Object, Options, Plan, Side, copy, copy_to_uninit,
    copy_to_uninit_view, copy_with, slice_len,
};

const CASES: u64 = if cfg!(miri) { 8 } else { 2000 };

/// One side of a random copy.
fn any_object(random: &mut Random, dtype: Dtype, sizes: &[i64]) -> Object {
    let mut order: Vec<i64> = (0..sizes.len() as i64).collect();
    random.shuffle(&mut order);
    match random.below(3) {
        0 => {
            let (mut strides, mut next) = (vec![0; sizes.len()], 1);
            for &dimension in &order {
                strides[dimension as usize] = next;
                next = next * sizes[dimension as usize] + random.pick(&[0, 0, 1, 7]);
            }
            let all = LayoutBuf::new(dtype, random.below(3), sizes, &strides).unwrap();
            let down: Vec<i64> = (0..sizes.len() as i64).filter(|_| random.one_in(4)).collect();
            Object::Layout(all.flip(&down).unwrap())
        }
        1 => {
            let padded: Vec<i64> = sizes.iter().map(|&n| n + random.pick(&[0, 0, 1, 3])).collect();
            // XLA has no elements of three bytes.
            let Ok(shape) = Shape::new(dtype, sizes, Some(&order)) else {
                return any_object(random, dtype, sizes);
            };
            let mut shape = shape.with_padding(&padded, PaddingKind::Unknown).unwrap();
            for _ in 0..random.pick(&[0, 1, 1, 2]) {
                let tile: Vec<i64> = (0..1 + random.below(3)).map(|_| random.pick(&[1, 2, 3, 4])).collect();
                shape = shape.with_tile(&tile).unwrap();
            }
            Object::Shape(shape)
        }
        _ => {
            // Dimension k is the letter k; some are cut into blocks, which lie anywhere.
            let mut digits = vec![];
            for dimension in 0..sizes.len() {
                let letter = (b'a' + dimension as u8) as char;
                match random.pick(&[1, 2, 3, 4]) {
                    1 => digits.push(format!("{letter}")),
                    block => digits.extend([format!("{letter}/{block}"), format!("{letter}%{block}")]),
                }
            }
            random.shuffle(&mut digits);
            Object::Blocked(BlockedLayout::parse(digits.join(" "), dtype, sizes).unwrap())
        }
    }
}

fn position(object: &Object, index: &[i64]) -> usize {
    let position = match object {
        Object::Layout(layout) => layout.view().unwrap().offset_of(index),
        Object::Shape(shape) => shape.linear_index(index),
        Object::Blocked(blocked) => blocked.linear_index(index),
    };
    position.unwrap() as usize
}

/// All indices of these sizes, in row-major order.
fn indices(sizes: &[i64]) -> Vec<Vec<i64>> {
    let packed = LayoutBuf::packed(Dtype::U8, sizes).unwrap();
    let mut index = vec![0; sizes.len()];
    let at = |number| {
        packed.view().unwrap().unravel(number, &mut index).unwrap();
        index.clone()
    };
    (0..packed.element_count()).map(at).collect()
}

/// One random copy in every way that there is.
fn one_case<T: Element + PartialEq + core::fmt::Debug + Send + Sync>(random: &mut Random, value: fn(u64) -> T) {
    let sizes: Vec<i64> = (0..random.below(4)).map(|_| random.pick(&[0, 1, 2, 3, 5, 8, 9])).collect();
    let (to, from) = (any_object(random, T::DTYPE, &sizes), any_object(random, T::DTYPE, &sizes));
    let case = format!("{to:?} from {from:?}");
    let src: Vec<T> = (0..slice_len::<T>(&from).unwrap() as u64).map(value).collect();
    let before = vec![value(77); slice_len::<T>(&to).unwrap()];
    let mut expected = before.clone();
    let all = indices(&sizes);
    all.iter().for_each(|index| expected[position(&to, index)] = src[position(&from, index)]);

    let mut dst = before.clone();
    copy(&mut dst, &to, &src, &from).unwrap();
    assert_eq!(dst, expected, "{case}");

    let plan = Plan::<T>::new(&to, &from).unwrap();
    dst.copy_from_slice(&before);
    plan.execute(&mut dst, &src).unwrap();
    assert_eq!(dst, expected, "{case} planned");
    assert_eq!(plan.bytes(), (all.len() * size_of::<T>()) as u64, "{case}");
    assert!(plan.useful_parts() >= 1 && !plan.to_string().is_empty(), "{case}");

    dst.copy_from_slice(&before);
    let mut parts: Vec<_> = plan.parts(&mut dst, &src, 1 + random.below(5) as u32).unwrap().collect();
    while !parts.is_empty() {
        parts.swap_remove(random.below(parts.len() as u64) as usize).run();
    }
    assert_eq!(dst, expected, "{case} in parts");

    let mut memory = vec![MaybeUninit::uninit(); before.len()];
    copy_to_uninit_view(&mut memory, &to, &src, &from).unwrap();
    for place in all.iter().map(|index| position(&to, index)) {
        // SAFETY: it was written.
        assert_eq!(unsafe { memory[place].assume_init() }, expected[place], "{case} view");
    }
    let mut memory = vec![MaybeUninit::uninit(); before.len()];
    let written = copy_to_uninit(&mut memory, &to, &src, &from);
    match written {
        Ok(written) => assert_eq!((&*written, all.len()), (&expected[..], before.len()), "{case}"),
        Err(error) => {
            assert_eq!((error.status, error.lhs), (Status::ShapeMismatch, all.len() as i64), "{case}");
            assert_ne!(all.len(), before.len(), "{case}");
        }
    }

    // A slice that ends before the last element, on either side; nothing is written.
    if !all.is_empty() {
        let last = |side: &Object| all.iter().map(|index| position(side, index)).max().unwrap();
        let (mut short, less) = (before[..last(&to)].to_vec(), &src[..last(&from)]);
        for (error, argument) in [
            (copy(&mut short, &to, &src, &from), Argument::Dst),
            (copy(&mut dst, &to, less, &from), Argument::Src),
            (plan.execute(&mut short, &src), Argument::Dst),
            (plan.parts(&mut dst, less, 2).map(|_| ()), Argument::Src),
        ] {
            let error = error.unwrap_err();
            assert_eq!((error.status, error.argument), (Status::OutOfBounds, argument), "{case}");
        }
        assert_eq!((&short[..], &dst), (&before[..last(&to)], &expected), "{case}");
    }
}

#[test]
fn tiles_and_blocks_are_those_of_the_naive_loop() {
    let mut random = Random::new(58);
    for _ in 0..CASES {
        match random.below(5) {
            0 => one_case::<u8>(&mut random, |k| k as u8),
            1 => one_case::<i16>(&mut random, |k| k as i16),
            2 => one_case::<f32>(&mut random, |k| k as f32),
            3 => one_case::<bool>(&mut random, |k| k % 3 == 1),
            _ => one_case::<[u8; 3]>(&mut random, |k| [k as u8, 1, 2]),
        }
    }
}

/// The indices of a dimension, and the runs that say so, if there are some.
type Along = (Vec<i64>, Vec<IndexRun>);

/// Runs along some dimensions of both sides: of a source any, of a destination each index once at most.
#[test]
fn what_runs_take_is_that_of_the_naive_loop() {
    let mut random = Random::new(59);
    for _ in 0..CASES {
        let [mut to_sizes, mut from_sizes, mut seen] = [(); 3].map(|()| Vec::new());
        let (mut to_runs, mut from_runs) = (Vec::<Along>::new(), Vec::<Along>::new());
        for _ in 0..1 + random.below(3) {
            let size = random.pick(&[1, 2, 3, 4, 5]);
            let plain = |count: i64| ((0..count).collect(), vec![]);
            let written = if random.one_in(3) {
                let mut all: Vec<i64> = (0..size + random.below(3)).collect();
                random.shuffle(&mut all);
                to_sizes.push(all.len() as i64);
                all.truncate(size as usize);
                (all.clone(), all.into_iter().map(IndexRun::from).collect())
            } else {
                to_sizes.push(size);
                plain(size)
            };
            from_runs.push(if random.one_in(2) {
                let of = 1 + random.below(5);
                from_sizes.push(of);
                runs_of(&mut random, of, size)
            } else {
                from_sizes.push(size);
                plain(size)
            });
            to_runs.push(written);
            seen.push(size);
        }
        let (to, from) =
            (any_object(&mut random, Dtype::S16, &to_sizes), any_object(&mut random, Dtype::S16, &from_sizes));
        let case = format!("{to:?} {to_runs:?} from {from:?} {from_runs:?}");
        let src: Vec<i16> = (0..slice_len::<i16>(&from).unwrap() as i16).collect();
        let before = vec![77; slice_len::<i16>(&to).unwrap()];
        let mut expected = before.clone();
        let all = indices(&seen);
        for index in &all {
            let of = |runs: &[Along]| -> Vec<i64> {
                index.iter().zip(runs).map(|(&i, (indices, _))| indices[i as usize]).collect()
            };
            let taken = of(&from_runs);
            expected[position(&to, &of(&to_runs))] =
                if taken.contains(&-1) { -1 } else { src[position(&from, &taken)] };
        }
        fn seen_through<'a>(object: &'a Object, runs: &'a [Along]) -> Side<'a> {
            let runs = runs.iter().enumerate().filter(|(_, (_, runs))| !runs.is_empty());
            runs.fold(Side::new(object).unwrap(), |side, (dimension, (_, runs))| side.runs(dimension, runs).unwrap())
        }
        let (dst_side, src_side) = (seen_through(&to, &to_runs), seen_through(&from, &from_runs));
        let options = Options::new().fill([0xFF; 16]);
        let mut dst = before.clone();
        copy_with(&mut dst, &dst_side, &src, &src_side, &options).unwrap();
        assert_eq!(dst, expected, "{case}");
        dst.copy_from_slice(&before);
        let plan = Plan::<i16>::with_options(&dst_side, &src_side, &options).unwrap();
        plan.parts(&mut dst, &src, 3).unwrap().for_each(|part| part.run());
        assert_eq!(dst, expected, "{case} in parts");
        let mut memory = vec![MaybeUninit::uninit(); before.len()];
        match plan.execute_to_uninit(&mut memory, &src) {
            Ok(written) => assert_eq!((&*written, all.len()), (&expected[..], before.len()), "{case}"),
            Err(error) => assert!(error.status == Status::ShapeMismatch && all.len() != before.len(), "{case}"),
        }
    }
}

/// `count` indices below `size`, or the fill value, and runs of them.
fn runs_of(random: &mut Random, size: i64, count: i64) -> Along {
    let (mut indices, mut runs) = (Vec::new(), Vec::new());
    while (indices.len() as i64) < count {
        let left = count - indices.len() as i64;
        let first = random.below(size as u64 + 1) - 1;
        let step = if first < 0 { 0 } else { random.below(3) - 1 };
        let mut run = IndexRun { first, step, count: 1 + random.below(left as u64) };
        run.count =
            (1..=run.count).rev().find(|&n| first < 0 || (0..size).contains(&(first + (n - 1) * step))).unwrap();
        indices.extend((0..run.count).map(|k| first + k * step));
        runs.push(run);
    }
    (indices, runs)
}

#[test]
fn ranges_are_those_of_the_naive_loop() {
    let mut random = Random::new(60);
    for _ in 0..CASES {
        let mut side = |dtype| {
            let sizes: Vec<i64> = (0..random.below(4)).map(|_| random.pick(&[1, 2, 3, 4, 5])).collect();
            (any_object(&mut random, dtype, &sizes), indices(&sizes))
        };
        let ((to, all_to), (from, all_from)) = (side(Dtype::U32), side(Dtype::U32));
        let first = random.below(all_to.len() as u64 + 1) as usize;
        let start = random.below(all_from.len() as u64 + 1) as usize;
        let most = (all_to.len() - first).min(all_from.len() - start) as u64;
        let count = random.below(most + 1) as usize;
        let case = format!("{to:?} from {first} on, {from:?}, {count} from {start} on");
        let src: Vec<u32> = (0..slice_len::<u32>(&from).unwrap() as u32).collect();
        let before = vec![77; slice_len::<u32>(&to).unwrap()];
        let mut expected = before.clone();
        for k in 0..count {
            expected[position(&to, &all_to[first + k])] = src[position(&from, &all_from[start + k])];
        }
        let range = |of, first: usize| Side::new(of).unwrap().range(first as i64, count as i64).unwrap();
        let (dst_side, src_side) = (range(&to, first), range(&from, start));
        let mut dst = before.clone();
        copy(&mut dst, &dst_side, &src, &src_side).unwrap();
        assert_eq!(dst, expected, "{case}");
        dst.copy_from_slice(&before);
        let plan = Plan::<u32>::new(&dst_side, &src_side).unwrap();
        plan.parts(&mut dst, &src, 3).unwrap().for_each(|part| part.run());
        assert_eq!(dst, expected, "{case} in parts");
        let mut memory = vec![MaybeUninit::uninit(); before.len()];
        match plan.execute_to_uninit(&mut memory, &src) {
            Ok(written) => assert_eq!((&*written, count), (&expected[..], before.len()), "{case}"),
            Err(error) => assert!(error.status == Status::ShapeMismatch && count != before.len(), "{case}"),
        }
    }
}

/// The sentence, and that the status is this one.
fn refused<R: core::fmt::Debug>(result: Result<R, Error>, status: Status) -> String {
    let error = result.unwrap_err();
    assert_eq!(error.status, status, "{error}");
    error.to_string()
}

#[test]
fn errors_name_the_parameters() {
    let tiled = text::parse(b"u8[3,3]{1,0:T(2,2)}").unwrap();
    let blocked = BlockedLayout::parse("a/2 b a%2", Dtype::U8, &[3, 3]).unwrap();
    let (square, row) = (LayoutBuf::packed(Dtype::U8, &[3, 3]).unwrap(), LayoutBuf::packed(Dtype::U8, &[9]).unwrap());
    let (mut out, bytes) = ([0u8; 16], [1u8; 16]);

    // The side that does not fit is called what it is.
    let wide = LayoutBuf::packed(Dtype::U8, &[3, 4]).unwrap();
    let text = refused(copy(&mut out, &wide, &bytes, &tiled), Status::ShapeMismatch);
    assert_eq!(text, "src_side, dimension 1: size is 3, but it is 4 in dst_side");
    let text = refused(copy(&mut out, &tiled, &bytes, &wide), Status::ShapeMismatch);
    assert_eq!(text, "src_layout, dimension 1: size is 4, but it is 3 in dst_layout");
    assert!(refused(copy(&mut out, &wide, &bytes, &blocked), Status::ShapeMismatch).starts_with("src_side"));
    let text = refused(copy(&mut [0u16; 16], &tiled, &[0; 16], &tiled), Status::DtypeMismatch);
    assert_eq!(text, "dst_side: dtype is u8 but must be u16");
    let text = refused(slice_len::<u16>(&blocked), Status::DtypeMismatch);
    assert_eq!(text, "side: dtype is u8 but must be u16");
    let text = refused(copy(&mut out[..15], &tiled, &bytes, &square), Status::OutOfBounds);
    assert_eq!(text, "dst: 16 bytes are needed, but the buffer has 15");
    let text = refused(copy(&mut out, &square, &bytes[..11], &blocked), Status::OutOfBounds);
    assert_eq!(text, "src: 12 bytes are needed, but the buffer has 11");
    let mut room = [MaybeUninit::uninit(); 16];
    let text = refused(copy_to_uninit(&mut room, &tiled, &bytes, &square), Status::ShapeMismatch);
    assert_eq!(text, "dst_side: 9 elements are given, but 16 are needed");

    // Runs and ranges.
    let whole = || Side::new(&square).unwrap();
    let taken = |dimension, list: &[i64]| {
        let runs: Vec<IndexRun> = list.iter().copied().map(IndexRun::from).collect();
        copy(&mut [0u8; 16], &square, &bytes, &whole().runs(dimension, &runs)?)
    };
    assert_eq!(refused(taken(2, &[0, 1, 2]), Status::InvalidAxes), "src_side: dimension number 2 is outside 0 ... 1");
    let text = refused(taken(0, &[0, 1]), Status::ShapeMismatch);
    assert_eq!(text, "src_side, dimension 0: size is 2, but it is 3 in dst_side");
    let text = refused(taken(0, &[0, 1, 3]), Status::IndexOutOfRange);
    assert_eq!(text, "src_side, run 2, dimension 0: index 3 is outside 0 ... 2, and -1 is the fill value");
    let runs = [IndexRun::from(0..3)];
    let most = (0..8).try_fold(whole(), |side, dimension| side.runs(dimension, &runs)).unwrap();
    assert_eq!(
        refused(most.runs(8, &runs), Status::InvalidRank),
        "side: 9 dimensions with runs are above the maximum of 8"
    );
    let mut range = |first, count: i64| {
        let row = LayoutBuf::packed(Dtype::U8, &[count]).unwrap();
        copy(&mut out, &whole().range(first, count)?, &bytes, &row)
    };
    let text = refused(range(1, 9), Status::OutOfBounds);
    assert_eq!(text, "dst_side: the range ends at element 10, but the side has 9 elements");
    let text = refused(range(i64::MAX, 1), Status::OutOfBounds);
    assert_eq!(text, "dst_side: the range ends at element 9223372036854775807 or more, but the side has 9 elements");
    assert_eq!(refused(range(-1, 1), Status::InvalidSize), "first: -1 is negative");
    assert_eq!(range(5, 0), Ok(()));
    let both = whole().range(0, 9).unwrap().runs(0, &runs).unwrap();
    assert!(refused(copy(&mut out, &row, &bytes, &both), Status::Unsupported).starts_with("src_side: "));
}

#[test]
fn what_safe_code_may_not_ask_for_is_refused() {
    let tiled = text::parse(b"pred[3,3]{1,0:T(2,2)}").unwrap();
    let square = LayoutBuf::packed(Dtype::PRED, &[3, 3]).unwrap();
    let (mut out, bits) = ([false; 16], [true; 9]);
    copy(&mut out, &tiled, &bits, &square).unwrap();
    assert_eq!(out.iter().filter(|&&bit| bit).count(), 9);
    // No bool is 7, neither in the padding nor in what takes nothing.
    let seven = Options::new().fill_buffer([7; 16]);
    let text = refused(copy_with(&mut out, &tiled, &bits, &square, &seven), Status::Unsupported);
    assert_eq!(text, "options: STRIDE_COPY_FILL_BUFFER is not supported here");
    let (up, filled) = ([2, 1, 0].map(IndexRun::from), [2, -1, 0].map(IndexRun::from));
    let through = |runs| Side::new(&square).unwrap().runs(0, runs).unwrap();
    assert!(Plan::<bool>::new(&square, &through(&up)).is_ok());
    let taken = Plan::<bool>::with_options(&square, &through(&filled), &Options::new().fill([7; 16]));
    let text = refused(taken, Status::IndexOutOfRange);
    assert_eq!(text, "src_side, dimension 0: index -1 is outside 0 ... 2");
    // A shape is large.
    let small = Options::new().small_stack();
    let error = copy_with(&mut out, &tiled, &bits, &square, &small).unwrap_err();
    assert_eq!((error.status, error.rhs), (Status::Unsupported, SMALL_STACK as i64));
    assert!(copy_with(&mut out, &square, &bits, &through(&up), &small).is_err());
    let range = Side::new(&square).unwrap().range(0, 9).unwrap();
    assert!(copy_with(&mut out, &range, &bits, &range, &small).is_err());
    // Padding is filled with any bytes where any bytes are an element.
    let (tiled, square) = (text::parse(b"u8[3,3]{1,0:T(2,2)}").unwrap(), square.reinterpret(Dtype::U8).unwrap());
    let mut room = [MaybeUninit::uninit(); 16];
    assert_eq!(seven.flags, FILL_BUFFER);
    let plan = Plan::<u8>::with_options(&tiled, &square, &seven).unwrap();
    let written = plan.execute_to_uninit(&mut room, &[1; 9]).unwrap();
    assert_eq!(written, [1, 1, 1, 1, 1, 7, 1, 7, 1, 1, 7, 7, 1, 7, 7, 7]);
}

/// Of tiles, of what a list takes, in bits and in bytes alike.
#[test]
fn no_parts_are_no_copy() {
    let (tiled, square) =
        (text::parse(b"u8[3,3]{1,0:T(2,2)}").unwrap(), LayoutBuf::packed(Dtype::U8, &[3, 3]).unwrap());
    let nibbles = LayoutBuf::strided(Dtype::U4, &[2, 2], &[3, 1]).unwrap();
    for plan in [
        Plan::<u8>::new(&square, &square),
        Plan::<u8>::new(&tiled, &square),
        Plan::<u8>::new(&square, &Side::new(&square).unwrap().runs(1, &[2, 0, 1].map(IndexRun::from)).unwrap()),
        Plan::<u8>::new(&nibbles, &nibbles.permute(&[1, 0]).unwrap()),
    ] {
        let (plan, mut dst) = (plan.unwrap(), [0; 16]);
        let error = plan.parts(&mut dst, &[1; 16], 0).unwrap_err();
        assert_eq!((error.status, error.argument), (Status::InvalidArgument, Argument::Parts), "{plan}");
    }
}

/// A side of one's own is what has a layout.
struct Mine(LayoutBuf);

impl stride::AsLayout for Mine {
    fn as_layout(&self) -> stride::Result<stride::Layout<'_>> {
        self.0.view()
    }
}

#[test]
fn what_has_a_layout_is_a_side() {
    fn bytes(side: &impl AsSide) -> usize {
        slice_len::<u8>(side).unwrap()
    }
    let row = LayoutBuf::packed(Dtype::F64, &[3]).unwrap();
    assert_eq!((bytes(&row), bytes(&Mine(row.clone())), bytes(&row.view().unwrap())), (24, 24, 24));
    let mut out = [0.0; 3];
    copy(&mut out, &Mine(row.flip(&[0]).unwrap()), &[1.0, 2.0, 3.0], &row).unwrap();
    assert_eq!(out, [3.0, 2.0, 1.0]);
    let far = LayoutBuf::strided(Dtype::U8, &[2], &[1i64 << 59]).unwrap();
    let wanted = isize::try_from((1i64 << 59) + 1).map(|length| length as usize).map_err(|_| Status::Overflow);
    assert_eq!(slice_len::<u8>(&far).map_err(|error| error.status), wanted);
    let below = LayoutBuf::new(Dtype::U8, 0, &[3], &[-1]).unwrap();
    assert_eq!(slice_len::<u8>(&below).unwrap_err().status, Status::OutOfBounds);
}
