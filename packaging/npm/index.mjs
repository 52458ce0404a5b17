// libstride as WebAssembly. index.d.ts says what each part does.
//
// Structs are bytes on JavaScript's side, whose fields lie where interface.mjs says. A call brings what it needs into
// the module's memory, and what was written back out of it.

import { abiVersion, constants, functions, structs } from './interface.mjs';

// i8x16.splat: a host without SIMD128 takes no module that has it, and gets the one without.
const simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11];

async function instantiate() {
  const name = WebAssembly.validate(Uint8Array.from(simd)) ? 'stride.wasm' : 'stride_plain.wasm';
  const url = new URL(name, import.meta.url);
  if (url.protocol !== 'file:') return WebAssembly.instantiateStreaming(fetch(url));
  const { readFile } = await import('node:fs/promises'); // whose fetch takes no files
  return WebAssembly.instantiate(await readFile(url));
}

const { exports: wasm } = (await instantiate()).instance;
if (wasm.stride_abi_version() !== abiVersion) throw new Error('stride.wasm and interface.mjs are of two versions');

export { constants };

// --- Memory of the module ---

// The memory may have grown at any call, and a view of it is then of no length: it is made anew each time.
const bytesAt = (address, length) => new Uint8Array(wasm.memory.buffer, address, length);

function allocate(length) {
  const address = wasm.malloc(length) >>> 0;
  if (!address) throw new RangeError(`there are no ${length} bytes of memory`);
  return address;
}

export class Memory {
  #address;

  constructor(byteLength) {
    if (!(byteLength >= 0 && byteLength <= 0xffffffff)) throw new RangeError(`${byteLength} bytes`);
    this.#address = allocate(byteLength);
    this.byteLength = byteLength;
    this.bytes.fill(0);
  }

  static from(values) {
    const memory = new Memory(values.byteLength);
    memory.bytes.set(bytesOf(values));
    return memory;
  }

  get bytes() {
    if (!this.#address) throw new TypeError('the memory was given back');
    return bytesAt(this.#address, this.byteLength);
  }

  free() {
    wasm.free(this.#address);
    this.#address = 0;
  }
}

// Bytes of the module that someone else keeps.
class Place {
  constructor({ byteOffset, byteLength }) {
    Object.assign(this, { byteOffset, byteLength });
  }

  get bytes() {
    return bytesAt(this.byteOffset, this.byteLength);
  }
}

function bytesOf(given) {
  if (given instanceof Memory || given instanceof Place) return given.bytes;
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  throw new TypeError('memory is a Memory, an ArrayBuffer or a view of one');
}

// --- Calls ---

// One argument as the module takes it; bytes that are not in its memory stay bytes.
function prepare(kind, argument) {
  if (kind === '8') return BigInt(argument);
  if (kind === '4') return Number(argument);
  if (argument === null || argument === undefined) return 0;
  const given = argument instanceof Struct ? argument.struct : bytesOf(argument);
  return given.buffer === wasm.memory.buffer ? given.byteOffset : given;
}

function invoke(name, args) {
  const { parameters, status } = functions[name];
  if (args.length !== parameters.length) throw new TypeError(`${name} takes other arguments than these ${args.length}`);
  // All are looked at before the memory can grow, which takes the views of it away.
  const passed = args.map((argument, k) => prepare(parameters[k], argument));
  const lent = [];
  try {
    passed.forEach((given, k) => {
      if (!(given instanceof Uint8Array)) return;
      passed[k] = allocate(given.byteLength);
      lent.push({ address: passed[k], given, kind: parameters[k] });
      bytesAt(passed[k], given.byteLength).set(given);
    });
    const answer = wasm[name](...passed);
    const written = !status || answer === constants.STRIDE_STATUS_OK ? 'wa' : 'fa';
    for (const { address, given, kind } of lent) {
      if (written.includes(kind)) given.set(bytesAt(address, given.byteLength));
    }
    return answer;
  } finally {
    for (const { address } of lent) wasm.free(address);
  }
}

export function call(name, ...args) {
  if (!functions[name]) throw new TypeError(`there is no function ${name}`);
  if (!functions[name].status) return invoke(name, args);
  const record = new Uint8Array(structs.stride_error.size);
  if (invoke(name, [...args, record]) !== constants.STRIDE_STATUS_OK) throw new StrideError(record);
}

// The text that write(buffer, capacity, length) writes, asked for its length first.
function text(write) {
  const length = new BigUint64Array(1);
  write(null, 0, length);
  const buffer = new Uint8Array(Number(length[0]) + 1);
  write(buffer, buffer.length, null);
  return new TextDecoder().decode(buffer.subarray(0, -1));
}

// A text that ends with 0.
function wordAt(address) {
  const name = new Uint8Array(wasm.memory.buffer, address >>> 0);
  return new TextDecoder().decode(name.subarray(0, name.indexOf(0)));
}

export function consumerName(consumer) {
  const address = wasm.stride_consumer_name(consumer);
  return address ? wordAt(address) : null;
}

export class StrideError extends Error {
  constructor(bytes) {
    // A sentence comes in any case: the status of stride_error_format is of no interest.
    super(text((...buffer) => invoke('stride_error_format', [bytes, ...buffer, null])));
    this.name = 'StrideError';
    const names = ['argument', 'dimension', 'item', 'position', 'lhs', 'rhs', 'detail'];
    this.record = Object.fromEntries(names.map((field) => [field, read(bytes, 'stride_error', field)]));
    this.status = wordAt(wasm.stride_status_name(read(bytes, 'stride_error', 'status')));
  }
}

// --- Structs and lists ---

const getters = { uint32_t: 'getUint32', int32_t: 'getInt32', uint64_t: 'getBigUint64', int64_t: 'getBigInt64' };

// Field `field` of a struct, or entry `entry` of a field that has several.
function read(bytes, struct, field, entry = 0) {
  const { type, offset } = structs[struct].fields[field];
  const width = type.endsWith('64_t') ? 8 : 4;
  return new DataView(bytes.buffer, bytes.byteOffset)[getters[type]](offset + width * entry, true);
}

function safe(number) {
  const value = Number(number);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${number} is beyond the integers of a number`);
  return value;
}

const int64s = (list) => BigInt64Array.from(list, BigInt);
const encode = (string) => new TextEncoder().encode(string);

function sameLength(lhs, rhs) {
  if (lhs.length !== rhs.length) throw new RangeError(`one list has ${lhs.length} entries, the other ${rhs.length}`);
}

function dtypeOf(name) {
  const out = new Uint32Array(1);
  const bytes = encode(name);
  call('stride_dtype_parse', bytes, bytes.length, out);
  return out[0];
}

// The 64-bit number that a function writes.
function number64(name, ...args) {
  const out = new BigInt64Array(1);
  call(name, ...args, out);
  return safe(out[0]);
}

// These bytes in the module's memory. `lent` gets what is to be freed after a call.
function bring(bytes, lent) {
  const memory = Memory.from(bytes);
  lent.push(memory);
  return memory;
}

const sideKinds = { stride_layout: 'LAYOUT', stride_xla_shape: 'SHAPE', stride_blocked: 'BLOCKED' };

// One side of a copy: a struct, seen plain, through runs of indices along dimensions, or as a range. Like the struct it
// does not change.
export class Side {
  #seen = [];

  runs(dimension, list) {
    const runs = int64s(list.flatMap((run) => (Array.isArray(run) ? run : [run, 1, 1])));
    if (runs.length !== 3 * list.length) throw new TypeError('a run is an index or [first, step, count]');
    return this.#with('stride_side_set_runs', dimension, list.length, runs);
  }

  range(first, count) {
    return this.#with('stride_side_set_range', first, count);
  }

  #with(...setter) {
    const side = Object.assign(new Side(), { kind: this.kind, struct: this.struct });
    side.#seen = [...this.#seen, setter];
    return side;
  }

  // The stride_side, in the module's memory like all that it points to.
  lend(lent) {
    const side = bring(new Uint8Array(structs.stride_side.size), lent);
    call('stride_side_init', side, constants[`STRIDE_SIDE_${sideKinds[this.kind]}`], bring(this.struct, lent));
    for (const [name, ...args] of this.#seen) {
      call(name, side, ...args.map((argument) => (ArrayBuffer.isView(argument) ? bring(argument, lent) : argument)));
    }
    return side;
  }
}

// Layout, XlaShape and BlockedLayout: a struct that does not change.
class Struct extends Side {
  constructor(write) {
    super();
    this.kind = new.target.kind;
    this.struct = new Uint8Array(structs[this.kind].size);
    write(this.struct);
  }

  get dtype() {
    return text((...buffer) => call('stride_dtype_name', this.field('dtype'), ...buffer));
  }

  get rank() {
    return this.field('rank');
  }

  get sizes() {
    return this.list('sizes');
  }

  field(name, entry) {
    return safe(read(this.struct, this.kind, name, entry));
  }

  list(name) {
    return Array.from({ length: this.rank }, (_, k) => this.field(name, k));
  }
}

export class Layout extends Struct {
  static kind = 'stride_layout';

  static packed(dtype, sizes) {
    return Layout.#init('init', dtype, sizes, null);
  }

  static strided(dtype, sizes, strides) {
    sameLength(sizes, strides);
    return Layout.#init('init', dtype, sizes, int64s(strides));
  }

  static parse(string) {
    const bytes = encode(string);
    return new Layout((out) => call('stride_layout_parse', bytes, bytes.length, out));
  }

  static channelsLast(dtype, sizes) {
    return Layout.#init('init_channels_last', dtype, sizes);
  }

  static pitched(dtype, sizes, axis, pitchBytes) {
    return Layout.#init('init_pitched', dtype, sizes, axis, pitchBytes);
  }

  static #init(name, dtype, sizes, ...rest) {
    const list = [dtypeOf(dtype), sizes.length, int64s(sizes)];
    return new Layout((out) => call(`stride_layout_${name}`, out, ...list, ...rest));
  }

  #view(name, ...args) {
    return new Layout((out) => call(`stride_layout_${name}`, this, ...args, out));
  }

  crop(starts, sizes) {
    sameLength(starts, sizes);
    return this.#view('crop', starts.length, int64s(starts), int64s(sizes));
  }

  flip(...axes) {
    return this.#view('flip', axes.length, int64s(axes));
  }

  permute(...axes) {
    return this.#view('permute', axes.length, int64s(axes));
  }

  reshape(...sizes) {
    return this.#view('reshape', sizes.length, int64s(sizes));
  }

  broadcastTo(...sizes) {
    return this.#view('broadcast_to', sizes.length, int64s(sizes));
  }

  expandDims(...axes) {
    return this.#view('expand_dims', axes.length, int64s(axes));
  }

  select(axis, index) {
    return this.#view('select', axis, index);
  }

  packedLike() {
    return this.#view('packed_like');
  }

  get offset() {
    return this.field('offset');
  }

  get strides() {
    return this.list('strides');
  }

  get minBytes() {
    return number64('stride_layout_min_bytes', this);
  }

  offsetOf(...index) {
    return number64('stride_layout_offset', this, index.length, int64s(index));
  }

  multiIndex(offset) {
    return this.#at(offset, null);
  }

  sharing(offset) {
    const sharing = new BigUint64Array(1);
    this.#at(offset, sharing);
    return safe(sharing[0]);
  }

  #at(offset, sharing) {
    const out = new BigInt64Array(this.rank);
    call('stride_layout_multi_index', this, offset, out.length, out, sharing);
    return Array.from(out, safe);
  }

  toString() {
    return text((...buffer) => call('stride_layout_format', this, ...buffer));
  }
}

// The base of XLA shapes and blocked layouts.
class Shape extends Struct {
  get family() {
    return this.kind === 'stride_xla_shape' ? 'xla' : 'blocked';
  }

  get byteSize() {
    return number64(`${this.kind}_byte_size`, this);
  }

  linearIndex(...index) {
    return number64(`stride_${this.family}_linear_index`, this, index.length, int64s(index));
  }

  multiIndex(position) {
    const out = new BigInt64Array(this.rank);
    call(`stride_${this.family}_multi_index`, this, position, out.length, out);
    return Array.from(out, safe);
  }

  toLayout() {
    return new Layout((out) => call(`stride_layout_from_${this.family}`, this, out));
  }

  toString() {
    return text((...buffer) => call(`${this.kind}_format`, this, ...buffer));
  }
}

export class XlaShape extends Shape {
  static kind = 'stride_xla_shape';

  static parse(string) {
    const bytes = encode(string);
    return new XlaShape((out) => call('stride_xla_shape_parse', bytes, bytes.length, out));
  }

  static fromTag(tag, dtype, sizes) {
    const bytes = encode(tag);
    const rest = [bytes, bytes.length, dtypeOf(dtype), sizes.length, int64s(sizes)];
    return new XlaShape((out) => call('stride_xla_shape_parse_tag', ...rest, out));
  }

  get minorToMajor() {
    return this.list('minor_to_major');
  }

  describe() {
    return text((...buffer) => call('stride_xla_shape_describe', this, ...buffer));
  }
}

export class BlockedLayout extends Shape {
  static kind = 'stride_blocked';

  static parse(string, dtype, sizes) {
    const bytes = encode(string);
    const rest = [bytes, bytes.length, dtypeOf(dtype), sizes.length, int64s(sizes)];
    return new BlockedLayout((out) => call('stride_blocked_parse', ...rest, out));
  }

  get paddedSizes() {
    const out = new BigInt64Array(this.rank);
    call('stride_blocked_padded_sizes', this, out.length, out);
    return Array.from(out, safe);
  }
}

// --- Copies ---

function conversionOf(asked) {
  const { size, fields } = structs.stride_conversion;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  invoke('stride_conversion_init', [bytes]);
  let flags = 0;
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined || value === false) continue;
    const isNumber = ['subtract', 'scale', 'add'].includes(name);
    const flag = constants[`STRIDE_CONVERT_${isNumber ? 'AFFINE' : name.replace('L', '_L').toUpperCase()}`];
    const wanted = isNumber ? 'number' : 'boolean';
    if (!flag || typeof value !== wanted) throw new TypeError(`convert: ${name} must not be ${value}`);
    if (isNumber) view.setFloat64(fields[name].offset, value, true);
    flags |= flag;
  }
  view.setUint32(fields.flags.offset, flags, true);
  return bytes;
}

function optionsOf(options, lent) {
  if (!options) return null;
  const { size, fields } = structs.stride_copy_options;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(fields.struct_size.offset, size, true);
  view.setUint32(fields.flags.offset, options.flags ?? 0, true);
  bytes.set(options.fill ?? [], fields.fill.offset);
  if (options.convert) {
    const conversion = bring(conversionOf(options.convert), lent);
    view.setUint32(fields.conversion.offset, conversion.bytes.byteOffset, true);
  }
  return bytes;
}

// Calls use(dst, src, options) with both sides, and what the options point to, in the module's memory.
function withSides(dst, src, options, use) {
  const lent = [];
  try {
    const [to, from] = [dst, src].map((side) => {
      if (side === null) return null;
      if (side instanceof Side) return side.lend(lent);
      throw new TypeError('a side is a layout, a shape, what their runs and range make, or null');
    });
    use(to, from, optionsOf(options, lent));
  } finally {
    for (const memory of lent) memory.free();
  }
}

export function copy(dst, dstMemory, src, srcMemory, options) {
  // The memory may grow when the sides are brought there, and views of it are then gone.
  const [written, read] = [dstMemory, srcMemory].map((given) => {
    const bytes = bytesOf(given);
    return bytes.buffer === wasm.memory.buffer ? new Place(bytes) : bytes;
  });
  withSides(dst, src, options, (to, from, how) => {
    call('stride_copy_sides', to, written, written.byteLength, from, read, read.byteLength, how);
  });
}

export class Plan {
  constructor(dst, src, options) {
    this.struct = new Uint8Array(structs.stride_plan.size);
    withSides(dst, src, options, (...given) => call('stride_plan_init_sides', this.struct, ...given));
  }

  execute(dst, src, part = 0, parts = 1) {
    call('stride_plan_execute_part', this.struct, dst, dst.byteLength, src, src.byteLength, part, parts);
  }
}

export function version() {
  const number = wasm.stride_version();
  return [Math.floor(number / 10000), Math.floor(number / 100) % 100, number % 100].join('.');
}
