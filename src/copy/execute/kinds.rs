//! The two kinds of plans, told apart here alone: one nest of loops, or boxes with a nest each.

use super::super::choose::{Choice, choose_for};
use super::super::conversion::Conversion;
use super::super::converting::{Converting, Lists};
use super::super::loops::Loop;
use super::super::nest::{Nest, Reach, Unit};
use super::super::plan::PlanView;
use super::super::problem::Problem;
use super::super::relayout::Relayout;
use super::{Dst, Sharing, Src, are_apart, boxes, convert_walk, run, run_large};
use crate::error::{Argument, Detail, Result, Status};
use crate::model::overlap::{self, Occupied};
use core::fmt;

impl PlanView<'_> {
    /// Runs part `part` of `parts`. `apart`: the ranges of the two sides do not meet.
    ///
    /// # Safety
    /// P1 to P3, and P5.
    #[inline(never)] // its callers' frames are small
    pub(super) unsafe fn run_part(&self, dst: Dst, src: Src, [part, parts]: [u32; 2], apart: bool) {
        // SAFETY: P1 to P3, and P5.
        unsafe {
            match (self.boxes, self.converting()) {
                (Some(relayout), _) => {
                    boxes::run_part(relayout, self, dst, src, [part as u64, parts as u64], apart);
                }
                (_, Some(converting)) => convert_walk::run_part(self, converting, dst.base, src.base, [part, parts]),
                // A byte that holds elements of both sides needs a single writer.
                _ if parts == 1 || !apart && self.nest.unit != Unit::Bytes => {
                    if part == 0 {
                        run_large(self.choice, &self.nest, dst.base, src.base);
                    }
                }
                _ => self.run_part_of_nest(dst, src, [part, parts]),
            }
        }
    }

    /// # Safety
    /// P1 and P2.
    #[inline(never)] // keeps the problem off the caller's stack
    unsafe fn run_part_of_nest(&self, dst: Dst, src: Src, part: [u32; 2]) {
        // SAFETY: P1 and P2: a part is iterations of the plan; P3 by `with_part`.
        self.with_part(part, |choice, nest| unsafe { run(choice, nest, dst.base, src.base) });
    }

    /// Calls `then` with the iterations of part `part` of `parts` of a nest, if it has work, and with a choice that
    /// fits them. They reach a part of what the plan reaches.
    #[inline(always)]
    pub(super) fn with_part(&self, [part, parts]: [u32; 2], then: impl FnOnce(Choice, &Nest<'_>)) {
        let mut problem = Problem::nothing();
        problem.set(&self.nest);
        if problem.part(part, parts) {
            // The choice of the whole copy, if it fits.
            let fits = self.nest.unit == Unit::Bytes && self.choice.fits_large(&problem.nest());
            let choice = if fits { self.choice } else { self.choose_part(&mut problem) };
            then(choice, &problem.nest());
        }
    }

    /// The choice for a part that the whole copy's choice does not fit.
    #[inline(never)] // keeps its frame off the caller's stack
    fn choose_part(&self, problem: &mut Problem) -> Choice {
        problem.normalise();
        choose_for(None, problem, &self.options, self.bytes_moved())
    }

    /// Whether the places of the destination's gaps follow from the loops alone.
    pub(super) fn has_places(&self) -> bool {
        self.boxes.is_none() && self.nest.unit == Unit::Bytes && self.converting().is_none()
    }

    /// Whether it has pieces, each with a nest of its own.
    pub(crate) fn is_boxes(&self) -> bool {
        self.boxes.is_some()
    }

    /// The most parts that have work.
    pub(crate) fn most_parts(&self) -> u64 {
        self.boxes.map_or(u64::MAX, Relayout::most_parts)
    }

    /// Calls `run` with the copies that the plan consists of, in normal form, piece by piece. UNSUPPORTED for pieces
    /// without a source, too many of them, and runs that are not whole bytes.
    pub(crate) fn each_problem(&self, run: &mut dyn FnMut(&mut Problem) -> Result<()>) -> Result<()> {
        if let Some(converting) = self.converting() {
            let (to, from) = converting.codes();
            return Err(Status::Unsupported.of(Argument::Plan).because(Detail::NoConversion, from, to));
        }
        match self.boxes {
            Some(relayout) => boxes::each_problem(relayout, run),
            None => {
                let mut problem = Problem::nothing();
                problem.set(&self.nest);
                boxes::check_bytes(&problem)?;
                problem.normalise();
                run(&mut problem)
            }
        }
    }

    /// OVERLAP where runs in a caller's memory share bytes with what is written; `to` is its reach from `dst`.
    #[inline(always)]
    pub(super) fn check_lists(&self, dst: Dst, to: Reach) -> Result<()> {
        let none = self.boxes.is_none() && self.converting().is_none();
        if none { Ok(()) } else { self.check_own_lists(dst, to) }
    }

    #[inline(never)] // two callers
    fn check_own_lists(&self, dst: Dst, to: Reach) -> Result<()> {
        if let Some(relayout) = self.boxes {
            boxes::check_lists(relayout, dst, to)?;
        }
        let Some(converting) = self.converting() else { return Ok(()) };
        let entries = match self.boxes {
            Some(relayout) => converting.entries(1, &mut relayout.sizes.iter().copied()),
            None => converting.entries_of(&self.nest),
        };
        converting.check_lists(entries, dst.base.addr() as u64, to)
    }

    /// Calls `then` with the plan and lists for a call; INVALID_ARGUMENT if it takes none.
    pub(crate) fn with_lists(&self, lists: Lists, then: &mut dyn FnMut(&PlanView<'_>) -> Result<()>) -> Result<()> {
        if let Some(converting) = self.converting() {
            return self.with_own_lists(converting, lists, then);
        }
        let none = self.is_empty() || lists.given() == 0;
        Status::InvalidArgument.of(Argument::Plan).unless(none, Detail::NoList, 0, 0)?;
        then(self)
    }

    #[inline(never)] // keeps a second plan off the caller's stack
    fn with_own_lists(
        &self,
        converting: &Converting<'_>,
        lists: Lists,
        then: &mut dyn FnMut(&PlanView<'_>) -> Result<()>,
    ) -> Result<()> {
        converting.check_given(lists)?;
        let converting = Converting { lists, ..*converting };
        then(&PlanView { converting: Some(&converting), ..*self })
    }

    /// The bytes that two reaches share, which lie in their buffers.
    #[inline(never)] // four callers
    pub(super) fn sharing(&self, dst_address: u64, dst: Reach, src_address: u64, src: Reach) -> Sharing {
        if are_apart(dst_address, &dst, src_address, &src) {
            return Sharing::Apart;
        }
        let Some(converting) = self.converting() else {
            return self.sharing_with(&self.nest, dst_address, src_address);
        };
        let mut sharing = Sharing::Unknown;
        converting.with_dst_nest(&self.nest, &mut |to| {
            sharing = self.sharing_with(to, dst_address, src_address);
        });
        sharing
    }

    /// [`PlanView::sharing`] with the destination's own places, which differ from the nest's if it has another dtype.
    fn sharing_with(&self, to: &Nest<'_>, dst_address: u64, src_address: u64) -> Sharing {
        let alike = to.width == self.nest.width && to.loops.iter().zip(self.nest.loops).all(|(to, l)| to.dst == l.src);
        if let Some(Conversion { dst, src, .. }) = self.converting().map(|converting| converting.conversion)
            && dst.bits().min(src.bits()) < 8
        {
            let one_order = dst.bits() == src.bits() && dst.is_high_first() == src.is_high_first();
            let same_place = dst_address == src_address && to.dst_base == self.nest.src_base;
            return if alike && one_order && same_place && self.boxes.is_none() {
                Sharing::Same
            } else {
                Sharing::Shared
            };
        }
        let unit = self.nest.unit;
        let place = |address: u64| address as i128 * unit.per_byte() as i128;
        let (dst_place, src_place) = (place(dst_address), place(src_address));
        let orders = if let Unit::Bits(packing) = unit { Some(packing).filter(|p| !p.is_one_order()) } else { None };
        let shared = match (self.boxes, orders) {
            (Some(relayout), None) => relayout.sides_meet(dst_place, src_place, self.options.effort()),
            (Some(_), Some(_)) => Some(true),
            (None, _) => {
                let same_place = dst_place + to.dst_base as i128 == src_place + self.nest.src_base as i128;
                if same_place && orders.is_none() && alike {
                    return Sharing::Same;
                }
                // In the nest's own unit.
                let Some((written, read)) = to.reached().zip(self.nest.reached()) else { return Sharing::Unknown };
                let dst = occupied(to, dst_place, written.dst, |l| l.dst);
                let src = occupied(&self.nest, src_place, read.src, |l| l.src);
                match orders {
                    None => overlap::share_a_unit(&dst, &src, self.options.effort()),
                    // Each element counts as all bits that it may occupy in its byte.
                    Some(packing) => {
                        overlap::come_close(&dst, &src, [packing.element as i128; 2], self.options.effort())
                    }
                }
            }
        };
        match shared {
            Some(false) => Sharing::Apart,
            Some(true) => Sharing::Shared,
            None => Sharing::Unknown,
        }
    }
}

/// The elements that one side of a nest occupies.
fn occupied<'a>(
    nest: &Nest<'a>,
    place: i128,
    reach: Reach,
    step: fn(&Loop) -> i64,
) -> Occupied<impl Iterator<Item = (i64, i64)> + Clone + use<'a>> {
    let loops = nest.loops.iter().map(move |l| (l.count, step(l)));
    let (lowest, highest) = (place + reach.lowest as i128, place + reach.highest as i128);
    Occupied { lowest, highest, width: nest.width as i128, scale: 1, loops }
}

impl fmt::Display for PlanView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.boxes {
            Some(relayout) => relayout.fmt(f)?,
            None => self.write_nest(f)?,
        }
        if let Some(converting) = self.converting() {
            converting.fmt(f)?;
        }
        self.options.write_flags(f)
    }
}
