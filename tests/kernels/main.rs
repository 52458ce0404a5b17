//! The kernels: which there are, and each one against the definition in its room.

#[cfg(unix)]
mod between_pages;
#[cfg(unix)]
mod far;
#[cfg(unix)]
#[path = "../guarded/mod.rs"]
mod guarded;
mod list;
#[path = "../oracle/mod.rs"]
mod oracle;
#[cfg(unix)]
mod shortcut;
#[cfg(unix)]
mod yard;
