//! Facts about a plan
//!
//! Numbers about a plan: its kind, the bytes that it reaches in both buffers, the scratch memory that it needs, and the
//! number of threads that it is worth. Nothing here touches tensor memory, and no answer depends on the CPU.
//!
//! Example: a transpose of 4 MiB is worth 32 threads.
//!
//!   int64_t sizes[2] = {1024, 1024}, columns_first[2] = {0, 1};
//!   stride_layout columns; stride_plan plan; stride_plan_facts facts = STRIDE_PLAN_FACTS_INIT;
//!   stride_layout_init_ordered(&columns, STRIDE_DTYPE_F32, 2, sizes, columns_first, NULL);
//!   stride_plan_init(&plan, NULL, &columns, NULL, NULL), stride_plan_query(&plan, &facts, NULL);
//!   assert(facts.kind == STRIDE_COPY_KIND_TRANSPOSE && facts.useful_parts == 32 && facts.dst_end == 4 << 20);

use super::plan::{stride_plan, with_plan};
use super::sized::{SizedOutput, init_sized};
use super::status::{report, stride_error, stride_status};
use crate::copy::nest::Reached;
use crate::error::Argument;
use crate::regions::plan_facts::PlanFacts;

/// No element is copied.
pub const STRIDE_COPY_KIND_NOTHING: u32 = 0;
/// One run that is contiguous on both sides: one memcpy.
pub const STRIDE_COPY_KIND_CONTIGUOUS: u32 = 1;
/// Runs of several elements each.
pub const STRIDE_COPY_KIND_ROWS: u32 = 2;
/// The source repeats one element or run along the fastest dimension of the destination.
pub const STRIDE_COPY_KIND_FILL: u32 = 3;
/// Each side is contiguous along a dimension, but not along the same one.
pub const STRIDE_COPY_KIND_TRANSPOSE: u32 = 4;
/// Element by element.
pub const STRIDE_COPY_KIND_OTHER: u32 = 5;
/// Of a plan: tiles cut it into several copies, each of its own kind.
pub const STRIDE_COPY_KIND_TILED: u32 = 6;
/// Elements below a byte, in runs that are not whole bytes.
pub const STRIDE_COPY_KIND_BITS: u32 = 7;

/// Facts about a plan; begin with STRIDE_PLAN_FACTS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct stride_plan_facts {
    /// sizeof(stride_plan_facts), set by the caller.
    pub struct_size: u32,
    /// STRIDE_COPY_KIND_...
    pub kind: u32,
    /// Bytes of all elements.
    pub bytes: u64,
    /// Runs that are contiguous on both sides; 0 for tiles and bits, where they are not counted.
    pub runs: u64,
    /// Bytes of each run.
    pub run_bytes: u64,
    /// First byte of the destination that is written, from its base pointer; with tiles, the first of their buffer.
    pub dst_lowest: i64,
    /// One past the last byte written; both are 0 if nothing is copied. (STRIDE_COPY_FILL_BUFFER writes all of the
    /// buffer.)
    pub dst_end: i64,
    /// First byte of the source that is read.
    pub src_lowest: i64,
    /// One past the last byte read.
    pub src_end: i64,
    /// The most scratch memory that `stride_plan_execute_scratch` can need, wherever the sides lie.
    pub scratch_bytes: u64,
    /// Parts worth a thread each, at least 1: one for each 128 KiB. More are legal.
    pub useful_parts: u32,
    /// The STRIDE_COPY_... flags with which it was made.
    pub flags: u32,
}

/// STRIDE_PLAN_FACTS_INIT as a function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_facts_init(out: *mut stride_plan_facts) -> stride_status {
    // SAFETY: `out` is null or writable (stride.h, Pointers).
    unsafe { init_sized(out) }
}

/// Writes the facts about a plan. Set `out->struct_size` before the call.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan, or for `struct_size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_query(
    plan: *const stride_plan,
    out: *mut stride_plan_facts,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        with_plan(plan, &mut |plan| {
            let found = PlanFacts::of(plan)?;
            let Reached { dst, src, bytes } = found.reached;
            SizedOutput::new(out, Argument::Out)?.write(&stride_plan_facts {
                struct_size: 0, // stays as it is
                kind: found.class.kind as u32,
                bytes,
                runs: found.class.runs,
                run_bytes: found.class.run_bytes,
                dst_lowest: dst.lowest,
                dst_end: dst.end,
                src_lowest: src.lowest,
                src_end: src.end,
                scratch_bytes: found.scratch_bytes,
                useful_parts: found.useful_parts,
                flags: found.flags,
            });
            Ok(())
        })
    })
}
