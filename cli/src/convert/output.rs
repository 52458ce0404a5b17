//! A file that is there whole, or not at all.
//!
//! It is written beside its place under a hidden name, gets its space first, is written to the disk and then renamed.
//! An error, SIGINT or SIGTERM removes it; SIGKILL leaves the hidden one.

use crate::fault::{Fault, Result};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, NamedTempFile};

/// What a signal removes.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

pub struct Output {
    place: PathBuf,
    file: NamedTempFile,
    replaces: bool,
}

impl Output {
    /// A file of `bytes` zeros, which [`Output::finish`] puts at `path`. `replaces`: a file there is replaced.
    pub fn new(path: &Path, bytes: u64, replaces: bool) -> Result<Self> {
        let fault = |error: io::Error| Fault::file(path, error);
        let place = place(path, replaces)?;
        // A second handler is refused; one is enough.
        let _ = ctrlc::set_handler(|| {
            if let Some(path) = unfinished().take() {
                let _ = std::fs::remove_file(path);
            }
            std::process::exit(130); // as a shell counts an interrupt
        });
        let file = {
            let mut unfinished = unfinished(); // held, so that a signal finds no file without its name
            let mut builder = Builder::new();
            builder.prefix(".stride-").suffix(".tmp");
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
            let file = builder.tempfile_in(folder_of(&place)).map_err(fault)?;
            *unfinished = Some(file.path().into());
            file
        };
        allocate(file.as_file(), bytes).map_err(|why| Fault::file(path, why))?;
        Ok(Self { place, file, replaces })
    }

    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Puts it at its place, when all of it is on the disk.
    pub fn finish(self) -> Result<()> {
        let Self { place, file, replaces } = self;
        let fault = |error: io::Error| Fault::file(&place, error);
        file.as_file().sync_all().map_err(fault)?;
        {
            let mut unfinished = unfinished(); // held, so that a signal comes before or after
            let placed = if replaces { file.persist(&place) } else { file.persist_noclobber(&place) };
            *unfinished = None;
            placed.map_err(|error| match error.error.kind() {
                io::ErrorKind::AlreadyExists => exists(&place),
                _ => fault(error.error),
            })?;
        }
        #[cfg(unix)]
        File::open(folder_of(&place)).and_then(|folder| folder.sync_all()).map_err(fault)?;
        Ok(())
    }
}

/// Where a file comes to lie: behind a link, what it leads to.
pub fn place(path: &Path, replaces: bool) -> Result<PathBuf> {
    if !path.try_exists().map_err(|error| Fault::file(path, error))? {
        return Ok(path.into());
    }
    let place = path.canonicalize().map_err(|error| Fault::file(path, error))?;
    if !place.is_file() {
        return Err(Fault::file(path, "this is no regular file"));
    }
    if replaces { Ok(place) } else { Err(exists(path)) }
}

pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

fn exists(path: &Path) -> Fault {
    Fault::file(path, "it exists; --force replaces it")
}

/// Gives a file its length and, where the file system can, its space: a full disk is found now, and not by a signal.
fn allocate(file: &File, bytes: u64) -> std::result::Result<(), String> {
    #[cfg(unix)]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
        if let Some(limit) = limit.filter(|limit| *limit < bytes) {
            return Err(format!("{bytes} bytes are needed, but a file may have {limit} (ulimit -f)"));
        }
        let free = rustix::fs::fstatvfs(file).map(|about| about.f_bavail.saturating_mul(about.f_frsize));
        let needed = |error: &dyn std::fmt::Display| match free {
            Ok(free) => format!("{bytes} bytes are needed, {free} are free: {error}"),
            Err(_) => format!("{bytes} bytes are needed: {error}"),
        };
        #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple"))]
        if bytes > 0 {
            match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes) {
                Ok(()) => {}
                Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => {
                    if free.is_ok_and(|free| free < bytes) {
                        return Err(needed(&io::Error::from(io::ErrorKind::StorageFull)));
                    }
                }
                Err(error) => return Err(needed(&io::Error::from(error))),
            }
        }
        file.set_len(bytes).map_err(|error| needed(&error))
    }
    #[cfg(not(unix))]
    file.set_len(bytes).map_err(|error| format!("{bytes} bytes are needed: {error}"))
}
