"""What the Python binders share: stride.json, counted checks, and the examples of the headers as calls with known
answers.

A binder hands over an adaptor with what its tool does in its own way:
    make(type, values)   an array of the C type, of these values (a list) or of so many entries (a number)
    struct(type)         one zeroed struct, whose fields are attributes and which can be passed by pointer
    null                 the null pointer
    memory(struct)       the struct as a `void *`
    text(value)          the bytes of a C string: of an array of char or of what a function returned
    function(name)       the function
"""

import json
import os

INCLUDE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include"))
with open(os.path.join(INCLUDE, "stride.json")) as file:
    API = json.load(file)
HEADERS = [header["name"] for header in API["headers"]]
GUARDS = {name.upper().replace(".", "_") for name in HEADERS}

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def numbers(api):
    """The constants of the JSON; it gives the version's numbers not among them but in a form of its own."""
    known = {of["name"]: of["value"] for of in api["constants"]}
    major, minor, patch = map(int, api["version"].split("."))
    known |= {"STRIDE_VERSION_MAJOR": major, "STRIDE_VERSION_MINOR": minor, "STRIDE_VERSION_PATCH": patch}
    return known | {"STRIDE_VERSION": major * 10000 + minor * 100 + patch, "STRIDE_ABI_VERSION": api["abi_version"]}


def data_model(pointer_size, align_of_int64):
    """The key of this machine in the sizes and offsets of the JSON."""
    return "64" if pointer_size == 8 else "32" if align_of_int64 == 8 else "i386"


def summary(tool, api, counts, calls):
    """The last line of a binder, and its exit status."""
    sections = {of["section"] for of in api["functions"]}
    check(calls.sections == sections, f"sections without a call: {sorted(sections - calls.sections)}")
    print(f"{tool}: {counts}, {calls.count} calls in {len(calls.sections)} of {len(sections)} sections, "
          f"{len(failures)} failures")
    return 1 if failures else 0


class Calls:
    """Calls functions by name and remembers the sections they belong to."""

    def __init__(self, api, adaptor):
        self.section_of = {of["name"]: of["section"] for of in api["functions"]}
        self.adaptor, self.sections, self.count = adaptor, set(), 0

    def __getattr__(self, name):
        def call(*arguments):
            self.sections.add(self.section_of[name])
            self.count += 1
            return self.adaptor.function(name)(*arguments)

        return call


def known_answers(s, of, number):
    """Examples of the headers, at least one of each section. `s`: Calls; `of`: the adaptor; `number`: the constants."""
    null = of.null
    layout, other = of.struct("stride_layout"), of.struct("stride_layout")
    shape, out_shape = of.struct("stride_xla_shape"), of.struct("stride_xla_shape")
    u32, u64, i64 = of.make("uint32_t", 1), of.make("uint64_t", 1), of.make("int64_t", 1)
    text = of.make("char", 200)
    f32, u8, bf16 = number["STRIDE_DTYPE_F32"], number["STRIDE_DTYPE_U8"], number["STRIDE_DTYPE_BF16"]

    def ints(*values):
        return of.make("int64_t", list(values))

    def ok(status):
        check(status == number["STRIDE_STATUS_OK"], f"call {s.count}: status {status}")

    # Layouts
    ok(s.stride_layout_init_pitched(layout, u8, 3, ints(480, 640, 3), 0, 2048, null))
    ok(s.stride_layout_min_bytes(layout, u64, null))
    check(list(layout.strides[0:2]) == [2048, 3] and u64[0] == 479 * 2048 + 640 * 3, "Layouts")
    # Views
    ok(s.stride_layout_init(layout, u8, 3, ints(4, 6, 3), null, null))
    ok(s.stride_layout_crop(layout, 3, ints(1, 2, 0), ints(2, 2, 3), other, null))
    ok(s.stride_layout_permute(other, 3, ints(2, 0, 1), other, null))
    check(other.offset == 24 and other.sizes[0] == 3 and list(other.strides[0:3]) == [1, 18, 3], "Views")
    # Other readings
    ok(s.stride_layout_init(layout, number["STRIDE_DTYPE_U32"], 2, ints(4, 6), null, null))
    ok(s.stride_layout_reinterpret(layout, u8, layout, null))
    ok(s.stride_layout_select(layout, 0, -1, layout, null))
    check(layout.rank == 1 and layout.offset == 72 and layout.sizes[0] == 24, "Other readings")
    # Windows, repeats and cuts
    row = of.make("uint8_t", list(range(5)))
    rolled, front, back, rest = of.make("uint8_t", 5), of.struct("stride_layout"), of.struct("stride_layout"), of.struct("stride_layout")
    ok(s.stride_layout_init(layout, u8, 1, ints(5), null, null))
    ok(s.stride_layout_cut(layout, 0, 3, front, back, null))
    ok(s.stride_layout_cut(layout, 0, 2, other, rest, null))
    ok(s.stride_copy(other, rolled, 5, back, row, 5, null, null))
    ok(s.stride_copy(rest, rolled, 5, front, row, 5, null, null))
    check(list(rolled) == [3, 4, 0, 1, 2], "Windows, repeats and cuts: roll")
    ok(s.stride_layout_window(layout, 1, ints(3), null, null, other, null))
    check(list(other.sizes[0:2]) == [3, 3] and list(other.strides[0:2]) == [1, 1], "Windows, repeats and cuts")
    # Composition
    ok(s.stride_layout_init(layout, f32, 2, ints(4, 6), ints(8, 1), null))
    ok(s.stride_layout_init(other, f32, 1, ints(12), ints(2), null))
    ok(s.stride_layout_compose(layout, other, other, 1, u32, null))
    check(u32[0] == 2 and list(other.sizes[0:2]) == [4, 3] and list(other.strides[0:2]) == [8, 2], "Composition")
    # Broadcasting
    ok(s.stride_layout_init(layout, f32, 3, ints(3, 1, 1), null, null))
    ok(s.stride_layout_broadcast_to(layout, 4, ints(2, 3, 4, 4), layout, null))
    check(layout.rank == 4 and list(layout.strides[0:3]) == [0, 1, 0], "Broadcasting")
    # Broadcasting by dimensions
    ok(s.stride_layout_init(layout, f32, 1, ints(3), null, null))
    ok(s.stride_layout_broadcast_in_dim(layout, 2, ints(3, 3), 1, ints(0), layout, null))
    check(list(layout.strides[0:2]) == [1, 0], "Broadcasting by dimensions")
    # Machines
    machine = of.struct("stride_machine")
    ok(s.stride_machine_init(machine))
    check(machine.cpu_level == s.stride_cpu_level() and machine.last_cache_bytes >= machine.second_cache_bytes, "Machines")
    # Copies
    planes, pixels = of.make("uint8_t", 8), of.make("uint8_t", list(range(8)))
    ok(s.stride_layout_init(layout, u8, 4, ints(1, 2, 2, 2), null, null))
    ok(s.stride_layout_init_channels_last(other, u8, 4, ints(1, 2, 2, 2), null))
    ok(s.stride_copy(layout, planes, 8, other, pixels, 8, null, null))
    check(list(planes) == [0, 2, 4, 6, 1, 3, 5, 7], "Copies")
    # Conversions
    conversion, options, doubled = of.struct("stride_conversion"), of.struct("stride_copy_options"), of.make("float", 4)
    ok(s.stride_conversion_init(conversion))
    conversion.flags, conversion.scale, conversion.add = number["STRIDE_CONVERT_AFFINE"], 2, 1
    ok(s.stride_copy_options_init(options))
    options.conversion = of.pointer(conversion)
    ok(s.stride_layout_init(layout, f32, 1, ints(4), null, null))
    ok(s.stride_layout_init(other, u8, 1, ints(4), null, null))
    ok(s.stride_copy(layout, doubled, 16, other, pixels, 8, options, null))
    check(list(doubled) == [1, 3, 5, 7], "Conversions")
    # Sides of copies: columns 2, 1, 0 and one of the fill value; a range
    side, runs = of.struct("stride_side"), of.make("stride_index_run", 2)
    runs[0].first, runs[0].step, runs[0].count = 2, -1, 3
    runs[1].first, runs[1].step, runs[1].count = -1, 0, 1
    ok(s.stride_layout_init(layout, u8, 2, ints(2, 3), null, null))
    ok(s.stride_side_init(side, number["STRIDE_SIDE_LAYOUT"], of.memory(layout), null))
    ok(s.stride_side_set_runs(side, 1, 2, runs, null))
    ok(s.stride_copy_sides(null, planes, 8, side, pixels, 6, null, null))
    check(list(planes) == [2, 1, 0, 0, 5, 4, 3, 0], "Sides of copies: runs")
    ok(s.stride_layout_init(layout, u8, 2, ints(2, 3), ints(1, 2), null))
    ok(s.stride_side_init(side, number["STRIDE_SIDE_LAYOUT"], of.memory(layout), null))
    ok(s.stride_side_set_range(side, 2, 4, null))
    ok(s.stride_copy_sides(null, planes, 4, side, pixels, 6, null, null))
    check(list(planes)[:4] == [4, 1, 3, 5], "Sides of copies: a range")
    # Plans
    plan = of.struct("stride_plan")
    dst, src = of.make("float", 4096), of.make("float", [float(value) for value in range(4096)])
    ok(s.stride_layout_init(layout, f32, 2, ints(64, 64), null, null))
    ok(s.stride_layout_init_ordered(other, f32, 2, ints(64, 64), ints(0, 1), null))
    ok(s.stride_plan_init(plan, other, layout, null, null))
    for part in range(4):
        ok(s.stride_plan_execute_part(plan, dst, 16384, src, 16384, part, 4, null))
    check(list(dst) == [float(column * 64 + row) for row in range(64) for column in range(64)], "Plans")
    # Facts about a plan
    known = of.struct("stride_plan_facts")
    known.struct_size = 80
    ok(s.stride_plan_query(plan, known, null))
    check(known.kind == number["STRIDE_COPY_KIND_TRANSPOSE"] and known.dst_end == 16384, "Facts about a plan")
    # Your own kernel
    runs = of.struct("stride_runs")
    ok(s.stride_layout_init(layout, f32, 2, ints(2, 3), ints(4, 1), null))
    ok(s.stride_runs_init(runs, 1, layout, null))
    for row in range(2):
        ok(s.stride_runs_next(runs, 1, i64, u64, null))
        check(i64[0] == 16 * row and u64[0] == 3, "Your own kernel")
    # Copies as data
    region = of.struct("stride_region")
    ok(s.stride_layout_init(layout, u8, 3, ints(240, 424, 2), null, null))
    layout.offset = 848 * 480
    ok(s.stride_layout_crop(layout, 3, ints(50, 50, 0), ints(16, 32, 2), layout, null))
    ok(s.stride_plan_init(plan, null, layout, null, null))
    ok(s.stride_plan_regions(plan, 2, 1, region, u64, null))
    check([u64[0], region.src_offset, region.row_bytes, region.counts[0], region.src_pitches[0]] == [1, 449540, 64, 16, 848],
          "Copies as data")
    # Questions about a layout
    index = of.make("int64_t", 3)
    ok(s.stride_layout_init(layout, u8, 3, ints(480, 640, 3), null, null))
    ok(s.stride_layout_offset(layout, 3, ints(5, 6, 2), i64, null))
    ok(s.stride_layout_unravel_index(layout, 9620, 3, index, null))
    check(i64[0] == 9620 and list(index) == [5, 6, 2], "Questions about a layout")
    # Facts
    facts = of.struct("stride_layout_facts")
    facts.struct_size = 80
    ok(s.stride_layout_init_aligned(layout, u8, 3, ints(480, 640, 3), 0, 256, null))
    ok(s.stride_layout_query(layout, facts, null))
    check(facts.run_elements == 1920 and facts.row_alignment == 2048 and facts.min_bytes == 479 * 2048 + 1920, "Facts")
    # Overlap
    ok(s.stride_layout_init(layout, u8, 1, ints(100), ints(3), null))
    ok(s.stride_layouts_overlap(layout, 4096, layout, 4097, 0, u32, null))
    check(u32[0] == 0, "Overlap")
    # Requirements
    asked = of.struct("stride_requirements")
    ok(s.stride_requirements_init(asked, number["STRIDE_CONSUMER_TMA"], null))
    ok(s.stride_layout_init(layout, bf16, 2, ints(64, 511), null, null))
    check(s.stride_layout_meets(layout, 0, asked, null) == number["STRIDE_STATUS_NOT_REPRESENTABLE"], "Requirements: rows of 1022 bytes")
    ok(s.stride_layout_adapt(layout, asked, other, null))
    check(list(other.strides[0:2]) == [512, 1], "Requirements")
    # DirectML
    sizes, strides, desc = of.make("uint32_t", 8), of.make("uint32_t", 8), of.struct("stride_dml_buffer_tensor_desc")
    ok(s.stride_layout_init(layout, f32, 2, ints(2, 3), ints(4, 1), null))
    ok(s.stride_layout_to_dml(layout, 4, sizes, strides, desc, u64, null))
    ok(s.stride_dml_validate(desc, null))
    check(desc.dimension_count == 4 and desc.total_tensor_size_in_bytes == 28, "DirectML")
    wide = s.stride_dml_calc_buffer_tensor_size(1, 2, of.make("uint32_t", [3, 2]), of.make("uint32_t", [2**31, 1]))
    check(wide == 17179869192, "DirectML: a size above 32 bits")
    # Errors
    error = of.struct("stride_error")
    status = s.stride_layout_init(layout, f32, 2, ints(3, -1), null, error)
    check(status == number["STRIDE_STATUS_INVALID_SIZE"] == error.status, "Errors: status")
    ok(s.stride_error_format(error, text, 200, u64, null))
    check(of.text(text) == b"sizes, dimension 1: size -1 is negative", "Errors: sentence")
    check(of.text(s.stride_status_name(status)) == b"INVALID_SIZE", "Errors: name")
    # Element types
    ok(s.stride_dtype_from_bytes(12, u32, null))
    pixel = u32[0]
    ok(s.stride_dtype_bits(pixel, u32, null))
    check(u32[0] == 96 and pixel == number["STRIDE_DTYPE_BYTES"] | 12, "Element types")
    # Version
    check(s.stride_abi_version() == number["STRIDE_ABI_VERSION"], "Version: of the interface")
    check(s.stride_version() == number["STRIDE_VERSION"], "Version")
    # XLA
    ok(s.stride_xla_shape_parse(b"bf16[30,100]{1,0:T(8,128)}", 26, shape, null))
    ok(s.stride_xla_shape_byte_size(shape, u64, null))
    ok(s.stride_xla_linear_index(shape, 2, ints(9, 99), i64, null))
    check(u64[0] == 32 * 128 * 2 and i64[0] == 8 * 128 + 1 * 128 + 99, "XLA")
    # XLA: blocked formats
    ok(s.stride_xla_shape_init_blocked(shape, f32, 4, ints(16, 16, 3, 3), null, 3, ints(1, 0, 1), ints(4, 16, 4), null))
    ok(s.stride_xla_linear_index(shape, 4, ints(0, 0, 0, 1), i64, null))
    ok(s.stride_xla_shape_format_tag(shape, text, 200, u64, null))
    check(i64[0] == 256 and of.text(text) == b"ABcd4b16a4b", "XLA: blocked formats")
    # XLA: the buffer of a shape
    ok(s.stride_xla_shape_parse(b"s32[2,3]{0,1}", 13, shape, null))
    ok(s.stride_layout_from_xla(shape, layout, null))
    check(list(layout.strides[0:2]) == [1, 2], "XLA: the buffer of a shape")
    # XLA: rearranging shapes
    ok(s.stride_xla_shape_parse(b"f32[2,3,4]{1,0,2}", 17, shape, null))
    ok(s.stride_xla_shape_permute(shape, 3, ints(2, 0, 1), shape, null))
    ok(s.stride_xla_shape_format(shape, text, 200, u64, null))
    check(of.text(text) == b"f32[4,2,3]{2,1,0}" and u64[0] == 17, "XLA: rearranging shapes")
    # XLA: two shapes
    ok(s.stride_xla_shape_parse(b"f32[6,4]{1,0}", 13, shape, null))
    ok(s.stride_xla_shape_parse(b"f32[2,3,4]{2,1,0}", 17, out_shape, null))
    ok(s.stride_xla_reshape_is_bitcast(shape, out_shape, u32, null))
    check(u32[0] == 1, "XLA: two shapes")
    # Blocked layouts
    scales = of.struct("stride_blocked")
    ok(s.stride_blocked_parse(b"a/128 b/4 a%32 a/32%4 b%4", 25, u8, 2, ints(200, 6), scales, null))
    ok(s.stride_blocked_byte_size(scales, u64, null))
    ok(s.stride_blocked_linear_index(scales, 2, ints(32, 0), i64, null))
    check(u64[0] == 256 * 8 and i64[0] == 4, "Blocked layouts")
    # PJRT
    tile_dims, tile_dim_sizes = ints(8, 128), of.make("size_t", [2])
    ok(s.stride_xla_shape_from_pjrt_tiled(shape, bf16, 2, ints(30, 100), ints(1, 0), tile_dims, tile_dim_sizes, 1, null))
    check(shape.tile_count == 1 and shape.tile_sizes[1] == 128, "PJRT")
    # Sides of copies: an XLA shape
    rows, tiles = of.make("uint8_t", list(range(1, 10))), of.make("uint8_t", 16)
    ok(s.stride_xla_shape_parse(b"u8[3,3]{1,0:T(2,2)}", 19, shape, null))
    ok(s.stride_side_init(side, number["STRIDE_SIDE_SHAPE"], of.memory(shape), null))
    ok(s.stride_copy_sides(side, tiles, 16, null, rows, 9, null, null))
    check([tiles[0], tiles[2], tiles[4], tiles[12]] == [1, 4, 3, 9], "Sides of copies: an XLA shape")
    # DLPack
    tensor, tensor_shape, tensor_strides = of.struct("stride_dl_tensor"), of.make("int64_t", 1), of.make("int64_t", 1)
    ok(s.stride_layout_init(layout, f32, 1, ints(3), null, null))
    layout.offset = 3
    ok(s.stride_layout_to_dlpack(layout, 1, tensor_shape, tensor_strides, tensor, null))
    ok(s.stride_layout_from_dlpack(tensor, other, null))
    check(tensor.byte_offset == 12 and tensor.dtype_bits == 32 and other.offset == 3 and tensor_shape[0] == 3, "DLPack")
    # Python's buffers
    ok(s.stride_dtype_from_typestr(b"|V12", 4, u32, null))
    ok(s.stride_dtype_to_typestr(u32[0], text, 200, u64, null))
    check(u32[0] == number["STRIDE_DTYPE_BYTES"] | 12 and of.text(text) == b"|V12", "Python's buffers")
    # ggml
    ok(s.stride_layout_from_ggml(2, ints(64, 2, 1, 1), of.make("size_t", [18, 36, 72, 72]), layout, null))
    check(layout.dtype == number["STRIDE_DTYPE_BYTES"] | 18 and list(layout.sizes[0:4]) == [1, 1, 2, 2], "ggml")
    # Codes of images
    ok(s.stride_image_fourcc(b"V4L2_PIX_FMT_XBGR32", 19, u32, null))
    check(u32[0] == number["STRIDE_FOURCC_XR24"], "Codes of images")
    # Images in planes
    layouts = of.make("stride_layout", 4)
    ok(s.stride_image_planes(number["STRIDE_FOURCC_NV12"], 5, 3, 0, null, 16, u32, layouts, u64, null))
    check(u32[0] == 2 and u64[0] == 80 and layouts[1].offset == 48, "Images in planes")
    image = of.struct("stride_image")
    image.struct_size = 112
    image.fourcc, image.width, image.height = number["STRIDE_FOURCC_NV12"], 1920, 1080
    image.height_alignment = 16
    ok(s.stride_image_planes_of(image, u32, layouts, u64, null))
    check(u32[0] == 2 and u64[0] == 1920 * 1632 and layouts[1].sizes[0] == 540, "Images in planes")
