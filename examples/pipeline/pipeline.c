// pipeline: from a picture file to a GPU, without moving a byte more than twice.
//
//   pipeline INPUT.ppm OUTPUT.pgm [LEFT TOP WIDTH HEIGHT]
//
// A box of the picture, mirrored, becomes three planes: blue, green and red. Their rows begin at multiples of 64 bytes.
// Crop, flip, permute and BGR are views, which move nothing; one copy does all of them at once. The planes are written
// as one grey picture, one below the other.
//
// Then they go to a GPU in tiles of 64 x 64. The library lists the boxes of bytes of a tile, and the queue copies them
// (here memcpy, row by row; on a GPU vkCmdCopyBufferToImage, cudaMemcpy3DAsync or CopyTextureRegion). Rows in a tile
// lie 256 bytes apart. The program compares what arrives with plain loops over the file's pixels.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stride.h>

enum { CHANNELS = 3, ROW_ALIGNMENT = 64, TILE = 64, MOST_REGIONS = 8, LARGEST_SIDE = 16384 };

typedef struct picture {
  int64_t height, width;
  uint64_t bytes;
  uint8_t *pixels;
} picture;

// The box of the picture that is wanted.
typedef struct box {
  int64_t left, top, width, height;
} box;

// A layout and the memory that it describes.
typedef struct tensor {
  stride_layout layout;
  uint64_t bytes;
  uint8_t *memory;
} tensor;

static void give_up(const char *about, const char *reason) {
  fprintf(stderr, "pipeline: %s: %s\n", about, reason);
  exit(1);
}

// Every call of the library goes through here. A failed one prints the library's sentence and ends the program.
static void check(stride_status status, const stride_error *error, const char *about) {
  char sentence[256] = "";
  uint64_t length;
  if (status == STRIDE_STATUS_OK) return;
  stride_error_format(error, sentence, sizeof sentence, &length, NULL);
  give_up(about, sentence);
}

static uint8_t *allocate(uint64_t bytes) {
  uint8_t *memory = malloc(bytes > 0 ? (size_t)bytes : 1);
  if (memory == NULL) give_up("memory", "there is not enough");
  return memory;
}

// Reads a binary PPM with one byte a channel and no comments in its header.
static picture read_ppm(const char *path) {
  picture out = {0, 0, 0, NULL};
  int largest = 0;
  FILE *file = fopen(path, "rb");
  if (file == NULL) give_up(path, "cannot be opened");
  if (fscanf(file, "P6 %6" SCNd64 " %6" SCNd64 " %3d", &out.width, &out.height, &largest) != 3 || largest != 255 ||
      getc(file) == EOF || out.width < 1 || out.width > LARGEST_SIDE || out.height < 1 || out.height > LARGEST_SIDE) {
    give_up(path, "not a binary PPM picture of one byte a channel and at most 16384 x 16384 pixels");
  }
  out.bytes = (uint64_t)(out.width * out.height * CHANNELS);
  out.pixels = allocate(out.bytes);
  if (fread(out.pixels, 1, (size_t)out.bytes, file) != out.bytes) give_up(path, "the file ends within its pixels");
  fclose(file);
  return out;
}

// The box of the picture, mirrored, as planes in the order blue, green, red. Only numbers change.
static stride_layout view_of(const picture *source, const box *wanted) {
  const int64_t sizes[3] = {source->height, source->width, CHANNELS};
  const int64_t starts[3] = {wanted->top, wanted->left, 0}, box_sizes[3] = {wanted->height, wanted->width, CHANNELS};
  const int64_t columns_and_channels[2] = {1, 2}, channels_first[3] = {2, 0, 1};
  stride_layout view;
  stride_error error;
  check(stride_layout_init(&view, STRIDE_DTYPE_U8, 3, sizes, NULL, &error), &error, "picture");
  check(stride_layout_crop(&view, 3, starts, box_sizes, &view, &error), &error, "crop");
  check(stride_layout_flip(&view, 2, columns_and_channels, &view, &error), &error, "flip");
  check(stride_layout_permute(&view, 3, channels_first, &view, &error), &error, "permute");
  return view;
}

// Planes with aligned rows and zeros between them.
static tensor make_planes(const picture *source, const stride_layout *view) {
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_error error;
  tensor out;
  options.flags = STRIDE_COPY_FILL_BUFFER;
  check(stride_layout_init_aligned(&out.layout, view->dtype, view->rank, view->sizes, 1, ROW_ALIGNMENT, &error), &error,
        "planes");
  out.bytes = (uint64_t)(out.layout.strides[0] * CHANNELS);  // with the padding of the last row, as pictures have it
  out.memory = allocate(out.bytes);
  check(stride_copy(&out.layout, out.memory, out.bytes, view, source->pixels, source->bytes, &options, &error), &error,
        "copy");
  return out;
}

// The work of a queue for one region: it copies rows of bytes, with two pitches on either side.
static void queue_copy(uint8_t *dst, const uint8_t *src, const stride_region *region) {
  for (uint64_t j = 0; j < region->counts[1]; j++) {
    for (uint64_t i = 0; i < region->counts[0]; i++) {
      const int64_t row = (int64_t)i, box = (int64_t)j;
      const int64_t to = region->dst_offset + row * region->dst_pitches[0] + box * region->dst_pitches[1];
      const int64_t from = region->src_offset + row * region->src_pitches[0] + box * region->src_pitches[1];
      memcpy(dst + to, src + from, (size_t)region->row_bytes);
    }
  }
}

// Copies one tile of the planes into a D3D12 footprint. Returns the number of regions.
static uint64_t upload_tile(const tensor *planes, const int64_t *starts, const int64_t *sizes, tensor *tile) {
  stride_requirements footprint;
  stride_region regions[MOST_REGIONS];
  stride_layout part;
  stride_plan plan;
  stride_error error;
  uint64_t count;
  check(stride_layout_crop(&planes->layout, 3, starts, sizes, &part, &error), &error, "tile");
  check(stride_requirements_init(&footprint, STRIDE_CONSUMER_D3D12, &error), &error, "requirements");
  check(stride_layout_adapt(&part, &footprint, &tile->layout, &error), &error, "footprint");
  check(stride_layout_required_bytes(&tile->layout, &footprint, &tile->bytes, &error), &error, "footprint");
  tile->memory = allocate(tile->bytes);
  check(stride_plan_init(&plan, &tile->layout, &part, NULL, &error), &error, "plan");
  check(stride_plan_regions(&plan, 3, MOST_REGIONS, regions, &count, &error), &error, "regions");
  if (count > MOST_REGIONS) give_up("regions", "there are more than the queue takes");
  for (uint64_t k = 0; k < count; k++) queue_copy(tile->memory, planes->memory, &regions[k]);
  return count;
}

// Without the library: byte (c, y, x) of the planes is channel 2 - c of the pixel mirrored to x.
static uint8_t expected(const picture *source, const box *wanted, int64_t c, int64_t y, int64_t x) {
  const int64_t row = wanted->top + y, column = wanted->left + wanted->width - 1 - x;
  return source->pixels[(row * source->width + column) * CHANNELS + CHANNELS - 1 - c];
}

static void expect_planes(const picture *source, const box *wanted, const tensor *planes) {
  const int64_t pitch = (wanted->width + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
  for (int64_t c = 0; c < CHANNELS; c++) {
    for (int64_t y = 0; y < wanted->height; y++) {
      for (int64_t x = 0; x < pitch; x++) {
        const uint8_t value = x < wanted->width ? expected(source, wanted, c, y, x) : 0;
        if (planes->memory[(c * wanted->height + y) * pitch + x] != value) give_up("planes", "a byte is wrong");
      }
    }
  }
}

// The sum of what arrived; ends the program if a byte is wrong.
static uint64_t expect_tile(const picture *source, const box *wanted, const int64_t *starts, const int64_t *sizes,
                            const tensor *tile) {
  const int64_t pitch = (sizes[2] + 255) / 256 * 256;
  uint64_t sum = 0;
  for (int64_t c = 0; c < sizes[0]; c++) {
    for (int64_t y = 0; y < sizes[1]; y++) {
      for (int64_t x = 0; x < sizes[2]; x++) {
        const uint8_t value = tile->memory[(c * sizes[1] + y) * pitch + x];
        if (value != expected(source, wanted, c, starts[1] + y, starts[2] + x)) give_up("tile", "a byte is wrong");
        sum += value;
      }
    }
  }
  return sum;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void upload(const picture *source, const box *wanted, const tensor *planes) {
  uint64_t tiles = 0, regions = 0, arrived = 0, sum = 0;
  for (int64_t y = 0; y < wanted->height; y += TILE) {
    for (int64_t x = 0; x < wanted->width; x += TILE) {
      const int64_t starts[3] = {0, y, x};
      const int64_t sizes[3] = {CHANNELS, least(TILE, wanted->height - y), least(TILE, wanted->width - x)};
      tensor tile;
      regions += upload_tile(planes, starts, sizes, &tile);
      arrived += expect_tile(source, wanted, starts, sizes, &tile);
      tiles++;
      free(tile.memory);
    }
  }
  for (int64_t c = 0; c < CHANNELS; c++)
    for (int64_t y = 0; y < wanted->height; y++)
      for (int64_t x = 0; x < wanted->width; x++) sum += expected(source, wanted, c, y, x);
  if (arrived != sum) give_up("upload", "the sums differ");
  printf("%" PRIu64 " tiles in %" PRIu64 " regions, sum %" PRIu64 ", as plain loops have it\n", tiles, regions,
         arrived);
}

static void write_planes(const char *path, const tensor *planes) {
  const int64_t pitch = planes->layout.strides[1];
  FILE *file = fopen(path, "wb");
  if (file == NULL) give_up(path, "cannot be opened");
  fprintf(file, "P5\n%" PRId64 " %" PRId64 "\n255\n", pitch, CHANNELS * planes->layout.sizes[1]);
  const int written = fwrite(planes->memory, 1, (size_t)planes->bytes, file) == planes->bytes;
  if (fclose(file) != 0 || !written) give_up(path, "cannot be written");
}

static int64_t number(const char *text) {
  char *end;
  const long long value = strtoll(text, &end, 10);
  if (end == text || *end != '\0') give_up(text, "not a number");
  return value;
}

int main(int count, char **arguments) {
  if (count != 3 && count != 7) give_up("usage", "pipeline INPUT.ppm OUTPUT.pgm [LEFT TOP WIDTH HEIGHT]");
  picture source = read_ppm(arguments[1]);
  box wanted = {0, 0, source.width, source.height};
  if (count == 7) {
    wanted.left = number(arguments[3]), wanted.top = number(arguments[4]);
    wanted.width = number(arguments[5]), wanted.height = number(arguments[6]);
  }
  if (wanted.width == 0 || wanted.height == 0) give_up("box", "it has no pixels, which no picture file can say");
  const stride_layout view = view_of(&source, &wanted);
  tensor planes = make_planes(&source, &view);
  expect_planes(&source, &wanted, &planes);
  char text[256];
  uint64_t length;
  stride_error error;
  check(stride_layout_format(&view, text, sizeof text, &length, &error), &error, "text");
  printf("view    %s\n", text);
  check(stride_layout_format(&planes.layout, text, sizeof text, &length, &error), &error, "text");
  printf("planes  %s\n", text);
  upload(&source, &wanted, &planes);
  write_planes(arguments[2], &planes);
  free(planes.memory), free(source.pixels);
  return 0;
}
