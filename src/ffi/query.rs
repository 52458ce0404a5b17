//! Questions about a layout
//!
//! These functions answer from the layout alone; none touches tensor memory.
//!
//! Example: the offset of pixel (5,6), channel 2 of a packed image, and its index from that number.
//!
//!   int64_t sizes[3] = {480, 640, 3}, pixel[3] = {5, 6, 2}, index[3], offset;
//!   stride_layout image;
//!   stride_layout_init(&image, STRIDE_DTYPE_U8, 3, sizes, NULL, NULL);
//!   stride_layout_offset(&image, 3, pixel, &offset, NULL);
//!   stride_layout_unravel_index(&image, 9620, 3, index, NULL);
//!   assert(offset == 9620 && index[0] == 5 && index[1] == 6 && index[2] == 2);

use super::boundary::{Output, check_entries, ranked, write_entries, write_text};
use super::layout::{
    LayoutRoom, ask_layout, ask_layout_entries, ask_layouts, read_layout, read_layout_once, stride_layout,
};
use super::status::{report, stride_error, stride_status};
use crate::error::Argument;
use crate::model::MAX_RANK;
use core::ffi::c_char;

/// Format: row-major without gaps.
pub const STRIDE_FORMAT_PACKED: u32 = 1;
/// Format: the first dimension varies fastest, without gaps.
pub const STRIDE_FORMAT_COLUMN_MAJOR: u32 = 2;
/// Format: without gaps in some order of the dimensions, each element once; signs of strides do not count.
pub const STRIDE_FORMAT_DENSE: u32 = 4;
/// Format: NHWC (rank 4) or NDHWC (rank 5) without gaps and not empty, as PyTorch's is_contiguous(channels_last) has
/// it.
pub const STRIDE_FORMAT_CHANNELS_LAST: u32 = 8;

/// Checks that the struct is a valid layout; the error says what is wrong with it.
///
/// Returns: INVALID_DTYPE; INVALID_RANK; INVALID_SIZE; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_validate(
    layout: *const stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, read_layout(layout, Argument::Layout).map(drop))
}

/// Number of elements: the product of the sizes, 1 for rank 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_element_count(
    layout: *const stride_layout,
    out: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask_layout(layout, out, Argument::Out, |layout| Ok(layout.element_count())))
}

/// Lowest and highest element offset that any index reaches; 0 and -1 if the layout is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_span(
    layout: *const stride_layout,
    lowest: *mut i64,
    highest: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let span = read_layout(layout, Argument::Layout)?.span();
        let (lowest, highest) = (Output::new(lowest, Argument::Lowest)?, Output::new(highest, Argument::Highest)?);
        lowest.write(span.0);
        highest.write(span.1);
    })
}

/// Bytes that the buffer must have: ceil((highest offset + 1) * element bits / 8); 0 if the layout is empty.
///
/// Returns: OUT_OF_BOUNDS if an element lies below the base pointer (see `stride_layout_rebase`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_min_bytes(
    layout: *const stride_layout,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask_layout(layout, out, Argument::Out, |layout| layout.min_bytes()))
}

/// Element offset of an index from the base pointer: offset + index . strides.
///
/// Arrays: index[rank].
///
/// Returns: INVALID_RANK if `rank` is not the layout's; INDEX_OUT_OF_RANGE with the dimension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_offset(
    layout: *const stride_layout,
    rank: u32,
    index: *const i64,
    out: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        ask_layout(layout, out, Argument::Out, |layout| layout.offset_of(ranked(index, rank, Argument::Index)?))
    })
}

/// Byte offset of an index from the base pointer: `*offset_bytes` is the byte of the element's first bit, `*bit` that
/// bit's number in it, 0 unless elements are smaller than a byte. Bits are counted from the low end, so the element is
/// (byte >> bit) & mask; with STRIDE_DTYPE_HIGH_FIRST from the high end, so it is (byte >> (8 - bit - width)) & mask.
/// Element 3 of packed s4: byte 1, bit 4.
///
/// Arrays: index[rank].
///
/// Returns: as `stride_layout_offset`; OVERFLOW if the bytes do not fit int64_t.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_byte_offset(
    layout: *const stride_layout,
    rank: u32,
    index: *const i64,
    offset_bytes: *mut i64,
    bit: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let index = ranked(index, rank, Argument::Index)?;
        let offset_bytes = Output::new(offset_bytes, Argument::OffsetBytes)?;
        let bit = Output::new(bit, Argument::Bit)?;
        let found = layout.byte_offset_of(index)?;
        offset_bytes.write(found.0);
        bit.write(found.1);
    })
}

/// The inverse of `stride_layout_offset`: the first index, in row-major order, that lies `offset` elements from the
/// base pointer. `*sharing` becomes the number of indices that lie there: more than 1 where strides are 0 or dimensions
/// overlap, as those of windows do.
///
/// Arrays: index[rank], sharing or NULL.
///
/// Returns: INVALID_RANK if `rank` is not the layout's; NOT_REPRESENTABLE if no index lies there; UNDECIDED if a search
/// of 4096 steps does not end. A search is needed only if strides are not nested in any order; it is shorter with
/// `sharing` NULL.
///
/// Time: at most that of an overlap test.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_multi_index(
    layout: *const stride_layout,
    offset: i64,
    rank: u32,
    index: *mut i64,
    sharing: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        check_entries(index, rank, layout.rank(), Argument::Rank, Argument::Index)?;
        let (mut found, mut shared) = ([0i64; MAX_RANK], None);
        match sharing.is_null() {
            true => layout.multi_index(offset, &mut found)?,
            false => shared = Some(layout.multi_index_shared(offset, &mut found)?),
        }
        if let Some(shared) = shared {
            sharing.write(shared);
        }
        write_entries(index, rank, &found[..layout.rank()], Argument::Rank, Argument::Index)
    })
}

/// Row-major number of an index: the last dimension counts fastest, strides do not matter (numpy.ravel_multi_index).
///
/// Arrays: index[rank].
///
/// Returns: as `stride_layout_offset`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_ravel_index(
    layout: *const stride_layout,
    rank: u32,
    index: *const i64,
    out: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask_layout(layout, out, Argument::Out, |layout| layout.ravel(ranked(index, rank, Argument::Index)?)))
}

/// The index of a row-major number, the inverse of `stride_layout_ravel_index` (numpy.unravel_index).
///
/// Arrays: index[rank].
///
/// Returns: INDEX_OUT_OF_RANGE unless 0 <= linear < element count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_unravel_index(
    layout: *const stride_layout,
    linear: i64,
    rank: u32,
    index: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        ask_layout_entries(layout, rank, index, Argument::Index, |layout, index| layout.unravel(linear, index))
    })
}

/// Every format that holds, as STRIDE_FORMAT_ flags: one layout can be packed and channels-last at once. Offsets do not
/// matter. Empty layouts and rank 0 are PACKED, COLUMN_MAJOR and DENSE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_classify(
    layout: *const stride_layout,
    flags: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask_layout(layout, flags, Argument::Flags, |layout| Ok(layout.formats())))
}

/// The order of the dimensions in memory, fastest varying first. A size-1 dimension comes right after the nearest
/// dimension of size > 1 on its right; those with none on their right come first.
///
/// Arrays: minor_to_major[rank].
///
/// Returns: NOT_REPRESENTABLE with the dimension for gaps, zero and negative strides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_minor_to_major(
    layout: *const stride_layout,
    rank: u32,
    minor_to_major: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        ask_layout_entries(layout, rank, minor_to_major, Argument::MinorToMajor, |layout, order| {
            layout.minor_to_major(order)
        })
    })
}

/// Strides in bytes, as NumPy, Arrow, ggml and PJRT have them: the inverse of `stride_layout_init_byte_strides`. The
/// offset does not count. The stride of a dimension of size 1 or of an empty layout has no effect: it becomes 0 if it
/// is not a whole number of bytes or is too large.
///
/// Arrays: byte_strides[rank].
///
/// Returns: NOT_REPRESENTABLE with the dimension if elements below a byte do not lie a whole number of bytes apart;
/// OVERFLOW with the dimension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_byte_strides(
    layout: *const stride_layout,
    rank: u32,
    byte_strides: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        ask_layout_entries(layout, rank, byte_strides, Argument::ByteStrides, |layout, found| {
            layout.byte_strides(found)
        })
    })
}

/// `*answer` becomes 1 if dtype, offset, rank, sizes and all strides are equal, also strides without effect; else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_equal(
    lhs: *const stride_layout,
    rhs: *const stride_layout,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask_layouts(lhs, rhs, answer, |lhs, rhs| Ok(lhs.same_fields(rhs))))
}

/// `*answer` becomes 1 if every index means the same element in both layouts, else 0: equal dtype and sizes and, unless
/// empty, equal offset and equal strides of dimensions of size > 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_same_mapping(
    lhs: *const stride_layout,
    rhs: *const stride_layout,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask_layouts(lhs, rhs, answer, |lhs, rhs| Ok(lhs.same_mapping(rhs))))
}

/// Writes the layout as text: "f32[2,3] strides [3,1] offset 0".
///
/// Arrays: buffer[capacity], length or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_format(
    layout: *const stride_layout,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        // The buffer may be where the layout is.
        let mut room = LayoutRoom::new();
        write_text(buffer, capacity, length, &read_layout_once(&mut room, layout, Argument::Layout)?)
    })
}
