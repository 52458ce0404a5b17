//! The quick way: plans of small copies, straight from their words.
//!
//! It takes plans with nothing to report, no parts, nothing shared, no options, and numbers that cannot overflow. Words
//! in use are read once and checked here, whoever wrote them. Masks, indexes and rows are not checked: they are cut to
//! their windows where they are used, so that they do no harm whatever they say. All other plans, invalid ones
//! included, are left to the long way.

use super::super::kernels::{Inner, KERNELS, Kernel, Rows, Run, Store, WIDEST_ELEMENT};
use super::super::loops::{Loop, MAX_LOOPS};
use super::super::nest::{Nest, Reach, Unit};
use super::super::options;
use super::super::plan::PlanView;
use super::super::plan_words::choice;
use super::super::shortcut::{Offsets, RowRoom, SHORT_RUN, SHUFFLED, Shortcut, Shuffle, Tables, Window};
use super::super::words::{HEADER, HINTS, KIND, STORE, STORE_BITS, WORDS, first_word};
use super::{Dst, Src, lie_apart, once, run};
use crate::machine::Level;
use core::mem::MaybeUninit;
use core::ptr::addr_of;
use core::sync::atomic::{Ordering, compiler_fence};

/// Runs a whole plan from a caller's memory; `false`: nothing was touched.
///
/// # Safety
/// As [`execute`](super::execute); P4.
#[inline(always)]
pub unsafe fn execute(words: *const u64, dst: Dst, src: Src) -> bool {
    // Kinds of plans, with `Store::Direct`.
    const LOOPS: u64 = (Shortcut::None as u64) << (KIND - STORE);
    const SHUFFLE: u64 = (Shortcut::Shuffle as u64) << (KIND - STORE);
    const TABLES: u64 = (Shortcut::Tables as u64) << (KIND - STORE);
    const KINDS: u64 = u64::MAX >> STORE & !(0xFF << (HINTS - STORE)) & !(0xFF & !STORE_BITS);
    // SAFETY: P4 of the header and of the words in use after it; the buffers as here. K1: the level was looked at.
    unsafe {
        let [first, shape, flags, width, dst_base, src_base] = once::array(words);
        // Words in use after the header; too many if the plan has another format. All are loops if it has no shortcut.
        let used = first.wrapping_sub(first_word(HEADER));
        let (after, kind) = (words.add(HEADER), shape >> STORE & KINDS);
        if used > (WORDS - HEADER) as u64 || flags as u32 & !options::KNOWN != 0 || flags >> 32 >= Level::COUNT as u64 {
            return false;
        }
        if kind == SHUFFLE {
            return used >= Shortcut::Shuffle.words() as u64 && run_shuffle(after.cast(), dst, src);
        }
        let unit = Unit::Bytes;
        let nest = Nest { unit, width: width as i64, dst_base: dst_base as i64, src_base: src_base as i64, loops: &[] };
        let flags = flags as u32; // the level only mattered when the plan was made
        if kind == LOOPS && used == 0 && flags == 0 {
            return run_run(&nest, dst, src);
        }
        // (For elements that are chunks, this is a number that no kernel has.)
        let Some(kernel) = KERNELS.get((shape & 0xFFFF) as usize) else { return false };
        if !kernel.level.is_here() {
            return false;
        }
        if kind == TABLES {
            return used >= Shortcut::Tables.words() as u64 && run_tables_at(after.cast(), kernel, width, dst, src);
        }
        if shape >> KIND != Shortcut::None as u64 || flags != 0 {
            return false;
        }
        let (loops, takes_loops) = (after.cast(), kind == LOOPS && matches!(kernel.run, Run::Inner(_)));
        match used {
            3 if takes_loops => run_inner::<1>(kernel, shape, &nest, loops, dst, src),
            6 if takes_loops => run_inner::<2>(kernel, shape, &nest, loops, dst, src),
            9 if takes_loops && kernel.family.takes_three() => run_inner::<3>(kernel, shape, &nest, loops, dst, src),
            _ if used > 3 * MAX_LOOPS as u64 => false,
            _ => run_loops(shape, &nest, loops, used as usize, dst, src),
        }
    }
}

/// [`execute`] for a decoded plan that has a shortcut, whose words are at `table`.
///
/// # Safety
/// As [`execute`].
#[inline(never)]
pub(super) unsafe fn run_shortcut(plan: &PlanView<'_>, table: *const u64, dst: Dst, src: Src) -> bool {
    // SAFETY: P4 of the shortcut, by its kind. K1: the level was looked at.
    unsafe {
        match plan.shortcut {
            Shortcut::Shuffle => run_shuffle(table.cast(), dst, src),
            Shortcut::Tables => {
                let kernel = plan.choice.kernel();
                kernel.level.is_here() && run_tables_at(table.cast(), kernel, plan.nest.width as u64, dst, src)
            }
            Shortcut::None => false,
        }
    }
}

/// # Safety
/// As [`execute`].
#[inline(always)]
unsafe fn run_shuffle(shuffle: *const Shuffle, dst: Dst, src: Src) -> bool {
    // SAFETY: P4 of the shortcut, which begins with its windows.
    let (to_window, from_window) = unsafe { read_windows(addr_of!((*shuffle).dst)) };
    if to_window.bytes.max(from_window.bytes) > SHUFFLED as u32 || !Level::Avx512.is_here() {
        return false;
    }
    let Some((_to, _from)) = places(to_window, dst, from_window, src) else { return false };
    #[cfg(target_arch = "x86_64")] // no other one has the level
    // SAFETY: K1: AVX-512 is here; K3: both windows lie in their buffers (`places`); P4 of the rest of the shortcut.
    unsafe {
        super::super::kernels::shuffle(_to, _from, to_window.bytes, from_window.bytes, shuffle);
    }
    true
}

/// The windows of the destination and of the source, which follow each other.
///
/// # Safety
/// P4 of both.
#[inline(always)]
unsafe fn read_windows(from: *const Window) -> (Window, Window) {
    // SAFETY: P4; a window is two numbers.
    let [to, to_bytes, from, from_bytes] = unsafe { once::array(from.cast::<u32>()) };
    (Window { first: to, bytes: to_bytes }, Window { first: from, bytes: from_bytes })
}

/// The addresses of two windows, if they lie in their buffers, the buffers in the address space, and the windows apart.
#[inline(always)]
fn places(to: Window, dst: Dst, from: Window, src: Src) -> Option<(*mut u8, *const u8)> {
    let reach = |window: Window| {
        let (lowest, end) = (window.first as i64, window.first as i64 + window.bytes as i64);
        Reach { lowest, highest: lowest, end }
    };
    lie_apart(&reach(to), dst, &reach(from), src)
        .then(|| (dst.base.wrapping_add(to.first as usize), src.base.wrapping_add(from.first as usize)))
}

/// [`run_tables`] as compiled for the kernel's level.
///
/// # Safety
/// As [`execute`]; P4 of the tables; the CPU has the kernel's level.
#[inline(always)]
unsafe fn run_tables_at(tables: *const Tables, kernel: &Kernel, width: u64, dst: Dst, src: Src) -> bool {
    // SAFETY: P4 of the tables; K1 by the caller, also of what is compiled for AVX-512.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if kernel.level == Level::Avx512 {
            return run_tables_avx512(tables, kernel, width, dst, src);
        }
        run_tables(
            tables,
            kernel,
            width,
            &mut [UNSET; 2],
            |from, count, last, to| read_rows(from, count, last, to),
            dst,
            src,
        )
    }
}

/// A transpose of elements of this many bytes; `read` as [`read_rows`].
///
/// # Safety
/// As [`execute`]; P4 of the tables; the CPU has the kernel's level.
#[inline(always)]
unsafe fn run_tables(
    tables: *const Tables,
    kernel: &Kernel,
    width: u64,
    [dst_rows, src_rows]: &mut [RowRoom; 2],
    read: impl Fn(*const Offsets, u32, i64, &mut RowRoom),
    dst: Dst,
    src: Src,
) -> bool {
    let Run::Tile(run) = kernel.run else { return false };
    // SAFETY: P4 of the tables; the second count follows the first one.
    let ((to_window, from_window), [rows, columns]) =
        unsafe { (read_windows(addr_of!((*tables).dst)), once::array(addr_of!((*tables).dst_count))) };
    let (columns, strip) = (columns & 0xFFFF, (columns >> 16) as u16);
    let fits = (kernel.width == 0 || kernel.width as u64 == width)
        && (1..=WIDEST_ELEMENT as u64).contains(&width)
        && (1..=SHORT_RUN as u32).contains(&columns)
        && (1..=SHORT_RUN as u32).contains(&rows);
    if !fits {
        return false;
    }
    let Some((to, from)) = places(to_window, dst, from_window, src) else { return false };
    let room = |window: Window, elements: u32| window.bytes as i64 - (elements * width as u32) as i64;
    let (to_room, from_room) = (room(to_window, columns), room(from_window, rows));
    if (to_room | from_room) < 0 {
        return false;
    }
    // SAFETY: P4 of the tables. So many rows, for which there is room, are written, in whole eights.
    let (dst_rows, src_rows) = unsafe {
        read(addr_of!((*tables).dst_rows), rows, to_room, dst_rows);
        read(addr_of!((*tables).src_rows), columns, from_room, src_rows);
        // The compiler does not read the caller's tables again, even if nothing is written in between.
        compiler_fence(Ordering::SeqCst);
        (
            core::slice::from_raw_parts(dst_rows.as_ptr().cast::<i64>(), rows as usize),
            core::slice::from_raw_parts(src_rows.as_ptr().cast::<i64>(), columns as usize),
        )
    };
    let (width, next) = (width as i64, [0; 2]);
    let rows = Rows { store: Store::Direct, strip, hints: 0, width, src: src_rows, dst: dst_rows, next };
    // SAFETY: K1 by the caller; K2: the kernel is of this width, and no table is empty; K3: `read` cut all rows to
    // their windows, which lie in the buffers, apart (`places`); K4: the store is `Direct`.
    unsafe { run(to, from, &rows) };
    true
}

/// [`run_tables`] for AVX-512, whose kernels take the least time for small transposes: eight rows are one register.
///
/// # Safety
/// As [`execute`]; P4 of the tables; the CPU has AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline(never)]
unsafe fn run_tables_avx512(tables: *const Tables, kernel: &Kernel, width: u64, dst: Dst, src: Src) -> bool {
    // SAFETY: P4 of the tables; K1 by the caller.
    unsafe {
        let read = |from: *const Offsets, count, last, to: &mut RowRoom| {
            super::super::kernels::read_rows(from, count, last, to)
        };
        run_tables(tables, kernel, width, &mut Aligned([UNSET; 2]).0, read, dst, src)
    }
}

/// In lines of its own: eights that straddle two are read late.
#[cfg(target_arch = "x86_64")]
#[repr(align(64))]
struct Aligned<T>(T);

const UNSET: RowRoom = [MaybeUninit::uninit(); SHORT_RUN as usize / 8];

/// Reads `count` rows, in whole eights. Those that begin below 0 or above `last` become `last`: no plan has any.
///
/// # Safety
/// P4 of the table at `from`.
#[inline(always)]
unsafe fn read_rows(from: *const Offsets, count: u32, last: i64, to: &mut RowRoom) {
    for (k, room) in to.iter_mut().enumerate().take(count.div_ceil(8) as usize) {
        // SAFETY: P4; a table has whole eights.
        let eight: [i64; 8] = unsafe { once::array(from.cast::<i64>().add(8 * k)) };
        room.write(eight.map(|row| (row as u64).min(last as u64) as i64));
    }
}

/// # Safety
/// As [`execute`].
#[inline(always)]
unsafe fn run_run(run: &Nest<'_>, dst: Dst, src: Src) -> bool {
    let Some(reached) = run.reached_near() else { return false };
    if run.width < 1 || !lie_apart(&reached.dst, dst, &reached.src, src) {
        return false;
    }
    let (to, from) = run.begin(dst.base, src.base);
    // SAFETY: P1 and P2 by `lie_apart`.
    unsafe { core::ptr::copy(from, to, run.width as usize) };
    true
}

/// A copy of `COUNT` loops, all of which the kernel takes.
///
/// # Safety
/// As [`execute`]; P4 of the loops; the CPU has the kernel's level.
#[inline(always)]
unsafe fn run_inner<const COUNT: usize>(
    kernel: &Kernel,
    shape: u64,
    nest: &Nest<'_>,
    loops: *const Loop,
    dst: Dst,
    src: Src,
) -> bool {
    let Run::Inner(run) = kernel.run else { return false };
    let loops: [Loop; COUNT] = core::array::from_fn(|k| {
        // SAFETY: P4; a loop is three words.
        let [count, dst, src] = unsafe { once::array(loops.add(k).cast::<i64>()) };
        Loop { count, dst, src }
    });
    let at = |k: usize| loops.get(k).copied().unwrap_or(Loop::ONCE);
    let (a, b, c) = (at(0), at(1), at(2));
    if nest.width < 1 || !kernel.accepts(nest.width, a, b) {
        return false;
    }
    let Some(reached) = (Nest { loops: &loops, ..*nest }).reached_near() else { return false };
    if !reached.are_distinct() || !lie_apart(&reached.dst, dst, &reached.src, src) {
        return false;
    }
    let (to, from) = nest.begin(dst.base, src.base);
    let inner = Inner { hints: (shape >> HINTS) as u8, width: nest.width, a, b, c, ahead: 0 };
    // SAFETY: K1 by the caller; K2 by `accepts`; K3 by `lie_apart`.
    unsafe { run(to, from, &inner) };
    true
}

/// A copy of the loops in `used` words, with the choice that a plan's second word encodes.
///
/// # Safety
/// As [`execute`]; P4 of the loops.
#[inline(never)]
unsafe fn run_loops(shape: u64, nest: &Nest<'_>, loops: *const Loop, used: usize, dst: Dst, src: Src) -> bool {
    let mut room = [MaybeUninit::uninit(); 3 * MAX_LOOPS];
    // SAFETY: P4.
    let words = unsafe { once::words(loops.cast::<u64>(), room.get_mut(..used).unwrap_or(&mut [])) };
    let nest = &Nest { loops: once::as_loops(words), ..*nest };
    let Some((choice, reached)) = choice(shape, 0).zip(nest.reached_near()) else { return false };
    let sound = nest.width >= 1 && reached.are_distinct() && choice.fits(nest);
    if !sound || !lie_apart(&reached.dst, dst, &reached.src, src) {
        return false;
    }
    // SAFETY: P1 and P2 by `lie_apart`, P3 by `fits`.
    unsafe { run(choice, nest, dst.base, src.base) };
    true
}
