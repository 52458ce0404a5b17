//! A call of a kernel, held against its definition.
//!
//! Both sides lie at an unreadable page, ending exactly before it or beginning exactly after it, or as near as
//! the alignment allows; the source may not be written; and the whole memory of the destination is compared, so that a
//! byte that is read, written or left out wrongly shows.

use crate::guarded::Guarded;
use crate::oracle::gaps::Closed;
use crate::oracle::{Random, share};
use std::cell::Cell;
use stride::copy::execute::stage::{Past, run_past};
use stride::copy::execute::tile_stage::{Change, Tiles, transpose};
use stride::copy::kernels::{Chunks, Family, Inner, KERNELS, Kernel, Permutation, Rows, Run, Store, find, hints};
use stride::copy::loops::Loop;
use stride::copy::nest::Nest;

/// Bytes of a cache line.
pub const LINE: usize = 64;

/// What a kernel is called with besides pointers.
pub enum Work {
    Inner([Loop; 3]),
    Tile([Vec<i64>; 2]),
    /// Two tables, and the loops of what the elements are, fastest first.
    TileOfInner([Vec<i64>; 2], Vec<Loop>),
    /// The loops of a chunk, fastest first, and the row of chunks.
    Chunks(Vec<Loop>, Loop),
}

impl Work {
    /// The definition: calls `copy` with the byte offsets of every element, of the destination and the source.
    fn each(&self, width: i64, mut copy: impl FnMut(i64, i64)) {
        self.each_element(width, &mut copy);
    }

    fn each_element(&self, width: i64, copy: &mut dyn FnMut(i64, i64)) {
        match self {
            Self::Inner([a, b, c]) => {
                for k in 0..c.count {
                    for j in 0..b.count {
                        for i in 0..a.count {
                            copy(k * c.dst + j * b.dst + i * a.dst, k * c.src + j * b.src + i * a.src);
                        }
                    }
                }
            }
            Self::Chunks(inner, row) => {
                let loops = || inner.iter().chain([row]);
                for iteration in 0..loops().map(|l| l.count).product() {
                    let (mut left, mut to, mut from) = (iteration, 0, 0);
                    for l in loops() {
                        (to, from, left) = (to + left % l.count * l.dst, from + left % l.count * l.src, left / l.count);
                    }
                    copy(to, from);
                }
            }
            Self::Tile([src, dst]) => {
                for (j, to) in dst.iter().enumerate() {
                    for (i, from) in src.iter().enumerate() {
                        copy(to + i as i64 * width, from + j as i64 * width);
                    }
                }
            }
            Self::TileOfInner(tables, inner) => {
                let ([(_, bytes), (lowest, _)], once) = (spans(inner.iter(), width), Loop::ONCE);
                let chunk = Self::Chunks(inner.clone(), once);
                Self::Tile(tables.clone()).each_element(bytes, &mut |to, from| {
                    chunk.each_element(width, &mut |k, l| copy(to + k, from - lowest + l));
                });
            }
        }
    }

    /// The first byte and the one after the last, of the destination and the source.
    fn spans(&self, width: i64) -> [(i64, i64); 2] {
        match self {
            Self::Inner(loops) => spans(loops.iter(), width),
            Self::Chunks(inner, row) => spans(inner.iter().chain([row]), width),
            Self::Tile([src, dst]) => [(dst, src.len()), (src, dst.len())].map(|(table, columns)| {
                let (lowest, highest) = (table.iter().min().unwrap(), table.iter().max().unwrap());
                (*lowest, highest + columns as i64 * width)
            }),
            Self::TileOfInner(tables, inner) => {
                let [(_, bytes), _] = spans(inner.iter(), width);
                Self::Tile(tables.clone()).spans(bytes)
            }
        }
    }
}

/// The first byte that nested loops reach and the one after the last, in the destination and the source.
fn spans<'a>(loops: impl Iterator<Item = &'a Loop> + Clone, width: i64) -> [(i64, i64); 2] {
    [|l: &Loop| l.dst, |l: &Loop| l.src].map(|step| {
        let last = |l: &Loop| (l.count - 1) * step(l);
        let lowest: i64 = loops.clone().map(|l| last(l).min(0)).sum();
        (lowest, loops.clone().map(|l| last(l).max(0)).sum::<i64>() + width)
    })
}

/// The memory of both sides.
struct Room {
    dst: Guarded,
    src: Guarded,
    /// What is in the destination before a check, and what must be there afterwards.
    before: Vec<u8>,
    expected: Vec<u8>,
}

impl Room {
    fn new(random: &mut Random, bytes: usize) -> Self {
        let (mut dst, src) = (Guarded::new(bytes), Guarded::read_only(&random.bytes(bytes)));
        let before = random.bytes(dst.len());
        dst.buffer(before.len(), false).copy_from_slice(&before);
        let expected = before.clone();
        Self { dst, src, before, expected }
    }
}

/// What the checks of a kernel need.
pub struct Yard {
    pub kernel: &'static Kernel,
    pub random: Random<'static>,
    /// The smallest one first.
    rooms: Vec<Room>,
    /// By how the caches are treated.
    pub checks: [u32; 7],
    /// One check of so many is made.
    pub share: u64,
}

impl Yard {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let rooms = if cfg!(miri) { &[1 << 13][..] } else { &[1 << 13, 1 << 16, 1 << 21] };
        let rooms = rooms.iter().map(|&bytes| Room::new(&mut random, bytes)).collect();
        Self { kernel: &KERNELS[0], random, rooms, checks: [0; 7], share: if cfg!(miri) { 1 } else { share() } }
    }

    /// Whether so much is checked at all: under Miri one in `n` times.
    pub fn takes(&mut self, n: u64) -> bool {
        !cfg!(miri) || self.random.one_in(n)
    }

    /// Calls the kernel and compares. The pointers are so many bytes after a line, where that is wanted.
    pub fn check(&mut self, store: Store, width: i64, work: &Work, alignments: [Option<usize>; 2]) {
        if self.share > 1 && !self.random.one_in(self.share) {
            return;
        }
        let spans = work.spans(width);
        let bytes = spans.iter().map(|(lowest, end)| (end - lowest) as usize + LINE).max().unwrap();
        let Some(room) = self.rooms.iter_mut().find(|room| bytes <= room.before.len()) else {
            if cfg!(miri) {
                return;
            }
            panic!("no room is large enough");
        };
        let mut place = |side: usize| place(&mut self.random, room.before.len(), spans[side], alignments[side]);
        let (to, from) = (place(0), place(1));
        let (src, expected) = (room.src.bytes(), &mut room.expected);
        work.each(width, |dst_offset, src_offset| {
            let (to, from) = ((to + dst_offset) as usize, (from + src_offset) as usize);
            expected[to..to + width as usize].copy_from_slice(&src[from..from + width as usize]);
        });
        let dst = room.dst.begin().wrapping_offset(to as isize);
        let src = room.src.begin().wrapping_offset(from as isize).cast_const();
        // What lies between the elements is closed.
        let closed = [dst.cast_const(), src].into_iter().enumerate().map(|(side, base)| {
            let (lowest, end) = spans[side];
            let ends = base.wrapping_offset(lowest as isize)..base.wrapping_offset(end as isize);
            Closed::gaps(ends, width as usize, |mark| {
                work.each(width, |to, from| mark(([to, from][side] - lowest) as usize));
            })
        });
        let closed: Vec<Closed> = closed.collect();
        let hints = self.random.below(hints::ALL as u64 + 1) as u8;
        // SAFETY: every iteration reaches bytes of both sides, and destination elements are distinct; the level was
        // checked, and whether the kernel accepts the loops.
        unsafe {
            match (self.kernel.run, work) {
                (Run::Inner(run), &Work::Inner(loops)) if store == Store::Past => {
                    run_past(Past { kernel: self.kernel, run, hints }, &Nest::of_bytes(width, &loops), dst, src);
                }
                (Run::Inner(run), &Work::Inner([a, b, c])) => run(dst, src, &Inner { hints, width, a, b, c, ahead: 0 }),
                (Run::Tile(run), Work::Tile([src_rows, dst_rows])) => {
                    let strip = self.random.pick(&[0, 8, 16, 64, 128]);
                    let rows = Rows { store, strip, hints, width, next: [0; 2], src: src_rows, dst: dst_rows };
                    let change = Change::Nothing;
                    transpose(dst, src, &rows, &Tiles::new(run, self.kernel.level, change));
                }
                (Run::Tile(run), Work::TileOfInner([src_rows, dst_rows], inner)) => {
                    let permute = &KERNELS[find(Family::Permute, width, self.kernel.level).expect("a kernel")];
                    let Run::Chunks(permutes) = permute.run else { unreachable!() };
                    let blocks = Chunks::new(permutes, permute.level, width, inner).expect("blocks");
                    let (width, change) = (blocks.bytes, Change::Permute(&blocks));
                    let strip = self.random.pick(&[0, 8, 16, 64, 128]);
                    let rows = Rows { store, strip, hints, width, next: [0; 2], src: src_rows, dst: dst_rows };
                    transpose(dst, src, &rows, &Tiles::new(run, self.kernel.level, change));
                }
                (Run::Chunks(run), Work::Chunks(inner, row)) => {
                    let blocks = Permutation::new(width, inner, *row, self.kernel.level);
                    run(dst, src, &blocks.expect("a permutation"));
                }
                _ => unreachable!(),
            }
        }
        drop(closed);
        if room.dst.bytes() != room.expected {
            fail(self.kernel, room, store, width, work, [to, from]);
        }
        let touched = (to + spans[0].0) as usize..(to + spans[0].1) as usize;
        room.dst.buffer(room.before.len(), false)[touched.clone()].copy_from_slice(&room.before[touched.clone()]);
        room.expected[touched.clone()].copy_from_slice(&room.before[touched]);
        self.checks[store as usize] += 1;
    }
}

/// Where the pointer to a side with this span is, after the begin of its pages: at one of their ends, and, if that is
/// wanted, so many bytes after a line.
fn place(random: &mut Random, bytes: usize, (lowest, end): (i64, i64), alignment: Option<usize>) -> i64 {
    let at_end = random.one_in(2);
    let nearest = if at_end { bytes as i64 - end } else { -lowest };
    nearest
        + alignment.map_or(0, |alignment| match at_end {
            true => -((nearest - alignment as i64) & 63),
            false => (alignment as i64 - nearest) & 63,
        })
}

fn fail(kernel: &Kernel, room: &Room, store: Store, width: i64, work: &Work, [to, from]: [i64; 2]) -> ! {
    let differ: Vec<i64> = (0..)
        .zip(room.dst.bytes().iter().zip(&room.expected))
        .filter(|(_, (is, must))| is != must)
        .map(|(p, _)| p)
        .collect();
    let what = match work {
        Work::Inner([a, b, c]) => format!("a {a:?} b {b:?} c {c:?}"),
        Work::Chunks(inner, row) => format!("chunks {inner:?} in {row:?}"),
        Work::Tile([src, dst]) => format!("{} by {}, rows {src:?} to {dst:?}", src.len(), dst.len()),
        Work::TileOfInner([src, dst], inner) => {
            format!("{} by {} blocks {inner:?}, rows {src:?} to {dst:?}", src.len(), dst.len())
        }
    };
    panic!(
        "{} ({}), {store:?}, elements of {width}: {} bytes are wrong, the first one {} bytes after the pointer, which is \
         {} bytes after a line and the source's {}; {what}",
        kernel.name,
        kernel.level.name(),
        differ.len(),
        differ[0] - to,
        to & 63,
        from & 63,
    );
}

thread_local! {
    /// Number of the kernel that is being checked.
    pub static RUNNING: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// A fault ends the process; this tells first in which kernel it was.
#[cfg(any(miri, not(unix)))]
pub fn name_the_kernel_of_a_fault() {}

/// A fault ends the process; this tells first in which kernel it was.
#[cfg(all(unix, not(miri)))]
pub fn name_the_kernel_of_a_fault() {
    extern "C" fn tell(signal: libc::c_int) {
        let kernel = KERNELS.get(RUNNING.get());
        let words = ["memory that is not described was touched by ", kernel.map_or("no kernel", |kernel| kernel.name)];
        let level = [" (", kernel.map_or("", |kernel| kernel.level.name()), ")\n"];
        // SAFETY: a handler may write and reset itself; the fault then comes again, and ends the process.
        unsafe {
            for word in words.iter().chain(&level) {
                libc::write(2, word.as_ptr().cast(), word.len());
            }
            libc::signal(signal, libc::SIG_DFL);
        }
    }
    // SAFETY: the handler uses nothing that a fault may have left half done.
    unsafe { libc::signal(libc::SIGSEGV, tell as extern "C" fn(libc::c_int) as libc::sighandler_t) };
}
