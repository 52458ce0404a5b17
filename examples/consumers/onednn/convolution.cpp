// A convolution of oneDNN in its blocked formats, laid out by libstride.
//
//   convolution
//
// oneDNN is fastest if channels lie in blocks: nChw16c, OIhw16i16o. Its own reorders make such blocks. A program that
// reads weights from a file, or pixels from a camera, needs no reorder if libstride lays them out once. Here pixels are
// NHWC and weights HWIO, as in TensorFlow. The blocked buffers are compared with those of oneDNN's reorders, the result
// with plain loops. Blocks that channels do not fill are padded with zeros, as oneDNN demands.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include <stride.h>
#include <stride_xla.h>

using tag = dnnl::memory::format_tag;
using dims = dnnl::memory::dims;

constexpr std::int64_t IMAGES = 2, IN = 20, OUT = 30, HEIGHT = 17, WIDTH = 19, KERNEL = 3, PADDING = 1;

// Prints the library's sentence and ends the program.
static void check(stride_status status, const stride_error &error, const char *what) {
  if (status == STRIDE_STATUS_OK) return;
  char sentence[256];
  std::uint64_t length;
  stride_error_format(&error, sentence, sizeof sentence, &length, nullptr);
  std::fprintf(stderr, "convolution: %s: %s\n", what, sentence);
  std::exit(1);
}

static void expect(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "convolution: %s\n", what);
  std::exit(1);
}

// A buffer in the format of a tag, such as "nChw16c".
struct blocked {
  stride_xla_shape shape;
  stride_side side;  // refers to shape
  std::vector<float> memory;

  blocked(const std::string &name, const std::vector<std::int64_t> &sizes) {
    stride_error error;
    std::uint64_t bytes;
    check(stride_xla_shape_parse_tag(name.data(), name.size(), STRIDE_DTYPE_F32, std::uint32_t(sizes.size()),
                                     sizes.data(), &shape, &error), error, name.c_str());
    check(stride_xla_shape_byte_size(&shape, &bytes, &error), error, name.c_str());
    memory.assign(bytes / sizeof(float), -1);  // elements that are not written show
    check(stride_side_init(&side, STRIDE_SIDE_SHAPE, &shape, &error), error, name.c_str());
  }
  blocked(const blocked &) = delete;
  blocked &operator=(const blocked &) = delete;

  std::uint64_t bytes() const { return memory.size() * sizeof(float); }

  void take(const stride_layout &layout, const std::vector<float> &plain) {
    stride_error error;
    stride_side from;
    stride_copy_options zeros = STRIDE_COPY_OPTIONS_INIT;
    zeros.flags = STRIDE_COPY_FILL_BUFFER;
    check(stride_side_init(&from, STRIDE_SIDE_LAYOUT, &layout, &error), error, "plain side");
    check(stride_copy_sides(&side, memory.data(), bytes(), &from, plain.data(), plain.size() * sizeof(float), &zeros,
                            &error), error, "to blocks");
  }

  void give(const stride_layout &layout, std::vector<float> *plain) const {
    stride_error error;
    stride_side to;
    check(stride_side_init(&to, STRIDE_SIDE_LAYOUT, &layout, &error), error, "plain side");
    check(stride_copy_sides(&to, plain->data(), plain->size() * sizeof(float), &side, memory.data(), bytes(), nullptr,
                            &error), error, "from blocks");
  }
};

// Sizes {N, C, H, W} over memory that holds N, H, W, C.
static stride_layout nhwc(std::int64_t channels) {
  const std::int64_t sizes[4] = {IMAGES, channels, HEIGHT, WIDTH};
  stride_layout layout;
  stride_error error;
  check(stride_layout_init_channels_last(&layout, STRIDE_DTYPE_F32, 4, sizes, &error), error, "NHWC");
  return layout;
}

// Sizes {O, I, H, W} over memory that holds H, W, I, O.
static stride_layout hwio() {
  const std::int64_t sizes[4] = {OUT, IN, KERNEL, KERNEL}, minor_to_major[4] = {0, 1, 3, 2};
  stride_layout layout;
  stride_error error;
  check(stride_layout_init_ordered(&layout, STRIDE_DTYPE_F32, 4, sizes, minor_to_major, &error), error, "HWIO");
  return layout;
}

// What oneDNN's own reorder makes of a plain buffer.
static std::vector<float> reordered(const dnnl::engine &engine, dnnl::stream &stream, const dims &sizes, tag from,
                                    const std::vector<float> &plain, tag to) {
  const dnnl::memory::desc target({sizes, dnnl::memory::data_type::f32, to});
  std::vector<float> result(target.get_size() / sizeof(float));
  dnnl::memory src({sizes, dnnl::memory::data_type::f32, from}, engine, const_cast<float *>(plain.data()));
  dnnl::memory dst(target, engine, result.data());
  dnnl::reorder(src, dst).execute(stream, src, dst);
  stream.wait();
  return result;
}

static dnnl::convolution_forward make_convolution(const dnnl::engine &engine, const dnnl::memory::desc &src,
                                                  const dnnl::memory::desc &weights, const dnnl::memory::desc &dst) {
  const dims steps{1, 1}, padding{PADDING, PADDING};
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto algorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::convolution_forward({engine, kind, algorithm, src, weights, dst, steps, padding, padding});
#else
  return dnnl::convolution_forward({{kind, algorithm, src, weights, dst, steps, padding, padding}, engine});
#endif
}

// One value of the result, by plain loops. The numbers are small integers, so every order of addition is exact.
static float value_of(const std::vector<float> &pixels, const std::vector<float> &weights, std::int64_t n,
                      std::int64_t o, std::int64_t y, std::int64_t x) {
  float sum = 0;
  for (std::int64_t ky = 0; ky < KERNEL; ky++) {
    for (std::int64_t kx = 0; kx < KERNEL; kx++) {
      const std::int64_t row = y + ky - PADDING, column = x + kx - PADDING;
      if (row < 0 || row >= HEIGHT || column < 0 || column >= WIDTH) continue;
      const float *pixel = &pixels[std::size_t(((n * HEIGHT + row) * WIDTH + column) * IN)];
      const float *weight = &weights[std::size_t((ky * KERNEL + kx) * IN * OUT)];
      for (std::int64_t i = 0; i < IN; i++) sum += pixel[i] * weight[i * OUT + o];
    }
  }
  return sum;
}

int main() {
  std::vector<float> pixels(IMAGES * HEIGHT * WIDTH * IN), weights(KERNEL * KERNEL * IN * OUT);
  for (std::size_t k = 0; k < pixels.size(); k++) pixels[k] = float(k * 7 % 23) - 11;
  for (std::size_t k = 0; k < weights.size(); k++) weights[k] = float(k * 5 % 17) - 8;

  blocked src("nChw16c", {IMAGES, IN, HEIGHT, WIDTH}), filter("OIhw16i16o", {OUT, IN, KERNEL, KERNEL});
  blocked dst("nChw16c", {IMAGES, OUT, HEIGHT, WIDTH});
  src.take(nhwc(IN), pixels);
  filter.take(hwio(), weights);

  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const dims src_sizes{IMAGES, IN, HEIGHT, WIDTH}, weight_sizes{OUT, IN, KERNEL, KERNEL};
  const dims dst_sizes{IMAGES, OUT, HEIGHT, WIDTH};
  expect(src.memory == reordered(engine, stream, src_sizes, tag::nhwc, pixels, tag::nChw16c),
         "the pixels are not as oneDNN's reorder has them");
  expect(filter.memory == reordered(engine, stream, weight_sizes, tag::hwio, weights, tag::OIhw16i16o),
         "the weights are not as oneDNN's reorder has them");

  const auto f32 = dnnl::memory::data_type::f32;
  const dnnl::memory::desc src_desc(src_sizes, f32, tag::nChw16c), dst_desc(dst_sizes, f32, tag::nChw16c);
  const dnnl::memory::desc weight_desc(weight_sizes, f32, tag::OIhw16i16o);
  expect(src_desc.get_size() == src.bytes() && weight_desc.get_size() == filter.bytes() &&
             dst_desc.get_size() == dst.bytes(), "oneDNN's buffers have another length");
  make_convolution(engine, src_desc, weight_desc, dst_desc)
      .execute(stream, {{DNNL_ARG_SRC, dnnl::memory(src_desc, engine, src.memory.data())},
                        {DNNL_ARG_WEIGHTS, dnnl::memory(weight_desc, engine, filter.memory.data())},
                        {DNNL_ARG_DST, dnnl::memory(dst_desc, engine, dst.memory.data())}});
  stream.wait();

  std::vector<float> result(IMAGES * HEIGHT * WIDTH * OUT);
  dst.give(nhwc(OUT), &result);
  std::size_t at = 0;
  for (std::int64_t n = 0; n < IMAGES; n++)
    for (std::int64_t y = 0; y < HEIGHT; y++)
      for (std::int64_t x = 0; x < WIDTH; x++)
        for (std::int64_t o = 0; o < OUT; o++) {
          expect(result[at++] == value_of(pixels, weights, n, o, y, x), "the convolution's result is wrong");
        }

  stride_error error;
  stride_xla_shape shape;
  const std::int64_t sizes[4] = {IMAGES, IN, HEIGHT, WIDTH};
  char sentence[256];
  std::uint64_t length;
  expect(stride_xla_shape_parse_tag("nChw16x", 7, STRIDE_DTYPE_F32, 4, sizes, &shape, &error) == STRIDE_STATUS_PARSE,
         "a tag that is none was taken");
  stride_error_format(&error, sentence, sizeof sentence, &length, nullptr);
  std::printf("  refused: %s\n", sentence);
  std::printf("oneDNN %d.%d: blocked pixels and weights are those of its reorders, %zu results those of plain loops\n",
              DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, at);
  return 0;
}
