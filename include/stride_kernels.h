// stride_kernels.h: libstride 0.1.0. Generated from src/ffi by cbindgen 0.29.4: `make header`.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Functions for loops, kernels and compilers: windows, diagonals and cuts of a layout, layouts of layouts, broadcasts
// by dimensions, and several layouts as joint loops that your own code walks. The rules for all functions stand in
// stride.h, which includes this header at its end.
//
// I want to ...                                         Function
//   view sliding windows (unfold, im2col)                 stride_layout_window
//   repeat along a dimension, take a diagonal             stride_layout_repeat, stride_layout_diagonal
//   cut a dimension in two, roll it                       stride_layout_cut
//   compose a view with a view; tile; invert              stride_layout_compose, stride_layout_tile, _inverse
//   know the elements that a vector may move at a time    stride_layouts_common_run
//   broadcast by XLA's rule                               stride_layout_broadcast_in_dim, stride_xla_broadcast
//   run my own loop over several tensors                  stride_runs_init, stride_runs_next; the loops: _coalesce
//     without a call for each run                         stride_runs_step of stride_runs.h
//
// Sections: Windows, repeats and cuts - Composition - Broadcasting by dimensions - Your own kernel.

#ifndef STRIDE_KERNELS_H
#define STRIDE_KERNELS_H

#include "stride.h"

#ifdef __cplusplus
extern "C" {
#endif

// =================================================================================================
//
// Windows, repeats and cuts
//
// Views that loops are made of: overlapping windows, a dimension that repeats, a diagonal, a cut in two. The rules of
// stride.h for views hold here too.
//
// Example: numpy.roll(in, 2) is two copies: elements after the cut come first.
//
//   int64_t sizes[1] = {5}; uint8_t in[5] = {0, 1, 2, 3, 4}, out[5];
//   stride_layout row, front, back, first, rest;
//   stride_layout_init(&row, STRIDE_DTYPE_U8, 1, sizes, NULL, NULL);
//   stride_layout_cut(&row, 0, 3, &front, &back, NULL), stride_layout_cut(&row, 0, 2, &first, &rest, NULL);
//   stride_copy(&first, out, 5, &back, in, 5, NULL, NULL), stride_copy(&rest, out, 5, &front, in, 5, NULL, NULL);
//   assert(out[0] == 3 && out[1] == 4 && out[2] == 0 && out[4] == 2);

/// All windows of `sizes` elements. The first `rank` dimensions of `out` number the windows, the others their elements.
/// Windows begin every `steps` elements, and their own elements lie `dilations` apart; NULL: 1. A dimension has
/// floor((size - (window - 1) * dilation - 1) / step) + 1 windows, 0 if the window does not fit. A row of 7 in windows
/// of 3 with step 2 is {3,3} with strides {2,1}. Windows of size 0 are floor(size / step) + 1 and give an empty result.
/// (torch.Tensor.unfold, numpy.lib.stride_tricks.sliding_window_view, XLA's ReduceWindow.)
///
/// Arrays: sizes[rank], steps[rank] or NULL, dilations[rank] or NULL.
///
/// Returns: INVALID_SIZE with the dimension; INVALID_ARGUMENT with the dimension for a step or dilation below 1;
/// INVALID_RANK above 32 dimensions; OVERFLOW.
STRIDE_API stride_status stride_layout_window(const stride_layout *layout, uint32_t rank, const int64_t *sizes,
                                              const int64_t *steps, const int64_t *dilations, stride_layout *out,
                                              stride_error *error);

/// Inserts dimension `axis` of `out`: `count` equal entries, stride 0 (einops.repeat). {2,3} with axis 1 and count 4 is
/// {2,4,3}, whose packed copy is `numpy.tile(a, (1,4))`; with axis 2 it is {2,3,4}, whose packed copy is
/// `numpy.repeat(a, 4, 1)`.
///
/// Returns: INVALID_AXES; INVALID_SIZE for a count below 0; INVALID_RANK above 64 dimensions; OVERFLOW.
STRIDE_API stride_status stride_layout_repeat(const stride_layout *layout, int64_t axis, int64_t count,
                                              stride_layout *out, stride_error *error);

/// The diagonal of two dimensions, `diagonal` steps above the main one (below, if negative), as a new last dimension
/// (numpy.diagonal).
///
/// Returns: INVALID_AXES; OVERFLOW.
STRIDE_API stride_status stride_layout_diagonal(const stride_layout *layout, int64_t diagonal, int64_t axis1,
                                                int64_t axis2, stride_layout *out, stride_error *error);

/// Cuts dimension `axis` in two: `*front` has its entries 0 ... position - 1, `*back` the others (numpy.split). To roll
/// a dimension of size n by k, cut at n - k and put the back before the front.
///
/// Requires: `front` and `back` are two structs.
///
/// Returns: INVALID_AXES; INDEX_OUT_OF_RANGE unless 0 <= position <= size; OVERFLOW.
STRIDE_API stride_status stride_layout_cut(const stride_layout *layout, int64_t axis, int64_t position,
                                           stride_layout *front, stride_layout *back, stride_error *error);

// =================================================================================================
//
// Composition
//
// The elements of a layout have the row-major numbers 0, 1, 2, ... An inner layout whose offset and strides count such
// numbers is a view of the outer one. Composed, the two are one layout, if sizes and strides can express it. CuTe
// calls these functions composition, right_inverse, zipped_divide and max_common_vector; here everything is row-major,
// so the last dimension is the fastest.
//
// Example: every second element of rows of 6 that lie 8 apart.
//
//   int64_t sizes[2] = {4, 6}, pitch[2] = {8, 1}, numbers[1] = {12}, step[1] = {2};
//   stride_layout rows, half; uint32_t parts[1];
//   stride_layout_init(&rows, STRIDE_DTYPE_F32, 2, sizes, pitch, NULL);
//   stride_layout_init(&half, STRIDE_DTYPE_F32, 1, numbers, step, NULL);
//   stride_layout_compose(&rows, &half, &half, 1, parts, NULL);
//   assert(parts[0] == 2 && half.sizes[0] == 4 && half.sizes[1] == 3 && half.strides[0] == 8 && half.strides[1] == 2);

/// outer(inner(i)): element i of `out` is the element of `outer` whose row-major number is the offset of i in `inner`.
/// A dimension of `inner` may have to be split: `group_ranks[k]` is the number of dimensions of `out` that its
/// dimension k becomes, 1 if it stays whole. `rank` is the rank of `inner`. Rows of 6 and every second number, {12}
/// with stride 2: {4,3}, group_ranks {2}. Exact for all signs of strides; dtype and memory are those of `outer`. A size
/// of 1 stays one dimension, with stride 0. An empty `inner` gives an empty layout at `outer`'s offset.
///
/// Arrays: group_ranks[rank].
///
/// Returns: OUT_OF_BOUNDS with the number that `outer` does not have; NOT_REPRESENTABLE with the dimension of `inner`
/// that no split can express (also where carries of two dimensions of `outer` cancel by chance); INVALID_RANK if `out`
/// would have more than 64 dimensions; OVERFLOW.
STRIDE_API stride_status stride_layout_compose(const stride_layout *outer, const stride_layout *inner,
                                               stride_layout *out, uint32_t rank, uint32_t *group_ranks,
                                               stride_error *error);

/// The map from the order in memory to row-major numbers: element p of `out` lies at the row-major number of the
/// element that is p-th in memory. `out` has the dimensions of the layout, slowest first, with the strides that they
/// have in a packed layout: column-major {2,3} gives {3,2} with strides {1,3}. The layout composed with its inverse is
/// packed. The offset does not matter; dimensions of size 1 are ordered as by `stride_layout_minor_to_major`.
///
/// Returns: NOT_REPRESENTABLE with the dimension for gaps, zero and negative strides; OVERFLOW.
STRIDE_API stride_status stride_layout_inverse(const stride_layout *layout, stride_layout *out, stride_error *error);

/// Cuts the layout into tiles. The first `rank` dimensions of `out` number the tiles, the others their elements: {4,6}
/// by {2,3} becomes {2,2,2,3}, with strides {12,3,6,1} if it was packed.
///
/// Arrays: tile_sizes[rank].
///
/// Returns: SHAPE_MISMATCH with dimension, size and tile size where a tile would be cut short; INVALID_SIZE for a tile
/// size below 1; INVALID_RANK above rank 32; OVERFLOW.
STRIDE_API stride_status stride_layout_tile(const stride_layout *layout, uint32_t rank, const int64_t *tile_sizes,
                                            stride_layout *out, stride_error *error);

/// The number of elements, in row-major order, that are contiguous in each of `count` layouts of equal sizes, and that
/// may be moved at a time. It is the product of the last sizes, as long as every layout is packed there: rows of 6 that
/// lie 8 apart and a packed {4,6} give 6, two transposed layouts 1 (permute their dimensions first). Dimensions of size
/// 1 are skipped. An empty layout gives 0, no layouts at all 1. Dtypes and offsets do not matter.
///
/// Arrays: in[count].
///
/// Returns: SHAPE_MISMATCH with the operand, both ranks or the dimension and both sizes.
STRIDE_API stride_status stride_layouts_common_run(uint32_t count, const stride_layout *in, int64_t *elements,
                                                   stride_error *error);

// =================================================================================================
//
// Broadcasting by dimensions
//
// XLA's rule: nothing is implicit; broadcast_dimensions maps each dimension of the smaller operand to one of the
// larger. Results are views: a dimension that is stretched or added gets stride 0, all others keep theirs.
//
// Example: a bias for each row of a matrix, which NumPy's rule would take for one of each column.
//
//   int64_t three[1] = {3}, full[2] = {3, 3}, row[1] = {0};
//   stride_layout bias;
//   stride_layout_init(&bias, STRIDE_DTYPE_F32, 1, three, NULL, NULL);
//   stride_layout_broadcast_in_dim(&bias, 2, full, 1, row, &bias, NULL);
//   assert(bias.rank == 2 && bias.strides[0] == 1 && bias.strides[1] == 0);

/// XLA's broadcast_in_dim: dimension k of the layout becomes dimension broadcast_dimensions[k] of a view with these
/// sizes; all other dimensions repeat. A size of 1 stretches. `broadcast_dimensions` increases strictly: nothing is
/// transposed.
///
/// Arrays: sizes[rank], broadcast_dimensions[count].
///
/// Returns: INVALID_RANK unless `count` is the layout's rank; INVALID_AXES with the entry; BROADCAST_MISMATCH with the
/// dimension and both sizes; INVALID_SIZE; OVERFLOW.
STRIDE_API stride_status stride_layout_broadcast_in_dim(const stride_layout *layout, uint32_t rank,
                                                        const int64_t *sizes, uint32_t count,
                                                        const int64_t *broadcast_dimensions, stride_layout *out,
                                                        stride_error *error);

/// XLA's rule for a binary element-wise operation: the views of both operands with their common sizes. Equal ranks:
/// `broadcast_dimensions` is empty or 0, 1, ... Different ranks: one entry for each dimension of the smaller operand,
/// none only for a scalar. A vector of 3 onto 2x3: {1}; {0} is a mismatch of 3 and 2.
///
/// Arrays: broadcast_dimensions[count].
///
/// Returns: INVALID_RANK for a wrong `count`; INVALID_AXES for entries out of range or order; BROADCAST_MISMATCH with
/// the dimension of the result and both sizes, the left operand's first; OVERFLOW.
STRIDE_API stride_status stride_xla_broadcast(const stride_layout *lhs, const stride_layout *rhs, uint32_t count,
                                              const int64_t *broadcast_dimensions, stride_layout *lhs_out,
                                              stride_layout *rhs_out, stride_error *error);

// =================================================================================================
//
// Your own kernel
//
// Up to STRIDE_RUNS_MAX_OPERANDS layouts of equal sizes become one set of loops, as few as possible, which are walked
// run by run. The library gives the offset of each run in every operand, and the caller's loop goes over its elements;
// the library touches no tensor memory. Layouts of other sizes are broadcast first, by `stride_broadcast_layouts`.
// examples/c/add.c adds three operands of different layouts.
//
// Example: a row is added to each row of a matrix.
//
//   float a[6] = {1, 2, 3, 4, 5, 6}, b[3] = {10, 20, 30}; int64_t sizes[2] = {2, 3}, at[2]; uint64_t n, k;
//   stride_layout in[2]; stride_runs runs;
//   stride_layout_init(&in[0], STRIDE_DTYPE_F32, 2, sizes, NULL, NULL); in[1] = in[0]; in[1].strides[0] = 0;
//   for (stride_runs_init(&runs, 2, in, NULL); !stride_runs_next(&runs, 2, at, &n, NULL) && n > 0;)
//     for (k = 0; k < n; k++) a[at[0] / 4 + k] += b[at[1] / 4 + k];
//   assert(a[0] == 11 && a[5] == 36);

// As enums; the macros below explain them.
enum { STRIDE_RUNS_MAX_OPERANDS = 8 };

#define STRIDE_RUNS_MAX_OPERANDS 8  ///< The most operands that have joint loops.

/// The runs of several operands that are left: 4096 bytes without any address. Copies of it go on independently.
typedef struct stride_runs {
  /// Opaque. Word 0 identifies runs, their format and the number of words in use; words that are not in use are
  /// neither written nor read. Belongs to this version of the library.
  uint64_t words[512];
} stride_runs;

/// The layouts of the operands over joint loops, as few as any order of the dimensions gives, into
/// `out[0] ... out[count - 1]`. Dimensions of size 1 are dropped, and dimensions that are one step in all operands
/// become one. The first operand that moves along a dimension runs upward. The last dimension is the one with the
/// smallest |stride| in the first operand, or in the next one if that is 0 or equal; the given order matters only if
/// operands contradict each other or no operand tells two dimensions apart. Sizes {2,3,4,5} of a packed operand and of
/// one with strides {0,0,0,1} become {24,5}, with strides {5,1} and {0,1}.
///
/// Kept: dtypes, and the tuples of offsets, one of each operand, that indices reach, each as often as before. Not kept:
/// their order. One element has rank 0, none rank 1 and size 0.
///
/// Arrays: in[count], out[count].
///
/// Requires: `out` is `in`, or the two arrays share no byte.
///
/// Returns: INVALID_RANK unless 1 <= count <= STRIDE_RUNS_MAX_OPERANDS; SHAPE_MISMATCH with operand and dimension;
/// OVERFLOW if a stride of -2^63 would have to change its sign.
///
/// Source: PyTorch's TensorIterator; numpy.nditer differs where operands contradict each other.
STRIDE_API stride_status stride_layouts_coalesce(uint32_t count, const stride_layout *in, stride_layout *out,
                                                 stride_error *error);

/// All runs of several operands. The loops are those of `stride_layouts_coalesce`, and the last one is the run. If it
/// has fewer than 8 elements and another loop is at least four times as long, the run is the longest loop, or an even
/// part of it that stays in a cache, if there is one. Then there are fewer runs, and it may be that no operand has a
/// step of one element.
///
/// Arrays: in[count].
///
/// Returns: as `stride_layouts_coalesce`; UNSUPPORTED for elements below a byte, and for more than 49 loops; OVERFLOW
/// if an offset or a stride in bytes does not fit int64_t. Operands without elements have no runs.
STRIDE_API stride_status stride_runs_init(stride_runs *out, uint32_t count, const stride_layout *in,
                                          stride_error *error);

/// Bytes between the elements of a run in each operand, the same for all runs. They may be 0, and below 0 except in the
/// first operand that moves. All are 0 if runs have one element.
///
/// Arrays: byte_strides[count].
///
/// Returns: INVALID_RANK unless `count` is the number of operands; INVALID_ARGUMENT if `runs` are not valid.
STRIDE_API stride_status stride_runs_strides(const stride_runs *runs, uint32_t count, int64_t *byte_strides,
                                             stride_error *error);

/// The next run: its number of elements, and for each operand the bytes from the base pointer to its first element. At
/// the end `*elements` is 0, on every further call too, and `byte_offsets` is left as it is. In C and C++
/// `stride_runs_step` of stride_runs.h is this function without a call.
///
/// Arrays: byte_offsets[count].
///
/// Returns: as `stride_runs_strides`. Runs that were tampered with give wrong offsets; no memory is touched.
STRIDE_API stride_status stride_runs_next(stride_runs *runs, uint32_t count, int64_t *byte_offsets, uint64_t *elements,
                                          stride_error *error);

/// The next runs in one call, at most `most` of them, all of the same number of elements: for languages in which a call
/// is expensive, and for runs of a few dozen elements. Operand k of run number i begins at byte_offsets[i * count + k].
/// `*found` is the number of runs, 0 only at the end.
///
/// Arrays: byte_offsets[count x most].
///
/// Returns: as `stride_runs_next`; INVALID_ARGUMENT if `most` is 0.
///
/// Time: in proportion to `*found`.
STRIDE_API stride_status stride_runs_next_many(stride_runs *runs, uint32_t count, uint64_t most, int64_t *byte_offsets,
                                               uint64_t *found, uint64_t *elements, stride_error *error);

/// Part `part` of `parts` of the runs that are left, as runs of its own: all parts together give each element once, and
/// may go to threads. They are about equal: whole runs if each part has 16 or more, else runs cut at multiples of 16
/// elements. With fewer elements the last parts have more, and others nothing.
///
/// Returns: INVALID_ARGUMENT unless part < parts, and if `runs` are not valid.
STRIDE_API stride_status stride_runs_part(const stride_runs *runs, uint32_t part, uint32_t parts, stride_runs *out,
                                          stride_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // STRIDE_KERNELS_H
