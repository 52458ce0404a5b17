// What a tensor is good for, who takes it, and what DirectML and image formats say: answers of the library in words.
import { groups } from "./interface.mjs";
import { bytesIn, descriptor, list32, struct, structsOut, textBytes, word32, word64 } from "./library.mjs";
import { SpecError, layoutTensor, textOf } from "./spec.mjs";
import { countOf, positionsOf } from "./tensor.mjs";

export const many = (count, one) => `${count} ${one}${BigInt(count) === 1n ? "" : "s"}`;

// The layout of a tensor that has strides, as the library's struct.
export const stridedRaw = (library, { kind, raw }) =>
  kind === "layout" ? raw : library.call("stride_layout_from_xla", bytesIn(raw), struct("stride_layout"));

export const layoutFacts = (library, raw) => library.query("stride_layout_query", raw, "stride_layout_facts");

// Pairs of a name and a sentence.
export function facts(library, tensor) {
  const count = countOf(tensor.sizes),
    positions = positionsOf(tensor);
  const without = positions - count,
    has = without === 1n ? "has" : "have",
    empty = without > 0n ? `, so ${many(without, "place")} of the buffer ${has} none` : "";
  const rows = [
    ["buffer", `${many(tensor.bytes, "byte")}, ${many(positions, "element")} of ${many(tensor.bits, "bit")}`],
    ["elements", `${count}${empty}`],
  ];
  if (tensor.kind !== "layout" && !tensor.layout) return [...rows, ["strides", `none: ${tensor.why}`]];
  const layout = stridedRaw(library, tensor),
    found = layoutFacts(library, layout);
  const formats = Object.entries(groups.STRIDE_FORMAT_).filter(([, [flag]]) => found.formats & flag);
  const shared = overlap(library, layout);
  if (shared === "yes") rows[1][1] = `${count} indices; some share an element`;
  const names = formats.map(([name, [, doc]]) => `${name.toLowerCase().replaceAll("_", " ")} (${doc.split(", ")[0]})`);
  rows.push(["strides", `${tensor.layout.strides.join(", ") || "none"}; offset ${tensor.layout.offset}`]);
  rows.push(["formats", names.join("; ") || "none: gaps, repeats or another order"]);
  const [run, last] = [many(found.run_elements, "element"), many(found.run_dimensions, "dimension")];
  rows.push(["one run", found.run_dimensions ? `${run} (the last ${last}) without gaps` : "single elements"]);
  const overlaps = { yes: "two indices mean the same element", no: "no two indices mean the same element" };
  rows.push(["overlap", overlaps[shared] ?? "undecided"]);
  if (found.packed_bytes !== tensor.bytes) rows.push(["packed copy", many(found.packed_bytes, "byte")]);
  return rows;
}

export function overlap(library, raw) {
  try {
    return library.call("stride_layout_self_overlap", bytesIn(raw), 0, word32()) ? "yes" : "no";
  } catch {
    return "open";
  }
}

// For each consumer: its name, what it asks for, whether it takes the tensor, why not, and the nearest that it takes.
export function consumers(library, tensor) {
  const asked = Object.entries(groups.STRIDE_CONSUMER_).filter(([name]) => name !== "ANY");
  return asked.map(([, [value, asks]]) => {
    const answer = { name: library.word("stride_consumer_name", value), asks, takes: true, why: "", nearest: null };
    if (!tensor.layout) return { ...answer, takes: false, why: "it wants strides" };
    const raw = stridedRaw(library, tensor);
    const rules = library.call("stride_requirements_init", struct("stride_requirements"), value);
    try {
      library.call("stride_layout_meets", bytesIn(raw), 0, bytesIn(rules));
    } catch (error) {
      [answer.takes, answer.why] = [false, error.message];
      try {
        const fit = library.call("stride_layout_adapt", bytesIn(raw), bytesIn(rules), struct("stride_layout"));
        answer.nearest = textOf(library, layoutTensor(library, fit));
      } catch {
        /* No strides help; the sentence above says why. */
      }
    }
    return answer;
  });
}

// --- DirectML --------------------------------------------------------------------------------------------------------

export const DML_TYPES = Object.keys(groups.STRIDE_DML_TENSOR_DATA_TYPE_).filter((name) => name !== "UNKNOWN");

// TotalTensorSizeInBytes of a descriptor, DirectML's verdict, and the layout. `sizes` and `strides` are texts; null: no
// strides.
export function directml(library, { type, sizes, strides }) {
  const entry = groups.STRIDE_DML_TENSOR_DATA_TYPE_[type];
  if (!entry) throw new SpecError(`there is no data type ${type}`);
  const given = numbers(sizes, "sizes"),
    steps = strides.trim() === "null" ? null : numbers(strides, "strides");
  if (steps && steps.length !== given.length)
    throw new SpecError(`there are ${steps.length} strides, but ${given.length} sizes`);
  const lists = [list32(given), steps && list32(steps)];
  const total = library.call("stride_dml_buffer_tensor_size", entry[0], given.length, ...lists, word64());
  const fields = { data_type: entry[0], dimension_count: given.length, total_tensor_size_in_bytes: total };
  const desc = descriptor(fields, given, steps);
  const answer = { total, verdict: "DirectML accepts it", accepted: true, text: null };
  try {
    library.call("stride_dml_validate", desc);
  } catch (error) {
    Object.assign(answer, { verdict: error.message, accepted: false });
  }
  const layout = library.call("stride_layout_from_dml", desc, struct("stride_layout"));
  return { ...answer, text: textOf(library, layoutTensor(library, layout)) };
}

function numbers(text, what) {
  const words = text.trim() === "" ? [] : text.split(",");
  return words.map((word) => {
    const value = /^\s*\d+\s*$/.test(word) ? Number(word) : NaN;
    if (!(value < 2 ** 32)) throw new SpecError(`${what}: "${word.trim()}" is not a number of 32 bits`);
    return value;
  });
}

// --- Images ----------------------------------------------------------------------------------------------------------

// The planes of an image: the text of each, and the bytes of the whole.
export function image(library, { format, width, height, alignment }) {
  const [name, ...rest] = [textBytes(format), width, height, alignment];
  const [columns, rows, multiple] = rest.map((word, k) => whole(word, ["width", "height", "pitch alignment"][k]));
  const code = library.call("stride_image_fourcc", bytesIn(name), name.length, word32());
  const outputs = [word32(), structsOut("stride_layout", 4), word64()];
  const given = [code, columns, rows, 0, null, multiple, ...outputs];
  const [count, planes, bytes] = library.call("stride_image_planes", ...given);
  return { bytes, texts: planes.slice(0, count).map((raw) => textOf(library, layoutTensor(library, raw))) };
}

function whole(word, what) {
  if (!/^\s*\d{1,18}\s*$/.test(word)) throw new SpecError(`${what}: "${word.trim()}" is not a whole number`);
  return BigInt(word.trim());
}
