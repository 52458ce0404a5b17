// Grids as SVG: the elements by index, and the buffer by position. Nothing here knows the library.
//
// A cell is { key, label, number, kind, title }: `number` is its element's row-major number, which gives the colour,
// or null; `kind` is element, shared (several indices), padding or unknown. Colours go from light to dark with the
// number, so the order is seen without colour as well.
const SVG = "http://www.w3.org/2000/svg";
export const LINE = 64n; // bytes of a cache line
const HEIGHT = 26,
  LABEL = 15,
  GAP = 14,
  EDGE = 4;
// A drawing grows to LARGE pixels a unit as long as it is not wider than its host or higher than so many pixels.
const NARROW = 260,
  SMALL = 0.9,
  LARGE = 1.75,
  TALL = { wide: 150, tight: 290 };
// Lightness falls all along the way: pale yellow, green, blue, night.
const STOPS = [
  [255, 246, 196],
  [156, 205, 165],
  [62, 140, 168],
  [28, 52, 110],
];

// The colour of number k of n, and a colour of text that can be read on it.
export function colours(k, n) {
  const t = n > 1 ? (Math.min(k, n - 1) / (n - 1)) * (STOPS.length - 1) : 0;
  const low = Math.min(Math.floor(t), STOPS.length - 2);
  const rgb = STOPS[low].map((one, c) => Math.round(one + (STOPS[low + 1][c] - one) * (t - low)));
  return { fill: `rgb(${rgb})`, ink: luminance(rgb) > 0.179 ? "#000" : "#fff" };
}

// Relative luminance by WCAG 2.1.
export function luminance(rgb) {
  const [r, g, b] = rgb.map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// The room of a drawing: pixels, and units of which a narrow host has more than pixels. There cells are `tight`.
export function roomOf(host) {
  const pixels = (host.clientWidth || 324) - 4, // its padding
    tight = pixels < NARROW;
  return { pixels, units: tight ? pixels / SMALL : pixels, tight };
}

// The width of a cell whose label has so many characters.
export const widthFor = (characters, tight) =>
  Math.max(tight ? 16 : 26, Math.ceil((tight ? 4 : 10) + 7.2 * characters));
// How many cells stand beside each other.
export const columnsFor = (pixels, width, label) => Math.max(2, Math.floor((pixels - label - 2 * EDGE) / width));

function node(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const rowNode = (host, cells, x, y, width, count) =>
  node("g", { role: "row" }, ...cells.map((cell, c) => cellNode(host, cell, x + c * width, y, width, count)));

function cellNode(host, { key, title, kind, label, number }, x, y, width, count) {
  const named = { id: `${host.id}-${key}`, "data-key": key, "aria-label": title };
  const group = node("g", { class: `cell ${kind}`, role: "gridcell", ...named });
  const rect = node("rect", { x, y, width, height: HEIGHT });
  const text = node("text", { x: x + width / 2, y: y + HEIGHT / 2 + 4 }, label);
  if (number !== null) {
    const { fill, ink } = colours(Number(number), Number(count));
    rect.style.fill = fill;
    text.style.fill = ink;
  }
  group.append(rect, text);
  if (kind === "shared") group.append(node("path", { d: `M${x + width - 8} ${y}h8v8z`, class: "corner" }));
  return group;
}

// Puts a drawing into its host and remembers its cells. The SVG itself stays, and with it the keyboard's focus.
function place(host, children, width, height, name) {
  const svg = host.firstElementChild ?? host.appendChild(node("svg", { role: "grid", tabindex: 0 }));
  const { pixels, tight } = roomOf(host);
  const most = Math.min(LARGE, pixels / width, (tight ? TALL.tight : TALL.wide) / height);
  host.fit = { scale: Math.max(tight ? SMALL : 1, most), width, height };
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-label", name);
  svg.replaceChildren(...children);
  resize(host, document.getElementById(host.dataset.twin));
  host.cells = new Map([...svg.querySelectorAll(".cell")].map((cell) => [cell.dataset.key, cell]));
  host.marked = new Map();
}

// Cells are as large in one side as in the other.
function resize(...hosts) {
  const drawn = hosts.filter((host) => host.fit);
  const scale = Math.min(...drawn.map((host) => host.fit.scale));
  for (const { fit, firstElementChild: svg } of drawn)
    for (const key of ["width", "height"]) svg.setAttribute(key, fit[key] * scale);
}

// Elements by index. `rows` is a list of { label, cells }, `heads` the column numbers.
export function drawIndices(host, { rows, heads, count, name }) {
  const all = rows.flatMap((row) => row.cells);
  const longest = Math.max(1, ...all.map((cell) => cell.label.length), ...heads.map((one) => one.length));
  const width = widthFor(longest, roomOf(host).tight);
  const left = 10 + 7.2 * Math.max(1, ...rows.map((row) => row.label.length));
  const made = heads.map((head, c) => node("text", { x: left + c * width + width / 2, y: 12, class: "head" }, head));
  rows.forEach((row, r) => {
    const y = LABEL + EDGE + r * HEIGHT;
    made.push(node("text", { x: left - 6, y: y + HEIGHT / 2 + 4, class: "head end" }, row.label));
    made.push(rowNode(host, row.cells, left, y, width, count));
  });
  return place(host, made, left + heads.length * width + EDGE, LABEL + 2 * EDGE + rows.length * HEIGHT, name);
}

// The buffer from one position on. `cells` are in order; `row` stand beside each other; with `block` not 0 every block
// of so many is framed and blocks stand beside each other; `label` is the room for the bytes at the rows of a block, 0
// where a block is one row. `inner` cells are a tile in a tile. `byte(k)` is the first byte of cell k.
export function drawBuffer(host, { cells, row, block, inner, label, count, byte, pixels, name, width }) {
  const size = block || Math.max(1, cells.length),
    blocks = Math.ceil(cells.length / size);
  const left = label || block ? label || 2 * EDGE : 12 + 7.2 * String(cells.length ? byte(cells.length - 1) : 0).length;
  const across = row * width,
    down = Math.ceil(size / row) * HEIGHT;
  const beside = besideOf(pixels, row, width, label);
  const made = [],
    borders = [],
    frames = [];
  const above = block && !label ? LABEL : 0;
  const at = (k) => {
    const b = Math.floor(k / size),
      inside = k % size;
    return {
      x: left + (b % beside) * (across + GAP + label) + (inside % row) * width,
      y: EDGE + above + Math.floor(b / beside) * (down + GAP + above) + Math.floor(inside / row) * HEIGHT,
    };
  };
  const line = (k) => byte(k) / LINE;
  for (let k = 0; k < cells.length; k += row) {
    const { x, y } = at(k),
      inRow = cells.slice(k, Math.min(k + row, Math.floor(k / size) * size + size));
    made.push(rowNode(host, inRow, x, y, width, count));
    if (!block || label)
      made.push(node("text", { x: x - (label ? 8 : 6), y: y + HEIGHT / 2 + 4, class: "head end" }, `${byte(k)}`));
  }
  for (let b = 0; b < blocks && block; b++) {
    const { x, y } = at(b * size),
      rows = Math.ceil(Math.min(size, cells.length - b * size) / row);
    if (!label) made.push(node("text", { x, y: y - 4, class: "head start" }, `${byte(b * size)}`));
    made.push(node("rect", { x: x - 1.5, y: y - 1.5, width: across + 3, height: rows * HEIGHT + 3, class: "tile" }));
  }
  // A border where a cell and the one before it, or above it, are of different cache lines.
  for (let k = 0; k < cells.length; k++) {
    const { x, y } = at(k),
      inside = k % size;
    if (block && !inside && k && line(k) !== line(k - 1)) borders.push(`M${x - 5} ${y - 2}v${HEIGHT + 4}`);
    if (inside % row && line(k) !== line(k - 1)) borders.push(`M${x} ${y}v${HEIGHT}`);
    if (inside >= row && line(k) !== line(k - row)) borders.push(`M${x} ${y}h${width}`);
    if (!inner) continue;
    const tile = (at) => Math.floor(at / inner);
    if (inside % row && tile(inside) !== tile(inside - 1)) frames.push(`M${x} ${y}v${HEIGHT}`);
    if (inside >= row && tile(inside) !== tile(inside - row)) frames.push(`M${x} ${y}h${width}`);
  }
  made.push(node("path", { d: frames.join(""), class: "inner" }));
  made.push(node("path", { d: borders.join(""), class: "line" }));
  const wide = Math.min(blocks || 1, beside) * (across + GAP + label) - GAP - label;
  const high = Math.max(EDGE, ...cells.map((_, k) => at(k).y)) + HEIGHT;
  return place(host, made, left + wide + 2 * EDGE, high + EDGE, name);
}

// How many blocks of `row` cells stand beside each other, with `label` before each.
export const besideOf = (pixels, row, width, label) =>
  Math.max(1, Math.floor((pixels - 5 * EDGE + GAP) / (row * width + GAP + label)));

// Marks cells: `marks` has the classes for each key. Frames are drawn over all cells, so that no neighbour hides them.
export function mark(host, marks) {
  for (const [key, names] of host.marked ?? [])
    if (marks.get(key) !== names) host.cells.get(key)?.classList.remove(...names.split(" "));
  for (const [key, names] of marks) host.cells.get(key)?.classList.add(...names.split(" "));
  host.marked = marks;
  const svg = host.firstElementChild;
  svg.querySelector(".frames")?.remove();
  svg.removeAttribute("aria-activedescendant");
  const frames = node("g", { class: "frames", "aria-hidden": "true" });
  for (const kind of ["now", "here"]) {
    for (const [key, names] of marks) {
      const cell = host.cells.get(key);
      if (!cell || !names.split(" ").includes(kind)) continue;
      const rect = cell.firstElementChild,
        at = Object.fromEntries(["x", "y", "width", "height"].map((name) => [name, rect.getAttribute(name)]));
      if (kind === "here") {
        frames.append(node("rect", { ...at, class: "ground" }));
        svg.setAttribute("aria-activedescendant", cell.id);
      }
      frames.append(node("rect", { ...at, class: kind }));
    }
  }
  svg.append(frames);
}
