//! Version
//!
//! The macros STRIDE_VERSION, STRIDE_VERSION_MAJOR, _MINOR and _PATCH are those of this header; the functions answer
//! for the library that is linked. Compare the two to be sure that they match.
//!
//! Example: the library is the one that the program was compiled for.
//!
//!   int same_interface = stride_abi_version() == STRIDE_ABI_VERSION;
//!   int new_enough = stride_version() >= STRIDE_VERSION;
//!   assert(same_interface && new_enough);

/// Version of the library: MAJOR * 10000 + MINOR * 100 + PATCH. Never fails.
#[unsafe(no_mangle)]
pub extern "C" fn stride_version() -> u32 {
    const { decimal(env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")) }
}

/// Version of the binary interface: the number in the shared library's name. A program works with this library if
/// its header has the same STRIDE_ABI_VERSION and no higher STRIDE_VERSION. Never fails.
#[unsafe(no_mangle)]
pub extern "C" fn stride_abi_version() -> u32 {
    0
}

/// "1", "23", "45": 12345.
const fn decimal(major: &str, minor: &str, patch: &str) -> u32 {
    number(major) * 10000 + number(minor) * 100 + number(patch)
}

const fn number(text: &str) -> u32 {
    match u32::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("a part of a version is a number"), // where this is compiled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_for_each_part() {
        assert_eq!(decimal("1", "23", "45"), 12345);
    }
}
