//! What is read of files, and the sentences about those that are wrong. The files are made here, byte by byte.

mod common;

use common::{Case, npy, npy_text};

/// The sentence of a file that is refused, with exit code 3 and nothing written.
#[track_caller]
fn refused(name: &str, file: &[u8], sentence: &str) {
    let case = Case::new();
    case.write(name, file);
    let out = case.convert(&[name, "out.raw"]);
    assert_eq!(out.code, 3, "{name}: {}", out.stderr);
    assert_eq!(out.stderr, format!("stride: {name}: {sentence}\n"));
    assert_eq!(case.names(), [name], "nothing is left over");
}

#[track_caller]
fn refused_npy(text: &str, sentence: &str) {
    refused("x.npy", &npy_text(text.as_bytes(), &[0; 64]), sentence);
}

#[test]
fn npy_versions_and_texts() {
    let text = b"{'shape': (2,3,),\"fortran_order\":False , 'descr':'|u1'}\n";
    let data = [1, 2, 3, 4, 5, 6];
    let length = text.len() as u8;
    for (version, length) in [(1, &[length, 0][..]), (2, &[length, 0, 0, 0]), (3, &[length, 0, 0, 0])] {
        let case = Case::new();
        case.write("x.npy", &[b"\x93NUMPY", &[version, 0][..], length, text, &data].concat());
        assert_eq!(case.converted(&["x.npy", "out.raw"], "out.raw"), data, "version {version}");
    }
}

#[test]
fn npy_python_2_wrote_long_sizes() {
    let case = Case::new();
    case.write("x.npy", &npy_text(b"{'descr': '|u1', 'fortran_order': False, 'shape': (2L, 2L), }", &[1, 2, 3, 4]));
    assert_eq!(case.converted(&["x.npy", "out.raw"], "out.raw"), [1, 2, 3, 4]);
}

#[test]
fn npy_keeps_the_name_of_what_is_bytes_here() {
    let case = Case::new();
    for descr in ["<U1", ">U1", "<M8[s]", "|S4", "|V4"] {
        let width = if descr.contains('8') { 8 } else { 4 };
        case.write("x.npy", &npy(descr, "2,", &(0..2 * width).collect::<Vec<u8>>()));
        let file = case.converted(&["x.npy", "out.npy", "--flip", "0", "--force"], "out.npy");
        let text = String::from_utf8_lossy(&file[..128]).into_owned();
        assert!(text.contains(&format!("'descr': '{descr}'")), "{descr}: {text}");
        assert_eq!(file[file.len() - 2 * usize::from(width)], width, "{descr}");
        if descr.starts_with('|') {
            let out = case.convert(&["x.npy", "big.npy", "--byteorder", "big"]);
            assert_eq!(out.code, 2, "{descr}");
            assert!(out.stderr.contains("refused, it is not known which bytes of `|"), "{}", out.stderr);
        }
    }
}

#[test]
fn npy_bytes_behind_the_data_are_said() {
    let case = Case::new();
    case.write("x.npy", &[npy("|u1", "3,", &[1, 2, 3]), vec![9; 5]].concat());
    let out = case.convert(&["x.npy", "out.raw"]);
    assert_eq!((out.code, out.stderr.as_str()), (0, "stride: note: x.npy: 5 bytes follow the data\n"));
    assert_eq!(case.read("out.raw"), [1, 2, 3]);
}

#[test]
fn npy_strings_are_bytes() {
    let case = Case::new();
    let text: Vec<u8> = "abcdef".chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
    case.write("x.npy", &npy("<U3", "2,", &text));
    let out = case.convert(&["x.npy", "out.npy"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stdout.starts_with("out.npy: bytes12[2] "), "{}", out.stdout);
}

#[test]
fn npy_that_are_wrong() {
    refused("x.npy", b"", "it ends inside the magic number");
    refused("x.npy", b"PK\x03\x04....", "it does not begin with \\x93NUMPY, as a .npy file does");
    refused("x.npy", b"\x93NUMPY\x01", "it ends inside the version");
    refused("x.npy", b"\x93NUMPY\x04\x00\x10\x00", "version 4.0 of the .npy format is not known");
    refused("x.npy", b"\x93NUMPY\x01\x00\xff\xff{", "it ends inside the header");
    refused("x.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{", "its header has 4294967295 bytes; 65536 are read at most");
    let short = npy("<f4", "2, 3", &[0; 23]);
    refused("x.npy", &short, "its header says 24 bytes of data, but there are 23");
    refused("x.npy", &npy("<f4", "2, 3", &[]), "its header says 24 bytes of data, but there are 0");
}

#[test]
fn npy_headers_that_are_hostile() {
    let f4 = |shape: &str| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}");
    refused_npy(&f4("(9223372036854775808,)"), "its shape has the size 9223372036854775808, above 2^63 - 1");
    refused_npy(
        &f4("(9223372036854775807,)"),
        "its header: strides: the last element ends at 9223372036854775807 elements of 32 bits, which is beyond 64 bits",
    );
    refused_npy(
        &f4("(4294967296, 4294967296)"),
        "its header: sizes, dimension 1: 4294967296 times 4294967296 does not fit in 64 bits",
    );
    refused_npy(&f4("(1000000000000,)"), "its header says 4000000000000 bytes of data, but there are 64");
    refused_npy(&f4("(-1,)"), "its header: `-` at byte 51, not a size");
    refused_npy(&f4("((1,),)"), "its header: `,` at byte 53, not `)`");
    refused_npy(&f4("(3)"), "its header: `)` at byte 52, not `,` after the only size, or Python reads a number");
    refused_npy(&f4(&format!("({})", "1,".repeat(65))), "its shape has more than 64 dimensions");
    refused_npy(&f4("{'a': {'b': 1}}"), "its header: `{` at byte 50, not `(`");
    refused_npy("{'descr': {'descr': '<f4'}, 'shape': ()}", "its header: `{` at byte 10, not a string");
    refused_npy("{'descr': '<f4', 'descr': '<f8'}", "its header has 'descr' twice");
    refused_npy("{'descr': '<f4', 'fortran_order': False}", "its header has no 'shape'");
    refused_npy("{'descr': '<f4', 'shape': (), 'x': 1}", "its header has the key 'x'");
    refused_npy("{'descr': '<f4", "its header: `'` at byte 10, not a string that ends");
    refused_npy("{'descr': '<f4\\x0'}", "its header: `\\` at byte 14, not an escape of Python's");
    refused_npy(&f4("(0x,)"), "its header: `0` at byte 51, not a size");
    refused_npy(&f4("(0b2,)"), "its header: `0` at byte 51, not a size");
    refused_npy(&f4(&"(".repeat(50000)), "its header: `}` at byte 50050, not a size");
    refused_npy("{", "its header ends at byte 1, not with a string");
    refused_npy("", "its header ends at byte 0, not with `{`");
    refused_npy(&(f4("()") + "()"), "its header: `(` at byte 53, not nothing but spaces");
    refused_npy(&"{".repeat(60000), "its header: `{` at byte 1, not a string");
    let bytes = [b"{'descr': '<f\xff', 'fortran_order': False, 'shape': ()}".as_slice()].concat();
    let sentence = "descr '<f\\xff': text, byte 2: byte 0xff stands where a number is expected";
    refused("x.npy", &npy_text(&bytes, &[0; 8]), sentence);
    refused("x.npy", &npy_text(b"{'\xff': 1}", &[]), "its header has the key '\\xff'");
}

#[test]
fn npy_elements_that_are_refused() {
    let of = |descr: &str| format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (1,)}}");
    refused_npy(&of("'|O'"), "its elements are Python objects, which lie elsewhere");
    refused_npy(&of("'|O8'"), "its elements are Python objects, which lie elsewhere");
    for name in ["bfloat16", "float96", "Float32", ""] {
        refused_npy(&of(&format!("'{name}'")), &format!("descr '{name}' is no type that is known here"));
    }
    let long = "n".repeat(60_000);
    refused_npy(&of(&format!("'{long}'")), &format!("descr '{}…' is no type that is known here", &long[..200]));
    let fields = "its elements are structs with fields: save one field as an array of its own";
    refused_npy(&of("[('x', '<f4'), ('y', '|O')]"), fields);
    let arrays = "its elements are arrays themselves: save them with a dtype of one number";
    refused_npy(&of("('<f4', (2,))"), arrays);
}

#[test]
fn names_of_arguments() {
    let case = Case::new();
    case.write("x.npy", &npy("|u1", "3,", &[1, 2, 3]));
    let out = case.convert(&["x.npy:y", "out.raw"]);
    assert_eq!(
        (out.code, out.stderr.as_str()),
        (2, "stride: x.npy: its only tensor has no name, and `y` is asked for\n")
    );
    let out = case.convert(&["x.txt", "out.raw"]);
    assert_eq!(out.code, 2);
    let out = case.convert(&["none.npy", "out.raw"]);
    assert_eq!((out.code, out.stderr.starts_with("stride: none.npy: ")), (3, true), "{}", out.stderr);
    std::fs::create_dir(case.path("folder.npy")).unwrap();
    let out = case.convert(&["folder.npy", "out.raw"]);
    assert_eq!((out.code, out.stderr.as_str()), (3, "stride: folder.npy: this is no regular file\n"));
}

fn zip(members: &[(&str, Vec<u8>)], method: zip::CompressionMethod) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default().compression_method(method)).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn npz_members() {
    let members = [("a.npy", npy("|u1", "3,", &[1, 2, 3])), ("readme", vec![0]), ("b.npy", npy("|u1", "2,", &[4, 5]))];
    for method in [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated] {
        let case = Case::new();
        case.write("x.npz", &zip(&members, method));
        assert_eq!(case.converted(&["x.npz:b", "out.raw"], "out.raw"), [4, 5]);
        assert_eq!(case.converted(&["x.npz:a", "a.raw"], "a.raw"), [1, 2, 3]);
        assert_eq!(case.names(), ["a.raw", "out.raw", "x.npz"]);
        let out = case.convert(&["x.npz", "c.raw"]);
        let sentence = "stride: x.npz: there are 3 tensors in it, name one of them after `:`: a, readme, b\n";
        assert_eq!((out.code, out.stderr.as_str()), (2, sentence));
        let out = case.convert(&["x.npz:c", "c.raw"]);
        assert_eq!(
            (out.code, out.stderr.as_str()),
            (2, "stride: x.npz: there is no tensor `c` in it; it has a, readme, b\n")
        );
    }
}

#[test]
fn npz_that_are_wrong() {
    let good = npy("|u1", "300,", &[7; 300]);
    let stored = zip(&[("a.npy", good.clone())], zip::CompressionMethod::Stored);
    refused("x.npz", b"PK", "invalid Zip archive: Could not find EOCD");
    let mut short = npy("|u1", "300,", &[7; 299]);
    let archive = zip(&[("a.npy", short.clone())], zip::CompressionMethod::Deflated);
    let sentence = "member `a`: its header says 300 bytes of data, but there are 299";
    refused("x.npz", &archive, sentence);
    short.truncate(8);
    let archive = zip(&[("a.npy", short)], zip::CompressionMethod::Stored);
    refused("x.npz", &archive, "member `a`: it ends inside the header's length");
    // A byte of the deflated data.
    let mut archive = zip(&[("a.npy", good)], zip::CompressionMethod::Deflated);
    let case = Case::new();
    let at = archive.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap() - 2;
    archive[at] ^= 0x10;
    case.write("x.npz", &archive);
    let out = case.convert(&["x.npz:a", "out.raw"]);
    assert_eq!((out.code, case.names()), (3, vec!["x.npz".into()]), "{}", out.stderr);
    // An end of central directory that lies about its sizes must not allocate.
    let mut archive = stored;
    let end = archive.len() - 22;
    archive[end + 8..end + 20].fill(0xff);
    case.write("x.npz", &archive);
    assert_eq!(case.convert(&["x.npz:a", "out.raw"]).code, 3);
}

fn safetensors(text: &str, data: &[u8]) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text.as_bytes(), data].concat()
}

#[test]
fn safetensors_tensors() {
    let text = r#"{"__metadata__":{"a":"b"},"v":{"dtype":"F4","shape":[2,2],"data_offsets":[4,6]},
        "w":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]}}"#;
    let case = Case::new();
    case.write("x.safetensors", &safetensors(text, &[1, 2, 3, 4, 0x21, 0x43]));
    assert_eq!(case.converted(&["x.safetensors:w", "w.raw", "--byteorder", "big"], "w.raw"), [2, 1, 4, 3]);
    assert_eq!(case.converted(&["x.safetensors:v", "v.raw", "--axes", "1,0"], "v.raw"), [0x31, 0x42]);
    let written = case.converted(&["x.safetensors:w", "w.safetensors", "--axes", "1,0"], "w.safetensors");
    let read = ::safetensors::SafeTensors::deserialize(&written).unwrap();
    let w = read.tensor("w").unwrap();
    assert_eq!((w.dtype(), w.shape(), w.data()), (::safetensors::Dtype::BF16, &[2, 1][..], &[1, 2, 3, 4][..]));
    let out = case.convert(&["x.safetensors:w", "w.npy", "--byteorder", "big"]);
    let sentence = "stride: .npy has no bf16:swapped: write .bin or .raw, or .safetensors\n";
    assert_eq!((out.code, out.stderr.as_str()), (2, sentence));
}

#[test]
fn safetensors_that_are_wrong() {
    let refused = |bytes: &[u8], sentence: &str| refused("x.safetensors", bytes, sentence);
    refused(b"abc", "it ends inside the header's length");
    refused(&[255; 9], "its header has 18446744073709551615 bytes; 100000000 are allowed");
    refused(&[0, 0, 0, 1, 0, 0, 0, 0], "its header has 16777216 bytes, but the file has 8");
    refused(
        &safetensors("{\"\u{0}", &[]),
        "its header: control character (\\u0000-\\u001F) found while parsing a string at line 1 column 3",
    );
    refused(&[&2u64.to_le_bytes()[..], b"\xff\xff"].concat(), "its header: expected value at line 1 column 1");
    refused(
        &safetensors(&"[".repeat(1 << 20), &[]),
        "its header: invalid type: sequence, expected a map at line 1 column 0",
    );
    let of = |text: &str| safetensors(&format!("{{\"t\":{text}}}"), &[0; 8]);
    refused(&of("{}"), "tensor `t`: its dtype is missing");
    refused(&of(r#"{"dtype":"F6_E2M3"}"#), "tensor `t`: its shape is missing");
    refused(&of(r#"{"dtype":5,"shape":[8]}"#), "tensor `t`: its dtype is no string");
    refused(&of(r#"["U8",[8],[0,8]]"#), "tensor `t`: its entry is no object");
    refused(&of(r#"{"dtype":"U8","shape":[8]}"#), "tensor `t`: its data_offsets are missing");
    let twice = r#"{"dtype":"U8","shape":[8],"data_offsets":[0,8]}"#;
    refused(&of(&format!("{twice},\"t\":{twice}")), "its header has two tensors of the name `t`");
    refused(&of(r#"{"dtype":"F32","shape":[1e3]}"#), "tensor `t`: its shape is no list of numbers below 2^63");
    let f32 =
        |shape: &str, offsets: &str| of(&format!(r#"{{"dtype":"F32","shape":{shape},"data_offsets":{offsets}}}"#));
    let sentence = "tensor `t`: its shape is no list of numbers below 2^63";
    refused(&f32("[9223372036854775808]", "[0,0]"), sentence);
    refused(&f32("[3]", "[0,12]"), "tensor `t`: its header says 12 bytes of data, but there are 8");
    refused(&f32("[2]", "[4,12]"), "tensor `t`: its header says 12 bytes of data, but there are 8");
    let sentence = "tensor `t`: its data_offsets are 8 and 0, but its dtype and shape take 8 bytes";
    refused(&f32("[2]", "[8,0]"), sentence);
    refused(&f32("[2]", "[0]"), "tensor `t`: its data_offsets are not two numbers below 2^64");
}

/// A .gguf of version 3 with one pair, and tensors given as name, sizes (innermost first), type, offset.
fn gguf(big: bool, tensors: &[(&str, &[u64], u32, u64)], data: &[u8]) -> Vec<u8> {
    let n32 = |number: u32| if big { number.to_be_bytes() } else { number.to_le_bytes() };
    let n64 = |number: u64| if big { number.to_be_bytes() } else { number.to_le_bytes() };
    let string = |text: &str| [&n64(text.len() as u64)[..], text.as_bytes()].concat();
    let mut file = [b"GGUF", &n32(3)[..], &n64(tensors.len() as u64), &n64(3)].concat();
    file.extend([string("general.alignment"), n32(4).into(), n32(64).into()].concat());
    file.extend([string("tokens"), n32(9).into(), n32(8).into(), n64(2).into(), string("a"), string("bc")].concat());
    file.extend([string("scores"), n32(9).into(), n32(6).into(), n64(3).into(), vec![0; 12]].concat());
    for (name, sizes, kind, offset) in tensors {
        file.extend([string(name), n32(sizes.len() as u32).into()].concat());
        sizes.iter().for_each(|size| file.extend(n64(*size)));
        file.extend([&n32(*kind)[..], &n64(*offset)].concat());
    }
    file.resize(file.len().next_multiple_of(64), 0);
    file.extend(data);
    file
}

#[test]
fn gguf_tensors() {
    let data: Vec<u8> = (0..100).collect();
    let tensors: &[(&str, &[u64], u32, u64)] = &[("half", &[3, 2], 1, 0), ("blocks", &[64, 1], 2, 64)];
    let case = Case::new();
    case.write("x.gguf", &gguf(false, tensors, &data));
    let halves = case.converted(&["x.gguf:half", "h.raw", "--axes", "1,0"], "h.raw");
    assert_eq!(halves, [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]);
    let out = case.convert(&["x.gguf:blocks", "b.npy"]);
    let sentence =
        "stride: note: x.gguf:blocks: ggml type 2 is quantised: an element is a block of 32 values in 18 bytes\n";
    assert_eq!((out.code, out.stderr.as_str()), (0, sentence));
    assert!(out.stdout.starts_with("b.npy: bytes18[1,2] "), "{}", out.stdout);
    assert!(case.read("b.npy").ends_with(&data[64..100]));
    // The other byte order, made this machine's.
    case.write("y.gguf", &gguf(true, tensors, &data));
    let swapped = case.converted(&["y.gguf:half", "t.raw", "--byteorder", "little"], "t.raw");
    assert_eq!(swapped, [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10]);
}

#[test]
fn gguf_that_are_wrong() {
    let refused = |bytes: &[u8], sentence: &str| refused("x.gguf", bytes, sentence);
    let good = gguf(false, &[("t", &[4], 0, 0)], &[0; 16]);
    for length in 0..good.len() {
        let case = Case::new();
        case.write("x.gguf", &good[..length]);
        assert_eq!(case.convert(&["x.gguf", "out.raw"]).code, 3, "the first {length} bytes");
    }
    refused(b"GGML....", "it does not begin with GGUF, as a .gguf file does");
    refused(b"GGUF\x01\0\0\0", "version 1 of the GGUF format is not known; 2 and 3 are");
    let head = |tensors: u64, pairs: u64, rest: &[u8]| {
        [b"GGUF\x03\0\0\0", &tensors.to_le_bytes()[..], &pairs.to_le_bytes(), rest].concat()
    };
    refused(&head(u64::MAX, 0, &[]), "it ends inside a tensor's name");
    refused(&head(0, u64::MAX, &[]), "it ends inside a key of the metadata");
    refused(&head(0, 1, &[255; 8]), "a key of the metadata has 18446744073709551615 bytes; 65536 are read at most");
    let pair = |kind: u32, rest: &[u8]| head(0, 1, &[&0u64.to_le_bytes()[..], &kind.to_le_bytes(), rest].concat());
    refused(&pair(13, &[]), "its metadata has a value of type 13, which is not known");
    refused(&pair(8, &[255; 8]), "its metadata has a value of 18446744073709551615 bytes, but the file has 0 more");
    let array = |kind: u32| [&kind.to_le_bytes()[..], &u64::MAX.to_le_bytes()].concat();
    refused(&pair(9, &array(10)), "its metadata has a value of 18446744073709551615 bytes, but the file has 0 more");
    refused(&pair(9, &array(8)), "it ends inside the metadata");
    refused(&pair(9, &array(9).repeat(9)), "its metadata has arrays in arrays, more than 4 deep");
    let of = |sizes: &[u64], kind, offset| gguf(false, &[("t", sizes, kind, offset)], &[0; 16]);
    refused(&of(&[5], 0, 0), "tensor `t`: its header says 20 bytes of data, but there are 16");
    refused(&of(&[4], 0, 64), "tensor `t`: its header says 16 bytes of data, but there are 0");
    refused(&of(&[1 << 63], 0, 0), "tensor `t`: its size 9223372036854775808 is above 2^63");
    refused(&of(&[1 << 62, 1 << 62], 0, 0), "tensor `t`: its sizes overflow");
    refused(&of(&[1; 5], 0, 0), "tensor `t`: it has 5 dimensions; ggml has 4 at most");
    refused(&of(&[33], 2, 0), "tensor `t`: ne, dimension 0: size 33 is not a multiple of 32");
    refused(&of(&[4], 0, u64::MAX), "tensor `t`: its offset is above 2^64");
}

#[track_caller]
fn show(case: &Case, arguments: &[&str]) -> common::Out {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stride"));
    common::Out::of(command.arg("show").args(arguments).current_dir(case.path("")).output().unwrap())
}

/// What is read and what is not, one row each; the last line counts them.
#[track_caller]
fn listed(case: &Case, file: &str, rows: &[&str]) {
    let out = show(case, &[file]);
    let found: Vec<_> = out.stdout.lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!((out.code, found), (0, rows.iter().map(|row| row.to_string()).collect()), "{}", out.stderr);
}

/// `numpy.load` of 2.4.6 takes each of these, and has the same shape and numbers.
#[test]
fn npy_headers_of_other_writers() {
    let case = Case::new();
    let rest = "'fortran_order': False, 'shape': (2,)";
    for text in [
        format!("{{'descr': '=f4', {rest}}}"),
        format!("{{'descr': 'f4', {rest}}}"),
        format!("{{'descr': 'float32', {rest}}}"),
        format!("{{'descr': '<f', {rest}}}"),
        format!("{{'descr': u'<f4', {rest}}}"),
        format!("{{'descr': R\"<f4\", {rest}}}"),
        format!("{{'descr': ('<' 'f4'), {rest}}}"),
        format!("{{'descr': \'\'\'<f4\'\'\', {rest}}}"),
        format!("{{'descr': '\\x3cf4', {rest}}}"),
        format!("{{'descr': '\\74f4', {rest}}}"),
        format!("{{'\\x64escr': '<f\\\n4', {rest}}} # comment"),
        format!("# comment\n{{'descr': '<f4', # }}\n\\\n {rest}}}\n"),
        "{'descr': '<f4', 'fortran_order': (False), 'shape': (0x2,)}".into(),
        "{'descr': '<f4', 'fortran_order': False, 'shape': ((+0b1_0),)}".into(),
    ] {
        case.write("x.npy", &npy_text(text.as_bytes(), &[1, 2, 3, 4, 5, 6, 7, 8]));
        let out = case.convert(&["x.npy", "out.npy", "--force"]);
        assert_eq!(out.code, 0, "{text}: {}", out.stderr);
        assert!(out.stdout.starts_with("out.npy: f32[2] strides [1] offset 0, "), "{text}: {}", out.stdout);
        assert!(case.read("out.npy").ends_with(&[1, 2, 3, 4, 5, 6, 7, 8]), "{text}");
    }
}

#[test]
fn npz_members_that_are_not_read_hide_no_other() {
    let good = npy("<f4", "2, 3", &[7; 24]);
    let object = npy("|O", "", &[0; 8]);
    let fields = npy_text(b"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", &[0; 8]);
    let members = [
        ("x.npy", good.clone()),
        ("meta.npy", object),
        ("s.npy", fields),
        ("cut.npy", good[..90].to_vec()),
        ("y", good),
    ];
    let mut archive = zip(&members, zip::CompressionMethod::Stored);
    let case = Case::new();
    case.write("x.npz", &archive);
    let is_data = |bytes: &[u8]| *bytes == [7; 24];
    let first = archive.windows(24).position(is_data).unwrap();
    let last = archive.windows(24).rposition(is_data).unwrap();
    let cut = 90 - (members[0].1.len() - 24);
    listed(
        &case,
        "x.npz",
        &[
            &format!("x f32[2,3] 24 bytes, at byte {first}"),
            "meta not read: its elements are Python objects, which lie elsewhere",
            "s not read: its elements are structs with fields: save one field as an array of its own",
            &format!("cut not read: its header says 24 bytes of data, but there are {cut}"),
            &format!("y f32[2,3] 24 bytes, at byte {last}"),
            "x.npz: 2 tensors, 48 bytes, and 3 not read",
        ],
    );
    for name in ["x", "x.npy", "y"] {
        assert_eq!(case.converted(&[&format!("x.npz:{name}"), "out.raw", "--force"], "out.raw"), [7; 24], "{name}");
    }
    let out = case.convert(&["x.npz:meta", "o.raw"]);
    let sentence = "stride: x.npz: member `meta`: its elements are Python objects, which lie elsewhere\n";
    assert_eq!((out.code, out.stderr.as_str()), (3, sentence));
    let out = show(&case, &["x.npz", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let why = "its elements are Python objects, which lie elsewhere";
    assert_eq!((&told[1]["name"], &told[1]["tensor"], &told[1]["error"]), (&"meta".into(), &().into(), &why.into()));

    for (method, name) in [(12u8, "bzip2"), (14, "lzma"), (93, "zstd")] {
        let local = archive.windows(8).position(|bytes| bytes == b"meta.npy").unwrap() - 30;
        let central = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
        let central = (0..=central)
            .rev()
            .find(|at| archive[*at..].starts_with(b"PK\x01\x02") && archive[at + 46..].starts_with(b"meta"))
            .unwrap();
        (archive[local + 8], archive[central + 10]) = (method, method);
        case.write("x.npz", &archive);
        let out = case.convert(&["x.npz:meta", "o.raw"]);
        let why = format!("it is compressed by {name}; stored and deflated members are read");
        assert_eq!((out.code, out.stderr), (3, format!("stride: x.npz: member `meta`: {why}\n")));
        assert_eq!(case.converted(&["x.npz:x", "out.raw", "--force"], "out.raw"), [7; 24]);
    }
}

/// As numpy.load has them: the member's own name first, and bytes where it is no array.
#[test]
fn npz_names() {
    let of = |byte| npy("|u1", "1,", &[byte]);
    let members = [("a.npy", of(1)), ("a", of(2)), ("b.npy.npy", of(3)), ("folder/c.npy", of(4)), ("text", vec![5, 6])];
    let case = Case::new();
    case.write("x.npz", &zip(&members, zip::CompressionMethod::Deflated));
    for (name, is) in [("a.npy", &[1][..]), ("a", &[2]), ("b.npy", &[3]), ("folder/c", &[4]), ("text", &[5, 6])] {
        assert_eq!(case.converted(&[&format!("x.npz:{name}"), "out.raw", "--force"], "out.raw"), is, "{name}");
    }
}

/// numpy.load of 2.4.6 takes the last of them, as zipfile does.
#[test]
fn npz_of_one_name_twice() {
    let of = |byte| npy("|u1", "1,", &[byte]);
    let mut archive = zip(&[("a.npy", of(1)), ("b.npy", of(2))], zip::CompressionMethod::Stored);
    for at in 0..archive.len() - 5 {
        if archive[at..].starts_with(b"b.npy") {
            archive[at] = b'a';
        }
    }
    let case = Case::new();
    case.write("x.npz", &archive);
    assert_eq!(case.converted(&["x.npz:a", "a.raw"], "a.raw"), [2]);
    assert_eq!(show(&case, &["x.npz"]).stdout.lines().next(), Some("u8[1] strides [1] offset 0"));
}

#[test]
fn safetensors_whose_tensors_do_not_follow_each_other() {
    let f32 = |name: &str, from: u64, to: u64| {
        format!(r#""{name}":{{"dtype":"F32","shape":[{}],"data_offsets":[{from},{to}]}}"#, (to - from) / 4)
    };
    let cases = [
        (vec![f32("k", 0, 24), f32("v", 0, 24)], "tensors `k` and `v` share bytes"),
        (vec![f32("v", 8, 24), f32("k", 0, 12)], "tensors `k` and `v` share bytes"),
        (vec![f32("k", 0, 24), f32("v", 12, 12)], "tensor `v` of 0 bytes lies inside tensor `k`"),
        (vec![f32("k", 0, 8), f32("v", 16, 24)], "8 bytes before tensor `v` belong to none"),
        (vec![f32("k", 0, 4), f32("v", 4, 8)], "16 bytes follow the data"),
    ];
    let data: Vec<u8> = (0..24).collect();
    for (entries, why) in cases {
        let file = safetensors(&format!("{{{}}}", entries.join(",")), &data);
        assert!(::safetensors::SafeTensors::deserialize(&file).is_err(), "the reference refuses it: {why}");
        let case = Case::new();
        case.write("x.safetensors", &file);
        let note = format!("{why}; the library safetensors refuses such a file\n");
        let out = show(&case, &["x.safetensors"]);
        assert_eq!((out.code, out.stderr), (0, format!("stride: note: x.safetensors: {note}")));
        let out = case.convert(&["x.safetensors:k", "k.raw"]);
        assert_eq!((out.code, out.stderr), (0, format!("stride: note: x.safetensors:k: {note}")));
        let k = case.read("k.raw");
        assert_eq!(k, data[..k.len()]);
    }
    let good = safetensors(&format!("{{{},{}}}", f32("v", 12, 24), f32("k", 0, 12)), &data);
    assert!(::safetensors::SafeTensors::deserialize(&good).is_ok());
    let case = Case::new();
    case.write("x.safetensors", &good);
    assert_eq!(show(&case, &["x.safetensors"]).stderr, "");
}

#[test]
fn safetensors_entries_that_are_wrong_hide_no_other() {
    let text = r#"{"k":{"dtype":"U8","shape":[4],"data_offsets":[4,8]},"five":5,
        "below":{"dtype":"U8","shape":[-1],"data_offsets":[8,9]},"none":{"dtype":"U8","data_offsets":[0,4]},
        "dtype":{"dtype":5,"shape":[1]},"back":{"dtype":"U8","shape":[1],"data_offsets":[8,6]}}"#;
    let case = Case::new();
    case.write("x.safetensors", &safetensors(text, &[0, 1, 2, 3, 4, 5, 6, 7, 8]));
    listed(
        &case,
        "x.safetensors",
        &[
            &format!("k u8[4] 4 bytes, at byte {}", 8 + text.len() + 4),
            "five not read: its entry is no object",
            "below not read: its shape has a negative number",
            "none not read: its shape is missing",
            "dtype not read: its dtype is no string",
            "back not read: its data_offsets are 8 and 6, but its dtype and shape take 1 bytes",
            "x.safetensors: 1 tensor, 4 bytes, and 5 not read",
        ],
    );
    let out = case.convert(&["x.safetensors:k", "k.raw"]);
    assert_eq!((out.code, out.stderr.as_str()), (0, ""));
    assert_eq!(case.read("k.raw"), [4, 5, 6, 7]);
}

#[test]
fn safetensors_dtypes_that_are_not_known_are_bytes() {
    let text = r#"{"k":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
        "n":{"dtype":"F6_E2M3","shape":[4,1],"data_offsets":[4,7]},
        "far":{"dtype":"U8","shape":[9],"data_offsets":[7,16]}}"#;
    let case = Case::new();
    case.write("x.safetensors", &safetensors(text, &[1, 2, 3, 4, 5, 6, 7]));
    let begin = 8 + text.len();
    listed(
        &case,
        "x.safetensors",
        &[
            &format!("k f32[1] 4 bytes, at byte {begin}"),
            &format!("n u8[3] 3 bytes, at byte {}, F6_E2M3", begin + 4),
            "far not read: its header says 16 bytes of data, but there are 7",
            "x.safetensors: 2 tensors, 7 bytes, and 1 not read",
        ],
    );
    assert_eq!(case.converted(&["x.safetensors:k", "k.raw"], "k.raw"), [1, 2, 3, 4]);
    let out = case.convert(&["x.safetensors:n", "n.raw"]);
    let note = "its dtype F6_E2M3 is not known, and it is shown as its bytes; its shape is [4,1]";
    assert_eq!((out.code, out.stderr), (0, format!("stride: note: x.safetensors:n: {note}\n")));
    assert_eq!(case.read("n.raw"), [5, 6, 7]);
}

/// The names of the enum Dtype of safetensors 0.8.0.
#[test]
fn safetensors_eight_bit_floats() {
    for (name, dtype) in [
        ("F8_E5M2", "f8e5m2"),
        ("F8_E4M3", "f8e4m3fn"),
        ("F8_E5M2FNUZ", "f8e5m2fnuz"),
        ("F8_E4M3FNUZ", "f8e4m3fnuz"),
        ("F8_E8M0", "f8e8m0fnu"),
    ] {
        let text = format!(r#"{{"t":{{"dtype":"{name}","shape":[3],"data_offsets":[0,3]}}}}"#);
        let case = Case::new();
        case.write("x.safetensors", &safetensors(&text, &[1, 2, 3]));
        let out = show(&case, &["x.safetensors"]);
        assert!(out.stdout.starts_with(&format!("{dtype}[3] strides [1] offset 0\n")), "{}{}", out.stdout, out.stderr);
        let written = case.converted(&["x.safetensors", "o.safetensors", "--flip", "0"], "o.safetensors");
        let header = String::from_utf8_lossy(&written[8..written.len() - 3]).into_owned();
        assert!(header.contains(&format!(r#""dtype":"{name}""#)) && written.ends_with(&[3, 2, 1]), "{header}");
    }
}

/// safetensors 0.8.0: "the slice does not end up at a byte boundary, this is invalid".
#[test]
fn safetensors_end_with_a_byte() {
    let text = r#"{"k":{"dtype":"F4","shape":[2,4],"data_offsets":[0,4]}}"#;
    let case = Case::new();
    case.write("x.safetensors", &safetensors(text, &[0x21, 0x43, 0x65, 0x87]));
    for (crop, of) in [("0:1,0:1", "1 element"), ("0:1,0:3", "3 elements")] {
        let out = case.convert(&["x.safetensors:k", "o.safetensors", "--crop", crop]);
        let sentence = format!(
            ".safetensors has no tensor that ends inside a byte, as one of {of} of 4 bits does: write .bin or .raw\n"
        );
        assert_eq!((out.code, out.stderr), (2, format!("stride: {sentence}")));
    }
    let out = case.converted(&["x.safetensors:k", "o.safetensors", "--crop", ":,0:3"], "o.safetensors");
    assert!(out.ends_with(&[0x21, 0x53, 0x76]));
    assert_eq!(case.converted(&["x.safetensors:k", "o.bin", "--crop", "0:1,0:3"], "o.bin"), [0x21, 0x03]);
}

/// 12 MB of numbers in a shape, in an entry and beside them, in 128 MiB of address space: as values of JSON they would
/// take 430.
#[cfg(target_os = "linux")]
#[test]
fn safetensors_headers_take_no_more_than_their_size() {
    let zeros = "0,".repeat(6_000_000);
    let no_shape = "tensor `t`: its shape has more than 64 dimensions";
    for (text, code, sentence) in [
        (format!(r#"{{"t":{{"dtype":"F32","shape":[{zeros}0],"data_offsets":[0,0]}}}}"#), 3, no_shape),
        (format!(r#"{{"t":[{zeros}0]}}"#), 3, "tensor `t`: its entry is no object"),
        (format!(r#"{{"__metadata__":[{zeros}0]}}"#), 0, ""),
    ] {
        let case = Case::new();
        case.write("x.safetensors", &safetensors(&text, &[]));
        let script = format!("ulimit -v 131072; exec '{}' show x.safetensors", env!("CARGO_BIN_EXE_stride"));
        let mut shell = std::process::Command::new("sh");
        let out = common::Out::of(shell.args(["-c", &script]).current_dir(case.path("")).output().unwrap());
        let sentence = if code == 0 { String::new() } else { format!("stride: x.safetensors: {sentence}\n") };
        assert_eq!((out.code, out.stderr), (code, sentence));
    }
}

/// A list, a tensor, an error, a file of one tensor, a list: as they are given.
#[test]
fn json_has_the_order_of_the_arguments() {
    let case = Case::new();
    let entry = |name: &str| format!(r#""{name}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#);
    case.write("x.safetensors", &safetensors(&format!("{{{},{}}}", entry("a"), entry("b")), &[]));
    case.write("y.safetensors", &safetensors(&format!("{{{},{}}}", entry("c"), entry("d")), &[]));
    case.write("one.npy", &npy("|u1", "3,", &[1, 2, 3]));
    case.write("bad.npy", b"");
    let out = show(&case, &["x.safetensors", "f32[2]", "bad.npy", "one.npy", "y.safetensors", "--json"]);
    let told: Vec<serde_json::Value> = serde_json::from_str(&out.stdout).expect(&out.stderr);
    let found = told.iter().map(|one| match (one["name"].as_str(), one["tensor"].as_str()) {
        (Some(name), _) => name,
        (None, Some(tensor)) => tensor.split(' ').next().unwrap(),
        (None, None) => one["error"]["status"].as_str().unwrap(),
    });
    assert_eq!((out.code, found.collect::<Vec<_>>()), (3, vec!["a", "b", "f32[2]", "file", "u8[3]", "c", "d"]));
}

/// Each write(2) is a message of its own, and other systems have smaller ones.
#[cfg(target_os = "linux")]
#[test]
fn a_list_is_written_in_one_piece() {
    use std::os::{fd::OwnedFd, unix::net::UnixDatagram};
    let entry = |i: usize| format!(r#""t{i}":{{"dtype":"U8","shape":[1],"data_offsets":[{i},{}]}}"#, i + 1);
    let entries: Vec<_> = (0..500).map(entry).collect();
    let case = Case::new();
    case.write("x.safetensors", &safetensors(&format!("{{{}}}", entries.join(",")), &[0; 500]));
    for more in [&[][..], &["--json"]] {
        let (read, write) = UnixDatagram::pair().unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stride"));
        command.args(["show", "x.safetensors"]).args(more).current_dir(case.path(""));
        let mut run = command.stdout(OwnedFd::from(write)).spawn().unwrap();
        drop(command); // or what it says nothing to would never end
        let mut text = vec![0; 1 << 20];
        let length = read.recv(&mut text).unwrap();
        drop(read); // more of them would wait for room
        let done = run.wait().unwrap();
        assert!(str::from_utf8(&text[..length]).unwrap().contains("t499"), "all of it is the first message");
        assert!(done.success());
    }
}

/// What a terminal would obey is written out, in lists, in sentences and in what is shown.
#[test]
fn names_reach_no_terminal_raw() {
    let name = "a\u{1b}[2J\nforged\u{9b}\u{202e}";
    let written = "a\\x1b[2J\\nforged\\x9b\\u202e";
    let raw = |text: &str| text.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}');
    let json = serde_json::json!({
        name: {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]},
        "b": {"dtype": "X\u{1b}[1m", "shape": [1], "data_offsets": [1, 2]},
    });
    let case = Case::new();
    case.write("x.safetensors", &safetensors(&json.to_string(), &[0; 2]));
    case.write(
        "x.npz",
        &zip(&[(&format!("{name}.npy"), npy("|u1", "1,", &[1])), ("b.npy", vec![])], zip::CompressionMethod::Stored),
    );
    case.write("x.gguf", &gguf(false, &[(name, &[4], 0, 0), ("b", &[4], 43, 64)], &[0; 80]));
    let twice = gguf(false, &[(name, &[4], 0, 0), (name, &[4], 0, 0)], &[0; 16]);
    case.write("twice.gguf", &twice);
    case.write("far.safetensors", &safetensors(&json.to_string(), &[]));
    for file in ["x.safetensors", "x.npz", "x.gguf"] {
        let out = show(&case, &[file]);
        assert!(out.code == 0 && out.stdout.lines().count() == 3, "{}", out.stdout);
        assert!(out.stdout.starts_with(written) && !raw(&out.stdout), "{:?}", out.stdout);
        for given in [name, written] {
            let out = show(&case, &[&format!("{file}:{given}"), "--no-picture"]);
            assert!(out.code == 0 && out.stdout.contains(written) && !raw(&out.stdout), "{out:?}");
        }
        let out = case.convert(&[&format!("{file}:none\u{1b}[2J"), "o.raw"]);
        let sentence = format!("stride: {file}: there is no tensor `none\\x1b[2J` in it; it has {written}, b\n");
        assert_eq!((out.code, out.stderr), (2, sentence));
    }
    for (file, code) in [("twice.gguf", 3), ("far.safetensors:b", 3), (&format!("far.safetensors:{name}")[..], 3)] {
        let out = case.convert(&[file, "o.raw"]);
        assert!(out.code == code && !raw(&out.stderr) && out.stderr.lines().count() == 1, "{:?}", out.stderr);
    }
    let out = case.convert(&["x.safetensors:b", "b.raw"]);
    assert!(out.code == 0 && out.stderr.contains("its dtype X\\x1b[1m is not known"), "{:?}", out.stderr);
}

/// A pipe without a writer: to open it is to wait.
#[cfg(unix)]
#[test]
fn pipes_are_refused() {
    let case = Case::new();
    for name in ["x.npy", "x.npz", "x.safetensors", "x.gguf"] {
        let made = std::process::Command::new("mkfifo").arg(case.path(name)).status().unwrap();
        assert!(made.success());
        let sentence = format!("stride: {name}: this is no regular file\n");
        let out = show(&case, &[name]);
        assert_eq!((out.code, &out.stderr), (3, &sentence));
        let out = case.convert(&[&format!("{name}:t"), "o.raw"]);
        assert_eq!((out.code, &out.stderr), (3, &sentence));
        let out = show(&case, &[&format!("{name}:t")]);
        assert_eq!((out.code, &out.stderr), (3, &sentence));
    }
}

/// A .gguf of version 3 with these pairs (key, type, value), and one f32[4].
fn gguf_of_pairs(pairs: &[(&str, u32, &[u8])], data: &[u8]) -> Vec<u8> {
    let string = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let counts = [1u64.to_le_bytes(), (pairs.len() as u64).to_le_bytes()].concat();
    let mut file = [b"GGUF\x03\0\0\0", &counts[..]].concat();
    for (key, kind, value) in pairs {
        file.extend([&string(key), &kind.to_le_bytes()[..], value].concat());
    }
    file.extend([&string("a"), &1u32.to_le_bytes()[..], &4u64.to_le_bytes(), &[0; 12]].concat());
    file.resize(file.len().next_multiple_of(64), 0);
    file.extend(data);
    file
}

/// gguf-py 0.19: "Bad type for general.alignment field", and a KeyError for a key twice.
#[test]
fn gguf_pairs_that_are_wrong() {
    let data: Vec<u8> = [1f32, 2.0, 3.0, 4.0].into_iter().flat_map(f32::to_le_bytes).collect();
    let key = "general.alignment";
    let case = Case::new();
    case.write("x.gguf", &gguf_of_pairs(&[(key, 4, &64u32.to_le_bytes())], &data));
    assert_eq!(case.converted(&["x.gguf:a", "o.raw"], "o.raw"), data);
    let text = [&2u64.to_le_bytes()[..], b"64"].concat();
    let list = [&4u32.to_le_bytes()[..], &1u64.to_le_bytes(), &64u32.to_le_bytes()].concat();
    let values: [(u32, &[u8]); 8] = [
        (10, &64u64.to_le_bytes()),
        (11, &64u64.to_le_bytes()),
        (5, &64u32.to_le_bytes()),
        (2, &64u16.to_le_bytes()),
        (0, &[64]),
        (6, &64f32.to_le_bytes()),
        (8, &text),
        (9, &list),
    ];
    for (kind, value) in values {
        let sentence = format!("its general.alignment is of type {kind}, but has to be of type 4, an unsigned int32");
        refused("x.gguf", &gguf_of_pairs(&[(key, kind, value)], &data), &sentence);
    }
    for size in [0u32, 48] {
        let sentence = format!("its general.alignment is {size}, no power of two");
        refused("x.gguf", &gguf_of_pairs(&[(key, 4, &size.to_le_bytes())], &data), &sentence);
    }
    let twice = gguf_of_pairs(&[("k", 0, &[1]), (key, 4, &64u32.to_le_bytes()), ("k", 0, &[1])], &data);
    refused("x.gguf", &twice, "its metadata has the key `k` twice");
    let twice = gguf_of_pairs(&[(key, 4, &64u32.to_le_bytes()), (key, 4, &32u32.to_le_bytes())], &data);
    refused("x.gguf", &twice, "its metadata has the key `general.alignment` twice");
    let twice = gguf(false, &[("t", &[4], 0, 0), ("u", &[4], 0, 0), ("t", &[4], 0, 64)], &data);
    refused("x.gguf", &twice, "it has two tensors of the name `t`");
}

#[test]
fn gguf_types_that_are_not_known_hide_no_other() {
    let data: Vec<u8> = (0..112).collect();
    let tensors: &[(&str, &[u64], u32, u64)] = &[
        ("k", &[4], 0, 0),
        ("n", &[8, 2], 43, 64),
        ("old", &[32], 4, 64),
        ("rank", &[1; 5], 0, 64),
        ("o", &[4], 0, 96),
    ];
    let case = Case::new();
    case.write("x.gguf", &gguf(false, tensors, &data));
    let begin = case.read("x.gguf").len() - 112;
    listed(
        &case,
        "x.gguf",
        &[
            &format!("k f32[4] 16 bytes, at byte {begin}"),
            &format!(
                "n not read: type: 43 is no ggml_type; the highest is 42; its sizes are [2,8], and its data begin at \
                 byte {}",
                begin + 64
            ),
            &format!(
                "old not read: type: ggml no longer has a type 4; its sizes are [32], and its data begin at byte {}",
                begin + 64
            ),
            "rank not read: it has 5 dimensions; ggml has 4 at most",
            &format!("o f32[4] 16 bytes, at byte {}", begin + 96),
            "x.gguf: 2 tensors, 32 bytes, and 3 not read",
        ],
    );
    assert_eq!(case.converted(&["x.gguf:k", "k.raw"], "k.raw"), data[..16]);
    assert_eq!(case.converted(&["x.gguf:o", "o.raw"], "o.raw"), data[96..]);
    let out = case.convert(&["x.gguf:n", "n.raw"]);
    assert_eq!((out.code, out.stderr.starts_with("stride: x.gguf: tensor `n`: type: 43 is no")), (3, true));
}

/// The numbers in the blocks of each type, from the structs of ggml-common.h: offset, width, count.
#[test]
fn gguf_blocks_in_the_other_order() {
    type Case3 = (u32, u64, usize, &'static [(usize, usize, usize)]);
    let blocks: [Case3; 10] = [
        (2, 32, 18, &[(0, 2, 1)]),
        (3, 32, 20, &[(0, 2, 1), (2, 2, 1)]),
        (8, 32, 34, &[(0, 2, 1)]),
        (10, 256, 84, &[(80, 2, 1), (82, 2, 1)]),
        (12, 256, 144, &[(0, 2, 1), (2, 2, 1)]),
        (14, 256, 210, &[(208, 2, 1)]),
        (15, 256, 292, &[(0, 4, 1), (260, 2, 16)]),
        (19, 256, 50, &[(0, 2, 1), (34, 2, 8)]),
        (39, 32, 17, &[]),
        (40, 64, 36, &[]),
    ];
    for (kind, values, width, numbers) in blocks {
        let data: Vec<u8> = (0..6 * width).map(|i| (i * 37 + i / 251) as u8).collect();
        let mut swapped = data.clone();
        for block in swapped.chunks_mut(width) {
            for (offset, bytes, count) in numbers {
                block[*offset..offset + bytes * count].chunks_mut(*bytes).for_each(<[u8]>::reverse);
            }
        }
        let case = Case::new();
        let tensors: &[(&str, &[u64], u32, u64)] = &[("q", &[2 * values, 3], kind, 0)];
        for (big, order, is) in [
            (true, "little", &swapped),
            (true, "big", &data),
            (true, "swapped", &swapped),
            (false, "little", &data),
            (false, "big", &swapped),
            (false, "swapped", &swapped),
            (true, "native", if cfg!(target_endian = "big") { &data } else { &swapped }),
        ] {
            case.write("x.gguf", &gguf(big, tensors, &data));
            let out = case.converted(&["x.gguf:q", "o.raw", "--byteorder", order, "--force"], "o.raw");
            assert!(out == *is, "type {kind}, {order} of big {big}");
        }
        let more = ["--byteorder", "big", "--crop", "1:,:", "--axes", "1,0", "--force"];
        let out = case.converted(&[&["x.gguf:q", "o.raw"], &more[..]].concat(), "o.raw");
        let blocks: Vec<_> = [2, 4, 3, 5].iter().flat_map(|at| &data[at * width..(at + 1) * width]).copied().collect();
        assert!(out == blocks, "type {kind}");
        let out = case.convert(&["x.gguf:q", "t.raw", "--byteorder", "little", "--layout", "a/2 b a%2"]);
        assert_eq!(out.code, if numbers.is_empty() { 0 } else { 2 }, "{}", out.stderr);
    }
    // ggml reads the bits of these as wider numbers: they have the order of the machine that wrote them.
    for (kind, values, width) in [(6, 32, 22), (7, 32, 24), (16, 256, 66), (18, 256, 98), (29, 256, 56)] {
        let case = Case::new();
        case.write("x.gguf", &gguf(true, &[("q", &[values], kind, 0)], &vec![0; width]));
        let out = case.convert(&["x.gguf:q", "o.raw", "--byteorder", "little"]);
        let sentence =
            format!("stride: --byteorder: refused, it is not known which bytes of `ggml type {kind}` are numbers\n");
        assert_eq!((out.code, out.stderr), (2, sentence));
        // In the order that the file has there is nothing to swap.
        let data: Vec<u8> = (0..width as u8).collect();
        for (big, order) in [(true, "big"), (false, "little")] {
            case.write("x.gguf", &gguf(big, &[("q", &[values], kind, 0)], &data));
            assert!(case.converted(&["x.gguf:q", "o.bin", "--byteorder", order, "--force"], "o.bin") == data);
        }
    }
}

/// 65536 letters, more than a width of the formatter can be; a sentence has 200 of them.
#[test]
fn names_of_any_length() {
    let name = "n".repeat(1 << 16);
    let json = serde_json::json!({
        &*name: {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]},
        "z": {"dtype": "U8", "shape": [1], "data_offsets": [1, 2]},
    });
    let object = npy("|O", "", &[0; 8]);
    let most = &name[4..]; // a zip has 65535 bytes for a name, `.npy` among them
    let members = [(&*format!("{}.npy", &most[1..]), object), ("z.npy", npy("|u1", "1,", &[1]))];
    let case = Case::new();
    case.write("x.safetensors", &safetensors(&json.to_string(), &[0; 2]));
    case.write("x.npz", &zip(&members, zip::CompressionMethod::Stored));
    case.write("x.gguf", &gguf(false, &[(&name, &[4], 43, 0), ("z", &[4], 0, 64)], &[0; 80]));
    let short = format!("{}…", &name[..200]);
    for (file, whole) in [("x.safetensors", &*name), ("x.npz", &most[1..]), ("x.gguf", &*name)] {
        let out = show(&case, &[file]);
        let rows: Vec<_> = out.stdout.lines().collect();
        assert_eq!((out.code, rows.len()), (0, 3), "{file}: {}", out.stderr);
        assert!(rows[0].starts_with(&format!("{whole}  ")), "{file}");
        assert!(rows[1].starts_with(&format!("z{}", " ".repeat(61))) && rows[1].as_bytes()[62] != b' ', "{}", rows[1]);
        let out = case.convert(&[file, "o.raw"]);
        let sentence = format!("there are 2 tensors in it, name one of them after `:`: {short}, z");
        assert_eq!((out.code, out.stderr), (2, format!("stride: {file}: {sentence}\n")));
    }
    if cfg!(windows) {
        return; // a command line has 32,767 characters there
    }
    let before = format!("f32[2,2]{{1,0:{}", " ".repeat(70_000));
    let out = show(&case, &[&format!("{before}x}}")]);
    let mark = format!("  {}^", " ".repeat(before.len()));
    assert_eq!((out.code, out.stderr.lines().last()), (2, Some(&*mark)));
    let out = case.convert(&[&format!("x.npz:{}", &most[1..]), "o.raw"]);
    let sentence = format!("stride: x.npz: member `{short}`: its elements are Python objects, which lie elsewhere\n");
    assert_eq!((out.code, out.stderr), (3, sentence));
}
