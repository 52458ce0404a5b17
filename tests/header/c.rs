//! The C headers: cbindgen's declarations, one file of `src/ffi` after the other, with what it cannot say around them.

use super::source::{Constant, Section, Source};
use super::{read, root};

const LINE: &str = "=================================================================================================";

const IMAGE_INIT: &str = "
/// An image of which nothing is said yet: stride_image image = STRIDE_IMAGE_INIT;
#define STRIDE_IMAGE_INIT { sizeof(stride_image), 0, 0, 0, 0, 0, 0, 0, { 0 }, { 0 } }
";

/// A header, whole.
pub fn header(source: &Source, name: &str) -> String {
    let sections: Vec<&Section> = source.sections.iter().filter(|section| section.header == name).collect();
    let titles: Vec<&str> = sections.iter().map(|section| section.banner[0].as_str()).collect();
    let [major, minor, patch] =
        [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
    let stem = name.strip_suffix(".h").expect("a header's name");
    let guard = stem.to_uppercase() + "_H";
    let essay = read(&format!("src/ffi/{stem}.txt"));
    let essay: String = essay.lines().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
    let sections_line = wrap(&format!("Sections: {}.", titles.join(" - ")));
    let front = match name {
        "stride.h" => front(),
        "stride_interop.h" => format!("\n#include \"stride.h\"\n{IMAGE_INIT}"),
        _ => "\n#include \"stride.h\"\n".to_owned(),
    };
    let types = if name == "stride.h" { types() } else { String::new() };
    let body: String = sections.iter().map(|section| text_of(section)).collect();
    format!(
        "// {name}: libstride {major}.{minor}.{patch}. Generated from src/ffi by cbindgen 0.29.4: `make header`.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
{essay}//
{sections_line}
#ifndef {guard}
#define {guard}
{front}
#ifdef __cplusplus
extern \"C\" {{
#endif
{types}{body}
#ifdef __cplusplus
}}  // extern \"C\"
#endif

#endif  // {guard}
"
    )
}

fn wrap(text: &str) -> String {
    let (mut out, mut line) = (String::new(), String::from("//"));
    for word in text.split(' ') {
        if line.len() + 1 + word.len() > 120 {
            out += &(line + "\n");
            line = String::from("//");
        }
        line += &format!(" {word}");
    }
    out + &line + "\n"
}

fn front() -> String {
    let [major, minor, patch]: [u32; 3] =
        [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")]
            .map(|number| number.parse().expect("a version"));
    format!(
        "
#include <stddef.h>
#include <stdint.h>

#define STRIDE_VERSION_MAJOR {major}
#define STRIDE_VERSION_MINOR {minor}
#define STRIDE_VERSION_PATCH {patch}
#define STRIDE_VERSION {version}  ///< STRIDE_VERSION_MAJOR * 10000 + STRIDE_VERSION_MINOR * 100 + STRIDE_VERSION_PATCH
#define STRIDE_ABI_VERSION {abi}

/// Stands in front of every function. On Windows define STRIDE_STATIC to link the archive; define STRIDE_API to say
/// something else.
#ifndef STRIDE_API
#if defined(_WIN32) && !defined(STRIDE_STATIC)
#define STRIDE_API __declspec(dllimport)
#else
#define STRIDE_API
#endif
#endif

/// Options of a copy that ask for nothing: stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
#define STRIDE_COPY_OPTIONS_INIT {{ sizeof(stride_copy_options), 0, 0, 0, 0, {{ 0 }}, 0 }}

/// Facts that are still to be asked for: stride_layout_facts facts = STRIDE_LAYOUT_FACTS_INIT;
#define STRIDE_LAYOUT_FACTS_INIT {{ sizeof(stride_layout_facts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }}

/// Facts of a plan that are still to be asked for: stride_plan_facts facts = STRIDE_PLAN_FACTS_INIT;
#define STRIDE_PLAN_FACTS_INIT {{ sizeof(stride_plan_facts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }}
",
        version = major * 10000 + minor * 100 + patch,
        abi = stride::ffi::version::stride_abi_version(),
    )
}

/// What every function speaks of.
fn types() -> String {
    "
/// What a function answers: one of the STRIDE_STATUS_ values. The numbers never change; new ones may be added.
typedef int32_t stride_status;

/// Why a function did not succeed; see the section on errors.
typedef struct stride_error stride_error;
"
    .to_owned()
}

/// `#define NAME value  ///< what it is`
fn one_line(constant: &Constant) -> String {
    let value = match constant.value {
        0x1_0000..0x1_0000_0000 => format!("{:#x}", constant.value), // 2147483648 is a long in C, 0x80000000 unsigned
        value => value.to_string(),
    };
    format!("#define {} {value}  ///< {}\n", constant.name, constant.doc)
}

/// Declarations of functions filled to the line, instead of a parameter a line.
fn one_declaration_a_paragraph(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(begin) = rest.find("STRIDE_API\n") {
        let end = begin + rest[begin..].find(");").expect("the end of a declaration") + 2;
        out += &rest[..begin];
        let words: Vec<&str> = rest[begin..end].split_whitespace().collect();
        let declaration = words.join(" ");
        let open = declaration.find('(').expect("a function") + 1;
        let (mut line, parameters) = (declaration[..open].to_owned(), &declaration[open..]);
        for (k, parameter) in parameters.split(", ").enumerate() {
            let last = parameter.ends_with(");");
            let piece = if last { parameter.to_owned() } else { format!("{parameter},") };
            if k > 0 && line.len() + 1 + piece.len() > 120 {
                out += &format!("{line}\n");
                line = " ".repeat(open) + &piece;
            } else {
                line += &format!("{}{piece}", if k > 0 { " " } else { "" });
            }
        }
        out += &line;
        rest = &rest[end..];
    }
    out + rest
}

/// A section: its essay, what cbindgen makes of the file, and the core's lists.
fn text_of(section: &Section) -> String {
    let path = format!("src/ffi/{}.rs", section.name);
    let source = read(&path);
    let mut config = cbindgen::Config::from_file(root("cbindgen.toml")).expect("cbindgen.toml");
    // Types that no function of this file mentions would be dropped otherwise.
    config.export.include = section.structs.iter().map(|of| of.name.clone()).collect();
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
    // Constants in a line each.
    let is_constant = |line: &str| line.starts_with("#define STRIDE_");
    let blocks: Vec<&str> = code.split("\n\n").filter(|block| !block.lines().any(is_constant)).collect();
    let mut code = blocks.join("\n\n").trim().to_owned();
    for (was, is) in [
        // Declared in front of everything.
        ("typedef struct stride_error {", "struct stride_error {"),
        ("} stride_error;", "};"),
    ] {
        code = code.replace(was, is);
    }
    if let (Some(begin), true) = (code.find("/// What a function answers"), section.name == "status") {
        let end = code.find("typedef int32_t stride_status;\n\n").expect("the typedef") + 32;
        code.replace_range(begin..end, "");
    }
    let code = one_declaration_a_paragraph(&code);
    let (mut own, mut listed) = (String::new(), String::new());
    let mut before = String::new();
    for constant in &section.constants {
        let mut line = one_line(constant).replace("-9223372036854775808", "(-9223372036854775807 - 1)");
        if constant.doc.contains('\n') || line.len() > 121 {
            let value = line.split("  ///< ").next().expect("a definition").to_owned();
            let doc: String = constant.doc.lines().map(|line| format!("/// {line}\n")).collect();
            line = format!("{doc}{value}\n");
        }
        // A new family of names gets an empty line.
        let words: Vec<&str> = constant.name.split('_').collect();
        let of_vocabulary = matches!(words[1], "XLA" | "DML");
        let family = words[1..if of_vocabulary { words.len().min(3) } else { 2 }].join("_");
        let out = if constant.listed && section.name == "status" { &mut listed } else { &mut own };
        if family != before && !out.is_empty() {
            *out += "\n";
        }
        before = family;
        *out += &line;
    }
    assert!(source.starts_with("//!"), "{path} begins with its essay");
    let banner: String = section.banner.iter().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
    let parts = [own.trim_end(), code.trim(), listed.trim_end()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("\n// {LINE}\n//\n{banner}\n{}\n", parts.join("\n\n"))
}
