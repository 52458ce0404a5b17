/* Loads stride.dll, calls it and lets it go, a thousand times, as a plug-in host does. In the end nothing of it is left.
 *
 *   load.exe stride.dll
 */
#include "stride.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

/* As bytes, since no two pointers to functions of other types may be cast to one another without a warning. */
#define FIND(pointer, library, name)                              \
  do {                                                            \
    const FARPROC found = GetProcAddress((library), (name));      \
    if (!found) return 3;                                         \
    memcpy(&(pointer), &found, sizeof(pointer));                  \
  } while (0)

typedef stride_status (*init_function)(stride_layout *, uint32_t, uint32_t, const int64_t *, const int64_t *,
                                       stride_error *);
typedef stride_status (*copy_function)(const stride_layout *, void *, uint64_t, const stride_layout *, const void *, uint64_t,
                                       const stride_copy_options *, stride_error *);

int main(int argc, char **argv) {
  const int64_t sizes[2] = {64, 48}, columns[2] = {1, 64};
  static uint8_t from[64 * 48], to[64 * 48];
  size_t k;
  int round;
  if (argc != 2) return 2;
  for (k = 0; k < sizeof from; k++) from[k] = (uint8_t)(k * 7);
  for (round = 0; round < 1000; round++) {
    init_function layout_init = NULL;
    copy_function copy = NULL;
    stride_layout rows, transposed;
    HMODULE library = LoadLibraryA(argv[1]);
    if (!library) return 4;
    FIND(layout_init, library, "stride_layout_init");
    FIND(copy, library, "stride_copy");
    memset(to, 0, sizeof to);
    if (layout_init(&rows, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL) != STRIDE_STATUS_OK) return 5;
    if (layout_init(&transposed, STRIDE_DTYPE_U8, 2, sizes, columns, NULL) != STRIDE_STATUS_OK) return 6;
    if (copy(&transposed, to, sizeof to, &rows, from, sizeof from, NULL, NULL) != STRIDE_STATUS_OK) return 7;
    for (k = 0; k < sizeof to; k++) {
      if (to[k] != from[k % 64 * 48 + k / 64]) return 8;
    }
    if (!FreeLibrary(library)) return 9;
    if (GetModuleHandleA("stride.dll")) return 10;
  }
  printf("loaded and unloaded %d times\n", round);
  return 0;
}
