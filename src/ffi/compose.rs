//! Composition
//!
//! The elements of a layout have the row-major numbers 0, 1, 2, ... An inner layout whose offset and strides count such
//! numbers is a view of the outer one. Composed, the two are one layout, if sizes and strides can express it. CuTe
//! calls these functions composition, right_inverse, zipped_divide and max_common_vector; here everything is row-major,
//! so the last dimension is the fastest.
//!
//! Example: every second element of rows of 6 that lie 8 apart.
//!
//!   int64_t sizes[2] = {4, 6}, pitch[2] = {8, 1}, numbers[1] = {12}, step[1] = {2};
//!   stride_layout rows, half; uint32_t parts[1];
//!   stride_layout_init(&rows, STRIDE_DTYPE_F32, 2, sizes, pitch, NULL);
//!   stride_layout_init(&half, STRIDE_DTYPE_F32, 1, numbers, step, NULL);
//!   stride_layout_compose(&rows, &half, &half, 1, parts, NULL);
//!   assert(parts[0] == 2 && half.sizes[0] == 4 && half.sizes[1] == 3 && half.strides[0] == 8 && half.strides[1] == 2);

use super::boundary::{Output, check_list, ranked};
use super::layout::{map_layout, read_layout, read_layouts, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::compose;
use crate::error::{Argument, check_count};
use crate::model::LayoutStorage;

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
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_compose(
    outer: *const stride_layout,
    inner: *const stride_layout,
    out: *mut stride_layout,
    rank: u32,
    group_ranks: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (outer, inner) = (read_layout(outer, Argument::Outer)?, read_layout(inner, Argument::Inner)?);
        let out = Output::new(out, Argument::Out)?;
        check_count(rank as usize, inner.rank(), Argument::Rank)?;
        check_list(group_ranks, rank.into(), Argument::GroupRanks)?;
        let mut room = LayoutStorage::default();
        let (layout, found) = compose::compose(&outer, &inner, &mut room)?;
        let rank = inner.rank();
        out.write_view(&layout);
        Output(group_ranks).write_all(&found[..rank]);
    })
}

/// The map from the order in memory to row-major numbers: element p of `out` lies at the row-major number of the
/// element that is p-th in memory. `out` has the dimensions of the layout, slowest first, with the strides that they
/// have in a packed layout: column-major {2,3} gives {3,2} with strides {1,3}. The layout composed with its inverse is
/// packed. The offset does not matter; dimensions of size 1 are ordered as by `stride_layout_minor_to_major`.
///
/// Returns: NOT_REPRESENTABLE with the dimension for gaps, zero and negative strides; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_inverse(
    layout: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, compose::inverse))
}

/// Cuts the layout into tiles. The first `rank` dimensions of `out` number the tiles, the others their elements: {4,6}
/// by {2,3} becomes {2,2,2,3}, with strides {12,3,6,1} if it was packed.
///
/// Arrays: tile_sizes[rank].
///
/// Returns: SHAPE_MISMATCH with dimension, size and tile size where a tile would be cut short; INVALID_SIZE for a tile
/// size below 1; INVALID_RANK above rank 32; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_tile(
    layout: *const stride_layout,
    rank: u32,
    tile_sizes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        map_layout(layout, out, |l, out| compose::tile(l, ranked(tile_sizes, rank, Argument::TileSizes)?, out))
    })
}

/// The number of elements, in row-major order, that are contiguous in each of `count` layouts of equal sizes, and that
/// may be moved at a time. It is the product of the last sizes, as long as every layout is packed there: rows of 6 that
/// lie 8 apart and a packed {4,6} give 6, two transposed layouts 1 (permute their dimensions first). Dimensions of size
/// 1 are skipped. An empty layout gives 0, no layouts at all 1. Dtypes and offsets do not matter.
///
/// Arrays: in[count].
///
/// Returns: SHAPE_MISMATCH with the operand, both ranks or the dimension and both sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layouts_common_run(
    count: u32,
    r#in: *const stride_layout,
    elements: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layouts = read_layouts(count, r#in)?;
        Output::new(elements, Argument::Elements)?.write_found(compose::common_run(layouts))
    })
}
