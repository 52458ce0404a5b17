// A camera's NV12 image to the three planes of I420, by hand as around libyuv, and by stride_image_components.
#include "check.h"

#include <stride_interop.h>

// --- before
// Chroma has half the columns and rows, and begins after width * height bytes. Rows have no padding.
static void nv12_to_i420(uint8_t *i420, const uint8_t *nv12, int width, int height) {
  const uint8_t *chroma = nv12 + width * height;
  uint8_t *u = i420 + width * height, *v = u + width / 2 * (height / 2);
  memcpy(i420, nv12, (size_t)(width * height));
  for (int k = 0; k < width / 2 * (height / 2); k++) {
    u[k] = chroma[2 * k];
    v[k] = chroma[2 * k + 1];
  }
}
// --- after
// stride_image_components also gives the bytes of each side. Other formats with Y, U and V in 8 bits and with the same
// subsampling work as well: NV21, YV12.
static stride_status convert(uint32_t to, uint8_t *dst, uint32_t from, uint64_t from_pitch_alignment,
                             const uint8_t *src, int64_t width, int64_t height, stride_error *error) {
  stride_layout to_parts[4], from_parts[4];
  uint32_t count, from_count;
  uint64_t dst_bytes, src_bytes;
  stride_status status = stride_image_components(to, width, height, 0, NULL, 1, &count, to_parts, &dst_bytes, error);
  if (status == STRIDE_STATUS_OK) {
    status = stride_image_components(from, width, height, 0, NULL, from_pitch_alignment, &from_count, from_parts,
                                     &src_bytes, error);
  }
  for (uint32_t k = 0; status == STRIDE_STATUS_OK && k < count && k < from_count; k++) {
    status = stride_copy(&to_parts[k], dst, dst_bytes, &from_parts[k], src, src_bytes, NULL, error);
  }
  return status;
}
// --- check

static uint64_t image_bytes(uint32_t fourcc, int64_t width, int64_t height, uint64_t alignment) {
  stride_layout parts[4];
  stride_error error;
  uint32_t count;
  uint64_t bytes;
  succeed(stride_image_planes(fourcc, width, height, 0, NULL, alignment, &count, parts, &bytes, &error), &error);
  return bytes;
}

// Compares every sample: rows of `pitch` bytes, then the chroma rows; odd sizes are rounded up.
static void expect_converted(const uint8_t *i420, const uint8_t *nv12, int64_t width, int64_t height, int64_t pitch) {
  const int64_t columns = (width + 1) / 2, rows = (height + 1) / 2;
  const uint8_t *chroma = nv12 + pitch * height, *u = i420 + width * height, *v = u + columns * rows;
  for (int64_t y = 0; y < height; y++) EXPECT(memcmp(i420 + y * width, nv12 + y * pitch, (size_t)width) == 0);
  for (int64_t k = 0; k < columns * rows; k++) {
    const uint8_t *pair = chroma + k / columns * pitch + k % columns * 2;
    EXPECT(u[k] == pair[0] && v[k] == pair[1]);
  }
}

int main(void) {
  stride_error error;
  for (int k = 0; k < CASES; k++) {
    // Even sizes without padding, where the old form is right; then any sizes, with rows of a multiple of 32.
    const int64_t width = draw(1, 40), height = draw(1, 20), even_width = 2 * width, even_height = 2 * height;
    uint8_t *nv12 = noise(even_width * even_height * 3 / 2 + 6400), old[4800], new[4800];
    nv12_to_i420(old, nv12, (int)even_width, (int)even_height);
    succeed(convert(STRIDE_FOURCC_I420, new, STRIDE_FOURCC_NV12, 1, nv12, even_width, even_height, &error), &error);
    EXPECT(memcmp(old, new, (size_t)(even_width * even_height * 3 / 2)) == 0);
    EXPECT(image_bytes(STRIDE_FOURCC_NV12, width, height, 32) <= 6400);
    succeed(convert(STRIDE_FOURCC_I420, new, STRIDE_FOURCC_NV12, 32, nv12, width, height, &error), &error);
    expect_converted(new, nv12, width, height, (width + 31) / 32 * 32);
    free(nv12);
  }

  // 5 x 3 pixels: 3 x 2 samples of each colour, of which the old form converts 2 x 1 and leaves the rest.
  uint8_t *nv12 = noise(27), old[27], new[27];
  EXPECT(image_bytes(STRIDE_FOURCC_NV12, 5, 3, 2) == 30 && image_bytes(STRIDE_FOURCC_I420, 5, 3, 1) == 27);
  memset(old, 0xEE, sizeof old);
  nv12_to_i420(old, nv12, 5, 3);
  EXPECT(old[15 + 4] == 0xEE && old[26] == 0xEE);
  free(nv12);
  nv12 = noise(30);
  succeed(convert(STRIDE_FOURCC_I420, new, STRIDE_FOURCC_NV12, 2, nv12, 5, 3, &error), &error);
  expect_converted(new, nv12, 5, 3, 6);
  free(nv12);
  refused(convert(STRIDE_FOURCC_I420, new, 0x3531564e, 1, new, 5, 3, &error), &error,
          "fourcc: 0x3531564e (NV15) packs 10-bit samples across bytes, which is not supported");
  printf("%d random images agree\n", CASES);
  return 0;
}
