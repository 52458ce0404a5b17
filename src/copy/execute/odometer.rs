//! An odometer over loops: where each of their iterations lies.

use super::super::loops::{Loop, MAX_LOOPS};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;

/// Calls `run` with both byte offsets for every iteration of `loops`, fastest first, until it breaks.
#[inline(always)]
pub(in super::super) fn for_each_turn(
    loops: &[Loop],
    dst: i64,
    src: i64,
    mut run: impl FnMut(i64, i64) -> ControlFlow<()>,
) {
    if run(dst, src).is_break() || loops.is_empty() {
        return;
    }
    let mut odometer = Odometer::new(loops, dst, src);
    odometer.begin();
    while odometer.advance() && run(odometer.dst, odometer.src).is_continue() {}
}

/// One iteration of all loops, fastest first, and where it lies.
pub(super) struct Odometer<'a> {
    loops: &'a [Loop],
    turns: ArrayVec<i64, MAX_LOOPS>,
    pub dst: i64,
    pub src: i64,
}

impl<'a> Odometer<'a> {
    /// Before the first iteration; [`Odometer::begin`] is next. (Built in one step, the whole struct would be copied to
    /// its place.)
    #[inline(always)]
    pub fn new(loops: &'a [Loop], dst: i64, src: i64) -> Self {
        Self { loops, turns: ArrayVec::new(), dst, src }
    }

    /// Sets the first iteration.
    #[inline(always)]
    pub fn begin(&mut self) {
        for _ in self.loops {
            let _ = self.turns.try_push(0);
        }
    }

    /// Moves to the next iteration; `false` past the last, after which it goes on with the first.
    #[inline(always)]
    pub fn advance(&mut self) -> bool {
        for (l, turn) in self.loops.iter().zip(self.turns.iter_mut()) {
            if *turn + 1 < l.count {
                *turn += 1;
                self.dst += l.dst;
                self.src += l.src;
                return true;
            }
            self.dst -= l.dst * *turn;
            self.src -= l.src * *turn;
            *turn = 0;
        }
        false
    }
}
