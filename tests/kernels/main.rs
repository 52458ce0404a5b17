//! The kernels: which there are, and each one against the definition in its room.

#[cfg(unix)]
mod between_pages;
#[cfg(all(unix, not(miri)))]
mod far;
#[cfg(unix)]
#[path = "../guarded/mod.rs"]
mod guarded;
#[cfg(not(miri))] // it asks for plans, thousands of them, and runs none
mod list;
#[path = "../oracle/mod.rs"]
mod oracle;
#[cfg(unix)]
mod shortcut;
#[cfg(unix)]
mod yard;
