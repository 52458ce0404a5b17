//! The examples at the head of each section are programs: compiled with warnings as errors, linked and run.

use super::freestanding;
use super::source::Source;
use std::path::Path;

/// The lines after `Example:`.
fn example_of(banner: &[String]) -> Vec<&str> {
    let begin = banner.iter().position(|line| line.starts_with("Example: "));
    let after = banner.iter().skip(begin.map_or(banner.len(), |begin| begin + 1));
    after.skip_while(|line| line.is_empty()).map_while(|line| line.strip_prefix("  ")).collect()
}

#[test]
fn the_example_of_every_section_compiles_and_holds() {
    let source = Source::read();
    let mut program = String::from(
        "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n#include \"stride_xla.h\"\n#include \"stride_interop.h\"\n\n",
    );
    let mut main = String::from("int main(void) {\n");
    for section in &source.sections {
        let lines = example_of(&section.banner);
        assert!((3..=7).contains(&lines.len()), "{}: {} lines of example", section.name, lines.len());
        assert!(lines.iter().any(|line| line.contains("assert(")), "{}: asserts nothing", section.name);
        let name = &section.name;
        program += &format!("static void example_{name}(void) {{\n  {}\n}}\n\n", lines.join("\n  "));
        main += &format!("  example_{name}();\n");
    }
    program += &format!("{main}  puts(\"{} examples hold\");\n  return 0;\n}}\n", source.sections.len());
    let Some(library) = freestanding::library() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("header");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("examples.c");
    std::fs::write(&file, program).expect("the examples");
    let binary = freestanding::program(&folder, "examples");
    let mut compiler = freestanding::compiler("c99", true);
    if !freestanding::msvc() {
        compiler.arg("-Wno-unused-but-set-variable"); // options for a copy that is not shown
    }
    freestanding::make(compiler.arg(&file).arg(&library.archive), &binary);
    freestanding::run(&binary, library);
}
