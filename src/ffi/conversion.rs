//! Conversions
//!
//! A copy converts numbers if its options have a conversion: to the destination's dtype, and with
//! STRIDE_CONVERT_AFFINE by arithmetic on the way. Without a conversion both dtypes must be equal.
//!
//!   with AFFINE, in f32, or in f64 if   (x - subtract) * scale + add; with DIVIDE / scale instead. Each operation
//!   a dtype is s32, u32, s64, u64, f64  rounds once. A NaN that comes out is the positive quiet one
//!   to a float                          one rounding to nearest even, from the exact value. Subnormals are kept. Too
//!                                       large: infinity, of f8e4m3fn NaN; with FINITE the largest finite number, of
//!                                       infinities too
//!   a NaN to a float, without AFFINE    keeps its sign and the leading bits of its payload, and is quiet
//!   a float to an integer               toward zero, with NEAREST to nearest even; with ADD_LAST `add` is added now;
//!                                       too large: the nearest integer of the dtype; NaN: 0
//!   an integer to another one           its low bits, with SATURATE the nearest integer of the dtype
//!   pred                                any byte that is not 0 is 1; a destination gets 1 for what is not 0, and NaN
//!
//! Any two of these convert: pred, s4, u4, s8, u8, s16, u16, s32, u32, s64, u64, f8e4m3fn, f8e5m2, f16, bf16, f32, f64;
//! and c64, c128 by value, to each other and from real numbers. Others are UNSUPPORTED. Without AFFINE, equal dtypes
//! move as they are. Results are equal bit for bit on every CPU and in every part. The caller's thread must round to
//! nearest and must not flush subnormals; otherwise numbers are unspecified, but nothing else is touched.
//!
//! `subtract`, `scale` and `add` may be lists. Then `values` is a layout of f32 with the sizes of the copy, which maps
//! each element to its number in the lists: with stride 0 along all dimensions but one, each channel has its own. A
//! plan keeps that layout, but not the lists: `stride_plan_execute_values` takes them. They must not lie in bytes that
//! the copy writes.
//!
//! Both sides may be the same memory if their elements have one width and each is converted in its place, once. Any
//! other sides that share bytes are OVERLAP; STRIDE_COPY_OVERLAP allows them, with scratch memory for all elements of
//! the source. The fill value of STRIDE_COPY_FILL_BUFFER has the destination's dtype and is not converted.
//!
//! Example: bytes as f32 from -1 to 1.
//!
//!   stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
//!   stride_conversion to_floats;
//!   assert(stride_conversion_init(&to_floats) == STRIDE_STATUS_OK && to_floats.scale == 1);
//!   to_floats.flags = STRIDE_CONVERT_AFFINE;
//!   to_floats.subtract = 127.5;
//!   to_floats.scale = 1 / 127.5;
//!   options.conversion = &to_floats;

use super::boundary::{Output, null};
use super::layout::{LayoutRoom, read_layout_once, stride_layout};
use super::sized::read_sized;
use super::status::{report, stride_status};
use crate::copy::conversion::{AFFINE, Conversion};
use crate::copy::converting::Lists;
use crate::error::{Argument, Detail, Result, Status};
use crate::model::{Dtype, Layout};

/// (x - subtract) * scale + add.
pub const STRIDE_CONVERT_AFFINE: u32 = 1;
/// With STRIDE_CONVERT_AFFINE: / scale.
pub const STRIDE_CONVERT_DIVIDE: u32 = 2;
/// Floats become the nearest integer, of two the even one.
pub const STRIDE_CONVERT_NEAREST: u32 = 4;
/// Integers that do not fit become the nearest that does.
pub const STRIDE_CONVERT_SATURATE: u32 = 8;
/// Floats that do not fit become the largest finite number.
pub const STRIDE_CONVERT_FINITE: u32 = 16;
/// With STRIDE_CONVERT_AFFINE, to an integer: `add` is added after rounding.
pub const STRIDE_CONVERT_ADD_LAST: u32 = 32;

/// The conversion of each number. Begin with `stride_conversion_init`, which keeps values as they are.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_conversion {
    /// sizeof(stride_conversion).
    pub struct_size: u32,
    /// STRIDE_CONVERT_... flags.
    pub flags: u32,
    /// Read with STRIDE_CONVERT_AFFINE, unless `subtracts` is a list.
    pub subtract: f64,
    /// Read with STRIDE_CONVERT_AFFINE, unless `scales` is a list.
    pub scale: f64,
    /// Read with STRIDE_CONVERT_AFFINE, unless `adds` is a list. With STRIDE_CONVERT_ADD_LAST an integer.
    pub add: f64,
    /// The place of each element's numbers in the lists; NULL: there are no lists.
    pub values: *const stride_layout,
    /// A list of `subtract`; NULL: the number.
    pub subtracts: *const f32,
    /// A list of `scale`; NULL: the number.
    pub scales: *const f32,
    /// A list of `add`; NULL: the number. With STRIDE_CONVERT_ADD_LAST integers.
    pub adds: *const f32,
    /// Numbers in each list.
    pub value_count: u64,
}

impl Default for stride_conversion {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            flags: 0,
            subtract: 0.0,
            scale: 1.0,
            add: 0.0,
            values: core::ptr::null(),
            subtracts: core::ptr::null(),
            scales: core::ptr::null(),
            adds: core::ptr::null(),
            value_count: 0,
        }
    }
}

/// A conversion as a caller gives it.
pub(super) struct GivenConversion<'a> {
    pub flags: u32,
    pub numbers: [f64; 3],
    pub values: Option<Layout<'a>>,
    pub lists: Lists,
}

impl<'a> GivenConversion<'a> {
    /// Reads it, each word once.
    ///
    /// # Safety
    /// `conversion` is null or a readable struct of its `struct_size`; its `values` is null or a readable layout.
    #[inline(never)] // keeps its frame off the caller's stack
    pub unsafe fn read(conversion: *const stride_conversion, room: &'a mut LayoutRoom) -> Result<Self> {
        // SAFETY: `conversion` is null or readable (# Safety); all fields are numbers and addresses.
        let given = unsafe { read_sized(conversion, size_of::<stride_conversion>(), Argument::Conversion)? };
        let lists = Lists { pointers: [given.subtracts, given.scales, given.adds], count: given.value_count };
        let affine = given.flags & AFFINE != 0;
        let error = Status::InvalidArgument.of(Argument::Conversion);
        error.unless(affine || lists.given() == 0, Detail::MissingFlag, given.flags, AFFINE)?;
        let numbers = [given.subtract, given.scale, given.add];
        let values = match lists.given() {
            0 => None,
            _ if given.values.is_null() => return Err(null(Argument::Values)),
            // SAFETY: `values` is a readable layout (# Safety).
            _ => Some(unsafe { read_layout_once(room, given.values, Argument::Values)? }),
        };
        Ok(Self { flags: given.flags, numbers, values, lists })
    }

    /// The conversion between two dtypes.
    pub fn between(&self, dst: Dtype, src: Dtype) -> Conversion {
        Conversion { dst, src, flags: self.flags, numbers: self.numbers }
    }
}

/// A conversion that keeps values as they are: no flags, (x - 0) * 1 + 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_conversion_init(out: *mut stride_conversion) -> stride_status {
    report!(core::ptr::null_mut(), Output::new(out, Argument::Out)?.write(stride_conversion::default()))
}
