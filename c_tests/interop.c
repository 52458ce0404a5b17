/* The sections of stride_interop.h: DLPack, Python's buffers, ggml, images in planes. Numbers from the systems' own
 * headers and manuals. */
#include "check.h"

/* --- DLPack ------------------------------------------------------------------------------------------------------- */

static stride_dl_tensor tensor_of(uint8_t code, uint8_t bits, int32_t ndim, int64_t *shape, int64_t *strides,
                                  uint64_t byte_offset) {
  return (stride_dl_tensor){.ndim = ndim, .dtype_code = code, .dtype_bits = bits, .dtype_lanes = 1, .shape = shape,
                            .strides = strides, .byte_offset = byte_offset};
}

static void tensors_that_come_in(void) {
  int64_t shape[2] = {2, 3}, strides[2] = {1, 2};
  stride_layout out;
  stride_dl_tensor tensor = tensor_of(2, 32, 2, shape, NULL, 8);
  CHECK_OK(stride_layout_from_dlpack(&tensor, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 2, 2, LIST(2, 3), LIST(3, 1));
  tensor.strides = strides;
  CHECK_OK(stride_layout_from_dlpack(&tensor, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 2, 2, LIST(2, 3), LIST(1, 2));
  tensor.dtype_bits = 128; /* a float that has no dtype: plain bytes, 8 of which are no whole element */
  tensor.byte_offset = 32;
  CHECK_OK(stride_layout_from_dlpack(&tensor, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_BYTES | 16, 2, 2, LIST(2, 3), LIST(1, 2));
  tensor.byte_offset = 8;
  CHECK_LAYOUT_FAILS(stride_layout_from_dlpack(&tensor, &out, &record), NOT_REPRESENTABLE, BYTE_OFFSET, -1, 8, 16);
  tensor.dtype_bits = 32;
  tensor.byte_offset = 6;
  CHECK_LAYOUT_FAILS(stride_layout_from_dlpack(&tensor, &out, &record), NOT_REPRESENTABLE, BYTE_OFFSET, -1, 6, 4);
  tensor.dtype_bits = 6;
  tensor.dtype_code = 15;
  CHECK_LAYOUT_FAILS(stride_layout_from_dlpack(&tensor, &out, &record), INVALID_DTYPE, DTYPE_BITS, -1, 15, 6);
  tensor.ndim = -1;
  CHECK_LAYOUT_FAILS(stride_layout_from_dlpack(&tensor, &out, &record), INVALID_RANK, NDIM, -1, -1, 0);
  /* A list without entries may be anywhere. */
  tensor = tensor_of(2, 32, 0, (int64_t *)(uintptr_t)1, (int64_t *)(uintptr_t)1, 0);
  CHECK_OK(stride_layout_from_dlpack(&tensor, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 0, LIST(0), LIST(0));
}

static void managed_tensors_that_come_in(void) {
  int64_t shape[1] = {3};
  stride_layout out;
  stride_dl_managed_tensor_versioned managed;
  const stride_dl_tensor tensor = tensor_of(0, 4, 1, shape, NULL, 0);
  memset(&managed, 0, sizeof managed);
  /* The end of it is the tensor. */
  memcpy((unsigned char *)&managed + sizeof managed - sizeof tensor, &tensor, sizeof tensor);
  managed.major = 1;
  CHECK_OK(stride_layout_from_dlpack_versioned(&managed, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_S4, 0, 1, LIST(3), LIST(1));
  managed.flags = STRIDE_DL_FLAG_READ_ONLY | STRIDE_DL_FLAG_IS_SUBBYTE_TYPE_PADDED;
  CHECK_OK(stride_layout_from_dlpack_versioned(&managed, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_S8, 0, 1, LIST(3), LIST(1));
  managed.flags = 16;
  CHECK_LAYOUT_FAILS(stride_layout_from_dlpack_versioned(&managed, &out, &record), UNSUPPORTED, FLAGS, -1, 16, 16);
  managed.major = 2;
  CHECK_LAYOUT_FAILS(stride_layout_from_dlpack_versioned(&managed, &out, &record), UNSUPPORTED, MAJOR, -1, 2, 1);
}

static void tensors_that_go_out(void) {
  int64_t shape[2], strides[2];
  stride_layout layout = layout_of(STRIDE_DTYPE_BF16, 4, 2, LIST(2, 3), LIST(-3, 1));
  stride_dl_tensor tensor;
  stride_error record;
  poison(&tensor, sizeof tensor);
  CHECK_OK(stride_layout_to_dlpack(&layout, 2, shape, strides, &tensor, NULL));
  CHECK(tensor.ndim == 2 && tensor.dtype_code == 4 && tensor.dtype_bits == 16 && tensor.dtype_lanes == 1);
  CHECK(tensor.shape == shape && tensor.strides == strides && tensor.byte_offset == 8);
  CHECK(shape[0] == 2 && shape[1] == 3 && strides[0] == -3 && strides[1] == 1);
  CHECK(is_poisoned(&tensor, offsetof(stride_dl_tensor, ndim))); /* data and device are the caller's */
  layout.offset = 2;
  poison(&tensor, sizeof tensor);
  poison(shape, sizeof shape);
  CHECK_FAILS(record, stride_layout_to_dlpack(&layout, 2, shape, strides, &tensor, &record), OUT_OF_BOUNDS, LAYOUT, -1,
              -2, 0);
  CHECK(is_poisoned(&tensor, sizeof tensor) && is_poisoned(shape, sizeof shape));
}

/* --- Python's buffers --------------------------------------------------------------------------------------------- */

static void python_buffers(void) {
  ptrdiff_t shape[2] = {2, 3}, strides[2] = {-24, 8}, suboffsets[2] = {-1, -1};
  char format[] = "<d";
  stride_py_buffer view = {.len = 48, .itemsize = 8, .ndim = 2, .format = format, .shape = shape};
  stride_layout out;
  CHECK_OK(stride_layout_from_py_buffer(&view, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F64, 0, 2, LIST(2, 3), LIST(3, 1));
  view.strides = strides;
  view.suboffsets = suboffsets;
  CHECK_OK(stride_layout_from_py_buffer(&view, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F64, 0, 2, LIST(2, 3), LIST(-3, 1));
  suboffsets[0] = 0;
  CHECK_LAYOUT_FAILS(stride_layout_from_py_buffer(&view, &out, &record), NOT_REPRESENTABLE, SUBOFFSETS, 0, 0, 0);
  suboffsets[0] = -1;
  strides[0] = 12;
  CHECK_OK(stride_layout_from_py_buffer(&view, &out, NULL)); /* within an item: bytes */
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 3, LIST(2, 3, 8), LIST(12, 8, 1));
  view.len = 40;
  CHECK_LAYOUT_FAILS(stride_layout_from_py_buffer(&view, &out, &record), SHAPE_MISMATCH, LEN, -1, 40, 48);
  view.len = 48;
  format[0] = '>';
  CHECK_OK(stride_layout_from_py_buffer(&view, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 7, 3, LIST(2, 3, 8), LIST(12, 8, -1));
  strides[0] = -24;
  CHECK_OK(stride_layout_from_py_buffer(&view, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F64 | STRIDE_DTYPE_SWAPPED, 0, 2, LIST(2, 3), LIST(-3, 1));
  view.format = ">g"; /* has no dtype, and plain bytes no order */
  CHECK_LAYOUT_FAILS(stride_layout_from_py_buffer(&view, &out, &record), INVALID_DTYPE, FORMAT, -1, 8, 0);
  view.len = 40;
  view.shape = NULL;
  CHECK_OK(stride_layout_from_py_buffer(&view, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 1, LIST(40), LIST(1));
  /* References to objects, wherever they stand; names of fields are none. */
  const char *formats[] = {"O", "2O", "(2,2)O", "T{i:number:4xO:what:}", "T{i:O:T{f:b:O:c:}:d:}"};
  view.len = view.itemsize = 16;
  view.ndim = 0;
  for (size_t k = 0; k < COUNT(formats); k++) {
    view.format = (char *)formats[k];
    CHECK_LAYOUT_FAILS(stride_layout_from_py_buffer(&view, &out, &record), INVALID_DTYPE, FORMAT, -1, 'O', 128);
  }
  view.format = "T{i:number:4xq:FOOO:}";
  CHECK_OK(stride_layout_from_py_buffer(&view, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_BYTES + 16, 0, 0, LIST(0), LIST(0));
}

TEXT_FUNCTION(write_typestr, stride_dtype_to_typestr, *(const uint32_t *))

static void type_strings(void) {
  const uint32_t pixel = STRIDE_DTYPE_BYTES | 12, real = STRIDE_DTYPE_F32, none = STRIDE_DTYPE_BF16;
  uint32_t dtype;
  uint64_t length;
  stride_error record;
  CHECK_WRITES(write_typestr, &pixel, "|V12");
  CHECK_WRITES(write_typestr, &real, "<f4");
  CHECK_FAILS(record, stride_dtype_to_typestr(none, NULL, 0, &length, &record), INVALID_DTYPE, DTYPE, -1, none, 4);
  CHECK_OK(stride_dtype_from_typestr("<c16", 4, &dtype, NULL));
  CHECK_EQ(dtype, STRIDE_DTYPE_C128);
  CHECK_FAILS(record, stride_dtype_from_typestr("|O8", 3, &dtype, &record), PARSE, TEXT, -1, 0, 0);
  CHECK_EQ(record.position, 1);
  CHECK_OK(stride_dtype_from_typestr(">f4", 3, &dtype, NULL));
  CHECK_EQ(dtype, STRIDE_DTYPE_F32 | STRIDE_DTYPE_SWAPPED);
  CHECK_WRITES(write_typestr, &dtype, ">f4");
}

/* --- ggml --------------------------------------------------------------------------------------------------------- */

static void tensors_of_ggml(void) {
  static const size_t nb[4] = {18, 36, 72, 72};
  stride_layout out;
  stride_error record;
  int64_t ne[4];
  size_t bytes[4];
  uint64_t offset = 0;
  uint32_t dtype, block;
  CHECK_OK(stride_dtype_from_ggml(2, &dtype, &block, NULL));
  CHECK(dtype == (STRIDE_DTYPE_BYTES | 18) && block == 32);
  CHECK_OK(stride_layout_from_ggml(2, LIST(64, 2, 1, 1), nb, &out, NULL));
  CHECK_LAYOUT(out, dtype, 0, 4, LIST(1, 1, 2, 2), LIST(4, 4, 2, 1));
  out.offset = 1;
  CHECK_OK(stride_layout_to_ggml(&out, 2, ne, bytes, &offset, NULL));
  CHECK(memcmp(ne, LIST(64, 2, 1, 1), sizeof ne) == 0 && memcmp(bytes, nb, sizeof bytes) == 0 && offset == 18);
  poison(ne, sizeof ne);
  CHECK_FAILS(record, stride_layout_to_ggml(&out, 3, ne, bytes, &offset, &record), DTYPE_MISMATCH, LAYOUT, -1, dtype,
              STRIDE_DTYPE_BYTES | 20);
  CHECK(is_poisoned(ne, sizeof ne));
  CHECK_LAYOUT_FAILS(stride_layout_from_ggml(2, LIST(65, 2, 1, 1), nb, &out, &record), INVALID_SIZE, NE, 0, 65, 32);
  CHECK_OK(stride_layout_from_ggml(3, LIST(64, 2, 1, 1), nb, &out, NULL)); /* rows begin within a block */
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 5, LIST(1, 1, 2, 2, 20), LIST(72, 72, 36, 18, 1));
  CHECK_OK(stride_layout_to_ggml(&out, 3, ne, bytes, &offset, NULL));
  CHECK(memcmp(ne, LIST(64, 2, 1, 1), sizeof ne) == 0 && memcmp(bytes, nb, sizeof bytes) == 0 && offset == 0);
  CHECK_LAYOUT_FAILS(stride_layout_from_ggml(4, LIST(64, 2, 1, 1), nb, &out, &record), INVALID_DTYPE, TYPE, -1, 4, 42);
}

/* --- Images in planes --------------------------------------------------------------------------------------------- */

static void planes_and_components(void) {
  static const uint64_t pitches[2] = {8, 10};
  stride_layout parts[4];
  uint32_t count = 0;
  uint64_t bytes = 0;
  stride_error record;
  CHECK_OK(stride_image_planes(STRIDE_FOURCC_NV12, 848, 480, 0, NULL, 1, &count, parts, &bytes, NULL));
  CHECK(count == 2 && bytes == 610560);
  CHECK_LAYOUT(parts[1], STRIDE_DTYPE_U8, 848 * 480, 3, LIST(240, 424, 2), LIST(848, 2, 1));
  CHECK_OK(stride_image_components(STRIDE_FOURCC_NV21, 5, 3, 2, pitches, 2, &count, parts, &bytes, NULL));
  CHECK(count == 3 && bytes == 44);
  CHECK_LAYOUT(parts[0], STRIDE_DTYPE_U8, 0, 2, LIST(3, 5), LIST(8, 1));
  CHECK_LAYOUT(parts[1], STRIDE_DTYPE_U8, 25, 2, LIST(2, 3), LIST(10, 2)); /* U is after V */
  poison(parts, sizeof parts);
#define PLANES(fourcc, width, count_, alignment) \
  stride_image_planes(fourcc, width, 3, count_, pitches, alignment, &count, parts, &bytes, &record)
  CHECK_FAILS(record, PLANES(0x20202020, 5, 0, 1), INVALID_ARGUMENT, FOURCC, -1, 0x20202020, 0);
  CHECK_FAILS(record, PLANES(STRIDE_FOURCC_NV12, -5, 0, 1), INVALID_SIZE, WIDTH, -1, -5, 0);
  CHECK_FAILS(record, PLANES(STRIDE_FOURCC_NV12, 5, 0, 3), INVALID_ARGUMENT, PITCH_ALIGNMENT, -1, 3, 1);
  CHECK_FAILS(record, PLANES(STRIDE_FOURCC_NV12, 5, 2, 8), INVALID_ARGUMENT, PITCHES, 1, 10, 8);
  CHECK_FAILS(record, PLANES(STRIDE_FOURCC_NV12, 9, 2, 1), INVALID_ARGUMENT, PITCHES, 0, 8, 9);
  CHECK_FAILS(record, PLANES(STRIDE_FOURCC_I420, 5, 2, 1), INVALID_RANK, COUNT, -1, 2, 3);
#undef PLANES
  CHECK(is_poisoned(parts, sizeof parts) && count == 3 && bytes == 44);
}

static void codes_of_names(void) {
  static const struct {
    const char *name;
    uint32_t fourcc;
  } names[] = {
      {"NV12", STRIDE_FOURCC_NV12},
      {"DRM_FORMAT_NV12", STRIDE_FOURCC_NV12},
      {"V4L2_PIX_FMT_NV12", STRIDE_FOURCC_NV12},
      {"nv12", STRIDE_FOURCC_NV12},
      {"yuv420p10le", STRIDE_FOURCC_I010},
      {"V4L2_PIX_FMT_ABGR32", STRIDE_FOURCC_BGRA},
      {"DRM_FORMAT_XRGB2101010", STRIDE_FOURCC_XR30},
      {"V4L2_PIX_FMT_AYUV32", STRIDE_FOURCC_Y408}, /* what V4L2 means by 'AYUV', which is another order here */
      {"V4L2_PIX_FMT_VUYA32", 'V' | 'U' << 8 | 'Y' << 16 | 'A' << 24},
      {"Y16", STRIDE_FOURCC_Y16},
      {"Y16 ", STRIDE_FOURCC_Y16},
      {"NV15", 'N' | 'V' << 8 | '1' << 16 | '5' << 24},
  };
  stride_error record;
  uint32_t fourcc = 0;
  for (size_t k = 0; k < COUNT(names); k++) {
    CHECK_OK(stride_image_fourcc(names[k].name, strlen(names[k].name), &fourcc, NULL));
    CHECK(fourcc == names[k].fourcc);
  }
  fourcc = 99;
  CHECK_FAILS(record, stride_image_fourcc("H264", 4, &fourcc, &record), PARSE, TEXT, -1, 2, 0);
  CHECK(record.position == 0 && record.detail == STRIDE_DETAIL_NAME);
  CHECK_FAILS(record, stride_image_fourcc(NULL, 0, &fourcc, &record), PARSE, TEXT, -1, 2, 0);
  CHECK_FAILS(record, stride_image_fourcc("NV12", UINT64_MAX, &fourcc, &record), INVALID_ARGUMENT, LENGTH, -1,
              INT64_MAX, sizeof(void *) == 8 ? INT64_MAX : INT32_MAX);
  CHECK(fourcc == 99);
}

/* A frame of 3 x 2 pixels B G R A, upside down, with rows of 16 bytes: pixel (0, 0) begins at byte 16. The same with
 * the pointer at the buffer's start, and at row 0, as FFmpeg has it. */
static void rows_that_go_downward(void) {
  static const uint8_t frame[32] = {33, 23, 13, 0, 34, 24, 14, 0, 35, 25, 15, 0, 99, 99, 99, 99,
                                    30, 20, 10, 0, 31, 21, 11, 0, 32, 22, 12, 0, 99, 99, 99, 99};
  const stride_layout plane = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(2, 3), NULL);
  stride_layout parts[4], moved;
  uint8_t rgb[3][6];
  uint32_t count = 0;
  uint64_t bytes = 0;
  int64_t shift = 0;
  stride_error record;
  stride_image image = STRIDE_IMAGE_INIT;
  image.fourcc = STRIDE_FOURCC_BGRA;
  image.width = 3;
  image.height = 2;
  image.pitch_count = 1;
  image.pitches[0] = -16;
  CHECK_OK(stride_image_planes_of(&image, &count, parts, &bytes, NULL));
  CHECK(count == 1 && bytes == 32);
  CHECK_LAYOUT(parts[0], STRIDE_DTYPE_U8, 0, 3, LIST(2, 3, 4), LIST(-16, 4, 1));
  for (int from_start = 0; from_start < 2; from_start++) {
    image.offset_count = (uint32_t)from_start;
    image.offsets[0] = 16;
    CHECK_OK(stride_image_components_of(&image, &count, parts, &bytes, NULL));
    CHECK(count == 4 && bytes == 32);
    poison(rgb, sizeof rgb);
    for (int k = 0; k < 3; k++) {
      if (from_start) {
        CHECK_OK(stride_copy(&plane, rgb[k], 6, &parts[k], frame, bytes, NULL, NULL));
      } else {
        const uint8_t *const row_0 = frame + 16;
        CHECK_FAILS(record, stride_copy(&plane, rgb[k], 6, &parts[k], row_0, 16, NULL, &record), OUT_OF_BOUNDS,
                    SRC_LAYOUT, -1, 2 - k - 16, 0);
        CHECK_OK(stride_layout_rebase(&parts[k], &moved, &shift, NULL));
        CHECK(shift == 2 - k - 16);
        CHECK_OK(stride_copy(&plane, rgb[k], 6, &moved, row_0 + shift, (uint64_t)(16 - shift), NULL, NULL));
      }
      for (int pixel = 0; pixel < 6; pixel++) CHECK(rgb[k][pixel] == 10 * (k + 1) + pixel);
    }
  }
}

static void images_as_structs(void) {
  stride_layout parts[4];
  uint32_t count = 99;
  uint64_t bytes = 99;
  stride_error record;
  struct {
    stride_image known;
    uint32_t tail[2];
  } newer;
  stride_image image = STRIDE_IMAGE_INIT;
  image.fourcc = STRIDE_FOURCC_NV12;
  image.width = 1920;
  image.height = 1080;
  image.height_alignment = 16;
  CHECK_OK(stride_image_planes_of(&image, &count, parts, &bytes, NULL));
  CHECK(count == 2 && bytes == 1920 * 1088 * 3 / 2);
  CHECK_LAYOUT(parts[1], STRIDE_DTYPE_U8, 1920 * 1088, 3, LIST(540, 960, 2), LIST(1920, 2, 1));
  /* A pitch alignment that is no power of two: 32 pixels of 3 bytes. */
  image.fourcc = STRIDE_FOURCC_RGB24;
  image.width = 624;
  image.height = 480;
  image.pitch_alignment = 96;
  CHECK_OK(stride_image_planes_of(&image, &count, parts, &bytes, NULL));
  CHECK(count == 1 && bytes == 921600 && parts[0].strides[0] == 1920);
  /* A larger struct, whose tail asks for nothing. */
  memset(&newer, 0, sizeof newer);
  newer.known = image;
  newer.known.struct_size = (uint32_t)sizeof newer;
  CHECK_OK(stride_image_planes_of(&newer.known, &count, parts, &bytes, NULL));

  count = 99;
  bytes = 99;
  poison(parts, sizeof parts);
  newer.tail[1] = 1;
#define FAILS(status, argument, dimension, lhs, rhs)                                                                  \
  CHECK_FAILS(record, stride_image_planes_of(&image, &count, parts, &bytes, &record), status, argument, dimension,   \
              lhs, rhs);                                                                                             \
  CHECK_FAILS(record, stride_image_components_of(&image, &count, parts, &bytes, &record), status, argument,          \
              dimension, lhs, rhs)
  CHECK_FAILS(record, stride_image_planes_of(&newer.known, &count, parts, &bytes, &record), INVALID_ARGUMENT, IMAGE, -1,
              sizeof image + 4, sizeof image);
  image.struct_size = 0;
  FAILS(INVALID_ARGUMENT, IMAGE, -1, 0, sizeof image);
  image.struct_size = 4100;
  FAILS(INVALID_ARGUMENT, IMAGE, -1, 4100, 4096);
  image = (stride_image)STRIDE_IMAGE_INIT;
  FAILS(INVALID_ARGUMENT, FOURCC, -1, 0, 0);
  image.fourcc = 'N' | 'V' << 8 | '1' << 16 | '5' << 24;
  FAILS(UNSUPPORTED, FOURCC, -1, 0x3531564e, 10);
  image.fourcc = STRIDE_FOURCC_P010;
  image.width = 4;
  image.height = 4;
  image.pitch_count = 5;
  FAILS(INVALID_RANK, PITCH_COUNT, -1, 5, 2);
  image.pitch_count = 0;
  image.offset_count = 1;
  FAILS(INVALID_RANK, OFFSET_COUNT, -1, 1, 2);
  image.offset_count = image.pitch_count = 2;
  image.pitches[0] = 8;
  image.pitches[1] = -7;
  FAILS(INVALID_ARGUMENT, PITCHES, 1, -7, -8);
  image.pitches[1] = -12;
  image.pitch_alignment = 24;
  FAILS(INVALID_ARGUMENT, PITCHES, 0, 8, 24);
  image.pitch_alignment = 3; /* and a sample of 2 bytes */
  FAILS(INVALID_ARGUMENT, PITCHES, 0, 8, 6);
  image.pitch_alignment = 0;
  image.offsets[1] = 33;
  FAILS(INVALID_ARGUMENT, OFFSETS, 1, 33, 2);
  image.offsets[1] = 34; /* row 1 of chroma begins at 22, inside the luma rows */
  FAILS(OVERLAP, OFFSETS, 1, 0, 1);
  image.offsets[1] = INT64_MAX - 1;
  FAILS(OVERFLOW, OFFSETS, 1, INT64_MAX, 8);
  image.offsets[1] = INT64_MIN;
  FAILS(OVERFLOW, OFFSETS, 1, INT64_MIN, 8);
  image.height_alignment = UINT64_MAX;
  FAILS(OVERFLOW, PITCHES, 0, INT64_MAX, 8);
  image.height = -1;
  FAILS(INVALID_SIZE, HEIGHT, -1, -1, 0);
#undef FAILS
  CHECK(is_poisoned(parts, sizeof parts) && count == 99 && bytes == 99);
  /* A pitch of the functions without a struct that is no int64_t. */
  const uint64_t far[1] = {UINT64_MAX - 15};
  CHECK_FAILS(record, stride_image_planes(STRIDE_FOURCC_BGRA, 1, 1, 1, far, 1, &count, parts, &bytes, &record),
              INVALID_ARGUMENT, PITCHES, 0, INT64_MAX, INT64_MAX >> 3);
}

static const test tests[] = {
    TEST(tensors_that_come_in), TEST(managed_tensors_that_come_in), TEST(tensors_that_go_out), TEST(python_buffers),
    TEST(type_strings),         TEST(tensors_of_ggml),              TEST(planes_and_components),
    TEST(codes_of_names),       TEST(rows_that_go_downward),    TEST(images_as_structs),
};

int main(void) { return RUN(tests); }
