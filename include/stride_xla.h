// stride_xla.h: libstride 0.1.0. Generated from src/ffi by cbindgen 0.29.4: `make header`.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// XLA's array shapes and their layouts: order, padding, tiles, storage bits; and PJRT's memory layouts. The rules for
// all functions stand in stride.h.
//
// I want to ...                                         Function
//   describe an array as XLA does                         stride_xla_shape_init, then _set_padding, _add_tile, ...
//   read or print XLA's text                              stride_xla_shape_parse, _format; for people: _describe
//   describe oneDNN's and other blocked formats           stride_xla_shape_init_blocked, _parse_tag
//   know the blocks of a shape, or its format's name      stride_xla_shape_to_blocked, stride_xla_shape_format_tag
//   know the buffer's length                              stride_xla_shape_byte_size
//   know where an element lies                            stride_xla_linear_index; back: stride_xla_multi_index
//   turn a shape into a layout, a layout into a shape     stride_layout_from_xla, stride_layout_to_xla, _to_xla_padded
//   copy to, from or between tiled arrays                 stride_copy_sides, stride_plan_init_sides
//   know the bytes that fill the padding                  stride_xla_shape_padding_bytes
//   transpose, delete, insert dimensions                  stride_xla_shape_permute, _delete_dimensions, ...
//   know whether a reshape or transpose moves anything    stride_xla_reshape_is_bitcast, _transpose_is_bitcast
//   take a bitcast apart                                  stride_xla_bitcast_decompose
//   talk to PJRT                                          stride_xla_shape_from_pjrt_tiled, _to_pjrt_tiled
//
// Sections: XLA - XLA: blocked formats - XLA: the buffer of a shape - XLA: rearranging shapes - XLA: two shapes - PJRT.

#ifndef STRIDE_XLA_H
#define STRIDE_XLA_H

#include "stride.h"

#ifdef __cplusplus
extern "C" {
#endif

// =================================================================================================
//
// XLA
//
// stride_xla_shape is an array shape with its layout: order of the dimensions, padded sizes, tiles, storage width. It
// is plain data: make it with `stride_xla_shape_init` or from text; write flags, tail alignment and memory space
// directly. Sources: xla/layout.h, shape_util.cc, index_util.h and docs/tiled_layout.md of openxla/xla.
//
// The element at position p has its first bit at bit p * b of the buffer. b is the element bits, or if they are 0 the
// type's, rounded up to whole bytes: a type smaller than a byte takes a whole byte unless the element bits, text E(4),
// say less. Packed elements begin with the low bits of their byte, as in XLA since early 2025, or with the high bits
// if the shape's flags have STRIDE_XLA_SHAPE_HIGH_FIRST.
//
// Tiles cut the buffer. Its dimensions D, most major first, begin as the padded sizes in the order of the layout; e is
// an index in them. One tile t after the other takes the last dimensions, as many as it has sizes; if there are fewer,
// dimensions of size 1 come before them. The tile merges those marked STRIDE_XLA_TILE_MERGE into the next more minor
// one, and replaces them by ceil(D / t)..., t... and their index by e / t..., e mod t.... The dimensions after all
// tiles are row-major: f32[3,5] by the tile (2,2) has the sizes (2,3,2,2), and index (2,3) is (1,1,0,1), position 17
// of 24.
//
// Every function that takes a shape checks it. The errors are INVALID_DTYPE, INVALID_RANK, INVALID_SIZE with the
// dimension, INVALID_AXES with the entry, INVALID_ARGUMENT, INVALID_TILE with the tile and the entry in it, OVERFLOW,
// UNSUPPORTED. A dynamic dimension without a bound has the size STRIDE_XLA_UNBOUNDED. Such a shape is valid, has a
// text, and can be padded, tiled and given other storage bits; every other function returns UNSUPPORTED with the
// dimension.
//
// Example: bf16[30,100] in tiles of 8 x 128.
//
//   int64_t index[2] = {9, 99}, position; uint64_t bytes;
//   stride_xla_shape shape;
//   stride_xla_shape_parse("bf16[30,100]{1,0:T(8,128)}", 26, &shape, NULL);
//   stride_xla_shape_byte_size(&shape, &bytes, NULL);
//   stride_xla_linear_index(&shape, 2, index, &position, NULL);
//   assert(bytes == 32 * 128 * 2 && position == 8 * 128 + 1 * 128 + 99);

// As enums; the macros below explain them.
enum { STRIDE_XLA_SHAPE_HIGH_FIRST = 1 };
enum { STRIDE_XLA_PADDING_NONE = 0, STRIDE_XLA_PADDING_ZERO = 1, STRIDE_XLA_PADDING_ONE = 2,
       STRIDE_XLA_PADDING_LOWEST = 3, STRIDE_XLA_PADDING_HIGHEST = 4, STRIDE_XLA_PADDING_UNKNOWN = 5 };
enum { STRIDE_XLA_MAX_TILES = 8 };

/// Flag of a shape: elements packed below a byte begin with the high bits of their byte, as in XLA before 2025. No
/// effect on other elements.
#define STRIDE_XLA_SHAPE_HIGH_FIRST 1

#define STRIDE_XLA_PADDING_NONE 0  ///< Padding: not specified.
#define STRIDE_XLA_PADDING_ZERO 1  ///< Padding holds the number 0.
#define STRIDE_XLA_PADDING_ONE 2  ///< Padding holds the number 1.
#define STRIDE_XLA_PADDING_LOWEST 3  ///< Padding holds the lowest number of the type, minus infinity where it has one.
#define STRIDE_XLA_PADDING_HIGHEST 4  ///< Padding holds the highest number of the type, infinity where it has one.
#define STRIDE_XLA_PADDING_UNKNOWN 5  ///< Padding holds anything.

#define STRIDE_XLA_MAX_TILES 8  ///< The most tiles of a shape; their sizes are at most 64 together.

/// In a tile: join this dimension with the next more minor one. Text *.
#define STRIDE_XLA_TILE_MERGE (-9223372036854775807 - 1)

#define STRIDE_XLA_UNBOUNDED (-9223372036854775807 - 1)  ///< The size of a dynamic dimension without a bound. Text ?.

/// An XLA array shape with its layout.
typedef struct stride_xla_shape {
  /// STRIDE_DTYPE_...: not plain bytes, without STRIDE_DTYPE_HIGH_FIRST (see `flags`) and STRIDE_DTYPE_SWAPPED.
  uint32_t dtype;
  /// Number of dimensions, 0 to 64.
  uint32_t rank;
  /// Storage bits of an element, 0: whole bytes. Text E(...).
  uint32_t element_bits;
  /// STRIDE_XLA_PADDING_...
  uint32_t padding_kind;
  /// Number of tiles. Text T(...).
  uint32_t tile_count;
  /// STRIDE_XLA_SHAPE_...
  uint32_t flags;
  /// The buffer's element count is rounded up to a multiple of this; at least 1. Text L(...).
  int64_t tail_alignment;
  /// Number of a memory; kept, without effect. Text S(...).
  int64_t memory_space;
  /// Bit k: dimension k is dynamic and its size is the bound, text <=, or STRIDE_XLA_UNBOUNDED, text ?.
  uint64_t dynamic_dimensions;
  /// Elements along each dimension.
  int64_t sizes[STRIDE_MAX_RANK];
  /// Dimension numbers, fastest varying first.
  int64_t minor_to_major[STRIDE_MAX_RANK];
  /// Sizes of the buffer along each dimension: the size, or more if the dimension is padded.
  int64_t padded_sizes[STRIDE_MAX_RANK];
  /// Sizes of all tiles, one tile after the other.
  int64_t tile_sizes[STRIDE_MAX_RANK];
  /// Number of sizes of each tile.
  uint32_t tile_ranks[STRIDE_XLA_MAX_TILES];
} stride_xla_shape;

/// An unpadded shape. `minor_to_major` lists the dimensions, fastest varying first; NULL: descending, which is
/// row-major.
///
/// Arrays: sizes[rank], minor_to_major[rank] or NULL.
STRIDE_API stride_status stride_xla_shape_init(stride_xla_shape *out, uint32_t dtype, uint32_t rank,
                                               const int64_t *sizes, const int64_t *minor_to_major,
                                               stride_error *error);

/// Sets the padded sizes, each at least the size, and the contents of the padding, `kind` (STRIDE_XLA_PADDING_...). 2x3
/// padded to 3x5 with dimension 0 fastest and zeros: a d 0 b e 0 c f 0 0 0 0 0 0 0.
///
/// Arrays: padded_sizes[rank].
///
/// Returns: INVALID_SIZE with the dimension; INVALID_ARGUMENT for the kind; OVERFLOW.
STRIDE_API stride_status stride_xla_shape_set_padding(stride_xla_shape *shape, uint32_t rank,
                                                      const int64_t *padded_sizes, uint32_t kind, stride_error *error);

/// Sets the storage bits of an element, text E(...): a power of two up to 128 that holds the type; 0: whole bytes.
///
/// Returns: INVALID_ARGUMENT.
STRIDE_API stride_status stride_xla_shape_set_element_bits(stride_xla_shape *shape, uint32_t element_bits,
                                                           stride_error *error);

/// Cuts the buffer by one more tile of `count` sizes, most major first, which acts on the result of the tiles before. A
/// size is above 0 or STRIDE_XLA_TILE_MERGE.
///
/// Arrays: tile[count].
///
/// Returns: INVALID_TILE with the tile's number and the place in it; UNSUPPORTED beyond 8 tiles or 64 sizes, with
/// both numbers; OVERFLOW.
STRIDE_API stride_status stride_xla_shape_add_tile(stride_xla_shape *shape, uint32_t count, const int64_t *tile,
                                                   stride_error *error);

/// Reads a shape from text such as "f32[2,3]{0,1}" or "bf16[<=8,?,1004]{2,1,0:T(2,*,128)(2,1)L(4)E(16)S(1)}": tiles,
/// tail alignment, element bits and memory space, in this order. `length` counts the bytes of `text`. Without a layout
/// the order is descending. White space and C comments may stand between tokens.
///
/// Arrays: text[length].
///
/// Returns: PARSE with the byte position; UNSUPPORTED with the position for tuples, tokens, sparse and split
/// layouts, and beyond 8 tiles or 64 sizes of them; INVALID_RANK above 64; OVERFLOW.
STRIDE_API stride_status stride_xla_shape_parse(const char *text, uint64_t length, stride_xla_shape *out,
                                                stride_error *error);

/// Writes the shape as XLA prints it: the order if the rank is above 0, and each other section that is not the default.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: NOT_REPRESENTABLE with the dimension that is padded, and for STRIDE_XLA_SHAPE_HIGH_FIRST: neither has a
/// text in XLA (`stride_xla_shape_describe` writes both).
STRIDE_API stride_status stride_xla_shape_format(const stride_xla_shape *shape, char *buffer, uint64_t capacity,
                                                 uint64_t *length, stride_error *error);

/// Writes the whole shape, for people: the text of `stride_xla_shape_format`, then the padding and flags that XLA's
/// text lacks: "f32[2,3]{1,0}, padded to [4,128], zeros in the padding". Not to be parsed.
///
/// Arrays: buffer[capacity], length or NULL.
STRIDE_API stride_status stride_xla_shape_describe(const stride_xla_shape *shape, char *buffer, uint64_t capacity,
                                                   uint64_t *length, stride_error *error);

/// Checks that the struct is a valid shape; the error says what is wrong with it.
STRIDE_API stride_status stride_xla_shape_validate(const stride_xla_shape *shape, stride_error *error);

// =================================================================================================
//
// XLA: blocked formats
//
// The formats of oneDNN, TVM, TensorRT and others, whose channels come in blocks that fit a vector register. Here they
// are XLA shapes, so every function for shapes takes them (docs/BLOCKED_FORMATS.md). A `stride_blocked`
// (stride_interop.h) is another thing: any order of any digits.
//
// A format is an order of the dimensions and blocks cut out of some of them, both outermost first; one dimension may
// have several blocks. In OIhw4i16o4i the order is o i h w, and the blocks are 4 of i, 16 of o, 4 of i. With B[d] the
// product of the blocks of dimension d, the buffer is the row-major array of ceil(sizes[d] / B[d]) for each d of the
// order, then of the blocks: [(O+15)/16][(I+15)/16][H][W][4][16][4], and element (o,i,h,w) is
// [o/16][i/16][h][w][i%16/4][o%16][i%4]. Blocks that are not full are padded; STRIDE_COPY_FILL_BUFFER fills them with
// zeros, as oneDNN wants.
//
// Example: element (0,0,0,1) of OIhw4i16o4i, which `stride_xla_shape_parse_tag` reads as well, lies at 256.
//
//   int64_t sizes[4] = {16, 16, 3, 3}, index[4] = {0, 0, 0, 1}, position;
//   int64_t dims[3] = {1, 0, 1}, blocks[3] = {4, 16, 4};
//   stride_xla_shape shape;
//   stride_xla_shape_init_blocked(&shape, STRIDE_DTYPE_F32, 4, sizes, NULL, 3, dims, blocks, NULL);
//   stride_xla_linear_index(&shape, 4, index, &position, NULL);
//   assert(position == 256);

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
STRIDE_API stride_status stride_xla_shape_init_blocked(stride_xla_shape *out, uint32_t dtype, uint32_t rank,
                                                       const int64_t *sizes, const int64_t *outer_order, uint32_t count,
                                                       const int64_t *block_dims, const int64_t *block_sizes,
                                                       stride_error *error);

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
STRIDE_API stride_status stride_xla_shape_to_blocked(const stride_xla_shape *shape, uint32_t rank, int64_t *outer_order,
                                                     uint32_t capacity, int64_t *block_dims, int64_t *block_sizes,
                                                     uint32_t *count, stride_error *error);

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
STRIDE_API stride_status stride_xla_shape_parse_tag(const char *tag, uint64_t length, uint32_t dtype, uint32_t rank,
                                                    const int64_t *sizes, stride_xla_shape *out, stride_error *error);

/// Writes the tag of a shape that is a blocked format, by numbers of dimensions: "aBcd16b". Read again with the same
/// sizes, it gives a shape with every element in the same place.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: NOT_REPRESENTABLE as `stride_xla_shape_to_blocked`; INVALID_RANK above 26, the number of letters.
STRIDE_API stride_status stride_xla_shape_format_tag(const stride_xla_shape *shape, char *buffer, uint64_t capacity,
                                                     uint64_t *length, stride_error *error);

// =================================================================================================
//
// XLA: the buffer of a shape
//
// The length of the buffer, the position of each element in it, and the layout of the elements.
//
// Example: an untiled shape is an ordinary layout, and can be copied, viewed and broadcast as one.
//
//   stride_xla_shape shape;
//   stride_layout layout;
//   stride_xla_shape_parse("s32[2,3]{0,1}", 13, &shape, NULL);
//   stride_layout_from_xla(&shape, &layout, NULL);
//   assert(layout.strides[0] == 1 && layout.strides[1] == 2);

/// Bytes of the buffer: padding, tiles and tail alignment included.
STRIDE_API stride_status stride_xla_shape_byte_size(const stride_xla_shape *shape, uint64_t *out, stride_error *error);

/// Bytes up to the end of the last element in the buffer, 0 if there is none. Copies need more: the whole buffer. XLA's
/// ArrayDataSize considers only the first tile.
///
/// Returns: UNDECIDED if a tile merges dimensions of which a more minor one is padded, or a tile after the first merges
/// any, and neither a rule nor a number of tries decides.
STRIDE_API stride_status stride_xla_shape_data_byte_size(const stride_xla_shape *shape, uint64_t *out,
                                                         stride_error *error);

/// Bytes of the elements alone, as if neither padded nor tiled; dynamic dimensions count at their bound.
STRIDE_API stride_status stride_xla_shape_dense_byte_size(const stride_xla_shape *shape, uint64_t *out,
                                                          stride_error *error);

/// Byte size divided by dense size, at least 1: f32[2,3] by the tile (8,128) takes 170.67 times the memory. Infinite
/// for padding without elements, 1 for an empty buffer.
STRIDE_API stride_status stride_xla_shape_expansion_factor(const stride_xla_shape *shape, double *out,
                                                           stride_error *error);

/// `*answer` becomes 1 if the tiles change nothing, else 0: every element lies where it would without them, and the
/// buffer is as long. f32[24,128] by (8,128): 1.
///
/// Returns: UNDECIDED as `stride_xla_shape_data_byte_size`.
STRIDE_API stride_status stride_xla_shape_is_untiled(const stride_xla_shape *shape, uint32_t *answer,
                                                     stride_error *error);

/// Number of dimensions of size above 1, which XLA's pages call the true rank.
STRIDE_API stride_status stride_xla_shape_true_rank(const stride_xla_shape *shape, uint32_t *out, stride_error *error);

/// The 16 bytes that fill this shape's padding: the `fill` of a copy with STRIDE_COPY_FILL_BUFFER.
///
/// Arrays: fill[16].
///
/// Returns: NOT_REPRESENTABLE if the kind names no number, or one that the type does not have.
STRIDE_API stride_status stride_xla_shape_padding_bytes(const stride_xla_shape *shape, uint8_t *fill,
                                                        stride_error *error);

/// Position of an index in the buffer, in elements, with order, padding and all tiles
/// (without tiles: IndexUtil::MultidimensionalIndexToLinearIndex). f32[3,5] by the tile (2,2): (2,3) lies at 17.
///
/// Arrays: index[rank].
///
/// Returns: INDEX_OUT_OF_RANGE with the dimension.
STRIDE_API stride_status stride_xla_linear_index(const stride_xla_shape *shape, uint32_t rank, const int64_t *index,
                                                 int64_t *out, stride_error *error);

/// The index at a position of the buffer: the inverse of `stride_xla_linear_index`.
///
/// Arrays: index[rank].
///
/// Returns: INDEX_OUT_OF_RANGE outside the buffer; NOT_REPRESENTABLE if the position is padding, with the dimension
/// past whose size it lies or the tile (item) that reaches past the dimensions that it cuts.
STRIDE_API stride_status stride_xla_multi_index(const stride_xla_shape *shape, int64_t linear, uint32_t rank,
                                                int64_t *index, stride_error *error);

/// The layout of the shape's elements in its buffer. If the storage is wider than the type (s4 in a byte), the layout's
/// dtype is the integer of that width, signed if the type is (16 plain bytes for 128 bits). A tiled shape has a layout
/// if every element lies as it would without tiles.
///
/// Returns: NOT_REPRESENTABLE if tiles move elements, with the first such tile (item) and an element's positions with
/// and without the tiles; UNDECIDED as `stride_xla_shape_is_untiled`.
STRIDE_API stride_status stride_layout_from_xla(const stride_xla_shape *shape, stride_layout *out, stride_error *error);

/// The unpadded shape of a layout, in the order that `stride_layout_minor_to_major` returns.
///
/// Returns: INVALID_DTYPE (plain bytes, STRIDE_DTYPE_SWAPPED); NOT_REPRESENTABLE (an offset, gaps, zero or negative
/// strides).
STRIDE_API stride_status stride_layout_to_xla(const stride_layout *layout, stride_xla_shape *out, stride_error *error);

/// The shape with the least padding that has the layout's strides: rows of 3 at a pitch of 5 become a dimension padded
/// to 5. Each stride must be a multiple of the next smaller one. If the least is not 1, the fastest dimension is one of
/// size 1, padded to that stride. The slowest dimension is never padded. The kind of padding is
/// STRIDE_XLA_PADDING_UNKNOWN.
///
/// Returns: as `stride_layout_to_xla`, without the gaps that padding explains.
STRIDE_API stride_status stride_layout_to_xla_padded(const stride_layout *layout, stride_xla_shape *out,
                                                     stride_error *error);

// =================================================================================================
//
// XLA: rearranging shapes
//
// Functions that renumber, delete or add dimensions of a shape. Dimension numbers may be negative: -1 is the last.
// Padded sizes stay with their dimension; storage bits, tail alignment, memory space and kind of padding stay. Tiles
// cut the last dimensions in memory, whatever their numbers. Sources: ShapeUtil and LayoutUtil of openxla/xla.
//
// Example: a transpose of the dimensions that moves nothing.
//
//   int64_t axes[3] = {2, 0, 1};
//   char text[64]; uint64_t length; stride_xla_shape shape;
//   stride_xla_shape_parse("f32[2,3,4]{1,0,2}", 17, &shape, NULL);
//   stride_xla_shape_permute(&shape, 3, axes, &shape, NULL);
//   stride_xla_shape_format(&shape, text, sizeof text, &length, NULL);
//   assert(strcmp(text, "f32[4,2,3]{2,1,0}") == 0);

/// Dimension i of `out` is dimension axes[i]. Every element keeps its position, padding and tiles included
/// (PermuteDimensions). f32[2,3,4]{1,0,2} by {2,0,1} is f32[4,2,3]{2,1,0}.
///
/// Arrays: axes[rank].
///
/// Returns: INVALID_AXES with the entry unless `axes` is a permutation.
STRIDE_API stride_status stride_xla_shape_permute(const stride_xla_shape *shape, uint32_t rank, const int64_t *axes,
                                                  stride_xla_shape *out, stride_error *error);

/// The shape with its dimensions renumbered so that the order is descending. Every element keeps its position, padding
/// and tiles included (MakeShapeWithDescendingLayoutAndSamePhysicalLayout). f32[128,24,4,48,48]{2,4,3,1,0} is
/// f32[128,24,48,48,4]{4,3,2,1,0}.
STRIDE_API stride_status stride_xla_shape_descending(const stride_xla_shape *shape, stride_xla_shape *out,
                                                     stride_error *error);

/// The shape without `count` dimensions, in any order (DeleteDimensions).
///
/// If all of them have size 1, every element keeps its position: their padding goes to the next more minor dimension,
/// and the first tile loses its entries for them if needed. Otherwise it is the shape of a new buffer: the other
/// dimensions keep order and padded sizes, and tiles must not reach the deleted ones (XLA would let them cut other
/// dimensions). A tile of k sizes reaches the last k dimensions, some of which the tiles before it made: the second of
/// T(8,128)(2,1) reaches nothing new.
///
/// Arrays: dimensions[count].
///
/// Returns: INVALID_AXES with the entry in the list; NOT_REPRESENTABLE with the dimension if no shape has these
/// positions, padded sizes and tiles; UNDECIDED as `stride_xla_reshape_is_bitcast`.
STRIDE_API stride_status stride_xla_shape_delete_dimensions(const stride_xla_shape *shape, uint32_t count,
                                                            const int64_t *dimensions, stride_xla_shape *out,
                                                            stride_error *error);

/// The shape with a new dimension 0 of this size, the most major one in memory (PrependMajorDimension). Elements with
/// index 0 along it keep their positions, padding and tiles included.
///
/// Returns: INVALID_RANK beyond 64 dimensions; INVALID_SIZE; OVERFLOW.
STRIDE_API stride_status stride_xla_shape_prepend_major(const stride_xla_shape *shape, int64_t size,
                                                        stride_xla_shape *out, stride_error *error);

/// `*answer` becomes 1 if all dimensions more major than this one have size 1, else 0
/// (IsEffectivelyMostMajorDimension). Padded sizes and tiles do not matter.
///
/// Returns: INVALID_AXES.
STRIDE_API stride_status stride_xla_shape_is_most_major(const stride_xla_shape *shape, int64_t dimension,
                                                        uint32_t *answer, stride_error *error);

// =================================================================================================
//
// XLA: two shapes
//
// Equality of shapes, and bitcasts: a bitcast takes the buffer of `in_shape` for that of `out_shape` and moves
// nothing. Sources: ShapeUtil and LayoutUtil of openxla/xla.
//
// Example: a reshape that moves nothing.
//
//   stride_xla_shape in_shape, out_shape;
//   uint32_t moves_nothing;
//   stride_xla_shape_parse("f32[6,4]{1,0}", 13, &in_shape, NULL);
//   stride_xla_shape_parse("f32[2,3,4]{2,1,0}", 17, &out_shape, NULL);
//   stride_xla_reshape_is_bitcast(&in_shape, &out_shape, &moves_nothing, NULL);
//   assert(moves_nothing == 1);

// As enums; the macros below explain them.
enum { STRIDE_XLA_IGNORE_LAYOUT = 1, STRIDE_XLA_IGNORE_TILES = 2, STRIDE_XLA_IGNORE_ELEMENT_BITS = 4,
       STRIDE_XLA_IGNORE_TAIL_ALIGNMENT = 8, STRIDE_XLA_IGNORE_MEMORY_SPACE = 16, STRIDE_XLA_IGNORE_DYNAMIC = 32,
       STRIDE_XLA_IGNORE_ELEMENT_TYPE = 64, STRIDE_XLA_IGNORE_FLOAT_PRECISION = 128, STRIDE_XLA_IGNORE_SIZES = 256,
       STRIDE_XLA_IGNORE_PADDING = 512 };
enum { STRIDE_XLA_MINOR_TO_MAJOR_ONLY = 542 };
enum { STRIDE_XLA_BITCAST_RESHAPE = 1, STRIDE_XLA_BITCAST_TRANSPOSE = 2,
       STRIDE_XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE = 3 };

/// Equality ignores the layout: order, padding, tiles, storage bits, tail alignment, memory space.
#define STRIDE_XLA_IGNORE_LAYOUT 1
#define STRIDE_XLA_IGNORE_TILES 2  ///< Equality ignores tiles.
#define STRIDE_XLA_IGNORE_ELEMENT_BITS 4  ///< Equality ignores storage bits.
#define STRIDE_XLA_IGNORE_TAIL_ALIGNMENT 8  ///< Equality ignores the tail alignment.
#define STRIDE_XLA_IGNORE_MEMORY_SPACE 16  ///< Equality ignores the memory space.
#define STRIDE_XLA_IGNORE_DYNAMIC 32  ///< Equality ignores which dimensions are dynamic.
#define STRIDE_XLA_IGNORE_ELEMENT_TYPE 64  ///< Equality ignores the element type.
#define STRIDE_XLA_IGNORE_FLOAT_PRECISION 128  ///< Equality ignores the difference between floating-point types.
#define STRIDE_XLA_IGNORE_SIZES 256  ///< Equality ignores sizes and padded sizes; the ranks still count.
#define STRIDE_XLA_IGNORE_PADDING 512  ///< Equality ignores padded sizes and the kind of padding.

/// Of the layout, only the order counts: all of TILES, ELEMENT_BITS, TAIL_ALIGNMENT, MEMORY_SPACE and PADDING.
#define STRIDE_XLA_MINOR_TO_MAJOR_ONLY 542

#define STRIDE_XLA_BITCAST_RESHAPE 1  ///< A bitcast is a reshape.
#define STRIDE_XLA_BITCAST_TRANSPOSE 2  ///< A bitcast is a transpose.
/// A bitcast is a transpose, a reshape and a transpose, some of which may change nothing.
#define STRIDE_XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE 3

/// `*answer` becomes 1 if the shapes are equal but for what `flags` (STRIDE_XLA_IGNORE_...) ignore, else 0.
///
/// Returns: INVALID_ARGUMENT for an unknown flag.
STRIDE_API stride_status stride_xla_shapes_equal(const stride_xla_shape *lhs, const stride_xla_shape *rhs,
                                                 uint32_t flags, uint32_t *answer, stride_error *error);

/// `*answer` becomes 1 if a reshape from `in_shape` to `out_shape` is a bitcast, else 0. A reshape keeps the row-major
/// order of the elements. It is a bitcast if every element keeps the place of its bits, and the buffer of `out_shape`
/// is no longer than that of `in_shape`. Order, padding, all tiles and storage bits count; the tail alignment counts
/// only through the length; memory space and dynamic flags do not. Another element type or number of elements gives 0,
/// no elements give 1, whatever the buffers.
///
/// Returns: UNDECIDED if a tile cuts another tile, or dimensions that it merges, in unequal pieces, and there are more
/// elements than may be tried. The most are 4096 steps; an element takes 4, and one for each dimension and tile size of
/// both shapes.
///
/// Time: microseconds for the tiles of ordinary shapes, a quarter of a millisecond at rank 64 with many tiles. This
/// holds for all questions about tiles.
STRIDE_API stride_status stride_xla_reshape_is_bitcast(const stride_xla_shape *in_shape,
                                                       const stride_xla_shape *out_shape, uint32_t *answer,
                                                       stride_error *error);

/// `stride_xla_reshape_is_bitcast` for the transpose whose output dimension i is input dimension axes[i]. If the sizes
/// of `out_shape` are not those of the transposed input, the answer is 0. Dimensions of size 1 may lie anywhere:
/// f32[1,5]{1,0} to f32[5,1]{1,0} by {1,0} is 1 (XLA says 0).
///
/// Arrays: axes[rank].
///
/// Returns: SHAPE_MISMATCH if the ranks differ; INVALID_AXES with the entry unless `axes` is a permutation; UNDECIDED
/// as `stride_xla_reshape_is_bitcast`.
STRIDE_API stride_status stride_xla_transpose_is_bitcast(const stride_xla_shape *in_shape,
                                                         const stride_xla_shape *out_shape, uint32_t rank,
                                                         const int64_t *axes, uint32_t *answer, stride_error *error);

/// `*answer` becomes 1 if the reshape is a bitcast, or a transpose by some axes (IsReshapeOrTransposeBitcast), else 0.
///
/// Returns: UNDECIDED as `stride_xla_reshape_is_bitcast`.
STRIDE_API stride_status stride_xla_reshape_or_transpose_is_bitcast(const stride_xla_shape *in_shape,
                                                                    const stride_xla_shape *out_shape, uint32_t *answer,
                                                                    stride_error *error);

/// The axes of the transpose that takes the buffer of `in_shape` for that of `out_shape`: output dimension i is input
/// dimension axes[i] (DeduceTransposeDimensionsForBitcast). Dimensions are matched by their order in memory, as in XLA;
/// if that fails, by the positions of their elements, those of size 1 from left to right. Element types may differ,
/// storage bits may not. `rank` is that of `out_shape`.
///
/// Arrays: axes[rank].
///
/// Returns: NOT_REPRESENTABLE if there is none; UNDECIDED as `stride_xla_reshape_is_bitcast`.
STRIDE_API stride_status stride_xla_transpose_axes(const stride_xla_shape *in_shape, const stride_xla_shape *out_shape,
                                                   uint32_t rank, int64_t *axes, stride_error *error);

/// Takes the bitcast from `in_shape` to `out_shape` apart (DecomposeBitcast): `in_shape` is transposed by `axes` to
/// `transposed`, that is reshaped to `reshaped`, and that is transposed by `out_axes` to `out_shape`; nothing moves.
/// `*kind` is STRIDE_XLA_BITCAST_...; without a transpose the axes are 0, 1, ... Element types may differ, storage bits
/// may not.
///
/// Arrays: axes[rank], out_axes[out_rank].
///
/// Returns: NOT_REPRESENTABLE if `out_shape` is not a bitcast of `in_shape`, or the bitcast is not found: if neither a
/// reshape nor a transpose does it alone, both shapes are put into descending order and no other way is tried, as in
/// XLA. (Without tiles there is no other, with tiles there may be.) UNDECIDED as `stride_xla_reshape_is_bitcast`.
STRIDE_API stride_status stride_xla_bitcast_decompose(const stride_xla_shape *in_shape,
                                                      const stride_xla_shape *out_shape, uint32_t *kind, uint32_t rank,
                                                      int64_t *axes, stride_xla_shape *transposed,
                                                      stride_xla_shape *reshaped, uint32_t out_rank, int64_t *out_axes,
                                                      stride_error *error);

/// The shape of these sizes whose order makes the reshape from `shape` a bitcast (AlignLayouts). Dimensions of size 1
/// become the most major ones. Padding stays if it can; tiles stay if they can, and are dropped if none are needed. If
/// the sizes are those of the shape, `out` is the shape. Otherwise no dimension of `out` is dynamic, and an empty shape
/// becomes one in descending order, without padding and tiles.
///
/// Arrays: sizes[rank].
///
/// Returns: SHAPE_MISMATCH with both element counts; NOT_REPRESENTABLE if no order that keeps the dimensions in their
/// order in memory does it (with tiles another one may), or if dimensions of size 1 of `shape` cannot be deleted;
/// INVALID_RANK; INVALID_SIZE; UNDECIDED as `stride_xla_reshape_is_bitcast`.
STRIDE_API stride_status stride_xla_shape_align(const stride_xla_shape *shape, uint32_t rank, const int64_t *sizes,
                                                stride_xla_shape *out, stride_error *error);

/// The shape of a binary element-wise operation (ShapeInference::InferBinaryOpShape). Sizes and `broadcast_dimensions`
/// follow the rule of `stride_xla_broadcast`. If both sizes of a dimension are equal, the result is dynamic if either
/// is; if one is 1, the other decides. If types and sizes are equal, the result is `lhs` with its layout; otherwise it
/// has the default layout. Of two floating-point types, the one of larger range wins.
///
/// Arrays: broadcast_dimensions[count].
///
/// Returns: DTYPE_MISMATCH with both types; INVALID_RANK for a wrong `count`; INVALID_AXES for entries out of range or
/// order; BROADCAST_MISMATCH with the dimension of the result and both sizes, the left operand's first. Its detail is
/// DYNAMIC if one size is a dynamic 1 and the other a static size that is not 1 (different ranks only). OVERFLOW if the
/// result has too many elements.
STRIDE_API stride_status stride_xla_shape_broadcast(const stride_xla_shape *lhs, const stride_xla_shape *rhs,
                                                    uint32_t count, const int64_t *broadcast_dimensions,
                                                    stride_xla_shape *out, stride_error *error);

// =================================================================================================
//
// PJRT
//
// Memory layouts of buffers as the PJRT C API passes them (xla/pjrt/c/pjrt_c_api.h), by the fields of its structs, so
// that no header of PJRT is needed: PJRT_Buffer_MemoryLayout_Tiled here, with the same types.
//
// `stride_layout_init_byte_strides` takes the byte strides of PJRT_Buffer_MemoryLayout_Strides, and
// `stride_layout_byte_strides` gives them. They may be negative. PJRT's data pointer is the element (0, ..., 0), while
// a layout counts from the start of the buffer: `stride_layout_rebase` gives the distance. If PJRT gives no strides
// (row-major), use `stride_layout_init`.
//
// Example: T(8,128) as PJRT passes it.
//
//   int64_t sizes[2] = {30, 100}, minor_to_major[2] = {1, 0}, tile_dims[2] = {8, 128};
//   size_t tile_dim_sizes[1] = {2};
//   stride_xla_shape shape;
//   stride_xla_shape_from_pjrt_tiled(&shape, STRIDE_DTYPE_BF16, 2, sizes, minor_to_major, tile_dims, tile_dim_sizes,
//                                    1, NULL);
//   assert(shape.tile_count == 1 && shape.tile_sizes[1] == 128);

/// The shape of a tiled layout. `rank` is both the number of `sizes` and PJRT's `minor_to_major_size`. `tile_dims`
/// holds the sizes of all tiles, one tile after the other, `tile_dim_sizes` the number of sizes of each of the
/// `num_tiles` tiles: {8,128,2,1} and {2,2} are T(8,128)(2,1).
///
/// Arrays: sizes[rank], minor_to_major[rank], tile_dims[sum of tile_dim_sizes], tile_dim_sizes[num_tiles].
///
/// Returns: INVALID_TILE and UNSUPPORTED as `stride_xla_shape_add_tile`; else as `stride_xla_shape_init`.
STRIDE_API stride_status stride_xla_shape_from_pjrt_tiled(stride_xla_shape *out, uint32_t dtype, uint32_t rank,
                                                          const int64_t *sizes, const int64_t *minor_to_major,
                                                          const int64_t *tile_dims, const size_t *tile_dim_sizes,
                                                          size_t num_tiles, stride_error *error);

/// The tiled layout of a shape: the inverse of `stride_xla_shape_from_pjrt_tiled`. `minor_to_major` gets `rank` entries
/// (PJRT's `minor_to_major_size`), `tile_dims` the sizes of all tiles, `tile_dim_sizes` the number of sizes of each,
/// `*num_tiles` the number of tiles. 64 and STRIDE_XLA_MAX_TILES entries are always enough. Type, sizes (which must be
/// known), dynamic dimensions and memory space are left out: PJRT passes them beside a layout.
///
/// Arrays: minor_to_major[rank], tile_dims[tile_dims_capacity], tile_dim_sizes[tile_dim_sizes_capacity].
///
/// Returns: NOT_REPRESENTABLE for padding (with the dimension), element bits, flags and a tail alignment, which PJRT's
/// struct lacks; INVALID_ARGUMENT with the capacity and the length needed for an array that is too short.
STRIDE_API stride_status stride_xla_shape_to_pjrt_tiled(const stride_xla_shape *shape, uint32_t rank,
                                                        int64_t *minor_to_major, int64_t *tile_dims,
                                                        size_t tile_dims_capacity, size_t *tile_dim_sizes,
                                                        size_t tile_dim_sizes_capacity, size_t *num_tiles,
                                                        stride_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // STRIDE_XLA_H
