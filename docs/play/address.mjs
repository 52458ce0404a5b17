// The state of the page in its address: `#src=f32[2,3]{0,1}&at=0,1`, so that a question can be sent as a link.

// Signs that browsers and people leave as they are. A blank is written `_`, a percent sign `~`; others are %xx, bytes
// of UTF-8. A sign `+` is itself, as in an offset.
const PLAIN = /[^\w[\]{}():,+/*.;=!?@-]|_/gu;
const SIGNS = { " ": "_", "%": "~", _: "%5F", "~": "%7E" };

export const write = (state, fields) =>
  `#${fields
    .filter((field) => state[field])
    .map((field) => `${field}=${state[field].replace(PLAIN, (sign) => SIGNS[sign] ?? encodeURIComponent(sign))}`)
    .join("&")}`;

const PAUSE = 1000; // milliseconds after which typing in a field is another edit

// The entries of the browser's history. Each edit is one, so that Back takes it away. What is typed into one field
// without a pause is one edit, unless it leaves a state that is right; moving the index (`edited` is empty) is none.
export class Entries {
  link = "";
  edited = "";
  at = -Infinity;

  remember(link, edited, right) {
    const more = edited === this.edited && performance.now() - this.at < PAUSE && (right || !this.right);
    if (edited) Object.assign(this, { edited, at: performance.now(), right });
    clearTimeout(this.later);
    if (edited && !more && link !== this.link) {
      this.settle();
      history.pushState(null, "", link);
    } else this.later = setTimeout(() => this.settle(), 250);
    this.link = link;
  }

  // The address has what was remembered last.
  settle() {
    clearTimeout(this.later);
    history.replaceState(null, "", this.link);
  }
}

// The fields that a hash has.
export function read(hash, fields) {
  const found = Object.fromEntries(fields.map((field) => [field, ""]));
  for (const part of hash.replace(/^#/, "").split("&")) {
    const equal = part.indexOf("="),
      field = part.slice(0, Math.max(0, equal));
    if (fields.includes(field)) found[field] = decoded(part.slice(equal + 1)).slice(0, 1000);
  }
  return found;
}

function decoded(words) {
  const plain = words.replaceAll("_", " ");
  try {
    return decodeURIComponent(plain.replaceAll("~", "%25"));
  } catch {
    return plain.replaceAll("~", "%"); // a % without two digits after it
  }
}
