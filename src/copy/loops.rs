//! One loop of a copy, and lists of them.

use arrayvec::ArrayVec;
use core::fmt;

/// I3 leaves at most 62 loops of two iterations or more.
pub const MAX_LOOPS: usize = 62;

/// One loop, with its steps in bytes. In a plan it is these three words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Loop {
    /// Iterations (the trip count), at least 1.
    pub count: i64,
    /// Bytes from one iteration to the next in the destination.
    pub dst: i64,
    /// Bytes from one iteration to the next in the source.
    pub src: i64,
}

impl Loop {
    /// A loop that is missing.
    pub const ONCE: Self = Self { count: 1, dst: 0, src: 0 };

    /// Whether the two are one loop.
    #[inline(always)]
    pub(crate) fn continues_with(&self, outer: &Self) -> bool {
        // In bits a product may wrap; a product that wrapped never equals a step (tests/proof/lemmas.py:
        // wrapped_products_merge_nothing).
        outer.dst == self.count.wrapping_mul(self.dst) && outer.src == self.count.wrapping_mul(self.src)
    }

    /// The key by which loops are sorted.
    #[inline(always)]
    pub(crate) fn order(&self) -> (i64, u64) {
        (self.dst, self.src.unsigned_abs())
    }
}

/// Writes loops, fastest first, as the end of a plan's description; `unit` says what their steps are, if not bytes.
pub(super) fn write_loops(f: &mut fmt::Formatter<'_>, loops: &[Loop], unit: &str) -> fmt::Result {
    for (k, l) in loops.iter().enumerate() {
        match k {
            0 => write!(f, "; loops count (dst step, src step){unit}, fastest first:")?,
            _ => f.write_str(",")?,
        }
        write!(f, " {} ({}, {})", l.count, l.dst, l.src)?;
    }
    Ok(())
}

/// A list of loops, fastest first. Only entries in use are written: a small copy cannot afford 1.5 KB of zeros.
#[derive(Clone, Debug, Default)]
pub struct Loops(ArrayVec<Loop, MAX_LOOPS>);

impl Loops {
    /// No loop.
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// The loops, fastest first.
    pub fn as_slice(&self) -> &[Loop] {
        &self.0
    }

    /// The loops, to be changed in place.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Loop] {
        &mut self.0
    }

    /// Appends as the slowest; `false` where the list is full.
    pub(crate) fn push(&mut self, item: Loop) -> bool {
        self.0.try_push(item).is_ok()
    }

    /// Becomes a copy of a list.
    pub(crate) fn set(&mut self, loops: &[Loop]) {
        self.0.clear();
        for &item in loops {
            self.push(item);
        }
    }

    /// Inserts before the loops that are `slower`, which stand at the end of the list.
    pub(crate) fn insert_before(&mut self, item: Loop, slower: impl Fn(&Loop) -> bool) {
        if !self.push(item) {
            return;
        }
        let mut rest = self.as_mut_slice();
        while let [.., before, last] = rest
            && slower(before)
        {
            *last = *before;
            *before = item;
            let shorter = rest.len() - 1;
            rest = rest.get_mut(..shorter).unwrap_or(&mut []);
        }
    }

    /// Moves the loop at `from` to the place `to`; those between move up or down.
    pub(crate) fn bring(&mut self, from: usize, to: usize) {
        let mut exchange = |at: usize| {
            if let Some([one, next]) = self.as_mut_slice().get_mut(at..at.saturating_add(2)) {
                core::mem::swap(one, next);
            }
        };
        (from..to).for_each(&mut exchange);
        (to..from).rev().for_each(exchange);
    }

    /// Drops every loop that `joins` the next faster one that is kept (`None` before the first).
    pub(crate) fn merge(&mut self, joins: impl FnMut(Option<&mut Loop>, Loop) -> bool) {
        merge(&mut self.0, joins);
    }
}

/// Drops every item that `joins` the one before it that is kept (`None` before the first).
pub(crate) fn merge<T: Copy>(list: &mut ArrayVec<T, MAX_LOOPS>, mut joins: impl FnMut(Option<&mut T>, T) -> bool) {
    let mut kept = 0usize;
    for k in 0..list.len() {
        let Some(&item) = list.get(k) else { break };
        let before = kept.checked_sub(1).and_then(|last| list.get_mut(last));
        if joins(before, item) {
            continue;
        }
        if let Some(slot) = list.get_mut(kept) {
            *slot = item;
        }
        kept += 1;
    }
    list.truncate(kept);
}

/// The fewest iterations of a loop around `unit` contiguous elements that are whole lines: a power of two.
#[inline(always)]
pub(crate) fn iterations_in_lines(unit: i64, width: i64) -> i64 {
    64 >> unit.wrapping_mul(width).trailing_zeros().min(6)
}

/// Iterations of nested loops; saturated.
#[inline(always)]
pub(crate) fn iterations(loops: &[Loop]) -> i64 {
    loops.iter().fold(1i64, |product, l| product.saturating_mul(l.count))
}
