// Layouts from lists, dtypes of C++ types, questions, errors and results.
#include <complex>
#include <unordered_set>
#include <vector>

#include "check.hpp"
#if defined(__cpp_lib_span)
#include <span>
#endif
// Twice: a header is included by other headers too.
#include "stride.hpp"

using namespace stride;

namespace {

struct pixel {
  float r, g, b;
};

enum class half : uint16_t {};

// What a try_ form is for, in constant expressions and signatures.
static_assert(noexcept(std::declval<const layout &>().try_permute(list())));
static_assert(!noexcept(std::declval<const layout &>().try_text()), "text is allocated");
static_assert(std::is_trivially_copyable_v<layout> && sizeof(layout) == 1040 && sizeof(plan) == 4096);
// A record lies where the value would: beside it there is only which of them it is.
static_assert(sizeof(result<layout>) == 1048 && std::is_trivially_copyable_v<result<layout>>);
static_assert(std::is_base_of_v<std::exception, error> && std::is_nothrow_copy_constructible_v<error>);
static_assert(dtype_of_v<float> == F32 && dtype_of_v<const double> == F64 && dtype_of_v<bool> == PRED);
static_assert(dtype_of_v<signed char> == S8 && dtype_of_v<unsigned char> == U8 && dtype_of_v<short> == S16);
static_assert(dtype_of_v<int64_t> == S64 && dtype_of_v<long long> == S64 && dtype_of_v<unsigned long long> == U64);
static_assert(dtype_of_v<std::complex<float>> == C64 && dtype_of_v<std::complex<double>> == C128);
static_assert(dtype_of_v<std::byte> == U8 && dtype_of_v<uint32_t> == U32 && dtype_of_v<int16_t> == S16);
static_assert(bytes(12).number() == (STRIDE_DTYPE_BYTES | 12) && S4.high_first().number() == 0x40000015);

}  // namespace

template <>
struct stride::dtype_of<pixel> {
  static constexpr dtype value = stride::bytes(sizeof(pixel));
};
template <>
struct stride::dtype_of<half> {
  static constexpr dtype value = stride::F16;
};

namespace {

static_assert(dtype_of_v<pixel> == bytes(12) && dtype_of_v<half> == F16);

void lists() {
  // All that a list may be, by the sizes that arrive.
  const std::vector<int64_t> vector = {2, 3, 4};
  const std::array<int64_t, 3> array = {2, 3, 4};
  const int64_t plain[] = {2, 3, 4};
  const layout wanted = *layout::try_make(F32, {2, 3, 4});
  CHECK(*layout::try_make(F32, vector) == wanted && *layout::try_make(F32, array) == wanted);
  CHECK(*layout::try_make(F32, plain) == wanted && *layout::try_make(F32, list(plain, 3)) == wanted);
  CHECK(*layout::try_make(F32, wanted.shape()) == wanted);
#if defined(__cpp_lib_span)
  CHECK(*layout::try_make(F32, std::span<const int64_t>(vector)) == wanted);
  CHECK(*layout::try_make(F32, std::span<const int64_t, 3>(array)) == wanted);
#endif
  CHECK(wanted.strides[0] == 12 && wanted.strides[1] == 4 && wanted.strides[2] == 1 && wanted.offset == 0);
  CHECK(wanted.shape().size() == 3 && wanted.steps()[0] == 12);
  const layout scalar = *layout::try_make(U8, {});
  CHECK(scalar.rank == 0 && *scalar.try_elements() == 1 && *scalar.try_min_bytes() == 1);
}

void makers() {
  const layout given = *layout::try_make(F32, {2, 3}, {8, 2}, 5);
  CHECK(given.offset == 5 && given.strides[0] == 8 && *given.try_offset_of({1, 2}) == 17);
  CHECK(*layout::try_make(F32, {2, 3}, {-3, 1}, 3)->try_min_bytes() == 24);
  CHECK(*layout::try_ordered(F32, {2, 3}, {0, 1}) == *layout::try_make(F32, {2, 3}, {1, 2}));
  CHECK(*layout::try_channels_last(F32, {1, 3, 2, 2}) == *layout::try_make(F32, {1, 3, 2, 2}, {12, 1, 6, 3}));
  CHECK(layout::try_channels_last(F32, {1, 3, 2, 2})->is_channels_last());
  CHECK(layout::try_pitched(U8, {480, 640, 3}, 0, 2048)->strides[0] == 2048);
  CHECK(layout::try_aligned(U8, {480, 640, 3}, 0, 256)->strides[0] == 2048);
  CHECK(layout::try_padded(U8, {2, 3}, {2, 4})->strides[0] == 4);
  CHECK(layout::try_byte_strided(F32, {2, 3}, {-12, 4})->strides[0] == -3);
  CHECK(*layout::try_make(F32, {0, 3})->try_min_bytes() == 0 && layout::try_make(F32, {0, 3})->is_contiguous());

  int64_t shape[2] = {2, 3}, strides[2] = {3, 1};
  stride_dl_tensor tensor{};
  tensor.ndim = 2, tensor.dtype_code = 2, tensor.dtype_bits = 32, tensor.dtype_lanes = 1;
  tensor.shape = shape, tensor.strides = strides, tensor.byte_offset = 4;
  CHECK(*layout::try_from_dlpack(tensor) == *layout::try_make(F32, {2, 3}, {3, 1}, 1));
  stride_dl_managed_tensor_versioned managed{};
  managed.major = 2;
  CHECK(layout::try_from_dlpack(managed).status() == STRIDE_STATUS_UNSUPPORTED);
  const uint32_t dml_sizes[2] = {2, 3};
  stride_dml_buffer_tensor_desc desc{};
  desc.data_type = STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, desc.dimension_count = 2, desc.sizes = dml_sizes;
  CHECK(*layout::try_from_dml(desc) == *layout::try_make(F32, {2, 3}));

  // No layout yet, and what is none.
  CHECK(layout().try_validate().status() == STRIDE_STATUS_INVALID_DTYPE);
  CHECK(layout::try_make(F32, {3, -1}).status() == STRIDE_STATUS_INVALID_SIZE);
  CHECK(layout::try_make(bytes(1u << 24), {1}).status() == STRIDE_STATUS_INVALID_DTYPE);
  CHECK(layout::try_make(F32, {4}, {1}, INT64_MAX).status() == STRIDE_STATUS_OVERFLOW);
  CHECK_THROWS(STRIDE_STATUS_INVALID_SIZE, layout(F32, {3, -1}));
  CHECK_THROWS(STRIDE_STATUS_OVERFLOW, layout(F32, {4}, {1}, INT64_MAX));

  // Wrong numbers of entries, where C is told one number for two lists.
  const std::vector<int64_t> none;
  std::vector<int64_t> emptied = {1};
  emptied.clear();
  CHECK(layout::try_make(F32, {2, 3}, none).has_value() && layout::try_make(F32, {2, 3}, emptied).has_value());
  const auto wrong = layout::try_make(F32, {2, 3}, {1});
  CHECK(wrong.status() == STRIDE_STATUS_INVALID_RANK);
  CHECK(std::string(wrong.error().what()) == "strides: 1 entry is given, but 2 are needed");
  CHECK(layout::try_ordered(F32, {2, 3}, {0}).status() == STRIDE_STATUS_INVALID_RANK);
  CHECK(layout::try_padded(F32, {2, 3}, {2, 3, 4}).status() == STRIDE_STATUS_INVALID_RANK);
  for (const list entries : {list(none), list(emptied)}) {
    CHECK(layout::try_byte_strided(F32, {2, 3}, entries).status() == STRIDE_STATUS_INVALID_RANK);
    CHECK(layout::try_ordered(F32, {2, 3}, entries).status() == STRIDE_STATUS_INVALID_RANK);
    CHECK(layout::try_padded(F32, {2, 3}, entries).status() == STRIDE_STATUS_INVALID_RANK);
  }
  CHECK(layout::try_make(F32, list(nullptr, 65)).status() == STRIDE_STATUS_INVALID_RANK);
}

void questions() {
  const layout image = *layout::try_pitched(U8, {480, 640, 3}, 0, 2048);
  CHECK(*image.try_min_bytes() == 479 * 2048 + 1920 && *image.try_elements() == 480 * 640 * 3);
  CHECK(image.try_query()->run_elements == 1920 && image.try_query()->row_alignment == 2048);
  CHECK(*image.try_offset_of({1, 2, 1}) == 2048 + 7 && image.try_byte_offset_of({1, 0, 0})->byte == 2048);
  CHECK(*image.try_ravel_index({0, 1, 2}) == 5 && (*image.try_unravel_index(5))[1] == 1);
  CHECK((*image.try_multi_index(2048 + 7))[1] == 2 && *image.try_sharing(2048 + 7) == 1);
  CHECK(image.try_multi_index(2047).status() == STRIDE_STATUS_NOT_REPRESENTABLE);
  CHECK(*layout::try_parse("u8[480,640,3]:2048,3,1") == image && *layout::try_parse(*image.try_text()) == image);
  CHECK(layout::try_parse("u8[480,640").status() == STRIDE_STATUS_PARSE);
  CHECK(image.try_unravel_index(5)->size() == 3 && !image.is_contiguous());
  CHECK(image.try_reach()->lowest == 0 && image.try_reach()->highest == 479 * 2048 + 1919);
  CHECK(image.fits(479 * 2048 + 1920) && !image.fits(479 * 2048 + 1919));
  CHECK(image.try_require_fits(3).status() == STRIDE_STATUS_OUT_OF_BOUNDS);
  CHECK(image.try_alignment(256)->row == 256 && image.try_alignment(3).status() == STRIDE_STATUS_INVALID_ARGUMENT);
  CHECK((*image.try_byte_strides())[0] == 2048 && (*image.try_dim_order())[2] == 2);
  CHECK(*image.try_self_overlap() == false && *image.try_same_mapping(image) && image == image);
  CHECK(*image.try_text() == "u8[480,640,3] strides [2048,3,1] offset 0");
  CHECK(image.try_minor_to_major().status() == STRIDE_STATUS_NOT_REPRESENTABLE);
  CHECK((*layout::try_make(F32, {2, 3}, {1, 2})->try_minor_to_major())[0] == 0);
  CHECK(image.try_offset_of({480, 0, 0}).status() == STRIDE_STATUS_INDEX_OUT_OF_RANGE);
  CHECK(image.try_offset_of({0}).status() == STRIDE_STATUS_INVALID_RANK);
  CHECK_THROWS(STRIDE_STATUS_INDEX_OUT_OF_RANGE, image.offset_of({480, 0, 0}));
  CHECK_THROWS(STRIDE_STATUS_OUT_OF_BOUNDS, image.require_fits(3));
  WITH_EXCEPTIONS(CHECK(image.text() == *image.try_text() && image.min_bytes() == *image.try_min_bytes());)

  // One layout differs from the next in one field.
  const layout base = *layout::try_make(F32, {2, 3});
  layout other = base;
  CHECK(other == base && !(other != base));
  other.strides[1] = 2;
  CHECK(other != base);
  other = base, other.offset = 1;
  CHECK(other != base);
  other = base, other.dtype = STRIDE_DTYPE_S32;
  CHECK(other != base);
  other = base, other.sizes[5] = 77;
  CHECK(other == base);

  const auto tma = requirements::try_make(STRIDE_CONSUMER_TMA);
  const layout rows = *layout::try_make(BF16, {64, 511});
  CHECK(!rows.meets(*tma) && rows.try_adapt(*tma)->strides[0] == 512 && rows.try_adapt(*tma)->meets(*tma));
  CHECK(rows.try_require(*tma).record().lhs == 1022);
  CHECK(requirements::try_make(999).status() == STRIDE_STATUS_INVALID_ARGUMENT);
  CHECK(*requirements::try_make(STRIDE_CONSUMER_WEBGPU)
             ->try_required_bytes(*layout::try_pitched(F32, {10, 10}, 0, 256)) ==
        2344);
  CHECK_THROWS(STRIDE_STATUS_NOT_REPRESENTABLE, rows.require(*tma));
  CHECK(rows.meets(requirements()));
  auto texels = requirements::try_make(STRIDE_CONSUMER_D3D12);
  texels->texel_dimensions = 1;
  const layout rgb = *layout::try_make(F32, {4, 10, 3});
  CHECK(rgb.try_adapt(*texels)->strides[0] == 64 && *texels->try_required_bytes(*rgb.try_adapt(*texels)) == 888);

  CHECK(*F32.try_bits() == 32 && *bytes(12).try_name() == "bytes12" && *dtype::try_parse("s4:high") == S4.high_first());
  CHECK(dtype::try_parse("f33").status() == STRIDE_STATUS_PARSE && dtype().try_bits().status() != STRIDE_STATUS_OK);
}

void hashes() {
  const layout base = *layout::try_make(F32, {2, 3});
  layout other = base;
  other.sizes[5] = 77, other.strides[2] = 5;
  const std::hash<layout> hash;
  CHECK(other == base && hash(other) == hash(base) && hash(base) == hash(*layout::try_make(F32, {2, 3})));
  // Layouts that differ in one field, or in the places of two numbers.
  std::unordered_set<layout> all = {base, other};
  std::unordered_set<std::size_t> hashed = {hash(base)};
  std::size_t different = 1;
  for (const auto type : {F32, S32}) {
    for (int64_t rows = 1; rows <= 5; rows++) {
      for (int64_t columns = 1; columns <= 5; columns++) {
        for (int64_t step = -5; step <= 5; step++) {
          for (const int64_t offset : {1000, 1001}) {
            const layout made = *layout::try_make(type, {rows, columns}, {step, 7}, offset);
            all.insert(made), all.insert(made), hashed.insert(hash(made)), different++;
          }
        }
      }
    }
  }
  CHECK(all.size() == different && hashed.size() == different);
  const std::unordered_set<dtype> types = {F32, S32, F32, S4, S4.high_first(), bytes(4), dtype(F32.number())};
  CHECK(types.size() == 5 && types.count(S4.high_first()) == 1 && types.count(U8) == 0);
}

void together() {
  const layout matrix = *layout::try_make(F32, {2, 3}), row = *layout::try_make(F32, {3});
  const auto both = try_broadcast(matrix, row);
  CHECK(both && (*both)[0] == matrix && (*both)[1] == *layout::try_make(F32, {2, 3}, {0, 1}));
  CHECK(try_broadcast(matrix, *layout::try_make(F32, {4})).record().item == 1);
  const auto loops = try_coalesce((*both)[0], (*both)[0]);
  CHECK(loops && (*loops)[0].rank == 1 && (*loops)[1].sizes[0] == 6);
  const layout nhwc = *layout::try_channels_last(F32, {2, 3, 4, 4});
  CHECK(*try_elementwise_layout({nhwc, *layout::try_make(F32, {3, 1, 1})}, F16) ==
        *layout::try_channels_last(F16, {2, 3, 4, 4}));
  CHECK(*try_elementwise_layout({}, F16) == *layout::try_make(F16, {}));
  CHECK(*try_common_run({matrix, *layout::try_make(F32, {2, 3}, {8, 1})}) == 3);
  char buffer[64];
  CHECK(*try_overlap(matrix, buffer, matrix, buffer + 23) && !*try_overlap(matrix, buffer, matrix, buffer + 24));
  WITH_EXCEPTIONS(
      const auto [lhs, rhs] = broadcast(matrix, row); CHECK(lhs == matrix && rhs == (*both)[1]);
      CHECK(common_run({matrix}) == 6 && elementwise_layout({matrix}, F32) == matrix &&
            !overlap(row, buffer, row, buffer + 32));)
  CHECK_THROWS(STRIDE_STATUS_BROADCAST_MISMATCH, broadcast(matrix, layout(F32, {4})));
}

void results() {
  const auto good = layout::try_make(F32, {2, 3});
  const auto bad = layout::try_make(F32, {-2, 3});
  CHECK(good && good.has_value() && good.status() == STRIDE_STATUS_OK && !bad);
  CHECK(std::string(bad.error().what()) == "sizes, dimension 0: size -2 is negative");
  CHECK(bad.error().status() == bad.status() && bad.error().record().dimension == 0);
  const auto flipped = good.and_then([](const layout &one) { return one.try_flip({0}); })
                           .and_then([](const layout &one) {
    return one.try_permute({1, 0});
  });
  CHECK(flipped && *flipped == *layout::try_make(F32, {3, 2}, {1, -3}, 3));
  const auto failed = good.and_then([](const layout &one) { return one.try_flip({7}); }).and_then([](const layout &) {
    CHECK(false);
    return layout::try_make(F32, {});
  });
  CHECK(failed.status() == STRIDE_STATUS_INVALID_AXES);
  CHECK(*good.transform([](const layout &one) { return one.rank + 1; }) == 3);
  CHECK(bad.transform([](const layout &) { return 0; }).status() == STRIDE_STATUS_INVALID_SIZE);
  CHECK(good->try_elements().value_or(0) == 6);
  CHECK(bad.and_then([](const layout &one) { return one.try_elements(); }).value_or(-1) == -1);
  CHECK_THROWS(STRIDE_STATUS_INVALID_SIZE, bad.value());
  CHECK_THROWS(STRIDE_STATUS_OK, good.value());
#if defined(__cpp_lib_expected)
  const std::expected<layout, error> expected = good, unexpected = bad;
  CHECK(expected && *expected == *good && !unexpected && unexpected.error().status() == bad.status());
  const std::expected<void, error> done = good->try_validate();
  CHECK(done.has_value());
#endif
  // A record that the library cannot put into words still has a name.
  stride_error unknown{};
  unknown.status = STRIDE_STATUS_OVERFLOW, unknown.argument = 999999;
  CHECK(std::string(error(unknown).what()) == "OVERFLOW");
}

}  // namespace

void test_values() {
  lists();
  makers();
  questions();
  hashes();
  together();
  results();
}
