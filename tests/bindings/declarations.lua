-- stride.cdef in LuaJIT, as it stands: a copy, a constant by its name, and a sentence.
--
--   luajit declarations.lua LIBRARY DECLARATIONS
local ffi = require "ffi"
ffi.cdef(assert(io.open(arg[2])):read "*a")
local stride = ffi.load(arg[1])

local function layout(init, sizes)
  local out, numbers = ffi.new "stride_layout", ffi.new("int64_t[?]", #sizes, sizes)
  assert(init(out, stride.STRIDE_DTYPE_F32, #sizes, numbers) == stride.STRIDE_STATUS_OK)
  return out
end
local function packed(out, dtype, rank, sizes) return stride.stride_layout_init(out, dtype, rank, sizes, nil, nil) end
local function pixels(out, dtype, rank, sizes)
  return stride.stride_layout_init_channels_last(out, dtype, rank, sizes, nil)
end

local planes = layout(packed, {1, 3, 1, 2})
local from = layout(pixels, {1, 3, 1, 2})
local src, dst, why = ffi.new("float[6]", {1, 10, 100, 2, 20, 200}), ffi.new "float[6]", ffi.new "stride_error"
assert(stride.stride_copy(planes, dst, 24, from, src, 24, nil, why) == stride.STRIDE_STATUS_OK)
assert(dst[1] == 2 and dst[2] == 10 and dst[5] == 200)

assert(stride.stride_copy(planes, dst, 23, from, src, 24, nil, why) == stride.STRIDE_STATUS_OUT_OF_BOUNDS)
local sentence = ffi.new "char[200]"
assert(stride.stride_error_format(why, sentence, 200, nil, nil) == stride.STRIDE_STATUS_OK)
assert(ffi.string(sentence) == "dst_bytes: 24 bytes are needed, but the buffer has 23")
print "luajit: stride.cdef, a copy, a sentence"
