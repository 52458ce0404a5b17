//! Views, with the examples of NumPy's documentation.

use super::*;

/// numpy.org, "Indexing on ndarrays", basic slicing of arange(10).
#[test]
fn slices_of_numpy() {
    let x = counted(10);
    let cut = |start, stop, step| {
        gather(&slice(&packed(U8, &[10]), Some(&[start]), Some(&[stop]), Some(&[step])).unwrap(), &x)
    };
    let (past_start, past_end) = (i64::MIN, i64::MAX);
    assert_eq!(cut(1, 7, 2), [1, 3, 5]); // x[1:7:2]
    assert_eq!(cut(-2, 10, 1), [8, 9]); // x[-2:10]
    assert_eq!(cut(-3, 3, -1), [7, 6, 5, 4]); // x[-3:3:-1]
    assert_eq!(cut(5, past_end, 1), [5, 6, 7, 8, 9]); // x[5:]
    assert_eq!(cut(past_end, past_start, -1), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]); // x[::-1]
    // Clamped, by hand: x[20:], x[:-20], x[-20:3], x[3:0:-2], x[2:-20:-1], x[0:10:100], x[9:0:-100].
    assert_eq!(cut(20, past_end, 1), [0; 0]);
    assert_eq!(cut(0, -20, 1), [0; 0]);
    assert_eq!(cut(-20, 3, 1), [0, 1, 2]);
    assert_eq!(cut(3, 0, -2), [3, 1]);
    assert_eq!(cut(2, -20, -1), [2, 1, 0]);
    assert_eq!(cut(0, 10, 100), [0]);
    assert_eq!(cut(9, 0, i64::MIN), [9]);
    assert_eq!(cut(past_start, past_end, i64::MAX), [0]);
    let whole = slice(&packed(U8, &[10]), None, None, None).unwrap();
    assert!(equal(&whole, &packed(U8, &[10])));
    let mirrored = slice(&packed(U8, &[10]), None, None, Some(&[-1])).unwrap();
    assert_eq!(fields(&mirrored), (vec![10], vec![-1], 9));
    let zero = slice(&packed(U8, &[10]), None, None, Some(&[0]));
    assert_eq!(reason(zero), (Status::InvalidArgument.number(), Argument::Steps.number(), 0, 0, 0));
}

#[test]
fn crop_is_strict() {
    let matrix = packed(U8, &[4, 5]);
    assert_eq!(fields(&crop(&matrix, &[1, 2], &[2, 3]).unwrap()), (vec![2, 3], vec![5, 1], 7));
    let outside = |starts, sizes| reason(crop(&matrix, starts, sizes));
    let range = Status::IndexOutOfRange.number();
    assert_eq!(outside(&[1, 3], &[2, 3]), (range, Argument::Sizes.number(), 1, 6, 5));
    assert_eq!(outside(&[-1, 0], &[1, 1]), (range, Argument::Starts.number(), 0, -1, 5)); // 0 ... 4: a start at the end is none
    assert_eq!(outside(&[0, 6], &[1, 0]), (range, Argument::Starts.number(), 1, 6, 6));
    assert_eq!(outside(&[1, 1], &[1, i64::MAX]).0, range);
    assert_eq!(outside(&[0, 0], &[1, -1]), (Status::InvalidSize.number(), Argument::Sizes.number(), 1, -1, 0));
}

/// numpy.transpose: np.ones((1, 2, 3)).transpose((1, 0, 2)) has shape (2, 1, 3); ones((2, 3, 4, 5)) transposed
/// without axes (5, 4, 3, 2).
#[test]
fn permutations() {
    assert_eq!(sizes(&permute(&packed(F32, &[1, 2, 3]), &[1, 0, 2]).unwrap()), [2, 1, 3]);
    let reversed = permute(&packed(F32, &[2, 3, 4, 5]), &[3, 2, 1, 0]).unwrap();
    assert_eq!(fields(&reversed), (vec![5, 4, 3, 2], vec![1, 5, 20, 60], 0));
    for (axes, position, number) in [([0, 0, 1], 1, 0), ([0, 1, 3], 2, 3), ([-1, 2, 0], 1, 2), ([-4, 0, 1], 0, -4)] {
        let refused = reason(permute(&packed(F32, &[2, 3, 4]), &axes));
        assert_eq!(refused, (Status::InvalidAxes.number(), Argument::Axes.number(), position, number, 3), "{axes:?}");
    }
}

/// numpy.diagonal of arange(8).reshape(2,2,2) with (0, 0, 1): [[0, 6], [1, 7]]; of arange(4).reshape(2,2): [0, 3],
/// with offset 1: [1].
#[test]
fn diagonals() {
    let cube = diagonal(&packed(U8, &[2, 2, 2]), 0, 0, 1).unwrap();
    assert_eq!((sizes(&cube), gather(&cube, &counted(8))), (&[2, 2][..], vec![0, 6, 1, 7]));
    let matrix = packed(U8, &[2, 2]);
    assert_eq!(gather(&diagonal(&matrix, 0, 0, 1).unwrap(), &counted(4)), [0, 3]);
    assert_eq!(gather(&diagonal(&matrix, 1, 0, 1).unwrap(), &counted(4)), [1]);
    assert_eq!(status(diagonal(&matrix, 0, 1, -1)), Status::InvalidAxes.number());
    assert_eq!(sizes(&diagonal(&matrix, i64::MIN, 0, 1).unwrap()), [0]);
}

/// numpy.ravel_multi_index and numpy.unravel_index: the examples of their pages.
#[test]
fn raveled_indices() {
    for (sizes, pairs) in [
        (vec![7, 6], vec![(vec![3, 4], 22), (vec![6, 5], 41), (vec![6, 1], 37)]),
        (vec![6, 7, 8, 9], vec![(vec![3, 1, 4, 1], 1621)]),
    ] {
        // Strides do not matter.
        for layout in [packed(U8, &sizes), layout(U8, &sizes, &vec![0; sizes.len()])] {
            for (index, number) in &pairs {
                assert_eq!(ravel(&layout, index), Ok(*number));
                assert_eq!(unravel(&layout, *number).unwrap(), *index);
            }
        }
    }
    let matrix = packed(U8, &[7, 6]);
    let e = error(ravel(&matrix, &[3, 6]));
    assert_eq!((e.status, e.dimension, e.lhs, e.rhs), (Status::IndexOutOfRange.number(), 1, 6, 6));
    assert_eq!(status(ravel(&matrix, &[-1, 0])), Status::IndexOutOfRange.number());
    assert_eq!(reason(offset_of(&matrix, &[1])), (Status::InvalidRank.number(), Argument::Rank.number(), -1, 1, 2));
    assert_eq!(status(unravel(&matrix, 42)), Status::IndexOutOfRange.number());
    assert_eq!(status(unravel(&matrix, -1)), Status::IndexOutOfRange.number());
}

/// torch.Tensor.view: dimensions join where stride[i] = stride[i+1] * size[i+1]; numpy.reshape: one -1.
#[test]
fn reshape_as_a_view() {
    let to = |sizes: &[i64], strides: &[i64], wanted: &[i64]| {
        reshape(&layout(U8, sizes, strides), wanted)
            .map(|view| (view.sizes[..view.rank as usize].to_vec(), { view.strides[..view.rank as usize].to_vec() }))
    };
    assert_eq!(to(&[4, 4], &[4, 1], &[16]), Ok((vec![16], vec![1])));
    assert_eq!(to(&[4, 4], &[4, 1], &[-1, 8]), Ok((vec![2, 8], vec![8, 1])));
    assert_eq!(to(&[2, 3, 4], &[24, 8, 2], &[6, -1]), Ok((vec![6, 4], vec![8, 2])));
    assert_eq!(to(&[2, 3, 4], &[-12, -4, -1], &[24]), Ok((vec![24], vec![-1])));
    assert_eq!(to(&[2, 3], &[0, 0], &[3, 2]), Ok((vec![3, 2], vec![0, 0])));
    assert_eq!(to(&[2, 12], &[100, 1], &[2, 3, 4]), Ok((vec![2, 3, 4], vec![100, 4, 1])));
    assert_eq!(to(&[0, 3], &[3, 1], &[-1, 7]).unwrap().0, [0, 7]);
    assert_eq!(to(&[1], &[9], &[]), Ok((vec![], vec![])));
    // A copy is needed: transposed, padded, broadcast along a split.
    for (sizes, strides, wanted) in
        [([3, 2], [1, 3], &[6][..]), ([2, 4], [8, 1], &[8]), ([2, 3], [0, 1], &[6]), ([4, 6], [1, 4], &[3, 8])]
    {
        assert_eq!(status(to(&sizes, &strides, wanted)), Status::NotRepresentable.number(), "{sizes:?} {strides:?}");
    }
    // numpy gh-7455: the products are checked. 2^32 * 2^32 * 6 wraps to 0 in 64 bits.
    let mismatch = (Status::ShapeMismatch.number(), Argument::Sizes.number(), -1);
    assert_eq!(reason(to(&[0], &[1], &[1 << 32, 1 << 32, 6])), (mismatch.0, mismatch.1, -1, i64::MAX, 0));
    assert_eq!(reason(to(&[2, 3], &[3, 1], &[5])), (mismatch.0, mismatch.1, mismatch.2, 5, 6));
    assert_eq!(reason(to(&[2, 3], &[3, 1], &[4, -1])), (mismatch.0, mismatch.1, mismatch.2, 6, 4));
    assert_eq!(reason(to(&[2, 3], &[3, 1], &[-1, -1])).0, Status::InvalidSize.number());
    assert_eq!(reason(to(&[2, 3], &[3, 1], &[-2, -3])).0, Status::InvalidSize.number());
    assert_eq!(status(to(&[0, 3], &[3, 1], &[0, -1])), Status::ShapeMismatch.number(), "any number would do: none");
}

#[test]
fn split_merge_squeeze_expand() {
    let matrix = at(3, layout(U8, &[2, 12], &[50, -2]));
    let halves = split(&matrix, 1, &[3, -1]).unwrap();
    assert_eq!(fields(&halves), (vec![2, 3, 4], vec![50, -8, -2], 3));
    assert_eq!(fields(&merge(&halves, -2, 2).unwrap()), fields(&matrix));
    assert_eq!(
        reason(merge(&halves, 0, 2)),
        (Status::NotRepresentable.number(), Argument::Layout.number(), 0, 50, -24)
    );
    assert_eq!(status(merge(&halves, 1, 3)), Status::InvalidArgument.number());
    assert_eq!(reason(split(&matrix, 1, &[5, 2])).0, Status::ShapeMismatch.number());
    assert_eq!(reason(split(&matrix, 2, &[5, 2])).0, Status::InvalidAxes.number());
    // numpy.expand_dims: axes are those of the result; numpy.squeeze refuses sizes other than 1.
    let wide = expand_dims(&packed(U8, &[2, 3]), &[0, -1]).unwrap();
    assert_eq!(fields(&wide), (vec![1, 2, 3, 1], vec![6, 3, 1, 1], 0));
    assert_eq!(fields(&squeeze(&wide, &[0, -1]).unwrap()), (vec![2, 3], vec![3, 1], 0));
    assert_eq!(reason(squeeze(&wide, &[1])), (Status::InvalidSize.number(), Argument::Layout.number(), 1, 2, 1));
    assert_eq!(status(expand_dims(&packed(U8, &[2]), &[0, 0])), Status::InvalidAxes.number());
    assert_eq!(sizes(&pad_rank(&packed(U8, &[2, 3]), 4, 1).unwrap()), [2, 1, 1, 3]);
    assert_eq!(status(pad_rank(&packed(U8, &[2, 3]), 1, 0)), Status::InvalidRank.number());
    assert_eq!(status(pad_rank(&packed(U8, &[2, 3]), 4, 3)), Status::InvalidAxes.number());
}

#[test]
fn merged_dimensions_of_size_1_may_have_any_stride() {
    for stride in [0, -7, 12, i64::MIN, i64::MAX] {
        for (place, sizes, strides) in
            [(0, [1, 3, 4], [stride, 4, 1]), (1, [3, 1, 4], [4, stride, 1]), (2, [3, 4, 1], [4, 1, stride])]
        {
            let merged = merge(&layout(F32, &sizes, &strides), 0, 3).unwrap();
            assert_eq!(fields(&merged), (vec![12], vec![1], 0), "{stride} at {place}");
        }
        // Alone, it keeps what it has; of several the last does.
        assert_eq!(fields(&merge(&layout(F32, &[1, 5], &[stride, 1]), 0, 1).unwrap()).1, [stride, 1]);
        assert_eq!(fields(&merge(&layout(F32, &[1, 1, 5], &[3, stride, 1]), 0, 2).unwrap()).0, [1, 5]);
        // And it joins nothing that is apart.
        let apart = merge(&layout(F32, &[3, 1, 4], &[8, stride, 1]), 0, 3);
        assert_eq!(reason(apart), (Status::NotRepresentable.number(), Argument::Layout.number(), 0, 8, 4));
    }
}

#[test]
fn broken_layouts_are_refused_by_every_view() {
    let mut broken = packed(F32, &[2, 3]);
    broken.strides[0] = i64::MAX;
    let results = [
        permute(&broken, &[0, 1]),
        slice(&broken, None, None, None),
        flip(&broken, &[]),
        squeeze_all(&broken),
        reshape(&broken, &[6]),
        broadcast_to(&broken, &[2, 3]),
        canonical(&broken, 0),
    ];
    for result in results {
        // 1 * (2^63 - 1) fits, 2 more in dimension 1 do not.
        assert_eq!(reason(result), (Status::Overflow.number(), Argument::Layout.number(), 1, 3, 1));
    }
    let e = error(broadcast_layouts(from_ref(&broken)));
    assert_eq!(e.status, Status::Overflow.number());
}
