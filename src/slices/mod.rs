//! Slices: copies, fills and comparisons for safe Rust.
//!
//! A tensor here is two things: a slice of elements, and a layout that gives each of them its place in the slice. The
//! layout counts elements from the beginning of the slice. Nothing outside the slice is ever touched: a layout that
//! does not fit is an [`Error`] before the first byte is written.
//!
//! | | |
//! |---|---|
//! | [`copy()`] | every element of one slice to the element of another one with the same index |
//! | [`copy_to_uninit`], [`copy_to_uninit_view`] | to memory that has no values yet |
//! | [`convert`] | between dtypes, with `(x − a) · b + c` on the way ([`Conversion`]) |
//! | [`Plan`] | a copy that is prepared once and made often, or [in parts](Plan::parts) by several threads |
//! | [`fill`], [`first_difference`] | one value everywhere; the first element that differs |
//! | `ndarray` | copies of arrays of the ndarray crate (feature `ndarray`) |
//!
//! [`Element`] is the trait of types that elements may have (with the feature `half` also `f16` and `bf16` of the half
//! crate). In place of a layout, a [`Side`](crate::Side) may be an XLA shape with tiles, a blocked layout, or runs of
//! indices or a range of these. [`slice_len`] is the number of elements that a slice must have. Errors name the
//! parameters; a side that is not a whole layout is `dst_side` or `src_side` in them.
//!
//! This room has `unsafe` in it, because it passes addresses and lengths of slices to the engine. It rests on this:
//!
//! * the engine touches only bytes within the lengths that it is given, and of the destination writes whole elements
//!   only, since offset and strides count elements;
//! * a `&mut` slice shares no byte with another slice, so the engine's own overlap test never finds any;
//! * each part of a plan writes other bytes than all others, as long as destination elements are distinct. A plan has
//!   proved that unless ASSUME_DISTINCT was set, which is refused here.

mod conversions;
mod copies;
mod element;
mod plan;
mod side;

#[cfg(feature = "ndarray")]
pub mod ndarray;

pub use conversions::{Conversion, convert};
pub use copies::{copy, copy_to_uninit, copy_to_uninit_view, copy_with, fill, first_difference};
pub use element::Element;
pub use plan::{Part, Parts, Plan};
pub use side::slice_len;

use crate::copy::execute::{Dst, Src};
use crate::error::{Argument, Error};
use core::mem::MaybeUninit;

/// The length of a slice has no name of its own: C's `dst_bytes` is `dst` here.
fn of_slices(error: Error) -> Error {
    let argument = match error.argument {
        Argument::DstBytes => Argument::Dst,
        Argument::SrcBytes => Argument::Src,
        Argument::LhsBytes => Argument::Lhs,
        Argument::RhsBytes => Argument::Rhs,
        other => other,
    };
    Error { argument, ..error }
}

/// A slice as the bytes that are written.
fn dst_of<T>(slice: &mut [MaybeUninit<T>]) -> Dst {
    Dst { base: slice.as_mut_ptr().cast(), bytes: size_of_val(slice) as u64 }
}

/// A slice as the bytes that are read.
fn src_of<T>(slice: &[T]) -> Src {
    Src { base: slice.as_ptr().cast(), bytes: size_of_val(slice) as u64 }
}

/// A slice without values as one with them. (`assume_init_mut` of slices came with Rust 1.93.)
///
/// # Safety
/// Every element has its value.
unsafe fn with_values<T>(slice: &mut [MaybeUninit<T>]) -> &mut [T] {
    // SAFETY: every element has its value (# Safety), and `MaybeUninit<T>` lies in memory as `T` does.
    unsafe { core::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), slice.len()) }
}

/// A slice of values as one that may be written with values only.
///
/// # Safety
/// Nothing but whole values of `T` is written to the result.
unsafe fn as_uninit<T>(slice: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: address and length are the slice's; `MaybeUninit<T>` lies in memory as `T` does.
    unsafe { core::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), slice.len()) }
}
