-- libstride from LuaJIT, by its ffi.
--
--   local image = stride.packed("u8", {300, 451, 3})
--   local planes = image:crop({38, 113, 0}, {224, 224, 3}):flip({1}):permute({2, 0, 1})
--   stride.copy(nil, dst, dst_bytes, planes, src, src_bytes)
--   stride.copy(nil, dst, dst_bytes, planes:runs(0, {2, 1, 0, -1}), src, src_bytes, {fill = "\255"})
--   local floats = stride.packed("f32", planes:list_sizes())
--   stride.copy(floats, dst, dst_bytes, planes, src, src_bytes, {convert = {subtract = 127.5, scale = 1 / 128}})
--   stride.plan(nil, planes):run(dst, dst_bytes, src, src_bytes, 4)
--
-- stride.cdef is read as it is; stride.C has all that it declares, to be called as check(C.stride_...(..., record)).
-- PREFIX says where libstride is installed. A layout is the C struct itself, with methods; memory is a pointer or an
-- array of ffi, followed by its length in bytes.
--
-- A Lua state belongs to one thread, so a plan's parts run one after the other, each in a coroutine. (pthread_create by
-- ffi wants a C function of one pointer; a Lua function as its callback would run in another thread's state.)

local bit, ffi = require("bit"), require("ffi")

local prefix = os.getenv("PREFIX") or "/usr/local"
local file = assert(io.open(prefix .. "/share/stride/stride.cdef"))
ffi.cdef(file:read("*a"))
file:close()
local C = ffi.load(prefix .. "/lib/libstride." .. (ffi.os == "OSX" and "dylib" or "so"))
assert(C.stride_abi_version() == C.STRIDE_ABI_VERSION, "libstride has another ABI version than stride.cdef")

local stride = {C = C}

-- What is thrown: `message` is the library's sentence, `status` the word, `record` has the numbers.
stride.Error = {}
stride.Error.__index = stride.Error
function stride.Error:__tostring() return self.status .. ": " .. self.message end

-- The text that `write(buffer, capacity, length)` writes, asked for its length first.
local function text(write)
  local length = ffi.new("uint64_t[1]")
  write(nil, 0, length)
  local capacity = tonumber(length[0]) + 1
  local buffer = ffi.new("char[?]", capacity)
  write(buffer, capacity, nil)
  return ffi.string(buffer, capacity - 1)
end

-- The record that every call gets. One is enough: a Lua state is in one call at a time.
local record = ffi.new("stride_error")

-- Throws what a status says, with a copy of the record.
local function check(status)
  if status == C.STRIDE_STATUS_OK then return end
  -- A sentence comes in any case: the status of stride_error_format is of no interest.
  local message = text(function(buffer, capacity, length)
    C.stride_error_format(record, buffer, capacity, length, nil)
  end)
  error(setmetatable({
    status = ffi.string(C.stride_status_name(status)),
    message = message,
    record = ffi.new("stride_error", record),
  }, stride.Error), 0)
end
stride.check, stride.record = check, record

local function int64s(list) return ffi.new("int64_t[?]", #list, list) end

local function numbers(array, count)
  local list = {}
  for i = 0, count - 1 do list[i + 1] = tonumber(array[i]) end
  return list
end

local Layout = {}

-- Views are new layouts.

function Layout:crop(starts, sizes)
  if #starts ~= #sizes then error(#starts .. " starts, " .. #sizes .. " sizes", 2) end
  local out = ffi.new("stride_layout")
  check(C.stride_layout_crop(self, #starts, int64s(starts), int64s(sizes), out, record))
  return out
end

function Layout:flip(axes)
  local out = ffi.new("stride_layout")
  check(C.stride_layout_flip(self, #axes, int64s(axes), out, record))
  return out
end

function Layout:permute(axes)
  local out = ffi.new("stride_layout")
  check(C.stride_layout_permute(self, #axes, int64s(axes), out, record))
  return out
end

function Layout:packed_like()
  local out = ffi.new("stride_layout")
  check(C.stride_layout_packed_like(self, out, record))
  return out
end

function Layout:list_sizes() return numbers(self.sizes, self.rank) end
function Layout:list_strides() return numbers(self.strides, self.rank) end

function Layout:min_bytes()
  local bytes = ffi.new("uint64_t[1]")
  check(C.stride_layout_min_bytes(self, bytes, record))
  return tonumber(bytes[0])
end

-- One side of a copy: a layout, seen plain, through runs of indices, or as a range. It does not change. `borrowed` is
-- what the struct points to, which ffi does not keep.
local Side = {}
Side.__index = Side

-- The side that is a layout; nil stays nil.
local function side_of(given)
  if not ffi.istype("stride_layout", given) then return given end
  local out = ffi.new("stride_side")
  check(C.stride_side_init(out, C.STRIDE_SIDE_LAYOUT, given, record))
  return setmetatable({struct = out, borrowed = {given}}, Side)
end

-- The indices along a dimension, one after the other: {first, step, count}, or one index; -1 is the fill value.
function Side:runs(dimension, list)
  local runs, out = ffi.new("stride_index_run[?]", #list), ffi.new("stride_side", self.struct)
  for i, run in ipairs(list) do
    runs[i - 1] = type(run) == "table" and run or {run, 1, 1}
  end
  check(C.stride_side_set_runs(out, dimension, #list, runs, record))
  return setmetatable({struct = out, borrowed = {self.borrowed, runs}}, Side)
end

-- So many elements from number `first` on in row-major order, as one dimension.
function Side:range(first, count)
  local out = ffi.new("stride_side", self.struct)
  check(C.stride_side_set_range(out, first, count, record))
  return setmetatable({struct = out, borrowed = self.borrowed}, Side)
end

function Layout:runs(dimension, list) return side_of(self):runs(dimension, list) end
function Layout:range(first, count) return side_of(self):range(first, count) end

ffi.metatype("stride_layout", {
  __index = Layout,
  __tostring = function(layout)
    return text(function(buffer, capacity, length)
      check(C.stride_layout_format(layout, buffer, capacity, length, record))
    end)
  end,
})

-- dtype is a name such as "u8".
local function init(dtype, sizes, strides)
  local out = ffi.new("stride_layout")
  check(C.stride_layout_init(out, C["STRIDE_DTYPE_" .. dtype:upper()], #sizes, int64s(sizes), strides, record))
  return out
end

function stride.packed(dtype, sizes) return init(dtype, sizes, nil) end

-- Strides in elements.
function stride.strided(dtype, sizes, strides)
  if #sizes ~= #strides then error(#sizes .. " sizes, " .. #strides .. " strides", 2) end
  return init(dtype, sizes, int64s(strides))
end

-- A conversion to (x - subtract) * scale + add if one of the three is given, else to the plain value. Flags are true:
-- divide, nearest, saturate, finite, add_last.
local function conversion_of(asked)
  local out, flags = ffi.new("stride_conversion"), 0
  C.stride_conversion_init(out)
  for name, value in pairs(asked) do
    local is_number = type(value) == "number"
    if is_number then out[name] = value end
    if value then flags = bit.bor(flags, C["STRIDE_CONVERT_" .. (is_number and "AFFINE" or name:upper())]) end
  end
  out.flags = flags
  return out
end

-- Calls use(dst, src, options) with the structs of two sides, either of which may be nil, and of options. These are a
-- table or nil: `fill` is a string of up to 16 bytes, `convert` is as above. What the structs point to lives until use
-- has returned: the tables and the conversion are needed after it.
local function with_sides(dst, src, given, use)
  local to, from = side_of(dst), side_of(src)
  local fill, convert = given and given.fill or "", given and given.convert
  local conversion = convert and conversion_of(convert) or nil
  local options = ffi.new("stride_copy_options", {struct_size = ffi.sizeof("stride_copy_options")})
  ffi.copy(options.fill, fill, math.min(#fill, 16))
  options.conversion = conversion
  check(use(to and to.struct, from and from.struct, options))
  return to, from, conversion
end

-- Copies every element of src to the element of dst with the same index. One side may be nil: it is packed.
function stride.copy(dst_side, dst, dst_bytes, src_side, src, src_bytes, options)
  with_sides(dst_side, src_side, options, function(to, from, made)
    return C.stride_copy_sides(to, dst, dst_bytes, from, src, src_bytes, made, record)
  end)
end

local Plan = {}

-- A coroutine for each part. Whoever has other work resumes them in between, in any order.
function Plan:parts(dst, dst_bytes, src, src_bytes, parts)
  local threads = {}
  for part = 0, parts - 1 do
    threads[part + 1] = coroutine.create(function()
      check(C.stride_plan_execute_part(self, dst, dst_bytes, src, src_bytes, part, parts, record))
    end)
  end
  return threads
end

-- Runs all parts, one after the other.
function Plan:run(dst, dst_bytes, src, src_bytes, parts)
  for _, thread in ipairs(self:parts(dst, dst_bytes, src, src_bytes, parts or 1)) do
    local done, failure = coroutine.resume(thread)
    if not done then error(failure, 0) end
  end
end

ffi.metatype("stride_plan", {__index = Plan})

-- A copy that is prepared once.
function stride.plan(dst_side, src_side, options)
  local out = ffi.new("stride_plan")
  with_sides(dst_side, src_side, options, function(to, from, made)
    return C.stride_plan_init_sides(out, to, from, made, record)
  end)
  return out
end

-- That of the library, which counts 10000 * major + 100 * minor + patch.
function stride.version()
  local number = C.stride_version()
  return ("%d.%d.%d"):format(number / 10000, number / 100 % 100, number % 100)
end

return stride
