//! .gguf: the tensors of a model of ggml, versions 2 and 3.
//!
//! ```text
//! "GGUF"  version  tensors  pairs   key, type, value; …   name, rank, sizes innermost first, type, offset; …   data
//! ```
//!
//! Numbers have the file's byte order, little unless the version reads as 2^24 times a small number. Offsets count from
//! the first multiple of `general.alignment` (32 if it is not given) after the list. A quantised type packs a block of
//! the innermost dimension into some bytes: such a block is one element. Source: docs/gguf.md of ggml-org/ggml.

use super::{Contents, Entry, Numbers, Outcome, Stored, blocks, check_length, ended, exactly, repeated};
use crate::fault::brief;
use std::fs::File;
use std::io::{BufReader, Read};
use stride::vocabulary::ggml;

const MAX_NAME: u64 = 1 << 16;
const ALIGNMENT: &str = "general.alignment";
/// The number of the type of the metadata that it has.
const U32: u32 = 4;
/// Arrays of arrays, of which writers make none.
const MAX_DEPTH: u32 = 4;

/// A reader of numbers that knows how much of the file is left.
struct Reader {
    from: BufReader<File>,
    at: u64,
    length: u64,
    big: bool,
}

pub fn list(file: File, length: u64) -> Outcome<Contents> {
    let mut from = Reader { from: BufReader::new(file), at: 0, length, big: false };
    if from.bytes::<4>("the magic number")? != *b"GGUF" {
        return Err("it does not begin with GGUF, as a .gguf file does".into());
    }
    let version: [u8; 4] = from.bytes("the version")?;
    from.big = version[0] == 0;
    let version = if from.big { u32::from_be_bytes(version) } else { u32::from_le_bytes(version) };
    if !(2..=3).contains(&version) {
        return Err(format!("version {version} of the GGUF format is not known; 2 and 3 are"));
    }
    let (tensors, pairs) = (from.u64("the counts")?, from.u64("the counts")?);
    let (mut alignment, mut keys) = (32, Vec::new());
    for _ in 0..pairs {
        let key = from.string("a key of the metadata")?;
        let kind = from.u32("the metadata")?;
        if key == ALIGNMENT {
            if kind != U32 {
                return Err(format!(
                    "its {ALIGNMENT} is of type {kind}, but has to be of type {U32}, an unsigned int32"
                ));
            }
            alignment = u64::from(from.u32("the metadata")?);
            if !alignment.is_power_of_two() {
                return Err(format!("its {ALIGNMENT} is {alignment}, no power of two"));
            }
        } else {
            from.skip_value(kind, 0)?;
        }
        keys.push(key);
    }
    if let Some(key) = repeated(keys.iter().map(String::as_str)) {
        return Err(format!("its metadata has the key `{}` twice", brief(key)));
    }
    let mut infos = Vec::new();
    for _ in 0..tensors {
        infos.push(from.info()?);
    }
    if let Some(name) = repeated(infos.iter().map(|info| info.name.as_str())) {
        return Err(format!("it has two tensors of the name `{}`", brief(name)));
    }
    let data = from.at.next_multiple_of(alignment);
    let entry = |info: Info| Entry { found: info.stored(data, length, from.big), name: info.name };
    Ok(Contents { entries: infos.into_iter().map(entry).collect(), notes: Vec::new(), kind: "tensor" })
}

struct Info {
    name: String,
    rank: u32,
    /// Sizes of the tensor's own dimensions, innermost first, as many as ggml has.
    sizes: Vec<u64>,
    kind: u32,
    offset: u64,
}

impl Info {
    fn stored(&self, data: u64, length: u64, big: bool) -> Outcome<Stored> {
        let of_library = |error: stride::Error| error.to_string();
        let begin = data.checked_add(self.offset).ok_or("its offset is above 2^64")?;
        if self.rank as usize > ggml::DIMENSIONS {
            return Err(format!("it has {} dimensions; ggml has {} at most", self.rank, ggml::DIMENSIONS));
        }
        let (dtype, block) = ggml::dtype_of(self.kind).map_err(|error| {
            let sizes: Vec<_> = self.sizes.iter().rev().map(u64::to_string).collect();
            format!("{error}; its sizes are [{}], and its data begin at byte {begin}", sizes.join(","))
        })?;
        let (rank, mut ne) = (self.sizes.len(), [1; ggml::DIMENSIONS]);
        for (size, given) in ne.iter_mut().zip(&self.sizes) {
            *size = i64::try_from(*given).map_err(|_| format!("its size {given} is above 2^63"))?;
        }
        // Rows are consecutive: nb[0] is an element, nb[1] a row of blocks, and so on.
        let mut nb = [dtype.bits() as u64 / 8; ggml::DIMENSIONS];
        let mut row = ne[0] / block;
        for at in 1..ggml::DIMENSIONS {
            nb[at] = nb[at - 1].checked_mul(row as u64).ok_or("its sizes overflow")?;
            row = ne[at];
        }
        let layout = ggml::to_layout(self.kind, &ne, &nb).map_err(of_library)?;
        let sizes = layout.sizes()[ggml::DIMENSIONS - rank..].to_vec();
        // The order of the file is the machine's, or the other one.
        let (foreign, plain) = (big != cfg!(target_endian = "big"), block == 1);
        let dtype = if foreign && plain { dtype.swapped() } else { dtype };
        let mut stored = Stored::new(dtype, sizes, false, begin).map_err(of_library)?;
        check_length(stored.bytes, length.saturating_sub(begin))?;
        if !plain {
            let (kind, bytes) = (self.kind, dtype.bits() / 8);
            let note =
                format!("ggml type {kind} is quantised: an element is a block of {block} values in {bytes} bytes");
            stored.notes.push(note);
            stored.called = Some(format!("ggml type {kind}"));
            stored.numbers = Some(Numbers { big, runs: blocks::numbers_of(kind) });
        }
        Ok(stored)
    }
}

impl Reader {
    fn bytes<const N: usize>(&mut self, what: &str) -> Outcome<[u8; N]> {
        let bytes = exactly(&mut self.from, what)?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn u32(&mut self, what: &str) -> Outcome<u32> {
        let bytes = self.bytes(what)?;
        Ok(if self.big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    fn u64(&mut self, what: &str) -> Outcome<u64> {
        let bytes = self.bytes(what)?;
        Ok(if self.big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    fn string(&mut self, what: &str) -> Outcome<String> {
        let length = self.u64(what)?;
        if length > MAX_NAME {
            return Err(format!("{what} has {length} bytes; {MAX_NAME} are read at most"));
        }
        let mut bytes = vec![0; length as usize];
        self.from.read_exact(&mut bytes).map_err(|error| ended(error, what))?;
        self.at += length;
        String::from_utf8(bytes).map_err(|_| format!("{what} is no UTF-8"))
    }

    fn skip(&mut self, bytes: u64) -> Outcome<()> {
        let left = self.length.saturating_sub(self.at);
        if bytes > left {
            return Err(format!("its metadata has a value of {bytes} bytes, but the file has {left} more"));
        }
        // Below the length of a file, which is below 2^63.
        self.from.seek_relative(bytes as i64).map_err(|error| error.to_string())?;
        self.at += bytes;
        Ok(())
    }

    /// A value of the metadata. What an array claims costs nothing: each of its items takes bytes of the file.
    fn skip_value(&mut self, kind: u32, depth: u32) -> Outcome<()> {
        if let Some(bytes) = bytes_of(kind) {
            return self.skip(bytes);
        }
        match kind {
            8 => {
                let length = self.u64("the metadata")?;
                self.skip(length)
            }
            9 if depth < MAX_DEPTH => {
                let (kind, count) = (self.u32("the metadata")?, self.u64("the metadata")?);
                if let Some(bytes) = bytes_of(kind) {
                    return self.skip(count.saturating_mul(bytes));
                }
                (0..count).try_for_each(|_| self.skip_value(kind, depth + 1))
            }
            9 => Err(format!("its metadata has arrays in arrays, more than {MAX_DEPTH} deep")),
            _ => Err(format!("its metadata has a value of type {kind}, which is not known")),
        }
    }

    fn info(&mut self) -> Outcome<Info> {
        let what = "the list of tensors";
        let name = self.string("a tensor's name")?;
        let rank = self.u32(what)?;
        let mut sizes = Vec::new();
        for _ in 0..rank.min(ggml::DIMENSIONS as u32) {
            sizes.push(self.u64(what)?);
        }
        self.skip(8 * (u64::from(rank) - sizes.len() as u64))?;
        Ok(Info { name, rank, sizes, kind: self.u32(what)?, offset: self.u64(what)? })
    }
}

/// Bytes of the simple types of the metadata.
fn bytes_of(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}
