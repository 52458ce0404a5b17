// The text of a tensor, read by the library and written.
//
//   DTYPE[SIZES]                     packed
//   DTYPE[SIZES]:STRIDES[+OFFSET]    strides and offset in elements, as u8[4,6,3]:18,3,1+0
//   DTYPE[SIZES] strides [STRIDES] offset OFFSET     the same, as the library writes it
//   DTYPE[SIZES]:TAG                 a format's tag, as f32[1,32,8,8]:nChw16c, or blocks, as u8[3,5]:a/2 b a%2
//   DTYPE[SIZES]{LAYOUT}             an XLA shape, as f32[3,5]{1,0:T(2,4)}
//
// A tensor is { kind, raw, dtype, dtypeName, bits, sizes, bytes, layout, why, ... }: `kind` is layout, shape or blocked
// and `raw` the library's struct of that kind; `layout` has the strides, or `why` says why there are none. `bits` are
// those that an element takes in the buffer, `bytes` the length of the buffer.
import { constants } from "./interface.mjs";
import { StrideError, bytesIn, list64, pack, struct, textBytes, unpack, word32, word64 } from "./library.mjs";
import { meant } from "./names.mjs";

const HEAD = /^(\s*)([^[\]{}\s]*)(\s*\[)([^\]]*)\]/;

// What is wrong with a text, and where: `start` is a character of it, or null.
export class SpecError extends Error {
  constructor(sentence, start = null, detail = null) {
    super(sentence);
    Object.assign(this, { start, detail });
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

// Whose text it is that is no layout's.
const OTHERS = {
  [constants.STRIDE_DETAIL_TEXT_OF_TAG]: ["stride_xla_shape_parse_tag", "stride_xla_shape", shapeTensor],
  [constants.STRIDE_DETAIL_TEXT_OF_BLOCKS]: ["stride_blocked_parse", "stride_blocked", blockedTensor],
};

// A shape of XLA stays one, also where it is a layout: its order is what the page shows.
function parsed(library, text) {
  const shape = () => library.call("stride_xla_shape_parse", ...texts(text), struct("stride_xla_shape"));
  if (text.includes("{")) return within(0, text, () => shapeTensor(library, shape()));
  const layout = (words) => library.call("stride_layout_parse", ...texts(words), struct("stride_layout"));
  try {
    return layoutTensor(library, within(0, text, () => layout(text)));
  } catch (error) {
    const [name, kind, tensorOf] = OTHERS[error.detail] ?? [];
    if (!name) throw error;
    // Dtype and sizes stand before the colon, the words after it.
    const { dtype, sizes } = layoutFields(layout(text.slice(0, error.start)));
    const after = text.slice(error.start + 1),
      words = after.trim();
    const given = [...texts(words), dtype, sizes.length, list64(sizes)];
    return within(error.start + 1 + after.indexOf(words), words, () =>
      tensorOf(library, library.call(name, ...given, struct(kind))),
    );
  }
}

const texts = (words) => [bytesIn(textBytes(words)), textBytes(words).length];

// Moves the byte of an error in `part`, which begins at character `start`, to the whole text.
function within(start, part, work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StrideError) || error.position === null || error.position === undefined) throw error;
    const before = new TextDecoder().decode(textBytes(part).subarray(0, error.position)).length;
    // The library counts from the begin of what it was given.
    const byte = textBytes(part).subarray(0, error.position).length + start;
    const sentence = error.message.replace(/byte \d+/, `byte ${byte}`);
    throw new SpecError(start ? sentence : error.message, start + before, error.detail);
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

export function shapeTensor(library, raw) {
  const { rank, tile_count: tiles } = unpack("stride_xla_shape", raw, {});
  const counts = { sizes: rank, minor_to_major: rank, padded_sizes: rank, tile_ranks: tiles };
  const fields = unpack("stride_xla_shape", raw, counts);
  const tensor = { kind: "shape", raw, ...named(library, fields), shape: fields };
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
  const counts = { sizes: rank, block_dims: count, block_steps: count, block_sizes: count };
  const blocks = unpack("stride_blocked", raw, counts);
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
  const { strides, offset } = tensor.layout,
    one = BigInt(value);
  return stridedText(tensor.dtypeName, tensor.sizes, k < 0 ? strides : strides.with(k, one), k < 0 ? one : offset);
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
    const given = [bytesIn(tensor.raw), tensor.rank, word64(tensor.rank)];
    return library.call("stride_layout_minor_to_major", ...given).map(Number);
  } catch {
    const size = (one) => (one < 0n ? -one : one),
      { strides } = tensor.layout; // gaps, repeats: the order of the strides
    return strides.map((_, k) => k).sort((a, b) => Number(size(strides[a]) - size(strides[b])) || b - a);
  }
}
