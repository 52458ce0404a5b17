/* Copies as data: kinds, answers about plans, lists of regions, and one plan at many places. */
#include "check.h"

static const uint32_t u8 = STRIDE_DTYPE_U8, f32 = STRIDE_DTYPE_F32;

static void kinds(void) {
  const stride_layout nchw = layout_of(f32, 0, 4, LIST(2, 3, 8, 8), LIST(192, 64, 8, 1));
  const stride_layout nhwc = layout_of(f32, 0, 4, LIST(2, 3, 8, 8), LIST(192, 1, 24, 3));
  const stride_layout rows = layout_of(f32, 0, 4, LIST(2, 3, 8, 8), LIST(1920, 640, 80, 1));
  const stride_layout one = layout_of(f32, 0, 4, LIST(2, 3, 8, 8), LIST(0, 0, 0, 0));
  const stride_layout odd = layout_of(f32, 0, 4, LIST(2, 3, 8, 8), LIST(1536, 512, 64, 2));
  const stride_layout empty = layout_of(f32, 0, 2, LIST(0, 8), LIST(8, 1));
  struct {
    const stride_layout *dst, *src;
    uint32_t kind;
    uint64_t runs, run_bytes;
  } table[] = {
      {&empty, &empty, STRIDE_COPY_KIND_NOTHING, 0, 0},    {&nchw, &nchw, STRIDE_COPY_KIND_CONTIGUOUS, 1, 1536},
      {&nhwc, &nhwc, STRIDE_COPY_KIND_CONTIGUOUS, 1, 1536}, {&nchw, &rows, STRIDE_COPY_KIND_ROWS, 48, 32},
      {&nchw, &one, STRIDE_COPY_KIND_FILL, 384, 4},         {&nchw, &nhwc, STRIDE_COPY_KIND_TRANSPOSE, 384, 4},
      {&nchw, &odd, STRIDE_COPY_KIND_OTHER, 384, 4},
  };
  stride_error record;
  uint32_t kind;
  uint64_t runs, run_bytes;
  for (size_t k = 0; k < COUNT(table); k++) {
    CHECK_OK(stride_copy_classify(table[k].dst, table[k].src, &kind, &runs, &run_bytes, NULL));
    CHECK_EQ(kind, table[k].kind);
    CHECK_EQ(runs, table[k].runs);
    CHECK_EQ(run_bytes, table[k].run_bytes);
  }
  poison(&runs, sizeof runs);
  CHECK_FAILS(record, stride_copy_classify(&nchw, &empty, &kind, &runs, &run_bytes, &record), SHAPE_MISMATCH,
              SRC_LAYOUT, -1, 2, 4);
  CHECK_UNTOUCHED(runs);
}

static void facts(void) {
  const stride_layout dst = layout_of(f32, 2, 2, LIST(256, 256), LIST(300, 1));
  stride_plan plan;
  stride_plan_facts out;
  stride_error record;
  CHECK_OK(stride_plan_init(&plan, &dst, NULL, NULL, NULL));
  poison(&out, sizeof out);
  out.struct_size = sizeof out;
  CHECK_OK(stride_plan_query(&plan, &out, NULL));
  CHECK_EQ(out.struct_size, sizeof out);
  CHECK_EQ(out.kind, STRIDE_COPY_KIND_ROWS);
  CHECK_EQ(out.bytes, 256 * 256 * 4);
  CHECK(out.runs == 256 && out.run_bytes == 1024);
  CHECK(out.dst_lowest == 8 && out.dst_end == (2 + 255 * 300 + 256) * 4);
  CHECK(out.src_lowest == 0 && out.src_end == 256 * 256 * 4);
  CHECK(out.scratch_bytes == 0 && out.useful_parts == 2 && out.flags == 0);
  poison(&out, sizeof out);
  out.struct_size = 8;
  CHECK_FAILS(record, stride_plan_query(&plan, &out, &record), INVALID_ARGUMENT, OUT, -1, 8, sizeof out);
  CHECK_UNTOUCHED(out.bytes);
  out.struct_size = 5000;
  CHECK_FAILS(record, stride_plan_query(&plan, &out, &record), INVALID_ARGUMENT, OUT, -1, 5000, 4096);
}

/* One rectangle of an image, and the same in rows. */
static void rectangles(void) {
  const stride_layout crop = layout_of(u8, 50 * 1920 + 30, 2, LIST(4, 300), LIST(1920, 1));
  stride_plan plan;
  stride_region out[5];
  stride_error record;
  uint64_t count = 0;
  CHECK_OK(stride_plan_init(&plan, NULL, &crop, NULL, NULL));
  CHECK_OK(stride_plan_regions(&plan, 2, 0, NULL, &count, NULL));
  CHECK_EQ(count, 1);
  CHECK_OK(stride_plan_regions(&plan, 3, 5, out, &count, NULL));
  CHECK(count == 1 && out[0].row_bytes == 300 && out[0].dst_offset == 0 && out[0].src_offset == 96030);
  CHECK(out[0].counts[0] == 4 && out[0].dst_pitches[0] == 300 && out[0].src_pitches[0] == 1920);
  CHECK(out[0].counts[1] == 1 && out[0].dst_pitches[1] == 0 && out[0].src_pitches[1] == 0);
  poison(out, sizeof out);
  CHECK_OK(stride_plan_regions(&plan, 1, 3, out, &count, NULL));
  CHECK(count == 4 && out[2].src_offset == 96030 + 2 * 1920 && out[2].counts[0] == 1);
  CHECK_UNTOUCHED(out[3]);
  poison(&count, sizeof count);
  CHECK_FAILS(record, stride_plan_regions(&plan, 4, 5, out, &count, &record), INVALID_RANK, RANK, -1, 4, 3);
  CHECK_UNTOUCHED(count);
}

/* Boxes that cudaMemcpy3D takes, rectangles where it does not, and what is refused. */
static void rules(void) {
  const stride_layout whole = layout_of(f32, 0, 3, LIST(5, 3, 4), LIST(24, 6, 1));
  const stride_layout cut = layout_of(f32, 0, 3, LIST(5, 3, 4), LIST(25, 6, 1));
  stride_region_rules asked, untouched;
  stride_plan plan;
  stride_region out[3];
  stride_error record;
  uint64_t count = 0;
  poison(&asked, sizeof asked);
  CHECK_OK(stride_region_rules_init(&asked, STRIDE_REGION_API_CUDA_3D, NULL));
  CHECK(asked.struct_size == sizeof asked && asked.rank_max == 0 && asked.row_bytes_max == 0);
  CHECK_EQ(asked.flags[0], STRIDE_REGION_NO_NEGATIVE | STRIDE_REGION_NO_REPEATS | STRIDE_REGION_NESTED |
                               STRIDE_REGION_SLICE_MULTIPLE);
  CHECK_OK(stride_plan_init(&plan, NULL, &whole, NULL, NULL));
  CHECK_OK(stride_plan_regions_under(&plan, &asked, 3, out, &count, NULL));
  CHECK(count == 1 && out[0].counts[0] == 3 && out[0].counts[1] == 5 && out[0].src_pitches[1] == 96);
  CHECK_OK(stride_plan_init(&plan, NULL, &cut, NULL, NULL));
  CHECK_OK(stride_plan_regions_under(&plan, &asked, 3, out, &count, NULL));
  CHECK(count == 3 && out[2].counts[0] == 5 && out[2].src_pitches[0] == 100 && out[2].src_offset == 48);
  poison(&count, sizeof count);
  poison(out, sizeof out);
  asked.offset_alignment[1] = 16;
  CHECK_FAILS(record, stride_plan_regions_under(&plan, &asked, 3, out, &count, &record), UNSUPPORTED, PLAN, -1, 24, 16);
  CHECK_EQ(record.detail, STRIDE_DETAIL_REGION_SRC_OFFSET);
  asked.row_bytes_alignment = 32;
  CHECK_FAILS(record, stride_plan_regions_under(&plan, &asked, 3, out, &count, &record), UNSUPPORTED, PLAN, -1, 16, 32);
  asked.rank_max = 4;
  CHECK_FAILS(record, stride_plan_regions_under(&plan, &asked, 3, out, &count, &record), INVALID_ARGUMENT, RULES, -1, 4,
              4);
  CHECK_UNTOUCHED(count);
  CHECK_UNTOUCHED(out);
  poison(&untouched, sizeof untouched);
  CHECK_FAILS(record, stride_region_rules_init(&untouched, 9, &record), INVALID_ARGUMENT, API, -1, 9, 8);
  CHECK_UNTOUCHED(untouched);
}

/* Two pictures side by side are two layers of an image: two regions, none of whose rows is a layer. */
static void images(void) {
  const stride_layout layers = layout_of(u8, 0, 3, LIST(2, 2, 4), LIST(8, 4, 1));
  const stride_layout pictures = layout_of(u8, 0, 3, LIST(2, 2, 4), LIST(4, 8, 1));
  stride_region_rules asked;
  stride_plan plan;
  stride_region out[2];
  stride_error record;
  uint64_t count = 0;
  CHECK_OK(stride_region_rules_init(&asked, STRIDE_REGION_API_VULKAN_UPLOAD, NULL));
  CHECK(asked.flags[0] == (asked.flags[1] | STRIDE_REGION_IMAGE));
  asked.row_bytes_max = 4;
  asked.rows_max = 2;
  CHECK_OK(stride_plan_init(&plan, &layers, &pictures, NULL, NULL));
  CHECK_OK(stride_plan_regions_under(&plan, &asked, 2, out, &count, NULL));
  CHECK(count == 2 && out[1].src_offset == 4 && out[1].dst_offset == 8 && out[1].src_pitches[0] == 8);
  CHECK(out[1].counts[0] == 2 && out[1].counts[1] == 1 && out[1].dst_pitches[0] == 4 && out[1].row_bytes == 4);
  poison(&count, sizeof count);
  asked.row_bytes_max = 3;
  CHECK_FAILS(record, stride_plan_regions_under(&plan, &asked, 2, out, &count, &record), UNSUPPORTED, PLAN, -1, 3, 3);
  CHECK_EQ(record.detail, STRIDE_DETAIL_REGION_IMAGE);
  CHECK_UNTOUCHED(count);
}

/* Blocks of 16 bytes gathered from a pool, by two parts. */
static void batches(void) {
  static const int64_t to[5] = {64, 0, 16, 48, 32}, from[5] = {0, 112, 48, 48, 80};
  const stride_layout block = layout_of(f32, 0, 1, LIST(4), LIST(1));
  unsigned char dst[80], src[128];
  stride_plan plan;
  stride_error record;
  for (size_t k = 0; k < sizeof src; k++) src[k] = (unsigned char)k;
  CHECK_OK(stride_plan_init(&plan, &block, &block, NULL, NULL));
  for (uint32_t parts = 1; parts < 8; parts++) {
    poison(dst, sizeof dst);
    for (uint32_t part = 0; part < parts; part++) {
      CHECK_OK(stride_plan_execute_batch(&plan, dst, sizeof dst, to, src, sizeof src, from, 5, part, parts, NULL));
    }
    for (size_t k = 0; k < 5; k++) CHECK(memcmp(dst + to[k], src + from[k], 16) == 0);
  }
  poison(dst, sizeof dst);
  CHECK_FAILS(record, stride_plan_execute_batch(&plan, dst, 79, to, src, 128, from, 5, 0, 1, &record), OUT_OF_BOUNDS,
              DST_OFFSETS, -1, 80, 79);
  CHECK_EQ(record.item, 0);
  CHECK_FAILS(record, stride_plan_execute_batch(&plan, dst, 80, to, src, 127, from, 5, 0, 1, &record), OUT_OF_BOUNDS,
              SRC_OFFSETS, -1, 128, 127);
  CHECK_EQ(record.item, 1);
  CHECK_UNTOUCHED(dst);
  CHECK_OK(stride_plan_execute_batch(&plan, NULL, 0, NULL, NULL, 0, NULL, 0, 0, 1, NULL));
}

static const test tests[] = {TEST(kinds), TEST(facts), TEST(rectangles), TEST(rules), TEST(images), TEST(batches)};

int main(void) { return RUN(tests); }
