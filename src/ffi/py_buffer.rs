//! Python's buffers
//!
//! stride_py_buffer has the memory layout of Py_buffer, which is part of Python's stable ABI since 3.11: cast one to
//! the other. A buffer's pointer is index (0, ..., 0), so its layout has offset 0, and a mirrored one reaches below it:
//! `stride_layout_rebase` gives the distance. A type string is `typestr` of NumPy's array interface: order, kind and
//! bytes. Sources: "Buffer Protocol" of Python's C API manual, PEP 3118, Python's struct module; NumPy's array
//! interface.
//!
//! Example: memoryview(bytes(24)).cast('i', (2, 3))[::-1], whose strides in Python are (-12, 4).
//!
//!   ptrdiff_t shape[2] = {2, 3}, strides[2] = {-12, 4}; char format[2] = "i"; stride_layout rows; uint32_t dtype;
//!   stride_py_buffer view = {NULL, NULL, 24, 4, 1, 2, format, shape, strides, NULL, NULL};
//!   stride_layout_from_py_buffer(&view, &rows, NULL);
//!   assert(rows.dtype == STRIDE_DTYPE_S32 && rows.offset == 0 && rows.strides[0] == -3 && rows.strides[1] == 1);
//!   stride_dtype_from_typestr("|V12", 4, &dtype, NULL);
//!   assert(dtype == (STRIDE_DTYPE_BYTES | 12));

use super::boundary::{Output, check_given, text_in, write_text};
use super::layout::stride_layout;
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, Result};
use crate::model::{Dtype, MAX_RANK};
use crate::vocabulary::dlpack::rank_of;
use crate::vocabulary::py_buffer::{self, Buffer, FORMAT_BYTES, Fields};
use core::ffi::{c_char, c_void};
use core::ptr::addr_of;

/// Py_buffer: 80 bytes with fields at 0, 8, 16, 24, 32, 36, 40, 48, 56, 64 and 72 on 64-bit machines.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_py_buffer {
    /// The memory, which the library never reads.
    pub buf: *mut c_void,
    /// The exporting object; not read.
    pub obj: *mut c_void,
    /// Bytes of all elements together.
    pub len: isize,
    /// Bytes of an element.
    pub itemsize: isize,
    /// 1 if the memory is read-only; not read.
    pub readonly: i32,
    /// Number of dimensions.
    pub ndim: i32,
    /// An element's type as in the struct module; NULL: not given.
    pub format: *mut c_char,
    /// Elements along each dimension; NULL: not given, the buffer is `len` bytes.
    pub shape: *mut isize,
    /// Bytes between neighbours along each dimension; NULL: packed.
    pub strides: *mut isize,
    /// NULL, or an entry for each dimension: 0 or above if its elements are pointers to follow, else below 0.
    pub suboffsets: *mut isize,
    /// The exporter's own.
    pub internal: *mut c_void,
}

/// A caller's list of numbers as wide as this machine's pointers, in 64 bits.
///
/// # Safety
/// `pointer` is null, or readable for as many entries as `room` has.
unsafe fn widened(pointer: *const isize, room: &mut [i64]) -> Option<&[i64]> {
    if pointer.is_null() {
        return None;
    }
    for (place, slot) in room.iter_mut().enumerate() {
        // SAFETY: not null; `place` is below the number of readable entries (# Safety).
        *slot = unsafe { pointer.add(place).read() } as i64;
    }
    Some(room)
}

/// The beginning of a format, which tells it from all others, or O if it has a reference to an object anywhere. No byte
/// after the terminator is read.
///
/// # Safety
/// `pointer` is null, or a readable text with a terminator.
unsafe fn format_of(pointer: *const c_char, room: &mut [u8; FORMAT_BYTES]) -> Option<&[u8]> {
    if pointer.is_null() {
        return None;
    }
    let (mut length, mut fields) = (0, Fields::default());
    loop {
        // SAFETY: the text is readable up to its terminator (# Safety), which is none of the bytes before this one.
        match unsafe { pointer.cast::<u8>().add(length).read() } {
            0 => return room.get(..length.min(FORMAT_BYTES)),
            letter if fields.is_object(letter) => return Some(b"O"),
            letter => {
                if let Some(slot) = room.get_mut(length) {
                    *slot = letter;
                }
            }
        }
        length += 1;
    }
}

/// The layout of a buffer, counted from `buf`. Without `shape` it is `len` bytes; without `strides` packed; without
/// `format` its items are u8 if they have one byte, else plain bytes. With `ndim` 0 it is one item.
///
/// Formats that are a number's letters give its type ('<f', 'D' or 'Zd', '?'; 'l', 'L', 'n' and 'N' have 4 or 8 bytes,
/// with any mark for the byte order), with STRIDE_DTYPE_SWAPPED in the other byte order ('>f'). Every other format,
/// such as '12s' or 'T{...}', gives plain bytes of `itemsize`. Strides are in bytes and may be negative. If one is not
/// a whole number of items (a field of packed records), the layout is that of `stride_layout_init_bytes`: u8, with the
/// bytes of each item as one more dimension.
///
/// Returns: INVALID_RANK (`ndim`); INVALID_DTYPE (an item size that no element has; a letter of another size; a long
/// double in the other byte order; 'O' anywhere but in a field's name: references to objects); INVALID_SIZE;
/// SHAPE_MISMATCH (`len` is not `itemsize` times the elements); NOT_REPRESENTABLE (`suboffsets`: pointers to follow);
/// OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_from_py_buffer(
    view: *const stride_py_buffer,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        check_given(view, Argument::View)?;
        let ndim = rank_of(addr_of!((*view).ndim).read())?;
        let mut format = [0; FORMAT_BYTES];
        let mut rooms = [[0i64; MAX_RANK]; 3];
        let [sizes, byte_strides, suboffsets] = rooms.each_mut().map(|room| &mut room[..ndim.min(MAX_RANK)]);
        let buffer = Buffer {
            format: format_of(addr_of!((*view).format).read(), &mut format),
            len: addr_of!((*view).len).read() as i64,
            itemsize: addr_of!((*view).itemsize).read() as i64,
            ndim,
            sizes: widened(addr_of!((*view).shape).read(), sizes),
            byte_strides: widened(addr_of!((*view).strides).read(), byte_strides),
            suboffsets: widened(addr_of!((*view).suboffsets).read(), suboffsets),
        };
        Output::new(out, Argument::Out)?.write_made(|out| py_buffer::to_layout_in(&buffer, out))
    })
}

/// The type that an array interface's type string names: "<f4", "|b1", "<c16"; with STRIDE_DTYPE_SWAPPED in the other
/// byte order. Long doubles, dates, strings, structs ("|V12", "<U3", "<M8[ns]") and all widths that no number has are
/// plain bytes. `length` counts the bytes of `text`.
///
/// Arrays: text[length].
///
/// Returns: PARSE with the byte that is wrong (also for references to objects, "|O8", and bit fields); INVALID_DTYPE (a
/// size that no element has; plain bytes in the other byte order, such as ">U3" on x86-64).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_from_typestr(
    text: *const c_char,
    length: u64,
    out: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let text = text_in(text, length)?;
        Output::new(out, Argument::Out)?.write(py_buffer::dtype_of_typestr(text)?.code());
    })
}

/// Writes the type string of a type: on x86-64 "<f4", with STRIDE_DTYPE_SWAPPED ">f4"; plain bytes are "|V12". At most
/// 10 characters.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_DTYPE (no such type, or one without a type string: bf16, f8e5m2, s4).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_to_typestr(
    dtype: u32,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    let text = || -> Result<_> { py_buffer::typestr_of(Dtype::new(dtype)?) };
    report!(error, write_text(buffer, capacity, length, &text()?))
}
