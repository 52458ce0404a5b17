// draw: a picture of where each element of an XLA shape lies in its buffer.
//
//   draw [SHAPE...]
//
// A SHAPE is a text such as 'f32[3,5]{1,0:T(2,2)}', and may be followed by padded sizes: 'f32[2,3]{0,1} padded to 3,5'.
// Without one, draw shows a few instructive shapes. Up to 52 elements are called a, b, c, ... in row-major order. They
// are shown first as they are counted, with the borders of the first tile between them. More elements are called by
// their index. Then comes the buffer, in the order of memory. Each row begins with its first position, and is one tile
// or, without tiles, the last physical dimension:
//
//   |           a border of a smaller tile, or of a byte that holds several elements (the first in its low bits)
//   two spaces  the innermost dimension begins again
//   ----        a larger dimension begins again
//   .           padding
//
// Long rows and long buffers are cut off, with a note. The program allocates nothing.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stride_xla.h>

enum { NAMED = 52, LINE = 96, ROWS = 24, LONGEST_NAME = 24 };
enum { MOST_DIMENSIONS = 3 * STRIDE_MAX_RANK };  // the sizes, those put first for a long tile, those that tiles add
static const char PADDED_TO[] = " padded to ";

// The buffer as the tiles cut it: its dimensions, most major first, and how many of the last ones make up one tile of
// each level; 0 if a later tile cuts across.
typedef struct cut {
  int count;
  int64_t sizes[MOST_DIMENSIONS];
  int tile_dimensions[STRIDE_XLA_MAX_TILES];
} cut;

typedef struct picture {
  stride_xla_shape shape;
  const char *title;
  uint64_t bytes;
  int64_t elements, positions;
  int64_t element_bits;
  int64_t per_byte;   // elements in a byte, 0 if one takes a byte or more
  int64_t row, line;  // positions in a row of the picture, and between two lines; 0: no lines
  int64_t inner;      // positions in the innermost dimension
  int tiles;          // sizes of tiles in positions, first tile first; only tiles that lie in one piece
  int64_t tile[STRIDE_XLA_MAX_TILES];
  int name_width;
} picture;

// =================================================================================================
//
// Reading

static int failed(const char *title, const stride_error *error) {
  char sentence[256];
  uint64_t length;
  stride_error_format(error, sentence, sizeof sentence, &length, NULL);
  fprintf(stderr, "draw: '%s': %s\n", title, sentence);
  return 1;
}

// Makes a call that writes to `error`. If it fails, TRY prints why and returns 1.
#define TRY(call)                                                     \
  do {                                                                \
    stride_error error;                                               \
    if ((call) != STRIDE_STATUS_OK) return failed(it->title, &error); \
  } while (0)

// Padded sizes as in " padded to 3,5", as many as the shape has dimensions.
static int read_padding(picture *it, const char *text) {
  int64_t padded[STRIDE_MAX_RANK];
  uint32_t count = 0;
  for (char *end; count < STRIDE_MAX_RANK; text = end + 1) {
    padded[count++] = strtoll(text, &end, 10);
    if (end == text) break;
    if (*end == '\0' && count == it->shape.rank) {
      TRY(stride_xla_shape_set_padding(&it->shape, count, padded, STRIDE_XLA_PADDING_ZERO, &error));
      return 0;
    }
    if (*end != ',') break;
  }
  fprintf(stderr, "draw: '%s': %" PRIu32 " padded sizes are needed\n", it->title, it->shape.rank);
  return 1;
}

static int read_shape(picture *it, const char *title) {
  const char *padding = strstr(title, PADDED_TO);
  it->title = title;
  TRY(stride_xla_shape_parse(title, padding ? (uint64_t)(padding - title) : strlen(title), &it->shape, &error));
  if (padding && read_padding(it, padding + sizeof PADDED_TO - 1)) return 1;

  uint32_t bits;
  TRY(stride_xla_shape_byte_size(&it->shape, &it->bytes, &error));
  TRY(stride_dtype_bits(it->shape.dtype, &bits, &error));
  it->element_bits = it->shape.element_bits ? it->shape.element_bits : bits < 8 ? 8 : bits;
  it->per_byte = it->element_bits < 8 ? 8 / it->element_bits : 0;
  it->positions = it->per_byte ? (int64_t)it->bytes * it->per_byte : (int64_t)it->bytes / (it->element_bits / 8);
  // The buffer may end inside its last byte.
  int64_t index[STRIDE_MAX_RANK];
  while (it->per_byte && it->positions > 0 &&
         stride_xla_multi_index(&it->shape, it->positions - 1, it->shape.rank, index, NULL) ==
             STRIDE_STATUS_INDEX_OUT_OF_RANGE) {
    it->positions--;
  }
  it->elements = 1;
  for (uint32_t k = 0; k < it->shape.rank; k++) {
    if (it->shape.sizes[k] == 0) it->elements = 0;
  }
  for (uint32_t k = 0; k < it->shape.rank && it->elements > 0; k++) it->elements *= it->shape.sizes[k];
  return 0;
}

// =================================================================================================
//
// Where the borders are

// The rule of openxla/xla docs/tiled_layout.md, for sizes only. The buffer is not empty, so no size is 0.
static void cut_buffer(const stride_xla_shape *shape, cut *out) {
  out->count = (int)shape->rank;
  for (int k = 0; k < out->count; k++) out->sizes[k] = shape->padded_sizes[shape->minor_to_major[out->count - 1 - k]];
  const int64_t *tile = shape->tile_sizes;
  for (uint32_t level = 0; level < shape->tile_count; level++) {
    const int length = (int)shape->tile_ranks[level];
    const int in_front = length > out->count ? length - out->count : 0;
    memmove(out->sizes + in_front, out->sizes, (size_t)out->count * sizeof *out->sizes);
    for (int k = 0; k < in_front; k++) out->sizes[k] = 1;
    out->count += in_front;

    int64_t inside[STRIDE_MAX_RANK], merged = 1;
    int outer = out->count - length, kept = 0;
    for (int k = 0; k < length; k++, tile++) {
      merged *= out->sizes[out->count - length + k];
      if (*tile == STRIDE_XLA_TILE_MERGE) continue;
      out->sizes[outer++] = merged / *tile + (merged % *tile != 0);
      inside[kept++] = *tile;
      merged = 1;
    }
    for (int k = 0; k < kept; k++) out->sizes[outer + k] = inside[k];
    out->count = outer + kept;
    for (uint32_t before = 0; before < level; before++) {
      int *dimensions = &out->tile_dimensions[before];
      *dimensions = *dimensions < length ? 0 : *dimensions - length + 2 * kept;
    }
    out->tile_dimensions[level] = kept;
  }
}

// Positions in the last `dimensions` dimensions.
static int64_t volume(const cut *buffer, int dimensions) {
  int64_t product = 1;
  for (int k = buffer->count - dimensions; k < buffer->count; k++) product *= buffer->sizes[k];
  return product;
}

// Rows as long as the last dimension, or as the first tile; shorter if those do not fit into a line.
static void choose_rows(picture *it) {
  cut buffer = {0, {0}, {0}};
  cut_buffer(&it->shape, &buffer);
  for (uint32_t level = 0; level < it->shape.tile_count; level++) {
    const int64_t size = buffer.tile_dimensions[level] ? volume(&buffer, buffer.tile_dimensions[level]) : 0;
    if (size > 1) it->tile[it->tiles++] = size;
  }

  const int64_t most = LINE / (it->name_width + 1) > 1 ? LINE / (it->name_width + 1) : 1;
  const int64_t wanted = it->tiles ? it->tile[0] : 0;
  it->row = 1;
  for (int k = buffer.count; k-- > 0;) {
    const int64_t size = buffer.sizes[k];
    if (it->inner <= 1) it->inner = size;
    if (it->row >= wanted && it->row > 1) break;
    int64_t part = size < most / it->row ? size : most / it->row;
    while (part > 1 && size % part != 0) part--;
    if (part == size) {
      it->row *= part;
      continue;
    }
    it->row = it->row * part * 4 < most ? it->row * size : it->row * part;  // a row that is too long is cut off instead
    break;
  }
  for (int dimensions = 1; dimensions <= buffer.count && it->line == 0; dimensions++) {
    const int64_t size = volume(&buffer, dimensions);
    if (size > it->row && size % it->row == 0 && size < it->positions) it->line = size;
  }
}

// =================================================================================================
//
// Drawing

static void next_index(const stride_xla_shape *shape, int64_t *index) {
  for (uint32_t k = shape->rank; k-- > 0;) {
    if (++index[k] < shape->sizes[k]) return;
    index[k] = 0;
  }
}

// A letter, or the index if there are too many elements for letters. Long names are cut off.
static void name_of(const picture *it, const int64_t *index, char name[LONGEST_NAME + 1]) {
  if (it->elements <= NAMED) {
    int64_t number = 0;
    for (uint32_t k = 0; k < it->shape.rank; k++) number = number * it->shape.sizes[k] + index[k];
    name[0] = (char)(number < 26 ? 'a' + number : 'A' + (number - 26));
    name[1] = '\0';
    return;
  }
  size_t used = 0;
  name[0] = '\0';
  for (uint32_t k = 0; k < it->shape.rank && used < LONGEST_NAME; k++) {
    const int wrote = snprintf(name + used, LONGEST_NAME + 1 - used, k ? ",%" PRId64 : "%" PRId64, index[k]);
    used += wrote > 0 ? (size_t)wrote : 0;
  }
}

static int widest_name(const picture *it) {
  int64_t last[STRIDE_MAX_RANK];
  char name[LONGEST_NAME + 1];
  if (it->elements == 0) return 1;
  for (uint32_t k = 0; k < it->shape.rank; k++) last[k] = it->shape.sizes[k] - 1;
  name_of(it, last, name);
  return (int)strlen(name);
}

static int line_of(char character, int64_t length) {
  for (int64_t k = 0; k < length; k++) putchar(character);
  return putchar('\n');
}

// The elements as they are counted, one row for the last dimension above size 1, with the borders of the first tile.
static int draw_elements(const picture *it) {
  const stride_xla_shape *shape = &it->shape;
  int64_t columns = 1, height = 1;
  for (uint32_t k = shape->rank; k-- > 0 && height == 1;) {
    *(columns == 1 ? &columns : &height) = shape->sizes[k];
  }
  int64_t index[STRIDE_MAX_RANK] = {0}, tiles[NAMED];
  for (int64_t k = 0; k < it->elements; k++, next_index(shape, index)) {
    int64_t position;
    TRY(stride_xla_linear_index(shape, shape->rank, index, &position, &error));
    tiles[k] = it->tiles ? position / it->tile[0] : 0;
  }
  puts("\nelements");
  for (int64_t k = 0; k < it->elements; k++, next_index(shape, index)) {
    char name[LONGEST_NAME + 1];
    name_of(it, index, name);
    if (k % columns == 0) printf("    ");
    printf("%s", name);
    if ((k + 1) % columns != 0) {
      printf(tiles[k] == tiles[k + 1] ? " " : " | ");
      continue;
    }
    putchar('\n');
    if (k + 1 == it->elements) break;
    const int64_t first = k + 1 - columns;
    int border = 0;
    for (int64_t j = 0; j < columns; j++) border |= tiles[first + j] != tiles[first + j + columns];
    if ((k + 1) % (columns * height) == 0) {
      putchar('\n');
    } else if (border) {
      printf("    ");
      for (int64_t j = first; j <= k; j++) {
        const char dash = tiles[j] == tiles[j + columns] ? ' ' : '-';
        putchar(dash);
        if (j < k && tiles[j] == tiles[j + 1]) putchar(dash);
        if (j < k && tiles[j] != tiles[j + 1]) printf("%c+%c", dash, dash);
      }
      putchar('\n');
    }
  }
  return 0;
}

// The separator before a position in its row.
static const char *separator(const picture *it, int64_t position) {
  if (position % it->row == 0) return "";
  for (int k = 0; k < it->tiles; k++) {
    if (it->tile[k] < it->row && position % it->tile[k] == 0) return " | ";
  }
  if (it->per_byte && position % it->per_byte == 0) return " | ";
  return it->inner > 1 && position % it->inner == 0 ? "  " : " ";
}

static int draw_buffer(const picture *it) {
  const int64_t rows = it->positions / it->row + (it->positions % it->row != 0);
  const int64_t last_row = (rows < ROWS ? rows : ROWS) - 1;
  const int digits = snprintf(NULL, 0, "%" PRId64, last_row * it->row);
  int64_t longest = 0;
  puts("\nbuffer");
  for (int64_t row = 0; row <= last_row; row++) {
    const int64_t begin = row * it->row;
    const int64_t end = it->positions - begin < it->row ? it->positions : begin + it->row;
    if (it->line && row > 0 && begin % it->line == 0) {
      printf("%*s", digits + 4 + 2, "");
      line_of('-', longest);
    }
    printf("    %*" PRId64 ":", digits, begin);
    int64_t length = 0;
    for (int64_t position = begin; position < end; position++) {
      int64_t index[STRIDE_MAX_RANK];
      char name[LONGEST_NAME + 1] = ".";
      stride_error error;
      const stride_status status = stride_xla_multi_index(&it->shape, position, it->shape.rank, index, &error);
      if (status == STRIDE_STATUS_OK) {
        name_of(it, index, name);
      } else if (status != STRIDE_STATUS_NOT_REPRESENTABLE) {
        return failed(it->title, &error);
      }
      if (length > LINE) {
        printf(" ...");
        length += 4;
        break;
      }
      length += printf("%s%*s", position == begin ? " " : separator(it, position), it->name_width, name);
    }
    putchar('\n');
    if (longest < length - 1) longest = length - 1;
  }
  if (last_row + 1 < rows) {
    printf("    ... and %" PRId64 " more rows, to position %" PRId64 "\n", rows - last_row - 1, it->positions - 1);
  }
  return 0;
}

static int draw(const char *title) {
  picture it;
  memset(&it, 0, sizeof it);
  if (read_shape(&it, title)) return 1;
  it.name_width = widest_name(&it);
  printf("%s: %" PRId64 " element%s of %" PRId64 " bit%s, %" PRIu64 " bytes\n", title, it.elements,
         it.elements == 1 ? "" : "s", it.element_bits, it.element_bits == 1 ? "" : "s", it.bytes);
  if (it.positions == 0) return 0;
  choose_rows(&it);
  if (it.elements > 0 && it.elements <= NAMED && draw_elements(&it)) return 1;
  return draw_buffer(&it);
}

int main(int count, char **arguments) {
  static const char *const instructive[] = {"f32[2,3]{0,1}",              "f32[2,3]{0,1} padded to 3,5",
                                            "f32[3,5]{1,0:T(2,2)}",       "bf16[4,8]{1,0:T(2,4)(2,1)}",
                                            "f32[2,3,3]{2,1,0:T(*,4,2)}", "s4[2,5]{1,0:E(4)}"};
  int status = 0;
  for (int k = 1; k < count; k++) {
    if (k > 1) putchar('\n');
    status |= draw(arguments[k]);
  }
  for (size_t k = 0; count < 2 && k < sizeof instructive / sizeof *instructive; k++) {
    if (k > 0) putchar('\n');
    status |= draw(instructive[k]);
  }
  return status;
}
