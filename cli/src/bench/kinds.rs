//! The copies that are measured.

use crate::fault::{Fault, Result};
use crate::tensor::Tensor;
use stride::vocabulary::xla::{tag, text};
use stride::{Dtype, LayoutBuf};

pub struct Kind {
    pub name: &'static str,
    pub about: &'static str,
    /// Destination and source of a copy that moves at most so many bytes, at least 4096.
    pub make: fn(i64) -> Result<(Tensor, Tensor)>,
}

pub static KINDS: &[Kind] = &[
    Kind { name: "pixels-to-planes", about: "an image of u8, 3 channels, to planes", make: pixels_to_planes },
    Kind { name: "planes-to-pixels", about: "and back", make: |bytes| pixels_to_planes(bytes).map(swapped) },
    Kind { name: "nhwc-to-nchw", about: "f32, 64 channels", make: nhwc_to_nchw },
    Kind { name: "nchw-to-nhwc", about: "f32, 64 channels", make: |bytes| nhwc_to_nchw(bytes).map(swapped) },
    Kind { name: "transpose-1", about: "a matrix of u8", make: |bytes| transpose(Dtype::U8, bytes) },
    Kind { name: "transpose-2", about: "a matrix of u16", make: |bytes| transpose(Dtype::U16, bytes) },
    Kind { name: "transpose-4", about: "a matrix of f32", make: |bytes| transpose(Dtype::F32, bytes) },
    Kind { name: "transpose-8", about: "a matrix of f64", make: |bytes| transpose(Dtype::F64, bytes) },
    Kind { name: "padded-rows", about: "rows of 1000 f32 to rows of 1024", make: padded_rows },
    Kind { name: "crop", about: "the middle of an image of u8, 3 channels", make: crop },
    Kind { name: "reversed-rows", about: "rows of 1024 f32, each from its end", make: reversed_rows },
    Kind { name: "blocked", about: "f32, NCHW to nChw16c", make: blocked },
    Kind { name: "tiles", about: "f32, rows to tiles of 8 x 128", make: tiles },
    Kind { name: "byte-swap", about: "u32 of the other byte order", make: byte_swap },
];

fn swapped((dst, src): (Tensor, Tensor)) -> (Tensor, Tensor) {
    (src, dst)
}

fn layouts(dst: LayoutBuf, src: LayoutBuf) -> Result<(Tensor, Tensor)> {
    Ok((dst.into(), src.into()))
}

/// Height and width of a picture with so many bytes a pixel, nearly as high as wide.
fn picture(bytes: i64, pixel: i64) -> [i64; 2] {
    let pixels = (bytes / pixel).max(1);
    let width = side(pixels);
    [pixels / width, width]
}

/// The side of a square of at most so many.
fn side(area: i64) -> i64 {
    ((area as f64).sqrt() as i64).max(1)
}

fn pixels_to_planes(bytes: i64) -> Result<(Tensor, Tensor)> {
    let [height, width] = picture(bytes, 3);
    let src = LayoutBuf::packed(Dtype::U8, &[height, width, 3])?;
    let dst = LayoutBuf::packed(Dtype::U8, &[3, height, width])?.permute(&[1, 2, 0])?;
    layouts(dst, src)
}

fn nhwc_to_nchw(bytes: i64) -> Result<(Tensor, Tensor)> {
    let [height, width] = picture(bytes, 64 * 4);
    let sizes = [1, 64, height, width];
    layouts(LayoutBuf::packed(Dtype::F32, &sizes)?, LayoutBuf::channels_last(Dtype::F32, &sizes)?)
}

fn transpose(dtype: Dtype, bytes: i64) -> Result<(Tensor, Tensor)> {
    let width = dtype.bits() / 8;
    // Whole lines, an odd number of them: no two rows share a set of a cache for their distance.
    let line = 64 / width;
    let lines = (side(bytes / width) / line).max(1);
    let side = (lines - (lines + 1) % 2).max(1) * line;
    let src = LayoutBuf::packed(dtype, &[bytes / width / side, side])?;
    layouts(LayoutBuf::ordered(dtype, src.sizes(), &[0, 1])?, src)
}

fn padded_rows(bytes: i64) -> Result<(Tensor, Tensor)> {
    let sizes = [(bytes / 4000).max(1), 1000];
    layouts(LayoutBuf::strided(Dtype::F32, &sizes, &[1024, 1])?, LayoutBuf::packed(Dtype::F32, &sizes)?)
}

fn crop(bytes: i64) -> Result<(Tensor, Tensor)> {
    let [height, width] = picture(bytes, 3);
    let image = LayoutBuf::packed(Dtype::U8, &[height + 20, width + 20, 3])?;
    let sizes = [height, width, 3];
    layouts(LayoutBuf::packed(Dtype::U8, &sizes)?, image.crop(&[10, 10, 0], &sizes)?)
}

fn reversed_rows(bytes: i64) -> Result<(Tensor, Tensor)> {
    let rows = LayoutBuf::packed(Dtype::F32, &[bytes / 4096, 1024])?;
    let src = rows.flip(&[1])?;
    layouts(rows, src)
}

fn blocked(bytes: i64) -> Result<(Tensor, Tensor)> {
    let [height, width] = picture(bytes, 64 * 4);
    let sizes = [1, 64, height, width];
    Ok((tag::parse(b"nChw16c", Dtype::F32, &sizes)?.into(), LayoutBuf::packed(Dtype::F32, &sizes)?.into()))
}

fn tiles(bytes: i64) -> Result<(Tensor, Tensor)> {
    let columns = if bytes < 1 << 16 { 128 } else { 1024 };
    let rows = bytes / 4 / columns / 8 * 8;
    let src = LayoutBuf::packed(Dtype::F32, &[rows, columns])?;
    let dst = text::parse(format!("f32[{rows},{columns}]{{1,0:T(8,128)}}").as_bytes())?;
    Ok((dst.into(), src.into()))
}

fn byte_swap(bytes: i64) -> Result<(Tensor, Tensor)> {
    let sizes = [bytes / 4];
    layouts(LayoutBuf::packed(Dtype::U32, &sizes)?, LayoutBuf::packed(Dtype::U32.swapped(), &sizes)?)
}

/// Holds elements of the result against the source: all of a few, else some thousand all over.
pub fn check(kind: &Kind, (dst, to): (&Tensor, &[u8]), (src, from): (&Tensor, &[u8])) -> Result<()> {
    let width = (dst.dtype().bits() / 8) as usize;
    let swapped = dst.dtype().is_swapped() != src.dtype().is_swapped();
    let count = dst.element_count();
    let step = (count / 4099).max(1);
    let mut index = vec![0; dst.sizes().len()];
    let mut number = 0;
    while number < count {
        let mut rest = number;
        for (digit, size) in index.iter_mut().zip(dst.sizes()).rev() {
            (*digit, rest) = (rest % size, rest / size);
        }
        let [at, of] = [dst.offset_of(&index)?, src.offset_of(&index)?].map(|place| place as usize * width);
        let (found, mut expected) = (&to[at..at + width], from[of..of + width].to_vec());
        if swapped {
            expected.reverse();
        }
        if found != expected {
            let index = crate::tensor::list(&index);
            return Err(Fault::wrong(format!("{}: the element {index} of the result is wrong", kind.name)));
        }
        number += step;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use stride::Plan;

    #[test]
    fn a_wrong_element_is_found() {
        for kind in KINDS {
            let (dst, src) = (kind.make)(4096).unwrap();
            let from: Vec<u8> = (0..src.bytes().unwrap()).map(|byte| (byte * 7 + byte / 256) as u8).collect();
            let mut to = vec![0; dst.bytes().unwrap() as usize];
            let plan = Plan::<u8>::new(&dst.0, &src.0).unwrap();
            plan.execute(&mut to, &from).unwrap();
            check(kind, (&dst, &to), (&src, &from)).unwrap();
            let last: Vec<i64> = dst.sizes().iter().map(|size| size - 1).collect();
            let place = dst.offset_of(&last).unwrap() as usize * (dst.dtype().bits() / 8) as usize;
            to[place] ^= 1;
            let fault = check(kind, (&dst, &to), (&src, &from)).unwrap_err();
            assert_eq!(fault.code, crate::fault::Code::No, "{}", kind.name);
        }
    }
}
