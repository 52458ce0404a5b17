//! The manual's own examples, and edge cases beside them: each `$ stride …` of a code block prints what stands below
//! it. `…` stands for what differs between machines; a last line `[exit 2]` is the exit code, 0 where there is none.

use std::path::Path;
use std::process::Command;

/// Whether the text is the pattern, in which `…` is any text within a line.
fn matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('…');
    let Some(mut rest) = text.strip_prefix(pieces.next().unwrap_or("")) else { return false };
    let mut pieces: Vec<_> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

fn run(line: &str) -> String {
    let words = shlex::split(line).expect("a line that a shell takes");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let done = Command::new(env!("CARGO_BIN_EXE_stride")).args(&words[1..]).current_dir(manifest.join("..")).output();
    let done = done.expect("the tool runs");
    let mut out = String::from_utf8(done.stdout).expect("UTF-8") + std::str::from_utf8(&done.stderr).expect("UTF-8");
    if !done.status.success() {
        out += &format!("[exit {}]\n", done.status.code().expect("it ended by itself"));
    }
    out
}

fn check(file: &str) -> usize {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("the file is here");
    let (mut ran, mut block, mut answers, mut wrong) = (0, false, false, Vec::new());
    let mut calls: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            (block, answers) = (!block, false);
        } else if let (true, Some(call)) = (block, line.strip_prefix("$ ")) {
            answers = call.starts_with("stride ");
            if answers {
                calls.push((call, String::new()));
            }
        } else if let (true, Some((_, expected))) = (answers, calls.last_mut()) {
            expected.push_str(line);
            expected.push('\n');
        }
    }
    // A call without an answer shows the way only.
    for (call, expected) in calls.into_iter().filter(|(_, expected)| !expected.is_empty()) {
        let found = run(call);
        ran += 1;
        // Blank lines at the end separate examples.
        let (left, right): (Vec<_>, Vec<_>) =
            (expected.trim_end().lines().collect(), found.trim_end().lines().collect());
        let same =
            left.len() == right.len() && left.iter().zip(&right).all(|(l, r)| matches(l.trim_end(), r.trim_end()));
        if !same {
            wrong.push(format!("$ {call}\n{}", found.trim_end()));
        }
    }
    assert!(wrong.is_empty(), "{file} says something else:\n\n{}\n", wrong.join("\n\n"));
    ran
}

#[test]
fn the_manual() {
    assert!(check("../docs/TOOL.md") >= 10);
    assert!(check("../README.md") >= 2);
}

#[test]
fn edge_cases() {
    assert!(check("tests/transcripts.md") >= 20);
}

/// The first bracket or brace of a line that a shell would read as a pattern or a list.
fn unquoted(line: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match quote {
            Some(open) if open == letter => quote = None,
            None if matches!(letter, '\'' | '"') => quote = Some(letter),
            None if matches!(letter, '[' | '{') => return Some(at),
            _ => {}
        }
    }
    None
}

fn markdown(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            markdown(&entry, found);
        } else if entry.extension().is_some_and(|end| end == "md") {
            found.push(entry);
        }
    }
}

/// zsh refuses `f32[2,3,4]`, any shell takes a file `f322` for it, and bash makes two words of `{0,1}`.
#[test]
fn examples_are_quoted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = vec![root.join("README.md"), root.join("cli/tests/transcripts.md")];
    markdown(&root.join("docs"), &mut files);
    let mut examples = 0;
    for file in files {
        let (text, mut block) = (std::fs::read_to_string(&file).expect("the file is here"), false);
        for (number, line) in text.lines().enumerate() {
            block ^= line.starts_with("```");
            let call = line.strip_prefix("$ ").unwrap_or(line);
            // A comment after it is no part of it.
            let call = call.split_once(" #").map_or(call, |(call, _)| call);
            if block && call.starts_with("stride ") {
                examples += 1;
                assert_eq!(unquoted(call), None, "{}:{}: {line}", file.display(), number + 1);
            }
        }
    }
    assert!(examples > 60, "{examples}");
    let help = run("stride --help");
    let (_, tensors) = help.split_once("A TENSOR is one of\n").expect("it says what a tensor is");
    let (tensors, _) = tensors.split_once("\nQuote").expect("and that it is quoted");
    assert!(tensors.contains("'f32[2,3]:1,2'"));
    assert!(tensors.lines().all(|line| unquoted(line).is_none()), "{tensors}");
}

#[test]
fn what_a_pattern_matches() {
    assert!(matches("a … c", "a b c") && matches("…", "x") && matches("ab", "ab"));
    assert!(!matches("a … c", "a b d") && !matches("ab", "abc") && !matches("a…a", "a"));
}
