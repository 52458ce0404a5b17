// The forms for a DirectML descriptor and for an image: what they say, and what becomes the source.
import { button, byId, make } from "./dom.mjs";
import { DML_TYPES, directml, image, many } from "./facts.mjs";

// Of each form its fields, and what it shows of an answer (undefined: something is wrong).
const FORMS = {
  dml: {
    fields: ["type", "sizes", "strides"],
    ask: directml,
    show(answer) {
      byId("dml-total").textContent = answer ? `TotalTensorSizeInBytes: ${answer.total}.` : "";
      byId("dml-verdict").textContent = answer ? answer.verdict : "";
      byId("dml-use").disabled = !answer;
      byId("dml-use").dataset.text = answer?.text ?? "";
    },
  },
  img: {
    fields: ["format", "width", "height", "alignment"],
    ask: image,
    show(answer) {
      const planes = (answer?.texts ?? []).map((text, k) => make("li", {}, `plane ${k}: `, button(text, text)));
      byId("img-bytes").textContent = answer ? many(answer.bytes, "byte") : "";
      byId("img-planes").replaceChildren(...planes);
    },
  },
};

// `attempt` shows what is wrong, `use(text)` takes a source, `remember(field, words)` keeps what is filled in. Returns
// what fills the forms from a state.
export function forms(library, { attempt, use, remember }) {
  byId("dml-type").replaceChildren(...DML_TYPES.map((name) => make("option", { textContent: name })));
  byId("dml-type").value = "FLOAT32";
  const fills = Object.entries(FORMS).map(([form, { fields, ask, show }]) => {
    const inputs = fields.map((field) => byId(`${form}-${field}`));
    const given = () => Object.fromEntries(fields.map((field, k) => [field, inputs[k].value]));
    const update = () => show(attempt(form, "", () => ask(library, given())));
    byId(form).onclick = ({ target: { dataset } }) => dataset.text && use(dataset.text);
    byId(form).oninput = () => {
      update();
      remember(form, inputs.map(({ value }) => value).join(";"));
    };
    return (state) => {
      const words = state[form].split(";");
      if (words.length === inputs.length) inputs.forEach((input, k) => (input.value = words[k]));
      byId(form).open = Boolean(state[form]);
      update();
    };
  });
  return (state) => fills.forEach((fill) => fill(state));
}
