//! DLPack: `DLTensor` of dmlc/dlpack, versions 1.0 to 1.3 and the older ones without a number.
//!
//! A tensor has a data pointer, an offset from it in **bytes**, sizes and strides in **elements** of any sign, and a
//! type of three numbers: a code, bits of a lane, lanes. An element is `bits · lanes` bits; more than one lane makes it
//! a vector, which is one element here as well: plain bytes.
//!
//! ```text
//! address of (i0, …, i[r−1]) = data + byte_offset + (i0·strides[0] + … + i[r−1]·strides[r−1]) · bits · lanes / 8
//! ```
//!
//! So `data` is the base pointer and `byte_offset / element bytes` the offset, a field that consumers forget
//! (NVIDIA/cuda-python#2592). Elements below a byte are packed, low bits first, unless a flag of the managed tensor
//! says that each has a byte of its own.
//!
//! Sources: include/dlpack/dlpack.h and the Python specification of dmlc/dlpack.

use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_rank};
use crate::model::build::in_sizes;
use crate::model::{Dtype, Layout, LayoutBuf, LayoutStorage, MAX_RANK, arith};

/// The major version whose structs are known.
pub const MAJOR_VERSION: u32 = 1;
/// `DLPACK_FLAG_BITMASK_READ_ONLY`.
pub const FLAG_READ_ONLY: u64 = 1;
/// `DLPACK_FLAG_BITMASK_IS_COPIED`.
pub const FLAG_IS_COPIED: u64 = 2;
/// `DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED`.
pub const FLAG_SUBBYTE_TYPE_PADDED: u64 = 4;

/// The highest code of `DLDataTypeCode`.
const LAST_CODE: u8 = 17;
const UINT: u8 = 1;
const OPAQUE_HANDLE: u8 = 3;

/// `DLDataTypeCode`, and the dtypes of one lane that have it, by their bits. The two kinds of 6 bits have none.
const TYPES: [(u8, &[Dtype]); 15] = [
    (0, &[Dtype::S1, Dtype::S2, Dtype::S4, Dtype::S8, Dtype::S16, Dtype::S32, Dtype::S64]),
    (UINT, &[Dtype::U1, Dtype::U2, Dtype::U4, Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64]),
    (2, &[Dtype::F16, Dtype::F32, Dtype::F64]),
    (4, &[Dtype::BF16]),
    (5, &[Dtype::C64, Dtype::C128]),
    (6, &[Dtype::PRED]),
    (7, &[Dtype::F8E3M4]),
    (8, &[Dtype::F8E4M3]),
    (9, &[Dtype::F8E4M3B11FNUZ]),
    (10, &[Dtype::F8E4M3FN]),
    (11, &[Dtype::F8E4M3FNUZ]),
    (12, &[Dtype::F8E5M2]),
    (13, &[Dtype::F8E5M2FNUZ]),
    (14, &[Dtype::F8E8M0FNU]),
    (17, &[Dtype::F4E2M1FN]),
];

/// `DLDataType`.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::dlpack::{DataType, dtype_of};
/// assert_eq!(dtype_of(DataType { code: 2, bits: 32, lanes: 1 }, false), Ok(Dtype::F32)); // kDLFloat
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataType {
    /// `DLDataTypeCode`.
    pub code: u8,
    /// Bits of one lane.
    pub bits: u8,
    /// Lanes of an element.
    pub lanes: u16,
}

/// The fields of a `DLTensor` that say where the elements lie.
///
/// ```
/// use stride::vocabulary::dlpack::{DataType, Tensor, to_layout};
/// let dtype = DataType { code: 2, bits: 32, lanes: 1 };
/// let tensor = Tensor { dtype, sizes: &[2, 3], strides: Some(&[1, 2]), byte_offset: 8 };
/// assert_eq!(to_layout(&tensor, false)?.to_string(), "f32[2,3] strides [1,2] offset 2");
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tensor<'a> {
    /// The type of an element.
    pub dtype: DataType,
    /// Elements along each dimension, outermost first.
    pub sizes: &'a [i64],
    /// Elements between neighbours; `None`: packed.
    pub strides: Option<&'a [i64]>,
    /// Bytes from the data pointer to index (0, …, 0).
    pub byte_offset: u64,
}

/// Checks that the version and the flags of a managed tensor are understood; returns whether elements below a byte have
/// a byte each. UNSUPPORTED for another major version, whose struct would differ, and for unknown flags, since a minor
/// version may add one that changes the meaning of the tensor, as 1.1 did.
///
/// ```
/// use stride::vocabulary::dlpack::{FLAG_SUBBYTE_TYPE_PADDED, subbyte_types_are_padded};
/// assert_eq!(subbyte_types_are_padded(1, FLAG_SUBBYTE_TYPE_PADDED), Ok(true));
/// assert!(subbyte_types_are_padded(2, 0).is_err() && subbyte_types_are_padded(1, 1 << 40).is_err());
/// ```
pub fn subbyte_types_are_padded(major: u32, flags: u64) -> Result<bool> {
    let error = Error::new(Status::Unsupported);
    error.argument(Argument::Major).unless(major == MAJOR_VERSION, Detail::NotEqual, major, MAJOR_VERSION)?;
    let unknown = flags & !(FLAG_READ_ONLY | FLAG_IS_COPIED | FLAG_SUBBYTE_TYPE_PADDED);
    if unknown != 0 {
        let first = unknown & unknown.wrapping_neg();
        let first = first as i64 as i128; // a bit, the highest as well
        return Err(error.argument(Argument::Flags).because_wide(Detail::UnsupportedFlag, flags as i128, first));
    }
    Ok(flags & FLAG_SUBBYTE_TYPE_PADDED != 0)
}

/// A dimension count as a rank; INVALID_RANK below 0 and above 64.
///
/// ```
/// use stride::vocabulary::dlpack::rank_of;
/// assert_eq!(rank_of(3), Ok(3));
/// assert!(rank_of(-1).is_err() && rank_of(65).is_err());
/// ```
pub fn rank_of(ndim: i32) -> Result<usize> {
    Status::InvalidRank.of(Argument::Ndim).at_least(ndim as i64, 0)?;
    check_rank(ndim as usize, MAX_RANK, Argument::Ndim)?;
    Ok(ndim as usize)
}

/// The dtype of a DLPack type. A vector, an opaque handle and a type of whole bytes without a dtype (an int128, a
/// complex number of two halves, a float of 80 bits) are plain bytes. A padded integer or float of 4 or 6 bits is an
/// integer of a byte: s8 for a signed integer, else u8, as in the storage of XLA's shapes. INVALID_DTYPE names the
/// number that has no counterpart; a float of 8 bits or fewer must have the bits that its name says, in a vector too.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::dlpack::{DataType, dtype_of};
/// assert_eq!(dtype_of(DataType { code: 4, bits: 16, lanes: 1 }, false), Ok(Dtype::BF16));
/// assert_eq!(dtype_of(DataType { code: 2, bits: 32, lanes: 4 }, false), Dtype::bytes(16));
/// ```
pub fn dtype_of(of: DataType, padded: bool) -> Result<Dtype> {
    let error = |argument| Status::InvalidDtype.of(argument);
    let DataType { code, bits, lanes } = of;
    error(Argument::DtypeCode).unless(code <= LAST_CODE, Detail::UnknownValue, code, LAST_CODE)?;
    error(Argument::DtypeBits).at_least(bits as i64, 1)?;
    error(Argument::DtypeLanes).at_least(lanes as i64, 1)?;
    let foreign = error(Argument::DtypeBits).because(Detail::TypeWidth, code as i64, bits as i64);
    let named = match code {
        7..=14 => 8,
        15 | 16 => 6,
        17 => 4,
        _ => bits,
    };
    if bits != named {
        return Err(foreign);
    }
    let lane_bits = if padded { (bits as u32).max(8) } else { bits as u32 };
    if lanes > 1 || code == OPAQUE_HANDLE {
        let total = lane_bits * lanes as u32; // below 2^24
        error(Argument::DtypeLanes).multiple(total as u64, 8)?;
        return Dtype::bytes(total / 8).in_role(Argument::DtypeLanes);
    }
    if lane_bits > bits as u32 && matches!(code, 0 | UINT | 15..) {
        return Ok(if code == 0 { Dtype::S8 } else { Dtype::U8 });
    }
    let mut of_code = TYPES.iter().filter(|known| known.0 == code).flat_map(|known| known.1);
    match of_code.find(|dtype| dtype.bits() == bits.into()) {
        Some(&dtype) => Ok(dtype),
        None if bits.is_multiple_of(8) => Dtype::bytes(bits as u32 / 8).in_role(Argument::DtypeBits),
        None => Err(foreign),
    }
}

/// The DLPack type of a dtype. Plain bytes are a vector of uint8. INVALID_DTYPE for high nibbles first, or 65536 bytes.
///
/// ```
/// use stride::Dtype;
/// use stride::vocabulary::dlpack::{DataType, data_type_of};
/// assert_eq!(data_type_of(Dtype::S16), Ok(DataType { code: 0, bits: 16, lanes: 1 }));
/// ```
pub fn data_type_of(dtype: Dtype) -> Result<DataType> {
    let error = Status::InvalidDtype.of(Argument::Layout);
    let foreign = error.because(Detail::DtypeForeign, dtype.code() as i64, 2);
    if dtype.is_bytes() {
        let lanes = u16::try_from(dtype.bits() / 8).map_err(|_| foreign)?;
        return Ok(DataType { code: UINT, bits: 8, lanes });
    }
    let found = TYPES.iter().find(|known| known.1.contains(&dtype)).ok_or(foreign)?;
    Ok(DataType { code: found.0, bits: dtype.bits() as u8, lanes: 1 })
}

/// The layout of a tensor, from its data pointer. Null strides mean packed, as up to version 1.1; in later versions a
/// tensor without strides cannot mean anything else. NOT_REPRESENTABLE for a byte offset between two elements.
///
/// ```
/// use stride::vocabulary::dlpack::{DataType, Tensor, to_layout};
/// let dtype = DataType { code: 0, bits: 8, lanes: 1 };
/// assert_eq!(to_layout(&Tensor { dtype, sizes: &[2, 3], strides: None, byte_offset: 0 }, false)?.strides(), [3, 1]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn to_layout(tensor: &Tensor<'_>, padded: bool) -> Result<LayoutBuf> {
    LayoutBuf::made(|out| to_layout_in(tensor, padded, out))
}

/// [`to_layout`] in a lent layout.
pub(crate) fn to_layout_in<'o>(tensor: &Tensor<'_>, padded: bool, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    let dtype = dtype_of(tensor.dtype, padded)?;
    match tensor.strides {
        None => out.set_packed(dtype, tensor.sizes).map_err(|error| in_shape(in_sizes(error)))?,
        Some(strides) => out.set_strided(dtype, tensor.sizes, strides).map_err(in_shape)?,
    };
    match offset_in_elements(dtype, tensor.byte_offset) {
        Ok(offset) => out.set_offset(offset),
        Err(_) if arith::has_zero(tensor.sizes) => {} // no element lies there
        Err(error) => return Err(error),
    }
    out.view().in_role(Argument::ByteOffset)
}

/// DLPack's word for the sizes is shape.
fn in_shape(error: Error) -> Error {
    let argument = if error.argument == Argument::Sizes { Argument::Shape } else { error.argument };
    Error { argument, ..error }
}

fn offset_in_elements(dtype: Dtype, byte_offset: u64) -> Result<i64> {
    let error = |status: Status| status.of(Argument::ByteOffset);
    let bits = dtype.bits().max(1) as u64;
    let elements = if bits < 8 {
        byte_offset.checked_mul(8 / bits)
    } else {
        let bytes = (bits / 8).max(1);
        error(Status::NotRepresentable).multiple(byte_offset, bytes)?;
        Some(byte_offset / bytes)
    };
    let offset = elements.and_then(|elements| i64::try_from(elements).ok());
    offset.ok_or(error(Status::Overflow).because_wide(Detail::Bits, byte_offset as i128, 8))
}

/// Type and byte offset of a layout in DLPack; sizes and strides are the layout's. INVALID_DTYPE as [`data_type_of`];
/// OUT_OF_BOUNDS for an element below the base pointer; NOT_REPRESENTABLE if the offset is not a whole byte. The
/// tensor's `data` and device are left to the caller: a layout knows neither.
///
/// ```
/// use stride::vocabulary::dlpack::{DataType, from_layout};
/// use stride::{Dtype, Layout};
/// let (dtype, byte_offset) = from_layout(&Layout::new(Dtype::F32, 3, &[2], &[5])?)?;
/// assert_eq!((dtype, byte_offset), (DataType { code: 2, bits: 32, lanes: 1 }, 12));
/// # Ok::<(), stride::Error>(())
/// ```
pub fn from_layout(layout: &Layout<'_>) -> Result<(DataType, u64)> {
    Ok((data_type_of(layout.dtype())?, layout.offset_bytes()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_comes_back() {
        for dtype in Dtype::all().chain([Dtype::bytes(12).unwrap(), Dtype::bytes(65535).unwrap()]) {
            let read = |padded| dtype_of(data_type_of(dtype).unwrap(), padded);
            assert_eq!(read(false), Ok(dtype), "{dtype}");
            assert_eq!(read(true) == Ok(dtype), dtype.bits() >= 8, "{dtype}"); // nothing else is padded
        }
        for dtype in [Dtype::S4.high_first(), Dtype::bytes(65536).unwrap()] {
            assert_eq!(data_type_of(dtype).unwrap_err().detail, Detail::DtypeForeign, "{dtype}");
        }
    }

    #[test]
    fn bytes_become_elements() {
        let f32 = DataType { code: 2, bits: 32, lanes: 1 };
        let tensor = |byte_offset| Tensor { dtype: f32, sizes: &[8], strides: Some(&[-1]), byte_offset };
        assert_eq!(to_layout(&tensor(28), false).unwrap().view().unwrap().offset(), 7);
        let error = to_layout(&tensor(6), false).unwrap_err();
        assert_eq!((error.status, error.lhs, error.rhs), (Status::NotRepresentable, 6, 4));
        let error = to_layout(&tensor(u64::MAX - 3), false).unwrap_err();
        assert_eq!((error.status, error.argument), (Status::Overflow, Argument::ByteOffset));
    }
}
