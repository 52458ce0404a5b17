//! The text of XLA shapes: tables of good and bad ones, random shapes there and back, and bytes that are no text at
//! all.

pub mod common;
mod oracle;

use common::*;
use oracle::Random;
use std::fmt::Write;

const DTYPES: [&str; 30] = [
    "pred",
    "s1",
    "s2",
    "s4",
    "s8",
    "s16",
    "s32",
    "s64",
    "u1",
    "u2",
    "u4",
    "u8",
    "u16",
    "u32",
    "u64",
    "f4e2m1fn",
    "f8e3m4",
    "f8e4m3",
    "f8e4m3fn",
    "f8e4m3b11fnuz",
    "f8e4m3fnuz",
    "f8e5m2",
    "f8e5m2fnuz",
    "f8e8m0fnu",
    "f16",
    "bf16",
    "f32",
    "f64",
    "c64",
    "c128",
];

/// Texts that are printed as they are read.
const PRINTED: [&str; 31] = [
    "f32[]",
    "f32[2,3]{1,0}",
    "f32[2,3]{0,1}",
    "pred[0]{0}",
    "c128[1,2,3]{0,2,1}",
    "f32[9223372036854775807,0]{1,0}",
    // hlo_parser_test.cc and shape_util_test.cc of XLA
    "bf16[123,456,789]{2,1,0}",
    "f32[123,456,789]{0,1,2}",
    "f32[123,456,789]{0,1,2:T(2,3,4)}",
    "f32[123,456,789]{2,1,0:T(2,*,4)}",
    "f32[123,456,789]{1,0,2:T(2,3,4)(1,2)}",
    "f32[123,456]{1,0:T(*,*,3)}",
    "f32[8,2,3,1004]{3,2,1,0:T(2,*,*,128)(2,1)}",
    "f32[123,456]{0,1:T(2,128)E(64)}",
    "f32[123,456]{1,0:S(5)}",
    "pred[123,456]{1,0:T(32,128)(32,1)E(1)}",
    "f32[123,456]{1,0:T(8,128)L(16)E(64)S(1)}",
    "s4[123,456]{1,0:T(2,128)E(4)}",
    "bf16[8,2,3,1004]{3,2,1,0:T(2,*,*,128)(2,1)L(4)E(32)S(1)}",
    "f32[]{:T(256)}",
    "f32[]{:T(256)S(1)}",
    "s32[]{:S(5)}",
    "f32[4]{0:L(100)}",
    "f32[<=8,2]{1,0}",
    "f32[2,<=3]{0,1:T(8,128)}",
    "f32[?]{0}",
    "f32[?,3]{1,0}",
    "f32[?,<=3,4]{0,1,2:T(*,8)}",
    "f32[2]{0:S(-128)}",
    "f32[5]{0:T(1)(1)(1)(1)(1)(1)(1)(1)}",
    "f8e4m3b11fnuz[1]{0}",
];

/// Texts that are printed another way.
const FREE: [(&str, &str); 16] = [
    ("f32[2,3]", "f32[2,3]{1,0}"),
    ("f32[?]", "f32[?]{0}"),
    (
        "  f32  [ 2 , <=3 ] { 0 , 1 : T ( 2 , * , 4 ) ( 2 ) L ( 2 ) E ( 64 ) S ( -1 ) }  ",
        "f32[2,<=3]{0,1:T(2,*,4)(2)L(2)E(64)S(-1)}",
    ),
    ("/* a */f32/**/[2/* rows */,3]// end", "f32[2,3]{1,0}"),
    ("f32[2,// two\n3]\t{1,0}\r\n", "f32[2,3]{1,0}"),
    ("f32[2,// two\r3]\t{1,0}\r// end", "f32[2,3]{1,0}"),
    ("f32[2]{0:T(-9223372036854775808,4)}", "f32[2]{0:T(*,4)}"),
    ("f32[2]{0:L(1)E(32)S(0)}", "f32[2]{0}"),
    // E(16) says what bf16 has anyway.
    ("bf16[8,2,3,1004]{3,2,1,0:T(2,*,*,128)(2,1)L(4)E(16)S(1)}", "bf16[8,2,3,1004]{3,2,1,0:T(2,*,*,128)(2,1)L(4)S(1)}"),
    ("f32[2]{0:}", "f32[2]{0}"),
    ("f32[]{:}", "f32[]"),
    ("f32[]{:S(0)}", "f32[]"),
    ("s4[3]{0:E(8)}", "s4[3]{0}"),
    ("bf16[2]{0:E(16)}", "bf16[2]{0}"),
    ("f32[002]{0:T(08)}", "f32[2]{0:T(8)}"),
    ("s4[1152921504606846976]{0:E(4)}", "s4[1152921504606846976]{0:E(4)}"), // too many bytes only without E
];

/// Texts that do not follow the grammar, and the byte at which they stop.
const WRONG: [(&str, u64); 86] = [
    ("f32[2]\x0b", 6),
    ("f32[2]\x0c", 6), // no white space to XLA
    ("", 0),
    ("   ", 3),
    ("f33[2]", 0),
    ("F32[2]", 0),
    ("tuple[2]", 0),
    ("bytes4[2]", 0),
    ("[2]", 0),
    ("f32", 3),
    ("f32{0}", 3),
    ("f32 2", 4),
    ("f32[", 4),
    ("f32[2", 5),
    ("f32[2,]", 6),
    ("f32[,2]", 4),
    ("f32[2,,3]", 6),
    ("f32[2 3]", 6),
    ("f32[-2]", 4),
    ("f32[+2]", 4),
    ("f32[2.5]", 5),
    ("f32[0x8]", 5),
    ("f32[*]", 4),
    ("f32[-9223372036854775808]", 4),
    ("f32[9223372036854775808]", 4),
    ("f32[<8]", 5),
    ("f32[< =8]", 5),
    ("f32[=8]", 4),
    ("f32[<=]", 6),
    ("f32[<=?]", 6),
    ("f32[<=-1]", 6),
    ("f32[??]", 5),
    ("f32[?2]", 5),
    ("f32[2]x", 6),
    ("f32[2] f32[2]", 7),
    ("f32[2]{0}{0}", 9),
    ("f32[2]]", 6),
    ("f32[2]\0", 6),
    ("f32[2]{", 7),
    ("f32[2]{}", 7),
    ("f32[]{}", 6),
    ("f32[123,456]{foo}", 13),
    ("f32[2]{:T(2)}", 7),
    ("f32[]{0}", 6),
    ("f32[2]{0", 8),
    ("f32[2]{0,", 9),
    ("f32[2,3]{0}", 10),
    ("f32[2,3]{0:T(2)}", 10),
    ("f32[2,3]{1,0,0}", 13),
    ("f32[2,3]{0,0}", 11),
    ("f32[2,3]{0,2}", 11),
    ("f32[2,3]{0,-1}", 11),
    ("f32[2,3]{0 1}", 11),
    ("f32[2]{0 T(2)}", 9),
    ("f32[2]{0:", 9),
    ("f32[2]{0::}", 9),
    ("f32[2]{0:X(1)}", 9),
    ("f32[2]{0:t(2)}", 9),
    ("f32[2]{0:TT(2)}", 9),
    ("f32[2]{0:(2)}", 9),
    ("f32[2]{0:T}", 10),
    ("f32[2]{0:T(", 11),
    ("f32[2]{0:T()}", 11),
    ("f32[2]{0:T(0)}", 11),
    ("f32[2]{0:T(-3)}", 11),
    ("f32[2]{0:T(- 3)}", 12),
    ("f32[2]{0:T(2,-9223372036854775807)}", 13),
    ("f32[2]{0:T(-9223372036854775809,2)}", 11),
    ("f32[2]{0:T(*)}", 11),
    ("f32[2]{0:T(2,*)}", 13),
    ("f32[2]{0:T(2,-9223372036854775808)}", 13),
    ("f32[2]{0:T(**,2)}", 12),
    ("f32[2]{0:T(2}", 12),
    ("f32[2]{0:T(2,)}", 13),
    ("f32[2]{0:T(2)(}", 14),
    ("f32[2]{0:T(2),(1)}", 13),
    ("f32[2]{0:T(2)T(1)}", 13),
    ("f32[2]{0:L(2)T(2)}", 13),
    ("f32[2]{0:E(64)L(2)}", 14),
    ("f32[2]{0:S(1)E(64)}", 13),
    ("f32[2]{0:L(0)}", 11),
    ("f32[2]{0:L(2)L(2)}", 13),
    ("f32[2]{0:E(16)}", 11),
    ("f32[2]{0:E(4294967328)}", 11), // 2^32 + 32
    ("f32[2]{0:S()}", 11),
    ("f32[2] /* open", 7),
];

/// Valid texts that this version does not take, and where.
const LATER: [(&str, u64); 13] = [
    ("(f32[2], s32[])", 0),
    ("()", 0),
    ("token[]", 0),
    ("opaque[]", 0),
    ("f32[2,3]{1,0:D(D,C)}", 13),
    ("f32[2]{0:#(u32)}", 9),
    ("f32[2]{0:*(u32)}", 9),
    ("f32[2]{0:T(2)#(u32)}", 13),
    ("f32[2]{0:SC(0:1)}", 9),
    ("f32[2]{0:T(2)S(1)SC(0:1)}", 17),
    ("f32[2]{0:P(f32[3])}", 9),
    ("f32[2]{0:M(8)}", 9),
    ("f32[2]{0:T(1)(1)(1)(1)(1)(1)(1)(1)(1)}", 34),
];

fn place(text: &str) -> (stride_status, u32, u64) {
    let e = error(parse(text));
    (e.status, e.argument, e.position)
}

#[test]
fn texts_come_back() {
    for text in PRINTED {
        let shape = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(shape_text(&shape).as_deref(), Ok(text));
        validate_shape(&shape).unwrap();
    }
    for (text, printed) in FREE {
        let shape = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(shape_text(&shape).as_deref(), Ok(printed), "{text}");
    }
    for dtype in DTYPES {
        assert_eq!(shape_text(&parse(&format!("{dtype}[3]")).unwrap()).unwrap(), format!("{dtype}[3]{{0}}"));
    }
}

#[test]
fn wrong_texts_have_a_position() {
    for (text, position) in WRONG {
        assert_eq!(place(text), (Status::Parse.number(), Argument::Text.number(), position), "{text}");
    }
}

#[test]
fn later_texts_have_a_position() {
    for (text, position) in LATER {
        assert_eq!(place(text), (Status::Unsupported.number(), Argument::Text.number(), position), "{text}");
    }
}

/// Limits: 64 dimensions, 64 tile sizes, 64 bits.
#[test]
fn limits_have_a_position() {
    let ones = |count| vec!["1"; count].join(",");
    let e = error(parse(&format!("f32[{}]", ones(65))));
    assert_eq!((e.status, e.position, e.lhs, e.rhs), (Status::InvalidRank.number(), 132, 65, 64));
    let e = error(parse(&format!("f32[{},?]", ones(64))));
    assert_eq!((e.status, e.position, e.lhs, e.rhs), (Status::InvalidRank.number(), 132, 65, 64));
    let e = error(parse(&format!("f32[]{{:T({})(1)}}", ones(64))));
    assert_eq!((e.status, e.position, e.item), (Status::Unsupported.number(), 138, 1));
    assert_eq!((e.lhs, e.rhs), (65, 64));
    let full = format!(
        "f32[{}]{{{}:T({})}}",
        ones(64),
        (0..64).map(|k| k.to_string()).collect::<Vec<_>>().join(","),
        ones(64)
    );
    assert_eq!(shape_text(&parse(&full).unwrap()), Ok(full));
    for (text, position) in [
        ("f32[4294967296,4294967296]", 26),
        ("f32[1152921504606846976] ", 24),
        ("f32[1,1]{1,0:T(4294967296,4294967296)}", 14),
        ("f32[3]{0:L(9223372036854775807)}", 11),
    ] {
        let e = error(parse(text));
        assert_eq!((e.status, e.position), (Status::Overflow.number(), position), "{text}");
    }
}

/// A random valid text, as it is printed.
fn random_text(random: &mut Random) -> String {
    let dtype = random.pick(&DTYPES);
    let rank = if random.one_in(30) { 64 } else { random.below(7) };
    let mut text = format!("{dtype}[");
    for k in 0..rank {
        let comma = if k == 0 { "" } else { "," };
        let size = if rank == 64 { random.below(2) } else { random.below(40) };
        match random.below(12) {
            0 => write!(text, "{comma}?"),
            1 => write!(text, "{comma}<={size}"),
            _ => write!(text, "{comma}{size}"),
        }
        .unwrap();
    }
    text.push(']');
    let mut sections = String::new();
    if random.one_in(2) {
        sections.push('T');
        for _ in 0..1 + random.below(3) {
            let count = 1 + random.below(4);
            for k in 0..count {
                sections.push(if k == 0 { '(' } else { ',' });
                if k + 1 < count && random.one_in(4) {
                    sections.push('*');
                } else {
                    write!(sections, "{}", 1 + random.below(20)).unwrap();
                }
            }
            sections.push(')');
        }
    }
    if random.one_in(4) {
        write!(sections, "L({})", 2 + random.below(500)).unwrap();
    }
    if random.one_in(4) && dtype != "c128" {
        let natural = 8 * byte_size(&parse(&format!("{dtype}[]")).unwrap()).unwrap();
        write!(sections, "E({})", natural * 2).unwrap();
    }
    if random.one_in(4) {
        write!(sections, "S({})", random.pick(&[1, 5, -1, i64::MAX])).unwrap();
    }
    if rank > 0 || !sections.is_empty() {
        let mut order: Vec<i64> = (0..rank).rev().collect();
        if random.one_in(2) {
            random.shuffle(&mut order);
        }
        let order: Vec<String> = order.iter().map(i64::to_string).collect();
        let colon = if sections.is_empty() { "" } else { ":" };
        write!(text, "{{{}{colon}{sections}}}", order.join(",")).unwrap();
    }
    text
}

/// Text to shape to text to shape; white space changes nothing.
#[test]
fn random_shapes_come_back() {
    let mut random = Random::new(11);
    for _ in 0..oracle::times(20_000) {
        let text = random_text(&mut random);
        let shape = parse(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(shape_text(&shape).as_deref(), Ok(&text[..]));
        let spaced: String = text
            .chars()
            .map(|c| {
                if "[](){},:".contains(c) {
                    format!(" {c}{}", random.pick(&[" ", "/*,*/", "//)\n", "\t"]))
                } else {
                    c.into()
                }
            })
            .collect();
        assert_eq!(shape_text(&parse(&spaced).unwrap()).as_deref(), Ok(&text[..]), "{spaced}");
    }
}

/// What a text says, field by field.
#[test]
fn fields_of_a_text() {
    let shape = parse("bf16[8,?,<=3,1004]{3,1,2,0:T(2,*,*,128)(2,1)L(4)E(32)S(1)}").unwrap();
    assert_eq!((shape.dtype, shape.rank, shape.element_bits), (Dtype::BF16.code(), 4, 32));
    assert_eq!(shape.sizes[..4], [8, STRIDE_XLA_UNBOUNDED, 3, 1004]);
    assert_eq!(shape.padded_sizes[..4], shape.sizes[..4]);
    assert_eq!(shape.dynamic_dimensions, 0b110);
    assert_eq!(shape.minor_to_major[..4], [3, 1, 2, 0]);
    assert_eq!((shape.tile_count, &shape.tile_ranks[..2]), (2, &[4, 2][..]));
    let merge = STRIDE_XLA_TILE_MERGE;
    assert_eq!(shape.tile_sizes[..6], [2, merge, merge, 128, 2, 1]);
    assert_eq!((shape.tail_alignment, shape.memory_space), (4, 1));
}

/// Any bytes get an answer as the text of a layout too: a position inside the text, or a layout that is read back.
fn any_layout(bytes: &[u8]) {
    match stride::LayoutBuf::parse(bytes) {
        Ok(layout) => assert_eq!(stride::LayoutBuf::parse(layout.to_string()), Ok(layout)),
        Err(error) => {
            let position = Some(error.position).filter(|&position| position != u64::MAX).unwrap_or(0);
            assert!(error.argument == Argument::Text && position <= bytes.len() as u64, "{error:?}");
        }
    }
}

/// Any bytes get an answer: a position inside the text with an error; what is printed is read back as the same shape,
/// and positions of a shape that has some come back. Whether it is a shape.
fn any_text(bytes: &[u8]) -> bool {
    use stride::model::MAX_RANK;
    use stride::vocabulary::xla::text::parse;
    any_layout(bytes);
    let shape = match parse(bytes) {
        Ok(shape) => shape,
        Err(error) => {
            let text = bytes.escape_ascii();
            let is_in_text = error.argument == Argument::Text && error.position <= bytes.len() as u64;
            assert!(is_in_text, "{error:?} of {text}");
            return false;
        }
    };
    let printed = shape.to_string();
    assert_eq!(parse(printed.as_bytes()), Ok(shape), "{printed}");

    let Ok(size) = shape.byte_size() else {
        assert!(shape.check_bounded().is_err(), "{printed}");
        return true;
    };
    assert!(shape.dense_size().unwrap() <= size, "{printed}");
    let mut index = [0; MAX_RANK];
    if let Ok(data) = shape.data_size() {
        assert!(data <= size, "{printed}");
        assert_eq!(data == 0, shape.sizes().contains(&0), "{printed}");
    }
    for linear in [0, 1, 77, size as i64 / 3, size as i64 - 1] {
        if shape.multi_index(linear, &mut index).is_ok() {
            assert_eq!(shape.linear_index(&index[..shape.rank()]), Ok(linear), "{printed}");
        }
    }
    let _ = (shape.is_untiled(), shape.to_layout(), shape.expansion_factor());
    true
}

/// A text to which other ones were done: bytes added, left out, changed, or the end of another text.
fn spoilt(random: &mut Random, text: &[u8], others: &[&str]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() as u64 + 1) as usize;
        let other = random.pick(others).as_bytes();
        match random.below(5) {
            0 => bytes.insert(at, random.next() as u8),
            1 => bytes.insert(at, random.pick(b"*?<=-,:()[]{}0123456789TLES/ ")),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => {
                bytes.truncate(at);
                bytes.extend_from_slice(&other[random.below(other.len() as u64 + 1) as usize..]);
            }
        }
    }
    bytes
}

/// What `fuzz/` runs: after a byte up to 7 the others are the text; else they steer one that is a shape, or is spoilt.
/// Whether it is one.
pub fn any_bytes(bytes: &[u8]) -> bool {
    let steering = match bytes {
        [0..=7, text @ ..] => return any_text(text),
        [_, rest @ ..] => rest,
        [] => bytes,
    };
    let random = &mut Random::steered(steering);
    oracle::until_one_passes(|| {
        let text = random_text(random).into_bytes();
        any_text(&if random.one_in(3) { spoilt(random, &text, &PRINTED) } else { text })
    })
}

#[test]
fn any_bytes_get_an_answer() {
    let mut random = Random::new(5);
    for _ in 0..oracle::times(20_000) {
        let length = random.below(60) as usize;
        any_text(&random.bytes(length));
        let alphabet = b"f32s4[]{}(),:TLESDSCPM*?<=-+#0123456789ab %/*\n";
        any_text(&(0..length).map(|_| random.pick(alphabet)).collect::<Vec<_>>());
    }
}

#[test]
fn spoilt_texts_get_an_answer() {
    let mut random = Random::new(6);
    let good = PRINTED.iter().copied().chain(FREE.map(|(text, _)| text)).chain(WRONG.map(|(text, _)| text));
    let good: Vec<&str> = good.chain(LATER.map(|(text, _)| text)).collect();
    for text in &good[..oracle::times(good.len())] {
        for length in 0..=text.len() {
            any_text(&text.as_bytes()[..length]);
        }
    }
    for _ in 0..oracle::times(40_000) {
        let text = random.pick(&good).as_bytes();
        any_text(&spoilt(&mut random, text, &good));
    }
}

#[test]
fn inputs_that_fuzzing_kept() {
    oracle::corpus(include_str!("corpora/xla_text.txt"), any_bytes);
}

#[test]
fn nine_of_ten_inputs_pass() {
    oracle::nine_of_ten_pass("xla_text", any_bytes);
}

/// What XLA's other attributes are, as `Layout::Print` of xla/layout.cc and its fields name them.
#[test]
fn attributes_that_are_refused_have_names() {
    for (attribute, what) in [
        ("M(8)", "M(...), bytes of dynamic shape metadata before the data"),
        ("SC(0:100)", "SC(...), the split of an array among memories"),
        ("P(f32[2]{0})", "P(...), the physical shape of a sparse array"),
        ("#(u32)", "#(...), the type of a sparse array's indices"),
        ("*(u16)", "*(...), the type of a sparse array's pointers"),
        ("D(C)", "D(...), the storage of a sparse array's dimensions"),
    ] {
        let said = error(parse(&format!("f32[2]{{0:T(2){attribute}}}")));
        assert_eq!((said.status, said.position), (Status::Unsupported.number(), 13), "{attribute}");
        assert_eq!(sentence(&said), format!("text, byte 13: {what}, is not supported"));
    }
    assert!(parse("f32[2]{0:T(2)L(4)E(32)S(1)}").is_ok());
}
