//! The elements of each side: their dtype, named where the file has only bytes, and their byte order.
//!
//! The library swaps the bytes of its dtypes. Elements that are bytes to it may have numbers inside: the characters of
//! text, the scales of a block. They are copied as bytes first, and each of their numbers once more, byte-swapped.

use crate::fault::{Fault, Result, brief};
use crate::files::{NumberRun, Numbers, Stored};
use crate::tensor;
use stride::{Dtype, LayoutBuf};

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum ByteOrder {
    Little,
    Big,
    /// This machine's
    Native,
    /// The other than that of IN
    Swapped,
}

/// The tensor with elements of this dtype, whose bits are the same or the low ones of a byte.
pub fn elements_are(name: &str, stored: &mut Stored) -> Result<LayoutBuf> {
    let (dtype, old) = (tensor::dtype(name)?, stored.dtype);
    let (new_bits, old_bits) = (dtype.bits(), old.bits());
    let wrong = Fault::usage(format!("{dtype} has {new_bits} bits, but the elements of IN have {old_bits}"));
    // A number of the file's order.
    let dtype = if old.is_swapped() && !dtype.is_swapped() { dtype.swapped() } else { dtype };
    let layout = stored.layout()?;
    let layout = match (new_bits, old_bits) {
        (new, old) if new == old => LayoutBuf::new(dtype, layout.offset(), layout.sizes(), layout.strides())?,
        (_, 8) if dtype.is_sub_byte() => one_in_a_byte(dtype, &layout)?,
        _ => return Err(wrong),
    };
    (stored.called, stored.numbers) = (None, None);
    Ok(layout)
}

/// Elements below a byte where `bytes` has its bytes, in the low bits of each, as ml_dtypes has an int4.
pub fn one_in_a_byte(dtype: Dtype, bytes: &LayoutBuf) -> stride::Result<LayoutBuf> {
    let count = 8 / dtype.bits();
    let low = if dtype.is_high_first() { count - 1 } else { 0 };
    let strides: Vec<_> = bytes.strides().iter().map(|stride| stride * count).collect();
    LayoutBuf::new(dtype, bytes.offset() * count + low, bytes.sizes(), &strides)
}

/// The dtype in a byte order.
pub fn in_order(dtype: Dtype, order: Option<ByteOrder>) -> Dtype {
    let big = cfg!(target_endian = "big");
    let swapped = match order {
        None => return dtype,
        Some(ByteOrder::Native) => false,
        Some(ByteOrder::Swapped) => !dtype.is_swapped(),
        Some(ByteOrder::Little) => big,
        Some(ByteOrder::Big) => !big,
    };
    if dtype.is_swapped() == swapped { dtype } else { dtype.swapped() }
}

/// The numbers inside an element that are byte-swapped, although the element is bytes to the library.
pub fn numbers_to_swap(stored: &Stored, dtype: Dtype, order: Option<ByteOrder>) -> Result<Vec<NumberRun>> {
    let Some(order) = order.filter(|_| dtype.is_bytes() && dtype.bits() > 8) else { return Ok(Vec::new()) };
    let swaps = |big: bool| match order {
        ByteOrder::Little => big,
        ByteOrder::Big => !big,
        ByteOrder::Native => big != cfg!(target_endian = "big"),
        ByteOrder::Swapped => true,
    };
    match &stored.numbers {
        Some(Numbers { big, .. }) if !swaps(*big) => Ok(Vec::new()),
        Some(Numbers { runs: Some(runs), .. }) => Ok(runs.clone()),
        _ => {
            let called = stored.called.clone().unwrap_or_else(|| dtype.to_string());
            let called = brief(&called);
            Err(Fault::usage(format!("--byteorder: refused, it is not known which bytes of `{called}` are numbers")))
        }
    }
}

/// The bytes of numbers inside the elements, on one side of a copy from the last byte of each number on.
pub fn bytes_of(layout: &LayoutBuf, run: &NumberRun, from_last: bool) -> stride::Result<LayoutBuf> {
    let bytes = layout.dtype().bits() / 8;
    let (first, step) = if from_last { (run.width - 1, -1) } else { (0, 1) };
    let sizes = [layout.sizes(), &[run.count, run.width]].concat();
    let strides: Vec<_> = layout.strides().iter().map(|stride| stride * bytes).collect();
    let strides = [&strides[..], &[run.width, step]].concat();
    LayoutBuf::new(Dtype::U8, layout.offset() * bytes + run.offset + first, &sizes, &strides)
}
