//! libstride answers every question about where a tensor's elements lie in memory, and moves them from any layout to any
//! other.
//!
//! # The model
//!
//! A [`Layout`](model::Layout) is sizes, strides and an offset, all in elements:
//!
//! ```text
//! element offset of (i0, …, i[r−1])  =  offset + i0·strides[0] + … + i[r−1]·strides[r−1]
//! ```
//!
//! It is a value without pointers. Making one proves its invariants (I1–I5, see [`model::layout`]), so whoever holds one
//! need not check again. Every other way to write a layout down, DirectML's descriptors and XLA's shapes, is converted to
//! it and back; every operation exists once, on it.
//!
//! Three rules hold in every function, in this order: an *empty* layout has no elements, reaches nothing and is never an
//! error; the stride of a dimension of *size 1* says nothing; then the rest.
//!
//! ```
//! use stride::model::{Dtype, Layout, LayoutBuf};
//! use stride::view;
//! // A 4x6 byte image, its centre 2x2 mirrored, without moving a byte.
//! let image = LayoutBuf::packed(Dtype::U8, &[4, 6]).unwrap();
//! let centre = view::crop(&image.view().unwrap(), &[1, 2], &[2, 2]).unwrap();
//! let mirrored = view::flip(&centre.view().unwrap(), &[1]).unwrap();
//! assert_eq!(mirrored.view().unwrap().to_string(), "u8[2,2] strides [6,-1] offset 9");
//! ```
//!
//! # The rooms, in reading order
//!
//! * [`error`]: status, place, rule, two numbers; `sentence` puts them into words.
//! * [`model`]: dtype, arithmetic, layout, formats, overlap.
//! * [`broadcast`], [`view`] and [`compose`]: stride algebra, layout in, layout out.
//! * [`runs`]: several operands as one loop nest, walked run by run.
//! * [`vocabulary`]: DirectML, XLA, DLPack, Python's buffers, ggml, image planes; what consumers require of a layout.
//! * [`copy`]: problem, plan, execute, kernels.
//! * [`ffi`]: the C boundary, one file per section of `include/`.
//!
//! The library uses `core`, and `arrayvec` for lists whose unused entries are never written. It never allocates, prints,
//! panics or starts a thread. `unsafe` lives in [`ffi`], [`copy::execute`] and [`copy::kernels`] alone.

#![no_std]

#[cfg(test)]
extern crate std;

pub mod error;

mod sentence;

#[forbid(unsafe_code)]
pub mod model;

#[forbid(unsafe_code)]
pub mod broadcast;

#[forbid(unsafe_code)]
pub mod view;

#[forbid(unsafe_code)]
pub mod compose;

#[forbid(unsafe_code)]
pub mod runs;

#[forbid(unsafe_code)]
pub mod vocabulary;

pub mod copy;

pub mod ffi;

/// In the freestanding C library a panic has nowhere to go. The symbol is defined nowhere, so a panic that the optimiser
/// cannot rule out fails the link.
#[cfg(stride_freestanding)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn stride_has_a_panic_path() -> !;
    }
    // SAFETY: never called; see above.
    unsafe { stride_has_a_panic_path() }
}

// The freestanding C library has memcpy and its kin from the system's C library, which Rust's standard library would
// otherwise have named to the linker.
#[cfg(all(stride_freestanding, unix, not(target_vendor = "apple")))]
#[link(name = "c")]
unsafe extern "C" {}

#[cfg(all(stride_freestanding, target_vendor = "apple"))]
#[link(name = "System")]
unsafe extern "C" {}

#[cfg(all(stride_freestanding, target_env = "msvc"))]
#[cfg_attr(target_feature = "crt-static", link(name = "libcmt"))]
#[cfg_attr(not(target_feature = "crt-static"), link(name = "msvcrt"))]
unsafe extern "C" {}
