//! Every kernel of the list: every tail, every alignment, every store.
//!
//! A test is a group of kernels, so that groups run beside each other. [`group_of`] has a group for every kernel, and a
//! group is a test, so that no kernel can be left out.

use crate::oracle::Random;
use crate::oracle::gaps::WATCHED;
use crate::yard::{LINE, RUNNING, Work, Yard, name_the_kernel_of_a_fault};
use std::collections::BTreeSet;
use std::io::Write as _;
use stride::copy::kernels::{Family, KERNELS, Kernel, Run, Store};
use stride::copy::loops::Loop;
use stride::machine::Level;

macro_rules! groups {
    ($($test:ident: $group:ident)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Group { $($group),* }

        $(
            #[test]
            fn $test() {
                run_group(Group::$group);
            }
        )*
    };
}

groups! {
    rows_of_all_lengths: Rows
    single_elements: Strided
    fills_and_reversed_runs: Run
    elements_again_and_again: Repeat
    blocks_that_are_one_permutation: Permute
    pixels_to_channels: Deinterleave
    channels_to_pixels: Interleave
    elements_of_some_channels: Gather
    elements_at_small_steps: Spaced
    portable_transposes: PortableTranspose
    transposes_in_lanes: LaneTranspose
    transposes_in_lines: LineTranspose
    transposes_of_any_width: AnyTranspose
}

fn group_of(kernel: &Kernel) -> Group {
    match (kernel.family, kernel.level, kernel.width) {
        (Family::Rows, ..) => Group::Rows,
        (Family::Strided, ..) => Group::Strided,
        (Family::Fill | Family::Reverse, ..) => Group::Run,
        (Family::Repeat, ..) => Group::Repeat,
        (Family::Permute, ..) => Group::Permute,
        (Family::Deinterleave(_), ..) => Group::Deinterleave,
        (Family::Interleave(_), ..) => Group::Interleave,
        (Family::Gather(_), ..) => Group::Gather,
        (Family::Spaced, ..) => Group::Spaced,
        (Family::Transpose, _, 0) => Group::AnyTranspose,
        (Family::Transpose, Level::Scalar, _) => Group::PortableTranspose,
        (Family::Transpose, Level::Avx512, _) => Group::LineTranspose,
        (Family::Transpose, Level::Ssse3 | Level::Avx2 | Level::Neon | Level::Simd128, _) => Group::LaneTranspose,
    }
}

/// The bytes that a strided copy puts together before it streams them.
const CHUNK: i64 = 4096;
/// Bytes of a channel from which on channels are made in pieces, and of a piece.
const STAGED: [i64; 2] = [256, 1024];

fn run_group(group: Group) {
    name_the_kernel_of_a_fault();
    let mut yard = Yard::new(group as u64);
    let (mut kernels, mut all, mut wanting) = (0, 0u64, BTreeSet::new());
    for (number, kernel) in KERNELS.iter().enumerate().filter(|(_, kernel)| group_of(kernel) == group) {
        if kernel.level > Level::best() {
            wanting.insert(kernel.level.name());
            continue;
        }
        RUNNING.set(number);
        (yard.kernel, yard.checks) = (kernel, [0; 7]);
        match kernel.run {
            Run::Inner(_) => every_run(&mut yard),
            Run::Tile(_) => every_matrix(&mut yard),
            Run::Chunks(_) => every_block(&mut yard),
        }
        (kernels, all) = (kernels + 1, all + yard.checks.iter().map(|&checks| u64::from(checks)).sum::<u64>());
        for (store, checks) in STORES.iter().zip(yard.checks) {
            assert!(
                cfg!(miri) || checks as u64 >= 250 / (2 * yard.share - 1),
                "{} ({}), {store:?}: {checks} checks",
                kernel.name,
                kernel.level.name()
            );
        }
    }
    let gaps = if WATCHED { " and their gaps" } else { "" };
    let pages = if cfg!(unix) { " between pages" } else { "" };
    println!("\n{group:?}: {all} checks of {kernels} kernels{pages}{gaps}");
    if !wanting.is_empty() {
        // Where the harness of tests does not keep it to itself.
        let _ = writeln!(std::io::stderr(), "skipped: kernels that need {wanting:?}, of {group:?}");
    }
}

/// What all of it rests on, where gaps are watched: reading one byte of a gap ends the process.
#[test]
#[cfg(stride_asan)]
fn a_gap_that_is_read_ends_the_process() {
    use crate::oracle::gaps::Closed;
    if let Some(at) = std::env::var_os("STRIDE_READ_AT") {
        let (row, at) = ([7u64; 2], at.to_str().and_then(|at| at.parse().ok()).unwrap());
        let bytes = row.as_ptr().cast::<u8>();
        let closed = Closed::gaps(bytes..bytes.wrapping_add(16), 5, |mark| [0, 8].into_iter().for_each(mark));
        // SAFETY: a byte of the row.
        assert!(unsafe { bytes.wrapping_add(at).read_volatile() } <= 7);
        return drop(closed);
    }
    let reads = |at: usize| {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "between_pages::a_gap_that_is_read_ends_the_process"])
            .env("STRIDE_READ_AT", at.to_string());
        child.output().unwrap().status.success()
    };
    assert_eq!([0, 4, 5, 7, 8, 12, 13, 15].map(reads), [true, true, false, false, true, true, false, false]);
}

const STORES: [Store; 4] = [Store::Direct, Store::Past, Store::Stream, Store::Staged];

fn every_run(yard: &mut Yard) {
    let Kernel { family, width, .. } = *yard.kernel;
    if family == Family::Rows {
        // The length of the rows is the width.
        for width in 1..=4 * LINE as i64 {
            every_alignment(yard, width, 1 + width % 3);
        }
        // Around the length from which on rows go in pairs of lines, and with whole lines on both sides of it; of
        // libc's.
        for width in [700, 1024, 2000, 2047, 2048, 2049, 2111, 2112, 4096, 5000, 9000] {
            every_alignment(yard, width, 2);
        }
        return;
    }
    if family == Family::Spaced {
        for width in 1..=32 {
            let step = LINE as i64 / width;
            for count in (1..=step + 1).chain([2 * step - 1, 2 * step + 1, 3 * step, 70, 150]) {
                every_alignment(yard, width, count);
            }
            // More steps than rows that share lines take in one iteration.
            for (count, store) in [300, 1100].into_iter().flat_map(|count| STORES.map(|store| (count, store))) {
                for _ in 0..4 {
                    yard.check_run(store, width, count, [None, None]);
                }
            }
        }
        return;
    }
    if family == Family::Repeat {
        for width in 1..=LINE as i64 {
            let step = LINE as i64 / width;
            for count in (1..=step + 1).chain([2 * step - 1, 2 * step, 2 * step + 1, 3 * step, 70]) {
                every_alignment(yard, width, count);
            }
        }
        return;
    }
    // Elements of a register: every number of them that is left, after none to three whole registers.
    let step = (LINE as i64 / width).max(1);
    for count in 1..=4 * step + 1 {
        every_alignment(yard, width, count);
    }
    if matches!(family, Family::Deinterleave(_) | Family::Interleave(_)) {
        // No, one and two pieces, and what is left after them.
        for bytes in [STAGED[0], STAGED[1], 2 * STAGED[1]] {
            for count in bytes / width - 1..=bytes / width + step + 1 {
                // The next count has the next alignments.
                alignments(yard, width, count, (count as usize % 4..LINE).step_by(4));
            }
        }
    }
    if family == Family::Strided {
        // What is put together before it is streamed, once and twice.
        let most = (CHUNK / width) & !63;
        for count in (0..=step).flat_map(|tail| [CHUNK / width - 1, CHUNK / width, most, 2 * most].map(|n| n + tail)) {
            for store in STORES {
                if !yard.takes(400) {
                    continue;
                }
                yard.check_run(store, width, count, [None, None]);
            }
        }
    }
}

fn every_alignment(yard: &mut Yard, width: i64, count: i64) {
    alignments(yard, width, count, 0..LINE);
}

fn alignments(yard: &mut Yard, width: i64, count: i64, all: impl Iterator<Item = usize> + Clone) {
    if cfg!(miri) {
        if yard.takes(25) {
            let store = yard.random.pick(&STORES);
            yard.check_run(store, width, count, [None, None]);
        }
        return;
    }
    for store in [Store::Direct, Store::Past] {
        for alignment in all.clone() {
            yard.check_run(store, width, count, [Some(alignment), None]);
            yard.check_run(store, width, count, [None, Some(alignment)]);
        }
    }
    for store in STORES {
        for _ in 0..16 {
            yard.check_run(store, width, count, [None, None]);
        }
    }
}

/// Two loops that the kernel accepts, `count` being those of the longer one; rows any number of bytes apart, in
/// either direction, but destination elements distinct.
fn loops(random: &mut Random, family: Family, width: i64, count: i64) -> [Loop; 2] {
    let others = 1 + random.below(3);
    let gap = |random: &mut Random| match random.below(4) {
        0 => 0,
        1 => width,
        _ => random.below((40_000 / count as u64).min(150)),
    };
    let either_way = |random: &mut Random, step: i64| if random.one_in(4) { -step } else { step };
    let distinct = |random: &mut Random, bytes: i64| {
        let step = bytes + gap(random);
        either_way(random, step)
    };
    let either_way = |random: &mut Random, step: i64| if random.one_in(2) { -step } else { step };
    // Sources may meet themselves.
    let any = |random: &mut Random, bytes: i64| {
        let step = if random.one_in(4) { random.below(bytes as u64 + 1) } else { bytes + gap(random) };
        either_way(random, step)
    };
    let run = count * width;
    // With other channels beside them, whole ones or not.
    let pixel = |random: &mut Random, bytes: i64| match random.below(6) {
        0 => bytes + width,
        1 => bytes + random.below(40),
        _ => bytes,
    };
    match family {
        Family::Rows | Family::Strided => {
            let step = if random.one_in(2) { width } else { distinct(random, width) };
            let a = Loop { count, dst: step, src: any(random, width) };
            let reach = (count - 1) * step.abs() + width;
            [a, Loop { count: others, dst: distinct(random, reach), src: any(random, reach) }]
        }
        Family::Fill | Family::Repeat | Family::Reverse | Family::Gather(_) => {
            let src = match family {
                Family::Gather(k) => either_way(random, k * width),
                Family::Reverse => -width,
                _ => 0,
            };
            let b = Loop { count: others, dst: distinct(random, run), src: any(random, count * src.abs() + width) };
            [Loop { count, dst: width, src }, b]
        }
        Family::Spaced => {
            // On each side packed or not; in the source upward, downward, or the same again.
            let step = |random: &mut Random| match random.one_in(3) {
                true => width,
                false => width + random.below(65 - width as u64),
            };
            let (dst, src) = (step(random), step(random));
            let a = Loop { count, dst, src: src * random.pick(&[1, 1, -1, 0]) };
            let (dst_reach, src_reach) = ((count - 1) * dst + width, (count - 1) * src + width);
            // Rows that share lines, or not.
            let row = if random.one_in(2) { random.below(LINE as u64) } else { any(random, src_reach) };
            [a, Loop { count: others, dst: distinct(random, dst_reach), src: row }]
        }
        Family::Deinterleave(k) => {
            let b = Loop { count: k, dst: distinct(random, run), src: either_way(random, width) };
            let pixel = pixel(random, k * width);
            [Loop { count, dst: width, src: either_way(random, pixel) }, b]
        }
        Family::Interleave(k) => {
            let a = Loop { count: k, dst: width, src: any(random, run) };
            [a, Loop { count, dst: pixel(random, k * width), src: either_way(random, width) }]
        }
        Family::Transpose | Family::Permute => unreachable!(),
    }
}

/// Chunks of every length, of one to four loops in any order and direction in the source, some of which may be repeated
/// where a block is at most a lane; in rows of every length, with and without gaps, in either direction in the source.
fn every_block(yard: &mut Yard) {
    let lane = if yard.kernel.level == Level::Avx512 { 64 } else { 16 };
    let widest = if lane == 64 { 128 } else { 64 };
    for count in (1..=if lane == 16 { 70 } else { 0 }).flat_map(|count| [count; 4]) {
        for store in STORES {
            if !yard.takes(60) {
                continue;
            }
            let work = squares(&mut yard.random, count);
            let Work::Chunks(inner, _) = &work else { unreachable!() };
            yard.check(store, inner[0].dst, &work, [None, None]);
        }
    }
    for bytes in 1..=widest {
        let counts = (1..=2 * lane / bytes + 3).chain([40, 63, 64, 65, 66, 150, 700, 4100 / bytes, 9000 / bytes]);
        for (count, store) in counts.flat_map(|count| STORES.map(|store| (count, store))) {
            for number in 0..6 {
                if !yard.takes(600) {
                    continue;
                }
                let work = chunks(&mut yard.random, bytes, count, lane);
                let Work::Chunks(inner, _) = &work else { unreachable!() };
                let width = inner.first().map_or(bytes, |l| l.dst);
                let alignment = Some((yard.random.below(64)) as usize);
                let alignments = [[None, None], [None, alignment], [alignment, None]][number % 3];
                yard.check(store, width, &work, alignments);
            }
        }
    }
}

/// A row of `count` blocks of so many bytes on either side, with and without gaps, in either direction in the source.
fn in_row(random: &mut Random, inner: Vec<Loop>, count: i64, [dst, src]: [i64; 2]) -> Work {
    let mut gap = || if random.one_in(2) { 0 } else { random.below(40) };
    let (dst, src) = (dst + gap(), src + gap());
    Work::Chunks(inner, Loop { count, dst, src: if random.one_in(3) { -src } else { src } })
}

/// A row of `count` squares.
fn squares(random: &mut Random, count: i64) -> Work {
    let width = random.pick(&[1, 2, 4, 8]);
    let (side, bytes) = (16 / width, 256 / width);
    let inner = vec![Loop { count: side, dst: width, src: 16 }, Loop { count: side, dst: 16, src: width }];
    in_row(random, inner, count, [bytes, bytes])
}

/// A row of `count` blocks of so many bytes.
fn chunks(random: &mut Random, bytes: i64, count: i64, lane: i64) -> Work {
    let divisor = |random: &mut Random, of: i64| {
        let all: Vec<i64> = (1..=of).filter(|k| of % k == 0).collect();
        random.pick(&all)
    };
    let width = divisor(random, bytes);
    let mut inner = Vec::new();
    let mut dst = width;
    while dst < bytes || inner.is_empty() && random.one_in(2) {
        let count = if inner.len() == 3 { bytes / dst } else { divisor(random, bytes / dst) };
        inner.push(Loop { count, dst, src: 0 });
        dst *= count;
    }
    let mut order: Vec<usize> = (0..inner.len()).collect();
    random.shuffle(&mut order);
    let (mut src, repeats) = (width, bytes <= lane && random.one_in(3));
    for at in order {
        if !(repeats && random.one_in(2)) {
            inner[at].src = if random.one_in(3) { -src } else { src };
            src *= inner[at].count;
        }
    }
    in_row(random, inner, count, [bytes, src])
}

fn every_matrix(yard: &mut Yard) {
    let widths = if yard.kernel.width == 0 { (1..=16).chain([17, 24]).collect() } else { vec![yard.kernel.width] };
    for width in widths {
        // Elements of a tile's side, at the most.
        let room = (width as usize).next_power_of_two().max(if yard.kernel.width == 0 { 4 } else { 1 });
        let side = (LINE / room).max(2);
        let often = LINE / side; // small tiles are looked at more often
        if cfg!(miri) {
            for number in 0..if yard.kernel.width == 0 { 2 } else { 7 } {
                let counts = [2 * side, 9].map(|most| 1 + yard.random.below(most.min(40) as u64) as usize);
                let counts = if number % 2 == 0 { counts } else { [counts[1], counts[0]] };
                yard.check_matrix(STORES[number % STORES.len()], width, counts, [None, None]);
            }
            continue;
        }
        // No whole tile, one and two, with all that may be left on either side.
        let mut number = 0;
        for rows in 1..=2 * side + 1 {
            for columns in 1..=2 * side + 1 {
                for store in STORES.repeat(often) {
                    number += 1;
                    let alignments = [[None, None], [None, Some(number % LINE)], [Some(number % LINE), None]];
                    yard.check_matrix(store, width, [rows, columns], alignments[number % 3]);
                }
            }
        }
        // More tiles, and every alignment.
        for alignment in 0..LINE {
            let mut tiles = || yard.random.below(3) as usize * side + yard.random.below(side as u64 + 2) as usize;
            let counts = [tiles().max(1), tiles().max(1)];
            for store in STORES.repeat(often) {
                yard.check_matrix(store, width, counts, [Some(alignment), None]);
                yard.check_matrix(store, width, counts, [None, Some(alignment)]);
            }
        }
        // Elements that are blocks, whose bytes change places on their way: no whole piece of a row, one, and some.
        for number in 0..if yard.kernel.level == Level::Scalar || !(2..=16).contains(&width) { 0 } else { 40 } {
            let counts = [0; 2].map(|_| {
                let most = yard.random.pick(&[3, side, 3 * side, 600 / room]);
                1 + yard.random.below(most as u64) as usize
            });
            for store in STORES {
                let inner = block_of(&mut yard.random, width);
                yard.check_matrix_of(store, width, counts, [Some(number), None], Some(inner));
            }
        }
        // Several strips of whatever a kernel keeps of the rows, and both tables much longer than the other.
        for number in 0..30 {
            let random = &mut yard.random;
            let rows = side + random.below(3 * side as u64) as usize;
            let columns = random.pick(&[255, 256, 257, 300, 512, 513 + side, 600]);
            for store in [Store::Past, Store::Staged, STORES[number % STORES.len()]] {
                yard.check_matrix(store, width, [rows, columns], [None, None]);
                yard.check_matrix(store, width, [columns, rows], [None, None]);
            }
            // Long rows, of many columns and of fewer than a tile has.
            let long = 1024 / width as usize + side;
            let few = 1 + yard.random.below(side as u64 - 1) as usize;
            for columns in [330, few] {
                yard.check_matrix(Store::Past, width, [long, columns], [Some(number), None]);
            }
        }
        if yard.kernel.width != 0 {
            // Rows as far apart as a row's elements would be if each were a row's width squared.
            for _ in 0..20 {
                let [src, _] = tables(&mut yard.random, width, [side, 2 * side], false);
                let dst = (0..2 * side as i64).map(|k| k * width * width * LINE as i64).collect();
                yard.check(Store::Past, width, &Work::Tile([src, dst]), [None, None]);
            }
            // Rows some bytes more or less than a page apart, whose lines nearly share their sets of the cache, in
            // strips of any width. Upward or downward.
            for shift in -17..=17 {
                let pitch = if yard.random.one_in(2) { 4096 + shift } else { -4096 - shift };
                for columns in
                    [1, 2, 3, 5, 6, 9].map(|strips| strips * side).map(|most| most - yard.random.below(3) as usize)
                {
                    let columns = columns.min(460);
                    let rows = side + yard.random.below(side as u64) as usize;
                    let [src, _] = tables(&mut yard.random, width, [rows, columns], false);
                    let dst: Vec<i64> = (0..columns as i64).map(|k| k * pitch).collect();
                    for store in [Store::Direct, Store::Past, Store::Staged] {
                        yard.check(store, width, &Work::Tile([src.clone(), dst.clone()]), [None, None]);
                    }
                }
            }
        }
    }
}

/// The loops of a block of so many bytes without gaps, in any order and direction in the source.
fn block_of(random: &mut Random, bytes: i64) -> Vec<Loop> {
    loop {
        let Work::Chunks(inner, row) = chunks(random, bytes, 1, 0) else { unreachable!() };
        let repeats = inner.iter().any(|l| l.count > 1 && l.src == 0);
        if !repeats && !inner.is_empty() && row.count == 1 {
            return inner;
        }
    }
}

/// Tables of rows of the source, with so many columns, any number of bytes apart, and of the destination, which are
/// distinct, and begin at lines where that is wanted; one in six has no gaps.
fn tables(random: &mut Random, width: i64, [rows, columns]: [usize; 2], at_lines: bool) -> [Vec<i64>; 2] {
    let table = |random: &mut Random, count: usize, bytes: i64, lines: bool| {
        let gap = |random: &mut Random| match random.below(4) {
            0 => 0,
            1 => 1,
            2 => width,
            _ => random.below(130),
        };
        if !lines && random.one_in(6) {
            return (0..count as i64).map(|k| k * bytes).collect();
        }
        let even = if random.one_in(2) { Some(gap(random)) } else { None };
        let (mut table, mut at) = (Vec::with_capacity(count), 0);
        for _ in 0..count {
            table.push(at);
            at += bytes + even.unwrap_or_else(|| gap(random));
            at = if lines { (at + 63) & !63 } else { at };
        }
        match random.below(4) {
            0 => table.reverse(),
            1 => random.shuffle(&mut table),
            _ => {}
        }
        // The pointer need not be that of a row.
        let shift = if random.one_in(3) { (random.below(20) - 10) * 64 } else { 0 };
        table.iter_mut().for_each(|row| *row += shift);
        table
    };
    let lines_of_source = random.one_in(3);
    let mut src = table(random, rows, columns as i64 * width, lines_of_source);
    if random.one_in(8) {
        let again = random.pick(&src);
        src[0] = again; // a row may be read twice
    }
    [src, table(random, columns, rows as i64 * width, at_lines)]
}

impl Yard {
    /// A run of `count` iterations, or so many rows.
    fn check_run(&mut self, store: Store, width: i64, count: i64, alignments: [Option<usize>; 2]) {
        let [a, b] = loops(&mut self.random, self.kernel.family, width, count);
        assert!(self.kernel.accepts(width, a, b));
        let mut c = Loop::ONCE;
        if self.kernel.family.takes_three() && self.random.one_in(2) {
            let reach = |a_step: i64, b_step: i64| (a.count - 1) * a_step.abs() + (b.count - 1) * b_step.abs() + width;
            c = Loop { count: 2, dst: reach(a.dst, b.dst), src: -reach(a.src, b.src) / 2 };
        }
        self.check(store, width, &Work::Inner([a, b, c]), alignments);
    }

    /// A matrix of so many source rows and columns.
    fn check_matrix(&mut self, store: Store, width: i64, counts: [usize; 2], alignments: [Option<usize>; 2]) {
        self.check_matrix_of(store, width, counts, alignments, None);
    }

    /// A matrix, of blocks of these loops if there are such.
    fn check_matrix_of(
        &mut self,
        store: Store,
        width: i64,
        counts: [usize; 2],
        [to, from]: [Option<usize>; 2],
        inner: Option<Vec<Loop>>,
    ) {
        // Whole lines are only for rows that begin at one.
        let at_lines = store == Store::Stream;
        let tables = tables(&mut self.random, width, counts, at_lines);
        let (width, work) = match inner {
            None => (width, Work::Tile(tables)),
            Some(inner) => (inner[0].dst, Work::TileOfInner(tables, inner)),
        };
        self.check(store, width, &work, [if at_lines { Some(0) } else { to }, from]);
    }
}
