// What the cells of both sides show: letters of a few elements, numbers of many, values where a copy converts them.
import { overlap, stridedRaw } from "./facts.mjs";
import { countOf, indexAt, indexOf, numberOf, positionOf } from "./tensor.mjs";

const LETTERS = 26n;

// `of(number)` gives the element's label, and the number that colours it; `widest` is the length of the longest label,
// `kind` says what labels are.
// Indices that share an element of the source, or of a tensor without one, are the first of them: they hold the same.
export function labelsOf(library, tensor, source, values) {
  const count = countOf(tensor.sizes);
  const same = source && String(source.sizes) === String(tensor.sizes);
  const shares = (one) => one?.layout && overlap(library, stridedRaw(library, one)) === "yes";
  const holder = [tensor, same && source].find(shares);
  const first = (number) => {
    if (!holder) return number;
    const position = positionOf(library, holder, indexOf(holder.sizes, number));
    const { index } = indexAt(library, holder, position);
    return index ? numberOf(holder.sizes, index) : number;
  };
  const words = values && [...values].map(short);
  const letter = (number) => String.fromCharCode(97 + Number(number));
  const [label, widest, kind] = words
    ? [(number) => words[number], Math.max(...words.map((one) => one.length)), "values"]
    : count <= LETTERS
      ? [letter, 1, "letters by index"]
      : [String, `${count - 1n}`.length, "numbers by index"];
  const of = (number) => {
    const held = first(number);
    return { number: held, label: label(held) };
  };
  return { of, widest, kind };
}

// A value in a few characters.
const short = (value) =>
  Number.isInteger(value) && Math.abs(value) < 1e5
    ? `${value}`
    : Math.abs(value) < 100
      ? value.toFixed(2)
      : value.toPrecision(3);
