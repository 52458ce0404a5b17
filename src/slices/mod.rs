//! Slices: copies, fills and comparisons for safe Rust.
//!
//! A tensor here is two things: a slice of elements, and a layout that says where in the slice each of them lies. The
//! layout counts elements from the beginning of the slice. Whatever the two are, nothing outside the slice is touched:
//! what does not fit is an [`Error`], before the first byte is written.
//!
//! | | |
//! |---|---|
//! | [`copy()`] | every element of one slice to the element of another one with the same index |
//! | [`copy_to_uninit`], [`copy_to_uninit_view`] | to memory that has no values yet |
//! | [`convert`] | between dtypes, with `(x − a) · b + c` on the way ([`Conversion`]) |
//! | [`Plan`] | a copy that is prepared once and made often, or [in parts](Plan::parts) by several threads |
//! | [`fill`], [`first_difference`] | one value everywhere; which element differs first |
//! | `ndarray` | copies of arrays of the ndarray crate (feature `ndarray`) |
//!
//! [`Element`] says which types elements may have (with the feature `half` also `f16` and `bf16` of the half crate),
//! [`Side`](crate::Side) what may say where they lie: a layout, an XLA shape with tiles, a blocked layout, seen plain,
//! through runs of indices, or as a range. [`slice_len`] is how many elements a slice must have. Errors name the
//! parameters; what is more than a layout is `dst_side` or `src_side` in them.
//!
//! This room has `unsafe` in it, because it makes of slices the addresses and lengths of the engine. It rests on this:
//!
//! * the engine touches only what lies in the lengths named, and of the destination writes whole elements only, since
//!   offset and strides count elements;
//! * a `&mut` slice shares no byte with another slice, so the engine's own overlap test never finds any;
//! * each part of a plan writes other bytes than all others, as long as destination elements are distinct, which a plan
//!   has proved unless it was told not to: that option is refused here.

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

/// The length of a slice has no name of its own: what C calls `dst_bytes` is `dst` here.
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
    // SAFETY: every element has its value (see above), and `MaybeUninit<T>` lies in memory as `T` does.
    unsafe { core::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), slice.len()) }
}

/// A slice of values as one that may be written with values only.
///
/// # Safety
/// Whoever has the result writes nothing but whole values of `T`.
unsafe fn as_uninit<T>(slice: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: the same place and length; `MaybeUninit<T>` lies in memory as `T` does.
    unsafe { core::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), slice.len()) }
}
