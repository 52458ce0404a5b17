// Pixels to planes by three loops, and by stride_copy.
#include "check.h"

// --- before
// `unsigned` has 32 bits, and each byte is read `channels` bytes after the one before.
static unsigned plane_offset(unsigned c, unsigned y, unsigned x, unsigned height, unsigned width) {
  return c * height * width + y * width + x;
}

static void to_planes(uint8_t *planes, const uint8_t *pixels, unsigned height, unsigned width, unsigned channels) {
  for (unsigned c = 0; c < channels; c++)
    for (unsigned y = 0; y < height; y++)
      for (unsigned x = 0; x < width; x++)
        planes[plane_offset(c, y, x, height, width)] = pixels[(y * width + x) * channels + c];
}
// --- after
static stride_status planes_of(const int64_t *height_width_channels, stride_layout *pixels_as_planes,
                               stride_error *error) {
  const int64_t channels_first[3] = {2, 0, 1};
  stride_layout pixels;
  stride_status status = stride_layout_init(&pixels, STRIDE_DTYPE_U8, 3, height_width_channels, NULL, error);
  if (status != STRIDE_STATUS_OK) return status;
  return stride_layout_permute(&pixels, 3, channels_first, pixels_as_planes, error);
}

static stride_status copy_planes(uint8_t *planes, const uint8_t *pixels, uint64_t bytes,
                                 const int64_t *height_width_channels, stride_error *error) {
  stride_layout view;
  stride_status status = planes_of(height_width_channels, &view, error);
  if (status != STRIDE_STATUS_OK) return status;
  return stride_copy(NULL, planes, bytes, &view, pixels, bytes, NULL, error);  // NULL: packed, with the view's sizes
}
// --- check

int main(void) {
  stride_error error;
  for (int k = 0; k < CASES; k++) {
    const int64_t sizes[3] = {draw(0, 20), draw(0, 40), draw(1, 5)}, bytes = product(3, sizes);
    uint8_t *pixels = noise(bytes), *old = noise(bytes), *new = noise(bytes);
    to_planes(old, pixels, (unsigned)sizes[0], (unsigned)sizes[1], (unsigned)sizes[2]);
    succeed(copy_planes(new, pixels, (uint64_t)bytes, sizes, &error), &error);
    EXPECT(memcmp(old, new, (size_t)bytes) == 0);
    free(pixels), free(old), free(new);
  }

  // The blue plane of 50,000 x 50,000 pixels begins at 5,000,000,000. The old form says 705,032,704, in the red one.
  const int64_t large[3] = {50000, 50000, 3}, blue[3] = {2, 0, 0};
  stride_layout view, packed;
  int64_t offset;
  EXPECT(plane_offset(2, 0, 0, 50000, 50000) == 705032704u);
  succeed(planes_of(large, &view, &error), &error);
  succeed(stride_layout_packed_like(&view, &packed, &error), &error);
  succeed(stride_layout_offset(&packed, 3, blue, &offset, &error), &error);
  EXPECT(offset == 5000000000);
  // A buffer that is a row too short.
  const int64_t small[3] = {4, 5, 3};
  uint8_t pixels[60] = {0}, planes[60];
  refused(copy_planes(planes, pixels, 45, small, &error), &error,
          "dst_bytes: 60 bytes are needed, but the buffer has 45");
  printf("%d random images agree\n", CASES);
  return 0;
}
