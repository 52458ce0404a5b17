//! The converter of a transpose, whose numbers are converted before they are transposed.

use super::super::kernels::number_runs::{Convert, NumberRuns as How, Pass};
use super::super::kernels::{Rows, Transpose};
use super::super::loops::Loop;
use core::array::from_fn;

/// Rows of the source in a portion.
pub const MOST_DEEP: usize = 256;

/// Converts the numbers of a transpose, which have no lists.
pub struct Converter<'a> {
    pub how: How<'a>,
    pub convert: Convert,
    pub rooms: *mut Pass,
    /// The base pointer of the destination, from which places count.
    pub dst: *mut u8,
    /// Bytes of a number of the source and of the destination, as powers of two.
    pub widths: [u32; 2],
}

impl Converter<'_> {
    /// The address of the element whose place, among elements as wide as the source's, is this.
    pub fn place(&self, place: *mut u8) -> *mut u8 {
        self.dst.wrapping_add(self.bytes(place.addr().wrapping_sub(self.dst.addr())))
    }

    /// Bytes of the destination for so many of the source.
    pub fn bytes(&self, bytes: usize) -> usize {
        let [src, dst] = self.widths;
        bytes >> src << dst
    }

    /// Converts a portion into `numbers`, row after row of the source, and transposes it from there to `made`.
    ///
    /// # Safety
    /// K1 to K4, of these rows of the source and of `made`; there is room for the numbers.
    pub unsafe fn transpose(
        &self,
        kernel: Transpose,
        made: *mut u8,
        numbers: *mut u8,
        from: *const u8,
        rows: &Rows<'_>,
    ) {
        let bytes = rows.dst.len() * rows.width as usize;
        let (count, pitch) = (bytes >> self.widths[0], self.bytes(bytes));
        let places: [i64; MOST_DEEP] = from_fn(|k| (k * pitch) as i64);
        // Rows at equal distances are converted at once.
        let (first, step) = match rows.src {
            [first, second, ..] => (*first, second - first),
            _ => (0, 0),
        };
        let alike = rows.src.iter().zip(0..).all(|(row, k)| *row == first + k * step);
        let at_once = if alike { rows.src.len() } else { 1 };
        let runs = Loop { count: at_once as i64, dst: pitch as i64, src: step };
        let how = How { runs, ..self.how };
        // SAFETY: K1, K2 and K4 by the caller; K3: rows of the source are read, and their numbers have room; K7: no
        // lists. The converter's rooms belong to it alone.
        unsafe {
            for (place, row) in places.iter().zip(rows.src).step_by(at_once.max(1)) {
                let (to, from) = (numbers.wrapping_add(*place as usize), from.wrapping_offset(*row as isize));
                (self.convert)(to, from, count, &how, &mut *self.rooms);
            }
            let src = places.get(..rows.src.len()).unwrap_or(&[]);
            kernel(made, numbers, &Rows { src, width: self.bytes(rows.width as usize) as i64, strip: 0, ..*rows });
        }
    }
}
