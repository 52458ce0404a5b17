//! Wrappers: copies, plans, fill and compare. Buffers are slices, so their lengths are true.

use super::{Answer, POISON, min_bytes, outcome, packed, sizes};
use stride::ffi::copy::*;
use stride::ffi::layout::stride_layout;
use stride::ffi::plan::*;
use stride::ffi::plan_facts::*;
use stride::ffi::regions::*;

/// Options with these flags.
pub fn flags(flags: u32) -> stride_copy_options {
    stride_copy_options { flags, ..Default::default() }
}

/// Options that fill the rest of the buffer.
pub fn fill_rest(fill: &[u8]) -> stride_copy_options {
    let mut options = flags(STRIDE_COPY_FILL_BUFFER);
    options.fill[..fill.len()].copy_from_slice(fill);
    options
}

/// A side of a copy: its layout and its buffer.
pub type Dst<'a> = (&'a stride_layout, &'a mut [u8]);
/// The other side.
pub type Src<'a> = (&'a stride_layout, &'a [u8]);

/// `stride_copy` with the default options.
pub fn copy(dst: Dst<'_>, src: Src<'_>) -> Answer<()> {
    let ((dst_layout, dst), (src_layout, src)) = (dst, src);
    let (dst_bytes, src_bytes) = (dst.len() as u64, src.len() as u64);
    let (dst, src) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
    call!(stride_copy, dst_layout, dst, dst_bytes, src_layout, src, src_bytes, std::ptr::null())
}

/// `stride_copy` with options.
pub fn copy_with(options: &stride_copy_options, dst: Dst<'_>, src: Src<'_>) -> Answer<()> {
    let ((dst_layout, dst), (src_layout, src)) = (dst, src);
    let (dst_bytes, src_bytes) = (dst.len() as u64, src.len() as u64);
    let (dst, src) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
    call!(stride_copy, dst_layout, dst, dst_bytes, src_layout, src, src_bytes, options)
}

/// `stride_copy` where the caller vouches for both lengths.
pub fn copy_vouched(options: &stride_copy_options, dst: Dst<'_>, src: Src<'_>) -> Answer<()> {
    let ((dst_layout, dst), (src_layout, src)) = (dst, src);
    assert!(min_bytes(dst_layout).unwrap() <= dst.len() as u64 && min_bytes(src_layout).unwrap() <= src.len() as u64);
    let (dst, src) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
    call!(stride_copy, dst_layout, dst, u64::MAX, src_layout, src, u64::MAX, options)
}

/// `stride_copy` from a null pointer to a null pointer, both 0 bytes long.
pub fn copy_nothing(
    options: &stride_copy_options,
    dst_layout: &stride_layout,
    src_layout: &stride_layout,
) -> Answer<()> {
    let (dst, src) = (std::ptr::null_mut(), std::ptr::null());
    call!(stride_copy, dst_layout, dst, 0, src_layout, src, 0, options)
}

/// `stride_copy` to the last page of the address space, with any length, which must be refused.
pub fn copy_to_the_end(dst_layout: &stride_layout, address: u64, bytes: u64, src: Src<'_>) -> Answer<()> {
    assert!(address >= u64::MAX - 4095, "a page where no memory can be");
    let (src_layout, src) = src;
    let dst = std::ptr::without_provenance_mut(address as usize);
    let (src, src_bytes) = (src.as_ptr().cast(), src.len() as u64);
    call!(stride_copy, dst_layout, dst, bytes, src_layout, src, src_bytes, std::ptr::null())
}

/// `stride_copy` inside one buffer; each side with the byte at which its base pointer stands.
pub fn copy_within(
    options: &stride_copy_options,
    buffer: &mut [u8],
    dst: (&stride_layout, usize),
    src: (&stride_layout, usize),
) -> Answer<()> {
    let base = buffer.as_mut_ptr();
    let (dst_bytes, src_bytes) = (buffer[dst.1..].len() as u64, buffer[src.1..].len() as u64);
    let (dst_at, src_at) = (base.wrapping_add(dst.1).cast(), base.wrapping_add(src.1).cast_const().cast());
    call!(stride_copy, dst.0, dst_at, dst_bytes, src.0, src_at, src_bytes, options)
}

/// The elements of a view in row-major order, copied out.
pub fn gather(layout: &stride_layout, buffer: &[u8]) -> Vec<u8> {
    let to = packed(layout.dtype, sizes(layout));
    let mut out = vec![0xAA; min_bytes(&to).unwrap() as usize];
    copy((&to, &mut out), (layout, buffer)).unwrap();
    out
}

/// The buffer that holds these elements, given in row-major order; `x` where none lies.
pub fn scatter(layout: &stride_layout, elements: &[u8]) -> Vec<u8> {
    let mut out = vec![b'x'; min_bytes(layout).unwrap() as usize];
    copy((layout, &mut out), (&packed(layout.dtype, sizes(layout)), elements)).unwrap();
    out
}

/// `stride_plan_init`.
pub fn plan(options: &stride_copy_options, dst: &stride_layout, src: &stride_layout) -> Answer<stride_plan> {
    let mut out = stride_plan { words: [0; 512] };
    call!(stride_plan_init, &mut out, dst, src, options).map(|()| out)
}

/// Facts of a plan that nobody has asked for yet.
pub fn no_plan_facts() -> stride_plan_facts {
    stride_plan_facts {
        struct_size: size_of::<stride_plan_facts>() as u32,
        kind: 99,
        bytes: 0,
        runs: 0,
        run_bytes: 0,
        dst_lowest: 0,
        dst_end: 0,
        src_lowest: 0,
        src_end: 0,
        scratch_bytes: 0,
        useful_parts: 0,
        flags: 0,
    }
}

/// `stride_plan_query`.
pub fn query_plan(plan: &stride_plan) -> Answer<stride_plan_facts> {
    let mut facts = no_plan_facts();
    call!(stride_plan_query, plan, &mut facts).map(|()| facts)
}

/// `stride_plan_execute_part`.
pub fn execute_part(plan: &stride_plan, dst: &mut [u8], src: &[u8], part: u32, parts: u32) -> Answer<()> {
    let (dst_bytes, src_bytes) = (dst.len() as u64, src.len() as u64);
    let (dst, src) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
    call!(stride_plan_execute_part, plan, dst, dst_bytes, src, src_bytes, part, parts)
}

/// `stride_plan_execute_scratch` inside one buffer, after `stride_plan_scratch_bytes`, whose answer is returned: the
/// scratch is exactly as large.
pub fn execute_scratch(plan: &stride_plan, buffer: &mut [u8], dst_at: usize, src_at: usize) -> Answer<u64> {
    let base = buffer.as_mut_ptr();
    let (dst_bytes, src_bytes) = (buffer[dst_at..].len() as u64, buffer[src_at..].len() as u64);
    let (dst, src) = (base.wrapping_add(dst_at), base.wrapping_add(src_at).cast_const());
    let mut needed = POISON as u64;
    call!(stride_plan_scratch_bytes, plan, dst.addr() as u64, src.addr() as u64, &mut needed)?;
    let mut scratch = vec![0u8; needed as usize];
    let scratch = scratch.as_mut_ptr().cast();
    let (dst, src) = (dst.cast(), src.cast());
    call!(stride_plan_execute_scratch, plan, dst, dst_bytes, src, src_bytes, scratch, needed).map(|()| needed)
}

/// `stride_fill`.
pub fn fill(layout: &stride_layout, dst: &mut [u8], value: &[u8]) -> Answer<()> {
    assert!(value.len() as u64 >= min_bytes(&packed(layout.dtype, &[])).unwrap());
    let bytes = dst.len() as u64;
    call!(stride_fill, layout, dst.as_mut_ptr().cast(), bytes, value.as_ptr().cast())
}

/// `stride_compare`.
pub fn compare(lhs: Src<'_>, rhs: Src<'_>) -> Answer<i64> {
    let mut first = POISON;
    let (lhs_bytes, rhs_bytes) = (lhs.1.len() as u64, rhs.1.len() as u64);
    let (lhs_at, rhs_at) = (lhs.1.as_ptr().cast(), rhs.1.as_ptr().cast());
    call!(stride_compare, lhs.0, lhs_at, lhs_bytes, rhs.0, rhs_at, rhs_bytes, &mut first).map(|()| first)
}
