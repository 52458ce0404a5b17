//! docs/IMAGE_FORMATS.md is the library's list of image formats, and the headers have a constant for each.
//!
//! The page's rows are made of the list: `STRIDE_WRITE_FORMATS=1 cargo test --test image_formats` writes them, without
//! it they are compared. What a row says of planes and samples is asked of the library.
#![cfg(not(miri))] // reads pages

use stride::vocabulary::images::{Format, Request, components, formats, planes};

/// A code as the page writes it: its letters, in quotes where there are spaces among them.
fn code(word: &str) -> String {
    if word.contains('_') { format!("`'{}'`", word.replace('_', " ")) } else { format!("`{word}`") }
}

/// `u8 {H, W, 1}, {H/2, W/2, 2}`, for an image of 8 x 6 pixels.
fn described(format: &Format) -> (String, String) {
    let image = Request::new(format.fourcc, 8, 6);
    let Ok(of) = planes(&image) else {
        let bits = planes(&image).unwrap_err().rhs;
        return (format!("refused: {bits} bits"), String::new());
    };
    let (mut dtype, mut lists, mut memory) = (String::new(), Vec::new(), Vec::new());
    for plane in of.layouts() {
        let size = |size: i64, of: i64, letter: &str| match of / size {
            1 => letter.to_owned(),
            ratio => format!("{letter}/{ratio}"),
        };
        dtype = plane.view().unwrap().dtype().to_string();
        let [rows, columns, samples] = plane.sizes()[..] else { panic!("{plane}") };
        lists.push(format!("{{{}, {}, {samples}}}", size(rows, 6, "H"), size(columns, 8, "W")));
        // The samples of the first column, by the components that begin there.
        let mut row = vec!["X"; samples as usize];
        for (k, component) in components(&image).unwrap().layouts().iter().enumerate() {
            let letter = if format.letters == "word" { "word" } else { &format.letters[k..=k] };
            let mut at = component.offset() - plane.offset();
            while (0..samples).contains(&at) {
                row[at as usize] = letter;
                at += component.strides()[1];
            }
        }
        memory.push(row.join(" "));
    }
    (format!("{dtype} {}", lists.join(", ")), memory.join(", "))
}

/// The names of a list, each after the code that it is for where there are several.
fn names(format: &Format, prefix: &str) -> String {
    let found: Vec<String> =
        format.words.split(' ').filter_map(|word| word.strip_prefix(prefix)).map(|name| format!("`{name}`")).collect();
    found.join(" ")
}

fn row(format: &Format) -> String {
    let mut codes = format.words.split(' ').filter(|word| word.as_bytes()[1] != b':');
    let first = code(codes.next().unwrap());
    let others: Vec<String> = codes.map(code).collect();
    let (planes, memory) = described(format);
    let [drm, v4l2, ffmpeg] = ["d:", "v:", "f:"].map(|list| names(format, list));
    let cells = [first, others.join(" "), planes, memory, drm, v4l2, ffmpeg];
    format!("| {} |", cells.join(" | "))
}

#[test]
fn the_page_shows_the_list() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/IMAGE_FORMATS.md");
    let page = std::fs::read_to_string(path).unwrap();
    let rows: Vec<String> = formats().map(|format| row(&format)).collect();
    let lines: Vec<&str> = page.lines().collect();
    let is_row = |line: &&str| line.starts_with("| `");
    if std::env::var_os("STRIDE_WRITE_FORMATS").is_some() {
        let begin = lines.iter().position(|line| *line == "|---|---|---|---|---|---|---|").unwrap() + 1;
        let end = begin + lines[begin..].iter().take_while(|line| is_row(line)).count();
        let text =
            [&lines[..begin].join("\n"), &rows.join("\n"), &lines[end..].join("\n")].map(String::as_str).join("\n");
        std::fs::write(path, text + "\n").unwrap();
        return;
    }
    let found: Vec<&str> = lines.into_iter().filter(is_row).collect();
    for (k, row) in rows.iter().enumerate() {
        assert_eq!(found.get(k).copied(), Some(row.as_str()), "row {k} of the page");
    }
    assert_eq!(found.len(), rows.len());
}

/// The code after which others are aliases has a constant; a code that is refused has none.
#[test]
fn every_format_has_a_constant() {
    let header = include_str!("../include/stride_interop.h");
    let mut constants = Vec::new();
    for line in header.lines() {
        if let Some((_, rest)) = line.split_once("#define STRIDE_FOURCC_") {
            let value = rest.split_whitespace().nth(1).unwrap().trim_start_matches("0x");
            constants.push(u32::from_str_radix(value, 16).unwrap());
        }
    }
    let known: Vec<u32> = formats().filter(|of| !of.letters.is_empty()).map(|of| of.fourcc).collect();
    assert_eq!(constants, known);
}
