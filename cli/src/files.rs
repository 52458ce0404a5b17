//! Tensors in files: .npy, .npz, .safetensors, .gguf.
//!
//! A header is read with bounds: what it claims is held against the length of the file before anything is made of it.
//! Nothing of the data is read here. What cannot be read of a file stands in its list with the reason, and hides
//! nothing else.

mod blocks;
mod descr;
mod gguf;
mod literal;
mod npy;
mod npz;
mod safetensors;

use crate::fault::{Fault, Result, brief, printable};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use stride::{Dtype, LayoutBuf};

pub use descr::in_order as descr_in_order;
pub use npy::write as npy_header;
pub use npz::unpack;
pub use safetensors::{ends_at_a_byte, write as safetensors_header};

/// The entries of a file.
pub struct Contents {
    pub entries: Vec<Entry>,
    /// Notes on the file, such as tensors that share bytes.
    pub notes: Vec<String>,
    /// An entry's word in sentences.
    kind: &'static str,
}

/// A tensor by its name in the file, which is empty where a file has one; or why it is not read here.
pub struct Entry {
    pub name: String,
    pub found: Outcome<Stored>,
}

/// A packed tensor in a file.
#[derive(Clone, Debug)]
pub struct Stored {
    pub dtype: Dtype,
    pub sizes: Vec<i64>,
    pub fortran: bool,
    /// Bytes from the beginning of the file to the tensor, and how many of them are its.
    pub begin: u64,
    pub bytes: u64,
    /// The number of a deflated member of an archive: `begin` counts in what [`unpack`] makes of it.
    pub deflated: Option<usize>,
    /// The file's name of the type, where it is bytes to the library: `<U3`, `F6_E2M3`, `ggml type 8`.
    pub called: Option<String>,
    /// The numbers inside elements that are bytes to the library; `None` where their order is not known.
    pub numbers: Option<Numbers>,
    /// Notes for the reader: bytes after the data, blocks of quantised values.
    pub notes: Vec<String>,
}

/// The byte order of a file's elements, and the numbers inside each; `None` where it is not known which bytes they are.
#[derive(Clone, Debug)]
pub struct Numbers {
    pub big: bool,
    pub runs: Option<Vec<NumberRun>>,
}

/// `count` numbers of `width` bytes, `offset` bytes after the beginning of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberRun {
    pub offset: i64,
    pub width: i64,
    pub count: i64,
}

impl Stored {
    /// A tensor whose layout and bytes are possible; where it begins is not held against anything.
    fn new(dtype: Dtype, sizes: Vec<i64>, fortran: bool, begin: u64) -> stride::Result<Self> {
        let (deflated, called, numbers, notes) = (None, None, None, Vec::new());
        let mut stored = Self { dtype, sizes, fortran, begin, bytes: 0, deflated, called, numbers, notes };
        stored.bytes = stored.layout()?.min_bytes()?;
        Ok(stored)
    }

    pub fn layout(&self) -> stride::Result<LayoutBuf> {
        if self.fortran {
            LayoutBuf::ordered(self.dtype, &self.sizes, &(0..self.sizes.len() as i64).collect::<Vec<_>>())
        } else {
            LayoutBuf::packed(self.dtype, &self.sizes)
        }
    }
}

/// A file by its name, and after `:` the tensor in it; `None` if `text` names no file.
pub fn named(text: &str) -> Option<(PathBuf, Option<&str>)> {
    const ENDINGS: [&str; 4] = ["npy", "npz", "safetensors", "gguf"];
    let is_file = |text: &str| Path::new(text).extension().is_some_and(|end| ENDINGS.iter().any(|one| end == *one));
    // `x.npz:a.npy` ends as a file does, too.
    let split = text.char_indices().filter(|(_, c)| *c == ':').map(|(at, _)| (&text[..at], &text[at + 1..]));
    match split.into_iter().find(|(path, _)| is_file(path)) {
        Some((path, name)) if !(is_file(text) && Path::new(text).exists()) => Some((path.into(), Some(name))),
        _ => is_file(text).then(|| (text.into(), None)),
    }
}

/// All that a file has, in its order.
pub fn list(path: &Path) -> Result<Contents> {
    // Asked first: to open a pipe is to wait for its writer.
    let about = path.metadata().map_err(|error| Fault::file(path, error))?;
    if !about.is_file() {
        return Err(Fault::file(path, "this is no regular file"));
    }
    let file = File::open(path).map_err(|error| Fault::file(path, error))?;
    let length = about.len();
    let contents = match path.extension().and_then(|end| end.to_str()) {
        Some("npy") => npy::list(file, length),
        Some("npz") => npz::list(file, length),
        Some("safetensors") => safetensors::list(file, length),
        Some("gguf") => gguf::list(file, length),
        _ => Err("its name ends in none of .npy, .npz, .safetensors, .gguf".into()),
    };
    contents.map_err(|why| Fault::file(path, why))
}

/// The tensor with this name, or the only one, and its name.
pub fn open(path: &Path, name: Option<&str>) -> Result<(String, Stored)> {
    pick(path, list(path)?, name)
}

/// One of a file's entries: that of this name, or the only one.
pub fn pick(path: &Path, contents: Contents, name: Option<&str>) -> Result<(String, Stored)> {
    let Contents { mut entries, notes, kind } = contents;
    let count = entries.len();
    let names = |all: &[Entry]| {
        let few: Vec<_> = all.iter().take(8).map(|one| brief(&one.name)).collect();
        few.join(", ") + if count > few.len() { ", …" } else { "" }
    };
    let refused = |why: String| Err(Fault::usage(why).about(printable(&path.to_string_lossy())));
    let at = match name {
        None if count == 1 => 0,
        None if count == 0 => return refused("there is no tensor in it".into()),
        None => {
            let names = names(&entries);
            return refused(format!("there are {count} tensors in it, name one of them after `:`: {names}"));
        }
        Some(name) => {
            let is = |name: &str| entries.iter().position(|one| one.name == name);
            // A member is found by its name in the archive, too, and any name as it is printed.
            let member = name.strip_suffix(".npy").filter(|_| kind == npz::KIND);
            let found = is(name).or_else(|| member.and_then(is));
            match found.or_else(|| entries.iter().position(|one| printable(&one.name) == name)) {
                Some(at) => at,
                None if count == 1 && entries[0].name.is_empty() => {
                    let name = brief(name);
                    return refused(format!("its only tensor has no name, and `{name}` is asked for"));
                }
                None => {
                    let (name, names) = (brief(name), names(&entries));
                    return refused(format!("there is no tensor `{name}` in it; it has {names}"));
                }
            }
        }
    };
    let Entry { name, found } = entries.swap_remove(at);
    match found {
        Ok(mut stored) => {
            stored.notes.extend(notes);
            Ok((name, stored))
        }
        Err(why) if kind.is_empty() => Err(Fault::file(path, why)),
        Err(why) => Err(Fault::file(path, format_args!("{kind} `{}`: {why}", brief(&name)))),
    }
}

/// The first name that stands twice, in the order of names.
fn repeated<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
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
