//! What undoes what: the texts of layouts, there and back, with the byte of each mistake; the index at each place of a
//! buffer, against the loop over all indices.

#[macro_use]
mod common;
mod oracle;

use common::*;
use oracle::Random;
use std::collections::HashMap;
use stride::{Layout, LayoutBuf};

fn parsed(text: &str) -> Answer<stride_layout> {
    made(|out| call!(stride_layout_parse, text.as_ptr().cast(), text.len() as u64, out))
}

/// `stride_layout_multi_index`: the first index, and how many there are.
fn index_at(layout: &stride_layout, offset: i64) -> Answer<(Vec<i64>, u64)> {
    let (mut index, mut alone, mut sharing) =
        (vec![POISON; layout.rank as usize], vec![POISON; layout.rank as usize], 0);
    let none = std::ptr::null_mut();
    call!(stride_layout_multi_index, layout, offset, layout.rank, index.as_mut_ptr(), &mut sharing)?;
    call!(stride_layout_multi_index, layout, offset, layout.rank, alone.as_mut_ptr(), none)?;
    assert_eq!(index, alone, "of {}", layout_text(layout).unwrap());
    Ok((index, sharing))
}

/// Texts, and the same as the library writes it.
const TAKEN: [(&str, &str); 27] = [
    ("f32[2,3]", "f32[2,3] strides [3,1] offset 0"),
    (" f32 [ 2 , 03 ] ", "f32[2,3] strides [3,1] offset 0"),
    ("f32[\t2,3]/* packed */", "f32[2,3] strides [3,1] offset 0"),
    ("f32[]", "f32[] strides [] offset 0"),
    ("f32[ ]:", "f32[] strides [] offset 0"),
    ("f32[]:+3", "f32[] strides [] offset 3"),
    ("f32[5,0,3]", "f32[5,0,3] strides [0,0,0] offset 0"),
    ("f32[9223372036854775807,2,0]:1,2,3", "f32[9223372036854775807,2,0] strides [1,2,3] offset 0"),
    ("u4:high[2,4]", "u4:high[2,4] strides [4,1] offset 0"),
    ("f32:swapped[2] : 2", "f32:swapped[2] strides [2] offset 0"),
    ("bytes12[2]", "bytes12[2] strides [1] offset 0"),
    ("f32[2,3]:1,2", "f32[2,3] strides [1,2] offset 0"),
    ("u8[4,6,3]:18,3,1+7", "u8[4,6,3] strides [18,3,1] offset 7"),
    ("u8[2] : -1 + 1", "u8[2] strides [-1] offset 1"),
    ("u8[2]:1+-1", "u8[2] strides [1] offset -1"),
    ("u8[1]:-9223372036854775808", "u8[1] strides [-9223372036854775808] offset 0"),
    ("f32[2,3] strides [ 1, 2 ]", "f32[2,3] strides [1,2] offset 0"),
    ("f32[2,3]strides[3,1]offset 2", "f32[2,3] strides [3,1] offset 2"),
    ("f32[] strides [] offset -3", "f32[] strides [] offset -3"),
    ("f32[1,32,8,8]:nhwc", "f32[1,32,8,8] strides [2048,1,256,32] offset 0"),
    ("f32[1,32,8,8]:NHWC", "f32[1,32,8,8] strides [2048,1,256,32] offset 0"),
    ("bytes3[2,2,2,2] : acdb ", "bytes3[2,2,2,2] strides [8,1,4,2] offset 0"),
    ("u4[3,5]:ba", "u4[3,5] strides [1,3] offset 0"),
    ("f32 [2,3] {0,1}", "f32[2,3] strides [1,2] offset 0"),
    ("f32[<=2,3]", "f32[2,3] strides [3,1] offset 0"),
    ("s4[3]{0:E(4)}", "s4[3] strides [1] offset 0"),
    ("f32[]{:S(5)}", "f32[] strides [] offset 0"),
];

/// Texts that do not follow the grammar, and the byte at which they stop.
const WRONG: [(&str, u64); 45] = [
    ("", 0),
    ("  ", 2),
    ("f33[2]", 0),
    (" float32[2]", 1),
    ("f8_e4m3[2]", 0),
    ("f32:high[2]", 0),
    ("<f4[2]", 0),
    ("[2]", 0),
    ("f32", 3),
    ("f32[2", 5),
    ("f32[2,]", 6),
    ("f32[-2]", 4),
    ("f32[+2]", 4),
    ("f32[2,x]", 6),
    ("f32[9223372036854775808]", 4),
    ("f32[2] 1", 7),
    ("f32[2] stride [1]", 7),
    ("f32[2] strides 1", 15),
    ("f32[2] strides [1", 17),
    ("f32[2] strides [1 offset 0", 18),
    ("f32[2] strides [1+0]", 17),
    ("f32[2] strides [1,]", 18),
    ("f32[2,3] strides [1]", 19),
    ("f32[2] strides [1] offset", 25),
    ("f32[2] strides [1] offset x", 26),
    ("f32[2] strides [1] offset 0 x", 28),
    ("f32[2] strides [1] 3", 19),
    ("f32[2,3]:", 9),
    ("f32[2,3]:1", 10),
    ("f32[2,3]:1,2,3", 14),
    ("f32[2,3]:3,,1", 11),
    ("f32[2,3]:3 1", 11),
    ("f32[2]:1]", 8),
    ("f32[2]:1+", 9),
    ("f32[2]:1+1+1", 10),
    ("f32[2]:1+9223372036854775808", 9),
    ("f32[2]:- 1", 8),
    ("f32[2,3]:nhwc", 13),
    ("f32[2,3] : qq", 11),
    ("f32[2,3]:(1,2)", 9),
    ("f32[2,3]: ,2", 10),
    ("f32[2,3]:ab,2", 9),
    ("f32[2,3]:ab+7", 11),
    ("f32[]:(", 6),
    ("f32[2,3]{0,0}", 11),
];

/// Texts of tiles and blocks: whose they are, and where that is seen.
const OTHERS: [(&str, Detail, u64); 8] = [
    ("f32[8,200]{1,0:T(8,128)}", Detail::TextOfTiles, 10),
    ("f32[2]{0:T(1)}", Detail::TextOfTiles, 6),
    ("f32[<=2]{0:T(128)}", Detail::TextOfTiles, 8),
    ("f32[1,32,8,8]:nChw16c", Detail::TextOfTag, 13),
    ("f32[4] : A2a", Detail::TextOfTag, 7),
    ("u8[200,9]:a/128 b/4 a%32 a/32%4 b%4", Detail::TextOfBlocks, 9),
    ("u8[3,5]:b a", Detail::TextOfBlocks, 7),
    ("u8[3,5]:a/2  b a%2", Detail::TextOfBlocks, 7),
];

#[test]
fn texts_say_what_they_say() {
    for (text, written) in TAKEN {
        let layout = parsed(text).unwrap_or_else(|error| panic!("{text}: {}", sentence(&error)));
        assert_eq!(layout_text(&layout).as_deref(), Ok(written), "{text}");
        assert_eq!(fields(&parsed(written).unwrap()), fields(&layout), "{text}");
        assert_eq!(text.parse(), LayoutBuf::parse(written), "{text}");
    }
}

#[test]
fn wrong_texts_have_a_position() {
    for (text, position) in WRONG {
        let e = error(parsed(text));
        let found = (e.status, e.argument, e.position);
        assert_eq!(found, (Status::Parse.number(), Argument::Text.number(), position), "{text}: {}", sentence(&e));
    }
    for (text, position, said) in [
        ("f32[2,3]:1", 10, "text, byte 10: 1 entry is given, but the rank is 2"),
        ("f32[2,3]: ", 10, "text, byte 10: the text ends where a number or a letter is expected"),
        ("f32[2,3]:nhwc", 13, "text, byte 13: 4 entries are given, but the rank is 2"),
        ("f32[2,3]:(1,2)", 9, "text, byte 9: `(` stands where a number or a letter is expected"),
        ("f32[2,3]:,2", 9, "text, byte 9: `,` stands where a number or a letter is expected"),
        ("f32[2,3]:x,2", 9, "text, byte 9: `x` stands where a number is expected"),
        ("f32[1,2,3,4]:nhwc+7", 17, "text, byte 17: `+` stands where the end is expected"),
        ("f32[2,3]:aa", 10, "text, byte 10: dimension 0 is repeated"),
        ("f32[2,3]:ac", 10, "text, byte 10: this names dimension 2, but the rank is 2"),
        ("f32[2] + 1", 7, "text, byte 7: `+` stands where `:`, `{` or the end is expected"),
        ("f32[2]:1+-9223372036854775809", 9, "text, byte 9: the number does not fit in 64 bits"),
        ("float32[2]", 0, "text, byte 0: unknown dtype; it is called f32 here"),
    ] {
        let e = error(parsed(text));
        assert_eq!((e.position, sentence(&e)), (position, said.to_owned()), "{text}");
    }
}

#[test]
fn what_does_not_fit_has_a_position() {
    let overflow = Status::Overflow.number();
    for (text, status, dimension, position) in [
        ("f32[4294967296, 4294967296]", overflow, 1, 16),
        ("f32[4294967296, 4294967296]:ba", overflow, 1, 16),
        ("f32[4294967296, 4294967296]:0,0", overflow, 1, 16),
        ("f32[2,3]:0, /* far */ 9223372036854775807", overflow, 1, 22),
        ("f32[3,3] strides [9223372036854775807,0]", overflow, 0, 18),
        ("u8[9,9]:1152921504606846976,1", overflow, 0, 8),
        ("u8[2]:1+1152921504606846976", overflow, -1, u64::MAX),
        ("f32[4294967296,4294967296]{0,1}", overflow, 1, 26),
        ("f32[?]", Status::Unsupported.number(), 0, u64::MAX),
        ("(f32[2])", Status::Unsupported.number(), -1, 0),
    ] {
        let e = error(parsed(text));
        let found = (e.status, e.argument, e.dimension, e.position);
        assert_eq!(found, (status, Argument::Text.number(), dimension, position), "{text}: {}", sentence(&e));
    }
    let ones = |count| vec!["1"; count].join(",");
    assert_eq!(parsed(&format!("u8[{}]:{}", ones(64), ones(64))).map(|layout| layout.rank), Ok(64));
    for (text, position) in
        [(format!("u8[{}]", ones(65)), 131), (format!("u8[{}]:{}", ones(64), ones(65)), 3 + 127 + 2 + 128)]
    {
        let e = error(parsed(&text));
        assert_eq!((e.status, e.position, e.lhs, e.rhs), (Status::InvalidRank.number(), position, 65, 64), "{text}");
    }
}

#[test]
fn tiles_and_blocks_name_their_parser() {
    for (text, detail, position) in OTHERS {
        let e = error(parsed(text));
        let found = (e.status, e.argument, e.detail, e.position);
        let expected = (Status::NotRepresentable.number(), Argument::Text.number(), detail.number() as u64, position);
        assert_eq!(found, expected, "{text}: {}", sentence(&e));
        let before = &text[..position as usize];
        assert!(detail == Detail::TextOfTiles || parsed(before).is_ok(), "{before}: its dtype and sizes");
    }
}

/// A layout of any dtype: of rank 64 too, with numbers of any width.
fn random_layout(random: &mut Random) -> Option<LayoutBuf> {
    let all: Vec<Dtype> = Dtype::all().collect();
    let dtype = match random.below(4) {
        0 => Dtype::bytes(1 + random.below(40) as u32).unwrap(),
        1 => random.pick(&all).high_first().swapped(),
        _ => random.pick(&all),
    };
    let rank = if random.one_in(20) { 64 } else { random.below(7) };
    let number = |random: &mut Random| match random.below(4) {
        0 => random.next() as i64 >> random.below(64),
        _ => random.below(9) - 3,
    };
    let few = rank == 64;
    let sizes: Vec<i64> = (0..rank)
        .map(|_| if few { 1 + i64::from(random.one_in(8)) } else { number(random).saturating_abs() })
        .collect();
    let strides: Vec<i64> = (0..rank).map(|_| number(random)).collect();
    LayoutBuf::new(dtype, number(random), &sizes, &strides).ok()
}

#[test]
fn random_layouts_come_back() {
    let (mut random, mut made) = (Random::new(3), [0; 3]);
    for _ in 0..oracle::times(100_000) {
        let Some(layout) = random_layout(&mut random) else { continue };
        made[0] += 1;
        made[1] += i32::from(layout.rank() == 64);
        made[2] += i32::from(layout.element_count() == 0);
        let text = layout.to_string();
        assert_eq!(LayoutBuf::parse(&text).as_ref(), Ok(&layout), "{text}");
        let list = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let (sizes, strides) = (list(layout.sizes()), list(layout.strides()));
        let short = format!("{}[{sizes}]:{strides}+{}", layout.dtype(), layout.offset());
        assert_eq!(LayoutBuf::parse(&short).as_ref(), Ok(&layout), "{short}");
    }
    assert!(cfg!(miri) || made.iter().all(|&of_kind| of_kind > 500), "{made:?}");
}

#[test]
fn places_have_the_index_that_the_loop_puts_there() {
    let (mut random, mut shared, mut gaps) = (Random::new(4), 0, 0);
    for _ in 0..oracle::times(100_000) {
        let rank = random.below(6);
        let most = if rank > 3 { 4 } else { 7 };
        let sizes: Vec<i64> = (0..rank).map(|_| random.below(most)).collect();
        let strides: Vec<i64> = (0..rank).map(|_| random.pick(&[1, 2, 3, 6, 12]) * (random.below(5) - 2)).collect();
        let layout = LayoutBuf::new(Dtype::U8, random.below(9) - 4, &sizes, &strides).unwrap();
        let text = layout.to_string();
        let mut expected: HashMap<i64, (Vec<i64>, u64)> = HashMap::new();
        for index in indices(&sizes) {
            let place = layout.offset() + index.iter().zip(&strides).map(|(i, stride)| i * stride).sum::<i64>();
            expected.entry(place).or_insert((index, 0)).1 += 1;
        }
        let (lowest, highest) = layout.view().unwrap().span();
        let given = parsed(&text).unwrap();
        for place in lowest - 2..=highest + 2 {
            match expected.get(&place) {
                Some(index) => {
                    shared += u32::from(index.1 > 1);
                    assert_eq!(index_at(&given, place).as_ref(), Ok(index), "{text} at {place}");
                }
                None => {
                    gaps += 1;
                    let e = error(index_at(&given, place));
                    let reason = (e.status, e.argument, e.detail, e.lhs);
                    let detail = u64::from(Detail::NoIndex.number());
                    let none = (Status::NotRepresentable.number(), Argument::Offset.number(), detail, place);
                    assert_eq!(reason, none, "{text} at {place}");
                }
            }
        }
    }
    assert!(cfg!(miri) || (shared > 10_000 && gaps > 10_000), "{shared} {gaps}");
}

/// Of layouts whose indices nobody could go through: an index leads to a place, and what is found there is no later one
/// at the same place. Half of them by far are decided.
#[test]
fn places_of_any_layout_lead_back() {
    let (mut random, mut decided, mut undecided) = (Random::new(5), 0, 0);
    for _ in 0..oracle::times(5_000) {
        let Some(layout) = random_layout(&mut random).filter(|layout| layout.element_count() > 0) else { continue };
        let view = layout.view().unwrap();
        let index: Vec<i64> = layout.sizes().iter().map(|&size| random.below(size as u64)).collect();
        let place = view.offset_of(&index).unwrap();
        let mut first = [0; 64];
        match view.multi_index(place, &mut first) {
            Ok(()) => {
                let first = &first[..index.len()];
                assert!(view.offset_of(first) == Ok(place) && *first <= *index, "{layout}: {first:?} {index:?}");
                decided += 1;
            }
            Err(error) => {
                assert_eq!(error.status, Status::Undecided, "{layout} at {place}");
                undecided += 1;
            }
        }
    }
    assert!(cfg!(miri) || undecided * 10 < decided, "{decided} {undecided}");
}

#[test]
fn windows_of_an_image_are_found() {
    // All 5 x 3 windows of 480 x 640 pixels: pixel (y, x) is the last one of the window at (y - 4, x - 2).
    let image = LayoutBuf::packed(Dtype::F32, &[480, 640]).unwrap();
    let windows = image.as_strided(&[476, 638, 5, 3], &[640, 1, 640, 1], 0).unwrap();
    let windows: Layout<'_> = windows.view().unwrap();
    let mut index = [0; 64];
    for (y, x, first, sharing) in [
        (0, 0, [0, 0, 0, 0], 1),
        (100, 200, [96, 198, 4, 2], 15),
        (479, 639, [475, 637, 4, 2], 1),
        (2, 1, [0, 0, 2, 1], 6),
    ] {
        assert_eq!(windows.multi_index_shared(y * 640 + x, &mut index), Ok(sharing));
        assert_eq!(index[..4], first, "{y} {x}");
    }
}
