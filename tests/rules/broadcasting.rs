//! NumPy's broadcasting and DirectML's, next to XLA's, which `seed_pages.rs` has.

use super::*;

/// numpy.org, "Broadcasting": every example of the page.
#[test]
fn examples_of_numpy() {
    for (shapes, result) in [
        (vec![&[256, 256, 3][..], &[3]], vec![256, 256, 3]),
        (vec![&[8, 1, 6, 1], &[7, 1, 5]], vec![8, 7, 6, 5]),
        (vec![&[5, 4], &[1]], vec![5, 4]),
        (vec![&[5, 4], &[4]], vec![5, 4]),
        (vec![&[15, 3, 5], &[15, 1, 5]], vec![15, 3, 5]),
        (vec![&[15, 3, 5], &[3, 5]], vec![15, 3, 5]),
        (vec![&[15, 3, 5], &[3, 1]], vec![15, 3, 5]),
        (vec![&[4, 1], &[3]], vec![4, 3]),
        // numpy.broadcast_shapes
        (vec![&[1, 2], &[3, 1], &[3, 2]], vec![3, 2]),
        (vec![&[6, 7], &[5, 6, 1], &[7], &[5, 1, 7]], vec![5, 6, 7]),
    ] {
        assert_eq!(broadcast_sizes(&shapes).unwrap(), result, "{shapes:?}");
        let layouts: Vec<_> = shapes.iter().map(|sizes| packed(F32, sizes)).collect();
        for view in broadcast_layouts(&layouts).unwrap() {
            assert_eq!(sizes(&view), result);
        }
    }
    let mismatch = |shapes: &[&[i64]]| {
        let e = error(broadcast_sizes(shapes));
        (e.status, e.item, e.dimension, e.lhs, e.rhs)
    };
    let status = Status::BroadcastMismatch.number();
    assert_eq!(mismatch(&[&[3], &[4]]), (status, 1, 0, 3, 4)); // "trailing dimensions do not match"
    assert_eq!(mismatch(&[&[2, 1], &[8, 4, 3]]), (status, 1, 1, 2, 4)); // "second from last dimensions mismatched"
}

#[test]
fn degenerate_operands() {
    assert_eq!(broadcast_sizes(&[]), Ok(vec![]), "zero operands: rank 0");
    assert_eq!(broadcast_layouts(&[]).unwrap().len(), 0);
    assert_eq!(broadcast_sizes(&[&[]]), Ok(vec![]));
    assert_eq!(broadcast_sizes(&[&[1], &[0]]), Ok(vec![0]), "1 stretches, also to 0");
    assert_eq!(broadcast_sizes(&[&[3, 1], &[0]]), Ok(vec![3, 0]));
    let e = error(broadcast_sizes(&[&[0], &[3]]));
    assert_eq!((e.status, e.lhs, e.rhs), (Status::BroadcastMismatch.number(), 0, 3), "0 against k > 1");
    let e = error(broadcast_sizes(&[&[2], &[3, -1]]));
    assert_eq!((e.status, e.item, e.dimension), (Status::InvalidSize.number(), 1, 1));
    // dtypes do not matter, nor offsets and signs.
    let mirrored = at(8, layout(Dtype::U16.code(), &[3, 1], &[-4, 9]));
    let views = broadcast_layouts(&[mirrored, packed(F32, &[2, 1, 5])]).unwrap();
    assert_eq!(fields(&views[0]), (vec![2, 3, 5], vec![0, -4, 0], 8));
    assert_eq!(fields(&views[1]), (vec![2, 3, 5], vec![5, 0, 1], 0));
    assert_eq!((views[0].dtype, views[1].dtype), (Dtype::U16.code(), F32));
}

/// numpy.broadcast_to.
#[test]
fn to_given_sizes() {
    let row = packed(U8, &[3]);
    assert_eq!(fields(&broadcast_to(&row, &[3, 3]).unwrap()), (vec![3, 3], vec![0, 1], 0));
    assert_eq!(gather(&broadcast_to(&row, &[3, 3]).unwrap(), &[1, 2, 3]), [1, 2, 3, 1, 2, 3, 1, 2, 3]);
    assert_eq!(fields(&broadcast_to(&packed(U8, &[1]), &[0]).unwrap()), (vec![0], vec![0], 0));
    assert_eq!(status(broadcast_to(&packed(U8, &[1, 3]), &[3])), Status::InvalidRank.number(), "never shrinks");
    let e = error(broadcast_to(&row, &[3, 1]));
    assert_eq!((e.status, e.dimension, e.lhs, e.rhs), (Status::BroadcastMismatch.number(), 1, 3, 1));
}

/// XLA, shape_inference.cc: what the page does not show.
#[test]
fn of_as_many_dimensions_as_there_are() {
    let mut long = [1i64; 64];
    (long[0], long[40], long[63]) = (2, 3, 5);
    let row = packed(F32, &[5]);
    assert_eq!(broadcast_sizes(&[&long, &[5]]).unwrap(), long);
    let wide = broadcast_to(&row, &long).unwrap();
    assert_eq!((sizes(&wide), &strides(&wide)[..63], strides(&wide)[63]), (&long[..], &[0; 63][..], 1));
    let all = broadcast_layouts(&[row, packed(F32, &long)]).unwrap();
    assert_eq!(fields(&all[0]), fields(&wide));
    let placed = broadcast_in_dim(&packed(F32, &[3]), &long, &[40]).unwrap();
    assert_eq!((sizes(&placed), strides(&placed)[40], strides(&placed)[63]), (&long[..], 1, 0));
    let every: Vec<i64> = (0..64).collect();
    let same = broadcast_in_dim(&packed(F32, &long), &long, &every).unwrap();
    assert_eq!(fields(&same), fields(&packed(F32, &long)));
    let (lhs, rhs) = xla_broadcast(&row, &packed(F32, &long), &[63]).unwrap();
    assert_eq!((fields(&lhs), fields(&rhs)), (fields(&wide), fields(&packed(F32, &long))));
    // One more is one too many, of either.
    let rank = |answer| reason(answer);
    let too_many = [1; 65];
    assert_eq!(
        rank(broadcast_to(&row, &too_many)),
        (Status::InvalidRank.number(), Argument::Rank.number(), -1, 65, 64)
    );
    let e = error(broadcast_sizes(&[&[5], &too_many]));
    assert_eq!((e.status, e.item, e.lhs, e.rhs), (Status::InvalidRank.number(), 1, 65, 64));
}

#[test]
fn xla_is_strict() {
    let pair = |lhs: &[i64], rhs: &[i64], dimensions: &[i64]| {
        let views = xla_broadcast(&packed(F32, lhs), &packed(F32, rhs), dimensions)?;
        Ok((sizes(&views.0).to_vec(), strides(&views.0).to_vec(), strides(&views.1).to_vec()))
    };
    // Equal ranks: empty or the identity.
    assert_eq!(pair(&[2, 3], &[2, 3], &[]), Ok((vec![2, 3], vec![3, 1], vec![3, 1])));
    assert_eq!(pair(&[2, 3], &[2, 3], &[0, 1]), pair(&[2, 3], &[2, 3], &[]));
    let axes = (Status::InvalidAxes.number(), Argument::BroadcastDimensions.number());
    assert_eq!(reason(pair(&[3, 3], &[3, 3], &[1, 0])), (axes.0, axes.1, 0, 1, 0));
    let count = (Status::InvalidRank.number(), Argument::Count.number());
    assert_eq!(reason(pair(&[3, 3], &[3, 3], &[0])), (count.0, count.1, -1, 1, 2));
    // {2,1} on sizes that do not match: the mismatch is found before the order.
    let e = error(pair(&[2, 3, 5], &[5, 7], &[2, 1]));
    assert_eq!((e.status, e.dimension, e.lhs, e.rhs), (Status::BroadcastMismatch.number(), 1, 3, 7));
    // A size of 1 stretches on either side, also to 0.
    assert_eq!(pair(&[4, 0], &[1], &[1]), Ok((vec![4, 0], vec![0, 0], vec![0, 0])));
    assert_eq!(pair(&[2], &[3, 1, 5], &[1]), Ok((vec![3, 2, 5], vec![0, 1, 0], vec![5, 0, 1])));
}

/// DirectML never broadcasts by itself (sdk-api#1262): full sizes with stride 0 say it.
#[test]
fn directml_is_explicit() {
    let view = broadcast_to(&packed(F32, &[1, 3, 1, 1]), &[2, 3, 4, 5]).unwrap();
    assert_eq!(
        to_dml(&view).unwrap(),
        Described {
            data_type: STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32,
            sizes: vec![2, 3, 4, 5],
            strides: vec![0, 1, 0, 0],
            total_bytes: 12,
            base_offset_bytes: 0,
        }
    );
}
