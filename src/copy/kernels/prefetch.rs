//! Prefetching: lines are requested before they are read.
//!
//! The hardware prefetcher follows a stream only within a page. It does not cross the gaps between rows, and it starts
//! too late for masked loads and stores. So kernels whose source is larger than the caches prefetch the lines that they
//! load some kilobytes later. A prefetch never faults.

use super::Rows;

/// Bytes of the source from what is loaded to what is prefetched.
pub(super) const PREFETCH_DISTANCE: i64 = 8192;

/// Two stretches of each row of two loops: the first steps, and the last ones, which prefetch the first steps of a
/// later row. Each stretch has the step at which it ends, and the distance from a step's own bytes to those that it
/// prefetches. A row has `count` steps of `step` bytes; the next row begins `row_step` bytes later.
#[inline(always)]
pub fn stretches(count: i64, step: i64, row_step: i64) -> [(i64, isize); 2] {
    let steps = PREFETCH_DISTANCE.checked_div(step.wrapping_abs()).unwrap_or(0).max(1);
    let rows = steps.checked_div(count).unwrap_or(0);
    let rest = steps - rows * count;
    let here = rows.wrapping_mul(row_step).wrapping_add(rest.wrapping_mul(step));
    let beyond = here.wrapping_add(row_step).wrapping_sub(count.wrapping_mul(step));
    [(count - rest, here as isize), (count, beyond as isize)]
}

/// Prefetches the line of an address, which need not exist, if there is such an instruction; `far`: only into L2.
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
#[inline(always)]
pub(super) fn prefetch_line(from: *const u8, far: bool) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64; a prefetch never faults.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        if far {
            _mm_prefetch::<_MM_HINT_T1>(from.cast());
        } else {
            _mm_prefetch::<_MM_HINT_T0>(from.cast());
        }
    }
    #[cfg(all(stride_neon, not(miri)))]
    // SAFETY: a prefetch never faults.
    unsafe {
        if far {
            core::arch::asm!("prfm pldl2keep, [{}]", in(reg) from, options(nostack, preserves_flags, readonly));
        } else {
            core::arch::asm!("prfm pldl1keep, [{}]", in(reg) from, options(nostack, preserves_flags, readonly));
        }
    }
}

/// Prefetches `bytes` bytes from an address on; `far`: into L2.
#[inline(always)]
pub fn prefetch(from: *const u8, bytes: usize, far: bool) {
    let mut at = 0;
    while at < bytes {
        prefetch_line(from.wrapping_add(at), far);
        at += 64;
    }
}

/// Prefetches the line at `to` of each row.
#[inline(always)]
pub(super) fn prefetch_rows(to: *const u8, rows: &[i64]) {
    rows.iter().for_each(|&row| prefetch_line(to.wrapping_offset(row as isize), false));
}

/// Prefetches both sides of the small matrix that a later call transposes, if there is one, in elements of `width`
/// bytes. The hardware prefetcher does not follow its rows, which are a line or two, and masked stores wait for each
/// line that is not in the cache.
#[inline(always)]
pub(super) fn prefetch_matrix(dst: *const u8, src: *const u8, rows: &Rows<'_>, width: usize) {
    let [to_dst, to_src] = rows.next;
    if to_dst == 0 {
        return;
    }
    for row in rows.src {
        prefetch(src.wrapping_offset((to_src + row) as isize), rows.dst.len() * width, false);
    }
    for row in rows.dst {
        prefetch(dst.wrapping_offset((to_dst + row) as isize), rows.src.len() * width, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_steps_of_a_row_prefetch_a_later_one() {
        for (count, step, row_step) in
            [(1, 64, 100), (3, 32, 1000), (128, 128, 32768), (5000, 12, 1 << 20), (7, -64, 0)]
        {
            let steps = (PREFETCH_DISTANCE / i64::abs(step)).max(1);
            let [(end, here), (all, beyond)] = stretches(count, step, row_step);
            assert_eq!(all, count);
            for i in 0..count {
                let ahead = i + steps;
                let there = ahead / count * row_step + ahead % count * step;
                assert_eq!(i * step + if i < end { here } else { beyond } as i64, there, "{count} {step} {i}");
            }
        }
    }
}
