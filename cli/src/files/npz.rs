//! .npz: a zip archive of .npy members.
//!
//! A stored member lies in the file as it is, so its array is a place in the archive. A deflated one must be unpacked
//! before it has places. Only reading through the archive checks a member's CRC.
//!
//! By the rule of numpy.load a name goes without `.npy`, and a member that is no array is its bytes.

use super::{Contents, Entry, Outcome, Stored, npy};
use crate::fault::{Fault, Result, brief};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use stride::Dtype;
use zip::{CompressionMethod, ZipArchive};

/// An entry's word in sentences.
pub const KIND: &str = "member";

pub fn list(file: File, length: u64) -> Outcome<Contents> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| error.to_string())?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let Some(name) = archive.name_for_index(index).map(str::to_owned) else { continue };
        if !name.ends_with('/') {
            let found = member(&mut archive, index, name.ends_with(".npy"), length);
            let short = name.strip_suffix(".npy").filter(|short| archive.index_for_name(short).is_none());
            entries.push(Entry { name: short.unwrap_or(&name).to_owned(), found });
        }
    }
    Ok(Contents { entries, notes: Vec::new(), kind: KIND })
}

fn member(archive: &mut ZipArchive<BufReader<File>>, index: usize, is_npy: bool, length: u64) -> Outcome<Stored> {
    let method = archive.by_index_raw(index).map_err(|error| error.to_string())?.compression();
    if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
        let method = match method {
            CompressionMethod::BZIP2 => "bzip2".into(),
            CompressionMethod::LZMA => "lzma".into(),
            CompressionMethod::ZSTD => "zstd".into(),
            other => format!("the method {other}"),
        };
        return Err(format!("it is compressed by {method}; stored and deflated members are read"));
    }
    let mut member = archive.by_index(index).map_err(|error| error.to_string())?;
    let (size, begin) = (member.size(), member.data_start());
    let mut first = [0; npy::MAGIC.len()];
    let read = read_up_to(&mut member, &mut first).map_err(|error| error.to_string())?;
    let mut stored = if is_npy || first == npy::MAGIC {
        npy::read(&mut first[..read].chain(&mut member), size)?
    } else {
        let size = i64::try_from(size).map_err(|_| "its size is above 2^63")?;
        let mut bytes = Stored::new(Dtype::U8, vec![size], false, 0).map_err(|error| error.to_string())?;
        bytes.notes.push("it is no .npy array, and shown as its bytes".into());
        bytes
    };
    if method == CompressionMethod::Stored {
        stored.begin = stored.begin.saturating_add(begin);
        super::check_length(stored.begin.saturating_add(stored.bytes), length)?;
    } else {
        stored.deflated = Some(index);
    }
    Ok(stored)
}

fn read_up_to(from: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < into.len() {
        match from.read(&mut into[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

/// Unpacks the deflated member with this number, its own header too, and checks its CRC.
pub fn unpack(path: &Path, name: &str, stored: &Stored, index: usize, into: &mut File) -> Result<()> {
    let name = brief(name);
    let fault = |error: &dyn std::fmt::Display| Fault::file(path, format_args!("{KIND} `{name}`: {error}"));
    let file = File::open(path).map_err(|error| fault(&error))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| fault(&error))?;
    let member = archive.by_index(index).map_err(|error| fault(&error))?;
    // A member may say less than it has; one byte more than it says is enough to know.
    let most = stored.begin.saturating_add(member.size()).saturating_add(1);
    let written = io::copy(&mut io::Read::take(member, most), into).map_err(|error| fault(&error))?;
    if written < stored.begin + stored.bytes {
        let (has, needs) = (written, stored.begin + stored.bytes);
        return Err(fault(&format_args!("{has} bytes come out of it, {needs} are needed")));
    }
    Ok(())
}
