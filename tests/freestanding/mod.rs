//! The library as C gets it, built once for all test programs: freestanding, as an archive and as a shared object.
#![allow(dead_code)] // each test binary uses its part

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

/// Whether C programs are built and run here; prints why not.
pub fn has_library() -> bool {
    obstacle().inspect(|why| println!("skipped: the C tests, {why}")).is_none()
}

/// Whether this is for 32 bits on a 64-bit Linux, which runs such programs.
const SISTER: bool = matches!(
    (env!("STRIDE_HOST").as_bytes(), env!("STRIDE_TARGET").as_bytes()),
    (b"x86_64-unknown-linux-gnu", b"i686-unknown-linux-gnu")
);

/// What `make lib` does, with its command and in its folder, so that either finds done what the other did.
fn build_library() -> Option<Library> {
    if !has_library() {
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("c").join("build");
    let soname = format!("libstride.so.{}", stride::ffi::version::stride_abi_version());
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root);
    cargo.args(["rustc", "-q", "--offline", "--lib", "--profile", "dist", "--crate-type", "cdylib,staticlib"]);
    if SISTER {
        cargo.args(["--target", env!("STRIDE_TARGET")]);
    }
    cargo.arg("--target-dir").arg(&build);
    cargo.args(["--", "--cfg", "stride_freestanding", "-Clink-arg=-lc", "-Clink-arg=-Wl,-z,defs"]);
    cargo.arg(format!("-Clink-arg=-Wl,-soname,{soname}"));
    text_of(&mut cargo);
    let directory = if SISTER { build.join(env!("STRIDE_TARGET")).join("dist") } else { build.join("dist") };
    // Programs ask the loader for the soname. Another test process may have made the link already.
    #[cfg(unix)]
    let _ = std::os::unix::fs::symlink("libstride.so", directory.join(soname));
    let (archive, shared) = (directory.join("c/libstride.a"), directory.join("libstride.so"));
    text_of(Command::new("sh").arg(root.join("tools/archive.sh")).arg(directory.join("libstride.a")).arg(&archive));
    Some(Library { archive, shared, directory })
}

/// What a command prints; a panic with its messages if it fails. (Not the command: it would list the environment.)
pub fn text_of(command: &mut Command) -> String {
    let name = command.get_program().to_string_lossy().into_owned();
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{name}: {error}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{name}: {status}\n{stdout}{stderr}");
    stdout.into_owned()
}
