//! Small plans, which bring their own tables: each at the ends of pages, every byte around it compared; and forged
//! tables, which may write wrong bytes but touch nothing outside of the two buffers.

use crate::guarded::Guarded;
use crate::oracle::{self, DEFAULTS, Random, Side, bytes_dtype};
use std::ptr::null_mut;
use stride::copy::kernels::KERNELS;
use stride::copy::words::HEADER;
use stride::error::Status;
use stride::ffi::copy::*;
use stride::ffi::plan::*;
use stride::ffi::status::*;
use stride::machine::Level;

const NO_PLAN: stride_plan = stride_plan { words: [0; 512] };

/// Kinds of shortcuts, as the upper quarter of a plan's second word tells them.
const KINDS: usize = 3;

struct Small {
    width: usize,
    dst: Side,
    src: Side,
    plan: stride_plan,
}

impl Small {
    fn random(random: &mut Random) -> Self {
        // Much below 256 bytes, and transposes of up to 64 rows and columns.
        let sizes = match random.one_in(3) {
            true => [if cfg!(miri) { 20 } else { 64 }; 2].map(|most| 1 + random.below(most)).to_vec(),
            false => {
                let mut room = 256 / random.pick(&[1, 2, 4, 8]);
                (0..random.below(7))
                    .map(|_| {
                        let size = 1 + random.below((room as u64).min(17));
                        room = (room / size).max(1);
                        size
                    })
                    .collect()
            }
        };
        let width = random.pick(&[1, 2, 3, 4, 5, 8, 12, 16, 31]);
        let dst = Side::new(&sizes, &oracle::distinct_strides(random, &sizes), random.below(3));
        let src = Side::new(&sizes, &oracle::source_strides(random, &sizes), random.below(3));
        let mut plan = NO_PLAN;
        let (to, from) = (dst.layout(bytes_dtype(width)), src.layout(bytes_dtype(width)));
        let options = stride_copy_options { cpu_level: random.below(Level::COUNT as u64) as u32, ..DEFAULTS };
        // SAFETY: plain structs.
        let status = unsafe { stride_plan_init(&mut plan, &to, &from, &options, null_mut()) };
        assert_eq!(status, Status::Ok.number(), "{dst:?} {src:?}");
        Self { width, dst, src, plan }
    }

    fn kind(&self) -> usize {
        stride::copy::words::kind_in_use(self.plan.words[1]) as usize
    }

    fn bytes(&self) -> (usize, usize) {
        (self.dst.extent() as usize * self.width, self.src.extent() as usize * self.width)
    }
}

/// Two buffers of exactly so many bytes, each at one end of its pages.
fn between_pages<'a>(
    random: &mut Random,
    pages: &'a mut [Guarded; 2],
    (dst_bytes, src_bytes): (usize, usize),
) -> (&'a mut [u8], &'a mut [u8]) {
    let [to, from] = pages;
    (to.buffer(dst_bytes, random.one_in(2)), from.buffer(src_bytes, random.one_in(2)))
}

fn execute(plan: &stride_plan, dst: &mut [u8], src: &[u8]) -> stride_status {
    let (dst_bytes, src_bytes) = (dst.len() as u64, src.len() as u64);
    // SAFETY: both buffers hold as many bytes as the lengths say.
    unsafe { stride_plan_execute(plan, dst.as_mut_ptr().cast(), dst_bytes, src.as_ptr().cast(), src_bytes, null_mut()) }
}

#[test]
fn small_plans_touch_their_elements_alone() {
    let (mut random, mut kinds) = (Random::new(20), [0; KINDS]);
    let mut pages = [Guarded::new(1 << 20), Guarded::new(1 << 20)];
    for _ in 0..crate::oracle::times(64_000) {
        let small = Small::random(&mut random);
        kinds[small.kind()] += 1;
        let bytes = small.bytes();
        let (dst, src) = between_pages(&mut random, &mut pages, bytes);
        src.copy_from_slice(&random.bytes(bytes.1));
        dst.copy_from_slice(&random.bytes(bytes.0));
        let mut expected = dst.to_vec();
        oracle::copy(&mut expected, &small.dst, src, &small.src, small.width);
        assert_eq!(execute(&small.plan, dst, src), Status::Ok.number());
        assert!(dst == expected, "elements of {}: {:?} {:?}", small.width, small.dst, small.src);
        // A byte less on either side is refused, and nothing is written.
        let before = dst.to_vec();
        if small.dst.offsets().len() > 1 && bytes.0 > 0 && bytes.1 > 0 {
            src.fill(1);
            let (dst_bytes, src_bytes) = (bytes.0 - 1, bytes.1 - 1);
            assert_eq!(execute(&small.plan, &mut dst[..dst_bytes], src), Status::OutOfBounds.number());
            assert_eq!(execute(&small.plan, dst, &src[..src_bytes]), Status::OutOfBounds.number());
            assert!(dst == before);
        }
    }
    let least = if cfg!(miri) {
        [0; KINDS]
    } else if Level::best() == Level::Avx512 {
        [5_000, 5_000, 4_000]
    } else {
        [5_000, 0, 5_000]
    };
    assert!(kinds.iter().zip(least).all(|(kind, least)| *kind >= least), "{kinds:?}");
}

/// The quick way asks for nothing that it has no use for. The long way takes no words for a plan that fill with a
/// period of 0, so that these tell which way a copy goes.
#[test]
fn small_plans_go_the_quick_way() {
    const PERIOD: usize = 7;
    // Sizes, strides of both sides and bytes of an element; how many loops the plan has.
    type Case<'a> = (&'a [i64], &'a [i64], &'a [i64], usize, u64);
    let cases: [Case<'_>; 10] = [
        (&[300], &[1], &[1], 1, 0),
        (&[40], &[3], &[5], 4, 1),
        (&[1000], &[1], &[5], 1, 1),
        (&[10, 30], &[200, 3], &[400, 5], 4, 2),
        (&[5, 6, 7], &[900, 90, 9], &[1000, 100, 11], 20, 3),
        (&[3, 4, 5, 6], &[9000, 900, 90, 9], &[10_000, 1000, 100, 11], 20, 4),
        // Tables, and with AVX-512 shuffles.
        (&[20, 20], &[20, 1], &[1, 20], 4, 2),
        (&[5, 7], &[7, 1], &[1, 5], 4, 2),
        (&[2, 20], &[200, 1], &[1, 2], 1, 2),
        (&[5, 2], &[2, 1], &[10, 150], 1, 2),
    ];
    let mut kinds = [0; KINDS];
    // In front of either side there may be something.
    let all = cases.into_iter().flat_map(|case| [[0, 0], [5, 0], [0, 5]].map(|margins| (case, margins)));
    for ((sizes, dst_strides, src_strides, width, loops), [dst_margin, src_margin]) in
        all.step_by(if cfg!(miri) { 4 } else { 1 })
    {
        let (dst, src) = (Side::new(sizes, dst_strides, dst_margin), Side::new(sizes, src_strides, src_margin));
        let mut plan = NO_PLAN;
        let (to, from) = (dst.layout(bytes_dtype(width)), src.layout(bytes_dtype(width)));
        // SAFETY: plain structs.
        let status = unsafe { stride_plan_init(&mut plan, &to, &from, &DEFAULTS, null_mut()) };
        assert_eq!((status, plan.words[1] >> 32 & 0xFF), (Status::Ok.number(), loops), "{sizes:?}");
        plan.words[PERIOD] = 0;
        let mut small = Small { width, dst, src, plan };
        kinds[small.kind()] += 1;
        let bytes = small.bytes();
        let source = Random::new(23).bytes(bytes.1);
        let (mut found, mut expected) = (vec![!source[0]; bytes.0], vec![!source[0]; bytes.0]);
        oracle::copy(&mut expected, &small.dst, &source, &small.src, width);
        // The level that was asked for mattered when the plan was made.
        let made = small.plan.words[2];
        for level in 0..Level::COUNT as u64 {
            small.plan.words[2] = made & 0xFFFF_FFFF | level << 32;
            found.fill(!source[0]);
            assert_eq!(execute(&small.plan, &mut found, &source), Status::Ok.number(), "{sizes:?}");
            assert!(found == expected, "{sizes:?}");
        }
        let short = execute(&small.plan, &mut found[1..], &source);
        assert_eq!(short, Status::InvalidArgument.number(), "{sizes:?}");
    }
    assert!(Level::best() != Level::Avx512 || kinds == [18, 9, 3], "{kinds:?}");
}

#[test]
fn forged_shortcuts_stay_in_the_buffers() {
    let (mut random, mut ran) = (Random::new(21), [0; KINDS]);
    let mut pages = [Guarded::new(1 << 20), Guarded::new(1 << 20)];
    for _ in 0..crate::oracle::times(200_000) {
        let mut small = Small::random(&mut random);
        let kind = small.kind();
        if kind == 0 {
            continue;
        }
        let (words, loops) = ((small.plan.words[0] & 0xFFFF) as usize, (small.plan.words[1] >> 32 & 0xFF) as usize);
        let shortcut = &mut small.plan.words[HEADER..words - 3 * loops];
        for _ in 0..1 + random.below(3) {
            let at = random.below(shortcut.len() as u64) as usize;
            // The numbers in front are the ones that matter.
            let at = if random.one_in(2) { at.min(random.below(5) as usize) } else { at };
            shortcut[at] = match random.below(5) {
                0 => random.next(),
                1 => random.below(300) as u64,
                2 => shortcut[at].wrapping_add(random.below(9) as u64).wrapping_sub(4),
                3 => u64::MAX - random.below(600) as u64,
                _ => shortcut[at] ^ 1 << random.below(64),
            };
        }
        // Tables for another kernel, or for elements of another width, which may not go with the loops.
        let others = kind == 2 && random.one_in(3);
        if others && random.one_in(2) {
            small.plan.words[1] = small.plan.words[1] & !0xFFFF | random.below(KERNELS.len() as u64) as u64;
        } else if others {
            small.plan.words[3] = random.pick(&[0, 1, 2, 3, 8, 12, 16, 17, 64, 1 << 26]);
        }
        let bytes = small.bytes();
        let (dst, src) = between_pages(&mut random, &mut pages, bytes);
        match execute(&small.plan, dst, src) {
            0 => ran[kind] += 1,
            status => assert!(others, "{status}: the loops are honest"),
        }
    }
    println!("ran {ran:?}");
}

/// Windows of no byte, and rows so far after them that the distance wraps: the loops say where the elements are.
#[test]
fn tables_of_far_rows_in_no_window() {
    let (dst, src) = (Side::new(&[20, 20], &[20, 1], 0), Side::new(&[20, 20], &[1, 20], 0));
    let mut honest = NO_PLAN;
    let (to, from) = (dst.layout(bytes_dtype(4)), src.layout(bytes_dtype(4)));
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init(&mut honest, &to, &from, &DEFAULTS, null_mut()) };
    assert_eq!((status, stride::copy::words::kind_in_use(honest.words[1])), (Status::Ok.number(), 2));
    let source = Random::new(24).bytes(1600);
    let mut expected = vec![0; 1600];
    oracle::copy(&mut expected, &dst, &source, &src, 4);
    for sides in [&[0][..], &[1], &[0, 1]] {
        let mut plan = stride_plan { words: honest.words };
        for side in sides {
            plan.words[HEADER + side] = 0;
            // Behind the windows and the counts.
            plan.words[HEADER + 3 + 64 * side..][..64].fill(i64::MAX as u64);
        }
        let mut found = vec![0; 1600];
        assert_eq!(execute(&plan, &mut found, &source), Status::Ok.number());
        assert!(found == expected, "{sides:?}");
    }
}
