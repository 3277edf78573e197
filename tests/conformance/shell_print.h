/* The tree of a text back to text, and whether two trees are the same but for their byte ranges. */
#ifndef SBX_CONFORMANCE_SHELL_PRINT_H
#define SBX_CONFORMANCE_SHELL_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "policy/shell.h"

/* Commands, lists and here-documents are written from the tree, each on lines of its own; words, as bash
 * itself does when it shows a function, as they stand in the source. */
void shell_print(FILE *out, const char *source, size_t len, const struct sbx_script *script);

bool shell_same(const struct sbx_script *a, const struct sbx_script *b);

#endif
