//! libstride from Zig.
//!
//!     var failure: stride.Failure = .{};
//!     const image = try stride.Layout.init(stride.c.STRIDE_DTYPE_U8, &.{ 300, 451, 3 }, &failure);
//!     const planes = try (try image.flip(&.{1}, &failure)).permute(&.{ 2, 0, 1 }, &failure);
//!     try stride.copy(null, dst, planes.side(), src, .{}, &failure);
//!     try (try stride.Plan.init(null, planes.side(), .{}, &failure)).run(4, dst, src, &failure);
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
    return if (failure) |given| &given.record else null;
}

fn check(status: c.stride_status) Error!void {
    if (status != c.STRIDE_STATUS_OK) return errorOf(status);
}

/// The place of each element of a tensor; printed by {f}. Views are new layouts.
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

    /// All of it as a side of a copy, which borrows the layout.
    pub fn side(self: *const Layout) Side {
        var out: Side = undefined;
        _ = c.stride_side_init(&out.raw, c.STRIDE_SIDE_LAYOUT, &self.raw, null); // fails for null alone
        return out;
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

/// Indices along a dimension: `first`, first + `step`, ...; `count` of them. -1, 0, count of a source: the fill value.
pub const Run = c.stride_index_run;

/// A run of one index.
pub fn one(index: i64) Run {
    return .{ .first = index, .step = 1, .count = 1 };
}

/// One side of a copy: a layout, seen plain, through runs, or as a range. It borrows the layout and the runs.
pub const Side = struct {
    raw: c.stride_side,

    /// The indices along one more dimension are those of the runs, one after the other.
    pub fn runs(self: Side, dimension: u32, list: []const Run, failure: ?*Failure) Error!Side {
        var out = self;
        try check(c.stride_side_set_runs(&out.raw, dimension, @intCast(list.len), list.ptr, recordOf(failure)));
        return out;
    }

    /// So many elements from number `first` on in row-major order, as one dimension.
    pub fn range(self: Side, first: i64, elements: i64, failure: ?*Failure) Error!Side {
        var out = self;
        try check(c.stride_side_set_range(&out.raw, first, elements, recordOf(failure)));
        return out;
    }
};

/// The conversion of each number: (x - subtract) * scale + add where any of these is given, or else the plain value.
pub const Conversion = struct {
    subtract: ?f64 = null,
    scale: ?f64 = null,
    add: ?f64 = null,
    /// STRIDE_CONVERT_... flags.
    flags: u32 = 0,

    fn raw(self: Conversion) c.stride_conversion {
        const given = self.subtract != null or self.scale != null or self.add != null;
        return .{
            .struct_size = @sizeOf(c.stride_conversion),
            .flags = if (given) self.flags | c.STRIDE_CONVERT_AFFINE else self.flags,
            .subtract = self.subtract orelse 0,
            .scale = self.scale orelse 1,
            .add = self.add orelse 0,
        };
    }
};

/// Options of a copy.
pub const Options = struct {
    /// The bytes of the fill value.
    fill: [16]u8 = @splat(0),
    /// With one, the sides may have any dtypes.
    conversion: ?Conversion = null,

    /// `room` keeps the conversion for C until the call has returned.
    fn raw(self: Options, room: *c.stride_conversion) c.stride_copy_options {
        var out: c.stride_copy_options = .{ .struct_size = @sizeOf(c.stride_copy_options), .fill = self.fill };
        if (self.conversion) |given| {
            room.* = given.raw();
            out.conversion = room;
        }
        return out;
    }
};

fn rawOf(side: *const ?Side) ?*const c.stride_side {
    return if (side.*) |*given| &given.raw else null;
}

/// Copies every element of `src` to the element of `dst` with the same index. One side may be null: it is packed.
pub fn copy(
    dst_side: ?Side,
    dst: []u8,
    src_side: ?Side,
    src: []const u8,
    options: Options,
    failure: ?*Failure,
) Error!void {
    const to, const from = .{ rawOf(&dst_side), rawOf(&src_side) };
    var room: c.stride_conversion = undefined;
    const raw = options.raw(&room);
    try check(c.stride_copy_sides(to, dst.ptr, dst.len, from, src.ptr, src.len, &raw, recordOf(failure)));
}

/// A copy that is prepared once.
pub const Plan = struct {
    raw: c.stride_plan,

    pub fn init(dst: ?Side, src: ?Side, options: Options, failure: ?*Failure) Error!Plan {
        var out: Plan = undefined;
        const record = recordOf(failure);
        var room: c.stride_conversion = undefined;
        try check(c.stride_plan_init_sides(&out.raw, rawOf(&dst), rawOf(&src), &options.raw(&room), record));
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
            if (failure) |given| given.* = part.failure;
            return failed;
        };
    }
};
