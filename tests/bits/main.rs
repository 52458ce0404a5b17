//! Elements below a byte, held against the naive loop that reads and writes them one by one.
//!
//! Whole buffers are compared, so that a neighbour in a byte that was changed shows. A failure prints the case; its
//! number and the seed replay it.

#[macro_use]
#[path = "../common/mod.rs"]
pub mod common;
mod copies;
mod fills;
#[cfg(unix)]
#[path = "../guarded/mod.rs"]
mod guarded;
#[path = "../oracle/mod.rs"]
mod oracle;
mod plans;
mod sharing;

use common::*;
pub use oracle::Random;
use oracle::{DEFAULTS, Side};

const SEED: u64 = 20_261_121;

const U4: u32 = Dtype::U4.code();
const S4: u32 = Dtype::S4.code();
const U2: u32 = Dtype::U2.code();
const U1: u32 = Dtype::U1.code();
const U8: u32 = Dtype::U8.code();
const FP4: u32 = Dtype::F4E2M1FN.code();
const HIGH: u32 = STRIDE_DTYPE_HIGH_FIRST;

const NARROW: [Dtype; 7] = [Dtype::U4, Dtype::S4, Dtype::F4E2M1FN, Dtype::U2, Dtype::S2, Dtype::U1, Dtype::S1];

/// A side of a copy: places in elements, and what they are.
#[derive(Clone, Debug)]
struct Bits {
    side: Side,
    dtype: Dtype,
}

impl Bits {
    fn layout(&self) -> stride_layout {
        self.side.layout(self.dtype.code())
    }

    fn bytes(&self) -> usize {
        (self.side.extent() * self.dtype.bits()).max(0).cast_unsigned().div_ceil(8) as usize
    }

    /// The byte, the shift in it and the mask of the element at an offset.
    fn place(&self, offset: i64) -> (usize, u32, u8) {
        let (bits, at) = (self.dtype.bits(), offset * self.dtype.bits());
        let low = (at % 8) as u32;
        let shift = if self.dtype.is_high_first() { 8 - bits as u32 - low } else { low };
        ((at / 8) as usize, shift, ((1u16 << bits) - 1) as u8)
    }

    /// The bits of so many bytes that are its elements' where its base lies at byte `at`: of wide types, whole bytes.
    fn occupied(&self, at: usize, bytes: usize) -> Vec<u8> {
        let (mut occupied, width) = (vec![0; bytes], self.dtype.bits() as usize / 8);
        for offset in self.side.offsets() {
            if width > 0 {
                occupied[at + offset as usize * width..][..width].fill(0xFF);
            } else {
                let (byte, shift, mask) = self.place(offset);
                occupied[at + byte] |= mask << shift;
            }
        }
        occupied
    }

    fn get(&self, buffer: &[u8], offset: i64) -> u8 {
        let (byte, shift, mask) = self.place(offset);
        buffer[byte] >> shift & mask
    }

    fn put(&self, buffer: &mut [u8], offset: i64, value: u8) {
        let (byte, shift, mask) = self.place(offset);
        buffer[byte] = buffer[byte] & !(mask << shift) | (value & mask) << shift;
    }

    /// The naive fill of all elements.
    fn fill(&self, buffer: &mut [u8], value: u8) {
        for offset in self.side.offsets() {
            self.put(buffer, offset, value);
        }
    }

    /// Every element of the buffer, whether an index reaches it or not.
    fn fill_everything(&self, buffer: &mut [u8], value: u8) {
        for offset in 0..buffer.len() as i64 * 8 / self.dtype.bits() {
            self.put(buffer, offset, value);
        }
    }
}

/// The naive copy.
fn naive(dst: &Bits, to: &mut [u8], src: &Bits, from: &[u8]) {
    for (dst_offset, src_offset) in dst.side.offsets().into_iter().zip(src.side.offsets()) {
        dst.put(to, dst_offset, src.get(from, src_offset));
    }
}

fn either_order(random: &mut Random, dtype: Dtype) -> Dtype {
    if random.one_in(2) { dtype.high_first() } else { dtype }
}

fn random_sizes(random: &mut Random) -> Vec<i64> {
    if random.one_in(60) {
        return oracle::long_sizes(random);
    }
    let mut sizes = oracle::random_sizes(random);
    sizes.truncate(5);
    if random.one_in(3) {
        sizes.truncate(2);
        for size in sizes.iter_mut().filter(|size| **size > 1) {
            *size += random.below(40);
        }
    }
    sizes
}

/// A random copy of these sizes.
fn random_copy(random: &mut Random, sizes: &[i64]) -> (Bits, Bits) {
    let dtype = random.pick(&NARROW);
    let (dst_dtype, src_dtype) = (either_order(random, dtype), either_order(random, dtype));
    let (dst, src) = (oracle::distinct_strides(random, sizes), oracle::source_strides(random, sizes));
    let margin = |random: &mut Random| if random.one_in(2) { 0 } else { random.below(19) };
    let dst = Bits { side: Side::new(sizes, &dst, margin(random)), dtype: dst_dtype };
    (dst, Bits { side: Side::new(sizes, &src, margin(random)), dtype: src_dtype })
}

/// A transpose of whole tiles, whose rows are words and end with their buffers.
#[cfg(unix)]
fn whole_tiles(random: &mut Random) -> (Bits, Bits) {
    let dtype = random.pick(&NARROW);
    let side = 64 / dtype.bits();
    let sizes = [side, side * (1 + random.below(2))];
    let mut matrix =
        |strides: &[i64; 2]| Bits { side: Side::new(&sizes, strides, 0), dtype: either_order(random, dtype) };
    (matrix(&[sizes[1], 1]), matrix(&[1, sizes[0]]))
}

/// Runs all parts in random order.
fn in_parts(random: &mut Random, plan: &stride_plan, to: &mut [u8], from: &[u8]) -> Answer<()> {
    let parts = 1 + random.below(7) as u32;
    let mut order: Vec<u32> = (0..parts).collect();
    random.shuffle(&mut order);
    order.into_iter().try_for_each(|part| execute_part(plan, to, from, part, parts))
}

/// Nibbles 1, 2, 3, … as XLA writes them, the low bits first.
fn nibbles(count: usize) -> Vec<u8> {
    let side = Bits { side: Side::new(&[count as i64], &[1], 0), dtype: Dtype::U4 };
    let mut buffer = vec![0; count.div_ceil(2)];
    (0..count as i64).for_each(|k| side.put(&mut buffer, k, (k + 1) as u8));
    buffer
}

fn describe(plan: &stride_plan) -> String {
    text(|buffer, capacity, length| {
        let mut error = UNWRITTEN;
        // SAFETY: a plan, a buffer of this capacity, a number and a record of ours.
        let status = unsafe { stride_plan_describe(plan, buffer, capacity, length, &mut error) };
        outcome(status, error)
    })
    .unwrap()
}

/// A copy by one call or a plan in parts: its elements, and whether a plan was in bits.
pub fn copy_of_bits(random: &mut Random) -> (usize, bool) {
    let sizes = random_sizes(random);
    let (dst, src) = random_copy(random, &sizes);
    let fills = random.pick(&[0, 0, 0, STRIDE_COPY_FILL_BUFFER]);
    let more = random.pick(&[0, 0, STRIDE_COPY_ASSUME_DISTINCT, STRIDE_COPY_SMALL_STACK]);
    let mut options = stride_copy_options { flags: fills | more, ..DEFAULTS };
    options.fill[0] = random.next() as u8;
    let bytes = dst.bytes() + random.below(3) as usize;
    let from = random.bytes(src.bytes());
    // The buffer named lies in a larger one.
    let before = random.bytes(bytes + 32);
    let (mut expected, mut to) = (before.clone(), before.clone());
    if fills != 0 {
        dst.fill_everything(&mut expected[16..16 + bytes], options.fill[0]);
    }
    naive(&dst, &mut expected[16..16 + bytes], &src, &from);
    let what = || format!("{dst:?} of {src:?}, {options:?}");
    let buffer = &mut to[16..16 + bytes];
    let (dst_layout, src_layout) = (dst.layout(), src.layout());
    let mut in_bits = false;
    let answer = if random.one_in(2) {
        copy_with(&options, (&dst_layout, buffer), (&src_layout, &from))
    } else {
        let plan = plan(&options, &dst_layout, &src_layout).unwrap_or_else(|e| panic!("{e:?} {}", what()));
        in_bits = describe(&plan).starts_with("bits");
        in_parts(random, &plan, buffer, &from)
    };
    assert_eq!(answer, Ok(()), "{}", what());
    assert!(to == expected, "{}", what());
    (dst.side.offsets().len(), in_bits)
}

/// The case that these bytes steer: what `fuzz/` runs. All of them pass.
pub fn any_bytes(bytes: &[u8]) -> bool {
    copy_of_bits(&mut Random::steered(bytes));
    true
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("../corpora/bits.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("bits", any_bytes);
}
