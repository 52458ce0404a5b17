// Makes the npm package: what lies here, stride.wasm and stride_plain.wasm, the licences, and interface.mjs, written
// from stride.json.
//
//   node packaging/npm/build.mjs LIBRARY FOLDER
//
// LIBRARY is the folder of both: `make lib TARGET=wasm32-unknown-unknown` makes them. `npm pack FOLDER` packs what lies
// in the folder then.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const [library, out] = process.argv.slice(2);
if (!out) throw new Error('usage: build.mjs LIBRARY FOLDER');
const here = (name) => new URL(name, import.meta.url);
const description = JSON.parse(readFileSync(here('../../include/stride.json'), 'utf8'));
const { version } = description;
const manifest = JSON.parse(readFileSync(here('package.json'), 'utf8'));
const url = readFileSync(here('../../Cargo.toml'), 'utf8').match(/^repository = "(.*?)"/m)[1];

const model = '32'; // the sizes of WebAssembly
const wide = new Set(['int64_t', 'uint64_t']);

// A parameter as one letter: 4 or 8 bytes; or a pointer to what is read, written on success, on failure, or always.
function letter({ type, direction, written }) {
  if (!type.endsWith('*')) return wide.has(type) ? '8' : '4';
  if (direction === 'in') return 'r';
  return { on_ok: 'w', on_failure: 'f', always: 'a' }[written];
}

const constants = Object.fromEntries(description.constants.map(({ name, value }) => [name, value]));
const functions = Object.fromEntries(
  description.functions.map(({ name, parameters, returns }) => [
    name,
    { parameters: parameters.map(letter).join(''), status: returns === 'stride_status' },
  ]),
);
const structs = Object.fromEntries(
  description.structs.map(({ name, size, fields }) => [
    name,
    {
      size: size[model],
      fields: Object.fromEntries(fields.map(({ name, type, offset }) => [name, { type, offset: offset[model] }])),
    },
  ]),
);

// A number beyond the integers of JavaScript, which is INT64_MIN, becomes a BigInt.
const isBig = (value) => typeof value === 'number' && !Number.isSafeInteger(value);
const exact = (value) => (isBig(value) ? `${BigInt(value)}n` : JSON.stringify(value));
const line = ([name, value]) => `  ${name}: ${exact(value)},\n`;
const lines = (object) => `{\n${Object.entries(object).map(line).join('')}}`;

mkdirSync(out, { recursive: true });
writeFileSync(
  `${out}/interface.mjs`,
  `// libstride ${version}: its interface, by build.mjs from stride.json. A letter for each parameter: 4 or 8 bytes; a
// pointer to what is read (r), or written on success (w), on failure (f) or always (a).
export const abiVersion = ${description.abi_version};
export const constants = ${lines(constants)};
export const functions = ${lines(functions)};
export const structs = ${lines(structs)};
`,
);
manifest.version = version;
manifest.repository = { type: 'git', url: `git+${url}.git`, directory: 'packaging/npm' };
writeFileSync(`${out}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
for (const name of ['README.md', 'index.mjs', 'index.d.ts']) copyFileSync(here(name), `${out}/${name}`);
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'LICENSE-THIRD-PARTY']) {
  copyFileSync(here(`../../${name}`), `${out}/${name}`);
}
for (const name of ['stride.wasm', 'stride_plain.wasm']) copyFileSync(`${library}/${name}`, `${out}/${name}`);
