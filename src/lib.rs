//! libstride answers every question about where a tensor's elements lie in memory, and moves them from any layout to
//! any other, at the speed of memory.
//!
//! # Quick start
//!
//! A tensor is a slice and a layout. [`LayoutBuf`] makes layouts and views of them, [`copy()`] moves the elements:
//!
//! ```
//! use stride::{Dtype, LayoutBuf};
//!
//! // The centre of an HWC image, mirrored, as CHW: views move no byte, the copy moves each once.
//! let image = LayoutBuf::packed(Dtype::U8, &[4, 6, 3])?;
//! let centre = image.crop(&[1, 2, 0], &[2, 2, 3])?.flip(&[1])?.permute(&[2, 0, 1])?;
//! let planes = LayoutBuf::packed(Dtype::U8, &[3, 2, 2])?;
//!
//! let pixels: Vec<u8> = (0..72).collect();
//! let mut out = [0; 12];
//! stride::copy(&mut out, &planes, &pixels, &centre)?;
//! assert_eq!(out, [27, 24, 45, 42, 28, 25, 46, 43, 29, 26, 47, 44]);
//!
//! // What does not fit says why.
//! let error = stride::copy(&mut out, &planes, &pixels, &image).unwrap_err();
//! assert_eq!(error.to_string(), "src_layout, dimension 0: size is 4, but it is 3 in dst_layout");
//! # Ok::<(), stride::Error>(())
//! ```
//!
//! | to … | |
//! |---|---|
//! | make a layout: packed, in any order | [`LayoutBuf`]: `packed`, `ordered`, `channels_last` |
//! | make one of strides, with gaps; of a text | `strided`, `byte_strided`, `pitched`, `padded`, `aligned`; `parse` |
//! | make a view: crop, flip, permute, slice, reshape, window, broadcast | its methods; [`view`] and [`broadcast`] |
//! | ask: where an index lies, which lies there, how many bytes, which formats hold, do indices meet | [`Layout`] |
//! | copy, fill, compare slices | [`copy()`], [`fill`], [`first_difference`] |
//! | copy to memory without values | [`copy_to_uninit`] |
//! | copy to and from XLA's tiles, blocked layouts | the same functions |
//! | put channels in another order, copy a range of elements, roll, pad by edge | [`Side`]: `runs`, `range` |
//! | know how long a slice must be | [`slice_len`] |
//! | copy again and again, or by several threads | [`Plan`], [`Plan::parts`] |
//! | run your own loop over several tensors | [`runs::over`] |
//! | use arrays of the ndarray crate (feature `ndarray`) | [`slices::ndarray`](mod@slices) |
//! | use `f16` and `bf16` of the half crate (feature `half`) | [`Element`] |
//! | speak with DirectML, XLA, DLPack, Python, ggml, images | [`vocabulary`] |
//!
//! Sizes are `usize`, as slices have them, or `i64` ([`Size`]); strides and offsets are `i64`. Every function checks
//! what it is given and answers a [`Result`]; an [`Error`] names the argument, the dimension, the rule and both
//! numbers, and its `Display` and `Debug` are a sentence.
//!
//! # The model
//!
//! A [`Layout`] is sizes, strides and an offset, all in elements:
//!
//! ```text
//! element offset of (i0, …, i[r−1])  =  offset + i0·strides[0] + … + i[r−1]·strides[r−1]
//! ```
//!
//! It is a value without pointers. Making one proves its invariants (I1–I5, see [`model::layout`]), so whoever holds
//! one need not check again. Every other way to write a layout down, DirectML's descriptors and XLA's shapes, is
//! converted to it and back; every operation exists once, on it.
//!
//! Three rules hold in every function, in this order: an *empty* layout has no elements, reaches nothing and is never
//! an error; the stride of a dimension of *size 1* is ignored; then the rest.
//!
//! # The library
//!
//! The modules below say what each is for, and docs/ARCHITECTURE.md how they fit together. The engine inside
//! [`copy`](mod@copy) is no part of what is promised here.
//!
//! The library uses `core`, and `arrayvec` for lists whose unused entries are never written. It never allocates,
//! prints, panics (but for [`Error::because`] in debug builds) or starts a thread. `unsafe` lives in `ffi`,
//! `copy::execute`, `copy::kernels`, [`slices`], and where [`machine`] asks the CPU.

#![no_std]
#![deny(unsafe_code)] // but where a room is allowed it

#[cfg(test)]
extern crate std;

#[forbid(unsafe_code)]
pub mod error;

#[forbid(unsafe_code)]
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

pub mod machine; // allows it CPUID

pub mod copy; // allows it `execute` and `kernels`

#[forbid(unsafe_code)]
pub mod regions;

#[forbid(unsafe_code)]
mod side;

#[allow(unsafe_code)]
pub mod slices;

#[allow(unsafe_code)]
#[doc(hidden)] // C's: the headers are its manual
pub mod ffi;

pub use copy::Options;
pub use copy::relayout::along::IndexRun;
pub use error::{Error, Result};
pub use model::{AsLayout, Dtype, Layout, LayoutBuf, LayoutStorage, Size};
pub use side::{AsSide, Object, ObjectRef, Side};
pub use slices::{
    Conversion, Element, Part, Parts, Plan, convert, copy, copy_to_uninit, copy_to_uninit_view, copy_with, fill,
    first_difference, slice_len,
};
