//! `stride bench`, as it is called.

use serde_json::Value;
use std::process::{Command, Output};

fn stride(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stride")).args(arguments).output().expect("the tool runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

const KINDS: [&str; 14] = [
    "pixels-to-planes",
    "planes-to-pixels",
    "nhwc-to-nchw",
    "nchw-to-nhwc",
    "transpose-1",
    "transpose-2",
    "transpose-4",
    "transpose-8",
    "padded-rows",
    "crop",
    "reversed-rows",
    "blocked",
    "tiles",
    "byte-swap",
];

#[test]
fn figures_of_all_kinds_as_json() {
    let output = stride(&["bench", "--megabytes", "0.0625,0.5", "--milliseconds", "1", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("nothing but JSON");
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert!(report["cpu"].as_str().is_some_and(|cpu| !cpu.is_empty()));
    let copies = report["copies"].as_array().expect("copies");
    let kinds: Vec<&str> = copies.iter().step_by(2).map(|copy| copy["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, KINDS);
    for copy in copies {
        let number = |name: &str| copy[name].as_f64().unwrap_or_else(|| panic!("{name} of {copy}"));
        assert!(number("ratio") > 0.0 && number("median_ratio") > 0.0, "{copy}");
        let ratio = number("memcpy_nanoseconds") / number("nanoseconds");
        assert!((ratio - number("ratio")).abs() < 1e-9 * ratio, "{copy}");
        assert!(copy["kernel"].as_str().is_some_and(|kernel| kernel.contains('(')), "{copy}");
    }
}

#[test]
fn a_table_and_a_chart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chart.svg");
    let svg = path.to_str().unwrap();
    let output =
        stride(&["bench", "--kinds", "crop,byte-swap", "--megabytes", "0.1", "--milliseconds", "1", "--svg", svg]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[0].ends_with(concat!("libstride ", env!("CARGO_PKG_VERSION"), ", 1 thread")), "{}", lines[0]);
    assert!(lines[2].starts_with("crop ") && lines[3].starts_with("byte-swap "), "{lines:?}");
    let chart = std::fs::read_to_string(path).unwrap();
    assert_eq!(chart.matches("class=\"bar\"").count(), 2, "{chart}");
    assert_eq!(chart.matches("class=\"memcpy\"").count(), 1, "{chart}");
    assert!(chart.contains("prefers-color-scheme:dark") && chart.ends_with("</svg>\n"));
}

#[test]
fn what_is_wrong_is_told() {
    for (arguments, code, sentence) in [
        (&["bench", "--kinds", "crops"][..], 2, "`crops` is no kind; there are pixels-to-planes, "),
        (&["bench", "--megabytes", "0"], 2, "the smallest"),
        (&["bench", "--megabytes", "1e9"], 2, "at most 4096 MiB"),
        (&["bench", "--threads", "0"], 2, "--threads"),
    ] {
        let output = stride(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(text(&output.stderr).contains(sentence), "{arguments:?}: {}", text(&output.stderr));
    }
    let missing = ["bench", "--kinds", "crop", "--megabytes", "0.1", "--milliseconds", "1", "--svg", "/missing/x.svg"];
    assert_eq!(stride(&missing).status.code(), Some(3));
}
