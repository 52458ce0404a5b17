//! Sides of those who mean no good, or do not know better: structs that lie where the copy writes, runs that another
//! thread changes, and plans that were tampered with. Nothing outside the buffers is touched, whatever comes of it.

use super::guarded::Guarded;
use super::*;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// Memory that begins at a multiple of 8.
struct Arena(Vec<u64>);

impl Arena {
    fn base(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    fn bytes(&mut self) -> &mut [u8] {
        let length = self.0.len() * 8;
        // SAFETY: memory of our own.
        unsafe { std::slice::from_raw_parts_mut(self.base(), length) }
    }

    /// Puts values at a place, which moves after them, to the next multiple of 8; where they lie.
    fn put<T>(&mut self, place: &mut usize, values: &[T]) -> *const T {
        let to = self.base().wrapping_add(*place).cast::<T>();
        assert!(*place + size_of_val(values) <= self.0.len() * 8);
        // SAFETY: inside the memory, as is asserted; both are aligned.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), to, values.len()) };
        *place += size_of_val(values).next_multiple_of(8);
        to
    }

    /// Puts the runs of a side there.
    fn put_runs(&mut self, place: &mut usize, side: &mut Option<stride_side>) {
        let along = side.iter_mut().flat_map(|side| side.along.iter_mut().take(side.along_count as usize));
        for along in along.filter(|along| along.count > 0) {
            // SAFETY: runs that live, as many as it says.
            let runs = unsafe { std::slice::from_raw_parts(along.runs, along.count as usize) };
            along.runs = self.put(place, runs);
        }
    }

    /// Puts a side there, with its object.
    fn put_side(&mut self, place: &mut usize, side: Option<stride_side>) -> *const stride_side {
        let Some(mut side) = side else { return null() };
        // SAFETY: an object that lives, of the kind that the side says.
        unsafe {
            side.of = match side.kind {
                STRIDE_SIDE_LAYOUT => self.put(place, &[*side.of.cast::<stride_layout>()]).cast(),
                STRIDE_SIDE_SHAPE => self.put(place, &[*side.of.cast::<stride_xla_shape>()]).cast(),
                _ => self.put(place, &[*side.of.cast::<stride_blocked>()]).cast(),
            };
        }
        self.put(place, &[side])
    }
}

/// A small random copy that is not empty.
fn small_case(random: &mut Random) -> Case {
    loop {
        let mut sizes = oracle::random_sizes(random);
        sizes.truncate(if random.one_in(3) { 1 } else { 3 });
        match Case::random(random, &sizes, 1 << 12) {
            Some(case) if !sizes.contains(&0) => return case,
            _ => {}
        }
    }
}

/// All structs lie in what is written and in what is read. They are read before anything is written, but for runs: a
/// list that lies in what is written is refused, or was no longer needed.
#[test]
fn structs_lie_in_both_buffers() {
    let (mut done, mut refused, mut by_plan) = (0, 0, 0);
    oracle::cases(SEED + 2_000_000, 12_000 / oracle::share(), |random| {
        let mut case = small_case(random);
        case.flags &= STRIDE_COPY_FILL_BUFFER;
        let (to, from, options) = (Structs::new(&case.dst), Structs::new(&case.src), case.options());
        let [d, s] = [case.dst.bytes() + case.slack, case.src.bytes()];
        // One after the other; the structs somewhere among them.
        let dst_first = random.one_in(2);
        let (dst_at, src_at) = if dst_first { (64, 64 + d) } else { (64 + s, 64) };
        let runs = |seen: &Seen| match &seen.sight {
            Sight::Runs(along) => along.iter().map(|(_, runs)| size_of_val(&runs[..])).sum::<usize>(),
            _ => 0,
        };
        let structs = 2 * (size_of::<stride_xla_shape>() + size_of::<stride_side>()) + size_of::<stride_copy_options>();
        let structs = structs + runs(&case.dst) + runs(&case.src);
        let mut arena = Arena(vec![0; (structs + d + s + 128) / 8]);
        let noise = random.bytes(arena.bytes().len());
        arena.bytes().copy_from_slice(&noise);
        let mut place = random.below((d + s) as u64 / 8 + 9) as usize * 8;
        let begin = place;
        // SAFETY: null, or a side that lives.
        let mut both = [&to, &from].map(|structs| unsafe { structs.side().as_ref().copied() });
        both.iter_mut().for_each(|side| arena.put_runs(&mut place, side));
        let [to, from] = both.map(|side| arena.put_side(&mut place, side));
        let options = arena.put(&mut place, &[options]);
        let before = arena.bytes().to_vec();
        let mut expected = before.clone();
        let (target, source) = (&mut expected[dst_at..][..d], &before[src_at..]);
        if case.fills() {
            sides::fill_buffer(target, case.dst.dtype, &case.fill);
        }
        let (places, sources) = (case.dst.places(), case.src.places());
        sides::copy((target, &places, case.dst.dtype), (source, &sources, case.src.dtype), &case.fill);
        let base = arena.base();
        let (dst, src) = (base.wrapping_add(dst_at).cast(), base.wrapping_add(src_at).cast_const().cast());
        let answer = if random.one_in(2) {
            call!(stride_copy_sides, to, dst, d as u64, from, src, s as u64, options)
        } else {
            // The plan itself comes to lie on its sides.
            let place = base.wrapping_add(begin).cast::<stride_plan>();
            let mut plan = stride_plan { words: [0; 512] };
            let fits = begin + size_of::<stride_plan>() <= before.len();
            let out = if fits { place } else { &raw mut plan };
            let made = call!(stride_plan_init_sides, out, to, from, options);
            // SAFETY: where the plan was made.
            let plan = stride_plan { words: unsafe { (*out).words } };
            arena.bytes().copy_from_slice(&before);
            by_plan += 1;
            match made {
                Err(e) if is_too_long(&e) => return,
                made => made.and_then(|()| call!(stride_plan_execute, &plan, dst, d as u64, src, s as u64)),
            }
        };
        if let Err(e) = answer {
            assert_eq!(
                (e.status, e.detail),
                (Status::Overlap.number(), u64::from(Detail::SharedList.number())),
                "{case:?}"
            );
            assert!(begin < dst_at + d && dst_at < place, "{e:?} {begin} {place} {dst_at} {case:?}");
            assert!(arena.bytes() == before, "{case:?}");
            refused += 1;
            return;
        }
        assert!(arena.bytes() == expected, "structs in {begin}..{place}, destination in {dst_at}..: {case:?}");
        done += 1;
    });
    assert!(cfg!(miri) || done > 700 && refused > 100 && by_plan > 400, "{done} {refused} {by_plan}");
}

/// Runs beside the elements, in a buffer that is filled.
#[test]
fn what_is_filled_holds_no_runs() {
    let mut memory = Arena(vec![0; 16]);
    let (rows, all) = (packed(Dtype::U8.code(), &[4, 2]), packed(Dtype::U8.code(), &[2, 2]));
    let runs = memory.put(&mut 64, &[3, 0].map(|first| stride_index_run { first, step: 1, count: 1 }));
    let (from, filled) = ([1u8, 2, 3, 4, 5, 6, 7, 8], fill_rest(&[9]));
    let mut side = oracle::zeroed();
    call!(stride_side_init, &mut side, STRIDE_SIDE_LAYOUT, std::ptr::from_ref(&rows).cast()).unwrap();
    call!(stride_side_set_runs, &mut side, 0, 2, runs).unwrap();
    let mut to = oracle::zeroed();
    call!(stride_side_init, &mut to, STRIDE_SIDE_LAYOUT, std::ptr::from_ref(&all).cast()).unwrap();
    let before = memory.bytes().to_vec();
    let (dst, src) = (memory.base().cast(), from.as_ptr().cast());
    let answer = call!(stride_copy_sides, &to, dst, 128, &side, src, 8, &filled);
    let e = error(answer);
    let reason = (e.status, e.argument, e.dimension, e.detail);
    let shared = (Status::Overlap.number(), Argument::SrcSide.number(), 0, u64::from(Detail::SharedList.number()));
    assert!(reason == shared && memory.bytes() == before, "{e:?}");
    call!(stride_copy_sides, &to, dst, 64, &side, src, 8, &filled).unwrap();
    assert_eq!(memory.bytes()[..8], [7, 8, 1, 2, 9, 9, 9, 9]);
}

/// The same memory at two addresses, one of them between pages that may not be touched: who writes the one changes the
/// other.
#[cfg(all(target_os = "linux", not(miri)))]
struct Twice {
    base: *mut u8,
    twin: *mut u8,
    bytes: usize,
    page: usize,
}

#[cfg(all(target_os = "linux", not(miri)))]
impl Twice {
    fn new(pages: usize) -> Self {
        // SAFETY: mappings of our own.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let (bytes, file) = (pages * page, libc::memfd_create(c"twice".as_ptr(), 0));
            assert!(file >= 0 && libc::ftruncate(file, bytes as libc::off_t) == 0);
            let (none, private) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            let around = libc::mmap(std::ptr::null_mut(), bytes + 2 * page, none, private, -1, 0).cast::<u8>();
            let (both, shared) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
            let base = libc::mmap(around.add(page).cast(), bytes, both, shared | libc::MAP_FIXED, file, 0);
            let twin = libc::mmap(std::ptr::null_mut(), bytes, both, shared, file, 0);
            assert!(base != libc::MAP_FAILED && twin != libc::MAP_FAILED && libc::close(file) == 0);
            Self { base: base.cast(), twin: twin.cast(), bytes, page }
        }
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
impl Drop for Twice {
    fn drop(&mut self) {
        // SAFETY: the mappings made in `new`.
        unsafe {
            libc::munmap(self.base.wrapping_sub(self.page).cast(), self.bytes + 2 * self.page);
            libc::munmap(self.twin.cast(), self.bytes);
        }
    }
}

/// A number of a run that somebody changed.
fn any_number(random: &mut Random, size: i64) -> i64 {
    match random.below(8) {
        0 => random.next().cast_signed(),
        1 => random.pick(&[i64::MIN, i64::MAX, i64::MIN + 1, -1, -2, size, size - 1, 1 << 62, -1 << 62]),
        2 => 1 << random.below(63),
        _ => random.below(size.unsigned_abs() + 3) - 1,
    }
}

/// Runs that the copy itself changes while it walks along them, since they lie where it writes, by another address:
/// what anybody could make of them at any time. Wrong elements move, none outside the buffers.
#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn runs_that_change_while_they_are_used() {
    let page = Twice::new(1);
    let mut pages = Guarded::new(1 << 14);
    let mut seen = [[0; 2]; 2];
    oracle::cases(SEED + 3_000_000, 30_000 / oracle::share(), |random| {
        // Rows as long as a run, so that each one that is written changes one.
        let rows = page.bytes as i64 / 24;
        let of_bits = random.one_in(3);
        let (dtype, columns) = if of_bits { (Dtype::U4, 48) } else { (random.pick(&[Dtype::U8, Dtype::F64]), 24) };
        let columns = if dtype == Dtype::F64 { 3 } else { columns };
        let count = 1 + random.below(rows as u64);
        let object = |random: &mut Random| match random.below(4) {
            0 => {
                let tile = vec![random.pick(&[1, 2, 5]), random.pick(&[1, 3])];
                Object::Tiled(Tiled::of(&[rows, columns], vec![rows, columns], vec![1, 0], vec![tile]))
            }
            _ => Object::Strided(Side::new(&[rows, columns], &[columns, 1], 0)),
        };
        let run = |first, step, count| stride_index_run { first, step, count };
        // Rows ahead of the run that is read, or after it.
        let honest = |random: &mut Random| -> Vec<stride_index_run> {
            let first = random.below((rows - count) as u64 + 1);
            let mut runs: Vec<_> = (first..first + count).map(|k| run(k, 1, 1)).collect();
            if count < 80 && random.one_in(2) {
                random.shuffle(&mut runs);
            }
            runs
        };
        let of = [object(random), object(random)];
        let (lists, twin) = ([honest(random), honest(random)], page.twin.cast::<stride_index_run>());
        let both: Vec<_> = of
            .into_iter()
            .zip(&lists)
            .map(|(object, runs)| Seen { object, dtype, sight: Sight::Runs(vec![(0, runs.clone())]) })
            .collect();
        if both[0].bytes() > page.bytes || both[1].bytes() > 1 << 14 {
            return;
        }
        // One list lies where rows are written, the other one elsewhere.
        let changed = random.below(2) as usize;
        let structs = [Structs::new(&both[0]), Structs::new(&both[1])];
        // SAFETY: sides that live.
        let mut sides = [0, 1].map(|k: usize| unsafe { *structs[k].side() });
        let at = random.below((rows - count) as u64 + 1) as usize;
        // SAFETY: `count` runs fit after each other into the page.
        unsafe { std::ptr::copy_nonoverlapping(lists[changed].as_ptr(), twin.add(at), count as usize) };
        sides[changed].along[0].runs = twin.wrapping_add(at);
        let from = pages.buffer(both[1].bytes(), random.one_in(2));
        for number in from.chunks_exact_mut(8) {
            number.copy_from_slice(&any_number(random, rows).to_ne_bytes());
        }
        let mut expected = vec![0; both[0].bytes()];
        let places = [both[0].places(), both[1].places()];
        sides::copy((&mut expected, &places[0], dtype), (from, &places[1], dtype), &[0; 16]);
        let written = sides::owned(dtype, places[0].iter().copied().flatten(), expected.len());
        let (d, s, src) = (both[0].bytes() as u64, from.len() as u64, from.as_ptr().cast());
        // The destination ends with the page, or begins with it.
        let first = if random.one_in(2) { page.bytes - d as usize } else { 0 };
        let dst = page.base.wrapping_add(first).cast();
        let flags = random.pick(&[0, 0, STRIDE_COPY_ASSUME_DISTINCT]);
        let options = stride_copy_options { flags, ..oracle::DEFAULTS };
        let answer = call!(stride_copy_sides, &sides[0], dst, d, &sides[1], src, s, &options);
        assert_eq!(answer, Ok(()));
        // SAFETY: the destination, which nobody else has.
        let found = unsafe { std::slice::from_raw_parts(page.base.add(first), d as usize) };
        let other = (0..d as usize).any(|p| found[p] & written[p] != expected[p] & written[p]);
        seen[changed][usize::from(other)] += 1;
    });
    assert!(seen.as_flattened().iter().all(|&of| of > 200), "{seen:?}");
}

/// The same by another thread, also while a plan is made of them.
#[test]
#[cfg_attr(miri, ignore = "reads and writes at once, which are volatile on one side and atomic on the other")]
fn runs_that_another_thread_changes() {
    const COUNT: i64 = 300;
    let honest = |entry: usize| [entry as i64 / 3, 1, 1][entry % 3];
    let runs: Vec<AtomicI64> = (0..3 * COUNT as usize).map(|entry| AtomicI64::new(honest(entry))).collect();
    let (over, rows) = (AtomicBool::new(false), packed(Dtype::U8.code(), &[COUNT, 5]));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = Random::new(SEED + 4_000_000);
            while !over.load(Ordering::Relaxed) {
                let entry = random.below(3 * COUNT as u64) as usize;
                runs[entry].store(any_number(&mut random, COUNT), Ordering::Relaxed);
                (0..random.below(200)).for_each(|_| std::hint::spin_loop());
                runs[entry].store(honest(entry), Ordering::Relaxed);
                (0..random.below(200)).for_each(|_| std::hint::spin_loop());
            }
        });
        let mut pages = [1500, 1500].map(Guarded::new);
        let mut random = Random::new(SEED + 5_000_000);
        for _ in 0..3_000 {
            let (mut changed, mut whole) = (oracle::zeroed::<stride_side>(), oracle::zeroed::<stride_side>());
            for side in [&mut changed, &mut whole] {
                call!(stride_side_init, side, STRIDE_SIDE_LAYOUT, std::ptr::from_ref(&rows).cast()).unwrap();
            }
            call!(stride_side_set_runs, &mut changed, 0, COUNT as u32, runs.as_ptr().cast()).unwrap();
            let [to, from] = pages.each_mut().map(|pages| pages.buffer(1500, random.one_in(2)));
            let (dst, src) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
            let [to, from] = if random.one_in(2) { [&changed, &whole] } else { [&whole, &changed] };
            if random.one_in(2) {
                let _ = call!(stride_copy_sides, to, dst, 1500, from, src, 1500, null());
            } else {
                let mut plan = stride_plan { words: [0; 512] };
                if call!(stride_plan_init_sides, &mut plan, to, from, null()).is_ok() {
                    let _ = call!(stride_plan_execute, &plan, dst, 1500, src, 1500);
                }
            }
        }
        over.store(true, Ordering::Relaxed);
    });
}

/// A buffer that is written, or read, and its length.
pub type DstBuffer = (*mut std::ffi::c_void, u64);
pub type SrcBuffer = (*const std::ffi::c_void, u64);

/// Forges a plan of a case and executes it: no byte around its buffers may change. `None` where it would run for ever.
pub fn forged(
    random: &mut Random,
    case: &Case,
    plan: &mut stride_plan,
    [to, from]: &mut [Guarded; 2],
    execute: impl FnOnce(&mut Random, &stride_plan, DstBuffer, SrcBuffer) -> Answer<()>,
) -> Option<Answer<()>> {
    oracle::forge(random, plan);
    if !oracle::ends_soon(plan) {
        return None;
    }
    let (d, s) = (case.dst.bytes(), case.src.bytes());
    let at_end = [random.one_in(2), random.one_in(2)];
    to.buffer(1 << 13, true).fill(7);
    let (dst, src) = (to.buffer(d, at_end[0]).as_mut_ptr().cast(), from.buffer(s, at_end[1]).as_ptr().cast());
    let answer = execute(random, plan, (dst, d as u64), (src, s as u64));
    let around = if at_end[0] { 0..(1 << 13) - d } else { d..1 << 13 };
    assert!(to.bytes()[around].iter().all(|&byte| byte == 7), "{case:?}");
    Some(answer)
}

/// Any words of anybody: refused, or wrong bytes inside the two buffers, and none of those around them.
#[test]
fn forged_plans_stay_in_the_buffers() {
    let mut pages = [Guarded::new(1 << 13), Guarded::new(1 << 13)];
    let (mut ran, mut refused) = ([0; 3], [0; 3]);
    oracle::cases(SEED + 6_000_000, 120_000 / oracle::share(), |random| {
        let mut case = small_case(random);
        case.flags &= STRIDE_COPY_ASSUME_DISTINCT | STRIDE_COPY_FILL_BUFFER;
        let (to, from) = (Structs::new(&case.dst), Structs::new(&case.src));
        let Ok(mut plan) = plan_of(&to, &from, &case.options()) else { return };
        let kind =
            if is_of_boxes(&plan) { 2 } else { usize::from(kind_in_use(plan.words[1]) == stride::copy::words::BITS) };
        let execute = |random: &mut Random,
                       plan: &stride_plan,
                       (dst, d_bytes): DstBuffer,
                       (src, s_bytes): SrcBuffer| match random.below(3) {
            0 => call!(stride_plan_execute, plan, dst, d_bytes, src, s_bytes),
            1 => {
                let part = random.below(3) as u32;
                call!(stride_plan_execute_part, plan, dst, d_bytes, src, s_bytes, part, 3)
            }
            _ => {
                let (zero, count) = ([0, 0].as_ptr(), 1 + random.below(2) as u64);
                call!(stride_plan_execute_batch, plan, dst, d_bytes, zero, src, s_bytes, zero, count, 0, 1)
            }
        };
        let Some(answer) = forged(random, &case, &mut plan, &mut pages, execute) else { return };
        let known =
            [Status::InvalidArgument, Status::OutOfBounds, Status::Unsupported, Status::Overlap, Status::Undecided];
        assert!(answer.is_ok() || known.iter().any(|known| known.number() == status(answer)), "{answer:?} {case:?}");
        if answer.is_ok() { ran[kind] += 1 } else { refused[kind] += 1 }
    });
    assert!(cfg!(miri) || ran.iter().chain(&refused).all(|&of| of > 400), "{ran:?} {refused:?}");
}
