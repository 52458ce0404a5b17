// libstride from Node, by koffi.
//
//   const image = Layout.packed('u8', [300, 451, 3]);
//   const planes = image.crop([38, 113, 0], [224, 224, 3]).flip(1).permute(2, 0, 1);
//   copy(null, dst, planes, src);                            // dst and src are Buffers or other typed arrays
//   copy(null, dst, planes.runs(0, [2, 1, 0, -1]), src, { fill: [255] });
//   const floats = Layout.packed('f32', planes.sizes);
//   copy(floats, dst, planes, src, { convert: { subtract: 127.5, scale: 1 / 128 } });
//   await new Plan(null, planes).run(dst, src, { threads: 4 });
//
// `C` has every function and constant of the headers under its C name, made at start from stride.json. PREFIX says
// where libstride is installed. Structs are Buffers, whose fields lie where stride.json says, so nothing is converted
// at a call, and what a function did not write stays as it was.

import { readFileSync } from 'node:fs';
import koffi from 'koffi';

const prefix = process.env.PREFIX ?? '/usr/local';
const description = JSON.parse(readFileSync(`${prefix}/share/stride/stride.json`, 'utf8'));
const library = koffi.load(`${prefix}/lib/libstride.${process.platform === 'darwin' ? 'dylib' : 'so'}`);

export const C = {};
for (const { name, value } of description.constants) C[name] = value;
const types = new Map(description.types.map(({ name, type }) => [name, type]));
types.set('const char *', 'str').set('ptrdiff_t', 'intptr_t'); // koffi does not know ptrdiff_t
const typeOf = (text) => types.get(text) ?? (text.endsWith('*') ? 'void *' : text);
for (const { name, returns, parameters } of description.functions) {
  // A text that is given is bytes with a length; one that is returned ends with a zero.
  const taken = parameters.map(({ type }) => (type === 'const char *' ? 'void *' : typeOf(type)));
  C[name] = library.func(name, typeOf(returns), taken);
}
if (C.stride_abi_version() !== description.abi_version) throw new Error('stride.json is of another version');

const model = koffi.sizeof('void *') === 8 ? '64' : '32';
const structs = new Map(description.structs.map((struct) => [struct.name, struct]));
const struct = (name) => Buffer.alloc(structs.get(name).size[model]);
const offsetOf = (name, field) => structs.get(name).fields.find((one) => one.name === field).offset[model];
const int64s = (list) => BigInt64Array.from(list, BigInt);
const layoutFields = Object.fromEntries(
  ['dtype', 'rank', 'offset', 'sizes', 'strides'].map((field) => [field, offsetOf('stride_layout', field)]),
);

// That of the library, which counts 10000 * major + 100 * minor + patch.
export function version() {
  const number = C.stride_version();
  return [Math.floor(number / 10000), Math.floor(number / 100) % 100, number % 100].join('.');
}

// The text that write(buffer, capacity, length) writes, asked for its length first.
function text(write) {
  const length = new BigUint64Array(1);
  write(null, 0, length);
  const buffer = Buffer.alloc(Number(length[0]) + 1);
  write(buffer, buffer.length, null);
  return buffer.toString('utf8', 0, buffer.length - 1);
}

// An error of the library: `message` is its sentence, `status` the word, such as 'OUT_OF_BOUNDS'. `record` is the
// stride_error.
export class StrideError extends Error {
  constructor(record) {
    // A sentence comes in any case: the status of stride_error_format is of no interest.
    super(text((...buffer) => C.stride_error_format(record, ...buffer, null)));
    this.name = 'StrideError';
    this.record = record;
    this.status = C.stride_status_name(record.readInt32LE(offsetOf('stride_error', 'status')));
  }
}

// Calls a function whose last parameter is the record of an error, and throws that.
function call(name, ...args) {
  const record = struct('stride_error');
  if (C[name](...args, record) !== C.STRIDE_STATUS_OK) throw new StrideError(record);
}

// Runs it on a thread of Node's pool. Whoever calls leaves the memory alone until the promise is settled.
function callAsync(name, ...args) {
  const record = struct('stride_error');
  return new Promise((resolve, reject) => {
    C[name].async(...args, record, (failure, status) => {
      if (failure) reject(failure);
      else if (status !== C.STRIDE_STATUS_OK) reject(new StrideError(record));
      else resolve();
    });
  });
}

function sameLength(lhs, rhs) {
  if (lhs.length !== rhs.length) throw new RangeError(`one list has ${lhs.length} entries, the other ${rhs.length}`);
}

// One side of a copy: a layout, seen plain, through runs of indices, or as a range. It does not change.
export class Side {
  constructor(side, ...borrowed) {
    this.side = side;
    // C has their addresses: they live as long as the struct, which a call holds.
    this.side.borrowed = borrowed;
  }

  // The indices along a dimension, one after the other: [first, step, count], or one index; -1 is the fill value.
  runs(dimension, list) {
    const runs = int64s(list.flatMap((run) => (Array.isArray(run) ? run : [run, 1, 1])));
    if (runs.length !== 3 * list.length) throw new RangeError('a run is an index or [first, step, count]');
    return this.#seen('stride_side_set_runs', dimension, list.length, runs);
  }

  // So many elements from number `first` on in row-major order, as one dimension.
  range(first, count) {
    return this.#seen('stride_side_set_range', first, count);
  }

  #seen(name, ...args) {
    const side = Buffer.from(this.side);
    call(name, side, ...args);
    return new Side(side, this.side.borrowed, args);
  }
}

// The place of each element of a tensor. It does not change: a view is a new one.
export class Layout extends Side {
  constructor(write) {
    const layout = struct('stride_layout');
    write(layout);
    super(struct('stride_side'), layout);
    this.struct = layout;
    call('stride_side_init', this.side, C.STRIDE_SIDE_LAYOUT, layout);
  }

  static packed(dtype, sizes) {
    return Layout.#init(dtype, sizes, null);
  }

  // Strides in elements.
  static strided(dtype, sizes, strides) {
    sameLength(sizes, strides);
    return Layout.#init(dtype, sizes, int64s(strides));
  }

  static #init(dtype, sizes, strides) {
    const code = C[`STRIDE_DTYPE_${dtype.toUpperCase()}`];
    if (code === undefined) throw new TypeError(`${dtype} is no dtype`);
    return new Layout((out) => call('stride_layout_init', out, code, sizes.length, int64s(sizes), strides));
  }

  #view(name, ...args) {
    return new Layout((out) => call(name, this.struct, ...args, out));
  }

  crop(starts, sizes) {
    sameLength(starts, sizes);
    return this.#view('stride_layout_crop', starts.length, int64s(starts), int64s(sizes));
  }

  flip(...axes) {
    return this.#view('stride_layout_flip', axes.length, int64s(axes));
  }

  permute(...axes) {
    return this.#view('stride_layout_permute', axes.length, int64s(axes));
  }

  packedLike() {
    return this.#view('stride_layout_packed_like');
  }

  get rank() {
    return this.struct.readUInt32LE(layoutFields.rank);
  }

  get offset() {
    return Number(this.struct.readBigInt64LE(layoutFields.offset));
  }

  get sizes() {
    return this.#list(layoutFields.sizes);
  }

  get strides() {
    return this.#list(layoutFields.strides);
  }

  #list(start) {
    return Array.from({ length: this.rank }, (_, k) => Number(this.struct.readBigInt64LE(start + 8 * k)));
  }

  get minBytes() {
    const bytes = new BigUint64Array(1);
    call('stride_layout_min_bytes', this.struct, bytes);
    return Number(bytes[0]);
  }

  toString() {
    return text((...buffer) => call('stride_layout_format', this.struct, ...buffer));
  }
}

const structOf = (side) => side?.side ?? null;

// A conversion to (x - subtract) * scale + add if one of the three is given, else to the plain value. Flags are true:
// divide, nearest, saturate, finite, addLast.
function conversionOf(asked) {
  const conversion = struct('stride_conversion');
  C.stride_conversion_init(conversion);
  let flags = 0;
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined || value === false) continue;
    const isNumber = ['subtract', 'scale', 'add'].includes(name);
    const flag = C[`STRIDE_CONVERT_${isNumber ? 'AFFINE' : name.replace('L', '_L').toUpperCase()}`];
    const wanted = isNumber ? 'number' : 'boolean';
    if (!flag || typeof value !== wanted) throw new TypeError(`convert: ${name} must not be ${value}`);
    if (isNumber) conversion.writeDoubleLE(value, offsetOf('stride_conversion', name));
    flags |= flag;
  }
  conversion.writeUInt32LE(flags, offsetOf('stride_conversion', 'flags'));
  return conversion;
}

// The options of a copy: `fill` has the bytes of a fill value, `convert` is as above.
function optionsOf({ fill = [], convert } = {}) {
  const options = struct('stride_copy_options');
  options.writeUInt32LE(options.length, offsetOf('stride_copy_options', 'struct_size'));
  options.subarray(offsetOf('stride_copy_options', 'fill')).subarray(0, 16).set(fill);
  if (convert) {
    options.borrowed = conversionOf(convert); // lives as long as the options, which a call holds
    koffi.encode(options, offsetOf('stride_copy_options', 'conversion'), 'void *', options.borrowed);
  }
  return options;
}

// Copies every element of `src` to the element of `dst` with the same index. One side may be null: it is packed.
export function copy(dstSide, dst, srcSide, src, options) {
  const [to, from] = [structOf(dstSide), structOf(srcSide)];
  call('stride_copy_sides', to, dst, dst.byteLength, from, src, src.byteLength, optionsOf(options));
}

// A copy that is prepared once.
export class Plan {
  constructor(dst, src, options) {
    this.struct = struct('stride_plan');
    call('stride_plan_init_sides', this.struct, structOf(dst), structOf(src), optionsOf(options));
  }

  // Runs so many parts, each on a thread of Node's pool, which has four (UV_THREADPOOL_SIZE). All have ended when the
  // promise is settled; memory must not be touched before.
  async run(dst, src, { threads = 1 } = {}) {
    const parts = Array.from({ length: threads }, (_, part) =>
      callAsync('stride_plan_execute_part', this.struct, dst, dst.byteLength, src, src.byteLength, part, threads),
    );
    const failed = (await Promise.allSettled(parts)).find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  }
}
