// Where the elements of the page's examples lie, by loops written out, and what their pages say.

// All indices of these sizes in row-major order.
export function* indices(sizes) {
  const count = sizes.reduce((product, size) => product * size, 1);
  for (let number = 0; number < count; number++) {
    let rest = number;
    const index = [];
    for (let k = sizes.length - 1; k >= 0; k--) {
      index[k] = rest % sizes[k];
      rest = Math.floor(rest / sizes[k]);
    }
    yield index;
  }
}

export const strided =
  (strides, offset = 0) =>
  (index) =>
    index.reduce((sum, one, k) => sum + one * strides[k], offset);
const packed = (sizes) => {
  const strides = [];
  let step = 1;
  for (let k = sizes.length - 1; k >= 0; k--) [strides[k], step] = [step, step * sizes[k]];
  return strided(strides);
};

// Position of each element, of `length` places: what a place of the buffer holds is the lowest number that lies there.
export function buffer(sizes, place, length) {
  const held = new Array(length).fill("");
  let number = 0;
  for (const index of indices(sizes)) {
    if (held[place(index)] === "") held[place(index)] = String(number);
    number++;
  }
  return held;
}

// What a cell shows of the element with this number: a value, a letter of a few, or the number.
export const labelOf = (number, count, values) =>
  values?.[number] ?? (count <= 26 ? String.fromCharCode(97 + number) : String(number));

const side = (sizes, place, length, bits) => ({ sizes, place, length, bits });

// For each example both sides as the page has to show them; `at` and `dst` are from the pages named there.
export const EXPECTED = {
  "Photo to planes": {
    view: "u8[3,4,6]",
    src: side([3, 4, 6], ([c, y, x]) => (y * 6 + x) * 3 + c, 72, 8),
    dst: side([3, 4, 6], packed([3, 4, 6]), 72, 8),
  },
  "Photo to floats": {
    // README.md, the example in C: (x - 127.5) / 127.5; of 0 to 255 in 18 even steps.
    view: "u8[3,2,3]",
    values: {
      src: Array.from({ length: 18 }, (_, k) => `${15 * k}`),
      dst: "-1 -0.88 -0.76 -0.65 -0.53 -0.41 -0.29 -0.18 -0.06 0.06 0.18 0.29 0.41 0.53 0.65 0.76 0.88 1".split(" "),
    },
    src: side([3, 2, 3], ([c, y, x]) => (y * 3 + x) * 3 + c, 18, 8),
    dst: side([3, 2, 3], packed([3, 2, 3]), 18, 32),
  },
  Transposed: {
    view: "f32[3,4,5]",
    at: { src: ["(1,2,3)", 43], dst: ["(1,2,3)", 33] },
    src: side([3, 4, 5], ([a, b, c]) => (c * 4 + b) * 3 + a, 60, 32),
    dst: side([3, 4, 5], packed([3, 4, 5]), 60, 32),
  },
  "XLA: {0,1}": {
    // Shapes and layout: "a d b e c f".
    memory: { dst: [..."adbecf"] },
    src: side([2, 3], packed([2, 3]), 6, 32),
    dst: side([2, 3], strided([1, 2]), 6, 32),
  },
  "XLA: tiles": {
    // Tiled layout: element (2,3) of f32[3,5] in tiles of 2 x 2 lies at 17.
    at: { dst: ["(2,3)", 17] },
    src: side([3, 5], packed([3, 5]), 15, 32),
    dst: side([3, 5], ([y, x]) => ((y >> 1) * 3 + (x >> 1)) * 4 + (y % 2) * 2 + (x % 2), 24, 32),
  },
  "DirectML: NCHW, NHWC": {
    // Packed NHWC: {15, 1, 5, 1}; 15 floats are 60 bytes.
    total: 60,
    src: side([1, 1, 3, 5], strided([15, 1, 5, 1]), 15, 32),
    dst: side([1, 1, 3, 5], strided([15, 15, 5, 1]), 15, 32),
  },
  "Padded rows": {
    // Padding with strides: A B C x x D E F.
    memory: { src: ["a", "b", "c", "", "", "d", "e", "f"] },
    src: side([2, 3], strided([5, 1]), 8, 32),
    dst: side([2, 3], packed([2, 3]), 6, 32),
  },
  Broadcast: {
    // Broadcasting with strides: three elements in memory, six in the tensor.
    memory: { src: [..."abc"], dst: [..."abcabc"] },
    src: side([2, 3], strided([0, 1]), 3, 32),
    dst: side([2, 3], packed([2, 3]), 6, 32),
  },
  "Blocked: nChw4c": {
    // oneDNN, Understanding Memory Formats, with 4 for 8: n*CHW + (c/4)*HW*4 + h*W*4 + w*4 + c%4.
    src: side([1, 6, 2, 3], packed([1, 6, 2, 3]), 36, 32),
    dst: side([1, 6, 2, 3], ([n, c, h, w]) => n * 48 + (c >> 2) * 24 + h * 12 + w * 4 + (c % 4), 48, 32),
  },
  "4-bit elements": {
    src: side([3, 5], packed([3, 5]), 16, 4),
    dst: side([3, 5], strided([6, 1]), 18, 4),
  },
  "NV12 planes": {
    // Y of 8 x 4 takes 32 bytes; U and V follow, alternating.
    view: "u8[2,2,4]",
    image: { bytes: "48 bytes", planes: ["u8[4,8,1]:8,1,1", "u8[2,4,2]:8,2,1+32"] },
    src: side([2, 2, 4], ([c, y, x]) => 32 + y * 8 + x * 2 + c, 48, 8),
    dst: side([2, 2, 4], packed([2, 2, 4]), 16, 8),
  },
  "Scale tiles": {
    // cuBLAS, 1D Block Scaling Factors Layout: offset (outer % 32) * 16 + (outer / 32) * 4 + inner in a tile.
    at: { dst: ["(32,0)", 4] },
    src: side([40, 3], packed([40, 3]), 120, 8),
    dst: side([40, 3], ([a, b]) => (a % 32) * 16 + Math.floor(a / 32) * 4 + b, 512, 8),
  },
  Windows: {
    // Row y of the windows is elements y, y + 1, y + 2.
    src: side([5, 3], ([y, x]) => y + x, 7, 32),
    dst: side([5, 3], packed([5, 3]), 15, 32),
  },
  "A large one": {
    src: side([1, 3, 224, 224], packed([1, 3, 224, 224]), 150528, 32),
    dst: side([1, 3, 224, 224], ([, c, y, x]) => (y * 224 + x) * 3 + c, 150528, 32),
  },
};
