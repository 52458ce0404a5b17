//! Blocked layouts
//!
//! A buffer whose dimensions are digits of the indices, in any order: how the scale factors of MXFP8 and NVFP4,
//! swizzled matrices and packed weights lie. A block is one digit of one index,
//!
//!   (index[dimension] / step) % size
//!
//! The innermost block of a dimension has step 1, and the step of each other one is the product of the sizes inside it.
//! The outermost reaches the dimension's end; if its size is 0, it is as large as that takes. All blocks, slowest
//! first, are the dimensions of the packed row-major buffer; positions past the end of a dimension are padding. As
//! text, a block is a letter for its dimension, a the first, then "/step" unless that is 1, then "%size" unless that is
//! 0; one space separates blocks:
//!
//!   a b             row-major         a/128 b/4 a%32 a/32%4 b%4         scale factors in tiles of 128 x 4
//!   b a             column-major      a b/128 c/4 b%32 b/32%4 c%4       such tiles of a batch of matrices
//!   a/2 b a%2       pairs of rows     a/16 b/16 c d b/4%4 a%16 b%4      oneDNN's OIhw4i16o4i
//!
//! `stride_copy_sides` copies to and from blocked layouts (STRIDE_SIDE_BLOCKED). What oneDNN calls a blocked format, by
//! a tag such as nChw16c, is a shape: `stride_xla_shape_parse_tag` of stride_xla.h.
//!
//! Source: "1D Block Scaling Factors Layout" of cuBLAS's documentation.
//!
//! Example: 200 x 6 scale factors into tiles; STRIDE_COPY_FILL_BUFFER would write zeros into their padding.
//!
//!   static uint8_t scales[200][6] = {{127, 126}, {125}}, tiles[256 * 8];
//!   int64_t sizes[2] = {200, 6}, index[2] = {32, 0}, position; stride_blocked blocked;
//!   stride_blocked_parse("a/128 b/4 a%32 a/32%4 b%4", 25, STRIDE_DTYPE_F8E8M0FNU, 2, sizes, &blocked, NULL);
//!   stride_blocked_linear_index(&blocked, 2, index, &position, NULL);
//!   stride_side to; stride_side_init(&to, STRIDE_SIDE_BLOCKED, &blocked, NULL);
//!   stride_copy_sides(&to, tiles, 2048, NULL, scales, 1200, NULL, NULL);
//!   assert(position == 4 && tiles[0] == 127 && tiles[1] == 126 && tiles[16] == 125);

use super::boundary::{
    Entries, Output, check_given, checked_rank, counted, ranked, text_in, write_entries, write_found_entries,
    write_text,
};
use super::layout::{STRIDE_MAX_RANK, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, ForArgument, Result, check_flags};
use crate::model::{Dtype, MAX_RANK};
use crate::vocabulary::blocks::{Block, BlockedLayout, MAX_BLOCKS};
use arrayvec::ArrayVec;
use core::ffi::c_char;
use core::ptr::{addr_of, addr_of_mut};

/// A blocked layout: plain data; make it with `stride_blocked_init` or from text.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct stride_blocked {
    /// STRIDE_DTYPE_...
    pub dtype: u32,
    /// Number of dimensions, 0 to 64.
    pub rank: u32,
    /// Number of blocks, 0 to 64.
    pub block_count: u32,
    /// Zero.
    pub flags: u32,
    /// Elements along each dimension; 0 and more.
    pub sizes: [i64; STRIDE_MAX_RANK],
    /// The dimension of each block, slowest block first.
    pub block_dims: [i64; STRIDE_MAX_RANK],
    /// The step of each block: its digit is (index / step) % size.
    pub block_steps: [i64; STRIDE_MAX_RANK],
    /// The size of each block; 0: as large as the dimension needs, only for its outermost block.
    pub block_sizes: [i64; STRIDE_MAX_RANK],
}

/// The blocks of three lists, of at most 64 entries.
fn listed(dims: &[i64], steps: &[i64], sizes: &[i64]) -> ArrayVec<Block, MAX_BLOCKS> {
    let mut blocks = ArrayVec::new();
    for ((&dimension, &step), &size) in dims.iter().zip(steps).zip(sizes) {
        let _ = blocks.try_push(Block { dimension, step, size });
    }
    blocks
}

/// Reads and checks the caller's blocked layout, each entry once.
///
/// # Safety
/// `pointer` is null, or a blocked layout whose fields and entries in use are readable.
#[inline(never)] // its stack is free again when the layout is used
pub(super) unsafe fn read_blocked(pointer: *const stride_blocked) -> Result<BlockedLayout> {
    check_given(pointer, Argument::Blocked)?;
    // SAFETY: not null (`check_given`); fields and entries in use are readable (# Safety), at most 64 of each array.
    unsafe {
        let rank = checked_rank(addr_of!((*pointer).rank).read_volatile(), Argument::Blocked)?;
        let count = addr_of!((*pointer).block_count).read_volatile();
        let count = checked_rank(count, Argument::Blocked).map_err(|error| error.item(STRIDE_MAX_RANK))?;
        let flags = addr_of!((*pointer).flags).read_volatile();
        check_flags(flags, 0, Argument::Blocked)?;
        let dtype = Dtype::new(addr_of!((*pointer).dtype).read_volatile()).in_role(Argument::Blocked)?;
        let [mut sizes, mut dims, mut steps, mut block_sizes] = [const { Entries::new() }; 4];
        let blocks = listed(
            dims.read(addr_of!((*pointer).block_dims).cast(), count),
            steps.read(addr_of!((*pointer).block_steps).cast(), count),
            block_sizes.read(addr_of!((*pointer).block_sizes).cast(), count),
        );
        let sizes = sizes.read(addr_of!((*pointer).sizes).cast(), rank);
        BlockedLayout::new(dtype, sizes, &blocks).in_role(Argument::Blocked)
    }
}

impl Output<stride_blocked> {
    /// Writes the fields and the entries of the arrays that are in use.
    ///
    /// # Safety
    /// The pointer given to `new` is writable.
    unsafe fn write_blocked(self, blocked: &BlockedLayout) {
        // SAFETY: the struct is writable (# Safety); its arrays have 64 entries; rank and blocks are at most 64.
        unsafe {
            addr_of_mut!((*self.0).dtype).write(blocked.dtype().code());
            addr_of_mut!((*self.0).rank).write(blocked.sizes().len() as u32);
            addr_of_mut!((*self.0).block_count).write(blocked.blocks().len() as u32);
            addr_of_mut!((*self.0).flags).write(0);
            Output(addr_of_mut!((*self.0).sizes).cast::<i64>()).write_all(blocked.sizes());
            for (k, Block { dimension, step, size }) in blocked.blocks().take(STRIDE_MAX_RANK).enumerate() {
                addr_of_mut!((*self.0).block_dims).cast::<i64>().add(k).write(dimension);
                addr_of_mut!((*self.0).block_steps).cast::<i64>().add(k).write(step);
                addr_of_mut!((*self.0).block_sizes).cast::<i64>().add(k).write(size);
            }
        }
    }
}

/// The layout of these sizes and blocks, slowest block first: block k is the digit (index[block_dims[k]] /
/// block_steps[k]) % block_sizes[k]. Scale tiles are {0,1,0,0,1}, {128,4,1,32,1}, {0,0,32,4,4}.
///
/// Arrays: sizes[rank], block_dims[count], block_steps[count], block_sizes[count].
///
/// Returns: INVALID_RANK above 64 dimensions or blocks; INVALID_DTYPE; INVALID_SIZE with the dimension, or with the
/// block (item) whose size is negative; INVALID_AXES with the block; INVALID_TILE with the block, its step and the
/// right step, or, if its size is 0, its step and that of a block outside it; INVALID_TILE with the dimension, the
/// product of its blocks and its size; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_blocked_init(
    out: *mut stride_blocked,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    count: u32,
    block_dims: *const i64,
    block_steps: *const i64,
    block_sizes: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let out = Output::new(out, Argument::Out)?;
        let (dtype, sizes) = (Dtype::new(dtype)?, ranked(sizes, rank, Argument::Sizes)?);
        let blocks = listed(
            counted(block_dims, count, Argument::BlockDims)?,
            counted(block_steps, count, Argument::BlockSteps)?,
            counted(block_sizes, count, Argument::BlockSizes)?,
        );
        out.write_blocked(&BlockedLayout::new(dtype, sizes, &blocks)?);
    })
}

/// Checks that a blocked layout is valid; the error says what is wrong with it, as in `stride_blocked_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_blocked_validate(
    blocked: *const stride_blocked,
    error: *mut stride_error,
) -> stride_status {
    report!(error, read_blocked(blocked).map(drop))
}

/// The blocked layout of these sizes that a text describes. `length` counts the bytes of `text`.
///
/// Arrays: text[length], sizes[rank].
///
/// Returns: PARSE with the byte position; else as `stride_blocked_init`, of the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_blocked_parse(
    text: *const c_char,
    length: u64,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    out: *mut stride_blocked,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let text = text_in(text, length)?;
        let (dtype, sizes) = (Dtype::new(dtype)?, ranked(sizes, rank, Argument::Sizes)?);
        Output::new(out, Argument::Out)?.write_blocked(&BlockedLayout::parse(text, dtype, sizes)?);
    })
}

/// Writes the text of the blocks, without the sizes.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_RANK above 26, the number of letters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_blocked_format(
    blocked: *const stride_blocked,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let read = read_blocked(blocked)?;
        read.check_text()?;
        write_text(buffer, capacity, length, &read)
    })
}

/// Bytes of the buffer, padding included: 200 x 6 bytes in scale tiles take 256 x 8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_blocked_byte_size(
    blocked: *const stride_blocked,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let read = read_blocked(blocked)?;
        Output::new(out, Argument::Out)?.write_found(read.byte_size())
    })
}

/// The sizes with padding, which the blocks of each dimension have together: {256,8} for {200,6} in scale tiles.
///
/// Arrays: padded_sizes[rank].
///
/// Returns: INVALID_RANK unless `rank` is that of the layout.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_blocked_padded_sizes(
    blocked: *const stride_blocked,
    rank: u32,
    padded_sizes: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let read = read_blocked(blocked)?;
        let mut padded = ArrayVec::<i64, MAX_RANK>::new();
        let _ = (0..read.sizes().len()).try_for_each(|dimension| padded.try_push(read.padded_size(dimension)));
        write_entries(padded_sizes, rank, &padded, Argument::Rank, Argument::PaddedSizes)
    })
}

/// The whole buffer, padding included, as a packed layout with a dimension for each block: {2,2,32,4,4} for 200 x 6 in
/// scale tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_from_blocked(
    blocked: *const stride_blocked,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let blocked = read_blocked(blocked)?;
        Output::new(out, Argument::Out)?.write_made(|out| blocked.buffer_in(out))
    })
}

/// Position of an index in the buffer, in elements: (32,0) lies at 4 of scale tiles.
///
/// Arrays: index[rank].
///
/// Returns: INVALID_RANK; INDEX_OUT_OF_RANGE with the dimension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_blocked_linear_index(
    blocked: *const stride_blocked,
    rank: u32,
    index: *const i64,
    out: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let read = read_blocked(blocked)?;
        Output::new(out, Argument::Out)?.write(read.linear_index(ranked(index, rank, Argument::Index)?)?);
    })
}

/// The index at a position of the buffer: the inverse of `stride_blocked_linear_index`.
///
/// Arrays: index[rank].
///
/// Returns: INDEX_OUT_OF_RANGE outside the buffer; NOT_REPRESENTABLE if the position is padding, with the dimension
/// past whose size it lies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_blocked_multi_index(
    blocked: *const stride_blocked,
    linear: i64,
    rank: u32,
    index: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let read = read_blocked(blocked)?;
        write_found_entries(index, rank, read.sizes().len(), Argument::Index, |index| read.multi_index(linear, index))
    })
}
