//! The kernels: which there are, and each one against the definition in its room.

#[cfg(all(unix, not(miri)))]
mod between_pages;
#[cfg(all(unix, not(miri)))]
mod far;
#[cfg(all(unix, not(miri)))]
#[path = "../guarded/mod.rs"]
mod guarded;
mod list;
#[path = "../oracle/mod.rs"]
mod oracle;
#[cfg(all(unix, not(miri)))]
mod shortcut;
#[cfg(all(unix, not(miri)))]
mod yard;
