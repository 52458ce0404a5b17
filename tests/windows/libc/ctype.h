#ifndef STAND_IN_CTYPE_H
#define STAND_IN_CTYPE_H
__declspec(dllimport) int tolower(int c);
#endif
