/* oneDNN as the oracle of blocked formats: for every format tag that libdnnl has, and several sizes, oneDNN's reorder from
 * the plain format into it and stride_copy_sides with the shape that the tag says write the same bytes, padding included;
 * both bring them back; and the buffers are as long. Names with another meaning (nChw16c) are held against
 * the tag that dnnl_types.h gives for them.
 *
 *     cc -std=c99 -Iinclude -Itarget/c tests/dnnl_oracle.c target/c/libstride.a -ldnnl -o dnnl_oracle    (tests/dnnl_oracle.sh)
 *
 * Versions 2 and 3 of oneDNN. */
#include "stride_xla.h"

#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_debug.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long failures, refused_tags, tags_done, copies_compared, conversions_compared, shapes_compared;

static int fail(const char *tag, const char *what) {
  if (failures++ < 40) printf("FAILED %s: %s\n", tag, what);
  return 0;
}

/* --- oneDNN ------------------------------------------------------------------------------------------------------- */

enum { TYPES = 3 };
static const dnnl_data_type_t dnnl_types[TYPES] = {dnnl_f32, dnnl_u8, dnnl_bf16};
static const uint32_t stride_types[TYPES] = {STRIDE_DTYPE_F32, STRIDE_DTYPE_U8, STRIDE_DTYPE_BF16};
static const size_t widths[TYPES] = {4, 1, 2};
static const char *const type_names[TYPES] = {"f32", "u8", "bf16"};

#if DNNL_VERSION_MAJOR >= 3
typedef dnnl_memory_desc_t format;
static int format_init(format *out, int rank, const dnnl_dim_t *sizes, dnnl_data_type_t type, dnnl_format_tag_t tag) {
  return dnnl_memory_desc_create_with_tag(out, rank, sizes, type, tag) == dnnl_success;
}
static size_t format_bytes(const format *of) { return dnnl_memory_desc_get_size(*of); }
static void format_free(format *of) { dnnl_memory_desc_destroy(*of); }
#define DESC(format) (*(format))
#else
typedef dnnl_memory_desc_t format;
static int format_init(format *out, int rank, const dnnl_dim_t *sizes, dnnl_data_type_t type, dnnl_format_tag_t tag) {
  return dnnl_memory_desc_init_by_tag(out, rank, sizes, type, tag) == dnnl_success;
}
static size_t format_bytes(const format *of) { return dnnl_memory_desc_get_size(of); }
static void format_free(format *of) { (void)of; }
#define DESC(format) (format)
#endif

static dnnl_engine_t engine;
static dnnl_stream_t stream;

/* Whether there is such a reorder; it is done. */
static int reorder(const format *from, void *from_bytes, const format *to, void *to_bytes) {
  dnnl_primitive_desc_t description = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_memory_t source = NULL, target = NULL;
  int done = dnnl_reorder_primitive_desc_create(&description, DESC(from), engine, DESC(to), engine, NULL) == dnnl_success &&
             dnnl_primitive_create(&primitive, description) == dnnl_success &&
             dnnl_memory_create(&source, DESC(from), engine, from_bytes) == dnnl_success &&
             dnnl_memory_create(&target, DESC(to), engine, to_bytes) == dnnl_success;
  if (done) {
    const dnnl_exec_arg_t arguments[2] = {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}};
    done = dnnl_primitive_execute(primitive, stream, 2, arguments) == dnnl_success && dnnl_stream_wait(stream) == dnnl_success;
  }
  if (source) dnnl_memory_destroy(source);
  if (target) dnnl_memory_destroy(target);
  if (primitive) dnnl_primitive_destroy(primitive);
  if (description) dnnl_primitive_desc_destroy(description);
  return done;
}

/* --- One tag ------------------------------------------------------------------------------------------------------ */

/* The letters in front: the rank of the tag. */
static int rank_of(const char *tag) {
  int rank = 0;
  while (isalpha((unsigned char)tag[rank])) rank++;
  return rank;
}

/* Product of the blocks of a dimension. */
static int64_t block_of(const char *tag, int dimension) {
  int64_t block = 1;
  for (const char *at = tag + rank_of(tag); *at;) {
    const int64_t size = strtol(at, (char **)&at, 10);
    if (*at++ == 'a' + dimension) block *= size;
  }
  return block;
}

/* Sizes of case `number`: blocks that are not full, one element more than full, full, single elements. */
enum { CASES = 4 };
static void choose_sizes(const char *tag, int number, int rank, int64_t *sizes) {
  static const int64_t plain[CASES][3] = {{2, 3, 2}, {3, 2, 1}, {2, 2, 3}, {1, 2, 1}};
  for (int d = 0; d < rank; d++) {
    const int64_t block = block_of(tag, d);
    const int64_t of_blocks[CASES] = {block - 1, block + 1, block, 1};
    sizes[d] = block > 1 ? of_blocks[number] : rank > 8 ? 1 + (d + number) % 2 : plain[number][d % 3];
  }
}

static int status_ok(const char *tag, stride_status status, const stride_error *error) {
  if (status == STRIDE_STATUS_OK) return 1;
  char text[200];
  uint64_t length;
  stride_error_format(error, text, sizeof text, &length, NULL);
  return fail(tag, text);
}

/* 0 where oneDNN has no such reorder, or one of the answers differs. */
static int compare(const char *tag, dnnl_format_tag_t number, dnnl_format_tag_t plain, int rank, const int64_t *sizes, int type) {
  format blocked, packed;
  stride_xla_shape shape;
  stride_side side, plain_side;
  stride_layout layout;
  stride_copy_options options;
  stride_error error;
  uint64_t bytes = 0;
  const dnnl_dim_t *dims = (const dnnl_dim_t *)sizes;
  if (!format_init(&packed, rank, dims, dnnl_types[type], plain)) return fail(tag, "oneDNN has no plain format of this rank");
  if (!format_init(&blocked, rank, dims, dnnl_types[type], number)) {
    format_free(&packed);
    return 0;
  }
  int good = status_ok(tag, stride_xla_shape_parse_tag(tag, strlen(tag), stride_types[type], (uint32_t)rank, sizes, &shape, &error), &error) &&
             status_ok(tag, stride_xla_shape_byte_size(&shape, &bytes, &error), &error) &&
             status_ok(tag, stride_layout_init(&layout, stride_types[type], (uint32_t)rank, sizes, NULL, &error), &error) &&
             status_ok(tag, stride_copy_options_init(&options), &error);
  if (good && bytes != format_bytes(&blocked)) good = fail(tag, "the lengths of the buffers differ");
  if (good) {
    const size_t elements_bytes = format_bytes(&packed);
    unsigned char *const from = malloc(elements_bytes), *const theirs = malloc(bytes), *const ours = malloc(bytes),
                  *const their_back = malloc(elements_bytes), *const our_back = malloc(elements_bytes);
    uint32_t state = 12345;
    for (size_t k = 0; k < elements_bytes; k++) {
      state = state * 1664525 + 1013904223;
      from[k] = (unsigned char)(state >> 24);
    }
    /* Small numbers: any kernel brings them through unchanged. */
    for (size_t k = 0; k < elements_bytes / widths[type]; k++) {
      const float value = (float)(k % 120 + 1);
      uint32_t word;
      memcpy(&word, &value, 4);
      const uint16_t half = (uint16_t)(word >> 16);
      if (type == 0) memcpy(from + 4 * k, &value, 4);
      else if (type == 1) from[k] = (unsigned char)(k % 251 + 1);
      else memcpy(from + 2 * k, &half, 2);
    }
    memset(theirs, 0xEE, bytes);
    memset(ours, 0xEE, bytes);
    memset(their_back, 0xEE, elements_bytes);
    memset(our_back, 0xEE, elements_bytes);
    options.flags = STRIDE_COPY_FILL_BUFFER;
    good = status_ok(tag, stride_side_init(&side, STRIDE_SIDE_SHAPE, &shape, &error), &error) &&
           status_ok(tag, stride_side_init(&plain_side, STRIDE_SIDE_LAYOUT, &layout, &error), &error) &&
           status_ok(tag, stride_copy_sides(&side, ours, bytes, &plain_side, from, elements_bytes, &options, &error), &error) &&
           status_ok(tag, stride_copy_sides(&plain_side, our_back, elements_bytes, &side, ours, bytes, NULL, &error), &error);
    if (good && memcmp(our_back, from, elements_bytes)) good = fail(tag, "the way back loses elements");
    if (good && !reorder(&packed, from, &blocked, theirs)) {
      good = 0; /* none in oneDNN */
    } else if (good) {
      copies_compared++;
      if (memcmp(ours, theirs, bytes)) good = fail(tag, "the bytes differ");
      if (good && reorder(&blocked, theirs, &packed, their_back)) {
        copies_compared++;
        if (memcmp(our_back, their_back, elements_bytes)) good = fail(tag, "the bytes differ on the way back");
      }
    }
    free(from), free(theirs), free(ours), free(their_back), free(our_back);
  }
  format_free(&packed);
  format_free(&blocked);
  return good;
}

/* f32 that becomes another type in blocks, with ties and numbers that do not fit; 0 where oneDNN has no such reorder,
 * or the bytes differ. */
static int convert(const char *tag, dnnl_format_tag_t number, dnnl_format_tag_t plain, int rank, const int64_t *sizes,
                   int to) {
  static const dnnl_data_type_t theirs_of[] = {dnnl_u8, dnnl_s8, dnnl_s32, dnnl_bf16};
  static const uint32_t ours_of[] = {STRIDE_DTYPE_U8, STRIDE_DTYPE_S8, STRIDE_DTYPE_S32, STRIDE_DTYPE_BF16};
  format blocked, packed;
  stride_xla_shape shape;
  stride_side side, plain_side;
  stride_layout layout;
  stride_conversion how;
  stride_copy_options options;
  stride_error error;
  const dnnl_dim_t *dims = (const dnnl_dim_t *)sizes;
  if (!format_init(&packed, rank, dims, dnnl_f32, plain)) return 0;
  if (!format_init(&blocked, rank, dims, theirs_of[to], number)) {
    format_free(&packed);
    return 0;
  }
  const size_t from_bytes = format_bytes(&packed), bytes = format_bytes(&blocked);
  float *const from = malloc(from_bytes);
  unsigned char *const theirs = malloc(bytes), *const ours = malloc(bytes);
  for (size_t k = 0; k < from_bytes / 4; k++) from[k] = (float)(k * 37 % 1601) / 4 - 150;
  memset(theirs, 0xEE, bytes);
  memset(ours, 0xEE, bytes);
  stride_conversion_init(&how);
  how.flags = STRIDE_CONVERT_NEAREST | STRIDE_CONVERT_SATURATE;
  int good = reorder(&packed, from, &blocked, theirs);
  if (good) {
    const uint64_t length = strlen(tag);
    const uint32_t dimensions = (uint32_t)rank;
    const uint32_t dtype = ours_of[to];
    good = status_ok(tag, stride_xla_shape_parse_tag(tag, length, dtype, dimensions, sizes, &shape, &error), &error) &&
           status_ok(tag, stride_layout_init(&layout, STRIDE_DTYPE_F32, dimensions, sizes, NULL, &error), &error) &&
           status_ok(tag, stride_copy_options_init(&options), &error) &&
           status_ok(tag, stride_side_init(&side, STRIDE_SIDE_SHAPE, &shape, &error), &error) &&
           status_ok(tag, stride_side_init(&plain_side, STRIDE_SIDE_LAYOUT, &layout, &error), &error);
    options.flags = STRIDE_COPY_FILL_BUFFER;
    options.conversion = &how;
    good = good && status_ok(tag,
                             stride_copy_sides(&side, ours, bytes, &plain_side, from, from_bytes, &options, &error),
                             &error);
    if (good && memcmp(ours, theirs, bytes)) good = fail(tag, "the numbers that were converted differ");
    conversions_compared++;
  }
  free(from), free(theirs), free(ours);
  format_free(&packed);
  format_free(&blocked);
  return good;
}

/* Whether the shape says the tag again. */
static void check_text(const char *tag, int rank, const int64_t *sizes) {
  stride_xla_shape shape;
  char text[80];
  uint64_t length;
  stride_error error;
  if (!status_ok(tag, stride_xla_shape_parse_tag(tag, strlen(tag), STRIDE_DTYPE_F32, (uint32_t)rank, sizes, &shape, &error), &error)) return;
  if (!status_ok(tag, stride_xla_shape_format_tag(&shape, text, sizeof text, &length, &error), &error)) return;
  if (strcmp(text, tag)) fail(tag, text);
  shapes_compared++;
}

/* With a size of 0 there is no buffer, whatever the blocks. */
static void check_empty(const char *tag, dnnl_format_tag_t number, int rank, int64_t *sizes) {
  stride_xla_shape shape;
  stride_error error;
  format blocked;
  uint64_t bytes = 1;
  sizes[rank / 2] = 0;
  if (!format_init(&blocked, rank, (const dnnl_dim_t *)sizes, dnnl_f32, number)) return;
  if (status_ok(tag, stride_xla_shape_parse_tag(tag, strlen(tag), STRIDE_DTYPE_F32, (uint32_t)rank, sizes, &shape, &error), &error) &&
      status_ok(tag, stride_xla_shape_byte_size(&shape, &bytes, &error), &error) && bytes != format_bytes(&blocked)) {
    fail(tag, "the length of the empty buffer differs");
  }
  format_free(&blocked);
}

static void check_tag(const char *tag, dnnl_format_tag_t number, const dnnl_format_tag_t *plain) {
  const int rank = rank_of(tag);
  int64_t sizes[12];
  int done = 0, tried = 0;
  for (int k = 0; k < CASES; k++) {
    choose_sizes(tag, k, rank, sizes);
    check_text(tag, rank, sizes);
    for (int type = 0; type < TYPES; type++) {
      tried++;
      done += compare(tag, number, plain[rank], rank, sizes, type);
    }
    for (int to = 0; to < 4; to++) convert(tag, number, plain[rank], rank, sizes, to);
  }
  check_empty(tag, number, rank, sizes);
  tags_done += done > 0;
  refused_tags += done == 0;
  if (done == 0) printf("refused: oneDNN has no reorder into %s\n", tag);
  else if (done < tried) printf("in part: %s, %d of %d cases\n", tag, done, tried);
}

/* --- Names -------------------------------------------------------------------------------------------------------- */

/* NAME(nChw16c, aBcd16b) for every alias of dnnl_types.h. */
#define NAME(name, tag) {#name, #tag},
static const char *const aliases[][2] = {
#include "dnnl_aliases.h"
};

/* What dnnl_types.h has, and its letters do not say: a capital letter of a dimension without blocks, and two names whose
 * outer dimensions are in another order than those of their tag. */
static const char *const wrong_names[] = {"OhwI24o", "OhwI32o", "gOhwI24o", "gOhwI32o", "gIOhw2i8o16i2o", "gIOdhw2i8o16i2o"};

static int is_wrong(const char *name) {
  for (size_t k = 0; k < sizeof wrong_names / sizeof *wrong_names; k++) {
    if (!strcmp(name, wrong_names[k])) return 1;
  }
  return 0;
}

static void check_aliases(void) {
  const size_t count = sizeof aliases / sizeof *aliases;
  const int64_t sizes[12] = {5, 7, 2, 3, 4, 6, 2, 3, 2, 2, 2, 2};
  long equal = 0, wrong = 0;
  for (size_t k = 0; k < count; k++) {
    const char *const name = aliases[k][0], *const tag = aliases[k][1];
    stride_xla_shape shape;
    stride_error error;
    char text[80];
    uint64_t length;
    const uint32_t rank = (uint32_t)rank_of(tag);
    const stride_status status = stride_xla_shape_parse_tag(name, strlen(name), STRIDE_DTYPE_F32, rank, sizes, &shape, &error);
    if (is_wrong(name)) {
      wrong++;
    } else if (status_ok(name, status, &error) &&
               status_ok(name, stride_xla_shape_format_tag(&shape, text, sizeof text, &length, &error), &error)) {
      if (strcmp(text, tag)) fail(name, text);
      equal++;
    }
  }
  if (equal < 300) fail("dnnl_types.h", "fewer names than any oneDNN has");
  printf("%ld of %zu names are the tags that dnnl_types.h gives, %ld say something else there\n", equal, count, wrong);
}

int main(void) {
  dnnl_format_tag_t plain[13] = {dnnl_format_tag_undef};
  if (dnnl_engine_create(&engine, dnnl_cpu, 0) != dnnl_success || dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) != dnnl_success) {
    printf("oneDNN has no CPU engine\n");
    return 1;
  }
  for (int number = dnnl_format_tag_any + 1; number < dnnl_format_tag_last; number++) {
    const char *const tag = dnnl_fmt_tag2str((dnnl_format_tag_t)number);
    if (!strncmp(tag, "abcdefghijkl", strlen(tag))) plain[strlen(tag)] = (dnnl_format_tag_t)number;
  }
  long tags = 0;
  for (int number = dnnl_format_tag_any + 1; number < dnnl_format_tag_last; number++, tags++) {
    check_tag(dnnl_fmt_tag2str((dnnl_format_tag_t)number), (dnnl_format_tag_t)number, plain);
  }
  check_aliases();
  const dnnl_version_t *const version = dnnl_version();
  printf("oneDNN %d.%d.%d: %ld tags, %ld reordered as oneDNN does, %ld that it has no reorder for; %ld reorders of %s, %s and %s "
         "compared, %ld of f32 to numbers of 8, 16 and 32 bits, %ld tags printed\n",
         version->major, version->minor, version->patch, tags, tags_done, refused_tags, copies_compared, type_names[0],
         type_names[1], type_names[2], conversions_compared, shapes_compared);
  dnnl_stream_destroy(stream);
  dnnl_engine_destroy(engine);
  if (tags_done < 400 || copies_compared < 9000 || conversions_compared < 3000) {
    printf("that is less than any oneDNN has\n");
    failures++;
  }
  if (failures) printf("%ld failures\n", failures);
  return failures != 0;
}
