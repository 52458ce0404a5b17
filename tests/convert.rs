//! Conversions of runs, held against exact arithmetic: every number of 4, 8 and 16 bits, and of wider ones those around
//! which roundings change.
#![allow(clippy::unwrap_used)]

mod oracle;

use oracle::Random;
use stride::copy::conversion::{ADD_LAST, AFFINE, DIVIDE, FINITE, Kind, NEAREST, SATURATE, Steps};
use stride::copy::kernels::converter;
use stride::copy::kernels::number_runs::{NumberRuns, Pass};
use stride::copy::loops::Loop;
use stride::machine::Level;

const KINDS: [Kind; 17] = [
    Kind::Pred,
    Kind::S4,
    Kind::U4,
    Kind::S8,
    Kind::U8,
    Kind::S16,
    Kind::U16,
    Kind::S32,
    Kind::U32,
    Kind::S64,
    Kind::U64,
    Kind::E4m3fn,
    Kind::E5m2,
    Kind::F16,
    Kind::Bf16,
    Kind::F32,
    Kind::F64,
];

/// A number, exactly: `size · 2^exponent`.
#[derive(Clone, Copy, Debug)]
enum Number {
    /// The payload's leading bits as those of an f64.
    Nan {
        negative: bool,
        payload: u64,
    },
    Infinite {
        negative: bool,
    },
    Finite {
        negative: bool,
        size: u128,
        exponent: i32,
    },
}

/// Bits of the mantissa and the bias of a float.
fn form(kind: Kind) -> (u32, i32) {
    match kind {
        Kind::E4m3fn => (3, 7),
        Kind::E5m2 => (2, 15),
        Kind::F16 => (10, 15),
        Kind::Bf16 => (7, 127),
        Kind::F32 => (23, 127),
        Kind::F64 => (52, 1023),
        _ => unreachable!(),
    }
}

fn is_signed(kind: Kind) -> bool {
    matches!(kind, Kind::S4 | Kind::S8 | Kind::S16 | Kind::S32 | Kind::S64)
}

fn read(kind: Kind, bits: u64) -> Number {
    let width = kind.bits() as u32;
    if !kind.is_float() {
        let value = match kind {
            Kind::Pred => i128::from(bits != 0),
            _ if is_signed(kind) => ((bits as i64) << (64 - width) >> (64 - width)) as i128,
            _ => bits as i128,
        };
        return Number::Finite { negative: value < 0, size: value.unsigned_abs(), exponent: 0 };
    }
    let (mantissa, bias) = form(kind);
    let negative = bits >> (width - 1) & 1 == 1;
    let exponents = (1u64 << (width - 1 - mantissa)) - 1;
    let (exponent, fraction) = (bits >> mantissa & exponents, bits & ((1 << mantissa) - 1));
    if kind == Kind::E4m3fn && bits & 0x7F == 0x7F {
        return Number::Nan { negative, payload: 0 };
    }
    if kind != Kind::E4m3fn && exponent == exponents {
        return match fraction {
            0 => Number::Infinite { negative },
            _ => Number::Nan { negative, payload: fraction << (52 - mantissa) },
        };
    }
    let (size, place) = if exponent == 0 { (fraction, 1) } else { (fraction | 1 << mantissa, exponent as i32) };
    Number::Finite { negative, size: size as u128, exponent: place - bias - mantissa as i32 }
}

/// `size · 2^exponent` as an integer, rounded to nearest even or toward zero; saturated.
fn whole(size: u128, exponent: i32, nearest: bool) -> i128 {
    if exponent >= 0 {
        return if size == 0 {
            0
        } else {
            size.checked_shl(exponent as u32)
                .filter(|all| exponent < 64 && all >> exponent == size)
                .map_or(i128::MAX, |all| all as i128)
        };
    }
    let places = exponent.unsigned_abs();
    if places > 126 {
        return 0;
    }
    let (floor, rest, half) = (size >> places, size & ((1 << places) - 1), 1u128 << (places - 1));
    let up = nearest && (rest > half || rest == half && floor & 1 == 1);
    (floor + u128::from(up)) as i128
}

fn to_float(kind: Kind, number: Number, finite: bool) -> u64 {
    let ((mantissa, bias), width) = (form(kind), kind.bits() as u32);
    let sign = |negative: bool| u64::from(negative) << (width - 1);
    let exponents = (1u64 << (width - 1 - mantissa)) - 1;
    let infinity = exponents << mantissa;
    let over = if kind == Kind::E4m3fn { 0x7F } else { infinity };
    let over = if finite { over - 1 } else { over };
    match number {
        Number::Nan { negative, .. } if kind == Kind::E4m3fn => sign(negative) | 0x7F,
        Number::Nan { negative, payload } => {
            sign(negative) | infinity | 1 << (mantissa - 1) | payload >> (52 - mantissa)
        }
        Number::Infinite { negative } => sign(negative) | over,
        Number::Finite { negative, size: 0, .. } => sign(negative),
        Number::Finite { negative, size, exponent } => {
            // The place of the last bit of the result.
            let top = 127 - size.leading_zeros() as i32 + exponent;
            let last = (top - mantissa as i32).max(1 - bias - mantissa as i32);
            let rounded = whole(size, exponent - last, true) as u64;
            // A subnormal has no hidden bit; a carry goes into the exponent.
            let biased = (last + mantissa as i32 + bias) as i128;
            let bits = ((biased - 1) << mantissa) + i128::from(rounded);
            sign(negative) | if bits >= i128::from(over) { over } else { bits as u64 }
        }
    }
}

/// What becomes of a number by value.
fn expected(dst: Kind, src: Kind, bits: u64, flags: u32) -> u64 {
    let number = read(src, bits);
    if dst.is_float() {
        return to_float(dst, number, flags & FINITE != 0);
    }
    let mask = if dst.bits() == 64 { u64::MAX } else { (1 << dst.bits()) - 1 };
    let [least, most] = dst.limits();
    let signed = |negative: bool, size: i128| if negative { -size } else { size };
    match number {
        Number::Nan { .. } => u64::from(dst == Kind::Pred),
        Number::Infinite { .. } if dst == Kind::Pred => 1,
        Number::Infinite { negative } => (if negative { least } else { most }) as u64 & mask,
        Number::Finite { size, .. } if dst == Kind::Pred => u64::from(size != 0),
        Number::Finite { negative, size, exponent } => {
            let value = signed(negative, whole(size, exponent, flags & NEAREST != 0));
            let saturates = src.is_float() || flags & SATURATE != 0;
            (if saturates { value.clamp(least, most) } else { value }) as u64 & mask
        }
    }
}

/// The numbers of a kind that are tried: all, or those around roundings.
fn samples(kind: Kind, random: &mut Random) -> Vec<u64> {
    let width = kind.bits();
    if width <= 16 {
        return (0..1u64 << width).collect();
    }
    let mut all = vec![0, 1, 2, 3];
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    if kind.is_float() {
        let (mantissa, bias) = form(kind);
        // Every exponent with the fractions at which narrower floats and integers round, and their neighbours.
        for exponent in 0..1u64 << (width as u32 - 1 - mantissa) {
            let far = (exponent as i64 - i64::from(bias)).abs() > 160;
            if far && exponent % 97 != 0 {
                continue;
            }
            for kept in [0, 1, 2, 3, 6, 7, 10, 14, 22, 23].into_iter().filter(|&kept| kept < mantissa) {
                for odd in [0, 1] {
                    let place = mantissa - kept;
                    let tie = (odd << place | 1 << (place - 1)) & ((1 << mantissa) - 1);
                    all.extend([tie - 1, tie, tie + 1].map(|fraction| exponent << mantissa | fraction));
                    let ones = ((1u64 << mantissa) - 1) & !((1 << place) - 1) | 1 << (place - 1);
                    all.extend([ones - 1, ones, ones + 1].map(|fraction| exponent << mantissa | fraction));
                }
            }
        }
    } else {
        for top in 0..width as u32 {
            for kept in [1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 23, 24, 25, 52, 53, 54] {
                let low = top.saturating_sub(kept);
                for tie in [1u64 << top, 1 << top | 1 << low, 1 << top | 3 << low, 1 << top | 1 << low | 1] {
                    all.extend([tie.wrapping_sub(1), tie, tie.wrapping_add(1), tie.wrapping_neg()]);
                }
            }
        }
    }
    all.extend((0..4000).map(|_| (random.below(1 << 32) as u64) << 32 | random.below(1 << 32) as u64));
    let signs = if kind.is_float() { 1u64 << (width - 1) } else { 0 };
    let both: Vec<u64> = all.iter().flat_map(|bits| [bits & mask, (bits | signs) & mask]).collect();
    both
}

/// The numbers as memory.
fn packed(kind: Kind, numbers: &[u64]) -> Vec<u8> {
    match kind.bits() {
        4 => numbers.chunks(2).map(|pair| (pair[0] | pair.get(1).unwrap_or(&0) << 4) as u8).collect(),
        bits => numbers.iter().flat_map(|number| number.to_le_bytes()[..bits / 8].to_vec()).collect(),
    }
}

fn unpacked(kind: Kind, memory: &[u8], at: usize) -> u64 {
    match kind.bits() {
        4 => u64::from(memory[at / 2] >> (at % 2 * 4) & 15),
        bits => {
            let bytes = &memory[at * bits / 8..][..bits / 8];
            bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
        }
    }
}

fn levels() -> impl Iterator<Item = Level> {
    [Level::Scalar, Level::Avx2, Level::Avx512].into_iter().filter(|level| level.is_here())
}

/// Runs the kernel of a level.
fn run(level: Level, how: &NumberRuns<'_>, from: &[u8], count: usize) -> Vec<u8> {
    let mut to = vec![0xA5; (count * how.steps.dst.bits()).div_ceil(8)];
    // SAFETY: both sides have `count` numbers; the level was checked.
    unsafe { converter(level)(to.as_mut_ptr(), from.as_ptr(), count, how, &mut Pass::NEW.clone()) };
    to
}

fn alone(steps: Steps, numbers: [f64; 3]) -> NumberRuns<'static> {
    NumberRuns { steps, numbers, lists: None, first: 0, inner: 1, step: 0, outer: 0, runs: Loop::ONCE }
}

#[test]
#[cfg_attr(miri, ignore = "too many numbers")]
fn every_pair_by_value() {
    let mut random = Random::new(7);
    for src in KINDS {
        let numbers = samples(src, &mut random);
        let from = packed(src, &numbers);
        for dst in KINDS.into_iter().filter(|&dst| dst != src) {
            for flags in [0, NEAREST, SATURATE | FINITE, NEAREST | SATURATE | FINITE] {
                let how = alone(Steps::of(dst, src, flags), [0.0, 1.0, 0.0]);
                for level in levels() {
                    let to = run(level, &how, &from, numbers.len());
                    for (at, &bits) in numbers.iter().enumerate() {
                        let (is, must) = (unpacked(dst, &to, at), expected(dst, src, bits, flags));
                        assert_eq!(
                            is, must,
                            "{src:?} {bits:#x} to {dst:?} by flags {flags}, {level:?}: {is:#x}, not {must:#x}"
                        );
                    }
                }
            }
        }
    }
}

/// The arithmetic of one number, as its rule says it.
fn affine(dst: Kind, src: Kind, bits: u64, flags: u32, [subtract, scale, add]: [f64; 3]) -> u64 {
    let wide = |kind| matches!(kind, Kind::S32 | Kind::U32 | Kind::S64 | Kind::U64 | Kind::F64);
    let operate = |x: f64, one: &dyn Fn(f64) -> f64| {
        let x = one(x - subtract);
        let x = one(if flags & DIVIDE != 0 { x / scale } else { x * scale });
        if flags & ADD_LAST != 0 { x } else { one(x + add) }
    };
    let in_f64 = f64::from_bits(to_float(Kind::F64, read(src, bits), false));
    let (kind, result) = if wide(dst) || wide(src) {
        (Kind::F64, operate(in_f64, &|x| x))
    } else {
        // One operation of f32 is that of f64, rounded: the sum, product and quotient of two f32.
        (Kind::F32, operate(in_f64, &|x| f64::from(x as f32)))
    };
    let bits = match kind {
        Kind::F64 if result.is_nan() => 0x7FF8 << 48,
        Kind::F64 => result.to_bits(),
        _ if result.is_nan() => 0x7FC0_0000,
        _ => u64::from((result as f32).to_bits()),
    };
    if flags & ADD_LAST == 0 || dst.is_float() {
        return expected(dst, kind, bits, flags);
    }
    let [least, most] = dst.limits();
    let whole = match read(kind, bits) {
        Number::Nan { .. } => 0,
        Number::Infinite { negative } => {
            if negative {
                i128::MIN
            } else {
                i128::MAX
            }
        }
        Number::Finite { negative, size, exponent } => {
            let size = whole(size, exponent, flags & NEAREST != 0);
            if negative { -size } else { size }
        }
    };
    let mask = if dst.bits() == 64 { u64::MAX } else { (1 << dst.bits()) - 1 };
    whole.saturating_add(add as i128).clamp(least, most) as u64 & mask
}

#[test]
#[cfg_attr(miri, ignore = "too many numbers")]
fn every_pair_with_arithmetic() {
    let mut random = Random::new(8);
    for src in KINDS {
        let mut numbers = samples(src, &mut random);
        numbers = numbers.iter().copied().step_by(1 + numbers.len() / 3000).collect();
        let from = packed(src, &numbers);
        for dst in KINDS {
            for flags in [0, DIVIDE, NEAREST, NEAREST | ADD_LAST, DIVIDE | ADD_LAST | NEAREST, FINITE, ADD_LAST] {
                let flags = flags | AFFINE;
                if flags & ADD_LAST != 0 && (dst.is_float() || dst == Kind::Pred) {
                    continue;
                }
                let (third, most) = (f64::from(1.0f32 / 3.0), f64::from(f32::MAX));
                // The last ones make NaNs of finite numbers.
                for constants in [
                    [0.0, 1.0, 0.0],
                    [127.0, third, 5.0],
                    [-0.5, -0.125, -3.0],
                    [0.0, 0.0, -0.0],
                    [most, most, f64::INFINITY],
                ] {
                    if flags & ADD_LAST != 0 && constants[2].is_infinite() {
                        continue;
                    }
                    let how = alone(Steps::of(dst, src, flags), constants);
                    for level in levels() {
                        let to = run(level, &how, &from, numbers.len());
                        for (at, &bits) in numbers.iter().enumerate() {
                            let (is, must) = (unpacked(dst, &to, at), affine(dst, src, bits, flags, constants));
                            assert_eq!(
                                is, must,
                                "{src:?} {bits:#x} to {dst:?}, flags {flags}, {constants:?}, {level:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn lists_give_each_number_its_entries() {
    let mut random = Random::new(9);
    let list: Vec<Vec<f32>> =
        (0..3).map(|_| (0..4000).map(|_| random.below(64) as f32 / 8.0 - 3.0).collect()).collect();
    for (src, dst) in [(Kind::U8, Kind::F32), (Kind::S4, Kind::F16), (Kind::F32, Kind::S4), (Kind::S32, Kind::F64)] {
        let counts: &[usize] = if cfg!(miri) { &[3, 129] } else { &[1, 2, 3, 7, 64, 127, 128, 129, 300, 1000] };
        for &count in counts {
            let numbers: Vec<u64> = (0..count).map(|_| random.below(1 << src.bits().min(16)) as u64).collect();
            let from = packed(src, &numbers);
            for (inner, step, outer) in
                [(1, 0, 1), (3, 1, 0), (3, 1, 2), (64, 0, 1), (1000, 1, 0), (5, -1, 3), (128, 2, 0), (4000, 0, 0)]
            {
                for given in (0..8usize).step_by(if cfg!(miri) { 7 } else { 1 }) {
                    let lists: [*const f32; 3] =
                        [0, 1, 2].map(|k| if given >> k & 1 == 1 { list[k].as_ptr() } else { std::ptr::null() });
                    let constants = [0.25, -2.0, 1.0];
                    let how = NumberRuns {
                        lists: Some(&lists),
                        first: 10,
                        inner,
                        step,
                        outer,
                        ..alone(Steps::of(dst, src, AFFINE), constants)
                    };
                    for level in levels() {
                        let to = run(level, &how, &from, count);
                        for (at, &bits) in numbers.iter().enumerate() {
                            let entry = 10 + (at % inner) as i64 * step + (at / inner) as i64 * outer;
                            let mine = [0, 1, 2].map(|k| {
                                if given >> k & 1 == 1 { f64::from(list[k][entry as usize]) } else { constants[k] }
                            });
                            let (is, must) = (unpacked(dst, &to, at), affine(dst, src, bits, AFFINE, mine));
                            assert_eq!(
                                is, must,
                                "{src:?} to {dst:?}, {at} of {count}, {inner} {step} {outer}, {level:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}
