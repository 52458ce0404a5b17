// photo: what an engine does with photographs before inference, with libstride.
//
//   photo INPUT.ppm OUTPUT_DIR [SECONDS...]
//
// A picture file holds pixels, row by row: red, green, blue, red, green, blue. That is HWC. A network wants planes, all
// the red, then all the green, then all the blue: NCHW, for a batch of pictures at once. Usually it wants the centre
// only, and in training a mirrored picture now and then. With strides, none of this moves a byte: only the numbers
// change that say where a byte lies. Bytes move once, at the end, into the form that the engine requires. Here it is
// done three times with a batch of 16:
//
//   packed planes      for most engines
//   DirectML           a buffer tensor whose rows begin 256 bytes apart
//   XLA, column-major  in each picture the first dimension varies fastest
//
// and once more for the whole pictures. Everything is then copied back to where it came from and compared, byte by
// byte. A table ends the show: how long each copy took, beside memcpy, a plain loop, and what SECONDS says of NumPy
// (photo_numpy.py). planes.ppm and mirrored.ppm in OUTPUT_DIR show the result. Each failure has its own exit code,
// listed below.

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

enum { PICTURES = 16, CHANNELS = 3, CROP = 224, DML_ROW_PITCH_BYTES = 256, LARGEST_SIDE = 4096 };
enum { CANVAS_BYTES = CROP * CHANNELS * CROP * CHANNELS };  // three grey planes side by side
enum { COPIES = 4, ROUNDS = 50, RUNS_PER_ROUND = 3 };

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

// Pictures as PPM stores them, one after the other: each height x width pixels of 3 bytes, without gaps.
typedef struct pictures {
  int64_t height, width;
  uint64_t bytes;
  uint8_t *pixels;
} pictures;

// A view of the pictures' bytes as N, C, H, W, and the box of pixels that it covers in each.
typedef struct view {
  stride_layout layout;
  int64_t top, left, height, width;
} view;

// A buffer in the form that an engine requires.
typedef struct tensor {
  const char *name;
  stride_layout layout;
  uint64_t bytes;
  uint8_t *memory;
  double seconds, memcpy_seconds, loop_seconds;
} tensor;

// All memory of the program hangs here, so that one function can free it, however the work ended.
typedef struct job {
  const char *input, *directory;
  pictures batch;     // the photograph, as often as a batch has pictures
  pictures returned;  // where everything is copied back to, as large as the batch
  view whole, mirrored;
  tensor planes, directml, column_major, whole_planes;
  uint8_t *canvas;  // where the result is drawn
  double numpy_seconds[COPIES];  // 0: unknown
} job;

// =================================================================================================
//
// When something goes wrong
//
// Functions return an exit code. TRY hands on what one of ours says. STRIDE stands around the calls of the library,
// next to a local `error`, and makes a sentence of a status that is not OK.

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
  return *out ? DONE : complain(NO_MEMORY, "memory", "no room for %llu bytes", (unsigned long long)bytes);
}

// =================================================================================================
//
// Reading the photograph

// The next number of a PPM header, after white space and comments, and the one white space after it; -1: there is
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

static enum exit_code read_header(FILE *file, const char *path, pictures *out) {
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
  out->bytes = (uint64_t)(PICTURES * height * width * CHANNELS);
  return DONE;
}

static enum exit_code read_opened(FILE *file, const char *path, pictures *out) {
  TRY(read_header(file, path, out));
  TRY(allocate(out->bytes, &out->pixels));
  size_t one = (size_t)(out->bytes / PICTURES), got = fread(out->pixels, 1, one, file);
  for (int n = 1; n < PICTURES; n++) memcpy(out->pixels + (size_t)n * one, out->pixels, one);
  if (got == one) return DONE;
  return complain(TRUNCATED, path, "the file ends after %llu of %llu bytes of pixels", (unsigned long long)got,
                  (unsigned long long)one);
}

static enum exit_code read_batch(const char *path, pictures *out) {
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

// NHWC to NCHW: the last dimension becomes the second one.
static enum exit_code view_whole(const pictures *batch, view *out) {
  stride_error error;
  const int64_t sizes[4] = {PICTURES, batch->height, batch->width, CHANNELS};
  const int64_t channels_second[4] = {0, 3, 1, 2};
  stride_layout pixels;
  STRIDE(stride_layout_init(&pixels, STRIDE_DTYPE_U8, 4, sizes, NULL, &error));
  TRY(print_view("pixels, NHWC", &pixels));
  STRIDE(stride_layout_permute(&pixels, 4, channels_second, &out->layout, &error));
  TRY(print_view("seen as NCHW", &out->layout));
  out->top = out->left = 0;
  out->height = batch->height;
  out->width = batch->width;
  return DONE;
}

// The box of 224 x 224 in the centre; then the last dimension runs backwards, which is a negative stride.
static enum exit_code view_mirrored(const view *whole, view *out) {
  stride_error error;
  out->top = (whole->height - CROP) / 2;
  out->left = (whole->width - CROP) / 2;
  out->height = out->width = CROP;
  const int64_t starts[4] = {0, 0, out->top, out->left};
  const int64_t sizes[4] = {PICTURES, CHANNELS, CROP, CROP};
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

// A conversion without a library, written with care: every stride is read once, `restrict` says that the bytes alias
// nothing, and one pass over the pixels of both sides takes the three channels of each. Padding stays as it is.
static void plain_loop(const stride_layout *to, uint8_t *restrict dst, const stride_layout *from,
                       const uint8_t *restrict src) {
  const int64_t pictures = to->sizes[0], rows = to->sizes[2], columns = to->sizes[3];
  const int64_t d_picture = to->strides[0], d_channel = to->strides[1], d_row = to->strides[2], d = to->strides[3];
  const int64_t s_picture = from->strides[0], s_channel = from->strides[1], s_row = from->strides[2],
                s = from->strides[3];
  dst += to->offset;
  src += from->offset;
  for (int64_t n = 0; n < pictures; n++) {
    for (int64_t y = 0; y < rows; y++) {
      uint8_t *restrict to_row = dst + n * d_picture + y * d_row;
      const uint8_t *restrict from_row = src + n * s_picture + y * s_row;
      for (int64_t x = 0; x < columns; x++) {
        to_row[x * d] = from_row[x * s];
        to_row[x * d + d_channel] = from_row[x * s + s_channel];
        to_row[x * d + 2 * d_channel] = from_row[x * s + 2 * s_channel];
      }
    }
  }
}

static double keep_shorter(double best, double start) {
  double seconds = seconds_now() - start;
  return best == 0 || seconds < best ? seconds : best;
}

// All three alternate, each several times in a row, and the shortest run of each counts. memcpy moves as many bytes as
// the tensor's buffer has, into `spare`.
static enum exit_code measure(const stride_plan *plan, tensor *to, const view *from, const pictures *batch,
                              const pictures *spare) {
  stride_error error;
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < RUNS_PER_ROUND; k++) {
      double start = seconds_now();
      plain_loop(&to->layout, to->memory, &from->layout, batch->pixels);
      to->loop_seconds = keep_shorter(to->loop_seconds, start);
    }
    for (int k = 0; k < RUNS_PER_ROUND; k++) {
      double start = seconds_now();
      STRIDE(stride_plan_execute(plan, to->memory, to->bytes, batch->pixels, batch->bytes, &error));
      to->seconds = keep_shorter(to->seconds, start);
    }
    for (int k = 0; k < RUNS_PER_ROUND; k++) {
      double start = seconds_now();
      plain_memcpy(spare->pixels, batch->pixels, (size_t)to->bytes);
      to->memcpy_seconds = keep_shorter(to->memcpy_seconds, start);
    }
  }
  return DONE;
}

// Are two tensors equal? If not, the first index that differs is named.
static enum exit_code expect_equal(const char *what, const stride_layout *lhs, const uint8_t *lhs_memory,
                                   uint64_t lhs_bytes, const stride_layout *rhs, const pictures *rhs_pictures) {
  stride_error error;
  int64_t first_difference, index[STRIDE_MAX_RANK];
  STRIDE(stride_compare(lhs, lhs_memory, lhs_bytes, rhs, rhs_pictures->pixels, rhs_pictures->bytes, &first_difference,
                        &error));
  if (first_difference < 0) return DONE;
  STRIDE(stride_layout_unravel_index(lhs, first_difference, lhs->rank, index, &error));
  return complain(CHECK_FAILED, what, "picture %lld, channel %lld, row %lld, column %lld differs", (long long)index[0],
                  (long long)index[1], (long long)index[2], (long long)index[3]);
}

// The same question without the library: inside the box every byte is the photograph's, outside none was touched.
static enum exit_code expect_box(const char *what, const view *from, const pictures *batch,
                                 const pictures *returned) {
  const uint8_t *was = batch->pixels, *is = returned->pixels;
  for (int64_t row = 0; row < PICTURES * batch->height; row++) {
    int64_t y = row % batch->height;
    for (int64_t x = 0; x < batch->width; x++) {
      int inside = y >= from->top && y < from->top + from->height && x >= from->left && x < from->left + from->width;
      for (int c = 0; c < CHANNELS; c++, was++, is++) {
        if (*is == (inside ? *was : (uint8_t)~*was)) continue;
        return complain(CHECK_FAILED, what, "picture %lld, row %lld, column %lld, channel %d %s",
                        (long long)(row / batch->height), (long long)y, (long long)x, c,
                        inside ? "was lost" : "was touched");
      }
    }
  }
  return DONE;
}

// The inverse of a copy is the copy with its sides exchanged: now the view, over a second batch, is the destination.
// That batch begins as the complement of the first, which differs in every byte, so none can be right by chance.
static enum exit_code bring_back(const tensor *from, const view *to, const pictures *batch, const pictures *returned) {
  stride_error error;
  for (uint64_t k = 0; k < batch->bytes; k++) returned->pixels[k] = (uint8_t)~batch->pixels[k];
  STRIDE(stride_copy(&to->layout, returned->pixels, returned->bytes, &from->layout, from->memory, from->bytes, NULL,
                     &error));
  TRY(expect_equal(from->name, &to->layout, returned->pixels, returned->bytes, &to->layout, batch));
  TRY(expect_box(from->name, to, batch, returned));
  printf("    %-13sidentical, nothing outside was touched\n", "brought back");
  return DONE;
}

// Copies a view of the batch into a tensor whose layout and length are set, and proves that nothing got lost.
static enum exit_code convert(job *work, const view *from, tensor *to, const stride_copy_options *options) {
  stride_error error;
  stride_plan plan;
  char text[256];
  uint64_t length, min_bytes;
  STRIDE(stride_layout_format(&to->layout, text, sizeof text, &length, &error));
  STRIDE(stride_layout_min_bytes(&to->layout, &min_bytes, &error));
  printf("    %-13s%s\n    %-13s%llu bytes at least\n", "layout", text, "buffer", (unsigned long long)min_bytes);

  STRIDE(stride_plan_init(&plan, &to->layout, &from->layout, options, &error));
  TRY(print_plan(&plan));
  TRY(allocate(to->bytes, &to->memory));
  memset(to->memory, 0xEE, (size_t)to->bytes);  // what was there before, so that a byte not written shows
  plain_loop(&to->layout, to->memory, &from->layout, work->batch.pixels);
  TRY(expect_equal("plain loop", &to->layout, to->memory, to->bytes, &from->layout, &work->batch));
  memset(to->memory, 0xEE, (size_t)to->bytes);
  STRIDE(stride_plan_execute(&plan, to->memory, to->bytes, work->batch.pixels, work->batch.bytes, &error));
  TRY(expect_equal(to->name, &to->layout, to->memory, to->bytes, &from->layout, &work->batch));
  TRY(measure(&plan, to, from, &work->batch, &work->returned));
  return bring_back(to, from, &work->batch, &work->returned);
}

// =================================================================================================
//
// The forms that engines require

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

// XLA lists the dimensions from the fastest varying to the slowest: ascending means column-major. The pictures stay one
// after the other.
static enum exit_code convert_to_xla(job *work, const view *from, tensor *out) {
  stride_error error;
  stride_xla_shape shape;
  const int64_t minor_to_major[4] = {1, 2, 3, 0};
  char text[128];
  uint64_t length;
  out->name = "XLA, column-major";
  printf("\n  %s\n", out->name);
  STRIDE(stride_xla_shape_init(&shape, STRIDE_DTYPE_U8, 4, from->layout.sizes, minor_to_major, &error));
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

// The three planes of a picture side by side, each as a grey picture. Grey means red = green = blue: each byte is
// repeated along a new last dimension, by a stride of 0. On the other side the picture's columns are cut in 3 x 224, so
// that the plane becomes a dimension of its own. Both are then [row, plane, column, colour], and one copy does it.
static enum exit_code draw_planes(const job *work) {
  stride_error error;
  const int64_t batch = 0, first = 0, colour = 3, columns = 1;
  const int64_t row_plane_column[3] = {1, 0, 2};
  const int64_t picture_sizes[3] = {CROP, CHANNELS * CROP, CHANNELS};
  const int64_t grey_sizes[4] = {CROP, CHANNELS, CROP, CHANNELS};
  const int64_t plane_column[2] = {CHANNELS, CROP};
  stride_layout grey, drawn;
  STRIDE(stride_layout_select(&work->planes.layout, batch, first, &grey, &error));
  STRIDE(stride_layout_permute(&grey, 3, row_plane_column, &grey, &error));
  STRIDE(stride_layout_expand_dims(&grey, 1, &colour, &grey, &error));
  STRIDE(stride_layout_broadcast_to(&grey, 4, grey_sizes, &grey, &error));
  STRIDE(stride_layout_init(&drawn, STRIDE_DTYPE_U8, 3, picture_sizes, NULL, &error));
  STRIDE(stride_layout_split(&drawn, columns, 2, plane_column, &drawn, &error));
  STRIDE(stride_copy(&drawn, work->canvas, CANVAS_BYTES, &grey, work->planes.memory, work->planes.bytes, NULL, &error));
  return write_picture(work->directory, "planes.ppm", CROP, CHANNELS * CROP, work->canvas);
}

// One of the mirrored centres as pixels again: a view with the channels last, copied to packed memory.
static enum exit_code draw_mirrored(const job *work) {
  stride_error error;
  const int64_t batch = 0, first = 0, channels_last[3] = {1, 2, 0};
  stride_layout pixels;
  STRIDE(stride_layout_select(&work->mirrored.layout, batch, first, &pixels, &error));
  STRIDE(stride_layout_permute(&pixels, 3, channels_last, &pixels, &error));
  STRIDE(stride_copy(NULL, work->canvas, CROP * CROP * CHANNELS, &pixels, work->batch.pixels, work->batch.bytes, NULL,
                     &error));
  return write_picture(work->directory, "mirrored.ppm", CROP, CROP, work->canvas);
}

// =================================================================================================
//
// The whole job

static void print_time(double seconds, double ours) {
  if (seconds > 0) printf(" %9.0f (%4.1f)", 1e6 * seconds, seconds / ours);
  else printf(" %9s %6s", "-", "");
}

static void print_times(const job *work) {
  const tensor *copies[COPIES] = {&work->planes, &work->directml, &work->column_major, &work->whole_planes};
  printf("\nTimes in microseconds, and in brackets how many times libstride's, by a plan made before: one thread, the "
         "best of %d runs\n\n", ROUNDS * RUNS_PER_ROUND);
  printf("  %-38s %9s %16s %16s %16s\n", "", "libstride", "memcpy", "plain loop", "NumPy");
  for (int k = 0; k < COPIES; k++) {
    const tensor *of = copies[k];
    printf("  %-38s %9.0f", of->name, 1e6 * of->seconds);
    print_time(of->memcpy_seconds, of->seconds);
    print_time(of->loop_seconds, of->seconds);
    print_time(work->numpy_seconds[k], of->seconds);
    putchar('\n');
  }
  printf("\n  The plain loop takes any strides, as libstride does; compiled for known ones it can be as fast. Other\n"
         "  CPUs and compilers give other ratios. NumPy ran before, in a process of its own.\n");
  if (work->numpy_seconds[0] == 0) {
    printf("\n  NumPy was not timed: `make demo` does so where python3, or PYTHON=another, has it\n");
  }
}

static enum exit_code run(job *work) {
  TRY(read_batch(work->input, &work->batch));
  work->returned = work->batch;
  work->returned.pixels = NULL;
  TRY(allocate(work->returned.bytes, &work->returned.pixels));
  memset(work->returned.pixels, 0, (size_t)work->returned.bytes);
  TRY(allocate(CANVAS_BYTES, &work->canvas));

  printf("libstride %u.%u.%u, %s, a batch of %d times %lld x %lld pixels\n\n", stride_version() / 10000,
         stride_version() / 100 % 100, stride_version() % 100, work->input, PICTURES, (long long)work->batch.width,
         (long long)work->batch.height);
  printf("Views: nothing is moved; on the right, how many bytes the buffer must have\n\n");
  TRY(view_whole(&work->batch, &work->whole));
  TRY(view_mirrored(&work->whole, &work->mirrored));

  printf("\nCopies\n");
  TRY(convert_to_planes(work, "packed planes of the mirrored centre", &work->mirrored, &work->planes));
  TRY(convert_to_directml(work, &work->mirrored, &work->directml));
  TRY(convert_to_xla(work, &work->mirrored, &work->column_major));
  TRY(convert_to_planes(work, "packed planes of the whole photographs", &work->whole, &work->whole_planes));
  print_times(work);

  printf("\nPictures\n\n");
  TRY(draw_planes(work));
  TRY(draw_mirrored(work));
  printf("\nround trip: identical\n");
  return DONE;
}

static void release(job *work) {
  free(work->batch.pixels);
  free(work->returned.pixels);
  free(work->planes.memory);
  free(work->directml.memory);
  free(work->column_major.memory);
  free(work->whole_planes.memory);
  free(work->canvas);
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 3 + COPIES) return complain(BAD_USAGE, "usage", "photo INPUT.ppm OUTPUT_DIR [SECONDS...]");
  job work = {0};
  work.input = argv[1];
  work.directory = argv[2];
  for (int k = 0; k < argc - 3; k++) work.numpy_seconds[k] = strtod(argv[3 + k], NULL);
  enum exit_code code = run(&work);
  release(&work);
  if (code == DONE && fflush(stdout) != 0) code = complain(NO_OUTPUT, "standard output", "%s", strerror(errno));
  return code;
}
