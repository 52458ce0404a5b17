// Binds the library from stride.json alone, no header, by koffi for Node.js.
//
//   node koffi_bind.js LIBRARY          needs: npm install koffi, found through NODE_PATH or node_modules
//
// Types, structs, directions and lengths are taken from the JSON as a generator of bindings would take them.

'use strict';

const fs = require('fs');
const path = require('path');
const koffi = require('koffi');

const include = path.join(__dirname, '..', '..', 'include');
const api = JSON.parse(fs.readFileSync(path.join(include, 'stride.json'), 'utf8'));
const failures = [];

function check(holds, what) {
  if (holds) return;
  failures.push(what);
  console.log('FAILED:', what);
}

// koffi answers 64-bit numbers as Number where they fit and as BigInt where they do not; all are compared as BigInt.
const same = (given, wanted) => given.length === wanted.length && given.every((value, at) => BigInt(value) === BigInt(wanted[at]));

// JSON.parse makes a double of every number, so of the values beyond 2^53 only powers of two survive, as the text says.
// Constants are therefore read again from the text.
function constants() {
  const text = fs.readFileSync(path.join(include, 'stride.json'), 'utf8');
  const values = new Map();
  for (const [, name, value] of text.matchAll(/"name": "(\w+)",\s*"type": "\w+",\s*"value": (-?\d+)/g)) values.set(name, BigInt(value));
  for (const { name, value, type } of api.constants) {
    check(values.has(name) && Number(values.get(name)) === value, `${name} is ${values.get(name)}, JSON ${value}`);
    const [, unsigned, bits] = /^(u|)int(\d+)_t$/.exec(type === 'size_t' ? 'uint64_t' : type);
    const fits = unsigned ? BigInt.asUintN(Number(bits), values.get(name)) : BigInt.asIntN(Number(bits), values.get(name));
    check(fits === values.get(name), `${name} does not fit a ${type}`);
  }
  return (name) => {
    check(values.has(name), `${name} is no constant`);
    return Number(values.get(name));
  };
}

// The C type of a field or a parameter. koffi knows the types of <stdint.h> by name.
const named = new Map();
function typeOf(text) {
  const name = text.replace('const ', '');
  if (name.endsWith('*')) return koffi.pointer(typeOf(name.slice(0, -1).trim()));
  return named.get(name) || name;
}

function bindTypes() {
  koffi.alias('ptrdiff_t', 'intptr_t'); // Of <stddef.h>, which koffi does not know.
  for (const { name, type } of api.types) named.set(name, koffi.alias(name, type));
  for (const { name, fields } of api.structs) {
    const members = fields.map((field) => {
      const type = typeOf(field.type);
      return [field.name, field.entries ? koffi.array(type, field.entries, 'Array') : type];
    });
    named.set(name, koffi.struct(name, Object.fromEntries(members)));
  }
}

function checkStructs() {
  const probe = koffi.struct({ x: 'int64_t' });
  const model = koffi.sizeof('void *') === 8 ? '64' : koffi.alignof(probe) === 8 ? '32' : 'i386';
  for (const { name, size, align, fields } of api.structs) {
    check(koffi.sizeof(name) === size[model], `sizeof ${name} is ${koffi.sizeof(name)}`);
    check(koffi.alignof(name) === align[model], `alignof ${name} is ${koffi.alignof(name)}`);
    for (const field of fields) check(koffi.offsetof(name, field.name) === field.offset[model], `offset of ${name}.${field.name}`);
  }
}

// Every function. A pointer goes the way that the JSON says: koffi copies in, out or both accordingly.
function bindFunctions(file) {
  const library = koffi.load(file);
  const functions = {};
  for (const { name, returns, parameters } of api.functions) {
    const types = parameters.map(({ type, direction }) => {
      const bound = typeOf(type);
      check((direction === undefined) === !type.endsWith('*'), `${name}: a direction is for pointers`);
      return direction === 'out' ? koffi.out(bound) : direction === 'inout' ? koffi.inout(bound) : bound;
    });
    try {
      // koffi makes a string of what a `const char *` function returns.
      functions[name] = library.func(name, returns === 'const char *' ? 'str' : typeOf(returns), types);
    } catch (error) {
      check(false, `${name}: ${error.message}`);
    }
  }
  return functions;
}

// The functions, with a count of the calls and the sections.
function counted(functions) {
  const called = { sections: new Set(), count: 0 };
  for (const { name, section } of api.functions) {
    called[name] = (...given) => {
      called.sections.add(section);
      called.count += 1;
      return functions[name](...given);
    };
  }
  return called;
}

// A struct whose fields are numbers.
function zeroed(struct) {
  return Object.fromEntries(api.structs.find(({ name }) => name === struct).fields.map(({ name }) => [name, 0]));
}

// The examples of the headers, at least one of each section.
function knownAnswers(s, number) {
  const ok = (status) => check(status === number('STRIDE_STATUS_OK'), `call ${s.count}: status ${status}`);
  const [f32, u8, bf16] = ['F32', 'U8', 'BF16'].map((name) => number(`STRIDE_DTYPE_${name}`));
  const layout = {}, other = {}, shape = {}, outShape = {};
  const one = [null], text = Buffer.alloc(200);
  const string = (length) => text.toString('latin1', 0, Number(length));

  // Layouts
  ok(s.stride_layout_init_pitched(layout, u8, 3, [480, 640, 3], 0, 2048, null));
  ok(s.stride_layout_min_bytes(layout, one, null));
  check(same(layout.strides.slice(0, 2), [2048, 3]) && one[0] === 479 * 2048 + 640 * 3, 'Layouts');
  // Views
  ok(s.stride_layout_init(layout, u8, 3, [4, 6, 3], null, null));
  ok(s.stride_layout_crop(layout, 3, [1, 2, 0], [2, 2, 3], other, null));
  ok(s.stride_layout_permute(other, 3, [2, 0, 1], other, null));
  check(other.offset === 24 && same(other.sizes.slice(0, 3), [3, 2, 2]) && same(other.strides.slice(0, 3), [1, 18, 3]), 'Views');
  // Other readings
  ok(s.stride_layout_init(layout, number('STRIDE_DTYPE_U32'), 2, [4, 6], null, null));
  ok(s.stride_layout_reinterpret(layout, u8, layout, null));
  ok(s.stride_layout_select(layout, 0, -1, layout, null));
  check(layout.rank === 1 && layout.offset === 72 && layout.sizes[0] === 24, 'Other readings');
  // Windows, repeats and cuts
  const row = Buffer.from([0, 1, 2, 3, 4]), rolled = Buffer.alloc(5), front = {}, back = {}, first = {}, rest = {};
  ok(s.stride_layout_init(layout, u8, 1, [5], null, null));
  ok(s.stride_layout_cut(layout, 0, 3, front, back, null));
  ok(s.stride_layout_cut(layout, 0, 2, first, rest, null));
  ok(s.stride_copy(first, rolled, 5, back, row, 5, null, null));
  ok(s.stride_copy(rest, rolled, 5, front, row, 5, null, null));
  check(same([...rolled], [3, 4, 0, 1, 2]), 'Windows, repeats and cuts');
  // Composition
  ok(s.stride_layout_init(layout, f32, 2, [4, 6], [8, 1], null));
  ok(s.stride_layout_init(other, f32, 1, [12], [2], null));
  ok(s.stride_layout_compose(layout, other, other, 1, one, null));
  check(one[0] === 2 && same(other.sizes.slice(0, 2), [4, 3]) && same(other.strides.slice(0, 2), [8, 2]), 'Composition');
  // Broadcasting
  ok(s.stride_layout_init(layout, f32, 3, [3, 1, 1], null, null));
  ok(s.stride_layout_broadcast_to(layout, 4, [2, 3, 4, 4], layout, null));
  check(layout.rank === 4 && same(layout.strides.slice(0, 3), [0, 1, 0]), 'Broadcasting');
  // Broadcasting by dimensions
  ok(s.stride_layout_init(layout, f32, 1, [3], null, null));
  ok(s.stride_layout_broadcast_in_dim(layout, 2, [3, 3], 1, [0], layout, null));
  check(same(layout.strides.slice(0, 2), [1, 0]), 'Broadcasting by dimensions');
  // Machines
  const machine = {};
  ok(s.stride_machine_init(machine));
  check(machine.cpu_level === s.stride_cpu_level() && machine.last_cache_bytes >= machine.second_cache_bytes, 'Machines');
  // Copies
  const planes = Buffer.alloc(8), pixels = Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]);
  ok(s.stride_layout_init(layout, u8, 4, [1, 2, 2, 2], null, null));
  ok(s.stride_layout_init_channels_last(other, u8, 4, [1, 2, 2, 2], null));
  ok(s.stride_copy(layout, planes, 8, other, pixels, 8, null, null));
  check(same([...planes], [0, 2, 4, 6, 1, 3, 5, 7]), 'Copies');
  // Conversions
  const conversion = {}, options = {}, doubled = new Float32Array(4);
  ok(s.stride_conversion_init(conversion));
  Object.assign(conversion, { flags: number('STRIDE_CONVERT_AFFINE'), scale: 2, add: 1 });
  ok(s.stride_copy_options_init(options));
  options.conversion = conversion;
  ok(s.stride_layout_init(layout, f32, 1, [4], null, null));
  ok(s.stride_layout_init(other, u8, 1, [4], null, null));
  ok(s.stride_copy(layout, doubled, 16, other, pixels, 8, options, null));
  check(same([...doubled], [1, 3, 5, 7]), 'Conversions');
  // Sides of copies: columns 2, 1, 0 and one of the fill value; a range. A side points to what it is of and to its runs,
  // so all of them are buffers, which stay where they are.
  const [side, seen] = ['stride_side', 'stride_layout'].map((name) => Buffer.alloc(koffi.sizeof(name)));
  const taken = BigInt64Array.of(2n, -1n, 3n, -1n, 0n, 1n);
  ok(s.stride_layout_init(seen, u8, 2, [2, 3], null, null));
  ok(s.stride_side_init(side, number('STRIDE_SIDE_LAYOUT'), seen, null));
  ok(s.stride_side_set_runs(side, 1, 2, taken, null));
  ok(s.stride_copy_sides(null, planes, 8, side, pixels, 6, null, null));
  check(same([...planes], [2, 1, 0, 0, 5, 4, 3, 0]), 'Sides of copies: runs');
  ok(s.stride_layout_init(seen, u8, 2, [2, 3], [1, 2], null));
  ok(s.stride_side_init(side, number('STRIDE_SIDE_LAYOUT'), seen, null));
  ok(s.stride_side_set_range(side, 2, 4, null));
  ok(s.stride_copy_sides(null, planes, 4, side, pixels, 6, null, null));
  check(same([...planes].slice(0, 4), [4, 1, 3, 5]), 'Sides of copies: a range');
  // Plans
  const plan = {}, dst = new Float32Array(4096), src = Float32Array.from({ length: 4096 }, (_, at) => at);
  ok(s.stride_layout_init(layout, f32, 2, [64, 64], null, null));
  ok(s.stride_layout_init_ordered(other, f32, 2, [64, 64], [0, 1], null));
  ok(s.stride_plan_init(plan, other, layout, null, null));
  for (let part = 0; part < 4; part++) ok(s.stride_plan_execute_part(plan, dst, 16384, src, 16384, part, 4, null));
  check(dst.every((value, at) => value === (at % 64) * 64 + Math.floor(at / 64)), 'Plans');
  // Facts about a plan
  const known = zeroed('stride_plan_facts');
  known.struct_size = 80;
  ok(s.stride_plan_query(plan, known, null));
  check(known.kind === number('STRIDE_COPY_KIND_TRANSPOSE') && known.dst_end === 16384, 'Facts about a plan');
  // Your own kernel
  const runs = {}, elements = [null];
  ok(s.stride_layout_init(layout, f32, 2, [2, 3], [4, 1], null));
  ok(s.stride_runs_init(runs, 1, layout, null));
  for (let row = 0; row < 2; row++) {
    ok(s.stride_runs_next(runs, 1, one, elements, null));
    check(one[0] === 16 * row && elements[0] === 3, 'Your own kernel');
  }
  // Copies as data
  const region = {};
  ok(s.stride_layout_init(layout, u8, 3, [240, 424, 2], null, null));
  layout.offset = 848 * 480;
  ok(s.stride_layout_crop(layout, 3, [50, 50, 0], [16, 32, 2], layout, null));
  ok(s.stride_plan_init(plan, null, layout, null, null));
  ok(s.stride_plan_regions(plan, 2, 1, region, one, null));
  check(same([one[0], region.src_offset, region.row_bytes, region.counts[0], region.src_pitches[0]], [1, 449540, 64, 16, 848]), 'Copies as data');
  // Questions about a layout
  const index = [null, null, null];
  ok(s.stride_layout_init(layout, u8, 3, [480, 640, 3], null, null));
  ok(s.stride_layout_offset(layout, 3, [5, 6, 2], one, null));
  check(one[0] === 9620, 'Questions about a layout: offset');
  ok(s.stride_layout_unravel_index(layout, 9620, 3, index, null));
  check(same(index, [5, 6, 2]), 'Questions about a layout: unravel_index');
  // Numbers beyond 2^53 go in and come out whole.
  ok(s.stride_layout_init(layout, u8, 1, [1n << 59n], null, null));
  ok(s.stride_layout_offset(layout, 1, [(1n << 59n) - 1n], one, null));
  check(one[0] === (1n << 59n) - 1n, 'Questions about a layout: 64 bits');
  // Facts. The size goes in, all of it comes out.
  const facts = zeroed('stride_layout_facts');
  facts.struct_size = 80;
  ok(s.stride_layout_init_aligned(layout, u8, 3, [480, 640, 3], 0, 256, null));
  ok(s.stride_layout_query(layout, facts, null));
  check(facts.run_elements === 1920 && facts.row_alignment === 2048 && facts.min_bytes === 479 * 2048 + 1920, 'Facts');
  // Overlap
  ok(s.stride_layout_init(layout, u8, 1, [100], [3], null));
  ok(s.stride_layouts_overlap(layout, 4096, layout, 4097, 0, one, null));
  check(one[0] === 0, 'Overlap');
  // Requirements
  const asked = {};
  ok(s.stride_requirements_init(asked, number('STRIDE_CONSUMER_TMA'), null));
  ok(s.stride_layout_init(layout, bf16, 2, [64, 511], null, null));
  check(s.stride_layout_meets(layout, 0, asked, null) === number('STRIDE_STATUS_NOT_REPRESENTABLE'), 'Requirements: rows of 1022 bytes');
  ok(s.stride_layout_adapt(layout, asked, other, null));
  check(same(other.strides.slice(0, 2), [512, 1]), 'Requirements');
  // DirectML. The descriptor points into the two arrays, so they must stay where they are: typed arrays do.
  const sizes = new Uint32Array(8), strides = new Uint32Array(8), desc = {};
  ok(s.stride_layout_init(layout, f32, 2, [2, 3], [4, 1], null));
  ok(s.stride_layout_to_dml(layout, 4, sizes, strides, desc, one, null));
  ok(s.stride_dml_validate(desc, null));
  check(desc.dimension_count === 4 && desc.total_tensor_size_in_bytes === 28, 'DirectML');
  check(s.stride_dml_calc_buffer_tensor_size(1, 2, [3, 2], [2 ** 31, 1]) === 17179869192, 'DirectML: a size above 32 bits');
  // Errors
  const error = {};
  const status = s.stride_layout_init(layout, f32, 2, [3, -1], null, error);
  check(status === number('STRIDE_STATUS_INVALID_SIZE') && error.status === status, 'Errors: status');
  check(BigInt(error.position) === (1n << 64n) - 1n && same(error.reserved, [0, 0]), 'Errors: position');
  ok(s.stride_error_format(error, text, 200, one, null));
  check(string(one[0]) === 'sizes, dimension 1: size -1 is negative', 'Errors: sentence');
  check(s.stride_status_name(status) === 'INVALID_SIZE', 'Errors: name');
  // Element types
  ok(s.stride_dtype_from_bytes(12, one, null));
  const pixel = one[0];
  ok(s.stride_dtype_bits(pixel, one, null));
  check(one[0] === 96 && pixel === number('STRIDE_DTYPE_BYTES') + 12, 'Element types');
  // Version
  const [major, minor, patch] = api.version.split('.').map(Number);
  check(s.stride_abi_version() === api.abi_version, 'Version: of the interface');
  check(s.stride_version() === major * 10000 + minor * 100 + patch, 'Version');
  // XLA
  ok(s.stride_xla_shape_parse('bf16[30,100]{1,0:T(8,128)}', 26, shape, null));
  ok(s.stride_xla_shape_byte_size(shape, one, null));
  check(one[0] === 32 * 128 * 2, 'XLA: byte_size');
  ok(s.stride_xla_linear_index(shape, 2, [9, 99], one, null));
  check(one[0] === 8 * 128 + 1 * 128 + 99, 'XLA');
  // XLA: blocked formats
  ok(s.stride_xla_shape_init_blocked(shape, f32, 4, [16, 16, 3, 3], null, 3, [1, 0, 1], [4, 16, 4], null));
  ok(s.stride_xla_linear_index(shape, 4, [0, 0, 0, 1], one, null));
  check(one[0] === 256, 'XLA: blocked formats');
  ok(s.stride_xla_shape_parse_tag('hwio', 4, f32, 4, [8, 4, 3, 3], shape, null));
  check(same(shape.minor_to_major.slice(0, 4), [0, 1, 3, 2]), 'XLA: blocked formats: tags');
  // XLA: the buffer of a shape
  ok(s.stride_xla_shape_parse('s32[2,3]{0,1}', 13, shape, null));
  ok(s.stride_layout_from_xla(shape, layout, null));
  check(same(layout.strides.slice(0, 2), [1, 2]), 'XLA: the buffer of a shape');
  // XLA: rearranging shapes
  ok(s.stride_xla_shape_parse('f32[2,3,4]{1,0,2}', 17, shape, null));
  ok(s.stride_xla_shape_permute(shape, 3, [2, 0, 1], shape, null));
  ok(s.stride_xla_shape_format(shape, text, 200, one, null));
  check(string(one[0]) === 'f32[4,2,3]{2,1,0}', 'XLA: rearranging shapes');
  // XLA: two shapes
  ok(s.stride_xla_shape_parse('f32[6,4]{1,0}', 13, shape, null));
  ok(s.stride_xla_shape_parse('f32[2,3,4]{2,1,0}', 17, outShape, null));
  ok(s.stride_xla_reshape_is_bitcast(shape, outShape, one, null));
  check(one[0] === 1, 'XLA: two shapes');
  // Blocked layouts
  const scales = {};
  ok(s.stride_blocked_parse('a/128 b/4 a%32 a/32%4 b%4', 25, u8, 2, [200, 6], scales, null));
  ok(s.stride_blocked_byte_size(scales, one, null));
  check(one[0] === 256 * 8, 'Blocked layouts: byte_size');
  ok(s.stride_blocked_linear_index(scales, 2, [32, 0], one, null));
  check(one[0] === 4, 'Blocked layouts');
  // PJRT
  ok(s.stride_xla_shape_from_pjrt_tiled(shape, bf16, 2, [30, 100], [1, 0], [8, 128], [2], 1, null));
  check(shape.tile_count === 1 && same(shape.tile_sizes.slice(0, 2), [8, 128]), 'PJRT');
  // The one direction that is both: the shape goes in and comes out.
  ok(s.stride_xla_shape_add_tile(shape, 2, [2, 1], null));
  check(shape.tile_count === 2 && same(shape.tile_ranks.slice(0, 2), [2, 2]), 'XLA: in and out');
  // Sides of copies: an XLA shape
  const rows = Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9]), tiles = Buffer.alloc(16);
  const tiled = Buffer.alloc(koffi.sizeof('stride_xla_shape'));
  ok(s.stride_xla_shape_parse('u8[3,3]{1,0:T(2,2)}', 19, tiled, null));
  ok(s.stride_side_init(side, number('STRIDE_SIDE_SHAPE'), tiled, null));
  ok(s.stride_copy_sides(side, tiles, 16, null, rows, 9, null, null));
  check(same([tiles[0], tiles[2], tiles[4], tiles[12]], [1, 4, 3, 9]), 'Sides of copies: an XLA shape');
  // DLPack. The tensor points into the two arrays, as DirectML's descriptor does.
  const tensor = {}, tensorShape = new BigInt64Array(1), tensorStrides = new BigInt64Array(1);
  ok(s.stride_layout_init(layout, f32, 1, [3], null, null));
  layout.offset = 3;
  ok(s.stride_layout_to_dlpack(layout, 1, tensorShape, tensorStrides, tensor, null));
  ok(s.stride_layout_from_dlpack(tensor, other, null));
  check(tensor.byte_offset === 12 && tensor.dtype_bits === 32 && other.offset === 3 && tensorShape[0] === 3n, 'DLPack');
  // Python's buffers
  ok(s.stride_dtype_from_typestr('|V12', 4, one, null));
  check(one[0] === number('STRIDE_DTYPE_BYTES') + 12, "Python's buffers");
  // ggml
  ok(s.stride_layout_from_ggml(2, [64, 2, 1, 1], [18, 36, 72, 72], layout, null));
  check(layout.dtype === number('STRIDE_DTYPE_BYTES') + 18 && same(layout.sizes.slice(0, 4), [1, 1, 2, 2]), 'ggml');
  // Codes of images
  ok(s.stride_image_fourcc('V4L2_PIX_FMT_XBGR32', 19, one, null));
  check(one[0] === number('STRIDE_FOURCC_XR24'), 'Codes of images');
  // Images in planes
  const planeCount = [null], found = [{}, {}, {}, {}];
  ok(s.stride_image_planes(number('STRIDE_FOURCC_NV12'), 5, 3, 0, null, 16, planeCount, found, one, null));
  check(planeCount[0] === 2 && one[0] === 80 && found[1].offset === 48, 'Images in planes');
}

const number = constants();
bindTypes();
checkStructs();
const functions = bindFunctions(process.argv[2]);
const called = counted(functions);
knownAnswers(called, number);
const sections = new Set(api.functions.map(({ section }) => section));
for (const section of sections) check(called.sections.has(section), `section without a call: ${section}`);
console.log(`koffi: ${Object.keys(functions).length} functions bound, ${api.constants.length} constants, `
  + `${api.structs.length} structs, ${called.count} calls in ${called.sections.size} of ${sections.size} sections, `
  + `${failures.length} failures`);
process.exitCode = failures.length ? 1 : 0;
