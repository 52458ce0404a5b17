//! Every example with numbers on the pages that libstride was made from, computed by the library.
//!
//! The pages: DirectML, "Using strides to express padding and memory layout" (learn.microsoft.com); XLA, "Shapes and
//! layout" and "Broadcasting semantics" (openxla.org). Letters and sums are the pages' own, moved by real copies.

mod common;

/// DirectML, "Using strides to express padding and memory layout".
mod directml {
    use super::common::*;

    const U8: u32 = Dtype::U8.code();

    /// "Two-dimensional (2D) arrays": offsets 0 … 5 hold A B C D E F in row-major order.
    #[test]
    fn row_major_2x3() {
        let hw = layout(U8, &[2, 3], &[3, 1]);
        assert_eq!(scatter(&hw, b"ABCDEF"), b"ABCDEF");
        assert_eq!(gather(&hw, b"ABCDEF"), b"ABCDEF");
        // "tensor[1][0] = 'D'": the distance from A to D is 3, the width.
        assert_eq!((offset_of(&hw, &[0, 0]), offset_of(&hw, &[1, 0])), (Ok(0), Ok(3)));
        assert_eq!(fields(&packed(U8, &[2, 3])), (vec![2, 3], vec![3, 1], 0));
    }

    /// The same section: column-major offsets 0 … 5 hold A D B E C F; the height stride is 1, the width stride 2.
    #[test]
    fn column_major_2x3() {
        let wh = layout(U8, &[2, 3], &[1, 2]);
        assert_eq!(scatter(&wh, b"ABCDEF"), b"ADBECF");
        assert_eq!(gather(&wh, b"ADBECF"), b"ABCDEF");
        assert_eq!(strides(&ordered(U8, &[2, 3], &[0, 1]).unwrap()), [1, 2]);
        assert_eq!(formats(&wh), Ok(STRIDE_FORMAT_COLUMN_MAJOR | STRIDE_FORMAT_DENSE));
    }

    /// "Higher dimensions": DHW of 2x2x3 has D-stride 2 * 3 = 6, H-stride 3, W-stride 1; offsets 0 … 11 hold A … L.
    #[test]
    fn dhw_2x2x3() {
        let dhw = packed(U8, &[2, 2, 3]);
        assert_eq!(strides(&dhw), [6, 3, 1]);
        assert_eq!(scatter(&dhw, b"ABCDEFGHIJKL"), b"ABCDEFGHIJKL");
        // The distances that the page names: A to G, A to D, A to B.
        let offset = |d, h, w| offset_of(&dhw, &[d, h, w]).unwrap();
        assert_eq!([offset(1, 0, 0), offset(0, 1, 0), offset(0, 0, 1)], [6, 3, 1]);
        for (linear, letter) in (b'A'..=b'L').enumerate() {
            let index = unravel(&dhw, linear as i64).unwrap();
            assert_eq!(b"ABCDEFGHIJKL"[offset_of(&dhw, &index).unwrap() as usize], letter, "{index:?}");
        }
    }

    /// The same section: "the offset of element H (d = 1, h = 0, w = 1) is 7", {1, 0, 1} . {6, 3, 1} = 7.
    #[test]
    fn offset_of_h_is_7() {
        let dhw = layout(U8, &[2, 2, 3], &[6, 3, 1]);
        assert_eq!(offset_of(&dhw, &[1, 0, 1]), Ok(7));
        assert_eq!(byte_offset_of(&layout(Dtype::F32.code(), &[2, 2, 3], &[6, 3, 1]), &[1, 0, 1]), Ok((28, 0)));
        assert_eq!(b"ABCDEFGHIJKL"[7], b'H');
        let h = crop(&dhw, &[1, 0, 1], &[1, 1, 1]).unwrap();
        assert_eq!(gather(&h, b"ABCDEFGHIJKL"), b"H");
    }

    /// "Packed tensors": a 2x2x3 tensor is packed if its buffer has 12 elements and no two elements share an offset.
    #[test]
    fn packed_is_12_elements_each_once() {
        let dhw = packed(U8, &[2, 2, 3]);
        assert_eq!((element_count(&dhw), min_bytes(&dhw)), (Ok(12), Ok(12)));
        assert_eq!(self_overlap(&dhw, 0), Ok(false));
        assert_eq!(formats(&dhw), Ok(STRIDE_FORMAT_PACKED | STRIDE_FORMAT_DENSE));
    }

    /// "Broadcasting with strides": logically ABC / ABC, physically three elements, by a height stride of 0.
    #[test]
    fn broadcast_rows() {
        let rows = layout(U8, &[2, 3], &[0, 1]);
        assert_eq!((element_count(&rows), min_bytes(&rows)), (Ok(6), Ok(3)));
        assert_eq!(dml_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, &[2, 3], Some(&[0, 1])), Ok(12));
        assert_eq!(self_overlap(&rows, 0), Ok(true));
        assert_eq!(formats(&rows), Ok(0));
        assert_eq!(gather(&rows, b"ABC"), b"ABCABC");
        assert_eq!(fields(&broadcast_to(&packed(U8, &[3]), &[2, 3]).unwrap()), fields(&rows));
        // "this can be stored as a packed row-major tensor" too; that takes all six.
        assert_eq!(scatter(&packed(U8, &[2, 3]), &gather(&rows, b"ABC")), b"ABCABC");
    }

    /// The same section: "if the tensor is NCHW and the C-stride is 0, each channel has the same values along H and W".
    #[test]
    fn broadcast_channels() {
        let nchw = layout(U8, &[1, 3, 2, 2], &[4, 0, 2, 1]);
        assert_eq!(gather(&nchw, b"ABCD"), b"ABCDABCDABCD");
    }

    /// "Padding with strides": A B C x x D E F x x is a 2x3 tensor with a height stride of 5.
    #[test]
    fn padded_rows() {
        let padded = layout(U8, &[2, 3], &[5, 1]);
        assert_eq!(gather(&padded, b"ABCxxDEFxx"), b"ABCDEF");
        // The last row's padding is not needed: elements 0 … 7 are.
        assert_eq!((span(&padded), min_bytes(&padded)), (Ok((0, 7)), Ok(8)));
        assert_eq!(scatter(&padded, b"ABCDEF"), b"ABCxxDEF");
        let whole = fill_rest(b"x");
        let mut buffer = *b"0123456789";
        copy_with(&whole, (&padded, &mut buffer), (&packed(U8, &[2, 3]), b"ABCDEF")).unwrap();
        assert_eq!(&buffer, b"ABCxxDEFxx");
        assert_eq!(dml_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, &[2, 3], Some(&[5, 1])), Ok(32));
        assert_eq!(dml_size(STRIDE_DML_TENSOR_DATA_TYPE_UINT8, &[2, 3], Some(&[5, 1])), Ok(8));
        assert_eq!(strides(&pitched(U8, &[2, 3], 0, 5).unwrap()), [5, 1]);
        assert_eq!(formats(&padded), Ok(0));
    }

    /// The same section: without broadcast and overlap "the minimum size is simply the product of the dimensions".
    #[test]
    fn minimum_size_of_the_packed_one() {
        assert_eq!(dml_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, &[2, 3], None), Ok(24));
        assert_eq!(dml_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, &[2, 3], Some(&[3, 1])), Ok(24));
    }

    /// "DirectML buffer tensor descriptions": HW data becomes {1, 1, H, W}, "leading dimensions padded with 1s".
    #[test]
    fn hw_becomes_11hw() {
        let hw = packed(U8, &[3, 5]);
        let nchw = pad_rank(&hw, 4, 0).unwrap();
        assert_eq!(fields(&nchw), (vec![1, 1, 3, 5], vec![15, 15, 5, 1], 0));
        assert_eq!(gather(&nchw, b"ABCDEFGHIJKLMNO"), b"ABCDEFGHIJKLMNO");
        assert_eq!(sizes(&pad_rank(&hw, 5, 0).unwrap()), [1, 1, 1, 3, 5]);
    }

    /// "Packed NCHW (implicit strides)" and "(explicit strides)": {1, 1, 3, 5} has {15, 15, 5, 1}.
    #[test]
    fn packed_nchw() {
        let data_type = STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32;
        let implicit = tensor(data_type, &[1, 1, 3, 5], None);
        let explicit = tensor(data_type, &[1, 1, 3, 5], Some(&[15, 15, 5, 1]));
        assert_eq!((implicit.total_bytes, explicit.total_bytes), (60, 60));
        assert_eq!((dml_validate(&implicit), dml_validate(&explicit)), (Ok(()), Ok(())));
        let (implicit, explicit) = (from_dml(&implicit).unwrap(), from_dml(&explicit).unwrap());
        assert_eq!(fields(&implicit), (vec![1, 1, 3, 5], vec![15, 15, 5, 1], 0));
        assert!(equal(&implicit, &explicit));
        assert_eq!(implicit.dtype, Dtype::F32.code());
    }

    /// "Packed NHWC": {1, 1, 3, 5} has N 15, H 5, W 1, C 1, thus {15, 1, 5, 1}. With one channel both orders are one.
    #[test]
    fn packed_nhwc() {
        let nhwc = channels_last(Dtype::F32.code(), &[1, 1, 3, 5]).unwrap();
        assert_eq!(strides(&nhwc), [15, 1, 5, 1]);
        let flags = STRIDE_FORMAT_PACKED | STRIDE_FORMAT_DENSE | STRIDE_FORMAT_CHANNELS_LAST;
        assert_eq!(formats(&nhwc), Ok(flags));
        assert_eq!(formats(&packed(Dtype::F32.code(), &[1, 1, 3, 5])), Ok(flags));
        let tensor = tensor(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, &[1, 1, 3, 5], Some(&[15, 1, 5, 1]));
        assert_eq!((tensor.total_bytes, dml_validate(&tensor)), (60, Ok(())));
        assert!(equal(&from_dml(&tensor).unwrap(), &nhwc));
        // The two differ only in strides that say nothing.
        assert!(same_mapping(&nhwc, &packed(Dtype::F32.code(), &[1, 1, 3, 5])));
    }
}

/// XLA, "Shapes and layout".
mod xla_shapes {
    use super::common::*;

    const U8: u32 = Dtype::U8.code();

    /// "Terminology": the rank is the number of dimensions, the true rank that of the dimensions larger than 1.
    #[test]
    fn rank_and_true_rank() {
        for (sizes, rank) in [(&[2, 3][..], 2), (&[1, 3, 1], 1), (&[1, 1], 0), (&[], 0), (&[4, 0, 1], 1)] {
            let shape = shape(Dtype::F32.code(), sizes, None).unwrap();
            assert_eq!((shape.rank as usize, true_rank(&shape)), (sizes.len(), Ok(rank)), "{sizes:?}");
        }
    }

    /// The same section: of an array [A x B x C], dimension 0 has size A, and dimension -1 has size C, -2 size B.
    #[test]
    fn negative_dimension_numbers() {
        let abc = packed(U8, &[2, 3, 5]);
        assert_eq!(sizes(&permute(&abc, &[-1, -2, -3]).unwrap()), [5, 3, 2]);
        assert!(equal(&flip(&abc, &[-1]).unwrap(), &flip(&abc, &[2]).unwrap()));
        assert_eq!(sizes(&split(&abc, -1, &[5, 1]).unwrap()), [2, 3, 5, 1]);
        // N - 1 ... -N and nothing else.
        assert_eq!(reason(flip(&abc, &[-4])), (Status::InvalidAxes.number(), Argument::Axes.number(), 0, -4, 3));
        // A layout's own order counts from 0 only.
        let negative = ordered(U8, &[2, 3, 5], &[-1, 1, 0]);
        assert_eq!(reason(negative), (Status::InvalidAxes.number(), Argument::MinorToMajor.number(), 0, -1, 3));
    }

    /// The same section: MakeShape(F32, {A, B, C, D}) lists the dimensions in ascending order.
    #[test]
    fn sizes_are_listed_by_dimension_number() {
        assert_eq!(
            shape_text(&shape(Dtype::F32.code(), &[2, 3, 5, 7], None).unwrap()).unwrap(),
            "f32[2,3,5,7]{3,2,1,0}"
        );
    }

    /// "Minor-to-major dimension ordering": with [0, 1] the 2x3 array lies as a d b e c f, with [1, 0] as a b c d e f.
    #[test]
    fn both_orders_of_2x3() {
        for (order, memory, expected) in [([0, 1], b"adbecf", [1, 2]), ([1, 0], b"abcdef", [3, 1])] {
            let shape = shape(U8, &[2, 3], Some(&order)).unwrap();
            let layout = from_xla(&shape).unwrap();
            assert_eq!(strides(&layout), expected);
            assert_eq!(scatter(&layout, b"abcdef"), memory);
            assert_eq!(gather(&layout, memory), b"abcdef");
            assert!(equal(&layout, &ordered(U8, &[2, 3], &order).unwrap()));
            assert_eq!(minor_to_major(&layout).unwrap(), order);
            assert_eq!(shape_text(&to_xla(&layout).unwrap()), shape_text(&shape));
        }
        let text = from_xla(&parse("u8[2,3]{0,1}").unwrap()).unwrap();
        assert_eq!(scatter(&text, b"abcdef"), b"adbecf");
    }

    /// "Default minor-to-major ordering": newly created shapes are major to minor, as row-major.
    #[test]
    fn default_order_is_row_major() {
        let by_default = shape(U8, &[2, 3, 4], None).unwrap();
        assert_eq!(by_default.minor_to_major[..3], [2, 1, 0]);
        assert!(equal(&from_xla(&by_default).unwrap(), &packed(U8, &[2, 3, 4])));
        assert_eq!(shape_text(&parse("u8[2,3,4]").unwrap()).unwrap(), "u8[2,3,4]{2,1,0}");
    }

    /// "Padding": 2x3 padded to 3x5 with 0 and dimension 0 minor lies as a d 0 b e 0 c f 0 0 0 0 0 0 0, which is what
    /// an array a b c 0 0 / d e f 0 0 / 0 0 0 0 0 of that order looks like.
    #[test]
    fn padded_2x3_to_3x5() {
        let memory = ["a", "d", "0", "b", "e", "0", "c", "f", "0", "0", "0", "0", "0", "0", "0"];
        let value = |letter: &str| letter.bytes().next().filter(|&byte| byte != b'0').map_or(0.0, f32::from);
        let shape = shape(Dtype::F32.code(), &[2, 3], Some(&[0, 1])).unwrap();
        let shape = padded(shape, &[3, 5], STRIDE_XLA_PADDING_ZERO).unwrap();
        assert_eq!(byte_size(&shape), Ok(60));
        let inside = from_xla(&shape).unwrap();
        assert_eq!((strides(&inside), min_bytes(&inside)), (&[1, 3][..], Ok(32))); // up to f, the eighth

        let mut options = flags(STRIDE_COPY_FILL_BUFFER);
        options.fill = padding_bytes(&shape).unwrap();
        let mut buffer = f32s(&[f32::NAN; 15]);
        let abcdef = f32s(&"abcdef".bytes().map(f32::from).collect::<Vec<_>>());
        copy_with(&options, (&inside, &mut buffer), (&packed(Dtype::F32.code(), &[2, 3]), &abcdef)).unwrap();
        assert_eq!(floats(&buffer), memory.map(value));

        let whole = from_xla(&parse("f32[3,5]{0,1}").unwrap()).unwrap();
        let rows = ["a", "b", "c", "0", "0", "d", "e", "f", "0", "0", "0", "0", "0", "0", "0"];
        assert_eq!(floats(&gather(&whole, &buffer)), rows.map(value));
    }

    /// The same section: "the number of elements of padded_dimensions must equal the rank", and each holds its size.
    #[test]
    fn padding_holds_the_size() {
        let shape = shape(Dtype::F32.code(), &[2, 3], None).unwrap();
        let small = padded(shape, &[3, 2], STRIDE_XLA_PADDING_ZERO);
        assert_eq!(reason(small), (Status::InvalidSize.number(), Argument::PaddedSizes.number(), 1, 2, 3));
    }

    /// "Indexing into arrays" (IndexUtil): multi-dimensional index <-> position, for the pictures above.
    #[test]
    fn linear_and_multi_index() {
        let index = |letter: u8| [(letter - b'a') as i64 / 3, (letter - b'a') as i64 % 3];
        for (text, padding, memory) in [
            ("u8[2,3]{1,0}", None, &b"abcdef"[..]),
            ("u8[2,3]{0,1}", None, b"adbecf"),
            ("u8[2,3]{0,1}", Some([3, 5]), b"ad0be0cf0000000"),
        ] {
            let mut shape = parse(text).unwrap();
            if let Some(sizes) = padding {
                shape = padded(shape, &sizes, STRIDE_XLA_PADDING_ZERO).unwrap();
            }
            for (position, &letter) in memory.iter().enumerate() {
                let found = multi_index(&shape, position as i64);
                if letter == b'0' {
                    assert_eq!(status(found), Status::NotRepresentable.number(), "{text} {position}");
                } else {
                    assert_eq!(found.unwrap(), index(letter), "{text} {position}");
                    assert_eq!(linear_index(&shape, &index(letter)), Ok(position as i64), "{text}");
                }
            }
            for outside in [-1, memory.len() as i64] {
                assert_eq!(status(multi_index(&shape, outside)), Status::IndexOutOfRange.number());
            }
            let e = error(linear_index(&shape, &[0, 3]));
            assert_eq!((e.status, e.dimension, e.lhs, e.rhs), (Status::IndexOutOfRange.number(), 1, 3, 3));
        }
    }
}

/// XLA, "Broadcasting semantics".
mod xla_broadcasting {
    use super::common::*;

    /// An array of f32, packed.
    fn array(sizes: &[i64], values: &[f32]) -> (stride_layout, Vec<u8>) {
        (packed(Dtype::F32.code(), sizes), f32s(values))
    }

    /// Values 1, 2, … in an array of these sizes.
    fn counted(sizes: &[i64]) -> (stride_layout, Vec<u8>) {
        let count = sizes.iter().product::<i64>();
        array(sizes, &(1..=count).map(|k| k as f32).collect::<Vec<_>>())
    }

    /// `lhs + rhs` by XLA's rule: both views are copied into packed arrays and added. Sizes and sums.
    fn add(
        lhs: &(stride_layout, Vec<u8>),
        rhs: &(stride_layout, Vec<u8>),
        dimensions: &[i64],
    ) -> Answer<(Vec<i64>, Vec<f32>)> {
        let (left, right) = xla_broadcast(&lhs.0, &rhs.0, dimensions)?;
        assert_eq!(sizes(&left), sizes(&right));
        let (a, b) = (floats(&gather(&left, &lhs.1)), floats(&gather(&right, &rhs.1)));
        Ok((sizes(&left).to_vec(), a.iter().zip(&b).map(|(a, b)| a + b).collect()))
    }

    /// The copies of `vector` that its view in an array of `sizes` consists of.
    fn seen(vector: &(stride_layout, Vec<u8>), sizes: &[i64], dimensions: &[i64]) -> Vec<f32> {
        floats(&gather(&broadcast_in_dim(&vector.0, sizes, dimensions).unwrap(), &vector.1))
    }

    fn mismatch<T>(answer: Answer<T>) -> (i32, i64, i64) {
        let e = error(answer);
        assert_eq!(e.status, Status::BroadcastMismatch.number());
        (e.dimension, e.lhs, e.rhs)
    }

    /// "What is broadcasting": |1 2 3| |4 5 6| + |7 8 9| = |8 10 12| |11 13 15|.
    #[test]
    fn matrix_and_vector() {
        let (x, v) = (counted(&[2, 3]), array(&[3], &[7.0, 8.0, 9.0]));
        let sums = (vec![2, 3], vec![8.0, 10.0, 12.0, 11.0, 13.0, 15.0]);
        assert_eq!(add(&x, &v, &[1]), Ok(sums.clone()));
        assert_eq!(add(&v, &x, &[1]), Ok(sums));
        // "the vector is broadcast by replicating it across rows": |7 8 9| ==> |7 8 9| |7 8 9|.
        assert_eq!(seen(&v, &[2, 3], &[1]), [7.0, 8.0, 9.0, 7.0, 8.0, 9.0]);
        // NumPy infers the same.
        let views = broadcast_layouts(&[x.0, v.0]).unwrap();
        assert_eq!((strides(&views[0]), strides(&views[1])), (&[3, 1][..], &[0, 1][..]));
    }

    /// "Principles" and the next section: without a specification "this operation would be invalid".
    #[test]
    fn nothing_is_implicit() {
        let (x, v) = (counted(&[2, 3]), array(&[3], &[7.0, 8.0, 9.0]));
        assert_eq!(reason(add(&x, &v, &[])), (Status::InvalidRank.number(), Argument::Count.number(), -1, 0, 1));
    }

    /// "Broadcasting a lower-rank array": |1 2 3| |4 5 6| + 7 = |8 9 10| |11 12 13|; scalars need no specification.
    #[test]
    fn matrix_and_scalar() {
        let (x, seven) = (counted(&[2, 3]), array(&[], &[7.0]));
        assert_eq!(add(&x, &seven, &[]), Ok((vec![2, 3], vec![8.0, 9.0, 10.0, 11.0, 12.0, 13.0])));
        assert_eq!(add(&seven, &x, &[]), Ok((vec![2, 3], vec![8.0, 9.0, 10.0, 11.0, 12.0, 13.0])));
    }

    /// The same section, 3x3 and a vector of 3: dimension 1 duplicates it for each row, dimension 0 for each column.
    #[test]
    fn two_ways_onto_3x3() {
        let (x, v) = (counted(&[3, 3]), array(&[3], &[7.0, 8.0, 9.0]));
        assert_eq!(seen(&v, &[3, 3], &[1]), [7.0, 8.0, 9.0, 7.0, 8.0, 9.0, 7.0, 8.0, 9.0]);
        assert_eq!(seen(&v, &[3, 3], &[0]), [7.0, 7.0, 7.0, 8.0, 8.0, 8.0, 9.0, 9.0, 9.0]);
        assert_eq!(add(&x, &v, &[1]).unwrap().1, [8.0, 10.0, 12.0, 11.0, 13.0, 15.0, 14.0, 16.0, 18.0]);
        assert_eq!(add(&x, &v, &[0]).unwrap().1, [8.0, 9.0, 10.0, 12.0, 13.0, 14.0, 16.0, 17.0, 18.0]);
        let (_, rows) = xla_broadcast(&x.0, &v.0, &[1]).unwrap();
        let (_, columns) = xla_broadcast(&x.0, &v.0, &[0]).unwrap();
        assert_eq!((strides(&rows), strides(&columns)), (&[0, 1][..], &[1, 0][..]));
    }

    /// The same section, a note: "when adding a 2x3 matrix to a 3-element vector, … dimension 0 is invalid".
    #[test]
    fn dimension_0_of_2x3_is_invalid_for_3() {
        let (x, v) = (counted(&[2, 3]), array(&[3], &[7.0, 8.0, 9.0]));
        assert_eq!(mismatch(add(&x, &v, &[0])), (0, 2, 3));
        assert_eq!(mismatch(add(&v, &x, &[0])), (0, 3, 2));
        assert_eq!(mismatch(broadcast_in_dim(&v.0, &[2, 3], &[0])), (0, 3, 2));
    }

    /// The same section: a 2x3x4 cuboid and a 3x4 matrix by (1, 2) match the matrix to dimensions 1 and 2.
    #[test]
    fn cuboid_and_matrix() {
        let (cuboid, matrix) = (counted(&[2, 3, 4]), counted(&[3, 4]));
        let (sizes, sums) = add(&cuboid, &matrix, &[1, 2]).unwrap();
        // Element number n of the cuboid holds n + 1, and number n mod 12 of the matrix (n mod 12) + 1.
        let expected: Vec<f32> = (0..24).map(|n| (n + 1 + n % 12 + 1) as f32).collect();
        assert_eq!((sizes, sums), (vec![2, 3, 4], expected));
        assert_eq!(mismatch(add(&cuboid, &matrix, &[0, 1])), (0, 2, 3));
        assert_eq!(mismatch(add(&cuboid, &matrix, &[0, 2])), (0, 2, 3));
    }

    /// "Formal definition": a vector T onto each dimension of MxNxPxQ, here 2x3x5x7 with T the matching size.
    #[test]
    fn vector_onto_each_of_four_dimensions() {
        let large = counted(&[2, 3, 5, 7]);
        for (dimension, t) in [(3, 7), (2, 5), (1, 3), (0, 2)] {
            let vector = counted(&[t]);
            let (_, sums) = add(&large, &vector, &[dimension]).unwrap();
            let mut n = 0;
            for index in indices(&[2, 3, 5, 7]) {
                let expected = (n + 1) as f32 + (index[dimension as usize] + 1) as f32;
                assert_eq!(sums[n], expected, "dimension {dimension}, {index:?}");
                n += 1;
            }
            assert_eq!(n, 210);
            // "T must be equal to the corresponding dimension of the higher-rank array".
            let wrong = counted(&[t + 1]);
            assert_eq!(mismatch(add(&large, &wrong, &[dimension])), (dimension as i32, t, t + 1));
        }
    }

    /// The same section: a matrix TxV by (2,3), (1,2) and (0,3).
    #[test]
    fn matrix_onto_pairs_of_four_dimensions() {
        let all = [2, 3, 5, 7];
        let large = counted(&all);
        for [first, second] in [[2, 3], [1, 2], [0, 3]] {
            let (t, v) = (all[first], all[second]);
            let matrix = counted(&[t, v]);
            let (_, sums) = add(&large, &matrix, &[first as i64, second as i64]).unwrap();
            for (n, index) in indices(&all).into_iter().enumerate() {
                let expected = (n as i64 + 1) + (index[first] * v + index[second] + 1);
                assert_eq!(sums[n], expected as f32, "({first},{second}), {index:?}");
            }
        }
    }

    /// The same section: "the order of dimensions has to be strictly increasing": V to N and T to P is illegal,
    /// V to P and N too.
    #[test]
    fn illegal_orders() {
        // All sizes equal, so that the order alone is wrong.
        let (large, matrix) = (counted(&[3, 3, 3, 3]), counted(&[3, 3]));
        let axes = (Status::InvalidAxes.number(), Argument::BroadcastDimensions.number());
        for [t, v] in [[2, 1], [3, 2], [2, 2], [3, 0]] {
            assert_eq!(reason(add(&large, &matrix, &[t, v])), (axes.0, axes.1, 1, v, t), "({t},{v})");
            assert_eq!(reason(broadcast_in_dim(&matrix.0, &[3; 4], &[t, v])), (axes.0, axes.1, 1, v, t));
        }
        for [t, v] in [[1, 4], [1, -1]] {
            assert_eq!(reason(add(&large, &matrix, &[t, v])), (axes.0, axes.1, 1, v, 4), "({t},{v})");
        }
        // V to P and N: three entries for a matrix.
        let count = (Status::InvalidRank.number(), Argument::Count.number());
        assert_eq!(reason(add(&large, &matrix, &[0, 1, 2])), (count.0, count.1, -1, 3, 2));
    }

    /// "Broadcasting similar-rank arrays with degenerate dimensions", examples 1 to 3.
    #[test]
    fn degenerate_dimensions() {
        let (sizes, sums) = add(&counted(&[2, 1]), &counted(&[2, 3]), &[]).unwrap();
        assert_eq!((sizes, sums), (vec![2, 3], vec![2.0, 3.0, 4.0, 6.0, 7.0, 8.0]));
        let large = |n: i64| (n + 1) as f32;
        let (sizes, sums) = add(&counted(&[1, 2, 5]), &counted(&[7, 2, 5]), &[]).unwrap();
        let expected: Vec<f32> = (0..70).map(|n| large(n) + (n % 10 + 1) as f32).collect();
        assert_eq!((sizes, sums), (vec![7, 2, 5], expected));
        let (sizes, sums) = add(&counted(&[7, 2, 5]), &counted(&[7, 1, 5]), &[]).unwrap();
        let expected: Vec<f32> = (0..70).map(|n| large(n) + (n / 10 * 5 + n % 5 + 1) as f32).collect();
        assert_eq!((sizes, sums), (vec![7, 2, 5], expected));
        // The identity may be spelled out.
        assert_eq!(add(&counted(&[2, 1]), &counted(&[2, 3]), &[0, 1]).unwrap().0, [2, 3]);
    }

    /// The same section, example 4: (7,2,5) and (7,2,6) are incompatible.
    #[test]
    fn incompatible() {
        assert_eq!(mismatch(add(&counted(&[7, 2, 5]), &counted(&[7, 2, 6]), &[])), (2, 5, 6));
        assert_eq!(mismatch(broadcast_sizes(&[&[7, 2, 5], &[7, 2, 6]])), (2, 5, 6));
        let sentence = sentence(&error(add(&counted(&[7, 2, 5]), &counted(&[7, 2, 6]), &[])));
        assert_eq!(sentence, "rhs, dimension 2: sizes 5 and 6 are not equal, and neither is 1");
    }

    /// The same section, the special case: (2,1) and (1,3) is an "outer operation" (2,3).
    #[test]
    fn outer_operation() {
        let sums = add(&counted(&[2, 1]), &counted(&[1, 3]), &[]).unwrap();
        assert_eq!(sums, (vec![2, 3], vec![2.0, 3.0, 4.0, 3.0, 4.0, 5.0]));
    }

    /// "Broadcast composition": |1 2 3 4| + [5 6] by (0) is |6 7| |7 8| |8 9| |9 10|.
    #[test]
    fn composition() {
        let (vector, row) = (counted(&[4]), array(&[1, 2], &[5.0, 6.0]));
        let sums = (vec![4, 2], vec![6.0, 7.0, 7.0, 8.0, 8.0, 9.0, 9.0, 10.0]);
        assert_eq!(add(&vector, &row, &[0]), Ok(sums));
        // Step by step: |1 1| |2 2| |3 3| |4 4|, and |5 6| four times.
        let (left, right) = xla_broadcast(&vector.0, &row.0, &[0]).unwrap();
        assert_eq!(floats(&gather(&left, &vector.1)), [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]);
        assert_eq!(floats(&gather(&right, &row.1)), [5.0, 6.0, 5.0, 6.0, 5.0, 6.0, 5.0, 6.0]);
    }

    /// The same section: 1x2 added to 4x3x1 by (1, 2) is 4x3x2, by way of 4x1x2.
    #[test]
    fn composition_of_three_dimensions() {
        let (row, cuboid) = (counted(&[1, 2]), counted(&[4, 3, 1]));
        let (sizes, sums) = add(&row, &cuboid, &[1, 2]).unwrap();
        let expected: Vec<f32> = (0..24).map(|n| (n % 2 + 1 + n / 2 + 1) as f32).collect();
        assert_eq!((sizes, sums), (vec![4, 3, 2], expected));
        let intermediate = broadcast_in_dim(&row.0, &[4, 1, 2], &[1, 2]).unwrap();
        assert_eq!(fields(&intermediate), (vec![4, 1, 2], vec![0, 2, 1], 0));
    }
}
