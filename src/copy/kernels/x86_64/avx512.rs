//! AVX-512 kernels (F, BW, DQ, VL, VBMI).

use super::super::Block;
use super::tile::Vector;
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(super) struct Lanes4(pub __m512i);

impl Vector for Lanes4 {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn gather(rows: impl Fn(usize) -> *const u8) -> Self {
        // SAFETY: as promised to this function; loads need no alignment.
        unsafe {
            let lane = |k: usize| _mm_loadu_si128(rows(k).cast());
            let low = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lane(0)), lane(1));
            let high = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lane(2)), lane(3));
            Self(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
        }
    }

    #[inline(always)]
    unsafe fn zip_low(self, other: Self, width: usize) -> Self {
        let (a, b) = (self.0, other.0);
        // SAFETY: as promised to this function.
        unsafe {
            match width {
                1 => Self(_mm512_unpacklo_epi8(a, b)),
                2 => Self(_mm512_unpacklo_epi16(a, b)),
                4 => Self(_mm512_unpacklo_epi32(a, b)),
                _ => Self(_mm512_unpacklo_epi64(a, b)),
            }
        }
    }

    #[inline(always)]
    unsafe fn zip_high(self, other: Self, width: usize) -> Self {
        let (a, b) = (self.0, other.0);
        // SAFETY: as promised to this function.
        unsafe {
            match width {
                1 => Self(_mm512_unpackhi_epi8(a, b)),
                2 => Self(_mm512_unpackhi_epi16(a, b)),
                4 => Self(_mm512_unpackhi_epi32(a, b)),
                _ => Self(_mm512_unpackhi_epi64(a, b)),
            }
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: as promised to this function; no alignment is needed.
        unsafe { _mm512_storeu_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: as promised to this function.
        unsafe { _mm512_stream_si512(to.cast(), self.0) }
    }
}

/// The lowest `count` of 64 bits; all of them from 64 on.
#[inline(always)]
pub(super) fn first(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Stores a register, past the cache if the address begins a line and that is wanted.
///
/// # Safety
/// The bytes of the mask may be written; AVX-512 BW.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
unsafe fn put(to: *mut u8, mask: u64, piece: __m512i, stream: bool) {
    // SAFETY: as promised to this function; a whole mask at the begin of a line is that line.
    unsafe {
        if mask != u64::MAX {
            _mm512_mask_storeu_epi8(to.cast(), mask, piece);
        } else if stream && to.addr() & 63 == 0 {
            _mm512_stream_si512(to.cast(), piece);
        } else {
            _mm512_storeu_si512(to.cast(), piece);
        }
    }
}

/// One run of bytes. Short ones in two moves that overlap, since masked moves are slow where they cross lines; in long ones
/// the masked tail is the smaller part.
///
/// # Safety
/// The bytes may be read and written; AVX-512 BW.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
unsafe fn one_row(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: pieces of the run; masked bytes are not touched.
    unsafe {
        if bytes >= 128 {
            let mut at = 0;
            while at + 64 <= bytes {
                _mm512_storeu_si512(to.wrapping_add(at).cast(), _mm512_loadu_si512(from.wrapping_add(at).cast()));
                at += 64;
            }
            let mask = first(bytes - at);
            if mask != 0 {
                let piece = _mm512_maskz_loadu_epi8(mask, from.wrapping_add(at).cast());
                _mm512_mask_storeu_epi8(to.wrapping_add(at).cast(), mask, piece);
            }
        } else if bytes >= 64 {
            let last = bytes - 64;
            let low = _mm512_loadu_si512(from.cast());
            let high = _mm512_loadu_si512(from.wrapping_add(last).cast());
            _mm512_storeu_si512(to.cast(), low);
            _mm512_storeu_si512(to.wrapping_add(last).cast(), high);
        } else if bytes >= 32 {
            let last = bytes - 32;
            let low = _mm256_loadu_si256(from.cast());
            let high = _mm256_loadu_si256(from.wrapping_add(last).cast());
            _mm256_storeu_si256(to.cast(), low);
            _mm256_storeu_si256(to.wrapping_add(last).cast(), high);
        } else if bytes >= 16 {
            let last = bytes - 16;
            let low = _mm_loadu_si128(from.cast());
            let high = _mm_loadu_si128(from.wrapping_add(last).cast());
            _mm_storeu_si128(to.cast(), low);
            _mm_storeu_si128(to.wrapping_add(last).cast(), high);
        } else {
            let mask = first(bytes) as u16;
            _mm_mask_storeu_epi8(to.cast(), mask, _mm_maskz_loadu_epi8(mask, from.cast()));
        }
    }
}

/// One run of bytes past the cache: whole lines, the first and the last one masked.
///
/// # Safety
/// As [`one_row`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
unsafe fn one_streamed_row(to: *mut u8, from: *const u8, bytes: usize) {
    let mut at = (to.addr().wrapping_neg() & 63).min(bytes);
    // SAFETY: pieces of the run; masked bytes are not touched.
    unsafe {
        if at != 0 {
            let mask = first(at);
            _mm512_mask_storeu_epi8(to.cast(), mask, _mm512_maskz_loadu_epi8(mask, from.cast()));
        }
        while at + 64 <= bytes {
            _mm512_stream_si512(to.wrapping_add(at).cast(), _mm512_loadu_si512(from.wrapping_add(at).cast()));
            at += 64;
        }
        if at < bytes {
            let mask = first(bytes - at);
            let piece = _mm512_maskz_loadu_epi8(mask, from.wrapping_add(at).cast());
            _mm512_mask_storeu_epi8(to.wrapping_add(at).cast(), mask, piece);
        }
    }
}

/// Rows of any length.
///
/// # Safety
/// As [`Run::Block`](super::super::Run::Block); AVX-512 BW.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(in super::super) unsafe fn rows(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { width, a, b, memory } = *block;
    let (width, stream) = (width as usize, memory.streams());
    if width > 2048 && !stream {
        // SAFETY: as promised to this function. Long rows are libc's business.
        return unsafe { super::super::scalar::rows(dst, src, block) };
    }
    for j in 0..b.count {
        let mut to = dst.wrapping_offset((j * b.dst) as isize);
        let mut from = src.wrapping_offset((j * b.src) as isize);
        for _ in 0..a.count {
            // SAFETY: a row on each side.
            unsafe {
                if stream {
                    one_streamed_row(to, from, width);
                } else {
                    one_row(to, from, width);
                }
            }
            (to, from) = (to.wrapping_offset(a.dst as isize), from.wrapping_offset(a.src as isize));
        }
    }
}

/// One element repeated over runs.
///
/// # Safety
/// As [`Run::Block`](super::super::Run::Block); AVX-512 BW.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(in super::super) unsafe fn fill<const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, memory, .. } = *block;
    let (bytes, stream) = (a.count as usize * W, memory.streams());
    for j in 0..b.count {
        let to = dst.wrapping_offset((j * b.dst) as isize);
        let from = src.wrapping_offset((j * b.src) as isize);
        // SAFETY: an element of the source; pieces of a run of the destination, which a line's worth of elements from
        // any multiple of W bytes on continues; masked bytes are not touched.
        unsafe {
            let element = from.cast::<[u8; 16]>();
            let piece = match W {
                1 => _mm512_set1_epi8(element.cast::<i8>().read_unaligned()),
                2 => _mm512_set1_epi16(element.cast::<i16>().read_unaligned()),
                4 => _mm512_set1_epi32(element.cast::<i32>().read_unaligned()),
                8 => _mm512_set1_epi64(element.cast::<i64>().read_unaligned()),
                _ => _mm512_broadcast_i32x4(_mm_loadu_si128(element.cast())),
            };
            let head = to.addr().wrapping_neg() & 63;
            let mut at = 0;
            if bytes > 64 && head != 0 && head.is_multiple_of(W) {
                _mm512_storeu_si512(to.cast(), piece);
                at = head;
            }
            while at + 64 <= bytes {
                put(to.wrapping_add(at), u64::MAX, piece, stream);
                at += 64;
            }
            if at < bytes {
                _mm512_mask_storeu_epi8(to.wrapping_add(at).cast(), first(bytes - at), piece);
            }
        }
    }
}

/// Byte positions for 64 bytes of a result, as constants of a width W and a number of channels K.
struct Positions<const W: usize, const K: usize>;

impl<const W: usize, const K: usize> Positions<W, K> {
    /// Elements of one channel in a register.
    const ELEMENTS: usize = 64 / W;
    /// `[c][p]`: byte p of channel c's run comes from this byte of the K interleaved registers (0 … 64K − 1).
    const APART: [[u8; 64]; K] = {
        let (mut table, mut c) = ([[0; 64]; K], 0);
        while c < K {
            let mut p = 0;
            while p < Self::ELEMENTS * W {
                table[c][p] = ((p / W) * K * W + c * W + p % W) as u8;
                p += 1;
            }
            c += 1;
        }
        table
    };
    /// `[r][p]`: byte p of interleaved register r comes from byte `& 63` of channel `>> 6`.
    const TOGETHER: [[u8; 64]; K] = {
        let (mut table, mut r) = ([[0; 64]; K], 0);
        while r < K {
            let mut p = 0;
            while p < 64 {
                let byte = r * 64 + p;
                table[r][p] = ((byte / W % K) * 64 + byte / (K * W) * W + byte % W) as u8;
                p += 1;
            }
            r += 1;
        }
        table
    };
}

/// Byte `index & 63` of register `index >> 6`, for up to four registers.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn pick<const K: usize>(registers: &[__m512i; K], index: &[u8; 64]) -> __m512i {
    // SAFETY: 64 bytes of a constant.
    let index = unsafe { _mm512_loadu_si512(index.as_ptr().cast()) };
    let low = _mm512_permutex2var_epi8(registers[0], index, registers[1 % K]);
    if K <= 2 {
        return low;
    }
    let high = _mm512_permutex2var_epi8(registers[2 % K], index, registers[3 % K]);
    _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), low, high) // the index's top bit tells which pair
}

/// K interleaved channels to K runs: `a` walks the pixels, `b` the channels.
///
/// # Safety
/// As [`Run::Block`](super::super::Run::Block); AVX-512 VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(in super::super) unsafe fn deinterleave<const W: usize, const K: usize>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
) {
    let (count, stream) = (block.a.count as usize, block.memory.streams());
    let elements = Positions::<W, K>::ELEMENTS;
    let mut at = 0;
    while at < count {
        let now = elements.min(count - at);
        let bytes = now * K * W;
        let from = src.wrapping_add(at * K * W);
        // SAFETY: the pixels that are left; masked bytes are not touched.
        let registers = unsafe { load_run::<K>(from, bytes) };
        let mask = first(now * W);
        for c in 0..K {
            let to = dst.wrapping_offset((c as i64 * block.b.dst) as isize).wrapping_add(at * W);
            // SAFETY: `now` elements of channel c.
            unsafe { put(to, mask, pick(&registers, &Positions::<W, K>::APART[c]), stream) };
        }
        at += elements;
    }
}

/// K registers of a run of at most 64 · K bytes.
///
/// # Safety
/// The bytes may be read; AVX-512 BW.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
unsafe fn load_run<const K: usize>(from: *const u8, bytes: usize) -> [__m512i; K] {
    let mut registers = [_mm512_setzero_si512(); K];
    for (r, register) in registers.iter_mut().enumerate() {
        let from = from.wrapping_add(r * 64);
        // SAFETY: as promised to this function; masked bytes are not touched.
        *register = unsafe {
            if bytes >= 64 * K {
                _mm512_loadu_si512(from.cast())
            } else {
                _mm512_maskz_loadu_epi8(first(bytes.saturating_sub(r * 64)), from.cast())
            }
        };
    }
    registers
}

/// K runs to K interleaved channels: `a` walks the channels, `b` the pixels. W divides 64.
///
/// # Safety
/// As [`Run::Block`](super::super::Run::Block); AVX-512 VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(in super::super) unsafe fn interleave<const W: usize, const K: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let (count, stream) = (block.b.count as usize, block.memory.streams());
    let elements = Positions::<W, K>::ELEMENTS;
    let mut at = 0;
    while at < count {
        let now = elements.min(count - at);
        let mask = first(now * W);
        let mut registers = [_mm512_setzero_si512(); K];
        for (c, register) in registers.iter_mut().enumerate() {
            let from = src.wrapping_offset((c as i64 * block.a.src) as isize).wrapping_add(at * W);
            // SAFETY: `now` elements of channel c.
            *register = unsafe {
                if mask == u64::MAX {
                    _mm512_loadu_si512(from.cast())
                } else {
                    _mm512_maskz_loadu_epi8(mask, from.cast())
                }
            };
        }
        let bytes = now * K * W;
        let to = dst.wrapping_add(at * K * W);
        for r in 0..K {
            let mask = first(bytes.saturating_sub(r * 64));
            let piece = pick(&registers, &Positions::<W, K>::TOGETHER[r]);
            // SAFETY: the mask keeps the pixels that are left.
            unsafe { put(to.wrapping_add(r * 64), mask, piece, stream) };
        }
        at += elements;
    }
}

/// Bytes that a gather from beyond the cache asks for ahead.
const AHEAD: usize = 2048;

/// The elements of W bytes whose bytes are in the mask.
///
/// # Safety
/// These bytes may be read; AVX-512 BW.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
#[inline]
unsafe fn load_elements<const W: usize>(from: *const u8, mask: u64) -> __m512i {
    // SAFETY: as promised to this function; masked elements are not touched.
    unsafe {
        match W {
            4 => _mm512_maskz_loadu_epi32(_pext_u64(mask, 0x1111_1111_1111_1111) as u16, from.cast()),
            8 => _mm512_maskz_loadu_epi64(_pext_u64(mask, 0x0101_0101_0101_0101) as u8, from.cast()),
            _ => _mm512_maskz_loadu_epi8(mask, from.cast()),
        }
    }
}

/// Every K-th element of a run: `a.src` is K elements. Only the bytes of described elements are loaded.
///
/// # Safety
/// As [`Run::Block`](super::super::Run::Block); AVX-512 VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi2")]
pub(in super::super) unsafe fn gather<const W: usize, const K: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, memory, .. } = *block;
    let (count, stream) = (a.count as usize, memory.streams());
    let elements = Positions::<W, K>::ELEMENTS;
    let described: [u64; K] = const {
        let (mut masks, mut byte) = ([0u64; K], 0);
        while byte < 64 * K {
            if byte % (K * W) < W {
                masks[byte / 64] |= 1 << (byte % 64);
            }
            byte += 1;
        }
        masks
    };
    for j in 0..b.count {
        let (row_to, row_from) = (dst.wrapping_offset((j * b.dst) as isize), src.wrapping_offset((j * b.src) as isize));
        let mut at = 0;
        while at < count {
            let now = elements.min(count - at);
            let bytes = now * K * W;
            let from = row_from.wrapping_add(at * K * W);
            let mut registers = [_mm512_setzero_si512(); K];
            for (r, register) in registers.iter_mut().enumerate() {
                let mask = first(bytes.saturating_sub(r * 64)) & described[r];
                let from = from.wrapping_add(r * 64);
                // SAFETY: a prefetch never faults. The mask keeps the bytes of described elements; masked bytes are not
                // touched.
                unsafe {
                    if stream {
                        // Masked loads do not train the hardware prefetcher.
                        _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(AHEAD).cast());
                    }
                    *register = load_elements::<W>(from, mask);
                }
            }
            let to = row_to.wrapping_add(at * W);
            // SAFETY: `now` elements of the row.
            unsafe {
                put(to, first(now * W), pick(&registers, &Positions::<W, K>::APART[0]), stream);
            }
            at += elements;
        }
    }
}

/// A run read backwards: `a.src` is minus one element.
///
/// # Safety
/// As [`Run::Block`](super::super::Run::Block); AVX-512 VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(in super::super) unsafe fn reverse<const W: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, memory, .. } = *block;
    let stream = memory.streams();
    const fn mirrored<const W: usize>() -> [u8; 64] {
        let (mut table, mut p) = ([0; 64], 0);
        let elements = 64 / W;
        while p < elements * W {
            table[p] = ((elements - 1 - p / W) * W + p % W) as u8;
            p += 1;
        }
        table
    }
    let elements = 64 / W;
    let bytes = elements * W;
    // SAFETY: 64 bytes of a constant.
    let index = unsafe { _mm512_loadu_si512(const { mirrored::<W>() }.as_ptr().cast()) };
    let whole = first(bytes);
    for j in 0..b.count {
        let (to, from) = (dst.wrapping_offset((j * b.dst) as isize), src.wrapping_offset((j * b.src) as isize));
        let count = a.count as usize;
        let pieces = count.div_ceil(elements);
        for piece in 0..pieces {
            // Streamed lines do not care where they go; reads beyond the cache want to go upward.
            let at = if stream { pieces - 1 - piece } else { piece } * elements;
            let now = elements.min(count - at);
            // The last full register, or what is left: its elements end where the mask ends.
            let missing = (elements - now) * W;
            let mask = whole & (u64::MAX << missing);
            let begin = from.wrapping_sub((at + elements - 1) * W);
            // SAFETY: the mask keeps elements at … at + now − 1; masked bytes are not touched.
            unsafe {
                // Masked loads do not train the hardware prefetcher.
                let piece = if mask == u64::MAX {
                    _mm512_loadu_si512(begin.cast())
                } else {
                    _mm512_maskz_loadu_epi8(mask, begin.cast())
                };
                let turned = _mm512_permutexvar_epi8(index, piece);
                put(to.wrapping_add(at * W), first(now * W), turned, stream);
            }
        }
    }
}
