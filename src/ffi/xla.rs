//! XLA
//!
//! stride_xla_shape is an array shape with its layout: order of the dimensions, padded sizes, tiles, storage width. It
//! is plain data: make it with `stride_xla_shape_init` or from text; write flags, tail alignment and memory space
//! directly. Sources: xla/layout.h, shape_util.cc, index_util.h and docs/tiled_layout.md of openxla/xla.
//!
//! The element at position p has its first bit at bit p * b of the buffer. b is the element bits, or if they are 0 the
//! type's, rounded up to whole bytes: a type smaller than a byte takes a whole byte unless the element bits, text E(4),
//! say less. Packed elements begin with the low bits of their byte, as in XLA since early 2025, or with the high bits
//! if the shape's flags have STRIDE_XLA_SHAPE_HIGH_FIRST.
//!
//! Tiles cut the buffer. Its dimensions D, most major first, begin as the padded sizes in the order of the layout; e is
//! an index in them. One tile t after the other takes the last dimensions, as many as it has sizes; if there are fewer,
//! dimensions of size 1 come before them. The tile merges those marked STRIDE_XLA_TILE_MERGE into the next more minor
//! one, and replaces them by ceil(D / t)..., t... and their index by e / t..., e mod t.... The dimensions after all
//! tiles are row-major: f32[3,5] by the tile (2,2) has the sizes (2,3,2,2), and index (2,3) is (1,1,0,1), position 17
//! of 24.
//!
//! Every function that takes a shape checks it. The errors are INVALID_DTYPE, INVALID_RANK, INVALID_SIZE with the
//! dimension, INVALID_AXES with the entry, INVALID_ARGUMENT, INVALID_TILE with the tile and the entry in it, OVERFLOW,
//! UNSUPPORTED. A dynamic dimension without a bound has the size STRIDE_XLA_UNBOUNDED. Such a shape is valid, has a
//! text, and can be padded, tiled and given other storage bits; every other function returns UNSUPPORTED with the
//! dimension.
//!
//! Example: bf16[30,100] in tiles of 8 x 128.
//!
//!   int64_t index[2] = {9, 99}, position; uint64_t bytes;
//!   stride_xla_shape shape;
//!   stride_xla_shape_parse("bf16[30,100]{1,0:T(8,128)}", 26, &shape, NULL);
//!   stride_xla_shape_byte_size(&shape, &bytes, NULL);
//!   stride_xla_linear_index(&shape, 2, index, &position, NULL);
//!   assert(bytes == 32 * 128 * 2 && position == 8 * 128 + 1 * 128 + 99);

use super::boundary::{Entries, Output, array, checked_rank, optional_array, ranked, text_in, write_text};
use super::layout::STRIDE_MAX_RANK;
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, Detail, Error, ForArgument, Result, Status, check_count, check_flags};
use crate::model::Dtype;
use crate::vocabulary::xla::{PaddingKind, Shape, Tiles, text};
use core::ffi::c_char;
use core::ptr::{addr_of, addr_of_mut};

/// Flag of a shape: elements packed below a byte begin with the high bits of their byte, as in XLA before 2025. No
/// effect on other elements.
pub const STRIDE_XLA_SHAPE_HIGH_FIRST: u32 = 1;

/// Padding: not specified.
pub const STRIDE_XLA_PADDING_NONE: u32 = 0;
/// Padding holds the number 0.
pub const STRIDE_XLA_PADDING_ZERO: u32 = 1;
/// Padding holds the number 1.
pub const STRIDE_XLA_PADDING_ONE: u32 = 2;
/// Padding holds the lowest number of the type, minus infinity where it has one.
pub const STRIDE_XLA_PADDING_LOWEST: u32 = 3;
/// Padding holds the highest number of the type, infinity where it has one.
pub const STRIDE_XLA_PADDING_HIGHEST: u32 = 4;
/// Padding holds anything.
pub const STRIDE_XLA_PADDING_UNKNOWN: u32 = 5;

/// The most tiles of a shape; their sizes are at most 64 together.
pub const STRIDE_XLA_MAX_TILES: usize = 8;
/// In a tile: join this dimension with the next more minor one. Text *.
pub const STRIDE_XLA_TILE_MERGE: i64 = i64::MIN;

/// The size of a dynamic dimension without a bound. Text ?.
pub const STRIDE_XLA_UNBOUNDED: i64 = i64::MIN;

/// An XLA array shape with its layout.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct stride_xla_shape {
    /// STRIDE_DTYPE_...: not plain bytes, without STRIDE_DTYPE_HIGH_FIRST (see `flags`) and STRIDE_DTYPE_SWAPPED.
    pub dtype: u32,
    /// Number of dimensions, 0 to 64.
    pub rank: u32,
    /// Storage bits of an element, 0: whole bytes. Text E(...).
    pub element_bits: u32,
    /// STRIDE_XLA_PADDING_...
    pub padding_kind: u32,
    /// Number of tiles. Text T(...).
    pub tile_count: u32,
    /// STRIDE_XLA_SHAPE_...
    pub flags: u32,
    /// The buffer's element count is rounded up to a multiple of this; at least 1. Text L(...).
    pub tail_alignment: i64,
    /// Number of a memory; kept, without effect. Text S(...).
    pub memory_space: i64,
    /// Bit k: dimension k is dynamic and its size is the bound, text <=, or STRIDE_XLA_UNBOUNDED, text ?.
    pub dynamic_dimensions: u64,
    /// Elements along each dimension.
    pub sizes: [i64; STRIDE_MAX_RANK],
    /// Dimension numbers, fastest varying first.
    pub minor_to_major: [i64; STRIDE_MAX_RANK],
    /// Sizes of the buffer along each dimension: the size, or more if the dimension is padded.
    pub padded_sizes: [i64; STRIDE_MAX_RANK],
    /// Sizes of all tiles, one tile after the other.
    pub tile_sizes: [i64; STRIDE_MAX_RANK],
    /// Number of sizes of each tile.
    pub tile_ranks: [u32; STRIDE_XLA_MAX_TILES],
}

/// Reads and checks the caller's shape, all of whose dimensions must have a bound.
///
/// # Safety
/// `pointer` is null, or a shape whose fields and entries in use are readable.
#[inline(never)]
pub(super) unsafe fn read_shape(pointer: *const stride_xla_shape) -> Result<Shape> {
    // SAFETY: `pointer` is null or readable (# Safety).
    let read = unsafe { read_any_shape(pointer) };
    if let Ok(shape) = &read {
        shape.check_bounded()?;
    }
    read
}

/// Reads and checks the caller's shape, each entry once.
///
/// # Safety
/// `pointer` is null, or a shape whose fields and entries in use are readable.
#[inline(never)] // its stack is free again when the shape is used
unsafe fn read_any_shape(pointer: *const stride_xla_shape) -> Result<Shape> {
    let error = |status: Status| status.of(Argument::Shape);
    if pointer.is_null() {
        return Err(error(Status::NullPointer));
    }
    // SAFETY: not null; fields and entries in use are readable (# Safety). Rank and tile sizes are at most 64, tiles at
    // most 8: as many as the arrays have.
    unsafe {
        let rank = checked_rank(addr_of!((*pointer).rank).read_volatile(), Argument::Shape)?;
        let (mut order, mut sizes) = (Entries::new(), Entries::new());
        let mut shape = || -> Result<Shape> {
            let dtype = Dtype::new(addr_of!((*pointer).dtype).read_volatile())?;
            let order = order.read(addr_of!((*pointer).minor_to_major).cast(), rank);
            let kind = PaddingKind::new(addr_of!((*pointer).padding_kind).read_volatile())?;
            let bits = addr_of!((*pointer).element_bits).read_volatile();
            let dynamic = addr_of!((*pointer).dynamic_dimensions).read_volatile();
            let first_sizes = sizes.read(addr_of!((*pointer).sizes).cast(), rank);
            let mut shape = Shape::dynamic(dtype, first_sizes, Some(order), bits, dynamic)?;
            shape.set_padding(sizes.read(addr_of!((*pointer).padded_sizes).cast(), rank), kind)?;
            shape.set_tail_alignment(addr_of!((*pointer).tail_alignment).read_volatile())?;
            let tile_count = addr_of!((*pointer).tile_count).read_volatile();
            let (fits, most) = (tile_count as usize <= STRIDE_XLA_MAX_TILES, STRIDE_XLA_MAX_TILES as i64);
            error(Status::Unsupported).unless(fits, Detail::TooManyTiles, tile_count, most)?;
            let tile_ranks = addr_of!((*pointer).tile_ranks).cast::<u32>();
            let tile_sizes = addr_of!((*pointer).tile_sizes).cast::<i64>();
            let mut tiles = Tiles::NONE;
            for tile in 0..tile_count as usize {
                let (used, rank) = (tiles.sizes().len(), tile_ranks.add(tile).read_volatile());
                let (all, most) = (used as i64 + rank as i64, STRIDE_MAX_RANK as i64);
                error(Status::Unsupported).item(tile).unless(all <= most, Detail::TooManyTileSizes, all, most)?;
                tiles.push(sizes.read(tile_sizes.add(used), rank as usize))?;
            }
            shape.set_tiles(&tiles)?;
            shape.memory_space = addr_of!((*pointer).memory_space).read_volatile();
            let flags = addr_of!((*pointer).flags).read_volatile();
            check_flags(flags, STRIDE_XLA_SHAPE_HIGH_FIRST, Argument::Shape)?;
            shape.high_first = flags & STRIDE_XLA_SHAPE_HIGH_FIRST != 0;
            let (highest, rank) = (63 - dynamic.leading_zeros() as i64, rank as i64); // -1: none
            error(Status::InvalidArgument).unless(highest < rank, Detail::OutOfRange, highest, rank)?;
            Ok(shape)
        };
        let mut read = shape();
        if let Err(error) = &mut read {
            error.argument = Argument::Shape;
        }
        read
    }
}

impl Output<stride_xla_shape> {
    /// Writes a shape that was made without an error. It is large and stays where it was made.
    ///
    /// # Safety
    /// The pointer given to `new` is writable.
    pub(super) unsafe fn write_made_shape(self, made: &Result<Shape>) -> Result<()> {
        // SAFETY: the struct is writable (# Safety).
        made.as_ref().map(|shape| unsafe { self.write_shape(shape) }).map_err(|&error| error)
    }

    /// Writes the fields and the entries of the arrays that are in use.
    ///
    /// # Safety
    /// The pointer given to `new` is writable.
    pub(super) unsafe fn write_shape(self, shape: &Shape) {
        // SAFETY: the struct is writable (# Safety); its arrays have room for the lists of any `Shape`.
        unsafe {
            addr_of_mut!((*self.0).dtype).write(shape.dtype().code());
            addr_of_mut!((*self.0).rank).write(shape.rank() as u32);
            addr_of_mut!((*self.0).element_bits).write(shape.element_bits());
            addr_of_mut!((*self.0).padding_kind).write(shape.padding_kind as u32);
            addr_of_mut!((*self.0).tile_count).write(shape.tiles().len() as u32);
            let flags = if shape.high_first { STRIDE_XLA_SHAPE_HIGH_FIRST } else { 0 };
            addr_of_mut!((*self.0).flags).write(flags);
            addr_of_mut!((*self.0).tail_alignment).write(shape.tail_alignment());
            addr_of_mut!((*self.0).memory_space).write(shape.memory_space);
            addr_of_mut!((*self.0).dynamic_dimensions).write(shape.dynamic);
            Output(addr_of_mut!((*self.0).sizes).cast::<i64>()).write_all(shape.sizes());
            Output(addr_of_mut!((*self.0).minor_to_major).cast::<i64>()).write_all(shape.minor_to_major());
            Output(addr_of_mut!((*self.0).padded_sizes).cast::<i64>()).write_all(shape.padded_sizes());
            Output(addr_of_mut!((*self.0).tile_sizes).cast::<i64>()).write_all(shape.tiles().sizes());
            for (tile, sizes) in shape.tiles().iter().enumerate() {
                addr_of_mut!((*self.0).tile_ranks).cast::<u32>().add(tile).write(sizes.len() as u32);
            }
        }
    }
}

/// The result of `then` for a shape, which is large and stays where it was read.
///
/// # Safety
/// `shape` is null or readable.
pub(super) unsafe fn with_shape<T>(
    shape: *const stride_xla_shape,
    then: impl FnOnce(&Shape) -> Result<T>,
) -> Result<T> {
    // SAFETY: `shape` is null or readable (# Safety).
    unsafe { read_shape(shape) }.as_ref().map_err(|&error| error).and_then(then)
}

/// Writes the answer to a question about a shape.
///
/// # Safety
/// `shape` is null or readable, `out` null or writable.
pub(super) unsafe fn ask<T>(
    shape: *const stride_xla_shape,
    out: *mut T,
    argument: Argument,
    question: impl FnOnce(&Shape) -> Result<T>,
) -> Result<()> {
    // SAFETY: `shape` is null or readable, `out` null or writable (# Safety).
    unsafe { with_shape(shape, |shape| Output::new(out, argument)?.write_found(question(shape))) }
}

/// Changes a shape, if the change succeeds.
///
/// # Safety
/// `shape` is null, or readable and writable.
unsafe fn change(shape: *mut stride_xla_shape, by: impl FnOnce(&mut Shape) -> Result<()>) -> Result<()> {
    // SAFETY: `shape` is null, or readable and writable (# Safety); `read_any_shape` checked null.
    unsafe {
        let mut new = read_any_shape(shape)?;
        by(&mut new)?;
        Output(shape).write_shape(&new);
    }
    Ok(())
}

/// The error of a shape whose sizes alone are given: it names the sizes.
pub(super) fn in_sizes(shape: Result<Shape>) -> Result<Shape> {
    shape.map_err(|error| match error.argument {
        Argument::None | Argument::PaddedSizes => Error { argument: Argument::Sizes, ..error },
        _ => error,
    })
}

/// An unpadded shape. `minor_to_major` lists the dimensions, fastest varying first; NULL: descending, which is
/// row-major.
///
/// Arrays: sizes[rank], minor_to_major[rank] or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_init(
    out: *mut stride_xla_shape,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    minor_to_major: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let out = Output::new(out, Argument::Out)?;
        let (dtype, sizes) = (Dtype::new(dtype)?, ranked(sizes, rank, Argument::Sizes)?);
        out.write_made_shape(&in_sizes(Shape::new(dtype, sizes, optional_array(minor_to_major, sizes.len()))))
    })
}

/// Sets the padded sizes, each at least the size, and the contents of the padding, `kind` (STRIDE_XLA_PADDING_...). 2x3
/// padded to 3x5 with dimension 0 fastest and zeros: a d 0 b e 0 c f 0 0 0 0 0 0 0.
///
/// Arrays: padded_sizes[rank].
///
/// Returns: INVALID_SIZE with the dimension; INVALID_ARGUMENT for the kind; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_set_padding(
    shape: *mut stride_xla_shape,
    rank: u32,
    padded_sizes: *const i64,
    kind: u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        change(shape, |new| {
            let rank = checked_rank(rank, Argument::Rank)?;
            check_count(rank, new.rank(), Argument::Rank)?;
            let padded = array(padded_sizes, rank, Argument::PaddedSizes)?;
            let kind = PaddingKind::new(kind)?;
            new.set_padding(padded, kind).in_role(Argument::PaddedSizes)
        })
    })
}

/// Sets the storage bits of an element, text E(...): a power of two up to 128 that holds the type; 0: whole bytes.
///
/// Returns: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_set_element_bits(
    shape: *mut stride_xla_shape,
    element_bits: u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, change(shape, |new| new.set_element_bits(element_bits).in_role(Argument::ElementBits)))
}

/// Cuts the buffer by one more tile of `count` sizes, most major first, which acts on the result of the tiles before. A
/// size is above 0 or STRIDE_XLA_TILE_MERGE.
///
/// Arrays: tile[count].
///
/// Returns: INVALID_TILE with the tile's number and the place in it; UNSUPPORTED beyond 8 tiles or 64 sizes, with
/// both numbers; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_add_tile(
    shape: *mut stride_xla_shape,
    count: u32,
    tile: *const i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        change(shape, |new| {
            let (fits, most) = (count as usize <= STRIDE_MAX_RANK, STRIDE_MAX_RANK as i64);
            Status::Unsupported.of(Argument::Count).unless(fits, Detail::TooManyTileSizes, count, most)?;
            new.add_tile(array(tile, count as usize, Argument::Tile)?).in_role(Argument::Tile)
        })
    })
}

/// Reads a shape from text such as "f32[2,3]{0,1}" or "bf16[<=8,?,1004]{2,1,0:T(2,*,128)(2,1)L(4)E(16)S(1)}": tiles,
/// tail alignment, element bits and memory space, in this order. `length` counts the bytes of `text`. Without a layout
/// the order is descending. White space and C comments may stand between tokens.
///
/// Arrays: text[length].
///
/// Returns: PARSE with the byte position; UNSUPPORTED with the position for tuples, tokens, sparse and split
/// layouts, and beyond 8 tiles or 64 sizes of them; INVALID_RANK above 64; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_parse(
    text: *const c_char,
    length: u64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let text = text_in(text, length)?;
        Output::new(out, Argument::Out)?.write_made_shape(&text::parse(text))
    })
}

/// Writes the shape as XLA prints it: the order if the rank is above 0, and each other section that is not the default.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: NOT_REPRESENTABLE with the dimension that is padded, and for STRIDE_XLA_SHAPE_HIGH_FIRST: neither has a
/// text in XLA (`stride_xla_shape_describe` writes both).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_format(
    shape: *const stride_xla_shape,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let shape = read_any_shape(shape)?;
        text::check_printable(&shape)?;
        write_text(buffer, capacity, length, &shape)
    })
}

/// Writes the whole shape, for people: the text of `stride_xla_shape_format`, then the padding and flags that XLA's
/// text lacks: "f32[2,3]{1,0}, padded to [4,128], zeros in the padding". Not to be parsed.
///
/// Arrays: buffer[capacity], length or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_describe(
    shape: *const stride_xla_shape,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let shape = read_any_shape(shape)?;
        write_text(buffer, capacity, length, &text::Described(&shape))
    })
}

/// Checks that the struct is a valid shape; the error says what is wrong with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_validate(
    shape: *const stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, read_any_shape(shape).map(drop))
}
