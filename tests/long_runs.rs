//! Runs whose bytes, or bits, 32 bits do not count. Their memory is the same pages again and again but for its end, so
//! that little of it is there.
#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]

#[macro_use]
pub mod common;
mod oracle;

use common::*;
use oracle::Random;
use std::ptr::null_mut;

/// Pages that come again.
const CHUNK: usize = 1 << 24;
/// Bytes at the end of their own.
const END: usize = 1 << 16;

/// So many chunks that are one, and an end after them.
struct Repeated {
    base: *mut u8,
    bytes: usize,
}

impl Repeated {
    fn new(chunks: usize) -> Self {
        let bytes = chunks * CHUNK + END;
        // SAFETY: a file of our own, which is mapped over addresses that nobody else has.
        unsafe {
            let file = libc::memfd_create(c"repeated".as_ptr(), 0);
            assert!(file >= 0 && libc::ftruncate(file, (CHUNK + END) as libc::off_t) == 0);
            let base = libc::mmap(null_mut(), bytes, libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
            assert_ne!(base, libc::MAP_FAILED);
            for chunk in 0..=chunks {
                let (length, begin) = if chunk < chunks { (CHUNK, 0) } else { (END, CHUNK as libc::off_t) };
                let (at, rights) = (base.byte_add(chunk * CHUNK), libc::PROT_READ | libc::PROT_WRITE);
                let mapped = libc::mmap(at, length, rights, libc::MAP_SHARED | libc::MAP_FIXED, file, begin);
                assert_eq!(mapped, at);
            }
            libc::close(file);
            Self { base: base.cast(), bytes }
        }
    }

    /// The last chunk and the end, which lie one after the other.
    fn last(&mut self) -> &mut [u8] {
        // SAFETY: they are mapped; nobody else has them.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(self.bytes - CHUNK - END), CHUNK + END) }
    }
}

impl Drop for Repeated {
    fn drop(&mut self) {
        // SAFETY: all of it was mapped.
        unsafe { libc::munmap(self.base.cast(), self.bytes) };
    }
}

/// Two of them with other bytes in each.
fn two(chunks: usize) -> [Repeated; 2] {
    let mut random = Random::new(20_261_126);
    let noise = random.bytes(1 << 20);
    [(); 2].map(|()| {
        let (mut repeated, from) = (Repeated::new(chunks), random.below(1 << 16) as usize);
        repeated.last().iter_mut().zip(noise.iter().skip(from).cycle()).for_each(|(byte, of)| *byte = *of);
        repeated
    })
}

fn moved(options: &stride_copy_options, dst: (&stride_layout, &Repeated), src: (&stride_layout, &Repeated)) {
    let (to, from) = (dst.1.base.cast(), src.1.base.cast_const().cast());
    call!(stride_copy, dst.0, to, dst.1.bytes as u64, src.0, from, src.1.bytes as u64, options).unwrap();
}

#[test]
fn four_gibibytes_and_some() {
    let [mut dst, mut src] = two(256);
    let bytes = (256 * CHUNK + 12_345) as i64;
    let row = packed(Dtype::U8.code(), &[bytes]);
    for cpu_level in [STRIDE_CPU_LEVEL_SCALAR, STRIDE_CPU_LEVEL_BEST] {
        let after = dst.last()[CHUNK + 12_345..].to_vec();
        dst.last()[..CHUNK + 12_345].fill(0xA5);
        moved(&stride_copy_options { cpu_level, ..flags(0) }, (&row, &dst), (&row, &src));
        assert!(dst.last()[..CHUNK + 12_345] == src.last()[..CHUNK + 12_345]);
        assert!(dst.last()[CHUNK + 12_345..] == after);
    }
    let differ = |dst: &Repeated, src: &Repeated| {
        let mut first = POISON;
        let (lhs, rhs) = (dst.base.cast_const().cast(), src.base.cast_const().cast());
        call!(stride_compare, &row, lhs, dst.bytes as u64, &row, rhs, src.bytes as u64, &mut first).map(|()| first)
    };
    assert_eq!(differ(&dst, &src), Ok(-1));
    dst.last()[CHUNK + 12_344] ^= 1;
    assert_eq!(differ(&dst, &src), Ok(bytes - 1));
    let after = dst.last()[CHUNK + 12_345..].to_vec();
    let (to, value) = (dst.base.cast(), [0x3Cu8]);
    call!(stride_fill, &row, to, dst.bytes as u64, value.as_ptr().cast()).unwrap();
    assert!(dst.last()[..CHUNK + 12_345].iter().all(|&byte| byte == 0x3C) && dst.last()[CHUNK + 12_345..] == after);
}

/// More than 2^32 bits, half of an element after the last whole byte.
#[test]
fn half_a_gibibyte_of_nibbles_and_some() {
    let [mut dst, mut src] = two(32);
    let whole = CHUNK + 12_345;
    let elements = (32 * CHUNK + 12_345) as i64 * 2 + 1;
    let u4 = Dtype::U4.code();
    let (row, other) = (packed(u4, &[elements]), packed(u4 | STRIDE_DTYPE_HIGH_FIRST, &[elements]));
    let swapped: Vec<u8> = src.last().iter().map(|byte| byte.rotate_left(4)).collect();
    let kept = dst.last()[whole] & 0xF0;
    let after = dst.last()[whole + 1..].to_vec();
    moved(&flags(0), (&row, &dst), (&other, &src));
    let end = |now: &mut Repeated| (now.last()[whole], now.last()[whole + 1..] == after);
    assert!(dst.last()[..whole] == swapped[..whole]);
    assert_eq!(end(&mut dst), (swapped[whole] & 0xF | kept, true));
    // One nibble, everywhere.
    let one = layout(u4, &[elements], &[0]);
    moved(&flags(0), (&row, &dst), (&one, &src));
    let nibble = src.last()[0] & 0xF;
    assert!(dst.last()[..whole].iter().all(|&byte| byte == nibble * 0x11));
    assert_eq!(end(&mut dst), (nibble | kept, true));
    let (to, value) = (dst.base.cast(), [!nibble & 0xF]);
    call!(stride_fill, &row, to, dst.bytes as u64, value.as_ptr().cast()).unwrap();
    assert!(dst.last()[..whole].iter().all(|&byte| byte == value[0] * 0x11));
    assert_eq!(end(&mut dst), (value[0] | kept, true));
}
