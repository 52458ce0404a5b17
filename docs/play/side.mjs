// One side of the page: a tensor's elements by index, its buffer, its facts, and what is marked in them.
import { button, byId, make } from "./dom.mjs";
import { besideOf, columnsFor, drawBuffer, drawIndices, mark, roomOf, widthFor } from "./draw.mjs";
import { consumers, facts, many } from "./facts.mjs";
import { byteText, countOf, formula, indexAt, indexOf, lowestOf, numberOf } from "./tensor.mjs";
import { positionOf, positionsOf, rowsOf } from "./tensor.mjs";
import { verdict } from "./verdict.mjs";

// The words of the template in index.html.
const SIDES = {
  src: { title: "Source", twin: "dst", tensor: "f32[2,3]", field: "axes", label: "Axes" },
  dst: { title: "Destination", twin: "src", tensor: "packed, as the source", field: "num", label: "Numbers" },
};

const MOST = { rows: 16n, columns: 16n, positions: 512n, lines: 32, sliders: 6 };
export const NOTHING = "no elements, no bytes";
// Where the pointer was seen last: a drawing that changes below a pointer at rest is not pointed at.
let rested = "";
addEventListener("pointermove", ({ clientX, clientY }) => {
  rested = String([clientX, clientY]);
});

export class Side {
  // `moved(index)` is called where the user names another index, `use(text)` where another text is wanted.
  // `drawn()` follows every drawing and mark.
  constructor(name, library, { moved, use, drawn }) {
    Object.assign(this, { name, library, moved, use, drawn, tensor: null, walked: null });
    const words = { name, ...SIDES[name] };
    const markup = byId("side").innerHTML.replace(/\{(\w+)\}/g, (_, key) => words[key]);
    byId("side").insertAdjacentHTML("beforebegin", markup);
    for (const part of ["indices", "buffer", "said", "sliders", "consumers"]) this[part] = this.part(part);
    for (const host of [this.indices, this.buffer]) {
      host.onpointermove = ({ target, clientX, clientY, pointerType }) => {
        const cell = target.closest(".cell"),
          key = cell?.dataset.key;
        const rests = key === host.under || String([clientX, clientY]) === rested;
        if (rests || pointerType === "touch") return; // a finger scrolls, or clicks
        host.under = key;
        this.pointed(host, cell);
      };
      host.onpointerleave = () => (host.under = null);
      host.onclick = ({ target }) => this.pointed(host, target.closest(".cell"));
      host.onkeydown = (event) => {
        if (this.pressed(event, host === this.indices ? "stepIndex" : "stepPosition")) event.preventDefault();
      };
    }
    this.sliders.oninput = ({ target: { dataset, value } }) => {
      if (this.live) this.moved(this.index.with(Number(dataset.dimension), BigInt(value)));
    };
    this.consumers.onclick = ({ target: { dataset } }) => dataset.text && this.use(dataset.text);
  }

  part(name) {
    return byId(`${this.name}-${name}`);
  }

  // Nothing is right now: what was drawn stays, and answers no more.
  hold(live) {
    this.live = live;
    byId(this.name).classList.toggle("stale", !live);
    this.drawn();
  }

  // --- Drawing -------------------------------------------------------------------------------------------------------

  // `title` stands beside the side's name; `subject` says what the sentences are about, where it is a view.
  show(tensor, index, labels, title, subject) {
    Object.assign(this, { tensor, index, labels, walked: null, corner: null, first: null });
    this.count = countOf(tensor.sizes);
    this.positions = positionsOf(tensor);
    this.part("title").textContent = title;
    this.part("verdict").textContent = verdict(this.library, tensor, subject);
    this.drawFacts();
    this.drawSliders();
    this.update(index);
  }

  // The index under the cursor; both grids move with it.
  update(index) {
    this.index = index;
    this.position = this.count ? positionOf(this.library, this.tensor, index) : null;
    this.looked = this.position;
    this.drawWindow();
    for (const slider of this.sliders.querySelectorAll("input"))
      slider.value = slider.nextElementSibling.textContent = `${index[slider.dataset.dimension]}`;
    this.said.textContent = this.count ? `index (${index}): ${formula(this.tensor, index, this.position)}` : NOTHING;
    this.marks();
  }

  drawWindow() {
    const { sizes } = this.tensor,
      rank = sizes.length;
    const { pixels, units, tight } = roomOf(this.buffer),
      cell = widthFor(this.labels.widest, tight);
    this.columns = least(
      MOST.columns,
      BigInt(columnsFor(units, cell, 10 + 7.2 * String(rank > 1 ? sizes[rank - 2] : 0n).length)),
    );
    const [height, width] = [1n, 1n, ...sizes].slice(-2);
    const [row, column] = [0n, 0n, ...this.index].slice(-2);
    const corner = [
      ...this.index.slice(0, Math.max(0, rank - 2)),
      begin(row, height, MOST.rows, this.corner?.at(-2)),
      begin(column, width, this.columns, this.corner?.at(-1)),
    ];
    if (String(corner) !== String(this.corner) || pixels !== this.pixels) {
      this.corner = corner;
      this.drawElements(height, width);
    }
    const label = 12 + 7.2 * String(this.tensor.bytes).length;
    const shape = rowsOf(this.tensor, columnsFor(units, cell, label));
    const unit = BigInt(shape.block && shape.block <= 512 ? shape.block : shape.row),
      at = this.looked ?? 0n;
    shape.label = shape.block > shape.row ? label : 0;
    const beside = shape.block ? besideOf(units, shape.row, cell, shape.label) : 1;
    this.most = least(MOST.positions, BigInt(MOST.lines * beside * shape.row));
    let first = pixels === this.pixels ? this.first : null;
    if (first === null || at < first || at >= first + this.most)
      first = ((at > this.most / 4n && this.positions > this.most ? at - this.most / 4n : 0n) / unit) * unit;
    if (at >= first + this.most) first = (at / BigInt(shape.row)) * BigInt(shape.row); // a tile that is not shown whole
    if (first !== this.first || pixels !== this.pixels) {
      Object.assign(this, { first, pixels });
      this.drawPositions(shape, units, cell);
    }
  }

  drawElements(height, width) {
    const { sizes } = this.tensor,
      rank = sizes.length,
      [r0, c0] = this.corner.slice(-2);
    const shown = { rows: least(height - r0, MOST.rows), columns: least(width - c0, this.columns) };
    const rows = range(this.count ? shown.rows : 0n).map((r) => ({
      label: rank > 1 ? `${r0 + r}` : "",
      cells: range(shown.columns).map((c) => {
        const index = [...this.corner.slice(0, -2), r0 + r, c0 + c].slice(rank > 1 ? 0 : rank ? 1 : 2);
        const number = numberOf(sizes, index),
          position = positionOf(this.library, this.tensor, index);
        const title = `index ${index.join(", ") || "()"}: number ${number}, ${byteText(this.tensor, position)}`;
        return { key: `i${number}`, ...this.labels.of(number), kind: "element", title };
      }),
    }));
    const heads = rank ? range(this.count ? shown.columns : 0n).map((c) => `${c0 + c}`) : [""];
    drawIndices(this.indices, { rows, heads, count: this.count, name: `${this.name}: elements by index` });
    const cut = shown.rows < height || shown.columns < width;
    this.part("indices-window").textContent = cut
      ? `rows ${r0} to ${r0 + shown.rows - 1n} of ${height}, columns ${c0} to ${c0 + shown.columns - 1n} of ${width}`
      : "";
  }

  drawPositions(shape, pixels, width) {
    const { tensor, first } = this,
      count = least(this.positions - first, this.most);
    const cells = range(count).map((k) => this.cellAt(first + k));
    const byte = (k) => ((first + BigInt(k)) * BigInt(tensor.bits)) / 8n;
    const name = `${this.name}: the buffer by position`;
    drawBuffer(this.buffer, { cells, ...shape, count: this.count, byte, pixels, name, width });
    const cut = count < this.positions ? `; drawn: elements ${first} to ${first + count - 1n}` : "",
      words = `${many(tensor.bytes, "byte")}${cut}. Grey: bytes; cells: ${this.labels.kind}.`;
    this.part("buffer-window").textContent = count ? words : many(tensor.bytes, "byte");
  }

  cellAt(position) {
    const { index, sharing, unknown } = indexAt(this.library, this.tensor, position);
    const key = `p${position}`,
      place = byteText(this.tensor, position);
    if (unknown) return { key, label: "?", number: null, kind: "unknown", title: `${place}: not searched to the end` };
    const why = position < lowestOf(this.tensor) ? "before the first element" : "padding, no element";
    if (!index) return { key, label: "", number: null, kind: "padding", title: `${place}: ${why} of this tensor` };
    const several = sharing > 1n;
    const title = `${place}: index (${index})${several ? `, the first of ${sharing} that share it` : ""}`;
    const held = this.labels.of(numberOf(this.tensor.sizes, index));
    return { key, ...held, kind: several ? "shared" : "element", title };
  }

  drawSliders() {
    const { sizes } = this.tensor,
      outer = [...sizes.entries()].slice(0, -2).filter(([, size]) => size > 1n);
    const made = outer.slice(0, MOST.sliders).map(([k, size]) => {
      const max = String(least(size - 1n, BigInt(Number.MAX_SAFE_INTEGER)));
      const slider = make("input", { type: "range", min: "0", max, value: "0", dataset: { dimension: k } });
      return make("label", {}, `dimension ${k}`, slider, make("output"));
    });
    this.sliders.replaceChildren(...made);
  }

  drawFacts() {
    const rows = facts(this.library, this.tensor).flatMap(([name, words]) => [
      make("dt", { textContent: name }),
      make("dd", { textContent: words }),
    ]);
    this.part("facts").replaceChildren(...rows);
    const answers = consumers(this.library, this.tensor);
    this.part("taken").textContent = `${answers.filter(({ takes }) => takes).length} of ${answers.length} APIs`;
    this.consumers.replaceChildren(
      ...answers.map(({ name, asks, takes, why, nearest }) => {
        const words = [make("b", { textContent: name }), takes ? " takes it" : `: ${why} `];
        if (nearest) words.push(button(`nearest: ${nearest}`, nearest));
        return make("li", { className: takes ? "takes" : "refuses", title: asks }, ...words);
      }),
    );
  }

  // --- Pointing ------------------------------------------------------------------------------------------------------

  pointed(host, cell) {
    if (!cell || !this.live) return;
    const key = cell.dataset.key;
    if (host === this.indices) this.moved(indexOf(this.tensor.sizes, BigInt(key.slice(1))));
    else this.look(BigInt(key.slice(1)));
  }

  // A position of the buffer: its index, or that it is padding.
  look(position) {
    const { index, sharing } = indexAt(this.library, this.tensor, position);
    // Several indices share an element: the one that is shown stays, if it is one of them.
    if (index) {
      this.moved(position === this.position ? this.index : index);
      this.looked = position;
      this.marks();
      const { title } = this.cellAt(position);
      this.said.textContent = sharing > 1n ? title : `${title}; ${formula(this.tensor, this.index, this.position)}`;
    } else {
      this.looked = position;
      this.drawWindow();
      this.marks();
      this.said.textContent = this.cellAt(position).title;
    }
  }

  // Whether a key without others moved something.
  pressed(event, step) {
    const plain = this.live && this.count && !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    return plain && this[step](event.key);
  }

  stepIndex(key) {
    const rank = this.tensor.rank,
      index = [...this.index],
      move = (k, by) => {
        if (k < 0) return;
        const to = index[k] + by;
        index[k] = to < 0n ? 0n : to >= this.tensor.sizes[k] ? this.tensor.sizes[k] - 1n : to;
      };
    const keys = [["ArrowLeft", "ArrowRight"], ["ArrowUp", "ArrowDown"], ["PageUp", "PageDown"]];
    const back = keys.findIndex((pair) => pair.includes(key)); // dimensions from the last one
    if (key === "Home") index.fill(0n);
    else if (key === "End") index.forEach((_, k) => move(k, this.tensor.sizes[k]));
    else if (back >= 0) move(rank - 1 - back, key === keys[back][1] ? 1n : -1n);
    else return false;
    this.moved(index);
    return true;
  }

  stepPosition(key) {
    const row = BigInt(rowsOf(this.tensor, 16).row);
    const all = this.positions,
      steps = { ArrowRight: 1n, ArrowLeft: -1n, ArrowDown: row, ArrowUp: -row, Home: -all, End: all };
    if (!(key in steps)) return false;
    const to = (this.looked ?? 0n) + steps[key];
    this.look(to < 0n ? 0n : to >= all ? all - 1n : to);
    return true;
  }

  // --- Marks ---------------------------------------------------------------------------------------------------------

  // `walked` is null or { first, count, waiting }: the positions that move, and from which on nothing is written yet
  // (null: that does not matter).
  walk(walked) {
    this.walked = walked;
    this.marks();
  }

  marks() {
    if (this.count) mark(this.indices, new Map([[`i${numberOf(this.tensor.sizes, this.index)}`, "here"]]));
    const marks = new Map();
    if (this.walked) {
      const { first, count, waiting } = this.walked;
      for (const key of this.buffer.cells.keys()) {
        const position = Number(key.slice(1));
        if (position >= first && position < first + count) marks.set(key, "now");
        else if (waiting !== null && position >= waiting) marks.set(key, "waiting");
      }
    }
    if (this.looked !== null) {
      const key = `p${this.looked}`;
      marks.set(key, `${marks.get(key) ?? ""} here`.trim());
    }
    mark(this.buffer, marks);
    const cell = this.buffer.cells.get(`p${this.looked}`);
    if (cell) reveal(this.buffer, cell.firstElementChild);
    this.drawn();
  }

  // Says at the edges of the buffer whether more of it is above or below.
  edges() {
    const { classList, scrollTop, clientHeight, scrollHeight } = this.buffer;
    classList.toggle("above", scrollTop > 4);
    classList.toggle("below", scrollTop + clientHeight < scrollHeight - 4);
  }

  // The cell of the marked index in memory; null where it is not shown.
  get cell() {
    return this.live && this.count && this.looked === this.position ? this.buffer.cells.get(`p${this.position}`) : null;
  }
}

const EDGE = 24; // pixels, in which a grid says that there is more

// Scrolls a grid, and nothing around it, as far as a cell needs it.
function reveal(host, cell) {
  const [inside, seen] = [cell, host].map((one) => one.getBoundingClientRect());
  const above = inside.top - seen.top - EDGE,
    below = inside.bottom - seen.bottom + EDGE;
  if (above < 0 || below > 0) host.scrollTop += above < 0 ? above : below;
}

const least = (a, b) => (a < b ? a : b);
const range = (count) => Array.from({ length: Number(count) }, (_, k) => BigInt(k));

// Where a window of `most` begins so that `at` is inside; it stays where it is, if it can.
function begin(at, size, most, before) {
  if (size <= most) return 0n;
  if (before !== undefined && at >= before && at < before + most) return before;
  const begin = at - most / 2n;
  return begin < 0n ? 0n : begin > size - most ? size - most : begin;
}
