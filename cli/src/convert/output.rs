//! A file that is there whole, or not at all.
//!
//! It is written beside its place under a hidden name, gets its space first, is written to the disk and then renamed.
//! An error, SIGINT, SIGTERM or SIGHUP removes it; SIGKILL leaves the hidden one.

use super::map;
use crate::fault::{Fault, Result, printable};
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, NamedTempFile};

/// A file that a signal removes.
struct Unfinished {
    /// The hidden file.
    hidden: PathBuf,
    file: File,
    /// The user's name of it.
    path: PathBuf,
    bar: ProgressBar,
}

static UNFINISHED: Mutex<Option<Unfinished>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<Unfinished>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has a signal remove the hidden file and end the run, with the exit code that a shell gives it.
fn catch_signals() -> io::Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        std::thread::spawn(move || signals.forever().for_each(|signal| end(128 + signal)));
        Ok(())
    }
    #[cfg(not(unix))]
    ctrlc::set_handler(|| end(130)).map_err(io::Error::other)
}

fn end(code: i32) {
    let taken = unfinished().take();
    if let Some(Unfinished { hidden, file, path, bar }) = taken {
        bar.finish_and_clear();
        bar.set_draw_target(ProgressDrawTarget::hidden()); // what still copies draws no other one
        let _ = std::fs::remove_file(hidden);
        leave_to_another(file);
        eprintln!("stride: {}: not written, since a signal ended the run", printable(&path.to_string_lossy()));
    }
    std::process::exit(code)
}

/// Has another process be the last one that has a removed file open. The system frees the room of a file when that one
/// ends: for gigabytes in many pieces this may take longer than anybody waits for a run that was to end.
fn leave_to_another(file: File) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};
        // It reads what this process never writes, and so ends just after it.
        let mut holder = Command::new("cat");
        holder.stdin(Stdio::piped()).stdout(file).stderr(Stdio::null()).process_group(0);
        std::mem::forget(holder.spawn()); // the pipe stays open
    }
    #[cfg(not(unix))]
    drop(file);
}

pub struct Output {
    place: PathBuf,
    file: NamedTempFile,
    /// That of the file which is replaced.
    mode: Option<Permissions>,
}

impl Output {
    /// A file of `bytes` zeros, which [`Output::finish`] puts at `path`. `replaces`: a file there is replaced, and its
    /// mode kept. A signal ends the run and clears the bar.
    pub fn new(path: &Path, bytes: u64, replaces: bool, bar: ProgressBar) -> Result<Self> {
        let fault = |error: io::Error| Fault::file(path, cause(error));
        let place = place(path, replaces)?;
        let mode = place.metadata().ok().map(|about| about.permissions());
        catch_signals().map_err(fault)?;
        let file = {
            let mut unfinished = unfinished(); // held, so that a signal finds no file without its name
            let mut builder = Builder::new();
            builder.prefix(".stride-").suffix(".tmp");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                builder.permissions(mode.clone().unwrap_or(Permissions::from_mode(0o666))); // less the umask
            }
            let file = builder.tempfile_in(folder_of(&place)).map_err(fault)?;
            let (hidden, path) = (file.path().into(), path.into());
            *unfinished = Some(Unfinished { hidden, file: file.as_file().try_clone().map_err(fault)?, path, bar });
            file
        };
        allocate(file.as_file(), bytes).map_err(|why| Fault::file(path, why))?;
        Ok(Self { place, file, mode })
    }

    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Puts it at its place, when all of it is on the disk.
    pub fn finish(self) -> Result<()> {
        let Self { place, file, mode } = self;
        let fault = |error: io::Error| Fault::file(&place, error);
        let replaces = mode.is_some();
        if let Some(mode) = mode {
            file.as_file().set_permissions(mode).map_err(fault)?;
        }
        map::write(file.as_file());
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

/// The path that a file gets: that to which a link leads.
pub fn place(path: &Path, replaces: bool) -> Result<PathBuf> {
    if !path.try_exists().map_err(|error| Fault::file(path, error))? {
        return match path.is_symlink() {
            true => Err(Fault::file(path, "this is a link that leads nowhere")),
            false => Ok(path.into()),
        };
    }
    let place = path.canonicalize().map_err(|error| Fault::file(path, error))?;
    if !place.is_file() {
        return Err(Fault::file(path, "this is no regular file"));
    }
    if replaces { Ok(place) } else { Err(exists(path)) }
}

/// The system's own words: those of tempfile end with the name of the hidden file.
pub fn cause(error: io::Error) -> String {
    let text = error.to_string();
    text.split(" at path ").next().unwrap_or_default().to_owned()
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
                // INVAL is ZFS' answer in FreeBSD before 15.
                Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS | rustix::io::Errno::INVAL) => {
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
