//! Your own kernel
//!
//! Up to STRIDE_RUNS_MAX_OPERANDS layouts of equal sizes become one set of loops, as few as possible, which are walked
//! run by run. The library gives the offset of each run in every operand, and the caller's loop goes over its elements;
//! the library touches no tensor memory. Layouts of other sizes are broadcast first, by `stride_broadcast_layouts`.
//! examples/c/add.c adds three operands of different layouts.
//!
//! Example: a row is added to each row of a matrix.
//!
//!   float a[6] = {1, 2, 3, 4, 5, 6}, b[3] = {10, 20, 30}; int64_t sizes[2] = {2, 3}, at[2]; uint64_t n, k;
//!   stride_layout in[2]; stride_runs runs;
//!   stride_layout_init(&in[0], STRIDE_DTYPE_F32, 2, sizes, NULL, NULL); in[1] = in[0]; in[1].strides[0] = 0;
//!   for (stride_runs_init(&runs, 2, in, NULL); !stride_runs_next(&runs, 2, at, &n, NULL) && n > 0;)
//!     for (k = 0; k < n; k++) a[at[0] / 4 + k] += b[at[1] / 4 + k];
//!   assert(a[0] == 11 && a[5] == 36);

use super::boundary::{Output, check_entries, check_given, null, write_entries};
use super::layout::{read_layout, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, Detail, Result, Status};
use crate::model::{Layout, LayoutStorage};
use crate::runs::{Header, Joint, LEVELS, Level, OPERANDS, Runs, RunsMut, RunsView, levels_in_use};
use arrayvec::ArrayVec;
use core::mem::size_of;
use core::ptr::addr_of;

/// The most operands that have joint loops.
pub const STRIDE_RUNS_MAX_OPERANDS: u32 = 8;

/// The runs of several operands that are left: 4096 bytes without any address. Copies of it go on independently.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct stride_runs {
    /// Opaque. Word 0 identifies runs, their format and the number of words in use; words that are not in use are
    /// neither written nor read. Belongs to this version of the library.
    pub words: [u64; 512],
}

const _: () = assert!(size_of::<Header>() + LEVELS * size_of::<Level>() <= size_of::<stride_runs>());
const _: () = assert!(OPERANDS == STRIDE_RUNS_MAX_OPERANDS as usize);

/// The caller's layouts, one to eight.
///
/// # Safety
/// `pointer` is null, or `count` layouts whose fields and first `rank` entries are readable while the result lives.
#[inline(always)] // the result is large
unsafe fn read_layouts<'a>(pointer: *const stride_layout, count: u32) -> Result<ArrayVec<Layout<'a>, OPERANDS>> {
    let error = Status::InvalidRank.of(Argument::Count);
    let mut layouts = ArrayVec::new();
    match count {
        0 => return Err(error.because(Detail::Below, 0, 1)),
        1..=STRIDE_RUNS_MAX_OPERANDS => {}
        _ => return Err(error.because(Detail::Above, count as i64, OPERANDS as i64)),
    }
    check_given(pointer, Argument::In)?;
    for k in 0..count as usize {
        // SAFETY: not null (`check_given`), and `k` is below the number of layouts (# Safety).
        let layout = unsafe { read_layout(pointer.wrapping_add(k), Argument::In) };
        let _ = layouts.try_push(layout.map_err(|error| error.item(k))?); // at most as many as there is room for
    }
    Ok(layouts)
}

/// The words of an iterator: the header, and the first level.
fn parts_of(runs: *mut stride_runs) -> (*mut Header, *mut Level) {
    // Both are words of 64 bits of any value, one after the other.
    let header = runs.cast::<Header>();
    (header, header.wrapping_add(1).cast())
}

/// The caller's runs, as far as they are in use.
///
/// # Safety
/// `pointer` is null, or the words in use are readable while the result lives.
unsafe fn read_runs<'a>(pointer: *const stride_runs) -> Result<RunsView<'a>> {
    check_given(pointer, Argument::Runs)?;
    let (header, levels) = parts_of(pointer.cast_mut());
    // SAFETY: not null (`check_given`); the words in use are readable (# Safety). Word 0 says how many levels those
    // are, at most as many as the struct holds (`levels_in_use`).
    unsafe {
        let used = levels_in_use(addr_of!((*pointer).words).cast::<u64>().read());
        RunsView::new(&*header, core::slice::from_raw_parts(levels, used))
    }
}

/// The caller's runs, to be moved on; none if the words are not those of runs of `count` operands.
///
/// # Safety
/// The words in use are readable and writable while the result lives.
#[inline]
unsafe fn some_runs<'a>(pointer: *mut stride_runs, count: u32) -> Option<RunsMut<'a>> {
    let (header, levels) = parts_of(pointer);
    // SAFETY: the words in use are the caller's (# Safety). Word 0 says how many levels those are, at most as many as
    // the struct holds (`levels_in_use`).
    unsafe {
        let used = levels_in_use(addr_of!((*pointer).words).cast::<u64>().read());
        RunsMut::new(&mut *header, core::slice::from_raw_parts_mut(levels, used), count)
    }
}

/// Writes the words that are in use.
///
/// # Safety
/// The pointer of `out` is writable.
unsafe fn write_runs(out: Output<stride_runs>, runs: &Runs) {
    let ((header, levels), (to, first_level)) = (runs.words(), parts_of(out.0));
    // SAFETY: the struct is writable (# Safety), and holds the header and all levels (asserted above).
    unsafe {
        to.write(*header);
        core::ptr::copy_nonoverlapping(levels.as_ptr(), first_level, levels.len());
    }
}

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
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layouts_coalesce(
    count: u32,
    r#in: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        // The borrow of `in` ends here: `out` may be the same.
        let mut joint = Joint::nothing();
        joint.set_elements(&read_layouts(r#in, count)?)?;
        let out = Output::new(out, Argument::Out)?;
        let mut room = LayoutStorage::default();
        for k in 0..joint.operands() {
            Output(out.0.wrapping_add(k)).write_view(&joint.layout_in(k, &mut room)?);
        }
    })
}

/// All runs of several operands. The loops are those of `stride_layouts_coalesce`, and the last one is the run. If it
/// has fewer than 8 elements and another loop is at least four times as long, the run is the longest loop, or an even
/// part of it that stays in a cache, if there is one. Then there are fewer runs, and it may be that no operand has a
/// step of one element.
///
/// Arrays: in[count].
///
/// Returns: as `stride_layouts_coalesce`; UNSUPPORTED for elements below a byte, and for more than 49 loops; OVERFLOW
/// if an offset or a stride in bytes does not fit int64_t. Operands without elements have no runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_runs_init(
    out: *mut stride_runs,
    count: u32,
    r#in: *const stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (mut joint, mut runs) = (Joint::nothing(), Runs::nothing());
        joint.set_bytes(&read_layouts(r#in, count)?)?;
        runs.set(&joint)?;
        write_runs(Output::new(out, Argument::Out)?, &runs);
    })
}

/// Bytes between the elements of a run in each operand, the same for all runs. They may be 0, and below 0 except in the
/// first operand that moves. All are 0 if runs have one element.
///
/// Arrays: byte_strides[count].
///
/// Returns: INVALID_RANK unless `count` is the number of operands; INVALID_ARGUMENT if `runs` are not valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_runs_strides(
    runs: *const stride_runs,
    count: u32,
    byte_strides: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let strides = read_runs(runs)?.strides();
        write_entries(byte_strides, count, &strides, Argument::Count, Argument::ByteStrides)
    })
}

/// The next run: its number of elements, and for each operand the bytes from the base pointer to its first element. At
/// the end `*elements` is 0, on every further call too, and `byte_offsets` is left as it is. In C and C++
/// `stride_runs_step` of stride_runs.h is this function without a call.
///
/// Arrays: byte_offsets[count].
///
/// Returns: as `stride_runs_strides`. Runs that were tampered with give wrong offsets; no memory is touched.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_runs_next(
    runs: *mut stride_runs,
    count: u32,
    byte_offsets: *mut i64,
    elements: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers are null, or valid for `Arrays:` (stride.h, Pointers); `some_runs` checks the count of operands.
    unsafe {
        if runs.is_null() || byte_offsets.is_null() || elements.is_null() {
            return no_run(runs, count, byte_offsets, elements, error);
        }
        match some_runs(runs, count) {
            Some(mut left) => {
                elements.write(left.next(|operand, offset| byte_offsets.wrapping_add(operand).write(offset)));
                Status::Ok.number()
            }
            None => no_run(runs, count, byte_offsets, elements, error),
        }
    }
}

/// The next runs in one call, at most `most` of them, all of the same number of elements: for languages in which a call
/// is expensive, and for runs of a few dozen elements. Operand k of run number i begins at byte_offsets[i * count + k].
/// `*found` is the number of runs, 0 only at the end.
///
/// Arrays: byte_offsets[count x most].
///
/// Returns: as `stride_runs_next`; INVALID_ARGUMENT if `most` is 0.
///
/// Time: in proportion to `*found`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_runs_next_many(
    runs: *mut stride_runs,
    count: u32,
    most: u64,
    byte_offsets: *mut i64,
    found: *mut u64,
    elements: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        check_entries(byte_offsets, count, read_runs(runs)?.operands(), Argument::Count, Argument::ByteOffsets)?;
        Status::InvalidArgument.of(Argument::Most).unless(most != 0, Detail::Below, 0, 1)?;
        let (found, elements) = (Output::new(found, Argument::Found)?, Output::new(elements, Argument::Elements)?);
        let Some(mut left) = some_runs(runs, count) else { return Err(null(Argument::Runs)) }; // seen above
        // Room for `most` runs is less than the address space.
        let (runs, each) = left.next_many(most, |number, operand, offset| {
            byte_offsets.wrapping_add(number as usize * count as usize + operand).write(offset)
        });
        found.write(runs);
        elements.write(each);
    })
}

/// The error of [`stride_runs_next`], which is called for every few elements and so only sees that there is one.
///
/// # Safety
/// Pointers are null, or valid for the `Arrays:` of [`stride_runs_next`].
#[cold]
unsafe fn no_run(
    runs: *const stride_runs,
    count: u32,
    byte_offsets: *mut i64,
    elements: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let operands = read_runs(runs)?.operands();
        check_entries(byte_offsets, count, operands, Argument::Count, Argument::ByteOffsets)?;
        Output::new(elements, Argument::Elements)?;
    })
}

/// Part `part` of `parts` of the runs that are left, as runs of its own: all parts together give each element once, and
/// may go to threads. They are about equal: whole runs if each part has 16 or more, else runs cut at multiples of 16
/// elements. With fewer elements the last parts have more, and others nothing.
///
/// Returns: INVALID_ARGUMENT unless part < parts, and if `runs` are not valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_runs_part(
    runs: *const stride_runs,
    part: u32,
    parts: u32,
    out: *mut stride_runs,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let mut share = Runs::nothing();
        share.set_part(&read_runs(runs)?, part, parts)?;
        write_runs(Output::new(out, Argument::Out)?, &share);
    })
}
