//! The kernels: which there are, and each one against the definition in its room.

mod between_pages;
mod far;
#[path = "../guarded/mod.rs"]
mod guarded;
mod list;
#[path = "../oracle/mod.rs"]
mod oracle;
mod shortcut;
mod yard;
