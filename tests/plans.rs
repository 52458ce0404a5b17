//! Plans that are pinned: what is chosen for each named case of the bench on several machines, as text beside this file.
//! A change of judgement is a diff of these files: `make plans` writes them anew, and a line of `benches/record` says why.

#[path = "../benches/cases/mod.rs"]
mod cases;
mod oracle;

use oracle::{DEFAULTS, Side, bytes_dtype};
use std::fmt::Write;
use std::ptr::null_mut;
use stride::ffi::copy::stride_copy_options;
use stride::ffi::machine::stride_machine;
use stride::ffi::plan::{stride_plan, stride_plan_describe, stride_plan_init};
use stride::machine::{Level, Machine, Tuning};

/// Name and text of each machine that this build has the kernels for: some that go by the rules, and the CPUs that were measured.
fn machines() -> Vec<(&'static str, String)> {
    let by_rules = [
        ("neon_server", "level=neon first=65536 second=1048576 last=33554432"),
        ("avx512_small", "level=avx512 first=32768 second=1048576 last=8388608"),
        ("avx512_zen5", "level=avx512 first=32768 second=1048576 last=33554432"),
        ("avx512_large", "level=avx512 first=49152 second=2097152 last=67108864"),
        ("avx2_laptop", "level=avx2 first=32768 second=524288 last=8388608"),
        ("avx2_server", "level=avx2 first=32768 second=524288 last=33554432"),
        ("ssse3", "level=ssse3 first=32768 second=262144 last=4194304"),
        ("portable", "level=scalar first=32768 second=1048576 last=33554432"),
    ];
    let measured = Machine::measured().map(|(cpu, tuning)| {
        let (name, text) = match cpu {
            "Zen 3" => ("avx2_zen3", "level=avx2 first=32768 second=524288 last=33554432"),
            "Emerald Rapids" => ("avx512_emerald_rapids", "level=avx512 first=32768 second=2097152 last=67108864"),
            "Zen 4" => ("avx512_zen4", "level=avx512 first=32768 second=1048576 last=33554432"),
            _ => panic!("{cpu}: its caches, please"),
        };
        let sizes = Tuning::NAMES.iter().zip(tuning.values()).filter(|(_, size)| *size != 0);
        (name, text.to_owned() + &sizes.map(|(name, size)| format!(" {name}={size}")).collect::<String>())
    });
    let mut machines: Vec<_> =
        by_rules.map(|(name, text)| (name, text.to_owned())).into_iter().chain(measured).collect();
    let word = |text: &str| text.split(['=', ' ']).nth(1).map(str::to_owned);
    let built = |text: &str| {
        Level::ALL.into_iter().any(|level| level.is_built() && word(text).as_deref() == Some(level.word()))
    };
    machines.retain(|(_, text)| built(text));
    assert!(!machines.is_empty());
    machines
}

/// The machine, by the rules where the text has no size, whatever CPU runs this.
fn machine(text: &str) -> stride_machine {
    let rules =
        Tuning::NAMES.iter().filter(|name| !text.contains(&format!(" {name}="))).map(|name| format!(" {name}=0"));
    let text = text.to_owned() + &rules.collect::<String>();
    oracle::machine(&text)
}

fn described(case: &cases::Case, machine: &stride_machine) -> String {
    let (dst, src) = (Side::new(&case.sizes, &case.dst, 0), Side::new(&case.sizes, &case.src, 0));
    let dtype = bytes_dtype(case.width);
    let options = stride_copy_options { machine, ..DEFAULTS };
    let (mut plan, mut text, mut length) = (stride_plan { words: [0; 512] }, vec![0u8; 8192], 0);
    // SAFETY: structs that may be read and written; a buffer of that length.
    let statuses = unsafe {
        [
            stride_plan_init(&mut plan, &dst.layout(dtype), &src.layout(dtype), &options, null_mut()),
            stride_plan_describe(&plan, text.as_mut_ptr().cast(), text.len() as u64, &mut length, null_mut()),
        ]
    };
    assert_eq!(statuses, [0, 0], "{case:?}");
    text.truncate(length as usize);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_choices_for_named_cases_are_the_pinned_ones() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plans");
    for (name, text) in machines() {
        let machine = machine(&text);
        let mut now = format!("# Plans of the named cases on this machine: {text}\n# Written by `make plans`.\n");
        let mut kind = "";
        for case in cases::up_to(usize::MAX) {
            if case.kind != kind {
                kind = case.kind;
                writeln!(now, "\n{kind}").unwrap();
            }
            writeln!(now, "{}: {}", case.name, described(&case, &machine)).unwrap();
        }
        let file = folder.join(format!("{name}.txt"));
        if std::env::var_os("STRIDE_WRITE_PLANS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &now).unwrap();
        }
        let pinned = std::fs::read_to_string(&file).unwrap();
        for (now, pinned) in now.lines().zip(pinned.lines()) {
            assert_eq!(now, pinned, "{name}: `make plans` writes what is chosen now");
        }
        assert_eq!(now.len(), pinned.len(), "{name}");
    }
}

/// The list of rules in docs/ARCHITECTURE.md is what the rules say of themselves: what stands behind `Rule:` in their docs, in the
/// order of the files, with "anything else" last.
#[test]
fn the_page_has_the_rules() {
    let sources = [include_str!("../src/copy/choose/rules.rs"), include_str!("../src/copy/choose/transposed.rs")];
    let mut rules = Vec::new();
    for line in sources.iter().flat_map(|source| source.lines()) {
        match (line.strip_prefix("/// Rule: "), line.strip_prefix("/// ")) {
            (Some(begin), _) => rules.push((begin.to_owned(), true)),
            (_, Some(more)) if rules.last().is_some_and(|(_, open)| *open) => {
                let (rule, _) = rules.last_mut().unwrap();
                *rule = format!("{rule} {more}");
            }
            _ => rules.iter_mut().for_each(|(_, open)| *open = false),
        }
    }
    let mut rules: Vec<String> = rules.into_iter().map(|(rule, _)| rule).collect();
    let last = rules.iter().position(|rule| rule.starts_with("anything else")).unwrap();
    let last = rules.remove(last);
    rules.push(last);
    assert!(rules.len() >= 9, "{rules:?}");
    let list: String = rules.iter().map(|rule| format!("   * {rule}\n")).collect();

    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ARCHITECTURE.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once("<!-- rules: `make plans` -->\n").unwrap();
    let (found, after) = rest.split_once("   <!-- /rules -->").unwrap();
    if std::env::var_os("STRIDE_WRITE_PLANS").is_some() {
        let new = format!("{before}<!-- rules: `make plans` -->\n{list}   <!-- /rules -->{after}");
        std::fs::write(&page, new).unwrap();
        return;
    }
    assert_eq!(found, list, "`make plans` writes what the rules say now");
}

/// No size is unmeasured: each that a machine names has a sweep.
#[test]
fn every_size_has_a_sweep() {
    let sweeps = include_str!("../benches/tune.c");
    for name in Tuning::NAMES {
        assert!(sweeps.contains(&format!("{{\"{name}\", offsetof(stride_machine, {name}),")), "{name}");
    }
}
