//! Blocked formats and their tags: every small format against the plain formula, every small list of tiles against all
//! formats, and names and numbers of oneDNN, TVM and MLIR.
//!
//! oneDNN's own reorders are asked by `tests/dnnl_oracle.c`.

pub mod common;
mod oracle;

use common::*;
pub use oracle::Random;
use std::collections::HashMap;
use stride::vocabulary::xla::tag::{self, Tag};
use stride::vocabulary::xla::tiles::MERGE;
use stride::vocabulary::xla::{Blocked, Shape};

const F32: u32 = Dtype::F32.code();

/// A blocked format, by the formula of oneDNN's dnnl_blocking_desc_t.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Format {
    order: Vec<usize>,
    blocks: Vec<(usize, i64)>,
}

impl Format {
    /// Position of an index, and the number of positions: the row-major array of quotients and blocks.
    fn position(&self, sizes: &[i64], index: &[i64]) -> (i64, i64) {
        let total =
            |d: usize| -> i64 { self.blocks.iter().filter(|block| block.0 == d).map(|block| block.1).product() };
        let (mut position, mut count) = (0, 1);
        for &d in &self.order {
            let size = (sizes[d] + total(d) - 1) / total(d);
            (position, count) = (position * size + index[d] / total(d), count * size);
        }
        for (k, &(d, block)) in self.blocks.iter().enumerate() {
            let inside: i64 = self.blocks[k + 1..].iter().filter(|inner| inner.0 == d).map(|inner| inner.1).product();
            (position, count) = (position * block + index[d] / inside % block, count * block);
        }
        (position, count)
    }

    fn core(&self) -> Blocked {
        let order: Vec<i64> = self.order.iter().map(|&d| d as i64).collect();
        let mut blocked = Blocked::new(order.len(), Some(&order)).unwrap();
        self.blocks.iter().for_each(|&(d, size)| blocked.push(d as i64, size).unwrap());
        blocked
    }

    /// Neighbours of one dimension made one, blocks of 1 left out.
    fn normal(&self) -> Self {
        let mut blocks: Vec<(usize, i64)> = Vec::new();
        for &(d, size) in self.blocks.iter().filter(|block| block.1 != 1) {
            match blocks.last_mut().filter(|last| last.0 == d) {
                Some(last) => last.1 *= size,
                None => blocks.push((d, size)),
            }
        }
        Self { order: self.order.clone(), blocks }
    }

    fn tag(&self) -> String {
        let letter = |d: usize| char::from(b'a' + d as u8);
        let blocked = |d: usize| self.blocks.iter().any(|block| block.0 == d);
        let outer = self.order.iter().map(|&d| if blocked(d) { letter(d).to_ascii_uppercase() } else { letter(d) });
        outer
            .chain(self.blocks.iter().flat_map(|&(d, size)| format!("{size}{}", letter(d)).chars().collect::<Vec<_>>()))
            .collect()
    }

    /// Every position, the length, and the way back.
    fn check(&self, sizes: &[i64]) {
        let shape = Shape::from_blocked(Dtype::U8, sizes, &self.core()).unwrap();
        assert_eq!(shape.byte_size(), Ok(self.position(sizes, &vec![0; sizes.len()]).1 as u64), "{self:?} {sizes:?}");
        for_each_index(sizes, |index| {
            assert_eq!(shape.linear_index(index), Ok(self.position(sizes, index).0), "{self:?} {sizes:?} {index:?}");
        });
        assert_eq!(Blocked::of(&shape), Ok(self.normal().core()), "{self:?}");
        let text = Tag::of(&shape).expect("a tag").to_string();
        assert_eq!(text, self.normal().tag());
        assert_eq!(tag::parse(text.as_bytes(), Dtype::U8, sizes), Ok(shape), "{text}");
        assert_eq!(tag::parse(self.tag().as_bytes(), Dtype::U8, sizes), Ok(shape), "{text}");
    }
}

fn for_each_index(sizes: &[i64], mut look: impl FnMut(&[i64])) {
    let mut index = vec![0; sizes.len()];
    if sizes.contains(&0) {
        return;
    }
    loop {
        look(&index);
        let Some(d) = (0..sizes.len()).rev().find(|&d| index[d] + 1 < sizes[d]) else { return };
        index[d] += 1;
        index[d + 1..].fill(0);
    }
}

fn permutations(rank: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for _ in 0..rank {
        let longer = |list: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..rank).filter(|d| !list.contains(d)).map(|d| [&list[..], &[d]].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// All lists of at most so many blocks.
fn block_lists(rank: usize, most: usize, sizes: &[i64]) -> Vec<Vec<(usize, i64)>> {
    let mut all = vec![vec![]];
    let mut from = 0;
    for _ in 0..most {
        let longer: Vec<Vec<(usize, i64)>> = all[from..]
            .iter()
            .flat_map(|list: &Vec<(usize, i64)>| {
                let one = |d, size| [&list[..], &[(d, size)]].concat();
                (0..rank).flat_map(|d| sizes.iter().map(|&size| one(d, size)).collect::<Vec<_>>()).collect::<Vec<_>>()
            })
            .collect();
        from = all.len();
        all.extend(longer);
    }
    all
}

#[test]
#[cfg_attr(miri, ignore = "thousands of cases")]
fn every_small_format_is_a_shape_and_comes_back() {
    let mut formats = 0;
    for rank in 0..=4usize {
        let sizes: &[&[i64]] = &[&[3, 2, 4, 2][..rank], &[5, 3, 1, 3][4 - rank..]];
        for order in permutations(rank) {
            for blocks in block_lists(rank, 3, &[2, 3]) {
                let format = Format { order: order.clone(), blocks };
                sizes.iter().for_each(|sizes| format.check(sizes));
                formats += 1;
            }
        }
    }
    assert_eq!(formats, 24 * 585 + 6 * 259 + 2 * 85 + 15 + 1, "rank 4 to 0, at most three blocks of 2 or 3");
    println!("{formats} formats, all of them shapes");
}

/// A format of any rank up to 12. Whether it is a shape: more than 8 tiles or 64 sizes are all that is in the way.
pub fn format_of_high_rank(random: &mut Random) -> bool {
    let rank = 1 + random.below(12) as usize;
    let mut order: Vec<usize> = (0..rank).collect();
    random.shuffle(&mut order);
    let count = random.below(13);
    let blocks = (0..count).map(|_| (random.below(rank as u64) as usize, random.pick(&[1, 2, 2, 3, 4, 8]))).collect();
    let most = if rank > 6 { 2 } else { 4 };
    let sizes: Vec<i64> = (0..rank).map(|_| if random.one_in(60) { 0 } else { 1 + random.below(most) }).collect();
    let format = Format { order, blocks };
    match Shape::from_blocked(Dtype::U8, &sizes, &format.core()) {
        Ok(shape) if sizes.contains(&0) => {
            assert_eq!((shape.byte_size(), Blocked::of(&shape)), (Ok(0), Ok(format.core())))
        }
        Ok(_) => format.check(&sizes),
        Err(error) => {
            assert_eq!((error.status, error.argument), (Status::Unsupported, Argument::BlockSizes));
            return false;
        }
    }
    true
}

#[test]
fn random_formats_of_high_rank_and_empty_ones() {
    let mut refused = 0;
    oracle::cases(15, 3000, |random| refused += u32::from(!format_of_high_rank(random)));
    println!("{refused} with too many tiles");
    assert!(cfg!(miri) || (1..300).contains(&refused), "{refused}");
}

/// Of all shapes with one or two small tiles: those that are blocked formats are found, and have the format's
/// positions; of the others none has the positions of any format, but for tiles that merge.
#[test]
#[cfg_attr(miri, ignore = "thousands of cases")]
fn every_small_list_of_tiles_is_told_apart() {
    let (sizes, entries) = ([13i64, 11], [1i64, 2, 3, 4, MERGE]);
    let places = |position: &dyn Fn(&[i64]) -> (i64, i64)| {
        let mut all = vec![position(&[0, 0]).1];
        for_each_index(&sizes, |index| all.push(position(index).0));
        all
    };
    let mut known = HashMap::new();
    for order in permutations(2) {
        for blocks in block_lists(2, 4, &[2, 3, 4, 6]) {
            let format = Format { order: order.clone(), blocks }.normal();
            known.entry(places(&|index| format.position(&sizes, index))).or_insert(format);
        }
    }
    let lists = |most: usize| {
        let longer = |lists: Vec<Vec<i64>>| -> Vec<Vec<i64>> {
            lists.iter().flat_map(|list| entries.map(|entry| [&[entry], &list[..]].concat())).collect()
        };
        let mut all: Vec<Vec<Vec<i64>>> = vec![entries[..4].iter().map(|&entry| vec![entry]).collect()];
        (1..most).for_each(|k| all.push(longer(all[k - 1].clone())));
        all.concat()
    };
    let (mut found, mut others, mut merged) = (0, 0, 0);
    for order in [[1, 0], [0, 1]] {
        for first in lists(2) {
            for second in [vec![vec![]], lists(3)].concat() {
                let plain = Shape::new(Dtype::U8, &sizes, Some(&order)).unwrap();
                let shape = plain.with_tile(&first).unwrap();
                let shape = if second.is_empty() { shape } else { shape.with_tile(&second).unwrap() };
                let positions = || {
                    let count = shape.byte_size().unwrap() as i64;
                    places(&|index| (shape.linear_index(index).unwrap(), count))
                };
                match Blocked::of(&shape) {
                    Ok(blocked) => {
                        let again = Shape::from_blocked(Dtype::U8, &sizes, &blocked).unwrap();
                        let count = again.byte_size().unwrap() as i64;
                        let same = places(&|index| (again.linear_index(index).unwrap(), count));
                        assert_eq!(positions(), same, "{first:?} {second:?}");
                        found += 1;
                    }
                    Err(error) => {
                        assert_eq!(error.status, Status::NotRepresentable);
                        // A merge may move nothing, as in T(*,1): it is not looked into.
                        let hidden = known.contains_key(&positions());
                        assert!(!hidden || error.detail == Detail::Merges, "{first:?} {second:?}");
                        merged += usize::from(hidden);
                        others += 1;
                    }
                }
            }
        }
    }
    println!("{found} shapes are blocked formats, {others} are not, of which {merged} merge and move nothing");
    assert!(found > 500 && others > 3000, "{found} {others}");
}

fn same(left: &stride_xla_shape, right: &stride_xla_shape) -> bool {
    let [left, right] = [left, right].map(|shape| shape_text(shape).unwrap());
    left == right
}

/// Rows of the page whose names are tags: the tag is the shape that the page says.
#[test]
#[cfg_attr(miri, ignore = "thousands of cases")]
fn names_on_the_page_of_blocked_formats_are_its_shapes() {
    let page = include_str!("../docs/BLOCKED_FORMATS.md");
    let (mut tags, mut others) = (0, 0);
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let (letters, layout) = cells[3].trim_matches('`').split_once('{').unwrap();
        let rank = letters.matches(',').count() + 1;
        let sizes = &[18i64, 35, 3, 2, 5][..rank];
        let listed: Vec<String> = sizes.iter().map(i64::to_string).collect();
        let of_page = parse(&format!("f32[{}]{{{layout}", listed.join(","))).unwrap();
        for name in cells[0].split(", ").map(|name| name.trim_matches('`')) {
            match parse_tag(name, F32, sizes) {
                Ok(shape) => {
                    assert!(same(&shape, &of_page), "{name}: {}", shape_text(&shape).unwrap());
                    assert!(same(&parse_tag(&format_tag(&shape).unwrap(), F32, sizes).unwrap(), &shape), "{name}");
                    tags += 1;
                }
                Err(_) => others += 1, // kCHW32, NC4HW4, FRACTAL_NZ and their like are no tags
            }
        }
        // All of them are formats.
        let (order, blocks) = to_blocked(&of_page).unwrap();
        assert!(same(&init_blocked(F32, sizes, Some(&order), &blocks).unwrap(), &of_page), "{row}");
    }
    println!("{tags} tags, {others} other names");
    assert!(tags > 30, "{tags}");
}

/// MLIR: linalg.pack's documentation and tests (mlir/test/Dialect/Linalg), packed sizes.
#[test]
#[cfg_attr(miri, ignore = "thousands of cases")]
fn packed_shapes_of_mlir() {
    for (sizes, order, blocks, packed) in [
        ([128, 256], [0, 1], [(0, 8), (1, 32)], [16, 8, 8, 32]),
        ([128, 256], [1, 0], [(0, 8), (1, 32)], [8, 16, 8, 32]), // outer_dims_perm = [1, 0]
        ([128, 256], [0, 1], [(1, 32), (0, 8)], [16, 8, 32, 8]), // inner_dims_pos = [1, 0], tiles [32, 8]
        ([15, 15], [0, 1], [(0, 4), (1, 4)], [4, 4, 4, 4]),
        ([383, 512], [0, 1], [(0, 16), (1, 1)], [24, 512, 16, 1]),
        ([20, 48], [0, 1], [(0, 8), (1, 1)], [3, 48, 8, 1]),
    ] {
        let shape = init_blocked(F32, &sizes, Some(&order), &blocks).unwrap();
        assert_eq!(byte_size(&shape), Ok(4 * packed.iter().product::<i64>() as u64));
        let total = |d: i64| blocks.iter().find(|block| block.0 == d).unwrap().1;
        for_each_index(&sizes, |index| {
            if (index[0] * 31 + index[1]) % 97 != 0 {
                return; // a sample
            }
            let quotient = order.map(|d| index[d as usize] / total(d));
            let within = blocks.map(|(d, size)| index[d as usize] % size);
            let digits = [quotient[0], quotient[1], within[0], within[1]];
            let position = digits.iter().zip(packed).fold(0, |position, (digit, size)| position * size + digit);
            assert_eq!(linear_index(&shape, index), Ok(position));
        });
    }
}

/// oneapi-src/oneDNN#927: element (0,0,0,1) of OIhw4i16o4i lies at 256.
#[test]
fn element_0001_of_weights_lies_at_256() {
    let shape = parse_tag("OIhw4i16o4i", F32, &[16, 16, 3, 3]).unwrap();
    assert_eq!(linear_index(&shape, &[0, 0, 0, 1]), Ok(256));
    assert_eq!(format_tag(&shape).unwrap(), "ABcd4b16a4b");
    assert_eq!(to_blocked(&shape), Ok((vec![0, 1, 2, 3], vec![(1, 4), (0, 16), (1, 4)])));
}

/// dnnl_format_tag_t of oneDNN's dnnl_types.h: named formats and what each is in numbers of dimensions; after them
/// layouts of TVM and of TensorFlow.
#[test]
fn named_formats_are_those_of_onednn_and_tvm() {
    for (name, numbers) in [
        ("x", "a"),
        ("nc", "ab"),
        ("cn", "ba"),
        ("tn", "ab"),
        ("nt", "ba"),
        ("ncw", "abc"),
        ("nwc", "acb"),
        ("nchw", "abcd"),
        ("nhwc", "acdb"),
        ("chwn", "bcda"),
        ("ncdhw", "abcde"),
        ("ndhwc", "acdeb"),
        ("oi", "ab"),
        ("io", "ba"),
        ("wio", "cba"),
        ("iwo", "bca"),
        ("hwio", "cdba"),
        ("hwoi", "cdab"),
        ("ohwi", "acdb"),
        ("dhwio", "cdeba"),
        ("goiw", "abcd"),
        ("wigo", "dcab"),
        ("hwigo", "decab"),
        ("dhwigo", "defcab"),
        ("giodhw", "acbdef"),
        ("tnc", "abc"),
        ("ntc", "bac"),
        ("ncl", "abc"),
        ("nlc", "acb"),
        ("NLC", "acb"),
        ("lnc", "cab"),
        ("cl", "ab"),
        ("nl", "ab"),
        ("l", "a"),
        ("oil", "abc"),
        ("oli", "acb"),
        ("lio", "cba"),
        ("goil", "abcd"),
        ("ldnc", "abcd"),
        ("ldigo", "abcde"),
        ("ldgoi", "abdec"),
        ("ldio", "abcd"),
        ("ldoi", "abdc"),
        ("ldgo", "abcd"),
        ("ldgOI32o4i", "abdEC32e4c"),
        ("ldIo32i", "abCd32c"),
        ("nCdhw16c", "aBcde16b"),
        ("NChw16n16c", "ABcd16a16b"),
        ("OI16i16o4i", "AB16b16a4b"),
        ("OIhw4o8i8o4i", "ABcd4a8b8a4b"),
        ("gIOhw4i8o8i4o", "aCBde4c8b8c4b"),
        ("Goihw16g", "Abcde16a"),
        ("gOdhwI16o2i", "aBdefC16b2c"),
        ("NCHW", "abcd"),
        ("NCHW16c", "aBcd16b"),
        ("NHWC", "acdb"),
        ("HWIO", "cdba"),
        ("OIHW16i16o", "ABcd16b16a"),
        ("OIHW1i16o", "Abcd16a"),
        ("NHWC8h2w32c2w", "aCDB8c2d32b2d"), // a layout of TVM for Hexagon
    ] {
        let rank = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let sizes = &[3i64, 5, 4, 2, 7, 6][..rank];
        let shape = parse_tag(name, F32, sizes).unwrap_or_else(|error| panic!("{name}: {}", sentence(&error)));
        assert_eq!(format_tag(&shape).unwrap(), numbers, "{name}");
        assert!(same(&shape, &parse_tag(numbers, F32, sizes).unwrap()), "{name}");
    }
}

#[test]
fn what_is_refused_says_why() {
    let bad = |status: Status, argument: Argument, dimension, lhs, rhs| {
        (status.number(), argument.number(), dimension, lhs, rhs)
    };
    let init = |blocks: &[(i64, i64)]| reason(init_blocked(F32, &[8, 8], None, blocks));
    assert_eq!(init(&[(0, 2), (2, 2)]), bad(Status::InvalidAxes, Argument::BlockDims, 1, 2, 2));
    assert_eq!(init(&[(-1, 2)]), bad(Status::InvalidAxes, Argument::BlockDims, 0, -1, 2));
    assert_eq!(init(&[(0, 2), (1, 0)]), bad(Status::InvalidSize, Argument::BlockSizes, 1, 0, 1));
    let far = 1i64 << 62;
    assert_eq!(init(&[(0, far), (0, 4)]), bad(Status::Overflow, Argument::BlockSizes, 1, far, 4));
    assert_eq!(init(&[(0, far), (1, 4)]).0, Status::Overflow.number());
    let back_and_forth: Vec<(i64, i64)> = (0..9).flat_map(|_| [(1, 2), (0, 2)]).collect();
    assert_eq!(init(&back_and_forth), bad(Status::Unsupported, Argument::BlockSizes, -1, 9, 8));
    assert!(init_blocked(F32, &[8, 8], None, &back_and_forth[..15]).is_ok(), "eight tiles");
    let long = init_blocked(F32, &[1; 40], None, &[(1, 2), (0, 2)]);
    assert_eq!(reason(long), bad(Status::Unsupported, Argument::BlockSizes, -1, 80, 64));
    let many: Vec<(i64, i64)> = (0..65).map(|k| (k % 2, 2)).collect();
    assert_eq!(init(&many).0, Status::InvalidRank.number());
    let mut format = Blocked::new(2, None).unwrap();
    let last = many.iter().map(|&(dimension, size)| format.push(dimension, size)).find(Result::is_err);
    let record = last.expect("more blocks than there is room for").unwrap_err();
    assert_eq!((record.status, record.argument), (Status::Unsupported, Argument::BlockSizes));
    assert_eq!((record.lhs, record.rhs, format.block_sizes().len()), (65, 64, 64));
    let twice = init_blocked(F32, &[8, 8], Some(&[1, 1]), &[]);
    assert_eq!(reason(twice), bad(Status::InvalidAxes, Argument::OuterOrder, 1, 1, 2));
    assert_eq!(reason(init_blocked(F32, &[-1], None, &[(0, 2)])), bad(Status::InvalidSize, Argument::Sizes, 0, -1, 0));

    let no = |text: &str| reason(to_blocked(&parse(text).unwrap()));
    assert_eq!(no("f32[100]{0:T(8,128)}"), bad(Status::NotRepresentable, Argument::Shape, -1, 8, 1));
    assert_eq!(no("f32[12]{0:T(6)(4)}"), bad(Status::NotRepresentable, Argument::Shape, 0, 4, 6));
    assert_eq!(no("f32[12]{0:L(5)}"), bad(Status::NotRepresentable, Argument::Shape, -1, 5, 1));
    let wide = padded(parse("f32[2,3]").unwrap(), &[2, 4], 0).unwrap();
    assert_eq!(reason(format_tag(&wide)), bad(Status::NotRepresentable, Argument::Shape, 1, 4, 3));
    let letters = shape(F32, &[1; 27], None).unwrap();
    assert_eq!(reason(format_tag(&letters)), bad(Status::InvalidRank, Argument::Shape, -1, 27, 26));
    assert_eq!(reason(to_blocked(&parse("f32[2,?]").unwrap())).0, Status::Unsupported.number());
    let most = shape(F32, &[1; 26], None).unwrap();
    assert_eq!(format_tag(&most).unwrap(), "abcdefghijklmnopqrstuvwxyz");
    assert!(same(&parse_tag("abcdefghijklmnopqrstuvwxyz", F32, &[1; 26]).unwrap(), &most));
    assert_eq!(format_tag(&parse_tag("", F32, &[]).unwrap()).unwrap(), "");
}

/// An answer or a place, and what is read is printed and read back. Whether it is a tag of these sizes.
fn any_tag(tag: &[u8], sizes: &[i64]) -> bool {
    match tag::parse(tag, Dtype::U8, sizes) {
        Ok(shape) => {
            let text = Tag::of(&shape).expect("a tag").to_string();
            assert_eq!(tag::parse(text.as_bytes(), Dtype::U8, sizes), Ok(shape), "{text}");
            true
        }
        Err(error) => {
            assert!(error.status != Status::Parse || error.position as usize <= tag.len(), "{error:?}");
            false
        }
    }
}

/// Letters and numbers such as tags have.
pub fn tag_of_anybody(random: &mut Random) -> bool {
    let parts: [&[u8]; 4] = [b"abcdABCD", b"nchwNCHW", b"goidhwGOIDHW", b"ldnctxz 0"];
    let part = random.pick(&parts);
    let mut tag: Vec<u8> = (0..random.below(5)).map(|_| random.pick(part)).collect();
    for _ in 0..random.below(4) {
        tag.extend(random.pick(&[&b"1"[..], b"2", b"4", b"16", b"", b"0", b"9223372036854775807"]));
        tag.push(random.pick(part).to_ascii_lowercase());
    }
    any_tag(&tag, &[3i64, 5, 2, 4, 3][..random.below(6) as usize])
}

#[test]
fn random_tags_are_read_or_refused() {
    let mut read = 0;
    oracle::cases(7, 200_000, |random| read += u32::from(tag_of_anybody(random)));
    println!("{read} read");
    assert!(cfg!(miri) || (2_000..198_000).contains(&read), "{read}");
}

/// What `fuzz/` runs: after a byte up to 7 the next one is a rank and the others are the tag; else they steer a format,
/// or a tag. Whether it passed the checks.
pub fn any_bytes(bytes: &[u8]) -> bool {
    if let [0..=7, rank, tag @ ..] = bytes {
        return any_tag(tag, &[3, 5, 2, 4, 3, 2, 2][..*rank as usize % 8]);
    }
    let random = &mut Random::steered(bytes);
    match random.below(16) {
        0 => oracle::until_one_passes(|| tag_of_anybody(random)),
        _ => oracle::until_one_passes(|| format_of_high_rank(random)),
    }
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/tags.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("tags", any_bytes);
}
