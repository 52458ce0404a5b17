// The page: its state, which is in the address, and what follows from it.
import { read, write } from "./address.mjs";
import {
  conversionOf,
  inPageWords,
  inWords,
  measure,
  placed,
  planOf,
  steps,
  trace,
  unmeasured,
  valuesOf,
} from "./copy.mjs";
import { showControls } from "./controls.mjs";
import { byId, make } from "./dom.mjs";
import { EXAMPLES } from "./examples.mjs";
import { many } from "./facts.mjs";
import { forms } from "./forms.mjs";
import { constants, version } from "./interface.mjs";
import { labelsOf } from "./labels.mjs";
import { StrideError, load } from "./library.mjs";
import { Side } from "./side.mjs";
import { SpecError, layoutOf, packedText, parse, permuted, textOf } from "./spec.mjs";
import { byteText, indexAt, named, numberOf, readIndex } from "./tensor.mjs";
import { drawTwin } from "./twin.mjs";

const EMPTY = { src: "", axes: "", dst: "", num: "", dml: "", img: "", at: "" };
const FIELDS = Object.keys(EMPTY);
const TEXTS = ["src", "axes", "dst", "num"]; // what the copy follows from
const MILLISECONDS = 350; // of a step while the walk plays
const PAUSE = 1000; // milliseconds after which typing in a field is another edit

// `text` is the state that the address has. `tensors` are those that are shown, `conversion` what the copy does to
// numbers (null: nothing; undefined: it is wrong) and `values` what becomes of them; `marked` is the index that is
// marked and `typed` a text that was none; `measured` is the copy that the button measures.
const app = {
  library: null,
  sides: null,
  fillForms: null,
  text: { ...EMPTY },
  tensors: {},
  conversion: null,
  values: null,
  marked: "",
  typed: "",
  measured: null,
  walk: null,
  playing: 0,
  history: { link: "", later: 0, edited: "", at: -Infinity },
};

// --- State -----------------------------------------------------------------------------------------------------------

function fromAddress() {
  const found = read(location.hash, FIELDS);
  return found.src ? found : { ...EMPTY, ...EXAMPLES[0].state };
}

// The address follows the state. Each edit is an entry of the history, so that Back takes it away; what is typed into
// one field without a pause is one edit, and moving the index (`edited` is empty) none.
function remember(edited = "") {
  const { history: kept, text } = app,
    link = write(text, FIELDS);
  const more = edited === kept.edited && performance.now() - kept.at < PAUSE;
  if (edited) Object.assign(kept, { edited, at: performance.now() });
  clearTimeout(kept.later);
  if (edited && !more && link !== kept.link) {
    settleAddress();
    history.pushState(null, "", link);
  } else kept.later = setTimeout(settleAddress, 250);
  kept.link = link;
}

function settleAddress() {
  clearTimeout(app.history.later);
  history.replaceState(null, "", app.history.link);
}

// Takes a new state, or parts of it, into the fields and the drawings. `edited` names what the user did.
function change(parts, edited = Object.keys(parts).join()) {
  const text = Object.assign(app.text, parts);
  for (const field of TEXTS) if (byId(`${field}-text`).value !== text[field]) byId(`${field}-text`).value = text[field];
  const current = EXAMPLES.find((one) => TEXTS.every((field) => (one.state[field] ?? "") === text[field]));
  for (const button of byId("examples").children) {
    const pressed = current?.name === button.textContent;
    button.setAttribute("aria-pressed", String(pressed));
    if (pressed) revealExample(button);
  }
  const from = current ? make("span", { className: "from", textContent: `(${current.from})` }) : "";
  byId("note").replaceChildren(current ? `${current.note} ` : "", from);
  render();
  remember(edited);
}

// A narrow page has the examples in one row, which scrolls.
function revealExample({ offsetLeft: left, offsetWidth: width, parentElement: row }) {
  const least = left + width - row.clientWidth - row.offsetLeft,
    most = left - row.offsetLeft;
  row.scrollLeft = Math.min(most, Math.max(least, row.scrollLeft));
}

// A whole state: of an example or of the address.
function replace(state, edited) {
  change({ ...EMPTY, ...state }, edited);
  app.fillForms(app.text);
}

// Without a text of its own the destination is packed, with the sizes of the source's view.
const follows = () => !app.text.dst.trim();

// --- What follows ----------------------------------------------------------------------------------------------------

function render() {
  stop();
  const { library, sides, text } = app;
  const src = attempt("src", text.src, () => parse(library, text.src));
  if (src) showControls(byId("src-controls"), library, src, text.src, (one) => change({ src: one }));
  const view =
    src && attempt("axes", text.axes, () => (text.axes.trim() ? permuted(library, src, readAxes(text.axes)) : src));
  byId("axes-said").textContent = view && view !== src ? `of the view ${textOf(library, view)}` : "";
  const dst = !follows()
    ? attempt("dst", text.dst, () => parse(library, text.dst))
    : view && attempt("dst", "", () => layoutOf(library, view.dtype, view.sizes, null));
  if (dst) {
    const words = follows() ? packedText(dst.dtypeName, dst.sizes) : text.dst;
    if (follows()) byId("dst-text").placeholder = words;
    showControls(byId("dst-controls"), library, dst, words, (one) => change({ dst: one }));
  }
  byId("dst-follow").disabled = follows();
  app.conversion = attempt("num", text.num, () => conversionOf(text.num));
  app.values = view && dst && app.conversion ? valuesOf(library, dst, view, app.conversion) : null;
  app.tensors = { src: view, dst };
  sides.src.hold(Boolean(view));
  sides.dst.hold(Boolean(dst));
  const show = (name, index, words) => {
    const labels = labelsOf(library, app.tensors[name], view, app.values?.[name]);
    sides[name].show(app.tensors[name], indexIn(app.tensors[name], index), words, labels);
  };
  if (view) {
    const index = settle(view);
    text.at = app.marked = index.join(",");
    byId("index-text").value = app.marked;
    show("src", index, "");
    if (dst) show("dst", index, follows() ? "packed" : "");
  } else if (dst) show("dst", app.marked ? app.marked.split(",").map(BigInt) : [], "");
  sayPlaces();
  copy();
}

// The bytes of the marked index on both sides, and what becomes of its number.
function sayPlaces() {
  const { values, tensors, sides, marked } = app;
  const places = [["src", "source"], ["dst", "destination"]]
    .filter(([name]) => tensors[name] && sides[name].position !== null)
    .map(([name, word]) => `${word} ${byteText(tensors[name], sides[name].position)}`);
  const number = values && numberOf(tensors.src.sizes, marked ? marked.split(",").map(BigInt) : []);
  const [before, after] = ["src", "dst"].map((name) => values && Number(values[name][number].toPrecision(6)));
  const becomes = make("span", { className: "whole", textContent: values ? `${before} becomes ${after}` : "" });
  byId("lies").replaceChildren(places.join(" → "), values ? "; " : "", becomes);
}

// Runs `work`; what is wrong stands beside the field, with the place in its text.
function attempt(name, text, work) {
  complain(name);
  try {
    return work();
  } catch (error) {
    complain(name, error, text);
    return undefined;
  }
}

function complain(name, error, text) {
  const said = byId(`${name}-error`),
    field = byId(`${name}-text`);
  field?.setAttribute("aria-invalid", String(Boolean(error)));
  said.replaceChildren();
  if (!error) return;
  if (!(error instanceof SpecError || error instanceof StrideError)) console.warn(error);
  said.append(error.message);
  if (error instanceof SpecError && error.start !== null) {
    const end = error.start + 1;
    const marked = make("mark", { textContent: text.slice(error.start, end) || "\u00a0" });
    said.append(make("code", { className: "where" }, text.slice(0, error.start), marked, text.slice(end)));
  }
}

function readAxes(text) {
  return text.split(",").map((word) => {
    if (!/^\s*-?\d{1,9}\s*$/.test(word)) throw new SpecError(`"${word.trim()}" is not a dimension number`);
    return BigInt(word.trim());
  });
}

// The index of the state in a view, or the one that was typed, if it is right now. What the view has not becomes zeros,
// in red where a link named it, else as a note.
function settle(view) {
  const { text, typed, marked } = app;
  app.typed = byId("index-said").textContent = "";
  complain("index");
  const zeros = view.sizes.map(() => 0n);
  if (view.sizes.includes(0n)) return zeros;
  try {
    if (typed) return readIndex(typed, view.sizes);
  } catch {
    /* It still is none. */
  }
  if (!text.at) return zeros;
  try {
    return readIndex(text.at, view.sizes);
  } catch (error) {
    if (text.at !== marked) complain("index", new SpecError(`${error.message}; the index is ${named(zeros)}`));
    else byId("index-said").textContent = `now ${named(zeros)}: ${named([text.at])} is no index of this tensor`;
    return zeros;
  }
}

// The index as far as a tensor has it: of other sizes than the source's until both are right.
const indexIn = ({ sizes }, index) =>
  sizes.map((size, k) => {
    const value = index[k] ?? 0n;
    return value < size ? value : size > 0n ? size - 1n : 0n;
  });

// --- The index -------------------------------------------------------------------------------------------------------

// Marks an index. What the user is typing is left as it is.
function moveTo(index, typed = false) {
  const { tensors, sides, text } = app;
  text.at = app.marked = index.join(",");
  complain("index");
  app.typed = byId("index-said").textContent = "";
  if (!typed) byId("index-text").value = text.at;
  for (const name of ["src", "dst"]) if (tensors[name]) sides[name].update(indexIn(tensors[name], index));
  sayPlaces();
  remember();
}

function typeIndex(text) {
  const index = attempt("index", text, () => {
    if (!app.tensors.src) throw new SpecError("there is no source that has an index");
    return readIndex(text, app.tensors.src.sizes);
  });
  if (index) moveTo(index, true);
  else app.typed = text;
}

// --- The copy --------------------------------------------------------------------------------------------------------

function copy() {
  const { library, conversion, values } = app,
    { src, dst } = app.tensors,
    words = byId("copy-words"),
    plan = byId("copy-plan");
  complain("copy");
  byId("copy-follow").hidden = true;
  app.walk = app.measured = null;
  byId("measure-said").textContent = "";
  [words.textContent, plan.textContent, byId("walk-said").textContent] = ["", "", ""];
  const right = src && dst && conversion !== undefined;
  if (!right) words.textContent = "There is no copy before both tensors are right.";
  else {
    try {
      const made = planOf(library, dst, src, conversion);
      words.textContent = inWords(made);
      plan.textContent = made.text;
      const never = unmeasured(made, dst, src);
      if (never) byId("measure-said").textContent = never;
      else app.measured = { made, dst, src };
      const { moved, why } = !conversion
        ? trace(library, made, dst, src)
        : values
          ? placed(library, dst, src)
          : { why: "so many numbers, or such numbers, are planned, not converted" };
      if (moved) app.walk = { moved, at: -1, steps: steps(moved, byId("walk-runs").checked) };
      byId("walk-said").textContent = moved ? ranWords(moved) : why;
    } catch (error) {
      const mismatch = error.status === constants.STRIDE_STATUS_DTYPE_MISMATCH;
      const hint = mismatch ? "; x as Numbers converts them" : "";
      complain("copy", new StrideError(`${inPageWords(error.message)}${hint}`, error), "");
      byId("copy-follow").hidden = follows();
    }
  }
  byId("measure").disabled = !app.measured;
  for (const button of byId("walk").querySelectorAll("button, input")) button.disabled = !app.walk?.steps.length;
}

// The page stands still while it measures; that it does is shown first.
function measureNow() {
  const { measured, library } = app,
    said = byId("measure-said");
  said.textContent = "measuring";
  setTimeout(() => {
    if (measured !== app.measured) return;
    const { made, dst, src } = measured;
    try {
      said.textContent = measure(library, made, dst, src);
    } catch (error) {
      said.textContent = error.message;
    }
  }, 30);
}

const ranWords = (moved) => {
  const count = moved.reduce((sum, one) => sum + (one >= 0), 0);
  const left = many(moved.length - count, "place");
  return `The library ran the copy: ${many(count, "element")} written, ${left} of the destination untouched.`;
};

function goTo(at) {
  const { walk, sides, library, tensors } = app;
  if (!walk) return;
  walk.at = Math.max(-1, Math.min(at, walk.steps.length - 1));
  if (walk.at < 0) {
    for (const side of Object.values(sides)) side.walk(null);
    byId("walk-said").textContent = ranWords(walk.moved);
    return;
  }
  const step = walk.steps[walk.at],
    { src, dst } = tensors;
  const { index } = indexAt(library, dst, BigInt(step.dst));
  if (index) moveTo(index);
  sides.src.walk({ first: step.src, count: step.count, waiting: null });
  sides.dst.walk({ first: step.dst, count: step.count, waiting: step.dst + step.count });
  const where = [src, dst].map((tensor, k) => byteText(tensor, BigInt([step.src, step.dst][k])));
  byId("walk-said").textContent =
    `Step ${walk.at + 1} of ${walk.steps.length}: ${many(step.count, "element")} from ${where[0]} to ${where[1]}`;
}

function stop() {
  clearInterval(app.playing);
  app.playing = 0;
  byId("walk-play").textContent = "Play";
}

function play() {
  const { walk } = app;
  if (app.playing) return stop();
  if (walk.at >= walk.steps.length - 1) goTo(-1);
  byId("walk-play").textContent = "Pause";
  app.playing = setInterval(() => {
    goTo(walk.at + 1);
    if (walk.at >= walk.steps.length - 1) stop();
  }, MILLISECONDS);
}

// --- Wiring ----------------------------------------------------------------------------------------------------------

function wire() {
  for (const field of TEXTS)
    byId(`${field}-text`).addEventListener("input", ({ target }) => change({ [field]: target.value }));
  byId("index-text").addEventListener("input", ({ target }) => typeIndex(target.value));
  byId("examples").replaceChildren(
    ...EXAMPLES.map(({ name, state: given }) => {
      const button = make("button", { type: "button", textContent: name });
      button.addEventListener("click", () => replace(given, name));
      return button;
    }),
  );
  byId("measure").addEventListener("click", measureNow);
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address is the state
    byId("src-indices").firstElementChild.focus();
  });
  // Before anything has the focus the arrow keys move the index.
  addEventListener("keydown", (event) => {
    if (document.activeElement !== document.body || !event.key.startsWith("Arrow")) return;
    if (app.sides.src.pressed(event, "stepIndex")) event.preventDefault();
  });
  byId("walk-first").addEventListener("click", () => (stop(), goTo(-1)));
  byId("walk-back").addEventListener("click", () => (stop(), goTo(app.walk.at - 1)));
  byId("walk-step").addEventListener("click", () => (stop(), goTo(app.walk.at + 1)));
  byId("walk-play").addEventListener("click", play);
  byId("walk").addEventListener("change", () => {
    stop();
    app.walk.steps = steps(app.walk.moved, byId("walk-runs").checked);
    goTo(-1);
  });
  for (const id of ["dst-follow", "copy-follow"])
    byId(id).addEventListener("click", () => change({ dst: "" }));
  byId("copy-link").addEventListener("click", async () => {
    settleAddress();
    try {
      await navigator.clipboard.writeText(location.href);
      byId("link-said").textContent = "copied";
    } catch {
      byId("link-said").textContent = location.href; // no clipboard without https
    }
  });
  addEventListener("hashchange", () => {
    clearTimeout(app.history.later);
    app.history.edited = "";
    replace(fromAddress(), "");
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    const { tensors, sides } = app;
    const shown = innerWidth === width ? [] : ["src", "dst"].filter((name) => tensors[name]);
    for (const name of shown) sides[name].update(sides[name].index);
    width = innerWidth;
  });
  new ResizeObserver(draw).observe(byId("twin"));
  byId("twin").parentElement.addEventListener("scroll", draw, true);
}

// The line between the sides follows what is drawn, once for each picture.
let drawing = 0;
function draw() {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(() => {
    const { src, dst } = app.tensors;
    const same = src && dst && String(src.sizes) === String(dst.sizes);
    drawTwin(...["src", "dst"].map((name) => (same ? app.sides[name].cell : null)));
  });
}

try {
  const library = await load(new URL(".", import.meta.url));
  const made = (name) =>
    new Side(name, library, { moved: moveTo, use: (text) => change({ dst: text }), drawn: draw });
  Object.assign(app, { library, sides: { src: made("src"), dst: made("dst") } });
  app.fillForms = forms(library, {
    attempt,
    use: (text) => change({ src: text, axes: "", dst: "", num: "" }),
    remember: (field, words) => {
      app.text[field] = words;
      remember(field);
    },
  });
  wire();
  byId("version").textContent = `libstride ${version}`;
  replace(fromAddress(), "");
  document.body.dataset.ready = "yes";
} catch (error) {
  byId("failed").textContent =
    `The page cannot run: ${error.message}. It has to be served (make play), not opened as a file.`;
  byId("failed").hidden = false;
  document.body.dataset.ready = "no";
}
