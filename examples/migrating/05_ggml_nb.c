// A copy with ggml's byte strides `nb`, as it was before ggml looked at both sides, and by stride_copy.
#include "check.h"

#include <stride_interop.h>

// --- before
// Sizes `ne` and byte strides `nb` are innermost first.
static int is_contiguous(const int64_t *ne, const size_t *nb, size_t type_size) {
  size_t expected = type_size;
  for (int d = 0; d < 4; d++) {
    if (nb[d] != expected) return 0;
    expected *= (size_t)ne[d];
  }
  return 1;
}

// Assumes that the destination is contiguous; its nb are not looked at.
static void dup(char *dst, const char *src, const int64_t *ne, const size_t *nb, size_t type_size) {
  if (is_contiguous(ne, nb, type_size)) {
    memcpy(dst, src, (size_t)(ne[0] * ne[1] * ne[2] * ne[3]) * type_size);
    return;
  }
  for (int64_t i3 = 0; i3 < ne[3]; i3++)
    for (int64_t i2 = 0; i2 < ne[2]; i2++)
      for (int64_t i1 = 0; i1 < ne[1]; i1++)
        for (int64_t i0 = 0; i0 < ne[0]; i0++, dst += type_size)
          memcpy(dst, src + i0 * (int64_t)nb[0] + i1 * (int64_t)nb[1] + i2 * (int64_t)nb[2] + i3 * (int64_t)nb[3],
                 type_size);
}
// --- after
// `type` is ggml's number. A quantised type's blocks are copied as they are.
static stride_status copy(void *dst, uint64_t dst_bytes, const size_t *dst_nb, const void *src, uint64_t src_bytes,
                          const size_t *src_nb, uint32_t type, const int64_t *ne, stride_error *error) {
  stride_layout to, from;
  stride_status status = stride_layout_from_ggml(type, ne, dst_nb, &to, error);
  if (status == STRIDE_STATUS_OK) status = stride_layout_from_ggml(type, ne, src_nb, &from, error);
  return status == STRIDE_STATUS_OK ? stride_copy(&to, dst, dst_bytes, &from, src, src_bytes, NULL, error) : status;
}
// --- check

enum { GGML_F32 = 0, GGML_Q4_0 = 2 };

static void random_case(void) {
  int64_t ne[4], strides[4];
  size_t nb[4], packed[4] = {4, 0, 0, 0};
  stride_error error;
  for (int d = 0; d < 4; d++) ne[d] = draw(0, 20) == 0 ? 0 : draw(1, 6);
  for (int d = 1; d < 4; d++) packed[d] = packed[d - 1] * (size_t)ne[d - 1];
  const int64_t src_bytes = random_strides(4, ne, strides) * 4, dst_bytes = product(4, ne) * 4;
  for (int d = 0; d < 4; d++) nb[d] = (size_t)strides[d] * 4;
  uint8_t *src = noise(src_bytes), *old = noise(dst_bytes), *new = noise(dst_bytes);
  dup((char *)old, (const char *)src, ne, nb, 4);
  succeed(copy(new, (uint64_t)dst_bytes, packed, src, (uint64_t)src_bytes, nb, GGML_F32, ne, &error), &error);
  EXPECT(memcmp(old, new, (size_t)dst_bytes) == 0);
  free(src), free(old), free(new);
}

int main(void) {
  stride_error error;
  for (int k = 0; k < CASES; k++) random_case();

  // A column of 3 in a cache of 3 x 4, ggml-org/ggml#1497: the old form writes over the neighbours in the first row.
  const int64_t column[4] = {1, 3, 1, 1};
  const size_t in_cache[4] = {4, 16, 48, 48}, alone[4] = {4, 4, 12, 12};
  const float values[3] = {1, 2, 3};
  float cache[12] = {0};
  dup((char *)cache, (const char *)values, column, alone, 4);
  EXPECT(cache[0] == 1 && cache[1] == 2 && cache[2] == 3);
  memset(cache, 0, sizeof cache);
  succeed(copy(cache, sizeof cache, in_cache, values, sizeof values, alone, GGML_F32, column, &error), &error);
  EXPECT(cache[0] == 1 && cache[4] == 2 && cache[8] == 3 && cache[1] == 0 && cache[2] == 0);

  // A row that is seen as a column, ggml-org/ggml#934: contiguous, since the stride of a size of 1 has no effect.
  const size_t transposed[4] = {12, 4, 12, 12};
  stride_layout layout;
  uint32_t formats;
  EXPECT(!is_contiguous(column, transposed, 4));
  succeed(stride_layout_from_ggml(GGML_F32, column, transposed, &layout, &error), &error);
  succeed(stride_layout_classify(&layout, &formats, &error), &error);
  EXPECT(formats & STRIDE_FORMAT_PACKED);

  // Unchecked sizes from a file.
  const int64_t half_blocks[4] = {40, 2, 1, 1};
  const size_t blocks[4] = {18, 36, 72, 72};
  refused(copy(cache, sizeof cache, blocks, values, sizeof values, blocks, GGML_Q4_0, half_blocks, &error), &error,
          "ne, dimension 0: size 40 is not a multiple of 32");
  printf("%d random tensors agree\n", CASES);
  return 0;
}
