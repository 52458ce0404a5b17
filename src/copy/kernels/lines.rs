//! The writer of whole lines, at any alignment.
//!
//! A row of the destination is rarely aligned to lines, and a kernel makes a few bytes of many rows at a time. So it
//! builds pieces of rows on the stack ([`execute`](super::super::execute)), which are written here as whole lines of
//! the destination. The end of a piece that fills no line waits before the next piece:
//!
//! ```text
//! made          | the end of the piece before | a piece . . . . . . . . . . |
//! destination            | line . . . . . . . . . . . . . . . . . . |
//! ```
//!
//! Rows of the source of a line or more are such pieces as they are.
//!
//! All non-temporal stores are here, but for those of tiles of wide elements ([`Store::Stream`](super::Store::Stream)).

use super::prefetch::{PREFETCH_DISTANCE, prefetch_line, stretches};
use super::register::{Register, short_row};
use super::rows::{begin, long_row};
use super::{ASCENDING, Inner, LINE, LONGEST_PREFETCHED_ROW, RowPiece, hints};

/// Writes the lines of the destination that a piece completes. It was built at `made` and goes to `to`.
///
/// # Safety
/// K1 for R; as [`Write`](super::Write).
#[inline(always)]
pub(super) unsafe fn write<R: Register>(to: *mut u8, made: *const u8, piece: &RowPiece) {
    let RowPiece { bytes, first, last, past } = *piece;
    let before = to.addr() % LINE;
    // From the line on in which the piece begins.
    let (to, from, end) = (to.wrapping_sub(before), made.wrapping_sub(before), before + bytes);
    // SAFETY: K1; K3 for the piece and for the line before `made`. Whole lines begin at a multiple of 64.
    unsafe {
        let mut at = 0;
        if first && before != 0 {
            at = LINE.min(end);
            part_of_line::<R>(to.wrapping_add(before), made, at - before);
        }
        let (whole, rest) = ((end - at) / LINE, (end - at) % LINE);
        if past {
            lines::<R, true>(to.wrapping_add(at), from.wrapping_add(at), whole);
        } else {
            lines::<R, false>(to.wrapping_add(at), from.wrapping_add(at), whole);
        }
        if last {
            part_of_line::<R>(to.wrapping_add(end - rest), from.wrapping_add(end - rest), rest);
        } else if rest != 0 {
            lines::<R, false>(made.wrapping_sub(LINE).cast_mut(), made.wrapping_add(bytes).wrapping_sub(LINE), 1);
        }
    }
}

/// Rows of the source past the caches. If they follow each other in the destination, the line in which one ends and the
/// next one begins is assembled in registers, so that it is stored whole as well.
///
/// # Safety
/// K1–K3 of [`Run`](super::Run), K1 for R.
#[inline(always)]
pub(super) unsafe fn rows<R: Register>(dst: *mut u8, src: *const u8, inner: &Inner) {
    let Inner { width, a, b, c, .. } = *inner;
    // In a short row, each line prefetches its counterpart in a later row, which begins at most PREFETCH_DISTANCE bytes
    // later. In a long row it prefetches the line PREFETCH_DISTANCE bytes later, at most in the next row. (The hardware
    // prefetcher stops at pages and at the ends of rows.)
    let long = width > LONGEST_PREFETCHED_ROW;
    let prefetches = long || inner.hints & hints::FAR != 0;
    let (joins, bytes) = (a.dst == width && width >= LINE as i64, width as usize);
    let second = inner.hints & hints::SECOND != 0;
    let [(end, here), (_, beyond)] =
        if prefetches && !long { stretches(a.count, a.src, b.src) } else { [(a.count, 0); 2] };
    // The bytes of a long row that are followed by as many of it.
    let tail = width.min(PREFETCH_DISTANCE);
    let until = if long { bytes - tail as usize } else { 0 };
    for k in 0..c.count {
        let (dst, src) = begin(dst, src, c, k);
        for j in 0..b.count {
            let (dst, src) = begin(dst, src, b, j);
            // Bytes of a row that were written together with the row before it.
            let mut joined = 0;
            for i in 0..a.count {
                let (to, from) = begin(dst, src, a, i);
                let head = if joined != 0 { joined } else { (to.addr().wrapping_neg() % LINE).min(bytes) };
                let at = head + ((bytes - head) & !(LINE - 1));
                let (rest, next) = (bytes - at, if i + 1 < a.count { a.src } else { b.src.wrapping_sub(i * a.src) });
                let ahead = match long {
                    true => next.wrapping_sub(until as i64) as isize,
                    _ if i < end => here,
                    _ => beyond,
                };
                // SAFETY: K1; K3: pieces of this row, and of the next one if rows join; `head` and `at` are at lines.
                unsafe {
                    if joined == 0 {
                        part_of_line::<R>(to, from, head);
                    }
                    if prefetches {
                        for line in (head..at).step_by(LINE) {
                            let ahead = if line < until { tail as isize } else { ahead };
                            prefetch_line(from.wrapping_add(line).wrapping_offset(ahead), second);
                            lines::<R::Past, true>(to.wrapping_add(line), from.wrapping_add(line), 1);
                        }
                        prefetch_line(from.wrapping_add(at).wrapping_offset(ahead), second);
                    } else {
                        lines::<R::Past, true>(to.wrapping_add(head), from.wrapping_add(head), (at - head) / LINE);
                    }
                    joined = 0;
                    if !joins || i + 1 == a.count || rest == 0 {
                        part_of_line::<R>(to.wrapping_add(at), from.wrapping_add(at), rest);
                    } else {
                        joined = LINE - rest;
                        let next = from.wrapping_offset(a.src as isize);
                        joined_line::<R::Lane>(to.wrapping_add(at), from.wrapping_add(bytes), next, rest);
                    }
                }
            }
        }
    }
}

/// A line past the caches: the last `rest` bytes of a row, which ends at `end`, and the first ones of the next row.
///
/// # Safety
/// K1 and K3, for the line and for both rows, which have a line or more.
#[inline(always)]
unsafe fn joined_line<L: Register>(to: *mut u8, end: *const u8, next: *const u8, rest: usize) {
    for piece in (0..LINE).step_by(L::BYTES) {
        // Bytes of this piece that belong to the row.
        let inside = rest.saturating_sub(piece);
        // SAFETY: K1; K3: the last and the first bytes of the rows, and the line, which begins at a multiple of 64. The
        // index has twice as many bytes as a register.
        unsafe {
            let joined = match inside {
                0 => L::load(next.wrapping_add(piece).wrapping_sub(rest)),
                _ if inside >= L::BYTES => L::load(end.wrapping_sub(inside)),
                _ => {
                    let both = [L::load(end.wrapping_sub(L::BYTES)), L::load(next)];
                    // From entry n on, the index of what begins at byte n of both.
                    L::pick(&both, ASCENDING.as_ptr().wrapping_add(L::BYTES - inside))
                }
            };
            joined.stream(to.wrapping_add(piece));
        }
    }
}

/// `count` lines; `PAST`: by non-temporal stores, if there is such an instruction.
///
/// # Safety
/// K1 and K3, for these lines. If they go past the caches, they begin at a line of the destination.
#[inline(always)]
pub(super) unsafe fn lines<R: Register, const PAST: bool>(to: *mut u8, from: *const u8, count: usize) {
    for line in 0..count {
        for piece in (0..LINE).step_by(R::BYTES) {
            let (to, from) = (to.wrapping_add(line * LINE + piece), from.wrapping_add(line * LINE + piece));
            // SAFETY: K1; K3 for the lines, which begin at a multiple of 64 in the destination if they go past the
            // caches.
            unsafe { if PAST { R::load(from).stream(to) } else { R::load(from).store(to) } };
        }
    }
}

/// Fewer bytes than a line.
///
/// # Safety
/// K1 and K3, for these bytes.
#[inline(always)]
pub(super) unsafe fn part_of_line<R: Register>(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: K1; K3 for the bytes.
    unsafe {
        if bytes >= 2 * R::BYTES {
            long_row::<R>(to, from, bytes, 4 * R::BYTES, R::MASKS);
        } else {
            short_row::<R>(to, from, bytes);
        }
    }
}
