#ifndef STAND_IN_STDLIB_H
#define STAND_IN_STDLIB_H
#include <stddef.h>
__declspec(dllimport) void *calloc(size_t count, size_t bytes);
__declspec(dllimport) __declspec(noreturn) void exit(int code);
__declspec(dllimport) void free(void *memory);
__declspec(dllimport) char *getenv(const char *name);
__declspec(dllimport) void *malloc(size_t bytes);
#endif
