//! The Rust types that are elements, and the layouts that go with a slice of them.

use crate::copy::options::{self, Options};
use crate::error::{Argument, Detail, Result, Status};
use crate::model::{Dtype, Layout};

/// A Rust type whose values are elements of a tensor.
///
/// The integers, floats, `bool` (XLA's pred) and arrays of elements have it; with the feature `half`, `f16` and `bf16`
/// of the half crate too. A layout goes with a slice of `T` if
///
/// * its dtype is [`T::DTYPE`](Element::DTYPE), or one of the two is plain bytes of the same width;
/// * or `T` is `u16`, `u32` or `u64` and the dtype has its width: so f16 and bf16 may be copied as `u16`;
/// * or `T` is `u8`: a slice of bytes is a buffer, and every dtype, also one below a byte, may lie in it.
///
/// ```
/// use stride::{Dtype, Element};
/// assert_eq!(f32::DTYPE, Dtype::F32);
/// assert_eq!(<[u8; 3]>::DTYPE, Dtype::bytes(3).unwrap()); // a pixel
/// ```
///
/// Your own type:
///
/// ```
/// use stride::{Dtype, Element, LayoutBuf};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Pixel { red: u8, green: u8, blue: u8 }
///
/// // SAFETY: three bytes of any value, one after the other.
/// unsafe impl Element for Pixel {
///     const DTYPE: Dtype = Dtype::plain_bytes_of::<Self>();
///     const ANY_BITS: bool = true;
/// }
///
/// let row = LayoutBuf::packed(Pixel::DTYPE, &[2])?;
/// let pixels = [Pixel { red: 1, green: 2, blue: 3 }, Pixel { red: 4, green: 5, blue: 6 }];
/// let mut mirrored = pixels;
/// stride::copy(&mut mirrored, &row, &pixels, &row.flip(&[0])?)?;
/// assert_eq!(mirrored, [pixels[1], pixels[0]]);
/// # Ok::<(), stride::Error>(())
/// ```
///
/// A dtype of another width does not compile:
///
/// ```compile_fail,E0080
/// use stride::{Dtype, Element, LayoutBuf};
///
/// #[derive(Clone, Copy)]
/// struct Half(u16);
///
/// // SAFETY: wrong, and found out.
/// unsafe impl Element for Half {
///     const DTYPE: Dtype = Dtype::F32;
///     const ANY_BITS: bool = true;
/// }
///
/// let row = LayoutBuf::packed(Dtype::F32, &[1]).unwrap();
/// stride::copy(&mut [Half(0)], &row, &[Half(1)], &row).unwrap();
/// ```
///
/// # Safety
///
/// * Each byte of a value is initialised: no padding, no `MaybeUninit`.
/// * No byte belongs to a pointer or a reference: elements are moved as numbers.
/// * Where [`ANY_BITS`](Element::ANY_BITS) is `true`, any bytes are a value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element of a tensor",
    note = "integers, floats, `bool` and arrays of them are, `f16` and `bf16` with the feature `half`; \
            `stride::Element` says what your own type has to keep to"
)]
pub unsafe trait Element: Copy {
    /// The dtype of an element, as wide as the type.
    const DTYPE: Dtype;
    /// True if any bytes are a value of the type, as they are not for `bool`. Only then may
    /// [`FILL_BUFFER`](crate::copy::options::FILL_BUFFER) write bytes of its own between the elements, a copy swap the
    /// bytes of an element, and elements below a byte be moved.
    const ANY_BITS: bool;
}

macro_rules! elements {
    ($($type:ty = $dtype:expr;)*) => {
        $(
            // SAFETY: a number has no padding and no address in it, and any bits are a number.
            unsafe impl Element for $type {
                const DTYPE: Dtype = $dtype;
                const ANY_BITS: bool = true;
            }
        )*
    };
}

elements! {
    u8 = Dtype::U8;
    u16 = Dtype::U16;
    u32 = Dtype::U32;
    u64 = Dtype::U64;
    u128 = Dtype::plain_bytes_of::<u128>();
    i8 = Dtype::S8;
    i16 = Dtype::S16;
    i32 = Dtype::S32;
    i64 = Dtype::S64;
    i128 = Dtype::plain_bytes_of::<i128>();
    f32 = Dtype::F32;
    f64 = Dtype::F64;
}

#[cfg(feature = "half")]
elements! {
    half::f16 = Dtype::F16;
    half::bf16 = Dtype::BF16;
}

// SAFETY: one byte without an address in it; ANY_BITS is false.
unsafe impl Element for bool {
    const DTYPE: Dtype = Dtype::PRED;
    const ANY_BITS: bool = false;
}

// SAFETY: elements one after the other, without padding between them.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    const DTYPE: Dtype = Dtype::plain_bytes_of::<[T; N]>();
    const ANY_BITS: bool = T::ANY_BITS;
}

/// DTYPE_MISMATCH with both dtypes unless elements of this one go with slices of `T`, as [`Element`] says.
pub(super) fn check_dtype<T: Element>(given: Dtype, argument: Argument) -> Result<()> {
    const { assert!(T::DTYPE.bits() == 8 * size_of::<T>() as i64, "DTYPE is not as wide as the type") };
    let own = T::DTYPE;
    let carries = matches!(own, Dtype::U16 | Dtype::U32 | Dtype::U64) && own.bits() == given.bits();
    // Below a byte, a byte of the result has bits of two.
    let is_memory = own == Dtype::U8 && (T::ANY_BITS || !given.is_sub_byte());
    let fits = is_memory || carries || (own.moves_to(given) && !own.swaps_to(given));
    check_goes_with(fits, given, own, argument)
}

/// [`check_dtype`] of the destination and the source of a copy. DTYPE_MISMATCH too if the copy swaps bytes and not any
/// bytes are a `T`.
pub(super) fn check_dtypes<T: Element>(dst: Dtype, src: Dtype, [dst_name, src_name]: [Argument; 2]) -> Result<()> {
    check_dtype::<T>(dst, dst_name)?;
    check_dtype::<T>(src, src_name)?;
    check_goes_with(T::ANY_BITS || !src.swaps_to(dst), src, dst, src_name)
}

/// [`check_dtype`] where a value of `T` is an element: a `u8` is no element of four bytes.
pub(super) fn check_value<T: Element>(layout: &Layout<'_>, argument: Argument) -> Result<()> {
    check_dtype::<T>(layout.dtype(), argument)?;
    check_goes_with(layout.dtype().bits() <= T::DTYPE.bits(), layout.dtype(), T::DTYPE, argument)
}

/// DTYPE_MISMATCH with both, unless they go with each other.
fn check_goes_with(fits: bool, given: Dtype, own: Dtype, argument: Argument) -> Result<()> {
    Status::DtypeMismatch.of(argument).unless(fits, Detail::Dtypes, given.code(), own.code())
}

/// UNSUPPORTED for options that are not safe: ASSUME_DISTINCT, which nobody checks, and a fill with bytes that may be
/// no value of `T`.
pub(super) fn check_options<T: Element>(options: &Options) -> Result<()> {
    let unsound = options::ASSUME_DISTINCT | if T::ANY_BITS { 0 } else { options::FILL_BUFFER };
    let refused = options.flags & unsound;
    let (lowest, error) = (refused & refused.wrapping_neg(), Status::Unsupported.of(Argument::Options));
    error.unless(refused == 0, Detail::UnsupportedFlag, options.flags, lowest)
}
