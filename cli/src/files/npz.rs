//! .npz: a zip archive of .npy members.
//!
//! A stored member lies in the file as it is, so its array is a place in the archive. A deflated one must be unpacked
//! before it has places. Only reading through the archive checks a member's CRC.

use super::{Outcome, Stored, npy};
use crate::fault::{Fault, Result};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
use zip::{CompressionMethod, ZipArchive};

pub fn list(path: &Path, file: File) -> Outcome<Vec<Stored>> {
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| error.to_string())?;
    let mut tensors = Vec::new();
    for index in 0..archive.len() {
        let of_member = |name: &str, why: String| format!("member `{name}`: {why}");
        let mut member = archive.by_index(index).map_err(|error| of_member(&index.to_string(), error.to_string()))?;
        let Some(name) = member.name().strip_suffix(".npy").map(str::to_owned) else { continue };
        let deflated = member.compression() != CompressionMethod::Stored;
        let (size, begin) = (member.size(), member.data_start());
        let header = npy::read(&mut member).map_err(|why| of_member(&name, why))?;
        let mut stored = header.stored(path, &name, size).map_err(|why| of_member(&name, why))?;
        stored.deflated = deflated;
        if !deflated {
            stored.begin = stored.begin.saturating_add(begin);
            super::check_length(stored.begin.saturating_add(stored.bytes), length)
                .map_err(|why| of_member(&name, why))?;
        }
        tensors.push(stored);
    }
    Ok(tensors)
}

/// Unpacks a deflated member, its own header too, and checks its CRC.
pub fn unpack(stored: &Stored, into: &mut File) -> Result<()> {
    let fault =
        |error: &dyn std::fmt::Display| Fault::file(&stored.path, format_args!("member `{}`: {error}", stored.name));
    let file = File::open(&stored.path).map_err(|error| fault(&error))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| fault(&error))?;
    let member = archive.by_name(&format!("{}.npy", stored.name)).map_err(|error| fault(&error))?;
    // A member may say less than it has; one byte more than it says is enough to know.
    let most = stored.begin.saturating_add(member.size()).saturating_add(1);
    let written = io::copy(&mut io::Read::take(member, most), into).map_err(|error| fault(&error))?;
    if written < stored.begin + stored.bytes {
        let (has, needs) = (written, stored.begin + stored.bytes);
        return Err(fault(&format_args!("{has} bytes come out of it, {needs} are needed")));
    }
    Ok(())
}
