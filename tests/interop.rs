//! Other vocabularies: DLPack, Python's buffers, ggml, planes of images.
//!
//! Expected numbers are those of the systems' own headers and of reports about them, named beside. Random cases go
//! through an oracle that computes addresses as the other system's documents say, element by element. Real arrays of
//! NumPy, JAX, PyTorch and Python are compared in `interop_oracle.py`.

#[macro_use]
mod common;
mod oracle;

use common::*;
use oracle::Random;
use std::ffi::c_char;
use std::ptr::null_mut;
use stride::ffi::dlpack::*;
use stride::ffi::fourcc::*;
use stride::ffi::ggml::*;
use stride::ffi::images::*;
use stride::ffi::py_buffer::*;

const F32: u32 = Dtype::F32.code();
const U8: u32 = Dtype::U8.code();

fn code(status: Status) -> i32 {
    status.number()
}

// --- DLPack ----------------------------------------------------------------------------------------------------------

/// A DLTensor over these arrays; the pointers are only read.
fn dl(dtype: (u8, u8, u16), shape: &[i64], strides: Option<&[i64]>, byte_offset: u64) -> stride_dl_tensor {
    assert!(strides.is_none_or(|strides| strides.len() == shape.len()));
    stride_dl_tensor {
        data: null_mut(),
        device_type: 1,
        device_id: 0,
        ndim: shape.len() as i32,
        dtype_code: dtype.0,
        dtype_bits: dtype.1,
        dtype_lanes: dtype.2,
        shape: shape.as_ptr().cast_mut(),
        strides: strides.map_or(null_mut(), |strides| strides.as_ptr().cast_mut()),
        byte_offset,
    }
}

fn managed(major: u32, minor: u32, flags: u64, of: stride_dl_tensor) -> stride_dl_managed_tensor_versioned {
    stride_dl_managed_tensor_versioned {
        major,
        minor,
        manager_ctx: null_mut(),
        deleter: null_mut(),
        flags,
        data: of.data,
        device_type: of.device_type,
        device_id: of.device_id,
        ndim: of.ndim,
        dtype_code: of.dtype_code,
        dtype_bits: of.dtype_bits,
        dtype_lanes: of.dtype_lanes,
        shape: of.shape,
        strides: of.strides,
        byte_offset: of.byte_offset,
    }
}

fn from_dl(tensor: &stride_dl_tensor) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_from_dlpack, tensor, out))
}

fn from_dl_versioned(tensor: &stride_dl_managed_tensor_versioned) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_from_dlpack_versioned, tensor, out))
}

/// A tensor that the library made, and its arrays.
fn to_dl(layout: &stride_layout) -> Answer<(stride_dl_tensor, Vec<i64>, Vec<i64>)> {
    let rank = layout.rank as usize;
    let (mut shape, mut strides) = (vec![POISON; rank], vec![POISON; rank]);
    let mut tensor = dl((99, 0, 0), &[], None, u64::MAX);
    (tensor.data, tensor.device_type, tensor.device_id) = (std::ptr::without_provenance_mut(0x1000), 2, 3);
    let before = tensor;
    let (to_shape, to_strides) = (shape.as_mut_ptr(), strides.as_mut_ptr());
    let answer = call!(stride_layout_to_dlpack, layout, layout.rank, to_shape, to_strides, &mut tensor);
    assert_eq!((tensor.data, tensor.device_type, tensor.device_id), (before.data, 2, 3), "the caller's own fields");
    if answer.is_err() {
        assert!(shape.iter().chain(&strides).all(|&entry| entry == POISON) && tensor.dtype_code == 99);
    } else {
        assert_eq!((tensor.shape, tensor.strides, tensor.ndim), (to_shape, to_strides, rank as i32));
    }
    answer.map(|()| (tensor, shape, strides))
}

/// DLDataTypeCode, bits and lanes of dlpack.h 1.1 ff., and what they are here.
#[test]
fn types_of_dlpack() {
    let known: [((u8, u8, u16), Dtype); 22] = [
        ((0, 8, 1), Dtype::S8),
        ((0, 64, 1), Dtype::S64),
        ((0, 4, 1), Dtype::S4),
        ((1, 1, 1), Dtype::U1),
        ((1, 16, 1), Dtype::U16),
        ((2, 16, 1), Dtype::F16),
        ((2, 32, 1), Dtype::F32),
        ((2, 64, 1), Dtype::F64),
        ((4, 16, 1), Dtype::BF16),
        ((5, 64, 1), Dtype::C64),
        ((5, 128, 1), Dtype::C128),
        ((6, 8, 1), Dtype::PRED),
        ((7, 8, 1), Dtype::F8E3M4),
        ((8, 8, 1), Dtype::F8E4M3),
        ((9, 8, 1), Dtype::F8E4M3B11FNUZ),
        ((10, 8, 1), Dtype::F8E4M3FN),
        ((11, 8, 1), Dtype::F8E4M3FNUZ),
        ((12, 8, 1), Dtype::F8E5M2),
        ((13, 8, 1), Dtype::F8E5M2FNUZ),
        ((14, 8, 1), Dtype::F8E8M0FNU),
        ((17, 4, 1), Dtype::F4E2M1FN),
        ((1, 32, 1), Dtype::U32),
    ];
    for (of, dtype) in known {
        let layout = from_dl(&dl(of, &[2], None, 0)).unwrap();
        assert_eq!(layout.dtype, dtype.code(), "{of:?}");
        let (tensor, ..) = to_dl(&layout).unwrap();
        assert_eq!((tensor.dtype_code, tensor.dtype_bits, tensor.dtype_lanes), of, "{dtype}");
    }
    // Vectors and opaque handles are plain bytes; "float4 (vectorized 4 float): bits = 32, lanes = 4".
    // So are types of whole bytes without a dtype: NumPy's longdouble, int128, a complex number of two halves.
    let plain = [((2, 32, 4), 16), ((1, 8, 3), 3), ((0, 4, 2), 1), ((15, 6, 4), 3), ((3, 64, 1), 8)];
    let wide =
        [((2, 80, 1), 10), ((2, 128, 1), 16), ((0, 128, 1), 16), ((1, 24, 1), 3), ((5, 32, 1), 4), ((6, 32, 1), 4)];
    for (of, count) in plain.into_iter().chain(wide) {
        assert_eq!(from_dl(&dl(of, &[2], None, 0)).unwrap().dtype, bytes(count).unwrap(), "{of:?}");
    }
    let (tensor, ..) = to_dl(&packed(bytes(12).unwrap(), &[2])).unwrap();
    assert_eq!((tensor.dtype_code, tensor.dtype_bits, tensor.dtype_lanes), (1, 8, 12));
    // Refused by name.
    let dtype = code(Status::InvalidDtype);
    let refused = |of| reason(from_dl(&dl(of, &[2], None, 0)));
    let (bits, lanes) = (Argument::DtypeBits.number(), Argument::DtypeLanes.number());
    assert_eq!(refused((18, 8, 1)), (dtype, Argument::DtypeCode.number(), -1, 18, 17));
    assert_eq!(refused((15, 6, 1)), (dtype, bits, -1, 15, 6));
    assert_eq!(refused((2, 12, 1)), (dtype, bits, -1, 2, 12));
    assert_eq!(refused((8, 16, 1)), (dtype, bits, -1, 8, 16));
    assert_eq!(refused((6, 1, 1)), (dtype, bits, -1, 6, 1));
    assert_eq!(refused((2, 0, 1)), (dtype, bits, -1, 0, 1));
    assert_eq!(refused((2, 32, 0)), (dtype, lanes, -1, 0, 1));
    assert_eq!(refused((0, 4, 3)), (dtype, lanes, -1, 12, 8));
    for of in [packed(Dtype::S4.high_first().code(), &[2]), packed(bytes(65536).unwrap(), &[2])] {
        assert_eq!(error(to_dl(&of)).detail, Detail::DtypeForeign.number() as u64);
    }
}

/// NVIDIA/cuda-python#2592 (fixed in #2594, #2576): index (0, …, 0) lies at data + byte_offset.
#[test]
fn the_byte_offset_counts() {
    let layout = from_dl(&dl((2, 32, 1), &[8], Some(&[1]), 4)).unwrap();
    assert_eq!((layout.offset, min_bytes(&layout)), (1, Ok(36)));
    assert_eq!(to_dl(&layout).unwrap().0.byte_offset, 4);
    let nibbles = from_dl(&dl((0, 4, 1), &[8], None, 3)).unwrap();
    assert_eq!((nibbles.offset, min_bytes(&nibbles)), (6, Ok(7)));
    let wrong = reason(from_dl(&dl((2, 64, 1), &[8], None, 12)));
    assert_eq!(wrong, (code(Status::NotRepresentable), Argument::ByteOffset.number(), -1, 12, 8));
    let far = error(from_dl(&dl((1, 8, 1), &[8], None, 1 << 63)));
    assert_eq!((far.status, far.argument), (code(Status::Overflow), Argument::ByteOffset.number()));
    // Nothing lies in an empty tensor.
    assert_eq!(from_dl(&dl((2, 64, 1), &[8, 0], None, 12)).unwrap().offset, 0);
    let odd = at(1, packed(Dtype::U4.code(), &[2]));
    assert_eq!(reason(to_dl(&odd)), (code(Status::NotRepresentable), Argument::Layout.number(), -1, 1, 2));
}

/// jax-ml/jax-mps#239: a reversed arange(8). NumPy gives the pointer of index 0 and stride −1, dlpack.h allows it.
#[test]
fn mirrored_tensors() {
    let layout = from_dl(&dl((2, 32, 1), &[8], Some(&[-1]), 0)).unwrap();
    assert_eq!((layout.offset, strides(&layout)), (0, &[-1][..]));
    let below = error(to_dl(&layout));
    assert_eq!((below.status, below.lhs), (code(Status::OutOfBounds), -28));
    let (rebased, shift) = rebase(&layout).unwrap();
    assert_eq!((shift, to_dl(&rebased).unwrap().0.byte_offset), (-28, 28));
}

/// dmlc/dlpack#177 and #99: what may be null, and what strides of size 1 say.
#[test]
fn shapes_of_dlpack() {
    assert_eq!(fields(&from_dl(&dl((1, 8, 1), &[2, 3], None, 0)).unwrap()).1, [3, 1]);
    assert_eq!(from_dl(&dl((1, 8, 1), &[], None, 0)).unwrap().rank, 0);
    let kept = from_dl(&dl((1, 8, 1), &[1, 3], Some(&[-77, 1]), 0)).unwrap();
    assert_eq!((strides(&kept), min_bytes(&kept)), (&[-77, 1][..], Ok(3)));
    assert_eq!(to_dl(&kept).unwrap().2, [-77, 1]);
    let mut tensor = dl((1, 8, 1), &[2, 3], None, 0);
    tensor.shape = null_mut();
    assert_eq!(reason(from_dl(&tensor)), (code(Status::NullPointer), Argument::Shape.number(), -1, 0, 0));
    for (ndim, limit) in [(-1, 0), (65, 64), (i32::MIN, 0)] {
        tensor.ndim = ndim;
        let rank = (code(Status::InvalidRank), Argument::Ndim.number(), -1, ndim as i64, limit);
        assert_eq!(reason(from_dl(&tensor)), rank);
    }
    let negative = reason(from_dl(&dl((1, 8, 1), &[2, -3], None, 0)));
    assert_eq!(negative, (code(Status::InvalidSize), Argument::Shape.number(), 1, -3, 0));
    let wide = reason(from_dl(&dl((1, 8, 1), &[3, 2], Some(&[i64::MAX, 1]), 0)));
    assert_eq!(wide, (code(Status::Overflow), Argument::Strides.number(), 0, 3, i64::MAX));
    // Without strides it is the sizes that are too large.
    let large = reason(from_dl(&dl((2, 64, 1), &[1 << 30, 1 << 30], None, 0)));
    assert_eq!((large.0, large.1), (code(Status::Overflow), Argument::Shape.number()));
    assert_eq!(sizes(&from_dl(&dl((1, 8, 1), &[1 << 40, 0, 1 << 40], Some(&[7; 3]), 1)).unwrap())[1], 0);
    // One place for the arrays of the tensor and of the layout itself.
    let mut own = layout(U8, &[2, 3], &[1, 2]);
    let mut tensor = dl((0, 0, 0), &[], None, 0);
    let this = &raw mut own;
    // SAFETY: both lie in `own`.
    let (shape, strides) = unsafe { ((&raw mut (*this).sizes).cast(), (&raw mut (*this).strides).cast()) };
    let this = this.cast_const();
    call!(stride_layout_to_dlpack, this, 2, shape, strides, &mut tensor).unwrap();
    assert_eq!(fields(&own), (vec![2, 3], vec![1, 2], 0));
    let few = reason(call!(stride_layout_to_dlpack, this, 1, shape, strides, &mut tensor));
    assert_eq!(few, (code(Status::InvalidRank), Argument::Rank.number(), -1, 1, 2));
}

#[test]
fn versions_and_flags_of_dlpack() {
    let int4 = dl((0, 4, 1), &[3, 3], None, 0);
    for (major, minor, flags, dtype) in
        [(1, 0, 0, Dtype::S4), (1, 3, 3, Dtype::S4), (1, 1, 4, Dtype::S8), (1, 9, 7, Dtype::S8)]
    {
        assert_eq!(from_dl_versioned(&managed(major, minor, flags, int4)).unwrap().dtype, dtype.code());
    }
    for (of, dtype) in
        [((17, 4, 1), Dtype::U8), ((15, 6, 1), Dtype::U8), ((2, 32, 1), Dtype::F32), ((1, 1, 1), Dtype::U8)]
    {
        let padded = from_dl_versioned(&managed(1, 1, 4, dl(of, &[3, 3], None, 2 * 4))).unwrap();
        assert_eq!(padded.dtype, dtype.code());
        assert_eq!(padded.offset, if dtype == Dtype::F32 { 2 } else { 8 });
    }
    assert_eq!(from_dl_versioned(&managed(1, 1, 4, dl((0, 4, 2), &[3], None, 0))).unwrap().dtype, bytes(2).unwrap());
    // What a float of 8 bits or fewer is called says how many it has (dlpack.h), and no bool or larger float is padded.
    for (flags, of) in [
        (4, (17, 5, 1)),
        (4, (15, 4, 1)),
        (4, (5, 4, 1)),
        (4, (6, 1, 1)),
        (4, (2, 4, 1)),
        (0, (17, 8, 2)),
        (0, (16, 8, 4)),
        (0, (8, 16, 2)),
        (0, (14, 4, 2)),
        (0, (7, 7, 8)),
    ] {
        let found = reason(from_dl_versioned(&managed(1, 1, flags, dl(of, &[3], None, 0))));
        let refused = (code(Status::InvalidDtype), Argument::DtypeBits.number(), -1, of.0 as i64, of.1 as i64);
        assert_eq!(found, refused, "{of:?}");
    }
    for (of, width) in [((17, 4, 2), 1), ((16, 6, 4), 3), ((8, 8, 2), 2)] {
        assert_eq!(from_dl(&dl(of, &[3], None, 0)).unwrap().dtype, bytes(width).unwrap(), "{of:?}");
    }
    // Nothing of another version is looked at.
    let mut other = managed(2, 0, 0, int4);
    (other.shape, other.ndim) = (null_mut(), -5);
    let refused = (code(Status::Unsupported), Argument::Major.number(), -1, 2, 1);
    assert_eq!(reason(from_dl_versioned(&other)), refused);
    let flag = reason(from_dl_versioned(&managed(1, 4, 0x1_0009, int4)));
    assert_eq!(flag, (code(Status::Unsupported), Argument::Flags.number(), -1, 0x1_0009, 8));
    assert_eq!(error(from_dl_versioned(&managed(1, 4, 1 << 63, int4))).status, code(Status::Unsupported));
}

/// Random tensors: the byte address of every element by dlpack.h's formula, and the way back.
#[test]
fn random_tensors_of_dlpack() {
    let mut random = Random::new(20);
    let mut elements = 0;
    for _ in 0..oracle::times(4000) {
        let rank = random.below(5) as usize;
        let shape: Vec<i64> = (0..rank).map(|_| random.below(4)).collect();
        let strides: Vec<i64> = (0..rank).map(|_| random.below(15) - 7).collect();
        let (bits, lanes) = ([8u8, 16, 32, 64][random.below(4) as usize], 1 + random.below(3) as u16);
        let width = bits as i64 / 8 * lanes as i64;
        let byte_offset = (random.below(20) * width) as u64;
        let tensor = dl((1, bits, lanes), &shape, Some(&strides), byte_offset);
        let layout = from_dl(&tensor).unwrap();
        for index in indices(&shape) {
            let steps: i64 = index.iter().zip(&strides).map(|(i, stride)| i * stride * width).sum();
            assert_eq!(byte_offset_of(&layout, &index), Ok((byte_offset as i64 + steps, 0)), "{shape:?} {strides:?}");
            elements += 1;
        }
        match to_dl(&layout) {
            Ok((back, shape_back, strides_back)) => {
                assert_eq!((shape_back, strides_back), (shape.clone(), strides.clone()));
                assert_eq!(back.byte_offset, if shape.contains(&0) { 0 } else { byte_offset });
                assert_eq!(back.dtype_bits as u32 * back.dtype_lanes as u32, bits as u32 * lanes as u32);
            }
            Err(record) => assert_eq!(record.status, code(Status::OutOfBounds)),
        }
    }
    println!("random tensors of DLPack: {elements} elements");
}

// --- Python's buffers ------------------------------------------------------------------------------------------------

/// What the tests say of a Py_buffer.
#[derive(Clone)]
struct View {
    len: isize,
    itemsize: isize,
    ndim: i32,
    format: Option<Vec<u8>>,
    shape: Option<Vec<isize>>,
    strides: Option<Vec<isize>>,
    suboffsets: Option<Vec<isize>>,
}

impl View {
    fn of(format: &str, itemsize: isize, shape: &[isize], strides: Option<&[isize]>) -> Self {
        Self {
            len: itemsize * shape.iter().product::<isize>(),
            itemsize,
            ndim: shape.len() as i32,
            format: Some([format.as_bytes(), b"\0"].concat()),
            shape: Some(shape.to_vec()),
            strides: strides.map(<[isize]>::to_vec),
            suboffsets: None,
        }
    }

    fn layout(&self) -> Answer<stride_layout> {
        let list = |of: &Option<Vec<isize>>| of.as_ref().map_or(null_mut(), |of| of.as_ptr().cast_mut());
        let view = stride_py_buffer {
            buf: null_mut(),
            obj: null_mut(),
            len: self.len,
            itemsize: self.itemsize,
            readonly: 1,
            ndim: self.ndim,
            format: self.format.as_ref().map_or(null_mut(), |of| of.as_ptr().cast::<c_char>().cast_mut()),
            shape: list(&self.shape),
            strides: list(&self.strides),
            suboffsets: list(&self.suboffsets),
            internal: null_mut(),
        };
        made(|out| call!(stride_layout_from_py_buffer, &view, out))
    }
}

#[test]
fn buffers_of_python() {
    // memoryview(b'…').cast('i', (2, 3))[::-1]: strides (-12, 4) as Python prints them, bytes and not elements
    // (CSnakes#550).
    let view = View::of("i", 4, &[2, 3], Some(&[-12, 4]));
    let rows = view.layout().unwrap();
    assert_eq!((rows.dtype, fields(&rows)), (Dtype::S32.code(), (vec![2, 3], vec![-3, 1], 0)));
    assert_eq!(rebase(&rows).unwrap().1, -12);
    // bytes and bytearray: PyBuffer_FillInfo says ndim 1, itemsize 1, and leaves out what was not asked for.
    let simple = View { format: None, shape: None, strides: None, itemsize: 99, ..View::of("B", 1, &[24], None) };
    assert_eq!(fields(&simple.layout().unwrap()), (vec![24], vec![1], 0));
    // PyBUF_ND without PyBUF_FORMAT: the format is NULL, the item size still holds.
    let untold = View { format: None, ..View::of("d", 8, &[3], None) };
    assert_eq!(untold.layout().unwrap().dtype, bytes(8).unwrap());
    assert_eq!(View { format: None, ..View::of("B", 1, &[3], None) }.layout().unwrap().dtype, U8);
    // A scalar: "shape, strides and suboffsets MUST be NULL".
    let scalar = View { shape: None, ..View::of("d", 8, &[], None) };
    assert_eq!((scalar.layout().unwrap().rank, scalar.layout().unwrap().dtype), (0, Dtype::F64.code()));
    // A struct is bytes, as is a NumPy record; numpy#20336: strides of size 1.
    assert_eq!(View::of("T{<f:x:<h:y:}", 6, &[2], Some(&[6])).layout().unwrap().dtype, bytes(6).unwrap());
    assert_eq!(strides(&View::of("f", 4, &[1, 2], Some(&[7, 4])).layout().unwrap()), [0, 1]);
    assert_eq!(View::of("f", 4, &[0, 2], Some(&[7, 9])).layout().unwrap().rank, 2);
}

/// struct's letters, as Python's documentation lists them with their sizes; `l` and `n` have those of the machine.
#[test]
fn letters_of_python() {
    let long = size_of::<std::ffi::c_long>() as isize;
    let of_long = if long == 8 { (Dtype::S64, Dtype::U64) } else { (Dtype::S32, Dtype::U32) };
    let word = size_of::<usize>() as isize;
    let of_word = if word == 8 { (Dtype::S64, Dtype::U64) } else { (Dtype::S32, Dtype::U32) };
    let letters = [
        ("b", 1, Dtype::S8),
        ("B", 1, Dtype::U8),
        ("?", 1, Dtype::PRED),
        ("h", 2, Dtype::S16),
        ("H", 2, Dtype::U16),
        ("i", 4, Dtype::S32),
        ("I", 4, Dtype::U32),
        ("q", 8, Dtype::S64),
        ("Q", 8, Dtype::U64),
        ("=l", 4, Dtype::S32),
        ("=L", 4, Dtype::U32),
        ("l", long, of_long.0),
        ("L", long, of_long.1),
        ("n", word, of_word.0),
        ("N", word, of_word.1),
        ("e", 2, Dtype::F16),
        ("f", 4, Dtype::F32),
        ("d", 8, Dtype::F64),
        ("Zf", 8, Dtype::C64),
        ("Zd", 16, Dtype::C128),
        ("F", 8, Dtype::C64),
        ("=D", 16, Dtype::C128),
        ("^f", 4, Dtype::F32),
        ("^Zd", 16, Dtype::C128),
        ("g", 16, Dtype::bytes(16).unwrap()),
        ("Zg", 32, Dtype::bytes(32).unwrap()),
    ];
    for (format, itemsize, dtype) in letters {
        assert_eq!(View::of(format, itemsize, &[2], None).layout().unwrap().dtype, dtype.code(), "{format}");
    }
}

#[test]
fn buffers_that_are_refused() {
    let dtype = code(Status::InvalidDtype);
    let (format, itemsize) = (Argument::Format.number(), Argument::Itemsize.number());
    let mark = if cfg!(target_endian = "little") { ">" } else { "<" };
    for (letters, itemsize, number) in
        [("f", 4, Dtype::F32), ("D", 16, Dtype::C128), ("F", 8, Dtype::C64), ("Zd", 16, Dtype::C128)]
    {
        let layout = View::of(&format!("{mark}{letters}"), itemsize, &[2], None).layout().unwrap();
        assert_eq!(layout.dtype, number.swapped().code(), "{letters}");
    }
    for (letters, itemsize) in [("g", 16), ("Zg", 32)] {
        let order = reason(View::of(&format!("{mark}{letters}"), itemsize, &[2], None).layout());
        assert_eq!(order, (dtype, format, -1, itemsize as i64, 0), "{letters}");
    }
    assert_eq!(View::of(">B", 1, &[2], None).layout().unwrap().dtype, U8);
    assert_eq!(reason(View::of("f", 8, &[2], None).layout()), (dtype, format, -1, 'f' as i64, 64));
    assert_eq!(reason(View::of("B", 0, &[2], None).layout()), (dtype, itemsize, -1, 0, 1));
    assert_eq!(reason(View::of("B", -1, &[2], None).layout()), (dtype, itemsize, -1, -1, 1));
    assert_eq!(reason(View::of("B", 1 << 24, &[2], None).layout()).3, 1 << 24);
    let after = View { suboffsets: Some(vec![-1, 8]), ..View::of("B", 1, &[2, 3], Some(&[8, 1])) };
    let indirect = (code(Status::NotRepresentable), Argument::Suboffsets.number(), 1, 8, 0);
    assert_eq!(reason(after.layout()), indirect);
    assert!(View { suboffsets: Some(vec![-1, -1]), ..after.clone() }.layout().is_ok());
    // No element, none after a pointer.
    let nothing = View { suboffsets: Some(vec![-1, 8]), ..View::of("B", 1, &[0, 3], Some(&[8, 1])) };
    assert_eq!(sizes(&nothing.layout().unwrap()), [0, 3]);
    let apart = View::of("d", 8, &[2], Some(&[12])).layout().unwrap();
    assert_eq!((apart.dtype, fields(&apart)), (U8, (vec![2, 8], vec![12, 1], 0)));
    let len = reason(View { len: 15, ..View::of("d", 8, &[2], None) }.layout());
    assert_eq!(len, (code(Status::ShapeMismatch), Argument::Len.number(), -1, 15, 16));
    let size = reason(View { len: 0, ..View::of("d", 8, &[-2], None) }.layout());
    assert_eq!(size, (code(Status::InvalidSize), Argument::Shape.number(), 0, -2, 0));
    #[cfg(target_pointer_width = "64")]
    {
        // Lengths agree, but nobody can count the bits.
        let bits = reason(View::of("B", 1, &[1 << 61], None).layout());
        assert_eq!(bits, (code(Status::Overflow), Argument::Shape.number(), -1, 1 << 61, 8));
        let reach = reason(View::of("B", 1, &[1 << 61], Some(&[1])).layout());
        assert_eq!(reach, (code(Status::Overflow), Argument::Strides.number(), -1, 1 << 61, 8));
        let far = reason(View::of("B", 1, &[3], Some(&[isize::MAX])).layout());
        assert_eq!(far, (code(Status::Overflow), Argument::Strides.number(), 0, 3, i64::MAX));
        assert!(View::of("B", 1, &[1 << 61], Some(&[0])).layout().is_ok(), "one byte");
    }
    for (ndim, limit) in [(-1, 0), (65, 64)] {
        let rank = reason(View { ndim, ..View::of("d", 8, &[], None) }.layout());
        assert_eq!(rank, (code(Status::InvalidRank), Argument::Ndim.number(), -1, ndim as i64, limit));
    }
    assert_eq!(
        reason(View { len: -1, shape: None, ..View::of("B", 1, &[1], None) }.layout()).1,
        Argument::Len.number()
    );
}

/// numpy.org, "The array interface protocol"; strings as NumPy 2 prints them for np.dtype(…).str.
#[test]
#[cfg(target_endian = "little")]
fn type_strings_of_numpy() {
    let from = |text: &str| {
        let mut out = 0;
        call!(stride_dtype_from_typestr, text.as_ptr().cast(), text.len() as u64, &mut out).map(|()| out)
    };
    let to = |dtype| text(|buffer, capacity, length| call!(stride_dtype_to_typestr, dtype, buffer, capacity, length));
    let named = [
        ("|b1", Dtype::PRED),
        ("|i1", Dtype::S8),
        ("<i2", Dtype::S16),
        ("<i8", Dtype::S64),
        ("|u1", Dtype::U8),
        ("<u4", Dtype::U32),
        ("<f2", Dtype::F16),
        ("<f4", Dtype::F32),
        ("<f8", Dtype::F64),
        ("<c8", Dtype::C64),
        ("<c16", Dtype::C128),
    ];
    for (name, dtype) in named {
        assert_eq!((from(name), to(dtype.code())), (Ok(dtype.code()), Ok(name.to_owned())));
    }
    for (name, count) in [("|V12", 12), ("<f16", 16), ("<c32", 32), ("|S5", 5), ("<U5", 20), ("<M8[ns]", 8), ("<V2", 2)]
    {
        assert_eq!(from(name), bytes(count), "{name}");
    }
    assert_eq!(to(bytes(16_777_215).unwrap()).unwrap(), "|V16777215");
    assert_eq!(from(">f4"), Ok(Dtype::F32.swapped().code()));
    assert_eq!(to(Dtype::C64.swapped().code()), Ok(">c8".to_owned()));
    assert_eq!(error(from(">f16")).detail, Detail::ByteOrder.number() as u64);
    assert_eq!((error(from("|O8")).status, error(from("|O8")).position), (code(Status::Parse), 1));
    assert_eq!(error(from("<f")).position, 2);
    assert_eq!(reason(to(Dtype::BF16.code())).0, code(Status::InvalidDtype));
}

// --- ggml ------------------------------------------------------------------------------------------------------------

fn from_ggml(number: u32, ne: [i64; 4], nb: [usize; 4]) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_from_ggml, number, ne.as_ptr(), nb.as_ptr(), out))
}

fn to_ggml(layout: &stride_layout, number: u32) -> Answer<([i64; 4], [usize; 4], u64)> {
    let (mut ne, mut nb, mut offset) = ([POISON; 4], [77usize; 4], 99);
    let answer = call!(stride_layout_to_ggml, layout, number, ne.as_mut_ptr(), nb.as_mut_ptr(), &mut offset);
    assert!(answer.is_ok() || (ne, nb, offset) == ([POISON; 4], [77; 4], 99));
    answer.map(|()| (ne, nb, offset))
}

/// Block sizes of ggml-common.h: half-precision scales and packed bits, as the structs list them.
#[test]
fn types_of_ggml() {
    let half = 2;
    let of = |number| {
        let (mut dtype, mut block) = (0, 0);
        call!(stride_dtype_from_ggml, number, &mut dtype, &mut block).map(|()| (dtype, block))
    };
    for (number, dtype) in [
        (0, Dtype::F32),
        (1, Dtype::F16),
        (24, Dtype::S8),
        (25, Dtype::S16),
        (26, Dtype::S32),
        (27, Dtype::S64),
        (28, Dtype::F64),
        (30, Dtype::BF16),
    ] {
        assert_eq!(of(number), Ok((dtype.code(), 1)));
    }
    let blocks = [
        (2, 32, half + 16),                  // Q4_0: d, qs
        (3, 32, 2 * half + 16),              // Q4_1: d, m, qs
        (6, 32, half + 4 + 16),              // Q5_0: d, qh, qs
        (7, 32, 2 * half + 4 + 16),          // Q5_1
        (8, 32, half + 32),                  // Q8_0
        (9, 32, 2 * half + 32),              // Q8_1: d, s, qs
        (10, 256, 16 + 64 + 2 * half),       // Q2_K: scales, qs, d, dmin
        (11, 256, 32 + 64 + 12 + half),      // Q3_K: hmask, qs, scales, d
        (12, 256, 2 * half + 12 + 128),      // Q4_K
        (13, 256, 2 * half + 12 + 32 + 128), // Q5_K
        (14, 256, 128 + 64 + 16 + half),     // Q6_K: ql, qh, scales, d
        (15, 256, 4 + 256 + 32),             // Q8_K: f32 d, qs, bsums
        (16, 256, half + 64),                // IQ2_XXS
        (17, 256, half + 64 + 8),            // IQ2_XS
        (18, 256, half + 96),                // IQ3_XXS
        (19, 256, half + 32 + 16),           // IQ1_S
        (20, 32, half + 16),                 // IQ4_NL
        (21, 256, half + 64 + 8 + 32 + 4),   // IQ3_S: d, qs, qh, signs, scales
        (22, 256, half + 64 + 8 + 8),        // IQ2_S
        (23, 256, half + 2 + 4 + 128),       // IQ4_XS
        (29, 256, 32 + 16 + 8),              // IQ1_M
        (34, 256, 48 + 4 + half),            // TQ1_0
        (35, 256, 64 + half),                // TQ2_0
        (39, 32, 1 + 16),                    // MXFP4: e, qs
        (40, 64, 4 + 32),                    // NVFP4: d, qs
        (41, 128, half + 16),                // Q1_0
        (42, 64, half + 16),                 // Q2_0
    ];
    for (number, elements, count) in blocks {
        assert_eq!(of(number), Ok((bytes(count).unwrap(), elements)), "type {number}");
    }
    for number in [4, 5, 31, 32, 33, 36, 37, 38, 43, u32::MAX] {
        let unknown = (code(Status::InvalidDtype), Argument::Type.number(), -1, number as i64, 42);
        assert_eq!(reason(of(number)), unknown);
    }
}

/// ggml-org/ggml#1497: a column of a cache, `view_2d` with ne {1, d_head} and nb1 of a whole row of the parent. A copy
/// that ignores nb1 overwrites the neighbours; here each element goes to its own row.
#[test]
fn a_strided_slot_of_ggml_is_written_where_it_is() {
    let (most, head) = (6usize, 4);
    let slot = from_ggml(0, [1, head as i64, 1, 1], [4, most * 4, most * head * 4, most * head * 4]).unwrap();
    assert_eq!((sizes(&slot), slot.strides[2]), (&[1, 1, head as i64, 1][..], most as i64));
    let source = from_ggml(0, [1, head as i64, 1, 1], [4, 4, 16, 16]).unwrap();
    let (mut cache, values) = (vec![0u8; most * head * 4], f32s(&[1.0, 2.0, 3.0, 4.0]));
    let place = 2 * 4; // the third column
    let (to, from) = (cache[place..].as_mut_ptr().cast(), values.as_ptr().cast());
    let room = (cache.len() - place) as u64;
    call!(stride_copy, &slot, to, room, &source, from, 16, std::ptr::null()).unwrap();
    let expected = (0..24).map(|at| if at % 6 == 2 { (at / 6 + 1) as f32 } else { 0.0 });
    assert_eq!(floats(&cache), expected.collect::<Vec<_>>());
}

/// ggml-org/ggml#934: transposed tensors with a dimension of 1, whose strides say nothing.
#[test]
fn sizes_of_one_in_ggml() {
    let column = from_ggml(0, [1, 5, 1, 1], [20, 4, 20, 20]).unwrap();
    assert_eq!(to_ggml(&column, 0).unwrap(), ([1, 5, 1, 1], [4, 4, 20, 20], 0));
    assert_eq!(strides(&from_ggml(0, [3, 1, 1, 1], [4, 7, usize::MAX, 9]).unwrap()), [0, 0, 0, 1]);
    // ggml_new_tensor's strides for what has fewer dimensions.
    assert_eq!(to_ggml(&at(3, packed(F32, &[2, 3])), 0).unwrap(), ([3, 2, 1, 1], [4, 12, 24, 24], 12));
    assert_eq!(to_ggml(&packed(F32, &[]), 0).unwrap(), ([1; 4], [4; 4], 0));
    assert_eq!(to_ggml(&packed(F32, &[2, 0]), 0).unwrap().0, [0, 2, 1, 1]);
    // A number that says nothing, and that 64 bits do not hold.
    let none = reason(to_ggml(&packed(F32, &[0, 1 << 40, 1 << 40, 1 << 40]), 0));
    assert_eq!(none, (code(Status::Overflow), Argument::Layout.number(), -1, 4 << 40, 1 << 40));
    assert_eq!(to_ggml(&packed(bytes(18).unwrap(), &[2, 2]), 2).unwrap(), ([64, 2, 1, 1], [18, 36, 72, 72], 0));
}

#[test]
fn tensors_of_ggml_that_are_refused() {
    let (ne, nb) = (Argument::Ne.number(), Argument::Nb.number());
    let size = code(Status::InvalidSize);
    assert_eq!(reason(from_ggml(0, [3, -1, 1, 1], [4; 4])), (size, ne, 1, -1, 0));
    assert_eq!(reason(from_ggml(2, [40, 1, 1, 1], [18; 4])), (size, ne, 0, 40, 32));
    // Within an element or block: bytes.
    let apart = from_ggml(2, [64, 2, 1, 1], [18, 40, 80, 80]).unwrap();
    assert_eq!((apart.dtype, fields(&apart)), (U8, (vec![1, 1, 2, 2, 18], vec![80, 80, 40, 18, 1], 0)));
    assert_eq!(to_ggml(&apart, 2), Ok(([64, 2, 1, 1], [18, 40, 80, 80], 0)));
    let apart = from_ggml(0, [2, 2, 2, 1], [4, 8, 18, 36]).unwrap();
    assert_eq!(fields(&apart).1, [36, 18, 8, 4, 1]);
    assert_eq!(to_ggml(&apart, 0), Ok(([2, 2, 2, 1], [4, 8, 18, 36], 0)));
    let stride = code(Status::InvalidStride);
    let far = from_ggml(24, [1, 2, 1, 1], [1, usize::MAX, 1, 1]);
    assert_eq!(reason(far).1, nb);
    let far = reason(from_ggml(0, [1 << 32, 1 << 32, 1, 1], [4, 4, 4, 4]));
    assert_eq!((far.0, far.1), (code(Status::Overflow), ne));
    assert!(from_ggml(2, [0, 7, 1, 1], [1, 3, 5, 7]).is_ok(), "empty: nothing lies anywhere");
    let layout_argument = Argument::Layout.number();
    let mirrored = at(1, layout(F32, &[2], &[-1]));
    assert_eq!(reason(to_ggml(&mirrored, 0)), (stride, layout_argument, 0, -1, 0));
    let dtypes = (code(Status::DtypeMismatch), layout_argument, -1, F32 as i64, Dtype::F16.code() as i64);
    assert_eq!(reason(to_ggml(&packed(F32, &[2]), 1)), dtypes);
    let rank = (code(Status::InvalidRank), layout_argument, -1, 5, 4);
    assert_eq!(reason(to_ggml(&packed(F32, &[1; 5]), 0)), rank);
    assert_eq!(reason(to_ggml(&packed(F32, &[1]), 5)).1, Argument::Type.number());
    let nested = at(-1, packed(F32, &[2]));
    assert_eq!(reason(to_ggml(&nested, 0)).0, code(Status::OutOfBounds));
}

/// Random tensors of ggml: the address of every element or block is the sum of i · nb.
#[test]
fn random_tensors_of_ggml() {
    let mut random = Random::new(21);
    let mut elements = 0;
    for _ in 0..oracle::times(4000) {
        let (number, block, width) =
            [(0, 1, 4usize), (1, 1, 2), (2, 32, 18), (12, 256, 144), (27, 1, 8)][random.below(5) as usize];
        let blocks: Vec<i64> = (0..4).map(|_| random.below(4)).collect();
        let nb: Vec<usize> = (0..4).map(|_| random.below(9) as usize * width).collect();
        let ne = [blocks[0] * block, blocks[1], blocks[2], blocks[3]];
        let layout = from_ggml(number, ne, nb.clone().try_into().unwrap()).unwrap();
        for index in indices(&[blocks[3], blocks[2], blocks[1], blocks[0]]) {
            let address: i64 = index.iter().rev().zip(&nb).map(|(i, &bytes)| i * bytes as i64).sum();
            assert_eq!(byte_offset_of(&layout, &index), Ok((address, 0)));
            elements += 1;
        }
        let (ne_back, nb_back, offset) = to_ggml(&layout, number).unwrap();
        assert_eq!((ne_back, offset), (ne, 0));
        for k in 0..4 {
            assert!(nb_back[k] == nb[k] || blocks[k] <= 1 || blocks.contains(&0));
        }
    }
    println!("random tensors of ggml: {elements} elements or blocks");
}

// --- Images ----------------------------------------------------------------------------------------------------------

type Parts = (Vec<stride_layout>, u64);

/// `stride_image_planes` or `stride_image_components`.
macro_rules! image {
    ($function:ident, $fourcc:expr, $width:expr, $height:expr, $pitches:expr, $alignment:expr) => {{
        let pitches: &[u64] = $pitches;
        let (mut count, mut parts, mut bytes) = (99u32, [blank(); 4], 99u64);
        let (number, list) = (pitches.len() as u32, pitches.as_ptr());
        let (width, height, alignment) = ($width, $height, $alignment);
        let out = parts.as_mut_ptr();
        let answer = call!($function, $fourcc, width, height, number, list, alignment, &mut count, out, &mut bytes);
        assert!(answer.is_ok() || (count == 99 && bytes == 99 && parts.iter().all(|part| part.offset == POISON)));
        answer.map(|()| (parts[..count as usize].to_vec(), bytes))
    }};
}

fn planes(fourcc: u32, width: i64, height: i64, pitches: &[u64], alignment: u64) -> Answer<Parts> {
    image!(stride_image_planes, fourcc, width, height, pitches, alignment)
}

fn components(fourcc: u32, width: i64, height: i64, pitches: &[u64], alignment: u64) -> Answer<Parts> {
    image!(stride_image_components, fourcc, width, height, pitches, alignment)
}

const ALL: [u32; 13] = [
    STRIDE_FOURCC_NV12,
    STRIDE_FOURCC_NV21,
    STRIDE_FOURCC_NV16,
    STRIDE_FOURCC_P010,
    STRIDE_FOURCC_I420,
    STRIDE_FOURCC_YV12,
    STRIDE_FOURCC_I422,
    STRIDE_FOURCC_I444,
    STRIDE_FOURCC_YUY2,
    STRIDE_FOURCC_UYVY,
    STRIDE_FOURCC_RGB24,
    STRIDE_FOURCC_BGRA,
    STRIDE_FOURCC_RGBA64F,
];

#[test]
fn images_of_reports() {
    // realsenseai/librealsense#15658: NV12 of 848 x 480 takes 610,560 bytes, its chroma rows 848.
    let (parts, bytes) = planes(STRIDE_FOURCC_NV12, 848, 480, &[], 1).unwrap();
    assert_eq!((parts.len(), bytes), (2, 610_560));
    assert_eq!(fields(&parts[0]), (vec![480, 848, 1], vec![848, 1, 1], 0));
    assert_eq!(fields(&parts[1]), (vec![240, 424, 2], vec![848, 2, 1], 848 * 480));
    // libsdl-org/SDL#11114: a camera's NV12 of 2328 x 1748 with a pitch of 2368, which is 64 bytes' alignment.
    let given = planes(STRIDE_FOURCC_NV12, 2328, 1748, &[2368, 2368], 1).unwrap();
    assert_eq!(fields(&given.0[1]), (vec![874, 1164, 2], vec![2368, 2, 1], 2368 * 1748));
    assert_eq!(given.1, 2368 * (1748 + 874));
    let aligned = planes(STRIDE_FOURCC_NV12, 2328, 1748, &[], 64).unwrap();
    assert_eq!((fields(&aligned.0[1]), aligned.1), (fields(&given.0[1]), given.1));
    // obsproject/obs-studio#13189: NV12 of 800 x 480 comes with rows of 832 bytes.
    assert_eq!(planes(STRIDE_FOURCC_NV12, 800, 480, &[], 64).unwrap().0[0].strides[0], 832);
    // I420 of 800 x 650: 520,000 luma samples and twice 400 x 325.
    let (parts, bytes) = planes(STRIDE_FOURCC_I420, 800, 650, &[], 1).unwrap();
    assert_eq!((parts[1].offset, parts[2].offset, bytes), (520_000, 650_000, 780_000));
    assert_eq!(sizes(&parts[2]), [325, 400, 1]);
    // Each plane has its own pitch (pjsip/pjproject#5249).
    let (parts, bytes) = planes(STRIDE_FOURCC_NV12, 6, 4, &[8, 16], 1).unwrap();
    assert_eq!((parts[0].strides[0], parts[1].strides[0], bytes), (8, 16, 64));
}

/// Images with pitches and offsets of either sign, held against bytes that are counted one by one.
#[test]
fn random_images_placed() {
    let mut random = Random::new(77);
    let (mut placed, mut apart, mut shared, mut undecided) = (0, 0, 0, 0);
    let formats: Vec<_> = stride::vocabulary::images::formats().filter(|of| !of.letters.is_empty()).collect();
    for case in 0..oracle::times(6000) {
        let format = &formats[case % formats.len()];
        let (width, height) = (1 + random.below(6), 1 + random.below(5));
        let plain = planes(format.fourcc, width, height, &[], 1).unwrap().0;
        let tall = planes(format.fourcc, width, 2, &[], 1).unwrap().0;
        let sample = Dtype::new(plain[0].dtype).unwrap().bits() / 8;
        let mut image = stride_image {
            struct_size: size_of::<stride_image>() as u32,
            fourcc: format.fourcc,
            width,
            height,
            height_alignment: random.below(5) as u64,
            ..oracle::zeroed()
        };
        if case % 3 > 0 {
            image.pitch_count = plain.len() as u32;
            for (pitch, part) in image.pitches.iter_mut().zip(&plain) {
                let least = part.sizes[1] * part.sizes[2];
                let longer = (least + random.below(4)) * sample;
                *pitch = if random.below(2) == 0 { longer } else { -longer };
            }
        }
        if case % 4 > 1 {
            image.offset_count = plain.len() as u32;
            image.offsets.iter_mut().for_each(|offset| *offset = (random.below(120) - 60) * sample);
        }
        let (mut count, mut parts, mut bytes) = (0u32, [blank(); 4], 0u64);
        let found = call!(stride_image_planes_of, &image, &mut count, parts.as_mut_ptr(), &mut bytes);
        // Rows of each plane as they are meant: where each begins, and its bytes with and without padding.
        let rounded = (height as u64).next_multiple_of(image.height_alignment.max(1)) as i64;
        let (mut lowest, mut end, mut after) = (0, i64::MIN, 0);
        let mut owners = std::collections::BTreeMap::new();
        let mut overlap = false;
        for (k, part) in plain.iter().enumerate() {
            let least = part.sizes[1] * part.sizes[2] * sample;
            let pitch = if image.pitch_count > 0 { image.pitches[k] } else { least };
            let rows = if tall[k].sizes[0] == 2 { rounded } else { rounded - rounded / 2 };
            let down = if pitch < 0 { (rows - 1) * -pitch } else { 0 };
            let first = match (image.offset_count, k) {
                (0, 0) => 0,
                (0, _) => after + down,
                _ => image.offsets[k],
            };
            after = first - down + rows * pitch.abs();
            (lowest, end) = (lowest.min(first - down), end.max(after));
            for row in 0..part.sizes[0] {
                for byte in first + row * pitch..first + row * pitch + least {
                    overlap |= owners.insert(byte, k).is_some();
                }
            }
            if found.is_ok() {
                let expected = [pitch / sample, part.sizes[2], 1];
                assert_eq!((parts[k].offset * sample, strides(&parts[k])), (first, &expected[..]), "{image:?}");
                assert_eq!(sizes(&parts[k]), sizes(part), "{image:?}");
            }
        }
        match found {
            Ok(()) => {
                assert!(!overlap && bytes as i64 == end - lowest, "{image:?}: {bytes}");
                placed += 1;
                apart += i32::from(image.offset_count > 1);
            }
            Err(error) if error.status == code(Status::Undecided) => undecided += 1,
            Err(error) => {
                assert!(error.status == code(Status::Overlap) && overlap, "{image:?}: {}", sentence(&error));
                shared += 1;
            }
        }
    }
    println!("{placed} images placed, {apart} with offsets; {shared} with shared bytes, {undecided} undecided");
    assert_eq!(undecided, 0);
}

/// Odd sizes: chroma is rounded up, as in drm_fourcc.h's drivers and SDL's 2 · ((h + 1) / 2) · ((pitch + 1) / 2).
#[test]
fn images_of_odd_sizes() {
    let bytes = |fourcc| planes(fourcc, 5, 3, &[], 1).unwrap().1;
    let expected = [27, 27, 33, 54, 27, 27, 33, 45, 36, 36, 45, 60, 120];
    for (fourcc, expected) in ALL.into_iter().zip(expected) {
        assert_eq!(bytes(fourcc), expected, "{fourcc:#x}");
        assert_eq!(planes(fourcc, 0, 3, &[], 1).unwrap().1, 0);
        for (width, height) in [(0, 3), (5, 0)] {
            let (parts, bytes) = components(fourcc, width, height, &[], 1).unwrap();
            assert!(bytes == 0 && parts.iter().all(|part| part.offset == 0 && min_bytes(part) == Ok(0)), "{fourcc:#x}");
        }
        let (parts, bytes) = planes(fourcc, 5, 0, &[], 4096).unwrap();
        assert_eq!((bytes, parts.iter().all(|part| min_bytes(part) == Ok(0))), (0, true));
        assert_eq!(
            components(fourcc, 1, 1, &[], 1).unwrap().0.iter().map(|part| sizes(part).to_vec()).max(),
            Some(vec![1, 1])
        );
    }
    let (parts, _) = planes(STRIDE_FOURCC_P010, 5, 3, &[], 32).unwrap();
    assert_eq!(fields(&parts[1]), (vec![2, 3, 2], vec![16, 2, 1], 48));
    assert_eq!(parts[1].dtype, Dtype::U16.code());
    // Names that others have for the same.
    let same = [(*b"IYUV", STRIDE_FOURCC_I420), (*b"YUYV", STRIDE_FOURCC_YUY2), (*b"422P", STRIDE_FOURCC_I422)];
    for (code, fourcc) in same {
        let other = planes(u32::from_le_bytes(code), 5, 3, &[], 1).unwrap();
        assert_eq!(other.1, planes(fourcc, 5, 3, &[], 1).unwrap().1);
    }
}

#[test]
fn images_that_are_refused() {
    let argument = code(Status::InvalidArgument);
    let nv12 = STRIDE_FOURCC_NV12;
    let (pitches, alignment) = (Argument::Pitches.number(), Argument::PitchAlignment.number());
    assert_eq!(reason(planes(0x2020_2020, 5, 3, &[], 1)), (argument, Argument::Fourcc.number(), -1, 0x2020_2020, 0));
    assert_eq!(reason(planes(nv12, -5, 3, &[], 1)), (code(Status::InvalidSize), Argument::Width.number(), -1, -5, 0));
    assert_eq!(reason(planes(nv12, 5, -3, &[], 1)).1, Argument::Height.number());
    assert_eq!(reason(planes(nv12, 5, 3, &[], 0)), (argument, alignment, -1, 0, 1));
    assert_eq!(reason(planes(nv12, 5, 3, &[], 48)), (argument, alignment, -1, 48, 1));
    assert_eq!(reason(planes(nv12, 5, 3, &[5, 5], 1)), (argument, pitches, 1, 5, 6));
    assert_eq!(reason(planes(nv12, 5, 3, &[8, 12], 8)), (argument, pitches, 1, 12, 8));
    assert_eq!(reason(planes(STRIDE_FOURCC_P010, 5, 3, &[11, 12], 1)), (argument, pitches, 0, 11, 2));
    let count = (code(Status::InvalidRank), Argument::Count.number(), -1, 1, 2);
    assert_eq!(reason(planes(nv12, 5, 3, &[8], 1)), count);
    let far = error(planes(STRIDE_FOURCC_I444, 1 << 40, 1 << 40, &[], 1));
    assert_eq!((far.status, far.argument), (code(Status::Overflow), Argument::Width.number()));
    // As many bytes as have bits that can be counted, and one more.
    assert_eq!(planes(STRIDE_FOURCC_RGB24, (1 << 60) / 3, 1, &[], 1).unwrap().1, (1 << 60) - 1);
    let far = reason(planes(STRIDE_FOURCC_RGB24, 5, 1, &[1 << 60], 1));
    assert_eq!(far, (code(Status::Overflow), pitches, 0, 1 << 60, 8));
    assert!(planes(nv12, i64::MAX, 0, &[], 1 << 63).is_ok());
}

/// The sample of a pixel by the formats' own formulas (videodev2.h's tables), for every pixel and component.
fn sample_at(fourcc: u32, component: usize, row: u64, column: u64, p: &[u64], height: u64) -> u64 {
    let (half_rows, half_columns) = (height.div_ceil(2), column / 2);
    match (fourcc, component) {
        (STRIDE_FOURCC_RGB24, of) => row * p[0] + 3 * column + of as u64,
        (STRIDE_FOURCC_BGRA, of) => row * p[0] + 4 * column + [2, 1, 0, 3][of],
        (STRIDE_FOURCC_RGBA64F, of) => row * p[0] + 8 * column + 2 * of as u64,
        (STRIDE_FOURCC_YUY2, of) => row * p[0] + [2 * column, 4 * half_columns + 1, 4 * half_columns + 3][of],
        (STRIDE_FOURCC_UYVY, of) => row * p[0] + [2 * column + 1, 4 * half_columns, 4 * half_columns + 2][of],
        (STRIDE_FOURCC_P010, 0) => row * p[0] + 2 * column,
        (_, 0) => row * p[0] + column,
        (STRIDE_FOURCC_NV12, of) => height * p[0] + row / 2 * p[1] + 2 * half_columns + (of as u64 - 1),
        (STRIDE_FOURCC_NV21, of) => height * p[0] + row / 2 * p[1] + 2 * half_columns + (2 - of as u64),
        (STRIDE_FOURCC_NV16, of) => height * p[0] + row * p[1] + 2 * half_columns + (of as u64 - 1),
        (STRIDE_FOURCC_P010, of) => height * p[0] + row / 2 * p[1] + 4 * half_columns + 2 * (of as u64 - 1),
        (STRIDE_FOURCC_I420, 1) | (STRIDE_FOURCC_YV12, 2) => height * p[0] + row / 2 * p[1] + half_columns,
        (STRIDE_FOURCC_I420 | STRIDE_FOURCC_YV12, _) => {
            height * p[0] + half_rows * p[1] + row / 2 * p[2] + half_columns
        }
        (STRIDE_FOURCC_I422, 1) => height * p[0] + row * p[1] + half_columns,
        (STRIDE_FOURCC_I422, _) => height * (p[0] + p[1]) + row * p[2] + half_columns,
        (STRIDE_FOURCC_I444, 1) => height * p[0] + row * p[1] + column,
        (STRIDE_FOURCC_I444, _) => height * (p[0] + p[1]) + row * p[2] + column,
        _ => panic!("{fourcc:#x}"),
    }
}

#[test]
fn random_images() {
    let mut random = Random::new(22);
    let mut samples = 0;
    for case in 0..oracle::times(1300) {
        let fourcc = ALL[case % ALL.len()];
        let (width, height) = (1 + random.below(9) as u64, 1 + random.below(7) as u64);
        let alignment = 1u64 << random.below(6);
        let (parts, _) = planes(fourcc, width as i64, height as i64, &[], alignment).unwrap();
        let width_of = |part: &stride_layout| Dtype::new(part.dtype).unwrap().bits() as u64 / 8;
        let least: Vec<u64> = parts.iter().map(|part| part.strides[0] as u64 * width_of(part)).collect();
        let pitches: Vec<u64> = least.iter().map(|pitch| pitch + random.below(3) as u64 * alignment.max(2)).collect();
        let (parts, bytes) = planes(fourcc, width as i64, height as i64, &pitches, alignment).unwrap();
        let rows: Vec<u64> = parts.iter().map(|part| part.sizes[0] as u64).collect();
        assert_eq!(bytes, pitches.iter().zip(&rows).map(|(pitch, rows)| pitch * rows).sum::<u64>());
        assert!(parts.iter().all(|part| min_bytes(part).unwrap() <= bytes));
        let (parts, all) = components(fourcc, width as i64, height as i64, &pitches, alignment).unwrap();
        assert_eq!(all, bytes);
        for (component, part) in parts.iter().enumerate() {
            let down = |number: u64, of: i64, whole: u64| if of as u64 == whole { number } else { number / 2 };
            for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
                let index = [down(row, part.sizes[0], height) as i64, down(column, part.sizes[1], width) as i64];
                let expected = sample_at(fourcc, component, row, column, &pitches, height);
                let found = byte_offset_of(part, &index).unwrap().0 as u64;
                assert_eq!(
                    found, expected,
                    "{fourcc:#x} {width} x {height} {pitches:?}: {component} at {row}, {column}"
                );
                samples += 1;
            }
        }
    }
    println!("random images: {samples} samples of pixels");
}

/// NV12 into I420 by three copies, and back: the bytes come back (SDL#11114 got the chroma shifted).
#[test]
fn one_format_becomes_another_by_copies() {
    let nv12: Vec<u8> = (0..2 * 96).collect();
    let (from, bytes) = components(STRIDE_FOURCC_NV12, 7, 5, &[], 16).unwrap();
    let (to, room) = components(STRIDE_FOURCC_I420, 7, 5, &[], 1).unwrap();
    assert_eq!((bytes, room), (128, 35 + 12 + 12));
    let (mut i420, mut back) = (vec![0u8; room as usize], nv12[..bytes as usize].to_vec());
    for (from, to) in from.iter().zip(&to) {
        let (dst, src) = (i420.as_mut_ptr().cast(), nv12.as_ptr().cast());
        call!(stride_copy, to, dst, room, from, src, bytes, std::ptr::null()).unwrap();
    }
    // U of the pixel in row 4, column 2: the third chroma row's second pair.
    assert_eq!(i420[35 + 2 * 4 + 1], nv12[80 + 2 * 16 + 2]);
    for (from, to) in from.iter().zip(&to) {
        let (dst, src) = (back.as_mut_ptr().cast(), i420.as_ptr().cast());
        call!(stride_copy, from, dst, bytes, to, src, room, std::ptr::null()).unwrap();
    }
    assert_eq!(back, nv12[..bytes as usize]);
}
