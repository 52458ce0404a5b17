//! Version
//!
//! The macros STRIDE_VERSION_MAJOR, _MINOR and _PATCH are those of this header; the functions answer for the library that
//! is linked. A program that wants to be sure compares the two.
#![allow(non_camel_case_types)]

/// Version of the library: MAJOR * 10000 + MINOR * 100 + PATCH. Never fails.
#[unsafe(no_mangle)]
pub extern "C" fn stride_version() -> u32 {
    const {
        let (major, minor, patch) = (
            number(env!("CARGO_PKG_VERSION_MAJOR")),
            number(env!("CARGO_PKG_VERSION_MINOR")),
            number(env!("CARGO_PKG_VERSION_PATCH")),
        );
        major * 10000 + minor * 100 + patch
    }
}

/// Version of the binary interface: the number in the shared library's name. Programs built against a header with the
/// same STRIDE_ABI_VERSION work with this library. Never fails.
#[unsafe(no_mangle)]
pub extern "C" fn stride_abi_version() -> u32 {
    0
}

const fn number(text: &str) -> u32 {
    let (bytes, mut value, mut i) = (text.as_bytes(), 0, 0);
    while i < bytes.len() {
        value = value * 10 + (bytes[i] - b'0') as u32;
        i += 1;
    }
    value
}
