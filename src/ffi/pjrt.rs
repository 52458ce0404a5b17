//! PJRT
//!
//! Memory layouts of buffers as the PJRT C API passes them (xla/pjrt/c/pjrt_c_api.h), by the fields of its structs, so that no
//! header of PJRT is needed: PJRT_Buffer_MemoryLayout_Tiled here, with the same types. The byte strides of
//! PJRT_Buffer_MemoryLayout_Strides go in by `stride_layout_init_bytes` and come out of `stride_layout_byte_strides`. They may be
//! negative; the data pointer is the element (0, ..., 0), while a layout counts from the start of the buffer, so
//! `stride_layout_rebase` tells how far back that is. Where PJRT means row-major by no strides, use `stride_layout_init`.
#![allow(non_camel_case_types)]

use super::query::write_entries;
use super::status::{stride_error, stride_status};
use super::xla::{STRIDE_XLA_MAX_TILES, read_shape, stride_xla_shape};
use super::{Output, array, checked_rank, null, report};
use crate::error::{Argument, Error, Result, Status};
use crate::model::Dtype;
use crate::vocabulary::xla::pjrt;

/// The shape of a tiled layout. `rank` is both the number of `sizes` and PJRT's `minor_to_major_size`. `tile_dims` holds the sizes
/// of all tiles, one tile after the other, `tile_dim_sizes` how many each of the `num_tiles` tiles has: {8,128,2,1} and
/// {2,2} are T(8,128)(2,1).
///
/// Returns: NULL_POINTER; INVALID_TILE and UNSUPPORTED as `stride_xla_shape_add_tile`; else as `stride_xla_shape_init`.
///
/// # Safety
/// `sizes` and `minor_to_major` hold `rank` entries, `tile_dim_sizes` `num_tiles`, `tile_dims` the sum of those; `out` valid or
/// NULL.
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
    // SAFETY: pointers as promised to this function; every count is checked before its array is read.
    unsafe {
        report(error, || {
            let out = Output::new(out, Argument::Out)?;
            let dtype = Dtype::new(dtype)?;
            let sizes = array(sizes, checked_rank(rank, Argument::Rank)?, Argument::Sizes)?;
            let minor_to_major = array(minor_to_major, sizes.len(), Argument::MinorToMajor)?;
            if num_tiles > STRIDE_XLA_MAX_TILES {
                let error = Error::new(Status::Unsupported).argument(Argument::Tile);
                return Err(error.wide_numbers(num_tiles as i128, STRIDE_XLA_MAX_TILES as i128));
            }
            let tile_ranks = array(tile_dim_sizes, num_tiles, Argument::Ranks)?;
            let tile_sizes = array(tile_dims, pjrt::tile_sizes_count(tile_ranks)?, Argument::Tile)?;
            let shape = pjrt::from_tiled(dtype, sizes, minor_to_major, tile_sizes, tile_ranks);
            out.write_shape(shape.as_ref().map_err(|&error| error)?); // no second copy: shapes are large
            Ok(())
        })
    }
}

/// The other way: `minor_to_major` gets `rank` entries (PJRT's `minor_to_major_size`), `tile_dims` the sizes of all tiles,
/// `tile_dim_sizes` their numbers, `*num_tiles` how many there are. 64 and STRIDE_XLA_MAX_TILES entries are always enough. Type,
/// sizes, dynamic dimensions and memory space travel beside a layout in PJRT and are not looked at.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE for padding with the dimension, element bits and a tail alignment, none of which
/// PJRT can say; INVALID_ARGUMENT with the length needed and the capacity for an array that is too short.
///
/// # Safety
/// `minor_to_major` has room for as many entries as the shape has dimensions, `tile_dims` and `tile_dim_sizes` for their
/// capacities; `shape` and `num_tiles` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_to_pjrt_tiled(
    shape: *const stride_xla_shape,
    minor_to_major: *mut i64,
    tile_dims: *mut i64,
    tile_dims_capacity: usize,
    tile_dim_sizes: *mut usize,
    tile_dim_sizes_capacity: usize,
    num_tiles: *mut usize,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function. Everything is checked before the first output is written.
    unsafe {
        report(error, || {
            let read = read_shape(shape);
            let shape = read.as_ref().map_err(|&error| error)?;
            let num_tiles = Output::new(num_tiles, Argument::Count)?;
            pjrt::check_tiled(shape)?;
            let tiles = shape.tiles();
            check_room(tile_dims, tiles.sizes().len(), tile_dims_capacity, Argument::Tile)?;
            check_room(tile_dim_sizes, tiles.len(), tile_dim_sizes_capacity, Argument::Ranks)?;
            write_entries(minor_to_major, shape.minor_to_major(), Argument::MinorToMajor)?;
            write_entries(tile_dims, tiles.sizes(), Argument::Tile)?;
            for (item, tile) in tiles.iter().enumerate() {
                tile_dim_sizes.add(item).write(tile.len());
            }
            num_tiles.write(tiles.len());
            Ok(())
        })
    }
}

/// Whether an output array takes so many entries.
fn check_room<T>(pointer: *mut T, entries: usize, capacity: usize, argument: Argument) -> Result<()> {
    if entries > capacity {
        let error = Error::new(Status::InvalidArgument).argument(argument);
        return Err(error.wide_numbers(entries as i128, capacity as i128));
    }
    if entries > 0 && pointer.is_null() { Err(null(argument)) } else { Ok(()) }
}
