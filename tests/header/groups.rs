//! Constants in groups, the parameters that take each group, and the statuses that a function may return.

use super::source::{Constant, Function, Source};
use std::collections::BTreeSet;
use stride::error::Status;

/// Groups of constants by their prefix; `flags` are added up. Of two prefixes that fit the longer one counts.
pub const GROUPS: [(&str, &str); 23] = [
    ("STRIDE_ARGUMENT_", "enum"),
    ("STRIDE_CONSUMER_", "enum"),
    ("STRIDE_CONVERT_", "flags"),
    ("STRIDE_COPY_", "flags"),
    ("STRIDE_COPY_KIND_", "enum"),
    ("STRIDE_CPU_LEVEL_", "enum"),
    ("STRIDE_DETAIL_", "enum"),
    ("STRIDE_DL_FLAG_", "flags"),
    ("STRIDE_DML_TENSOR_DATA_TYPE_", "enum"),
    ("STRIDE_DML_TENSOR_FLAG_", "flags"),
    ("STRIDE_DTYPE_", "enum"),
    ("STRIDE_FORMAT_", "flags"),
    ("STRIDE_FOURCC_", "enum"),
    ("STRIDE_REGION_", "flags"),
    ("STRIDE_REGION_API_", "enum"),
    ("STRIDE_REQUIRE_", "flags"),
    ("STRIDE_SIDE_", "enum"),
    ("STRIDE_SIZE_ONE_", "enum"),
    ("STRIDE_STATUS_", "enum"),
    ("STRIDE_XLA_BITCAST_", "enum"),
    ("STRIDE_XLA_IGNORE_", "flags"),
    ("STRIDE_XLA_PADDING_", "enum"),
    ("STRIDE_XLA_SHAPE_", "flags"),
];

/// The group that a parameter or field takes: the function or struct, or "" for all, and the name.
const TAKEN: [(&str, &str, &str); 32] = [
    ("", "api", "STRIDE_REGION_API_"),
    ("", "consumer", "STRIDE_CONSUMER_"),
    ("", "cpu_level", "STRIDE_CPU_LEVEL_"),
    ("", "data_type", "STRIDE_DML_TENSOR_DATA_TYPE_"),
    ("", "dtype", "STRIDE_DTYPE_"),
    ("", "formats", "STRIDE_FORMAT_"),
    ("", "fourcc", "STRIDE_FOURCC_"),
    ("", "padding_kind", "STRIDE_XLA_PADDING_"),
    ("", "rule", "STRIDE_SIZE_ONE_"),
    ("", "status", "STRIDE_STATUS_"),
    ("stride_error", "argument", "STRIDE_ARGUMENT_"),
    ("stride_error", "detail", "STRIDE_DETAIL_"),
    ("stride_side", "kind", "STRIDE_SIDE_"),
    ("stride_side_init", "kind", "STRIDE_SIDE_"),
    ("stride_copy_classify", "kind", "STRIDE_COPY_KIND_"),
    ("stride_plan_facts", "kind", "STRIDE_COPY_KIND_"),
    ("stride_xla_shape_set_padding", "kind", "STRIDE_XLA_PADDING_"),
    ("stride_xla_bitcast_decompose", "kind", "STRIDE_XLA_BITCAST_"),
    ("stride_conversion", "flags", "STRIDE_CONVERT_"),
    ("stride_copy_options", "flags", "STRIDE_COPY_"),
    ("stride_plan_facts", "flags", "STRIDE_COPY_"),
    ("stride_layout_classify", "flags", "STRIDE_FORMAT_"),
    ("stride_region_rules", "flags", "STRIDE_REGION_"),
    ("stride_requirements", "flags", "STRIDE_REQUIRE_"),
    ("stride_dml_buffer_tensor_desc", "flags", "STRIDE_DML_TENSOR_FLAG_"),
    ("stride_xla_shape", "flags", "STRIDE_XLA_SHAPE_"),
    ("stride_xla_shapes_equal", "flags", "STRIDE_XLA_IGNORE_"),
    ("stride_dl_managed_tensor_versioned", "flags", "STRIDE_DL_FLAG_"),
    ("stride_dtype_parse", "out", "STRIDE_DTYPE_"),
    ("stride_dtype_from_bytes", "out", "STRIDE_DTYPE_"),
    ("stride_dtype_from_typestr", "out", "STRIDE_DTYPE_"),
    ("stride_dtype_from_ggml", "out", "STRIDE_DTYPE_"),
];

/// The group of a constant, if it has one. A maximum (_MAX_) has none.
pub fn group_of(constant: &Constant) -> Option<&'static str> {
    let limit = constant.name.contains("_MAX_");
    let fits = GROUPS.iter().filter(|(prefix, _)| !limit && constant.name.starts_with(prefix));
    fits.map(|&(prefix, _)| prefix).max_by_key(|prefix| prefix.len())
}

/// The group of constants that a parameter of a function, or a field of a struct, takes.
pub fn taken_by(owner: &str, name: &str) -> Option<&'static str> {
    let fits = |&&(of, taker, _): &&(&str, &str, &str)| (of.is_empty() || of == owner) && taker == name;
    TAKEN.iter().find(fits).map(|&(.., group)| group)
}

/// The statuses of a struct that is not valid.
fn of_struct(kind: &str) -> &'static [Status] {
    use Status::*;
    match kind {
        "stride_layout" => &[InvalidDtype, InvalidRank, InvalidSize, Overflow],
        "stride_xla_shape" | "stride_blocked" => {
            &[InvalidArgument, InvalidDtype, InvalidRank, InvalidSize, InvalidAxes, InvalidTile, Overflow, Unsupported]
        }
        "stride_copy_options"
        | "stride_machine"
        | "stride_plan"
        | "stride_requirements"
        | "stride_runs"
        | "stride_side" => &[InvalidArgument],
        _ => &[],
    }
}

/// All statuses that a function may return: those that its documentation names, those of the functions named there, and
/// those of the rules for all functions.
pub fn statuses(source: &Source, function: &Function) -> Vec<Status> {
    let mut found: BTreeSet<i32> = BTreeSet::new();
    let mut waiting = vec![function.name.clone()];
    let mut seen = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        let Some(of) = source.functions().find(|of| of.name == name) else { continue };
        if !seen.insert(name) {
            continue;
        }
        for parameter in &of.parameters {
            found.extend(of_struct(&parameter.element).iter().map(|status| status.number()));
            if parameter.is_pointer() && parameter.name != "error" {
                found.insert(Status::NullPointer.number());
            }
            match parameter.name.as_str() {
                "rank" | "count" | "dimension_count" | "out_rank" | "ranks" => {
                    found.insert(Status::InvalidRank.number())
                }
                "dtype" => found.insert(Status::InvalidDtype.number()),
                _ => false,
            };
        }
        let text = of.doc.split("Returns: ").nth(1).and_then(|text| text.split("\n\n").next()).unwrap_or("");
        let text = text.replace('\n', " ");
        let words = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        for word in text.split(words) {
            found.extend(Status::ALL.iter().filter(|status| status.name() == word).map(|status| status.number()));
            if word.starts_with("stride_") && text.contains(&format!("as `{word}`")) {
                waiting.push(word.to_owned());
            }
        }
    }
    found.insert(Status::Ok.number());
    found.into_iter().filter_map(Status::from_number).collect()
}

#[test]
fn every_group_has_a_taker_and_every_taker_a_group() {
    let source = Source::read();
    let constants = || source.sections.iter().flat_map(|section| &section.constants);
    for (prefix, _) in GROUPS {
        assert!(constants().any(|constant| group_of(constant) == Some(prefix)), "{prefix} has no constant");
        assert!(TAKEN.iter().any(|&(.., group)| group == prefix), "nothing takes {prefix}");
    }
    let functions = source.functions().flat_map(|of| of.parameters.iter().map(|p| (of.name.clone(), p.name.clone())));
    let fields = source.structs().flat_map(|of| of.fields.iter().map(|field| (of.name.clone(), field.name.clone())));
    let known: Vec<(String, String)> = functions.chain(fields).collect();
    for (owner, name, group) in TAKEN {
        let exists = known.iter().any(|(of, taker)| (owner.is_empty() || of == owner) && taker == name);
        assert!(exists && GROUPS.iter().any(|(prefix, _)| *prefix == group), "{owner} {name}");
    }
    // What is documented as "STRIDE_X_..." is linked to it.
    for of in source.structs() {
        for field in &of.fields {
            let named = field.doc.split_whitespace().next().and_then(|word| word.strip_suffix("..."));
            if let Some(prefix) = named.filter(|word| word.starts_with("STRIDE_")) {
                assert_eq!(taken_by(&of.name, &field.name), Some(prefix), "{}.{}", of.name, field.name);
            }
        }
    }
}
