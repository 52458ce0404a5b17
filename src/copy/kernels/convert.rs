//! Runs of numbers of one dtype that become numbers of another.
//!
//! A number is loaded as an f32, an f64 or an integer of 64 bits ([`Class`]), goes through the arithmetic, and is
//! stored. Each of these is one loop over `PASS` numbers in L1, so that a load and a store for each dtype make all
//! pairs. The loops have no branch in them, so the compiler makes vectors of them. The commonest pairs have a loop of
//! their own for each instruction set (`convert_direct`).
//!
//! ```text
//! source -> load -> [f32; 128] -> arithmetic -> [f32; 128] -> store -> destination
//! ```
//!
//! Floats are narrowed by integers: one rounding to nearest even, of the bits as they are.

use super::super::conversion::{ADD_LAST, AFFINE, Class, DIVIDE, FINITE, Kind, NEAREST, SATURATE, Steps};
use super::super::loops::Loop;

/// Numbers that are converted at a time.
const PASS: usize = 128;
/// All loops run over a multiple of this many, so that the compiler needs no second loop for a rest.
const STEP: usize = 64;

/// How a run is converted.
#[derive(Clone, Copy, Debug)]
pub struct Conversion<'a> {
    /// Kinds of both sides, and flags.
    pub steps: Steps,
    /// `subtract`, `scale` and `add`, where there is no list.
    pub numbers: [f64; 3],
    /// Lists of these, if there are any; null: the number.
    pub lists: Option<&'a [*const f32; 3]>,
    /// Number k has entry `first + k % inner · step + k / inner · outer` of each list.
    pub first: i64,
    /// See there.
    pub inner: usize,
    /// See there.
    pub step: i64,
    /// See there.
    pub outer: i64,
    /// How many runs there are, and bytes from one to the next: more than one only without lists.
    pub runs: Loop,
}

/// The numbers of a pass on their way. (Made once for many runs: to clear them takes as long as a pass.)
#[repr(align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Rooms {
    narrow: [f32; PASS],
    wide: [f64; PASS],
    whole: [i64; PASS],
    /// What is left of a run behind its whole steps, of either side.
    rest: [u8; 8 * STEP],
}

impl Rooms {
    /// Zeros.
    pub const NEW: Self = Self { narrow: [0.0; PASS], wide: [0.0; PASS], whole: [0; PASS], rest: [0; 8 * STEP] };
}

/// A kernel that converts `count` numbers.
pub type Convert = unsafe fn(to: *mut u8, from: *const u8, count: usize, how: &Conversion<'_>, rooms: &mut Rooms);

/// The numbers of the arithmetic: the same for all, or entries for each.
pub(in crate::copy) enum Numbers<'a> {
    Same([f64; 3]),
    /// Those of lists; and the others, which are wider.
    Each(&'a [[f32; PASS]; 3], [Option<f64>; 3]),
}

/// [`convert_direct`] of an instruction set.
pub(super) type Direct =
    unsafe fn(to: *mut u8, from: *const u8, count: usize, runs: &Loop, steps: &Steps, numbers: &Numbers<'_>) -> bool;

/// Converts runs. Both sides may be the same memory, if their numbers have one width.
///
/// # Safety
/// `count` numbers of each run may be read from `from` and written from `to`; those below a byte begin with the low end
/// of a byte, and nothing is kept of the last byte's other bits. Entries of lists may be read. The CPU has the
/// instruction set.
#[inline(always)]
pub(super) unsafe fn convert(
    to: *mut u8,
    from: *const u8,
    count: usize,
    how: &Conversion<'_>,
    rooms: &mut Rooms,
    direct: Direct,
) {
    // SAFETY: as promised to this function.
    unsafe {
        let numbers = Numbers::Same(how.numbers);
        if how.lists.is_none() && direct(to, from, count, &how.runs, &how.steps, &numbers) {
            return;
        }
        for run in 0..how.runs.count as isize {
            let (to, from) =
                (to.wrapping_offset(run * how.runs.dst as isize), from.wrapping_offset(run * how.runs.src as isize));
            convert_run(to, from, count, how, rooms, direct);
        }
    }
}

/// Converts a run which has lists, or whose pair has no loop of its own.
///
/// # Safety
/// As [`convert`].
#[inline(never)] // one for all instruction sets
unsafe fn convert_run(
    to: *mut u8,
    from: *const u8,
    count: usize,
    how: &Conversion<'_>,
    rooms: &mut Rooms,
    direct: Direct,
) {
    let Conversion { inner, step, outer, .. } = *how;
    let mut run = |done: usize, now: usize, numbers: &Numbers<'_>| {
        let (to, from) =
            (to.wrapping_add(done * how.steps.dst.bits() / 8), from.wrapping_add(done * how.steps.src.bits() / 8));
        // SAFETY: as promised to this function; numbers of the run, and a pass begins with a byte.
        unsafe {
            if how.lists.is_some() && direct(to, from, now, &Loop::ONCE, &how.steps, numbers) {
                return;
            }
            for begin in (0..now).step_by(PASS) {
                let (to, from) = (
                    to.wrapping_add(begin * how.steps.dst.bits() / 8),
                    from.wrapping_add(begin * how.steps.src.bits() / 8),
                );
                convert_pass(to, from, PASS.min(now - begin), &how.steps, numbers, rooms);
            }
        }
    };
    let lists = how.lists.unwrap_or(&[core::ptr::null(); 3]);
    let all_alike = how.lists.is_none() || step == 0 && inner >= count;
    // Groups that share their numbers, from a byte on.
    let grouped = step == 0 && inner >= PASS / 2 && inner.is_multiple_of(2);
    if !all_alike && !grouped {
        return with_entries(count, how, lists, run);
    }
    let (mut done, mut at) = (0, how.first);
    while done < count {
        let now = if all_alike { count } else { inner.min(count - done) };
        let mut same = how.numbers;
        for (number, list) in same.iter_mut().zip(lists).filter(|(_, list)| !list.is_null()) {
            // SAFETY: an entry of the list.
            *number = unsafe { list.wrapping_offset(at as isize).read_unaligned() } as f64;
        }
        run(done, now, &Numbers::Same(same));
        (done, at) = (done + now, at.wrapping_add(outer));
    }
}

/// The commonest pairs in one loop each, without a stop on the way: twice to three times as fast. `false` for all
/// others.
///
/// # Safety
/// As [`convert`].
#[inline(always)]
pub(super) unsafe fn convert_direct(
    to: *mut u8,
    from: *const u8,
    count: usize,
    runs: &Loop,
    steps: &Steps,
    numbers: &Numbers<'_>,
) -> bool {
    macro_rules! each_number {
        (|$x:ident: $src:ty| -> $dst:ty { $number:expr }) => {
            each_number!(|$x, _i: $src| -> $dst { $number })
        };
        (|$x:ident, $i:ident: $src:ty| -> $dst:ty { $number:expr }) => {
            for run in 0..runs.count as isize {
                let to = to.wrapping_offset(run * runs.dst as isize).cast::<$dst>();
                let from = from.wrapping_offset(run * runs.src as isize).cast::<$src>();
                for $i in 0..count {
                    // SAFETY: a number on each side (caller).
                    unsafe {
                        let $x = from.wrapping_add($i).read_unaligned();
                        to.wrapping_add($i).write_unaligned($number);
                    }
                }
            }
        };
    }
    let affine = |x: f32, [subtract, scale, add]: [f32; 3]| (x - subtract) * scale + add;
    let whole = |x: f32| if x.is_nan() { f32::from_bits(0x7FC0_0000) } else { x };
    // The same with the numbers of each, of which there are as many as a pass has.
    macro_rules! each_affine {
        (|$x:ident: $src:ty|) => {
            match *numbers {
                // The result of numbers of this size is finite.
                Numbers::Same(same) if same.iter().all(|number| number.abs() < 1e18) => {
                    let same = same.map(|number| number as f32);
                    each_number!(|$x: $src| -> f32 { affine($x as f32, same) });
                }
                Numbers::Same(_) => return false,
                Numbers::Each([a, b, c], _) => {
                    let entries = [a.as_ptr(), b.as_ptr(), c.as_ptr()];
                    each_number!(|$x, i: $src| -> f32 {
                        whole(affine($x as f32, entries.map(|entries| entries.wrapping_add(i).read())))
                    });
                }
            }
        };
    }
    match (steps.src, steps.dst, steps.flags) {
        (Kind::F32, Kind::Bf16, 0) => each_number!(|x: u32| -> u16 { bf16(x, 0) }),
        (Kind::Bf16, Kind::F32, 0) => each_number!(|x: u16| -> u32 { quiet((x as u32) << 16).to_bits() }),
        (Kind::S64, Kind::S32, 0) => each_number!(|x: u64| -> u32 { x as u32 }),
        (Kind::S32, Kind::F32, 0) => each_number!(|x: i32| -> f32 { x as f32 }),
        (Kind::F32, Kind::S32, 0) => each_number!(|x: f32| -> i32 { s32_of_f32(x) }),
        (Kind::Pred, Kind::F32, 0) => each_number!(|x: u8| -> f32 { (x != 0) as u8 as f32 }),
        (Kind::U8, Kind::F32, 0 | AFFINE) => each_affine!(|x: u8|),
        (Kind::S8, Kind::F32, 0 | AFFINE) => each_affine!(|x: i8|),
        _ => return false,
    }
    true
}

/// Calls `run` with each pass and its entries of the lists.
#[inline(never)] // keeps its frame off the caller's stack
fn with_entries(
    count: usize,
    how: &Conversion<'_>,
    lists: &[*const f32; 3],
    mut run: impl FnMut(usize, usize, &Numbers<'_>),
) {
    let Conversion { numbers, first, step, outer, .. } = *how;
    let inner = how.inner.max(1);
    let mut entries = numbers.map(|number| [number as f32; PASS]);
    let mut others = numbers.map(Some);
    others.iter_mut().zip(lists).filter(|(_, list)| !list.is_null()).for_each(|(other, _)| *other = None);
    // Whole periods, and whole bytes of nibbles, so that what repeats is read once.
    let repeats = outer == 0 && inner <= PASS / 2;
    let pass = if repeats { PASS / (2 * inner) * (2 * inner) } else { PASS };
    let (mut done, mut k, mut at) = (0, 0, first);
    while done < count {
        let now = pass.min(count - done);
        let (mut filled, wanted) = (0, if !repeats || done == 0 { now } else { 0 });
        while filled < wanted {
            let again = repeats && filled >= inner;
            let some = if again { filled } else { inner - k }.min(wanted - filled);
            for (entries, list) in entries.iter_mut().zip(lists).filter(|(_, list)| !list.is_null()) {
                let (all, list) = (entries.as_mut_ptr(), list.wrapping_offset(at as isize));
                // SAFETY: entries of the list (see `convert`); with those before them they are at most a pass.
                unsafe {
                    let to = all.add(filled);
                    match step {
                        _ if again => all.copy_to(to, some),
                        1 => list.cast::<u8>().copy_to(to.cast(), 4 * some),
                        _ => (0..some).for_each(|i| {
                            to.add(i).write(list.wrapping_offset((step * i as i64) as isize).read_unaligned());
                        }),
                    }
                }
            }
            filled += some;
            if !again {
                (k, at) = (k + some, at.wrapping_add(step.wrapping_mul(some as i64)));
            }
            if k == inner {
                (k, at) = (0, at.wrapping_sub(step.wrapping_mul(inner as i64)).wrapping_add(outer));
            }
        }
        run(done, now, &Numbers::Each(&entries, others));
        done += now;
    }
}

/// Converts a pass: whole steps where they are, and what is left by way of the stack.
///
/// # Safety
/// As [`convert`], for at most [`PASS`] numbers.
#[inline(never)] // one for all instruction sets
unsafe fn convert_pass(
    to: *mut u8,
    from: *const u8,
    count: usize,
    steps: &Steps,
    numbers: &Numbers<'_>,
    rooms: &mut Rooms,
) {
    let (dst_bits, src_bits) = (steps.dst.bits(), steps.src.bits());
    let whole = count & !(STEP - 1);
    let mut begin = 0;
    while begin < count {
        // All whole steps, then the rest.
        let is_rest = begin == whole;
        let now = if is_rest { count - begin } else { whole };
        let (target, source) = (to.wrapping_add(begin * dst_bits / 8), from.wrapping_add(begin * src_bits / 8));
        let rest = rooms.rest.as_mut_ptr();
        // SAFETY: as promised to this function; there is room for a step.
        unsafe {
            let (mut to, mut from) = (target, source);
            if is_rest {
                core::ptr::copy(source, rest, (now * src_bits).div_ceil(8));
                (to, from) = (rest, rest.cast_const());
            }
            convert_steps(to, from, begin, now.next_multiple_of(STEP), steps, numbers, rooms);
            if is_rest {
                core::ptr::copy(rooms.rest.as_ptr(), target, (now * dst_bits).div_ceil(8));
            }
        }
        begin += now;
    }
}

/// Calls `$number` with each number of type $t at $from; the results go to $room.
macro_rules! load {
    ($room:ident, $from:ident, $count:ident, |$x:ident: $t:ty| $number:expr) => {
        for (i, slot) in $room.iter_mut().take($count).enumerate() {
            // SAFETY: a number that may be read (caller).
            let $x = unsafe { $from.cast::<$t>().wrapping_add(i).read_unaligned() };
            *slot = $number;
        }
    };
}

/// The same with the two nibbles of each byte, as numbers of type $t.
macro_rules! load_nibbles {
    ($room:ident, $from:ident, $count:ident, |$x:ident: $t:ty| $number:expr) => {
        for (i, pair) in $room.as_chunks_mut::<2>().0.iter_mut().take($count / 2).enumerate() {
            // SAFETY: a byte of the numbers that may be read (caller).
            let byte = unsafe { $from.wrapping_add(i).read() };
            let nibble = |byte: u8| {
                let $x = (byte as $t) >> 4;
                $number
            };
            *pair = [nibble(byte << 4), nibble(byte)];
        }
    };
}

/// Writes `$number` of each number of $room, as type $t.
macro_rules! store {
    ($room:ident, $to:ident, $count:ident, |$x:ident| -> $t:ty { $number:expr }) => {
        for (i, &$x) in $room.iter().take($count).enumerate() {
            let number: $t = $number;
            // SAFETY: a number that may be written (caller).
            unsafe { $to.cast::<$t>().wrapping_add(i).write_unaligned(number) };
        }
    };
}

/// One number of a room becomes one of another.
macro_rules! each {
    ($to:ident, $from:ident, $count:ident, |$x:ident| $number:expr) => {
        for (slot, &$x) in $to.iter_mut().zip($from.iter()).take($count) {
            *slot = $number;
        }
    };
}

/// The arithmetic, in a float.
macro_rules! affine {
    ($room:ident, $count:ident, $flags:expr, $numbers:expr, $begin:expr, $float:ident, $nan:expr) => {{
        let (divides, adds) = ($flags & DIVIDE != 0, $flags & ADD_LAST == 0);
        // What is not added is minus 0, which changes nothing.
        let whole = |x: $float| if x.is_nan() { $float::from_bits($nan) } else { x };
        match $numbers {
            Numbers::Same(same) => {
                let [subtract, scale, add] = same.map(|number| number as $float);
                let add = if adds { add } else { -0.0 };
                if divides {
                    $room.iter_mut().take($count).for_each(|x| *x = whole((*x - subtract) / scale + add));
                } else {
                    $room.iter_mut().take($count).for_each(|x| *x = whole((*x - subtract) * scale + add));
                }
            }
            Numbers::Each([a, b, c], [one, two, three]) => {
                // Those that are no entries are as wide as the arithmetic.
                let number = |entry: f32, other: &Option<f64>| match other {
                    Some(other) if $float::DIGITS > f32::DIGITS => *other as $float,
                    _ => entry as $float,
                };
                let [a, b, c] = [a, b, c].map(|of| of.get($begin..).unwrap_or(&[]));
                let entries = a.iter().zip(b).zip(c).map(|((&a, &b), &c)| [a, b, c]);
                for (x, [a, b, c]) in $room.iter_mut().take($count).zip(entries) {
                    let (y, b) = (*x - number(a, one), number(b, two));
                    let y = if divides { y / b } else { y * b };
                    *x = whole(y + if adds { number(c, three) } else { -0.0 });
                }
            }
        }
    }};
}

/// Whether an f32 holds all numbers of a kind.
fn is_narrow(kind: Kind) -> bool {
    !matches!(kind, Kind::S32 | Kind::U32 | Kind::S64 | Kind::U64 | Kind::F64)
}

/// Converts whole steps, of which the first one is number `begin` of the pass.
///
/// # Safety
/// As [`convert`].
#[inline(always)]
unsafe fn convert_steps(
    to: *mut u8,
    from: *const u8,
    begin: usize,
    count: usize,
    steps: &Steps,
    numbers: &Numbers<'_>,
    Rooms { narrow, wide, whole, .. }: &mut Rooms,
) {
    let Steps { dst, src, class, flags } = *steps;
    let count = (count & !(STEP - 1)).min(PASS);
    match class {
        Class::Integer => match src {
            Kind::Pred => load!(whole, from, count, |x: u8| (x != 0) as i64),
            Kind::S4 => load_nibbles!(whole, from, count, |x: i8| x as i64),
            Kind::U4 => load_nibbles!(whole, from, count, |x: u8| x as i64),
            Kind::S8 => load!(whole, from, count, |x: i8| x as i64),
            Kind::U8 => load!(whole, from, count, |x: u8| x as i64),
            Kind::S16 => load!(whole, from, count, |x: i16| x as i64),
            Kind::U16 => load!(whole, from, count, |x: u16| x as i64),
            Kind::S32 => load!(whole, from, count, |x: i32| x as i64),
            Kind::U32 => load!(whole, from, count, |x: u32| x as i64),
            _ => load!(whole, from, count, |x: i64| x),
        },
        _ => match src {
            Kind::Pred => load!(narrow, from, count, |x: u8| (x != 0) as u8 as f32),
            Kind::S4 => load_nibbles!(narrow, from, count, |x: i8| x as f32),
            Kind::U4 => load_nibbles!(narrow, from, count, |x: u8| x as f32),
            Kind::S8 => load!(narrow, from, count, |x: i8| x as f32),
            Kind::U8 => load!(narrow, from, count, |x: u8| x as f32),
            Kind::S16 => load!(narrow, from, count, |x: i16| x as f32),
            Kind::U16 => load!(narrow, from, count, |x: u16| x as f32),
            Kind::E4m3fn => load!(narrow, from, count, |x: u8| of_e4m3fn(x)),
            Kind::E5m2 => load!(narrow, from, count, |x: u8| of_f16((x as u16) << 8)),
            Kind::F16 => load!(narrow, from, count, |x: u16| of_f16(x)),
            Kind::Bf16 => load!(narrow, from, count, |x: u16| quiet((x as u32) << 16)),
            Kind::F32 => load!(narrow, from, count, |x: u32| f32::from_bits(x)),
            Kind::S32 => load!(wide, from, count, |x: i32| x as f64),
            Kind::U32 => load!(wide, from, count, |x: u32| x as f64),
            Kind::S64 => load!(wide, from, count, |x: i64| x as f64),
            Kind::U64 => load!(wide, from, count, |x: u64| x as f64),
            Kind::F64 => load!(wide, from, count, |x: u64| f64::from_bits(x)),
        },
    }
    if class == Class::F64 && is_narrow(src) {
        each!(wide, narrow, count, |x| widened(x));
    }
    if flags & AFFINE != 0 && class == Class::F32 {
        affine!(narrow, count, flags, numbers, begin, f32, 0x7FC0_0000);
    }
    if flags & AFFINE != 0 && class == Class::F64 {
        affine!(wide, count, flags, numbers, begin, f64, 0x7FF8 << 48);
    }
    let finite = flags & FINITE != 0;
    if dst.is_float() {
        // On their way to a float of 8 or 16 bits, wider numbers become odd ones.
        let small = is_narrow(dst) && dst != Kind::F32;
        let unsigned = src == Kind::U64;
        match class {
            Class::F64 if small => each!(narrow, wide, count, |x| f32::from_bits(odd_of_f64(x))),
            Class::F64 if dst == Kind::F32 => each!(narrow, wide, count, |x| f32_of_f64(x)),
            Class::Integer => {
                let floats = narrow.iter_mut().zip(wide.iter_mut()).zip(whole.iter()).take(count);
                for ((narrow, wide), &x) in floats {
                    (*narrow, *wide) = floats_of(x, unsigned, small);
                }
            }
            _ => {}
        }
        if finite && dst == Kind::F32 {
            narrow.iter_mut().take(count).for_each(|x| *x = if x.is_nan() { *x } else { x.clamp(f32::MIN, f32::MAX) });
        }
        if finite && dst == Kind::F64 {
            wide.iter_mut().take(count).for_each(|x| *x = if x.is_nan() { *x } else { x.clamp(f64::MIN, f64::MAX) });
        }
        let less = finite as u32;
        return match dst {
            Kind::E4m3fn => store!(narrow, to, count, |x| -> u8 { narrowed::<3, 7>(x.to_bits(), less) as u8 }),
            Kind::E5m2 => store!(narrow, to, count, |x| -> u8 { narrowed::<2, 15>(x.to_bits(), less) as u8 }),
            Kind::F16 => store!(narrow, to, count, |x| -> u16 { narrowed::<10, 15>(x.to_bits(), less) as u16 }),
            Kind::Bf16 => store!(narrow, to, count, |x| -> u16 { bf16(x.to_bits(), less) }),
            Kind::F32 => store!(narrow, to, count, |x| -> u32 { x.to_bits() }),
            _ => store!(wide, to, count, |x| -> u64 { x.to_bits() }),
        };
    }
    let rounds = flags & NEAREST != 0 && dst != Kind::Pred;
    if rounds && class == Class::F32 {
        narrow.iter_mut().take(count).for_each(|x| *x = round_f32(*x));
    }
    if rounds && class == Class::F64 {
        wide.iter_mut().take(count).for_each(|x| *x = round_f64(*x));
    }
    if flags & ADD_LAST != 0 {
        let [least, most] = dst.limits();
        for i in 0..count {
            let narrow = narrow.get(i).copied().unwrap_or(0.0) as f64;
            let x = if class == Class::F32 { narrow } else { wide.get(i).copied().unwrap_or(0.0) };
            let add = match numbers {
                Numbers::Same([.., add]) => *add,
                Numbers::Each(_, [.., Some(add)]) => *add,
                Numbers::Each([.., adds], _) => adds.get((begin + i) % PASS).copied().unwrap_or(0.0) as f64,
            };
            if let Some(slot) = whole.get_mut(i) {
                *slot = sum_of(x, add, least, most);
            }
        }
    } else if class == Class::F32 {
        match dst {
            Kind::Pred => return store!(narrow, to, count, |x| -> u8 { (x != 0.0) as u8 }),
            Kind::S8 => return store!(narrow, to, count, |x| -> i8 { between(x, -128.0, 127.0) as i8 }),
            Kind::U8 => return store!(narrow, to, count, |x| -> u8 { between(x, 0.0, 255.0) as u8 }),
            Kind::S16 => return store!(narrow, to, count, |x| -> i16 { between(x, -32768.0, 32767.0) as i16 }),
            Kind::U16 => return store!(narrow, to, count, |x| -> u16 { between(x, 0.0, 65535.0) as u16 }),
            Kind::S32 => return store!(narrow, to, count, |x| -> i32 { s32_of_f32(x) }),
            Kind::U64 => each!(whole, narrow, count, |x| x as u64 as i64),
            _ => each!(whole, narrow, count, |x| x as i64),
        }
    } else if class == Class::F64 {
        match dst {
            Kind::Pred => return store!(wide, to, count, |x| -> u8 { (x != 0.0) as u8 }),
            Kind::S32 => return store!(wide, to, count, |x| -> i32 { x as i32 }),
            Kind::U64 => each!(whole, wide, count, |x| x as u64 as i64),
            _ => each!(whole, wide, count, |x| x as i64),
        }
    }
    // Floats saturate; integers where that is asked for.
    if (class != Class::Integer || flags & SATURATE != 0) && !matches!(dst, Kind::Pred | Kind::S64 | Kind::U64) {
        let [least, most] = dst.limits().map(|limit| limit as i64);
        if src == Kind::U64 && class == Class::Integer {
            whole.iter_mut().take(count).for_each(|x| *x = (*x as u64).min(most as u64) as i64);
        } else {
            whole.iter_mut().take(count).for_each(|x| *x = (*x).max(least).min(most));
        }
    } else if class == Class::Integer && flags & SATURATE != 0 && (src == Kind::U64) != (dst == Kind::U64) {
        // Of the two of 64 bits, the other one's numbers above and below.
        whole.iter_mut().take(count).for_each(|x| {
            *x = match () {
                () if src == Kind::U64 && dst == Kind::S64 => (*x as u64).min(i64::MAX as u64) as i64,
                () if dst == Kind::U64 => (*x).max(0),
                () => *x,
            };
        });
    }
    match dst {
        Kind::Pred => store!(whole, to, count, |x| -> u8 { (x != 0) as u8 }),
        Kind::S4 | Kind::U4 => {
            for (i, &[low, high]) in whole.as_chunks::<2>().0.iter().take(count / 2).enumerate() {
                // SAFETY: a byte of the numbers that may be written (caller).
                unsafe { to.wrapping_add(i).write(low as u8 & 15 | (high as u8) << 4) };
            }
        }
        Kind::S8 | Kind::U8 => store!(whole, to, count, |x| -> u8 { x as u8 }),
        Kind::S16 | Kind::U16 => store!(whole, to, count, |x| -> u16 { x as u16 }),
        Kind::S32 | Kind::U32 => store!(whole, to, count, |x| -> u32 { x as u32 }),
        _ => store!(whole, to, count, |x| -> i64 { x }),
    }
}

/// The sum of a number without a fraction, or cut to one, and another; NaN counts as 0.
#[inline(never)]
fn sum_of(x: f64, add: f64, least: i128, most: i128) -> i64 {
    (x as i128).saturating_add(add as i128).max(least).min(most) as i64
}

/// An integer as an f32 and as an f64; the f32 odd where it is not exact, if it is on its way to fewer bits.
#[inline(never)]
fn floats_of(x: i64, unsigned: bool, small: bool) -> (f32, f64) {
    let (narrow, wide) = if unsigned { (x as u64 as f32, x as u64 as f64) } else { (x as f32, x as f64) };
    (if small { f32::from_bits(odd_of_i64(x, unsigned)) } else { narrow }, wide)
}

/// An f32 as bits; a NaN becomes quiet.
#[inline(always)]
fn quiet(bits: u32) -> f32 {
    f32::from_bits(if bits & 0x7FFF_FFFF > 0x7F80_0000 { bits | 0x0040_0000 } else { bits })
}

/// The value of an f16. A subnormal is what its bits add to the least normal number.
#[inline(always)]
fn of_f16(bits: u16) -> f32 {
    const LEAST: u32 = 113 << 23;
    let (sign, all) = ((bits as u32 & 0x8000) << 16, (bits as u32 & 0x7FFF) << 13);
    let subnormal = (f32::from_bits(all + LEAST) - f32::from_bits(LEAST)).to_bits();
    let normal = all + (112 << 23);
    let special = all | 0x7F80_0000;
    let value = if all < 1 << 23 { subnormal } else { normal };
    quiet(sign | if all < 0x1F << 23 { value } else { special })
}

/// The value of an f8e4m3fn.
#[inline(always)]
fn of_e4m3fn(bits: u8) -> f32 {
    const LEAST: u32 = 121 << 23;
    let (sign, all) = ((bits as u32 & 0x80) << 24, (bits as u32 & 0x7F) << 20);
    let subnormal = (f32::from_bits(all + LEAST) - f32::from_bits(LEAST)).to_bits();
    let value = if all < 1 << 23 { subnormal } else { all + (120 << 23) };
    f32::from_bits(sign | if all == 0x7F << 20 { 0x7FC0_0000 } else { value })
}

/// The bits of a float with so many bits of mantissa and such a bias, rounded to nearest even, from those of an f32.
/// Below the least normal number the sum with a number whose last place is that of the subnormals rounds.
#[inline(always)]
fn narrowed<const MANTISSA: u32, const BIAS: u32>(bits: u32, less: u32) -> u32 {
    let (shift, exponents) = (23 - MANTISSA, if BIAS == 7 { 4 } else { 5 });
    let (sign, all) = (bits >> 31 << (MANTISSA + exponents), bits & 0x7FFF_FFFF);
    let odd = all >> shift & 1;
    let normal = all.wrapping_sub((127 - BIAS) << 23).wrapping_add((1 << (shift - 1)) - 1 + odd) >> shift;
    let place = (127 - BIAS + 1 + shift) << 23;
    let subnormal = (f32::from_bits(all) + f32::from_bits(place)).to_bits().wrapping_sub(place);
    let rounded = if all < (128 - BIAS) << 23 { subnormal } else { normal };
    // Infinity, or of f8e4m3fn NaN. `less` is 1 if it is to be the largest finite number, else 0.
    let over = if BIAS == 7 { 0x7F } else { 31 << MANTISSA };
    let number = rounded.min(over - less);
    let nan = if BIAS == 7 { over } else { over | 1 << (MANTISSA - 1) | all >> shift & ((1 << MANTISSA) - 1) };
    sign | if all > 0x7F80_0000 { nan } else { number }
}

/// The same for a bf16.
#[inline(always)]
fn bf16(bits: u32, less: u32) -> u16 {
    let rounded = bits.wrapping_add(0x7FFF + (bits >> 16 & 1)) >> 16;
    let finite = rounded & 0x8000 | (rounded & 0x7FFF).min(0x7F7F);
    let number = if less == 0 { rounded } else { finite };
    (if bits << 1 > 0xFF << 24 { bits >> 16 | 0x40 } else { number }) as u16
}

/// The bits of an f32 that is odd where it is not exact: rounded once more to fewer bits, it is what one rounding makes.
#[inline(always)]
fn odd_of_f64(x: f64) -> u32 {
    let near = x as f32;
    let (bits, back) = (near.to_bits(), near as f64);
    let odd = bits.wrapping_sub((back.abs() > x.abs()) as u32) | 1;
    if x.is_nan() {
        nan_of_f64(x)
    } else if back == x {
        bits
    } else {
        odd
    }
}

/// The same for an integer.
#[inline(always)]
fn odd_of_i64(x: i64, unsigned: bool) -> u32 {
    let negative = !unsigned && x < 0;
    let size = if unsigned { x as u64 } else { x.unsigned_abs() };
    if size == 0 {
        return 0;
    }
    let zeros = size.leading_zeros();
    let bits = size << zeros;
    let mantissa = (bits >> 40) as u32 | (bits << 24 != 0) as u32;
    (negative as u32) << 31 | (127 + 63 - zeros) << 23 | mantissa & 0x7F_FFFF
}

#[inline(always)]
fn nan_of_f64(x: f64) -> u32 {
    let bits = x.to_bits();
    ((bits >> 32) as u32 & 0x8000_0000) | 0x7FC0_0000 | (bits >> 29) as u32 & 0x3F_FFFF
}

#[inline(always)]
fn f32_of_f64(x: f64) -> f32 {
    if x.is_nan() { f32::from_bits(nan_of_f64(x)) } else { x as f32 }
}

#[inline(always)]
fn widened(x: f32) -> f64 {
    let bits = x.to_bits() as u64;
    let nan = (bits & 0x8000_0000) << 32 | 0x7FF8 << 48 | (bits & 0x3F_FFFF) << 29;
    if x.is_nan() { f64::from_bits(nan) } else { x as f64 }
}

/// The integer toward zero between two that i32 and f32 have; NaN is 0. (`as` has no vectors on x86-64.)
#[inline(always)]
fn between(x: f32, least: f32, most: f32) -> i32 {
    let inside = if x > least { x } else { least };
    let inside = if inside < most { inside } else { most };
    // SAFETY: it is between the two.
    let number = unsafe { inside.to_int_unchecked() };
    if x.is_nan() { 0 } else { number }
}

/// The nearest s32 toward zero; NaN is 0.
#[inline(always)]
fn s32_of_f32(x: f32) -> i32 {
    const BEYOND: f32 = 2_147_483_648.0;
    let number = between(x, -BEYOND, BEYOND - 128.0);
    if x >= BEYOND { i32::MAX } else { number }
}

/// The nearest integer, ties to even; of numbers that have no fraction, themselves.
#[inline(always)]
fn round_f32(x: f32) -> f32 {
    const PLACE: f32 = 8_388_608.0; // 2^23: the last place is 1
    if x.abs() < PLACE { (x.abs() + PLACE - PLACE).copysign(x) } else { x }
}

#[inline(always)]
fn round_f64(x: f64) -> f64 {
    const PLACE: f64 = 4_503_599_627_370_496.0; // 2^52
    if x.abs() < PLACE { (x.abs() + PLACE - PLACE).copysign(x) } else { x }
}
