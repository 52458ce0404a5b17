//! Machines
//!
//! A machine is what copies know of a CPU when they choose how to run: its instruction set, its caches, and the sizes
//! from which on a treatment pays. Without one, plans are made for the CPU that runs this, by what it says of itself
//! and what was measured on its kind. Pass another one (`stride_copy_options.machine`) to use your own measurements
//! (`make tune` prints them), or to look at the plans of a CPU that is not at hand. A machine changes how fast a copy
//! is, never what it does; a plan for instructions that this CPU lacks runs portable code.
//!
//! Example: options for plans of a laptop with 8 MiB of cache.
//!
//!   stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
//!   stride_machine laptop;
//!   assert(stride_machine_parse("level=avx2 last=8388608", 23, &laptop, NULL) == STRIDE_STATUS_OK);
//!   options.machine = &laptop;
#![allow(non_camel_case_types)]

use super::boundary::{Output, null, report, text_in, write_text};
use super::sized::check_sized_input;
use super::status::{stride_error, stride_status};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::machine::{Caches, Level, Machine, Tuning};
use core::ffi::c_char;

/// A CPU as copies see it. All sizes are bytes. Begin with `stride_machine_init` or `stride_machine_parse`. A field
/// named stream_..._from is a size of one side of a copy: from there on its destination is written by non-temporal
/// stores, past the caches (x86-64; the others have no such stores). 0 stands for the rule given, which goes by the
/// caches.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_machine {
    /// sizeof(stride_machine).
    pub struct_size: u32,
    /// STRIDE_CPU_LEVEL_...: the instruction set. A level of another architecture than the library's is planned for as
    /// STRIDE_CPU_LEVEL_SCALAR, one that the library was built without as the highest below it.
    pub cpu_level: u32,
    /// L1 data cache of one core.
    pub first_cache_bytes: u64,
    /// L2 cache of one core.
    pub second_cache_bytes: u64,
    /// Last-level cache: the part of it that one core may expect.
    pub last_cache_bytes: u64,
    /// Rows, runs and single elements. Rule: 3/8 of the last cache.
    pub stream_rows_from: u64,
    /// Channels: pixels to planes, planes to pixels. Rule: as rows.
    pub stream_channels_from: u64,
    /// Rows and channels whose source is repeated many times. Rule: the last cache.
    pub stream_repeated_from: u64,
    /// Transposes. Rule: 3/10 of the last cache.
    pub stream_transposes_from: u64,
    /// Transposes of bytes. Rule: as those of other elements.
    pub stream_byte_transposes_from: u64,
    /// Transposes whose rows fall into few cache sets. Rule: the second cache.
    pub stream_conflicts_from: u64,
    /// No longer used: transposes in blocks on the stack go by the sizes of all transposes.
    pub stream_blocks_from: u64,
    /// From here on transposes with ordinary stores prefetch the lines of the destination that are next. Rule: never.
    pub prefetch_from: u64,
    /// As stream_conflicts_from, for elements of 1 and 2 bytes. Rule: as wider ones, bytes from twice as much on.
    pub stream_narrow_conflicts_from: u64,
    /// Other transposes, to rows below 512 bytes or not aligned to cache lines. Rule: as aligned ones.
    pub stream_unaligned_from: u64,
    /// No longer used, as stream_blocks_from.
    pub stream_staged_from: u64,
    /// From here on copies of short rows, and channels and transposes with non-temporal stores, prefetch their source
    /// into L2 rather than L1. Rule: never.
    pub prefetch_second_from: u64,
}

/// Either struct's sizes from the other's, which have the same names.
macro_rules! sizes {
    ($into:ident { $($first:tt)* }, $of:expr) => {
        sizes!(@ $into { $($first)* } $of, stream_rows_from stream_channels_from stream_repeated_from stream_transposes_from
            stream_byte_transposes_from stream_conflicts_from stream_blocks_from prefetch_from stream_narrow_conflicts_from
            stream_unaligned_from stream_staged_from prefetch_second_from)
    };
    (@ $into:ident { $($first:tt)* } $of:expr, $($size:ident)*) => { $into { $($first)* $($size: $of.$size),* } };
}

impl stride_machine {
    fn of(machine: &Machine) -> Self {
        let Machine { level, caches, tuning } = *machine;
        sizes!(
            stride_machine {
                struct_size: size_of::<Self>() as u32,
                cpu_level: level as u32,
                first_cache_bytes: caches.first,
                second_cache_bytes: caches.second,
                last_cache_bytes: caches.last,
            },
            tuning
        )
    }
}

/// Reads and checks a caller's machine, as this library plans for it.
///
/// # Safety
/// As [`read_given`].
#[cold]
#[inline(never)]
pub(super) unsafe fn read_machine(pointer: *const stride_machine) -> Result<Machine> {
    // SAFETY: as promised to this function.
    let given = unsafe { read_given(pointer)? };
    Ok(Machine { level: given.level.built(), ..given })
}

/// Reads and checks a caller's machine.
///
/// # Safety
/// Null, or `struct_size` bytes that may be read, at least 4.
unsafe fn read_given(pointer: *const stride_machine) -> Result<Machine> {
    if pointer.is_null() {
        return Err(null(Argument::Machine));
    }
    // SAFETY: as promised to this function; the struct is then at least as large as the one known here.
    let given = unsafe {
        check_sized_input(pointer, size_of::<stride_machine>(), Argument::Machine)?;
        pointer.read()
    };
    let level = match given.cpu_level {
        0 => Some(Level::best()),
        number => Level::new(number),
    };
    let Some(level) = level else {
        let error = Error::new(Status::InvalidArgument).argument(Argument::Machine);
        return Err(error.because(Detail::UnknownValue, given.cpu_level as i64, Level::COUNT as i64 - 1));
    };
    Ok(Machine {
        level,
        caches: Caches {
            first: given.first_cache_bytes,
            second: given.second_cache_bytes,
            last: given.last_cache_bytes,
        },
        tuning: sizes!(Tuning {}, given),
    })
}

/// The machine of the CPU that runs this. Its last cache counts as 64 MiB at most, since other cores use it too.
///
/// Returns: NULL_POINTER; nothing else can go wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_machine_init(out: *mut stride_machine) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(core::ptr::null_mut(), || {
            Output::new(out, Argument::Out)?.write(stride_machine::of(&Machine::this()));
            Ok(())
        })
    }
}

/// Reads `name=value` words, as `stride_machine_format` writes them, in any order and on any lines. `#` begins a
/// comment that ends with its line. What is not named is as on this CPU.
///
/// Arrays: text[length].
///
/// Returns: PARSE with the byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_machine_parse(
    text: *const c_char,
    length: u64,
    out: *mut stride_machine,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        report(error, || {
            let text = text_in(text, length)?;
            let out = Output::new(out, Argument::Out)?;
            out.write(stride_machine::of(&Machine::parse(text)?));
            Ok(())
        })
    }
}

/// Writes a machine as one line, such as "level=avx2 first=32768 second=524288 last=33554432 stream_rows_from=0 ...".
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_ARGUMENT for the struct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_machine_format(
    machine: *const stride_machine,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe { report(error, || write_text(buffer, capacity, length, &read_given(machine)?)) }
}
