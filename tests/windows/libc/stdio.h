#ifndef STAND_IN_STDIO_H
#define STAND_IN_STDIO_H
#include <stddef.h>
typedef struct FILE {
  char *next;
  int count;
  char *base;
  int flags, file, kept, buffer_bytes;
  char *name;
} FILE;
__declspec(dllimport) FILE *__iob_func(void);
#define stdout (&__iob_func()[1])
#define stderr (&__iob_func()[2])
__declspec(dllimport) int fprintf(FILE *file, const char *format, ...);
__declspec(dllimport) int printf(const char *format, ...);
__declspec(dllimport) int puts(const char *text);
__declspec(dllimport) int sprintf(char *text, const char *format, ...);
#endif
