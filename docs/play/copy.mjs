// The copy between two tensors: planned, described and run by the library.
//
// What moves is seen from outside: the source buffer is filled with the number of each position, as many digits at a
// time as an element holds, and the destination is read after the plan has run.
import { constants, groups } from "./interface.mjs";
import { bytesIn, converting, side, struct } from "./library.mjs";
import { SpecError, layoutOf } from "./spec.mjs";
import { countOf, indexOf, positionOf, positionsOf } from "./tensor.mjs";

const BYTES = 4n << 20n; // of either buffer
const STEPS = 4096; // of a walk
const WORK = 1 << 21; // digits written and read
const OBJECTS = {
  layout: constants.STRIDE_SIDE_LAYOUT,
  shape: constants.STRIDE_SIDE_SHAPE,
  blocked: constants.STRIDE_SIDE_BLOCKED,
};
const KINDS = Object.fromEntries(
  Object.entries(groups.STRIDE_COPY_KIND_).map(([name, [value, doc]]) => [value, [name, doc]]),
);

// A conversion by its formula: `x`, `x / 255`, `(x - 127.5) / 127.5 + 1`; null where bits move.
export function conversionOf(text) {
  if (!text.trim()) return null;
  const number = "(-?\\d+(?:\\.\\d+)?(?:e-?\\d+)?)";
  const form = new RegExp(`^(?:x|\\(x-${number}\\))(?:([*/])${number})?(?:\\+${number})?$`, "i");
  const found = form.exec(text.replace(/\s/g, ""));
  if (!found) throw new SpecError("numbers are x, x / 255, (x - 127.5) / 127.5, x * 2 + 1, and the like");
  const [, subtract = 0, operator, scale = 1, add = 0] = found;
  const { STRIDE_CONVERT_AFFINE: affine, STRIDE_CONVERT_DIVIDE: divide } = constants;
  const flags = found.slice(1).some(Boolean) ? affine | (operator === "/" ? divide : 0) : 0;
  return { flags, subtract: Number(subtract), scale: Number(scale), add: Number(add) };
}

const PLAIN = { flags: 0, subtract: 0, scale: 1, add: 0 };

// The plan from `src` to `dst`, its facts, and its text.
export function planOf(library, dst, src, conversion = null) {
  const sides = [dst, src].map(({ kind, raw }) => side(OBJECTS[kind], raw));
  const raw = library.call("stride_plan_init_sides", struct("stride_plan"), ...sides, converting(conversion));
  const facts = library.query("stride_plan_query", raw, "stride_plan_facts");
  return { raw, facts, text: library.say("stride_plan_describe", bytesIn(raw)) };
}

// The facts of a plan as sentences.
export function inWords({ facts }) {
  const [name, doc] = KINDS[facts.kind] ?? ["?", "A kind that this page does not know"];
  const many = (count, one) => `${count} ${one}${count === 1n ? "" : "s"}`;
  const runs = facts.runs
    ? ` ${many(facts.runs, "run")} of ${many(facts.run_bytes, "byte")}, contiguous on both sides.`
    : "";
  return `${name}: ${doc}. ${many(facts.bytes, "byte")} of elements.${runs}`;
}

// The values of both sides by element, before and after the library has converted them; null where it cannot show them.
// Those of the source are made up: from 0 to 255, or to what a few bits hold.
export function valuesOf(library, dst, src, conversion) {
  const count = Number(countOf(src.sizes)),
    top = src.bits < 8 ? 2 ** src.bits : 256;
  if (!count || count > STEPS || dst.bytes > BYTES || src.bytes > BYTES) return null;
  const step = Math.max(1, Math.floor((top - 1) / Math.max(1, count - 1)));
  const run = (to, from, how, bytes) =>
    library.execute(planOf(library, to, from, how).raw, new Uint8Array(Number(to.bytes)), bytes);
  try {
    const doubles = layoutOf(library, constants.STRIDE_DTYPE_F64, src.sizes, null);
    const made = Float64Array.from({ length: count }, (_, k) => (k * step) % top);
    const before = run(src, doubles, PLAIN, new Uint8Array(made.buffer));
    const after = run(dst, src, conversion, before);
    const read = (from, bytes) => new Float64Array(run(doubles, from, PLAIN, bytes).buffer);
    return { src: read(src, before), dst: read(dst, after) };
  } catch {
    return null;
  }
}

// What `trace` answers of a copy that converts: by the positions of each index.
export function placed(library, dst, src) {
  const moved = new Int32Array(Number(positionsOf(dst))).fill(-1);
  for (let number = 0n; number < countOf(src.sizes); number++) {
    const [to, from] = [dst, src].map((one) => positionOf(library, one, indexOf(one.sizes, number)));
    moved[to] = Number(from);
  }
  return { moved };
}

// For each position of the destination the position of the source whose element was copied there, -1 where nothing was
// written; or why the copy was not run.
export function trace(library, plan, dst, src) {
  const [to, from] = [dst, src].map((one) => Number(positionsOf(one)));
  const digit = Math.min(src.bits, 32);
  const passes = Math.max(1, Math.ceil(Math.log2(Math.max(2, from)) / digit));
  if (dst.bytes > BYTES || src.bytes > BYTES)
    return { why: `buffers above ${BYTES >> 20n} MiB are planned, not copied` };
  if ((to + from) * (passes + 1) > WORK) return { why: "so many elements are planned, not copied" };
  const bytes = { to: Number(dst.bytes), from: Number(src.bytes) };
  const written = library.execute(plan.raw, new Uint8Array(bytes.to), new Uint8Array(bytes.from).fill(255));
  const swap = ((dst.dtype ^ src.dtype) & constants.STRIDE_DTYPE_SWAPPED) !== 0;
  const places = elements(dst, swap, digit),
    sources = elements(src, false, digit);
  const moved = new Int32Array(to).fill(-1);
  for (let p = 0; p < to; p++) if (places.read(written, p)) moved[p] = 0;
  for (let pass = 0; pass < passes; pass++) {
    const buffer = new Uint8Array(bytes.from),
      scale = 2 ** (digit * pass);
    for (let p = 0; p < from; p++) sources.write(buffer, p, Math.floor(p / scale) % 2 ** digit);
    const found = library.execute(plan.raw, new Uint8Array(bytes.to), buffer);
    for (let p = 0; p < to; p++) if (moved[p] >= 0) moved[p] += places.read(found, p) * scale;
  }
  return { moved };
}

// Reads and writes the low `digit` bits of the element at a position.
function elements({ dtype, bits, kind, shape }, swap, digit) {
  const bytes = bits / 8,
    used = digit / 8;
  if (bits < 8) {
    const high =
      dtype & constants.STRIDE_DTYPE_HIGH_FIRST ||
      (kind === "shape" && shape.flags & constants.STRIDE_XLA_SHAPE_HIGH_FIRST);
    const shift = (p) => (high ? 8 - bits - ((p * bits) % 8) : (p * bits) % 8),
      mask = (1 << bits) - 1;
    return {
      read: (buffer, p) => (buffer[(p * bits) >> 3] >> shift(p)) & mask,
      write: (buffer, p, value) => {
        buffer[(p * bits) >> 3] |= value << shift(p);
      },
    };
  }
  const place = (p, k) => p * bytes + (swap ? bytes - 1 - k : k);
  return {
    read: (buffer, p) => {
      let value = 0;
      for (let k = used - 1; k >= 0; k--) value = value * 256 + buffer[place(p, k)];
      return value;
    },
    write: (buffer, p, value) => {
      for (let k = 0; k < used; k++) [buffer[place(p, k)], value] = [value % 256, Math.floor(value / 256)];
    },
  };
}

const MEASURED = 300; // milliseconds
const FEW = 4096n; // bytes, of which a copy takes no longer than the call

// Why a copy is not measured; null if it can be.
export const unmeasured = ({ facts }, dst, src) =>
  dst.bytes > BYTES || src.bytes > BYTES
    ? `copies above ${BYTES >> 20n} MiB are not measured`
    : facts.bytes
      ? null
      : "no byte moves";

// The time of the copy in words, beside the browser's own copy of as many bytes where that says something: not without
// SIMD128, and not of few bytes.
export function measure(library, plan, dst, src) {
  const bytes = [dst.bytes, src.bytes, plan.facts.bytes].map(Number);
  const [own, plain] = library.times(plan.raw, ...bytes, MEASURED);
  const inUnits = (one) => (one < 1 ? `${(one * 1000).toPrecision(3)} µs` : `${one.toPrecision(3)} ms`);
  const time = `${inUnits(own)} in WebAssembly ${library.simd ? "with" : "without"} SIMD128`;
  if (plan.facts.bytes < FEW) return `${time}; of so few bytes the call is most of it.`;
  if (!library.simd) return `${time}, which this browser lacks: that says little of other machines.`;
  const times = (own / plain).toFixed(1);
  return `${time}, ${times} times as long as this browser's own copy of as many bytes in a row (${inUnits(plain)}).`;
}

// The steps of a walk in the order of the destination's memory: each is { dst, src, count }, positions that follow each
// other on both sides. Element by element each count is 1.
export function steps(moved, byRuns) {
  const found = [];
  for (let p = 0; p < moved.length && found.length < STEPS; p++) {
    if (moved[p] < 0) continue;
    const last = found.at(-1);
    if (byRuns && last && last.dst + last.count === p && last.src + last.count === moved[p]) last.count++;
    else found.push({ dst: p, src: moved[p], count: 1 });
  }
  return found;
}
