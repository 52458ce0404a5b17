/* Lists and their counts: every function that takes or fills a list, with the list between two pages that may not be
 * touched, so that it ends exactly where the one begins, or begins exactly where the other ends.
 *
 * With a wrong number of entries the answer is INVALID_RANK with the number given and the one needed, no output is
 * touched, and not even the entries that are there are looked at: the list lies in memory that cannot be read. With the
 * right number everything works, and is what it is with ordinary memory. A stray access ends the program. POSIX, Windows. */
#define _DEFAULT_SOURCE
#include "check.h"

#include <signal.h>
#ifdef _WIN32
#include <io.h>
#include <windows.h>
#define write(to, text, length) _write(to, text, (unsigned)(length)) /* Microsoft deprecates the other name */
#undef IN
#undef OUT
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

/* --- Pages -------------------------------------------------------------------------------------------------------- */

enum { REGIONS = 4 };

static size_t page;
static unsigned char *regions[REGIONS]; /* the pages that may be touched */
static const char *running_call = "";

/* What ends the program is named. */
static void stray_access(int number) {
  static const char text[] = ": an access after or before a list\n";
  (void)number;
  if (write(2, running_call, strlen(running_call)) < 0 || write(2, text, sizeof text - 1) < 0) _exit(2);
  _exit(1);
}

/* Three pages, of which the middle one may be touched. */
#ifdef _WIN32
static unsigned char *guarded_page(void) {
  SYSTEM_INFO system;
  DWORD before;
  unsigned char *pages;
  GetSystemInfo(&system);
  page = system.dwPageSize;
  pages = (unsigned char *)VirtualAlloc(NULL, 3 * page, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
  return pages && VirtualProtect(pages + page, page, PAGE_READWRITE, &before) ? pages + page : NULL;
}
#else
static unsigned char *guarded_page(void) {
  void *pages;
  page = (size_t)sysconf(_SC_PAGESIZE);
  pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  return mprotect((unsigned char *)pages + page, page, PROT_READ | PROT_WRITE) ? NULL : (unsigned char *)pages + page;
}
#endif

static void make_regions(void) {
  for (size_t k = 0; k < REGIONS; k++) {
    regions[k] = guarded_page();
    if (!regions[k]) {
      fprintf(stderr, "no guarded pages\n");
      exit(1);
    }
  }
  signal(SIGSEGV, stray_access);
#ifdef SIGBUS
  signal(SIGBUS, stray_access);
#endif
}

typedef enum place { AT_THE_END, AT_THE_BEGINNING, OUTSIDE, PLACES } place;

/* Where a list of so many bytes lies; the rest of its page is poisoned. */
static void *placed(size_t region, place where, size_t bytes) {
  poison(regions[region], page);
  if (where == OUTSIDE) return regions[region] + page;
  return where == AT_THE_BEGINNING ? regions[region] : regions[region] + page - bytes;
}

/* Whether the page is as it was but for the list. */
static int rest_is_poisoned(size_t region, place where, size_t bytes) {
  if (where == OUTSIDE) return is_poisoned(regions[region], page);
  return where == AT_THE_BEGINNING ? is_poisoned(regions[region] + bytes, page - bytes)
                                   : is_poisoned(regions[region], page - bytes);
}

/* --- Calls -------------------------------------------------------------------------------------------------------- */

enum { LISTS = 3 };

/* The lists of one call, as many entries each as `count` says. */
typedef struct lists {
  uint32_t count;
  void *at[LISTS];
} lists;

/* Everything else that the calls write. */
static struct {
  stride_layout layout, other;
  stride_xla_shape shape, second;
  stride_blocked blocked;
  int64_t number, numbers[3];
  uint64_t bytes;
  uint32_t word;
  size_t size;
} out;

/* {2,3,4}, and XLA's of the same sizes with {2,12} beside it. */
static stride_layout cube, row;
static stride_xla_shape shape, joined, vector, tiled;
static stride_blocked digits;
/* Of three operands. */
static stride_runs walked;

static const int64_t *i64(const lists *l, size_t k) { return (const int64_t *)l->at[k]; }
static int64_t *i64_out(const lists *l, size_t k) { return (int64_t *)l->at[k]; }
static const uint32_t *u32(const lists *l, size_t k) { return (const uint32_t *)l->at[k]; }

#define CALL(name) static stride_status name(const lists *l, stride_error *error)

CALL(init) { return stride_layout_init(&out.layout, STRIDE_DTYPE_F32, l->count, i64(l, 0), i64(l, 1), error); }
CALL(init_packed) { return stride_layout_init(&out.layout, STRIDE_DTYPE_F32, l->count, i64(l, 0), NULL, error); }
CALL(init_ordered) {
  return stride_layout_init_ordered(&out.layout, STRIDE_DTYPE_F32, l->count, i64(l, 0), i64(l, 1), error);
}
CALL(init_channels_last) {
  return stride_layout_init_channels_last(&out.layout, STRIDE_DTYPE_F32, l->count, i64(l, 0), error);
}
CALL(init_pitched) {
  return stride_layout_init_pitched(&out.layout, STRIDE_DTYPE_F32, l->count, i64(l, 0), 1, 64, error);
}
CALL(init_padded) {
  return stride_layout_init_padded(&out.layout, STRIDE_DTYPE_F32, l->count, i64(l, 0), i64(l, 1), error);
}
CALL(init_aligned) {
  return stride_layout_init_aligned(&out.layout, STRIDE_DTYPE_F32, l->count, i64(l, 0), 1, 64, error);
}
CALL(init_byte_strides) {
  return stride_layout_init_byte_strides(&out.layout, STRIDE_DTYPE_F32, l->count, i64(l, 0), i64(l, 1), error);
}
CALL(init_bytes) {
  return stride_layout_init_bytes(&out.layout, STRIDE_DTYPE_F32, l->count, i64(l, 0), i64(l, 1), error);
}
CALL(permute) { return stride_layout_permute(&cube, l->count, i64(l, 0), &out.layout, error); }
CALL(slice) { return stride_layout_slice(&cube, l->count, i64(l, 0), i64(l, 1), i64(l, 2), &out.layout, error); }
CALL(slice_starts) { return stride_layout_slice(&cube, l->count, i64(l, 0), NULL, NULL, &out.layout, error); }
CALL(slice_of_nothing) { return stride_layout_slice(&cube, l->count, NULL, NULL, NULL, &out.layout, error); }
CALL(crop) { return stride_layout_crop(&cube, l->count, i64(l, 0), i64(l, 1), &out.layout, error); }
CALL(flip) { return stride_layout_flip(&cube, l->count, i64(l, 0), &out.layout, error); }
CALL(squeeze) { return stride_layout_squeeze(&row, l->count, i64(l, 0), &out.layout, error); }
CALL(expand_dims) { return stride_layout_expand_dims(&cube, l->count, i64(l, 0), &out.layout, error); }
CALL(reshape) { return stride_layout_reshape(&cube, l->count, i64(l, 0), &out.layout, error); }
CALL(split) { return stride_layout_split(&cube, 2, l->count, i64(l, 0), &out.layout, error); }
CALL(window) {
  return stride_layout_window(&cube, l->count, i64(l, 0), i64(l, 1), i64(l, 2), &out.layout, error);
}
CALL(window_alone) { return stride_layout_window(&cube, l->count, i64(l, 0), NULL, NULL, &out.layout, error); }
CALL(as_strided) {
  return stride_layout_as_strided(&cube, l->count, i64(l, 0), i64(l, 1), 1, &out.layout, error);
}
CALL(dim_order) { return stride_layout_dim_order(&cube, 0, NULL, l->count, i64_out(l, 0), &out.word, error); }
CALL(dim_order_preferred) {
  return stride_layout_dim_order(&cube, l->count, i64(l, 0), 3, out.numbers, &out.word, error);
}
CALL(broadcast_to) { return stride_layout_broadcast_to(&row, l->count, i64(l, 0), &out.layout, error); }
CALL(broadcast_in_dim_sizes) {
  return stride_layout_broadcast_in_dim(&row, l->count, i64(l, 0), 2, LIST(0, 2), &out.layout, error);
}
CALL(broadcast_in_dim) {
  return stride_layout_broadcast_in_dim(&row, 3, LIST(2, 3, 4), l->count, i64(l, 0), &out.layout, error);
}
CALL(xla_broadcast) {
  return stride_xla_broadcast(&cube, &row, l->count, i64(l, 0), &out.layout, &out.other, error);
}
CALL(compose) {
  return stride_layout_compose(&cube, &cube, &out.layout, l->count, (uint32_t *)l->at[0], error);
}
CALL(tile) { return stride_layout_tile(&cube, l->count, i64(l, 0), &out.layout, error); }
CALL(offset) { return stride_layout_offset(&cube, l->count, i64(l, 0), &out.number, error); }
CALL(byte_offset) { return stride_layout_byte_offset(&cube, l->count, i64(l, 0), &out.number, &out.word, error); }
CALL(ravel_index) { return stride_layout_ravel_index(&cube, l->count, i64(l, 0), &out.number, error); }
CALL(unravel_index) { return stride_layout_unravel_index(&cube, 17, l->count, i64_out(l, 0), error); }
CALL(layout_multi) { return stride_layout_multi_index(&cube, 17, l->count, i64_out(l, 0), NULL, error); }
CALL(minor_to_major) { return stride_layout_minor_to_major(&cube, l->count, i64_out(l, 0), error); }
CALL(byte_strides) { return stride_layout_byte_strides(&cube, l->count, i64_out(l, 0), error); }
CALL(dml_size) {
  const uint32_t f32 = STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32;
  uint64_t quietly = stride_dml_calc_buffer_tensor_size(f32, l->count, u32(l, 0), u32(l, 1));
  stride_status status = stride_dml_buffer_tensor_size(f32, l->count, u32(l, 0), u32(l, 1), &out.bytes, error);
  CHECK_EQ(quietly, status == STRIDE_STATUS_OK ? out.bytes : 0);
  return status;
}
CALL(shape_init) {
  return stride_xla_shape_init(&out.shape, STRIDE_DTYPE_F32, l->count, i64(l, 0), i64(l, 1), error);
}
CALL(init_blocked) {
  return stride_xla_shape_init_blocked(&out.shape, STRIDE_DTYPE_F32, l->count, i64(l, 0), i64(l, 1), 0, NULL, NULL,
                                       error);
}
CALL(init_blocked_blocks) {
  return stride_xla_shape_init_blocked(&out.shape, STRIDE_DTYPE_F32, 3, LIST(2, 3, 4), NULL, l->count, i64(l, 0),
                                       i64(l, 1), error);
}
CALL(to_blocked) {
  return stride_xla_shape_to_blocked(&shape, l->count, i64_out(l, 0), 0, NULL, NULL, &out.word, error);
}
CALL(blocked_sizes) {
  return stride_blocked_init(&out.blocked, STRIDE_DTYPE_F32, l->count, i64(l, 0), 3, LIST(2, 1, 0), LIST(1, 1, 1),
                             LIST(0, 0, 0), error);
}
CALL(blocked_blocks) {
  return stride_blocked_init(&out.blocked, STRIDE_DTYPE_F32, 2, LIST(3, 4), l->count, i64(l, 0), i64(l, 1), i64(l, 2),
                             error);
}
CALL(blocked_parse) {
  return stride_blocked_parse("c a b", 5, STRIDE_DTYPE_F32, l->count, i64(l, 0), &out.blocked, error);
}
CALL(blocked_padded) { return stride_blocked_padded_sizes(&digits, l->count, i64_out(l, 0), error); }
CALL(blocked_linear) { return stride_blocked_linear_index(&digits, l->count, i64(l, 0), &out.number, error); }
CALL(blocked_multi) { return stride_blocked_multi_index(&digits, 17, l->count, i64_out(l, 0), error); }
CALL(shape_set_padding) {
  stride_xla_shape edited = shape;
  const stride_status status =
      stride_xla_shape_set_padding(&edited, l->count, i64(l, 0), STRIDE_XLA_PADDING_ZERO, error);
  if (status == STRIDE_STATUS_OK) out.shape = edited;
  else CHECK(memcmp(&edited, &shape, sizeof shape) == 0);
  return status;
}
CALL(linear_index) { return stride_xla_linear_index(&shape, l->count, i64(l, 0), &out.number, error); }
CALL(multi_index) { return stride_xla_multi_index(&shape, 17, l->count, i64_out(l, 0), error); }
CALL(shape_permute) { return stride_xla_shape_permute(&shape, l->count, i64(l, 0), &out.shape, error); }
CALL(delete_dimensions) {
  return stride_xla_shape_delete_dimensions(&shape, l->count, i64(l, 0), &out.shape, error);
}
CALL(transpose_is_bitcast) {
  return stride_xla_transpose_is_bitcast(&shape, &shape, l->count, i64(l, 0), &out.word, error);
}
CALL(transpose_axes) { return stride_xla_transpose_axes(&shape, &shape, l->count, i64_out(l, 0), error); }
CALL(decompose_axes) {
  return stride_xla_bitcast_decompose(&shape, &joined, &out.word, l->count, i64_out(l, 0), &out.shape, &out.second, 2,
                                      out.numbers, error);
}
CALL(decompose_out_axes) {
  return stride_xla_bitcast_decompose(&shape, &joined, &out.word, 3, out.numbers, &out.shape, &out.second, l->count,
                                      i64_out(l, 0), error);
}
CALL(shape_align) { return stride_xla_shape_align(&shape, l->count, i64(l, 0), &out.shape, error); }
CALL(shape_broadcast) { return stride_xla_shape_broadcast(&shape, &vector, l->count, i64(l, 0), &out.shape, error); }
CALL(from_pjrt) {
  return stride_xla_shape_from_pjrt_tiled(&out.shape, STRIDE_DTYPE_F32, l->count, i64(l, 0), i64(l, 1), NULL, NULL, 0,
                                          error);
}
CALL(to_pjrt) {
  return stride_xla_shape_to_pjrt_tiled(&shape, l->count, i64_out(l, 0), NULL, 0, NULL, 0, &out.size, error);
}
CALL(runs_strides) { return stride_runs_strides(&walked, l->count, i64_out(l, 0), error); }
CALL(runs_next) {
  stride_runs runs = walked;
  const stride_status status = stride_runs_next(&runs, l->count, i64_out(l, 0), &out.bytes, error);
  if (status != STRIDE_STATUS_OK) CHECK(memcmp(&runs, &walked, sizeof runs) == 0);
  return status;
}

CALL(to_dlpack_shape) {
  stride_dl_tensor tensor;
  return stride_layout_to_dlpack(&cube, l->count, i64_out(l, 0), out.numbers, &tensor, error);
}
CALL(to_dlpack_strides) {
  stride_dl_tensor tensor;
  return stride_layout_to_dlpack(&cube, l->count, out.numbers, i64_out(l, 0), &tensor, error);
}
CALL(pitches) {
  const uint64_t *const there = (const uint64_t *)l->at[0];
  stride_layout planes[4];
  return stride_image_planes(STRIDE_FOURCC_I420, 5, 3, l->count, there, 1, &out.word, planes, &out.bytes, error);
}
CALL(component_pitches) {
  const uint64_t *const there = (const uint64_t *)l->at[0];
  stride_layout parts[4];
  return stride_image_components(STRIDE_FOURCC_I420, 5, 3, l->count, there, 1, &out.word, parts, &out.bytes, error);
}

/* Which numbers of entries are refused. */
typedef enum rule {
  EXACT,         /* all but the one that follows from the object */
  EXACT_OR_NONE, /* all but that and 0 */
  FEW_OR_NONE,   /* the same, where no number is a rank */
  AT_MOST        /* more than 64 */
} rule;

typedef struct entry {
  const char *name;
  stride_status (*call)(const lists *l, stride_error *error);
  rule rule;
  uint32_t count;    /* of a call that succeeds */
  uint32_t argument; /* the one that says how many */
  const char *counter;
  size_t width;             /* of an entry, in bytes */
  const void *values[LISTS]; /* what goes in; NULL: no such list, or one that is filled */
  const void *expected;      /* what list `filled` holds afterwards, if any */
  size_t filled;
} entry;

#define IN(name, rule, count, argument, width, ...)                                                                  \
  {#name, name, rule, count, STRIDE_ARGUMENT_##argument, #argument, width, {__VA_ARGS__}, NULL, 0}
#define OUT(name, count, argument, ...)                                                                              \
  {#name, name, EXACT, count, STRIDE_ARGUMENT_##argument, #argument, 8, {NULL}, LIST(__VA_ARGS__), 0}

static const entry entries[] = {
    IN(init, AT_MOST, 3, RANK, 8, LIST(2, 3, 4), LIST(-1, 0, 99)),
    IN(init_packed, AT_MOST, 3, RANK, 8, LIST(2, 3, 4)),
    IN(init_ordered, AT_MOST, 3, RANK, 8, LIST(2, 3, 4), LIST(0, 2, 1)),
    IN(init_channels_last, AT_MOST, 3, RANK, 8, LIST(2, 3, 4)),
    IN(init_pitched, AT_MOST, 3, RANK, 8, LIST(2, 3, 4)),
    IN(init_padded, AT_MOST, 3, RANK, 8, LIST(2, 3, 4), LIST(2, 4, 4)),
    IN(init_aligned, AT_MOST, 3, RANK, 8, LIST(2, 3, 4)),
    IN(init_byte_strides, AT_MOST, 3, RANK, 8, LIST(2, 3, 4), LIST(48, -16, 4)),
    IN(init_bytes, AT_MOST, 3, RANK, 8, LIST(2, 3, 4), LIST(50, -16, 5)),
    IN(permute, EXACT, 3, RANK, 8, LIST(2, 0, 1)),
    IN(slice, EXACT, 3, RANK, 8, LIST(0, 2, 1), LIST(2, 0, 3), LIST(1, -1, 1)),
    IN(slice_starts, EXACT, 3, RANK, 8, LIST(0, 2, 1)),
    IN(slice_of_nothing, EXACT, 3, RANK, 8, NULL),
    IN(crop, EXACT, 3, RANK, 8, LIST(0, 1, 1), LIST(2, 2, 3)),
    IN(flip, AT_MOST, 2, COUNT, 8, LIST(-1, 0)),
    IN(squeeze, AT_MOST, 1, COUNT, 8, LIST(0)),
    IN(expand_dims, AT_MOST, 2, COUNT, 8, LIST(0, 4)),
    IN(reshape, AT_MOST, 2, RANK, 8, LIST(6, -1)),
    IN(split, AT_MOST, 2, COUNT, 8, LIST(2, -1)),
    IN(window, EXACT, 3, RANK, 8, LIST(2, 2, 2), LIST(1, 1, 2), LIST(1, 2, 1)),
    IN(window_alone, EXACT, 3, RANK, 8, LIST(1, 3, 2)),
    IN(as_strided, AT_MOST, 2, RANK, 8, LIST(4, 3), LIST(5, 1)),
    OUT(dim_order, 3, RANK, 0, 1, 2),
    IN(dim_order_preferred, EXACT_OR_NONE, 3, COUNT, 8, LIST(1, 0, 2)),
    IN(broadcast_to, AT_MOST, 3, RANK, 8, LIST(2, 3, 4)),
    IN(broadcast_in_dim_sizes, AT_MOST, 3, RANK, 8, LIST(5, 6, 4)),
    IN(broadcast_in_dim, EXACT, 2, COUNT, 8, LIST(0, 2)),
    IN(xla_broadcast, EXACT, 2, COUNT, 8, LIST(0, 2)),
    {"compose", compose, EXACT, 3, STRIDE_ARGUMENT_RANK, "RANK", 4, {NULL}, LIST32(1, 1, 1), 0},
    IN(tile, EXACT, 3, RANK, 8, LIST(1, 3, 2)),
    IN(offset, EXACT, 3, RANK, 8, LIST(1, 2, 3)),
    IN(byte_offset, EXACT, 3, RANK, 8, LIST(1, 2, 3)),
    IN(ravel_index, EXACT, 3, RANK, 8, LIST(1, 2, 3)),
    OUT(unravel_index, 3, RANK, 1, 1, 1),
    OUT(layout_multi, 3, RANK, 1, 1, 1),
    OUT(minor_to_major, 3, RANK, 2, 1, 0),
    OUT(byte_strides, 3, RANK, 48, 16, 4),
    IN(dml_size, AT_MOST, 3, DIMENSION_COUNT, 4, LIST32(2, 3, 4), LIST32(20, 5, 1)),
    IN(shape_init, AT_MOST, 3, RANK, 8, LIST(2, 3, 4), LIST(0, 2, 1)),
    IN(init_blocked, AT_MOST, 3, RANK, 8, LIST(2, 3, 4), LIST(0, 2, 1)),
    IN(init_blocked_blocks, AT_MOST, 2, COUNT, 8, LIST(2, 0), LIST(2, 4)),
    OUT(to_blocked, 3, RANK, 0, 1, 2),
    IN(blocked_sizes, AT_MOST, 3, RANK, 8, LIST(2, 3, 4)),
    IN(blocked_blocks, AT_MOST, 3, COUNT, 8, LIST(0, 1, 0), LIST(2, 1, 1), LIST(0, 0, 2)),
    IN(blocked_parse, AT_MOST, 3, RANK, 8, LIST(2, 3, 4)),
    OUT(blocked_padded, 3, RANK, 2, 4, 4),
    IN(blocked_linear, EXACT, 3, RANK, 8, LIST(1, 2, 3)),
    OUT(blocked_multi, 3, RANK, 1, 0, 1),
    IN(shape_set_padding, EXACT, 3, RANK, 8, LIST(2, 4, 8)),
    IN(linear_index, EXACT, 3, RANK, 8, LIST(1, 2, 3)),
    OUT(multi_index, 3, RANK, 1, 1, 1),
    IN(shape_permute, EXACT, 3, RANK, 8, LIST(2, 0, 1)),
    IN(delete_dimensions, AT_MOST, 2, COUNT, 8, LIST(2, 0)),
    IN(transpose_is_bitcast, EXACT, 3, RANK, 8, LIST(2, 0, 1)),
    OUT(transpose_axes, 3, RANK, 0, 1, 2),
    OUT(decompose_axes, 3, RANK, 0, 1, 2),
    OUT(decompose_out_axes, 2, OUT_RANK, 0, 1),
    IN(shape_align, AT_MOST, 2, RANK, 8, LIST(6, 4)),
    IN(shape_broadcast, EXACT, 1, COUNT, 8, LIST(2)),
    IN(from_pjrt, AT_MOST, 3, RANK, 8, LIST(2, 3, 4), LIST(0, 2, 1)),
    OUT(to_pjrt, 3, RANK, 2, 1, 0),
    OUT(runs_strides, 3, COUNT, 4, 1, 8),
    OUT(runs_next, 3, COUNT, 0, 5, 56),
    OUT(to_dlpack_shape, 3, RANK, 2, 3, 4),
    OUT(to_dlpack_strides, 3, RANK, 12, 4, 1),
    {"pitches", pitches, FEW_OR_NONE, 3, STRIDE_ARGUMENT_COUNT, "COUNT", 8, {LIST(8, 8, 8)}, NULL, 0},
    {"component_pitches", component_pitches, FEW_OR_NONE, 3, STRIDE_ARGUMENT_COUNT, "COUNT", 8, {LIST(8, 8, 8)}, NULL, 0},
};

static void for_each_entry(void (*check)(const entry *e)) {
  for (size_t k = 0; k < COUNT(entries); k++) {
    running_call = entries[k].name;
    check(&entries[k]);
  }
}

/* Lists are those with values, and the one that is filled. */
static int is_filled(const entry *e) { return e->expected && !e->values[0]; }

static int has_list(const entry *e, size_t k) { return e->values[k] || (e->expected && e->filled == k); }

static void check_named(const entry *e, int condition, const char *what) {
  char text[100];
  snprintf(text, sizeof text, "%s: %s", e->name, what);
  check_true(condition, __FILE__, __LINE__, text);
}

/* With `count` entries, which are wrong. They are there, unless there are too many for a page or they lie outside. */
static void check_refused(const entry *e, uint32_t count, place where) {
  const size_t bytes = where == OUTSIDE ? 0 : count * e->width;
  lists given;
  stride_error record;
  if (count > STRIDE_MAX_RANK + 1 && where != OUTSIDE) return;
  memset(&given, 0, sizeof given);
  given.count = count;
  for (size_t k = 0; k < LISTS; k++) {
    if (has_list(e, k)) given.at[k] = placed(k, where, bytes);
  }
  poison(&out, sizeof out);
  poison(&record, sizeof record);
  check_equal(e->call(&given, &record), STRIDE_STATUS_INVALID_RANK, __FILE__, __LINE__, e->name);
  check_named(e, is_poisoned(&out, sizeof out), "outputs untouched");
  for (size_t k = 0; k < LISTS; k++) {
    if (has_list(e, k)) check_named(e, is_poisoned(regions[k], page), "lists untouched");
  }
  /* Of a list that is read as a rank says, more entries than any has are not compared with what is needed. */
  const int above = count > STRIDE_MAX_RANK && !is_filled(e) && e->rule != FEW_OR_NONE;
  check_equal(record.status, STRIDE_STATUS_INVALID_RANK, __FILE__, __LINE__, e->name);
  check_equal(record.argument, e->argument, __FILE__, __LINE__, e->name);
  check_equal((int64_t)record.detail, above ? STRIDE_DETAIL_ABOVE : STRIDE_DETAIL_COUNT, __FILE__, __LINE__, e->name);
  check_equal(record.lhs, count, __FILE__, __LINE__, e->name);
  check_equal(record.rhs, above ? STRIDE_MAX_RANK : e->count, __FILE__, __LINE__, e->name);
  check_equal(record.dimension, -1, __FILE__, __LINE__, e->name);
  check_equal(record.item, -1, __FILE__, __LINE__, e->name);
  check_named(e, record.position == UINT64_MAX, "no position");
  check_sentence(&record, e->counter, __FILE__, __LINE__);
  check_equal(e->call(&given, NULL), STRIDE_STATUS_INVALID_RANK, __FILE__, __LINE__, e->name);
}

static void check_wrong_counts(const entry *e) {
  const uint32_t counts[] = {0, e->count - 1, e->count + 1, STRIDE_MAX_RANK, STRIDE_MAX_RANK + 1, UINT32_MAX};
  for (size_t k = 0; k < COUNT(counts); k++) {
    if (e->rule == AT_MOST && counts[k] <= STRIDE_MAX_RANK) continue;
    if ((e->rule == EXACT_OR_NONE || e->rule == FEW_OR_NONE) && counts[k] == 0) continue;
    for (place where = AT_THE_END; where < PLACES; where++) check_refused(e, counts[k], where);
  }
}

static void wrong_counts(void) { for_each_entry(check_wrong_counts); }

static void check_right_count(const entry *e) {
  const size_t bytes = e->count * e->width;
  int64_t ordinary[LISTS][STRIDE_MAX_RANK];
  unsigned char expected[sizeof out];
  lists given;
  memset(&given, 0, sizeof given);
  given.count = e->count;
  for (size_t k = 0; k < LISTS; k++) {
    if (!has_list(e, k)) continue;
    given.at[k] = ordinary[k];
    if (e->values[k]) memcpy(ordinary[k], e->values[k], bytes);
  }
  poison(&out, sizeof out);
  check_equal(e->call(&given, NULL), STRIDE_STATUS_OK, __FILE__, __LINE__, e->name);
  memcpy(expected, &out, sizeof out);

  for (place where = AT_THE_END; where < OUTSIDE; where++) {
    for (size_t k = 0; k < LISTS; k++) {
      if (!has_list(e, k)) continue;
      given.at[k] = placed(k, where, bytes);
      if (e->values[k]) memcpy(given.at[k], e->values[k], bytes);
    }
    poison(&out, sizeof out);
    check_equal(e->call(&given, NULL), STRIDE_STATUS_OK, __FILE__, __LINE__, e->name);
    check_named(e, memcmp(&out, expected, sizeof out) == 0, "as with ordinary memory");
    for (size_t k = 0; k < LISTS; k++) {
      const void *held = e->values[k] ? e->values[k] : e->expected && e->filled == k ? e->expected : NULL;
      if (!held) continue;
      check_named(e, memcmp(given.at[k], held, bytes) == 0, "what the list holds");
      check_named(e, rest_is_poisoned(k, where, bytes), "nothing beside the list");
    }
  }
}

static void right_counts(void) { for_each_entry(check_right_count); }

/* --- Lists that are not counted by one number --------------------------------------------------------------------- */

static void shapes_one_after_the_other(void) {
  static const uint32_t ranks[2] = {2, 1};
  static const int64_t sizes[3] = {2, 1, 3};
  running_call = "broadcast_sizes";
  for (place where = AT_THE_END; where < OUTSIDE; where++) {
    uint32_t *const ranks_there = (uint32_t *)placed(0, where, sizeof ranks);
    int64_t *const sizes_there = (int64_t *)placed(1, where, sizeof sizes);
    int64_t *const room = (int64_t *)placed(2, where, STRIDE_MAX_RANK * sizeof(int64_t));
    stride_error record;
    memcpy(ranks_there, ranks, sizeof ranks);
    memcpy(sizes_there, sizes, sizeof sizes);
    poison(&out, sizeof out);
    CHECK_OK(stride_broadcast_sizes(2, ranks_there, sizes_there, &out.word, room, NULL));
    CHECK(out.word == 2 && room[0] == 2 && room[1] == 3);
    CHECK(is_poisoned(&room[2], (STRIDE_MAX_RANK - 2) * sizeof(int64_t)));
    CHECK(rest_is_poisoned(2, where, STRIDE_MAX_RANK * sizeof(int64_t)));

    ranks_there[1] = 65;
    poison(&out, sizeof out);
    poison(room, 2 * sizeof(int64_t));
    CHECK_FAILS(record, stride_broadcast_sizes(2, ranks_there, sizes_there, &out.word, room, &record), INVALID_RANK,
                RANKS, -1, 65, 64);
    CHECK_EQ(record.item, 1);
    CHECK_EQ(record.detail, STRIDE_DETAIL_ABOVE);
    CHECK_UNTOUCHED(out);
    CHECK(is_poisoned(regions[2], page));
  }
}

static void layouts_one_after_the_other(void) {
  const stride_layout in[2] = {cube, row};
  running_call = "broadcast_layouts";
  for (place where = AT_THE_END; where < OUTSIDE; where++) {
    stride_layout *const in_there = (stride_layout *)placed(0, where, sizeof in);
    stride_layout *const room = (stride_layout *)placed(1, where, sizeof in);
    stride_layout narrow = row;
    memcpy(in_there, in, sizeof in);
    CHECK_OK(stride_layout_init(&narrow, STRIDE_DTYPE_F32, 2, LIST(1, 4), NULL, NULL));
    memcpy(&in_there[1], &narrow, sizeof narrow);
    CHECK_OK(stride_broadcast_layouts(2, in_there, room, NULL));
    CHECK_LAYOUT(room[0], STRIDE_DTYPE_F32, 0, 3, LIST(2, 3, 4), LIST(12, 4, 1));
    CHECK_LAYOUT(room[1], STRIDE_DTYPE_F32, 0, 3, LIST(2, 3, 4), LIST(0, 0, 1));
    CHECK(rest_is_poisoned(1, where, sizeof in));
    CHECK_OK(stride_broadcast_layouts(2, in_there, in_there, NULL)); /* in place */
    CHECK(memcmp(in_there[1].strides, LIST(0, 0, 1), 3 * sizeof(int64_t)) == 0);
    poison(room, sizeof in);
    CHECK_OK(stride_layouts_coalesce(2, in_there, room, NULL));
    CHECK_LAYOUT(room[0], STRIDE_DTYPE_F32, 0, 2, LIST(6, 4), LIST(4, 1));
    CHECK_LAYOUT(room[1], STRIDE_DTYPE_F32, 0, 2, LIST(6, 4), LIST(0, 1));
    CHECK(rest_is_poisoned(1, where, sizeof in));
  }
}

static void layouts_of_which_all_are_read(void) {
  const stride_layout in[2] = {cube, row};
  running_call = "layouts_result";
  for (place where = AT_THE_END; where < OUTSIDE; where++) {
    stride_layout *const in_there = (stride_layout *)placed(0, where, sizeof in);
    memcpy(in_there, in, sizeof in);
    CHECK_OK(stride_elementwise_layout(2, in_there, STRIDE_DTYPE_U8, &out.layout, NULL));
    CHECK_LAYOUT(out.layout, STRIDE_DTYPE_U8, 0, 3, LIST(2, 3, 4), LIST(12, 4, 1));
    memcpy(&in_there[1], &cube, sizeof cube);
    CHECK_OK(stride_layouts_common_run(2, in_there, &out.number, NULL));
    CHECK_EQ(out.number, 24);
  }
}

static void tiles(void) {
  static const int64_t sizes[2] = {30, 100}, order[2] = {1, 0}, dims[4] = {8, 128, 2, 1};
  static const size_t counts[2] = {2, 2};
  stride_error record;
  running_call = "tiles";
  for (place where = AT_THE_END; where < OUTSIDE; where++) {
    int64_t *const tile = (int64_t *)placed(0, where, 2 * sizeof(int64_t));
    stride_xla_shape edited = tiled;
    memcpy(tile, LIST(2, 1), 2 * sizeof(int64_t));
    CHECK_OK(stride_xla_shape_add_tile(&edited, 2, tile, NULL));
    CHECK_EQ(edited.tile_count, 2);

    int64_t *const sizes_there = (int64_t *)placed(0, where, sizeof sizes);
    int64_t *const order_there = (int64_t *)placed(1, where, sizeof order);
    int64_t *const dims_there = (int64_t *)placed(2, where, sizeof dims);
    size_t *const counts_there = (size_t *)placed(3, where, sizeof counts);
    memcpy(sizes_there, sizes, sizeof sizes);
    memcpy(order_there, order, sizeof order);
    memcpy(dims_there, dims, sizeof dims);
    memcpy(counts_there, counts, sizeof counts);
    CHECK_OK(stride_xla_shape_from_pjrt_tiled(&edited, STRIDE_DTYPE_BF16, 2, sizes_there, order_there, dims_there,
                                              counts_there, 2, NULL));
    CHECK_EQ(edited.tile_count, 2);

    poison(order_there, sizeof order);
    poison(dims_there, sizeof dims);
    poison(counts_there, sizeof counts);
    poison(&out, sizeof out);
#define TO(rank, tile_dims_capacity, tile_dim_sizes_capacity)                                                        \
  stride_xla_shape_to_pjrt_tiled(&edited, rank, order_there, dims_there, tile_dims_capacity, counts_there,           \
                                 tile_dim_sizes_capacity, &out.size, &record)
    CHECK_FAILS(record, TO(2, 3, 2), INVALID_ARGUMENT, TILE_DIMS_CAPACITY, -1, 3, 4);
    CHECK_FAILS(record, TO(2, 4, 1), INVALID_ARGUMENT, TILE_DIM_SIZES_CAPACITY, -1, 1, 2);
    CHECK_FAILS(record, TO(1, 4, 2), INVALID_RANK, RANK, -1, 1, 2);
    CHECK_UNTOUCHED(out);
    for (size_t k = 1; k < REGIONS; k++) CHECK(is_poisoned(regions[k], page));
    CHECK_OK(TO(2, 4, 2));
#undef TO
    CHECK(memcmp(order_there, order, sizeof order) == 0 && memcmp(dims_there, dims, sizeof dims) == 0);
    CHECK(memcmp(counts_there, counts, sizeof counts) == 0 && out.size == 2);
  }
  /* More sizes than all tiles of a shape can have together: not looked at. */
  stride_xla_shape edited = tiled;
  CHECK_FAILS(record, stride_xla_shape_add_tile(&edited, 65, (const int64_t *)placed(0, OUTSIDE, 0), &record),
              UNSUPPORTED, COUNT, -1, 65, 64);
  CHECK(memcmp(&edited, &tiled, sizeof tiled) == 0);
  poison(&out, sizeof out);
  CHECK_FAILS(record, stride_xla_shape_from_pjrt_tiled(&out.shape, STRIDE_DTYPE_BF16, 2, sizes, order, dims,
                                                       (const size_t *)placed(0, OUTSIDE, 0), 9, &record),
              UNSUPPORTED, NUM_TILES, -1, 9, STRIDE_XLA_MAX_TILES);
  CHECK_UNTOUCHED(out);
}

static void blocks(void) {
  static const int64_t sizes[2] = {20, 30}, dims[3] = {1, 0, 1}, numbers[3] = {4, 16, 4};
  stride_xla_shape blocked;
  stride_error record;
  running_call = "blocks";
  for (place where = AT_THE_END; where < OUTSIDE; where++) {
    int64_t *const sizes_there = (int64_t *)placed(0, where, sizeof sizes);
    int64_t *const dims_there = (int64_t *)placed(1, where, sizeof dims);
    int64_t *const numbers_there = (int64_t *)placed(2, where, sizeof numbers);
    memcpy(sizes_there, sizes, sizeof sizes);
    memcpy(dims_there, dims, sizeof dims);
    memcpy(numbers_there, numbers, sizeof numbers);
    CHECK_OK(stride_xla_shape_parse_tag("AB4b16a4b", 9, STRIDE_DTYPE_F32, 2, sizes_there, &blocked, NULL));
    CHECK_OK(stride_xla_shape_init_blocked(&blocked, STRIDE_DTYPE_F32, 2, sizes_there, NULL, 3, dims_there,
                                           numbers_there, NULL));
    int64_t *const order_there = (int64_t *)placed(0, where, sizeof sizes);
    poison(dims_there, sizeof dims);
    poison(numbers_there, sizeof numbers);
    poison(&out, sizeof out);
#define TO(rank, capacity)                                                                                           \
  stride_xla_shape_to_blocked(&blocked, rank, order_there, capacity, dims_there, numbers_there, &out.word, &record)
    CHECK_FAILS(record, TO(2, 2), INVALID_ARGUMENT, CAPACITY, -1, 2, 3);
    CHECK_FAILS(record, TO(3, 3), INVALID_RANK, RANK, -1, 3, 2);
    CHECK_UNTOUCHED(out);
    for (size_t k = 0; k < LISTS; k++) CHECK(is_poisoned(regions[k], page));
    CHECK_OK(TO(2, 3));
#undef TO
    CHECK(memcmp(dims_there, dims, sizeof dims) == 0 && memcmp(numbers_there, numbers, sizeof numbers) == 0);
    CHECK(order_there[0] == 0 && order_there[1] == 1 && out.word == 3);
    CHECK(rest_is_poisoned(0, where, sizeof sizes) && rest_is_poisoned(1, where, sizeof dims));
  }
}

static void rooms_of_a_fixed_size(void) {
  running_call = "fixed rooms";
  for (place where = AT_THE_END; where < OUTSIDE; where++) {
    uint32_t *const sizes = (uint32_t *)placed(0, where, 8 * sizeof(uint32_t));
    uint32_t *const strides = (uint32_t *)placed(1, where, 8 * sizeof(uint32_t));
    uint8_t *const fill = (uint8_t *)placed(2, where, 16);
    stride_dml_buffer_tensor_desc desc;
    stride_xla_shape padded = shape;
    CHECK_OK(stride_layout_to_dml(&cube, 8, sizes, strides, &desc, &out.bytes, NULL));
    CHECK(sizes[0] == 1 && sizes[7] == 4 && strides[0] == 0 && strides[7] == 1);
    CHECK_OK(stride_dml_validate(&desc, NULL));
    padded.padding_kind = STRIDE_XLA_PADDING_ONE;
    CHECK_OK(stride_xla_shape_padding_bytes(&padded, fill, NULL));
    CHECK(rest_is_poisoned(0, where, 32) && rest_is_poisoned(1, where, 32) && rest_is_poisoned(2, where, 16));
  }
}

static void rooms_of_other_vocabularies(void) {
  running_call = "rooms of four";
  for (place where = AT_THE_END; where < OUTSIDE; where++) {
    int64_t *const ne = (int64_t *)placed(0, where, 4 * sizeof(int64_t));
    size_t *const nb = (size_t *)placed(1, where, 4 * sizeof(size_t));
    /* Four do not fit a page, but of the room for four no more is written than there are components. */
    stride_layout *const parts = (stride_layout *)placed(2, where, 3 * sizeof(stride_layout));
    stride_layout same;
    CHECK_OK(stride_layout_to_ggml(&cube, 0, ne, nb, &out.bytes, NULL));
    CHECK_OK(stride_layout_from_ggml(0, ne, nb, &same, NULL));
    CHECK(same.rank == 4 && same.sizes[1] == 2 && same.strides[1] == 12);
    CHECK_OK(stride_image_components(STRIDE_FOURCC_RGB24, 5, 3, 0, NULL, 1, &out.word, parts, &out.bytes, NULL));
    CHECK(out.word == 3 && parts[0].offset == 0 && parts[2].offset == 2);
    CHECK(rest_is_poisoned(0, where, 4 * sizeof(int64_t)) && rest_is_poisoned(1, where, 4 * sizeof(size_t)));
    CHECK(rest_is_poisoned(2, where, 3 * sizeof(stride_layout)));

    /* A struct that ends where memory does; a text, with no terminator after it. */
    stride_image *const image = (stride_image *)placed(0, where, sizeof(stride_image));
    char *const name = (char *)placed(1, where, 17);
    *image = (stride_image)STRIDE_IMAGE_INIT;
    memcpy(name, "DRM_FORMAT_BGR888", 17);
    CHECK_OK(stride_image_fourcc(name, 17, &image->fourcc, NULL));
    image->width = 5;
    image->height = 3;
    CHECK_OK(stride_image_components_of(image, &out.word, parts, &out.bytes, NULL));
    CHECK(out.word == 3 && out.bytes == 45 && parts[2].offset == 2);
    CHECK(rest_is_poisoned(2, where, 3 * sizeof(stride_layout)));

    /* What a descriptor points to. */
    int64_t *const shape_there = (int64_t *)placed(0, where, 2 * sizeof(int64_t));
    ptrdiff_t *const sizes_there = (ptrdiff_t *)placed(1, where, 2 * sizeof(ptrdiff_t));
    char *const format = (char *)placed(2, where, 2);
    stride_dl_tensor tensor;
    stride_py_buffer view;
    memset(&tensor, 0, sizeof tensor);
    memset(&view, 0, sizeof view);
    shape_there[0] = shape_there[1] = 3;
    sizes_there[0] = sizes_there[1] = 3;
    memcpy(format, "i", 2);
    tensor.ndim = view.ndim = 2;
    tensor.dtype_code = 1;
    tensor.dtype_bits = 8;
    tensor.dtype_lanes = 1;
    tensor.shape = shape_there;
    view.len = 36;
    view.itemsize = 4;
    view.shape = sizes_there;
    view.format = format;
    CHECK_OK(stride_layout_from_dlpack(&tensor, &same, NULL));
    CHECK_OK(stride_layout_from_py_buffer(&view, &same, NULL));
    CHECK_EQ(same.dtype, STRIDE_DTYPE_S32);
  }
}

/* Lists that a number of 64 bits counts. */
static void batches_and_regions(void) {
  static unsigned char dst[96], src[96];
  stride_plan plan;
  uint64_t count = 0;
  running_call = "batches and regions";
  CHECK_OK(stride_plan_init(&plan, &row, &row, NULL, NULL));
  for (place where = AT_THE_END; where < OUTSIDE; where++) {
    int64_t *const to = (int64_t *)placed(0, where, 3 * sizeof(int64_t));
    int64_t *const from = (int64_t *)placed(1, where, 3 * sizeof(int64_t));
    memcpy(to, LIST(0, 32, 16), 3 * sizeof(int64_t));
    memcpy(from, LIST(80, 0, 7), 3 * sizeof(int64_t));
    for (uint32_t part = 0; part < 2; part++) {
      CHECK_OK(stride_plan_execute_batch(&plan, dst, 96, to, src, 96, from, 3, part, 2, NULL));
    }
    /* No list in memory has so many entries. */
    CHECK_STATUS(stride_plan_execute_batch(&plan, dst, 96, to, src, 96, from, UINT64_MAX / 8, 0, 1, NULL),
                 INVALID_ARGUMENT);
  }
  stride_layout gaps = cube;
  gaps.strides[0] = 100;
  gaps.strides[1] = 10;
  CHECK_OK(stride_plan_init(&plan, &cube, &gaps, NULL, NULL));
  stride_region_rules rules;
  CHECK_OK(stride_region_rules_init(&rules, STRIDE_REGION_API_VULKAN_BUFFER, NULL));
  for (uint64_t capacity = 0; capacity < 9; capacity++) {
    for (place where = AT_THE_END; where < OUTSIDE; where++) {
      const size_t fits = (size_t)(capacity < 6 ? capacity : 6) * sizeof(stride_region);
      stride_region *const list = (stride_region *)placed(0, where, (size_t)capacity * sizeof(stride_region));
      CHECK_OK(stride_plan_regions(&plan, 1, capacity, list, &count, NULL));
      CHECK_EQ(count, 6);
      CHECK(is_poisoned((unsigned char *)list + fits, (size_t)capacity * sizeof(stride_region) - fits));
      CHECK(rest_is_poisoned(0, where, (size_t)capacity * sizeof(stride_region)));
      for (uint64_t k = 0; k < capacity && k < 6; k++) CHECK_EQ(list[k].dst_offset, 16 * k);
      poison(list, (size_t)capacity * sizeof(stride_region));
      CHECK_OK(stride_plan_regions_under(&plan, &rules, capacity, list, &count, NULL));
      CHECK_EQ(count, 6);
      CHECK(is_poisoned((unsigned char *)list + fits, (size_t)capacity * sizeof(stride_region) - fits));
      CHECK(rest_is_poisoned(0, where, (size_t)capacity * sizeof(stride_region)));
      for (uint64_t k = 0; k < capacity && k < 6; k++) CHECK_EQ(list[k].dst_offset, 16 * k);
    }
  }
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

static void texts_that_are_read(void) {
  static const char text[] = "f32[2,3]{0,1:T(2,2)}";
  running_call = "texts";
  for (size_t length = 0; length < sizeof text; length++) { /* all beginnings of it, most of which are none */
    for (place where = AT_THE_END; where < OUTSIDE; where++) {
      char *const there = (char *)placed(0, where, length);
      uint32_t dtype = 0;
      memcpy(there, text, length);
      const stride_status parsed = stride_xla_shape_parse(there, length, &out.shape, NULL);
      const int whole = length == 8 || length == sizeof text - 1;
      CHECK_EQ(parsed, whole ? STRIDE_STATUS_OK : STRIDE_STATUS_PARSE);
      CHECK_STATUS(stride_dtype_from_typestr(there, length, &dtype, NULL), PARSE);
      const stride_status named = stride_dtype_parse(there, length, &dtype, NULL);
      CHECK_EQ(named, length == 3 ? STRIDE_STATUS_OK : STRIDE_STATUS_PARSE);
    }
  }
  static const char tag[] = "OIhw4i16o4i";
  for (size_t length = 0; length < sizeof tag; length++) {
    for (place where = AT_THE_END; where < OUTSIDE; where++) {
      char *const there = (char *)placed(0, where, length);
      memcpy(there, tag, length);
      const stride_status parsed =
          stride_xla_shape_parse_tag(there, length, STRIDE_DTYPE_F32, 4, LIST(8, 8, 3, 3), &out.shape, NULL);
      CHECK_EQ(parsed, length == 9 || length == sizeof tag - 1 ? STRIDE_STATUS_OK : STRIDE_STATUS_PARSE);
    }
  }
}

static void blocks_that_are_read(void) {
  static const char text[] = "a/2%2 b a%2";
  running_call = "blocks";
  for (size_t length = 0; length < sizeof text; length++) {
    for (place where = AT_THE_END; where < OUTSIDE; where++) {
      char *const there = (char *)placed(0, where, length);
      memcpy(there, text, length);
      const stride_status parsed =
          stride_blocked_parse(there, length, STRIDE_DTYPE_F32, 2, LIST(3, 1), &out.blocked, NULL);
      const int unfinished = length == 2 || length == 4 || length == 6 || length == 8 || length == 10;
      CHECK_EQ(parsed, unfinished             ? STRIDE_STATUS_PARSE
                       : length == 1 || length == 11 ? STRIDE_STATUS_OK
                                              : STRIDE_STATUS_INVALID_TILE);
    }
  }
}

static void layouts_that_are_read(void) {
  static const char text[] = "f32[2,3]:1,2+7";
  running_call = "texts of layouts";
  for (size_t length = 0; length < sizeof text; length++) {
    for (place where = AT_THE_END; where < OUTSIDE; where++) {
      char *const there = (char *)placed(0, where, length);
      memcpy(there, text, length);
      const stride_status parsed = stride_layout_parse(there, length, &out.layout, NULL);
      CHECK_EQ(parsed, length == 8 || length == 12 || length == 14 ? STRIDE_STATUS_OK : STRIDE_STATUS_PARSE);
    }
  }
}

static void texts_that_are_written(void) {
  stride_plan plan;
  stride_error record;
  const uint32_t u8 = STRIDE_DTYPE_U8;
  running_call = "written texts";
  CHECK_OK(stride_plan_init(&plan, &cube, &cube, NULL, NULL));
  CHECK_STATUS(stride_layout_flip(&cube, 1, LIST(3), &out.layout, &record), INVALID_AXES);
  for (uint64_t capacity = 1; capacity < 200; capacity += capacity < 20 ? 1 : 30) {
    for (place where = AT_THE_END; where < OUTSIDE; where++) {
      for (int text = 0; text < 9; text++) {
        char *const there = (char *)placed(0, where, capacity);
        uint64_t length = 0;
        const stride_status status = text == 0   ? stride_dtype_name(STRIDE_DTYPE_F32, there, capacity, &length, NULL)
                                     : text == 1 ? stride_layout_format(&cube, there, capacity, &length, NULL)
                                     : text == 2 ? stride_xla_shape_format(&tiled, there, capacity, &length, NULL)
                                     : text == 3 ? stride_xla_shape_describe(&tiled, there, capacity, &length, NULL)
                                     : text == 4 ? stride_plan_describe(&plan, there, capacity, &length, NULL)
                                     : text == 5 ? stride_xla_shape_format_tag(&tiled, there, capacity, &length, NULL)
                                     : text == 7 ? stride_blocked_format(&digits, there, capacity, &length, NULL)
                                     : text == 6 ? stride_dtype_to_typestr(u8, there, capacity, &length, NULL)
                                                 : stride_error_format(&record, there, capacity, &length, NULL);
        CHECK_EQ(status, STRIDE_STATUS_OK);
        CHECK_EQ(strlen(there), length < capacity ? length : capacity - 1);
        CHECK(rest_is_poisoned(0, where, capacity));
      }
    }
  }
}

static void set_up(void) {
  make_regions();
  CHECK_OK(stride_layout_init(&cube, STRIDE_DTYPE_F32, 3, LIST(2, 3, 4), NULL, NULL));
  CHECK_OK(stride_layout_init(&row, STRIDE_DTYPE_F32, 2, LIST(1, 4), NULL, NULL));
  shape = shape_of("f32[2,3,4]");
  joined = shape_of("f32[2,12]");
  vector = shape_of("f32[4]");
  tiled = shape_of("bf16[30,100]{1,0:T(8,128)}");
  CHECK_OK(stride_blocked_parse("a b/2 c/4 b%2 c%4", 17, STRIDE_DTYPE_F32, 3, LIST(2, 3, 4), &digits, NULL));
  const stride_layout operands[3] = {cube, layout_of(STRIDE_DTYPE_U8, 5, 3, LIST(2, 3, 4), NULL),
                                     layout_of(STRIDE_DTYPE_F64, 7, 3, LIST(2, 3, 4), NULL)};
  CHECK_OK(stride_runs_init(&walked, 3, operands, NULL));
}

static const test tests[] = {
    TEST(set_up),
    TEST(wrong_counts),
    TEST(right_counts),
    TEST(shapes_one_after_the_other),
    TEST(layouts_one_after_the_other),
    TEST(layouts_of_which_all_are_read),
    TEST(tiles),
    TEST(blocks),
    TEST(rooms_of_a_fixed_size),
    TEST(rooms_of_other_vocabularies),
    TEST(batches_and_regions),
    TEST(texts_that_are_read),
    TEST(blocks_that_are_read),
    TEST(layouts_that_are_read),
    TEST(texts_that_are_written),
};

int main(void) { return RUN(tests); }
