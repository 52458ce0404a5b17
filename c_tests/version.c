/* Section "Version": the header's numbers are those of the library that is linked. */
#include "check.h"

static void header_and_library_agree(void) {
  CHECK_EQ(stride_version(), STRIDE_VERSION);
  CHECK_EQ(stride_abi_version(), STRIDE_ABI_VERSION);
}

static void version_is_made_of_its_parts(void) {
  CHECK_EQ(STRIDE_VERSION, STRIDE_VERSION_MAJOR * 10000 + STRIDE_VERSION_MINOR * 100 + STRIDE_VERSION_PATCH);
  CHECK_EQ(stride_version() / 10000, STRIDE_VERSION_MAJOR);
  CHECK_EQ(stride_version() / 100 % 100, STRIDE_VERSION_MINOR);
  CHECK_EQ(stride_version() % 100, STRIDE_VERSION_PATCH);
}

static const test tests[] = {
    TEST(header_and_library_agree),
    TEST(version_is_made_of_its_parts),
};

int main(void) { return RUN(tests); }
