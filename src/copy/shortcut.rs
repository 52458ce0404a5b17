//! Shortcuts: what a plan for little data knows by heart.
//!
//! The loops of a small copy take longer to check and to set up than to run. So a plan that reaches no further than a small
//! window on either side ends with what its kernel wants, ready made:
//!
//! * a [`Shuffle`], of at most 256 bytes with AVX-512: the copy as one permutation of bytes;
//! * else [`Tables`]: the rows of a small transpose.
//!
//! A few numbers make it safe, whoever wrote it: nothing outside of the two windows is touched. The loops stand in the plan
//! all the same: parts, and sides that are not apart, go by them.

use super::choose::{SHORT_RUN, turns};
use super::execute::{Table, run};
use super::kernels::level::Level;
use super::kernels::{Family, Kernel, Memory, Rows, Run, WIDEST_ELEMENT};
use super::options;
use super::plan::PlanView;
use super::problem::{Loop, Nest, Reach};
use core::mem::MaybeUninit;
use core::ptr::addr_of_mut;

/// The end of a plan.
#[derive(Clone, Copy, Debug)]
pub enum Shortcut<S, T> {
    /// It has none.
    None,
    /// One permutation of bytes.
    Shuffle(S),
    /// The rows of a transpose.
    Tables(T),
}

/// As it lies in a plan.
pub type ShortcutRef<'a> = Shortcut<&'a Shuffle, &'a Tables>;

impl<S, T> Shortcut<S, T> {
    /// Its kind in a plan, from 0 to 2.
    #[inline(always)]
    pub fn number(&self) -> u64 {
        match self {
            Self::None => 0,
            Self::Shuffle(_) => 1,
            Self::Tables(_) => 2,
        }
    }

    /// Which one it is.
    pub fn kind(&self) -> Shortcut<(), ()> {
        match self {
            Self::None => Shortcut::None,
            Self::Shuffle(_) => Shortcut::Shuffle(()),
            Self::Tables(_) => Shortcut::Tables(()),
        }
    }

    /// Words in a plan.
    #[inline(always)]
    pub fn words(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Shuffle(_) => size_of::<Shuffle>() / 8,
            Self::Tables(_) => size_of::<Tables>() / 8,
        }
    }
}

impl Shortcut<(), ()> {
    /// Writes that of a plan; the kind.
    ///
    /// # Safety
    /// The words of the longest shortcut may be written at `to`.
    #[inline(never)] // its stack is its own
    pub unsafe fn write(plan: &PlanView<'_>, to: *mut u64) -> Self {
        if plan.options.flags & options::FILL_REST != 0 || plan.is_empty() || plan.choice.memory != Memory::Cached {
            return Self::None;
        }
        // SAFETY: as promised to this function.
        unsafe {
            if Shuffle::write(plan, to.cast()).is_some() {
                Self::Shuffle(())
            } else if Tables::write(plan, to.cast()).is_some() {
                Self::Tables(())
            } else {
                Self::None
            }
        }
    }
}

/// Where one side of a small copy lies.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Window {
    /// Where it begins, in bytes from the base pointer.
    first: i64,
    /// Its bytes.
    pub bytes: u64,
}

impl Window {
    /// Around what is reached, if that is at most so many bytes.
    fn around(reach: Reach, most: usize) -> Option<Self> {
        let bytes = reach.end.checked_sub(reach.lowest)?;
        (reach.lowest >= 0 && bytes <= most as i64).then_some(Self { first: reach.lowest, bytes: bytes as u64 })
    }

    /// As what is reached; `None` if that is more.
    #[inline(always)]
    fn reach(&self, most: usize) -> Option<Reach> {
        let reach = Reach { lowest: self.first, highest: self.first, end: self.first.wrapping_add(self.bytes as i64) };
        (self.bytes <= most as u64).then_some(reach)
    }
}

/// Bytes of a shuffle's windows.
pub(crate) const SHUFFLED: usize = 256;

/// A copy as a permutation of bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Shuffle {
    pub(crate) dst: Window,
    pub(crate) src: Window,
    /// A bit for each byte of the windows that is used.
    pub(crate) dst_used: [u64; SHUFFLED / 64],
    pub(crate) src_used: [u64; SHUFFLED / 64],
    /// Which byte of the source's window goes where in the destination's.
    pub(crate) index: [u8; SHUFFLED],
}

impl Shuffle {
    /// # Safety
    /// `to` may be written.
    unsafe fn write(plan: &PlanView<'_>, to: *mut Self) -> Option<()> {
        if plan.bytes_moved() > SHUFFLED as u64 || plan.options.level() != Level::Avx512 {
            return None;
        }
        let (nest, reached) = (&plan.nest, &plan.reached);
        let (dst, src) = (Window::around(reached.dst, SHUFFLED)?, Window::around(reached.src, SHUFFLED)?);
        let inside = Nest { dst_base: nest.dst_base - dst.first, src_base: nest.src_base - src.first, ..*nest };
        // SAFETY: as promised to this function; both reaches are at most as long as the two arrays of bytes, and begin where
        // these do.
        unsafe {
            let index = addr_of_mut!((*to).index);
            index.write([0; SHUFFLED]);
            // The copy itself tells where each byte comes from.
            run(plan.choice, &inside, index.cast(), EACH_ITSELF.as_ptr());
            addr_of_mut!((*to).dst).write(dst);
            addr_of_mut!((*to).src).write(src);
            addr_of_mut!((*to).dst_used).write(used(nest, |l| l.dst));
            addr_of_mut!((*to).src_used).write(used(nest, |l| l.src));
        }
        Some(())
    }

    /// What both sides reach; `None` where that is no shuffle, or one that this CPU cannot run.
    #[inline(always)]
    pub(crate) fn reaches(&self) -> Option<(Reach, Reach)> {
        let can = cfg!(target_arch = "x86_64") && Level::best() == Level::Avx512;
        self.dst.reach(SHUFFLED).zip(self.src.reach(SHUFFLED)).filter(|_| can)
    }

    /// # Safety
    /// What is reached may be written from `dst` and read from `src`; the CPU has AVX-512.
    #[inline(always)]
    pub(crate) unsafe fn run(&self, dst: *mut u8, src: *const u8) {
        let (to, from) = (dst.wrapping_offset(self.dst.first as isize), src.wrapping_offset(self.src.first as isize));
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as promised to this function.
        unsafe {
            super::kernels::shuffle(to, from, self);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (to, from);
    }
}

/// Bytes 0, 1, …, 255.
static EACH_ITSELF: [u8; SHUFFLED] = {
    let mut bytes = [0; SHUFFLED];
    let mut k = 0;
    while k < SHUFFLED {
        bytes[k] = k as u8;
        k += 1;
    }
    bytes
};

/// A bit for each byte of a side that is used, from the lowest one on. Each loop repeats what stands there, twice as much at
/// a time.
fn used(nest: &Nest<'_>, step: impl Fn(&Loop) -> i64) -> [u64; SHUFFLED / 64] {
    let ones = |count: i64| if count >= 128 { u128::MAX } else { (1 << count.max(0)) - 1 };
    let (mut low, mut high) = (ones(nest.width), ones(nest.width.saturating_sub(128)));
    for l in nest.loops {
        let mut turns = 1;
        while turns < l.count {
            let more = turns.min(l.count - turns);
            match more.wrapping_mul(step(l)).unsigned_abs() {
                by @ 1..128 => (low, high) = (low | low << by, high | high << by | low >> (128 - by)),
                by @ 128..256 => high |= low << (by - 128),
                _ => {}
            }
            turns += more;
        }
    }
    [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
}

/// Bytes of the windows of [`Tables`].
const TABLED: usize = 1 << 16;

/// A transpose of at most 64 rows and columns.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tables {
    dst: Window,
    src: Window,
    dst_rows: Offsets,
    src_rows: Offsets,
}

/// Where rows begin in their window; 0 behind the last one.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Offsets {
    rows: u64,
    offsets: [u16; SHORT_RUN as usize],
}

impl Offsets {
    /// Writes those of a run whose first row begins at `base` of the window.
    ///
    /// # Safety
    /// `to` may be written.
    unsafe fn write(to: *mut Self, run: &[Loop], base: i64, step: impl Fn(&Loop) -> i64) {
        let mut table = [const { MaybeUninit::uninit() }; SHORT_RUN as usize];
        let rows = Table::fill(&mut table, run, step).rows;
        // SAFETY: as promised to this function; no more rows than entries.
        unsafe {
            addr_of_mut!((*to).rows).write(rows.len() as u64);
            let first = addr_of_mut!((*to).offsets).cast::<u16>();
            first.cast::<[u16; SHORT_RUN as usize]>().write([0; SHORT_RUN as usize]); // a plan's words are all written
            for (k, row) in rows.iter().enumerate() {
                first.add(k).write(row.wrapping_add(base) as u16);
            }
        }
    }

    /// Eight at a time, as many as hold all rows.
    #[inline(always)]
    fn eights(&self) -> impl Iterator<Item = &[u16; 8]> {
        let (eights, _) = self.offsets.as_chunks::<8>();
        eights.iter().take(self.rows.div_ceil(8) as usize)
    }

    /// One past the last byte of rows of so many bytes.
    #[inline(always)]
    fn end(&self, row_bytes: u64) -> u64 {
        let mut most = [0; 8];
        for eight in self.eights() {
            for (most, &offset) in most.iter_mut().zip(eight) {
                *most = (*most).max(offset);
            }
        }
        most.iter().fold(0, |most, &offset| most.max(offset)) as u64 + row_bytes
    }

    /// The rows, as kernels want them.
    #[inline(always)]
    fn rows<'a>(&self, table: &'a mut [MaybeUninit<i64>; SHORT_RUN as usize]) -> &'a [i64] {
        let (eights, _) = table.as_chunks_mut::<8>();
        for (to, from) in eights.iter_mut().zip(self.eights()) {
            *to = from.map(|offset| MaybeUninit::new(offset as i64));
        }
        // SAFETY: so many entries were written.
        unsafe { core::slice::from_raw_parts(table.as_ptr().cast(), self.rows.min(SHORT_RUN as u64) as usize) }
    }
}

impl Tables {
    /// # Safety
    /// `to` may be written.
    unsafe fn write(plan: &PlanView<'_>, to: *mut Self) -> Option<()> {
        if plan.kernel().family != Family::Transpose {
            return None;
        }
        let (along_dst, along_src, outer) = plan.choice.runs(plan.nest.loops)?;
        if turns(along_dst).max(turns(along_src)) > SHORT_RUN || !outer.is_empty() {
            return None;
        }
        let (dst, src) = (Window::around(plan.reached.dst, TABLED)?, Window::around(plan.reached.src, TABLED)?);
        // SAFETY: as promised to this function.
        unsafe {
            addr_of_mut!((*to).dst).write(dst);
            addr_of_mut!((*to).src).write(src);
            let (dst_rows, src_rows) = (addr_of_mut!((*to).dst_rows), addr_of_mut!((*to).src_rows));
            Offsets::write(dst_rows, along_src, plan.nest.dst_base - dst.first, |l| l.dst);
            Offsets::write(src_rows, along_dst, plan.nest.src_base - src.first, |l| l.src);
        }
        Some(())
    }

    /// What both sides reach; `None` where that is no transpose of such elements, or one that this CPU cannot run.
    #[inline(always)]
    pub(crate) fn reaches(&self, kernel: &Kernel, width: u64) -> Option<(Reach, Reach)> {
        let (columns, rows) = (self.src_rows.rows, self.dst_rows.rows);
        let fits = kernel.level <= Level::best()
            && (kernel.width == 0 || kernel.width as u64 == width)
            && (1..=WIDEST_ELEMENT as u64).contains(&width)
            && (1..=SHORT_RUN as u64).contains(&columns)
            && (1..=SHORT_RUN as u64).contains(&rows)
            && self.dst_rows.end(columns * width) <= self.dst.bytes
            && self.src_rows.end(rows * width) <= self.src.bytes;
        self.dst.reach(TABLED).zip(self.src.reach(TABLED)).filter(|_| fits)
    }

    /// # Safety
    /// What is reached may be written from `dst` and read from `src`, and is apart.
    #[inline(never)] // its stack is its own
    pub(crate) unsafe fn run(&self, kernel: &Kernel, width: u64, dst: *mut u8, src: *const u8) {
        let Run::Tile(run) = kernel.run else { return };
        let unset = [const { MaybeUninit::uninit() }; SHORT_RUN as usize];
        let (mut dst_table, mut src_table) = (unset, unset);
        let (dst_rows, src_rows) = (self.dst_rows.rows(&mut dst_table), self.src_rows.rows(&mut src_table));
        let rows = Rows { memory: Memory::Cached, width: width as i64, src: src_rows, dst: dst_rows, next: 0 };
        let (to, from) = (dst.wrapping_offset(self.dst.first as isize), src.wrapping_offset(self.src.first as isize));
        // SAFETY: as promised to this function.
        unsafe { run(to, from, &rows) };
    }
}
