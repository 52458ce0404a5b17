// Where the elements of a tensor lie: from an index to a position in the buffer and back, in words and in rows.
//
// A position counts elements of the buffer; position p begins at bit p * bits.
import { constants } from "./interface.mjs";
import { bytesIn, list64, signed64, word64 } from "./library.mjs";
import { SpecError } from "./spec.mjs";

const LINEAR = {
  layout: "stride_layout_offset",
  shape: "stride_xla_linear_index",
  blocked: "stride_blocked_linear_index",
};
const MULTI = { shape: "stride_xla_multi_index", blocked: "stride_blocked_multi_index" };

export const countOf = (sizes) => sizes.reduce((product, size) => product * size, 1n);
// The first position that an element may lie at.
export function lowestOf({ layout, sizes }) {
  if (!layout || !countOf(sizes)) return 0n;
  const down = layout.strides.map((stride, k) => (stride < 0n ? (sizes[k] - 1n) * stride : 0n));
  return down.reduce((sum, one) => sum + one, layout.offset);
}
export const positionsOf = (tensor) => (tensor.bytes * 8n) / BigInt(tensor.bits);

// The position of an index, from the library.
export function positionOf(library, tensor, index) {
  return library.call(LINEAR[tensor.kind], bytesIn(tensor.raw), tensor.rank, list64(index), signed64());
}

// "byte 20", or "byte 1, bit 4" of elements smaller than a byte.
export function byteText(tensor, position) {
  const bit = position * BigInt(tensor.bits);
  return tensor.bits % 8 ? `byte ${bit / 8n}, bit ${bit % 8n}` : `byte ${bit / 8n}`;
}

// The row-major number of an index, and the index of a number.
export const numberOf = (sizes, index) => sizes.reduce((number, size, k) => number * size + index[k], 0n);
export function indexOf(sizes, number) {
  const index = new Array(sizes.length);
  for (let k = sizes.length - 1; k >= 0; k--) [index[k], number] = [number % sizes[k], number / sizes[k]];
  return index;
}

export const named = (index) => `(${index})`;

// Numbers as a user writes them: with commas or blanks between them, in brackets or not.
export function readList(text) {
  const inside = /^\s*(?:\((.*)\)|\[(.*)\]|(.*?))\s*$/s.exec(text);
  const list = (inside[1] ?? inside[2] ?? inside[3]).trim().replace(/,$/, "").trim();
  const words = list === "" ? [] : list.split(/\s*,\s*|\s+/);
  return words.map((word) => {
    if (!/^[+-]?\d+$/.test(word)) throw new SpecError(word ? `"${word}" is no number` : "a number is missing");
    return BigInt(word);
  });
}

export function readIndex(text, sizes) {
  const index = readList(text);
  if (index.length !== sizes.length)
    throw new SpecError(`an index has a number for each dimension: ${sizes.length}, but here are ${index.length}`);
  index.forEach((one, k) => {
    if (sizes[k] === 0n) throw new SpecError(`dimension ${k} has size 0: there is no index`);
    if (one < 0n || one >= sizes[k])
      throw new SpecError(`dimension ${k}: ${one} is not within 0 to ${sizes[k] - 1n}`);
  });
  return index;
}

// The first index whose element lies at a position, null where none does, and how many share it. `unknown`: that takes
// too long.
export function indexAt(library, { kind, raw, rank }, position) {
  const given = [bytesIn(raw), position, rank, signed64(rank)];
  try {
    if (kind !== "layout") return { index: library.call(MULTI[kind], ...given), sharing: 1n };
    const [index, sharing] = library.call("stride_layout_multi_index", ...given, word64());
    return { index, sharing };
  } catch ({ status }) {
    return { index: null, sharing: 0n, unknown: status === constants.STRIDE_STATUS_UNDECIDED };
  }
}

// --- In words --------------------------------------------------------------------------------------------------------

// How the index becomes a position and a byte, with the numbers of this index.
export function formula(tensor, index, position) {
  const element = tensor.layout ? linear(tensor.layout, index) : digits(tensor, index);
  const sum = element && element.value === position ? `${element.words} = element ${position}` : `element ${position}`;
  const size = tensor.bits % 8 ? `${tensor.bits} bits` : `${tensor.bits / 8} ${tensor.bits === 8 ? "byte" : "bytes"}`;
  return `${sum}; × ${size} = ${byteText(tensor, position)}`;
}

const signed = (stride) => (stride < 0n ? `(${stride})` : `${stride}`);

function linear({ strides, offset }, index) {
  const words = index.map((one, k) => `${one}·${signed(strides[k])}`);
  if (offset || !words.length) words.unshift(`${offset}`);
  return { words: words.join(" + "), value: index.reduce((sum, one, k) => sum + one * strides[k], offset) };
}

// Blocks and tiles: sizes of the packed buffer, outermost first, and the index in them.
function digits(tensor, index) {
  const [sizes, parts] =
    tensor.kind === "blocked" ? blockDigits(tensor.blocks, index) : tileDigits(tensor.shape, index);
  let weight = 1n,
    value = 0n;
  const weights = new Array(sizes.length);
  for (let d = sizes.length - 1; d >= 0; d--) {
    [weights[d], value] = [weight, value + parts[d] * weight];
    weight *= sizes[d];
  }
  const shown = parts.map((part, d) => [part, weights[d], sizes[d]]).filter(([, , size]) => size > 1n);
  const words = shown.map(([part, one]) => `${part}·${one}`).join(" + ") || "0";
  return { words: `(${parts}) in [${sizes}]: ${words}`, value };
}

function blockDigits({ sizes, block_dims: dims, block_steps: steps, block_sizes: given }, index) {
  const whole = given.map((size, b) => size || (sizes[Number(dims[b])] + steps[b] - 1n) / steps[b]);
  return [whole, dims.map((dim, b) => (index[Number(dim)] / steps[b]) % whole[b])];
}

// The rule of the XLA section of stride_xla.h.
function tileDigits(shape, index) {
  const order = shape.minor_to_major.map(Number).reverse();
  let sizes = order.map((dim) => shape.padded_sizes[dim]),
    parts = order.map((dim) => index[dim]),
    at = 0;
  for (const rank of shape.tile_ranks) {
    const tile = shape.tile_sizes.slice(at, (at += rank));
    while (sizes.length < rank) [sizes, parts] = [[1n, ...sizes], [0n, ...parts]];
    const cut = sizes.length - rank,
      [inner, digit, kept] = [sizes.slice(cut), parts.slice(cut), []];
    tile.forEach((size, d) => {
      if (size === BigInt(constants.STRIDE_XLA_TILE_MERGE)) {
        digit[d + 1] += digit[d] * inner[d + 1];
        inner[d + 1] *= inner[d];
      } else kept.push(d);
    });
    const whole = kept.map((d) => (inner[d] + tile[d] - 1n) / tile[d]);
    sizes = [...sizes.slice(0, cut), ...whole, ...kept.map((d) => tile[d])];
    parts = [...parts.slice(0, cut), ...kept.map((d) => digit[d] / tile[d]), ...kept.map((d) => digit[d] % tile[d])];
  }
  return [sizes, parts];
}

// --- In rows ---------------------------------------------------------------------------------------------------------

const FEW = 16n; // positions that stand in one row

// How the buffer is drawn: positions in a row, in a block (0: it is one), and in a tile of a tile (0: there is none).
export function rowsOf(tensor, columns) {
  const most = BigInt(columns),
    all = positionsOf(tensor),
    tile = tileOf(tensor);
  if (tile) return { row: Number(divisor(tile.row, most)), block: Number(tile.block), inner: innerOf(tensor) };
  if (all <= FEW && all <= most) return { row: Math.max(1, Number(all)), block: 0 };
  const strides = tensor.layout
    ? tensor.layout.strides.map((one) => (one < 0n ? -one : one)).filter((one, k) => one > 1n && tensor.sizes[k] > 1n)
    : [];
  strides.sort((a, b) => (a < b ? -1 : 1));
  const fitting = strides.filter((one) => one >= 3n && one <= most);
  const natural = fitting.at(-1) ?? strides.find((one) => one > most) ?? FEW;
  const wide = most < FEW ? most : FEW;
  const each = [1n, 2n, 4n].find((one) => (one * BigInt(tensor.bits)) % 8n === 0n) ?? 8n; // a row begins with a byte
  let row = divisor(natural, most);
  if (row < 3n) row = wide;
  if (row % each) row = row * each > most ? wide - (wide % each) || wide : row * each;
  return { row: Number(2n * row >= wide ? row : row * (wide / row)), block: 0 };
}

// The largest divisor of n that is at most `most`.
function divisor(n, most) {
  for (let d = most < n ? most : n; d > 1n; d--) if (n % d === 0n) return d;
  return 1n;
}

function innerOf({ shape }) {
  if (!(shape?.tile_ranks.length > 1)) return 0;
  const end = shape.tile_ranks.reduce((sum, rank) => sum + rank, 0);
  const last = shape.tile_sizes.slice(end - shape.tile_ranks.at(-1), end);
  return Number(countOf(last.filter((size) => size > 0n)));
}

// The sizes in one tile of a shape, or in the closed blocks.
function tileOf(tensor) {
  if (tensor.layout) return null;
  let inner;
  if (tensor.kind === "shape") {
    const first = tensor.shape.tile_sizes.slice(0, tensor.shape.tile_ranks[0]).filter((size) => size > 0n);
    const [sizes] = tileDigits(tensor.shape, tensor.sizes.map(() => 0n));
    let block = countOf(first),
      d = sizes.length;
    inner = [];
    while (d > 0 && block % sizes[d - 1] === 0n && countOf([sizes[d - 1], ...inner]) <= block)
      inner.unshift(sizes[--d]);
  } else {
    const given = tensor.blocks.block_sizes;
    inner = given.slice(given.lastIndexOf(0n) + 1);
  }
  inner = inner.filter((size) => size > 1n);
  const block = countOf(inner);
  if (block < 2n || block > 1024n) return null;
  let row = 1n;
  while (inner.length && row * inner.at(-1) <= FEW) row *= inner.pop();
  if (inner.length) row *= divisor(inner.pop(), FEW / row);
  return { block, row: row > 1n ? row : block };
}
