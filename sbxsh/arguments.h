/* The words login programs call a shell with; there are no others. */
#ifndef SBX_SBXSH_ARGUMENTS_H
#define SBX_SBXSH_ARGUMENTS_H

#include "policy/err.h"

struct sbxsh_arguments {
    const char *command; /* the text behind -c, byte for byte; NULL: standard input */
};

/* Takes `[-]name` and `[-]name -c COMMAND` and refuses everything else, since an option that bash
 * would understand (-i, -s, --rcfile) is a way around the judge. argv is hostile. */
int sbxsh_arguments_parse(int argc, const char *const *argv, struct sbxsh_arguments *out,
                          struct sbx_err *err) SBX_MUST_CHECK;

#endif
