//! Errors
//!
//! A function returns a stride_status. The record of an error says more: the argument by its parameter's name, the
//! dimension, the rule that was broken, and the two numbers. `stride_error_format` makes a sentence of it. Branch on
//! the status; the numbers of arguments and rules are in stride_errors.h.
//!
//! Example: the sentence for a negative size.
//!
//!   int64_t sizes[2] = {3, -1};
//!   stride_layout layout; stride_error error; char sentence[200]; uint64_t length;
//!   assert(stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, sizes, NULL, &error) == STRIDE_STATUS_INVALID_SIZE);
//!   stride_error_format(&error, sentence, sizeof sentence, &length, NULL);
//!   assert(strcmp(sentence, "sizes, dimension 1: size -1 is negative") == 0);

use super::boundary::{null, write_text};
use crate::error::{Argument, Detail, Error, Result, Status};
use core::ffi::c_char;

/// The status that a function returns: one of the STRIDE_STATUS_ values. The numbers never change; new ones may be
/// added.
pub type stride_status = i32;

/// The reason why a function failed: the argument, the dimension of it, and the two numbers that do not agree.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct stride_error {
    /// STRIDE_STATUS_..., as returned.
    pub status: i32,
    /// STRIDE_ARGUMENT_...
    pub argument: u32,
    /// Dimension number, or position in a list of dimension numbers; -1: none.
    pub dimension: i32,
    /// Operand, tile, block, run, or copy of a batch; -1: none.
    pub item: i32,
    /// Byte in a text; UINT64_MAX: none.
    pub position: u64,
    /// Usually the number that was found. Saturated.
    pub lhs: i64,
    /// Usually the number with which it was compared. Saturated.
    pub rhs: i64,
    /// STRIDE_DETAIL_...: which rule was broken; 0: none.
    pub detail: u64,
    /// Zero.
    pub reserved: [u64; 2],
}

impl From<Error> for stride_error {
    fn from(error: Error) -> Self {
        Self {
            status: error.status.number(),
            argument: error.argument.number(),
            dimension: error.dimension,
            item: error.item,
            position: error.position,
            lhs: error.lhs,
            rhs: error.rhs,
            detail: error.detail.number() as u64,
            reserved: [0; 2],
        }
    }
}

/// The body of a C function, in which `?` ends the function with an error that is reported; it may end in a `Result`.
/// It is unsafe code that relies on the rules of stride.h for callers.
macro_rules! report {
    ($error:expr, $body:expr) => {
        // SAFETY: pointers are null, or valid for the function's `Arrays:` (stride.h, Pointers); its `Requires:` holds.
        // Counts are checked before the lists that they count are read.
        unsafe { $crate::ffi::status::status_of($error, || $crate::ffi::status::Outcome::outcome($body)) }
    };
}
pub(super) use report;

/// The end of a C function's body: nothing, or a result.
pub(super) trait Outcome {
    fn outcome(self) -> Result<()>;
}

impl Outcome for () {
    fn outcome(self) -> Result<()> {
        Ok(())
    }
}

impl Outcome for Result<()> {
    fn outcome(self) -> Result<()> {
        self
    }
}

/// Runs a function's body and reports its error.
///
/// # Safety
/// `error` is null or writable.
pub(super) unsafe fn status_of(error: *mut stride_error, body: impl FnOnce() -> Result<()>) -> stride_status {
    match body() {
        Ok(()) => Status::Ok.number(),
        // SAFETY: `error` is null or writable (# Safety).
        Err(found) => unsafe { fail(error, &found) },
    }
}

/// Writes the record of an error unless `error` is null. One function for all, which are smaller for it.
///
/// # Safety
/// `error` is null or writable.
#[cold]
#[inline(never)]
unsafe fn fail(error: *mut stride_error, found: &Error) -> stride_status {
    if !error.is_null() {
        // SAFETY: not null, so writable (# Safety).
        unsafe { error.write(stride_error::from(*found)) };
    }
    found.status.number()
}

/// The word for a status, such as "OVERFLOW"; "UNKNOWN" for a number that is not one. Never fails, never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn stride_status_name(status: stride_status) -> *const c_char {
    Status::from_number(status).map_or(c"UNKNOWN", Status::c_name).as_ptr()
}

/// Writes a sentence such as "src_layout, dimension 2: size is 5, but it is 7 in dst_layout". On failure `buffer` gets
/// a sentence too, with the numbers of the record, so it may be printed in any case.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_ARGUMENT if `record` holds an unknown status, argument or detail.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_error_format(
    record: *const stride_error,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        if record.is_null() {
            write_text(buffer, capacity, length, &"there is no record of what went wrong")?;
            return Err(null(Argument::Record));
        }
        let record = record.read();
        match record.known() {
            Ok(known) => write_text(buffer, capacity, length, &known),
            Err(unknown) => {
                let stride_error { status, argument, detail, lhs, rhs, .. } = record;
                let numbers = format_args!("status {status}, argument {argument}, detail {detail} ({lhs}, {rhs})");
                write_text(buffer, capacity, length, &numbers)?;
                Err(unknown)
            }
        }
    })
}

impl stride_error {
    /// The record as an error of the core; INVALID_ARGUMENT with the number that this version does not know.
    fn known(&self) -> Result<Error> {
        let unknown = |number, last| {
            let error = Status::InvalidArgument.of(Argument::Record);
            error.because_wide(Detail::UnknownValue, number, last)
        };
        let &Self { status, argument, detail, dimension, item, position, lhs, rhs, .. } = self;
        let known = u32::try_from(detail).ok().and_then(Detail::from_number);
        Ok(Error {
            status: Status::from_number(status).ok_or(unknown(status as i128, Status::HIGHEST as i128))?,
            argument: Argument::from_number(argument).ok_or(unknown(argument as i128, Argument::HIGHEST as i128))?,
            dimension,
            item,
            position,
            lhs,
            rhs,
            detail: known.ok_or(unknown(detail as i128, Detail::HIGHEST as i128))?,
        })
    }
}
