//! Arguments and details
//!
//! `argument` of a record is the parameter, or the field of a struct, that was wrong; `detail` is the rule that it
//! broke. The comment of a detail names `lhs` and `rhs`: mostly `lhs` is the number found, and `rhs` the one with which
//! it was compared. INVALID_RANK: the rank or number of entries found, and the one needed or allowed. INVALID_SIZE,
//! _STRIDE, _AXES, _TILE and INDEX_OUT_OF_RANGE: the number and its bound. SHAPE_MISMATCH and BROADCAST_MISMATCH: the
//! two sizes. DTYPE_MISMATCH: the two dtypes, the source's first. OUT_OF_BOUNDS: the bytes needed and those that are
//! there, or the byte before the buffer and 0. SCRATCH_NEEDED: the bytes needed and given.
//!
//! Example: the entry of a list that repeats a number.
//!
//!   int64_t sizes[2] = {2, 3}, axes[2] = {1, 1};
//!   stride_layout layout; stride_error error;
//!   stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL);
//!   assert(stride_layout_permute(&layout, 2, axes, &layout, &error) == STRIDE_STATUS_INVALID_AXES);
//!   assert(error.argument == STRIDE_ARGUMENT_AXES && error.dimension == 1);
//!   assert(error.detail == STRIDE_DETAIL_REPEATED && error.lhs == 1);
