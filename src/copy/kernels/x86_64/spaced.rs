//! Elements of up to 32 bytes at steps of up to 64: every k-th one, pixels without their alpha, short rows of a pitched
//! image, a repeated pixel, upward or downward. For AVX-512, since only masks can leave out single bytes.
//!
//! A step moves `n` elements. On the side where they are closer they fit one register. On the other side they occupy up
//! to four consecutive lines of 64 bytes, which are loaded or stored under masks so that nothing between the elements
//! is touched. Byte permutations bring them from the one side to the other:
//!
//! ```text
//! closer in dst   byte p of the one register = byte index[p] of the lines
//! closer in src   byte p of line s           = byte index[s][p] of the one register
//! ```
//!
//! Byte p of a side belongs to byte `p mod step` of element `p div step`, if these are below the width and n. All
//! tables follow from this, and every step uses the same. The last step of a row overlaps the one before. Beyond L2
//! masked stores wait for their lines, so these are prefetched, too ([`prefetch`](mod@super::super::prefetch)).

use super::super::prefetch::{PREFETCH_DISTANCE, prefetch, stretches};
use super::super::register::Register;
use super::super::rows::begin;
use super::super::{ASCENDING, Inner, LINE, Loop, hints};
use super::avx512::Lanes4;
use core::arch::x86_64::*;

/// [`LINE`] in the type of steps.
const LINE_BYTES: i64 = LINE as i64;
/// Lines of the wider side.
const MOST_LINES: i64 = 4;
/// Bytes of the wider side after which another row that shares the lines is continued.
const SHARED: i64 = 16 << 10;

/// Half a line. For each byte, in 16 bits, the number of its element and its number in it.
struct Half {
    element: __m512i,
    byte: __m512i,
    /// The bytes that belong to an element.
    described: u64,
}

/// Half line `half` of `elements` elements of `width` bytes, `step` bytes apart.
///
/// # Safety
/// K1 of [`Run`](super::super::Run): AVX-512 BW. (No closures here: they would not be compiled for it.)
#[inline(always)]
unsafe fn half_line(half: usize, width: i64, step: i64, elements: i64) -> Half {
    // SAFETY: K1: the CPU has AVX-512.
    unsafe {
        let ramp = _mm512_cvtepu8_epi16(_mm256_loadu_si256(ASCENDING.as_ptr().cast()));
        let position = _mm512_add_epi16(ramp, _mm512_set1_epi16(half as i16 * 32));
        // Correct for positions below 256 and steps from 2 to 256; a step of 1 would need one bit more.
        let reciprocal = _mm512_set1_epi16((65535i64.checked_div(step).unwrap_or(0) + 1) as i16);
        let element = if step == 1 { position } else { _mm512_mulhi_epu16(position, reciprocal) };
        let byte = _mm512_sub_epi16(position, _mm512_mullo_epi16(element, _mm512_set1_epi16(step as i16)));
        let inside = _mm512_cmplt_epu16_mask(byte, _mm512_set1_epi16(width as i16));
        let inside = _mm512_mask_cmplt_epu16_mask(inside, element, _mm512_set1_epi16(elements as i16));
        Half { element, byte, described: u64::from(inside) }
    }
}

/// The sources of the bytes of half a line: `first + element · step + byte`.
///
/// # Safety
/// K1: AVX-512 BW.
#[inline(always)]
unsafe fn offsets(half: &Half, first: i64, step: i64) -> __m256i {
    // SAFETY: K1: the CPU has AVX-512.
    unsafe {
        let start = _mm512_add_epi16(half.byte, _mm512_set1_epi16(first as i16));
        _mm512_cvtepi16_epi8(_mm512_add_epi16(start, _mm512_mullo_epi16(half.element, _mm512_set1_epi16(step as i16))))
    }
}

/// Elements at small steps; see [`Family::Spaced`](super::super::Family::Spaced).
///
/// # Safety
/// K1–K3 of [`Run`](super::super::Run); K1 is AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2")]
pub(in super::super) unsafe fn spaced(dst: *mut u8, src: *const u8, inner: &Inner) {
    let Inner { width, a, .. } = *inner;
    let apart = a.src.wrapping_abs();
    let (near, wide) = if apart > a.dst { (a.dst, apart) } else { (apart, a.dst) };
    let fit =
        |lines: i64, step: i64| (lines * LINE_BYTES - width).checked_div(step).map_or(LINE_BYTES, |more| more + 1);
    let elements = fit(1, near).min(fit(MOST_LINES, wide)).min(a.count);
    let lines = ((elements - 1) * wide + width + LINE_BYTES - 1) / LINE_BYTES;
    // SAFETY: K1–K3 for the same loops; the elements of a step are in this many lines.
    unsafe {
        match (lines, apart > a.dst) {
            (..=1, _) => each_row::<1, 1>(dst, src, inner, elements),
            (2, true) => each_row::<2, 1>(dst, src, inner, elements),
            (3, true) => each_row::<3, 1>(dst, src, inner, elements),
            (_, true) => each_row::<4, 1>(dst, src, inner, elements),
            (2, false) => each_row::<1, 2>(dst, src, inner, elements),
            (3, false) => each_row::<1, 3>(dst, src, inner, elements),
            (_, false) => each_row::<1, 4>(dst, src, inner, elements),
        }
    }
}

/// The tables of a step, for L lines of the source and S of the destination, one of which is 1.
struct Step<const L: usize, const S: usize> {
    /// The bytes of each line of the source that are loaded.
    load: [u64; L],
    /// The bytes of each line of the destination that are stored.
    store: [u64; S],
    /// `[s][p]`: the byte of the source's lines from which byte p of the s-th destination line comes.
    index: [Lanes4; S],
}

impl<const L: usize, const S: usize> Step<L, S> {
    /// The tables of a step of `elements` elements along the loop `a`.
    ///
    /// # Safety
    /// K1: AVX-512; the elements are in this many lines.
    #[inline(always)]
    unsafe fn new(width: i64, a: Loop, elements: i64) -> Self {
        const { assert!(L == 1 || S == 1) };
        let apart = a.src.wrapping_abs();
        // A repeated element is loaded once.
        let loaded = if apart == 0 { 2 * LINE_BYTES } else { apart };
        // Downward, the last element is the lowest.
        let lowest = if a.src < 0 { (elements - 1) * apart } else { 0 };
        let (mut load, mut store) = ([0; L], [0; S]);
        // SAFETY: K1: the CPU has AVX-512.
        unsafe {
            let mut index = [Lanes4(_mm512_setzero_si512()); S];
            for (l, load) in load.iter_mut().enumerate() {
                let low = half_line(2 * l, width, loaded, elements);
                let high = half_line(2 * l + 1, width, loaded, elements);
                *load = low.described | high.described << 32;
            }
            for (s, (store, index)) in store.iter_mut().zip(&mut index).enumerate() {
                let low = half_line(2 * s, width, a.dst, elements);
                let high = half_line(2 * s + 1, width, a.dst, elements);
                *store = low.described | high.described << 32;
                let (low, high) = (offsets(&low, lowest, a.src), offsets(&high, lowest, a.src));
                *index = Lanes4(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high));
            }
            Self { load, store, index }
        }
    }

    /// One step, from the lowest element on. `whole`: the whole line of the destination may be written.
    ///
    /// # Safety
    /// K1 and K3, for the elements of the step.
    #[inline(always)]
    unsafe fn run(&self, to: *mut u8, from: *const u8, whole: bool) {
        // SAFETY: K1; K3: bytes of the elements; what the masks leave out is not touched.
        unsafe {
            let mut lines = [Lanes4(_mm512_setzero_si512()); L];
            for (l, (line, &mask)) in lines.iter_mut().zip(&self.load).enumerate() {
                *line = Lanes4::load_masked(from.wrapping_add(l * LINE), mask);
            }
            if S > 1 {
                for (s, (&store, index)) in self.store.iter().zip(self.index).enumerate() {
                    Lanes4::pick_by(&lines, &[index; L]).store_masked(to.wrapping_add(s * LINE), store);
                }
                return;
            }
            let found = Lanes4::pick_by(&lines, &[self.index[0]; L]);
            if whole { found.store(to) } else { found.store_masked(to, self.store[0]) }
        }
    }
}

/// All rows, in steps of `elements` elements.
///
/// # Safety
/// As [`spaced`]; the elements of a step are in this many lines.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2")]
#[inline(never)]
unsafe fn each_row<const L: usize, const S: usize>(dst: *mut u8, src: *const u8, inner: &Inner, elements: i64) {
    let Inner { width, a, b, .. } = *inner;
    // SAFETY: K1; the elements of a step are in this many lines.
    let step = unsafe { Step::<L, S>::new(width, a, elements) };
    let (dst_step, src_step) = (elements.wrapping_mul(a.dst), elements.wrapping_mul(a.src));
    // The lowest element of a step.
    let lowest = if a.src < 0 { src_step - a.src } else { 0 };
    let steps = a.count.checked_div(elements).unwrap_or(0);
    let last = a.count - elements;
    // If the destination is a run, a step may write a whole line of it: the next step overwrites the surplus bytes.
    let own = elements * width;
    let whole =
        if S == 1 && a.dst == width { (a.count * width + own - LINE_BYTES).checked_div(own).unwrap_or(0) } else { 0 };
    let far = inner.hints & hints::FAR_MASKED != 0;
    let stretches = if far { stretches(steps, src_step, b.src) } else { [(steps, 0); 2] };
    // Rows that share lines, as channels do, alternate while these lines are in L1.
    let share = b.count > 1 && (b.src.saturating_abs() < LINE_BYTES || b.dst.saturating_abs() < LINE_BYTES);
    let at_once = if share { SHARED / (LINE_BYTES * L.max(S) as i64) } else { steps };
    let mut done = 0;
    while done < steps {
        let next = steps.min(done + at_once);
        for j in 0..b.count {
            let (to, from) = begin(dst, src, b, j);
            let from = from.wrapping_offset(lowest as isize);
            let mut dst_line = to.wrapping_offset((done * dst_step) as isize);
            let mut src_line = from.wrapping_offset((done * src_step) as isize);
            let mut i = done;
            for (end, ahead) in stretches {
                while i < end.min(next) {
                    if far {
                        prefetch(src_line.wrapping_offset(ahead), L * LINE, false);
                        if whole == 0 {
                            prefetch(dst_line.wrapping_add(PREFETCH_DISTANCE as usize), S * LINE, false);
                        }
                    }
                    // SAFETY: K1; K3: elements of the row; a whole line of it where `whole` says so.
                    unsafe { step.run(dst_line, src_line, i < whole) };
                    dst_line = dst_line.wrapping_offset(dst_step as isize);
                    src_line = src_line.wrapping_offset(src_step as isize);
                    i += 1;
                }
            }
            if next == steps && steps * elements != a.count {
                let to = to.wrapping_offset((last * a.dst) as isize);
                let from = from.wrapping_offset((last * a.src) as isize);
                // SAFETY: K1; K3: the last elements of the row.
                unsafe { step.run(to, from, false) };
            }
        }
        done = next;
    }
}
