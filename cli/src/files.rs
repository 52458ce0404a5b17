//! Tensors in files: .npy, .npz, .safetensors, .gguf.
//!
//! A header is read with bounds: what it claims is held against the length of the file before anything is made of it.
//! Nothing of the data is read here.

mod gguf;
mod npy;
mod npz;
mod safetensors;

use crate::fault::{Fault, Result};
use crate::tensor::Tensor;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

pub use npy::write as npy_header;
pub use npz::unpack;
pub use safetensors::write as safetensors_header;

/// A tensor in a file: its layout counts from `begin`.
#[derive(Debug)]
pub struct Stored {
    pub path: PathBuf,
    /// What the file calls it; empty where a file has one tensor.
    pub name: String,
    pub tensor: Tensor,
    /// Bytes from the beginning of the file to the tensor's base, and how many of them are its.
    pub begin: u64,
    pub bytes: u64,
    /// A deflated member of an archive: `begin` counts in what [`unpack`] makes of it.
    pub deflated: bool,
    /// The type as a .npy file writes it.
    pub descr: Option<String>,
    /// What a reader should know besides: bytes behind the data, blocks of quantised values.
    pub notes: Vec<String>,
}

/// A file by its name, and after `:` the tensor in it; `None` if `text` names no file.
pub fn named(text: &str) -> Option<(PathBuf, Option<&str>)> {
    const ENDINGS: [&str; 4] = ["npy", "npz", "safetensors", "gguf"];
    let is_file = |text: &str| Path::new(text).extension().is_some_and(|end| ENDINGS.iter().any(|one| end == *one));
    if is_file(text) {
        return Some((text.into(), None));
    }
    let (path, name) = text
        .char_indices()
        .filter(|(_, c)| *c == ':')
        .map(|(at, _)| (&text[..at], &text[at + 1..]))
        .find(|(path, _)| is_file(path))?;
    Some((path.into(), Some(name)))
}

/// All tensors of a file, in its order.
pub fn list(path: &Path) -> Result<Vec<Stored>> {
    let file = File::open(path).map_err(|error| Fault::file(path, error))?;
    let about = file.metadata().map_err(|error| Fault::file(path, error))?;
    if !about.is_file() {
        return Err(Fault::file(path, "this is no regular file"));
    }
    let length = about.len();
    let tensors = match path.extension().and_then(|end| end.to_str()) {
        Some("npy") => npy::list(path, file, length),
        Some("npz") => npz::list(path, file),
        Some("safetensors") => safetensors::list(path, file, length),
        Some("gguf") => gguf::list(path, file, length),
        _ => Err("its name ends in none of .npy, .npz, .safetensors, .gguf".into()),
    };
    tensors.map_err(|why| Fault::file(path, why))
}

/// The tensor with this name, or the only one.
pub fn open(path: &Path, name: Option<&str>) -> Result<Stored> {
    pick(path, list(path)?, name)
}

/// The same of a file's tensors.
pub fn pick(path: &Path, mut all: Vec<Stored>, name: Option<&str>) -> Result<Stored> {
    let count = all.len();
    let names = |all: &[Stored]| {
        let few: Vec<_> = all.iter().take(8).map(|one| one.name.as_str()).collect();
        few.join(", ") + if count > few.len() { ", …" } else { "" }
    };
    let refused = |why: String| Err(Fault::usage(why).about(path.display()));
    match name {
        None if count == 1 => Ok(all.remove(0)),
        None if count == 0 => refused("there is no tensor in it".into()),
        None => refused(format!("there are {count} tensors in it, name one of them after `:`: {}", names(&all))),
        Some(name) => match all.iter().position(|one| one.name == name) {
            Some(at) => Ok(all.swap_remove(at)),
            None if count == 1 && all[0].name.is_empty() => {
                refused(format!("its only tensor has no name, and `{name}` is asked for"))
            }
            None => refused(format!("there is no tensor `{name}` in it; it has {}", names(&all))),
        },
    }
}

/// A sentence instead of a tensor; the file's name is put before it.
type Outcome<T> = std::result::Result<T, String>;

/// So many bytes, or a sentence that names what they are.
fn exactly<const N: usize>(from: &mut impl Read, what: &str) -> Outcome<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes).map_err(|error| ended(error, what))?;
    Ok(bytes)
}

fn ended(error: std::io::Error, what: &str) -> String {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => format!("it ends inside {what}"),
        _ => error.to_string(),
    }
}

/// The data of a tensor must lie in the file.
fn check_length(needed: u64, present: u64) -> Outcome<()> {
    if needed > present {
        return Err(format!("its header says {needed} bytes of data, but there are {present}"));
    }
    Ok(())
}
