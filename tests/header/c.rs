//! The C headers: cbindgen's declarations, one file of `src/ffi` after the other, with what it cannot say around them.

use super::groups::{GROUPS, group_of};
use super::source::{Constant, Field, Function, Section, Source, Struct};
use super::{read, root};

const LINE: &str = "=================================================================================================";

const IMAGE_INIT: &str = "
/// An image description whose fields are still to be set: stride_image image = STRIDE_IMAGE_INIT;
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
    let (types, more) = if name == "stride.h" { (types(), more()) } else { Default::default() };
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
{more}
#endif  // {guard}
"
    )
}

/// The headers that `stride.h` includes, after the declarations that they need.
fn more() -> String {
    let includes = ["kernels", "consumers", "machine", "errors"].map(|name| format!("#include \"stride_{name}.h\"\n"));
    format!("\n// For fewer programs.\n{}", includes.concat())
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

/// Precedes every function. On Windows define STRIDE_STATIC to link the archive; define STRIDE_API to replace it.
#ifndef STRIDE_API
#if defined(_WIN32) && !defined(STRIDE_STATIC)
#define STRIDE_API __declspec(dllimport)
#else
#define STRIDE_API
#endif
#endif

/// The default options of a copy: stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
#define STRIDE_COPY_OPTIONS_INIT {{ sizeof(stride_copy_options), 0, 0, 0, 0, {{ 0 }}, NULL, NULL, 0, NULL }}

/// Facts for stride_layout_query to fill in: stride_layout_facts facts = STRIDE_LAYOUT_FACTS_INIT;
#define STRIDE_LAYOUT_FACTS_INIT {{ sizeof(stride_layout_facts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }}

/// Facts for stride_plan_query to fill in: stride_plan_facts facts = STRIDE_PLAN_FACTS_INIT;
#define STRIDE_PLAN_FACTS_INIT {{ sizeof(stride_plan_facts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }}

/// A side without runs and range, whose `kind` and `of` are still to be set: stride_side side = STRIDE_SIDE_INIT;
#define STRIDE_SIDE_INIT {{ sizeof(stride_side), 0, 0, -1, 0, 0, NULL, NULL, {{ {{ NULL, 0, 0 }} }} }}
",
        version = major * 10000 + minor * 100 + patch,
        abi = stride::ffi::version::stride_abi_version(),
    )
}

/// Types of every function.
fn types() -> String {
    "
/// The status that a function returns: one of the STRIDE_STATUS_ values. The numbers never change; new ones may be
/// added.
typedef int32_t stride_status;

/// The reason why a function failed; see the section on errors.
typedef struct stride_error stride_error;

/// A CPU as copies see it; see stride_machine.h.
typedef struct stride_machine stride_machine;
"
    .to_owned()
}

/// `#define NAME value  ///< doc`
fn one_line(constant: &Constant) -> String {
    format!("#define {} {}  ///< {}\n", constant.name, value_of(constant), constant.doc)
}

/// The constants as enums, for debuggers and for languages without a preprocessor. A constant that is no int, which an
/// enum of C99 must be, is a macro alone.
fn constants_of_the_compiler(constants: &[Constant]) -> String {
    let (mut out, mut before) = (String::new(), None);
    for constant in constants {
        let group = group_of(constant);
        if i32::try_from(constant.value).is_err() {
            continue;
        }
        if before != Some(group) || !out.ends_with(" };\n") {
            out += &format!("enum {{ {} = {} }};\n", constant.name, constant.value);
        } else {
            out.truncate(out.len() - " };\n".len());
            let line = out.rsplit('\n').next().map_or(0, str::len);
            let entry = format!("{} = {}", constant.name, constant.value);
            out += if line + entry.len() + 5 > 120 { ",\n       " } else { ", " };
            out += &format!("{entry} }};\n");
        }
        before = Some(group);
    }
    out
}

/// A constant's value as C has it.
fn value_of(constant: &Constant) -> String {
    match constant.value {
        0x1_0000..0x1_0000_0000 => format!("{:#x}", constant.value), // 2147483648 is a long in C, 0x80000000 unsigned
        value if value == i64::MIN as i128 => "(-9223372036854775807 - 1)".to_owned(),
        value => value.to_string(),
    }
}

/// `const char *name`, `uint32_t name`.
fn declared(kind: &str, name: &str) -> String {
    format!("{kind}{}{name}", if kind.ends_with('*') { "" } else { " " })
}

/// `include/stride.cdef`: all that can be declared without a preprocessor, for LuaJIT's ffi.cdef, PHP's FFI::cdef and
/// cffi's. It has no constant beyond 32 bits, which not all of them read.
pub fn declarations(source: &Source) -> String {
    let mut out = format!(
        "// libstride {}: declarations without a preprocessor, for LuaJIT, PHP, cffi and others. stride.h explains them.
// SPDX-License-Identifier: MIT OR Apache-2.0
// STRIDE_XLA_TILE_MERGE and STRIDE_XLA_UNBOUNDED are INT64_MIN, which not every enum holds. For scripts: each constant,
// field and function has a line of its own, a field that is a struct has the type of one above it, and a comment names
// the group of constants below it: a value is one of them (enum), or a sum (flags).

enum {{ STRIDE_VERSION = {}, STRIDE_ABI_VERSION = {} }};  // the results of stride_version() and stride_abi_version()

typedef int32_t stride_status;
",
        env!("CARGO_PKG_VERSION"),
        stride::ffi::version::stride_version(),
        stride::ffi::version::stride_abi_version(),
    );
    let structure = |of: &Struct| {
        let entries = |entries: Option<u64>| entries.map_or(String::new(), |entries| format!("[{entries}]"));
        let field = |of: &Field| format!("  {}{};\n", declared(&of.kind, &of.name), entries(of.entries));
        let fields: String = of.fields.iter().map(field).collect();
        format!("typedef struct {name} {{\n{fields}}} {name};\n", name = of.name)
    };
    let function = |of: &Function| {
        let parameters: Vec<String> = of.parameters.iter().map(|of| declared(&of.kind, &of.name)).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        format!("{}({parameters});\n", declared(&of.returns, &of.name))
    };
    let constants = source.sections.iter().flat_map(|section| &section.constants);
    let constants: Vec<&Constant> = constants.filter(|of| i64::MIN as i128 != of.value).collect();
    let structs: String = source.structs().map(structure).collect();
    let functions: String = source.functions().map(function).collect();
    let mut names: Vec<&str> = constants.iter().filter_map(|of| group_of(of)).collect();
    names.sort_unstable();
    names.dedup();
    let groups = [None].into_iter().chain(names.into_iter().map(Some));
    for group in groups {
        let of_group = constants.iter().filter(|of| group_of(of) == group);
        let entries: Vec<String> = of_group.map(|of| format!("  {} = {}", of.name, value_of(of))).collect();
        let kind = GROUPS.iter().find(|(prefix, _)| Some(*prefix) == group);
        let comment = kind.map_or(String::new(), |(prefix, kind)| format!("// {prefix}: {kind}\n"));
        out += &format!("\n{comment}enum {{\n{}\n}};\n", entries.join(",\n"));
    }
    out + "\n" + &structs + "\n" + &functions
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
        // Declared before everything else.
        ("typedef struct stride_error {", "struct stride_error {"),
        ("} stride_error;", "};"),
        ("typedef struct stride_machine {", "struct stride_machine {"),
        ("} stride_machine;", "};"),
    ] {
        code = code.replace(was, is);
    }
    if let (Some(begin), true) = (code.find("/// The status that a function returns"), section.name == "status") {
        let end = code.find("typedef int32_t stride_status;\n\n").expect("the typedef") + 32;
        code.replace_range(begin..end, "");
    }
    let code = one_declaration_a_paragraph(&code);
    let mut constants = match constants_of_the_compiler(&section.constants) {
        none if none.is_empty() => none,
        some => format!("// As enums; the macros below explain them.\n{some}\n"),
    };
    let mut before = String::new();
    for constant in &section.constants {
        let mut line = one_line(constant);
        if constant.doc.contains('\n') || line.len() > 121 {
            let value = line.split("  ///< ").next().expect("a definition").to_owned();
            let doc: String = constant.doc.lines().map(|line| format!("/// {line}\n")).collect();
            line = format!("{doc}{value}\n");
        }
        // A new family of names gets an empty line.
        let words: Vec<&str> = constant.name.split('_').collect();
        let of_vocabulary = matches!(words[1], "XLA" | "DML");
        let family = words[1..if of_vocabulary { words.len().min(3) } else { 2 }].join("_");
        if family != before && !constants.ends_with("\n\n") && !constants.is_empty() {
            constants += "\n";
        }
        before = family;
        constants += &line;
    }
    assert!(source.starts_with("//!"), "{path} begins with its essay");
    let banner: String = section.banner.iter().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
    let parts = [constants.trim_end(), code.trim()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("\n// {LINE}\n//\n{banner}\n{}\n", parts.join("\n\n"))
}
