//! `stride.wasm` has the functions of the headers, and these two. The library itself allocates nothing; but whoever
//! calls it from JavaScript has no memory inside the module, neither for elements nor for structs, unless the module
//! gives some. Both are as in C; the allocator is that of Rust's standard library.

use std::alloc::{Layout, alloc, dealloc};

// All of its functions are exported.
extern crate stride;

/// The bytes before each block, which hold its size: as many as blocks are aligned to.
const HEAD: usize = 16;

/// A block of `size` bytes that begins at a multiple of 16, or 0 where there is no such memory. Of what `size`, also 0,
/// it is a block of its own, to be given to `free`. The memory may have grown: views of it are to be made anew.
#[unsafe(no_mangle)]
pub extern "C" fn malloc(size: usize) -> *mut u8 {
    let Some(layout) = size.checked_add(HEAD).and_then(|all| Layout::from_size_align(all, HEAD).ok()) else {
        return std::ptr::null_mut();
    };
    // SAFETY: HEAD bytes at least are asked for; the first of them hold a size, since they are aligned to HEAD.
    unsafe {
        let start = alloc(layout);
        if start.is_null() {
            return start;
        }
        start.cast::<usize>().write(layout.size());
        start.add(HEAD)
    }
}

/// Takes back a block; 0 is none.
///
/// # Safety
///
/// `address` is 0, or what `malloc` gave and `free` has not taken back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(address: *mut u8) {
    if address.is_null() {
        return;
    }
    // SAFETY: `malloc` made the block with this alignment, and wrote its size HEAD bytes before it.
    unsafe {
        let start = address.sub(HEAD);
        dealloc(start, Layout::from_size_align_unchecked(start.cast::<usize>().read(), HEAD));
    }
}
