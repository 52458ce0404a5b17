//! Every small copy: all pairs of layouts of rank up to 3 with sizes 1–3, all orders, mirrored, padded, and with source
//! dimensions of stride 0, byte for byte; one in eleven of rank 4, and some of no elements. No two are alike. And named
//! copies of the sizes that kernels are about: shape × order × width × instruction set × place × machine.
//!
//! A share of them by `STRIDE_SHARE`, all of these where that is 1, and with `STRIDE_WHOLE` each pair of rank 4 and of
//! no elements too (minutes); both tests say how many they ran. Each pair of layouts has one width, instruction set and
//! place, drawn for it.
#![cfg(not(miri))] // millions of copies

mod oracle;

use oracle::{DEFAULTS, Side, bytes_dtype};
use std::collections::HashSet;
use std::ptr::null_mut;
use stride::ffi::copy::{stride_copy, stride_copy_options};
use stride::ffi::machine::stride_machine;

/// All orders of so many dimensions.
fn orders(rank: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for next in 0..rank {
        let with = |order: &Vec<usize>| {
            let order = order.clone();
            (0..=order.len()).map(move |at| [&order[..at], &[next], &order[at..]].concat())
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// All lists of `rank` numbers below 4.
fn shapes(rank: usize) -> Vec<Vec<i64>> {
    (0..1 << (2 * rank)).map(|number: usize| (0..rank).map(|d| (number >> (2 * d) & 3) as i64).collect()).collect()
}

/// How a side lies: its dimensions' order, fastest last, which of them are mirrored, which have stride 0, and whether
/// there is room for one more element after each row.
#[derive(Clone, Debug)]
struct Lies {
    order: Vec<usize>,
    mirrored: usize,
    repeated: usize,
    padded: bool,
}

impl Lies {
    /// Every way for so many dimensions.
    fn all(rank: usize, repeats: bool) -> Vec<Self> {
        let mut all = vec![];
        for order in orders(rank) {
            for variant in 0..2 << rank {
                for repeated in 0..if repeats { 1 << rank } else { 1 } {
                    all.push(Self { order: order.clone(), mirrored: variant >> 1, repeated, padded: variant & 1 != 0 });
                }
            }
        }
        all
    }

    fn side(&self, sizes: &[i64]) -> Side {
        let (mut strides, mut step) = (vec![0; sizes.len()], 1);
        for &d in self.order.iter().rev() {
            if self.repeated >> d & 1 == 0 {
                strides[d] = if self.mirrored >> d & 1 != 0 { -step } else { step };
                step *= (sizes[d] + i64::from(self.padded)).max(1);
            }
        }
        Side::new(sizes, &strides, 0)
    }
}

/// The buffers of all copies, made once.
struct Room {
    dst: Vec<u8>,
    src: Vec<u8>,
    expected: Vec<u8>,
}

impl Room {
    fn new(bytes: usize) -> Self {
        let src = (0..bytes).map(|k| (k * 41 + k / 199) as u8 | 1).collect();
        Self { dst: vec![0; bytes], src, expected: vec![0; bytes] }
    }

    /// Copies, and compares every byte from 64 before the destination to 64 after it; base pointers so many bytes
    /// past multiples of 64.
    fn copies_right(
        &mut self,
        dst: &Side,
        src: &Side,
        width: usize,
        shifts: [usize; 2],
        options: &stride_copy_options,
    ) -> bool {
        let (dst_bytes, src_bytes) = (dst.extent() as usize * width, src.extent() as usize * width);
        let begins = [&self.dst, &self.src].map(|buffer| 64 + buffer.as_ptr().addr().wrapping_neg() % 64);
        let (to, from) = (begins[0] + shifts[0], begins[1] + shifts[1]);
        let around = to - 64..to + dst_bytes + 64;
        self.dst[around.clone()].fill(0x2A);
        self.expected[around.clone()].fill(0x2A);
        oracle::copy(&mut self.expected[to..to + dst_bytes], dst, &self.src[from..from + src_bytes], src, width);
        let dtype = bytes_dtype(width);
        let (dst_layout, src_layout) = (dst.layout(dtype), src.layout(dtype));
        let (dst_start, src_start) = (self.dst[to..].as_mut_ptr(), self.src[from..].as_ptr());
        // SAFETY: both buffers are as long as the lengths say.
        let status = unsafe {
            let (dst_bytes, src_bytes) = (dst_bytes as u64, src_bytes as u64);
            stride_copy(
                &dst_layout,
                dst_start.cast(),
                dst_bytes,
                &src_layout,
                src_start.cast(),
                src_bytes,
                options,
                null_mut(),
            )
        };
        status == 0 && self.dst[around.clone()] == self.expected[around]
    }
}

/// Another number for each one, without a pattern.
fn mixed(number: u64) -> usize {
    oracle::Random::new(number).next() as usize >> 8
}

const WIDTHS: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// Every layout of so many dimensions with these sizes, each once: what differs only in steps that nothing takes is
/// one.
fn different(all: &[Lies], sizes: &[i64]) -> Vec<Side> {
    let mut known = HashSet::new();
    let taken = |side: &Side| {
        let dimensions = sizes.iter().zip(&side.strides);
        dimensions.map(|(&size, &stride)| if size == 1 { 0 } else { stride }).collect::<Vec<_>>()
    };
    all.iter().map(|lies| lies.side(sizes)).filter(|side| known.insert(taken(side))).collect()
}

#[test]
fn every_pair_of_small_layouts() {
    let (levels, share) = (oracle::levels(), oracle::share());
    let whole = std::env::var_os("STRIDE_WHOLE").is_some();
    let mut room = Room::new(1 << 14);
    let (mut ran, mut empty) = (0u64, 0u64);
    for rank in 0..=4 {
        let (all_dst, all_src) = (Lies::all(rank, false), Lies::all(rank, true));
        for sizes in shapes(rank) {
            let (dst_sides, src_sides) = (different(&all_dst, &sizes), different(&all_src, &sizes));
            let pairs = dst_sides.len() * src_sides.len();
            let is_empty = sizes.contains(&0);
            // Of rank 4 and of no elements there are too many; by primes every variant has its turn.
            let one_in = match (is_empty, rank) {
                _ if whole => 1,
                (true, _) => 199,
                (false, 4) => 11,
                (false, _) => 1,
            } * share as usize;
            for pair in (mixed(ran) % one_in..pairs).step_by(one_in) {
                let (dst, src) = (&dst_sides[pair / src_sides.len()], &src_sides[pair % src_sides.len()]);
                let drawn = mixed(ran + empty);
                let width = WIDTHS[drawn % WIDTHS.len()];
                let level = levels[drawn / WIDTHS.len() % levels.len()];
                let options = stride_copy_options { cpu_level: level as u32, ..DEFAULTS };
                let right = room.copies_right(dst, src, width, [drawn / 64 % 5, drawn / 512 % 3], &options);
                assert!(right, "{width} bytes, {dst:?} from {src:?}, {level:?}");
                *(if is_empty { &mut empty } else { &mut ran }) += 1;
            }
        }
    }
    println!("\n{ran} pairs of layouts, no two alike, and {empty} of no elements");
    assert!(ran * share > if whole { 18_000_000 } else { 1_000_000 });
}

/// Shapes around the tiles and registers of the kernels, and what engines copy.
const SHAPES: [&[i64]; 22] = [
    &[1],
    &[17],
    &[1000],
    &[3, 5],
    &[16, 16],
    &[17, 33],
    &[64, 64],
    &[65, 31],
    &[127, 130],
    &[3, 640],
    &[640, 3],
    &[4, 4, 50],
    &[50, 4, 4],
    &[3, 14, 33],
    &[14, 33, 3],
    &[8, 8, 8],
    &[7, 9, 11],
    &[2, 3, 4, 5],
    &[1, 8, 1, 40],
    &[4, 5, 6, 7],
    &[2, 2, 2, 2, 2, 2],
    &[3, 2, 5, 2, 4],
];

#[test]
fn named_copies() {
    // Nothing fits the first machine's caches, so that all is streamed, staged and asked for; all fits the second
    // one's.
    let small = "first=64 second=128 last=256 stream_from=1 stream_late_from=1 stream_channels_from=1 \
                 stream_unaligned_from=1 prefetch_from=1 prefetch_second_from=1";
    let machines =
        [("small", oracle::machine(small)), ("large", oracle::machine("first=65536 second=4194304 last=268435456"))];
    let (levels, share) = (oracle::levels(), oracle::share());
    let mut room = Room::new(1 << 20);
    let (mut number, mut ran) = (0u64, 0u64);
    for sizes in SHAPES {
        let rank = sizes.len();
        let mut orders = orders(rank);
        orders.sort();
        // Of many orders 24, among them the first and the last.
        let step = orders.len().div_ceil(24).max(1);
        let last = orders.pop().unwrap_or_default();
        for order in orders.iter().step_by(step).chain([&last]) {
            let dst = Lies { order: (0..rank).collect(), mirrored: 0, repeated: 0, padded: false }.side(sizes);
            let src = Lies { order: order.clone(), mirrored: 0, repeated: 0, padded: false }.side(sizes);
            for width in WIDTHS {
                for &level in &levels {
                    for shifts in [[0, 0], [0, 4], [1, 0], [7, 3], [63, 8], [32, 16]] {
                        for (name, of) in &machines {
                            number += 1;
                            if !(mixed(number) as u64).is_multiple_of(share) {
                                continue;
                            }
                            let machine = stride_machine { cpu_level: level as u32, ..*of };
                            let options = stride_copy_options { machine: &machine, ..DEFAULTS };
                            assert!(
                                room.copies_right(&dst, &src, width, shifts, &options),
                                "{sizes:?}/{order:?}/{width}/{}/{shifts:?}/{name}",
                                level.word()
                            );
                            ran += 1;
                        }
                    }
                }
            }
        }
    }
    println!("\n{ran} named copies by {:?}", levels.iter().map(|level| level.word()).collect::<Vec<_>>());
    assert!(number > 12_500 * levels.len() as u64 && ran * share > 10_000 * levels.len() as u64);
}
