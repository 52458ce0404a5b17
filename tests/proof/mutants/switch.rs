//! Which mutant the library is: the number that the environment's STRIDE_MUTANT says. Where it says `reached`, none,
//! and the file that STRIDE_MUTANTS_REACHED names gets a byte 1 at the number of each one that is asked for.
#![allow(unsafe_code, missing_docs, internal_features)]

use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering::*};

const UNKNOWN: u32 = u32::MAX;
const REACHED: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;

static CHOSEN: AtomicU32 = AtomicU32::new(UNKNOWN);
static BYTES: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *const c_char;
    fn strtoul(text: *const c_char, end: *mut *mut c_char, base: c_int) -> u64;
    fn open(name: *const c_char, flags: c_int, ...) -> c_int;
    fn mmap(address: *mut c_void, bytes: usize, protection: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
}

/// Whether the library is this mutant. The compiler's own constants are of none.
#[inline(always)]
pub const fn is(number: u32) -> bool {
    core::intrinsics::const_eval_select((number,), never, is_chosen)
}

const fn never(_: u32) -> bool {
    false
}

#[inline(always)]
fn is_chosen(number: u32) -> bool {
    let chosen = CHOSEN.load(Relaxed);
    chosen == number || chosen >= REACHED && asked(number)
}

#[cold]
#[inline(never)]
fn asked(number: u32) -> bool {
    // Another thread may have chosen since.
    match CHOSEN.load(Acquire) {
        UNKNOWN => {
            choose();
            is_chosen(number)
        }
        REACHED => {
            // SAFETY: the file has a byte for each mutant.
            unsafe { BYTES.load(Relaxed).add(number as usize).write(1) };
            false
        }
        chosen => chosen == number,
    }
}

fn choose() {
    // SAFETY: strings that end; the file is as long as what is mapped.
    unsafe {
        let chosen = getenv(c"STRIDE_MUTANT".as_ptr());
        if chosen.is_null() || *chosen == 0 {
            return CHOSEN.store(NONE, Relaxed);
        }
        if *chosen != b'r' as c_char {
            return CHOSEN.store(strtoul(chosen, core::ptr::null_mut(), 10) as u32, Relaxed);
        }
        let file = open(getenv(c"STRIDE_MUTANTS_REACHED".as_ptr()), 2);
        let bytes = mmap(core::ptr::null_mut(), 1 << 16, 3, 1, file, 0);
        BYTES.store(bytes.cast(), Relaxed);
        CHOSEN.store(REACHED, Release);
    }
}

/// What `core` names where anything can panic; nothing unwinds.
#[cfg(stride_freestanding)]
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// The C library is linked although it can panic now: a mutant that does is caught.
#[cfg(stride_freestanding)]
#[unsafe(no_mangle)]
extern "C" fn stride_has_a_panic_path() -> ! {
    unsafe extern "C" {
        fn abort() -> !;
    }
    // SAFETY: it ends the process.
    unsafe { abort() }
}
