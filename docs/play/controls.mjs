// The boxes for sizes, strides and offset, and the chips for the order of the dimensions. Each rewrites the text.
import { make } from "./dom.mjs";
import { narrow } from "./names.mjs";
import { orderOf, withOrder, withSize, withStride } from "./spec.mjs";

const MOST = 12; // dimensions that get boxes
const PIXELS = 8; // of a drag for a step of 1

// Shows a tensor's numbers in `host`; `write(text)` takes what the user made of them. With `keep` a sentence about a
// box stays.
export function showControls(host, library, tensor, text, write, keep = false) {
  Object.assign(host, { library, tensor, text, write });
  const order = orderOf(library, tensor),
    shown = Math.min(tensor.rank, MOST);
  const strided = tensor.kind === "layout";
  const form = `${tensor.kind} ${shown}`;
  if (host.form !== form) {
    host.form = form;
    const rows = [row("sizes", shown, (k) => box(host, `size of dimension ${k}`, `size ${k}`))];
    if (strided) {
      rows.push(row("strides", shown, (k) => box(host, `stride of dimension ${k}`, `stride ${k}`)));
      rows.push(row("offset", 1, () => box(host, "offset", "stride -1")));
    }
    if (order && tensor.rank > 1 && tensor.rank <= MOST)
      rows.push(row("minor to major", tensor.rank, (place) => chip(host, place)));
    host.refused = make("p", { className: "error", role: "alert" });
    host.note = make("p", { className: "hint" });
    host.replaceChildren(host.note, ...rows, host.refused);
  }
  host.note.textContent = narrow(tensor.dtypeName);
  if (!keep) host.refused.textContent = "";
  for (const input of host.querySelectorAll("input")) {
    const [what, k] = input.dataset.place.split(" ");
    const value = what === "size" ? tensor.sizes[k] : k < 0 ? tensor.layout.offset : tensor.layout.strides[k];
    if (document.activeElement !== input || input.dragged) input.value = String(value);
    input.kept = value;
    input.removeAttribute("aria-invalid");
    input.size = Math.max(3, String(value).length);
  }
  host.querySelectorAll(".chip").forEach((one, place) => {
    one.textContent = `${order[place]}`;
    one.setAttribute(
      "aria-label",
      `dimension ${order[place]}, place ${place} of the order, fastest first; arrow keys move it`,
    );
  });
  host.order = order;
}

const row = (name, count, each) =>
  make(
    "div",
    { className: "boxes", role: "group", ariaLabel: name },
    make("span", { className: "name", textContent: name }),
    ...Array.from({ length: count }, (_, k) => each(k)),
  );

function box(host, label, place) {
  const input = make("input", {
    type: "text",
    inputMode: "numeric",
    className: "number",
    dataset: { place },
    autocomplete: "off",
    maxLength: 20,
  });
  input.setAttribute("aria-label", label);
  input.title = `${label}: type, drag left or right, or use the arrow keys up and down`;
  const set = (value) => {
    const [what, k] = place.split(" ");
    if (what === "size") host.write(withSize(host.text, Number(k), value));
    else host.write(withStride(host.tensor, Number(k), value));
  };
  const least = place.startsWith("size") ? 0n : null;
  input.addEventListener("input", () => {
    const word = input.value.trim(),
      fits = /^[+-]?\d{1,19}$/.test(word) && BigInt.asIntN(64, BigInt(word)) === BigInt(word);
    const right = fits && (least === null || BigInt(word) >= least);
    if (right) return set(BigInt(word));
    refuse(host, input, `${label}: "${word}" is no whole number${least === null ? "" : " from 0 on"}`);
  });
  input.addEventListener("blur", () => showControls(host, host.library, host.tensor, host.text, host.write, true));
  input.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1n, ArrowDown: -1n }[event.key];
    if (!by || !/^-?\d{1,19}$/.test(input.value)) return;
    event.preventDefault();
    const value = BigInt(input.value) + by;
    if (least !== null && value < least) return;
    input.value = String(value);
    set(value);
  });
  drag(input, (value) => set(least !== null && value < least ? least : value));
  return input;
}

// What a box does not take stands below the boxes until one of them is right; the tensor stays as it is.
function refuse(host, input, sentence) {
  input.setAttribute("aria-invalid", "true");
  host.refused.textContent = `${sentence}; it stays ${input.kept}`;
}

// A number is dragged: PIXELS to the right are 1 more.
function drag(input, set) {
  let begin = null;
  input.addEventListener("pointerdown", (event) => {
    if (/^-?\d{1,19}$/.test(input.value)) begin = { x: event.clientX, value: BigInt(input.value), last: 0 };
  });
  input.addEventListener("pointermove", (event) => {
    if (!begin || !event.buttons) return;
    const by = Math.trunc((event.clientX - begin.x) / PIXELS);
    if (!input.dragged && by) {
      input.dragged = true;
      input.setPointerCapture(event.pointerId);
    }
    if (input.dragged && by !== begin.last) {
      begin.last = by;
      set(begin.value + BigInt(by));
    }
  });
  for (const end of ["pointerup", "pointercancel"])
    input.addEventListener(end, () => Object.assign(input, { dragged: false }, (begin = null)));
}

// A dimension in the order: dragged onto another chip, moved by the arrow keys, or by a click to the front.
function chip(host, place) {
  const made = make("button", { type: "button", className: "chip" });
  const move = (to) => {
    if (to < 0 || to >= host.order.length || to === place) return;
    const order = [...host.order];
    order.splice(to, 0, ...order.splice(place, 1));
    host.write(withOrder(host.library, host.tensor, order));
    host.querySelectorAll(".chip")[to]?.focus();
  };
  made.title = "drag onto another place, click to make it the fastest, or use the arrow keys";
  made.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(place + by);
  });
  made.addEventListener("pointerdown", (event) => made.setPointerCapture(event.pointerId));
  made.addEventListener("pointerup", (event) => {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".chip");
    const to = [...host.querySelectorAll(".chip")].indexOf(under);
    if (to >= 0 && to !== place) {
      made.dropped = true;
      move(to);
    }
  });
  made.addEventListener("click", () => {
    if (made.dropped) made.dropped = false;
    else move(0);
  });
  return made;
}
