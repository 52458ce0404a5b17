// XLA shapes: text, tiles, blocked formats, positions, and copies with a shape on a side; blocked layouts.
#include <vector>

#include "check.hpp"

using namespace stride;

static void test_blocked() {
  const auto scales = blocked::try_parse("a/128 b/4 a%32 a/32%4 b%4", U8, {200, 6});
  CHECK(scales && *scales->try_byte_size() == 2048 && *scales->try_linear_index({32, 0}) == 4);
  CHECK((*scales->try_multi_index(4))[0] == 32 && (*scales->try_padded_sizes())[0] == 256);
  CHECK(*scales->try_buffer() == *layout::try_make(U8, {2, 2, 32, 4, 4}));
  CHECK(*scales->try_text() == "a/128 b/4 a%32 a/32%4 b%4" && !blocked().try_byte_size());
  CHECK(blocked::try_parse("a", U8, {200, 6}).status() == STRIDE_STATUS_INVALID_TILE);
  CHECK_THROWS(STRIDE_STATUS_PARSE, blocked::parse("a/", U8, {200}));
  std::vector<unsigned char> rows(1200, 7), tiles(2048), back(1200), again(2048);
  CHECK(try_copy(*scales, tiles, packed, rows) && tiles[4] == 7 && tiles[514] == 0);
  CHECK(try_copy(*layout::try_make(U8, {200, 6}), back, *scales, tiles) && back == rows);
  const auto prepared = plan::try_make(*scales, packed);
  CHECK(prepared && prepared->try_execute(again, rows) && again == tiles);
  CHECK_THROWS(STRIDE_STATUS_OUT_OF_BOUNDS, (copy(*scales, tiles, *scales, rows), 0));
}

void test_xla() {
  test_blocked();
  const auto parsed = xla::shape::try_parse("bf16[30,100]{1,0:T(8,128)}");
  CHECK(parsed && *parsed->try_byte_size() == 32 * 128 * 2 && *parsed->try_linear_index({9, 99}) == 8 * 128 + 128 + 99);
  CHECK((*parsed->try_multi_index(8 * 128 + 128 + 99))[0] == 9 && *parsed->try_text() == "bf16[30,100]{1,0:T(8,128)}");
  const auto built = xla::shape::try_make(BF16, {30, 100}).and_then([](const xla::shape &one) {
    return one.try_with_tile({8, 128});
  });
  CHECK(built && *built->try_text() == *parsed->try_text());
  const auto blocked = xla::shape::try_from_tag("nChw16c", F32, {1, 20, 2, 2});
  CHECK(blocked && *blocked->try_tag() == "aBcd16b" && *blocked->try_byte_size() == 2 * 2 * 2 * 16 * 4);
  const layout nhwc = *layout::try_channels_last(F32, {2, 3, 4, 4});
  CHECK(*xla::shape::try_of(nhwc)->try_to_layout() == nhwc);
  const auto padded = xla::shape::try_make(F32, {2, 3})->try_with_padding({2, 4}, STRIDE_XLA_PADDING_ZERO);
  CHECK(padded && padded->try_to_layout()->strides[0] == 4);
  CHECK(padded->try_describe()->find("zeros") != std::string::npos);
  CHECK(xla::shape::try_make(S4, {8})->try_with_element_bits(4)->try_byte_size().value_or(0u) == 4);
  CHECK(*xla::shape::try_parse("f32[2,3,4]{1,0,2}")->try_permute({2, 0, 1})->try_text() == "f32[4,2,3]{2,1,0}");
  CHECK(xla::shape::try_parse("f32[2").status() == STRIDE_STATUS_PARSE && !xla::shape().try_byte_size());
  CHECK(xla::shape::try_make(F32, {2, 3}, {0}).status() == STRIDE_STATUS_INVALID_RANK);
  CHECK(padded->try_with_tile({0}).status() == STRIDE_STATUS_INVALID_TILE);
  CHECK_THROWS(STRIDE_STATUS_PARSE, xla::shape::parse("f32[2"));
  CHECK_THROWS(STRIDE_STATUS_INVALID_AXES, xla::shape(F32, {2, 3}, {0, 0}));

  const std::vector<unsigned char> rows = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<unsigned char> tiles(16), back(9), again(16);
  const xla::shape tiled = *xla::shape::try_parse("u8[3,3]{1,0:T(2,2)}");
  const layout matrix = *layout::try_make(U8, {3, 3});
  CHECK(try_copy(tiled, tiles, matrix, rows) && tiles[0] == 1 && tiles[2] == 4 && tiles[4] == 3 && tiles[12] == 9);
  CHECK(try_copy(packed, back, tiled, tiles) && back == rows);
  const auto prepared = plan::try_make(tiled, packed);
  CHECK(prepared && prepared->try_execute(again, rows) && again == tiles);
  CHECK(try_copy(tiled, tiles, tiled, rows).status() == STRIDE_STATUS_OUT_OF_BOUNDS);
  CHECK_THROWS(STRIDE_STATUS_OUT_OF_BOUNDS, (stride::copy(tiled, tiles, tiled, rows), 0));
  WITH_EXCEPTIONS(CHECK(xla::shape(F32, {2, 3}).to_layout() == layout(F32, {2, 3}));)

  // Rows 2 and 0 of the tiles, the columns rolled, to blocks of two rows; a range to a row of its own.
  const std::vector<index_run> picked = {{2, 1, 1}, {0, 1, 1}}, rolled = {{2, 1, 1}, {0, 1, 2}};
  const auto pairs = stride::blocked::try_parse("a/2 b a%2", U8, {2, 3});
  std::vector<unsigned char> blocks(6), five(5);
  CHECK(try_copy(*pairs, blocks, side(tiled).runs(0, picked).runs(1, rolled), tiles) &&
        blocks == std::vector<unsigned char>({9, 3, 7, 1, 8, 2}));
  CHECK(try_copy(packed, five, side(tiled).range(2, 5), tiles) && five == std::vector<unsigned char>({3, 4, 5, 6, 7}));
  CHECK(try_copy(side(tiled).range(-1, 5), tiles, packed, five).status() == STRIDE_STATUS_INVALID_SIZE);
  CHECK(plan::try_make(packed, side(tiled).range(5, 5)).status() == STRIDE_STATUS_OUT_OF_BOUNDS);
  // What is packed has neither runs nor a range.
  const std::vector<unsigned char> untouched = five;
  CHECK(try_copy(side(packed).range(0, 1), five, matrix, rows).status() == STRIDE_STATUS_NULL_POINTER);
  CHECK(try_copy(side(packed).runs(0, rolled), five, matrix, rows).status() == STRIDE_STATUS_NULL_POINTER);
  CHECK(plan::try_make(matrix, side(packed).range(0, 1)).status() == STRIDE_STATUS_NULL_POINTER && five == untouched);
}
