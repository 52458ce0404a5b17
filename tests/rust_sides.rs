//! Copies of slices from Rust whose sides are no layouts of equal sizes: XLA shapes with tiles, blocked layouts, lists
//! that say what is taken, ranges in row-major order. The oracle is the naive loop over all indices, whose positions
//! `linear_index` and `offset_of` tell, which have oracles of their own.

mod oracle;

use core::mem::MaybeUninit;
use oracle::Random;
use stride::copy::options::{FILL_BUFFER, SMALL_STACK};
use stride::error::{Argument, Error, Status};
use stride::vocabulary::blocks::BlockedLayout;
use stride::vocabulary::xla::{PaddingKind, Shape, text};
use stride::{
    Dtype, Element, LayoutBuf, Options, Plan, Side, copy, copy_range, copy_take, copy_to_uninit, copy_to_uninit_view,
    copy_with, slice_len,
};

const CASES: u64 = if cfg!(miri) { 8 } else { 2000 };

/// One side of a random copy.
#[derive(Debug)]
enum Any {
    Layout(LayoutBuf),
    Shape(Shape),
    Blocked(BlockedLayout),
}

/// Calls `$call` with the side that there is.
macro_rules! with_side {
    ($any:expr, $side:ident => $call:expr) => {
        match $any {
            Any::Layout($side) => $call,
            Any::Shape($side) => $call,
            Any::Blocked($side) => $call,
        }
    };
}

impl Any {
    fn random(random: &mut Random, dtype: Dtype, sizes: &[i64]) -> Self {
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
                Self::Layout(all.flip(&down).unwrap())
            }
            1 => {
                let padded: Vec<i64> = sizes.iter().map(|&n| n + random.pick(&[0, 0, 1, 3])).collect();
                // XLA has no elements of three bytes.
                let Ok(shape) = Shape::new(dtype, sizes, Some(&order)) else {
                    return Self::random(random, dtype, sizes);
                };
                let mut shape = shape.with_padding(&padded, PaddingKind::Unknown).unwrap();
                for _ in 0..random.pick(&[0, 1, 1, 2]) {
                    let tile: Vec<i64> = (0..1 + random.below(3)).map(|_| random.pick(&[1, 2, 3, 4])).collect();
                    shape = shape.with_tile(&tile).unwrap();
                }
                Self::Shape(shape)
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
                Self::Blocked(BlockedLayout::parse(digits.join(" "), dtype, sizes).unwrap())
            }
        }
    }

    fn position(&self, index: &[i64]) -> usize {
        let position = match self {
            Self::Layout(layout) => layout.view().unwrap().offset_of(index),
            Self::Shape(shape) => shape.linear_index(index),
            Self::Blocked(blocked) => blocked.linear_index(index),
        };
        position.unwrap() as usize
    }

    fn room<T: Element>(&self) -> usize {
        with_side!(self, side => slice_len::<T>(side)).unwrap()
    }
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
    let (to, from) = (Any::random(random, T::DTYPE, &sizes), Any::random(random, T::DTYPE, &sizes));
    let case = format!("{to:?} from {from:?}");
    let src: Vec<T> = (0..from.room::<T>() as u64).map(value).collect();
    let before = vec![value(77); to.room::<T>()];
    let mut expected = before.clone();
    let all = indices(&sizes);
    all.iter().for_each(|index| expected[to.position(index)] = src[from.position(index)]);

    let mut dst = before.clone();
    with_side!(&to, to => with_side!(&from, from => copy(&mut dst, to, &src, from))).unwrap();
    assert_eq!(dst, expected, "{case}");

    let plan = with_side!(&to, to => with_side!(&from, from => Plan::<T>::new(to, from))).unwrap();
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
    with_side!(&to, to => with_side!(&from, from => copy_to_uninit_view(&mut memory, to, &src, from))).unwrap();
    for place in all.iter().map(|index| to.position(index)) {
        // SAFETY: it was written.
        assert_eq!(unsafe { memory[place].assume_init() }, expected[place], "{case} view");
    }
    let mut memory = vec![MaybeUninit::uninit(); before.len()];
    let written = with_side!(&to, to => with_side!(&from, from => copy_to_uninit(&mut memory, to, &src, from)));
    match written {
        Ok(written) => assert_eq!((&*written, all.len()), (&expected[..], before.len()), "{case}"),
        Err(error) => {
            assert_eq!((error.status, error.lhs), (Status::ShapeMismatch, all.len() as i64), "{case}");
            assert_ne!(all.len(), before.len(), "{case}");
        }
    }

    // A slice that ends before the last element, on either side; nothing is written.
    if !all.is_empty() {
        let last = |side: &Any| all.iter().map(|index| side.position(index)).max().unwrap();
        let (mut short, less) = (before[..last(&to)].to_vec(), &src[..last(&from)]);
        for (error, argument) in [
            (with_side!(&to, to => with_side!(&from, from => copy(&mut short, to, &src, from))), Argument::Dst),
            (with_side!(&to, to => with_side!(&from, from => copy(&mut dst, to, less, from))), Argument::Src),
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

#[test]
fn what_a_list_takes_is_that_of_the_naive_loop() {
    let mut random = Random::new(59);
    for _ in 0..CASES {
        let sizes: Vec<i64> = (0..1 + random.below(3)).map(|_| random.pick(&[1, 2, 3, 4, 5])).collect();
        let axis = random.below(sizes.len() as u64) as usize;
        let mut to_sizes = sizes.clone();
        to_sizes[axis] = random.below(7);
        let list: Vec<i64> = (0..to_sizes[axis]).map(|_| random.below(sizes[axis] as u64 + 1) - 1).collect();
        let side = |random: &mut Random, sizes: &[i64]| loop {
            if let Any::Layout(layout) = Any::random(random, Dtype::S16, sizes) {
                return layout;
            }
        };
        let (to, from) = (side(&mut random, &to_sizes), side(&mut random, &sizes));
        let case = format!("{to} from {from}, {list:?} along {axis}");
        let src: Vec<i16> = (0..slice_len::<i16>(&from).unwrap() as i16).collect();
        let before = vec![77; slice_len::<i16>(&to).unwrap()];
        let mut expected = before.clone();
        for index in indices(&to_sizes) {
            let mut taken = index.clone();
            taken[axis] = list[index[axis] as usize];
            expected[to.view().unwrap().offset_of(&index).unwrap() as usize] = match taken[axis] {
                -1 => -1,
                _ => src[from.view().unwrap().offset_of(&taken).unwrap() as usize],
            };
        }
        let options = Options::new().fill([0xFF; 16]);
        let counted = axis as i64 - if random.one_in(2) { sizes.len() as i64 } else { 0 };
        let mut dst = before.clone();
        copy_take(&mut dst, &to, &src, &from, counted, &list, &options).unwrap();
        assert_eq!(dst, expected, "{case}");
        dst.copy_from_slice(&before);
        let plan = Plan::<i16>::take(&to, &from, counted, &list, &options).unwrap();
        plan.parts(&mut dst, &src, 3).unwrap().for_each(|part| part.run());
        assert_eq!(dst, expected, "{case} in parts");
        let mut memory = vec![MaybeUninit::uninit(); before.len()];
        let reached = to.element_count() as usize;
        match plan.execute_to_uninit(&mut memory, &src) {
            Ok(written) => assert_eq!((&*written, reached), (&expected[..], before.len()), "{case}"),
            Err(error) => assert!(error.status == Status::ShapeMismatch && reached != before.len(), "{case}"),
        }
    }
}

#[test]
fn ranges_are_those_of_the_naive_loop() {
    let mut random = Random::new(60);
    for _ in 0..CASES {
        let mut side = |dtype| {
            let sizes: Vec<i64> = (0..random.below(4)).map(|_| random.pick(&[1, 2, 3, 4, 5])).collect();
            loop {
                if let Any::Layout(layout) = Any::random(&mut random, dtype, &sizes) {
                    return layout;
                }
            }
        };
        let (to, from) = (side(Dtype::U32), side(Dtype::U32));
        let (all_to, all_from) = (to.element_count() as u64, from.element_count() as u64);
        let first = random.below(all_to + 1) as usize;
        let start = random.below(all_from + 1) as usize;
        let count = random.below((all_to - first as u64).min(all_from - start as u64) + 1) as usize;
        let case = format!("{to} from {first} on, {from}, {count} from {start} on");
        let src: Vec<u32> = (0..slice_len::<u32>(&from).unwrap() as u32).collect();
        let before = vec![77; slice_len::<u32>(&to).unwrap()];
        let place = |layout: &LayoutBuf, number: usize| {
            let mut index = vec![0; layout.rank()];
            layout.view().unwrap().unravel(number as i64, &mut index).unwrap();
            layout.view().unwrap().offset_of(&index).unwrap() as usize
        };
        let mut expected = before.clone();
        (0..count).for_each(|k| expected[place(&to, first + k)] = src[place(&from, start + k)]);
        let (range, options) = (start..start + count, Options::new());
        let mut dst = before.clone();
        copy_range(&mut dst, &to, first, &src, &from, range.clone(), &options).unwrap();
        assert_eq!(dst, expected, "{case}");
        dst.copy_from_slice(&before);
        let plan = Plan::<u32>::range(&to, first, &from, range, &options).unwrap();
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
    assert_eq!(text, "src_shape, dimension 1: size is 3 but must be 4");
    let text = refused(copy(&mut out, &tiled, &bytes, &wide), Status::ShapeMismatch);
    assert_eq!(text, "src_layout, dimension 1: size is 4, but it is 3 in dst_layout");
    assert!(refused(copy(&mut out, &wide, &bytes, &blocked), Status::ShapeMismatch).starts_with("src_blocked"));
    let text = refused(copy(&mut [0u16; 16], &tiled, &[0; 16], &tiled), Status::DtypeMismatch);
    assert_eq!(text, "dst_shape: dtype is u8 but must be u16");
    let text = refused(slice_len::<u16>(&blocked), Status::DtypeMismatch);
    assert_eq!(text, "blocked: dtype is u8 but must be u16");
    let text = refused(copy(&mut out[..15], &tiled, &bytes, &square), Status::OutOfBounds);
    assert_eq!(text, "dst: 16 bytes are needed, but the buffer has 15");
    let text = refused(copy(&mut out, &square, &bytes[..11], &blocked), Status::OutOfBounds);
    assert_eq!(text, "src: 12 bytes are needed, but the buffer has 11");
    let mut room = [MaybeUninit::uninit(); 16];
    let text = refused(copy_to_uninit(&mut room, &tiled, &bytes, &square), Status::ShapeMismatch);
    assert_eq!(text, "dst_shape: 9 elements are given, but 16 are needed");

    // Lists and ranges.
    let none = Options::new();
    let mut take = |axis, list: &[i64]| copy_take(&mut out, &square, &bytes, &square, axis, list, &none);
    assert_eq!(refused(take(2, &[0, 1, 2]), Status::InvalidAxes), "axis: dimension number 2 is outside -2 ... 1");
    assert_eq!(refused(take(0, &[0, 1]), Status::InvalidRank), "indices: 2 entries are given, but 3 are needed");
    assert!(refused(take(0, &[0, 1, 3]), Status::IndexOutOfRange).starts_with("indices, entry 2: index 3"));
    let long = LayoutBuf::packed(Dtype::U8, &[65]).unwrap();
    let text = refused(copy_take(&mut [0; 65], &long, &bytes, &row, 0, &[0; 65], &none), Status::InvalidRank);
    assert_eq!(text, "count: 65 is above the maximum of 64");
    let mut range = |first, range| copy_range(&mut out, &square, first, &bytes, &row, range, &none);
    assert!(refused(range(1, 0..9), Status::OutOfBounds).starts_with("dst_first: "));
    assert!(refused(range(0, 1..10), Status::OutOfBounds).starts_with("src_first: "));
    assert!(refused(range(usize::MAX, 0..1), Status::OutOfBounds).starts_with("dst_first: "));
    #[expect(clippy::reversed_empty_ranges)]
    let nothing = range(0, 5..3);
    assert_eq!(nothing, Ok(()));
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
    assert!(Plan::<bool>::take(&square, &square, 0, &[2, 1, 0], &Options::new()).is_ok());
    let taken = Plan::<bool>::take(&square, &square, 0, &[2, -1, 0], &Options::new().fill([7; 16]));
    assert!(refused(taken, Status::IndexOutOfRange).starts_with("indices, entry 1: index -1"));
    // A shape is large.
    let small = Options::new().small_stack();
    let error = copy_with(&mut out, &tiled, &bits, &square, &small).unwrap_err();
    assert_eq!((error.status, error.rhs), (Status::Unsupported, SMALL_STACK as i64));
    assert!(copy_take(&mut out, &square, &bits, &square, 0, &[2, 1, 0], &small).is_err());
    assert!(copy_range(&mut out, &square, 0, &bits, &square, 0..9, &small).is_err());
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
        Plan::<u8>::take(&square, &square, 1, &[2, 0, 1], &Options::new()),
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
    fn bytes(side: &impl Side) -> usize {
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
