-- The centre of a photograph, mirrored, as planes; into rows of 256 bytes in four parts, and back;
-- as pixels for a screen; one piece; as numbers for a network; two errors.
--
--   PREFIX=... luajit photo.lua PHOTO.ppm

local bit, ffi = require("bit"), require("ffi")
local stride = require("stride")

-- The layout of a binary PPM picture, its bytes and how many.
local function read_picture(path)
  local file = assert(io.open(path, "rb"))
  local content = file:read("*a")
  file:close()
  local width, height, start = content:match("^P6%s+(%d+)%s+(%d+)%s+255%s()")
  if not width then error(path .. " is no binary PPM picture") end
  local bytes = #content - start + 1
  local pixels = ffi.new("uint8_t[?]", bytes)
  ffi.copy(pixels, content:sub(start), bytes)
  return stride.packed("u8", {tonumber(height), tonumber(width), 3}), pixels, bytes
end

local function sum(memory, bytes)
  local low, high = 1, 0
  for i = 0, bytes - 1 do
    low = (low + memory[i]) % 65521
    high = (high + low) % 65521
  end
  return "adler32 " .. bit.tohex(bit.bor(bit.lshift(high, 16), low))
end

local function show_error(f, ...)
  local done, failure = pcall(f, ...)
  if done then error("nothing was refused") end
  if getmetatable(failure) ~= stride.Error then error(failure, 0) end
  print(failure)
end

print("libstride " .. stride.version())
local image, pixels, pixel_bytes = read_picture(arg[1])
local view = image:crop({38, 113, 0}, {224, 224, 3}):flip({1}):permute({2, 0, 1})
print("view " .. tostring(view))

local packed = view:packed_like()
local plane_bytes = packed:min_bytes()
local planes = ffi.new("uint8_t[?]", plane_bytes)
stride.copy(packed, planes, plane_bytes, view, pixels, pixel_bytes)
print(("planes: %d bytes, %s"):format(plane_bytes, sum(planes, plane_bytes)))

-- Lua's threads are coroutines.
local parts = 4
local pitched = stride.strided("u8", {3, 224, 224}, {57344, 256, 1})
local row_bytes = pitched:min_bytes()
local rows = ffi.new("uint8_t[?]", row_bytes) -- zeros
stride.plan(pitched, packed):run(rows, row_bytes, planes, plane_bytes, parts)
print(("rows of 256 bytes: %d bytes, %d parts on %d threads, %s"):format(row_bytes, parts, parts, sum(rows, row_bytes)))

local back = ffi.new("uint8_t[?]", plane_bytes)
stride.plan(packed, pitched):run(back, plane_bytes, rows, row_bytes, parts)
print("brought back: " .. sum(back, plane_bytes))

-- As a screen takes them: blue, green, red, and a fourth channel that the photograph lacks, which is the fill value.
local screen = stride.packed("u8", {224, 224, 4}):permute({2, 0, 1})
local bgra_bytes = screen:min_bytes()
local bgra = ffi.new("uint8_t[?]", bgra_bytes)
stride.copy(screen, bgra, bgra_bytes, view:runs(0, {2, 1, 0, -1}), pixels, pixel_bytes, {fill = "\255"})
print(("BGRA pixels: %d bytes, %s"):format(bgra_bytes, sum(bgra, bgra_bytes)))

-- The second piece of the planes, through a buffer that is smaller than they are.
local piece_bytes = 65536
local piece = ffi.new("uint8_t[?]", piece_bytes)
stride.copy(nil, piece, piece_bytes, view:range(piece_bytes, piece_bytes), pixels, pixel_bytes)
print(("one piece: %d bytes, %s"):format(piece_bytes, sum(piece, piece_bytes)))

-- As a network reads them: bytes become f32 between -1 and 1.
local input = stride.packed("f32", view:list_sizes())
local float_bytes = input:min_bytes()
local floats = ffi.new("uint8_t[?]", float_bytes)
stride.copy(input, floats, float_bytes, view, pixels, pixel_bytes, {convert = {subtract = 127.5, scale = 1 / 128}})
print(("normalised planes: %d bytes of f32, %s"):format(float_bytes, sum(floats, float_bytes)))

show_error(stride.copy, packed, planes, plane_bytes - 1, view, pixels, pixel_bytes)
show_error(view.permute, view, {1, 0})
