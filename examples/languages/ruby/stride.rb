# frozen_string_literal: true

# libstride from Ruby, by the gem ffi.
#
#   image  = Stride::Layout.packed(:u8, [300, 451, 3])
#   planes = image.crop([38, 113, 0], [224, 224, 3]).flip(1).permute(2, 0, 1)
#   Stride.copy(nil, dst, planes, src)                     # dst and src are FFI::MemoryPointer
#   Stride.copy(nil, dst, planes.runs(0, [2, 1, 0, -1]), src, fill: "\xFF")
#   floats = Stride::Layout.packed(:f32, planes.sizes)
#   Stride.copy(floats, dst, planes, src, convert: { subtract: 127.5, scale: 1 / 128.0 })
#   Stride::Plan.new(nil, planes).run(dst, src, threads: 4)
#
# Stride::C has every constant, struct and function of the headers under its C name, made at start from stride.json.
# PREFIX says where libstride is installed. Memory is anything of ffi that has an address and a size. A String is no
# destination: two strings may share their bytes.

require "ffi"
require "json"

module Stride
  module C
    extend FFI::Library
    prefix = ENV.fetch("PREFIX", "/usr/local")
    interface = JSON.parse(File.read("#{prefix}/share/stride/stride.json"))
    ffi_lib "#{prefix}/lib/#{FFI.map_library_name("stride")}"

    interface["types"].each { |type| typedef find_type(type["type"].to_sym), type["name"].to_sym }
    type_of = lambda do |text|
      next :string if text == "const char *"

      text.end_with?("*") ? :pointer : find_type(text.to_sym)
    end
    interface["constants"].each { |constant| const_set(constant["name"], constant["value"]) }
    interface["structs"].each do |struct| # stride_layout becomes StrideLayout
      fields = struct["fields"].flat_map do |field|
        type = type_of.call(field["type"])
        [field["name"].to_sym, field["entries"] ? [type, field["entries"]] : type]
      end
      made = const_set(struct["name"].split("_").map(&:capitalize).join, Class.new(FFI::Struct) { layout(*fields) })
      typedef made.by_value, struct["name"].to_sym # a struct may be a field of a later one
    end
    interface["functions"].each do |function|
      types = function["parameters"].map { |parameter| type_of.call(parameter["type"]) }
      # What takes tensor memory may run long: Ruby's lock is released meanwhile, so that other threads run.
      long = function["parameters"].any? { |parameter| parameter["type"].end_with?("void *") }
      attach_function function["name"], types, type_of.call(function["returns"]), blocking: long
    end

    found = stride_abi_version
    wanted = interface["abi_version"]
    raise LoadError, "libstride has ABI version #{found}, stride.json #{wanted}" unless found == wanted
  end

  # What the library said: `message` is its sentence, `status` the word, such as "OUT_OF_BOUNDS". `record` has the
  # numbers.
  class Error < StandardError
    attr_reader :record

    def initialize(record)
      @record = record
      # A sentence comes in any case: the status of stride_error_format is of no interest.
      super(Stride.text { |*buffer| C.stride_error_format(record, *buffer, nil) })
    end

    def status = C.stride_status_name(record[:status])
  end

  class << self
    # That of the library, which counts 10000 * major + 100 * minor + patch.
    def version = C.stride_version.then { |number| [number / 10_000, number / 100 % 100, number % 100].join(".") }

    # Calls a function whose last parameter is the record of an error, and raises that.
    def call(name, *arguments)
      record = C::StrideError.new
      raise Error, record unless C.public_send(name, *arguments, record) == C::STRIDE_STATUS_OK
    end

    # The text that a function writes: the block is called for its length, then for the text.
    def text
      length = FFI::MemoryPointer.new(:uint64)
      yield nil, 0, length
      buffer = FFI::MemoryPointer.new(:char, length.read_uint64 + 1)
      yield buffer, buffer.size, nil
      buffer.read_string
    end

    def int64s(list) = FFI::MemoryPointer.new(:int64, list.size).write_array_of_int64(list)

    # Copies every element of `src` to the element of `dst` with the same index. One side may be nil: it is packed.
    # `fill` has up to 16 bytes of a fill value, `convert` what `conversion` takes.
    def copy(dst_side, dst, src_side, src, **options)
      call(:stride_copy_sides, dst_side&.side, dst, dst.size, src_side&.side, src, src.size, options(**options))
    end

    # To (x - subtract) * scale + add if one of the three is given, else to the plain value. Flags are true: divide,
    # nearest, saturate, finite, add_last.
    def conversion(subtract: nil, scale: nil, add: nil, **flags)
      conversion = C::StrideConversion.new
      C.stride_conversion_init(conversion)
      numbers = { subtract: subtract, scale: scale, add: add }.compact
      numbers.each { |name, number| conversion[name] = number }
      asked = { affine: numbers.any?, **flags }.select { |_, wanted| wanted }
      conversion[:flags] = asked.keys.sum { |name| C.const_get("STRIDE_CONVERT_#{name.upcase}") }
      conversion
    end

    def options(fill: "", convert: nil)
      options = C::StrideCopyOptions.new
      options[:struct_size] = options.size
      fill.bytes.first(16).each_with_index { |byte, k| options[:fill][k] = byte }
      options[:conversion] = conversion(**convert) if convert # kept as long as the options
      options
    end
  end

  # One side of a copy: a layout, seen plain, through runs of indices, or as a range. It does not change.
  class Side
    attr_reader :side # the C struct

    # `borrowed` is what the C struct has the addresses of.
    def initialize(side, *borrowed)
      @side = side
      @borrowed = borrowed
    end

    # The indices along a dimension, one after the other: [first, step, count], a Range of them, or one index; -1 is the
    # fill value.
    def runs(dimension, list)
      numbers = list.flat_map do |run|
        case run
        when Integer then [run, 1, 1]
        when Range then [run.first, 1, run.size]
        else run
        end
      end
      raise ArgumentError, "a run has a first index, a step and a count" if numbers.size != 3 * list.size

      seen(:stride_side_set_runs, dimension, list.size, Stride.int64s(numbers))
    end

    # So many elements from number `first` on in row-major order, as one dimension.
    def range(first, count) = seen(:stride_side_set_range, first, count)

    private

    def seen(name, *arguments)
      copy = C::StrideSide.new
      copy.to_ptr.put_bytes(0, @side.to_ptr.get_bytes(0, copy.size))
      Stride.call(name, copy, *arguments)
      Side.new(copy, @borrowed, arguments)
    end
  end

  # Where each element of a tensor lies. It does not change: a view is a new one.
  class Layout < Side
    def self.packed(dtype, sizes) = init(dtype, sizes, nil)

    # Strides in elements.
    def self.strided(dtype, sizes, strides)
      raise ArgumentError, "#{sizes.size} sizes, #{strides.size} strides" if strides.size != sizes.size

      init(dtype, sizes, Stride.int64s(strides))
    end

    def self.init(dtype, sizes, strides)
      code = C.const_get("STRIDE_DTYPE_#{dtype.upcase}")
      new { |out| Stride.call(:stride_layout_init, out, code, sizes.size, Stride.int64s(sizes), strides) }
    end
    private_class_method :init

    # A layout that the block writes.
    def initialize
      @struct = C::StrideLayout.new
      yield @struct
      super(C::StrideSide.new, @struct)
      Stride.call(:stride_side_init, side, C::STRIDE_SIDE_LAYOUT, @struct)
    end

    def crop(starts, sizes)
      raise ArgumentError, "#{starts.size} starts, #{sizes.size} sizes" if starts.size != sizes.size

      view(:stride_layout_crop, starts.size, Stride.int64s(starts), Stride.int64s(sizes))
    end

    def flip(*axes) = view(:stride_layout_flip, axes.size, Stride.int64s(axes))
    def permute(*axes) = view(:stride_layout_permute, axes.size, Stride.int64s(axes))
    def packed_like = view(:stride_layout_packed_like)

    def rank = @struct[:rank]
    def offset = @struct[:offset]
    def sizes = @struct[:sizes].first(rank)
    def strides = @struct[:strides].first(rank)

    def min_bytes
      bytes = FFI::MemoryPointer.new(:uint64)
      Stride.call(:stride_layout_min_bytes, self, bytes)
      bytes.read_uint64
    end

    def to_s = Stride.text { |*buffer| Stride.call(:stride_layout_format, self, *buffer) }
    def to_ptr = @struct.to_ptr

    private

    def view(name, *arguments) = Layout.new { |out| Stride.call(name, self, *arguments, out) }
  end

  # A copy that is prepared once.
  class Plan
    def initialize(dst_side, src_side, **options)
      @struct = C::StridePlan.new
      Stride.call(:stride_plan_init_sides, @struct, dst_side&.side, src_side&.side, Stride.options(**options))
    end

    # Runs a part on each of so many threads. All have ended when it returns or raises.
    def run(dst, src, threads: 1)
      running = Array.new(threads) do |part|
        Thread.new do
          Stride.call(:stride_plan_execute_part, @struct, dst, dst.size, src, src.size, part, threads)
          nil
        rescue Error => error
          error
        end
      end
      failure = running.map(&:value).compact.first
      raise failure if failure
    end
  end
end
