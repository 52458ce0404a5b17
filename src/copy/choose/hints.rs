//! What a kernel is told of where its bytes are.

use super::super::kernels::{Family, hints};
use super::super::loops::Loop;
use super::super::nest::Nest;
use super::Choice;
use crate::machine::Machine;

/// Bytes of a row from which on it is always libc's, but in the first cache.
const LIBC_ROW: i64 = 8 << 10;

/// The hints for a kernel that takes the first loops of a nest. (What they reach was proved, so that nothing overflows.)
#[inline(never)]
pub(super) fn choose_hints(choice: &Choice, nest: &Nest<'_>, machine: &Machine) -> u8 {
    let family = choice.kernel().family;
    if family == Family::Transpose {
        let asks = !choice.memory.streams() && nest.bytes() >= machine.prefetch_from();
        return if asks { hints::ASK } else { 0 };
    }
    if family == Family::Permute {
        return 0;
    }
    let (a, b, outer) = nest.kernel_loops();
    let span = |step: fn(&Loop) -> i64| {
        let one = |l: &Loop| l.count.wrapping_mul(step(l)).unsigned_abs();
        one(&a).max(one(&b))
    };
    let (of_src, of_dst) = (span(|l| l.src), span(|l| l.dst));
    let mut told = 0;
    if of_src >= machine.stream_rows_from() {
        told |= hints::FAR;
    }
    if of_src.max(of_dst) / 2 >= machine.caches.second {
        told |= hints::FAR_MASKED;
    }
    if family == Family::Fill {
        let bytes = nest.width.wrapping_mul(a.count).wrapping_mul(b.count) as u64;
        told |= if bytes >= machine.caches.second { hints::LEAVES } else { 0 };
    }
    if family == Family::Rows {
        // Its string instructions take long to start, but leave more of the second cache to the source. They are slower where
        // the source is in the first cache, and again where neither side is in the second one.
        let c = outer.first().copied().unwrap_or(Loop::ONCE);
        let rows = [a, b, c].into_iter().filter(|l| l.src != 0);
        let bytes = rows.fold(nest.width, |bytes, l| bytes.wrapping_mul(l.count)) as u64;
        let in_second = bytes / 2 < machine.caches.second;
        if bytes >= machine.caches.first / 2 && (in_second || nest.width >= LIBC_ROW) {
            told |= hints::LIBC;
        }
    }
    told
}
