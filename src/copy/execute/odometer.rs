//! An odometer over loops: the place of each of their iterations.

use super::super::loops::{Loop, MAX_LOOPS};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;

/// Calls `run` with both addresses of every iteration of `loops`, fastest first; those of the first one are given.
#[inline(always)]
pub(super) fn for_each_place(loops: &[Loop], to: *mut u8, from: *const u8, mut run: impl FnMut(*mut u8, *const u8)) {
    for_each_iteration(loops, 0, 0, |dst, src| {
        run(to.wrapping_offset(dst as isize), from.wrapping_offset(src as isize))
    });
}

/// Calls `run` with both offsets of every iteration of `loops`, fastest first; those of the first one are given.
#[inline(always)]
pub(crate) fn for_each_iteration(loops: &[Loop], dst: i64, src: i64, mut run: impl FnMut(i64, i64)) {
    let _ = try_each_iteration(loops, dst, src, |dst, src| {
        run(dst, src);
        ControlFlow::<()>::Continue(())
    });
}

/// [`for_each_iteration`] until `run` breaks.
#[inline(always)]
pub(crate) fn try_each_iteration<B>(
    loops: &[Loop],
    dst: i64,
    src: i64,
    mut run: impl FnMut(i64, i64) -> ControlFlow<B>,
) -> ControlFlow<B> {
    run(dst, src)?;
    if !loops.is_empty() {
        let mut odometer = Odometer::new(loops, dst, src);
        odometer.begin();
        while odometer.advance() {
            run(odometer.dst, odometer.src)?;
        }
    }
    ControlFlow::Continue(())
}

/// One iteration of all loops, fastest first, and its offsets.
pub(super) struct Odometer<'a> {
    loops: &'a [Loop],
    /// Iterations of each loop before this one.
    pub at: ArrayVec<i64, MAX_LOOPS>,
    pub dst: i64,
    pub src: i64,
}

impl<'a> Odometer<'a> {
    /// Before the first iteration; [`Odometer::begin`] is next. (Built in one step, the whole struct would be copied to
    /// its place.)
    #[inline(always)]
    pub fn new(loops: &'a [Loop], dst: i64, src: i64) -> Self {
        Self { loops, at: ArrayVec::new(), dst, src }
    }

    /// Sets the first iteration.
    #[inline(always)]
    pub fn begin(&mut self) {
        for _ in self.loops {
            let _ = self.at.try_push(0);
        }
    }

    /// Moves to the next iteration; `false` past the last, after which it goes on with the first.
    #[inline(always)]
    pub fn advance(&mut self) -> bool {
        for (l, at) in self.loops.iter().zip(self.at.iter_mut()) {
            if *at + 1 < l.count {
                *at += 1;
                self.dst += l.dst;
                self.src += l.src;
                return true;
            }
            self.dst -= l.dst * *at;
            self.src -= l.src * *at;
            *at = 0;
        }
        false
    }
}
