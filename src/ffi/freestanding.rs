//! The parts of Rust's standard library that the freestanding C library replaces.

/// A panic has nowhere to go. The symbol is defined nowhere, so a panic that the optimiser cannot rule out fails the
/// link.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn stride_has_a_panic_path() -> !;
    }
    // SAFETY: no such symbol exists, so a program that would call it does not link.
    unsafe { stride_has_a_panic_path() }
}

// memcpy and its kin are those of the system's C library, which Rust's standard library would have named to the linker.
#[cfg(all(unix, not(target_vendor = "apple")))]
#[link(name = "c")]
unsafe extern "C" {}

#[cfg(target_vendor = "apple")]
#[link(name = "System")]
unsafe extern "C" {}

#[cfg(target_env = "msvc")]
#[cfg_attr(target_feature = "crt-static", link(name = "libcmt"))]
#[cfg_attr(not(target_feature = "crt-static"), link(name = "msvcrt"))]
unsafe extern "C" {}
