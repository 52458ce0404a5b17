//! Layouts
//!
//! A layout says where each element of a tensor lies:
//!
//!   element offset of (i0, ..., i[r-1]) = offset + i0*strides[0] + ... + i[r-1]*strides[r-1]
//!
//! in elements from the base pointer, which is the start of the buffer. Strides may be negative (mirrored), zero (one
//! element repeated) or larger than needed (padding).
//!
//! It is plain data: copy it, write its fields. Every function checks a layout: rank <= 64; a known dtype; no negative
//! size; an element count that fits int64_t (0 as soon as one size is 0). All offsets must fit int64_t, and so must
//! (highest offset + 1) times the bits of an element: nothing ends past 2^60 bytes. Entries beyond `rank` are neither
//! read nor written. An empty layout (a size of 0) reaches nothing and takes 0 bytes. The stride of a dimension of size
//! 1 has no effect; only `stride_layout_equal` compares it.
//!
//! Example: an image of 480 rows of 640 pixels of three bytes; rows lie 2048 bytes apart.
//!
//!   int64_t sizes[3] = {480, 640, 3};
//!   stride_layout image;
//!   uint64_t bytes;
//!   stride_layout_init_pitched(&image, STRIDE_DTYPE_U8, 3, sizes, 0, 2048, NULL);
//!   stride_layout_min_bytes(&image, &bytes, NULL);
//!   assert(image.strides[0] == 2048 && image.strides[1] == 3 && bytes == 479 * 2048 + 640 * 3);
//!
//! Example: the f64 of 1000 records of nine bytes, each a flag and an f64, to an array.
//!
//!   static uint8_t records[9000]; static double values[1000];
//!   int64_t count = 1000, apart = 9;
//!   stride_layout field;
//!   stride_layout_init_bytes(&field, STRIDE_DTYPE_F64, 1, &count, &apart, NULL); /* u8 {1000,8} */
//!   stride_copy(NULL, values, sizeof values, &field, records + 1, sizeof records - 1, NULL, NULL);

mod lent;

use super::boundary::{Output, array, ranked, text_in};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, Result};
use crate::model::build::strides_in;
use crate::model::{Dtype, Layout, LayoutStorage};
use crate::vocabulary::text;
use core::ffi::c_char;
pub(super) use lent::{
    LayoutRoom, ask_layout, ask_layout_entries, ask_layouts, map_layout, read_layout, read_layout_once, read_layouts,
    read_small_layout,
};

/// The highest rank.
pub const STRIDE_MAX_RANK: usize = 64;

/// The place of each element of a tensor.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct stride_layout {
    /// STRIDE_DTYPE_...
    pub dtype: u32,
    /// Number of dimensions, 0 to 64.
    pub rank: u32,
    /// Elements from the base pointer to index (0, ..., 0).
    pub offset: i64,
    /// Elements along each dimension, outermost first; 0 and more.
    pub sizes: [i64; STRIDE_MAX_RANK],
    /// Elements from one index to the next along each dimension; any sign, 0 repeats the element.
    pub strides: [i64; STRIDE_MAX_RANK],
}

/// Makes a layout from sizes.
///
/// # Safety
/// `out` is null or writable; `sizes` is null, or readable for `rank` entries.
unsafe fn init(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    make: impl for<'o> FnOnce(&'o mut LayoutStorage, Dtype, &[i64]) -> Result<Layout<'o>>,
) -> Result<()> {
    // SAFETY: `out` is null or writable, `sizes` null or readable for `rank` entries (# Safety).
    unsafe {
        let out = Output::new(out, Argument::Out)?;
        let (dtype, sizes) = (Dtype::new(dtype)?, ranked(sizes, rank, Argument::Sizes)?);
        out.write_made(|out| make(out, dtype, sizes).map_err(strides_in(Argument::Sizes)))
    }
}

/// Makes a layout from sizes and a list with an entry for each of them.
///
/// # Safety
/// `out` is null or writable; each of `sizes` and `list` is null, or readable for `rank` entries.
unsafe fn init_by(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    (list, argument): (*const i64, Argument),
    make: impl for<'o> FnOnce(&'o mut LayoutStorage, Dtype, &[i64], &[i64]) -> Result<Layout<'o>>,
) -> Result<()> {
    // SAFETY: `out` is null or writable, both lists are null or readable for `rank` entries (# Safety).
    unsafe {
        init(out, dtype, rank, sizes, |out, dtype, sizes| {
            make(out, dtype, sizes, array(list, sizes.len(), argument)?).map_err(strides_in(argument))
        })
    }
}

/// Makes a layout of these sizes and strides, offset 0. `strides` NULL: packed, that is row-major without gaps (all
/// strides 0 if a size is 0).
///
/// Arrays: sizes[rank], strides[rank] or NULL.
///
/// Returns: INVALID_DTYPE; INVALID_SIZE with the dimension; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    strides: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        if strides.is_null() {
            return init(out, dtype, rank, sizes, |out, dtype, sizes| out.set_packed(dtype, sizes));
        }
        let out = Output::new(out, Argument::Out)?;
        let (dtype, sizes) = (Dtype::new(dtype)?, ranked(sizes, rank, Argument::Sizes)?);
        let strides = array(strides, sizes.len(), Argument::Strides)?;
        // The arrays may lie in `out` itself.
        if overlaps(out.0, sizes) || overlaps(out.0, strides) {
            return out.write_made(|out| out.set_strided(dtype, sizes, strides));
        }
        out.write_view(&Layout::new(dtype, 0, sizes, strides)?);
    })
}

/// True if an input array lies in an output struct.
fn overlaps(out: *const stride_layout, input: &[i64]) -> bool {
    let (begin, end) = (out.addr(), out.addr().wrapping_add(size_of::<stride_layout>()));
    let first = input.as_ptr().addr();
    first < end && begin < first.wrapping_add(size_of_val(input))
}

/// Makes a layout without gaps in any order of the dimensions: `minor_to_major` lists all of 0 ... rank - 1, fastest
/// varying first. {1,0} of 2x3 has strides {3,1}, {0,1} has {1,2}.
///
/// Arrays: sizes[rank], minor_to_major[rank].
///
/// Returns: as `stride_layout_init`; INVALID_AXES with the entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_ordered(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    minor_to_major: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        init(out, dtype, rank, sizes, |out, dtype, sizes| {
            out.set_ordered(dtype, sizes, array(minor_to_major, sizes.len(), Argument::MinorToMajor)?)
        })
    })
}

/// Makes a layout without gaps whose dimension 1 varies fastest and dimension 0 slowest: NHWC for sizes {N,C,H,W}.
/// Below rank 3 it is packed. (DirectMLX, TensorPolicy::InterleavedChannel.)
///
/// Arrays: sizes[rank].
///
/// Returns: as `stride_layout_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_channels_last(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, init(out, dtype, rank, sizes, |out, dtype, sizes| out.set_channels_last(dtype, sizes)))
}

/// Makes a packed layout with rows `pitch_bytes` apart. `axis` is the dimension that counts the rows: 0 for the sizes
/// {H,W,C} of an image, 2 (or -2) for {N,C,H,W}. The strides of the dimensions outside it follow from the pitch.
///
/// Arrays: sizes[rank].
///
/// Returns: as `stride_layout_init`; INVALID_AXES outside -rank ... rank - 1; INVALID_ARGUMENT if the pitch is shorter
/// than what lies inside the axis, or not a whole number of elements (an empty layout takes any).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_pitched(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    axis: i64,
    pitch_bytes: u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, init(out, dtype, rank, sizes, |out, dtype, sizes| out.set_pitched(dtype, sizes, axis, pitch_bytes)))
}

/// Makes a layout whose elements lie in the corner of a packed buffer of `padded_sizes`: {2,3} in {2,4} has the strides
/// {4,1}. All strides are 0 if a size is 0. (XLA's padded_dimensions.)
///
/// Arrays: sizes[rank], padded_sizes[rank].
///
/// Returns: as `stride_layout_init`; INVALID_SIZE with the dimension for a padded size below the size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_padded(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    padded_sizes: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, init_by(out, dtype, rank, sizes, (padded_sizes, Argument::PaddedSizes), LayoutStorage::set_padded))
}

/// Makes a packed layout with padded rows: the pitch is the least multiple of `alignment_bytes` that holds a row and is
/// a whole number of elements. Rows of 640 pixels of 3 bytes aligned to 256 lie 2048 apart, rows of 3 elements of 12
/// bytes aligned to 16 lie 48 apart. `axis` as for `stride_layout_init_pitched`. Any alignment but 0 will do; a power
/// of two keeps rows aligned as far as the base pointer is.
///
/// Arrays: sizes[rank].
///
/// Returns: as `stride_layout_init`; INVALID_AXES outside -rank ... rank - 1; INVALID_ARGUMENT for an alignment of 0 or
/// above 2^60 (an empty layout takes any).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_aligned(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    axis: i64,
    alignment_bytes: u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        init(out, dtype, rank, sizes, |out, dtype, sizes| out.set_aligned(dtype, sizes, axis, alignment_bytes))
    })
}

/// Makes a layout with strides in bytes, as NumPy, ggml and Arrow have them. A stride of a dimension of size 1 that is
/// not a whole number of elements becomes 0.
///
/// Arrays: sizes[rank], byte_strides[rank].
///
/// Returns: as `stride_layout_init`; INVALID_STRIDE with the dimension for any other such stride (an empty layout takes
/// any): `stride_layout_init_bytes` takes them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_byte_strides(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    byte_strides: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(
        error,
        init_by(out, dtype, rank, sizes, (byte_strides, Argument::ByteStrides), LayoutStorage::set_byte_strided)
    )
}

/// Makes a layout of elements at any byte, such as a field of packed records, which `stride_layout_init_byte_strides`
/// refuses. The result is u8 and has the bytes of each element as one more dimension, the last: f64 {1000} with strides
/// {9} is u8 {1000,8} with strides {9,1}. `stride_layout_as_bytes` gives the other side of a copy this form. With
/// STRIDE_DTYPE_SWAPPED the stride of the bytes is -1, so that a copy swaps them; a complex type then gets two
/// dimensions, its parts and their bytes.
///
/// Arrays: sizes[rank], byte_strides[rank].
///
/// Returns: as `stride_layout_init`; UNSUPPORTED (elements below a byte); INVALID_RANK past 64 dimensions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_bytes(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    byte_strides: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, init_by(out, dtype, rank, sizes, (byte_strides, Argument::ByteStrides), LayoutStorage::set_of_bytes))
}

/// The layout of the elements' bytes: u8, with the bytes of each element as one more dimension, the last (see
/// `stride_layout_init_bytes`). f64 {3,2} is u8 {3,2,8}, with strides 8 times as large.
///
/// Returns: UNSUPPORTED (elements below a byte); INVALID_RANK past 64 dimensions; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_as_bytes(
    layout: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |layout, out| layout.as_bytes_in(out)))
}

/// The packed layout with the dtype and sizes of `layout` and offset 0, for a copy of it. STRIDE_DTYPE_SWAPPED and
/// STRIDE_DTYPE_HIGH_FIRST stay, so the copy has the byte or bit order of `layout`.
///
/// Returns: OVERFLOW where repeated elements are too many to be stored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_packed_like(
    layout: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |layout, out| out.set_packed_like(layout)))
}

/// The layout of these elements from a base pointer moved by `*shift_bytes` bytes, at which the lowest element begins.
/// If your pointer is to index (0, ..., 0) of a mirrored view, that base is pointer + shift. An element smaller than a
/// byte may begin inside the first byte; `out->offset` says where.
///
/// Returns: OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_rebase(
    layout: *const stride_layout,
    out: *mut stride_layout,
    shift_bytes: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let out = Output::new(out, Argument::Out)?;
        let shift_bytes = Output::new(shift_bytes, Argument::ShiftBytes)?;
        let mut room = LayoutStorage::default();
        let (rebased, shift) = layout.rebased_in(&mut room)?;
        out.write_view(&rebased);
        shift_bytes.write(shift);
    })
}

/// The layout of a text of `length` bytes, in the form that `stride_layout_format` writes or in a shorter one.
///
///   f32[2,3]                           packed
///   f32[2,3] strides [1,2] offset 7    as `stride_layout_format` writes it
///   f32[2,3]:1,2+7                     that layout in short: strides and offset, in elements
///   f32[1,32,8,8]:nhwc                 an order, outermost first, without offset: a tag of stride_xla.h
///   f32[2,3]{0,1}                      XLA's order, fastest first
///
/// Arrays: text[length].
///
/// Returns: PARSE with the byte position; as `stride_layout_init`, with the byte of the size or stride; of an order of
/// XLA as `stride_layout_from_xla`; NOT_REPRESENTABLE for tiles and blocks, with the detail and the byte that say whose
/// text it is. TEXT_OF_TILES: the whole is for `stride_xla_shape_parse`. TEXT_OF_TAG, TEXT_OF_BLOCKS: the text after
/// that byte is for `stride_xla_shape_parse_tag` or `stride_blocked_parse`; the text before it is a packed layout with
/// the dtype and the sizes that they take.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_parse(
    text: *const c_char,
    length: u64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let text = text_in(text, length)?;
        Output::new(out, Argument::Out)?.write_made(|out| text::parse(text, out))
    })
}
