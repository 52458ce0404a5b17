// Names of dtypes: what is meant by one that does not exist, and what those below a byte are mistaken for. The page's
// words for the library's parameters.
import { bytesIn, textBytes, word32 } from "./library.mjs";

const NAMES = "pred, s8 to s64, u8 to u64, f16, bf16, f32, f64, c64, c128, bytes1 and up, and others"; // as the tool's
const NUMPY = /^(u?int|float|complex)(8|16|32|64|128)$|^bool_?$/;

// The words after the library's "unknown dtype".
export function meant(library, word, sentence) {
  const examples = NUMPY.test(word) ? "; NumPy's float32 is f32, int64 s64, uint8 u8" : "";
  if (/it is called/.test(sentence)) return examples;
  const numpy = ofNumpy(library, word.replace(/^complex(\d+)$/, (_, bits) => `c${bits / 8}`));
  if (numpy) return `; NumPy's ${word} is ${numpy} here`;
  return `; there are ${NAMES}`;
}

// The dtype of a NumPy type string, with or without its byte order.
function ofNumpy(library, word) {
  const found = /^([<>=|]?)([biufc]\d{1,2})$/.exec(word);
  if (!found) return null;
  const text = textBytes(`${/[<>]/.test(found[1]) ? found[1] : found[2] === "b1" ? "|" : "<"}${found[2]}`);
  try {
    const dtype = library.call("stride_dtype_from_typestr", bytesIn(text), text.length, word32());
    const name = library.say("stride_dtype_name", dtype);
    return name.startsWith("bytes") ? null : name; // no number has such a width
  } catch {
    return null;
  }
}

// A note on a dtype below a byte that NumPy has with a unit of bytes under the same digits.
export function narrow(name) {
  const [, sign, bits] = /^([us])([124])\b/.exec(name) ?? [];
  return bits
    ? `${bits} ${bits === "1" ? "bit" : "bits"}; NumPy's ${sign === "s" ? "i" : "u"}${bits} is ${sign}${8 * bits}`
    : "";
}

const WORDS = [
  [/^text(, |: )|^layout: |stride_layout_rebase [^;]*; /g, ""],
  ["src_side", "source"],
  ["dst_side", "destination"],
  ["options->conversion converts", "put x into Numbers to convert"],
  ["dimension_count", "sizes"],
  ["pitch_alignment", "pitch"],
  ["docs/IMAGE_FORMATS.md has the names", "there are NV12, I420, YUY2 and more"],
];
export const inPageWords = (sentence) => WORDS.reduce((words, [from, to]) => words.replaceAll(from, to), sentence);
