//! What `stride convert` writes, held against a loop over all indices, and what is left of a run that ends early.

mod common;

use common::{Case, Out, npy, npy_text};

/// All indices of these sizes, in row-major order.
fn indices(sizes: &[usize]) -> Vec<Vec<usize>> {
    sizes.iter().fold(vec![vec![]], |all, size| {
        all.iter().flat_map(|index| (0..*size).map(move |i| [&index[..], &[i]].concat())).collect()
    })
}

/// The row-major number of an index.
fn number(sizes: &[usize], index: &[usize]) -> usize {
    sizes.iter().zip(index).fold(0, |number, (size, i)| number * size + i)
}

fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|i| (i * 37 + i / 251) as u8).collect()
}

fn shape(sizes: &[usize]) -> String {
    sizes.iter().map(|size| format!("{size},")).collect()
}

/// The header's text and the data of a .npy that was written.
#[track_caller]
fn parts(npy: &[u8]) -> (String, &[u8]) {
    let length = 10 + u16::from_le_bytes([npy[8], npy[9]]) as usize;
    assert_eq!((&npy[..8], length % 64, npy[length - 1]), (&b"\x93NUMPY\x01\x00"[..], 0, b'\n'));
    (str::from_utf8(&npy[10..length]).unwrap().trim_end().into(), &npy[length..])
}

/// numpy.transpose of elements of `width` bytes, element by element.
fn transposed(data: &[u8], sizes: &[usize], axes: &[usize], width: usize) -> Vec<u8> {
    let to: Vec<_> = axes.iter().map(|axis| sizes[*axis]).collect();
    let mut out = vec![];
    for index in indices(&to) {
        let mut from = vec![0; sizes.len()];
        axes.iter().zip(&index).for_each(|(axis, i)| from[*axis] = *i);
        let at = number(sizes, &from) * width;
        out.extend(&data[at..at + width]);
    }
    out
}

#[test]
fn all_axes_of_rank_4() {
    let sizes = [3, 4, 5, 6];
    let data = bytes(360 * 4);
    let case = Case::new();
    case.write("in.npy", &npy("<f4", &shape(&sizes), &data));
    for number in 0..256usize {
        let axes = [number >> 6, number >> 4 & 3, number >> 2 & 3, number & 3];
        if !(0..4).all(|axis| axes.contains(&axis)) {
            continue;
        }
        let text = axes.map(|axis| axis.to_string()).join(",");
        let out = case.converted(&["in.npy", "out.npy", "--force", "--axes", &text], "out.npy");
        let to: Vec<_> = axes.iter().map(|axis| sizes[*axis]).collect();
        let header = format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}, {}, {}), }}",
            to[0], to[1], to[2], to[3]
        );
        assert_eq!(parts(&out), (header, &transposed(&data, &sizes, &axes, 4)[..]), "{text}");
    }
}

/// The least memory cuts these into many boxes, on one and on several threads.
#[test]
fn many_boxes() {
    let cases: [(&[usize], &[usize]); 4] = [
        (&[701, 503], &[1, 0]),
        (&[7, 3, 130, 131], &[0, 2, 3, 1]),
        (&[9, 200, 210], &[2, 0, 1]),
        (&[5, 1, 300, 1, 250], &[4, 3, 2, 1, 0]),
    ];
    for (sizes, axes) in cases {
        let data = bytes(sizes.iter().product::<usize>() * 2);
        let case = Case::new();
        case.write("in.npy", &npy("<u2", &shape(sizes), &data));
        let text = axes.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        for threads in ["1", "5"] {
            let more = ["--axes", &text, "--memory", "64K", "--threads", threads, "--force", "--json"];
            let out = case.convert(&[&["in.npy", "out.npy"], &more[..]].concat());
            let told: serde_json::Value = serde_json::from_str(&out.stdout).expect(&out.stderr);
            assert!(told["pieces"].as_u64() > Some(4), "{told}");
            assert!(parts(&case.read("out.npy")).1 == transposed(&data, sizes, axes, 2), "{sizes:?} {axes:?}");
        }
    }
}

#[test]
fn fortran_order_on_either_side() {
    let (rows, columns) = (bytes(24), transposed(&bytes(24), &[2, 3], &[1, 0], 4));
    let case = Case::new();
    case.write("c.npy", &npy("<i4", "2, 3", &rows));
    let fortran = b"{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }\n";
    case.write("f.npy", &npy_text(fortran, &columns));
    for input in ["c.npy", "f.npy"] {
        let out = case.converted(&[input, "out.npy", "--force"], "out.npy");
        let header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }".to_owned();
        assert_eq!(parts(&out), (header, &rows[..]), "{input}");
        let out = case.converted(&[input, "out.npy", "--force", "--layout", "f"], "out.npy");
        let header = "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }".to_owned();
        assert_eq!(parts(&out), (header, &columns[..]), "{input}");
    }
}

#[test]
fn byte_orders() {
    let (little, big) = ([1, 2, 3, 4, 5, 6, 7, 8], [4, 3, 2, 1, 8, 7, 6, 5]);
    let case = Case::new();
    case.write("little.npy", &npy("<f4", "2,", &little));
    case.write("big.npy", &npy(">f4", "2,", &big));
    let native = if cfg!(target_endian = "little") { "<f4" } else { ">f4" };
    for (order, of_little, of_big) in [
        (None, "<f4", ">f4"),
        (Some("little"), "<f4", "<f4"),
        (Some("big"), ">f4", ">f4"),
        (Some("native"), native, native),
        (Some("swapped"), ">f4", "<f4"),
    ] {
        for (input, descr) in [("little.npy", of_little), ("big.npy", of_big)] {
            let option = order.map(|order| format!("--byteorder={order}"));
            let arguments: Vec<_> = [input, "out.npy", "--force"].into_iter().chain(option.as_deref()).collect();
            let out = case.converted(&arguments, "out.npy");
            let (header, data) = parts(&out);
            assert!(header.starts_with(&format!("{{'descr': '{descr}'")), "{header} {input} {order:?}");
            assert_eq!(data, if descr == "<f4" { little } else { big }, "{input} {order:?}");
        }
    }
    // The parts of a complex number, each by itself.
    case.write("c.npy", &npy("<c8", "1,", &little));
    assert!(case.converted(&["c.npy", "out.npy", "--force", "--byteorder", "big"], "out.npy").ends_with(&big));
    // safetensors has one order.
    assert!(case.converted(&["big.npy", "out.safetensors"], "out.safetensors").ends_with(&little));
    let out = case.convert(&["big.npy", "o.safetensors", "--byteorder", "big"]);
    assert_eq!((out.code, out.stderr.as_str()), (2, "stride: --byteorder: .safetensors is little-endian\n"));
}

#[test]
fn crops_and_mirrors_come_before_axes() {
    let data = bytes(4 * 5 * 6);
    let case = Case::new();
    case.write("in.npy", &npy("|u1", "4, 5, 6", &data));
    let more = ["--crop", "1:,:-1,-3:5", "--flip", "1,-1", "--axes", "2,0,1"];
    let out = case.converted(&[&["in.npy", "out.raw"], &more[..]].concat(), "out.raw");
    let mut expected = vec![];
    for index in indices(&[2, 3, 4]) {
        let [x, z, y] = index[..] else { unreachable!() };
        expected.push(data[number(&[4, 5, 6], &[1 + z, 3 - y, 4 - x])]);
    }
    assert_eq!(out, expected);
    let out = case.convert(&["in.npy", "o.raw", "--crop", "0:1"]);
    assert_eq!((out.code, out.stderr.as_str()), (2, "stride: --crop: 1 ranges for 3 dimensions\n"));
    let out = case.convert(&["in.npy", "o.raw", "--axes", "0,1,1"]);
    assert_eq!((out.code, out.stderr.as_str()), (2, "stride: --axes: axes, entry 2: dimension number 1 is repeated\n"));
}

/// A tensor of f32[2,20,5,9] in layouts with tiles and padding, each by its formula; padding is zero.
#[test]
fn raw_layouts() {
    let sizes = [2, 20, 5, 9];
    let data: Vec<u8> = bytes(1800 * 4).iter().map(|byte| byte | 1).collect(); // no element is zero
    let case = Case::new();
    case.write("in.npy", &npy("<f4", "2, 20, 5, 9", &data));
    type Place = fn(&[usize]) -> usize;
    let layouts: [(&str, usize, Place); 5] = [
        ("nhwc", 1800, |i| ((i[0] * 5 + i[2]) * 9 + i[3]) * 20 + i[1]),
        ("nChw16c", 2880, |i| (((i[0] * 2 + i[1] / 16) * 5 + i[2]) * 9 + i[3]) * 16 + i[1] % 16),
        ("{3,2,1,0:T(8,128)}", 2 * 20 * 8 * 128, |i| ((i[0] * 20 + i[1]) * 8 + i[2]) * 128 + i[3]),
        ("a b/8 d c/2 b%8 c%2", 2 * 24 * 9 * 6, |i| {
            ((((i[0] * 3 + i[1] / 8) * 9 + i[3]) * 3 + i[2] / 2) * 8 + i[1] % 8) * 2 + i[2] % 2
        }),
        ("1024,48,9,1+5", 5 + 1024 + 19 * 48 + 4 * 9 + 8 + 1, |i| 5 + i[0] * 1024 + i[1] * 48 + i[2] * 9 + i[3]),
    ];
    for (layout, length, place) in layouts {
        let mut expected = vec![0; length * 4];
        for index in indices(&sizes) {
            let (to, from) = (place(&index) * 4, number(&sizes, &index) * 4);
            expected[to..to + 4].copy_from_slice(&data[from..from + 4]);
        }
        for memory in ["64K", "256M"] {
            let more = ["--layout", layout, "--memory", memory, "--threads", "3", "--force"];
            let out = case.converted(&[&["in.npy", "out.bin"], &more[..]].concat(), "out.bin");
            assert!(out == expected, "{layout} {memory}");
        }
    }
    let out = case.convert(&["in.npy", "o.npy", "--layout", "nhwc"]);
    let sentence = "stride: --layout: this format has no other than c and f; .bin and .raw have any\n";
    assert_eq!((out.code, out.stderr.as_str()), (2, sentence));
    let out = case.convert(&["in.npy", "o.raw", "--layout", "180,9,0,1"]);
    assert_eq!((out.code, out.stderr.contains("stride 0 maps 5 indices to one element")), (2, true), "{}", out.stderr);
    assert_eq!(case.names(), ["in.npy", "out.bin"]);
}

/// Larger than the least memory, so that a plan of tiles runs in several groups of parts.
#[test]
fn tiles_by_parts() {
    let (rows, columns) = (1000, 300);
    let data = bytes(rows * columns * 2);
    let case = Case::new();
    case.write("in.npy", &npy("<f2", "1000, 300", &data));
    let mut expected = vec![0; 1000 * 384 * 2];
    for index in indices(&[rows, columns]) {
        let (i, j) = (index[0], index[1]);
        let to = ((i / 8 * 3 + j / 128) * 1024 + i % 8 * 128 + j % 128) * 2;
        let from = (i * columns + j) * 2;
        expected[to..to + 2].copy_from_slice(&data[from..from + 2]);
    }
    let more = ["--layout", "{1,0:T(8,128)}", "--memory", "64K", "--threads", "2", "--json"];
    let out = case.convert(&[&["in.npy", "out.raw"], &more[..]].concat());
    let told: serde_json::Value = serde_json::from_str(&out.stdout).expect(&out.stderr);
    assert!(told["pieces"].as_u64() > Some(10), "{told}");
    assert!(case.read("out.raw") == expected);
}

/// Slabs of one image and of one channel, each larger than an eighth of the memory.
#[test]
fn tiles_by_slabs() {
    let sizes = [3, 4, 70, 60];
    let data = bytes(3 * 4 * 70 * 60 * 4);
    let case = Case::new();
    case.write("in.npy", &npy("<f4", "3, 4, 70, 60", &data));
    for (layout, order) in [("{3,2,1,0:T(8,64)}", [0, 1]), ("{3,2,0,1:T(8,64)}", [1, 0])] {
        let mut expected = vec![0; 12 * 72 * 64 * 4];
        for index in indices(&sizes) {
            let [outer, inner] = order.map(|axis| index[axis]);
            let slab = outer * sizes[order[1]] + inner;
            let to = ((slab * 9 + index[2] / 8) * 512 + index[2] % 8 * 64 + index[3]) * 4;
            let from = number(&sizes, &index) * 4;
            expected[to..to + 4].copy_from_slice(&data[from..from + 4]);
        }
        let more = ["--layout", layout, "--memory", "64K", "--threads", "2", "--force", "--json"];
        let out = case.convert(&[&["in.npy", "out.raw"], &more[..]].concat());
        let told: serde_json::Value = serde_json::from_str(&out.stdout).expect(&out.stderr);
        assert!(told["pieces"].as_u64() >= Some(12), "{told}");
        assert!(case.read("out.raw") == expected, "{layout}");
    }
}

/// Photographs become planes of f32, box by box.
#[test]
fn photographs_are_normalised() {
    let (sizes, axes) = ([3, 131, 130, 3], [0, 3, 1, 2]);
    let data = bytes(sizes.iter().product());
    let case = Case::new();
    case.write("in.npy", &npy("|u1", &shape(&sizes), &data));
    let expected: Vec<u8> = transposed(&data, &sizes, &axes, 1)
        .iter()
        .flat_map(|x| ((f32::from(*x) - 127.5) * 0.0078125 + -1.0).to_le_bytes())
        .collect();
    let how = ["--to", "f32", "--subtract", "127.5", "--scale", "0.0078125", "--add", "-1"];
    for threads in ["1", "3"] {
        let more = ["--axes", "0,3,1,2", "--memory", "64K", "--threads", threads, "--force", "--json"];
        let out = case.convert(&[&["in.npy", "out.npy"], &how[..], &more[..]].concat());
        let told: serde_json::Value = serde_json::from_str(&out.stdout).expect(&out.stderr);
        assert!(told["pieces"].as_u64() > Some(4), "{told}");
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3, 131, 130), }";
        assert_eq!(parts(&case.read("out.npy")), (header.into(), &expected[..]));
    }
}

/// f32 of the other byte order become bf16 in tiles; none of these needs to be rounded.
#[test]
fn tiles_of_another_dtype() {
    let (rows, columns) = (1000, 300);
    let value = |i: usize, j: usize| ((i * 7 + j) % 256) as f32 - 128.0;
    let case = Case::new();
    let all = indices(&[rows, columns]);
    let data: Vec<u8> = all.iter().flat_map(|index| value(index[0], index[1]).to_be_bytes()).collect();
    case.write("in.npy", &npy(">f4", "1000, 300", &data));
    let mut expected = vec![0; 1000 * 384 * 2];
    for index in &all {
        let (i, j) = (index[0], index[1]);
        let to = ((i / 8 * 3 + j / 128) * 1024 + i % 8 * 128 + j % 128) * 2;
        expected[to..to + 2].copy_from_slice(&value(i, j).to_le_bytes()[2..]);
    }
    let more = ["--to", "bf16", "--layout", "{1,0:T(8,128)}", "--memory", "64K", "--threads", "2", "--json"];
    let out = case.convert(&[&["in.npy", "out.raw"], &more[..]].concat());
    let told: serde_json::Value = serde_json::from_str(&out.stdout).expect(&out.stderr);
    assert!(told["pieces"].as_u64() > Some(10), "{told}");
    assert!(case.read("out.raw") == expected);
}

#[test]
fn each_flag_of_a_conversion() {
    let case = Case::new();
    let floats = |numbers: &[f32]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>();
    case.write("f.npy", &npy("<f4", "4,", &floats(&[-1.5, 2.5, 3.75, 300.0])));
    case.write("i.npy", &npy("<i4", "4,", &[-1, 2, 255, 300].map(i32::to_le_bytes).concat()));
    case.write("m.npy", &npy("<f4", "2,", &floats(&[f32::MAX, f32::NEG_INFINITY])));
    for (name, how, expected) in [
        ("f.npy", &["--to", "u8"][..], &[0, 2, 3, 255][..]),
        ("f.npy", &["--to", "u8", "--nearest"], &[0, 2, 4, 255]),
        ("f.npy", &["--to", "u8", "--nearest", "--scale", "2"], &[0, 5, 8, 255]),
        ("f.npy", &["--to", "s4"], &[0xFF, 2, 3, 7]), // one in a byte, as ml_dtypes reads it: its low bits
        ("i.npy", &["--to", "u8"], &[255, 2, 255, 44]),
        ("i.npy", &["--to", "u8", "--saturate"], &[0, 2, 255, 255]),
        ("i.npy", &["--to", "u8", "--subtract", "-1"], &[0, 3, 255, 255]),
        ("m.npy", &["--to", "f16"], &[0, 0x7C, 0, 0xFC]),
        ("m.npy", &["--to", "f16", "--finite"], &[0xFF, 0x7B, 0xFF, 0xFB]),
        ("m.npy", &["--to", "f16", "--finite", "--byteorder", "big"], &[0x7B, 0xFF, 0xFB, 0xFF]),
    ] {
        let out = case.converted(&[&[name, "out.npy", "--force"], how].concat(), "out.npy");
        let low = |byte: &u8| if how[1] == "s4" { byte & 15 } else { *byte };
        let is: Vec<_> = parts(&out).1.iter().map(low).collect();
        assert_eq!(is, expected.iter().map(low).collect::<Vec<_>>(), "{name} {how:?}");
    }
}

#[test]
fn what_does_not_convert_is_a_sentence() {
    let case = Case::new();
    case.write("c.npy", &npy("<c8", "2,", &bytes(16)));
    case.write("d.npy", &npy("<M8[D]", "2,", &bytes(16)));
    for (name, how, sentence) in [
        ("c.npy", &["--to", "f32"][..], "conversion: c64 does not convert to f32 this way"),
        ("c.npy", &["--scale", "2"], "conversion: c64 does not convert to c64 this way"),
        ("d.npy", &["--to", "s64"], "conversion: bytes8 does not convert to s64 this way"),
        ("c.npy", &["--to", "f33"], "--to: `f33`: unknown dtype; there are pred, s8 to s64, u8 to u64,"),
    ] {
        let out = case.convert(&[&[name, "out.npy"], how].concat());
        assert_eq!((out.code, out.stderr.starts_with(&format!("stride: {sentence}"))), (2, true), "{}", out.stderr);
    }
    let out = case.convert(&["c.npy", "out.npy", "--scale", "nan"]);
    assert!(out.stderr.contains("'--scale <NUMBER>': a number such as 0.5 or 1e-3 is needed"), "{}", out.stderr);
    assert_eq!(case.names(), ["c.npy", "d.npy"]);
}

#[test]
fn edges() {
    let case = Case::new();
    for (sizes, axes, count, told) in [
        ("", "", 1, "()"),
        ("1,", "0", 1, "(1,)"),
        ("0,", "0", 0, "(0,)"),
        ("0, 1000000000, 1000000000", "2,0,1", 0, "(1000000000, 0, 1000000000)"),
        ("1, 3, 1, 1", "3,1,0,2", 3, "(1, 3, 1, 1)"),
    ] {
        case.write("in.npy", &npy("<f8", sizes, &bytes(count * 8)));
        for layout in ["c", "f"] {
            let arguments = ["in.npy", "out.npy", "--force", "--layout", layout, "--axes", axes];
            let out = case.converted(&arguments, "out.npy");
            let order = if layout == "f" { "True" } else { "False" };
            let header = format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': {told}, }}");
            assert_eq!(parts(&out), (header, &bytes(count * 8)[..]), "{sizes}");
        }
        assert_eq!(case.converted(&["in.npy", "out.raw", "--force"], "out.raw"), bytes(count * 8));
    }
}

#[test]
fn what_is_there_stays() {
    let case = Case::new();
    case.write("in.npy", &npy("|u1", "3,", &[1, 2, 3]));
    case.write("out.raw", b"old");
    let out = case.convert(&["in.npy", "out.raw"]);
    assert_eq!((out.code, out.stderr.as_str()), (3, "stride: out.raw: it exists; --force replaces it\n"));
    assert_eq!(case.read("out.raw"), b"old");
    assert_eq!(case.converted(&["in.npy", "out.raw", "--force"], "out.raw"), [1, 2, 3]);
    let out = case.convert(&["in.npy", "in.npy", "--force"]);
    assert_eq!((out.code, out.stderr.as_str()), (3, "stride: in.npy: this is the input; write another file\n"));
    std::fs::hard_link(case.path("in.npy"), case.path("same.npy")).unwrap();
    let out = case.convert(&["in.npy", "same.npy", "--force"]);
    assert_eq!((out.code, out.stderr.as_str()), (3, "stride: same.npy: this is the input; write another file\n"));
    let out = case.convert(&["in.npy", "none/out.npy"]);
    assert_eq!(out.code, 3, "{}", out.stderr);
    let out = case.convert(&["in.npy", "out.txt"]);
    assert_eq!(out.code, 2, "{}", out.stderr);
    assert_eq!(case.names(), ["in.npy", "out.raw", "same.npy"]);
}

#[cfg(unix)]
#[test]
fn behind_a_link_its_target_is_replaced() {
    let case = Case::new();
    case.write("in.npy", &npy("|u1", "3,", &[1, 2, 3]));
    case.write("target.raw", b"old");
    std::os::unix::fs::symlink("target.raw", case.path("link.raw")).unwrap();
    assert_eq!(case.convert(&["in.npy", "link.raw"]).code, 3);
    assert_eq!(case.converted(&["in.npy", "link.raw", "--force"], "target.raw"), [1, 2, 3]);
    assert!(case.path("link.raw").is_symlink());
    std::os::unix::fs::symlink("none.raw", case.path("lost.raw")).unwrap();
    for more in [&[][..], &["--force"]] {
        let out = case.convert(&[&["in.npy", "lost.raw"], more].concat());
        assert_eq!((out.code, out.stderr.as_str()), (3, "stride: lost.raw: this is a link that leads nowhere\n"));
    }
    assert_eq!(case.names(), ["in.npy", "link.raw", "lost.raw", "target.raw"]);
}

#[test]
fn quiet_is_quiet() {
    let case = Case::new();
    case.write("in.npy", &[npy("|u1", "3,", &[1, 2, 3]), vec![0]].concat());
    let out = case.convert(&["in.npy", "out.raw", "--quiet"]);
    assert_eq!((out.code, out.stdout.as_str(), out.stderr.as_str()), (0, "", ""));
    for memory in ["", "M", "1K", "12X", "-1", "99999999999G"] {
        assert_eq!(case.convert(&["in.npy", "o.raw", "--memory", memory]).code, 2, "{memory}");
    }
}

/// The limit of the shell, met before a byte is written.
#[cfg(unix)]
#[test]
fn a_limit_of_file_sizes_is_a_sentence() {
    let case = Case::new();
    case.write("in.npy", &npy("|u1", "3000000,", &bytes(3_000_000)));
    let script = format!("ulimit -f 1024; exec '{}' convert in.npy out.raw", env!("CARGO_BIN_EXE_stride"));
    let mut shell = std::process::Command::new("sh");
    let out = Out::of(shell.args(["-c", &script]).current_dir(case.path("")).output().unwrap());
    assert_eq!(out.code, 3, "{out:?}");
    // A block of ulimit -f is 512 bytes in dash, 1024 in others.
    let starts = "stride: out.raw: 3000000 bytes are needed, but a file may have ";
    assert!(out.stderr.starts_with(starts) && out.stderr.ends_with(" (ulimit -f)\n"), "{}", out.stderr);
    assert_eq!(case.names(), ["in.npy"]);
}

/// A file system of 1 MiB; only root may mount one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_sentence() {
    let case = Case::new();
    case.write("in.npy", &npy("|u1", "3000000,", &bytes(3_000_000)));
    std::fs::create_dir(case.path("small")).unwrap();
    let mounted = |arguments: &[&str]| {
        let program = if arguments.len() == 1 { "umount" } else { "mount" };
        let run = std::process::Command::new(program).args(arguments).current_dir(case.path("")).output();
        run.is_ok_and(|out| out.status.success())
    };
    if !mounted(&["-t", "tmpfs", "-o", "size=1m", "none", "small"]) {
        println!("skipped: no file system can be mounted");
        return;
    }
    std::fs::write(case.path("small/out.raw"), b"old").unwrap();
    let out = case.convert(&["in.npy", "small/out.raw", "--force"]);
    let old = std::fs::read(case.path("small/out.raw"));
    let left = std::fs::read_dir(case.path("small")).map(Iterator::count);
    assert!(mounted(&["small"]));
    assert_eq!((out.code, old.ok().as_deref(), left.ok()), (3, Some(&b"old"[..]), Some(1)), "{out:?}");
    let starts = "stride: small/out.raw: 3000000 bytes are needed, ";
    assert!(out.stderr.starts_with(starts) && out.stderr.contains("No space left on device"), "{}", out.stderr);
}

/// A run that is held inside, of which one piece is written: until a byte of its standard input, or a signal.
#[cfg(unix)]
fn held(case: &Case, arguments: &[&str], stderr: std::process::Stdio) -> std::process::Child {
    let more = ["--force", "--axes", "1,0", "--memory", "64K", "--threads", "1"];
    let mut command = case.command(&[&["in.npy", "out.raw"], &more[..], arguments].concat());
    command.env("STRIDE_TEST_HOLD", "1").stdin(std::process::Stdio::piped()).stderr(stderr).spawn().unwrap()
}

#[cfg(unix)]
fn send(signal: &str, run: &std::process::Child) {
    let sent = std::process::Command::new("kill").args([&format!("-{signal}"), &run.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Text up to this word, or to the end.
#[cfg(unix)]
fn read_up_to(word: &str, from: &mut impl std::io::Read) -> String {
    let (mut text, mut byte) = (Vec::new(), [0]);
    // A terminal whose other side is closed gives an error.
    while !text.ends_with(word.as_bytes()) && from.read(&mut byte).is_ok_and(|count| count == 1) {
        text.push(byte[0]);
    }
    String::from_utf8(text).unwrap()
}

/// A run that is ended by a signal while it writes: OUT is what it was before.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_no_half_file() {
    let side = 300;
    let data = bytes(side * side * 4);
    let whole = transposed(&data, &[side, side], &[1, 0], 4);
    let cases = [("KILL", None), ("KILL", None), ("TERM", Some(143)), ("INT", Some(130)), ("HUP", Some(129))];
    for ((signal, code), old) in cases.into_iter().zip([false, true, false, true, true]) {
        let case = Case::new();
        case.write("in.npy", &npy("<f4", "300, 300", &data));
        if old {
            case.write("out.raw", b"old");
        }
        let mut run = held(&case, &["--quiet"], std::process::Stdio::piped());
        let mut stderr = run.stderr.take().unwrap();
        assert_eq!(read_up_to("held\n", &mut stderr), "held\n");
        let hidden = |case: &Case| case.names().iter().any(|name| name.starts_with(".stride-"));
        assert!(hidden(&case));
        send(signal, &run);
        let told = read_up_to("no such word", &mut stderr);
        assert_eq!(run.wait().unwrap().code(), code, "SIG{signal}");
        let sentence = "stride: out.raw: not written, since a signal ended the run\n";
        assert_eq!(told, if code.is_some() { sentence } else { "" }, "SIG{signal}");
        let out = std::fs::read(case.path("out.raw")).ok();
        assert_eq!(out.as_deref(), old.then_some(&b"old"[..]), "SIG{signal}");
        assert_eq!(hidden(&case), signal == "KILL", "SIG{signal}");
        // The next run is not disturbed.
        assert!(case.converted(&["in.npy", "out.raw", "--force", "--axes", "1,0"], "out.raw") == whole);
    }
}

/// On a terminal nothing of the bar is left.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_clears_the_bar() {
    use rustix::pty;
    let case = Case::new();
    case.write("in.npy", &npy("<f4", "300, 300", &bytes(300 * 300 * 4)));
    let terminal = pty::openpt(pty::OpenptFlags::RDWR | pty::OpenptFlags::NOCTTY).unwrap();
    pty::grantpt(&terminal).unwrap();
    pty::unlockpt(&terminal).unwrap();
    let name = pty::ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let stderr = std::fs::File::options().read(true).write(true).open(name).unwrap();
    let mut run = held(&case, &[], stderr.into());
    let mut terminal = std::fs::File::from(terminal);
    let bar = read_up_to("held", &mut terminal);
    assert!(bar.contains("MiB") || bar.contains("KiB"), "a bar is drawn: {bar:?}");
    send("TERM", &run);
    let rest = read_up_to("no such word", &mut terminal);
    assert_eq!(run.wait().unwrap().code(), Some(143));
    let sentence = "\x1b[2Kstride: out.raw: not written, since a signal ended the run\r\n";
    assert!(rest.ends_with(sentence), "{rest:?}");
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let case = Case::new();
    case.write("in.npy", &npy("|u1", "3,", &[1, 2, 3]));
    for mode in [0o600, 0o666, 0o444, 0o751] {
        case.write("out.npy", b"old");
        std::fs::set_permissions(case.path("out.npy"), PermissionsExt::from_mode(mode)).unwrap();
        case.converted(&["in.npy", "out.npy", "--force"], "out.npy");
        let now = case.path("out.npy").metadata().unwrap().permissions().mode();
        assert_eq!(now & 0o7777, mode, "{mode:o}");
        std::fs::remove_file(case.path("out.npy")).unwrap();
    }
    // A new one has what the umask leaves.
    let script = format!("umask 027; exec '{}' convert in.npy new.npy", env!("CARGO_BIN_EXE_stride"));
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", &script]).current_dir(case.path("")).output().unwrap().status.success());
    assert_eq!(case.path("new.npy").metadata().unwrap().permissions().mode() & 0o7777, 0o640);
}

/// Numbers inside elements that are bytes to the library: each in the other order, wherever its element goes.
#[test]
fn numbers_inside_elements_are_swapped() {
    let case = Case::new();
    let reversed = |data: &[u8], width: usize| -> Vec<u8> {
        data.chunks(width).flat_map(|number| number.iter().rev().copied()).collect()
    };
    let cases = [("M8[s]", 8, 8), ("m8[ns]", 8, 8), ("U3", 12, 4), ("f16", 16, 16), ("c32", 32, 16)];
    for (name, bytes_each, width) in cases {
        let data = bytes(70 * 50 * bytes_each);
        let moved = transposed(&data, &[70, 50], &[1, 0], bytes_each);
        for (from, to) in [("<", ">"), (">", "<")] {
            case.write("x.npy", &npy(&format!("{from}{name}"), "70, 50", &data));
            let order = if to == ">" { "big" } else { "little" };
            for (order, swapped) in [(order, true), ("swapped", true)] {
                let more = ["--byteorder", order, "--axes", "1,0", "--memory", "64K", "--force"];
                let out = case.converted(&[&["x.npy", "out.npy"], &more[..]].concat(), "out.npy");
                let (header, written) = parts(&out);
                assert!(header.contains(&format!("'descr': '{to}{name}'")), "{header}");
                let expected = if swapped { reversed(&moved, width) } else { moved.clone() };
                assert!(written == expected, "{from}{name} {order}");
            }
            // In the order that it has, it is as it is.
            let same = if to == ">" { "little" } else { "big" };
            let out = case.converted(&["x.npy", "out.npy", "--byteorder", same, "--force"], "out.npy");
            let (header, written) = parts(&out);
            assert!(header.contains(&format!("'descr': '{from}{name}'")) && written == data, "{header}");
        }
    }
}

/// What ml_dtypes writes: bytes, of which an int4 takes one (NumPy 2.4.6 with ml_dtypes 0.6.0).
#[test]
fn elements_that_are_named() {
    let case = Case::new();
    let bf16 = [0x80, 0x3f, 0x00, 0x40, 0x40, 0x40, 0x80, 0x40];
    case.write("x.npy", &npy("<V2", "2, 2", &bf16));
    let out = case.convert(&["x.npy", "x.safetensors"]);
    let sentence = ".safetensors has no bytes2: write .bin or .raw, or say with --dtype what they are";
    assert_eq!((out.code, out.stderr), (2, format!("stride: {sentence}\n")));
    let written = case.converted(&["x.npy", "x.safetensors", "--dtype", "bf16"], "x.safetensors");
    let read = ::safetensors::SafeTensors::deserialize(&written).unwrap();
    let x = read.tensor("x").unwrap();
    assert_eq!((x.dtype(), x.shape(), x.data()), (::safetensors::Dtype::BF16, &[2, 2][..], &bf16[..]));
    let out = case.convert(&["x.safetensors", "back.npy"]);
    let note = "NumPy has no bf16, and reads <V2; .view(ml_dtypes...) makes numbers of it";
    assert_eq!((out.code, out.stderr), (0, format!("stride: note: back.npy: {note}\n")));
    let header =
        |descr: &str, shape: &str| format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    assert_eq!(parts(&case.read("back.npy")), (header("<V2", "2, 2"), &bf16[..]));

    for (descr, dtype) in [("<V1", "f8e4m3fn"), ("<f1", "f8e5m2"), ("|u1", "f8e5m2")] {
        case.write("x.npy", &npy(descr, "3,", &[0x38, 0x40, 0xc0]));
        let written = case.converted(&["x.npy", "x.safetensors", "--dtype", dtype, "--force"], "x.safetensors");
        assert!(written.ends_with(&[0x38, 0x40, 0xc0]) && written.windows(4).any(|text| text == b"F8_E"), "{descr}");
        // numpy.load 2.4.6 refuses the <f1 that numpy.save writes of ml_dtypes.float8_e5m2.
        let back = case.converted(&["x.safetensors", "back.npy", "--force", "--quiet"], "back.npy");
        assert_eq!(parts(&back), (header("<V1", "3,"), &[0x38, 0x40, 0xc0][..]));
    }

    // -1, 7, -8: the low half of a byte each.
    case.write("x.npy", &npy("<V1", "3,", &[0x0f, 0x07, 0x08]));
    assert_eq!(case.converted(&["x.npy", "x.raw", "--dtype", "s4", "--force"], "x.raw"), [0x7f, 0x08]);
    assert_eq!(case.converted(&["x.npy", "x.raw", "--dtype", "s4:high", "--force"], "x.raw"), [0xf7, 0x80]);
    let f4 = r#"{"x":{"dtype":"F4","shape":[2,3],"data_offsets":[0,3]}}"#;
    case.write("f4.safetensors", &[&(f4.len() as u64).to_le_bytes(), f4.as_bytes(), &[0x21, 0x43, 0x65]].concat());
    let back = case.converted(&["f4.safetensors", "f4.npy", "--axes", "1,0", "--quiet"], "f4.npy");
    assert_eq!(parts(&back), (header("<V1", "3, 2"), &[1, 4, 2, 5, 3, 6][..]));

    // A type of the file's order.
    case.write("x.npy", &npy(">u2", "2,", &[0x3f, 0x80, 0x40, 0x00]));
    let written = case.converted(&["x.npy", "x.safetensors", "--dtype", "bf16", "--force"], "x.safetensors");
    assert!(written.ends_with(&[0x80, 0x3f, 0x00, 0x40]));
    let out = case.convert(&["x.npy", "x.raw", "--dtype", "f32", "--force"]);
    let sentence = "stride: --dtype: f32 has 32 bits, but the elements of IN have 16\n";
    assert_eq!((out.code, out.stderr.as_str()), (2, sentence));
}

/// A folder that is not there, by what the user calls the file.
#[test]
fn the_hidden_file_is_in_no_sentence() {
    let case = Case::new();
    case.write("in.npy", &npy("|u1", "3,", &[1, 2, 3]));
    let out = case.convert(&["in.npy", "none/out.npy"]);
    assert_eq!(out.code, 3);
    assert!(out.stderr.starts_with("stride: none/out.npy: ") && !out.stderr.contains(".stride-"), "{}", out.stderr);
}

/// NumPy reads what is written, and has the same elements. `STRIDE_PYTHON` names a Python with numpy.
#[test]
fn numpy_agrees() {
    let python = std::env::var("STRIDE_PYTHON").unwrap_or_else(|_| "python3".into());
    let script = r#"
import itertools, subprocess, sys
import numpy as np
rng = np.random.default_rng(1)
count = 0
for descr, order in itertools.product(['<f4', '>f8', '|u1', '<c16', '>i2', '|b1', '<M8[s]', '|S5', '<f2'], 'CF'):
    for sizes in [(), (7,), (3, 4), (2, 3, 4, 5), (1, 5, 1), (0, 3)]:
        dtype = np.dtype(descr)
        raw = rng.integers(0, 2 if descr == '|b1' else 256, int(np.prod(sizes)) * dtype.itemsize, dtype=np.uint8)
        array = np.asarray(raw.view(dtype).reshape(sizes), order=order)
        np.save('in.npy', array)
        axes = [int(axis) for axis in rng.permutation(len(sizes))]
        command = [sys.argv[1], 'convert', 'in.npy', 'out.npy', '--force', '--quiet', '--axes', ','.join(map(str, axes))]
        subprocess.run(command + ['--layout', order.lower()], check=True)
        out = np.load('out.npy')
        wanted = np.ascontiguousarray(array.transpose(axes)).reshape(out.shape)
        assert out.shape == tuple(sizes[axis] for axis in axes), (descr, sizes, axes)
        assert np.ascontiguousarray(out).tobytes() == wanted.tobytes(), (descr, sizes, axes)
        assert out.dtype == dtype or descr[1] in 'MS', (out.dtype, descr)
        count += 1
print(count)
"#;
    let case = Case::new();
    if !std::process::Command::new(&python).args(["-c", "import numpy"]).output().is_ok_and(|out| out.status.success())
    {
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "skipped: what NumPy reads, {python} has no numpy");
        return;
    }
    let mut command = std::process::Command::new(&python);
    let run = command.args(["-c", script, env!("CARGO_BIN_EXE_stride")]).current_dir(case.path("")).output();
    let out = Out::of(run.unwrap());
    assert_eq!((out.code, out.stdout.trim_end()), (0, "108"), "{}", out.stderr);
}

/// Whoever misspells a layout learns which words there are.
#[test]
fn a_layout_that_is_none_names_c_and_f() {
    let case = Case::new();
    case.write("in.npy", &npy("<f4", "2,3", &bytes(24)));
    let out = case.convert(&["in.npy", "o.bin", "--layout", "nope"]);
    let sentence =
        "stride: --layout: it is c, f, or what follows the sizes of a TENSOR: strides, a tag, blocks, tiles\n";
    assert_eq!((out.code, out.stderr.starts_with(sentence)), (2, true), "{}", out.stderr);
    assert!(out.stderr.ends_with("\n  f32[2,3]:nope\n           ^\n"), "{}", out.stderr);
    let out = case.convert(&["in.npy", "o.bin", "--layout", "nope", "--json"]);
    let error: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!((out.code, out.stderr.as_str(), &error["error"]["status"]), (2, "", &"usage".into()));
    assert_eq!(error["error"]["record"]["status"], "PARSE");
}

/// A .npy's data begin at byte 128, so no address is a multiple of 4096 whatever page the file is mapped at.
#[test]
fn alignment_in_a_file_begins_where_the_data_do() {
    let case = Case::new();
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4, 5), }";
    case.write("in.npy", &npy_text(format!("{header:117}\n").as_bytes(), &bytes(240)));
    let show = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stride"));
        command.args(["show", "in.npy", "--no-picture"]).args(more).current_dir(case.path(""));
        Out::of(command.output().unwrap()).stdout
    };
    let packed = show(&[]);
    assert!(packed.contains("the data begin at byte 128\n"), "{packed}");
    assert!(packed.contains("  aligned    elements to 4 bytes, if the file is mapped\n"), "{packed}");
    let swapped = show(&["--axes", "1,0,2"]);
    assert!(swapped.contains("  aligned    elements to 4 bytes, rows to 4, if the file is mapped\n"), "{swapped}");
}
