// libstride as WASM, called from JavaScript: the only file that touches its memory.
//
// What a function takes goes into an arena, which is empty again after each call; what it answers is copied out. A
// struct is its bytes (Uint8Array), so nothing that a caller holds is an address.
import { constants, functions, structs, version } from "./interface.mjs";

const ARENA = 1 << 20;
const ROUND = 8; // milliseconds of runs of one plan at least
const NO_POSITION = (1n << 64n) - 1n;
const text = { encode: new TextEncoder(), decode: new TextDecoder() };

// Why a call failed, in the library's words.
export class StrideError extends Error {
  constructor(sentence, record) {
    super(sentence);
    Object.assign(this, record);
  }
}

// i8x16.splat: a browser without SIMD128 takes no module that has it.
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11];

// The file with SIMD where the browser has it; compressed where the browser can unpack it.
export async function load(folder) {
  const name = WebAssembly.validate(Uint8Array.from(SIMD)) ? "stride.wasm" : "stride_plain.wasm";
  let bytes;
  if (typeof DecompressionStream === "function") {
    try {
      const answer = await fetch(new URL(`${name}.gz`, folder));
      if (answer.ok) bytes = await unpacked(new Uint8Array(await answer.arrayBuffer()));
    } catch {
      /* The file as it is follows. */
    }
  }
  if (!bytes) {
    const answer = await fetch(new URL(name, folder));
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
    bytes = await answer.arrayBuffer();
  }
  return new Library(await WebAssembly.compile(bytes));
}

// A server may have unpacked it already.
async function unpacked(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export class Library {
  constructor(module) {
    this.module = module;
    this.start();
    const [major, minor, patch] = version.split(".").map(Number);
    const found = this.wasm.stride_version();
    if (found !== 10000 * major + 100 * minor + patch)
      throw new Error(`stride.wasm is of version ${found}, interface.mjs of ${version}`);
  }

  start() {
    this.wasm = new WebAssembly.Instance(this.module).exports;
    this.arena = this.wasm.malloc(ARENA) >>> 0;
    if (!this.arena) throw new Error("stride.wasm has no memory");
    this.used = 0;
  }

  // --- Memory --------------------------------------------------------------------------------------------------------

  take(bytes) {
    const at = this.arena + this.used;
    this.used += (bytes + 15) & ~15;
    if (this.used > ARENA) throw new Error("the arena is too small");
    return at;
  }

  put(bytes) {
    const at = this.take(bytes.length);
    new Uint8Array(this.wasm.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  bytes(at, length) {
    return new Uint8Array(this.wasm.memory.buffer, at, length).slice();
  }

  // --- Calls ---------------------------------------------------------------------------------------------------------

  // Calls `name` and returns what its outputs hold. An argument is a number, a BigInt, null, or one of the below.
  // `stride_error` comes last in the library's functions and is added here.
  call(name, ...given) {
    this.used = 0;
    const outputs = [],
      kinds = functions[name],
      failing = kinds.length === given.length + 1;
    const values = given.map((one, k) => {
      if (one === null) return 0;
      if (typeof one === "object") {
        const at = one.make(this);
        if (one.read) outputs.push(() => one.read(this, at));
        return at;
      }
      return kinds[k] === "l" ? BigInt.asIntN(64, BigInt(one)) : Number(one);
    });
    const error = failing ? this.take(structs.stride_error.size) : 0;
    let status;
    try {
      status = this.wasm[name](...values, ...(failing ? [error] : []));
    } catch (fault) {
      this.start(); // a trap leaves the memory as it was then
      throw new StrideError(`${name} ended with ${fault.message}`, { status: -1, argument: 0, dimension: -1 });
    }
    if (failing && status !== constants.STRIDE_STATUS_OK) throw this.failure(error);
    return outputs.length === 1 ? outputs[0]() : outputs.map((output) => output());
  }

  failure(error) {
    const record = unpack("stride_error", this.bytes(error, structs.stride_error.size));
    const [buffer, length] = [this.take(1024), this.take(8)];
    this.wasm.stride_error_format(error, buffer, 1024n, length, 0);
    const said = Number(new DataView(this.wasm.memory.buffer).getBigInt64(length, true));
    const position = record.position === NO_POSITION ? null : Number(record.position);
    return new StrideError(text.decode.decode(this.bytes(buffer, Math.min(said, 1023))), { ...record, position });
  }

  // What a function says about an object, in a struct that begins with its size.
  query(name, raw, kind) {
    return unpack(kind, this.call(name, bytesIn(raw), struct(kind, { struct_size: sizeOf(kind) })));
  }

  // A function that writes a text: its name, and what it takes before buffer, capacity and length.
  say(name, ...given) {
    const [buffer, length] = this.call(name, ...given, room(4096), 4096n, word64());
    return text.decode.decode(buffer.subarray(0, Math.min(Number(length), 4095)));
  }

  // What a function answers with a word, which ends with 0.
  word(name, number) {
    const at = this.wasm[name](number) >>> 0;
    const bytes = new Uint8Array(this.wasm.memory.buffer, at);
    return text.decode.decode(bytes.slice(0, bytes.indexOf(0)));
  }

  // --- Copies --------------------------------------------------------------------------------------------------------

  // Runs a plan on copies of two buffers and returns the destination.
  execute(plan, dst, src) {
    this.used = 0;
    const [at, error] = [this.put(plan), this.take(structs.stride_error.size)];
    const [to, from] = [dst, src].map((bytes) => this.wasm.malloc(bytes.length) >>> 0);
    try {
      if (!to || !from) throw new Error("there is no memory for the buffers");
      new Uint8Array(this.wasm.memory.buffer, to, dst.length).set(dst);
      new Uint8Array(this.wasm.memory.buffer, from, src.length).set(src);
      const lengths = [dst, src].map((bytes) => BigInt(bytes.length));
      const status = this.wasm.stride_plan_execute(at, to, lengths[0], from, lengths[1], error);
      if (status !== constants.STRIDE_STATUS_OK) throw this.failure(error);
      return this.bytes(to, dst.length);
    } finally {
      this.wasm.free(to);
      this.wasm.free(from);
    }
  }

  get simd() {
    return this.wasm.stride_cpu_level() === constants.STRIDE_CPU_LEVEL_SIMD128;
  }

  // The least time in milliseconds of a run of a plan, whose sides have so many bytes, and of the browser's own copy of
  // `count` bytes. They alternate for so many milliseconds. A round that is not long beside the clock of a browser only
  // tells that the next one has more runs.
  times(plan, dst, src, count, most) {
    this.used = 0;
    const error = this.take(structs.stride_error.size),
      taken = [];
    const memory = (bytes) => {
      taken.push(this.wasm.malloc(bytes) >>> 0);
      if (!taken.at(-1)) throw new Error("there is no memory for the buffers");
      return taken.at(-1);
    };
    try {
      const given = [this.put(plan), memory(dst), BigInt(dst), memory(src), BigInt(src), error];
      const [to, from] = [memory(count), memory(count)];
      const bytes = new Uint8Array(this.wasm.memory.buffer); // which does not grow from here on
      const own = () => {
        if (this.wasm.stride_plan_execute(...given) !== constants.STRIDE_STATUS_OK) throw this.failure(error);
      };
      const plain = () => bytes.copyWithin(to, from, from + count);
      const all = [own, plain].map((run) => ({ run, runs: 1, least: Infinity }));
      const round = (one) => {
        const begin = performance.now();
        for (let k = 0; k < one.runs; k++) one.run();
        const took = performance.now() - begin;
        if (took < ROUND) one.runs *= took < ROUND / 8 ? 8 : 2;
        else one.least = Math.min(one.least, took / one.runs);
      };
      const begin = performance.now();
      do all.forEach(round);
      while (performance.now() - begin < most || all.some(({ least }) => least === Infinity));
      return all.map(({ least }) => least);
    } finally {
      for (const at of taken) this.wasm.free(at);
    }
  }
}

// --- Arguments -------------------------------------------------------------------------------------------------------

// Inputs: a struct's bytes, a list, a text.
export const bytesIn = (bytes) => ({ make: (library) => library.put(bytes) });
export const list64 = (values) =>
  bytesIn(new Uint8Array(BigInt64Array.from(values, (one) => BigInt.asIntN(64, BigInt(one))).buffer));
export const list32 = (values) => bytesIn(new Uint8Array(Uint32Array.from(values, Number).buffer));
export const textBytes = (words) => text.encode.encode(words);

// Outputs: a struct's bytes, `before` being what it holds already; a word; a list of words.
export const struct = (name, before = {}) => ({
  make: (library) => library.put(pack(name, before)),
  read: (library, at) => library.bytes(at, structs[name].size),
});
const output = (length, read) => ({ make: (library) => library.put(new Uint8Array(length)), read });
export const room = (length) => output(length, (library, at) => library.bytes(at, length));
export const structsOut = (name, count) => {
  const { size } = structs[name];
  return output(size * count, (library, at) =>
    Array.from({ length: count }, (_, k) => library.bytes(at + size * k, size)),
  );
};
const word = (bytes, method) => (count = null) =>
  output(bytes * Math.max(1, count ?? 1), (library, at) => {
    const view = new DataView(library.wasm.memory.buffer);
    const values = Array.from({ length: count ?? 1 }, (_, k) => view[method](at + bytes * k, true));
    return count === null ? values[0] : values;
  });
export const word32 = word(4, "getUint32");
export const word64 = word(8, "getBigUint64");
export const signed64 = word(8, "getBigInt64");

// An input struct with pointers to lists, which lie in the arena as well: a DirectML descriptor.
export const descriptor = (fields, sizes, strides) => ({
  make: (library) => {
    const at = [sizes, strides].map((one) => (one ? list32(one).make(library) : 0));
    return library.put(pack("stride_dml_buffer_tensor_desc", { ...fields, sizes: at[0], strides: at[1] }));
  },
});

// One side of a copy: all of an object, whose bytes lie in the arena as well.
export const side = (kind, raw) => ({
  make: (library) => {
    const of = library.put(raw);
    return library.put(pack("stride_side", { struct_size: sizeOf("stride_side"), kind, range_count: -1, of }));
  },
});

// Options of a copy that converts by { flags, subtract, scale, add }, which lie in the arena as well; null: it moves
// bits.
export const converting = (conversion) =>
  conversion && {
    make: (library) => {
      const numbers = Object.entries(conversion).filter(([field]) => field !== "flags");
      const packed = Object.fromEntries(numbers.map(([field, value]) => [field, bits(value)]));
      const fields = { struct_size: sizeOf("stride_conversion"), ...conversion, ...packed };
      const at = library.put(pack("stride_conversion", fields));
      return library.put(pack("stride_copy_options", { struct_size: sizeOf("stride_copy_options"), conversion: at }));
    },
  };
const bits = (number) => new BigInt64Array(new Float64Array([number]).buffer)[0];

// --- Structs ---------------------------------------------------------------------------------------------------------

const READ = { 1: "getUint8", 4: "getUint32", 8: "getBigInt64" },
  WRITE = { 1: "setUint8", 4: "setUint32", 8: "setBigInt64" };
const SIGNED = new Set(["status", "dimension", "item"]),
  UNSIGNED = new Set(["position", "min_bytes", "packed_bytes"]);

// The fields of a struct; lists are cut to what `counts` says, if it does.
export function unpack(name, bytes, counts = {}) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    out = {};
  for (const [field, [offset, width, entries]] of Object.entries(structs[name].fields)) {
    const one = (k) => {
      if (width === 4 && SIGNED.has(field)) return view.getInt32(offset, true);
      const value = view[READ[width]](offset + width * k, true);
      return UNSIGNED.has(field) ? BigInt.asUintN(64, value) : value;
    };
    out[field] = entries ? Array.from({ length: counts[field] ?? entries }, (_, k) => one(k)) : one(0);
  }
  return out;
}

// A struct with these fields; the others are those of `bytes`, or 0.
export function pack(name, fields, bytes = new Uint8Array(structs[name].size)) {
  const out = bytes.slice(),
    view = new DataView(out.buffer);
  for (const [field, value] of Object.entries(fields)) {
    const [offset, width] = structs[name].fields[field];
    [value].flat().forEach((one, k) => {
      view[WRITE[width]](offset + width * k, width === 8 ? BigInt.asIntN(64, BigInt(one)) : Number(one), true);
    });
  }
  return out;
}

export const sizeOf = (name) => structs[name].size;
