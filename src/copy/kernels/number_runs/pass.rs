//! One pass of a conversion: numbers are loaded, go through the arithmetic in L1, and are stored.

use super::Numbers;
use super::floats::{
    between, bf16, f32_of_f64, floats_of, narrowed, odd_of_f64, of_e4m3fn, of_f16, quiet, round_f32, round_f64,
    s32_of_f32, sum_of, widened,
};
use crate::copy::conversion::{ADD_LAST, AFFINE, Class, DIVIDE, FINITE, Kind, NEAREST, SATURATE, Steps};

/// Numbers of a pass.
pub(super) const PASS: usize = 128;
/// All loops run over a multiple of this many, so that the compiler needs no second loop for a rest.
const STEP: usize = 64;

/// The numbers of a pass, by their class.
#[derive(Clone, Copy, Debug)]
struct Rooms {
    narrow: [f32; PASS],
    wide: [f64; PASS],
    whole: [i64; PASS],
}

/// The memory of a pass. (Made once for many runs: to clear it takes as long as a pass.)
#[repr(align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    rooms: Rooms,
    /// The numbers of a run after its whole steps, of either side.
    rest: [u8; 8 * STEP],
}

impl Pass {
    /// Zeros.
    pub const NEW: Self =
        Self { rooms: Rooms { narrow: [0.0; PASS], wide: [0.0; PASS], whole: [0; PASS] }, rest: [0; 8 * STEP] };
}

/// Converts a pass: whole steps from where they are, the rest by way of the stack.
///
/// # Safety
/// As [`Convert`](super::Convert), for at most [`PASS`] numbers.
#[inline(never)] // one for all instruction sets
pub(super) unsafe fn convert_pass(
    to: *mut u8,
    from: *const u8,
    count: usize,
    steps: &Steps,
    numbers: &Numbers<'_>,
    pass: &mut Pass,
) {
    let (dst_bits, src_bits) = (steps.dst.bits(), steps.src.bits());
    let whole = count & !(STEP - 1);
    let mut begin = 0;
    while begin < count {
        // All whole steps, then the rest.
        let is_rest = begin == whole;
        let now = if is_rest { count - begin } else { whole };
        let (target, source) = (to.wrapping_add(begin * dst_bits / 8), from.wrapping_add(begin * src_bits / 8));
        let Pass { rooms, rest } = &mut *pass;
        let rest = rest.as_mut_ptr();
        // SAFETY: K3: numbers of the pass. `rest` has room for a step, and is not among the rooms that are lent.
        unsafe {
            let (mut to, mut from) = (target, source);
            if is_rest {
                core::ptr::copy(source, rest, (now * src_bits).div_ceil(8));
                (to, from) = (rest, rest.cast_const());
            }
            convert_steps(to, from, begin, now.next_multiple_of(STEP), steps, numbers, rooms);
            if is_rest {
                core::ptr::copy(rest, target, (now * dst_bits).div_ceil(8));
            }
        }
        begin += now;
    }
}

/// Calls `$number` with each number of type $t at $from; the results go to $room.
macro_rules! load {
    ($room:ident, $from:ident, $count:ident, |$x:ident: $t:ty| $number:expr) => {
        for (i, slot) in $room.iter_mut().take($count).enumerate() {
            // SAFETY: K3: a number that may be read.
            let $x = unsafe { $from.cast::<$t>().wrapping_add(i).read_unaligned() };
            *slot = $number;
        }
    };
}

/// Calls `$number` with the two nibbles of each byte, as numbers of type $t; the results go to $room.
macro_rules! load_nibbles {
    ($room:ident, $from:ident, $count:ident, |$x:ident: $t:ty| $number:expr) => {
        for (i, pair) in $room.as_chunks_mut::<2>().0.iter_mut().take($count / 2).enumerate() {
            // SAFETY: K3: a byte of the numbers that may be read.
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
            // SAFETY: K3: a number that may be written.
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

/// Converts whole steps, the first of which begins at number `begin` of the pass.
///
/// # Safety
/// As [`Convert`](super::Convert).
#[inline(always)]
unsafe fn convert_steps(
    to: *mut u8,
    from: *const u8,
    begin: usize,
    count: usize,
    steps: &Steps,
    numbers: &Numbers<'_>,
    Rooms { narrow, wide, whole }: &mut Rooms,
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
    // Floats saturate; integers if their flags say so.
    if (class != Class::Integer || flags & SATURATE != 0) && !matches!(dst, Kind::Pred | Kind::S64 | Kind::U64) {
        let [least, most] = dst.limits().map(|limit| limit as i64);
        if src == Kind::U64 && class == Class::Integer {
            whole.iter_mut().take(count).for_each(|x| *x = (*x as u64).min(most as u64) as i64);
        } else {
            whole.iter_mut().take(count).for_each(|x| *x = (*x).max(least).min(most));
        }
    } else if class == Class::Integer && flags & SATURATE != 0 && (src == Kind::U64) != (dst == Kind::U64) {
        // Between s64 and u64, the numbers that the other one does not have.
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
                // SAFETY: K3: a byte of the numbers that may be written.
                unsafe { to.wrapping_add(i).write(low as u8 & 15 | (high as u8) << 4) };
            }
        }
        Kind::S8 | Kind::U8 => store!(whole, to, count, |x| -> u8 { x as u8 }),
        Kind::S16 | Kind::U16 => store!(whole, to, count, |x| -> u16 { x as u16 }),
        Kind::S32 | Kind::U32 => store!(whole, to, count, |x| -> u32 { x as u32 }),
        _ => store!(whole, to, count, |x| -> i64 { x }),
    }
}
