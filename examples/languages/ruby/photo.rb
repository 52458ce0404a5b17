# frozen_string_literal: true

# The centre of a photograph, mirrored, as planes; into rows of 256 bytes on four threads, and back;
# as pixels for a screen; one piece; as numbers for a network; two errors.
#
#   PREFIX=... ruby photo.rb PHOTO.ppm

require "zlib"
require_relative "stride"

# The layout and the bytes of a binary PPM picture.
def read_picture(path)
  header, width, height = File.binread(path).match(/\AP6\s+(\d+)\s+(\d+)\s+255\s/n).to_a
  raise "#{path} is no binary PPM picture" unless header

  layout = Stride::Layout.packed(:u8, [height.to_i, width.to_i, 3])
  pixels = File.binread(path, nil, header.bytesize)
  [layout, FFI::MemoryPointer.new(:uint8, pixels.bytesize).put_bytes(0, pixels)]
end

def sum(memory) = format("adler32 %08x", Zlib.adler32(memory.get_bytes(0, memory.size)))

def show_error
  yield
rescue Stride::Error => error
  puts "#{error.status}: #{error.message}"
else
  raise "nothing was refused"
end

puts "libstride #{Stride.version}"
image, pixels = read_picture(ARGV.fetch(0))
view = image.crop([38, 113, 0], [224, 224, 3]).flip(1).permute(2, 0, 1)
puts "view #{view}"

packed = view.packed_like
planes = FFI::MemoryPointer.new(:uint8, packed.min_bytes)
Stride.copy(packed, planes, view, pixels)
puts "planes: #{planes.size} bytes, #{sum(planes)}"

threads = 4
pitched = Stride::Layout.strided(:u8, [3, 224, 224], [57_344, 256, 1])
rows = FFI::MemoryPointer.new(:uint8, pitched.min_bytes) # ffi fills it with zeros
Stride::Plan.new(pitched, packed).run(rows, planes, threads: threads)
puts "rows of 256 bytes: #{rows.size} bytes, #{threads} parts on #{threads} threads, #{sum(rows)}"

back = FFI::MemoryPointer.new(:uint8, planes.size)
Stride::Plan.new(packed, pitched).run(back, rows, threads: threads)
puts "brought back: #{sum(back)}"

# As a screen takes them: blue, green, red, and a fourth channel that the photograph lacks, which is the fill value.
screen = Stride::Layout.packed(:u8, [224, 224, 4]).permute(2, 0, 1)
bgra = FFI::MemoryPointer.new(:uint8, screen.min_bytes)
Stride.copy(screen, bgra, view.runs(0, [2, 1, 0, -1]), pixels, fill: "\xFF")
puts "BGRA pixels: #{bgra.size} bytes, #{sum(bgra)}"

# The second piece of the planes, through a buffer that is smaller than they are.
piece = FFI::MemoryPointer.new(:uint8, 65_536)
Stride.copy(nil, piece, view.range(piece.size, piece.size), pixels)
puts "one piece: #{piece.size} bytes, #{sum(piece)}"

# As a network reads them: bytes become f32 between -1 and 1.
input = Stride::Layout.packed(:f32, view.sizes)
floats = FFI::MemoryPointer.new(:uint8, input.min_bytes)
Stride.copy(input, floats, view, pixels, convert: { subtract: 127.5, scale: 1 / 128.0 })
puts "normalised planes: #{floats.size} bytes of f32, #{sum(floats)}"

show_error { Stride.copy(packed, planes.slice(0, planes.size - 1), view, pixels) }
show_error { view.permute(1, 0) }
