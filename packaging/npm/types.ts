// Code that must pass the types of the npm package, and after @ts-expect-error code that must not. tsc reads it.

import {
  BlockedLayout, type Conversion, Layout, Memory, Plan, Side, StrideError, XlaShape, call, constants, consumerName, copy,
  version,
} from 'libstride';

const image: Layout = Layout.packed('u8', [300n, 451, 3]);
const view = image.crop([38, 113, 0], [224, 224, 3]).flip(1).permute(2, 0, 1).reshape(3, -1);
const numbers: number[] = [...view.sizes, ...view.strides, view.offset, view.minBytes, view.offsetOf(0, 0), ...view.multiIndex(0n), view.sharing(0)];
const memory = Memory.from(new Float32Array(3));
const shape: XlaShape = XlaShape.parse('f32[2,3]');
const blocked: BlockedLayout = BlockedLayout.parse('a b', 'f32', [2, 3]);
copy(null, memory, shape, new ArrayBuffer(24), { flags: Number(constants.STRIDE_COPY_FILL_BUFFER), fill: [0] });
const rolled: Side = view.runs(1, [[100n, 1, 124], 3, -1]).runs(0, []);
copy(rolled, memory, blocked.range(0, 6n), memory);
const conversion: Conversion = { subtract: 127.5, scale: 1 / 128, nearest: true };
copy(image, memory, null, memory, { convert: conversion });
new Plan(blocked, view, { convert: {} }).execute(new Uint16Array(3), memory, 0, 4);
const consumer: string | null = consumerName(4);
const word: string = version() + consumer + view.dtype + shape.describe();
try {
  call('stride_layout_flip', view, 0, null, view);
} catch (error) {
  if (error instanceof StrideError) console.log(error.status, error.record.lhs + 1n, word, numbers);
}

// @ts-expect-error A list of sizes is needed.
Layout.packed('u8');
// @ts-expect-error An array of numbers is no memory.
copy(view, [1, 2, 3], null, memory);
// @ts-expect-error A number is for all elements.
copy(view, memory, view, memory, { convert: { scale: [1, 2, 3] } });
// @ts-expect-error A layout is made by its functions.
new Layout();
// @ts-expect-error A layout has no tiles.
const tiled: XlaShape = image;
// @ts-expect-error Views are new layouts.
image.sizes = [1];
