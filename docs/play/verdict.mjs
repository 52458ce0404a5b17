// The first answers about a tensor, in a line: which order it has, how many of its bytes are padding, and its tiles.
import { layoutFacts, many, overlap, stridedRaw } from "./facts.mjs";
import { constants, groups } from "./interface.mjs";
import { orderOf } from "./spec.mjs";
import { countOf, lowestOf } from "./tensor.mjs";

// A sentence, about a subject where the tensor is a view.
export function verdict(library, tensor, subject) {
  const parts = [];
  let shared = false;
  if (tensor.layout) {
    const raw = stridedRaw(library, tensor);
    shared = overlap(library, raw) === "yes";
    parts.push(order(library, tensor, layoutFacts(library, raw).formats, shared));
  }
  if (tensor.shape?.tile_ranks.length) parts.push(tiles(tensor.shape));
  else if (tensor.kind === "blocked") parts.push("blocks, which strides cannot say");
  const words = `${subject && `${subject}: `}${parts.join("; ")}`;
  return `${words[0].toUpperCase()}${words.slice(1)}. ${size(tensor, shared)}.`;
}

function order(library, tensor, formats, shared) {
  const held = (name) => formats & groups.STRIDE_FORMAT_[name][0],
    { rank } = tensor,
    names = [];
  if (held("PACKED")) names.push(rank > 1 ? "packed (row-major)" : "packed");
  const [first, last] = rank > 4 ? ["NCDHW", "NDHWC"] : ["NCHW", "NHWC"];
  if (held("CHANNELS_LAST")) names.length ? (names[0] += `: ${first} and ${last} at once`) : names.push(last);
  if (held("COLUMN_MAJOR") && rank > 1) names.push("column-major");
  if (names.length) return names.join(", also ");
  const missing = ["packed", ...(rank > 3 ? ["NHWC"] : []), ...(rank > 1 ? ["column-major"] : [])];
  const why = held("DENSE")
    ? `no gaps, dimensions ${orderOf(library, tensor).reverse().join(", ")} from the slowest to the fastest`
    : shared
      ? "indices share elements"
      : "gaps between elements";
  return `${rank > 1 ? "neither" : "not"} ${missing.join(" nor ")}: ${why}`;
}

function size(tensor, shared) {
  const before = (lowestOf(tensor) * BigInt(tensor.bits)) / 8n;
  const bytes = many(tensor.bytes - before, "byte") + (before ? ` from byte ${before} on` : "");
  if (shared) return `${bytes} for ${many(countOf(tensor.sizes), "index").replace("indexs", "indices")}`;
  const bits = (tensor.bytes - before) * 8n - countOf(tensor.sizes) * BigInt(tensor.bits);
  const padding = bits % 8n ? many(bits, "bit") : bits ? String(bits / 8n) : "none";
  return `${bytes}, ${padding} of them padding`;
}

// As the command-line tool says it (cli/src/show.rs).
function tiles({ tile_ranks: ranks, tile_sizes: all }) {
  let at = 0;
  const lists = ranks.map((rank) =>
    all
      .slice(at, (at += rank))
      .map((one) => (one === BigInt(constants.STRIDE_XLA_TILE_MERGE) ? "*" : one))
      .join(" x "),
  );
  const [outer, ...inner] = lists;
  const inside = inner.map((one) => `; in each of them tiles of ${one}`).join("");
  return `tiles of ${outer}, each in one piece, row by row, one after the other${inside}`;
}
