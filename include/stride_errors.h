// stride_errors.h: libstride 0.1.0. Generated from src/ffi by cbindgen 0.29.4: `make header`.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The numbers in a stride_error: the argument that was wrong, and the rule that it broke. stride_error_format makes a
// sentence of them, and programs branch on the status, so a program needs these numbers only for messages of its own.
// Numbers never change; new ones may come with any version, and a program takes an unknown one for 0. stride.h includes
// this header at its end.
//
// Sections: Arguments and details.

#ifndef STRIDE_ERRORS_H
#define STRIDE_ERRORS_H

#include "stride.h"

#ifdef __cplusplus
extern "C" {
#endif

// =================================================================================================
//
// Arguments and details
//
// `argument` of a record is the parameter, or the field of a struct, that was wrong; `detail` is the rule that it
// broke. The comment of a detail names `lhs` and `rhs`: mostly `lhs` is the number found, and `rhs` the one with which
// it was compared. INVALID_RANK: the rank or number of entries found, and the one needed or allowed. INVALID_SIZE,
// _STRIDE, _AXES, _TILE and INDEX_OUT_OF_RANGE: the number and its bound. SHAPE_MISMATCH and BROADCAST_MISMATCH: the
// two sizes. DTYPE_MISMATCH: the two dtypes, the source's first. OUT_OF_BOUNDS: the bytes needed and those that are
// there, or the byte before the buffer and 0. SCRATCH_NEEDED: the bytes needed and given.
//
// Example: the entry of a list that repeats a number.
//
//   int64_t sizes[2] = {2, 3}, axes[2] = {1, 1};
//   stride_layout layout; stride_error error;
//   stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL);
//   assert(stride_layout_permute(&layout, 2, axes, &layout, &error) == STRIDE_STATUS_INVALID_AXES);
//   assert(error.argument == STRIDE_ARGUMENT_AXES && error.dimension == 1);
//   assert(error.detail == STRIDE_DETAIL_REPEATED && error.lhs == 1);

// As enums; the macros below explain them.
enum { STRIDE_ARGUMENT_NONE = 0, STRIDE_ARGUMENT_LAYOUT = 1, STRIDE_ARGUMENT_DST_LAYOUT = 2,
       STRIDE_ARGUMENT_SRC_LAYOUT = 3, STRIDE_ARGUMENT_DST = 4, STRIDE_ARGUMENT_SRC = 5,
       STRIDE_ARGUMENT_DST_BYTES = 6, STRIDE_ARGUMENT_SRC_BYTES = 7, STRIDE_ARGUMENT_OUT = 8,
       STRIDE_ARGUMENT_DTYPE = 9, STRIDE_ARGUMENT_RANK = 10, STRIDE_ARGUMENT_SIZES = 11, STRIDE_ARGUMENT_STRIDES = 12,
       STRIDE_ARGUMENT_MINOR_TO_MAJOR = 13, STRIDE_ARGUMENT_AXES = 14, STRIDE_ARGUMENT_INDEX = 15,
       STRIDE_ARGUMENT_STARTS = 16, STRIDE_ARGUMENT_STOPS = 17, STRIDE_ARGUMENT_STEPS = 18,
       STRIDE_ARGUMENT_BROADCAST_DIMENSIONS = 19, STRIDE_ARGUMENT_LHS = 20, STRIDE_ARGUMENT_RHS = 21,
       STRIDE_ARGUMENT_COUNT = 22, STRIDE_ARGUMENT_RANKS = 23, STRIDE_ARGUMENT_OPTIONS = 24,
       STRIDE_ARGUMENT_PLAN = 25, STRIDE_ARGUMENT_PART = 26, STRIDE_ARGUMENT_PARTS = 27, STRIDE_ARGUMENT_BUFFER = 28,
       STRIDE_ARGUMENT_LENGTH = 29, STRIDE_ARGUMENT_TEXT = 30, STRIDE_ARGUMENT_SHAPE = 31, STRIDE_ARGUMENT_DESC = 32,
       STRIDE_ARGUMENT_VALUE = 33, STRIDE_ARGUMENT_PADDED_SIZES = 34, STRIDE_ARGUMENT_KIND = 35,
       STRIDE_ARGUMENT_PITCH_BYTES = 36, STRIDE_ARGUMENT_LINEAR = 37, STRIDE_ARGUMENT_DATA_TYPE = 38,
       STRIDE_ARGUMENT_DIMENSION_COUNT = 39, STRIDE_ARGUMENT_TOTAL_TENSOR_SIZE_IN_BYTES = 40,
       STRIDE_ARGUMENT_GUARANTEED_BASE_OFFSET_ALIGNMENT = 41, STRIDE_ARGUMENT_FLAGS = 42,
       STRIDE_ARGUMENT_ELEMENT_BITS = 43, STRIDE_ARGUMENT_SCRATCH = 44, STRIDE_ARGUMENT_TILE = 45,
       STRIDE_ARGUMENT_AXIS = 46, STRIDE_ARGUMENT_AXIS1 = 47, STRIDE_ARGUMENT_AXIS2 = 48, STRIDE_ARGUMENT_IN = 49,
       STRIDE_ARGUMENT_IN_SHAPE = 50, STRIDE_ARGUMENT_OUT_SHAPE = 51, STRIDE_ARGUMENT_LHS_OUT = 52,
       STRIDE_ARGUMENT_RHS_OUT = 53, STRIDE_ARGUMENT_LHS_LAYOUT = 54, STRIDE_ARGUMENT_RHS_LAYOUT = 55,
       STRIDE_ARGUMENT_LHS_BYTES = 56, STRIDE_ARGUMENT_RHS_BYTES = 57, STRIDE_ARGUMENT_LHS_ADDRESS = 58,
       STRIDE_ARGUMENT_RHS_ADDRESS = 59, STRIDE_ARGUMENT_DST_ADDRESS = 60, STRIDE_ARGUMENT_SRC_ADDRESS = 61,
       STRIDE_ARGUMENT_FIRST_DIFFERENCE = 62, STRIDE_ARGUMENT_ANSWER = 63, STRIDE_ARGUMENT_LOWEST = 64,
       STRIDE_ARGUMENT_HIGHEST = 65, STRIDE_ARGUMENT_OFFSET_BYTES = 66, STRIDE_ARGUMENT_BIT = 67,
       STRIDE_ARGUMENT_BYTE_STRIDES = 68, STRIDE_ARGUMENT_SHIFT_BYTES = 69, STRIDE_ARGUMENT_RULE = 70,
       STRIDE_ARGUMENT_BASE_OFFSET_BYTES = 71, STRIDE_ARGUMENT_LEAST_RANK = 72, STRIDE_ARGUMENT_OUT_RANK = 73,
       STRIDE_ARGUMENT_OUT_SIZES = 74, STRIDE_ARGUMENT_POSITION = 75, STRIDE_ARGUMENT_SIZE = 76,
       STRIDE_ARGUMENT_DIMENSION = 77, STRIDE_ARGUMENT_DIMENSIONS = 78, STRIDE_ARGUMENT_TRANSPOSED = 79,
       STRIDE_ARGUMENT_RESHAPED = 80, STRIDE_ARGUMENT_OUT_AXES = 81, STRIDE_ARGUMENT_TILE_DIMS = 82,
       STRIDE_ARGUMENT_TILE_DIMS_CAPACITY = 83, STRIDE_ARGUMENT_TILE_DIM_SIZES = 84,
       STRIDE_ARGUMENT_TILE_DIM_SIZES_CAPACITY = 85, STRIDE_ARGUMENT_NUM_TILES = 86, STRIDE_ARGUMENT_RECORD = 87,
       STRIDE_ARGUMENT_BYTES = 88, STRIDE_ARGUMENT_SCRATCH_BYTES = 89, STRIDE_ARGUMENT_FILL = 90,
       STRIDE_ARGUMENT_CAPACITY = 93, STRIDE_ARGUMENT_BUDGET = 94, STRIDE_ARGUMENT_DIAGONAL = 95,
       STRIDE_ARGUMENT_TAIL_ALIGNMENT = 96, STRIDE_ARGUMENT_ELEMENTS = 97, STRIDE_ARGUMENT_BUFFER_BYTES = 98,
       STRIDE_ARGUMENT_BASE_ALIGNMENT = 99, STRIDE_ARGUMENT_ELEMENT = 100, STRIDE_ARGUMENT_ROW = 101,
       STRIDE_ARGUMENT_PREFERRED = 102, STRIDE_ARGUMENT_ORDER = 103, STRIDE_ARGUMENT_UNIQUE = 104,
       STRIDE_ARGUMENT_ALIGNMENT_BYTES = 105, STRIDE_ARGUMENT_DILATIONS = 106, STRIDE_ARGUMENT_OFFSET = 107,
       STRIDE_ARGUMENT_FRONT = 108, STRIDE_ARGUMENT_BACK = 109, STRIDE_ARGUMENT_OUTER = 110,
       STRIDE_ARGUMENT_INNER = 111, STRIDE_ARGUMENT_GROUP_RANKS = 112, STRIDE_ARGUMENT_TILE_SIZES = 113,
       STRIDE_ARGUMENT_REQUIREMENTS = 114, STRIDE_ARGUMENT_CONSUMER = 115, STRIDE_ARGUMENT_ADDRESS = 116,
       STRIDE_ARGUMENT_RUNS = 117, STRIDE_ARGUMENT_BYTE_OFFSETS = 118, STRIDE_ARGUMENT_MOST = 119,
       STRIDE_ARGUMENT_FOUND = 120, STRIDE_ARGUMENT_RUN_BYTES = 121, STRIDE_ARGUMENT_DST_OFFSETS = 122,
       STRIDE_ARGUMENT_SRC_OFFSETS = 123, STRIDE_ARGUMENT_TAG = 124, STRIDE_ARGUMENT_OUTER_ORDER = 125,
       STRIDE_ARGUMENT_BLOCK_DIMS = 126, STRIDE_ARGUMENT_BLOCK_SIZES = 127, STRIDE_ARGUMENT_TENSOR = 128,
       STRIDE_ARGUMENT_NDIM = 129, STRIDE_ARGUMENT_DTYPE_CODE = 130, STRIDE_ARGUMENT_DTYPE_BITS = 131,
       STRIDE_ARGUMENT_DTYPE_LANES = 132, STRIDE_ARGUMENT_BYTE_OFFSET = 133, STRIDE_ARGUMENT_MANAGED = 134,
       STRIDE_ARGUMENT_MAJOR = 135, STRIDE_ARGUMENT_VIEW = 136, STRIDE_ARGUMENT_LEN = 137,
       STRIDE_ARGUMENT_ITEMSIZE = 138, STRIDE_ARGUMENT_FORMAT = 139, STRIDE_ARGUMENT_SUBOFFSETS = 140,
       STRIDE_ARGUMENT_TYPE = 141, STRIDE_ARGUMENT_NE = 142, STRIDE_ARGUMENT_NB = 143, STRIDE_ARGUMENT_BLOCK = 144,
       STRIDE_ARGUMENT_FOURCC = 145, STRIDE_ARGUMENT_WIDTH = 146, STRIDE_ARGUMENT_HEIGHT = 147,
       STRIDE_ARGUMENT_PITCHES = 148, STRIDE_ARGUMENT_PITCH_ALIGNMENT = 149, STRIDE_ARGUMENT_PLANES = 150,
       STRIDE_ARGUMENT_COMPONENTS = 151, STRIDE_ARGUMENT_PLANE_COUNT = 152, STRIDE_ARGUMENT_COMPONENT_COUNT = 153,
       STRIDE_ARGUMENT_MACHINE = 154, STRIDE_ARGUMENT_BLOCKED = 155, STRIDE_ARGUMENT_BLOCK_STEPS = 158,
       STRIDE_ARGUMENT_IMAGE = 160, STRIDE_ARGUMENT_OFFSETS = 161, STRIDE_ARGUMENT_PITCH_COUNT = 162,
       STRIDE_ARGUMENT_OFFSET_COUNT = 163, STRIDE_ARGUMENT_RULES = 164, STRIDE_ARGUMENT_API = 165,
       STRIDE_ARGUMENT_DST_SIDE = 168, STRIDE_ARGUMENT_SRC_SIDE = 169, STRIDE_ARGUMENT_SIDE = 170,
       STRIDE_ARGUMENT_OF = 171, STRIDE_ARGUMENT_FIRST = 172, STRIDE_ARGUMENT_SHARING = 173,
       STRIDE_ARGUMENT_CONVERSION = 174, STRIDE_ARGUMENT_VALUES = 175, STRIDE_ARGUMENT_SUBTRACTS = 176,
       STRIDE_ARGUMENT_SCALES = 177, STRIDE_ARGUMENT_ADDS = 178, STRIDE_ARGUMENT_VALUE_COUNT = 179,
       STRIDE_ARGUMENT_ADD = 180 };
enum { STRIDE_DETAIL_NONE = 0, STRIDE_DETAIL_BELOW = 1, STRIDE_DETAIL_ABOVE = 2, STRIDE_DETAIL_OUT_OF_RANGE = 3,
       STRIDE_DETAIL_OUT_OF_SIGNED_RANGE = 4, STRIDE_DETAIL_ZERO = 5, STRIDE_DETAIL_NOT_ZERO = 6,
       STRIDE_DETAIL_NOT_EQUAL = 7, STRIDE_DETAIL_NOT_A_MULTIPLE = 8, STRIDE_DETAIL_NOT_A_POWER_OF_TWO = 9,
       STRIDE_DETAIL_UNKNOWN_VALUE = 10, STRIDE_DETAIL_UNKNOWN_FLAG = 11, STRIDE_DETAIL_CONFLICTING_FLAGS = 12,
       STRIDE_DETAIL_UNSUPPORTED_FLAG = 13, STRIDE_DETAIL_STRUCT_SIZE = 14, STRIDE_DETAIL_STRUCT_TAIL = 15,
       STRIDE_DETAIL_NEITHER_GIVEN = 17, STRIDE_DETAIL_COUNT = 20, STRIDE_DETAIL_REPEATED = 21,
       STRIDE_DETAIL_OUT_OF_ORDER = 22, STRIDE_DETAIL_NOT_IDENTITY = 23, STRIDE_DETAIL_RANKS = 24,
       STRIDE_DETAIL_ELEMENTS = 25, STRIDE_DETAIL_STRETCH = 26, STRIDE_DETAIL_DYNAMIC = 27,
       STRIDE_DETAIL_PRODUCT = 30, STRIDE_DETAIL_DIFFERENCE = 31, STRIDE_DETAIL_REACH = 32, STRIDE_DETAIL_BITS = 33,
       STRIDE_DETAIL_NEW_STRIDE = 34, STRIDE_DETAIL_DTYPE_UNKNOWN = 40, STRIDE_DETAIL_DTYPE_FOREIGN = 41,
       STRIDE_DETAIL_DTYPE_WIDTH = 42, STRIDE_DETAIL_DTYPES = 43, STRIDE_DETAIL_PAST_END = 50,
       STRIDE_DETAIL_BEFORE_START = 51, STRIDE_DETAIL_ADDRESS_SPACE = 52, STRIDE_DETAIL_UNKNOWN_LENGTH = 53,
       STRIDE_DETAIL_STRIDE_ZERO = 60, STRIDE_DETAIL_SELF_OVERLAP = 61, STRIDE_DETAIL_SHARED_BYTES = 62,
       STRIDE_DETAIL_SHARED_SCRATCH = 63, STRIDE_DETAIL_SCRATCH_BYTES = 64, STRIDE_DETAIL_SHARED_LIST = 65,
       STRIDE_DETAIL_STRIDE = 70, STRIDE_DETAIL_OFFSET = 71, STRIDE_DETAIL_WHOLE_BYTES = 72,
       STRIDE_DETAIL_PADDING = 73, STRIDE_DETAIL_FIELD = 74, STRIDE_DETAIL_NOT_ONE_RUN = 75,
       STRIDE_DETAIL_EMPTY_TILE = 80, STRIDE_DETAIL_MERGE_LAST = 81, STRIDE_DETAIL_TOO_MANY_TILES = 82,
       STRIDE_DETAIL_TOO_MANY_TILE_SIZES = 83, STRIDE_DETAIL_CUT_BY_TILES = 84, STRIDE_DETAIL_TILES_MOVE = 86,
       STRIDE_DETAIL_ELEMENTS_MOVE = 87, STRIDE_DETAIL_PADDING_POSITION = 88, STRIDE_DETAIL_TAIL_POSITION = 89,
       STRIDE_DETAIL_NO_SUCH_VALUE = 90, STRIDE_DETAIL_UNBOUNDED = 91, STRIDE_DETAIL_NO_INDEX = 92,
       STRIDE_DETAIL_BUDGET = 100, STRIDE_DETAIL_TOO_MANY_ELEMENTS = 101, STRIDE_DETAIL_BIT_ORDERS = 102,
       STRIDE_DETAIL_SYNTAX = 110, STRIDE_DETAIL_NAME = 111, STRIDE_DETAIL_CONSTRUCT = 112,
       STRIDE_DETAIL_TEXT_OF_TILES = 113, STRIDE_DETAIL_TEXT_OF_TAG = 114, STRIDE_DETAIL_TEXT_OF_BLOCKS = 115,
       STRIDE_DETAIL_NOT_A_PLAN = 120, STRIDE_DETAIL_PLAN_WORDS = 121, STRIDE_DETAIL_WHOLE_ELEMENTS = 130,
       STRIDE_DETAIL_SPLIT = 135, STRIDE_DETAIL_CARRY = 136, STRIDE_DETAIL_NEGATIVE_STRIDE = 140,
       STRIDE_DETAIL_NESTED = 141, STRIDE_DETAIL_STRIDE_MULTIPLE = 142, STRIDE_DETAIL_STRIDE_BYTES = 143,
       STRIDE_DETAIL_ELEMENTS_MAX = 144, STRIDE_DETAIL_REACH_MAX = 145, STRIDE_DETAIL_BYTES_MAX = 146,
       STRIDE_DETAIL_ELEMENT_BITS = 147, STRIDE_DETAIL_NOT_RUNS = 165, STRIDE_DETAIL_TOO_MANY_LOOPS = 166,
       STRIDE_DETAIL_TOO_MANY_PIECES = 170, STRIDE_DETAIL_REGION_DST_OFFSET = 171,
       STRIDE_DETAIL_REGION_SRC_OFFSET = 172, STRIDE_DETAIL_REGION_ROW = 173, STRIDE_DETAIL_REGION_CUT = 174,
       STRIDE_DETAIL_REGION_IMAGE = 175, STRIDE_DETAIL_NOT_A_BLOCK = 180, STRIDE_DETAIL_MERGES = 181,
       STRIDE_DETAIL_BLOCK_ORDER = 182, STRIDE_DETAIL_BLOCK_LETTER = 183, STRIDE_DETAIL_BLOCK_STEP = 184,
       STRIDE_DETAIL_BLOCK_OPEN = 185, STRIDE_DETAIL_BLOCK_COVER = 186, STRIDE_DETAIL_BLOCK_REVERSED = 187,
       STRIDE_DETAIL_TYPE_WIDTH = 190, STRIDE_DETAIL_BYTE_ORDER = 191, STRIDE_DETAIL_INDIRECT = 192,
       STRIDE_DETAIL_FOURCC_UNKNOWN = 193, STRIDE_DETAIL_FOURCC_PACKED = 194, STRIDE_DETAIL_SHARED_PLANES = 195,
       STRIDE_DETAIL_SHARED_INDEX = 200, STRIDE_DETAIL_FILLS_DESTINATION = 201, STRIDE_DETAIL_RUNS_TOTAL = 202,
       STRIDE_DETAIL_RUNS_AND_RANGE = 203, STRIDE_DETAIL_RANGE_END = 204, STRIDE_DETAIL_PLAN_SIZE = 205,
       STRIDE_DETAIL_NO_CONVERSION = 210, STRIDE_DETAIL_MISSING_FLAG = 211, STRIDE_DETAIL_NOT_WHOLE = 212,
       STRIDE_DETAIL_VALUE_COUNT = 213, STRIDE_DETAIL_NO_LIST = 214, STRIDE_DETAIL_NEEDS_LISTS = 215 };

#define STRIDE_ARGUMENT_NONE 0  ///< No particular one.
#define STRIDE_ARGUMENT_LAYOUT 1  ///< The layout of a function that takes one.
#define STRIDE_ARGUMENT_DST_LAYOUT 2  ///< The destination's layout.
#define STRIDE_ARGUMENT_SRC_LAYOUT 3  ///< The source's layout.
#define STRIDE_ARGUMENT_DST 4  ///< The destination's memory.
#define STRIDE_ARGUMENT_SRC 5  ///< The source's memory.
#define STRIDE_ARGUMENT_DST_BYTES 6  ///< The destination's length.
#define STRIDE_ARGUMENT_SRC_BYTES 7  ///< The source's length.
#define STRIDE_ARGUMENT_OUT 8  ///< Room for a result.
#define STRIDE_ARGUMENT_DTYPE 9  ///< An element type.
#define STRIDE_ARGUMENT_RANK 10  ///< A rank: how many entries the lists after it have.
#define STRIDE_ARGUMENT_SIZES 11  ///< Sizes.
#define STRIDE_ARGUMENT_STRIDES 12  ///< Strides.
#define STRIDE_ARGUMENT_MINOR_TO_MAJOR 13  ///< A dimension order, fastest varying first.
#define STRIDE_ARGUMENT_AXES 14  ///< Dimension numbers.
#define STRIDE_ARGUMENT_INDEX 15  ///< An index.
#define STRIDE_ARGUMENT_STARTS 16  ///< The begin of slices.
#define STRIDE_ARGUMENT_STOPS 17  ///< The end of slices.
#define STRIDE_ARGUMENT_STEPS 18  ///< Steps of slices.
#define STRIDE_ARGUMENT_BROADCAST_DIMENSIONS 19  ///< The dimensions that those of a smaller operand become.
#define STRIDE_ARGUMENT_LHS 20  ///< The left of two operands.
#define STRIDE_ARGUMENT_RHS 21  ///< The right of two operands.
#define STRIDE_ARGUMENT_COUNT 22  ///< A number of things: how many entries the lists after it have.
#define STRIDE_ARGUMENT_RANKS 23  ///< Ranks of several operands.
#define STRIDE_ARGUMENT_OPTIONS 24  ///< Options of a copy.
#define STRIDE_ARGUMENT_PLAN 25  ///< A plan.
#define STRIDE_ARGUMENT_PART 26  ///< The number of a part.
#define STRIDE_ARGUMENT_PARTS 27  ///< The number of parts.
#define STRIDE_ARGUMENT_BUFFER 28  ///< A text buffer.
#define STRIDE_ARGUMENT_LENGTH 29  ///< A length.
#define STRIDE_ARGUMENT_TEXT 30  ///< A text.
#define STRIDE_ARGUMENT_SHAPE 31  ///< An XLA shape.
#define STRIDE_ARGUMENT_DESC 32  ///< A DirectML descriptor.
#define STRIDE_ARGUMENT_VALUE 33  ///< An element's value.
#define STRIDE_ARGUMENT_PADDED_SIZES 34  ///< Padded sizes.
#define STRIDE_ARGUMENT_KIND 35  ///< A kind of padding, of bitcast, of copy or of a side.
#define STRIDE_ARGUMENT_PITCH_BYTES 36  ///< A pitch.
#define STRIDE_ARGUMENT_LINEAR 37  ///< A row-major element number or a position in a buffer.
#define STRIDE_ARGUMENT_DATA_TYPE 38  ///< A DirectML data type.
#define STRIDE_ARGUMENT_DIMENSION_COUNT 39  ///< A DirectML dimension count.
#define STRIDE_ARGUMENT_TOTAL_TENSOR_SIZE_IN_BYTES 40  ///< A field of DirectML's descriptor.
#define STRIDE_ARGUMENT_GUARANTEED_BASE_OFFSET_ALIGNMENT 41  ///< A field of DirectML's descriptor.
#define STRIDE_ARGUMENT_FLAGS 42  ///< Flags.
#define STRIDE_ARGUMENT_ELEMENT_BITS 43  ///< Storage bits of an element.
#define STRIDE_ARGUMENT_SCRATCH 44  ///< Scratch memory.
#define STRIDE_ARGUMENT_TILE 45  ///< A tile of an XLA shape.
#define STRIDE_ARGUMENT_AXIS 46  ///< A dimension number.
#define STRIDE_ARGUMENT_AXIS1 47  ///< The first of two dimension numbers.
#define STRIDE_ARGUMENT_AXIS2 48  ///< The second of two dimension numbers.
#define STRIDE_ARGUMENT_IN 49  ///< Several layouts.
#define STRIDE_ARGUMENT_IN_SHAPE 50  ///< The shape that a bitcast begins with.
#define STRIDE_ARGUMENT_OUT_SHAPE 51  ///< The shape that a bitcast ends with.
#define STRIDE_ARGUMENT_LHS_OUT 52  ///< The view of the left operand.
#define STRIDE_ARGUMENT_RHS_OUT 53  ///< The view of the right operand.
#define STRIDE_ARGUMENT_LHS_LAYOUT 54  ///< The left operand's layout.
#define STRIDE_ARGUMENT_RHS_LAYOUT 55  ///< The right operand's layout.
#define STRIDE_ARGUMENT_LHS_BYTES 56  ///< The left operand's length.
#define STRIDE_ARGUMENT_RHS_BYTES 57  ///< The right operand's length.
#define STRIDE_ARGUMENT_LHS_ADDRESS 58  ///< The place of the left operand.
#define STRIDE_ARGUMENT_RHS_ADDRESS 59  ///< The place of the right operand.
#define STRIDE_ARGUMENT_DST_ADDRESS 60  ///< The place of the destination.
#define STRIDE_ARGUMENT_SRC_ADDRESS 61  ///< The place of the source.
#define STRIDE_ARGUMENT_FIRST_DIFFERENCE 62  ///< Room for the number of the first element that differs.
#define STRIDE_ARGUMENT_ANSWER 63  ///< Room for yes or no.
#define STRIDE_ARGUMENT_LOWEST 64  ///< Room for the lowest offset.
#define STRIDE_ARGUMENT_HIGHEST 65  ///< Room for the highest offset.
#define STRIDE_ARGUMENT_OFFSET_BYTES 66  ///< Room for an offset in bytes.
#define STRIDE_ARGUMENT_BIT 67  ///< Room for a bit's number.
#define STRIDE_ARGUMENT_BYTE_STRIDES 68  ///< Strides in bytes.
#define STRIDE_ARGUMENT_SHIFT_BYTES 69  ///< Room for the bytes that the base pointer moves by.
#define STRIDE_ARGUMENT_RULE 70  ///< A rule for strides of size-1 dimensions.
#define STRIDE_ARGUMENT_BASE_OFFSET_BYTES 71  ///< The offset of a binding, or where it goes.
#define STRIDE_ARGUMENT_LEAST_RANK 72  ///< The least rank of a result.
#define STRIDE_ARGUMENT_OUT_RANK 73  ///< Room for a rank; the number of entries of `out_axes`.
#define STRIDE_ARGUMENT_OUT_SIZES 74  ///< Room for sizes.
#define STRIDE_ARGUMENT_POSITION 75  ///< A place among dimensions, or along one.
#define STRIDE_ARGUMENT_SIZE 76  ///< A size.
#define STRIDE_ARGUMENT_DIMENSION 77  ///< A dimension number.
#define STRIDE_ARGUMENT_DIMENSIONS 78  ///< Dimension numbers; where a number of dimensions goes.
#define STRIDE_ARGUMENT_TRANSPOSED 79  ///< Room for a transposed shape.
#define STRIDE_ARGUMENT_RESHAPED 80  ///< Room for a reshaped shape.
#define STRIDE_ARGUMENT_OUT_AXES 81  ///< Room for dimension numbers.
#define STRIDE_ARGUMENT_TILE_DIMS 82  ///< Sizes of PJRT's tiles.
#define STRIDE_ARGUMENT_TILE_DIMS_CAPACITY 83  ///< The number of entries of `tile_dims`.
#define STRIDE_ARGUMENT_TILE_DIM_SIZES 84  ///< Numbers of sizes of PJRT's tiles.
#define STRIDE_ARGUMENT_TILE_DIM_SIZES_CAPACITY 85  ///< The number of entries of `tile_dim_sizes`.
#define STRIDE_ARGUMENT_NUM_TILES 86  ///< The number of tiles of PJRT's layout.
#define STRIDE_ARGUMENT_RECORD 87  ///< An error record.
#define STRIDE_ARGUMENT_BYTES 88  ///< A number of bytes.
#define STRIDE_ARGUMENT_SCRATCH_BYTES 89  ///< The length of scratch memory.
#define STRIDE_ARGUMENT_FILL 90  ///< Room for the bytes of a fill value.
#define STRIDE_ARGUMENT_CAPACITY 93  ///< The room that there is.
#define STRIDE_ARGUMENT_BUDGET 94  ///< Steps that an overlap test may take.
#define STRIDE_ARGUMENT_DIAGONAL 95  ///< The diagonal.
#define STRIDE_ARGUMENT_TAIL_ALIGNMENT 96  ///< A field of an XLA shape.
#define STRIDE_ARGUMENT_ELEMENTS 97  ///< Room for a number of elements.
#define STRIDE_ARGUMENT_BUFFER_BYTES 98  ///< The length of a buffer.
#define STRIDE_ARGUMENT_BASE_ALIGNMENT 99  ///< The alignment of the base pointer.
#define STRIDE_ARGUMENT_ELEMENT 100  ///< Room for the alignment of elements.
#define STRIDE_ARGUMENT_ROW 101  ///< Room for the alignment of rows.
#define STRIDE_ARGUMENT_PREFERRED 102  ///< The order of dimensions that the caller would like, outermost first.
#define STRIDE_ARGUMENT_ORDER 103  ///< Room for an order of dimensions.
#define STRIDE_ARGUMENT_UNIQUE 104  ///< Room for yes or no: whether no other order fits.
#define STRIDE_ARGUMENT_ALIGNMENT_BYTES 105  ///< The alignment of neighbours along a dimension.
#define STRIDE_ARGUMENT_DILATIONS 106  ///< Distances between the elements of a window.
#define STRIDE_ARGUMENT_OFFSET 107  ///< The place of an element, that of index (0, ..., 0) if nothing else is said.
#define STRIDE_ARGUMENT_FRONT 108  ///< Room for the entries before a place.
#define STRIDE_ARGUMENT_BACK 109  ///< Room for the entries from a place on.
#define STRIDE_ARGUMENT_OUTER 110  ///< The layout that a composition ends with: it has the elements.
#define STRIDE_ARGUMENT_INNER 111  ///< The layout that a composition begins with: it has the numbers.
#define STRIDE_ARGUMENT_GROUP_RANKS 112  ///< Room for the number of dimensions that each dimension becomes.
#define STRIDE_ARGUMENT_TILE_SIZES 113  ///< Sizes of a tile.
#define STRIDE_ARGUMENT_REQUIREMENTS 114  ///< The requirements of a consumer.
#define STRIDE_ARGUMENT_CONSUMER 115  ///< Whose requirements.
#define STRIDE_ARGUMENT_ADDRESS 116  ///< The address in a base pointer.
#define STRIDE_ARGUMENT_RUNS 117  ///< An iterator over runs, where a number of runs goes, or the index runs of a side.
#define STRIDE_ARGUMENT_BYTE_OFFSETS 118  ///< Room for offsets in bytes.
#define STRIDE_ARGUMENT_MOST 119  ///< The most of them.
#define STRIDE_ARGUMENT_FOUND 120  ///< Room for a number of things that were found.
#define STRIDE_ARGUMENT_RUN_BYTES 121  ///< Room for the bytes of a run.
#define STRIDE_ARGUMENT_DST_OFFSETS 122  ///< The places of copies of a batch in the destination.
#define STRIDE_ARGUMENT_SRC_OFFSETS 123  ///< The places of copies of a batch in the source.
#define STRIDE_ARGUMENT_TAG 124  ///< The name of a blocked format.
#define STRIDE_ARGUMENT_OUTER_ORDER 125  ///< A dimension order, the outermost first.
#define STRIDE_ARGUMENT_BLOCK_DIMS 126  ///< The dimension of each block.
#define STRIDE_ARGUMENT_BLOCK_SIZES 127  ///< Sizes of blocks.
#define STRIDE_ARGUMENT_TENSOR 128  ///< A DLPack tensor.
#define STRIDE_ARGUMENT_NDIM 129  ///< A number of dimensions.
#define STRIDE_ARGUMENT_DTYPE_CODE 130  ///< DLPack's type code.
#define STRIDE_ARGUMENT_DTYPE_BITS 131  ///< DLPack's bits of a lane.
#define STRIDE_ARGUMENT_DTYPE_LANES 132  ///< DLPack's lanes of an element.
#define STRIDE_ARGUMENT_BYTE_OFFSET 133  ///< Bytes to index (0, ..., 0).
#define STRIDE_ARGUMENT_MANAGED 134  ///< A managed DLPack tensor.
#define STRIDE_ARGUMENT_MAJOR 135  ///< DLPack's major version.
#define STRIDE_ARGUMENT_VIEW 136  ///< A Python buffer.
#define STRIDE_ARGUMENT_LEN 137  ///< Bytes of a Python buffer's elements.
#define STRIDE_ARGUMENT_ITEMSIZE 138  ///< Bytes of an element.
#define STRIDE_ARGUMENT_FORMAT 139  ///< An element's type as text.
#define STRIDE_ARGUMENT_SUBOFFSETS 140  ///< Offsets of a Python buffer from its pointers.
#define STRIDE_ARGUMENT_TYPE 141  ///< ggml's number of a type.
#define STRIDE_ARGUMENT_NE 142  ///< ggml's sizes, innermost first.
#define STRIDE_ARGUMENT_NB 143  ///< ggml's strides in bytes, innermost first.
#define STRIDE_ARGUMENT_BLOCK 144  ///< Room for the number of elements of a block.
#define STRIDE_ARGUMENT_FOURCC 145  ///< A code of four characters.
#define STRIDE_ARGUMENT_WIDTH 146  ///< An image's columns.
#define STRIDE_ARGUMENT_HEIGHT 147  ///< An image's rows.
#define STRIDE_ARGUMENT_PITCHES 148  ///< Bytes from row to row, plane by plane.
#define STRIDE_ARGUMENT_PITCH_ALIGNMENT 149  ///< Bytes of which every pitch is a multiple.
#define STRIDE_ARGUMENT_PLANES 150  ///< Room for an image's planes.
#define STRIDE_ARGUMENT_COMPONENTS 151  ///< Room for an image's components.
#define STRIDE_ARGUMENT_PLANE_COUNT 152  ///< Room for the number of planes.
#define STRIDE_ARGUMENT_COMPONENT_COUNT 153  ///< Room for the number of components.
#define STRIDE_ARGUMENT_MACHINE 154  ///< A CPU as copies see it.
#define STRIDE_ARGUMENT_BLOCKED 155  ///< A blocked layout.
#define STRIDE_ARGUMENT_BLOCK_STEPS 158  ///< Steps of blocks.
#define STRIDE_ARGUMENT_IMAGE 160  ///< An image.
#define STRIDE_ARGUMENT_OFFSETS 161  ///< The begin of row 0 of each plane, in bytes.
#define STRIDE_ARGUMENT_PITCH_COUNT 162  ///< The number of pitches.
#define STRIDE_ARGUMENT_OFFSET_COUNT 163  ///< The number of offsets.
#define STRIDE_ARGUMENT_RULES 164  ///< The rules of a function that moves regions.
#define STRIDE_ARGUMENT_API 165  ///< Whose rules.
#define STRIDE_ARGUMENT_DST_SIDE 168  ///< The destination's side.
#define STRIDE_ARGUMENT_SRC_SIDE 169  ///< The source's side.
#define STRIDE_ARGUMENT_SIDE 170  ///< A side of a copy.
#define STRIDE_ARGUMENT_OF 171  ///< The object that a side's elements lie in.
#define STRIDE_ARGUMENT_FIRST 172  ///< The number of the first element.
#define STRIDE_ARGUMENT_SHARING 173  ///< Room for the number of indices that share an element.
#define STRIDE_ARGUMENT_CONVERSION 174  ///< A conversion of a copy.
#define STRIDE_ARGUMENT_VALUES 175  ///< The place of a conversion's values.
#define STRIDE_ARGUMENT_SUBTRACTS 176  ///< The number that a conversion subtracts, for each value.
#define STRIDE_ARGUMENT_SCALES 177  ///< The number that it multiplies by, for each value.
#define STRIDE_ARGUMENT_ADDS 178  ///< The number that it adds, for each value.
#define STRIDE_ARGUMENT_VALUE_COUNT 179  ///< The number of values.
#define STRIDE_ARGUMENT_ADD 180  ///< The number that a conversion adds.

#define STRIDE_DETAIL_NONE 0  ///< No particular rule.
#define STRIDE_DETAIL_BELOW 1  ///< `lhs` is below `rhs`, the least that is allowed.
#define STRIDE_DETAIL_ABOVE 2  ///< `lhs` is above `rhs`, the most that is allowed, or the size.
#define STRIDE_DETAIL_OUT_OF_RANGE 3  ///< `lhs` is outside 0 ... `rhs` - 1.
#define STRIDE_DETAIL_OUT_OF_SIGNED_RANGE 4  ///< `lhs` is outside -`rhs` ... `rhs` - 1.
#define STRIDE_DETAIL_ZERO 5  ///< `lhs` is 0, or stands beside a 0.
#define STRIDE_DETAIL_NOT_ZERO 6  ///< `lhs`, a reserved field, is not 0.
#define STRIDE_DETAIL_NOT_EQUAL 7  ///< `lhs` is not `rhs`.
#define STRIDE_DETAIL_NOT_A_MULTIPLE 8  ///< `lhs` is not a multiple of `rhs`.
#define STRIDE_DETAIL_NOT_A_POWER_OF_TWO 9  ///< `lhs` is not a power of two; `rhs`: the least that is allowed.
#define STRIDE_DETAIL_UNKNOWN_VALUE 10  ///< `lhs` is unknown; the highest known number is `rhs`.
#define STRIDE_DETAIL_UNKNOWN_FLAG 11  ///< The flags `lhs` include unknown ones; `rhs`: the known ones.
#define STRIDE_DETAIL_CONFLICTING_FLAGS 12  ///< The flags `lhs` include `rhs`, which conflicts with another of them.
#define STRIDE_DETAIL_UNSUPPORTED_FLAG 13  ///< The flags `lhs` include `rhs`, which is not supported here.
#define STRIDE_DETAIL_STRUCT_SIZE 14  ///< struct_size is `lhs`; at least `rhs` is needed.
#define STRIDE_DETAIL_STRUCT_TAIL 15  ///< Byte `lhs` of a struct is not 0; this version knows `rhs` bytes of it.
/// Neither side has a layout, shape or blocked layout; only one side may be left out.
#define STRIDE_DETAIL_NEITHER_GIVEN 17
#define STRIDE_DETAIL_COUNT 20  ///< `lhs` entries are given, `rhs` are needed.
#define STRIDE_DETAIL_REPEATED 21  ///< `lhs` is repeated; `rhs`: the rank.
#define STRIDE_DETAIL_OUT_OF_ORDER 22  ///< `lhs` is not above `rhs`, the entry before it.
#define STRIDE_DETAIL_NOT_IDENTITY 23  ///< `lhs` must be `rhs`, since the ranks are equal.
#define STRIDE_DETAIL_RANKS 24  ///< Ranks `lhs` and `rhs` differ.
#define STRIDE_DETAIL_ELEMENTS 25  ///< Numbers of elements `lhs` and `rhs` differ.
#define STRIDE_DETAIL_STRETCH 26  ///< Size `lhs` cannot be stretched to `rhs`: it is neither 1 nor `rhs`.
#define STRIDE_DETAIL_DYNAMIC 27  ///< Only one of the sizes `lhs` and `rhs` is dynamic.
#define STRIDE_DETAIL_PRODUCT 30  ///< `lhs` times `rhs` does not fit in 64 bits.
#define STRIDE_DETAIL_DIFFERENCE 31  ///< `lhs` minus `rhs` does not fit in 64 bits.
#define STRIDE_DETAIL_REACH 32  ///< Size `lhs` with stride `rhs` takes the offsets beyond 64 bits.
#define STRIDE_DETAIL_BITS 33  ///< The end of the elements, `lhs` times `rhs` bits, does not fit in 64 bits.
/// A new stride does not fit in 64 bits; `lhs`: the size of its dimension in the result (joint loops: operand).
#define STRIDE_DETAIL_NEW_STRIDE 34
#define STRIDE_DETAIL_DTYPE_UNKNOWN 40  ///< `lhs` is not a dtype.
/// Dtype `lhs` is unknown to DirectML (`rhs` 1), DLPack (2), XLA (3), type strings (4), `dtypes` (below 0: its bits).
#define STRIDE_DETAIL_DTYPE_FOREIGN 41
#define STRIDE_DETAIL_DTYPE_WIDTH 42  ///< The dtype `lhs` is smaller than a byte.
#define STRIDE_DETAIL_DTYPES 43  ///< The dtypes `lhs` and `rhs` differ.
#define STRIDE_DETAIL_PAST_END 50  ///< `lhs` bytes are needed, `rhs` are there.
#define STRIDE_DETAIL_BEFORE_START 51  ///< Byte `lhs`, below 0, is reached.
#define STRIDE_DETAIL_ADDRESS_SPACE 52  ///< `lhs` bytes from address (uint64_t)`rhs` on leave the address space.
#define STRIDE_DETAIL_UNKNOWN_LENGTH 53  ///< The length of the whole buffer is needed; `rhs` is not one.
#define STRIDE_DETAIL_STRIDE_ZERO 60  ///< Stride `lhs`, 0, gives `rhs` indices the same element.
#define STRIDE_DETAIL_SELF_OVERLAP 61  ///< Two indices of the destination share one element.
/// The source begins `lhs` bytes after the first byte of the destination, which takes `rhs` bytes.
#define STRIDE_DETAIL_SHARED_BYTES 62
#define STRIDE_DETAIL_SHARED_SCRATCH 63  ///< The scratch memory shares bytes with a side.
#define STRIDE_DETAIL_SCRATCH_BYTES 64  ///< `lhs` bytes of scratch memory are needed, `rhs` are given.
/// A list shares bytes with the destination of copy `lhs`, which takes `rhs` bytes.
#define STRIDE_DETAIL_SHARED_LIST 65
#define STRIDE_DETAIL_STRIDE 70  ///< Stride `lhs` would have to be `rhs`.
#define STRIDE_DETAIL_OFFSET 71  ///< Offset `lhs` would have to be 0.
/// Stride or offset `lhs` is not a whole number of bytes; a byte holds `rhs` elements.
#define STRIDE_DETAIL_WHOLE_BYTES 72
#define STRIDE_DETAIL_PADDING 73  ///< Size `rhs` is padded to `lhs`, which the result cannot express.
#define STRIDE_DETAIL_FIELD 74  ///< The result cannot express `lhs`, only `rhs`.
/// Stride `lhs` would have to be `rhs` for this dimension and the next to be one run.
#define STRIDE_DETAIL_NOT_ONE_RUN 75
#define STRIDE_DETAIL_EMPTY_TILE 80  ///< A tile has `lhs` sizes; at least `rhs` are needed.
#define STRIDE_DETAIL_MERGE_LAST 81  ///< A tile ends with STRIDE_XLA_TILE_MERGE.
#define STRIDE_DETAIL_TOO_MANY_TILES 82  ///< `lhs` tiles are more than the `rhs` that a shape holds.
#define STRIDE_DETAIL_TOO_MANY_TILE_SIZES 83  ///< `lhs` sizes of tiles are more than the `rhs` that a shape holds.
/// Tiles may cut the `rhs` most minor dimensions; only `lhs` are more minor than this one.
#define STRIDE_DETAIL_CUT_BY_TILES 84
#define STRIDE_DETAIL_TILES_MOVE 86  ///< Tiles move an element to position `lhs` from `rhs`.
#define STRIDE_DETAIL_ELEMENTS_MOVE 87  ///< No such shape keeps every element in its place.
#define STRIDE_DETAIL_PADDING_POSITION 88  ///< The position is padding: number `lhs` in a dimension of size `rhs`.
#define STRIDE_DETAIL_TAIL_POSITION 89  ///< Position `lhs` of `rhs` is the padding of the tail.
#define STRIDE_DETAIL_NO_SUCH_VALUE 90  ///< Dtype `rhs` has no value for padding of kind `lhs`.
#define STRIDE_DETAIL_UNBOUNDED 91  ///< A dynamic dimension has no bound.
#define STRIDE_DETAIL_NO_INDEX 92  ///< No index lies at the element offset `lhs`.
#define STRIDE_DETAIL_BUDGET 100  ///< No answer within a budget of `lhs` steps.
/// `rhs` elements would have to be visited, more than the `lhs` that are allowed.
#define STRIDE_DETAIL_TOO_MANY_ELEMENTS 101
/// A byte may hold elements that are counted from either end of it; whether they share bits is not checked.
#define STRIDE_DETAIL_BIT_ORDERS 102
/// `lhs` (-1: the end) stands where one of the characters in the bytes of `rhs`, low byte first, may stand.
#define STRIDE_DETAIL_SYNTAX 110
/// `lhs` 0: unknown dtype (`rhs`: the one meant, or 0); 1: no part of a machine; 2: no image format.
#define STRIDE_DETAIL_NAME 111
/// The text uses something that is not supported; `lhs`: the letters of a layout's attribute, else 0.
#define STRIDE_DETAIL_CONSTRUCT 112
/// The text is that of a shape with tiles (`stride_xla_shape_parse`), whose layout begins at this byte.
#define STRIDE_DETAIL_TEXT_OF_TILES 113
/// After the colon at this byte stands a tag with blocks (`stride_xla_shape_parse_tag`).
#define STRIDE_DETAIL_TEXT_OF_TAG 114
#define STRIDE_DETAIL_TEXT_OF_BLOCKS 115  ///< After the colon at this byte stand blocks (`stride_blocked_parse`).
#define STRIDE_DETAIL_NOT_A_PLAN 120  ///< Word 0 of a plan is `lhs`; in this version it is `rhs`.
#define STRIDE_DETAIL_PLAN_WORDS 121  ///< A plan was changed after it was made.
/// Stride or offset `lhs` is not a multiple of `rhs`, so not a whole number of elements of the new dtype.
#define STRIDE_DETAIL_WHOLE_ELEMENTS 130
/// The `lhs` elements would have to be a multiple of `rhs` to be cut where rows of the outer layout end.
#define STRIDE_DETAIL_SPLIT 135
/// Number `lhs` is reached, outside 0 ... `rhs` - 1, the numbers between two carries of the outer layout.
#define STRIDE_DETAIL_CARRY 136
#define STRIDE_DETAIL_NEGATIVE_STRIDE 140  ///< Stride `lhs` is negative.
#define STRIDE_DETAIL_NESTED 141  ///< Stride `lhs` is below `rhs`, where the dimension inside it ends.
/// Stride `lhs` is not a multiple of `rhs`, which the dimension inside it requires.
#define STRIDE_DETAIL_STRIDE_MULTIPLE 142
#define STRIDE_DETAIL_STRIDE_BYTES 143  ///< A stride of `lhs` bytes is above `rhs`, the most that is allowed.
#define STRIDE_DETAIL_ELEMENTS_MAX 144  ///< `lhs` elements are above `rhs`, the most that is allowed.
/// `lhs` elements from the lowest to the highest are above `rhs`, the most that is allowed.
#define STRIDE_DETAIL_REACH_MAX 145
#define STRIDE_DETAIL_BYTES_MAX 146  ///< `lhs` bytes are above `rhs`, the most that is allowed.
/// An element has `lhs` bits; `rhs`: the widths that are allowed, added up, and from bit 32 on thirds of others.
#define STRIDE_DETAIL_ELEMENT_BITS 147
#define STRIDE_DETAIL_NOT_RUNS 165  ///< Word 0 of runs is `lhs`; in this version it is `rhs`.
#define STRIDE_DETAIL_TOO_MANY_LOOPS 166  ///< There are `lhs` loops, more than `rhs`.
#define STRIDE_DETAIL_TOO_MANY_PIECES 170  ///< Tiles cut the copy into `lhs` boxes or more; a list takes `rhs`.
/// A region would begin at byte `lhs` of the destination, which is not a multiple of `rhs`.
#define STRIDE_DETAIL_REGION_DST_OFFSET 171
/// A region would begin at byte `lhs` of the source, which is not a multiple of `rhs`.
#define STRIDE_DETAIL_REGION_SRC_OFFSET 172
#define STRIDE_DETAIL_REGION_ROW 173  ///< Rows of `lhs` bytes are not a multiple of `rhs`.
#define STRIDE_DETAIL_REGION_CUT 174  ///< Rows of at most `lhs` bytes cannot be a multiple of `rhs`.
/// A row of `lhs` bytes would pass the end of a row of the image, which has `rhs`.
#define STRIDE_DETAIL_REGION_IMAGE 175
/// A tile cuts `rhs` neighbours by `lhs` with a remainder, which no blocked format does.
#define STRIDE_DETAIL_NOT_A_BLOCK 180
#define STRIDE_DETAIL_MERGES 181  ///< A tile merges dimensions, which no blocked format does.
/// A block with step `lhs` lies where one with step `rhs` would have to; smaller steps lie further in.
#define STRIDE_DETAIL_BLOCK_ORDER 182
/// Letter `rhs` of a tag must be `lhs`: it is a capital if its dimension has blocks, and only then.
#define STRIDE_DETAIL_BLOCK_LETTER 183
/// A block has step `lhs`, but the blocks of its dimension inside it end at `rhs`.
#define STRIDE_DETAIL_BLOCK_STEP 184
/// A block with step `lhs` has size 0, though one with step `rhs` is the highest of its dimension.
#define STRIDE_DETAIL_BLOCK_OPEN 185
#define STRIDE_DETAIL_BLOCK_COVER 186  ///< The blocks of a dimension hold `lhs` of its `rhs` elements.
#define STRIDE_DETAIL_BLOCK_REVERSED 187  ///< In a tag, the size `rhs` of a block stands before its letter `lhs`.
/// Type `lhs` of `rhs` bits has no dtype; `lhs` of a text format: its letters, the first in the low byte.
#define STRIDE_DETAIL_TYPE_WIDTH 190
#define STRIDE_DETAIL_BYTE_ORDER 191  ///< Elements of `lhs` bytes are stored in the other byte order.
#define STRIDE_DETAIL_INDIRECT 192  ///< The elements are reached by pointers, `lhs` bytes on.
#define STRIDE_DETAIL_FOURCC_UNKNOWN 193  ///< FourCC `lhs` is unknown.
#define STRIDE_DETAIL_FOURCC_PACKED 194  ///< FourCC `lhs` has samples of `rhs` bits that are not stored in whole bytes.
#define STRIDE_DETAIL_SHARED_PLANES 195  ///< Planes `lhs` and `rhs` share bytes.
/// Run (item) that begins at index `lhs` comes back to an index of the destination.
#define STRIDE_DETAIL_SHARED_INDEX 200
#define STRIDE_DETAIL_FILLS_DESTINATION 201  ///< A run of the destination is the fill value.
#define STRIDE_DETAIL_RUNS_TOTAL 202  ///< Runs of `lhs` indices and one of `rhs` more are too many.
#define STRIDE_DETAIL_RUNS_AND_RANGE 203  ///< A side has `lhs` dimensions with runs, and a range.
#define STRIDE_DETAIL_RANGE_END 204  ///< A range ends at element `lhs`, but there are `rhs`.
#define STRIDE_DETAIL_PLAN_SIZE 205  ///< A plan needs `lhs` words, and has `rhs`.
#define STRIDE_DETAIL_NO_CONVERSION 210  ///< Numbers of dtype `lhs` are not converted to `rhs`.
#define STRIDE_DETAIL_MISSING_FLAG 211  ///< The flags `lhs` lack `rhs`, which one of them goes with.
#define STRIDE_DETAIL_NOT_WHOLE 212  ///< A number that joins integers is not one; `lhs`: its integer part.
#define STRIDE_DETAIL_VALUE_COUNT 213  ///< The lists have `rhs` entries, but entry `lhs` is needed.
#define STRIDE_DETAIL_NO_LIST 214  ///< The plan takes no such list of values.
#define STRIDE_DETAIL_NEEDS_LISTS 215  ///< The plan needs lists of values.

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // STRIDE_ERRORS_H
