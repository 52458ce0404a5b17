//! The library as C gets it, built once for all test programs: freestanding, as an archive and as a shared object.
#![allow(dead_code)] // each test binary uses its part

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The freestanding library in both forms.
pub struct Library {
    /// What a program is linked with.
    pub archive: PathBuf,
    /// What a program is linked with to load `loaded`: that itself, but for an import library on Windows.
    pub shared: PathBuf,
    pub loaded: PathBuf,
    pub directory: PathBuf,
}

/// The system that C programs are built for: the one of the tests, or another that `STRIDE_C_TARGET` names, whose
/// programs `STRIDE_C_RUNNER` runs (Windows' by wine, say).
pub fn target() -> &'static str {
    static TARGET: OnceLock<Option<String>> = OnceLock::new();
    TARGET.get_or_init(|| std::env::var("STRIDE_C_TARGET").ok()).as_deref().unwrap_or(env!("STRIDE_TARGET"))
}

/// Whether C programs are for Windows.
pub fn windows() -> bool {
    target().contains("-windows-")
}

/// Whether Microsoft's compiler builds them, which takes its own options.
pub fn msvc() -> bool {
    target().ends_with("-windows-msvc")
}

/// Whether they are for macOS.
pub fn apple() -> bool {
    target().contains("-apple-")
}

/// Whether they are of the format of Linux and the BSDs.
pub fn elf() -> bool {
    !windows() && !apple()
}

/// The library, built once; `None` where it cannot be, with the reason printed.
pub fn library() -> Option<&'static Library> {
    // What cannot be built is not tried again for each program.
    static LIBRARY: OnceLock<Option<Option<Library>>> = OnceLock::new();
    let built = LIBRARY.get_or_init(|| std::panic::catch_unwind(build_library).ok());
    built.as_ref().expect("the library, which could not be built before").as_ref()
}

/// Why there can be no library.
fn obstacle() -> Option<String> {
    let (target, host) = (target(), env!("STRIDE_HOST"));
    if target != host && !SISTER && std::env::var_os("STRIDE_C_RUNNER").is_none() {
        return Some(format!("{target} programs do not run on {host}"));
    }
    let profiled = std::env::var_os("CARGO_LLVM_COV").is_some();
    profiled.then(|| "the freestanding library cannot be linked with the profiler".into())
}

/// Whether C programs are built and run here; says why not, once. Whoever asks for them in so many words is not told of
/// success.
pub fn has_library() -> bool {
    static TOLD: OnceLock<()> = OnceLock::new();
    let Some(why) = obstacle() else { return true };
    assert!(std::env::var_os("STRIDE_C_RUNNER").is_none(), "no C programs run here: {why}");
    TOLD.get_or_init(|| skipped(&format!("the C tests, {why}")));
    false
}

/// Says what is skipped where the harness of tests, which keeps what passing tests print to itself, does not hear it.
pub fn skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {what}");
}

/// Whether this is for 32 bits on a 64-bit Linux, which runs such programs.
const SISTER: bool = matches!(
    (env!("STRIDE_HOST").as_bytes(), env!("STRIDE_TARGET").as_bytes()),
    (b"x86_64-unknown-linux-gnu", b"i686-unknown-linux-gnu")
);

/// What `make lib` does, in its folder, so that either finds done what the other did.
fn build_library() -> Option<Library> {
    if !has_library() {
        return None;
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("c");
    let directory = if elf() && target() == env!("STRIDE_HOST") { out } else { out.join(target()) };
    let mut command = Command::new("sh");
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("CARGO", env!("CARGO")).env("CARGO_NET_OFFLINE", "true");
    text_of(command.args(["tools/lib.sh", target()]).arg(&directory));
    let [archive, shared, loaded] = match () {
        () if msvc() => ["stride_static.lib", "stride.lib", "stride.dll"],
        () if windows() => ["libstride.a", "libstride.dll.a", "stride.dll"],
        () if apple() => ["libstride.a", "libstride.dylib", "libstride.dylib"],
        () => ["libstride.a", "libstride.so", "libstride.so"],
    };
    let [archive, shared, loaded] = [archive, shared, loaded].map(|name| directory.join(name));
    Some(Library { archive, shared, loaded, directory })
}

/// The compiler of programs, with the options of tests. Programs with the archive are static, and Windows' headers need
/// a macro for these.
pub fn compiler(standard: &str, is_static: bool) -> Command {
    let standard = match standard {
        "c99" if msvc() => "c11", // Microsoft's compiler has no name for the earlier ones
        "c++11" if msvc() => "c++14",
        other => other,
    };
    let mut build = cc::Build::new();
    build.target(target()).host(env!("STRIDE_HOST")).out_dir(env!("CARGO_TARGET_TMPDIR")).cargo_metadata(false);
    build.opt_level(1).include(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"));
    build.cpp(standard.starts_with("c++")).std(standard).debug(!msvc());
    // (`warnings(false)` of this crate is -w, which no other option undoes.)
    let flags: &[&str] = match standard {
        _ if msvc() => &["-W3", "-WX", "-EHsc", "-D_CRT_SECURE_NO_WARNINGS"],
        // What C++ projects compile with.
        _ if standard.starts_with("c++") => {
            &["-Wpedantic", "-Werror", "-Wold-style-cast", "-Wconversion", "-Wzero-as-null-pointer-constant"]
        }
        _ => &["-Wpedantic", "-Werror", "-UNDEBUG"],
    };
    for flag in flags.iter().chain(if elf() { &["-pthread"][..] } else { &[] }) {
        build.flag(flag);
    }
    if windows() && is_static {
        build.define("STRIDE_STATIC", None);
    }
    let mut command = build.get_compiler().to_command();
    command.current_dir(env!("CARGO_TARGET_TMPDIR")); // where Microsoft's leaves the objects of programs
    command
}

/// Has a compiler make this file, an object or a program.
pub fn make(command: &mut Command, file: &Path) {
    if msvc() {
        let mut option = OsString::from(if file.extension().is_some_and(|it| it == "obj") { "-Fo" } else { "-Fe" });
        option.push(file);
        text_of(command.arg(option));
    } else {
        text_of(command.arg("-o").arg(file));
    }
}

/// A program's file of this name.
pub fn program(folder: &Path, name: &str) -> PathBuf {
    folder.join(if windows() { format!("{name}.exe") } else { name.into() })
}

/// Runs a program by `STRIDE_C_RUNNER` if that is set.
pub fn run(program: &Path, library: &Library) {
    let runner = std::env::var("STRIDE_C_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let mut command = match words.next() {
        Some(first) => Command::new(first),
        None => Command::new(program),
    };
    if !runner.trim().is_empty() {
        command.args(words).arg(program);
    }
    text_of(command.env("LD_LIBRARY_PATH", &library.directory));
}

/// What a command prints; a panic with its messages if it fails. (Not the command: it would list the environment.)
pub fn text_of(command: &mut Command) -> String {
    let name = command.get_program().to_string_lossy().into_owned();
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{name}: {error}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{name}: {status}\n{stdout}{stderr}");
    stdout.into_owned()
}
