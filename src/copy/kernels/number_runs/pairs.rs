//! The commonest pairs of dtypes: one loop each, without a stop on the way.

use super::Numbers;
use super::floats::{bf16, quiet, s32_of_f32};
use crate::copy::conversion::{AFFINE, Kind, Steps};
use crate::copy::loops::Loop;

/// Converts runs of the commonest pairs, two to three times as fast as in passes. `false` for all others.
///
/// # Safety
/// As [`Convert`](super::Convert), for at most a pass if each number has its entries.
#[inline(always)]
pub(in super::super) unsafe fn convert_direct(
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
                    // SAFETY: K3: a number on each side; its entries, if it has any.
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
    // With the same numbers for all, or with entries for each number of a pass.
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
