//! PJRT
//!
//! Memory layouts of buffers as the PJRT C API passes them (xla/pjrt/c/pjrt_c_api.h), by the fields of its structs, so
//! that no header of PJRT is needed: PJRT_Buffer_MemoryLayout_Tiled here, with the same types.
//!
//! `stride_layout_init_byte_strides` takes the byte strides of PJRT_Buffer_MemoryLayout_Strides, and
//! `stride_layout_byte_strides` gives them. They may be negative. PJRT's data pointer is the element (0, ..., 0), while
//! a layout counts from the start of the buffer: `stride_layout_rebase` gives the distance. If PJRT gives no strides
//! (row-major), use `stride_layout_init`.
//!
//! Example: T(8,128) as PJRT passes it.
//!
//!   int64_t sizes[2] = {30, 100}, minor_to_major[2] = {1, 0}, tile_dims[2] = {8, 128};
//!   size_t tile_dim_sizes[1] = {2};
//!   stride_xla_shape shape;
//!   stride_xla_shape_from_pjrt_tiled(&shape, STRIDE_DTYPE_BF16, 2, sizes, minor_to_major, tile_dims, tile_dim_sizes,
//!                                    1, NULL);
//!   assert(shape.tile_count == 1 && shape.tile_sizes[1] == 128);

use super::boundary::{Output, array, check_entries, check_list, ranked};
use super::status::{report, stride_error, stride_status};
use super::xla::{STRIDE_XLA_MAX_TILES, in_sizes, read_shape, stride_xla_shape};
use crate::error::{Argument, Detail, Result, Status};
use crate::model::Dtype;
use crate::vocabulary::xla::pjrt;

/// The shape of a tiled layout. `rank` is both the number of `sizes` and PJRT's `minor_to_major_size`. `tile_dims`
/// holds the sizes of all tiles, one tile after the other, `tile_dim_sizes` the number of sizes of each of the
/// `num_tiles` tiles: {8,128,2,1} and {2,2} are T(8,128)(2,1).
///
/// Arrays: sizes[rank], minor_to_major[rank], tile_dims[sum of tile_dim_sizes], tile_dim_sizes[num_tiles].
///
/// Returns: INVALID_TILE and UNSUPPORTED as `stride_xla_shape_add_tile`; else as `stride_xla_shape_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_from_pjrt_tiled(
    out: *mut stride_xla_shape,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    minor_to_major: *const i64,
    tile_dims: *const i64,
    tile_dim_sizes: *const usize,
    num_tiles: usize,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let out = Output::new(out, Argument::Out)?;
        let (dtype, sizes) = (Dtype::new(dtype)?, ranked(sizes, rank, Argument::Sizes)?);
        let minor_to_major = array(minor_to_major, sizes.len(), Argument::MinorToMajor)?;
        if num_tiles > STRIDE_XLA_MAX_TILES {
            let error = Status::Unsupported.of(Argument::NumTiles);
            return Err(error.because_wide(Detail::TooManyTiles, num_tiles as i128, STRIDE_XLA_MAX_TILES as i128));
        }
        let tile_ranks = array(tile_dim_sizes, num_tiles, Argument::TileDimSizes)?;
        let tile_sizes = array(tile_dims, pjrt::tile_sizes_count(tile_ranks)?, Argument::TileDims)?;
        let mut shape = pjrt::from_tiled(dtype, sizes, minor_to_major, tile_sizes, tile_ranks);
        if let Err(error) = &mut shape
            && error.argument == Argument::Tile
        {
            error.argument = Argument::TileDims;
        }
        out.write_made_shape(&in_sizes(shape))
    })
}

/// The tiled layout of a shape: the inverse of `stride_xla_shape_from_pjrt_tiled`. `minor_to_major` gets `rank` entries
/// (PJRT's `minor_to_major_size`), `tile_dims` the sizes of all tiles, `tile_dim_sizes` the number of sizes of each,
/// `*num_tiles` the number of tiles. 64 and STRIDE_XLA_MAX_TILES entries are always enough. Type, sizes (which must be
/// known), dynamic dimensions and memory space are left out: PJRT passes them beside a layout.
///
/// Arrays: minor_to_major[rank], tile_dims[tile_dims_capacity], tile_dim_sizes[tile_dim_sizes_capacity].
///
/// Returns: NOT_REPRESENTABLE for padding (with the dimension), element bits, flags and a tail alignment, which PJRT's
/// struct lacks; INVALID_ARGUMENT with the capacity and the length needed for an array that is too short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_to_pjrt_tiled(
    shape: *const stride_xla_shape,
    rank: u32,
    minor_to_major: *mut i64,
    tile_dims: *mut i64,
    tile_dims_capacity: usize,
    tile_dim_sizes: *mut usize,
    tile_dim_sizes_capacity: usize,
    num_tiles: *mut usize,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let read = read_shape(shape);
        let shape = read.as_ref().map_err(|&error| error)?;
        let num_tiles = Output::new(num_tiles, Argument::NumTiles)?;
        pjrt::check_tiled(shape)?;
        let tiles = shape.tiles();
        check_entries(minor_to_major, rank, shape.rank(), Argument::Rank, Argument::MinorToMajor)?;
        let dims = [Argument::TileDims, Argument::TileDimsCapacity];
        check_room(tile_dims, tiles.sizes().len(), tile_dims_capacity, dims)?;
        let dim_sizes = [Argument::TileDimSizes, Argument::TileDimSizesCapacity];
        check_room(tile_dim_sizes, tiles.len(), tile_dim_sizes_capacity, dim_sizes)?;
        Output(minor_to_major).write_all(shape.minor_to_major());
        Output(tile_dims).write_all(tiles.sizes());
        for (item, tile) in tiles.iter().enumerate() {
            tile_dim_sizes.add(item).write(tile.len());
        }
        num_tiles.write(tiles.len());
    })
}

/// Checks that an output array takes so many entries; the arguments are the array and its capacity.
pub(super) fn check_room<T>(
    pointer: *mut T,
    entries: usize,
    capacity: usize,
    [list, counter]: [Argument; 2],
) -> Result<()> {
    let error = Status::InvalidArgument.of(counter);
    error.unless(entries <= capacity, Detail::Below, capacity as i128, entries as i128)?;
    check_list(pointer, capacity as u64, list)
}
