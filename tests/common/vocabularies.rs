//! Wrappers: DirectML, XLA, and what consumers ask for.

use super::{Answer, POISON, made, text};
pub use stride::ffi::dml::*;
use stride::ffi::layout::stride_layout;
pub use stride::ffi::requirements::*;
pub use stride::ffi::xla::*;
pub use stride::ffi::xla_blocked::*;
pub use stride::ffi::xla_buffer::*;

/// Requirements that ask for nothing.
pub const ANYTHING: stride_requirements = stride_requirements {
    struct_size: size_of::<stride_requirements>() as u32,
    flags: 0,
    rank_min: 0,
    rank_max: 0,
    size_min: 0,
    size_max: 0,
    dtypes: 0,
    element_bits: 0,
    base_alignment: 0,
    row_alignment: 0,
    outer_alignment: 0,
    exact_from: 0,
    total_alignment: 0,
    stride_bytes_max: 0,
    bytes_max: 0,
    elements_max: 0,
    reach_max: 0,
    texel_dimensions: 0,
    element_bits_by_three: 0,
};

/// `stride_requirements_init`.
pub fn requirements(consumer: u32) -> stride_requirements {
    let mut out = stride_requirements { struct_size: 7, flags: u32::MAX, reach_max: 1, ..ANYTHING };
    call!(stride_requirements_init, &mut out, consumer).unwrap();
    assert_eq!(out.struct_size, ANYTHING.struct_size);
    out
}

/// A DML_BUFFER_TENSOR_DESC with slices for its arrays.
#[derive(Clone, Copy)]
pub struct Tensor<'a> {
    pub data_type: u32,
    pub flags: u32,
    pub sizes: &'a [u32],
    pub strides: Option<&'a [u32]>,
    pub total_bytes: u64,
    pub alignment: u32,
}

impl Tensor<'_> {
    pub fn desc(&self) -> stride_dml_buffer_tensor_desc {
        assert!(self.strides.is_none_or(|strides| strides.len() == self.sizes.len()));
        stride_dml_buffer_tensor_desc {
            data_type: self.data_type,
            flags: self.flags,
            dimension_count: self.sizes.len() as u32,
            sizes: self.sizes.as_ptr(),
            strides: self.strides.map_or(std::ptr::null(), |strides| strides.as_ptr()),
            total_tensor_size_in_bytes: self.total_bytes,
            guaranteed_base_offset_alignment: self.alignment,
        }
    }
}

/// A packed or strided tensor with as many bytes as it needs.
pub fn tensor<'a>(data_type: u32, sizes: &'a [u32], strides: Option<&'a [u32]>) -> Tensor<'a> {
    let total_bytes = dml_size(data_type, sizes, strides).unwrap_or(0);
    Tensor { data_type, flags: 0, sizes, strides, total_bytes, alignment: 0 }
}

/// `stride_dml_buffer_tensor_size`; its unchecked twin must agree.
pub fn dml_size(data_type: u32, sizes: &[u32], strides: Option<&[u32]>) -> Answer<u64> {
    assert!(strides.is_none_or(|strides| strides.len() == sizes.len()));
    let rank = sizes.len() as u32;
    let (sizes, strides) = (sizes.as_ptr(), strides.map_or(std::ptr::null(), |strides| strides.as_ptr()));
    let mut out = POISON as u64;
    let answer = call!(stride_dml_buffer_tensor_size, data_type, rank, sizes, strides, &mut out).map(|()| out);
    // SAFETY: arrays of `rank` entries, or null for the strides.
    let unchecked = unsafe { stride_dml_calc_buffer_tensor_size(data_type, rank, sizes, strides) };
    assert_eq!(unchecked, answer.unwrap_or(0), "0 on any error");
    answer
}

/// `stride_dml_validate`.
pub fn dml_validate(tensor: &Tensor<'_>) -> Answer<()> {
    call!(stride_dml_validate, &tensor.desc())
}

/// `stride_layout_from_dml`.
pub fn from_dml(tensor: &Tensor<'_>) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_from_dml, &tensor.desc(), out))
}

/// A descriptor that the library made.
#[derive(Debug, PartialEq, Eq)]
pub struct Described {
    pub data_type: u32,
    pub sizes: Vec<u32>,
    pub strides: Vec<u32>,
    pub total_bytes: u64,
    pub base_offset_bytes: u64,
}

/// `stride_layout_to_dml`.
pub fn to_dml(layout: &stride_layout) -> Answer<Described> {
    let (mut sizes, mut strides) = ([0x5A5A_5A5A; 8], [0x5A5A_5A5A; 8]);
    let mut desc = Tensor { data_type: 0, flags: 0, sizes: &[], strides: None, total_bytes: 0, alignment: 1 }.desc();
    let mut base_offset_bytes = 0;
    let (sizes_out, strides_out) = (sizes.as_mut_ptr(), strides.as_mut_ptr());
    call!(stride_layout_to_dml, layout, 0, sizes_out, strides_out, &mut desc, &mut base_offset_bytes)?;
    assert_eq!((desc.sizes, desc.strides), (sizes_out.cast_const(), strides_out.cast_const()));
    assert_eq!((desc.flags, desc.guaranteed_base_offset_alignment), (STRIDE_DML_TENSOR_FLAG_NONE, 0));
    let rank = desc.dimension_count as usize;
    let (sizes, strides) = (sizes[..rank].to_vec(), strides[..rank].to_vec());
    let total_bytes = desc.total_tensor_size_in_bytes;
    Ok(Described { data_type: desc.data_type, sizes, strides, total_bytes, base_offset_bytes })
}

/// A shape that holds nothing yet.
fn blank_shape() -> stride_xla_shape {
    stride_xla_shape {
        dtype: 0,
        rank: 0,
        element_bits: 0,
        padding_kind: 0,
        tile_count: 0,
        flags: 0,
        tail_alignment: 0,
        memory_space: 0,
        dynamic_dimensions: 0,
        sizes: [POISON; 64],
        minor_to_major: [POISON; 64],
        padded_sizes: [POISON; 64],
        tile_sizes: [POISON; 64],
        tile_ranks: [0; 8],
    }
}

fn made_shape(fill: impl FnOnce(&mut stride_xla_shape) -> Answer<()>) -> Answer<stride_xla_shape> {
    let mut out = blank_shape();
    fill(&mut out).map(|()| out)
}

/// `stride_xla_shape_init`; without an order NULL.
pub fn shape(dtype: u32, sizes: &[i64], minor_to_major: Option<&[i64]>) -> Answer<stride_xla_shape> {
    assert!(minor_to_major.is_none_or(|order| order.len() == sizes.len()));
    let order = minor_to_major.map_or(std::ptr::null(), |order| order.as_ptr());
    made_shape(|out| call!(stride_xla_shape_init, out, dtype, sizes.len() as u32, sizes.as_ptr(), order))
}

/// `stride_xla_shape_set_padding` on a copy.
pub fn padded(mut shape: stride_xla_shape, padded_sizes: &[i64], kind: u32) -> Answer<stride_xla_shape> {
    assert_eq!(shape.rank as usize, padded_sizes.len());
    call!(stride_xla_shape_set_padding, &mut shape, padded_sizes.len() as u32, padded_sizes.as_ptr(), kind)
        .map(|()| shape)
}

/// `stride_xla_shape_set_element_bits` on a copy.
pub fn with_element_bits(mut shape: stride_xla_shape, bits: u32) -> Answer<stride_xla_shape> {
    call!(stride_xla_shape_set_element_bits, &mut shape, bits).map(|()| shape)
}

/// `stride_xla_shape_parse`.
pub fn parse(text: &str) -> Answer<stride_xla_shape> {
    made_shape(|out| call!(stride_xla_shape_parse, text.as_ptr().cast(), text.len() as u64, out))
}

/// `stride_xla_shape_format`.
pub fn shape_text(shape: &stride_xla_shape) -> Answer<String> {
    text(|buffer, capacity, length| call!(stride_xla_shape_format, shape, buffer, capacity, length))
}

/// `stride_xla_shape_validate`.
pub fn validate_shape(shape: &stride_xla_shape) -> Answer<()> {
    call!(stride_xla_shape_validate, shape)
}

/// `stride_xla_shape_byte_size`.
pub fn byte_size(shape: &stride_xla_shape) -> Answer<u64> {
    let mut out = 0;
    call!(stride_xla_shape_byte_size, shape, &mut out).map(|()| out)
}

/// `stride_xla_shape_add_tile` on a copy.
pub fn with_tile(mut shape: stride_xla_shape, tile: &[i64]) -> Answer<stride_xla_shape> {
    call!(stride_xla_shape_add_tile, &mut shape, tile.len() as u32, tile.as_ptr()).map(|()| shape)
}

/// `stride_xla_shape_data_byte_size`.
pub fn data_size(shape: &stride_xla_shape) -> Answer<u64> {
    let mut out = 0;
    call!(stride_xla_shape_data_byte_size, shape, &mut out).map(|()| out)
}

/// `stride_xla_shape_dense_byte_size`.
pub fn dense_size(shape: &stride_xla_shape) -> Answer<u64> {
    let mut out = 0;
    call!(stride_xla_shape_dense_byte_size, shape, &mut out).map(|()| out)
}

/// `stride_xla_shape_expansion_factor`.
pub fn expansion_factor(shape: &stride_xla_shape) -> Answer<f64> {
    let mut out = 0.0;
    call!(stride_xla_shape_expansion_factor, shape, &mut out).map(|()| out)
}

/// `stride_xla_shape_is_untiled`.
pub fn is_untiled(shape: &stride_xla_shape) -> Answer<bool> {
    let mut out = 99;
    call!(stride_xla_shape_is_untiled, shape, &mut out).map(|()| {
        assert!(out <= 1);
        out == 1
    })
}

/// `stride_xla_shape_true_rank`.
pub fn true_rank(shape: &stride_xla_shape) -> Answer<u32> {
    let mut out = 0;
    call!(stride_xla_shape_true_rank, shape, &mut out).map(|()| out)
}

/// `stride_xla_shape_padding_bytes`.
pub fn padding_bytes(shape: &stride_xla_shape) -> Answer<[u8; 16]> {
    let mut fill = [0xAA; 16];
    call!(stride_xla_shape_padding_bytes, shape, fill.as_mut_ptr()).map(|()| fill)
}

/// `stride_xla_linear_index`.
pub fn linear_index(shape: &stride_xla_shape, index: &[i64]) -> Answer<i64> {
    assert_eq!(shape.rank as usize, index.len());
    let mut out = POISON;
    call!(stride_xla_linear_index, shape, index.len() as u32, index.as_ptr(), &mut out).map(|()| out)
}

/// `stride_xla_multi_index`.
pub fn multi_index(shape: &stride_xla_shape, linear: i64) -> Answer<Vec<i64>> {
    let mut index = vec![POISON; shape.rank as usize];
    call!(stride_xla_multi_index, shape, linear, shape.rank, index.as_mut_ptr()).map(|()| index)
}

/// `stride_layout_from_xla`.
pub fn from_xla(shape: &stride_xla_shape) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_from_xla, shape, out))
}

/// `stride_layout_to_xla`.
pub fn to_xla(layout: &stride_layout) -> Answer<stride_xla_shape> {
    made_shape(|out| call!(stride_layout_to_xla, layout, out))
}

/// `stride_layout_to_xla_padded`.
pub fn to_xla_padded(layout: &stride_layout) -> Answer<stride_xla_shape> {
    made_shape(|out| call!(stride_layout_to_xla_padded, layout, out))
}

/// `stride_xla_shape_init_blocked`; without an order NULL. Blocks are (dimension, size).
pub fn init_blocked(
    dtype: u32,
    sizes: &[i64],
    outer_order: Option<&[i64]>,
    blocks: &[(i64, i64)],
) -> Answer<stride_xla_shape> {
    assert!(outer_order.is_none_or(|order| order.len() == sizes.len()));
    let order = outer_order.map_or(std::ptr::null(), |order| order.as_ptr());
    let (dims, block_sizes): (Vec<i64>, Vec<i64>) = blocks.iter().copied().unzip();
    let (rank, count, dims, block_sizes) =
        (sizes.len() as u32, blocks.len() as u32, dims.as_ptr(), block_sizes.as_ptr());
    let sizes = sizes.as_ptr();
    made_shape(|out| call!(stride_xla_shape_init_blocked, out, dtype, rank, sizes, order, count, dims, block_sizes))
}

/// An order of dimensions, and blocks as (dimension, size).
pub type OrderAndBlocks = (Vec<i64>, Vec<(i64, i64)>);

/// `stride_xla_shape_to_blocked`.
pub fn to_blocked(shape: &stride_xla_shape) -> Answer<OrderAndBlocks> {
    let (mut order, mut dims, mut sizes, mut count) =
        (vec![POISON; shape.rank as usize], [POISON; 64], [POISON; 64], 99);
    let (order_out, dims_out, sizes_out) = (order.as_mut_ptr(), dims.as_mut_ptr(), sizes.as_mut_ptr());
    call!(stride_xla_shape_to_blocked, shape, shape.rank, order_out, 64, dims_out, sizes_out, &mut count)?;
    let count = count as usize;
    assert!(dims[count..].iter().chain(&sizes[count..]).all(|&entry| entry == POISON), "entries past the count");
    Ok((order, dims.into_iter().zip(sizes).take(count).collect()))
}

/// `stride_xla_shape_parse_tag`.
pub fn parse_tag(tag: &str, dtype: u32, sizes: &[i64]) -> Answer<stride_xla_shape> {
    let (rank, of, length) = (sizes.len() as u32, sizes.as_ptr(), tag.len() as u64);
    made_shape(|out| call!(stride_xla_shape_parse_tag, tag.as_ptr().cast(), length, dtype, rank, of, out))
}

/// `stride_xla_shape_format_tag`.
pub fn format_tag(shape: &stride_xla_shape) -> Answer<String> {
    text(|buffer, capacity, length| call!(stride_xla_shape_format_tag, shape, buffer, capacity, length))
}
