//! XLA: blocked formats
//!
//! The formats of oneDNN, TVM, TensorRT and others, whose channels come in blocks that fit a vector register. Here they
//! are XLA shapes, so every function for shapes takes them (docs/BLOCKED_FORMATS.md). A `stride_blocked`
//! (stride_interop.h) is another thing: any order of any digits.
//!
//! A format is an order of the dimensions and blocks cut out of some of them, both outermost first; one dimension may
//! have several blocks. In OIhw4i16o4i the order is o i h w, and the blocks are 4 of i, 16 of o, 4 of i. With B[d] the
//! product of the blocks of dimension d, the buffer is the row-major array of ceil(sizes[d] / B[d]) for each d of the
//! order, then of the blocks: [(O+15)/16][(I+15)/16][H][W][4][16][4], and element (o,i,h,w) is
//! [o/16][i/16][h][w][i%16/4][o%16][i%4]. Blocks that are not full are padded; STRIDE_COPY_FILL_BUFFER fills them with
//! zeros, as oneDNN wants.
//!
//! Example: element (0,0,0,1) of OIhw4i16o4i, which `stride_xla_shape_parse_tag` reads as well, lies at 256.
//!
//!   int64_t sizes[4] = {16, 16, 3, 3}, index[4] = {0, 0, 0, 1}, position;
//!   int64_t dims[3] = {1, 0, 1}, blocks[3] = {4, 16, 4};
//!   stride_xla_shape shape;
//!   stride_xla_shape_init_blocked(&shape, STRIDE_DTYPE_F32, 4, sizes, NULL, 3, dims, blocks, NULL);
//!   stride_xla_linear_index(&shape, 4, index, &position, NULL);
//!   assert(position == 256);

use super::boundary::{Output, check_entries, counted, optional_array, ranked, text_in, write_text};
use super::pjrt::check_room;
use super::status::{report, stride_error, stride_status};
use super::xla::{in_sizes, read_shape, stride_xla_shape, with_shape};
use crate::error::{Argument, Error};
use crate::model::Dtype;
use crate::vocabulary::xla::tag::{self, Tag};
use crate::vocabulary::xla::{Blocked, Shape};
use core::ffi::c_char;

/// The shape of a blocked format. `outer_order` lists all dimensions, outermost first (NULL: 0, 1, 2, ...). Block k,
/// outermost first, is `block_sizes[k]` of dimension `block_dims[k]`; a block of 1 is none, and neighbours of the same
/// dimension are one block. linalg.pack of 128x256 by tiles {8,32} is {0,1}, {8,32}: 16x8 blocks of 8x32. The contents
/// of the padding are not specified.
///
/// Arrays: sizes[rank], outer_order[rank] or NULL, block_dims[count], block_sizes[count].
///
/// Returns: INVALID_AXES and INVALID_SIZE (a block below 1) with the entry; UNSUPPORTED if the shape would have more
/// than 8 tiles or 64 sizes of them; OVERFLOW; else as `stride_xla_shape_init`. The first block takes a tile, and so
/// does each block whose dimension does not come after that of the block before it in the order.
///
/// Source: dnnl_blocking_desc_t of oneDNN, linalg.pack of MLIR.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_init_blocked(
    out: *mut stride_xla_shape,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    outer_order: *const i64,
    count: u32,
    block_dims: *const i64,
    block_sizes: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let out = Output::new(out, Argument::Out)?;
        let (dtype, sizes) = (Dtype::new(dtype)?, ranked(sizes, rank, Argument::Sizes)?);
        let block_dims = counted(block_dims, count, Argument::BlockDims)?;
        let block_sizes = counted(block_sizes, count, Argument::BlockSizes)?;
        let mut blocked = Blocked::new(sizes.len(), optional_array(outer_order, sizes.len()))?;
        for (entry, (&dimension, &size)) in block_dims.iter().zip(block_sizes).enumerate() {
            blocked.push(dimension, size).map_err(|error| error.dimension(entry))?;
        }
        out.write_made_shape(&in_sizes(Shape::from_blocked(dtype, sizes, &blocked)))
    })
}

/// The order and blocks of a shape that is a blocked format, whichever tiles express it: the inverse of
/// `stride_xla_shape_init_blocked`. TPU's T(8,128)(2,1) is {0,1,0}, {4,128,2}. Blocks are above 1, and neighbours are
/// of different dimensions; `*count` is their number. 64 entries are always enough. Type, storage bits, memory space
/// and sizes do not matter, but sizes must be known.
///
/// Arrays: outer_order[rank], block_dims[capacity], block_sizes[capacity].
///
/// Returns: NOT_REPRESENTABLE for padded sizes with the dimension, a tail alignment, a tile (item) that merges
/// dimensions or cuts a block with a remainder, and blocks of one dimension (which is named) that do not follow each
/// other from the outermost to the innermost; INVALID_ARGUMENT with `capacity` and the number needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_to_blocked(
    shape: *const stride_xla_shape,
    rank: u32,
    outer_order: *mut i64,
    capacity: u32,
    block_dims: *mut i64,
    block_sizes: *mut i64,
    count: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let read = read_shape(shape);
        let shape = read.as_ref().map_err(|&error| error)?;
        let count = Output::new(count, Argument::Count)?;
        check_entries(outer_order, rank, shape.rank(), Argument::Rank, Argument::OuterOrder)?;
        let blocked = Blocked::of(shape)?;
        // In the list of parameters `capacity` stands before the lists that it counts, `count` after them.
        let (entries, capacity) = (blocked.block_dims().len(), capacity as usize);
        check_room(block_dims, entries, capacity, [Argument::BlockDims, Argument::Capacity])?;
        check_room(block_sizes, entries, capacity, [Argument::BlockSizes, Argument::Capacity])?;
        Output(outer_order).write_all(blocked.outer_order());
        Output(block_dims).write_all(blocked.block_dims());
        Output(block_sizes).write_all(blocked.block_sizes());
        count.write(entries as u32);
    })
}

/// The shape of these sizes in the format that a tag names: the letters of all dimensions, outermost first, then the
/// blocks, each a size and a small letter. A dimension with blocks is a capital letter: "nChw16c", "OIhw4i16o4i",
/// "acdb". Where letters are names, all may be capitals: "NCHW16c". The dimensions are, in their order and as far as
/// the tag has them:
///
///   a b c ... z   if there is an a         g o i d h w   if there is a g, o or i, and no l
///   l d n c       if there are l and n or c     l d i g o   if there is another l
///   t n c         if there is a t          x             if there is an x
///   n c d h w     otherwise
///
/// So in "hwio" dimension 0 is o and dimension 3 is w. `length` counts the bytes of `tag`.
///
/// Arrays: tag[length], sizes[rank].
///
/// Returns: PARSE with the byte position, also if the tag does not have `rank` letters; else as
/// `stride_xla_shape_init_blocked`.
///
/// Source: dnnl_format_tag_t of oneDNN's dnnl_types.h; layouts of TVM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_parse_tag(
    tag: *const c_char,
    length: u64,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let tag = text_in(tag, length).map_err(|error| match error.argument {
            Argument::Text => Error { argument: Argument::Tag, ..error },
            _ => error,
        })?;
        let (dtype, sizes) = (Dtype::new(dtype)?, ranked(sizes, rank, Argument::Sizes)?);
        Output::new(out, Argument::Out)?.write_made_shape(&in_sizes(tag::parse(tag, dtype, sizes)))
    })
}

/// Writes the tag of a shape that is a blocked format, by numbers of dimensions: "aBcd16b". Read again with the same
/// sizes, it gives a shape with every element in the same place.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: NOT_REPRESENTABLE as `stride_xla_shape_to_blocked`; INVALID_RANK above 26, the number of letters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_format_tag(
    shape: *const stride_xla_shape,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, with_shape(shape, |shape| write_text(buffer, capacity, length, &Tag::of(shape)?)))
}
