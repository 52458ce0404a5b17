//! The library as C gets it, built once for all test programs: freestanding, as an archive and as a shared object.
#![allow(dead_code)] // each test binary uses its part

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The freestanding library in both forms.
pub struct Library {
    pub archive: PathBuf,
    pub shared: PathBuf,
    pub directory: PathBuf,
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
    let (target, host) = (env!("STRIDE_TARGET"), env!("STRIDE_HOST"));
    if target != host && !SISTER {
        return Some(format!("{target} programs do not run on {host}"));
    }
    if cfg!(any(windows, target_vendor = "apple")) {
        return Some("this links the library for ELF (Windows: tests/windows.sh)".into());
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
    let directory = if SISTER { out.join(env!("STRIDE_TARGET")) } else { out };
    let mut command = Command::new("sh");
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("CARGO", env!("CARGO")).env("CARGO_NET_OFFLINE", "true");
    text_of(command.args(["tools/lib.sh", env!("STRIDE_TARGET")]).arg(&directory));
    Some(Library { archive: directory.join("libstride.a"), shared: directory.join("libstride.so"), directory })
}

/// What a command prints; a panic with its messages if it fails. (Not the command: it would list the environment.)
pub fn text_of(command: &mut Command) -> String {
    let name = command.get_program().to_string_lossy().into_owned();
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{name}: {error}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{name}: {status}\n{stdout}{stderr}");
    stdout.into_owned()
}
