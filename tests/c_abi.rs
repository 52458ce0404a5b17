//! The library as C and C++ see it: the shipped library is built, and every program of `c_tests` runs against it.
//!
//! The library under test is the freestanding one that `make lib` makes, as an archive and as a shared library. Each C
//! program is linked with both. `STRIDE_C_RUNNER` is a command put before every program, such as
//! `valgrind -q --error-exitcode=99 --leak-check=full`; with one that runs programs of another system
//! `STRIDE_C_TARGET` names that system.
#![cfg(not(miri))] // builds and runs C programs

mod freestanding;

use freestanding::{
    Library, apple, compiler, elf, has_library, library, make, msvc, program, run, skipped, text_of, windows,
};
use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSymbol as _};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Struct sizes and field offsets; `c_tests/test_abi.c` holds the same numbers.
mod abi {
    use core::mem::{align_of, offset_of, size_of};
    use static_assertions::const_assert_eq;
    use stride::error::{Argument, Status};
    use stride::ffi::blocked_layout::stride_blocked;
    use stride::ffi::conversion::stride_conversion;
    use stride::ffi::copy::stride_copy_options;
    use stride::ffi::dlpack::{stride_dl_managed_tensor_versioned, stride_dl_tensor};
    use stride::ffi::dml::stride_dml_buffer_tensor_desc;
    use stride::ffi::facts::stride_layout_facts;
    use stride::ffi::images::stride_image;
    use stride::ffi::layout::{STRIDE_MAX_RANK, stride_layout};
    use stride::ffi::machine::stride_machine;
    use stride::ffi::plan::stride_plan;
    use stride::ffi::plan_facts::{STRIDE_COPY_KIND_TILED, stride_plan_facts};
    use stride::ffi::py_buffer::stride_py_buffer;
    use stride::ffi::regions::{stride_region, stride_region_rules};
    use stride::ffi::requirements::{STRIDE_CONSUMER_OPENGL, STRIDE_REQUIRE_PITCH_IN_TEXELS, stride_requirements};
    use stride::ffi::runs::{STRIDE_RUNS_MAX_OPERANDS, stride_runs};
    use stride::ffi::sides::{STRIDE_MAX_ALONG, stride_index_run, stride_side, stride_side_runs};
    use stride::ffi::status::{stride_error, stride_status};
    use stride::ffi::xla::{STRIDE_XLA_MAX_TILES, stride_xla_shape};
    use stride::ffi::{copy, dml, dtype, query};
    use stride::model::Dtype;

    /// What int64_t is aligned to.
    const EIGHT: usize = if cfg!(all(target_arch = "x86", not(windows))) { 4 } else { 8 };

    /// Of a pointer.
    const POINTER: usize = size_of::<usize>();

    macro_rules! layout {
        ($type:ident: size $size:expr, align $align:expr $(, $field:ident at $offset:expr)*) => {
            const_assert_eq!(size_of::<$type>(), $size);
            const_assert_eq!(align_of::<$type>(), $align);
            $(const_assert_eq!(offset_of!($type, $field), $offset);)*
        };
    }

    const_assert_eq!(size_of::<stride_status>(), 4);
    layout!(stride_error: size 64, align EIGHT, status at 0, argument at 4, dimension at 8, item at 12, position at 16,
        lhs at 24, rhs at 32, detail at 40, reserved at 48);
    layout!(stride_layout: size 1040, align EIGHT, dtype at 0, rank at 4, offset at 8, sizes at 16, strides at 528);
    #[cfg(target_pointer_width = "64")]
    layout!(stride_dml_buffer_tensor_desc: size 48, align 8, data_type at 0, flags at 4, dimension_count at 8,
        sizes at 16, strides at 24, total_tensor_size_in_bytes at 32, guaranteed_base_offset_alignment at 40);
    // DirectML.h on 32-bit Windows, and wherever int64_t is aligned to 8 bytes; i386 on Linux aligns it to 4.
    #[cfg(all(target_pointer_width = "32", not(all(target_arch = "x86", not(windows)))))]
    layout!(stride_dml_buffer_tensor_desc: size 40, align 8, data_type at 0, flags at 4, dimension_count at 8,
        sizes at 12, strides at 16, total_tensor_size_in_bytes at 24, guaranteed_base_offset_alignment at 32);
    #[cfg(all(target_arch = "x86", not(windows)))]
    layout!(stride_dml_buffer_tensor_desc: size 32, align 4, data_type at 0, flags at 4, dimension_count at 8,
        sizes at 12, strides at 16, total_tensor_size_in_bytes at 20, guaranteed_base_offset_alignment at 28);
    layout!(stride_xla_shape: size 2128, align EIGHT, dtype at 0, rank at 4, element_bits at 8, padding_kind at 12,
        tile_count at 16, flags at 20, tail_alignment at 24, memory_space at 32, dynamic_dimensions at 40,
        sizes at 48, minor_to_major at 560, padded_sizes at 1072, tile_sizes at 1584, tile_ranks at 2096);
    layout!(stride_blocked: size 2064, align EIGHT, dtype at 0, rank at 4, block_count at 8, flags at 12, sizes at 16,
        block_dims at 528, block_steps at 1040, block_sizes at 1552);
    layout!(stride_conversion: size 40 + 4 * POINTER, align EIGHT, struct_size at 0, flags at 4, subtract at 8, scale at 16,
        add at 24, values at 32, subtracts at 32 + POINTER, scales at 32 + 2 * POINTER, adds at 32 + 3 * POINTER,
        value_count at 32 + 4 * POINTER);
    layout!(stride_copy_options: size (48 + 3 * POINTER).next_multiple_of(EIGHT), align EIGHT, struct_size at 0, flags at 4, cpu_level at 8,
        reserved at 12, overlap_budget at 16, fill at 24, machine at 40, scratch at 40 + POINTER,
        scratch_bytes at 40 + 2 * POINTER, conversion at 48 + 2 * POINTER);
    layout!(stride_index_run: size 24, align EIGHT, first at 0, step at 8, count at 16);
    layout!(stride_side_runs: size 8 + POINTER, align POINTER, runs at 0, dimension at POINTER, count at 4 + POINTER);
    layout!(stride_side: size 32 + 2 * POINTER + 8 * (8 + POINTER), align EIGHT, struct_size at 0, kind at 4,
        range_first at 8, range_count at 16, along_count at 24, reserved at 28, of at 32,
        reserved_pointer at 32 + POINTER, along at 32 + 2 * POINTER);
    layout!(stride_machine: size 112, align EIGHT, struct_size at 0, cpu_level at 4, first_cache_bytes at 8,
        second_cache_bytes at 16, last_cache_bytes at 24, measured at 32);
    layout!(stride_layout_facts: size 80, align EIGHT, struct_size at 0, formats at 4, element_count at 8, lowest at 16,
        highest at 24, min_bytes at 32, packed_bytes at 40, element_bits at 48, run_dimensions at 52, run_elements at 56,
        element_alignment at 64, row_alignment at 72);
    layout!(stride_requirements: size 104, align EIGHT, struct_size at 0, flags at 4, rank_min at 8, rank_max at 12,
        size_min at 16, size_max at 24, dtypes at 32, element_bits at 40, base_alignment at 44, row_alignment at 48,
        outer_alignment at 52, exact_from at 56, total_alignment at 60, stride_bytes_max at 64, bytes_max at 72,
        elements_max at 80, reach_max at 88, texel_dimensions at 96, element_bits_by_three at 100);
    layout!(stride_image: size 112, align EIGHT, struct_size at 0, fourcc at 4, width at 8, height at 16,
        pitch_alignment at 24, height_alignment at 32, pitch_count at 40, offset_count at 44, pitches at 48,
        offsets at 80);
    layout!(stride_plan: size 4096, align EIGHT, words at 0);
    layout!(stride_runs: size 4096, align EIGHT, words at 0);

    // DLTensor of dlpack.h, which is the end of DLManagedTensorVersioned, and Py_buffer of pybuffer.h.
    #[cfg(target_pointer_width = "64")]
    layout!(stride_dl_tensor: size 48, align 8, data at 0, device_type at 8, device_id at 12, ndim at 16,
        dtype_code at 20, dtype_bits at 21, dtype_lanes at 22, shape at 24, strides at 32, byte_offset at 40);
    #[cfg(target_pointer_width = "64")]
    layout!(stride_dl_managed_tensor_versioned: size 80, align 8, major at 0, minor at 4, manager_ctx at 8,
        deleter at 16, flags at 24, data at 32);
    #[cfg(target_pointer_width = "64")]
    layout!(stride_py_buffer: size 80, align 8, buf at 0, obj at 8, len at 16, itemsize at 24, readonly at 32,
        ndim at 36, format at 40, shape at 48, strides at 56, suboffsets at 64, internal at 72);
    #[cfg(target_pointer_width = "32")]
    layout!(stride_py_buffer: size 44, align 4, buf at 0, obj at 4, len at 8, itemsize at 12, readonly at 16,
        ndim at 20, format at 24, shape at 28, strides at 32, suboffsets at 36, internal at 40);
    macro_rules! tensor_ends_the_managed_one {
        ($($field:ident),*) => {$(const_assert_eq!(
            offset_of!(stride_dl_managed_tensor_versioned, $field),
            size_of::<stride_dl_managed_tensor_versioned>() - size_of::<stride_dl_tensor>()
                + offset_of!(stride_dl_tensor, $field)
        );)*};
    }
    tensor_ends_the_managed_one!(data, device_type, device_id, ndim, dtype_code, dtype_bits, dtype_lanes);
    tensor_ends_the_managed_one!(shape, strides, byte_offset);
    layout!(stride_plan_facts: size 80, align EIGHT, struct_size at 0, kind at 4, bytes at 8, runs at 16, run_bytes at 24,
        dst_lowest at 32, dst_end at 40, src_lowest at 48, src_end at 56, scratch_bytes at 64, useful_parts at 72,
        flags at 76);
    layout!(stride_region: size 72, align EIGHT, dst_offset at 0, src_offset at 8, row_bytes at 16, counts at 24,
        dst_pitches at 40, src_pitches at 56);
    layout!(stride_region_rules: size 80, align EIGHT, struct_size at 0, rank_max at 4, flags at 8,
        offset_alignment at 16, pitch_alignment at 24, pitch_max at 32, row_bytes_max at 48, rows_max at 56,
        slices_max at 64, row_bytes_alignment at 72, reserved at 76);

    const_assert_eq!(STRIDE_MAX_RANK, 64);
    const_assert_eq!(STRIDE_XLA_MAX_TILES, 8);
    const_assert_eq!(STRIDE_RUNS_MAX_OPERANDS, 8);
    const_assert_eq!(STRIDE_MAX_ALONG, 8);
    const_assert_eq!(Status::Undecided.number(), 101);
    const_assert_eq!(Argument::Scratch.number(), 44);
    const_assert_eq!(Dtype::F32.code(), 11);
    const_assert_eq!(dtype::STRIDE_DTYPE_HIGH_FIRST, 0x4000_0000);
    const_assert_eq!(dtype::STRIDE_DTYPE_BYTES, 0x8000_0000);
    const_assert_eq!(query::STRIDE_FORMAT_CHANNELS_LAST, 8);
    const_assert_eq!(dml::STRIDE_DML_TENSOR_DATA_TYPE_INT4, 13);
    const_assert_eq!(copy::STRIDE_COPY_OVERLAP, 4);
    const_assert_eq!(STRIDE_CONSUMER_OPENGL, 11);
    const_assert_eq!(STRIDE_REQUIRE_PITCH_IN_TEXELS, 256);
    const_assert_eq!(STRIDE_COPY_KIND_TILED, 6);
}

/// The standards that the headers keep to.
const C: [&str; 3] = ["c99", "c11", "c17"];
const CPP: [&str; 3] = ["c++11", "c++17", "c++20"];

/// One test for each C program, and the list of all.
macro_rules! programs {
    ($($name:ident: $standard:literal;)*) => {
        /// Names and standards.
        const PROGRAMS: &[(&str, &str)] = &[$((stringify!($name), $standard)),*];
        $(#[test] fn $name() { run_program(stringify!($name), $standard); })*
    };
}

programs! {
    layout: "c99";
    view: "c99";
    broadcast: "c99";
    copy: "c99";
    copy_options: "c99";
    copy_overlap: "c99";
    fill: "c99";
    plan: "c99";
    query: "c99";
    facts: "c99";
    overlap: "c99";
    dml: "c99";
    status: "c99";
    dtype: "c99";
    version: "c99";
    window: "c99";
    compose: "c99";
    runs: "c99";
    requirements: "c99";
    regions: "c99";
    machine: "c99";
    xla: "c99";
    blocked: "c99";
    xla_algebra: "c99";
    pjrt: "c99";
    blocks: "c99";
    interop: "c99";
    sides: "c99";
    placed: "c99";
    fences: "c99";
    stack: "c99";
    threads: "c99";
    lists: "c99";
    test_null: "c99";
    test_abi: "c11";
}

#[test]
fn no_c_program_is_forgotten() {
    let entries = std::fs::read_dir(root("c_tests")).expect("c_tests");
    let names = entries.map(|entry| entry.expect("an entry of c_tests").file_name().into_string().expect("a name"));
    let found: BTreeSet<String> = names.filter_map(|name| name.strip_suffix(".c").map(String::from)).collect();
    let known = PROGRAMS.iter().map(|(name, _)| name).chain(&["header_c"]).map(|name| name.to_string()).collect();
    assert_eq!(found, known, "c_tests/*.c and the list in this file");
}

#[test]
fn the_header_is_c() {
    let Some(library) = library() else { return };
    for standard in C {
        let files = [&root("c_tests/header_c.c"), &library.archive];
        run(&build(&files.map(PathBuf::as_path), &format!("header_{standard}"), standard, true), library);
    }
}

#[test]
fn the_header_is_cpp() {
    let Some(library) = library() else { return };
    if !has_cpp_compiler() {
        skipped("the header as C++, there is no C++ compiler");
        return;
    }
    for standard in CPP {
        let files = [&root("c_tests/header_cpp.cpp"), &library.archive];
        run(&build(&files.map(PathBuf::as_path), &format!("header_{standard}"), standard, true), library);
    }
}

/// Or none of the programs here would show what the headers make a compiler say.
#[test]
fn a_warning_is_an_error() {
    if !has_library() {
        return;
    }
    let source = folder().join("warned.c");
    for (text, compiles) in [("int f(void) { return 1; }", true), ("int f(void) { int unused; return 1; }", false)] {
        std::fs::write(&source, text).expect("a program");
        let done = only_checked("c99", &source).output().expect("the compiler");
        assert_eq!(done.status.success(), compiles, "{text}");
    }
}

/// A compiler that reads this file, and makes nothing of it.
fn only_checked(standard: &str, source: &Path) -> Command {
    let mut command = compiler(standard, false);
    command.arg(if msvc() { "-Zs" } else { "-fsyntax-only" }).arg(source);
    command
}

/// A program may begin with any of them, and name it again.
#[test]
fn every_header_compiles_alone_and_twice() {
    if !has_library() {
        return;
    }
    let cpp = if has_cpp_compiler() { &CPP[..] } else { &[] };
    let headers = headers();
    assert!(headers.len() > 5, "only {headers:?} are in include");
    for header in &headers {
        for standard in C.iter().chain(cpp) {
            let source = folder().join(format!("{header}.{}", if standard.starts_with("c++") { "cpp" } else { "c" }));
            std::fs::write(&source, format!("#include \"{header}\"\n#include \"{header}\"\n")).expect("a program");
            text_of(&mut only_checked(standard, &source));
        }
    }
}

#[test]
fn the_shared_library_exports_the_functions_of_the_header() {
    let Some(library) = library() else { return };
    let exports = |file: &object::File| -> BTreeSet<String> {
        file.exports()
            .expect("exports")
            .map(|one| name_of(one.expect("an export").name().name().expect("its name")))
            .collect()
    };
    let exported = in_object(&library.loaded, exports);
    let declared: BTreeSet<String> = declarations().into_iter().map(|declaration| declaration.name).collect();
    let missing: Vec<_> = declared.difference(&exported).collect();
    let undeclared: Vec<_> = exported.difference(&declared).collect();
    assert!(missing.is_empty(), "declared and not exported: {missing:?}");
    assert!(undeclared.is_empty(), "exported and not declared: {undeclared:?}");
}

/// Another Rust library beside it, or a program's own names, must not meet the compiler runtime of this one.
#[test]
fn the_archive_exports_the_functions_of_the_header_alone() {
    if msvc() {
        return; // with all of Rust's compiler runtime: Microsoft's does not divide numbers of 128 bits
    }
    let Some(library) = library() else { return };
    let bytes = std::fs::read(&library.archive).expect("the archive");
    let archive = ArchiveFile::parse(&*bytes).expect("an archive");
    let mut exported = BTreeSet::new();
    for member in archive.members() {
        let member = member.expect("a member").data(&*bytes).expect("its bytes");
        let member = object::File::parse(member).expect("an object");
        let globals = member.symbols().filter(|symbol| symbol.is_global() && symbol.is_definition());
        exported.extend(globals.map(|symbol| name_of(symbol.name_bytes().expect("a name"))));
    }
    let declared: BTreeSet<String> = declarations().into_iter().map(|declaration| declaration.name).collect();
    assert_eq!(exported, declared);
}

#[test]
fn the_shared_library_needs_libc_at_most() {
    let Some(library) = library() else { return };
    if !elf() {
        let libraries = |file: &object::File| -> BTreeSet<String> {
            let imports = file.imports().expect("imports").map(|one| one.expect("an import"));
            imports.map(|one| String::from_utf8_lossy(one.library()).to_lowercase()).collect()
        };
        let needed = in_object(&library.loaded, libraries);
        let libc = ["kernel32.dll", "msvcrt.dll", "ucrtbase.dll", "vcruntime140.dll", "/usr/lib/libsystem.b.dylib"];
        let foreign: Vec<_> =
            needed.iter().filter(|name| !libc.contains(&&***name) && !name.starts_with("api-ms-win-")).collect();
        assert!(foreign.is_empty(), "{} needs {foreign:?}", library.loaded.display());
        return;
    }
    let listing = text_of(Command::new("readelf").args(["-d", "-W"]).arg(&library.shared));
    let entries = |tag: &str| -> Vec<String> {
        let lines = listing.lines().filter(|line| line.contains(tag));
        lines.filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned())).collect()
    };
    let foreign: Vec<_> = entries("(NEEDED)").into_iter().filter(|name| !name.starts_with("libc.")).collect();
    assert!(foreign.is_empty(), "libstride.so needs {foreign:?}");
    assert_eq!(entries("(SONAME)"), [format!("libstride.so.{}", stride::ffi::version::stride_abi_version())]);
}

#[test]
fn no_panic_is_in_the_shared_library() {
    if msvc() {
        return; // its symbols are in another file
    }
    let Some(library) = library() else { return };
    let names =
        |file: &object::File| file.symbols().filter_map(|symbol| symbol.name().ok().map(String::from)).collect();
    let names: Vec<String> = in_object(&library.loaded, names);
    assert!(names.iter().any(|name| name.contains("stride_copy")), "it was stripped, so its symbols tell nothing");
    let panics: Vec<_> = names.iter().filter(|name| name.contains("panick") || name.contains("panic_path")).collect();
    assert!(panics.is_empty(), "{panics:#?}");
}

/// What a question about an object or a shared library is answered.
fn in_object<T>(file: &Path, ask: impl Fn(&object::File) -> T) -> T {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    ask(&object::File::parse(&*bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

/// A symbol as C names it.
fn name_of(symbol: &[u8]) -> String {
    let symbol = if apple() { symbol.strip_prefix(b"_").expect("an underscore") } else { symbol };
    String::from_utf8(symbol.to_vec()).expect("a name")
}

#[test]
fn every_function_with_a_pointer_is_in_the_null_test() {
    let text = read("c_tests/test_null.c");
    let with_pointers = declarations().into_iter().filter(|declaration| declaration.takes_pointers);
    let missing: Vec<_> =
        with_pointers.map(|declaration| declaration.name).filter(|name| !text.contains(&format!("{name}("))).collect();
    assert!(missing.is_empty(), "functions that c_tests/test_null.c does not call: {missing:?}");
}

/// A function of the headers.
struct Declaration {
    name: String,
    takes_pointers: bool,
}

/// The names of the C headers.
fn headers() -> Vec<String> {
    let entries = std::fs::read_dir(root("include")).expect("include");
    let names = entries.map(|entry| entry.expect("an entry of include").file_name().into_string().expect("a name"));
    let mut headers: Vec<String> = names.filter(|name| name.ends_with(".h")).collect();
    headers.sort();
    headers
}

fn declarations() -> Vec<Declaration> {
    let text: String = headers().iter().map(|name| read(&format!("include/{name}"))).collect();
    let code: Vec<&str> = text.lines().filter(|line| !line.starts_with("//") && !line.starts_with('#')).collect();
    let code = code.join(" ");
    let functions = code.split(';').filter_map(|statement| {
        let (before, parameters) = statement.split_once('(')?;
        let (_, before) = before.rsplit_once("STRIDE_API ")?;
        let name = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
        name.starts_with("stride_")
            .then(|| Declaration { name: name.to_owned(), takes_pointers: parameters.contains('*') })
    });
    let functions: Vec<_> = functions.collect();
    assert!(functions.len() > 50, "only {} functions were found in the headers", functions.len());
    functions
}

/// Runs a program of `c_tests` with the archive and with the shared library.
fn run_program(name: &str, standard: &str) {
    if !has_library() {
        return;
    }
    let library = library_and_objects();
    let forms = [("archive", &library.archive), ("shared", &library.shared)];
    // What these look at is the code of the library, which is the same in both, and they look for long.
    let forms = if ["stack", "fences"].contains(&name) { &forms[..1] } else { &forms };
    for (form, file) in forms {
        let object = object(name, form);
        if !object.exists() {
            compile(name, form, standard);
        }
        run(&build(&[&object, file], &format!("{name}_{form}"), standard, *form == "archive"), library);
    }
}

/// The library, and beside it every program compiled: while one core makes the library, another has nothing to do. One
/// that does not compile is its own test's to report.
fn library_and_objects() -> &'static Library {
    static BOTH: OnceLock<Option<&'static Library>> = OnceLock::new();
    let both = BOTH.get_or_init(|| {
        std::thread::scope(|scope| {
            let library = scope.spawn(library);
            let forms: &[&str] = if windows() { &["archive", "shared"] } else { &["archive"] };
            for (name, standard) in PROGRAMS {
                for form in forms {
                    let _ = std::fs::remove_file(object(name, form));
                    let _ = std::panic::catch_unwind(|| compile(name, form, standard));
                }
            }
            let library = library.join().ok().flatten()?;
            if windows() {
                std::fs::copy(&library.loaded, folder().join("stride.dll")).expect("the library beside its programs");
            }
            Some(library)
        })
    });
    both.expect("the library, which another test says more about")
}

fn compile(name: &str, form: &str, standard: &str) {
    let source = root("c_tests").join(format!("{name}.c"));
    make(compiler(standard, form == "archive").arg("-c").arg(source), &object(name, form));
}

/// One for both forms of the library, but for Windows.
fn object(name: &str, form: &str) -> PathBuf {
    folder().join(if windows() {
        format!("{name}_{form}.{}", if msvc() { "obj" } else { "o" })
    } else {
        format!("{name}.o")
    })
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_tests");
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    folder
}

/// A program of these sources, objects and libraries.
fn build(files: &[&Path], name: &str, standard: &str, is_static: bool) -> PathBuf {
    let program = program(&folder(), name);
    let mut command = compiler(standard, is_static);
    command.args(files);
    if msvc() {
        command.arg("-F4194304"); // bytes of stack, for elements in locals
    } else if windows() {
        command.arg("-static"); // the compiler's own libraries lie elsewhere
    }
    if apple() {
        command.arg("-Wl,-rpath").arg(format!("-Wl,{}", files[files.len() - 1].with_file_name("").display()));
    }
    make(&mut command, &program);
    program
}

fn has_cpp_compiler() -> bool {
    let version = Command::new(compiler(CPP[0], false).get_program()).arg("--version").output();
    version.is_ok_and(|output| msvc() || output.status.success())
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
