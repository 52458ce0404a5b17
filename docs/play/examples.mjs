// Ready questions, each a state of the page. `from` is where the layout and its numbers stand.
export const EXAMPLES = [
  {
    name: "Photo to planes",
    state: { src: "u8[4,6,3]", axes: "2,0,1", dst: "u8[3,4,6]", at: "1,0,1" },
    note: "Rows, columns, colours (HWC) become three planes: the axes 2,0,1 make a view, the copy packs it.",
    from: "README.md",
  },
  {
    name: "Photo to floats",
    state: { src: "u8[2,3,3]", axes: "2,0,1", dst: "f32[3,2,3]", num: "(x-127.5)/127.5", at: "1,0,0" },
    note: "Normalised on the way: the copy also makes each byte x the float (x - 127.5) / 127.5, from -1 to 1.",
    from: "README.md",
  },
  {
    name: "Transposed",
    state: { src: "f32[5,4,3]", axes: "2,1,0", dst: "", at: "1,2,3" },
    note: "All axes in the other order: element (1,2,3) of the view is element (3,2,1) of the source.",
    from: "numpy.transpose",
  },
  {
    name: "XLA: {0,1}",
    state: { src: "f32[2,3]", dst: "f32[2,3]{0,1}", at: "0,1" },
    note: "The first dimension varies fastest, so abc / def lies as adbecf.",
    from: "XLA, Shapes and layout",
  },
  {
    name: "XLA: tiles",
    state: { src: "f32[3,5]", dst: "f32[3,5]{1,0:T(2,2)}", at: "2,3" },
    note: "Tiles of 2 x 2 cut the matrix; past its edges is padding. Index (2,3) is element 17 in memory, byte 68.",
    from: "XLA, Tiled layout",
  },
  {
    name: "DirectML: NCHW, NHWC",
    state: {
      src: "f32[1,1,3,5]:15,1,5,1",
      dst: "f32[1,1,3,5]:15,15,5,1",
      at: "0,0,1,2",
      dml: "FLOAT32;1,1,3,5;15,1,5,1",
    },
    note: "One 3 x 5 tensor in both orders. With one channel they differ in strides that are ignored.",
    from: "DirectML, Using strides to express padding and memory layout",
  },
  {
    name: "Padded rows",
    state: { src: "f32[2,3]:5,1", dst: "", at: "1,0" },
    note: "abc, 2 of padding, def: rows of 3 at a pitch of 5. The padding of the last row is not needed.",
    from: "DirectML, Padding with strides",
  },
  {
    name: "Broadcast",
    state: { src: "f32[2,3]:0,1", dst: "", at: "1,1" },
    note: "A stride of 0 repeats the row: abc in memory is abc / abc by index.",
    from: "DirectML, Broadcasting with strides",
  },
  {
    name: "Blocked: nChw4c",
    state: { src: "f32[1,6,2,3]", dst: "f32[1,6,2,3]:nChw4c", at: "0,5,0,0" },
    note: "Channels in blocks of 4. The second block has two channels and two places of padding.",
    from: "oneDNN, Understanding Memory Formats",
  },
  {
    name: "4-bit elements",
    state: { src: "u4[3,5]", dst: "u4[3,5]:6,1", at: "0,3" },
    note: "Two elements in a byte, the first in its low bits. A pitch of 6 begins each row with a whole byte.",
    from: "XLA, packed elements",
  },
  {
    name: "NV12 planes",
    state: { src: "u8[2,4,2]:8,2,1+32", axes: "2,0,1", dst: "u8[2,2,4]", at: "1,0,0", img: "NV12;8;4;1" },
    note: "After 32 bytes of Y (4 rows of 8), U and V alternate in 2 rows. The axes 2,0,1 take them apart.",
    from: "docs/IMAGE_FORMATS.md",
  },
  {
    name: "Scale tiles",
    state: { src: "f8e8m0fnu[40,3]", dst: "f8e8m0fnu[40,3]:a/128 b/4 a%32 a/32%4 b%4", at: "32,0" },
    note: "Scale factors of MXFP8 in tiles of 128 x 4: row 32 lies 4 bytes after row 0.",
    from: "cuBLAS, 1D Block Scaling Factors Layout",
  },
  {
    name: "Windows",
    state: { src: "f32[5,3]:1,1", dst: "", at: "1,2" },
    note: "All windows of 3 over 7 elements, as as_strided makes them: indices share elements, the copy does not.",
    from: "torch.Tensor.unfold",
  },
  {
    name: "A large one",
    state: { src: "f32[1,3,224,224]", dst: "f32[1,3,224,224]:nhwc", at: "0,2,100,7" },
    note: "The grids show a window that moves with the index; formulas and facts are exact.",
    from: "stride.h",
  },
];
