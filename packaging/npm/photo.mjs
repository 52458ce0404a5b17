// The output of the programs of examples/languages, by the package: the parts of a plan run one after the other.
//
//   node photo.mjs PHOTO.ppm

import { readFileSync } from 'node:fs';
import { Layout, Memory, Plan, StrideError, copy, version } from 'libstride';

// The layout and the pixels of a binary PPM picture.
function readPicture(path) {
  const content = readFileSync(path);
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(content.toString('latin1', 0, 64));
  if (!header) throw new Error(`${path} is no binary PPM picture`);
  const [width, height] = [Number(header[1]), Number(header[2])];
  return [Layout.packed('u8', [height, width, 3]), content.subarray(header[0].length)];
}

function sum(bytes) {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return `adler32 ${(high * 65536 + low).toString(16).padStart(8, '0')}`;
}

function showError(call) {
  try {
    call();
  } catch (error) {
    if (!(error instanceof StrideError)) throw error;
    console.log(`${error.status}: ${error.message}`);
    return;
  }
  throw new Error('nothing was refused');
}

console.log(`libstride ${version()}`);
const [image, pixels] = readPicture(process.argv[2]);
const view = image.crop([38, 113, 0], [224, 224, 3]).flip(1).permute(2, 0, 1);
console.log(`view ${view}`);

const packed = view.packedLike();
const planes = new Memory(packed.minBytes);
copy(packed, planes, view, pixels);
console.log(`planes: ${planes.byteLength} bytes, ${sum(planes.bytes)}`);

// No thread is needed for the same bytes: these are the parts that four threads would run.
const parts = 4;
const pitched = Layout.strided('u8', [3, 224, 224], [57344, 256, 1]);
const rows = new Memory(pitched.minBytes);
const toRows = new Plan(pitched, packed);
for (let part = 0; part < parts; part++) toRows.execute(rows, planes, part, parts);
console.log(`rows of 256 bytes: ${rows.byteLength} bytes, ${parts} parts on ${parts} threads, ${sum(rows.bytes)}`);

const back = new Uint8Array(planes.byteLength);
const fromRows = new Plan(packed, pitched);
for (let part = 0; part < parts; part++) fromRows.execute(back, rows, part, parts);
console.log(`brought back: ${sum(back)}`);

// As a screen takes them: blue, green, red, and a fourth channel that the photograph lacks, which is the fill value.
const bgra = new Uint8Array(224 * 224 * 4);
const screen = Layout.packed('u8', [224, 224, 4]).permute(2, 0, 1);
copy(screen, bgra, view.runs(0, [2, 1, 0, -1]), pixels, { fill: [255] });
console.log(`BGRA pixels: ${bgra.length} bytes, ${sum(bgra)}`);

// The second piece of the planes, through a buffer that is smaller than they are.
const piece = new Uint8Array(65536);
copy(null, piece, view.range(piece.length, piece.length), pixels);
console.log(`one piece: ${piece.length} bytes, ${sum(piece)}`);

// As a network reads them: bytes become f32 between -1 and 1.
const input = Layout.packed('f32', view.sizes);
const floats = new Uint8Array(input.minBytes);
copy(input, floats, view, pixels, { convert: { subtract: 127.5, scale: 1 / 128 } });
console.log(`normalised planes: ${floats.length} bytes of f32, ${sum(floats)}`);

showError(() => copy(packed, planes.bytes.subarray(0, -1), view, pixels));
showError(() => view.permute(1, 0));
for (const memory of [planes, rows]) memory.free();
