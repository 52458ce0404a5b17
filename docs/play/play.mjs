// The page: its state, which is in the address, and what follows from it.
import { Entries, read, write } from "./address.mjs";
import { conversionOf, inWords, measure, placed, planOf } from "./copy.mjs";
import { steps, trace, unmeasured, valuesOf } from "./copy.mjs";
import { showControls } from "./controls.mjs";
import { button, byId, make } from "./dom.mjs";
import { EXAMPLES } from "./examples.mjs";
import { many } from "./facts.mjs";
import { forms } from "./forms.mjs";
import { version } from "./interface.mjs";
import { labelsOf } from "./labels.mjs";
import { StrideError, load } from "./library.mjs";
import { inPageWords } from "./names.mjs";
import { NOTHING, Side } from "./side.mjs";
import { SpecError, layoutOf, packedText, parse, permuted } from "./spec.mjs";
import { byteText, indexAt, named, numberOf, readIndex, readList } from "./tensor.mjs";
import { drawTwin } from "./twin.mjs";

const EMPTY = { src: "", axes: "", dst: "", num: "", dml: "", img: "", at: "" };
const FIELDS = Object.keys(EMPTY);
const TEXTS = ["src", "axes", "dst", "num"]; // what the copy follows from
const SIDES = ["src", "dst"];
const MILLISECONDS = 350; // of a step while the walk plays

// `text` is the state that the address has. `tensors` are those that are shown: the source's is the view that `axes`
// make of `whole`, or the source itself (null). `conversion` is what the copy does to numbers (null: nothing;
// undefined: it is wrong) and `values` what becomes of them; `right` says whether there is a copy. `index` is marked,
// and `typed` a text that was none; `measured` is the copy that the button measures.
const app = {
  library: null, sides: {}, fillForms: null, entries: new Entries(),
  text: { ...EMPTY }, tensors: {}, whole: null, axes: null, conversion: null, values: null, right: false,
  index: [], typed: "", measured: null, walk: null, playing: 0, drawing: 0,
};

// --- State -----------------------------------------------------------------------------------------------------------

function fromAddress() {
  const found = read(location.hash, FIELDS);
  return found.src ? found : { ...EMPTY, ...EXAMPLES[0].state };
}

// The address follows the state; `edited` names what the user did, if it is to be taken back.
const remember = (edited = "") => app.entries.remember(write(app.text, FIELDS), edited, app.right);

// Takes a new state, or parts of it, into the fields and the drawings.
function change(parts, edited = Object.keys(parts).join()) {
  const text = Object.assign(app.text, parts);
  for (const field of TEXTS) {
    const input = byId(`${field}-text`);
    if (input.value !== text[field]) input.value = text[field];
  }
  const current = EXAMPLES.find((one) => TEXTS.every((field) => (one.state[field] ?? "") === text[field]));
  for (const one of byId("examples").children) {
    const pressed = current?.name === one.textContent;
    one.ariaPressed = String(pressed);
    if (pressed) revealExample(one);
  }
  const from = current ? make("span", { className: "from", textContent: `(${current.from})` }) : "";
  byId("note").replaceChildren(current ? `${current.note} ` : "", from);
  render();
  remember(edited);
}

// A narrow page has the examples in one row, which scrolls.
function revealExample({ offsetLeft: left, offsetWidth: width, parentElement: row }) {
  row.scrollLeft = left - row.offsetLeft - (row.clientWidth - width) / 2;
}

// The texts of tensors are shown whole.
function fitTexts() {
  for (const one of document.querySelectorAll("textarea")) {
    one.style.height = "auto";
    one.style.height = `${one.scrollHeight + 2}px`; // its borders
  }
}

// A whole state: of an example or of the address.
function replace(state, edited) {
  app.typed = "";
  byId("index-text").value = state.at ?? "";
  change({ ...EMPTY, ...state }, edited);
  app.fillForms(app.text);
}

// Without a text of its own the destination is packed, with the sizes of the source's view.
const follows = () => !app.text.dst.trim();

// --- What follows ----------------------------------------------------------------------------------------------------

function render() {
  stop();
  const { library, sides, text } = app;
  for (const field of TEXTS) complain(field);
  const src = attempt("src", text.src, () => parse(library, text.src));
  if (src) showControls(byId("src-controls"), library, src, text.src, (one) => change({ src: one }));
  let axes = null;
  const view = src && attempt("axes", text.axes, () => {
    if (!text.axes.trim()) return src;
    axes = readList(text.axes).map((one) => (one < 0n ? one + BigInt(src.rank) : one));
    return permuted(library, src, axes);
  });
  const dst = !follows()
    ? attempt("dst", text.dst, () => parse(library, text.dst))
    : view && attempt("dst", "", () => layoutOf(library, view.dtype, view.sizes, null));
  if (dst) {
    const words = follows() ? packedText(dst.dtypeName, dst.sizes) : text.dst;
    if (follows()) byId("dst-text").placeholder = words;
    showControls(byId("dst-controls"), library, dst, words, (one) => change({ dst: one }));
  }
  app.conversion = attempt("num", text.num, () => conversionOf(text.num));
  app.values = view && dst && app.conversion ? valuesOf(library, dst, view, app.conversion) : null;
  Object.assign(app, { tensors: { src: view, dst }, whole: src, axes: (view && axes?.map(Number)) ?? null });
  for (const one of document.querySelectorAll(".src-view")) one.textContent = app.axes ? `of ${subject()}` : "";
  if (view) {
    app.index = settle(view);
    text.at = byId("index-text").value = String(app.index);
  }
  for (const name of SIDES) {
    const tensor = app.tensors[name];
    sides[name].hold(Boolean(tensor));
    if (!tensor) continue;
    const labels = labelsOf(library, tensor, view, app.values?.[name]);
    const words = name === "src" ? ["", app.axes ? subject() : ""] : [follows() ? "packed" : "", ""];
    sides[name].show(tensor, indexIn(tensor, app.index), labels, ...words);
  }
  fitTexts();
  copy();
  sayPlaces();
}

// What the index counts in.
function subject() {
  const { dtypeName, sizes } = app.tensors.src;
  return `${app.axes ? "the view " : ""}${packedText(dtypeName, sizes)}`;
}

// Where the marked element lies on both sides, and what becomes of its number; nothing where there is no copy of it.
function sayPlaces() {
  const { axes, index, right, sides, tensors, values } = app,
    said = byId("lies");
  said.textContent = "";
  if (!right || byId("index-error").textContent) return;
  if (!sides.src.count) return said.append(NOTHING);
  const own = axes?.map((_, k) => index[axes.indexOf(k)]);
  const place = (word, name, at) =>
    `${word} ${at ? `${named(at)}, ` : ""}${byteText(tensors[name], sides[name].position)}`;
  said.append(`${place("source", "src", own)} → ${place("destination", "dst", axes && index)}`);
  if (!values) return;
  const number = numberOf(tensors.src.sizes, index);
  const [before, after] = SIDES.map((name) => Number(values[name][number].toPrecision(6)));
  said.append("; ", make("span", { className: "whole", textContent: `${before} becomes ${after}` }));
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
  const said = byId(`${name}-error`);
  byId(`${name}-text`)?.setAttribute("aria-invalid", String(Boolean(error)));
  said.replaceChildren();
  if (!error) return;
  if (!(error instanceof SpecError || error instanceof StrideError)) console.warn(error);
  said.append(inPageWords(error.message).slice(0, 300));
  const { start = null } = error;
  if (start === null) return;
  const marked = make("mark", { textContent: text.slice(start, start + 1) || "\u00a0" });
  const [before, after] = [text.slice(Math.max(0, start - 60), start), text.slice(start + 1, start + 60)];
  said.append(make("code", { className: "where" }, before, marked, after));
}

// The index of the state in a view, or the one that was typed, if it is right now. What the view has not becomes zeros,
// in red where a link named it, else as a note.
function settle(view) {
  const { text, typed, index } = app;
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
    if (text.at !== String(index)) complain("index", new SpecError(`${error.message}; the index is ${named(zeros)}`));
    else byId("index-said").textContent = `now ${named(zeros)}: ${named([text.at])} is no index of ${subject()}`;
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
  app.index = index;
  text.at = String(index);
  complain("index");
  app.typed = byId("index-said").textContent = "";
  if (!typed) byId("index-text").value = text.at;
  for (const name of SIDES) if (tensors[name]) sides[name].update(indexIn(tensors[name], index));
  sayPlaces();
  remember();
}

function typeIndex(text) {
  const { axes, whole, tensors } = app;
  const index = attempt("index", text, () => {
    if (!tensors.src) throw new SpecError("there is no source that has an index");
    return readIndex(text, tensors.src.sizes);
  });
  if (index) return moveTo(index, true);
  app.typed = text;
  sayPlaces();
  if (!axes) return;
  try {
    const own = readIndex(text, whole.sizes),
      there = axes.map((axis) => own[axis]);
    const take = button(`${named(own)} of the source is ${named(there)} of the view`);
    take.onclick = () => moveTo(there);
    byId("index-error").append(" ", take);
  } catch {
    /* It is none of the source either. */
  }
}

// --- The copy --------------------------------------------------------------------------------------------------------

function copy() {
  const { library, conversion, values } = app,
    { src, dst } = app.tensors,
    [words, plan, said, walked] = ["copy-words", "copy-plan", "measure-said", "walk-said"].map(byId);
  complain("copy");
  for (const one of [words, plan, said, walked]) one.textContent = "";
  Object.assign(app, { walk: null, measured: null, right: false });
  byId("walk").classList.remove("walked");
  if (!src || !dst || conversion === undefined) words.textContent = "There is no copy before both tensors are right.";
  else {
    try {
      const made = planOf(library, dst, src, conversion);
      words.textContent = inWords(made);
      plan.textContent = made.text;
      said.textContent = unmeasured(made, dst, src);
      if (!said.textContent) app.measured = [made, dst, src];
      const { moved, why } = !conversion
        ? trace(library, made, dst, src)
        : values
          ? placed(library, dst, src)
          : { why: "so many numbers, or such numbers, are planned, not converted" };
      if (moved) app.walk = { moved, at: -1, steps: steps(moved, byId("walk-runs").checked) };
      walked.textContent = moved ? ranWords(moved) : why;
      app.right = true;
    } catch (error) {
      error.message = `No copy: ${error.message}`;
      complain("copy", error);
      words.textContent = byId("copy-error").textContent;
      byId("dst-text").setAttribute("aria-invalid", "true");
    }
  }
  byId("follow").hidden = follows() || !byId("copy-error").textContent;
  byId("measure").disabled = !app.measured;
  for (const one of byId("walk").querySelectorAll("button, input")) one.disabled = !app.walk?.steps.length;
}

// The page stands still while it measures; that it does is shown first.
async function measureNow() {
  const { measured, library } = app,
    said = byId("measure-said");
  said.textContent = "measuring";
  await new Promise((shown) => setTimeout(shown, 30));
  if (measured !== app.measured) return;
  try {
    said.textContent = measure(library, ...measured);
  } catch (error) {
    said.textContent = error.message;
  }
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
    for (const name of SIDES) sides[name].walk(null);
    byId("walk-said").textContent = ranWords(walk.moved);
    return;
  }
  const { src, dst, count } = walk.steps[walk.at];
  const { index } = indexAt(library, tensors.dst, BigInt(dst));
  if (index) moveTo(index);
  sides.src.walk({ first: src, count, waiting: null });
  sides.dst.walk({ first: dst, count, waiting: dst + count });
  const [from, to] = [byteText(tensors.src, BigInt(src)), byteText(tensors.dst, BigInt(dst))];
  byId("walk-said").textContent =
    `Step ${walk.at + 1} of ${walk.steps.length}: ${many(count, "element")} from ${from} to ${to}`;
}

function stop() {
  clearInterval(app.playing);
  app.playing = 0;
  byId("walk-play").textContent = "Play";
}

function play() {
  const { walk } = app;
  if (walk.at >= walk.steps.length - 1) goTo(-1);
  byId("walk-play").textContent = "Pause";
  app.playing = setInterval(() => {
    goTo(walk.at + 1);
    if (walk.at >= walk.steps.length - 1) stop();
  }, MILLISECONDS);
}

// What a button of the walk does, with the pictures in sight: the buttons stick to the edge below them.
function walking(run) {
  const { playing } = app;
  stop();
  run(playing);
  byId("walk").classList.add("walked");
  byId("src-buffer").scrollIntoView({ block: "nearest" });
}

// --- Wiring ----------------------------------------------------------------------------------------------------------

function wire() {
  for (const field of TEXTS)
    byId(`${field}-text`).oninput = ({ target }) => change({ [field]: target.value.replaceAll("\n", "") });
  byId("index-text").oninput = ({ target }) => typeIndex(target.value);
  byId("examples").replaceChildren(
    ...EXAMPLES.map(({ name, state }) =>
      make("button", { type: "button", textContent: name, onclick: () => replace(state, name) }),
    ),
  );
  byId("measure").onclick = measureNow;
  byId("skip").onclick = (event) => {
    event.preventDefault(); // the address is the state
    byId("src-indices").firstElementChild.focus();
  };
  // Before anything has the focus the arrow keys move the index.
  addEventListener("keydown", (event) => {
    if (document.activeElement !== document.body || !event.key.startsWith("Arrow")) return;
    if (app.sides.src.pressed(event, "stepIndex")) event.preventDefault();
  });
  byId("walk-first").onclick = () => walking(() => goTo(-1));
  byId("walk-back").onclick = () => walking(() => goTo(app.walk.at - 1));
  byId("walk-step").onclick = () => walking(() => goTo(app.walk.at + 1));
  byId("walk-play").onclick = () => walking((playing) => playing || play());
  byId("walk-runs").onchange = ({ target }) => {
    stop();
    app.walk.steps = steps(app.walk.moved, target.checked);
    goTo(-1);
  };
  byId("follow").onclick = () => change({ dst: "" });
  byId("copy-link").onclick = async () => {
    app.entries.settle();
    const said = byId("link-said");
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = "copied";
    } catch {
      said.textContent = location.href; // no clipboard without https
    }
  };
  addEventListener("hashchange", () => {
    clearTimeout(app.entries.later);
    app.entries.edited = "";
    replace(fromAddress(), "");
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    const { tensors, sides } = app;
    if (innerWidth === width) return;
    for (const name of SIDES) if (tensors[name]) sides[name].update(sides[name].index);
    fitTexts();
    width = innerWidth;
  });
  new ResizeObserver(draw).observe(byId("twin"));
  byId("sides").addEventListener("scroll", draw, true);
}

// The line between the sides follows what is drawn, once for each picture.
function draw() {
  cancelAnimationFrame(app.drawing);
  app.drawing = requestAnimationFrame(() => {
    const { right, sides, tensors } = app;
    const same = right && String(tensors.src.sizes) === String(tensors.dst.sizes);
    drawTwin(...SIDES.map((name) => (same ? sides[name].cell : null)));
    for (const name of SIDES) sides[name].edges();
  });
}

try {
  const library = await load(new URL(".", import.meta.url));
  const answers = { moved: moveTo, use: (text) => change({ dst: text }), drawn: draw };
  for (const name of SIDES) app.sides[name] = new Side(name, library, answers);
  app.library = library;
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
  byId("failed").hidden = true;
} catch (error) {
  byId("failed").className = "error";
  byId("failed").textContent =
    `The page cannot run: ${error.message}. It has to be served (make play), not opened as a file.`;
  document.body.dataset.ready = "no";
}
