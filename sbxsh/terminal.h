/* The shell's part of the terminal relay (jail/relay.h). */
#ifndef SBX_SBXSH_TERMINAL_H
#define SBX_SBXSH_TERMINAL_H

#include "sbxsh/sbxsh.h"

typedef int sbxsh_body(struct sbxsh *shell, const char *command); /* returns a wait status */

struct sbxsh_terminal {
    bool is_outside[3]; /* which of descriptors 0 to 2 are a terminal */
    bool is_relayed;
    int outside_fd, master_fd, slave_fd;
    char name[64]; /* of the jail's terminal, "" if none */
};

/* Opens a terminal of the jail's own where one of descriptors 0 to 2 is one from outside. Before the
 * seal, since opening is all that needs a new descriptor. */
int sbxsh_terminal_open(struct sbxsh_terminal *terminal, const struct sbxsh *shell,
                        struct sbx_err *err) SBX_MUST_CHECK;

/* Runs `body` in a child on that terminal and relays, or in this process where there is none.
 * Returns the wait status to end with. */
int sbxsh_terminal_run(struct sbxsh *shell, struct sbxsh_terminal *terminal, const char *command,
                       sbxsh_body *body);

#endif
