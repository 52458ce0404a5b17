//! Facts
//!
//! Properties of a layout: whether it fits a buffer, its packed run, the alignment of its elements and rows, the order
//! of its dimensions. `stride_layout_query` writes most of them in one call.
//!
//! The packed run of a layout is the longest tail of dimensions that lie packed together; dimensions of size 1 are
//! skipped. A row is one such run: there is one for each index of the other dimensions.
//!
//! Example: rows of 640 pixels of three bytes, 2048 bytes apart.
//!
//!   int64_t sizes[3] = {480, 640, 3};
//!   stride_layout image;
//!   stride_layout_facts facts = STRIDE_LAYOUT_FACTS_INIT;
//!   stride_layout_init_aligned(&image, STRIDE_DTYPE_U8, 3, sizes, 0, 256, NULL);
//!   stride_layout_query(&image, &facts, NULL);
//!   assert(facts.run_elements == 1920 && facts.row_alignment == 2048 && facts.min_bytes == 479 * 2048 + 1920);

use super::boundary::{Output, array, check_entries, checked_rank, write_entries};
use super::layout::{read_layout, stride_layout};
use super::sized::{SizedOutput, init_sized};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, check_count};
use crate::model::MAX_RANK;

/// Facts about a layout; begin with STRIDE_LAYOUT_FACTS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_layout_facts {
    /// sizeof(stride_layout_facts), set by the caller.
    pub struct_size: u32,
    /// STRIDE_FORMAT_... flags: every format that holds.
    pub formats: u32,
    /// Elements; 0 if the layout is empty.
    pub element_count: i64,
    /// Lowest element offset that any index reaches, in elements from the base pointer; 0 if the layout is empty.
    pub lowest: i64,
    /// Highest element offset; -1 if the layout is empty.
    pub highest: i64,
    /// Bytes that the buffer must have; UINT64_MAX: no buffer fits, since an element lies below the base pointer.
    pub min_bytes: u64,
    /// Bytes of a packed copy; UINT64_MAX if they are too many (repeated elements).
    pub packed_bytes: u64,
    /// Bits of an element.
    pub element_bits: u32,
    /// Dimensions of the packed run.
    pub run_dimensions: u32,
    /// Elements of the packed run.
    pub run_elements: i64,
    /// Bytes: the largest power of two that divides the address of every element, if the base pointer is aligned to as
    /// much. If it is aligned to less, the smaller number holds.
    pub element_alignment: u64,
    /// Bytes: the largest power of two that divides the address of every row's first element, on that condition.
    pub row_alignment: u64,
}

/// STRIDE_LAYOUT_FACTS_INIT as a function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_facts_init(out: *mut stride_layout_facts) -> stride_status {
    // SAFETY: `out` is null or writable (stride.h, Pointers).
    unsafe { init_sized(out) }
}

/// Checks that every element lies in a buffer of `buffer_bytes`. An empty layout fits any.
///
/// Returns: OUT_OF_BOUNDS with the bytes needed and given (PAST_END), or with the lowest byte if an element lies below
/// the base pointer (BEFORE_START).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_fits(
    layout: *const stride_layout,
    buffer_bytes: u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, read_layout(layout, Argument::Layout)?.fits(buffer_bytes))
}

/// All facts at once, for callers to whom a call costs more than an answer.
///
/// Requires: `out->struct_size` is set.
///
/// Returns: INVALID_ARGUMENT for `struct_size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_query(
    layout: *const stride_layout,
    out: *mut stride_layout_facts,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let out = SizedOutput::new(out, Argument::Out)?;
        let facts = layout.facts();
        out.write(&stride_layout_facts {
            struct_size: 0, // stays as it is
            formats: facts.formats,
            element_count: facts.element_count,
            lowest: facts.lowest,
            highest: facts.highest,
            min_bytes: facts.min_bytes.unwrap_or(u64::MAX),
            packed_bytes: facts.packed_bytes.unwrap_or(u64::MAX),
            element_bits: facts.element_bits,
            run_dimensions: facts.run.0 as u32,
            run_elements: facts.run.1,
            element_alignment: facts.alignment.0,
            row_alignment: facts.alignment.1,
        });
    })
}

/// The largest powers of two, in bytes, that divide the address of every element, and that of every row's first
/// element, if `base_alignment` (a power of two) divides the base pointer. The address of an element below a byte is
/// that of its byte. An empty layout has the base's alignment. Packed f32 {4,3} with a base alignment of 64: elements
/// 4, the one row 64.
///
/// Returns: INVALID_ARGUMENT unless `base_alignment` is a power of two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_alignment(
    layout: *const stride_layout,
    base_alignment: u64,
    element: *mut u64,
    row: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let (element, row) = (Output::new(element, Argument::Element)?, Output::new(row, Argument::Row)?);
        let found = layout.alignment(base_alignment)?;
        element.write(found.0);
        row.write(found.1);
    })
}

/// The packed run: the number of trailing dimensions that lie packed together, and of their elements. The innermost
/// stride is 1, each other one the number of elements inside it. Dimensions of size 1 are counted; their strides are
/// ignored. {3,3,1,96} with strides {288,96,96,1}: 4 dimensions, 864 elements; {4,16} with {18,1}: 1, 16; {4} with {2}:
/// 0, 1. An empty layout is one run of 0 elements. (MLIR, MemRefType::getMaxContiguousTrailingDims.)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_contiguous_run(
    layout: *const stride_layout,
    dimensions: *mut u32,
    elements: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let run = read_layout(layout, Argument::Layout)?.contiguous_run();
        let dimensions = Output::new(dimensions, Argument::Dimensions)?;
        let elements = Output::new(elements, Argument::Elements)?;
        dimensions.write(run.0 as u32);
        elements.write(run.1);
    })
}

/// The order of the dimensions in memory, outermost first; gaps, repeats and mirrors are allowed. An order fits if the
/// strides of its dimensions of size > 1, without their signs, never grow (0 is the smallest). Dimensions of size 1,
/// and all dimensions of an empty layout, may stand anywhere. `preferred` is returned if it fits; (0, NULL) prefers
/// none. Otherwise the order is the canonical one: large strides first, equal ones by their number, a dimension of size
/// 1 before the nearest one of size > 1 on its right, or last if there is none. `*unique` becomes 1 if no other order
/// fits, else 0. {8,1,3,3} with strides {9,1,3,1}: {0,2,3,1} if that is preferred, else {0,1,2,3}. (ExecuTorch,
/// dim_order.)
///
/// Arrays: preferred[count], order[rank].
///
/// Returns: INVALID_RANK unless `count` is 0 or the layout's rank, and `rank` the layout's; INVALID_AXES with the entry
/// unless `preferred` is a permutation of 0 ... rank - 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_dim_order(
    layout: *const stride_layout,
    count: u32,
    preferred: *const i64,
    rank: u32,
    order: *mut i64,
    unique: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let count = checked_rank(count, Argument::Count)?;
        if count > 0 {
            check_count(count, layout.rank(), Argument::Count)?;
        }
        let preferred = array(preferred, count, Argument::Preferred)?;
        check_entries(order, rank, layout.rank(), Argument::Rank, Argument::Order)?;
        let unique = Output::new(unique, Argument::Unique)?;
        let mut found = [0i64; MAX_RANK];
        let only = layout.dim_order(preferred, &mut found)?;
        write_entries(order, rank, &found[..layout.rank()], Argument::Rank, Argument::Order)?;
        unique.write(only.into());
    })
}
