//! `include/stride.h` is generated from `src/ffi` and checked in; a user's build never runs cbindgen.
//!
//! `cargo test --test header` compares; `STRIDE_WRITE_HEADER=1 cargo test --test header` (or `make header`) writes.

use std::path::{Path, PathBuf};

/// The files of the boundary in header order: the `pub mod` lines of `src/ffi/mod.rs`.
fn sections() -> Vec<String> {
    let text = read("src/ffi/mod.rs");
    text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).map(String::from).collect()
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn front() -> String {
    let [major, minor, patch] =
        [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
    let essay = read("src/ffi/header.txt");
    let essay: String = essay.lines().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
    format!(
        "// stride.h: libstride {major}.{minor}.{patch}. Generated from src/ffi by cbindgen 0.29.4: `make header`.\n//\n{essay}
#ifndef STRIDE_H
#define STRIDE_H

#include <stddef.h>
#include <stdint.h>

#define STRIDE_VERSION_MAJOR {major}
#define STRIDE_VERSION_MINOR {minor}
#define STRIDE_VERSION_PATCH {patch}
#define STRIDE_VERSION (STRIDE_VERSION_MAJOR * 10000 + STRIDE_VERSION_MINOR * 100 + STRIDE_VERSION_PATCH)
#define STRIDE_ABI_VERSION {abi}

// Options of a copy that ask for nothing: stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
#define STRIDE_COPY_OPTIONS_INIT {{ (uint32_t)sizeof(stride_copy_options), 0, 0, 0, 0, {{ 0 }} }}

#ifdef __cplusplus
extern \"C\" {{
#endif
",
        abi = stride::ffi::version::stride_abi_version(),
    )
}

const BACK: &str = "
#ifdef __cplusplus
}  // extern \"C\"
#endif

#endif  // STRIDE_H
";

fn section(name: &str) -> String {
    let path = format!("src/ffi/{name}.rs");
    let source = read(&path);
    let mut config = cbindgen::Config::from_file(root("cbindgen.toml")).expect("cbindgen.toml");
    // Types that no function of this file mentions would be dropped otherwise.
    let types = source.lines().filter_map(|line| line.strip_prefix("pub struct ")?.split([' ', '{', '<']).next());
    config.export.include = types.map(String::from).collect();
    let bindings = cbindgen::Builder::new().with_config(config).with_src(root(&path)).generate().expect(&path);
    let mut out = Vec::new();
    bindings.write(&mut out);
    let mut code = String::from_utf8(out).expect("cbindgen writes UTF-8");
    // Give the structs tags, so that they can be declared ahead.
    while let Some(begin) = code.find("typedef struct {") {
        let end = code[begin..].find("\n} ").expect("end of struct") + begin + 3;
        let name: String = code[end..].chars().take_while(|c| *c != ';').collect();
        code.replace_range(begin..begin + "typedef struct {".len(), &format!("typedef struct {name} {{"));
    }
    // Flags in high bits: 2147483648 is a long in C, 0x80000000 an unsigned int.
    for bit in 16..32 {
        code = code.replace(&format!(" {}\n", 1u32 << bit), &format!(" {:#x}\n", 1u32 << bit));
    }
    let code = code.replace("/// # Safety", "/// Safety:");
    let banner: String = source
        .lines()
        .take_while(|line| line.starts_with("//!"))
        .map(|line| line.replacen("//!", "//", 1).trim_end().to_owned() + "\n")
        .collect();
    format!("\n// {}\n//\n{banner}\n{}\n", "=".repeat(97), code.trim())
}

fn generate() -> String {
    let body: String = sections().iter().map(|name| section(name)).collect();
    format!("{}{body}{BACK}", front())
}

#[test]
fn the_header_that_is_checked_in_is_the_one_that_is_generated() {
    let generated = generate();
    if std::env::var_os("STRIDE_WRITE_HEADER").is_some() {
        std::fs::write(root("include/stride.h"), &generated).expect("include/stride.h");
        return;
    }
    let checked_in = read("include/stride.h");
    let (mut new, mut old) = (generated.lines(), checked_in.lines());
    for line in 1.. {
        match (new.next(), old.next()) {
            (None, None) => return,
            (new, old) => assert_eq!(old, new, "include/stride.h:{line} is stale: run `make header`"),
        }
    }
}

#[test]
fn every_declaration_is_documented() {
    let header = generate();
    let lines: Vec<&str> = header.lines().collect();
    let mut undocumented = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        let declares = line.starts_with("stride_")
            || line.starts_with("uint32_t stride_")
            || line.starts_with("uint64_t stride_")
            || line.starts_with("const char *stride_")
            || line.starts_with("typedef ")
            || (line.starts_with("#define STRIDE_") && !line.contains("VERSION"));
        let before = lines[..k].last().copied().unwrap_or("");
        if declares && !before.starts_with("//") && *line != "#define STRIDE_H" {
            undocumented.push(*line);
        }
    }
    assert!(undocumented.is_empty(), "{undocumented:#?}");
}
