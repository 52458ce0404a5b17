//! `include/stride.json`: the headers as data, for generators of bindings. Its `legend` explains its words.

use super::groups::{GROUPS, group_of, statuses, taken_by};
use super::source::{Constant, Direction, Function, Null, Parameter, Section, Source, Struct};
use serde_json::{Map, Value, json};

pub fn describe(source: &Source) -> String {
    let functions: Vec<Value> = source
        .sections
        .iter()
        .flat_map(|section| section.functions.iter().map(move |of| function(source, section, of)))
        .collect();
    let headers: Vec<Value> = source.headers().into_iter().map(|name| header(source, name)).collect();
    let whole = json!({
        "library": "stride",
        "format": 2,
        "legend": legend(),
        "version": env!("CARGO_PKG_VERSION"),
        "abi_version": stride::ffi::version::stride_abi_version(),
        "headers": headers,
        "types": [{
            "name": "stride_status",
            "type": "int32_t",
            "group": "STRIDE_STATUS_",
            "doc": "The status that a function returns: one of the STRIDE_STATUS_ values.",
        }],
        "groups": GROUPS.map(|(name, kind)| json!({"name": name, "kind": kind, "type": type_of(source, name)})),
        "constants": source.sections.iter().flat_map(|section| &section.constants).map(constant).collect::<Vec<_>>(),
        "structs": source.structs().map(|of| structure(source, of)).collect::<Vec<_>>(),
        "functions": functions,
    });
    serde_json::to_string_pretty(&whole).expect("JSON") + "\n"
}

/// The meaning of the description's words, for generators.
fn legend() -> Value {
    json!({
        "size, align, offset": "bytes by data model: 64 (pointers of 8 bytes), 32 (of 4; int64_t aligned to 8: ARM, \
            Windows, WebAssembly), i386 (of 4; int64_t aligned to 4: Linux)",
        "direction": "in, out or inout; of void * and char *, that of the bytes",
        "length": "the entries of a pointer: a parameter's name, a number, or words (`sum of ranks`, `1 element`); \
            absent: one",
        "null": "never, if_empty (where there are no entries, or nothing is reached) or allowed",
        "written": "when an output is written: on_ok, on_failure (records) or always (the buffer of \
            stride_error_format); copy nothing back otherwise",
        "group": "the constants that go there, by their prefix: an enum, of which it is one, or flags, which are added \
            up. A field may be wider than the group's type",
        "statuses": "all that a function may return",
    })
}

/// The type of a group's constants.
fn type_of(source: &Source, group: &str) -> String {
    let mut constants = source.sections.iter().flat_map(|section| &section.constants);
    let first = constants.find(|constant| group_of(constant) == Some(group));
    first.expect("a group with constants").kind.clone()
}

fn header(source: &Source, name: &str) -> Value {
    let sections = source.sections.iter().filter(|section| section.header == name);
    let sections: Vec<Value> = sections
        .map(|section| json!({"title": section.banner[0], "doc": section.banner[1..].join("\n").trim()}))
        .collect();
    json!({"name": name, "sections": sections})
}

fn constant(of: &Constant) -> Value {
    let value = i64::try_from(of.value).expect("a number of 64 bits");
    let mut described = json!({"name": of.name, "type": of.kind, "value": value});
    if let Some(group) = group_of(of) {
        described["group"] = group.into();
    }
    described["doc"] = of.doc.clone().into();
    described
}

/// Data models: the key, bytes of a pointer, alignment of eight bytes.
const MODELS: [(&str, u64, u64); 3] = [("64", 8, 8), ("32", 4, 8), ("i386", 4, 4)];

/// Offsets of the fields of a struct in a data model, its size and its alignment.
fn placed(source: &Source, of: &Struct, model: (&str, u64, u64)) -> (Vec<u64>, u64, u64) {
    let (_, pointer, eight) = model;
    let (mut offsets, mut end, mut align) = (Vec::new(), 0u64, 1u64);
    for field in &of.fields {
        let (bytes, own) = match field.kind.as_str() {
            "uint8_t" => (1, 1),
            "uint16_t" => (2, 2),
            "int32_t" | "uint32_t" => (4, 4),
            "int64_t" | "uint64_t" | "double" => (8, eight),
            kind if kind.ends_with('*') || kind == "ptrdiff_t" => (pointer, pointer),
            kind => {
                let inner = source.structs().find(|inner| inner.name == kind);
                let inner = inner.unwrap_or_else(|| panic!("{}.{}: what is a {kind}?", of.name, field.name));
                let (_, size, align) = placed(source, inner, model);
                (size, align)
            }
        };
        offsets.push(end.next_multiple_of(own));
        end = end.next_multiple_of(own) + bytes * field.entries.unwrap_or(1);
        align = align.max(own);
    }
    (offsets, end.next_multiple_of(align), align)
}

fn structure(source: &Source, of: &Struct) -> Value {
    let (mut offsets, mut sizes, mut aligns) = (vec![Map::new(); of.fields.len()], Map::new(), Map::new());
    for model in MODELS {
        let (found, size, align) = placed(source, of, model);
        for (offsets, found) in offsets.iter_mut().zip(found) {
            offsets.insert(model.0.to_owned(), found.into());
        }
        sizes.insert(model.0.to_owned(), size.into());
        aligns.insert(model.0.to_owned(), align.into());
    }
    let field = |(field, offset): (&super::source::Field, Map<String, Value>)| {
        let mut value = json!({"name": field.name, "type": field.kind});
        if let Some(entries) = field.entries {
            value["entries"] = entries.into();
        }
        if let Some(group) = taken_by(&of.name, &field.name) {
            value["group"] = group.into();
        }
        value["offset"] = Value::Object(offset);
        value["doc"] = field.doc.clone().into();
        value
    };
    let fields: Vec<Value> = of.fields.iter().zip(offsets).map(field).collect();
    json!({"name": of.name, "size": sizes, "align": aligns, "fields": fields, "doc": of.doc})
}

fn function(source: &Source, section: &Section, of: &Function) -> Value {
    let parameters: Vec<Value> = of.parameters.iter().map(|each| parameter(of, each)).collect();
    let mut described = json!({
        "name": of.name,
        "header": section.header,
        "section": section.banner[0],
        "returns": of.returns,
    });
    if of.returns == "stride_status" {
        let names = statuses(source, of).into_iter().map(|status| format!("STRIDE_STATUS_{}", status.name()));
        described["statuses"] = names.collect::<Vec<_>>().into();
    }
    described["parameters"] = parameters.into();
    described["doc"] = of.doc.clone().into();
    described
}

fn parameter(function: &Function, of: &Parameter) -> Value {
    let mut value = json!({"name": of.name, "type": of.kind});
    if let Some(group) = taken_by(&function.name, &of.name) {
        value["group"] = group.into();
    }
    if of.is_pointer() {
        value["direction"] = match of.direction {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "inout",
        }
        .into();
        if let Some(length) = &of.length {
            value["length"] = length.clone().into();
        }
        if of.direction != Direction::In {
            let sentence = function.name == "stride_error_format" && of.name != "error";
            value["written"] = match of.name.as_str() {
                _ if sentence => "always",
                "error" => "on_failure",
                _ => "on_ok",
            }
            .into();
        }
        value["null"] = match of.null {
            Null::Never => "never",
            Null::IfEmpty => "if_empty",
            Null::Allowed => "allowed",
        }
        .into();
    }
    value
}

#[test]
fn sizes_are_those_of_the_compiler() {
    use stride::ffi::{
        blocked_layout, conversion, copy, dlpack, dml, facts, layout, machine, plan, plan_facts, py_buffer, regions,
        requirements, runs, sides, status, xla,
    };
    let whole: Value = serde_json::from_str(&describe(&Source::read())).expect("JSON");
    let model = match (size_of::<usize>(), align_of::<u64>()) {
        (8, _) => "64",
        (_, 8) => "32",
        _ => "i386",
    };
    let known = [
        ("stride_error", size_of::<status::stride_error>()),
        ("stride_layout", size_of::<layout::stride_layout>()),
        ("stride_dml_buffer_tensor_desc", size_of::<dml::stride_dml_buffer_tensor_desc>()),
        ("stride_layout_facts", size_of::<facts::stride_layout_facts>()),
        ("stride_machine", size_of::<machine::stride_machine>()),
        ("stride_conversion", size_of::<conversion::stride_conversion>()),
        ("stride_copy_options", size_of::<copy::stride_copy_options>()),
        ("stride_requirements", size_of::<requirements::stride_requirements>()),
        ("stride_plan", size_of::<plan::stride_plan>()),
        ("stride_runs", size_of::<runs::stride_runs>()),
        ("stride_index_run", size_of::<sides::stride_index_run>()),
        ("stride_side_runs", size_of::<sides::stride_side_runs>()),
        ("stride_side", size_of::<sides::stride_side>()),
        ("stride_plan_facts", size_of::<plan_facts::stride_plan_facts>()),
        ("stride_region", size_of::<regions::stride_region>()),
        ("stride_region_rules", size_of::<regions::stride_region_rules>()),
        ("stride_xla_shape", size_of::<xla::stride_xla_shape>()),
        ("stride_blocked", size_of::<blocked_layout::stride_blocked>()),
        ("stride_dl_tensor", size_of::<dlpack::stride_dl_tensor>()),
        ("stride_dl_managed_tensor_versioned", size_of::<dlpack::stride_dl_managed_tensor_versioned>()),
        ("stride_py_buffer", size_of::<py_buffer::stride_py_buffer>()),
        ("stride_image", size_of::<stride::ffi::images::stride_image>()),
    ];
    let structs = whole["structs"].as_array().expect("structs");
    assert_eq!(structs.len(), known.len(), "a struct that this test does not know");
    for of in structs {
        let (_, size) = known.iter().find(|(name, _)| of["name"] == *name).expect("a known struct");
        assert_eq!(of["size"][model], *size as u64, "{}", of["name"]);
    }
    let desc = structs.iter().find(|of| of["name"] == "stride_dml_buffer_tensor_desc").expect("the descriptor");
    // DirectML.h on 64-bit Windows, 32-bit Windows; i386 as gcc has it.
    assert_eq!(desc["size"], json!({"64": 48, "32": 40, "i386": 32}));
    assert_eq!(desc["fields"][5]["offset"], json!({"64": 32, "32": 24, "i386": 20}));
}
