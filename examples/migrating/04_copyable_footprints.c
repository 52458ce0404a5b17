// The rows of a texture in an upload buffer: D3D12's GetCopyableFootprints by hand, and by stride_layout_adapt.
#include "check.h"

// --- before
// Rows begin at multiples of 256 bytes. The last row is counted with its padding. All numbers have 32 bits.
static uint32_t upload_bytes(uint32_t width, uint32_t height, uint32_t depth, uint32_t texel_bytes,
                             uint32_t *row_pitch) {
  *row_pitch = (width * texel_bytes + 255) & ~255u;
  return *row_pitch * height * depth;
}

static void upload(uint8_t *staging, const uint8_t *texels, uint32_t width, uint32_t height, uint32_t depth,
                   uint32_t texel_bytes) {
  uint32_t row_pitch;
  upload_bytes(width, height, depth, texel_bytes, &row_pitch);
  for (uint32_t row = 0; row < height * depth; row++) {
    memcpy(staging + row * row_pitch, texels + row * width * texel_bytes, width * texel_bytes);
  }
}
// --- after
// The pitch is staged->strides[1] texels; `*bytes` is GetCopyableFootprints' total, whose last row has no padding.
static stride_status footprint(stride_layout *staged, int64_t width, int64_t height, int64_t depth,
                               uint32_t texel_bytes, uint64_t *bytes, stride_error *error) {
  const int64_t sizes[3] = {depth, height, width};
  stride_requirements d3d12;
  stride_layout texels;
  uint32_t texel;
  stride_status status = stride_requirements_init(&d3d12, STRIDE_CONSUMER_D3D12, error);
  if (status == STRIDE_STATUS_OK) status = stride_dtype_from_bytes(texel_bytes, &texel, error);
  if (status == STRIDE_STATUS_OK) status = stride_layout_init(&texels, texel, 3, sizes, NULL, error);
  if (status == STRIDE_STATUS_OK) status = stride_layout_adapt(&texels, &d3d12, staged, error);
  return status == STRIDE_STATUS_OK ? stride_layout_required_bytes(staged, &d3d12, bytes, error) : status;
}
// The upload is one call: stride_copy(&staged, staging, bytes, NULL, texels, texel_count_in_bytes, NULL, &error).
// --- check

static void random_case(void) {
  const uint32_t width = (uint32_t)draw(1, 300), height = (uint32_t)draw(1, 9), depth = (uint32_t)draw(1, 4);
  const uint32_t texel_bytes = 1u << draw(0, 4), packed_bytes = width * height * depth * texel_bytes;
  uint32_t row_pitch;
  const uint32_t old_bytes = upload_bytes(width, height, depth, texel_bytes, &row_pitch);
  uint64_t bytes;
  stride_layout staged;
  stride_error error;
  succeed(footprint(&staged, width, height, depth, texel_bytes, &bytes, &error), &error);
  // As on learn.microsoft.com: RowPitch is a multiple of 256, and the last row has no padding.
  EXPECT(staged.strides[1] * texel_bytes == row_pitch && staged.strides[0] == staged.strides[1] * height);
  EXPECT(bytes == (uint64_t)row_pitch * (height * depth - 1) + width * texel_bytes && bytes <= old_bytes);
  uint8_t *texels = noise(packed_bytes), *old = noise(old_bytes), *new = (uint8_t *)allocate(old_bytes);
  memcpy(new, old, old_bytes);
  upload(old, texels, width, height, depth, texel_bytes);
  succeed(stride_copy(&staged, new, bytes, NULL, texels, packed_bytes, NULL, &error), &error);
  EXPECT(memcmp(old, new, old_bytes) == 0);
  free(texels), free(old), free(new);
}

int main(void) {
  uint32_t row_pitch;
  uint64_t bytes;
  stride_layout staged;
  stride_error error;
  for (int k = 0; k < CASES; k++) random_case();

  // 4 x 2 texels of one byte: a buffer of 260 bytes is long enough, and the old form asks for 512.
  EXPECT(upload_bytes(4, 2, 1, 1, &row_pitch) == 512);
  succeed(footprint(&staged, 4, 2, 1, 1, &bytes, &error), &error);
  EXPECT(bytes == 260);
  // 2048^3 texels of 4 bytes: 32 GiB, which the old form calls 0.
  EXPECT(upload_bytes(2048, 2048, 2048, 4, &row_pitch) == 0);
  succeed(footprint(&staged, 2048, 2048, 2048, 4, &bytes, &error), &error);
  EXPECT(bytes == (uint64_t)1 << 35);
  // A staging buffer that is too short is named, not overrun.
  succeed(footprint(&staged, 4, 2, 1, 1, &bytes, &error), &error);
  uint8_t texels[8] = {0}, staging[260];
  refused(stride_copy(&staged, staging, 256, NULL, texels, 8, NULL, &error), &error,
          "dst_bytes: 260 bytes are needed, but the buffer has 256");
  printf("%d random textures agree\n", CASES);
  return 0;
}
