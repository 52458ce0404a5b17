//! Runs of numbers of one dtype that become numbers of another.
//!
//! A number is loaded as an f32, an f64 or an integer of 64 bits ([`Class`](crate::copy::conversion::Class)), goes
//! through the arithmetic, and is stored. Each of these is one loop over the numbers of a `pass` in L1: so a load and a
//! store for each dtype make all pairs. The loops have no branch in them, so the compiler makes vectors of them. The
//! commonest `pairs` have a loop of their own for each instruction set.
//!
//! ```text
//! source -> load -> [f32; 128] -> arithmetic -> [f32; 128] -> store -> destination
//! ```
//!
//! Floats are narrowed by integers (`floats`): one rounding to nearest even, of the bits as they are.

mod floats;
mod pairs;
mod pass;

pub(super) use pairs::convert_direct;
pub use pass::Pass;

use super::super::conversion::Steps;
use super::super::loops::Loop;
use pass::{PASS, convert_pass};

/// Runs of numbers and their arithmetic, as a converter gets them.
#[derive(Clone, Copy, Debug)]
pub struct NumberRuns<'a> {
    /// Kinds of both sides, and flags.
    pub steps: Steps,
    /// `subtract`, `scale` and `add`, where there is no list.
    pub numbers: [f64; 3],
    /// Lists of these, if there are any; null: the number.
    pub lists: Option<&'a [*const f32; 3]>,
    /// Number k has entry `first + k % inner · step + k / inner · outer` of each list.
    pub first: i64,
    /// Numbers of a group, whose entries are `step` apart.
    pub inner: usize,
    /// Entries from one number to the next.
    pub step: i64,
    /// Entries from one group to the next.
    pub outer: i64,
    /// The number of runs, and bytes from one to the next. With lists there is one.
    pub runs: Loop,
}

/// A kernel that converts `count` numbers of each run. Both sides may be the same memory, if their numbers have one
/// width.
///
/// # Safety
/// K1, K3 and K7 of [`Run`](super::Run), for `count` numbers of each run. Numbers below a byte begin with the low end
/// of a byte, and nothing is kept of the last byte's other bits.
pub type Convert = unsafe fn(to: *mut u8, from: *const u8, count: usize, how: &NumberRuns<'_>, pass: &mut Pass);

/// The numbers of the arithmetic: the same for all, or entries for each number of a pass.
pub(in crate::copy) enum Numbers<'a> {
    Same([f64; 3]),
    /// The entries of lists; and the numbers that have no list, which are wider.
    Each(&'a [[f32; PASS]; 3], [Option<f64>; 3]),
}

/// [`convert_direct`] for an instruction set.
pub(super) type Direct =
    unsafe fn(to: *mut u8, from: *const u8, count: usize, runs: &Loop, steps: &Steps, numbers: &Numbers<'_>) -> bool;

/// Converts runs, by the loops of `direct` if it has them.
///
/// # Safety
/// As [`Convert`]; K1 for `direct`.
#[inline(always)]
pub(super) unsafe fn convert(
    to: *mut u8,
    from: *const u8,
    count: usize,
    how: &NumberRuns<'_>,
    pass: &mut Pass,
    direct: Direct,
) {
    // SAFETY: K1; K3 and K7 for the runs.
    unsafe {
        let numbers = Numbers::Same(how.numbers);
        if how.lists.is_none() && direct(to, from, count, &how.runs, &how.steps, &numbers) {
            return;
        }
        for run in 0..how.runs.count as isize {
            let (to, from) =
                (to.wrapping_offset(run * how.runs.dst as isize), from.wrapping_offset(run * how.runs.src as isize));
            convert_run(to, from, count, how, pass, direct);
        }
    }
}

/// Converts a run which has lists, or whose pair has no loop of its own.
///
/// # Safety
/// As [`convert`].
#[inline(never)] // one for all instruction sets
unsafe fn convert_run(
    to: *mut u8,
    from: *const u8,
    count: usize,
    how: &NumberRuns<'_>,
    pass: &mut Pass,
    direct: Direct,
) {
    let NumberRuns { inner, step, outer, .. } = *how;
    let mut run = |done: usize, now: usize, numbers: &Numbers<'_>| {
        let (to, from) =
            (to.wrapping_add(done * how.steps.dst.bits() / 8), from.wrapping_add(done * how.steps.src.bits() / 8));
        // SAFETY: K1; K3: numbers of the run, from a byte on; an entry for each of them, if there are entries.
        unsafe {
            if how.lists.is_some() && direct(to, from, now, &Loop::ONCE, &how.steps, numbers) {
                return;
            }
            for begin in (0..now).step_by(PASS) {
                let (to, from) = (
                    to.wrapping_add(begin * how.steps.dst.bits() / 8),
                    from.wrapping_add(begin * how.steps.src.bits() / 8),
                );
                convert_pass(to, from, PASS.min(now - begin), &how.steps, numbers, pass);
            }
        }
    };
    let lists = how.lists.unwrap_or(&[core::ptr::null(); 3]);
    let all_alike = how.lists.is_none() || step == 0 && inner >= count;
    // Groups that share their numbers, from a byte on.
    let grouped = step == 0 && inner >= PASS / 2 && inner.is_multiple_of(2);
    if !all_alike && !grouped {
        return with_entries(count, how, lists, run);
    }
    let (mut done, mut at) = (0, how.first);
    while done < count {
        let now = if all_alike { count } else { inner.min(count - done) };
        let mut same = how.numbers;
        for (number, list) in same.iter_mut().zip(lists).filter(|(_, list)| !list.is_null()) {
            // SAFETY: K7: an entry of the list.
            *number = unsafe { list.wrapping_offset(at as isize).read_unaligned() } as f64;
        }
        run(done, now, &Numbers::Same(same));
        (done, at) = (done + now, at.wrapping_add(outer));
    }
}

/// Calls `run` with each pass and its entries of the lists.
#[inline(never)] // keeps its frame off the caller's stack
fn with_entries(
    count: usize,
    how: &NumberRuns<'_>,
    lists: &[*const f32; 3],
    mut run: impl FnMut(usize, usize, &Numbers<'_>),
) {
    let NumberRuns { numbers, first, step, outer, .. } = *how;
    let inner = how.inner.max(1);
    let mut entries = numbers.map(|number| [number as f32; PASS]);
    let mut others = numbers.map(Some);
    others.iter_mut().zip(lists).filter(|(_, list)| !list.is_null()).for_each(|(other, _)| *other = None);
    // Whole periods, and whole bytes of nibbles, so that what repeats is read once.
    let repeats = outer == 0 && inner <= PASS / 2;
    let pass = if repeats { PASS / (2 * inner) * (2 * inner) } else { PASS };
    let (mut done, mut k, mut at) = (0, 0, first);
    while done < count {
        let now = pass.min(count - done);
        let (mut filled, wanted) = (0, if !repeats || done == 0 { now } else { 0 });
        while filled < wanted {
            let again = repeats && filled >= inner;
            let some = if again { filled } else { inner - k }.min(wanted - filled);
            for (entries, list) in entries.iter_mut().zip(lists).filter(|(_, list)| !list.is_null()) {
                let (all, list) = (entries.as_mut_ptr(), list.wrapping_offset(at as isize));
                // SAFETY: K7: entries of the lists; with those before them they are at most a pass.
                unsafe {
                    let to = all.add(filled);
                    match step {
                        _ if again => all.copy_to(to, some),
                        1 => list.cast::<u8>().copy_to(to.cast(), 4 * some),
                        _ => (0..some).for_each(|i| {
                            to.add(i).write(list.wrapping_offset((step * i as i64) as isize).read_unaligned());
                        }),
                    }
                }
            }
            filled += some;
            if !again {
                (k, at) = (k + some, at.wrapping_add(step.wrapping_mul(some as i64)));
            }
            if k == inner {
                (k, at) = (0, at.wrapping_sub(step.wrapping_mul(inner as i64)).wrapping_add(outer));
            }
        }
        run(done, now, &Numbers::Each(&entries, others));
        done += now;
    }
}
