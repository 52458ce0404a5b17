//! Sequences of C calls on a few layouts, shapes and plans, with lists and numbers of anybody: each call takes what
//! earlier ones made, or what somebody wrote over it. What a call answers is one of the statuses, the record says the
//! same, and a call that fails leaves its outputs alone. What succeeds is a layout or a shape that passes as one;
//! copies touch their buffers alone.
//!
//! Sums of all answers are pinned in `answers.txt`, one for each kind of call: what another test holds to be right
//! stays as it is. Where answers are meant to change, `STRIDE_WRITE_ANSWERS=1 cargo test --test calls` writes the sums
//! anew.
#![cfg(unix)]

pub mod guarded;
mod oracle;

use guarded::Guarded;
pub use oracle::Random;
use oracle::sides::{self, list, range, side, through};
use oracle::{DEFAULTS, NO_ERROR, Side, zeroed};
use std::ffi::c_void;
use std::ptr::{from_ref, null, null_mut};
use stride::error::Status;
use stride::ffi::broadcast::*;
use stride::ffi::broadcast_dims::*;
use stride::ffi::compose::*;
use stride::ffi::copy::*;
use stride::ffi::facts::*;
use stride::ffi::layout::*;
use stride::ffi::overlap::*;
use stride::ffi::plan::*;
use stride::ffi::plan_facts::*;
use stride::ffi::query::*;
use stride::ffi::readings::*;
use stride::ffi::requirements::*;
use stride::ffi::runs::*;
use stride::ffi::sides::*;
use stride::ffi::status::{stride_error, stride_error_format};
use stride::ffi::view::*;
use stride::ffi::window::*;
use stride::ffi::xla::*;
use stride::ffi::xla_buffer::*;
use stride::ffi::xla_pair::*;
use stride::ffi::xla_rearrange::*;

/// Kinds of calls, numbers of `call`.
const KINDS: usize = 58;
/// Bytes of the buffers that copies get.
const BYTES: usize = 1 << 12;
/// What is in destinations before.
const FRESH: u8 = 0xEE;

/// What the calls work on. Lists end at an unreadable page.
struct Room {
    layouts: [stride_layout; 4],
    shapes: [stride_xla_shape; 3],
    plan: stride_plan,
    runs: stride_runs,
    lists: [Guarded; 3],
    facts: Guarded,
    dst: Guarded,
    src: Guarded,
    /// How many calls of each kind succeeded.
    succeeded: [u64; KINDS],
    /// How many were made: the last kind calls nothing.
    made: u64,
    /// Of the answers of each kind.
    sums: [u64; KINDS],
    /// The kind of the last one, a number of `call`.
    kind: i64,
}

/// What nobody else wrote.
fn written_over<T>() -> T {
    let mut out = std::mem::MaybeUninit::<T>::uninit();
    // SAFETY: a C struct of numbers, which any bytes are.
    unsafe {
        out.as_mut_ptr().write_bytes(0x5A, 1);
        out.assume_init()
    }
}

fn bytes_of<T>(value: &T) -> Vec<u8> {
    // SAFETY: a C struct without holes that matter: both sides of each comparison are copies of one.
    unsafe { std::slice::from_raw_parts(from_ref(value).cast(), size_of::<T>()) }.to_vec()
}

/// Which bytes elements of this layout have a part of, of a buffer that holds them all.
fn elements_of(layout: &stride_layout) -> Vec<bool> {
    let rank = layout.rank as usize;
    let (sizes, strides) = (layout.sizes[..rank].to_vec(), layout.strides[..rank].to_vec());
    let mut bytes = vec![false; BYTES];
    if !sizes.contains(&0) {
        let bits = stride::Dtype::try_from(layout.dtype).expect("the type of a copy").bits();
        for element in (Side { sizes, strides, offset: layout.offset }).offsets() {
            bytes[(element * bits / 8) as usize..((element + 1) * bits + 7) as usize / 8].fill(true);
        }
    }
    bytes
}

fn number(random: &mut Random) -> i64 {
    match random.below(16) {
        0 => random.next() as i64,
        1 => random.pick(&[i64::MIN, i64::MAX, 1 << 62, 1 << 32, (1 << 31) - 1, -1, -2]),
        _ => random.below(6),
    }
}

impl Room {
    fn new() -> Self {
        let mut room = Self {
            layouts: zeroed(),
            shapes: zeroed(),
            plan: zeroed(),
            runs: zeroed(),
            lists: [(); 3].map(|()| Guarded::new(64 * 8)),
            facts: Guarded::new(4096),
            dst: Guarded::new(BYTES),
            src: Guarded::new(BYTES),
            succeeded: [0; KINDS],
            made: 0,
            sums: [oracle::NO_SUM; KINDS],
            kind: 0,
        };
        for (k, byte) in room.src.buffer(BYTES, true).iter_mut().enumerate() {
            *byte = ((k * 151) >> 3) as u8;
        }
        let mut record = NO_ERROR;
        for (k, sizes) in [[2i64, 3, 4], [4, 4, 4], [1, 8, 2], [3, 1, 5]].iter().enumerate() {
            // SAFETY: structs and lists of this function.
            let status = unsafe {
                stride_layout_init(&mut room.layouts[k], 0x8000_0002, 3, sizes.as_ptr(), null(), &mut record)
            };
            assert_eq!(status, 0);
        }
        for shape in &mut room.shapes {
            // SAFETY: as above.
            let status = unsafe {
                stride_xla_shape_init(shape, stride::Dtype::F32.code(), 2, [3, 5].as_ptr(), null(), &mut record)
            };
            assert_eq!(status, 0);
        }
        room
    }

    /// Lists of `count` numbers each, every one of which ends at an unreadable page.
    fn lists(&mut self, random: &mut Random, count: u32) -> [*const i64; 3] {
        let bytes = count.min(64) as usize * 8;
        self.lists.each_mut().map(|list| {
            let list = list.buffer(bytes, true);
            for entry in list.chunks_exact_mut(8) {
                entry.copy_from_slice(&number(random).to_ne_bytes());
            }
            list.as_ptr().cast()
        })
    }

    /// A call that makes a struct: that, if it succeeded, which passes as one.
    fn made<T>(
        &mut self,
        call: impl FnOnce(&Self, *mut T, *mut stride_error) -> i32,
        validate: unsafe extern "C" fn(*const T, *mut stride_error) -> i32,
    ) -> Option<T> {
        let mut out: T = written_over();
        let before = bytes_of(&out);
        let mut record = NO_ERROR;
        let status = call(self, &mut out, &mut record);
        self.answered(status, &record);
        if status != 0 {
            assert!(bytes_of(&out) == before, "a call that failed with {status} wrote its output");
            return None;
        }
        self.sum(&bytes_of(&out));
        // SAFETY: a struct.
        assert_eq!(unsafe { validate(&out, null_mut()) }, 0, "{:?}", &bytes_of(&out)[..64]);
        Some(out)
    }

    /// A call that makes a layout, which takes a place where it succeeds.
    fn layout(&mut self, random: &mut Random, call: impl FnOnce(&Self, *mut stride_layout, *mut stride_error) -> i32) {
        if let Some(out) = self.made(call, stride_layout_validate) {
            self.layouts[random.below(4) as usize] = out;
        }
    }

    /// The same of a shape.
    fn shape(
        &mut self,
        random: &mut Random,
        call: impl FnOnce(&Self, *mut stride_xla_shape, *mut stride_error) -> i32,
    ) {
        if let Some(out) = self.made(call, stride_xla_shape_validate) {
            self.shapes[random.below(3) as usize] = out;
        }
    }

    /// Adds to the sum of this kind.
    fn sum(&mut self, bytes: &[u8]) {
        let sum = &mut self.sums[self.kind as usize];
        *sum = oracle::sum(*sum, bytes);
    }

    /// An answer beside the status.
    fn told(&mut self, status: i32, answers: &[i64]) {
        if status == 0 {
            answers.iter().for_each(|answer| self.sum(&answer.to_le_bytes()));
        }
    }

    fn answered(&mut self, status: i32, record: &stride_error) {
        self.sum(&status.to_le_bytes());
        self.sum(&bytes_of(record));
        assert!(Status::ALL.iter().any(|of| of.number() == status), "status {status}");
        if status == 0 {
            self.succeeded[self.kind as usize] += 1;
        } else {
            assert_eq!(record.status, status);
            let (mut text, mut length) = ([0u8; 600], 0);
            // SAFETY: a record and a buffer.
            let told = unsafe { stride_error_format(record, text.as_mut_ptr().cast(), 600, &mut length, null_mut()) };
            assert!(told == 0 && (8..600).contains(&length), "{told} {length}");
        }
    }

    /// A destination of so many bytes, which end or begin at an unreadable page; what is after the other end is of its
    /// room.
    fn fresh(&mut self, bytes: usize, at_end: bool) -> *mut c_void {
        self.dst.buffer(self.dst.len(), true).fill(FRESH);
        self.dst.buffer(bytes, at_end).as_mut_ptr().cast()
    }

    /// Holds what is around the destination, and of it the bytes at these places, to what they were.
    fn untouched(&mut self, bytes: usize, at_end: bool, same: impl Fn(usize) -> bool) {
        let begin = if at_end { self.dst.len() - bytes } else { 0 };
        for (place, &byte) in self.dst.bytes().iter().enumerate() {
            let inside = (begin..begin + bytes).contains(&place);
            assert!(
                byte == FRESH || inside && !same(place - begin),
                "byte {place} of {bytes} from {begin} was written"
            );
        }
    }

    /// One call of anybody.
    fn call(&mut self, random: &mut Random) {
        let (a, b) = (random.below(4) as usize, random.below(4) as usize);
        let (s, t) = (random.below(3) as usize, random.below(3) as usize);
        let count = if random.one_in(30) { random.next() as u32 } else { random.below(6) as u32 };
        // Half of all lists are as long as the layout's rank, which most functions want.
        let count = if random.one_in(2) { self.layouts[a].rank } else { count };
        let [x, y, z] = self.lists(random, count);
        let (i, j) = (number(random), number(random));
        let dtype =
            random.pick(&[0x8000_0002, 0x8000_0001, stride::Dtype::F32.code(), stride::Dtype::U4.code(), i as u32]);
        let mut record = NO_ERROR;
        // SAFETY: structs of this room; lists of as many entries as the count says, up to 64, above which it is
        // refused.
        unsafe {
            self.kind = random.below(KINDS as u64);
            match self.kind {
                0 | 1 => self.layout(random, |_, out, e| stride_layout_init(out, dtype, count, x, null(), e)),
                2 => self.layout(random, |_, out, e| stride_layout_init(out, dtype, count, x, y, e)),
                3 => self.layout(random, |_, out, e| stride_layout_init_pitched(out, dtype, count, x, i, j as u64, e)),
                4 => self.layout(random, |_, out, e| stride_layout_init_ordered(out, dtype, count, x, y, e)),
                5 => self.layout(random, |_, out, e| stride_layout_init_aligned(out, dtype, count, x, i, j as u64, e)),
                6 => self.layout(random, |of, out, e| stride_layout_permute(&of.layouts[a], count, x, out, e)),
                7 => self.layout(random, |of, out, e| stride_layout_slice(&of.layouts[a], count, x, y, z, out, e)),
                8 => self.layout(random, |of, out, e| stride_layout_crop(&of.layouts[a], count, x, y, out, e)),
                9 => self.layout(random, |of, out, e| stride_layout_flip(&of.layouts[a], count, x, out, e)),
                10 => self.layout(random, |of, out, e| stride_layout_squeeze(&of.layouts[a], count, x, out, e)),
                11 => self.layout(random, |of, out, e| stride_layout_squeeze_all(&of.layouts[a], out, e)),
                12 => self.layout(random, |of, out, e| stride_layout_expand_dims(&of.layouts[a], count, x, out, e)),
                13 => self.layout(random, |of, out, e| stride_layout_pad_rank(&of.layouts[a], count, i as u32, out, e)),
                14 => self.layout(random, |of, out, e| stride_layout_reshape(&of.layouts[a], count, x, out, e)),
                15 => self.layout(random, |of, out, e| stride_layout_split(&of.layouts[a], i, count, x, out, e)),
                16 => self.layout(random, |of, out, e| stride_layout_merge(&of.layouts[a], i, count, out, e)),
                17 => self.layout(random, |of, out, e| stride_layout_diagonal(&of.layouts[a], i, j, 0, out, e)),
                18 => self.layout(random, |of, out, e| stride_layout_window(&of.layouts[a], count, x, y, z, out, e)),
                19 => {
                    self.layout(random, |of, out, e| stride_layout_as_strided(&of.layouts[a], count, x, y, i, out, e))
                }
                20 => self.layout(random, |of, out, e| stride_layout_reinterpret(&of.layouts[a], dtype, out, e)),
                21 => self.layout(random, |of, out, e| stride_layout_select(&of.layouts[a], i, j, out, e)),
                22 => self.layout(random, |of, out, e| stride_layout_repeat(&of.layouts[a], i, j, out, e)),
                23 => self.layout(random, |of, out, e| {
                    let mut groups = [0u32; 64];
                    stride_layout_compose(
                        &of.layouts[a],
                        &of.layouts[b],
                        out,
                        of.layouts[b].rank,
                        groups.as_mut_ptr(),
                        e,
                    )
                }),
                24 => self.layout(random, |of, out, e| stride_layout_inverse(&of.layouts[a], out, e)),
                25 => self.layout(random, |of, out, e| stride_layout_tile(&of.layouts[a], count, x, out, e)),
                26 => self.layout(random, |of, out, e| stride_layout_broadcast_to(&of.layouts[a], count, x, out, e)),
                27 => self.layout(random, |of, out, e| {
                    let rank = of.layouts[a].rank;
                    stride_layout_broadcast_in_dim(&of.layouts[a], count, x, rank.min(count), y, out, e)
                }),
                28 => self.layout(random, |of, out, e| stride_layout_canonicalize(&of.layouts[a], count, out, e)),
                29 => self.layout(random, |of, out, e| stride_layout_packed_like(&of.layouts[a], out, e)),
                30 => self.layout(random, |of, out, e| stride_layout_from_xla(&of.shapes[s], out, e)),
                31 => self.shape(random, |of, out, e| stride_layout_to_xla(&of.layouts[a], out, e)),
                32 => self.shape(random, |_, out, e| stride_xla_shape_init(out, dtype, count, x, y, e)),
                33 => self.shape(random, |_, out, e| stride_xla_shape_init(out, dtype, count, x, null(), e)),
                34 => self.shape(random, |of, out, e| stride_xla_shape_permute(&of.shapes[s], count, x, out, e)),
                35 => self.shape(random, |of, out, e| stride_xla_shape_descending(&of.shapes[s], out, e)),
                36 => {
                    self.shape(random, |of, out, e| stride_xla_shape_delete_dimensions(&of.shapes[s], count, x, out, e))
                }
                37 => self.shape(random, |of, out, e| stride_xla_shape_prepend_major(&of.shapes[s], i, out, e)),
                38 => self.layout(random, |of, out, e| {
                    stride_elementwise_layout(1 + count % 2, of.layouts[a.min(2)..].as_ptr(), dtype, out, e)
                }),
                39 => self.layout(random, |of, out, e| stride_layout_as_bytes(&of.layouts[a], out, e)),
                40 => self.shape(random, |of, out, e| stride_xla_shape_align(&of.shapes[s], count, x, out, e)),
                41 | 42 => {
                    // In and out at once: what fails leaves it as it was.
                    let before = bytes_of(&self.shapes[s]);
                    let shape = &mut self.shapes[s];
                    let status = match random.one_in(2) {
                        true => stride_xla_shape_add_tile(shape, count, x, &mut record),
                        false => stride_xla_shape_set_padding(shape, count, x, i as u32, &mut record),
                    };
                    assert!(status == 0 || bytes_of(&self.shapes[s]) == before);
                    self.answered(status, &record);
                    self.sum(&bytes_of(&self.shapes[s]));
                }
                43 => {
                    let (mut bytes, mut lowest, mut highest) = (0, 0, 0);
                    let status = stride_layout_span(&self.layouts[a], &mut lowest, &mut highest, &mut record);
                    self.answered(status, &record);
                    let status = stride_layout_min_bytes(&self.layouts[a], &mut bytes, &mut record);
                    self.answered(status, &record);
                    assert!(status != 0 || lowest >= 0 && bytes < 1 << 61);
                    self.told(status, &[lowest, highest, bytes as i64]);
                }
                44 => {
                    let mut offset = 0;
                    let status = stride_layout_offset(&self.layouts[a], count, x, &mut offset, &mut record);
                    self.answered(status, &record);
                    self.told(status, &[offset]);
                }
                45 => {
                    let mut answer = 0;
                    let status = stride_layout_self_overlap(&self.layouts[a], 1_000, &mut answer, &mut record);
                    self.answered(status, &record);
                    self.told(status, &[answer as i64]);
                }
                46 => {
                    let mut answer = 0;
                    let (p, q) = (&self.layouts[a], &self.layouts[b]);
                    let status = stride_layouts_overlap(p, i as u64, q, j as u64, 1_000, &mut answer, &mut record);
                    self.answered(status, &record);
                    self.told(status, &[answer as i64]);
                }
                47 => {
                    let mut equal = 0;
                    let (p, q) = (&self.shapes[s], &self.shapes[t]);
                    let status = stride_xla_reshape_or_transpose_is_bitcast(p, q, &mut equal, &mut record);
                    self.answered(status, &record);
                    self.told(status, &[equal as i64]);
                }
                48 => {
                    let mut index = 0;
                    let status = stride_xla_linear_index(&self.shapes[s], count, x, &mut index, &mut record);
                    self.answered(status, &record);
                    self.told(status, &[index]);
                }
                49 => {
                    // As large as it says, before an unreadable page; above 4096 it is refused.
                    let exact = size_of::<stride_layout_facts>() as u32;
                    let said = random.pick(&[exact, exact, exact + 24, 4096, i as u32]);
                    let room = self.facts.buffer(said.clamp(8, 4096).next_multiple_of(8) as usize, true);
                    room.fill(0);
                    let facts = room.as_mut_ptr().cast::<stride_layout_facts>();
                    facts.cast::<u32>().write(said);
                    let status = stride_layout_query(&self.layouts[a], facts, &mut record);
                    let told = room.to_vec();
                    self.answered(status, &record);
                    self.sum(&told);
                }
                50 => {
                    let mut plan: stride_plan = zeroed();
                    let options = stride_copy_options { overlap_budget: 1_000, ..DEFAULTS };
                    let status = stride_plan_init(&mut plan, &self.layouts[a], &self.layouts[b], &options, &mut record);
                    self.answered(status, &record);
                    if status == 0 {
                        self.plan = plan;
                    }
                }
                51 => {
                    let mut plan: stride_plan = zeroed();
                    let options = stride_copy_options { overlap_budget: 1_000, ..DEFAULTS };
                    let to = if random.one_in(2) { side(&self.layouts[a]) } else { side(&self.shapes[t]) };
                    let mut from = side(&self.shapes[s]);
                    if random.one_in(2) {
                        let (dimension, runs) = (random.below(4) as u32, x.cast::<stride_index_run>());
                        let status = stride_side_set_runs(&mut from, dimension, count / 3, runs, &mut record);
                        self.answered(status, &record);
                    }
                    let status = stride_plan_init_sides(&mut plan, &to, &from, &options, &mut record);
                    self.answered(status, &record);
                    if status == 0 {
                        self.plan = plan;
                    }
                }
                52 | 53 if oracle::ends_soon(&self.plan) => {
                    let (dst_bytes, src_bytes) =
                        (random.below(BYTES as u64 + 1) as usize, random.below(BYTES as u64 + 1) as usize);
                    let at_end = random.one_in(2);
                    let to = self.fresh(dst_bytes, at_end);
                    let from = self.src.buffer(src_bytes, !at_end).as_ptr().cast();
                    let parts = if random.one_in(8) { i as u32 } else { 3 };
                    let (to_bytes, from_bytes) = (dst_bytes as u64, src_bytes as u64);
                    let status =
                        stride_plan_execute_part(&self.plan, to, to_bytes, from, from_bytes, 1, parts, &mut record);
                    // A plan that somebody wrote over may name any elements of the buffer.
                    self.untouched(dst_bytes, at_end, |_| status != 0);
                    let sums = self.sums; // what a plan says that somebody wrote over depends on the CPU
                    self.answered(status, &record);
                    self.sums = sums;
                }
                54 => {
                    let bytes = random.below(BYTES as u64 + 1) as usize;
                    let at_end = random.one_in(2);
                    let to = self.fresh(bytes, at_end);
                    let from = self.src.buffer(BYTES, true).as_ptr().cast();
                    let options = stride_copy_options { overlap_budget: 1_000, ..DEFAULTS };
                    let (p, q) = (&self.layouts[a], &self.layouts[b]);
                    let status = stride_copy(p, to, bytes as u64, q, from, BYTES as u64, &options, &mut record);
                    let elements = if status == 0 { elements_of(p) } else { vec![false; BYTES] };
                    self.untouched(bytes, at_end, |place| !elements[place]);
                    self.answered(status, &record);
                    let moved = self.dst.buffer(bytes, at_end).to_vec();
                    self.sum(&moved);
                }
                55 => {
                    let mut runs: stride_runs = zeroed();
                    let pair = [self.layouts[a], self.layouts[b]];
                    let status = stride_runs_init(&mut runs, 2, pair.as_ptr(), &mut record);
                    self.answered(status, &record);
                    if status == 0 {
                        self.runs = runs;
                    }
                }
                56 => {
                    let (mut offsets, mut elements) = ([0; 2], 0);
                    let status = stride_runs_next(&mut self.runs, 2, offsets.as_mut_ptr(), &mut elements, &mut record);
                    self.answered(status, &record);
                    self.told(status, &[offsets[0], offsets[1], elements as i64]);
                }
                // Somebody writes over a struct.
                _ => match random.below(3) {
                    0 => {
                        let layout = &mut self.layouts[a];
                        match random.below(4) {
                            0 => layout.rank = count,
                            1 => layout.offset = i,
                            2 => layout.sizes[random.below(4) as usize] = i,
                            _ => layout.strides[random.below(4) as usize] = i,
                        }
                    }
                    1 => self.shapes[s].minor_to_major[random.below(4) as usize] = i,
                    _ => self.plan.words[random.below(40) as usize] ^= 1 << random.below(64),
                },
            }
        }
    }
}

/// Nanoseconds that this thread ran. (Miri has no such clock.)
fn now() -> i64 {
    if cfg!(miri) {
        return 0;
    }
    let mut time: libc::timespec = zeroed();
    // SAFETY: a struct that may be written.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) }, 0);
    std::time::Duration::new(time.tv_sec as u64, time.tv_nsec as u32).as_nanos() as i64
}

/// Some calls one after the other; the room that they leave, and the longest one's nanoseconds and kind.
fn sequence(random: &mut Random, calls: u64, sums: [u64; KINDS]) -> (Room, (i64, i64)) {
    let (mut room, mut longest, mut before) = (Room { sums, ..Room::new() }, (0, 0), now());
    for _ in 0..calls {
        room.call(random);
        room.made += u64::from(room.kind + 1 < KINDS as i64);
        let after = now();
        longest = longest.max((after - before, room.kind));
        before = after;
    }
    (room, longest)
}

#[test]
fn sequences_of_calls() {
    let (calls, mut succeeded, mut longest, mut sums) = (40, [0; KINDS], (0, 0), [oracle::NO_SUM; KINDS]);
    let mut all_made = 0;
    // `make proof` asks for more.
    let asked = std::env::var("STRIDE_CALLS").ok();
    let all = asked.as_ref().map_or(10_000, |calls| calls.parse::<u64>().expect("a number") / 40);
    oracle::cases(20_261_123, all, |random| {
        let again = random.clone();
        let (made, mut time) = sequence(random, calls, sums);
        // The system takes its time now and then: what is long is run again.
        for _ in 0..if time.0 > 200_000 { 3 } else { 0 } {
            time = time.min(sequence(&mut again.clone(), calls, sums).1);
        }
        longest = longest.max(time);
        succeeded.iter_mut().zip(made.succeeded).for_each(|(all, more)| *all += more);
        sums = made.sums;
        all_made += made.made;
    });
    if cfg!(miri) {
        return;
    }
    let total: u64 = succeeded.iter().sum();
    println!(
        "\nhostile: {all_made} calls, {total} succeeded, the longest one took {} us (of kind {})",
        longest.0 / 1000,
        longest.1
    );
    assert!(total > all_made / 4, "{total} of {all_made} calls succeeded");
    let never: Vec<usize> = (0..KINDS - 1).filter(|&kind| succeeded[kind] == 0).collect();
    assert!(never.is_empty(), "no call of these kinds succeeded: {never:?}");
    if asked.is_none() {
        pinned(&sums);
    }
}

/// Holds sums to `answers.txt`.
fn pinned(sums: &[u64; KINDS]) {
    // A struct is as large elsewhere only where pointers and the order of bytes are the same.
    if cfg!(all(target_pointer_width = "64", target_endian = "little")) {
        let lines = sums.iter().enumerate().map(|(kind, sum)| format!("{kind}: {sum:016x}\n"));
        let plans = plans();
        let of_plans = plans.iter().flat_map(|(name, plan)| {
            let sums = [("bits", flipped(plan)), ("parts", in_parts(plan))];
            sums.map(|(what, sum)| format!("{what} of {name}: {sum:016x}\n"))
        });
        let steps_of_anybody = [false, true].map(fills_and_comparisons).into_iter().enumerate();
        let steps_of_anybody = steps_of_anybody.map(|(k, sum)| format!("fills and comparisons {k}: {sum:016x}\n"));
        let lines = lines.chain(of_plans).chain(steps_of_anybody);
        let new: String = "# Sums of the answers of each kind of call: tests/calls.rs\n".into();
        let new = lines.fold(new, |text, line| text + &line);
        oracle::pinned("answers.txt", "STRIDE_WRITE_ANSWERS", &new, |_| String::new());
    }
}

/// Plans of each kind, with portable kernels.
fn plans() -> Vec<(&'static str, stride_plan)> {
    let machine = oracle::machine("level=scalar first=32768 second=1048576 last=33554432");
    let mut fill = DEFAULTS.fill;
    fill[..4].copy_from_slice(b"fill");
    let with = |flags| stride_copy_options { machine: &machine, flags, fill, ..DEFAULTS };
    let (f32, u16, u4) = (stride::Dtype::F32.code(), stride::Dtype::U16.code(), stride::Dtype::U4.code());
    let mut out = Vec::new();
    let mut plan = |name, dst: &stride_layout, src: &stride_layout, flags| {
        let mut plan: stride_plan = zeroed();
        // SAFETY: structs of this function.
        assert_eq!(unsafe { stride_plan_init(&mut plan, dst, src, &with(flags), null_mut()) }, 0, "{name}");
        out.push((name, plan));
    };
    let packed = |dtype| oracle::layout(dtype, &[4, 5, 6], &[30, 6, 1], 0);
    let transposed = |dtype| oracle::layout(dtype, &[4, 5, 6], &[1, 4, 20], 0);
    plan("a run", &packed(f32), &packed(f32), 0);
    plan("a transpose", &packed(u16), &transposed(u16), 0);
    plan("rows", &packed(f32), &oracle::layout(f32, &[4, 5, 6], &[50, 10, 1], 3), STRIDE_COPY_ASSUME_DISTINCT);
    plan(
        "a mirrored one",
        &oracle::layout(f32, &[40, 6], &[-8, 1], 400),
        &oracle::layout(f32, &[40, 6], &[6, 1], 0),
        0,
    );
    plan(
        "a fill",
        &oracle::layout(f32, &[4, 5, 6], &[50, 10, 1], 3),
        &oracle::layout(f32, &[4, 5, 6], &[0, 0, 0], 7),
        STRIDE_COPY_FILL_BUFFER,
    );
    plan("nothing", &oracle::layout(f32, &[3, 0], &[1, 1], 0), &oracle::layout(f32, &[3, 0], &[1, 1], 0), 0);
    plan("an element", &oracle::layout(u16, &[], &[], 9), &oracle::layout(u16, &[], &[], 0), STRIDE_COPY_OVERLAP);
    plan(
        "six loops",
        &oracle::layout(f32, &[3; 6], &[1, 4, 16, 64, 256, 1024], 0),
        &oracle::layout(f32, &[3; 6], &[2000, 1, 100, 0, 10, 500], 0),
        0,
    );
    plan("nibbles", &packed(u4), &transposed(u4), 0);
    let run = |size, offset| oracle::layout(u4, &[size], &[1], offset);
    plan("a run of nibbles", &run(77, 1), &run(77, 0), 0);
    let large = |dtype, strides: [i64; 3]| oracle::layout(dtype, &[60, 70, 50], &strides, 0);
    plan("a large transpose", &large(u16, [3500, 50, 1]), &large(u16, [1, 60, 4200]), 0);
    plan("large rows", &large(f32, [4200, 60, 1]), &large(f32, [3500, 50, 1]), 0);
    let few = |pitch| oracle::layout(f32, &[3, 40_000], &[pitch, 1], 0);
    // Distinct elements, although no stride exceeds what the other reaches.
    let crossed = oracle::layout(f32, &[300, 200], &[200, 201], 0);
    plan("a crossed one", &crossed, &oracle::layout(f32, &[300, 200], &[200, 1], 0), 0);
    plan("few large rows", &few(50_000), &few(40_000), 0);
    plan("large nibbles", &large(u4, [3500, 50, 1]), &large(u4, [1, 60, 4200]), 0);
    let odd = |pitch| oracle::layout(u4, &[300, 601], &[pitch, 1], pitch % 2);
    plan("odd rows of nibbles", &odd(601), &odd(602), 0);
    plan("a large run of nibbles", &run(99_999, 1), &run(99_999, 0), 0);
    let shape = |sizes: [i64; 2], order: [i64; 2], tile: [i64; 2]| {
        let mut shape: stride_xla_shape = zeroed();
        // SAFETY: structs and lists of this function.
        let statuses = unsafe {
            [
                stride_xla_shape_init(&mut shape, f32, 2, sizes.as_ptr(), order.as_ptr(), null_mut()),
                stride_xla_shape_add_tile(&mut shape, 2, tile.as_ptr(), null_mut()),
            ]
        };
        assert_eq!(statuses, [0, 0]);
        shape
    };
    let mut relayout = |name, [to, from]: [stride_side; 2], flags| {
        let mut plan: stride_plan = zeroed();
        // SAFETY: as above.
        let status = unsafe { stride_plan_init_sides(&mut plan, &to, &from, &with(flags), null_mut()) };
        assert_eq!(status, 0, "{name}");
        out.push((name, plan));
    };
    let [to, from] = [shape([7, 9], [0, 1], [8, 3]), shape([7, 9], [1, 0], [2, 4])];
    relayout("a relayout", [side(&to), side(&from)], 0);
    let rows = oracle::layout(f32, &[7, 9], &[12, 1], 2);
    relayout("a relayout of rows", [side(&rows), side(&from)], STRIDE_COPY_FILL_BUFFER);
    let runs = [sides::run(3, 1, 4), sides::run(-1, 0, 1), sides::run(2, -1, 2)];
    relayout("a relayout of runs", [side(&rows), through(side(&rows), 0, &runs)], 0);
    let (list, numbers) = (list(&[6, 1, 2, 0, 3, 5, 4]), range(side(&from), 5, 40));
    relayout("a relayout of a list", [through(side(&to), 0, &list), side(&rows)], 0);
    relayout("a relayout of a range", [range(side(&rows), 20, 40), numbers], 0);
    let [to, from] = [shape([300, 170], [0, 1], [8, 3]), shape([300, 170], [1, 0], [8, 128])];
    relayout("a large relayout", [side(&to), side(&from)], 0);
    out
}

/// Of fills of layouts with any steps, which may meet their elements again and again, and of comparisons: a sum.
fn fills_and_comparisons(large: bool) -> u64 {
    const MOST: usize = 1 << 18;
    let (mut dst, mut src) = (vec![0u8; MOST], vec![0u8; MOST]);
    for (k, byte) in src.iter_mut().enumerate() {
        *byte = (k / 3 % 5 == 0) as u8;
    }
    let (mut random, mut sum) = (Random::new(if large { 20_261_124 } else { 20_261_123 }), oracle::NO_SUM);
    for _ in 0..if large { 1500 } else { 6000 } {
        let rank = 1 + random.below(5);
        let some: &[i64] = if large { &[2, 3, 17, 64, 200, 900] } else { &[1, 2, 3, 4, 5, 9, 0] };
        let sizes: Vec<i64> = (0..rank).map(|_| random.pick(some)).collect();
        let mut side = || {
            let step = |random: &mut Random| match random.below(4) {
                0 => random.below(3) - 1,
                1 => random.below(33) - 16,
                2 => random.pick(&[8, 64, 65, -64, 200, 256, 900]),
                _ => random.pick(&[0, 1, 2, 4]),
            };
            let strides: Vec<i64> = (0..rank).map(|_| step(&mut random)).collect();
            Side::new(&sizes, &strides, random.below(3))
        };
        let (a, b) = (side(), side());
        let dtype = random.pick(&[0x8000_0001, 0x8000_0002, 0x8000_0003, stride::Dtype::U4.code()]);
        let [a, b] = [a, b].map(|side| oracle::layout(dtype, &side.sizes, &side.strides, side.offset));
        let (mut record, mut bytes, mut first) = (NO_ERROR, [0u64; 2], -7);
        // SAFETY: structs and buffers of this function, of the lengths that are said.
        unsafe {
            for (layout, bytes) in [&a, &b].into_iter().zip(&mut bytes) {
                assert_eq!(stride_layout_min_bytes(layout, bytes, null_mut()), 0);
            }
            if bytes.iter().any(|&bytes| bytes > MOST as u64) {
                continue;
            }
            let [to, from] = [dst.as_mut_ptr().cast::<c_void>(), src.as_mut_ptr().cast()];
            let value = [0xA5u8, 0x3C, 0x77];
            let status = stride_fill(&a, to, bytes[0], value.as_ptr().cast(), &mut record);
            sum = oracle::sum(oracle::sum(sum, &status.to_le_bytes()), &bytes_of(&record));
            let status = stride_compare(&a, from, bytes[0], &b, from, bytes[1], &mut first, &mut record);
            sum = oracle::sum(oracle::sum(sum, &status.to_le_bytes()), &bytes_of(&record));
        }
        let filled = &mut dst[..bytes[0] as usize];
        sum = oracle::sum(oracle::sum(sum, filled), &first.to_le_bytes());
        filled.fill(0);
    }
    sum
}

/// Of what each part of a plan writes: a sum.
fn in_parts(plan: &stride_plan) -> u64 {
    let facts = oracle::facts(plan).expect("a plan");
    let (mut dst, src) = (vec![0u8; facts.dst_end as usize], (0..facts.src_end).map(|k| ((k * 151) >> 3) as u8 | 1));
    let src: Vec<u8> = src.collect();
    let mut sum = oracle::NO_SUM;
    for parts in [2, 3, 7, 40] {
        for part in 0..parts {
            dst.fill(0);
            let (to, from) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
            let (to_bytes, from_bytes) = (dst.len() as u64, src.len() as u64);
            // SAFETY: buffers of these lengths.
            let status =
                unsafe { stride_plan_execute_part(plan, to, to_bytes, from, from_bytes, part, parts, null_mut()) };
            sum = oracle::sum(oracle::sum(sum, &status.to_le_bytes()), &dst);
        }
    }
    sum
}

/// Of what is said of a plan when any one bit of it is another one: a sum.
fn flipped(plan: &stride_plan) -> u64 {
    let mut sum = oracle::NO_SUM;
    for bit in 0..64 * 64 {
        // The kernel and the level: which there are depends on the CPU.
        if (64..80).contains(&bit) || (160..192).contains(&bit) {
            continue;
        }
        let mut plan = *plan;
        plan.words[bit / 64] ^= 1 << (bit % 64);
        let mut facts: stride_plan_facts = zeroed();
        facts.struct_size = size_of::<stride_plan_facts>() as u32;
        let (mut record, mut text, mut length) = (NO_ERROR, [0u8; 4096], 0);
        // SAFETY: structs and a buffer of this function.
        let statuses = unsafe {
            [
                stride_plan_query(&plan, &mut facts, &mut record),
                stride_plan_describe(&plan, text.as_mut_ptr().cast(), 4096, &mut length, null_mut()),
            ]
        };
        assert!(statuses[0] == 0 || record.status == statuses[0]);
        sum = oracle::sum(oracle::sum(sum, &bytes_of(&facts)), &bytes_of(&record));
        sum = oracle::sum(oracle::sum(sum, &[statuses[1] as u8]), &text[..(length as usize).min(4096)]);
    }
    sum
}

/// The case that these bytes steer: what `fuzz/` runs. Whether it passed some checks.
pub fn any_bytes(bytes: &[u8]) -> bool {
    // About ten bytes for each call.
    let (room, _) = sequence(&mut Random::steered(bytes), bytes.len() as u64 / 10, [oracle::NO_SUM; KINDS]);
    room.succeeded.iter().sum::<u64>() > 0
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/calls.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("calls", any_bytes);
}
