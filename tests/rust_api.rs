//! The crate as Rust users call it: slices, memory without values, plans and their parts on threads, runs, errors. The
//! oracle is the naive loop over all indices.

mod oracle;

use core::mem::MaybeUninit;
use oracle::Random;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use stride::copy::options::{ASSUME_DISTINCT, FILL_BUFFER, KEEP_CACHED, OVERLAP, SMALL_STACK};
use stride::error::{Argument, Detail, Error, Status};
use stride::{
    AsLayout, Dtype, Element, IndexRun, Layout, LayoutBuf, Options, Part, Parts, Plan, Side, copy, copy_to_uninit,
    copy_to_uninit_view, copy_with, fill, first_difference, runs,
};

const CASES: u64 = if cfg!(miri) { 12 } else { 3000 };

/// Layouts that are drawn.
trait Layouts {
    /// Sizes of rank up to 4.
    fn sizes(&mut self) -> Vec<i64>;
    /// Distinct elements: dense in any order, with gaps, any of the dimensions downward.
    fn layout(&mut self, dtype: Dtype, sizes: &[i64]) -> LayoutBuf;
}

impl Layouts for Random<'_> {
    fn sizes(&mut self) -> Vec<i64> {
        let rank = self.below(5);
        (0..rank)
            .map(|_| {
                if self.one_in(12) {
                    0
                } else {
                    self.pick(if rank < 3 { &[1, 1, 2, 3, 5, 8, 33] } else { &[1, 1, 2, 3, 5, 8] })
                }
            })
            .collect()
    }

    fn layout(&mut self, dtype: Dtype, sizes: &[i64]) -> LayoutBuf {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        self.shuffle(&mut order);
        let (mut strides, mut next) = (vec![0; sizes.len()], 1);
        for dimension in order {
            strides[dimension] = next;
            next = next * sizes[dimension] + self.pick(&[0, 0, 1, 7]);
        }
        let all = LayoutBuf::new(dtype, self.below(3), sizes, &strides).unwrap();
        let down: Vec<i64> = (0..sizes.len() as i64).filter(|_| self.one_in(4)).collect();
        all.flip(&down).unwrap()
    }
}

/// Where each element lies, in row-major order of the indices.
fn places(layout: &LayoutBuf) -> Vec<usize> {
    let layout = layout.view().unwrap();
    let mut index = vec![0; layout.rank()];
    let place = |number| {
        layout.unravel(number, &mut index).unwrap();
        layout.offset_of(&index).unwrap() as usize
    };
    (0..layout.element_count()).map(place).collect()
}

/// Elements that a slice needs.
fn room(layout: &LayoutBuf) -> usize {
    (layout.view().unwrap().span().1 + 1).max(0) as usize
}

fn naive<T: Copy>(dst: &mut [T], to: &LayoutBuf, src: &[T], from: &LayoutBuf) {
    for (to, from) in places(to).into_iter().zip(places(from)) {
        dst[to] = src[from];
    }
}

/// One random copy in every way that there is.
fn one_case<T: Element + PartialEq + core::fmt::Debug + Send + Sync>(random: &mut Random, value: fn(u64) -> T) {
    let sizes = random.sizes();
    let (to, from) = (random.layout(T::DTYPE, &sizes), random.layout(T::DTYPE, &sizes));
    let case = format!("{to} from {from}");
    let src: Vec<T> = (0..room(&from) as u64 + random.below(3) as u64).map(value).collect();
    let before = vec![value(77); room(&to) + random.below(3) as usize];
    let mut expected = before.clone();
    naive(&mut expected, &to, &src, &from);

    let mut dst = before.clone();
    copy(&mut dst, &to, &src, &from).unwrap();
    assert_eq!(dst, expected, "{case}");
    assert_eq!(first_difference(&dst, &to, &src, &from), Ok(None), "{case}");
    if let Some((&place, number)) = places(&to).iter().zip(0..).find(|&(&place, _)| dst[place] != value(77)) {
        let was = std::mem::replace(&mut dst[place], value(77));
        assert_eq!(first_difference(&dst, &to, &src, &from), Ok(Some(number)), "{case}");
        dst[place] = was;
    }

    let plan = Plan::<T>::new(&to, &from).unwrap();
    dst.copy_from_slice(&before);
    plan.execute(&mut dst, &src).unwrap();
    assert_eq!(dst, expected, "{case} planned");
    assert_eq!(plan.bytes(), to.element_count() as u64 * size_of::<T>() as u64, "{case}");

    dst.copy_from_slice(&before);
    let mut parts: Vec<_> = plan.parts(&mut dst, &src, 1 + random.below(5) as u32).unwrap().collect();
    while !parts.is_empty() {
        parts.swap_remove(random.below(parts.len() as u64) as usize).run();
    }
    assert_eq!(dst, expected, "{case} in parts");

    let reached = to.element_count() as usize;
    let mut memory = vec![MaybeUninit::uninit(); before.len()];
    copy_to_uninit_view(&mut memory, &to, &src, &from).unwrap();
    // SAFETY: the layout reaches all of these.
    assert!(places(&to).into_iter().all(|at| unsafe { memory[at].assume_init() } == expected[at]), "{case} view");
    let mut memory = vec![MaybeUninit::uninit(); before.len()];
    match copy_to_uninit(&mut memory, &to, &src, &from) {
        Ok(written) => assert_eq!((written, reached), (&mut expected[..], before.len()), "{case}"),
        Err(error) => {
            let numbers = (error.status, error.argument, error.lhs, error.rhs);
            let wanted = (Status::ShapeMismatch, Argument::DstLayout, reached as i64, before.len() as i64);
            assert_eq!(numbers, wanted, "{case}");
            assert_ne!(reached, before.len(), "{case}");
        }
    }

    fill(&mut dst, &to, value(5)).unwrap();
    assert!(places(&to).into_iter().all(|at| dst[at] == value(5)), "{case} filled");
    let untouched = dst.iter().zip(&expected).zip(&before).filter(|((now, _), before)| now == before).count();
    assert!(untouched >= before.len() - reached, "{case} filled too much");
}

#[test]
fn copies_are_those_of_the_naive_loop() {
    let mut random = Random::new(1);
    for _ in 0..CASES {
        match random.below(8) {
            0 => one_case::<u8>(&mut random, |k| k as u8),
            1 => one_case::<i16>(&mut random, |k| k as i16),
            2 => one_case::<f32>(&mut random, |k| k as f32),
            3 => one_case::<f64>(&mut random, |k| k as f64),
            4 => one_case::<bool>(&mut random, |k| k % 3 == 0),
            5 => one_case::<[u8; 3]>(&mut random, |k| [k as u8, (k >> 8) as u8, 1]),
            6 => one_case::<u128>(&mut random, |k| k as u128 * 0x1_0000_0001_0000_0001_0000_0001),
            _ => one_case::<[f32; 5]>(&mut random, |k| [k as f32; 5]),
        }
    }
}

#[test]
fn parts_write_each_element_once_on_threads() {
    // Large enough for parts of their own: 2 MB transposed, rows with gaps, and elements below a byte.
    let size = if cfg!(miri) { 20 } else { 700 };
    let rows = LayoutBuf::pitched(Dtype::F32, &[size, size], 0, 4 * size as u64 + 12).unwrap();
    let columns = LayoutBuf::ordered(Dtype::F32, &[size, size], &[0, 1]).unwrap();
    let src: Vec<f32> = (0..room(&rows)).map(|k| k as f32).collect();
    let mut expected = vec![0.0; room(&columns)];
    naive(&mut expected, &columns, &src, &rows);
    let plan = Plan::<f32>::new(&columns, &rows).unwrap();
    assert!(plan.useful_parts() >= 1);
    for count in [1, 2, 3, 7, 64] {
        let mut dst = vec![-1.0; expected.len()];
        std::thread::scope(|threads| {
            let parts = plan.parts(&mut dst, &src, count).unwrap();
            assert_eq!(parts.len(), count as usize);
            for part in parts {
                threads.spawn(move || part.run());
            }
        });
        assert_eq!(dst, expected, "{count}");
        // No part does the work of another one.
        let mut written = vec![0; expected.len()];
        for number in 0..count as usize {
            let mut dst = vec![-1.0; expected.len()];
            plan.parts(&mut dst, &src, count).unwrap().nth(number).unwrap().run();
            written.iter_mut().zip(&dst).for_each(|(times, &value)| *times += u32::from(value != -1.0));
        }
        assert!(written.iter().all(|&times| times == 1), "{count}");
        let mut memory = vec![MaybeUninit::uninit(); expected.len()];
        plan.parts_to_uninit(&mut memory, &src, count).unwrap().for_each(|part| part.run());
        // SAFETY: all parts were run, and the layout is dense.
        assert!(memory.iter().zip(&expected).all(|(now, then)| unsafe { now.assume_init() } == *then), "{count}");
    }

    let rows = if cfg!(miri) { 100 } else { 2000 };
    let bytes = rows * 11 / 2;
    let nibbles = LayoutBuf::packed(Dtype::U4, &[rows as i64, 11]).unwrap();
    let backwards = nibbles.flip(&[0]).unwrap();
    let src: Vec<u8> = (0..bytes).map(|k| (k * 7) as u8).collect();
    let mut whole = vec![0; bytes];
    copy(&mut whole, &nibbles, &src, &backwards).unwrap();
    assert_eq!((whole[0] & 0xF, whole[bytes - 1] >> 4), (nibble(&src, (rows - 1) * 11), nibble(&src, 10)));
    let mut dst = vec![0; bytes];
    let plan = Plan::<u8>::new(&nibbles, &backwards).unwrap();
    std::thread::scope(|threads| {
        for part in plan.parts(&mut dst, &src, 3).unwrap() {
            threads.spawn(move || part.run());
        }
    });
    assert_eq!(dst, whole);
}

fn nibble(bytes: &[u8], number: usize) -> u8 {
    bytes[number / 2] >> (number % 2 * 4) & 0xF
}

#[test]
fn empty_copies_touch_nothing() {
    let empty = LayoutBuf::packed(Dtype::F32, &[3, 0]).unwrap();
    assert_eq!(copy::<f32>(&mut [], &empty, &[], &empty), Ok(()));
    assert!(copy_to_uninit::<f32>(&mut [], &empty, &[], &empty).unwrap().is_empty());
    let plan = Plan::<f32>::new(&empty, &empty).unwrap();
    assert_eq!((plan.bytes(), plan.useful_parts(), plan.to_string().as_str()), (0, 1, "nothing to copy"));
    plan.parts(&mut [], &[], 3).unwrap().for_each(|part| part.run());
    assert_eq!(runs::over([&empty]).unwrap().next(), None);
    assert_eq!(first_difference::<f32>(&[], &empty, &[], &empty), Ok(None));
    fill(&mut [], &empty, 1.0f32).unwrap();
    // What no index reaches is memory without values still.
    let mut memory = [MaybeUninit::uninit(); 3];
    let error = plan.execute_to_uninit(&mut memory, &[]).unwrap_err();
    assert_eq!((error.status, error.argument), (Status::ShapeMismatch, Argument::DstLayout));
    assert!(plan.parts_to_uninit(&mut memory, &[], 1).is_err());
    assert!(copy_to_uninit(&mut memory, &empty, &[], &empty).is_err());
}

#[test]
fn a_slice_of_bytes_carries_every_dtype_and_other_types_their_own() {
    let status = |result: Result<(), Error>| result.map_err(|error| (error.status, error.argument));
    let halves = LayoutBuf::packed(Dtype::BF16, &[4]).unwrap();
    let mirrored = halves.flip(&[0]).unwrap();
    let mut out = [0u16; 4];
    copy(&mut out, &halves, &[1, 2, 3, 4], &mirrored).unwrap();
    assert_eq!(out, [4, 3, 2, 1]);
    let mut bytes = [0u8; 8];
    copy(&mut bytes, &halves, &[1, 0, 2, 0, 3, 0, 4, 0], &mirrored).unwrap();
    assert_eq!(bytes, [4, 0, 3, 0, 2, 0, 1, 0]);
    let plain = LayoutBuf::packed(Dtype::bytes(2).unwrap(), &[4]).unwrap();
    let mut signed = [0i16; 4];
    copy(&mut signed, &plain, &[1, 2, 3, 4], &plain).unwrap();
    assert_eq!(signed, [1, 2, 3, 4]);

    let wrong = Err((Status::DtypeMismatch, Argument::DstLayout));
    assert_eq!(status(copy(&mut [0i16; 4], &halves, &[0; 4], &halves)), wrong);
    assert_eq!(status(copy(&mut [0u32; 4], &halves, &[0; 4], &halves)), wrong);
    assert_eq!(status(copy(&mut [[0u8; 4]; 4], &halves, &[[0u8; 4]; 4], &halves)), wrong);
    assert_eq!(status(copy(&mut [false; 4], &halves, &[false; 4], &halves)), wrong);
    let bytes = LayoutBuf::packed(Dtype::U8, &[4]).unwrap();
    assert_eq!(status(copy(&mut [false; 4], &bytes, &[false; 4], &bytes)), wrong);
    let src = Err((Status::DtypeMismatch, Argument::SrcLayout));
    assert_eq!(status(copy(&mut [0u16; 4], &halves, &[0; 4], &bytes)), src);
    // Bytes of two move to and from all that is as wide, but no type is another one, on either side.
    let zeros = [0i16; 4];
    assert_eq!(first_difference(&zeros, &plain, &zeros, &plain), Ok(None));
    for (lhs, rhs, side) in [(&plain, &halves, Argument::RhsLayout), (&halves, &plain, Argument::LhsLayout)] {
        let error = first_difference(&zeros, lhs, &zeros, rhs).unwrap_err();
        assert_eq!((error.status, error.argument), (Status::DtypeMismatch, side));
    }
    // A fill wants a whole element.
    assert_eq!(status(fill(&mut [0u8; 8], &halves, 1)), wrong);
    let error = copy(&mut [0i16; 4], &halves, &[0; 4], &halves).unwrap_err();
    assert_eq!(error.to_string(), "dst_layout: dtype is bf16 but must be s16");
}

#[test]
fn sizes_are_those_of_slices() {
    let rows = [[1i16, 2, 3], [4, 5, 6]];
    let (height, width) = (rows.len(), rows[0].len());
    let matrix = LayoutBuf::packed(Dtype::S16, &[height, width]).unwrap();
    assert_eq!(matrix.to_string(), "s16[2,3] strides [3,1] offset 0");
    let both = |sizes: &[usize], same: &[i64]| {
        let pairs = [
            (LayoutBuf::packed(Dtype::U8, sizes), LayoutBuf::packed(Dtype::U8, same)),
            (LayoutBuf::channels_last(Dtype::U8, sizes), LayoutBuf::channels_last(Dtype::U8, same)),
            (LayoutBuf::ordered(Dtype::U8, sizes, &[1, 0, 2]), LayoutBuf::ordered(Dtype::U8, same, &[1, 0, 2])),
            (LayoutBuf::strided(Dtype::U8, sizes, &[9, -1, 40]), LayoutBuf::strided(Dtype::U8, same, &[9, -1, 40])),
            (LayoutBuf::new(Dtype::U8, 3, sizes, &[9, 1, 40]), LayoutBuf::new(Dtype::U8, 3, same, &[9, 1, 40])),
            (LayoutBuf::pitched(Dtype::U8, sizes, 0, 64), LayoutBuf::pitched(Dtype::U8, same, 0, 64)),
            (LayoutBuf::aligned(Dtype::U8, sizes, 0, 32), LayoutBuf::aligned(Dtype::U8, same, 0, 32)),
            (LayoutBuf::padded(Dtype::U8, sizes, &[9; 3]), LayoutBuf::padded(Dtype::U8, same, &[9; 3])),
            (LayoutBuf::byte_strided(Dtype::U8, sizes, &[9; 3]), LayoutBuf::byte_strided(Dtype::U8, same, &[9; 3])),
            (LayoutBuf::of_bytes(Dtype::U8, sizes, &[9; 3]), LayoutBuf::of_bytes(Dtype::U8, same, &[9; 3])),
        ];
        pairs.iter().for_each(|(one, other)| assert_eq!(one, other));
        let all = LayoutBuf::packed(Dtype::U8, &[9, 9, 9]).unwrap();
        assert_eq!(all.crop(&[1, 1, 1], sizes), all.crop(&[1, 1, 1], same));
        assert_eq!(all.window(sizes, None, None), all.window(same, None, None));
        let one = LayoutBuf::packed(Dtype::U8, &[1]).unwrap();
        assert_eq!(one.broadcast_to(sizes), one.broadcast_to(same));
    };
    both(&[2, 3, 4], &[2, 3, 4]);
    both(&[2, 0, 4], &[2, 0, 4]);
    both(&[2, 3], &[2, 3]);
    // What is no size in 64 bits, and more of them than there may be.
    let error = LayoutBuf::packed(Dtype::U8, &[3, u64::MAX]).unwrap_err();
    assert_eq!((error.status, error.argument, error.dimension), (Status::InvalidSize, Argument::Sizes, 1));
    assert_eq!((error.detail, error.lhs, error.rhs), (Detail::Above, i64::MAX, i64::MAX));
    let error = LayoutBuf::packed(Dtype::U8, &[1u32; 65]).unwrap_err();
    assert_eq!((error.status, error.lhs, error.rhs), (Status::InvalidRank, 65, 64));
    assert_eq!(LayoutBuf::packed(Dtype::U8, &[1usize; 64]).unwrap().rank(), 64);
    assert_eq!(LayoutBuf::packed(Dtype::U8, &[-1i32]).unwrap_err().status, Status::InvalidSize);
}

#[test]
fn what_safe_code_may_not_ask_for_is_refused() {
    let row = LayoutBuf::packed(Dtype::PRED, &[3]).unwrap();
    let bytes = LayoutBuf::packed(Dtype::U8, &[3]).unwrap();
    let trusting = Options::new().flags(ASSUME_DISTINCT);
    let error = copy_with(&mut [0u8; 3], &bytes, &[1, 2, 3], &bytes, &trusting).unwrap_err();
    assert_eq!((error.status, error.argument), (Status::Unsupported, Argument::Options));
    assert_eq!(error.to_string(), "options: STRIDE_COPY_ASSUME_DISTINCT is not supported here");
    assert!(Plan::<u8>::with_options(&bytes, &bytes, &trusting).is_err());
    // Flags are called by their names.
    let flags = [ASSUME_DISTINCT, FILL_BUFFER, OVERLAP, KEEP_CACHED, SMALL_STACK];
    let names = ["ASSUME_DISTINCT", "FILL_BUFFER", "OVERLAP", "KEEP_CACHED", "SMALL_STACK"];
    for (flag, name) in flags.into_iter().zip(names) {
        let error = Error::new(Status::Unsupported).argument(Argument::Options);
        let error = error.because_wide(Detail::UnsupportedFlag, 31, flag.into());
        assert!(error.to_string().starts_with(&format!("options: STRIDE_COPY_{name} is not supported ")));
    }
    let unknown = Options::new().flags(32);
    let error = copy_with(&mut [0u8; 3], &bytes, &[1, 2, 3], &bytes, &unknown).unwrap_err();
    assert_eq!((error.status, error.lhs, error.rhs), (Status::InvalidArgument, 32, 31));
    // No bool is 7.
    let filling = Options::new().fill_buffer([7; 16]);
    let error = copy_with(&mut [true; 9], &row, &[true, false, true], &row, &filling).unwrap_err();
    assert_eq!((error.status, error.rhs), (Status::Unsupported, 2));
    assert!(Plan::<[bool; 2]>::with_options(&row, &row, &filling).is_err());
    // Two indices, one element.
    let twice = LayoutBuf::strided(Dtype::U8, &[2, 2], &[1, 1]).unwrap();
    let square = LayoutBuf::packed(Dtype::U8, &[2, 2]).unwrap();
    let error = copy_to_uninit(&mut [MaybeUninit::uninit(); 4], &twice, &[1u8, 2, 3, 4], &square).unwrap_err();
    assert_eq!((error.status, error.argument), (Status::Overlap, Argument::DstLayout));
    // Memory that is read.
    let nibbles = LayoutBuf::packed(Dtype::U4, &[6]).unwrap();
    let error = copy_to_uninit(&mut [MaybeUninit::uninit(); 3], &nibbles, &[1u8, 2, 3], &nibbles).unwrap_err();
    assert_eq!(error.to_string(), "dst_layout: dtype u4 is smaller than a byte, which is not supported here");
    // Sides never share, so that it may be allowed changes nothing.
    let mut out = [0u8; 3];
    let allowing = Options::new().flags(OVERLAP);
    copy_with(&mut out, &bytes, &[1, 2, 3], &bytes.flip(&[0]).unwrap(), &allowing).unwrap();
    assert_eq!(out, [3, 2, 1]);
    // No part of no parts.
    let plan = Plan::<u8>::new(&bytes, &bytes).unwrap();
    let error = plan.parts(&mut out, &[1, 2, 3], 0).unwrap_err();
    assert_eq!(error.to_string(), "parts: 0 is below the minimum of 1");
    let mut parts = plan.parts(&mut out, &[1, 2, 3], 2).unwrap();
    parts.next().unwrap().run();
    assert_eq!(parts.len(), 1);
    for (mut dst, src) in [(vec![0; 2], vec![0; 3]), (vec![0; 3], vec![0; 2])] {
        let error = plan.parts(&mut dst, &src, 2).unwrap_err();
        assert_eq!(error.status, Status::OutOfBounds);
        assert_eq!(plan.execute(&mut dst, &src).unwrap_err(), error);
    }
    let below = LayoutBuf::new(Dtype::U8, 0, &[3], &[-1]).unwrap();
    assert_eq!(copy(&mut out, &bytes, &[1, 2, 3], &below).unwrap_err().status, Status::OutOfBounds);
    let error = runs::over([&bytes, &below]).unwrap_err();
    assert_eq!((error.status, error.argument, error.item), (Status::OutOfBounds, Argument::In, 1));
}

#[test]
fn the_border_of_memory_without_values_is_filled() {
    let inner = LayoutBuf::packed(Dtype::U16, &[2, 2]).unwrap();
    let middle = LayoutBuf::packed(Dtype::U16, &[4, 4]).unwrap().crop(&[1, 1], &[2, 2]).unwrap();
    let options = Options::new().fill_buffer([9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 0]);
    let plan = Plan::<u16>::with_options(&middle, &inner, &options).unwrap();
    let mut memory = [MaybeUninit::uninit(); 16];
    let written = plan.execute_to_uninit(&mut memory, &[1, 2, 3, 4]).unwrap();
    assert_eq!(written, [9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 9, 9, 9]);
    let plan = Plan::<u16>::new(&middle, &inner).unwrap();
    assert_eq!(plan.execute_to_uninit(&mut memory, &[1, 2, 3, 4]).unwrap_err().status, Status::ShapeMismatch);
}

#[test]
fn runs_give_each_tuple_of_places_as_often_as_indices_do() {
    let mut random = Random::new(2);
    for _ in 0..CASES {
        let sizes = random.sizes();
        let mut operands: Vec<LayoutBuf> =
            [Dtype::F32, Dtype::U8, Dtype::U4].iter().map(|&dtype| random.layout(dtype, &sizes)).collect();
        operands[2] = LayoutBuf::new(Dtype::U4, 3, &sizes, &vec![0; sizes.len()]).unwrap();
        let [a, b, c] = &operands[..] else { unreachable!() };
        let mut expected = HashMap::new();
        for ((a, b), c) in places(a).into_iter().zip(places(b)).zip(places(c)) {
            *expected.entry([a, b, c]).or_insert(0) += 1;
        }
        let all = runs::over([a, b, c]).unwrap();
        let parts = 1 + random.below(4) as u32;
        let shares = (0..parts).flat_map(|part| all.part(part, parts).unwrap());
        for found in [all.clone().flatten().collect::<Vec<_>>(), shares.flatten().collect()] {
            let mut counted = HashMap::new();
            for place in found {
                *counted.entry(place).or_insert(0) += 1;
            }
            assert_eq!(counted, expected, "{a} and {b}");
        }
        assert!(all.clone().all(|run| run.strides == all.strides() && run.len() == run.elements));
    }
    let row = LayoutBuf::packed(Dtype::U8, &[3]).unwrap();
    let other = LayoutBuf::packed(Dtype::U8, &[4]).unwrap();
    let error = runs::over([&row, &other]).unwrap_err();
    assert_eq!(error.to_string(), "in, operand 1, dimension 0: size is 4 but must be 3");
    assert_eq!(runs::over([]).unwrap_err().status, Status::InvalidRank);
    assert_eq!(runs::over([&row as &dyn AsLayout; 9]).unwrap_err().status, Status::InvalidRank);
    // NCHW from NHWC: 16384 pixels of both sides are 256 KiB, as much as a run touches.
    let pixels = LayoutBuf::strided(Dtype::F32, &[65536, 3], &[3, 1]).unwrap();
    let planes = LayoutBuf::strided(Dtype::F32, &[65536, 3], &[1, 65536]).unwrap();
    assert_eq!(runs::over([&pixels, &planes]).unwrap().next().unwrap().elements, 16384);
}

#[test]
fn layouts_come_from_each_other() {
    let matrix = LayoutBuf::packed(Dtype::F32, &[2, 3]).unwrap();
    let view = Layout::try_from(&matrix).unwrap();
    assert_eq!((LayoutBuf::from(view), LayoutBuf::from(&view)), (matrix.clone(), matrix.clone()));
    assert_eq!(matrix.to_string(), view.to_string());
    assert_ne!(matrix, matrix.flip(&[0]).unwrap());
    let mut out = [0.0f32; 6];
    copy(&mut out, &view, &[1.0; 6], &&matrix).unwrap(); // a Layout, and a reference to a LayoutBuf
    assert_eq!(out, [1.0; 6]);
    assert_eq!("bf16".parse(), Ok(Dtype::BF16));
    assert_eq!(Dtype::try_from(u32::from(Dtype::S4)), Ok(Dtype::S4));
    assert_eq!("float".parse::<Dtype>().unwrap_err().status, Status::Parse);
}

#[test]
fn plans_are_found_again_by_what_they_were_made_of() {
    let mut plans = HashMap::new();
    let (rows, columns) =
        (LayoutBuf::packed(Dtype::F32, &[2, 3]).unwrap(), LayoutBuf::ordered(Dtype::F32, &[2, 3], &[0, 1]).unwrap());
    plans.insert((rows.clone(), columns.clone(), Options::new()), 1);
    plans.insert((rows.clone(), columns.clone(), Options::new().keep_cached()), 2);
    plans.insert((columns.clone(), rows.clone(), Options::new()), 3);
    let again = LayoutBuf::strided(Dtype::F32, &[2, 3], &[3, 1]).unwrap();
    assert_eq!(plans.get(&(again, columns.clone(), Options::new())), Some(&1));
    assert_eq!(plans.len(), 3);
    let hasher = std::hash::RandomState::new();
    assert_eq!(hasher.hash_one(&rows), hasher.hash_one(rows.view().unwrap()));
    assert_ne!(hasher.hash_one(&rows), hasher.hash_one(&columns));
    let shape = |text: &str| stride::vocabulary::xla::text::parse(text.as_bytes()).unwrap();
    let shapes = HashSet::from([shape("f32[2,3]{1,0}"), shape("f32[2,3]"), shape("f32[2,3]{0,1}")]);
    assert_eq!(shapes.len(), 2);
}

#[test]
fn types_go_where_threads_want_them() {
    fn send<T: Send>() {}
    fn both<T: Send + Sync + 'static>() {}
    both::<Plan<f32>>();
    both::<LayoutBuf>();
    both::<Error>();
    both::<runs::Over<3>>();
    send::<Part<'_, f32>>();
    send::<Parts<'_, f32>>();
    let error: Box<dyn std::error::Error + Send + Sync> = Box::new(Dtype::new(99).unwrap_err());
    assert_eq!(error.to_string(), "dtype: 99 (0x63) is not a dtype");
}

/// Strides in bytes both ways, as NumPy counts them; lists of another length than the sizes are refused.
#[test]
fn byte_strides_go_in_and_come_out() {
    let mut random = Random::new(8);
    for _ in 0..CASES {
        let sizes = random.sizes();
        let dtype = random.pick(&[Dtype::U8, Dtype::U16, Dtype::F32, Dtype::F64, Dtype::C128, Dtype::U4]);
        let layout = random.layout(dtype, &sizes);
        let (mut bytes, width) = ([0; 64], dtype.bits());
        let whole = layout.strides().iter().all(|stride| stride * width % 8 == 0);
        let answer = layout.view().unwrap().byte_strides(&mut bytes);
        if !whole
            && !sizes.contains(&0)
            && sizes.iter().zip(layout.strides()).any(|(&n, s)| n > 1 && s * width % 8 != 0)
        {
            assert_eq!(answer.unwrap_err().status, Status::NotRepresentable, "{layout}");
            continue;
        }
        answer.unwrap();
        let bytes = &bytes[..sizes.len()];
        let open = |d: usize| sizes[d] > 1 && !sizes.contains(&0);
        for (d, (&given, stride)) in bytes.iter().zip(layout.strides()).enumerate() {
            assert!(!open(d) || given * 8 == stride * width, "{layout}: {bytes:?}");
        }
        let back = LayoutBuf::byte_strided(dtype, &sizes, bytes).unwrap();
        for d in (0..sizes.len()).filter(|&d| open(d)) {
            assert_eq!(back.strides()[d], layout.strides()[d], "{layout}: {bytes:?}");
        }
    }
    for few in [&[4][..], &[4, 4, 4], &[]] {
        let error = LayoutBuf::byte_strided(Dtype::F32, &[2, 3], few).unwrap_err();
        assert_eq!((error.status, error.lhs, error.rhs), (Status::InvalidRank, few.len() as i64, 2));
    }
}

#[test]
fn elements_below_a_byte_in_slices_of_bytes() {
    let nibbles = LayoutBuf::packed(Dtype::U4, &[300, 11]).unwrap();
    let plan = Plan::<u8>::new(&nibbles, &nibbles.flip(&[0]).unwrap()).unwrap();
    assert_eq!((plan.bytes(), plan.useful_parts()), (1650, 1));
    // One part for each 128 KiB.
    let floats = LayoutBuf::packed(Dtype::F32, &[1 << 10, 1 << 11]).unwrap();
    let nibbles = LayoutBuf::packed(Dtype::U4, &[1 << 12, 1 << 12]).unwrap();
    assert_eq!(Plan::<f32>::new(&floats, &floats).unwrap().useful_parts(), 64);
    assert_eq!(Plan::<u8>::new(&nibbles, &nibbles.flip(&[1]).unwrap()).unwrap().useful_parts(), 64);
    assert!(plan.to_string().starts_with("bits"), "{plan}");
    let mut short = [0; 1649];
    let refused = |bytes: usize, count, dst: &mut [u8]| {
        plan.parts(dst, &[0; 1650][..bytes], count).err().map(|error| error.argument)
    };
    assert_eq!(refused(1650, 3, &mut short), Some(Argument::Dst));
    assert_eq!(refused(1649, 3, &mut [0; 1650]), Some(Argument::Src));
    assert_eq!(refused(1650, 0, &mut [0; 1650]), Some(Argument::Parts));
    // Rows of three out of five, of which the first begins in the second half of a byte.
    let rows = LayoutBuf::new(Dtype::U4, 1, &[2, 3], &[5, 1]).unwrap();
    let mut dst = [0u8; 5];
    fill(&mut dst, &rows, 0xFBu8).unwrap();
    assert_eq!(dst, [0xB0, 0xBB, 0x00, 0xBB, 0x0B]);
    let short = fill(&mut [0u8; 4], &rows, 0).unwrap_err();
    assert_eq!((short.status, short.lhs, short.rhs), (Status::OutOfBounds, 5, 4));
}

/// What C cannot ask for, since it says one number for all lists.
#[test]
fn lists_that_are_too_long_or_differ() {
    let reason = |error: Error| (error.status, error.argument, error.lhs, error.rhs);
    let many = [1i64; 65];
    let error = Layout::new(Dtype::U8, 0, &many, &many).unwrap_err();
    assert_eq!(reason(error), (Status::InvalidRank, Argument::Rank, 65, 64));
    let error = Layout::new(Dtype::U8, 0, &[2, 3], &[3]).unwrap_err();
    assert_eq!(reason(error), (Status::InvalidRank, Argument::Rank, 1, 2));
    let one = LayoutBuf::packed(Dtype::U8, &[1]).unwrap();
    assert_eq!(reason(one.reshape(&many).unwrap_err()), (Status::InvalidRank, Argument::Rank, 65, 64));
    let shapes = [&many[..1], &many[..]];
    let error = stride::broadcast::sizes(shapes.into_iter()).unwrap_err();
    assert_eq!((reason(error), error.item), ((Status::InvalidRank, Argument::Ranks, 65, 64), 1));
    let error = stride::vocabulary::xla::Shape::new(Dtype::F32, &many, None).unwrap_err();
    assert_eq!(reason(error), (Status::InvalidRank, Argument::Rank, 65, 64));
    let count = Argument::DimensionCount;
    let error = stride::vocabulary::dml::layout(1, &[1; 65], None).unwrap_err();
    assert_eq!(reason(error), (Status::InvalidRank, count, 65, 64));
    let error = stride::vocabulary::dml::layout(1, &[2, 3], Some(&[1; 65])).unwrap_err();
    assert_eq!(reason(error), (Status::InvalidRank, Argument::Rank, 65, 64));
    assert!(one.view().unwrap() == Layout::new(Dtype::U8, 0, &[1], &[1]).unwrap());
    assert!(one.view().unwrap() != Layout::new(Dtype::S8, 0, &[1], &[1]).unwrap());
}

#[test]
fn fields_are_what_was_given() {
    let owned = LayoutBuf::new(Dtype::BF16, -5, &[2, 0, 3], &[7, 1, -2]).unwrap();
    let view = owned.view().unwrap();
    assert_eq!((owned.dtype(), owned.offset(), owned.rank()), (Dtype::BF16, -5, 3));
    assert_eq!((owned.sizes(), owned.strides()), (&[2, 0, 3][..], &[7, 1, -2][..]));
    assert_eq!((view.dtype(), view.offset(), view.rank()), (Dtype::BF16, -5, 3));
    assert_eq!((view.sizes(), view.strides()), (&[2, 0, 3][..], &[7, 1, -2][..]));
    assert_eq!((owned.element_count(), view.is_empty()), (0, true));
    let scalar = LayoutBuf::new::<i64>(Dtype::S64, 4, &[], &[]).unwrap();
    assert_eq!((scalar.offset(), scalar.rank(), scalar.element_count()), (4, 0, 1));
}

/// A byte that is never 0: of two of them in halves one would be made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct NoZero(core::num::NonZeroU8);

// SAFETY: a byte without an address in it; not any byte is one.
unsafe impl Element for NoZero {
    const DTYPE: Dtype = Dtype::U8;
    const ANY_BITS: bool = false;
}

#[test]
fn halves_of_bytes_that_are_not_any_are_refused() {
    let [low, high] = [1, 16].map(|byte| NoZero(byte.try_into().unwrap()));
    let whole = LayoutBuf::packed(Dtype::U8, &[1]).unwrap();
    for dtype in [Dtype::U4, Dtype::U2, Dtype::U1] {
        let half = LayoutBuf::packed(dtype, &[1]).unwrap();
        let mut to = [low];
        assert_eq!(copy(&mut to, &half, &[high], &half).unwrap_err().status, Status::DtypeMismatch);
        assert_eq!(fill(&mut to, &half, high).unwrap_err().status, Status::DtypeMismatch);
        assert_eq!(Plan::<NoZero>::new(&half, &half).unwrap_err().status, Status::DtypeMismatch);
        assert_eq!(to, [low]);
    }
    let (mut to, floats) = ([low; 4], LayoutBuf::packed(Dtype::F32, &[1]).unwrap());
    copy(&mut to, &floats, &[high; 4], &floats).unwrap();
    assert_eq!(to, [high; 4]);
    fill(&mut to[..1], &whole, low).unwrap();
    assert_eq!(to[0], low);
}

/// f16 and bf16 of the half crate: their own dtype and plain bytes, not each other's. 1.5 is 0x3E00 as f16, 0x3FC0 as
/// bf16 (IEEE 754 binary16; the upper half of the f32 0x3FC0_0000).
#[cfg(feature = "half")]
#[test]
fn floats_of_the_half_crate() {
    use half::{bf16, f16};
    fn transposed<T: Element + PartialEq + core::fmt::Debug>(
        values: [T; 6],
        zero: T,
        bits: u16,
        to_bits: fn(T) -> u16,
    ) {
        let rows = LayoutBuf::packed(T::DTYPE, &[2, 3]).unwrap();
        let columns = LayoutBuf::packed(T::DTYPE, &[3, 2]).unwrap();
        let mut out = [zero; 6];
        copy(&mut out, &columns, &values, &rows.permute(&[1, 0]).unwrap()).unwrap();
        assert_eq!(out, [0, 3, 1, 4, 2, 5].map(|k| values[k]));
        fill(&mut out, &rows, values[1]).unwrap();
        assert_eq!((out, to_bits(out[5])), ([values[1]; 6], bits));
        let plain = LayoutBuf::packed(Dtype::bytes(2).unwrap(), &[6]).unwrap();
        copy(&mut out, &plain, &values, &plain).unwrap();
        assert_eq!(out, values);
        for other in [Dtype::F16, Dtype::BF16, Dtype::U16, Dtype::F32] {
            let layout = LayoutBuf::packed(other, &[2]).unwrap();
            let answer = copy(&mut out, &layout, &values, &layout).map_err(|error| error.status);
            assert_eq!(answer, if other == T::DTYPE { Ok(()) } else { Err(Status::DtypeMismatch) }, "{other}");
        }
    }
    assert_eq!((f16::DTYPE, bf16::DTYPE), (Dtype::F16, Dtype::BF16));
    let values = [0.5, 1.5, -2.0, 3.0, f32::INFINITY, -0.0];
    transposed(values.map(f16::from_f32), f16::ZERO, 0x3E00, f16::to_bits);
    transposed(values.map(bf16::from_f32), bf16::ZERO, 0x3FC0, bf16::to_bits);
}

/// A number of which not any four bytes are one: with its bytes swapped it would be none.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Letter(char);

// SAFETY: four bytes without an address in them; not any are a letter.
unsafe impl Element for Letter {
    const DTYPE: Dtype = Dtype::U32;
    const ANY_BITS: bool = false;
}

#[test]
fn bytes_that_are_not_any_are_not_swapped() {
    let four = LayoutBuf::packed(Dtype::F32, &[4]).unwrap();
    let swapped = LayoutBuf::packed(Dtype::F32.swapped(), &[4]).unwrap();
    let (from, mut to) = (['a', 'b', 'c', 'd'].map(Letter), [Letter('x'); 4]);
    let mut room = [MaybeUninit::uninit(); 4];
    for (dst, src) in [(&four, &swapped), (&swapped, &four)] {
        let runs = [3, 0, 2, 1].map(IndexRun::from);
        let whole = Side::new(src).unwrap();
        let (taken, range) = (whole.clone().runs(0, &runs).unwrap(), whole.range(0, 4).unwrap());
        let refused = [
            copy(&mut to, dst, &from, src).unwrap_err(),
            copy_to_uninit(&mut room, dst, &from, src).unwrap_err(),
            copy_to_uninit_view(&mut room, dst, &from, src).unwrap_err(),
            Plan::<Letter>::new(dst, src).unwrap_err(),
            copy(&mut to, dst, &from, &taken).unwrap_err(),
            Plan::<Letter>::new(dst, &taken).unwrap_err(),
            Plan::<Letter>::new(dst, &range).unwrap_err(),
        ];
        for (number, error) in refused.into_iter().enumerate() {
            let argument = if number < 4 { Argument::SrcLayout } else { Argument::SrcSide };
            assert_eq!((error.status, error.argument), (Status::DtypeMismatch, argument));
            assert_eq!((error.lhs, error.rhs), (src.dtype().code().into(), dst.dtype().code().into()));
        }
    }
    assert_eq!(to, [Letter('x'); 4]);
    // Whole letters move; numbers whose bits are any are swapped.
    copy(&mut to, &swapped, &from, &swapped).unwrap();
    assert_eq!(to, from);
    let mut numbers = [0u32; 4];
    copy(&mut numbers, &four, &[1, 2, 3, 4], &swapped).unwrap();
    assert_eq!(numbers, [1 << 24, 2 << 24, 3 << 24, 4 << 24]);
}

/// What Rust can say and C cannot, or says to other functions.
#[test]
fn lists_of_other_lengths_than_they_should_have() {
    use stride::vocabulary::{py_buffer, xla};
    let reason = |error: Error| (error.status, error.argument, error.lhs, error.rhs);
    let rank = Status::InvalidRank;
    let matrix = LayoutBuf::packed(Dtype::F32, &[2, 3]).unwrap();
    let (mut short, mut long) = ([9; 1], [9; 3]);
    assert_eq!(reason(matrix.view().unwrap().unravel(4, &mut short).unwrap_err()), (rank, Argument::Index, 1, 2));
    matrix.view().unwrap().unravel(4, &mut long).unwrap();
    assert_eq!((short, long), ([9], [1, 1, 9]));
    for (tiles, ranks) in [(4, &[2][..]), (3, &[2, 2]), (1, &[2]), (2, &[])] {
        let error =
            xla::pjrt::from_tiled(Dtype::F32, &[16, 256], &[1, 0], &[8, 128, 2, 1][..tiles], ranks).unwrap_err();
        let said = ranks.iter().sum::<usize>() as i64;
        assert_eq!(reason(error), (rank, Argument::TileDims, tiles as i64, said));
    }
    assert!(xla::pjrt::from_tiled(Dtype::F32, &[16, 256], &[1, 0], &[8, 128], &[usize::MAX]).is_err());
    let order: Vec<i64> = (0..65).collect();
    for order in [None, Some(&order[..])] {
        assert_eq!(reason(xla::Blocked::new(65, order).unwrap_err()), (rank, Argument::Rank, 65, 64));
    }
    assert_eq!(xla::Blocked::new(64, Some(&order[..64])).unwrap().outer_order(), &order[..64]);
    let buffer = py_buffer::Buffer {
        format: None,
        len: 6,
        itemsize: 1,
        ndim: 2,
        sizes: Some(&[2, 3]),
        byte_strides: None,
        suboffsets: Some(&[-1, -1]),
    };
    assert!(py_buffer::to_layout(&buffer).is_ok());
    for ndim in [1, 3] {
        let other = py_buffer::Buffer { ndim, suboffsets: None, ..buffer };
        assert_eq!(reason(py_buffer::to_layout(&other).unwrap_err()), (rank, Argument::Ndim, 2, ndim as i64));
    }
    let other = py_buffer::Buffer { suboffsets: Some(&[-1]), ..buffer };
    assert_eq!(reason(py_buffer::to_layout(&other).unwrap_err()), (rank, Argument::Ndim, 1, 2));
}

/// Numbers that leave 64 bits on the way to a refusal, and an iterator that gives others the second time.
#[test]
fn what_only_builds_with_checks_would_notice() {
    // 2^56 elements of a width for which nothing reads backwards, at one place: the plan comes before the lengths.
    let five = Dtype::bytes(5).unwrap();
    for (count, src_stride) in [(1 << 56, 0), (1 << 57, 0), (1 << 57, -1)] {
        let dst = LayoutBuf::packed(five, &[count]).unwrap();
        let first = if src_stride < 0 { count - 1 } else { 0 };
        let src = LayoutBuf::new(five, first, &[count], &[src_stride]).unwrap();
        let error = stride::copy(&mut [0u8; 5], &dst, &[0u8; 5], &src).unwrap_err();
        assert_eq!((error.status, error.lhs), (Status::OutOfBounds, 5 * count));
    }
    let far = Layout::new(Dtype::F32, -(1 << 62), &[2], &[1 << 62]).unwrap();
    let error = stride::vocabulary::ggml::from_layout(&far, 0).unwrap_err();
    assert_eq!((error.status, error.argument), (Status::OutOfBounds, Argument::Layout));
    let (calls, lists) = (std::cell::Cell::new(0), [&[2i64][..], &[1, 1, 1, 2]]);
    let changing = std::iter::once(()).map(|()| lists[calls.replace(calls.get() + 1).min(1)]);
    assert!(stride::broadcast::sizes(changing).is_ok());
}

/// One element that is meant more often than a short `usize` counts.
#[test]
#[cfg(target_pointer_width = "32")]
fn runs_that_are_too_long_are_refused() {
    let often = LayoutBuf::packed::<i64>(Dtype::U8, &[]).unwrap().broadcast_to(&[(1i64 << 32) + 5]).unwrap();
    let error = runs::over([&often]).unwrap_err();
    assert_eq!((error.status, error.lhs, error.rhs), (Status::Overflow, (1 << 32) + 5, u32::MAX as i64));
}
