#include "sbxsh/arguments.h"

#include <string.h>

int sbxsh_arguments_parse(int argc, const char *const *argv, struct sbxsh_arguments *out,
                          struct sbx_err *err)
{
    *out = (struct sbxsh_arguments){0};
    if (argc < 1 || !argv[0]) /* execve(2) with an empty argv: CVE-2021-4034 class */
        return sbx_fail(err, SBX_E_USAGE, 0, "called without a name");
    if (argc == 1)
        return 0;
    if (argc == 3 && !strcmp(argv[1], "-c")) {
        out->command = argv[2];
        return 0;
    }
    if (argc == 2 && !strcmp(argv[1], "-c"))
        return sbx_fail(err, SBX_E_USAGE, 0, "-c needs a command");
    return sbx_fail(err, SBX_E_USAGE, 0,
                    "takes a command after -c, or a script on standard input, and nothing else");
}
