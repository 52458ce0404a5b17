// photo: what an engine does with a photograph before inference, with libstride.
//
//   photo INPUT.ppm OUTPUT_DIR
//
// A picture file holds pixels, row by row: red, green, blue, red, green, blue. That is HWC. A network wants planes, all
// the red, then all the green, then all the blue: NCHW. Usually it wants the centre only, and in training a mirrored
// picture now and then. With strides, none of this moves a byte: only the numbers change that say where a byte lies.
// Bytes move once, at the end, into the form that the engine asks for. Here it is done three times:
//
//   packed planes      for most engines
//   DirectML           a buffer tensor whose rows begin 256 bytes apart
//   XLA, column-major  the first dimension varies fastest
//
// and once more for the whole picture. Everything is then copied back to where it came from and compared, byte by byte.
// planes.ppm and mirrored.ppm in OUTPUT_DIR show the result. Each failure has its own exit code, listed below.

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#include <windows.h>
#endif

#include <stride.h>
#include <stride_xla.h>

enum { CHANNELS = 3, CROP = 224, DML_ROW_PITCH_BYTES = 256, LARGEST_SIDE = 16384 };
enum { CANVAS_BYTES = CROP * CHANNELS * CROP * CHANNELS };  // three grey planes side by side
enum { ROUNDS = 20, COPIES_PER_ROUND = 25 };

enum exit_code {
  DONE = 0,
  CHECK_FAILED = 1,
  BAD_USAGE = 2,
  NO_INPUT = 3,
  NOT_P6 = 4,
  BAD_SIZES = 5,
  BAD_MAXVAL = 6,
  TRUNCATED = 7,
  NO_OUTPUT = 8,
  NO_MEMORY = 9,
  STRIDE_FAILED = 10
};

// A picture as PPM stores it: height x width pixels of 3 bytes, without gaps.
typedef struct picture {
  int64_t height, width;
  uint64_t bytes;
  uint8_t *pixels;
} picture;

// A view of a picture's bytes as N, C, H, W, and the box of pixels that it covers.
typedef struct view {
  stride_layout layout;
  int64_t top, left, height, width;
} view;

// A buffer in the form that an engine asks for.
typedef struct tensor {
  const char *name;
  stride_layout layout;
  uint64_t bytes;
  uint8_t *memory;
} tensor;

// All memory of the program hangs here, so that one function can free it, however the work ended.
typedef struct job {
  const char *input, *directory;
  picture photograph;
  picture returned;  // where everything is copied back to, as large as the photograph
  view whole, mirrored;
  tensor planes, directml, column_major, whole_planes;
  uint8_t *canvas;  // where the pictures are drawn
} job;

// =================================================================================================
//
// When something goes wrong
//
// Functions return an exit code. TRY hands on what one of ours says. STRIDE stands around the calls of the library,
// next to a local `error`, and turns a status that is not OK into a sentence.

#define TRY(call)                  \
  do {                             \
    enum exit_code code = (call);  \
    if (code != DONE) return code; \
  } while (0)

#define STRIDE(call)                                               \
  do {                                                             \
    if ((call) != STRIDE_STATUS_OK) return explain(#call, &error); \
  } while (0)

static enum exit_code complain(enum exit_code code, const char *about, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "photo: %s: ", about);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return code;
}

static enum exit_code explain(const char *call, const stride_error *error) {
  char sentence[256] = "";
  uint64_t length;
  stride_error_format(error, sentence, sizeof sentence, &length, NULL);
  return complain(STRIDE_FAILED, call, "%s (%s)", sentence, stride_status_name(error->status));
}

static enum exit_code allocate(uint64_t bytes, uint8_t **out) {
  *out = malloc((size_t)bytes);
  return *out ? DONE : complain(NO_MEMORY, "memory", "%llu bytes are not to be had", (unsigned long long)bytes);
}

// =================================================================================================
//
// Reading the photograph

// The next number of a PPM header, behind white space and comments, and the one white space after it; -1: there is
// none. It stops growing long before it could overflow, since whoever wrote the file may have meant harm.
static int64_t read_number(FILE *file) {
  int c = getc(file);
  while (isspace(c) || c == '#') {
    if (c == '#') while (c != '\n' && c != EOF) c = getc(file);
    else c = getc(file);
  }
  if (!isdigit(c)) return -1;
  int64_t number = 0;
  for (; isdigit(c); c = getc(file)) {
    if (number <= INT32_MAX) number = number * 10 + (c - '0');
  }
  return isspace(c) ? number : -1;
}

static enum exit_code read_header(FILE *file, const char *path, picture *out) {
  int is_p6 = getc(file) == 'P' && getc(file) == '6';
  if (ferror(file)) return complain(NO_INPUT, path, "%s", strerror(errno));  // a directory opens, but cannot be read
  if (!is_p6) return complain(NOT_P6, path, "not a binary PPM picture (P6)");
  int64_t width = read_number(file), height = read_number(file), maxval = read_number(file);
  if (feof(file)) return complain(TRUNCATED, path, "the file ends in its header");
  if (width < 0 || height < 0 || maxval < 0) return complain(BAD_SIZES, path, "the header does not hold three numbers");
  if (width < CROP || width > LARGEST_SIDE || height < CROP || height > LARGEST_SIDE) {
    return complain(BAD_SIZES, path, "%lld x %lld pixels: both sides must be from %d to %d", (long long)width,
                    (long long)height, CROP, LARGEST_SIDE);
  }
  if (maxval != 255) return complain(BAD_MAXVAL, path, "maxval %lld: must be 255, one byte", (long long)maxval);
  out->height = height;
  out->width = width;
  out->bytes = (uint64_t)(height * width * CHANNELS);
  return DONE;
}

static enum exit_code read_opened(FILE *file, const char *path, picture *out) {
  TRY(read_header(file, path, out));
  TRY(allocate(out->bytes, &out->pixels));
  uint64_t got = fread(out->pixels, 1, (size_t)out->bytes, file);
  if (got == out->bytes) return DONE;
  return complain(TRUNCATED, path, "the file ends after %llu of %llu bytes of pixels", (unsigned long long)got,
                  (unsigned long long)out->bytes);
}

static enum exit_code read_picture(const char *path, picture *out) {
  FILE *file = fopen(path, "rb");
  if (!file) return complain(NO_INPUT, path, "%s", strerror(errno));
  enum exit_code code = read_opened(file, path, out);
  fclose(file);
  return code;
}

// =================================================================================================
//
// Views: the same bytes, seen differently

static enum exit_code print_view(const char *name, const stride_layout *layout) {
  stride_error error;
  char text[256];
  uint64_t length, min_bytes;
  STRIDE(stride_layout_format(layout, text, sizeof text, &length, &error));
  STRIDE(stride_layout_min_bytes(layout, &min_bytes, &error));
  printf("  %-18s %-58s %8llu bytes\n", name, text, (unsigned long long)min_bytes);
  return DONE;
}

// HWC to NCHW: the channels become dimension 0, then a batch of one picture goes in front.
static enum exit_code view_whole(const picture *photograph, view *out) {
  stride_error error;
  const int64_t height_width_channels[3] = {photograph->height, photograph->width, CHANNELS};
  const int64_t channels_first[3] = {2, 0, 1};
  const int64_t batch = 0;
  stride_layout pixels;
  STRIDE(stride_layout_init(&pixels, STRIDE_DTYPE_U8, 3, height_width_channels, NULL, &error));
  TRY(print_view("file, HWC", &pixels));
  STRIDE(stride_layout_permute(&pixels, 3, channels_first, &out->layout, &error));
  STRIDE(stride_layout_expand_dims(&out->layout, 1, &batch, &out->layout, &error));
  TRY(print_view("seen as NCHW", &out->layout));
  out->top = out->left = 0;
  out->height = photograph->height;
  out->width = photograph->width;
  return DONE;
}

// The box of 224 x 224 in the centre; then the last dimension runs backwards, which is a negative stride.
static enum exit_code view_mirrored(const view *whole, view *out) {
  stride_error error;
  out->top = (whole->height - CROP) / 2;
  out->left = (whole->width - CROP) / 2;
  out->height = out->width = CROP;
  const int64_t starts[4] = {0, 0, out->top, out->left};
  const int64_t sizes[4] = {1, CHANNELS, CROP, CROP};
  const int64_t last = -1;
  STRIDE(stride_layout_crop(&whole->layout, 4, starts, sizes, &out->layout, &error));
  TRY(print_view("centre", &out->layout));
  STRIDE(stride_layout_flip(&out->layout, 1, &last, &out->layout, &error));
  TRY(print_view("mirrored", &out->layout));
  return DONE;
}

// =================================================================================================
//
// One copy: plan, run, measure, bring back

// The parts of a plan's description, one a line.
static enum exit_code print_plan(const stride_plan *plan) {
  stride_error error;
  char text[1024];
  uint64_t length;
  STRIDE(stride_plan_describe(plan, text, sizeof text, &length, &error));
  printf("    %-13s", "plan");
  for (const char *c = text; *c; c++) {
    if (c[0] == ';' && c[1] == ' ') printf("\n    %-12s", "");
    else putchar(*c);
  }
  putchar('\n');
  return DONE;
}

static double seconds_now(void) {
#ifdef _WIN32
  LARGE_INTEGER ticks, ticks_per_second;
  QueryPerformanceCounter(&ticks);
  QueryPerformanceFrequency(&ticks_per_second);
  return (double)ticks.QuadPart / (double)ticks_per_second.QuadPart;
#else
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
#endif
}

// Volatile, or a compiler could see that the same bytes are copied again and again, and do it once.
static void *(*const volatile plain_memcpy)(void *, const void *, size_t) = memcpy;

// Gigabytes per second depend on the machine, a ratio says more: memcpy of as many bytes takes turns with the plan.
// `spare` is where memcpy writes.
static enum exit_code measure(const stride_plan *plan, const tensor *to, const picture *from, uint64_t bytes,
                              const picture *spare) {
  stride_error error;
  double best_plan = 1e9, best_memcpy = 1e9;
  for (int round = 0; round < ROUNDS; round++) {
    double start = seconds_now();
    for (int k = 0; k < COPIES_PER_ROUND; k++) {
      STRIDE(stride_plan_execute(plan, to->memory, to->bytes, from->pixels, from->bytes, &error));
    }
    double middle = seconds_now();
    for (int k = 0; k < COPIES_PER_ROUND; k++) plain_memcpy(spare->pixels, from->pixels, (size_t)bytes);
    double end = seconds_now();
    if (middle - start < best_plan) best_plan = middle - start;
    if (end - middle < best_memcpy) best_memcpy = end - middle;
  }
  double moved = 2e-9 * (double)bytes * COPIES_PER_ROUND;
  printf("    %-13s%.2f GB/s, memcpy %.2f GB/s, ratio %.2f\n", "speed", moved / best_plan, moved / best_memcpy,
         best_memcpy / best_plan);
  return DONE;
}

// Are two tensors equal? If not, the first index that differs is named.
static enum exit_code expect_equal(const char *what, const stride_layout *lhs, const uint8_t *lhs_memory,
                                   uint64_t lhs_bytes, const stride_layout *rhs, const picture *rhs_picture) {
  stride_error error;
  int64_t first_difference, index[STRIDE_MAX_RANK];
  STRIDE(stride_compare(lhs, lhs_memory, lhs_bytes, rhs, rhs_picture->pixels, rhs_picture->bytes, &first_difference,
                        &error));
  if (first_difference < 0) return DONE;
  STRIDE(stride_layout_unravel_index(lhs, first_difference, lhs->rank, index, &error));
  return complain(CHECK_FAILED, what, "channel %lld, row %lld, column %lld differs", (long long)index[1],
                  (long long)index[2], (long long)index[3]);
}

// The same question without the library: inside the box every byte is the photograph's, outside none was touched.
static enum exit_code expect_box(const char *what, const view *from, const picture *photograph,
                                 const picture *returned) {
  const uint8_t *was = photograph->pixels, *is = returned->pixels;
  for (int64_t y = 0; y < photograph->height; y++) {
    for (int64_t x = 0; x < photograph->width; x++) {
      int inside = y >= from->top && y < from->top + from->height && x >= from->left && x < from->left + from->width;
      for (int c = 0; c < CHANNELS; c++, was++, is++) {
        if (*is == (inside ? *was : (uint8_t)~*was)) continue;
        return complain(CHECK_FAILED, what, "row %lld, column %lld, channel %d %s", (long long)y, (long long)x, c,
                        inside ? "was lost" : "was touched");
      }
    }
  }
  return DONE;
}

// The inverse of a copy is the copy with its sides exchanged: now the view, over a second picture, is the destination.
// That picture begins as the complement of the photograph, which differs in every byte, so none can be right by chance.
static enum exit_code bring_back(const tensor *from, const view *to, const picture *photograph,
                                 const picture *returned) {
  stride_error error;
  for (uint64_t k = 0; k < photograph->bytes; k++) returned->pixels[k] = (uint8_t)~photograph->pixels[k];
  STRIDE(stride_copy(&to->layout, returned->pixels, returned->bytes, &from->layout, from->memory, from->bytes, NULL,
                     &error));
  TRY(expect_equal(from->name, &to->layout, returned->pixels, returned->bytes, &to->layout, photograph));
  TRY(expect_box(from->name, to, photograph, returned));
  printf("    %-13sidentical, nothing outside was touched\n", "brought back");
  return DONE;
}

// Copies a view of the photograph into a tensor whose layout and length are set, and proves that nothing got lost.
static enum exit_code convert(job *work, const view *from, tensor *to, const stride_copy_options *options) {
  stride_error error;
  stride_plan plan;
  char text[256];
  uint64_t length, min_bytes;
  int64_t elements;
  STRIDE(stride_layout_format(&to->layout, text, sizeof text, &length, &error));
  STRIDE(stride_layout_min_bytes(&to->layout, &min_bytes, &error));
  STRIDE(stride_layout_element_count(&to->layout, &elements, &error));
  printf("    %-13s%s\n    %-13s%llu bytes at least\n", "layout", text, "buffer", (unsigned long long)min_bytes);

  STRIDE(stride_plan_init(&plan, &to->layout, &from->layout, options, &error));
  TRY(print_plan(&plan));
  TRY(allocate(to->bytes, &to->memory));
  memset(to->memory, 0xEE, (size_t)to->bytes);  // what was there before, so that a byte not written shows
  STRIDE(stride_plan_execute(&plan, to->memory, to->bytes, work->photograph.pixels, work->photograph.bytes, &error));
  TRY(expect_equal(to->name, &to->layout, to->memory, to->bytes, &from->layout, &work->photograph));
  TRY(measure(&plan, to, &work->photograph, (uint64_t)elements, &work->returned));  // an element is a byte
  return bring_back(to, from, &work->photograph, &work->returned);
}

// =================================================================================================
//
// The forms that engines ask for

// Packed: row-major without gaps, with the sizes of the view.
static enum exit_code convert_to_planes(job *work, const char *name, const view *from, tensor *out) {
  stride_error error;
  out->name = name;
  printf("\n  %s\n", out->name);
  STRIDE(stride_layout_packed_like(&from->layout, &out->layout, &error));
  STRIDE(stride_layout_min_bytes(&out->layout, &out->bytes, &error));
  return convert(work, from, out, NULL);
}

// Between the end of a row and the beginning of the next one lie 32 bytes; the fill must have reached each of them.
static enum exit_code expect_padding(const tensor *padded, uint8_t value) {
  uint64_t bytes = 0;
  for (uint64_t k = 0; k < padded->bytes; k++) {
    if (k % DML_ROW_PITCH_BYTES < CROP) continue;
    if (padded->memory[k] != value) return complain(CHECK_FAILED, padded->name, "the padding is not filled");
    bytes++;
  }
  printf("    %-13s%llu bytes between the rows, all %d\n", "padding", (unsigned long long)bytes, value);
  return DONE;
}

// DirectML describes a tensor by 32-bit sizes and strides and by a length, on which it insists.
static enum exit_code convert_to_directml(job *work, const view *from, tensor *out) {
  stride_error error;
  uint32_t sizes[STRIDE_DML_TENSOR_DIMENSION_COUNT_MAX], strides[STRIDE_DML_TENSOR_DIMENSION_COUNT_MAX];
  stride_dml_buffer_tensor_desc desc;
  uint64_t base_offset_bytes;
  out->name = "DirectML, rows 256 bytes apart";
  printf("\n  %s\n", out->name);
  const int64_t rows = 2;
  STRIDE(stride_layout_init_pitched(&out->layout, STRIDE_DTYPE_U8, 4, from->layout.sizes, rows, DML_ROW_PITCH_BYTES,
                                    &error));
  STRIDE(stride_layout_to_dml(&out->layout, 4, sizes, strides, &desc, &base_offset_bytes, &error));
  STRIDE(stride_dml_validate(&desc, &error));
  out->bytes = stride_dml_calc_buffer_tensor_size(desc.data_type, desc.dimension_count, desc.sizes, desc.strides);
  if (out->bytes != desc.total_tensor_size_in_bytes || base_offset_bytes != 0) {
    return complain(CHECK_FAILED, out->name, "two ways to compute the size of the buffer do not agree");
  }
  printf("    %-13sTotalTensorSizeInBytes %llu, accepted\n", "descriptor", (unsigned long long)out->bytes);

  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;  // its fill is 0
  options.flags = STRIDE_COPY_FILL_BUFFER;
  TRY(convert(work, from, out, &options));
  return expect_padding(out, options.fill[0]);
}

// XLA lists the dimensions from the fastest varying to the slowest: ascending means column-major.
static enum exit_code convert_to_xla(job *work, const view *from, tensor *out) {
  stride_error error;
  stride_xla_shape shape;
  const int64_t ascending[4] = {0, 1, 2, 3};
  char text[128];
  uint64_t length;
  out->name = "XLA, column-major";
  printf("\n  %s\n", out->name);
  STRIDE(stride_xla_shape_init(&shape, STRIDE_DTYPE_U8, 4, from->layout.sizes, ascending, &error));
  STRIDE(stride_xla_shape_format(&shape, text, sizeof text, &length, &error));
  STRIDE(stride_layout_from_xla(&shape, &out->layout, &error));
  STRIDE(stride_xla_shape_byte_size(&shape, &out->bytes, &error));
  printf("    %-13s%s\n", "shape", text);
  return convert(work, from, out, NULL);
}

// =================================================================================================
//
// Pictures of the result

static enum exit_code write_picture(const char *directory, const char *name, int height, int width,
                                    const uint8_t *pixels) {
  char path[4096];
  size_t bytes = (size_t)height * (size_t)width * CHANNELS;
  if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) {
    return complain(NO_OUTPUT, directory, "the name is too long");
  }
  FILE *file = fopen(path, "wb");
  if (!file) return complain(NO_OUTPUT, path, "%s", strerror(errno));
  int written = fprintf(file, "P6\n%d %d\n255\n", width, height) > 0 && fwrite(pixels, 1, bytes, file) == bytes;
  if (fclose(file) != 0 || !written) return complain(NO_OUTPUT, path, "%s", strerror(errno));
  printf("  %s\n", path);
  return DONE;
}

// The three planes side by side, each as a grey picture. Grey means red = green = blue: each byte is repeated along a
// new last dimension, by a stride of 0. On the other side the picture's columns are cut in 3 x 224, so that the plane
// becomes a dimension of its own. Both are then [row, plane, column, colour], and one copy does it.
static enum exit_code draw_planes(const job *work) {
  stride_error error;
  const int64_t batch = 0, colour = 3, columns = 1;
  const int64_t row_plane_column[3] = {1, 0, 2};
  const int64_t picture_sizes[3] = {CROP, CHANNELS * CROP, CHANNELS};
  const int64_t grey_sizes[4] = {CROP, CHANNELS, CROP, CHANNELS};
  const int64_t plane_column[2] = {CHANNELS, CROP};
  stride_layout grey, drawn;
  STRIDE(stride_layout_squeeze(&work->planes.layout, 1, &batch, &grey, &error));
  STRIDE(stride_layout_permute(&grey, 3, row_plane_column, &grey, &error));
  STRIDE(stride_layout_expand_dims(&grey, 1, &colour, &grey, &error));
  STRIDE(stride_layout_broadcast_to(&grey, 4, grey_sizes, &grey, &error));
  STRIDE(stride_layout_init(&drawn, STRIDE_DTYPE_U8, 3, picture_sizes, NULL, &error));
  STRIDE(stride_layout_split(&drawn, columns, 2, plane_column, &drawn, &error));
  STRIDE(stride_copy(&drawn, work->canvas, CANVAS_BYTES, &grey, work->planes.memory, work->planes.bytes, NULL, &error));
  return write_picture(work->directory, "planes.ppm", CROP, CHANNELS * CROP, work->canvas);
}

// A packed HWC picture, spoken of as N, C, H, W: channels last.
static enum exit_code draw_mirrored(const job *work) {
  stride_error error;
  const view *from = &work->mirrored;
  stride_layout drawn;
  STRIDE(stride_layout_init_channels_last(&drawn, STRIDE_DTYPE_U8, 4, from->layout.sizes, &error));
  STRIDE(stride_copy(&drawn, work->canvas, CROP * CROP * CHANNELS, &from->layout, work->photograph.pixels,
                     work->photograph.bytes, NULL, &error));
  return write_picture(work->directory, "mirrored.ppm", CROP, CROP, work->canvas);
}

// =================================================================================================
//
// The whole job

static enum exit_code run(job *work) {
  TRY(read_picture(work->input, &work->photograph));
  work->returned = work->photograph;
  work->returned.pixels = NULL;
  TRY(allocate(work->returned.bytes, &work->returned.pixels));
  TRY(allocate(CANVAS_BYTES, &work->canvas));

  printf("libstride %u.%u.%u, %s, %lld x %lld pixels\n\n", stride_version() / 10000, stride_version() / 100 % 100,
         stride_version() % 100, work->input, (long long)work->photograph.width, (long long)work->photograph.height);
  printf("Views: nothing is moved; on the right, how many bytes the buffer must have\n\n");
  TRY(view_whole(&work->photograph, &work->whole));
  TRY(view_mirrored(&work->whole, &work->mirrored));

  printf("\nCopies: one thread, warm caches; speed is 2 * bytes / time, the best of %d rounds of %d copies,\n"
         "beside memcpy of as many bytes in the same rounds\n", ROUNDS, COPIES_PER_ROUND);
  TRY(convert_to_planes(work, "packed planes of the mirrored centre", &work->mirrored, &work->planes));
  TRY(convert_to_directml(work, &work->mirrored, &work->directml));
  TRY(convert_to_xla(work, &work->mirrored, &work->column_major));
  TRY(convert_to_planes(work, "packed planes of the whole photograph", &work->whole, &work->whole_planes));

  printf("\nPictures\n\n");
  TRY(draw_planes(work));
  TRY(draw_mirrored(work));
  printf("\nround trip: identical\n");
  return DONE;
}

static void release(job *work) {
  free(work->photograph.pixels);
  free(work->returned.pixels);
  free(work->planes.memory);
  free(work->directml.memory);
  free(work->column_major.memory);
  free(work->whole_planes.memory);
  free(work->canvas);
}

int main(int argc, char **argv) {
  if (argc != 3) return complain(BAD_USAGE, "usage", "photo INPUT.ppm OUTPUT_DIR");
  job work = {0};
  work.input = argv[1];
  work.directory = argv[2];
  enum exit_code code = run(&work);
  release(&work);
  if (code == DONE && fflush(stdout) != 0) code = complain(NO_OUTPUT, "standard output", "%s", strerror(errno));
  return code;
}
