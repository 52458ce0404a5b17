//! Shortcuts are built here. ([`quick`](super::quick) runs them.)

use super::super::kernels::{ASCENDING, Family, Store};
use super::super::loops::{Loop, iterations};
use super::super::nest::{Nest, Unit};
use super::super::options;
use super::super::plan::PlanView;
use super::super::shortcut::{Bits, Offsets, SHORT_RUN, SHUFFLED, Shortcut, Shuffle, TABLED, Tables, Window};
use super::row_tables::offsets;
use super::walk::run;
use crate::machine::{Level, Machine};
use core::mem::MaybeUninit;
use core::ptr::addr_of_mut;

/// Writes the shortcut of a plan for a machine, which has a loop; returns its kind.
///
/// # Safety
/// The words of the longest shortcut may be written at `to`.
#[inline(never)] // keeps its frame off the caller's stack
pub unsafe fn write(plan: &PlanView<'_>, machine: Option<&Machine>, to: *mut u64) -> Shortcut {
    let fills = plan.options.flags & options::FILL_BUFFER != 0;
    if fills || plan.nest.unit != Unit::Bytes || plan.choice.store != Store::Direct {
        return Shortcut::None;
    }
    // SAFETY: the words of the longest shortcut may be written (caller).
    unsafe {
        let shuffle = write_shuffle(plan, machine, to.cast());
        shuffle.or_else(|| write_tables(plan, to.cast())).unwrap_or(Shortcut::None)
    }
}

/// # Safety
/// `to` may be written.
unsafe fn write_shuffle(plan: &PlanView<'_>, machine: Option<&Machine>, to: *mut Shuffle) -> Option<Shortcut> {
    let level = || plan.options.level(machine.map_or_else(Level::best, |machine| machine.level));
    if plan.bytes_moved() > SHUFFLED as u64 || level() != Level::Avx512 {
        return None;
    }
    let (nest, reached) = (&plan.nest, &plan.reached);
    let (dst, src) = (Window::around(reached.dst, SHUFFLED)?, Window::around(reached.src, SHUFFLED)?);
    let (dst_base, src_base) = (nest.dst_base - dst.first as i64, nest.src_base - src.first as i64);
    let inside = Nest { dst_base, src_base, ..*nest };
    // SAFETY: `to` may be written (caller). P1 and P2: both reaches are at most as long as the two arrays of bytes, and
    // begin where these do. P3: the choice is the plan's own.
    unsafe {
        let index = addr_of_mut!((*to).index);
        index.write([0; SHUFFLED]);
        // The copy itself, run on the numbers of the bytes, gives the source of each byte.
        run(plan.choice, &inside, index.cast(), ASCENDING.as_ptr());
        addr_of_mut!((*to).dst).write(dst);
        addr_of_mut!((*to).src).write(src);
        addr_of_mut!((*to).dst_used).write(used(nest, |l| l.dst));
        addr_of_mut!((*to).src_used).write(used(nest, |l| l.src));
    }
    Some(Shortcut::Shuffle)
}

/// A bit for each byte of a side that is used, from the lowest one on. Each loop repeats the bits so far, twice as many
/// at a time.
fn used(nest: &Nest<'_>, step: impl Fn(&Loop) -> i64) -> Bits {
    let ones = |count: i64| if count >= 128 { u128::MAX } else { (1 << count.max(0)) - 1 };
    let (mut low, mut high) = (ones(nest.width), ones(nest.width.saturating_sub(128)));
    for l in nest.loops {
        let mut iterations = 1;
        while iterations < l.count {
            let more = l.count.min(2 * iterations) - iterations;
            match more.wrapping_mul(step(l)).unsigned_abs() {
                by @ 1..128 => (low, high) = (low | low << by, high | high << by | low >> (128 - by)),
                by @ 128..256 => high |= low << (by - 128),
                _ => {}
            }
            iterations += more;
        }
    }
    [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
}

/// # Safety
/// `to` may be written.
unsafe fn write_tables(plan: &PlanView<'_>, to: *mut Tables) -> Option<Shortcut> {
    if plan.choice.kernel().family != Family::Transpose || plan.choice.chunk != 0 {
        return None;
    }
    let (along_dst, along_src, outer) = plan.choice.runs(plan.nest.loops)?;
    if iterations(along_dst).max(iterations(along_src)) > SHORT_RUN || !outer.is_empty() {
        return None;
    }
    let (dst, src) = (Window::around(plan.reached.dst, TABLED)?, Window::around(plan.reached.src, TABLED)?);
    // SAFETY: `to` may be written (caller).
    unsafe {
        addr_of_mut!((*to).dst).write(dst);
        addr_of_mut!((*to).src).write(src);
        let (dst_rows, src_rows) = (addr_of_mut!((*to).dst_rows), addr_of_mut!((*to).src_rows));
        let (dst_base, src_base) = (plan.nest.dst_base - dst.first as i64, plan.nest.src_base - src.first as i64);
        addr_of_mut!((*to).dst_count).write(write_offsets(dst_rows, along_src, dst_base, |l| l.dst));
        let (strip, src_count) = (plan.choice.columns(), write_offsets(src_rows, along_dst, src_base, |l| l.src));
        addr_of_mut!((*to).src_count_and_strip).write(src_count | (strip as u32) << 16);
    }
    Some(Shortcut::Tables)
}

/// Writes the offsets of a run whose first row begins at `base` of the window; returns their number.
///
/// # Safety
/// `to` may be written.
unsafe fn write_offsets(to: *mut Offsets, run: &[Loop], base: i64, step: impl Fn(&Loop) -> i64) -> u32 {
    // SAFETY: `to` may be written (caller), and all of it is at first: a plan has no unset word. An entry has the
    // layout of its value, and those that are read were written.
    unsafe {
        to.write([0; SHORT_RUN as usize]);
        let table = &mut *to.cast::<[MaybeUninit<i64>; SHORT_RUN as usize]>();
        let count = offsets(table, run, SHORT_RUN, step).len();
        for row in table.iter_mut().take(count) {
            *row = MaybeUninit::new(row.assume_init().wrapping_add(base));
        }
        count as u32
    }
}
