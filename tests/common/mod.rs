//! Safe little wrappers over the C functions: arrays as slices, answers as `Result`.
//!
//! The tests call what C calls, `stride::ffi`, so that the boundary is tested along with the core. A wrapper checks the
//! lengths that the header leaves to the caller; no test needs `unsafe`. Outputs begin as [`POISON`], so that an entry
//! past the rank that was written shows.
#![allow(dead_code, unused_imports, missing_docs)] // each test file uses a part

pub use stride::error::{Argument, Detail, Status};
pub use stride::ffi::copy::*;
pub use stride::ffi::dtype::*;
pub use stride::ffi::layout::*;
pub use stride::ffi::plan::*;
pub use stride::ffi::query::*;
pub use stride::ffi::runs::*;
pub use stride::ffi::status::*;
pub use stride::model::Dtype;

/// What outputs hold before a call.
pub const POISON: i64 = 0x5A5A_5A5A_5A5A_5A5A;

/// A value, or the record that says why not.
pub type Answer<T> = Result<T, stride_error>;

/// An error record that no function has written.
pub const UNWRITTEN: stride_error = stride_error {
    status: -1,
    argument: 0,
    dimension: -1,
    item: -1,
    position: 0,
    lhs: 0,
    rhs: 0,
    detail: 0,
    reserved: [0; 2],
};

/// Calls a C function with these arguments and an error record after them.
macro_rules! call {
    ($function:path, $($argument:expr),* $(,)?) => {{
        let mut error = $crate::common::UNWRITTEN;
        // SAFETY: pointers to live values and arrays; the wrapper around this call checked the lengths.
        let status = unsafe { $function($($argument,)* &mut error) };
        $crate::common::outcome(status, error)
    }};
}

mod copies;
mod facts;
mod runs;
mod views;
mod vocabularies;

pub use copies::*;
pub use facts::*;
pub use runs::*;
pub use views::*;
pub use vocabularies::*;

/// Turns a status and its record into a result; the record must agree with the status.
pub fn outcome(status: stride_status, error: stride_error) -> Answer<()> {
    if status == Status::Ok.number() {
        assert_eq!(error, UNWRITTEN, "the record is written on success");
        return Ok(());
    }
    assert_eq!(error.status, status, "status and record disagree: {error:?}");
    assert_eq!(error.reserved, [0; 2]);
    assert_ne!((error.detail, status), (0, 2), "an error without a reason: {error:?}");
    Err(error)
}

/// The record of a call that must fail.
pub fn error<T>(answer: Answer<T>) -> stride_error {
    answer.err().expect("should have failed")
}

/// The status of a call, OK included.
pub fn status<T>(answer: Answer<T>) -> stride_status {
    answer.err().map_or(Status::Ok.number(), |error| error.status)
}

/// (status, argument, dimension, lhs, rhs) of a call that must fail: what most errors consist of.
pub fn reason<T>(answer: Answer<T>) -> (stride_status, u32, i32, i64, i64) {
    let e = error(answer);
    (e.status, e.argument, e.dimension, e.lhs, e.rhs)
}

/// A text of the library: its length is asked first, then the text is fetched.
pub fn text(get: impl Fn(*mut std::ffi::c_char, u64, &mut u64) -> Answer<()>) -> Answer<String> {
    let mut length = 0;
    get(std::ptr::null_mut(), 0, &mut length)?;
    let mut buffer = vec![0xAAu8; length as usize + 1];
    let capacity = buffer.len() as u64;
    get(buffer.as_mut_ptr().cast(), capacity, &mut length)?;
    assert_eq!((buffer.pop(), buffer.len() as u64), (Some(0), length), "terminated, and as long as it says");
    Ok(String::from_utf8(buffer).expect("ASCII"))
}

/// The sentence of an error.
pub fn sentence(record: &stride_error) -> String {
    text(|buffer, capacity, length| call!(stride_error_format, record, buffer, capacity, length)).unwrap()
}

/// A layout that holds nothing yet.
pub fn blank() -> stride_layout {
    stride_layout { dtype: 0, rank: 0, offset: POISON, sizes: [POISON; 64], strides: [POISON; 64] }
}

/// Lets a function fill a layout, and holds it to the entries below the rank, and to none on failure.
pub fn made(fill: impl FnOnce(&mut stride_layout) -> Answer<()>) -> Answer<stride_layout> {
    let mut out = blank();
    let answer = fill(&mut out);
    let rank = out.rank as usize;
    let untouched = |entries: &[i64; 64]| entries[rank..].iter().all(|&entry| entry == POISON);
    assert!(untouched(&out.sizes) && untouched(&out.strides), "entries past the rank were written");
    assert!(answer.is_ok() || (out.dtype, out.rank, out.offset) == (0, 0, POISON), "an output was written on failure");
    answer.map(|()| out)
}

/// `stride_layout_init`.
pub fn init(dtype: u32, sizes: &[i64], strides: Option<&[i64]>) -> Answer<stride_layout> {
    assert!(strides.is_none_or(|strides| strides.len() == sizes.len()));
    let strides = strides.map_or(std::ptr::null(), |strides| strides.as_ptr());
    made(|out| call!(stride_layout_init, out, dtype, sizes.len() as u32, sizes.as_ptr(), strides))
}

/// A valid layout with these strides in elements.
pub fn layout(dtype: u32, sizes: &[i64], strides: &[i64]) -> stride_layout {
    init(dtype, sizes, Some(strides)).unwrap()
}

/// A valid packed layout.
pub fn packed(dtype: u32, sizes: &[i64]) -> stride_layout {
    init(dtype, sizes, None).unwrap()
}

/// The same layout with index (0, …, 0) elsewhere. Not checked: the struct is plain data.
pub fn at(offset: i64, layout: stride_layout) -> stride_layout {
    stride_layout { offset, ..layout }
}

/// `stride_layout_init_ordered`.
pub fn ordered(dtype: u32, sizes: &[i64], minor_to_major: &[i64]) -> Answer<stride_layout> {
    assert_eq!(sizes.len(), minor_to_major.len());
    let (rank, sizes, order) = (sizes.len() as u32, sizes.as_ptr(), minor_to_major.as_ptr());
    made(|out| call!(stride_layout_init_ordered, out, dtype, rank, sizes, order))
}

/// `stride_layout_init_channels_last`.
pub fn channels_last(dtype: u32, sizes: &[i64]) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_init_channels_last, out, dtype, sizes.len() as u32, sizes.as_ptr()))
}

/// `stride_layout_init_byte_strides`.
pub fn byte_strided(dtype: u32, sizes: &[i64], byte_strides: &[i64]) -> Answer<stride_layout> {
    assert_eq!(sizes.len(), byte_strides.len());
    let (rank, sizes, strides) = (sizes.len() as u32, sizes.as_ptr(), byte_strides.as_ptr());
    made(|out| call!(stride_layout_init_byte_strides, out, dtype, rank, sizes, strides))
}

/// `stride_layout_init_bytes`.
pub fn of_bytes(dtype: u32, sizes: &[i64], byte_strides: &[i64]) -> Answer<stride_layout> {
    assert_eq!(sizes.len(), byte_strides.len());
    let (rank, sizes, strides) = (sizes.len() as u32, sizes.as_ptr(), byte_strides.as_ptr());
    made(|out| call!(stride_layout_init_bytes, out, dtype, rank, sizes, strides))
}

/// `stride_layout_as_bytes`.
pub fn bytes_of(layout: &stride_layout) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_as_bytes, layout, out))
}

/// `stride_layout_init_pitched`.
pub fn pitched(dtype: u32, sizes: &[i64], axis: i64, pitch_bytes: u64) -> Answer<stride_layout> {
    let rank = sizes.len() as u32;
    made(|out| call!(stride_layout_init_pitched, out, dtype, rank, sizes.as_ptr(), axis, pitch_bytes))
}

/// `stride_layout_rebase`: the layout and the shift in bytes.
pub fn rebase(layout: &stride_layout) -> Answer<(stride_layout, i64)> {
    let mut shift = POISON;
    let out = made(|out| call!(stride_layout_rebase, layout, out, &mut shift))?;
    Ok((out, shift))
}

/// `stride_layout_canonicalize`.
pub fn canonical(layout: &stride_layout, rule: u32) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_canonicalize, layout, rule, out))
}

/// `stride_dtype_from_bytes`.
pub fn bytes(count: u32) -> Answer<u32> {
    let mut dtype = 0;
    call!(stride_dtype_from_bytes, count, &mut dtype).map(|()| dtype)
}

/// The sizes, as many as the rank.
pub fn sizes(layout: &stride_layout) -> &[i64] {
    &layout.sizes[..layout.rank as usize]
}

/// The strides, as many as the rank.
pub fn strides(layout: &stride_layout) -> &[i64] {
    &layout.strides[..layout.rank as usize]
}

/// Sizes, strides and offset, to be compared in one go.
pub fn fields(layout: &stride_layout) -> (Vec<i64>, Vec<i64>, i64) {
    (sizes(layout).to_vec(), strides(layout).to_vec(), layout.offset)
}

/// `stride_layout_validate`.
pub fn validate(layout: &stride_layout) -> Answer<()> {
    call!(stride_layout_validate, layout)
}

/// `stride_layout_element_count`.
pub fn element_count(layout: &stride_layout) -> Answer<i64> {
    let mut out = POISON;
    call!(stride_layout_element_count, layout, &mut out).map(|()| out)
}

/// `stride_layout_span`.
pub fn span(layout: &stride_layout) -> Answer<(i64, i64)> {
    let (mut lowest, mut highest) = (POISON, POISON);
    call!(stride_layout_span, layout, &mut lowest, &mut highest).map(|()| (lowest, highest))
}

/// `stride_layout_min_bytes`.
pub fn min_bytes(layout: &stride_layout) -> Answer<u64> {
    let mut out = POISON as u64;
    call!(stride_layout_min_bytes, layout, &mut out).map(|()| out)
}

/// `stride_layout_offset`.
pub fn offset_of(layout: &stride_layout, index: &[i64]) -> Answer<i64> {
    let mut out = POISON;
    call!(stride_layout_offset, layout, index.len() as u32, index.as_ptr(), &mut out).map(|()| out)
}

/// `stride_layout_byte_offset`: byte and bit.
pub fn byte_offset_of(layout: &stride_layout, index: &[i64]) -> Answer<(i64, u32)> {
    let (mut bytes, mut bit) = (POISON, 0);
    let rank = index.len() as u32;
    call!(stride_layout_byte_offset, layout, rank, index.as_ptr(), &mut bytes, &mut bit).map(|()| (bytes, bit))
}

/// `stride_layout_ravel_index`.
pub fn ravel(layout: &stride_layout, index: &[i64]) -> Answer<i64> {
    let mut out = POISON;
    call!(stride_layout_ravel_index, layout, index.len() as u32, index.as_ptr(), &mut out).map(|()| out)
}

/// `stride_layout_unravel_index`.
pub fn unravel(layout: &stride_layout, linear: i64) -> Answer<Vec<i64>> {
    let mut index = vec![POISON; layout.rank as usize];
    call!(stride_layout_unravel_index, layout, linear, layout.rank, index.as_mut_ptr()).map(|()| index)
}

/// `stride_layout_classify`.
pub fn formats(layout: &stride_layout) -> Answer<u32> {
    let mut flags = 0;
    call!(stride_layout_classify, layout, &mut flags).map(|()| flags)
}

/// `stride_layout_minor_to_major`.
pub fn minor_to_major(layout: &stride_layout) -> Answer<Vec<i64>> {
    let mut order = vec![POISON; layout.rank as usize];
    call!(stride_layout_minor_to_major, layout, layout.rank, order.as_mut_ptr()).map(|()| order)
}

/// `stride_layout_equal`.
pub fn equal(lhs: &stride_layout, rhs: &stride_layout) -> bool {
    let mut answer = 2;
    call!(stride_layout_equal, lhs, rhs, &mut answer).unwrap();
    answer == 1
}

/// `stride_layout_same_mapping`.
pub fn same_mapping(lhs: &stride_layout, rhs: &stride_layout) -> bool {
    let mut answer = 2;
    call!(stride_layout_same_mapping, lhs, rhs, &mut answer).unwrap();
    answer == 1
}

/// `stride_layout_format`.
pub fn layout_text(layout: &stride_layout) -> Answer<String> {
    text(|buffer, capacity, length| call!(stride_layout_format, layout, buffer, capacity, length))
}

/// Memory of these numbers.
pub fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

/// The numbers in this memory.
pub fn floats(memory: &[u8]) -> Vec<f32> {
    memory.as_chunks().0.iter().map(|&bytes| f32::from_ne_bytes(bytes)).collect()
}

/// All indices of these sizes in row-major order.
pub fn indices(sizes: &[i64]) -> Vec<Vec<i64>> {
    sizes.iter().fold(vec![vec![]], |prefixes, &size| {
        prefixes.iter().flat_map(|prefix| (0..size).map(|i| [&prefix[..], &[i]].concat())).collect()
    })
}
