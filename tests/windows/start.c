/* What Microsoft's C runtime does for a program of c_tests, as far as that goes: calls main, and says that floating-point
 * numbers are used. The linker gets /entry:start. */
#include <stdlib.h>

int main(int count, char **arguments); /* of those that take them */

int _fltused = 0x9875;

void start(void) {
  static char name[] = "program";
  static char *arguments[] = {name, 0};
  exit(main(1, arguments));
}
