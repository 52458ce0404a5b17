//! Wrappers: facts, layouts with gaps, windows and other readings.

use super::{Answer, POISON, blank, made};
use stride::ffi::facts::*;
use stride::ffi::layout::*;
use stride::ffi::readings::*;
use stride::ffi::window::*;

/// `stride_layout_fits`.
pub fn fits(layout: &stride_layout, buffer_bytes: u64) -> Answer<()> {
    call!(stride_layout_fits, layout, buffer_bytes)
}

/// Facts that hold nothing yet.
pub fn no_facts() -> stride_layout_facts {
    stride_layout_facts {
        struct_size: size_of::<stride_layout_facts>() as u32,
        formats: 77,
        element_count: POISON,
        lowest: POISON,
        highest: POISON,
        min_bytes: POISON as u64,
        packed_bytes: POISON as u64,
        element_bits: 77,
        run_dimensions: 77,
        run_elements: POISON,
        element_alignment: POISON as u64,
        row_alignment: POISON as u64,
    }
}

/// `stride_layout_query`.
pub fn query(layout: &stride_layout) -> Answer<stride_layout_facts> {
    let mut out = no_facts();
    call!(stride_layout_query, layout, &mut out).map(|()| out)
}

/// `stride_layout_alignment`: of elements and of rows.
pub fn alignment(layout: &stride_layout, base: u64) -> Answer<(u64, u64)> {
    let (mut element, mut row) = (POISON as u64, POISON as u64);
    call!(stride_layout_alignment, layout, base, &mut element, &mut row).map(|()| (element, row))
}

/// `stride_layout_contiguous_run`: dimensions and elements.
pub fn contiguous_run(layout: &stride_layout) -> Answer<(u32, i64)> {
    let (mut dimensions, mut elements) = (77, POISON);
    call!(stride_layout_contiguous_run, layout, &mut dimensions, &mut elements).map(|()| (dimensions, elements))
}

/// `stride_layout_dim_order`: the order, and whether it is the only one.
pub fn dim_order(layout: &stride_layout, preferred: &[i64]) -> Answer<(Vec<i64>, bool)> {
    let (mut order, mut unique) = (vec![POISON; layout.rank as usize], 2);
    let (count, rank, to) = (preferred.len() as u32, layout.rank, order.as_mut_ptr());
    call!(stride_layout_dim_order, layout, count, preferred.as_ptr(), rank, to, &mut unique)?;
    Ok((order, unique == 1))
}

/// `stride_layout_init_padded`.
pub fn padded_layout(dtype: u32, sizes: &[i64], padded: &[i64]) -> Answer<stride_layout> {
    assert_eq!(sizes.len(), padded.len());
    let rank = sizes.len() as u32;
    made(|out| call!(stride_layout_init_padded, out, dtype, rank, sizes.as_ptr(), padded.as_ptr()))
}

/// `stride_layout_init_aligned`.
pub fn aligned(dtype: u32, sizes: &[i64], axis: i64, alignment_bytes: u64) -> Answer<stride_layout> {
    let rank = sizes.len() as u32;
    made(|out| call!(stride_layout_init_aligned, out, dtype, rank, sizes.as_ptr(), axis, alignment_bytes))
}

/// `stride_layout_window`; `None` is NULL.
pub fn window(
    layout: &stride_layout,
    sizes: &[i64],
    steps: Option<&[i64]>,
    dilations: Option<&[i64]>,
) -> Answer<stride_layout> {
    let rank = layout.rank;
    let pointer = |list: Option<&[i64]>| {
        assert!(list.is_none_or(|list| list.len() == rank as usize));
        list.map_or(std::ptr::null(), |list| list.as_ptr())
    };
    assert_eq!(sizes.len(), rank as usize);
    let (steps, dilations) = (pointer(steps), pointer(dilations));
    made(|out| call!(stride_layout_window, layout, rank, sizes.as_ptr(), steps, dilations, out))
}

/// `stride_layout_as_strided`.
pub fn as_strided(layout: &stride_layout, sizes: &[i64], strides: &[i64], offset: i64) -> Answer<stride_layout> {
    assert_eq!(sizes.len(), strides.len());
    let (rank, sizes, strides) = (sizes.len() as u32, sizes.as_ptr(), strides.as_ptr());
    made(|out| call!(stride_layout_as_strided, layout, rank, sizes, strides, offset, out))
}

/// `stride_layout_reinterpret`.
pub fn reinterpret(layout: &stride_layout, dtype: u32) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_reinterpret, layout, dtype, out))
}

/// `stride_layout_select`.
pub fn select(layout: &stride_layout, axis: i64, index: i64) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_select, layout, axis, index, out))
}

/// `stride_layout_repeat`.
pub fn repeat(layout: &stride_layout, axis: i64, count: i64) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_repeat, layout, axis, count, out))
}

/// `stride_layout_cut`: front and back.
pub fn cut(layout: &stride_layout, axis: i64, position: i64) -> Answer<(stride_layout, stride_layout)> {
    let mut back = blank();
    let front = made(|out| call!(stride_layout_cut, layout, axis, position, out, &mut back))?;
    Ok((front, back))
}
