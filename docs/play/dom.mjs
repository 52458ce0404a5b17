// Elements of the page: found by their id, and made.
export const byId = (id) => document.getElementById(id);

export function make(name, fields = {}, ...children) {
  const { dataset, ...rest } = fields,
    made = Object.assign(document.createElement(name), rest);
  Object.assign(made.dataset, dataset ?? {});
  made.append(...children);
  return made;
}

// A small button, which may have the text of a tensor.
export const button = (textContent, text = "") =>
  make("button", { type: "button", className: "small", textContent, dataset: { text } });
