// Runs the C++ tests. Each file is a translation unit of its own, so stride.hpp is linked against itself.
#include <cstdlib>

#include "check.hpp"

void test_values();
void test_views();
void test_copies();
void test_plans();
void test_runs();
void test_mdspan();
void test_xla();

int main() {
  const struct {
    const char *name;
    void (*test)();
  } tests[] = {{"values", test_values}, {"views", test_views}, {"copies", test_copies}, {"plans", test_plans},
               {"runs", test_runs},     {"mdspan", test_mdspan}, {"xla", test_xla}};
  for (const auto &one : tests) {
    const counts before = count();
    one.test();
    std::printf("%s: %lu checks, %lu failed\n", one.name, count().checks - before.checks,
                count().failures - before.failures);
    if (count().checks == before.checks) return EXIT_FAILURE;
  }
  return count().failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
