// A host buffer with byte strides to a device's tiles and back, as in PJRT clients, and by stride_copy_sides.
#include "check.h"

#include <stride_xla.h>

// --- before
// Tiles of 8 x 128, row-major, for matrices of floats. Assumes that the host buffer is packed.
static int64_t tiled_position(int64_t row, int64_t column, int64_t columns) {
  return (row / 8 * ((columns + 127) / 128) + column / 128) * 1024 + row % 8 * 128 + column % 128;
}

static void host_to_device(float *tiles, const float *host, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) tiles[tiled_position(i, j, columns)] = host[i * columns + j];
}

static void device_to_host(float *host, const float *tiles, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) host[i * columns + j] = tiles[tiled_position(i, j, columns)];
}
// --- after
// `device` comes from stride_xla_shape_from_pjrt_tiled and has any rank, order and tiles. `data` points to element
// (0, ..., 0) of the host buffer. Its strides may be negative: its lowest element lies `*shift` bytes further.
static stride_status host_side(const stride_xla_shape *device, const int64_t *byte_strides, stride_layout *host,
                               int64_t *shift, uint64_t *bytes, stride_error *error) {
  stride_status status =
      stride_layout_init_byte_strides(host, device->dtype, device->rank, device->sizes, byte_strides, error);
  if (status == STRIDE_STATUS_OK) status = stride_layout_rebase(host, host, shift, error);
  return status == STRIDE_STATUS_OK ? stride_layout_min_bytes(host, bytes, error) : status;
}

static stride_status to_device(const stride_xla_shape *device, void *tiles, uint64_t tile_bytes, const void *data,
                               const int64_t *byte_strides, stride_error *error) {
  stride_copy_options zeros = STRIDE_COPY_OPTIONS_INIT;
  stride_layout host;
  int64_t shift;
  uint64_t bytes;
  stride_status status = host_side(device, byte_strides, &host, &shift, &bytes, error);
  if (status != STRIDE_STATUS_OK) return status;
  zeros.flags = STRIDE_COPY_FILL_BUFFER;  // what no element reaches becomes 0
  stride_side to, from;
  stride_side_init(&to, STRIDE_SIDE_SHAPE, device, NULL), stride_side_init(&from, STRIDE_SIDE_LAYOUT, &host, NULL);
  return stride_copy_sides(&to, tiles, tile_bytes, &from, (const char *)data + shift, bytes, &zeros, error);
}

static stride_status to_host(const stride_xla_shape *device, const void *tiles, uint64_t tile_bytes, void *data,
                             const int64_t *byte_strides, stride_error *error) {
  stride_layout host;
  int64_t shift;
  uint64_t bytes;
  stride_status status = host_side(device, byte_strides, &host, &shift, &bytes, error);
  if (status != STRIDE_STATUS_OK) return status;
  stride_side to, from;
  stride_side_init(&to, STRIDE_SIDE_LAYOUT, &host, NULL), stride_side_init(&from, STRIDE_SIDE_SHAPE, device, NULL);
  return stride_copy_sides(&to, (char *)data + shift, bytes, &from, tiles, tile_bytes, NULL, error);
}
// --- check

// `packed`: the host buffer is packed, so the old form is right.
static void random_case(int packed) {
  const int64_t sizes[2] = {draw(1, 30), draw(1, 300)}, order[2] = {1, 0}, tile[2] = {8, 128};
  const size_t tile_rank = 2;
  const int64_t count = product(2, sizes);
  int64_t strides[2] = {sizes[1], 1}, byte_strides[2], first = 0;
  stride_xla_shape device;
  stride_error error;
  uint64_t tile_bytes;
  succeed(stride_xla_shape_from_pjrt_tiled(&device, STRIDE_DTYPE_F32, 2, sizes, order, tile, &tile_rank, 1, &error),
          &error);
  succeed(stride_xla_shape_byte_size(&device, &tile_bytes, &error), &error);
  const int64_t elements = packed ? count : random_strides(2, sizes, strides);
  for (int d = 0; d < 2; d++) {
    if (!packed && draw(0, 1)) first += (sizes[d] - 1) * strides[d], strides[d] = -strides[d];
    byte_strides[d] = strides[d] * 4;
  }
  float *host = (float *)allocate(elements * 4), *back = (float *)allocate(elements * 4);
  float *tiles = (float *)allocate((int64_t)tile_bytes), *old = (float *)calloc(1, (size_t)tile_bytes);
  for (int64_t k = 0; k < elements; k++) host[k] = (float)k, back[k] = -1;
  succeed(to_device(&device, tiles, tile_bytes, host + first, byte_strides, &error), &error);
  for (int64_t k = 0; k < count; k++) {
    EXPECT(tiles[tiled_position(k / sizes[1], k % sizes[1], sizes[1])] == host[first + place(k, 2, sizes, strides)]);
  }
  if (packed) {
    host_to_device(old, host, sizes[0], sizes[1]);
    EXPECT(memcmp(old, tiles, (size_t)tile_bytes) == 0);
    device_to_host(old, tiles, sizes[0], sizes[1]);  // the tiles are at least as long
    EXPECT(memcmp(old, host, (size_t)count * 4) == 0);
  }
  succeed(to_host(&device, tiles, tile_bytes, back + first, byte_strides, &error), &error);
  for (int64_t k = 0; k < count; k++) {
    const int64_t at = first + place(k, 2, sizes, strides);
    EXPECT(back[at] == host[at]);
  }
  free(host), free(back), free(tiles), free(old);
}

// bf16 in T(8,128)(2,1), where two rows share each 32-bit word of a tile; the host buffer is column-major.
static void nested_case(void) {
  const int64_t sizes[2] = {draw(1, 30), draw(1, 300)}, order[2] = {1, 0}, tiles_of[4] = {8, 128, 2, 1};
  const int64_t columns[2] = {2, 2 * sizes[0]};
  const size_t tile_ranks[2] = {2, 2};
  const int64_t count = product(2, sizes);
  stride_xla_shape device;
  stride_error error;
  uint64_t tile_bytes;
  succeed(stride_xla_shape_from_pjrt_tiled(&device, STRIDE_DTYPE_BF16, 2, sizes, order, tiles_of, tile_ranks, 2,
                                           &error), &error);
  succeed(stride_xla_shape_byte_size(&device, &tile_bytes, &error), &error);
  uint16_t *host = (uint16_t *)noise(count * 2), *back = (uint16_t *)allocate(count * 2);
  uint16_t *tiles = (uint16_t *)allocate((int64_t)tile_bytes);
  succeed(to_device(&device, tiles, tile_bytes, host, columns, &error), &error);
  for (int64_t i = 0; i < sizes[0]; i++) {
    for (int64_t j = 0; j < sizes[1]; j++) {
      const int64_t tile = i / 8 * ((sizes[1] + 127) / 128) + j / 128;
      EXPECT(tiles[tile * 1024 + i % 8 / 2 * 256 + j % 128 * 2 + i % 2] == host[i + j * sizes[0]]);
    }
  }
  succeed(to_host(&device, tiles, tile_bytes, back, columns, &error), &error);
  EXPECT(memcmp(host, back, (size_t)count * 2) == 0);
  free(host), free(back), free(tiles);
}

int main(void) {
  const int64_t sizes[2] = {2, 3}, order[2] = {1, 0}, tile[2] = {8, 128};
  const int64_t transposed[2] = {4, 8}, mirrored[2] = {-12, 4}, crooked[2] = {12, 6};
  const size_t tile_rank = 2;
  const float host[6] = {0, 1, 2, 3, 4, 5};
  static float tiles[1024];
  stride_xla_shape device;
  stride_error error;
  for (int k = 0; k < CASES; k++) random_case(k % 2);
  for (int k = 0; k < CASES / 10; k++) nested_case();

  // The transpose of a packed 3 x 2 matrix, tenstorrent/tt-mlir#8622: the old form drops the strides.
  succeed(stride_xla_shape_from_pjrt_tiled(&device, STRIDE_DTYPE_F32, 2, sizes, order, tile, &tile_rank, 1, &error),
          &error);
  host_to_device(tiles, host, 2, 3);
  EXPECT(tiles[1] == 1);
  succeed(to_device(&device, tiles, sizeof tiles, host, transposed, &error), &error);
  EXPECT(tiles[0] == 0 && tiles[1] == 2 && tiles[2] == 4 && tiles[128] == 1 && tiles[3] == 0);
  // Rows from the last to the first, tenstorrent/tt-mlir#8697: data points to the last row.
  succeed(to_device(&device, tiles, sizeof tiles, host + 3, mirrored, &error), &error);
  EXPECT(tiles[0] == 3 && tiles[128] == 0);
  refused(to_device(&device, tiles, sizeof tiles, host, crooked, &error), &error,
          "byte_strides, dimension 1: stride 6 is not a multiple of 4; use stride_layout_init_bytes, and "
          "stride_layout_as_bytes for the other side of a copy");
  printf("%d random host buffers go there and back\n", CASES);
  return 0;
}
