//! Copies of elements below a byte: 4, 2 and 1 bit.
//!
//! A layout counts in elements, so a copy is a [`Problem`] whatever the width; here its numbers are **bits**. It is
//! brought into normal form like any other. Then there are two ways:
//!
//! * *Whole bytes.* If width, bases and all steps are multiples of 8 and both sides begin at the same end of a byte,
//!   all numbers are divided by 8. The result is an ordinary problem: plan, parts, overlap and kernels are those of
//!   bytes. Copies of packed rows of whole bytes go this way, and so do permutations that keep the elements of a byte
//!   together.
//! * *Bits.* Otherwise the plan keeps the loops in bits, in destination order, and `execute::bits` walks them: it
//!   shifts runs of bits, gathers elements and transposes matrices a word at a time (`kernels::bits`).
//!
//! ```text
//! 17 nibbles, packed, to 17 nibbles from offset 1 on:   width 68 bits, bases 4 and 0: a run that is shifted by 4
//! 16 nibbles of {4, 4} to rows of 4 bytes:              width 16, loop {4, 32, 16}:  2 bytes, {4, 4, 2}: ordinary
//! ```
//!
//! The words of a plan in bits are its header and its loops:
//!
//! ```text
//! header   as of every plan, with width and bases in bits; the second word has the bits of an element, which sides
//!          begin with the high bits, the number of loops, and 4 in the top byte
//! loops    three words each, steps in bits
//! ```
//!
//! *Parts* never share a byte: `parts` cuts a loop only where an iteration begins in a new byte.

mod parts;

use super::kernels::bits::Packing;
use super::loops::{Loop, write_loops};
use super::nest::{Nest, Reach, Reached, nested_extent};
use super::options::{self, Options};
use super::plan::{Plan, reached};
use super::problem::Problem;
use super::words::{HEADER, KIND, first_word, header, options_of};
use crate::error::{Argument, Detail, Error, Many, Result, Status};
use crate::model::{Dtype, Layout};
use core::fmt;

/// The kind of a plan in bits, in the top byte of its second word.
pub const NUMBER: u64 = 4;

/// A plan in bits that borrows its loops.
#[derive(Clone, Copy, Debug)]
pub struct BitView<'a> {
    /// In bits.
    pub(crate) nest: Nest<'a>,
    /// In bits.
    pub(crate) reached: Reached,
    pub(crate) packing: Packing,
    pub(crate) options: Options,
}

/// The words of a plan in bits, which anybody may have written.
#[derive(Clone, Copy, Debug)]
pub struct BitWords<'a> {
    /// The first words.
    pub header: &'a [u64; HEADER],
    /// The loops behind them, as many as [`loops_in_use`](super::words::loops_in_use) says.
    pub loops: &'a [Loop],
}

impl Packing {
    /// The packing of a copy between elements of fewer than 8 bits.
    pub(crate) fn of(dst: Dtype, src: Dtype) -> Self {
        Self { element: dst.bits() as u32, dst_high: dst.is_high_first(), src_high: src.is_high_first() }
    }

    /// A plan's second word.
    fn shape(self, loops: usize) -> u64 {
        self.element as u64
            | (self.dst_high as u64) << 8
            | (self.src_high as u64) << 9
            | (loops as u64) << 32
            | NUMBER << KIND
    }
}

impl Reach {
    /// The bytes that hold these bits.
    pub(crate) fn in_bytes(self) -> Self {
        let end = (self.end >> 3) + i64::from(self.end & 7 != 0);
        Self { lowest: self.lowest >> 3, highest: self.highest >> 3, end }
    }
}

impl Problem {
    /// Converts all numbers from bits to bytes; `false`, and no change, if one is not a whole number of bytes.
    fn become_bytes(&mut self) -> bool {
        let all =
            self.loops.as_slice().iter().fold(self.width | self.dst_base | self.src_base, |all, l| all | l.dst | l.src);
        if all & 7 != 0 {
            return false;
        }
        for number in [&mut self.width, &mut self.dst_base, &mut self.src_base] {
            *number >>= 3;
        }
        for l in self.loops.as_mut_slice() {
            (l.dst, l.src) = (l.dst >> 3, l.src >> 3);
        }
        true
    }
}

impl Plan {
    /// [`Plan::set_copy`] for elements of any width. Returns the packing if the plan is in bits, `None` if it is an
    /// ordinary one.
    pub(crate) fn set_any_copy(&mut self, dst: &Layout<'_>, src: &Layout<'_>) -> Result<Option<Packing>> {
        match self.set_copy_out_of_line(dst, src) {
            Ok(()) => Ok(None),
            Err(refused) if refused.detail == Detail::DtypeWidth => self.set_copy_of_bits(dst, src),
            Err(refused) => Err(refused),
        }
    }

    /// The copy that [`Plan::set_copy`] refused because of the width of its elements.
    pub(crate) fn set_copy_of_bits(&mut self, dst: &Layout<'_>, src: &Layout<'_>) -> Result<Option<Packing>> {
        let packing = Packing::of(dst.dtype(), src.dtype());
        let bits = packing.element as i64;
        if !dst.is_empty() {
            let trusted = self.options.flags & options::ASSUME_DISTINCT != 0;
            self.problem.set_loops(dst, src, bits, trusted)?;
            let (width, loops) = (self.problem.width, self.problem.loops.as_slice());
            if nested_extent(width, loops).is_none() {
                // Steps in elements; a run of elements counts as a loop.
                let all = [(width / bits.max(1), 1)].into_iter();
                self.options.check_distinct(all.chain(loops.iter().map(|l| (l.count, l.dst / bits.max(1)))))?;
            }
        }
        Ok(self.finish_bits(packing))
    }

    /// Makes a plan of the problem in bits, which is in normal form.
    pub(crate) fn finish_bits(&mut self, packing: Packing) -> Option<Packing> {
        let ordinary = packing.is_one_order() && self.problem.become_bytes();
        self.reached = if self.problem.width == 0 { Reached::NOTHING } else { reached(&self.problem) };
        if ordinary || self.problem.width == 0 {
            self.finish(packing.element as i64);
            return None;
        }
        self.set_fill_value(packing.element as i64);
        Some(packing)
    }

    /// Prepares the fill of a destination of elements below a byte, into an empty plan; UNDECIDED as
    /// [`Plan::set_fill`].
    pub(crate) fn set_fill_of_bits(&mut self, dst: &Layout<'_>) -> Result<Packing> {
        let packing = Packing::of(dst.dtype(), dst.dtype());
        self.problem.set_fill_loops(dst, packing.element as i64)?;
        self.reached = reached(&self.problem);
        Ok(packing)
    }

    /// The plan in bits with its loops borrowed.
    #[inline]
    pub(crate) fn view_bits(&self, packing: Packing) -> BitView<'_> {
        BitView { nest: self.problem.nest(), reached: self.reached, packing, options: self.options }
    }
}

impl<'a> BitView<'a> {
    /// The unsigned dtype of the same width as its elements.
    pub(crate) fn element(&self) -> Dtype {
        match self.packing.element {
            1 => Dtype::U1,
            2 => Dtype::U2,
            _ => Dtype::U4,
        }
    }

    /// What it reaches and moves, in bytes.
    pub(crate) fn reached_bytes(&self) -> Reached {
        let Reached { dst, src, .. } = self.reached;
        Reached { dst: dst.in_bytes(), src: src.in_bytes(), bytes: self.bytes_moved() }
    }

    /// Bytes that hold all elements, packed.
    pub fn bytes_moved(&self) -> u64 {
        self.reached.bytes.div_ceil(8)
    }

    /// The first words; the loops follow them.
    pub fn header(&self) -> [u64; HEADER] {
        let Nest { width, dst_base, src_base, loops } = self.nest;
        let words = HEADER + 3 * loops.len();
        header(words, self.packing.shape(loops.len()), [width, dst_base, src_base, 1], &self.options)
    }

    /// The loops in destination order, three words each.
    pub fn loops(&self) -> &'a [Loop] {
        self.nest.loops
    }
}

impl<'a> BitWords<'a> {
    /// Decodes the plan; INVALID_ARGUMENT if the words are not one. Whatever its numbers say, a decoded plan touches
    /// only bytes that its loops reach, and each call checks those against the buffers.
    pub fn decode(self) -> Result<BitView<'a>> {
        let [first, shape, _, width, dst_base, src_base, _, fill_period, ..] = *self.header;
        let options = options_of(self.header);
        options.check().map_err(|error| Error { argument: Argument::Plan, ..error })?;
        let packing =
            Packing { element: (shape & 0xFF) as u32, dst_high: shape >> 8 & 1 != 0, src_high: shape >> 9 & 1 != 0 };
        let nest =
            Nest { width: width as i64, dst_base: dst_base as i64, src_base: src_base as i64, loops: self.loops };
        let known = first == first_word(HEADER + 3 * self.loops.len())
            && shape == packing.shape(self.loops.len())
            && matches!(packing.element, 1 | 2 | 4)
            && nest.width >= 1
            && nest.width & (packing.element as i64 - 1) == 0
            && fill_period == 1;
        let trusted = options.flags & options::ASSUME_DISTINCT != 0;
        let reached = nest.reached().filter(|reached| known && (trusted || reached.are_distinct()));
        let error = Error::new(Status::InvalidArgument).argument(Argument::Plan);
        let refused = error.because(Detail::PlanWords, (shape & 0xFFFF) as i64, width as i64);
        reached.map(|reached| BitView { nest, reached, packing, options }).ok_or(refused)
    }
}

/// `bits: 9 bytes in runs of 68 bits, elements of 4, high bits first to low bits first; loops count (dst step, src
/// step) in bits, …`
impl fmt::Display for BitView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Packing { element, dst_high, src_high } = self.packing;
        let (bytes, run) = (Many(self.bytes_moved() as i64, "byte"), Many(self.nest.width, "bit"));
        write!(f, "bits: {bytes} in runs of {run}, elements of {element}")?;
        let name = |high: bool| if high { "high" } else { "low" };
        write!(f, ", {} bits first to {} bits first", name(src_high), name(dst_high))?;
        write_loops(f, self.nest.loops, " in bits")?;
        self.options.write_flags(f)
    }
}
