/* Wildcards of path rules: text only, no file system. */
#ifndef SBX_POLICY_GLOB_H
#define SBX_POLICY_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* True where *, ? or [ stands without a backslash before it. */
bool sbx_glob_is(const char *text);

/* NULL where the glob is well formed, else what is wrong with it. */
const char *sbx_glob_fault(const char *glob);

/* Takes the backslashes out of len bytes of text; out holds len + 1 bytes. Returns the new
 * length. */
size_t sbx_glob_unescape(const char *text, size_t len, char *out);

#endif
