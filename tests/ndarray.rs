//! Arrays of ndarray: what `assign` does is the oracle. Run with `--features ndarray`.

mod oracle;

use ndarray::{Array, Array1, Array2, ArrayD, ArrayViewD, Axis, Dimension, IxDyn, Slice, arr2, s};
use oracle::Random;
use stride::error::Status;
use stride::slices::ndarray::{copy, copy_to_uninit, layout_of, view, view_mut};
use stride::{Dtype, LayoutBuf};

/// The axes in any order.
fn any_order(random: &mut Random, rank: usize) -> Vec<usize> {
    let mut axes: Vec<usize> = (0..rank).collect();
    random.shuffle(&mut axes);
    axes
}

/// How every axis is sliced so that `shape` is left, and the shape before.
fn slices(random: &mut Random<'_>, shape: &[usize]) -> (Vec<usize>, Vec<Slice>) {
    let mut below_3 = || random.below(3) as usize;
    let one = |&size: &usize| {
        let (begin, step, after) = (below_3(), 1 + below_3(), below_3());
        let end = begin + if size == 0 { 0 } else { (size - 1) * step + 1 };
        let step = step as isize * if below_3() == 0 { -1 } else { 1 };
        (end + after, Slice::new(begin as isize, Some(end as isize), step))
    };
    shape.iter().map(one).unzip()
}

/// Calls with an array of this shape: a slice of a larger one, its axes in any order, any of them downward.
fn sliced(
    random: &mut Random<'_>,
    shape: &[usize],
    then: impl FnOnce(&mut ndarray::ArrayViewMutD<'_, i32>),
) -> ArrayD<i32> {
    let axes = any_order(random, shape.len());
    let mut before = vec![0; shape.len()];
    for (place, &axis) in axes.iter().enumerate() {
        before[axis] = shape[place];
    }
    let (whole, slices) = slices(random, &before);
    let mut parent =
        ArrayD::from_shape_vec(IxDyn(&whole), (0..whole.iter().product::<usize>() as i32).collect()).unwrap();
    let sliced = parent.slice_each_axis_mut(|axis| slices[axis.axis.index()]);
    then(&mut sliced.permuted_axes(axes));
    parent
}

#[test]
fn copies_are_those_of_assign() {
    let mut random = Random::new(1);
    for _ in 0..oracle::times(3000) {
        let rank = random.below(5) as usize;
        let shape: Vec<usize> =
            (0..rank).map(|_| [1, 2, 3, 4, 9, 0][random.below(if rank < 3 { 6 } else { 5 }) as usize]).collect();
        // The source has fewer dimensions, or size 1 in some.
        let skipped = random.below(rank as u64 + 1) as usize * usize::from(random.one_in(3));
        let stretched = |&size: &usize| if random.one_in(5) { 1 } else { size };
        let narrow: Vec<usize> = shape[skipped..].iter().map(stretched).collect();
        let (seed_of_src, seed) = (random.next(), random.next());
        sliced(&mut Random::new(seed_of_src), &narrow, |src| {
            let src: ArrayViewD<'_, i32> = src.view();
            let expected = sliced(&mut Random::new(seed), &shape, |dst| dst.assign(&src));
            let found = sliced(&mut Random::new(seed), &shape, |dst| copy(dst, &src).unwrap());
            assert_eq!(found, expected, "{shape:?} from {narrow:?}");

            let mut memory = ArrayD::<i32>::uninit(IxDyn(&shape));
            copy_to_uninit(&mut memory, &src).unwrap();
            // SAFETY: all of it was written.
            let written = unsafe { memory.assume_init() };
            assert_eq!(written, src.broadcast(IxDyn(&shape)).unwrap());

            // And back: the array by the layout of itself.
            let layout = layout_of(&src).unwrap();
            assert_eq!(layout.view().unwrap().span().0, 0);
            assert_eq!(layout.sizes().iter().map(|&size| size as usize).collect::<Vec<_>>(), src.shape());
        });
    }
}

#[test]
fn views_of_slices_are_those_of_the_layout() {
    let mut random = Random::new(3);
    for _ in 0..oracle::times(3000) {
        let rank = random.below(4) as usize;
        let sizes: Vec<i64> = (0..rank).map(|_| random.pick(&[1, 2, 3, 5, 0])).collect();
        let order: Vec<i64> = any_order(&mut random, rank).into_iter().map(|axis| axis as i64).collect();
        let down: Vec<i64> = (0..rank as i64).filter(|_| random.one_in(3)).collect();
        let layout = LayoutBuf::ordered(Dtype::S32, &sizes, &order).unwrap().flip(&down).unwrap();
        let mut elements: Vec<i32> = (0..layout.element_count() as i32).collect();
        let mut copied = vec![0; elements.len()];
        stride::copy(&mut copied, &LayoutBuf::packed(Dtype::S32, &sizes).unwrap(), &elements, &layout).unwrap();
        let seen = view(&elements, &layout).unwrap();
        assert!(seen.iter().eq(&copied), "{layout}");
        if !seen.is_empty() && sizes.iter().all(|&size| size > 1) {
            assert_eq!(layout_of(&seen).unwrap(), layout);
        }
        view_mut(&mut elements, &layout).unwrap().fill(-1);
        assert!(elements.iter().all(|&element| element == -1), "{layout}");
    }
}

/// Strides of dimensions of one element, and of layouts of none, may be anything.
#[test]
fn strides_that_say_nothing_are_not_looked_at() {
    for any in [i64::MIN, i64::MAX, -1, 0, 1, 7] {
        let row = LayoutBuf::new(Dtype::S32, 0, &[1, 3, 1], &[any, 1, any]).unwrap();
        assert_eq!(view(&[1, 2, 3], &row).unwrap(), Array::from(vec![1, 2, 3]).to_shape((1, 3, 1)).unwrap().into_dyn());
        view_mut(&mut [1, 2, 3], &row).unwrap()[[0, 2, 0]] = 4;
        let none = LayoutBuf::new(Dtype::S32, 0, &[2, 0, 3], &[any, any, any]).unwrap();
        assert_eq!(view::<i32>(&[], &none).unwrap().shape(), [2, 0, 3]);
        assert_eq!(view_mut(&mut [1, 2, 3], &none).unwrap().shape(), [2, 0, 3]);
    }
}

#[test]
fn what_arrays_cannot_be_is_an_error() {
    let status =
        |result: stride::Result<ArrayViewD<'_, u8>>| result.map(|view| view.len()).map_err(|error| error.status);
    let row = LayoutBuf::packed(Dtype::U8, &[3]).unwrap();
    assert_eq!(status(view(&[1, 2], &row)), Err(Status::OutOfBounds));
    assert_eq!(status(view(&[1, 2, 3], &row.repeat(0, 5).unwrap())), Ok(15));
    assert_eq!(status(view(&[7], &LayoutBuf::new(Dtype::U8, 0, &[1 << 30], &[0]).unwrap())), Ok(1 << 30));
    let below = LayoutBuf::new(Dtype::U8, 0, &[3], &[-1]).unwrap();
    assert_eq!(status(view(&[1, 2, 3], &below)), Err(Status::OutOfBounds));
    let words = LayoutBuf::packed(Dtype::U16, &[1]).unwrap();
    assert_eq!(status(view(&[1, 2, 3], &words)), Err(Status::DtypeMismatch));
    let nibbles = LayoutBuf::packed(Dtype::U4, &[2]).unwrap();
    assert_eq!(status(view(&[1, 2, 3], &nibbles)), Err(Status::Unsupported));
    let error = view_mut(&mut [1, 2, 3u8], &row.repeat(0, 5).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "layout: two indices map to one element; a destination has an element for each");

    let mut matrix = Array2::<u8>::zeros((2, 3));
    let error = copy(&mut matrix, &Array1::zeros(2)).unwrap_err();
    assert_eq!((error.status, error.dimension, error.lhs, error.rhs), (Status::BroadcastMismatch, 1, 2, 3));
    assert_eq!(copy(&mut matrix, &ArrayD::zeros(IxDyn(&[1, 2, 3]))).unwrap_err().status, Status::InvalidRank);
    let deep = ArrayD::<u8>::zeros(IxDyn(&[1; 65]));
    assert_eq!(layout_of(&deep).unwrap_err().status, Status::InvalidRank);
}

#[test]
fn two_views_of_one_array_may_interleave() {
    let mut array = Array::from_iter(0..12).into_shape_with_order((4, 3)).unwrap();
    let (mut even, odd) = array.multi_slice_mut((s![..;2, ..], s![1..;2, ..;-1]));
    copy(&mut even, &odd).unwrap();
    assert_eq!(array, arr2(&[[5, 4, 3], [3, 4, 5], [11, 10, 9], [9, 10, 11]]));
    let (mut left, right) = array.view_mut().split_at(Axis(1), 1);
    copy(&mut left, &right.slice(s![.., 1..])).unwrap();
    assert_eq!(array, arr2(&[[3, 4, 3], [5, 4, 5], [9, 10, 9], [11, 10, 11]]));
    assert_eq!(array.raw_dim().ndim(), 2);
}

/// An empty layout whose other sizes ndarray does not multiply: the record has their product.
#[test]
fn sizes_of_nothing_that_no_array_has() {
    let empty = LayoutBuf::packed(Dtype::U8, &[0, 1u64 << 31, 1 << 31]).unwrap();
    assert_eq!(view::<u8>(&[], &empty).unwrap().len(), 0);
    let empty = LayoutBuf::packed(Dtype::U8, &[0, 1u64 << 40, 1 << 40]).unwrap();
    let error = view::<u8>(&[], &empty).unwrap_err();
    assert_eq!((error.status, error.lhs, error.rhs), (Status::Overflow, i64::MAX, isize::MAX as i64));
}
