// The page: its state, which is in the address, and what follows from it.
import { read, write } from "./address.mjs";
import { inPageWords, inWords, measure, planOf, steps, trace, unmeasured } from "./copy.mjs";
import { showControls } from "./controls.mjs";
import { EXAMPLES } from "./examples.mjs";
import { many } from "./facts.mjs";
import { forms } from "./forms.mjs";
import { version } from "./interface.mjs";
import { StrideError, load } from "./library.mjs";
import { Side, make } from "./side.mjs";
import { SpecError, layoutOf, packedText, parse, permuted, textOf } from "./spec.mjs";
import { byteText, indexAt, named, readIndex } from "./tensor.mjs";

const FIELDS = ["src", "axes", "dst", "at", "dml", "img"];
const EMPTY = { src: "", axes: "", dst: "", at: "", dml: "", img: "" };
const MILLISECONDS = 350; // of a step while the walk plays
const byId = (id) => document.getElementById(id);

let library,
  sides,
  fillForms,
  state = { ...EMPTY },
  shown = {},
  marked = "", // the index that is marked
  measured = null, // the copy that the button measures
  walk = null;

// --- State -----------------------------------------------------------------------------------------------------------

function fromAddress() {
  const found = read(location.hash, FIELDS);
  return found.src ? found : { ...EMPTY, ...EXAMPLES[0].state };
}

let later = 0;
function remember() {
  clearTimeout(later);
  later = setTimeout(() => history.replaceState(null, "", write(state, FIELDS)), 250);
}

// Takes a new state, or parts of it, into the fields and the drawings.
function change(parts) {
  state = { ...state, ...parts };
  for (const [field, id] of [
    ["src", "src-text"],
    ["dst", "dst-text"],
    ["axes", "axes-text"],
  ])
    if (byId(id).value !== state[field]) byId(id).value = state[field];
  const current = EXAMPLES.find((one) =>
    ["src", "axes", "dst"].every((field) => (one.state[field] ?? "") === state[field]),
  );
  for (const button of byId("examples").children)
    button.setAttribute("aria-pressed", String(current?.name === button.textContent));
  byId("note").textContent = current ? `${current.note} (${current.from})` : "";
  render();
  remember();
}

// Without a text of its own the destination is packed, with the sizes of the source's view.
const follows = () => !state.dst.trim();

// --- What follows ----------------------------------------------------------------------------------------------------

function render() {
  stop();
  const src = attempt("src", state.src, () => parse(library, state.src));
  if (src) showControls(byId("src-controls"), library, src, state.src, (text) => change({ src: text }));
  const view =
    src && attempt("axes", state.axes, () => (state.axes.trim() ? permuted(library, src, readAxes(state.axes)) : src));
  byId("axes-said").textContent = view && view !== src ? `the view: ${textOf(library, view)}; no byte moves` : "";
  const dst = !follows()
    ? attempt("dst", state.dst, () => parse(library, state.dst))
    : view && attempt("dst", "", () => layoutOf(library, view.dtype, view.sizes, null));
  if (dst) {
    const text = follows() ? packedText(dst.dtypeName, dst.sizes) : state.dst;
    if (follows()) byId("dst-text").placeholder = text;
    showControls(byId("dst-controls"), library, dst, text, (one) => change({ dst: one }));
  }
  byId("dst-follow").disabled = follows();
  sides.src.hold(Boolean(view));
  sides.dst.hold(Boolean(dst));
  shown = { src: view, dst };
  if (view) {
    const index = settle(view);
    state.at = marked = index.join(",");
    byId("index-text").value = marked;
    sides.src.show(view, index, view === src ? "" : "as the view");
    if (dst) sides.dst.show(dst, indexIn(dst, index), follows() ? "packed, follows the source" : "");
  } else if (dst) sides.dst.show(dst, indexIn(dst, marked ? marked.split(",").map(BigInt) : []), "");
  copy();
}

// Runs `work`; what is wrong stands beside the field, with the place in its text.
function attempt(name, text, work) {
  complain(name);
  try {
    return work();
  } catch (error) {
    complain(name, error, text);
    return null;
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

// The index of the state in a view; what it has not becomes zeros, in red where a link or the user named it, else as a
// note.
function settle(view) {
  byId("index-said").textContent = "";
  complain("index");
  const zeros = view.sizes.map(() => 0n);
  if (!state.at || view.sizes.includes(0n)) return zeros;
  try {
    return readIndex(state.at, view.sizes);
  } catch (error) {
    if (state.at !== marked) complain("index", new SpecError(`${error.message}; the index is ${named(zeros)}`));
    else byId("index-said").textContent = `now ${named(zeros)}: ${named([state.at])} is no index of this tensor`;
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
  state.at = marked = index.join(",");
  complain("index");
  byId("index-said").textContent = "";
  if (!typed) byId("index-text").value = state.at;
  for (const name of ["src", "dst"]) if (shown[name]) sides[name].update(indexIn(shown[name], index));
  remember();
}

function typeIndex(text) {
  const index = attempt("index", text, () => {
    if (!shown.src) throw new SpecError("there is no source that has an index");
    return readIndex(text, shown.src.sizes);
  });
  if (index) moveTo(index, true);
}

// --- The copy --------------------------------------------------------------------------------------------------------

function copy() {
  const { src, dst } = shown,
    words = byId("copy-words"),
    plan = byId("copy-plan");
  complain("copy");
  byId("copy-follow").hidden = true;
  walk = measured = null;
  byId("measure-said").textContent = "";
  [words.textContent, plan.textContent, byId("walk-said").textContent] = ["", "", ""];
  if (!src || !dst) words.textContent = "There is no copy before both tensors are right.";
  if (src && dst) {
    try {
      const made = planOf(library, dst, src);
      words.textContent = inWords(made);
      plan.textContent = made.text;
      const never = unmeasured(made, dst, src);
      if (never) byId("measure-said").textContent = never;
      else measured = { made, dst, src };
      const { moved, why } = trace(library, made, dst, src);
      if (moved) walk = { moved, at: -1, steps: steps(moved, byId("walk-runs").checked) };
      byId("walk-said").textContent = moved ? ranWords(moved) : why;
    } catch (error) {
      complain("copy", new StrideError(inPageWords(error.message), error), "");
      byId("copy-follow").hidden = follows();
    }
  }
  byId("measure").disabled = !measured;
  for (const button of byId("walk").querySelectorAll("button, input")) button.disabled = !walk?.steps.length;
}

// The page stands still while it measures; that it does is shown first.
function measureNow() {
  const asked = measured,
    said = byId("measure-said");
  said.textContent = "measuring";
  setTimeout(() => {
    if (asked !== measured) return;
    const { made, dst, src } = asked;
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
  if (!walk) return;
  walk.at = Math.max(-1, Math.min(at, walk.steps.length - 1));
  if (walk.at < 0) {
    for (const side of Object.values(sides)) side.walk(null);
    byId("walk-said").textContent = ranWords(walk.moved);
    return;
  }
  const step = walk.steps[walk.at],
    { src, dst } = shown;
  const { index } = indexAt(library, dst, BigInt(step.dst));
  if (index) moveTo(index);
  sides.src.walk({ first: step.src, count: step.count, waiting: null });
  sides.dst.walk({ first: step.dst, count: step.count, waiting: step.dst + step.count });
  const where = [src, dst].map((tensor, k) => byteText(tensor, BigInt([step.src, step.dst][k])));
  byId("walk-said").textContent =
    `Step ${walk.at + 1} of ${walk.steps.length}: ${many(step.count, "element")} from ${where[0]} to ${where[1]}`;
}

let playing = 0;
function stop() {
  clearInterval(playing);
  playing = 0;
  byId("walk-play").textContent = "Play";
}

function play() {
  if (playing) return stop();
  if (walk.at >= walk.steps.length - 1) goTo(-1);
  byId("walk-play").textContent = "Pause";
  playing = setInterval(() => {
    goTo(walk.at + 1);
    if (walk.at >= walk.steps.length - 1) stop();
  }, MILLISECONDS);
}

// --- Wiring ----------------------------------------------------------------------------------------------------------

function wire() {
  for (const [id, field] of [
    ["src-text", "src"],
    ["dst-text", "dst"],
    ["axes-text", "axes"],
  ])
    byId(id).addEventListener("input", ({ target }) => change({ [field]: target.value }));
  byId("index-text").addEventListener("input", ({ target }) => typeIndex(target.value));
  byId("examples").replaceChildren(
    ...EXAMPLES.map(({ name, state: given }) => {
      const button = make("button", { type: "button", textContent: name });
      button.addEventListener("click", () => {
        state = { ...EMPTY };
        change(given);
        fillForms(state);
      });
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
    if (sides.src.pressed(event, "stepIndex")) event.preventDefault();
  });
  byId("walk-first").addEventListener("click", () => (stop(), goTo(-1)));
  byId("walk-back").addEventListener("click", () => (stop(), goTo(walk.at - 1)));
  byId("walk-step").addEventListener("click", () => (stop(), goTo(walk.at + 1)));
  byId("walk-play").addEventListener("click", play);
  byId("walk").addEventListener("change", () => {
    stop();
    walk.steps = steps(walk.moved, byId("walk-runs").checked);
    goTo(-1);
  });
  for (const id of ["dst-follow", "copy-follow"])
    byId(id).addEventListener("click", () => change({ dst: "" }));
  byId("copy-link").addEventListener("click", async () => {
    history.replaceState(null, "", write(state, FIELDS));
    try {
      await navigator.clipboard.writeText(location.href);
      byId("link-said").textContent = "copied";
    } catch {
      byId("link-said").textContent = location.href; // no clipboard without https
    }
  });
  addEventListener("hashchange", () => {
    state = { ...EMPTY };
    change(fromAddress());
    fillForms(state);
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) for (const name of ["src", "dst"]) if (shown[name]) sides[name].update(sides[name].index);
    width = innerWidth;
  });
}

try {
  library = await load(new URL(".", import.meta.url));
  const made = (name) => new Side(name, library, { moved: moveTo, use: (text) => change({ dst: text }) });
  sides = { src: made("src"), dst: made("dst") };
  fillForms = forms(library, {
    attempt,
    use: (text) => change({ src: text, axes: "", dst: "" }),
    remember: (field, words) => {
      state[field] = words;
      remember();
    },
  });
  wire();
  byId("version").textContent = `libstride ${version}`;
  change(fromAddress());
  fillForms(state);
  document.body.dataset.ready = "yes";
} catch (error) {
  byId("failed").textContent =
    `The page cannot run: ${error.message}. It has to be served (make play), not opened as a file.`;
  byId("failed").hidden = false;
  document.body.dataset.ready = "no";
}
