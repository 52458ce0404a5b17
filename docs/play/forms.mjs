// The forms for a DirectML descriptor and for an image: what they say, and what becomes the source.
import { button, byId, make } from "./dom.mjs";
import { DML_TYPES, directml, image, many } from "./facts.mjs";

// `attempt` shows what is wrong, `use(text)` takes a source, `remember(field, words)` keeps what is filled in.
export function forms(library, { attempt, use, remember }) {
  byId("dml-type").replaceChildren(...DML_TYPES.map((name) => make("option", { textContent: name })));
  byId("dml-type").value = "FLOAT32";
  for (const id of ["dml-use", "img-planes"])
    byId(id).addEventListener("click", ({ target }) => {
      if (target.dataset.text) use(target.dataset.text);
    });

  function showDirectml() {
    const [type, sizes, strides] = ["dml-type", "dml-sizes", "dml-strides"].map((id) => byId(id).value);
    const answer = attempt("dml", "", () => directml(library, { type, sizes, strides }));
    byId("dml-total").textContent = answer ? `TotalTensorSizeInBytes: ${answer.total}.` : "";
    byId("dml-verdict").textContent = answer ? answer.verdict : "";
    byId("dml-use").disabled = !answer;
    byId("dml-use").dataset.text = answer?.text ?? "";
  }

  function showImage() {
    const [format, width, height, alignment] = ["img-format", "img-width", "img-height", "img-alignment"].map(
      (id) => byId(id).value,
    );
    const answer = attempt("img", "", () => image(library, { format, width, height, alignment }));
    byId("img-bytes").textContent = answer ? many(answer.bytes, "byte") : "";
    byId("img-planes").replaceChildren(
      ...(answer?.texts ?? []).map((text, k) =>
        make("li", {}, `plane ${k}: `, button(text, text)),
      ),
    );
  }

  function fill(state) {
    for (const [field, ids, update] of [
      ["dml", ["dml-type", "dml-sizes", "dml-strides"], showDirectml],
      ["img", ["img-format", "img-width", "img-height", "img-alignment"], showImage],
    ]) {
      const words = state[field].split(";");
      if (state[field] && words.length === ids.length)
        ids.forEach((id, k) => {
          byId(id).value = words[k];
        });
      byId(field).open = Boolean(state[field]);
      update();
      for (const id of ids)
        byId(id).oninput = () => {
          update();
          remember(field, ids.map((one) => byId(one).value).join(";"));
        };
    }
  }

  return fill;
}
