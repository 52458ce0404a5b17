/* Section "Requirements": verdicts, fits and bytes. Numbers from the consumers' own pages. */
#include "check.h"

static stride_requirements of(uint32_t consumer) {
  stride_requirements out;
  poison(&out, sizeof out);
  CHECK_OK(stride_requirements_init(&out, consumer, NULL));
  CHECK_EQ(out.struct_size, sizeof out);
  return out;
}

/* Each consumer's numbers, as the header has them. */
static void presets(void) {
  enum { ROWS = STRIDE_REQUIRE_LAST_INNERMOST | STRIDE_REQUIRE_UNIT_STRIDE | STRIDE_REQUIRE_NESTED |
                STRIDE_REQUIRE_NO_REPEATS | STRIDE_REQUIRE_NO_NEGATIVE };
  const stride_requirements any = of(STRIDE_CONSUMER_ANY), directml = of(STRIDE_CONSUMER_DIRECTML),
                            d3d12 = of(STRIDE_CONSUMER_D3D12), webgpu = of(STRIDE_CONSUMER_WEBGPU),
                            tma = of(STRIDE_CONSUMER_TMA), cutensor = of(STRIDE_CONSUMER_CUTENSOR),
                            metal = of(STRIDE_CONSUMER_METAL), vulkan = of(STRIDE_CONSUMER_VULKAN),
                            mdspan = of(STRIDE_CONSUMER_MDSPAN), arrow = of(STRIDE_CONSUMER_ARROW),
                            image = of(STRIDE_CONSUMER_VULKAN_IMAGE), opengl = of(STRIDE_CONSUMER_OPENGL);
  stride_requirements nothing;
  memset(&nothing, 0, sizeof nothing);
  nothing.struct_size = sizeof nothing;
  CHECK(memcmp(&any, &nothing, sizeof any) == 0);

  CHECK_EQ(directml.rank_min, 1);
  CHECK_EQ(directml.rank_max, STRIDE_DML_TENSOR_DIMENSION_COUNT_MAX);
  CHECK_EQ(directml.size_min, 1);
  CHECK_EQ(directml.base_alignment, 16); /* DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT */
  CHECK_EQ(directml.total_alignment, 4);
  CHECK_EQ(directml.elements_max, UINT32_MAX);
  CHECK_EQ(directml.reach_max, UINT32_MAX);
  CHECK((directml.dtypes >> STRIDE_DTYPE_F16 & 1) && !(directml.dtypes >> STRIDE_DTYPE_BF16 & 1));
  CHECK_EQ(directml.flags, STRIDE_REQUIRE_NO_NEGATIVE);

  CHECK_EQ(d3d12.flags, ROWS);
  CHECK_EQ(d3d12.row_alignment, 256);  /* D3D12_TEXTURE_DATA_PITCH_ALIGNMENT */
  CHECK_EQ(d3d12.base_alignment, 512); /* D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT */
  CHECK_EQ(d3d12.exact_from, 2);
  CHECK_EQ(d3d12.rank_max, 3);
  CHECK_EQ(d3d12.element_bits, 8 + 16 + 32 + 64 + 128);
  CHECK_EQ(d3d12.element_bits_by_three, 32); /* R32G32B32 */
  CHECK((d3d12.dtypes & 1) && (d3d12.dtypes >> STRIDE_DTYPE_F32 & 1) && !(d3d12.dtypes >> STRIDE_DTYPE_F64 & 1));

  CHECK_EQ(webgpu.flags, ROWS | STRIDE_REQUIRE_MULTIPLES | STRIDE_REQUIRE_ELEMENT_ALIGNED);
  CHECK_EQ(webgpu.row_alignment, 256);
  CHECK_EQ(webgpu.rank_max, 3);

  CHECK_EQ(tma.flags, ROWS);
  CHECK_EQ(tma.rank_min, 1);
  CHECK_EQ(tma.rank_max, 5);
  CHECK_EQ(tma.size_min, 1);
  CHECK_EQ(tma.size_max, (int64_t)1 << 32);
  CHECK_EQ(tma.base_alignment, 16);
  CHECK_EQ(tma.row_alignment, 16);
  CHECK_EQ(tma.outer_alignment, 16);
  CHECK_EQ(tma.stride_bytes_max, ((int64_t)1 << 40) - 1);
  CHECK_EQ(tma.element_bits, 8 + 16 + 32 + 64);

  CHECK_EQ(cutensor.flags, STRIDE_REQUIRE_NO_REPEATS | STRIDE_REQUIRE_NO_NEGATIVE);
  CHECK_EQ(cutensor.size_min, 1);

  CHECK_EQ(metal.flags, ROWS | STRIDE_REQUIRE_ELEMENT_ALIGNED);
  CHECK_EQ(metal.rank_max, 16); /* MTL_TENSOR_MAX_RANK */
  CHECK_EQ(metal.row_alignment, 64);
  CHECK_EQ(metal.exact_from, 2);

  CHECK_EQ(vulkan.flags, ROWS | STRIDE_REQUIRE_LAST_ROW_PADDED);
  CHECK_EQ(vulkan.rank_min, 1);
  CHECK_EQ(vulkan.size_min, 1);

  CHECK_EQ(mdspan.flags, STRIDE_REQUIRE_NESTED | STRIDE_REQUIRE_NO_REPEATS | STRIDE_REQUIRE_NO_NEGATIVE);
  CHECK_EQ(arrow.flags, mdspan.flags | STRIDE_REQUIRE_UNIT_STRIDE);
  CHECK_EQ(arrow.exact_from, 1);

  CHECK_EQ(image.flags, ROWS | STRIDE_REQUIRE_MULTIPLES | STRIDE_REQUIRE_ELEMENT_ALIGNED |
                            STRIDE_REQUIRE_PITCH_IN_TEXELS);
  CHECK(image.rank_max == 3 && image.size_min == 1 && image.base_alignment == 4);
  CHECK_EQ(opengl.flags, ROWS | STRIDE_REQUIRE_MULTIPLES);
  CHECK(opengl.rank_max == 3 && opengl.row_alignment == 4); /* UNPACK_ALIGNMENT at first */
}

/* A last dimension that is one texel: rows at bytes, or at whole texels. */
static void texels(void) {
  stride_requirements d3d12 = of(STRIDE_CONSUMER_D3D12), image = of(STRIDE_CONSUMER_VULKAN_IMAGE);
  stride_layout rgb = layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(4, 10, 3), NULL), out;
  stride_error record;
  uint64_t bytes;
  d3d12.texel_dimensions = image.texel_dimensions = 1;
  CHECK_FAILS(record, stride_layout_meets(&rgb, 0, &d3d12, &record), NOT_REPRESENTABLE, LAYOUT, 0, 120, 256);
  CHECK_OK(stride_layout_adapt(&rgb, &d3d12, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 3, LIST(4, 10, 3), LIST(64, 3, 1));
  CHECK_OK(stride_layout_meets(&out, 512, &d3d12, NULL));
  CHECK_OK(stride_layout_required_bytes(&out, &d3d12, &bytes, NULL));
  CHECK_EQ(bytes, 888);
  rgb = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(10, 3), NULL); /* the rank outside of texels is at most 3 */
  image.rank_min = 2;
  CHECK_FAILS(record, stride_layout_meets(&rgb, 0, &image, &record), NOT_REPRESENTABLE, LAYOUT, -1, 2, 3);
  CHECK_FAILS(record, stride_layout_meets(&out, 0, &image, &record), NOT_REPRESENTABLE, LAYOUT, 0, 64, 3);
  CHECK_EQ(record.detail, STRIDE_DETAIL_STRIDE_MULTIPLE);
}

static void verdicts_and_fits(void) {
  const stride_requirements tma = of(STRIDE_CONSUMER_TMA);
  stride_layout rows = layout_of(STRIDE_DTYPE_BF16, 0, 2, LIST(64, 511), NULL), out;
  stride_error record;
  uint64_t bytes;
  CHECK_FAILS(record, stride_layout_meets(&rows, 0, &tma, &record), NOT_REPRESENTABLE, LAYOUT, 0, 1022, 16);
  CHECK_EQ(record.detail, STRIDE_DETAIL_NOT_A_MULTIPLE);
  CHECK_OK(stride_layout_adapt(&rows, &tma, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_BF16, 0, 2, LIST(64, 511), LIST(512, 1));
  CHECK_OK(stride_layout_meets(&out, 16, &tma, NULL));
  CHECK_FAILS(record, stride_layout_meets(&out, 8, &tma, &record), NOT_REPRESENTABLE, ADDRESS, -1, 8, 16);
  CHECK_OK(stride_layout_required_bytes(&out, &tma, &bytes, NULL));
  CHECK_EQ(bytes, 63 * 1024 + 1022);
  CHECK_OK(stride_layout_adapt(&rows, &tma, &rows, NULL)); /* in place */
  CHECK_EQ(rows.strides[0], 512);

  poison(&out, sizeof out);
  rows = layout_of(STRIDE_DTYPE_F32, 0, 6, LIST(1, 1, 1, 1, 1, 1), NULL);
  CHECK_FAILS(record, stride_layout_adapt(&rows, &tma, &out, &record), NOT_REPRESENTABLE, LAYOUT, -1, 6, 5);
  CHECK_UNTOUCHED(out);
}

static void bytes_by_the_consumers_formula(void) {
  static const struct {
    uint32_t consumer;
    uint64_t bytes;
  } cases[] = {{STRIDE_CONSUMER_WEBGPU, 2344}, {STRIDE_CONSUMER_VULKAN, 2560}, {STRIDE_CONSUMER_DIRECTML, 2344}};
  stride_layout rows;
  CHECK_OK(stride_layout_init_pitched(&rows, STRIDE_DTYPE_F32, 2, LIST(10, 10), 0, 256, NULL));
  for (size_t k = 0; k < COUNT(cases); k++) {
    const stride_requirements requirements = of(cases[k].consumer);
    uint64_t bytes = 0;
    CHECK_OK(stride_layout_required_bytes(&rows, &requirements, &bytes, NULL));
    CHECK_EQ(bytes, cases[k].bytes);
  }
}

static void requirements_that_are_none(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  stride_requirements asked = of(STRIDE_CONSUMER_ANY), untouched;
  struct {
    stride_requirements known;
    uint64_t newer;
  } larger;
  stride_error record;
  asked.struct_size = 0;
  CHECK_FAILS(record, stride_layout_meets(&rows, 0, &asked, &record), INVALID_ARGUMENT, REQUIREMENTS, -1, 0, 96);
  asked = of(STRIDE_CONSUMER_ANY);
  asked.flags = 512 + STRIDE_REQUIRE_NESTED;
  CHECK_FAILS(record, stride_layout_meets(&rows, 0, &asked, &record), INVALID_ARGUMENT, REQUIREMENTS, -1, 516, 511);
  larger.known = of(STRIDE_CONSUMER_ANY);
  larger.known.struct_size = sizeof larger;
  larger.newer = 0;
  CHECK_OK(stride_layout_meets(&rows, 0, &larger.known, NULL));
  larger.newer = 1;
  CHECK_STATUS(stride_layout_meets(&rows, 0, &larger.known, NULL), INVALID_ARGUMENT);
  poison(&untouched, sizeof untouched);
  CHECK_FAILS(record, stride_requirements_init(&untouched, 12, &record), INVALID_ARGUMENT, CONSUMER, -1, 12, 11);
  CHECK_UNTOUCHED(untouched);
}

static void names(void) {
  CHECK_TEXT(stride_consumer_name(STRIDE_CONSUMER_ANY), "any");
  CHECK_TEXT(stride_consumer_name(STRIDE_CONSUMER_VULKAN_IMAGE), "vulkan_image");
  CHECK_TEXT(stride_consumer_name(STRIDE_CONSUMER_OPENGL), "opengl");
  CHECK(stride_consumer_name(STRIDE_CONSUMER_OPENGL + 1) == NULL && stride_consumer_name(UINT32_MAX) == NULL);
}

static const test tests[] = {
    TEST(names),
    TEST(presets),
    TEST(texels),
    TEST(verdicts_and_fits),
    TEST(bytes_by_the_consumers_formula),
    TEST(requirements_that_are_none),
};

int main(void) { return RUN(tests); }
