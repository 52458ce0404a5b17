// The text of a tensor, read and written.
//
//   DTYPE[SIZES]                     packed
//   DTYPE[SIZES]:STRIDES[+OFFSET]    strides and offset in elements, as u8[4,6,3]:18,3,1+0
//   DTYPE[SIZES] strides [STRIDES] offset OFFSET     the same, as the library writes it
//   DTYPE[SIZES]:TAG                 a blocked format's tag, as f32[1,32,8,8]:nChw16c, or blocks, as u8[3,5]:a/2 b a%2
//   DTYPE[SIZES]{LAYOUT}             an XLA shape, as f32[3,5]{1,0:T(2,4)}
//
// A tensor is { kind, raw, dtype, dtypeName, bits, sizes, bytes, layout, why, ... }: `kind` is layout, shape or blocked
// and `raw` the library's struct of that kind; `layout` has the strides, or `why` says why there are none. `bits` are
// those that an element takes in the buffer, `bytes` the length of the buffer.
import { constants } from "./interface.mjs";
import { StrideError, bytesIn, list64, pack, struct, textBytes, unpack, word32, word64 } from "./library.mjs";
import { meant } from "./names.mjs";

const HEAD = /^(\s*)([^[\]{}\s]*)(\s*\[)([^\]]*)\]/;
const LIBRARY = /^(\s*strides\s*\[)([^\]]*)\](?:(\s*offset)(.*))?\s*$/;
const LIMIT = 1n << 63n;

// What is wrong with a text, and where: `start` and `end` are characters of it, or null.
export class SpecError extends Error {
  constructor(sentence, start = null, end = null) {
    super(sentence);
    Object.assign(this, { start, end });
  }
}

export function parse(library, text) {
  try {
    return parsed(library, text);
  } catch (error) {
    if (/unknown dtype/.test(error.message)) error.message += meant(library, HEAD.exec(text)?.[2] ?? "", error.message);
    throw error;
  }
}

function parsed(library, text) {
  const head = HEAD.exec(text);
  const shape = () => within(0, text, () => readShape(library, text));
  if (!head || text.slice(head[0].length).trim().startsWith("{") || /[<?]/.test(head[4])) return shape();
  const dtypeAt = head[1].length,
    sizesAt = dtypeAt + head[2].length + head[3].length;
  const dtype = within(dtypeAt, head[2], () => library.call("stride_dtype_parse", ...texts(head[2]), word32()));
  // The library has no signs and no tabs among sizes; blanks in their place keep the positions.
  const list = `u8[${head[4].replace(/\t/g, " ").replace(/(^|,)(\s*)\+(?=\d)/g, "$1$2 ")}]`;
  const sizes = within(sizesAt - 3, list, () => readShape(library, list, false).sizes);
  const at = { sizes: entries(head[4], sizesAt) };
  const rest = text.slice(head[0].length),
    colon = rest.search(/\S/),
    bodyAt = head[0].length + colon + 1;
  if (colon < 0) return dimensions(at, () => layoutOf(library, dtype, sizes, null));
  const own = LIBRARY.exec(rest);
  if (own) {
    const [, before, strides, middle, offset] = own,
      stridesAt = head[0].length + before.length;
    at.strides = entries(strides, stridesAt);
    const given = readStrides(strides, stridesAt, sizes.length);
    if (middle) given[1] = wholeNumber(offset, stridesAt + strides.length + 1 + middle.length);
    return dimensions(at, () => layoutOf(library, dtype, sizes, ...given));
  }
  if (rest[colon] !== ":")
    throw new SpecError(
      "behind the sizes come `:` with strides, a tag or blocks, `{` with XLA's layout, or `strides [...] offset N`",
      bodyAt - 1,
    );
  const body = rest.slice(colon + 1);
  if (/^[\s\d,+-]*$/.test(body)) {
    const [strides, offset] = readStrides(body, bodyAt, sizes.length);
    at.strides = entries(body.split("+")[0], bodyAt);
    return dimensions(at, () => layoutOf(library, dtype, sizes, strides, offset));
  }
  const words = body.trim(),
    wordsAt = bodyAt + body.indexOf(words);
  const given = [...texts(words), dtype, sizes.length, list64(sizes)];
  return dimensions(at, () =>
    within(wordsAt, words, () =>
      /[\s/%]/.test(words)
        ? blockedTensor(library, library.call("stride_blocked_parse", ...given, struct("stride_blocked")))
        : shapeTensor(library, library.call("stride_xla_shape_parse_tag", ...given, struct("stride_xla_shape"))),
    ),
  );
}

const texts = (words) => [bytesIn(textBytes(words)), textBytes(words).length];

function readShape(library, text, whole = true) {
  return shapeTensor(
    library,
    library.call("stride_xla_shape_parse", ...texts(text), struct("stride_xla_shape")),
    whole,
  );
}

// Strides and offset behind the colon; where they stand in the text.
function readStrides(body, at, rank) {
  const plus = body.indexOf("+");
  const parts = plus < 0 ? body : body.slice(0, plus);
  const given =
    parts.trim() === ""
      ? []
      : entries(parts, at).map(([start, end]) => wholeNumber(parts.slice(start - at, end - at), start));
  if (given.length !== rank)
    throw new SpecError(`there are ${given.length} strides, but ${rank} sizes`, at, at + parts.length);
  return [given, plus < 0 ? 0n : wholeNumber(body.slice(plus + 1), at + plus + 1)];
}

function wholeNumber(word, start) {
  if (!/^\s*[+-]?\d+\s*$/.test(word))
    throw new SpecError("a whole number is expected here", start, start + word.length);
  const value = BigInt(word.trim());
  if (value >= LIMIT || value < -LIMIT)
    throw new SpecError("the number does not fit in 64 bits", start, start + word.length);
  return value;
}

// Where each entry of a list with commas begins and ends.
function entries(list, at) {
  let start = at;
  return list.split(",").map((word) => {
    const found = [start, start + word.length];
    start += word.length + 1;
    return found;
  });
}

// Moves the byte of an error in `part`, which begins at character `start`, to the whole text.
function within(start, part, work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StrideError) || error.position === null || error.position === undefined) throw error;
    const before = new TextDecoder().decode(textBytes(part).subarray(0, error.position)).length;
    // The library counts from the begin of what it was given.
    const sentence = error.message.replace(
      /byte \d+/,
      `byte ${textBytes(part).subarray(0, error.position).length + start}`,
    );
    throw new SpecError(start ? sentence : error.message, start + before);
  }
}

// Marks the size or stride whose dimension an error names.
function dimensions(at, work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StrideError)) throw error;
    const list = error.argument === constants.STRIDE_ARGUMENT_STRIDES ? at.strides : at.sizes;
    throw new SpecError(error.message, ...(list?.[error.dimension] ?? []));
  }
}

// --- Tensors ---------------------------------------------------------------------------------------------------------

export function layoutOf(library, dtype, sizes, strides, offset = 0n) {
  const given = [dtype, sizes.length, list64(sizes), strides ? list64(strides) : null];
  const raw = library.call("stride_layout_init", struct("stride_layout"), ...given);
  return layoutTensor(library, pack("stride_layout", { offset }, raw));
}

export function layoutTensor(library, raw) {
  const layout = layoutFields(raw);
  let bytes;
  try {
    bytes = library.call("stride_layout_min_bytes", bytesIn(raw), word64());
  } catch (error) {
    // The offset with which the lowest element begins the buffer.
    const why = new StrideError(error.message, error);
    if (error.status === constants.STRIDE_STATUS_OUT_OF_BOUNDS) {
      const [based] = library.call("stride_layout_rebase", bytesIn(raw), struct("stride_layout"), word64());
      why.message += `; with the offset ${layoutFields(based).offset} they begin at byte 0`;
    }
    throw why;
  }
  const bits = library.call("stride_dtype_bits", layout.dtype, word32());
  return { kind: "layout", raw, ...named(library, layout), bits, bytes, layout };
}

const layoutFields = (raw) => {
  const { rank } = unpack("stride_layout", raw, { sizes: 0, strides: 0 });
  return unpack("stride_layout", raw, { sizes: rank, strides: rank });
};

const named = (library, { dtype, sizes }) => ({
  dtype,
  dtypeName: library.say("stride_dtype_name", dtype),
  sizes,
  rank: sizes.length,
});

export function shapeTensor(library, raw, whole = true) {
  const { rank, tile_count: tiles } = unpack("stride_xla_shape", raw, {});
  const fields = unpack("stride_xla_shape", raw, {
    sizes: rank,
    minor_to_major: rank,
    padded_sizes: rank,
    tile_ranks: tiles,
  });
  const tensor = { kind: "shape", raw, ...named(library, fields), shape: fields };
  if (!whole) return tensor;
  const width = library.call("stride_dtype_bits", fields.dtype, word32());
  tensor.bits = fields.element_bits || Math.ceil(width / 8) * 8;
  tensor.bytes = library.call("stride_xla_shape_byte_size", bytesIn(raw), word64());
  return { ...tensor, ...strided(library, "stride_layout_from_xla", raw) };
}

// A layout with every element where it lies, if strides can say that.
function strided(library, name, raw) {
  try {
    return { layout: layoutFields(library.call(name, bytesIn(raw), struct("stride_layout"))), why: null };
  } catch (error) {
    return { layout: null, why: error.message };
  }
}

export function blockedTensor(library, raw) {
  const { rank, block_count: count } = unpack("stride_blocked", raw, {});
  const blocks = unpack("stride_blocked", raw, {
    sizes: rank,
    block_dims: count,
    block_steps: count,
    block_sizes: count,
  });
  const bits = library.call("stride_dtype_bits", blocks.dtype, word32());
  const bytes = library.call("stride_blocked_byte_size", bytesIn(raw), word64());
  const why = "a block expression has no strides of its own";
  return { kind: "blocked", raw, ...named(library, blocks), bits, bytes, blocks, layout: null, why };
}

// The view whose dimension i is dimension axes[i]; no byte moves.
export function permuted(library, tensor, axes) {
  const given = [bytesIn(tensor.raw), axes.length, list64(axes)];
  if (tensor.kind === "layout")
    return layoutTensor(library, library.call("stride_layout_permute", ...given, struct("stride_layout")));
  if (tensor.kind === "shape")
    return shapeTensor(library, library.call("stride_xla_shape_permute", ...given, struct("stride_xla_shape")));
  throw new StrideError("the library has no permuted view of a block expression", { argument: 0, dimension: -1 });
}

// --- Texts -----------------------------------------------------------------------------------------------------------

export const packedText = (dtype, sizes) => `${dtype}[${sizes}]`;
export const stridedText = (dtype, sizes, strides, offset = 0n) =>
  `${dtype}[${sizes}]:${strides}${offset ? `+${offset}` : ""}`;

// What a tensor is called without what was typed: of a view, or of a layout that the library made.
export function textOf(library, tensor) {
  if (tensor.kind === "layout")
    return stridedText(tensor.dtypeName, tensor.sizes, tensor.layout.strides, tensor.layout.offset);
  if (tensor.kind === "shape") return library.say("stride_xla_shape_describe", bytesIn(tensor.raw));
  return `${tensor.dtypeName}[${tensor.sizes}]:${library.say("stride_blocked_format", bytesIn(tensor.raw))}`;
}

// The text with another size of dimension k. Strides stay, if there are any; a packed tensor stays packed.
export function withSize(text, k, value) {
  const [found, space, dtype, open, sizes] = HEAD.exec(text);
  const list = sizes.split(",");
  list[k] = value;
  return `${space}${dtype}${open}${list.join(",")}]${text.slice(found.length)}`;
}

// The text with another stride of dimension k, or another offset (k = -1).
export function withStride(tensor, k, value) {
  const strides = [...tensor.layout.strides];
  let { offset } = tensor.layout;
  if (k < 0) offset = BigInt(value);
  else strides[k] = BigInt(value);
  return stridedText(tensor.dtypeName, tensor.sizes, strides, offset);
}

// The text with another order of the dimensions, fastest varying first; padding and tiles of a shape stay.
export function withOrder(library, tensor, order) {
  const given = [tensor.dtype, tensor.rank, list64(tensor.sizes), list64(order)];
  if (tensor.kind === "shape") {
    const raw = pack("stride_xla_shape", { minor_to_major: order }, tensor.raw);
    return library.say("stride_xla_shape_format", bytesIn(raw));
  }
  const raw = library.call("stride_layout_init_ordered", struct("stride_layout"), ...given);
  const { strides } = layoutFields(raw);
  return stridedText(tensor.dtypeName, tensor.sizes, strides);
}

// The order of a tensor's dimensions, fastest varying first; null where there is none.
export function orderOf(library, tensor) {
  if (tensor.kind === "shape") return tensor.shape.minor_to_major.map(Number);
  if (tensor.kind !== "layout") return null;
  try {
    return library
      .call("stride_layout_minor_to_major", bytesIn(tensor.raw), tensor.rank, word64(tensor.rank))
      .map(Number);
  } catch {
    const size = (one) => (one < 0n ? -one : one),
      { strides } = tensor.layout; // gaps, repeats: the order of the strides
    return strides.map((_, k) => k).sort((a, b) => Number(size(strides[a]) - size(strides[b])) || b - a);
  }
}
