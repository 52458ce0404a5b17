//! Blocked layouts against the rule of their digits written out: where elements lie, texts, what is refused, and copies
//! from, to and between them held against the naive loop, whole allocations compared: one call, a plan and its parts.
//!
//! A failure prints the case; its number and the seed replay it.

mod oracle;

use oracle::seen::{Blocks, Object};
use oracle::sides::side;
use oracle::whole::Copied;
use oracle::{DEFAULTS, NO_ERROR, Random, zeroed};
use std::collections::BTreeSet;
use std::ptr::{null, null_mut};
use stride::copy::words::kind_in_use;
use stride::error::{Argument, Detail, Status};
use stride::ffi::blocked_layout::*;
use stride::ffi::copy::*;
use stride::ffi::layout::stride_layout;
use stride::ffi::plan::*;
use stride::ffi::regions::*;
use stride::ffi::sides::*;
use stride::ffi::status::stride_error;
use stride::model::Dtype;

const SEED: u64 = 20_261_129;
const U8: u32 = Dtype::U8.code();
const SCALE_TILES: &str = "a/128 b/4 a%32 a/32%4 b%4";

/// Blocks from the text that says them.
fn blocks_of(text: &str, sizes: &[i64]) -> Blocks {
    let block = |word: &str| {
        let (rest, size) = word.split_once('%').unwrap_or((word, "0"));
        let (letter, step) = rest.split_once('/').unwrap_or((rest, "1"));
        [i64::from(letter.as_bytes()[0] - b'a'), step.parse().unwrap(), size.parse().unwrap()]
    };
    Blocks { sizes: sizes.to_vec(), blocks: text.split_whitespace().map(block).collect() }
}

/// The text that says these blocks.
fn text_of(blocks: &Blocks) -> String {
    let word = |&[dimension, step, size]: &[i64; 3]| {
        let step = if step == 1 { String::new() } else { format!("/{step}") };
        let size = if size == 0 { String::new() } else { format!("%{size}") };
        format!("{}{step}{size}", char::from(b'a' + dimension as u8))
    };
    blocks.blocks.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn offsets(blocks: &Blocks) -> Vec<i64> {
    Object::Blocked(blocks.clone()).offsets()
}

fn parse(text: &str, dtype: u32, sizes: &[i64]) -> Result<stride_blocked, stride_error> {
    let (mut out, mut error): (stride_blocked, _) = (zeroed(), NO_ERROR);
    let (length, rank) = (text.len() as u64, sizes.len() as u32);
    // SAFETY: a text and a list of these lengths.
    let status = unsafe {
        stride_blocked_parse(text.as_ptr().cast(), length, dtype, rank, sizes.as_ptr(), &mut out, &mut error)
    };
    if status == 0 { Ok(out) } else { Err(error) }
}

fn format(blocked: &stride_blocked) -> String {
    let (mut buffer, mut length) = ([0u8; 4096], 0);
    // SAFETY: a buffer of that length.
    let status = unsafe { stride_blocked_format(blocked, buffer.as_mut_ptr().cast(), 4096, &mut length, null_mut()) };
    assert_eq!(status, 0);
    String::from_utf8(buffer[..length as usize].to_vec()).unwrap()
}

fn byte_size(blocked: &stride_blocked) -> u64 {
    let mut bytes = 0;
    // SAFETY: plain structs.
    assert_eq!(unsafe { stride_blocked_byte_size(blocked, &mut bytes, null_mut()) }, 0);
    bytes
}

fn padded_sizes(blocked: &stride_blocked) -> Vec<i64> {
    let mut sizes = vec![0; blocked.rank as usize];
    // SAFETY: a list of that length.
    assert_eq!(unsafe { stride_blocked_padded_sizes(blocked, blocked.rank, sizes.as_mut_ptr(), null_mut()) }, 0);
    sizes
}

/// The answer of every question about where elements lie, against the rule.
fn check_places(digits: &Blocks, blocked: &stride_blocked) {
    let mut layout: stride_layout = zeroed();
    // SAFETY: plain structs, lists as long as the rank.
    unsafe {
        assert_eq!(stride_layout_from_blocked(blocked, &mut layout, null_mut()), 0);
        let counts: Vec<i64> = digits.blocks.iter().map(|block| digits.block_size(block)).collect();
        assert_eq!(layout.sizes[..layout.rank as usize], counts[..], "{digits:?}");
        let mut seen = BTreeSet::new();
        for index in oracle::tiles::indices(&digits.sizes) {
            let (mut position, mut back) = (-1, vec![-1; index.len()]);
            let status = stride_blocked_linear_index(blocked, blocked.rank, index.as_ptr(), &mut position, null_mut());
            assert_eq!((status, position), (0, digits.position(&index)), "{digits:?} {index:?}");
            assert!(seen.insert(position), "{digits:?} {index:?}");
            let status = stride_blocked_multi_index(blocked, position, blocked.rank, back.as_mut_ptr(), null_mut());
            assert_eq!((status, &back), (0, &index), "{digits:?}");
        }
        for position in (0..digits.elements()).filter(|position| !seen.contains(position)).take(50) {
            let (mut back, mut error) = (vec![-1; digits.sizes.len()], NO_ERROR);
            let status = stride_blocked_multi_index(blocked, position, blocked.rank, back.as_mut_ptr(), &mut error);
            assert_eq!(status, Status::NotRepresentable.number(), "{digits:?} {position}");
            assert_eq!(error.detail, u64::from(Detail::PaddingPosition.number()));
            assert_eq!(error.rhs, digits.sizes[error.dimension as usize]);
        }
    }
}

#[test]
fn scale_tiles() {
    for (sizes, padded, bytes) in [
        (&[200, 6][..], &[256, 8][..], 2048),
        (&[1, 1], &[128, 4], 512),
        (&[129, 5], &[256, 8], 2048),
        (&[128, 4], &[128, 4], 512),
        (&[0, 4], &[0, 4], 0),
        (&[128, 0], &[128, 0], 0),
    ] {
        let digits = blocks_of(SCALE_TILES, sizes);
        let blocked = parse(SCALE_TILES, U8, sizes).unwrap();
        assert_eq!((padded_sizes(&blocked), byte_size(&blocked)), (padded.to_vec(), bytes));
        check_places(&digits, &blocked);
        let formula =
            |m: i64, k: i64| (m / 128 * (padded[1] / 4) + k / 4) * 512 + (m % 32) * 16 + (m / 32 % 4) * 4 + k % 4;
        for index in oracle::tiles::indices(sizes) {
            assert_eq!(digits.position(&index), formula(index[0], index[1]));
        }
    }
    // Matrices of a batch follow each other.
    let batch = blocks_of("a b/128 c/4 b%32 b/32%4 c%4", &[3, 130, 5]);
    let one = blocks_of(SCALE_TILES, &[130, 5]);
    check_places(&batch, &batch.blocked(U8));
    assert_eq!(batch.position(&[2, 129, 4]), 2 * one.elements() + one.position(&[129, 4]));
}

#[test]
fn texts_and_lists_say_the_same() {
    let mut random = Random::new(SEED);
    for number in 0..oracle::times(3000) {
        let mut sizes = oracle::random_sizes(&mut random);
        sizes.truncate(4);
        let digits = Blocks::random(&mut random, &sizes);
        let blocked = digits.blocked(U8);
        assert_eq!(format(&blocked), text_of(&digits), "{number} {digits:?}");
        let parsed = parse(&text_of(&digits), U8, &sizes).unwrap();
        let lists = |of: &stride_blocked| {
            let count = of.block_count as usize;
            let lists = [&of.block_dims, &of.block_steps, &of.block_sizes].map(|list| list[..count].to_vec());
            (of.dtype, of.flags, of.sizes[..of.rank as usize].to_vec(), lists)
        };
        assert_eq!(lists(&parsed), lists(&blocked));
        assert_eq!(byte_size(&blocked), digits.elements() as u64);
        check_places(&digits, &blocked);
    }
}

/// Lists of which one number was changed: taken as the rule says, or refused with the number.
#[test]
fn what_is_no_mixed_radix_is_refused() {
    let mut random = Random::new(SEED + 1);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..oracle::times(20_000) {
        let mut sizes = oracle::random_sizes(&mut random);
        sizes.truncate(3);
        let mut digits = Blocks::random(&mut random, &sizes);
        let Some(item) = (!digits.blocks.is_empty()).then(|| random.below(digits.blocks.len() as u64) as usize) else {
            continue;
        };
        digits.blocks[item][random.below(3) as usize] =
            random.pick(&[-1, 0, 1, 2, 3, 4, 32, i64::MAX, i64::MIN, 1 << 40]);
        let mut out: stride_blocked = zeroed();
        out.rank = 77;
        let (status, error) = digits.init(U8, &mut out);
        if status != 0 {
            refused += 1;
            assert_eq!((out.rank, error.status), (77, status), "{digits:?}");
            continue;
        }
        taken += 1;
        // The digits are a mixed radix: every index has a place of its own.
        if digits.elements() < 1 << 20 {
            check_places(&digits, &out);
        }
    }
    assert!(cfg!(miri) || taken > 1000 && refused > 5000, "{taken} {refused}");
}

#[test]
fn hostile_structs() {
    let good = blocks_of(SCALE_TILES, &[200, 6]).blocked(U8);
    let change = |edit: &dyn Fn(&mut stride_blocked)| {
        let (mut changed, mut error) = (good, NO_ERROR);
        edit(&mut changed);
        // SAFETY: a plain struct.
        let status = unsafe { stride_blocked_validate(&changed, &mut error) };
        assert!(status == 0 || error.argument == Argument::Blocked.number(), "{error:?}");
        (status, error.detail, error.item, error.lhs, error.rhs)
    };
    let refused = |edit: &dyn Fn(&mut stride_blocked), status: Status, detail: Detail, item, lhs, rhs| {
        assert_eq!(change(edit), (status.number(), u64::from(detail.number()), item, lhs, rhs));
    };
    assert_eq!(change(&|_| {}).0, 0);
    refused(&|of| of.dtype = 9999, Status::InvalidDtype, Detail::DtypeUnknown, -1, 9999, 0);
    refused(&|of| of.rank = 65, Status::InvalidRank, Detail::Above, -1, 65, 64);
    refused(&|of| of.block_count = 65, Status::InvalidRank, Detail::Above, 64, 65, 64);
    refused(&|of| of.flags = 1, Status::InvalidArgument, Detail::UnknownFlag, -1, 1, 0);
    refused(&|of| of.sizes[1] = -6, Status::InvalidSize, Detail::Below, -1, -6, 0);
    refused(&|of| of.block_dims[3] = 2, Status::InvalidAxes, Detail::OutOfRange, 3, 2, 2);
    refused(&|of| of.block_dims[3] = i64::MIN, Status::InvalidAxes, Detail::OutOfRange, 3, i64::MIN, 2);
    refused(&|of| of.block_sizes[2] = -1, Status::InvalidSize, Detail::Below, 2, -1, 0);
    refused(&|of| of.block_steps[3] = 64, Status::InvalidTile, Detail::BlockStep, 3, 64, 32);
    refused(&|of| of.block_steps[3] = 0, Status::InvalidTile, Detail::BlockStep, 3, 0, 1);
    refused(&|of| of.block_steps[3] = i64::MIN, Status::InvalidTile, Detail::BlockStep, 3, i64::MIN, 1);
    refused(&|of| of.block_sizes[3] = 8, Status::InvalidTile, Detail::BlockStep, 0, 128, 256);
    refused(&|of| of.block_sizes[3] = 0, Status::InvalidTile, Detail::BlockOpen, 3, 32, 128);
    refused(&|of| of.block_sizes[0] = 1, Status::InvalidTile, Detail::BlockCover, -1, 128, 200);
    refused(&|of| of.block_count = 4, Status::InvalidTile, Detail::BlockStep, 1, 4, 1); // without the last one
    refused(&|of| of.block_sizes[3] = i64::MAX, Status::Overflow, Detail::Product, -1, 32, i64::MAX);
    refused(&|of| of.sizes[0] = i64::MAX, Status::Overflow, Detail::Product, -1, 128, 1 << 56);
    assert_eq!(change(&|of| of.sizes[..2].fill(0)).0, 0);
    assert_eq!(change(&|of| of.block_sizes[0] = 1 << 30).0, 0); // far more than there is, and it fits
}

/// A copy between two objects, blocked or not, by its regions too. Whether there was one, and whether it consisted of
/// pieces.
fn copied(random: &mut Random, sizes: &[i64]) -> Option<bool> {
    let width = random.pick(&[1, 1, 2, 4, 8, 12]);
    let blocked = |random: &mut Random, sizes: &[i64]| Object::Blocked(Blocks::random(random, sizes));
    let dst = Object::strided_or(random, sizes, oracle::distinct_strides, blocked);
    let src = Object::strided_or(random, sizes, oracle::source_strides, blocked);
    let Copied { flags, plan, from, before, expected } =
        oracle::whole::copied(random, [&dst, &src], Dtype::bytes(width).unwrap(), 1 << 22)?;
    if flags & STRIDE_COPY_FILL_BUFFER == 0 {
        let (mut regions, mut count) = (vec![zeroed::<stride_region>(); 4096], 0);
        // SAFETY: a list of that length.
        let status = unsafe { stride_plan_regions(&plan, 1, 4096, regions.as_mut_ptr(), &mut count, null_mut()) };
        if status == 0 && count <= 4096 {
            let mut by_rows = before;
            for region in &regions[..count as usize] {
                let (to, at, row) = (region.dst_offset as usize, region.src_offset as usize, region.row_bytes as usize);
                by_rows[to..to + row].copy_from_slice(&from[at..at + row]);
            }
            assert!(by_rows == expected, "regions, {width} bytes {dst:?} {src:?}");
        }
    }
    Some(kind_in_use(plan.words[1]) == 3)
}

#[test]
fn copies_equal_the_naive_loop() {
    let (mut done, mut of_pieces) = (0, 0);
    let cases = 30_000 / oracle::share();
    oracle::cases(SEED + 2, cases, |random| {
        let mut sizes = oracle::random_sizes(random);
        sizes.truncate(4);
        let pieces = copied(random, &sizes);
        done += u64::from(pieces.is_some());
        of_pieces += u64::from(pieces == Some(true));
    });
    assert!(cfg!(miri) || done > cases / 2 && of_pieces > cases / 8, "{done} {of_pieces}");
}

#[cfg_attr(miri, ignore = "many elements")]
#[test]
fn long_copies_equal_the_naive_loop() {
    let mut random = Random::new(SEED + 3);
    for _ in 0..oracle::times(60) {
        let sizes = [100 + random.below(500), 20 + random.below(200)];
        copied(&mut random, &sizes);
    }
}

/// The matrices of `scale_tiles` both ways, with what is padding filled and left alone.
#[test]
fn scale_tiles_are_filled_and_left_alone() {
    for sizes in [[200, 6], [1, 1], [129, 5], [128, 4], [0, 4], [300, 13]] {
        let (digits, blocked) = (blocks_of(SCALE_TILES, &sizes), parse(SCALE_TILES, U8, &sizes).unwrap());
        let rows: Vec<u8> = (0..sizes[0] * sizes[1]).map(|k| (k % 251) as u8).collect();
        let bytes = byte_size(&blocked);
        for flags in [0, STRIDE_COPY_FILL_BUFFER] {
            let options = stride_copy_options { flags, fill: [0xF1; 16], ..DEFAULTS };
            let (mut tiles, mut back) = (vec![0xEE; bytes as usize + 8], vec![0; rows.len()]);
            let mut expected = tiles.clone();
            if flags != 0 {
                expected[..bytes as usize].fill(0xF1);
            }
            offsets(&digits).iter().zip(&rows).for_each(|(&to, &byte)| expected[to as usize] = byte);
            let (to, at, n) = (tiles.as_mut_ptr().cast(), rows.as_ptr().cast(), rows.len() as u64);
            // SAFETY: buffers of these lengths.
            unsafe {
                let status = stride_copy_sides(&side(&blocked), to, bytes, null(), at, n, &options, null_mut());
                assert_eq!((status, tiles == expected), (0, true), "{sizes:?} {flags}");
                let (to, at) = (back.as_mut_ptr().cast(), tiles.as_ptr().cast());
                let status = stride_copy_sides(null(), to, n, &side(&blocked), at, bytes, null(), null_mut());
                assert_eq!((status, back == rows), (0, true), "{sizes:?}");
            }
        }
    }
}

#[test]
fn what_copies_refuse() {
    let blocked = parse(SCALE_TILES, U8, &[200, 6]).unwrap();
    let other = parse("a b", U8, &[6, 200]).unwrap();
    let wide = parse("a b", Dtype::F32.code(), &[200, 6]).unwrap();
    let nibbles = parse(SCALE_TILES, Dtype::U4.code(), &[200, 6]).unwrap();
    let whole_nibbles = parse("b a", Dtype::U4.code(), &[200, 6]).unwrap();
    let rows = oracle::layout(U8, &[200, 6], &[6, 1], 0);
    let [to, rows, other, wide, to_nibbles, nibbles] =
        [side(&blocked), side(&rows), side(&other), side(&wide), side(&nibbles), side(&whole_nibbles)];
    let mut memory = vec![7u8; 1 << 13];
    let base: *mut u8 = memory.as_mut_ptr();
    type Given = (*const stride_side, usize, u64);
    let copy = |dst: Given, src: Given, flags: u32| {
        let (options, mut error) = (stride_copy_options { flags, ..DEFAULTS }, NO_ERROR);
        let (to, at) = (base.wrapping_add(dst.1).cast(), base.wrapping_add(src.1).cast_const().cast());
        // SAFETY: all of it lies in `memory`.
        let status = unsafe { stride_copy_sides(dst.0, to, dst.2, src.0, at, src.2, &options, &mut error) };
        (status, error.argument, error.detail)
    };
    let (tiles, dense): (Given, Given) = ((&to, 0, 2048), (&rows, 4096, 1200));
    let is = |answer: (i32, u32, u64), status: Status, argument: Argument, detail: Detail| {
        assert_eq!(answer, (status.number(), argument.number(), u64::from(detail.number())));
    };
    let nothing: Given = (null(), 0, 64);
    is(copy(nothing, nothing, 0), Status::NullPointer, Argument::DstSide, Detail::NeitherGiven);
    is(copy(tiles, (&other, 4096, 1200), 0), Status::ShapeMismatch, Argument::SrcSide, Detail::NotEqual);
    is(copy((&wide, 0, 4800), dense, 0), Status::DtypeMismatch, Argument::SrcSide, Detail::Dtypes);
    is(copy((&to, 0, 2047), dense, 0), Status::OutOfBounds, Argument::DstBytes, Detail::PastEnd);
    is(copy((&rows, 4096, 1200), (&to, 0, 2047), 0), Status::OutOfBounds, Argument::SrcBytes, Detail::PastEnd);
    is(copy(tiles, (&rows, 2000, 1200), 0), Status::Overlap, Argument::Src, Detail::SharedBytes);
    for flag in [STRIDE_COPY_OVERLAP, STRIDE_COPY_SMALL_STACK] {
        is(copy(tiles, dense, flag), Status::Unsupported, Argument::Options, Detail::UnsupportedFlag);
    }
    assert!(memory.iter().all(|&byte| byte == 7));
    // Nibbles too, in pieces and as one nest of loops.
    let packed: Given = (null(), 4096, 600);
    for (tiles, bytes) in [(&to_nibbles, 1024), (&nibbles, 600)] {
        assert_eq!(copy((tiles, 0, bytes), packed, 0).0, 0);
        assert_eq!(copy(packed, (tiles, 0, bytes), 0).0, 0);
    }
    assert!(memory[2048..].iter().all(|&byte| byte == 7));
}

/// Words of a plan with blocks, of which one was changed: refused, or a copy inside its buffers.
#[test]
fn forged_plans() {
    let blocked = parse(SCALE_TILES, U8, &[200, 6]).unwrap();
    let mut plan = stride_plan { words: [0; 512] };
    // SAFETY: plain structs.
    let status = unsafe { stride_plan_init_sides(&mut plan, &side(&blocked), null(), null(), null_mut()) };
    assert_eq!(status, 0);
    let used = (plan.words[0] & 0xFFFF) as usize;
    assert_eq!(used, 12 + 2 + (3 + 1 + 3 + 5) + (3 + 2));
    let (mut random, mut passed) = (Random::new(SEED + 4), 0);
    for number in 0..oracle::times(20_000) {
        let mut forged = stride_plan { words: plan.words };
        let at = random.below(used as u64) as usize;
        let few = [0, 1, 2, 3, 4, 6, 8, 32, 64, 65, 128, 256, 1 << 40, 1 << 62, u64::MAX, 1 << 63];
        forged.words[at] = match random.below(4) {
            0 => forged.words[at] ^ 1 << random.below(64),
            1 => forged.words[at].wrapping_add(random.below(5) as u64).wrapping_sub(2),
            _ => random.pick(&few),
        };
        if number % 2 == 0 {
            let other = random.below(used as u64) as usize;
            forged.words[other] = random.pick(&few);
        }
        if !oracle::ends_soon(&forged) {
            continue;
        }
        let (mut to, from) = (vec![0xEE; 2048 + 64], vec![7u8; 1200]);
        // SAFETY: buffers of these lengths.
        let status = unsafe {
            stride_plan_execute(&forged, to.as_mut_ptr().cast(), 2048, from.as_ptr().cast(), 1200, null_mut())
        };
        assert!(to[2048..].iter().all(|&byte| byte == 0xEE));
        assert!(status == 0 || to.iter().all(|&byte| byte == 0xEE), "{at} {}", forged.words[at]);
        passed += u64::from(status == 0);
    }
    println!("{passed} forgeries were plans");
}

/// As many dimensions and blocks as there may be, on both sides: the words of the plan, and the copy.
#[test]
fn the_most_dimensions_and_blocks() {
    let mut random = Random::new(SEED + 5);
    let sizes: Vec<i64> = (0..64).map(|dimension| if dimension % 11 == 0 { 3 } else { 1 }).collect();
    let digits = |random: &mut Random| {
        let two = |dimension| [[dimension, 1, 2], [dimension, 2, 0]];
        let mut blocks: Vec<[i64; 3]> = (0..64).filter(|dimension| dimension % 11 == 0).flat_map(two).collect();
        let ones = (0..64).filter(|dimension| dimension % 11 != 0).map(|dimension| [dimension, 1, 1]);
        blocks.extend(ones.take(64 - 12));
        random.shuffle(&mut blocks);
        Blocks { sizes: sizes.clone(), blocks }
    };
    let (dst, src) = (digits(&mut random), digits(&mut random));
    let (to, from, mut plan) = (dst.blocked(U8), src.blocked(U8), stride_plan { words: [0; 512] });
    assert_eq!((to.block_count, byte_size(&to)), (64, 4096));
    let given = random.bytes(4096);
    let (mut got, mut expected) = (vec![0xEE; 4096], vec![0xEE; 4096]);
    for (to, from) in offsets(&dst).into_iter().zip(offsets(&src)) {
        expected[to as usize] = given[from as usize];
    }
    // SAFETY: plain structs, buffers of these lengths.
    unsafe {
        assert_eq!(stride_plan_init_sides(&mut plan, &side(&to), &side(&from), null(), null_mut()), 0);
        // Each side divides by 6 blocks of 2 and 52 of 1.
        assert_eq!(plan.words[0] & 0xFFFF, 12 + 64 + 2 * (3 + 15 + 58 + 64 + 58));
        let (to, from) = (got.as_mut_ptr().cast(), given.as_ptr().cast());
        assert_eq!(stride_plan_execute(&plan, to, 4096, from, 4096, null_mut()), 0);
    }
    assert!(got == expected);
    let mut more = dst;
    more.blocks.push([1, 1, 1]);
    assert_eq!(more.init(U8, &mut zeroed()).0, Status::InvalidRank.number());
}
