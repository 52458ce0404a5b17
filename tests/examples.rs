//! The programs in `examples/c`, built by `make demo` as a user builds them, do what they say.
//!
//! What the pictures should hold is computed here from the photograph, by plain indices and without the library.
#![cfg(not(miri))] // builds and runs programs

mod freestanding;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const PHOTOGRAPH: &str = "examples/data/chelsea.ppm";
const CROP: usize = 224;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn run(command: &mut Command) -> Output {
    command.current_dir(root("")).output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the programs print UTF-8")
}

fn succeed(command: &mut Command) -> String {
    let output = run(command);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{stdout}\n{stderr}", output.status);
    stdout
}

/// What `make demo draw add` left behind: the folder of the C library, the programs and their pictures; and what they
/// printed.
struct Demo {
    folder: PathBuf,
    stdout: String,
}

/// Runs `make demo draw add` once for all tests of this file; `None` where no C programs are built, or there is no
/// make.
fn demo() -> Option<&'static Demo> {
    static DEMO: OnceLock<Option<Demo>> = OnceLock::new();
    let build = || {
        if !freestanding::has_library() {
            return None;
        }
        if Command::new("make").arg("--version").output().is_err() {
            freestanding::skipped("the examples in C, there is no make");
            return None;
        }
        let target = scratch("..").canonicalize().expect("the folder of this build"); // where the C tests made the library
        let stdout = succeed(Command::new("make").args(["demo", "draw", "add"]).env("CARGO_TARGET_DIR", &target));
        Some(Demo { folder: target.join("c"), stdout })
    };
    DEMO.get_or_init(build).as_ref()
}

/// A binary PPM picture.
struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// Strict: the header as `photo` writes it, and exactly as many bytes as it announces.
    fn read(path: &Path) -> Picture {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut lines = bytes.splitn(4, |byte| *byte == b'\n');
        let mut line = || lines.next().unwrap_or_else(|| panic!("{}: the header ends early", path.display()));
        assert_eq!(line(), b"P6", "{}", path.display());
        let sizes: Vec<usize> =
            text(line()).split(' ').map(|number| number.parse().expect("a width and a height")).collect();
        assert_eq!(line(), b"255", "{}", path.display());
        let (width, height, pixels) = (sizes[0], sizes[1], line().to_vec());
        assert_eq!(pixels.len(), width * height * 3, "{}", path.display());
        Picture { width, height, pixels }
    }

    fn at(&self, row: usize, column: usize) -> [u8; 3] {
        let first = (row * self.width + column) * 3;
        self.pixels[first..first + 3].try_into().expect("three bytes")
    }
}

/// The pixel of the photograph that lies at (row, column) of its mirrored centre.
fn mirrored_centre(photograph: &Picture, row: usize, column: usize) -> [u8; 3] {
    let (top, left) = ((photograph.height - CROP) / 2, (photograph.width - CROP) / 2);
    photograph.at(top + row, left + (CROP - 1 - column))
}

#[test]
fn the_demo_brings_every_byte_back() {
    let Some(demo) = demo() else { return };
    assert!(demo.stdout.lines().any(|line| line == "round trip: identical"), "{}", demo.stdout);
    assert_eq!(demo.stdout.matches("brought back identical").count(), 4, "{}", demo.stdout);
    assert!(demo.stdout.contains("u8[16,3,224,224]{1,2,3,0}"), "{}", demo.stdout);
    // 16 * 672 rows 256 bytes apart, the last one only as long as it is: 10751 * 256 + 224, a multiple of 4.
    assert!(demo.stdout.contains("TotalTensorSizeInBytes 2752480"), "{}", demo.stdout);
    assert!(demo.stdout.contains("344032 bytes between the rows, all 0"), "{}", demo.stdout); // 10751 * 32
}

#[test]
fn the_mirrored_picture_is_the_centre_read_from_right_to_left() {
    let Some(demo) = demo() else { return };
    let photograph = Picture::read(&root(PHOTOGRAPH));
    let mirrored = Picture::read(&demo.folder.join("mirrored.ppm"));
    assert_eq!((mirrored.width, mirrored.height), (CROP, CROP));
    for row in 0..CROP {
        for column in 0..CROP {
            let expected = mirrored_centre(&photograph, row, column);
            assert_eq!(mirrored.at(row, column), expected, "row {row}, column {column}");
        }
    }
}

#[test]
fn the_planes_are_the_three_channels_side_by_side_in_grey() {
    let Some(demo) = demo() else { return };
    let photograph = Picture::read(&root(PHOTOGRAPH));
    let planes = Picture::read(&demo.folder.join("planes.ppm"));
    assert_eq!((planes.width, planes.height), (3 * CROP, CROP));
    for row in 0..CROP {
        for column in 0..3 * CROP {
            let grey = mirrored_centre(&photograph, row, column % CROP)[column / CROP];
            assert_eq!(planes.at(row, column), [grey; 3], "row {row}, column {column}");
        }
    }
}

#[test]
fn a_wrong_file_is_named_with_the_reason_and_has_its_own_exit_code() {
    let Some(demo) = demo() else { return };
    let photograph = std::fs::read(root(PHOTOGRAPH)).expect(PHOTOGRAPH);
    let wrong: [(&str, Option<&[u8]>, i32, &str); 10] = [
        ("missing.ppm", None, 3, "No such file"),
        ("empty.ppm", Some(b""), 4, "not a binary PPM picture"),
        ("text.ppm", Some(b"P3\n451 300\n255\n"), 4, "not a binary PPM picture"),
        ("words.ppm", Some(b"P6\nwide high\n255\n"), 5, "does not hold three numbers"),
        ("negative.ppm", Some(b"P6\n451 -300\n255\n"), 5, "does not hold three numbers"),
        ("small.ppm", Some(b"P6\n451 223\n255\n"), 5, "451 x 223 pixels: both sides must be from 224 to 4096"),
        ("huge.ppm", Some(b"P6\n300 99999999999999999999999\n255\n"), 5, "both sides must be from 224 to 4096"),
        ("deep.ppm", Some(b"P6\n451 300\n65535\n"), 6, "maxval 65535: must be 255"),
        ("header.ppm", Some(b"P6\n451 300"), 7, "ends in its header"),
        ("short.ppm", Some(&photograph[..1000]), 7, "ends after 985 of 405900 bytes"),
    ];
    for (name, contents, code, reason) in wrong {
        let path = scratch(name);
        match contents {
            Some(contents) => std::fs::write(&path, contents).expect(name),
            None => assert!(!path.exists(), "{name}"),
        }
        let output = run(Command::new(demo.folder.join("photo")).arg(&path).arg(&demo.folder));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{name}: {message}");
        assert!(message.contains(path.to_str().expect("UTF-8")) && message.contains(reason), "{name}: {message}");
        assert_eq!(message.lines().count(), 1, "{name}: {message}");
    }
}

#[test]
fn a_folder_that_is_not_there_is_named_and_without_arguments_the_usage_is_told() {
    let Some(demo) = demo() else { return };
    let output = run(Command::new(demo.folder.join("photo")).arg(PHOTOGRAPH).arg(scratch("nowhere")));
    assert_eq!(output.status.code(), Some(8));
    assert!(text(&output.stderr).contains("nowhere/planes.ppm: No such file"), "{}", text(&output.stderr));

    let output = run(&mut Command::new(demo.folder.join("photo")));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "photo: usage: photo INPUT.ppm OUTPUT_DIR [SECONDS...]\n");
}

/// The blocks of a page that show a call of `draw` and what it prints: the arguments, the output, the line in the page.
fn pictures(page: &str) -> Vec<(Vec<String>, String, usize)> {
    let text = std::fs::read_to_string(root(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("\n```text\n$ draw ") {
        let (block, after) = behind.split_once("\n```").unwrap_or_else(|| panic!("{page}: a block does not end"));
        let (command, output) = block.split_once('\n').unwrap_or((block, ""));
        let arguments = command.split('\'').skip(1).step_by(2).map(String::from).collect();
        let line = text[..text.len() - rest.len() + before.len()].lines().count() + 2;
        found.push((arguments, format!("{output}\n"), line));
        rest = after;
    }
    found
}

#[test]
fn the_pictures_of_the_pages_are_what_draw_prints() {
    let Some(demo) = demo() else { return };
    for (page, least) in [("docs/XLA.md", 6), ("docs/BLOCKED_FORMATS.md", 2)] {
        let pictures = pictures(page);
        assert!(pictures.len() >= least, "{page}: only {} pictures", pictures.len());
        for (arguments, picture, line) in pictures {
            let printed = succeed(Command::new(demo.folder.join("draw")).args(&arguments));
            assert_eq!(picture, printed, "{page}:{line}: draw {arguments:?} prints\n{printed}");
        }
    }
}

#[test]
fn draw_shows_the_instructive_ones_and_cuts_large_ones_off() {
    let Some(demo) = demo() else { return };
    let draw = demo.folder.join("draw");
    let first = succeed(&mut Command::new(&draw));
    assert!(
        first.contains("\n     0: a b  f g\n     4: c d  h i\n     8: e .  j .\n        --------\n    12: k l  . .\n")
    );
    assert!(demo.stdout.contains(&first), "make draw runs it");

    // 2^50 elements, long rows, long names of elements, and no element at all.
    let large = [
        "f32[33554432,33554432]",
        "f32[2,1000003]",
        "bf16[4096,4096]{1,0:T(8,128)(2,1)}",
        "pred[1009]{0:E(1)}",
        "u8[9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9]",
    ];
    for shape in large.into_iter().chain(["f32[0,3]", "f32[]"]) {
        let picture = succeed(Command::new(&draw).arg(shape));
        assert!(picture.lines().count() < 60, "{shape}: {} lines", picture.lines().count());
        assert!(picture.lines().all(|line| line.len() < 140), "{shape}:\n{picture}");
        assert_eq!(large.contains(&shape), picture.contains("..."), "{shape}:\n{picture}");
    }
}

#[test]
fn draw_says_what_is_wrong_with_a_shape() {
    let Some(demo) = demo() else { return };
    for (shape, reason) in [
        ("f32[2", "byte 5"),
        ("f32[2,3] padded to 1,3", "dimension 0"),
        ("f32[2,3] padded to 4", "2 padded sizes"),
        ("f32[?]", "the size is unbounded"),
    ] {
        let output = run(Command::new(demo.folder.join("draw")).arg(shape));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{shape}: {message}");
        assert!(message.starts_with(&format!("draw: '{shape}': ")) && message.contains(reason), "{message}");
    }
}

#[test]
fn add_sums_what_the_naive_loop_sums() {
    let Some(demo) = demo() else { return };
    for operands in ["packed", "mixed"] {
        let line = format!("{operands}: 307200 sums, as the naive loop has them");
        assert!(demo.stdout.lines().any(|printed| printed == line), "{}", demo.stdout);
    }
}

#[test]
fn the_quickstart_compiles_and_prints_the_planes_and_the_sentence() {
    let Some(demo) = demo() else { return };
    let program = demo.folder.join("quickstart");
    let compiler = std::env::var("CC").unwrap_or_else(|_| String::from("cc"));
    let mut compile = Command::new(compiler);
    compile.args(["-O2", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Iinclude"]);
    succeed(compile.arg("examples/c/quickstart.c").arg(demo.folder.join("libstride.a")).arg("-o").arg(&program));
    let stdout = succeed(&mut Command::new(program));
    let short = "src_bytes: 48 bytes are needed, but the buffer has 44";
    assert_eq!(stdout, format!("1 2 3 4 10 20 30 40 100 200 300 400\n{short}\n"));
}
