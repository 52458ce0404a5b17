#ifndef STAND_IN_STRING_H
#define STAND_IN_STRING_H
#include <stddef.h>
void *memchr(const void *at, int value, size_t bytes);
int memcmp(const void *lhs, const void *rhs, size_t bytes);
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int strcmp(const char *lhs, const char *rhs);
size_t strlen(const char *text);
int strncmp(const char *lhs, const char *rhs, size_t length);
char *strstr(const char *text, const char *part);
#endif
