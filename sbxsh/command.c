#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sbxsh/bash.h"
#include "sbxsh/sbxsh.h"

#define EXITED(status) ((status) << 8)

int sbxsh_command(struct sbxsh *shell, const char *command)
{
    /* The very bytes that were judged. "--", since bash takes a command that begins with a dash for
     * more options: -i or -s would read what nobody judges. */
    const char *const argv[] = {"bash", "--noprofile", "--norc", "-c", "--", command, NULL};
    (void)execve(SBXSH_BASH, (char **)(uintptr_t)argv, shell->environment);
    sbxsh_say("cannot start bash; try again, or ask an operator to look at the limits");
    return EXITED(SBXSH_EXIT_START);
}
