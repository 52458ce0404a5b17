//! Runs of numbers of one dtype that become numbers of another.
//!
//! A number is loaded as an f32, an f64 or an integer of 64 bits ([`Class`]), goes through the arithmetic, and is
//! stored. Each of these is one loop over [`CHUNK`] numbers in L1, so that a load and a store for each dtype make all
//! pairs. The loops have no branch in them; the compiler makes vectors of them for each instruction set.
//!
//! ```text
//! source -> load -> [f32; 128] -> arithmetic -> [f32; 128] -> store -> destination
//! ```
//!
//! Floats are narrowed by integers: one rounding to nearest even, of the bits as they are.

use super::super::conversion::{ADD_LAST, AFFINE, Class, DIVIDE, FINITE, Kind, NEAREST, SATURATE, Steps};

/// Numbers that are converted at a time.
const CHUNK: usize = 128;

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
}

/// A kernel that converts `count` numbers.
pub type Convert = unsafe fn(to: *mut u8, from: *const u8, count: usize, how: &Conversion<'_>);

/// Converts a run. Both sides may be the same memory, if their numbers have one width.
///
/// # Safety
/// `count` numbers may be read from `from` and written from `to`; those below a byte begin with the low end of a byte,
/// and nothing is kept of the last byte's other bits. Entries of lists may be read. The CPU has the instruction set.
#[inline(always)]
pub(super) unsafe fn convert(to: *mut u8, from: *const u8, count: usize, how: &Conversion<'_>) {
    // SAFETY: as promised to this function.
    unsafe {
        match how.steps.class {
            Class::F32 => each_chunk::<f32>(to, from, count, how),
            Class::F64 => each_chunk::<f64>(to, from, count, how),
            Class::Integer => each_chunk::<i64>(to, from, count, how),
        }
    }
}

/// What numbers are on their way.
trait Way: Copy + Default {
    /// # Safety
    /// `count` numbers may be read.
    unsafe fn load(kind: Kind, room: &mut [Self; CHUNK], from: *const u8, count: usize);
    /// `(x − subtract) · scale + add` with the entries of each number.
    fn affine(room: &mut [Self; CHUNK], numbers: &Numbers<'_>, flags: u32);
    /// # Safety
    /// `count` numbers may be written.
    unsafe fn store(steps: &Steps, room: &[Self; CHUNK], to: *mut u8, count: usize);
    /// [`Way::store`] with `add`, which joins after rounding.
    ///
    /// # Safety
    /// As there.
    unsafe fn store_and_add(steps: &Steps, room: &mut [Self; CHUNK], to: *mut u8, count: usize, numbers: &Numbers<'_>);
}

/// The numbers of the arithmetic: the same for all, or entries for each.
enum Numbers<'a> {
    Same([f64; 3]),
    Each(&'a [[f32; CHUNK]; 3]),
}

/// # Safety
/// As [`convert`].
#[inline(always)]
unsafe fn each_chunk<T: Way>(to: *mut u8, from: *const u8, count: usize, how: &Conversion<'_>) {
    // SAFETY: as promised to this function.
    unsafe {
        match how.lists {
            Some(lists) if how.step != 0 || how.inner < count => with_entries::<T>(to, from, count, how, lists),
            _ => with_same::<T>(to, from, count, how),
        }
    }
}

/// # Safety
/// As [`convert`].
#[inline(always)]
unsafe fn with_same<T: Way>(to: *mut u8, from: *const u8, count: usize, how: &Conversion<'_>) {
    let (steps, mut same) = (how.steps, how.numbers);
    if let Some(lists) = how.lists {
        for (number, list) in same.iter_mut().zip(lists).filter(|(_, list)| !list.is_null()) {
            // SAFETY: an entry of the list.
            *number = unsafe { list.wrapping_offset(how.first as isize).read_unaligned() } as f64;
        }
    }
    let numbers = Numbers::Same(same);
    let mut room = [T::default(); CHUNK];
    let mut done = 0;
    while done < count {
        let now = CHUNK.min(count - done);
        // SAFETY: numbers of the run; a chunk begins with a byte.
        unsafe {
            let (to, from) =
                (to.wrapping_add(done * steps.dst.bits() / 8), from.wrapping_add(done * steps.src.bits() / 8));
            one_chunk(&steps, &mut room, to, from, now, &numbers);
        }
        done += now;
    }
}

/// # Safety
/// As [`convert`].
#[inline(always)]
unsafe fn one_chunk<T: Way>(
    steps: &Steps,
    room: &mut [T; CHUNK],
    to: *mut u8,
    from: *const u8,
    count: usize,
    numbers: &Numbers<'_>,
) {
    // SAFETY: as promised to this function.
    unsafe {
        T::load(steps.src, room, from, count);
        if steps.flags & AFFINE != 0 {
            T::affine(room, numbers, steps.flags);
        }
        if steps.flags & ADD_LAST != 0 {
            T::store_and_add(steps, room, to, count, numbers);
        } else {
            T::store(steps, room, to, count);
        }
    }
}

/// # Safety
/// As [`convert`]; there are lists.
#[inline(never)]
unsafe fn with_entries<T: Way>(
    to: *mut u8,
    from: *const u8,
    count: usize,
    how: &Conversion<'_>,
    lists: &[*const f32; 3],
) {
    let Conversion { steps, numbers, first, step, outer, .. } = *how;
    let inner = how.inner.max(1);
    let mut room = [T::default(); CHUNK];
    let mut entries = numbers.map(|number| [number as f32; CHUNK]);
    // Whole periods, and whole bytes of nibbles, so that what repeats is read once.
    let repeats = outer == 0 && inner <= CHUNK / 2;
    let chunk = if repeats { CHUNK / (2 * inner) * (2 * inner) } else { CHUNK };
    let (mut done, mut k, mut at) = (0, 0, first);
    while done < count {
        let now = chunk.min(count - done);
        for i in 0..if !repeats || done == 0 { now } else { 0 } {
            for (entries, list) in entries.iter_mut().zip(lists) {
                if let Some(entry) = entries.get_mut(i).filter(|_| !list.is_null()) {
                    // SAFETY: an entry of the list.
                    *entry = unsafe { list.wrapping_offset(at as isize).read_unaligned() };
                }
            }
            (k, at) = (k + 1, at.wrapping_add(step));
            if k == inner {
                (k, at) = (0, at.wrapping_sub(step.wrapping_mul(inner as i64)).wrapping_add(outer));
            }
        }
        // SAFETY: numbers of the run; a chunk begins with a byte.
        unsafe {
            let (to, from) =
                (to.wrapping_add(done * steps.dst.bits() / 8), from.wrapping_add(done * steps.src.bits() / 8));
            one_chunk(&steps, &mut room, to, from, now, &Numbers::Each(&entries));
        }
        done += now;
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

/// The same with the two nibbles of each byte, as the lower and the upper half of an i8 or u8.
macro_rules! load_nibbles {
    ($room:ident, $from:ident, $count:ident, |$x:ident: $t:ty| $number:expr) => {
        for (i, pair) in $room.as_chunks_mut::<2>().0.iter_mut().take($count.div_ceil(2)).enumerate() {
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

/// Writes nibbles, two to a byte; what lies behind the last one is unspecified.
macro_rules! store_nibbles {
    ($room:ident, $to:ident, $count:ident, |$x:ident| $number:expr) => {
        for (i, pair) in $room.as_chunks::<2>().0.iter().take($count.div_ceil(2)).enumerate() {
            let [low, high] = pair.map(|$x| $number as u8 & 15);
            // SAFETY: a byte of the numbers that may be written (caller).
            unsafe { $to.wrapping_add(i).write(low | high << 4) };
        }
    };
}

impl Way for f32 {
    #[inline(always)]
    unsafe fn load(kind: Kind, room: &mut [f32; CHUNK], from: *const u8, count: usize) {
        match kind {
            Kind::Pred => load!(room, from, count, |x: u8| (x != 0) as u8 as f32),
            Kind::S4 => load_nibbles!(room, from, count, |x: i8| x as f32),
            Kind::U4 => load_nibbles!(room, from, count, |x: u8| x as f32),
            Kind::S8 => load!(room, from, count, |x: i8| x as f32),
            Kind::U8 => load!(room, from, count, |x: u8| x as f32),
            Kind::S16 => load!(room, from, count, |x: i16| x as f32),
            Kind::U16 => load!(room, from, count, |x: u16| x as f32),
            Kind::E4m3fn => load!(room, from, count, |x: u8| of_e4m3fn(x)),
            Kind::E5m2 => load!(room, from, count, |x: u8| of_f16((x as u16) << 8)),
            Kind::F16 => load!(room, from, count, |x: u16| of_f16(x)),
            Kind::Bf16 => load!(room, from, count, |x: u16| quiet((x as u32) << 16)),
            Kind::F32 => load!(room, from, count, |x: u32| f32::from_bits(x)),
            // Their class is another one.
            Kind::S32 | Kind::U32 | Kind::S64 | Kind::U64 | Kind::F64 => {}
        }
    }

    #[inline(always)]
    fn affine(room: &mut [f32; CHUNK], numbers: &Numbers<'_>, flags: u32) {
        let result = |x: f32, [subtract, scale, add]: [f32; 3]| {
            let x = x - subtract;
            let x = if flags & DIVIDE != 0 { x / scale } else { x * scale };
            let x = if flags & ADD_LAST != 0 { x } else { x + add };
            if x.is_nan() { f32::from_bits(0x7FC0_0000) } else { x }
        };
        match numbers {
            Numbers::Same(numbers) => {
                let numbers = numbers.map(|number| number as f32);
                room.iter_mut().for_each(|x| *x = result(*x, numbers));
            }
            Numbers::Each([subtracts, scales, adds]) => {
                for (((x, &a), &b), &c) in room.iter_mut().zip(subtracts).zip(scales).zip(adds) {
                    *x = result(*x, [a, b, c]);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn store(steps: &Steps, room: &[f32; CHUNK], to: *mut u8, count: usize) {
        let (nearest, finite) = (steps.flags & NEAREST != 0, steps.flags & FINITE != 0);
        let whole = |x: f32| if nearest { round_f32(x) } else { x };
        match steps.dst {
            Kind::Pred => store!(room, to, count, |x| -> u8 { (x != 0.0) as u8 }),
            Kind::S4 => store_nibbles!(room, to, count, |x| (whole(x) as i32).clamp(-8, 7)),
            Kind::U4 => store_nibbles!(room, to, count, |x| (whole(x) as i32).clamp(0, 15)),
            Kind::S8 => store!(room, to, count, |x| -> i8 { (whole(x) as i32).clamp(-128, 127) as i8 }),
            Kind::U8 => store!(room, to, count, |x| -> u8 { (whole(x) as i32).clamp(0, 255) as u8 }),
            Kind::S16 => store!(room, to, count, |x| -> i16 { (whole(x) as i32).clamp(-32768, 32767) as i16 }),
            Kind::U16 => store!(room, to, count, |x| -> u16 { (whole(x) as i32).clamp(0, 65535) as u16 }),
            Kind::S32 => store!(room, to, count, |x| -> i32 { whole(x) as i32 }),
            Kind::U32 => store!(room, to, count, |x| -> u32 { whole(x) as u32 }),
            Kind::S64 => store!(room, to, count, |x| -> i64 { whole(x) as i64 }),
            Kind::U64 => store!(room, to, count, |x| -> u64 { whole(x) as u64 }),
            Kind::E4m3fn => store!(room, to, count, |x| -> u8 { narrowed::<3, 7>(x.to_bits(), finite) as u8 }),
            Kind::E5m2 => store!(room, to, count, |x| -> u8 { narrowed::<2, 15>(x.to_bits(), finite) as u8 }),
            Kind::F16 => store!(room, to, count, |x| -> u16 { narrowed::<10, 15>(x.to_bits(), finite) as u16 }),
            Kind::Bf16 => store!(room, to, count, |x| -> u16 { bf16(x.to_bits(), finite) }),
            Kind::F32 => store!(room, to, count, |x| -> u32 { finite_f32(x, finite).to_bits() }),
            // Its class is another one.
            Kind::F64 => {}
        }
    }

    #[inline(always)]
    unsafe fn store_and_add(steps: &Steps, room: &mut [f32; CHUNK], to: *mut u8, count: usize, numbers: &Numbers<'_>) {
        let nearest = steps.flags & NEAREST != 0;
        for (i, x) in room.iter_mut().take(count).enumerate() {
            let whole = if nearest { round_f32(*x) } else { truncated(*x as f64) as f32 };
            // The sum of two f32 is exact in f64, or far beyond 16 bits.
            let sum = if whole.is_nan() { 0.0 } else { whole as f64 } + number(numbers, 2, i);
            *x = sum.clamp(-1e6, 1e6) as f32;
        }
        // SAFETY: as promised to this function.
        unsafe { Self::store(steps, room, to, count) };
    }
}

/// Entry i of a number of the arithmetic.
#[inline(always)]
fn number(numbers: &Numbers<'_>, which: usize, i: usize) -> f64 {
    match numbers {
        Numbers::Same(same) => same.get(which).copied().unwrap_or(0.0),
        Numbers::Each(each) => each.get(which).and_then(|entries| entries.get(i)).map_or(0.0, |&entry| entry as f64),
    }
}

impl Way for f64 {
    #[inline(always)]
    unsafe fn load(kind: Kind, room: &mut [f64; CHUNK], from: *const u8, count: usize) {
        match kind {
            Kind::S32 => load!(room, from, count, |x: i32| x as f64),
            Kind::U32 => load!(room, from, count, |x: u32| x as f64),
            Kind::S64 => load!(room, from, count, |x: i64| x as f64),
            Kind::U64 => load!(room, from, count, |x: u64| x as f64),
            Kind::F64 => load!(room, from, count, |x: u64| f64::from_bits(x)),
            _ => {
                let mut narrow = [0f32; CHUNK];
                // SAFETY: as promised to this function.
                unsafe { <f32 as Way>::load(kind, &mut narrow, from, count) };
                for (slot, x) in room.iter_mut().zip(narrow) {
                    *slot = widened(x);
                }
            }
        }
    }

    #[inline(always)]
    fn affine(room: &mut [f64; CHUNK], numbers: &Numbers<'_>, flags: u32) {
        let result = |x: f64, [subtract, scale, add]: [f64; 3]| {
            let x = x - subtract;
            let x = if flags & DIVIDE != 0 { x / scale } else { x * scale };
            let x = if flags & ADD_LAST != 0 { x } else { x + add };
            if x.is_nan() { f64::from_bits(0x7FF8 << 48) } else { x }
        };
        match numbers {
            Numbers::Same(numbers) => room.iter_mut().for_each(|x| *x = result(*x, *numbers)),
            Numbers::Each([subtracts, scales, adds]) => {
                for (((x, &a), &b), &c) in room.iter_mut().zip(subtracts).zip(scales).zip(adds) {
                    *x = result(*x, [a as f64, b as f64, c as f64]);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn store(steps: &Steps, room: &[f64; CHUNK], to: *mut u8, count: usize) {
        let (nearest, finite) = (steps.flags & NEAREST != 0, steps.flags & FINITE != 0);
        let whole = |x: f64| if nearest { round_f64(x) } else { x };
        match steps.dst {
            Kind::Pred => store!(room, to, count, |x| -> u8 { (x != 0.0) as u8 }),
            Kind::S4 => store_nibbles!(room, to, count, |x| (whole(x) as i32).clamp(-8, 7)),
            Kind::U4 => store_nibbles!(room, to, count, |x| (whole(x) as i32).clamp(0, 15)),
            Kind::S8 => store!(room, to, count, |x| -> i8 { (whole(x) as i32).clamp(-128, 127) as i8 }),
            Kind::U8 => store!(room, to, count, |x| -> u8 { (whole(x) as i32).clamp(0, 255) as u8 }),
            Kind::S16 => store!(room, to, count, |x| -> i16 { (whole(x) as i32).clamp(-32768, 32767) as i16 }),
            Kind::U16 => store!(room, to, count, |x| -> u16 { (whole(x) as i32).clamp(0, 65535) as u16 }),
            Kind::S32 => store!(room, to, count, |x| -> i32 { whole(x) as i32 }),
            Kind::U32 => store!(room, to, count, |x| -> u32 { whole(x) as u32 }),
            Kind::S64 => store!(room, to, count, |x| -> i64 { whole(x) as i64 }),
            Kind::U64 => store!(room, to, count, |x| -> u64 { whole(x) as u64 }),
            Kind::E4m3fn => store!(room, to, count, |x| -> u8 { narrowed::<3, 7>(odd_of_f64(x), finite) as u8 }),
            Kind::E5m2 => store!(room, to, count, |x| -> u8 { narrowed::<2, 15>(odd_of_f64(x), finite) as u8 }),
            Kind::F16 => store!(room, to, count, |x| -> u16 { narrowed::<10, 15>(odd_of_f64(x), finite) as u16 }),
            Kind::Bf16 => store!(room, to, count, |x| -> u16 { bf16(odd_of_f64(x), finite) }),
            Kind::F32 => store!(room, to, count, |x| -> u32 { finite_f32(f32_of_f64(x), finite).to_bits() }),
            Kind::F64 => store!(room, to, count, |x| -> u64 { finite_f64(x, finite).to_bits() }),
        }
    }

    #[inline(always)]
    unsafe fn store_and_add(steps: &Steps, room: &mut [f64; CHUNK], to: *mut u8, count: usize, numbers: &Numbers<'_>) {
        let nearest = steps.flags & NEAREST != 0;
        let [least, most] = steps.dst.limits();
        let mut sums = [0i64; CHUNK];
        for (i, (slot, &x)) in sums.iter_mut().zip(room.iter()).take(count).enumerate() {
            let whole = if nearest { round_f64(x) } else { x };
            *slot = (whole as i128).saturating_add(number(numbers, 2, i) as i128).clamp(least, most) as i64;
        }
        // SAFETY: as promised to this function.
        unsafe { <i64 as Way>::store(&Steps { src: Kind::S64, flags: 0, ..*steps }, &sums, to, count) };
    }
}

impl Way for i64 {
    #[inline(always)]
    unsafe fn load(kind: Kind, room: &mut [i64; CHUNK], from: *const u8, count: usize) {
        match kind {
            Kind::Pred => load!(room, from, count, |x: u8| (x != 0) as i64),
            Kind::S4 => load_nibbles!(room, from, count, |x: i8| x as i64),
            Kind::U4 => load_nibbles!(room, from, count, |x: u8| x as i64),
            Kind::S8 => load!(room, from, count, |x: i8| x as i64),
            Kind::U8 => load!(room, from, count, |x: u8| x as i64),
            Kind::S16 => load!(room, from, count, |x: i16| x as i64),
            Kind::U16 => load!(room, from, count, |x: u16| x as i64),
            Kind::S32 => load!(room, from, count, |x: i32| x as i64),
            Kind::U32 => load!(room, from, count, |x: u32| x as i64),
            Kind::S64 | Kind::U64 => load!(room, from, count, |x: i64| x),
            // Their class is another one.
            _ => {}
        }
    }

    #[inline(always)]
    fn affine(_room: &mut [i64; CHUNK], _numbers: &Numbers<'_>, _flags: u32) {}

    #[inline(always)]
    unsafe fn store(steps: &Steps, room: &[i64; CHUNK], to: *mut u8, count: usize) {
        let (finite, unsigned) = (steps.flags & FINITE != 0, matches!(steps.src, Kind::U64));
        let mut fits;
        let mut room = room;
        if steps.flags & SATURATE != 0 && !steps.dst.is_float() && steps.dst != Kind::Pred {
            let [least, most] = steps.dst.limits();
            // The largest s64 and u64 fit the other one's low bits.
            let (least, most) = (least.max(i64::MIN as i128) as i64, most.min(u64::MAX as i128) as u64);
            fits = *room;
            for x in &mut fits {
                *x = match *x {
                    x if unsigned => (x as u64).min(most) as i64,
                    x if x < least => least,
                    x if x > 0 && x as u64 > most => most as i64,
                    x => x,
                };
            }
            room = &fits;
        }
        match steps.dst {
            Kind::Pred => store!(room, to, count, |x| -> u8 { (x != 0) as u8 }),
            Kind::S4 | Kind::U4 => store_nibbles!(room, to, count, |x| x),
            Kind::S8 | Kind::U8 => store!(room, to, count, |x| -> u8 { x as u8 }),
            Kind::S16 | Kind::U16 => store!(room, to, count, |x| -> u16 { x as u16 }),
            Kind::S32 | Kind::U32 => store!(room, to, count, |x| -> u32 { x as u32 }),
            Kind::S64 | Kind::U64 => store!(room, to, count, |x| -> i64 { x }),
            Kind::E4m3fn => {
                store!(room, to, count, |x| -> u8 { narrowed::<3, 7>(odd_of_i64(x, unsigned), finite) as u8 })
            }
            Kind::E5m2 => {
                store!(room, to, count, |x| -> u8 { narrowed::<2, 15>(odd_of_i64(x, unsigned), finite) as u8 })
            }
            Kind::F16 => {
                store!(room, to, count, |x| -> u16 { narrowed::<10, 15>(odd_of_i64(x, unsigned), finite) as u16 })
            }
            Kind::Bf16 => store!(room, to, count, |x| -> u16 { bf16(odd_of_i64(x, unsigned), finite) }),
            Kind::F32 if unsigned => store!(room, to, count, |x| -> u32 { (x as u64 as f32).to_bits() }),
            Kind::F32 => store!(room, to, count, |x| -> u32 { (x as f32).to_bits() }),
            Kind::F64 if unsigned => store!(room, to, count, |x| -> u64 { (x as u64 as f64).to_bits() }),
            Kind::F64 => store!(room, to, count, |x| -> u64 { (x as f64).to_bits() }),
        }
    }

    #[inline(always)]
    unsafe fn store_and_add(_: &Steps, _: &mut [i64; CHUNK], _: *mut u8, _: usize, _: &Numbers<'_>) {}
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
fn narrowed<const MANTISSA: u32, const BIAS: u32>(bits: u32, finite: bool) -> u32 {
    let (shift, exponents) = (23 - MANTISSA, if BIAS == 7 { 4 } else { 5 });
    let (sign, all) = (bits >> 31 << (MANTISSA + exponents), bits & 0x7FFF_FFFF);
    let odd = all >> shift & 1;
    let normal = all.wrapping_sub((127 - BIAS) << 23).wrapping_add((1 << (shift - 1)) - 1 + odd) >> shift;
    let place = (127 - BIAS + 1 + shift) << 23;
    let subnormal = (f32::from_bits(all) + f32::from_bits(place)).to_bits().wrapping_sub(place);
    let rounded = if all < (128 - BIAS) << 23 { subnormal } else { normal };
    // Infinity, or of f8e4m3fn NaN.
    let over = if BIAS == 7 { 0x7F } else { 31 << MANTISSA };
    let number = rounded.min(if finite { over - 1 } else { over });
    let nan = if BIAS == 7 { over } else { over | 1 << (MANTISSA - 1) | all >> shift & ((1 << MANTISSA) - 1) };
    sign | if all > 0x7F80_0000 { nan } else { number }
}

/// The same for a bf16.
#[inline(always)]
fn bf16(bits: u32, finite: bool) -> u16 {
    let (sign, all) = (bits >> 16 & 0x8000, bits & 0x7FFF_FFFF);
    let rounded = (all + 0x7FFF + (all >> 16 & 1)) >> 16;
    let number = rounded.min(if finite { 0x7F7F } else { 0x7F80 });
    (sign | if all > 0x7F80_0000 { all >> 16 | 0x40 } else { number }) as u16
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

#[inline(always)]
fn finite_f32(x: f32, finite: bool) -> f32 {
    if finite && !x.is_nan() { x.clamp(f32::MIN, f32::MAX) } else { x }
}

#[inline(always)]
fn finite_f64(x: f64, finite: bool) -> f64 {
    if finite && !x.is_nan() { x.clamp(f64::MIN, f64::MAX) } else { x }
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

/// Toward zero, of numbers whose size fits 64 bits; the others have no fraction.
#[inline(always)]
fn truncated(x: f64) -> f64 {
    if x.abs() < 4_503_599_627_370_496.0 { x as i64 as f64 } else { x }
}
