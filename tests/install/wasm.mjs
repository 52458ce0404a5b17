// stride.wasm as JavaScript uses it: it needs nothing, has every function of stride.json and memory to call them with,
// copies, and has the kernels of a level: SIMD128, or SCALAR for hosts without it.
//
//   node tests/install/wasm.mjs STRIDE.WASM STRIDE.JSON LEVEL
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [file, interfaceFile, level] = process.argv.slice(2);
const bytes = readFileSync(file);
const { functions, structs, constants, version } = JSON.parse(readFileSync(interfaceFile, "utf8"));
const module = new WebAssembly.Module(bytes);
assert.deepEqual(WebAssembly.Module.imports(module), []);
const kinds = WebAssembly.Module.exports(module);
const named = (kind) => kinds.filter((one) => one.kind === kind).map((one) => one.name).sort();
assert.deepEqual(named("function"), [...functions.map((one) => one.name), "free", "malloc"].sort());
assert.deepEqual(named("memory"), ["memory"]);
const stride = new WebAssembly.Instance(module).exports;

// What C has in its header.
const constant = (name) => constants.find((one) => one.name === name).value;
const sizeOf = (name) => structs.find((one) => one.name === name).size["32"];

assert.equal(stride.stride_cpu_level(), constant(`STRIDE_CPU_LEVEL_${level}`));

// --- malloc and free -------------------------------------------------------------------------------------------------

const address = (size) => stride.malloc(size) >>> 0; // JavaScript takes what is above 2 GiB for negative
stride.free(0);
const [nothing, nothingElse] = [address(0), address(0)];
assert.ok(nothing && nothingElse && nothing !== nothingElse);
stride.free(nothing);
stride.free(nothingElse);
const before = stride.memory.buffer.byteLength;
for (const size of [0xffffffff, 0xfffffff0, 0xffffffef, 0x80000000, 0x7fffffff, 0x7ffffff0])
  assert.equal(address(size), 0, `${size} bytes`);
assert.equal(stride.memory.buffer.byteLength, before);

// Blocks of every size, taken back in any order: each keeps what was written into it, and the memory does not grow
// when the same is asked again.
function blocks(seed) {
  const random = (below) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % below;
  const held = [];
  for (let step = 0; step < 20000; step++) {
    if (held.length === 200 || (held.length && random(2))) {
      const [{ at, size, value }] = held.splice(random(held.length), 1);
      assert.ok(new Uint8Array(stride.memory.buffer, at, size).every((byte) => byte === value), `the block at ${at}`);
      stride.free(at);
    } else {
      const size = random(random(10) ? 300 : 60000), at = address(size), value = step % 251;
      assert.ok(at && at % 16 === 0 && at + size <= stride.memory.buffer.byteLength, `${size} bytes at ${at}`);
      new Uint8Array(stride.memory.buffer, at, size).fill(value);
      held.push({ at, size, value });
    }
  }
  for (const { at } of held) stride.free(at);
}
blocks(1);
const grown = stride.memory.buffer.byteLength;
for (let round = 0; round < 5; round++) blocks(1);
assert.equal(stride.memory.buffer.byteLength, grown);

// --- A transpose, and what an error says -----------------------------------------------------------------------------

const [major, minor, patch] = version.split(".").map(Number);
assert.equal(stride.stride_version(), 10000 * major + 100 * minor + patch);
const rows = 700, columns = 1000, float = constant("STRIDE_DTYPE_F32");
const count = rows * columns, length = 4 * count;
const [sizes, steps, said] = [16, 16, 8].map(address);
const [from, to, error] = ["stride_layout", "stride_layout", "stride_error"].map(sizeOf).map(address);
const [src, dst, why] = [length, length, 256].map(address);
// Views are made after the last malloc: memory that grows is another buffer.
const { buffer } = stride.memory;
new BigInt64Array(buffer, sizes, 2).set([BigInt(rows), BigInt(columns)]);
new BigInt64Array(buffer, steps, 2).set([1n, BigInt(rows)]); // column by column
const elements = Float32Array.from({ length: count }, (_, index) => index);
new Float32Array(buffer, src, count).set(elements);
const ok = constant("STRIDE_STATUS_OK");
assert.equal(stride.stride_layout_init(from, float, 2, sizes, 0, error), ok);
assert.equal(stride.stride_layout_init(to, float, 2, sizes, steps, error), ok);
assert.equal(stride.stride_copy(to, dst, BigInt(length), from, src, BigInt(length), 0, error), ok);
const transposed = elements.map((_, index) => elements[(index % rows) * columns + Math.floor(index / rows)]);
assert.deepEqual(new Float32Array(buffer, dst, count), transposed);

const status = stride.stride_copy(to, dst, BigInt(length), from, src, BigInt(length - 4), 0, error);
assert.equal(status, constant("STRIDE_STATUS_OUT_OF_BOUNDS"));
assert.equal(stride.stride_error_format(error, why, 256n, said, 0), ok);
const text = new TextDecoder().decode(new Uint8Array(buffer, why, Number(new BigInt64Array(buffer, said, 1)[0])));
assert.equal(text, `src_bytes: ${length} bytes are needed, but the buffer has ${length - 4}`);
for (const one of [sizes, steps, said, from, to, error, src, dst, why]) stride.free(one);

const all = `${bytes.length} bytes, ${functions.length} functions, malloc and free`;
console.log(`${file.split("/").at(-1)} (${level}): ${all}; ${rows} x ${columns} transposed`);
