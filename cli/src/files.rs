//! Tensors in files: .npy, .npz, .safetensors, .gguf.

use crate::fault::{Fault, Result};
use crate::tensor::Tensor;
use std::path::{Path, PathBuf};

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
    Err(Fault::file(path, "not built yet"))
}

/// The tensor with this name, or the only one.
pub fn open(path: &Path, name: Option<&str>) -> Result<Stored> {
    let _ = name;
    Err(Fault::file(path, "not built yet"))
}
