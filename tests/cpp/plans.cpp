// Plans: alone, in parts, by executors that do well and ill, by threads, at many places, as regions.
#include <vector>

#include "check.hpp"

using namespace stride;

namespace {

void plans() {
  constexpr int64_t side_length = 300;
  const layout rows = *layout::try_make(F32, {side_length, side_length});
  const layout columns = *rows.try_permute({1, 0});
  std::vector<float> src(side_length * side_length), wanted(src.size()), dst(src.size());
  for (std::size_t k = 0; k < src.size(); k++) src[k] = static_cast<float>(k);
  for (std::size_t i = 0; i < 300; i++) {
    for (std::size_t j = 0; j < 300; j++) wanted[j * 300 + i] = src[i * 300 + j];
  }
  const auto empty = [&] { dst.assign(dst.size(), -1.0f); };
  const auto made = plan::try_make(columns, rows);
  CHECK(made.has_value());
  const plan &transpose = *made;

  CHECK(transpose.try_execute(dst, src) && dst == wanted);
  empty();
  for (uint32_t part = 0; part < 7; part++) CHECK(transpose.try_execute_part(dst, src, part, 7).has_value());
  CHECK(dst == wanted && transpose.try_execute_part(dst, src, 7, 7).status() == STRIDE_STATUS_INVALID_ARGUMENT);
  CHECK(transpose.try_facts()->kind == STRIDE_COPY_KIND_TRANSPOSE && transpose.try_facts()->useful_parts >= 1);
  CHECK(transpose.try_describe()->size() > 10 && *transpose.try_scratch_bytes(dst.data(), src.data()) == 0);
  CHECK(transpose.try_regions(1)->size() == 90000 && transpose.try_regions(4).status() == STRIDE_STATUS_INVALID_RANK);
  stride_region_rules rules;
  CHECK(stride_region_rules_init(&rules, STRIDE_REGION_API_VULKAN_BUFFER, nullptr) == STRIDE_STATUS_OK);
  CHECK(transpose.try_regions(rules)->size() == 90000);
  rules.row_bytes_alignment = 64;
  CHECK(transpose.try_regions(rules).status() == STRIDE_STATUS_UNSUPPORTED);
  CHECK(plan().try_execute(dst, src).status() == STRIDE_STATUS_INVALID_ARGUMENT);
  CHECK(plan::try_make(packed, packed).status() == STRIDE_STATUS_NULL_POINTER);

  // Any executor: forwards, backwards, one that starts with the last.
  empty();
  const auto backwards = [](uint32_t parts, const auto &part) {
    for (uint32_t k = parts; k-- > 0;) part(k);
  };
  CHECK(transpose.try_run(dst, src, 5, backwards) && dst == wanted);
  // One that leaves a part out, and one that does nothing.
  const auto lazy = transpose.try_run(dst, src, 5, [](uint32_t parts, const auto &part) {
    for (uint32_t k = 1; k < parts; k++) part(k);
  });
  CHECK(lazy.status() == STRIDE_STATUS_INVALID_ARGUMENT && lazy.record().lhs == 4 && lazy.record().rhs == 5);
  CHECK(std::string(lazy.error().what()) == "parts: it is 4 but must be 5");
  CHECK(!transpose.try_run(dst, src, 5, [](uint32_t, const auto &) {}));
  CHECK(transpose.try_run(dst, src, 0, backwards).status() == STRIDE_STATUS_INVALID_ARGUMENT);
  // The parts' error comes back.
  const auto outside = transpose.try_run({dst.data(), 100}, src, 5, backwards);
  CHECK(outside.status() == STRIDE_STATUS_OUT_OF_BOUNDS && outside.record().rhs == 400);
  CHECK_THROWS(STRIDE_STATUS_OUT_OF_BOUNDS, (transpose.run({dst.data(), 100}, src, 5, backwards), 0));
#ifndef STRIDE_NO_EXCEPTIONS
  // What an executor throws is the caller's.
  bool caught = false;
  try {
    transpose.run(dst, src, 5, [](uint32_t, const auto &) { throw 17; });
  } catch (int number) {
    caught = number == 17;
  }
  CHECK(caught);
  empty();
  plan(columns, rows).execute(dst, src);
  CHECK(dst == wanted);
#endif

#ifndef STRIDE_NO_THREADS
  for (const unsigned count : {0u, 1u, 2u, 8u}) {
    for (const uint32_t parts : {1u, 3u, 64u}) {
      empty();
      CHECK(transpose.try_run(dst, src, parts, threads(count)) && dst == wanted);
    }
  }
  CHECK(transpose.try_run({dst.data(), 100}, src, 64, threads(8)).status() == STRIDE_STATUS_OUT_OF_BOUNDS);
  // Each part once, on whatever thread.
  std::vector<std::atomic<int>> times(1000);
  threads(8)(1000, [&](uint32_t k) { times[k].fetch_add(1); });
  bool once = true;
  for (const auto &one : times) once = once && one.load() == 1;
  CHECK(once);
#else
  std::printf("skipped: threads, this compiler's library has no std::thread\n");
#endif

  // Two blocks with one plan.
  const layout block = *layout::try_make(F32, {2, 2}, {300, 1});
  const auto blocks = plan::try_make(block, *block.try_packed_like());
  empty();
  CHECK(blocks && blocks->try_execute_batch(dst, {0, 40}, src, {16, 0}) && dst[0] == 4.0f && dst[301] == 7.0f &&
        dst[10] == 0.0f && dst[311] == 3.0f && dst[2] == -1.0f);
  CHECK(blocks->try_execute_batch(dst, {0, 40}, src, {16}).status() == STRIDE_STATUS_INVALID_RANK);
  CHECK(blocks->try_execute_batch(dst, {INT64_MAX}, src, {0}).status() != STRIDE_STATUS_OK);

  // Scratch, for a square transposed in place.
  const auto in_place = plan::try_make(columns, rows, options().allow_overlap());
  dst = src;
  const uint64_t needed = *in_place->try_scratch_bytes(dst.data(), dst.data());
  CHECK(needed == src.size() * 4 && in_place->try_execute(dst, dst).status() == STRIDE_STATUS_SCRATCH_NEEDED);
  std::vector<float> scratch(src.size());
  CHECK(in_place->try_execute(dst, dst, scratch) && dst == wanted);
}

// Bytes of pixels become floats of planes, with numbers for each channel.
void conversions() {
  const layout pixels = *layout::try_make(U8, {2, 5, 3}), image = *pixels.try_permute({2, 0, 1});
  const layout planes = *layout::try_make(F32, {3, 2, 5});
  const layout each = *layout::try_make(F32, {3, 1, 1}), values = *each.try_broadcast_to({3, 2, 5});
  std::vector<unsigned char> src(30);
  std::vector<float> wanted(30), dst(30);
  for (std::size_t k = 0; k < 30; k++) src[k] = static_cast<unsigned char>(8 * k);
  const float factors[3] = {0.5f, 2, -1};
  for (std::size_t c = 0; c < 3; c++) {
    for (std::size_t k = 0; k < 10; k++) wanted[10 * c + k] = static_cast<float>(src[3 * k + c]) * factors[c] + 1;
  }
  conversion by_channel;
  by_channel.affine(0, 1, 1).lists(values, 3, nullptr, factors);
  const options with = options().convert(by_channel);
  CHECK(try_copy(planes, dst, image, src, with) && dst == wanted);
  CHECK(try_copy(planes, dst, image, src).status() == STRIDE_STATUS_DTYPE_MISMATCH);
  const auto made = plan::try_make(planes, image, with);
  CHECK(made && made->try_execute(dst, src).status() == STRIDE_STATUS_INVALID_ARGUMENT);
  dst.assign(30, 0);
  const auto forwards = [](uint32_t parts, const auto &part) {
    for (uint32_t k = 0; k < parts; k++) part(k);
  };
  CHECK(made->try_run(dst, src, 3, forwards, by_channel) && dst == wanted);
  std::vector<int8_t> bytes(30);
  conversion nearest;
  nearest.affine(0, 0.25).divide().nearest().saturate().finite();
  const layout narrow = *layout::try_make(S8, {3, 2, 5});
  CHECK(try_copy(narrow, bytes, planes, dst, options().convert(nearest)).has_value());
  CHECK(bytes[0] == 4 && bytes[9] == 127 && bytes[29] == -128);
}

}  // namespace

void test_plans() {
  plans();
  conversions();
}
