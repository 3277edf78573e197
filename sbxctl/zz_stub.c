#include "sbxctl/sbxctl.h"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define S(n) int sbx_verb_##n(int c,char**v){(void)c;(void)v;return 2;}
S(check) S(explain) S(parse) S(policy) S(enroll) S(unenroll)
