//! The kind of a copy: one memcpy, rows, the same bytes again and again, a transpose, or single elements.
//!
//! It is for callers that move the simple kinds themselves (memcpy, a DMA engine, a driver's rectangle). It follows
//! from the normal form (`problem`) alone, so it is the same on every CPU:
//!
//! ```text
//! no element                                               NOTHING
//! no loop                                                  CONTIGUOUS   one run
//! the fastest loop does not step in the source             FILL
//! a run has several elements                               ROWS
//! the fastest loop is contiguous, another one in the src   TRANSPOSE
//! anything else                                            OTHER
//! ```
//!
//! The first line that holds is the kind. In each kind the copy is `runs` runs of `run_bytes` bytes that are contiguous
//! on both sides. NHWC to NCHW of 2 x 3 x 8 x 8 floats is 384 runs of 4 bytes; a crop of 50 x 100 bytes is 50 runs of
//! 100. Elements are those of the dtype: the three bytes of a pixel are a run of several u8 elements, or one element of
//! three bytes.

use crate::copy::nest::Nest;

/// A kind of copy; the numbers are those of the C boundary.
///
/// ```
/// use stride::regions::{Class, Kind};
/// use stride::{Dtype, LayoutBuf};
/// let class = |dst: &LayoutBuf, src: &LayoutBuf| Class::of_copy(&dst.view()?, &src.view()?);
/// let (rows, columns) = (LayoutBuf::packed(Dtype::F32, &[8, 9])?, LayoutBuf::ordered(Dtype::F32, &[8, 9], &[0, 1])?);
/// assert_eq!(class(&rows, &rows)?.kind, Kind::Contiguous);
/// assert_eq!(class(&rows, &columns)?.kind, Kind::Transpose);
/// # Ok::<(), stride::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u32)]
pub enum Kind {
    /// No element.
    Nothing = 0,
    /// One run.
    Contiguous = 1,
    /// Runs of several elements each.
    Rows = 2,
    /// The fastest loop reads the same bytes again and again.
    Fill = 3,
    /// The fastest dimension of the destination is another one than that of the source.
    Transpose = 4,
    /// Element by element.
    Other = 5,
    /// Tiles cut it into several copies, each with a kind of its own.
    Tiled = 6,
    /// Elements below a byte whose runs are not whole bytes.
    Bits = 7,
}

/// A copy's kind, and the runs that it consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its kind.
    pub kind: Kind,
    /// The number of its runs, which are contiguous on both sides.
    pub runs: u64,
    /// Bytes of each.
    pub run_bytes: u64,
}

impl Class {
    /// The class of loops in normal form, with elements of this many bytes.
    pub(crate) fn of_normal(nest: &Nest<'_>, element: i64) -> Self {
        let width = nest.width;
        if width == 0 {
            return Self { kind: Kind::Nothing, runs: 0, run_bytes: 0 };
        }
        let kind = match nest.loops {
            [] => Kind::Contiguous,
            [d, ..] if d.src == 0 => Kind::Fill,
            _ if width > element => Kind::Rows,
            [d, others @ ..] if d.dst == width && others.iter().any(|l| l.src.unsigned_abs() == width as u64) => {
                Kind::Transpose
            }
            _ => Kind::Other,
        };
        let runs = nest.loops.iter().fold(1u64, |runs, l| runs.saturating_mul(l.count as u64));
        Self { kind, runs, run_bytes: width as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dtype, LayoutBuf};

    fn class(sizes: &[i64], dst: &[i64], src: &[i64]) -> (Kind, u64, u64) {
        let layout = |strides| LayoutBuf::strided(Dtype::F32, sizes, strides).unwrap();
        let (dst, src) = (layout(dst), layout(src));
        let class = Class::of_copy(&dst.view().unwrap(), &src.view().unwrap()).unwrap();
        (class.kind, class.runs, class.run_bytes)
    }

    #[test]
    fn the_first_line_that_holds_is_the_kind() {
        assert_eq!(class(&[0, 3], &[3, 1], &[3, 1]), (Kind::Nothing, 0, 0));
        assert_eq!(class(&[4, 3], &[3, 1], &[3, 1]), (Kind::Contiguous, 1, 48));
        assert_eq!(class(&[4, 3], &[1, 4], &[1, 4]), (Kind::Contiguous, 1, 48));
        assert_eq!(class(&[4, 3], &[5, 1], &[3, 1]), (Kind::Rows, 4, 12));
        assert_eq!(class(&[4, 3], &[3, 1], &[0, 1]), (Kind::Fill, 4, 12)); // a row again and again
        assert_eq!(class(&[4, 3], &[3, 1], &[1, 0]), (Kind::Fill, 12, 4));
        assert_eq!(class(&[4, 3], &[3, 1], &[1, 4]), (Kind::Transpose, 12, 4));
        assert_eq!(class(&[4, 3], &[3, 1], &[6, 2]), (Kind::Other, 12, 4));
        assert_eq!(class(&[1, 1], &[9, 9], &[0, 0]), (Kind::Contiguous, 1, 4));
        assert_eq!(class(&[], &[], &[]), (Kind::Contiguous, 1, 4));
        // 2 x 3 x 8 x 8, NHWC to NCHW.
        assert_eq!(class(&[2, 3, 8, 8], &[192, 64, 8, 1], &[192, 1, 24, 3]), (Kind::Transpose, 384, 4));
    }
}
