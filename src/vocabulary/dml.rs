//! DirectML: `DML_BUFFER_TENSOR_DESC`, its size formula and its verdict.
//!
//! DirectML describes a tensor by a data type, unsigned 32-bit sizes and strides in elements (null: packed), a total
//! size in bytes and an alignment promise. It has no offset (the binding has) and no negative stride.
//!
//! Two questions that are easily confused are kept apart. *How many bytes does this take?* ([`buffer_tensor_size`]) is
//! arithmetic and has an answer for empty tensors and rank 0. *Does DirectML accept it?* ([`validate`]) is DirectML's
//! own rule: rank 1–8, no empty dimension, at most 2^32 − 1 elements, and so on.
//!
//! Sources: DirectML.h and DirectMLX.h of microsoft/DirectML; learn.microsoft.com, "Using strides to express padding
//! and memory layout" and the page of the structure.

use crate::error::{Argument, Detail, ForArgument, Result, Status, check_flags, check_rank};
use crate::model::build::in_sizes;
use crate::model::size::{Size, SizeRoom};
use crate::model::{Dtype, Layout, LayoutBuf, LayoutStorage};

/// `DML_TENSOR_DIMENSION_COUNT_MAX1`.
pub const MAX_DIMENSION_COUNT: usize = 8;
/// `DML_TENSOR_FLAG_OWNED_BY_DML`, the only flag.
pub const FLAG_OWNED_BY_DML: u32 = 1;

/// The dtypes that DirectML has, by `DML_TENSOR_DATA_TYPE`, from 1 on. UINT4 and INT4 begin with the low bits.
pub(super) const DTYPES: [Dtype; 13] = [
    Dtype::F32,
    Dtype::F16,
    Dtype::U32,
    Dtype::U16,
    Dtype::U8,
    Dtype::S32,
    Dtype::S16,
    Dtype::S8,
    Dtype::F64,
    Dtype::U64,
    Dtype::S64,
    Dtype::U4,
    Dtype::S4,
];

/// The dtype of a `DML_TENSOR_DATA_TYPE`; INVALID_DTYPE for UNKNOWN and numbers that DirectML does not have.
///
/// ```
/// use stride::{Dtype, vocabulary::dml};
/// assert_eq!(dml::dtype_of(1), Ok(Dtype::F32)); // DML_TENSOR_DATA_TYPE_FLOAT32
/// ```
pub fn dtype_of(data_type: u32) -> Result<Dtype> {
    let error = Status::InvalidDtype.of(Argument::DataType);
    let error = error.because(Detail::UnknownValue, data_type as i64, DTYPES.len() as i64);
    DTYPES.get((data_type as usize).wrapping_sub(1)).copied().ok_or(error)
}

/// The `DML_TENSOR_DATA_TYPE` of a dtype; INVALID_DTYPE if DirectML has none (bool, bf16, complex, …).
///
/// ```
/// use stride::{Dtype, vocabulary::dml};
/// assert_eq!(dml::data_type_of(Dtype::F32), Ok(1));
/// assert!(dml::data_type_of(Dtype::BF16).is_err()); // DirectML has none
/// ```
pub fn data_type_of(dtype: Dtype) -> Result<u32> {
    let error = Status::InvalidDtype.of(Argument::Layout).because(Detail::DtypeForeign, dtype.code() as i64, 1);
    DTYPES.iter().position(|&known| known == dtype).map(|place| place as u32 + 1).ok_or(error)
}

/// A `DML_BUFFER_TENSOR_DESC` with its arrays as slices.
///
/// ```
/// use stride::vocabulary::dml::{BufferTensor, validate};
/// let sizes = &[1, 1, 2, 3];
/// let tensor = BufferTensor { data_type: 1, flags: 0, sizes, strides: None, total_bytes: 24, alignment: 0 };
/// assert_eq!(validate(&tensor), Ok(()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BufferTensor<'a> {
    /// `DML_TENSOR_DATA_TYPE`.
    pub data_type: u32,
    /// `DML_TENSOR_FLAGS`.
    pub flags: u32,
    /// Elements along each dimension, outermost first.
    pub sizes: &'a [u32],
    /// Elements between neighbours; `None`: packed.
    pub strides: Option<&'a [u32]>,
    /// `TotalTensorSizeInBytes`.
    pub total_bytes: u64,
    /// `GuaranteedBaseOffsetAlignment` in bytes; 0: nothing is promised.
    pub alignment: u32,
}

/// The layout of such a tensor: offset 0, null strides mean packed. OVERFLOW if it leaves 64 bits.
///
/// ```
/// use stride::vocabulary::dml::layout;
/// assert_eq!(layout(1, &[2, 3], Some(&[0, 1]))?.to_string(), "f32[2,3] strides [0,1] offset 0");
/// # Ok::<(), stride::Error>(())
/// ```
pub fn layout(data_type: u32, sizes: &[u32], strides: Option<&[u32]>) -> Result<LayoutBuf> {
    LayoutBuf::made(|out| layout_in(data_type, sizes, strides, out))
}

/// [`layout`] in a lent layout.
fn layout_in<'o>(
    data_type: u32,
    sizes: &[u32],
    strides: Option<&[u32]>,
    out: &'o mut LayoutStorage,
) -> Result<Layout<'o>> {
    let dtype = dtype_of(data_type)?;
    let (mut room, mut room_of_strides) = (SizeRoom::new(), SizeRoom::new());
    let sizes = u32::list(sizes, &mut room).in_role(Argument::DimensionCount)?;
    match strides {
        None => out.set_packed(dtype, sizes).map_err(in_sizes),
        Some(strides) => out.set_strided(dtype, sizes, u32::list(strides, &mut room_of_strides)?),
    }
}

/// Bytes that the tensor needs, rounded up to a multiple of 4: what `DMLCalcBufferTensorSize` means. It is also right
/// where that helper is not: reaches above 2^32 elements, sizes of 0 (0 bytes), rank 0 (one element), 4-bit types;
/// OVERFLOW instead of a wrapped number. An empty tensor has no bytes, whatever its strides.
///
/// ```
/// use stride::vocabulary::dml::buffer_tensor_size;
/// // DMLCalcBufferTensorSize returns 8 here: its sum of (size − 1) · stride wraps at 2^32.
/// assert_eq!(buffer_tensor_size(1, &[3, 2], Some(&[1 << 31, 1])), Ok(17_179_869_192));
/// ```
pub fn buffer_tensor_size(data_type: u32, sizes: &[u32], strides: Option<&[u32]>) -> Result<u64> {
    let layout = layout(data_type, sizes, strides)?;
    Ok(round_up_to_4(layout.view()?.min_bytes()?))
}

/// At most 2^60 bytes come in (I4).
fn round_up_to_4(bytes: u64) -> u64 {
    bytes.wrapping_add(3) & !3
}

/// DirectML's verdict with the reason. In this order: 1–8 dimensions; known data type; known flags; no size of 0; at
/// most 2^32 − 1 elements, counted and reached; total size a multiple of 4 and at least [`buffer_tensor_size`];
/// alignment 0 or a power of two that holds an element.
///
/// ```
/// use stride::vocabulary::dml::{BufferTensor, validate};
/// let tensor = BufferTensor { data_type: 1, flags: 0, sizes: &[2, 3], strides: None, total_bytes: 20, alignment: 0 };
/// let error = validate(&tensor).unwrap_err(); // DirectML says E_INVALIDARG
/// assert_eq!(error.status, stride::error::Status::OutOfBounds);
/// assert_eq!((error.lhs, error.rhs), (24, 20));
/// ```
pub fn validate(tensor: &BufferTensor<'_>) -> Result<()> {
    // This does not call `Requirements::meets`: it names the fields of a descriptor, in its own order and with its own
    // statuses. A preset would need a longer table of translations. tests/requirements.rs compares both.
    Status::InvalidRank.of(Argument::DimensionCount).at_least(tensor.sizes.len() as i64, 1)?;
    check_rank(tensor.sizes.len(), MAX_DIMENSION_COUNT, Argument::DimensionCount)?;
    let dtype = dtype_of(tensor.data_type)?;
    check_flags(tensor.flags, FLAG_OWNED_BY_DML, Argument::Flags)?;
    for (dimension, &size) in tensor.sizes.iter().enumerate() {
        Status::InvalidSize.of(Argument::Sizes).dimension(dimension).at_least(size.into(), 1)?;
    }
    let out = layout(tensor.data_type, tensor.sizes, tensor.strides)?;
    let layout = out.view()?;
    Status::Overflow.of(Argument::Sizes).at_most(layout.element_count(), u32::MAX.into())?;
    Status::Overflow.of(Argument::Strides).at_most(layout.span().1.saturating_add(1), u32::MAX.into())?;
    let needed = round_up_to_4(layout.min_bytes()?);
    Status::InvalidArgument.of(Argument::TotalTensorSizeInBytes).multiple(tensor.total_bytes, 4)?;
    let error = Status::OutOfBounds.of(Argument::TotalTensorSizeInBytes);
    error.unless(tensor.total_bytes >= needed, Detail::PastEnd, needed as i128, tensor.total_bytes as i128)?;
    let (alignment, least) = (tensor.alignment as i64, (dtype.bits() as u64).div_ceil(8) as i64);
    let error = Status::InvalidArgument.of(Argument::GuaranteedBaseOffsetAlignment);
    match tensor.alignment {
        0 => Ok(()),
        given if given.is_power_of_two() => error.at_least(alignment, least),
        _ => Err(error.because(Detail::NotAPowerOfTwo, alignment, least)),
    }
}

/// DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT: the offset of a binding is a multiple of this many bytes.
pub const MINIMUM_BUFFER_TENSOR_ALIGNMENT: u32 = 16;

/// Whether DirectML takes a buffer of this many bytes, bound from this offset on, for a tensor. [`validate`]; then
/// INVALID_ARGUMENT if the offset is not a multiple of 16, or of what the descriptor guarantees; OUT_OF_BOUNDS if the
/// buffer ends before the tensor.
///
/// ```
/// use stride::vocabulary::dml::{BufferTensor, validate_binding};
/// let tensor = BufferTensor { data_type: 1, flags: 0, sizes: &[2, 3], strides: None, total_bytes: 24, alignment: 0 };
/// assert_eq!(validate_binding(&tensor, 32, 56), Ok(()));
/// let error = validate_binding(&tensor, 22, 56).unwrap_err();
/// assert_eq!((error.lhs, error.rhs), (22, 16));
/// ```
pub fn validate_binding(tensor: &BufferTensor<'_>, base_offset_bytes: u64, buffer_bytes: u64) -> Result<()> {
    validate(tensor)?;
    for alignment in [MINIMUM_BUFFER_TENSOR_ALIGNMENT, tensor.alignment] {
        Status::InvalidArgument.of(Argument::BaseOffsetBytes).multiple(base_offset_bytes, alignment.max(1) as u64)?;
    }
    let needed = base_offset_bytes as i128 + tensor.total_bytes as i128;
    let error = Status::OutOfBounds.of(Argument::BufferBytes);
    error.unless(needed <= buffer_bytes as i128, Detail::PastEnd, needed, buffer_bytes as i128)?;
    Ok(())
}

/// The layout of a descriptor with at most 8 dimensions (INVALID_RANK). The sizes say what the layout is; whether
/// DirectML accepts the descriptor is [`validate`]'s question.
///
/// ```
/// use stride::vocabulary::dml::{BufferTensor, to_layout};
/// let tensor = BufferTensor { data_type: 1, flags: 0, sizes: &[2, 3], strides: None, total_bytes: 24, alignment: 0 };
/// assert_eq!(to_layout(&tensor)?.strides(), [3, 1]);
/// # Ok::<(), stride::Error>(())
/// ```
pub fn to_layout(tensor: &BufferTensor<'_>) -> Result<LayoutBuf> {
    LayoutBuf::made(|out| to_layout_in(tensor, out))
}

/// [`to_layout`] in a lent layout.
pub(crate) fn to_layout_in<'o>(tensor: &BufferTensor<'_>, out: &'o mut LayoutStorage) -> Result<Layout<'o>> {
    check_rank(tensor.sizes.len(), MAX_DIMENSION_COUNT, Argument::DimensionCount)?;
    layout_in(tensor.data_type, tensor.sizes, tensor.strides, out)
}

/// A layout as a descriptor of DirectML.
///
/// ```
/// use stride::vocabulary::dml;
/// use stride::{Dtype, LayoutBuf};
/// let nhwc = LayoutBuf::channels_last(Dtype::F32, &[1, 3, 2, 2])?;
/// let description: dml::Description = dml::from_layout(&nhwc.view()?, 4)?;
/// assert_eq!(description.data_type, 1);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// `DML_TENSOR_DATA_TYPE`.
    pub data_type: u32,
    /// The number of entries of the arrays that count.
    pub dimension_count: u32,
    /// Elements along each dimension.
    pub sizes: [u32; MAX_DIMENSION_COUNT],
    /// Elements between neighbours.
    pub strides: [u32; MAX_DIMENSION_COUNT],
    /// `TotalTensorSizeInBytes`, counted from the binding's offset.
    pub total_bytes: u64,
    /// The offset of the binding: where index (0, …, 0) lies, in bytes from the base pointer.
    pub base_offset_bytes: u64,
}

/// The descriptor of a layout, with dimensions of size 1 in front until there are `least_rank`, and at least one.
/// Refused: a foreign dtype (INVALID_DTYPE), a rank above 8 (INVALID_RANK), a negative stride or one of 2^32 and more
/// (INVALID_STRIDE; strides that mean nothing become 0), sizes of 2^32 and more (INVALID_SIZE), an offset below 0
/// (OUT_OF_BOUNDS) or one that is not a whole byte (NOT_REPRESENTABLE).
///
/// ```
/// use stride::vocabulary::dml;
/// use stride::{Dtype, LayoutBuf};
/// let row = LayoutBuf::packed(Dtype::F32, &[3])?.flip(&[0])?;
/// assert!(dml::from_layout(&row.view()?, 4).is_err()); // DirectML has no negative strides
/// # Ok::<(), stride::Error>(())
/// ```
pub fn from_layout(layout: &Layout<'_>, least_rank: u32) -> Result<Description> {
    let data_type = data_type_of(layout.dtype())?;
    check_rank(least_rank as usize, MAX_DIMENSION_COUNT, Argument::LeastRank)?;
    let given = layout.rank();
    let rank = given.max(least_rank as usize).max(1);
    let error = |status: Status, dimension| status.of(Argument::Layout).dimension(dimension);
    check_rank(rank, MAX_DIMENSION_COUNT, Argument::Layout)?;
    // Sizes of 1 with stride 0, which means nothing, stand in front.
    let (mut sizes, mut strides) = ([1u32; MAX_DIMENSION_COUNT], [0u32; MAX_DIMENSION_COUNT]);
    let slots = sizes.iter_mut().zip(&mut strides).skip(rank - given);
    for (dimension, ((size, stride), (size_slot, stride_slot))) in layout.dimensions().zip(slots).enumerate() {
        error(Status::InvalidSize, dimension).at_most(size, u32::MAX.into())?;
        if size > 1 && !layout.is_empty() {
            error(Status::InvalidStride, dimension).at_least(stride, 0)?;
            error(Status::InvalidStride, dimension).at_most(stride, u32::MAX.into())?;
        }
        *size_slot = size as u32; // I2
        *stride_slot = u32::try_from(stride).unwrap_or(0); // a longer one means nothing
    }
    let (mut total_bytes, base_offset_bytes) = (0, layout.offset_bytes()?);
    if !layout.is_empty() {
        let reached = (layout.span().1 - layout.offset() + 1) as u64 * layout.dtype().bits() as u64; // I4
        total_bytes = round_up_to_4(reached.div_ceil(8));
    }
    Ok(Description { data_type, dimension_count: rank as u32, sizes, strides, total_bytes, base_offset_bytes })
}
