//! The C boundary: one thin file per section of the headers, in their order.
//!
//! Every function does five things, with the tools of `boundary`, `layout` and `status`: check pointers, view
//! the caller's structs, call the core, write the outputs on success, and report the error. Nothing is decided here.
//!
//! The documentation of these files *is* the C headers, so it speaks C and links nowhere. Each header's essay is in the
//! `.txt` of its name. The rules for callers of all functions stand once, in the essay of `stride.h`; a function's
//! `Arrays:` gives the number of entries of each list, its `Requires:` all other conditions. `tests/header` makes
//! headers and `stride.json` of all this.
#![allow(rustdoc::broken_intra_doc_links)] // the docs are C: brackets in them are arrays, not links
#![allow(clippy::missing_safety_doc)] // see above
#![allow(non_camel_case_types)] // the names are C's

mod boundary;
mod numbers;

#[cfg(stride_freestanding)]
mod freestanding;

mod sized;

// include/stride.h

pub mod layout;

pub mod view;

pub mod readings;

pub mod broadcast;

pub mod conversion;

pub mod copy;

pub mod plan;

pub mod sides;

pub mod plan_facts;

pub mod query;

pub mod facts;

pub mod overlap;

pub mod dml;

pub mod status;

pub mod dtype;

pub mod version;

// include/stride_kernels.h

pub mod window;

pub mod compose;

pub mod broadcast_dims;

pub mod runs;

// include/stride_consumers.h

pub mod requirements;

pub mod regions;

// include/stride_machine.h

pub mod machine;

// include/stride_errors.h

pub mod details;

// include/stride_xla.h

pub mod xla;

pub mod xla_blocked;

pub mod xla_buffer;

pub mod xla_rearrange;

pub mod xla_pair;

pub mod pjrt;

// include/stride_interop.h

pub mod dlpack;

pub mod py_buffer;

pub mod ggml;

pub mod fourcc;
pub mod images;

pub mod blocked_layout;
