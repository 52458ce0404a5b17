//! Every K-th element of a run, of 4 or 8 bytes. The masked loads of AVX2 leave the others out, which may not be
//! touched; for narrower elements it has none.

use super::super::prefetch::{prefetch, stretches};
use super::super::register::{Register, Width, put_first, steps};
use super::super::reverse::lowest;
use super::super::rows::begin;
use super::super::{Inner, hints, table};
use super::avx2::Lanes2;
use core::arch::x86_64::*;

/// The tables by which every K-th element comes into one register: K masked loads, each with its elements at other
/// positions, are or-ed together and permuted once.
struct GatherTables<const K: usize> {
    /// Elements from one load to the next.
    step: usize,
    /// `[r][p]`: the number of the wanted element that 4 bytes p of load r belong to.
    wanted: [[i32; 8]; K],
    /// `[p]`: the position of the p-th 4 bytes of the result.
    index: [i32; 8],
    /// The index in reverse order. From the n-th element on it is that for n elements fewer.
    mirrored: [i32; 16],
}

impl<const K: usize> GatherTables<K> {
    /// The tables of elements of 4 bytes and of 8.
    const ALL: [Self; 2] = [Self::of(1), Self::of(2)];

    /// The tables of elements of this many times 4 bytes.
    const fn of(fours: usize) -> Self {
        let elements = 8 / fours;
        let step = if K == 3 { elements } else { elements - 1 };
        let (mut wanted, mut index) = ([[i32::MAX; 8]; K], [0; 8]);
        let mut n = 0;
        while n < K * 8 {
            let (r, p) = (n / 8, n % 8);
            let element = r * step + p / fours;
            if element.is_multiple_of(K) {
                wanted[r][p] = (element / K) as i32;
                if element / K < elements {
                    index[element / K * fours + p % fours] = p as i32;
                }
            }
            n += 1;
        }
        let last = (elements - 1) * fours;
        let mirrored = table!([0; 16], |p| if p < 8 { index[last - p / fours * fours + p % fours] } else { 0 });
        Self { step, wanted, index, mirrored }
    }

    /// Every K-th element from an address on, `now` bytes in all, at most a register's; `mirrored`: in reverse order.
    /// No other byte is touched.
    ///
    /// # Safety
    /// K1 and K3 of [`Run`](super::super::Run), for these elements, of which there is one at least. The tables are
    /// those of their width.
    #[inline(always)]
    unsafe fn load(&self, from: *const u8, width: Width, now: usize, mirrored: bool) -> Lanes2 {
        let fewer = (Lanes2::BYTES - now) / 4;
        let index = if mirrored { self.mirrored.as_ptr().wrapping_add(fewer) } else { self.index.as_ptr() };
        // SAFETY: K1; K3: the elements may be read, and those that are masked out are not touched; an index has eight
        // entries. (The compiler does not know the width: with a constant mask it could load what lies between the
        // elements.)
        unsafe {
            let count = _mm256_set1_epi32((now / width.bytes()) as i32);
            let mut all = _mm256_setzero_si256();
            for (r, wanted) in self.wanted.iter().enumerate() {
                let mask = _mm256_cmpgt_epi32(count, _mm256_loadu_si256(wanted.as_ptr().cast()));
                let from = from.wrapping_add(width.of_elements(r * self.step));
                all = _mm256_or_si256(all, _mm256_maskload_epi32(from.cast(), mask));
            }
            Lanes2(_mm256_permutevar8x32_epi32(all, _mm256_loadu_si256(index.cast())))
        }
    }
}

/// Every K-th element of a run: `a.src` is K elements, upward or downward.
///
/// # Safety
/// K1–K3 of [`Run`](super::super::Run); K1 is AVX2.
#[target_feature(enable = "avx2")]
pub(in super::super) unsafe fn gather<const K: usize>(dst: *mut u8, src: *const u8, inner: &Inner) {
    const BYTES: usize = Lanes2::BYTES;
    let Inner { a, b, ahead, .. } = *inner;
    let width = Width::of(inner.width);
    let tables = &const { &GatherTables::<K>::ALL }[usize::from(width.bytes() > 4)];
    let (far, mirrored) = (ahead != 0 || inner.hints & hints::FAR_MASKED != 0, a.src < 0);
    let (whole, last) = steps::<Lanes2>(width.of_elements(a.count as usize));
    let of_step = a.src.signum() * (K * BYTES) as i64;
    let stretches = match far && ahead == 0 {
        true => stretches(whole as i64, of_step, b.src),
        false => [(whole as i64, ahead); 2],
    };
    let lowest = |at: usize, now: usize| lowest(mirrored, K * width.bytes(), K * at, K * now);
    for j in 0..b.count {
        let (to, from) = begin(dst, src, b, j);
        let mut step = 0;
        for (end, ahead) in stretches {
            while step < end {
                let at = step as usize * BYTES;
                let from = from.wrapping_offset(lowest(at, BYTES));
                if far {
                    prefetch(from.wrapping_offset(ahead), K * BYTES, false);
                }
                // SAFETY: K1; K3: the elements of this step.
                unsafe { tables.load(from, width, BYTES, mirrored).store(to.wrapping_add(at)) };
                step += 1;
            }
        }
        if let Some((at, now)) = last {
            // SAFETY: K1; K3: the elements that are left.
            unsafe {
                let piece = tables.load(from.wrapping_offset(lowest(at, now)), width, now, mirrored);
                put_first(piece, to.wrapping_add(at), now);
            }
        }
    }
}
