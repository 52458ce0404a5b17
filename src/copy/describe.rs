//! A plan as a sentence.

use super::kernels::{Family, Store, hints};
use super::loops::{iterations, write_loops};
use super::nest::{Packing, Unit};
use super::plan::PlanView;
use super::shortcut::Shortcut;
use crate::error::Many;
use crate::machine::Level;
use core::fmt;

impl PlanView<'_> {
    /// Source rows and columns of a transposing tile.
    fn tile(&self) -> (u64, u64) {
        let width = self.choice.in_chunks(&self.nest).map_or(1, |(nest, _)| nest.width.max(1));
        let room = (width as u64).next_power_of_two();
        let lane = (16 / room).max(1);
        match self.choice.kernel().level {
            Level::Avx512 => (4 * lane, 4 * lane),
            Level::Ssse3 | Level::Neon | Level::Simd128 if width.count_ones() != 1 => (lane.min(4), lane.min(4)),
            Level::Scalar => ((64 / room).max(8), (64 / room).max(8)),
            _ if lane <= 4 || self.store() != Store::Direct => (4 * lane, 4 * lane),
            Level::Avx2 => (2 * lane, lane),
            Level::Ssse3 | Level::Neon | Level::Simd128 => (lane, lane),
        }
    }

    /// The way in which lines are written.
    fn store(&self) -> Store {
        if self.choice.chunk == 0 { self.choice.store } else { self.choice.store.on_the_stack() }
    }

    /// The way in which lines are written, as a phrase of the description.
    fn store_phrase(&self) -> &'static str {
        match self.store() {
            Store::Direct => "",
            Store::Stream if !self.choice.kernel().level.has_streams() => ", along the source",
            Store::Past if !self.choice.kernel().level.has_streams() => ", staged on the stack",
            Store::Stream => ", streamed along the source",
            Store::Past if self.choice.kernel().family != Family::Transpose => ", streamed",
            Store::Staged => ", staged on the stack",
            Store::Past => ", streamed from the stack",
        }
    }

    /// Writes the work of a nest of loops, without the options: `transpose_x32 (AVX2): 40000 bytes in elements of 4,
    /// runs of 1 and 1 loops in tiles of 8x4; loops count (dst step, src step), …`
    pub(super) fn write_nest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            f.write_str("nothing to copy")?;
        } else if let Unit::Bits(packing) = self.nest.unit {
            self.write_bits(packing, f)?;
        } else {
            let kernel = self.choice.kernel();
            let (bytes, width) = (Many(self.bytes_moved() as i64, "byte"), self.nest.width);
            write!(f, "{} ({}): {bytes} in elements of {width}", kernel.name, kernel.level.name())?;
            if kernel.family == Family::Transpose {
                let (rows, columns) = self.tile();
                let (dst_run, src_run) = (self.choice.dst_run, self.choice.src_run);
                write!(f, ", runs of {dst_run} and {src_run} loops in tiles of {rows}x{columns}")?;
            }
            let in_chunk = if kernel.family == Family::Permute { self.choice.dst_run } else { self.choice.chunk };
            if in_chunk != 0 || kernel.family == Family::Permute {
                let chunk = self.nest.loops.get(..in_chunk as usize).unwrap_or(&[]);
                let bytes = Many(iterations(chunk).saturating_mul(width), "byte");
                write!(f, ", chunks of {bytes} by one permutation")?;
            }
            f.write_str(self.store_phrase())?;
            if kernel.family == Family::Transpose && self.store().prefetches(self.choice.hints) {
                f.write_str(", the lines written next prefetched")?;
            }
            if self.choice.hints & hints::SECOND != 0 {
                f.write_str(", the source prefetched to L2")?;
            }
            write_loops(f, self.nest.loops, "")?;
        }
        f.write_str(match self.shortcut {
            Shortcut::None => "",
            Shortcut::Shuffle => "; as one permutation of bytes",
            Shortcut::Tables => "; rows in a table",
        })
    }

    /// `bits: 9 bytes in runs of 68 bits, elements of 4, high bits first to low bits first; loops count (dst step, src
    /// step) in bits, …`
    fn write_bits(&self, packing: Packing, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Packing { element, dst_high, src_high } = packing;
        let (bytes, run) = (Many(self.bytes_moved() as i64, "byte"), Many(self.nest.width, "bit"));
        write!(f, "bits: {bytes} in runs of {run}, elements of {element}")?;
        let name = |high: bool| if high { "high" } else { "low" };
        write!(f, ", {} bits first to {} bits first", name(src_high), name(dst_high))?;
        write_loops(f, self.nest.loops, " in bits")
    }
}
