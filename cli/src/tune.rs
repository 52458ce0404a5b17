//! `stride tune`: benches/tune.c, which measures from which size on this CPU better writes past its caches.

use crate::fault::{Code, Fault, Result};
use crate::say;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Prints what was measured in lines that begin with `#`, and then the text of a machine for `stride_machine_parse`.
/// On an idle machine, in about a minute.
#[derive(clap::Args)]
pub struct Arguments {
    /// For each copy
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=60_000))]
    milliseconds: u32,
    /// Of the largest side
    #[arg(long, value_name = "N", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    mebibytes: u32,
    /// Writes the output to a file, too
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) {
        eprintln!("stride: this tool was built without optimisation (cargo build --release), so its copies are slow");
    }
    let Some(path) = &arguments.save else { return measure(arguments) };
    // C prints to the standard output of its process, so another one measures.
    let failed = |error: std::io::Error| Fault::usage(format!("the measuring process: {error}"));
    let mut process = Command::new(std::env::current_exe().map_err(failed)?)
        .args(["tune", "--milliseconds", &arguments.milliseconds.to_string()])
        .args(["--mebibytes", &arguments.mebibytes.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut text = String::new();
    if let Some(output) = process.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line.map_err(failed)?;
            say!("{line}");
            text.push_str(&line);
            text.push('\n');
        }
    }
    let status = process.wait().map_err(failed)?;
    if !status.success() {
        let code = if status.code() == Some(Code::Usage as i32) { Code::Usage } else { Code::No };
        return Err(Fault::new(code, format!("nothing was measured: {status}")));
    }
    std::fs::write(path, text).map_err(|error| Fault::file(path, error))
}

#[cfg(stride_tune)]
#[allow(unsafe_code)]
fn measure(arguments: &Arguments) -> Result<()> {
    use std::ffi::{CString, c_char, c_int};

    unsafe extern "C" {
        fn stride_tune_main(count: c_int, arguments: *mut *mut c_char) -> c_int;
    }

    let texts = [String::from("tune"), arguments.milliseconds.to_string(), arguments.mebibytes.to_string()];
    let mut texts = texts.map(|text| CString::new(text).unwrap_or_default().into_bytes_with_nul());
    let mut pointers = texts.each_mut().map(|text| text.as_mut_ptr().cast::<c_char>());
    // SAFETY: the `main` of benches/tune.c takes as many texts as are counted, each of which ends with a zero, and
    // keeps none of them.
    let status = unsafe { stride_tune_main(pointers.len() as c_int, pointers.as_mut_ptr()) };
    match status {
        0 => Ok(()),
        _ => Err(Fault::new(Code::No, format!("benches/tune.c ended with {status}"))),
    }
}

#[cfg(not(stride_tune))]
fn measure(_: &Arguments) -> Result<()> {
    Err(Fault::usage(match cfg!(target_os = "linux") {
        true => "this tool was built without a C compiler, which benches/tune.c needs; `make tune` measures it",
        false => "benches/tune.c measures on Linux alone; elsewhere the library goes by the sizes of the caches",
    }))
}
