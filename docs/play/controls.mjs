// The boxes for sizes, strides and offset, and the chips for the order of the dimensions. Each rewrites the text.
import { make } from "./dom.mjs";
import { narrow } from "./names.mjs";
import { orderOf, withOrder, withSize, withStride } from "./spec.mjs";

const MOST = 12; // dimensions that get boxes
const PIXELS = 8; // of a drag for a step of 1
const NUMBER = /^[+-]?\d{1,19}$/;

// Shows a tensor's numbers in `host`; `write(text)` takes what the user made of them. With `keep` a sentence about a
// box stays.
export function showControls(host, library, tensor, text, write, keep = false) {
  const order = orderOf(library, tensor),
    shown = Math.min(tensor.rank, MOST),
    form = `${tensor.kind} ${shown}`;
  Object.assign(host, { library, tensor, text, write, order });
  if (host.form !== form) {
    host.form = form;
    const rows = [row("sizes", shown, (k) => box(host, `size of dimension ${k}`, "size", k))];
    if (tensor.kind === "layout") {
      rows.push(row("strides", shown, (k) => box(host, `stride of dimension ${k}`, "stride", k)));
      rows.push(row("offset", 1, () => box(host, "offset", "stride", -1)));
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
    const { what, k } = input.dataset;
    input.kept = String(what === "size" ? tensor.sizes[k] : k < 0 ? tensor.layout.offset : tensor.layout.strides[k]);
    if (document.activeElement !== input || input.dragged) input.value = input.kept;
    input.removeAttribute("aria-invalid");
    input.size = Math.max(3, input.kept.length);
  }
  host.querySelectorAll(".chip").forEach((one, place) => {
    one.textContent = `${order[place]}`;
    one.ariaLabel = `dimension ${order[place]}, place ${place} of the order, fastest first; arrow keys move it`;
  });
}

const row = (name, count, each) =>
  make(
    "div",
    { className: "boxes", role: "group", ariaLabel: name },
    make("span", { className: "name", textContent: name }),
    ...Array.from({ length: count }, (_, k) => each(k)),
  );

function box(host, label, what, k) {
  const size = what === "size",
    input = make("input", { type: "text", className: "number", dataset: { what, k }, autocomplete: "off" });
  Object.assign(input, { maxLength: 20, ariaLabel: label, inputMode: size ? "numeric" : "text" }); // which has a minus
  input.title = `${label}: type, drag left or right, or use the arrow keys up and down`;
  const fits = (value) => BigInt.asIntN(64, value) === value && (!size || value >= 0n);
  const set = (value) => host.write(size ? withSize(host.text, k, value) : withStride(host.tensor, k, value));
  input.oninput = () => {
    const word = input.value.trim();
    if (NUMBER.test(word) && fits(BigInt(word))) set(BigInt(word));
    else refuse(host, input, `${label}: "${word}" is no whole number${size ? " from 0 on" : ""}`);
  };
  input.onblur = () => showControls(host, host.library, host.tensor, host.text, host.write, true);
  input.onkeydown = (event) => {
    const by = { ArrowUp: 1n, ArrowDown: -1n }[event.key];
    if (!by || !NUMBER.test(input.value)) return;
    event.preventDefault();
    const value = BigInt(input.value) + by;
    if (!fits(value)) return;
    input.value = String(value);
    set(value);
  };
  drag(input, (value) => set(size && value < 0n ? 0n : value));
  return input;
}

// What a box does not take stands below its row until a box is right; the tensor stays as it is.
function refuse(host, input, sentence) {
  input.setAttribute("aria-invalid", "true");
  input.parentElement.after(host.refused);
  host.refused.textContent = `${sentence}; it stays ${input.kept}`;
}

// A number is dragged: PIXELS to the right are 1 more. A finger scrolls.
function drag(input, set) {
  let begin = null;
  input.onpointerdown = ({ pointerType, clientX: x }) => {
    const drags = pointerType !== "touch" && NUMBER.test(input.value);
    begin = drags ? { x, value: BigInt(input.value), last: 0 } : null;
  };
  input.onpointermove = ({ buttons, clientX, pointerId }) => {
    if (!begin || !buttons) return;
    const by = Math.trunc((clientX - begin.x) / PIXELS);
    if (by === begin.last) return;
    input.dragged = true;
    input.setPointerCapture(pointerId);
    begin.last = by;
    set(begin.value + BigInt(by));
  };
  input.onpointerup = input.onpointercancel = () => Object.assign(input, { dragged: false }, (begin = null));
}

// A dimension in the order: dragged onto another chip, moved by the arrow keys, or by a click to the front.
function chip(host, place) {
  const made = make("button", { type: "button", className: "chip" });
  const chips = () => [...host.querySelectorAll(".chip")];
  const move = (to) => {
    if (to < 0 || to >= host.order.length || to === place) return;
    const order = [...host.order];
    order.splice(to, 0, ...order.splice(place, 1));
    host.write(withOrder(host.library, host.tensor, order));
    chips()[to]?.focus();
  };
  made.title = "drag onto another place, click to make it the fastest, or use the arrow keys";
  made.onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(place + by);
  };
  made.onpointerdown = ({ pointerId }) => made.setPointerCapture(pointerId);
  made.onpointerup = ({ clientX, clientY }) => {
    const to = chips().indexOf(document.elementFromPoint(clientX, clientY)?.closest(".chip"));
    made.dropped = to >= 0 && to !== place;
    if (made.dropped) move(to);
  };
  made.onclick = () => {
    if (!made.dropped) move(0);
    made.dropped = false;
  };
  return made;
}
