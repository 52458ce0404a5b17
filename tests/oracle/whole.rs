//! One copy between two objects, held against the naive loop: by one call, a plan, its parts in random order, and with
//! a buffer that is a byte short. Whole allocations are compared.

use super::seen::{Object, Seen, Sight, Structs, copy, fill_buffer};
use super::{DEFAULTS, NO_ERROR, Random};
use stride::error::Status;
use stride::ffi::copy::*;
use stride::ffi::plan::*;
use stride::ffi::sides::*;
use stride::model::Dtype;

/// What there was before the copy and what is expected after it, with the plan.
pub struct Copied {
    pub flags: u32,
    pub plan: stride_plan,
    pub from: Vec<u8>,
    pub before: Vec<u8>,
    pub expected: Vec<u8>,
}

/// `None` where a buffer would have more than `most` bytes.
pub fn copied(random: &mut Random, [dst, src]: [&Object; 2], dtype: Dtype, most: usize) -> Option<Copied> {
    let flags = random.pick(&[0, 0, 0, STRIDE_COPY_ASSUME_DISTINCT, STRIDE_COPY_FILL_BUFFER]);
    let mut fill = [0; 16];
    fill.copy_from_slice(&random.bytes(16));
    let options = stride_copy_options { flags, cpu_level: random.below(6) as u32, fill, ..DEFAULTS };
    let case = || format!("{dtype:?} flags {flags} {dst:?} {src:?}");

    let [dst, src] = [dst, src].map(|object| Seen { object: object.clone(), dtype, sight: Sight::Plain });
    let (dst_bytes, src_bytes) = (dst.bytes(), src.bytes());
    if dst_bytes.max(src_bytes) > most {
        return None;
    }
    let (before, from) = (random.bytes(dst_bytes + 64), random.bytes(src_bytes + 64));
    let (mut expected, places) = (before.clone(), dst.places());
    if flags & STRIDE_COPY_FILL_BUFFER != 0 {
        fill_buffer(&mut expected[..dst_bytes], dtype, &fill);
    }
    copy((&mut expected, &places, dtype), (&from, &src.places(), dtype), &fill);
    let (to_side, from_side) = (Structs::new(&dst), Structs::new(&src));
    let (to_side, from_side) = (to_side.side(), from_side.side());
    let (d, s, at) = (dst_bytes as u64, src_bytes as u64, from.as_ptr().cast());
    let mut error = NO_ERROR;

    let mut once = before.clone();
    // SAFETY: both allocations hold the bytes that the lengths name.
    let status =
        unsafe { stride_copy_sides(to_side, once.as_mut_ptr().cast(), d, from_side, at, s, &options, &mut error) };
    assert_eq!(status, 0, "{error:?} {}", case());
    assert!(once == expected, "one call, {}", case());

    let mut plan = stride_plan { words: [0xEEEE_EEEE_EEEE_EEEE; 512] };
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init_sides(&mut plan, to_side, from_side, &options, &mut error) };
    assert_eq!(status, 0, "{error:?} {}", case());
    let mut planned = before.clone();
    // SAFETY: as above.
    let status = unsafe { stride_plan_execute(&plan, planned.as_mut_ptr().cast(), d, at, s, &mut error) };
    assert_eq!(status, 0, "{error:?} {}", case());
    assert!(planned == expected, "plan, {}", case());
    if let Some(&last) = places.iter().flatten().max() {
        let short = (last + 1) as u64 * (dtype.bits() as u64 / 8) - 1;
        // SAFETY: as above.
        let status = unsafe { stride_plan_execute(&plan, planned.as_mut_ptr().cast(), short, at, s, &mut error) };
        assert_eq!(status, Status::OutOfBounds.number(), "a byte short, {}", case());
        assert!(planned == expected, "nothing is written before, {}", case());
    }

    let mut order: Vec<u32> = (0..random.pick(&[2, 3, 7])).collect();
    let parts = order.len() as u32;
    random.shuffle(&mut order);
    let mut joined = before.clone();
    for part in order {
        // SAFETY: as above.
        let status =
            unsafe { stride_plan_execute_part(&plan, joined.as_mut_ptr().cast(), d, at, s, part, parts, &mut error) };
        assert_eq!(status, 0, "{error:?} {}", case());
    }
    assert!(joined == expected, "parts, {}", case());
    Some(Copied { flags, plan, from, before, expected })
}
