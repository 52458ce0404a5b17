//! Files as slices: the only unsafe code of the tool.

#![allow(unsafe_code)]

use memmap2::{Mmap, MmapMut, MmapOptions};
use std::fs::File;
use std::io;
use std::ops::Range;

#[cfg(unix)]
const READ_AHEAD: usize = 128 << 10;

/// Bytes of a file, to be read.
pub struct Source(Option<Mmap>);

impl Source {
    pub fn new(file: &File, begin: u64, bytes: u64) -> io::Result<Self> {
        let Some(length) = length_of(bytes)? else { return Ok(Self(None)) };
        let mut options = MmapOptions::new();
        // SAFETY: bytes of any value are read, and moved without a look at them, so that another process which changes
        // the file changes what is copied. One that shortens it ends this process by SIGBUS, as the manual says.
        let map = unsafe { options.offset(begin).len(length).map(file)? };
        Ok(Self(Some(map)))
    }

    pub fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }

    /// These bytes are needed soon, and they alone: they are read in whole, without others around them.
    pub fn prefetch(&self, range: Range<usize>) {
        #[cfg(unix)]
        if let Some(map) = &self.0 {
            // Linux reads no more at once than its read-ahead, which is 128 KiB at least.
            for start in range.clone().step_by(READ_AHEAD) {
                let length = READ_AHEAD.min(range.end - start);
                let _ = map.advise_range(memmap2::Advice::WillNeed, start, length); // no more than a hint
            }
        }
        #[cfg(not(unix))]
        let _ = range;
    }

    /// Reads nothing ahead but what `prefetch` names.
    pub fn read_as_prefetched(&self) {
        #[cfg(unix)]
        if let Some(map) = &self.0 {
            let _ = map.advise(memmap2::Advice::Random); // no more than a hint
        }
    }

    /// Takes the pages from this process; they are read again if they are needed again.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Some(map) = &self.0 {
            // SAFETY: the map is of a file and shared, so that its bytes are the same afterwards (madvise(2)).
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) }; // no more than a hint
        }
    }
}

/// A whole file, to be written.
pub struct Target(Option<MmapMut>);

impl Target {
    pub fn new(file: &File, bytes: u64) -> io::Result<Self> {
        let Some(length) = length_of(bytes)? else { return Ok(Self(None)) };
        let mut options = MmapOptions::new();
        // SAFETY: the file was made by this process under a name of its own, and its space is allocated.
        let map = unsafe { options.len(length).map_mut(file)? };
        Ok(Self(Some(map)))
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        self.0.as_deref_mut().unwrap_or_default()
    }

    /// Makes no pages around one that is written: with short runs they were several times as many as are needed.
    pub fn write_in_runs(&self) {
        #[cfg(unix)]
        if let Some(map) = &self.0 {
            let _ = map.advise(memmap2::Advice::Random); // no more than a hint
        }
    }

    /// Takes the pages from this process; what was written stays in the file.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Some(map) = &self.0 {
            // SAFETY: the map is of a file and shared, so that what was written is in the file's pages (madvise(2)).
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) }; // no more than a hint
        }
    }

    /// Ends the map.
    pub fn flush(self) -> io::Result<()> {
        // Linux writes what was mapped when the file is written; elsewhere msync says that it should be.
        if cfg!(target_os = "linux") { Ok(()) } else { self.0.map_or(Ok(()), |map| map.flush()) }
    }
}

/// Bytes that one call writes or waits for: no signal ends such a call, and so none waits for more than that.
#[cfg(target_os = "linux")]
const WRITTEN_AT_ONCE: u64 = 16 << 20;

/// Waits for the pages of a file that are being written, and begins to write those that are not.
pub fn begin_to_write(file: &File) {
    #[cfg(target_os = "linux")]
    sync_file_ranges(file, libc::SYNC_FILE_RANGE_WAIT_BEFORE | libc::SYNC_FILE_RANGE_WRITE);
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

/// Writes all pages of a file, so that little is left for fsync.
pub fn write(file: &File) {
    #[cfg(target_os = "linux")]
    {
        let write = libc::SYNC_FILE_RANGE_WAIT_BEFORE | libc::SYNC_FILE_RANGE_WRITE;
        sync_file_ranges(file, write | libc::SYNC_FILE_RANGE_WAIT_AFTER);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

#[cfg(target_os = "linux")]
fn sync_file_ranges(file: &File, flags: libc::c_uint) {
    use std::os::fd::AsRawFd;
    let length = file.metadata().map_or(0, |about| about.len());
    for begin in (0..length).step_by(WRITTEN_AT_ONCE as usize) {
        // SAFETY: no memory is passed. An error is met again by fsync.
        unsafe { libc::sync_file_range(file.as_raw_fd(), begin as i64, WRITTEN_AT_ONCE as i64, flags) };
    }
}

/// Lets the page cache drop a file's pages, but for those that are not written yet.
pub fn forget(file: &File) {
    #[cfg(target_os = "linux")]
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed); // no more than a hint
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

/// Nothing is not mapped.
fn length_of(bytes: u64) -> io::Result<Option<usize>> {
    let length = usize::try_from(bytes).ok().filter(|length| isize::try_from(*length).is_ok());
    let length = length.ok_or_else(|| io::Error::other(format!("{bytes} bytes are more than can be mapped")))?;
    Ok(Some(length).filter(|length| *length > 0))
}
