//! The centre of a photograph, mirrored, as planes; into rows of 256 bytes on four threads, and back;
//! as pixels for a screen; one piece; as numbers for a network; two errors.
//!
//!     photo PHOTO.ppm

const std = @import("std");
const stride = @import("stride.zig");

/// The numbers of a binary PPM picture and where its pixels begin.
const Picture = struct {
    height: i64,
    width: i64,
    pixels: []const u8,

    fn parse(content: []const u8) !Picture {
        var words = std.mem.tokenizeAny(u8, content, " \t\r\n");
        if (!std.mem.eql(u8, words.next() orelse "", "P6")) return error.NoPicture;
        const width = try std.fmt.parseInt(i64, words.next() orelse "", 10);
        const height = try std.fmt.parseInt(i64, words.next() orelse "", 10);
        if (try std.fmt.parseInt(i64, words.next() orelse "", 10) != 255) return error.NoPicture;
        return .{ .height = height, .width = width, .pixels = content[words.index + 1 ..] };
    }
};

const sum = std.hash.Adler32.hash;

pub fn main(init: std.process.Init) !void {
    var buffer: [1024]u8 = undefined;
    var stdout = std.Io.File.stdout().writerStreaming(init.io, &buffer);
    const out = &stdout.interface;
    const memory = init.arena.allocator();
    const arguments = try init.minimal.args.toSlice(memory);
    if (arguments.len != 2) return error.Usage;

    var failure: stride.Failure = .{};
    run(init.io, memory, arguments[1], out, &failure) catch |failed| {
        std.debug.print("photo: {f}\n", .{failure});
        return failed;
    };
    try out.flush();
}

fn run(io: std.Io, memory: std.mem.Allocator, path: []const u8, out: *std.Io.Writer, failure: *stride.Failure) !void {
    const version = stride.c.stride_version();
    try out.print("libstride {d}.{d}.{d}\n", .{ version / 10000, version / 100 % 100, version % 100 });

    const picture = try Picture.parse(try std.Io.Dir.cwd().readFileAlloc(io, path, memory, .unlimited));
    const sizes = [_]i64{ picture.height, picture.width, 3 };
    const image = try stride.Layout.init(stride.c.STRIDE_DTYPE_U8, &sizes, failure);
    const centre = try image.crop(&.{ 38, 113, 0 }, &.{ 224, 224, 3 }, failure);
    const mirrored = try centre.flip(&.{1}, failure);
    const view = try mirrored.permute(&.{ 2, 0, 1 }, failure);
    try out.print("view {f}\n", .{view});

    const packed_planes = try view.packedLike(failure);
    const planes = try memory.alloc(u8, try packed_planes.minBytes(failure));
    try stride.copy(packed_planes.side(), planes, view.side(), picture.pixels, .{}, failure);
    try out.print("planes: {d} bytes, adler32 {x:0>8}\n", .{ planes.len, sum(planes) });

    const threads = 4;
    const pitched_sizes = [_]i64{ 3, 224, 224 };
    const pitched = try stride.Layout.strided(stride.c.STRIDE_DTYPE_U8, &pitched_sizes, &.{ 57344, 256, 1 }, failure);
    const rows = try memory.alloc(u8, try pitched.minBytes(failure));
    @memset(rows, 0);
    const to_rows = try stride.Plan.init(pitched.side(), packed_planes.side(), .{}, failure);
    try to_rows.run(threads, rows, planes, failure);
    try out.print("rows of 256 bytes: {d} bytes, {d} parts on {d} threads, adler32 {x:0>8}\n", .{
        rows.len, threads, threads, sum(rows),
    });

    const back = try memory.alloc(u8, planes.len);
    const from_rows = try stride.Plan.init(packed_planes.side(), pitched.side(), .{}, failure);
    try from_rows.run(threads, back, rows, failure);
    try out.print("brought back: adler32 {x:0>8}\n", .{sum(back)});

    // As a screen takes them: blue, green, red, and a fourth channel that the photograph lacks: the fill value.
    const pixels = try stride.Layout.init(stride.c.STRIDE_DTYPE_U8, &.{ 224, 224, 4 }, failure);
    const screen = try pixels.permute(&.{ 2, 0, 1 }, failure);
    const channels = [_]stride.Run{ stride.one(2), stride.one(1), stride.one(0), stride.one(-1) };
    const four = try view.side().runs(0, &channels, failure);
    const bgra = try memory.alloc(u8, try screen.minBytes(failure));
    try stride.copy(screen.side(), bgra, four, picture.pixels, .{ .fill = @splat(255) }, failure);
    try out.print("BGRA pixels: {d} bytes, adler32 {x:0>8}\n", .{ bgra.len, sum(bgra) });

    // The second piece of the planes, through a buffer that is smaller than they are.
    var piece: [65536]u8 = undefined;
    try stride.copy(null, &piece, try view.side().range(piece.len, piece.len, failure), picture.pixels, .{}, failure);
    try out.print("one piece: {d} bytes, adler32 {x:0>8}\n", .{ piece.len, sum(&piece) });

    // As a network takes them: planes of f32 between -1 and 1.
    const input = try stride.Layout.init(stride.c.STRIDE_DTYPE_F32, &.{ 3, 224, 224 }, failure);
    const numbers = std.mem.sliceAsBytes(try memory.alloc(f32, 3 * 224 * 224));
    const normalised: stride.Conversion = .{ .subtract = 127.5, .scale = 1.0 / 128.0 };
    try stride.copy(input.side(), numbers, view.side(), picture.pixels, .{ .conversion = normalised }, failure);
    try out.print("normalised planes: {d} bytes of f32, adler32 {x:0>8}\n", .{ numbers.len, sum(numbers) });

    const short = planes[0 .. planes.len - 1];
    if (stride.copy(packed_planes.side(), short, view.side(), picture.pixels, .{}, failure)) {
        return error.NothingRefused;
    } else |failed| switch (failed) {
        error.OutOfBounds => try out.print("{f}\n", .{failure.*}),
        else => return failed,
    }
    if (view.permute(&.{ 1, 0 }, failure)) |_| {
        return error.NothingRefused;
    } else |failed| switch (failed) {
        error.InvalidRank => try out.print("{f}\n", .{failure.*}),
        else => return failed,
    }
}
