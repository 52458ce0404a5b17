//! libstride from Zig.
//!
//!     var failure: stride.Failure = .{};
//!     const image = try stride.Layout.init(stride.c.STRIDE_DTYPE_U8, &.{ 300, 451, 3 }, &failure);
//!     const planes = try (try image.flip(&.{1}, &failure)).permute(&.{ 2, 0, 1 }, &failure);
//!     try stride.copy(null, dst, &planes, src, &failure);
//!     try (try stride.Plan.init(null, &planes, &failure)).run(4, dst, src, &failure);
//!
//! `c` is stride.h by `zig translate-c`, all of it. A Zig error has no room for numbers or a sentence: what is in the
//! library's record goes to a `Failure` of the caller, or nowhere where that is null.

const std = @import("std");
pub const c = @import("c");

pub const Error = error{
    NullPointer,
    InvalidArgument,
    InvalidDtype,
    InvalidRank,
    InvalidSize,
    InvalidStride,
    InvalidAxes,
    InvalidTile,
    IndexOutOfRange,
    Overflow,
    ShapeMismatch,
    BroadcastMismatch,
    DtypeMismatch,
    OutOfBounds,
    Overlap,
    ScratchNeeded,
    Parse,
    Unsupported,
    NotRepresentable,
    Undecided,
    /// A status of a later version.
    Unknown,
};

fn errorOf(status: c.stride_status) Error {
    return switch (status) {
        c.STRIDE_STATUS_NULL_POINTER => error.NullPointer,
        c.STRIDE_STATUS_INVALID_ARGUMENT => error.InvalidArgument,
        c.STRIDE_STATUS_INVALID_DTYPE => error.InvalidDtype,
        c.STRIDE_STATUS_INVALID_RANK => error.InvalidRank,
        c.STRIDE_STATUS_INVALID_SIZE => error.InvalidSize,
        c.STRIDE_STATUS_INVALID_STRIDE => error.InvalidStride,
        c.STRIDE_STATUS_INVALID_AXES => error.InvalidAxes,
        c.STRIDE_STATUS_INVALID_TILE => error.InvalidTile,
        c.STRIDE_STATUS_INDEX_OUT_OF_RANGE => error.IndexOutOfRange,
        c.STRIDE_STATUS_OVERFLOW => error.Overflow,
        c.STRIDE_STATUS_SHAPE_MISMATCH => error.ShapeMismatch,
        c.STRIDE_STATUS_BROADCAST_MISMATCH => error.BroadcastMismatch,
        c.STRIDE_STATUS_DTYPE_MISMATCH => error.DtypeMismatch,
        c.STRIDE_STATUS_OUT_OF_BOUNDS => error.OutOfBounds,
        c.STRIDE_STATUS_OVERLAP => error.Overlap,
        c.STRIDE_STATUS_SCRATCH_NEEDED => error.ScratchNeeded,
        c.STRIDE_STATUS_PARSE => error.Parse,
        c.STRIDE_STATUS_UNSUPPORTED => error.Unsupported,
        c.STRIDE_STATUS_NOT_REPRESENTABLE => error.NotRepresentable,
        c.STRIDE_STATUS_UNDECIDED => error.Undecided,
        else => error.Unknown,
    };
}

/// Why a call failed: printed by {f}, the status and the library's sentence.
pub const Failure = struct {
    record: c.stride_error = .{},

    pub fn format(self: Failure, writer: *std.Io.Writer) std.Io.Writer.Error!void {
        var text: [512]u8 = undefined;
        // A sentence comes in any case: the status of stride_error_format is of no interest.
        _ = c.stride_error_format(&self.record, &text, text.len, null, null);
        try writer.print("{s}: {s}", .{ c.stride_status_name(self.record.status), std.mem.sliceTo(&text, 0) });
    }
};

fn recordOf(failure: ?*Failure) ?*c.stride_error {
    return if (failure) |one| &one.record else null;
}

fn check(status: c.stride_status) Error!void {
    if (status != c.STRIDE_STATUS_OK) return errorOf(status);
}

/// Where each element of a tensor lies; printed by {f}. Views are new layouts.
pub const Layout = struct {
    raw: c.stride_layout,

    pub fn init(dtype: u32, list: []const i64, failure: ?*Failure) Error!Layout {
        return make(dtype, list, null, failure);
    }

    /// Strides in elements, as many as sizes.
    pub fn strided(dtype: u32, list: []const i64, strides_of: []const i64, failure: ?*Failure) Error!Layout {
        std.debug.assert(list.len == strides_of.len);
        return make(dtype, list, strides_of.ptr, failure);
    }

    fn make(dtype: u32, list: []const i64, strides_of: ?[*]const i64, failure: ?*Failure) Error!Layout {
        var out: Layout = undefined;
        try check(c.stride_layout_init(&out.raw, dtype, count(list), list.ptr, strides_of, recordOf(failure)));
        return out;
    }

    pub fn crop(self: *const Layout, starts: []const i64, list: []const i64, failure: ?*Failure) Error!Layout {
        std.debug.assert(starts.len == list.len);
        var out: Layout = undefined;
        const record = recordOf(failure);
        try check(c.stride_layout_crop(&self.raw, count(list), starts.ptr, list.ptr, &out.raw, record));
        return out;
    }

    pub fn flip(self: *const Layout, axes: []const i64, failure: ?*Failure) Error!Layout {
        var out: Layout = undefined;
        try check(c.stride_layout_flip(&self.raw, count(axes), axes.ptr, &out.raw, recordOf(failure)));
        return out;
    }

    pub fn permute(self: *const Layout, axes: []const i64, failure: ?*Failure) Error!Layout {
        var out: Layout = undefined;
        try check(c.stride_layout_permute(&self.raw, count(axes), axes.ptr, &out.raw, recordOf(failure)));
        return out;
    }

    pub fn packedLike(self: *const Layout, failure: ?*Failure) Error!Layout {
        var out: Layout = undefined;
        try check(c.stride_layout_packed_like(&self.raw, &out.raw, recordOf(failure)));
        return out;
    }

    pub fn minBytes(self: *const Layout, failure: ?*Failure) Error!usize {
        var bytes: u64 = undefined;
        try check(c.stride_layout_min_bytes(&self.raw, &bytes, recordOf(failure)));
        return @intCast(bytes);
    }

    pub fn sizes(self: *const Layout) []const i64 {
        return self.raw.sizes[0..self.raw.rank];
    }

    pub fn strides(self: *const Layout) []const i64 {
        return self.raw.strides[0..self.raw.rank];
    }

    pub fn format(self: Layout, writer: *std.Io.Writer) std.Io.Writer.Error!void {
        var text: [4096]u8 = undefined; // 64 sizes and strides of 20 digits fit
        var failure: Failure = .{};
        const status = c.stride_layout_format(&self.raw, &text, text.len, null, &failure.record);
        if (status != c.STRIDE_STATUS_OK) return writer.print("{f}", .{failure});
        try writer.writeAll(std.mem.sliceTo(&text, 0));
    }
};

fn count(list: []const i64) u32 {
    return @intCast(list.len);
}

fn rawOf(layout: ?*const Layout) ?*const c.stride_layout {
    return if (layout) |one| &one.raw else null;
}

/// Copies every element of `src` to the element of `dst` with the same index. One layout may be null: that side is
/// packed.
pub fn copy(
    dst_layout: ?*const Layout,
    dst: []u8,
    src_layout: ?*const Layout,
    src: []const u8,
    failure: ?*Failure,
) Error!void {
    const record = recordOf(failure);
    try check(c.stride_copy(rawOf(dst_layout), dst.ptr, dst.len, rawOf(src_layout), src.ptr, src.len, null, record));
}

/// A copy that is prepared once.
pub const Plan = struct {
    raw: c.stride_plan,

    pub fn init(dst_layout: ?*const Layout, src_layout: ?*const Layout, failure: ?*Failure) Error!Plan {
        var out: Plan = undefined;
        try check(c.stride_plan_init(&out.raw, rawOf(dst_layout), rawOf(src_layout), null, recordOf(failure)));
        return out;
    }

    /// Runs one of `parts` parts.
    pub fn runPart(
        self: *const Plan,
        dst: []u8,
        src: []const u8,
        part: u32,
        parts: u32,
        failure: ?*Failure,
    ) Error!void {
        const record = recordOf(failure);
        try check(c.stride_plan_execute_part(&self.raw, dst.ptr, dst.len, src.ptr, src.len, part, parts, record));
    }

    /// Runs a part on each of so many threads, all of which have ended when it returns.
    pub fn run(
        self: *const Plan,
        comptime threads: u32,
        dst: []u8,
        src: []const u8,
        failure: ?*Failure,
    ) (Error || std.Thread.SpawnError)!void {
        const Part = struct {
            failure: Failure = .{},
            result: Error!void = {},

            fn run(part: *@This(), plan: *const Plan, to: []u8, from: []const u8, number: u32) void {
                part.result = plan.runPart(to, from, number, threads, &part.failure);
            }
        };
        var parts: [threads]Part = @splat(.{});
        {
            var running: [threads]std.Thread = undefined;
            var begun: u32 = 0;
            defer for (running[0..begun]) |thread| thread.join();
            while (begun < threads) : (begun += 1) {
                running[begun] = try std.Thread.spawn(.{}, Part.run, .{ &parts[begun], self, dst, src, begun });
            }
        }
        for (&parts) |*part| part.result catch |failed| {
            if (failure) |one| one.* = part.failure;
            return failed;
        };
    }
};
