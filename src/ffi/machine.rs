//! Machines
//!
//! A machine describes a CPU to copies: its instruction set, its caches, and the sizes above which prefetches and
//! non-temporal stores pay. Without one, plans are made for the CPU that runs this, from what it says of itself and
//! from measurements of its kind. Pass another one (`stride_copy_options.machine`) to use your own measurements
//! (`make tune` prints them), or to look at the plans of a CPU that is not at hand. A machine changes the speed of a
//! copy, never its result; a plan for instructions that this CPU lacks runs portable code.
//!
//! Example: options for plans of a laptop with 8 MiB of cache.
//!
//!   stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
//!   stride_machine laptop;
//!   assert(stride_machine_parse("level=avx2 last=8388608", 23, &laptop, NULL) == STRIDE_STATUS_OK);
//!   options.machine = &laptop;

use super::boundary::{Output, text_in, write_text};
use super::sized::read_sized;
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, Detail, Result, Status};
use crate::machine::{Caches, Level, Machine, Tuning};
use core::ffi::c_char;

/// A CPU as copies see it. All sizes are bytes. Begin with `stride_machine_init` or `stride_machine_parse`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_machine {
    /// sizeof(stride_machine).
    pub struct_size: u32,
    /// STRIDE_CPU_LEVEL_...: the instruction set. A level of another architecture than the library's counts as
    /// STRIDE_CPU_LEVEL_SCALAR, one that the library was built without as the highest below it.
    pub cpu_level: u32,
    /// L1 data cache of one core.
    pub first_cache_bytes: u64,
    /// L2 cache of one core.
    pub second_cache_bytes: u64,
    /// Last-level cache: the part of it that one core may expect.
    pub last_cache_bytes: u64,
    /// Opaque: measured sizes, set by `stride_machine_parse`; zero: by a rule, from the caches. Their meaning belongs
    /// to this version of the library; the text of `stride_machine_format` names them.
    pub measured: [u64; 10],
}

const _: () = assert!(Tuning::NAMES.len() <= 10);

impl stride_machine {
    fn of(machine: &Machine) -> Self {
        let Machine { level, caches, tuning } = *machine;
        let mut measured = [0; 10];
        measured.iter_mut().zip(tuning.values()).for_each(|(word, size)| *word = size);
        Self {
            struct_size: size_of::<Self>() as u32,
            cpu_level: level as u32,
            first_cache_bytes: caches.first,
            second_cache_bytes: caches.second,
            last_cache_bytes: caches.last,
            measured,
        }
    }
}

/// Reads and checks a caller's machine; its level becomes one that this library has.
///
/// # Safety
/// `pointer` is null, or readable for its `struct_size` bytes, at least 4.
#[cold]
#[inline(never)]
pub(super) unsafe fn read_machine(pointer: *const stride_machine) -> Result<Machine> {
    // SAFETY: `pointer` is null or readable (# Safety).
    let given = unsafe { read_given(pointer)? };
    Ok(Machine { level: given.level.built(), ..given })
}

/// Reads and checks a caller's machine.
///
/// # Safety
/// `pointer` is null, or readable for its `struct_size` bytes, at least 4.
unsafe fn read_given(pointer: *const stride_machine) -> Result<Machine> {
    // SAFETY: `pointer` is null or readable (# Safety); all fields are numbers.
    let given = unsafe { read_sized(pointer, size_of::<stride_machine>(), Argument::Machine)? };
    let level = match given.cpu_level {
        0 => Some(Level::best()),
        number => Level::new(number),
    };
    let Some(level) = level else {
        let error = Status::InvalidArgument.of(Argument::Machine);
        return Err(error.because(Detail::UnknownValue, given.cpu_level as i64, Level::COUNT as i64 - 1));
    };
    Ok(Machine {
        level,
        caches: Caches {
            first: given.first_cache_bytes,
            second: given.second_cache_bytes,
            last: given.last_cache_bytes,
        },
        tuning: given.measured.first_chunk().map_or(Tuning::RULES, |&sizes| Tuning::of(sizes)),
    })
}

/// The highest STRIDE_CPU_LEVEL_... that this CPU and this library have. Levels of one architecture are ordered: a CPU
/// also runs those below its own. Never fails.
#[unsafe(no_mangle)]
pub extern "C" fn stride_cpu_level() -> u32 {
    Level::best() as u32
}

/// The machine of the CPU that runs this. Its last cache counts as 64 MiB at most, since other cores use it too.
///
/// Returns: NULL_POINTER; nothing else can go wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_machine_init(out: *mut stride_machine) -> stride_status {
    report!(core::ptr::null_mut(), Output::new(out, Argument::Out)?.write(stride_machine::of(&Machine::this())))
}

/// Reads `name=value` words, as `stride_machine_format` writes them, in any order and on any lines. `#` begins a
/// comment that ends with its line. Words that are missing are as on this CPU. After `level`, `first`, `second` and
/// `last` come measured sizes: above each, copies of one kind write past the caches, or prefetch (`make tune` prints
/// them; 0: by a rule). Their names may change with the library.
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
    report!(error, {
        let text = text_in(text, length)?;
        Output::new(out, Argument::Out)?.write(stride_machine::of(&Machine::parse(text)?));
    })
}

/// Writes a machine as one line, such as "level=avx2 first=32768 second=524288 last=33554432 stream_from=0 ...".
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
    report!(error, write_text(buffer, capacity, length, &read_given(machine)?))
}
