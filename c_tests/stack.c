/* How much of the stack a call takes: a copy at most 48 KiB, with STRIDE_COPY_SMALL_STACK at most
 * 8 KiB, if it converts 56 and 20; of sides that are more than layouts at most 80 KiB, if it converts 104.
 * On Windows one more each: there a frame has room for four arguments of what it calls, and keeps ten vector registers.
 *
 * The stack below is painted before each call; what lies between the call's first local variable and the deepest byte
 * that changed is what the call took. Any system whose stack grows downwards.
 */
#include "check.h"

#include <stdint.h>

/* Bytes that the header promises. */
#if defined(_WIN32) || UINTPTR_MAX == 0xFFFFFFFF
enum { MORE = 1024 };
#else
enum { MORE = 0 };
#endif
enum { CONVERSION = 56 * 1024 + MORE, SMALL_CONVERSION = 20 * 1024 + MORE };
enum { COPY = 48 * 1024 + MORE, SMALL = 8 * 1024 + MORE, SHAPES = 80 * 1024 + MORE };
enum { CONVERTED_SHAPES = 104 * 1024 + MORE };

enum { STACK_WORDS = 1 << 14 };
static const uint64_t PAINT = 0xA5A5A5A5A5A5A5A5;

typedef struct call {
  const stride_layout *dst, *src;
  const stride_side *dst_side, *src_side; /* instead of layouts */
  const stride_machine *machine;
  const stride_conversion *conversion;
  uint32_t flags;
  uint32_t cpu_level;
  unsigned char *to;
  uint64_t to_bytes;
  const unsigned char *from;
  unsigned char *scratch;
  stride_status status;
  uintptr_t top;
  void (*question)(void); /* instead of a copy */
} call;

/* A CPU with caches so small that what is large here leaves them, whatever CPU this is. */
static stride_machine small_caches;

static unsigned char *memory; /* of all calls: 48 MiB */

static void run_call(call *c) {
  static const stride_copy_options begun = STRIDE_COPY_OPTIONS_INIT;
  static const int64_t places[2] = {0, 0}; /* the same bytes twice */
  static stride_copy_options options; /* not on the stack that is measured */
  static stride_plan plan;
  static stride_plan_facts facts;
  static stride_region region;
  static uint64_t regions;
  static stride_region_rules rules;
  stride_status planned;
  volatile char first;
  c->top = (uintptr_t)&first;
  options = begun;
  if (c->question) {
    c->question();
    return;
  }
  options.machine = c->machine;
  options.conversion = c->conversion;
  options.flags = c->flags;
  options.cpu_level = c->cpu_level;
  options.scratch = c->scratch;
  options.scratch_bytes = c->scratch ? 1u << 24 : 0;
  if (c->dst_side || c->src_side) {
    c->status = stride_copy_sides(c->dst_side, c->to, c->to_bytes, c->src_side, c->from, 1u << 24, &options, NULL);
    planned = stride_plan_init_sides(&plan, c->dst_side, c->src_side, &options, NULL);
  } else {
    c->status = stride_copy(c->dst, c->to, c->to_bytes, c->src, c->from, 1u << 24, &options, NULL);
    planned = stride_plan_init(&plan, c->dst, c->src, &options, NULL);
  }
  if (planned == STRIDE_STATUS_OK) {
    /* Each part takes the same frames. */
    stride_plan_execute_part(&plan, c->to, c->to_bytes, c->from, 1u << 24, 1, 3, NULL);
    stride_plan_execute_batch(&plan, c->to, c->to_bytes, places, c->from, 1u << 24, places, 2, 2, 3, NULL);
    facts.struct_size = sizeof facts;
    stride_plan_query(&plan, &facts, NULL);
    stride_plan_regions(&plan, 3, 1, &region, &regions, NULL);
    stride_region_rules_init(&rules, STRIDE_REGION_API_CUDA_3D, NULL);
    stride_plan_regions_under(&plan, &rules, 1, &region, &regions, NULL);
    if (c->scratch) {
      c->status = stride_plan_execute_scratch(&plan, c->to, c->to_bytes, c->from, 1u << 24, c->scratch, 1u << 24, NULL);
    }
  }
}

static uintptr_t paint_begins;

/* Paints the stack below the caller's frame, 128 KiB of it. */
static void paint(void) {
  volatile uint64_t room[STACK_WORDS];
  for (size_t k = 0; k < STACK_WORDS; k++) room[k] = PAINT;
  paint_begins = (uintptr_t)room;
}

/* Volatile, or the compiler could put their frames into that of the caller. */
static void (*const volatile paint_first)(void) = paint;
static void (*const volatile then_run)(call *) = run_call;

/* Bytes of the stack that the call takes: at most `most`, or what it takes when it runs once more, since a first run resolves
 * symbols. */
static size_t measured(call *c, size_t most) {
  size_t taken = 0;
  for (int again = 0; again == 0 || (again == 1 && taken > most); again++) {
    const volatile uint64_t *stack;
    size_t untouched = 0;
    paint_first();
    then_run(c);
    stack = (const volatile uint64_t *)paint_begins;
    while (untouched < STACK_WORDS && stack[untouched] == PAINT) untouched++;
    taken = c->top - paint_begins - untouched * 8;
  }
  return taken;
}

static const stride_conversion *conversion; /* of the calls that are checked */

static void check_call(const stride_layout *dst, const stride_layout *src, uint32_t flags, int overlapping) {
  const size_t most = conversion ? CONVERSION : COPY, least = conversion ? SMALL_CONVERSION : SMALL;
  call c = {.dst = dst, .src = src, .conversion = conversion, .to = memory, .to_bytes = 1u << 24};
  if (flags & STRIDE_COPY_FILL_BUFFER) { /* what lies after the elements takes time and no stack */
    CHECK_OK(stride_layout_min_bytes(dst, &c.to_bytes, NULL));
    c.to_bytes = c.to_bytes + 200 < 1u << 24 ? c.to_bytes + 200 : 1u << 24;
  }
  c.from = overlapping ? memory + 8 : memory + (1u << 24);
  c.scratch = overlapping ? memory + (2u << 24) : NULL;
  for (c.cpu_level = STRIDE_CPU_LEVEL_SCALAR; c.cpu_level <= stride_cpu_level(); c.cpu_level++) {
    for (int small = 0; small < 2; small++) {
      c.machine = small ? &small_caches : NULL;
      c.flags = flags;
      CHECK(measured(&c, most) <= most);
      CHECK_OK(c.status);
      c.flags = flags | STRIDE_COPY_SMALL_STACK;
      CHECK(measured(&c, least) <= least);
      CHECK_OK(c.status);
    }
  }
}

/* Elements whose bytes change places on their way. */
static void transposes_of_reversed_pixels(void) {
  static const int64_t sizes[][3] = {{100, 70, 4}, {1000, 1000, 3}, {1024, 1024, 4}, {2000, 1501, 2}, {64, 64, 16}};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    const int64_t strides[3] = {sizes[k][2], sizes[k][0] * sizes[k][2], -1};
    stride_layout dst = layout_of(STRIDE_DTYPE_U8, 0, 3, sizes[k], NULL);
    stride_layout src = layout_of(STRIDE_DTYPE_U8, 0, 3, sizes[k], strides);
    src.offset = sizes[k][2] - 1;
    check_call(&dst, &src, 0, 0);
    check_call(&dst, &src, STRIDE_COPY_FILL_BUFFER, 0);
    check_call(&dst, &src, STRIDE_COPY_OVERLAP, 1);
  }
}

/* Gaps that are filled one by one, or with everything, where a transpose is copied or rows are. */
static void gaps(void) {
  static const int64_t sizes[2] = {1000, 300}, pitches[] = {301, 320, 400};
  const int64_t columns[2] = {1, 1000};
  for (size_t k = 0; k < COUNT(pitches); k++) {
    for (size_t s = 0; s < 2; s++) {
      const int64_t rows[2] = {pitches[k], 1};
      stride_layout dst = layout_of(STRIDE_DTYPE_U8, 0, 2, sizes, rows);
      stride_layout src = layout_of(STRIDE_DTYPE_U8, 0, 2, sizes, s ? columns : NULL);
      check_call(&dst, &src, STRIDE_COPY_FILL_BUFFER, 0);
    }
  }
}

static void transposes(void) {
  static const int64_t sizes[][2] = {{3, 2}, {16, 16}, {100, 70}, {1000, 1000}, {2000, 1501}, {2048, 1024}, {3, 100000}};
  static const uint32_t dtypes[] = {STRIDE_DTYPE_U8, STRIDE_DTYPE_F16, STRIDE_DTYPE_F32, STRIDE_DTYPE_F64, STRIDE_DTYPE_BYTES | 3};
  for (size_t k = 0; k < COUNT(sizes); k++) {
    for (size_t t = 0; t < COUNT(dtypes); t++) {
      int64_t columns[2] = {1, sizes[k][0]};
      if (dtypes[t] == STRIDE_DTYPE_F64 && k == 4) continue; /* larger than the buffers */
      stride_layout dst = layout_of(dtypes[t], 0, 2, sizes[k], NULL);
      stride_layout src = layout_of(dtypes[t], 0, 2, sizes[k], columns);
      check_call(&dst, &src, 0, 0);
      check_call(&dst, &src, STRIDE_COPY_FILL_BUFFER, 0);
    }
  }
}

/* Numbers that convert: rows, pixels to planes, transposes, nibbles; numbers of each channel. */
static void conversions(void) {
  static const uint32_t pairs[][2] = {{STRIDE_DTYPE_F32, STRIDE_DTYPE_U8},
                                      {STRIDE_DTYPE_BF16, STRIDE_DTYPE_F32},
                                      {STRIDE_DTYPE_S32, STRIDE_DTYPE_F64 | STRIDE_DTYPE_SWAPPED},
                                      {STRIDE_DTYPE_F16, STRIDE_DTYPE_U4},
                                      {STRIDE_DTYPE_S4, STRIDE_DTYPE_F32}};
  static const int64_t sizes[3] = {3, 201, 351}, pixels[3] = {1, 1053, 3}, columns[3] = {70551, 1, 201};
  static const int64_t channels[3] = {1, 0, 0}, both[3] = {1, 0, 3};
  static const float numbers[2000] = {0};
  const int64_t *strides[] = {NULL, pixels, columns}, *of_values[] = {NULL, channels, both};
  for (size_t k = 0; k < COUNT(pairs); k++) {
    for (size_t s = 0; s < 3; s++) {
      for (size_t v = 0; v < 3; v++) {
        stride_conversion made;
        const stride_layout dst = layout_of(pairs[k][0], 0, 3, sizes, NULL);
        const stride_layout src = layout_of(pairs[k][1], 0, 3, sizes, strides[s]);
        CHECK_OK(stride_conversion_init(&made));
        made.flags = STRIDE_CONVERT_AFFINE;
        const stride_layout values = layout_of(STRIDE_DTYPE_F32, 0, 3, sizes, of_values[v]);
        if (v) {
          made.values = &values;
          made.scales = numbers;
          made.value_count = 2000;
        }
        conversion = &made;
        check_call(&dst, &src, 0, 0);
        check_call(&dst, &src, STRIDE_COPY_FILL_BUFFER, 0);
        check_call(&src, &dst, 0, 0);
        /* No function takes scratch memory and lists. */
        if (!v) check_call(&dst, &src, STRIDE_COPY_OVERLAP, 1);
        conversion = NULL;
      }
    }
  }
}

/* Elements below a byte: matrices, single elements, runs that are shifted; through scratch memory too. */
static void elements_below_a_byte(void) {
  static const uint32_t dtypes[] = {STRIDE_DTYPE_U4, STRIDE_DTYPE_U2, STRIDE_DTYPE_U1 | STRIDE_DTYPE_HIGH_FIRST};
  const int64_t sizes[3] = {301, 40, 50}, matrix[3] = {2000, 1, 40}, spread[3] = {8000, 200, 2}, packed[3] = {2000, 50, 1};
  const int64_t *strides[] = {matrix, spread, packed};
  for (size_t t = 0; t < COUNT(dtypes); t++) {
    for (size_t k = 0; k < 3; k++) {
      stride_layout dst = layout_of(dtypes[t], 0, 3, sizes, NULL);
      stride_layout src = layout_of(dtypes[t], 0, 3, sizes, strides[k]);
      src.offset = 1;
      check_call(&dst, &src, 0, 0);
      check_call(&dst, &src, STRIDE_COPY_FILL_BUFFER, 0);
      check_call(&dst, &src, STRIDE_COPY_OVERLAP, 1);
      src.dtype ^= STRIDE_DTYPE_HIGH_FIRST; /* in the other order */
      check_call(&dst, &src, 0, 0);
      check_call(&dst, &src, STRIDE_COPY_OVERLAP, 1);
    }
  }
}

/* Nibbles in both orders, which bytes tell apart, set by set: 64 pairs of sets. */
static void orders_told_apart_by_bytes(void) {
  static const int64_t sizes[3] = {4, 4, 6}, low[3] = {1007, 571, 437}, high[3] = {745, 955, 755};
  stride_layout dst = layout_of(STRIDE_DTYPE_U4, 0, 3, sizes, low);
  stride_layout src = layout_of(STRIDE_DTYPE_U4 | STRIDE_DTYPE_HIGH_FIRST, 0, 3, sizes, high);
  src.offset = 977 - 16; /* 8 bytes further on in one buffer */
  check_call(&dst, &src, 0, 1);
  check_call(&dst, &src, STRIDE_COPY_OVERLAP, 1);
}

/* Long rows of bytes that do not begin at lines, beyond the cache: their ends are carried on the stack. */
static void long_rows(void) {
  const int64_t sizes[2] = {17, 940001}, columns[2] = {1, 17};
  stride_layout dst = layout_of(STRIDE_DTYPE_U8, 0, 2, sizes, NULL);
  stride_layout src = layout_of(STRIDE_DTYPE_U8, 0, 2, sizes, columns);
  check_call(&dst, &src, 0, 0);
}

/* Pairs in any order; one layout left out; both sides in one buffer. */
static void many_dimensions(void) {
  static const uint32_t dtypes[] = {STRIDE_DTYPE_U4, STRIDE_DTYPE_U1 | STRIDE_DTYPE_HIGH_FIRST, STRIDE_DTYPE_U8, STRIDE_DTYPE_U16,
                                    STRIDE_DTYPE_BYTES | 3, STRIDE_DTYPE_F32, STRIDE_DTYPE_F64, STRIDE_DTYPE_C128};
  static const uint32_t ranks[] = {5, 12, 16, 18};
  for (size_t t = 0; t < COUNT(dtypes); t++) {
    for (size_t r = 0; r < COUNT(ranks); r++) {
      const uint32_t rank = ranks[r];
      int64_t sizes[18], up[18], down[18], mixed[18];
      const int64_t *const orders[3] = {up, down, mixed};
      for (uint32_t k = 0; k < rank; k++) {
        sizes[k] = 2;
        up[k] = (int64_t)1 << k;
        down[k] = (int64_t)1 << (rank - 1 - k);
        mixed[k] = (int64_t)1 << (k * 7 % rank); /* 7 divides no rank */
      }
      for (uint32_t k = 0; k < 3; k++) {
        const stride_layout dst = layout_of(dtypes[t], 0, rank, sizes, NULL);
        const stride_layout src = layout_of(dtypes[t], 0, rank, sizes, orders[k]);
        check_call(&dst, &src, 0, 0);
        check_call(&src, &dst, STRIDE_COPY_FILL_BUFFER, 0);
        check_call(&dst, &src, STRIDE_COPY_OVERLAP, 1);
        check_call(NULL, &src, 0, 0);
        check_call(&src, NULL, 0, 0);
      }
    }
  }
}

/* A crowded transpose whose runs are two loops each, of 256 elements, and of more than 512. */
static void runs_of_several_loops(void) {
  static const int64_t longest[2] = {16, 60};
  for (size_t k = 0; k < 2; k++) {
    int64_t sizes[5] = {16, 16, 8, 16, 0}, reversed[5];
    sizes[4] = longest[k];
    reversed[0] = 1;
    for (int at = 1; at < 5; at++) reversed[at] = reversed[at - 1] * sizes[at - 1];
    stride_layout dst = layout_of(STRIDE_DTYPE_F32, 0, 5, sizes, NULL);
    stride_layout src = layout_of(STRIDE_DTYPE_F32, 0, 5, sizes, reversed);
    check_call(&dst, &src, 0, 0);
  }
}

/* Single elements whose lines are put together on the stack before they are streamed. */
static void streamed_elements(void) {
  static const int64_t sizes[2] = {4, 1050000}, steps[2] = {0, 2};
  stride_layout dst = layout_of(STRIDE_DTYPE_BYTES | 3, 0, 2, sizes, NULL);
  stride_layout src = layout_of(STRIDE_DTYPE_BYTES | 3, 0, 2, sizes, steps);
  check_call(&dst, &src, 0, 0);
  check_call(&dst, &src, STRIDE_COPY_FILL_BUFFER, 0);
}

static void overlapping_sides(void) {
  static const int64_t sizes[2] = {300, 200}, columns[2] = {1, 300};
  stride_layout dst = layout_of(STRIDE_DTYPE_F32, 0, 2, sizes, NULL);
  stride_layout src = layout_of(STRIDE_DTYPE_F32, 0, 2, sizes, columns);
  check_call(&dst, &src, STRIDE_COPY_OVERLAP, 1);
}

/* Channels that are made in pieces on the stack. */
static void streamed_channels(void) {
  static const int64_t sizes[3] = {397, 4611, 4}, planes[3] = {18444, 1, 4611};
  stride_layout dst = layout_of(STRIDE_DTYPE_U16, 0, 3, sizes, NULL);
  stride_layout src = layout_of(STRIDE_DTYPE_U16, 0, 3, sizes, planes);
  check_call(&dst, &src, 0, 0);
  check_call(&src, &dst, 0, 0);
  check_call(&dst, &src, STRIDE_COPY_FILL_BUFFER, 0);
}

/* Channels of pixels with gaps, which are packed on the stack. */
static void pixels_with_gaps(void) {
  static const int64_t counts[] = {1000, 4000003};
  for (size_t k = 0; k < 2; k++) {
    const int64_t sizes[2] = {3, counts[k]}, pixels[2] = {1, 4};
    stride_layout planes = layout_of(STRIDE_DTYPE_U8, 0, 2, sizes, NULL);
    stride_layout spread = layout_of(STRIDE_DTYPE_U8, 0, 2, sizes, pixels);
    check_call(&planes, &spread, 0, 0);
    check_call(&spread, &planes, 0, 0);
  }
}

/* Sides that are more than layouts. */
static void check_sides(const stride_side *dst, const stride_side *src, uint32_t flags) {
  const size_t most = conversion ? CONVERTED_SHAPES : SHAPES;
  call c = {.dst_side = dst, .src_side = src, .conversion = conversion, .to = memory,
            .to_bytes = 1u << 24, .from = memory + (1u << 24), .flags = flags};
  for (c.cpu_level = STRIDE_CPU_LEVEL_SCALAR; c.cpu_level <= stride_cpu_level(); c.cpu_level++) {
    CHECK(measured(&c, most) <= most);
    CHECK_OK(c.status);
  }
}

/* Shapes with tiles, whose pieces are transposes by way of the stack. */
static void tiled_shapes(void) {
  static const char *const texts[][2] = {
      {"u8[1037,1489]{1,0:T(1024)}", "u8[1037,1489]{0,1}"},
      {"u8[983,1184]{1,0:T(1024)}", "u8[983,1184]{0,1}"},
      {"f32[1000,2048]{1,0:T(8,128)}", "f32[1000,2048]{0,1}"},
      {"f32[2048,1000]{0,1}", "f32[2048,1000]{1,0:T(8,128)}"},
      {"u4[2047,1001]{0,1:E(4)}", "u4[2047,1001]{1,0:T(8,128)E(4)}"},
  };
  for (size_t k = 0; k < COUNT(texts); k++) {
    const stride_xla_shape dst = shape_of(texts[k][0]), src = shape_of(texts[k][1]);
    check_sides(SHAPE(&dst), SHAPE(&src), 0);
  }
}

/* Digits in both directions, ragged and not; both sides blocked. */
static void blocked_layouts(void) {
  static const char *const texts[][2] = {
      {"a/128 b/4 a%32 a/32%4 b%4", NULL},
      {NULL, "a/128 b/4 a%32 a/32%4 b%4"},
      {"a/128 b/4 a%32 a/32%4 b%4", "b/7 a/5%3 b%7 a/15 a%5"},
  };
  static const int64_t sizes[][2] = {{1024, 512}, {1037, 1489}};
  static stride_blocked blocked[2];
  for (size_t k = 0; k < COUNT(texts); k++) {
    for (size_t s = 0; s < 2; s++) {
      stride_side sides[2];
      for (size_t side = 0; side < 2; side++) {
        const char *text = texts[k][side];
        if (!text) continue;
        CHECK_OK(stride_blocked_parse(text, strlen(text), STRIDE_DTYPE_U8, 2, sizes[s], &blocked[side], NULL));
        sides[side] = side_of(STRIDE_SIDE_BLOCKED, &blocked[side]);
      }
      check_sides(texts[k][0] ? &sides[0] : NULL, texts[k][1] ? &sides[1] : NULL, 0);
    }
  }
}

/* Rows in any order, with some that are filled, on either side; channels; ranges of matrices that are transposed. */
static void runs_and_ranges(void) {
  static const uint32_t dtypes[] = {STRIDE_DTYPE_U8, STRIDE_DTYPE_F32, STRIDE_DTYPE_F32 | STRIDE_DTYPE_SWAPPED, STRIDE_DTYPE_U4};
  static const int64_t sizes[2] = {1500, 1003}, columns[2] = {1, 1500};
  static stride_index_run rows[1500];
  for (size_t t = 0; t < COUNT(dtypes); t++) {
    const stride_side *to, *from;
    stride_layout dst = layout_of(dtypes[t] & ~STRIDE_DTYPE_SWAPPED, 0, 2, sizes, NULL);
    stride_layout src = layout_of(dtypes[t], 0, 2, sizes, columns);
    for (size_t k = 0; k < 1500; k++) {
      rows[k].first = (int64_t)(k * 7 % 1500);
      rows[k].step = rows[k].count = 1;
    }
    to = TAKING(LAYOUT(&dst), 0, 1500, rows); /* that they are distinct takes more than the budget */
    check_sides(to, LAYOUT(&src), STRIDE_COPY_ASSUME_DISTINCT);
    check_sides(to, LAYOUT(&src), STRIDE_COPY_ASSUME_DISTINCT | STRIDE_COPY_FILL_BUFFER);
    check_sides(TAKING(LAYOUT(&dst), 1, 2, RUNS({502, 1, 501}, {0, 1, 502})), TAKING(LAYOUT(&src), 1, 1, RUNS({1002, -1, 1003})), 0);
    from = NUMBERED(LAYOUT(&src), 17, 1500000);
    check_sides(NUMBERED(LAYOUT(&dst), 4000, 1500000), from, 0);
    for (size_t k = 0; k < 1500; k += 7) rows[k].first = -1;
    check_sides(LAYOUT(&dst), TAKING(LAYOUT(&src), 0, 1500, rows), 0);
    check_sides(LAYOUT(&dst), TAKING(LAYOUT(&src), 0, 1500, rows), STRIDE_COPY_FILL_BUFFER);
  }
  {
    static const int64_t pixels[3] = {700, 900, 4};
    stride_layout image = layout_of(STRIDE_DTYPE_U8, 0, 3, pixels, NULL);
    check_sides(LAYOUT(&image), TAKING(LAYOUT(&image), 2, 2, RUNS({2, -1, 3}, {-1, 0, 1})), 0);
  }
}

/* Tiles, blocks and lists of indices on either side, whose numbers convert; one number for all, and lists of them. */
static void sides_that_convert(void) {
  static const int64_t sizes[2] = {523, 501}, columns[2] = {1, 523}, by_column[2] = {0, 1};
  static const float numbers[501] = {0};
  static const uint32_t dtypes[][2] = {{STRIDE_DTYPE_BF16, STRIDE_DTYPE_F32},
                                       {STRIDE_DTYPE_F32, STRIDE_DTYPE_S4},
                                       {STRIDE_DTYPE_S32, STRIDE_DTYPE_F64 | STRIDE_DTYPE_SWAPPED}};
  static const char blocks[] = "a/128 b/4 a%32 a/32%4 b%4";
  static stride_index_run rows[523];
  static stride_blocked blocked;
  for (size_t k = 0; k < 523; k++) {
    rows[k].first = (int64_t)(k * 7 % 523);
    rows[k].step = rows[k].count = 1;
  }
  stride_layout values = layout_of(STRIDE_DTYPE_F32, 0, 2, sizes, by_column);
  for (size_t t = 0; t < COUNT(dtypes); t++) {
    const uint32_t to = dtypes[t][0], from = dtypes[t][1];
    char text[64];
    stride_layout dst = layout_of(to, 0, 2, sizes, NULL);
    stride_layout src = layout_of(from, 0, 2, sizes, columns);
    sprintf(text, "%s[523,501]{1,0:T(8,128)}", t == 0 ? "bf16" : t == 1 ? "f32" : "s32");
    const stride_xla_shape tiled = shape_of(text);
    for (size_t v = 0; v < 2; v++) {
      stride_conversion made;
      CHECK_OK(stride_conversion_init(&made));
      made.flags = STRIDE_CONVERT_AFFINE;
      made.values = v ? &values : NULL;
      made.scales = v ? numbers : NULL;
      made.value_count = v ? 501 : 0;
      conversion = &made;
      check_sides(SHAPE(&tiled), LAYOUT(&src), 0);
      check_sides(SHAPE(&tiled), LAYOUT(&src), STRIDE_COPY_FILL_BUFFER);
      check_sides(LAYOUT(&src), SHAPE(&tiled), 0);
      CHECK_OK(stride_blocked_parse(blocks, sizeof blocks - 1, to, 2, sizes, &blocked, NULL));
      check_sides(BLOCKED(&blocked), LAYOUT(&src), 0);
      check_sides(LAYOUT(&src), BLOCKED(&blocked), 0);
      check_sides(TAKING(LAYOUT(&src), 0, 523, rows), SHAPE(&tiled), STRIDE_COPY_ASSUME_DISTINCT);
      check_sides(BLOCKED(&blocked), TAKING(LAYOUT(&src), 0, 523, rows), 0);
      check_sides(TAKING(LAYOUT(&dst), 0, 523, rows), LAYOUT(&src), STRIDE_COPY_ASSUME_DISTINCT);
      conversion = NULL;
    }
  }
}

static stride_xla_shape input, output, answer, other_answer;
static int64_t axes[STRIDE_MAX_RANK], other_axes[STRIDE_MAX_RANK];
static uint32_t yes;

static void ask_align(void) { stride_xla_shape_align(&input, output.rank, output.sizes, &answer, NULL); }
static void ask_decompose(void) {
  stride_xla_bitcast_decompose(&input, &output, &yes, input.rank, axes, &answer, &other_answer, output.rank, other_axes, NULL);
}
static void ask_bitcast(void) { stride_xla_reshape_or_transpose_is_bitcast(&input, &output, &yes, NULL); }
static void ask_axes(void) { stride_xla_transpose_axes(&input, &output, output.rank, axes, NULL); }
static void ask_delete(void) {
  static const int64_t two[2] = {0, 1};
  stride_xla_shape_delete_dimensions(&input, input.rank < 2 ? input.rank : 2, two, &answer, NULL);
}
static void ask_broadcast(void) { stride_xla_shape_broadcast(&input, &output, 0, NULL, &answer, NULL); }

/* Shapes that follow from others, where many tiles are nearly what is asked for. */
static void questions_about_shapes(void) {
  static const char *const texts[][2] = {
      {"u16[1,2,1,2]{1,2,3,0:T(4)(4,3,2)(4,2)}", "u16[1,2,2]{2,1,0}"},
      {"u8[23]{0:T(1,4,2)(1)(1,2)}", "u8[23]{0:T(1)(1,2)}"},
      {"c128[1,1,10,1]{3,2,1,0:T(1,2,2,1)(3,8)(4,3)(2,4)(1,4,8,4)}", "c128[10]{0}"},
      {"f32[1,1,29,1,1,1,1,1,2,1,8,1,1,2]{2,12,8,10,0,1,3,4,5,6,7,9,11,13:T(8,2)(2,1)(4)}", "f32[29,2,8,2]{3,2,1,0}"},
  };
  static void (*const questions[])(void) = {ask_align, ask_decompose, ask_bitcast, ask_axes, ask_delete, ask_broadcast};
  for (size_t k = 0; k < COUNT(texts); k++) {
    input = shape_of(texts[k][0]);
    output = shape_of(texts[k][1]);
    for (size_t q = 0; q < COUNT(questions); q++) {
      call c = {.question = questions[q]};
      const size_t taken = measured(&c, SHAPES);
      CHECK(taken >= 4 * 1024 && taken <= SHAPES); /* of less, nothing was asked */
    }
  }
}

static const test tests[] = {
    TEST(transposes),
    TEST(conversions),
    TEST(transposes_of_reversed_pixels),
    TEST(gaps),
    TEST(elements_below_a_byte),
    TEST(orders_told_apart_by_bytes),
    TEST(long_rows),
    TEST(many_dimensions),
    TEST(runs_of_several_loops),
    TEST(streamed_elements),
    TEST(streamed_channels),
    TEST(pixels_with_gaps),
    TEST(tiled_shapes),
    TEST(blocked_layouts),
    TEST(runs_and_ranges),
    TEST(sides_that_convert),
    TEST(questions_about_shapes),
    TEST(overlapping_sides),
};

int main(void) {
  if (getenv("STRIDE_C_RUNNER")) {
    puts("skipped: the stack, under a runner it is not the program's own");
    return 0;
  }
  memory = (unsigned char *)calloc(3u << 24, 1);
  if (!memory || stride_machine_init(&small_caches) != STRIDE_STATUS_OK) return 1;
  small_caches.second_cache_bytes = 1 << 18;
  small_caches.last_cache_bytes = 1 << 22;
  return RUN(tests);
}
