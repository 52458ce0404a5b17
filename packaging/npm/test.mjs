// Tests of the npm package, where it is installed: node --test. The numbers are those of the headers' examples.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BlockedLayout, Layout, Memory, Plan, StrideError, XlaShape } from 'libstride';
import { call, constants, consumerName, copy, version } from 'libstride';

// The library's version, as all programs for the photograph print it.
const [, ...numbers] = /^libstride (\d+)\.(\d+)\.(\d+)\n/.exec(readFileSync(process.env.EXPECTED, 'utf8'));

// The error of a call, held to its word and sentence.
const refuses = (f, status, message) =>
  assert.throws(f, (error) => error instanceof StrideError && error.status === status && error.message === message);

test('the module is the one for this host', () => {
  assert.equal(call('stride_cpu_level'), constants[`STRIDE_CPU_LEVEL_${process.env.LEVEL}`]);
});

test('layouts', () => {
  assert.equal(version(), numbers.join('.'));
  const packed = Layout.packed('f32', [2, 3, 4]);
  assert.equal(String(packed), 'f32[2,3,4] strides [12,4,1] offset 0');
  assert.deepEqual([packed.dtype, packed.rank, packed.sizes, packed.strides], ['f32', 3, [2, 3, 4], [12, 4, 1]]);
  const image = Layout.pitched('u8', [480, 640, 3], 0, 2048); // stride.h, Layouts
  assert.deepEqual(image.strides, [2048, 3, 1]);
  assert.equal(image.minBytes, 479 * 2048 + 640 * 3);
  assert.deepEqual(Layout.channelsLast('u8', [1, 3, 2, 2]).strides, [12, 1, 6, 3]);
  refuses(() => Layout.packed('f32', [3, -1]), 'INVALID_SIZE', 'sizes, dimension 1: size -1 is negative');
  assert.throws(() => Layout.strided('f32', [2, 3], [1]), RangeError);
  assert.equal(String(Layout.packed('f32', [])), 'f32[] strides [] offset 0');
});

test('texts and places', () => {
  const rows = Layout.parse('f32[2,3]:-4,1+4');
  assert.equal(String(rows), 'f32[2,3] strides [-4,1] offset 4');
  assert.deepEqual(Layout.parse(String(rows)).struct, rows.struct);
  assert.deepEqual(rows.multiIndex(1), [1, 1]); // stride.h, Questions about a layout
  assert.equal(Layout.parse('f32[5,3]:1,1').sharing(2), 3);
  refuses(() => rows.multiIndex(3), 'NOT_REPRESENTABLE', 'offset: no index lies at element 3');
  refuses(() => Layout.parse('f32[2'), 'PARSE', 'text, byte 5: the text ends where `,` or `]` is expected');
  assert.deepEqual([consumerName(constants.STRIDE_CONSUMER_TMA), consumerName(99)], ['tma', null]);
});

test('views', () => {
  const view = Layout.packed('u8', [4, 6, 3]).crop([1, 2, 0], [2, 2, 3]).permute(2, 0, 1); // stride.h, Views
  assert.deepEqual([view.offset, view.sizes, view.strides], [24, [3, 2, 2], [1, 18, 3]]);
  assert.equal(view.offsetOf(2, 1, 1), 24 + 2 + 18 + 3);
  const bias = Layout.packed('f32', [3, 1, 1]).broadcastTo(2, 3, 4, 4); // stride.h, Broadcasting
  assert.deepEqual(bias.strides.slice(0, 3), [0, 1, 0]);
  assert.deepEqual(Layout.packed('f32', [6]).reshape(2, -1).expandDims(0).sizes, [1, 2, 3]);
  assert.deepEqual(Layout.packed('f32', [2, 3]).select(0, 1).offset, 3);
  refuses(() => view.permute(1, 0), 'INVALID_RANK', 'rank: 2 entries are given, but 3 are needed');
});

test('shapes of XLA', () => {
  const shape = XlaShape.parse('bf16[30,100]{1,0:T(8,128)}'); // stride_xla.h, XLA
  assert.equal(String(shape), 'bf16[30,100]{1,0:T(8,128)}');
  assert.equal(shape.byteSize, 32 * 128 * 2);
  assert.equal(shape.linearIndex(9, 99), 8 * 128 + 1 * 128 + 99);
  assert.deepEqual(shape.multiIndex(8 * 128 + 1 * 128 + 99), [9, 99]);
  assert.equal(XlaShape.parse('f32[3,5]{1,0:T(2,2)}').linearIndex(2, 3), 17);
  assert.deepEqual(XlaShape.parse('f32[2,3]{0,1}').toLayout().strides, [1, 2]);
  assert.deepEqual(XlaShape.parse('f32[2,3,4]').minorToMajor, [2, 1, 0]);
  assert.equal(XlaShape.fromTag('nChw16c', 'f32', [1, 20, 2, 2]).byteSize, 2 * 16 * 2 * 2 * 4);
  assert.equal(typeof constants.STRIDE_XLA_TILE_MERGE, 'bigint');
  assert.throws(() => XlaShape.parse('f32[2'), (error) => error.status === 'PARSE' && error.record.position === 5n);

  const rows = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9); // stride_xla.h, Copies to and from XLA shapes
  const tiles = new Uint8Array(16);
  copy(XlaShape.parse('u8[3,3]{1,0:T(2,2)}'), tiles, Layout.packed('u8', [3, 3]), rows);
  assert.deepEqual(Array.from(tiles), [1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 0, 0, 9, 0, 0, 0]);
});

test('blocked layouts', () => {
  const blocked = BlockedLayout.parse('a/128 b/4 a%32 a/32%4 b%4', 'f8e8m0fnu', [200, 6]); // stride_interop.h
  assert.equal(String(blocked), 'a/128 b/4 a%32 a/32%4 b%4');
  assert.deepEqual([blocked.byteSize, blocked.paddedSizes], [2048, [256, 8]]);
  assert.equal(blocked.linearIndex(32, 0), 4);
  assert.deepEqual(blocked.multiIndex(4), [32, 0]);
  assert.deepEqual(blocked.toLayout().sizes, [2, 2, 32, 4, 4]);
  const scales = new Uint8Array(1200);
  scales.set([127, 126, 0, 0, 0, 0, 125]);
  const tiles = new Uint8Array(2048).fill(9);
  copy(blocked, tiles, null, scales, { flags: constants.STRIDE_COPY_FILL_BUFFER, fill: [7] });
  assert.deepEqual([tiles[0], tiles[1], tiles[16], tiles[2047]], [127, 126, 125, 7]);
});

test('sides', () => {
  const rows = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12); // stride.h, Sides of copies
  const matrix = Layout.packed('u8', [4, 3]);
  const taken = new Uint8Array(6);
  copy(null, taken, matrix.runs(0, [3, 1]), rows);
  assert.deepEqual(Array.from(taken), [10, 11, 12, 4, 5, 6]);
  new Plan(null, matrix.runs(0, [-1, [3, -3, 2]]).runs(1, [[2, -2, 2]]), { fill: [9] }).execute(taken, rows);
  assert.deepEqual(Array.from(taken), [9, 9, 12, 10, 3, 1]);
  copy(Layout.packed('u8', [4]).range(1, 3), taken, matrix.range(5, 3), rows);
  assert.deepEqual(Array.from(taken), [9, 6, 7, 8, 3, 1]);
  copy(matrix.runs(0, []), new Uint8Array(12), null, taken); // nothing

  // From tiles to blocks, of which one is left out.
  const tiled = XlaShape.parse('u8[4,3]{1,0:T(2,2)}');
  const tiles = new Uint8Array(16);
  copy(tiled, tiles, matrix, rows);
  const blocks = new Uint8Array(12);
  copy(BlockedLayout.parse('a/2 b a%2', 'u8', [4, 3]).runs(0, [2, 3]), blocks, tiled.runs(0, [0, 1]), tiles);
  assert.deepEqual(Array.from(blocks), [0, 0, 0, 0, 0, 0, 1, 4, 2, 5, 3, 6]);

  const sentence = 'src_side: dimension number 2 is outside 0 ... 1';
  refuses(() => copy(null, taken, matrix.runs(2, [1]), rows), 'INVALID_AXES', sentence);
  refuses(() => copy(null, taken, matrix.range(0, -1), rows), 'INVALID_SIZE', 'count: -1 is negative');
  assert.throws(() => matrix.runs(0, [[1, 2]]), TypeError);
  assert.throws(() => copy('u8[4,3]', taken, matrix, rows), TypeError);
});

test('copies', () => {
  const [nchw, nhwc] = [Layout.packed('f32', [1, 3, 2, 2]), Layout.channelsLast('f32', [1, 3, 2, 2])];
  const pixels = Float32Array.of(1, 10, 100, 2, 20, 200, 3, 30, 300, 4, 40, 400);
  const planes = new Float32Array(12);
  copy(nchw, planes, nhwc, pixels);
  assert.deepEqual(Array.from(planes), [1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400]);
  planes.fill(5);
  const short = planes.subarray(0, 11);
  const sentence = 'dst_bytes: 48 bytes are needed, but the buffer has 44';
  refuses(() => copy(nchw, short, nhwc, pixels), 'OUT_OF_BOUNDS', sentence);
  assert.ok(planes.every((value) => value === 5)); // what was there stays
  assert.throws(() => copy(nchw, [1, 2, 3], nhwc, pixels), TypeError);

  // Bytes between the elements stay; a view of an array writes nowhere else.
  const padded = new Uint8Array(12).fill(7);
  copy(Layout.strided('u8', [2, 2], [4, 1]), padded.subarray(2, 8), null, Uint8Array.of(1, 2, 3, 4));
  assert.deepEqual(Array.from(padded), [7, 7, 1, 2, 7, 7, 3, 4, 7, 7, 7, 7]);
});

test('conversions', () => {
  const [bytes, floats, halves] = ['u8', 'f32', 'f16'].map((dtype) => Layout.packed(dtype, [4]));
  const [pixels, numbers] = [Uint8Array.of(0, 127, 128, 255), new Float32Array(4)];
  copy(floats, numbers, bytes, pixels, { convert: { subtract: 127.5, scale: 2 } });
  assert.deepEqual(Array.from(numbers), [-255, -1, 1, 255]);
  copy(floats, numbers, bytes, pixels, { convert: {} });
  assert.deepEqual(Array.from(numbers), [0, 127, 128, 255]);
  const quantised = new Uint8Array(4);
  const convert = { scale: 2, add: 1, divide: true, nearest: true, saturate: undefined, finite: false, addLast: true };
  new Plan(bytes, floats, { convert }).execute(quantised, numbers);
  assert.deepEqual(Array.from(quantised), [1, 65, 65, 129]); // 0, 63.5, 64 and 127.5, rounded, and 1
  const shorts = Int16Array.of(-1, 300, 3, 4);
  copy(bytes, quantised, Layout.packed('s16', [4]), shorts, { convert: { saturate: true } });
  assert.deepEqual(Array.from(quantised), [0, 255, 3, 4]);
  const [large, rounded] = [Float32Array.of(1e6, 1, -1e6, 0), new Uint16Array(4)];
  copy(halves, rounded, floats, large, { convert: { finite: true } });
  assert.deepEqual(Array.from(rounded), [0x7bff, 0x3c00, 0xfbff, 0]);

  assert.throws(() => copy(floats, numbers, bytes, pixels), (error) => error.status === 'DTYPE_MISMATCH');
  for (const wrong of [{ scale: [1, 2] }, { scael: 2 }, { nearest: 1 }]) {
    assert.throws(() => copy(floats, numbers, bytes, pixels, { convert: wrong }), TypeError);
  }
});

test('the memory grows', () => {
  const [src, dst] = [Memory.from(Uint8Array.of(1, 2, 3, 4, 5, 6)), new Memory(6)];
  const stale = src.bytes;
  const transposing = new Plan(Layout.packed('u8', [3, 2]), Layout.strided('u8', [3, 2], [1, 3]));
  const large = new Memory(1 << 24);
  assert.equal(stale.length, 0);
  transposing.execute(dst, src);
  assert.deepEqual(Array.from(dst.bytes), [1, 4, 2, 5, 3, 6]);

  // It grows during the call too, for an array that must be brought in.
  const bytes = 1 << 25;
  const many = new Uint8Array(bytes).fill(3);
  const inside = new Memory(bytes);
  copy(null, inside.bytes, Layout.packed('u8', [bytes]), many);
  assert.ok(inside.bytes.every((value) => value === 3));

  // And for the runs of a side.
  const indices = Array.from({ length: 1 << 21 }, (_, k) => 5 - (k % 6));
  const listed = new Memory(indices.length);
  copy(null, listed.bytes, Layout.packed('u8', [6]).runs(0, indices), src.bytes);
  assert.deepEqual(Array.from(listed.bytes.subarray(-6)), indices.slice(-6).map((index) => index + 1));
  for (const memory of [src, dst, large, inside, listed]) memory.free();
  assert.throws(() => src.bytes, TypeError);
  src.free();
  assert.throws(() => new Memory(-1), RangeError);
});

test('parts, and any function', () => {
  const plan = new Plan(Layout.packed('u8', [256, 256]), Layout.strided('u8', [256, 256], [1, 256]));
  const src = Uint8Array.from({ length: 65536 }, (_, k) => (k * 7 + (k >> 8)) % 251);
  const [whole, parts] = [new Uint8Array(65536), new Uint8Array(65536)];
  plan.execute(whole, src);
  for (const part of [2, 0, 3, 1]) plan.execute(parts, src, part, 4);
  assert.deepEqual(parts, whole);
  assert.equal(whole[1], src[256]);
  assert.throws(() => plan.execute(parts, src, 4, 4), (error) => error.status === 'INVALID_ARGUMENT');

  const fourcc = new Uint32Array(1);
  call('stride_image_fourcc', new TextEncoder().encode('NV12'), 4, fourcc);
  assert.equal(fourcc[0], 0x3231564e);
  assert.equal(call('stride_version'), Number(numbers[0]) * 10000 + Number(numbers[1]) * 100 + Number(numbers[2]));
  assert.throws(() => call('stride_layout_flop'), TypeError);
  assert.throws(() => call('stride_layout_flip', 1), TypeError);
});

test('the photograph', () => {
  const [photo, expected] = [process.env.PHOTO, process.env.EXPECTED];
  const printed = execFileSync(process.execPath, ['photo.mjs', photo], { encoding: 'utf8' });
  assert.equal(printed, readFileSync(expected, 'utf8'));
});

test('the page', () => {
  const page = readFileSync('node_modules/libstride/README.md', 'utf8');
  const [, program, printed] = /```js\n(.*?)```\n\n```text\n(.*?)```/s.exec(page);
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }), printed);
});

test('nothing is kept', () => {
  const [src, dst] = [new Uint8Array(1 << 16), new Uint8Array(1 << 16)];
  const probe = new Memory(1);
  const plan = new Plan(Layout.packed('u8', [1 << 16]), null);
  const grown = () => probe.bytes.buffer.byteLength;
  plan.execute(dst, src);
  const before = grown();
  for (let k = 0; k < 1000; k++) {
    plan.execute(dst, src);
    copy(null, dst, Layout.packed('u8', [1 << 16]).runs(0, [[0, 1, 1 << 16]]), src, { convert: { add: 1 } });
    assert.throws(() => copy(null, dst, Layout.packed('u8', [4]).range(0, -1), src), StrideError);
    assert.throws(() => plan.execute(dst.subarray(1), src), StrideError);
  }
  assert.equal(grown(), before);
  probe.free();
});
