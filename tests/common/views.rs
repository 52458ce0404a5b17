//! Wrappers: overlap, broadcasting, views.

use super::{Answer, POISON, made};
use stride::ffi::broadcast::*;
use stride::ffi::broadcast_dims::*;
use stride::ffi::layout::stride_layout;
use stride::ffi::overlap::*;
use stride::ffi::view::*;
use stride::ffi::window::*;

/// `stride_layout_self_overlap`.
pub fn self_overlap(layout: &stride_layout, budget: u64) -> Answer<bool> {
    let mut answer = 2;
    call!(stride_layout_self_overlap, layout, budget, &mut answer).map(|()| answer == 1)
}

/// `stride_layouts_overlap`; each side with its address.
pub fn overlap(lhs: (&stride_layout, u64), rhs: (&stride_layout, u64), budget: u64) -> Answer<bool> {
    let mut answer = 2;
    call!(stride_layouts_overlap, lhs.0, lhs.1, rhs.0, rhs.1, budget, &mut answer).map(|()| answer == 1)
}

/// `stride_broadcast_sizes`.
pub fn broadcast_sizes(shapes: &[&[i64]]) -> Answer<Vec<i64>> {
    let ranks: Vec<u32> = shapes.iter().map(|shape| shape.len() as u32).collect();
    let sizes = shapes.concat();
    let (mut rank, mut out) = (0, [POISON; 64]);
    let count = shapes.len() as u32;
    call!(stride_broadcast_sizes, count, ranks.as_ptr(), sizes.as_ptr(), &mut rank, out.as_mut_ptr())?;
    Ok(out[..rank as usize].to_vec())
}

/// `stride_broadcast_layouts`.
pub fn broadcast_layouts(layouts: &[stride_layout]) -> Answer<Vec<stride_layout>> {
    let mut out = layouts.to_vec();
    call!(stride_broadcast_layouts, layouts.len() as u32, layouts.as_ptr(), out.as_mut_ptr()).map(|()| out)
}

/// `stride_layout_broadcast_to`.
pub fn broadcast_to(layout: &stride_layout, sizes: &[i64]) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_broadcast_to, layout, sizes.len() as u32, sizes.as_ptr(), out))
}

/// `stride_layout_broadcast_in_dim`.
pub fn broadcast_in_dim(layout: &stride_layout, sizes: &[i64], dimensions: &[i64]) -> Answer<stride_layout> {
    let (rank, count) = (sizes.len() as u32, dimensions.len() as u32);
    let (sizes, dimensions) = (sizes.as_ptr(), dimensions.as_ptr());
    made(|out| call!(stride_layout_broadcast_in_dim, layout, rank, sizes, count, dimensions, out))
}

/// `stride_xla_broadcast`: both views.
pub fn xla_broadcast(
    lhs: &stride_layout,
    rhs: &stride_layout,
    dimensions: &[i64],
) -> Answer<(stride_layout, stride_layout)> {
    let mut rhs_out = super::blank();
    let (count, dimensions) = (dimensions.len() as u32, dimensions.as_ptr());
    let lhs_out = made(|out| call!(stride_xla_broadcast, lhs, rhs, count, dimensions, out, &mut rhs_out))?;
    Ok((lhs_out, rhs_out))
}

/// `stride_layout_permute`.
pub fn permute(layout: &stride_layout, axes: &[i64]) -> Answer<stride_layout> {
    assert_eq!(layout.rank as usize, axes.len());
    made(|out| call!(stride_layout_permute, layout, axes.len() as u32, axes.as_ptr(), out))
}

/// `stride_layout_permute` with the same struct as input and output.
pub fn permute_in_place(layout: &mut stride_layout, axes: &[i64]) -> Answer<()> {
    assert_eq!(layout.rank as usize, axes.len());
    let both: *mut stride_layout = layout;
    call!(stride_layout_permute, both.cast_const(), axes.len() as u32, axes.as_ptr(), both)
}

/// `stride_layout_slice`; `None` is NULL.
pub fn slice(
    layout: &stride_layout,
    starts: Option<&[i64]>,
    stops: Option<&[i64]>,
    steps: Option<&[i64]>,
) -> Answer<stride_layout> {
    let pointer = |list: Option<&[i64]>| {
        assert!(list.is_none_or(|list| list.len() == layout.rank as usize));
        list.map_or(std::ptr::null(), |list| list.as_ptr())
    };
    made(|out| call!(stride_layout_slice, layout, layout.rank, pointer(starts), pointer(stops), pointer(steps), out))
}

/// `stride_layout_crop`.
pub fn crop(layout: &stride_layout, starts: &[i64], sizes: &[i64]) -> Answer<stride_layout> {
    assert_eq!([starts.len(), sizes.len()], [layout.rank as usize; 2]);
    made(|out| call!(stride_layout_crop, layout, layout.rank, starts.as_ptr(), sizes.as_ptr(), out))
}

/// `stride_layout_flip`.
pub fn flip(layout: &stride_layout, axes: &[i64]) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_flip, layout, axes.len() as u32, axes.as_ptr(), out))
}

/// `stride_layout_squeeze`.
pub fn squeeze(layout: &stride_layout, axes: &[i64]) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_squeeze, layout, axes.len() as u32, axes.as_ptr(), out))
}

/// `stride_layout_squeeze_all`.
pub fn squeeze_all(layout: &stride_layout) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_squeeze_all, layout, out))
}

/// `stride_layout_expand_dims`.
pub fn expand_dims(layout: &stride_layout, axes: &[i64]) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_expand_dims, layout, axes.len() as u32, axes.as_ptr(), out))
}

/// `stride_layout_pad_rank`.
pub fn pad_rank(layout: &stride_layout, rank: u32, position: u32) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_pad_rank, layout, rank, position, out))
}

/// `stride_layout_reshape`.
pub fn reshape(layout: &stride_layout, sizes: &[i64]) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_reshape, layout, sizes.len() as u32, sizes.as_ptr(), out))
}

/// `stride_layout_split`.
pub fn split(layout: &stride_layout, axis: i64, sizes: &[i64]) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_split, layout, axis, sizes.len() as u32, sizes.as_ptr(), out))
}

/// `stride_layout_merge`.
pub fn merge(layout: &stride_layout, axis: i64, count: u32) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_merge, layout, axis, count, out))
}

/// `stride_layout_diagonal`.
pub fn diagonal(layout: &stride_layout, diagonal: i64, axis1: i64, axis2: i64) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_diagonal, layout, diagonal, axis1, axis2, out))
}
