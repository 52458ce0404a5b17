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
    assert_eq!(case.names(), [name], "nothing is left behind");
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
        let out = case.convert(&["x.npy", "big.npy", "--byteorder", "big"]);
        assert_eq!(out.code, 2, "{descr}");
        assert!(out.stderr.contains("are copied as bytes, in the order they have"), "{}", out.stderr);
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
    refused_npy(&f4("((1,),)"), "its header: `(` at byte 51, not a size");
    refused_npy(&f4("(3)"), "its header: `)` at byte 52, not `,` after the only size, or Python reads a number");
    refused_npy(&f4(&format!("({})", "1,".repeat(65))), "its shape has more than 64 dimensions");
    refused_npy(&f4("{'a': {'b': 1}}"), "its header: `{` at byte 50, not `(`");
    refused_npy("{'descr': {'descr': '<f4'}, 'shape': ()}", "its header: `{` at byte 10, not a string");
    refused_npy("{'descr': '<f4', 'descr': '<f8'}", "its header has 'descr' twice");
    refused_npy("{'descr': '<f4', 'fortran_order': False}", "its header has no 'shape'");
    refused_npy("{'descr': '<f4', 'shape': (), 'x': 1}", "its header has the key 'x'");
    refused_npy("{'descr': '<f4", "its header: `'` at byte 10, not a string that ends");
    refused_npy("{'descr': '<f4\\x00'}", "its header: `\\` at byte 14, not the end of the string");
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
        let sentence = "stride: x.npz: there are 2 tensors in it, name one of them after `:`: a, b\n";
        assert_eq!((out.code, out.stderr.as_str()), (2, sentence));
        let out = case.convert(&["x.npz:c", "c.raw"]);
        assert_eq!((out.code, out.stderr.as_str()), (2, "stride: x.npz: there is no tensor `c` in it; it has a, b\n"));
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
    let out = case.convert(&["x.safetensors:w", "w.npy"]);
    let sentence = "stride: .npy has no bf16: write .bin or .raw, or .safetensors\n";
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
    refused(&of(r#"{"dtype":"F6_E2M3"}"#), "tensor `t`: the dtype F6_E2M3 is not known");
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
    let turned = case.converted(&["y.gguf:half", "t.raw", "--byteorder", "little"], "t.raw");
    assert_eq!(turned, [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10]);
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
