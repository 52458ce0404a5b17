// Loads the library, calls it and unloads it a thousand times: nothing stays, neither mapping nor memory.
//
//   dlopen LIBRARY
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <stride.h>

static int fail(const char *what) {
  const char *why = dlerror();
  fprintf(stderr, "dlopen.c: %s%s%s\n", what, why ? ": " : "", why ? why : "");
  return 1;
}

// Resident memory that is no file's, in pages: what is left behind. (Files' pages come and go as the kernel likes.)
static long resident(void) {
  long size = 0, pages = -1, of_files = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return -1;
  if (fscanf(file, "%ld %ld %ld", &size, &pages, &of_files) != 3) pages = -1;
  fclose(file);
  return pages < 0 ? -1 : pages - of_files;
}

// Lines of the memory map that name the library.
static int mapped(void) {
  char line[4096];
  int count = 0;
  FILE *file = fopen("/proc/self/maps", "r");
  if (!file) return -1;
  while (fgets(line, sizeof line, file)) count += strstr(line, "libstride") != NULL;
  fclose(file);
  return count;
}

static float src[64 * 96], dst[64 * 96];

static int use(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail("it cannot be loaded");
  int32_t (*init)(stride_layout *, uint32_t, uint32_t, const int64_t *, const int64_t *, stride_error *);
  int32_t (*copy)(const stride_layout *, void *, uint64_t, const stride_layout *, const void *, uint64_t,
                  const stride_copy_options *, stride_error *);
  *(void **)&init = dlsym(library, "stride_layout_init");
  *(void **)&copy = dlsym(library, "stride_copy");
  if (!init || !copy) return fail("it lacks a function");
  const int64_t sizes[2] = {64, 96}, columns[2] = {1, 64};
  stride_layout from, to;
  memset(dst, 0, sizeof dst);
  if (init(&from, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL) != STRIDE_STATUS_OK) return fail("stride_layout_init");
  if (init(&to, STRIDE_DTYPE_F32, 2, sizes, columns, NULL) != STRIDE_STATUS_OK) return fail("stride_layout_init");
  if (copy(&to, dst, sizeof dst, &from, src, sizeof src, NULL, NULL) != STRIDE_STATUS_OK) return fail("stride_copy");
  for (int row = 0; row < 64; row++)
    for (int column = 0; column < 96; column++)
      if (dst[row + 64 * column] != src[96 * row + column]) return fail("a wrong element");
  if (mapped() <= 0) return fail("it is loaded, but no mapping names it");
  if (dlclose(library) != 0) return fail("dlclose");
  if (mapped() != 0) return fail("a mapping stays after dlclose");
  return 0;
}

int main(int count, char **arguments) {
  if (count != 2) return fail("usage: dlopen LIBRARY");
  for (int k = 0; k < 64 * 96; k++) src[k] = (float)k;
  long early = 0;
  for (int round = 1; round <= 1000; round++) {
    if (use(arguments[1])) return 1;
    if (round == 500) early = resident();
  }
  const long late = resident();
  if (early <= 0) return fail("/proc/self/statm cannot be read");
  // 4 pages are 33 bytes a round.
  if (late - early > 4) {
    fprintf(stderr, "dlopen.c: memory that is no file's grew from %ld to %ld pages\n", early, late);
    return 1;
  }
  printf("1000 times loaded and unloaded, %ld pages after 500 rounds, %ld at the end\n", early, late);
  return 0;
}
