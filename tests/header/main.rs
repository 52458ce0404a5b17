//! `include/` is made from `src/ffi` and checked in, but for `stride_runs.h` and `stride.hpp`: the C headers,
//! `stride.json` and `stride.cdef`. A user's build never runs cbindgen.
//!
//! `cargo test --test header` compares; `STRIDE_WRITE_HEADER=1 cargo test --test header` (or `make header`) writes.
#![cfg(not(miri))] // builds programs

mod c;
mod examples;
#[path = "../freestanding/mod.rs"]
mod freestanding;
mod groups;
mod json;
mod source;

use source::{Direction, Null, Source};
use std::path::{Path, PathBuf};
use stride::error::Argument;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Compares a generated file with the one that is checked in, or writes it.
fn hold(path: &str, generated: &str) {
    if std::env::var_os("STRIDE_WRITE_HEADER").is_some() {
        std::fs::write(root(path), generated).expect(path);
        return;
    }
    let checked_in = read(path);
    let (mut new, mut old) = (generated.lines(), checked_in.lines());
    for line in 1.. {
        match (new.next(), old.next()) {
            (None, None) => return,
            (new, old) => assert_eq!(old, new, "{path}:{line} is stale: run `make header`"),
        }
    }
}

#[test]
fn the_headers_that_are_checked_in_are_those_that_are_generated() {
    let source = Source::read();
    for header in source.headers() {
        hold(&format!("include/{header}"), &c::header(&source, header));
    }
}

#[test]
fn the_declarations_that_are_checked_in_are_those_that_are_generated() {
    hold("include/stride.cdef", &c::declarations(&Source::read()));
}

#[test]
fn the_description_that_is_checked_in_is_the_one_that_is_generated() {
    hold("include/stride.json", &json::describe(&Source::read()));
}

#[test]
fn every_declaration_is_documented() {
    let source = Source::read();
    let mut undocumented = Vec::new();
    for section in &source.sections {
        let constants = section.constants.iter().map(|constant| (&constant.name, &constant.doc));
        let structs = section.structs.iter().map(|of| (&of.name, &of.doc));
        let fields = section.structs.iter().flat_map(|of| &of.fields).map(|field| (&field.name, &field.doc));
        let functions = section.functions.iter().map(|function| (&function.name, &function.doc));
        let all = constants.chain(structs).chain(fields).chain(functions);
        undocumented.extend(all.filter(|(_, doc)| doc.trim().is_empty()).map(|(name, _)| name.clone()));
    }
    assert!(undocumented.is_empty(), "{undocumented:#?}");
}

/// A list whose length nobody tells is how `permute` with two axes came to read four.
#[test]
fn every_list_says_how_long_it_is_and_has_a_parameter_that_counts_it() {
    let source = Source::read();
    let mut lists = 0;
    for function in source.functions() {
        for parameter in function.parameters.iter().filter(|parameter| parameter.is_pointer()) {
            let name = format!("{}: {}", function.name, parameter.name);
            let numbers = ["int64_t", "uint32_t", "size_t", "uint8_t", "char", "void"];
            let input = parameter.direction == Direction::In && numbers.contains(&parameter.element.as_str());
            let memory = ["char", "void", "uint8_t"].contains(&parameter.element.as_str());
            // A name is one text; `stride_side_init` has the kind of a struct beside it.
            let known = function.parameters.len() == 1 || function.name == "stride_side_init";
            assert!(parameter.length.is_some() || !(input || memory) || known, "{name} is a list without a length");
            let Some(length) = &parameter.length else { continue };
            lists += 1;
            let counted = length.split(' ').next_back().unwrap_or("");
            let of_parameter = function.parameters.iter().any(|other| other.name == counted);
            let constant = counted.parse::<u32>().is_ok();
            assert!(of_parameter || constant || length == "1 element", "{name}[{length}]: nobody counts that");
        }
        for named in &function.arrays {
            let known = function.parameters.iter().any(|parameter| &parameter.name == named);
            assert!(known, "{}: `Arrays:` speaks of {named}", function.name);
        }
    }
    assert!(lists > 80, "only {lists} lists were found");
}

/// The argument that an error names is a parameter of the function, or a field of one of its structs.
#[test]
fn arguments_are_the_parameters_by_name() {
    let source = Source::read();
    let names: Vec<&str> = Argument::ALL.iter().skip(1).map(|argument| argument.name()).collect();
    for function in source.functions().filter(|function| function.parameters.iter().any(|p| p.name == "error")) {
        for parameter in function.parameters.iter().filter(|parameter| parameter.name != "error") {
            assert!(names.contains(&parameter.name.as_str()), "{}: no argument {}", function.name, parameter.name);
        }
    }
    let fields = source.structs().flat_map(|s| &s.fields).map(|f| f.name.as_str());
    let parameters = source.functions().flat_map(|function| &function.parameters).map(|p| p.name.as_str());
    let known: Vec<&str> = fields.chain(parameters).collect();
    for name in names {
        assert!(known.contains(&name), "no function has a parameter, no struct a field {name}");
    }
}

#[test]
fn what_may_be_null_says_so() {
    let source = Source::read();
    for function in source.functions() {
        for parameter in function.parameters.iter().filter(|parameter| parameter.is_pointer()) {
            let allowed = parameter.null == Null::Allowed;
            assert!(allowed || parameter.name != "error", "{}: error may be NULL", function.name);
            assert!(allowed || parameter.name != "options", "{}: options may be NULL", function.name);
        }
    }
}
