// The state of the page in its address: `#src=f32[2,3]&at=0,1`, so that a question can be sent as a link.

// The fields that a hash has. A sign `+` is itself, as in an offset; %xx are bytes of UTF-8.
export function read(hash, fields) {
  const found = Object.fromEntries(fields.map((field) => [field, ""]));
  for (const part of hash.replace(/^#/, "").split("&")) {
    const equal = part.indexOf("="),
      field = part.slice(0, Math.max(0, equal));
    if (fields.includes(field)) found[field] = decoded(part.slice(equal + 1)).slice(0, 1000);
  }
  return found;
}

// Some programs stop a link at brackets or blanks, and read `+` as a blank: those are written as %xx.
export const write = (state, fields) =>
  `#${fields
    .filter((field) => state[field])
    .map((field) => `${field}=${encodeURIComponent(state[field]).replace(/%(2C|3A|3B|2F)/g, decodeURIComponent)}`)
    .join("&")}`;

function decoded(words) {
  try {
    return decodeURIComponent(words);
  } catch {
    return words; // a % without two digits behind it
  }
}
