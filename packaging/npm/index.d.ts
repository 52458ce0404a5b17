/**
 * libstride: where a tensor's elements lie in memory, and copies from any layout to any other. The functions and their
 * rules stand in the C headers; here are the types for JavaScript.
 *
 *     import { Layout, copy } from 'libstride';
 *     const image = Layout.packed('u8', [300, 451, 3]);
 *     const view = image.crop([38, 113, 0], [224, 224, 3]).flip(1).permute(2, 0, 1);
 *     const planes = new Uint8Array(view.packedLike().minBytes);
 *     copy(null, planes, view, pixels);
 *
 * Importing it loads stride.wasm, which lies beside it, or stride_plain.wasm where the host lacks SIMD128. All runs on
 * the thread that calls: the parts of a plan run one after the other. Sizes, strides and offsets are in elements. A number from the library that is beyond 2^53 is a
 * RangeError.
 */

/** Whole numbers; those beyond 2^53 as BigInt. */
export type Integers = readonly (number | bigint)[];

/** Numbers and words of a failure, as the struct stride_error has them; -1 means none in dimension and item. */
export interface ErrorRecord {
  readonly argument: number;
  readonly dimension: number;
  readonly item: number;
  readonly position: bigint;
  readonly lhs: bigint;
  readonly rhs: bigint;
  readonly detail: bigint;
}

/** An error of the library. `message` is its sentence. */
export class StrideError extends Error {
  private constructor();
  /** The word, such as "OUT_OF_BOUNDS". */
  readonly status: string;
  readonly record: ErrorRecord;
}

/**
 * Bytes in the module's own memory, zeros at first, until `free`. Copies between two of them move each byte once; an
 * array of JavaScript is brought into the module first, and the destination back.
 */
export class Memory {
  constructor(byteLength: number);
  static from(values: ArrayBuffer | ArrayBufferView): Memory;
  readonly byteLength: number;
  /** A view of the bytes, made anew each time: any call may make the memory grow, which takes older views away. */
  get bytes(): Uint8Array;
  /** Gives the bytes back; a second time does nothing. */
  free(): void;
}

/** Tensor memory. */
export type Bytes = Memory | ArrayBuffer | ArrayBufferView;

/** Indices along a dimension, one after the other: [first, step, count], or one index. -1: the fill value. */
export type Runs = readonly (number | bigint | Integers)[];

/** One side of a copy: a layout or a shape, seen plain, through runs of indices, or as a range. It does not change. */
export class Side {
  protected constructor();
  /** Index i of the dimension is the i-th of the runs. [[n - k, 1, k], [0, 1, n - k]] rolls by k. */
  runs(dimension: number, list: Runs): Side;
  /** So many elements from number `first` on in row-major order, as one dimension. */
  range(first: number | bigint, count: number | bigint): Side;
}

/** The base of Layout, XlaShape and BlockedLayout. */
declare abstract class Struct extends Side {
  /** The element type's name, such as "f32" or "u4:high". */
  get dtype(): string;
  get rank(): number;
  get sizes(): number[];
  /** The library's text. */
  toString(): string;
}

/** The place of each element of a tensor, by strides. A view is a new layout over the same memory. */
export class Layout extends Struct {
  private constructor();
  private readonly layout: true;
  /** Row-major without gaps. */
  static packed(dtype: string, sizes: Integers): Layout;
  /** The layout of what toString() writes, or of less: "f32[2,3]:1,2+7", "f32[1,32,8,8]:nhwc", "f32[2,3]{0,1}". */
  static parse(text: string): Layout;
  static strided(dtype: string, sizes: Integers, strides: Integers): Layout;
  /** Dimension 1 fastest: NHWC for the sizes [N, C, H, W]. */
  static channelsLast(dtype: string, sizes: Integers): Layout;
  /** Rows `pitchBytes` apart; dimension `axis` counts them. */
  static pitched(dtype: string, sizes: Integers, axis: number, pitchBytes: number | bigint): Layout;
  get strides(): number[];
  get offset(): number;
  /** Bytes that the buffer needs. */
  get minBytes(): number;
  crop(starts: Integers, sizes: Integers): Layout;
  flip(...axes: Integers): Layout;
  /** Dimension i of the result is dimension axes[i]. */
  permute(...axes: Integers): Layout;
  reshape(...sizes: Integers): Layout;
  broadcastTo(...sizes: Integers): Layout;
  expandDims(...axes: Integers): Layout;
  select(axis: number, index: number | bigint): Layout;
  /** The packed layout with this dtype and these sizes. */
  packedLike(): Layout;
  /** Elements from the buffer's start to this index. */
  offsetOf(...index: Integers): number;
  /** The first index at this offset; NOT_REPRESENTABLE where there is none. */
  multiIndex(offset: number | bigint): number[];
  /** The number of indices at this offset; NOT_REPRESENTABLE where there is none. */
  sharing(offset: number | bigint): number;
}

/** Buffers whose elements lie in tiles or blocks. */
declare abstract class Shape extends Struct {
  /** Bytes of the buffer, padding included. */
  get byteSize(): number;
  /** Elements from the buffer's start to this index. */
  linearIndex(...index: Integers): number;
  /** The index at a position; NOT_REPRESENTABLE where that is padding. */
  multiIndex(position: number | bigint): number[];
  toLayout(): Layout;
}

/** An array shape of XLA with its layout, such as bf16[30,100]{1,0:T(8,128)}. */
export class XlaShape extends Shape {
  private constructor();
  private readonly xla: true;
  static parse(text: string): XlaShape;
  /** A blocked format by its tag, such as "nChw16c" or "aBcd16b". */
  static fromTag(tag: string, dtype: string, sizes: Integers): XlaShape;
  get minorToMajor(): number[];
  /** The whole shape for people: padding too, which XLA's text cannot say. */
  describe(): string;
}

/** Any blocks of any dimensions, slowest first, such as "a/128 b/4 a%32 a/32%4 b%4". */
export class BlockedLayout extends Shape {
  private constructor();
  private readonly blocked: true;
  static parse(text: string, dtype: string, sizes: Integers): BlockedLayout;
  get paddedSizes(): number[];
}

/** The conversion of each number: (x - subtract) * scale + add, where 0, 1 and 0 stand for what is not given; the plain
 * value if none of the three is. stride.h has the rules, at `stride_conversion`. */
export interface Conversion {
  subtract?: number;
  scale?: number;
  /** With addLast a whole number. */
  add?: number;
  /** / scale instead. */
  divide?: boolean;
  /** Floats become the nearest integer, of two the even one, and not the next one toward zero. */
  nearest?: boolean;
  /** Integers that do not fit become the nearest that does; their low bits are kept otherwise. */
  saturate?: boolean;
  /** Floats that do not fit become the largest finite number, and not infinity. */
  finite?: boolean;
  /** To integers: `add` joins after rounding. */
  addLast?: boolean;
}

export interface CopyOptions {
  /** Constants STRIDE_COPY_..., added up. */
  flags?: number;
  /** Up to 16 bytes, for runs of -1 and STRIDE_COPY_FILL_BUFFER. */
  fill?: ArrayLike<number>;
  /** Numbers become those of the destination's dtype; {}: the plain ones. Without it both dtypes must be equal. */
  convert?: Conversion;
}

/** Copies every element of the source to the element of the destination with the same index. One of the two sides may
 * be null: it is packed, with the dtype and sizes of the other. */
export function copy(
  dst: Side | null,
  dstMemory: Bytes,
  src: Side | null,
  srcMemory: Bytes,
  options?: CopyOptions,
): void;

/** A copy that is prepared once, for any buffers. */
export class Plan {
  constructor(dst: Side | null, src: Side | null, options?: CopyOptions);
  /** Without `part` and `parts` the whole; else one of the parts, which together are the whole, in any order. */
  execute(dst: Bytes, src: Bytes, part?: number, parts?: number): void;
}

/** Calls any function of the headers but for its last parameter, the record of an error, which is thrown. Pointers are
 * null, structs of this package, Memory or arrays, which get what is written; 64-bit numbers are numbers or BigInt. */
export function call(name: string, ...args: unknown[]): number | undefined;

/** Every constant of the headers by its name. The two that are INT64_MIN are BigInt. */
export const constants: Readonly<Record<string, number | bigint>>;

/** The word for a STRIDE_CONSUMER_, such as "vulkan_image"; null for a number that is none. */
export function consumerName(consumer: number): string | null;

/** The library's version, such as "0.1.0". */
export function version(): string;
