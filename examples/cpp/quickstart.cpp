// libstride from C++ in one page: layouts, views, a copy, a plan on threads, a loop of one's own, an error.
//
//   c++ -std=c++17 examples/cpp/quickstart.cpp -Iinclude target/c/libstride.a -pthread && ./a.out
#include <cstdio>
#include <vector>

#include <stride.hpp>

using namespace stride;

int main() {
  // Pixels of three channels, one beside the other, become planes.
  const std::vector<float> pixels = {1, 10, 100, 2, 20, 200, 3, 30, 300, 4, 40, 400};
  const layout nhwc = layout::channels_last(F32, {1, 3, 2, 2}), nchw(F32, {1, 3, 2, 2});
  std::vector<float> planes(12);
  copy(nchw, planes, nhwc, pixels);
  std::printf("planes:");
  for (const float value : planes) std::printf(" %g", static_cast<double>(value));

  // Views are values, and chain; nothing is moved until it is copied.
  const layout image(U8, {480, 640, 3});
  const layout centre = image.crop({120, 160, 0}, {240, 320, 3}).flip({1}).permute({2, 0, 1});
  std::printf("\ncentre: %s, needs %llu bytes\n", centre.text().c_str(),
              static_cast<unsigned long long>(centre.min_bytes()));

  // A copy prepared once runs in parts, on threads or on any pool: executor(parts, part) calls part(k).
  const std::vector<unsigned char> photo(image.min_bytes(), 7);
  std::vector<unsigned char> planar(static_cast<std::size_t>(centre.elements()));
  const plan mirror(packed, centre);
#ifndef STRIDE_NO_THREADS
  mirror.run(planar, photo, 4, threads());
#else
  mirror.execute(planar, photo);
#endif
  std::printf("plan: parts worth a thread: %u; element 0: %d\n", mirror.facts().useful_parts, planar[0]);

  // A loop over operands of different layouts, run by run: a row is added to each row of a matrix.
  std::vector<float> matrix(6, 1.0f);
  const std::vector<float> row = {10, 20, 30};
  const auto operands = broadcast(layout(F32, {2, 3}), layout(F32, {3}));
  for (const auto &run : runs(operands)) {
    float *to = run.at(0, matrix.data());
    const float *from = run.at(1, row.data());
    for (uint64_t k = 0; k < run.elements; k++, to += run.strides[0] / 4, from += run.strides[1] / 4) *to += *from;
  }
  std::printf("sum: %g %g %g ... %g\n", static_cast<double>(matrix[0]), static_cast<double>(matrix[1]),
              static_cast<double>(matrix[2]), static_cast<double>(matrix[5]));

  // What is wrong comes as a sentence: thrown, or returned by the try_ forms.
  try {
    copy(layout(F32, {3, 4}), planes, nhwc, pixels);
  } catch (const error &wrong) {
    std::printf("error: %s\n", wrong.what());
  }
  if (const auto reshaped = centre.try_reshape({-1}); !reshaped) std::printf("error: %s\n", reshaped.error().what());
}
